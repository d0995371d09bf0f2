//! The page without its pixels: one session, events that change it, effects as data.
//!
//! Ground state is the scenario, the playback and the selection; what follows from them is kept in
//! [`Derived`] by its inputs. Knows nothing of the browser or of the wall clock: time comes as events.
//!
//! Modules are declared in dependency order: each calls only what is declared before it. The types that
//! are exported here, such as [`Session`] and [`Event`], are known to all. [`update`] is on top.

use crate::scene::{PaneRows, Sets, Target};
pub use crate::share::{Density, Layout, Pane, Panel, SetUpPart, Side};
use crate::share::{Scenario, View};
use engine::arch::ArchId;
use engine::ids::Cycle;
use engine::trace::Segment;

pub mod code;
pub mod code_edit;
mod padding;
mod playback;
pub mod number;
mod arguments;
mod problem;
mod start;
mod host_code;
pub mod compiler;
pub mod assist;
mod jobs;
mod findings;
mod run;
mod choice;
pub mod recent;
mod history;
pub mod host;
pub mod form;
pub mod outputs;
mod playground;
mod requests;
pub mod compare;
mod progress;
mod sweep;
pub mod checks;
mod view_model;
mod export;
mod text;
pub mod files;
pub mod jump;
pub mod find;
mod gestures;
mod session;
mod update;
pub mod keys;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;

pub use checks::{CheckChoice, CheckEngine};
pub use choice::{Choice, Control, ControlOption};
pub use compare::{CompareEdit, GUIDES, SideHead};
pub use export::ExportKind;
pub use files::{FileEdit, FileTab, FilesState, OpenedFile};
pub use form::{FormChoice, LaunchField};
pub use gestures::Gesture;
pub use history::History;
pub use jobs::{Engine, Job, JobKind, Report};
pub use jump::{Jump, JumpState};
pub use outputs::{OutputsChoice, OutputsState};
pub use playback::{Direction, Playback, Speed};
pub use playground::{PlayEdit, PlayField, PlayState};
pub use problem::{Fix, Problem};
pub use progress::{RunProgress, RunState};
pub use run::{Derived, RunKey};
use session::SelectedRange;
pub use session::{CompareSettings, CycleRange, RunSide, Session, Ui};
pub use update::update;
pub use view_model::{PictureKey, ShownSide, Split, StripKey};

/// Milliseconds of quiet in the editor before its text is compiled.
const EDIT_PAUSE_MS: f64 = 150.0;
/// Milliseconds of quiet after which a change of the text is a step of its own for undo.
const TYPING_PAUSE_MS: f64 = 1_000.0;
/// Milliseconds after which a scenario counts as looked at.
const KEEP_PAUSE_MS: f64 = 2_000.0;
/// Milliseconds for which a toast is shown.
const TOAST_MS: f64 = 4_000.0;
/// Milliseconds between two changes of the address while playing.
const LINK_PAUSE_MS: f64 = 400.0;

/// Which colours the page has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Ink on paper.
    Light,
    /// Paper on ink.
    Dark,
}

/// A switch of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// `-use_fast_math`.
    FastMath,
    /// `-fmad=false`.
    NoFusedMultiplyAdd,
    /// `-ftz=true`.
    FlushToZero,
    /// `-prec-div=false`.
    FastDivision,
    /// `-prec-sqrt=false`.
    FastRoot,
    /// `-m32`.
    Pointers32Bit,
    /// Global loads in L2 only: `-dlcm=cg`.
    CacheGlobal,
    /// Scheduling policy: loose round-robin in place of greedy-then-oldest.
    RoundRobin,
    /// Diverged groups take turns at every chance.
    Adversarial,
}

