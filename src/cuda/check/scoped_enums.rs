//! Scoped enums: the valid operations, and their replacement by the underlying type.

use super::names::Symbol;
use super::ops::{compare, converted, is_arithmetic};
use super::{Checker, Checks};
use crate::ast::{self, Ident, Name};
use crate::diagnostic::Diagnostic;
use crate::hir::{
    CompareOp, Const, Expr, ExprKind, Function, Init, Local, Place, PlaceKind, Stmt, StmtKind, Type, Unit,
};
use engine::ids::Span;

/// A value of a scoped enum as a value of the underlying type.
pub(super) fn as_integer(mut value: Expr) -> Expr {
    let ty = value.ty.representation().clone();
    value.ty = ty;
    value
}

/// The value of a `case` label, converted to the type in which the `switch` compares.
pub(super) fn wrapped_case(value: i128, switched: &Type) -> i128 {
    super::fold::wrap(value, &super::ops::promoted(switched.representation()))
}

/// The suggestion for a scoped enum value where a number is needed.
pub(super) fn remedy(from: &Type) -> Option<String> {
    from.is_scoped_enum()
        .then(|| "A scoped enum does not convert implicitly; write `static_cast<int>(…)`.".to_owned())
}

impl Checker {
    /// An explicit conversion between a scoped enum and a number or another scoped enum; `None` if neither type is a
    /// scoped enum, or if there is no such conversion.
    pub(super) fn cast_of_scoped_enum(&self, value: &Expr, to: &Type) -> Option<Expr> {
        let has_enum = value.ty.is_scoped_enum() || to.is_scoped_enum();
        if !has_enum || !is_arithmetic(value.ty.representation()) || !is_arithmetic(to.representation()) {
            return None;
        }
        let mut converted = converted(as_integer(value.clone()), to.representation());
        converted.ty = to.clone();
        Some(converted)
    }

