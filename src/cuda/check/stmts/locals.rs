//! Declarations of local variables and their initialization.

use super::*;

impl Checker {
    pub(super) fn local_declaration(&mut self, declaration: &Declaration, out: &mut Vec<Stmt>) {
        if declaration.declarators.is_empty() {
            let unnamed = match &declaration.ty.base {
                ast::BaseType::Struct(def) => def.name.is_none() && def.is_union,
                _ => false,
            };
            if unnamed {
                let _ = self.unnamed_union(declaration, out);
            } else {
                let _ = self.resolve(&declaration.ty, None);
            }
            return;
        }
        for declarator in &declaration.declarators {
            if self.local_variable(declaration, declarator, out).is_err()
                && !self
                    .body
                    .scopes
                    .last()
                    .is_some_and(|scope| scope.contains_key(&declarator.name.name))
            {
                self.declare(&declarator.name, Symbol::Poison);
            }
        }
    }

    /// A union without a name: a variable, whose members have names of their own.
    fn unnamed_union(&mut self, declaration: &Declaration, out: &mut Vec<Stmt>) -> Checks<()> {
        let span = declaration.span;
        let whole = ast::Ident {
            name: format!("(union at {})", span.start).into(),
            span,
        };
        let declarator = Declarator {
            name: whole.clone(),
            ty: declaration.ty.clone(),
            init: None,
            bits: None,
        };
        self.local_variable(declaration, &declarator, out)?;
        let symbol = self.lookup(&whole.name).cloned();
        let Some(object) = symbol.and_then(|symbol| self.variable(&symbol, span)) else {
            return Err(Reported);
        };
        for name in self.field_names(&object.place.ty) {
            let field = self.field(Operand::Place(object.clone()), &name, span);
            let name = ast::Ident {
                name: name.as_str().into(),
                span,
            };
            match field {
                Some(Operand::Place(part)) => self.declare(&name, Symbol::Part(Box::new(part))),
                Some(Operand::Bits(bits)) => {
                    self.bit_field_names.insert(name.name.clone());
                    self.declare(&name, Symbol::Bits(bits));
                }
                _ => self.declare(&name, Symbol::Poison),
            }
        }
        Ok(())
    }

    fn local_variable(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let specifiers = &declaration.specifiers;
        let deduced = self.deduced_class(declarator)?;
        let declarator = deduced.as_ref().unwrap_or(declarator);
        let name = &declarator.name;
        let auto_ty = self.auto_type(declarator)?;
        let is_auto_const = auto_ty.as_ref().is_some_and(|(_, is_const)| *is_const);
        let mut resolved = self.resolve(&declarator.ty, auto_ty.as_ref().map(|(ty, _)| ty))?;
        resolved.is_const |= is_auto_const;
        if specifiers.is_typedef {
            self.declare(
                name,
                Symbol::Type {
                    reference: resolved.reference(),
                    ty: resolved.ty,
                    is_const: resolved.is_const,
                },
            );
            return Ok(());
        }
        if resolved.ty == Type::Void {
            return self.error(name.span, "A variable cannot be void.");
        }
        if !self.is_complete(&resolved.ty) {
            let text = self.text(&resolved.ty);
            return self.error(name.span, format!("`{text}` is declared, but not defined here."));
        }
        if (specifiers.constant || specifiers.device) && !specifiers.is_static {
            return self.error(
                name.span,
                "`__constant__` and `__device__` variables are declared outside functions.",
            );
        }
        if specifiers.shared.is_some() {
            return self.shared_variable(specifiers, declarator, resolved);
        }
        let full_name = name.name.to_string();
        let is_known = matches!(resolved.ty, Type::Array(..)) || resolved.ty.is_aggregate();
        if resolved.is_const
            && (specifiers.is_static || (specifiers.is_constexpr && is_known))
            && !resolved.is_ref
        {
            return self.constant_variable(declaration, declarator, resolved, full_name);
        }
        if specifiers.is_static {
            return self
                .global(specifiers, declarator, resolved, full_name)
                .map(|_| ());
        }
        if specifiers.is_extern {
            return self.error(
                name.span,
                "`extern` in a kernel is only allowed for `__shared__` arrays.",
            );
        }
        self.automatic(specifiers, declarator, resolved, out)
    }

