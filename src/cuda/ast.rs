//! The syntax tree: the source before names and types are resolved.

pub mod walk;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::diagnostic::Diagnostic;
use super::hir::{BinaryOp, CompareOp, LogicalOp, Type, Unroll};
use super::lex::{Character, Number, Text};
use engine::ids::Span;
use engine::isa::ImageShape;

/// A name; a name in a namespace or type is written `a::b`.
pub type Name = Arc<str>;

/// A name and its span.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// The span.
    pub span: Span,
}

/// An item at file scope.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "most values are of the large variant, and a box would be another allocation for each"
)]
pub enum Item {
    /// A function with its body, or a prototype.
    Function(Arc<Function>),
    /// Variables, typedefs, structs, enums.
    Declaration(Declaration),
    /// `template <…>` before a function.
    Template(Arc<Template>),
    /// `template <…>` before a struct.
    ClassTemplate(Arc<ClassTemplate>),
    /// `template <…> using name = type;`.
    AliasTemplate(Arc<AliasTemplate>),
    /// `Name(…) -> Name<…>;`: a deduction guide, as a function with the name of the class template.
    Guide(Arc<Template>),
    /// `template <…>` before a variable.
    VariableTemplate(Arc<VariableTemplate>),
    /// `template void f<int>(…);`, or a host launch `f<int><<<…>>>(…)`: a required instance.
    Instance(Instance),
    /// `namespace name { … }`, the name as `a::b`.
    Namespace(Name, Vec<Item>),
    /// A namespace alias; both names end with `::`.
    NamespaceAlias(Name, Name),
    /// `using namespace name;`.
    UsingNamespace(Name),
    /// `using name::of;`.
    UsingName(Ident),
    /// `using enum name;`.
    UsingEnum(Ident),
    /// `static_assert`.
    StaticAssert(StaticAssert),
    /// A function or variable of the host. Only its name is kept.
    Host(Ident),
    /// An item with an error, and the names that it declares. An error in host code is reported only if a kernel uses
    /// one of the names.
    Unsupported(Vec<Ident>, Vec<Diagnostic>),
}

/// A function template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its parameters; none for an explicit specialization.
    pub params: Vec<TemplateParam>,
    /// The function; its parameters are types and values of the template.
    pub function: Arc<Function>,
}

/// A class template.
#[derive(Clone, Debug)]
pub struct ClassTemplate {
    /// Its parameters; none for an explicit specialization.
    pub params: Vec<TemplateParam>,
    /// Arguments after the name of a specialization, which replaces the template for matching arguments.
    pub args: Vec<TemplateArg>,
    /// The struct; its members can use the template parameters.
    pub def: Arc<StructDef>,
}

/// An alias template.
#[derive(Clone, Debug)]
pub struct AliasTemplate {
    /// Its parameters.
    pub params: Vec<TemplateParam>,
    /// Its name.
    pub name: Ident,
    /// The aliased type.
    pub ty: TypeName,
}

/// A variable template.
#[derive(Clone, Debug)]
pub struct VariableTemplate {
    /// Its parameters.
    pub params: Vec<TemplateParam>,
    /// The variable.
    pub declaration: Declaration,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct TemplateParam {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// What the parameter can be.
    pub kind: TemplateParamKind,
    /// Whether it is a pack: `typename... Ts`.
    pub is_pack: bool,
    /// The span.
    pub span: Span,
}

/// The kind of a template parameter, with its default argument.
#[derive(Clone, Debug)]
pub enum TemplateParamKind {
    /// `typename T = default`.
    Type(Option<TypeName>),
    /// `int n = default`.
    Value(TypeName, Option<Expr>),
    /// `template <typename> class T`: a template template parameter and its default.
    Template(Option<TypeName>),
}

/// `[captures](params) { … }`.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The default capture mode.
    pub others: Captures,
    /// The captured variables that the brackets name.
    pub captures: Vec<Capture>,
    /// Whether the brackets name `this`.
    pub has_this: bool,
    /// All identifiers in its parameters and its body.
    pub names: BTreeSet<Name>,
    /// The template parameters of its `auto` parameters.
    pub params: Vec<TemplateParam>,
    /// Its `operator()`.
    pub function: Arc<Function>,
}

