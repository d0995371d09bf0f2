//! Comments: those of CUDA, JavaScript, and TypeScript files, and what Rust's have in common with them.

use std::ops::Range;

use crate::markdown;
use crate::piece::{Kind, Lines, Piece};

/// A line of a comment: the byte at which its text starts, and the text.
pub type Line<'a> = (usize, &'a str);

/// The comments of a file in a language like C, each as Markdown.
pub fn pieces(source: &str) -> Vec<Piece> {
    let lines = Lines::new(source);
    let mut pieces = line_comments(source, &lines, &literals(source));
    let mut at = 0;
    while let Some(found) = source[at..].find("/*") {
        let start = at + found + 2;
        let end = source[start..].find("*/").map_or(source.len(), |len| start + len);
        let mut text = Vec::new();
        let mut line_start = start;
        for line in source[start..end].split_inclusive('\n') {
            // A block has a row of stars at its left.
            let decoration = line.len() - line.trim_start_matches([' ', '\t', '*']).len();
            text.push((line_start + decoration, line[decoration..].trim_end()));
            line_start += line.len();
        }
        pieces.extend(as_markdown(&text, &lines));
        at = end;
    }
    pieces
}

/// The bytes of string literals, in each of which `//` starts no comment.
fn literals(source: &str) -> Vec<Range<usize>> {
    let mut literals = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let mut open: Option<(usize, char)> = None;
        for (at, letter) in line.char_indices() {
            match open {
                Some((from, quote)) if quote == letter => {
                    literals.push(start + from..start + at + 1);
                    open = None;
                }
                None if line[at..].starts_with("//") => break,
                None if matches!(letter, '"' | '\'' | '`') => open = Some((at, letter)),
                _ => {}
            }
        }
        start += line.len();
    }
    literals
}

/// Comments that start with `//` outside of literals. Lines that follow each other at one column are one comment.
pub fn line_comments(source: &str, lines: &Lines, literals: &[Range<usize>]) -> Vec<Piece> {
    let mut literals = literals.iter().peekable();
    let mut blocks: Vec<Vec<Line>> = Vec::new();
    // Marker, line, and column of the last line.
    let mut last = ("", 0, 0);
    let mut at = 0;
    while let Some(found) = source[at..].find("//") {
        let start = at + found;
        while literals.next_if(|range| range.end <= start).is_some() {}
        if let Some(range) = literals.peek().filter(|range| range.contains(&start)) {
            at = range.end;
            continue;
        }
        let end = source[start..].find('\n').map_or(source.len(), |len| start + len);
        let marker = ["///", "//!", "//"]
            .into_iter()
            .find(|marker| source[start..end].starts_with(marker))
            .unwrap_or("//");
        let place = lines.place(start);
        let (text, from) = (&source[start + marker.len()..end], start + marker.len());
        let space = usize::from(text.starts_with(' '));
        let line = (from + space, &text[space..]);
        let goes_on = (marker, place.line, place.column) == (last.0, last.1 + 1, last.2);
        match blocks.last_mut().filter(|_| goes_on) {
            Some(block) => block.push(line),
            None => blocks.push(vec![line]),
        }
        last = (marker, place.line, place.column);
        at = end;
    }
    blocks
        .iter()
        .flat_map(|block| as_markdown(block, lines))
        .collect()
}

/// Reads the lines of a comment as Markdown.
fn as_markdown(block: &[Line], lines: &Lines) -> Vec<Piece> {
    let mut text = String::new();
    // Where each line starts in the text and in the file.
    let mut starts = Vec::new();
    for (start, line) in block {
        starts.push((text.len(), *start));
        text.push_str(line);
        text.push('\n');
    }
    markdown::pieces(&text, Kind::Comment, |at| {
        let idx = starts.partition_point(|(start, _)| *start <= at) - 1;
        let (start, in_file) = starts[idx];
        lines.place(in_file + (at - start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Place;

    #[test]
    fn lines_and_blocks_are_read_and_strings_are_not() {
        let source = "// One comment\n// of two lines.\nlet a = 'no // comment'; // And one.\n/**\n * A block with `code`.\n */\n";
        let pieces = pieces(source);
        let texts: Vec<String> = pieces.iter().map(|piece| piece.slice(0, usize::MAX)).collect();
        assert_eq!(
            texts,
            ["One comment of two lines.", "And one.", "A block with X."]
        );
        assert_eq!(pieces[2].place(0), Place { line: 5, column: 4 });
    }
}
