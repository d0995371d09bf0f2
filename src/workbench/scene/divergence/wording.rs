//! The sentences of the Divergence view: headline, text twin, tooltips, and facts.

use super::super::inspector::{Facts, Inspection, inspect_warp};
use super::super::kit::table as table_of;
use super::super::{Table, Target, ViewState};
use super::lane_history::{LaneHistory, Place, Row};
use super::{LaneRows, Picture};
use crate::words::{counted, percent, thousands};
use engine::arch::WARP_SIZE;
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::isa::Token;
use engine::sim::view::{LaneStatus, StackEntryKind};
use engine::trace::Frame;

/// Library kernels with divergent warps, each with a label: suggestions for a run without divergence.
pub const DIVERGENT_KERNELS: [(&str, &str); 3] = [
    ("divergence", "4 paths"),
    ("ladder-32", "32 paths"),
    ("lock-lanes", "a lock"),
];

/// Whether no warp of the run ever diverged.
pub fn is_whole(frame: &Frame) -> bool {
    // The adversarial schedule splits warps without a branch.
    let splits_anywhere = frame.trace().options().adversarial && frame.arch().has_independent_threads();
    !splits_anywhere && frame.record().total().diverged == 0
}

/// The location of an instruction: `line 14`, or its opcode if it has no line.
fn place_text(frame: &Frame, pc: Pc) -> String {
    match frame
        .instruction(pc)
        .map_or(0, |instruction| instruction.span.line)
    {
        0 => frame.mnemonic(pc),
        line => frame.line_text(line),
    }
}

/// The lanes of a mask: `Lane 5`, `Lanes 0 to 7`, `8 lanes`.
fn lanes_text(lanes: LaneMask) -> String {
    match super::super::lanes::runs(lanes).as_slice() {
        [(lane, 1)] => format!("Lane {lane}"),
        [(first, num)] => format!("Lanes {first} to {}", first + num - 1),
        _ => counted(lanes.count().into(), "lane"),
    }
}

/// The headline about a warp's lanes.
pub(super) fn headline(frame: &Frame, slot: SlotIdx, history: &LaneHistory) -> String {
    let record = frame.record();
    if record.tenancy(slot, frame.cycle()).is_none() {
        return format!(
            "No warp has been resident in slot {} yet: it has no lanes.",
            slot.0
        );
    }
    let name = frame.warp_name(slot);
    if frame.warp(slot).is_none() {
        return format!("All lanes of {name} have exited.");
    }
    let Some(row) = history.now.and_then(|now| history.rows.get(now)) else {
        return format!("{name} has not issued yet: its lanes start converged.");
    };
    let (active, live) = (row.active(), row.live());
    let at = place_text(frame, row.pc);
    if active == live {
        let verb = if row.joined.is_empty() {
            "is converged"
        } else {
            "has just reconverged"
        };
        return if is_whole(frame) {
            format!(
                "No branch diverges in this run: the {} of {name} stay converged.",
                counted(live.count().into(), "lane")
            )
        } else {
            let lanes = match live.count() {
                1 => "its only lane is".to_owned(),
                num => format!("its {num} lanes are"),
            };
            format!("{name} {verb}: {lanes} at {at}.")
        };
    }
    if active.is_empty() {
        return format!("No lane of {name} can run: all {} wait.", live.count());
    }
    let mut waits: Vec<(LaneStatus, u32)> = Vec::new();
    for (place, lanes) in row.groups() {
        if let Place::Waits(_, status) = place {
            match waits.iter_mut().find(|(of, _)| *of == status) {
                Some((_, num)) => *num += lanes.count(),
                None => waits.push((status, lanes.count())),
            }
        }
    }
    let waits: Vec<String> = waits
        .iter()
        .enumerate()
        .map(|(idx, (status, num))| {
            let verb = if idx == 0 { " wait" } else { "" };
            let how = match status {
                LaneStatus::Running => "to run",
                LaneStatus::Converging => "to converge",
                LaneStatus::Syncing => "for a member mask",
                LaneStatus::AtBarrier => "at the block's barrier",
                LaneStatus::OnStack => "on the stack",
            };
            format!("{num}{verb} {how}")
        })
        .collect();
    format!(
        "{name} runs {} of {} lanes at {at}; {}.",
        active.count(),
        live.count(),
        waits.join(", ")
    )
}