    /// The type that replaces `auto`, and whether a reference to const requires it to be const.
    fn auto_type(&mut self, declarator: &Declarator) -> Checks<Option<(Type, bool)>> {
        if !matches!(declarator.ty.base, ast::BaseType::Auto) {
            return Ok(None);
        }
        match &declarator.init {
            Some(Initializer::Value(value)) if !matches!(value.kind, ast::ExprKind::List(_)) => {
                let operand = self.operand(value)?;
                let is_ref = declarator
                    .ty
                    .derived
                    .iter()
                    .any(|step| matches!(step, ast::Derived::Reference | ast::Derived::RvalueReference));
                if is_ref {
                    let is_const = match &operand {
                        Operand::Place(lvalue) => lvalue.is_const && !self.is_constant_memory(&lvalue.place),
                        Operand::Computed { is_const, .. } => *is_const,
                        Operand::Bits(bits) => bits.is_const,
                        Operand::Value(_) => false,
                    };
                    return Ok(Some((ops::operand_type(&operand).clone(), is_const)));
                }
                let mut ty = self.rvalue(operand)?.ty;
                if let Type::Pointer(pointer) = &mut ty {
                    pointer.restrict = false;
                }
                Ok(Some((ty, false)))
            }
            _ => Ok(None),
        }
    }

