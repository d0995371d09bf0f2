//! The roofline: operations per second over operations per byte, with a roof for every memory level and a ceiling for
//! every kind of arithmetic. The run has a point for each level, and a point for each of eight equal stretches.

use super::super::ending::ending_headline;
use super::super::inspector::{Facts, Inspection, Source, phrases, source};
use super::super::kit::table as table_of;
use super::super::{Table, ViewState};
use super::canvas::{Axis, Dot, DotKind, Line, Plot, Scale, Weight};
use super::settings::{PlotPoint, PlotScope, PlotSettings, level_name, work_name};
use super::wording::{above_share, compute_bound, level_capital, memory_bound, no_operations, number};
use super::{Drawn, STRETCHES};
use crate::words::{fit_headline, thousands};
use engine::arch::{Architecture, OpClass};
use engine::ids::Cycle;
use engine::trace::{Frame, TrafficLevel, WorkColumn, WorkKind};

/// The bandwidth of a memory level, in bytes per SM clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bandwidth {
    /// One SM's share while all SMs use the level.
    pub(super) share: f64,
    /// One SM alone, as in the simulation.
    pub(super) alone: f64,
}

/// The bandwidth of a level of an architecture; `None` if it has no such level.
pub(super) fn bandwidth(arch: &Architecture, level: TrafficLevel) -> Option<Bandwidth> {
    let memory = &arch.memory;
    let sms = f64::from(arch.chip.num_sms.value);
    let port = f64::from(memory.device.sm_port_bytes_per_cycle.value);
    Some(match level {
        TrafficLevel::Shared => {
            let row = f64::from(memory.shared.banks.value) * f64::from(memory.shared.bank_width_bytes.value);
            let rate = row / f64::from(memory.shared.pass_interval_cycles.value.max(1));
            Bandwidth {
                share: rate,
                alone: rate,
            }
        }
        TrafficLevel::L1 => {
            let rate = f64::from(memory.l1?.bytes_per_cycle.value);
            Bandwidth {
                share: rate,
                alone: rate,
            }
        }
        TrafficLevel::L2 => Bandwidth {
            share: (f64::from(memory.l2?.bytes_per_cycle.value) / sms).min(port),
            alone: port,
        },
        TrafficLevel::Device => Bandwidth {
            share: arch.dram_bytes_per_cycle_and_sm(),
            alone: (arch.dram_bytes_per_cycle() * f64::from(memory.device.efficiency.value)).min(port),
        },
    })
}

/// The factor from a rate per clock and SM to the plot's unit.
fn scale(arch: &Architecture, scope: PlotScope) -> f64 {
    let ghz = f64::from(arch.chip.sm_clock_mhz.value) / 1000.0;
    match scope {
        PlotScope::Sm => ghz,
        PlotScope::Chip => ghz * f64::from(arch.chip.num_sms.value),
    }
}

/// The unit of operations: integer operations are not floating-point operations.
const fn unit(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Int | WorkKind::TensorInt => "OP",
        _ => "FLOP",
    }
}

/// The kind of operations that the plot counts: the chosen one, or the most frequent one; floating-point operations
/// come before integers.
pub(super) fn work_kind(frame: &Frame, settings: &PlotSettings) -> WorkKind {
    if let Some(kind) = settings.work {
        return kind;
    }
    let total = frame.trace().work().total;
    let floating = WorkKind::ALL
        .into_iter()
        .filter(|kind| *kind != WorkKind::Int && total.of(*kind) > 0)
        .max_by_key(|kind| total.of(*kind));
    floating.unwrap_or(if total.of(WorkKind::Int) > 0 {
        WorkKind::Int
    } else {
        WorkKind::Fp32
    })
}