/// The default capture mode of a lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    /// No default capture.
    None,
    /// `=`.
    Values,
    /// `&`.
    References,
}

/// A captured variable of a lambda.
#[derive(Clone, Debug)]
pub struct Capture {
    /// Its name.
    pub name: Ident,
    /// Whether it is captured by reference (`&`).
    pub is_reference: bool,
    /// Whether it is a pack: `args...`.
    pub is_pack: bool,
    /// The initializer of an init capture. `None` captures the variable with this name.
    pub init: Option<Expr>,
}

/// A template argument.
#[derive(Clone, Debug)]
pub enum TemplateArg {
    /// A type.
    Type(TypeName),
    /// A constant expression.
    Value(Expr),
    /// `pattern...`: one argument for each element of the packs in the pattern.
    Expansion(Box<Self>),
}

impl TemplateArg {
    /// The span.
    pub const fn span(&self) -> Span {
        match self {
            Self::Type(ty) => ty.span,
            Self::Value(value) => value.span,
            Self::Expansion(pattern) => pattern.span(),
        }
    }
}

/// Where an instance is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceOrigin {
    /// In an explicit instantiation.
    Source,
    /// By the caller of the compiler.
    Wanted,
    /// By the caller of the compiler, from launches that it has evaluated.
    Read,
    /// In a host function.
    Launch,
    /// In an instance of a host template. `if constexpr` can discard parts of it.
    HostTemplate,
}

/// An instance of a function template that the source names.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The template's name.
    pub name: Ident,
    /// Its arguments.
    pub args: Vec<TemplateArg>,
    /// Where it is named. Errors in the arguments of a launch are not reported.
    pub origin: InstanceOrigin,
}

/// A `static_assert` declaration.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// The condition.
    pub cond: Expr,
    /// The message, without quotes.
    pub message: Option<Name>,
}

/// Specifiers before a declaration.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "named after the words")]
pub struct Specifiers {
    pub is_typedef: bool,
    pub is_static: bool,
    pub is_extern: bool,
    pub is_friend: bool,
    pub is_virtual: bool,
    pub is_explicit: bool,
    pub is_constexpr: bool,
    /// Whether `const` is one of the specifiers.
    pub is_const: bool,
    pub global: Option<Span>,
    pub device: bool,
    pub host: bool,
    pub constant: bool,
    pub shared: Option<Span>,
    pub managed: bool,
    pub noinline: bool,
    pub forceinline: bool,
    /// `__launch_bounds__(a, b)`.
    pub launch_bounds: Option<(Expr, Option<Expr>)>,
    /// `__align__(n)`, `alignas(n)`.
    pub align: Option<Expr>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The specifiers.
    pub specifiers: Specifiers,
    /// The name; `operator+` and the like for operators.
    pub name: Ident,
    /// Template arguments after the name of an explicit specialization.
    pub template_args: Vec<TemplateArg>,
    /// Template arguments of the struct before the name: those of `Name<int>::function`.
    pub owner_args: Vec<TemplateArg>,
    /// The return type.
    pub ret: TypeName,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Whether `const` follows the parameters.
    pub is_const: bool,
    /// The member initializers of a constructor: `: x(1), y{2}`.
    pub inits: Vec<(Ident, Expr)>,
    /// Whether `= default` replaces the body.
    pub is_defaulted: bool,
    /// Whether `= delete` replaces the body.
    pub is_deleted: bool,
    /// Whether the function comes from a CUDA header.
    pub is_library: bool,
    /// Whether a part of the function has a syntax error.
    pub is_broken: bool,
    /// The body; `None` for a prototype.
    pub body: Option<Block>,
}

