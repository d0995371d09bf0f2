//! The sentences of the Registers view: headlines, text twin, tooltips, and facts.

use super::super::inspector::Facts;
use super::super::{NumberFormat, Table, Target, ViewState};
use super::contents::{Contents, Row, WRITE_WINDOW, Write};
use super::number::number;
use super::{shared, wide_table};
use crate::words::{awaited_copies, counted, cycles_until, thousands};
use engine::ids::{LaneMask, Pc, SlotIdx};
use engine::isa::Reg;
use engine::sim::WaitCause;
use engine::sim::view::{ScoreboardEntry, ScoreboardTarget};
use engine::trace::Frame;

/// The names of rows: `R6`, `R6 and R7`, `4 registers`.
fn row_names(rows: &[&Row]) -> String {
    match rows {
        [one] => one.name.clone(),
        [one, two] => format!("{} and {}", one.name, two.name),
        rows => format!("{} registers", rows.len()),
    }
}

/// What the picture has no room for.
pub(super) fn rest_text(num: usize) -> String {
    format!(
        "Not shown: {}, last written earlier.",
        counted(num as u64, "register")
    )
}

/// The headline about a warp's registers or predicates.
pub(super) fn headline(frame: &Frame, slot: SlotIdx, contents: &Contents, of_predicates: bool) -> String {
    let name = frame.warp_name(slot);
    let now = frame.cycle().0;
    if contents.live.is_empty() {
        return format!("All lanes of {name} have exited: its registers hold no values.");
    }
    if of_predicates && contents.issues.is_empty() {
        let held: Vec<String> = contents
            .predicates
            .iter()
            .take(3)
            .map(|row| {
                let count = row
                    .values
                    .iter()
                    .zip(0..)
                    .filter(|(value, lane)| **value == 1 && contents.live.contains(*lane));
                format!(
                    "{} is true in {} of {}",
                    row.name,
                    count.count(),
                    contents.live.count()
                )
            })
            .collect();
        return format!("{name}: {} lanes.", held.join(", "));
    }
    let rows = || contents.registers.iter().chain(&contents.predicates);
    let written: Vec<&Row> = rows().filter(|row| !row.written.is_empty()).collect();
    let activity = match (contents.issues.first(), written.first()) {
        (Some(_), Some(first)) => {
            format!(
                "{name} writes {} in {}",
                row_names(&written),
                lanes_text(first.written)
            )
        }
        (Some(issue), None) => {
            let mnemonic = frame.mnemonic(issue.pc);
            format!("{name} issues {mnemonic}, which writes no register")
        }
        (None, _) => {
            let stall = |what: String, ready: Option<engine::ids::Cycle>, is_earliest| match ready {
                Some(ready) => format!(
                    "{name} stalls on {what}, which is ready in {}.",
                    cycles_until(ready.0.saturating_sub(now), is_earliest)
                ),
                None => format!("{name} stalls on {what}."),
            };
            match frame.cause(slot) {
                WaitCause::Register {
                    reg,
                    ready,
                    is_earliest,
                    ..
                } => return stall(format!("R{reg}"), ready, is_earliest),
                WaitCause::Predicate { pred, ready, .. } => return stall(format!("P{pred}"), ready, false),
                WaitCause::Copies { left, ready, .. } => {
                    let stall = ready.map_or_else(String::new, |ready| {
                        let left = cycles_until(ready.0.saturating_sub(now), false);
                        format!(", which land in {left}")
                    });
                    return format!("{name} stalls on {}{stall}.", awaited_copies(left));
                }
                _ => format!("{name} writes no register in this cycle"),
            }
        }
    };
    if let Some(row) = rows().find(|row| row.arrives.is_some()) {
        return format!("{activity}; {} is ready in this cycle.", row.name);
    }
    let soon = rows()
        .filter(|row| row.written.is_empty())
        .filter_map(|row| Some((row.pending?, row)))
        .min_by_key(|(entry, _)| entry.ready);
    match soon {
        Some((entry, row)) => format!(
            "{activity}; {} is ready in {}.",
            row.name,
            cycles_left(&entry, now)
        ),
        None => format!("{activity}."),
    }
}

