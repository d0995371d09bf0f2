//! The Carveout view's table: the scenario runs with every combination of carveout, caching of global loads in L1, and
//! register limit.

use std::sync::Arc;

use super::choice::control;
use super::compiler::{CompiledData, Toolchain};
use super::jobs::{Job, Report};
use super::run::{Derived, Standing};
use super::{Choice, Control, Session};
use crate::scene::{self, Combination, CombinationRun, CombinationState, Setting};
use crate::share::{Setup, View};
use engine::isa::Program;
use engine::sim::LoadCaching;
use engine::trace::Segment;

/// Limit of concurrent runs.
const AT_ONCE: usize = 4;

/// A combination, with its run while it is in progress.
#[derive(Debug)]
struct Run {
    combination: Combination,
    setup: Box<Setup>,
    derived: Option<Box<Derived>>,
    state: CombinationState,
}

/// The runs of all combinations.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// The setup without the combined settings.
    base: Option<Setup>,
    /// The number of the session's run at the last check.
    seen: Option<u64>,
    /// The setup without the combined settings, until its kernel is compiled: the register limits depend on the kernel.
    unlimited: Option<Box<Derived>>,
    runs: Vec<Run>,
    held: bool,
    revision: u64,
}

/// A setup without the combined settings.
fn plain(setup: &Setup) -> Setup {
    let mut plain = setup.clone();
    plain.machine.carveout_kib = None;
    plain.machine.load_caching = LoadCaching::Default;
    plain.compile.max_registers = None;
    plain
}

impl Run {
    /// Compiles the combination and requests its run.
    fn start(&mut self, toolchain: Option<Toolchain>) {
        let mut derived = Box::<Derived>::default();
        derived.follow(&self.setup.alone(), toolchain);
        self.state = CombinationState::Runs { cycles: 0 };
        self.derived = Some(derived);
        self.settle();
    }

    /// Updates the progress, and drops the run at its end.
    fn settle(&mut self) {
        let Some(derived) = &self.derived else { return };
        self.state = match derived.standing() {
            Standing::Runs(cycles) => {
                self.state = CombinationState::Runs { cycles };
                return;
            }
            Standing::Refused(why) => CombinationState::Refused(why.to_owned()),
            Standing::Done(trace) => CombinationState::Done(scene::combination_result(trace)),
        };
        self.derived = None;
    }
}

impl Sweep {
    fn active(&mut self) -> impl Iterator<Item = &mut Run> {
        self.runs.iter_mut().filter(|run| run.derived.is_some())
    }

    /// Starts further runs within the limit.
    fn start_more(&mut self, room: usize, toolchain: Option<Toolchain>) {
        let mut num = self.active().count();
        for run in &mut self.runs {
            if num >= AT_ONCE.min(room) {
                break;
            }
            if matches!(run.state, CombinationState::Waits) {
                run.start(toolchain);
                num += usize::from(run.derived.is_some());
            }
        }
    }

    fn is_done(&self) -> bool {
        let open = |run: &Run| matches!(run.state, CombinationState::Waits | CombinationState::Runs { .. });
        !self.runs.iter().any(open)
    }
}

impl Session {
    /// A number that changes with every new result.
    pub fn sweep_revision(&self) -> u64 {
        self.sweep.revision
    }

    /// Starts, continues, or drops the runs of all combinations, as the view requests.
    pub(super) fn follow_sweep(&mut self) {
        let wanted = self.ui.state.settings.sweep && self.shows(View::Carveout) && !self.is_comparing();
        if !wanted {
            if self.sweep.base.is_some() {
                self.sweep = Sweep {
                    revision: self.sweep.revision + 1,
                    ..Sweep::default()
                };
            }
            return;
        }
        let Some((number, _)) = self.derived().requested() else {
            return;
        };
        if self.sweep.seen != Some(number) {
            self.sweep.seen = Some(number);
            let base = plain(self.setup());
            if self.sweep.base.as_ref() != Some(&base) {
                let mut unlimited = Box::<Derived>::default();
                unlimited.follow(&plain(self.setup()).alone(), self.toolchain);
                self.sweep = Sweep {
                    base: Some(base),
                    seen: Some(number),
                    unlimited: Some(unlimited),
                    revision: self.sweep.revision + 1,
                    ..Sweep::default()
                };
            }
            self.sweep.revision += 1;
        }
        if let Some(unlimited) = self
            .sweep
            .unlimited
            .take_if(|unlimited| !unlimited.is_compiling())
        {
            self.sweep.runs = (unlimited.program())
                .map(|program| self.combinations(program))
                .unwrap_or_default();
            self.sweep.revision += 1;
        }
        if !self.sweep.held {
            self.sweep.start_more(AT_ONCE, self.toolchain);
        }
    }

