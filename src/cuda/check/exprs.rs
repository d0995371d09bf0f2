//! Expressions.

use super::fold::{as_const, const_of};
use super::items::own_name;
use super::names::load;
use super::ops::{assign, operand_type};
use super::{Checker, Checks, Lvalue, Operand, Symbol, constant, expr, int};
use crate::ast::{self, CastStyle, Ident, TypeName};
use crate::hir::{
    Axis, BinaryOp, Builtin, Const, Expr, ExprKind, Global, GlobalId, GlobalSpace, Place, PlaceKind, Type,
};
use crate::lex::{Character, Number, Text};
use crate::limits::Limit;
use engine::ids::Span;

impl Checker {
    /// The value of an expression: lvalues are loaded, and arrays decay to pointers.
    pub(super) fn value(&mut self, e: &ast::Expr) -> Checks<Expr> {
        let operand = self.operand(e)?;
        self.rvalue(operand)
    }

    /// The value of an operand.
    pub(super) fn rvalue(&mut self, operand: Operand) -> Checks<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Place(lvalue) => Ok(self.loaded(lvalue)),
            Operand::Computed { value, .. } => Ok(value),
            Operand::Bits(bits) => self.read_bits(&bits),
        }
    }

    fn loaded(&mut self, lvalue: Lvalue) -> Expr {
        let span = lvalue.place.span;
        if let Some(value) = lvalue.constant {
            return constant(value, lvalue.place.ty, span);
        }
        if let Some(value) = self.constant_at(&lvalue.place) {
            return constant(value, lvalue.place.ty, span);
        }
        if matches!(lvalue.place.ty, Type::Array(..)) {
            return self.decayed(lvalue);
        }
        load(lvalue.place)
    }

    /// A pointer to the first element of an array.
    pub(super) fn decayed(&mut self, lvalue: Lvalue) -> Expr {
        let span = lvalue.place.span;
        let elem = match &lvalue.place.ty {
            Type::Array(elem, _) => (**elem).clone(),
            other => other.clone(),
        };
        let mut address = self.address_of(lvalue, span);
        if let Type::Pointer(pointer) = &mut address.ty {
            pointer.pointee = elem;
        }
        address
    }

    /// The value of an element of a constant array at a known index.
    fn constant_at(&self, place: &Place) -> Option<Const> {
        let (id, offset) = self.constant_offset(place)?;
        let global = &self.globals[id as usize];
        // A launch can fill a `__constant__` variable, but not a const array.
        if !self.const_arrays.contains(&id) {
            return None;
        }
        let size = self.size_of(&place.ty) as usize;
        let bytes = global.image.get(offset..offset.checked_add(size)?)?;
        const_of(bytes, &place.ty)
    }

    /// The variable and byte offset of a place with a constant address.
    fn constant_offset(&self, place: &Place) -> Option<(u32, usize)> {
        match &place.kind {
            PlaceKind::Global(id) => Some((id.0, 0)),
            PlaceKind::Local(_) => None,
            PlaceKind::Field { base, offset, .. } => {
                let (id, base) = self.constant_offset(base)?;
                Some((id, base + *offset as usize))
            }
            PlaceKind::Deref(pointer) => self.constant_address(pointer),
        }
    }

    fn constant_address(&self, pointer: &Expr) -> Option<(u32, usize)> {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.constant_offset(place),
            ExprKind::PtrAdd {
                ptr,
                index,
                elem_size,
            } => {
                let (id, base) = self.constant_address(ptr)?;
                let Some(Const::Int(index)) = as_const(index) else {
                    return None;
                };
                let offset = i128::try_from(base).ok()? + index * i128::from(*elem_size);
                Some((id, usize::try_from(offset).ok()?))
            }
            _ => None,
        }
    }

    /// An lvalue; `message` is the diagnostic for an rvalue.
    pub(super) fn lvalue(&mut self, e: &ast::Expr, message: &str) -> Checks<Lvalue> {
        let operand = self.operand(e)?;
        match self.designated(operand) {
            Operand::Place(lvalue) => Ok(lvalue),
            Operand::Bits(_) => self.error(e.span, "A bit-field has no address; copy it to a variable."),
            _ => self.error(e.span, message),
        }
    }

    /// A modifiable lvalue.
    pub(super) fn lvalue_to_write(&mut self, e: &ast::Expr) -> Checks<Place> {
        self.check_is_no_register(e)?;
        let operand = self.operand(e)?;
        self.place_to_write(e, operand)
    }

    /// Reports a write to a built-in variable such as `threadIdx`.
    fn check_is_no_register(&mut self, e: &ast::Expr) -> Checks<()> {
        let built_in = match &e.kind {
            ast::ExprKind::Name(name) => Some(name),
            ast::ExprKind::Member { base, .. } => match &base.kind {
                ast::ExprKind::Name(name) => Some(name),
                _ => None,
            },
            _ => None,
        };
        if let Some(name) =
            built_in.filter(|name| dimension_variable(name).is_some() && self.lookup(name).is_none())
        {
            return self.error(
                e.span,
                format!("`{name}` cannot be modified; copy it to a variable."),
            );
        }
        Ok(())
    }

    /// The place of an operand that must be modifiable.
    pub(super) fn place_to_write(&mut self, e: &ast::Expr, operand: Operand) -> Checks<Place> {
        let Operand::Place(lvalue) = self.designated(operand) else {
            let message = "This expression must be a modifiable lvalue: a variable or memory.";
            return self.error(e.span, message);
        };
        if lvalue.is_const {
            let is_constant_memory = self.is_constant_memory(&lvalue.place);
            let message = match &e.kind {
                _ if is_constant_memory => {
                    "Kernels cannot write to constant memory; the host sets it with `cudaMemcpyToSymbol`."
                        .to_owned()
                }
                ast::ExprKind::Name(name) if self.body.closure.is_some() => format!(
                    "`{name}` is const here and cannot be modified; capture it by reference, or declare the lambda \
                     `mutable`."
                ),
                ast::ExprKind::Name(name) => format!("`{name}` is const and cannot be modified."),
                ast::ExprKind::Index { base, .. } if matches!(base.kind, ast::ExprKind::Name(_)) => {
                    let name = self.source_text(base.span);
                    format!(
                        "`{name}` points to const memory, which cannot be modified; declare it without `const`."
                    )
                }
                _ => "This memory is const and cannot be modified.".to_owned(),
            };
            return self.error(e.span, message);
        }
        if matches!(lvalue.place.ty, Type::Array(..)) {
            let message = "An array cannot be assigned as a whole; assign its elements.";
            let mut diagnostic = crate::diagnostic::Diagnostic::error(e.span, message);
            if let ast::ExprKind::Index { index, .. } = &e.kind
                && let ast::ExprKind::Infix {
                    op: ast::InfixOp::Comma,
                    ..
                } = &index.kind
            {
                diagnostic = diagnostic.note("Write each index in brackets of its own: `[row][column]`.");
            }
            return self.report(diagnostic);
        }
        Ok(lvalue.place)
    }

    /// An expression as an rvalue or an lvalue.
    pub(super) fn operand(&mut self, e: &ast::Expr) -> Checks<Operand> {
        self.levels += 1;
        let operand = if self.levels > Limit::CheckLevels.most() {
            self.stop(Limit::CheckLevels.exceeded(e.span))
        } else {
            self.operand_here(e)
        };
        self.levels -= 1;
        operand
    }

    fn operand_here(&mut self, e: &ast::Expr) -> Checks<Operand> {
        let span = e.span;
        let value = match &e.kind {
            ast::ExprKind::Number(number) => self.number(*number, span),
            ast::ExprKind::Char(value) => {
                let ty = match value {
                    Character::Narrow(_) => Type::I8,
                    Character::Short(_) => Type::U16,
                    Character::Wide(_) => Type::I32,
                    Character::Long(_) => Type::U32,
                };
                int(i128::from(value.value()), ty, span)
            }
            ast::ExprKind::Bool(value) => constant(Const::Bool(*value), Type::Bool, span),
            ast::ExprKind::Null => int(0, Type::Void.pointer_to(), span),
            ast::ExprKind::Str(text) => return Ok(Operand::Place(self.string(text, span))),
            ast::ExprKind::Name(name) => return self.name(name, span),
            ast::ExprKind::Prefix(op, inner) => return self.prefix(*op, inner, span),
            ast::ExprKind::IncDec {
                operand,
                delta,
                postfix,
            } => {
                self.check_is_no_register(operand)?;
                let object = self.operand(operand)?;
                if operand_type(&object).has_operators()
                    && let Some(result) = self.overloaded_inc_dec(object.clone(), *delta, *postfix, span)
                {
                    return result;
                }
                if let Some(bits) = self.bits_to_write(operand)? {
                    let op = if *delta > 0 { BinaryOp::Add } else { BinaryOp::Sub };
                    let one = int(1, Type::I32, span);
                    return self
                        .change_bits(op, &bits, one, *postfix, span)
                        .map(Operand::Value);
                }
                let place = self.place_to_write(operand, object)?;
                let value = self.inc_dec(place, *delta, *postfix, span)?;
                return Ok(if *postfix {
                    Operand::Value(value)
                } else {
                    changed(value)
                });
            }
            ast::ExprKind::Infix { op, lhs, rhs } => return self.infix(*op, lhs, rhs, span),
            ast::ExprKind::Assign { op: None, lhs, rhs } => {
                if let Some(result) = self.overloaded_assignment(lhs, rhs, span) {
                    return result;
                }
                return self.assignment(lhs, rhs, span);
            }
            ast::ExprKind::Assign {
                op: Some(op),
                lhs,
                rhs,
            } => return self.compound(*op, lhs, rhs, span),
            ast::ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => return self.conditional(cond, then, otherwise, span),
            ast::ExprKind::Instance { name, args } => return self.variable_instance(name, args, span),
            ast::ExprKind::Call {
                callee,
                template_args,
                args,
            } => return self.call(callee, template_args.as_deref(), args, span),
            ast::ExprKind::Texture { ty, texture } => self.texture(ty.as_deref(), texture)?,
            ast::ExprKind::Index { base, index } => return self.index(base, index, span),
            ast::ExprKind::Member { base, field, arrow } => return self.member(base, field, *arrow, span),
            ast::ExprKind::MethodCall {
                base,
                arrow,
                method,
                template_args,
                args,
            } => return self.method_call(base, *arrow, method, template_args.as_deref(), args, span),
            ast::ExprKind::StaticMember {
                ty,
                member,
                template_args,
                args,
            } => return self.static_member(ty, member, template_args.as_deref(), args.as_deref(), span),
            ast::ExprKind::This => match self.this(span) {
                Some(this) => this,
                None => {
                    return self.error(
                        span,
                        "`this` may only be used inside a non-static member function.",
                    );
                }
            },
            ast::ExprKind::Cast { style, ty, operand } => return self.cast_expr(*style, ty, operand, span),
            ast::ExprKind::Construct { ty, args } => self.construct(ty, args, span)?,
            ast::ExprKind::List(_) => {
                return self.error(span, "A list in braces is only allowed as an initializer.");
            }
            ast::ExprKind::Lambda(lambda) => return self.lambda(lambda, span),
            ast::ExprKind::Expansion(_) | ast::ExprKind::Fold { .. } | ast::ExprKind::SizeofPack(_) => {
                return self.error(span, "`...` expands a pattern that contains no parameter pack.");
            }
            ast::ExprKind::SizeofType(ty) => {
                let resolved = self.resolve(ty, None)?;
                if !self.is_complete(&resolved.ty) {
                    let text = self.text(&resolved.ty);
                    let message = format!("`{text}` is an incomplete type here; define it before this line.");
                    return self.error(ty.span, message);
                }
                int(i128::from(self.size_of(&resolved.ty)), self.size_type(), span)
            }
            ast::ExprKind::SizeofExpr(inner) => {
                let operand = self.operand(inner)?;
                if matches!(operand, Operand::Bits(_)) {
                    return self.error(
                        span,
                        "`sizeof` may not be applied to a bit-field; apply it to the bit-field's type.",
                    );
                }
                int(
                    i128::from(self.size_of(operand_type(&operand))),
                    self.size_type(),
                    span,
                )
            }
            ast::ExprKind::AlignofType(ty) => {
                let resolved = self.resolve(ty, None)?;
                int(i128::from(self.align_of(&resolved.ty)), self.size_type(), span)
            }
            ast::ExprKind::AlignofExpr(inner) => {
                let operand = self.operand(inner)?;
                int(
                    i128::from(self.align_of_operand(&operand)),
                    self.size_type(),
                    span,
                )
            }
        };
        Ok(Operand::Value(value))
    }

    /// The alignment of a variable as declared, or the alignment of the operand's type.
    fn align_of_operand(&self, operand: &Operand) -> u32 {
        if let Operand::Place(lvalue) = operand {
            match lvalue.place.kind {
                PlaceKind::Local(id) => return self.body.locals[id.0 as usize].align,
                PlaceKind::Global(id) => return self.globals[id.0 as usize].align,
                PlaceKind::Deref(_) | PlaceKind::Field { .. } => {}
            }
        }
        self.align_of(operand_type(operand))
    }

    fn number(&mut self, number: Number, span: Span) -> Expr {
        match number {
            Number::Int { value, .. } => int(i128::from(value), number.ty(), span),
            Number::F32(value) => constant(Const::F32(value), Type::F32, span),
            Number::F64(value) if self.has_double() => constant(Const::F64(value), Type::F64, span),
            Number::F64(value) => {
                self.warn_demoted(span);
                constant(Const::F32(value as f32), Type::F32, span)
            }
        }
    }

    /// The text of `__func__`, and of GNU's words for it.
    fn function_text(&self, word: &str) -> Option<String> {
        let entry = &self.functions[self.body.function?.0 as usize];
        match word {
            "__func__" | "__FUNCTION__" => Some(own_name(&entry.ast.name.name).to_string()),
            "__PRETTY_FUNCTION__" => {
                let params: Vec<String> = (entry.params.iter())
                    .map(|param| self.text(&param.passed_type()))
                    .collect();
                let name = entry.hir.name.split('<').next().unwrap_or_default();
                Some(format!(
                    "{} {name}({})",
                    self.text(&entry.ret.ty),
                    params.join(", ")
                ))
            }
            _ => None,
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Checks<Operand> {
        let is_local = self.body.scopes.iter().any(|scope| scope.contains_key(name));
        if !is_local && let Some(field) = self.own_field(name, span) {
            return Ok(field);
        }
        let Some(symbol) = self.lookup(name).cloned() else {
            if let Some(text) = self.function_text(name) {
                return Ok(Operand::Place(self.string(&Text::narrow(&text), span)));
            }
            if name == "__ws_capability" && (self.body.in_prelude || self.prelude.is_none()) {
                let capability = i128::from(self.capability);
                return Ok(Operand::Value(int(capability, Type::I32, span)));
            }
            if let Some(table) = self.header_table(name, span) {
                return Ok(table);
            }
            if name.contains("::")
                && let Some(object) = self.function_object(name, span)
            {
                return Ok(object);
            }
            if let Some((outer, inner)) = name.rsplit_once("::") {
                return self.scoped(outer, inner, span).map(Operand::Value);
            }
            return self.builtin_variable(name, span).map(Operand::Value);
        };
        if self.is_texture(&symbol) {
            return self.error(
                span,
                format!(
                    "`{name}` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` \
                     access."
                ),
            );
        }
        if let Some(lvalue) = self.variable(&symbol, span) {
            return Ok(Operand::Place(lvalue));
        }
        match symbol {
            Symbol::Bits(bits) => Ok(Operand::Bits(bits)),
            Symbol::Constant(value, ty) => Ok(Operand::Value(constant(value, ty, span))),
            Symbol::Address(id, ty) => self.address_of_global(id, ty, span).map(Operand::Value),
            Symbol::Host(_) => {
                let message = format!(
                    "The host variable `{name}` is undefined in device code; pass it as an argument, or declare it \
                     with `__device__`, `__constant__`, or `constexpr`."
                );
                self.error(span, message)
            }
            Symbol::Pack(_) => self.error(
                span,
                format!("`{name}` is a parameter pack; put `...` after the pattern that contains it."),
            ),
            Symbol::Type { .. } | Symbol::Enum(..) => self.error(
                span,
                format!("The type name `{name}` is not allowed here; a value is expected."),
            ),
            _ => Err(self.poisoned_name(name)),
        }
    }

    /// The address of a variable, or of the first element of an array, as a pointer of this type.
    fn address_of_global(&mut self, id: GlobalId, ty: Type, span: Span) -> Checks<Expr> {
        let symbol = Symbol::Global { id, is_const: false };
        let Some(lvalue) = self.variable(&symbol, span) else {
            return Err(self.poisoned());
        };
        let is_whole = matches!(&ty, Type::Pointer(pointer) if pointer.pointee == lvalue.place.ty);
        let address = if is_whole {
            self.address_of(lvalue, span)
        } else {
            self.decayed(lvalue)
        };
        Ok(Expr { ty, ..address })
    }

    /// A table of a header, which is instantiated at its first use.
    fn header_table(&mut self, name: &str, span: Span) -> Option<Operand> {
        let words = crate::headers::tables::table(name)?;
        let ty = Type::Array(Box::new(Type::U32), words.len() as u32);
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: name.to_owned(),
            align: self.align_of(&ty),
            ty,
            space: GlobalSpace::Device,
            image: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
            is_volatile: false,
            span,
        });
        let symbol = Symbol::Global { id, is_const: true };
        self.scope.insert(name.into(), symbol.clone());
        self.variable(&symbol, span).map(Operand::Place)
    }

    /// A built-in variable such as `threadIdx`.
    fn builtin_variable(&mut self, name: &str, span: Span) -> Checks<Expr> {
        if name == "warpSize" {
            return Ok(int(32, Type::I32, span));
        }
        if let Some(make) = dimension_variable(name) {
            let lanes = [Axis::X, Axis::Y, Axis::Z].map(|axis| special(make(axis), span));
            let vector_name = if name.ends_with("Dim") { "dim3" } else { "uint3" };
            let ty = crate::types::vector(vector_name).map_or(Type::Void, Type::Vector);
            return Ok(expr(ExprKind::Aggregate(lanes.to_vec()), ty, span));
        }
        if let Some(object) = self.function_object(name, span) {
            return self.rvalue(object);
        }
        if self.has_function(name) || self.is_template(name) || crate::builtins::is_builtin_name(name) {
            return self.error(span, format!("`{name}` is a function; call it with `{name}(…)`."));
        }
        if name
            .strip_prefix("cuda")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        {
            return self.unsupported(span, "Constants of the CUDA runtime in kernels");
        }
        Err(self.report_unknown(name, span, false))
    }

    fn scoped(&mut self, outer: &str, inner: &str, span: Span) -> Checks<Expr> {
        if let Some((values, ty)) = self.find_enum(outer) {
            return match values.iter().find(|(name, _)| **name == *inner) {
                Some((_, value)) => Ok(int(*value, ty, span)),
                None => self.error(span, format!("The enum `{outer}` has no enumerator `{inner}`.")),
            };
        }
        if let Some(Symbol::Poison) = self.lookup(outer) {
            Err(self.poisoned_name(outer))
        } else {
            let is_struct = matches!(
                self.lookup(outer),
                Some(Symbol::Type {
                    ty: Type::Struct(_),
                    ..
                })
            );
            let has_field = match self.lookup(outer).cloned() {
                Some(Symbol::Type { ty, .. }) if is_struct => self.has_field(&ty, inner),
                _ => false,
            };
            let message = if has_field {
                format!("`{inner}` is a non-static member of `{outer}`; write `object.{inner}`.")
            } else if is_struct {
                format!("`{outer}` has no static member `{inner}`.")
            } else {
                format!("`{outer}` is neither an enum nor a namespace with `{inner}`.")
            };
            self.error(span, message)
        }
    }

    fn assignment(&mut self, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Checks<Operand> {
        if let Some(bits) = self.bits_to_write(lhs)? {
            let value = self.initial_value(rhs, bits.ty(), "in this assignment")?;
            return self.write_bits(&bits, value, span).map(Operand::Value);
        }
        let place = self.lvalue_to_write(lhs);
        let list = matches!(rhs.kind, ast::ExprKind::List(_));
        let place = match place {
            Ok(place) => place,
            Err(reported) => {
                if !list {
                    let _ = self.operand(rhs);
                }
                return Err(reported);
            }
        };
        let value = if matches!(rhs.kind, ast::ExprKind::List(_) | ast::ExprKind::Instance { .. }) {
            self.initial_value(rhs, &place.ty, "in this assignment")?
        } else {
            let value = self.value(rhs)?;
            self.implicit(value, &place.ty, "in this assignment")?
        };
        Ok(changed(assign(place, value, span)))
    }

    /// `a = b` for a type of `a` with `operator=`.
    fn overloaded_assignment(
        &mut self,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Option<Checks<Operand>> {
        if !self.has_operators() || matches!(rhs.kind, ast::ExprKind::List(_)) {
            return None;
        }
        let num_diagnostics = self.diagnostics.len();
        let broken = self.body.broken;
        let object = self
            .operand(lhs)
            .ok()
            .filter(|object| self.has_method(operand_type(object), "operator="));
        let Some(object) = object else {
            // The check of the assignment itself reports the error.
            self.diagnostics.truncate(num_diagnostics);
            self.body.broken = broken;
            return None;
        };
        let Type::Struct(id) = *operand_type(&object) else {
            return None;
        };
        let args = match self.arguments(std::slice::from_ref(rhs)) {
            Ok(args) => args,
            Err(reported) => return Some(Err(reported)),
        };
        Some(self.call_method(object, id, "operator=", None, &args, span))
    }

    /// `++a` and `a++` for a type of `a` with the operator.
    fn overloaded_inc_dec(
        &mut self,
        object: Operand,
        delta: i64,
        postfix: bool,
        span: Span,
    ) -> Option<Checks<Operand>> {
        let mut operands = vec![object];
        if postfix {
            // The `int` argument that marks the postfix form.
            operands.push(Operand::Value(int(0, Type::I32, span)));
        }
        self.try_overloaded(
            if delta > 0 { "operator++" } else { "operator--" },
            operands,
            span,
        )
    }

    fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Checks<Operand> {
        let (base_value, index_value) = (self.operand(base), self.value(index));
        let (base_value, mut index_value) = (base_value?, index_value?);
        let ty = operand_type(&base_value).clone();
        if let Type::Struct(id) = ty
            && self.has_method(&ty, "operator[]")
        {
            let args = [super::calls::Arg::Operand(
                Operand::Value(index_value.clone()),
                index_value,
            )];
            return self.call_method(base_value, id, "operator[]", None, &args, span);
        }
        self.check_bounds(&base_value, &index_value, index.span);
        let mut base_value = self.rvalue(base_value)?;
        // `2[a]` means `a[2]`.
        if matches!(index_value.ty, Type::Pointer(_)) {
            std::mem::swap(&mut base_value, &mut index_value);
        }
        if !matches!(base_value.ty, Type::Pointer(_)) {
            let text = self.text(&base_value.ty);
            let message = format!("`[]` needs an array or a pointer; this is `{text}`.");
            let mut diagnostic = crate::diagnostic::Diagnostic::error(base.span, message);
            if let ast::ExprKind::Index { base: matrix, .. } = &base.kind {
                let name = self.source_text(matrix.span);
                diagnostic = diagnostic.note(format!(
                    "A pointer has one index: write `{name}[row * width + column]`."
                ));
            }
            return self.report(diagnostic);
        }
        if !index_value.ty.is_integer() && index_value.ty != Type::Bool {
            let text = self.text(&index_value.ty);
            return self.error(
                index.span,
                match &index_value.ty {
                    Type::Vector(_) => format!(
                        "An index must be an integer; this is `{text}`. Use a member, such as `{}.x`.",
                        self.source_text(index.span)
                    ),
                    Type::Enum(_) => format!(
                        "An index must be an integer; this is `{text}`. Write `static_cast<int>({})`.",
                        self.source_text(index.span)
                    ),
                    _ => format!("An index must be an integer; this is `{text}`."),
                },
            );
        }
        let pointer = self.pointer_add(base_value, index_value, span)?;
        self.dereferenced(pointer, span).map(Operand::Place)
    }

    /// Warns about a constant index outside an array of known size.
    fn check_bounds(&mut self, base: &Operand, index: &Expr, span: Span) {
        if let (Operand::Place(lvalue), Some(Const::Int(index))) = (base, as_const(index))
            && let Type::Array(_, len) = lvalue.place.ty
            && len > 0
            && (index < 0 || index >= i128::from(len))
        {
            self.warn(
                span,
                format!("Subscript out of range: the index is {index}, and the array size is {len}."),
            );
        }
    }

    fn member(&mut self, base: &ast::Expr, field: &Ident, arrow: bool, span: Span) -> Checks<Operand> {
        // `threadIdx.x` is one register, not a part of a vector.
        if let ast::ExprKind::Name(name) = &base.kind
            && !arrow
            && self.lookup(name).is_none()
            && let Some(make) = dimension_variable(name)
        {
            let axis = match &*field.name {
                "x" => Axis::X,
                "y" => Axis::Y,
                "z" => Axis::Z,
                _ => {
                    let message = format!("`{name}` has the members x, y, and z, not `{}`.", field.name);
                    return self.error(field.span, message);
                }
            };
            return Ok(Operand::Value(special(make(axis), span)));
        }
        let mut whole = self.operand(base)?;
        let accessed = match operand_type(&whole) {
            Type::Pointer(pointer) if arrow => pointer.pointee.clone(),
            ty => ty.clone(),
        };
        self.check_access(&accessed, field)?;
        if arrow {
            whole = self.arrow_target(whole, base.span)?;
        }
        let ty = operand_type(&whole).clone();
        if let Some(found) = self.field(whole, &field.name, span) {
            return Ok(found);
        }
        // A static member.
        if let Type::Struct(id) = ty {
            for owner in self.self_and_bases(id) {
                let name = self.member_name(owner, &field.name);
                let symbol = name.and_then(|name| self.scope.get(&name).cloned());
                match symbol {
                    Some(Symbol::Constant(value, ty)) => {
                        return Ok(Operand::Value(constant(value, ty, span)));
                    }
                    Some(symbol) => {
                        if let Some(lvalue) = self.variable(&symbol, span) {
                            return Ok(Operand::Place(lvalue));
                        }
                    }
                    None => {}
                }
            }
        }
        self.report_no_member(&ty, field, arrow)
    }

    /// A field of an operand, by its name.
    pub(super) fn field(&mut self, whole: Operand, name: &str, span: Span) -> Option<Operand> {
        let ty = operand_type(&whole).clone();
        if matches!(ty, Type::Struct(_))
            && let Some(found) = self.special_field(&whole, name, span)
        {
            return Some(found);
        }
        // A field of the struct hides a base field with the same name, unless the base is named.
        let (num, name) = match name.rsplit_once("::") {
            Some((base, name)) => (self.num_fields_of_base(&ty, base)?, name),
            None => (usize::MAX, name),
        };
        let idx = (self.fields(&ty).iter().take(num).collect::<Vec<_>>())
            .iter()
            .rposition(|(own, ..)| *own == name)?;
        let found = self.field_at(whole, idx, span)?;
        if self.is_reference(&ty, name) {
            let pointer = self.rvalue(found).ok()?;
            return self.dereferenced(pointer, span).ok().map(Operand::Place);
        }
        Some(found)
    }

    /// Number of fields that precede the base with this name in a struct.
    fn num_fields_of_base(&mut self, ty: &Type, base: &str) -> Option<usize> {
        let Type::Struct(id) = *ty else { return None };
        let owner = self.find_base(id, base)?;
        Some(self.fields(&Type::Struct(owner)).len())
    }

    /// The field at an index of an operand.
    pub(super) fn field_at(&mut self, whole: Operand, idx: usize, span: Span) -> Option<Operand> {
        let fields = self.fields(&operand_type(&whole).clone());
        let ((_, field_ty, offset), idx) = (fields.get(idx)?, idx as u32);
        Some(match whole {
            Operand::Place(lvalue) => Operand::Place(field_of(lvalue, idx, *offset, field_ty, span)),
            Operand::Value(value) if matches!(field_ty, Type::Array(..)) => {
                let whole = self.stored_in_temporary(value);
                Operand::Place(field_of(whole, idx, *offset, field_ty, span))
            }
            Operand::Value(value) if self.needs_destroy(&value.ty) => {
                let whole = self.stored_in_temporary(value);
                Operand::Place(field_of(whole, idx, *offset, field_ty, span))
            }
            Operand::Value(value) => Operand::Value(extract(value, idx, field_ty, span)),
            // An array has no value: its elements are accessed through its address.
            Operand::Computed { .. } if matches!(field_ty, Type::Array(..)) => {
                let Operand::Place(lvalue) = self.designated(whole) else {
                    return None;
                };
                Operand::Place(field_of(lvalue, idx, *offset, field_ty, span))
            }
            Operand::Bits(_) => return None,
            Operand::Computed { value, is_const } => Operand::Computed {
                value: extract(value, idx, field_ty, span),
                is_const,
            },
        })
    }

    fn report_no_member(&mut self, ty: &Type, field: &Ident, arrow: bool) -> Checks<Operand> {
        let text = self.text(ty);
        if let Type::Pointer(pointer) = ty
            && pointer.pointee.is_aggregate()
            && !arrow
        {
            return self.error(field.span, "This is a pointer; write `->` in place of `.`.");
        }
        let names = self.field_names(ty);
        if names.is_empty() {
            return self.error(field.span, format!("A value of type `{text}` has no members."));
        }
        let near = super::nearest(&field.name, names.iter().map(String::as_str)).map(str::to_owned);
        let message = format!("`{text}` has no member `{}`", field.name);
        let diagnostic = crate::diagnostic::Diagnostic::error(field.span, String::new());
        let (end, diagnostic) = match near {
            Some(near) => (format!("; did you mean `{near}`?"), diagnostic.fix(near)),
            None => (format!("; it has {}.", names.join(", ")), diagnostic),
        };
        self.report(crate::diagnostic::Diagnostic {
            message: message + &end,
            ..diagnostic
        })
    }

    fn cast_expr(
        &mut self,
        style: CastStyle,
        ty: &TypeName,
        operand: &ast::Expr,
        span: Span,
    ) -> Checks<Operand> {
        let resolved = self.resolve(ty, None);
        if style == CastStyle::Base {
            let base = resolved?.ty;
            return self.as_base_subobject(operand, &base, span);
        }
        if resolved.as_ref().is_ok_and(|resolved| resolved.is_ref) {
            // A reference to the same memory as another type.
            let target = resolved?;
            let lvalue = if target.takes_values || target.is_const {
                match self.operand(operand)? {
                    Operand::Value(value) => self.stored_in_temporary(value),
                    other => match self.designated(other) {
                        Operand::Place(lvalue) => lvalue,
                        _ => {
                            return self
                                .error(operand.span, "A bit-field has no address; copy it to a variable.");
                        }
                    },
                }
            } else {
                self.lvalue(
                    operand,
                    "A reference must be initialized with an lvalue, not a temporary value.",
                )?
            };
            let is_volatile = lvalue.place.is_volatile || target.is_volatile;
            let from = lvalue.place.ty.clone();
            let mut address = self.address_of(lvalue, span);
            if self.derives(&from, &target.ty) {
                address = self.derived_to_base_address(address, &from, &target.ty);
            } else if self.derives(&target.ty, &from) {
                address = self.base_to_derived_address(address, &from, &target.ty);
            }
            address.ty = target.ty.clone().pointer_to();
            let mut lvalue = self.dereferenced(address, span)?;
            lvalue.expires = target.takes_values;
            lvalue.is_const = target.is_const;
            lvalue.place.is_volatile = is_volatile;
            return Ok(Operand::Place(lvalue));
        }
        if matches!(operand.kind, ast::ExprKind::List(_)) {
            return self.error(operand.span, "A list in braces cannot be cast.");
        }
        let value = self.value(operand);
        let (resolved, value) = (resolved?, value?);
        if style == CastStyle::Static {
            let between = match (&value.ty, &resolved.ty) {
                (Type::Pointer(a), Type::Pointer(b)) => {
                    let is_related =
                        self.derives(&a.pointee, &b.pointee) || self.derives(&b.pointee, &a.pointee);
                    a.pointee != Type::Void
                        && b.pointee != Type::Void
                        && a.pointee != b.pointee
                        && !is_related
                }
                (Type::Pointer(_), other) | (other, Type::Pointer(_)) => {
                    other.is_integer() && as_const(&value).is_none()
                }
                _ => false,
            };
            if let (Type::Pointer(a), Type::Pointer(b)) = (&value.ty, &resolved.ty)
                && a.pointee == b.pointee
                && a.is_const
                && !b.is_const
            {
                return self.error(span, "`static_cast` cannot remove const; use `const_cast`.");
            }
            if between {
                return self.error(
                    span,
                    "`static_cast` does not convert these pointers; use `reinterpret_cast`.",
                );
            }
        }
        self.cast(value, &resolved.ty, span).map(Operand::Value)
    }

    /// An object as its own struct or one of its bases.
    fn as_base_subobject(&mut self, operand: &ast::Expr, base: &Type, span: Span) -> Checks<Operand> {
        let object = self.operand(operand)?;
        let ty = operand_type(&object).clone();
        if ty != *base && !self.derives(&ty, base) {
            let (base, text) = (self.text(base), self.text(&ty));
            return self.error(span, format!("`{base}` is not a base of `{text}`."));
        }
        let lvalue = match self.designated(object) {
            Operand::Place(lvalue) => lvalue,
            Operand::Value(value) | Operand::Computed { value, .. } => Lvalue {
                is_const: false,
                ..self.stored_in_temporary(value)
            },
            // A bit-field is a number.
            Operand::Bits(_) => return Err(super::Reported),
        };
        let (is_const, is_volatile) = (lvalue.is_const, lvalue.place.is_volatile);
        let mut address = self.address_of(lvalue, span);
        address.ty = base.clone().pointer_to();
        let mut lvalue = self.dereferenced(address, span)?;
        lvalue.is_const = is_const;
        lvalue.place.is_volatile = is_volatile;
        Ok(Operand::Place(lvalue))
    }

    pub(super) fn construct(&mut self, ty: &TypeName, args: &[ast::Expr], span: Span) -> Checks<Expr> {
        let deduced = match &ty.base {
            ast::BaseType::Named(ident) if ty.derived.is_empty() => self.class_of_call(ident, args)?,
            _ => None,
        };
        let resolved = self.resolve(deduced.as_ref().unwrap_or(ty), None)?;
        if resolved.ty.is_aggregate() {
            return self.constructed(&resolved.ty, args, span);
        }
        match args {
            [] => {
                let zero = int(0, Type::I32, span);
                self.cast(zero, &resolved.ty, span)
            }
            [arg] => {
                let value = self.value(arg)?;
                self.cast(value, &resolved.ty, span)
            }
            _ => {
                let text = self.text(&resolved.ty);
                self.error(span, format!("`{text}` takes one value, not {}.", args.len()))
            }
        }
    }
}

/// The result of an operator that modified a place: the place.
const fn changed(value: Expr) -> Operand {
    Operand::Computed {
        value,
        is_const: false,
    }
}

/// A member of a value.
fn extract(base: Expr, field: u32, ty: &Type, span: Span) -> Expr {
    let base = Box::new(base);
    expr(ExprKind::Extract { base, field }, ty.clone(), span)
}

/// A member of a place.
fn field_of(whole: Lvalue, field: u32, offset: u32, ty: &Type, span: Span) -> Lvalue {
    let is_volatile = whole.place.is_volatile;
    let kind = PlaceKind::Field {
        base: Box::new(whole.place),
        field,
        offset,
    };
    Lvalue {
        place: Place {
            kind,
            ty: ty.clone(),
            is_volatile,
            span,
        },
        is_const: whole.is_const,
        constant: None,
        expires: false,
    }
}

/// A special register of the thread.
fn special(builtin: Builtin, span: Span) -> Expr {
    let kind = ExprKind::Builtin {
        builtin,
        args: Vec::new(),
    };
    expr(kind, Type::U32, span)
}

/// The built-in three-component variable that a name denotes.
fn dimension_variable(name: &str) -> Option<fn(Axis) -> Builtin> {
    match name {
        "threadIdx" => Some(Builtin::ThreadIdx),
        "blockIdx" => Some(Builtin::BlockIdx),
        "blockDim" => Some(Builtin::BlockDim),
        "gridDim" => Some(Builtin::GridDim),
        _ => None,
    }
}
