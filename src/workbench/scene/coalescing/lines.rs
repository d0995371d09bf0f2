//! The accessed lines on the lane grid, the links from the lanes to the first line, and the brackets that
//! name the lines of the other lanes.

use super::plan::{LINE_BYTES, Line, Plan, SECTOR_BYTES};
use super::wording::{Off, byte_labels, fetch_label};
use crate::scene::kit::{Face, Sheet};
use crate::scene::lanes::{Grid, LANES};
use crate::scene::{Role, Shape, Target, TextSize, Texture, ViewState};
use crate::words::{counted, thousands};

/// Maximum number of lines drawn at full height.
const ROOMY: usize = 4;
/// Minimum number of lines to draw.
const LEAST: usize = 6;
/// Bytes per column.
const WORD_BYTES: f32 = 4.0;

/// The height and the number of the drawn lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measures {
    cell: f32,
    pitch: f32,
    /// Whether labels are drawn under the fetches.
    labels: bool,
    shown: usize,
}

impl Measures {
    /// The measures for the given height in pixels.
    pub(super) fn new(grid: Grid, plan: &Plan, room: f32) -> Self {
        let num = plan.lines.len();
        let (cell, pitch) = if grid.phone { (24.0, 58.0) } else { (34.0, 60.0) };
        if num <= ROOMY || num as f32 * pitch <= room {
            // A low stage shrinks the cells first.
            let spare = (pitch - room / num.max(1) as f32).clamp(0.0, if grid.phone { 6.0 } else { 14.0 });
            return Self {
                cell: cell - spare,
                pitch: pitch - spare,
                labels: true,
                shown: num,
            };
        }
        let (cell, pitch) = if grid.phone { (12.0, 18.0) } else { (13.0, 19.0) };
        // If only a few lines would fit, the gaps shrink.
        let (cell, pitch) = if !grid.phone && room < LEAST as f32 * pitch {
            (11.0, 15.0)
        } else {
            (cell, pitch)
        };
        let fit = ((room - 18.0) / pitch).floor().max(0.0) as usize;
        Self {
            cell,
            pitch,
            labels: false,
            shown: if fit >= num { num } else { fit.max(LEAST).min(num) },
        }
    }
}

/// x of a byte in its line.
fn x_of(grid: Grid, byte: u32) -> f32 {
    grid.x + byte as f32 / WORD_BYTES * grid.lane
}

/// Draws the lines from `y` on, and returns the y below them. `name_of` names the first byte of a line.
pub(super) fn draw(
    sheet: &mut Sheet,
    name_of: &dyn Fn(u64) -> String,
    grid: Grid,
    plan: &Plan,
    view: &ViewState,
    measures: &Measures,
    y: f32,
) -> f32 {
    let shown = plan.lines.iter().take(measures.shown);
    let mut names: Vec<String> = shown.clone().map(|line| name_of(line.base)).collect();
    if !grid.phone {
        shorten(&mut names, grid.x - grid.margin - 6.0);
    }
    for (idx, line) in shown.enumerate() {
        let top = y + idx as f32 * measures.pitch;
        draw_name(sheet, &names[idx], grid, idx, measures, top);
        draw_fetches(sheet, grid, plan, line, measures, top);
        draw_used_bytes(sheet, grid, line, view, (top, measures.cell));
    }
    let mut low = y + measures.shown as f32 * measures.pitch;
    let rest = plan.lines.len() - measures.shown;
    if rest > 0 {
        let (mut moved, mut used) = (0, 0);
        for line in &plan.lines[measures.shown..] {
            for (_, fetch) in plan.fetches_of(line) {
                moved += fetch.moved;
                used += fetch.used;
            }
        }
        let text = format!(
            "and {} more: {} of {} bytes used",
            counted(rest as u64, "line"),
            thousands(used.into()),
            thousands(moved.into())
        );
        let face = Face::text(TextSize::Label, Role::Ink2);
        sheet.text(&text, grid.x, low + 7.0, face);
        low += 18.0;
    }
    low
}

fn draw_name(sheet: &mut Sheet, place: &str, grid: Grid, idx: usize, measures: &Measures, top: f32) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let label = Face::text(TextSize::Label, Role::Ink2);
    let middle = top + measures.cell / 2.0;
    match (grid.phone, measures.labels) {
        (true, true) => {
            let text = format!("line {idx}");
            sheet.text(&text, grid.x, top - 9.0, label);
            let at = grid.x + label.width(&text) + 8.0;
            sheet.text(place, at, top - 9.0, face);
        }
        (true, false) => {}
        (false, true) => {
            sheet.text(&format!("line {idx}"), grid.margin, middle - 7.0, label);
            sheet.text(place, grid.margin, middle + 8.0, face);
        }
        (false, false) => sheet.text(place, grid.margin, middle, face),
    }
}

