//! Structs and unions: base classes and members.

use super::*;

impl Parser {
    pub(super) fn struct_type(&mut self, is_union: bool) -> Parsed<BaseType> {
        let is_class = self.toks[self.pos.saturating_sub(1)].is_word("class");
        let align = self.struct_alignment()?;
        let name = if self.peek().kind == Kind::Ident {
            Some(if self.peek_at(1).is("::") {
                self.path("of a struct")?
            } else {
                self.ident("of a struct")?
            })
        } else {
            None
        };
        if let Some(name) = &name {
            self.declare_type(&name.name);
        }
        let args = match &name {
            Some(_) if self.at("<") => self.template_args()?,
            _ => Vec::new(),
        };
        let num_diagnostics = self.diagnostics.len();
        if matches!(self.peek_at(1).kind, Kind::Punct("{" | ":")) {
            self.accept_word("final");
        }
        let mut bases = Vec::new();
        let mut unsupported = false;
        if self.at(":") {
            match self.base_classes() {
                Ok(types) => bases = types,
                Err(reported) => {
                    while !self.at("{") && !self.at(";") && !self.at_end() {
                        self.next();
                    }
                    if !self.at("{") {
                        return Err(reported);
                    }
                    unsupported = true;
                }
            }
        }
        if !self.at("{") {
            return self.struct_without_body(name, args);
        }
        self.next();
        // A struct in a struct takes more calls than other constructs.
        self.enter_nesting()?;
        self.enter_nesting()?;
        let start = self.pos;
        let outer = std::mem::take(&mut self.has_virtual);
        let result = self.struct_scope(name.as_ref(), unsupported, is_class);
        let is_polymorphic = std::mem::replace(&mut self.has_virtual, outer);
        self.depth = self.depth.saturating_sub(2);
        let (members, unsupported) = result?;
        // Access through friends is not modeled.
        let has_friends = self.toks[start..self.pos].iter().any(|tok| tok.is_word("friend"));
        let private = std::mem::take(&mut self.private_members);
        let private = if has_friends { Vec::new() } else { private };
        let used = self.names_used(start, self.pos);
        // An extended lambda that no kernel uses has no errors: the host's libraries take it.
        let is_lambda = name
            .as_ref()
            .is_some_and(|name| name.name.starts_with(crate::extended_lambdas::PREFIX));
        let is_of_host = is_lambda || !self.has_device_word(start, self.pos);
        let deferred = if unsupported && is_of_host && name.is_some() {
            self.diagnostics
                .split_off(num_diagnostics.min(self.diagnostics.len()))
        } else {
            Vec::new()
        };
        if unsupported && name.is_some() {
            self.mark_contained(num_diagnostics);
        }
        Ok(BaseType::Struct(Arc::new(StructDef {
            name,
            args,
            bases,
            is_polymorphic,
            used,
            members,
            align,
            is_union,
            is_forward: false,
            private,
            unsupported,
            deferred,
            is_of_host,
        })))
    }

    /// The alignment in the attributes between `struct` and the name.
    fn struct_alignment(&mut self) -> Parsed<Option<Expr>> {
        let mut align = None;
        loop {
            if self.at("[") && self.peek_at(1).is("[") {
                self.skip_balanced();
                continue;
            }
            if !matches!(
                &*self.peek().text,
                "__align__" | "alignas" | "__attribute__" | "__builtin_align__"
            ) {
                break;
            }
            let mut specifiers = Specifiers::default();
            self.specifier(&mut specifiers)?;
            align = specifiers.align.or(align);
        }
        Ok(align)
    }

    /// The type of `struct Name` or `struct Name<args>` without a body.
    fn struct_without_body(&mut self, name: Option<Ident>, args: Vec<TemplateArg>) -> Parsed<BaseType> {
        match name {
            Some(name) if !args.is_empty() => Ok(BaseType::Instance {
                name,
                args,
                member: None,
            }),
            Some(name) => Ok(BaseType::Elaborated(name)),
            None => {
                let span = self.peek().span;
                self.error(span, "Expected a name or `{` after `struct`.")
            }
        }
    }

    /// The last names of `using Base::name;` and `using Bases::name...;` in a token range.
    fn names_used(&self, start: usize, end: usize) -> Vec<Name> {
        let statements =
            self.toks[start..end].split(|tok| matches!(tok.kind, Kind::Punct(";" | "{" | "}" | ":")));
        let names = statements.filter_map(|toks| {
            let (first, path) = toks.split_first()?;
            let last = path.iter().rposition(|tok| tok.is("::"))?;
            let name = path[last + 1..].iter().filter(|tok| !tok.is("..."));
            let is_alias = path.iter().any(|tok| tok.is("="));
            let has_name = first.is_word("using") && !is_alias;
            has_name.then(|| name.map(|tok| &*tok.text).collect::<String>().into())
        });
        names.collect()
    }

