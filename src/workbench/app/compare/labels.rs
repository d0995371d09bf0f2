//! Labels of the sides: headings, differences, and positions of the common clock.

use std::ops::Range;
use std::rc::Rc;

use super::setups::{differences, own_words};
use super::{CounterCache, Session};
use crate::app::{Derived, RunSide};
use crate::scene::{self, ComparedSide, Comparison, Period, Scene, Size, WarpRows, thousands};
use crate::share::{Sync, View};
use engine::arch::architecture;
use engine::files;
use engine::ids::Cycle;
use engine::sim::Outcome;
use engine::trace::{Counter, Trace};

/// The heading of a side's pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideHead {
    /// Its architecture.
    pub name: &'static str,
    /// The cycle, and the time since the start of the run.
    pub now: String,
    /// The status: `running, 42 %`, `finished at cycle 812`.
    pub state: String,
    /// Whether the run cannot start.
    pub failed: bool,
    /// The differences from the first side's setup, such as `16 KB shared`.
    pub differs: String,
    /// The current differences from the reference; only the first few are named.
    pub elsewhere: String,
}

/// The names of a side in the Compare view.
#[derive(Clone, Debug, PartialEq)]
struct SideName {
    /// The architecture, or what distinguishes sides of one architecture.
    name: String,
    /// The same for a narrow place.
    short: String,
    /// The rest: differences from the first side, or the architecture.
    differs: String,
}

/// The comparison's part of a picture's key: equal keys mean equal pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ComparedKey {
    /// A number for the marked differences.
    marked: u64,
    /// For the Compare view: the clock, the runs, and the settings.
    whole: Option<(u64, u64, usize, usize, scene::CounterOrder, Sync)>,
}

impl Session {
    /// Whether the stage has a pane for each side.
    pub fn is_side_by_side(&self) -> bool {
        self.is_comparing() && self.ui.view != View::Compare
    }

    /// The heading of a side's pane.
    pub fn side_head(&self, idx: usize) -> SideHead {
        let RunSide { setup, derived, .. } = &self.sides[idx];
        let cycle = self.cycle_on(idx);
        let arch = architecture(setup.arch);
        let mhz = f64::from(arch.chip.sm_clock_mhz.value);
        let differs = if idx == 0 {
            String::new()
        } else {
            differences(setup, &self.sides[0].setup)
        };
        let problem = derived.problems.iter().find(|problem| problem.fatal);
        SideHead {
            name: arch.name,
            now: format!(
                "cycle {} · {}",
                thousands(cycle),
                microseconds(cycle as f64 / mhz)
            ),
            state: match problem {
                Some(problem) => match problem.span {
                    Some(span) if span.line > 0 => {
                        format!(
                            "failed: {} does not compile",
                            files::line_text(setup.source(), span.line)
                        )
                    }
                    _ => "failed: the launch has an error".to_owned(),
                },
                None if self.ui.view == View::Device => self
                    .device_state(idx, cycle)
                    .unwrap_or_else(|| self.device_sentence(idx)),
                // The picture is about the program, the clock about one kernel.
                None if self.ui.view == View::Streams => format!("the kernel: {}", state_of(derived, cycle)),
                None => state_of(derived, cycle),
            },
            failed: problem.is_some(),
            differs,
            elsewhere: self.elsewhere(idx),
        }
    }

    /// The name of a side in the Compare view. Sides of one architecture are named by what distinguishes them.
    fn side_name(&self, idx: usize) -> SideName {
        let setup = &self.sides[idx].setup;
        let arch = architecture(setup.arch);
        let alike = (0..self.num_sides())
            .filter(|other| *other != idx && self.sides[*other].setup.arch == setup.arch)
            .map(|other| own_words(setup, &self.sides[other].setup));
        let alike: Vec<String> = alike.collect();
        let own = (!alike.is_empty()).then(|| {
            let words = alike.iter().find(|words| !words.is_empty());
            let has_twin = alike.iter().any(String::is_empty);
            match words {
                Some(words) if has_twin => format!("{words}, pane {}", idx + 1),
                Some(words) => words.clone(),
                None => format!("pane {}", idx + 1),
            }
        });
        match own {
            Some(own) => SideName {
                name: own.clone(),
                short: own,
                differs: arch.name.to_owned(),
            },
            None => SideName {
                name: arch.name.to_owned(),
                short: arch.name.split(' ').next_back().unwrap_or(arch.name).to_owned(),
                differs: if idx == 0 {
                    String::new()
                } else {
                    differences(setup, &self.sides[0].setup)
                },
            },
        }
    }