/// The roof that limits the whole run with all SMs busy: the level, or none if arithmetic limits.
fn limit(arch: &Architecture, total: &WorkColumn, kind: WorkKind) -> Option<(TrafficLevel, f64)> {
    let peak = kind.peak_per_cycle(arch)?;
    let allowed = |level: TrafficLevel| {
        let bytes = total.at(level);
        let share = bandwidth(arch, level)?.share;
        (bytes > 0).then(|| (level, total.of(kind) as f64 / bytes as f64 * share))
    };
    TrafficLevel::ALL
        .into_iter()
        .filter_map(allowed)
        .filter(|(_, rate)| *rate < peak)
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The memory level whose bytes the parts of the run have: the chosen one, or the limiting one.
pub(super) fn level(frame: &Frame, settings: &PlotSettings) -> TrafficLevel {
    let total = frame.trace().work().total;
    settings
        .level
        .or_else(|| Some(limit(frame.arch(), &total, work_kind(frame, settings))?.0))
        .or_else(|| {
            let mut levels = TrafficLevel::ALL.into_iter().rev();
            levels.find(|level| total.at(*level) > 0)
        })
        .unwrap_or(TrafficLevel::Device)
}

/// A part of the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) point: PlotPoint,
    /// The first cycle, and the cycle after the last.
    pub(super) cycles: (u64, u64),
    pub(super) work: WorkColumn,
}

/// The eight stretches of the run, of equal length up to the width of the trace's columns, and the range selected in the
/// Timeline.
pub(super) fn parts(frame: &Frame, state: &ViewState) -> Vec<Part> {
    let trace = frame.trace();
    let work = trace.work();
    let end = trace.num_cycles();
    let columns = end.div_ceil(work.cycles.max(1)) as usize;
    let mut parts = Vec::new();
    for idx in 0..STRETCHES {
        let (first, last) = (columns * idx / STRETCHES, columns * (idx + 1) / STRETCHES);
        if first < last {
            parts.push(Part {
                point: PlotPoint::Stretch(idx as u8),
                cycles: (first as u64 * work.cycles, (last as u64 * work.cycles).min(end)),
                work: work.sum(first, last),
            });
        }
    }
    if let Some((from, to)) = state.range {
        let (from, to) = trace.clamp_range((from, to));
        parts.push(Part {
            point: PlotPoint::Range,
            cycles: (from.0, to.0),
            work: trace.work_between(Cycle(from.0), Cycle(to.0)),
        });
    }
    parts
}

/// Everything that the plot needs.
struct Roofline<'f> {
    frame: &'f Frame<'f>,
    arch: &'static Architecture,
    settings: PlotSettings,
    kind: WorkKind,
    level: TrafficLevel,
    scale: f64,
    total: WorkColumn,
    cycles: u64,
    parts: Vec<Part>,
}

impl<'f> Roofline<'f> {
    fn of(frame: &'f Frame<'f>, state: &ViewState) -> Self {
        let settings = state.settings.plot;
        let trace = frame.trace();
        Self {
            frame,
            arch: frame.arch(),
            settings,
            kind: work_kind(frame, &settings),
            level: level(frame, &settings),
            scale: scale(frame.arch(), settings.scope),
            total: trace.work().total,
            cycles: trace.num_cycles().max(1),
            parts: parts(frame, state),
        }
    }

    fn unit(&self) -> String {
        format!("G{}/s", unit(self.kind))
    }

    /// Operations per byte, and the rate in the plot's unit.
    fn place(&self, work: &WorkColumn, level: TrafficLevel, cycles: u64) -> Option<(f64, f64)> {
        let (operations, bytes) = (work.of(self.kind), work.at(level));
        (operations > 0 && bytes > 0).then(|| {
            let rate = operations as f64 / cycles.max(1) as f64 * self.scale;
            (operations as f64 / bytes as f64, rate)
        })
    }

    fn rate(&self, work: &WorkColumn, cycles: u64) -> f64 {
        work.of(self.kind) as f64 / cycles.max(1) as f64 * self.scale
    }

    /// Text of a rate: `1.92 GFLOP/s`.
    fn rate_text(&self, rate: f64) -> String {
        format!("{} {}", number(rate), self.unit())
    }

    fn peak(&self) -> Option<f64> {
        Some(self.kind.peak_per_cycle(self.arch)? * self.scale)
    }

