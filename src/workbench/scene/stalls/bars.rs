//! The breakdown by warp, by line, or by instruction: one stacked bar per row.

use super::account::Account;
use super::{draw_ground, draw_key, draw_whole, edges};
use crate::scene::kit::{Face, Sheet};
use crate::scene::source::COMPILER_GENERATED;
use crate::scene::source::columns::{by_mark, short, stacked};
use crate::scene::{Breakdown, Mark, Role, Scene, Size, Table, Target, TextSize, ViewState};
use crate::words::{percent, thousands};
use engine::ids::Pc;
use engine::isa::print::instruction_bytes;
use engine::sim::WarpState;
use engine::trace::{Frame, StateCycles};

/// Maximum number of rows; the last row sums the rest.
const MAX_ROWS: usize = 40;

/// A row: name, description, and cycles.
struct Row {
    name: String,
    text: String,
    target: Option<Target>,
    selected: bool,
    states: StateCycles,
}

impl Row {
    fn cycles(&self, only: Option<Mark>) -> u64 {
        by_mark(&self.states)
            .iter()
            .filter(|(mark, _)| only.is_none_or(|only| only == *mark))
            .map(|(_, cycles)| cycles)
            .sum()
    }
}

pub(super) fn draw(
    frame: &Frame,
    view: &ViewState,
    size: Size,
    account: &Account,
    by: Breakdown,
    headline: String,
) -> Scene {
    let rows = match by {
        Breakdown::Warp | Breakdown::Reason => warps(frame, view, account),
        Breakdown::Line => lines(frame, view, account),
        Breakdown::Instruction => instructions(frame, view, account),
    };
    let twin = text_twin(&rows, by, account.resident);
    let rows = if by == Breakdown::Warp {
        rows
    } else {
        largest(rows, view.filter)
    };
    let mut sheet = Sheet::default();
    let (left, right) = edges(size);
    draw_whole(
        &mut sheet,
        (left, right),
        (12.0, 14.0),
        &account.states,
        view.filter,
    );
    let y = draw_key(&mut sheet, (left, right), 46.0, &account.states, view.filter) + 26.0;
    let place = Place::new(by, (left, right), y, size.height - 8.0, rows.len());
    place.heads(&mut sheet, by);
    // The bars of warps span the period, so that their lifetimes compare; else the longest bar fills the width.
    let whole = match by {
        Breakdown::Warp => account.to.0 - account.from.0,
        _ => rows.iter().map(|row| row.cycles(None)).max().unwrap_or(0),
    };
    for (idx, row) in rows.iter().enumerate() {
        place.row(&mut sheet, idx, row, whole, (view.filter, account.resident));
    }
    let size = Size {
        width: size.width,
        height: size.height.max(place.y + rows.len() as f32 * place.step + 10.0),
    };
    sheet.finish(size, headline, twin)
}

fn warps(frame: &Frame, view: &ViewState, account: &Account) -> Vec<Row> {
    let slots = account.by_slot(frame).into_iter();
    slots
        .map(|sums| Row {
            name: sums.name,
            text: format!("scheduler {}, slot {}", sums.scheduler, sums.slot.0),
            target: Some(Target::Warp { slot: sums.slot.0 }),
            selected: view.slot == Some(sums.slot),
            states: sums.states,
        })
        .collect()
}

fn has_cycles(states: &StateCycles) -> bool {
    states.iter().any(|cycles| *cycles > 0)
}

fn lines(frame: &Frame, view: &ViewState, account: &Account) -> Vec<Row> {
    let program = frame.trace().program();
    let text: Vec<&str> = program.source.lines().collect();
    let lines = account.by_line(frame).into_iter().enumerate();
    lines
        .filter(|(_, states)| has_cycles(states))
        .map(|(line, states)| {
            let written = line
                .checked_sub(1)
                .map(|idx| text.get(idx).copied().unwrap_or(""));
            Row {
                name: if line == 0 {
                    "–".to_owned()
                } else {
                    program.line_name(line as u32)
                },
                text: written.unwrap_or(COMPILER_GENERATED).trim().to_owned(),
                target: Some(Target::CodeLine(line as u32)),
                selected: view.pc.is_none() && view.line == Some(line as u32),
                states,
            }
        })
        .collect()
}

fn instructions(frame: &Frame, view: &ViewState, account: &Account) -> Vec<Row> {
    let arch = frame.arch().id;
    let pcs = account.by_pc(frame).into_iter().enumerate();
    pcs.filter(|(_, states)| has_cycles(states))
        .map(|(pc, states)| {
            let pc = pc as u32;
            let instruction = frame.instruction(Pc(pc));
            Row {
                name: format!("{:04x}", pc * instruction_bytes(arch)),
                text: instruction.map_or_else(String::new, |instruction| instruction.text(arch)),
                target: Some(Target::CodePc(pc)),
                selected: view.pc == Some(pc),
                states,
            }
        })
        .collect()
}

