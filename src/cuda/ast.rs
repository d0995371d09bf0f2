//! The syntax tree: what stands in the source, before names and types are looked up.

pub mod walk;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::diagnostic::Diagnostic;
use super::hir::{BinaryOp, CompareOp, LogicalOp, Type, Unroll};
use super::lex::Number;
use engine::ids::Span;
use engine::isa::ImageShape;

/// A name; one that belongs to a namespace or type as `a::b`.
pub type Name = Arc<str>;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// What stands at file scope.
#[derive(Clone, Debug)]
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
    /// `template <…>` before a variable.
    VariableTemplate(Arc<VariableTemplate>),
    /// `template void f<int>(…);`, or a launch `f<int><<<…>>>(…)` of the host: an instance that must be there.
    Instance(Instance),
    /// `namespace name { … }`, the name as `a::b`.
    Namespace(Name, Vec<Item>),
    /// Another name for a namespace, both with `::` behind them.
    NamespaceAlias(Name, Name),
    /// `using namespace name;`.
    UsingNamespace(Name),
    /// `using name::of;`.
    UsingName(Ident),
    /// `using enum name;`.
    UsingEnum(Ident),
    /// `static_assert`.
    StaticAssert(StaticAssert),
    /// A function or variable of the host, of which only the name counts.
    Host(Ident),
    /// Something wrong, with the names that it declares. What is wrong with code of the host counts only if a
    /// kernel uses one of the names.
    Unsupported(Vec<Ident>, Vec<Diagnostic>),
}

/// A function template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its parameters; none for an explicit specialization.
    pub params: Vec<TemplateParam>,
    /// The function, in which the parameters stand for types and values.
    pub function: Arc<Function>,
}

/// A template of structs.
#[derive(Clone, Debug)]
pub struct ClassTemplate {
    /// Its parameters; none for an explicit specialization.
    pub params: Vec<TemplateParam>,
    /// Arguments behind the name of a specialization, which takes the place of the template for what fits them.
    pub args: Vec<TemplateArg>,
    /// The struct, in which the parameters stand for types and values.
    pub def: Arc<StructDef>,
}

/// A template of names for types.
#[derive(Clone, Debug)]
pub struct AliasTemplate {
    /// Its parameters.
    pub params: Vec<TemplateParam>,
    /// Its name.
    pub name: Ident,
    /// What the name stands for.
    pub ty: TypeName,
}

/// A template of variables.
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
    /// What it stands for.
    pub kind: TemplateParamKind,
    /// Whether it is a pack: `typename... Ts`.
    pub is_pack: bool,
    /// Where it stands.
    pub span: Span,
}

/// What a parameter of a template stands for.
#[derive(Clone, Debug)]
pub enum TemplateParamKind {
    /// `typename T = default`.
    Type(Option<TypeName>),
    /// `int n = default`.
    Value(TypeName, Option<Expr>),
    /// `template <typename> class T`: a template of types; its default.
    Template(Option<TypeName>),
}

/// `[captures](params) { … }`.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// How variables are captured that the brackets do not name.
    pub others: Captures,
    /// Those that they name.
    pub captures: Vec<Capture>,
    /// Whether they name `this`.
    pub has_this: bool,
    /// All words of its parameters and its body.
    pub names: BTreeSet<Name>,
    /// The types that stand for its `auto` parameters.
    pub params: Vec<TemplateParam>,
    /// Its `operator()`.
    pub function: Arc<Function>,
}

/// How a lambda captures the variables that it does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    /// Not at all.
    None,
    /// `=`.
    Values,
    /// `&`.
    References,
}

/// A variable that a lambda captures.
#[derive(Clone, Debug)]
pub struct Capture {
    /// Its name.
    pub name: Ident,
    /// Whether `&` stands before it.
    pub is_reference: bool,
    /// Whether it is a pack: `args...`.
    pub is_pack: bool,
    /// What it gets, if not the value of the variable of that name.
    pub init: Option<Expr>,
}

/// An argument of a template.
#[derive(Clone, Debug)]
pub enum TemplateArg {
    /// A type.
    Type(TypeName),
    /// A value that is known to the compiler.
    Value(Expr),
    /// `pattern...`: one argument for each element of the packs in the pattern.
    Expansion(Box<Self>),
}

impl TemplateArg {
    /// Where it stands.
    pub const fn span(&self) -> Span {
        match self {
            Self::Type(ty) => ty.span,
            Self::Value(value) => value.span,
            Self::Expansion(pattern) => pattern.span(),
        }
    }
}

