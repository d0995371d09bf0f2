//! The Stalls view: warp cycles by reason, by warp, by line, or by instruction.

mod account;
mod bars;
mod inspect;
mod reasons;
#[cfg(test)]
mod tests;
mod wording;

pub use inspect::inspect_stalls;
pub(super) use reasons::wrap;

use super::kit::{Face, Sheet};
use super::source::columns::{by_mark, segment};
use super::{Breakdown, Mark, Period, Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::{fit_headline, percent};
use account::Account;
use engine::sim::WarpState;
use engine::trace::{Frame, StateCycles};

/// A cause of stalls: a finding of the whole run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StallCause {
    /// What it costs, and where, as a sentence without a full stop.
    pub text: String,
    /// Its warp cycles.
    pub cycles: u64,
    /// The finding, by its index.
    pub finding: usize,
    /// Whether it is a cause in the kernel, such as bank conflicts, rather than a latency.
    pub is_named: bool,
}

/// Draws the view without causes.
pub fn stalls(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    stalls_with_causes(frame, view, size, &[])
}

/// Draws the view. The headline names the first cause in the kernel if the view covers the whole run.
pub fn stalls_with_causes(frame: &Frame, view: &ViewState, size: Size, causes: &[StallCause]) -> Scene {
    let account = Account::of(frame, view);
    let causes = if view.period() == Period::Run { causes } else { &[] };
    let named = causes.first().filter(|cause| cause.is_named);
    let text = named.map_or_else(
        || wording::headline(frame, &account, view),
        |cause| format!("{}.", cause.text),
    );
    let text = fit_headline(text);
    match view.settings.breakdown {
        Breakdown::Reason => reasons::draw(frame, view, size, &account, text, causes),
        by => bars::draw(frame, view, size, &account, by, text),
    }
}

/// Left and right edge of the view.
fn edges(size: Size) -> (f32, f32) {
    let margin = if size.width < 520.0 { 12.0 } else { 20.0 };
    (margin, size.width - margin)
}

/// Draws all warp cycles as one bar, with one segment per mark. A click filters by a mark.
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

/// Draws the marks that occur, with their names and shares, and returns the y below. A click filters by a mark.
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

/// Whether a state does not match the filter.
fn is_faded(state: WarpState, only: Option<Mark>) -> bool {
    only.is_some_and(|only| only != Mark::of(state))
}

/// Draws the hit area of a row, and its selection.
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
