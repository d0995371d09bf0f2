//! Extended lambdas: `[=] __device__ (int i) { … }` in a function of the host. Each becomes an object of a class template
//! before the function. The arguments of the template are the types of the captured variables, which the evaluator of
//! host code knows. Source: CUDA C++ Programming Guide, "Extended Lambdas".

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::Diagnostic;
use super::preprocess::{Kind, Tok};
use engine::ids::Span;

/// The prefix of the names of the class templates; the line follows.
pub(crate) const PREFIX: &str = "__lambda_line_";

/// Words before `name` that are no type: `return name`.
const NO_TYPES: [&str; 8] = [
    "return", "else", "case", "goto", "delete", "throw", "new", "typename",
];

/// The tokens of a source in which objects replace extended lambdas, and the mistakes in the lambdas.
pub(crate) fn replaced(toks: Vec<Tok>) -> (Vec<Tok>, Vec<Diagnostic>) {
    let is_candidate = |pair: &[Tok]| pair[0].is("]") && is_execution_space(&pair[1]);
    if !toks.windows(2).any(is_candidate) {
        return (toks, Vec::new());
    }
    let ends = ends_of_groups(&toks);
    let mut mistakes = Vec::new();
    let mut num_on_line: BTreeMap<u32, usize> = BTreeMap::new();
    let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
    let mut num_taken = 0;
    for function in host_functions(&toks, &ends) {
        let mut templates = Vec::new();
        let mut body = Vec::new();
        let mut at = function.start;
        while at < function.end {
            if let Some(span) = reference_capture(&toks, &ends, at) {
                let message = "An extended `__device__` lambda cannot capture by reference; capture a copy, as in `[=]`.";
                mistakes.push(Diagnostic::error(span, message));
            }
            if let Some(lambda) = Lambda::at(&toks, &ends, at, &function) {
                let line = toks[at].span.line;
                let num = num_on_line.entry(line).or_default();
                let name = format!("{PREFIX}{line}{}", "_".repeat(*num));
                *num += 1;
                templates.push(lambda.template(&name, &toks));
                body.extend(lambda.object(&name, &toks[at]));
                at = lambda.end;
            } else {
                body.push(toks[at].clone());
                at += 1;
            }
        }
        out.extend_from_slice(&toks[num_taken..function.start]);
        out.extend(templates.into_iter().flatten());
        out.extend(body);
        num_taken = function.end;
    }
    out.extend_from_slice(&toks[num_taken..]);
    (out, mistakes)
}

/// The `&` in the brackets of an extended lambda.
fn reference_capture(toks: &[Tok], ends: &[usize], start: usize) -> Option<Span> {
    if !toks[start].is("[") || toks.get(start + 1)?.is("[") {
        return None;
    }
    let end = ends[start];
    let is_extended = is_execution_space(toks.get(end)?);
    let mut listed = toks[start..end].iter();
    listed.find(|tok| is_extended && tok.is("&")).map(|tok| tok.span)
}

fn is_execution_space(tok: &Tok) -> bool {
    tok.is_word("__device__") || tok.is_word("__host__")
}

/// A function of the host at namespace scope that is no template: its tokens from its head through its body.
struct HostFunction {
    start: usize,
    end: usize,
}

fn host_functions(toks: &[Tok], ends: &[usize]) -> Vec<HostFunction> {
    let mut out = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < toks.len() {
        match toks[at].kind {
            Kind::Punct(";" | "}") | Kind::LibraryStart | Kind::LibraryEnd | Kind::PragmaEnd => {
                at += 1;
                start = at;
            }
            Kind::Punct("(" | "[") => at = ends[at],
            Kind::Punct("{") => {
                let head = &toks[start..at];
                let has = |word: &str| head.iter().any(|tok| tok.is_word(word));
                let has_parameters = head.iter().any(|tok| tok.is("("));
                if has("namespace") || has("extern") && !has_parameters {
                    at += 1;
                    start = at;
                    continue;
                }
                at = ends[at];
                let is_device = [
                    "__device__",
                    "__global__",
                    "template",
                    "class",
                    "struct",
                    "union",
                    "enum",
                ];
                if has_parameters && !is_device.iter().any(|word| has(word)) {
                    out.push(HostFunction { start, end: at });
                }
                if has_parameters {
                    start = at;
                }
            }
            _ => at += 1,
        }
    }
    out
}

