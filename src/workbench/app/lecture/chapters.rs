//! The chapters: showing, editing, reading, and writing them.

use super::{LectureEdit, change};
use crate::app::{Effect, Session};
use crate::lecture::{LectureFile, lecture_text, stop_of};
use crate::scene::thousands;
use crate::share::{Chapter, MAX_CHAPTERS, Scenario, Setup};

/// Whether a file is a lecture: a TOML file with chapters, or a text file with links.
pub fn is_lecture_file(path: &str, text: &str) -> bool {
    let end = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match end.as_str() {
        "toml" => text.contains("[[chapter]]"),
        "txt" => LectureFile::is_lecture(text),
        _ => false,
    }
}

/// Handles an event of the chapters.
pub(super) fn edit(session: &mut Session, edit: LectureEdit) -> Vec<Effect> {
    match edit {
        LectureEdit::Go(idx) => go(session, idx),
        LectureEdit::Beside(step) => beside(session, step),
        LectureEdit::Add => add(session),
        LectureEdit::Retake(idx) => {
            let scenario = stop_of(session.link());
            on_chapter(session, idx, |chapter| chapter.scenario = scenario)
        }
        LectureEdit::Title(idx, title) => on_chapter(session, idx, |chapter| {
            title.trim().clone_into(&mut chapter.title);
        }),
        LectureEdit::Text(idx, text) => {
            on_chapter(session, idx, |chapter| text.trim().clone_into(&mut chapter.text))
        }
        LectureEdit::Move(idx, by) => {
            let to = idx as i64 + i64::from(by);
            change(session, |lecture| {
                let num = lecture.chapters.len();
                let Some(to) = usize::try_from(to).ok().filter(|to| *to < num && idx < num) else {
                    return;
                };
                let chapter = lecture.chapters.remove(idx);
                lecture.chapters.insert(to, chapter);
                lecture.at = lecture.at.map(|at| moved(at, idx, to));
            })
        }
        LectureEdit::Remove(idx) => change(session, |lecture| {
            if idx < lecture.chapters.len() {
                lecture.chapters.remove(idx);
                lecture.at = lecture.at.and_then(|at| match at {
                    at if at == idx => None,
                    at if at > idx => Some(at - 1),
                    at => Some(at),
                });
            }
        }),
        LectureEdit::Clear => change(session, |lecture| {
            lecture.chapters.clear();
            lecture.at = None;
        }),
        LectureEdit::Open(id, stop) => open(session, id, stop),
        LectureEdit::Arrived { id, text } => arrived(session, &id, text),
        LectureEdit::Import(text) => import(session, text),
        LectureEdit::Export => vec![Effect::SaveText {
            name: "warpscope-lecture.toml".to_owned(),
            text: lecture_text(&session.name(), &session.ui.lecture.chapters),
        }],
        _ => Vec::new(),
    }
}

/// The index of a chapter after another one moved.
fn moved(at: usize, from: usize, to: usize) -> usize {
    match at {
        at if at == from => to,
        at if from < at && at <= to => at - 1,
        at if to <= at && at < from => at + 1,
        at => at,
    }
}

/// Changes a chapter as an undoable step.
fn on_chapter(session: &mut Session, idx: usize, edit: impl FnOnce(&mut Chapter)) -> Vec<Effect> {
    change(session, |lecture| {
        if let Some(chapter) = lecture.chapters.get_mut(idx) {
            edit(chapter);
        }
    })
}

/// Shows a chapter beside the reader's layout.
pub(super) fn go(session: &mut Session, idx: usize) -> Vec<Effect> {
    let Some(chapter) = session.ui.lecture.chapters.get(idx) else {
        return Vec::new();
    };
    let scenario = (*chapter.scenario).clone();
    let title = chapter.title.clone();
    let lecture = &mut session.ui.lecture;
    lecture.stop = None;
    lecture.at = Some(idx);
    if !lecture.keeps {
        lecture.strokes.clear();
    }
    let number = format!("Chapter {} of {}", idx + 1, lecture.chapters.len());
    session.ui.lessons.open = None;
    show(session, scenario);
    let sentence = session.sentence(None);
    vec![
        Effect::PushLink,
        Effect::Announce(format!("{number}: {title}. {sentence}")),
    ]
}

/// Loads a scenario beside the reader's layout and the lecture.
pub(super) fn show(session: &mut Session, scenario: Scenario) {
    let now = session.link();
    let mut layout = now.layout;
    layout.tables = scenario.layout.tables;
    layout.active = scenario.layout.active;
    layout.share = scenario.layout.share;
    session.load(Scenario {
        layout,
        lecture: now.lecture,
        name: scenario.name.clone().or(now.name),
        ..scenario
    });
}

