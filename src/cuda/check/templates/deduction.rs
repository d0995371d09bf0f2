//! Deduction of template arguments from the types of call arguments.

use super::*;

/// The type and the member of `name<args>::member`.
pub(super) fn member_of(name: &TypeName) -> Option<(TypeName, &ast::Ident)> {
    let BaseType::Instance {
        name: of,
        args,
        member: Some(member),
    } = &name.base
    else {
        return None;
    };
    let base = BaseType::Instance {
        name: of.clone(),
        args: args.clone(),
        member: None,
    };
    let of = TypeName {
        base,
        derived: Vec::new(),
        ..name.clone()
    };
    name.derived.is_empty().then_some((of, member))
}

/// An argument for template argument deduction.
#[derive(Clone, Copy)]
pub(super) struct ArgumentType<'t> {
    /// The type; `None` for a list in braces.
    pub(super) ty: Option<&'t Type>,
    pub(super) is_const: bool,
    /// Whether it is an lvalue.
    pub(super) is_lvalue: bool,
}

pub(super) fn argument_type<'t>(param: &ast::Param, arg: &'t Arg<'_>) -> ArgumentType<'t> {
    let Arg::Operand(operand, value) = arg else {
        return ArgumentType {
            ty: None,
            is_const: false,
            is_lvalue: false,
        };
    };
    let is_ref = matches!(
        param.ty.derived.last(),
        Some(Derived::Reference | Derived::RvalueReference)
    );
    let (ty, is_const) = match operand {
        Operand::Place(lvalue) if is_ref => (&lvalue.place.ty, lvalue.is_const),
        Operand::Computed { value, is_const } if is_ref => (&value.ty, *is_const),
        _ => (&value.ty, false),
    };
    ArgumentType {
        ty: Some(ty),
        is_const,
        is_lvalue: match operand {
            Operand::Place(lvalue) => !lvalue.expires,
            Operand::Computed { .. } | Operand::Bits(_) => true,
            Operand::Value(_) => false,
        },
    }
}

/// Deduces the values of template parameters from argument types.
pub(super) struct Deduction<'d> {
    params: &'d [TemplateParam],
    classes: &'d BTreeMap<u32, Class>,
    /// Explicit arguments are fixed, and call arguments convert to them.
    num_explicit: usize,
    values: &'d mut [Option<TemplateValue>],
}

impl<'d> Deduction<'d> {
    pub(super) const fn of(
        params: &'d [TemplateParam],
        classes: &'d BTreeMap<u32, Class>,
        explicit: &[TemplateArg],
        values: &'d mut [Option<TemplateValue>],
    ) -> Self {
        Self {
            params,
            classes,
            num_explicit: explicit.len(),
            values,
        }
    }

