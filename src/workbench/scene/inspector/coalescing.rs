//! The explanation of a request to global, local, or constant memory.

use std::collections::BTreeSet;

use super::super::coalescing::plan::{Plan, SECTOR_BYTES};
use super::super::coalescing::{constant_headline, shown, wording};
use super::super::requests::{line, ordinal};
use super::super::{Mark, ViewState};
use super::{Bar, Facts, Inspection, Source, code, phrases, source};
use crate::words::{percent, request_name, thousands};
use engine::access::AccessOp;
use engine::sim::{MemoryLevel, RequestKind, WarpState};
use engine::trace::{AccessRow, Frame};

/// Explains the request that the Coalescing view shows.
pub fn inspect_coalescing(frame: &Frame, view: &ViewState) -> Inspection {
    let Some((idx, row, access)) = shown(frame, view) else {
        return Inspection {
            title: "Global memory".to_owned(),
            why: phrases(wording::UNUSED),
            sources: sources(frame, &[]),
            ..Inspection::default()
        };
    };
    let base = Inspection {
        title: request_name(row.kind).to_owned(),
        place: format!("W{:02}, {}", row.warp.0, frame.line_text(line(frame, &row))),
        code: code(frame, row.pc, WarpState::Selected),
        lanes: Some((access.mask, format!("{} active", access.mask.count()))),
        ..Inspection::default()
    };
    if row.kind == RequestKind::ConstantLoad {
        return Inspection {
            why: phrases(&format!(
                "{} Each request serves *one address* to all lanes that read it.",
                constant_headline(frame, &access)
            )),
            facts: vec![when(frame, idx, &row)],
            sources: constant_sources(frame),
            ..base
        };
    }
    let Some(plan) = Plan::of(frame, &access) else {
        return base;
    };
    let (used, wasted) = (u64::from(plan.used()), u64::from(plan.wasted()));
    let moved = used + wasted;
    let bar = |mark, name: &str, value: u64| Bar {
        mark,
        name: name.to_owned(),
        value,
        label: match mark {
            // The remainder to 100, so that the two shares add up.
            Mark::Throttle if used * 200 >= moved && wasted * 200 >= moved => {
                format!("{} %", 100 - (used * 200 + moved) / (2 * moved).max(1))
            }
            _ => percent(value, moved),
        },
        length: value as f32 / used.max(wasted).max(1) as f32,
    };
    let mut facts = Vec::new();
    facts.extend(lane_facts(frame, view, &plan));
    facts.push(request_facts(frame, &row, &plan));
    facts.push(when(frame, idx, &row));
    Inspection {
        why: phrases(&wording::transaction_reason(frame, &plan)),
        bars_title: ("Bytes moved".to_owned(), format!("{} B", thousands(moved))),
        bars: [(Mark::Issue, "Used", used), (Mark::Throttle, "Wasted", wasted)]
            .into_iter()
            .filter(|(.., value)| *value > 0)
            .map(|(mark, name, value)| bar(mark, name, value))
            .collect(),
        facts,
        sources: sources(frame, &[row.level]),
        ..base
    }
}

fn lane_facts(frame: &Frame, view: &ViewState, plan: &Plan) -> Option<Facts> {
    let lane = u32::from(view.lane?);
    let line = plan.line_of(lane)?;
    let (from, to) = plan.request.bytes_of(lane);
    let fetch = plan.fetch_at(from)?;
    let partitions = frame.arch().memory.partitions;
    let partition =
        partitions.map(|partitions| ("memory partition".to_owned(), partitions.of(from).to_string()));
    let rows = vec![
        ("address".to_owned(), format!("0x{from:x}")),
        ("location".to_owned(), wording::place_name(frame, plan, from)),
        ("line".to_owned(), line.to_string()),
        (
            "sector of the line".to_owned(),
            (from / SECTOR_BYTES % 4).to_string(),
        ),
        ("bytes".to_owned(), (to - from).to_string()),
        ("fetch: used of moved".to_owned(), wording::fetch_label(fetch)),
    ];
    Some(Facts {
        title: format!("Lane {lane}"),
        rows: rows.into_iter().chain(partition).collect(),
    })
}

