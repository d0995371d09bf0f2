//! The state of the page: the sides with their runs, and the state that all sides share.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::advice::AdviceState;
use super::arithmetic::{ArithmeticState, Studies};
use super::cause::Causes;
use super::checks::Checks;
use super::compare::CounterCache;
use super::compiler::Toolchain;
use super::device::DeviceEngine;
use super::explain::Explained;
use super::form::Signature;
use super::host::HostCode;
use super::improvement::EndedRun;
use super::moments::Moments;
use super::sharing::Sharing;
use super::side_runs::SideRuns;
use super::streams::StreamsEngine;
use super::sweep::Sweep;
use super::tabs::TabsState;
use super::welcome::Welcome;
use super::{
    Derived, Effect, Event, FilesState, Glossary, History, JumpState, KEEP_PAUSE_MS, LINK_PAUSE_MS,
    LaunchField, LectureState, Lessons, Notices, OutputsState, PlayState, Playback, Speed, TOAST_MS, Theme,
    Tour, command_palette, recent,
};
use crate::playground::Playground;
use crate::scene::ViewState;
use crate::share::{
    Compare, Density, Layout, Order, OutputsLink, Pane, Panel, Scenario, Setup, Side, Sync, View, ViewLink,
};
use engine::arch::{Architecture, architecture};
use engine::ids::{Cycle, SlotIdx};

/// The first cycle of a range, and the cycle after its last.
pub type CycleRange = (Cycle, Cycle);

/// One side: its setup, its run, and the editor's state. Without a comparison there is one side.
#[derive(Debug)]
pub struct RunSide {
    /// The kernel, the launch, the options, and the architecture.
    pub setup: Setup,
    /// The state derived from the setup.
    pub derived: Derived,
    /// The editor's text, with all its files.
    pub text: String,
    /// Form fields with invalid text, with the text and the reason.
    pub drafts: BTreeMap<LaunchField, (String, String)>,
    /// The launches in the source's host code.
    pub(super) host: HostCode,
    /// The parameters and arguments before the changes that are being compiled.
    pub(super) signature: Option<Signature>,
}

impl RunSide {
    /// A side with this setup. The derived state may already contain a matching run.
    pub(super) fn new(setup: Setup, derived: Derived) -> Self {
        Self {
            text: setup.source().to_owned(),
            setup,
            derived,
            drafts: BTreeMap::new(),
            host: HostCode::default(),
            signature: None,
        }
    }

    /// The architecture.
    pub fn arch(&self) -> &'static Architecture {
        architecture(self.setup.arch)
    }

    /// The last known cycle of the run.
    pub fn last_cycle(&self) -> u64 {
        self.derived.num_cycles().saturating_sub(1)
    }

    /// Compiles the kernel and requests its run, if the setup changed.
    pub(super) fn follow(&mut self, toolchain: Option<Toolchain>) {
        self.derived.follow(&self.setup.alone(), toolchain);
    }
}

/// The settings of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareSettings {
    /// The alignment of the sides.
    pub sync: Sync,
    /// Whether changes of kernel, launch, or options apply to the active side only.
    pub apart: bool,
    /// Whether differences are marked.
    pub marks: bool,
    /// The reference side for ratios.
    pub reference: usize,
    /// The order of the counters.
    pub order: Order,
}

impl CompareSettings {
    /// The settings in a link.
    fn of(compare: &Compare) -> Self {
        Self {
            sync: compare.sync,
            apart: compare.apart,
            marks: compare.marks,
            reference: compare.reference.into(),
            order: compare.order,
        }
    }
}

impl Default for CompareSettings {
    fn default() -> Self {
        Self::of(&Compare::default())
    }
}

/// Selected cycles, and the side on which they were selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SelectedRange {
    pub(super) side: usize,
    pub(super) cycles: CycleRange,
}

