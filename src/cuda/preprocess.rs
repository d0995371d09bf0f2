//! The preprocessor: directives and macros. It converts the tokens of the text to the tokens that the parser reads.

mod condition;
mod files;
mod macros;
mod predefined;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use files::{Files, Search};
pub(super) use files::{is_toolkit_header, with_include_notes};
use macros::Macro;
pub(super) use predefined::{cuda_arch, names as predefined_names};

use super::diagnostic::Diagnostic;
use super::headers;
use super::lex::{Token, TokenKind, punct_at, tokens};
use super::limits::{Budget, ErrorCount, Limit};
use super::source::{Source, join};
use engine::arch::ArchId;
use engine::ids::Span;

/// The kind of a preprocessed token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Ident,
    /// A number.
    Number,
    /// A string.
    Str,
    /// A character.
    Char,
    /// An operator or bracket.
    Punct(&'static str),
    /// `#pragma unroll`; its number follows, up to `PragmaEnd`.
    PragmaUnroll,
    /// The end of a pragma.
    PragmaEnd,
    /// The start of a header's text.
    LibraryStart,
    /// Its end.
    LibraryEnd,
    /// The end of the text.
    End,
}

/// A token after preprocessing.
#[derive(Clone, Debug)]
pub(crate) struct Tok {
    /// The kind.
    pub(crate) kind: Kind,
    /// Its text.
    pub(crate) text: Arc<str>,
    /// The span; for a token from a macro, the span of the macro's use.
    pub(crate) span: Span,
    /// Whether white space precedes it (for `#`).
    pub(crate) space_before: bool,
    /// Macros that produced it and must not expand it again.
    hidden: Option<Arc<Hidden>>,
}

impl Tok {
    /// The macro that produced it.
    pub(crate) fn macro_name(&self) -> Option<&str> {
        let hidden = self.hidden.as_ref()?;
        Some(&hidden.name)
    }

    fn new(kind: Kind, text: Arc<str>, span: Span) -> Self {
        Self {
            kind,
            text,
            span,
            space_before: false,
            hidden: None,
        }
    }

    /// Whether it is this operator or bracket.
    pub(crate) fn is(&self, punct: &str) -> bool {
        matches!(self.kind, Kind::Punct(p) if p == punct)
    }

    /// Whether it is this word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Ident && &*self.text == word
    }
}

/// A linked list of macro names.
#[derive(Debug)]
struct Hidden {
    name: Arc<str>,
    /// The number of names in the list.
    len: u64,
    rest: Option<Arc<Hidden>>,
}

impl Hidden {
    /// The list with another name.
    fn before(rest: Option<Arc<Self>>, name: &Arc<str>) -> Arc<Self> {
        Arc::new(Self {
            name: name.clone(),
            len: rest.as_ref().map_or(0, |rest| rest.len) + 1,
            rest,
        })
    }
}

/// Whether the compiler provides a header with this name, or has its declarations built in.
pub fn has_header(name: &str) -> bool {
    crate::headers::header(name).is_some() || is_toolkit_header(name)
}

/// Preprocesses a source text for an architecture. Returns the tokens, `End` last, and the diagnostics.
pub(crate) fn preprocess(source: &Source<'_>, arch: ArchId) -> Preprocessed {
    let mut state = Preprocessor {
        macros: predefined::macros(arch),
        arch,
        of_headers: None,
        is_in_header: false,
        diagnostics: Vec::new(),
        is_unclosed: false,
        in_condition: false,
        conditions: Vec::new(),
        has_stray_else: false,
        included: BTreeSet::new(),
        files: Files::of(source.text),
        num_expanded: 0,
        before_expansion: 0,
        tokens: Budget::new(Limit::Tokens),
        created: Budget::new(Limit::CreatedCharacters),
        num_errors: ErrorCount::new(),
        fatal: None,
    };
    let mut out = state.std_headers(source.text);
    let main = state.files.main();
    out.extend(state.run(source, main));
    let is_stopped = state.fatal.is_some();
    let mut diagnostics = state.diagnostics;
    diagnostics.extend(state.fatal);
    Preprocessed {
        toks: out,
        diagnostics,
        is_unclosed: state.is_unclosed,
        is_stopped,
    }
}

