//! The Findings view: what limits the run, and what each proposed change gains.

mod rows;
mod wording;

pub use wording::{finding_tooltip, inspect_findings};

use super::kit::{Face, Sheet};
use super::source::columns::segment;
use super::{Role, Scene, Shape, Size, Target, TextSize, Texture};
use crate::advice::{Advice, MeasuredChange};
use crate::words::{fit_headline, percent, thousands};
use wording::{headline, more_tables, text_twin};

const MARGIN: f32 = 20.0;
/// Below this width, the measured gain is below the text.
const NARROW: f32 = 640.0;
const BAR: f32 = 22.0;
const DISK: f32 = 9.0;
/// Height of a finding of one line.
const LOW_ROW: f32 = 32.0;
/// Height of the line that counts what has no room.
const FOOT: f32 = 30.0;

/// What the view shows.
#[derive(Clone, Copy, Debug)]
pub struct FindingsData<'a> {
    /// The findings.
    pub advice: &'a Advice,
    /// The runs of the changes; empty until they are requested.
    pub runs: &'a [MeasuredChange],
    /// The selected finding.
    pub chosen: Option<usize>,
    /// What the run's machine lacks; empty for a real machine.
    pub hypothetical: &'a str,
    /// Names of lines, `line 26`.
    pub line_text: &'a dyn LineText,
    /// Whether the picture has to fit its height.
    pub is_whole: bool,
}

/// Names lines of the source.
pub trait LineText: std::fmt::Debug {
    /// `line 26`, or `line 3 of a.cuh`.
    fn line_text(&self, line: u32) -> String;
}

impl LineText for engine::isa::Program {
    fn line_text(&self, line: u32) -> String {
        Self::line_text(self, line)
    }
}

/// Draws the view.
pub fn findings(data: &FindingsData, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let left = if size.width < NARROW { 12.0 } else { MARGIN };
    let edges = (left, size.width - left);
    let mut y = draw_whole(&mut sheet, data, edges);
    if data.is_whole {
        y = draw_first(&mut sheet, data, edges, (y, size.height));
    } else {
        for idx in 0..data.advice.shown().len() {
            y = rows::draw(&mut sheet, data, idx, edges, y);
        }
        y = draw_tried(&mut sheet, data, edges, y);
        y = draw_checked(&mut sheet, data, edges, y);
    }
    let size = Size {
        width: size.width,
        height: size.height.max(y + 8.0),
    };
    let scene = sheet.finish(size, fit_headline(headline(data)), text_twin(data));
    Scene {
        note: data.hypothetical.to_owned(),
        also: more_tables(data),
        ..scene
    }
}

/// Draws the findings that fit, at least one, and counts the rest. Returns the y below.
fn draw_first(
    sheet: &mut Sheet,
    data: &FindingsData,
    (left, right): (f32, f32),
    (y, height): (f32, f32),
) -> f32 {
    let shown = data.advice.shown().len();
    let (mut y, mut drawn) = (y, 0);
    for idx in 0..shown {
        let mut row = Sheet::default();
        let end = rows::draw(&mut row, data, idx, (left, right), y);
        if idx > 0 && end + FOOT > height {
            break;
        }
        sheet.items.append(&mut row.items);
        (y, drawn) = (end, idx + 1);
    }
    while drawn < shown && y + LOW_ROW + FOOT <= height {
        rows::draw_low(sheet, data, drawn, (left, right), y);
        (y, drawn) = (y + LOW_ROW, drawn + 1);
    }
    let face = Face::text(TextSize::Label, Role::Ink3);
    let text = wording::rest_text(
        shown - drawn,
        data.advice.tried().len(),
        data.advice.checked.len(),
    );
    sheet.line((left, y), (right, y), 1.0, Role::Line1);
    paragraph(sheet, &text, (left, y + 4.0), right - left, face)
}

/// Draws a text wrapped to a width, and returns the y below.
fn paragraph(sheet: &mut Sheet, text: &str, (x, y): (f32, f32), width: f32, face: Face) -> f32 {
    let line = face.size.px() * 1.45;
    // A number and its percent sign stay on one line.
    let text = text.replace(" %", "\u{a0}%");
    let lines = super::stalls::wrap(face, &text, width);
    for (idx, text) in lines.iter().enumerate() {
        sheet.text(text, x, y + (idx as f32 + 0.5) * line, face);
    }
    y + lines.len() as f32 * line
}

/// A numbered disk: filled on the bar, an outline in the list.
fn disk(sheet: &mut Sheet, (x, y): (f32, f32), number: usize, filled: bool) {
    let points: Vec<(f32, f32)> = (0..=24_u8)
        .map(|step| {
            let angle = f32::from(step) * std::f32::consts::TAU / 24.0;
            let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
            (x + DISK * cos, y + DISK * sin)
        })
        .collect();
    let face = Face::text(TextSize::Label, Role::Ink1).strong().center();
    if filled {
        sheet.polygon(&points, Role::Now);
        sheet.polyline(&points, 1.0, Role::Paper1);
        sheet.text(&number.to_string(), x, y, face.role(Role::InkInverse));
    } else {
        sheet.polyline(&points, 1.5, Role::Ink1);
        sheet.text(&number.to_string(), x, y, face);
    }
}

