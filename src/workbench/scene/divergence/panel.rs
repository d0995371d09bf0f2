//! The reconvergence state at the cycle: the entries of the reconvergence stack, or the groups of lanes and the
//! convergence barriers, as masks on the lane columns.

use super::super::kit::{Face, Sheet};
use super::super::lanes::{LANES, runs};
use super::super::{Mark, Role, Shape, Table, Target, TextSize, Texture};
use super::wording::{NO_WARP, arrivals, entries_left_out, stack_entry_names, status_names};
use super::{Picture, is_at_barrier};
use engine::ids::{LaneMask, Pc, SlotIdx};
use engine::sim::view::{LaneStatus, StackEntryKind, WarpView};
use engine::trace::Frame;

/// Height of the title, of a row, and of the gap below.
const TITLE: f32 = 20.0;
const ROW: f32 = 15.0;
const AIR: f32 = 10.0;
/// Minimum number of rows, so that the layout stays stable while groups split and merge.
const LEAST: usize = 4;
/// Maximum number of rows.
const MOST: usize = 9;

/// A row: a lane mask with its name and description.
struct Part {
    /// Short name.
    name: String,
    /// Description.
    text: String,
    lanes: LaneMask,
    /// Of a barrier: the lanes that have arrived.
    arrived: Option<LaneMask>,
    pc: Option<Pc>,
    runs: bool,
    is_held: bool,
}

/// The rows at a cycle.
pub(super) struct Panel {
    title: &'static str,
    parts: Vec<Part>,
    left_out: usize,
}

impl Panel {
    pub(super) fn of(frame: &Frame, slot: SlotIdx) -> Self {
        let view = frame.snapshot().warps.iter().find(|view| view.slot == slot);
        let is_stack = !frame.arch().has_independent_threads();
        let title = if is_stack {
            "Reconvergence stack after this cycle, top first"
        } else {
            "Groups and convergence barriers after this cycle"
        };
        let mut parts = match (view, is_stack) {
            (None, _) => Vec::new(),
            (Some(view), true) => stack(view),
            (Some(view), false) => groups(view),
        };
        let left_out = parts.len().saturating_sub(MOST);
        if left_out > 0 {
            parts.truncate(MOST - 1);
        }
        Self {
            title,
            parts,
            left_out: if left_out > 0 { left_out + 1 } else { 0 },
        }
    }

    fn num_rows(&self) -> usize {
        (self.parts.len() + usize::from(self.left_out > 0)).max(LEAST)
    }

    pub(super) fn height(&self) -> f32 {
        TITLE + self.num_rows() as f32 * ROW + AIR
    }

    /// Draws the panel from `y` on, and returns the y below.
    pub(super) fn draw(&self, sheet: &mut Sheet, picture: &Picture, y: f32) -> f32 {
        let grid = picture.grid;
        let face = Face::text(TextSize::Label, Role::Ink2);
        sheet.line((grid.margin, y), (grid.right(), y), 1.0, Role::Line1);
        let title = face.fit(self.title, grid.right() - grid.margin);
        sheet.text(&title, grid.margin, y + 11.0, face);
        let mut row_y = y + TITLE;
        for part in &self.parts {
            draw_part(sheet, picture, part, row_y);
            row_y += ROW;
        }
        if self.left_out > 0 {
            let text = entries_left_out(self.left_out);
            sheet.text(&text, grid.x, row_y + ROW / 2.0, face);
        }
        if self.parts.is_empty() {
            sheet.text(NO_WARP, grid.x, row_y + ROW / 2.0, face);
        }
        y + self.height()
    }

    /// The text twin.
    pub(super) fn table(&self, picture: &Picture) -> (String, Table) {
        let rows = self.parts.iter().map(|part| {
            let place = part.pc.map_or_else(
                || "–".to_owned(),
                |pc| match picture.line_of(pc) {
                    0 => format!("pc {}", pc.0),
                    line => format!("pc {}, {}", pc.0, picture.frame.line_text(line)),
                },
            );
            vec![
                part.name.clone(),
                part.text.clone(),
                part.lanes.count().to_string(),
                format!("{:#010x}", part.lanes.0),
                part.arrived
                    .map_or_else(|| "–".to_owned(), |arrived| format!("{:#010x}", arrived.0)),
                place,
            ]
        });
        let columns = ["Entry", "Description", "Lanes", "Mask", "Arrived", "Resumes at"];
        let table = Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        };
        (self.title.to_owned(), table)
    }
}

