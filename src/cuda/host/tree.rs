//! The syntax tree of host code: the subset of C++ that programs around kernels use.

/// A name, as an index into the names of the text.
pub(super) type Name = u32;

/// A type as it is written.
#[derive(Clone, Debug)]
pub(super) enum TypeExpr {
    Void,
    Auto,
    Bool,
    /// An integer with this number of bytes.
    Int {
        bytes: u8,
        signed: bool,
    },
    Float,
    Double,
    Half,
    /// The name of a struct, an alias, a template parameter, or a library class.
    Named(Name, Vec<TemplateArg>),
    Pointer {
        to: Box<TypeExpr>,
        is_const: bool,
    },
    Reference(Box<TypeExpr>),
    Array(Box<TypeExpr>, Option<Box<Expr>>),
    /// `decltype` of a variable.
    TypeOf(Name),
    Function,
}

#[derive(Clone, Debug)]
pub(super) enum TemplateArg {
    Type(TypeExpr),
    Value(Expr),
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogicalAnd,
    LogicalOr,
    Comma,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
    Deref,
    Address,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Int {
        value: u64,
        unsigned: bool,
        long: bool,
    },
    Char(i8),
    Bool(bool),
    F32(f32),
    F64(f64),
    Str(Vec<u8>),
    /// A name with its template arguments. For `a::b`, `name` is `b` and `of` is `a`.
    Name {
        name: Name,
        of: Option<Name>,
        args: Option<Vec<TemplateArg>>,
    },
    This,
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member {
        object: Box<Expr>,
        name: Name,
        is_arrow: bool,
    },
    Cast(TypeExpr, Box<Expr>),
    /// `T(a, b)` or `T{a, b}`.
    Construct(TypeExpr, Vec<Expr>),
    List(Vec<Expr>),
    SizeofType(TypeExpr),
    Sizeof(Box<Expr>),
    New {
        ty: TypeExpr,
        count: Option<Box<Expr>>,
        args: Vec<Expr>,
        is_zeroed: bool,
    },
    Launch {
        kernel: Box<Expr>,
        config: Vec<Expr>,
        args: Vec<Expr>,
    },
    Lambda(std::rc::Rc<Function>),
}

#[derive(Clone, Debug)]
pub(super) struct Declarator {
    pub(super) name: Name,
    pub(super) ty: TypeExpr,
    pub(super) init: Init,
    pub(super) is_static: bool,
    pub(super) line: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Init {
    None,
    /// `= value`
    Value(Expr),
    /// `(a, b)` or `{a, b}`
    Args(Vec<Expr>),
    List(Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) line: u32,
}

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Block(Vec<Stmt>),
    Expr(Expr),
    Declaration(Vec<Declarator>),
    /// `if`, with an optional declaration or expression before the condition.
    If {
        init: Option<Box<Stmt>>,
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    Loop {
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        /// `do … while`
        is_do: bool,
    },
    RangeLoop {
        name: Name,
        ty: TypeExpr,
        range: Expr,
        body: Box<Stmt>,
    },
    /// The labels with the index of the statement in the block where control continues; `None` is `default`.
    Switch {
        value: Expr,
        labels: Vec<(Option<Expr>, usize)>,
        body: Vec<Stmt>,
    },
    Return(Option<Expr>),
    Break,
    Continue,
    Throw,
    /// Unsupported code, with its identifiers.
    Opaque(Vec<Name>),
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: Option<Name>,
    pub(super) ty: TypeExpr,
    pub(super) default: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: Name,
    /// The enclosing namespaces of a kernel, as `a::b`.
    pub(super) space: String,
    pub(super) templates: Vec<TemplateParameter>,
    pub(super) params: Vec<Parameter>,
    pub(super) ret: TypeExpr,
    /// `None` for kernels and prototypes.
    pub(super) body: Option<Stmt>,
    /// The member initializers of a constructor.
    pub(super) inits: Vec<(Name, Vec<Expr>)>,
    pub(super) is_kernel: bool,
    /// For a kernel: whether the body can write through each parameter.
    pub(super) writes: Vec<bool>,
    pub(super) line: u32,
}

#[derive(Clone, Debug)]
pub(super) struct TemplateParameter {
    pub(super) is_pack: bool,
    pub(super) name: Option<Name>,
    pub(super) default: Option<TemplateArg>,
}

#[derive(Clone, Debug)]
pub(super) struct Struct {
    /// The enclosing namespaces and records, as `a::b`.
    pub(super) space: String,
    pub(super) templates: Vec<TemplateParameter>,
    pub(super) fields: Vec<Declarator>,
    pub(super) methods: Vec<std::rc::Rc<Function>>,
    pub(super) is_union: bool,
    /// Whether it has bases or other unsupported properties.
    pub(super) is_opaque: bool,
}

/// The declarations of a source.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Types as they are written, by their last name: `ns::Box<int>::Inner`.
    pub(super) spellings: std::collections::BTreeMap<Name, String>,
    pub(super) names: Vec<String>,
    pub(super) functions: Vec<std::rc::Rc<Function>>,
    pub(super) structs: Vec<(Name, Struct)>,
    pub(super) aliases: Vec<(Name, TypeExpr)>,
    /// Enumerators, with the expression of the value if there is one, and whether it is the first.
    pub(super) enumerators: Vec<(Name, Option<Expr>, bool)>,
    /// Variables at file scope, in order.
    pub(super) globals: Vec<(Declarator, DeclaredSpace)>,
    /// The line and the reason where a limit ends the declarations.
    pub(super) stopped: Option<(u32, String)>,
}

/// The memory space of a variable at file scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclaredSpace {
    Host,
    /// `__device__`
    Device,
    /// `__constant__`
    Constant,
}
