//! Why: up to three answers about a selected thing at a cycle, each the cause of the answer before.
//!
//! An answer is a question and at most two sentences. Its words lead to places: a line, a cycle, a warp, a unit, a
//! request, or a cache line. Answers use the record of the run, the machine at the cycle, and the history of the
//! caches. What these do not hold is not claimed: an answer then says "at least", or that it is not recorded.

mod prose;
mod cache;
mod result;
mod unit;
mod block;
mod warp;
mod request;
mod part;
mod code;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::scene::{Part, Source, Target};
use engine::ids::{Pc, SlotIdx};
use engine::sim::CacheKind;
use engine::trace::Frame;
pub use prose::{Piece, Place};

/// The maximum number of answers.
pub const MAX_LEVELS: u8 = 3;

/// The thing that is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The warp in a slot.
    Warp(SlotIdx),
    /// A register of the warp in a slot.
    Register(SlotIdx, u8),
    /// An instruction.
    Instruction(Pc),
    /// A source line, from 1.
    Line(u32),
    /// A memory request, by its index in the run.
    Request(u32),
    /// A line of a cache, by set and way.
    CacheLine(CacheKind, u32, u32),
    /// A scheduler, a pipe, or a block.
    Part(Part),
    /// A range of cycles: the first cycle, and the cycle after the last.
    Range(u64, u64),
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// The answer, at most two sentences.
    pub text: Vec<Piece>,
    /// What the answer is about: the picture rings the first of these that it shows.
    pub rings: Vec<Target>,
}

impl Answer {
    /// The answer as plain text.
    pub fn plain(&self) -> String {
        self.text.iter().map(|piece| piece.text.as_str()).collect()
    }
}

/// The answers about a thing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// The answers, each the cause of the one before.
    pub answers: Vec<Answer>,
    /// Whether there is a further answer.
    pub more: bool,
    /// The sources of the architecture's numbers in the answers.
    pub sources: Vec<Source>,
}

/// Explains a thing at the cycle of a frame, in at most `depth` answers.
pub fn explain(frame: &Frame, subject: Subject, depth: u8) -> Explanation {
    let mut chain = Chain {
        frame,
        depth: usize::from(depth.min(MAX_LEVELS)),
        found: Explanation::default(),
    };
    match subject {
        Subject::Warp(slot) => warp::explain(&mut chain, slot),
        Subject::Register(slot, reg) => code::register(&mut chain, slot, reg),
        Subject::Instruction(pc) => code::instruction(&mut chain, pc),
        Subject::Line(line) => code::line(&mut chain, line),
        Subject::Request(idx) => request::explain(&mut chain, idx),
        Subject::CacheLine(kind, set, way) => cache::explain_line(&mut chain, kind, (set, way)),
        Subject::Part(part) => part::explain(&mut chain, part),
        Subject::Range(from, to) => code::range(&mut chain, from, to),
    }
    chain.found
}

/// An explanation under construction.
struct Chain<'f> {
    frame: &'f Frame<'f>,
    depth: usize,
    found: Explanation,
}

impl Chain<'_> {
    /// Adds an answer.
    fn answer(&mut self, question: impl Into<String>, text: Vec<Piece>, rings: Vec<Target>) {
        debug_assert!(self.wants_more());
        self.found.answers.push(Answer {
            question: question.into(),
            text,
            rings,
        });
    }

    /// Whether another answer is requested.
    const fn wants_more(&self) -> bool {
        self.found.answers.len() < self.depth
    }

    /// Whether the caller is to add a further answer, which exists: it is computed only if it is requested.
    fn goes_on(&mut self) -> bool {
        self.found.more = !self.wants_more() && self.found.answers.len() < usize::from(MAX_LEVELS);
        self.wants_more()
    }

    /// Adds the source of a number.
    fn cite(&mut self, source: Source) {
        if !self.found.sources.contains(&source) {
            self.found.sources.push(source);
        }
    }
}
