//! The instances of kernel templates that host code launches: `name<args><<<…`. A host template names them by its own
//! parameters, so calls are followed from the non-template functions: `run<float>(…)`, `run(values)`.

use std::collections::{BTreeMap, BTreeSet};

use super::Parser;
use crate::ast::{Instance, InstanceOrigin, Item, Name, TemplateParam};
use crate::preprocess::{Kind, Tok};

/// Maximum number of instances of host templates that are followed.
const MAX_INSTANCES: usize = 500;
/// Maximum number of tokens in all of them.
const MAX_TOKENS: usize = 4_000_000;
/// Maximum number of tokens of the template arguments of a followed call. Assumption: programs write a few.
const MAX_ARGUMENTS: usize = 256;
/// Maximum number of tokens between the declaration of a variable and a call whose argument it is. Assumption: functions
/// are shorter.
const MAX_DISTANCE: usize = 20_000;

/// Maximum number of tokens of a declaration before the declared name. Assumption: programs write a few.
const MAX_DECLARATION: usize = 64;

/// A host function, or a class template with its member functions.
#[derive(Clone, Debug)]
pub(super) struct HostCode {
    /// Its first token, and the token after its last.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The enclosing namespaces, as `a::b::`.
    pub(super) prefix: String,
    /// The name, if it is a template.
    pub(super) name: Option<Name>,
    /// The class template whose member functions it has; its arguments are those of the class.
    pub(super) class: Option<Name>,
    /// The template parameters, with the tokens of their default arguments.
    pub(super) params: Vec<HostParam>,
}

/// A template parameter of a host function.
#[derive(Clone, Debug)]
pub(super) struct HostParam {
    name: Name,
    default: Vec<Tok>,
}

/// Tokens that replace template parameters, in parameter order.
type Bound = Vec<(Name, Vec<Tok>)>;

impl Parser {
    /// Parses the template parameters of a host template from a token position on.
    pub(super) fn host_params(&self, params: &[TemplateParam], start: usize) -> Vec<HostParam> {
        let toks = &self.toks[start..self.pos];
        let named = params.iter().filter_map(|param| param.name.as_ref());
        let mut defaults: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, pair) in toks.windows(2).enumerate() {
            if pair[0].kind == Kind::Ident && pair[1].is("=") {
                defaults.entry(&pair[0].text).or_insert(at);
            }
        }
        let default_of = |name: &str| {
            let at = defaults.get(name);
            at.map_or_else(Vec::new, |at| argument_at(toks, at + 2).0)
        };
        named
            .map(|name| HostParam {
                name: name.name.clone(),
                default: default_of(&name.name),
            })
            .collect()
    }

    /// The instances that the host launches.
    pub(super) fn launched_instances(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let num_diagnostics = self.diagnostics.len();
        let all = std::mem::take(&mut self.host_code);
        let source = std::mem::take(&mut self.toks);
        let mut by_name: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
        for (idx, code) in all.iter().enumerate() {
            if let Some(name) = code.class.as_ref().or(code.name.as_ref()) {
                by_name.entry(name.clone()).or_default().push(idx);
            }
        }
        let mut seen = BTreeSet::new();
        let mut launched = BTreeSet::new();
        // A non-template function can be called from anywhere.
        let plain = all.iter().filter(|code| code.params.is_empty());
        let mut next: Vec<(usize, usize, &str, Bound)> = plain
            .map(|code| (code.start, code.end, &*code.prefix, Bound::new()))
            .collect();
        let num_plain = next.len();
        let mut num_tokens = 0;
        let mut idx = 0;
        while let Some((start, end, prefix, bound)) = next.get(idx).cloned() {
            idx += 1;
            num_tokens += end - start;
            if num_tokens > MAX_TOKENS {
                break;
            }
            let toks = substituted(&source[start..end], &bound);
            num_tokens += toks.len();
            for (callee, bound) in calls(&all, &by_name, &toks, &source) {
                let num_given: usize = bound.iter().map(|(_, value)| value.len()).sum();
                if num_given > MAX_ARGUMENTS {
                    continue;
                }
                let key = format!("{callee} {}", text_of(&bound));
                if next.len() - num_plain < MAX_INSTANCES && seen.insert(key) {
                    let code = &all[callee];
                    next.push((code.start, code.end, &*code.prefix, bound));
                }
            }
            self.toks = toks;
            let outer = std::mem::replace(&mut self.prefix, prefix.to_owned());
            let mut found = Vec::new();
            self.launches(&bound, &mut launched, &mut found);
            self.prefix = outer;
            match prefix.strip_suffix("::") {
                Some(space) if !found.is_empty() => items.push(Item::Namespace(space.into(), found)),
                _ => items.extend(found),
            }
        }
        self.toks = source;
        self.diagnostics.truncate(num_diagnostics);
        items
    }

    /// The kernel instances that the tokens name: in a launch, and as arguments of functions that launch them.
    fn launches(&mut self, bound: &Bound, launched: &mut BTreeSet<String>, items: &mut Vec<Item>) {
        let Some(last) = self.toks.last().cloned() else {
            return;
        };
        self.toks.push(token(Kind::End, "", &last));
        for at in 0..self.toks.len() - 1 {
            let follows_scope = at > 1 && self.toks[at - 1].is("::") && self.toks[at - 2].kind == Kind::Ident;
            if self.toks[at].kind != Kind::Ident || follows_scope {
                continue;
            }
            self.pos = at;
            let Some((name, num)) = self.qualified(0) else {
                continue;
            };
            if !self.peek_at(num).is("<") || !self.is_kernel_template(&name) {
                continue;
            }
            let Ok(name) = self.path("of a kernel") else {
                continue;
            };
            let first = self.pos;
            if let Ok(args) = self.template_args() {
                let words: Vec<&str> = self.toks[first..self.pos].iter().map(|tok| &*tok.text).collect();
                let text = format!("{}{} {}", self.prefix, name.name, words.join(" "));
                let is_certain = bound.is_empty() && self.at("<<<");
                // Instances of the source itself are all kept for their diagnostics.
                if launched.insert(text) || is_certain {
                    items.push(Item::Instance(Instance {
                        name,
                        args,
                        origin: if is_certain {
                            InstanceOrigin::Launch
                        } else {
                            InstanceOrigin::HostTemplate
                        },
                    }));
                }
            }
        }
    }

    /// Whether a name is that of a kernel template.
    fn is_kernel_template(&self, name: &str) -> bool {
        !self.kernels.is_empty() && self.meanings(name).iter().any(|name| self.kernels.contains(name))
    }
}

