//! The open lesson: its step, the reader's answers, and the progress on this device.

pub mod claims;
pub mod ladder;
mod rings;
pub mod search;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::streams::STREAMS_PREFIX;
use super::{Effect, Event, FileEdit, Session};
use crate::lesson::{Answer, Ask, Grade, Lesson, Run, Sight, Step, Task};
use crate::scene::{Target, thousands};
use crate::share::{LessonAddress, LessonLink, Panel, Scenario, Side, View};
use engine::sim::Outcome;
use engine::trace::device::PREFIX as DEVICE_PREFIX;

/// The id of a lesson that the reader opened from a file.
pub const OWN: &str = "own";
/// Follows the state of a run that an answer waits for.
const GRADED_LATER: &str = "The answer is graded when the run ends.";
/// Wrong answers after which the answer is shown.
const TRIES: u8 = 2;

/// An event of the lessons.
#[derive(Clone, Debug, PartialEq)]
pub enum LessonEdit {
    /// Opens a lesson by its id, `course/name`, or its address, at a step from 0.
    Open(String, usize),
    /// The text of a lesson arrived, or the reason why it did not.
    Arrived {
        /// The id or the address.
        id: String,
        /// The step to show, from 0.
        step: usize,
        /// The text of the file.
        text: Result<String, String>,
    },
    /// The reader did not allow to read the lesson of this address.
    Refused(String),
    /// The list of courses arrived, or the reason why it did not.
    Listed(Result<String, String>),
    /// Reads the list of courses again.
    Reread,
    /// The claims of the guides arrived, or the reason why they did not.
    Claims(Result<String, String>),
    /// Reads the claims of the guides again.
    RereadClaims,
    /// Shows the claims of the guides that match a text.
    ShowClaims(String),
    /// The text of the search field.
    Search(String),
    /// Opens the first lesson that the search finds.
    TakeFirst,
    /// Folds a course or a section of a guide, by its id, or unfolds it.
    Fold(String),
    /// The stored progress.
    Progress(String),
    /// The text of the number field.
    Draft(String),
    /// Selects an option.
    Pick(usize),
    /// Grades the answer, now or when the runs have ended.
    Check,
    /// Grades the answer that waited for the runs.
    Ready,
    /// Shows the hint.
    Hint,
    /// Shows the answer.
    Show,
    /// Goes to the next step, to the end of the lesson after the last one, and from the end to the next lesson.
    Next,
    /// Goes to the previous step.
    Back,
    /// Closes the lesson and restores the reader's scenario.
    Leave,
    /// Saves the progress as a file.
    Export,
    /// Forgets the progress.
    Forget,
}

/// The list of courses, as the page reads it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Course {
    /// The id, which is the folder's name.
    pub id: String,
    /// The heading.
    pub title: String,
    /// One sentence.
    pub summary: String,
    /// The lessons, in order.
    pub lessons: Vec<CourseLesson>,
}

/// A lesson in the list.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct CourseLesson {
    /// The name of its file, without the ending.
    pub id: String,
    /// The heading.
    pub title: String,
    /// One sentence.
    pub summary: String,
    /// The time that it takes, in minutes.
    pub minutes: u8,
    /// The number of its steps.
    pub steps: usize,
    /// The claims of the tuning guides that it makes visible.
    pub claims: Vec<String>,
    /// The lessons that a reader does first, as `course/name`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Words that a search finds beside the title and the summary: the terms that it teaches, and its headings.
    #[serde(default)]
    pub words: Vec<String>,
}

/// What the reader did in a lesson.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Progress {
    /// The number of steps that were finished.
    pub steps: usize,
    /// The number of questions answered right.
    pub right: usize,
    /// Whether the last step was finished.
    pub finished: bool,
}

impl Progress {
    /// The progress of two tabs together.
    fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps.max(other.steps),
            right: self.right.max(other.right),
            finished: self.finished || other.finished,
        }
    }
}

/// A change of the stored progress. Other tabs may have changed the progress since it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgressChange {
    /// Adds the progress in a lesson.
    Add(String, Progress),
    /// Forgets all progress.
    Clear,
}