/// Like [`preprocess`], for the compiler's built-in library: without architecture macros.
pub(super) fn preprocess_prelude(source: &Source<'_>) -> (Vec<Tok>, Vec<Diagnostic>) {
    let read = preprocess(source, ArchId::DEFAULT);
    (read.toks, read.diagnostics)
}

/// The result of preprocessing.
pub(crate) struct Preprocessed {
    pub(crate) toks: Vec<Tok>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether a comment, or the list of a macro, has no end and consumes the rest of the file.
    pub(crate) is_unclosed: bool,
    /// Whether a limit was exceeded, so that the tokens are incomplete.
    pub(crate) is_stopped: bool,
}

struct Preprocessor<'a> {
    macros: BTreeMap<Arc<str>, Macro>,
    arch: ArchId,
    /// The macros that headers see. They exclude the macros of the source, whose names can be parameter names in a
    /// header. `None` before the first header.
    of_headers: Option<BTreeMap<Arc<str>, Macro>>,
    is_in_header: bool,
    diagnostics: Vec<Diagnostic>,
    is_unclosed: bool,
    /// Whether the tokens of an `#if` are expanded.
    in_condition: bool,
    conditions: Vec<Condition>,
    /// Whether an `#else` or `#elif` without its `#if` was reported, and its `#endif` is still expected.
    has_stray_else: bool,
    /// Headers that were already read.
    included: BTreeSet<&'static str>,
    files: Files<'a>,
    /// Number of tokens that macros have expanded to.
    num_expanded: usize,
    /// The same number before the current macro.
    before_expansion: usize,
    /// The tokens of the source, of its included files, and of its macros.
    tokens: Budget,
    /// The characters of the tokens that `#` and `##` create.
    created: Budget,
    num_errors: ErrorCount,
    /// The limit that was exceeded. Nothing is read after it.
    fatal: Option<Diagnostic>,
}

/// An open `#if`.
struct Condition {
    span: Span,
    /// Whether the text up to the next `#elif`, `#else`, or `#endif` is active.
    active: bool,
    /// Whether a previous part was active, or no part can be active.
    done: bool,
    seen_else: bool,
}