impl Function {
    /// A device function without parameters and with an empty body.
    pub fn empty(name: &str, ret: TypeName, span: Span) -> Self {
        Self {
            specifiers: Specifiers {
                device: true,
                ..Specifiers::default()
            },
            name: Ident {
                name: name.into(),
                span,
            },
            template_args: Vec::new(),
            owner_args: Vec::new(),
            ret,
            params: Vec::new(),
            is_const: false,
            inits: Vec::new(),
            is_defaulted: false,
            is_deleted: false,
            is_library: false,
            is_broken: false,
            body: Some(Block {
                stmts: Vec::new(),
                end: span,
            }),
        }
    }
}

/// The name of constructors.
pub const CONSTRUCTOR: &str = "(constructor)";
/// What follows the name of a class template in the name of its deduction guides.
pub const GUIDE: &str = " (guide)";
/// The name of destructors.
pub const DESTRUCTOR: &str = "(destructor)";
/// The prefix of conversion function names; the type follows.
pub const CONVERSION: &str = "operator ";

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// Its type.
    pub ty: TypeName,
    /// Its default argument.
    pub default: Option<Expr>,
    /// Whether it is a pack: `Ts... args`.
    pub is_pack: bool,
}

/// A block of statements in braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// The base type.
    pub base: BaseType,
    /// Whether the base is const.
    pub is_const: bool,
    /// Whether the base is volatile.
    pub is_volatile: bool,
    /// The type steps applied to the base, in order.
    pub derived: Vec<Derived>,
    /// The span.
    pub span: Span,
}

impl TypeName {
    /// A built-in scalar type.
    pub const fn known(ty: Type, span: Span) -> Self {
        Self {
            base: BaseType::Known(ty),
            is_const: false,
            is_volatile: false,
            derived: Vec::new(),
            span,
        }
    }
}

/// The base of a type.
#[derive(Clone, Debug)]
pub enum BaseType {
    /// A type that the language or CUDA defines.
    Known(Type),
    /// `auto`.
    Auto,
    /// The name of a typedef, struct or enum.
    Named(Ident),
    /// `struct Name`, which declares the struct if it is not declared yet.
    Elaborated(Ident),
    /// `name<args>`, or `name<args>::member`.
    Instance {
        /// The template's name.
        name: Ident,
        /// Its arguments.
        args: Vec<TemplateArg>,
        /// The member type.
        member: Option<Ident>,
    },
    /// `typeof(value)`: never a reference.
    TypeOf(Box<Expr>),
    /// `decltype(value)`: a reference if the value is an lvalue.
    Decltype(Box<Expr>),
    /// `type::name`, or `type::template name<args>`.
    Nested {
        /// The enclosing type.
        of: Box<TypeName>,
        /// The member type or template.
        name: Ident,
        /// Arguments of the template.
        args: Option<Vec<TemplateArg>>,
    },
    /// A struct defined here.
    Struct(Arc<StructDef>),
    /// An enum defined here.
    Enum(Box<EnumDef>),
    /// `texture<T, 1>` or `surface<void, 2>`: a texture or surface reference.
    Texture(Box<ReferenceType>),
}

/// The type of a texture or surface reference.
#[derive(Clone, Debug)]
pub struct ReferenceType {
    /// The element type; `void` for surfaces.
    pub elem: TypeName,
    /// The dimensions.
    pub shape: ImageShape,
    /// Whether the read mode is `cudaReadModeNormalizedFloat`.
    pub reads_fractions: bool,
    /// Whether it is a `surface`.
    pub is_surface: bool,
}

/// One step that derives a type from another type.
#[derive(Clone, Debug)]
pub enum Derived {
    /// `*`, with the qualifiers of the pointer itself.
    Pointer {
        /// `* const`.
        is_const: bool,
        /// `* volatile`.
        is_volatile: bool,
        /// `* __restrict__`.
        restrict: bool,
    },
    /// `&`.
    Reference,
    /// `&&`, which also binds to rvalues.
    RvalueReference,
    /// `[n]`.
    Array(Option<Box<Expr>>),
    /// `(params)`: a function that returns the preceding type.
    Function(Vec<Param>),
}

