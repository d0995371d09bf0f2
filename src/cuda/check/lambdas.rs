//! Lambdas: objects of a closure type with a field for each capture and an `operator()`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::names::{Symbol, load};
use super::ops::operand_type;
use super::{Checker, Checks, Lvalue, Operand, expr};
use crate::ast::{self, Captures, ExprKind as AstKind, Name};
use crate::hir::{Expr, ExprKind, Field, FuncId, LocalId, Pointer, Storage, Struct, StructId, Type};
use engine::ids::Span;

/// The name of the field that holds the captured `this`.
const THIS: &str = "(this)";

impl Checker {
    /// The closure object of a lambda.
    pub(super) fn lambda(&mut self, lambda: &Arc<ast::Lambda>, span: Span) -> Checks<Operand> {
        let captured = self.captured(lambda)?;
        let tree = Arc::as_ptr(lambda) as usize;
        if let Some(known) = self.body.lambdas.get(&tree) {
            let known = *known;
            let values = captured.into_iter().map(|(_, value, _)| value).collect();
            return self.closure_of(known, values, span);
        }
        let id = StructId(self.structs.len() as u32);
        let (mut offset, mut align) = (0u32, 1u32);
        let mut fields = Vec::new();
        let mut references = Vec::new();
        let mut values = Vec::new();
        for (name, value, is_reference) in captured {
            let ty = value.ty.clone();
            let field_align = self.align_of(&ty);
            offset = offset.next_multiple_of(field_align);
            align = align.max(field_align);
            fields.push(Field {
                name: name.to_string(),
                ty: ty.clone(),
                offset,
            });
            offset += self.size_of(&ty) as u32;
            if is_reference {
                references.push(name.to_string());
            }
            values.push(value);
        }
        let name = format!("(lambda {})", id.0);
        self.structs.push(Struct {
            name: name.clone(),
            fields,
            size: offset.max(1).next_multiple_of(align),
            align,
            is_function: false,
        });
        self.define_closure(lambda, id, &name, references)?;
        self.body.lambdas.insert(tree, id);
        self.closure_of(id, values, span)
    }

    /// The closure object of a lambda from its captures.
    fn closure_of(&mut self, id: StructId, values: Vec<Expr>, span: Span) -> Checks<Operand> {
        let ty = Type::Struct(id);
        if !values.iter().any(|value| matches!(value.ty, Type::Array(..))) {
            return Ok(Operand::Value(expr(ExprKind::Aggregate(values), ty, span)));
        }
        let kept = self.temporary(ty, span);
        let object = self.local_place(kept, span);
        let mut made: Option<Expr> = None;
        for (idx, value) in values.into_iter().enumerate() {
            let whole = Operand::Place(Lvalue {
                place: object.clone(),
                is_const: false,
                constant: None,
                expires: false,
            });
            let Some(Operand::Place(field)) = self.field_at(whole, idx, span) else {
                continue;
            };
            let store = match value.kind {
                // An array is captured by its address.
                ExprKind::AddressOf(source) if matches!(value.ty, Type::Array(..)) => {
                    let source = Lvalue {
                        place: *source,
                        ..field.clone()
                    };
                    self.copy_into(field.place, source, span)?
                }
                _ => super::ops::assign(field.place, value, span),
            };
            made = Some(match made {
                Some(first) => super::ops::comma(first, store, span),
                None => store,
            });
        }
        let object = load(object);
        Ok(Operand::Value(match made {
            Some(made) => super::ops::comma(made, object, span),
            None => object,
        }))
    }

    /// The captures of a lambda: names, values or addresses, and whether they are references.
    fn captured(&mut self, lambda: &ast::Lambda) -> Checks<Vec<(Name, Expr, bool)>> {
        let mut out: Vec<(Name, Expr, bool)> = Vec::new();
        let mut has_this = lambda.has_this;
        for capture in &lambda.captures {
            let name = &capture.name;
            let source = match &capture.init {
                Some(init) => init.clone(),
                None => ast::Expr {
                    kind: AstKind::Name(name.name.clone()),
                    span: name.span,
                },
            };
            out.push(self.capture(&name.name, &source, capture.is_reference)?);
        }
        for name in &lambda.names {
            if out.iter().any(|(known, ..)| known == name) {
                continue;
            }
            let Some(is_shared) = self.variable_around(name) else {
                let is_member = self.body.this.is_some_and(|id| {
                    self.has_field(&Type::Struct(id), name) || self.has_method(&Type::Struct(id), name)
                });
                has_this |= (is_member || &**name == "this") && lambda.others != Captures::None;
                continue;
            };
            // Shared variables exist for every function; the lambda accesses them by address.
            let is_reference = is_shared || lambda.others == Captures::References;
            if lambda.others == Captures::None && !is_shared {
                continue;
            }
            let span = lambda.function.name.span;
            let source = ast::Expr {
                kind: AstKind::Name(name.clone()),
                span,
            };
            out.push(self.capture(name, &source, is_reference)?);
        }
        if has_this && let Some(this) = self.this(lambda.function.name.span) {
            out.push((THIS.into(), this, false));
        }
        Ok(out)
    }

