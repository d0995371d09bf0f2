//! Templates: parameters, arguments, explicit instances, and host launches of instances.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::launches::{HostCode, class_of_member};
use super::{Parsed, Parser, Wanted, describe, is_reserved};
use crate::ast::{
    AliasTemplate, BaseType, ClassTemplate, Derived, Ident, Instance, InstanceOrigin, Item, Member, Name,
    StructDef, Template, TemplateArg, TemplateParam, TemplateParamKind, TypeName, VariableTemplate,
};
use crate::limits::Limit;
use crate::preprocess::Kind;
use engine::ids::Span;

impl Parser {
    /// The declaration after `template`.
    pub(super) fn template(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.next().span;
        if matches!(&*self.peek().text, "struct" | "class" | "union") {
            // `template struct Name<int>;`: members are compiled where they are used, but those of the host launch kernels.
            self.skip_host_item();
            return Ok(());
        }
        if !self.at("<") {
            items.push(Item::Instance(self.instance()?));
            return Ok(());
        }
        let num_scopes = self.types.len();
        self.types.push(BTreeMap::new());
        let result = self.template_rest(start, items);
        self.types.truncate(num_scopes);
        result
    }

    fn template_rest(&mut self, start: Span, items: &mut Vec<Item>) -> Parsed<()> {
        let first = self.pos;
        let params = self.template_params()?;
        let unsupported = match &*self.peek().text {
            "template" => Some("Member templates of class templates"),
            "struct" | "class" | "union" if self.defines_type() => {
                return self.class_template(params, first, items);
            }
            "union" if self.defines_type() => Some("Templates of unions"),
            "using" => return self.alias_template(params, items),
            _ => None,
        };
        if let Some(what) = unsupported {
            // Reported once; uses of the name are not reported again.
            let _ = self.unsupported::<()>(start, what);
            let name = self.peek_at(1).clone();
            self.skip_declaration();
            if name.kind == Kind::Ident {
                let whole = self.declared_here_at_root(&name.text);
                self.templates.insert(whole.clone());
                if let Some(scope) = self.types.first_mut() {
                    scope.insert(whole, true);
                }
                let name = Ident {
                    name: name.text,
                    span: name.span,
                };
                items.push(Item::Unsupported(vec![name], Vec::new()));
            }
            return Ok(());
        }
        if self.at_deduction_guide() {
            self.deduction_guide(params, items);
            return Ok(());
        }
        if self.is_host_item() {
            let host_params = self.host_params(&params, first);
            let start = self.pos;
            let name = self.skip_host_item();
            let class = class_of_member(&self.toks[start..self.pos]);
            if let Some(code) = self.host_code.last_mut() {
                code.params = host_params;
                code.name = name.as_ref().map(|name| name.name.clone());
                code.class = class;
            }
            items.extend(name.map(Item::Host));
            return Ok(());
        }
        if let Some((head, name)) = self.outer_constructor()? {
            let ty = head.ty.clone();
            let function = Arc::new(self.function(head, name, ty)?);
            items.push(Item::Template(Arc::new(Template { params, function })));
            return Ok(());
        }
        let mut head = self.head()?;
        self.has_late_device = false;
        let (name, ty) = self.item_declarator(&head.ty)?;
        head.specifiers.device |= self.has_late_device;
        let is_variable = matches!(self.peek().kind, Kind::Punct("=" | ";" | "[" | "{"));
        if !params.is_empty() && (is_variable || !ty.derived.is_empty() && self.at(";")) {
            self.templates.insert(self.declared_here_at_root(&name.name));
            let declaration = self.declarators(head, Some((name, ty)))?;
            let template = VariableTemplate { params, declaration };
            items.push(Item::VariableTemplate(Arc::new(template)));
            return Ok(());
        }
        let template_args = if self.at("<") {
            self.template_args()?
        } else {
            Vec::new()
        };
        if !self.at("(") {
            let found = describe(self.peek());
            let span = self.peek().span;
            return self.error(
                span,
                format!("Expected the parameters of a function, not {found}."),
            );
        }
        let whole = self.declared_here_at_root(&name.name);
        if head.specifiers.global.is_some() {
            self.kernels.insert(whole.clone());
        }
        self.templates.insert(whole);
        let mut function = self.function(head, name, ty)?;
        function.template_args = template_args;
        let function = Arc::new(function);
        items.push(Item::Template(Arc::new(Template { params, function })));
        Ok(())
    }

