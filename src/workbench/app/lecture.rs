//! The lecture: its chapters, the presenter, and the notes on the picture.

mod chapters;
mod notes;
mod present;
mod shared;
#[cfg(test)]
mod tests;

use super::{Effect, Event, FileEdit, KEEP_PAUSE_MS, Session};
use crate::share::{Anchor, Chapter, Lecture, PictureNote, Present, QrPlace};

pub use chapters::is_lecture_file;
pub(super) use present::close;
pub use shared::Shared;

/// A stroke drawn on the picture: points in shares of the picture's width and height.
pub type Stroke = Vec<(f32, f32)>;

/// An event of the lecture.
#[derive(Clone, Debug, PartialEq)]
pub enum LectureEdit {
    /// Shows the chapter at an index.
    Go(usize),
    /// Shows the next chapter or the previous one.
    Beside(i32),
    /// Adds what is on screen as a chapter, after the chapter that was shown last.
    Add,
    /// Replaces what a chapter shows with what is on screen.
    Retake(usize),
    /// Renames a chapter.
    Title(usize, String),
    /// Sets the speaker notes of a chapter.
    Text(usize, String),
    /// Moves a chapter by some places.
    Move(usize, i32),
    /// Removes a chapter.
    Remove(usize),
    /// Removes all chapters.
    Clear,
    /// Opens a published lecture at a chapter.
    Open(String, usize),
    /// The text of a published lecture arrived, or the reason why it did not.
    Arrived {
        /// The id.
        id: String,
        /// The text of the file.
        text: Result<String, String>,
    },
    /// Takes the chapters of a file.
    Import(Result<String, String>),
    /// Saves the chapters as a file.
    Export,
    /// Enters or leaves the presenter.
    Present,
    /// Leaves the presenter.
    Leave,
    /// Blanks the screen, or shows the picture again.
    Blank,
    /// Switches the spotlight.
    Spotlight,
    /// Freezes the picture, or follows again.
    Freeze,
    /// Shows the QR code on the whole screen, or hides it.
    Qr,
    /// Shows the QR code in the corner, or hides it.
    QrCorner,
    /// Opens the notes window.
    NotesWindow,
    /// Another window of the lecture is open, or not.
    Attached(bool),
    /// The browser blocked the notes window; its address.
    Blocked(String),
    /// Another window of the lecture shows this.
    Follow(Box<Shared>),
    /// Switches the pen.
    Draw,
    /// Begins a stroke.
    Stroke(f32, f32),
    /// Continues the last stroke.
    StrokeTo(f32, f32),
    /// Removes the last stroke.
    UndoStroke,
    /// Removes all strokes.
    ClearStrokes,
    /// Keeps strokes when the chapter changes, or not.
    KeepStrokes,
    /// An event of the notes on the picture.
    Note(NoteEdit),
    /// Prints the handout.
    Print,
    /// The browser prints, or has printed.
    Printing(bool),
}

/// An event of the notes on the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum NoteEdit {
    /// The next click on a picture places a note; a second time, it does not.
    Place,
    /// Places the note.
    At(Anchor),
    /// Sets the text of a note; an empty text removes the note.
    Text(usize, String),
    /// Shows the text of a note, or hides it.
    Show(Option<usize>),
    /// The next click on a picture moves this note.
    Move(usize),
    /// Moves a note, as a drag does.
    Put(usize, Anchor),
    /// Removes a note.
    Remove(usize),
}

/// The state of the lecture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LectureState {
    /// The chapters.
    pub chapters: Vec<Chapter>,
    /// The chapter that was shown last.
    pub at: Option<usize>,
    /// How this window presents.
    pub present: Present,
    /// Where the QR code is shown.
    pub qr: QrPlace,
    /// The published lecture that was opened last, with its chapters once they have arrived.
    published: Option<(String, Option<Vec<Chapter>>)>,
    /// The chapter to show when the published lecture arrives.
    stop: Option<usize>,
    /// Whether the screen is black.
    pub blank: bool,
    /// Whether the spotlight is on.
    pub spotlight: bool,
    /// Whether the pen is on.
    pub draws: bool,
    /// Whether strokes stay when the chapter changes.
    pub keeps: bool,
    /// The strokes on the picture.
    pub strokes: Vec<Stroke>,
    /// Whether the picture is frozen while the notes window goes on.
    pub frozen: bool,
    /// In the notes window: whether the presenter is frozen.
    pub audience_frozen: bool,
    /// What the notes window shows while the presenter is frozen.
    ahead: Option<Box<Shared>>,
    /// Whether another window of the lecture is open.
    pub attached: bool,
    /// The address of a notes window that the browser blocked.
    pub blocked: Option<String>,
    /// The notes on the picture.
    pub notes: Vec<PictureNote>,
    /// The note that the next click places: a new one, or an existing one.
    pub placing: Option<Option<usize>>,
    /// The note whose text is shown.
    pub shown_note: Option<usize>,
    /// Whether the handout is being printed.
    pub printing: bool,
}

impl LectureState {
    /// Whether this window is the presenter or the notes window.
    pub fn is_presenting(&self) -> bool {
        self.present != Present::Off
    }

    /// The chapter that was shown last.
    pub fn current(&self) -> Option<&Chapter> {
        self.chapters.get(self.at?)
    }