/// An instance of a function template that the source names.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The template's name.
    pub name: Ident,
    /// Its arguments.
    pub args: Vec<TemplateArg>,
    /// Whether the host launches it: what is wrong with its arguments is the host's business.
    pub is_launch: bool,
}

/// A condition that must hold.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// The condition.
    pub cond: Expr,
    /// The text to show, without quotes.
    pub message: Option<Name>,
}

/// Words before a declaration that are no type.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "named after the words")]
pub struct Specifiers {
    pub is_typedef: bool,
    pub is_static: bool,
    pub is_extern: bool,
    pub is_friend: bool,
    pub is_explicit: bool,
    pub is_constexpr: bool,
    /// Whether `const` is written among them.
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
    /// Words before it.
    pub specifiers: Specifiers,
    /// Its name; `operator+` and the like for operators.
    pub name: Ident,
    /// Template arguments behind the name of an explicit specialization.
    pub template_args: Vec<TemplateArg>,
    /// Template arguments of the struct before the name: those of `Name<int>::function`.
    pub owner_args: Vec<TemplateArg>,
    /// Type of its result.
    pub ret: TypeName,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Whether `const` stands behind the parameters.
    pub is_const: bool,
    /// What a constructor gives to members and the base: `: x(1), y{2}`.
    pub inits: Vec<(Ident, Expr)>,
    /// Whether `= default` stands in place of the body.
    pub is_defaulted: bool,
    /// Whether `= delete` stands in place of the body.
    pub is_deleted: bool,
    /// Whether it is of a header of CUDA.
    pub is_library: bool,
    /// Whether something in it could not be parsed.
    pub is_broken: bool,
    /// Its body, unless it is a prototype.
    pub body: Option<Block>,
}

/// The name of constructors.
pub const CONSTRUCTOR: &str = "(constructor)";
/// The name of destructors.
pub const DESTRUCTOR: &str = "(destructor)";
/// What the names of conversion functions start with; the type follows.
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

/// Statements in braces.
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
    /// What it starts from.
    pub base: BaseType,
    /// Whether the base is const.
    pub is_const: bool,
    /// Whether the base is volatile.
    pub is_volatile: bool,
    /// What is made of the base, in order.
    pub derived: Vec<Derived>,
    /// Where it stands.
    pub span: Span,
}

impl TypeName {
    /// A type that the language has.
    pub const fn known(ty: Type, span: Span) -> Self {
        Self {
            base: BaseType::Known(ty),
            is_const: false,
            is_volatile: false,
            derived: Vec::new(),
            span,
        }
    }

    /// The type of a struct alone.
    pub const fn of_struct(def: Arc<StructDef>, span: Span) -> Self {
        Self {
            base: BaseType::Struct(def),
            is_const: false,
            is_volatile: false,
            derived: Vec::new(),
            span,
        }
    }
}

/// What a type starts from.
#[derive(Clone, Debug)]
pub enum BaseType {
    /// A type that the language or CUDA has.
    Known(Type),
    /// `auto`.
    Auto,
    /// The name of a typedef, struct or enum.
    Named(Ident),
    /// `struct Name`, which declares the struct if it is not there.
    Elaborated(Ident),
    /// `name<args>`, or `name<args>::member`.
    Instance {
        /// The template's name.
        name: Ident,
        /// Its arguments.
        args: Vec<TemplateArg>,
        /// A type in it.
        member: Option<Ident>,
    },
    /// `typeof(value)`: no reference.
    TypeOf(Box<Expr>),
    /// `decltype(value)`: a reference for a place.
    Decltype(Box<Expr>),
    /// `type::name`, or `type::template name<args>`.
    Nested {
        /// The type around.
        of: Box<TypeName>,
        /// The type or template in it.
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
    /// Type of its elements; `void` for surfaces.
    pub elem: TypeName,
    /// Its dimensions.
    pub shape: ImageShape,
    /// `cudaReadModeNormalizedFloat`.
    pub reads_fractions: bool,
    /// `surface`.
    pub is_surface: bool,
}

/// A step from one type to another.
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
    /// `&&`, which values bind to as well.
    RvalueReference,
    /// `[n]`.
    Array(Option<Box<Expr>>),
    /// `(params)`: a function that returns what is before.
    Function(Vec<Param>),
}

