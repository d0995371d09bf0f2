//! What the view says in words: headline, text twin, tooltips, facts.

use super::super::inspector::{Facts, Inspection, inspect_warp};
use super::super::kit::table as twin;
use super::super::words::{counted, percent, thousands};
use super::super::{Table, Target, ViewState};
use super::cloth::{Cloth, Place, Row};
use super::panel::status_words;
use super::{LaneRows, Picture};
use engine::arch::WARP_SIZE;
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::sim::view::LaneStatus;
use engine::trace::Frame;

/// Kernels of the library whose warps are split, with a name: what to open where none is.
pub const DIVERGENT_KERNELS: [(&str, &str); 3] = [
    ("divergence", "four ways"),
    ("ladder-32", "32 ways"),
    ("lock-lanes", "a lock"),
];

/// Whether no warp of the run was ever split.
pub fn is_whole(frame: &Frame) -> bool {
    // On the adversarial schedule lanes part without a branch.
    let parts = frame.trace().options().adversarial && frame.arch().has_independent_threads();
    !parts && frame.record().total().diverged == 0
}

/// `line 14`, or the opcode where there is none.
fn place_text(frame: &Frame, pc: Pc) -> String {
    match frame
        .instruction(pc)
        .map_or(0, |instruction| instruction.span.line)
    {
        0 => frame.mnemonic(pc),
        line => frame.line_text(line),
    }
}

/// `Lane 5`, `Lanes 0 to 7`, `8 lanes`: which lanes.
fn lanes_named(lanes: LaneMask) -> String {
    match super::super::lanes::runs(lanes).as_slice() {
        [(lane, 1)] => format!("Lane {lane}"),
        [(first, num)] => format!("Lanes {first} to {}", first + num - 1),
        _ => counted(lanes.count().into(), "lane"),
    }
}