    pub(super) fn declared_here_at_root(&self, name: &str) -> crate::ast::Name {
        format!("{}{name}", self.prefix).into()
    }

    /// `template <…>` before a member function.
    pub(super) fn member_template(&mut self, owner: Option<&Ident>) -> Parsed<Option<Member>> {
        self.next();
        let num_scopes = self.types.len();
        self.types.push(BTreeMap::new());
        let result = self.member_template_rest(owner);
        self.types.truncate(num_scopes);
        result
    }

    fn member_template_rest(&mut self, owner: Option<&Ident>) -> Parsed<Option<Member>> {
        let params = self.template_params()?;
        let span = self.peek().span;
        if matches!(&*self.peek().text, "struct" | "class" | "union") && self.defines_type() {
            let name = self.peek_at(self.position_after_alignment()).text.clone();
            self.declare_member_type(&name);
            let head = self.head()?;
            self.expect_semicolon("the definition of a struct")?;
            return Ok(class_template_of(params, head.ty.base).map(Member::Item));
        }
        if self.at("using") {
            let start = self.next().span;
            let mut declaration = self.using_alias(start)?;
            return Ok(declaration.declarators.pop().map(|declared| {
                self.declare_member_type(&declared.name.name);
                Member::Item(Item::AliasTemplate(Arc::new(AliasTemplate {
                    params,
                    name: declared.name,
                    ty: declared.ty,
                })))
            }));
        }
        Ok(match self.function_or_fields(owner)? {
            Member::Function(function) => {
                self.methods.insert(function.name.name.clone());
                self.templates.insert(function.name.name.clone());
                Some(Member::Template(Arc::new(Template { params, function })))
            }
            Member::Host(name) => Some(Member::Host(name)),
            Member::Declaration(declaration) if declaration.specifiers.is_static => {
                for declared in &declaration.declarators {
                    self.templates.insert(declared.name.name.clone());
                }
                let template = VariableTemplate { params, declaration };
                Some(Member::Item(Item::VariableTemplate(Arc::new(template))))
            }
            _ => return self.unsupported(span, "Templates of these members"),
        })
    }

    /// A type template in a struct, below the scope of its parameters.
    fn declare_member_type(&mut self, name: &Name) {
        self.templates.insert(name.clone());
        let enclosing = self.types.len().saturating_sub(2);
        if let Some(scope) = self.types.get_mut(enclosing) {
            scope.insert(name.clone(), true);
        }
    }

    /// Whether any struct has a member function template with this name, which can be qualified: `Base::name`.
    pub(super) fn is_method_template(&self, name: &str) -> bool {
        let own = name.rsplit_once("::").map_or(name, |(_, own)| own);
        self.methods.contains(own)
    }

    /// A class template, from `struct`; `first` is the position of its parameters.
    fn class_template(
        &mut self,
        params: Vec<TemplateParam>,
        first: usize,
        items: &mut Vec<Item>,
    ) -> Parsed<()> {
        let start = self.pos;
        let host_params = self.host_params(&params, first);
        let ahead = self.position_after_alignment();
        let name = self.peek_at(ahead).text.clone();
        let whole = self.declared_here_at_root(&name);
        self.templates.insert(whole.clone());
        if let Some(root) = self.types.first_mut() {
            root.insert(whole, true);
        }
        let head = self.head()?;
        if self.toks[start..self.pos].iter().any(|tok| tok.is("<<<")) {
            self.host_code.push(HostCode {
                start,
                end: self.pos,
                prefix: self.prefix.clone(),
                name: None,
                class: Some(name.clone()),
                params: host_params,
            });
        }
        self.expect_semicolon("the definition of a struct")?;
        // Types of the struct are visible in members that are defined outside.
        let inside = format!("{name}::");
        let inner: Vec<Name> = (self.types.last().into_iter().flatten())
            .filter(|(own, is_type)| **is_type && own.starts_with(&inside))
            .map(|(own, _)| self.declared_here_at_root(own))
            .collect();
        if let Some(root) = self.types.first_mut() {
            root.extend(inner.into_iter().map(|own| (own, true)));
        }
        items.extend(class_template_of(params, head.ty.base));
        Ok(())
    }

