//! The state of the page: the sides with what runs on each, and what all of them share.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::checks::Checks;
use super::compare::CounterCache;
use super::compiler::Toolchain;
use super::form::Signature;
use super::host::HostCode;
use super::sweep::Sweep;
use super::{
    Derived, Effect, FilesState, History, JumpState, KEEP_PAUSE_MS, LINK_PAUSE_MS, LaunchField, OutputsState,
    PlayState, Playback, Speed, TOAST_MS, Theme, find, recent,
};
use crate::playground::Playground;
use crate::scene::ViewState;
use crate::share::{
    Compare, Density, Layout, Look, Order, OutputsLook, Pane, Panel, Scenario, Setup, Side, Sync, View,
};
use engine::arch::{Architecture, architecture};
use engine::ids::{Cycle, SlotIdx};

/// The first of some cycles, and the one after the last.
pub type CycleRange = (Cycle, Cycle);

/// What runs on a side, and what the page keeps of it. A page without a comparison has one side.
#[derive(Debug)]
pub struct RunSide {
    /// The kernel, its launch, its options, and the machine.
    pub setup: Setup,
    /// What follows from the setup.
    pub derived: Derived,
    /// Text of the editor, as typed: all of its files.
    pub text: String,
    /// Fields of the launch form whose text is not a valid value, with the text and the reason.
    pub drafts: BTreeMap<LaunchField, (String, String)>,
    /// The launches that the text's host code makes.
    pub(super) host: HostCode,
    /// The parameters and arguments before the changes that are being compiled.
    pub(super) signature: Option<Signature>,
}

impl RunSide {
    /// A side with this setup, and with a run that may exist already.
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

    /// The last cycle that is known of its run.
    pub fn last_cycle(&self) -> u64 {
        self.derived.num_cycles().saturating_sub(1)
    }

    /// Compiles the kernel and requests its run, as far as the setup changed.
    pub(super) fn follow(&mut self, toolchain: Option<Toolchain>) {
        self.derived.follow(&self.setup.alone(), toolchain);
    }
}

/// How the sides of a comparison go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareSettings {
    /// What is equal on all sides at a moment.
    pub sync: Sync,
    /// Whether a change of kernel, launch or options goes to the active side alone.
    pub apart: bool,
    /// Whether differences are marked.
    pub marks: bool,
    /// The side to which the counters' ratios are.
    pub reference: usize,
    /// What the counters are listed by.
    pub order: Order,
}

impl CompareSettings {
    /// The settings of a comparison in a link.
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

/// Cycles that are selected, on the side on which they were selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SelectedRange {
    pub(super) side: usize,
    pub(super) cycles: CycleRange,
}

/// What all sides share: what is shown, what is selected, and how the workbench is laid out.
#[derive(Debug)]
pub struct Ui {
    /// The view on the stage.
    pub view: View,
    /// The view beside it, if the stage is split.
    pub split: Option<View>,
    /// What is selected, and how the views are set. A side's range and window are added where the side
    /// is drawn: see [`Session::view_state`].
    pub state: ViewState,
    /// The cycles that are selected.
    pub(super) range: Option<SelectedRange>,
    /// Whether a pane shows its table in place of its picture.
    pub tables: [bool; 2],
    /// Percent of the stage that the first pane has.
    pub share: u8,
    /// The column with the set up.
    pub left: Side,
    /// The column with the explanation.
    pub right: Side,
    /// How large everything is.
    pub density: Density,
    /// The panel that is open over the workbench.
    pub panel: Option<Panel>,
    /// Colors.
    pub theme: Theme,
    /// How the sides of a comparison go together.
    pub compare: CompareSettings,
    /// The name that the user gave the scenario; `None`: the kernel's.
    pub name: Option<String>,
    /// The access of the playground, which the views of memory show in place of the run's.
    pub playground: Option<Playground>,
    /// The playground's form.
    pub play: PlayState,
    /// Which file of the text is in the editor.
    pub files: FilesState,
    /// Parts of the link that could not be used, a sentence each.
    pub warnings: Vec<String>,
    /// What is shown of the outputs.
    pub outputs: OutputsState,
    /// The field that finds views, commands, and kernels.
    pub finder: find::Finder,
    /// The search in the run.
    pub jump: JumpState,
    /// The scenarios that were opened last on this device, the newest first.
    pub recent: Vec<recent::Recent>,
    /// A line that is shown for a few seconds.
    pub toast: Option<String>,
    /// Width of the pictures of the panes in CSS pixels.
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
            theme: Theme::default(),
            compare: CompareSettings::default(),
            name: None,
            playground: None,
            play: PlayState::default(),
            files: FilesState::default(),
            warnings: Vec::new(),
            outputs: OutputsState::default(),
            finder: find::Finder::default(),
            jump: JumpState::default(),
            recent: Vec::new(),
            toast: None,
            widths: [832.0; 4],
        }
    }
}