/// `struct Name { … }`.
#[derive(Clone, Debug)]
pub struct StructDef {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// Arguments after the name, in an explicit specialization.
    pub args: Vec<TemplateArg>,
    /// The bases: types, and packs of types.
    pub bases: Vec<TemplateArg>,
    /// Whether it declares virtual functions.
    pub is_polymorphic: bool,
    /// Names of base functions that `using Base::name;` adds to the functions of the struct.
    pub used: Vec<Name>,
    /// Its members, in order.
    pub members: Vec<Member>,
    /// `__align__`.
    pub align: Option<Expr>,
    /// Whether it is a union, whose members all start at offset 0.
    pub is_union: bool,
    /// Whether it is a forward declaration.
    pub is_forward: bool,
    /// The names of its private members.
    pub private: Vec<Name>,
    /// Whether a part of the struct has an error or is not supported yet.
    pub unsupported: bool,
    /// The diagnostic that is reported only if a kernel uses the struct.
    pub deferred: Vec<Diagnostic>,
    /// Whether no member is marked as device code.
    pub is_of_host: bool,
}

/// A member of a struct.
#[derive(Clone, Debug)]
pub enum Member {
    /// Fields, static constants, and types.
    Declaration(Declaration),
    /// A member function or constructor.
    Function(Arc<Function>),
    /// A template of member functions.
    Template(Arc<Template>),
    /// A friend function, which belongs to the enclosing namespace.
    Friend(Arc<Function>),
    /// `static_assert`.
    StaticAssert(StaticAssert),
    /// A host function.
    Host(Ident),
    /// `using enum name;`, or a template of structs, aliases, or variables.
    Item(Item),
}

/// `enum Name { … }`.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// Whether it is scoped, so that its enumerators need `Name::`.
    pub is_class: bool,
    /// The underlying type, if one is written.
    pub underlying: Option<TypeName>,
    /// The enumerators and their values.
    pub values: Vec<(Ident, Option<Expr>)>,
}

/// A declaration of variables or typedefs.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The specifiers.
    pub specifiers: Specifiers,
    /// The base type.
    pub ty: TypeName,
    /// The declarators; none for a struct or enum alone.
    pub declarators: Vec<Declarator>,
    /// The span.
    pub span: Span,
}

/// A declarator.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeName,
    /// Its initializer.
    pub init: Option<Initializer>,
    /// The width of a bit-field, which can be unnamed.
    pub bits: Option<Box<Expr>>,
}

impl Declarator {
    /// The single initial value: `= value`, `{…}`, or `(value)`.
    pub fn single_value(&self) -> Option<&Expr> {
        match self.init.as_ref()? {
            Initializer::Value(value) => Some(value),
            Initializer::Constructor(values) => match values.as_slice() {
                [only] => Some(only),
                _ => None,
            },
        }
    }
}

/// The initializer of a variable.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= value` or `{…}`.
    Value(Expr),
    /// `(a, b)`.
    Constructor(Vec<Expr>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind.
    pub kind: StmtKind,
    /// The span.
    pub span: Span,
}

/// The kind of a statement.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named after C's statements")]
// With pointers of 32 bits, no variant is large enough for the lint.
#[cfg_attr(
    target_pointer_width = "64",
    expect(
        clippy::large_enum_variant,
        reason = "most values are of the large variant, and a box would be another allocation for each"
    )
)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Block(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
        is_constexpr: bool,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
        unroll: Option<UnrollPragma>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
        unroll: Option<UnrollPragma>,
    },
    For {
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        unroll: Option<UnrollPragma>,
    },
    /// `for (init; variable : range) body`; the variable has no initializer.
    RangeFor {
        init: Option<Box<Stmt>>,
        variable: Box<Stmt>,
        range: Expr,
        body: Box<Stmt>,
        unroll: Option<UnrollPragma>,
    },
    /// `auto [a, b] = value;`.
    Bindings(Bindings),
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    Case(Expr, Option<Expr>),
    Default,
    Break,
    Continue,
    Return(Option<Expr>),
    Label(Ident),
    Goto(Ident),
    /// A namespace alias; both names end with `::`.
    NamespaceAlias(Name, Name),
    /// `using namespace name;`.
    UsingNamespace(Name),
    /// `using name::of;`.
    UsingName(Ident),
    /// `using enum name;`.
    UsingEnum(Ident),
    /// A statement with a reported error. The names that it declares are not reported again.
    Error(Vec<Ident>),
}

