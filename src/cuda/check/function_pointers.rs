//! Pointers to functions. The address of a function is its number, from 1, among the functions whose address is
//! taken. A call through a pointer compares the pointer with each function of the same type and calls the match, so
//! the compiler knows all callees. A chip jumps to the address instead; the lanes' values are the same.
//!
//! A type `R(P…)` is an empty struct with an `operator()`. The checker creates its body after it has checked all
//! other bodies.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::calls::Arg;
use super::names::load;
use super::ops::{compare, return_if};
use super::{Checker, Checks, Operand, ParamInfo, Progress, constant, expr};
use crate::ast::{self, Name, TypeName};
use crate::hir::{
    Builtin, CompareOp, Const, Expr, ExprKind, FuncId, Local, LocalId, Stmt, StmtKind, Struct, StructId, Type,
};
use crate::limits::Limit;
use engine::ids::Span;

/// A function type, `R(P…)`.
#[derive(Clone, Debug)]
pub(super) struct FunctionType {
    id: StructId,
    /// Its `operator()`.
    call: FuncId,
    params: Vec<ParamInfo>,
    ret: ParamInfo,
}

/// Maximum number of characters of the name of a function type. Assumption: longer than those of programs.
const MAX_NAME: usize = 1000;

impl Checker {
    /// The function type with parameters `params`. The steps of `name` up to `idx` form the return type.
    pub(super) fn function_type(
        &mut self,
        name: &TypeName,
        idx: usize,
        params: &[ast::Param],
    ) -> Checks<Type> {
        self.require(200, "A pointer to a function", name.span);
        let ret = TypeName {
            derived: name.derived[..idx].to_vec(),
            ..name.clone()
        };
        let resolved = self.resolve(&ret, None)?;
        let result = ParamInfo {
            ty: resolved.ty,
            is_ref: resolved.is_ref,
            takes_values: false,
            is_const: resolved.is_const,
            is_volatile: resolved.is_volatile,
        };
        let mut infos = Vec::new();
        for param in params {
            infos.push(self.param(param, false)?);
        }
        let known = self.function_types.iter().find(|known| {
            known.ret.is_same(&result)
                && known.params.len() == infos.len()
                && known.params.iter().zip(&infos).all(|(a, b)| a.is_same(b))
        });
        if let Some(known) = known {
            return Ok(Type::Struct(known.id));
        }
        let text = |info: &ParamInfo| {
            let text = self.text(&info.ty);
            if info.is_ref { format!("{text} &") } else { text }
        };
        if self.function_types.len() as u64 >= Limit::FunctionTypes.most() {
            return self.stop(Limit::FunctionTypes.exceeded(name.span));
        }
        let texts: Vec<String> = infos.iter().map(text).collect();
        let text = format!("{}({})", text(&result), texts.join(", "));
        // A type of functions of functions of functions has a long name.
        let text = crate::diagnostic::clipped(&text, MAX_NAME).into_owned();
        let id = StructId(self.structs.len() as u32);
        self.structs.push(Struct {
            name: text.clone(),
            fields: Vec::new(),
            size: 0,
            align: 1,
            is_function: true,
        });
        let tree = ast::Lambda {
            others: ast::Captures::None,
            captures: Vec::new(),
            has_this: false,
            names: BTreeSet::new(),
            params: Vec::new(),
            function: Arc::new(caller(ret, params, name.span)),
        };
        self.define_closure(&tree, id, &format!("(function type {})", id.0), Vec::new())?;
        let Some(call) = self.call_operator(id) else {
            return Err(self.poisoned());
        };
        self.functions[call.0 as usize].progress = Progress::Done;
        self.function_types.push(FunctionType {
            id,
            call,
            params: infos,
            ret: result,
        });
        Ok(Type::Struct(id))
    }

    /// Whether a type is a pointer to a function.
    pub(super) fn is_function_pointer(&self, ty: &Type) -> bool {
        let Type::Pointer(pointer) = ty else { return false };
        self.is_function_type(&pointer.pointee)
    }

    /// Whether a type is `R(P…)`.
    pub(super) fn is_function_type(&self, ty: &Type) -> bool {
        matches!(ty, Type::Struct(id) if self.structs[id.0 as usize].is_function)
    }

