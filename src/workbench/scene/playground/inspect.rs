//! The explanation beside the playground, and its tooltips.

use super::Study;
use super::wording::{count_text, refusal, share, verb};
use crate::playground::{Analysis, Cost, Expression, Playground, Space, analyze, analyze_all};
use crate::scene::banks::{bank_rows, freedom, repetition};
use crate::scene::inspector::{phrases, source};
use crate::scene::words::{capital, counted, thousands};
use crate::scene::{Bar, Facts, Inspection, Mark, Target, ViewState};
use engine::arch::{ArchId, Architecture, architecture};
use engine::sim::MemoryOptions;

/// Explains the access.
pub fn inspect_playground(
    playground: &Playground,
    arch: &'static Architecture,
    options: MemoryOptions,
    view: &ViewState,
) -> Inspection {
    let title = format!(
        "{} {}",
        match playground.space {
            Space::Shared => "Shared",
            Space::Global => "Global",
        },
        verb(playground.op)
    );
    let found = match analyze(playground, arch, options) {
        Ok(found) => found,
        Err(mistake) => {
            return Inspection {
                title,
                why: phrases(&mistake.sentence()),
                ..Inspection::default()
            };
        }
    };
    let mut facts = vec![typed(playground)];
    facts.extend(view.lane.and_then(|lane| lane_facts(&found, lane.into())));
    Inspection {
        title,
        place: format!("{} bits a lane", u32::from(playground.elem) * 8),
        why: phrases(&reason(&found, arch)),
        lanes: Some((found.lanes.mask, format!("{} active", found.lanes.mask.count()))),
        bars_title: (
            "What it costs".to_owned(),
            count_text(playground.space, found.count()),
        ),
        bars: bars(&found),
        facts,
        sources: match playground.space {
            Space::Shared => vec![
                source("Banks", &arch.memory.shared.banks, ""),
                source("Width of a bank", &arch.memory.shared.bank_width_bytes, "B"),
                source(
                    "How lanes share them",
                    arch.memory.bank_rule(options.bank_size),
                    "",
                ),
                source("A pass takes", &arch.memory.shared.pass_interval_cycles, "cycles"),
            ],
            Space::Global => vec![source("How lanes coalesce", &arch.memory.coalescing, "")],
        },
        ..Inspection::default()
    }
}

/// Bytes from each lane to the next, if it is the same for all.
fn step(found: &Analysis) -> Option<i64> {
    let at: Vec<u64> = found
        .lanes
        .mask
        .lanes()
        .map(|lane| found.lanes.addresses[lane as usize])
        .collect();
    let step = at.get(1)?.wrapping_sub(*at.first()?) as i64;
    at.windows(2)
        .all(|pair| pair[1].wrapping_sub(pair[0]) as i64 == step)
        .then_some(step)
}

fn reason(found: &Analysis, arch: &Architecture) -> String {
    let mut text = match step(found) {
        Some(0) => "All lanes ask for one address. ".to_owned(),
        Some(step) => format!(
            "Neighbouring lanes are *{}* apart. ",
            counted(step.unsigned_abs(), "byte")
        ),
        None => "The lanes' addresses have no common step. ".to_owned(),
    };
    match &found.cost {
        Cost::Shared(access) if access.conflicts() > 0 => {
            text += &format!(
                "{}: *{} where {} would do*.",
                repetition(access.banks),
                count_text(Space::Shared, found.count()),
                found.ideal()
            );
        }
        Cost::Shared(access) => {
            let count = count_text(Space::Shared, found.count());
            text += &format!("{}: *{count}*.", freedom(access));
        }
        Cost::Global { access, in_l1, .. } => {
            text += &format!(
                "{} moves whole {}: *{} of {} bytes are used*, {}.",
                arch.name,
                match (in_l1, found.bytes() / found.count().max(1)) {
                    (true, 128) => "lines of 128 bytes",
                    (_, 32) => "sectors of 32 bytes",
                    _ => "segments",
                },
                thousands(access.used_bytes.into()),
                thousands(found.bytes().into()),
                share(access.used_bytes, found.bytes())
            );
        }
    }
    text
}

fn bars(found: &Analysis) -> Vec<Bar> {
    let parts: [(Mark, &str, u64); 2] = match &found.cost {
        Cost::Shared(access) => [
            (Mark::Issue, "Needed", access.ideal_wavefronts().into()),
            (Mark::Throttle, "Extra passes", access.conflicts().into()),
        ],
        Cost::Global { access, .. } => [
            (Mark::Issue, "Bytes used", access.used_bytes.into()),
            (
                Mark::Throttle,
                "Bytes wasted",
                found.bytes().saturating_sub(access.used_bytes).into(),
            ),
        ],
    };
    let longest = parts.iter().map(|part| part.2).max().unwrap_or(1).max(1);
    parts
        .into_iter()
        .filter(|part| part.2 > 0)
        .map(|(mark, name, value)| Bar {
            mark,
            name: name.to_owned(),
            value,
            label: thousands(value),
            length: value as f32 / longest as f32,
        })
        .collect()
}

