//! Positions in the source text: from byte offsets to lines and columns.

use crate::ids::Span;

/// The source text with an index of its lines.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    line_starts: Vec<u32>,
}

impl<'a> Source<'a> {
    /// Indexes the lines of a text.
    pub fn new(text: &'a str) -> Self {
        let ends = text.bytes().zip(1u32..).filter(|(byte, _)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(ends.map(|(_, end)| end)).collect();
        Self { text, line_starts }
    }

    /// The span from one byte offset to another.
    pub fn span(&self, start: u32, end: u32) -> Span {
        let line_idx = self
            .line_starts
            .partition_point(|line| *line <= start)
            .saturating_sub(1);
        let line_start = self.line_starts[line_idx] as usize;
        let before = self.text.get(line_start..start as usize).unwrap_or_default();
        Span {
            start,
            end,
            line: line_idx as u32 + 1,
            column: before.chars().count() as u32 + 1,
        }
    }

    /// The text of a line (from 1), without its end.
    pub fn line(&self, line: u32) -> &'a str {
        self.text
            .lines()
            .nth((line as usize).saturating_sub(1))
            .unwrap_or_default()
    }
}

/// The span from the start of one span to the end of another.
pub fn join(first: Span, last: Span) -> Span {
    Span {
        end: first.end.max(last.end),
        ..first
    }
}
