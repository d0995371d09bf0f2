//! Arguments of class templates that a declaration leaves out: `Pair p{1, 2}` is `Pair<int, int>`.
//!
//! They are deduced from the constructors of the template, in order, or from the members of a template without
//! constructors. Source: C++17, "Class template argument deduction".

use super::class_templates::TypeTemplateKind;
use super::instances::known_arguments;
use super::*;
use crate::ast::{CONSTRUCTOR, Initializer, Member, Param, StructDef};

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
        let args: Vec<ast::Expr> = match &declarator.init {
            None => Vec::new(),
            Some(Initializer::Constructor(args)) => args.clone(),
            Some(Initializer::Value(value)) => match &value.kind {
                ast::ExprKind::List(items) => items.iter().map(|(_, item)| item.clone()).collect(),
                _ => vec![value.clone()],
            },
        };
        let Some(base) = self.class_for(ident, &args)? else {
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
        let base = self.class_for(name, args)?;
        Ok(base.map(|base| TypeName {
            base,
            ..TypeName::known(Type::Void, name.span)
        }))
    }

    /// Whether a name denotes a class template, and nothing else.
    fn is_template_alone(&self, ident: &ast::Ident) -> bool {
        self.lookup(&ident.name).is_none() && self.type_template(&ident.name).is_some()
    }

    /// The class that the arguments of its constructor determine. `None` for the template of an alias.
    fn class_for(&mut self, name: &ast::Ident, args: &[ast::Expr]) -> Checks<Option<BaseType>> {
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