    fn dots(&self) -> Vec<Dot> {
        let mut dots = Vec::new();
        let now = self.frame.cycle().0;
        for part in &self.parts {
            let (from, to) = part.cycles;
            let Some(at) = self.place(&part.work, self.level, to - from) else {
                continue;
            };
            let is_now = (from..to).contains(&now) && part.point != PlotPoint::Range;
            dots.push(Dot {
                point: part.point,
                at,
                name: match part.point {
                    PlotPoint::Stretch(idx) => (idx + 1).to_string(),
                    _ => "range".to_owned(),
                },
                kind: match (part.point, is_now) {
                    (PlotPoint::Range, _) => DotKind::Hollow,
                    (_, true) => DotKind::Current,
                    (_, false) => DotKind::Part,
                },
            });
        }
        for (idx, level) in TrafficLevel::ALL.into_iter().enumerate() {
            if let Some(at) = self.place(&self.total, level, self.cycles) {
                dots.push(Dot {
                    point: PlotPoint::Run(idx as u8),
                    at,
                    name: if level == self.level {
                        "run".to_owned()
                    } else {
                        level_name(level).to_owned()
                    },
                    kind: if level == self.level {
                        DotKind::Run
                    } else {
                        DotKind::Hollow
                    },
                });
            }
        }
        dots
    }

    /// The highest peak of an architecture among the kinds that the plot shows.
    fn kinds(&self, arch: &Architecture) -> Vec<(usize, WorkKind, f64)> {
        let scale = scale(arch, self.settings.scope);
        WorkKind::ALL
            .into_iter()
            .enumerate()
            // The ceiling of integers belongs to another unit than those of floating-point operations.
            .filter(|(_, kind)| unit(*kind) == unit(self.kind))
            .filter_map(|(idx, kind)| Some((idx, kind, kind.peak_per_cycle(arch)? * scale)))
            .collect()
    }

    fn levels(&self, arch: &Architecture) -> Vec<(usize, TrafficLevel, Bandwidth)> {
        TrafficLevel::ALL
            .into_iter()
            .enumerate()
            .filter_map(|(idx, level)| Some((idx, level, bandwidth(arch, level)?)))
            .collect()
    }

    /// Ranges of both axes, which contain the points, the ceilings, and the ridges of all roofs.
    fn ranges(&self, dots: &[Dot], others: &[&Architecture]) -> ((f64, f64), (f64, f64)) {
        let mut x: (f64, f64) = (0.1, 10.0);
        let mut y: (f64, f64) = (f64::MAX, 0.0);
        for arch in others {
            let scale = scale(arch, self.settings.scope);
            let kinds = self.kinds(arch);
            let most = kinds.iter().map(|(_, _, peak)| *peak).fold(0.0, f64::max);
            let own = self.kind.peak_per_cycle(arch).map_or(most, |peak| peak * scale);
            y = (y.0.min(own / 40.0), y.1.max(most * 2.0));
            for (_, _, bandwidth) in self.levels(arch) {
                x.1 = x.1.max(own / (bandwidth.share * scale) * 3.0);
            }
        }
        for dot in dots {
            x = (x.0.min(dot.at.0 / 3.0), x.1.max(dot.at.0 * 3.0));
            y = (y.0.min(dot.at.1 / 3.0), y.1.max(dot.at.1 * 2.0));
        }
        (x, y)
    }

    fn plot(&self) -> Plot {
        let dots = self.dots();
        let with = self.settings.second(self.arch);
        let others: Vec<&Architecture> = std::iter::once(self.arch).chain(with).collect();
        let (x, y) = self.ranges(&dots, &others);
        let mut lines = self.roofs(self.arch, x, false);
        if let Some(arch) = with {
            lines.extend(self.roofs(arch, x, true));
        }
        let per = match self.settings.scope {
            PlotScope::Sm => "of one SM".to_owned(),
            PlotScope::Chip => format!("of the chip: {} such SMs", self.arch.chip.num_sms.value),
        };
        Plot {
            x: Axis {
                name: format!("{} per byte", unit(self.kind)),
                scale: Scale::Log,
                range: x,
                grouped: true,
            },
            y: Axis {
                name: format!("{}, {} {per}", self.unit(), work_name(self.kind)),
                scale: Scale::Log,
                range: y,
                grouped: true,
            },
            lines,
            dots,
            notes: self.notes(),
        }
    }

