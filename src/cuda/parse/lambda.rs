//! Lambdas.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::decl::Head;
use super::{Parsed, Parser};
use crate::ast::{
    BaseType, Capture, Captures, Expr, ExprKind, Function, Ident, Lambda, Name, Specifiers, StmtKind,
    TemplateParam, TemplateParamKind, TypeName,
};
use crate::preprocess::Kind;
use engine::ids::Span;

impl Parser {
    /// `[captures](params) -> type { … }`, from the bracket.
    pub(super) fn lambda(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let (others, captures, has_this) = self.captures()?;
        let body = self.pos;
        let mut function = self.lambda_function()?;
        let names = self.words_since(body);
        let mut params = Vec::new();
        for param in &mut function.params {
            if matches!(param.ty.base, BaseType::Auto) {
                // Each `auto` becomes its own template parameter.
                let name = Ident {
                    name: format!("auto#{}", params.len()).into(),
                    span: param.ty.span,
                };
                param.ty.base = BaseType::Named(name.clone());
                params.push(TemplateParam {
                    span: name.span,
                    name: Some(name),
                    kind: TemplateParamKind::Type(None),
                    is_pack: param.is_pack,
                });
            }
        }
        let lambda = Lambda {
            others,
            captures,
            has_this,
            names,
            params,
            function: Arc::new(function),
        };
        Ok(Expr {
            kind: ExprKind::Lambda(Arc::new(lambda)),
            span: self.span_from(start),
        })
    }

    /// `({ statements; value; })`, a GNU C statement expression: a lambda that is called in place.
    pub(super) fn statement_expression(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let body = self.pos;
        let mut block = self.outside_angles(Self::block)?;
        if let Some(last) = block.stmts.last_mut()
            && let StmtKind::Expr(value) = &last.kind
        {
            last.kind = StmtKind::Return(Some(value.clone()));
        }
        let names = self.words_since(body);
        self.expect(")", "after the statements of this expression")?;
        let span = self.span_from(start);
        let function = Function {
            specifiers: Specifiers {
                device: true,
                forceinline: true,
                ..Specifiers::default()
            },
            name: call_operator(span),
            template_args: Vec::new(),
            owner_args: Vec::new(),
            is_const: true,
            inits: Vec::new(),
            is_defaulted: false,
            is_deleted: false,
            is_library: self.num_headers > 0,
            is_broken: false,
            ret: auto_type(span),
            params: Vec::new(),
            body: Some(block),
        };
        let lambda = Lambda {
            others: Captures::References,
            captures: Vec::new(),
            has_this: false,
            names,
            params: Vec::new(),
            function: Arc::new(function),
        };
        let base = Expr {
            kind: ExprKind::Lambda(Arc::new(lambda)),
            span,
        };
        Ok(Expr {
            kind: ExprKind::MethodCall {
                base: Box::new(base),
                arrow: false,
                method: call_operator(span),
                template_args: None,
                args: Vec::new(),
            },
            span,
        })
    }

    /// The identifiers in the tokens from a position on.
    fn words_since(&self, start: usize) -> BTreeSet<Name> {
        self.toks[start..self.pos]
            .iter()
            .filter(|tok| tok.kind == Kind::Ident)
            .map(|tok| tok.text.clone())
            .collect()
    }

    fn captures(&mut self) -> Parsed<(Captures, Vec<Capture>, bool)> {
        let (mut others, mut captures, mut has_this) = (Captures::None, Vec::new(), false);
        while !self.at("]") {
            if self.at("=") {
                self.next();
                others = Captures::Values;
            } else if self.at("&") && matches!(self.peek_at(1).kind, Kind::Punct("," | "]")) {
                self.next();
                others = Captures::References;
            } else if self.at("*") && self.peek_at(1).is_word("this") {
                let span = self.peek().span;
                return self.unsupported(span, "Lambdas that capture a copy of `*this`");
            } else if self.accept_word("this") {
                has_this = true;
            } else {
                let is_reference = self.accept("&");
                let is_pack = self.accept("...");
                let name = self.ident("to capture")?;
                let is_pack = self.accept("...") || is_pack;
                let init = if self.accept("=") {
                    Some(self.assignment()?)
                } else {
                    None
                };
                captures.push(Capture {
                    name,
                    is_reference,
                    is_pack,
                    init,
                });
            }
            if !self.accept(",") {
                break;
            }
        }
        self.expect("]", "after the captures of this lambda")?;
        Ok((others, captures, has_this))
    }

    fn lambda_function(&mut self) -> Parsed<Function> {
        let span = self.peek().span;
        let mut specifiers = Specifiers {
            device: true,
            ..Specifiers::default()
        };
        // `[=] __device__ (int i) { … }`.
        while self.peek().kind == Kind::Ident && super::decl::is_specifier(&self.peek().text) {
            self.specifier(&mut specifiers)?;
        }
        let (name, ty) = (call_operator(span), auto_type(span));
        let head = Head {
            specifiers,
            ty: ty.clone(),
            span,
        };
        let start = self.pos;
        let mut function = if self.at("(") {
            self.function_inner(head, name, ty)?
        } else {
            Function {
                specifiers: head.specifiers,
                name,
                template_args: Vec::new(),
                owner_args: Vec::new(),
                is_const: true,
                inits: Vec::new(),
                is_defaulted: false,
                is_deleted: false,
                is_library: self.num_headers > 0,
                is_broken: false,
                ret: ty,
                params: Vec::new(),
                body: Some(self.block()?),
            }
        };
        if function.body.is_none() {
            return self.error(span, "A lambda needs a body in braces.");
        }
        let block = function.body.as_ref().map_or(span, |block| block.end);
        let is_mutable = self.toks[start..self.pos]
            .iter()
            .take_while(|tok| !tok.is("{") && tok.span.start < block.start)
            .any(|tok| tok.is_word("mutable"));
        function.is_const = !is_mutable;
        Ok(function)
    }
}

fn call_operator(span: Span) -> Ident {
    Ident {
        name: "operator()".into(),
        span,
    }
}

const fn auto_type(span: Span) -> TypeName {
    TypeName {
        base: BaseType::Auto,
        is_const: false,
        is_volatile: false,
        derived: Vec::new(),
        span,
    }
}