/// Shortens the names of addresses to a width: if one is too long, all but the first become offsets.
fn shorten(names: &mut [String], room: f32) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    if names.iter().all(|name| face.width(name) <= room) {
        return;
    }
    let keep = ((room / face.width("0")) as usize).saturating_sub(1);
    for (idx, name) in names.iter_mut().enumerate() {
        if idx == 0 && face.width(name) <= room {
            continue;
        }
        if let Some((_, offset)) = name.rsplit_once('+') {
            *name = format!("+{offset}");
        }
        if face.width(name) > room {
            let skip = name.len().saturating_sub(keep);
            *name = format!("…{}", name.get(skip..).unwrap_or(name));
        }
    }
}

/// The fetched bytes of a line, hatched and underlined, and the other bytes, dotted.
fn draw_fetches(sheet: &mut Sheet, grid: Grid, plan: &Plan, line: &Line, measures: &Measures, top: f32) {
    let mut at = 0;
    let mut gaps = Vec::new();
    for (idx, fetch) in plan.fetches_of(line) {
        let from = (fetch.base - line.base) as u32;
        let to = from + fetch.span as u32;
        if from > at {
            gaps.push((at, from));
        }
        at = to;
        let (x, right) = (x_of(grid, from), x_of(grid, to) - 1.0);
        let target = Some(Target::Fetch(idx as u16));
        let area = Shape::Rect {
            x,
            y: top,
            w: right - x,
            h: measures.cell,
        };
        sheet.put(area, Role::Wasted, Texture::Hatch, target);
        let rule = if measures.labels { 2.0 } else { 1.5 };
        sheet.rect(x, top + measures.cell + 2.0, right - x - 2.0, rule, Role::Ink1);
        if measures.labels {
            let low = top + measures.cell + 11.0;
            let label = fetch_label(fetch);
            let figures = Face::mono(TextSize::Micro, Role::Ink1);
            let name_face = Face::text(TextSize::Micro, Role::Ink3);
            let name = match (fetch.times, fetch.span) {
                (1, SECTOR_BYTES) => format!("sector {}", u64::from(from) / SECTOR_BYTES),
                (1, LINE_BYTES) => "whole line".to_owned(),
                (1, span) => format!("segment of {span} B"),
                (times, _) => format!("× {times}"),
            };
            // The label ends before the next name begins.
            let width = right - x - 8.0;
            sheet.text(&figures.fit(&label, width), right - 8.0, low, figures.right());
            if name_face.width(&name) + figures.width(&label) + 8.0 < width {
                sheet.text(&name, x, low, name_face);
            }
        }
    }
    if u64::from(at) < LINE_BYTES {
        gaps.push((at, LINE_BYTES as u32));
    }
    for (from, to) in gaps {
        let mut start = from;
        while start < to {
            // One box per sector if text fits.
            let end = if measures.labels {
                (start / 32 * 32 + 32).min(to)
            } else {
                to
            };
            let (x, w) = (x_of(grid, start), x_of(grid, end) - 1.0 - x_of(grid, start));
            sheet.fill(x, top, w, measures.cell, Role::Line2, Texture::Dotted);
            let face = Face::text(TextSize::Label, Role::Ink3).center();
            let text = byte_labels(plan.request.kind)[2];
            if measures.labels && !grid.phone && face.width(text) + 8.0 < w {
                sheet.text(text, x + w / 2.0, top + measures.cell / 2.0, face);
            }
            start = end;
        }
    }
}

