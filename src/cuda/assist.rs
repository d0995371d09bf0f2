//! Editor queries on a source text: the names at an offset, completions, hover text, definitions, references, and
//! matching brackets.
//!
//! All are pure functions of the text, a byte offset, and an [`Index`]. The text is often invalid while the user
//! types: brackets and scopes come from tokens, names from the syntax tree of the part that parses, and types from
//! the checker. A new index inherits from the previous index the names that a syntax error currently hides.

mod chain;
mod collect;
mod complete;
pub mod documentation;
mod hover;
pub(crate) mod known;
mod registers;
mod scopes;
mod writes;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use complete::{Completion, Proposal, filtered, takes_enter};
pub use hover::{Hover, hover};
pub use known::Known;

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

/// Maximum size of an indexed text in bytes. A larger text is not a kernel.
const MAX_BYTES: usize = 256 * 1024;

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A local variable.
    Local,
    /// A parameter of a function or a template.
    Parameter,
    /// A data member of a struct.
    Field,
    /// A member function of a struct.
    Method,
    /// A variable at file scope.
    Variable,
    /// A `__global__` function.
    Kernel,
    /// A function.
    Function,
    /// A struct, an enum, or a type alias.
    Type,
    /// An enumerator.
    Constant,
    /// A macro.
    Macro,
    /// A namespace.
    Namespace,
    /// A label of `goto`.
    Label,
    /// A built-in variable such as `threadIdx`.
    BuiltinVariable,
    /// A function that CUDA provides.
    Builtin,
    /// A keyword.
    Keyword,
    /// A preprocessor directive.
    Directive,
    /// A file name for `#include`.
    Header,
}

impl SymbolKind {
    /// The kind in one or two words.
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

/// The type of a symbol, as far as the index knows it.
#[derive(Clone, Debug, PartialEq)]
enum Of {
    /// A type that the checker resolved.
    Known(Type),
    /// The name of a struct or type, as written.
    Named(String),
}

/// A name that the source or one of its headers declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The name qualified with its namespaces and structs, as `a::b`.
    pub path: String,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The declaration in C++ syntax, on one line.
    pub signature: String,
    /// The span of the name in its declaration; `None` for names from headers.
    pub place: Option<Range<usize>>,
    /// The header that declares the symbol.
    pub header: Option<String>,
    /// The byte range of the text in which the symbol is visible.
    scope: Range<usize>,
    /// The function or struct that contains the symbol.
    owner: String,
    /// The type of the symbol, or its return type.
    of: Option<Of>,
}

/// What the checker knows about a variable.
#[derive(Clone, Debug, PartialEq)]
struct Fact {
    ty: Type,
    c_type: String,
    bytes: u64,
    is_shared: bool,
    is_dynamic: bool,
}

/// The symbols of a source for one architecture.
#[derive(Debug)]
pub struct Index {
    text: String,
    arch: ArchId,
    options: CompileOptions,
    pub(crate) symbols: Vec<Symbol>,
    structs: Vec<hir::Struct>,
    /// The bases of structs, by qualified name.
    bases: BTreeMap<String, String>,
    /// Facts about variables, by the byte offset of the name.
    facts: BTreeMap<usize, Fact>,
    /// Facts by function and name, including those of the previous index.
    facts_by_name: BTreeMap<(String, String), Fact>,
    /// Values assigned to variables: the byte offset of the variable's name, and the span of the value.
    writes: Vec<(usize, Span)>,
    templates: BTreeSet<String>,
    aliases: BTreeMap<Name, Name>,
    usings: Vec<Name>,
}

impl Index {
    /// Builds the index of a text. `before` is the index of the previous text and supplies the names that a syntax
    /// error hides.
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
        let toks = preprocess::preprocess(&source, arch).toks;
        let tree = parse::parse(toks);
        let checked = check::check(&tree.items, text, arch, options);
        let unit = checked.unit;
        for function in &unit.functions {
            let own = function.locals.iter();
            index.collect_facts(&function.name, own, &unit);
            writes::writes(function, &mut index.writes);
        }
        for (function, locals) in &checked.broken {
            index.collect_facts(function, locals.iter(), &unit);
        }
        for global in &unit.globals {
            let is_shared = matches!(
                global.space,
                hir::GlobalSpace::Shared | hir::GlobalSpace::DynamicShared
            );
            let fact = Fact {
                c_type: crate::types::type_text(&global.ty, &unit.structs),
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
            index.inherit_hidden_symbols(before);
        }
        index
    }