/// Tokens with substituted template parameters, and constants and aliases of the function.
fn substituted(toks: &[Tok], bound: &Bound) -> Vec<Tok> {
    let mut known: Bound = bound.clone();
    // The number of known names outside of each open block.
    let mut blocks: Vec<usize> = Vec::new();
    let mut out: Vec<Tok> = Vec::new();
    for (idx, tok) in toks.iter().enumerate() {
        match tok.kind {
            Kind::Punct("{") => blocks.push(known.len()),
            Kind::Punct("}") => known.truncate(blocks.pop().unwrap_or(bound.len()).max(bound.len())),
            _ => {}
        }
        let is_member = idx > 0 && matches!(toks[idx - 1].kind, Kind::Punct("." | "->" | "::"));
        let declared = declared_value(toks, idx);
        // The latest declaration hides the others.
        let found = known.iter().rev().find(|(name, _)| tok.is_word(name));
        match found {
            Some((_, value)) if !is_member && declared.is_none() => {
                out.extend(value.iter().map(|part| token(part.kind, &part.text, tok)));
            }
            _ => out.push(tok.clone()),
        }
        if let Some(value) = declared {
            let value = substituted(&value, &known);
            known.push((tok.text.clone(), value));
        }
    }
    out
}

/// The value of the constant, or the type of the alias, whose declaration has its name at a position.
fn declared_value(toks: &[Tok], idx: usize) -> Option<Vec<Tok>> {
    let name = toks.get(idx).filter(|tok| tok.kind == Kind::Ident)?;
    let next = toks.get(idx + 1)?;
    if !matches!(next.kind, Kind::Punct("=" | "{" | ";")) {
        return None;
    }
    let first = idx.saturating_sub(MAX_DECLARATION);
    let ends = |tok: &Tok| matches!(tok.kind, Kind::Punct(";" | "{" | "}" | "("));
    let start = toks[first..idx]
        .iter()
        .rposition(ends)
        .map_or(first, |at| first + at + 1);
    let head = &toks[start..idx];
    let has = |word: &str| head.iter().any(|tok| tok.is_word(word));
    if head.len() == 1 && has("using") && next.is("=") {
        return Some(argument_at(toks, idx + 2).0);
    }
    if head.first().is_some_and(|tok| tok.is_word("typedef")) && next.is(";") && head.len() > 1 {
        return Some(head[1..].to_vec());
    }
    // `const int a = 1, b = a * 2;`, `constexpr int c{3};`
    let last = head.last()?;
    let is_declared = last.kind == Kind::Ident && !last.is_word("return") || last.is(",");
    let is_pointer = head.iter().any(|tok| tok.is("*")) && !head.iter().any(|tok| tok.is("="));
    if !(has("const") || has("constexpr")) || !is_declared || is_pointer || next.is(";") {
        return None;
    }
    let value = initializer_at(toks, idx + 2);
    let is_simple = |tok: &Tok| {
        !matches!(
            tok.kind,
            Kind::Str | Kind::End | Kind::Punct("[" | "]" | "{" | "}" | "=" | "." | "->" | "++" | "--")
        )
    };
    let is_known = !value.is_empty() && value.len() < 32 && value.iter().all(is_simple);
    is_known.then(|| parenthesized(value, name))
}

