//! The Divergence view: the lanes of a warp across and time downwards, colored by basic block. Below are the
//! reconvergence stack (up to Pascal) or the groups and convergence barriers (from Volta on) at the cycle, and
//! the active lanes by source line.

mod blocks;
mod lane_history;
mod lines;
mod panel;
#[cfg(test)]
mod tests;
mod wording;

use super::controls::{LaneRows, LaneZoom};
use super::ending::ending_headline;
use super::kit::{Face, Sheet};
use super::lanes::{Grid, LANES, framed_number};
use super::{Mark, Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::{fit_headline, thousands};
use blocks::Blocks;
use engine::ids::{Pc, SlotIdx};
use engine::sim::view::LaneStatus;
use engine::trace::Frame;
use lane_history::{LaneHistory, Place, Row};
pub(super) use wording::divergence_tooltip;
pub use wording::{DIVERGENT_KERNELS, divergence_lane_tooltip, inspect_divergence, is_whole};

/// Minimum and maximum number of history rows.
const ROWS: (usize, usize) = (6, 200);
/// Height of the key.
const KEY: f32 = 24.0;

impl LaneZoom {
    /// Height of a history row.
    const fn px(self) -> f32 {
        match self {
            Self::Near => 14.0,
            Self::Middle => 7.0,
            Self::Far => 3.0,
        }
    }
}

/// The common data of all parts.
struct Picture<'f> {
    frame: &'f Frame<'f>,
    slot: SlotIdx,
    grid: Grid,
    blocks: Blocks,
    line: Option<u32>,
}

/// Draws the view.
pub fn divergence(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let slot = view.slot.unwrap_or(SlotIdx(0));
    let picture = Picture {
        frame,
        slot,
        grid: Grid::with_names(size.width),
        blocks: Blocks::of(&frame.trace().program().code),
        line: view.line,
    };
    let (top, lanes_height) = if picture.grid.phone {
        (26.0, 16.0)
    } else {
        (20.0, 22.0)
    };
    let history_y = top + lanes_height + 8.0;
    let parts = panel::Panel::of(frame, slot);
    let lines = lines::lines(frame);
    let below = parts.height() + lines::height(lines.len().min(lines::MOST)) + KEY;
    let row = view.settings.lane_zoom.px();
    let room = size.height - history_y - below;
    let num = ((room / row) as usize).clamp(ROWS.0, ROWS.1);
    let history = LaneHistory::of(frame, slot, view.settings.lane_rows, num);

    let mut sheet = Sheet::default();
    picture.draw_lanes(&mut sheet, &history, (top, lanes_height));
    if history.rows.is_empty() {
        picture.draw_empty_history(&mut sheet, (history_y, num as f32 * row));
    }
    for (idx, shown) in history.rows.iter().enumerate() {
        let y = history_y + idx as f32 * row;
        picture.draw_row(&mut sheet, &history, idx, shown, (y, row));
    }
    if let Some(now) = history.now {
        picture.draw_now(&mut sheet, &history, now, (history_y, row));
    }
    let history_end = history_y + num as f32 * row;
    if let Some(lane) = view.lane {
        let (x, w) = (picture.grid.left(lane.into()) - 1.0, picture.grid.lane + 1.0);
        let drawn = history_y + history.rows.len().max(1) as f32 * row;
        sheet.selection(x, top - 2.0, w, drawn - top + 3.0);
    }
    picture.draw_key(&mut sheet, &history, history_end + 6.0, size.width);
    let mut y = parts.draw(&mut sheet, &picture, history_end + KEY);
    y = lines::draw(&mut sheet, &picture, &lines, y);
    let scene = sheet.finish(
        Size {
            height: y.max(size.height),
            ..size
        },
        ending_headline(frame).unwrap_or_else(|| fit_headline(wording::headline(frame, slot, &history))),
        wording::table(&picture, &history),
    );
    Scene {
        also: vec![parts.table(&picture), lines::table(frame, &lines)],
        ..scene
    }
}

