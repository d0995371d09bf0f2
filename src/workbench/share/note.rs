//! Notes on the picture in links: `note=bank.3:All+lanes+read+here~banks.310.520:The+first+row`.

use serde::{Deserialize, Serialize};

use super::View;
use super::lecture::{escape_text, unescape_text};
use crate::scene::Target;

/// Limit of notes in a link. Assumption: a picture with more is unreadable.
const MAX_NOTES: usize = 100;

/// A note on the picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureNote {
    /// What the note is about.
    pub anchor: Anchor,
    /// The text.
    pub text: String,
}

/// What a note is about: an item, in every view that shows the item, or a place in a view's picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Anchor {
    /// A warp slot.
    Warp(u16),
    /// A cycle.
    Cycle(u64),
    /// A warp slot at a cycle.
    WarpAt(u16, u64),
    /// A scheduler.
    Scheduler(u8),
    /// A scheduler's pipe.
    Pipe(u8, u8),
    /// A lane.
    Lane(u8),
    /// A bank of shared memory.
    Bank(u8),
    /// A word of shared memory, by byte offset.
    Word(u32),
    /// A source line, from 1.
    Line(u32),
    /// An instruction, by its index.
    Instruction(u32),
    /// A place in a view's picture: x and y in thousandths of its width and height.
    Place(View, u16, u16),
}

impl Anchor {
    /// The anchor that names a target; `None` for targets that links cannot name.
    pub const fn of(target: Target) -> Option<Self> {
        Some(match target {
            Target::Warp { slot } => Self::Warp(slot),
            Target::Cycle(cycle) => Self::Cycle(cycle),
            Target::WarpAt { slot, cycle } => Self::WarpAt(slot, cycle),
            Target::Scheduler(scheduler) => Self::Scheduler(scheduler),
            Target::Pipe { scheduler, pipe } => Self::Pipe(scheduler, pipe),
            Target::Lane(lane) => Self::Lane(lane),
            Target::Bank(bank) => Self::Bank(bank),
            Target::Word(offset) => Self::Word(offset),
            Target::Line(line) | Target::CodeLine(line) => Self::Line(line),
            Target::Instruction(pc) | Target::CodePc(pc) => Self::Instruction(pc),
            _ => return None,
        })
    }

    /// The ID of the kind in links, and the numbers.
    fn parts(self) -> (&'static str, Vec<u64>) {
        match self {
            Self::Warp(slot) => ("warp", vec![slot.into()]),
            Self::Cycle(cycle) => ("cycle", vec![cycle]),
            Self::WarpAt(slot, cycle) => ("warpat", vec![slot.into(), cycle]),
            Self::Scheduler(scheduler) => ("scheduler", vec![scheduler.into()]),
            Self::Pipe(scheduler, pipe) => ("pipe", vec![scheduler.into(), pipe.into()]),
            Self::Lane(lane) => ("lane", vec![lane.into()]),
            Self::Bank(bank) => ("bank", vec![bank.into()]),
            Self::Word(offset) => ("word", vec![offset.into()]),
            Self::Line(line) => ("line", vec![line.into()]),
            Self::Instruction(pc) => ("instruction", vec![pc.into()]),
            Self::Place(view, x, y) => (view.id(), vec![x.into(), y.into()]),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let kind = parts.next()?;
        let numbers: Vec<u64> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
        Some(match (kind, numbers.as_slice()) {
            ("warp", [slot]) => Self::Warp((*slot).try_into().ok()?),
            ("cycle", [cycle]) => Self::Cycle(*cycle),
            ("warpat", [slot, cycle]) => Self::WarpAt((*slot).try_into().ok()?, *cycle),
            ("scheduler", [scheduler]) => Self::Scheduler((*scheduler).try_into().ok()?),
            ("pipe", [scheduler, pipe]) => {
                Self::Pipe((*scheduler).try_into().ok()?, (*pipe).try_into().ok()?)
            }
            ("lane", [lane @ 0..32]) => Self::Lane(*lane as u8),
            ("bank", [bank @ 0..32]) => Self::Bank(*bank as u8),
            ("word", [offset]) => Self::Word((*offset).try_into().ok()?),
            ("line", [line]) => Self::Line((*line).try_into().ok()?),
            ("instruction", [pc]) => Self::Instruction((*pc).try_into().ok()?),
            (view, [x @ 0..=1000, y @ 0..=1000]) => {
                let view = View::ALL.into_iter().find(|other| other.id() == view)?;
                Self::Place(view, *x as u16, *y as u16)
            }
            _ => return None,
        })
    }
}

/// The value of the key `note`.
pub(super) fn write(notes: &[PictureNote]) -> String {
    let note = |note: &PictureNote| {
        let (kind, numbers) = note.anchor.parts();
        let mut text = kind.to_owned();
        for number in numbers {
            text += &format!(".{number}");
        }
        // A tilde divides notes.
        format!("{text}:{}", escape_text(&note.text).replace('~', "%7E"))
    };
    notes.iter().map(note).collect::<Vec<_>>().join("~")
}

/// Reads the raw value of the key `note`. Invalid notes are left out.
///
/// # Errors
/// The valid values, if a note is invalid; with the other notes.
pub(super) fn read(value: &str) -> (Vec<PictureNote>, Result<(), String>) {
    let note = |part: &str| {
        let (anchor, text) = part.split_once(':')?;
        let (anchor, text) = (Anchor::read(anchor)?, unescape_text(text));
        (!text.is_empty()).then_some(PictureNote { anchor, text })
    };
    let num = value.split('~').count();
    let read: Vec<Option<PictureNote>> = value.split('~').take(MAX_NOTES).map(note).collect();
    let valid = if num > MAX_NOTES {
        Err(format!(
            "a picture has at most {MAX_NOTES} notes; the first ones were read"
        ))
    } else if read.iter().all(Option::is_some) {
        Ok(())
    } else {
        Err(
            "a note is an item or a place, a colon, and a text, for example bank.3:All+lanes+read+here"
                .to_owned(),
        )
    };
    (read.into_iter().flatten().collect(), valid)
}
