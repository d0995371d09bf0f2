//! Statements.

use std::collections::BTreeMap;

use super::{Parsed, Parser, describe, is_reserved};
use crate::ast::{
    BaseType, Bindings, Block, Declaration, Declarator, Derived, Expr, ExprKind, Ident, Stmt, StmtKind,
    TypeName, UnrollPragma,
};
use crate::diagnostic::{Cause, Diagnostic};
use crate::hir::Unroll;
use crate::lex::Number;
use crate::preprocess::{Kind, Tok};
use engine::ids::Span;

impl Parser {
    /// A statement; after an error, the part that was parsed.
    pub(super) fn statement(&mut self) -> Stmt {
        let start = self.pos;
        let span = self.peek().span;
        let depth = self.depth;
        if let Ok(kind) = self.try_statement() {
            Stmt {
                kind,
                span: self.span_from(span),
            }
        } else {
            self.depth = depth;
            self.check_number_of_errors();
            let names = self.names_declared_from(start);
            if self.pos == start {
                self.next();
            }
            if !std::mem::take(&mut self.is_skipped) {
                self.skip_statement();
            }
            Stmt {
                kind: StmtKind::Error(names),
                span: self.span_from(span),
            }
        }
    }

    /// Names that a statement with an error seems to declare: `Type name =`, `Type name;`.
    fn names_declared_from(&self, start: usize) -> Vec<Ident> {
        let mut names = Vec::new();
        let mut idx = start;
        let mut depth = 0u32;
        while let [tok, next, ..] = &self.toks[idx.min(self.toks.len())..] {
            match tok.kind {
                Kind::Punct(";" | "{" | "}" | "=") | Kind::End => break,
                Kind::Punct("(") => depth += 1,
                Kind::Punct(")") => depth = depth.saturating_sub(1),
                Kind::Ident
                    if depth == 0
                        && idx > start
                        && matches!(next.kind, Kind::Punct("=" | ";" | "," | "[" | "(" | "-")) =>
                {
                    names.push(Ident {
                        name: tok.text.clone(),
                        span: tok.span,
                    });
                }
                _ => {}
            }
            idx += 1;
        }
        names
    }

    /// Whether the declaration here is of shared memory.
    fn declares_shared(&self) -> bool {
        self.toks[self.pos..]
            .iter()
            .take_while(|tok| !tok.is(";") && tok.kind != Kind::End)
            .any(|tok| tok.is_word("__shared__"))
    }

    fn sub_statement(&mut self) -> Parsed<Box<Stmt>> {
        self.enter_nesting()?;
        let stmt = self.statement();
        let stmt = if is_label(&stmt) { self.labeled(stmt) } else { stmt };
        self.depth = self.depth.saturating_sub(1);
        Ok(Box::new(stmt))
    }

    /// A label before a single statement, with that statement.
    fn labeled(&mut self, label: Stmt) -> Stmt {
        let start = label.span;
        let mut stmts = vec![label];
        while stmts.last().is_some_and(is_label) && !self.at("}") && !self.at_end() {
            let stmt = self.statement();
            stmts.push(stmt);
        }
        let end = self.prev_span();
        Stmt {
            kind: StmtKind::Block(Block { stmts, end }),
            span: self.span_from(start),
        }
    }