impl ProgressChange {
    /// The stored text after the change of a stored text. A damaged text is an empty list.
    pub fn applied(&self, stored: &str) -> String {
        let mut all: BTreeMap<String, Progress> = serde_json::from_str(stored).unwrap_or_default();
        match self {
            Self::Add(id, progress) => {
                let stored = all.entry(id.clone()).or_default();
                *stored = stored.and(*progress);
            }
            Self::Clear => all.clear(),
        }
        serde_json::to_string(&all).unwrap_or_default()
    }
}

/// The state of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// Not answered: the answer is hidden. With the reasons of wrong answers.
    Asked(Vec<(String, String)>),
    /// The answer is shown, and whether the reader found it.
    Answered {
        /// Whether the reader's answer was right.
        right: bool,
        /// The reader's answer, if there is one.
        given: Option<String>,
    },
    /// The step has no question.
    Read,
}

/// An open lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenLesson {
    /// The id, `course/name`, or the address.
    pub id: String,
    /// The lesson.
    pub lesson: Lesson,
    /// The shown step, from 0.
    pub step: usize,
    /// Whether the page after the last step is shown.
    pub is_ended: bool,
    /// The state of its question.
    pub phase: Phase,
    /// The text of the number field.
    pub draft: String,
    /// The selected option.
    pub picked: Option<usize>,
    /// Whether the hint is shown.
    pub hint: bool,
    /// Why the last answer was not graded, or empty.
    pub invalid: String,
    /// The answer that is graded when the runs have ended.
    waiting: Option<Answer>,
    /// Which steps were answered right.
    right: Vec<bool>,
    /// The reader's scenario before the lesson.
    kept: Box<Scenario>,
}

impl OpenLesson {
    /// The shown step.
    pub fn shown(&self) -> &Step {
        &self.lesson.steps[self.step]
    }

    /// The question of the shown step.
    pub fn ask(&self) -> Option<&Ask> {
        self.shown().ask.as_ref()
    }

    /// Whether the page hides what would give the answer away.
    pub fn is_hiding(&self) -> bool {
        matches!(self.phase, Phase::Asked(_)) && self.shown().is_veiled()
    }

    /// Whether the page hides the transport, too.
    pub fn hides_run(&self) -> bool {
        self.is_hiding() && !self.shown().shows(Sight::Run)
    }

    /// Whether the picture that the text is about appears only after the answer.
    pub fn hides_picture(&self) -> bool {
        let step = self.shown();
        let has_picture = step.before.is_some() || step.shows(Sight::Picture);
        self.is_hiding() && !has_picture && step.scenario().view != View::Source
    }

    /// Whether the page hides the pane of the run that the question compares with.
    pub fn shows_own_run_alone(&self) -> bool {
        self.is_hiding() && self.shown().shows_own_run_alone()
    }

    /// How many questions were answered right since the lesson was opened, of how many.
    pub fn score(&self) -> (usize, usize) {
        let num = self.lesson.steps.iter().filter(|step| step.ask.is_some()).count();
        (self.right.iter().filter(|right| **right).count(), num)
    }

    /// Whether this is the last step.
    pub fn is_last(&self) -> bool {
        self.step + 1 == self.lesson.steps.len()
    }
}

/// The state of the lessons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lessons {
    /// The open lesson.
    pub open: Option<Box<OpenLesson>>,
    /// The list of courses, if it has arrived, or why it has not.
    pub courses: Option<Result<Vec<Course>, String>>,
    /// The progress by lesson.
    pub progress: BTreeMap<String, Progress>,
    /// The claims of the guides, if they have arrived, or why they have not.
    pub claims: Option<Result<Vec<claims::Guide>, String>>,
    /// The text of the search field.
    pub search: String,
    /// The courses and sections that the reader folded or unfolded, and whether each one is unfolded.
    pub folds: BTreeMap<String, bool>,
}

