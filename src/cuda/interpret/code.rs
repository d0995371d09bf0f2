//! The program in the form that is interpreted: HIR with a row of registers for each scalar, an address for
//! each variable in memory, and the arithmetic type of each operation.

use crate::hir::{BinaryOp, Builtin, CompareOp, Type, UnaryOp, Unit};
use engine::ids::Span;

/// A scalar type; pointers are unsigned integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

impl Kind {
    /// The kind of a scalar type; for other types, that of a pointer.
    pub(super) const fn of(ty: &Type, pointer_bytes: u32) -> Self {
        match ty {
            Type::Bool => Self::Bool,
            Type::I8 => Self::I8,
            Type::U8 => Self::U8,
            Type::I16 => Self::I16,
            Type::U16 => Self::U16,
            Type::I32 => Self::I32,
            Type::U32 => Self::U32,
            Type::I64 => Self::I64,
            Type::U64 => Self::U64,
            Type::F16 => Self::F16,
            Type::Bf16 => Self::Bf16,
            Type::F32 => Self::F32,
            Type::F64 => Self::F64,
            _ if pointer_bytes == 8 => Self::U64,
            _ => Self::U32,
        }
    }

    pub(super) const fn bytes(self) -> u32 {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub(super) const fn bits(self) -> u32 {
        self.bytes() * 8
    }

    pub(super) const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    pub(super) const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }
}

/// A scalar of a type, with its byte offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) offset: u32,
    pub(super) kind: Kind,
}

/// The scalars of a type in order.
pub(super) fn leaves(unit: &Unit, ty: &Type) -> Vec<Leaf> {
    fn visit(unit: &Unit, ty: &Type, offset: u32, out: &mut Vec<Leaf>) {
        match ty {
            Type::Void => {}
            Type::Array(elem, len) => {
                let size = unit.size_of(elem) as u32;
                (0..*len).for_each(|idx| visit(unit, elem, offset + idx * size, out));
            }
            Type::Vector(_) | Type::Struct(_) => {
                for (field, at) in unit.fields(ty) {
                    visit(unit, &field, offset + at, out);
                }
            }
            scalar => out.push(Leaf {
                offset,
                kind: Kind::of(scalar, unit.pointer_bytes),
            }),
        }
    }
    let mut out = Vec::new();
    visit(unit, ty, 0, &mut out);
    out
}

/// A row with one value per thread: in the function's frame, or in the pool if [`POOL`] is set.
pub(super) type Row = u32;

/// Marks rows of the pool.
pub(super) const POOL: Row = 1 << 31;

/// Contents of a row of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pooled {
    Const(u64),
    ThreadIdx(u8),
    BlockIdx(u8),
    BlockDim(u8),
    GridDim(u8),
    Lane,
    /// The address of dynamic shared memory.
    DynamicShared,
}

/// An expression. After its evaluation, its scalars are in `len` rows from `row` on.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) op: Op,
    pub(super) row: Row,
    pub(super) len: u32,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Op {
    /// The rows already hold the value.
    Ready,
    /// The rows are registers of variables, which must have been written.
    Read,
    /// Evaluates the parts in order.
    Seq(Vec<Expr>),
    Copy(Box<Expr>),
    /// Collects the values of all parts in consecutive rows.
    Gather(Vec<Expr>),
    /// The address of a byte of the frame in local memory.
    FrameAddress(u32),
    /// The operand plus a byte offset.
    Displace(Box<Expr>, u64),
    Load {
        address: Box<Expr>,
        offset: u64,
        leaves: Vec<Leaf>,
    },
    Store {
        address: Box<Expr>,
        offset: u64,
        leaves: Vec<Leaf>,
        value: Box<Expr>,
    },
    /// Writes registers of a variable.
    Set {
        to: Row,
        value: Box<Expr>,
    },
    Unary {
        op: UnaryOp,
        kind: Kind,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        kind: Kind,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        /// Whether the right operand can be an invalid divisor or shift amount.
        checked: bool,
    },
    Compare {
        op: CompareOp,
        kind: Kind,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Logical {
        is_or: bool,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Select {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Convert {
        from: Kind,
        to: Kind,
        operand: Box<Expr>,
    },
    /// Reinterprets the bytes of scalars as other scalars.
    Reinterpret {
        from: Vec<Leaf>,
        to: Vec<Leaf>,
        operand: Box<Expr>,
    },
    /// A pointer plus an index times a size.
    Advance {
        pointer: Box<Expr>,
        index: Box<Expr>,
        index_kind: Kind,
        size: u64,
    },
    /// The difference of pointers, in elements.
    Distance {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        size: u32,
    },
    Call {
        function: usize,
        args: Vec<Expr>,
    },
    Builtin {
        builtin: Builtin,
        /// Kind of the result, or of an aggregate's first scalar.
        kind: Kind,
        /// Kind of each argument.
        kinds: Vec<Kind>,
        args: Vec<Expr>,
    },
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    /// Labels in the statement.
    pub(super) labels: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Block(Vec<Stmt>),
    Expr(Expr),
    /// Marks registers as uninitialized.
    Forget {
        row: Row,
        len: u32,
    },
    /// Sets bytes of the frame to zero or marks them as undefined.
    Fill {
        offset: u32,
        size: u32,
        is_zero: bool,
    },
    If {
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    /// A loop of any kind.
    Loop {
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        tests_last: bool,
    },
    Switch {
        value: Expr,
        kind: Kind,
        arms: Vec<Arm>,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    Label(u32),
    Goto(u32),
}

#[derive(Clone, Debug)]
pub(super) struct Arm {
    /// Bits of the case values.
    pub(super) values: Vec<u64>,
    pub(super) is_default: bool,
    pub(super) body: Vec<Stmt>,
}

/// The location of a parameter.
#[derive(Clone, Debug)]
pub(super) enum Param {
    Registers { row: Row, len: u32 },
    Frame { offset: u32, leaves: Vec<Leaf> },
}

/// A function. Its first rows hold the result, followed by registers, then values of expressions.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) num_result_rows: u32,
    pub(super) num_registers: u32,
    pub(super) num_rows: u32,
    pub(super) params: Vec<Param>,
    pub(super) num_labels: u32,
    /// Initial state of the frame's bytes.
    pub(super) frame: Vec<u8>,
    pub(super) body: Vec<Stmt>,
    pub(super) is_library: bool,
    /// Maximum nesting depth of its statements and expressions.
    pub(super) height: u32,
    pub(super) end_span: Span,
}

/// A kernel with all functions that it calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) functions: Vec<Function>,
    pub(super) pool: Vec<Pooled>,
    /// State of shared memory at the start of a block; dynamic shared memory follows.
    pub(super) shared: Vec<u8>,
    /// The address of each texture reference, in order of use.
    pub(super) textures: Vec<u64>,
}
