//! Plots of resident warps over the threads, registers, and shared memory of a block.

use crate::scene::{Axis, Chart, Note, Series, SeriesKind, Sets, Stretch};
use engine::arch::{ArchId, Architecture, LaunchRefusal, LaunchResources, Limiter, architecture, occupancy};
use engine::trace::Trace;

/// The varied resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Varied {
    Threads,
    Registers,
    Shared,
}

impl Varied {
    /// The launch with this amount of threads, registers, or bytes of shared memory.
    fn with(self, needs: &LaunchResources, amount: u32) -> LaunchResources {
        match self {
            Self::Threads => LaunchResources {
                threads_per_block: amount,
                ..*needs
            },
            Self::Registers => LaunchResources {
                registers_per_thread: amount,
                ..*needs
            },
            // The part above the static limit is dynamic.
            Self::Shared => LaunchResources {
                static_shared: 0,
                dynamic_shared: amount,
                ..*needs
            },
        }
    }

    /// The smallest amount, and the axis unit.
    const fn scale(self) -> (u32, f64) {
        match self {
            Self::Threads | Self::Registers => (1, 1.0),
            Self::Shared => (0, 1024.0),
        }
    }

    /// The largest amount that an architecture supports.
    fn most(self, arch: &Architecture) -> u32 {
        let rules = &arch.occupancy;
        match self {
            Self::Threads => rules.max_threads_per_block.value.into(),
            Self::Registers => rules.max_registers_per_thread.value.into(),
            Self::Shared => u32::from(rules.shared_optin_kib.value) * 1024,
        }
    }

    /// The amount that a launch needs.
    const fn amount_of(self, needs: &LaunchResources) -> u32 {
        match self {
            Self::Threads => needs.threads_per_block,
            Self::Registers => needs.registers_per_thread,
            Self::Shared => needs.static_shared + needs.dynamic_shared,
        }
    }

    /// The end of the axis, beyond the last legal amount.
    fn axis_end(self, arch: &Architecture) -> u32 {
        let most_kib = self.most(arch) / 1024;
        match self {
            Self::Threads => 1024,
            Self::Registers => 256,
            Self::Shared => (most_kib + most_kib.div_ceil(8)).next_multiple_of(4) * 1024,
        }
    }
}

/// Resident warps and what limits them at each amount where either changes, up to the last legal one.
struct Sweep {
    /// Points: amount, warps, and limiter.
    changes: Vec<(u32, u32, Option<Limiter>)>,
    /// Last legal amount.
    last: u32,
    /// Why larger amounts are illegal.
    refusal: Option<LaunchRefusal>,
}

fn warps(
    arch: &Architecture,
    needs: &LaunchResources,
    varied: Varied,
    amount: u32,
) -> Result<(u32, Option<Limiter>), LaunchRefusal> {
    let filled = occupancy(arch, &varied.with(needs, amount))?;
    // Block slots come last: they are named only if nothing else limits.
    let limiter = [
        Limiter::Registers,
        Limiter::Shared,
        Limiter::Warps,
        Limiter::Blocks,
    ]
    .into_iter()
    .find(|limiter| filled.limit(*limiter) == Some(filled.blocks_per_sm));
    Ok((filled.warps_per_sm(), limiter))
}

impl Sweep {
    fn of(arch: &Architecture, needs: &LaunchResources, varied: Varied, end: u32) -> Self {
        let first = varied.scale().0;
        let at = |amount| warps(arch, needs, varied, amount);
        // Above the first illegal amount, no amount is legal.
        let most = varied.most(arch).min(end);
        let legal = |amount: u32| at(amount).is_ok();
        let mut last = first;
        let mut step = most.saturating_sub(first).next_power_of_two();
        while step > 0 {
            if last + step <= most && legal(last + step) {
                last += step;
            }
            step /= 2;
        }
        let mut changes = Vec::new();
        if let Ok((warps, limiter)) = at(first) {
            changes.push((first, warps, limiter));
        }
        match varied {
            // A block has whole warps: the count changes only after every 32nd thread.
            Varied::Threads => {
                for amount in (33..=last).step_by(32) {
                    if let Ok((warps, limiter)) = at(amount) {
                        changes.push((amount, warps, limiter));
                    }
                }
            }
            // More registers or bytes never allow more blocks, so that bisection finds the changes.
            Varied::Registers | Varied::Shared => {
                let mut from = first;
                while let Some(change) = next_change(&at, from, last) {
                    if let Ok((warps, limiter)) = at(change) {
                        changes.push((change, warps, limiter));
                    }
                    from = change;
                }
            }
        }
        changes.dedup_by_key(|change| (change.1, change.2));
        let refusal = at(last + 1).err().filter(|_| !changes.is_empty());
        Self {
            changes,
            last,
            refusal,
        }
    }

