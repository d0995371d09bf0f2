//! The lexer. It is lossless: comments and line ends are tokens, so that the preprocessor and syntax highlighting
//! share the tokens.

pub(crate) mod highlight;
mod number;
mod strings;

pub use highlight::{TokenClass, highlight};
pub use number::{Character, Number, parse_char, parse_number};
pub use strings::{Encoding, Strings, Text, literal_bytes};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Ident,
    /// An integer or floating-point number, with its suffix.
    Number,
    /// A string with its quotes.
    Str,
    /// A character with its quotes.
    Char,
    /// An operator or bracket.
    Punct,
    /// `//` or `/* */`.
    Comment,
    /// The line end that ends a directive.
    Newline,
    /// A character that starts no token, or an unterminated string or comment.
    Unknown,
}

/// A token: a range of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// Byte offset of its first character.
    pub start: u32,
    /// Byte offset after its last character.
    pub end: u32,
    /// Whether white space or a comment precedes it.
    pub space_before: bool,
}

impl Token {
    /// Its text.
    pub fn text(self, source: &str) -> &str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// Operators and brackets, longest first.
const PUNCTS: [&str; 50] = [
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "{", "}", "[", "]", "(", ")", ";", ":",
    "?", ".", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", "<", ">",
];
const PUNCTS_OF_PREPROCESSOR: [&str; 2] = [",", "#"];

/// The operator or bracket at the start of a text.
pub fn punct_at(text: &str) -> Option<&'static str> {
    PUNCTS
        .into_iter()
        .chain(PUNCTS_OF_PREPROCESSOR)
        .find(|punct| text.starts_with(punct))
}

/// The tokens of a text, in order, without white space.
pub fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut out = Vec::new();
    // Some editors write a byte-order mark at the start of the text.
    let mut pos = if source.starts_with('\u{feff}') { 3 } else { 0 };
    let mut space_before = false;
    while pos < bytes.len() {
        let start = pos;
        let kind = match bytes[pos] {
            b'\n' => {
                pos += 1;
                TokenKind::Newline
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                pos += 1;
                space_before = true;
                continue;
            }
            b'\\' if continuation(bytes, pos).is_some() => {
                pos = continuation(bytes, pos).unwrap_or(pos + 1);
                space_before = true;
                continue;
            }
            b'/' if bytes.get(pos + 1) == Some(&b'/') => {
                pos = line_comment_end(bytes, pos);
                TokenKind::Comment
            }
            b'/' if bytes.get(pos + 1) == Some(&b'*') => {
                if let Some(len) = source[pos + 2..].find("*/") {
                    pos += len + 4;
                    TokenKind::Comment
                } else {
                    pos = bytes.len();
                    TokenKind::Unknown
                }
            }
            b'"' | b'\'' => {
                let quote = bytes[pos];
                let (end, closed) = quoted_end(bytes, pos);
                pos = end;
                match (closed, quote) {
                    (true, b'"') => TokenKind::Str,
                    (true, _) => TokenKind::Char,
                    (false, _) => TokenKind::Unknown,
                }
            }
            b'0'..=b'9' => {
                pos = number_end(bytes, pos);
                TokenKind::Number
            }
            b'.' if bytes.get(pos + 1).is_some_and(u8::is_ascii_digit) => {
                pos = number_end(bytes, pos);
                TokenKind::Number
            }
            byte if is_ident_start(byte) => {
                while pos < bytes.len() && (is_ident_start(bytes[pos]) || bytes[pos].is_ascii_digit()) {
                    pos += 1;
                }
                match prefixed_end(source, start, pos) {
                    Some((end, kind)) => {
                        pos = end;
                        kind
                    }
                    None => TokenKind::Ident,
                }
            }
            _ => {
                if let Some(punct) = punct_at(&source[pos..]) {
                    pos += punct.len();
                    TokenKind::Punct
                } else {
                    pos += source[pos..].chars().next().map_or(1, char::len_utf8);
                    TokenKind::Unknown
                }
            }
        };
        out.push(Token {
            kind,
            start: start as u32,
            end: pos as u32,
            space_before,
        });
        space_before = kind == TokenKind::Comment;
    }
    out
}

