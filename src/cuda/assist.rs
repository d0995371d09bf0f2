//! What an editor asks of a source text: the names at a place, completions, what to say of a name, where it is
//! declared, its other uses, and which brackets belong together.
//!
//! All are pure functions of the text, an offset in bytes, and an [`Index`]. The text is often broken while someone
//! types: brackets and scopes come from tokens, names from the syntax tree of what could be parsed, types from the
//! checker. An index takes over from the one before it what the text at present hides.

mod chain;
mod collect;
mod complete;
pub mod documentation;
mod hover;
mod known;
mod registers;
mod scopes;
#[cfg(test)]
mod tests;
mod writes;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use complete::{Completion, Proposal, filtered, takes_enter};
pub use hover::{Hover, hover};

use super::ast::Name;
use super::check;
use super::hir::{self, Type};
use super::lex::{TokenKind, tokens};
use super::parse;
use super::preprocess;
use super::source::Source;
use engine::arch::{ArchId, architecture};
use engine::ids::Span;
use engine::isa::CompileOptions;
use scopes::Marks;

/// Texts of more bytes have no index: they are no kernels.
const MAX_BYTES: usize = 256 * 1024;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A variable of a function.
    Local,
    /// A parameter of a function or a template.
    Parameter,
    /// A data member of a struct.
    Field,
    /// A function of a struct.
    Method,
    /// A variable outside functions.
    Variable,
    /// A `__global__` function.
    Kernel,
    /// A function.
    Function,
    /// A struct, an enum, or another name of a type.
    Type,
    /// A name of an enum.
    Constant,
    /// A macro.
    Macro,
    /// A namespace.
    Namespace,
    /// A label of `goto`.
    Label,
    /// `threadIdx` and its like.
    BuiltinVariable,
    /// A function that CUDA provides.
    Builtin,
    /// A word of the language.
    Keyword,
    /// A preprocessor directive.
    Directive,
    /// A file for `#include`.
    Header,
}

impl SymbolKind {
    /// The kind in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local variable",
            Self::Parameter => "parameter",
            Self::Field => "member",
            Self::Method => "member function",
            Self::Variable => "variable",
            Self::Kernel => "kernel",
            Self::Function => "function",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Macro => "macro",
            Self::Namespace => "namespace",
            Self::Label => "label",
            Self::BuiltinVariable => "built-in variable",
            Self::Builtin => "CUDA function",
            Self::Keyword => "keyword",
            Self::Directive => "directive",
            Self::Header => "header",
        }
    }
}

/// What is known of the type of a name.
#[derive(Clone, Debug, PartialEq)]
enum Of {
    /// A type that the checker knows.
    Known(Type),
    /// The name of a struct or type, as written.
    Named(String),
}

/// A name that the source or one of its headers declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The name with its namespaces and structs, as `a::b`.
    pub path: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Its declaration as C++ writes it, on one line.
    pub signature: String,
    /// Where its name stands in the declaration; `None` for names of headers.
    pub place: Option<Range<usize>>,
    /// The header that declares it.
    pub header: Option<String>,
    /// Bytes of the text in which it is visible.
    scope: Range<usize>,
    /// The function or struct that it belongs to.
    owner: String,
    /// Its type, or that of its result.
    of: Option<Of>,
}

/// What the checker knows of a variable.
#[derive(Clone, Debug, PartialEq)]
struct Fact {
    ty: Type,
    c_type: String,
    bytes: u64,
    is_shared: bool,
    is_dynamic: bool,
}

/// The names of a source for one architecture.
#[derive(Debug)]
pub struct Index {
    text: String,
    arch: ArchId,
    options: CompileOptions,
    symbols: Vec<Symbol>,
    structs: Vec<hir::Struct>,
    /// What structs inherit from, by their paths.
    bases: BTreeMap<String, String>,
    /// Facts of variables by the start of their names.
    facts: BTreeMap<usize, Fact>,
    /// The same by function and name, with those of the index before.
    facts_by_name: BTreeMap<(String, String), Fact>,
    /// Values that variables get: the start of the variable's name, and where the value stands.
    writes: Vec<(usize, Span)>,
    templates: BTreeSet<String>,
    aliases: BTreeMap<Name, Name>,
    usings: Vec<Name>,
}

