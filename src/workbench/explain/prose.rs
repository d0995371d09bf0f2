//! Sentences with strong words, terms of the glossary, and words that lead to places.

use serde::Serialize;

use crate::scene::{Target, thousands};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::trace::Frame;

/// A place to which a word leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Place {
    /// An instruction, and its source line.
    Code(u32),
    /// A cycle.
    Cycle(u64),
    /// The warp in a slot.
    Warp(u16),
    /// The warp in a slot at a cycle.
    WarpAt(u16, u64),
    /// A memory request, by its index in the run.
    Request(u32),
    /// A part of the SM.
    Unit(Target),
    /// The Occupancy view.
    Occupancy,
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The words.
    pub text: String,
    /// Whether the words are bold.
    pub strong: bool,
    /// Where the words lead.
    pub place: Option<Place>,
    /// The name of the glossary's term that the words name.
    pub term: Option<String>,
}

/// Words that lead to a place.
#[derive(Clone, Debug)]
pub(super) struct Link(pub(super) String, pub(super) Place);

impl Link {
    /// The words.
    pub(super) fn words(&self) -> &str {
        &self.0
    }
}

/// Splits a text into pieces: `*strong*`, `[term]`, `[shown words|term]`, and `~` for the next link.
pub(super) fn prose(text: &str, links: &[Link]) -> Vec<Piece> {
    let mut links = links.iter();
    let mut pieces = Vec::new();
    let mut put = |text: &str, strong: bool, place: Option<Place>, term: Option<&str>| {
        if !text.is_empty() {
            pieces.push(Piece {
                text: text.to_owned(),
                strong,
                place,
                term: term.map(str::to_owned),
            });
        }
    };
    let mut rest = text;
    while let Some(at) = rest.find(['*', '[', '~']) {
        let (before, marked) = rest.split_at(at);
        put(before, false, None, None);
        let inner = &marked[1..];
        let end = match &marked[..1] {
            "*" => inner.find('*'),
            "[" => inner.find(']'),
            _ => {
                if let Some(Link(words, place)) = links.next() {
                    put(words, false, Some(*place), None);
                }
                rest = inner;
                continue;
            }
        };
        let (words, after) = match end {
            Some(end) => (&inner[..end], &inner[end + 1..]),
            None => (inner, ""),
        };
        if marked.starts_with('*') {
            put(words, true, None, None);
        } else {
            let (shown, term) = words.split_once('|').unwrap_or((words, words));
            put(shown, false, None, Some(term));
        }
        rest = after;
    }
    put(rest, false, None, None);
    debug_assert!(links.next().is_none(), "a link without a place in: {text}");
    pieces
}

/// An instruction: `LDG at line 12`.
pub(super) fn code(frame: &Frame, pc: Pc) -> Link {
    let name = frame.mnemonic(pc);
    let line = frame
        .instruction(pc)
        .map_or(0, |instruction| instruction.span.line);
    let words = if line > 0 {
        format!("{name} at {}", frame.line_text(line))
    } else {
        format!("{name} at instruction {}", pc.0)
    };
    Link(words, Place::Code(pc.0))
}

/// A source line, which leads to its first instruction.
pub(super) fn line(words: String, first: Option<Pc>) -> Link {
    Link(words, Place::Code(first.map_or(0, |pc| pc.0)))
}

/// A cycle: `cycle 310`.
pub(super) fn cycle(cycle: Cycle) -> Link {
    Link(format!("cycle {}", thousands(cycle.0)), Place::Cycle(cycle.0))
}

/// A warp: `W05`.
pub(super) fn warp(frame: &Frame, slot: SlotIdx) -> Link {
    Link(frame.warp_name(slot), Place::Warp(slot.0))
}

/// A warp at another cycle: `W05 at cycle 310`.
pub(super) fn warp_at(name: &str, slot: SlotIdx, at: Cycle) -> Link {
    Link(
        format!("{name} at cycle {}", thousands(at.0)),
        Place::WarpAt(slot.0, at.0),
    )
}

/// A part of the SM.
pub(super) fn unit(words: impl Into<String>, target: Target) -> Link {
    Link(words.into(), Place::Unit(target))
}

/// A memory request.
pub(super) fn request(words: impl Into<String>, idx: u32) -> Link {
    Link(words.into(), Place::Request(idx))
}

/// The Occupancy view.
pub(super) fn occupancy(words: impl Into<String>) -> Link {
    Link(words.into(), Place::Occupancy)
}

/// Several names in a sentence: `W01, W02, and W03`. Links take the place of `~`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_pieces() {
        let link = Link("line 12".to_owned(), Place::Code(3));
        let pieces = prose("*R4* of [the queue|MIO queue] is from ~.", &[link]);
        let seen: Vec<(&str, bool, Option<Place>, Option<&str>)> = pieces
            .iter()
            .map(|piece| {
                (
                    piece.text.as_str(),
                    piece.strong,
                    piece.place,
                    piece.term.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("R4", true, None, None),
                (" of ", false, None, None),
                ("the queue", false, None, Some("MIO queue")),
                (" is from ", false, None, None),
                ("line 12", false, Some(Place::Code(3)), None),
                (".", false, None, None),
            ]
        );
    }

    #[test]
    fn names_are_listed_with_a_serial_comma() {
        let names = |num: usize| listed(&["a", "b", "c"].map(str::to_owned)[..num]);
        assert_eq!([names(1), names(2), names(3)], ["a", "a and b", "a, b, and c"]);
    }
}