    fn series(&self, name: String, kind: SeriesKind, unit: f64) -> Series {
        let mut points: Vec<(f64, f64)> = self
            .changes
            .iter()
            .map(|(amount, warps, _)| (f64::from(*amount) / unit, f64::from(*warps)))
            .collect();
        points.dedup_by_key(|point| point.1);
        if let Some(end) = points.last().copied() {
            let last = f64::from(self.last) / unit;
            if last > end.0 {
                points.push((last, end.1));
            }
        }
        Series { name, kind, points }
    }

    /// Notes with each limiter's name, over its longest plateau.
    fn notes(&self, unit: f64) -> Vec<Note> {
        let mut longest: Vec<(Limiter, u32, Note)> = Vec::new();
        for (idx, (from, warps, limiter)) in self.changes.iter().enumerate() {
            let Some(limiter) = limiter else { continue };
            let to = self.changes.get(idx + 1).map_or(self.last, |next| next.0);
            let length = to - from;
            let middle = f64::from(from + length / 2) / unit;
            let note = Note {
                at: (middle, f64::from(*warps)),
                text: super::limiter_name(*limiter).to_owned(),
            };
            match longest.iter_mut().find(|(known, ..)| known == limiter) {
                Some(known) if known.1 < length => *known = (*limiter, length, note),
                Some(_) => {}
                None => longest.push((*limiter, length, note)),
            }
        }
        longest.into_iter().map(|(_, _, note)| note).collect()
    }
}

/// The first amount after `from`, up to `last`, at which the warps or the limiter change.
fn next_change(
    at: &impl Fn(u32) -> Result<(u32, Option<Limiter>), LaunchRefusal>,
    from: u32,
    last: u32,
) -> Option<u32> {
    let same = |amount: u32| at(amount) == at(from);
    if from >= last || same(last) {
        return None;
    }
    let (mut low, mut high) = (from, last);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if same(middle) { low = middle } else { high = middle }
    }
    Some(high)
}

/// The chip of an architecture: `TU102` of `Turing TU102`.
pub(in crate::scene) fn chip(arch: &Architecture) -> &'static str {
    arch.name.rsplit(' ').next().unwrap_or(arch.name)
}

/// A plot of resident warps over a varied resource, on the launch's GPU and on other GPUs.
fn chart(arch: &'static Architecture, needs: &LaunchResources, varied: Varied) -> Chart {
    let unit = varied.scale().1;
    let end = varied.axis_end(arch);
    let main = Sweep::of(arch, needs, varied, end);
    let present = varied.amount_of(needs);
    let marker = warps(arch, needs, varied, present).ok();
    let last = f64::from(main.last) / unit;
    let illegal = match &main.refusal {
        Some(refusal) if main.last < end => vec![Stretch {
            from: last,
            to: f64::from(end) / unit,
            reason: refusal.to_string(),
        }],
        _ => Vec::new(),
    };
    let mut notes = main.notes(unit);
    notes.extend(illegal.iter().map(|stretch| Note {
        at: (f64::midpoint(stretch.from, stretch.to), 0.0),
        text: "not allowed".to_owned(),
    }));
    let (id, title, sets) = match varied {
        Varied::Threads => ("threads", "Block size", Sets::BlockThreads),
        Varied::Registers => ("registers", "Registers", Sets::Nothing),
        Varied::Shared => ("shared", "Shared memory", Sets::SharedKib),
    };
    let top = ArchId::ALL.map(|id| architecture(id).occupancy.max_warps_per_sm.value);
    Chart {
        id: format!("occupancy-{id}"),
        title: title.to_owned(),
        x: amount_axis(varied, end),
        y: Axis {
            ticks: vec![0.0, 16.0, 32.0, 48.0, 64.0],
            ..Axis::new(
                "Resident warps",
                "warps",
                (0.0, f64::from(top.into_iter().max().unwrap_or(64))),
            )
        },
        series: all_series(arch, needs, varied, &main, end),
        marker: marker.map(|(warps, _)| (f64::from(present) / unit, f64::from(warps))),
        notes,
        illegal,
        sets,
        source: match varied {
            Varied::Threads | Varied::Registers => format!("{}; limits as in Sources", source(arch)),
            Varied::Shared => format!("{}; other GPUs at their largest carveout", source(arch)),
        },
    }
}

