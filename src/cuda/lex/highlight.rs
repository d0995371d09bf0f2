//! Syntax highlighting: the token class of each piece of a source text.

use super::{Token, TokenKind, tokens};

/// Token classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// Comments.
    Comment,
    /// `#define` and other directives: the line except its comments, strings, and numbers.
    Directive,
    /// `if`, `return`, …
    Keyword,
    /// `__global__`, `__shared__`, …
    Qualifier,
    /// `int`, `float4`, …
    Type,
    /// Built-in variables such as `threadIdx`, and functions that CUDA provides.
    Builtin,
    /// Names.
    Name,
    /// Numbers.
    Number,
    /// Strings and characters.
    Text,
    /// Operators and brackets.
    Operator,
    /// Text that is not valid CUDA C++.
    Unknown,
}

/// The highlighted pieces of a text, as byte ranges in order. White space lies between them.
pub fn highlight(source: &str) -> Vec<(u32, u32, TokenClass)> {
    let mut out = Vec::new();
    let mut line_is_fresh = true;
    let mut in_directive = false;
    for token in tokens(source) {
        if token.kind == TokenKind::Newline {
            line_is_fresh = true;
            in_directive = false;
            continue;
        }
        if line_is_fresh && token.text(source) == "#" {
            in_directive = true;
        }
        line_is_fresh &= token.kind == TokenKind::Comment;
        out.push((token.start, token.end, token_class(token, source, in_directive)));
    }
    out
}

fn token_class(token: Token, source: &str, in_directive: bool) -> TokenClass {
    match token.kind {
        TokenKind::Comment => TokenClass::Comment,
        TokenKind::Number => TokenClass::Number,
        TokenKind::Str | TokenKind::Char => TokenClass::Text,
        TokenKind::Unknown => TokenClass::Unknown,
        _ if in_directive => TokenClass::Directive,
        TokenKind::Ident => word_class(token.text(source)),
        _ => TokenClass::Operator,
    }
}

/// C++ keywords that are neither types nor qualifiers.
pub(crate) const KEYWORDS: [&str; 53] = [
    "alignas",
    "alignof",
    "asm",
    "break",
    "case",
    "catch",
    "class",
    "concept",
    "const_cast",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "false",
    "final",
    "for",
    "friend",
    "goto",
    "if",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "return",
    "sizeof",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "using",
    "while",
];
/// C++ keywords that qualify a declaration.
pub(crate) const QUALIFIERS: [&str; 13] = [
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "extern",
    "inline",
    "mutable",
    "register",
    "restrict",
    "static",
    "thread_local",
    "virtual",
    "volatile",
];
/// Built-in variables of CUDA.
pub(crate) const VARIABLES: [&str; 5] = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

fn word_class(word: &str) -> TokenClass {
    let attribute = word.starts_with("__") && word.ends_with("__");
    if KEYWORDS.contains(&word) {
        TokenClass::Keyword
    } else if QUALIFIERS.contains(&word) || attribute {
        TokenClass::Qualifier
    } else if crate::types::is_type_word(word) {
        TokenClass::Type
    } else if VARIABLES.contains(&word) || crate::builtins::is_builtin_name(word) {
        TokenClass::Builtin
    } else {
        TokenClass::Name
    }
}
