//! Declarators: the declared name, the steps from the base type to its type, and the initializer.

use super::*;

/// Maximum number of `*`, `&`, and `[]` in one declaration; typedefs can add further levels.
const MAX_STEPS: usize = 16;

impl Parser {
    /// A declarator: pointers, a name, and arrays, which derive the declared type from the base type. The name is
    /// `None` in an abstract declarator.
    pub(in crate::parse) fn declarator(&mut self, base: &TypeName) -> Parsed<(Option<Ident>, TypeName)> {
        let mut derived = Vec::new();
        self.owner_args.clear();
        let name = self.declarator_steps(&mut derived, 0)?;
        if derived.len() > MAX_STEPS {
            let span = self.prev_span();
            return self.error(span, "This type has too many `*` and `[]`.");
        }
        let mut ty = base.clone();
        ty.derived.extend(derived);
        Ok((name, ty))
    }

    fn declarator_steps(&mut self, out: &mut Vec<Derived>, depth: u32) -> Parsed<Option<Ident>> {
        if depth > MAX_DEPTH / 4 {
            let span = self.peek().span;
            return self.stop(Diagnostic::error(span, "This declaration is nested too deeply."));
        }
        loop {
            let tok = self.peek().clone();
            match tok.kind {
                Kind::Punct("*") => {
                    self.next();
                    let (mut is_const, mut is_volatile, mut restrict) = (false, false, false);
                    loop {
                        match &*self.peek().text {
                            "const" => is_const = true,
                            "volatile" => is_volatile = true,
                            "__restrict__" | "__restrict" | "restrict" => restrict = true,
                            _ => break,
                        }
                        self.next();
                    }
                    out.push(Derived::Pointer {
                        is_const,
                        is_volatile,
                        restrict,
                    });
                }
                Kind::Punct("&") => {
                    self.next();
                    self.accept_word("__restrict__");
                    out.push(Derived::Reference);
                }
                Kind::Punct("&&") => {
                    self.next();
                    self.accept_word("__restrict__");
                    out.push(Derived::RvalueReference);
                }
                _ => break,
            }
        }
        while matches!(
            &*self.peek().text,
            "__device__" | "__host__" | "__forceinline__" | "__inline__" | "inline"
        ) {
            self.has_late_device |= self.next().is_word("__device__");
        }
        if self.takes_pack && self.accept("...") {
            self.has_pack = true;
        }
        let mut inner = Vec::new();
        let mut name = None;
        let opens_inner = self.at("(") && matches!(self.peek_at(1).kind, Kind::Punct("*" | "&"));
        // `int P::*m`, `int (P::*f)(int)`
        let first = usize::from(self.at("("));
        if self.peek_at(first).kind == Kind::Ident
            && self.peek_at(first + 1).is("::")
            && self.peek_at(first + 2).is("*")
        {
            let span = self.peek().span;
            return self.unsupported(span, "Pointers to members");
        }
        if opens_inner {
            self.next();
            name = self.declarator_steps(&mut inner, depth + 1)?;
            self.expect(")", "in this declaration")?;
            if self.accept("(") {
                out.push(Derived::Function(self.parameters()?));
                self.accept_word("noexcept");
                // A reference to a function is equivalent to a pointer.
                for step in &mut inner {
                    if matches!(step, Derived::Reference) {
                        *step = Derived::Pointer {
                            is_const: true,
                            is_volatile: false,
                            restrict: false,
                        };
                    }
                }
            }
        } else if self.peek().kind == Kind::Ident && !is_reserved(&self.peek().text) {
            name = Some(self.declared_path()?);
        }
        let mut arrays = Vec::new();
        while self.at("[") && !self.peek_at(1).is("[") {
            self.next();
            let extent = if self.at("]") {
                None
            } else {
                Some(Box::new(self.conditional()?))
            };
            self.expect("]", "after the array's size")?;
            arrays.push(Derived::Array(extent));
        }
        while self.peek().is_word("__attribute__") || (self.at("[") && self.peek_at(1).is("[")) {
            self.accept_word("__attribute__");
            self.skip_balanced();
        }
        out.extend(arrays.into_iter().rev());
        out.extend(inner);
        Ok(name)
    }

