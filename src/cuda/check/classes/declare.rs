//! The declaration and definition of member functions.

use super::*;

impl Checker {
    /// Declares the member functions, after all fields are known.
    pub(super) fn declare_members(&mut self, def: &StructDef, id: StructId, enclosing: &Name) {
        let is_polymorphic = self.is_polymorphic(id);
        if is_polymorphic && let Some(class) = self.classes.get_mut(&id.0) {
            // A constructor stores the number of the class.
            class.has_constructor = true;
        }
        for member in &def.members {
            match member {
                Member::Function(function) if function.is_defaulted => {}
                Member::Function(function) => {
                    if let Some(class) = self.classes.get_mut(&id.0) {
                        if is_copy_constructor(function, def) {
                            if !function.is_deleted && is_plain_copy(function, def) {
                                // Implicit copies are memberwise.
                                continue;
                            }
                            class.has_copies = true;
                            self.has_copies = true;
                        }
                        if &*function.name.name == ast::DESTRUCTOR {
                            class.has_destructor = true;
                            self.has_destructors = true;
                        }
                        class.has_constructor |= &*function.name.name == CONSTRUCTOR;
                        if function.name.name.starts_with(CONVERSION) {
                            class.conversions.push(function.name.name.clone());
                        }
                    }
                    if let Ok(declared) = self.declare_function(function, false)
                        && is_polymorphic
                    {
                        self.declare_virtual(declared, id);
                    }
                }
                Member::Template(template) => {
                    if &*template.function.name.name == CONSTRUCTOR
                        && let Some(class) = self.classes.get_mut(&id.0)
                    {
                        class.has_constructor = true;
                    }
                    let _ = self.declare_template(template);
                }
                Member::Friend(function) => {
                    let scope = std::mem::replace(&mut self.namespace, enclosing.clone());
                    let class = self.class.take();
                    if let Ok(friend) = self.declare_function(function, false) {
                        self.functions[friend.0 as usize].namespace = scope.clone();
                    }
                    self.class = class;
                    self.namespace = scope;
                }
                Member::Host(name) => {
                    if self.lookup(&name.name).is_none() {
                        self.declare(name, Symbol::Host(name.span));
                    }
                }
                Member::Declaration(_) | Member::StaticAssert(_) | Member::Item(_) => {}
            }
        }
        if is_polymorphic {
            self.declare_implicit_members(def, id);
        }
        let defaulted = def.members.iter().find_map(|member| match member {
            Member::Function(function) if is_defaulted_constructor(function) => Some(function),
            _ => None,
        });
        if let Some(function) = defaulted
            && self.has_constructor(&Type::Struct(id))
        {
            let function = self.value_constructor(function, id);
            let _ = self.declare_function(&function, false);
        }
    }

    /// `Name() = default` as a constructor that zeroes the fields without an initializer, as `Name()` guarantees.
    fn value_constructor(&self, function: &ast::Function, id: StructId) -> Arc<ast::Function> {
        let span = function.name.span;
        let own = self.classes.get(&id.0);
        let skip = self.num_inherited(id);
        let fields = self.structs[id.0 as usize].fields.iter().skip(skip);
        let bare = fields.filter(|field| {
            let has_init = own.is_some_and(|class| class.inits.iter().any(|(name, _)| *name == field.name));
            !has_init && !self.has_default(&field.ty)
        });
        let inits = bare
            .map(|field| {
                let name = Ident {
                    name: field.name.as_str().into(),
                    span,
                };
                let kind = ast::ExprKind::List(Vec::new());
                (name, ast::Expr { kind, span })
            })
            .collect();
        Arc::new(ast::Function {
            inits,
            is_defaulted: false,
            body: Some(ast::Block {
                stmts: Vec::new(),
                end: span,
            }),
            ..function.clone()
        })
    }

