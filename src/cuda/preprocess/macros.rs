//! Macros: definition and expansion.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Hidden, Kind, Preprocessor, Tok};
use crate::diagnostic::{Diagnostic, MAX_QUOTED, clipped};
use crate::lex::{TokenKind, punct_at, tokens};
use crate::limits::Limit;
use engine::ids::Span;

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    /// Names of the parameters, of a function-like macro.
    pub(super) params: Option<Vec<Arc<str>>>,
    /// Whether the last parameter is `...`, named `__VA_ARGS__`.
    pub(super) variadic: bool,
    /// The replacement tokens.
    pub(super) body: Vec<Tok>,
}

/// Maximum nesting depth of macros in macro arguments. Assumption: programs nest a few levels. Each level is a call.
const MAX_DEPTH: u32 = 64;
/// Maximum number of tokens that one macro use can expand to, including intermediate steps. Assumption: ten times the
/// longest macro of a program.
const MAX_EXPANSION: usize = 100_000;
/// Maximum number of tokens that all macros of a text can expand to, with intermediate steps. Assumption: as many as the
/// source can have.
const MAX_TOKENS: usize = 1_000_000;

impl Preprocessor<'_> {
    /// Parses `#define` after the keyword.
    pub(super) fn define(&mut self, line: &[Tok], hash: Span) {
        let Some((name, rest)) = line.split_first().filter(|(name, _)| name.kind == Kind::Ident) else {
            let span = line.first().map_or(hash, |tok| tok.span);
            self.error(span, "`#define` needs a name.");
            return;
        };
        let mut params = None;
        let mut variadic = false;
        let mut body = rest;
        if rest.first().is_some_and(|tok| tok.is("(") && !tok.space_before) {
            let Some(close) = rest.iter().position(|tok| tok.is(")")) else {
                self.is_unclosed = true;
                self.error(name.span, "The parameters of this macro have no closing `)`.");
                return;
            };
            let mut names = Vec::new();
            for (idx, tok) in rest[1..close].iter().enumerate() {
                let expects_name = idx % 2 == 0;
                match tok.kind {
                    Kind::Ident if expects_name => names.push(tok.text.clone()),
                    Kind::Punct("...") if expects_name && idx + 2 == close => {
                        variadic = true;
                        names.push(Arc::from("__VA_ARGS__"));
                    }
                    Kind::Punct(",") if !expects_name => {}
                    _ => {
                        self.error(
                            tok.span,
                            "The parameters of a macro are names with commas between them.",
                        );
                        return;
                    }
                }
            }
            params = Some(names);
            body = &rest[close + 1..];
        }
        let definition = Macro {
            params,
            variadic,
            body: body.to_vec(),
        };
        self.macros.insert(name.text.clone(), definition);
    }

    /// Expands the macros in a token sequence.
    pub(super) fn expand(&mut self, input: Vec<Tok>, depth: u32) -> Vec<Tok> {
        let mut stack: Vec<Tok> = input.into_iter().rev().collect();
        let mut out = Vec::new();
        while let Some(tok) = stack.pop() {
            // `defined` that a macro of a condition creates. The standard leaves it open; compilers evaluate it.
            if self.in_condition && tok.is_word("defined") {
                let operand = defined_operand(&mut stack);
                let Some(name) = operand else {
                    out.push(tok);
                    continue;
                };
                let value = if self.is_defined(&name) { "1" } else { "0" };
                out.push(Tok::new(Kind::Number, Arc::from(value), tok.span));
                continue;
            }
            let definition = match tok.kind {
                Kind::Ident if !is_hidden(&tok) => self.macros.get(&tok.text),
                _ => None,
            };
            let Some(definition) = definition else {
                if &*tok.text == "__LINE__" && tok.kind == Kind::Ident {
                    let line = self.files.place(tok.span).1.to_string();
                    out.push(Tok::new(Kind::Number, Arc::from(line), tok.span));
                } else if &*tok.text == "__FILE__" && tok.kind == Kind::Ident {
                    let name = format!("\"{}\"", self.files.place(tok.span).0);
                    out.push(Tok::new(Kind::Str, Arc::from(name), tok.span));
                } else {
                    out.push(tok);
                }
                continue;
            };
            let takes_arguments = definition.params.is_some();
            if takes_arguments && !stack.last().is_some_and(|next| next.is("(")) {
                out.push(tok);
                continue;
            }
            let definition = definition.clone();
            if depth == 0 && tok.hidden.is_none() {
                self.before_expansion = self.num_expanded;
            }
            if !self.can_expand(&tok, depth) {
                return out;
            }
            let mut replacement = if !takes_arguments {
                self.substitute(&definition, &[], &tok, depth)
            } else if let Some(args) = arguments(&mut stack) {
                match match_arguments(&definition, args, &tok) {
                    Ok(args) => self.substitute(&definition, &args, &tok, depth),
                    Err(diagnostic) => {
                        self.report(diagnostic);
                        Vec::new()
                    }
                }
            } else {
                let message = format!("The arguments of the macro `{}` have no closing `)`.", tok.text);
                self.is_unclosed = true;
                self.error(tok.span, message);
                Vec::new()
            };
            if let Some(first) = replacement.first_mut() {
                first.space_before = tok.space_before;
            }
            stack.extend(replacement.into_iter().rev());
        }
        out
    }

    /// Whether a use of a macro can expand. An exceeded limit ends preprocessing.
    fn can_expand(&mut self, tok: &Tok, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            let message = format!(
                "The arguments of macros are nested more than {MAX_DEPTH} levels deep here. Define a macro for the \
                 inner ones."
            );
            self.stop(Diagnostic::error(tok.span, message));
        }
        if tok
            .hidden
            .as_ref()
            .is_some_and(|hidden| hidden.len >= Limit::MacroChain.most())
        {
            self.stop(Limit::MacroChain.exceeded(tok.span));
        }
        self.count_expanded(1, tok);
        self.fatal.is_none()
    }

    /// Counts tokens of a macro's expansion. Returns whether they are within the limits; an exceeded limit ends
    /// preprocessing.
    fn count_expanded(&mut self, num: usize, tok: &Tok) -> bool {
        self.num_expanded += num;
        if self.num_expanded - self.before_expansion > MAX_EXPANSION {
            let name = outermost(tok);
            let message = format!("The macro `{name}` expands to more than {MAX_EXPANSION} tokens here.");
            self.stop(Diagnostic::error(tok.span, message));
        }
        if self.num_expanded > MAX_TOKENS {
            let message = format!("The macros of this file expand to more than {MAX_TOKENS} tokens.");
            self.stop(Diagnostic::error(tok.span, message));
        }
        self.fatal.is_none()
    }

    /// Counts the characters of a token that `#` or `##` creates. Returns whether they are within the limits; an exceeded
    /// limit ends preprocessing.
    fn count_created(&mut self, len: usize, span: Span) -> bool {
        if len as u64 > Limit::TokenLength.most() {
            self.stop(Limit::TokenLength.exceeded(span));
        } else if let Err(limit) = self.created.charge(len as u64) {
            self.stop(limit.exceeded(span));
        }
        self.fatal.is_none()
    }

    /// The body of a macro with substituted parameters, with the span of `usage`.
    fn substitute(&mut self, definition: &Macro, args: &[Vec<Tok>], usage: &Tok, depth: u32) -> Vec<Tok> {
        let hidden = Some(Hidden::before(usage.hidden.clone(), &usage.text));
        let body = &definition.body;
        let names = definition.params.as_deref().unwrap_or_default();
        let positions: BTreeMap<&str, usize> = (names.iter().enumerate().rev())
            .map(|(idx, name)| (&**name, idx))
            .collect();
        let position = |tok: &Tok| {
            let is_name = tok.kind == Kind::Ident;
            let idx = positions.get(&*tok.text).copied().filter(|_| is_name);
            idx.filter(|idx| *idx < args.len())
        };
        let mut expanded: Vec<Option<Vec<Tok>>> = vec![None; args.len()];
        let mut out: Vec<Tok> = Vec::new();
        let mut idx = 0;
        // Whether the next piece is pasted to the previous one.
        let mut paste = false;
        while let Some(tok) = body.get(idx) {
            idx += 1;
            if tok.is("##") && !out.is_empty() {
                paste = true;
                continue;
            }
            let stringized = (tok.is("#") && definition.params.is_some())
                .then(|| body.get(idx).and_then(position))
                .flatten();
            let piece: Vec<Tok> = if let Some(position) = stringized {
                idx += 1;
                self.stringized(&args[position], usage.span).into_iter().collect()
            } else if let Some(position) = position(tok) {
                let raw = &args[position];
                let pasted = paste || body.get(idx).is_some_and(|next| next.is("##"));
                if pasted {
                    raw.clone()
                } else {
                    let done = match expanded[position].take() {
                        Some(done) => done,
                        None => self.expand(raw.clone(), depth + 1),
                    };
                    expanded[position] = Some(done.clone());
                    done
                }
            } else {
                vec![tok.clone()]
            };
            if !self.count_expanded(piece.len().max(1), usage) {
                return Vec::new();
            }
            let mut piece = piece.into_iter();
            if paste {
                paste = false;
                let is_rest = definition.variadic && tok.is_word("__VA_ARGS__");
                match (out.last().cloned(), piece.next()) {
                    // `, ## __VA_ARGS__`: the comma is dropped with empty arguments.
                    (Some(comma), None) if is_rest && comma.is(",") => {
                        out.pop();
                    }
                    (Some(comma), Some(first)) if is_rest && comma.is(",") => out.push(first),
                    (Some(last), Some(first)) => {
                        out.pop();
                        out.extend(self.pasted(&last, &first, usage.span));
                    }
                    (_, first) => out.extend(first),
                }
            }
            out.extend(piece);
        }
        for tok in &mut out {
            tok.span = usage.span;
            tok.hidden = match &tok.hidden {
                None => hidden.clone(),
                Some(_) => prepend_hidden(tok.hidden.clone(), &usage.text),
            };
        }
        out
    }

    /// The string of an argument after `#`; `None` if it is too long.
    fn stringized(&mut self, arg: &[Tok], span: Span) -> Option<Tok> {
        let mut text = String::from("\"");
        for (idx, tok) in arg.iter().enumerate() {
            let before = text.len();
            if idx > 0 && tok.space_before {
                text.push(' ');
            }
            text.push_str(&tok.text.replace('\\', "\\\\").replace('"', "\\\""));
            let is_short = text.len() as u64 <= Limit::TokenLength.most();
            if !self.count_created(if is_short { text.len() - before } else { text.len() }, span) {
                return None;
            }
        }
        text.push('"');
        Some(Tok::new(Kind::Str, Arc::from(text), span))
    }

    /// Concatenates two tokens.
    fn pasted(&mut self, left: &Tok, right: &Tok, span: Span) -> Vec<Tok> {
        if !self.count_created(left.text.len() + right.text.len(), span) {
            return Vec::new();
        }
        let text = format!("{}{}", left.text, right.text);
        let made = tokens(&text);
        let kind = match made.as_slice() {
            [one] if one.end as usize == text.len() => match one.kind {
                TokenKind::Ident => Some(Kind::Ident),
                TokenKind::Number => Some(Kind::Number),
                TokenKind::Punct => punct_at(&text).map(Kind::Punct),
                TokenKind::Str => Some(Kind::Str),
                _ => None,
            },
            _ => None,
        };
        if let Some(kind) = kind {
            vec![Tok {
                hidden: left.hidden.clone(),
                ..Tok::new(kind, Arc::from(text), span)
            }]
        } else {
            let message = format!(
                "`##` creates `{}`, which is not a valid token.",
                clipped(&text, MAX_QUOTED)
            );
            self.error(span, message);
            vec![left.clone(), right.clone()]
        }
    }
}

