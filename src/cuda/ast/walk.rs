//! A visitor of the syntax tree that can modify each node.

use std::sync::Arc;

use super::{
    BaseType, Block, Capture, ClassTemplate, Declaration, Declarator, Derived, Expr, ExprKind, Function,
    Ident, Initializer, Item, Lambda, Member, Name, Param, Stmt, StmtKind, StructDef, Template, TemplateArg,
    TemplateParam, TemplateParamKind, TypeName, UnrollPragma, VariableTemplate,
};

/// A visitor. Each method visits the children by default.
pub trait Visit: Sized {
    /// A name of a variable, function, type, or template.
    fn name(&mut self, _name: &mut Name) {}

    /// An expression.
    fn expr(&mut self, expr: &mut Expr) {
        walk_expr(self, expr);
    }

    /// A list of expressions that can contain pack expansions.
    fn exprs(&mut self, exprs: &mut Vec<Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// The values of a list in braces.
    fn items(&mut self, items: &mut Vec<(Option<Ident>, Expr)>) {
        for (_, value) in items {
            self.expr(value);
        }
    }

    /// A list of template arguments that can contain pack expansions.
    fn template_args(&mut self, args: &mut Vec<TemplateArg>) {
        for arg in args {
            self.template_arg(arg);
        }
    }

    /// A template argument.
    fn template_arg(&mut self, arg: &mut TemplateArg) {
        walk_template_arg(self, arg);
    }

    /// Parameters of a function.
    fn params(&mut self, params: &mut Vec<Param>) {
        for param in params {
            walk_param(self, param);
        }
    }

    /// The named captures of a lambda.
    fn captures(&mut self, captures: &mut Vec<Capture>) {
        for capture in captures {
            walk_capture(self, capture);
        }
    }

    /// A type.
    fn type_name(&mut self, ty: &mut TypeName) {
        walk_type_name(self, ty);
    }

    /// A lambda.
    fn lambda(&mut self, lambda: &mut Lambda) {
        walk_lambda(self, lambda);
    }

    /// A function.
    fn function(&mut self, function: &mut Function) {
        walk_function(self, function);
    }

    /// A struct.
    fn struct_def(&mut self, def: &mut StructDef) {
        walk_struct_def(self, def);
    }

    /// A nested template: its parameters and its declaration.
    fn template(&mut self, params: &mut Vec<TemplateParam>, body: impl FnOnce(&mut Self)) {
        walk_template_params(self, params);
        body(self);
    }
}

fn ident<V: Visit>(visit: &mut V, ident: &mut Ident) {
    visit.name(&mut ident.name);
}

/// Visits the children of a template argument.
pub fn walk_template_arg<V: Visit>(visit: &mut V, arg: &mut TemplateArg) {
    match arg {
        TemplateArg::Type(ty) => visit.type_name(ty),
        TemplateArg::Value(value) => visit.expr(value),
        TemplateArg::Expansion(pattern) => visit.template_arg(pattern),
    }
}

/// Visits the children of a parameter.
pub fn walk_param<V: Visit>(visit: &mut V, param: &mut Param) {
    visit.type_name(&mut param.ty);
    if let Some(default) = &mut param.default {
        visit.expr(default);
    }
}

/// Visits the children of a capture.
pub fn walk_capture<V: Visit>(visit: &mut V, capture: &mut Capture) {
    match &mut capture.init {
        Some(init) => visit.expr(init),
        None => ident(visit, &mut capture.name),
    }
}

/// Visits the children of template parameters.
pub fn walk_template_params<V: Visit>(visit: &mut V, params: &mut [TemplateParam]) {
    for param in params {
        match &mut param.kind {
            TemplateParamKind::Type(default) | TemplateParamKind::Template(default) => {
                if let Some(ty) = default {
                    visit.type_name(ty);
                }
            }
            TemplateParamKind::Value(ty, default) => {
                visit.type_name(ty);
                if let Some(value) = default {
                    visit.expr(value);
                }
            }
        }
    }
}

/// Visits the children of a type.
pub fn walk_type_name<V: Visit>(visit: &mut V, ty: &mut TypeName) {
    match &mut ty.base {
        BaseType::Known(_) | BaseType::Auto | BaseType::Texture(_) => {}
        BaseType::Named(name) | BaseType::Elaborated(name) => ident(visit, name),
        BaseType::Instance { name, args, .. } => {
            ident(visit, name);
            visit.template_args(args);
        }
        BaseType::TypeOf(value) | BaseType::Decltype(value) => visit.expr(value),
        BaseType::Nested { of, args, .. } => {
            visit.type_name(of);
            if let Some(args) = args {
                visit.template_args(args);
            }
        }
        BaseType::Struct(def) => visit.struct_def(Arc::make_mut(def)),
        BaseType::Enum(def) => {
            let values = def.values.iter_mut().filter_map(|(_, value)| value.as_mut());
            values.for_each(|value| visit.expr(value));
        }
    }
    for step in &mut ty.derived {
        match step {
            Derived::Array(Some(extent)) => visit.expr(extent),
            Derived::Function(params) => visit.params(params),
            Derived::Array(None)
            | Derived::Pointer { .. }
            | Derived::Reference
            | Derived::RvalueReference => {}
        }
    }
}

/// Visits the children of an expression.
pub fn walk_expr<V: Visit>(visit: &mut V, expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::Number(_)
        | ExprKind::Char(_)
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::Str(_)
        | ExprKind::This => {}
        ExprKind::Name(name) => visit.name(name),
        ExprKind::SizeofPack(name) => ident(visit, name),
        ExprKind::Instance { name, args } => {
            ident(visit, name);
            visit.template_args(args);
        }
        ExprKind::Prefix(_, operand)
        | ExprKind::IncDec { operand, .. }
        | ExprKind::Expansion(operand)
        | ExprKind::SizeofExpr(operand)
        | ExprKind::AlignofExpr(operand) => visit.expr(operand),
        ExprKind::Infix { lhs, rhs, .. } | ExprKind::Assign { lhs, rhs, .. } => {
            visit.expr(lhs);
            visit.expr(rhs);
        }
        ExprKind::Fold { before, after, .. } => {
            let parts = before.iter_mut().chain(after);
            parts.for_each(|part| visit.expr(part));
        }
        ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } => {
            visit.expr(cond);
            visit.expr(then);
            visit.expr(otherwise);
        }
        ExprKind::Call {
            callee,
            template_args,
            args,
        } => {
            ident(visit, callee);
            if let Some(args) = template_args {
                visit.template_args(args);
            }
            visit.exprs(args);
        }
        ExprKind::Texture { ty, texture } => {
            if let Some(ty) = ty {
                visit.type_name(ty);
            }
            visit.expr(texture);
        }
        ExprKind::Index { base, index } => {
            visit.expr(base);
            visit.expr(index);
        }
        ExprKind::Member { base, field, .. } => {
            visit.expr(base);
            qualified(visit, field);
        }
        ExprKind::MethodCall {
            base,
            method,
            template_args,
            args,
            ..
        } => {
            visit.expr(base);
            qualified(visit, method);
            if let Some(args) = template_args {
                visit.template_args(args);
            }
            visit.exprs(args);
        }
        ExprKind::StaticMember {
            ty,
            template_args,
            args,
            ..
        } => {
            visit.type_name(ty);
            if let Some(args) = template_args {
                visit.template_args(args);
            }
            if let Some(args) = args {
                visit.exprs(args);
            }
        }
        ExprKind::Cast { ty, operand, .. } => {
            visit.type_name(ty);
            visit.expr(operand);
        }
        ExprKind::Construct { ty, args } => {
            visit.type_name(ty);
            visit.exprs(args);
        }
        ExprKind::List(items) => visit.items(items),
        ExprKind::Lambda(lambda) => visit.lambda(Arc::make_mut(lambda)),
        ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) => visit.type_name(ty),
    }
}