    /// `: public Base, Other`, from the colon.
    fn base_classes(&mut self) -> Parsed<Vec<TemplateArg>> {
        self.next();
        let mut bases = Vec::new();
        loop {
            while matches!(&*self.peek().text, "public" | "private" | "protected" | "virtual") {
                let tok = self.next();
                if tok.is_word("virtual") {
                    return self.unsupported(tok.span, "Virtual base classes");
                }
            }
            self.enter_nesting()?;
            let base = TemplateArg::Type(self.head()?.ty);
            self.depth = self.depth.saturating_sub(1);
            bases.push(if self.accept("...") {
                TemplateArg::Expansion(Box::new(base))
            } else {
                base
            });
            if !self.accept(",") {
                return Ok(bases);
            }
        }
    }

    /// The members of a struct. The types of the struct are visible inside, and outside as `Name::type`.
    fn struct_scope(
        &mut self,
        name: Option<&Ident>,
        unsupported: bool,
        is_class: bool,
    ) -> Parsed<(Vec<Member>, bool)> {
        let num_scopes = self.types.len();
        self.types.push(BTreeMap::new());
        self.num_structs += 1;
        let result = self.struct_body(name, unsupported, is_class);
        self.num_structs -= 1;
        let inner = self.types.get(num_scopes).cloned().unwrap_or_default();
        self.types.truncate(num_scopes);
        if let Some(name) = name {
            for (own, is_type) in inner {
                if is_type {
                    if self.templates.contains(&own) {
                        let whole = self.declared_here_at_root(&format!("{}::{own}", name.name));
                        self.templates.insert(whole);
                    }
                    self.declare_type(&format!("{}::{own}", name.name).into());
                }
            }
        }
        result
    }

    /// The members, and whether any of them has an error.
    fn struct_body(
        &mut self,
        name: Option<&Ident>,
        mut unsupported: bool,
        mut is_private: bool,
    ) -> Parsed<(Vec<Member>, bool)> {
        let mut members = Vec::new();
        let mut private = Vec::new();
        while !self.at("}") && !self.at_end() {
            let access = matches!(&*self.peek().text, "public" | "private" | "protected");
            if access && self.peek_at(1).is(":") {
                is_private = self.next().is_word("private");
                self.next();
                continue;
            }
            if self.accept(";") {
                continue;
            }
            let (before, num_diagnostics) = (self.pos, self.diagnostics.len());
            let num_members = members.len();
            if self.member(name, &mut members).is_err() {
                let here = self.pos;
                self.pos = before;
                if let Some(host) = self.skip_host_member() {
                    self.diagnostics.truncate(num_diagnostics);
                    members.push(Member::Host(host));
                } else {
                    self.pos = here;
                    unsupported = true;
                    self.skip_statement();
                }
            }
            if is_private {
                private.extend(members[num_members..].iter().flat_map(names_of_member));
            }
            if self.pos == before {
                self.next();
            }
        }
        self.expect("}", "after the members")?;
        self.private_members = private;
        Ok((members, unsupported))
    }

    /// Skips a host function in a struct, from its start. Returns `None` for anything else.
    fn skip_host_member(&mut self) -> Option<Ident> {
        let start = self.pos;
        let mut name = None;
        for ahead in 0.. {
            let (tok, next) = (self.peek_at(ahead), self.peek_at(ahead + 1));
            match tok.kind {
                // `static_assert(…)`, `alignas(…)`: not functions.
                _ if matches!(&*tok.text, "static_assert" | "_Static_assert" | "alignas") => return None,
                Kind::Ident if next.is("(") || tok.is_word("operator") => {
                    name = Some(Ident {
                        name: tok.text.clone(),
                        span: tok.span,
                    });
                    break;
                }
                Kind::End | Kind::Punct(";" | "{" | "=" | "}") => return None,
                _ => {}
            }
        }
        self.skip_declaration();
        if self.has_device_word(start, self.pos) {
            return None;
        }
        name
    }

    pub(super) fn member(&mut self, owner: Option<&Ident>, members: &mut Vec<Member>) -> Parsed<()> {
        let tok = self.peek().clone();
        match &*tok.text {
            "static_assert" | "_Static_assert" => {
                members.push(Member::StaticAssert(self.static_assert()?));
                return Ok(());
            }
            "template" => {
                let template = self.member_template(owner)?;
                members.extend(template);
                return Ok(());
            }
            "using" => {
                self.next();
                if self.accept_word("enum") {
                    let name = self.using_enum()?;
                    members.push(Member::Item(Item::UsingEnum(name)));
                } else if self.peek_at(1).is("=") {
                    members.push(Member::Declaration(self.using_alias(tok.span)?));
                } else {
                    // `using Base::member;`: the member is visible in any case.
                    self.skip_statement();
                }
                return Ok(());
            }
            "friend" if matches!(&*self.peek_at(1).text, "class" | "struct") => {
                self.skip_statement();
                return Ok(());
            }
            _ => {}
        }
        members.push(match self.function_or_fields(owner)? {
            Member::Function(function) if function.specifiers.is_friend => Member::Friend(function),
            member => member,
        });
        Ok(())
    }

