//! What the page says in words and numbers, made from the session.

use super::RunKey;
use super::Session;
use super::compare::ComparedKey;
use super::padding::with_padding;
use super::playground::PlayKey;
use crate::scene::{
    self, Breakdown, Chart, Choice, CodePart, Control, ControlOption, Counters, Inspection, LaneRows,
    LaneZoom, MemoryPart, Period, Scene, Size, Target, TimelineScale, ViewState, counted, thousands,
};
use crate::share::View;
use engine::arch::{Architecture, BankSize, L1Capacity, architecture};
use engine::files;
use engine::ids::{Cycle, SlotIdx};
use engine::isa::{Symbol, SymbolSpace};
use engine::sim::{FaultKind, LoadCaching, Outcome};
use engine::trace::Frame;

/// How the on-chip memory is split, for machines that have a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// L1 and shared memory together, in KiB.
    pub total_kib: f32,
    /// Sizes of shared memory that can be set, smallest first.
    pub sizes: Vec<u16>,
    /// Which of them is set.
    pub idx: usize,
    /// Its size.
    pub shared_kib: u16,
    /// Shared memory that resident blocks hold, in KiB.
    pub used_kib: f32,
}

impl Session {
    /// The architecture that is chosen.
    pub fn arch(&self) -> &'static Architecture {
        architecture(self.scenario.arch)
    }

    /// The name that the user gave the scenario, or its kernel's.
    pub fn name(&self) -> String {
        self.scenario.name.clone().unwrap_or_else(|| self.kernel_name())
    }

    /// The view that is shown beside the active one when the stage is split: the weave beside a place,
    /// the place beside the weave.
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
        let program = self.derived.program().filter(|_| self.scenario.source.is_some());
        program.map_or_else(
            || self.scenario.library_kernel().id.to_owned(),
            |program| program.name.clone(),
        )
    }

    /// Architecture and launch in a line.
    pub fn launch_line(&self) -> String {
        let launch = self.scenario.launch();
        let blocks = launch.grid.iter().map(|extent| u64::from(*extent)).product();
        let threads: u64 = launch.block.iter().map(|extent| u64::from(*extent)).product();
        let name = if self.is_comparing() {
            self.sides_line()
        } else {
            self.arch().name.to_owned()
        };
        format!("{name}, {} of {}", counted(blocks, "block"), thousands(threads))
    }

    /// The name of a file about what is shown.
    pub(super) fn file_name(&self, extension: &str) -> String {
        if self.shown_playground().is_some() {
            return format!(
                "warpscope-playground-{}-{}.{extension}",
                self.scenario.arch.text(),
                self.active_view().id()
            );
        }
        format!(
            "warpscope-{}-{}-{}-cycle-{}.{extension}",
            self.scenario.kernel,
            self.scenario.arch.text(),
            self.active_view().id(),
            self.playback.cycle
        )
    }

    /// Whether lanes of a warp have program counters of their own.
    pub fn has_independent_threads(&self) -> bool {
        self.arch().has_independent_threads()
    }

    /// Whether pointers can have 32 bits in place of 64: chips of the first generation have no choice.
    pub fn has_pointer_choice(&self) -> bool {
        self.arch().compute_capability.major >= 2
    }

    /// Whether the host can choose the size of shared memory's banks.
    pub fn has_bank_choice(&self) -> bool {
        self.arch().memory.eight_byte_banks.is_some()
    }

    /// The carveout, where there is a choice.
    pub fn carveout(&self) -> Option<Split> {
        let arch = self.arch();
        let sizes = arch.occupancy.carveouts_kib.value;
        if sizes.len() < 2 {
            return None;
        }
        let occupancy = self.derived.occupancy();
        let set = self
            .scenario
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

    /// Resident warps in numbers, and what limits them in words.
    pub fn occupancy_text(&self) -> Option<(String, String)> {
        let occupancy = self.derived.occupancy()?;
        let warps = occupancy.warps_per_sm();
        let rest = if warps == occupancy.max_warps_per_sm {
            " warps, full".to_owned()
        } else {
            let limits: Vec<&str> = occupancy.limiters().map(engine::arch::Limiter::text).collect();
            format!(" warps, limited by {}", limits.join(" and "))
        };
        Some((format!("{warps} of {}", occupancy.max_warps_per_sm), rest))
    }

    /// Whether the picture that has the keyboard is of a program that the text no longer is.
    pub fn is_stale(&self) -> bool {
        self.is_stale_in(self.active_view())
    }

    /// Whether a view's picture is of a program that the text no longer is.
    pub fn is_stale_in(&self, view: View) -> bool {
        if view == View::Compare {
            return false;
        }
        if self.playground(view).is_some() {
            return self.play.mistake.is_some();
        }
        self.derived.problems.iter().any(|problem| problem.fatal)
    }

    /// Whether a view's picture is of the run before the one that is wanted, or of a cycle before the
    /// one that is, because that is not simulated yet.
    pub fn shows_former_in(&self, view: View) -> bool {
        self.playground(view).is_none() && (!self.derived.shows_wanted() || self.awaits_cycle())
    }

    /// The line that does not compile.
    pub fn broken_line(&self) -> Option<u32> {
        if self.shown_playground().is_some() {
            return None;
        }
        let problem = self.derived.problems.iter().find(|problem| problem.fatal)?;
        problem.span.map(|span| span.line)
    }

    /// The sentence over the picture that has the keyboard.
    pub fn sentence(&self, scene: Option<&Scene>) -> String {
        self.sentence_in(self.active_view(), scene)
    }

    /// The sentence over a view's picture: what is wrong, or what the picture shows.
    pub fn sentence_in(&self, view: View, scene: Option<&Scene>) -> String {
        if self.playground(view).is_some() {
            return self.play_sentence(view);
        }
        // A side that cannot run says so in its place.
        if view == View::Compare && scene.is_some() {
            return scene.map_or_else(String::new, |scene| scene.headline.clone());
        }
        if let Some(problem) = self.derived.problems.iter().find(|problem| problem.fatal) {
            return match problem.span {
                Some(span) if span.line > 0 => {
                    format!(
                        "{} does not compile: {}",
                        scene::capital(&files::line_text(self.scenario.source(), span.line)),
                        problem.message
                    )
                }
                _ => problem.message.clone(),
            };
        }
        if self.awaits_cycle() && scene.is_some() {
            return format!(
                "Cycle {} is not simulated yet: the picture is of cycle {}.",
                thousands(self.playback.cycle),
                thousands(self.last_cycle())
            );
        }
        scene.map_or_else(|| self.empty_sentence_in(view), |scene| scene.headline.clone())
    }

    /// What stands in the frame of a picture that is not there yet.
    pub fn empty_sentence(&self) -> String {
        self.empty_sentence_in(self.active_view())
    }

    /// What stands in the frame of a view's picture that is not there yet.
    pub fn empty_sentence_in(&self, view: View) -> String {
        if self.playground(view).is_some() {
            return "Mend the expression, and its passes appear here.".to_owned();
        }
        if view == View::Compare {
            return "Choose what runs beside this: all panes have one clock.".to_owned();
        }
        if view == View::Checks {
            return self.checks_sentence(self.active_side());
        }
        if self.is_stale_in(view) {
            return "Mend the kernel or the launch, and its run appears here.".to_owned();
        }
        if self.derived.is_compiling() {
            return "Compiling the kernel…".to_owned();
        }
        format!("Simulating, cycle {}", thousands(self.derived.simulated_cycles()))
    }

    /// How the run that is shown ended, where it did not just finish.
    pub fn outcome_sentence(&self) -> Option<String> {
        if self.shown_playground().is_some() {
            return None;
        }
        let trace = self.derived.trace()?;
        let cycle = thousands(trace.last_cycle().0);
        match trace.outcome()? {
            Outcome::Finished => self.derived.finding().map(str::to_owned),
            Outcome::CycleBudget => Some(format!(
                "The run was stopped at cycle {cycle}: that is its budget of cycles."
            )),
            Outcome::MemoryBudget => Some(format!(
                "The run was stopped at cycle {cycle}: its record takes no more memory."
            )),
            Outcome::Fault(fault) if fault.kind == FaultKind::Livelock => Some(format!(
                "The run was stopped in cycle {}, as it would never end. {}",
                thousands(fault.cycle.0),
                fault.message
            )),
            Outcome::Fault(fault) => Some(format!(
                "The run ends with a fault in cycle {}. {}",
                thousands(fault.cycle.0),
                fault.message
            )),
            Outcome::Deadlock { reason, .. } => Some(format!(
                "The run ends in cycle {cycle}: nothing can happen any more. {reason}"
            )),
        }
    }

    /// What stands beside the cycle.
    pub fn cycle_note(&self) -> String {
        if self.derived.trace().is_none() && !self.derived.is_running() {
            return "no run yet".to_owned();
        }
        let cycles = thousands(self.derived.num_cycles());
        if self.derived.is_held() {
            return format!("stopped after {cycles}");
        }
        let stride = self.playback.stride();
        match (self.derived.is_running(), stride) {
            (true, _) => format!(
                "simulating, {} so far",
                thousands(self.derived.simulated_cycles())
            ),
            (false, 0 | 1) => format!("of {cycles} cycles"),
            (false, stride) => format!("of {cycles}, 1 in {stride} drawn"),
        }
    }

    /// What the button to the next event of the warp says.
    pub fn next_of_warp_text(&self) -> String {
        match self.derived.warp_name(self.slot(), self.playback.cycle) {
            Some(name) => format!("Next of {name}"),
            None => "Next of warp".to_owned(),
        }
    }

    /// What a picture of this size is made from: an equal key means an equal picture.
    pub fn picture_key(&self, view: View, size: Size) -> PictureKey {
        PictureKey {
            run: self.derived.run_key(),
            cycle: self.playback.cycle,
            view,
            state: self.view,
            size,
            play: self.play_key(view),
            compared: self.compared_key(view),
            sweep: if view == View::Carveout {
                self.sweep_revision()
            } else {
                0
            },
        }
    }

    /// What the picture of the whole run is made from.
    pub fn strip_key(&self, size: Size) -> (PictureKey, f32, u64) {
        let view = if self.shows(View::Timeline) {
            View::Timeline
        } else {
            View::Sm
        };
        (self.picture_key(view, size), self.width_of(view), self.clock())
    }

    pub(super) fn frame(&self) -> Option<Frame<'_>> {
        Some(self.derived.trace()?.frame(Cycle(self.playback.cycle)))
    }

    /// A view's picture at the present cycle.
    pub fn picture(&self, view: View, size: Size) -> Option<Scene> {
        if self.playground(view).is_some() {
            return self.play_picture(view, size);
        }
        if view == View::Compare {
            return self
                .is_comparing()
                .then(|| scene::compare(&self.comparison(), size));
        }
        let (frame, state) = (self.frame()?, &self.view);
        let mut scene = match view {
            View::Sm => scene::sm(&frame, state, size),
            View::Timeline => scene::timeline(&frame, state, size),
            View::Stalls => scene::stalls(&frame, state, size),
            View::Banks => scene::banks(&frame, state, size),
            View::Coalescing => scene::coalescing(&frame, state, size),
            View::Carveout => scene::carveout(&frame, state, size, &self.combination_runs()),
            View::Registers => scene::registers(&frame, state, size),
            View::Source => scene::source(&frame, state, size),
            View::Occupancy => scene::occupancy(&frame, state, size),
            View::Divergence => scene::divergence(&frame, state, size),
            View::Caches => scene::caches(&frame, state, size),
            View::Compare | View::Checks => return None,
        };
        scene::mark(&mut scene, &self.marks(view));
        Some(scene)
    }

    /// A view's plots, under its picture.
    pub fn charts(&self, view: View) -> Vec<Chart> {
        let Some(trace) = self.derived.trace() else {
            return Vec::new();
        };
        match view {
            View::Occupancy => scene::occupancy_charts(trace),
            View::Carveout => scene::carveout_charts(trace, &self.combination_runs()),
            _ => Vec::new(),
        }
    }

    /// A view's rows of choices.
    pub fn controls(&self, view: View) -> Vec<Control> {
        let settings = &self.view.settings;
        match view {
            View::Banks | View::Coalescing => {
                let mut rows = vec![self.play_control()];
                if self.scenario.playground.is_none() {
                    rows.extend(self.request_controls(view));
                }
                rows.extend((view == View::Banks).then(|| self.bank_control()).flatten());
                rows
            }
            View::Registers => scene::register_controls(self.frame().as_ref(), &self.view.settings),
            View::Source => {
                let width = self.width_of(view);
                let shown = settings.code.in_width(width);
                // On a phone there is no room for both.
                let room = |part: &CodePart| part.in_width(width) == *part;
                let parts = CodePart::ALL.into_iter().filter(room);
                let parts = parts.map(|part| (part.name(), Choice::Code(part), part == shown));
                vec![
                    control(
                        "counters",
                        "Counters",
                        Counters::ALL.map(|counters| {
                            let chosen = counters == settings.counters;
                            (counters.id(), Choice::Counters(counters), chosen)
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
                    Breakdown::ALL.map(|by| (by.id(), Choice::Breakdown(by), by == settings.breakdown)),
                ),
                self.period_control(),
            ],
            _ => Vec::new(),
        }
    }

    /// The rows of lanes; and where no warp of the run is split, kernels in which some are.
    fn divergence_controls(&self) -> Vec<Control> {
        let settings = &self.view.settings;
        let rows = LaneRows::ALL.map(|rows| (rows.id(), Choice::LaneRows(rows), rows == settings.lane_rows));
        let zoom = LaneZoom::ALL.map(|zoom| (zoom.id(), Choice::LaneZoom(zoom), zoom == settings.lane_zoom));
        let mut controls = vec![control("rows", "Rows", rows), control("weave", "Zoom", zoom)];
        if self.frame().is_some_and(|frame| scene::is_whole(&frame)) {
            let kernels = scene::DIVERGENT_KERNELS
                .iter()
                .map(|(id, name)| (*name, Choice::Kernel(id), false));
            controls.push(control("kernel", "Kernels that diverge", kernels));
        }
        controls
    }

    /// How large banks are, where the host can choose it.
    fn bank_control(&self) -> Option<Control> {
        let now = self.scenario.machine.bank_size;
        let options = BankSize::ALL.map(|size| {
            let name = match size {
                BankSize::FourByte => "4 bytes",
                BankSize::EightByte => "8 bytes",
            };
            (name, Choice::BankSize(size), size == now)
        });
        self.has_bank_choice()
            .then(|| control("banks", "Banks of", options))
    }

    /// Which cache; and where the architecture leaves it to the compiler, whether global loads go through
    /// L1.
    fn cache_controls(&self) -> Vec<Control> {
        let shown = self.view.settings.cache;
        let has_texture = self.arch().memory.texture.is_some();
        let kinds = MemoryPart::ALL
            .into_iter()
            .filter(|part| has_texture || *part != MemoryPart::Texture || shown == *part)
            .map(|part| (part.name(), Choice::Cache(part), part == shown));
        let mut controls = vec![control("cache", "Show", kinds)];
        let l1 = self.arch().memory.l1.as_ref();
        let is_open = l1.is_some_and(|l1| l1.globals_can_opt_in.value || l1.globals_can_opt_out.value);
        if is_open && shown == MemoryPart::L1 {
            let chosen = self.scenario.machine.load_caching.in_l1(self.arch());
            let options = [
                ("through L1 (-dlcm=ca)", Choice::Dlcm(LoadCaching::Ca), chosen),
                ("past it (-dlcm=cg)", Choice::Dlcm(LoadCaching::Cg), !chosen),
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

    /// Of which cycles a view speaks.
    fn period_control(&self) -> Control {
        control(
            "of",
            "Of",
            Period::ALL
                .into_iter()
                // Without a range there is none to speak of.
                .filter(|of| *of != Period::Range || self.view.range.is_some())
                .map(|of| {
                    let chosen = self.view.period() == of;
                    (of.name(), Choice::Period(of), chosen)
                }),
        )
    }

    /// The picture of the whole run, without what moves over it.
    pub fn strip_run(&self, size: Size) -> Option<Scene> {
        if self.is_comparing() {
            return Some(self.compare_strip(size));
        }
        Some(scene::strip_run(&self.frame()?, &self.view, size))
    }

    /// What [`Session::strip_run`] is made from.
    pub fn strip_run_key(&self, size: Size) -> StripKey {
        if self.is_comparing() {
            let scale = self.strip_part(size.width);
            let drawn = 4 * self.active_side() as u64 + self.sides.sync as u64;
            return ((self.runs_number(), drawn), scale.start, scale.end, size);
        }
        let scale = self.strip_part(size.width);
        (self.derived.run_key(), scale.start, scale.end, size)
    }

    /// What lies over the picture of the whole run.
    pub fn strip_marks(&self, size: Size) -> Option<Scene> {
        if self.is_comparing() {
            return Some(self.compare_marks(size));
        }
        let frame = self.frame()?;
        let mut state = self.view;
        state.window = self.timeline_window();
        let note = self
            .shows(View::Timeline)
            .then(|| TimelineScale::new(&frame, &self.view, self.width_of(View::Timeline)).sentence(&frame));
        Some(Scene {
            note: note.unwrap_or_default(),
            ..scene::strip_marks(&frame, &state, size)
        })
    }

    /// The cycles that the Timeline shows, where it is on the stage: the first, and the one after the
    /// last.
    pub fn timeline_window(&self) -> Option<(Cycle, Cycle)> {
        let (scale, _) = self
            .shows(View::Timeline)
            .then(|| self.derived.timeline_scale(self))??;
        Some((Cycle(scale.start), Cycle(scale.end)))
    }

    /// The explanation of what is selected.
    pub fn inspection(&self) -> Option<Inspection> {
        if let Some(playground) = self.shown_playground() {
            let options = self.scenario.machine.memory();
            return Some(scene::inspect_playground(
                playground,
                self.arch(),
                options,
                &self.view,
            ));
        }
        let frame = self.frame()?;
        if let (View::Timeline, Some((from, to))) = (self.active_view(), self.view.range) {
            return Some(scene::inspect_range(&frame, from, to));
        }
        let warp = || scene::inspect_warp(&frame, SlotIdx(self.slot()));
        Some(match self.active_view() {
            View::Banks => scene::inspect_banks(&frame, &self.view),
            View::Coalescing => scene::inspect_coalescing(&frame, &self.view),
            View::Registers => scene::inspect_registers(&frame, &self.view),
            View::Occupancy => scene::inspect_occupancy(&frame),
            View::Divergence => scene::inspect_divergence(&frame, &self.view),
            View::Caches => scene::inspect_caches(&frame, &self.view),
            View::Source => scene::inspect_code(&frame, &self.view).unwrap_or_else(warp),
            View::Stalls => scene::inspect_stalls(&frame, &self.view).unwrap_or_else(warp),
            View::Carveout => scene::inspect_carveout(&frame, &self.combination_runs()),
            _ => warp(),
        })
    }

    /// What a tooltip says of a thing: its name and state, and the reason.
    pub fn tooltip(&self, target: Target) -> Option<(String, String)> {
        if let Some(playground) = self.shown_playground() {
            let options = self.scenario.machine.memory();
            return scene::playground_tooltip(playground, self.arch(), options, target);
        }
        if let Target::Counter(idx) = target {
            let rows = scene::counter_rows(&self.comparison());
            return Some(rows.get(usize::from(idx))?.told());
        }
        let frame = self.frame()?;
        let own = match self.active_view() {
            View::Banks => scene::banks_tooltip(&frame, &self.view, target),
            View::Coalescing => scene::coalescing_tooltip(&frame, &self.view, target),
            View::Caches => scene::caches_tooltip(&frame, &self.view, target),
            View::Divergence => scene::divergence_lane_tooltip(&frame, &self.view, target),
            View::Carveout => match target {
                Target::Carveout(kib) => scene::carveout_tooltip(&frame, kib, &self.combination_runs()),
                Target::Combination(idx) => scene::combination_tooltip(&frame, idx, &self.combination_runs()),
                _ => None,
            },
            _ => None,
        };
        own.or_else(|| scene::tooltip(&frame, target))
    }

    fn active_picture(&self) -> Option<Scene> {
        let size = Size {
            width: self.widths[self.active().idx()],
            height: 600.0,
        };
        self.picture(self.active_view(), size)
    }

    /// The picture's sentence, for who does not see it.
    pub(super) fn sentence_of_picture(&self) -> String {
        let sentence = self.sentence(self.active_picture().as_ref());
        format!("Cycle {}. {sentence}", thousands(self.playback.cycle))
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

    /// The source with longer rows of the shared array that the Banks view shows.
    pub(super) fn padded(&self, words: u8) -> Option<String> {
        let frame = self.frame()?;
        let access = frame
            .trace()
            .access_detail(scene::shown_access(&frame, &self.view)?)?;
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
        with_padding(&self.text, &symbol.name, u32::from(words))
    }
}

/// A row of choices: names, what each does, and whether it is chosen.
pub(super) fn control(
    id: &'static str,
    label: &'static str,
    options: impl IntoIterator<Item = (&'static str, Choice, bool)>,
) -> Control {
    let option = |(name, choice, chosen): (&str, Choice, bool)| ControlOption {
        name: scene::capital(name),
        choice,
        chosen,
    };
    Control {
        id,
        label,
        options: options.into_iter().map(option).collect(),
    }
}

/// See [`Session::strip_run_key`]: run, first cycle shown, the one after the last, size.
pub type StripKey = (RunKey, u64, u64, Size);

/// See [`Session::picture_key`].
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
