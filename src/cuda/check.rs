//! Semantic analysis, from the syntax tree to HIR. Resolves names, determines types, makes conversions explicit,
//! folds constants, and reports violations of the rules of the language and of the architecture.

mod bit_fields;
mod allocations;
mod array_values;
mod calls;
mod classes;
mod consteval;
mod exprs;
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
mod virtuals;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use names::Symbol;

use super::ast::{self, Item, Name};
use super::builtins;
use super::diagnostic::{Cause, Diagnostic, Severity};
use super::fold::{self, constant, expr, int};
use super::hir::{self, Const, Expr, FuncId, LabelId, LocalId, Place, PlaceKind, Type, Unit};
use super::limits::{Budget, ErrorCount, Limit};
use super::nearest::nearest;
use super::prelude::{self, Prelude};
use super::preprocess::cuda_arch;
use engine::arch::{ArchId, architecture};
use engine::ids::Span;
use engine::isa::{CompileOptions, Param};

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Checks<T> = Result<T, Reported>;

/// A kernel's signature as a launch uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSignature {
    /// Its name.
    pub name: String,
    /// The parameters and their offsets.
    pub params: Vec<Param>,
    /// `__launch_bounds__(threads, blocks)`; 0 blocks if omitted.
    pub launch_bounds: Option<(u32, u32)>,
    /// The span of the name in the definition.
    pub span: Span,
    /// Whether the kernel and every function that it calls are free of errors.
    pub compiles: bool,
}

/// A checked source file.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The program; functions with errors have empty bodies.
    pub unit: Unit,
    /// Its kernels, in order.
    pub kernels: Vec<KernelSignature>,
    /// Whether a kernel template has guessed arguments, or none.
    pub has_guesses: bool,
    /// The kernel that the caller named as an instance, as `kernels` names it.
    pub wanted: Option<String>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The variables of functions with errors, as far as they are known, by function name.
    pub broken: Vec<(String, Vec<hir::Local>)>,
    /// Whether the effect of each error is limited to the function or name that contains the error.
    pub is_whole: bool,
    /// Whether a limit was exceeded, so that the program is incomplete.
    pub is_stopped: bool,
}

/// Maximum number of open levels of statements and expressions where the check of another function can begin. With the
/// nesting of that function, the levels are within their limit.
const MAX_OPEN_LEVELS: u64 = 120;

/// Checks a source file for an architecture.
pub(crate) fn check(items: &[Item], source: &str, arch: ArchId, options: &CompileOptions) -> Checked {
    let mut checker = Checker::new(arch, *options, Some(prelude::prelude()));
    source.clone_into(&mut checker.source);
    checker.items(items);
    checker.finish()
}

/// Checks the compiler's complete built-in library.
pub(crate) fn check_library(items: &[Item]) -> Checked {
    let mut checker = Checker::new(ArchId::DEFAULT, CompileOptions::default(), None);
    checker.items(items);
    checker.finish()
}

/// The progress of checking a function.
#[derive(Clone, Debug)]
enum Progress {
    /// Only the signature is checked.
    Declared,
    /// The check of the body is in progress.
    Running,
    /// The body is checked.
    Done,
    /// The body has errors.
    Broken,
}

/// A function parameter, or the return value.
#[derive(Clone, Debug)]
struct ParamInfo {
    /// The type; for a reference, the type of its referent.
    ty: Type,
    is_ref: bool,
    /// Whether the reference also binds to rvalues.
    takes_values: bool,
    is_const: bool,
    is_volatile: bool,
}

impl ParamInfo {
    /// The type of the passed value: a pointer for a reference.
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