    /// The comparison's part of a view's picture key.
    pub(in crate::app) fn compared_key(&self, idx: usize, view: View) -> ComparedKey {
        if !self.is_comparing() {
            return ComparedKey::default();
        }
        if view == View::Compare {
            let settings = &self.ui.compare;
            return ComparedKey {
                marked: 0,
                whole: Some((
                    self.clock(),
                    self.runs_number(),
                    self.active_side(),
                    settings.reference,
                    settings.order,
                    settings.sync,
                )),
            };
        }
        ComparedKey {
            marked: self.marks_number(idx, view),
            whole: None,
        }
    }

    /// A number that changes with any side's run.
    pub(in crate::app) fn runs_number(&self) -> u64 {
        let number = |sum: u64, derived: &Derived| {
            let own = derived
                .run_number()
                .wrapping_mul(0x9e37_79b9)
                .wrapping_add(derived.num_cycles());
            let problems = u64::from(derived.problems.iter().any(|problem| problem.fatal));
            (sum.rotate_left(13) ^ own).wrapping_mul(0x0100_0000_01b3) ^ problems
        };
        self.derived_all().fold(0, number)
    }

    /// The current position as text, for the transport.
    pub fn clock_text(&self) -> String {
        let now = self.clock();
        self.position_text(self.device_end().map_or(now, |end| now.min(end)))
    }

    /// A position of the clock as text: `812`, `0.53 µs`, `42.0 %`.
    pub(super) fn position_text(&self, position: u64) -> String {
        match self.ui.compare.sync {
            Sync::Time if self.is_comparing() => microseconds(position as f64 / self.clock_mhz() as f64),
            Sync::Progress if self.is_comparing() => {
                format!(
                    "{:.1} %",
                    100.0 * position as f64 / self.clock_end().max(1) as f64
                )
            }
            _ => thousands(position),
        }
    }

    /// The text beside the position in the presenter, whose sentence says what runs: `of 5,682`.
    pub fn short_clock_note(&self) -> String {
        let note = match self.device_end() {
            Some(end) => format!("of {}", thousands(end)),
            None if self.is_comparing() => self.clock_note(),
            None => self.cycle_note(),
        };
        note.trim_end_matches(" cycles").to_owned()
    }

    /// The text beside the position.
    pub fn clock_note(&self) -> String {
        if let Some(end) = self.device_end() {
            return format!("of {} cycles on the device", thousands(end));
        }
        if !self.is_comparing() {
            return match self.streams_time() {
                Some(time) => format!("{}; the program takes {time}", self.cycle_note()),
                None => self.cycle_note(),
            };
        }
        if self.is_running() {
            let simulated = self.derived_all().map(Derived::simulated_cycles);
            return format!("simulating, {} so far", thousands(simulated.max().unwrap_or(0)));
        }
        let end = self.clock_end();
        match self.ui.compare.sync {
            Sync::Cycle => format!("of {} cycles", thousands(end + 1)),
            Sync::Time => format!("of {}", microseconds((end + 1) as f64 / self.clock_mhz() as f64)),
            Sync::Progress => "of each side's warp instructions".to_owned(),
        }
    }

    /// The names of the sides: `Fermi GF100, Pascal GP104`.
    pub fn sides_line(&self) -> String {
        let names = self.sides.iter().map(|side| side.arch().name);
        names.collect::<Vec<_>>().join(", ")
    }

    /// The data that the Compare view and the transport draw.
    pub(in crate::app) fn comparison(&self) -> Comparison {
        self.comparison_of(0..self.clock_end() + 1)
    }

    /// The same data, with the bands of a part of the clock.
    fn comparison_of(&self, part: Range<u64>) -> Comparison {
        let end = self.clock_end();
        let sync = self.ui.compare.sync;
        let now = match sync {
            Sync::Cycle => format!("cycle {}", thousands(self.clock())),
            Sync::Time | Sync::Progress => self.clock_text(),
        };
        let ticks = match sync {
            Sync::Cycle => scene::clock_ticks(&part, 1.0, |cycle| thousands(cycle as u64)),
            Sync::Time => scene::clock_ticks(&part, 1.0 / self.clock_mhz() as f64, microseconds),
            Sync::Progress => scene::clock_ticks(&part, 100.0 / end.max(1) as f64, |share| {
                if share.fract().abs() < 0.01 {
                    format!("{share:.0} %")
                } else {
                    format!("{share:.1} %")
                }
            }),
        };
        Comparison {
            sides: (0..self.num_sides())
                .map(|idx| self.compared_side(idx, &part))
                .collect(),
            active: self.active_side(),
            reference: self.ui.compare.reference,
            order: self.ui.compare.order,
            by_work: sync == Sync::Progress,
            is_timed: sync == Sync::Time,
            is_whole: self.view_state().period() == Period::Run,
            clock: (self.clock(), end),
            part,
            now,
            ticks,
            of: self.period_words(),
            range: self.range_positions(),
            cause: self.cause_state(),
        }
    }