/// A member name is visited only if its base is named: `object.Base::member`.
fn qualified<V: Visit>(visit: &mut V, member: &mut Ident) {
    if member.name.contains("::") {
        ident(visit, member);
    }
}

/// Visits the children of a lambda.
pub fn walk_lambda<V: Visit>(visit: &mut V, lambda: &mut Lambda) {
    visit.captures(&mut lambda.captures);
    let mut params = std::mem::take(&mut lambda.params);
    visit.template(&mut params, |visit| {
        visit.function(Arc::make_mut(&mut lambda.function));
    });
    lambda.params = params;
}

/// Visits the children of a function.
pub fn walk_function<V: Visit>(visit: &mut V, function: &mut Function) {
    // The trailing return type and the body can use the parameters.
    visit.params(&mut function.params);
    visit.template_args(&mut function.template_args);
    visit.type_name(&mut function.ret);
    if let Some((threads, blocks)) = &mut function.specifiers.launch_bounds {
        visit.expr(threads);
        if let Some(blocks) = blocks {
            visit.expr(blocks);
        }
    }
    for (name, value) in &mut function.inits {
        ident(visit, name);
        visit.expr(value);
    }
    if let Some(body) = &mut function.body {
        walk_block(visit, body);
    }
}

/// Visits the children of a struct.
pub fn walk_struct_def<V: Visit>(visit: &mut V, def: &mut StructDef) {
    visit.template_args(&mut def.bases);
    def.align.iter_mut().for_each(|align| visit.expr(align));
    for member in &mut def.members {
        match member {
            Member::Declaration(declaration) => walk_declaration(visit, declaration),
            Member::Function(function) | Member::Friend(function) => visit.function(Arc::make_mut(function)),
            Member::Template(template) => walk_template(visit, Arc::make_mut(template)),
            Member::StaticAssert(assertion) => visit.expr(&mut assertion.cond),
            Member::Host(_) => {}
            Member::Item(item) => walk_item(visit, item),
        }
    }
}

