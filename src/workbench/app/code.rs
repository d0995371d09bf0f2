//! The kernel's source as the editor shows it: lines of highlighted pieces, with the run's notes.

use std::ops::Range;

use super::Problem;
use crate::scene::{Mark, code};
use engine::ids::Span;

pub use crate::scene::code::{Ink, Line, Lit, Piece};

/// A run's note on a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineNote {
    /// Warp cycles of the line by mark, as widths in pixels; the longest line has 34.
    pub heat: Vec<(Mark, f32)>,
    /// Whether an instruction of the line issues in this cycle.
    pub live: bool,
    /// Whether the selected warp is at the line.
    pub current: bool,
    /// Whether a lesson rings the line.
    pub ringed: bool,
}

/// Size limit of highlighted text, in bytes: larger texts are not compiled either.
const COLOURED: usize = 256 * 1024;

/// Splits a text into lines of highlighted pieces, with underlines for problems and highlighted `lit` ranges. Where
/// ranges overlap, the last one wins.
pub fn lines(text: &str, problems: &[Problem], lit: &[(Range<usize>, Lit)]) -> Vec<Line> {
    if text.len() > COLOURED {
        let piece = |line: &str| Line {
            pieces: vec![Piece::plain(line)],
        };
        return text.split('\n').map(piece).collect();
    }
    let waves: Vec<Span> = problems.iter().filter_map(|problem| problem.span).collect();
    code::lit_lines(text, &waves, lit)
}
