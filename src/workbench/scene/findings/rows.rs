//! A finding in the list: text, measured gain, and buttons.

use super::wording::state_text;
use super::{BUTTON, FindingsData, LOW_ROW, NARROW, button, disk, paragraph};
use crate::advice::{ChangeState, Means, MeasuredChange, best, gain, gain_text, is_gain, times_text};
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Role, Target, TextSize};
use crate::words::thousands;

/// Width of the column with the measured gain.
const GAIN: f32 = 218.0;
const GAP: f32 = 24.0;

/// Draws a finding, and returns the y below.
pub(super) fn draw(
    sheet: &mut Sheet,
    data: &FindingsData,
    idx: usize,
    (left, right): (f32, f32),
    y: f32,
) -> f32 {
    sheet.line((left, y), (right, y), 1.0, Role::Line1);
    let beside = right - left + 40.0 >= NARROW;
    let x = left + 38.0;
    let text_right = if beside { right - GAIN - GAP } else { right };
    let top = y + 14.0;
    disk(sheet, (left + 10.0, top + 11.0), idx + 1, false);
    let text_end = draw_text(sheet, data, idx, (x, top), text_right - x);
    let gain_at = if beside {
        (right - GAIN, top)
    } else {
        (x, text_end + 6.0)
    };
    let width = if beside { GAIN } else { right - x };
    let gain_end = draw_gain(sheet, data, idx, gain_at, width);
    let end = text_end.max(gain_end) + 14.0;
    // Buttons above the area take their own clicks.
    let area = (
        left - 4.0,
        y + 2.0,
        text_right.min(right) - left + 8.0,
        text_end - y,
    );
    sheet.items.insert(
        0,
        crate::scene::Item {
            shape: crate::scene::Shape::Rect {
                x: area.0,
                y: area.1,
                w: area.2,
                h: area.3,
            },
            role: Role::Paper1,
            texture: crate::scene::Texture::Fade(0.0),
            target: Some(Target::Finding(idx as u8)),
        },
    );
    if data.chosen == Some(idx) {
        sheet.rect(left - 8.0, y + 8.0, 3.0, end - y - 16.0, Role::Selection);
    }
    end
}

/// Draws a finding as one line: its title and its gain.
pub(super) fn draw_low(
    sheet: &mut Sheet,
    data: &FindingsData,
    idx: usize,
    (left, right): (f32, f32),
    y: f32,
) {
    sheet.line((left, y), (right, y), 1.0, Role::Line1);
    let middle = y + LOW_ROW / 2.0;
    disk(sheet, (left + 10.0, middle), idx + 1, false);
    let title = Face::text(TextSize::Body, Role::Ink1).strong();
    let before = data.advice.cycles;
    let gain = gain(data.advice, data.runs, idx).filter(|gain| is_gain(before, gain.cycles));
    let text = gain.map_or_else(String::new, |gain| {
        format!("{} times faster", times_text(before, gain.cycles))
    });
    let gain_x = right - GAIN;
    sheet.text(
        &title.fit(&data.advice.findings[idx].title, gain_x - left - 50.0),
        left + 38.0,
        middle,
        title,
    );
    sheet.text(&text, gain_x, middle, Face::text(TextSize::Body, Role::Ink1));
    sheet.area(left, y, right - left, LOW_ROW, Target::Finding(idx as u8));
}

/// Draws title, reason, advice, and the other changes; returns the y below.
fn draw_text(sheet: &mut Sheet, data: &FindingsData, idx: usize, (x, y): (f32, f32), width: f32) -> f32 {
    let finding = &data.advice.findings[idx];
    let title = Face::text(TextSize::Read, Role::Ink1).strong();
    let body = Face::text(TextSize::Body, Role::Ink2);
    let mut y = paragraph(sheet, &finding.title, (x, y), width, title) + 4.0;
    y = paragraph(sheet, &finding.reason, (x, y), width, body) + 2.0;
    let shown = best(data.runs, idx, data.advice.cycles);
    let runs = data.runs.iter().enumerate().filter(|(_, run)| run.finding == idx);
    let helps = shown.is_some_and(|run| {
        let run = &data.runs[run];
        !run.change.is_hypothetical
            && run
                .result()
                .is_some_and(|done| is_gain(data.advice.cycles, done.cycles))
    });
    if !helps {
        y = paragraph(sheet, &finding.advice, (x, y), width, body.role(Role::Ink1)) + 2.0;
    }
    if let Some(run) = shown {
        y = draw_change(sheet, &data.runs[run], (x, y + 4.0), width);
    }
    for (run_idx, run) in runs {
        if Some(run_idx) == shown {
            continue;
        }
        let small = Face::text(TextSize::Label, Role::Ink3);
        let kind = if run.change.is_hypothetical {
            ""
        } else {
            &run.change.text
        };
        let text = if kind.is_empty() {
            format!("{} {}", run.change.text, gain_text(data.advice.cycles, run))
        } else {
            format!("{kind} {}", gain_text(data.advice.cycles, run))
        };
        let from = y + 2.0;
        y = paragraph(sheet, &text, (x, from), width, small);
        if run
            .result()
            .is_some_and(|done| is_gain(data.advice.cycles, done.cycles))
        {
            sheet.area(x, from, width, y - from, Target::ApplyChange(run_idx as u8));
        }
    }
    y
}