/// The curve of the launch's GPU, and the curves of the other GPUs. GPUs with equal curves share one.
fn all_series(
    arch: &Architecture,
    needs: &LaunchResources,
    varied: Varied,
    main: &Sweep,
    end: u32,
) -> Vec<Series> {
    let unit = varied.scale().1;
    let mut series = vec![main.series(chip(arch).to_owned(), SeriesKind::Step, unit)];
    let others = ArchId::ALL.into_iter().map(architecture);
    for other in others.filter(|other| other.id != arch.id) {
        // A requested carveout applies only to this GPU.
        let needs = LaunchResources {
            carveout_percent: None,
            ..*needs
        };
        let curve =
            Sweep::of(other, &needs, varied, end).series(chip(other).to_owned(), SeriesKind::FaintStep, unit);
        if curve.points.is_empty() {
            continue;
        }
        match series[1..].iter_mut().find(|known| known.points == curve.points) {
            Some(known) => known.name = format!("{}, {}", known.name, curve.name),
            None => series.push(curve),
        }
    }
    series
}

/// The axis of the varied resource.
fn amount_axis(varied: Varied, end: u32) -> Axis {
    let (label, unit) = match varied {
        Varied::Threads => ("Threads per block", "threads per block"),
        Varied::Registers => ("Registers per thread", "registers per thread"),
        Varied::Shared => ("Shared memory", "KB per block"),
    };
    Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
        range: (0.0, f64::from(end) / varied.scale().1),
        ticks: ticks(varied, end),
        step: match varied {
            Varied::Threads => 32.0,
            Varied::Registers => 8.0,
            // The resolution of a table with about 40 rows.
            Varied::Shared => match end / 1024 / 40 {
                0 => 0.5,
                kib => f64::from(kib.next_power_of_two()),
            },
        },
    }
}

/// The source of the block limits.
fn source(arch: &Architecture) -> &'static str {
    let capability = arch.compute_capability;
    if capability.major < 3 {
        "Programming Guide 4.2, section 4.2"
    } else {
        "cuda_occupancy.h"
    }
}

fn ticks(varied: Varied, end: u32) -> Vec<f64> {
    let (step, end) = match varied {
        Varied::Threads => (256, end),
        Varied::Registers => (64, end),
        Varied::Shared => match end / 1024 {
            0..=24 => (4, end / 1024),
            25..=80 => (16, end / 1024),
            81..=128 => (32, end / 1024),
            _ => (64, end / 1024),
        },
    };
    (0..=end).step_by(step).map(f64::from).collect()
}

/// The view's plots: resident warps over threads, registers, and shared memory of a block.
pub fn occupancy_charts(trace: &Trace) -> Vec<Chart> {
    charts(trace.arch(), &super::needs_of(trace))
}

/// See [`occupancy_charts`].
pub(super) fn charts(arch: &'static Architecture, needs: &LaunchResources) -> Vec<Chart> {
    [Varied::Threads, Varied::Registers, Varied::Shared]
        .into_iter()
        .map(|varied| chart(arch, needs, varied))
        .collect()
}
