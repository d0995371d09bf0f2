//! What the Coalescing view says: its sentence, its table, what it says of a thing pointed at.

use super::generations::rows;
use super::plan::{Fetch, Plan, SECTOR_BYTES};
use crate::scene::words::{capital, count_word, counted, percent, thousands};
use engine::access::{AccessOp, CacheLevel};
use engine::arch::{Architecture, CoalescingRule};
use engine::ids::{LaneMask, SlotIdx};
use engine::isa::Op;
use engine::sim::RequestKind;
use engine::trace::{AccessRow, Frame};

/// What an architecture moves at a time.
pub(in crate::scene) fn unit(arch: &Architecture, plan: &Plan) -> &'static str {
    if plan.request.route(arch).1 == CacheLevel::Texture {
        return "line";
    }
    match arch.memory.coalescing.value {
        CoalescingRule::HalfWarpStrict | CoalescingRule::HalfWarpSegments => "segment",
        CoalescingRule::WarpLines => {
            let lines = plan.access.transactions.iter().all(|one| one.bytes == 128);
            if lines { "line" } else { "sector" }
        }
        CoalescingRule::SectorsByLaneGroup | CoalescingRule::Sectors => "sector",
    }
}

/// `one in three`, `two in three`, or a share in percent.
pub(in crate::scene) fn share(part: u32, whole: u32) -> String {
    let ratio = f64::from(whole) / f64::from(part.max(1));
    let near = ratio.round();
    if near >= 2.0 && (ratio - near).abs() < 0.06 * near {
        return format!("one in {}", count_word(near as u64));
    }
    percent(part.into(), whole.into())
}

fn who(lanes: LaneMask) -> String {
    match lanes.count() {
        1 => format!("Lane {}", lanes.lanes().next().unwrap_or(0)),
        num => format!("The {num} lanes"),
    }
}

/// The one true sentence about this request.
pub(super) fn sentence(arch: &Architecture, plan: &Plan) -> String {
    let lanes = plan.request.mask;
    let (used, moved) = (plan.used(), plan.moved());
    let num = u64::from(plan.access.counts.transactions);
    let unit = unit(arch, plan);
    let one_lane = lanes.count() == 1;
    let units = if num == 1 {
        format!("one {unit}")
    } else {
        format!("{} {unit}s", count_word(num))
    };
    let op = plan.request.route(arch).0;
    if op == AccessOp::Atomic {
        let turns = plan.most_on_a_word();
        if turns > 1 {
            return format!(
                "Up to {turns} lanes change one word and take turns: {} of {} bytes.",
                counted(num, "transaction"),
                SECTOR_BYTES
            );
        }
        return format!(
            "{} {} {} bytes in {units}: no two the same word.",
            who(lanes),
            if one_lane { "changes" } else { "change" },
            thousands(used.into())
        );
    }
    let verb = match (op, one_lane) {
        (AccessOp::Store, true) => "writes",
        (AccessOp::Store, false) => "write",
        (_, true) => "uses",
        (_, false) => "use",
    };
    let brings = match (op, num) {
        (AccessOp::Store, 1) => "takes",
        (AccessOp::Store, _) => "take",
        (_, 1) => "brings",
        _ => "bring",
    };
    if plan.access.transactions.len() == 1 && used == plan.request.size && !one_lane {
        let verb = if op == AccessOp::Store { "write" } else { "read" };
        return format!(
            "{} {verb} the same {used} bytes, and one {unit} {brings} {moved}.",
            who(lanes)
        );
    }
    if used == moved {
        return format!(
            "{} {verb} all {} bytes that {units} {brings}: nothing is wasted.",
            who(lanes),
            thousands(moved.into())
        );
    }
    format!(
        "{} {verb} {} of the {} bytes that {units} {brings}: {}.",
        who(lanes),
        thousands(used.into()),
        thousands(moved.into()),
        share(used, moved)
    )
}

/// The name of an address: the buffer that holds it and the bytes from its start.
pub(in crate::scene) fn place_name(frame: &Frame, plan: &Plan, address: u64) -> String {
    if matches!(
        plan.request.kind,
        RequestKind::LocalLoad | RequestKind::LocalStore
    ) {
        return format!("0x{:x}", address & 0xfff_ffff);
    }
    let device = frame.trace().start_memory();
    match device.allocation_of(address, 1) {
        Some(idx) => {
            let allocation = &device.allocations()[idx];
            format!("{}+0x{:x}", allocation.name, address - allocation.base)
        }
        None => format!("0x{address:x}"),
    }
}

/// Rows of the table: the lanes, then the generations.
pub(super) fn table_rows(frame: &Frame, plan: &Plan) -> Vec<[String; 5]> {
    let mut table = Vec::new();
    for lane in 0..32 {
        let Some(line) = plan.line_of(lane) else {
            table.push([lane.to_string(), "off".into(), "–".into(), "–".into(), "0".into()]);
            continue;
        };
        let (from, _) = plan.request.bytes_of(lane);
        table.push([
            lane.to_string(),
            format!("0x{from:x}"),
            place_name(frame, plan, plan.lines[line].base),
            (from / SECTOR_BYTES % 4).to_string(),
            plan.request.size.to_string(),
        ]);
    }
    for row in rows(frame.arch(), &plan.request) {
        let counts = &row.access.counts;
        let current = if row.current { " (this run)" } else { "" };
        table.push([
            format!("{}{current}", row.name),
            counted(counts.transactions.into(), "transaction"),
            counted(row.access.lines.len() as u64, "line"),
            counted(row.access.sectors.len() as u64, "sector"),
            thousands(counts.bytes.into()),
        ]);
    }
    table
}