/// Takes the operand of `defined` from the stack of pending tokens: `NAME` or `(NAME)`.
fn defined_operand(stack: &mut Vec<Tok>) -> Option<Arc<str>> {
    let mut pending = stack.iter().rev();
    let first = pending.next()?;
    let (name, len) = if first.is("(") {
        let name = pending.next()?;
        (name, if pending.next()?.is(")") { 3 } else { return None })
    } else {
        (first, 1)
    };
    let name = (name.kind == Kind::Ident).then(|| name.text.clone())?;
    stack.truncate(stack.len() - len);
    Some(name)
}

/// The macro whose expansion produced a token.
fn outermost(tok: &Tok) -> &str {
    let mut name = &tok.text;
    let mut hidden = tok.hidden.as_ref();
    while let Some(entry) = hidden {
        name = &entry.name;
        hidden = entry.rest.as_ref();
    }
    name
}

fn is_hidden(tok: &Tok) -> bool {
    let mut hidden = tok.hidden.as_ref();
    while let Some(entry) = hidden {
        if entry.name == tok.text {
            return true;
        }
        hidden = entry.rest.as_ref();
    }
    false
}

fn prepend_hidden(list: Option<Arc<Hidden>>, name: &Arc<str>) -> Option<Arc<Hidden>> {
    let mut entry = list.as_ref();
    while let Some(hidden) = entry {
        if hidden.name == *name {
            return list;
        }
        entry = hidden.rest.as_ref();
    }
    Some(Hidden::before(list, name))
}

