//! The parser, from tokens to the syntax tree. After an error the parser continues at the next statement or
//! declaration, so that each error gives one diagnostic, and later errors are found too.

mod allocations;
mod asm;
mod decl;
mod expr;
pub(super) mod foreign;
mod guides;
mod item;
mod lambda;
mod launches;
mod stmt;
mod template;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use decl::is_specifier;

use super::ast::{Expr, Ident, InstanceOrigin, Item, Name};
use super::diagnostic::{Cause, Diagnostic, Severity};
use super::limits::{ErrorCount, Limit};
use super::preprocess::{Kind, Tok};
use super::source::join;
use super::types::{
    SCALAR_WORDS, builtin_type, header_of_type, image_function, unsupported_namespace, unsupported_part,
};
use engine::ids::Span;

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Maximum nesting depth of expressions, types, and statements. The C++ standard recommends at least 256 (annex B), but a
/// level is up to ten calls of the parser and of the checker, and the stack of a browser's worker has 1 MB.
const MAX_DEPTH: u32 = 96;
/// Maximum number of names and `::` in a qualified name. Assumption: programs have a few.
const MAX_PATH: usize = 64;
/// Maximum number of operators in a chain (`a + b + c …`). Assumption: programs have some tens. Each operator is a level of
/// the tree.
const MAX_CHAIN: u32 = 300;
/// Maximum number of calls, indices, and members in a chain (`a.b[c](d) …`). Assumption: programs have some ten. Each is a
/// call of the checker.
const MAX_LINKS: u32 = 96;
/// Maximum height of the tree of an expression. Assumption: longer than a chain with some nesting in it.
const MAX_HEIGHT: u32 = MAX_CHAIN + MAX_DEPTH;
/// The number of steps for each token of the text. Assumption: of few tokens several meanings are tried.
const STEPS_PER_TOKEN: u64 = 32;
/// The number of tokens ahead that are looked at without counting, because only loops look further.
const NEAR: usize = 4;

/// The name of an additional template instance, and who names it.
pub(crate) type Wanted = (Vec<Tok>, InstanceOrigin);

/// Parses preprocessed tokens.
pub(crate) fn parse(toks: Vec<Tok>) -> Tree {
    parse_for(toks, Vec::new(), false)
}

/// Parses a file; `has_short_long`: `long`, `size_t`, and the other types of the size of a pointer have 32 bits (`-m32`).
pub(crate) fn parse_for(toks: Vec<Tok>, wanted: Vec<Wanted>, has_short_long: bool) -> Tree {
    let mut parser = Parser::new(toks);
    parser.has_short_long = has_short_long;
    let mut items = parser.items();
    if parser.fatal.is_none() {
        items.extend(parser.launched_instances());
        for wanted in wanted {
            items.extend(parser.wanted_instance(wanted));
        }
    }
    let is_stopped = parser.fatal.is_some();
    parser.diagnostics.extend(parser.fatal.take());
    let mut errors = parser.diagnostics.iter();
    let is_whole = errors.all(|diagnostic| {
        diagnostic.severity != Severity::Error
            || diagnostic.cause != Cause::Source
            || parser.contained.contains(&diagnostic.span)
    });
    Tree {
        items,
        diagnostics: parser.diagnostics,
        is_whole,
        is_stopped,
    }
}

/// A parsed source.
pub(crate) struct Tree {
    /// The items at file scope.
    pub(crate) items: Vec<Item>,
    /// The diagnostics.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether the effect of each error is limited to the function or name that contains the error.
    pub(crate) is_whole: bool,
    /// Whether a limit was exceeded, so that the items are incomplete.
    pub(crate) is_stopped: bool,
}

/// Parses tokens that form a single expression.
pub(crate) fn expression(toks: Vec<Tok>) -> Result<Expr, Vec<Diagnostic>> {
    let mut parser = Parser::new(toks);
    let expr = parser.expression().and_then(|expr| {
        if parser.at_end() {
            return Ok(expr);
        }
        let (span, found) = (parser.peek().span, describe(parser.peek()));
        parser.error(span, format!("Expected an operator or the end, not {found}."))
    });
    let fatal = parser.fatal.take();
    expr.map_err(|Reported| parser.diagnostics.into_iter().chain(fatal).collect())
}

