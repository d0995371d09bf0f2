//! The settings of the Plots view, and the points that it can select.

use serde::{Deserialize, Serialize};

use engine::arch::{ArchId, Architecture, architecture};
use engine::trace::{TrafficLevel, WorkKind};

/// A plot of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// Operations per second over operations per byte.
    #[default]
    Roofline,
    /// Results per cycle over warps, for several degrees of instruction-level parallelism.
    Throughput,
    /// Bytes per cycle over bytes in flight.
    Bandwidth,
    /// A figure of every architecture over the years.
    Years,
    /// A launch with one number that changes.
    Experiments,
}

impl PlotKind {
    /// All values.
    pub const ALL: [Self; 5] = [
        Self::Roofline,
        Self::Throughput,
        Self::Bandwidth,
        Self::Experiments,
        Self::Years,
    ];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Roofline => "roofline",
            Self::Throughput => "throughput",
            Self::Bandwidth => "bandwidth",
            Self::Years => "years",
            Self::Experiments => "experiments",
        }
    }

    /// The label on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Roofline => "Roofline",
            Self::Throughput => "Throughput",
            Self::Bandwidth => "Bandwidth",
            Self::Years => "Years",
            Self::Experiments => "Experiments",
        }
    }

    /// What the plot shows, for the list of commands.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Roofline => "Roofline: operations per byte",
            Self::Throughput => "Throughput over warps and parallelism",
            Self::Bandwidth => "Bandwidth over bytes in flight",
            Self::Years => "Architectures over the years",
            Self::Experiments => "Experiments on scheduling and occupancy",
        }
    }
}

/// What the rates of the roofline refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotScope {
    /// One SM.
    #[default]
    Sm,
    /// The chip: all its SMs run like the simulated one.
    Chip,
}

impl PlotScope {
    /// Both values.
    pub const ALL: [Self; 2] = [Self::Sm, Self::Chip];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Sm => "sm",
            Self::Chip => "chip",
        }
    }

    /// The label on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm => "SM",
            Self::Chip => "Chip",
        }
    }
}

/// The id of a memory level in links.
pub const fn level_id(level: TrafficLevel) -> &'static str {
    match level {
        TrafficLevel::Shared => "shared",
        TrafficLevel::L1 => "l1",
        TrafficLevel::L2 => "l2",
        TrafficLevel::Device => "device",
    }
}

/// The name of a memory level in a sentence.
pub(crate) const fn level_name(level: TrafficLevel) -> &'static str {
    match level {
        TrafficLevel::Shared => "shared memory",
        TrafficLevel::L1 => "L1",
        TrafficLevel::L2 => "L2",
        TrafficLevel::Device => "device memory",
    }
}

/// The id of a kind of operations in links.
pub const fn work_id(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Fp32 => "fp32",
        WorkKind::Fp64 => "fp64",
        WorkKind::Half => "half",
        WorkKind::Int => "int",
        WorkKind::Tensor => "tensor",
        WorkKind::TensorTf32 => "tf32",
        WorkKind::TensorFp64 => "tensor64",
        WorkKind::TensorInt => "int8",
    }
}

/// The name of a kind of operations.
pub(crate) const fn work_name(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Fp32 => "FP32",
        WorkKind::Fp64 => "FP64",
        WorkKind::Half => "FP16",
        WorkKind::Int => "INT32",
        WorkKind::Tensor => "Tensor FP16",
        WorkKind::TensorTf32 => "Tensor TF32",
        WorkKind::TensorFp64 => "Tensor FP64",
        WorkKind::TensorInt => "Tensor INT8",
    }
}

/// A point or a roof of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PlotPoint {
    /// The whole run; in the roofline, with the bytes of a level by its index in [`TrafficLevel::ALL`].
    Run(u8),
    /// One of the equal stretches of the run, from 0.
    Stretch(u8),
    /// The range selected in the Timeline.
    Range,
    /// The roof of a memory level, by its index.
    Roof(u8),
    /// The peak rate of a kind of operations, by its index in [`WorkKind::ALL`].
    Peak(u8),
    /// A simulated microbenchmark: independent instructions (or loads) of each thread, and warps.
    Simulated {
        /// Independent instructions, or loads, of each thread.
        parallel: u8,
        /// Resident warps.
        warps: u8,
    },
    /// An architecture.
    Chip(ArchId),
    /// A point of an experiment, from 0.
    Swept(u8),
}