impl Index {
    /// Reads a text. `before`: the index of the text as it was, from which names come that a mistake hides now.
    pub fn read(text: &str, arch: ArchId, options: &CompileOptions, before: Option<&Self>) -> Self {
        let mut index = Self {
            text: text.to_owned(),
            arch,
            options: *options,
            symbols: Vec::new(),
            structs: Vec::new(),
            bases: BTreeMap::new(),
            facts: BTreeMap::new(),
            facts_by_name: BTreeMap::new(),
            writes: Vec::new(),
            templates: BTreeSet::new(),
            aliases: BTreeMap::new(),
            usings: Vec::new(),
        };
        if text.len() > MAX_BYTES {
            return index;
        }
        let source = Source::new(text);
        let (toks, _) = preprocess::preprocess(&source, arch);
        let tree = parse::parse(toks, None);
        let checked = check::check(&tree.items, text, arch, options);
        let unit = checked.unit;
        for function in &unit.functions {
            let own = function.locals.iter();
            index.take_facts(&function.name, own, &unit);
            writes::writes(function, &mut index.writes);
        }
        for (function, locals) in &checked.broken {
            index.take_facts(function, locals.iter(), &unit);
        }
        for global in &unit.globals {
            let is_shared = matches!(
                global.space,
                hir::GlobalSpace::Shared | hir::GlobalSpace::DynamicShared
            );
            let fact = Fact {
                c_type: check::type_text(&global.ty, &unit.structs),
                bytes: unit.size_of(&global.ty),
                ty: global.ty.clone(),
                is_shared,
                is_dynamic: global.space == hir::GlobalSpace::DynamicShared,
            };
            index.facts.insert(global.span.start as usize, fact);
        }
        index.structs = unit.structs;
        collect::collect(&mut index, &tree.items);
        for function in &unit.functions {
            let result = index
                .symbols
                .iter_mut()
                .find(|symbol| symbol.path == function.name && symbol.of.is_none());
            if let Some(symbol) = result {
                symbol.of = Some(Of::Known(function.ret.clone()));
            }
        }
        if let Some(before) = before.filter(|before| before.arch == arch) {
            index.take_over(before);
        }
        index
    }

    /// Whether it is of this text, architecture, and options.
    pub fn is_of(&self, text: &str, arch: ArchId, options: &CompileOptions) -> bool {
        self.text == text && self.arch == arch && self.options == *options
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn take_facts<'l>(
        &mut self,
        function: &str,
        locals: impl Iterator<Item = &'l hir::Local>,
        unit: &hir::Unit,
    ) {
        for local in locals.filter(|local| !local.name.is_empty()) {
            let fact = Fact {
                ty: match &local.ty {
                    // A reference is a pointer to what it refers to.
                    Type::Pointer(pointer) if local.c_type.ends_with('&') => pointer.pointee.clone(),
                    ty => ty.clone(),
                },
                c_type: local.c_type.clone(),
                bytes: unit.size_of(&local.ty),
                is_shared: local.storage != hir::Storage::Automatic,
                is_dynamic: local.storage == hir::Storage::DynamicShared,
            };
            let start = local.span.start as usize;
            // Code of headers has the position of its directive.
            if self.text.get(start..start + local.name.len()) == Some(&local.name) {
                let function = function.split('<').next().unwrap_or(function);
                self.facts_by_name
                    .insert((function.to_owned(), local.name.clone()), fact.clone());
                self.facts.entry(start).or_insert(fact);
            }
        }
    }

    /// Names of the index before that this text still has, but does not declare as far as it can be parsed.
    fn take_over(&mut self, before: &Self) {
        // Structs are numbered anew in each index.
        let has_structs = self.structs == before.structs;
        for (name, fact) in &before.facts_by_name {
            if has_structs || !mentions_struct(&fact.ty) {
                self.facts_by_name
                    .entry(name.clone())
                    .or_insert_with(|| fact.clone());
            }
        }
        let known: BTreeSet<(&str, SymbolKind)> = self
            .symbols
            .iter()
            .map(|symbol| (symbol.path.as_str(), symbol.kind))
            .collect();
        let missing: Vec<Symbol> = before
            .symbols
            .iter()
            .filter(|symbol| !matches!(symbol.kind, SymbolKind::Local | SymbolKind::Parameter))
            .filter(|symbol| symbol.header.is_none())
            .filter(|symbol| !known.contains(&(symbol.path.as_str(), symbol.kind)))
            .filter_map(|symbol| {
                let place = symbol.place.clone()?;
                (self.text.get(place) == Some(&symbol.name)).then(|| symbol.clone())
            })
            .map(|symbol| Symbol {
                of: symbol.of.filter(|of| has_structs || matches!(of, Of::Named(_))),
                ..symbol
            })
            .collect();
        self.symbols.extend(missing);
        for (class, base) in &before.bases {
            self.bases.entry(class.clone()).or_insert_with(|| base.clone());
        }
    }