fn typed(playground: &Playground) -> Facts {
    let mut rows = Vec::new();
    let has_rows = Expression::read(&playground.expr).is_ok_and(|expression| expression.has_rows());
    if has_rows {
        let array = format!("{} {}", playground.elem_type(), playground.extents());
        rows.push(("array".to_owned(), array));
        rows.push(("bytes".to_owned(), thousands(playground.bytes())));
    }
    if has_rows && playground.swizzle_bits() > 0 {
        rows.push((
            "column".to_owned(),
            format!("column ^ (row & {})", playground.swizzle_bits()),
        ));
    }
    rows.push((
        "warp of the block".to_owned(),
        format!("{} of {}", playground.warp, playground.warps()),
    ));
    Facts {
        title: "What is typed".to_owned(),
        rows,
    }
}

fn lane_facts(found: &Analysis, lane: u32) -> Option<Facts> {
    if !found.lanes.mask.contains(lane) {
        return None;
    }
    let address = found.lanes.addresses[lane as usize];
    let mut rows = vec![("byte".to_owned(), format!("0x{address:04x}"))];
    let table = match &found.cost {
        Cost::Shared(access) => {
            rows.extend(bank_rows(access.banks, "byte", address as u32));
            "pass"
        }
        Cost::Global { .. } => {
            rows.push(("line = byte / 128".to_owned(), (address / 128).to_string()));
            rows.push(("sector of it".to_owned(), (address % 128 / 32).to_string()));
            "transaction"
        }
    };
    rows.push((table.to_owned(), served_in(found, lane)));
    Some(Facts {
        title: format!("Lane {lane}"),
        rows,
    })
}

/// The passes or transactions that serve a lane, from 1.
fn served_in(found: &Analysis, lane: u32) -> String {
    let numbers: Vec<String> = match &found.cost {
        Cost::Shared(access) => access
            .passes()
            .enumerate()
            .filter(|(_, (_, pass))| pass.lanes().contains(lane))
            .map(|(idx, _)| (idx + 1).to_string())
            .collect(),
        Cost::Global { access, .. } => access
            .transactions
            .iter()
            .enumerate()
            .filter(|(_, transaction)| transaction.lanes.contains(lane))
            .map(|(idx, _)| (idx + 1).to_string())
            .collect(),
    };
    numbers.join(", ")
}

/// Name and explanation of what the pointer is over.
pub fn playground_tooltip(
    playground: &Playground,
    arch: &'static Architecture,
    options: MemoryOptions,
    target: Target,
) -> Option<(String, String)> {
    let all = analyze_all(playground, options).ok()?;
    let on = |id: ArchId| {
        all.iter()
            .find(|(other, _)| other.id == id)
            .map(|(_, found)| found.clone())
    };
    let chosen = on(arch.id)?;
    Some(match target {
        Target::Lane(lane) if chosen.lanes.mask.contains(lane.into()) => {
            let address = chosen.lanes.addresses[usize::from(lane)];
            let place = match &chosen.cost {
                Cost::Shared(access) => {
                    format!("bank {}, pass", access.banks.bank(address as u32))
                }
                Cost::Global { .. } => format!("line {}, transaction", address / 128),
            };
            (
                format!("Lane {lane}  byte 0x{address:04x}"),
                format!("{place} {}", served_in(&chosen, lane.into())),
            )
        }
        Target::Lane(lane) => (format!("Lane {lane}"), "takes no part".to_owned()),
        Target::Word(offset) => {
            let banks = arch.memory.banks(options.bank_size);
            (
                format!("Word at byte 0x{offset:04x}"),
                format!("bank {}", banks.bank(offset)),
            )
        }
        Target::Arch(id) => {
            let (other, found) = (architecture(id), on(id)?);
            let study = Study {
                playground,
                options,
                arch,
                chosen,
                all: Vec::new(),
                typed: None,
            };
            let rule = match playground.space {
                Space::Shared => other.memory.bank_rule(options.bank_size).value.to_string(),
                Space::Global => other.memory.coalescing.value.to_string(),
            };
            (
                format!("{}  {}", other.name, count_text(playground.space, found.count())),
                refusal(&study, other).map_or_else(|| capital(&rule), |why| capital(&why)),
            )
        }
        Target::Padding(0) => (
            "Rows as they are declared".to_owned(),
            "Click to take it".to_owned(),
        ),
        Target::Padding(pad) => (
            format!("Rows longer by {}", counted(pad.into(), "element")),
            "Click to take it".to_owned(),
        ),
        Target::Swizzle => (
            "Column xor row".to_owned(),
            "No memory is lost; click to take it".to_owned(),
        ),
        _ => return None,
    })
}