/// Handles an event.
pub(super) fn edit(session: &mut Session, edit: LessonEdit) -> Vec<Effect> {
    match edit {
        LessonEdit::Open(id, step) => match LessonAddress::read(&id) {
            Ok(address) => vec![Effect::ReadLesson { address, step }],
            Err(reason) => {
                session.ui.warnings = vec![format!("The lesson cannot be opened: {reason}.")];
                Vec::new()
            }
        },
        LessonEdit::Arrived { id, step, text } => arrived(session, id, step, text),
        LessonEdit::Refused(address) => {
            session.ui.warnings = vec![format!(
                "The lesson {address} was not loaded. Open its link again to load it."
            )];
            Vec::new()
        }
        LessonEdit::Listed(text) => {
            let courses = text.and_then(|text| {
                serde_json::from_str(&text)
                    .map_err(|error| format!("The list of lessons is damaged: {error}."))
            });
            session.ui.lessons.courses = Some(courses);
            Vec::new()
        }
        LessonEdit::Reread => {
            session.ui.lessons.courses = None;
            vec![Effect::ReadCourses]
        }
        LessonEdit::Claims(text) => {
            session.ui.lessons.claims = Some(text.and_then(|text| claims::read(&text)));
            Vec::new()
        }
        LessonEdit::RereadClaims => {
            session.ui.lessons.claims = None;
            vec![Effect::ReadClaims]
        }
        LessonEdit::ShowClaims(text) => {
            session.ui.lessons.search = text;
            session.ui.panel = Some(Panel::Guides);
            let mut effects = vec![Effect::ReplaceLink];
            effects.extend(read_lists(session));
            effects
        }
        LessonEdit::Search(text) => {
            session.ui.lessons.search = text;
            Vec::new()
        }
        LessonEdit::TakeFirst => search::take_first(session),
        LessonEdit::Fold(id) => {
            let is_open = session.is_unfolded(&id);
            session.ui.lessons.folds.insert(id, !is_open);
            Vec::new()
        }
        LessonEdit::Progress(text) => {
            // A damaged list is an empty list: it is only a record of what was read.
            session.ui.lessons.progress = serde_json::from_str(&text).unwrap_or_default();
            Vec::new()
        }
        LessonEdit::Export => vec![Effect::SaveText {
            name: "warpscope-lessons.json".to_owned(),
            text: progress_text(session),
        }],
        LessonEdit::Forget => {
            session.ui.lessons.progress.clear();
            vec![Effect::KeepProgress(ProgressChange::Clear)]
        }
        LessonEdit::Leave => leave(session),
        other => in_lesson(session, other),
    }
}

/// Reads the lists that the open panel shows, or the glossary for the heads of a table, unless they were read.
pub(super) fn read_lists(session: &Session) -> Vec<Effect> {
    let ui = &session.ui;
    let courses = (!matches!(ui.lessons.courses, Some(Ok(_)))).then_some(Effect::ReadCourses);
    let terms = (!matches!(ui.glossary.terms, Some(Ok(_)))).then_some(Effect::ReadGlossary);
    let claims = (!matches!(ui.lessons.claims, Some(Ok(_)))).then_some(Effect::ReadClaims);
    match ui.panel {
        Some(Panel::Lessons | Panel::Palette) => courses.into_iter().chain(terms).collect(),
        Some(Panel::Guides) => claims.into_iter().collect(),
        Some(Panel::Glossary) => terms.into_iter().collect(),
        _ if ui.tables.contains(&true) && ui.glossary.terms.is_none() => vec![Effect::ReadGlossary],
        _ => Vec::new(),
    }
}

/// Opens or closes the lesson of a link, and reads the list of an open panel.
pub(super) fn follow_link(session: &mut Session, link: Option<LessonLink>) -> Vec<Effect> {
    let mut effects = read_lists(session);
    match link.and_then(|link| Some((link.address?, link.step))) {
        Some((address, step)) => effects.push(Effect::ReadLesson { address, step }),
        None => session.ui.lessons.open = None,
    }
    effects
}

/// Whether an event would show the answer to the open question, or change the run that grades it.
pub(super) fn gives_away(session: &Session, event: &Event) -> bool {
    match event {
        Event::In(_, event) => gives_away(session, event),
        Event::Jump(_) | Event::NextOfWarp => session.hides_run(),
        Event::View(_)
        | Event::Split(_)
        | Event::SplitOrWhole
        | Event::Table
        | Event::Right
        | Event::Choose(_)
        | Event::Compare(_)
        | Event::Arch(_)
        | Event::Kernel(_)
        | Event::OwnKernel
        | Event::FollowNote
        | Event::Explain(_)
        | Event::Edit(_)
        | Event::Launch(..)
        | Event::Form(_)
        | Event::Option(_)
        | Event::Carveout(_)
        | Event::Undo
        | Event::Redo
        | Event::Panel(Panel::Explanation | Panel::Outputs | Panel::Find) => true,
        event => event.is_playback() && session.hides_run(),
    }
}

