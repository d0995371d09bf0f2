//! The source of a kernel as lines of colored pieces, for the editor and for views with code.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use cuda::lex::{TokenClass, highlight};
use engine::ids::Span;

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Plain.
    Plain,
    /// Bold: keywords.
    Keyword,
    /// Italic and paler: comments.
    Comment,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Text.
    pub text: String,
    /// Style.
    pub ink: Ink,
    /// Whether a diagnostic points at the piece.
    pub wavy: bool,
    /// Highlight.
    pub lit: Lit,
}

impl Piece {
    /// A plain piece.
    pub fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ink: Ink::Plain,
            wavy: false,
            lit: Lit::No,
        }
    }
}

/// The reason to highlight a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lit {
    /// No highlight.
    #[default]
    No,
    /// A search match.
    Found,
    /// The current search match.
    Here,
    /// The bracket at the cursor, or its matching bracket.
    Bracket,
}

/// A line of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Pieces, in order.
    pub pieces: Vec<Piece>,
}

/// Splits a text into lines of colored pieces, with waves under the given spans.
pub fn lines(text: &str, waves: &[Span]) -> Vec<Line> {
    lit_lines(text, waves, &[])
}

/// The lines of a text without waves. The lines of the last text are cached, because a view needs them in every
/// frame.
pub fn kept_lines(text: &str) -> Rc<[Line]> {
    thread_local! {
        static LAST: RefCell<(String, Rc<[Line]>)> = RefCell::new((String::new(), Rc::from([])));
    }
    LAST.with_borrow_mut(|(of, kept)| {
        if of != text || kept.is_empty() {
            text.clone_into(of);
            *kept = lines(text, &[]).into();
        }
        Rc::clone(kept)
    })
}

/// Splits a text into lines, with waves and highlighted byte ranges. If ranges overlap, the last one wins.
pub fn lit_lines(text: &str, waves: &[Span], lit: &[(Range<usize>, Lit)]) -> Vec<Line> {
    let num = text.len();
    let mut inks = vec![Ink::Plain; num];
    for (start, end, class) in highlight(text) {
        let ink = match class {
            TokenClass::Comment => Ink::Comment,
            TokenClass::Directive | TokenClass::Keyword | TokenClass::Qualifier | TokenClass::Type => {
                Ink::Keyword
            }
            _ => continue,
        };
        if let Some(range) = inks.get_mut(start as usize..end as usize) {
            range.fill(ink);
        }
    }
    let mut wavy = vec![false; num];
    for span in waves {
        // An empty span, as for a missing semicolon, is shown on the character at its position.
        let start = (span.start as usize).min(num.saturating_sub(1));
        let end = (span.end as usize).clamp(start, num).max((start + 1).min(num));
        wavy[start..end].fill(true);
    }
    let mut lights = vec![Lit::No; num];
    for (range, light) in lit {
        if let Some(range) = lights.get_mut(range.clone()) {
            range.fill(*light);
        }
    }
    let mut lines = vec![Line::default()];
    for (at, letter) in text.char_indices() {
        if letter == '\n' {
            lines.push(Line::default());
            continue;
        }
        let Some(line) = lines.last_mut() else { continue };
        match line.pieces.last_mut() {
            Some(piece) if (piece.ink, piece.wavy, piece.lit) == (inks[at], wavy[at], lights[at]) => {
                piece.text.push(letter);
            }
            _ => line.pieces.push(Piece {
                text: letter.to_string(),
                ink: inks[at],
                wavy: wavy[at],
                lit: lights[at],
            }),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink_of(text: &str, word: &str) -> Option<Ink> {
        let all = lines(text, &[]);
        all.iter()
            .flat_map(|line| &line.pieces)
            .find(|piece| piece.text.trim() == word)
            .map(|piece| piece.ink)
    }

    #[test]
    fn the_pieces_make_up_the_text() {
        let text = "#define N 4\n// größe\n__global__ void k(int* a) {\n\n  a[0] = N; /* x\n y */\n}";
        let joined: Vec<String> = lines(text, &[])
            .iter()
            .map(|line| line.pieces.iter().map(|piece| piece.text.as_str()).collect())
            .collect();
        assert_eq!(joined.join("\n"), text);
    }

    #[test]
    fn keywords_are_bold_and_comments_italic() {
        let text = "return x; // why";
        assert_eq!(ink_of(text, "return"), Some(Ink::Keyword));
        assert_eq!(ink_of(text, "// why"), Some(Ink::Comment));
        assert_eq!(ink_of(text, "x;"), Some(Ink::Plain));
    }

    #[test]
    fn a_search_match_is_a_separate_piece() {
        let line = &lit_lines(
            "int tile; // tile",
            &[],
            &[(4..8, Lit::Here), (13..17, Lit::Found)],
        )[0];
        let lit: Vec<_> = line
            .pieces
            .iter()
            .map(|piece| (piece.text.as_str(), piece.lit))
            .collect();
        assert_eq!(lit[2], ("tile", Lit::Here));
        assert_eq!(lit.last(), Some(&("tile", Lit::Found)));
    }

    #[test]
    fn waves_mark_the_span_of_a_problem() {
        let wave = Span {
            start: 4,
            end: 5,
            line: 1,
            column: 5,
        };
        let line = &lines("int y = 3;", &[wave])[0];
        let wavy: Vec<&str> = line
            .pieces
            .iter()
            .filter(|piece| piece.wavy)
            .map(|piece| piece.text.as_str())
            .collect();
        assert_eq!(wavy, ["y"]);
    }
}
