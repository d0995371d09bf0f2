//! The kernel's text as the editor shows it: lines of coloured pieces, with what the run says of each.

use super::Problem;
use crate::ids::Span;
use crate::scene::{Mark, code};

pub use crate::scene::code::{Ink, Line, Piece};

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

/// Cuts a text into lines of coloured pieces, with waves under what the problems are about.
pub fn lines(text: &str, problems: &[Problem]) -> Vec<Line> {
    let waves: Vec<Span> = problems.iter().filter_map(|problem| problem.span).collect();
    code::lines(text, &waves)
}
