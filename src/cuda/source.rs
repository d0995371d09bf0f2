//! Positions in the source text: converts byte offsets to lines and columns.

use engine::ids::Span;

/// The source text with an index of its lines.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    line_starts: Vec<u32>,
    /// Number of characters before each block of the text.
    block_starts: Vec<u32>,
}

/// Size of a block in bytes: finding a column takes at most this many steps, however long the line is.
const BLOCK_BYTES: usize = 64;

fn num_chars(bytes: &[u8]) -> u32 {
    let continues = |byte: &u8| *byte & 0xc0 == 0x80;
    bytes.iter().filter(|byte| !continues(byte)).count() as u32
}

impl<'a> Source<'a> {
    /// Indexes the lines of a text.
    pub fn new(text: &'a str) -> Self {
        let ends = text.bytes().zip(1u32..).filter(|(byte, _)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(ends.map(|(_, end)| end)).collect();
        let block_starts = text.as_bytes().chunks(BLOCK_BYTES).scan(0, |before, block| {
            let start = *before;
            *before += num_chars(block);
            Some(start)
        });
        Self {
            text,
            line_starts,
            block_starts: block_starts.collect(),
        }
    }

    /// Number of characters before a byte offset.
    fn chars_before(&self, offset: u32) -> u32 {
        let bytes = self.text.as_bytes();
        let end = (offset as usize).min(bytes.len());
        let block = (end / BLOCK_BYTES).min(self.block_starts.len().saturating_sub(1));
        let before = self.block_starts.get(block).copied().unwrap_or(0);
        before + num_chars(&bytes[block * BLOCK_BYTES..end])
    }

    /// The span from one byte offset to another.
    pub fn span(&self, start: u32, end: u32) -> Span {
        let line_idx = self
            .line_starts
            .partition_point(|line| *line <= start)
            .saturating_sub(1);
        let line_start = self.line_starts[line_idx];
        Span {
            start,
            end,
            line: line_idx as u32 + 1,
            column: self.chars_before(start) - self.chars_before(line_start) + 1,
        }
    }

    /// The text of a line (from 1), without its line break.
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
