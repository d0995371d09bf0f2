//! The comments and string literals of a Rust file.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::comments;
use crate::piece::{Code, Kind, Lines, Piece};

/// Stands for a number or a name that a message gets when it is written.
const NOUN: &str = "X";
/// Attributes of elements, and calls, whose strings are for the browser.
const NOT_READ: [&str; 33] = [
    "action",
    "class",
    "classes",
    "cfg",
    "charset",
    "cx",
    "cy",
    "d",
    "dataset",
    "feature",
    "fill",
    "for",
    "height",
    "href",
    "id",
    "include_bytes",
    "include_str",
    "inputmode",
    "key",
    "kind",
    "method",
    "name",
    "path",
    "points",
    "rel",
    "role",
    "serde",
    "stroke",
    "style",
    "testid",
    "transform",
    "type",
    "width",
];

/// Which texts of a file to return.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// String literals outside of tests.
    pub literals: bool,
    /// Comments and doc comments.
    pub comments: bool,
    /// How placeholders and code in literals are returned.
    pub code: Code,
}

/// The pieces of a file.
///
/// # Errors
/// A file that is not Rust.
pub fn pieces(source: &str, wanted: Wanted) -> Result<Vec<Piece>, String> {
    let tokens: TokenStream = source
        .parse()
        .map_err(|error: proc_macro2::LexError| format!("{:?}: {error}", error.span().start()))?;
    let mut found = Found {
        source,
        code: wanted.code,
        lines: Lines::new(source),
        literals: Vec::new(),
        pieces: Vec::new(),
    };
    let level = Level {
        is_read: wanted.literals,
        ..Level::default()
    };
    found.walk(tokens, level);
    let mut pieces = found.pieces;
    if wanted.comments {
        found.literals.sort_by_key(|range| range.start);
        pieces.extend(comments::line_comments(source, &found.lines, &found.literals));
    }
    Ok(pieces)
}

struct Found<'a> {
    source: &'a str,
    code: Code,
    lines: Lines<'a>,
    /// The bytes of every literal; doc comments are none.
    literals: Vec<Range<usize>>,
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Whether a user may read the strings of this level.
    is_read: bool,
    /// Whether these are the tokens of a macro, where an attribute of an element can be.
    is_macro: bool,
}

impl Found<'_> {
    fn walk(&mut self, tokens: TokenStream, level: Level) {
        let mut tokens = tokens.into_iter().peekable();
        // Whether the item that follows is a test.
        let mut is_test = false;
        // The last word, and whether `=` or `!` came after it.
        let mut word = String::new();
        let mut mark = ' ';
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    let is_inner =
                        matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
                    if is_inner {
                        tokens.next();
                    }
                    let group = match tokens.peek() {
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                            group.clone()
                        }
                        _ => continue,
                    };
                    tokens.next();
                    let text = group.stream().to_string();
                    let is_comment = self.source[group.span().byte_range()].starts_with('/');
                    if !is_comment {
                        let is_message = ["error", "arg", "command"]
                            .iter()
                            .any(|name| text.starts_with(name));
                        self.walk(
                            group.stream(),
                            Level {
                                is_read: level.is_read && is_message,
                                ..level
                            },
                        );
                        is_test |= text == "test" || (text.starts_with("cfg") && text.contains("test"));
                    }
                    if is_inner && text.starts_with("cfg (test)") {
                        return;
                    }
                }
                TokenTree::Group(group) => {
                    let is_not_read = mark != ' ' && NOT_READ.contains(&word.as_str())
                        || is_test
                        || group.delimiter() == Delimiter::Parenthesis && NOT_READ.contains(&word.as_str());
                    let inner = Level {
                        is_read: level.is_read && !is_not_read,
                        is_macro: level.is_macro || mark == '!',
                    };
                    self.walk(group.stream(), inner);
                    if group.delimiter() == Delimiter::Brace {
                        is_test = false;
                    }
                    mark = ' ';
                    word.clear();
                }
                TokenTree::Punct(punct) => {
                    if punct.as_char() == ';' {
                        is_test = false;
                    }
                    mark = punct.as_char();
                }
                TokenTree::Ident(ident) => {
                    word = ident.to_string();
                    mark = ' ';
                }
                TokenTree::Literal(literal) => {
                    let range = literal.span().byte_range();
                    let is_attribute = level.is_macro && mark == '=' && NOT_READ.contains(&word.as_str());
                    if level.is_read && !is_test && !is_attribute {
                        self.literal(range.clone());
                    }
                    self.literals.push(range);
                }
            }
        }
    }

    /// Reads a string literal as what it says.
    fn literal(&mut self, range: Range<usize>) {
        let written = &self.source[range.clone()];
        let Some((content, is_raw)) = content(written) else {
            return;
        };
        let text = &written[content.clone()];
        if is_code(text) {
            return;
        }
        let mut piece = Piece::new(Kind::Interface);
        let start = range.start + content.start;
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let place = self.lines.place(start + at);
            match letter {
                '\\' if !is_raw => match letters.next() {
                    Some((_, '\n')) => {
                        while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
                    }
                    Some((_, 'u')) => {
                        let hex: String = letters
                            .by_ref()
                            .map(|(_, letter)| letter)
                            .take_while(|letter| *letter != '}')
                            .collect();
                        let code = u32::from_str_radix(hex.trim_start_matches('{'), 16);
                        let letter = code.ok().and_then(char::from_u32).unwrap_or(' ');
                        piece.push(if letter.is_whitespace() { ' ' } else { letter }, place);
                    }
                    Some((_, 'n')) => self.end_of_paragraph(&mut piece),
                    Some((_, 't' | 'r' | '0')) => piece.push(' ', place),
                    Some((_, other)) => piece.push(other, place),
                    None => {}
                },
                '\n' => self.end_of_paragraph(&mut piece),
                '{' if letters.next_if(|(_, next)| *next == '{').is_some() => piece.push('{', place),
                '}' if letters.next_if(|(_, next)| *next == '}').is_some() => piece.push('}', place),
                '{' => {
                    let mut written = String::from("{");
                    for (_, letter) in letters.by_ref() {
                        written.push(letter);
                        if letter == '}' {
                            break;
                        }
                    }
                    let is_kept = self.code == Code::Kept;
                    piece.push_all(if is_kept { &written } else { NOUN }, place);
                }
                '`' if self.code == Code::Noun && text[at + 1..].contains('`') => {
                    for (_, letter) in letters.by_ref() {
                        if letter == '`' {
                            break;
                        }
                    }
                    piece.push_all(NOUN, place);
                }
                _ => piece.push(letter, place),
            }
        }
        self.end_of_paragraph(&mut piece);
    }

    fn end_of_paragraph(&mut self, piece: &mut Piece) {
        let piece = std::mem::replace(piece, Piece::new(piece.kind));
        if piece.is_prose() {
            self.pieces.push(piece);
        }
    }
}