/// The shared state: views, selection, and layout.
#[derive(Debug)]
pub struct Ui {
    /// The view on the stage.
    pub view: View,
    /// The second view, if the stage is split.
    pub split: Option<View>,
    /// The selection and the view settings. A side's range and window are added when the side is drawn: see
    /// [`Session::view_state`].
    pub state: ViewState,
    /// The selected cycles.
    pub(super) range: Option<SelectedRange>,
    /// Whether a pane shows its table instead of its picture.
    pub tables: [bool; 2],
    /// The first pane's share of the stage, in percent.
    pub share: u8,
    /// The left column: the setup panel.
    pub left: Side,
    /// The right column: the inspector.
    pub right: Side,
    /// The display density.
    pub density: Density,
    /// The open dialog or panel.
    pub panel: Option<Panel>,
    /// What the tabs open, and which views are under More.
    pub(super) tabs: TabsState,
    /// Colors.
    pub theme: Theme,
    /// Whether the system's theme is dark.
    pub is_system_dark: bool,
    /// The theme that the link sets for this visit.
    pub(super) link_theme: Theme,
    /// The settings of the comparison.
    pub compare: CompareSettings,
    /// The user's name for the scenario; `None`: the kernel's name.
    pub name: Option<String>,
    /// The access in the playground, shown instead of the run's accesses.
    pub playground: Option<Playground>,
    /// The playground's form.
    pub play: PlayState,
    /// The typed operation, shown instead of the run's in the Arithmetic view.
    pub operation: Option<String>,
    /// The Arithmetic view's form.
    pub arithmetic: ArithmeticState,
    /// The file in the editor.
    pub files: FilesState,
    /// Warnings about invalid parts of the link.
    pub warnings: Vec<String>,
    /// What this browser lacks, or could not keep.
    pub notices: Notices,
    /// The state of the outputs dialog.
    pub outputs: OutputsState,
    /// The state of the command palette.
    pub command_palette: command_palette::CommandPalette,
    /// The state of the search in the run.
    pub jump: JumpState,
    /// Recent scenarios on this device, most recent first.
    pub recent: Vec<recent::Recent>,
    /// The welcome in the inspector, as long as the page shows the run that it starts with.
    pub welcome: Option<Welcome>,
    /// Whether the run plays by itself, as on a first visit.
    pub plays_by_itself: bool,
    /// The open tour.
    pub tour: Option<Box<Tour>>,
    /// The lessons.
    pub lessons: Lessons,
    /// The chapters, the presenter, and the notes on the picture.
    pub lecture: LectureState,
    /// The Share dialog.
    pub sharing: Sharing,
    /// The glossary.
    pub glossary: Glossary,
    /// A message that is shown for a few seconds.
    pub toast: Option<String>,
    /// A button beside the message: its name, and its event.
    pub offer: Option<(String, Event)>,
    /// Width of each pane's picture in CSS pixels.
    pub widths: [f32; 4],
}

impl Default for Ui {
    fn default() -> Self {
        let Layout {
            tables,
            share,
            left,
            right,
            density,
            panel,
            ..
        } = Layout::default();
        Self {
            view: View::default(),
            split: None,
            state: selected(0),
            range: None,
            tables,
            share,
            left,
            right,
            density,
            panel,
            tabs: TabsState::default(),
            theme: Theme::default(),
            is_system_dark: false,
            link_theme: Theme::default(),
            compare: CompareSettings::default(),
            name: None,
            playground: None,
            play: PlayState::default(),
            operation: None,
            arithmetic: ArithmeticState::default(),
            files: FilesState::default(),
            warnings: Vec::new(),
            notices: Notices::default(),
            outputs: OutputsState::default(),
            command_palette: command_palette::CommandPalette::default(),
            jump: JumpState::default(),
            recent: Vec::new(),
            welcome: None,
            plays_by_itself: false,
            tour: None,
            lessons: Lessons::default(),
            lecture: LectureState::default(),
            sharing: Sharing::default(),
            glossary: Glossary::default(),
            toast: None,
            offer: None,
            widths: [832.0; 4],
        }
    }
}