const fn is_ident_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// The offset after a line continuation (a backslash at the end of a line).
fn continuation(bytes: &[u8], pos: usize) -> Option<usize> {
    match (bytes.get(pos + 1), bytes.get(pos + 2)) {
        (Some(b'\n'), _) => Some(pos + 2),
        (Some(b'\r'), Some(b'\n')) => Some(pos + 3),
        _ => None,
    }
}

fn line_comment_end(bytes: &[u8], mut pos: usize) -> usize {
    while pos < bytes.len() && bytes[pos] != b'\n' {
        pos = match bytes[pos] {
            b'\\' => continuation(bytes, pos).unwrap_or(pos + 1),
            _ => pos + 1,
        };
    }
    pos
}

/// The end of a string or character literal, and whether it is terminated.
fn quoted_end(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut pos = start + 1;
    while pos < bytes.len() {
        match bytes[pos] {
            b'\n' => return (pos, false),
            b'\\' if continuation(bytes, pos).is_some() => pos = continuation(bytes, pos).unwrap_or(pos + 1),
            b'\\' if bytes.get(pos + 1).is_some_and(u8::is_ascii) => pos += 2,
            byte if byte == bytes[start] => return (pos + 1, true),
            _ => pos += 1,
        }
    }
    (bytes.len(), false)
}

/// The end and the kind of a literal whose prefix (`L`, `u8`, `R`, …) is from `start` to `quote`.
fn prefixed_end(source: &str, start: usize, quote: usize) -> Option<(usize, TokenKind)> {
    let bytes = source.as_bytes();
    let prefix = &source[start..quote];
    let is_string = match bytes.get(quote)? {
        b'"' => true,
        b'\'' => false,
        _ => return None,
    };
    match prefix {
        "L" | "u" | "U" | "u8" => {
            let (end, closed) = quoted_end(bytes, quote);
            let kind = match (closed, is_string) {
                (true, true) => TokenKind::Str,
                (true, false) => TokenKind::Char,
                (false, _) => TokenKind::Unknown,
            };
            Some((end, kind))
        }
        "R" | "LR" | "uR" | "UR" | "u8R" if is_string => {
            let (delimiter, rest) = source[quote + 1..].split_once('(')?;
            // The standard's limit on the delimiter, which has no spaces, parentheses, and backslashes.
            if delimiter.len() > 16 || delimiter.contains([' ', ')', '\\', '\t', '\n', '"']) {
                return None;
            }
            let close = format!("){delimiter}\"");
            let end = rest
                .find(&close)
                .map(|len| source.len() - rest.len() + len + close.len());
            Some(end.map_or((source.len(), TokenKind::Unknown), |end| (end, TokenKind::Str)))
        }
        _ => None,
    }
}

/// A number includes letters, digits, dots, digit separators, and signs after an exponent.
fn number_end(bytes: &[u8], mut pos: usize) -> usize {
    let hex = bytes[pos] == b'0' && matches!(bytes.get(pos + 1), Some(b'x' | b'X'));
    while pos < bytes.len() {
        let exponent = match bytes[pos] {
            b'e' | b'E' => !hex,
            b'p' | b'P' => hex,
            _ => false,
        };
        if exponent && matches!(bytes.get(pos + 1), Some(b'+' | b'-')) {
            pos += 2;
        } else if bytes[pos].is_ascii_alphanumeric()
            || matches!(bytes[pos], b'.' | b'_')
            || (bytes[pos] == b'\'' && bytes.get(pos + 1).is_some_and(u8::is_ascii_alphanumeric))
        {
            pos += 1;
        } else {
            break;
        }
    }
    pos
}