/// The rows with the most cycles (of a mark), and one row for all others.
fn largest(mut rows: Vec<Row>, only: Option<Mark>) -> Vec<Row> {
    rows.sort_by_key(|row| std::cmp::Reverse((row.cycles(only), row.cycles(None))));
    if rows.len() > MAX_ROWS {
        let others = rows.split_off(MAX_ROWS - 1);
        let mut states = StateCycles::default();
        for row in &others {
            for (sum, cycles) in states.iter_mut().zip(row.states) {
                *sum += cycles;
            }
        }
        rows.push(Row {
            name: String::new(),
            text: format!("{} others", others.len()),
            target: None,
            selected: false,
            states,
        });
    }
    rows
}

/// Positions of the rows.
struct Place {
    left: f32,
    right: f32,
    /// Top of the first row.
    y: f32,
    step: f32,
    /// Right edge of the names, left edge of the texts, and left edge and width of the bars.
    name: f32,
    text: f32,
    bar: f32,
    width: f32,
}

/// Width for the share and the cycles.
const NUMBERS: f32 = 112.0;

impl Place {
    fn new(by: Breakdown, (left, right): (f32, f32), y: f32, low: f32, num: usize) -> Self {
        let room = right - left;
        let phone = room < 500.0;
        let (name, words) = match by {
            Breakdown::Warp => (62.0, if phone { 0.0 } else { 124.0 }),
            _ if phone => (32.0, room * 0.34),
            _ => (32.0, room * 0.38),
        };
        let fit = (low - y) / num.max(1) as f32;
        let step = match by {
            Breakdown::Warp => fit.clamp(13.0, 24.0).floor(),
            _ => 22.0,
        };
        let bar = left + name + 10.0 + words + if words > 0.0 { 10.0 } else { 0.0 };
        Self {
            left,
            right,
            y,
            step,
            name: left + name,
            text: left + name + 10.0,
            bar,
            width: (right - NUMBERS - bar).max(24.0),
        }
    }

    fn heads(&self, sheet: &mut Sheet, by: Breakdown) {
        let face = Face::text(TextSize::Micro, Role::Ink3);
        let y = self.y - 11.0;
        let name = match by {
            Breakdown::Warp | Breakdown::Reason => "warp",
            Breakdown::Line => "line",
            Breakdown::Instruction => "address",
        };
        sheet.text(name, self.name, y, face.right());
        sheet.text("share", self.right - 54.0, y, face.right());
        sheet.text("cycles", self.right, y, face.right());
    }

    fn row(
        &self,
        sheet: &mut Sheet,
        idx: usize,
        row: &Row,
        whole: u64,
        (only, resident): (Option<Mark>, u64),
    ) {
        let y = self.y + idx as f32 * self.step;
        let middle = y + self.step / 2.0;
        if let Some(target) = row.target {
            let area = (self.left - 8.0, y, self.right - self.left + 16.0, self.step);
            draw_ground(sheet, area, row.selected, target);
        }
        let face = Face::mono(TextSize::Micro, Role::Ink1).right();
        sheet.text(&row.name, self.name, middle, face);
        let words = Face::mono(TextSize::Micro, Role::Ink2);
        let room = self.bar - self.text - 10.0;
        if room > 20.0 {
            sheet.text(&words.fit(&row.text, room), self.text, middle, words);
        }
        let height = (self.step * 0.62).round().min(13.0);
        let at = (self.bar, (middle - height / 2.0).round(), height);
        let px = self.width / whole.max(1) as f32;
        stacked(sheet, at, px, &row.states, only);
        let cycles = row.cycles(only);
        sheet.text(&percent(cycles, resident), self.right - 54.0, middle, face);
        sheet.text(&short(cycles), self.right, middle, face.role(Role::Ink3));
    }
}

/// The text twin: every row with its cycles by state.
fn text_twin(rows: &[Row], by: Breakdown, resident: u64) -> Table {
    let seen = WarpState::ALL[1..]
        .iter()
        .filter(|state| rows.iter().any(|row| row.states[**state as usize] > 0));
    let seen: Vec<WarpState> = seen.copied().collect();
    let heads = match by {
        Breakdown::Warp | Breakdown::Reason => ["Warp", "Place"],
        Breakdown::Line => ["Line", "Code"],
        Breakdown::Instruction => ["Address", "Instruction"],
    };
    let mut columns: Vec<String> = heads.iter().map(ToString::to_string).collect();
    columns.extend(["Warp cycles", "Share"].map(str::to_owned));
    columns.extend(seen.iter().map(|state| state.name().to_owned()));
    let rows = rows
        .iter()
        .map(|row| {
            let all: u64 = row.states[1..].iter().sum();
            let mut cells = vec![
                row.name.clone(),
                row.text.clone(),
                thousands(all),
                percent(all, resident),
            ];
            cells.extend(seen.iter().map(|state| thousands(row.states[*state as usize])));
            cells
        })
        .collect();
    Table { columns, rows }
}