/// Takes the arguments of a function-like macro, from `(` to `)`, from the stack of pending tokens.
fn arguments(stack: &mut Vec<Tok>) -> Option<Vec<Vec<Tok>>> {
    stack.pop();
    let mut args = vec![Vec::new()];
    let mut depth = 0u32;
    while let Some(tok) = stack.pop() {
        match tok.kind {
            Kind::Punct(")") if depth == 0 => return Some(args),
            Kind::Punct(",") if depth == 0 => {
                args.push(Vec::new());
                continue;
            }
            Kind::Punct("(") => depth += 1,
            Kind::Punct(")") => depth -= 1,
            _ => {}
        }
        args.last_mut()?.push(tok);
    }
    None
}

/// Matches the arguments with the macro's parameters.
fn match_arguments(
    definition: &Macro,
    mut args: Vec<Vec<Tok>>,
    usage: &Tok,
) -> Result<Vec<Vec<Tok>>, Diagnostic> {
    let wanted = definition.params.as_ref().map_or(0, Vec::len);
    if definition.variadic && args.len() >= wanted {
        let mut rest = Vec::new();
        for (idx, arg) in args.drain(wanted - 1..).enumerate() {
            if idx > 0 {
                rest.push(Tok::new(Kind::Punct(","), Arc::from(","), usage.span));
            }
            rest.extend(arg);
        }
        args.push(rest);
    } else if definition.variadic && args.len() + 1 == wanted {
        args.push(Vec::new());
    }
    if wanted == 0 && args.len() == 1 && args[0].is_empty() {
        return Ok(Vec::new());
    }
    if args.len() == wanted {
        return Ok(args);
    }
    let arguments = if wanted == 1 { "argument" } else { "arguments" };
    let message = format!(
        "The macro `{}` takes {wanted} {arguments}, not {}.",
        usage.text,
        args.len()
    );
    Err(Diagnostic::error(usage.span, message))
}
