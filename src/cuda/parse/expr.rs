//! Expressions, by precedence climbing.

use std::sync::Arc;

use super::{MAX_CHAIN, MAX_HEIGHT, MAX_LINKS, Parsed, Parser, Reported, describe, is_reserved};
use crate::ast::{BaseType, CastStyle, Expr, ExprKind, FoldOp, Ident, InfixOp, PrefixOp, TypeName};
use crate::diagnostic::Diagnostic;
use crate::hir::{BinaryOp, CompareOp, LogicalOp, Type};
use crate::lex::{Strings, parse_char, parse_number};
use crate::preprocess::{Kind, Tok};
use crate::source::join;
use crate::types::image_function;
use engine::ids::Span;

impl Parser {
    /// An expression, including comma operators.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let outer = std::mem::take(&mut self.height);
        let mut lhs = self.assignment()?;
        let mut chain = 0;
        while self.at(",") && !self.peek_at(1).is("...") {
            self.next();
            self.link(&mut chain, MAX_CHAIN)?;
            let height = std::mem::take(&mut self.height);
            let rhs = self.assignment()?;
            self.grow(height)?;
            lhs = infix(InfixOp::Comma, lhs, rhs);
        }
        self.height = self.height.max(outer);
        Ok(lhs)
    }

    /// An expression without comma operators.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.enter_nesting()?;
        let lhs = self.conditional_inner()?;
        let op = match self.peek().kind {
            Kind::Punct(_) if self.peek_at(1).is("...") => {
                self.depth -= 1;
                return Ok(lhs);
            }
            Kind::Punct("=") => None,
            Kind::Punct(punct) => {
                if let Some(op) = compound_op(punct) {
                    Some(op)
                } else {
                    self.depth -= 1;
                    return Ok(lhs);
                }
            }
            _ => {
                self.depth -= 1;
                return Ok(lhs);
            }
        };
        self.next();
        let rhs = if self.at("{") {
            self.list()?
        } else {
            self.assignment()?
        };
        self.depth -= 1;
        Ok(Expr {
            span: join(lhs.span, rhs.span),
            kind: ExprKind::Assign {
                op,
                lhs: Box::new(lhs),
                rhs: Box::new(rhs),
            },
        })
    }

    /// An expression without comma operators and assignments.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        self.enter_nesting()?;
        let expr = self.conditional_inner()?;
        self.depth -= 1;
        Ok(expr)
    }

    fn conditional_inner(&mut self) -> Parsed<Expr> {
        let cond = self.binary(1)?;
        if !self.accept("?") {
            return Ok(cond);
        }
        let then = if self.at(":") {
            // GNU's `a ?: b`: `a` is computed once.
            if !is_repeatable(&cond) {
                return self.unsupported(
                    cond.span,
                    "`?:` after an expression that calls or changes something",
                );
            }
            cond.clone()
        } else {
            self.expression()?
        };
        self.expect(":", "in this conditional expression")?;
        let otherwise = self.assignment()?;
        Ok(Expr {
            span: join(cond.span, otherwise.span),
            kind: ExprKind::Conditional {
                cond: Box::new(cond),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            },
        })
    }

    /// Counts an operation of a chain.
    fn link(&mut self, chain: &mut u32, most: u32) -> Parsed<()> {
        *chain += 1;
        if *chain <= most {
            return Ok(());
        }
        self.stop_expression()
    }

    /// Sets the height of an operation: one more than its operands, the last parsed expression and one of this height.
    fn grow(&mut self, height: u32) -> Parsed<()> {
        self.height = self.height.max(height) + 1;
        if self.height <= MAX_HEIGHT {
            return Ok(());
        }
        self.stop_expression()
    }

    fn stop_expression<T>(&mut self) -> Parsed<T> {
        let span = self.peek().span;
        self.stop(Diagnostic::error(
            span,
            "This expression is too long; split it into several statements.",
        ))
    }

    /// Binary operators with precedence of at least `min`.
    fn binary(&mut self, min: u8) -> Parsed<Expr> {
        let outer = std::mem::take(&mut self.height);
        let mut lhs = self.unary()?;
        let mut chain = 0;
        while let Kind::Punct(punct) = self.peek().kind {
            // `(value + ...)` is a fold expression.
            if self.in_angles && punct.starts_with('>') || self.peek_at(1).is("...") {
                break;
            }
            let Some((op, strength)) = infix_op(punct).filter(|(_, strength)| *strength >= min) else {
                break;
            };
            self.link(&mut chain, MAX_CHAIN)?;
            self.next();
            let height = std::mem::take(&mut self.height);
            let rhs = self.binary(strength + 1)?;
            self.grow(height)?;
            lhs = infix(op, lhs, rhs);
        }
        self.height = self.height.max(outer);
        Ok(lhs)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let tok = self.peek().clone();
        let prefix = match tok.kind {
            Kind::Punct("+") => Some(PrefixOp::Plus),
            Kind::Punct("-") => Some(PrefixOp::Neg),
            Kind::Punct("~") => Some(PrefixOp::BitNot),
            Kind::Punct("!") => Some(PrefixOp::Not),
            Kind::Punct("*") => Some(PrefixOp::Deref),
            Kind::Punct("&") => Some(PrefixOp::AddressOf),
            _ => None,
        };
        if let Some(op) = prefix {
            self.next();
            let operand = self.nested_unary()?;
            return Ok(Expr {
                span: join(tok.span, operand.span),
                kind: ExprKind::Prefix(op, Box::new(operand)),
            });
        }
        if tok.is("++") || tok.is("--") {
            self.next();
            let operand = self.nested_unary()?;
            return Ok(Expr {
                span: join(tok.span, operand.span),
                kind: ExprKind::IncDec {
                    operand: Box::new(operand),
                    delta: if tok.is("++") { 1 } else { -1 },
                    postfix: false,
                },
            });
        }
        if tok.is("(") && (self.type_at(1) || self.at_cast_to_unknown()) {
            return self.c_cast(tok.span);
        }
        if matches!(&*tok.text, "sizeof" | "alignof" | "__alignof__" | "__alignof") {
            return self.size_of(&tok);
        }
        self.postfix()
    }

    pub(super) fn nested_unary(&mut self) -> Parsed<Expr> {
        self.enter_nesting()?;
        let operand = self.unary()?;
        self.depth -= 1;
        Ok(operand)
    }

    /// Whether `(name) value` is at this position: a cast, because no other expression has an operand directly after
    /// parentheses.
    fn at_cast_to_unknown(&self) -> bool {
        let (name, value) = (self.peek_at(1), self.peek_at(3));
        let is_operator = matches!(
            &*value.text,
            "and" | "or" | "xor" | "bitand" | "bitor" | "not_eq" | "else" | "while"
        );
        name.kind == Kind::Ident
            && !is_reserved(&name.text)
            && self.peek_at(2).is(")")
            && matches!(value.kind, Kind::Ident | Kind::Number)
            && value.span.line == name.span.line
            && !is_operator
    }

    fn c_cast(&mut self, start: Span) -> Parsed<Expr> {
        // `(float(x) + 1)` also starts with a type, but is not a cast.
        if self.peek_at(2).is("(") && !self.peek_at(3).is("*") || self.peek_at(2).is("{") {
            return self.postfix();
        }
        let (before, num_diagnostics, depth) = (self.pos, self.diagnostics.len(), self.depth);
        self.next();
        let is_typename = self.peek().is_word("typename");
        let ty = self.type_name();
        // `(Trait<T>::value && …)` and `(Trait<T>::value) + 1`: a member that is not a type.
        let names_member = match &ty {
            Ok(ty) => {
                // `Trait<T>::value && (…)` reads like a type `… &&`.
                matches!(&ty.base, BaseType::Instance { member: Some(_), .. })
                    && (ty.derived.is_empty() || !self.at(")"))
            }
            Err(_) => self.toks[before..self.pos].iter().any(|tok| tok.is("::")),
        };
        let starts_operand = |tok: &Tok| {
            matches!(
                tok.kind,
                Kind::Ident | Kind::Number | Kind::Char | Kind::Punct("(" | "{")
            )
        };
        // `(Pair<int>{1, 2}.first)` and `(space::Pair(a).first)` construct an object.
        let makes_object =
            self.at("{") && ty.is_ok() || self.at("(") && ty.as_ref().is_ok_and(|ty| ty.derived.is_empty());
        if makes_object || names_member && !is_typename && !(self.at(")") && starts_operand(self.peek_at(1)))
        {
            (self.pos, self.depth) = (before, depth);
            self.diagnostics.truncate(num_diagnostics);
            return self.postfix();
        }
        let ty = ty?;
        self.expect(")", "after the type of this cast")?;
        if self.at("{") {
            let args = self.braced_arguments()?;
            return Ok(self.construct(ty, args, start));
        }
        let operand = self.nested_unary()?;
        Ok(Expr {
            span: join(start, operand.span),
            kind: ExprKind::Cast {
                style: CastStyle::C,
                ty: Box::new(ty),
                operand: Box::new(operand),
            },
        })
    }

    fn size_of(&mut self, word: &Tok) -> Parsed<Expr> {
        self.next();
        let is_size = word.is_word("sizeof");
        if is_size && self.accept("...") {
            self.expect("(", "after `sizeof...`")?;
            let name = self.ident("of a parameter pack")?;
            self.expect(")", "after the name of the parameter pack")?;
            return Ok(Expr {
                kind: ExprKind::SizeofPack(name),
                span: self.span_from(word.span),
            });
        }
        let kind = if self.at("(") && self.type_at(1) {
            self.next();
            let ty = self.type_name()?;
            self.expect(")", "after the type")?;
            let ty = Box::new(ty);
            if is_size {
                ExprKind::SizeofType(ty)
            } else {
                ExprKind::AlignofType(ty)
            }
        } else {
            let operand = Box::new(self.nested_unary()?);
            if is_size {
                ExprKind::SizeofExpr(operand)
            } else {
                ExprKind::AlignofExpr(operand)
            }
        };
        Ok(Expr {
            kind,
            span: self.span_from(word.span),
        })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let outer = std::mem::take(&mut self.height);
        let mut expr = self.primary()?;
        let mut chain = 0;
        loop {
            let tok = self.peek().clone();
            let height = std::mem::take(&mut self.height);
            let kind = match tok.kind {
                Kind::Punct("[") => {
                    self.next();
                    let index = self.outside_angles(Self::expression)?;
                    self.expect("]", "after the index")?;
                    ExprKind::Index {
                        base: Box::new(expr),
                        index: Box::new(index),
                    }
                }
                Kind::Punct("." | "->") => {
                    let mut arrow = tok.is("->");
                    self.next();
                    let mut is_template = self.accept_word("template");
                    if !is_template && let Some(base) = self.base_of_object(&expr, tok.is("->")) {
                        // The member name follows, as after `.`.
                        expr = base;
                        arrow = false;
                        is_template = self.accept_word("template");
                    }
                    let field = if self.peek().is_word("operator") {
                        self.operator_name()?
                    } else if self.at("~") {
                        self.destructor_name()?
                    } else {
                        self.path("of a member")?
                    };
                    let mut template_args = None;
                    if is_template || (self.at("<") && self.is_method_template(&field.name)) {
                        template_args = Some(self.template_args()?);
                    }
                    if self.accept("(") {
                        let args = self.arguments()?;
                        self.link(&mut chain, MAX_LINKS)?;
                        self.grow(height)?;
                        expr = Expr {
                            span: self.span_from(expr.span),
                            kind: ExprKind::MethodCall {
                                base: Box::new(expr),
                                arrow,
                                method: field,
                                template_args,
                                args,
                            },
                        };
                        continue;
                    }
                    ExprKind::Member {
                        base: Box::new(expr),
                        field,
                        arrow,
                    }
                }
                Kind::Punct("++" | "--") => {
                    self.next();
                    ExprKind::IncDec {
                        operand: Box::new(expr),
                        delta: if tok.is("++") { 1 } else { -1 },
                        postfix: true,
                    }
                }
                Kind::Punct("(") => {
                    self.next();
                    let args = self.arguments()?;
                    self.link(&mut chain, MAX_LINKS)?;
                    self.grow(height)?;
                    expr = Expr {
                        span: self.span_from(expr.span),
                        kind: ExprKind::MethodCall {
                            base: Box::new(expr),
                            arrow: false,
                            method: Ident {
                                name: "operator()".into(),
                                span: tok.span,
                            },
                            template_args: None,
                            args,
                        },
                    };
                    continue;
                }
                _ => {
                    self.height = height.max(outer);
                    return Ok(expr);
                }
            };
            self.link(&mut chain, MAX_LINKS)?;
            self.grow(height)?;
            let start = match &kind {
                ExprKind::Index { base, .. } | ExprKind::Member { base, .. } => base.span,
                ExprKind::IncDec { operand, .. } => operand.span,
                _ => tok.span,
            };
            expr = Expr {
                kind,
                span: self.span_from(start),
            };
        }
    }

    /// `Base<T>::` after `object.` or `pointer->`: the object as that base; the member name follows. Consumes nothing
    /// if there is no base.
    fn base_of_object(&mut self, object: &Expr, arrow: bool) -> Option<Expr> {
        if !self.at_type() {
            return None;
        }
        let (before, num_diagnostics, depth) = (self.pos, self.diagnostics.len(), self.depth);
        let start = self.peek().span;
        let instance = self.path("of a type").and_then(|name| {
            let is_instance = self.at("<") && self.is_template_name(&name.name);
            let args = if is_instance {
                self.template_args()?
            } else {
                Vec::new()
            };
            Ok(is_instance.then_some((name, args)))
        });
        if let Ok(Some((name, args))) = instance
            && self.accept("::")
        {
            let mut ty = TypeName::known(Type::Void, self.span_from(start));
            let member = None;
            ty.base = BaseType::Instance { name, args, member };
            let span = object.span;
            let object = Box::new(object.clone());
            let operand = if arrow {
                Box::new(Expr {
                    kind: ExprKind::Prefix(PrefixOp::Deref, object),
                    span,
                })
            } else {
                object
            };
            let kind = ExprKind::Cast {
                style: CastStyle::Base,
                ty: Box::new(ty),
                operand,
            };
            return Some(Expr { kind, span });
        }
        (self.pos, self.depth) = (before, depth);
        self.diagnostics.truncate(num_diagnostics);
        None
    }

    fn primary(&mut self) -> Parsed<Expr> {
        self.check_scope()?;
        if let Some(what) = self.unsupported_scope().or_else(|| self.unsupported_template()) {
            let span = self.peek().span;
            return self.unsupported(span, what);
        }
        let tok = self.peek().clone();
        let simple = |kind| Ok(Expr { kind, span: tok.span });
        match tok.kind {
            Kind::Number => {
                self.next();
                match parse_number(&tok.text, self.has_short_long) {
                    Ok(number) => simple(ExprKind::Number(number)),
                    // The declaration of this name was rejected before.
                    Err(_) if self.is_reported(&tok.text) => Err(Reported),
                    Err(message) => self.error(tok.span, message),
                }
            }
            Kind::Char => {
                self.next();
                match parse_char(&tok.text) {
                    Ok(value) => simple(ExprKind::Char(value)),
                    Err(message) => self.error(tok.span, message),
                }
            }
            Kind::Str => {
                let mut strings = Strings::default();
                let mut end = tok.span;
                while self.peek().kind == Kind::Str {
                    let part = self.next();
                    end = part.span;
                    if let Err(message) = strings.push(&part.text) {
                        return self.error(part.span, message);
                    }
                }
                let span = join(tok.span, end);
                match strings.text() {
                    Ok(text) => Ok(Expr {
                        kind: ExprKind::Str(Arc::new(text)),
                        span,
                    }),
                    Err(message) => self.error(span, message),
                }
            }
            Kind::Punct("(") if self.peek_at(1).is("{") => self.statement_expression(),
            Kind::Punct("(") => {
                self.next();
                if self.at("...") {
                    return self.fold(None, tok.span);
                }
                let start = self.pos;
                let mut inner = self.outside_angles(Self::expression)?;
                if !self.at(")") && self.peek_at(1).is("...") {
                    self.check_operand_of_fold(&inner, start)?;
                    return self.fold(Some(inner), tok.span);
                }
                let end = self.expect(")", "to close this parenthesis")?;
                inner.span = join(tok.span, end);
                Ok(inner)
            }
            Kind::Punct("[") => self.outside_angles(Self::lambda),
            Kind::Punct("::") => self.word(tok),
            Kind::Ident => self.word(tok),
            _ => {
                let prev = &self.toks[self.pos.saturating_sub(1)];
                let is_joined = prev.span.end == tok.span.start;
                let operator = match (prev.kind, tok.kind) {
                    (Kind::Punct("="), Kind::Punct("<")) => Some("<="),
                    (Kind::Punct("="), Kind::Punct(">")) => Some(">="),
                    (Kind::Punct("<"), Kind::Punct(">")) => Some("!="),
                    _ => None,
                };
                if let Some(operator) = operator.filter(|_| is_joined) {
                    let message = format!(
                        "`{}{}` is not an operator; write `{operator}`.",
                        prev.text, tok.text
                    );
                    return self.error(join(prev.span, tok.span), message);
                }
                let found = describe(&tok);
                self.error(tok.span, format!("Expected an expression, not {found}."))
            }
        }
    }

    /// A fold expression after its `(`, with the operand before `...`, if there is one.
    fn fold(&mut self, before: Option<Expr>, start: Span) -> Parsed<Expr> {
        let first = match &before {
            Some(_) => Some(self.fold_op()?),
            None => None,
        };
        self.expect("...", "in this fold expression")?;
        let (op, after) = match first {
            Some(op) if self.at(")") => (op, None),
            _ => {
                let span = self.peek().span;
                let op = self.fold_op()?;
                if first.is_some_and(|first| first != op) {
                    return self.error(span, "Both operators of a fold expression are the same.");
                }
                let from = self.pos;
                let after = self.outside_angles(Self::nested_unary)?;
                self.check_operand_of_fold(&after, from)?;
                (op, Some(Box::new(after)))
            }
        };
        self.expect(")", "after the fold expression")?;
        Ok(Expr {
            kind: ExprKind::Fold {
                op,
                before: before.map(Box::new),
                after,
            },
            span: self.span_from(start),
        })
    }

    /// Reports an operand of a fold expression, parsed from `start`, that is an operation without parentheses.
    fn check_operand_of_fold(&mut self, operand: &Expr, start: usize) -> Parsed<()> {
        let is_operation = matches!(
            operand.kind,
            ExprKind::Infix { .. } | ExprKind::Assign { .. } | ExprKind::Conditional { .. }
        );
        let end = std::mem::replace(&mut self.pos, start);
        let is_closed = self.at("(") && {
            self.skip_balanced();
            self.pos == end
        };
        self.pos = end;
        if is_operation && !is_closed {
            let message = "Put this operand of the fold expression in parentheses.";
            return self.error(operand.span, message);
        }
        Ok(())
    }

    fn fold_op(&mut self) -> Parsed<FoldOp> {
        let tok = self.next();
        let op = match tok.kind {
            Kind::Punct("=") => Some(FoldOp::Assign(None)),
            Kind::Punct(",") => Some(FoldOp::Infix(InfixOp::Comma)),
            Kind::Punct(punct) => (infix_op(punct).map(|(op, _)| FoldOp::Infix(op)))
                .or_else(|| compound_op(punct).map(|op| FoldOp::Assign(Some(op)))),
            _ => None,
        };
        if let Some(op) = op {
            Ok(op)
        } else {
            let found = describe(&tok);
            self.error(
                tok.span,
                format!("Expected an operator in this fold expression, not {found}."),
            )
        }
    }

    /// `value...`, after the value.
    fn expanded(&mut self, value: Expr) -> Expr {
        if !self.accept("...") {
            return value;
        }
        Expr {
            span: self.span_from(value.span),
            kind: ExprKind::Expansion(Box::new(value)),
        }
    }

    fn word(&mut self, tok: Tok) -> Parsed<Expr> {
        let simple = |kind| Ok(Expr { kind, span: tok.span });
        match &*tok.text {
            "true" | "false" => {
                self.next();
                return simple(ExprKind::Bool(&*tok.text == "true"));
            }
            "nullptr" => {
                self.next();
                return simple(ExprKind::Null);
            }
            "static_cast" | "reinterpret_cast" | "const_cast" => return self.named_cast(&tok),
            "this" => {
                self.next();
                return simple(ExprKind::This);
            }
            "new" => return self.new_expression(),
            "delete" => return self.delete_expression(),
            "dynamic_cast" | "throw" => {
                return self.unsupported(tok.span, &format!("`{}` expressions", tok.text));
            }
            _ => {}
        }
        if self.at_type() {
            let start = tok.span;
            if let Some([template, angle]) = self.toks[..self.pos].last_chunk::<2>()
                && angle.is("<")
                && (!self.in_angles || self.peek_at(1).kind == Kind::Ident)
                && self.is_template_name(&template.text)
            {
                let message = format!(
                    "The template arguments of `{}` have no closing `>`.",
                    template.text
                );
                return self.error(template.span, message);
            }
            if let Some([template, angle]) = self.toks[..self.pos].last_chunk::<2>()
                && angle.is("<")
                && template.kind == Kind::Ident
                && matches!(self.peek_at(1).kind, Kind::Punct(">" | ","))
            {
                let message = format!(
                    "There is no template `{}`; declare it above, or include the header that declares it.",
                    template.text
                );
                return self.error(template.span, message);
            }
            let mut head = self.head()?;
            if let BaseType::Instance { member, .. } = &mut head.ty.base
                && !self.at("{")
                && let Some(member) = member.take()
            {
                let template_args = if self.at("<") && self.is_method_template(&member.name) {
                    Some(self.template_args()?)
                } else {
                    None
                };
                let args = if self.accept("(") {
                    Some(self.arguments()?)
                } else {
                    None
                };
                return Ok(Expr {
                    span: self.span_from(start),
                    kind: ExprKind::StaticMember {
                        ty: Box::new(head.ty),
                        member,
                        template_args,
                        args,
                    },
                });
            }
            if self.at("(") {
                self.next();
                let args = self.arguments()?;
                return Ok(self.construct(head.ty, args, start));
            }
            if self.at("{") {
                let args = self.braced_arguments()?;
                return Ok(self.construct(head.ty, args, start));
            }
            let span = self.span_from(start);
            return self.error(
                span,
                format!("Expected an expression, not the type `{}`.", tok.text),
            );
        }
        if is_reserved(&tok.text) && !tok.is_word("operator") {
            // The declaration of this name was rejected before.
            if self.is_reported(&tok.text) {
                return Err(Reported);
            }
            return self.error(tok.span, format!("Expected an expression, not `{}`.", tok.text));
        }
        let ident = if tok.is_word("operator") {
            self.operator_name()?
        } else {
            self.path("in this expression")?
        };
        let fetches = &*ident.name == "tex1Dfetch";
        let mut fetched = None;
        let mut template_args = None;
        if fetches && self.accept("<") {
            fetched = Some(self.type_name()?);
            self.expect(">", "after the type that is fetched")?;
        } else if self.at("<") && self.declared_type(&ident.name) != Some(false) {
            let before = self.pos;
            if self.is_template_name(&ident.name) {
                template_args = Some(self.template_args()?);
            } else if image_function(&ident.name).is_some() {
                self.skip_angles();
                // Otherwise the name denotes a user-defined function or constant, and `<` is a comparison.
                let is_call = self.at("(");
                self.pos = before;
                if is_call {
                    template_args = Some(self.template_args()?);
                }
            }
        }
        if self.accept("(") {
            let mut args = self.arguments()?;
            if fetches && !args.is_empty() {
                let texture = args.remove(0);
                let span = texture.span;
                let kind = ExprKind::Texture {
                    ty: fetched.map(Box::new),
                    texture: Box::new(texture),
                };
                args.insert(0, Expr { kind, span });
            }
            return Ok(Expr {
                span: self.span_from(tok.span),
                kind: ExprKind::Call {
                    callee: ident,
                    template_args,
                    args,
                },
            });
        }
        if let Some(args) = template_args {
            return Ok(Expr {
                span: self.span_from(tok.span),
                kind: ExprKind::Instance { name: ident, args },
            });
        }
        Ok(Expr {
            span: ident.span,
            kind: ExprKind::Name(ident.name),
        })
    }

    fn construct(&self, ty: TypeName, args: Vec<Expr>, start: Span) -> Expr {
        Expr {
            span: self.span_from(start),
            kind: ExprKind::Construct {
                ty: Box::new(ty),
                args,
            },
        }
    }

    fn named_cast(&mut self, word: &Tok) -> Parsed<Expr> {
        self.next();
        self.expect("<", "after the name of the cast")?;
        let ty = self.type_name()?;
        self.expect(">", "after the type of the cast")?;
        self.expect("(", "before the value of the cast")?;
        let operand = self.expression()?;
        self.expect(")", "after the value of the cast")?;
        let style = match &*word.text {
            "static_cast" => CastStyle::Static,
            "reinterpret_cast" => CastStyle::Reinterpret,
            _ => CastStyle::C,
        };
        Ok(Expr {
            span: self.span_from(word.span),
            kind: ExprKind::Cast {
                style,
                ty: Box::new(ty),
                operand: Box::new(operand),
            },
        })
    }

    /// Arguments after `(`, through `)`.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.outside_angles(Self::arguments_inner)
    }

    fn arguments_inner(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        if self.accept(")") {
            return Ok(args);
        }
        loop {
            let arg = if self.at("{") {
                self.list()?
            } else {
                self.assignment()?
            };
            let arg = self.expanded(arg);
            args.push(arg);
            if !self.accept(",") {
                break;
            }
        }
        let tok = self.peek();
        if matches!(tok.kind, Kind::Ident | Kind::Number | Kind::Str)
            && tok.span.line == self.prev_span().line
        {
            let message = format!("Expected `,` or `)` after this argument, not {}.", describe(tok));
            let span = tok.span;
            return self.error(span, message);
        }
        self.expect(")", "after the arguments")?;
        Ok(args)
    }

    pub(super) fn braced_arguments(&mut self) -> Parsed<Vec<Expr>> {
        match self.list()?.kind {
            ExprKind::List(items) => Ok(items.into_iter().map(|(_, value)| value).collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// `{a, b}`.
    pub(super) fn list(&mut self) -> Parsed<Expr> {
        self.outside_angles(Self::list_inner)
    }

    /// Whether the `[` here opens a lambda: parameters or a body follow its `]`.
    fn opens_lambda(&self) -> bool {
        let mut depth = 0u32;
        for ahead in 0.. {
            match self.peek_at(ahead).kind {
                Kind::Punct("[" | "(" | "{") => depth += 1,
                Kind::Punct("]" | ")" | "}") if depth > 1 => depth -= 1,
                Kind::Punct("]") => return matches!(self.peek_at(ahead + 1).kind, Kind::Punct("(" | "{")),
                Kind::Punct(";") | Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    fn list_inner(&mut self) -> Parsed<Expr> {
        let start = self.expect("{", "here")?;
        self.enter_nesting()?;
        let mut items = Vec::new();
        while !self.at("}") {
            let field = if self.at(".") {
                self.next();
                let field = self.ident("of a member")?;
                self.expect("=", "after the member")?;
                Some(field)
            } else if self.at("[") && !self.opens_lambda() {
                // GNU's `[0] = 1`, which nvcc takes in order only.
                let span = self.peek().span;
                let is_next = self.peek_at(1).text.parse() == Ok(items.len());
                if !is_next || !self.peek_at(2).is("]") || !self.peek_at(3).is("=") {
                    return self.unsupported(span, "Designated array initializers that are out of order");
                }
                for _ in 0..4 {
                    self.next();
                }
                None
            } else {
                None
            };
            let value = if self.at("{") {
                self.list()?
            } else {
                self.assignment()?
            };
            let value = self.expanded(value);
            items.push((field, value));
            if !self.accept(",") {
                break;
            }
        }
        self.depth -= 1;
        let end = self.expect("}", "after the values")?;
        Ok(Expr {
            kind: ExprKind::List(items),
            span: join(start, end),
        })
    }
}

/// Whether an expression has no effects, so that it can be computed twice.
fn is_repeatable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Char(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::This => {
            true
        }
        ExprKind::Prefix(_, operand) | ExprKind::Cast { operand, .. } => is_repeatable(operand),
        ExprKind::Infix { lhs, rhs, .. } => is_repeatable(lhs) && is_repeatable(rhs),
        ExprKind::Index { base, index } => is_repeatable(base) && is_repeatable(index),
        ExprKind::Member { base, .. } => is_repeatable(base),
        _ => false,
    }
}

fn infix(op: InfixOp, lhs: Expr, rhs: Expr) -> Expr {
    Expr {
        span: join(lhs.span, rhs.span),
        kind: ExprKind::Infix {
            op,
            lhs: Box::new(lhs),
            rhs: Box::new(rhs),
        },
    }
}

/// A binary operator and its precedence.
fn infix_op(punct: &str) -> Option<(InfixOp, u8)> {
    use BinaryOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Xor};
    use InfixOp::{Arithmetic, Compare, Logical};
    Some(match punct {
        "||" => (Logical(LogicalOp::Or), 1),
        "&&" => (Logical(LogicalOp::And), 2),
        "|" => (Arithmetic(Or), 3),
        "^" => (Arithmetic(Xor), 4),
        "&" => (Arithmetic(And), 5),
        "==" => (Compare(CompareOp::Eq), 6),
        "!=" => (Compare(CompareOp::Ne), 6),
        "<" => (Compare(CompareOp::Lt), 7),
        "<=" => (Compare(CompareOp::Le), 7),
        ">" => (Compare(CompareOp::Gt), 7),
        ">=" => (Compare(CompareOp::Ge), 7),
        "<<" => (Arithmetic(Shl), 8),
        ">>" => (Arithmetic(Shr), 8),
        "+" => (Arithmetic(Add), 9),
        "-" => (Arithmetic(Sub), 9),
        "*" => (Arithmetic(Mul), 10),
        "/" => (Arithmetic(Div), 10),
        "%" => (Arithmetic(Rem), 10),
        _ => return None,
    })
}

fn compound_op(punct: &str) -> Option<BinaryOp> {
    Some(match punct {
        "+=" => BinaryOp::Add,
        "-=" => BinaryOp::Sub,
        "*=" => BinaryOp::Mul,
        "/=" => BinaryOp::Div,
        "%=" => BinaryOp::Rem,
        "&=" => BinaryOp::And,
        "|=" => BinaryOp::Or,
        "^=" => BinaryOp::Xor,
        "<<=" => BinaryOp::Shl,
        ">>=" => BinaryOp::Shr,
        _ => return None,
    })
}