/// A structured binding.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// `auto`, `const auto &`, or a similar type.
    pub ty: TypeName,
    /// The names, in order.
    pub names: Vec<Ident>,
    /// The decomposed value; `None` in the header of a range-based loop.
    pub value: Option<Expr>,
    /// The span from bracket to bracket.
    pub span: Span,
}

/// A `#pragma unroll` directive.
#[derive(Clone, Debug)]
pub enum UnrollPragma {
    /// The factor is a literal.
    Known(Unroll),
    /// The factor is an expression.
    By(Box<Expr>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind.
    pub kind: ExprKind,
    /// The span.
    pub span: Span,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after C's operators")]
pub enum PrefixOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddressOf,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfixOp {
    /// Arithmetic.
    Arithmetic(BinaryOp),
    /// Comparison.
    Compare(CompareOp),
    /// `&&`, `||`.
    Logical(LogicalOp),
    /// `,`.
    Comma,
}

/// The operator of a fold expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldOp {
    /// A binary operator.
    Infix(InfixOp),
    /// `=`, or a compound assignment.
    Assign(Option<BinaryOp>),
}

/// The notation of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastStyle {
    /// `(T)v`, `T(v)`, `const_cast`.
    C,
    /// `static_cast`.
    Static,
    /// `reinterpret_cast`.
    Reinterpret,
    /// `object.Base<T>::`: the object as its base. The result is const if the object is const.
    Base,
}

/// The kind of an expression.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named after C's expressions")]
pub enum ExprKind {
    Number(Number),
    Char(Character),
    Bool(bool),
    Null,
    /// A string.
    Str(Arc<Text>),
    /// A name, optionally qualified: `Mode::ADD`.
    Name(Name),
    /// `name<args>`: a variable.
    Instance {
        name: Ident,
        args: Vec<TemplateArg>,
    },
    Prefix(PrefixOp, Box<Expr>),
    IncDec {
        operand: Box<Expr>,
        delta: i64,
        postfix: bool,
    },
    Infix {
        op: InfixOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Assign {
        op: Option<BinaryOp>,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Conditional {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Call {
        callee: Ident,
        /// `f<int>(…)`; `None` for `f(…)`.
        template_args: Option<Vec<TemplateArg>>,
        args: Vec<Expr>,
    },
    /// The first argument of `tex1Dfetch<T>`: a texture object that is fetched as this type, or a reference.
    Texture {
        ty: Option<Box<TypeName>>,
        texture: Box<Expr>,
    },
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    Member {
        base: Box<Expr>,
        field: Ident,
        arrow: bool,
    },
    /// `base.method(args)`. In a call of an object, the method is `operator()`.
    MethodCall {
        base: Box<Expr>,
        arrow: bool,
        method: Ident,
        template_args: Option<Vec<TemplateArg>>,
        args: Vec<Expr>,
    },
    This,
    /// `name<args>::member`, and a call of it.
    StaticMember {
        ty: Box<TypeName>,
        member: Ident,
        template_args: Option<Vec<TemplateArg>>,
        args: Option<Vec<Expr>>,
    },
    Cast {
        style: CastStyle,
        ty: Box<TypeName>,
        operand: Box<Expr>,
    },
    /// `T(a, b)`, `T{a, b}`.
    Construct {
        ty: Box<TypeName>,
        args: Vec<Expr>,
    },
    /// `{a, b}`, with the member name of each `.name = value`.
    List(Vec<(Option<Ident>, Expr)>),
    Lambda(Arc<Lambda>),
    /// `pattern...`: one value for each element of the packs in the pattern.
    Expansion(Box<Expr>),
    /// `(before op ... op after)`. One operand contains packs; the other can be absent.
    Fold {
        op: FoldOp,
        before: Option<Box<Expr>>,
        after: Option<Box<Expr>>,
    },
    /// `sizeof...(pack)`.
    SizeofPack(Ident),
    SizeofType(Box<TypeName>),
    SizeofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
}