/// What happens to the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The address has this link.
    Open(String),
    /// The compiler's thread answered a request.
    Responded(u64, Box<compiler::Response>),
    /// Time passed, in milliseconds.
    Tick(f64),
    /// Play, or pause.
    PlayPause,
    /// Play this way, or pause if it already does.
    Play(Direction),
    /// To what is looked for in the run, or something else is.
    Jump(Jump),
    /// Some cycles on or back.
    Step(i64),
    /// Go to a cycle.
    Seek(u64),
    /// Go to the last cycle known.
    SeekEnd,
    /// Go to the next cycle in which something issues.
    NextIssue,
    /// Go to the next cycle in which a scheduler with warps issues nothing.
    NextStall,
    /// Go to the next change of the selected warp.
    NextOfWarp,
    /// Cycles a second.
    Speed(Speed),
    /// Another architecture.
    Arch(ArchId),
    /// Another kernel of the library.
    Kernel(String),
    /// The text of the file in the editor.
    Edit(String),
    /// Something done to the files of the text.
    File(FileEdit),
    /// The text of a launch field.
    Launch(LaunchField, String),
    /// Something chosen in the launch form.
    Form(FormChoice),
    /// Something chosen in the outputs.
    Outputs(OutputsChoice),
    /// Something chosen in the checks.
    Check(CheckChoice),
    /// One line for the user.
    Say(String),
    /// An option the other way round.
    Toggle(Switch),
    /// Shared memory of the SM in KiB; `None`: the driver's choice.
    Carveout(Option<u32>),
    /// Another view.
    View(View),
    /// Another view beside it, or none.
    Split(Option<View>),
    /// Splits the stage, or makes it whole.
    SplitOrWhole,
    /// Something that happens to a pane, which gets the keyboard.
    In(Pane, Box<Event>),
    /// A pane gets the keyboard.
    Activate(Pane),
    /// The other pane gets it; in a comparison the next one.
    OtherPane,
    /// Something done to the comparison.
    Compare(CompareEdit),
    /// Percent of the stage for the first pane.
    Share(u8),
    /// A view set otherwise.
    Choose(Choice),
    /// The playground's access changed.
    Playground(PlayEdit),
    /// A click on a plot at this x.
    Plot(Sets, f64),
    /// The keys came to a thing of the picture.
    Point(Target),
    /// A click on a thing of the picture.
    Select(Target),
    /// The first row that a pane of the picture shows.
    Scroll(PaneRows, u32),
    /// The selected warp's neighbour: one slot (times the schedulers) up or down.
    SelectBeside(i32),
    /// The Timeline's window: zoom by a factor around a cycle.
    Zoom {
        /** Below 1 shows fewer cycles. */
        factor: f64,
        /** Stays where it is; `None`: the present cycle. */
        around: Option<u64>,
    },
    /// A gesture on the Timeline or the strip.
    Gesture(Gesture),
    /// The Timeline dragged by so many pixels.
    Drag(f64),
    /// Picture or table.
    Table,
    /// Opens a panel, or closes it if it is open.
    Panel(Panel),
    /// Closes what lies over the workbench.
    Close,
    /// Shows or puts away the set up.
    Left,
    /// Shows or puts away the explanation.
    Right,
    /// The width of the set up.
    LeftSide(Side),
    /// The width of the explanation.
    RightSide(Side),
    /// Normal, or for a hall.
    Density,
    /// Another name; an empty one is the kernel's.
    Rename(String),
    /// The letters in the field to find or do anything.
    Find(String),
    /// The row so many below the chosen one.
    FindBeside(i32),
    /// Does what a row says; `None`: the chosen one.
    FindTake(Option<usize>),
    /// The browser's list of recent scenarios.
    Recent(Vec<recent::Recent>),
    /// Puts the present scenario first on it; with the date in milliseconds since 1970.
    Keep(f64),
    /// Takes one off it, or all.
    Forget(Option<usize>),
    /// Opens a link from the page itself.
    Visit(String),
    /// The next theme.
    Theme,
    /// Puts the link on the clipboard.
    CopyLink,
    /// The clipboard took the link, or not.
    Copied(Result<usize, String>),
    /// The link's warnings were read.
    Dismiss,
    /// Back one change of the scenario.
    Undo,
    /// Forward one.
    Redo,
    /// Something as a file.
    Export(ExportKind),
    /// A file was saved: its name and its bytes.
    Saved(String, u64),
    /// The picture, as a file.
    SavePicture,
    /// The table, as a file.
    SaveTable,
    /// The stage alone on the screen, or the page again.
    FullScreen,
    /// Holds the run where it is.
    Stop,
    /// Lets it go on.
    GoOn,
    /// To where the name at the editor's cursor is declared.
    GoToDefinition,
}