    /// Whether two parameters are equivalent in a function type.
    fn is_same(&self, other: &Self) -> bool {
        // Top-level qualifiers are not part of the function type; qualifiers of a referent are.
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

/// A function and its analysis state.
struct Entry {
    ast: Arc<ast::Function>,
    /// The template arguments.
    bindings: templates::Bindings,
    /// The enclosing namespace, as `a::b::`.
    namespace: Name,
    /// The struct of a member function.
    class: Option<hir::StructId>,
    /// Whether it is called on an object, whose address is its first argument.
    has_this: bool,
    params: Vec<ParamInfo>,
    /// Default arguments of the parameters, from any of the declarations.
    defaults: Vec<Option<ast::Expr>>,
    ret: ParamInfo,
    /// Whether the return type is `auto`, which is known once the body is checked.
    is_auto: bool,
    is_constexpr: bool,
    in_prelude: bool,
    /// The first call of a function that is checked on demand.
    first_call: Option<Span>,
    /// The span of the name in the first declaration, which can be a prototype.
    first_declared: Span,
    /// The error in the body that was found before the body is checked.
    mistake: Option<(Span, String)>,
    progress: Progress,
    /// The functions that it calls, with the first call of each.
    calls: BTreeMap<FuncId, Span>,
    hir: hir::Function,
}

impl Entry {
    /// Whether the body is checked only on demand: a function of a header or an instance of a template.
    fn is_on_demand(&self) -> bool {
        self.ast.is_library || (!self.bindings.is_empty() && self.ast.specifiers.global.is_none())
    }
}

/// The state of the function whose body is being checked.
#[derive(Default)]
struct Body {
    /// The function; `None` outside of functions.
    function: Option<FuncId>,
    locals: Vec<hir::Local>,
    scopes: Vec<BTreeMap<Name, Symbol>>,
    /// The objects that each scope destroys, in order of construction.
    cleanups: Vec<Vec<Place>>,
    /// The scope depth outside the loop or `switch` that `break` leaves, and outside the loop of `continue`.
    break_depth: usize,
    continue_depth: usize,
    /// The temporary objects of the current expression.
    temporaries: Vec<Place>,
    /// The declarations of the variables of scopes that have ended.
    ended: BTreeMap<Name, Span>,
    /// The template arguments of the enclosing templates.
    bindings: templates::Bindings,
    /// The struct whose member function this is, if it is called on an object.
    this: Option<hir::StructId>,
    /// The struct of the lambda whose body this is.
    closure: Option<hir::StructId>,
    /// The structs of its lambdas, by the address of the syntax tree, because an expression can be checked twice.
    lambdas: BTreeMap<usize, hir::StructId>,
    ret: Option<ParamInfo>,
    /// The variable that is returned without a copy: each `return` of the function names it.
    result: Option<Name>,
    /// Number of variables that are parameters, including `this`.
    num_params: u32,
    /// Whether the return type is the type of the first `return` value.
    is_auto: bool,
    num_loops: u32,
    num_switches: u32,
    /// The target of `break` inside a `switch` that is lowered to jumps.
    break_label: Option<LabelId>,
    /// Arms of the innermost `switch` that is lowered to jumps.
    jumps: Option<labels::Jumps>,
    labels: labels::Labels,
    in_prelude: bool,
    /// The call of this header function. Errors in the function are reported at the call.
    first_call: Option<Span>,
    /// The name of an instance of a template.
    instance: Option<String>,
    is_kernel: bool,
    broken: bool,
    demoted: bool,
    calls: BTreeMap<FuncId, Span>,
}

struct Checker {
    arch: ArchId,
    /// The compute capability: 750 for 7.5.
    capability: u32,
    options: CompileOptions,
    /// The source text.
    source: String,
    prelude: Option<&'static Prelude>,
    diagnostics: Vec<Diagnostic>,
    structs: Vec<hir::Struct>,
    globals: Vec<hir::Global>,
    /// Texture and surface references, by the index of the global.
    references: BTreeMap<u32, images::ReferenceInfo>,
    /// Indices of the globals that no launch can modify.
    const_arrays: BTreeSet<u32>,
    /// Indices of the `__constant__` variables that are not declared const.
    constant_memory: BTreeSet<u32>,
    scope: BTreeMap<Name, Symbol>,
    /// The current namespace, as `a::b::`.
    namespace: Name,
    /// The struct whose members are being checked.
    class: Option<hir::StructId>,
    /// The class information of structs, beyond their fields.
    classes: BTreeMap<u32, classes::Class>,
    /// The closure structs of functions that are used as objects.
    function_objects: BTreeMap<hir::FuncId, hir::StructId>,
    /// The same for functions of the built-in library, by name and function type.
    library_objects: BTreeMap<(Name, u32), hir::StructId>,
    /// The structs that stand for vector types as bases.
    vector_bases: Vec<(Type, hir::StructId)>,
    /// The function types of function pointers.
    function_types: Vec<function_pointers::FunctionType>,
    /// The functions whose addresses are taken. The address of a function is its index plus 1.
    addresses: Vec<FuncId>,
    /// The virtual functions, and for each the function that calls the one of the object's class.
    virtuals: BTreeMap<FuncId, FuncId>,
    /// Whether the current call names the class of its function: `object.Base::function()`.
    calls_directly: bool,
    has_namespaces: bool,
    /// Namespaces opened by using-directives.
    usings: Vec<Name>,
    /// Whether the source defines a scoped enum.
    has_scoped_enums: bool,
    /// Namespace members imported by using-declarations.
    aliases: BTreeMap<Name, Name>,
    /// Nesting depth of function bodies that are checked for constant expressions.
    num_open: u32,
    functions: Vec<Entry>,
    /// Functions that are called and whose bodies are still to be checked.
    called: Vec<FuncId>,
    /// Whether an error can affect the complete file.
    is_torn: bool,
    /// Instances of class templates with errors, by template and arguments, and their diagnostics.
    wrong_instances: Vec<(usize, Vec<templates::TemplateValue>, Vec<Diagnostic>)>,
    by_name: BTreeMap<Name, Vec<FuncId>>,
    templates: Vec<templates::TemplateEntry>,
    /// The instance that the caller of the compiler named.
    wanted: Option<FuncId>,
    /// Whether a kernel template has guessed arguments, or none.
    has_guesses: bool,
    /// The namespace of the template whose explicit arguments are checked next.
    parameter_namespace: Option<Name>,
    /// Whether a number is a template argument for an enumeration, as names of instances show it.
    takes_numbers: bool,
    /// The errors in the signature of the latest instance that did not match.
    refused: Vec<Diagnostic>,
    type_templates: Vec<templates::TypeTemplate>,
    type_templates_by_name: BTreeMap<Name, usize>,
    /// Variable templates and their namespaces.
    variable_templates: BTreeMap<Name, (Arc<ast::VariableTemplate>, Name, templates::Bindings)>,
    /// Indices of the function templates by name.
    templates_by_name: BTreeMap<Name, Vec<usize>>,
    prelude_by_name: BTreeMap<Name, Vec<FuncId>>,
    body: Body,
    /// Errors in host items, by qualified name, which are reported when a kernel uses the item.
    deferred: BTreeMap<Name, Vec<Diagnostic>>,
    /// Types that a constructor is currently building from a value. The value is not converted to such a type again.
    converting: Vec<Type>,
    /// Unknown names that were reported in the current function.
    unknown: BTreeSet<Name>,
    /// Variables of the functions with errors, by function name.
    broken: Vec<(String, Vec<hir::Local>)>,
    /// Member functions, as `Name::function`, whose definition was rejected because the struct does not declare them.
    missing_methods: BTreeSet<String>,
    /// The private members of structs, by the struct's index.
    private_members: BTreeMap<u32, Vec<Name>>,
    /// The names of all bit-fields.
    bit_field_names: BTreeSet<Name>,
    /// The members of class template instances with explicit definitions.
    specialized_members: BTreeSet<Name>,
    /// Whether any class has a user-defined copy, and whether any has a destructor.
    has_copies: bool,
    has_destructors: bool,
    /// The limit that was exceeded. Nothing is checked after it.
    fatal: Option<Diagnostic>,
    num_errors: ErrorCount,
    /// The open levels of statements and expressions, through all functions whose checks are open.
    levels: u64,
    /// The steps of constant expressions.
    constant_steps: Budget,
    /// The bodies of functions that constant expressions call.
    constant_bodies: BTreeMap<FuncId, Arc<Vec<hir::Stmt>>>,
    /// The members of all structs.
    members: Budget,
    /// By struct: the number of levels of structs that it contains or inherits, with itself.
    struct_depths: BTreeMap<u32, u64>,
    /// By struct: the number of scalars in it.
    struct_scalars: BTreeMap<u32, u64>,
}

/// A value, or an lvalue.
#[derive(Clone, Debug)]
enum Operand {
    Value(Expr),
    Place(Lvalue),
    /// An lvalue that an operator returns, as in `++i`, `a = b`, and `c ? a : b`. Most uses need only its value;
    /// [`Checker::designated`] produces the lvalue otherwise.
    Computed {
        value: Expr,
        is_const: bool,
    },
    /// A bit-field.
    Bits(Box<bit_fields::Bits>),
}

/// A place and its access properties.
#[derive(Clone, Debug)]
struct Lvalue {
    place: Place,
    is_const: bool,
    /// Its value, if it is a constant expression.
    constant: Option<Const>,
    /// Whether it is an xvalue (`std::move`), to which `T &&` binds.
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
            namespace: "".into(),
            class: None,
            classes: BTreeMap::new(),
            library_objects: BTreeMap::new(),
            function_objects: BTreeMap::new(),
            function_types: Vec::new(),
            vector_bases: Vec::new(),
            addresses: Vec::new(),
            virtuals: BTreeMap::new(),
            calls_directly: false,
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
            wanted: None,
            takes_numbers: false,
            has_guesses: false,
            parameter_namespace: None,
            refused: Vec::new(),
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
            fatal: None,
            num_errors: ErrorCount::new(),
            levels: 0,
            constant_steps: Budget::new(Limit::ConstantSteps),
            constant_bodies: BTreeMap::new(),
            members: Budget::new(Limit::Members),
            struct_depths: BTreeMap::new(),
            struct_scalars: BTreeMap::new(),
        }
    }