    /// Whether a name is a variable of the enclosing function, and whether it is `__shared__`.
    fn variable_around(&self, name: &str) -> Option<bool> {
        let symbol = self.body.scopes.iter().rev().find_map(|scope| scope.get(name));
        match symbol {
            Some(Symbol::Local { id, .. }) => {
                let storage = self.body.locals[id.0 as usize].storage;
                Some(storage != Storage::Automatic)
            }
            Some(Symbol::Part(_) | Symbol::Bits(_)) => Some(false),
            Some(_) => None,
            None => {
                let closure = self.body.closure?;
                self.has_field(&Type::Struct(closure), name).then_some(false)
            }
        }
    }

    fn capture(&mut self, name: &Name, source: &ast::Expr, is_reference: bool) -> Checks<(Name, Expr, bool)> {
        let operand = self.operand(source)?;
        if is_reference {
            let lvalue = match self.designated(operand) {
                Operand::Place(lvalue) => lvalue,
                Operand::Value(value) | Operand::Computed { value, .. } => self.stored_in_temporary(value),
                Operand::Bits(_) => {
                    return self.error(
                        source.span,
                        "A bit-field cannot be captured by reference; copy it to a variable.",
                    );
                }
            };
            let address = self.address_of(lvalue, source.span);
            return Ok((name.clone(), address, true));
        }
        if let Type::Array(..) = operand_type(&operand) {
            let Operand::Place(lvalue) = self.designated(operand) else {
                return Err(super::Reported);
            };
            // Its elements are copied from their location.
            self.take_address(&lvalue.place);
            let ty = lvalue.place.ty.clone();
            let kind = ExprKind::AddressOf(Box::new(lvalue.place));
            return Ok((name.clone(), expr(kind, ty, source.span), false));
        }
        let value = self.rvalue(operand.clone())?;
        let value = self.copied(&operand, value)?;
        Ok((name.clone(), value, false))
    }

    /// A variable that the enclosing lambda has captured.
    pub(super) fn captured_variable(&mut self, name: &str, span: Span) -> Option<Operand> {
        let id = self.body.closure?;
        if !self.has_field(&Type::Struct(id), name) {
            return None;
        }
        let object = self.dereferenced(self.closure(span), span).ok()?;
        self.field(Operand::Place(object), name, span)
    }

    /// The address of the called closure object.
    fn closure(&self, span: Span) -> Expr {
        load(self.local_place(LocalId(0), span))
    }

    /// `this` of the function that encloses a lambda.
    pub(super) fn captured_this(&mut self, id: StructId, span: Span) -> Option<Expr> {
        let object = self.dereferenced(self.closure(span), span).ok()?;
        let fields = self.fields(&Type::Struct(id));
        let at = fields.iter().position(|(name, ..)| name == THIS)?;
        let field = self.field_at(Operand::Place(object), at, span)?;
        self.rvalue(field).ok()
    }

    /// The struct of the `this` that a lambda has captured.
    pub(super) fn this_of_closure(&self, id: StructId) -> Option<StructId> {
        let fields = self.fields(&Type::Struct(id));
        fields.iter().find_map(|(name, ty, _)| match ty {
            Type::Pointer(pointer) if name == THIS => match **pointer {
                Pointer {
                    pointee: Type::Struct(id),
                    ..
                } => Some(id),
                _ => None,
            },
            _ => None,
        })
    }

    /// A function as an object that calls it, for parameters that accept any callable.
    pub(super) fn function_object(&mut self, name: &str, span: Span) -> Option<Operand> {
        let ids = self.functions_called(name, &[]);
        let [id] = ids.as_slice() else { return None };
        let entry = &self.functions[id.0 as usize];
        if entry.has_this || entry.is_auto || entry.ast.specifiers.global.is_some() {
            return None;
        }
        self.function_object_of(*id, None, span)
    }

