//! Construction of objects: constructor calls, default member initializers, and the start of a constructor.

use super::*;

impl Checker {
    /// An object that a constructor creates; `None` if the struct has no constructor.
    pub(in crate::check) fn constructor_call(
        &mut self,
        ty: &Type,
        args: &[Arg<'_>],
        span: Span,
    ) -> Option<Checks<Expr>> {
        let Type::Struct(id) = ty else { return None };
        if let [Arg::Operand(operand, only)] = args
            && only.ty == *ty
        {
            let (operand, only) = (operand.clone(), only.clone());
            return Some(self.copied(&operand, only));
        }
        if !self.classes.get(&id.0)?.has_constructor {
            return None;
        }
        let kept = self.temporary(ty.clone(), span);
        let place = self.local_place(kept, span);
        let object = Operand::Place(Lvalue {
            place: place.clone(),
            is_const: false,
            constant: None,
            expires: false,
        });
        let call = match self.call_method(object, *id, CONSTRUCTOR, None, args, span) {
            Ok(call) => call,
            Err(reported) => return Some(Err(reported)),
        };
        let call = match self.rvalue(call) {
            Ok(call) => call,
            Err(reported) => return Some(Err(reported)),
        };
        Some(Ok(comma(call, load(place), span)))
    }

    /// Whether a struct has constructors of its own.
    pub(in crate::check) fn has_constructor(&self, ty: &Type) -> bool {
        let Type::Struct(id) = ty else { return false };
        self.classes.get(&id.0).is_some_and(|class| class.has_constructor)
    }

    /// Whether default construction of an object has an effect.
    pub(in crate::check) fn has_default(&self, ty: &Type) -> bool {
        match ty {
            Type::Struct(id) => self.self_and_bases(*id).into_iter().any(|id| {
                let own = self.classes.get(&id.0);
                own.is_some_and(|class| {
                    class.has_constructor
                        || !class.inits.is_empty()
                        || class.bit_fields.iter().any(BitField::has_default)
                }) || self.structs[id.0 as usize]
                    .fields
                    .iter()
                    .any(|field| self.has_default(&field.ty))
            }),
            Type::Array(elem, _) => self.has_default(elem),
            _ => false,
        }
    }

    /// The default member initializer of a field, if there is one.
    pub(in crate::check) fn field_default(
        &mut self,
        ty: &Type,
        field: &str,
        field_ty: &Type,
    ) -> Option<Checks<Expr>> {
        if let Some(word) = self.default_of_word(ty, field) {
            return Some(word);
        }
        let Type::Struct(id) = ty else { return None };
        for owner in self.self_and_bases(*id) {
            let init = self
                .classes
                .get(&owner.0)
                .and_then(|class| class.inits.iter().find(|(name, _)| name == field))
                .map(|(_, init)| init.clone());
            if let Some(init) = init {
                let value = self.in_class(owner, |this| {
                    this.initial_value(&init, field_ty, "in the initializer of this member")
                });
                return Some(value);
            }
        }
        None
    }

    /// The stores of the default initialization of an object, part by part.
    pub(in crate::check) fn default_parts(
        &mut self,
        ty: &Type,
        offset: u32,
        span: Span,
        out: &mut Vec<(u32, Expr)>,
    ) -> Checks<()> {
        match ty {
            Type::Array(elem, len) if self.has_default(elem) => {
                let size = self.size_of(elem) as u32;
                for idx in 0..*len {
                    self.default_parts(elem, offset + idx * size, span, out)?;
                }
            }
            Type::Struct(_) if self.has_constructor(ty) => {
                let value = self.constructed(ty, &[], span)?;
                out.push((offset, value));
            }
            Type::Struct(_) => {
                for (name, field_ty, at) in self.fields(ty) {
                    match self.field_default(ty, &name, &field_ty) {
                        Some(value) => out.push((offset + at, value?)),
                        None => self.default_parts(&field_ty, offset + at, span, out)?,
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The initialization that a constructor performs before its body: the base, then the fields in order.
    pub(in crate::check) fn constructor_prologue(
        &mut self,
        function: &ast::Function,
        id: StructId,
    ) -> Vec<Stmt> {
        let mut out = Vec::new();
        if let [(name, given)] = function.inits.as_slice()
            && let ast::ExprKind::List(args) = &given.kind
            && self.is_named(id, &name.name)
        {
            let args: Vec<ast::Expr> = args.iter().map(|(_, value)| value.clone()).collect();
            let _ = self.construct_base(id, &args, name.span, &mut out);
            return out;
        }
        let own: Vec<Field> = self.structs[id.0 as usize].fields[self.num_inherited(id)..].to_vec();
        let mut used = vec![false; function.inits.len()];
        for base in self.bases(id) {
            let text = self.structs[base.0 as usize].name.clone();
            let bare = text.split('<').next().unwrap_or(&text);
            let simple = bare.rsplit("::").next().unwrap_or(bare).to_owned();
            let given = function.inits.iter().position(|(name, _)| {
                *name.name == *simple || *name.name == *text || {
                    matches!(self.lookup(&name.name), Some(Symbol::Type { ty: Type::Struct(id), .. }) if *id == base)
                }
            });
            let given = given.filter(|at| !used[*at]);
            let args: &[(Option<Ident>, ast::Expr)] = match given.map(|at| (at, &function.inits[at].1.kind)) {
                Some((at, ast::ExprKind::List(args))) => {
                    used[at] = true;
                    args
                }
                _ => &[],
            };
            let args: Vec<ast::Expr> = args.iter().map(|(_, value)| value.clone()).collect();
            if given.is_some() || self.has_default(&Type::Struct(base)) {
                let span = function.name.span;
                let _ = self.construct_base(base, &args, span, &mut out);
            }
        }
        self.set_virtual_table(id, function.name.span, &mut out);
        for field in own {
            let given = function
                .inits
                .iter()
                .position(|(name, _)| *name.name == *field.name);
            let span = given.map_or(function.name.span, |at| function.inits[at].0.span);
            if let Some(at) = given {
                used[at] = true;
            }
            let init = given.map(|at| function.inits[at].1.clone());
            let _ = self.initialize_field(id, &field, init.as_ref(), span, &mut out);
        }
        for (idx, (name, init)) in function.inits.iter().enumerate() {
            if used[idx] {
                continue;
            }
            if let Some(Operand::Bits(bits)) = self.own_field(&name.name, name.span) {
                if let ast::ExprKind::List(items) = &init.kind {
                    let value = match items.as_slice() {
                        [] => Ok(int(0, bits.ty().clone(), name.span)),
                        [(_, only)] => {
                            self.initial_value(only, bits.ty(), "in the initializer of this member")
                        }
                        _ => self.error(
                            name.span,
                            format!("`{}` is a single value; initialize it with one value.", name.name),
                        ),
                    };
                    let written = value.and_then(|value| self.write_bits(&bits, value, name.span));
                    out.extend(written.map(|written| Stmt {
                        kind: StmtKind::Expr(written),
                        span: name.span,
                    }));
                }
                continue;
            }
            // Members of unions, and of unnamed members.
            if self.has_field(&Type::Struct(id), &name.name)
                && let Some(place) = self.own_field_place(&name.name, name.span)
            {
                let field = Field {
                    name: name.name.to_string(),
                    ty: place.ty,
                    offset: 0,
                };
                let _ = self.initialize_field(id, &field, Some(init), name.span, &mut out);
            } else {
                let text = self.text(&Type::Struct(id));
                let _ = self.error::<()>(
                    name.span,
                    format!("`{text}` has no member or base `{}` to initialize.", name.name),
                );
            }
        }
        out
    }

    /// Whether an unqualified name is the name of a struct.
    pub(super) fn is_named(&self, id: StructId, name: &str) -> bool {
        let text = &self.structs[id.0 as usize].name;
        let bare = text.split('<').next().unwrap_or(text);
        bare.rsplit("::").next() == Some(name)
    }

    /// Constructs the base at `this`, or delegates to another constructor.
    fn construct_base(
        &mut self,
        base: StructId,
        args: &[ast::Expr],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        let Some(this) = self.this(span) else {
            return Ok(());
        };
        let enclosing = self.body.this.map_or(Type::Void, Type::Struct);
        let mut this = self.derived_to_base_address(this, &enclosing, &Type::Struct(base));
        this.ty = Self::this_type(base, false);
        let object = Lvalue {
            place: deref(this, false),
            is_const: false,
            constant: None,
            expires: false,
        };
        let ty = Type::Struct(base);
        if self.has_constructor(&ty) && self.needs_identity(&ty) {
            let args = self.arguments(args)?;
            let call = self.call_method(Operand::Place(object), base, CONSTRUCTOR, None, &args, span)?;
            let call = self.rvalue(call)?;
            out.push(Stmt {
                kind: StmtKind::Expr(call),
                span,
            });
            return Ok(());
        }
        let value = self.constructed(&ty, args, span)?;
        out.push(Stmt {
            kind: StmtKind::Expr(assign(object.place, value, span)),
            span,
        });
        Ok(())
    }

    /// Whether the object must be constructed in place, because its copies are not bytewise.
    fn needs_identity(&self, ty: &Type) -> bool {
        self.needs_copy(ty) || self.needs_destroy(ty)
    }

    fn initialize_field(
        &mut self,
        id: StructId,
        field: &Field,
        init: Option<&ast::Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checks<()> {
        if self.is_reference(&Type::Struct(id), &field.name) {
            let Some(ast::ExprKind::List(items)) = init.map(|init| &init.kind) else {
                let message = format!("The reference `{}` requires an initializer.", field.name);
                return self.error(span, message);
            };
            let [(_, only)] = items.as_slice() else {
                return self.error(
                    span,
                    format!("The reference `{}` takes one initializer.", field.name),
                );
            };
            let address = self.referent_address(only, &field.ty)?;
            let fields = self.structs[id.0 as usize].fields.clone();
            let at = fields.iter().rposition(|own| own.name == field.name);
            let object = self.this(span).map(|this| deref(this, false));
            if let (Some(at), Some(object)) = (at, object) {
                let whole = Operand::Place(Lvalue {
                    place: object,
                    is_const: false,
                    constant: None,
                    expires: false,
                });
                if let Some(Operand::Place(target)) = self.field_at(whole, at, span) {
                    out.push(Stmt {
                        kind: StmtKind::Expr(assign(target.place, address, span)),
                        span,
                    });
                }
            }
            return Ok(());
        }
        let value = match init {
            Some(init) => {
                let ast::ExprKind::List(items) = &init.kind else {
                    return Err(Reported);
                };
                let args: Vec<ast::Expr> = items.iter().map(|(_, value)| value.clone()).collect();
                match (&field.ty, args.as_slice()) {
                    (Type::Array(..), []) => None,
                    (Type::Array(..), _) => {
                        let Some(place) = self.own_field_place(&field.name, span) else {
                            return Ok(());
                        };
                        return self.fill_array(place, items, span, out);
                    }
                    (ty, args) if ty.is_aggregate() => Some(self.constructed(ty, args, span)?),
                    (ty, []) => Some(self.zero(ty, span)),
                    (ty, [only]) => {
                        Some(self.initial_value(only, ty, "in the initializer of this member")?)
                    }
                    (_, _) => {
                        return self.error(
                            span,
                            format!(
                                "`{}` is a single value; initialize it with one value.",
                                field.name
                            ),
                        );
                    }
                }
            }
            None => match self.field_default(&Type::Struct(id), &field.name, &field.ty) {
                Some(value) => Some(value?),
                None if self.has_default(&field.ty) && matches!(field.ty, Type::Array(..)) => {
                    if let Some(place) = self.own_field_place(&field.name, span) {
                        self.construct_array(place, span, out)?;
                    }
                    return Ok(());
                }
                None if self.has_default(&field.ty) => Some(self.constructed(&field.ty, &[], span)?),
                None => None,
            },
        };
        let Some(place) = self.own_field_place(&field.name, span) else {
            return Ok(());
        };
        match value {
            Some(value) => out.push(Stmt {
                kind: StmtKind::Expr(assign(place, value, span)),
                span,
            }),
            // `a()` value-initializes an array with zeros.
            None if init.is_some() => self.zero_array(place, span, out),
            None => {}
        }
        Ok(())
    }

    fn own_field_place(&mut self, name: &str, span: Span) -> Option<Place> {
        match self.own_field(name, span)? {
            Operand::Place(lvalue) => Some(lvalue.place),
            _ => None,
        }
    }
}