    /// Deduces values from the arguments of a call; `argument` returns their types. False if the type of an argument
    /// does not have the form of the parameter, or if a parameter would have two values.
    pub(super) fn call<'t>(
        &mut self,
        params: &[ast::Param],
        argument: impl Fn(&ast::Param, usize) -> ArgumentType<'t>,
        num_args: usize,
    ) -> bool {
        let mut next = 0;
        for (idx, param) in params.iter().enumerate() {
            if param.is_pack {
                // Only the last pack can be deduced.
                let known = packs_of_type(self.params, &param.ty);
                let is_last = idx + 1 == params.len();
                let num = match known.first().and_then(|pack| self.values[*pack].as_ref()) {
                    Some(pack) if !is_last => pack.elements().len(),
                    None if !is_last => 0,
                    _ => num_args.saturating_sub(next),
                };
                let args: Vec<_> = (next..(next + num).min(num_args))
                    .map(|at| argument(param, at))
                    .collect();
                next += num;
                let fits = self.pack(&known, args.len(), |element, at| {
                    element.param(&param.ty, args[at])
                });
                if !fits {
                    return false;
                }
                continue;
            }
            if next >= num_args {
                break;
            }
            let found = argument(param, next);
            next += 1;
            if !self.param(&param.ty, found) {
                return false;
            }
        }
        true
    }

    /// Deduces the elements of packs one by one.
    pub(super) fn pack(
        &mut self,
        packs: &[usize],
        num: usize,
        mut find: impl FnMut(&mut Deduction<'_>, usize) -> bool,
    ) -> bool {
        let known: Vec<Vec<TemplateValue>> = packs
            .iter()
            .map(|idx| {
                self.values[*idx]
                    .as_ref()
                    .map_or(Vec::new(), |known| known.elements().to_vec())
            })
            .collect();
        if packs.is_empty() || known.iter().any(|known| known.len() > num) {
            return false;
        }
        let mut found = vec![Vec::new(); packs.len()];
        for at in 0..num {
            let mut values = self.values.to_vec();
            let mut num_explicit = self.num_explicit;
            for (idx, known) in packs.iter().zip(&known) {
                values[*idx] = known.get(at).cloned();
                if values[*idx].is_none() {
                    num_explicit = num_explicit.min(*idx);
                }
            }
            let mut element = Deduction {
                params: self.params,
                classes: self.classes,
                num_explicit,
                values: &mut values,
            };
            if !find(&mut element, at) {
                return false;
            }
            for (own, idx) in found.iter_mut().zip(packs) {
                match values[*idx].take() {
                    Some(value) => own.push(value),
                    None => return false,
                }
            }
            for (idx, value) in values.into_iter().enumerate() {
                if !packs.contains(&idx) {
                    self.values[idx] = value;
                }
            }
        }
        for (own, idx) in found.into_iter().zip(packs) {
            self.values[*idx] = Some(TemplateValue::Pack(own));
        }
        true
    }

    pub(super) fn param(&mut self, name: &TypeName, argument: ArgumentType<'_>) -> bool {
        let Some(ty) = argument.ty else { return true };
        // `T &&` of a template is a forwarding reference.
        if let BaseType::Named(ident) = &name.base
            && let [Derived::RvalueReference] = name.derived.as_slice()
            && !name.is_const
            && let Some(idx) = position(self.params, &ident.name)
        {
            let found = TemplateValue::Type {
                ty: ty.clone(),
                is_const: argument.is_const,
                reference: if argument.is_lvalue {
                    Reference::Lvalue
                } else {
                    Reference::None
                },
            };
            return self.bind(idx, found);
        }
        self.steps(name, &name.derived, ty, argument.is_const)
    }

    pub(super) fn steps(&mut self, name: &TypeName, steps: &[Derived], ty: &Type, is_const: bool) -> bool {
        let base = match &name.base {
            BaseType::Named(ident) => position(self.params, &ident.name),
            _ => None,
        };
        if let (
            BaseType::Instance {
                name,
                args,
                member: None,
            },
            [],
        ) = (&name.base, steps)
        {
            return self.instance(&name.name, args, ty);
        }
        let Some((step, inner)) = steps.split_last() else {
            return base.is_none_or(|idx| {
                let found = TemplateValue::Type {
                    ty: ty.clone(),
                    is_const: is_const && !name.is_const,
                    reference: Reference::None,
                };
                self.bind(idx, found)
            });
        };
        match (step, ty) {
            (Derived::Reference | Derived::RvalueReference, _) => self.steps(name, inner, ty, is_const),
            (Derived::Pointer { .. } | Derived::Array(_), Type::Pointer(pointer)) => {
                self.steps(name, inner, &pointer.pointee, pointer.is_const)
            }
            (Derived::Array(extent), Type::Array(elem, len)) => {
                let extent = match extent.as_deref().map(|extent| &extent.kind) {
                    Some(ast::ExprKind::Name(extent)) => position(self.params, extent),
                    _ => None,
                };
                let len = TemplateValue::Value(Const::Int(i128::from(*len)), Type::I32);
                extent.is_none_or(|idx| self.bind(idx, len)) && self.steps(name, inner, elem, is_const)
            }
            _ => base.is_none(),
        }
    }

    /// Matches `Name<T, n>` with an instance of that template.
    pub(super) fn instance(&mut self, name: &str, args: &[TemplateArg], ty: &Type) -> bool {
        if args.iter().all(|arg| self.is_non_deduced(arg)) {
            // A non-deduced argument can be converted.
            return true;
        }
        let Type::Struct(id) = ty else { return false };
        let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        // An instance, or one of its bases.
        let mut next = vec![*id];
        while let Some(id) = next.pop() {
            let Some(class) = self.classes.get(&id.0) else {
                continue;
            };
            if let Some((own, values)) = class.instance()
                && last(own) == last(name)
            {
                let values = values.to_vec();
                return self.arguments(args, &values);
            }
            next.extend(class.bases());
        }
        false
    }

    /// Whether nothing in an argument can be deduced.
    fn is_non_deduced(&self, arg: &TemplateArg) -> bool {
        let is_known = |name: &str| position(self.params, name).is_none_or(|idx| idx < self.num_explicit);
        match arg {
            TemplateArg::Type(ty) => match &ty.base {
                BaseType::Named(name) => is_known(&name.name),
                BaseType::Known(_) => true,
                _ => false,
            },
            TemplateArg::Value(value) => match &value.kind {
                ast::ExprKind::Name(name) => is_known(name),
                ast::ExprKind::Number(_) => true,
                _ => false,
            },
            TemplateArg::Expansion(_) => false,
        }
    }

    /// Matches written template arguments with those of an instance.
    pub(super) fn arguments(&mut self, args: &[TemplateArg], values: &[TemplateValue]) -> bool {
        let values: Vec<&TemplateValue> = values.iter().flat_map(TemplateValue::elements).collect();
        let mut rest = values.as_slice();
        for arg in args {
            if let TemplateArg::Expansion(pattern) = arg {
                let packs = packs_of_arg(self.params, pattern);
                let pattern = std::slice::from_ref(&**pattern);
                return self.pack(&packs, rest.len(), |element, at| {
                    element.arguments(pattern, std::slice::from_ref(rest[at]))
                });
            }
            let Some((value, others)) = rest.split_first() else {
                return false;
            };
            rest = others;
            if !self.argument(arg, value) {
                return false;
            }
        }
        true
    }

    /// Matches a written template argument with that of an instance.
    pub(super) fn argument(&mut self, arg: &TemplateArg, value: &TemplateValue) -> bool {
        match (arg, value) {
            // Template parameters are never volatile here: `volatile T` selects another specialization.
            (TemplateArg::Type(name), TemplateValue::Type { .. })
                if name.is_volatile && name.derived.is_empty() =>
            {
                false
            }
            (
                TemplateArg::Type(name),
                found @ TemplateValue::Type {
                    ty,
                    is_const,
                    reference,
                },
            ) => {
                let (wanted, steps) = match name.derived.split_last() {
                    Some((Derived::Reference, steps)) => (Reference::Lvalue, steps),
                    Some((Derived::RvalueReference, steps)) => (Reference::Rvalue, steps),
                    _ => (Reference::None, name.derived.as_slice()),
                };
                if wanted != Reference::None || *reference == Reference::None {
                    return wanted == *reference && self.steps(name, steps, ty, *is_const);
                }
                // A bare parameter denotes the complete reference type.
                match &name.base {
                    BaseType::Named(ident) if steps.is_empty() && !name.is_const => {
                        position(self.params, &ident.name).is_none_or(|idx| self.bind(idx, found.clone()))
                    }
                    _ => false,
                }
            }
            (TemplateArg::Type(name), found @ TemplateValue::Template(_)) => match &name.base {
                BaseType::Named(ident) => {
                    position(self.params, &ident.name).is_none_or(|idx| self.bind(idx, found.clone()))
                }
                _ => false,
            },
            (TemplateArg::Value(value), found) => match &value.kind {
                ast::ExprKind::Name(name) => {
                    position(self.params, name).is_none_or(|idx| self.bind(idx, found.clone()))
                }
                _ => true,
            },
            _ => false,
        }
    }

    fn bind(&mut self, idx: usize, found: TemplateValue) -> bool {
        if idx < self.num_explicit {
            return true;
        }
        match (&self.values[idx], &found) {
            (Some(TemplateValue::Value(known, _)), TemplateValue::Value(found, _)) => known == found,
            (Some(known), _) => *known == found,
            (None, _) => {
                self.values[idx] = Some(found);
                true
            }
        }
    }
}