    /// The declared name, which can be a member: `Name::member`, `Name<T>::operator+`. Template arguments of a struct
    /// are dropped, because they are the parameters of the enclosing template.
    fn declared_path(&mut self) -> Parsed<Ident> {
        let start = self.peek().span;
        let mut whole = String::new();
        loop {
            if !whole.is_empty() && self.peek().is_word("operator") {
                whole.push_str(&self.operator_name()?.name);
                break;
            }
            let part = self.ident("to declare")?;
            let is_std = whole.is_empty() && &*part.name == "std";
            if self.at("<") && self.is_member_after_angles() {
                self.read_owner_args();
            }
            if !is_std || !self.at("::") {
                whole.push_str(&part.name);
            }
            if !(self.at("::") && self.peek_at(1).kind == Kind::Ident) {
                break;
            }
            self.next();
            if !whole.is_empty() {
                whole.push_str("::");
            }
        }
        Ok(Ident {
            name: whole.into(),
            span: self.span_from(start),
        })
    }

    /// Whether `(` follows the template arguments that open here.
    pub(super) fn is_call_after_angles(&mut self) -> bool {
        let start = self.pos;
        if self.at("<") {
            self.skip_angles();
        }
        let found = self.pos > start && self.at("(");
        self.pos = start;
        found
    }

    /// Parses the template arguments of the struct whose member is declared.
    fn read_owner_args(&mut self) {
        let (start, num_diagnostics, depth) = (self.pos, self.diagnostics.len(), self.depth);
        let end = {
            self.skip_angles();
            std::mem::replace(&mut self.pos, start)
        };
        self.owner_args = self.template_args().unwrap_or_default();
        self.diagnostics.truncate(num_diagnostics);
        (self.pos, self.depth) = (end, depth);
    }

    /// Whether `::` follows the template arguments that open here.
    fn is_member_after_angles(&mut self) -> bool {
        let start = self.pos;
        self.skip_angles();
        let found = self.at("::");
        self.pos = start;
        found
    }

    /// The head and the name of a constructor that is defined outside its struct: `Name::Name(`.
    pub(in crate::parse) fn outer_constructor(&mut self) -> Parsed<Option<(Head, Ident)>> {
        let start = self.pos;
        let first = self.peek().span;
        let mut specifiers = Specifiers::default();
        while self.peek().kind == Kind::Ident && is_specifier(&self.peek().text) {
            self.specifier(&mut specifiers)?;
        }
        let mut path: Vec<Name> = Vec::new();
        while self.peek().kind == Kind::Ident && !is_reserved(&self.peek().text) {
            path.push(self.next().text);
            if self.at("<") {
                self.read_owner_args();
            }
            if !self.accept("::") {
                break;
            }
        }
        let is_destructor = !path.is_empty() && self.at("~") && path.last() == Some(&self.peek_at(1).text);
        if is_destructor {
            self.next();
            path.push(self.next().text);
        }
        let is_constructor = self.at("(") && path.len() > 1 && path[path.len() - 1] == path[path.len() - 2];
        if !is_constructor {
            self.pos = start;
            return Ok(None);
        }
        let span = self.prev_span();
        path.pop();
        let name = Ident {
            name: format!(
                "{}::{}",
                path.join("::"),
                if is_destructor { DESTRUCTOR } else { CONSTRUCTOR }
            )
            .into(),
            span,
        };
        let ty = TypeName::known(Type::Void, span);
        let span = self.span_from(first);
        Ok(Some((Head { specifiers, ty, span }, name)))
    }

    /// The declarators after a declaration head, through the `;`.
    pub(in crate::parse) fn declarators(
        &mut self,
        head: Head,
        first: Option<(Ident, TypeName)>,
    ) -> Parsed<Declaration> {
        let declarators = self.declarators_of(&head, first)?;
        if let [before, minus, after] = &self.toks[self.pos - 1..(self.pos + 2).min(self.toks.len())]
            && minus.is("-")
            && before.kind == Kind::Ident
            && after.kind == Kind::Ident
        {
            let message = format!(
                "A name has letters, digits, and `_`: write `{}_{}`.",
                before.text, after.text
            );
            let span = before.span;
            return self.error(span, message);
        }
        self.expect_semicolon("the declaration")?;
        Ok(Declaration {
            specifiers: head.specifiers,
            ty: head.ty,
            declarators,
            span: self.span_from(head.span),
        })
    }

