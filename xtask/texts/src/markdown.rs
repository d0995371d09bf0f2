//! The paragraphs, headings, and cells of a Markdown text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::piece::{Code, Kind, Piece, Place};

/// Stands for code and numbers in a sentence.
pub const NOUN: &str = "X";

/// The pieces of a text whose byte `at` is at the place `place(at)` of its file.
pub fn pieces(text: &str, kind: Kind, place: impl Fn(usize) -> Place) -> Vec<Piece> {
    pieces_with(text, kind, Code::Noun, place)
}

/// The same, with code as nouns or as written.
pub fn pieces_with(text: &str, kind: Kind, code: Code, place: impl Fn(usize) -> Place) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = Piece::new(kind);
    let mut in_code = false;
    let options = Options::ENABLE_TABLES;
    // Links to items of Rust have no address.
    let parser = Parser::new_ext(text, options).into_offset_iter();
    for (event, range) in parser {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(_) if !in_code => {
                let mut at = range.start;
                for letter in text[range].chars() {
                    if !matches!(letter, '[' | ']' | '\\' | '*' | '_') {
                        piece.push(letter, place(at));
                    }
                    at += letter.len_utf8();
                }
            }
            Event::Code(_) if code == Code::Kept => piece.push_all(&text[range.clone()], place(range.start)),
            Event::Code(_) => piece.push_all(NOUN, place(range.start)),
            Event::SoftBreak | Event::HardBreak => piece.push(' ', place(range.start)),
            Event::Start(tag) if is_block(&tag) => flush(&mut piece, &mut pieces),
            Event::End(tag) if is_block_end(tag) => flush(&mut piece, &mut pieces),
            _ => {}
        }
    }
    flush(&mut piece, &mut pieces);
    pieces
}

fn flush(piece: &mut Piece, pieces: &mut Vec<Piece>) {
    let next = Piece::new(piece.kind);
    let piece = std::mem::replace(piece, next);
    if piece.is_prose() {
        pieces.push(piece);
    }
}

fn is_block(tag: &Tag) -> bool {
    !matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

fn is_block_end(tag: TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Lines;

    fn texts(text: &str) -> Vec<String> {
        let lines = Lines::new(text);
        let pieces = pieces(text, Kind::Document, |at| lines.place(at));
        pieces.iter().map(|piece| piece.slice(0, usize::MAX)).collect()
    }

    #[test]
    fn code_is_a_noun_and_blocks_of_code_are_left_out() {
        let text = "# The title\n\nOne `word` and\nanother.\n\n```\nlet it be\n```\n\n| one cell | two cells |\n| - | - |\n";
        assert_eq!(
            texts(text),
            ["The title", "One X and another.", "one cell", "two cells"]
        );
    }

    #[test]
    fn places_are_those_of_the_file() {
        let text = "Two words\n\n- and `three`\n  more";
        let lines = Lines::new(text);
        let pieces = pieces(text, Kind::Document, |at| lines.place(at));
        assert_eq!(pieces[1].slice(0, 3), "and");
        assert_eq!(pieces[1].place(0), Place { line: 3, column: 3 });
        let more = pieces[1].text.iter().position(|letter| *letter == 'm').unwrap();
        assert_eq!(pieces[1].place(more), Place { line: 4, column: 3 });
    }
}