/// What a string literal holds, and whether its backslashes are letters.
fn content(written: &str) -> Option<(Range<usize>, bool)> {
    let start = written.find('"')?;
    let prefix = &written[..start];
    let is_string = matches!(prefix.trim_end_matches('#'), "" | "r" | "c");
    let end = written.rfind('"')?;
    (is_string && end > start).then(|| (start + 1..end, prefix.starts_with('r')))
}

/// Whether a text is code, a link, a list of keys, or a pattern, and no sentence.
fn is_code(text: &str) -> bool {
    const SIGNS: [&str; 19] = [
        "::",
        "();",
        "};",
        "{\\n",
        "{{ ",
        ") {",
        "<<<",
        "#include",
        "</",
        "/>",
        "=\\\"",
        "__global__ void",
        "//",
        ":f32*",
        "px;",
        ": var(--",
        "http",
        "kernel=",
        "&&",
    ];
    let text = without_placeholders(text);
    if SIGNS.iter().any(|sign| text.contains(sign)) {
        return true;
    }
    let is_plain = |letter: &char| letter.is_alphabetic() || letter.is_whitespace();
    let num_plain = text.chars().filter(is_plain).count();
    // A key has no space; a sentence is mostly letters.
    2 * num_plain < text.chars().count()
}

/// A text without the placeholders of a format: `{allowed};` is no end of a block of code.
fn without_placeholders(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some(start) = rest.find('{') {
        let inside = &rest[start + 1..];
        let end = inside
            .find(['{', '}', ' '])
            .filter(|end| inside[*end..].starts_with('}'));
        let (kept, next) = match end {
            Some(end) => (&rest[..start], &inside[end + 1..]),
            None => (&rest[..=start], inside),
        };
        plain.push_str(kept);
        rest = next;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Place;

    fn texts(source: &str, literals: bool, comments: bool) -> Vec<String> {
        let pieces = pieces(
            source,
            Wanted {
                literals,
                comments,
                code: Code::Noun,
            },
        )
        .unwrap();
        pieces.iter().map(|piece| piece.slice(0, usize::MAX)).collect()
    }

    #[test]
    fn literals_are_read_as_they_are_shown() {
        let source = r#"
            fn f() {
                let a = "one {name:>3} two";
                let b = "a long \
                         line";
                let c = r"raw \n text";
                let d = "key";
                let e = "Title";
                let f = "int f() { return 0; }";
                let h = "the roof allows {allowed}; the run reaches {reached}";
                let g = "first line\nsecond \u{a0}line";
            }
        "#;
        let expected = [
            "one X two",
            "a long line",
            "raw \\n text",
            "Title",
            "the roof allows X; the run reaches X",
            "first line",
            "second  line",
        ];
        assert_eq!(texts(source, true, false), expected);
    }

    #[test]
    fn tests_classes_and_keys_are_left_out() {
        let source = r#"
            #[cfg(test)]
            mod tests { fn f() { g("not read here"); } }
            #[test]
            fn a_test() { assert!(true, "nor this one"); }
            #[error("this is read: {0}")]
            struct A;
            #[serde(rename = "not read")]
            fn page() { html! { <div class="panel is-open" title="the title">{ "some text" }</div> } }
        "#;
        assert_eq!(
            texts(source, true, false),
            ["this is read: X", "the title", "some text"]
        );
    }

    #[test]
    fn comments_are_joined_and_code_in_them_is_a_noun() {
        let source = "//! The module,\n//! with `code`.\n\nfn f() {\n    let a = \"// no comment\"; // the comment\n}\n/// The doc\n// and another.\nconst A: u8 = 0;\n";
        let expected = ["The module, with X.", "the comment", "The doc", "and another."];
        assert_eq!(texts(source, false, true), expected);
        let pieces = pieces(
            source,
            Wanted {
                literals: false,
                comments: true,
                code: Code::Noun,
            },
        )
        .unwrap();
        assert_eq!(pieces[0].place(12), Place { line: 2, column: 5 });
        assert_eq!(pieces[1].place(0), Place { line: 5, column: 33 });
    }
}
