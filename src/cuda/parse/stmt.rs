//! Statements.

use super::{Parsed, Parser, describe, is_reserved};
use crate::cuda::ast::{Block, Expr, ExprKind, Ident, Stmt, StmtKind, UnrollPragma};
use crate::cuda::diagnostic::Diagnostic;
use crate::cuda::hir::Unroll;
use crate::cuda::lex::Number;
use crate::cuda::preprocess::Kind;

impl Parser {
    /// A statement; after an error, what could be understood of it.
    pub(super) fn statement(&mut self) -> Stmt {
        let start = self.pos;
        let span = self.peek().span;
        let depth = self.depth;
        match self.try_statement() {
            Ok(kind) => Stmt {
                kind,
                span: self.span_from(span),
            },
            Err(_) => {
                self.depth = depth;
                let names = self.names_declared_from(start);
                if self.pos == start {
                    self.next();
                }
                self.skip_statement();
                Stmt {
                    kind: StmtKind::Error(names),
                    span: self.span_from(span),
                }
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
                        && matches!(next.kind, Kind::Punct("=" | ";" | "," | "[" | "(")) =>
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
        self.deeper()?;
        let stmt = self.statement();
        let stmt = if is_label(&stmt) {
            self.labelled(stmt)
        } else {
            stmt
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(Box::new(stmt))
    }

    /// A label where one statement is needed, with the statement that it belongs to.
    fn labelled(&mut self, label: Stmt) -> Stmt {
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
                // A function of elsewhere.
                self.skip_statement();
                Ok(StmtKind::Empty)
            }
            "switch" => {
                self.next();
                let value = self.parenthesised("after `switch`")?;
                let body = self.sub_statement()?;
                Ok(StmtKind::Switch { value, body })
            }
            "case" => {
                self.next();
                let value = self.conditional()?;
                if self.at("...") {
                    let span = self.peek().span;
                    return self.unsupported(span, "Ranges of cases");
                }
                self.expect(":", "after the value of this case")?;
                Ok(StmtKind::Case(value))
            }
            "default" if self.peek_at(1).is(":") => {
                self.next();
                self.next();
                Ok(StmtKind::Default)
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
            "return" => {
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
            "else" => self.error(tok.span, "This `else` has no `if` before it."),
            "goto" => {
                self.next();
                let label = self.ident("of a label after `goto`")?;
                self.expect_semicolon("`goto`")?;
                Ok(StmtKind::Goto(label))
            }
            "asm" | "__asm__" | "__asm" => self.asm_statement(),
            "try" | "throw" => self.error(tok.span, "Exceptions cannot be used in device code."),
            "static_assert" | "_Static_assert" => self.static_assert().map(StmtKind::StaticAssert),
            "using" => {
                self.next();
                if self.accept_word("namespace") {
                    if self.unsupported_scope().is_none() {
                        let space = self.path("of a namespace")?;
                        let space = self.space_called(&space.name);
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
                self.using_alias(tok.span).map(StmtKind::Declaration)
            }
            "namespace" => {
                self.next();
                let name = self.ident("of a namespace")?;
                self.expect("=", "after the name of a namespace in a function")?;
                Ok(match self.namespace_alias(name) {
                    Some((from, to)) => StmtKind::NamespaceAlias(from, to),
                    None => StmtKind::Empty,
                })
            }
            word if self.peek_at(1).is(":") && !is_reserved(word) => {
                let label = self.ident("of a label")?;
                self.next();
                Ok(StmtKind::Label(label))
            }
            _ if self.at_declaration() => {
                let head = self.head()?;
                self.declarators(head, None).map(StmtKind::Declaration)
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let expr = self.expression()?;
        if self.at("<<<") {
            let span = self.peek().span;
            return self.unsupported(span, "Kernel launches from kernels");
        }
        self.expect_semicolon("this expression")?;
        Ok(StmtKind::Expr(expr))
    }

    fn parenthesised(&mut self, context: &str) -> Parsed<Expr> {
        self.expect("(", context)?;
        let expr = self.expression()?;
        self.expect(")", "after the condition")?;
        Ok(expr)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let is_constexpr = self.accept_word("constexpr");
        self.expect("(", "after `if`")?;
        if self.at_declaration() {
            let span = self.peek().span;
            return self.unsupported(span, "Declarations in conditions");
        }
        let cond = self.expression()?;
        self.expect(")", "after the condition")?;
        let then = self.sub_statement()?;
        let otherwise = if self.accept_word("else") {
            Some(self.sub_statement()?)
        } else {
            None
        };
        Ok(StmtKind::If {
            cond,
            then,
            otherwise,
            is_constexpr,
        })
    }

    fn while_statement(&mut self, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        self.next();
        let cond = self.parenthesised("after `while`")?;
        let body = self.sub_statement()?;
        Ok(StmtKind::While { cond, body, unroll })
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
        let cond = self.parenthesised("after `while`")?;
        self.expect_semicolon("`do … while (…)`")?;
        Ok(StmtKind::DoWhile { body, cond, unroll })
    }

    fn for_statement(&mut self, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        let start = self.next().span;
        self.expect("(", "after `for`")?;
        self.types.push(Default::default());
        let result = self.for_rest(start, unroll);
        self.types.pop();
        result
    }

    fn for_rest(&mut self, start: crate::ids::Span, unroll: Option<UnrollPragma>) -> Parsed<StmtKind> {
        let init = if self.accept(";") {
            None
        } else {
            let span = self.peek().span;
            let kind = if self.at_declaration() {
                let head = self.head()?;
                let (name, ty) = self.named_declarator(&head.ty)?;
                if self.at(":") {
                    return self.unsupported(start, "Loops over ranges (for (… : …))");
                }
                StmtKind::Declaration(self.declarators(head, Some((name, ty)))?)
            } else {
                self.expression_statement()?
            };
            Some(Box::new(Stmt {
                kind,
                span: self.span_from(span),
            }))
        };
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

/// Whether a statement only marks a place for the statement after it.
const fn is_label(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Label(_) | StmtKind::Case(_) | StmtKind::Default
    )
}
