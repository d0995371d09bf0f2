//! What the view says in words: headline, text twin, tooltips, facts.

use super::super::inspector::Facts;
use super::super::words::{counted, cycles_until, thousands};
use super::super::{NumberFormat, Table, Target, ViewState};
use super::contents::{Contents, Row, WRITE_WINDOW, Write};
use super::number::number;
use super::{lanes_text, shared, wide_table};
use engine::ids::{Pc, SlotIdx};
use engine::isa::Reg;
use engine::sim::WaitCause;
use engine::sim::view::{ScoreboardEntry, ScoreboardTarget};
use engine::trace::Frame;

/// `R6`, `R6 and R7`, `4 registers`.
fn names(rows: &[&Row]) -> String {
    match rows {
        [one] => one.name.clone(),
        [one, two] => format!("{} and {}", one.name, two.name),
        rows => format!("{} registers", rows.len()),
    }
}

/// The one true sentence about this warp's registers.
pub(super) fn sentence(frame: &Frame, slot: SlotIdx, contents: &Contents, of_predicates: bool) -> String {
    let name = frame.warp_name(slot);
    let now = frame.cycle().0;
    if contents.live.is_empty() {
        return format!("All lanes of {name} have exited: its registers hold no values any more.");
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
                    "{} holds in {} of {}",
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
    let does = match (contents.issues.first(), written.first()) {
        (Some(_), Some(first)) => {
            format!(
                "{name} writes {} in {}",
                names(&written),
                lanes_text(first.written)
            )
        }
        (Some(issue), None) => {
            let mnemonic = frame.mnemonic(issue.pc);
            format!("{name} issues {mnemonic}, which writes no register")
        }
        (None, _) => {
            let waits = |what: String, ready: Option<engine::ids::Cycle>, is_earliest| match ready {
                Some(ready) => format!(
                    "{name} waits for {what}, which arrives in {}.",
                    cycles_until(ready.0.saturating_sub(now), is_earliest)
                ),
                None => format!("{name} waits for {what}."),
            };
            match frame.cause(slot) {
                WaitCause::Register {
                    reg,
                    ready,
                    is_earliest,
                    ..
                } => return waits(format!("R{reg}"), ready, is_earliest),
                WaitCause::Predicate { pred, ready, .. } => return waits(format!("P{pred}"), ready, false),
                _ => format!("{name} writes no register in this cycle"),
            }
        }
    };
    if let Some(row) = rows().find(|row| row.arrives.is_some()) {
        return format!("{does}; {} arrives now.", row.name);
    }
    let soon = rows()
        .filter(|row| row.written.is_empty())
        .filter_map(|row| Some((row.pending?, row)))
        .min_by_key(|(entry, _)| entry.ready);
    match soon {
        Some((entry, row)) => format!("{does}; {} arrives in {}.", row.name, left(&entry, now)),
        None => format!("{does}."),
    }
}

/// `LDG, line 19`.
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

/// `LDG, line 19, cycle 812`.
pub(super) fn write_text(frame: &Frame, write: Write) -> String {
    format!(
        "{}, cycle {}",
        instruction_text(frame, write.pc),
        thousands(write.cycle)
    )
}

/// Who wrote a register last: `LDG, line 19, cycle 812`.
fn writer(frame: &Frame, slot: SlotIdx, row: &Row, live: u32) -> String {
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

/// In how many cycles a result is there.
fn left(entry: &ScoreboardEntry, now: u64) -> String {
    cycles_until(entry.ready.0.saturating_sub(now), entry.is_earliest)
}

fn state(row: &Row, now: u64) -> String {
    let mut states = Vec::new();
    if !row.read.is_empty() {
        states.push(format!("read in {}", lanes_text(row.read)));
    }
    if !row.written.is_empty() {
        states.push(format!("written in {}", lanes_text(row.written)));
    }
    if let Some(entry) = row.pending {
        states.push(format!("on its way, {}", left(&entry, now)));
    }
    if row.arrives.is_some() {
        states.push("arrives now".to_owned());
    }
    states.join("; ")
}

/// The columns of the twin of registers and predicates.
pub(super) fn lane_table(first: &str, rows: Vec<Vec<String>>) -> Table {
    wide_table(&[first, "In this cycle", "Last written by"], "Lane", 32, rows)
}

/// The text twin: full values of all lanes that live.
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
            state(row, frame.cycle().0),
            writer(frame, slot, row, contents.live.count()),
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

/// `0x3f800000, 1065353216, 1.0`: a word in all formats; the signed one where it differs.
pub(super) fn all_formats(bits: u32) -> String {
    let write = |format| number(bits.into(), false, format);
    let (unsigned, signed) = (write(NumberFormat::Unsigned), write(NumberFormat::Int));
    let signed = if signed == unsigned {
        String::new()
    } else {
        format!(" or {signed}")
    };
    format!(
        "0x{}, {unsigned}{signed}, {} as float",
        write(NumberFormat::Hex),
        write(NumberFormat::Float)
    )
}

/// What a tooltip says of a register, a predicate or a word.
pub(in crate::scene) fn value_tip(frame: &Frame, target: Target) -> Option<(String, String)> {
    let now = frame.cycle().0;
    let on_its_way = |row: &Row| match row.pending {
        Some(entry) => format!("; arrives in {}", left(&entry, now)),
        None => String::new(),
    };
    match target {
        Target::Register { slot, reg } => {
            let (contents, row) = find(frame, SlotIdx(slot), reg)?;
            let who = writer(frame, SlotIdx(slot), &row, contents.live.count());
            Some((row.name.clone(), format!("← {who}{}", on_its_way(&row))))
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
                format!("{}; {who}{}", all_formats(bits), on_its_way(&row)),
            ))
        }
        Target::Predicate { slot, pred, lane } => {
            let contents = Contents::of(frame, SlotIdx(slot), false)?;
            let row = contents.predicates.iter().find(|row| row.idx == pred)?;
            let holds = if row.values[usize::from(lane)] == 1 {
                "holds"
            } else {
                "does not hold"
            };
            let who = writer(frame, SlotIdx(slot), row, contents.live.count());
            Some((format!("P{pred} of lane {lane}"), format!("{holds}; ← {who}")))
        }
        Target::SharedWord { block, offset } => shared::word_tip(frame, block, offset),
        Target::Parameter(offset) => super::parameters::parameter_tip(frame, offset),
        _ => None,
    }
}

