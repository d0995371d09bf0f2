//! The text and numbers of the page, computed from the session.

mod controls;
mod gpu;
mod labels;
mod saved;
mod strip;

use super::RunKey;
use super::compare::ComparedKey;
use super::playground::PlayKey;
use super::{Effect, Event, RunSide, Session, update};
use crate::advice::with_padding;
use crate::arithmetic::Mistake;
use crate::scene::{
    self, Chart, DeviceData, Inspection, Scene, Size, StreamsData, Target, ViewState, thousands,
};
use crate::share::View;
use engine::files;
use engine::ids::{Cycle, SlotIdx};
use engine::isa::{Symbol, SymbolSpace};
use engine::trace::{Direction, Frame};

pub use gpu::Split;
pub use labels::Badge;
pub use strip::StripKey;

/// A side of the comparison as its pane shows it: the run at a cycle, with the selection.
#[derive(Clone, Copy, Debug)]
pub struct ShownSide<'s> {
    pub(super) session: &'s Session,
    /// The side.
    pub side: &'s RunSide,
    idx: usize,
    /// The shown cycle.
    pub cycle: u64,
    /// The selection and the view settings.
    pub state: ViewState,
}

impl<'s> ShownSide<'s> {
    /// Width of a view's picture on the stage, or the width it would have there.
    pub(super) fn width_of(&self, view: View) -> f32 {
        if self.session.is_side_by_side() {
            self.session.ui.widths[self.idx]
        } else {
            self.session.width_of(view)
        }
    }

    /// Whether the requested cycle is not simulated yet; the picture then shows the last simulated cycle.
    pub fn awaits_cycle(&self) -> bool {
        self.side.derived.is_running() && self.cycle > self.side.last_cycle()
    }

    /// Whether a view's picture shows a program that differs from the current source.
    pub fn is_stale_in(&self, view: View) -> bool {
        if view == View::Compare {
            return false;
        }
        if self.session.playground(view).is_some() {
            return self.session.ui.play.mistake.is_some();
        }
        if self.session.typed_operation(view).is_some() {
            return self.session.ui.arithmetic.mistake.is_some();
        }
        self.side.derived.problems.iter().any(|problem| problem.fatal)
    }

    /// Whether a view's picture shows the run before the requested one, or an earlier cycle because the requested cycle
    /// is not simulated yet.
    pub fn shows_former_in(&self, view: View) -> bool {
        self.session.playground(view).is_none()
            && self.session.typed_operation(view).is_none()
            && (!self.side.derived.shows_requested() || self.awaits_cycle())
    }

    /// The sentence above a view's picture: an error, or what the picture shows.
    pub fn sentence_in(&self, view: View, scene: Option<&Scene>) -> String {
        if self.session.playground(view).is_some() {
            return self.play_sentence(view);
        }
        if self.session.typed_operation(view).is_some() {
            let mistake = self.session.ui.arithmetic.mistake.as_ref();
            let headline = || scene.map_or_else(String::new, |scene| scene.headline.clone());
            return mistake.map_or_else(headline, Mistake::sentence);
        }
        // A pane whose run cannot start shows the error.
        if view == View::Compare && scene.is_some() {
            return scene.map_or_else(String::new, |scene| scene.headline.clone());
        }
        if let Some(problem) = self.side.derived.problems.iter().find(|problem| problem.fatal) {
            return match problem.span {
                Some(span) if span.line > 0 => {
                    format!(
                        "{} does not compile: {}",
                        scene::capital(&files::line_text(self.side.setup.source(), span.line)),
                        problem.message
                    )
                }
                _ => problem.message.clone(),
            };
        }
        if self.awaits_cycle() && scene.is_some() {
            return format!(
                "Cycle {} is not simulated yet. The picture shows cycle {}.",
                thousands(self.cycle),
                thousands(self.side.last_cycle())
            );
        }
        // An error is the first finding.
        if view == View::Findings
            && std::ptr::eq(self.side, self.session.side())
            && let Some(error) = self.session.first_error()
        {
            return format!("{}.", error.message);
        }
        let of_launch = self.session.launch_remark();
        match (scene, self.sm_of_device(view)) {
            (None, _) => self.empty_sentence_in(view),
            (Some(scene), None) => format!("{of_launch}{}", scene.headline),
            (Some(scene), Some(sm)) => {
                let num_sms = self.side.arch().chip.num_sms.value;
                format!(
                    "{of_launch}SM {} of {num_sms}: {}",
                    sm.min(num_sms - 1),
                    scene.headline
                )
            }
        }
    }

