//! Virtual functions. An object of a class with virtual functions has a hidden member: the number of its class, which
//! each constructor stores. A virtual call compares this number with the classes that the function can belong to, so
//! the compiler knows all callees. A chip loads the address of the function from a table instead; the values are the
//! same.
//!
//! For each virtual function there is another function with the same parameters, which virtual calls use. The checker
//! creates its body after it has checked all other bodies.

use std::sync::Arc;

use super::classes::declare::is_defaulted_constructor;
use super::names::{deref, load};
use super::ops::{assign, compare, return_if};
use super::{Checker, Lvalue, Operand, Progress, expr, int};
use crate::ast::{self, CONSTRUCTOR, DESTRUCTOR, Member, StructDef, TypeName};
use crate::hir::{
    Builtin, CompareOp, Expr, ExprKind, FuncId, Local, LocalId, Place, PlaceKind, Stmt, StmtKind, StructId,
    Type,
};
use engine::ids::Span;

/// The hidden member of objects with virtual functions.
pub(super) const VIRTUAL_TABLE: &str = "(virtual table)";

/// The number of a class in the hidden member. 0 is no class.
fn number_of(class: StructId) -> i128 {
    i128::from(class.0) + 1
}

impl Checker {
    /// Whether a class has virtual functions.
    pub(super) fn is_polymorphic(&self, id: StructId) -> bool {
        self.classes.get(&id.0).is_some_and(|class| class.is_polymorphic)
    }

    /// Registers a member function if it is virtual: by its declaration, or by that of a base.
    pub(super) fn declare_virtual(&mut self, function: FuncId, class: StructId) {
        let entry = &self.functions[function.0 as usize];
        let is_constructor = &*entry.ast.name.name == CONSTRUCTOR;
        if is_constructor || !entry.has_this || self.virtuals.contains_key(&function) {
            return;
        }
        let overrides = |base: &StructId| self.overrider(function, *base).is_some();
        let is_virtual =
            entry.ast.specifiers.is_virtual || self.self_and_bases(class).iter().skip(1).any(overrides);
        if !is_virtual {
            return;
        }
        let span = entry.ast.name.span;
        let mut tree = (*entry.ast).clone();
        tree.name.name = format!("(virtual) {} {}", tree.name.name, function.0).into();
        tree.inits = Vec::new();
        tree.body = Some(ast::Block {
            stmts: Vec::new(),
            end: span,
        });
        if let Ok(dispatcher) = self.declare_function(&Arc::new(tree), false) {
            self.functions[dispatcher.0 as usize].progress = Progress::Done;
            self.virtuals.insert(function, dispatcher);
        }
        // A call can reach the function of any class.
        let entry = &mut self.functions[function.0 as usize];
        if entry.is_on_demand() && entry.first_call.is_none() && entry.ast.body.is_some() {
            entry.first_call = Some(span);
            self.called.push(function);
        }
    }

    /// Declares the constructor and the destructor that a class with virtual functions has without declaring them.
    pub(super) fn declare_implicit_members(&mut self, def: &StructDef, id: StructId) {
        let span = def.name.as_ref().map_or_else(Span::default, |name| name.span);
        let declares = |name: &str| {
            def.members.iter().any(|member| match member {
                Member::Function(function) => {
                    &*function.name.name == name
                        && (!function.is_defaulted || is_defaulted_constructor(function))
                }
                Member::Template(template) => &*template.function.name.name == name,
                _ => false,
            })
        };
        if !declares(CONSTRUCTOR) {
            let _ = self.declare_function(&Arc::new(implicit(CONSTRUCTOR, span)), false);
        }
        let has_virtual_destructor = (self.self_and_bases(id).into_iter().skip(1)).any(|base| {
            self.destructor_of(base)
                .is_some_and(|known| self.virtuals.contains_key(&known))
        });
        if has_virtual_destructor && !declares(DESTRUCTOR) {
            if let Some(class) = self.classes.get_mut(&id.0) {
                class.has_destructor = true;
                self.has_destructors = true;
            }
            if let Ok(declared) = self.declare_function(&Arc::new(implicit(DESTRUCTOR, span)), false) {
                self.declare_virtual(declared, id);
            }
        }
    }

    fn destructor_of(&self, id: StructId) -> Option<FuncId> {
        let name = self.member_name(id, DESTRUCTOR)?;
        self.by_name.get(&name)?.first().copied()
    }

    /// The function that virtual calls of the destructor of a class use.
    pub(super) fn virtual_destructor(&self, id: StructId) -> Option<FuncId> {
        let mut owners = self.self_and_bases(id).into_iter();
        let known = owners.find_map(|owner| self.destructor_of(owner))?;
        self.virtuals.get(&known).copied()
    }

    /// The function that a virtual call of a function uses; the function itself if it is not virtual.
    pub(super) fn dispatcher(&self, function: FuncId) -> FuncId {
        self.virtuals.get(&function).copied().unwrap_or(function)
    }

    /// The virtual function of a class that is, or overrides, a function with this name and these parameters.
    fn overrider(&self, function: FuncId, class: StructId) -> Option<FuncId> {
        let name = super::items::own_name(&self.functions[function.0 as usize].ast.name.name);
        let whole = self.member_name(class, &name)?;
        let own = self.by_name.get(&whole)?;
        own.iter().copied().find(|id| {
            *id == function || (self.virtuals.contains_key(id) && self.has_same_parameters(*id, function))
        })
    }