    fn compared_side(&self, idx: usize, part: &Range<u64>) -> ComparedSide {
        let head = self.side_head(idx);
        let SideName { name, short, differs } = self.side_name(idx);
        let Some(trace) = self.sides[idx].derived.trace() else {
            return ComparedSide {
                name,
                short,
                differs,
                state: head.state,
                ..ComparedSide::default()
            };
        };
        let cycle = self.cycle_on(idx);
        let cycles = trace.num_cycles();
        let first = self.cycle_at(idx, part.start);
        let last = self.cycle_at(idx, part.end.saturating_sub(1));
        let shown = if part.start > self.end_of(idx) {
            0
        } else {
            last + 1 - first
        };
        let columns = scene::BAND_COLUMNS.min(shown as usize);
        let run = self.sides[idx].derived.run_number();
        let (counters, lacks) = match self.period_of(idx) {
            Ok(period) => (self.counters.borrow_mut().of(run, trace, period), lacks(trace)),
            Err(reason) => (Rc::default(), vec![("", reason)]),
        };
        ComparedSide {
            name,
            short,
            differs,
            ended: trace.outcome() == Some(&Outcome::Finished) && self.sides[idx].derived.shows_requested(),
            state: head.state,
            cycle: (cycle, cycles),
            issued: (trace.issues_before(cycle + 1), trace.num_issues()),
            end: self.end_of(idx),
            density: trace.density(Cycle(first), Cycle(first + shown), columns),
            before: (trace.issues_before(first), trace.issues_before(last + 1)),
            issue_slots: trace.num_schedulers() as f64 / trace.issue_interval() as f64,
            arch: Some(self.sides[idx].setup.arch),
            warps: self.counters.borrow_mut().warps_of(run, trace),
            counters,
            lacks,
        }
    }

    /// The bands of the sides, for the transport.
    pub(in crate::app) fn compare_strip(&self, size: Size) -> Scene {
        let part = self.strip_part(size.width);
        scene::compare_strip(&self.comparison_of(part.start..part.end), size)
    }

    /// The overlay of the bands.
    pub(in crate::app) fn compare_marks(&self, size: Size) -> Scene {
        let now = match self.ui.compare.sync {
            Sync::Cycle => thousands(self.clock()),
            Sync::Time | Sync::Progress => self.clock_text(),
        };
        let part = self.strip_part(size.width);
        scene::compare_marks(
            (self.clock(), part.start..part.end),
            self.range_positions(),
            &now,
            size,
        )
    }

    /// The tooltip of a clock position: the cycle and the activity of each side.
    pub fn clock_tooltip(&self, position: u64) -> (String, String) {
        let name = match self.ui.compare.sync {
            Sync::Cycle => format!("Cycle {}", thousands(position)),
            Sync::Time | Sync::Progress => self.position_text(position),
        };
        let side = |idx: usize| {
            let short = self.side_name(idx).short;
            let Some(trace) = self.sides[idx].derived.trace() else {
                return format!("{short}: no run");
            };
            if position > self.end_of(idx) {
                return format!("{short}: finished");
            }
            let cycle = self.cycle_at(idx, position);
            let used = match scene::use_at(&trace.frame(Cycle(cycle)), cycle) {
                Some((used, Some(state))) => format!("{used} issue, {}", state.name()),
                Some((used, None)) => format!("{used} issue"),
                None => String::new(),
            };
            match self.ui.compare.sync {
                Sync::Cycle => format!("{short}: {used}"),
                Sync::Time | Sync::Progress => format!("{short}: cycle {}, {used}", thousands(cycle)),
            }
        };
        let sides: Vec<String> = (0..self.num_sides()).map(side).collect();
        (name, sides.join("\n"))
    }
}