    /// The SM of the device's run that a view shows, if its picture is about this SM's run.
    fn sm_of_device(&self, view: View) -> Option<u16> {
        let is_of_whole = matches!(view, View::Device | View::Streams | View::Occupancy);
        let is_typed =
            self.session.typed_operation(view).is_some() || self.session.playground(view).is_some();
        self.side.setup.machine.sm.filter(|_| !is_of_whole && !is_typed)
    }

    /// The sentence in place of a missing picture.
    pub fn empty_sentence_in(&self, view: View) -> String {
        if self.session.playground(view).is_some() {
            return "Fix the expression to see its wavefronts.".to_owned();
        }
        if view == View::Compare {
            return "Choose a run to compare: all panes run in step.".to_owned();
        }
        if view == View::Checks {
            return self.session.checks_sentence(self.idx);
        }
        if view == View::Findings && !self.side.derived.is_running() && !self.is_stale_in(view) {
            return self.session.findings_sentence(self.idx);
        }
        if view == View::Device && !self.is_stale_in(view) {
            return self.session.device_sentence(self.idx);
        }
        if view == View::Streams && !self.is_stale_in(view) {
            return self.session.streams_sentence(self.idx);
        }
        if self.is_stale_in(view) {
            return "Fix the kernel or the launch configuration to see a run.".to_owned();
        }
        if self.side.derived.is_compiling() {
            return "Compiling the kernel".to_owned();
        }
        format!(
            "Simulating, cycle {}",
            thousands(self.side.derived.simulated_cycles())
        )
    }

    /// The inputs of a picture of this size: equal keys mean equal pictures.
    pub fn picture_key(&self, view: View, size: Size) -> PictureKey {
        PictureKey {
            run: self.side.derived.run_key(),
            cycle: self.cycle,
            view,
            state: self.state,
            size,
            play: self.play_key(view),
            ringed: self.session.ringed_key(),
            compared: self.session.compared_key(self.idx, view),
            sweep: match view {
                View::Carveout => self.session.sweep_revision(),
                View::Findings | View::Stalls => self.session.advice_revision(),
                View::Device => self.session.devices.revision(),
                View::Streams => self.session.streams.revision(),
                View::Compare => self.session.cause_revision(),
                View::Arithmetic => self.session.arithmetic_revision(),
                _ => 0,
            },
        }
    }