    /// All combinations of the scenario, not started; `program` is its kernel without a register limit.
    fn combinations(&self, program: &Arc<Program>) -> Vec<Run> {
        let plain = plain(self.setup()).alone();
        let natural = u32::from(program.registers_per_thread);
        let trace = self
            .derived()
            .trace()
            .filter(|_| self.derived().shows_requested());
        let needs = match trace {
            Some(trace) => scene::launch_needs(trace),
            None => match super::start::open(&plain, program).trace {
                Ok(trace) => scene::launch_needs(&trace),
                Err(_) => return Vec::new(),
            },
        };
        let own = self.setup().compile.max_registers;
        scene::combinations(
            self.arch(),
            &needs,
            natural,
            own,
            self.setup().machine.load_caching,
        )
        .into_iter()
        .map(|combination| {
            let mut setup = Box::new(Setup::of(&plain));
            apply(&mut setup, combination);
            Run {
                combination,
                setup,
                derived: None,
                state: CombinationState::Waits,
            }
        })
        .collect()
    }

    /// The combination of the session's own run.
    fn own_combination(&self) -> Option<Combination> {
        Some(Combination {
            shared_kib: self.derived().occupancy()?.shared_kib,
            in_l1: self.setup().machine.load_caching.in_l1(self.arch()),
            max_registers: self.setup().compile.max_registers,
        })
    }

    /// The rows of the table.
    pub(super) fn combination_runs(&self) -> Vec<CombinationRun> {
        let own = self.own_combination();
        let runs = self.sweep.runs.iter().map(|run| CombinationRun {
            combination: run.combination,
            state: run.state.clone(),
            is_own: own == Some(run.combination),
        });
        runs.collect()
    }

    /// Applies a row of the table to the scenario.
    pub(super) fn take_combination(&mut self, idx: usize) -> Vec<super::Effect> {
        let Some(run) = self.sweep.runs.get(idx) else {
            return Vec::new();
        };
        let combination = run.combination;
        if self.own_combination() == Some(combination) {
            return Vec::new();
        }
        self.change(|setup| apply(setup, combination))
    }

    /// The choice to run all combinations, and buttons to stop and to resume.
    pub(super) fn sweep_controls(&self) -> Vec<Control> {
        let on = self.ui.state.settings.sweep;
        let options = [
            ("this one", Choice::Set(Setting::Sweep(false)), !on),
            (
                "all splits, -dlcm options, and register limits",
                Choice::Set(Setting::Sweep(true)),
                on,
            ),
        ];
        let mut controls = vec![control("sweep", "Run", options)];
        if on && !self.sweep.is_done() {
            let held = self.sweep.held;
            let options = [
                ("continue", Choice::HoldSweep(false), !held),
                ("stop", Choice::HoldSweep(true), held),
            ];
            controls.push(control("sweep-runs", "Runs", options));
        }
        controls
    }

    /// Pauses or resumes the runs of the combinations.
    pub(super) fn hold_sweep(&mut self, held: bool) {
        self.sweep.held = held;
        self.sweep.revision += 1;
        for run in self.sweep.active() {
            if let Some(derived) = &mut run.derived {
                derived.let_go_on(!held);
            }
        }
    }

    /// The requested runs of the table.
    pub(super) fn sweep_jobs(&self) -> impl Iterator<Item = Job> {
        let derived = self.sweep.runs.iter().filter_map(|run| run.derived.as_ref());
        derived.filter_map(|derived| derived.job())
    }

    /// The derived state of its runs in progress, and of the compilation without the combined settings.
    pub(super) fn sweep_derived(&self) -> impl Iterator<Item = &Derived> {
        let runs = self.sweep.runs.iter().filter_map(|run| run.derived.as_deref());
        self.sweep.unlimited.as_deref().into_iter().chain(runs)
    }

    /// Handles the result of compilation `number` if it belongs to a combination. Returns whether it does.
    pub(super) fn sweep_compiled(&mut self, number: u64, data: &Result<CompiledData, String>) -> bool {
        if let Some(unlimited) = &mut self.sweep.unlimited
            && unlimited.compiled(number, data.clone())
        {
            return true;
        }
        let run = self.sweep.active().find_map(|run| {
            let derived = run.derived.as_mut()?;
            derived.compiled(number, data.clone()).then_some(run)
        });
        let is_taken = run.map(Run::settle).is_some();
        self.sweep.revision += u64::from(is_taken);
        is_taken
    }