/// By opening bracket: the position after the bracket that closes it.
fn ends_of_groups(toks: &[Tok]) -> Vec<usize> {
    let mut ends = vec![toks.len(); toks.len()];
    let mut open = Vec::new();
    for (at, tok) in toks.iter().enumerate() {
        match tok.kind {
            Kind::Punct("(" | "[" | "{") => open.push(at),
            Kind::Punct(")" | "]" | "}") => {
                if let Some(start) = open.pop() {
                    ends[start] = at + 1;
                }
            }
            _ => {}
        }
    }
    ends
}

/// An extended lambda whose captures are copies of variables of the function.
struct Lambda<'t> {
    captures: Vec<&'t str>,
    /// The positions of its `(`, of the token after its parameters, of its `{`, and of the token behind it.
    params: usize,
    rest: usize,
    body: usize,
    end: usize,
}

impl<'t> Lambda<'t> {
    fn at(toks: &'t [Tok], ends: &[usize], start: usize, function: &HostFunction) -> Option<Self> {
        if !toks[start].is("[") || toks.get(start + 1)?.is("[") {
            return None;
        }
        let mut at = ends[start];
        let listed = &toks[start + 1..at - 1];
        let mut is_device = false;
        while is_execution_space(toks.get(at)?) {
            is_device |= toks[at].is_word("__device__");
            at += 1;
        }
        let params = at;
        if !is_device || !toks.get(params)?.is("(") {
            return None;
        }
        let rest = ends[params];
        let body = (rest..function.end).find(|at| toks[*at].is("{"))?;
        let end = ends[body];
        let is_generic = toks[params..rest].iter().any(|tok| tok.is_word("auto"));
        let names = captured(listed, &toks[params..end])?;
        let declared = declarations(&toks[function.start..start], names.iter().map(|(name, _)| *name));
        let mut captures: Vec<&str> = Vec::new();
        for (name, is_listed) in names {
            match declared[name] {
                Some(Variable::Array) => return None,
                Some(Variable::Plain) => captures.push(name),
                None if is_listed => return None,
                None => {}
            }
        }
        (!is_generic).then_some(Self {
            captures,
            params,
            rest,
            body,
            end,
        })
    }

    /// The class template. Without captures it is a template, too, so that it is checked only where it is used.
    fn template(&self, name: &str, toks: &[Tok]) -> Vec<Tok> {
        let like = &toks[self.params];
        let params: Vec<String> = (0..self.captures.len())
            .map(|idx| format!(", class __T{idx}"))
            .collect();
        let mut text = format!("template < int __N {} > struct {name} {{ ", params.join(" "));
        for (idx, capture) in self.captures.iter().enumerate() {
            text += &format!("__T{idx} {capture} ; ");
        }
        let mut out = words(&format!("{text} __device__ auto operator ( )"), like);
        out.extend_from_slice(&toks[self.params..self.rest]);
        let rest = &toks[self.rest..self.body];
        if !rest.iter().any(|tok| tok.is_word("mutable")) {
            out.extend(words("const", like));
        }
        out.extend(rest.iter().filter(|tok| !tok.is_word("mutable")).cloned());
        out.extend_from_slice(&toks[self.body..self.end]);
        out.extend(words("} ;", like));
        out
    }

    /// The object.
    fn object(&self, name: &str, like: &Tok) -> Vec<Tok> {
        let types: Vec<String> = self
            .captures
            .iter()
            .map(|capture| format!(", decltype ( {capture} )"))
            .collect();
        let values = self.captures.join(" , ");
        words(&format!("{name} < 0 {} > {{ {values} }}", types.join(" ")), like)
    }
}