    /// The only `operator()` of a struct, if it is not a template.
    fn call_operator(&self, id: StructId) -> Option<FuncId> {
        let whole = self.member_name(id, "operator()")?;
        match self.by_name.get(&whole)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Whether a type is that of an object that represents a function.
    pub(super) fn is_function(&self, ty: &Type) -> bool {
        self.function_of(ty).is_some()
    }

    /// The function that a stateless object represents: a captureless lambda, or a function name.
    fn function_of(&self, ty: &Type) -> Option<FuncId> {
        let Type::Struct(id) = ty else { return None };
        let is_plain = self.is_closure(*id) && self.structs[id.0 as usize].fields.is_empty();
        if is_plain && !self.is_function_type(ty) {
            self.call_operator(*id)
        } else {
            None
        }
    }

    /// Whether an object converts to a function pointer.
    pub(super) fn is_address_of_function(&self, from: &Type, to: &Type) -> bool {
        let Type::Pointer(to) = to else { return false };
        let Some(known) = self
            .function_types
            .iter()
            .find(|known| Type::Struct(known.id) == to.pointee)
        else {
            return false;
        };
        let Some(function) = self.function_of(from) else {
            return false;
        };
        let entry = &self.functions[function.0 as usize];
        let params = entry.params.iter().zip(&known.params);
        // The type of an `auto` result is known after the call.
        (entry.is_auto || entry.ret.is_same(&known.ret))
            && entry.params.len() == known.params.len()
            && params.into_iter().all(|(a, b)| a.is_same(b))
    }

    /// The address of the function that an object represents.
    pub(super) fn function_address(&mut self, value: &Expr, to: &Type) -> Checks<Expr> {
        let Some(function) = self.function_of(&value.ty) else {
            return Err(self.poisoned());
        };
        let known = self.addresses.iter().position(|known| *known == function);
        let idx = known.unwrap_or_else(|| {
            self.addresses.push(function);
            self.addresses.len() - 1
        });
        self.body.calls.entry(function).or_insert(value.span);
        let entry = &mut self.functions[function.0 as usize];
        if entry.is_on_demand() && entry.first_call.is_none() {
            entry.first_call = Some(self.body.first_call.unwrap_or(value.span));
            self.called.push(function);
        }
        Ok(constant(Const::Int(idx as i128 + 1), to.clone(), value.span))
    }

    /// `&f`, where `f` is a function.
    pub(super) fn named_function(&mut self, operand: &ast::Expr) -> Option<Operand> {
        let ast::ExprKind::Name(name) = &operand.kind else {
            return None;
        };
        let mut objects = self.body.this.into_iter().chain(self.body.closure);
        if self.lookup(name).is_some() || objects.any(|id| self.has_field(&Type::Struct(id), name)) {
            return None;
        }
        self.function_object(name, operand.span)
    }

    /// A call of the function with a known address.
    pub(super) fn call_address(&mut self, address: i128, args: &[Arg<'_>], span: Span) -> Checks<Operand> {
        let Some(function) = self.function_at(address) else {
            return self.error(span, "This pointer to a function is null.");
        };
        let entry = &self.functions[function.0 as usize];
        let (num, is_const, class) = (entry.params.len(), entry.ast.is_const, entry.class);
        let Some(class) = class else {
            return Err(self.poisoned());
        };
        if args.len() != num {
            let message = format!("This function takes {num} arguments, not {}.", args.len());
            return self.error(span, message);
        }
        // The object that represents a function has no contents.
        let this = constant(Const::Int(0), Self::this_type(class, is_const), span);
        self.call_on(function, Some(this), args, span)
    }

    /// The function with an address.
    fn function_at(&self, address: i128) -> Option<FuncId> {
        let idx = usize::try_from(address.checked_sub(1)?).ok()?;
        self.addresses.get(idx).copied()
    }

    /// The name of the function with an address, as written.
    pub(super) fn function_name(&self, address: i128) -> String {
        let class = (self.function_at(address)).and_then(|id| self.functions[id.0 as usize].class);
        let name = class.map_or("", |class| &*self.structs[class.0 as usize].name);
        let name = name
            .strip_prefix("(function ")
            .and_then(|name| name.strip_suffix(')'));
        name.unwrap_or("nullptr").to_owned()
    }

    /// The type of a pointer to the function that an object represents.
    pub(super) fn pointer_to_function(&mut self, value: &Expr) -> Option<Checks<Type>> {
        let function = self.function_of(&value.ty)?;
        let entry = &self.functions[function.0 as usize];
        if entry.is_auto || entry.params.iter().any(|param| param.is_ref) || entry.ret.is_ref {
            return None;
        }
        let ret = TypeName::known(entry.ret.ty.clone(), value.span);
        let params: Vec<ast::Param> = entry.ast.params.clone();
        let types: Vec<Type> = entry.params.iter().map(|param| param.ty.clone()).collect();
        let params: Vec<ast::Param> = (params.into_iter().zip(types))
            .map(|(param, ty)| ast::Param {
                ty: TypeName::known(ty, value.span),
                ..param
            })
            .collect();
        let ty = self.function_type(&ret, 0, &params);
        Some(ty.map(Type::pointer_to))
    }

    /// The function that an argument names for a template parameter of a pointer type.
    pub(super) fn function_argument(&mut self, value: &ast::Expr, to: &Type) -> Checks<Expr> {
        let mut named = value;
        while let ast::ExprKind::Prefix(ast::PrefixOp::AddressOf, operand) = &named.kind {
            named = operand;
        }
        let Type::Pointer(pointer) = to else {
            return self.value(value);
        };
        let known = self
            .function_types
            .iter()
            .find(|known| Type::Struct(known.id) == pointer.pointee);
        let Some(known) = known.cloned() else {
            return self.value(value);
        };
        let object = match &named.kind {
            ast::ExprKind::Name(name) if self.lookup(name).is_none() => {
                self.function_named(name, None, &known, named.span)?
            }
            ast::ExprKind::Instance { name, args } => {
                self.function_named(&name.name, Some(args), &known, named.span)?
            }
            ast::ExprKind::StaticMember {
                ty,
                member,
                template_args: None,
                args: None,
            } => match self.resolve(ty, None)?.ty {
                Type::Struct(id) => {
                    let whole = self.member_name(id, &member.name);
                    let own = whole.and_then(|whole| self.by_name.get(&whole));
                    let own = own.cloned().unwrap_or_default();
                    self.chosen_overload(&own, &known)
                        .and_then(|id| self.function_object_of(id, None, named.span))
                }
                _ => None,
            },
            _ => None,
        };
        match object {
            Some(Operand::Value(object)) => Ok(object),
            _ => self.value(value),
        }
    }

    /// The function of a pointer's type among overloads.
    fn chosen_overload(&self, ids: &[FuncId], known: &FunctionType) -> Option<FuncId> {
        let fits = |id: &&FuncId| {
            let entry = &self.functions[id.0 as usize];
            entry.params.len() == known.params.len()
                && (entry.params.iter().zip(&known.params)).all(|(a, b)| a.is_same(b))
        };
        ids.iter().find(fits).copied()
    }

    fn function_named(
        &mut self,
        name: &str,
        args: Option<&[ast::TemplateArg]>,
        known: &FunctionType,
        span: Span,
    ) -> Checks<Option<Operand>> {
        if args.is_none() {
            let own = self.functions_called(name, &[]);
            if let Some(id) = self.chosen_overload(&own, known) {
                return Ok(self.function_object_of(id, None, span));
            }
        }
        let types: Vec<Type> = known.params.iter().map(|param| param.ty.clone()).collect();
        if let Some((id, args)) = self.instance_with_parameters(name, args, &types, span)? {
            return Ok(self.function_object_of(id, Some((name, args)), span));
        }
        // A function of the built-in library is selected by the types of the arguments.
        let is_library = args.is_none()
            && !self.has_function(name)
            && (super::builtins::names().any(|known| known == name) || crate::builtins::is_in_library(name));
        if !is_library {
            return Ok(None);
        }
        let key = (Name::from(name), known.id.0);
        if let Some(object) = self.library_objects.get(&key) {
            let kind = ExprKind::Aggregate(Vec::new());
            return Ok(Some(Operand::Value(expr(kind, Type::Struct(*object), span))));
        }
        let params = known.params.iter().zip(0usize..).map(|(param, idx)| ast::Param {
            name: Some(ast::Ident {
                name: format!("a{idx}").into(),
                span,
            }),
            ty: TypeName::known(param.ty.clone(), span),
            default: None,
            is_pack: false,
        });
        let mut tree = caller(
            TypeName::known(known.ret.ty.clone(), span),
            &params.collect::<Vec<_>>(),
            span,
        );
        tree.name.name = name.into();
        let object = self.object_calling(&tree, name, None, span);
        if let Type::Struct(id) = super::ops::operand_type(&object) {
            self.library_objects.insert(key, *id);
        }
        Ok(Some(object))
    }

    /// Two functions as pointers, if they have the same type.
    pub(super) fn as_pointers(&mut self, a: &Expr, b: &Expr) -> Option<Type> {
        let known: Vec<Type> = self
            .function_types
            .iter()
            .map(|known| Type::Struct(known.id).pointer_to())
            .collect();
        known
            .into_iter()
            .find(|to| self.is_address_of_function(&a.ty, to) && self.is_address_of_function(&b.ty, to))
    }

    /// Creates the bodies of calls through pointers after all taken addresses are known.
    pub(super) fn check_calls_through_pointers(&mut self) {
        for known in self.function_types.clone() {
            let to = Type::Struct(known.id).pointer_to();
            let mut locals = vec![self.own_local("this", Self::this_type(known.id, true), Span::default())];
            for param in &known.params {
                locals.push(self.own_local("", param.passed_type(), Span::default()));
            }
            let mut stmts = Vec::new();
            for (idx, function) in self.addresses.clone().into_iter().enumerate() {
                let Some(class) = self.functions[function.0 as usize].class else {
                    continue;
                };
                if self.is_address_of_function(&Type::Struct(class), &to) {
                    stmts.push(self.chosen(function, class, idx, &known, &locals));
                    let span = self.functions[known.call.0 as usize].ast.name.span;
                    let calls = &mut self.functions[known.call.0 as usize].calls;
                    calls.entry(function).or_insert(span);
                }
            }
            let span = self.functions[known.call.0 as usize].ast.name.span;
            let kind = ExprKind::Builtin {
                builtin: Builtin::Trap,
                args: Vec::new(),
            };
            stmts.push(Stmt {
                kind: StmtKind::Expr(expr(kind, Type::Void, span)),
                span,
            });
            let hir = &mut self.functions[known.call.0 as usize].hir;
            hir.locals = locals;
            hir.body = stmts;
        }
    }

    /// `if (pointer == address) return function(args);`
    fn chosen(
        &self,
        function: FuncId,
        class: StructId,
        idx: usize,
        known: &FunctionType,
        locals: &[Local],
    ) -> Stmt {
        let span = self.functions[known.call.0 as usize].ast.name.span;
        let value = |idx: usize| {
            load(crate::hir::Place {
                kind: crate::hir::PlaceKind::Local(LocalId(idx as u32)),
                ty: locals[idx].ty.clone(),
                is_volatile: false,
                span,
            })
        };
        let address = constant(Const::Int(idx as i128 + 1), locals[0].ty.clone(), span);
        let is_const = self.functions[function.0 as usize].ast.is_const;
        let mut args = vec![constant(Const::Int(0), Self::this_type(class, is_const), span)];
        args.extend((1..locals.len()).map(value));
        let ret = known.ret.passed_type();
        let call = expr(ExprKind::Call { function, args }, ret.clone(), span);
        return_if(compare(CompareOp::Eq, value(0), address, span), call, &ret, span)
    }
}

/// `operator()` with these parameters. Its body is created later.
fn caller(ret: TypeName, params: &[ast::Param], span: Span) -> ast::Function {
    ast::Function {
        params: params.to_vec(),
        is_const: true,
        ..ast::Function::empty("operator()", ret, span)
    }
}
