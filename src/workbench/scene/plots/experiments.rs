//! Experiments about scheduling and occupancy: a launch with one number that changes, simulated by `warpscope plots`.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::super::inspector::{Inspection, Source, phrases};
use super::super::kit::table as table_of;
use super::super::{Table, ViewState};
use super::Drawn;
use super::canvas::{Axis, Dot, DotKind, Line, Plot, Scale, Weight};
use super::settings::PlotPoint;
use super::wording::number;
use crate::words::fit_headline;
use engine::arch::{ArchId, Architecture};
use engine::trace::Frame;

/// An experiment: a kernel, and the number that changes from point to point.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The id in links.
    pub id: &'static str,
    /// The name on the page.
    pub name: &'static str,
    /// The number that changes.
    pub x: &'static str,
    /// What is measured.
    pub y: &'static str,
    /// The unit of what is measured, and the number that changes, in the headline.
    pub words: [&'static str; 2],
    /// The kernel and its launch, in one sentence.
    pub about: &'static str,
    /// The rule that the curve shows, in one sentence.
    pub rule: &'static str,
    /// The source of the rule.
    pub source: &'static str,
    /// Whether more is better.
    pub is_rate: bool,
}

/// The experiments.
pub const EXPERIMENTS: [Experiment; 4] = [
    Experiment {
        id: "mix",
        name: "FP32 beside INT32",
        x: "Integer instructions of eight",
        y: "Results per clock of an SM",
        words: ["per clock", "of 8 on integers"],
        about: "16 warps repeat eight independent instructions: some are integer additions and exclusive ors, the others FFMA.",
        rule: "Volta and Turing issue to separate FP32 and INT32 units: a mixture can reach more results per clock than FFMAs alone.",
        source: "Turing Tuning Guide 1.4.1.4; Volta Tuning Guide 4.1.4",
        is_rate: true,
    },
    Experiment {
        id: "block",
        name: "Block size",
        x: "Threads per block",
        y: "Bytes per clock of an SM",
        words: ["bytes per clock", "threads in a block"],
        about: "Each thread copies four floats; the grid has 8,192 threads.",
        rule: "The number of resident blocks is limited: small blocks leave warp slots empty, and too few loads are in flight.",
        source: "Turing Tuning Guide 1.4.1.3; Volta Tuning Guide 4.1.3; Fermi Tuning Guide, Device Utilization",
        is_rate: true,
    },
    Experiment {
        id: "barrier",
        name: "Barrier",
        x: "Threads per block",
        y: "Cycles of the run",
        words: ["cycles", "threads in a block"],
        about: "The same 512 threads load, compute, and pass __syncthreads() eight times, in one block or in several.",
        rule: "While one block waits at its barrier, warps of other blocks issue: several blocks lose less time than one large block.",
        source: "Programming Guide 4.2, 5.2.3",
        is_rate: false,
    },
    Experiment {
        id: "waves",
        name: "Waves",
        x: "Waves: blocks, divided by blocks that fit the device",
        y: "Cycles of the device",
        words: ["cycles", "waves"],
        about: "The whole device runs blocks of one warp that fill shared memory and take the same time.",
        rule: "The run takes whole waves: one block more than fits adds the time of a whole block, while most SMs are idle.",
        source: "Fermi Tuning Guide, Device Utilization; Volta Tuning Guide 2",
        is_rate: false,
    },
];

/// The points of an experiment on an architecture.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentRow {
    /// The architecture.
    pub arch: ArchId,
    /// The id of the experiment.
    pub what: String,
    /// The number that changes, and the measured value.
    pub points: Vec<(f64, f64)>,
}

/// All simulated points.
pub static EXPERIMENT_ROWS: LazyLock<Vec<ExperimentRow>> =
    LazyLock::new(|| include_str!("experiments.csv").lines().filter_map(read).collect());

fn read(line: &str) -> Option<ExperimentRow> {
    let mut cells = line.split(',');
    let arch = cells.next()?.parse().ok()?;
    let what = cells.next()?.to_owned();
    let point = |cell: &str| {
        let (x, y) = cell.split_once(':')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    Some(ExperimentRow {
        arch,
        what,
        points: cells.filter_map(point).collect(),
    })
}

/// The rows as the text of the file.
pub fn written(rows: &[ExperimentRow]) -> String {
    let mut text = String::from(
        "# Written by `warpscope plots --write .`: architecture, experiment, number that changes:measured value\n",
    );
    for row in rows {
        let _ = write!(text, "{},{}", row.arch.text(), row.what);
        for (x, y) in &row.points {
            let _ = write!(text, ",{x}:{y}");
        }
        text.push('\n');
    }
    text
}

/// An experiment by its index; the first for an unknown index.
pub(super) fn experiment(idx: u8) -> &'static Experiment {
    EXPERIMENTS.get(usize::from(idx)).unwrap_or(&EXPERIMENTS[0])
}

