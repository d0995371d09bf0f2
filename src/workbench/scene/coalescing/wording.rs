//! The sentences of the Coalescing view: headline, table, tooltips, labels, and the inspector's
//! explanation.

use super::constants::constant_analysis;
use super::generations::rows;
use super::plan::{Fetch, Plan, SECTOR_BYTES};
use crate::scene::Target;
use crate::words::{capital, count_word, counted, percent, thousands};
use engine::access::{AccessOp, CacheLevel};
use engine::arch::{Architecture, CoalescingRule};
use engine::ids::{LaneMask, SlotIdx};
use engine::isa::Op;
use engine::sim::{Access, RequestKind};
use engine::trace::{AccessRow, Frame};

/// The unit of an architecture's transactions: `segment`, `line`, or `sector`.
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

/// The share of used bytes: `one byte in three`, or percent where that is not close.
fn used_share(part: u32, whole: u32) -> String {
    let ratio = f64::from(whole) / f64::from(part.max(1));
    let near = ratio.round();
    if near >= 2.0 && (ratio - near).abs() < 0.06 * near {
        return format!("one byte in {}", count_word(near as u64));
    }
    percent(part.into(), whole.into())
}

fn lanes_subject(lanes: LaneMask) -> String {
    match lanes.count() {
        1 => format!("Lane {}", lanes.lanes().next().unwrap_or(0)),
        num => format!("The {num} lanes"),
    }
}

/// The headline about a request to global or local memory.
pub(super) fn headline(arch: &Architecture, plan: &Plan) -> String {
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
                "Up to {turns} lanes update the same word and serialize: {} of {} bytes.",
                counted(num, "transaction"),
                SECTOR_BYTES
            );
        }
        return format!(
            "{} {} {} bytes in {units}: no two lanes share a word.",
            lanes_subject(lanes),
            if one_lane { "updates" } else { "update" },
            thousands(used.into())
        );
    }
    let verb = match (op, one_lane) {
        (AccessOp::Store, true) => "writes",
        (AccessOp::Store, false) => "write",
        (_, true) => "uses",
        (_, false) => "use",
    };
    let moves = if op == AccessOp::Store { "moved" } else { "fetched" };
    if plan.access.transactions.len() == 1 && used == plan.request.size && !one_lane {
        let verb = if op == AccessOp::Store { "write" } else { "read" };
        return format!(
            "{} {verb} the same {used} bytes of the {moved} bytes {moves} in one {unit}.",
            lanes_subject(lanes)
        );
    }
    if used == moved {
        return format!(
            "{} {verb} all {} bytes {moves} in {units}: no byte is wasted.",
            lanes_subject(lanes),
            thousands(moved.into())
        );
    }
    format!(
        "{} {verb} {} of the {} bytes {moves} in {units}: {}.",
        lanes_subject(lanes),
        thousands(used.into()),
        thousands(moved.into()),
        used_share(used, moved)
    )
}

/// The name of an address: its buffer and the byte offset in the buffer.
pub(in crate::scene) fn place_name(frame: &Frame, plan: &Plan, address: u64) -> String {
    if matches!(
        plan.request.kind,
        RequestKind::LocalLoad | RequestKind::LocalStore
    ) {
        return format!("0x{:x}", address & 0xfff_ffff);
    }
    frame.trace().start_memory().place_text(address)
}

/// Rows of the text twin: the lanes, then the generations.
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

/// Why a lane is inactive in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum Off {
    /// The block has no thread in this lane.
    NoThread,
    /// The instruction's guard is false.
    Predicate,
    /// The lane has exited.
    Exited,
    /// The lane is at another instruction, or exited earlier than the search looks back.
    Elsewhere,
    /// The typed condition is false.
    Condition,
}

impl Off {
    /// The reason in four lengths, longest first.
    pub(in crate::scene) const fn texts(self) -> [&'static str; 4] {
        match self {
            Self::NoThread => [
                "off: no thread in this lane",
                "off: no thread",
                "no thread",
                "off",
            ],
            Self::Predicate => [
                "off: the predicate is false",
                "off: predicate",
                "predicate",
                "off",
            ],
            Self::Exited => ["off: exited", "off: exited", "exited", "off"],
            Self::Elsewhere => ["off: other path", "off: other path", "elsewhere", "off"],
            Self::Condition => [
                "off: the condition is false",
                "off: condition",
                "condition",
                "off",
            ],
        }
    }
}

/// Number of a warp's cycles to search for the EXIT of its lanes.
const EXIT_SEARCH: u64 = 20_000;

/// The inactive lanes of a request, each with the reason.
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

/// Lanes of the warp that have a thread of the block.
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

/// The used and the moved bytes of a fetch: `12 of 32 B`.
pub(in crate::scene) fn fetch_label(fetch: &Fetch) -> String {
    format!("{} of {} B", fetch.used, fetch.moved)
}

/// Tooltip of a fetch.
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

/// Tooltip of a lane.
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

