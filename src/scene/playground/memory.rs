//! Global memory: the lanes, the lines that they touch, what of these is moved and what of that is
//! used; and the axis of bytes on which the architectures' transactions are compared.

use super::Study;
use crate::access::{GlobalAccess, Transaction};
use crate::ids::LaneMask;
use crate::playground::{Cost, Lanes};
use crate::scene::kit::{Face, Sheet};
use crate::scene::words::{counted, thousands};
use crate::scene::{Role, Shape, Target, TextSize, Texture, ViewState};

const LANES: u32 = 32;
const LINE_BYTES: u64 = 128;
/// Lines that are drawn at most.
const MOST_LINES: usize = 6;

/// Bytes side by side that the same lanes use, from the start of their line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    from: u32,
    to: u32,
    lanes: LaneMask,
}

/// The used bytes of a line, in order.
fn runs(lanes: &Lanes, size: u64, base: u64) -> Vec<Run> {
    let mut users = [0_u32; LINE_BYTES as usize];
    for lane in lanes.mask.lanes() {
        let start = lanes.addresses[lane as usize];
        if start / LINE_BYTES * LINE_BYTES == base {
            for byte in start - base..(start - base + size).min(LINE_BYTES) {
                users[byte as usize] |= 1 << lane;
            }
        }
    }
    let mut runs: Vec<Run> = Vec::new();
    for (at, lanes) in users.into_iter().enumerate() {
        let at = at as u32;
        match runs.last_mut() {
            Some(run) if run.to == at && run.lanes.0 == lanes => run.to = at + 1,
            _ if lanes != 0 => runs.push(Run {
                from: at,
                to: at + 1,
                lanes: LaneMask(lanes),
            }),
            _ => {}
        }
    }
    runs
}

/// The lane grid of this picture.
#[derive(Clone, Copy)]
struct Grid {
    phone: bool,
    margin: f32,
    x: f32,
    lane: f32,
}

impl Grid {
    fn new(width: f32) -> Self {
        let phone = width < 520.0;
        let margin = if phone { 12.0 } else { 20.0 };
        let x = margin + if phone { 0.0 } else { 64.0 };
        let right = if phone { margin } else { margin + 24.0 };
        Self {
            phone,
            margin,
            x,
            lane: (width - x - right) / LANES as f32,
        }
    }

    /// x of a byte of a line: a column is a word.
    fn byte(&self, byte: u32) -> f32 {
        self.x + byte as f32 / 4.0 * self.lane
    }

    fn middle(&self, lane: u32) -> f32 {
        self.x + (lane as f32 + 0.5) * self.lane - 0.5
    }
}

/// Draws the access on the chosen architecture from `y` on; gives the y below.
pub(super) fn draw(
    sheet: &mut Sheet,
    study: &Study,
    view: &ViewState,
    width: f32,
    (y, room): (f32, f32),
) -> f32 {
    let Cost::Global { access, .. } = &study.chosen.cost else {
        return y;
    };
    let grid = Grid::new(width);
    let (lanes, size) = (&study.chosen.lanes, u64::from(study.playground.elem));
    let top = y + if grid.phone { 26.0 } else { 4.0 };
    let lane_height = if grid.phone { 16.0 } else { 22.0 };
    draw_lanes(sheet, grid, lanes, view, (top, lane_height));
    let low = top + lane_height;
    let num = access.lines.len();
    let first = low + if grid.phone { 50.0 } else { 56.0 };
    let pitch = if num <= 3 { 48.0 } else { 30.0 };
    let fit = ((y + room - first) / pitch).floor().max(2.0) as usize;
    let shown = if num <= fit { num } else { fit.min(MOST_LINES) };
    links(sheet, grid, lanes, size, access, (low, first));
    for (idx, base) in access.lines.iter().take(shown).enumerate() {
        let at = first + idx as f32 * pitch;
        draw_line(sheet, grid, study, access, *base, (at, pitch), idx);
    }
    let bottom = first + shown as f32 * pitch;
    let hidden = (num - shown) as u64;
    if hidden == 0 {
        return bottom;
    }
    let face = Face::text(TextSize::Label, Role::Ink2);
    sheet.text(
        &format!("and {} more", counted(hidden, "line")),
        grid.x,
        bottom + 6.0,
        face,
    );
    bottom + 18.0
}

