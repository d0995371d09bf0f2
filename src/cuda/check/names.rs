//! Name lookup, and suggestions for unknown names.

use super::calls::Arg;
use super::types::Reference;
use super::{Checker, Lvalue, builtins, nearest};
use crate::ast::{Ident, Name};
use crate::diagnostic::Diagnostic;
use crate::hir::{Const, FuncId, GlobalId, LocalId, Type};
use crate::parse::foreign;
use engine::ids::Span;

/// The entity that a name denotes.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A local variable.
    Local {
        id: LocalId,
        is_ref: bool,
        is_const: bool,
        /// Whether the referent of a reference is volatile.
        is_volatile: bool,
        constant: Option<Const>,
    },
    /// A variable at file scope.
    Global { id: GlobalId, is_const: bool },
    /// The address of a variable at file scope, as a value of this pointer type.
    Address(GlobalId, Type),
    /// A constant without memory.
    Constant(Const, Type),
    /// A type.
    Type {
        ty: Type,
        is_const: bool,
        reference: Reference,
    },
    /// A template that a template template parameter denotes.
    Template(usize),
    /// A part of a variable that a structured binding names.
    Part(Box<Lvalue>),
    /// A bit-field of a variable that a structured binding names.
    Bits(Box<super::bit_fields::Bits>),
    /// A parameter pack with this number of elements.
    Pack(usize),
    /// An enum: its enumerators with their values, and its underlying type.
    Enum(Vec<(Name, i128)>, Type),
    /// A variable or function of the host.
    Host(Span),
    /// An item whose declaration has a reported error.
    Poison,
}