/// The state of the page.
#[derive(Debug)]
pub struct Session {
    /// The sides: one, or up to four that are compared.
    pub sides: Vec<RunSide>,
    /// The pane that has the keyboard. In a comparison its side is the active one.
    pub(super) active: Pane,
    /// The clock that all sides share.
    pub playback: Playback,
    /// What all sides share.
    pub ui: Ui,
    /// Earlier and undone scenarios.
    pub history: History,
    /// The compiler of this thread, or none where requests go to another.
    pub(super) toolchain: Option<Toolchain>,
    pub(super) sweep: Sweep,
    pub(super) checks: Checks,
    /// Counters of the runs that were last looked at.
    pub(super) counters: RefCell<CounterCache>,
    /// The part of the run that the strip showed before the magnifier opened.
    #[allow(
        clippy::option_option,
        reason = "without the magnifier; with it, over the whole run or a part"
    )]
    pub(super) magnified: Option<Option<(Cycle, u64)>>,
    /// Part of a cycle by which the Timeline was dragged and has not moved yet.
    pub(super) dragged: f64,
    pub(super) toast_ms: f64,
    pub(super) edit_ms: Option<f64>,
    /// Milliseconds since the text was last compiled, while more changes of it are the same step back.
    pub(super) typed_ms: Option<f64>,
    pub(super) link_ms: Option<f64>,
    pub(super) keep_ms: Option<f64>,
    /// Whether a link was opened before.
    pub(super) opened: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session with the default scenario, and nothing derived yet, that compiles on this thread.
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
            checks: Checks::default(),
            counters: RefCell::default(),
            magnified: None,
            dragged: 0.0,
            toast_ms: 0.0,
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

    /// The active side's place, from 0.
    pub fn active_side(&self) -> usize {
        if self.is_comparing() { self.active.idx() } else { 0 }
    }

    /// The active side.
    pub fn side(&self) -> &RunSide {
        &self.sides[self.active_side()]
    }

    /// The active side, to be changed.
    pub fn side_mut(&mut self) -> &mut RunSide {
        let idx = self.active_side();
        &mut self.sides[idx]
    }

    /// What runs on the active side.
    pub fn setup(&self) -> &Setup {
        &self.side().setup
    }

    /// What follows from the active side's setup.
    pub fn derived(&self) -> &Derived {
        &self.side().derived
    }

    /// The architecture of the active side.
    pub fn arch(&self) -> &'static Architecture {
        self.side().arch()
    }

    /// The cycle of the active side that is shown.
    pub fn cycle(&self) -> u64 {
        self.cycle_on(self.active_side())
    }

    /// The last cycle that is known of the active side.
    pub fn last_cycle(&self) -> u64 {
        self.side().last_cycle()
    }

    /// The slot of the selected warp.
    pub fn slot(&self) -> u16 {
        self.ui.state.slot.map_or(0, |slot| slot.0)
    }

    /// What is selected and how the views are set, for the active side.
    pub fn view_state(&self) -> ViewState {
        self.view_state_on(self.active_side())
    }

    /// What is selected and how the views are set, for a side.
    pub fn view_state_on(&self, idx: usize) -> ViewState {
        ViewState {
            range: self.range_of(idx),
            ..self.ui.state
        }
    }

    /// The cycles that are selected, on the active side.
    pub fn range(&self) -> Option<CycleRange> {
        self.range_of(self.active_side())
    }

    /// Selects cycles of the active side, or none.
    pub(super) fn set_range(&mut self, range: Option<CycleRange>) {
        let side = self.active_side();
        self.ui.range = range.map(|cycles| SelectedRange { side, cycles });
    }

    /// The scenario of a link to the present state. The link's own run is the first side's.
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
            view: self.ui.view,
            split: self.ui.split,
            cycle: self.clock(),
            warp: Some(self.slot()).filter(|slot| *slot != 0),
            look: self.look_in_link(),
            layout: self.layout_in_link(),
            name: self.ui.name.clone(),
        }
    }

    /// The further sides of the comparison, and its settings.
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

    /// What is selected, and how the views are set.
    fn look_in_link(&self) -> Look {
        let shows_outputs = self.ui.panel == Some(Panel::Outputs);
        let query = self.ui.jump.query;
        Look {
            outputs: if shows_outputs {
                self.ui.outputs.look
            } else {
                OutputsLook::default()
            },
            finding: self.checks.chosen.filter(|_| self.shows(View::Checks)),
            jump: (query != JumpState::default().query).then_some(query),
            ..Look::of(&self.view_state())
        }
    }

    /// How the workbench is laid out.
    fn layout_in_link(&self) -> Layout {
        Layout {
            tables: self.ui.tables,
            active: self.active,
            share: self.ui.share,
            left: self.ui.left,
            right: self.ui.right,
            density: self.ui.density,
            speed: self.playback.speed.cycles_per_second(),
            panel: self.ui.panel,
        }
    }

    /// Shows a scenario. A side whose setup exists already keeps its run.
    pub(super) fn load(&mut self, scenario: Scenario) {
        let first = Setup::of(&scenario);
        let Scenario {
            compare,
            playground,
            view,
            split,
            cycle,
            warp,
            look,
            layout,
            name,
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
        ui.split = split.filter(|_| self.sides.len() == 1);
        (ui.tables, ui.share, ui.left, ui.right) = (tables, share, left, right);
        (ui.density, ui.panel) = (density, panel);
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
        for side in &mut self.sides {
            side.follow(self.toolchain);
        }
    }

    /// Changes the setup, as one step of undo.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Setup)) -> Vec<Effect> {
        self.commit(|session| session.change_setup(change))
    }

    /// Changes the scenario, as one step of undo.
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

    /// Changes the setup of the active side, and of the others where changes go to all.
    pub(super) fn change_setup(&mut self, change: impl FnOnce(&mut Setup)) {
        let toolchain = self.toolchain;
        let side = self.side_mut();
        let before = side.setup.clone();
        change(&mut side.setup);
        side.follow(toolchain);
        self.change_others(&before);
    }

    /// Shows a cycle of the active side, or its last one, and stops.
    pub(super) fn seek(&mut self, cycle: u64) {
        let cycle = cycle.min(self.last_cycle());
        let position = if !self.is_comparing() {
            cycle
        } else if cycle == self.cycle() {
            self.playback.position
        } else {
            self.position_of(self.active_side(), cycle)
        };
        self.playback.seek(position, position);
    }

    /// Shows a cycle of the active side, and stops. The address follows a little later.
    pub(super) fn show_cycle(&mut self, cycle: u64) -> Vec<Effect> {
        if self.is_comparing() && cycle == 0 {
            return self.show_position(0);
        }
        self.seek(cycle);
        self.follow_cycle();
        self.link_ms.get_or_insert(LINK_PAUSE_MS);
        Vec::new()
    }

    /// Shows a position of the clock, and stops.
    pub(super) fn show_position(&mut self, position: u64) -> Vec<Effect> {
        self.seek_clock(position);
        self.follow_cycle();
        vec![Effect::ReplaceLink, Effect::Announce(self.sentence_of_picture())]
    }

    /// Shows a cycle that was searched for, or says that there is none.
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

    /// Shows a line for a few seconds.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.ui.toast = Some(text.into());
        self.toast_ms = TOAST_MS;
    }
}

/// A view with this warp slot selected.
pub(super) fn selected(slot: u16) -> ViewState {
    ViewState {
        slot: Some(SlotIdx(slot)),
        ..ViewState::default()
    }
}