/// Draws the text of a change and its code on a ground; returns the y below.
fn draw_change(sheet: &mut Sheet, run: &MeasuredChange, (x, y): (f32, f32), width: f32) -> f32 {
    let body = Face::text(TextSize::Body, Role::Ink1);
    let y = paragraph(sheet, &run.change.text, (x, y), width, body) + 4.0;
    if run.change.is_hypothetical {
        return y;
    }
    let code = Face::mono(TextSize::Label, Role::Ink1).strong();
    let text = code.fit(&run.change.code, width - 16.0);
    sheet.rect(x, y, code.width(&text) + 16.0, 22.0, Role::Paper3);
    sheet.text(&text, x + 8.0, y + 11.0, code);
    y + 26.0
}

/// Draws the measured gain, two bars, and the buttons; returns the y below.
fn draw_gain(sheet: &mut Sheet, data: &FindingsData, idx: usize, (x, y): (f32, f32), width: f32) -> f32 {
    let finding = &data.advice.findings[idx];
    let before = data.advice.cycles;
    let small = Face::text(TextSize::Label, Role::Ink3);
    let shown = best(data.runs, idx, before);
    let known = gain(data.advice, data.runs, idx);
    let estimated = known.filter(|gain| gain.means == Means::Estimate);
    let mut y = y;
    if let Some(estimated) = estimated {
        y = draw_cycles(sheet, (before, estimated.cycles), Means::Estimate, (x, y), width);
    } else if let Some((run_idx, run)) = shown.map(|idx| (idx, &data.runs[idx])) {
        let after = run.result().map_or(before, |done| done.cycles);
        let means = if run.change.is_hypothetical {
            Means::Machine
        } else {
            Means::Change
        };
        y = draw_cycles(sheet, (before, after), means, (x, y), width);
        // A change that is slower is not offered.
        if is_gain(before, after) {
            button(
                sheet,
                (x, y),
                "Apply as a new pane",
                Target::ApplyChange(run_idx as u8),
                true,
            );
            y += BUTTON + 8.0;
        }
    } else {
        let open = data.runs.iter().find(|run| run.finding == idx && run.is_open());
        let text = match open.map(|run| &run.state) {
            Some(ChangeState::Runs { .. } | ChangeState::Waits) => open.map_or_else(String::new, state_text),
            _ if finding.changes.is_empty() => "No change to measure".to_owned(),
            _ => "No change keeps the outputs".to_owned(),
        };
        sheet.text(&small.fit(&text, width), x, y + 10.0, small);
        y += 26.0;
    }
    let own = button(sheet, (x, y), "Show", Target::ShowFinding(idx as u8), false);
    if let Some(line) = finding.line() {
        let label = crate::words::capital(&data.line_text.line_text(line));
        button(sheet, (x + own + 8.0, y), &label, Target::Line(line), false);
    }
    y + BUTTON
}

/// Draws a gain with its two bars, and returns the y below.
fn draw_cycles(
    sheet: &mut Sheet,
    (before, after): (u64, u64),
    means: Means,
    (x, y): (f32, f32),
    width: f32,
) -> f32 {
    let figure = Face::mono(TextSize::Figure, Role::Ink1).strong();
    if is_gain(before, after) {
        let text = times_text(before, after);
        sheet.text(&text, x, y + 12.0, figure);
        let word = Face::text(TextSize::Body, Role::Ink2);
        sheet.text("times faster", x + figure.width(&text) + 8.0, y + 14.0, word);
    } else {
        let word = Face::text(TextSize::Read, Role::Ink1).strong();
        sheet.text("Does not help", x, y + 12.0, word);
    }
    let y = y + 30.0;
    let longest = before.max(after).max(1) as f32;
    sheet.rect(x, y, width * before as f32 / longest, 10.0, Role::Line2);
    sheet.rect(x, y + 14.0, width * after as f32 / longest, 10.0, Role::Ink1);
    let y = y + 32.0;
    let mono = Face::mono(TextSize::Label, Role::Ink2);
    let text = format!("{} cycles, {}", thousands(after), means.word());
    sheet.text(&text, x, y + 6.0, mono);
    y + 22.0
}
