//! Bandwidth over bytes in flight, by Little's law: bytes in flight divided by the latency, up to the bandwidth of the
//! level. Curves follow from the model's numbers, points from simulated microbenchmarks.

use super::super::inspector::{Inspection, Source, phrases, source};
use super::super::kit::table as table_of;
use super::super::{Table, ViewState};
use super::canvas::{Axis, Dot, DotKind, Line, Plot, Scale, Weight};
use super::settings::{PlotPoint, level_name};
use super::simulated::rows;
use super::wording::{level_capital, number};
use super::{Drawn, roofline};
use crate::words::{counted, fit_headline, thousands};
use engine::arch::{Architecture, OpClass, Quality, WARP_SIZE};
use engine::trace::{Frame, TrafficLevel};

/// Bytes that a lane loads in the microbenchmarks.
const LANE_BYTES: u32 = 4;

/// One SM's share of a level's bandwidth, the bandwidth of one SM alone (bytes per clock), and the latency.
fn law(arch: &Architecture, level: TrafficLevel) -> Option<(f64, f64, f64)> {
    let bandwidth = roofline::bandwidth(arch, level)?;
    let memory = &arch.memory;
    let latency = match level {
        TrafficLevel::Shared => arch.cost(OpClass::Shared)?.latency_cycles.value,
        TrafficLevel::L1 => memory.l1?.hit_latency_cycles.value,
        TrafficLevel::L2 => memory.l2?.hit_latency_cycles.value,
        TrafficLevel::Device => memory.device.latency_cycles.value,
    };
    Some((bandwidth.share, bandwidth.alone, f64::from(latency)))
}

/// The level that the plot shows: the chosen one, or the farthest one that the run uses.
fn level(frame: &Frame, state: &ViewState) -> TrafficLevel {
    roofline::level(frame, &state.settings.plot)
}

/// Average bytes in flight of the run, and bytes per clock.
fn run(frame: &Frame, level: TrafficLevel) -> Option<(f64, f64)> {
    let trace = frame.trace();
    let work = trace.work();
    let cycles = trace.num_cycles().max(1) as f64;
    let bytes = work.total.at(level);
    (bytes > 0).then(|| {
        (
            work.byte_cycles[level as usize] as f64 / cycles,
            bytes as f64 / cycles,
        )
    })
}

/// The simulated points of a level: loads of a thread, warps, bytes in flight, and bytes per clock.
fn points(arch: &Architecture, level: TrafficLevel) -> Vec<(u8, u8, f64, f64)> {
    // A load of shared memory by a warp moves 128 bytes; the microbenchmark counts its results.
    let (what, factor) = match level {
        TrafficLevel::Shared => ("lds", f64::from(LANE_BYTES)),
        TrafficLevel::L2 => ("l2", 1.0),
        TrafficLevel::Device => ("device", 1.0),
        TrafficLevel::L1 => return Vec::new(),
    };
    rows(arch.id, what)
        .flat_map(|row| {
            row.rates.iter().map(move |(warps, rate)| {
                let lanes = u32::from(*warps) * u32::from(row.parallel) * WARP_SIZE;
                (row.parallel, *warps, f64::from(lanes * LANE_BYTES), rate * factor)
            })
        })
        .collect()
}

fn curve(
    name: String,
    roof: f64,
    latency: f64,
    x: (f64, f64),
    weight: Weight,
    point: Option<PlotPoint>,
) -> Line {
    // A line through the origin is straight with two logarithmic axes.
    Line {
        name,
        points: vec![(x.0, x.0 / latency), (roof * latency, roof), (x.1, roof)],
        weight,
        point,
    }
}