/// What the browser is to do after an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Put this scenario into the address first: it is what Back comes to.
    LeaveLink(Box<Scenario>),
    /// Look at the date, and say it with `Event::Keep`.
    Date,
    /// Keep the text of the recent scenarios.
    KeepRecent(String),
    /// Put the scenario into the address, as a new entry of the history.
    PushLink,
    /// Put it there in place of the present entry.
    ReplaceLink,
    /// Put the link on the clipboard, and say so with `Event::Copied`.
    CopyLink,
    /// Put a text on the clipboard, and say so.
    CopyText {
        /** What is copied. */
        text: String,
        /** What is said then. */
        said: String,
    },
    /// Say a sentence to who cannot see.
    Announce(String),
    /// Show and keep the theme.
    ShowTheme(Theme),
    /// Put the cursor into a line, from 1, of the file in the editor.
    FocusLine(u32),
    /// Put the editor's cursor where the name at it is declared.
    FocusDefinition,
    /// Show a part of the set up, and give it the focus.
    FocusPart(SetUpPart),
    /// Give the picture of a pane the focus.
    FocusPane(Pane),
    /// Save the picture, at twice its size, under a name.
    SavePicture(String),
    /// Save the picture as shapes under a name.
    SaveDrawing(String),
    /// Save the run's events under a name, and say so with `Event::Saved`.
    SaveTrace(String),
    /// Give the stage the whole screen, or take it back.
    FullScreen,
    /// Save a text under a name.
    SaveText {
        /** The file's name. */
        name: String,
        /** Its contents. */
        text: String,
    },
}

impl Session {
    /// The view of a pane, if the stage has that pane.
    pub fn view_in(&self, pane: Pane) -> Option<View> {
        if self.is_side_by_side() {
            return (pane.idx() < self.num_sides()).then_some(self.ui.view);
        }
        match pane {
            Pane::First => Some(self.ui.view),
            Pane::Second => self.ui.split,
            Pane::Third | Pane::Fourth => None,
        }
    }

    /// The pane that has the keyboard.
    pub fn active(&self) -> Pane {
        if self.is_side_by_side() {
            Pane::at(self.active_side())
        } else if self.ui.split.is_some() && self.active == Pane::Second {
            Pane::Second
        } else {
            Pane::First
        }
    }

    /// The view of the pane that has the keyboard.
    pub fn active_view(&self) -> View {
        self.view_in(self.active()).unwrap_or(self.ui.view)
    }

    /// Whether a view is on the stage.
    pub fn shows(&self, view: View) -> bool {
        self.ui.view == view || self.ui.split == Some(view)
    }

    /// Width of the picture of a view, as it is or would be on the stage.
    pub fn width_of(&self, view: View) -> f32 {
        let mut panes = Pane::ALL.into_iter().filter(|_| !self.is_side_by_side());
        let pane = panes.find(|pane| self.view_in(*pane) == Some(view));
        self.ui.widths[pane.unwrap_or(self.active()).idx()]
    }

    /// Whether a pane shows its table in place of its picture.
    pub fn has_table(&self, pane: Pane) -> bool {
        let idx = if self.is_comparing() { 0 } else { pane.idx() };
        self.ui.tables.get(idx).is_some_and(|table| *table)
    }

    /// Whether time must go on for it: it plays, or waits for a pause in typing. Runs do not need
    /// ticks where workers simulate them.
    pub fn needs_ticks(&self) -> bool {
        self.playback.playing.is_some()
            || self.edit_ms.is_some()
            || self.typed_ms.is_some()
            || self.link_ms.is_some()
            || self.keep_ms.is_some()
            || self.ui.toast.is_some()
            || self.is_looking()
            || self.derived_all().any(Derived::waits)
    }

    /// Whether what was typed is still to be taken over, which time alone may do.
    pub fn is_edited(&self) -> bool {
        self.edit_ms.is_some() || self.typed_ms.is_some()
    }

    /// The runs that are wanted and not at their end, the one with the keyboard first.
    pub fn jobs(&self) -> Vec<Job> {
        let others = self.derived_all().filter_map(Derived::job);
        let own = self.derived().job();
        let is_own = |job: &Job| own.as_ref().is_some_and(|own| own.number == job.number);
        let mut jobs: Vec<Job> = others.collect();
        jobs.sort_by_key(|job| !is_own(job));
        jobs.extend(self.check_jobs());
        jobs.extend(self.sweep_jobs());
        jobs
    }

    /// The requests to the compiler that wait for a response, each with its number; the most urgent first.
    pub fn requests(&self) -> Vec<(u64, &compiler::Request)> {
        // The active side comes first, and again among all sides.
        let sides = std::iter::once(self.side()).chain(&self.sides);
        let compilations = sides
            .clone()
            .map(|side| &side.derived)
            .chain(self.sweep_derived());
        let hosts = sides.filter_map(|side| side.host.request());
        let mut all: Vec<(u64, &compiler::Request)> = Vec::new();
        for request in compilations.filter_map(Derived::request).chain(hosts) {
            if all.iter().all(|(number, _)| *number != request.0) {
                all.push(request);
            }
        }
        all
    }

