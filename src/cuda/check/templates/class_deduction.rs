//! Arguments of class templates that a declaration leaves out: `Pair p{1, 2}` is `Pair<int, int>`.
//!
//! They are deduced from the deduction guides of the template together with its constructors, by overload resolution. A
//! template without guides has its constructors, in order, or its members. Source: C++17, "Class template argument
//! deduction".

use super::class_templates::TypeTemplateKind;
use super::instances::known_arguments;
use super::*;
use crate::ast::{CONSTRUCTOR, ClassTemplate, GUIDE, Initializer, Member, Param, Specifiers, StructDef};

impl Checker {
    /// The type of a variable whose declaration names a class template without arguments.
    pub(in crate::check) fn deduced_class(
        &mut self,
        declarator: &ast::Declarator,
    ) -> Checks<Option<ast::Declarator>> {
        let TypeName {
            base: BaseType::Named(ident),
            derived,
            ..
        } = &declarator.ty
        else {
            return Ok(None);
        };
        if !derived.is_empty() || !self.is_template_alone(ident) {
            return Ok(None);
        }
        let mut is_copy = false;
        let args: Vec<ast::Expr> = match &declarator.init {
            None => Vec::new(),
            Some(Initializer::Constructor(args)) => args.clone(),
            Some(Initializer::Value(value)) => {
                if let ast::ExprKind::List(items) = &value.kind {
                    items.iter().map(|(_, item)| item.clone()).collect()
                } else {
                    is_copy = true;
                    vec![value.clone()]
                }
            }
        };
        let Some(base) = self.class_for(ident, &args, is_copy)? else {
            return Ok(None);
        };
        Ok(Some(ast::Declarator {
            ty: TypeName {
                base,
                ..declarator.ty.clone()
            },
            ..declarator.clone()
        }))
    }

    /// The type of `Name(args)` and `Name{args}`, where `Name` is a class template.
    pub(in crate::check) fn class_of_call(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
    ) -> Checks<Option<TypeName>> {
        if !self.is_template_alone(name) {
            return Ok(None);
        }
        let base = self.class_for(name, args, false)?;
        Ok(base.map(|base| TypeName {
            base,
            ..TypeName::known(Type::Void, name.span)
        }))
    }

    /// Whether a name denotes a class template, and nothing else.
    fn is_template_alone(&self, ident: &ast::Ident) -> bool {
        self.lookup(&ident.name).is_none() && self.type_template(&ident.name).is_some()
    }

    /// The class that the arguments of its constructor determine; `is_copy` for `Pair p = value`. `None` for the template
    /// of an alias.
    fn class_for(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        is_copy: bool,
    ) -> Checks<Option<BaseType>> {
        let Some(idx) = self.type_template(&name.name) else {
            return Ok(None);
        };
        let TypeTemplateKind::Struct(template) = self.type_templates[idx].what.clone() else {
            return Ok(None);
        };
        let args = self.arguments(args)?;
        // A copy.
        if let [Arg::Operand(_, value)] = args.as_slice() {
            let instances = &self.type_templates[idx].instances;
            if instances
                .iter()
                .any(|(_, ty)| ty.as_ref().is_some_and(|(ty, ..)| *ty == value.ty))
            {
                return Ok(Some(BaseType::Known(value.ty.clone())));
            }
        }
        if let Some(class) = self.guided_class(idx, &template, &args, is_copy, name.span)? {
            return Ok(Some(BaseType::Known(class)));
        }
        let namespace = self.type_templates[idx].namespace.clone();
        for params in candidates(&template.def) {
            let num_required = params
                .iter()
                .filter(|param| param.default.is_none() && !param.is_pack)
                .count();
            let has_pack = params.iter().any(|param| param.is_pack);
            let is_aggregate = !has_constructors(&template.def);
            if args.len() < num_required && !is_aggregate || args.len() > params.len() && !has_pack {
                continue;
            }
            let mut values = vec![None; template.params.len()];
            let given = &params[..params.len().min(if has_pack { params.len() } else { args.len() })];
            let fits = Deduction::of(&template.params, &self.classes, &[], &mut values).call(
                given,
                |param, at| argument_type(param, &args[at]),
                args.len(),
            );
            if !fits {
                continue;
            }
            if let Some(values) = self.completed_in(&namespace, &template.params, values) {
                return Ok(Some(BaseType::Instance {
                    name: name.clone(),
                    args: known_arguments(&values, name.span),
                    member: None,
                }));
            }
        }
        // Without values, the name alone is the mistake.
        if args.is_empty() {
            return Ok(None);
        }
        let message = format!(
            "The template arguments of `{0}` cannot be deduced from these values; write `{0}<…>`.",
            name.name
        );
        self.error(name.span, message)
    }

    /// Keeps a deduction guide until a variable needs it. Guides of the host's templates are never needed.
    pub(in crate::check) fn declare_guide(&mut self, guide: &Arc<Template>) {
        if let Some(idx) = self.type_template(&guide.function.name.name) {
            self.type_templates[idx].guides.push(guide.clone());
        }
    }

