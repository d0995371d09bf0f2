//! Range-based loops and structured bindings, rewritten as simpler statements.

use super::names::{Symbol, deref};
use super::ops::operand_type;
use super::{Checker, Checks, Lvalue, Operand, Reported, int};
use crate::ast::{
    self, BaseType, Bindings, Block, Declaration, Declarator, Derived, ExprKind, Ident, InfixOp, Initializer,
    Name, PrefixOp, Specifiers, TypeName,
};
use crate::hir::{CompareOp, Stmt, StmtKind, Type};
use engine::ids::Span;

/// Names of the hidden variables of a range-based loop, which no source can declare.
const RANGE: &str = "(range)";
const INDEX: &str = "(index)";
const BEGIN: &str = "(begin)";
const END: &str = "(end)";

impl Checker {
    /// `for (init; variable : range) body`.
    pub(super) fn range_for(&mut self, stmt: &ast::Stmt) -> Checks<StmtKind> {
        let ast::StmtKind::RangeFor { init, .. } = &stmt.kind else {
            return Err(Reported);
        };
        self.open_scope();
        let mut out = Vec::new();
        if let Some(init) = init {
            self.statement(init, &mut out);
        }
        let plain = self.plain_loop(stmt, &mut out);
        if let Ok(plain) = &plain {
            self.statement(plain, &mut out);
        }
        self.close_scope();
        plain.map(|_| StmtKind::Block(out))
    }

