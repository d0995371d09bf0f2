//! Throughput of a class of instructions over resident warps, by Little's law: results in flight divided by the latency,
//! up to the peak rate. Curves follow from the model's numbers, points from simulated microbenchmarks.

use super::super::inspector::{Inspection, Source, phrases, source};
use super::super::kit::table as table_of;
use super::super::{Table, ViewState};
use super::Drawn;
use super::canvas::{Axis, Dot, DotKind, Line, Plot, Scale, Weight};
use super::settings::PlotPoint;
use super::simulated::{THROUGHPUT_CLASSES, ThroughputClass, rows};
use super::wording::number;
use crate::words::{counted, fit_headline, thousands};
use engine::arch::{Architecture, OpClass, WARP_SIZE};
use engine::trace::Frame;

/// Independent instructions of a thread.
const PARALLEL: [u8; 3] = [1, 2, 4];

/// A class by its index; the first for an unknown index.
pub(super) fn class(idx: u8) -> &'static ThroughputClass {
    THROUGHPUT_CLASSES
        .get(usize::from(idx))
        .unwrap_or(&THROUGHPUT_CLASSES[0])
}

/// Peak results per clock of one SM, and the latency of the class.
fn law(arch: &Architecture, class: OpClass) -> Option<(f64, f64)> {
    let cost = arch.cost(class)?;
    let issue = f64::from(
        WARP_SIZE * u32::from(arch.issue.schedulers.value) * u32::from(arch.issue.dispatches.value),
    ) / f64::from(arch.issue.issue_interval_cycles.value.max(1));
    let mut peak = arch.results_per_cycle(class)?.min(issue);
    if class == OpClass::Shared {
        let shared = &arch.memory.shared;
        let words = f64::from(shared.banks.value) / f64::from(shared.pass_interval_cycles.value.max(1));
        peak = peak.min(words);
    }
    Some((peak, f64::from(cost.latency_cycles.value)))
}

/// Results per clock with a number of warps and of independent instructions of a thread.
pub(super) fn allowed(arch: &Architecture, class: OpClass, warps: f64, parallel: u8) -> Option<f64> {
    let (peak, latency) = law(arch, class)?;
    Some((f64::from(WARP_SIZE) * warps * f64::from(parallel) / latency).min(peak))
}

/// Mean resident warps of the run, and results of the class per clock.
fn run(frame: &Frame, class: OpClass) -> (f64, f64, u64) {
    let trace = frame.trace();
    let cycles = trace.num_cycles().max(1) as f64;
    let resident: u64 = trace.total().states[1..].iter().sum();
    let code = trace.program().code.iter().zip(trace.tallies());
    let results: u64 = code
        .filter(|(instruction, _)| instruction.class() == class)
        .map(|(_, tally)| tally.threads_executed)
        .sum();
    (resident as f64 / cycles, results as f64 / cycles, results)
}

fn plot(frame: &Frame, class: &ThroughputClass, state: &ViewState) -> Plot {
    let own = frame.arch();
    let most = f64::from(own.occupancy.max_warps_per_sm.value);
    let with = state.settings.plot.second(own);
    let mut lines = Vec::new();
    let mut dots = Vec::new();
    let mut top = 0.0_f64;
    for (arch, is_other) in std::iter::once((own, false)).chain(with.map(|arch| (arch, true))) {
        let Some((peak, latency)) = law(arch, class.class) else {
            continue;
        };
        top = top.max(peak);
        let name = if is_other {
            format!("{} ", arch.id.text().to_uppercase())
        } else {
            String::new()
        };
        for parallel in PARALLEL {
            if is_other && parallel > 1 {
                continue;
            }
            let knee = peak * latency / f64::from(WARP_SIZE) / f64::from(parallel);
            lines.push(Line {
                name: match parallel {
                    1 => format!("{name}1 independent instruction"),
                    parallel => format!("{parallel} independent"),
                },
                points: vec![(0.0, 0.0), (knee, peak), (most.max(knee), peak)],
                weight: match (is_other, parallel) {
                    (true, _) => Weight::Dashed,
                    (false, 1) => Weight::Main,
                    (false, _) => Weight::Thin,
                },
                point: None,
            });
        }
    }
    for row in rows(own.id, class.id) {
        for (warps, rate) in &row.rates {
            top = top.max(*rate);
            dots.push(Dot {
                point: PlotPoint::Simulated {
                    parallel: row.parallel,
                    warps: *warps,
                },
                at: (f64::from(*warps), *rate),
                name: String::new(),
                kind: if row.parallel == 1 {
                    DotKind::Plain
                } else {
                    DotKind::Part
                },
            });
        }
    }
    let (warps, rate, results) = run(frame, class.class);
    if results > 0 {
        top = top.max(rate);
        dots.push(Dot {
            point: PlotPoint::Run(0),
            at: (warps, rate),
            name: "this run".to_owned(),
            kind: DotKind::Run,
        });
    }
    Plot {
        x: Axis {
            name: "Resident warps of an SM".to_owned(),
            scale: Scale::Linear,
            range: (0.0, most),
            grouped: true,
        },
        y: Axis {
            name: format!("{} results per clock of an SM", class.name),
            scale: Scale::Linear,
            range: (0.0, (top * 1.15).max(1.0)),
            grouped: true,
        },
        lines,
        dots,
        notes: vec![
            "Curves: warps × independent instructions × 32 lanes ÷ latency, up to the peak rate (Little's law).".to_owned(),
            benchmark_note(own, class),
        ],
    }
}

