//! The page without its pixels: one session, events that change it, and effects as data.
//!
//! The primary state is the scenario, the playback, and the selection. State derived from them is cached in
//! [`Derived`] by its inputs. This module does not access the browser or the wall clock: time arrives as events.
//!
//! Modules are declared in dependency order: each module calls only modules declared before it. The exported types,
//! such as [`Session`] and [`Event`], are used everywhere. [`update`] is at the top.

use crate::check;
use crate::host_record::StreamsRecord;
use crate::run_option::ButtonId;
use crate::scene::{PaneRows, Sets, Target};
pub use crate::share::{Density, Layout, Pane, Panel, SetUpPart, Side, Theme};
use crate::share::{LessonAddress, Scenario, View};
use engine::arch::ArchId;
use engine::ids::Cycle;
use engine::trace::Segment;
use engine::trace::device::DeviceTrace;

pub mod code;
pub mod code_edit;
mod playback;
pub mod number;
mod arguments;
mod notes;
mod notice;
mod problem;
mod start;
mod edited;
mod chosen;
mod host_code;
pub mod compiler;
pub mod assist;
mod jobs;
mod side_runs;
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
mod advice;
pub mod checks;
mod device;
mod streams;
mod cause;
mod arithmetic;
pub mod tabs;
mod view_model;
mod export;
mod text;
pub mod files;
pub mod jump;
mod moments;
pub mod keys;
pub mod command_palette;
mod gestures;
mod session;
mod improvement;
pub mod film;
pub mod sharing;
pub mod embed;
pub mod glossary;
pub mod lessons;
pub mod lecture;
pub mod explain;
mod fault;
pub mod tour;
mod teaching;
mod update;
pub mod welcome;
#[cfg(test)]
pub(crate) mod golden;
#[cfg(test)]
mod legibility;
#[cfg(test)]
mod lengths;
#[cfg(test)]
mod sentences;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod present_tests;

pub use advice::measure;
pub use arithmetic::ArithmeticState;
pub use cause::{CauseEngine, CauseRecord, measured_cause};
pub use checks::{CheckChoice, CheckEngine};
pub use choice::{Choice, Control, ControlOption};
pub use compare::{CompareEdit, GUIDES, SideHead};
pub use device::{DeviceEngine, DevicePart};
pub use explain::ExplainEdit;
pub use export::ExportKind;
pub use fault::FaultPlace;
pub use files::{FileEdit, FileTab, FilesState, Opened, OpenedFile, opened_sources};
pub use form::{FormChoice, LaunchField};
pub use gestures::Gesture;
pub use glossary::{Glossary, GlossaryEdit};
pub use history::History;
pub use jobs::{Engine, Job, JobKind, Report};
pub use jump::{Jump, JumpState};
pub use lecture::{LectureEdit, LectureState, NoteEdit};
pub use lessons::{LessonEdit, Lessons, OpenLesson};
pub use moments::Moment;
pub use notes::{DISK_PX, note_places, with_notes};
pub use notice::{Notice, Notices};
pub use outputs::{OutputsChoice, OutputsState};
pub use playback::{Direction, Playback, Speed};
pub use playground::{PlayEdit, PlayField, PlayState};
pub use problem::{Fix, Problem};
pub use progress::{RunProgress, RunState};
pub use run::{Derived, RunKey};
use session::SelectedRange;
pub use session::{CompareSettings, CycleRange, RunSide, Session, Ui};
pub use side_runs::SideEngine;
pub use streams::{STREAMS_PREFIX, StreamsEngine, StreamsMove};
pub use teaching::TeachingKey;
pub use tour::{Tour, TourEdit};
pub use update::update;
pub use view_model::{Badge, PictureKey, ShownSide, Split, StripKey};

/// Milliseconds without typing before the editor's text is compiled.
const EDIT_PAUSE_MS: f64 = 150.0;
/// Milliseconds without typing after which an edit starts a new undo step.
const TYPING_PAUSE_MS: f64 = 1_000.0;
/// Milliseconds after which a scenario is added to the recent scenarios.
const KEEP_PAUSE_MS: f64 = 2_000.0;
/// Milliseconds for which a toast is visible.
const TOAST_MS: f64 = 4_000.0;
/// Milliseconds between two updates of the address during playback.
const LINK_PAUSE_MS: f64 = 400.0;