impl PlotPoint {
    /// The text in links: `run-l2`, `stretch-3`, `range`, `roof-device`, `peak-fp32`, `simulated-2-16`, `gp104`, `point-3`.
    pub fn text(self) -> String {
        let level = |idx: u8| {
            TrafficLevel::ALL
                .get(usize::from(idx))
                .map_or("device", |level| level_id(*level))
        };
        match self {
            Self::Run(idx) => format!("run-{}", level(idx)),
            Self::Stretch(idx) => format!("stretch-{}", u32::from(idx) + 1),
            Self::Range => "range".to_owned(),
            Self::Roof(idx) => format!("roof-{}", level(idx)),
            Self::Peak(idx) => {
                let kind = WorkKind::ALL.get(usize::from(idx));
                format!("peak-{}", kind.map_or("fp32", |kind| work_id(*kind)))
            }
            Self::Simulated { parallel, warps } => format!("simulated-{parallel}-{warps}"),
            Self::Chip(id) => id.text().to_owned(),
            Self::Swept(idx) => format!("point-{}", u32::from(idx) + 1),
        }
    }

    /// Reads what [`PlotPoint::text`] wrote.
    pub fn read(text: &str) -> Option<Self> {
        let level = |id: &str| {
            let idx = TrafficLevel::ALL
                .iter()
                .position(|level| level_id(*level) == id)?;
            u8::try_from(idx).ok()
        };
        let (kind, rest) = text.split_once('-').unwrap_or((text, ""));
        match kind {
            "run" => Some(Self::Run(level(rest)?)),
            "stretch" => {
                let number: u8 = rest.parse().ok()?;
                let in_run = (1..=super::STRETCHES as u8).contains(&number);
                in_run.then(|| Self::Stretch(number - 1))
            }
            "point" => {
                let number: u8 = rest.parse().ok()?;
                number.checked_sub(1).map(Self::Swept)
            }
            "range" if rest.is_empty() => Some(Self::Range),
            "roof" => Some(Self::Roof(level(rest)?)),
            "peak" => {
                let idx = WorkKind::ALL.iter().position(|kind| work_id(*kind) == rest)?;
                Some(Self::Peak(u8::try_from(idx).ok()?))
            }
            "simulated" => {
                let (parallel, warps) = rest.split_once('-')?;
                Some(Self::Simulated {
                    parallel: parallel.parse().ok()?,
                    warps: warps.parse().ok()?,
                })
            }
            _ => text.parse().ok().map(Self::Chip),
        }
    }
}

/// A setting of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotSetting {
    /// The plot.
    Kind(PlotKind),
    /// What the roofline's rates refer to.
    Scope(PlotScope),
    /// The memory level; `None`: the limiting one.
    Level(Option<TrafficLevel>),
    /// The kind of operations; `None`: the most frequent one.
    Work(Option<WorkKind>),
    /// A second architecture.
    With(Option<ArchId>),
    /// The class of instructions of the throughput plot, by its index.
    Class(u8),
    /// The figure of the years plot, by its index.
    Figure(u8),
    /// The experiment, by its index.
    Experiment(u8),
}

/// The settings of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlotSettings {
    /// The plot.
    pub kind: PlotKind,
    /// What the roofline's rates refer to.
    pub scope: PlotScope,
    /// The memory level; `None`: the limiting one.
    pub level: Option<TrafficLevel>,
    /// The kind of operations; `None`: the most frequent one.
    pub work: Option<WorkKind>,
    /// A second architecture.
    pub with: Option<ArchId>,
    /// The class of instructions of the throughput plot, by its index.
    pub class: u8,
    /// The figure of the years plot, by its index.
    pub figure: u8,
    /// The experiment, by its index.
    #[serde(default)]
    pub experiment: u8,
    /// The selected point.
    pub point: Option<PlotPoint>,
}

impl PlotSettings {
    /// The second architecture, if it is another one than the run's.
    pub(super) fn second(&self, own: &Architecture) -> Option<&'static Architecture> {
        self.with.filter(|id| *id != own.id).map(architecture)
    }

    /// Changes one setting. Points belong to a plot: another plot has no selected point.
    pub fn set(&mut self, setting: PlotSetting) {
        match setting {
            PlotSetting::Kind(kind) => {
                self.kind = kind;
                self.point = None;
            }
            PlotSetting::Scope(scope) => self.scope = scope,
            PlotSetting::Level(level) => self.level = level,
            PlotSetting::Work(work) => self.work = work,
            PlotSetting::With(arch) => self.with = arch,
            PlotSetting::Class(class) => self.class = class,
            PlotSetting::Figure(figure) => self.figure = figure,
            PlotSetting::Experiment(experiment) => {
                self.experiment = experiment;
                self.point = None;
            }
        }
    }
}