/// The one true sentence about this warp's lanes.
pub(super) fn sentence(frame: &Frame, slot: SlotIdx, cloth: &Cloth) -> String {
    let record = frame.record();
    if record.tenancy(slot, frame.cycle()).is_none() {
        return format!("No warp has come to slot {} yet: it has no lanes.", slot.0);
    }
    let name = frame.warp_name(slot);
    if frame.warp(slot).is_none() {
        return format!("All lanes of {name} have exited.");
    }
    let Some(row) = cloth.now.and_then(|now| cloth.rows.get(now)) else {
        return format!("{name} has not issued yet: its lanes start together.");
    };
    let (active, live) = (row.active(), row.live());
    let at = place_text(frame, row.pc);
    if active == live {
        let joined = if row.joined.is_empty() {
            ""
        } else {
            ", just converged,"
        };
        return if is_whole(frame) {
            format!(
                "No branch splits a warp in this run: the {} of {name} stay together.",
                counted(live.count().into(), "lane")
            )
        } else {
            format!(
                "{name}{joined} runs whole: all its {} are at {at}.",
                counted(live.count().into(), "lane")
            )
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
                LaneStatus::Running => "for their turn",
                LaneStatus::Converging => "to converge",
                LaneStatus::Syncing => "for a mask's lanes",
                LaneStatus::AtBarrier => "for the block",
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

/// What a group does, in words.
fn group_text(frame: &Frame, place: Place, lanes: LaneMask) -> String {
    let num = counted(lanes.count().into(), "lane");
    match place {
        Place::Gone => format!("{num} exited"),
        Place::Issues(pc) => format!("{num} issue at {}", place_text(frame, pc)),
        Place::Next(pc) => format!("{num} issue next at {}", place_text(frame, pc)),
        Place::Waits(pc, status) => {
            let says = status_words(status).1;
            format!("{num} at {} {says}", place_text(frame, pc))
        }
    }
}

/// The text twin: the rows of the cloth.
pub(super) fn table(picture: &Picture, cloth: &Cloth) -> Table {
    let frame = picture.frame;
    let rows = cloth.rows.iter().map(|row| {
        let active = row.active();
        let elsewhere: Vec<String> = row
            .groups()
            .into_iter()
            .filter(|(place, _)| matches!(place, Place::Waits(..)))
            .map(|(place, lanes)| group_text(frame, place, lanes))
            .collect();
        let event = match (row.diverged, row.joined.is_empty()) {
            (true, _) => "splits".to_owned(),
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
        "Stretch",
        "Lanes",
        "Mask",
        "Event",
        "Elsewhere",
    ];
    twin(columns, rows.collect())
}

/// The row of a warp in a cycle.
fn row_of(frame: &Frame, slot: SlotIdx, cycle: Cycle) -> Option<Row> {
    let at = frame.trace().frame(cycle);
    Cloth::of(&at, slot, LaneRows::Cycles, 2).row_at(cycle).cloned()
}

/// What a tooltip says of a lane in a cycle.
pub(in crate::scene) fn divergence_tooltip(frame: &Frame, target: Target) -> Option<(String, String)> {
    let Target::LaneAt { slot, lane, cycle } = target else {
        return None;
    };
    let row = row_of(frame, SlotIdx(slot), Cycle(cycle))?;
    let place = row.lanes.get(usize::from(lane)).copied()?;
    let name = format!("Lane {lane}, cycle {}", thousands(cycle));
    let mnemonic = |pc| match place_text(frame, pc) {
        text if text == frame.mnemonic(pc) => text,
        text => format!("{} of {text}", frame.mnemonic(pc)),
    };
    let says = match place {
        Place::Gone => "has exited, or was never there".to_owned(),
        Place::Issues(pc) => format!("issues {} with {}", mnemonic(pc), with(&row)),
        Place::Next(pc) => format!("issues {} next, with {}", mnemonic(pc), with(&row)),
        Place::Waits(pc, status) => {
            let how = match status {
                LaneStatus::Running => "waits for its turn",
                LaneStatus::Converging => "waits for the others to converge",
                LaneStatus::Syncing => "waits for the lanes of a mask",
                LaneStatus::AtBarrier => "waits at the block's barrier",
                LaneStatus::OnStack => "waits on the stack",
            };
            format!("{how}, at {}", mnemonic(pc))
        }
    };
    Some((name, says))
}

/// The same of a lane of the row of lanes, which is of the cycle that is shown.
pub fn divergence_lane_tooltip(frame: &Frame, view: &ViewState, target: Target) -> Option<(String, String)> {
    let Target::Lane(lane) = target else {
        return None;
    };
    let slot = view.slot.unwrap_or(SlotIdx(0)).0;
    let cycle = frame.cycle().0;
    divergence_tooltip(frame, Target::LaneAt { slot, lane, cycle })
}

/// `7 others`.
fn with(row: &Row) -> String {
    match row.active().count() - 1 {
        0 => "no other lane".to_owned(),
        1 => "1 other lane".to_owned(),
        num => format!("{num} other lanes"),
    }
}

/// The explanation of the selected warp, with its groups of lanes.
pub fn inspect_divergence(frame: &Frame, view: &ViewState) -> Inspection {
    let slot = view.slot.unwrap_or(SlotIdx(0));
    let mut seen = inspect_warp(frame, slot);
    let total = frame.record().total();
    let mut facts = Vec::new();
    if let Some(warp) = frame.snapshot().warps.iter().find(|warp| warp.slot == slot) {
        let rows = warp.groups.iter().map(|group| {
            let runs = group.status == LaneStatus::Running && group.lanes == warp.active;
            let does = if runs { "run" } else { status_words(group.status).1 };
            (
                lanes_named(group.lanes),
                format!("{does}, {}", place_text(frame, group.pc)),
            )
        });
        facts.push(Facts {
            title: "Where its lanes are".to_owned(),
            rows: rows.collect(),
        });
    }
    facts.push(Facts {
        title: "Whole run".to_owned(),
        rows: vec![
            (
                "Lanes active an issue".to_owned(),
                percent(total.threads_active, total.issued * u64::from(WARP_SIZE)),
            ),
            ("Branches that split a warp".to_owned(), thousands(total.diverged)),
            (
                "Times lanes converged".to_owned(),
                thousands(frame.record().reconvergences().len() as u64),
            ),
        ],
    });
    facts.append(&mut seen.facts);
    Inspection { facts, ..seen }
}