    /// Roofs and ceilings of an architecture.
    fn roofs(&self, arch: &Architecture, x: (f64, f64), is_other: bool) -> Vec<Line> {
        let scale = scale(arch, self.settings.scope);
        let chip = if is_other {
            format!("{} ", super::super::capital(&arch.id.text().to_uppercase()))
        } else {
            String::new()
        };
        let kinds = self.kinds(arch);
        let own = kinds.iter().find(|(_, kind, _)| *kind == self.kind);
        let highest = kinds.iter().map(|(_, _, peak)| *peak).fold(0.0, f64::max);
        let peak = own.map_or(highest, |(_, _, peak)| *peak);
        let mut lines = Vec::new();
        let mut steepest = 0.0_f64;
        for (idx, level, bandwidth) in self.levels(arch) {
            if is_other && level != self.level {
                continue;
            }
            let rate = bandwidth.share * scale;
            steepest = steepest.max(rate);
            let ridge = (peak / rate).max(x.0);
            lines.push(Line {
                name: format!("{chip}{} {} GB/s", level_name(level), number(rate))
                    .trim()
                    .to_owned(),
                points: vec![(x.0, x.0 * rate), (ridge, ridge * rate)],
                weight: match (is_other, level == self.level) {
                    (true, _) => Weight::Dashed,
                    (false, true) => Weight::Main,
                    (false, false) => Weight::Thin,
                },
                point: (!is_other).then_some(PlotPoint::Roof(idx as u8)),
            });
            let alone = bandwidth.alone * scale;
            if !is_other && self.settings.scope == PlotScope::Sm && level == self.level && alone > rate * 1.01
            {
                let ridge = (peak / alone).max(x.0);
                lines.push(Line {
                    name: format!("one SM alone {} GB/s", number(alone)),
                    points: vec![(x.0, x.0 * alone), (ridge, ridge * alone)],
                    weight: Weight::Dashed,
                    point: Some(PlotPoint::Roof(idx as u8)),
                });
            }
        }
        for (idx, kind, peak) in kinds {
            if is_other && kind != self.kind {
                continue;
            }
            let start = (peak / steepest.max(1e-9)).clamp(x.0, x.1);
            lines.push(Line {
                name: format!("{chip}{} {}", work_name(kind), number(peak)),
                points: vec![(start, peak), (x.1, peak)],
                weight: match (is_other, kind == self.kind) {
                    (true, _) => Weight::Dashed,
                    (false, true) => Weight::Main,
                    (false, false) => Weight::Thin,
                },
                point: (!is_other).then_some(PlotPoint::Peak(idx as u8)),
            });
        }
        lines
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!(
            "Black: the whole run. 1 to {STRETCHES}: equal stretches of its cycles, all resident warps together, by their bytes of {}; the stretch of the current cycle is highlighted.",
            level_name(self.level)
        )];
        notes.push(match self.settings.scope {
            PlotScope::Sm => "Roofs of L2 and device memory are one SM's share while all SMs are busy. An SM alone can exceed its share.".to_owned(),
            PlotScope::Chip => "Every SM is assumed to run like the simulated one, without a wait for the others: points above a roof of L2 or device memory fall to the roof.".to_owned(),
        });
        notes
    }

    fn headline(&self) -> String {
        if self.total.of(self.kind) == 0 {
            return no_operations(work_name(self.kind));
        }
        let reached = self.rate(&self.total, self.cycles);
        let text = match limit(self.arch, &self.total, self.kind) {
            Some((level, allowed)) => {
                let allowed = allowed * self.scale;
                if reached > allowed * 1.005 {
                    above_share(level, &number(allowed), &self.rate_text(reached))
                } else {
                    let bytes = self.total.at(level).max(1);
                    let intensity = self.total.of(self.kind) as f64 / bytes as f64;
                    memory_bound(
                        level,
                        &number(intensity),
                        unit(self.kind),
                        &self.rate_text(allowed),
                        &number(reached),
                    )
                }
            }
            None => compute_bound(
                work_name(self.kind),
                &self.rate_text(self.peak().unwrap_or_default()),
                &number(reached),
            ),
        };
        fit_headline(text)
    }

    /// The rate that roof and ceiling allow at an intensity.
    fn allowed(&self, level: TrafficLevel, intensity: f64) -> Option<f64> {
        let peak = self.peak()?;
        Some((bandwidth(self.arch, level)?.share * self.scale * intensity).min(peak))
    }

    fn row(&self, name: String, work: &WorkColumn, level: TrafficLevel, cycles: (u64, u64)) -> [String; 8] {
        let length = (cycles.1 - cycles.0).max(1);
        let place = self.place(work, level, length);
        let intensity = place.map(|(x, _)| x);
        let allowed = intensity.and_then(|x| self.allowed(level, x));
        let none = || "none".to_owned();
        [
            name,
            format!(
                "{} to {}",
                thousands(cycles.0),
                thousands(cycles.1.saturating_sub(1))
            ),
            thousands(work.of(self.kind)),
            thousands(work.at(level)),
            intensity.map_or_else(none, number),
            number(self.rate(work, length)),
            allowed.map_or_else(none, number),
            place.zip(allowed).map_or_else(none, |((_, rate), allowed)| {
                format!("{} %", number(100.0 * rate / allowed))
            }),
        ]
    }

    fn table(&self) -> Table {
        let mut rows = Vec::new();
        for level in TrafficLevel::ALL.into_iter().rev() {
            if self.total.at(level) > 0 {
                let name = format!("Run, bytes of {}", level_name(level));
                rows.push(self.row(name, &self.total, level, (0, self.cycles)));
            }
        }
        for part in &self.parts {
            let name = match part.point {
                PlotPoint::Stretch(idx) => {
                    format!("Stretch {}, bytes of {}", idx + 1, level_name(self.level))
                }
                _ => format!("Range, bytes of {}", level_name(self.level)),
            };
            rows.push(self.row(name, &part.work, self.level, part.cycles));
        }
        let unit = unit(self.kind);
        table_of(
            [
                "Point",
                "Cycles",
                unit,
                "Bytes",
                &format!("{unit} per byte"),
                &self.unit(),
                "Roof",
                "Of the roof",
            ],
            rows,
        )
    }

    fn roof_table(&self) -> Table {
        let mut rows = Vec::new();
        for (_, level, bandwidth) in self.levels(self.arch) {
            let sources = level_sources(self.arch, level);
            rows.push([
                level_capital(level),
                format!("{} GB/s", number(bandwidth.share * self.scale)),
                cited(&sources),
            ]);
        }
        for (_, kind, peak) in self.kinds(self.arch) {
            rows.push([
                work_name(kind).to_owned(),
                format!("{} G{}/s", number(peak), unit(kind)),
                cited(&kind_sources(self.arch, kind)),
            ]);
        }
        table_of(["Roof", "Value", "Sources"], rows)
    }
}