    /// `using name = type;` after `template <…>`.
    fn alias_template(&mut self, params: Vec<TemplateParam>, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.next().span;
        let mut declaration = self.using_alias(start)?;
        if let Some(declared) = declaration.declarators.pop() {
            let whole = self.declared_here_at_root(&declared.name.name);
            self.templates.insert(whole.clone());
            if let Some(root) = self.types.first_mut() {
                root.insert(whole, true);
            }
            items.push(Item::AliasTemplate(Arc::new(AliasTemplate {
                params,
                name: declared.name,
                ty: declared.ty,
            })));
        }
        Ok(())
    }

    /// Whether a type is defined or declared here, instead of a function that returns one.
    fn defines_type(&self) -> bool {
        let mut ahead = self.position_after_alignment();
        while self.peek_at(ahead + 1).is("::") {
            ahead += 2;
        }
        matches!(self.peek_at(ahead + 1).kind, Kind::Punct("{" | ";" | ":" | "<"))
    }

    /// The position of the struct's name after `struct alignas(…)`.
    fn position_after_alignment(&self) -> usize {
        let mut ahead = 1;
        while matches!(&*self.peek_at(ahead).text, "__align__" | "alignas") {
            let mut depth = 0u32;
            loop {
                ahead += 1;
                match self.peek_at(ahead).kind {
                    Kind::Punct("(") => depth += 1,
                    Kind::Punct(")") => depth = depth.saturating_sub(1),
                    Kind::End => return ahead,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            ahead += 1;
        }
        ahead
    }

    fn template_params(&mut self) -> Parsed<Vec<TemplateParam>> {
        self.expect("<", "after `template`")?;
        let mut params = Vec::new();
        while !self.at(">") && !self.at_end() {
            params.push(self.template_param()?);
            if params.len() as u64 > Limit::TemplateParameters.most() {
                let span = self.prev_span();
                return self.stop(Limit::TemplateParameters.exceeded(span));
            }
            if !self.accept(",") {
                break;
            }
        }
        self.close_angle("after the template parameters")?;
        Ok(params)
    }

    fn template_param(&mut self) -> Parsed<TemplateParam> {
        let tok = self.peek().clone();
        let is_type = matches!(&*tok.text, "typename" | "class")
            && matches!(
                self.peek_at(1).kind,
                Kind::Ident | Kind::Punct("," | ">" | "=" | "...")
            )
            && !self.peek_at(2).is("::");
        if tok.is_word("template") {
            self.next();
            self.enter_nesting()?;
            let num_scopes = self.types.len();
            self.types.push(BTreeMap::new());
            let inner = self.template_params();
            self.types.truncate(num_scopes);
            self.depth -= 1;
            inner?;
            self.next();
            let is_pack = self.accept("...");
            let name = if self.peek().kind == Kind::Ident {
                Some(self.ident("of a template parameter")?)
            } else {
                None
            };
            if let Some(name) = &name {
                self.declare_type(&name.name);
                self.templates.insert(name.name.clone());
            }
            self.check_pack_default(is_pack)?;
            let default = if self.accept("=") {
                Some(self.inside_angles(Self::type_name)?)
            } else {
                None
            };
            return Ok(TemplateParam {
                name,
                kind: TemplateParamKind::Template(default),
                is_pack,
                span: self.span_from(tok.span),
            });
        }
        if is_type {
            self.next();
            let is_pack = self.accept("...");
            let name = if self.peek().kind == Kind::Ident {
                Some(self.ident("of a template parameter")?)
            } else {
                None
            };
            if let Some(name) = &name {
                self.declare_type(&name.name);
            }
            self.check_pack_default(is_pack)?;
            let default = if self.accept("=") {
                Some(self.inside_angles(Self::type_name)?)
            } else {
                None
            };
            return Ok(TemplateParam {
                name,
                kind: TemplateParamKind::Type(default),
                is_pack,
                span: self.span_from(tok.span),
            });
        }
        let head = self.head()?;
        let is_pack = self.accept("...");
        let (name, mut ty) = self.declarator(&head.ty)?;
        if self.accept("(") {
            // `float f(float)`: a pointer to a function.
            ty.derived.push(Derived::Function(self.parameters()?));
        }
        if let Some(name) = &name {
            self.declare_variable(&name.name);
        }
        self.check_pack_default(is_pack)?;
        let default = if self.accept("=") {
            Some(self.inside_angles(Self::conditional)?)
        } else {
            None
        };
        Ok(TemplateParam {
            name,
            kind: TemplateParamKind::Value(ty, default),
            is_pack,
            span: self.span_from(tok.span),
        })
    }

    /// Reports a default argument of a parameter pack.
    fn check_pack_default(&mut self, is_pack: bool) -> Parsed<()> {
        if is_pack && self.at("=") {
            let span = self.peek().span;
            return self.error(span, "A parameter pack has no default argument; remove it.");
        }
        Ok(())
    }

    /// `<int, 4>`, from `<`.
    pub(super) fn template_args(&mut self) -> Parsed<Vec<TemplateArg>> {
        self.expect("<", "before the template arguments")?;
        self.enter_nesting()?;
        let mut args = Vec::new();
        while !self.at(">") && !self.at(">>") && !self.at_end() {
            let starts_type = self.at_type() && !self.peek_at(1).is("(") && !self.peek_at(1).is("{");
            let ty = if starts_type || self.peek().is_word("decltype") {
                self.type_argument()
            } else {
                self.unknown_type_argument()
            };
            let arg = if let Some(ty) = ty {
                TemplateArg::Type(ty)
            } else {
                TemplateArg::Value(self.inside_angles(Self::conditional)?)
            };
            let arg = if self.accept("...") {
                TemplateArg::Expansion(Box::new(arg))
            } else {
                arg
            };
            args.push(arg);
            if !self.accept(",") {
                break;
            }
        }
        self.depth = self.depth.saturating_sub(1);
        self.close_angle("after the template arguments")?;
        Ok(args)
    }

    /// `std::vector<T>` and other instances of unknown templates, which matter only if a kernel uses them.
    fn unknown_type_argument(&mut self) -> Option<TypeName> {
        let mut ahead = 0;
        while self.peek_at(ahead).kind == Kind::Ident && self.peek_at(ahead + 1).is("::") {
            ahead += 2;
        }
        let is_unknown = ahead > 0
            && self.peek_at(ahead).kind == Kind::Ident
            && !is_reserved(&self.peek_at(ahead).text)
            && self.peek_at(ahead + 1).is("<");
        if !is_unknown {
            return None;
        }
        let (start, span) = (self.pos, self.peek().span);
        let name = self.path("of a type").ok()?;
        if self.is_template_name(&name.name) {
            self.pos = start;
            return None;
        }
        let mut depth = 0u32;
        for _ in 0..64 {
            let tok = self.next();
            match tok.kind {
                Kind::Punct("<") => depth += 1,
                Kind::Punct(">") => depth = depth.saturating_sub(1),
                Kind::Punct(">>") if depth >= 2 => depth -= 2,
                Kind::Punct(">>") => {
                    self.pos -= 1;
                    self.close_angle("here").ok()?;
                    depth = 0;
                }
                Kind::Punct(";" | "{" | "}") | Kind::End => break,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        let ends = matches!(self.peek().kind, Kind::Punct("," | ">" | ">>" | "*" | "&"));
        if depth != 0 || !ends {
            self.pos = start;
            return None;
        }
        let base = TypeName {
            base: BaseType::Named(name),
            ..TypeName::known(crate::hir::Type::Void, self.span_from(span))
        };
        self.declarator(&base).ok().map(|(_, ty)| ty)
    }

    /// A type argument. Consumes nothing if the argument is a value: `Trait<T>::value + 1`.
    fn type_argument(&mut self) -> Option<TypeName> {
        let (start, num_diagnostics, depth) = (self.pos, self.diagnostics.len(), self.depth);
        let toks = self.toks[self.pos..].iter().take(64).cloned().collect::<Vec<_>>();
        let ty = self.inside_angles(Self::type_name);
        if let Ok(ty) = ty
            && matches!(self.peek().kind, Kind::Punct("," | ">" | ">>" | "..."))
        {
            return Some(ty);
        }
        // A `>>` can have been split.
        if self.fatal.is_none() {
            for (own, tok) in self.toks[start..].iter_mut().zip(toks) {
                *own = tok;
            }
        }
        (self.pos, self.depth) = (start, depth);
        self.diagnostics.truncate(num_diagnostics);
        None
    }

    /// Consumes a `>`, which can be the first half of `>>`.
    fn close_angle(&mut self, context: &str) -> Parsed<()> {
        if self.at(">>") {
            let tok = &mut self.toks[self.pos];
            tok.kind = Kind::Punct(">");
            tok.text = ">".into();
            tok.span.start += 1;
            tok.span.column += 1;
            return Ok(());
        }
        self.expect(">", context).map(|_| ())
    }

    fn inside_angles<T>(&mut self, parse: fn(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.in_angles, true);
        let result = parse(self);
        self.in_angles = outer;
        result
    }

    /// Inside brackets, `>` is an operator again.
    pub(super) fn outside_angles<T>(&mut self, parse: fn(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.in_angles, false);
        let result = parse(self);
        self.in_angles = outer;
        result
    }

    /// `template __global__ void f<int>(int *);`, after `template`.
    fn instance(&mut self) -> Parsed<Instance> {
        let head = self.head()?;
        let (name, _) = self.item_declarator(&head.ty)?;
        let args = if self.at("<") {
            self.template_args()?
        } else {
            Vec::new()
        };
        self.skip_declaration();
        Ok(Instance {
            name,
            args,
            origin: InstanceOrigin::Source,
        })
    }

    /// The instance that these tokens name: `name<args>`.
    pub(super) fn wanted_instance(&mut self, (toks, origin): Wanted) -> Option<Item> {
        let num_diagnostics = self.diagnostics.len();
        (self.toks, self.pos) = (toks, 0);
        let name = self.path("of a kernel").ok()?;
        let args = self.at("<").then(|| self.template_args().ok()).flatten();
        self.diagnostics.truncate(num_diagnostics);
        Some(Item::Instance(Instance {
            name,
            args: args?,
            origin,
        }))
    }
}

/// A class template, from after its parameters.
fn class_template_of(params: Vec<TemplateParam>, base: BaseType) -> Option<Item> {
    let (args, def) = match base {
        BaseType::Elaborated(name) => {
            let def = StructDef {
                is_polymorphic: false,
                used: Vec::new(),
                name: Some(name),
                args: Vec::new(),
                bases: Vec::new(),
                members: Vec::new(),
                align: None,
                is_union: false,
                is_forward: true,
                private: Vec::new(),
                unsupported: false,
                deferred: Vec::new(),
                is_of_host: false,
            };
            (Vec::new(), Arc::new(def))
        }
        BaseType::Struct(def) => (def.args.clone(), def),
        _ => return None,
    };
    Some(Item::ClassTemplate(Arc::new(ClassTemplate { params, args, def })))
}
