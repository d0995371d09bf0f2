//! The inspector and the tooltips of the Device view.

use super::super::inspector::{Facts, Inspection, Source, cited, phrases, source};
use super::{DeviceData, Target, counted_blocks, waves};
use crate::words::{counted, percent, thousands};
use engine::arch::places;
use engine::trace::device::BlockSpan;

/// The tooltip of an SM: its number, and its blocks. The tooltip of a cycle: the load.
pub fn device_tooltip(data: &DeviceData, target: Target) -> Option<(String, String)> {
    let sm = match target {
        Target::DeviceSm(sm) => sm,
        Target::Cycle(cycle) => return Some((format!("Cycle {}", thousands(cycle)), load(data, cycle))),
        _ => return None,
    };
    let resident = data.trace.blocks_of(sm).filter(|span| data.is_resident(span));
    let part = data.trace.part_of(data.now());
    let busy = percent((1000.0 * data.busy(sm.into(), part)) as u64, 1000);
    let text = match resident.count() {
        0 => "No block.".to_owned(),
        num => format!(
            "{} of {} that fit. {busy} of its issue slots are in use.",
            counted_blocks(num),
            data.trace.blocks_per_sm
        ),
    };
    Some((format!("SM {sm}"), text))
}

/// The load in a cycle, in words.
fn load(data: &DeviceData, cycle: u64) -> String {
    let part = data.trace.part_of(cycle);
    let (l2, memory) = data.trace.rates(part);
    let slots = percent((1000.0 * data.all_busy(part)) as u64, 1000);
    let l2 = match data.memory_peaks().0 {
        Some(_) => format!("{} B per cycle of L2, and ", thousands(l2 as u64)),
        None => String::new(),
    };
    let memory = thousands(memory as u64);
    format!("{slots} of all issue slots, {l2}{memory} B per cycle of device memory.")
}

/// Explains the selected SM, or the device.
pub fn inspect_device(data: &DeviceData) -> Inspection {
    let trace = data.trace;
    let chip = &data.arch.chip;
    let floor = data.arch.floor();
    let sizes: Vec<String> = floor.groups.value.iter().map(u16::to_string).collect();
    let mut sources = vec![source("SMs", &chip.num_sms, ""), {
        let text = engine::arch::Sourced {
            value: "",
            source: floor.groups.source,
            quality: floor.groups.quality,
            note: floor.groups.note,
            alternatives: floor.groups.alternatives,
        };
        Source {
            value: sizes.join(" "),
            ..cited(&format!("SMs of each {}", data.group_name()), &text, "")
        }
    }];
    if let Some(l2) = &data.arch.memory.l2 {
        sources.push(cited("L2 bandwidth", &l2.bytes_per_cycle, "B per cycle"));
    }
    if let Some(port) = &floor.port_bytes_per_cycle {
        sources.push(cited("Port of a GPC", port, "B per cycle"));
    }
    sources.push(cited("Device memory bandwidth", &chip.dram_gb_per_s, "GB/s"));
    if let Some(memory) = data.arch.memory_stacks() {
        sources.push(cited("Stacks of HBM2", &memory.stacks, "stacks"));
        sources.push(cited("Dies of a stack, at most", &memory.dies_per_stack, "dies"));
        sources.push(cited("Device memory, at most", &memory.most_gb, "GB"));
    }
    match data.selected.filter(|sm| *sm < trace.num_sms) {
        Some(sm) => inspect_sm(data, sm, sources),
        None => inspect_all(data, sources),
    }
}