impl CounterCache {
    /// The warps of a run over time; cached while the run is unchanged.
    fn warps_of(&mut self, run: u64, trace: &Trace) -> Rc<WarpRows> {
        let key = (run, trace.num_cycles());
        let kept = &mut self.warps;
        if let Some((_, rows)) = kept.iter().find(|(other, _)| *other == key) {
            return Rc::clone(rows);
        }
        let rows = Rc::new(WarpRows::of(trace));
        if kept.len() >= 2 * crate::share::MAX_SIDES {
            kept.remove(0);
        }
        kept.push((key, Rc::clone(&rows)));
        rows
    }

    /// The counters of some cycles of a run, including derived counters; cached while the run is unchanged.
    fn of(&mut self, run: u64, trace: &Trace, of: Option<(Cycle, Cycle)>) -> Rc<Vec<Counter>> {
        let key = (run, trace.num_cycles(), of);
        let kept = &mut self.counters;
        if let Some((_, counters)) = kept.iter().find(|(other, _)| *other == key) {
            return Rc::clone(counters);
        }
        let (mut counters, cycles) = match of {
            Some((from, to)) => (trace.counters_between(from, to), to.0 - from.0),
            None => (trace.counters(), trace.num_cycles()),
        };
        counters.extend(reckoned(trace, cycles, &counters));
        let counters = Rc::new(counters);
        if kept.len() >= 2 * crate::share::MAX_SIDES {
            kept.remove(0);
        }
        kept.push((key, Rc::clone(&counters)));
        counters
    }
}

/// Counters that Nsight Compute reports as a time or a rate.
fn reckoned(trace: &Trace, cycles: u64, counters: &[Counter]) -> Vec<Counter> {
    let value = |name: &str| {
        let found = counters.iter().find(|counter| counter.name == name);
        found.map_or(0.0, |counter| counter.value)
    };
    let mhz = f64::from(trace.arch().chip.sm_clock_mhz.value);
    let sectors = value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    let hits = value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum");
    vec![
        Counter {
            name: "warpscope__time.us".to_owned(),
            value: cycles as f64 / mhz,
            unit: "µs",
            note: "cycles divided by the SM clock rate",
        },
        Counter {
            name: "warpscope__l1_hit_rate_mem_global_op_ld.pct".to_owned(),
            value: if sectors > 0.0 {
                100.0 * hits / sectors
            } else {
                0.0
            },
            unit: "%",
            note: "share of global-load sectors that hit in L1",
        },
    ]
}

/// Counters that a run's architecture lacks.
fn lacks(trace: &Trace) -> Vec<(&'static str, &'static str)> {
    let arch = trace.arch();
    let mut lacks = Vec::new();
    if arch.memory.l1.is_none() {
        lacks.push(("warpscope__l1_hit_rate", "no L1"));
    }
    if arch.compute_capability.major < 2 {
        lacks.push(("l1tex__t_sectors_pipe_lsu_mem", "no sectors"));
    }
    lacks
}

/// The status of a side at a cycle.
fn state_of(derived: &Derived, cycle: u64) -> String {
    if derived.is_running() {
        return format!("simulating, cycle {}", thousands(derived.simulated_cycles()));
    }
    let Some(trace) = derived.trace() else {
        return "not simulated".to_owned();
    };
    let last = trace.last_cycle().0;
    let Some(outcome) = trace.outcome() else {
        // The reader stopped it: the share of its instructions is not known.
        return format!("stopped at cycle {}", thousands(last));
    };
    if cycle >= last {
        return match outcome {
            Outcome::Finished => format!("finished at cycle {}", thousands(last)),
            Outcome::CycleBudget | Outcome::MemoryBudget => {
                format!("stopped at cycle {}", thousands(last))
            }
            Outcome::Fault(_) => format!("fault at cycle {}", thousands(last)),
            Outcome::Deadlock { .. } => format!("deadlock at cycle {}", thousands(last)),
        };
    }
    let done = trace.issues_before(cycle + 1) * 100 / trace.num_issues().max(1);
    format!("{done} % issued, {} cycles in all", thousands(last + 1))
}

/// A time as text: `0.530 µs`, `12.4 µs`, `1.24 ms`.
fn microseconds(time: f64) -> String {
    if time < 1.0 {
        format!("{:.0} ns", time * 1000.0)
    } else if time < 10.0 {
        format!("{time:.2} µs")
    } else if time < 1000.0 {
        format!("{time:.1} µs")
    } else {
        format!("{:.2} ms", time / 1000.0)
    }
}
