//! A figure of every architecture over the year of its launch. A value without a source is marked as assumed, an
//! architecture without the unit is absent and listed, and values of other sources are drawn beside the value.

use std::sync::LazyLock;

use super::super::inspector::{Facts, Inspection, Source, phrases};
use super::super::kit::table as table_of;
use super::super::{Table, ViewState};
use super::canvas::{Axis, Dot, DotKind, Plot, Scale};
use super::settings::PlotPoint;
use super::wording::number;
use super::{Drawn, roofline};
use crate::words::fit_headline;
use engine::arch::{ArchId, Architecture, Quality, ValueRow, architecture};
use engine::trace::{Frame, WorkKind};

/// The numbers of every architecture, in the order of [`ArchId::ALL`]: a picture is drawn in every frame.
static ROWS: LazyLock<Vec<Vec<ValueRow>>> =
    LazyLock::new(|| ArchId::ALL.map(|id| architecture(id).values()).to_vec());

/// Values that differ by more than this factor have a logarithmic axis.
const LOG_FACTOR: f64 = 20.0;

/// Where a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// A number of the architecture, by its path.
    Path(&'static str),
    /// The peak rate of a kind of operations, divided by a number.
    Peak(WorkKind, u8),
}

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Figure {
    /// The id in links.
    pub(super) id: &'static str,
    /// The name on the page.
    pub(super) name: &'static str,
    unit: &'static str,
    origin: Origin,
}

const fn path(id: &'static str, name: &'static str, unit: &'static str, path: &'static str) -> Figure {
    Figure {
        id,
        name,
        unit,
        origin: Origin::Path(path),
    }
}

const fn peak(id: &'static str, name: &'static str, unit: &'static str, kind: WorkKind, by: u8) -> Figure {
    Figure {
        id,
        name,
        unit,
        origin: Origin::Peak(kind, by),
    }
}

/// All figures.
pub(super) const FIGURES: [Figure; 28] = [
    path(
        "registers",
        "Registers of an SM",
        "32-bit registers",
        "occupancy.registers_per_sm",
    ),
    path(
        "shared",
        "Shared memory of an SM",
        "KB",
        "occupancy.shared_per_sm_kib",
    ),
    path(
        "shared-block",
        "Shared memory of a block",
        "KB",
        "occupancy.shared_optin_kib",
    ),
    path(
        "warps",
        "Resident warps of an SM",
        "warps",
        "occupancy.max_warps_per_sm",
    ),
    path(
        "blocks",
        "Resident blocks of an SM",
        "blocks",
        "occupancy.max_blocks_per_sm",
    ),
    path(
        "registers-thread",
        "Registers of a thread",
        "registers",
        "occupancy.max_registers_per_thread",
    ),
    path(
        "schedulers",
        "Schedulers of an SM",
        "schedulers",
        "issue.schedulers",
    ),
    peak(
        "fp32",
        "FP32 results of an SM",
        "results per clock",
        WorkKind::Fp32,
        2,
    ),
    peak(
        "fp64",
        "FP64 results of an SM",
        "results per clock",
        WorkKind::Fp64,
        2,
    ),
    peak(
        "half",
        "FP16 operations of an SM",
        "operations per clock",
        WorkKind::Half,
        1,
    ),
    peak(
        "int",
        "INT32 additions of an SM",
        "results per clock",
        WorkKind::Int,
        1,
    ),
    peak(
        "tensor",
        "Tensor FP16 operations of an SM",
        "operations per clock",
        WorkKind::Tensor,
        1,
    ),
    peak(
        "int8",
        "Tensor INT8 operations of an SM",
        "operations per clock",
        WorkKind::TensorInt,
        1,
    ),
    path("sms", "SMs of the chip", "SMs", "chip.num_sms"),
    path("clock", "Clock of an SM", "MHz", "chip.sm_clock_mhz"),
    path(
        "bandwidth",
        "Bandwidth of device memory",
        "GB/s",
        "chip.dram_gb_per_s",
    ),
    path("bus", "Width of the memory bus", "bits", "chip.dram_bits"),
    path("l2", "Capacity of L2", "KB", "memory.l2.capacity_kib"),
    path("l1-line", "Line of L1", "B", "memory.l1.line_bytes"),
    path("banks", "Banks of shared memory", "banks", "memory.shared.banks"),
    path(
        "latency-fp32",
        "Latency of FFMA",
        "cycles",
        "costs.Fp32.latency_cycles",
    ),
    path(
        "latency-fp64",
        "Latency of DFMA",
        "cycles",
        "costs.Fp64.latency_cycles",
    ),
    path(
        "latency-imad",
        "Latency of IMAD",
        "cycles",
        "costs.IntMul.latency_cycles",
    ),
    path(
        "latency-shared",
        "Latency of shared memory",
        "cycles",
        "costs.Shared.latency_cycles",
    ),
    path(
        "latency-l1",
        "Latency of an L1 hit",
        "cycles",
        "memory.l1.hit_latency_cycles",
    ),
    path(
        "latency-l2",
        "Latency of an L2 hit",
        "cycles",
        "memory.l2.hit_latency_cycles",
    ),
    path(
        "latency-device",
        "Latency of device memory",
        "cycles",
        "memory.device.latency_cycles",
    ),
    path(
        "latency-branch",
        "Latency of a branch",
        "cycles",
        "costs.Branch.latency_cycles",
    ),
];