    /// What the name at an offset is declared as; `None` where no name stands there, or CUDA provides it.
    pub fn symbol_at(&self, at: usize) -> Option<Symbol> {
        let marks = Marks::new(&self.text);
        let token = marks.word_at(at)?;
        self.symbol_of(&marks, token)
    }

    fn symbol_of(&self, marks: &Marks<'_>, token: usize) -> Option<Symbol> {
        let name = marks.word(token);
        let start = marks.range(token).start;
        if let Some(own) = self
            .symbols
            .iter()
            .find(|symbol| symbol.place.as_ref().is_some_and(|place| place.start == start))
        {
            return Some(own.clone());
        }
        let before = token.checked_sub(1).map(|idx| marks.word(idx));
        match before {
            Some("." | "->") => {
                let of = self.type_before(marks, token - 1)?;
                return self.members(&of).into_iter().find(|symbol| symbol.name == name);
            }
            Some("goto") => {
                let labels = self
                    .symbols
                    .iter()
                    .filter(|symbol| symbol.kind == SymbolKind::Label);
                return self.innermost(labels, name, start).cloned();
            }
            _ => {}
        }
        let path = marks.path_before(token);
        if path.is_empty() {
            let locals = self
                .symbols
                .iter()
                .filter(|symbol| matches!(symbol.kind, SymbolKind::Local | SymbolKind::Parameter));
            if let Some(local) = self.innermost(locals, name, start) {
                return Some(local.clone());
            }
            if let Some(macro_) = self.macro_called(name, start) {
                return Some(macro_.clone());
            }
        }
        self.named(&format!("{path}{name}"), start).cloned()
    }

    /// The declaration of a name that is visible at an offset and starts last before it.
    fn innermost<'s>(
        &self,
        symbols: impl Iterator<Item = &'s Symbol>,
        name: &str,
        at: usize,
    ) -> Option<&'s Symbol> {
        symbols
            .filter(|symbol| symbol.name == name && symbol.scope.contains(&at))
            .max_by_key(|symbol| symbol.scope.start)
    }

    /// The macro of a name that is defined last before an offset.
    fn macro_called(&self, name: &str, at: usize) -> Option<&Symbol> {
        let macros = || {
            self.symbols
                .iter()
                .filter(move |symbol| symbol.kind == SymbolKind::Macro && symbol.name == name)
        };
        let start = |symbol: &&Symbol| symbol.place.as_ref().map_or(0, |place| place.start);
        macros()
            .filter(|symbol| start(symbol) <= at)
            .max_by_key(start)
            .or_else(|| macros().next())
    }

    /// What a path means where an offset is, the innermost namespace or struct first.
    fn named(&self, path: &str, at: usize) -> Option<&Symbol> {
        let prefix = self.prefix_at(at);
        let meanings = parse::meanings(&prefix, &self.usings, &self.aliases, path);
        let found = |meaning: &str| {
            let mut same = self
                .symbols
                .iter()
                .filter(|symbol| symbol.path == meaning && !is_local(symbol.kind))
                .collect::<Vec<_>>();
            // The definition before a prototype or a forward declaration.
            same.sort_by_key(|symbol| !symbol.signature.contains('{'));
            same.into_iter().next()
        };
        meanings
            .iter()
            .find_map(|meaning| found(meaning.trim_start_matches("::")))
            .or_else(|| {
                // The std of headers is not always written.
                path.strip_prefix("std::").and_then(found)
            })
    }

    /// The namespace or struct around an offset, as `a::b::`.
    fn prefix_at(&self, at: usize) -> String {
        let around = self
            .symbols
            .iter()
            .filter(|symbol| {
                matches!(
                    symbol.kind,
                    SymbolKind::Function | SymbolKind::Kernel | SymbolKind::Method
                )
            })
            .filter(|symbol| symbol.scope.contains(&at) && symbol.place.is_some())
            .max_by_key(|symbol| symbol.scope.start);
        around.map_or_else(String::new, |symbol| {
            symbol.path[..symbol.path.len() - symbol.name.len()].to_owned()
        })
    }

    /// The declarations that are visible at an offset under their own names: locals first, a name once.
    fn visible(&self, at: usize) -> Vec<&Symbol> {
        let prefix = self.prefix_at(at);
        let mut locals: Vec<&Symbol> = self
            .symbols
            .iter()
            .filter(|symbol| is_local(symbol.kind) && symbol.scope.contains(&at))
            .collect();
        locals.sort_by_key(|symbol| std::cmp::Reverse(symbol.scope.start));
        let mut others: Vec<&Symbol> = self
            .symbols
            .iter()
            .filter(|symbol| !is_local(symbol.kind) && symbol.kind != SymbolKind::Label)
            .filter(|symbol| {
                let space = &symbol.path[..symbol.path.len() - symbol.name.len()];
                space.is_empty()
                    || prefix.starts_with(space)
                    || self.usings.iter().any(|using| {
                        let using = format!("{using}::");
                        *space == *using || self.aliases.get(&*using).is_some_and(|real| **real == *space)
                    })
            })
            .collect();
        others.sort_by_key(|symbol| symbol.header.is_some());
        let mut seen = BTreeSet::new();
        locals
            .into_iter()
            .chain(others)
            .filter(|symbol| seen.insert(symbol.name.as_str()))
            .collect()
    }

    /// The fact of a variable.
    fn fact(&self, symbol: &Symbol) -> Option<&Fact> {
        let place = symbol.place.as_ref()?;
        self.facts.get(&place.start).or_else(|| {
            let name = (symbol.owner.clone(), symbol.name.clone());
            self.facts_by_name.get(&name)
        })
    }

    /// Where the name at an offset is declared: the bytes of the name.
    pub fn definition(&self, at: usize) -> Option<Range<usize>> {
        self.symbol_at(at)?.place
    }

    /// The places of a local variable, parameter, or label in order, where an offset is at one of them: all can be
    /// replaced by another name. `None` for other names.
    pub fn uses_of_local(&self, at: usize) -> Option<Vec<Range<usize>>> {
        let marks = Marks::new(&self.text);
        let symbol = self.symbol_of(&marks, marks.word_at(at)?)?;
        let place = symbol.place.clone().filter(|_| is_local(symbol.kind))?;
        let uses = (0..marks.len())
            .filter(|idx| marks.is_word(*idx) && marks.word(*idx) == symbol.name)
            .filter(|idx| {
                let own = self.symbol_of(&marks, *idx).and_then(|other| other.place);
                own.as_ref() == Some(&place)
            })
            .map(|idx| marks.range(idx));
        Some(uses.collect())
    }

    /// The angle bracket at an offset (or else before it) and the one that belongs to it, where they enclose
    /// template parameters or arguments, or a launch configuration: the start of both, and how long each is.
    pub fn matching_angles(&self, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        Marks::new(&self.text).angles(at, |name| self.templates.contains(name))
    }

    /// What the architecture lacks for a compute capability, in a sentence.
    fn lack(&self, capability: u32) -> Option<String> {
        let chip = architecture(self.arch);
        let own =
            u32::from(chip.compute_capability.major) * 100 + u32::from(chip.compute_capability.minor) * 10;
        (own < capability).then(|| {
            format!(
                "Needs compute capability {}.{}; {} has {}.",
                capability / 100,
                capability / 10 % 10,
                chip.name,
                chip.compute_capability
            )
        })
    }
}

