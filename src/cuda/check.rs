//! From the syntax tree to HIR: looks up names, finds types, writes conversions out, folds
//! constants, and says what breaks the rules of the language or of the architecture.

mod bit_fields;
mod array_values;
mod builtins;
mod calls;
mod classes;
mod consteval;
mod exprs;
mod fold;
mod function_pointers;
mod images;
mod init;
mod items;
mod labels;
mod lifetimes;
mod lambdas;
mod lvalues;
mod names;
mod ops;
mod packs;
mod printf;
mod ranges;
mod scoped_enums;
mod special;
mod stmts;
mod templates;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) use builtins::is_builtin_name;
pub(crate) use builtins::{
    capability as builtin_capability, names as builtin_names, signature as builtin_signature,
};
use names::Symbol;
pub use names::nearest;
pub(crate) use types::type_text;

use super::ast::{self, Item, Name};
use super::diagnostic::{Cause, Diagnostic, Severity};
use super::hir::{self, Const, Expr, ExprKind, FuncId, LabelId, LocalId, Place, PlaceKind, Type, Unit};
use super::prelude::{self, Prelude};
use super::preprocess::cuda_arch;
use engine::arch::{ArchId, architecture};
use engine::ids::Span;
use engine::isa::{CompileOptions, Param};

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Checks<T> = Result<T, Reported>;

/// A kernel as a launch sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSignature {
    /// Its name.
    pub name: String,
    /// Its parameters, with their offsets.
    pub params: Vec<Param>,
    /// `__launch_bounds__(threads, blocks)`; 0 blocks where not given.
    pub launch_bounds: Option<(u32, u32)>,
    /// Its name in its definition.
    pub span: Span,
    /// Whether it and everything that it calls is free of errors.
    pub compiles: bool,
}

/// A checked source file.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The program; functions with errors have empty bodies.
    pub unit: Unit,
    /// Its kernels, in order.
    pub kernels: Vec<KernelSignature>,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Variables of the functions with errors, as far as they are known, by the functions' names.
    pub broken: Vec<(String, Vec<hir::Local>)>,
    /// Whether each error breaks no more than the function or the name that it is in.
    pub is_whole: bool,
}

/// Checks a source file for an architecture.
pub(crate) fn check(items: &[Item], source: &str, arch: ArchId, options: &CompileOptions) -> Checked {
    let mut checker = Checker::new(arch, *options, Some(prelude::prelude()));
    source.clone_into(&mut checker.source);
    checker.items(items);
    checker.finish()
}

/// Checks the compiler's own library, all of it.
#[cfg(test)]
#[cfg(test)]
pub(super) fn check_library(items: &[Item]) -> Checked {
    let mut checker = Checker::new(ArchId::Tu102, CompileOptions::default(), None);
    checker.items(items);
    checker.finish()
}

/// How far a function is.
#[derive(Clone, Debug)]
enum Progress {
    /// Only its signature is known.
    Declared,
    /// Its body is being checked.
    Running,
    /// Its body is known.
    Done,
    /// Its body has errors.
    Broken,
}

/// A parameter of a function, or its result.
#[derive(Clone, Debug)]
struct ParamInfo {
    /// Its type; that of what it refers to if it is a reference.
    ty: Type,
    is_ref: bool,
    /// Whether the reference binds to values, too.
    takes_values: bool,
    is_const: bool,
    is_volatile: bool,
}

impl ParamInfo {
    /// The type of the value that is passed: a pointer for a reference.
    fn passed_type(&self) -> Type {
        if !self.is_ref {
            return self.ty.clone();
        }
        Type::Pointer(Box::new(hir::Pointer {
            pointee: self.ty.clone(),
            is_const: self.is_const,
            is_volatile: self.is_volatile,
            restrict: false,
        }))
    }