/// Draws the run as one bar to scale, and returns the y below.
fn draw_whole(sheet: &mut Sheet, data: &FindingsData, (left, right): (f32, f32)) -> f32 {
    let advice = data.advice;
    let width = right - left;
    let small = Face::text(TextSize::Label, Role::Ink3);
    let total = format!("{} warp cycles", thousands(advice.warp_cycles));
    sheet.text("Stalled warp cycles by finding", left, 14.0, small);
    if width > 330.0 {
        sheet.text(&total, right, 14.0, small.right());
    }
    let y = 28.0;
    sheet.rect(left, y, width, BAR, Role::Paper4);
    let number = Face::mono(TextSize::Label, Role::Ink1).strong();
    let mut x = left;
    let mut free = left;
    for (idx, finding) in advice.shown().iter().enumerate() {
        let w = width * finding.cycles as f32 / advice.warp_cycles.max(1) as f32;
        let shown = (w - 1.0).max(1.0);
        sheet.rect(x, y, shown, BAR, Role::Paper1);
        segment(sheet, (x, y, shown, BAR), finding.rule.mark(), None);
        sheet.area(x, y, shown, BAR, Target::OpenFinding(idx as u8));
        if w >= 2.0 * DISK + 4.0 {
            disk(sheet, (x + DISK + 2.0, y + BAR / 2.0), idx + 1, true);
        }
        let text = percent(finding.cycles, advice.warp_cycles);
        let own = number.width(&text);
        if x >= free && x + own <= right {
            sheet.text(&text, x, y + BAR + 12.0, number);
            free = x + own + 8.0;
        }
        x += w;
    }
    let claimed: u64 = advice.shown().iter().map(|finding| finding.cycles).sum();
    let rest = format!(
        "{} no finding",
        percent(advice.warp_cycles.saturating_sub(claimed), advice.warp_cycles)
    );
    if x.max(free) + small.width(&rest) <= right {
        sheet.text(&rest, x.max(free), y + BAR + 12.0, small);
    }
    y + BAR + 34.0
}

/// Draws the findings that were tried and gain nothing, one line each with its best run, and returns the y below. A click
/// selects a finding.
fn draw_tried(sheet: &mut Sheet, data: &FindingsData, (left, right): (f32, f32), y: f32) -> f32 {
    let tried = data.advice.tried();
    if tried.is_empty() || data.runs.iter().any(MeasuredChange::is_open) {
        return y;
    }
    let small = Face::text(TextSize::Label, Role::Ink3);
    let body = Face::text(TextSize::Label, Role::Ink2);
    sheet.line((left, y), (right, y), 1.0, Role::Line1);
    sheet.text("Tried, gains nothing", left, y + 16.0, small);
    let mut y = y + 28.0;
    for (idx, finding) in tried.iter().enumerate() {
        let idx = idx + data.advice.shown().len();
        let text = format!("{}. {}", finding.title, wording::tried_text(data, idx));
        let from = y;
        y = paragraph(sheet, &text, (left, y), (right - left).min(760.0), body) + 2.0;
        sheet.area(left, from, right - left, y - from, Target::Finding(idx as u8));
    }
    y + 10.0
}

/// Draws what bounds the run and what was checked without a finding, and returns the y below.
fn draw_checked(sheet: &mut Sheet, data: &FindingsData, (left, right): (f32, f32), y: f32) -> f32 {
    let body = Face::text(TextSize::Body, Role::Ink1);
    let small = Face::text(TextSize::Label, Role::Ink3);
    sheet.line((left, y), (right, y), 1.0, Role::Line1);
    let mut y = paragraph(
        sheet,
        &data.advice.bound,
        (left, y + 12.0),
        (right - left).min(640.0),
        body,
    ) + 12.0;
    if !data.advice.checked.is_empty() {
        sheet.text("Checked, no finding", left, y + 8.0, small);
        y += 22.0;
        for text in &data.advice.checked {
            let tick = [
                (left + 1.0, y + 9.0),
                (left + 5.0, y + 13.0),
                (left + 12.0, y + 4.0),
            ];
            sheet.polyline(&tick, 1.5, Role::Ink1);
            y = paragraph(sheet, text, (left + 20.0, y), right - left - 20.0, body) + 2.0;
        }
        y += 8.0;
    }
    let note =
        "Gains are cycles of this model, measured by running each change. They overlap and do not add up.";
    paragraph(sheet, note, (left, y), right - left, small) + 8.0
}

/// A button: a label in a frame, or on ink. Returns its width.
fn button(sheet: &mut Sheet, (x, y): (f32, f32), label: &str, target: Target, solid: bool) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink1).strong();
    let width = face.width(label) + 20.0;
    if solid {
        sheet.rect(x, y, width, BUTTON, Role::Now);
    } else {
        sheet.put(
            Shape::Rect {
                x: x + 0.5,
                y: y + 0.5,
                w: width - 1.0,
                h: BUTTON - 1.0,
            },
            Role::Edge,
            Texture::Outline(1.0),
            None,
        );
    }
    let role = if solid { Role::InkInverse } else { Role::Ink1 };
    sheet.text(label, x + width / 2.0, y + BUTTON / 2.0, face.center().role(role));
    sheet.area(x, y, width, BUTTON, target);
    width
}

/// Height of a button.
const BUTTON: f32 = 28.0;