    fn try_statement(&mut self) -> Parsed<StmtKind> {
        self.skip_attributes();
        let tok = self.peek().clone();
        match tok.kind {
            Kind::Punct("{") => return self.block().map(StmtKind::Block),
            Kind::Punct(";") => {
                self.next();
                return Ok(StmtKind::Empty);
            }
            Kind::PragmaUnroll => return self.unrolled(),
            Kind::Ident => {}
            _ => return self.expression_statement(),
        }
        match &*tok.text {
            "if" => self.if_statement(),
            "for" => self.for_statement(None),
            "while" => self.while_statement(None),
            "do" => self.do_statement(None),
            "extern" if !self.declares_shared() => {
                // A host function.
                self.skip_statement();
                Ok(StmtKind::Empty)
            }
            "switch" => self.switch_statement(),
            "case" => self.case_label(),
            "default" if self.peek_at(1).is(":") => {
                self.next();
                self.next();
                Ok(StmtKind::Default)
            }
            // GNU's declaration of a local label.
            "__label__" => {
                self.skip_statement();
                Ok(StmtKind::Empty)
            }
            "break" => {
                self.next();
                self.expect_semicolon("`break`")?;
                Ok(StmtKind::Break)
            }
            "continue" => {
                self.next();
                self.expect_semicolon("`continue`")?;
                Ok(StmtKind::Continue)
            }
            "return" => self.return_statement(),
            "else" => self.stray_else(tok.span),
            word @ ("elif" | "elsif" | "elseif") if self.peek_at(1).is("(") => {
                let message = format!("`{word}` is not a keyword of C++; write `else if`.");
                let diagnostic = Diagnostic::error(tok.span, message).fix("else if");
                self.diagnostics.push(diagnostic);
                self.if_statement()
            }
            "template" => self.error(
                tok.span,
                "A template cannot be declared in a function; declare it outside.",
            ),
            "goto" => {
                self.next();
                let label = self.ident("of a label after `goto`")?;
                self.expect_semicolon("`goto`")?;
                Ok(StmtKind::Goto(label))
            }
            "asm" | "__asm__" | "__asm" => self.asm_statement(),
            "try" => self.try_block(),
            "throw" => self.error(
                tok.span,
                "Exceptions cannot be used in device code; return an error code instead.",
            ),
            "static_assert" | "_Static_assert" => self.static_assert().map(StmtKind::StaticAssert),
            "using" => self.using_statement(),
            "namespace" => self.namespace_alias_statement(),
            word if self.peek_at(1).is(":") && !is_reserved(word) => {
                let label = self.ident("of a label")?;
                self.next();
                Ok(StmtKind::Label(label))
            }
            _ if self.at_declaration() => self.declaration_statement(),
            word if self.peek_at(1).kind == Kind::Ident && word.starts_with("__") => {
                self.misspelled_specifier(&tok)
            }
            _ => self.expression_statement(),
        }
    }

    /// `case value:`.
    fn case_label(&mut self) -> Parsed<StmtKind> {
        self.next();
        let value = self.conditional()?;
        let last = if self.accept("...") {
            Some(self.conditional()?)
        } else {
            None
        };
        self.expect(":", "after the value of this case")?;
        Ok(StmtKind::Case(value, last))
    }

