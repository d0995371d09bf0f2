//! Completion: the proposals at an offset, and how well each matches the typed letters.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::documentation::TABLE;
use super::known::{self, Known};
use super::scopes::Marks;
use super::{Index, Of, Place, SymbolKind, place_at};
use crate::types::is_type_word;

/// Number of letters after which the list opens automatically.
const LETTERS: usize = 2;

/// A proposal that matches: the score, the rank, whether a capability is missing, the index, and the matched bytes.
type Fit = (u8, u8, bool, usize, Vec<Range<usize>>);

/// A completion proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The text that replaces the word.
    pub name: String,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The declaration in C++ syntax.
    pub signature: String,
    /// One or two sentences; can be empty.
    pub text: String,
    /// A sentence about the compute capability that the architecture lacks.
    pub lacks: Option<String>,
    /// The rank by distance of the declaration: locals and members first.
    rank: u8,
    /// The order within a rank: common names first, then short ones.
    order: usize,
}

/// The proposals at an offset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// The byte range of the word that is replaced, including letters after the offset.
    pub word: Range<usize>,
    /// All proposals for this context, independent of the typed letters.
    pub proposals: Vec<Proposal>,
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The start of the word that ends at an offset.
fn word_start(text: &str, at: usize, also: &[u8]) -> usize {
    let bytes = text.as_bytes();
    let mut start = at;
    while start > 0 && (is_letter(bytes[start - 1]) || also.contains(&bytes[start - 1])) {
        start -= 1;
    }
    start
}

fn word_end(text: &str, at: usize) -> usize {
    text.as_bytes()[at..]
        .iter()
        .position(|byte| !is_letter(*byte))
        .map_or(text.len(), |len| at + len)
}

impl Index {
    /// The proposals at an offset. `asked` is true if the user requested the list. Otherwise the list is empty until
    /// two letters, `.`, `->`, or `::` are typed, and it is empty where a new name is declared.
    pub fn complete(&self, at: usize, asked: bool) -> Option<Completion> {
        let text = &self.text;
        if !text.is_char_boundary(at) {
            return None;
        }
        match place_at(text, at) {
            Place::Text => return None,
            Place::Directive(start) => {
                return Some(Completion {
                    word: start..word_end(text, at),
                    proposals: known::directives()
                        .into_iter()
                        .map(|known| self.proposal(known, 0))
                        .collect(),
                });
            }
            Place::Include(start) => {
                let end = text[at..]
                    .find(['>', '"', '\n'])
                    .map_or(text.len(), |len| at + len);
                return Some(Completion {
                    word: start..end,
                    proposals: known::headers()
                        .into_iter()
                        .map(|known| self.proposal(known, 0))
                        .collect(),
                });
            }
            Place::Code => {}
        }
        let start = word_start(text, at, b"");
        let word = start..word_end(text, at);
        if text[start..at].starts_with(|letter: char| letter.is_ascii_digit()) {
            return None;
        }
        let marks = Marks::new(text);
        let before = marks.before(start);
        let before_word = before.map_or("", |idx| marks.word(idx));
        let proposals = match before_word {
            "." | "->" => self.members_at(&marks, before?)?,
            "::" => self.inside(&marks, before? + 1),
            _ => {
                let declares = is_type_word(before_word) || self.is_type(before_word);
                if !asked && (at - start < LETTERS || declares) {
                    return None;
                }
                self.names_at(at)
            }
        };
        (!proposals.is_empty()).then_some(Completion { word, proposals })
    }

    fn is_type(&self, name: &str) -> bool {
        let mut types = self
            .symbols
            .iter()
            .filter(|symbol| symbol.kind == SymbolKind::Type);
        types.any(|symbol| symbol.name == name)
    }

    fn proposal(&self, known: Known, rank: u8) -> Proposal {
        let row = TABLE.iter().position(|entry| entry.name == known.name);
        Proposal {
            order: row.unwrap_or(TABLE.len() + known.name.len()),
            name: known.name,
            kind: known.kind,
            signature: known.signature,
            text: known.text,
            lacks: self.missing_capability(known.capability),
            rank,
        }
    }

    fn members_at(&self, marks: &Marks<'_>, dot: usize) -> Option<Vec<Proposal>> {
        let of = self.type_before(marks, dot)?;
        let members = self.members(&of);
        Some(
            members
                .iter()
                .map(|member| self.proposal(Known::from(member), 0))
                .collect(),
        )
    }