/// The lesson in a list of files, if the list is one lesson.
pub(super) fn in_files(edit: &FileEdit) -> Option<LessonEdit> {
    let FileEdit::Open(files) = edit else {
        return None;
    };
    let [file] = files.as_slice() else {
        return None;
    };
    if !file.path.to_ascii_lowercase().ends_with(".toml") {
        return None;
    }
    let text = file
        .content
        .clone()
        .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "The file is not text in UTF-8.".to_owned()));
    Some(LessonEdit::Arrived {
        id: OWN.to_owned(),
        step: 0,
        text,
    })
}

/// The progress as JSON.
fn progress_text(session: &Session) -> String {
    serde_json::to_string(&session.ui.lessons.progress).unwrap_or_default()
}

/// Opens a lesson whose text arrived.
fn arrived(session: &mut Session, id: String, step: usize, text: Result<String, String>) -> Vec<Effect> {
    let lesson = text.and_then(|text| Lesson::read(&text).map_err(|error| error.to_string()));
    let lesson = match lesson {
        Ok(lesson) => lesson,
        Err(message) => {
            if id != OWN {
                session.say("The lesson was not opened.");
                let again = Event::Lesson(LessonEdit::Open(id.clone(), step));
                session.ui.offer = Some(("Try again".to_owned(), again));
            }
            session.ui.warnings = vec![format!("The lesson {id} cannot be opened: {message}")];
            return Vec::new();
        }
    };
    let kept = match session.ui.lessons.open.take() {
        Some(open) => open.kept,
        None => Box::new(session.link()),
    };
    // The number after the last step is the end of the lesson.
    let is_ended = step == lesson.steps.len();
    let step = step.min(lesson.steps.len() - 1);
    let open = OpenLesson {
        id,
        right: vec![false; lesson.steps.len()],
        lesson,
        step,
        is_ended: false,
        phase: Phase::Read,
        draft: String::new(),
        picked: None,
        hint: false,
        invalid: String::new(),
        waiting: None,
        kept,
    };
    session.ui.lessons.open = Some(Box::new(open));
    session.ui.panel = None;
    let mut effects = show_step(session, step);
    if is_ended {
        effects.extend(end(session));
    }
    effects
}

/// Shows the page after the last step, beside the picture of that step.
fn end(session: &mut Session) -> Vec<Effect> {
    let Some(open) = &mut session.ui.lessons.open else {
        return Vec::new();
    };
    let was_hiding = open.is_hiding();
    open.is_ended = true;
    open.phase = Phase::Read;
    open.waiting = None;
    open.invalid.clear();
    let scenario = open.shown().scenario_after();
    let mut effects = if was_hiding {
        show_scenario(session, scenario)
    } else {
        vec![Effect::PushLink]
    };
    if !matches!(session.ui.lessons.courses, Some(Ok(_))) {
        effects.push(Effect::ReadCourses);
    }
    effects.push(Effect::Announce("The lesson is finished.".to_owned()));
    effects
}

/// Shows a step: its scenario, with what would answer its question hidden.
fn show_step(session: &mut Session, step: usize) -> Vec<Effect> {
    let Some(open) = &mut session.ui.lessons.open else {
        return Vec::new();
    };
    open.step = step;
    open.is_ended = false;
    open.draft.clear();
    open.picked = None;
    open.hint = false;
    open.invalid.clear();
    open.waiting = None;
    open.phase = match open.ask() {
        Some(_) => Phase::Asked(Vec::new()),
        None => Phase::Read,
    };
    let scenario = open.shown().scenario_before();
    show_scenario(session, scenario)
}

/// Loads a scenario of the lesson beside the reader's layout.
fn show_scenario(session: &mut Session, scenario: Scenario) -> Vec<Effect> {
    let now = session.link();
    let mut layout = now.layout;
    layout.tables = scenario.layout.tables;
    layout.active = scenario.layout.active;
    layout.panel = None;
    // The inspector states many answers, and takes the picture's place; the reader can open it after the answer.
    layout.right = Side::Closed;
    // The chapters and the presenter stay.
    session.load(Scenario {
        layout,
        lecture: now.lecture,
        ..scenario
    });
    session.show_ringed_line(&session.lesson_marks());
    vec![Effect::PushLink]
}