/// A figure by its index; the first for an unknown index.
pub(super) fn figure(idx: u8) -> &'static Figure {
    FIGURES.get(usize::from(idx)).unwrap_or(&FIGURES[0])
}

/// The value of a figure on an architecture.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) number: f64,
    pub(super) sources: Vec<Source>,
    /// Values of other sources, as text, with the sources.
    pub(super) others: Vec<(&'static str, &'static str)>,
    pub(super) is_assumed: bool,
}

impl Figure {
    /// The figure of an architecture; `None` if the architecture has no such unit.
    pub(super) fn of(&self, arch: &Architecture) -> Option<Value> {
        match self.origin {
            Origin::Path(path) => {
                let row = ROWS.get(arch.id as usize)?.iter().find(|row| row.path == path)?;
                let value = row.value.parse().ok()?;
                Some(Value {
                    number: value,
                    is_assumed: row.quality == Quality::Assumption,
                    others: row
                        .alternatives
                        .iter()
                        .map(|other| (other.value, other.source))
                        .collect(),
                    sources: vec![cited(self.name, row)],
                })
            }
            Origin::Peak(kind, by) => {
                let sources = roofline::kind_sources(arch, kind);
                Some(Value {
                    number: kind.peak_per_cycle(arch)? / f64::from(by),
                    is_assumed: sources.iter().any(|source| source.assumed),
                    others: Vec::new(),
                    sources,
                })
            }
        }
    }

    fn text(&self) -> String {
        format!("{} ({})", self.name, self.unit)
    }
}

fn cited(name: &str, row: &ValueRow) -> Source {
    let assumed = row.quality == Quality::Assumption;
    let source = match (assumed, row.source.is_empty()) {
        (true, _) => format!("assumption: {}", row.note),
        (false, _) if row.note.is_empty() => row.source.to_owned(),
        (false, _) => format!("{} ({})", row.source, row.note),
    };
    Source {
        name: name.to_owned(),
        value: format!("{} {}", row.value, row.unit).trim().to_owned(),
        source,
        assumed,
    }
}

/// The number at the start of another source's value.
fn leading_number(text: &str) -> Option<f64> {
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    let end = text.find(|c| !digits(c)).unwrap_or(text.len());
    text[..end].trim_end_matches('.').parse().ok()
}

fn values(figure: &Figure) -> Vec<(ArchId, Option<Value>)> {
    ArchId::ALL
        .into_iter()
        .map(|id| (id, figure.of(architecture(id))))
        .collect()
}