    /// The equivalent loop with an index or iterators. Its hidden variables are declared in `out`.
    fn plain_loop(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Checks<ast::Stmt> {
        let ast::StmtKind::RangeFor {
            variable,
            range,
            body,
            unroll,
            ..
        } = &stmt.kind
        else {
            return Err(Reported);
        };
        let span = range.span;
        let tree = Tree { span };
        let mut range = range.clone();
        if let ExprKind::List(items) = &range.kind {
            let Some((_, first)) = items.first() else {
                return self.error(span, "This list has no values to loop over.");
            };
            let mut ty = tree.type_of(first.clone());
            ty.is_const = true;
            ty.derived.push(Derived::Array(None));
            let list = tree.variable(RANGE, ty, range.clone());
            self.statement(&list, out);
            range = tree.name(RANGE);
        } else if !is_simple(&range) {
            let mut ty = tree.auto();
            ty.derived.push(Derived::RvalueReference);
            let kept = tree.variable(RANGE, ty, range.clone());
            self.statement(&kept, out);
            range = tree.name(RANGE);
        }
        let whole = self.operand(&range)?;
        let ty = operand_type(&whole).clone();
        let (init, cond, step, element) = if let Type::Array(_, len) = &ty {
            let index = tree.variable(INDEX, TypeName::known(Type::I32, span), tree.number(*len));
            let index = with_value(index, tree.number(0));
            let cond = tree.infix(CompareOp::Lt, tree.name(INDEX), tree.number(*len));
            let element = tree.expr(ExprKind::Index {
                base: Box::new(range),
                index: Box::new(tree.name(INDEX)),
            });
            (vec![index], cond, tree.increment(INDEX), element)
        } else {
            let end_of = |name: &str| {
                if self.has_method(&ty, name) {
                    return Some(tree.expr(ExprKind::MethodCall {
                        base: Box::new(range.clone()),
                        arrow: false,
                        method: tree.ident(name),
                        template_args: None,
                        args: Vec::new(),
                    }));
                }
                let is_free =
                    matches!(ty, Type::Struct(_)) && (self.has_function(name) || self.is_template(name));
                is_free.then(|| {
                    tree.expr(ExprKind::Call {
                        callee: tree.ident(name),
                        template_args: None,
                        args: vec![range.clone()],
                    })
                })
            };
            let (Some(begin), Some(end)) = (end_of("begin"), end_of("end")) else {
                return self.report_not_a_range(&ty, span);
            };
            let begin = tree.variable(BEGIN, tree.auto(), begin);
            let end = tree.variable(END, tree.auto(), end);
            let cond = tree.infix(CompareOp::Ne, tree.name(BEGIN), tree.name(END));
            let element = tree.expr(ExprKind::Prefix(PrefixOp::Deref, Box::new(tree.name(BEGIN))));
            (vec![begin, end], cond, tree.increment(BEGIN), element)
        };
        let mut stmts = init;
        let init = match stmts.pop() {
            Some(last) if stmts.is_empty() => Some(Box::new(last)),
            last => {
                for stmt in stmts.iter().chain(&last) {
                    self.statement(stmt, out);
                }
                None
            }
        };
        let variable = with_value((**variable).clone(), element);
        let block = Block {
            stmts: vec![variable, (**body).clone()],
            end: body.span,
        };
        Ok(ast::Stmt {
            kind: ast::StmtKind::For {
                init,
                cond: Some(cond),
                step: Some(step),
                body: Box::new(ast::Stmt {
                    kind: ast::StmtKind::Block(block),
                    span: body.span,
                }),
                unroll: unroll.clone(),
            },
            span: stmt.span,
        })
    }

    fn report_not_a_range<T>(&mut self, ty: &Type, span: Span) -> Checks<T> {
        let text = self.text(ty);
        if matches!(ty, Type::Pointer(_)) {
            let message = format!(
                "A pointer (`{text}`) is not a range: its number of elements is unknown; loop with an index."
            );
            return self.error(span, message);
        }
        self.error(
            span,
            format!("`{text}` is not a range: it is not an array, and it has no `begin()` and `end()` that device \
                     code can call."),
        )
    }

    /// `auto [a, b] = value;`.
    pub(super) fn bindings(&mut self, bindings: &Bindings, out: &mut Vec<Stmt>) -> Checks<()> {
        let span = bindings.span;
        let Some(value) = &bindings.value else {
            return Err(Reported);
        };
        let tree = Tree { span };
        let texts: Vec<&str> = bindings.names.iter().map(|name| &*name.name).collect();
        let whole = format!("[{}]", texts.join(", "));
        let is_copy = bindings.ty.derived.is_empty();
        let source = self.operand(value)?;
        let (mut ty, mut value) = (bindings.ty.clone(), value.clone());
        if let (Type::Array(..), true) = (operand_type(&source), is_copy) {
            let array = operand_type(&source).clone();
            let mut num = 0;
            value = copied_array(&tree, &value, &array, &mut num);
            if num > MAX_COPIED {
                let message =
                    format!("A structured binding copies at most {MAX_COPIED} elements; write `auto &[…]`.");
                return self.error(span, message);
            }
            ty.base = BaseType::Known(array);
        }
        let mut kept = tree.variable(&whole, ty, value);
        kept.span = span;
        let num_before = self.diagnostics.len();
        self.statement(&kept, out);
        let Some(symbol @ Symbol::Local { .. }) = self.lookup(&whole).cloned() else {
            debug_assert!(
                self.diagnostics.len() > num_before,
                "a variable is declared or reported"
            );
            return Err(Reported);
        };
        let Some(object) = self.variable(&symbol, span) else {
            return Err(Reported);
        };
        let parts = self.parts_of(&object, &whole, bindings)?;
        for (name, part) in bindings.names.iter().zip(parts) {
            if &*name.name != "_" || self.lookup("_").is_none() {
                self.declare(name, part);
            }
        }
        Ok(())
    }

    /// The entities that the names of a structured binding denote.
    fn parts_of(&mut self, object: &Lvalue, whole: &str, bindings: &Bindings) -> Checks<Vec<Symbol>> {
        let (span, num_names) = (bindings.span, bindings.names.len());
        let ty = object.place.ty.clone();
        let mut out = Vec::new();
        let num_parts = match &ty {
            Type::Array(_, len) => *len as usize,
            Type::Struct(id) if self.tuple_size(*id).is_some() => self.tuple_size(*id).unwrap_or(0),
            Type::Struct(_) | Type::Vector(_) if self.union_members(&ty).is_none() => {
                self.field_names(&ty).len()
            }
            _ => {
                let text = self.text(&ty);
                let message = format!(
                    "A structured binding cannot decompose a value of type `{text}`; use an array or a struct."
                );
                return self.error(span, message);
            }
        };
        if num_parts != num_names {
            let text = self.text(&ty);
            let (names, parts) = (
                if num_names == 1 { "name" } else { "names" },
                if num_parts == 1 { "part" } else { "parts" },
            );
            let message =
                format!("`{text}` has {num_parts} {parts}; this structured binding has {num_names} {names}.");
            return self.error(span, message);
        }
        let is_tuple = matches!(&ty, Type::Struct(id) if self.tuple_size(*id).is_some());
        for (name, idx) in bindings.names.iter().zip(0u32..) {
            let found = match &ty {
                Type::Array(..) => {
                    let first = self.decayed(object.clone());
                    let index = int(i128::from(idx), Type::I32, name.span);
                    let pointer = self.pointer_add(first, index, name.span)?;
                    Some(Operand::Place(Lvalue {
                        place: deref(pointer, object.place.is_volatile),
                        is_const: object.is_const,
                        constant: None,
                        expires: false,
                    }))
                }
                _ if is_tuple => {
                    let tree = Tree { span: name.span };
                    let element = tree.expr(ExprKind::Call {
                        callee: tree.ident("get"),
                        template_args: Some(vec![ast::TemplateArg::Value(tree.number(idx))]),
                        args: vec![tree.name(whole)],
                    });
                    Some(self.operand(&element)?)
                }
                _ => {
                    let field = self.field_names(&ty)[idx as usize].clone();
                    let own = Ident {
                        name: field.as_str().into(),
                        span: name.span,
                    };
                    self.check_access(&ty, &own)?;
                    self.field(Operand::Place(object.clone()), &field, name.span)
                }
            };
            match found {
                Some(Operand::Place(part)) => out.push(Symbol::Part(Box::new(part))),
                Some(Operand::Bits(bits)) => {
                    self.bit_field_names.insert(name.name.clone());
                    out.push(Symbol::Bits(bits));
                }
                _ => return Err(Reported),
            }
        }
        Ok(out)
    }
}

/// Maximum number of array elements that a structured binding copies.
const MAX_COPIED: usize = 1024;

/// A list that copies the elements of an array.
fn copied_array(tree: &Tree, array: &ast::Expr, ty: &Type, num: &mut usize) -> ast::Expr {
    let Type::Array(elem, len) = ty else {
        *num += 1;
        return array.clone();
    };
    let mut items = Vec::new();
    for idx in 0..*len {
        if *num > MAX_COPIED {
            break;
        }
        let element = tree.expr(ExprKind::Index {
            base: Box::new(array.clone()),
            index: Box::new(tree.number(idx)),
        });
        items.push((None, copied_array(tree, &element, elem, num)));
    }
    tree.expr(ExprKind::List(items))
}

/// Whether an expression is a variable or a member of a variable, which can be evaluated repeatedly.
fn is_simple(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Name(_) | ExprKind::This => true,
        ExprKind::Member { base, .. } => is_simple(base),
        ExprKind::Prefix(PrefixOp::Deref, inner) => matches!(inner.kind, ExprKind::This),
        _ => false,
    }
}

