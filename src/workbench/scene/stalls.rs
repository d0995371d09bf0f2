//! Where warp cycles went: by reason, by warp, by line, by instruction.

mod account;
mod bars;
mod inspect;
mod reasons;
#[cfg(test)]
mod tests;
mod words;

pub use inspect::inspect_stalls;

use super::kit::{Face, Sheet};
use super::source::columns::{by_mark, segment};
use super::source::costs::largest_wait;
use super::words::{headline, percent, state_verbs};
use super::{Breakdown, Mark, Period, Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use account::Account;
use engine::sim::WarpState;
use engine::trace::{Frame, StateCycles};

/// Draws the view.
pub fn stalls(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let account = Account::of(frame, view);
    let text = headline(sentence(frame, &account, view));
    match view.settings.breakdown {
        Breakdown::Reason => reasons::draw(frame, view, size, &account, text),
        by => bars::draw(frame, view, size, &account, by, text),
    }
}

/// Left and right edge of the picture.
fn edges(size: Size) -> (f32, f32) {
    let margin = if size.width < 520.0 { 12.0 } else { 20.0 };
    (margin, size.width - margin)
}

/// The one true sentence: what warps wait for most, and where.
fn sentence(frame: &Frame, account: &Account, view: &ViewState) -> String {
    let who = match view.period() {
        Period::Run => "Warps",
        Period::Now => "Until now warps",
        Period::Last => "Lately warps",
        Period::Range => "In this range warps",
    };
    if account.resident == 0 {
        return "No warp is on the multiprocessor in these cycles.".to_owned();
    }
    let Some(state) = largest_wait(&account.states) else {
        return format!("{who} issue in each of their cycles.");
    };
    let cycles = account.states[state as usize];
    let part = percent(cycles, account.resident);
    let verbs = match state {
        WarpState::Wait => "wait for fixed latencies",
        _ => state_verbs(state).0,
    };
    let lines = account.by_line(frame);
    let top = (0..lines.len())
        .rev()
        .max_by_key(|line| lines[*line][state as usize]);
    let place = top.map_or_else(String::new, |line| {
        let at_line = lines[line][state as usize];
        let amount = if at_line == cycles {
            "all"
        } else if at_line * 2 > cycles {
            "most"
        } else {
            "a good part"
        };
        let name = if line == 0 {
            "in code without a line".to_owned()
        } else {
            format!("at {}", frame.line_text(line as u32))
        };
        // Small parts are not worth a word.
        if at_line * 4 < cycles {
            String::new()
        } else {
            format!(", {amount} {name}")
        }
    });
    format!("{who} {verbs} {part} of the time{place}.")
}

/// All warp cycles as one bar, a segment a mark; a click shows one mark alone.
fn draw_whole(
    sheet: &mut Sheet,
    (left, right): (f32, f32),
    (y, h): (f32, f32),
    states: &StateCycles,
    only: Option<Mark>,
) {
    let total: u64 = states[1..].iter().sum();
    let px = (right - left) / total.max(1) as f32;
    let mut at = left;
    for (mark, cycles) in by_mark(states) {
        let width = cycles as f32 * px;
        let (from, to) = (at.round(), (at + width).round());
        at += width;
        if to - from < 1.0 {
            continue;
        }
        segment(sheet, (from, y, to - from - 1.0, h), mark, only);
        sheet.area(from, y - 3.0, to - from, h + 6.0, Target::Mark(mark));
    }
    sheet.rect(left, y + h, right - left, 1.0, Role::Line2);
}

/// The marks that occur, with their names and shares; a click shows one alone. Gives the low end.
fn draw_key(
    sheet: &mut Sheet,
    (left, right): (f32, f32),
    y: f32,
    states: &StateCycles,
    only: Option<Mark>,
) -> f32 {
    let total: u64 = states[1..].iter().sum();
    let face = Face::text(TextSize::Label, Role::Ink2);
    let (mut x, mut y) = (left, y);
    for (mark, cycles) in by_mark(states) {
        if cycles == 0 {
            continue;
        }
        let text = format!("{} {}", mark.name(), percent(cycles, total));
        let chosen = only == Some(mark);
        let face = if chosen {
            face.strong().role(Role::Ink1)
        } else {
            face
        };
        let width = 18.0 + face.width(&text);
        if x + width > right {
            (x, y) = (left, y + 24.0);
        }
        sheet.tile(x, y - 6.0, 12.0, mark);
        sheet.text(&text, x + 18.0, y, face);
        if chosen {
            sheet.rect(x, y + 9.0, width, 2.0, Role::Ink1);
        }
        sheet.area(x - 4.0, y - 12.0, width + 8.0, 24.0, Target::Mark(mark));
        x += width + 18.0;
    }
    y + 12.0
}

/// Whether a state is not of the mark that is shown alone.
fn is_faded(state: WarpState, only: Option<Mark>) -> bool {
    only.is_some_and(|only| only != Mark::of(state))
}

/// A ground that answers to the pointer, and shows what is selected.
fn draw_ground(sheet: &mut Sheet, area: (f32, f32, f32, f32), selected: bool, target: Target) {
    let (x, y, w, h) = area;
    let (role, texture) = if selected {
        (Role::Paper3, Texture::Solid)
    } else {
        (Role::Paper1, Texture::Fade(0.0))
    };
    sheet.put(Shape::Rect { x, y, w, h }, role, texture, Some(target));
    if selected {
        sheet.rect(x, y, 2.0, h, Role::Ink1);
    }
}