    /// Handles a simulated part of a combination's run.
    pub(super) fn receive_sweep(&mut self, number: u64, report: Report, segment: &mut Option<Segment>) {
        let run = self.sweep.active().find(|run| {
            run.derived
                .as_ref()
                .is_some_and(|derived| derived.is_requested(number))
        });
        let Some(run) = run else { return };
        if let Some(derived) = &mut run.derived {
            derived.receive(number, report, segment.take());
        }
        run.settle();
        self.sweep.revision += 1;
    }

    /// Handles the loss of a combination's run.
    pub(super) fn lose_sweep(&mut self, number: u64, why: &str) {
        for run in self.sweep.active() {
            if let Some(derived) = &mut run.derived {
                derived.lose(number, why);
            }
            run.settle();
        }
        self.sweep.revision += 1;
    }

    /// Simulates its runs on this thread. Returns whether any is unfinished.
    pub(super) fn work_sweep(&mut self, work: impl Fn(&mut Derived) -> bool) -> bool {
        if self.sweep.held || self.sweep.runs.is_empty() {
            return false;
        }
        self.sweep.start_more(1, self.toolchain);
        if let Some(run) = self.sweep.active().next() {
            if let Some(derived) = &mut run.derived {
                work(derived);
            }
            run.settle();
        }
        self.sweep.revision += 1;
        !self.sweep.is_done()
    }
}

/// Applies a combination to a setup.
fn apply(setup: &mut Setup, combination: Combination) {
    let arch = engine::arch::architecture(setup.arch);
    setup.machine.carveout_kib =
        (arch.occupancy.carveouts_kib.value.len() > 1).then(|| u32::from(combination.shared_kib));
    let caching = |in_l1: bool| {
        [LoadCaching::Default, LoadCaching::Ca, LoadCaching::Cg]
            .into_iter()
            .find(|caching| caching.in_l1(arch) == in_l1)
    };
    setup.machine.load_caching = caching(combination.in_l1).unwrap_or_default();
    setup.compile.max_registers = combination.max_registers;
}

#[cfg(test)]
mod tests {
    use super::super::golden::opened;
    use super::super::{Event, update};
    use super::*;
    use crate::scene::Target;

    const LINK: &str = "v1;arch=gf100;kernel=pressure;view=carveout;sweep=on";

    #[test]
    fn each_row_equals_its_own_run_and_a_click_applies_it() {
        let mut session = opened(LINK);
        let rows = session.combination_runs();
        assert!(rows.len() >= 4, "two splits, through L1 and past it: {rows:?}");
        assert_eq!(rows.iter().filter(|row| row.is_own).count(), 1);
        let before = session.link();
        for idx in [0, rows.len() - 1] {
            update(&mut session, Event::Select(Target::Combination(idx as u8)));
            while session.work(10_000) {}
            let trace = session.derived().trace().unwrap();
            let own = scene::combination_result(trace);
            assert_eq!(rows[idx].result(), Some(&own), "{:?}", rows[idx].combination);
            let now = session.combination_runs();
            assert!(now[idx].is_own, "{:?}", now[idx].combination);
            assert_eq!(now.len(), rows.len());
            assert!(now.iter().all(|row| row.result().is_some()), "they are kept");
        }
        update(&mut session, Event::Undo);
        update(&mut session, Event::Undo);
        assert_eq!(session.link().machine, before.machine);
        assert_eq!(session.link().compile, before.compile);
    }

    #[test]
    fn paused_runs_wait_and_other_views_have_none() {
        let mut session = opened("v1;arch=gf100;kernel=pressure;view=carveout");
        assert_eq!(session.combination_runs(), []);
        update(&mut session, Event::Choose(Choice::Set(Setting::Sweep(true))));
        update(&mut session, Event::Choose(Choice::HoldSweep(true)));
        assert!(!session.work(10_000), "held");
        assert!(session.jobs().iter().all(|job| !job.goes_on));
        update(&mut session, Event::Choose(Choice::HoldSweep(false)));
        assert!(session.jobs().len() >= 2);
        update(&mut session, Event::View(View::Sm));
        assert_eq!(session.jobs(), []);
    }
}