/// What a group of lanes does.
fn group_text(frame: &Frame, place: Place, lanes: LaneMask) -> String {
    let num = counted(lanes.count().into(), "lane");
    match place {
        Place::Gone => format!("{num} exited"),
        Place::Issues(pc) => format!("{num} issue at {}", place_text(frame, pc)),
        Place::Next(pc) => format!("{num} issue next at {}", place_text(frame, pc)),
        Place::Waits(pc, status) => {
            let predicate = status_names(status).1;
            format!("{num} at {} {predicate}", place_text(frame, pc))
        }
    }
}

/// The text twin: the rows of the lane history.
pub(super) fn table(picture: &Picture, history: &LaneHistory) -> Table {
    let frame = picture.frame;
    let rows = history.rows.iter().map(|row| {
        let active = row.active();
        let elsewhere: Vec<String> = row
            .groups()
            .into_iter()
            .filter(|(place, _)| matches!(place, Place::Waits(..)))
            .map(|(place, lanes)| group_text(frame, place, lanes))
            .collect();
        let event = match (row.diverged, row.joined.is_empty()) {
            (true, _) => "diverges".to_owned(),
            (false, false) => format!("{} converge", row.joined.count()),
            (false, true) => String::new(),
        };
        [
            thousands(row.cycle.0),
            match picture.line_of(row.pc) {
                0 => "–".to_owned(),
                line => frame.trace().program().line_name(line),
            },
            frame.mnemonic(row.pc),
            picture.blocks.letter(row.pc),
            active.count().to_string(),
            format!("{:#010x}", active.0),
            event,
            elsewhere.join("; "),
        ]
    });
    let columns = [
        "Cycle",
        "Line",
        "Instruction",
        "Basic block",
        "Lanes",
        "Mask",
        "Event",
        "Elsewhere",
    ];
    table_of(columns, rows.collect())
}

/// The row of a warp in a cycle.
fn row_of(frame: &Frame, slot: SlotIdx, cycle: Cycle) -> Option<Row> {
    let at = frame.trace().frame(cycle);
    LaneHistory::of(&at, slot, LaneRows::Cycles, 2)
        .row_at(cycle)
        .cloned()
}

/// Tooltip of a lane at a cycle.
pub(in crate::scene) fn divergence_tooltip(frame: &Frame, target: Target) -> Option<(String, String)> {
    let Target::LaneAt { slot, lane, cycle } = target else {
        return None;
    };
    let row = row_of(frame, SlotIdx(slot), Cycle(cycle))?;
    let place = row.lanes.get(usize::from(lane)).copied()?;
    let name = format!("Lane {lane}, cycle {}", thousands(cycle));
    let mnemonic = |pc| match place_text(frame, pc) {
        text if text == frame.mnemonic(pc) => text,
        text => format!("{} at {text}", frame.mnemonic(pc)),
    };
    let text = match place {
        Place::Gone => "exited, or without a thread".to_owned(),
        Place::Issues(pc) => format!("issues {} with {}", mnemonic(pc), other_lanes(&row)),
        Place::Next(pc) => format!("issues {} next, with {}", mnemonic(pc), other_lanes(&row)),
        Place::Waits(pc, status) => {
            let how = match status {
                LaneStatus::Running => "waits to run",
                LaneStatus::Converging => "waits to converge",
                LaneStatus::Syncing => "waits for the lanes of a member mask",
                LaneStatus::AtBarrier => "waits at the block's barrier",
                LaneStatus::OnStack => "waits on the stack",
            };
            format!("{how}, at {}", mnemonic(pc))
        }
    };
    Some((name, text))
}