/// An instruction with its line: `LDG, line 19`.
pub(super) fn instruction_text(frame: &Frame, pc: Pc) -> String {
    match frame.instruction(pc) {
        Some(instruction) if instruction.span.line > 0 => {
            format!(
                "{}, {}",
                frame.mnemonic(pc),
                frame.line_text(instruction.span.line)
            )
        }
        _ => frame.mnemonic(pc),
    }
}

/// A write with its instruction and cycle: `LDG, line 19, cycle 812`.
pub(super) fn write_text(frame: &Frame, write: Write) -> String {
    format!(
        "{}, cycle {}",
        instruction_text(frame, write.pc),
        thousands(write.cycle)
    )
}

/// The last write of a register: `LDG, line 19, cycle 812`.
fn last_writer(frame: &Frame, slot: SlotIdx, row: &Row, live: u32) -> String {
    let Some(write) = row.last_write() else {
        let since = frame.record().tenancy(slot, frame.cycle());
        let whole = since.is_some_and(|(since, _)| since.0 + WRITE_WINDOW > frame.cycle().0);
        return if whole {
            "not written yet".to_owned()
        } else {
            format!("not in the last {} cycles", thousands(WRITE_WINDOW))
        };
    };
    let lanes = row
        .writes
        .iter()
        .flatten()
        .filter(|other| **other == write)
        .count() as u32;
    let lanes = if lanes < live {
        format!(", {}", counted(lanes.into(), "lane"))
    } else {
        String::new()
    };
    format!("{}{lanes}", write_text(frame, write))
}

/// The number of cycles until a result is ready.
fn cycles_left(entry: &ScoreboardEntry, now: u64) -> String {
    cycles_until(entry.ready.0.saturating_sub(now), entry.is_earliest)
}

/// The accesses of a register in this cycle, and its pending result.
fn row_activity(row: &Row, now: u64) -> String {
    let mut parts = Vec::new();
    if !row.read.is_empty() {
        parts.push(format!("read in {}", lanes_text(row.read)));
    }
    if !row.written.is_empty() {
        parts.push(format!("written in {}", lanes_text(row.written)));
    }
    if let Some(entry) = row.pending {
        parts.push(format!("pending, ready in {}", cycles_left(&entry, now)));
    }
    if row.arrives.is_some() {
        parts.push("ready in this cycle".to_owned());
    }
    parts.join("; ")
}

/// The text twin of registers or predicates.
pub(super) fn lane_table(first: &str, rows: Vec<Vec<String>>) -> Table {
    wide_table(&[first, "In this cycle", "Last written by"], "Lane", 32, rows)
}

/// The text twin with the full values of all live lanes.
pub(super) fn table(
    frame: &Frame,
    slot: SlotIdx,
    contents: &Contents,
    rows: &[Row],
    format: NumberFormat,
) -> Table {
    let is_predicate = rows.first().is_some_and(|row| row.name.starts_with('P'));
    let cells = |row: &Row| {
        let mut cells = vec![
            row.name.clone(),
            row_activity(row, frame.cycle().0),
            last_writer(frame, slot, row, contents.live.count()),
        ];
        cells.extend((0..32).map(|lane| {
            let value = row.values[lane as usize];
            match (contents.live.contains(lane), is_predicate) {
                (false, _) => "–".to_owned(),
                (true, true) => value.to_string(),
                (true, false) => number(value, row.wide, format),
            }
        }));
        cells
    };
    let first = if is_predicate { "Predicate" } else { "Register" };
    lane_table(first, rows.iter().map(cells).collect())
}

/// A word in all formats: `0x3f800000, 1065353216, 1.0 as float`; the signed value only if it differs.
pub(super) fn all_formats(bits: u32) -> String {
    let text = |format| number(bits.into(), false, format);
    let (unsigned, signed) = (text(NumberFormat::Unsigned), text(NumberFormat::Int));
    let signed = if signed == unsigned {
        String::new()
    } else {
        format!(" or {signed}")
    };
    format!(
        "0x{}, {unsigned}{signed}, {} as float",
        text(NumberFormat::Hex),
        text(NumberFormat::Float)
    )
}