/// Closes the lesson, and shows what the reader saw before.
fn leave(session: &mut Session) -> Vec<Effect> {
    let Some(open) = session.ui.lessons.open.take() else {
        return Vec::new();
    };
    session.load(*open.kept);
    session.ui.panel = Some(Panel::Lessons);
    // The list shows where the reader is.
    if let Some((course, _)) = open.id.split_once('/') {
        session.ui.lessons.folds.insert(course.to_owned(), true);
    }
    session.ui.lessons.search.clear();
    let mut effects = vec![Effect::PushLink];
    effects.extend(read_lists(session));
    effects
}

/// Handles an event of the open lesson.
fn in_lesson(session: &mut Session, edit: LessonEdit) -> Vec<Effect> {
    let Some(open) = &mut session.ui.lessons.open else {
        return Vec::new();
    };
    match edit {
        LessonEdit::Draft(text) => {
            open.draft = text;
            open.invalid.clear();
            open.waiting = None;
            Vec::new()
        }
        LessonEdit::Pick(idx) => {
            open.picked = Some(idx);
            open.invalid.clear();
            open.waiting = None;
            Vec::new()
        }
        LessonEdit::Hint => {
            open.hint = true;
            Vec::new()
        }
        LessonEdit::Show if matches!(open.phase, Phase::Asked(_)) => reveal(session, false, None),
        LessonEdit::Check => {
            let answer = match open.ask().map(Ask::task) {
                Some(Task::Number(_)) => Answer::Number(open.draft.clone()),
                Some(Task::Choice(_)) => {
                    let Some(idx) = open.picked else {
                        "Select one of the answers.".clone_into(&mut open.invalid);
                        return Vec::new();
                    };
                    Answer::Choice(idx)
                }
                Some(Task::Edit(_)) => Answer::Edit,
                Some(Task::Click(task)) => {
                    open.invalid = format!("Click a {} in the picture.", task.kind);
                    return Vec::new();
                }
                None => return Vec::new(),
            };
            grade(session, &answer)
        }
        LessonEdit::Ready => match open.waiting.take() {
            Some(answer) => grade(session, &answer),
            None => Vec::new(),
        },
        LessonEdit::Next if open.is_ended => {
            let id = open.id.clone();
            let next = session.next_lesson(&id);
            let next = next.map(|next| LessonEdit::Open(next.id(), session.step_to_open(&next)));
            next.map_or_else(Vec::new, |next| self::edit(session, next))
        }
        LessonEdit::Next => {
            let finished = open.is_last();
            let step = open.step + 1;
            let mut effects = keep_progress(session, step, finished);
            effects.extend(if finished {
                end(session)
            } else {
                show_step(session, step)
            });
            effects
        }
        LessonEdit::Back if open.is_ended => {
            let step = open.step;
            show_step(session, step)
        }
        LessonEdit::Back if open.step > 0 => {
            let step = open.step - 1;
            show_step(session, step)
        }
        _ => Vec::new(),
    }
}

/// Takes a click on the picture as the answer, if the question needs one.
pub(super) fn click(session: &mut Session, target: Target) -> Vec<Effect> {
    let asks = session.ui.lessons.open.as_ref().is_some_and(|open| {
        matches!(open.phase, Phase::Asked(_)) && matches!(open.ask().map(Ask::task), Some(Task::Click(_)))
    });
    if asks {
        // A word stands for its bank.
        let banks = session.shown().frame().map(|frame| frame.banks());
        let target = match (target, banks) {
            (Target::Word(offset), Some(banks)) => Target::Bank(banks.bank(offset) as u8),
            (target, _) => target,
        };
        grade(session, &Answer::Click(target))
    } else {
        Vec::new()
    }
}