    /// Whether it makes no difference to the type of a function which of two parameters it has.
    fn is_same(&self, other: &Self) -> bool {
        // Qualifiers of the parameter itself are no part of the type, those behind a reference are.
        let is_same_ref = !self.is_ref
            || (self.is_const, self.is_volatile, self.takes_values)
                == (other.is_const, other.is_volatile, other.takes_values);
        let is_same_ty = match (&self.ty, &other.ty) {
            (a, b) if a == b => true,
            (Type::Pointer(a), Type::Pointer(b)) => {
                (&a.pointee, a.is_const, a.is_volatile) == (&b.pointee, b.is_const, b.is_volatile)
            }
            _ => false,
        };
        self.is_ref == other.is_ref && is_same_ref && is_same_ty
    }
}

/// A function and what is known of it.
struct Entry {
    ast: Arc<ast::Function>,
    /// What the parameters of its template stand for.
    bindings: templates::Bindings,
    /// The namespace that it is in, as `a::b::`.
    home: Name,
    /// The struct whose member it is.
    class: Option<hir::StructId>,
    /// Whether it is called on an object, whose address is its first argument.
    has_this: bool,
    params: Vec<ParamInfo>,
    /// Default arguments of the parameters, from whichever declaration gives them.
    defaults: Vec<Option<ast::Expr>>,
    ret: ParamInfo,
    /// Whether its result is `auto`: known when its body is.
    is_auto: bool,
    is_constexpr: bool,
    in_prelude: bool,
    /// Where a function that is checked on demand is called first.
    first_call: Option<Span>,
    /// Where its name is declared first, which may be a declaration without the body.
    first_declared: Span,
    /// What is wrong in its body already before it is checked.
    mistake: Option<(Span, String)>,
    progress: Progress,
    /// Functions that it calls, with the first call of each.
    calls: BTreeMap<FuncId, Span>,
    hir: hir::Function,
}

impl Entry {
    /// Whether its body counts only if something calls it: that of a header or of an instance of a template.
    fn is_on_demand(&self) -> bool {
        self.ast.is_library || (!self.bindings.is_empty() && self.ast.specifiers.global.is_none())
    }
}

/// What is known of the function whose body is being checked.
#[derive(Default)]
struct Body {
    locals: Vec<hir::Local>,
    scopes: Vec<BTreeMap<Name, Symbol>>,
    /// The objects that end with each scope, as they begin.
    cleanups: Vec<Vec<Place>>,
    /// How many scopes are around the loop or `switch` that `break` leaves, and around the one of `continue`.
    break_depth: usize,
    continue_depth: usize,
    /// The temporary objects of the expression that is checked.
    temporaries: Vec<Place>,
    /// Where the variables of scopes that have ended were declared.
    ended: BTreeMap<Name, Span>,
    /// What the parameters of templates around stand for.
    bindings: templates::Bindings,
    /// The struct whose member function this is, if it is called on an object.
    this: Option<hir::StructId>,
    /// The struct of the lambda that this is.
    closure: Option<hir::StructId>,
    /// The structs of the lambdas in it, by the addresses of their trees: an expression can be looked at twice.
    lambdas: BTreeMap<usize, hir::StructId>,
    ret: Option<ParamInfo>,
    /// The variable that becomes the result without a copy: each `return` of the function names it.
    result: Option<Name>,
    /// How many of the variables are parameters, `this` among them.
    num_params: u32,
    /// Whether the result has the type of what the first `return` gives.
    is_auto: bool,
    num_loops: u32,
    num_switches: u32,
    /// Where `break` goes, if what is around it is a `switch` that is made of jumps.
    break_label: Option<LabelId>,
    /// Arms of the innermost `switch`, if it is made of jumps.
    jumps: Option<labels::Jumps>,
    labels: labels::Labels,
    in_prelude: bool,
    /// Where this function of a header is called, which is where its mistakes are.
    first_call: Option<Span>,
    /// Its name, if it is an instance of a template.
    instance: Option<String>,
    is_kernel: bool,
    broken: bool,
    demoted: bool,
    calls: BTreeMap<FuncId, Span>,
}