/// What the simulated points are.
fn benchmark_note(arch: &Architecture, class: &ThroughputClass) -> String {
    let instruction = if class.class == OpClass::Fp32 && arch.truncates_mad() {
        "FADD, because 1.x has no FFMA"
    } else {
        class.name
    };
    format!(
        "Squares: a simulated microbenchmark with 1, 2, and 4 independent instructions, in one block: {instruction}."
    )
}

fn headline(frame: &Frame, class: &ThroughputClass) -> String {
    let arch = frame.arch();
    let Some((peak, latency)) = law(arch, class.class) else {
        return format!("{} has no {}.", arch.name, class.name);
    };
    let needed = (peak * latency / f64::from(WARP_SIZE)).ceil() as u64;
    let (warps, rate, results) = run(frame, class.class);
    let text = if results == 0 {
        format!(
            "{}: {} warps reach {} per clock. This run has none.",
            class.name,
            thousands(needed),
            number(peak)
        )
    } else {
        format!(
            "{}: {needed} warps reach {} per clock; {} warps of this run reach {}.",
            class.name,
            number(peak),
            number(warps),
            number(rate)
        )
    };
    fit_headline(text)
}

fn table(frame: &Frame, class: &ThroughputClass) -> Table {
    let arch = frame.arch();
    let mut all = Vec::new();
    for row in rows(arch.id, class.id) {
        for (warps, rate) in &row.rates {
            all.push([
                "Microbenchmark".to_owned(),
                row.parallel.to_string(),
                warps.to_string(),
                number(*rate),
                allowed(arch, class.class, f64::from(*warps), row.parallel)
                    .map_or_else(|| "none".to_owned(), number),
            ]);
        }
    }
    let (warps, rate, results) = run(frame, class.class);
    if results > 0 {
        all.push([
            "This run".to_owned(),
            "unknown".to_owned(),
            number(warps),
            number(rate),
            allowed(arch, class.class, warps, 1).map_or_else(|| "none".to_owned(), number),
        ]);
    }
    table_of(
        [
            "Point",
            "Independent instructions",
            "Warps",
            "Results per clock",
            "Curve",
        ],
        all,
    )
}

pub(super) fn drawn(frame: &Frame, state: &ViewState) -> Drawn {
    let class = class(state.settings.plot.class);
    Drawn {
        plot: plot(frame, class, state),
        headline: headline(frame, class),
        note: String::new(),
        table: table(frame, class),
        also: Vec::new(),
    }
}

fn sources(arch: &Architecture, class: &ThroughputClass) -> Vec<Source> {
    let Some(cost) = arch.cost(class.class) else {
        return Vec::new();
    };
    let mut sources = vec![
        source(
            &format!("Latency of {}", class.name),
            &cost.latency_cycles,
            "cycles",
        ),
        source(
            "Cycles of a warp instruction in its unit",
            &cost.occupancy_cycles,
            "cycles",
        ),
        source("Schedulers", &arch.issue.schedulers, ""),
        source("Issue interval", &arch.issue.issue_interval_cycles, "cycles"),
    ];
    if class.class == OpClass::Shared {
        let shared = &arch.memory.shared;
        sources.push(source("Banks", &shared.banks, ""));
        sources.push(source(
            "Interval of wavefronts",
            &shared.pass_interval_cycles,
            "cycles",
        ));
    }
    sources
}

pub(super) fn inspect(frame: &Frame, state: &ViewState) -> Inspection {
    let class = class(state.settings.plot.class);
    let arch = frame.arch();
    let (title, place, why) =
        if let Some(PlotPoint::Simulated { parallel, warps }) = state.settings.plot.point {
            let rate = rows(arch.id, class.id)
                .find(|row| row.parallel == parallel)
                .and_then(|row| row.rates.iter().find(|(of, _)| *of == warps))
                .map(|(_, rate)| *rate);
            let curve = allowed(arch, class.class, f64::from(warps), parallel);
            let why = match (rate, curve) {
                (Some(rate), Some(curve)) => format!(
                    "The simulator measures *{} results per clock*. Little's law allows {}.",
                    number(rate),
                    number(curve)
                ),
                _ => "This microbenchmark does not run on this architecture.".to_owned(),
            };
            (
                format!("{} microbenchmark", class.name),
                format!(
                    "{}, {} of each thread",
                    counted(warps.into(), "warp"),
                    counted(parallel.into(), "independent instruction")
                ),
                why,
            )
        } else {
            let (warps, rate, results) = run(frame, class.class);
            let why = if results == 0 {
                format!("This run has no instructions of the class of {}.", class.name)
            } else {
                format!(
                    "*{} results per clock* on average: {} thread instructions of the class of {}.",
                    number(rate),
                    thousands(results),
                    class.name
                )
            };
            (
                "Whole run".to_owned(),
                format!("{} resident warps on average", number(warps)),
                why,
            )
        };
    Inspection {
        title,
        place,
        why: phrases(&why),
        sources: sources(arch, class),
        ..Inspection::default()
    }
}