/// The value of a counter of one of the runs that a question names.
fn counter(session: &Session, run: Run, name: &str) -> Option<f64> {
    let side = match run {
        Run::Own => 0,
        Run::Other => 1,
    };
    let counters = if name.starts_with(DEVICE_PREFIX) {
        (side < session.sides.len()).then(|| session.device_counters(side))??
    } else if name.starts_with(STREAMS_PREFIX) {
        (side < session.sides.len())
            .then(|| session.streams_record(side))??
            .counters()
    } else {
        session.sides.get(side)?.derived.trace()?.counters()
    };
    counters
        .into_iter()
        .find(|counter| counter.name == name)
        .map(|counter| counter.value)
}

/// Why the runs cannot grade an answer.
enum NotReady {
    /// A run is in progress: a sentence about it.
    Runs(String),
    /// A run failed.
    Failed(String),
}

/// Why the runs cannot grade an answer yet, if so.
fn is_not_ready(session: &Session, is_edit: bool) -> Option<NotReady> {
    let failed = |text: &str| Some(NotReady::Failed(text.to_owned()));
    for side in &session.sides {
        let derived = &side.derived;
        if derived.is_running() {
            let cycle = thousands(derived.simulated_cycles());
            return Some(NotReady::Runs(format!("The run is in cycle {cycle}.")));
        }
        match derived.trace().and_then(|trace| trace.outcome()) {
            Some(Outcome::Finished) => {}
            // A lesson may show a run that faults.
            Some(_) if !is_edit => {}
            Some(_) => return failed("The run failed. Fix the kernel first."),
            None => return failed("There is no run. Fix the kernel first."),
        }
    }
    if session.lesson_needs_streams() {
        for side in 0..session.sides.len() {
            if session.streams_record(side).is_none() {
                let text = session.streams_sentence(side);
                return Some(if session.streams_failed(side) {
                    NotReady::Failed(text)
                } else {
                    NotReady::Runs(format!("{text}."))
                });
            }
        }
    }
    if !session.lesson_needs_device() {
        return None;
    }
    for side in 0..session.sides.len() {
        let Some(trace) = session.device_trace(side) else {
            let text = session.device_sentence(side);
            return Some(if session.device_failure(side).is_some() {
                NotReady::Failed(text)
            } else {
                NotReady::Runs(format!("{text}."))
            });
        };
        if is_edit && trace.outcome != Some(Outcome::Finished) {
            return failed("The device's run failed. Fix the kernel first.");
        }
    }
    None
}

fn grade(session: &mut Session, answer: &Answer) -> Vec<Effect> {
    let reason = is_not_ready(session, *answer == Answer::Edit);
    let Some(open) = &session.ui.lessons.open else {
        return Vec::new();
    };
    let Some(ask) = open.ask() else {
        return Vec::new();
    };
    let grade = match reason {
        Some(NotReady::Runs(sentence)) => {
            if let Some(open) = &mut session.ui.lessons.open {
                open.waiting = Some(answer.clone());
                open.invalid.clear();
            }
            let sentence = format!("{sentence} {GRADED_LATER}");
            return vec![Effect::Announce(sentence)];
        }
        Some(NotReady::Failed(reason)) => Grade::Invalid(reason),
        None => ask
            .grade(answer, &|run, name| counter(session, run, name))
            .unwrap_or_else(|error| Grade::Invalid(format!("The lesson has a mistake: {error}."))),
    };
    let given = match answer {
        Answer::Number(text) => text.trim().to_owned(),
        Answer::Choice(idx) => match ask.task() {
            Task::Choice(choice) => choice.options.get(*idx).cloned().unwrap_or_default(),
            _ => String::new(),
        },
        Answer::Click(target) => match ask.task() {
            Task::Click(click) => click
                .number_of(*target)
                .map_or_else(String::new, |number| format!("{} {number}", click.kind)),
            _ => String::new(),
        },
        Answer::Edit => String::new(),
    };
    let is_edit = *answer == Answer::Edit;
    match grade {
        Grade::Right => reveal(session, true, Some(given)),
        Grade::Invalid(message) => {
            if let Some(open) = &mut session.ui.lessons.open {
                open.invalid.clone_from(&message);
            }
            vec![Effect::Announce(message)]
        }
        Grade::Wrong(message) => {
            let Some(open) = &mut session.ui.lessons.open else {
                return Vec::new();
            };
            open.invalid.clear();
            open.draft.clear();
            open.picked = None;
            let Phase::Asked(wrong) = &mut open.phase else {
                return Vec::new();
            };
            if is_edit {
                wrong.clear();
            }
            wrong.push((given, message.clone()));
            // An edit may be tried again and again.
            if !is_edit && wrong.len() >= usize::from(TRIES) {
                return reveal(session, false, None);
            }
            vec![Effect::Announce(format!("Not right. {message}"))]
        }
    }
}

