//! The partial order of templates: which of two templates is more specialized.

use super::*;

/// Whether one function template is more specialized than another.
pub(super) fn is_more_specialized(a: &Template, b: &Template) -> bool {
    is_at_least_as_general(b, a) && !is_at_least_as_general(a, b)
}

/// Whether a template accepts everything that another template accepts.
fn is_at_least_as_general(general: &Template, special: &Template) -> bool {
    let mut bound = vec![None; general.params.len()];
    let spellings = |template: &Template| -> Vec<Spelling> {
        let of = |param: &ast::Param| Spelling {
            is_pack: param.is_pack,
            ..Spelling::of(&param.ty)
        };
        template.function.params.iter().map(of).collect()
    };
    takes_all(
        &spellings(general),
        &spellings(special),
        &general.params,
        &mut bound,
    )
}

/// Whether one list of written types matches everything that another list matches; a pack matches the rest.
pub(super) fn takes_all(
    wide: &[Spelling],
    narrow: &[Spelling],
    params: &[TemplateParam],
    bound: &mut [Option<Spelling>],
) -> bool {
    for (idx, wide) in wide.iter().enumerate() {
        if wide.is_pack {
            return narrow[idx.min(narrow.len())..].iter().all(|narrow| {
                let narrow = Spelling {
                    is_pack: false,
                    ..narrow.clone()
                };
                wide.takes(&narrow, params, &mut bound.to_vec())
            });
        }
        let Some(narrow) = narrow.get(idx).filter(|narrow| !narrow.is_pack) else {
            return false;
        };
        if !wide.takes(narrow, params, bound) {
            return false;
        }
    }
    wide.len() == narrow.len()
}

/// A parameter type as written, without the reference.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spelling {
    base: String,
    is_const: bool,
    /// Whether it is a pack expansion.
    is_pack: bool,
    /// Whether each step is a pointer (true) or an array (false).
    steps: Vec<bool>,
    /// The template arguments, for an instance of a class template.
    args: Vec<Self>,
}

impl Spelling {
    pub(super) fn of(ty: &TypeName) -> Self {
        let base = match &ty.base {
            BaseType::Named(ident) => ident.name.to_string(),
            BaseType::Known(ty) => format!("{ty:?}"),
            BaseType::Instance {
                name, member: None, ..
            } => format!("{}<>", name.name),
            _ => String::new(),
        };
        let args = match &ty.base {
            BaseType::Instance { args, .. } => patterns(args),
            _ => Vec::new(),
        };
        let steps = ty.derived.iter().filter_map(|step| match step {
            Derived::Pointer { .. } => Some(true),
            Derived::Array(_) => Some(false),
            Derived::Reference | Derived::RvalueReference | Derived::Function(_) => None,
        });
        Self {
            base,
            is_const: ty.is_const,
            is_pack: false,
            steps: steps.collect(),
            args,
        }
    }

    /// Whether one written type matches everything that another written type matches; `bound` holds the values of the
    /// template parameters.
    fn takes(&self, narrow: &Self, params: &[TemplateParam], bound: &mut [Option<Self>]) -> bool {
        let Some(steps) = narrow.steps.strip_suffix(self.steps.as_slice()) else {
            return false;
        };
        // An array of const elements is const.
        let is_same_level = steps.iter().all(|is_pointer| !is_pointer);
        if self.is_const && !(is_same_level && narrow.is_const) {
            return false;
        }
        let rest = Self {
            is_const: narrow.is_const && !self.is_const,
            steps: steps.to_vec(),
            ..narrow.clone()
        };
        if let Some(idx) = position(params, &self.base) {
            return *bound[idx].get_or_insert_with(|| rest.clone()) == rest;
        }
        rest.steps.is_empty()
            && rest.base == self.base
            && !rest.is_const
            && takes_all(&self.args, &rest.args, params, bound)
    }
}

/// Whether two types have the same spelling.
pub(super) fn is_same_spelling(a: &TypeName, b: &TypeName) -> bool {
    let base = match (&a.base, &b.base) {
        (BaseType::Known(a), BaseType::Known(b)) => a == b,
        (BaseType::Named(a), BaseType::Named(b)) => a.name == b.name,
        _ => false,
    };
    base && a.is_const == b.is_const
        && a.derived.len() == b.derived.len()
        && (a.derived.iter().zip(&b.derived))
            .all(|(a, b)| std::mem::discriminant(a) == std::mem::discriminant(b))
}

/// Arguments of a specialization as written.
pub(super) fn patterns(args: &[TemplateArg]) -> Vec<Spelling> {
    args.iter().map(pattern).collect()
}

fn pattern(arg: &TemplateArg) -> Spelling {
    match arg {
        TemplateArg::Type(ty) => Spelling::of(ty),
        TemplateArg::Value(value) => Spelling {
            base: match &value.kind {
                ast::ExprKind::Name(name) => name.to_string(),
                _ => String::new(),
            },
            is_const: false,
            is_pack: false,
            steps: Vec::new(),
            args: Vec::new(),
        },
        TemplateArg::Expansion(inner) => Spelling {
            is_pack: true,
            ..pattern(inner)
        },
    }
}