/// The names that a lambda can capture, each once, with whether its brackets name them; `None` for captures that an extended lambda
/// does not have or that are not supported: references, `this`, and values with a name of their own.
fn captured<'t>(listed: &'t [Tok], body: &'t [Tok]) -> Option<Vec<(&'t str, bool)>> {
    let mut names = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut takes_all = false;
    for capture in listed.split(|tok| tok.is(",")) {
        match capture {
            [] => {}
            [only] if only.is("=") => takes_all = true,
            [only] if only.kind == Kind::Ident && !only.is_word("this") => {
                if known.insert(&only.text) {
                    names.push((&*only.text, true));
                }
            }
            _ => return None,
        }
    }
    if body.iter().any(|tok| tok.is_word("this")) {
        return None;
    }
    if takes_all {
        for near in body.windows(3) {
            let tok = &near[1];
            if tok.kind != Kind::Ident
                || matches!(near[0].kind, Kind::Punct("." | "->" | "::"))
                || near[2].is("::")
            {
                continue;
            }
            // Parameters and variables of the lambda hide those of the function.
            let is_own = near[0].kind == Kind::Ident && is_declared(&near[0], &near[2]);
            if known.insert(&tok.text) && !is_own {
                names.push((&*tok.text, false));
            }
        }
    }
    Some(names)
}

#[derive(Clone, Copy)]
enum Variable {
    Plain,
    Array,
}

/// The declarations of names in the tokens of a function up to a lambda, in the blocks that are open there and in the
/// parentheses of their statements. Of several declarations of a name, the last counts.
fn declarations<'t>(
    before: &[Tok],
    names: impl Iterator<Item = &'t str>,
) -> BTreeMap<&'t str, Option<Variable>> {
    let mut out: BTreeMap<&str, Option<Variable>> = names.map(|name| (name, None)).collect();
    let mut num_left = out.len();
    // The brackets around a token that are closed before the lambda, from the outermost: whether their names are not visible.
    let mut closed: Vec<bool> = Vec::new();
    let mut num_hidden = 0;
    let (mut opened, mut is_in_statement) = (None, true);
    for (at, tok) in before.iter().enumerate().rev() {
        if num_left == 0 {
            break;
        }
        match tok.kind {
            Kind::Punct(")" | "]" | "}") => {
                let is_head = tok.is(")") && (is_in_statement || opened == Some(at + 1));
                closed.push(!is_head);
                num_hidden += usize::from(!is_head);
            }
            Kind::Punct("(" | "[" | "{") => match closed.pop() {
                Some(was_hidden) => num_hidden -= usize::from(was_hidden),
                None => opened = Some(at),
            },
            Kind::Ident if num_hidden == 0 => {
                if let Some([previous, _, next]) =
                    at.checked_sub(1).and_then(|start| before.get(start..start + 3))
                    && is_declared(previous, next)
                    && let Some(found @ None) = out.get_mut(&*tok.text)
                {
                    *found = Some(if next.is("[") {
                        Variable::Array
                    } else {
                        Variable::Plain
                    });
                    num_left -= 1;
                }
            }
            _ => {}
        }
        is_in_statement &= !(tok.is("{") || tok.is(";") && closed.is_empty());
    }
    out
}

/// Whether a name between two tokens is declared there.
fn is_declared(previous: &Tok, next: &Tok) -> bool {
    let follows_type = match previous.kind {
        Kind::Ident => !NO_TYPES.iter().any(|word| previous.is_word(word)),
        Kind::Punct("*" | "&" | ">" | ",") => true,
        _ => false,
    };
    follows_type
        && matches!(
            next.kind,
            Kind::Punct("=" | ";" | "," | ")" | "{" | "(" | "[" | ":")
        )
}

/// Tokens of a text with a space between each two, at the place of another token.
fn words(text: &str, like: &Tok) -> Vec<Tok> {
    let word = |text: &str| {
        let mut out = like.clone();
        out.kind = match crate::lex::punct_at(text) {
            Some(punct) => Kind::Punct(punct),
            None if text.starts_with(|c: char| c.is_ascii_digit()) => Kind::Number,
            None => Kind::Ident,
        };
        out.text = text.into();
        out
    };
    text.split_whitespace().map(word).collect()
}
