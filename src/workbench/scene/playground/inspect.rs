//! The explanation beside the playground.

use super::wording::{access_noun, cost_reason, count_text, serving_numbers};
use crate::playground::{Analysis, Cost, Expression, Playground, Space, analyze};
use crate::scene::banks::bank_rows;
use crate::scene::inspector::{phrases, source};
use crate::scene::{Bar, Facts, Inspection, Mark, ViewState};
use crate::words::thousands;
use engine::arch::Architecture;
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
        access_noun(playground.op)
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
        place: format!("{} bits per lane", u32::from(playground.elem) * 8),
        why: phrases(&cost_reason(&found, arch)),
        lanes: Some((found.lanes.mask, format!("{} active", found.lanes.mask.count()))),
        bars_title: ("Cost".to_owned(), count_text(playground.space, found.count())),
        bars: bars(&found),
        facts,
        sources: match playground.space {
            Space::Shared => vec![
                source("Banks", &arch.memory.shared.banks, ""),
                source("Width of a bank", &arch.memory.shared.bank_width_bytes, "B"),
                source("Bank sharing rule", arch.memory.bank_rule(options.bank_size), ""),
                source(
                    "Cycles per pass",
                    &arch.memory.shared.pass_interval_cycles,
                    "cycles",
                ),
            ],
            Space::Global => vec![source("Coalescing rule", &arch.memory.coalescing, "")],
        },
        ..Inspection::default()
    }
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
        title: "Typed access".to_owned(),
        rows,
    }
}

fn lane_facts(found: &Analysis, lane: u32) -> Option<Facts> {
    if !found.lanes.mask.contains(lane) {
        return None;
    }
    let address = found.lanes.addresses[lane as usize];
    let mut rows = vec![("byte".to_owned(), format!("0x{address:04x}"))];
    let unit = match &found.cost {
        Cost::Shared(access) => {
            rows.extend(bank_rows(access.banks, "byte", address as u32));
            "pass"
        }
        Cost::Global { .. } => {
            rows.push(("line = byte / 128".to_owned(), (address / 128).to_string()));
            rows.push(("sector of the line".to_owned(), (address % 128 / 32).to_string()));
            "transaction"
        }
    };
    rows.push((unit.to_owned(), serving_numbers(found, lane)));
    Some(Facts {
        title: format!("Lane {lane}"),
        rows,
    })
}