    /// Checks a member function that is defined outside its struct, in the scope of the struct.
    pub(in crate::check) fn define_member(&mut self, function: &Arc<ast::Function>) -> Checks<()> {
        let own = own_name(&function.name.name);
        let is_declared = self.by_name.contains_key(&self.whole(&own));
        if !is_declared {
            let text = self
                .class
                .map_or_else(String::new, |id| self.text(&Type::Struct(id)));
            let what = if &*own == CONSTRUCTOR {
                "constructor".to_owned()
            } else {
                format!("function `{own}`")
            };
            self.missing_methods
                .insert(format!("{text}::{}", own_name(&function.name.name)));
            let message = format!("`{text}` declares no {what}; declare it in the struct.");
            return self.error(function.name.span, message);
        }
        self.declare_function(function, false).map(|_| ())
    }

    /// Whether a member function is static. Only the declaration in the struct says so.
    pub(in crate::check) fn is_static_member(&self, function: &ast::Function) -> bool {
        let Some((_, own)) = function.name.name.rsplit_once("::") else {
            return function.specifiers.is_static;
        };
        let known = self.by_name.get(&self.whole(&own.into()));
        known.into_iter().flatten().any(|id| {
            let entry = &self.functions[id.0 as usize];
            !entry.has_this && entry.ast.params.len() == function.params.len()
        })
    }
}

pub(in crate::check) fn is_defaulted_constructor(function: &ast::Function) -> bool {
    function.is_defaulted && &*function.name.name == CONSTRUCTOR && function.params.is_empty()
}

/// Whether a constructor is a copy or move constructor.
fn is_copy_constructor(function: &ast::Function, def: &StructDef) -> bool {
    let (Some(name), [param]) = (&def.name, function.params.as_slice()) else {
        return false;
    };
    let takes_own = match &param.ty.base {
        ast::BaseType::Named(own) => own.name == name.name,
        ast::BaseType::Instance {
            name: own,
            member: None,
            ..
        } => own.name == name.name,
        _ => false,
    };
    let is_reference = matches!(
        param.ty.derived.as_slice(),
        [ast::Derived::Reference | ast::Derived::RvalueReference]
    );
    takes_own && is_reference && &*function.name.name == CONSTRUCTOR
}

/// Whether it is equivalent to the implicit copy: each field is copied, in any order.
fn is_plain_copy(function: &ast::Function, def: &StructDef) -> bool {
    let (Some(body), [param]) = (&function.body, function.params.as_slice()) else {
        return function.is_defaulted;
    };
    let fields: Vec<&str> = (def.members.iter())
        .filter_map(|member| match member {
            Member::Declaration(declaration)
                if !declaration.specifiers.is_static && !declaration.specifiers.is_typedef =>
            {
                Some(
                    declaration
                        .declarators
                        .iter()
                        .map(|declared| &*declared.name.name),
                )
            }
            _ => None,
        })
        .flatten()
        .collect();
    let Some(other) = &param.name else {
        return fields.is_empty() && body.stmts.is_empty();
    };
    let is_others = |value: &ast::Expr, field: &str| {
        matches!(&value.kind, ast::ExprKind::Member { base, field: own, .. }
            if *own.name == *field && matches!(&base.kind, ast::ExprKind::Name(name) if *name == other.name))
    };
    let mut copied: Vec<&str> = Vec::new();
    for (name, given) in &function.inits {
        match &given.kind {
            ast::ExprKind::List(args) if args.len() == 1 && is_others(&args[0].1, &name.name) => {
                copied.push(&name.name);
            }
            _ => return false,
        }
    }
    for stmt in &body.stmts {
        let ast::StmtKind::Expr(e) = &stmt.kind else {
            if matches!(stmt.kind, ast::StmtKind::Return(_) | ast::StmtKind::Empty) {
                continue;
            }
            return false;
        };
        let ast::ExprKind::Assign { op: None, lhs, rhs } = &e.kind else {
            return false;
        };
        let target = match &lhs.kind {
            ast::ExprKind::Name(name) => name,
            ast::ExprKind::Member { base, field, .. } if matches!(base.kind, ast::ExprKind::This) => {
                &field.name
            }
            _ => return false,
        };
        if !is_others(rhs, target) {
            return false;
        }
        copied.push(target);
    }
    def.bases.is_empty() && fields.iter().all(|field| copied.contains(field))
}