/// Tooltip of a register, a predicate, a word of shared memory, or a parameter.
pub(in crate::scene) fn value_tooltip(frame: &Frame, target: Target) -> Option<(String, String)> {
    let now = frame.cycle().0;
    let pending = |row: &Row| match row.pending {
        Some(entry) => format!("; ready in {}", cycles_left(&entry, now)),
        None => String::new(),
    };
    match target {
        Target::Register { slot, reg } => {
            let (contents, row) = find(frame, SlotIdx(slot), reg)?;
            let who = last_writer(frame, SlotIdx(slot), &row, contents.live.count());
            Some((row.name.clone(), format!("← {who}{}", pending(&row))))
        }
        Target::Value { slot, reg, lane } => {
            let (_, row) = find(frame, SlotIdx(slot), reg)?;
            let bits = row.values[usize::from(lane)] as u32;
            let who = row.writes[usize::from(lane)].map_or_else(
                || "not written yet".to_owned(),
                |write| format!("← {}", write_text(frame, write)),
            );
            Some((
                format!("{} of lane {lane}", row.name),
                format!("{}; {who}{}", all_formats(bits), pending(&row)),
            ))
        }
        Target::Predicate { slot, pred, lane } => {
            let contents = Contents::of(frame, SlotIdx(slot), false)?;
            let row = contents.predicates.iter().find(|row| row.idx == pred)?;
            let value = if row.values[usize::from(lane)] == 1 {
                "true"
            } else {
                "false"
            };
            let who = last_writer(frame, SlotIdx(slot), row, contents.live.count());
            Some((format!("P{pred} of lane {lane}"), format!("{value}; ← {who}")))
        }
        Target::SharedWord { block, offset } => shared::word_tooltip(frame, block, offset),
        Target::Parameter(offset) => super::parameters::parameter_tooltip(frame, offset),
        _ => None,
    }
}

fn find(frame: &Frame, slot: SlotIdx, reg: u8) -> Option<(Contents, Row)> {
    let contents = Contents::of(frame, slot, false)?;
    let row = contents.registers.iter().find(|row| row.idx == reg)?.clone();
    Some((contents, row))
}

/// The name of a register or a predicate: `R8`, `P0`.
pub(in crate::scene) fn target_name(target: ScoreboardTarget) -> String {
    match target {
        ScoreboardTarget::Register(reg) => format!("R{reg}"),
        ScoreboardTarget::Predicate(pred) => format!("P{pred}"),
    }
}

/// Facts about a warp's registers for the inspector: the selected value and the pending results.
pub(in crate::scene) fn register_facts(frame: &Frame, slot: SlotIdx, view: &ViewState) -> Vec<Facts> {
    let mut facts = Vec::new();
    if let Some(reg) = view.register
        && let Some(found) = frame.trace().with_machine(frame.cycle(), |machine| {
            let low = machine.register(slot, Reg(reg))?;
            Some((low, machine.register(slot, Reg(reg.saturating_add(1)))))
        })
    {
        let lane = view.lane.unwrap_or(0);
        let at = usize::from(lane).min(31);
        let (low, high) = (found.0[at], found.1.map(|row| row[at]));
        let mut rows: Vec<(String, String)> = [
            ("Hex", NumberFormat::Hex),
            ("Signed", NumberFormat::Int),
            ("Unsigned", NumberFormat::Unsigned),
            ("Float", NumberFormat::Float),
        ]
        .into_iter()
        .map(|(name, format)| (name.to_owned(), number(low.into(), false, format)))
        .collect();
        if let Some(high) = high.filter(|_| reg % 2 == 0) {
            let pair = u64::from(high) << 32 | u64::from(low);
            rows.push((
                format!("R{reg}:{} hex", reg + 1),
                number(pair, true, NumberFormat::Hex),
            ));
            rows.push(("as double".to_owned(), number(pair, true, NumberFormat::Float)));
        }
        facts.push(Facts {
            title: format!("R{reg} in lane {lane}"),
            rows,
        });
    }
    facts.extend(pending_registers(frame, slot));
    facts
}