    /// The class that the best deduction guide returns. `None` for a template without guides, and if none matches.
    fn guided_class(
        &mut self,
        idx: usize,
        template: &ClassTemplate,
        args: &[Arg<'_>],
        is_copy: bool,
        span: Span,
    ) -> Checks<Option<Type>> {
        let entry = &self.type_templates[idx];
        let namespace = entry.namespace.clone();
        let own: Name = format!("{}{GUIDE}", entry.name()).into();
        let whole = format!("{namespace}{own}");
        let guides = std::mem::take(&mut self.type_templates[idx].guides);
        if !guides.is_empty() {
            // A guide has priority over an equal constructor: the first among equals is called.
            let all = guides.into_iter().chain(implicit_guides(template));
            let outer = std::mem::replace(&mut self.namespace, namespace);
            let class = self.class.take();
            let declared = self.with_bindings(Bindings::new(), |this| {
                all.map(|guide| this.declare_as_function(&guide, &own))
                    .collect::<Checks<Vec<()>>>()
            });
            self.namespace = outer;
            self.class = class;
            declared?;
        }
        let mut candidates = self.by_name.get(&*whole).cloned().unwrap_or_default();
        if candidates.is_empty() && !self.templates_by_name.contains_key(&*whole) {
            return Ok(None);
        }
        candidates.extend(self.template_candidates(&whole, None, args, span)?);
        candidates.retain(|id| {
            let guide = &self.functions[id.0 as usize];
            !(is_copy && guide.ast.specifiers.is_explicit)
        });
        let best = self.best_candidate(&candidates, args);
        Ok(best.map(|id| self.functions[id.0 as usize].ret.ty.clone()))
    }

    /// Declares a deduction guide as a function that returns the class.
    fn declare_as_function(&mut self, guide: &Template, name: &Name) -> Checks<()> {
        let mut function = (*guide.function).clone();
        function.name.name = name.clone();
        let function = Arc::new(function);
        if guide.params.is_empty() {
            return self.declare_function(&function, false).map(|_| ());
        }
        self.declare_own_template(&Arc::new(Template {
            params: guide.params.clone(),
            function,
        }))
    }
}

/// The guides that the constructors of a class template imply.
fn implicit_guides(template: &ClassTemplate) -> Vec<Arc<Template>> {
    let Some(name) = &template.def.name else {
        return Vec::new();
    };
    let args = template.params.iter().filter_map(argument_of).collect();
    let ret = TypeName {
        base: BaseType::Instance {
            name: name.clone(),
            args,
            member: None,
        },
        ..TypeName::known(Type::Void, name.span)
    };
    let guide = |own: &[TemplateParam], constructor: &ast::Function| {
        let function = ast::Function {
            specifiers: Specifiers {
                device: true,
                is_explicit: constructor.specifiers.is_explicit,
                ..Specifiers::default()
            },
            params: constructor.params.clone(),
            body: None,
            ..ast::Function::empty(&name.name, ret.clone(), name.span)
        };
        Arc::new(Template {
            params: template.params.iter().chain(own).cloned().collect(),
            function: Arc::new(function),
        })
    };
    let is_constructor = |function: &ast::Function| &*own_name(&function.name.name) == CONSTRUCTOR;
    let of_member = |member: &Member| match member {
        Member::Function(function) if is_constructor(function) => Some(guide(&[], function)),
        Member::Template(inner) if is_constructor(&inner.function) => {
            Some(guide(&inner.params, &inner.function))
        }
        _ => None,
    };
    template.def.members.iter().filter_map(of_member).collect()
}

/// A template parameter as an argument of its own template.
fn argument_of(param: &TemplateParam) -> Option<TemplateArg> {
    let name = param.name.clone()?;
    let span = name.span;
    let arg = match &param.kind {
        TemplateParamKind::Value(..) => TemplateArg::Value(ast::Expr {
            kind: ast::ExprKind::Name(name.name),
            span,
        }),
        TemplateParamKind::Type(_) | TemplateParamKind::Template(_) => TemplateArg::Type(TypeName {
            base: BaseType::Named(name),
            ..TypeName::known(Type::Void, span)
        }),
    };
    Some(if param.is_pack {
        TemplateArg::Expansion(Box::new(arg))
    } else {
        arg
    })
}

fn has_constructors(def: &StructDef) -> bool {
    def.members.iter().any(|member| match member {
        Member::Function(function) => &*own_name(&function.name.name) == CONSTRUCTOR,
        Member::Template(template) => &*own_name(&template.function.name.name) == CONSTRUCTOR,
        _ => false,
    })
}

/// The parameters of the constructors of a class; those of a class without constructors are its members.
fn candidates(def: &StructDef) -> Vec<Vec<Param>> {
    let constructors = def.members.iter().filter_map(|member| match member {
        Member::Function(function) if &*own_name(&function.name.name) == CONSTRUCTOR => {
            Some(function.params.clone())
        }
        _ => None,
    });
    if has_constructors(def) {
        return constructors.collect();
    }
    let mut fields = Vec::new();
    for member in &def.members {
        let Member::Declaration(declaration) = member else {
            continue;
        };
        let specifiers = &declaration.specifiers;
        if specifiers.is_static || specifiers.is_typedef {
            continue;
        }
        fields.extend(declaration.declarators.iter().map(|declarator| Param {
            name: Some(declarator.name.clone()),
            ty: declarator.ty.clone(),
            default: None,
            is_pack: false,
        }));
    }
    vec![fields]
}
