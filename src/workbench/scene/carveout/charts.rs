//! Plots of resident warps, L1 size, and run results over the requested shared memory.

use super::combinations::CombinationRun;
use super::split_runs;
use super::splits::{Split, splits};
use crate::scene::{Axis, Chart, Note, Series, SeriesKind, Sets, Stretch};
use engine::arch::Architecture;
use engine::trace::Trace;

/// The view's plots; none if the split is fixed.
pub fn carveout_charts(trace: &Trace, runs: &[CombinationRun]) -> Vec<Chart> {
    let (arch, needs) = (trace.arch(), crate::scene::occupancy::needs_of(trace));
    let set = trace.occupancy().shared_kib;
    let splits = splits(arch, &needs, set);
    if splits.len() < 2 {
        return Vec::new();
    }
    let source = arch.occupancy.carveouts_kib.source;
    let warps = |split: &Split| split.occupancy.map(|filled| f64::from(filled.warps_per_sm()));
    let max = f64::from(arch.occupancy.max_warps_per_sm.value);
    let mut charts = vec![
        Chart {
            y: Axis {
                ticks: (0..=4).map(|quarter| f64::from(quarter) * max / 4.0).collect(),
                ..Axis::new("Resident warps", "warps", (0.0, max))
            },
            ..chart("warps", "Resident warps", &splits, set, source, warps)
        },
        Chart {
            y: Axis {
                ticks: vec![0.0, 32.0, 64.0, 96.0, 128.0, 192.0, 256.0],
                ..Axis::new(
                    "L1",
                    "KB",
                    (
                        0.0,
                        splits
                            .iter()
                            .filter_map(|split| split.l1_kib)
                            .max()
                            .map_or(1.0, f64::from),
                    ),
                )
            },
            ..chart("l1", "L1 size", &splits, set, source, |split| {
                split.l1_kib.map(f64::from)
            })
        },
    ];
    let all = split_runs(trace, runs);
    let run = |split: &Split| all.iter().find(|run| run.shared_kib == split.shared_kib);
    let hits = |split: &Split| {
        run(split)
            .and_then(|run| run.hits)
            .map(|hits| 100.0 * hits.share())
    };
    charts.insert(0, together(&splits, set, arch, hits));
    if all.len() > 1 {
        let measured = "simulated here, one run per split";
        let cycles = |split: &Split| run(split).map(|run| run.cycles as f64);
        let most = splits.iter().filter_map(cycles).fold(1.0, f64::max);
        charts.push(Chart {
            y: Axis::new("Cycles of the run", "cycles", (0.0, most * 1.05)),
            ..chart("cycles", "Cycles", &splits, set, measured, cycles)
        });
    }
    charts
}

/// Occupancy and L1 hit rate on one axis, with the limits per block.
fn together(splits: &[Split], set: u16, arch: &Architecture, hits: impl Fn(&Split) -> Option<f64>) -> Chart {
    let max = f64::from(arch.occupancy.max_warps_per_sm.value);
    let share = |split: &Split| {
        split
            .occupancy
            .map(|filled| 100.0 * f64::from(filled.warps_per_sm()) / max)
    };
    let rules = &arch.occupancy;
    let source = format!(
        "{}; hits are simulated here, one run per split",
        rules.carveouts_kib.source
    );
    let occupancy = chart("both", "Occupancy and L1 hits", splits, set, &source, share);
    let found: Vec<(f64, f64)> = splits
        .iter()
        .filter_map(|split| Some((f64::from(split.shared_kib), hits(split)?)))
        .collect();
    let mut series = occupancy.series;
    if let Some(first) = series.first_mut() {
        "occupancy".clone_into(&mut first.name);
    }
    if !found.is_empty() {
        series.push(Series {
            name: "L1 hits".to_owned(),
            kind: if found.len() > 1 {
                SeriesKind::Line
            } else {
                SeriesKind::Points
            },
            points: found,
        });
    }
    let mut notes = occupancy.notes;
    let (fixed, opted) = (rules.shared_static_kib.value, rules.shared_optin_kib.value);
    let largest = splits.last().map_or(0, |split| split.shared_kib);
    if fixed <= largest {
        notes.push(Note {
            at: (f64::from(fixed), 0.0),
            text: format!("{fixed} KB: block limit"),
        });
    }
    if opted > fixed && opted <= largest {
        notes.push(Note {
            at: (f64::from(opted), 0.0),
            text: format!("{opted} KB: opted in"),
        });
    }
    Chart {
        y: Axis {
            ticks: vec![0.0, 25.0, 50.0, 75.0, 100.0],
            ..Axis::new("Occupancy, loads that hit L1", "%", (0.0, 100.0))
        },
        series,
        notes,
        ..occupancy
    }
}

/// A plot of a value over requests: each size serves the requests above the next smaller size.
fn chart(
    id: &str,
    title: &str,
    splits: &[Split],
    set: u16,
    source: &str,
    value: impl Fn(&Split) -> Option<f64>,
) -> Chart {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut first = 0.0;
    let mut illegal: Vec<Stretch> = Vec::new();
    let mut last = 0.0;
    for split in splits {
        let kib = f64::from(split.shared_kib);
        match (&split.refusal, value(split)) {
            (None, Some(value)) => {
                points.push((first, value));
                last = kib;
            }
            (Some(reason), _) => illegal.push(Stretch {
                from: first,
                to: kib,
                reason: reason.clone(),
            }),
            (None, None) => {}
        }
        first = kib + 1.0;
    }
    if let Some(end) = points.last().copied().filter(|end| end.0 < last) {
        points.push((last, end.1));
    }
    let largest = splits.last().map_or(1.0, |split| f64::from(split.shared_kib));
    let series = Series {
        name: title.to_owned(),
        kind: SeriesKind::Step,
        points,
    };
    let notes = illegal.iter().take(1).map(|stretch| Note {
        at: (f64::midpoint(stretch.from, stretch.to), 0.0),
        text: "too small".to_owned(),
    });
    let set = f64::from(set);
    Chart {
        id: format!("carveout-{id}"),
        title: title.to_owned(),
        x: Axis {
            ticks: splits.iter().map(|split| f64::from(split.shared_kib)).collect(),
            ..Axis::new("Requested shared memory", "KB", (0.0, largest))
        },
        marker: series.value(set).map(|value| (set, value)),
        series: vec![series],
        notes: notes.collect(),
        illegal,
        sets: Sets::Carveout,
        source: source.to_owned(),
        ..Chart::default()
    }
}