impl Picture<'_> {
    /// Draws the row of lanes: the state of each lane at the cycle.
    fn draw_lanes(&self, sheet: &mut Sheet, history: &LaneHistory, (y, h): (f32, f32)) {
        let grid = self.grid;
        if grid.phone {
            let face = Face::mono(TextSize::Micro, Role::Ink3).center();
            for lane in [0, 8, 16, 24, 31] {
                sheet.text(&lane.to_string(), grid.middle(lane), y - 12.0, face);
            }
        }
        let face = Face::text(TextSize::Label, Role::Ink3);
        sheet.text("Lane", grid.margin, y + h / 2.0, face);
        let now = history.now.and_then(|now| history.rows.get(now));
        let issues_now = now.is_some_and(|row| row.cycle == self.frame.cycle());
        for lane in 0..LANES {
            let place = now.map_or(Place::Gone, |row| row.lanes[lane as usize]);
            let shape = Shape::Rect {
                x: grid.left(lane),
                y,
                w: grid.lane - 1.0,
                h,
            };
            let target = Some(Target::Lane(lane as u8));
            let ink = match place {
                Place::Issues(pc) if issues_now => {
                    let (fill, ink) = self.blocks.roles(pc);
                    sheet.put(shape, fill, Texture::Solid, target);
                    ink
                }
                Place::Issues(pc) | Place::Next(pc) => {
                    let (fill, _) = self.blocks.roles(pc);
                    sheet.put(shape, fill, Texture::Outline(1.5), target);
                    Role::Ink1
                }
                Place::Waits(..) => {
                    sheet.put(shape, Role::Line2, Texture::Outline(1.0), target);
                    Role::Ink3
                }
                Place::Gone => {
                    sheet.put(shape, Role::Line2, Texture::Dotted, target);
                    Role::Ink3
                }
            };
            if grid.has_number(lane) {
                let at = (grid.middle(lane), y + h / 2.0);
                if matches!(place, Place::Issues(_)) && issues_now {
                    let face = Face::mono(TextSize::Micro, ink).center();
                    sheet.text(&lane.to_string(), at.0, at.1, face);
                } else {
                    framed_number(sheet, lane, at, grid.lane, ink);
                }
            }
        }
    }

    /// Draws an empty frame with a hint.
    fn draw_empty_history(&self, sheet: &mut Sheet, (y, h): (f32, f32)) {
        let (x, w) = (self.grid.x, self.grid.right() - self.grid.x - 1.0);
        sheet.fill(x, y, w, h, Role::Line2, Texture::Dotted);
        let face = Face::text(TextSize::Body, Role::Ink2).center();
        sheet.text(
            &face.fit(wording::EMPTY_HINT, w - 8.0),
            self.grid.left(16),
            y + h / 2.0,
            face,
        );
    }

    /// Draws a history row: issuing lanes as solid blocks, waiting lanes as thin lines.
    fn draw_row(&self, sheet: &mut Sheet, history: &LaneHistory, idx: usize, row: &Row, (y, h): (f32, f32)) {
        let grid = self.grid;
        let is_past = row.cycle <= self.frame.cycle();
        let gap = if h > 4.0 { 1.0 } else { 0.0 };
        if self.line.is_some() && self.line == Some(self.line_of(row.pc)) {
            let right = grid.right() - grid.margin + 8.0;
            sheet.rect(grid.margin - 4.0, y, right, h - gap, Role::Paper3);
        }
        let before = idx.checked_sub(1).and_then(|before| history.rows.get(before));
        for (place, first, num) in runs(&row.lanes) {
            let (x, w) = (grid.left(first), num as f32 * grid.lane - gap);
            let area = (x, y, w, h - gap);
            let is_new = before.is_none_or(|before| {
                (first..first + num)
                    .any(|lane| self.appearance(before.lanes[lane as usize]) != self.appearance(place))
            });
            self.draw_place(sheet, place, area, (is_past, is_new));
        }
        if !row.joined.is_empty() && h > 4.0 {
            for (first, num) in super::lanes::runs(row.joined) {
                let (x, w) = (grid.left(first), num as f32 * grid.lane - 1.0);
                sheet.rect(x, y + h - 2.5, w, 2.0, Role::State(Mark::Barrier));
            }
        }
        if h >= 10.0 {
            self.draw_names(sheet, row, (y, h), history.now == Some(idx));
        }
        let cycle = row.cycle.0;
        let target = Target::LaneAt {
            slot: self.slot.0,
            lane: 0,
            cycle,
        };
        let shape = Shape::Track {
            x: grid.x,
            y,
            w: grid.right() - grid.x,
            h,
            first: 0,
            cycle_px: grid.lane,
        };
        sheet.put(shape, Role::Paper1, Texture::Fade(0.0), Some(target));
    }

    /// A key that is equal for places with the same appearance.
    fn appearance(&self, place: Place) -> (u8, usize) {
        match place {
            Place::Gone => (0, 0),
            Place::Issues(pc) | Place::Next(pc) => (1, self.blocks.idx(pc)),
            Place::Waits(pc, status) => (2 + status as u8, self.blocks.idx(pc)),
        }
    }

    /// Draws adjacent lanes with the same place.
    fn draw_place(
        &self,
        sheet: &mut Sheet,
        place: Place,
        (x, y, w, h): (f32, f32, f32, f32),
        (is_past, is_new): (bool, bool),
    ) {
        let shape = Shape::Rect { x, y, w, h };
        let middle = y + h / 2.0;
        let letter_fits = h >= 10.0 && w >= 9.0;
        let letter = |sheet: &mut Sheet, pc: Pc, role: Role, x: f32| {
            let face = Face::mono(TextSize::Micro, role).strong();
            let letter = self.blocks.letter(pc);
            if letter_fits && face.width(&letter) + 3.0 <= w {
                sheet.text(&letter, x, middle - 0.5, face);
            }
        };
        match place {
            Place::Gone => {}
            Place::Issues(pc) => {
                let (fill, ink) = self.blocks.roles(pc);
                let texture = if is_past {
                    Texture::Solid
                } else {
                    Texture::Outline(1.0)
                };
                sheet.put(shape, fill, texture, None);
                if is_new {
                    letter(sheet, pc, if is_past { ink } else { Role::Ink1 }, x + 3.0);
                }
            }
            Place::Next(pc) => {
                let (fill, _) = self.blocks.roles(pc);
                sheet.put(
                    shape,
                    fill,
                    Texture::Fade(if is_past { 0.35 } else { 0.18 }),
                    None,
                );
                if is_new {
                    letter(sheet, pc, Role::Ink1, x + 3.0);
                }
            }
            Place::Waits(pc, status) => {
                if is_at_barrier(status) && h >= 6.0 {
                    let mark = Mark::Barrier;
                    let cycle_px = self.grid.lane;
                    let shape = Shape::Band {
                        x,
                        y,
                        w,
                        h,
                        mark,
                        cycle_px,
                    };
                    sheet.put(shape, Role::State(mark), Texture::Solid, None);
                    return;
                }
                let (fill, _) = self.blocks.roles(pc);
                let fill = if is_at_barrier(status) {
                    Role::State(Mark::Barrier)
                } else {
                    fill
                };
                let thick = if h > 4.0 { 2.0 } else { 1.0 };
                let mut x = x;
                let mut w = w;
                // The letter is at the left end of the line.
                if is_new && letter_fits && w >= 12.0 {
                    letter(sheet, pc, Role::Ink1, x + 2.0);
                    let taken = 5.0 + 6.0 * self.blocks.letter(pc).len() as f32;
                    (x, w) = (x + taken, w - taken);
                }
                sheet.rect(x, (middle - thick / 2.0).floor(), w, thick, fill);
            }
        }
    }

    /// Draws the line and the opcode left of a row, and the cycle right of it.
    fn draw_names(&self, sheet: &mut Sheet, row: &Row, (y, h): (f32, f32), is_now: bool) {
        let grid = self.grid;
        let role = if is_now { Role::Ink1 } else { Role::Ink3 };
        let face = Face::mono(TextSize::Micro, role);
        let line = self.line_of(row.pc);
        let text = match (grid.phone, line) {
            (true, 0) => String::new(),
            (true, line) => format!("L{line}"),
            (false, 0) => self.frame.mnemonic(row.pc),
            (false, line) => format!("L{line} {}", self.frame.mnemonic(row.pc)),
        };
        let room = grid.x - grid.margin - 3.0;
        // The opcode without modifiers fits the column.
        let short = text.split('.').next().unwrap_or_default();
        sheet.text(&face.fit(short, room), grid.margin, y + h / 2.0 - 0.5, face);
        let target = Target::CodePc(row.pc.0);
        sheet.area(grid.margin, y, room, h, target);
        if !grid.phone && !is_now {
            let text = thousands(row.cycle.0);
            if face.width(&text) <= grid.margin + 20.0 {
                sheet.text(&text, grid.right() + 4.0, y + h / 2.0 - 0.5, face);
            }
        }
    }

    /// Draws the line at the current cycle, with the cycle's number.
    fn draw_now(&self, sheet: &mut Sheet, history: &LaneHistory, now: usize, (top, h): (f32, f32)) {
        let grid = self.grid;
        let y = top + now as f32 * h;
        let exact = history
            .rows
            .get(now)
            .is_some_and(|row| row.cycle == self.frame.cycle());
        let (from, to) = (grid.x - 2.0, grid.right() + 1.0);
        if exact {
            sheet.frame(from, y - 1.0, to - from, h + 1.0, Role::Now, 1.5);
        } else {
            sheet.line((from, y + h), (to, y + h), 1.5, Role::Now);
        }
        if grid.phone {
            return;
        }
        let face = Face::mono(TextSize::Micro, Role::InkInverse).strong();
        let text = thousands(self.frame.cycle().0);
        let width = face.width(&text) + 6.0;
        if width <= grid.margin + 23.0 {
            let y = (y + h / 2.0 - 7.0).floor();
            sheet.rect(to, y, width, 14.0, Role::Now);
            sheet.text(&text, to + 3.0, y + 7.0, face);
        }
    }

    /// Draws the key, and the basic blocks in the history.
    fn draw_key(&self, sheet: &mut Sheet, history: &LaneHistory, y: f32, width: f32) {
        let right = width - self.grid.margin;
        let face = Face::text(TextSize::Label, Role::Ink2);
        let strong = Face::mono(TextSize::Micro, Role::Ink1).strong();
        let mut x = self.grid.margin;
        let middle = y + 7.0;
        let words = [("waits to run", false), ("at a barrier", true)];
        let key: f32 = words.iter().map(|(text, _)| face.width(text) + 31.0).sum();
        for pc in self.basic_blocks(history) {
            let (fill, ink) = self.blocks.roles(pc);
            let letter = self.blocks.letter(pc);
            let tile = strong.width(&letter).max(6.0) + 6.0;
            let text = self.lines_of(pc);
            let w = tile + 5.0 + face.width(&text);
            if x + w > right - key && !self.grid.phone || x + w > right {
                break;
            }
            sheet.rect(x, y + 1.0, tile, 12.0, fill);
            sheet.text(&letter, x + 3.0, middle - 0.5, strong.role(ink));
            sheet.text(&text, x + tile + 4.0, middle, face);
            sheet.area(x, y, w, 14.0, Target::CodePc(self.blocks.span(pc).0));
            x += w + 12.0;
        }
        if self.grid.phone {
            return;
        }
        let mut x = right;
        for (text, is_held) in words.into_iter().rev() {
            x -= face.width(text);
            sheet.text(text, x, middle, face);
            x -= 19.0;
            if is_held {
                let (mark, cycle_px) = (Mark::Barrier, 5.0);
                let shape = Shape::Band {
                    x,
                    y: y + 1.0,
                    w: 14.0,
                    h: 12.0,
                    mark,
                    cycle_px,
                };
                sheet.put(shape, Role::State(mark), Texture::Solid, None);
            } else {
                sheet.rect(x, middle - 1.0, 14.0, 2.0, Role::Ink2);
            }
            x -= 12.0;
        }
    }

    /// The first instruction of each basic block in the history, in program order.
    fn basic_blocks(&self, history: &LaneHistory) -> Vec<Pc> {
        let mut firsts: Vec<Pc> = history
            .rows
            .iter()
            .flat_map(|row| row.lanes.iter().filter_map(|place| place.pc()))
            .map(|pc| Pc(self.blocks.span(pc).0))
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        firsts
    }

    fn line_of(&self, pc: Pc) -> u32 {
        self.frame
            .instruction(pc)
            .map_or(0, |instruction| instruction.span.line)
    }

    /// The source lines of a basic block: `line 14`, `lines 14–18`.
    fn lines_of(&self, pc: Pc) -> String {
        let (first, last) = self.blocks.span(pc);
        let lines = (first..=last)
            .map(|pc| self.line_of(Pc(pc)))
            .filter(|line| *line > 0);
        let (low, high) = lines.fold((u32::MAX, 0), |(low, high), line| (low.min(line), high.max(line)));
        match (low, high) {
            (_, 0) => format!("pc {first}"),
            (low, high) if low == high => self.frame.line_text(low),
            (low, high) => {
                let program = self.frame.trace().program();
                format!("lines {}–{}", program.line_name(low), program.line_name(high))
            }
        }
    }
}

/// Whether lanes with this status wait at a barrier, and not only for their turn to run.
const fn is_at_barrier(status: LaneStatus) -> bool {
    matches!(
        status,
        LaneStatus::Converging | LaneStatus::Syncing | LaneStatus::AtBarrier
    )
}

/// Runs of adjacent lanes with the same place: place, first lane, and number of lanes.
fn runs(lanes: &[Place; 32]) -> Vec<(Place, u32, u32)> {
    let mut runs: Vec<(Place, u32, u32)> = Vec::new();
    for (place, lane) in lanes.iter().zip(0..) {
        match runs.last_mut() {
            Some((of, _, num)) if of == place => *num += 1,
            _ => runs.push((*place, lane, 1)),
        }
    }
    runs
}