    /// The members of a namespace, struct, or enum after `::`.
    fn inside(&self, marks: &Marks<'_>, token: usize) -> Vec<Proposal> {
        let path = marks.path_before(token);
        let path = path.trim_start_matches("::");
        let meanings = crate::parse::meanings("", &self.usings, &self.aliases, path);
        let mut spaces: Vec<&str> = meanings.iter().map(|meaning| &**meaning).collect();
        // `cuda::std` is `std`, whose names can be declared without the namespace.
        let std = path
            .strip_prefix("cuda::")
            .filter(|rest| rest.starts_with("std::"));
        spaces.extend(std);
        let mut out: Vec<Proposal> = Vec::new();
        for symbol in &self.symbols {
            let own = &symbol.path[..symbol.path.len() - symbol.name.len()];
            let is_inside = spaces.contains(&own) && !super::is_local(symbol.kind);
            if is_inside
                && !symbol.name.starts_with("__")
                && !symbol.name.starts_with("operator")
                && !out.iter().any(|other| other.name == symbol.name)
            {
                out.push(self.proposal(Known::from(symbol), 0));
            }
        }
        if out.is_empty() {
            // An alias of a type.
            let of = Of::Named(path.trim_end_matches("::").to_owned());
            out = self
                .members(&of)
                .iter()
                .map(|member| self.proposal(Known::from(member), 0))
                .collect();
        }
        out
    }

    fn names_at(&self, at: usize) -> Vec<Proposal> {
        let mut out: Vec<Proposal> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for symbol in self.visible(at) {
            let hidden = symbol.header.is_some() && symbol.name.starts_with("__ws")
                || symbol.name.starts_with("operator")
                || symbol.name.contains(['(', ' ']);
            // The name that is being declared is not visible yet.
            let is_here = symbol
                .place
                .as_ref()
                .is_some_and(|place| (place.start..=place.end).contains(&at));
            if hidden || is_here {
                continue;
            }
            let rank = match symbol.kind {
                SymbolKind::Local | SymbolKind::Parameter | SymbolKind::Field => 0,
                _ if symbol.header.is_none() => 1,
                _ => 3,
            };
            if seen.insert(symbol.name.clone()) {
                out.push(self.proposal(Known::from(symbol), rank));
            }
        }
        for known in known::all() {
            if !seen.contains(&known.name) {
                let rank = match known.kind {
                    SymbolKind::BuiltinVariable => 1,
                    SymbolKind::Keyword | SymbolKind::Macro => 4,
                    _ if !known.source.is_empty()
                        && super::documentation::documentation(&known.name).is_some() =>
                    {
                        2
                    }
                    _ => 3,
                };
                out.push(self.proposal(known, rank));
            }
        }
        out
    }
}

/// The match quality of a name for the typed letters (lower is better), and the matched bytes of the name.
fn fit(name: &str, letters: &str) -> Option<(u8, Vec<Range<usize>>)> {
    if letters.is_empty() {
        return Some((0, Vec::new()));
    }
    let whole = |start: usize| std::iter::once(start..start + letters.len()).collect::<Vec<_>>();
    if name.starts_with(letters) {
        return Some((0, whole(0)));
    }
    let (lower, wanted) = (name.to_ascii_lowercase(), letters.to_ascii_lowercase());
    if lower.starts_with(&wanted) {
        return Some((1, whole(0)));
    }
    let bare = lower.trim_start_matches('_');
    if !wanted.starts_with('_') && bare.starts_with(&wanted) {
        return Some((2, whole(lower.len() - bare.len())));
    }
    if letters.len() < LETTERS {
        return None;
    }
    if let Some(start) = lower.find(&wanted) {
        return Some((3, whole(start)));
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for letter in wanted.bytes() {
        let at = from
            + lower.as_bytes()[from..]
                .iter()
                .position(|other| *other == letter)?;
        match ranges.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => ranges.push(at..at + 1),
        }
        from = at + 1;
    }
    Some((4, ranges))
}

/// The proposals that match the typed letters, best first: names that begin with the letters, then names that contain
/// the letters in order. Each comes with the matched bytes of its name.
pub fn filtered(proposals: &[Proposal], letters: &str) -> Vec<(usize, Vec<Range<usize>>)> {
    let mut found: Vec<Fit> = proposals
        .iter()
        .enumerate()
        .filter_map(|(idx, proposal)| {
            let (score, ranges) = fit(&proposal.name, letters)?;
            Some((score, proposal.rank, proposal.lacks.is_some(), idx, ranges))
        })
        .collect();
    found.sort_by(|a, b| {
        let key = |(score, rank, lacks, idx, _): &Fit| {
            // Members keep the order of their declarations.
            let order = if letters.is_empty() {
                0
            } else {
                proposals[*idx].order
            };
            (*score, *rank, *lacks, order)
        };
        key(a).cmp(&key(b)).then(a.3.cmp(&b.3))
    });
    found
        .into_iter()
        .map(|(_, _, _, idx, ranges)| (idx, ranges))
        .collect()
}

/// Whether Enter inserts the selected proposal instead of a line break. `chosen`: the user moved the selection;
/// `asked`: the user requested the list; `letters`: the typed letters.
pub fn takes_enter(proposal: &Proposal, letters: &str, chosen: bool, asked: bool) -> bool {
    if chosen {
        return true;
    }
    // After a complete word, and without a word, Enter inserts a line break.
    let begins = proposal
        .name
        .to_ascii_lowercase()
        .trim_start_matches('_')
        .starts_with(letters.to_ascii_lowercase().trim_start_matches('_'));
    proposal.name != letters && begins && (asked || letters.len() >= LETTERS)
}