    /// A member function, a constructor, or fields.
    pub(in crate::parse) fn function_or_fields(&mut self, owner: Option<&Ident>) -> Parsed<Member> {
        let start = self.peek().span;
        let mut specifiers = Specifiers::default();
        while self.peek().kind == Kind::Ident && is_specifier(&self.peek().text) {
            self.specifier(&mut specifiers)?;
        }
        let tok = self.peek().clone();
        if tok.is("~") {
            return self.destructor(specifiers, start);
        }
        let is_owner = owner.is_some_and(|owner| owner.name == tok.text);
        if is_owner && self.peek_at(1).is("(") {
            self.next();
            let name = Ident {
                name: CONSTRUCTOR.into(),
                span: tok.span,
            };
            let nothing = TypeName::known(Type::Void, tok.span);
            let head = Head {
                specifiers,
                ty: nothing.clone(),
                span: start,
            };
            return self.member_function(head, name, nothing);
        }
        if tok.is_word("operator") {
            return self.conversion(specifiers, start);
        }
        let mut head = self.head_after(specifiers)?;
        head.span = self.span_from(start);
        if self.at(";") || self.at(":") {
            return Ok(Member::Declaration(self.declarators(head, None)?));
        }
        let (name, ty) = self.item_declarator(&head.ty)?;
        let is_function = is_void(&ty) || name.name.starts_with("operator") || self.opens_parameters();
        if self.at("(") && is_function {
            return self.member_function(head, name, ty);
        }
        Ok(Member::Declaration(self.declarators(head, Some((name, ty)))?))
    }

    /// `operator type()`, from `operator`.
    fn conversion(&mut self, specifiers: Specifiers, start: Span) -> Parsed<Member> {
        let first = self.next().span;
        // Compare tokens, because all code of a header has the span of its directive.
        let start_of_type = self.pos;
        let ty = self.type_name()?;
        let words: Vec<&str> = (self.toks[start_of_type..self.pos].iter())
            .map(|tok| &*tok.text)
            .collect();
        let name = Ident {
            name: format!("{CONVERSION}{}", words.join(" ")).into(),
            span: self.span_from(first),
        };
        let head = Head {
            specifiers,
            ty: ty.clone(),
            span: self.span_from(start),
        };
        self.member_function(head, name, ty)
    }

    fn member_function(&mut self, head: Head, name: Ident, ret: TypeName) -> Parsed<Member> {
        if head.specifiers.global.is_some() {
            let message = format!(
                "A kernel cannot be a member of a struct; declare `{}` outside.",
                name.name
            );
            let span = name.span;
            self.diagnostics.push(Diagnostic::error(span, message));
        }
        let of_device = head.specifiers.device || head.specifiers.is_constexpr;
        let start = self.pos;
        if !of_device && !self.is_defaulted_ahead() {
            self.skip_declaration();
            return Ok(Member::Host(name));
        }
        debug_assert!(self.pos == start, "only looked ahead");
        Ok(Member::Function(Arc::new(self.function(head, name, ret)?)))
    }

    /// Whether `= default` follows the parameters that open here.
    fn is_defaulted_ahead(&self) -> bool {
        let mut depth = 0u32;
        for ahead in 0.. {
            let tok = self.peek_at(ahead);
            match tok.kind {
                Kind::Punct("(") => depth += 1,
                Kind::Punct(")") => depth = depth.saturating_sub(1),
                Kind::Punct("=") if depth == 0 => {
                    return matches!(&*self.peek_at(ahead + 1).text, "default" | "delete");
                }
                Kind::End | Kind::Punct(";" | "{" | "}") if depth == 0 => return false,
                Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// `~Name() { … }`. An empty or host-only destructor is ignored.
    fn destructor(&mut self, specifiers: Specifiers, start: Span) -> Parsed<Member> {
        let tok = self.next();
        let name = self.ident("of a destructor")?;
        let before = self.pos;
        self.skip_balanced();
        while self.peek().kind == Kind::Ident {
            self.next();
        }
        let is_trivial = self.at("=") || (self.at("{") && self.peek_at(1).is("}"));
        if (is_trivial && !specifiers.is_virtual) || !(specifiers.device || specifiers.is_constexpr) {
            self.skip_declaration();
            return Ok(Member::Host(name));
        }
        self.pos = before;
        let nothing = TypeName::known(Type::Void, tok.span);
        let head = Head {
            specifiers,
            ty: nothing.clone(),
            span: start,
        };
        let name = Ident {
            name: DESTRUCTOR.into(),
            span: join(tok.span, name.span),
        };
        Ok(Member::Function(Arc::new(self.function(head, name, nothing)?)))
    }
}

/// The variables and functions that a member declares.
fn names_of_member(member: &Member) -> Vec<Name> {
    match member {
        Member::Declaration(declaration) => {
            let declarators = declaration.declarators.iter();
            declarators
                .map(|declarator| declarator.name.name.clone())
                .collect()
        }
        Member::Function(function) => vec![function.name.name.clone()],
        _ => Vec::new(),
    }
}
