//! Programs as trees. Every tree prints as a program without undefined behavior.
//!
//! The printer adds the code that makes operations safe (a mask, a wider cast, a loop's fuel), so any part can be
//! removed.

use super::cpp::Unit;
use super::walk;

/// Scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ty {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Ty {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "signed char",
            Self::U8 => "unsigned char",
            Self::I16 => "short",
            Self::U16 => "unsigned short",
            Self::I32 => "int",
            Self::U32 => "unsigned",
            Self::I64 => "long long",
            Self::U64 => "unsigned long long",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Whether the type is narrower than `int`.
    pub(crate) const fn is_narrow(self) -> bool {
        matches!(self, Self::Bool | Self::I8 | Self::U8 | Self::I16 | Self::U16)
    }

    pub(crate) const fn is_wide(self) -> bool {
        matches!(self, Self::I64 | Self::U64)
    }

    /// Whether the type is `int` or `long long`, whose overflow is undefined.
    pub(crate) const fn overflows(self) -> bool {
        matches!(self, Self::I32 | Self::I64)
    }

    /// Returns the unsigned type of the same width, for types at least as wide as `int`.
    pub(crate) const fn unsigned(self) -> Self {
        match self {
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            other => other,
        }
    }

    pub(crate) const fn promoted(self) -> Self {
        match self {
            Self::Bool | Self::I8 | Self::U8 | Self::I16 | Self::U16 => Self::I32,
            other => other,
        }
    }

    /// Returns the common type of arithmetic on operands of these types.
    pub(crate) fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        a.max(b)
    }

    /// Returns the range of an integer type as signed 64-bit numbers.
    pub(crate) const fn range(self) -> (i64, i64) {
        match self {
            Self::Bool => (0, 1),
            Self::I8 => (-128, 127),
            Self::U8 => (0, 255),
            Self::I16 => (-32768, 32767),
            Self::U16 => (0, 65535),
            Self::I32 => (i32::MIN as i64, i32::MAX as i64),
            Self::U32 => (0, u32::MAX as i64),
            _ => (i64::MIN, i64::MAX),
        }
    }
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VarTy {
    Scalar(Ty),
    /// A power of two of elements.
    Array(Ty, u32),
    /// Index of the struct.
    Struct(usize),
    Pointer(Ty),
    Reference(Ty),
}

/// A local variable or parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Var {
    pub(crate) ty: VarTy,
    /// An `int` with values far from overflow.
    pub(crate) small: bool,
    /// A variable that statements never assign: loop counters and constant parameters.
    pub(crate) fixed: bool,
    /// A loop counter with values near the limits of its type.
    pub(crate) far: bool,
}

/// Index of a variable in its function.
pub(crate) type VarId = usize;

