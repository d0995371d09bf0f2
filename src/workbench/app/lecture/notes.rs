//! The notes on the picture.

use super::{NoteEdit, change};
use crate::app::{Effect, Session};
use crate::scene::{Table, thousands};
use crate::share::{Anchor, PictureNote};

/// The text of a note that was placed and not written yet.
const NEW: &str = "Note";

/// Handles an event of the notes.
pub(super) fn edit(session: &mut Session, edit: NoteEdit) -> Vec<Effect> {
    match edit {
        NoteEdit::Place => {
            let lecture = &mut session.ui.lecture;
            lecture.placing = if lecture.placing.is_some() {
                None
            } else {
                Some(None)
            };
            session.ui.panel = None;
            hint(session)
        }
        NoteEdit::Move(idx) => {
            session.ui.lecture.placing = Some(Some(idx));
            session.ui.panel = None;
            hint(session)
        }
        NoteEdit::At(anchor) => {
            let mut shown = None;
            let effects = change(session, |lecture| {
                let moved = lecture.placing.take().flatten();
                if let Some(note) = moved.and_then(|idx| lecture.notes.get_mut(idx)) {
                    note.anchor = anchor;
                    shown = moved;
                } else {
                    lecture.notes.push(PictureNote {
                        anchor,
                        text: NEW.to_owned(),
                    });
                    shown = Some(lecture.notes.len() - 1);
                }
            });
            session.ui.lecture.shown_note = shown;
            effects.into_iter().chain([Effect::FocusNote]).collect()
        }
        NoteEdit::Put(idx, anchor) => {
            session.ui.lecture.placing = None;
            change(session, |lecture| {
                if let Some(note) = lecture.notes.get_mut(idx) {
                    note.anchor = anchor;
                }
            })
        }
        NoteEdit::Text(idx, text) => change(session, |lecture| {
            let text = text.trim();
            if text.is_empty() && idx < lecture.notes.len() {
                lecture.notes.remove(idx);
                lecture.shown_note = None;
            } else if let Some(note) = lecture.notes.get_mut(idx) {
                text.clone_into(&mut note.text);
            }
        }),
        NoteEdit::Show(idx) => {
            let lecture = &mut session.ui.lecture;
            lecture.shown_note = idx.filter(|_| lecture.shown_note != idx);
            Vec::new()
        }
        NoteEdit::Remove(idx) => change(session, |lecture| {
            if idx < lecture.notes.len() {
                lecture.notes.remove(idx);
            }
            lecture.shown_note = None;
        }),
    }
}

/// Says what the next click does.
fn hint(session: &mut Session) -> Vec<Effect> {
    if session.ui.lecture.placing.is_none() {
        return Vec::new();
    }
    session.say("Click the place for the note, or select an item with , and . and press Enter. Esc cancels.");
    vec![Effect::FocusPane(session.active())]
}

/// Ends the placing of a note. Returns whether one was being placed, or its text was shown.
pub(super) fn cancel(session: &mut Session) -> bool {
    let lecture = &mut session.ui.lecture;
    lecture.placing.take().is_some() || lecture.shown_note.take().is_some()
}

impl Session {
    /// What a note is about, in words.
    pub fn anchor_name(&self, anchor: Anchor) -> String {
        match anchor {
            Anchor::Warp(slot) => self
                .derived()
                .warp_name(slot, self.cycle())
                .unwrap_or_else(|| format!("warp slot {slot}")),
            Anchor::Cycle(cycle) => format!("cycle {}", thousands(cycle)),
            Anchor::WarpAt(slot, cycle) => format!("warp slot {slot}, cycle {}", thousands(cycle)),
            Anchor::Scheduler(scheduler) => format!("scheduler {scheduler}"),
            Anchor::Pipe(scheduler, pipe) => format!("pipe {} of scheduler {scheduler}", pipe + 1),
            Anchor::Lane(lane) => format!("lane {lane}"),
            Anchor::Bank(bank) => format!("bank {bank}"),
            Anchor::Word(offset) => format!("word at byte {offset:#x}"),
            Anchor::Line(line) => format!("line {line}"),
            Anchor::Instruction(pc) => format!("instruction {pc}"),
            Anchor::Place(view, ..) => format!("a place in {}", view.name()),
        }
    }

    /// The notes on the picture as a table; `None` without notes.
    pub fn notes_table(&self) -> Option<Table> {
        let notes = &self.ui.lecture.notes;
        let row = |(idx, note): (usize, &PictureNote)| {
            vec![
                (idx + 1).to_string(),
                self.anchor_name(note.anchor),
                note.text.clone(),
            ]
        };
        (!notes.is_empty()).then(|| Table {
            columns: ["Note", "About", "Text"].map(str::to_owned).to_vec(),
            rows: notes.iter().enumerate().map(row).collect(),
        })
    }
}