/// The state of the page.
#[derive(Debug)]
pub struct Session {
    /// The sides: one, or up to four in a comparison.
    pub sides: Vec<RunSide>,
    /// The active pane. In a comparison its side is the active side.
    pub(super) active: Pane,
    /// The clock that all sides share.
    pub playback: Playback,
    /// The state that all sides share.
    pub ui: Ui,
    /// Undone and redoable scenarios.
    pub history: History,
    /// This thread's compiler, or `None` if requests go to another thread.
    pub(super) toolchain: Option<Toolchain>,
    pub(super) sweep: Sweep,
    pub(super) advice: AdviceState,
    pub(super) checks: Checks,
    pub(super) moments: Moments,
    pub(super) devices: SideRuns<DeviceEngine>,
    pub(super) streams: SideRuns<StreamsEngine>,
    pub(super) causes: Causes,
    /// Recently shown operations of the Arithmetic view.
    pub(super) studies: RefCell<Studies>,
    /// The counters of recently shown runs.
    pub(super) counters: RefCell<CounterCache>,
    /// The last explanation.
    pub(super) explained: RefCell<Explained>,
    /// What the strip showed before the magnifier opened.
    #[expect(
        clippy::option_option,
        reason = "without the magnifier; with it, over the whole run or a part"
    )]
    pub(super) magnified: Option<Option<(Cycle, u64)>>,
    /// The fraction of a cycle by which a drag has not moved the Timeline yet.
    pub(super) dragged: f64,
    pub(super) toast_ms: f64,
    /// The last run that finished.
    pub(super) last_end: Option<EndedRun>,
    pub(super) edit_ms: Option<f64>,
    /// Milliseconds since the last compilation, while further edits belong to the same undo step.
    pub(super) typed_ms: Option<f64>,
    pub(super) link_ms: Option<f64>,
    pub(super) keep_ms: Option<f64>,
    /// Whether a link has been opened.
    pub(super) opened: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session with the default scenario and no derived state, which compiles on this thread.
    pub fn new() -> Self {
        Self::with_toolchain(Some(Toolchain::HERE))
    }

    /// A session with the default scenario whose [`Session::requests`] another thread answers.
    pub fn remote() -> Self {
        Self::with_toolchain(None)
    }

    fn with_toolchain(toolchain: Option<Toolchain>) -> Self {
        let setup = Setup::of(&Scenario::default());
        Self {
            sides: vec![RunSide::new(setup, Derived::default())],
            active: Pane::First,
            playback: Playback::default(),
            ui: Ui::default(),
            history: History::default(),
            toolchain,
            sweep: Sweep::default(),
            advice: AdviceState::default(),
            checks: Checks::default(),
            moments: Moments::default(),
            devices: SideRuns::default(),
            streams: SideRuns::default(),
            causes: Causes::default(),
            studies: RefCell::default(),
            counters: RefCell::default(),
            explained: RefCell::default(),
            magnified: None,
            dragged: 0.0,
            toast_ms: 0.0,
            last_end: None,
            edit_ms: None,
            typed_ms: None,
            link_ms: None,
            keep_ms: None,
            opened: false,
        }
    }

    /// Whether several sides are compared.
    pub fn is_comparing(&self) -> bool {
        self.sides.len() > 1
    }

    /// Sides, at least one.
    pub fn num_sides(&self) -> usize {
        self.sides.len()
    }

    /// The active side's index.
    pub fn active_side(&self) -> usize {
        if self.is_comparing() { self.active.idx() } else { 0 }
    }

    /// The active side.
    pub fn side(&self) -> &RunSide {
        &self.sides[self.active_side()]
    }

    /// The active side, mutable.
    pub fn side_mut(&mut self) -> &mut RunSide {
        let idx = self.active_side();
        &mut self.sides[idx]
    }

    /// The active side's setup.
    pub fn setup(&self) -> &Setup {
        &self.side().setup
    }

    /// The active side's derived state.
    pub fn derived(&self) -> &Derived {
        &self.side().derived
    }

    /// The architecture of the active side.
    pub fn arch(&self) -> &'static Architecture {
        self.side().arch()
    }

    /// The shown cycle of the active side.
    pub fn cycle(&self) -> u64 {
        self.cycle_on(self.active_side())
    }

    /// The last known cycle of the active side.
    pub fn last_cycle(&self) -> u64 {
        self.side().last_cycle()
    }

    /// The theme on screen: the link's, or else the reader's.
    pub fn shown_theme(&self) -> Theme {
        match self.ui.link_theme {
            Theme::System => self.ui.theme,
            theme => theme,
        }
    }

    /// The slot of the selected warp.
    pub fn slot(&self) -> u16 {
        self.ui.state.slot.map_or(0, |slot| slot.0)
    }

    /// The selection and the view settings, for the active side.
    pub fn view_state(&self) -> ViewState {
        self.view_state_on(self.active_side())
    }

    /// The selection and the view settings, for a side.
    pub fn view_state_on(&self, idx: usize) -> ViewState {
        ViewState {
            range: self.range_of(idx),
            is_whole: self.is_presented(),
            ..self.ui.state
        }
    }

    /// The selected cycles, on the active side.
    pub fn range(&self) -> Option<CycleRange> {
        self.range_of(self.active_side())
    }

    /// Sets or clears the selected range of the active side.
    pub(super) fn set_range(&mut self, range: Option<CycleRange>) {
        let side = self.active_side();
        self.ui.range = range.map(|cycles| SelectedRange { side, cycles });
    }

    /// The contents of the current link. The link's main run is the first side's.
    pub fn link(&self) -> Scenario {
        let Setup {
            arch,
            kernel,
            source,
            entry,
            grid,
            block,
            dynamic_shared,
            args,
            symbols,
            compile,
            machine,
        } = self.sides[0].setup.clone();
        Scenario {
            arch,
            kernel,
            source,
            entry,
            grid,
            block,
            dynamic_shared,
            args,
            symbols,
            compile,
            machine,
            compare: self.is_comparing().then(|| self.compare_in_link()),
            playground: self.ui.playground.clone(),
            operation: self.ui.operation.clone(),
            view: self.ui.view,
            split: self.ui.split,
            cycle: self.clock(),
            warp: Some(self.slot()).filter(|slot| *slot != 0),
            look: self.view_link(),
            layout: self.layout_in_link(),
            name: self.ui.name.clone(),
            lesson: self.lesson_in_link(),
            notes: self.ui.lecture.notes.clone(),
            lecture: self.ui.lecture.link(),
            tour: self.ui.tour.as_ref().map(|tour| tour.step),
        }
    }

    /// The other sides of the comparison, and its settings.
    fn compare_in_link(&self) -> Compare {
        let CompareSettings {
            sync,
            apart,
            marks,
            reference,
            order,
        } = self.ui.compare;
        Compare {
            others: self.sides[1..].iter().map(|side| side.setup.clone()).collect(),
            sync,
            apart,
            marks,
            reference: reference as u8,
            order,
        }
    }

    /// The selection and the view settings.
    fn view_link(&self) -> ViewLink {
        let shows_outputs = self.ui.panel == Some(Panel::Outputs);
        let query = self.ui.jump.query;
        ViewLink {
            outputs: if shows_outputs {
                self.ui.outputs.look
            } else {
                OutputsLink::default()
            },
            finding: self.checks.chosen.filter(|_| self.shows(View::Checks)),
            jump: (query != JumpState::default().query).then_some(query),
            ..ViewLink::of(&self.view_state())
        }
    }

    /// The layout of the workbench.
    fn layout_in_link(&self) -> Layout {
        Layout {
            tables: self.ui.tables,
            active: self.active,
            share: self.ui.share,
            left: self.ui.left,
            right: self.ui.right,
            density: self.ui.density,
            theme: self.ui.link_theme,
            speed: self.playback.speed.cycles_per_second(),
            panel: self.ui.panel.filter(|panel| !panel.is_sheet()),
        }
    }

    /// Loads a link's contents. Existing runs with equal setups are kept.
    pub(super) fn load(&mut self, scenario: Scenario) {
        let first = Setup::of(&scenario);
        let Scenario {
            compare,
            playground,
            operation,
            view,
            split,
            cycle,
            warp,
            look,
            layout,
            name,
            notes,
            lecture,
            ..
        } = scenario;
        let compare = compare.unwrap_or_default();
        self.ui.compare = CompareSettings::of(&compare);
        self.load_sides(first, compare.others);
        let Layout {
            tables,
            active,
            share,
            left,
            right,
            density,
            theme,
            speed,
            panel,
        } = layout;
        self.active = if self.is_comparing() {
            Pane::at(active.idx().min(self.num_sides() - 1))
        } else {
            active
        };
        self.playback.pause();
        self.playback.position = cycle;
        self.playback.speed = Speed::of(speed);
        let ui = &mut self.ui;
        (ui.view, ui.name, ui.playground) = (view, name, playground);
        ui.operation = operation;
        ui.split = split.filter(|_| self.sides.len() == 1);
        ui.lecture.load(lecture, notes);
        (ui.tables, ui.share, ui.left, ui.right) = (tables, share, left, right);
        (ui.density, ui.link_theme) = (density, theme);
        ui.panel = panel.filter(|panel| !panel.is_sheet());
        ui.glossary.close();
        ui.state = selected(warp.unwrap_or(0));
        look.show(&mut ui.state);
        ui.outputs.look = look.outputs;
        ui.jump.set(look.jump.unwrap_or(JumpState::default().query));
        ui.play.drafts.clear();
        let range = ui.state.range.take();
        self.set_range(range);
        self.checks.chosen = look.finding;
        self.edit_ms = None;
        self.typed_ms = None;
        self.keep_ms = (!self.is_untouched()).then_some(KEEP_PAUSE_MS);
        self.end_typing();
        self.follow_playground();
        self.reserve_memory();
        for side in &mut self.sides {
            side.follow(self.toolchain);
        }
    }

    /// Reports to each side how much memory the sides before it take, so that all sides together keep the limit.
    pub(super) fn reserve_memory(&mut self) {
        let mut before = 0_u64;
        for side in &mut self.sides {
            side.derived.reserve(before);
            before = before.saturating_add(side.setup.launch().stored_bytes());
        }
    }

    /// Changes the setup as an undoable step.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Setup)) -> Vec<Effect> {
        self.commit(|session| session.change_setup(change))
    }

    /// Changes the scenario as an undoable step.
    pub(super) fn commit(&mut self, change: impl FnOnce(&mut Self)) -> Vec<Effect> {
        let before = self.link();
        change(self);
        let after = Scenario {
            cycle: before.cycle,
            warp: before.warp,
            look: before.look,
            layout: before.layout,
            ..self.link()
        };
        if after == before {
            return Vec::new();
        }
        self.history.push(before);
        self.checks.chosen = None;
        self.keep_ms = Some(KEEP_PAUSE_MS);
        self.typed_ms = None;
        self.ui.range = None;
        self.ui.state.strip = None;
        self.ui.state.access = None;
        self.ui.state.wavefront = None;
        self.follow_playground();
        vec![Effect::PushLink]
    }

    /// Changes the setup of the active side, and of the other sides unless changes apply to one side only.
    pub(super) fn change_setup(&mut self, change: impl FnOnce(&mut Setup)) {
        let toolchain = self.toolchain;
        let side = self.side_mut();
        let before = side.setup.clone();
        change(&mut side.setup);
        self.reserve_memory();
        self.side_mut().follow(toolchain);
        self.change_others(&before);
    }

    /// Shows a cycle of the active side, or its last cycle, and pauses.
    pub(super) fn seek(&mut self, cycle: u64) {
        let cycle = cycle.min(self.device_end().unwrap_or(self.last_cycle()));
        let position = if !self.is_comparing() {
            cycle
        } else if cycle == self.cycle() {
            self.playback.position
        } else {
            self.position_of(self.active_side(), cycle)
        };
        self.playback.seek(position, position);
    }

    /// Shows a cycle of the active side, and pauses. The address is updated with a delay.
    pub(super) fn show_cycle(&mut self, cycle: u64) -> Vec<Effect> {
        if self.is_comparing() && cycle == 0 {
            return self.show_position(0);
        }
        self.seek(cycle);
        self.follow_cycle();
        self.link_ms.get_or_insert(LINK_PAUSE_MS);
        Vec::new()
    }

    /// Shows a position of the clock, and pauses.
    pub(super) fn show_position(&mut self, position: u64) -> Vec<Effect> {
        self.seek_clock(position);
        self.follow_cycle();
        vec![Effect::ReplaceLink, Effect::Announce(self.sentence_of_picture())]
    }

    /// Shows a cycle, or the sentence `none` if there is no cycle.
    pub(super) fn go(&mut self, cycle: Option<u64>, none: &str) -> Vec<Effect> {
        if let Some(cycle) = cycle {
            self.seek(cycle);
            self.follow_cycle();
            vec![Effect::ReplaceLink, Effect::Announce(self.sentence_of_picture())]
        } else {
            self.say(none);
            Vec::new()
        }
    }

    /// The view that the note of the library's kernel names, if the kernel is the library's.
    pub fn note_view(&self) -> Option<View> {
        let setup = self.setup();
        let note = setup.library_kernel().look_at;
        let named = |view: &View| {
            note.strip_prefix(view.name())
                .is_some_and(|rest| rest.starts_with([':', ',']))
        };
        View::ALL
            .into_iter()
            .find(named)
            .filter(|_| setup.source.is_none())
    }

    /// The number of cycles from the shown one in which nothing issues; 0 in a comparison and where no speed depends on it.
    pub(super) fn quiet_cycles(&self) -> u64 {
        let needs_it = self.playback.speed == Speed::Auto && self.playback.playing.is_some();
        if self.is_comparing() || !needs_it {
            return 0;
        }
        let next = self.derived().next_issue(self.cycle());
        next.map_or(0, |next| next.saturating_sub(self.cycle()))
    }

    /// Shows a message for a few seconds.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.ui.toast = Some(text.into());
        self.ui.offer = None;
        self.toast_ms = TOAST_MS;
    }
}

/// A view state with this warp slot selected.
pub(super) fn selected(slot: u16) -> ViewState {
    ViewState {
        slot: Some(SlotIdx(slot)),
        ..ViewState::default()
    }
}