fn plot(figure: &Figure, own: ArchId) -> Plot {
    let values = values(figure);
    let mut dots = Vec::new();
    for (id, value) in &values {
        let Some(value) = value else { continue };
        let year = f64::from(architecture(*id).year.value);
        for (other, _) in &value.others {
            if let Some(other) = leading_number(other).filter(|other| *other != value.number && *other > 0.0)
            {
                dots.push(Dot {
                    point: PlotPoint::Chip(*id),
                    at: (year, other),
                    name: String::new(),
                    kind: DotKind::Hollow,
                });
            }
        }
        dots.push(Dot {
            point: PlotPoint::Chip(*id),
            at: (year, value.number),
            name: id.text().to_uppercase(),
            kind: if *id == own { DotKind::Run } else { DotKind::Plain },
        });
    }
    let numbers = dots.iter().map(|dot| dot.at.1);
    let (least, most) = numbers.fold((f64::MAX, 0.0_f64), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    let is_log = most > least * LOG_FACTOR;
    Plot {
        x: Axis {
            name: "Year of launch".to_owned(),
            scale: Scale::Linear,
            range: (2005.5, 2023.0),
            grouped: false,
        },
        y: Axis {
            name: figure.text(),
            scale: if is_log { Scale::Log } else { Scale::Linear },
            range: if is_log {
                (least / 2.0, most * 2.0)
            } else {
                (0.0, most.max(1.0) * 1.15)
            },
            grouped: true,
        },
        lines: Vec::new(),
        dots,
        notes: notes(&values),
    }
}

fn names(ids: &[ArchId]) -> String {
    ids.iter()
        .map(|id| id.text().to_uppercase())
        .collect::<Vec<_>>()
        .join(", ")
}

fn notes(values: &[(ArchId, Option<Value>)]) -> Vec<String> {
    let mut notes = vec!["Filled: the simulated value. Outline: the value of another source.".to_owned()];
    let pick = |wanted: &dyn Fn(&Option<Value>) -> bool| -> Vec<ArchId> {
        values
            .iter()
            .filter(|(_, value)| wanted(value))
            .map(|(id, _)| *id)
            .collect()
    };
    let absent = pick(&|value| value.is_none());
    let assumed = pick(&|value| value.as_ref().is_some_and(|value| value.is_assumed));
    if !absent.is_empty() {
        notes.push(format!("Absent, without this unit or value: {}.", names(&absent)));
    }
    if !assumed.is_empty() {
        notes.push(format!("Assumed or partly assumed: {}.", names(&assumed)));
    }
    notes
}

fn headline(figure: &Figure) -> String {
    let values = values(figure);
    let known: Vec<(ArchId, f64)> = values
        .iter()
        .filter_map(|(id, value)| Some((*id, value.as_ref()?.number)))
        .collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return format!("{}: no architecture has a value.", figure.name);
    };
    let at = |(id, value): &(ArchId, f64)| {
        format!(
            "{} ({} {})",
            number(*value),
            id.text().to_uppercase(),
            architecture(*id).year.value
        )
    };
    fit_headline(format!("{}: from {} to {}.", figure.name, at(first), at(last)))
}

fn table(figure: &Figure) -> Table {
    let rows = values(figure).into_iter().map(|(id, value)| {
        let arch = architecture(id);
        let none = || "absent".to_owned();
        let others = value.as_ref().map_or_else(String::new, |value| {
            let one = |(value, source): &(&str, &str)| format!("{value} ({source})");
            value.others.iter().map(one).collect::<Vec<_>>().join("; ")
        });
        [
            arch.name.to_owned(),
            architecture(id).year.value.to_string(),
            value.as_ref().map_or_else(none, |value| number(value.number)),
            value.as_ref().map_or_else(String::new, |value| {
                let one = |source: &Source| source.source.clone();
                value.sources.iter().map(one).collect::<Vec<_>>().join("; ")
            }),
            others,
        ]
    });
    table_of(
        ["Architecture", "Year", &figure.text(), "Source", "Other sources"],
        rows.collect(),
    )
}

pub(super) fn drawn(frame: &Frame, state: &ViewState) -> Drawn {
    let figure = figure(state.settings.plot.figure);
    Drawn {
        plot: plot(figure, frame.arch().id),
        headline: headline(figure),
        note: String::new(),
        table: table(figure),
        also: Vec::new(),
    }
}

pub(super) fn inspect(frame: &Frame, state: &ViewState) -> Inspection {
    let figure = figure(state.settings.plot.figure);
    let id = match state.settings.plot.point {
        Some(PlotPoint::Chip(id)) => id,
        _ => frame.arch().id,
    };
    let arch = architecture(id);
    let year = architecture(id).year;
    let value = figure.of(arch);
    let why = value.as_ref().map_or_else(
        || format!("{} has no value: it has no such unit.", arch.name),
        |value| format!("{}: *{} {}*.", figure.name, number(value.number), figure.unit),
    );
    let mut sources = value
        .as_ref()
        .map_or_else(Vec::new, |value| value.sources.clone());
    sources.push(Source {
        name: "Year of launch".to_owned(),
        value: year.value.to_string(),
        source: if year.quality == Quality::Assumption {
            format!("assumption: {}", year.note)
        } else {
            year.source.to_owned()
        },
        assumed: year.quality == Quality::Assumption,
    });
    let others: Vec<(String, String)> = value.map_or_else(Vec::new, |value| {
        let row = |(value, source): &(&str, &str)| ((*source).to_owned(), (*value).to_owned());
        value.others.iter().map(row).collect()
    });
    Inspection {
        title: arch.name.to_owned(),
        place: format!("launched in {}, {}", year.value, arch.chip.example_part.value),
        why: phrases(&why),
        facts: (!others.is_empty())
            .then(|| Facts {
                title: "Values of other sources".to_owned(),
                rows: others,
            })
            .into_iter()
            .collect(),
        sources,
        ..Inspection::default()
    }
}