struct Checker {
    arch: ArchId,
    /// 750 for compute capability 7.5.
    capability: u32,
    options: CompileOptions,
    /// The text of the file.
    source: String,
    prelude: Option<&'static Prelude>,
    diagnostics: Vec<Diagnostic>,
    structs: Vec<hir::Struct>,
    globals: Vec<hir::Global>,
    /// Texture and surface references, by the number of the global.
    references: BTreeMap<u32, images::ReferenceInfo>,
    /// Indices of the globals whose contents no launch can change.
    const_arrays: BTreeSet<u32>,
    /// Indices of the `__constant__` variables that are not declared const.
    constant_memory: BTreeSet<u32>,
    scope: BTreeMap<Name, Symbol>,
    /// The namespace of what is checked, as `a::b::`.
    home: Name,
    /// The struct whose members are checked.
    class: Option<hir::StructId>,
    /// Structs with what is more than their fields.
    classes: BTreeMap<u32, classes::Class>,
    /// The structs of functions that are used as objects, by the functions' whole names.
    function_objects: BTreeMap<Name, hir::StructId>,
    /// The types of functions that pointers lead to.
    function_types: Vec<function_pointers::FunctionType>,
    /// The functions whose addresses are taken. The address is the index plus 1.
    addresses: Vec<FuncId>,
    has_namespaces: bool,
    /// Namespaces whose names are seen without them.
    usings: Vec<Name>,
    /// Whether the source defines a scoped enum.
    has_scoped_enums: bool,
    /// Names that stand for others of another namespace.
    aliases: BTreeMap<Name, Name>,
    /// How many bodies are being checked inside of each other, for values of constant expressions.
    num_open: u32,
    functions: Vec<Entry>,
    /// Functions that are checked on demand, were called, and are still to be checked.
    called: Vec<FuncId>,
    /// Whether something is wrong that may concern all of the file.
    is_torn: bool,
    /// Instances of class templates that have errors, by the template and its arguments, with what was said of them.
    wrong_instances: Vec<(usize, Vec<templates::TemplateValue>, Vec<Diagnostic>)>,
    by_name: BTreeMap<Name, Vec<FuncId>>,
    templates: Vec<templates::TemplateEntry>,
    type_templates: Vec<templates::TypeTemplate>,
    type_templates_by_name: BTreeMap<Name, usize>,
    /// Templates of variables, with the namespaces that they are in.
    variable_templates: BTreeMap<Name, (Arc<ast::VariableTemplate>, Name, templates::Bindings)>,
    /// Indices of the templates of a name.
    templates_by_name: BTreeMap<Name, Vec<usize>>,
    prelude_by_name: BTreeMap<Name, Vec<FuncId>>,
    body: Body,
    /// What is wrong with things of the host, by their whole names, until a kernel uses one.
    deferred: BTreeMap<Name, Vec<Diagnostic>>,
    /// Types that a constructor is making of a value now; the value is not converted to one of them once more.
    converting: Vec<Type>,
    /// Words that were reported as unknown in the current function.
    unknown: BTreeSet<Name>,
    /// Variables of the functions with errors, by the functions' names.
    broken: Vec<(String, Vec<hir::Local>)>,
    /// Member functions, as `Name::function`, whose definition was refused as their struct does not declare them.
    missing_methods: BTreeSet<String>,
    /// The private members of structs, by the struct's index.
    private_members: BTreeMap<u32, Vec<Name>>,
    /// The names of all bit-fields.
    bit_field_names: BTreeSet<Name>,
    /// The members of instances of class templates that have definitions of their own.
    specialized_members: BTreeSet<Name>,
    /// Whether any class has a function that copies its objects, and whether any has a destructor.
    has_copies: bool,
    has_destructors: bool,
}

/// A value, or a place that has one.
#[derive(Clone, Debug)]
enum Operand {
    Value(Expr),
    Place(Lvalue),
    /// A place that an operator gives, as `++i`, `a = b`, and `c ? a : b` do. Few uses need more than its
    /// value; [`Checker::designated`] makes the place for them.
    Computed {
        value: Expr,
        is_const: bool,
    },
    /// A bit-field.
    Bits(Box<bit_fields::Bits>),
}