/// A declaration with an initializer.
fn with_value(mut stmt: ast::Stmt, value: ast::Expr) -> ast::Stmt {
    match &mut stmt.kind {
        ast::StmtKind::Declaration(declaration) => {
            for declarator in &mut declaration.declarators {
                declarator.init = Some(Initializer::Value(value.clone()));
            }
        }
        ast::StmtKind::Bindings(bindings) => bindings.value = Some(value),
        _ => {}
    }
    stmt
}

/// Builds syntax nodes with a common span.
struct Tree {
    span: Span,
}

impl Tree {
    const fn expr(&self, kind: ExprKind) -> ast::Expr {
        ast::Expr {
            kind,
            span: self.span,
        }
    }

    fn ident(&self, name: &str) -> Ident {
        Ident {
            name: name.into(),
            span: self.span,
        }
    }

    fn name(&self, name: &str) -> ast::Expr {
        let name: Name = name.into();
        self.expr(ExprKind::Name(name))
    }

    fn number(&self, value: u32) -> ast::Expr {
        self.expr(ExprKind::Number(crate::lex::Number::Int {
            value: value.into(),
            unsigned: false,
            long: false,
        }))
    }

    fn infix(&self, op: CompareOp, lhs: ast::Expr, rhs: ast::Expr) -> ast::Expr {
        self.expr(ExprKind::Infix {
            op: InfixOp::Compare(op),
            lhs: Box::new(lhs),
            rhs: Box::new(rhs),
        })
    }

    fn increment(&self, name: &str) -> ast::Expr {
        self.expr(ExprKind::IncDec {
            operand: Box::new(self.name(name)),
            delta: 1,
            postfix: false,
        })
    }

    const fn auto(&self) -> TypeName {
        TypeName {
            base: BaseType::Auto,
            is_const: false,
            is_volatile: false,
            derived: Vec::new(),
            span: self.span,
        }
    }

    fn type_of(&self, value: ast::Expr) -> TypeName {
        TypeName {
            base: BaseType::TypeOf(Box::new(value)),
            ..self.auto()
        }
    }

    fn variable(&self, name: &str, ty: TypeName, value: ast::Expr) -> ast::Stmt {
        let declarator = Declarator {
            name: self.ident(name),
            ty: ty.clone(),
            init: Some(Initializer::Value(value)),
            bits: None,
        };
        ast::Stmt {
            kind: ast::StmtKind::Declaration(Declaration {
                specifiers: Specifiers::default(),
                ty,
                declarators: vec![declarator],
                span: self.span,
            }),
            span: self.span,
        }
    }
}