/// An event of the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The address contains this link.
    Open(String),
    /// The address contains this link, and the browser's history the texts that no link holds: by side, as
    /// [`crate::share::take_long_texts`] returns them.
    Reopen(String, Vec<Option<String>>),
    /// Something is missing, or could not be kept.
    Notice(Notice),
    /// The compiler's thread sent a response.
    Responded(u64, Box<compiler::Response>),
    /// Time passed, in milliseconds.
    Tick(f64),
    /// Shows what the note of the library's kernel names, where it is most visible.
    FollowNote,
    /// Plays or pauses.
    PlayPause,
    /// Plays in this direction, or pauses if it already plays.
    Play(Direction),
    /// Jumps to a match in the run, or changes the search.
    Jump(Jump),
    /// Steps by some cycles.
    Step(i64),
    /// Shows a cycle.
    Seek(u64),
    /// Shows the last known cycle.
    SeekEnd,
    /// Shows the next cycle in which any scheduler issues.
    NextIssue,
    /// Shows the next cycle in which a scheduler with warps issues nothing.
    NextStall,
    /// Shows the next change of the selected warp.
    NextOfWarp,
    /// Sets the cycles per second.
    Speed(Speed),
    /// Plays faster, or slower for a negative number.
    SpeedBy(i32),
    /// Changes the architecture.
    Arch(ArchId),
    /// Opens a kernel of the library.
    Kernel(String),
    /// Changes the text of the file in the editor.
    Edit(String),
    /// Edits the files of the source.
    File(FileEdit),
    /// Enters text into a launch field.
    Launch(LaunchField, String),
    /// A choice in the launch form.
    Form(FormChoice),
    /// A choice in the outputs dialog.
    Outputs(OutputsChoice),
    /// A choice in the Checks view.
    Check(CheckChoice),
    /// Shows a message to the user.
    Say(String),
    /// Presses the button of an option.
    Option(ButtonId),
    /// Sets the shared memory of the SM in KB; `None`: the driver's choice.
    Carveout(Option<u32>),
    /// Shows another view.
    View(View),
    /// Shows a second view, or closes it.
    Split(Option<View>),
    /// Splits the stage, or restores a single view.
    SplitOrWhole,
    /// An event in a pane, which becomes active.
    In(Pane, Box<Event>),
    /// Makes a pane active.
    Activate(Pane),
    /// Makes the other pane active, or the next one in a comparison.
    OtherPane,
    /// Edits the comparison.
    Compare(CompareEdit),
    /// Sets the first pane's share of the stage, in percent.
    Share(u8),
    /// Changes a view's settings.
    Choose(Choice),
    /// Changes the playground's access.
    Playground(PlayEdit),
    /// Sets the text of the Arithmetic view's operation.
    Operation(String),
    /// A click on a chart at this x.
    Plot(Sets, f64),
    /// The keyboard focus moved to a target of the picture.
    Point(Target),
    /// A click on a target of the picture.
    Select(Target),
    /// Sets the first row that a pane of the picture shows.
    Scroll(PaneRows, u32),
    /// Selects a neighbor of the selected warp: one slot (times the schedulers) up or down.
    SelectBeside(i32),
    /// Zooms the Timeline's window by a factor around a cycle, or the time axis of the Streams view.
    Zoom {
        /// Below 1 shows fewer cycles.
        factor: f64,
        /// Stays where it is; `None`: the present cycle.
        around: Option<u64>,
    },
    /// A gesture on the Timeline or the strip.
    Gesture(Gesture),
    /// Drags the Timeline by this many pixels.
    Drag(f64),
    /// Switches between picture and table.
    Table,
    /// Opens a panel, or closes it if it is open.
    Panel(Panel),
    /// Closes the open panel.
    Close,
    /// Shows or hides the setup panel.
    Left,
    /// Shows or hides the inspector.
    Right,
    /// Sets the width of the setup panel.
    LeftSide(Side),
    /// Sets the width of the inspector.
    RightSide(Side),
    /// Switches between normal and projector size.
    Density,
    /// Renames the scenario; an empty name restores the kernel's name.
    Rename(String),
    /// Changes the text of the command palette.
    PaletteText(String),
    /// Moves the selection in the command palette by this many rows.
    PaletteBeside(i32),
    /// Executes a row of the command palette; `None`: the selected row.
    PaletteTake(Option<usize>),
    /// The browser's stored list of recent scenarios.
    Recent(Vec<recent::Recent>),
    /// Adds the current scenario to the recent scenarios; the date is in milliseconds since 1970.
    Keep(f64),
    /// Removes one recent scenario, or all.
    Forget(Option<usize>),
    /// Opens a link inside the page.
    Visit(String),
    /// Opens what the page starts with.
    Start,
    /// Switches to the next theme.
    Theme,
    /// Copies the link to the clipboard.
    CopyLink,
    /// Copies a text, and shows the message when it is copied.
    Copy(String, &'static str),
    /// The clipboard accepted the link, or not.
    Copied(Result<usize, String>),
    /// Dismisses the link's warnings.
    Dismiss,
    /// Undoes a change of the scenario.
    Undo,
    /// Redoes a change.
    Redo,
    /// Exports a file.
    Export(ExportKind),
    /// A file was saved: its name and its bytes.
    Saved(String, u64),
    /// Saves the picture as a file.
    SavePicture,
    /// Saves the table as a file.
    SaveTable,
    /// Toggles full screen for the stage.
    FullScreen,
    /// Pauses the run's simulation.
    Stop,
    /// Resumes the run's simulation.
    GoOn,
    /// Shows the declaration of the name at the editor's cursor.
    GoToDefinition,
    /// Opens the editor with a kernel to replace.
    OwnKernel,
    /// A choice in the Share dialog.
    Sharing(sharing::ShareEdit),
    /// Saves a text under a name.
    SaveText {
        /// The file's name.
        name: String,
        /// Its contents.
        text: String,
    },
    /// An event of the Share dialog's film.
    Film(film::FilmEdit),
    /// An event of the lessons.
    Lesson(LessonEdit),
    /// An event of the glossary.
    Glossary(GlossaryEdit),
    /// An event of the lecture.
    Lecture(LectureEdit),
    /// Goes to the place where the run stopped.
    GoToFault,
    /// An event of the explanation.
    Explain(ExplainEdit),
    /// An event of the tour.
    Tour(TourEdit),
    /// A first visit: plays the run by itself until the reader acts.
    FirstVisit,
}

