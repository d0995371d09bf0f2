//! Items at file scope. Host code is skipped: only the names that it declares are kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::decl::{Head, is_specifier, is_void};
use super::launches::HostCode;
use super::{Parsed, Parser, Reported, describe, is_reserved, is_statement_word};
use crate::ast::{
    BaseType, Block, Declaration, Derived, Expr, ExprKind, Function, Ident, Item, Name, Param, StaticAssert,
    TypeName,
};
use crate::diagnostic::Diagnostic;
use crate::limits::Limit;
use crate::preprocess::Kind;
use crate::types::unsupported_namespace;

/// Reported once per file.
const STRAY_STATEMENT: &str = "This statement is outside all functions; move it into a function.";

/// The member initializers of a constructor.
type Inits = Vec<(Ident, Expr)>;

impl Parser {
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.at_end() {
            let before = self.pos;
            self.depth = 0;
            self.types.truncate(1);
            let num_diagnostics = self.diagnostics.len();
            self.check_number_of_errors();
            if self.item(&mut items).is_err() {
                self.skip_item(before, num_diagnostics, &mut items);
            }
            if self.pos == before {
                self.next();
            }
        }
        items
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let tok = self.peek().clone();
        if self.accept(";") {
            return Ok(());
        }
        if matches!(tok.kind, Kind::LibraryStart | Kind::LibraryEnd) {
            self.next();
            let is_start = tok.kind == Kind::LibraryStart;
            self.num_headers = if is_start {
                self.num_headers + 1
            } else {
                self.num_headers.saturating_sub(1)
            };
            return Ok(());
        }
        if tok.is("}") {
            self.next();
            // Statements outside functions were reported, and this brace ends their block.
            if self.diagnostics.iter().any(|d| d.message == STRAY_STATEMENT) {
                return Err(Reported);
            }
            return self.error(
                tok.span,
                "This `}` has no matching `{`; remove it or add the `{`.",
            );
        }
        if let Some([closing, semicolon]) = self.toks[..self.pos].last_chunk::<2>()
            && tok.is("{")
            && closing.is(")")
            && semicolon.is(";")
        {
            let span = semicolon.span;
            self.skip_balanced();
            let message = "This `;` ends the function's declaration, and the body below it belongs to no function; \
                           remove the `;`.";
            self.diagnostics.push(Diagnostic::error(span, message));
            return Ok(());
        }
        if self.at_stray_statement() {
            self.skip_statement();
            if self.diagnostics.iter().all(|d| d.message != STRAY_STATEMENT) {
                self.diagnostics
                    .push(Diagnostic::error(tok.span, STRAY_STATEMENT));
            }
            return Ok(());
        }
        if tok.kind == Kind::PragmaUnroll {
            while self.next().kind != Kind::PragmaEnd && !self.at_end() {}
            return Ok(());
        }
        match &*tok.text {
            "using" => return self.using(items),
            "namespace" => return self.namespace(items),
            "inline" if self.peek_at(1).is_word("namespace") => {
                self.next();
                return self.namespace(items);
            }
            "static_assert" | "_Static_assert" => {
                items.push(Item::StaticAssert(self.static_assert()?));
                return Ok(());
            }
            "template" => return self.template(items),
            "extern" if self.peek_at(1).kind == Kind::Str && self.peek_at(2).is("{") => {
                // The braces of `extern "C" { … }` have no effect; the closing brace is skipped below.
                self.next();
                self.next();
                return self.braced_items(items);
            }
            _ => {}
        }
        self.check_specifier_spelling();
        if self.at_deduction_guide() {
            self.deduction_guide(Vec::new(), items);
            return Ok(());
        }
        if self.is_host_item() {
            let name = self.skip_host_item();
            items.extend(name.map(Item::Host));
            return Ok(());
        }
        if let Some((head, name)) = self.outer_constructor()? {
            let ty = head.ty.clone();
            items.push(Item::Function(Arc::new(self.function(head, name, ty)?)));
            return Ok(());
        }
        let mut head = self.head()?;
        if self.at(";") {
            let declaration = self.declarators(head, None)?;
            items.push(Item::Declaration(declaration));
            return Ok(());
        }
        if let BaseType::Struct(_) | BaseType::Enum(_) = &head.ty.base
            && self.toks[self.pos - 1].is("}")
            && self.starts_line()
            && !head.specifiers.is_typedef
            && !matches!(self.peek_at(1).kind, Kind::Punct(";" | "," | "=" | "["))
            && (self.at_declaration() || matches!(&*self.peek().text, "template" | "using" | "namespace"))
        {
            let what = match &head.ty.base {
                BaseType::Enum(_) => "enum",
                _ => "struct",
            };
            let message = format!("Put a `;` after the `}}` of this {what}.");
            let span = self.prev_span();
            self.diagnostics.push(Diagnostic::error(span, message));
            items.push(Item::Declaration(Declaration {
                specifiers: head.specifiers,
                ty: head.ty,
                declarators: Vec::new(),
                span: head.span,
            }));
            return Ok(());
        }
        self.has_late_device = false;
        let (name, ty) = self.item_declarator(&head.ty)?;
        head.specifiers.device |= self.has_late_device;
        let has_value = head.specifiers.is_constexpr && self.is_semicolon_after_parentheses();
        let is_function =
            is_void(&ty) || head.specifiers.global.is_some() || (self.opens_parameters() && !has_value);
        if self.at("(") && is_function && !head.specifiers.is_typedef {
            let of_device =
                head.specifiers.device || head.specifiers.global.is_some() || head.specifiers.is_constexpr;
            if !of_device {
                self.skip_host_code();
                items.push(Item::Host(name));
                return Ok(());
            }
            items.push(Item::Function(Arc::new(self.function(head, name, ty)?)));
        } else {
            let declaration = self.declarators(head, Some((name, ty)))?;
            items.push(Item::Declaration(declaration));
        }
        Ok(())
    }

    /// The name and type of the first declarator, which can be an operator.
    pub(super) fn item_declarator(&mut self, base: &TypeName) -> Parsed<(Ident, TypeName)> {
        let (name, ty) = self.declarator(base)?;
        if self.peek().is_word("operator") {
            return Ok((self.operator_name()?, ty));
        }
        Ok((self.declared_name(name)?, ty))
    }

    /// Items through a `}`, from its `{`.
    fn braced_items(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        self.expect("{", "here")?;
        self.enter_nesting()?;
        while !self.at("}") && !self.at_end() {
            let (before, num_diagnostics) = (self.pos, self.diagnostics.len());
            let depth = self.depth;
            self.check_number_of_errors();
            if self.item(items).is_err() {
                self.skip_item(before, num_diagnostics, items);
                self.depth = depth;
            }
            if self.pos == before {
                self.next();
            }
        }
        self.depth = self.depth.saturating_sub(1);
        self.expect("}", "at the end")?;
        Ok(())
    }

    /// `operator+`, from the keyword.
    pub(super) fn operator_name(&mut self) -> Parsed<Ident> {
        let start = self.next().span;
        let tok = self.next();
        let mut text = tok.text.to_string();
        match tok.kind {
            Kind::Punct("(") if self.accept(")") => text.push(')'),
            Kind::Punct("[") if self.accept("]") => text.push(']'),
            Kind::Punct("(" | "[" | ")" | ";" | "{") => {
                return self.error(tok.span, "Expected an operator after `operator`.");
            }
            Kind::Punct(_) => {}
            _ => return self.unsupported(tok.span, "Conversion operators"),
        }
        Ok(Ident {
            name: format!("operator{text}").into(),
            span: self.span_from(start),
        })
    }

    /// Whether `;` follows the parentheses that open here.
    fn is_semicolon_after_parentheses(&self) -> bool {
        let mut depth = 0u32;
        for ahead in 0.. {
            match self.peek_at(ahead).kind {
                Kind::Punct("(") => depth += 1,
                Kind::Punct(")") => depth = depth.saturating_sub(1),
                Kind::End => return false,
                _ => {}
            }
            if depth == 0 {
                return self.peek_at(ahead + 1).is(";");
            }
        }
        false
    }

    /// Whether the `(` here opens function parameters instead of an initializer.
    pub(super) fn opens_parameters(&self) -> bool {
        self.peek_at(1).is(")") || self.type_at(1) || {
            let next = self.peek_at(1);
            next.kind == Kind::Ident
                && (is_specifier(&next.text)
                    || self.peek_at(2).kind == Kind::Ident
                    || self.peek_at(2).is("::")
                    || (self.peek_at(2).is("*")
                        && self.declared_type(&next.text) != Some(false)
                        && matches!(self.peek_at(4).kind, Kind::Punct("," | ")"))))
        }
    }

    pub(super) fn function(&mut self, head: Head, name: Ident, ret: TypeName) -> Parsed<Function> {
        let name_is_qualified = name.name.contains("::");
        // The names of the struct are visible after `Name::`.
        let prefix = match name.name.rsplit_once("::") {
            Some((space, _)) => format!("{}{space}::", self.prefix),
            None => self.prefix.clone(),
        };
        let outer = std::mem::replace(&mut self.prefix, prefix);
        let owner_args = std::mem::take(&mut self.owner_args);
        let num_diagnostics = self.diagnostics.len();
        let mut function = self.function_inner(head, name, ret);
        if let Ok(function) = &mut function
            && function.body.is_some()
        {
            function.is_broken = self.mark_contained(num_diagnostics);
        }
        if let Ok(function) = &mut function
            && name_is_qualified
        {
            function.owner_args = owner_args;
        }
        self.prefix = outer;
        function
    }

    pub(super) fn function_inner(&mut self, head: Head, name: Ident, ret: TypeName) -> Parsed<Function> {
        self.expect("(", "after the function's name")?;
        let params = self.parameters()?;
        let mut specifiers = head.specifiers;
        let mut is_const = false;
        let mut ret = ret;
        // The result of a `constexpr` function is not const.
        ret.is_const &= specifiers.is_const || !specifiers.is_constexpr;
        loop {
            // `noexcept`, `const`, and attributes after the parameters.
            if self.peek().is_word("__launch_bounds__") {
                let late = self.head_specifiers_only()?;
                specifiers.launch_bounds = late.launch_bounds;
            } else if self.accept("->") {
                ret = self.type_name()?;
            } else if self.peek().kind == Kind::Ident && !self.at_body_without_brace() {
                is_const |= self.next().is_word("const");
                if self.at("(") {
                    // `noexcept(…)`.
                    self.skip_balanced();
                }
            } else if !(self.accept("&") || self.accept("&&")) {
                break;
            }
        }
        let (mut is_defaulted, mut is_deleted) = (false, false);
        if self.accept("=") {
            let word = self.next();
            (is_defaulted, is_deleted) = (word.is_word("default"), word.is_word("delete"));
        }
        let num_scopes = self.types.len();
        self.types.push(BTreeMap::new());
        for param in &params {
            if let Some(name) = &param.name {
                self.declare_variable(&name.name);
            }
        }
        let rest = self.function_rest();
        self.types.truncate(num_scopes);
        let (inits, body) = rest?;
        Ok(Function {
            specifiers,
            name,
            template_args: Vec::new(),
            owner_args: Vec::new(),
            is_const,
            inits,
            is_defaulted,
            is_deleted,
            is_library: self.num_headers > 0,
            is_broken: false,
            ret,
            params,
            body,
        })
    }

    /// The function parameters after the `(`, through the `)`.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Param>> {
        self.enter_nesting()?;
        let params = self.parameters_here();
        self.depth -= 1;
        params
    }

    fn parameters_here(&mut self) -> Parsed<Vec<Param>> {
        let mut params = Vec::new();
        while !self.at(")") {
            if self.at("...") {
                let span = self.peek().span;
                return self.unsupported(span, "Functions with a variable number of arguments");
            }
            let param = self.head()?;
            let outer = (
                std::mem::replace(&mut self.takes_pack, true),
                std::mem::take(&mut self.has_pack),
            );
            let declared = self.declarator(&param.ty);
            let is_pack = self.has_pack;
            (self.takes_pack, self.has_pack) = outer;
            let (param_name, mut ty) = declared?;
            if let (None, BaseType::Named(name)) = (&param_name, &ty.base)
                && ty.derived.is_empty()
                && !self.at("(")
                && name.name.starts_with(|c: char| c.is_ascii_lowercase())
                && !self.is_type_name(&name.name)
            {
                let message = format!(
                    "The parameter `{0}` has no type; write one before it, such as `int {0}`.",
                    name.name
                );
                let span = name.span;
                return self.error(span, message);
            }
            if self.at("(") {
                // `float f(float)` as a parameter is a function pointer.
                self.next();
                ty.derived.push(Derived::Function(self.parameters()?));
            }
            let default = if self.accept("=") {
                Some(if self.at("{") {
                    self.list()?
                } else {
                    self.assignment()?
                })
            } else {
                None
            };
            let span = self.span_from(param.span);
            params.push(Param {
                name: param_name,
                ty: TypeName { span, ..ty },
                default,
                is_pack,
            });
            if !self.accept(",") {
                break;
            }
            if self.at(",") || self.at(")") {
                let (span, found) = (self.peek().span, describe(self.peek()));
                return self.error(span, format!("Expected a parameter after `,`, not {found}."));
            }
        }
        if self.peek().kind == Kind::Ident && self.peek().span.line == self.prev_span().line {
            let (span, found) = (self.peek().span, describe(self.peek()));
            return self.error(
                span,
                format!("Expected `,` or `)` after this parameter, not {found}."),
            );
        }
        self.expect(")", "after the parameters")?;
        if params.len() == 1 && params[0].name.is_none() && is_void(&params[0].ty) {
            params.clear();
        }
        Ok(params)
    }

    /// The member initializers of a constructor, and the body of a function.
    fn function_rest(&mut self) -> Parsed<(Inits, Option<Block>)> {
        let mut inits = Vec::new();
        if self.accept(":") {
            loop {
                let name = self.path("of a member")?;
                if self.at("<") {
                    self.skip_angles();
                }
                let start = self.peek().span;
                let values = if self.accept("(") {
                    self.arguments()?.into_iter().map(|value| (None, value)).collect()
                } else {
                    match self.list()?.kind {
                        ExprKind::List(values) => values,
                        _ => Vec::new(),
                    }
                };
                let span = self.span_from(start);
                inits.push((
                    name,
                    Expr {
                        kind: ExprKind::List(values),
                        span,
                    },
                ));
                if !self.accept(",") {
                    break;
                }
            }
        }
        if self.at("{") {
            return Ok((inits, Some(self.block()?)));
        }
        if self.at_body_without_brace() {
            let message = "Put a `{` after the parameters, before the body of the function.";
            self.diagnostics
                .push(Diagnostic::error(self.last_character(), message));
            self.enter_nesting()?;
            return Ok((inits, Some(self.block_rest())));
        }
        self.expect_semicolon("the declaration of a function")?;
        Ok((inits, None))
    }

    /// Whether a line begins here with a statement, where the `{` of a function body is missing.
    fn at_body_without_brace(&self) -> bool {
        let tok = self.peek();
        let is_statement =
            is_statement_word(&tok.text) || self.is_type_name(&tok.text) && self.num_structs == 0;
        let is_assignment = matches!(
            self.peek_at(1).kind,
            Kind::Punct("[" | "=" | "+=" | "-=" | "." | "->")
        );
        tok.kind == Kind::Ident
            && self.starts_line()
            && (is_statement || is_assignment && !is_specifier(&tok.text))
    }

    /// Whether a statement begins here that cannot be a declaration.
    fn at_stray_statement(&self) -> bool {
        let tok = self.peek();
        let is_assignment = matches!(
            self.peek_at(1).kind,
            Kind::Punct("=" | "+=" | "-=" | "*=" | "/=" | "++" | "--" | "." | "->" | "[")
        );
        tok.kind == Kind::Ident
            && !is_specifier(&tok.text)
            && !self.is_type_name(&tok.text)
            && (is_assignment && !is_reserved(&tok.text) || is_statement_word(&tok.text))
    }

    fn head_specifiers_only(&mut self) -> Parsed<crate::ast::Specifiers> {
        let mut specifiers = crate::ast::Specifiers::default();
        self.specifier(&mut specifiers)?;
        Ok(specifiers)
    }

    /// Statements in braces.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.expect("{", "here")?;
        self.enter_nesting()?;
        Ok(self.block_rest())
    }

    /// Statements in braces, from after the `{`.
    fn block_rest(&mut self) -> Block {
        self.types.push(BTreeMap::new());
        let mut stmts = Vec::new();
        while !self.at("}") && !self.at_end() {
            // A keyword that only occurs at file scope: the `}` of the block is missing.
            if self.starts_line() && self.peek().is_word("__global__") {
                break;
            }
            let stmt = self.statement();
            stmts.push(stmt);
        }
        self.types.pop();
        self.depth = self.depth.saturating_sub(1);
        if self.at("}") {
            let end = self.next().span;
            return Block { stmts, end };
        }
        let span = self.peek().span;
        if !self.diagnostics.iter().any(|d| d.span == span) {
            self.diagnostics.push(Diagnostic::error(
                span,
                "A `}` is missing before this: a block is still open.",
            ));
        }
        Block { stmts, end: span }
    }

    fn using(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.next().span;
        if self.accept_word("enum") {
            let name = self.using_enum()?;
            items.push(Item::UsingEnum(name));
            return Ok(());
        }
        if self.accept_word("namespace") {
            if self.unsupported_scope().is_none()
                && let Ok(space) = self.path("of a namespace")
            {
                let space = self.qualified_namespace(&space.name);
                self.use_namespace(&space);
                items.push(Item::UsingNamespace(space));
            }
            self.end_using();
            return Ok(());
        }
        if self.peek_at(1).is("::") || self.at("::") {
            let path = self.path("after `using`")?;
            self.use_name(&path.name);
            items.push(Item::UsingName(path));
            self.end_using();
            return Ok(());
        }
        let declaration = self.using_alias(start)?;
        items.push(Item::Declaration(declaration));
        Ok(())
    }

    /// Skips to just after the `;` of a `using` declaration; without one, to the kernel behind it.
    fn end_using(&mut self) {
        let start = self.pos.saturating_sub(1);
        while !self.at_end() && !self.at("}") && !self.accept(";") {
            if self.at_kernel_after(start) {
                self.report_missing_semicolon();
                return;
            }
            self.next();
        }
    }

    /// Reports that the declaration before a kernel has no end.
    fn report_missing_semicolon(&mut self) {
        let span = self.last_character();
        self.contained.insert(span);
        self.diagnostics
            .push(Diagnostic::error(span, "Put a `;` after this declaration."));
    }

    /// Parses the rest of `using enum`: the name of an enum, and `;`.
    pub(super) fn using_enum(&mut self) -> Parsed<Ident> {
        let name = self.path("of an enum after `using enum`")?;
        self.expect_semicolon("the declaration")?;
        Ok(name)
    }

    /// Makes the names of a namespace visible without qualification.
    pub(super) fn use_namespace(&mut self, name: &Name) {
        let name = self.qualified_namespace(name);
        if !self.usings.contains(&name) {
            self.usings.push(name);
        }
        if self.usings.len() as u64 > Limit::Usings.most() {
            let span = self.prev_span();
            let _ = self.stop::<()>(Limit::Usings.exceeded(span));
        }
    }

    /// Parses the rest of `namespace name =`. Returns both names with `::`, unless the namespace is not supported.
    /// supported.
    pub(super) fn namespace_alias(&mut self, name: Ident) -> Option<(Name, Name)> {
        let unsupported = self.unsupported_scope().or_else(|| {
            unsupported_namespace(&self.peek().text).filter(|_| !self.spaces.contains(&self.peek().text))
        });
        if let Some(what) = unsupported {
            self.namespaces.insert(name.name, what);
            self.skip_statement();
            return None;
        }
        let target = self.path("of a namespace").ok()?;
        let from: Name = format!("{}::", self.declared_here(&name.name)).into();
        let to: Name = format!("{}::", self.qualified_namespace(&target.name)).into();
        self.aliases.insert(from.clone(), to.clone());
        self.skip_statement();
        Some((from, to))
    }

    /// Makes the last component of a qualified name an alias of the qualified name.
    pub(super) fn use_name(&mut self, path: &Name) {
        if let Some((_, last)) = path.rsplit_once("::") {
            let is_type = self.declared_type(path) == Some(true);
            let is_template = self.is_template_name(path);
            let last: Name = last.into();
            if is_type {
                self.declare_type(&last);
            }
            if is_template {
                self.templates.insert(self.declared_here(&last));
            }
        }
    }

    fn namespace(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        self.next();
        while self.at("[") {
            self.skip_balanced();
        }
        if self.at("{") {
            return self.braced_items(items);
        }
        let is_inline = self
            .toks
            .get(self.pos.wrapping_sub(2))
            .is_some_and(|tok| tok.is_word("inline"));
        let name = self.path("of a namespace")?;
        if self.accept("=") {
            items.extend(
                self.namespace_alias(name)
                    .map(|(from, to)| Item::NamespaceAlias(from, to)),
            );
            return Ok(());
        }
        if is_inline {
            // The names of an inline namespace belong to the enclosing namespace.
            let (from, to) = (format!("{}{}::", self.prefix, name.name), self.prefix.as_str());
            let (from, to): (Name, Name) = (from.into(), to.into());
            self.aliases.insert(from.clone(), to.clone());
            items.push(Item::NamespaceAlias(from, to));
            return self.braced_items(items);
        }
        // `a::b` also opens `a`.
        for (end, _) in name.name.match_indices("::").chain([(name.name.len(), "")]) {
            self.spaces
                .insert(format!("{}{}", self.prefix, &name.name[..end]).into());
        }
        let prefix = format!("{}{}::", self.prefix, name.name);
        let outer = std::mem::replace(&mut self.prefix, prefix);
        let mut inner = Vec::new();
        let result = self.braced_items(&mut inner);
        self.prefix = outer;
        items.push(Item::Namespace(name.name, inner));
        result
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        self.next();
        self.expect("(", "after `static_assert`")?;
        let cond = self.conditional()?;
        let message = if self.accept(",") {
            // Adjacent strings are concatenated.
            let mut text = String::new();
            while self.peek().kind == Kind::Str {
                text += self.next().text.trim_matches('"');
            }
            Some(text.into())
        } else {
            None
        };
        self.expect(")", "after the assertion")?;
        self.expect_semicolon("the assertion")?;
        Ok(StaticAssert { cond, message })
    }

    /// Whether the item here is host code: a function without a device specifier, or a host variable.
    pub(super) fn is_host_item(&self) -> bool {
        let mut depth = 0u32;
        let mut has_params = false;
        for ahead in 0.. {
            let tok = self.peek_at(ahead);
            match tok.kind {
                Kind::End => return false,
                Kind::Punct("(" | "[") => {
                    has_params |= tok.is("(") && ahead > 0;
                    depth += 1;
                }
                Kind::Punct(")" | "]") => depth = depth.saturating_sub(1),
                Kind::Punct("{") if depth == 0 => return has_params,
                Kind::Punct("=") if depth == 0 && !has_params => return true,
                Kind::Punct(";") if depth == 0 => return true,
                // A member function is `const` after its parameters.
                Kind::Ident if depth == 0 && has_params && tok.is_word("const") => {}
                Kind::Ident if depth == 0 => match &*tok.text {
                    "__global__" | "__device__" | "__constant__" | "__shared__" | "__managed__"
                    | "constexpr" | "const" | "texture" | "struct" | "class" | "union" | "enum"
                    | "typedef" => {
                        return false;
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        false
    }

    /// Skips a function or variable of the host. Returns its name.
    pub(super) fn skip_host_item(&mut self) -> Option<Ident> {
        let mut name = None;
        for ahead in 0.. {
            let (tok, next) = (self.peek_at(ahead), self.peek_at(ahead + 1));
            if tok.kind == Kind::Ident && matches!(next.kind, Kind::Punct("(" | "=" | ";" | "[" | "{" | ","))
            {
                name = Some(Ident {
                    name: tok.text.clone(),
                    span: tok.span,
                });
                break;
            }
            if matches!(tok.kind, Kind::End | Kind::Punct(";" | "{")) {
                break;
            }
        }
        self.skip_host_code();
        name
    }

    fn skip_host_code(&mut self) {
        let start = self.pos;
        self.skip_declaration();
        self.host_code.push(HostCode {
            start,
            end: self.pos,
            prefix: self.prefix.clone(),
            name: None,
            class: None,
            params: Vec::new(),
        });
    }

    /// Skips to just after the `;` or the body that ends an item at file scope.
    pub(super) fn skip_declaration(&mut self) {
        let start = self.pos;
        let mut initializes = false;
        while !self.at_end() {
            if self.at_kernel_after(start) {
                // `int x = 3` or `void f(int)` without `;`; after an open bracket, the error is there already.
                let span = self.peek().span;
                if !self.diagnostics.iter().any(|diagnostic| diagnostic.span == span) {
                    self.report_missing_semicolon();
                }
                return;
            }
            match self.peek().kind {
                Kind::Punct("(" | "[") => {
                    self.skip_balanced();
                    // `Name() : member{}, other{1} { … }`.
                    initializes |= self.at(":");
                }
                Kind::Punct("{") => {
                    let before = self.toks[self.pos.saturating_sub(1)].kind;
                    self.skip_balanced();
                    if initializes && matches!(before, Kind::Ident | Kind::Punct(">")) {
                        continue;
                    }
                    // `struct { … } name;` and `= { … };` continue to the `;`.
                    let goes_on = self.at(";")
                        || self.at(",")
                        || (self.peek().kind == Kind::Ident && self.peek_at(1).is(";"));
                    if !goes_on {
                        return;
                    }
                }
                Kind::Punct(";") => {
                    self.next();
                    return;
                }
                // The caller handles the closing brace of the enclosing scope.
                Kind::Punct("}") => return,
                _ => {
                    self.next();
                }
            }
        }
    }

    /// After an error: skips the rest of the item and keeps the name that it seems to declare. Errors in host code
    /// are reported when a kernel uses the name.
    fn skip_item(&mut self, start: usize, num_diagnostics: usize, items: &mut Vec<Item>) {
        let here = self.pos;
        self.pos = start;
        let name = self.name_ahead();
        let is_type = self.toks[self.pos..]
            .iter()
            .take_while(|tok| !matches!(tok.kind, Kind::End | Kind::Punct(";" | "{")))
            .any(|tok| {
                matches!(
                    &*tok.text,
                    "typedef" | "using" | "struct" | "class" | "union" | "enum"
                )
            });
        self.skip_declaration();
        self.pos = self.pos.max(here);
        let Some(name) = name else { return };
        let is_of_host = !self.has_device_word(start, self.pos);
        let deferred = if is_of_host {
            self.diagnostics
                .split_off(num_diagnostics.min(self.diagnostics.len()))
        } else {
            Vec::new()
        };
        self.mark_contained(num_diagnostics);
        let whole = self.declared_here_at_root(&name.name);
        if is_type && let Some(root) = self.types.first_mut() {
            root.entry(whole).or_insert(true);
        }
        items.push(Item::Unsupported(vec![name], deferred));
    }

    /// The name that the item here seems to declare.
    fn name_ahead(&self) -> Option<Ident> {
        let mut is_type = false;
        let mut start = 0;
        if self.peek().is_word("template") && self.peek_at(1).is("<") {
            let mut depth = 0u32;
            for ahead in 1.. {
                match self.peek_at(ahead).kind {
                    Kind::Punct("<") => depth += 1,
                    Kind::Punct(">") => depth = depth.saturating_sub(1),
                    Kind::Punct(">>") => depth = depth.saturating_sub(2),
                    // The template parameter list has no `>`.
                    Kind::Punct(";" | "{") | Kind::End => break,
                    _ => {}
                }
                if depth == 0 {
                    start = ahead + 1;
                    break;
                }
            }
        }
        for ahead in start.. {
            let (tok, next) = (self.peek_at(ahead), self.peek_at(ahead + 1));
            let is_end = matches!(next.kind, Kind::Punct("(" | "=" | ";" | "["))
                || (is_type && matches!(next.kind, Kind::Punct("{" | ":" | "<")));
            // `typedef int (Name::*pointer)(int);`
            let is_pointer = next.is(")") && ahead > 0 && self.peek_at(ahead - 1).is("*");
            if tok.kind == Kind::Ident && (is_end || is_pointer) && !tok.is_word("__launch_bounds__") {
                return Some(Ident {
                    name: tok.text.clone(),
                    span: tok.span,
                });
            }
            if matches!(tok.kind, Kind::End | Kind::Punct(";" | "{")) {
                return None;
            }
            is_type |= matches!(&*tok.text, "struct" | "class" | "union" | "enum");
        }
        None
    }

    /// Whether a token in this range is a device specifier.
    pub(super) fn has_device_word(&self, start: usize, end: usize) -> bool {
        self.toks[start..end].iter().any(|tok| {
            tok.kind == Kind::Ident
                && matches!(
                    &*tok.text,
                    "__global__"
                        | "__device__"
                        | "__constant__"
                        | "__shared__"
                        | "__managed__"
                        | "texture"
                        | "surface"
                )
        })
    }
}