/// The running group, and the stack from its top down.
fn stack(view: &WarpView) -> Vec<Part> {
    let mut parts = vec![Part {
        name: "runs".to_owned(),
        text: "the running group".to_owned(),
        lanes: view.active,
        arrived: None,
        pc: view
            .groups
            .iter()
            .find(|group| group.status == LaneStatus::Running)
            .map(|group| group.pc),
        runs: true,
        is_held: false,
    }];
    let live = LaneMask(!view.exited.0);
    parts.extend(view.stack.iter().rev().map(|entry| {
        let (name, text) = stack_entry_names(entry.kind);
        let is_token = matches!(entry.kind, StackEntryKind::Token(_));
        Part {
            name: name.to_owned(),
            text: text.to_owned(),
            lanes: LaneMask(entry.lanes.0 & live.0),
            arrived: None,
            pc: Some(entry.target),
            runs: false,
            is_held: is_token,
        }
    }));
    parts
}

/// The groups of lanes, and the convergence barriers.
fn groups(view: &WarpView) -> Vec<Part> {
    let mut parts = Vec::new();
    for group in &view.groups {
        let runs = group.status == LaneStatus::Running && group.lanes == view.active;
        let (name, text) = if runs {
            ("runs", "the running group")
        } else {
            status_names(group.status)
        };
        parts.push(Part {
            name: name.to_owned(),
            text: text.to_owned(),
            lanes: group.lanes,
            arrived: None,
            pc: Some(group.pc),
            runs,
            is_held: is_at_barrier(group.status),
        });
    }
    for barrier in &view.barriers {
        let arrived = barrier.waiting.0 & barrier.members.0;
        parts.push(Part {
            name: format!("B{}", barrier.register),
            text: arrivals(arrived.count_ones(), barrier.members.count()),
            lanes: barrier.members,
            arrived: Some(LaneMask(arrived)),
            pc: None,
            runs: false,
            is_held: true,
        });
    }
    parts
}

fn draw_part(sheet: &mut Sheet, picture: &Picture, part: &Part, y: f32) {
    let grid = picture.grid;
    let (h, middle) = (ROW - 3.0, y + (ROW - 3.0) / 2.0);
    let face = Face::mono(TextSize::Micro, if part.runs { Role::Ink1 } else { Role::Ink2 });
    let face = if part.runs { face.strong() } else { face };
    let room = grid.x - grid.margin - 4.0;
    sheet.text(&face.fit(&part.name, room), grid.margin, middle, face);
    // A faint line at every eighth lane makes a mask readable.
    for lane in (0..LANES).step_by(8) {
        let x = grid.left(lane) - 0.5;
        sheet.line((x, y), (x, y + h), 1.0, Role::Line1);
    }
    let violet = Role::State(Mark::Barrier);
    for (first, num) in runs(part.lanes) {
        let (x, w) = (grid.left(first), num as f32 * grid.lane - 1.0);
        let shape = Shape::Rect { x, y, w, h };
        match (part.pc, part.runs, part.is_held) {
            (Some(pc), true, _) => {
                let (fill, ink) = picture.blocks.roles(pc);
                sheet.put(shape, fill, Texture::Solid, None);
                let letter = picture.blocks.letter(pc);
                let face = Face::mono(TextSize::Micro, ink).strong();
                if face.width(&letter) + 4.0 <= w {
                    sheet.text(&letter, x + 3.0, middle - 0.5, face);
                }
            }
            (Some(pc), false, is_held) => {
                let (fill, _) = picture.blocks.roles(pc);
                let fill = if is_held { violet } else { fill };
                sheet.put(shape, fill, Texture::Outline(1.5), None);
                let letter = picture.blocks.letter(pc);
                let face = Face::mono(TextSize::Micro, Role::Ink1).strong();
                if face.width(&letter) + 6.0 <= w {
                    sheet.text(&letter, x + 4.0, middle - 0.5, face);
                }
            }
            (None, ..) => sheet.put(shape, violet, Texture::Outline(1.0), None),
        }
    }
    if let Some(arrived) = part.arrived {
        for (first, num) in runs(arrived) {
            let (x, w) = (grid.left(first), num as f32 * grid.lane - 1.0);
            sheet.rect(x, y, w, h, violet);
        }
    }
    if !grid.phone {
        let text = match (part.pc, part.arrived) {
            (Some(pc), _) => match picture.line_of(pc) {
                0 => format!("pc {}", pc.0),
                line => format!("L{}", picture.frame.trace().program().line_name(line)),
            },
            (None, Some(arrived)) => format!("{}/{}", arrived.count(), part.lanes.count()),
            (None, None) => String::new(),
        };
        sheet.text(&text, grid.right() + 5.0, middle, face);
    }
    if let Some(pc) = part.pc {
        let (x, w) = (grid.margin, grid.right() - grid.margin);
        sheet.area(x, y, w, h, Target::CodePc(pc.0));
    }
}
