//! The text of a kernel as lines of coloured pieces, for the editor and for pictures with code.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use cuda::lex::{TokenClass, highlight};
use engine::ids::Span;

/// How a piece of text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// As it is.
    Plain,
    /// Bold: words of the language.
    Keyword,
    /// Italic and paler: comments.
    Comment,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its text.
    pub text: String,
    /// How it is set.
    pub ink: Ink,
    /// Whether a diagnostic is about it.
    pub wavy: bool,
    /// Whether it is singled out.
    pub lit: Lit,
}

impl Piece {
    /// A text as it is.
    pub fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ink: Ink::Plain,
            wavy: false,
            lit: Lit::No,
        }
    }
}

/// Why a piece of text is singled out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lit {
    /// It is not.
    #[default]
    No,
    /// It is what is sought.
    Found,
    /// It is the present one of those found.
    Here,
    /// It is the bracket at the cursor, or the one that belongs to it.
    Bracket,
}

/// A line of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
}

/// Cuts a text into lines of coloured pieces, with waves under some spans of it.
pub fn lines(text: &str, waves: &[Span]) -> Vec<Line> {
    lit_lines(text, waves, &[])
}

/// The lines of a text without waves. Those of the last text are kept: a picture asks for them in each
/// of its frames.
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

/// The same, with ranges of bytes singled out; where these overlap, the last one counts.
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
        // An empty span (a missing semicolon) is shown on the character it stands at.
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
    fn words_of_the_language_are_bold_and_comments_italic() {
        let text = "return x; // why";
        assert_eq!(ink_of(text, "return"), Some(Ink::Keyword));
        assert_eq!(ink_of(text, "// why"), Some(Ink::Comment));
        assert_eq!(ink_of(text, "x;"), Some(Ink::Plain));
    }

    #[test]
    fn what_is_found_is_a_piece_of_its_own() {
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
    fn waves_lie_under_what_a_problem_is_about() {
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