    fn shared_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: Resolved,
    ) -> Checks<()> {
        let name = &declarator.name;
        if resolved.is_ref {
            return self.error(name.span, "A `__shared__` variable cannot be a reference.");
        }
        if declarator.init.is_some() {
            let _ = self.shared_init::<()>(name.span);
        }
        if resolved.open_array && !specifiers.is_extern {
            return self.error(
                name.span,
                "This shared array needs a size; with `extern __shared__`, the launch sets the size.",
            );
        }
        let storage = if specifiers.is_extern {
            Storage::DynamicShared
        } else {
            Storage::Shared
        };
        let align = match &specifiers.align {
            Some(wanted) => self.alignment(wanted)?,
            None => 1,
        };
        let ty = resolved.ty;
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(Local {
            name: name.name.to_string(),
            c_type: self.text(&ty),
            align: self.align_of(&ty).max(align),
            ty,
            storage,
            address_taken: false,
            is_volatile: resolved.is_volatile,
            span: name.span,
        });
        let symbol = Symbol::Local {
            id,
            is_ref: false,
            is_const: resolved.is_const,
            is_volatile: resolved.is_volatile,
            constant: None,
        };
        self.declare(name, symbol);
        Ok(())
    }

    fn automatic(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        mut resolved: Resolved,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let name = &declarator.name;
        let mut ty = resolved.ty.clone();
        // `constexpr` makes the pointer const, not what it points to.
        resolved.is_const |= specifiers.is_constexpr && matches!(ty, Type::Pointer(_)) && !resolved.is_ref;
        let is_written = !matches!(declarator.ty.base, ast::BaseType::Auto) && !resolved.is_ref;
        if is_written
            && !resolved.open_array
            && matches!(ty, Type::Pointer(_)) | ops::is_arithmetic(ty.representation())
            && let Some(value) = declarator.single_value()
            && mentions(value, &name.name)
        {
            return self.self_referential_variable(specifiers, declarator, resolved, &value.clone(), out);
        }
        if !resolved.is_ref && self.has_constructor(&ty) && is_made_in_place(declarator) {
            return self.construct_in_place(specifiers, declarator, resolved, out);
        }
        let init = self.automatic_init(declarator, &resolved, &mut ty);
        if resolved.is_ref {
            ty = Type::Pointer(Box::new(Pointer {
                pointee: ty,
                is_const: resolved.is_const,
                is_volatile: resolved.is_volatile,
                restrict: false,
            }));
        }
        // The variable is declared even if its initializer has an error, unless the initializer determines its type.
        let init = match init {
            Err(reported) if resolved.open_array || matches!(declarator.ty.base, ast::BaseType::Auto) => {
                return Err(reported);
            }
            Err(Reported) => None,
            Ok(init) => init,
        };
        let constant = match &init {
            Some(Init::Value(value)) if resolved.is_const && !resolved.is_volatile && !resolved.is_ref => {
                self.evaluate(value)
            }
            _ => None,
        };
        let is_address = matches!(&init, Some(Init::Value(value)) if is_address_constant(value));
        let is_known = constant.is_some() || init.is_none() || is_address;
        if specifiers.is_constexpr && !is_known && !self.body.in_prelude {
            return self.error(
                name.span,
                format!(
                    "The initializer of `{}` must be a constant expression.",
                    name.name
                ),
            );
        }
        let init = match (constant, init) {
            (Some(known), Some(Init::Value(value))) => Some(Init::Value(Expr {
                kind: ExprKind::Const(known),
                ..value
            })),
            (_, init) => init,
        };
        self.enter_variable(specifiers, declarator, &resolved, ty, constant, init, out)
    }

    /// A variable whose initializer mentions it: `T *p = (T *)find(sizeof(*p))`.
    fn self_referential_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: Resolved,
        value: &ast::Expr,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let span = declarator.name.span;
        let ty = resolved.ty.clone();
        let is_const = resolved.is_const;
        self.variable_without_value(specifiers, declarator, resolved, is_const, out)?;
        let Some(Symbol::Local { id, .. }) = self.lookup(&declarator.name.name).cloned() else {
            return Err(Reported);
        };
        let value = self.initial_value(value, &ty, "in the initializer of this variable")?;
        let place = self.local_place(id, span);
        out.push(Stmt {
            kind: StmtKind::Expr(ops::assign(place, value, span)),
            span,
        });
        Ok(())
    }

    /// Declares a variable after its initializer.
    fn variable_without_value(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: Resolved,
        is_const: bool,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let ty = resolved.ty.clone();
        let resolved = Resolved { is_const, ..resolved };
        self.enter_variable(specifiers, declarator, &resolved, ty, None, None, out)
    }

    #[expect(clippy::too_many_arguments, reason = "what a variable has")]
    fn enter_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: &Resolved,
        ty: Type,
        constant: Option<Const>,
        init: Option<Init>,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let name = &declarator.name;
        let align = match &specifiers.align {
            Some(wanted) => self.alignment(wanted)?,
            None => 1,
        };
        let text = self.text(&resolved.ty);
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(Local {
            name: name.name.to_string(),
            c_type: if resolved.is_ref {
                format!("{text} &")
            } else {
                text
            },
            align: self.align_of(&ty).max(align),
            ty,
            storage: Storage::Automatic,
            address_taken: false,
            is_volatile: resolved.is_volatile && !resolved.is_ref,
            span: name.span,
        });
        let symbol = Symbol::Local {
            id,
            is_ref: resolved.is_ref,
            is_const: resolved.is_const,
            is_volatile: resolved.is_volatile,
            constant,
        };
        self.declare(name, symbol);
        if init.is_some() {
            self.body.labels.initialize(id);
        }
        out.push(Stmt {
            kind: StmtKind::Declare { local: id, init },
            span: name.span,
        });
        if resolved.is_ref {
            // The reference extends the lifetime of the temporary object.
            for place in std::mem::take(&mut self.body.temporaries) {
                self.ends_with_scope(place);
            }
        } else {
            let place = self.local_place(id, name.span);
            self.ends_with_scope(place);
        }
        Ok(())
    }

    /// A variable that is constructed in place.
    fn construct_in_place(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: Resolved,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let span = declarator.name.span;
        let args = match &declarator.init {
            Some(Initializer::Constructor(args)) => args.clone(),
            Some(Initializer::Value(ast::Expr {
                kind: ast::ExprKind::List(items),
                ..
            })) => items.iter().map(|(_, value)| value.clone()).collect(),
            _ => Vec::new(),
        };
        let args = self.arguments(&args);
        let is_const = resolved.is_const;
        let ty = resolved.ty.clone();
        // The variable is const only after construction.
        let open = Resolved {
            is_const: false,
            ..resolved
        };
        let bare = Declarator {
            init: None,
            ..declarator.clone()
        };
        self.variable_without_value(specifiers, &bare, open, is_const, out)?;
        let Some(Symbol::Local { id, .. }) = self.lookup(&declarator.name.name).cloned() else {
            return Err(Reported);
        };
        self.body.labels.initialize(id);
        let place = self.local_place(id, span);
        let object = Operand::Place(Lvalue {
            place: place.clone(),
            is_const: false,
            constant: None,
            expires: false,
        });
        let args = args?;
        if let [Arg::Operand(operand, only)] = args.as_slice()
            && only.ty == ty
        {
            let is_place = matches!(operand, Operand::Place(_) | Operand::Computed { .. });
            let source = self.designated(operand.clone());
            let made = match source {
                Operand::Place(source) if is_place && self.needs_copy(&ty) => {
                    self.copy_into(place, source, span)?
                }
                _ => ops::assign(place, only.clone(), span),
            };
            out.push(Stmt {
                kind: StmtKind::Expr(made),
                span,
            });
            return Ok(());
        }
        let crate::hir::Type::Struct(class) = ty else {
            return Err(Reported);
        };
        let call = self.call_method(object, class, ast::CONSTRUCTOR, None, &args, span)?;
        let call = self.rvalue(call)?;
        out.push(Stmt {
            kind: StmtKind::Expr(call),
            span,
        });
        Ok(())
    }

    /// The initializer of a variable in registers or local memory.
    fn automatic_init(
        &mut self,
        declarator: &Declarator,
        resolved: &Resolved,
        ty: &mut Type,
    ) -> Checks<Option<Init>> {
        let name = &declarator.name;
        if resolved.is_ref {
            return self.reference_init(declarator, resolved).map(Some);
        }
        let init = match &declarator.init {
            None if resolved.open_array => {
                return self.error(name.span, "This array needs a size or a list of values.");
            }
            None if self.has_default(ty) => {
                let mut parts = Vec::new();
                self.default_parts(ty, 0, name.span, &mut parts)?;
                Init::Parts {
                    zero_rest: false,
                    parts,
                }
            }
            None if resolved.is_const => {
                return self.error(
                    name.span,
                    format!("The const variable `{}` requires an initializer.", name.name),
                );
            }
            None if is_dim3(ty) => Init::Value(self.constructed(ty, &[], name.span)?),
            None => return Ok(None),
            Some(Initializer::Value(value)) => self.variable_init(ty, resolved.open_array, value)?,
            Some(Initializer::Constructor(args)) if ty.is_aggregate() => {
                Init::Value(self.constructed(ty, args, name.span)?)
            }
            Some(Initializer::Constructor(args)) => match args.as_slice() {
                [arg] => Init::Value(self.initial_value(arg, ty, "in the initializer of this variable")?),
                _ => {
                    return self.error(
                        name.span,
                        format!("`{}` is a single value; initialize it with one value.", name.name),
                    );
                }
            },
        };
        Ok(Some(init))
    }

    fn reference_init(&mut self, declarator: &Declarator, resolved: &Resolved) -> Checks<Init> {
        let name = &declarator.name;
        let value = match &declarator.init {
            Some(Initializer::Value(value)) => value,
            Some(Initializer::Constructor(args)) if args.len() == 1 => &args[0],
            _ => {
                return self.error(
                    name.span,
                    format!("The reference `{}` requires an initializer.", name.name),
                );
            }
        };
        let operand = self.operand(value)?;
        // `T &&` extends the lifetime of a temporary object.
        let takes_values = resolved.is_const || resolved.takes_values;
        self.bind_reference(operand, &resolved.ty, takes_values, value.span)
            .map(Init::Value)
    }

    /// The address that a reference receives from an operand.
    pub(in crate::check) fn bind_reference(
        &mut self,
        operand: Operand,
        ty: &Type,
        is_const: bool,
        span: Span,
    ) -> Checks<Expr> {
        let from = ops::operand_type(&operand).clone();
        let is_derived = self.derives(&from, ty);
        let operand = match operand {
            Operand::Value(value) if is_derived => Operand::Place(self.stored_in_temporary(value)),
            other => other,
        };
        let mut operand = if is_derived || *ops::operand_type(&operand) == *ty {
            self.designated(operand)
        } else {
            operand
        };
        if let Operand::Place(lvalue) = &mut operand
            && is_derived
        {
            let is_volatile = lvalue.place.is_volatile;
            let address = self.address_of(lvalue.clone(), span);
            let mut address = self.derived_to_base_address(address, &from, ty);
            address.ty = ty.clone().pointer_to();
            lvalue.place = deref(address, is_volatile);
        }
        if let Operand::Place(lvalue) = &operand
            && lvalue.place.ty == *ty
            && lvalue.constant.is_none()
        {
            if lvalue.is_const && !is_const && !self.is_constant_memory(&lvalue.place) {
                return self.error(
                    span,
                    "A non-const reference cannot be bound to a const object; declare the reference const.",
                );
            }
            let lvalue = Lvalue {
                is_const,
                ..lvalue.clone()
            };
            return Ok(self.address_of(lvalue, span));
        }
        if !is_const {
            let from = ops::operand_type(&operand);
            let (text, from_text) = (self.text(ty), self.text(from));
            let message = match &operand {
                Operand::Bits(_) => {
                    "A non-const reference cannot be bound to a bit-field; copy the bit-field to a variable."
                        .to_owned()
                }
                Operand::Place(lvalue) if lvalue.place.ty == *ty && lvalue.is_const => {
                    "A non-const reference cannot be bound to a const object; declare the reference const."
                        .to_owned()
                }
                Operand::Place(lvalue) if lvalue.place.ty != *ty => {
                    format!(
                        "A reference to `{text}` must be initialized with an lvalue of this type, not of type \
                         `{from_text}`."
                    )
                }
                _ => format!(
                    "A reference to `{text}` must be initialized with an lvalue of this type, not a temporary value."
                ),
            };
            return self.error(span, message);
        }
        let value = self.rvalue(operand)?;
        let value = self.implicit(value, ty, "here")?;
        let kept = self.temporary(ty.clone(), span);
        let place = self.local_place(kept, span);
        self.ends_with_expression(&value, &place);
        let store = ops::assign(place.clone(), value, span);
        let lvalue = Lvalue {
            place,
            is_const: true,
            constant: None,
            expires: false,
        };
        let address = self.address_of(lvalue, span);
        let ty = address.ty.clone();
        let kind = ExprKind::Comma {
            first: Box::new(store),
            second: Box::new(address),
        };
        Ok(expr(kind, ty, span))
    }
}