/// Shows the next or the previous chapter.
fn beside(session: &mut Session, step: i32) -> Vec<Effect> {
    let lecture = &session.ui.lecture;
    let num = lecture.chapters.len();
    if num == 0 {
        session.say("There are no chapters. Add one in the Chapters panel.");
        return Vec::new();
    }
    let to = match (lecture.at, step) {
        (None, _) => 0,
        (Some(at), step) => at as i64 + i64::from(step),
    };
    match usize::try_from(to).ok().filter(|to| *to < num) {
        Some(to) => go(session, to),
        None if step > 0 => {
            session.say("This is the last chapter.");
            Vec::new()
        }
        None => {
            session.say("This is the first chapter.");
            Vec::new()
        }
    }
}

/// Adds what is on screen as a chapter.
fn add(session: &mut Session) -> Vec<Effect> {
    if session.ui.lecture.chapters.len() >= MAX_CHAPTERS {
        session.say(format!("A lecture has at most {MAX_CHAPTERS} chapters."));
        return Vec::new();
    }
    let view = session.active_view().name();
    let chapter = Chapter {
        title: format!("{view}, cycle {}", thousands(session.cycle())),
        text: String::new(),
        minutes: 0,
        scenario: stop_of(session.link()),
    };
    let mut number = 0;
    let effects = change(session, |lecture| {
        let at = lecture.at.map_or(lecture.chapters.len(), |at| at + 1);
        lecture.chapters.insert(at, chapter);
        lecture.at = Some(at);
        number = at + 1;
    });
    session.say(format!("Added chapter {number}"));
    effects
}

/// Opens a published lecture at a chapter.
fn open(session: &mut Session, id: String, stop: usize) -> Vec<Effect> {
    let lecture = &mut session.ui.lecture;
    let read = lecture
        .published
        .take()
        .filter(|(other, read)| *other == id && read.is_some());
    session.ui.panel = None;
    let before = session.link();
    let lecture = &mut session.ui.lecture;
    lecture.at = None;
    if let Some((_, Some(chapters))) = &read {
        lecture.chapters.clone_from(chapters);
        lecture.published = read;
        session.history.push(before);
        return go(session, stop);
    }
    if !lecture.chapters.is_empty() {
        session.history.push(before);
    }
    let lecture = &mut session.ui.lecture;
    lecture.chapters.clear();
    lecture.published = Some((id.clone(), None));
    lecture.stop = Some(stop);
    vec![Effect::ReadLecture(id)]
}

/// Takes the chapters of a published lecture.
fn arrived(session: &mut Session, id: &str, text: Result<String, String>) -> Vec<Effect> {
    let is_awaited = matches!(&session.ui.lecture.published, Some((other, None)) if other == id);
    if !is_awaited {
        return Vec::new();
    }
    let file = text.and_then(|text| LectureFile::read(&text).map_err(|error| error.to_string()));
    let file = match file {
        Ok(file) => file,
        Err(message) => {
            session.ui.warnings = vec![format!("The lecture {id} cannot be opened: {message}")];
            session.ui.lecture.published = None;
            session.ui.lecture.stop = None;
            return Vec::new();
        }
    };
    let chapters = file.chapters();
    let lecture = &mut session.ui.lecture;
    let num = chapters.len();
    lecture.chapters.clone_from(&chapters);
    lecture.published = Some((id.to_owned(), Some(chapters)));
    lecture.at = lecture.at.filter(|at| *at < num);
    match lecture.stop.take() {
        Some(stop) if stop < num => go(session, stop),
        Some(stop) => {
            session.ui.warnings = vec![format!(
                "The lecture {id} has {num} chapters: chapter {} does not exist.",
                stop + 1
            )];
            go(session, 0)
        }
        None => Vec::new(),
    }
}

/// Takes the chapters of a file, and shows the first one.
fn import(session: &mut Session, text: Result<String, String>) -> Vec<Effect> {
    let file = text.and_then(|text| LectureFile::read(&text).map_err(|error| error.to_string()));
    match file {
        Ok(file) => {
            let mut effects = change(session, |lecture| {
                lecture.chapters = file.chapters();
                lecture.at = None;
            });
            session.say(format!("{} chapters opened", file.stops.len()));
            effects.extend(go(session, 0));
            effects
        }
        Err(message) => {
            session.ui.warnings = vec![format!("The lecture cannot be opened: {message}")];
            Vec::new()
        }
    }
}

impl Session {
    /// The chapters with the run that is shown: their indices and cycles, for the strip.
    pub fn chapters_on_strip(&self) -> Vec<(usize, u64)> {
        if self.is_comparing() {
            return Vec::new();
        }
        let chapters = self.ui.lecture.chapters.iter().enumerate();
        chapters
            .filter(|(_, chapter)| {
                chapter.scenario.compare.is_none() && Setup::of(&chapter.scenario) == self.sides[0].setup
            })
            .map(|(idx, chapter)| (idx, chapter.scenario.cycle))
            .collect()
    }
}
