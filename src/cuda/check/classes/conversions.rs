//! Conversions from and to classes, by conversion functions and by constructors.

use super::*;

impl Checker {
    /// The conversion function to a type, or to a type that converts implicitly to it, with the cost of the second
    /// conversion.
    pub(in crate::check) fn conversion_function(
        &self,
        id: StructId,
        to: &Type,
        takes_explicit: bool,
    ) -> Option<(Name, u32)> {
        let mut best: Option<(Name, u32)> = None;
        for (name, ret) in self.conversions(id, takes_explicit) {
            let cost = match (&ret, to) {
                (Type::Struct(_), _) | (_, Type::Struct(_)) => (ret == *to).then_some(0),
                _ => self.conversion_cost(&int(1, ret, Span::default()), to),
            };
            if let Some(cost) = cost
                && best.as_ref().is_none_or(|(_, least)| cost < *least)
            {
                best = Some((name, cost));
            }
        }
        best
    }

    /// The conversion functions of a struct and of its bases, with their return types.
    fn conversions(&self, id: StructId, takes_explicit: bool) -> Vec<(Name, Type)> {
        let mut out = Vec::new();
        for owner in self.self_and_bases(id) {
            let names = self
                .classes
                .get(&owner.0)
                .map_or(&[][..], |class| &class.conversions);
            for name in names {
                let whole = self.member_name(owner, name);
                let known = whole
                    .and_then(|whole| self.by_name.get(&whole))
                    .and_then(|ids| ids.first());
                if let Some(function) = known {
                    let entry = &self.functions[function.0 as usize];
                    if takes_explicit || !entry.ast.specifiers.is_explicit {
                        out.push((name.clone(), entry.ret.ty.clone()));
                    }
                }
            }
        }
        out
    }

    /// An object converted by one of its conversion functions.
    pub(in crate::check) fn converted_by_function(
        &mut self,
        value: Expr,
        to: &Type,
        takes_explicit: bool,
    ) -> Option<Checks<Expr>> {
        let Type::Struct(id) = value.ty else { return None };
        let (name, _) = self.conversion_function(id, to, takes_explicit)?;
        let span = value.span;
        let call = self.call_method(Operand::Value(value), id, &name, None, &[], span);
        Some(call.and_then(|call| self.rvalue(call)))
    }

    /// An operand of a built-in operator. An object with one conversion function to a number or pointer is converted.
    pub(in crate::check) fn scalar_operand(&mut self, operand: Operand) -> Checks<Operand> {
        let Type::Struct(id) = *operand_type(&operand) else {
            return Ok(operand);
        };
        let mut targets = self.conversions(id, false);
        targets.retain(|(_, ret)| !ret.is_aggregate());
        let [(name, _)] = targets.as_slice() else {
            return Ok(operand);
        };
        let span = match &operand {
            Operand::Place(lvalue) => lvalue.place.span,
            Operand::Value(value) | Operand::Computed { value, .. } => value.span,
            Operand::Bits(bits) => bits.span(),
        };
        let name = name.clone();
        self.call_method(operand, id, &name, None, &[], span)
    }

    /// Whether a converting constructor creates an object from a value of another type.
    pub(in crate::check) fn converts_by_constructor(&self, value: &Expr, to: &Type) -> bool {
        let Type::Struct(id) = to else { return false };
        let Some(name) = self.member_name(*id, CONSTRUCTOR) else {
            return false;
        };
        if value.ty != *to && self.template_constructor_takes(&name, value) {
            return true;
        }
        // An implicit conversion uses at most one user-defined function: a conversion function or a constructor.
        let is_object = matches!(value.ty, Type::Struct(id) if !self.conversions(id, false).is_empty());
        let known = self.by_name.get(&name).into_iter().flatten();
        known.copied().any(|id| {
            let entry = &self.functions[id.0 as usize];
            let fits = !entry.ast.specifiers.is_explicit
                && entry.params.first().is_some_and(|first| {
                    let is_other = !is_object && !matches!(first.ty, Type::Struct(_)) || first.ty == value.ty;
                    is_other
                        && (!first.is_ref || first.is_const)
                        && self.conversion_cost(value, &first.ty).is_some()
                });
            fits && entry.defaults[1..].iter().all(Option::is_some)
        })
    }

    /// Whether a struct has an explicit constructor.
    pub(in crate::check) fn has_explicit_constructor(&self, ty: &Type) -> bool {
        let Type::Struct(id) = ty else { return false };
        let known = self
            .member_name(*id, CONSTRUCTOR)
            .and_then(|name| self.by_name.get(&name));
        let mut known = known.into_iter().flatten();
        known.any(|id| self.functions[id.0 as usize].ast.specifiers.is_explicit)
    }
}
