//! The Source view: CUDA source beside SASS, with the cost of each line and each instruction. A line links to its
//! instructions, and an instruction to its line.

pub(super) mod columns;
pub(super) mod costs;
mod inspect;
mod layout;
mod rows;
mod wording;

pub use inspect::inspect_code;
pub(super) use wording::COMPILER_GENERATED;

use super::code::kept_lines;
use super::kit::{Sheet, table};
use super::{CodePart, Scene, Size, Table, ViewState};
use crate::words::fit_headline;
use columns::Longest;
use costs::{Costs, cycles, largest_wait, mean, sectors, wavefronts};
use engine::isa::print::instruction_bytes;
use engine::trace::{Frame, PcTally, StateCycles};
use layout::{Layout, Window};
use rows::Rows;

/// Draws the view.
pub fn source(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let costs = Costs::new(frame, view.slot);
    let layout = Layout::new(view, size);
    let text = kept_lines(&frame.trace().program().source);
    let text = match text.split_last() {
        Some((last, rest)) if last.pieces.is_empty() => rest,
        _ => &*text,
    };
    let num_lines = text.len().max(costs.lines.len() - 1);
    let unplaced = costs.line_of.contains(&0);
    let focus = Focus::new(&costs, view);
    let mut sheet = Sheet::default();
    let mut panes = Vec::new();
    let rows = Rows {
        frame,
        costs: &costs,
        view,
        text,
        num_lines,
        longest: (Longest::of(costs.lines.iter()), Longest::of(costs.pcs.iter())),
        issued: costs.pcs.iter().map(|tally| tally.issued).sum(),
    };
    let line_rows = num_lines + usize::from(unplaced);
    let line_focus = focus.line.map(|line| rows.row_of_line(line));
    let line_window = Window::new(line_rows, layout.shown, line_focus, view.top_line);
    let pc_focus = focus.pc.map(|pc| pc as usize);
    let pc_window = Window::new(costs.pcs.len(), layout.shown, pc_focus, view.top_pc);
    if let Some(pane) = layout.cuda {
        rows.draw_lines(&mut sheet, pane, line_window);
        panes.extend(pane.scrolls(super::PaneRows::Lines, line_window));
    }
    if let Some(pane) = layout.instructions {
        rows.draw_instructions(&mut sheet, pane, pc_window);
        panes.extend(pane.scrolls(super::PaneRows::Instructions, pc_window));
    }
    if let (Some(left), Some(right)) = (layout.cuda, layout.instructions) {
        rows.draw_links(&mut sheet, (left, line_window), (right, pc_window));
    }
    rows.draw_selection(&mut sheet, &layout, line_window, pc_window);
    let mut scene = sheet.finish(
        size,
        fit_headline(wording::headline(frame, &costs, view.settings.counters)),
        text_twin(frame, &costs, &rows),
    );
    scene.panes = panes;
    scene
}

/// The line and the instruction to keep visible unless the panes are scrolled by hand.
struct Focus {
    line: Option<u32>,
    pc: Option<u32>,
}

impl Focus {
    fn new(costs: &Costs, view: &ViewState) -> Self {
        let num = costs.pcs.len() as u32;
        let selected_pc = view.pc.filter(|pc| *pc < num);
        let first_pc = |line: u32| costs.pcs_of(line).first().map(|pc| pc.0);
        let selected = Self {
            line: view.line.or(selected_pc.map(|pc| costs.line(pc))),
            pc: selected_pc.or(view.line.and_then(first_pc)),
        };
        let current = Self {
            line: costs.current_line(),
            pc: costs.current,
        };
        let (first, second) = if view.follows_warp {
            (current, selected)
        } else {
            (selected, current)
        };
        Self {
            line: first.line.or(second.line),
            pc: first.pc.or(second.pc),
        }
    }
}

impl CodePart {
    /// The part that a width can show: two panes need a minimum width.
    #[must_use]
    pub fn in_width(self, width: f32) -> Self {
        match self {
            Self::Both if width < layout::MIN_FOR_BOTH => Self::Cuda,
            part => part,
        }
    }
}

/// The text twin: lines with code, then all instructions.
fn text_twin(frame: &Frame, costs: &Costs, rows: &Rows) -> Table {
    let arch = frame.arch().id;
    let counts = |tally: &PcTally| {
        let (accesses, _, extra) = wavefronts(tally);
        let (requests, sectors, _) = sectors(tally);
        let conflicts = if accesses == 0 {
            String::new()
        } else {
            super::thousands(extra)
        };
        [
            super::thousands(tally.issued),
            super::thousands(cycles(tally)),
            largest_wait(&tally.states).map_or_else(String::new, |state| state.name().to_owned()),
            conflicts,
            mean(sectors, requests),
            mean(tally.threads_active, tally.issued),
        ]
    };
    let now = |issues: bool, current: bool| match (issues, current) {
        (true, true) => "issues, selected warp",
        (true, false) => "issues",
        (false, true) => "selected warp",
        (false, false) => "",
    };
    let row = |place: [String; 3], tally: &PcTally, charged: StateCycles, now: &str| {
        let [line, address, text] = place;
        let [issued, cycles, most, conflicts, sectors, lanes] = counts(tally);
        let charged = super::thousands(charged[1..].iter().sum());
        let now = now.to_owned();
        [
            line, address, text, issued, cycles, most, conflicts, sectors, lanes, now, charged,
        ]
    };
    let issuing = costs.lines_issuing();
    let with_code = (0..costs.lines.len() as u32).filter(|line| costs.line_of.contains(line));
    let mut all: Vec<[String; 11]> = with_code
        .map(|line| {
            let place = [rows.line_name(line), String::new(), rows.line_text(line)];
            let now = now(issuing.contains(&line), costs.current_line() == Some(line));
            let pcs = costs.pcs_of(line).into_iter().map(|pc| pc.0);
            row(place, &costs.lines[line as usize], costs.charged(pcs), now)
        })
        .collect();
    let code = frame.trace().program().code.iter().zip(costs.pcs);
    all.extend(code.enumerate().map(|(pc, (instruction, tally))| {
        let pc = pc as u32;
        let place = [
            rows.line_name(costs.line(pc)),
            format!("{:04x}", pc * instruction_bytes(arch)),
            instruction.text(arch),
        ];
        let now = now(costs.issuing.contains(&pc), costs.current == Some(pc));
        row(place, tally, costs.charged(std::iter::once(pc)), now)
    }));
    table(
        [
            "Line",
            "Address",
            "Code",
            "Issued",
            "Warp cycles",
            "Top stall",
            "Bank conflicts",
            "Sectors per request",
            "Active lanes",
            "Now",
            "Charged cycles",
        ],
        all,
    )
}