    /// The run at the shown cycle.
    pub(super) fn frame(&self) -> Option<Frame<'s>> {
        Some(self.side.derived.trace()?.frame(Cycle(self.cycle)))
    }

    /// The lane that holds an element of the Tensor view.
    pub(super) fn holder(&self, target: Target) -> Option<u8> {
        scene::tensor_holder(&self.frame()?, &self.state, target)
    }

    /// What the Device view shows, once the device's run has ended.
    pub(super) fn device_data(&self) -> Option<DeviceData<'_>> {
        let trace = self.session.device_trace(self.idx)?;
        // The common clock of a comparison goes on after the end.
        let end = self.session.device_end().unwrap_or(u64::MAX);
        Some(DeviceData {
            arch: self.side.arch(),
            trace,
            cycle: Cycle(self.cycle.min(end)),
            selected: self.state.settings.sm,
            others: self.side.setup.machine.sm,
            is_whole: self.state.is_whole,
        })
    }

    /// What the Streams view shows, once the host program has run.
    fn streams_data(&self) -> Option<StreamsData<'_>> {
        Some(StreamsData {
            arch: self.side.arch(),
            record: self.session.streams_record(self.idx)?,
            end_ns: self.session.streams_end_ns(self.idx),
            window: self.session.streams_window(self.idx),
            selected: self.state.settings.streams.op,
        })
    }

    /// A view's picture at the current cycle.
    pub fn picture(&self, view: View, size: Size) -> Option<Scene> {
        if self.session.playground(view).is_some() {
            return self.play_picture(view, size);
        }
        if view == View::Compare {
            return (self.session.is_comparing()).then(|| scene::compare(&self.session.comparison(), size));
        }
        let mut scene = match view {
            View::Arithmetic => self.arithmetic_picture(size)?,
            _ => self.picture_of_run(view, size)?,
        };
        scene::mark(&mut scene, &self.session.marks(self.idx, view));
        self.session.ring_answers(self.idx, &mut scene);
        scene::ring(&mut scene, &self.session.ringed(self.idx));
        Some(scene)
    }

    /// A view's picture of the run at the current cycle.
    fn picture_of_run(&self, view: View, size: Size) -> Option<Scene> {
        let (frame, state) = (self.frame()?, &self.state);
        Some(match view {
            View::Sm => scene::sm(&frame, state, size),
            View::Timeline => scene::timeline(&frame, state, size),
            View::Stalls => {
                scene::stalls_with_causes(&frame, state, size, &self.session.stall_causes(self.idx))
            }
            View::Banks => scene::banks(&frame, state, size),
            View::Coalescing => scene::coalescing(&frame, state, size),
            View::Carveout => scene::carveout(&frame, state, size, &self.session.combination_runs()),
            View::Registers => scene::registers(&frame, state, size),
            View::Source => scene::source(&frame, state, size),
            View::Occupancy => scene::occupancy(&frame, state, size),
            View::Divergence => scene::divergence(&frame, state, size),
            View::Caches => scene::caches(&frame, state, size),
            View::Plots => scene::plots(&frame, state, size),
            View::Findings => scene::findings(&self.session.findings_data(self.idx)?.data(), size),
            View::Device => scene::device(&self.device_data()?, size),
            View::Streams => scene::streams(&self.streams_data()?, size),
            View::Tensor => scene::tensor(&frame, state, size),
            View::Compare | View::Checks | View::Arithmetic => return None,
        })
    }

    /// A view's charts, below its picture.
    pub fn charts(&self, view: View) -> Vec<Chart> {
        let Some(trace) = self.side.derived.trace() else {
            return Vec::new();
        };
        match view {
            View::Occupancy => scene::occupancy_charts(trace),
            View::Carveout => scene::carveout_charts(trace, &self.session.combination_runs()),
            _ => Vec::new(),
        }
    }

    /// The label of the glossary's term for an item of the picture; without an item, for the selected warp's state.
    pub fn term_label(&self, target: Option<Target>) -> Option<String> {
        let frame = self.frame()?;
        let slot = self.state.slot.unwrap_or(SlotIdx(0));
        scene::term_label(&frame, target.unwrap_or(Target::Warp { slot: slot.0 }))
    }

    /// The tooltip of a target: its name and state, and the reason.
    pub fn tooltip(&self, target: Target) -> Option<(String, String)> {
        if let Some(playground) = self.session.shown_playground() {
            let options = self.side.setup.machine.memory();
            return scene::playground_tooltip(playground, self.side.arch(), options, target);
        }
        if self.session.active_view() == View::Arithmetic
            && let Some(tooltip) = self.arithmetic_tooltip(target)
        {
            return Some(tooltip);
        }
        if let Target::Cause(idx) = target {
            return self.session.cause_tooltip(idx.into());
        }
        if let Target::Counter(idx) = target {
            let rows = scene::counter_rows(&self.session.comparison());
            return Some(rows.get(usize::from(idx))?.description());
        }
        let frame = self.frame()?;
        let own = match self.session.active_view() {
            View::Banks => scene::banks_tooltip(&frame, &self.state, target),
            View::Coalescing => scene::coalescing_tooltip(&frame, &self.state, target),
            View::Caches => scene::caches_tooltip(&frame, &self.state, target),
            View::Plots => match target {
                Target::PlotPoint(point) => Some(scene::plot_tooltip(&frame, &self.state, point)),
                _ => None,
            },
            View::Tensor => scene::tensor_tooltip(&frame, &self.state, target),
            View::Device => scene::device_tooltip(&self.device_data()?, target),
            View::Streams => scene::streams_tooltip(&self.streams_data()?, target),
            View::Divergence => scene::divergence_lane_tooltip(&frame, &self.state, target),
            View::Stalls => match target {
                Target::OpenFinding(idx) => {
                    let cause = self
                        .session
                        .stall_causes(self.idx)
                        .into_iter()
                        .find(|cause| cause.finding == usize::from(idx));
                    cause.map(|cause| (format!("Cause: {}", cause.text), "Opens the finding.".to_owned()))
                }
                _ => None,
            },
            View::Findings => {
                let own = self.session.findings_data(self.idx)?;
                scene::finding_tooltip(&own.data(), target)
            }
            View::Carveout => match target {
                Target::Carveout(kib) => {
                    scene::carveout_tooltip(&frame, kib, &self.session.combination_runs())
                }
                Target::Combination(idx) => {
                    scene::combination_tooltip(&frame, idx, &self.session.combination_runs())
                }
                _ => None,
            },
            _ => None,
        };
        own.or_else(|| scene::tooltip(&frame, target))
    }
}