    /// Ends the check of the source.
    fn stop<T>(&mut self, fatal: Diagnostic) -> Checks<T> {
        self.body.broken = true;
        self.is_torn = true;
        self.fatal.get_or_insert(fatal);
        Err(Reported)
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Checks<T> {
        self.body.broken |= diagnostic.severity == Severity::Error;
        let mut diagnostic = diagnostic;
        // The text of a built-in header is not displayed.
        let notes = std::mem::take(&mut diagnostic.notes).into_iter();
        diagnostic.notes = notes
            .filter(|(span, _)| span.is_none_or(|span| !self.is_of_header(span)))
            .collect();
        if let Some(call) = self.body.first_call {
            diagnostic.span = call;
            diagnostic.fix = None;
        }
        let diagnostic = match &self.body.instance {
            Some(name) => diagnostic.note(format!("Detected during instantiation of `{name}`.")),
            None => diagnostic,
        };
        if !self.body.in_prelude || diagnostic.cause == Cause::Source {
            self.diagnostics.push(diagnostic);
        }
        Err(Reported)
    }

    /// Whether a span is an `#include`. All code of a header has the span of its `#include`.
    fn is_of_header(&self, span: Span) -> bool {
        let text = self.source.get(span.start as usize..span.end as usize);
        text == Some("include")
    }

    /// Moves the diagnostics of headers, from index `num_diagnostics` on, to the use that causes them, without
    /// duplicates.
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

    /// Whether no further function or class can be checked inside those that are open.
    const fn is_deep(&self) -> bool {
        self.num_open >= calls::MAX_OPEN || self.levels >= MAX_OPEN_LEVELS
    }

    /// Whether the check has ended. Too many errors end it.
    fn is_stopped(&mut self) -> bool {
        if self.num_errors.is_exceeded(&self.diagnostics) && self.fatal.is_none() {
            let span = self
                .diagnostics
                .last()
                .map_or_else(Span::default, |last| last.span);
            let _ = self.stop::<()>(Limit::Errors.exceeded(span));
        }
        self.fatal.is_some()
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

    /// Reports an architecture below the given compute capability (700 for 7.0).
    fn require(&mut self, capability: u32, what: &str, span: Span) {
        // The built-in library, which is also checked alone, requires the capability itself.
        if self.capability >= capability || self.body.in_prelude || self.prelude.is_none() {
            return;
        }
        let message = self.capability_message(capability, what);
        let _ = self.report::<()>(Diagnostic::architecture(span, message));
    }

    fn capability_message(&self, capability: u32, what: &str) -> String {
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

    /// Records that the address of a place's variable is taken.
    fn take_address(&mut self, place: &Place) {
        let mut place = place;
        while let PlaceKind::Field { base, .. } = &place.kind {
            place = base;
        }
        if let PlaceKind::Local(id) = place.kind {
            self.body.locals[id.0 as usize].address_taken = true;
        }
    }

    /// Creates an unnamed variable.
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

    /// The functions with errors, and their direct and indirect callers.
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
        // A prototype alone is not a kernel that can be launched.
        for entry in &mut self.functions {
            if entry.ast.body.is_none() {
                entry.hir.kind = hir::FunctionKind::Device;
            }
        }
        let is_stopped = self.fatal.is_some();
        let wanted = self
            .wanted
            .map(|id| self.functions[id.0 as usize].hir.name.clone());
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(self.fatal);
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
            has_guesses: self.has_guesses,
            wanted,
            diagnostics,
            broken: self.broken,
            is_whole: !self.is_torn,
            is_stopped,
        }
    }
}

/// Size of a pointer in bytes: 4 on the first generation of chips; on others the options determine it.
fn pointer_bytes(capability: u32, options: &CompileOptions) -> u32 {
    if options.pointers_32_bit || capability < 200 {
        4
    } else {
        8
    }
}
