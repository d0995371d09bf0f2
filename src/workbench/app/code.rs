//! The kernel's text as the editor shows it: lines of coloured pieces, with what the run says of each.

use std::ops::Range;

use super::Problem;
use crate::scene::{Mark, code};
use engine::ids::Span;

pub use crate::scene::code::{Ink, Line, Lit, Piece};

/// What a run says of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineNote {
    /// Warp cycles spent at the line, by mark, as widths in pixels; the longest line has 34.
    pub heat: Vec<(Mark, f32)>,
    /// Whether an instruction of it issues in this cycle.
    pub live: bool,
    /// Whether the selected warp is at it.
    pub current: bool,
}

/// Texts of more bytes are not coloured: they are no kernels, and are not compiled either.
const COLOURED: usize = 256 * 1024;

/// Cuts a text into lines of coloured pieces, with waves under what the problems are about and `lit`
/// ranges singled out; where these overlap, the last one counts.
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