const fn is_local(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Local | SymbolKind::Parameter | SymbolKind::Label
    )
}

fn mentions_struct(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => true,
        Type::Pointer(pointer) => mentions_struct(&pointer.pointee),
        Type::Array(elem, _) => mentions_struct(elem),
        _ => false,
    }
}

/// Where an offset is in a text, as far as tokens tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Code,
    /// In a comment, string, or number.
    Text,
    /// The first word after `#`; its `#` stands here.
    Directive(usize),
    /// The name of a file; the text after its opening quote or angle starts here.
    Include(usize),
}

fn place_at(text: &str, at: usize) -> Place {
    let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[line_start..at];
    let trimmed = line.trim_start();
    if let Some(rest) = trimmed.strip_prefix('#') {
        let word = rest.trim_start();
        if let Some(file) = word.strip_prefix("include") {
            let quote = file.find(['<', '"']);
            let is_open = quote.is_some_and(|quote| !file[quote + 1..].contains(['>', '"']));
            if let Some(quote) = quote.filter(|_| is_open) {
                return Place::Include(at - (file.len() - quote - 1));
            }
        }
        if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Place::Directive(at - word.len());
        }
    }
    let inside = tokens(text).into_iter().any(|token| {
        let (start, end) = (token.start as usize, token.end as usize);
        let token_text = token.text(text);
        match token.kind {
            TokenKind::Comment if token_text.starts_with("//") => start < at && at <= end,
            TokenKind::Unknown if token_text.starts_with("/*") => start < at,
            TokenKind::Str | TokenKind::Char | TokenKind::Unknown => {
                let closes = token_text.len() > 1 && token_text.ends_with(&token_text[..1]);
                start < at && (at < end || (at == end && !closes && token_text.starts_with(['"', '\''])))
            }
            TokenKind::Comment => start < at && at < end,
            TokenKind::Number => start < at && at <= end,
            _ => false,
        }
    });
    if inside { Place::Text } else { Place::Code }
}