/// `struct Name { … }`.
#[derive(Clone, Debug)]
pub struct StructDef {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// Arguments behind the name, in an explicit specialization.
    pub args: Vec<TemplateArg>,
    /// What it inherits from: types, and packs of types.
    pub bases: Vec<TemplateArg>,
    /// Names of functions of its bases that `using Base::name;` puts beside its own.
    pub used: Vec<Name>,
    /// Its members, in order.
    pub members: Vec<Member>,
    /// `__align__`.
    pub align: Option<Expr>,
    /// Whether it is a union: all members start at the same place.
    pub is_union: bool,
    /// Whether it is declared without its members.
    pub is_forward: bool,
    /// Variables and functions that only its own functions see.
    pub private: Vec<Name>,
    /// Whether something in it is wrong or not supported yet.
    pub unsupported: bool,
    /// What is wrong, if that counts only where a kernel uses the struct.
    pub deferred: Vec<Diagnostic>,
    /// Whether nothing in it is marked as code of the device.
    pub is_of_host: bool,
}

/// What stands in a struct.
#[derive(Clone, Debug)]
pub enum Member {
    /// Fields, static constants, and types.
    Declaration(Declaration),
    /// A member function or constructor.
    Function(Arc<Function>),
    /// A template of member functions.
    Template(Arc<Template>),
    /// A function of the namespace around.
    Friend(Arc<Function>),
    /// `static_assert`.
    StaticAssert(StaticAssert),
    /// A function of the host.
    Host(Ident),
    /// `using enum name;`, or a template of structs, aliases, or variables.
    Item(Item),
}

/// `enum Name { … }`.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// Whether its names need `Name::` before them.
    pub is_class: bool,
    /// The type after the colon, if one is written.
    pub underlying: Option<TypeName>,
    /// Names and values.
    pub values: Vec<(Ident, Option<Expr>)>,
}

/// A declaration of variables or typedefs.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Words before it.
    pub specifiers: Specifiers,
    /// The type before the names.
    pub ty: TypeName,
    /// The names; none for a struct or enum alone.
    pub declarators: Vec<Declarator>,
    /// Where it stands.
    pub span: Span,
}

/// A name that is declared.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeName,
    /// Its initializer.
    pub init: Option<Initializer>,
    /// The width of a bit-field, which may have no name.
    pub bits: Option<Box<Expr>>,
}

impl Declarator {
    /// The one value that it starts with: `= value`, `{…}`, or `(value)`.
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

/// How a variable is initialized.
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
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named after C's statements")]
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
    Case(Expr),
    Default,
    Break,
    Continue,
    Return(Option<Expr>),
    Label(Ident),
    Goto(Ident),
    /// Another name for a namespace, both with `::` behind them.
    NamespaceAlias(Name, Name),
    /// `using namespace name;`.
    UsingNamespace(Name),
    /// `using name::of;`.
    UsingName(Ident),
    /// `using enum name;`.
    UsingEnum(Ident),
    /// Reported; the names it declares are not reported again.
    Error(Vec<Ident>),
}

/// A structured binding.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// `auto`, `const auto &`, or another of its kind.
    pub ty: TypeName,
    /// The names, in order.
    pub names: Vec<Ident>,
    /// What they are parts of; none in the head of a loop over a range.
    pub value: Option<Expr>,
    /// From the bracket to the bracket.
    pub span: Span,
}

/// `#pragma unroll`.
#[derive(Clone, Debug)]
pub enum UnrollPragma {
    /// Known already.
    Known(Unroll),
    /// With an expression.
    By(Box<Expr>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// Operators before an operand.
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

/// Operators between operands.
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
    /// One between two values.
    Infix(InfixOp),
    /// `=`, or an assignment with an operator.
    Assign(Option<BinaryOp>),
}

/// How a conversion is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastStyle {
    /// `(T)v`, `T(v)`, `const_cast`.
    C,
    /// `static_cast`.
    Static,
    /// `reinterpret_cast`.
    Reinterpret,
    /// `object.Base<T>::`: the object as its base, const where the object is.
    Base,
}

/// What an expression is.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named after C's expressions")]
pub enum ExprKind {
    Number(Number),
    Char(i8),
    Bool(bool),
    Null,
    /// The bytes of a string, without the zero at its end.
    Str(Arc<[u8]>),
    /// A name, perhaps with what it belongs to: `Mode::ADD`.
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
        /// `f<int>(…)`; none for `f(…)`.
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
    /// `base.method(args)`; of a call of an object the method is `operator()`.
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
    /// `{a, b}`; a member name for each `.name = value`.
    List(Vec<(Option<Ident>, Expr)>),
    Lambda(Arc<Lambda>),
    /// `pattern...`: one value for each element of the packs in the pattern.
    Expansion(Box<Expr>),
    /// `(before op ... op after)`; one of the two has packs, and the other may be absent.
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
