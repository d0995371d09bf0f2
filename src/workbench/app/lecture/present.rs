//! The presenter: what it shows over the picture, and the notes window.

use super::{LectureEdit, shared};
use crate::app::{Effect, Event, LessonEdit, Session};
use crate::share::{LessonAddress, Panel, Present, QrPlace, encode};

/// Handles an event of the presenter.
pub(super) fn edit(session: &mut Session, edit: LectureEdit) -> Vec<Effect> {
    let lecture = &mut session.ui.lecture;
    match edit {
        LectureEdit::Present if lecture.present == Present::Off => enter(session),
        LectureEdit::Present | LectureEdit::Leave => leave(session),
        LectureEdit::Blank => {
            lecture.blank = !lecture.blank && lecture.is_presenting();
            let text = if lecture.blank {
                "The screen is black. Press the period key to show the picture."
            } else {
                "The picture is visible."
            };
            vec![Effect::Announce(text.to_owned())]
        }
        LectureEdit::Spotlight => {
            lecture.spotlight = !lecture.spotlight;
            lecture.draws = false;
            Vec::new()
        }
        LectureEdit::Draw => {
            lecture.draws = !lecture.draws;
            lecture.spotlight = false;
            Vec::new()
        }
        LectureEdit::Freeze => freeze(session),
        LectureEdit::Qr => {
            lecture.qr = match lecture.qr {
                QrPlace::Full => QrPlace::Off,
                QrPlace::Off | QrPlace::Corner => QrPlace::Full,
            };
            vec![Effect::ReplaceLink]
        }
        LectureEdit::QrCorner => {
            lecture.qr = match lecture.qr {
                QrPlace::Off => QrPlace::Corner,
                QrPlace::Corner | QrPlace::Full => QrPlace::Off,
            };
            vec![Effect::ReplaceLink]
        }
        LectureEdit::NotesWindow => {
            lecture.blocked = None;
            vec![Effect::NotesWindow(session.notes_window_link())]
        }
        LectureEdit::Attached(attached) => {
            lecture.attached = attached;
            if attached {
                lecture.blocked = None;
            }
            Vec::new()
        }
        LectureEdit::Blocked(address) => {
            lecture.blocked = Some(address);
            Vec::new()
        }
        LectureEdit::Follow(shared) => shared::follow(session, *shared),
        LectureEdit::Stroke(x, y) => {
            lecture.strokes.push(vec![(x, y)]);
            Vec::new()
        }
        LectureEdit::StrokeTo(x, y) => {
            if let Some(stroke) = lecture.strokes.last_mut() {
                stroke.push((x, y));
            }
            Vec::new()
        }
        LectureEdit::UndoStroke => {
            lecture.strokes.pop();
            Vec::new()
        }
        LectureEdit::ClearStrokes => {
            lecture.strokes.clear();
            Vec::new()
        }
        LectureEdit::KeepStrokes => {
            lecture.keeps = !lecture.keeps;
            session.say(if session.ui.lecture.keeps {
                "Drawings stay when the chapter changes."
            } else {
                "Drawings disappear when the chapter changes."
            });
            Vec::new()
        }
        LectureEdit::Print => {
            session.ui.panel = None;
            vec![Effect::Print]
        }
        LectureEdit::Printing(on) => {
            lecture.printing = on;
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Enters the presenter.
fn enter(session: &mut Session) -> Vec<Effect> {
    session.ui.lecture.present = Present::On;
    session.ui.panel = None;
    vec![Effect::Presenter(true), Effect::ReplaceLink]
}

/// Leaves the presenter.
fn leave(session: &mut Session) -> Vec<Effect> {
    let lecture = &mut session.ui.lecture;
    if lecture.present == Present::Off {
        return Vec::new();
    }
    let ahead = lecture.frozen.then(|| lecture.ahead.take()).flatten();
    lecture.present = Present::Off;
    lecture.qr = QrPlace::Off;
    (lecture.blank, lecture.spotlight, lecture.draws, lecture.frozen) = (false, false, false, false);
    lecture.strokes.clear();
    if let Some(ahead) = ahead {
        shared::follow(session, *ahead);
    }
    vec![Effect::Presenter(false), Effect::ReplaceLink]
}

/// Freezes the picture, or shows what the notes window shows now.
fn freeze(session: &mut Session) -> Vec<Effect> {
    let lecture = &mut session.ui.lecture;
    if lecture.present != Present::On {
        return Vec::new();
    }
    lecture.frozen = !lecture.frozen;
    if lecture.frozen {
        session.playback.pause();
        return vec![Effect::Announce("The picture is frozen.".to_owned())];
    }
    let ahead = lecture.ahead.take();
    let mut effects = vec![Effect::Announce("The picture is live again.".to_owned())];
    if let Some(ahead) = ahead {
        effects.extend(shared::follow(session, *ahead));
    }
    effects
}

/// Closes what is open over the presenter's picture; then leaves the presenter. `None`: this window does not present.
pub(crate) fn close(session: &mut Session) -> Option<Vec<Effect>> {
    if super::notes::cancel(session) {
        return Some(Vec::new());
    }
    let lecture = &mut session.ui.lecture;
    if lecture.present == Present::Off || session.ui.panel.is_some() {
        return None;
    }
    if lecture.blank {
        return Some(edit(session, LectureEdit::Blank));
    }
    if lecture.qr == QrPlace::Full {
        return Some(edit(session, LectureEdit::Qr));
    }
    // The notes window is closed as a window.
    Some(if lecture.present == Present::On {
        leave(session)
    } else {
        Vec::new()
    })
}

/// Events that do not change a frozen picture.
pub(super) fn is_free_while_frozen(event: &Event) -> bool {
    match event {
        Event::Tick(_)
        | Event::Responded(..)
        | Event::Open(_)
        | Event::Reopen(..)
        | Event::Notice(_)
        | Event::Say(_)
        | Event::Close
        | Event::Theme
        | Event::Point(_)
        | Event::Recent(_)
        | Event::Keep(_)
        | Event::Copied(_)
        | Event::Copy(..)
        | Event::CopyLink
        | Event::Activate(_)
        | Event::FullScreen
        | Event::Glossary(_)
        | Event::Lesson(LessonEdit::Progress(_) | LessonEdit::Listed(_))
        | Event::Panel(Panel::Keys) => true,
        Event::Lecture(edit) => !matches!(
            edit,
            LectureEdit::Go(_) | LectureEdit::Beside(_) | LectureEdit::Open(..) | LectureEdit::Import(_)
        ),
        Event::In(_, event) => is_free_while_frozen(event),
        _ => false,
    }
}

impl Session {
    /// The link of the notes window.
    pub fn notes_window_link(&self) -> String {
        let mut scenario = self.link();
        scenario.layout.panel = None;
        scenario.lecture.present = Present::Notes;
        scenario.lecture.qr = QrPlace::Off;
        encode(&scenario)
    }

    /// Short words for what is on screen, and what they leave out. `None`: the page publishes nothing like it.
    ///
    /// A static page stores nothing, so that only what is published with it has a short link.
    pub fn short_words(&self) -> Option<(String, &'static str)> {
        let lecture = &self.ui.lecture;
        let of_chapter = lecture.published_id().zip(lecture.at).zip(lecture.current());
        if let Some(((id, at), chapter)) = of_chapter {
            let is_it = chapter.scenario == crate::lecture::stop_of(self.link());
            let note = if is_it {
                ""
            } else {
                "Opens the chapter as it was published."
            };
            return Some((format!("#v1;lecture={id}/{}", at + 1), note));
        }
        if let Some(lesson) = self.lesson_in_link() {
            let step = if lesson.step > 0 {
                format!(";step={}", lesson.step + 1)
            } else {
                String::new()
            };
            let address = lesson.address.filter(LessonAddress::is_of_page)?;
            let link = format!("#v1;lesson={address}{step}");
            return Some((link, "Opens the step of the lesson."));
        }
        let mut scenario = self.link();
        scenario.layout = crate::share::Layout::default();
        scenario.lecture = crate::share::Lecture::default();
        let whole = encode(&scenario);
        if whole.len() <= SHORT && scenario.source.is_none() && scenario.notes.is_empty() {
            return Some((whole, ""));
        }
        if scenario.source.is_some() {
            return None;
        }
        let short = encode(&crate::share::Scenario {
            arch: scenario.arch,
            kernel: scenario.kernel,
            view: scenario.view,
            cycle: scenario.cycle,
            ..crate::share::Scenario::default()
        });
        Some((
            short,
            "Opens the kernel in this view, without your changes and notes.",
        ))
    }
}

/// The longest link that counts as short words, in characters.
const SHORT: usize = 64;