impl Session {
    /// The active side, as its pane shows it.
    pub fn shown(&self) -> ShownSide<'_> {
        self.shown_side(self.active_side())
    }

    /// A side, as its pane shows it.
    pub fn shown_side(&self, idx: usize) -> ShownSide<'_> {
        ShownSide {
            session: self,
            side: &self.sides[idx],
            idx,
            cycle: self.cycle_on(idx),
            state: self.view_state_on(idx),
        }
    }

    /// The view next to the active one when the stage splits: Timeline beside a detail view, and the SM beside
    /// Timeline.
    pub fn companion(&self) -> View {
        match self.active_view() {
            View::Timeline => View::Sm,
            View::Source => View::Registers,
            View::Carveout => View::Occupancy,
            View::Occupancy => View::Carveout,
            View::Divergence => View::Source,
            View::Caches => View::Coalescing,
            View::Checks | View::Findings | View::Arithmetic => View::Source,
            View::Plots | View::Device => View::Occupancy,
            View::Streams => View::Device,
            View::Tensor => View::Source,
            _ => View::Timeline,
        }
    }

    /// Whether the active pane's picture shows a program that differs from the current source.
    pub fn is_stale(&self) -> bool {
        self.shown().is_stale_in(self.active_view())
    }

    /// The sentence above the active pane's picture.
    pub fn sentence(&self, scene: Option<&Scene>) -> String {
        self.shown().sentence_in(self.active_view(), scene)
    }

    /// The sentence in place of the active pane's missing picture.
    pub fn empty_sentence(&self) -> String {
        self.shown().empty_sentence_in(self.active_view())
    }

    /// The inspector's explanation of the selection.
    pub fn inspection(&self) -> Option<Inspection> {
        if let Some(playground) = self.shown_playground() {
            let options = self.setup().machine.memory();
            return Some(scene::inspect_playground(
                playground,
                self.arch(),
                options,
                &self.view_state(),
            ));
        }
        if self.active_view() == View::Arithmetic
            && let Some(inspection) = self.shown().arithmetic_inspection()
        {
            return Some(inspection);
        }
        if let Some(inspection) = self.cause_inspection() {
            return Some(inspection);
        }
        let frame = self.shown().frame()?;
        if let (View::Timeline, Some((from, to))) = (self.active_view(), self.range()) {
            return Some(scene::inspect_range(&frame, from, to));
        }
        let warp = || scene::inspect_warp(&frame, SlotIdx(self.slot()));
        Some(match self.active_view() {
            View::Banks => scene::inspect_banks(&frame, &self.view_state()),
            View::Coalescing => scene::inspect_coalescing(&frame, &self.view_state()),
            View::Registers => scene::inspect_registers(&frame, &self.view_state()),
            View::Occupancy => scene::inspect_occupancy(&frame),
            View::Divergence => scene::inspect_divergence(&frame, &self.view_state()),
            View::Caches => scene::inspect_caches(&frame, &self.view_state()),
            View::Source => scene::inspect_code(&frame, &self.view_state()).unwrap_or_else(warp),
            View::Stalls => scene::inspect_stalls(&frame, &self.view_state()).unwrap_or_else(warp),
            View::Plots => scene::inspect_plots(&frame, &self.view_state()),
            View::Tensor => scene::inspect_tensor(&frame, &self.view_state()),
            View::Device => match self.shown().device_data() {
                Some(data) => scene::inspect_device(&data),
                None => warp(),
            },
            View::Streams => match self.shown().streams_data() {
                Some(data) => scene::inspect_streams(&data),
                None => warp(),
            },
            View::Findings => match self.findings_data(self.active_side()) {
                Some(own) => scene::inspect_findings(&own.data()),
                None => warp(),
            },
            View::Sm => {
                let part = self.view_state().settings.part;
                part.and_then(|part| scene::inspect_part(&frame, part))
                    .unwrap_or_else(warp)
            }
            View::Carveout => scene::inspect_carveout(&frame, &self.combination_runs()),
            _ => warp(),
        })
    }

    /// The active pane's picture.
    fn active_picture(&self) -> Option<Scene> {
        let size = Size {
            width: self.ui.widths[self.active().idx()],
            height: 600.0,
        };
        self.shown().picture(self.active_view(), size)
    }

    /// Shows the cycle of the previous or next instruction on tensor cores of the selected warp.
    pub(super) fn step_product(&mut self, direction: Direction) -> Vec<Effect> {
        let shown = self.shown();
        let cycle = shown
            .frame()
            .and_then(|frame| scene::beside_product(&frame, &shown.state, direction));
        if let Some(cycle) = cycle {
            return update(self, Event::Seek(cycle));
        }
        self.say("There is no such instruction.".to_owned());
        Vec::new()
    }

    /// Whether the active pane has a picture.
    pub(super) fn has_picture(&self) -> bool {
        self.active_picture().is_some()
    }

    /// The picture's sentence, for screen readers.
    pub(super) fn sentence_of_picture(&self) -> String {
        let sentence = self.sentence(self.active_picture().as_ref());
        format!("Cycle {}. {sentence}", thousands(self.cycle()))
    }

    /// The source with padded rows of the shared array that the Banks view shows.
    pub(super) fn padded(&self, words: u8) -> Option<String> {
        let frame = self.shown().frame()?;
        let access = frame
            .trace()
            .access_detail(scene::shown_access(&frame, &self.view_state())?)?;
        let offset = access
            .mask
            .lanes()
            .map(|lane| access.addresses[lane as usize])
            .min()?;
        let holds = |symbol: &&Symbol| {
            let start = u64::from(symbol.offset);
            symbol.space == SymbolSpace::Shared && (start..start + u64::from(symbol.size)).contains(&offset)
        };
        let symbol = frame.trace().program().symbols.iter().find(holds)?;
        with_padding(&self.side().text, &symbol.name, u32::from(words))
    }
}

/// See [`ShownSide::picture_key`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureKey {
    run: RunKey,
    cycle: u64,
    view: View,
    state: ViewState,
    size: Size,
    play: Option<PlayKey>,
    /// The step of the open lesson, which rings items, from 1.
    ringed: (Option<usize>, Option<usize>),
    compared: ComparedKey,
    /// Results of the runs of combinations or of changes.
    sweep: u64,
}