fn inspect_all(data: &DeviceData, mut sources: Vec<Source>) -> Inspection {
    let trace = data.trace;
    let tail = trace.num_cycles - trace.tail().min(trace.num_cycles);
    let counts = trace.by_sm().into_iter().map(|spans| spans.len());
    let (most, fewest) = (counts.clone().max().unwrap_or(0), counts.min().unwrap_or(0));
    let (l2, dram) = (trace.requested.l2_bytes, trace.requested.dram_bytes);
    let mut why = if u64::from(trace.num_blocks) < u64::from(trace.num_sms) {
        format!(
            "The grid has *{}* for *{} SMs*: at least {} never get one.",
            counted_blocks(trace.num_blocks as usize),
            trace.num_sms,
            counted(u64::from(trace.num_sms) - u64::from(trace.num_blocks), "SM"),
        )
    } else {
        format!(
            "*{}*: {} of {} blocks that fit at once. In the tail, the last *{}* of the run, SMs run out of blocks.",
            waves(trace),
            counted_blocks(trace.num_blocks as usize),
            thousands(trace.capacity()),
            percent(tail, trace.num_cycles.max(1)),
        )
    };
    let blocks_end = trace.blocks_end();
    let units = data.arch.atomic_units();
    if let Some(units) = units.filter(|_| blocks_end + 1 < trace.num_cycles) {
        why.push_str(&format!(
            " The last block ends in cycle *{}*; the units of L2 then finish the atomic updates in their queues.",
            thousands(blocks_end)
        ));
        let text = format!("{:.2} cycles", f64::from(units.pass_time.value) / 100.0);
        sources.push(source("Pass of an atomic unit of L2", &units.pass_time, &text));
    }
    Inspection {
        title: "Device".to_owned(),
        place: format!("{}, {} SMs", data.arch.name, trace.num_sms),
        why: phrases(&why),
        facts: vec![
            Facts {
                title: "This launch on the device".to_owned(),
                rows: vec![
                    ("cycles".to_owned(), thousands(trace.num_cycles)),
                    ("blocks".to_owned(), thousands(trace.num_blocks.into())),
                    (
                        "blocks that fit an SM".to_owned(),
                        trace.blocks_per_sm.to_string(),
                    ),
                    ("fewest blocks on an SM".to_owned(), fewest.to_string()),
                    ("most blocks on an SM".to_owned(), most.to_string()),
                    ("tail from cycle".to_owned(), thousands(trace.tail())),
                    ("warp instructions".to_owned(), thousands(trace.issued())),
                ],
            },
            Facts {
                title: "Bytes of the run".to_owned(),
                rows: vec![
                    ("L2".to_owned(), thousands(l2)),
                    ("device memory".to_owned(), thousands(dram)),
                ],
            },
        ],
        sources,
        ..Inspection::default()
    }
}

fn inspect_sm(data: &DeviceData, sm: u16, sources: Vec<Source>) -> Inspection {
    let trace = data.trace;
    let places = places(data.arch);
    let group = places.get(usize::from(sm)).map_or(0, |(group, _)| *group);
    let spans: Vec<&BlockSpan> = trace.blocks_of(sm).collect();
    let resident = spans.iter().filter(|span| data.is_resident(span));
    let issued = trace.issued_by(sm.into());
    let slots = (trace.num_cycles as f64 * data.peak()).max(1.0);
    let why = if spans.is_empty() {
        "This SM gets *no block* of the grid.".to_owned()
    } else {
        let last = spans.iter().map(|span| span.finished).max().unwrap_or(0);
        format!(
            "It runs *{}* of the grid and has none after cycle *{}*.",
            counted_blocks(spans.len()),
            thousands(last)
        )
    };
    let mut facts = vec![Facts {
        title: "This SM".to_owned(),
        rows: vec![
            ("blocks now".to_owned(), resident.count().to_string()),
            ("blocks that fit".to_owned(), trace.blocks_per_sm.to_string()),
            ("warp instructions".to_owned(), thousands(issued)),
            (
                "issue slots used".to_owned(),
                percent((1000.0 * issued as f64 / slots) as u64, 1000),
            ),
        ],
    }];
    if !spans.is_empty() {
        let mut rows: Vec<(String, String)> = spans
            .iter()
            .take(24)
            .map(|span| {
                let ran = format!("{} to {}", thousands(span.started), thousands(span.finished));
                (format!("block {}", thousands(span.block.into())), ran)
            })
            .collect();
        if spans.len() > rows.len() {
            rows.push(("more blocks".to_owned(), (spans.len() - rows.len()).to_string()));
        }
        facts.push(Facts {
            title: "Its blocks, in cycles".to_owned(),
            rows,
        });
    }
    Inspection {
        title: format!("SM {sm}"),
        place: format!("{} {group}", data.group_name()),
        why: phrases(&why),
        facts,
        sources,
        ..Inspection::default()
    }
}