    /// The enumerators of an enum with their values, and the type of the values; `None` if the name is not an enum.
    pub(super) fn find_enum(&self, name: &str) -> Option<(Vec<(Name, i128)>, Type)> {
        match self.lookup_scope(name)? {
            Symbol::Enum(values, ty) => Some((values.clone(), ty.clone())),
            Symbol::Type {
                ty: Type::Enum(scoped),
                ..
            } => match self.lookup(&scoped.name)? {
                Symbol::Enum(values, ty) => Some((values.clone(), ty.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// `using enum name;`: the enumerators are visible in this scope without the enum's name.
    pub(super) fn use_enum(&mut self, name: &Ident) {
        let Some((values, ty)) = self.find_enum(&name.name) else {
            if !matches!(self.lookup(&name.name), Some(Symbol::Poison)) {
                let message = format!("`{}` is not an enum that is declared here.", name.name);
                let _ = self.error::<()>(name.span, message);
            }
            return;
        };
        for (value_name, value) in values {
            let whole = self.whole(&value_name);
            let scope = self.body.scopes.last().unwrap_or(&self.scope);
            // The same enumerator of the same enum can be visible already.
            if let Some(Symbol::Constant(Const::Int(known), known_ty)) = scope.get(&whole)
                && (*known, known_ty) == (value, &ty)
            {
                continue;
            }
            let ident = Ident {
                name: value_name,
                span: name.span,
            };
            self.declare(&ident, Symbol::Constant(Const::Int(value), ty.clone()));
        }
    }

    /// The comparison of two values of one scoped enum; `None` for other types.
    pub(super) fn compared_enums(op: CompareOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<Expr> {
        (lhs.ty.is_scoped_enum() && lhs.ty == rhs.ty)
            .then(|| compare(op, as_integer(lhs.clone()), as_integer(rhs.clone()), span))
    }

    /// The value of a `case` label.
    ///
    /// # Errors
    /// The value is not a constant expression, or it has another type.
    pub(super) fn case_value(&mut self, label: &ast::Expr, switched: &Type) -> Checks<i128> {
        let value = self.value(label)?;
        if (value.ty.is_scoped_enum() || switched.is_scoped_enum()) && value.ty != *switched {
            let (found, wanted) = (self.text(&value.ty), self.text(switched));
            let message = format!("This case has the type `{found}`; the `switch` is over `{wanted}`.");
            let diagnostic = Diagnostic::error(label.span, message);
            return self.report(diagnostic.note(format!(
                "Name a value of `{wanted}`, or convert it with `static_cast<{wanted}>(…)`."
            )));
        }
        self.known_integer(&value, "The value of a `case` label")
    }
}

/// Replaces scoped enums by their underlying types.
pub(super) struct Representation;

impl Representation {
    /// Replaces the scoped enums of a complete program.
    pub(super) fn unit(&self, unit: &mut Unit) {
        unit.functions
            .iter_mut()
            .for_each(|function| self.function(function));
        unit.globals
            .iter_mut()
            .for_each(|global| Self::ty(&mut global.ty));
        let fields = unit.structs.iter_mut().flat_map(|of| &mut of.fields);
        fields.for_each(|field| Self::ty(&mut field.ty));
    }

    pub(super) fn local(&self, local: &mut Local) {
        Self::ty(&mut local.ty);
    }

    fn function(&self, function: &mut Function) {
        Self::ty(&mut function.ret);
        function.locals.iter_mut().for_each(|local| self.local(local));
        self.stmts(&mut function.body);
    }

    fn ty(ty: &mut Type) {
        match ty {
            Type::Enum(scoped) => *ty = scoped.underlying.clone(),
            Type::Pointer(pointer) => Self::ty(&mut pointer.pointee),
            Type::Array(elem, _) => Self::ty(elem),
            _ => {}
        }
    }

    fn stmts(&self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Expr(value) | StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::Declare { init, .. } => match init {
                Some(Init::Value(value)) => self.expr(value),
                Some(Init::Parts { parts, .. }) => parts.iter_mut().for_each(|(_, part)| self.expr(part)),
                None => {}
            },
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                self.stmts(init);
                cond.iter_mut().chain(step).for_each(|part| self.expr(part));
                self.stmt(body);
            }
            StmtKind::Switch { value, arms } => {
                self.expr(value);
                for arm in arms {
                    self.stmts(&mut arm.body);
                }
            }
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Label(_)
            | StmtKind::Goto(_) => {}
        }
    }

    fn exprs(&self, exprs: &mut [Expr]) {
        for part in exprs {
            self.expr(part);
        }
    }

    fn expr(&self, e: &mut Expr) {
        Self::ty(&mut e.ty);
        match &mut e.kind {
            ExprKind::Const(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place),
            ExprKind::IncDec { place, .. } => self.place(place),
            ExprKind::Assign { place, value } => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::CompoundAssign {
                place,
                compute,
                value,
                ..
            } => {
                self.place(place);
                Self::ty(compute);
                self.expr(value);
            }
            ExprKind::PtrAssign { place, index, .. } => {
                self.place(place);
                self.expr(index);
            }
            ExprKind::Unary { operand, .. } | ExprKind::Convert(operand) | ExprKind::Bitcast(operand) => {
                self.expr(operand);
            }
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Compare { lhs, rhs, .. }
            | ExprKind::Logical { lhs, rhs, .. }
            | ExprKind::PtrDiff { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Comma { first, second } => {
                self.expr(first);
                self.expr(second);
            }
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.expr(ptr);
                self.expr(index);
            }
            ExprKind::Call { args, .. } | ExprKind::Builtin { args, .. } | ExprKind::Aggregate(args) => {
                self.exprs(args);
            }
            ExprKind::Extract { base, .. } => self.expr(base),
        }
    }

    fn place(&self, place: &mut Place) {
        Self::ty(&mut place.ty);
        match &mut place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field { base, .. } => self.place(base),
        }
    }
}
