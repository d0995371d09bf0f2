//! The tabs of the stage: the view that a tab opens, and the views that have no content for the run, with the reasons.

use std::collections::BTreeMap;

use super::{RunSide, Session};
use crate::arithmetic::Operation;
use crate::scene;
use crate::share::{Pane, Tab, View};
use engine::ids::Cycle;
use engine::isa::{Instruction, Op};
use engine::trace::{AccessFamily, Trace};

/// A tab of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownTab {
    /// The name.
    pub name: &'static str,
    /// All views of the tab, also those without content.
    pub all: Tab,
    /// The views with content, and the view on the stage: the sections.
    pub views: Vec<View>,
    /// The view that the tab opens: the one that the pane showed last, else the first.
    pub opens: View,
}

/// The inputs of the reasons: the run of each side, the launches of its program, and whether the Streams view has more
/// to show than this program.
type Inputs = (Vec<(u64, Option<u32>)>, bool);

/// The views that have no content in the run that the page starts with. Until the first run has ended, they are under More,
/// so that no tab moves when the page comes.
const EMPTY_AT_START: [View; 3] = [View::Divergence, View::Tensor, View::Streams];

/// What the tabs open, and which views have no content.
#[derive(Clone, Debug)]
pub(super) struct TabsState {
    /// The view that a pane showed last, by pane and by the first view of the tab.
    last: BTreeMap<(usize, View), View>,
    /// The views without content, each with the reason.
    empty: Vec<(View, String)>,
    /// The inputs of these reasons.
    inputs: Option<Inputs>,
}

impl Default for TabsState {
    fn default() -> Self {
        let reason = || "The run has not ended.".to_owned();
        Self {
            last: BTreeMap::new(),
            empty: EMPTY_AT_START.map(|view| (view, reason())).to_vec(),
            inputs: None,
        }
    }
}

impl Session {
    /// Updates what the tabs open, and the reasons once all runs have ended: until then, a tab stays where it is.
    pub(super) fn follow_tabs(&mut self) {
        for pane in Pane::ALL {
            if let Some(view) = self.view_in(pane)
                && let Some(first) = view.tab().first()
            {
                self.ui.tabs.last.insert((pane.idx(), *first), view);
            }
        }
        let Some(inputs) = self.inputs_of_reasons() else {
            return;
        };
        if self.ui.tabs.inputs.as_ref() != Some(&inputs) {
            let views = View::ALL.into_iter();
            self.ui.tabs.empty = views
                .filter_map(|view| Some((view, self.reason_in_all_sides(view)?)))
                .collect();
            self.ui.tabs.inputs = Some(inputs);
        }
    }

    fn inputs_of_reasons(&self) -> Option<Inputs> {
        let of_side = |side: &RunSide| {
            let derived = &side.derived;
            let is_known = derived.trace().is_some() && derived.shows_requested() && !derived.is_running();
            is_known.then(|| (derived.run_number(), side.host.num_launches()))
        };
        let sides: Option<Vec<_>> = self.sides.iter().map(of_side).collect();
        Some((sides?, self.ui.state.settings.streams.has_more_than_program()))
    }

    /// Why no side has content for a view.
    fn reason_in_all_sides(&self, view: View) -> Option<String> {
        let reasons: Option<Vec<String>> = self.sides.iter().map(|side| self.reason(side, view)).collect();
        reasons?.into_iter().next()
    }

    /// Why a view has no content for a side's run.
    fn reason(&self, side: &RunSide, view: View) -> Option<String> {
        let trace = side.derived.trace()?;
        let arch = trace.arch();
        let has_request = |family| scene::has_request(trace, family);
        match view {
            View::Banks => (!has_request(AccessFamily::Shared))
                .then(|| "The kernel makes no access to shared memory.".to_owned()),
            View::Coalescing => (!has_request(AccessFamily::Global))
                .then(|| "The kernel makes no access to global, local, or constant memory.".to_owned()),
            View::Caches => (!has_request(AccessFamily::Global))
                .then(|| "The kernel makes no access that reaches a cache.".to_owned()),
            View::Carveout => (arch.occupancy.carveouts_kib.value.len() < 2)
                .then(|| format!("{} has one size of shared memory.", arch.name)),
            View::Divergence => {
                scene::is_whole(&trace.frame(Cycle(0))).then(|| "No branch diverges in this run.".to_owned())
            }
            View::Arithmetic => {
                let fuses = side.setup.compile.fmad;
                let is_arithmetic = |i: &Instruction| Operation::of_instruction(i, [1; 3], fuses).is_some();
                (!has_instruction(trace, is_arithmetic))
                    .then(|| "The kernel has no arithmetic instructions.".to_owned())
            }
            View::Tensor if !scene::has_tensor_cores(arch) => {
                Some(format!("{} has no tensor cores.", arch.name))
            }
            View::Tensor => (!has_instruction(trace, |i| matches!(i.op, Op::Mma { .. })))
                .then(|| "The kernel has no tensor instructions.".to_owned()),
            View::Streams => {
                let is_plain = side.host.num_launches().is_some_and(|num| num < 2);
                (is_plain && !self.ui.state.settings.streams.has_more_than_program())
                    .then(|| "The program has one kernel.".to_owned())
            }
            View::Findings
            | View::Stalls
            | View::Checks
            | View::Sm
            | View::Timeline
            | View::Registers
            | View::Source
            | View::Occupancy
            | View::Device
            | View::Plots
            | View::Compare => None,
        }
    }

    /// Why a view has no content for this run. A view with a typed access or operation has content.
    pub fn reason_without_content(&self, view: View) -> Option<&str> {
        if self.playground(view).is_some() || self.typed_operation(view).is_some() {
            return None;
        }
        let (_, reason) = self.ui.tabs.empty.iter().find(|(empty, _)| *empty == view)?;
        Some(reason)
    }

    /// The tabs of a pane that shows `view`, by group. Compare has a tab during a comparison, and while its view is selected.
    pub fn shown_tabs(&self, pane: Pane, view: View) -> Vec<Vec<ShownTab>> {
        let is_shown = |one: View| match one {
            _ if one == view => true,
            View::Compare => self.is_comparing(),
            _ => self.reason_without_content(one).is_none(),
        };
        let tab = |all: &Tab| {
            let first = *all.first()?;
            let views: Vec<View> = all.iter().copied().filter(|one| is_shown(*one)).collect();
            let last = self.ui.tabs.last.get(&(pane.idx(), first)).copied();
            let opens = last
                .filter(|last| views.contains(last))
                .or(views.first().copied())?;
            Some(ShownTab {
                name: first.name(),
                all,
                views,
                opens,
            })
        };
        let group = |tabs: &&[Tab]| tabs.iter().filter_map(tab).collect();
        let groups = View::GROUPS.iter().map(group);
        groups.filter(|tabs: &Vec<ShownTab>| !tabs.is_empty()).collect()
    }

    /// The views that are not among the tabs of a pane that shows `view`, each with the reason.
    pub fn views_under_more(&self, view: View) -> Vec<(View, &str)> {
        let tabs = View::GROUPS.iter().copied().flatten().copied().flatten().copied();
        tabs.filter(|one| *one != view)
            .filter_map(|one| Some((one, self.reason_without_content(one)?)))
            .collect()
    }
}

/// Whether a run's program has such an instruction.
fn has_instruction(trace: &Trace, is_wanted: impl Fn(&Instruction) -> bool) -> bool {
    trace.program().code.iter().any(is_wanted)
}

#[cfg(test)]
mod tests;
