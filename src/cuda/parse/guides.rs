//! Deduction guides of class templates: `template <class T> Pair(T) -> Pair<T, T>;`. Source: C++17, "Class template
//! argument deduction".

use std::sync::Arc;

use super::decl::{Head, is_specifier};
use super::{Parsed, Parser, is_reserved};
use crate::ast::{BaseType, Item, Specifiers, Template, TemplateParam, TypeName};
use crate::diagnostic::Diagnostic;
use crate::hir::Type;
use crate::preprocess::Kind;

impl Parser {
    /// Whether a deduction guide starts here, after the parameters of a template.
    pub(super) fn at_deduction_guide(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead).kind == Kind::Ident && is_specifier(&self.peek_at(ahead).text) {
            ahead += 1;
        }
        let name = self.peek_at(ahead);
        if name.kind != Kind::Ident || is_reserved(&name.text) || !self.peek_at(ahead + 1).is("(") {
            return false;
        }
        let mut depth = 0u32;
        for ahead in ahead + 1.. {
            match self.peek_at(ahead).kind {
                Kind::Punct("(") => depth += 1,
                Kind::Punct(")") => depth = depth.saturating_sub(1),
                Kind::Punct(";" | "{" | "}") | Kind::End => return false,
                _ => {}
            }
            if depth == 0 {
                return self.peek_at(ahead + 1).is("->");
            }
        }
        false
    }

    /// A deduction guide. One that uses types of the host's libraries is skipped.
    pub(super) fn deduction_guide(&mut self, params: Vec<TemplateParam>, items: &mut Vec<Item>) {
        let (start, num_diagnostics) = (self.pos, self.diagnostics.len());
        if let Ok(guide) = self.deduction_guide_rest(params) {
            items.extend(guide.map(Item::Guide));
        } else {
            self.diagnostics.truncate(num_diagnostics);
            self.pos = start;
            self.skip_declaration();
        }
    }

    fn deduction_guide_rest(&mut self, params: Vec<TemplateParam>) -> Parsed<Option<Arc<Template>>> {
        let first = self.peek().span;
        let mut specifiers = Specifiers::default();
        while self.peek().kind == Kind::Ident && is_specifier(&self.peek().text) {
            self.specifier(&mut specifiers)?;
        }
        specifiers.device = true;
        let name = self.ident("of a class template")?;
        let ty = TypeName::known(Type::Void, name.span);
        let span = self.span_from(first);
        let function = self.function(
            Head {
                specifiers,
                ty: ty.clone(),
                span,
            },
            name,
            ty,
        )?;
        let is_instance = matches!(
            &function.ret.base,
            BaseType::Instance { name, member: None, .. }
                if name.name.rsplit("::").next() == Some(&*function.name.name)
        );
        if !is_instance || !function.ret.derived.is_empty() {
            let message = format!(
                "The type after `->` of a deduction guide must be an instance of `{}`.",
                function.name.name
            );
            self.diagnostics
                .push(Diagnostic::error(function.ret.span, message));
            return Ok(None);
        }
        if let Some(body) = &function.body {
            let message = "A deduction guide has no body; put a `;` after its type.";
            self.diagnostics.push(Diagnostic::error(body.end, message));
            return Ok(None);
        }
        let function = Arc::new(function);
        Ok(Some(Arc::new(Template { params, function })))
    }
}
