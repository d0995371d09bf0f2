//! The syntax tree of host code: as much of C++ as programs around kernels use.

/// A name, as its index among the names of the text.
pub(super) type Name = u32;

/// A type as it is written.
#[derive(Clone, Debug)]
pub(super) enum TypeExpr {
    Void,
    Auto,
    Bool,
    /// An integer of so many bytes.
    Int {
        bytes: u8,
        signed: bool,
    },
    Float,
    Double,
    Half,
    /// The name of a struct, an alias, a template parameter, or a class of a library.
    Named(Name, Vec<TemplateArg>),
    Pointer {
        to: Box<TypeExpr>,
        is_const: bool,
    },
    Reference(Box<TypeExpr>),
    Array(Box<TypeExpr>, Option<Box<Expr>>),
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
    /// A name with the template arguments behind it. Of `a::b` the name is `b`; `of` is `a`.
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
    /// `if`, with a declaration or expression in front of the condition.
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
    /// The labels say with which statement of the block a value goes on; `None` is `default`.
    Switch {
        value: Expr,
        labels: Vec<(Option<Expr>, usize)>,
        body: Vec<Stmt>,
    },
    Return(Option<Expr>),
    Break,
    Continue,
    Throw,
    /// What is not understood, with the names in it.
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
    /// Of a kernel: the namespaces around it, as `a::b`.
    pub(super) space: String,
    pub(super) templates: Vec<TemplateParameter>,
    pub(super) params: Vec<Parameter>,
    pub(super) ret: TypeExpr,
    /// `None` for kernels and prototypes.
    pub(super) body: Option<Stmt>,
    /// Members that a constructor initializes.
    pub(super) inits: Vec<(Name, Vec<Expr>)>,
    pub(super) is_kernel: bool,
    /// Of a kernel: whether each parameter points to what the body may write.
    pub(super) writes: Vec<bool>,
    pub(super) line: u32,
}

#[derive(Clone, Debug)]
pub(super) struct TemplateParameter {
    pub(super) name: Option<Name>,
    pub(super) default: Option<TemplateArg>,
}

#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) templates: Vec<TemplateParameter>,
    pub(super) fields: Vec<Declarator>,
    pub(super) methods: Vec<std::rc::Rc<Function>>,
    pub(super) is_union: bool,
    /// Whether it has bases or other things that are not understood.
    pub(super) is_opaque: bool,
}

/// A text's declarations.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) names: Vec<String>,
    pub(super) functions: Vec<std::rc::Rc<Function>>,
    pub(super) structs: Vec<(Name, Struct)>,
    pub(super) aliases: Vec<(Name, TypeExpr)>,
    /// Enumerators, with the expression that gives the value if there is one, and whether it is the first.
    pub(super) enumerators: Vec<(Name, Option<Expr>, bool)>,
    /// Variables at file scope, in order.
    pub(super) globals: Vec<(Declarator, Home)>,
}

/// Where a variable at file scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    Host,
    /// `__device__`
    Device,
    /// `__constant__`
    Constant,
}