fn find(frame: &Frame, slot: SlotIdx, reg: u8) -> Option<(Contents, Row)> {
    let contents = Contents::of(frame, slot, false)?;
    let row = contents.registers.iter().find(|row| row.idx == reg)?.clone();
    Some((contents, row))
}

/// `R8`, or `P0`.
pub(in crate::scene) fn target_name(target: ScoreboardTarget) -> String {
    match target {
        ScoreboardTarget::Register(reg) => format!("R{reg}"),
        ScoreboardTarget::Predicate(pred) => format!("P{pred}"),
    }
}

/// Facts about a warp's registers for the inspector: the selected value, and what is on its way.
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
        let write = |bits: u64, wide, format| number(bits, wide, format);
        let mut rows: Vec<(String, String)> = [
            ("Hex", NumberFormat::Hex),
            ("Signed", NumberFormat::Int),
            ("Unsigned", NumberFormat::Unsigned),
            ("Float", NumberFormat::Float),
        ]
        .into_iter()
        .map(|(name, format)| (name.to_owned(), write(low.into(), false, format)))
        .collect();
        if let Some(high) = high.filter(|_| reg % 2 == 0) {
            let pair = u64::from(high) << 32 | u64::from(low);
            rows.push((
                format!("R{reg}:{} hex", reg + 1),
                write(pair, true, NumberFormat::Hex),
            ));
            rows.push(("as double".to_owned(), write(pair, true, NumberFormat::Float)));
        }
        facts.push(Facts {
            title: format!("R{reg} in lane {lane}"),
            rows,
        });
    }
    facts.extend(on_the_way(frame, slot));
    facts
}

/// Registers that are on their way, the soonest first.
pub(in crate::scene) fn on_the_way(frame: &Frame, slot: SlotIdx) -> Option<Facts> {
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
        title: "On their way".to_owned(),
        rows,
    })
}