/// Why lanes take no part in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum Off {
    /// The block has no thread there.
    NoThread,
    /// The instruction's guard is false.
    Predicate,
    /// They ran their EXIT.
    Exited,
    /// They are at another instruction, or have exited long ago.
    Elsewhere,
    /// The condition that was typed is false.
    Condition,
}

impl Off {
    /// From the whole reason to a word.
    pub(in crate::scene) const fn texts(self) -> [&'static str; 4] {
        match self {
            Self::NoThread => ["off: the block ends here", "off: no thread", "no thread", "off"],
            Self::Predicate => [
                "off: the predicate is false",
                "off: predicate",
                "predicate",
                "off",
            ],
            Self::Exited => ["off: they have exited", "off: exited", "exited", "off"],
            Self::Elsewhere => ["off: on another path", "off: other path", "elsewhere", "off"],
            Self::Condition => [
                "off: the condition is false",
                "off: condition",
                "condition",
                "off",
            ],
        }
    }
}

/// How many cycles of a warp are searched for the EXIT of its lanes.
const EXIT_SEARCH: u64 = 20_000;

/// Why each lane that takes no part does not.
pub(in crate::scene) fn off_lanes(frame: &Frame, row: &AccessRow, mask: LaneMask) -> Vec<(u32, Off)> {
    if mask == LaneMask::FULL {
        return Vec::new();
    }
    let record = frame.record();
    let issue = record
        .issues_at(row.issued)
        .find(|issue| issue.slot == row.slot && issue.pc == row.pc);
    let active = issue.map_or(mask, |issue| issue.active);
    let born = lanes_of_warp(frame, row.slot, row);
    let exited = if (active.0 | !born.0) == u32::MAX {
        LaneMask::EMPTY
    } else {
        exited_before(frame, row)
    };
    (0..32)
        .filter(|lane| !mask.contains(*lane))
        .map(|lane| {
            let off = if !born.contains(lane) {
                Off::NoThread
            } else if active.contains(lane) {
                Off::Predicate
            } else if exited.contains(lane) {
                Off::Exited
            } else {
                Off::Elsewhere
            };
            (lane, off)
        })
        .collect()
}

/// Lanes that the block fills.
fn lanes_of_warp(frame: &Frame, slot: SlotIdx, row: &AccessRow) -> LaneMask {
    let threads: u32 = frame.trace().launch().block.iter().product();
    let block = frame.record().block_at(slot, row.issued);
    let place = frame
        .record()
        .blocks()
        .iter()
        .find(|span| Some(span.block) == block)
        .and_then(|span| span.slots.iter().position(|other| *other == slot));
    place.map_or(LaneMask::FULL, |place| {
        LaneMask::first(threads.saturating_sub(place as u32 * 32))
    })
}

fn exited_before(frame: &Frame, row: &AccessRow) -> LaneMask {
    let record = frame.record();
    let Some((since, _)) = record.tenancy(row.slot, row.issued) else {
        return LaneMask::EMPTY;
    };
    if row.issued.0 - since.0 > EXIT_SEARCH {
        return LaneMask::EMPTY;
    }
    let exits = record
        .issues_from(since)
        .take_while(|issue| issue.cycle < row.issued)
        .filter(|issue| issue.slot == row.slot)
        .filter(|issue| {
            frame
                .instruction(issue.pc)
                .is_some_and(|instruction| instruction.op == Op::Exit)
        });
    LaneMask(exits.fold(0, |mask, issue| mask | issue.executed.0))
}

/// `12 of 32 B`.
pub(in crate::scene) fn fetch_label(fetch: &Fetch) -> String {
    format!("{} of {} B", fetch.used, fetch.moved)
}

/// Name and explanation of a fetch.
pub(super) fn fetch_tooltip(frame: &Frame, plan: &Plan, fetch: &Fetch) -> (String, String) {
    let unit = unit(frame.arch(), plan);
    let lanes = counted(fetch.lanes.count().into(), "lane");
    let times = if fetch.times > 1 {
        format!(", moved in {}", counted(fetch.times.into(), "transaction"))
    } else {
        String::new()
    };
    (
        format!(
            "{} of {} bytes at {}",
            capital(unit),
            fetch.span,
            place_name(frame, plan, fetch.base)
        ),
        format!(
            "{lanes} use {} of {} bytes{times}",
            fetch.used,
            thousands(fetch.moved.into())
        ),
    )
}

/// Name and explanation of a lane.
pub(super) fn lane_tooltip(frame: &Frame, plan: &Plan, row: &AccessRow, lane: u32) -> (String, String) {
    if !plan.request.mask.contains(lane) {
        let why = off_lanes(frame, row, plan.request.mask)
            .into_iter()
            .find(|(off, _)| *off == lane)
            .map_or("off", |(_, off)| off.texts()[0]);
        return (format!("Lane {lane}"), why.to_owned());
    }
    let (from, _) = plan.request.bytes_of(lane);
    let bytes = counted(plan.request.size.into(), "byte");
    let line = plan.line_of(lane).unwrap_or(0);
    (
        format!("Lane {lane}  0x{from:x}"),
        format!(
            "{bytes} at {}: line {line}, sector {}",
            place_name(frame, plan, from),
            from / SECTOR_BYTES % 4
        ),
    )
}
