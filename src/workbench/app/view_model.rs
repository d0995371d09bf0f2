//! The text and numbers of the page, computed from the session.

use super::RunKey;
use super::choice::control;
use super::compare::ComparedKey;
use super::padding::with_padding;
use super::playground::PlayKey;
use super::{Choice, Control, RunSide, Session};
use crate::scene::{
    self, Breakdown, Chart, CodePart, Counters, Inspection, LaneRows, LaneZoom, MemoryPart, Period, Scene,
    Setting, Size, Target, TimelineScale, ViewState, counted, thousands,
};
use crate::share::View;
use engine::arch::{BankSize, L1Capacity};
use engine::files;
use engine::ids::{Cycle, SlotIdx};
use engine::isa::{Symbol, SymbolSpace};
use engine::sim::{LoadCaching, Outcome};
use engine::trace::Frame;

/// The split of the on-chip memory, on GPUs with a configurable carveout.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// L1 and shared memory together, in KB.
    pub total_kib: f32,
    /// Selectable sizes of shared memory, smallest first.
    pub sizes: Vec<u16>,
    /// Index of the selected size.
    pub idx: usize,
    /// The selected size, in KB.
    pub shared_kib: u16,
    /// Shared memory allocated to resident blocks, in KB.
    pub used_kib: f32,
}

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
        self.side.derived.problems.iter().any(|problem| problem.fatal)
    }

    /// Whether a view's picture shows the run before the requested one, or an earlier cycle because the requested cycle
    /// is not simulated yet.
    pub fn shows_former_in(&self, view: View) -> bool {
        self.session.playground(view).is_none()
            && (!self.side.derived.shows_requested() || self.awaits_cycle())
    }

    /// The sentence above a view's picture: an error, or what the picture shows.
    pub fn sentence_in(&self, view: View, scene: Option<&Scene>) -> String {
        if self.session.playground(view).is_some() {
            return self.play_sentence(view);
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
        scene.map_or_else(|| self.empty_sentence_in(view), |scene| scene.headline.clone())
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
        if self.is_stale_in(view) {
            return "Fix the kernel or the launch configuration to see a run.".to_owned();
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
            compared: self.session.compared_key(self.idx, view),
            sweep: if view == View::Carveout {
                self.session.sweep_revision()
            } else {
                0
            },
        }
    }

    /// The run at the shown cycle.
    pub(super) fn frame(&self) -> Option<Frame<'s>> {
        Some(self.side.derived.trace()?.frame(Cycle(self.cycle)))
    }

    /// A view's picture at the current cycle.
    pub fn picture(&self, view: View, size: Size) -> Option<Scene> {
        if self.session.playground(view).is_some() {
            return self.play_picture(view, size);
        }
        if view == View::Compare {
            return (self.session.is_comparing()).then(|| scene::compare(&self.session.comparison(), size));
        }
        let (frame, state) = (self.frame()?, &self.state);
        let mut scene = match view {
            View::Sm => scene::sm(&frame, state, size),
            View::Timeline => scene::timeline(&frame, state, size),
            View::Stalls => scene::stalls(&frame, state, size),
            View::Banks => scene::banks(&frame, state, size),
            View::Coalescing => scene::coalescing(&frame, state, size),
            View::Carveout => scene::carveout(&frame, state, size, &self.session.combination_runs()),
            View::Registers => scene::registers(&frame, state, size),
            View::Source => scene::source(&frame, state, size),
            View::Occupancy => scene::occupancy(&frame, state, size),
            View::Divergence => scene::divergence(&frame, state, size),
            View::Caches => scene::caches(&frame, state, size),
            View::Compare | View::Checks => return None,
        };
        scene::mark(&mut scene, &self.session.marks(self.idx, view));
        Some(scene)
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

    /// The tooltip of a target: its name and state, and the reason.
    pub fn tooltip(&self, target: Target) -> Option<(String, String)> {
        if let Some(playground) = self.session.shown_playground() {
            let options = self.side.setup.machine.memory();
            return scene::playground_tooltip(playground, self.side.arch(), options, target);
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
            View::Divergence => scene::divergence_lane_tooltip(&frame, &self.state, target),
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

    /// The scenario's name, or else its kernel's name.
    pub fn name(&self) -> String {
        self.ui.name.clone().unwrap_or_else(|| self.kernel_name())
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
            View::Checks => View::Source,
            _ => View::Timeline,
        }
    }

    /// The kernel's name.
    pub fn kernel_name(&self) -> String {
        let program = self.derived().program().filter(|_| self.setup().source.is_some());
        program.map_or_else(
            || self.setup().library_kernel().id.to_owned(),
            |program| program.name.clone(),
        )
    }

    /// Architecture and launch configuration in one line.
    pub fn launch_line(&self) -> String {
        let launch = self.setup().launch();
        let blocks = launch.grid.iter().map(|extent| u64::from(*extent)).product();
        let threads: u64 = launch.block.iter().map(|extent| u64::from(*extent)).product();
        let name = if self.is_comparing() {
            self.sides_line()
        } else {
            self.arch().name.to_owned()
        };
        format!("{name}, {} of {}", counted(blocks, "block"), thousands(threads))
    }

    /// The name of a file saved from the current view.
    pub(super) fn file_name(&self, extension: &str) -> String {
        if self.shown_playground().is_some() {
            return format!(
                "warpscope-playground-{}-{}.{extension}",
                self.setup().arch.text(),
                self.active_view().id()
            );
        }
        format!(
            "warpscope-{}-{}-{}-cycle-{}.{extension}",
            self.setup().kernel,
            self.setup().arch.text(),
            self.active_view().id(),
            self.cycle()
        )
    }

    /// Whether each lane of a warp has its own program counter.
    pub fn has_independent_threads(&self) -> bool {
        self.arch().has_independent_threads()
    }

    /// Whether 32-bit pointers are selectable; chips of the first generation support only one size.
    pub fn has_pointer_choice(&self) -> bool {
        self.arch().compute_capability.major >= 2
    }

    /// Whether the host can choose the bank width of shared memory.
    pub fn has_bank_choice(&self) -> bool {
        self.arch().memory.eight_byte_banks.is_some()
    }

    /// The carveout, if it is configurable.
    pub fn carveout(&self) -> Option<Split> {
        let arch = self.arch();
        let sizes = arch.occupancy.carveouts_kib.value;
        if sizes.len() < 2 {
            return None;
        }
        let occupancy = self.derived().occupancy();
        let set = self
            .setup()
            .machine
            .carveout_kib
            .and_then(|kib| u16::try_from(kib).ok());
        let wanted = occupancy.map(|occupancy| occupancy.shared_kib).or(set);
        let idx = sizes
            .iter()
            .position(|kib| Some(*kib) == wanted)
            .unwrap_or(sizes.len() - 1);
        let largest = sizes[sizes.len() - 1];
        let total = match arch.memory.l1.as_ref().map(|l1| l1.capacity.value) {
            Some(L1Capacity::Unified(total)) => total,
            Some(L1Capacity::Fixed(_)) | None => largest,
        };
        let used = occupancy.map_or(0, |occupancy| {
            occupancy.blocks_per_sm * occupancy.allocated_shared_per_block
        });
        Some(Split {
            total_kib: f32::from(total.max(largest)),
            sizes: sizes.to_vec(),
            idx,
            shared_kib: sizes[idx],
            used_kib: used as f32 / 1024.0,
        })
    }

    /// The number of resident warps, and the limiting resources.
    pub fn occupancy_text(&self) -> Option<(String, String)> {
        let occupancy = self.derived().occupancy()?;
        let warps = occupancy.warps_per_sm();
        let rest = if warps == occupancy.max_warps_per_sm {
            " warps, full".to_owned()
        } else {
            let limits: Vec<&str> = occupancy.limiters().map(engine::arch::Limiter::text).collect();
            format!(" warps, limited by {}", limits.join(" and "))
        };
        Some((format!("{warps} of {}", occupancy.max_warps_per_sm), rest))
    }

    /// Whether the active pane's picture shows a program that differs from the current source.
    pub fn is_stale(&self) -> bool {
        self.shown().is_stale_in(self.active_view())
    }

    /// The line with a compile error.
    pub fn broken_line(&self) -> Option<u32> {
        if self.shown_playground().is_some() {
            return None;
        }
        let problem = self.derived().problems.iter().find(|problem| problem.fatal)?;
        problem.span.map(|span| span.line)
    }

    /// The sentence above the active pane's picture.
    pub fn sentence(&self, scene: Option<&Scene>) -> String {
        self.shown().sentence_in(self.active_view(), scene)
    }

    /// The sentence in place of the active pane's missing picture.
    pub fn empty_sentence(&self) -> String {
        self.shown().empty_sentence_in(self.active_view())
    }

    /// How the shown run ended, unless it finished normally.
    pub fn outcome_sentence(&self) -> Option<String> {
        if self.shown_playground().is_some() {
            return None;
        }
        let trace = self.derived().trace()?;
        let cycle = thousands(trace.last_cycle().0);
        match trace.outcome()? {
            Outcome::Finished => self.derived().finding().map(str::to_owned),
            Outcome::CycleBudget => Some(format!(
                "The run stopped at cycle {cycle}: it reached the cycle limit."
            )),
            Outcome::MemoryBudget => Some(format!(
                "The run stopped at cycle {cycle}: its trace reached the memory limit."
            )),
            Outcome::Fault(fault) if fault.kind.is_livelock() => Some(format!(
                "The run stopped in cycle {}: it would never end. {}",
                thousands(fault.cycle.0),
                fault.message
            )),
            Outcome::Fault(fault) => Some(format!(
                "The run ended with a fault in cycle {}. {}",
                thousands(fault.cycle.0),
                fault.message
            )),
            Outcome::Deadlock { reason, .. } => Some(format!(
                "The run ended in cycle {cycle} with a deadlock. {reason}"
            )),
        }
    }

    /// The text beside the cycle.
    pub fn cycle_note(&self) -> String {
        if self.derived().trace().is_none() && !self.derived().is_running() {
            return "no run yet".to_owned();
        }
        let cycles = thousands(self.derived().num_cycles());
        if self.derived().is_held() {
            return format!("stopped after {cycles}");
        }
        let stride = self.playback.stride();
        match (self.derived().is_running(), stride) {
            (true, _) => format!(
                "simulating, {} so far",
                thousands(self.derived().simulated_cycles())
            ),
            (false, 0 | 1) => format!("of {cycles} cycles"),
            (false, stride) => format!("of {cycles}, 1 in {stride} shown"),
        }
    }

    /// The label of the button for the warp's next event.
    pub fn next_of_warp_text(&self) -> String {
        match self.derived().warp_name(self.slot(), self.cycle()) {
            Some(name) => format!("Next of {name}"),
            None => "Next of warp".to_owned(),
        }
    }

    /// The inputs of the picture of the whole run.
    pub fn strip_key(&self, size: Size) -> (PictureKey, f32, u64) {
        let view = if self.shows(View::Timeline) {
            View::Timeline
        } else {
            View::Sm
        };
        (
            self.shown().picture_key(view, size),
            self.width_of(view),
            self.clock(),
        )
    }

    /// A view's rows of options.
    pub fn controls(&self, view: View) -> Vec<Control> {
        let settings = &self.ui.state.settings;
        match view {
            View::Banks | View::Coalescing => {
                let mut rows = vec![self.play_control()];
                if self.ui.playground.is_none() {
                    rows.extend(self.request_controls(view));
                }
                rows.extend((view == View::Banks).then(|| self.bank_control()).flatten());
                rows
            }
            View::Registers => scene::register_controls(self.shown().frame().as_ref(), settings)
                .into_iter()
                .map(|control| control.map(Choice::Set))
                .collect(),
            View::Source => {
                let width = self.width_of(view);
                let shown = settings.code.in_width(width);
                // A phone has no room for both.
                let room = |part: &CodePart| part.in_width(width) == *part;
                let parts = CodePart::ALL.into_iter().filter(room);
                let parts = parts.map(|part| (part.name(), Choice::Set(Setting::Code(part)), part == shown));
                vec![
                    control(
                        "counters",
                        "Counters",
                        Counters::ALL.map(|counters| {
                            let chosen = counters == settings.counters;
                            (counters.id(), Choice::Set(Setting::Counters(counters)), chosen)
                        }),
                    ),
                    control("code", "Show", parts),
                ]
            }
            View::Divergence => self.divergence_controls(),
            View::Caches => self.cache_controls(),
            View::Carveout if !self.is_comparing() => self.sweep_controls(),
            View::Compare if self.is_comparing() => vec![self.period_control()],
            View::Stalls => vec![
                control(
                    "by",
                    "By",
                    Breakdown::ALL.map(|by| {
                        (
                            by.id(),
                            Choice::Set(Setting::Breakdown(by)),
                            by == settings.breakdown,
                        )
                    }),
                ),
                self.period_control(),
            ],
            _ => Vec::new(),
        }
    }

    /// The rows of lanes, and, if no warp of the run diverges, example kernels with divergence.
    fn divergence_controls(&self) -> Vec<Control> {
        let settings = &self.ui.state.settings;
        let rows = LaneRows::ALL.map(|rows| {
            (
                rows.id(),
                Choice::Set(Setting::LaneRows(rows)),
                rows == settings.lane_rows,
            )
        });
        let zoom = LaneZoom::ALL.map(|zoom| {
            (
                zoom.id(),
                Choice::Set(Setting::LaneZoom(zoom)),
                zoom == settings.lane_zoom,
            )
        });
        let mut controls = vec![control("rows", "Rows", rows), control("weave", "Zoom", zoom)];
        if self.shown().frame().is_some_and(|frame| scene::is_whole(&frame)) {
            let kernels = scene::DIVERGENT_KERNELS
                .iter()
                .map(|(id, name)| (*name, Choice::Kernel(id), false));
            controls.push(control("kernel", "Kernels with divergence", kernels));
        }
        controls
    }

    /// The bank width, if the host can choose it.
    fn bank_control(&self) -> Option<Control> {
        let now = self.setup().machine.bank_size;
        let options = BankSize::ALL.map(|size| {
            let name = match size {
                BankSize::FourByte => "4 bytes",
                BankSize::EightByte => "8 bytes",
            };
            (name, Choice::BankSize(size), size == now)
        });
        self.has_bank_choice()
            .then(|| control("banks", "Bank width", options))
    }

    /// The choice of cache, and, if the architecture leaves it to the compiler, whether global loads are cached in
    /// L1.
    fn cache_controls(&self) -> Vec<Control> {
        let shown = self.ui.state.settings.cache;
        let has_texture = self.arch().memory.texture.is_some();
        let kinds = MemoryPart::ALL
            .into_iter()
            .filter(|part| has_texture || *part != MemoryPart::Texture || shown == *part)
            .map(|part| (part.name(), Choice::Set(Setting::Cache(part)), part == shown));
        let mut controls = vec![control("cache", "Show", kinds)];
        let l1 = self.arch().memory.l1.as_ref();
        let is_open = l1.is_some_and(|l1| l1.globals_can_opt_in.value || l1.globals_can_opt_out.value);
        if is_open && shown == MemoryPart::L1 {
            let chosen = self.setup().machine.load_caching.in_l1(self.arch());
            let options = [
                ("cached in L1 (-dlcm=ca)", Choice::Dlcm(LoadCaching::Ca), chosen),
                ("L2 only (-dlcm=cg)", Choice::Dlcm(LoadCaching::Cg), !chosen),
            ];
            controls.push(control("dlcm", "Global loads", options));
        }
        if shown == MemoryPart::Device {
            let kernels = scene::STREAM_KERNELS
                .iter()
                .map(|(id, name)| (*name, Choice::Kernel(id), false));
            controls.push(control("kernel", "Kernels that copy", kernels));
        }
        controls
    }

    /// The cycles that a view covers.
    fn period_control(&self) -> Control {
        control(
            "of",
            "Of",
            Period::ALL
                .into_iter()
                // Without a range, the range is not selectable.
                .filter(|of| *of != Period::Range || self.range().is_some())
                .map(|of| {
                    let chosen = self.view_state().period() == of;
                    (of.name(), Choice::Set(Setting::Period(of)), chosen)
                }),
        )
    }

    /// The picture of the whole run, without the overlay.
    pub fn strip_run(&self, size: Size) -> Option<Scene> {
        if self.is_comparing() {
            return Some(self.compare_strip(size));
        }
        Some(scene::strip_run(&self.shown().frame()?, &self.view_state(), size))
    }

    /// The inputs of [`Session::strip_run`].
    pub fn strip_run_key(&self, size: Size) -> StripKey {
        if self.is_comparing() {
            let scale = self.strip_part(size.width);
            let drawn = 4 * self.active_side() as u64 + self.ui.compare.sync as u64;
            return ((self.runs_number(), drawn), scale.start, scale.end, size);
        }
        let scale = self.strip_part(size.width);
        (self.derived().run_key(), scale.start, scale.end, size)
    }

    /// The overlay of the picture of the whole run.
    pub fn strip_marks(&self, size: Size) -> Option<Scene> {
        if self.is_comparing() {
            return Some(self.compare_marks(size));
        }
        let frame = self.shown().frame()?;
        let mut state = self.view_state();
        state.window = self.timeline_window();
        let note = self.shows(View::Timeline).then(|| {
            TimelineScale::new(&frame, &self.view_state(), self.width_of(View::Timeline)).shown_cycles(&frame)
        });
        Some(Scene {
            note: note.unwrap_or_default(),
            ..scene::strip_marks(&frame, &state, size)
        })
    }

    /// The cycles that the Timeline shows, if it is on the stage: the first cycle, and the cycle after the
    /// last.
    pub fn timeline_window(&self) -> Option<(Cycle, Cycle)> {
        let (scale, _) = self
            .shows(View::Timeline)
            .then(|| self.derived().timeline_scale(self))??;
        Some((Cycle(scale.start), Cycle(scale.end)))
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
            View::Carveout => scene::inspect_carveout(&frame, &self.combination_runs()),
            _ => warp(),
        })
    }

    fn active_picture(&self) -> Option<Scene> {
        let size = Size {
            width: self.ui.widths[self.active().idx()],
            height: 600.0,
        };
        self.shown().picture(self.active_view(), size)
    }

    /// The picture's sentence, for screen readers.
    pub(super) fn sentence_of_picture(&self) -> String {
        let sentence = self.sentence(self.active_picture().as_ref());
        format!("Cycle {}. {sentence}", thousands(self.cycle()))
    }

    /// The picture's table, as comma-separated values.
    pub(super) fn csv(&self) -> String {
        let Some(scene) = self.active_picture() else {
            return String::new();
        };
        let quoted = |cell: &String| {
            if cell.contains([',', '"', '\n']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        let text = |table: &scene::Table| -> String {
            std::iter::once(&table.columns)
                .chain(&table.rows)
                .map(line)
                .collect()
        };
        let further = scene.also.iter().map(|(_, table)| format!("\n{}", text(table)));
        text(&scene.table) + &further.collect::<String>()
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

/// See [`Session::strip_run_key`]: run, first shown cycle, cycle after the last shown cycle, size.
pub type StripKey = (RunKey, u64, u64, Size);

/// See [`ShownSide::picture_key`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureKey {
    run: RunKey,
    cycle: u64,
    view: View,
    state: ViewState,
    size: Size,
    play: Option<PlayKey>,
    compared: ComparedKey,
    /// Results of the runs of combinations.
    sweep: u64,
}