fn plot(frame: &Frame, level: TrafficLevel, state: &ViewState) -> Plot {
    let own = frame.arch();
    let with = state.settings.plot.second(own);
    let mut dots = Vec::new();
    for (parallel, warps, bytes, rate) in points(own, level) {
        dots.push(Dot {
            point: PlotPoint::Simulated { parallel, warps },
            at: (bytes, rate),
            name: String::new(),
            kind: DotKind::Plain,
        });
    }
    if let Some(at) = run(frame, level) {
        dots.push(Dot {
            point: PlotPoint::Run(level as u8),
            at,
            name: "this run".to_owned(),
            kind: DotKind::Run,
        });
    }
    let law_of = |arch: &Architecture| law(arch, level);
    let knee = law_of(own).map_or(1000.0, |(_, alone, latency)| alone * latency);
    let mut x = (knee / 1000.0, knee * 8.0);
    let mut y = (f64::MAX, 0.0_f64);
    for arch in std::iter::once(own).chain(with) {
        if let Some((share, alone, latency)) = law_of(arch) {
            x.1 = x.1.max(alone * latency * 3.0);
            y = (y.0.min(share / 30.0), y.1.max(alone * 2.0));
        }
    }
    for dot in &dots {
        x = (x.0.min(dot.at.0 / 2.0), x.1.max(dot.at.0 * 2.0));
        y = (y.0.min(dot.at.1 / 2.0), y.1.max(dot.at.1 * 2.0));
    }
    let mut lines = Vec::new();
    if let Some((share, alone, latency)) = law_of(own) {
        let point = Some(PlotPoint::Roof(level as u8));
        let differs = alone > share * 1.01;
        let name = if differs { "one SM alone" } else { "one SM" };
        let text = format!("{name}: {} B per clock", number(alone));
        lines.push(curve(text, alone, latency, x, Weight::Main, point));
        if differs {
            let text = format!("share of one SM with all SMs busy: {}", number(share));
            lines.push(curve(text, share, latency, x, Weight::Thin, point));
        }
    }
    if let Some((arch, (_, alone, latency))) = with.and_then(|arch| Some((arch, law_of(arch)?))) {
        let text = format!("{}: {}", arch.id.text().to_uppercase(), number(alone));
        lines.push(curve(text, alone, latency, x, Weight::Dashed, None));
    }
    let benchmark = match level {
        TrafficLevel::L1 => "No microbenchmark has points of L1.".to_owned(),
        TrafficLevel::Shared => {
            "Squares: the simulated microbenchmark of LDS, 128 bytes of each warp and load.".to_owned()
        }
        _ => {
            let most = own.memory.l1.map_or_else(String::new, |l1| {
                let is_assumed = l1.miss_entries.quality == Quality::Assumption;
                let limits = if is_assumed {
                    "is assumed to limit"
                } else {
                    "limits"
                };
                format!(
                    " L1 {limits} the misses in flight to {} sectors.",
                    thousands(l1.miss_entries.value.into())
                )
            });
            format!(
                "Squares: a simulated loop of 4-byte loads, with 1, 2, 4, and 8 loads of each thread in flight.{most}"
            )
        }
    };
    Plot {
        x: Axis {
            name: format!("Bytes in flight from {}, one SM", level_name(level)),
            scale: Scale::Log,
            range: x,
            grouped: true,
        },
        y: Axis {
            name: format!("Bytes per clock from {}, one SM", level_name(level)),
            scale: Scale::Log,
            range: y,
            grouped: true,
        },
        lines,
        dots,
        notes: vec![
            "Curves: bytes in flight ÷ latency, up to the bandwidth (Little's law). This run: averages over its cycles."
                .to_owned(),
            benchmark,
        ],
    }
}

fn headline(frame: &Frame, level: TrafficLevel) -> String {
    let arch = frame.arch();
    let Some((share, _, latency)) = law(arch, level) else {
        return format!("{} has no {}.", arch.name, level_name(level));
    };
    let need = thousands((share * latency).ceil() as u64);
    let text = match run(frame, level) {
        Some((bytes, _)) => format!(
            "{} needs {need} B in flight for {} B per clock; this run has {} B.",
            level_capital(level),
            number(share),
            thousands(bytes.round() as u64)
        ),
        None => format!(
            "{} needs {need} B in flight for {} B per clock; this run uses none.",
            level_capital(level),
            number(share)
        ),
    };
    fit_headline(text)
}