/// An lvalue.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Var(VarId),
    Member(VarId, usize),
    /// `v[e & (len - 1)]`.
    Elem(VarId, Box<Expr>),
    /// `*v`.
    Deref(VarId),
    /// `o[e & 15]`: memory private to the thread.
    Own(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    Thread,
    Lane,
    Block,
    N,
    M,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Neg,
    BitNot,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

impl Binary {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// Floating constants in quarters.
    Const(Ty, i64),
    Place(Place),
    /// `a[e & 63]`.
    Input(Box<Expr>),
    Builtin(Builtin),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Compare(&'static str, Box<Expr>, Box<Expr>),
    /// `&&` or `||`.
    Logical(&'static str, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Cast(Ty, Box<Expr>),
    Step {
        place: Place,
        delta: i64,
        postfix: bool,
    },
    Assign(Place, Box<Expr>),
    Call(usize, Vec<Arg>),
}

/// An argument of a device function.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    Value(Expr),
    /// `&place`, or the pointer variable itself.
    Address(Place),
    Reference(Place),
    Struct(VarId),
    /// The remaining recursion depth: a constant, or one less than the caller's.
    Depth(Option<u32>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unroll {
    Unsaid,
    Full,
    By(u32),
}

/// The numbers near which a loop counter starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Zero,
    /// The minimum of the counter's type.
    Least,
    /// The maximum of the counter's type.
    Greatest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopKind {
    /// `for (int i = 0; i < turns; i++)`.
    Count,
    /// `for (T i = base + start, n = base + bound, s = step; i < n; i += s)`: start, bound, and a
    /// step of 0 are runtime values.
    CountTo {
        base: Base,
        step: u32,
        /// Whether the test is `i <= n`.
        inclusive: bool,
    },
    /// `for (int i = turns - 1; i >= 0; --i)`.
    CountDown,
    /// `for (int i = 0; i < turns && cond; i++)`.
    CountWhile,
    /// `for (int i = 0; cond; ) { if (i++ >= turns) break; … }`.
    NoStep,
    /// `for (;;) { if (f-- <= 0) break; … if (!cond) break; }`: the condition is in the middle.
    Endless,
    /// `while (f-- > 0 && cond)`.
    While,
    /// `while (cond && --f > 0)`.
    WhileCondFirst,
    /// `do … while (cond && --f > 0)`.
    DoWhile,
    /// `do … while (--f > 0 && cond)`.
    DoWhileFuelFirst,
}

/// Labels of an arm; `None` is `default`.
pub(crate) type CaseLabel = Option<i64>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atomic {
    Add,
    Or,
    And,
    Xor,
    MaxSigned,
    MinUnsigned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WarpOp {
    Shuffle,
    ShuffleXor,
    ShuffleUp,
    ShuffleDown,
    Ballot,
    Any,
    All,
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Declare(VarId, Option<Expr>),
    Expr(Expr),
    Assign(Place, Option<Binary>, Expr),
    If(Expr, Vec<Stmt>, Option<Vec<Stmt>>),
    Loop {
        kind: LoopKind,
        /// The counter or fuel.
        var: VarId,
        turns: u32,
        cond: Expr,
        body: Vec<Stmt>,
        unroll: Unroll,
    },
    Switch(Expr, Vec<(Vec<CaseLabel>, Vec<Stmt>)>),
    Block(Vec<Stmt>),
    Break,
    Continue,
    /// The return value, if the function has one.
    Return(Option<Expr>),
    /// `{ … } L: ;`: gotos in the statements leave the block.
    Leave(usize, Vec<Stmt>),
    /// `f = turns; L: ; …`: gotos in the statements repeat the block.
    Again {
        label: usize,
        fuel: VarId,
        turns: u32,
        body: Vec<Stmt>,
    },
    /// With fuel if the goto can jump backward.
    Goto(usize, Option<VarId>),
    /// `L: ;`
    Label(usize),
    /// `int f = turns;`: the maximum number of backward gotos.
    Fuel(VarId, u32),
    /// `int i = turns; if (entry) goto L; while (i-- > 0 && cond) { first L: second }`, a loop that is entered in
    /// the middle, or with its condition at the end.
    Enter {
        label: usize,
        var: VarId,
        turns: u32,
        entry: Expr,
        cond: Expr,
        tests_last: bool,
        first: Vec<Stmt>,
        second: Vec<Stmt>,
    },
    /// `do { … } while (0);`: threads that jump backward inside reconverge at the end.
    Once(Vec<Stmt>),
    Atomic(Atomic, Expr, Expr),
    /// An atomic on the shared counters; only inside `Counters`.
    SharedAtomic(Atomic, Expr, Expr),
    /// `s[threadIdx.x] = value; before; barrier; place = s[from % threads]; after; barrier`.
    Exchange {
        shared: usize,
        value: Expr,
        before: Vec<Stmt>,
        place: Place,
        from: Expr,
        after: Vec<Stmt>,
    },
    /// Counters set to 0; barrier; body; barrier; `place = counters[from & 7]`; barrier.
    Counters {
        body: Vec<Stmt>,
        place: Place,
        from: Expr,
    },
    Warp {
        op: WarpOp,
        place: Place,
        value: Expr,
        lane: Expr,
    },
    Barrier,
    /// `o[15] ^= ` a hash of these variables.
    Checksum(Vec<VarId>),
}

/// The return type of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ret {
    Void,
    Scalar(Ty),
    Struct(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inlining {
    Unsaid,
    Never,
    Always,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) ret: Ret,
    /// The number of parameters, which are the first variables.
    pub(crate) num_params: usize,
    pub(crate) vars: Vec<Var>,
    pub(crate) body: Vec<Stmt>,
    pub(crate) result: Option<Expr>,
    /// The variable that the function returns if it returns a struct.
    pub(crate) result_struct: Option<VarId>,
    pub(crate) inlining: Inlining,
    /// Whether the function has the parameter `d`, the remaining recursion depth.
    pub(crate) recursive: bool,
    /// Whether the function has barriers; if so, all threads of a block call it together.
    pub(crate) collective: bool,
    pub(crate) cost: u64,
}

/// A random program: device functions, a kernel `k`, and the launch of the kernel.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) seed: u64,
    /// Whether the program is restricted to compute capability 1.3.
    pub(crate) legacy: bool,
    pub(crate) structs: Vec<Vec<Ty>>,
    pub(crate) functions: Vec<Function>,
    pub(crate) kernel: Function,
    /// Element types of the shared arrays with one element per thread.
    pub(crate) shared: Vec<Ty>,
    pub(crate) shape: Shape,
    /// Declarations in C++, and statements at the end of the kernel.
    pub(crate) cpp: Option<Unit>,
}

/// The launch of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    /// The input buffer `a`.
    pub(crate) input: Vec<i32>,
    pub(crate) n: i32,
    pub(crate) m: u32,
}

/// The number of elements of `a`.
pub(crate) const NUM_INPUTS: usize = 64;
/// The number of elements of `o` per thread.
pub(crate) const NUM_OWN: u32 = 16;
/// The number of elements of `g`, which atomics change: four per operation.
pub(crate) const NUM_ATOMIC: usize = 24;

impl Program {
    /// Returns the seed of the program.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the launch shape.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether lanes of a warp communicate, which requires compute capability 3.0.
    pub(crate) fn has_warp_operations(&self) -> bool {
        self.has_statement(|stmt| matches!(stmt, Stmt::Warp { .. }))
    }

    /// Whether the program has atomic operations, which require compute capability 1.1.
    pub(crate) fn has_atomics(&self) -> bool {
        self.has_statement(|stmt| matches!(stmt, Stmt::Atomic(..) | Stmt::Counters { .. }))
    }

    fn has_statement(&self, is_one: fn(&Stmt) -> bool) -> bool {
        let mut found = false;
        for function in self.functions.iter().chain([&self.kernel]) {
            walk::each_stmt(&mut function.body.clone(), &mut |stmt| found |= is_one(stmt));
        }
        found
    }

    /// Returns the initial contents of `g`.
    pub(crate) fn atomic_input() -> [u32; NUM_ATOMIC] {
        std::array::from_fn(|idx| match idx / 4 {
            2 | 5 => u32::MAX,
            4 => 0x8000_0000,
            _ => 0,
        })
    }
}

impl Shape {
    /// Returns the shape as one line of text.
    pub fn text(&self) -> String {
        let input: Vec<String> = self.input.iter().map(ToString::to_string).collect();
        let (blocks, threads) = (self.blocks, self.threads);
        let input = input.join(" ");
        format!(
            "grid {blocks} block {threads} n {} m {} a {input}",
            self.n, self.m
        )
    }

    /// Parses the output of `text`.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["grid", blocks, "block", threads, "n", n, "m", m, "a", input @ ..] = words.as_slice() else {
            return None;
        };
        Some(Self {
            blocks: blocks.parse().ok()?,
            threads: threads.parse().ok()?,
            n: n.parse().ok()?,
            m: m.parse().ok()?,
            input: input
                .iter()
                .map(|word| word.parse().ok())
                .collect::<Option<_>>()?,
        })
    }

    /// Returns the number of elements of `o`.
    pub(crate) const fn num_outputs(&self) -> u32 {
        self.blocks * self.threads * NUM_OWN
    }
}

impl Place {
    pub(crate) fn ty(&self, program: &Program, function: &Function) -> Ty {
        match self {
            Self::Var(id) | Self::Elem(id, _) | Self::Deref(id) => match function.vars[*id].ty {
                VarTy::Scalar(ty) | VarTy::Array(ty, _) | VarTy::Pointer(ty) | VarTy::Reference(ty) => ty,
                VarTy::Struct(_) => Ty::I32,
            },
            Self::Member(id, field) => match function.vars[*id].ty {
                VarTy::Struct(idx) => program.structs[idx][*field],
                _ => Ty::I32,
            },
            Self::Own(_) => Ty::U32,
        }
    }

    /// Whether the expression is an `int` far from overflow.
    pub(crate) fn is_small(&self, function: &Function) -> bool {
        match self {
            Self::Var(id) | Self::Deref(id) => function.vars[*id].small,
            _ => false,
        }
    }
}

impl Expr {
    pub(crate) fn int(value: i64) -> Self {
        Self::Const(Ty::I32, value)
    }

    /// Returns the C type of the printed expression.
    pub(crate) fn ty(&self, program: &Program, function: &Function) -> Ty {
        let of = |expr: &Self| expr.ty(program, function);
        match self {
            Self::Const(ty, _) | Self::Cast(ty, _) => *ty,
            Self::Place(place) | Self::Assign(place, _) | Self::Step { place, .. } => {
                place.ty(program, function)
            }
            Self::Input(_) => Ty::I32,
            Self::Builtin(Builtin::N) => Ty::I32,
            Self::Builtin(Builtin::M) => Ty::U32,
            Self::Builtin(_) => Ty::I32,
            Self::Unary(Unary::Not, _) | Self::Compare(..) | Self::Logical(..) => Ty::Bool,
            Self::Unary(Unary::Neg, e) => of(e).promoted(),
            Self::Unary(Unary::BitNot, e) => whole(of(e)).promoted(),
            Self::Binary(op, l, r) => {
                let (l, r) = (of(l), of(r));
                match op {
                    Binary::Add | Binary::Sub | Binary::Mul => l.common(r),
                    Binary::Shl | Binary::Shr => whole(l).promoted(),
                    _ => whole(l).common(whole(r)),
                }
            }
            Self::Cond(_, l, r) => {
                let (l, r) = (of(l), of(r));
                if l == r { l } else { l.common(r) }
            }
            Self::Comma(_, e) => of(e),
            Self::Call(idx, _) => match program.functions[*idx].ret {
                Ret::Scalar(ty) => ty,
                Ret::Void | Ret::Struct(_) => Ty::I32,
            },
        }
    }
}

/// Returns the type of an operand of integer operations, after conversion of floating-point operands.
pub(crate) fn whole(ty: Ty) -> Ty {
    if ty.is_float() { Ty::I32 } else { ty }
}

#[cfg(test)]
mod tests {
    use super::{Expr, Program, Ty};
    use crate::{Settings, generate};

    #[test]
    fn narrow_operands_are_promoted() {
        let program: Program = generate(0, &Settings::default());
        for ty in [Ty::Bool, Ty::I8, Ty::U8, Ty::I16, Ty::U16, Ty::I32] {
            let operand = || Box::new(Expr::Const(ty, 1));
            let shift = Expr::Binary(super::Binary::Shl, operand(), operand());
            assert_eq!(shift.ty(&program, &program.kernel), Ty::I32, "{ty:?}");
        }
    }
}