    /// A function as an object that calls it. The name and the arguments are those of an instance of a template.
    pub(super) fn function_object_of(
        &mut self,
        id: FuncId,
        instance: Option<(&str, Vec<ast::TemplateArg>)>,
        span: Span,
    ) -> Option<Operand> {
        let entry = &self.functions[id.0 as usize];
        if entry.has_this || entry.is_auto || entry.ast.specifiers.global.is_some() {
            return None;
        }
        if let Some(known) = self.function_objects.get(&id) {
            let kind = ExprKind::Aggregate(Vec::new());
            return Some(Operand::Value(expr(kind, Type::Struct(*known), span)));
        }
        let mut tree = (*entry.ast).clone();
        let text = entry.hir.name.clone();
        let (name, args) = match instance {
            Some((name, args)) => (name.to_owned(), Some(args)),
            None => (text.clone(), None),
        };
        if !entry.bindings.is_empty() {
            // The types of an instance are known.
            tree.ret = known_type(&entry.ret, span);
            for (param, known) in tree.params.iter_mut().zip(&entry.params) {
                param.ty = known_type(known, span);
            }
        }
        let object = self.object_calling(&tree, &name, args, span);
        if let Type::Struct(made) = *operand_type(&object) {
            self.structs[made.0 as usize].name = format!("(function {text})");
            self.function_objects.insert(id, made);
        }
        Some(object)
    }

    /// An object whose `operator()` has the parameters of a function, and calls the function with this name.
    pub(super) fn object_calling(
        &mut self,
        tree: &ast::Function,
        name: &str,
        args: Option<Vec<ast::TemplateArg>>,
        span: Span,
    ) -> Operand {
        let function = forwarder(tree, name, args, span);
        let id = StructId(self.structs.len() as u32);
        let text = format!("(function {name})");
        self.structs.push(Struct {
            name: text,
            fields: Vec::new(),
            size: 1,
            align: 1,
            is_function: false,
        });
        let lambda = ast::Lambda {
            others: Captures::None,
            captures: Vec::new(),
            has_this: false,
            names: BTreeSet::new(),
            params: Vec::new(),
            function: Arc::new(function),
        };
        let _ = self.define_closure(&lambda, id, &format!("(function {})", id.0), Vec::new());
        Operand::Value(expr(ExprKind::Aggregate(Vec::new()), Type::Struct(id), span))
    }
}

/// A known type as it is written in a declaration.
fn known_type(info: &super::ParamInfo, span: Span) -> ast::TypeName {
    let mut ty = ast::TypeName {
        is_const: info.is_const,
        ..ast::TypeName::known(info.ty.clone(), span)
    };
    if info.is_ref {
        ty.derived.push(if info.takes_values && !info.is_const {
            ast::Derived::RvalueReference
        } else {
            ast::Derived::Reference
        });
    }
    ty
}

/// `operator()` with the parameters of the function that it calls.
fn forwarder(
    function: &ast::Function,
    name: &str,
    template_args: Option<Vec<ast::TemplateArg>>,
    span: Span,
) -> ast::Function {
    let ident = |name: &str| ast::Ident {
        name: name.into(),
        span,
    };
    let names: Vec<String> = (0..function.params.len()).map(|idx| format!("a{idx}")).collect();
    let args = names
        .iter()
        .map(|name| ast::Expr {
            kind: AstKind::Name(name.as_str().into()),
            span,
        })
        .collect();
    let call = ast::Expr {
        kind: AstKind::Call {
            callee: ident(name),
            template_args,
            args,
        },
        span,
    };
    let params = names
        .iter()
        .zip(&function.params)
        .map(|(name, param)| ast::Param {
            name: Some(ident(name)),
            ..param.clone()
        })
        .collect();
    ast::Function {
        specifiers: ast::Specifiers {
            device: true,
            forceinline: true,
            ..ast::Specifiers::default()
        },
        name: ident("operator()"),
        template_args: Vec::new(),
        owner_args: Vec::new(),
        is_const: true,
        inits: Vec::new(),
        is_defaulted: false,
        is_deleted: false,
        is_broken: false,
        params,
        body: Some(ast::Block {
            stmts: vec![ast::Stmt {
                kind: ast::StmtKind::Return(Some(call)),
                span,
            }],
            end: span,
        }),
        ..function.clone()
    }
}