fn draw_lanes(sheet: &mut Sheet, grid: Grid, lanes: &Lanes, view: &ViewState, (y, h): (f32, f32)) {
    let label = Face::mono(TextSize::Micro, Role::Ink3);
    if grid.phone {
        sheet.text("lane 0", grid.x, y - 12.0, label);
        for lane in [8, 16, 24, 31] {
            sheet.text(&lane.to_string(), grid.middle(lane), y - 12.0, label.centre());
        }
    } else {
        let face = Face::text(TextSize::Label, Role::Ink3);
        sheet.text("Lane", grid.margin, y + h / 2.0, face);
    }
    for lane in 0..LANES {
        let (x, w) = (grid.x + lane as f32 * grid.lane, grid.lane - 1.0);
        let (role, texture, ink) = if lanes.mask.contains(lane) {
            (Role::Used, Texture::Solid, Role::OnIssue)
        } else {
            (Role::Line2, Texture::Dotted, Role::Ink3)
        };
        let target = Some(Target::Lane(lane as u8));
        sheet.put(Shape::Rect { x, y, w, h }, role, texture, target);
        if !grid.phone {
            let face = Face::mono(TextSize::Micro, ink).centre();
            sheet.text(&lane.to_string(), grid.middle(lane), y + h / 2.0, face);
        }
        if view.lane == Some(lane as u8) {
            sheet.selection(x - 2.0, y - 2.0, w + 4.0, h + 4.0);
        }
    }
}

/// Curves from the lanes to the first line.
fn links(
    sheet: &mut Sheet,
    grid: Grid,
    lanes: &Lanes,
    size: u64,
    access: &GlobalAccess,
    (from_y, to_y): (f32, f32),
) {
    let Some(base) = access.lines.first() else {
        return;
    };
    for lane in lanes.mask.lanes() {
        let start = lanes.addresses[lane as usize];
        if start / LINE_BYTES * LINE_BYTES != *base {
            continue;
        }
        let middle = (start - base) as f32 + size as f32 / 2.0;
        let (xa, xb) = (grid.middle(lane), grid.x + middle / 4.0 * grid.lane - 0.5);
        let reach = (to_y - from_y) * 0.6;
        let shape = Shape::Curve {
            from: (xa, from_y + 3.0),
            c1: (xa, from_y + reach),
            c2: (xb, to_y - reach),
            to: (xb, to_y - 3.0),
            width: 1.25,
        };
        sheet.put(shape, Role::Used, Texture::Fade(0.9), None);
    }
}

fn draw_line(
    sheet: &mut Sheet,
    grid: Grid,
    study: &Study,
    access: &GlobalAccess,
    base: u64,
    (y, pitch): (f32, f32),
    idx: usize,
) {
    let roomy = pitch > 40.0;
    let height = if roomy { 24.0 } else { 18.0 };
    if !grid.phone {
        let face = Face::mono(TextSize::Micro, Role::Ink3);
        sheet.text(&format!("+0x{base:04x}"), grid.margin, y + height / 2.0, face);
    }
    sheet.fill(
        grid.x,
        y,
        grid.lane * 32.0 - 1.0,
        height,
        Role::Line2,
        Texture::Dotted,
    );
    for transaction in &access.transactions {
        if transaction.base / LINE_BYTES * LINE_BYTES != base {
            continue;
        }
        let from = (transaction.base - base) as u32;
        let (x, right) = (
            grid.byte(from),
            grid.byte(from + u32::from(transaction.bytes)) - 1.0,
        );
        sheet.rect(x, y, right - x, height, Role::Paper1);
        sheet.fill(x, y, right - x, height, Role::Wasted, Texture::Hatch);
        sheet.rect(x, y + height + 2.0, right - x - 1.0, 1.5, Role::Ink1);
        if roomy {
            let face = Face::mono(TextSize::Micro, Role::Ink2).right();
            let text = format!("{} of {} B", transaction.used_bytes, transaction.bytes);
            if access
                .transactions
                .iter()
                .filter(|other| overlap(other, transaction))
                .count()
                == 1
            {
                sheet.text(
                    &face.fit(&text, right - x - 2.0),
                    right - 1.0,
                    y + height + 12.0,
                    face,
                );
            }
        }
    }
    for run in runs(&study.chosen.lanes, u64::from(study.playground.elem), base) {
        let (x, right) = (grid.byte(run.from), grid.byte(run.to) - 1.0);
        sheet.rect(x - 1.0, y, right - x + 2.0, height, Role::Paper1);
        let target = run.lanes.lanes().next().map(|lane| Target::Lane(lane as u8));
        let shape = Shape::Rect {
            x,
            y,
            w: (right - x).max(1.0),
            h: height,
        };
        sheet.put(shape, Role::Used, Texture::Solid, target);
        let text = match (run.lanes.count(), run.lanes.lanes().next()) {
            (1, Some(lane)) => lane.to_string(),
            (LANES, _) => "all".to_owned(),
            (num, _) => format!("×{num}"),
        };
        let face = Face::mono(TextSize::Micro, Role::OnIssue).strong().centre();
        if face.width(&text) <= right - x - 1.0 {
            sheet.text(&text, f32::midpoint(x, right), y + height / 2.0, face);
        }
    }
    if idx == 0 && grid.phone {
        let face = Face::mono(TextSize::Micro, Role::Ink3);
        sheet.text(&format!("+0x{base:04x}"), grid.x, y - 8.0, face);
    }
}