/// The tokens of an initializer up to the `,`, `;`, or bracket that ends it. `<` compares in it.
fn initializer_at(toks: &[Tok], start: usize) -> Vec<Tok> {
    let mut depth = 0_u32;
    for (at, tok) in toks.iter().enumerate().skip(start) {
        match tok.kind {
            Kind::Punct("(" | "[" | "{") => depth += 1,
            Kind::Punct(";") => return toks[start..at].to_vec(),
            Kind::Punct("," | ")" | "]" | "}") if depth == 0 => return toks[start..at].to_vec(),
            Kind::Punct(")" | "]" | "}") => depth -= 1,
            _ => {}
        }
    }
    Vec::new()
}

fn parenthesized(value: Vec<Tok>, like: &Tok) -> Vec<Tok> {
    if value.len() < 2 {
        return value;
    }
    let mut out = vec![token(Kind::Punct("("), "(", like)];
    out.extend(value);
    out.push(token(Kind::Punct(")"), ")", like));
    out
}

/// A token with the span of another token.
fn token(kind: Kind, text: &str, like: &Tok) -> Tok {
    let mut out = like.clone();
    (out.kind, out.text) = (kind, text.into());
    out
}

/// The class template of a member function that is defined outside of it, from the function's tokens: `Name` of
/// `void Name<T>::run() { … }`.
pub(super) fn class_of_member(toks: &[Tok]) -> Option<Name> {
    let head = toks
        .iter()
        .position(|tok| matches!(tok.kind, Kind::Punct("{" | ";")))?;
    let is_member = |part: &[Tok]| {
        let is_name = part[2].is("~") || part[2].is_word("operator") || part[3].is("(");
        part[0].is(">") && part[1].is("::") && is_name
    };
    let end = toks[..head].windows(4).position(is_member)?;
    let mut depth = 0u32;
    let open = toks[..=end].iter().rposition(|tok| {
        match tok.kind {
            Kind::Punct(">") => depth += 1,
            Kind::Punct(">>") => depth += 2,
            Kind::Punct("<") => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    let name = toks[..open].last()?;
    (name.kind == Kind::Ident).then(|| name.text.clone())
}

/// The calls of host templates in a token range, with their template arguments.
fn calls(
    all: &[HostCode],
    by_name: &BTreeMap<Name, Vec<usize>>,
    toks: &[Tok],
    source: &[Tok],
) -> Vec<(usize, Bound)> {
    let mut out = Vec::new();
    for (at, tok) in toks.iter().enumerate() {
        if tok.kind != Kind::Ident {
            continue;
        }
        for idx in by_name.get(&tok.text).into_iter().flatten().copied() {
            let code = &all[idx];
            let mut next = at + 1;
            let mut given = Vec::new();
            if toks.get(next).is_some_and(|tok| tok.is("<")) {
                let Some((args, end)) = angle_arguments(toks, next) else {
                    continue;
                };
                (given, next) = (args, end);
            }
            if code.class.is_some() {
                // Whatever names an instance of a class can call its member functions.
                if !given.is_empty()
                    && let Some(bound) = bound_of_class(code, given)
                {
                    out.push((idx, bound));
                }
                continue;
            }
            if !toks.get(next).is_some_and(|tok| tok.is("(")) {
                continue;
            }
            if let Some(bound) = bound_of(code, given, toks, next, source) {
                out.push((idx, bound));
            }
        }
    }
    out
}

/// The template arguments of a call: explicit, deduced from the arguments, or defaults.
fn bound_of(
    code: &HostCode,
    given: Vec<Vec<Tok>>,
    toks: &[Tok],
    open: usize,
    source: &[Tok],
) -> Option<Bound> {
    if given.len() > code.params.len() || !takes(code, toks, open, source) {
        return None;
    }
    let mut bound: Bound = Vec::new();
    let mut given = given.into_iter();
    for param in &code.params {
        let value = given
            .next()
            .or_else(|| deduced(&param.name, code, toks, open, source))
            .or_else(|| {
                let default = substituted(&param.default, &bound);
                (!default.is_empty()).then_some(default)
            })?;
        bound.push((param.name.clone(), value));
    }
    Some(bound)
}

/// The template arguments of an instance of a class: explicit, or defaults.
fn bound_of_class(code: &HostCode, given: Vec<Vec<Tok>>) -> Option<Bound> {
    if given.len() > code.params.len() {
        return None;
    }
    let mut bound: Bound = Vec::new();
    let mut given = given.into_iter();
    for param in &code.params {
        let default = || Some(substituted(&param.default, &bound)).filter(|default| !default.is_empty());
        let value = given.next().or_else(default)?;
        bound.push((param.name.clone(), value));
    }
    Some(bound)
}

/// Whether a host function takes as many arguments as a call has.
fn takes(code: &HostCode, toks: &[Tok], open: usize, source: &[Tok]) -> bool {
    let own = &source[code.start..code.end];
    let Some(opens) = own.iter().position(|tok| tok.is("(")) else {
        return true;
    };
    let is_named = opens > 0
        && code
            .name
            .as_ref()
            .is_some_and(|name| own[opens - 1].is_word(name));
    let params = parenthesized_arguments(own, opens);
    let has_pack = params.iter().flatten().any(|tok| tok.is("..."));
    if !is_named || has_pack {
        return true;
    }
    let is_void = matches!(params.as_slice(), [only] if only.len() == 1 && only[0].is_word("void"));
    let most = if is_void { 0 } else { params.len() };
    let least = params
        .iter()
        .filter(|param| !param.iter().any(|tok| tok.is("=")))
        .count();
    let num = parenthesized_arguments(toks, open).len();
    num <= most && num >= least.min(most)
}

/// The template argument that a call argument determines: the type of a variable that is declared above, or of a
/// number.
fn deduced(name: &str, code: &HostCode, toks: &[Tok], open: usize, source: &[Tok]) -> Option<Vec<Tok>> {
    let own = &source[code.start..code.end];
    let opens = own.iter().position(|tok| tok.is("("))?;
    let params = parenthesized_arguments(own, opens);
    let args = parenthesized_arguments(toks, open);
    for (param, arg) in params.iter().zip(&args) {
        let Some(at) = param.iter().position(|tok| tok.is_word(name)) else {
            continue;
        };
        let num_stars = param[at + 1..].iter().filter(|tok| tok.is("*")).count();
        let is_plain = param[at + 1..]
            .iter()
            .all(|tok| tok.kind == Kind::Ident || matches!(tok.kind, Kind::Punct("*" | "&" | "[" | "]")));
        if !is_plain {
            continue;
        }
        if let Some(ty) = type_of(arg, toks, open, num_stars) {
            return Some(ty);
        }
    }
    None
}

/// The type of a simple argument, with some `*` removed.
fn type_of(arg: &[Tok], toks: &[Tok], open: usize, num_stars: usize) -> Option<Vec<Tok>> {
    let word = |text: &str, like: &Tok| vec![token(Kind::Ident, text, like)];
    let (is_address, arg) = match arg {
        [address, rest @ ..] if address.is("&") => (1, rest),
        _ => (0, arg),
    };
    let [only] = arg else { return None };
    if only.kind == Kind::Number {
        let text = only.text.to_ascii_lowercase();
        let is_hex = text.starts_with("0x");
        let is_float = !is_hex && text.contains(['.', 'e']);
        let ty = match (is_float, text.ends_with('f') && !is_hex, text.ends_with('u')) {
            (true, true, _) => "float",
            (true, false, _) => "double",
            (false, _, true) => "unsigned",
            _ => "int",
        };
        return (num_stars == 0).then(|| word(ty, only));
    }
    if only.kind != Kind::Ident {
        return None;
    }
    // The nearest preceding declaration: `type *name`.
    let at = (1..open).rev().take(MAX_DISTANCE).find(|at| {
        let next = toks.get(at + 1);
        let ends =
            next.is_some_and(|next| matches!(next.kind, Kind::Punct("=" | ";" | "," | ")" | "[" | "(")));
        toks[*at].is_word(&only.text)
            && ends
            && (toks[at - 1].kind == Kind::Ident && !toks[at - 1].is_word("return") || toks[at - 1].is("*"))
    })?;
    let is_array = usize::from(toks[at + 1].is("["));
    let mut start = at;
    let mut own_stars = is_address + is_array;
    while start > 0 && (toks[start - 1].is("*") || toks[start - 1].is_word("__restrict__")) {
        own_stars += usize::from(toks[start - 1].is("*"));
        start -= 1;
    }
    let end = start;
    while start > 0 && (toks[start - 1].kind == Kind::Ident || toks[start - 1].is("::")) {
        start -= 1;
    }
    let ty: Vec<Tok> = toks[start..end]
        .iter()
        .filter(|tok| !matches!(&*tok.text, "const" | "static" | "constexpr" | "auto"))
        .cloned()
        .collect();
    (own_stars == num_stars && !ty.is_empty()).then_some(ty)
}

/// The arguments in the parentheses that open at a position.
fn parenthesized_arguments(toks: &[Tok], open: usize) -> Vec<Vec<Tok>> {
    let mut out = Vec::new();
    let mut at = open + 1;
    while at < toks.len() {
        let (arg, end) = argument_at(toks, at);
        if !arg.is_empty() {
            out.push(arg);
        }
        match toks.get(end) {
            Some(tok) if tok.is(",") => at = end + 1,
            _ => break,
        }
    }
    out
}

/// The tokens of an argument or initializer, and the position of its terminator.
fn argument_at(toks: &[Tok], start: usize) -> (Vec<Tok>, usize) {
    let (mut depth, mut angles) = (0u32, 0u32);
    for (at, tok) in toks.iter().enumerate().skip(start) {
        match tok.kind {
            Kind::Punct("(" | "[" | "{") => depth += 1,
            Kind::Punct(")" | "]" | "}" | "," | ";") if depth == 0 && angles == 0 => {
                return (toks[start..at].to_vec(), at);
            }
            Kind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
            Kind::Punct(";") => return (toks[start..at].to_vec(), at),
            Kind::Punct("<") if at > start && toks[at - 1].kind == Kind::Ident => angles += 1,
            Kind::Punct(">") if depth == 0 && angles == 0 => return (toks[start..at].to_vec(), at),
            Kind::Punct(">") => angles = angles.saturating_sub(1),
            _ => {}
        }
    }
    (toks.get(start..).unwrap_or_default().to_vec(), toks.len())
}

/// The template arguments after the `<` at a position, and the position after the `>`.
fn angle_arguments(toks: &[Tok], open: usize) -> Option<(Vec<Vec<Tok>>, usize)> {
    let mut args = vec![Vec::new()];
    let (mut depth, mut angles) = (0u32, 0u32);
    for (at, tok) in toks.iter().enumerate().skip(open + 1) {
        match tok.kind {
            Kind::Punct("(" | "[") => depth += 1,
            Kind::Punct(")" | "]") if depth == 0 => return None,
            Kind::Punct(")" | "]") => depth -= 1,
            Kind::Punct("<") => angles += 1,
            Kind::Punct(">") if depth == 0 && angles == 0 => {
                args.retain(|arg| !arg.is_empty());
                return Some((args, at + 1));
            }
            Kind::Punct(">") => angles = angles.saturating_sub(1),
            Kind::Punct(",") if depth == 0 && angles == 0 => {
                args.push(Vec::new());
                continue;
            }
            Kind::Punct(";" | "{" | "}" | "&&" | "||") if depth == 0 => return None,
            _ => {}
        }
        args.last_mut()?.push(tok.clone());
    }
    None
}

fn text_of(bound: &Bound) -> String {
    let values = bound
        .iter()
        .flat_map(|(_, value)| value.iter().map(|tok| &*tok.text).chain([","]));
    values.collect::<Vec<_>>().join(" ")
}