/// Shows the answer and its picture.
fn reveal(session: &mut Session, right: bool, given: Option<String>) -> Vec<Effect> {
    let Some(open) = &mut session.ui.lessons.open else {
        return Vec::new();
    };
    let was_hiding = open.is_hiding();
    open.phase = Phase::Answered { right, given };
    let (step, shown) = (open.step, open.shown().clone());
    if let Some(done) = open.right.get_mut(step) {
        *done |= right;
    }
    let Some(ask) = &shown.ask else {
        return Vec::new();
    };
    let said = format!("{} {}", if right { "Right." } else { "The answer:" }, ask.right);
    let mut effects = if was_hiding {
        show_scenario(session, shown.scenario_after())
    } else {
        Vec::new()
    };
    effects.push(Effect::Announce(said));
    effects
}

/// Records that a step is done.
fn keep_progress(session: &mut Session, steps: usize, finished: bool) -> Vec<Effect> {
    let lessons = &mut session.ui.lessons;
    let Some(open) = &lessons.open else {
        return Vec::new();
    };
    if open.id == OWN {
        return Vec::new();
    }
    let progress = lessons.progress.entry(open.id.clone()).or_default();
    progress.steps = progress.steps.max(steps);
    progress.right = progress
        .right
        .max(open.right.iter().filter(|right| **right).count());
    progress.finished |= finished;
    vec![Effect::KeepProgress(ProgressChange::Add(
        open.id.clone(),
        *progress,
    ))]
}

impl Session {
    /// Whether the open lesson's step shows the device, so that its answers are graded by the device's counters, too.
    pub(super) fn lesson_needs_device(&self) -> bool {
        let open = self.ui.lessons.open.as_ref();
        open.is_some_and(|open| open.shown().view_with_run() == Some(View::Device))
    }

    /// The same for the host program.
    pub(super) fn lesson_needs_streams(&self) -> bool {
        let open = self.ui.lessons.open.as_ref();
        open.is_some_and(|open| open.shown().view_with_run() == Some(View::Streams))
    }

    /// The state of the run that an answer waits for, if one waits.
    pub fn lesson_wait(&self) -> Option<String> {
        let open = self.ui.lessons.open.as_ref()?;
        let answer = open.waiting.as_ref()?;
        match is_not_ready(self, *answer == Answer::Edit)? {
            NotReady::Runs(sentence) => Some(format!("{sentence} {GRADED_LATER}")),
            NotReady::Failed(_) => None,
        }
    }

    /// Whether an answer waited for runs that have ended: [`LessonEdit::Ready`] grades it.
    pub fn is_answer_ready(&self) -> bool {
        let open = self.ui.lessons.open.as_ref();
        open.is_some_and(|open| open.waiting.is_some()) && self.lesson_wait().is_none()
    }

    /// Whether the page hides the run until a question is answered.
    pub fn is_hiding(&self) -> bool {
        self.ui.lessons.open.as_ref().is_some_and(|open| open.is_hiding())
    }

    /// Whether the page hides the transport until a question is answered.
    pub fn hides_run(&self) -> bool {
        self.ui.lessons.open.as_ref().is_some_and(|open| open.hides_run())
    }

    /// Whether the page hides the pane of the run that a question compares with, until it is answered.
    pub fn shows_own_run_alone(&self) -> bool {
        let open = self.ui.lessons.open.as_ref();
        open.is_some_and(|open| open.shows_own_run_alone())
    }

    /// The open lesson, as the link names it. A lesson from a file has no address.
    pub(super) fn lesson_in_link(&self) -> Option<LessonLink> {
        let open = self.ui.lessons.open.as_ref()?;
        // The id of a lesson from a file is no address.
        Some(LessonLink {
            address: Some(LessonAddress::read(&open.id).ok()?),
            step: open.step + usize::from(open.is_ended),
        })
    }
}

#[cfg(test)]
mod tests;