/// Whether an expression names a variable.
fn mentions(value: &ast::Expr, name: &ast::Name) -> bool {
    struct Finds<'a>(&'a ast::Name, bool);
    impl ast::walk::Visit for Finds<'_> {
        fn name(&mut self, name: &mut ast::Name) {
            self.1 |= *name == *self.0;
        }
    }
    let mut finds = Finds(name, false);
    ast::walk::Visit::expr(&mut finds, &mut value.clone());
    finds.1
}

/// Whether a constructor can run on the variable in place.
const fn is_made_in_place(declarator: &Declarator) -> bool {
    matches!(
        &declarator.init,
        None | Some(
            Initializer::Constructor(_)
                | Initializer::Value(ast::Expr {
                    kind: ast::ExprKind::List(_),
                    ..
                })
        )
    )
}

/// Whether the type is `dim3`, whose constructor sets omitted members to 1.
fn is_dim3(ty: &Type) -> bool {
    matches!(ty, Type::Vector(vector) if vector.name == "dim3")
}

/// Whether a value is the address of memory that exists for the whole launch, which a `constexpr` pointer can hold.
fn is_address_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Const(_) => true,
        ExprKind::Convert(inner) | ExprKind::Bitcast(inner) => is_address_constant(inner),
        ExprKind::PtrAdd { ptr, index, .. } => {
            is_address_constant(ptr) && matches!(index.kind, ExprKind::Const(_))
        }
        ExprKind::AddressOf(place) => is_static(place),
        _ => false,
    }
}

fn is_static(place: &crate::hir::Place) -> bool {
    match &place.kind {
        crate::hir::PlaceKind::Global(_) => true,
        crate::hir::PlaceKind::Field { base, .. } => is_static(base),
        crate::hir::PlaceKind::Deref(pointer) => is_address_constant(pointer),
        crate::hir::PlaceKind::Local(_) => false,
    }
}