    /// Whether the index belongs to this text, architecture, and options.
    pub fn is_of(&self, text: &str, arch: ArchId, options: &CompileOptions) -> bool {
        self.text == text && self.arch == arch && self.options == *options
    }

    /// The indexed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn collect_facts<'l>(
        &mut self,
        function: &str,
        locals: impl Iterator<Item = &'l hir::Local>,
        unit: &hir::Unit,
    ) {
        for local in locals.filter(|local| !local.name.is_empty()) {
            let fact = Fact {
                ty: match &local.ty {
                    // A reference is represented as a pointer to its referent.
                    Type::Pointer(pointer) if local.c_type.ends_with('&') => pointer.pointee.clone(),
                    ty => ty.clone(),
                },
                c_type: local.c_type.clone(),
                bytes: unit.size_of(&local.ty),
                is_shared: local.storage != hir::Storage::Automatic,
                is_dynamic: local.storage == hir::Storage::DynamicShared,
            };
            let start = local.span.start as usize;
            // Header code has the span of its `#include` directive.
            if self.text.get(start..start + local.name.len()) == Some(&local.name) {
                let function = function.split('<').next().unwrap_or(function);
                self.facts_by_name
                    .insert((function.to_owned(), local.name.clone()), fact.clone());
                self.facts.entry(start).or_insert(fact);
            }
        }
    }

    /// Symbols of the previous index that the text still contains, but that the parsed part does not declare.
    fn inherit_hidden_symbols(&mut self, before: &Self) {
        // Each index numbers structs from zero.
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

    /// The symbol at an offset; `None` where there is no name, or where CUDA provides the name.
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
            if let Some(macro_) = self.macro_at(name, start) {
                return Some(macro_.clone());
            }
        }
        self.named(&format!("{path}{name}"), start).cloned()
    }

    /// The last declaration of a name that is visible at an offset and starts before the offset.
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

    /// The last definition of a macro before an offset.
    fn macro_at(&self, name: &str, at: usize) -> Option<&Symbol> {
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

    /// The symbol that a path denotes at an offset. The innermost namespace or struct has priority.
    fn named(&self, path: &str, at: usize) -> Option<&Symbol> {
        let prefix = self.prefix_at(at);
        let meanings = parse::meanings(&prefix, &self.usings, &self.aliases, path);
        let found = |meaning: &str| {
            let mut same = self
                .symbols
                .iter()
                .filter(|symbol| symbol.path == meaning && !is_local(symbol.kind))
                .collect::<Vec<_>>();
            // Prefer the definition to a prototype or a forward declaration.
            same.sort_by_key(|symbol| !symbol.signature.contains('{'));
            same.into_iter().next()
        };
        meanings
            .iter()
            .find_map(|meaning| found(meaning.trim_start_matches("::")))
            .or_else(|| {
                // `std::` is optional before names from headers.
                path.strip_prefix("std::").and_then(found)
            })
    }

    /// The enclosing namespace or struct at an offset, as `a::b::`.
    fn prefix_at(&self, at: usize) -> String {
        let enclosing = self
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
        enclosing.map_or_else(String::new, |symbol| {
            symbol.path[..symbol.path.len() - symbol.name.len()].to_owned()
        })
    }

    /// The symbols that are visible at an offset under their unqualified names, locals first, without duplicates.
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

    /// The fact about a variable.
    fn fact(&self, symbol: &Symbol) -> Option<&Fact> {
        let place = symbol.place.as_ref()?;
        self.facts.get(&place.start).or_else(|| {
            let name = (symbol.owner.clone(), symbol.name.clone());
            self.facts_by_name.get(&name)
        })
    }

    /// The byte range of the name in the declaration of the symbol at an offset.
    pub fn definition(&self, at: usize) -> Option<Range<usize>> {
        self.symbol_at(at)?.place
    }

    /// The occurrences of the local variable, parameter, or label at an offset, in order. All of them can be renamed.
    /// `None` for other names.
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

    /// The angle bracket at an offset (or before it) and its matching bracket, if they enclose template parameters,
    /// template arguments, or a launch configuration. Returns the byte ranges of both.
    pub fn matching_angles(&self, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        Marks::new(&self.text).angles(at, |name| self.templates.contains(name))
    }

    /// A sentence about the missing compute capability; `None` if the architecture supports `capability`.
    fn missing_capability(&self, capability: u32) -> Option<String> {
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

/// The lexical context of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Code,
    /// Inside a comment, string, or number.
    Text,
    /// In the first word after `#`; the value is the offset of the `#`.
    Directive(usize),
    /// In a file name; the value is the offset after the opening quote or angle bracket.
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