/// Whether two transactions move some byte both.
fn overlap(a: &Transaction, b: &Transaction) -> bool {
    a.base < b.base + u64::from(b.bytes) && b.base < a.base + u64::from(a.bytes)
}

/// Touched lines side by side, on which the rows' transactions stand.
pub(super) struct Axis {
    x: f32,
    /// Pixels a byte.
    px: f32,
    lines: Vec<u64>,
}

impl Axis {
    pub(super) fn new(study: &Study, from: f32, to: f32) -> Self {
        let lines = match &study.chosen.cost {
            Cost::Global { access, .. } => access.lines.clone(),
            Cost::Shared(_) => Vec::new(),
        };
        let bytes = lines.len().max(1) as u64 * LINE_BYTES;
        Self {
            x: from,
            px: (to - from) / bytes as f32,
            lines,
        }
    }

    fn at(&self, byte: u64) -> Option<f32> {
        let line = byte / LINE_BYTES * LINE_BYTES;
        let place = self.lines.iter().position(|base| *base == line)?;
        Some(self.x + (place as u64 * LINE_BYTES + byte - line) as f32 * self.px)
    }

    /// Transactions as boxes over the used bytes; those that move the same bytes again, as a pile.
    pub(super) fn draw(
        &self,
        sheet: &mut Sheet,
        study: &Study,
        access: &GlobalAccess,
        (middle, height): (f32, f32),
    ) {
        let top = middle - height / 2.0;
        let times = |of: &Transaction| -> u32 {
            access
                .transactions
                .iter()
                .filter(|other| overlap(other, of))
                .map(|other| u32::from(other.repeats))
                .sum()
        };
        let most = access.transactions.iter().map(times).max().unwrap_or(1);
        let mut piled: Vec<u64> = Vec::new();
        for transaction in &access.transactions {
            let Some(x) = self.at(transaction.base) else {
                continue;
            };
            let w = (f32::from(transaction.bytes) * self.px - 1.0).max(1.0);
            let num = times(transaction);
            if most == 1 {
                let shape = Shape::Rect {
                    x,
                    y: top,
                    w,
                    h: height,
                };
                if w >= 4.0 {
                    sheet.put(shape, Role::Ink2, Texture::Outline(1.0), None);
                } else {
                    sheet.put(shape, Role::Ink3, Texture::Fade(0.4), None);
                }
            } else if !piled.contains(&transaction.base) {
                piled.push(transaction.base);
                pile(sheet, (x, w), (top, height), (num, most));
            }
        }
        if piled.is_empty() {
            for base in &self.lines {
                for run in runs(&study.chosen.lanes, u64::from(study.playground.elem), *base) {
                    if let Some(x) = self.at(base + u64::from(run.from)) {
                        let w = ((run.to - run.from) as f32 * self.px - 1.0).max(1.0);
                        sheet.rect(x + 0.5, top + 2.0, w, height - 4.0, Role::Used);
                    }
                }
            }
        }
    }

    /// The bytes, under the rows.
    pub(super) fn label(&self, sheet: &mut Sheet, _study: &Study, y: f32) {
        let face = Face::mono(TextSize::Micro, Role::Ink3);
        let line = LINE_BYTES as f32 * self.px;
        let every = (64.0 / line).ceil().max(1.0) as usize;
        sheet.text("0", self.x, y, face);
        for place in (every..=self.lines.len()).step_by(every) {
            let text = format!("{} B", thousands(place as u64 * LINE_BYTES));
            sheet.text(&text, self.x + place as f32 * line, y, face.centre());
        }
    }
}

/// The same bytes moved several times: a bar each, in the colour of its turn; the highest pile fills
/// the row.
fn pile(sheet: &mut Sheet, (x, w): (f32, f32), (top, height): (f32, f32), (num, most): (u32, u32)) {
    let step = height / most.max(1) as f32;
    let gap = if step >= 2.5 { 1.0 } else { 0.0 };
    for turn in 0..num {
        let y = top + height - (turn + 1) as f32 * step;
        sheet.rect(x, y, w, (step - gap).max(0.5), Role::Pass(turn as u16 + 1));
    }
}