    /// Takes the response to request `number`; one that is no longer requested is dropped.
    fn responded(&mut self, number: u64, response: compiler::Response) -> Vec<Effect> {
        use compiler::Response;
        let data = match response {
            Response::HostLaunches(entries) => return self.host_read(number, entries),
            Response::Compiled(data) => Ok(*data),
            Response::Failed(reason) => Err(reason),
            Response::Completion(_)
            | Response::Hover(_)
            | Response::Definition(_)
            | Response::Uses(_)
            | Response::Angles(_)
            | Response::Api(_) => return Vec::new(),
        };
        let taken = (self.sides.iter_mut()).position(|side| side.derived.compiled(number, data.clone()));
        if taken == Some(self.active_side()) {
            let before = self.side_mut().signature.take();
            self.follow_signature(before);
        }
        if taken.is_none() && !self.sweep_compiled(number, &data) {
            // Host code that cannot be read makes no launches.
            return self.host_read(number, Vec::new());
        }
        self.follow_runs();
        Vec::new()
    }

    /// Takes in what a worker says of run `number`, and what it simulated since it last did.
    pub fn receive(&mut self, number: u64, report: Report, segment: Option<Segment>) {
        let mut segment = segment;
        for derived in self.derived_all_mut() {
            if derived.is_wanted(number) {
                derived.receive(number, report, segment.take());
            }
        }
        self.receive_sweep(number, report, &mut segment);
        self.receive_checks(number, report);
        self.follow_sweep();
        self.follow_runs();
    }

    /// The worker of run `number` is gone. What it sent stays.
    pub fn lost(&mut self, number: u64, why: &str) {
        for derived in self.derived_all_mut() {
            derived.lose(number, why);
        }
        self.lose_sweep(number, why);
        self.lose_checks(number, why);
        self.follow_sweep();
        self.follow_runs();
    }

    /// Holds all runs where they are, or lets them go on.
    fn let_go_on(&mut self, goes_on: bool) {
        for derived in self.derived_all_mut() {
            derived.let_go_on(goes_on);
        }
        self.follow_runs();
    }

    /// Simulates up to `cycles` more cycles of each run here. Returns whether there is more to do.
    pub fn work(&mut self, cycles: u64) -> bool {
        let mut more = false;
        for derived in self.derived_all_mut() {
            more |= derived.advance(cycles);
        }
        if !more {
            more = self.work_checks(f64::INFINITY, || 0.0);
        }
        if !more {
            more = self.work_sweep(|derived| derived.advance(cycles));
        }
        self.follow_runs();
        more
    }

    /// Simulates here for some milliseconds by a clock, where there are no workers. Returns whether
    /// there is more to do.
    pub fn work_for(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> bool {
        let runs = self.derived_all().filter(|derived| derived.is_running()).count();
        let mut more = false;
        for derived in self.derived_all_mut().filter(|derived| derived.is_running()) {
            more |= derived.advance_for(slice_ms / runs as f64, &now_ms);
        }
        if !more {
            more = self.work_checks(slice_ms, &now_ms);
        }
        if !more {
            more = self.work_sweep(|derived| derived.advance_for(slice_ms, &now_ms));
        }
        self.follow_runs();
        more
    }

    /// Another cycle: what was singled out of the former one is let go.
    fn follow_cycle(&mut self) {
        self.ui.state.access = None;
        self.ui.state.wavefront = None;
        if self.playback.playing.is_some() || (self.ui.state.line, self.ui.state.pc) == (None, None) {
            self.follow_warp_in_code();
        }
        let cycle = self.cycle();
        let seen = self
            .derived()
            .timeline_scale(self)
            .is_some_and(|(scale, _)| (scale.start..scale.end).contains(&cycle));
        if !seen || self.playback.playing.is_some() {
            self.ui.state.timeline_start = None;
        }
    }

    /// The Source view keeps the selected warp's place in sight.
    fn follow_warp_in_code(&mut self) {
        (self.ui.state.top_line, self.ui.state.top_pc) = (None, None);
        self.ui.state.follows_warp = true;
    }

    /// A thing of the Timeline is explained in place of the range; other views keep it.
    fn leave_range(&mut self) {
        if self.active_view() == View::Timeline {
            self.set_range(None);
        }
    }

    /// The Timeline stays where it is when a cycle of it is clicked.
    fn hold_timeline(&mut self) {
        if self.shows(View::Timeline)
            && let Some((scale, _)) = self.derived().timeline_scale(self)
        {
            self.ui.state.timeline_start = Some(Cycle(scale.start));
        }
    }
}