    /// `return value;`.
    fn return_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let value = if self.at(";") || self.at("}") {
            None
        } else if self.at("{") {
            Some(self.list()?)
        } else {
            Some(self.expression()?)
        };
        self.expect_semicolon("`return`")?;
        Ok(StmtKind::Return(value))
    }

    /// Reports `try`, and returns its block without the handlers.
    fn try_block(&mut self) -> Parsed<StmtKind> {
        let span = self.peek().span;
        let message = "Exceptions cannot be used in device code; return an error code instead.";
        self.diagnostics.push(Diagnostic::error(span, message));
        self.next();
        let block = self.block()?;
        while self.peek().is_word("catch") {
            self.next();
            self.skip_balanced();
            self.skip_balanced();
        }
        Ok(StmtKind::Block(block))
    }

    /// A using-directive, a using-declaration, or an alias.
    fn using_statement(&mut self) -> Parsed<StmtKind> {
        let start = self.peek().span;
        self.next();
        if self.accept_word("enum") {
            return self.using_enum().map(StmtKind::UsingEnum);
        }
        if self.accept_word("namespace") {
            if self.unsupported_scope().is_none() {
                let space = self.path("of a namespace")?;
                let space = self.qualified_namespace(&space.name);
                self.use_namespace(&space);
                self.skip_statement();
                return Ok(StmtKind::UsingNamespace(space));
            }
            self.skip_statement();
            return Ok(StmtKind::Empty);
        }
        if self.peek_at(1).is("::") || self.at("::") {
            let path = self.path("after `using`")?;
            self.use_name(&path.name);
            self.skip_statement();
            return Ok(StmtKind::UsingName(path));
        }
        self.using_alias(start).map(StmtKind::Declaration)
    }

    /// `namespace name = a::b;`.
    fn namespace_alias_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let name = self.ident("of a namespace")?;
        self.expect("=", "after the name of a namespace in a function")?;
        Ok(match self.namespace_alias(name) {
            Some((from, to)) => StmtKind::NamespaceAlias(from, to),
            None => StmtKind::Empty,
        })
    }

    /// A declaration of variables, of types, or of structured bindings.
    fn declaration_statement(&mut self) -> Parsed<StmtKind> {
        let head = self.head()?;
        if self.at_bindings(&head.ty) {
            let mut bindings = self.bindings(head.ty)?;
            bindings.value = Some(self.value_of_bindings()?);
            self.expect_semicolon("the declaration")?;
            return Ok(StmtKind::Bindings(bindings));
        }
        let start = self.pos;
        let declaration = self.declarators(head, None);
        self.check_nested_function(start, declaration)
            .map(StmtKind::Declaration)
    }

    /// Reports a misspelled specifier such as `__shard__` before a declaration.
    fn misspelled_specifier(&mut self, tok: &Tok) -> Parsed<StmtKind> {
        const WORDS: [&str; 4] = ["__shared__", "__device__", "__constant__", "__restrict__"];
        match crate::nearest::nearest(&tok.text, WORDS) {
            Some(near) => {
                let message = format!(
                    "`{}` is not a keyword of CUDA C++; did you mean `{near}`?",
                    tok.text
                );
                self.report(Diagnostic::error(tok.span, message).fix(near))
            }
            None => self.expression_statement(),
        }
    }

    /// Reports a body in braces where a function definition seems to be nested in a function.
    fn check_nested_function(
        &mut self,
        start: usize,
        declaration: Parsed<Declaration>,
    ) -> Parsed<Declaration> {
        let name = self.toks[start].clone();
        let opens = self.toks.get(start + 1).is_some_and(|tok| tok.is("("));
        if declaration.is_ok() || name.kind != Kind::Ident || !opens {
            return declaration;
        }
        let failed_at = self.pos;
        self.pos = start + 1;
        self.skip_balanced();
        if self.at("{") {
            self.skip_balanced();
            self.is_skipped = true;
            self.diagnostics.pop();
            let message = format!(
                "The function `{}` is defined inside another function; define it outside, or use a lambda.",
                name.text
            );
            self.diagnostics.push(Diagnostic::error(name.span, message));
        } else {
            self.pos = failed_at;
        }
        declaration
    }

    /// Reports an `else` without an `if`, with the probable cause.
    fn stray_else(&mut self, span: Span) -> Parsed<StmtKind> {
        let mut diagnostic = Diagnostic::error(span, "This `else` has no matching `if`.");
        diagnostic = match self.empty_if {
            Some(semicolon) if span.line.abs_diff(semicolon.line) < 4 => {
                diagnostic.note_at(semicolon, "This `;` is the whole body of the `if`; remove it.")
            }
            _ => diagnostic.note("An `if` without braces has one statement; put several in `{ }`."),
        };
        self.report(diagnostic)
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let expr = self.expression()?;
        if self.at("<<<") {
            let span = self.peek().span;
            let message = "Launches from kernels (dynamic parallelism) are not supported yet; launch the kernel from the \
                           host, or call a `__device__` function.";
            return self.report(Diagnostic {
                cause: Cause::Unsupported,
                ..Diagnostic::error(span, message)
            });
        }
        let tok = self.peek();
        if matches!(tok.kind, Kind::Ident | Kind::Number) && !self.starts_line() {
            let message = format!(
                "Expected an operator or `;` after this expression, not {}.",
                describe(tok)
            );
            let span = tok.span;
            return self.error(span, message);
        }
        self.expect_semicolon("this expression")?;
        Ok(StmtKind::Expr(expr))
    }

    fn parenthesized(&mut self, context: &str) -> Parsed<Expr> {
        self.expect("(", context)?;
        let expr = self.expression()?;
        self.expect(")", "after the condition")?;
        Ok(expr)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let is_constexpr = self.accept_word("constexpr");
        self.expect("(", "after `if`")?;
        self.with_header(|this, cond| {
            let semicolon = this.at(";").then(|| this.peek().span);
            let then = this.sub_statement()?;
            if semicolon.is_some() && !this.peek().is_word("else") {
                this.empty_if = semicolon;
            }
            let otherwise = if this.accept_word("else") {
                Some(this.sub_statement()?)
            } else {
                None
            };
            Ok(StmtKind::If {
                cond,
                then,
                otherwise,
                is_constexpr,
            })
        })
    }

    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.expect("(", "after `switch`")?;
        self.with_header(|this, value| {
            let body = this.sub_statement()?;
            Ok(StmtKind::Switch { value, body })
        })
    }

    /// The header of a statement, from after `(`: a condition, a declaration as condition (`int n = f()`), or one of
    /// these after an init statement (`int n = f(); n > 3`). Variables are declared in an enclosing block.
    fn with_header(&mut self, rest: impl FnOnce(&mut Self, Expr) -> Parsed<StmtKind>) -> Parsed<StmtKind> {
        let start = self.peek().span;
        self.types.push(BTreeMap::new());
        let result = self.header().and_then(|(mut stmts, cond)| {
            let kind = rest(self, cond)?;
            if stmts.is_empty() {
                return Ok(kind);
            }
            let span = self.span_from(start);
            stmts.push(Stmt { kind, span });
            let end = self.prev_span();
            Ok(StmtKind::Block(Block { stmts, end }))
        });
        self.types.pop();
        result
    }

    /// The contents of the parentheses, through `)`: declarations, and the condition.
    fn header(&mut self) -> Parsed<(Vec<Stmt>, Expr)> {
        let mut stmts = Vec::new();
        for _ in 0..2 {
            let span = self.peek().span;
            if !self.at_declaration() {
                let expr = if self.at(";") {
                    None
                } else {
                    Some(self.expression()?)
                };
                if self.accept(";") {
                    let kind = expr.map_or(StmtKind::Empty, StmtKind::Expr);
                    stmts.push(Stmt { kind, span });
                    continue;
                }
                self.expect(")", "after the condition")?;
                return match expr {
                    Some(cond) => Ok((stmts, cond)),
                    None => self.error(span, "Expected a condition."),
                };
            }
            let head = self.head()?;
            if self.at_bindings(&head.ty) {
                let mut bindings = self.bindings(head.ty)?;
                bindings.value = Some(self.value_of_bindings()?);
                self.expect_semicolon("the declaration")?;
                let kind = StmtKind::Bindings(bindings);
                stmts.push(Stmt {
                    kind,
                    span: self.span_from(span),
                });
                continue;
            }
            let (name, ty) = self.named_declarator(&head.ty)?;
            let declaration = self.declarators_of(&head, Some((name.clone(), ty)))?;
            let is_last = self.accept(")");
            if !is_last {
                self.expect_semicolon("the declaration")?;
            }
            stmts.push(Stmt {
                kind: StmtKind::Declaration(Declaration {
                    specifiers: head.specifiers,
                    ty: head.ty,
                    declarators: declaration,
                    span: self.span_from(head.span),
                }),
                span: self.span_from(span),
            });
            if is_last {
                let cond = Expr {
                    kind: ExprKind::Name(name.name),
                    span: name.span,
                };
                return Ok((stmts, cond));
            }
        }
        let span = self.peek().span;
        self.error(span, "Expected `)` after the condition.")
    }

    fn while_statement(&mut self, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        let start = self.next().span;
        self.expect("(", "after `while`")?;
        self.types.push(BTreeMap::new());
        let header = self.header();
        let body = header.and_then(|header| Ok((header, self.sub_statement()?)));
        self.types.pop();
        let ((mut stmts, cond), body) = body?;
        if stmts.is_empty() {
            return Ok(StmtKind::While { cond, body, unroll });
        }
        // `for (;;) { T x = value; if (x) body else break; }`
        let span = self.span_from(start);
        let stop = Stmt {
            kind: StmtKind::Break,
            span,
        };
        stmts.push(Stmt {
            kind: StmtKind::If {
                cond,
                then: body,
                otherwise: Some(Box::new(stop)),
                is_constexpr: false,
            },
            span,
        });
        let kind = StmtKind::Block(Block { stmts, end: span });
        Ok(StmtKind::For {
            init: None,
            cond: None,
            step: None,
            body: Box::new(Stmt { kind, span }),
            unroll,
        })
    }

    fn do_statement(&mut self, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        self.next();
        let body = self.sub_statement()?;
        if !self.accept_word("while") {
            let found = describe(self.peek());
            let span = self.peek().span;
            return self.error(
                span,
                format!("Expected `while` after the body of `do`, not {found}."),
            );
        }
        let cond = self.parenthesized("after `while`")?;
        self.expect_semicolon("`do … while (…)`")?;
        Ok(StmtKind::DoWhile { body, cond, unroll })
    }

    fn for_statement(&mut self, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        self.next();
        self.expect("(", "after `for`: write `for (int i = 0; i < n; i++)`")?;
        self.check_parts_of_for()?;
        self.types.push(BTreeMap::new());
        let result = self.for_rest(unroll);
        self.types.pop();
        result
    }

    /// Reports a `for` header without its two semicolons, from after the `(`.
    fn check_parts_of_for(&mut self) -> Parsed<()> {
        let (mut depth, mut num_semicolons, mut comma) = (0u32, 0, None);
        let mut end = self.peek().span;
        for ahead in 0.. {
            let tok = self.peek_at(ahead);
            match tok.kind {
                Kind::Punct("(" | "[") => depth += 1,
                Kind::Punct(")") if depth == 0 => {
                    end = tok.span;
                    break;
                }
                Kind::Punct(")" | "]") => depth = depth.saturating_sub(1),
                Kind::Punct(";") if depth == 0 => num_semicolons += 1,
                Kind::Punct(",") if depth == 0 => comma = comma.or(Some(tok.span)),
                // A range, a body, or a lambda.
                Kind::Punct(":" | "{" | "}") | Kind::End => return Ok(()),
                _ => {}
            }
        }
        let what = match (num_semicolons, comma) {
            (0, Some(comma)) => {
                let message =
                    "Expected `;` between the parts of `for`, not `,`: `for (int i = 0; i < n; i++)`.";
                self.error(comma, message)
            }
            (0 | 1, _) => {
                let message = "`for` has two `;` in its parentheses: `for (int i = 0; i < n; i++)`.";
                self.error(end, message)
            }
            _ => return Ok(()),
        };
        // The complete loop is dropped.
        self.pos = self.pos.saturating_sub(1);
        self.skip_balanced();
        let _ = self.sub_statement();
        self.is_skipped = true;
        what
    }

    fn for_rest(&mut self, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        if self.is_range_ahead() {
            return self.range_for(None, unroll);
        }
        let init = if self.accept(";") {
            None
        } else {
            let span = self.peek().span;
            let kind = if self.at_declaration() {
                let head = self.head()?;
                if self.at_bindings(&head.ty) {
                    let mut bindings = self.bindings(head.ty)?;
                    bindings.value = Some(self.value_of_bindings()?);
                    self.expect_semicolon("the declaration")?;
                    StmtKind::Bindings(bindings)
                } else {
                    StmtKind::Declaration(self.declarators(head, None)?)
                }
            } else {
                self.expression_statement()?
            };
            Some(Box::new(Stmt {
                kind,
                span: self.span_from(span),
            }))
        };
        if self.is_range_ahead() {
            return self.range_for(init, unroll);
        }
        let cond = if self.at(";") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(";", "after the condition of `for`")?;
        let step = if self.at(")") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(")", "after the header of `for`")?;
        let body = self.sub_statement()?;
        Ok(StmtKind::For {
            init,
            cond,
            step,
            body,
            unroll,
        })
    }

    /// Whether a range declaration follows: a `:` before the next `;` or the end of the parentheses.
    fn is_range_ahead(&self) -> bool {
        let (mut depth, mut num_conditionals) = (0u32, 0u32);
        for ahead in 0.. {
            match self.peek_at(ahead).kind {
                Kind::Punct("(" | "[" | "{") => depth += 1,
                Kind::Punct(")" | "]" | "}") if depth == 0 => return false,
                Kind::Punct(")" | "]" | "}") => depth -= 1,
                Kind::Punct("?") => num_conditionals += 1,
                Kind::Punct(":") if depth == 0 && num_conditionals == 0 => return true,
                Kind::Punct(":") => num_conditionals = num_conditionals.saturating_sub(1),
                Kind::Punct(";") | Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// `variable : range) body`.
    fn range_for(&mut self, init: Option<Box<Stmt>>, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        let span = self.peek().span;
        if !self.at_declaration() {
            let message = "A loop over a range declares its variable: `for (auto value : values)`.";
            return self.error(span, message);
        }
        let head = self.head()?;
        let kind = if self.at_bindings(&head.ty) {
            StmtKind::Bindings(self.bindings(head.ty)?)
        } else {
            let (name, ty) = self.named_declarator(&head.ty)?;
            self.declare_variable(&name.name);
            StmtKind::Declaration(Declaration {
                specifiers: head.specifiers,
                ty: head.ty,
                declarators: vec![Declarator {
                    name,
                    ty,
                    init: None,
                    bits: None,
                }],
                span: self.span_from(span),
            })
        };
        let variable = Box::new(Stmt {
            kind,
            span: self.span_from(span),
        });
        self.expect(":", "before the range of this loop")?;
        let range = if self.at("{") {
            self.list()?
        } else {
            self.expression()?
        };
        self.expect(")", "after the header of `for`")?;
        let body = self.sub_statement()?;
        Ok(StmtKind::RangeFor {
            init,
            variable,
            range,
            body,
            unroll,
        })
    }

    /// Whether a structured binding follows its type.
    fn at_bindings(&self, ty: &TypeName) -> bool {
        let ahead = usize::from(matches!(self.peek().kind, Kind::Punct("&" | "&&")));
        matches!(ty.base, BaseType::Auto) && self.peek_at(ahead).is("[") && !self.peek_at(ahead + 1).is("[")
    }

    /// `&[a, b]`, after `auto`.
    fn bindings(&mut self, mut ty: TypeName) -> Parsed<Bindings> {
        if self.accept("&") {
            ty.derived.push(Derived::Reference);
        } else if self.accept("&&") {
            ty.derived.push(Derived::RvalueReference);
        }
        let start = self.expect("[", "here")?;
        let mut names = Vec::new();
        loop {
            let name = self.ident("in this structured binding")?;
            self.declare_variable(&name.name);
            names.push(name);
            if !self.accept(",") {
                break;
            }
        }
        self.expect("]", "after the names of this structured binding")?;
        Ok(Bindings {
            ty,
            names,
            value: None,
            span: self.span_from(start),
        })
    }

    /// `= value`, `(value)`, or `{value}`.
    fn value_of_bindings(&mut self) -> Parsed<Expr> {
        let end = match self.peek().kind {
            Kind::Punct("(") => Some(")"),
            Kind::Punct("{") => Some("}"),
            _ => None,
        };
        if let Some(end) = end {
            self.next();
            let value = self.assignment()?;
            self.expect(end, "after the value of this structured binding")?;
            return Ok(value);
        }
        self.expect("=", "after the names of this structured binding")?;
        self.assignment()
    }

    fn unrolled(&mut self) -> Parsed<StmtKind> {
        let mut unroll = None;
        while self.peek().kind == Kind::PragmaUnroll {
            let pragma = self.next();
            let count = if self.peek().kind == Kind::PragmaEnd {
                UnrollPragma::Known(Unroll::Full)
            } else {
                let expr = self.conditional()?;
                match expr.kind {
                    ExprKind::Number(Number::Int { value: 1, .. }) => UnrollPragma::Known(Unroll::By(1)),
                    _ => UnrollPragma::By(Box::new(expr)),
                }
            };
            if self.peek().kind != Kind::PragmaEnd {
                return self.error(pragma.span, "`#pragma unroll` takes one number.");
            }
            self.next();
            unroll = Some((pragma.span, count));
        }
        let Some((span, count)) = unroll else {
            return Ok(StmtKind::Empty);
        };
        match &*self.peek().text {
            "for" => self.for_statement(Some(count)),
            "while" => self.while_statement(Some(count)),
            "do" => self.do_statement(Some(count)),
            _ => {
                self.diagnostics.push(Diagnostic::warning(
                    span,
                    "`#pragma unroll` has no effect: no loop follows it.",
                ));
                self.try_statement()
            }
        }
    }
}

/// Whether a statement is only a label for the statement after it.
const fn is_label(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Label(_) | StmtKind::Case(..) | StmtKind::Default
    )
}