impl Event {
    /// Whether the event only plays the run, or shows another cycle of it, without regard to a warp.
    const fn is_playback(&self) -> bool {
        matches!(
            self,
            Self::PlayPause
                | Self::Play(_)
                | Self::Step(_)
                | Self::Seek(_)
                | Self::SeekEnd
                | Self::NextIssue
                | Self::NextStall
        )
    }
}

/// An effect that the browser performs after an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Writes the address of the page's start, which has no link.
    StartLink,
    /// Writes this scenario to the address first, so that Back returns to it.
    LeaveLink(Box<Scenario>),
    /// Reads the date, and reports it with `Event::Keep`.
    Date,
    /// Changes the stored list of recent scenarios, and reports the list with `Event::Recent`.
    KeepRecent(recent::RecentChange),
    /// Writes the scenario to the address as a new history entry.
    PushLink,
    /// Writes the scenario to the address in place of the current history entry.
    ReplaceLink,
    /// Copies the link to the clipboard, and reports the result with `Event::Copied`.
    CopyLink,
    /// Copies text to the clipboard, and shows a message.
    CopyText {
        /// What is copied.
        text: String,
        /// What is said then.
        said: String,
    },
    /// Announces a sentence to screen readers.
    Announce(String),
    /// Applies and stores the theme.
    ShowTheme(Theme),
    /// Moves the cursor to a line, from 1, of the file in the editor.
    FocusLine(u32),
    /// Moves the editor's cursor to the declaration of the name at the cursor.
    FocusDefinition,
    /// Shows a part of the setup panel, and focuses it.
    FocusPart(SetUpPart),
    /// Focuses the picture of a pane.
    FocusPane(Pane),
    /// Reads a lesson's file, and reports it with `LessonEdit::Arrived`. Unless the lesson is part of the page
    /// ([`LessonAddress::reach`]), the reader allows the request first.
    ReadLesson {
        /// Where the lesson is read from. Its text is the id of the report.
        address: LessonAddress,
        /// The step to show, from 0.
        step: usize,
    },
    /// Reads the list of courses, and reports it with `LessonEdit::Listed`.
    ReadCourses,
    /// Reads the claims of the tuning guides.
    ReadClaims,
    /// Reads the glossary's terms, and reports them with `GlossaryEdit::Listed`.
    ReadGlossary,
    /// Reads a published lecture, and reports it with `LectureEdit::Arrived`.
    ReadLecture(String),
    /// Enters or leaves full screen for the presenter.
    Presenter(bool),
    /// Opens the notes window with this link, and reports with `LectureEdit::Blocked` if the browser blocks it.
    NotesWindow(String),
    /// Shows the next or the previous chapter in the notes window.
    TurnPage(i32),
    /// Prints the page.
    Print,
    /// Focuses the text of the shown note, and selects it.
    FocusNote,
    /// Changes the stored progress in lessons, and reports all progress with `LessonEdit::Progress`.
    KeepProgress(lessons::ProgressChange),
    /// Saves the picture at twice its size under a name.
    SavePicture(String),
    /// Saves the picture as SVG under a name.
    SaveDrawing(String),
    /// Saves the run's events under a name, and reports the result with `Event::Saved`.
    SaveTrace(String),
    /// Makes a film, and reports it with `Event::Film`.
    MakeFilm(Box<film::FilmPlan>),
    /// Ends the film that is being made.
    CancelFilm,
    /// Toggles full screen for the stage.
    FullScreen,
    /// Saves text under a name.
    SaveText {
        /// The file's name.
        name: String,
        /// Its contents.
        text: String,
    },
}