/// The points of an experiment on an architecture; none if it does not run there.
pub(super) fn points(arch: &Architecture, experiment: &Experiment) -> &'static [(f64, f64)] {
    EXPERIMENT_ROWS
        .iter()
        .find(|row| row.arch == arch.id && row.what == experiment.id)
        .map_or(&[], |row| &row.points)
}

/// The point with the most results per clock or the fewest cycles.
fn best(experiment: &Experiment, points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let order = |a: &&(f64, f64), b: &&(f64, f64)| {
        let order = a.1.total_cmp(&b.1);
        if experiment.is_rate {
            order.reverse()
        } else {
            order
        }
    };
    points.iter().min_by(order).copied()
}

fn plot(frame: &Frame, experiment: &Experiment, state: &ViewState) -> Plot {
    let own = frame.arch();
    let with = state.settings.plot.second(own);
    let mut lines = Vec::new();
    let (mut least, mut most, mut top) = (f64::MAX, 0.0_f64, 0.0_f64);
    for (arch, weight) in std::iter::once((own, Weight::Main)).chain(with.map(|arch| (arch, Weight::Dashed)))
    {
        let points = points(arch, experiment);
        for (x, y) in points {
            (least, most, top) = (least.min(*x), most.max(*x), top.max(*y));
        }
        if !points.is_empty() {
            lines.push(Line {
                name: arch.name.to_owned(),
                points: points.to_vec(),
                weight,
                point: None,
            });
        }
    }
    let dots = points(own, experiment).iter().enumerate().map(|(idx, at)| Dot {
        point: PlotPoint::Swept(idx as u8),
        at: *at,
        name: String::new(),
        kind: DotKind::Plain,
    });
    let is_wide = least > 0.0 && most >= 16.0 * least;
    Plot {
        x: Axis {
            name: experiment.x.to_owned(),
            scale: if is_wide { Scale::Log } else { Scale::Linear },
            range: if is_wide {
                (least, most)
            } else {
                (0.0, most.max(1.0))
            },
            grouped: true,
        },
        y: Axis {
            name: experiment.y.to_owned(),
            scale: Scale::Linear,
            range: (0.0, (top * 1.15).max(1.0)),
            grouped: true,
        },
        lines,
        dots: dots.collect(),
        notes: vec![experiment.about.to_owned(), experiment.rule.to_owned()],
    }
}

fn headline(arch: &Architecture, experiment: &Experiment) -> String {
    let Some((x, y)) = best(experiment, points(arch, experiment)) else {
        return format!("{} does not run this experiment.", arch.name);
    };
    let points = points(arch, experiment);
    // The step after a whole wave is what the curve shows, not the shortest run.
    let wave = points.iter().rfind(|(x, _)| *x <= 1.0);
    let next = points.iter().find(|(x, _)| *x > 1.0);
    if let ("waves", Some((_, one)), Some((_, more))) = (experiment.id, wave, next) {
        return fit_headline(format!(
            "{} on {}: a little more than one takes {} times as long as one.",
            experiment.name,
            arch.name,
            number(more / one)
        ));
    }
    let extreme = if experiment.is_rate { "at most" } else { "at least" };
    let [unit, changes] = experiment.words;
    fit_headline(format!(
        "{} on {}: {extreme} {} {unit}, with {} {changes}.",
        experiment.name,
        arch.name,
        number(y),
        number(x)
    ))
}

fn table(arch: &Architecture, experiment: &Experiment) -> Table {
    let rows = points(arch, experiment).iter();
    let rows = rows.map(|(x, y)| [arch.name.to_owned(), number(*x), number(*y)]);
    table_of(["Architecture", experiment.x, experiment.y], rows.collect())
}

pub(super) fn drawn(frame: &Frame, state: &ViewState) -> Drawn {
    let settings = &state.settings.plot;
    let experiment = experiment(settings.experiment);
    let beside = settings.second(frame.arch());
    Drawn {
        plot: plot(frame, experiment, state),
        headline: headline(frame.arch(), experiment),
        note: String::new(),
        table: table(frame.arch(), experiment),
        also: beside
            .map(|arch| (arch.name.to_owned(), table(arch, experiment)))
            .into_iter()
            .collect(),
    }
}

pub(super) fn inspect(frame: &Frame, state: &ViewState) -> Inspection {
    let experiment = experiment(state.settings.plot.experiment);
    let selected = match state.settings.plot.point {
        Some(PlotPoint::Swept(idx)) => points(frame.arch(), experiment).get(usize::from(idx)),
        _ => None,
    };
    let (place, why) = match selected {
        Some((x, y)) => (
            format!("{}: {}", experiment.x, number(*x)),
            format!("{}: *{}*. {}", experiment.y, number(*y), experiment.rule),
        ),
        None => (frame.arch().name.to_owned(), experiment.rule.to_owned()),
    };
    Inspection {
        title: experiment.name.to_owned(),
        place,
        why: phrases(&why),
        sources: vec![Source {
            name: "Rule".to_owned(),
            value: String::new(),
            source: experiment.source.to_owned(),
            assumed: false,
        }],
        ..Inspection::default()
    }
}