fn walk_template<V: Visit>(visit: &mut V, template: &mut Template) {
    let function = &mut template.function;
    visit.template(&mut template.params, |visit| {
        visit.function(Arc::make_mut(function));
    });
}

/// Visits the children of a member template.
fn walk_item<V: Visit>(visit: &mut V, item: &mut Item) {
    match item {
        Item::ClassTemplate(template) => {
            let ClassTemplate { params, args, def } = Arc::make_mut(template);
            visit.template(params, |visit| {
                visit.template_args(args);
                visit.struct_def(Arc::make_mut(def));
            });
        }
        Item::AliasTemplate(template) => {
            let template = Arc::make_mut(template);
            let ty = &mut template.ty;
            visit.template(&mut template.params, |visit| visit.type_name(ty));
        }
        Item::VariableTemplate(template) => {
            let VariableTemplate { params, declaration } = Arc::make_mut(template);
            visit.template(params, |visit| walk_declaration(visit, declaration));
        }
        Item::Template(template) => walk_template(visit, Arc::make_mut(template)),
        _ => {}
    }
}

/// Visits the children of a declaration.
pub fn walk_declaration<V: Visit>(visit: &mut V, declaration: &mut Declaration) {
    declaration
        .specifiers
        .align
        .iter_mut()
        .for_each(|align| visit.expr(align));
    visit.type_name(&mut declaration.ty);
    for Declarator { ty, init, bits, .. } in &mut declaration.declarators {
        visit.type_name(ty);
        if let Some(bits) = bits {
            visit.expr(bits);
        }
        match init {
            Some(Initializer::Value(value)) => visit.expr(value),
            Some(Initializer::Constructor(values)) => visit.exprs(values),
            None => {}
        }
    }
}

/// Visits the statements of a block.
pub fn walk_block<V: Visit>(visit: &mut V, block: &mut Block) {
    block.stmts.iter_mut().for_each(|stmt| walk_stmt(visit, stmt));
}

fn walk_unroll<V: Visit>(visit: &mut V, unroll: &mut Option<UnrollPragma>) {
    if let Some(UnrollPragma::By(count)) = unroll {
        visit.expr(count);
    }
}

fn walk_stmt<V: Visit>(visit: &mut V, stmt: &mut Stmt) {
    match &mut stmt.kind {
        StmtKind::Empty
        | StmtKind::Default
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::NamespaceAlias(..)
        | StmtKind::UsingNamespace(_)
        | StmtKind::UsingName(_)
        | StmtKind::UsingEnum(_)
        | StmtKind::Error(_) => {}
        StmtKind::Expr(value) | StmtKind::Case(value, None) => visit.expr(value),
        StmtKind::Case(first, Some(last)) => {
            visit.expr(first);
            visit.expr(last);
        }
        StmtKind::Declaration(declaration) => walk_declaration(visit, declaration),
        StmtKind::StaticAssert(assertion) => visit.expr(&mut assertion.cond),
        StmtKind::Block(block) => walk_block(visit, block),
        StmtKind::If {
            cond,
            then,
            otherwise,
            ..
        } => {
            visit.expr(cond);
            walk_stmt(visit, then);
            if let Some(otherwise) = otherwise {
                walk_stmt(visit, otherwise);
            }
        }
        StmtKind::While { cond, body, unroll } | StmtKind::DoWhile { body, cond, unroll } => {
            visit.expr(cond);
            walk_unroll(visit, unroll);
            walk_stmt(visit, body);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
            unroll,
        } => {
            if let Some(init) = init {
                walk_stmt(visit, init);
            }
            let values = cond.iter_mut().chain(step);
            values.for_each(|value| visit.expr(value));
            walk_unroll(visit, unroll);
            walk_stmt(visit, body);
        }
        StmtKind::RangeFor {
            init,
            variable,
            range,
            body,
            unroll,
        } => {
            if let Some(init) = init {
                walk_stmt(visit, init);
            }
            walk_stmt(visit, variable);
            visit.expr(range);
            walk_unroll(visit, unroll);
            walk_stmt(visit, body);
        }
        StmtKind::Bindings(bindings) => {
            visit.type_name(&mut bindings.ty);
            bindings.value.iter_mut().for_each(|value| visit.expr(value));
        }
        StmtKind::Switch { value, body } => {
            visit.expr(value);
            walk_stmt(visit, body);
        }
        StmtKind::Return(value) => value.iter_mut().for_each(|value| visit.expr(value)),
    }
}