fn table(frame: &Frame, level: TrafficLevel) -> Table {
    let arch = frame.arch();
    let law = law(arch, level);
    let curve = |bytes: f64| {
        law.map_or_else(
            || "none".to_owned(),
            |(_, alone, latency)| number((bytes / latency).min(alone)),
        )
    };
    let mut all = Vec::new();
    for (parallel, warps, bytes, rate) in points(arch, level) {
        all.push([
            "Microbenchmark".to_owned(),
            parallel.to_string(),
            warps.to_string(),
            thousands(bytes as u64),
            number(rate),
            curve(bytes),
        ]);
    }
    if let Some((bytes, rate)) = run(frame, level) {
        all.push([
            "This run".to_owned(),
            "average".to_owned(),
            "average".to_owned(),
            thousands(bytes.round() as u64),
            number(rate),
            curve(bytes),
        ]);
    }
    table_of(
        [
            "Point",
            "Loads of a thread",
            "Warps",
            "Bytes in flight",
            "Bytes per clock",
            "Curve",
        ],
        all,
    )
}

pub(super) fn drawn(frame: &Frame, state: &ViewState) -> Drawn {
    let level = level(frame, state);
    Drawn {
        plot: plot(frame, level, state),
        headline: headline(frame, level),
        note: String::new(),
        table: table(frame, level),
        also: Vec::new(),
    }
}

fn sources(arch: &Architecture, level: TrafficLevel) -> Vec<Source> {
    let mut sources = roofline::level_sources(arch, level);
    let memory = &arch.memory;
    let latency = match level {
        TrafficLevel::Shared => arch.cost(OpClass::Shared).map(|cost| cost.latency_cycles),
        TrafficLevel::L1 => memory.l1.map(|l1| l1.hit_latency_cycles),
        TrafficLevel::L2 => memory.l2.map(|l2| l2.hit_latency_cycles),
        TrafficLevel::Device => Some(memory.device.latency_cycles),
    };
    if let Some(latency) = latency {
        sources.insert(0, source("Latency", &latency, "cycles"));
    }
    sources
}

pub(super) fn inspect(frame: &Frame, state: &ViewState) -> Inspection {
    let level = level(frame, state);
    let arch = frame.arch();
    let (title, place, why) = match state.settings.plot.point {
        Some(PlotPoint::Simulated { parallel, warps }) => {
            let found = points(arch, level)
                .into_iter()
                .find(|point| (point.0, point.1) == (parallel, warps));
            let why = found.map_or_else(
                || "This microbenchmark does not run on this architecture.".to_owned(),
                |(_, _, bytes, rate)| {
                    format!(
                        "*{} B per clock* with {} B in flight.",
                        number(rate),
                        thousands(bytes as u64)
                    )
                },
            );
            (
                "Microbenchmark".to_owned(),
                format!(
                    "{}, {} of each thread",
                    counted(warps.into(), "warp"),
                    counted(parallel.into(), "load")
                ),
                why,
            )
        }
        Some(PlotPoint::Roof(_)) => {
            let why = law(arch, level).map_or_else(String::new, |(share, alone, latency)| {
                format!(
                    "*{} B* in flight reach {} B per clock at a latency of {} cycles. One SM alone can use {} B per clock.",
                    thousands((share * latency).ceil() as u64),
                    number(share),
                    number(latency),
                    number(alone)
                )
            });
            (
                format!("Bandwidth of {}", level_name(level)),
                arch.name.to_owned(),
                why,
            )
        }
        _ => {
            let why = run(frame, level).map_or_else(
                || format!("This run moves no bytes of {}.", level_name(level)),
                |(bytes, rate)| {
                    format!(
                        "*{} B per clock* with {} B in flight on average: {} cycles from the first wavefront to the last data.",
                        number(rate),
                        thousands(bytes.round() as u64),
                        number(bytes / rate)
                    )
                },
            );
            ("Whole run".to_owned(), level_capital(level), why)
        }
    };
    Inspection {
        title,
        place,
        why: phrases(&why),
        sources: sources(arch, level),
        ..Inspection::default()
    }
}