    /// The declarators after a declaration head, up to the `;`.
    pub(in crate::parse) fn declarators_of(
        &mut self,
        head: &Head,
        first: Option<(Ident, TypeName)>,
    ) -> Parsed<Vec<Declarator>> {
        let mut declarators = Vec::new();
        let mut next = first;
        if next.is_some() || !self.at(";") {
            loop {
                let (name, mut ty) = match next.take() {
                    Some(first) => first,
                    // `int : 3;`
                    None if self.at(":") && self.num_structs > 0 => self.unnamed_declarator(&head.ty),
                    None => self.named_declarator(&head.ty)?,
                };
                if head.specifiers.is_typedef && self.accept("(") {
                    // `typedef float function(float);`
                    ty.derived.push(Derived::Function(self.parameters()?));
                }
                if head.specifiers.is_typedef {
                    self.declare_type(&name.name);
                } else {
                    self.declare_variable(&name.name);
                }
                let bits = if self.accept(":") {
                    Some(Box::new(self.conditional()?))
                } else {
                    None
                };
                let init = self.initializer()?;
                declarators.push(Declarator { name, ty, init, bits });
                if !self.accept(",") {
                    break;
                }
            }
        }
        split_shared_struct(&mut declarators);
        Ok(declarators)
    }

    /// The declarator of an unnamed bit-field.
    fn unnamed_declarator(&self, base: &TypeName) -> (Ident, TypeName) {
        let name = Ident {
            name: "".into(),
            span: self.peek().span,
        };
        (name, base.clone())
    }

    pub(in crate::parse) fn named_declarator(&mut self, base: &TypeName) -> Parsed<(Ident, TypeName)> {
        let (name, ty) = self.declarator(base)?;
        Ok((self.declared_name(name)?, ty))
    }

    /// The name of a declarator that requires a name.
    pub(in crate::parse) fn declared_name(&mut self, name: Option<Ident>) -> Parsed<Ident> {
        if let Some(name) = name {
            Ok(name)
        } else {
            let tok = self.peek().clone();
            let prev = self.toks[self.pos.saturating_sub(1)].clone();
            let message = if prev.is("]") && tok.kind == Kind::Ident {
                format!(
                    "The size of an array is written after its name: `{}[…]`.",
                    tok.text
                )
            } else if tok.is("(") && prev.kind == Kind::Ident && !self.is_type_name(&prev.text) {
                let message = format!(
                    "The function `{}` has no return type; write `void` or another type before it.",
                    prev.text
                );
                return self.error(prev.span, message);
            } else {
                self.not_a_name_message(&tok, "to declare")
            };
            self.error(tok.span, message)
        }
    }

    fn initializer(&mut self) -> Parsed<Option<Initializer>> {
        if self.accept("=") {
            let value = if self.at("{") {
                self.list()?
            } else {
                self.assignment()?
            };
            return Ok(Some(Initializer::Value(value)));
        }
        if self.at("{") {
            return Ok(Some(Initializer::Value(self.list()?)));
        }
        if self.accept("(") {
            let args = self.arguments()?;
            return Ok(Some(Initializer::Constructor(args)));
        }
        Ok(None)
    }
}

/// Splits `struct { … } a, *b;`: the first declarator defines the struct, the others name it.
fn split_shared_struct(declarators: &mut [Declarator]) {
    let [first, others @ ..] = declarators else { return };
    if others.is_empty() {
        return;
    }
    // An unnamed type gets a name that no source can write.
    let unnamed = Ident {
        name: format!("(unnamed {})", first.name.name).into(),
        span: first.ty.span,
    };
    let name = match &mut first.ty.base {
        BaseType::Struct(def) => {
            if let Some(name) = &def.name {
                name.clone()
            } else {
                Arc::make_mut(def).name = Some(unnamed.clone());
                unnamed
            }
        }
        BaseType::Enum(def) => def.name.get_or_insert(unnamed).clone(),
        _ => return,
    };
    for other in others {
        other.ty.base = BaseType::Named(name.clone());
    }
}