fn cited(sources: &[Source]) -> String {
    let one = |source: &Source| format!("{} {}: {}", source.name, source.value, source.source);
    sources.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The numbers from which the bandwidth of a level follows.
pub(super) fn level_sources(arch: &Architecture, level: TrafficLevel) -> Vec<Source> {
    let memory = &arch.memory;
    let clock = source("SM clock", &arch.chip.sm_clock_mhz, "MHz");
    let sms = source("SMs", &arch.chip.num_sms, "");
    let port = source(
        "Port of an SM",
        &memory.device.sm_port_bytes_per_cycle,
        "B per cycle",
    );
    match level {
        TrafficLevel::Shared => vec![
            source("Banks", &memory.shared.banks, ""),
            source("Bank width", &memory.shared.bank_width_bytes, "B"),
            source(
                "Interval of wavefronts",
                &memory.shared.pass_interval_cycles,
                "cycles",
            ),
            clock,
        ],
        TrafficLevel::L1 => {
            let rate = memory
                .l1
                .as_ref()
                .map(|l1| source("L1 bandwidth", &l1.bytes_per_cycle, "B per cycle"));
            rate.into_iter().chain([clock]).collect()
        }
        TrafficLevel::L2 => {
            let rate = memory
                .l2
                .as_ref()
                .map(|l2| source("L2 bandwidth", &l2.bytes_per_cycle, "B per cycle"));
            rate.into_iter().chain([sms, port, clock]).collect()
        }
        TrafficLevel::Device => vec![
            source("Peak bandwidth", &arch.chip.dram_gb_per_s, "GB/s"),
            source("Achievable share", &memory.device.efficiency, ""),
            sms,
            port,
            clock,
        ],
    }
}

/// The numbers from which the peak rate of a kind follows.
pub(super) fn kind_sources(arch: &Architecture, kind: WorkKind) -> Vec<Source> {
    let class: OpClass = kind.class();
    let Some(cost) = arch.cost(class) else {
        return Vec::new();
    };
    let mut sources = vec![source(
        "Cycles of a warp instruction in its unit",
        &cost.occupancy_cycles,
        "cycles",
    )];
    if let Some(pipe) = arch.pipe(cost.pipe) {
        sources.push(source(
            &format!("Lanes of a unit of {}", cost.pipe.text()),
            &pipe.lanes,
            "lanes",
        ));
    }
    sources.push(source("Schedulers", &arch.issue.schedulers, ""));
    sources.push(source("SM clock", &arch.chip.sm_clock_mhz, "MHz"));
    sources
}

pub(super) fn drawn(frame: &Frame, state: &ViewState) -> Drawn {
    let roofline = Roofline::of(frame, state);
    Drawn {
        plot: roofline.plot(),
        headline: ending_headline(frame).unwrap_or_else(|| roofline.headline()),
        note: String::new(),
        table: roofline.table(),
        also: vec![("Roofs".to_owned(), roofline.roof_table())],
    }
}

pub(super) fn inspect(frame: &Frame, state: &ViewState) -> Inspection {
    let roofline = Roofline::of(frame, state);
    let point = roofline
        .settings
        .point
        .unwrap_or(PlotPoint::Run(roofline.level as u8));
    match point {
        PlotPoint::Roof(idx) => inspect_roof(&roofline, idx),
        PlotPoint::Peak(idx) => inspect_peak(&roofline, idx),
        PlotPoint::Stretch(_) | PlotPoint::Range => {
            let part = roofline.parts.iter().find(|part| part.point == point);
            let Some(part) = part else {
                return inspect_work(&roofline, "Range", &roofline.total, (0, 0), roofline.level);
            };
            let title = match point {
                PlotPoint::Stretch(idx) => format!("Stretch {} of {STRETCHES}", idx + 1),
                _ => "Range of the Timeline".to_owned(),
            };
            inspect_work(&roofline, &title, &part.work, part.cycles, roofline.level)
        }
        PlotPoint::Run(idx) => {
            let level = TrafficLevel::ALL.get(usize::from(idx)).copied();
            let level = level.unwrap_or(roofline.level);
            inspect_work(
                &roofline,
                "Whole run",
                &roofline.total,
                (0, roofline.cycles),
                level,
            )
        }
        _ => inspect_work(
            &roofline,
            "Whole run",
            &roofline.total,
            (0, roofline.cycles),
            roofline.level,
        ),
    }
}

fn inspect_work(
    roofline: &Roofline,
    title: &str,
    work: &WorkColumn,
    cycles: (u64, u64),
    level: TrafficLevel,
) -> Inspection {
    let length = (cycles.1 - cycles.0).max(1);
    let kind = roofline.kind;
    let why = match roofline.place(work, level, length) {
        Some((intensity, rate)) => {
            let allowed = roofline.allowed(level, intensity).unwrap_or_default();
            let roof = bandwidth(roofline.arch, level).map_or(0.0, |bandwidth| bandwidth.share);
            let is_memory = roof * roofline.scale * intensity < roofline.peak().unwrap_or(f64::MAX);
            let by = if is_memory {
                format!("the bandwidth of {}", level_name(level))
            } else {
                format!("the peak rate of {}", work_name(kind))
            };
            if rate > allowed * 1.005 {
                return inspection(
                    roofline,
                    (title, level),
                    work,
                    cycles,
                    &format!(
                        "*{}*: more than the {} of one SM's share of {}. An SM alone can exceed its share.",
                        roofline.rate_text(rate),
                        roofline.rate_text(allowed),
                        level_name(level)
                    ),
                );
            }
            format!(
                "*{}* of the *{}* that {by} allows at {} {} per byte.",
                roofline.rate_text(rate),
                roofline.rate_text(allowed),
                number(intensity),
                unit(kind)
            )
        }
        None if work.of(kind) == 0 => format!("No {} operations issue in these cycles.", work_name(kind)),
        None => format!("No bytes of {} move in these cycles.", level_name(level)),
    };
    inspection(roofline, (title, level), work, cycles, &why)
}

/// The inspection of a part of the run: its operations, its bytes, and the sources of its roofs.
fn inspection(
    roofline: &Roofline,
    (title, level): (&str, TrafficLevel),
    work: &WorkColumn,
    cycles: (u64, u64),
    why: &str,
) -> Inspection {
    let kind = roofline.kind;
    let operations = WorkKind::ALL
        .into_iter()
        .filter(|kind| work.of(*kind) > 0)
        .map(|kind| (work_name(kind).to_owned(), thousands(work.of(kind))));
    let bytes = TrafficLevel::ALL
        .into_iter()
        .filter(|level| work.at(*level) > 0)
        .map(|level| (level_capital(level), format!("{} B", thousands(work.at(level)))));
    let (operations, bytes): (Vec<_>, Vec<_>) = (operations.collect(), bytes.collect());
    let mut sources = level_sources(roofline.arch, level);
    for source in kind_sources(roofline.arch, kind) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    Inspection {
        title: title.to_owned(),
        place: format!(
            "cycles {} to {}",
            thousands(cycles.0),
            thousands(cycles.1.saturating_sub(1))
        ),
        why: phrases(why),
        facts: [("Operations", operations), ("Bytes", bytes)]
            .into_iter()
            .filter(|(_, rows)| !rows.is_empty())
            .map(|(title, rows)| Facts {
                title: title.to_owned(),
                rows,
            })
            .collect(),
        sources,
        ..Inspection::default()
    }
}

fn inspect_roof(roofline: &Roofline, idx: u8) -> Inspection {
    let Some(level) = TrafficLevel::ALL.get(usize::from(idx)).copied() else {
        return Inspection::default();
    };
    let why = bandwidth(roofline.arch, level).map_or_else(
        || format!("{} has no such cache.", roofline.arch.name),
        |bandwidth| {
            let sms = roofline.arch.chip.num_sms.value;
            let text = format!(
                "*{} bytes per clock* of one SM. With all {sms} SMs: {} GB/s.",
                number(bandwidth.share),
                number(bandwidth.share * scale(roofline.arch, PlotScope::Chip))
            );
            if bandwidth.alone > bandwidth.share * 1.01 {
                text + &format!(
                    " One SM alone can use {} bytes per clock.",
                    number(bandwidth.alone)
                )
            } else {
                text
            }
        },
    );
    Inspection {
        title: format!("Roof of {}", level_name(level)),
        place: roofline.arch.name.to_owned(),
        why: phrases(&why),
        sources: level_sources(roofline.arch, level),
        ..Inspection::default()
    }
}

fn inspect_peak(roofline: &Roofline, idx: u8) -> Inspection {
    let Some(kind) = WorkKind::ALL.get(usize::from(idx)).copied() else {
        return Inspection::default();
    };
    let why = kind.peak_per_cycle(roofline.arch).map_or_else(
        || format!("{} has no such instructions.", roofline.arch.name),
        |peak| {
            format!(
                "*{} operations per clock* of one SM. With all {} SMs: {} G{}/s.",
                number(peak),
                roofline.arch.chip.num_sms.value,
                number(peak * scale(roofline.arch, PlotScope::Chip)),
                unit(kind)
            )
        },
    );
    Inspection {
        title: format!("Peak of {}", work_name(kind)),
        place: roofline.arch.name.to_owned(),
        why: phrases(&why),
        sources: kind_sources(roofline.arch, kind),
        ..Inspection::default()
    }
}