/// A place and what may be done with it.
#[derive(Clone, Debug)]
struct Lvalue {
    place: Place,
    is_const: bool,
    /// Its value, where it is known to the compiler.
    constant: Option<Const>,
    /// Whether it is used for the last time, as `std::move` says: `T &&` refers to it.
    expires: bool,
}

impl Checker {
    fn new(arch: ArchId, options: CompileOptions, prelude: Option<&'static Prelude>) -> Self {
        Self {
            arch,
            capability: cuda_arch(arch),
            options,
            source: String::new(),
            prelude,
            diagnostics: Vec::new(),
            structs: Vec::new(),
            globals: Vec::new(),
            references: BTreeMap::new(),
            const_arrays: BTreeSet::new(),
            constant_memory: BTreeSet::new(),
            scope: BTreeMap::new(),
            home: "".into(),
            class: None,
            classes: BTreeMap::new(),
            function_objects: BTreeMap::new(),
            function_types: Vec::new(),
            addresses: Vec::new(),
            has_namespaces: false,
            usings: Vec::new(),
            has_scoped_enums: false,
            aliases: BTreeMap::new(),
            num_open: 0,
            functions: Vec::new(),
            called: Vec::new(),
            is_torn: false,
            wrong_instances: Vec::new(),
            by_name: BTreeMap::new(),
            templates: Vec::new(),
            type_templates: Vec::new(),
            type_templates_by_name: BTreeMap::new(),
            variable_templates: BTreeMap::new(),
            templates_by_name: BTreeMap::new(),
            prelude_by_name: BTreeMap::new(),
            body: Body::default(),
            deferred: BTreeMap::new(),
            converting: Vec::new(),
            unknown: BTreeSet::new(),
            broken: Vec::new(),
            missing_methods: BTreeSet::new(),
            private_members: BTreeMap::new(),
            bit_field_names: BTreeSet::new(),
            specialized_members: BTreeSet::new(),
            has_copies: false,
            has_destructors: false,
        }
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Checks<T> {
        self.body.broken |= diagnostic.severity == Severity::Error;
        let mut diagnostic = diagnostic;
        // A header that the compiler has is shown nowhere.
        let notes = std::mem::take(&mut diagnostic.notes).into_iter();
        diagnostic.notes = notes
            .filter(|(span, _)| span.is_none_or(|span| !self.is_of_header(span)))
            .collect();
        if let Some(call) = self.body.first_call {
            diagnostic.span = call;
            diagnostic.fix = None;
        }
        let diagnostic = match &self.body.instance {
            Some(name) => diagnostic.note(format!("This is in the instance `{name}`.")),
            None => diagnostic,
        };
        if !self.body.in_prelude || diagnostic.cause == Cause::Source {
            self.diagnostics.push(diagnostic);
        }
        Err(Reported)
    }

    /// Whether a place is an `#include`, which all of a header's text has as its place.
    fn is_of_header(&self, span: Span) -> bool {
        let text = self.source.get(span.start as usize..span.end as usize);
        text == Some("include")
    }

    /// Moves what was found in headers since a number of diagnostics to the place that uses them, once.
    fn move_out_of_headers(&mut self, num_diagnostics: usize, user: Span) {
        if self.is_of_header(user) {
            return;
        }
        let found = self.diagnostics.split_off(num_diagnostics);
        for mut diagnostic in found {
            if self.is_of_header(diagnostic.span) {
                if self.diagnostics.iter().any(|d| d.message == diagnostic.message) {
                    continue;
                }
                diagnostic.span = user;
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Checks<T> {
        self.report(Diagnostic::error(span, message))
    }

    fn unsupported<T>(&mut self, span: Span, what: &str) -> Checks<T> {
        self.report(Diagnostic::unsupported(span, what))
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        if !self.body.in_prelude {
            self.diagnostics.push(Diagnostic::warning(span, message));
        }
    }

    /// Reports what the architecture lacks below a compute capability (700 for 7.0).
    fn require(&mut self, capability: u32, what: &str, span: Span) {
        if self.capability >= capability || self.body.in_prelude {
            return;
        }
        let message = self.lacks(capability, what);
        let _ = self.report::<()>(Diagnostic::architecture(span, message));
    }

    fn lacks(&self, capability: u32, what: &str) -> String {
        let chip = architecture(self.arch);
        format!(
            "{what} needs compute capability {}.{}; {} has {}.",
            capability / 100,
            capability / 10 % 10,
            chip.name,
            chip.compute_capability
        )
    }

    fn has_double(&self) -> bool {
        self.capability >= 130
    }

    fn local_place(&self, id: LocalId, span: Span) -> Place {
        let local = &self.body.locals[id.0 as usize];
        Place {
            kind: PlaceKind::Local(id),
            ty: local.ty.clone(),
            is_volatile: local.is_volatile,
            span,
        }
    }

    /// Notes that the address of a place's variable is needed.
    fn take_address(&mut self, place: &Place) {
        let mut place = place;
        while let PlaceKind::Field { base, .. } = &place.kind {
            place = base;
        }
        if let PlaceKind::Local(id) = place.kind {
            self.body.locals[id.0 as usize].address_taken = true;
        }
    }

    /// A new variable without a name.
    fn temporary(&mut self, ty: Type, span: Span) -> LocalId {
        let id = LocalId(self.body.locals.len() as u32);
        let local = hir::Local {
            name: String::new(),
            c_type: self.text(&ty),
            align: self.align_of(&ty),
            ty,
            storage: hir::Storage::Automatic,
            address_taken: false,
            is_volatile: false,
            span,
        };
        self.body.locals.push(local);
        id
    }

    /// Functions with errors, and those that call them.
    fn broken_functions(&self) -> BTreeSet<FuncId> {
        let mut callers: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
        let mut broken = BTreeSet::new();
        let mut open = Vec::new();
        for (entry, idx) in self.functions.iter().zip(0..) {
            for callee in entry.calls.keys() {
                callers.entry(*callee).or_default().push(FuncId(idx));
            }
            if !matches!(entry.progress, Progress::Done) {
                open.push(FuncId(idx));
            }
        }
        while let Some(id) = open.pop() {
            if broken.insert(id) {
                open.extend(callers.get(&id).into_iter().flatten());
            }
        }
        broken
    }

    fn finish(mut self) -> Checked {
        let broken = self.broken_functions();
        // A prototype alone is no kernel that could be launched.
        for entry in &mut self.functions {
            if entry.ast.body.is_none() {
                entry.hir.kind = hir::FunctionKind::Device;
            }
        }
        let diagnostics = self.diagnostics;
        let mut unit = Unit {
            functions: self.functions.into_iter().map(|entry| entry.hir).collect(),
            globals: self.globals,
            structs: self.structs,
            pointer_bytes: pointer_bytes(self.capability, &self.options),
        };
        if self.has_scoped_enums {
            scoped_enums::Representation.unit(&mut unit);
            for local in self.broken.iter_mut().flat_map(|(_, locals)| locals) {
                scoped_enums::Representation.local(local);
            }
        }
        let kernels = unit
            .functions
            .iter()
            .zip(0..)
            .filter(|(function, _)| function.kind == hir::FunctionKind::Kernel)
            .map(|(function, idx)| KernelSignature {
                name: function.name.clone(),
                params: unit.params(function),
                launch_bounds: function.launch_bounds.map(|b| (b.max_threads, b.min_blocks)),
                span: function.span,
                compiles: !broken.contains(&FuncId(idx)),
            })
            .collect();
        Checked {
            unit,
            kernels,
            diagnostics,
            broken: self.broken,
            is_whole: !self.is_torn,
        }
    }
}

/// Bytes of a pointer: chips of the first generation address 32 bits, others as the options say.
fn pointer_bytes(capability: u32, options: &CompileOptions) -> u32 {
    if options.pointers_32_bit || capability < 200 {
        4
    } else {
        8
    }
}

fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// A constant of a type; integers are cut to the type's range.
fn constant(value: Const, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Const(value), ty, span)
}

fn int(value: i128, ty: Type, span: Span) -> Expr {
    constant(Const::Int(fold::wrap(value, &ty)), ty, span)
}

#[cfg(test)]
mod tests;