impl Checker {
    pub(super) fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.body
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .or_else(|| self.body.bindings.get(name))
            .or_else(|| {
                if self.has_no_namespaces() {
                    return self.scope.get(name);
                }
                self.meanings(name).iter().find_map(|name| self.scope.get(name))
            })
    }

    /// The type or enum that a name before `::` denotes. Variables with the name do not hide it (C++17, "Qualified
    /// name lookup").
    pub(super) fn lookup_scope(&self, name: &str) -> Option<&Symbol> {
        let is_scope = |symbol: &&Symbol| {
            !matches!(
                symbol,
                Symbol::Local { .. } | Symbol::Global { .. } | Symbol::Part(_) | Symbol::Bits(_)
            )
        };
        let local = self.body.scopes.iter().rev().filter_map(|scope| scope.get(name));
        let bound = self.body.bindings.get(name);
        local
            .chain(bound)
            .find(is_scope)
            .or_else(|| self.meanings(name).iter().find_map(|name| self.scope.get(name)))
    }

    /// Whether there are no namespaces, so that unqualified lookup is sufficient.
    fn has_no_namespaces(&self) -> bool {
        self.namespace.is_empty()
            && self.usings.is_empty()
            && self.aliases.is_empty()
            && self.classes.is_empty()
    }

    /// The qualified names that a name can denote at file scope, the innermost namespace first.
    pub(super) fn meanings(&self, name: &str) -> Vec<Name> {
        let mut out = crate::parse::meanings(&self.namespace, &self.usings, &self.aliases, name);
        // Members of the enclosing struct and of its bases; `T::name` where `T` is a struct.
        let enclosing = self
            .class
            .into_iter()
            .flat_map(|id| self.self_and_bases(id))
            .map(|id| (id, name));
        let mut found: Vec<Name> = enclosing
            .filter_map(|(id, name)| self.member_name(id, name))
            .collect();
        if let Some((left, right)) = name.rsplit_once("::")
            && let Some(Symbol::Type {
                ty: Type::Struct(id), ..
            }) = self.lookup(left)
        {
            let members = self.self_and_bases(*id).into_iter();
            found.extend(members.filter_map(|id| self.member_name(id, right)));
        }
        out.retain(|name| !found.contains(name));
        out.splice(0..0, found);
        out
    }

    /// The qualified name of a declaration at file scope.
    pub(super) fn whole(&self, name: &Name) -> Name {
        if self.namespace.is_empty() || !self.body.scopes.is_empty() {
            return name.clone();
        }
        format!("{}{name}", self.namespace).into()
    }

    /// Whether the source has functions of a name.
    pub(super) fn has_function(&self, name: &str) -> bool {
        if self.has_no_namespaces() {
            return self.by_name.contains_key(name);
        }
        self.meanings(name)
            .iter()
            .any(|name| self.by_name.contains_key(name))
    }

    /// The functions that a call can select: those of the enclosing namespaces and of the namespaces of the argument
    /// types.
    pub(super) fn functions_called(&self, name: &str, args: &[Arg<'_>]) -> Vec<FuncId> {
        if self.has_no_namespaces() && !self.has_namespaces {
            return self.by_name.get(name).cloned().unwrap_or_default();
        }
        let names = self.meanings(name);
        let known = |name: &Name| self.by_name.get(name).cloned().unwrap_or_default();
        // A name hides outer names. A using-declaration adds to the names of file scope.
        let root = names.iter().position(|whole| **whole == *name).unwrap_or(0);
        let root = if name.starts_with("operator") { 0 } else { root };
        let mut out: Vec<FuncId> = names[..root]
            .iter()
            .map(known)
            .find(|ids| !ids.is_empty())
            .unwrap_or_else(|| names[root..].iter().flat_map(known).collect());
        if let Some(class) = self.class.filter(|class| self.uses(*class, name)) {
            for base in self.self_and_bases(class).into_iter().skip(1) {
                let of_base = self
                    .member_name(base, name)
                    .map(|whole| known(&whole))
                    .unwrap_or_default();
                for id in of_base {
                    if !out.contains(&id) && !out.iter().any(|own| self.has_same_parameters(*own, id)) {
                        out.push(id);
                    }
                }
            }
        }
        for whole in self.argument_dependent_functions(name, args) {
            for id in known(&whole) {
                if !out.contains(&id) {
                    out.push(id);
                }
            }
        }
        out
    }

    /// The functions with this name in the namespaces of the argument types.
    pub(super) fn argument_dependent_functions(&self, name: &str, args: &[Arg<'_>]) -> Vec<Name> {
        let mut out: Vec<Name> = Vec::new();
        if !self.has_namespaces || name.contains("::") {
            return out;
        }
        for arg in args {
            let Arg::Operand(_, value) = arg else { continue };
            let ty = match &value.ty {
                Type::Pointer(pointer) => &pointer.pointee,
                other => other,
            };
            let text = match ty {
                Type::Struct(id) => &self.structs[id.0 as usize].name,
                Type::Enum(scoped) => &scoped.name,
                _ => continue,
            };
            let text = text.split('<').next().unwrap_or(text);
            if let Some((space, _)) = text.rsplit_once("::") {
                let whole = format!("{space}::{name}").into();
                if !out.contains(&whole) {
                    out.push(whole);
                }
            }
        }
        out
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: &Ident, symbol: Symbol) {
        let whole = self.whole(&name.name);
        let scope = self.body.scopes.last_mut().unwrap_or(&mut self.scope);
        let clash = match (scope.get(&whole), &symbol) {
            (None | Some(Symbol::Poison | Symbol::Host(_)), _) | (_, Symbol::Poison | Symbol::Host(_)) => {
                false
            }
            (Some(Symbol::Type { ty: old, .. }), Symbol::Type { ty: new, .. }) => old != new,
            // `typedef enum Name {…} Name;`
            (Some(Symbol::Enum(_, old)), Symbol::Type { ty: new, .. }) if old == new => return,
            (Some(_), _) => true,
        };
        scope.insert(whole, symbol);
        if !self.body.scopes.is_empty() && self.unknown.contains(&name.name) {
            self.note_late_declaration(name);
        }
        if clash {
            self.is_torn |= self.body.scopes.is_empty();
            let message = format!(
                "`{}` has already been declared in this scope; rename one of the two.",
                name.name
            );
            let _ = self.error::<()>(name.span, message);
        }
    }

    /// Adds a note to the diagnostic for an undeclared variable: the declaration follows the use.
    fn note_late_declaration(&mut self, name: &Ident) {
        let start = format!("The variable `{}` is not declared.", name.name);
        let diagnostic = self.diagnostics.iter_mut().rev().find(|d| d.message == start);
        if let Some(diagnostic) = diagnostic
            && diagnostic.span.start < name.span.start
        {
            diagnostic.notes = vec![(Some(name.span), "Declared here, after its first use.".to_owned())];
        }
    }

    /// The source text of a span.
    pub(super) fn source_text(&self, span: Span) -> String {
        let text = self.source.get(span.start as usize..span.end as usize);
        text.unwrap_or_default().to_owned()
    }

    /// Reports an undeclared name, once per function.
    pub(super) fn report_unknown(&mut self, name: &str, span: Span, is_function: bool) -> super::Reported {
        self.body.broken = true;
        // `cout << … << endl` is a single error.
        let is_part = name == "endl" && self.unknown.contains("cout");
        if !self.unknown.insert(name.into()) || is_part {
            return super::Reported;
        }
        let space = format!("{name}::");
        let starts = |known: Option<&Name>| known.is_some_and(|known| known.starts_with(&space));
        let first: Name = space.as_str().into();
        let is_namespace = starts(self.by_name.range(first.clone()..).next().map(|(known, _)| known))
            || starts(self.scope.range(first..).next().map(|(known, _)| known));
        if is_namespace && !is_function {
            let message = format!("`{name}` is a namespace or class; write `{space}` before a name in it.");
            let _ = self.error::<()>(span, message);
            return super::Reported;
        }
        let mut known: Vec<&str> = Vec::new();
        if is_function {
            for name in self.by_name.keys() {
                known.push(name);
            }
            for name in builtins::names() {
                known.push(name);
            }
            for name in self.prelude.iter().flat_map(|prelude| prelude.names()) {
                known.push(name);
            }
        } else {
            known.extend([
                "threadIdx",
                "blockIdx",
                "blockDim",
                "gridDim",
                "warpSize",
                "nullptr",
            ]);
            for scope in self.body.scopes.iter().chain([&self.scope]) {
                known.extend(scope.keys().map(|name| &**name));
            }
        }
        // The same name in a namespace is a better suggestion than another name.
        let inside = format!("::{name}");
        let qualified = known.iter().find(|known| known.ends_with(&inside)).copied();
        let remedy = foreign::name_remedy(name).filter(|_| qualified.is_none());
        let near = qualified
            .or_else(|| nearest(name, known).filter(|_| remedy.is_none()))
            .map(str::to_owned)
            .or_else(|| self.enumerator(name));
        let what = if is_function { "function" } else { "variable" };
        let mut message = format!("The {what} `{name}` is not declared");
        match &near {
            Some(near) => message.push_str(&format!("; did you mean `{near}`?")),
            None => message.push('.'),
        }
        let mut diagnostic = Diagnostic::error(span, message);
        let is_constant = name.len() > 1
            && name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
        if let Some(near) = near {
            diagnostic = diagnostic.fix(near);
        } else if let Some(remedy) = remedy {
            diagnostic = diagnostic.note(remedy);
        } else if let Some(declared) = self.body.ended.get(name).filter(|_| !is_function) {
            diagnostic = diagnostic.note_at(
                *declared,
                "The scope of this variable ends with its block or loop; declare the variable before the block or \
                 loop.",
            );
        } else if self.body.closure.is_some() && !is_function {
            diagnostic = diagnostic.note(
                "A lambda can use a variable of the enclosing function only if it captures the variable: write `[=]` \
                 or `[&]`.",
            );
        } else if is_function {
            diagnostic = diagnostic
                .note("Define it above, with `__device__`, or include the header that declares it.");
        } else if is_constant {
            diagnostic = diagnostic.note(format!("Define it above, such as `#define {name} 16`."));
        } else {
            diagnostic =
                diagnostic.note("Declare it with its type before this line, or make it a parameter.");
        }
        let _ = self.report::<()>(diagnostic);
        super::Reported
    }

    /// The qualified name of the enumerator with this name.
    fn enumerator(&self, name: &str) -> Option<String> {
        self.scope.iter().find_map(|(outer, symbol)| match symbol {
            Symbol::Enum(values, _) if values.iter().any(|(value, _)| **value == *name) => {
                Some(format!("{outer}::{name}"))
            }
            _ => None,
        })
    }

    /// The place that a variable's symbol denotes.
    pub(super) fn variable(&self, symbol: &Symbol, span: Span) -> Option<Lvalue> {
        match symbol {
            Symbol::Local {
                id,
                is_ref,
                is_const,
                is_volatile,
                constant,
            } => {
                let mut place = self.local_place(*id, span);
                if *is_ref {
                    place = deref(load(place), *is_volatile);
                }
                Some(Lvalue {
                    place,
                    is_const: *is_const,
                    constant: *constant,
                    expires: false,
                })
            }
            Symbol::Part(part) => {
                let mut part = (**part).clone();
                part.place.span = span;
                Some(part)
            }
            Symbol::Global { id, is_const } => {
                let global = &self.globals[id.0 as usize];
                Some(Lvalue {
                    place: crate::hir::Place {
                        kind: crate::hir::PlaceKind::Global(*id),
                        ty: global.ty.clone(),
                        is_volatile: global.is_volatile,
                        span,
                    },
                    is_const: *is_const,
                    constant: None,
                    expires: false,
                })
            }
            _ => None,
        }
    }
}

/// The value of a place.
pub(super) fn load(place: crate::hir::Place) -> crate::hir::Expr {
    let (ty, span) = (place.ty.clone(), place.span);
    super::expr(crate::hir::ExprKind::Load(Box::new(place)), ty, span)
}

/// The referent of a pointer value.
pub(super) fn deref(pointer: crate::hir::Expr, is_volatile: bool) -> crate::hir::Place {
    let (ty, is_volatile) = match &pointer.ty {
        Type::Pointer(p) => (p.pointee.clone(), is_volatile || p.is_volatile),
        _ => (Type::Void, is_volatile),
    };
    crate::hir::Place {
        span: pointer.span,
        kind: crate::hir::PlaceKind::Deref(Box::new(pointer)),
        ty,
        is_volatile,
    }
}