    /// Stores the number of a class in the object at `this`.
    pub(super) fn set_virtual_table(&mut self, id: StructId, span: Span, out: &mut Vec<Stmt>) {
        if !self.is_polymorphic(id) {
            return;
        }
        let fields = self.structs[id.0 as usize].fields.clone();
        for (idx, _) in fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.name == VIRTUAL_TABLE)
        {
            let Some(this) = self.this(span) else { return };
            let object = Operand::Place(Lvalue {
                place: deref(this, false),
                is_const: false,
                constant: None,
                expires: false,
            });
            if let Some(Operand::Place(table)) = self.field_at(object, idx, span) {
                let number = int(number_of(id), Type::U64, span);
                out.push(Stmt {
                    kind: StmtKind::Expr(assign(table.place, number, span)),
                    span,
                });
            }
        }
    }

    /// Creates the bodies of the functions that virtual calls use, after all classes are known.
    pub(super) fn check_virtual_calls(&mut self) {
        for (function, dispatcher) in self.virtuals.clone() {
            let entry = &self.functions[function.0 as usize];
            let (Some(base), span, is_const) = (entry.class, entry.ast.name.span, entry.ast.is_const) else {
                continue;
            };
            let ret = entry.ret.passed_type();
            let mut types = vec![Self::this_type(base, is_const)];
            types.extend(entry.params.iter().map(super::ParamInfo::passed_type));
            let num_params = types.len();
            types.push(Type::U64);
            let locals: Vec<Local> = types.into_iter().map(|ty| self.own_local("", ty, span)).collect();
            let value = |idx: usize| load(local_place(&locals, idx, span));
            let mut stmts = Vec::new();
            if let Some(table) = self.virtual_table_at(value(0), base) {
                stmts.push(Stmt {
                    kind: StmtKind::Expr(assign(local_place(&locals, num_params, span), table, span)),
                    span,
                });
            }
            let classes: Vec<StructId> = self.classes.keys().map(|id| StructId(*id)).collect();
            for class in classes {
                let owners = self.self_and_bases(class);
                if !self.is_polymorphic(class) || !owners.contains(&base) {
                    continue;
                }
                let found = owners
                    .iter()
                    .find_map(|owner| Some((*owner, self.overrider(function, *owner)?)));
                let Some((owner, callee)) =
                    found.filter(|(_, callee)| self.functions[callee.0 as usize].ast.body.is_some())
                else {
                    continue;
                };
                let (of_base, of_class) = (Type::Struct(base), Type::Struct(class));
                let this = self.base_to_derived_address(value(0), &of_base, &of_class);
                let this = self.derived_to_base_address(this, &of_class, &Type::Struct(owner));
                let mut args = vec![this];
                args.extend((1..num_params).map(value));
                let call = self.virtual_callee(callee, args, &ret, span);
                let number = int(number_of(class), Type::U64, span);
                stmts.push(return_if(
                    compare(CompareOp::Eq, value(num_params), number, span),
                    call,
                    &ret,
                    span,
                ));
                let calls = &mut self.functions[dispatcher.0 as usize].calls;
                calls.entry(callee).or_insert(span);
            }
            let kind = ExprKind::Builtin {
                builtin: Builtin::Trap,
                args: Vec::new(),
            };
            stmts.push(Stmt {
                kind: StmtKind::Expr(expr(kind, Type::Void, span)),
                span,
            });
            let hir = &mut self.functions[dispatcher.0 as usize].hir;
            hir.locals = locals;
            hir.body = stmts;
        }
    }

    /// The number of the class of the object at an address.
    fn virtual_table_at(&self, mut address: Expr, class: StructId) -> Option<Expr> {
        let fields = &self.structs[class.0 as usize].fields;
        let table = fields.iter().find(|field| field.name == VIRTUAL_TABLE)?;
        self.offset_pointer(&mut address, &Type::U64, i128::from(table.offset));
        Some(load(deref(address, false)))
    }

    /// A call of an overrider, whose result can be a pointer to a derived class.
    fn virtual_callee(&self, function: FuncId, args: Vec<Expr>, ret: &Type, span: Span) -> Expr {
        let own = self.functions[function.0 as usize].ret.passed_type();
        let call = expr(ExprKind::Call { function, args }, own.clone(), span);
        match (&own, ret) {
            (Type::Pointer(from), Type::Pointer(to)) if own != *ret => {
                let mut call = self.derived_to_base_address(call, &from.pointee, &to.pointee);
                call.ty = ret.clone();
                call
            }
            _ => call,
        }
    }
}

fn local_place(locals: &[Local], idx: usize, span: Span) -> Place {
    Place {
        kind: PlaceKind::Local(LocalId(idx as u32)),
        ty: locals[idx].ty.clone(),
        is_volatile: false,
        span,
    }
}

/// A constructor or destructor without parameters and with an empty body.
fn implicit(name: &str, span: Span) -> ast::Function {
    ast::Function::empty(name, TypeName::known(Type::Void, span), span)
}