/// The address pattern, the coalescing rule, and the resulting transactions. Asterisks enclose the numbers
/// to set bold.
pub(in crate::scene) fn transaction_reason(frame: &Frame, plan: &Plan) -> String {
    let addresses: Vec<u64> = plan
        .request
        .mask
        .lanes()
        .map(|lane| plan.request.bytes_of(lane).0)
        .collect();
    let step = |pair: &[u64]| pair[1].wrapping_sub(pair[0]) as i64;
    let common = addresses
        .windows(2)
        .next()
        .map(step)
        .filter(|first| addresses.windows(2).all(|pair| step(pair) == *first));
    let mut text = match (addresses.len(), common) {
        (0 | 1, _) => "One lane is active. ".to_owned(),
        (_, Some(0)) => "All lanes access the same address. ".to_owned(),
        (_, Some(step)) => format!(
            "Adjacent lanes are *{}* apart. ",
            counted(step.unsigned_abs(), "byte")
        ),
        _ => "The lanes' addresses have no common stride. ".to_owned(),
    };
    let arch = frame.arch();
    let (op, level) = plan.request.route(arch);
    let unit = unit(arch, plan);
    let counts = &plan.access.counts;
    text += match (arch.memory.coalescing.value, op, level) {
        (_, AccessOp::Atomic, _) => "Atomics execute at the memory, and lanes on the same word serialize. ",
        (.., CacheLevel::Texture) => "The texture cache fetches the accessed lines of 32 bytes. ",
        (CoalescingRule::HalfWarpStrict, ..) => {
            "A half-warp takes one segment if lane k accesses word k of it, else one segment per lane. "
        }
        (CoalescingRule::HalfWarpSegments, ..) => {
            "A half-warp takes one transaction per accessed segment, reduced to the used half. "
        }
        (CoalescingRule::WarpLines, _, CacheLevel::L1) => "Loads through L1 fetch whole lines of 128 bytes. ",
        (CoalescingRule::WarpLines, _, CacheLevel::L2) => {
            "Accesses that bypass L1 move only sectors of 32 bytes. "
        }
        _ => "Only accessed sectors of 32 bytes move. ",
    };
    let num = u64::from(counts.transactions);
    text += &format!(
        "*{}* {} *{} B*",
        counted(num, unit),
        if num == 1 { "moves" } else { "move" },
        thousands(plan.moved().into())
    );
    let least = u64::from(plan.used()).div_ceil(SECTOR_BYTES);
    let sectors = u64::from(counts.sectors);
    if sectors > least {
        text += &format!("; the used bytes fit in {}.", counted(least, "sector"));
    } else {
        text += ".";
    }
    text
}

/// The headline about a constant load.
pub(in crate::scene) fn constant_headline(frame: &Frame, access: &Access) -> String {
    let num = constant_analysis(frame, access).requests.len() as u64;
    let lanes = counted(access.mask.count().into(), "lane");
    let read = if access.mask.count() == 1 { "reads" } else { "read" };
    let mut addresses: Vec<u64> = access
        .mask
        .lanes()
        .map(|lane| access.addresses[lane as usize])
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    match (addresses.len(), num) {
        (1, 1) => format!("{lanes} {read} the same constant: it is broadcast in one request."),
        (1, num) => format!(
            "{lanes} {read} the same constant: {} requests, one per half-warp.",
            count_word(num)
        ),
        (distinct, num) => {
            format!("{lanes} read {distinct} different constants: this load takes {num} requests.")
        }
    }
}

/// Tooltip of a target in the view of a constant load.
pub(super) fn constant_tooltip(frame: &Frame, access: &Access, target: Target) -> Option<(String, String)> {
    let served = constant_analysis(frame, access);
    match target {
        Target::Lane(lane) => {
            let place = served
                .requests
                .iter()
                .position(|request| request.lanes.contains(lane.into()))?;
            Some((
                format!("Lane {lane}"),
                format!(
                    "offset 0x{:x}, request {}",
                    served.requests[place].address,
                    place + 1
                ),
            ))
        }
        Target::Fetch(idx) => {
            let request = served.requests.get(usize::from(idx))?;
            Some((
                format!("Request {}: offset 0x{:x}", idx + 1, request.address),
                format!("serves {}", counted(request.lanes.count().into(), "lane")),
            ))
        }
        _ => None,
    }
}

/// The labels of the bytes that lanes use, of the bytes moved without use, and of the bytes not moved.
pub(super) const fn byte_labels(kind: RequestKind) -> [&'static str; 3] {
    match kind {
        RequestKind::GlobalStore | RequestKind::LocalStore => {
            ["written", "moved but not written", "not touched"]
        }
        RequestKind::GlobalAtomic | RequestKind::GlobalReduction => {
            ["updated", "moved but not updated", "not touched"]
        }
        _ => ["used", "fetched but unused", "not fetched"],
    }
}

/// Tooltip of a generation's row: its name and its coalescing rule.
pub(super) fn generation_tooltip(frame: &Frame, plan: &Plan, idx: u8) -> Option<(String, String)> {
    let row = rows(frame.arch(), &plan.request).into_iter().nth(idx.into())?;
    let percent = percent(row.access.used_bytes.into(), row.access.counts.bytes.into());
    Some((
        format!("{}  {percent} used", row.name),
        row.machines[0].memory.coalescing.value.to_string(),
    ))
}

/// The headline of a run without requests to global memory.
pub(in crate::scene) const UNUSED: &str = "This run does not read or write global memory.";

/// What to write to see a request.
pub(super) const fn use_hint(phone: bool) -> &'static str {
    if phone {
        "Read through a pointer to see its lines here."
    } else {
        "Read or write through a pointer to see the lines that it accesses here."
    }
}