impl Preprocessor<'_> {
    /// Preprocesses a part of a text.
    fn run(&mut self, source: &Source<'_>, part: Range<usize>) -> Vec<Tok> {
        let mut out = Vec::new();
        let mut pending = Vec::new();
        let all = tokens_of(source.text, part.clone());
        for line in all.split(|token| token.kind == TokenKind::Newline) {
            if self.fatal.is_some() {
                break;
            }
            let mut line = line.iter().filter(|token| token.kind != TokenKind::Comment);
            let first = line.clone().next();
            if first.is_some_and(|token| token.text(source.text) == "#") {
                line.next();
                self.flush(&mut pending, &mut out);
                let toks: Vec<Tok> = line.filter_map(|token| self.tok(*token, source)).collect();
                let hash = source.span(first.map_or(0, |t| t.start), first.map_or(0, |t| t.end));
                self.directive(source, &toks, hash, &mut out);
            } else if self.is_active() {
                pending.extend(line.filter_map(|token| self.tok(*token, source)));
            }
        }
        self.flush(&mut pending, &mut out);
        if let Some(open) = self.conditions.pop() {
            self.error(
                open.span,
                "The `#endif` for this directive is missing; add it where the conditional part ends.",
            );
        }
        let end = part.end as u32;
        out.push(Tok::new(Kind::End, Arc::from(""), source.span(end, end)));
        out
    }

    fn flush(&mut self, pending: &mut Vec<Tok>, out: &mut Vec<Tok>) {
        if !pending.is_empty() {
            let expanded = self.expand(std::mem::take(pending), 0);
            self.pragma_operators(expanded, out);
        }
    }

    /// Executes `_Pragma("…")`, which is the form of `#pragma` in a macro body.
    fn pragma_operators(&mut self, toks: Vec<Tok>, out: &mut Vec<Tok>) {
        if !toks.iter().any(|tok| &*tok.text == "_Pragma") {
            out.extend(toks);
            return;
        }
        let mut toks = toks.into_iter().peekable();
        while let Some(tok) = toks.next() {
            if &*tok.text != "_Pragma" || !toks.peek().is_some_and(|open| open.is("(")) {
                out.push(tok);
                continue;
            }
            let string = toks.nth(1).filter(|string| string.kind == Kind::Str);
            let is_closed = toks.next().is_some_and(|close| close.is(")"));
            let Some(string) = string.filter(|_| is_closed) else {
                self.error(tok.span, "`_Pragma` needs a string in parentheses.");
                continue;
            };
            let text = string.text.trim_matches('"').replace("\\\"", "\"");
            let line: Vec<Tok> = tokens(&text)
                .into_iter()
                .filter_map(|token| {
                    let word = token.text(&text);
                    let kind = match token.kind {
                        TokenKind::Ident => Kind::Ident,
                        TokenKind::Number => Kind::Number,
                        TokenKind::Punct => Kind::Punct(punct_at(word)?),
                        _ => return None,
                    };
                    Some(Tok::new(kind, Arc::from(word), string.span))
                })
                .collect();
            self.pragma(&tok, &line, out);
        }
    }

    fn is_active(&self) -> bool {
        // A condition inside an inactive part is inactive.
        self.conditions.last().is_none_or(|condition| condition.active)
    }

    /// Converts a token of the text to a preprocessor token, or reports it.
    fn tok(&mut self, token: Token, source: &Source<'_>) -> Option<Tok> {
        let text = token.text(source.text);
        let span = source.span(token.start, token.end);
        if let Err(limit) = self.tokens.charge(1) {
            self.stop(limit.exceeded(span));
        }
        let kind = match token.kind {
            TokenKind::Ident => operator_word(text).map_or(Kind::Ident, Kind::Punct),
            TokenKind::Number => Kind::Number,
            TokenKind::Str => Kind::Str,
            TokenKind::Char => Kind::Char,
            TokenKind::Punct => Kind::Punct(punct_at(text)?),
            TokenKind::Comment | TokenKind::Newline => return None,
            TokenKind::Unknown => {
                if self.is_active() {
                    self.is_unclosed |= text.starts_with('/');
                    self.report(unknown_token(text, span));
                }
                // An unterminated string is still a string token.
                return text
                    .starts_with('"')
                    .then(|| Tok::new(Kind::Str, Arc::from("\"\""), span));
            }
        };
        Some(Tok {
            space_before: token.space_before,
            ..Tok::new(kind, Arc::from(text), span)
        })
    }

    fn directive(&mut self, source: &Source<'_>, line: &[Tok], hash: Span, out: &mut Vec<Tok>) {
        let Some((name, rest)) = line.split_first() else {
            return;
        };
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let outer = self.is_active();
                let holds = outer && self.holds(name, rest);
                self.conditions.push(Condition {
                    span: name.span,
                    active: holds,
                    done: holds || !outer,
                    seen_else: false,
                });
                return;
            }
            "elif" | "else" | "endif" => {
                self.next_part(name, rest);
                return;
            }
            _ if !self.is_active() => return,
            _ => {}
        }
        match &*name.text {
            "define" => self.define(rest, hash),
            "undef" => match rest.first() {
                Some(tok) if tok.kind == Kind::Ident => {
                    self.macros.remove(&tok.text);
                }
                _ => self.error(name.span, "`#undef` needs the name of a macro."),
            },
            "include" => self.include(source, name, rest, out),
            "pragma" => self.pragma(name, rest, out),
            "error" => {
                let text: Vec<&str> = rest.iter().map(|tok| &*tok.text).collect();
                self.error(name.span, format!("#error: {}", text.join(" ")));
            }
            "warning" => {
                let text: Vec<&str> = rest.iter().map(|tok| &*tok.text).collect();
                let message = format!("#warning: {}", text.join(" "));
                self.report(Diagnostic::warning(name.span, message));
            }
            "line" => {}
            other => self.unknown_directive(other, name, rest, hash),
        }
    }

    /// Reports an unknown directive and executes the suggested one, to avoid follow-up errors.
    fn unknown_directive(&mut self, word: &str, name: &Tok, rest: &[Tok], hash: Span) {
        const WORDS: [&str; 12] = [
            "define", "undef", "include", "ifdef", "ifndef", "if", "elif", "else", "endif", "pragma",
            "error", "warning",
        ];
        let near = match word {
            "elseif" | "elsif" => Some("elif"),
            _ => crate::nearest::nearest(word, WORDS),
        };
        let Some(near) = near else {
            return self.error(
                name.span,
                format!("Unrecognized preprocessing directive `#{word}`."),
            );
        };
        let message = format!("Unrecognized preprocessing directive `#{word}`; did you mean `#{near}`?");
        self.report(Diagnostic::error(name.span, message).fix(near));
        match near {
            "define" => self.define(rest, hash),
            "ifdef" | "ifndef" | "if" => self.conditions.push(Condition {
                span: name.span,
                active: true,
                done: true,
                seen_else: false,
            }),
            "endif" => {
                self.conditions.pop();
            }
            _ => {}
        }
    }

    fn holds(&mut self, name: &Tok, rest: &[Tok]) -> bool {
        if &*name.text == "if" || &*name.text == "elif" {
            return self.condition(name, rest);
        }
        match rest.first() {
            Some(tok) if tok.kind == Kind::Ident => self.is_defined(&tok.text) == (&*name.text == "ifdef"),
            _ => {
                self.error(name.span, format!("`#{}` needs the name of a macro.", name.text));
                false
            }
        }
    }

    fn next_part(&mut self, name: &Tok, rest: &[Tok]) {
        if &*name.text == "endif" {
            // An `#endif` of an `#else` without `#if` was reported with that `#else`.
            if self.conditions.pop().is_none() && !std::mem::take(&mut self.has_stray_else) {
                self.error(name.span, "This `#endif` has no matching `#if`.");
            }
            return;
        }
        let Some(mut condition) = self.conditions.pop() else {
            self.error(name.span, format!("This `#{}` has no matching `#if`.", name.text));
            self.has_stray_else = true;
            return;
        };
        if condition.seen_else {
            self.error(
                name.span,
                format!("`#{}` is not allowed after `#else`.", name.text),
            );
        }
        condition.active = false;
        if !condition.done {
            // Conditions of inactive parts are not evaluated.
            condition.active = &*name.text == "else" || self.condition(name, rest);
            condition.done = condition.active;
        }
        condition.seen_else |= &*name.text == "else";
        self.conditions.push(condition);
    }

    fn include(&mut self, source: &Source<'_>, name: &Tok, rest: &[Tok], out: &mut Vec<Tok>) {
        let is_macro = rest.first().is_some_and(|tok| tok.kind == Kind::Ident);
        let expanded = if is_macro {
            self.expand(rest.to_vec(), 0)
        } else {
            rest.to_vec()
        };
        let text: String = expanded.iter().map(|tok| &*tok.text).collect();
        let known = text.trim_matches(['<', '>', '"']);
        if known.is_empty() || known.len() == text.len() {
            if self
                .diagnostics
                .last()
                .is_some_and(|d| d.span.line == name.span.line)
            {
                return;
            }
            self.error(
                name.span,
                "`#include` needs a file name in quotes or angle brackets.",
            );
            return;
        }
        let span = rest
            .first()
            .zip(rest.last())
            .map_or(name.span, |(first, last)| join(first.span, last.span));
        // Built-in headers cannot include user files.
        let exact = !self.is_in_header && self.include_file(Search::Path, source, known, span, out);
        if exact {
            return;
        }
        if let Some((known, text)) = headers::header(known) {
            self.header(known, text, name.span, out);
            return;
        }
        if !self.is_in_header && self.include_file(Search::Name, source, known, span, out) {
            return;
        }
        // CUDA and C++ headers are known to the compiler; their declarations are built in.
        let is_header = text.starts_with('<') || HEADERS.contains(&known);
        if !is_header {
            self.report(
                Diagnostic::warning(
                    name.span,
                    format!(
                        "Could not open source file `{known}`: names that it declares are undefined. Add the file if \
                         the kernel needs them."
                    ),
                )
                .note("The command line searches this file's folder, and the folders that `-I` names."),
            );
        }
    }

    /// The standard library headers that are included implicitly.
    fn std_headers(&mut self, text: &str) -> Vec<Tok> {
        let mut out = Vec::new();
        let has_std = text.contains("using namespace std");
        let is_used = |word: &&str| {
            text.contains(if has_std {
                word.trim_start_matches("std::")
            } else {
                word
            })
        };
        for (name, words) in STD_HEADERS {
            if words.iter().any(is_used)
                && let Some((name, text)) = headers::header(name)
            {
                self.header(name, text, Span::default(), &mut out);
            }
        }
        out
    }

    /// Reads a CUDA header, once. All its code has the span of the `#include`.
    fn header(&mut self, name: &'static str, text: &str, span: Span, out: &mut Vec<Tok>) {
        if !self.included.insert(name) {
            return;
        }
        let conditions = std::mem::take(&mut self.conditions);
        let mut toks = self.with_macros_of_headers(|this| this.run(&Source::new(text), 0..text.len()));
        self.conditions = conditions;
        toks.pop();
        out.push(Tok::new(Kind::LibraryStart, Arc::from(name), span));
        out.extend(toks.into_iter().map(|tok| Tok { span, ..tok }));
        out.push(Tok::new(Kind::LibraryEnd, Arc::from(name), span));
    }

    /// Reads a header with the header macros. The header can define further macros, which the source also sees.
    fn with_macros_of_headers<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_in_header {
            return read(self);
        }
        let before = self
            .of_headers
            .take()
            .unwrap_or_else(|| predefined::macros(self.arch));
        let known: BTreeSet<Arc<str>> = before.keys().cloned().collect();
        let of_source = std::mem::replace(&mut self.macros, before);
        self.is_in_header = true;
        let result = read(self);
        self.is_in_header = false;
        let of_headers = std::mem::replace(&mut self.macros, of_source);
        for (name, definition) in &of_headers {
            if !known.contains(name) && !self.macros.contains_key(name) {
                self.macros.insert(name.clone(), definition.clone());
            }
        }
        self.of_headers = Some(of_headers);
        result
    }

    fn pragma(&mut self, name: &Tok, rest: &[Tok], out: &mut Vec<Tok>) {
        let span = rest.first().map_or(name.span, |tok| tok.span);
        match rest.first().map(|tok| &*tok.text) {
            Some("unroll") => {
                out.push(Tok::new(Kind::PragmaUnroll, Arc::from("unroll"), span));
                let number = self.expand(rest[1..].to_vec(), 0);
                out.extend(number);
                out.push(Tok::new(Kind::PragmaEnd, Arc::from(""), span));
            }
            Some("nounroll") => {
                out.push(Tok::new(Kind::PragmaUnroll, Arc::from("unroll"), span));
                out.push(Tok::new(Kind::Number, Arc::from("1"), span));
                out.push(Tok::new(Kind::PragmaEnd, Arc::from(""), span));
            }
            Some("once") if !self.is_in_header => self.files.read_once(),
            _ => {}
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    /// Adds a diagnostic; too many end the compilation.
    fn report(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.span;
        self.diagnostics.push(diagnostic);
        if self.num_errors.is_exceeded(&self.diagnostics) {
            self.stop(Limit::Errors.exceeded(span));
        }
    }

    /// Ends preprocessing.
    fn stop(&mut self, fatal: Diagnostic) {
        self.fatal.get_or_insert(fatal);
    }
}

/// The tokens of a part of a text, with offsets in the complete text.
fn tokens_of(text: &str, part: Range<usize>) -> Vec<Token> {
    let start = part.start as u32;
    let mut all = tokens(&text[part]);
    for token in &mut all {
        token.start += start;
        token.end += start;
    }
    all
}

/// Headers that `cuda_runtime.h` includes with libstdc++, and identifiers that show that a source uses them.
const STD_HEADERS: [(&str, &[&str]); 6] = [
    ("new", &["malloc(", "free(", "new ", "delete"]),
    (
        "driver_types.h",
        &[
            "cudaExtent",
            "cudaPitchedPtr",
            "cudaPos",
            "cudaSuccess",
            "cudaGetErrorString",
            "cudaGetErrorName",
            "cudaGraphConditionalHandle",
            "cudaTextureReadMode",
            "cudaTextureFilterMode",
            "cudaTextureAddressMode",
            "cudaChannelFormatKind",
        ],
    ),
    ("limits", &["numeric_limits"]),
    ("memory", &["std::shared_ptr", "std::unique_ptr", "std::weak_ptr"]),
    (
        "type_traits",
        &[
            "std::is_",
            "std::aligned_",
            "std::enable_if",
            "std::conditional",
            "std::remove_",
            "std::make_",
            "std::common_type",
            "std::decay",
            "std::integral_constant",
            "std::true_type",
            "std::false_type",
            "std::underlying_type",
        ],
    ),
    (
        "utility",
        &[
            "std::pair",
            "std::make_pair",
            "std::move",
            "std::forward",
            "std::swap",
        ],
    ),
];

/// Headers that are often included with quotes.
const HEADERS: [&str; 12] = [
    "cuda_runtime.h",
    "cuda.h",
    "device_launch_parameters.h",
    "cuda_fp16.h",
    "cooperative_groups.h",
    "mma.h",
    "math_constants.h",
    "helper_cuda.h",
    "helper_math.h",
    "stdio.h",
    "math.h",
    "stdint.h",
];

/// The operator for an alternative token of C++, such as `and`.
fn operator_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" => "&&",
        "or" => "||",
        "not" => "!",
        "bitand" => "&",
        "bitor" => "|",
        "xor" => "^",
        "compl" => "~",
        "and_eq" => "&=",
        "or_eq" => "|=",
        "xor_eq" => "^=",
        "not_eq" => "!=",
        _ => return None,
    })
}

fn unknown_token(text: &str, span: Span) -> Diagnostic {
    let message = match text.as_bytes().first() {
        Some(b'"') => "This string has no closing quote on its line.".to_owned(),
        Some(b'\'') => "This character has no closing quote on its line.".to_owned(),
        Some(b'/') => "This comment is not closed; end it with `*/`.".to_owned(),
        Some(b'L' | b'u' | b'U') if !text.contains('R') => {
            "This literal has no closing quote on its line.".to_owned()
        }
        Some(b'L' | b'u' | b'U' | b'R') => {
            "This raw string is not closed; end it with `)`, its delimiter, and `\"`.".to_owned()
        }
        _ => format!("The character {text:?} is not valid in CUDA C++; remove it."),
    };
    let end = match text.as_bytes().first() {
        Some(b'/') => span.start + 2,
        _ => span.end,
    };
    Diagnostic::error(Span { end, ..span }, message)
}