/// Tooltip of a lane in the row of lanes at the current cycle.
pub fn divergence_lane_tooltip(frame: &Frame, view: &ViewState, target: Target) -> Option<(String, String)> {
    let Target::Lane(lane) = target else {
        return None;
    };
    let slot = view.slot.unwrap_or(SlotIdx(0)).0;
    let cycle = frame.cycle().0;
    divergence_tooltip(frame, Target::LaneAt { slot, lane, cycle })
}

/// The other active lanes of a row: `7 other lanes`.
fn other_lanes(row: &Row) -> String {
    match row.active().count() - 1 {
        0 => "no other lane".to_owned(),
        1 => "1 other lane".to_owned(),
        num => format!("{num} other lanes"),
    }
}

/// Explains the selected warp, with its groups of lanes.
pub fn inspect_divergence(frame: &Frame, view: &ViewState) -> Inspection {
    let slot = view.slot.unwrap_or(SlotIdx(0));
    let mut seen = inspect_warp(frame, slot);
    let total = frame.record().total();
    let mut facts = Vec::new();
    if let Some(warp) = frame.snapshot().warps.iter().find(|warp| warp.slot == slot) {
        let rows = warp.groups.iter().map(|group| {
            let runs = group.status == LaneStatus::Running && group.lanes == warp.active;
            let predicate = if runs { "run" } else { status_names(group.status).1 };
            (
                lanes_text(group.lanes),
                format!("{predicate}, {}", place_text(frame, group.pc)),
            )
        });
        facts.push(Facts {
            title: "Groups of lanes".to_owned(),
            rows: rows.collect(),
        });
    }
    facts.push(Facts {
        title: "Whole run".to_owned(),
        rows: vec![
            (
                "Active lanes per issue".to_owned(),
                percent(total.threads_active, total.issued * u64::from(WARP_SIZE)),
            ),
            ("Divergent branches".to_owned(), thousands(total.diverged)),
            (
                "Reconvergences".to_owned(),
                thousands(frame.record().reconvergences().len() as u64),
            ),
        ],
    });
    facts.append(&mut seen.facts);
    Inspection { facts, ..seen }
}

/// What waiting lanes wait for: a short name for a row, and the predicate for the text twin.
pub(super) const fn status_names(status: LaneStatus) -> (&'static str, &'static str) {
    match status {
        LaneStatus::Running => ("ready", "wait to run"),
        LaneStatus::Converging => ("conv", "wait to converge"),
        LaneStatus::Syncing => ("sync", "wait for the lanes of a member mask"),
        LaneStatus::AtBarrier => ("bar", "wait at the block's barrier"),
        LaneStatus::OnStack => ("stack", "wait on the stack"),
    }
}

/// What to do in a view without lanes.
pub(super) const EMPTY_HINT: &str = "Choose another warp with ↑ and ↓, or another cycle.";

/// The text of a panel without entries.
pub(super) const NO_WARP: &str = "No warp is resident in this slot at this cycle.";

/// The entries that do not fit.
pub(super) fn entries_left_out(num: usize) -> String {
    if num == 1 {
        "and 1 more entry".to_owned()
    } else {
        format!("and {num} more entries")
    }
}

/// The arrivals at a convergence barrier.
pub(super) fn arrivals(arrived: u32, members: u32) -> String {
    format!("{arrived} of {} have arrived", counted(members.into(), "lane"))
}

/// The name and the meaning of an entry of the reconvergence stack.
pub(super) const fn stack_entry_names(kind: StackEntryKind) -> (&'static str, &'static str) {
    match kind {
        StackEntryKind::Diverged => ("branch", "the other path of a branch"),
        StackEntryKind::Token(Token::Ssy) => ("SSY", "reconvergence point of a branch"),
        StackEntryKind::Token(Token::Brk) => ("BRK", "reconvergence point of the lanes that leave a loop"),
        StackEntryKind::Token(Token::Cont) => {
            ("CONT", "reconvergence point of the lanes that continue a loop")
        }
        StackEntryKind::Token(Token::Ret) => ("RET", "reconvergence point of the lanes that return"),
        StackEntryKind::Call => ("CALL", "return address of a call"),
    }
}