    /// The chapter after the current one; the first one if none was shown.
    pub fn next(&self) -> Option<&Chapter> {
        self.chapters.get(self.at.map_or(0, |at| at + 1))
    }

    /// The id of the published lecture, if its chapters are unchanged or have not arrived.
    pub fn published_id(&self) -> Option<&str> {
        let (id, chapters) = self.published.as_ref()?;
        let is_it = chapters
            .as_ref()
            .is_none_or(|chapters| *chapters == self.chapters);
        is_it.then_some(id)
    }

    /// The lecture of the link.
    pub(super) fn link(&self) -> Lecture {
        let published = self.published_id().map(str::to_owned);
        Lecture {
            chapters: if published.is_some() {
                Vec::new()
            } else {
                self.chapters.clone()
            },
            published,
            stop: self.stop,
            at: self.at,
            present: self.present,
            qr: self.qr,
        }
    }

    /// Loads the lecture of a link. The chapters of a published lecture are kept or arrive later.
    pub(super) fn load(&mut self, lecture: Lecture, notes: Vec<PictureNote>) {
        let Lecture {
            published,
            stop,
            chapters,
            at,
            present,
            qr,
        } = lecture;
        self.stop = stop.filter(|_| published.is_some());
        if let Some(id) = published {
            let read = self.published.take().filter(|(other, _)| *other == id);
            self.chapters = read
                .as_ref()
                .and_then(|(_, read)| read.clone())
                .unwrap_or_default();
            self.published = Some(read.unwrap_or((id, None)));
        } else {
            self.chapters = chapters;
            // A published lecture that has not arrived is not in this link.
            self.published = self.published.take().filter(|(_, read)| read.is_some());
        }
        self.at = at.filter(|at| self.awaits() || *at < self.chapters.len());
        (self.present, self.qr, self.notes) = (present, qr, notes);
        if present == Present::Off {
            (self.blank, self.spotlight, self.draws) = (false, false, false);
            (self.frozen, self.ahead) = (false, None);
            self.strokes.clear();
        }
        self.placing = None;
        self.shown_note = None;
    }

    /// Whether the chapters of a published lecture have not arrived.
    fn awaits(&self) -> bool {
        matches!(self.published, Some((_, None)))
    }
}

/// Handles an event.
pub(super) fn edit(session: &mut Session, edit: LectureEdit) -> Vec<Effect> {
    match edit {
        LectureEdit::Note(edit) => notes::edit(session, edit),
        LectureEdit::Go(_)
        | LectureEdit::Beside(_)
        | LectureEdit::Add
        | LectureEdit::Retake(_)
        | LectureEdit::Title(..)
        | LectureEdit::Text(..)
        | LectureEdit::Move(..)
        | LectureEdit::Remove(_)
        | LectureEdit::Clear
        | LectureEdit::Open(..)
        | LectureEdit::Arrived { .. }
        | LectureEdit::Import(_)
        | LectureEdit::Export => chapters::edit(session, edit),
        other => present::edit(session, other),
    }
}

/// Reads the published lecture of a link, unless it was read, and shows its chapter.
pub(super) fn follow_link(session: &mut Session) -> Vec<Effect> {
    let lecture = &session.ui.lecture;
    match &lecture.published {
        Some((id, None)) => vec![Effect::ReadLecture(id.clone())],
        Some(_) => match lecture.stop {
            Some(stop) => chapters::go(session, stop),
            None => Vec::new(),
        },
        None => Vec::new(),
    }
}

/// The lecture in a list of files, if the list is one lecture.
pub(super) fn in_files(edit: &FileEdit) -> Option<LectureEdit> {
    let FileEdit::Open(files) = edit else {
        return None;
    };
    let [file] = files.as_slice() else {
        return None;
    };
    let bytes = file.content.as_ref().ok()?;
    let text = std::str::from_utf8(bytes).ok()?;
    is_lecture_file(&file.path, text).then(|| LectureEdit::Import(Ok(text.to_owned())))
}

/// Whether an event must not change a frozen picture. Then it goes to the notes window, if there is one.
pub(super) fn is_frozen_for(session: &Session, event: &Event) -> bool {
    session.ui.lecture.frozen && !present::is_free_while_frozen(event)
}

/// What happens to an event while the picture is frozen.
pub(super) fn refuse(session: &mut Session, event: Event) -> Vec<Effect> {
    if let (Event::Lecture(LectureEdit::Beside(step)), true) = (&event, session.ui.lecture.attached) {
        return vec![Effect::TurnPage(*step)];
    }
    session.say("The picture is frozen. Press F to show the current chapter again.");
    Vec::new()
}

/// Places or moves a note by a click on an item, if the next click does that.
pub(super) fn click(session: &mut Session, target: crate::scene::Target) -> Option<Vec<Effect>> {
    session.ui.lecture.placing?;
    let anchor = Anchor::of(target)?;
    Some(notes::edit(session, NoteEdit::At(anchor)))
}

/// Changes the lecture as an undoable step. The selection and the cycle stay.
fn change(session: &mut Session, change: impl FnOnce(&mut LectureState)) -> Vec<Effect> {
    let before = session.link();
    change(&mut session.ui.lecture);
    let after = session.link();
    if (&after.lecture, &after.notes) == (&before.lecture, &before.notes) {
        return Vec::new();
    }
    session.history.push(before);
    session.keep_ms = Some(KEEP_PAUSE_MS);
    vec![Effect::PushLink]
}