fn request_facts(frame: &Frame, row: &AccessRow, plan: &Plan) -> Facts {
    let arch = frame.arch();
    let counts = &plan.access.counts;
    let store = plan.request.route(arch).0 == AccessOp::Store;
    let mut rows = vec![
        ("lanes active".to_owned(), format!("{} of 32", row.lanes)),
        ("bits per lane".to_owned(), row.width_bits.to_string()),
        ("requests".to_owned(), counts.requests.to_string()),
        ("lines accessed".to_owned(), counts.lines.to_string()),
        (
            match wording::unit(arch, plan) {
                "sector" => "sectors",
                "line" => "lines fetched",
                _ => "segments",
            }
            .to_owned(),
            counts.transactions.to_string(),
        ),
        (
            if store { "bytes moved" } else { "bytes fetched" }.to_owned(),
            thousands(plan.moved().into()),
        ),
        ("bytes used".to_owned(), thousands(plan.used().into())),
    ];
    if let Some(partitions) = &arch.memory.partitions {
        let own: BTreeSet<u64> = (plan.fetches.iter())
            .map(|fetch| partitions.of(fetch.base))
            .collect();
        rows.push((
            "memory partitions".to_owned(),
            format!("{} of {}", own.len(), partitions.number.value),
        ));
    }
    if row.l1_hits > 0 {
        let what = match row.kind {
            RequestKind::TextureLoad => "line hits in the texture cache",
            RequestKind::UniformLoad => "hits in the constant cache",
            _ => "sector hits in L1",
        };
        rows.push((what.to_owned(), row.l1_hits.to_string()));
    }
    if row.l2_hits > 0 {
        rows.push(("sector hits in L2".to_owned(), row.l2_hits.to_string()));
    }
    Facts {
        title: "This request".to_owned(),
        rows,
    }
}

fn when(frame: &Frame, idx: u32, row: &AccessRow) -> Facts {
    let level = match row.level {
        MemoryLevel::Shared => "shared memory",
        MemoryLevel::Constant => "constant cache",
        MemoryLevel::Texture => "texture cache",
        MemoryLevel::L1 => "L1",
        MemoryLevel::L2 => "L2",
        MemoryLevel::Dram => "device memory",
    };
    let mut rows = Vec::new();
    if let Some(ordinal) = ordinal(frame, idx) {
        rows.push(("request".to_owned(), ordinal));
    }
    rows.extend([
        ("issued".to_owned(), thousands(row.issued.0)),
        ("accepted by its unit".to_owned(), thousands(row.started.0)),
        ("complete".to_owned(), thousands(row.done.0)),
        (
            "latency from issue".to_owned(),
            thousands(row.done.0.saturating_sub(row.issued.0)),
        ),
        ("farthest level".to_owned(), level.to_owned()),
    ]);
    Facts {
        title: "When".to_owned(),
        rows,
    }
}

fn sources(frame: &Frame, levels: &[MemoryLevel]) -> Vec<Source> {
    let memory = &frame.arch().memory;
    let mut sources = vec![source("Coalescing", &memory.coalescing, "")];
    if let Some(l1) = &memory.l1 {
        sources.push(source("L1 line", &l1.line_bytes, "B"));
        sources.push(source("L1 sector", &l1.sector_bytes, "B"));
        sources.push(source("L1 tag lookups", &l1.tags_per_cycle, "per cycle"));
        sources.push(source("L1 hit", &l1.hit_latency_cycles, "cycles"));
    }
    if let Some(l2) = &memory.l2 {
        sources.push(source("L2 sector", &l2.sector_bytes, "B"));
        sources.push(source("L2 hit", &l2.hit_latency_cycles, "cycles"));
    }
    if let Some(partitions) = &memory.partitions {
        sources.push(source("Memory partitions", &partitions.number, ""));
        sources.push(source("Partition width", &partitions.width_bytes, "B"));
    }
    if levels.contains(&MemoryLevel::Dram) || memory.l2.is_none() {
        sources.push(source("Device memory", &memory.device.latency_cycles, "cycles"));
    }
    sources
}

fn constant_sources(frame: &Frame) -> Vec<Source> {
    let constant = &frame.arch().memory.constant;
    vec![
        source("Constant cache", &constant.l1_bytes, "B"),
        source("Constant cache hit", &constant.l1_latency_cycles, "cycles"),
        source("Hit in the next level", &constant.l15_latency_cycles, "cycles"),
        source(
            "Added latency per extra address",
            &constant.extra_per_address_cycles,
            "cycles",
        ),
    ]
}