struct Parser {
    toks: Vec<Tok>,
    pos: usize,
    diagnostics: Vec<Diagnostic>,
    /// Whether `long` and `size_t` have 32 bits (`-m32`).
    has_short_long: bool,
    /// Names by scope, outermost first: whether each is a type, or a variable that hides a type.
    types: Vec<BTreeMap<Name, bool>>,
    /// Names of templates, whose `<` opens an argument list.
    templates: BTreeSet<Name>,
    /// Names of member function templates.
    methods: BTreeSet<Name>,
    /// Namespace aliases of unsupported namespaces.
    namespaces: BTreeMap<Name, &'static str>,
    /// The qualified names of the kernel templates.
    kernels: BTreeSet<Name>,
    /// The prefix of the names that are declared here: `a::b::` in that namespace.
    prefix: String,
    /// Namespaces opened by using-directives.
    usings: Vec<Name>,
    /// Namespaces, as `a::b`.
    spaces: BTreeSet<Name>,
    /// Namespace aliases, as `m::` for `math::`.
    aliases: BTreeMap<Name, Name>,
    /// Whether `>` closes template arguments instead of being an operator.
    in_angles: bool,
    /// The functions and variables of the host.
    host_code: Vec<launches::HostCode>,
    depth: u32,
    /// The spans of errors whose effect is limited to the enclosing function or name.
    contained: BTreeSet<Span>,
    /// Number of open structs.
    num_structs: u32,
    /// Number of open CUDA headers.
    num_headers: u32,
    /// The `;` that is the empty body of the last `if` without `else`.
    empty_if: Option<Span>,
    /// The private members of the last parsed struct.
    private_members: Vec<Name>,
    /// Whether a virtual function is among the members of the current struct so far.
    has_virtual: bool,
    /// Whether the parser is at the end of the statement with the last error.
    is_skipped: bool,
    /// Whether `__device__` was between the type and the name of the last declaration.
    has_late_device: bool,
    /// Template arguments of the struct in the qualified name of the last declaration.
    owner_args: Vec<super::ast::TemplateArg>,
    /// Whether the current declarator can declare a pack.
    takes_pack: bool,
    /// Whether the last declarator declares a pack.
    has_pack: bool,
    /// The limit that was exceeded. All further tokens are the end of the file.
    fatal: Option<Diagnostic>,
    /// The steps that are left, each a token that is read or looked at.
    steps: Cell<u64>,
    num_errors: ErrorCount,
    /// The height of the tallest expression that is parsed since the last reset, without what limits of nesting bound.
    height: u32,
}

/// Maximum number of tokens before `__global__` that belong to its declaration. Assumption: programs write a few.
const MAX_HEAD: usize = 512;

impl Parser {
    fn new(mut toks: Vec<Tok>) -> Self {
        // GNU's word silences warnings, and nothing else.
        toks.retain(|tok| !tok.is_word("__extension__"));
        let steps = Limit::ParserSteps.most() + STEPS_PER_TOKEN * toks.len() as u64;
        Self {
            fatal: None,
            steps: Cell::new(steps),
            num_errors: ErrorCount::new(),
            height: 0,
            toks,
            pos: 0,
            diagnostics: Vec::new(),
            has_short_long: false,
            types: vec![BTreeMap::new()],
            templates: BTreeSet::new(),
            methods: BTreeSet::new(),
            namespaces: BTreeMap::new(),
            kernels: BTreeSet::new(),
            prefix: String::new(),
            usings: Vec::new(),
            spaces: BTreeSet::new(),
            aliases: BTreeMap::new(),
            in_angles: false,
            host_code: Vec::new(),
            depth: 0,
            contained: BTreeSet::new(),
            num_structs: 0,
            num_headers: 0,
            empty_if: None,
            private_members: Vec::new(),
            has_virtual: false,
            is_skipped: false,
            has_late_device: false,
            owner_args: Vec::new(),
            takes_pack: false,
            has_pack: false,
        }
    }