/// Used bytes, in green, with the lanes that use them.
fn draw_used_bytes(sheet: &mut Sheet, grid: Grid, line: &Line, view: &ViewState, (top, height): (f32, f32)) {
    for run in &line.runs {
        let (x, right) = (x_of(grid, run.from), x_of(grid, run.to) - 1.0);
        let lanes = run.lanes.count();
        let Some(first) = run.lanes.lanes().next() else {
            continue;
        };
        let shape = Shape::Rect {
            x,
            y: top,
            w: (right - x).max(1.0),
            h: height,
        };
        sheet.rect(x - 1.0, top, right - x + 2.0, height, Role::Paper1);
        sheet.put(shape, Role::Used, Texture::Solid, Some(Target::Lane(first as u8)));
        let text = match lanes {
            1 => first.to_string(),
            LANES => "all".to_owned(),
            num => format!("×{num}"),
        };
        let face = Face::mono(TextSize::Micro, Role::OnIssue).strong().center();
        // Either all words of the view have lane numbers, or none has.
        if face.width("00").max(face.width(&text)) <= right - x - 1.0 && height >= 10.0 {
            sheet.text(&text, f32::midpoint(x, right), top + height / 2.0, face);
        }
    }
    if let Some(lane) = view.lane
        && let Some(run) = line.runs.iter().find(|run| run.lanes.contains(lane.into()))
    {
        let (x, right) = (x_of(grid, run.from), x_of(grid, run.to) - 1.0);
        sheet.selection(x - 2.0, top - 2.0, right - x + 4.0, height + 4.0);
    }
}

/// Curves from the lanes that use the first line to their bytes.
pub(super) fn links(
    sheet: &mut Sheet,
    grid: Grid,
    plan: &Plan,
    measures: &Measures,
    (from_y, to_y): (f32, f32),
) {
    let Some(line) = plan.lines.first() else {
        return;
    };
    let to_y = to_y - if grid.phone && measures.labels { 18.0 } else { 2.0 };
    for lane in line.lanes.lanes() {
        let (start, end) = plan.request.bytes_of(lane);
        let (from, to) = (start.max(line.base) - line.base, end - line.base);
        let xa = grid.middle(lane);
        let xb = f32::midpoint(x_of(grid, from as u32), x_of(grid, to as u32)) - 0.5;
        let reach = (to_y - from_y) * 0.6;
        let shape = Shape::Curve {
            from: (xa, from_y + 3.0),
            c1: (xa, from_y + reach),
            c2: (xb, to_y - reach),
            to: (xb, to_y),
            width: 1.25,
        };
        sheet.put(shape, Role::Used, Texture::Fade(0.9), None);
    }
}

/// The goal of a lane without a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Linked,
    Lines(usize, usize),
    Off(Off),
}

/// Brackets under the lanes without a link: the lines that they access, or why they are off.
pub(super) fn brackets(sheet: &mut Sheet, off: &[(u32, Off)], grid: Grid, plan: &Plan, y: f32) {
    let goal = |lane: u32| match plan.line_of(lane) {
        Some(0) => Goal::Linked,
        Some(line) => Goal::Lines(line, line),
        None => Goal::Off(
            off.iter()
                .find(|(other, _)| *other == lane)
                .map_or(Off::Elsewhere, |(_, off)| *off),
        ),
    };
    let mut groups: Vec<(u32, u32, Goal)> = Vec::new();
    for lane in 0..LANES {
        let goal = goal(lane);
        match groups.last_mut() {
            Some((_, last, of)) if *of == goal => *last = lane,
            _ => groups.push((lane, lane, goal)),
        }
    }
    let face = Face::text(TextSize::Label, Role::Ink2);
    let room = |first: u32, last: u32| (last + 1 - first) as f32 * grid.lane - 15.0;
    // Adjacent brackets merge if a line's own bracket is too narrow for its name.
    let narrow = groups.iter().any(|(first, last, goal)| {
        matches!(goal, Goal::Lines(..)) && room(*first, *last) < face.width("to line 1")
    });
    if narrow {
        let mut merged: Vec<(u32, u32, Goal)> = Vec::new();
        for (first, last, goal) in groups {
            match (merged.last_mut(), goal) {
                (Some((_, end, Goal::Lines(low, high))), Goal::Lines(from, to)) => {
                    *end = last;
                    (*low, *high) = ((*low).min(from), (*high).max(to));
                }
                _ => merged.push((first, last, goal)),
            }
        }
        groups = merged;
    }
    for (first, last, goal) in groups {
        match goal {
            Goal::Linked => {}
            Goal::Lines(low, high) if low == high => {
                let texts = [format!("to line {low}"), low.to_string()];
                grid.bracket(sheet, (first, last), y, &[&texts[0], &texts[1]]);
            }
            Goal::Lines(low, high) => {
                let texts = [format!("to lines {low} to {high}"), format!("{low}–{high}")];
                grid.bracket(sheet, (first, last), y, &[&texts[0], &texts[1]]);
            }
            Goal::Off(why) => grid.bracket(sheet, (first, last), y, &why.texts()),
        }
    }
}