impl Session {
    /// The view of a pane, if the pane exists.
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

    /// The active pane.
    pub fn active(&self) -> Pane {
        if self.is_side_by_side() {
            Pane::at(self.active_side())
        } else if self.ui.split.is_some() && self.active == Pane::Second {
            Pane::Second
        } else {
            Pane::First
        }
    }

    /// The active pane's view.
    pub fn active_view(&self) -> View {
        self.view_in(self.active()).unwrap_or(self.ui.view)
    }

    /// Whether a view is on the stage.
    pub fn shows(&self, view: View) -> bool {
        self.ui.view == view || self.ui.split == Some(view)
    }

    /// Width of a view's picture on the stage, or the width it would have there.
    pub fn width_of(&self, view: View) -> f32 {
        let mut panes = Pane::ALL.into_iter().filter(|_| !self.is_side_by_side());
        let pane = panes.find(|pane| self.view_in(*pane) == Some(view));
        self.ui.widths[pane.unwrap_or(self.active()).idx()]
    }

    /// Whether a pane shows its table instead of its picture.
    pub fn has_table(&self, pane: Pane) -> bool {
        let idx = if self.is_comparing() { 0 } else { pane.idx() };
        self.ui.tables.get(idx).is_some_and(|table| *table)
    }

    /// Whether ticks are needed: during playback, or while an edit waits to be compiled. Runs in workers do not need
    /// ticks.
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

    /// Whether an edit waits for a tick to be compiled.
    pub fn is_edited(&self) -> bool {
        self.edit_ms.is_some() || self.typed_ms.is_some()
    }

    /// The requested, unfinished runs, the active side's first.
    pub fn jobs(&self) -> Vec<Job> {
        let others = self.derived_all().filter_map(Derived::job);
        let own = self.derived().job();
        let is_own = |job: &Job| own.as_ref().is_some_and(|own| own.number == job.number);
        let mut jobs: Vec<Job> = others.collect();
        jobs.sort_by_key(|job| !is_own(job));
        jobs.extend(self.checks.runs.jobs());
        jobs.extend(self.devices.jobs());
        jobs.extend(self.streams.jobs());
        jobs.extend(self.causes.runs.jobs());
        jobs.extend(self.sweep_jobs());
        jobs.extend(self.advice_jobs());
        jobs
    }

    /// The pending requests to the compiler with their numbers, the most urgent first.
    pub fn requests(&self) -> Vec<(u64, &compiler::Request)> {
        // The active side comes first, and a second time among all sides.
        let sides = std::iter::once(self.side()).chain(&self.sides);
        let compilations = sides
            .clone()
            .map(|side| &side.derived)
            .chain(self.sweep_derived())
            .chain(self.advice_derived());
        let hosts = sides.filter_map(|side| side.host.request());
        let mut all: Vec<(u64, &compiler::Request)> = Vec::new();
        for request in compilations.filter_map(Derived::request).chain(hosts) {
            if all.iter().all(|(number, _)| *number != request.0) {
                all.push(request);
            }
        }
        all
    }