    fn peek(&self) -> &Tok {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Tok {
        if ahead > NEAR {
            self.look(1);
        }
        let last = self.toks.len() - 1;
        &self.toks[(self.pos + ahead).min(last)]
    }

    fn next(&mut self) -> Tok {
        self.look(1);
        if self.steps.get() == 0 {
            let _ = self.stop::<()>(Limit::ParserSteps.exceeded(self.peek().span));
        }
        let tok = self.peek().clone();
        self.pos = (self.pos + 1).min(self.toks.len() - 1);
        tok
    }

    /// Counts tokens that are looked at.
    fn look(&self, num: usize) {
        self.steps.set(self.steps.get().saturating_sub(num as u64));
    }

    /// Ends parsing. A parser that tries another meaning drops its diagnostics and goes back, so that the tokens
    /// themselves end.
    fn stop<T>(&mut self, fatal: Diagnostic) -> Parsed<T> {
        if self.fatal.is_none() {
            self.fatal = Some(fatal);
            self.end_if_stopped();
        }
        Err(Reported)
    }

    /// After an exceeded limit, makes all tokens the end of the file.
    fn end_if_stopped(&mut self) {
        if self.fatal.is_some() {
            let empty: Name = "".into();
            for tok in &mut self.toks {
                (tok.kind, tok.text) = (Kind::End, empty.clone());
            }
        }
    }

    fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    fn prev_span(&self) -> Span {
        self.toks[self.pos.saturating_sub(1)].span
    }

    fn at(&self, punct: &str) -> bool {
        self.peek().is(punct)
    }

    fn accept(&mut self, punct: &str) -> bool {
        let found = self.at(punct);
        if found {
            self.next();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_word(word);
        if found {
            self.next();
        }
        found
    }

    /// Marks the errors from a diagnostic index on as limited to the construct that was parsed since. Returns whether
    /// there are any.
    fn mark_contained(&mut self, num_diagnostics: usize) -> bool {
        let errors = self.diagnostics.iter().skip(num_diagnostics);
        let spans: Vec<Span> = errors
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(|diagnostic| diagnostic.span)
            .collect();
        self.contained.extend(spans.iter().copied());
        !spans.is_empty()
    }

    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report(Diagnostic::error(span, message))
    }

    fn unsupported<T>(&mut self, span: Span, what: &str) -> Parsed<T> {
        self.report(Diagnostic::unsupported(span, what))
    }

    fn report<T>(&mut self, mut diagnostic: Diagnostic) -> Parsed<T> {
        if let Some(name) = self.peek().macro_name()
            && diagnostic.span.line == self.peek().span.line
        {
            let note = format!("The macro `{name}` expands to {} here.", describe(self.peek()));
            diagnostic.notes.push((None, note));
        }
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    /// Consumes a required bracket or operator.
    fn expect(&mut self, punct: &str, context: &str) -> Parsed<Span> {
        if self.at(punct) {
            return Ok(self.next().span);
        }
        if self.at(";")
            && self.peek_at(1).is(punct)
            && let Some(name) = self.peek().macro_name()
        {
            let message = format!("The macro `{name}` ends with `;`; remove the `;` from its `#define`.");
            let span = self.next().span;
            self.diagnostics.push(Diagnostic::error(span, message));
            return Ok(self.next().span);
        }
        let found = describe(self.peek());
        let span = self.peek().span;
        if matches!(punct, ")" | "]") && span.line > self.prev_span().line {
            return self.error(self.last_character(), format!("Put a `{punct}` {context}."));
        }
        self.error(span, format!("Expected `{punct}` {context}, not {found}."))
    }

    /// The last character of the previous token.
    fn last_character(&self) -> Span {
        let prev = self.prev_span();
        let start = prev.end.saturating_sub(1).max(prev.start);
        Span {
            start,
            column: prev.column + (start - prev.start),
            ..prev
        }
    }

    /// Consumes the `;` after a statement. If the `;` is missing at the end of a line, the diagnostic points there,
    /// and parsing continues as if the `;` were present.
    fn expect_semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        let prev = self.prev_span();
        let next_line = self.peek().span.line > prev.line || self.at("}") || self.at_end();
        if next_line {
            let message = format!("Put a `;` after {after}.");
            self.diagnostics
                .push(Diagnostic::error(self.last_character(), message));
            return Ok(());
        }
        if let Kind::Punct(closing @ (")" | "]")) = self.peek().kind {
            let opening = if closing == ")" { "(" } else { "[" };
            let span = self.next().span;
            let message = format!("This `{closing}` has no matching `{opening}`; remove it.");
            self.diagnostics.push(Diagnostic::error(span, message));
            if !self.accept(";") {
                self.skip_statement();
            }
            return Ok(());
        }
        let found = describe(self.peek());
        let span = self.peek().span;
        self.error(span, format!("Expected `;` after {after}, not {found}."))
    }

    fn ident(&mut self, context: &str) -> Parsed<Ident> {
        let tok = self.peek().clone();
        if tok.kind == Kind::Ident && !is_reserved(&tok.text) {
            self.next();
            return Ok(Ident {
                name: tok.text,
                span: tok.span,
            });
        }
        self.error(tok.span, self.not_a_name_message(&tok, context))
    }

    /// The reason why a token is not a name.
    fn not_a_name_message(&self, tok: &Tok, context: &str) -> String {
        let starts_with_digit = tok.text.starts_with(|c: char| c.is_ascii_digit());
        let is_word = tok.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let behind_comma =
            self.pos >= 2 && self.toks[self.pos - 1].is(",") && self.toks[self.pos - 2].kind == Kind::Number;
        if tok.kind == Kind::Number && behind_comma {
            let before = &self.toks[self.pos - 2].text;
            return format!(
                "A number has a decimal point and no comma: write `{before}.{}`.",
                tok.text
            );
        }
        if tok.kind == Kind::Number && starts_with_digit && is_word && tok.text.contains(char::is_alphabetic)
        {
            return format!(
                "The name `{}` begins with a digit; begin it with a letter.",
                tok.text
            );
        }
        if SCALAR_WORDS.contains(&&*tok.text) && self.toks[self.pos.saturating_sub(1)].is(",") {
            return format!(
                "A declaration names its type once: remove `{}`, or end the declaration before it with `;`.",
                tok.text
            );
        }
        if tok.kind == Kind::Ident && is_reserved(&tok.text) {
            return format!("`{}` is a keyword, so it cannot be a name.", tok.text);
        }
        format!("Expected a name {context}, not {}.", describe(tok))
    }

    /// Whether a diagnostic already mentions a word in backquotes.
    fn is_reported(&self, word: &str) -> bool {
        let quoted = format!("`{word}`");
        self.diagnostics.iter().any(|d| d.message.contains(&quoted))
    }

    /// Ends parsing after too many errors. Called where no other meaning is tried.
    fn check_number_of_errors(&mut self) {
        if self.num_errors.is_exceeded(&self.diagnostics) {
            let span = self.peek().span;
            let _ = self.stop::<()>(Limit::Errors.exceeded(span));
        }
    }

    fn span_from(&self, start: Span) -> Span {
        join(start, self.prev_span())
    }

    fn enter_nesting(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        self.depth -= 1;
        let span = self.peek().span;
        self.stop(Diagnostic::error(
            span,
            "This code is nested too deeply; split it into smaller statements.",
        ))
    }

    fn declare_type(&mut self, name: &Name) {
        let name = self.declared_here(name);
        if let Some(scope) = self.types.last_mut() {
            scope.insert(name, true);
        }
    }

    /// The qualified name of a declaration: with its namespace, except for functions.
    fn declared_here(&self, name: &Name) -> Name {
        if self.prefix.is_empty() || self.types.len() > 1 {
            return name.clone();
        }
        format!("{}{name}", self.prefix).into()
    }

    /// A name with its namespaces and types, and its number of tokens. `std` is dropped before names that are built
    /// into the compiler; `cuda::std` is `std`.
    fn qualified(&self, ahead: usize) -> Option<(Name, usize)> {
        let mut num = usize::from(self.peek_at(ahead).is("::"));
        let at_word = |num: usize, word: &str| self.peek_at(ahead + num).is_word(word);
        if at_word(num, "cuda") && self.peek_at(ahead + num + 1).is("::") && at_word(num + 2, "std") {
            num += 2;
        }
        // `::f` refers to file scope.
        let from_root = num % 2 == 1 && !(self.has_no_namespaces() && self.num_structs == 0);
        let mut path = String::from(if from_root { "::" } else { "" });
        loop {
            let tok = self.peek_at(ahead + num);
            if tok.kind != Kind::Ident {
                return None;
            }
            num += 1;
            if num > MAX_PATH {
                return None;
            }
            let goes_on =
                self.peek_at(ahead + num).is("::") && self.peek_at(ahead + num + 1).kind == Kind::Ident;
            if !goes_on && path.is_empty() {
                return Some((tok.text.clone(), num));
            }
            if matches!(&*path, "" | "::") && goes_on {
                if !tok.is_word("std") || self.is_of_std(&self.peek_at(ahead + num + 1).text) {
                    path.push_str(&tok.text);
                }
            } else {
                path.push_str(&tok.text);
            }
            if !goes_on {
                return Some((path.into(), num));
            }
            if !matches!(&*path, "" | "::") {
                path.push_str("::");
            }
            num += 1;
        }
    }

    /// Whether `namespace std` declares a name here.
    fn is_of_std(&self, name: &str) -> bool {
        let whole = format!("std::{name}");
        let is_type = (self.types.first()).is_some_and(|root| root.contains_key(&*whole));
        is_type || self.templates.contains(&*whole)
    }

    /// Parses a name that can be qualified.
    fn path(&mut self, context: &str) -> Parsed<Ident> {
        match self.qualified(0) {
            Some((name, num)) if num > 1 => {
                let start = self.peek().span;
                self.pos += num;
                Ok(Ident {
                    name,
                    span: self.span_from(start),
                })
            }
            _ => self.ident(context),
        }
    }

    /// The qualified names that a name can denote at file scope, the innermost namespace first.
    fn meanings(&self, name: &str) -> Vec<Name> {
        meanings(&self.prefix, &self.usings, &self.aliases, name)
    }

    /// The qualified name of a namespace.
    fn qualified_namespace(&self, name: &Name) -> Name {
        let known = self
            .meanings(name)
            .into_iter()
            .find(|name| self.spaces.contains(name));
        known.unwrap_or_else(|| name.clone())
    }

    fn is_template_name(&self, name: &str) -> bool {
        self.meanings(name)
            .iter()
            .any(|name| self.templates.contains(name))
    }

    /// Records a variable that hides a built-in type, such as `half`, or a built-in template, such as `tex2D`.
    fn declare_variable(&mut self, name: &Name) {
        if (self.is_type_name(name) || self.is_template_name(name) || image_function(name).is_some())
            && let Some(scope) = self.types.last_mut()
        {
            scope.insert(name.clone(), false);
        }
    }

    fn is_type_name(&self, name: &str) -> bool {
        SCALAR_WORDS.contains(&name)
            || matches!(name, "auto" | "struct" | "enum" | "class" | "union" | "typename")
            || self.declared_type(name).unwrap_or_else(|| {
                builtin_type(name).is_some()
                    || header_of_type(name).is_some()
                    || name == "texture"
                    || name == "surface"
            })
    }

    /// Whether the source declares a name as a type.
    fn declared_type(&self, name: &str) -> Option<bool> {
        let (root, inner) = self.types.split_first()?;
        inner
            .iter()
            .rev()
            .find_map(|scope| scope.get(name).copied())
            .or_else(|| {
                if self.has_no_namespaces() {
                    return root.get(name).copied();
                }
                self.meanings(name)
                    .iter()
                    .find_map(|name| root.get(name).copied())
            })
    }

    /// Whether a type starts here, including its qualifiers.
    fn at_type(&self) -> bool {
        self.type_at(0)
    }

    fn type_at(&self, ahead: usize) -> bool {
        let tok = self.peek_at(ahead);
        if self.peek_at(ahead + 1).is("::") || tok.is("::") {
            return self
                .qualified(ahead)
                .is_some_and(|(name, _)| self.is_type_name(&name));
        }
        tok.kind == Kind::Ident
            && (matches!(&*tok.text, "const" | "volatile" | "__const__") || self.is_type_name(&tok.text))
    }

    /// Whether there are no namespaces, so that unqualified lookup is sufficient.
    fn has_no_namespaces(&self) -> bool {
        self.prefix.is_empty() && self.usings.is_empty() && self.aliases.is_empty()
    }

    /// The unsupported feature that the qualified name at this position belongs to.
    fn unsupported_scope(&self) -> Option<&'static str> {
        let tok = self.peek();
        // Headers declare parts of some of these namespaces.
        if tok.kind != Kind::Ident || !self.peek_at(1).is("::") || self.spaces.contains(&tok.text) {
            return None;
        }
        let is_known = self.spaces.contains(&tok.text) || self.peek_at(2).is_word("std");
        self.namespaces
            .get(&tok.text)
            .copied()
            .or_else(|| unsupported_namespace(&tok.text).filter(|_| !is_known))
    }

