//! The explanation of a shared memory request.

use super::super::banks::{bank_rows, wavefront_reason};
use super::super::{Mark, ViewState};
use super::{Bar, Facts, Inspection, Source, code, phrases, source};
use crate::words::{counted, request_name, thousands};
use engine::arch::OpClass;
use engine::sim::{Access, WarpState};
use engine::trace::{AccessRow, Frame};

/// Explains the request that the Banks view shows.
pub fn inspect_banks(frame: &Frame, view: &ViewState) -> Inspection {
    let shown = super::super::shown_access(frame, view)
        .and_then(|idx| Some((frame.record().access(idx)?, frame.trace().access_detail(idx)?)));
    let Some((row, access)) = shown else {
        return Inspection {
            title: "Shared memory".to_owned(),
            why: phrases("This run does not read or write shared memory."),
            sources: bank_sources(frame),
            ..Inspection::default()
        };
    };
    let line = frame
        .instruction(row.pc)
        .map_or(0, |instruction| instruction.span.line);
    let extra = u64::from(row.wavefronts.saturating_sub(row.ideal_wavefronts));
    let useful = u64::from(row.wavefronts) - extra;
    let longest = extra.max(useful).max(1);
    let bar = |mark, name: &str, value: u64| Bar {
        mark,
        name: name.to_owned(),
        value,
        label: value.to_string(),
        length: value as f32 / longest as f32,
    };
    Inspection {
        title: request_name(row.kind).to_owned(),
        place: format!("W{:02}, {}", row.warp.0, frame.line_text(line)),
        state: None,
        why: phrases(&wavefront_reason(frame, &row, &access)),
        code: code(frame, row.pc, WarpState::Selected),
        lanes: Some((access.mask, format!("{} active", access.mask.count()))),
        actions: Vec::new(),
        past: None,
        bars_title: ("Cost".to_owned(), counted(u64::from(row.wavefronts), "wavefront")),
        bars: [
            (Mark::Issue, "Needed", useful),
            (Mark::Throttle, "Extra passes", extra),
        ]
        .into_iter()
        .filter(|(.., value)| *value > 0)
        .map(|(mark, name, value)| bar(mark, name, value))
        .collect(),
        facts: bank_facts(frame, view, &row, &access),
        sources: bank_sources(frame),
    }
}

fn bank_facts(frame: &Frame, view: &ViewState, row: &AccessRow, access: &Access) -> Vec<Facts> {
    let mut facts = Vec::new();
    if let Some(lane) = view.lane
        && access.mask.contains(lane.into())
    {
        let address = access.addresses[usize::from(lane)] as u32;
        let banks = frame.banks();
        let wavefronts = super::super::banks::wavefronts_of_lane(banks, access, lane.into());
        facts.push(Facts {
            title: format!("Lane {lane}"),
            rows: [("address".to_owned(), format!("0x{address:04x}"))]
                .into_iter()
                .chain(bank_rows(banks, "address", address))
                .chain([("wavefront".to_owned(), wavefronts)])
                .collect(),
        });
    }
    let ordinal = super::super::shown_access(frame, view)
        .and_then(|idx| super::super::requests::ordinal(frame, idx))
        .unwrap_or_default();
    facts.push(Facts {
        title: "When".to_owned(),
        rows: vec![
            ("request".to_owned(), ordinal),
            ("issued".to_owned(), thousands(row.issued.0)),
            ("first wavefront".to_owned(), thousands(row.started.0)),
            ("result ready".to_owned(), thousands(row.done.0)),
        ],
    });
    facts
}

fn bank_sources(frame: &Frame) -> Vec<Source> {
    let shared = &frame.arch().memory.shared;
    let rule = frame.arch().memory.bank_rule(frame.trace().options().bank_size);
    let mut sources = vec![
        source("Banks", &shared.banks, ""),
        source("Width of a bank", &shared.bank_width_bytes, "B"),
        source("Bank sharing rule", rule, ""),
        source("Cycles per wavefront", &shared.pass_interval_cycles, "cycles"),
    ];
    if let Some(gate) = &frame.arch().memory.unit_gate {
        sources.push(source(
            "Wavefront interval of a warp",
            &gate.interval_cycles,
            "cycles",
        ));
        sources.push(source(
            "Oldest-first arbitration window",
            &gate.entries,
            "instructions",
        ));
    }
    sources.push(source(
        "Added latency per extra wavefront",
        &shared.extra_latency_per_pass_cycles,
        "cycles",
    ));
    if shared.extra_latency_once_cycles.value > 0 {
        sources.push(source(
            "Added latency once, for more than one",
            &shared.extra_latency_once_cycles,
            "cycles",
        ));
    }
    if let Some(cost) = frame.arch().cost(OpClass::Shared) {
        sources.push(source("Shared memory latency", &cost.latency_cycles, "cycles"));
    }
    sources
}