    /// Handles the response to request `number`; a response that is no longer requested is ignored.
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
        if taken.is_none() && !self.sweep_compiled(number, &data) && !self.advice_compiled(number, &data) {
            // Host code that cannot be read contains no launches.
            return self.host_read(number, Vec::new());
        }
        self.follow_runs();
        Vec::new()
    }

    /// Handles a worker's progress of run `number`, and the newly simulated part.
    pub fn receive(&mut self, number: u64, report: Report, segment: Option<Segment>) {
        let mut segment = segment;
        for derived in self.derived_all_mut() {
            if derived.is_requested(number) {
                derived.receive(number, report, segment.take());
            }
        }
        self.receive_sweep(number, report, &mut segment);
        self.receive_advice(number, report, &mut segment);
        self.checks.runs.receive(number, report);
        self.devices.receive(number, report);
        self.streams.receive(number, report);
        self.causes.runs.receive(number, report);
        self.follow_sweep();
        self.follow_advice();
        self.follow_cause();
        self.follow_checks();
        self.follow_runs();
        self.follow_end();
        self.follow_waiting_blocks();
    }

    /// Handles the loss of run `number`'s worker. The received part stays.
    pub fn lost(&mut self, number: u64, why: &str) {
        for derived in self.derived_all_mut() {
            derived.lose(number, why);
        }
        self.lose_sweep(number, why);
        self.lose_advice(number, why);
        self.checks.runs.lose(number, why);
        self.devices.lose(number, why);
        self.streams.lose(number, why);
        self.causes.runs.lose(number, why);
        // Further runs take the worker's place.
        self.follow_sweep();
        self.follow_advice();
        self.follow_cause();
        self.follow_checks();
        self.follow_runs();
    }

    /// Handles the findings of checks.
    pub fn checked(&mut self, number: u64, report: check::Report) {
        self.checks.runs.done(number, report);
    }

    /// Handles the record of a launch on a device.
    pub fn device_done(&mut self, number: u64, trace: DeviceTrace) {
        self.devices.done(number, trace);
    }

    /// Handles the record of a host program.
    pub fn streams_done(&mut self, number: u64, record: StreamsRecord) {
        self.streams.done(number, record);
    }

    /// Pauses or resumes all compilations and runs.
    fn let_go_on(&mut self, goes_on: bool) {
        let toolchain = self.toolchain;
        for side in &mut self.sides {
            if goes_on {
                side.derived.compile_again(toolchain);
            } else if side.derived.is_compiling() {
                side.derived.stop_compilation();
                // The same text, with the same parser.
                side.host.stop();
            }
        }
        for derived in self.derived_all_mut() {
            derived.let_go_on(goes_on);
        }
        self.follow_runs();
    }

    /// Simulates up to `cycles` more cycles of each run on this thread. Returns whether any run is unfinished.
    pub fn work(&mut self, cycles: u64) -> bool {
        let mut more = false;
        for derived in self.derived_all_mut() {
            more |= derived.advance(cycles);
        }
        if !more {
            self.follow_checks();
            more = self.checks.runs.work(f64::INFINITY, || 0.0);
        }
        if !more {
            more = self.devices.work(f64::INFINITY, || 0.0);
        }
        if !more {
            more = self.streams.work(f64::INFINITY, || 0.0);
        }
        if !more {
            self.follow_cause();
            more = self.causes.runs.work(f64::INFINITY, || 0.0);
        }
        if !more {
            more = self.work_sweep(|derived| derived.advance(cycles));
        }
        if !more {
            more = self.work_advice(|derived| derived.advance(cycles));
        }
        self.follow_runs();
        self.follow_end();
        more |= self.follow_waiting_blocks();
        if self.is_answer_ready() {
            update(self, Event::Lesson(LessonEdit::Ready));
        }
        more
    }

    /// Clears selections that belong to the previous cycle.
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

    /// Scrolls the Source view to the selected warp's line.
    fn follow_warp_in_code(&mut self) {
        (self.ui.state.top_line, self.ui.state.top_pc) = (None, None);
        self.ui.state.follows_warp = true;
    }

    /// Explains an item of the Timeline instead of the range; other views keep the range.
    fn leave_range(&mut self) {
        if self.active_view() == View::Timeline {
            self.set_range(None);
        }
    }

    /// Stops the Timeline from following the cycle after a click.
    fn hold_timeline(&mut self) {
        if self.shows(View::Timeline)
            && let Some((scale, _)) = self.derived().timeline_scale(self)
        {
            self.ui.state.timeline_start = Some(Cycle(scale.start));
        }
    }
}