    /// The same for a name before `<`, in a namespace whose header does not declare such a template.
    fn unsupported_template(&self) -> Option<&'static str> {
        let is_list = self.peek_at(1).is("::") && self.peek_at(3).is("<");
        self.unsupported_type_scope().filter(|_| is_list)
    }

    /// The same at the position of a type, in a namespace whose header declares other types.
    fn unsupported_type_scope(&self) -> Option<&'static str> {
        self.unsupported_scope().or_else(|| {
            let (name, _) = self.qualified(0)?;
            let (space, _) = name.split_once("::")?;
            let what = unsupported_part(space)?;
            (self.spaces.contains(space) && !self.is_type_name(&name) && !self.is_template_name(&name))
                .then_some(what)
        })
    }

    /// Reports a qualified name of the host library, and a name whose header or namespace is missing.
    fn check_scope(&mut self) -> Parsed<()> {
        if self.peek().kind != Kind::Ident || !self.peek_at(1).is("::") {
            return Ok(());
        }
        let (space, name) = (self.peek().text.clone(), self.peek_at(2).text.clone());
        let is_declared = self.is_type_name(&space)
            || (self.meanings(&space).iter()).any(|name| self.spaces.contains(name))
            || self.aliases.contains_key(&*format!("{space}::"));
        let start = self.peek().span;
        if &*space == "std" && !self.is_of_std(&name) {
            return match foreign::of_standard_library(&name) {
                Some(remedy) => {
                    let span = join(start, self.peek_at(2).span);
                    let message = format!("`std::{name}` is only available in host code. {remedy}");
                    self.error(span, message)
                }
                None => Ok(()),
            };
        }
        match foreign::namespace_remedy(&space).filter(|_| !is_declared && self.prefix.is_empty()) {
            Some(_) if self.is_reported(&space) => Err(Reported),
            Some(remedy) => self.error(
                start,
                format!("The namespace `{space}` is not declared. {remedy}"),
            ),
            None => Ok(()),
        }
    }

    /// Skips to just after the `;` that ends the statement, or to the `}` that ends its block. Returns the names that
    /// the skipped tokens seem to declare.
    fn skip_statement(&mut self) {
        let start = self.pos;
        let mut depth = 0u32;
        while !self.at_end() {
            if self.at_kernel_after(start) {
                return;
            }
            match self.peek().kind {
                Kind::Punct("{" | "(" | "[") => depth += 1,
                Kind::Punct("}") if depth == 0 => return,
                Kind::Punct("}") => {
                    depth -= 1;
                    if depth == 0 {
                        self.next();
                        // `};` ends an initializer, `}` alone a block.
                        self.accept(";");
                        return;
                    }
                }
                Kind::Punct(")" | "]") => depth = depth.saturating_sub(1),
                Kind::Punct(";") if depth == 0 => {
                    self.next();
                    return;
                }
                Kind::Ident if depth == 0 && is_statement_word(&self.peek().text) && self.starts_line() => {
                    return;
                }
                _ => {}
            }
            self.next();
        }
    }

    /// Whether the next token is the first on its line.
    fn starts_line(&self) -> bool {
        self.pos > 0 && self.peek().span.line > self.prev_span().line
    }

    /// Whether an attribute in double brackets starts here.
    fn at_attributes(&self, ahead: usize) -> bool {
        self.peek_at(ahead).is("[") && self.peek_at(ahead + 1).is("[")
    }

    /// Skips attributes in double brackets.
    fn skip_attributes(&mut self) {
        while self.at_attributes(0) {
            self.skip_balanced();
        }
    }

    /// The first token of the declaration to which the `__global__` at the current position belongs.
    fn kernel_start(&self) -> usize {
        let mut at = self.pos;
        while let Some(before) = at.checked_sub(1).filter(|before| self.pos - before < MAX_HEAD) {
            let tok = &self.toks[before];
            at = match tok.kind {
                Kind::Str => before,
                Kind::Ident if tok.is_word("void") || is_specifier(&tok.text) => before,
                // `__launch_bounds__(256)`
                Kind::Punct(")") => match self.opening(before).and_then(|open| open.checked_sub(1)) {
                    Some(word) if is_specifier(&self.toks[word].text) => word,
                    _ => return at,
                },
                // `template <…>`
                Kind::Punct(">" | ">>") => {
                    let ends =
                        |tok: &Tok| matches!(tok.kind, Kind::Punct(";" | "}")) || tok.is_word("template");
                    let first = before.saturating_sub(MAX_HEAD);
                    match self.toks[first..before].iter().rposition(ends) {
                        Some(word) if self.toks[first + word].is_word("template") => first + word,
                        _ => return at,
                    }
                }
                _ => return at,
            };
        }
        at
    }

    /// The bracket that a `)` closes.
    fn opening(&self, closing: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for at in (closing.saturating_sub(MAX_HEAD)..=closing).rev() {
            match self.toks[at].kind {
                Kind::Punct(")") => depth += 1,
                Kind::Punct("(") if depth == 1 => return Some(at),
                Kind::Punct("(") => depth -= 1,
                Kind::Punct(";" | "{" | "}") => return None,
                _ => {}
            }
        }
        None
    }

    /// At the `__global__` of a kernel behind `start`: goes to the start of its declaration, where what is skipped must end.
    fn at_kernel_after(&mut self, start: usize) -> bool {
        if !self.peek().is_word("__global__") {
            return false;
        }
        let at = self.kernel_start();
        if at <= start {
            return false;
        }
        self.pos = at;
        true
    }

    /// Reports a bracket that is open where a kernel begins.
    fn report_open(&mut self, opening: &Tok) {
        let (closing, what) = match opening.kind {
            Kind::Punct("{") => ("}", "a block is still open"),
            Kind::Punct("[") => ("]", "a bracket is still open"),
            _ => (")", "a parenthesis is still open"),
        };
        let span = self.peek().span;
        let message = format!("A `{closing}` is missing before this: {what}.");
        let diagnostic = Diagnostic::error(span, message).note_at(opening.span, "Opened here.");
        self.contained.insert(span);
        self.diagnostics.push(diagnostic);
    }

    /// Skips from an opening bracket to just after its closing bracket, or to a kernel before which brackets are missing.
    fn skip_balanced(&mut self) {
        let start = self.pos;
        let mut open: Vec<Tok> = Vec::new();
        while !self.at_end() {
            if self.at_kernel_after(start) {
                // The innermost block is the one that a reader misses.
                let opening = open.iter().rfind(|tok| tok.is("{")).or(open.last()).cloned();
                if let Some(opening) = opening.filter(|_| self.fatal.is_none()) {
                    self.report_open(&opening);
                }
                return;
            }
            let tok = self.next();
            match tok.kind {
                Kind::Punct("{" | "(" | "[") => open.push(tok),
                Kind::Punct("}" | ")" | "]") => {
                    open.pop();
                    if open.is_empty() {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Skips template arguments from `<` to just after `>`.
    fn skip_angles(&mut self) {
        let mut depth = 0u32;
        while !self.at_end() {
            match self.peek().kind {
                Kind::Punct("<") => depth += 1,
                Kind::Punct(">") => depth = depth.saturating_sub(1),
                Kind::Punct(">>") => depth = depth.saturating_sub(2),
                Kind::Punct("(" | "[" | "{") => {
                    self.skip_balanced();
                    continue;
                }
                Kind::Punct(";" | ")" | "]" | "}") => return,
                _ => {}
            }
            self.next();
            if depth == 0 {
                return;
            }
        }
    }
}

/// Maximum number of names that a name can denote, in case of cyclic aliases.
const MAX_MEANINGS: usize = 1000;

/// The qualified names that a name can denote inside `prefix`, the innermost namespace first.
pub(super) fn meanings(
    prefix: &str,
    usings: &[Name],
    aliases: &BTreeMap<Name, Name>,
    name: &str,
) -> Vec<Name> {
    if let Some(name) = name.strip_prefix("::") {
        return meanings("", &[], aliases, name);
    }
    let mut out: Vec<Name> = Vec::new();
    let mut enclosing = prefix;
    loop {
        out.push(format!("{enclosing}{name}").into());
        // `a::b::` is nested in `a::`.
        match enclosing.strip_suffix("::") {
            Some(inner) => enclosing = &enclosing[..inner.rfind("::").map_or(0, |at| at + 2)],
            None => break,
        }
    }
    out.extend(usings.iter().map(|space| format!("{space}::{name}").into()));
    let mut idx = 0;
    while idx < out.len() && out.len() < MAX_MEANINGS {
        let name = out[idx].clone();
        // The name itself, or its namespace prefix.
        out.extend(aliases.get(&name).cloned());
        for (end, _) in name.match_indices("::") {
            let (space, rest) = name.split_at(end + 2);
            out.extend(aliases.get(space).map(|real| format!("{real}{rest}").into()));
        }
        idx += 1;
    }
    out
}

/// The description of a token in a diagnostic.
fn describe(tok: &Tok) -> String {
    match tok.kind {
        Kind::End => "the end of the file".to_owned(),
        Kind::PragmaUnroll | Kind::PragmaEnd => "`#pragma unroll`".to_owned(),
        _ => {
            let line = tok.text.lines().next().unwrap_or_default();
            format!(
                "`{}`",
                crate::diagnostic::clipped(line, crate::diagnostic::MAX_QUOTED)
            )
        }
    }
}

fn is_statement_word(word: &str) -> bool {
    matches!(
        word,
        "if" | "for"
            | "while"
            | "do"
            | "switch"
            | "return"
            | "break"
            | "continue"
            | "case"
            | "default"
            | "goto"
    )
}

/// Reserved words.
fn is_reserved(word: &str) -> bool {
    is_statement_word(word)
        || SCALAR_WORDS.contains(&word)
        || matches!(
            word,
            "auto"
                | "const"
                | "volatile"
                | "static"
                | "extern"
                | "inline"
                | "typedef"
                | "using"
                | "struct"
                | "class"
                | "union"
                | "enum"
                | "else"
                | "sizeof"
                | "true"
                | "false"
                | "nullptr"
                | "template"
                | "typename"
                | "operator"
                | "namespace"
                | "static_cast"
                | "reinterpret_cast"
                | "const_cast"
                | "dynamic_cast"
                | "static_assert"
                | "constexpr"
                | "register"
                | "this"
                | "new"
                | "delete"
                | "throw"
                | "try"
                | "catch"
        )
}