/// Registers with a pending result, soonest first.
pub(in crate::scene) fn pending_registers(frame: &Frame, slot: SlotIdx) -> Option<Facts> {
    const MOST: usize = 8;
    let view = frame.snapshot().warps.iter().find(|view| view.slot == slot)?;
    let mut entries: Vec<&ScoreboardEntry> = view.scoreboard.iter().collect();
    entries.sort_by_key(|entry| entry.ready);
    let mut rows: Vec<(String, String)> = entries
        .iter()
        .take(MOST)
        .map(|entry| {
            (
                format!(
                    "{} from {}",
                    target_name(entry.target),
                    instruction_text(frame, entry.producer)
                ),
                format!(
                    "{}{}",
                    if entry.is_earliest { "≥ " } else { "" },
                    counted(entry.ready.0.saturating_sub(frame.cycle().0), "cycle")
                ),
            )
        })
        .collect();
    if entries.len() > MOST {
        rows.push((format!("and {} more", entries.len() - MOST), String::new()));
    }
    (!rows.is_empty()).then(|| Facts {
        title: "Pending results".to_owned(),
        rows,
    })
}

/// Why a slot has no registers to show.
pub(super) fn no_warp(frame: &Frame, slot: SlotIdx) -> String {
    let record = frame.record();
    if record.tenancy(slot, frame.cycle()).is_none() {
        return format!(
            "No warp has been resident in slot {} yet: it has no registers.",
            slot.0
        );
    }
    let end = frame.run(slot).map_or(0, |run| run.start.0).saturating_sub(1);
    format!(
        "{} finished at cycle {}: its registers are free.",
        frame.warp_name(slot),
        thousands(end)
    )
}

/// Why a slot has no shared memory to show.
pub(super) fn no_block(frame: &Frame, slot: SlotIdx) -> String {
    match frame.record().block_at(slot, frame.cycle()) {
        Some(block) => format!("Block {} has finished: its shared memory is free.", block.0),
        None => format!(
            "No block has been resident in slot {} yet: it has no shared memory.",
            slot.0
        ),
    }
}

/// The lanes of a mask: `32 lanes`, or `lane 5`.
pub(super) fn lanes_text(lanes: LaneMask) -> String {
    match lanes.count() {
        1 => format!("lane {}", lanes.lanes().next().unwrap_or(0)),
        num => counted(u64::from(num), "lane"),
    }
}

/// What to do in a view without values.
pub(super) const EMPTY_HINT: &str = "Choose another warp with ↑ and ↓, or another cycle.";

/// The headline of a kernel without registers or predicates.
pub(super) fn unused(what: &str) -> String {
    format!("This kernel uses no {what}.")
}

/// The headline of a kernel without shared memory.
pub(super) const NO_SHARED_MEMORY: &str = "This kernel uses no shared memory.";

/// The headline of a cycle with a store to shared memory.
pub(super) fn stores(warp: &str, stored: u64, block: u32, changed: u64) -> String {
    format!(
        "{warp} stores {} in block {block}; {} of them change value.",
        counted(stored, "word"),
        thousands(changed)
    )
}

/// The headline of a cycle without a store to shared memory: the last store.
pub(super) fn last_store(block: u32, warp: &str, cycles_ago: u64) -> String {
    format!(
        "No store to block {block} in this cycle; {warp} stored last, {} ago.",
        counted(cycles_ago, "cycle")
    )
}

/// The headline if the search finds no store to shared memory.
pub(super) fn no_recent_store(block: u32, cycles: u64) -> String {
    format!(
        "No store to block {block} in the last {} cycles.",
        thousands(cycles)
    )
}

/// The headline of the parameters.
pub(super) fn parameters_headline(num: u64) -> String {
    format!(
        "The kernel has {} in constant memory, the same for all lanes.",
        counted(num, "parameter")
    )
}
