//! HIR: the checked program. Every name is resolved, every expression has its type, every
//! conversion, load and address computation is written out, so that lowering needs no rule of C.
//!
//! What is deliberately absent: references (they are pointers that are dereferenced where they are
//! used), implicit conversions, array-to-pointer decay as a rule ([`ExprKind::AddressOf`] says it),
//! operators on pointers other than [`ExprKind::PtrAdd`], [`ExprKind::PtrDiff`] and comparisons,
//! `sizeof`, typedefs, enums (integers, once a unit is checked), macros.
//!
//! Spans point into the user's text; code that a macro expanded to has the span of the macro's use.
//! Everything in a function with [`Function::prelude`] has `Span::default()`: whoever inlines it
//! gives it the span of the call.

mod builtin;

pub use builtin::*;

use std::sync::Arc;

use engine::ids::Span;

/// A function of a [`Unit`]: its index in [`Unit::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// A local variable or parameter: its index in [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A label that `goto` names, unique in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A variable at file scope, or a `static` one of a function: its index in [`Unit::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// A struct: its index in [`Unit::structs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StructId(pub u32);

/// The checked source file. It holds every kernel and every device function; lowering a kernel
/// walks to those that it calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Kernels, device functions and the prelude's functions that they use, in order of definition;
    /// a function can call a later one.
    pub functions: Vec<Function>,
    /// Variables outside functions.
    pub globals: Vec<Global>,
    /// Structs.
    pub structs: Vec<Struct>,
    /// Size and alignment of a pointer in bytes: 4 or 8.
    pub pointer_bytes: u32,
}

impl Unit {
    /// The function of that id.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The variable of that id.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The struct of that id.
    pub fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }

    /// The kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<FuncId> {
        let idx = self.functions.iter().position(|function| {
            function.kind == FunctionKind::Kernel && super::is_same_name(&function.name, name)
        })?;
        u32::try_from(idx).ok().map(FuncId)
    }

    /// Size of a type in bytes, padding included.
    pub fn size_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void => 0,
            Type::Bool | Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 | Type::F16 | Type::Bf16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 => 8,
            Type::Pointer(_) => u64::from(self.pointer_bytes),
            Type::Array(elem, len) => self.size_of(elem).saturating_mul(u64::from(*len)),
            Type::Vector(vector) => u64::from(vector.elem_bytes() * u32::from(vector.lanes)),
            Type::Struct(id) => u64::from(self.structure(*id).size),
            Type::Enum(scoped) => self.size_of(&scoped.underlying),
        }
    }

    /// Alignment of a type in bytes.
    pub fn align_of(&self, ty: &Type) -> u32 {
        match ty {
            Type::Void => 1,
            Type::Array(elem, _) => self.align_of(elem),
            Type::Vector(vector) => vector.align(),
            Type::Struct(id) => self.structure(*id).align,
            scalar => u32::try_from(self.size_of(scalar)).unwrap_or(1),
        }
    }

    /// Number of fields of a vector or struct, and the type and byte offset of each.
    pub fn fields(&self, ty: &Type) -> Vec<(Type, u32)> {
        match ty {
            Type::Vector(vector) => (0..u32::from(vector.lanes))
                .map(|lane| ((*vector.elem).clone(), lane * vector.elem_bytes()))
                .collect(),
            Type::Struct(id) => self
                .structure(*id)
                .fields
                .iter()
                .map(|field| (field.ty.clone(), field.offset))
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// A type of a value or of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "scalars are named after themselves")]
pub enum Type {
    /// No value: result of a function or of an expression for its effect.
    Void,
    /// One byte in memory, 0 or 1.
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
    /// The high half of an `F32`: 8 bits of precision.
    Bf16,
    F32,
    F64,
    /// An address in the generic sense; lowering finds out the space.
    Pointer(Box<Pointer>),
    /// Elements in a row. Never the type of a value, only of a place.
    Array(Box<Type>, u32),
    /// `float2`, `uchar3`, `dim3` (three `U32`) and the like.
    Vector(Vector),
    /// A struct of plain data.
    Struct(StructId),
    /// A scoped enum. Only the checker has this type: a checked [`Unit`] has the underlying type in its place.
    Enum(Arc<ScopedEnum>),
}

/// An `enum class`, which converts to and from integers by casts alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedEnum {
    /// Its name with namespaces, as messages print it.
    pub name: String,
    /// Where its name is in the source, which tells apart enums of several blocks.
    pub position: u32,
    /// The integer type of its values.
    pub underlying: Type,
}

impl Type {
    /// Whether it is an integer type other than `bool`.
    pub const fn is_integer(&self) -> bool {
        matches!(
            self,
            Self::I8 | Self::U8 | Self::I16 | Self::U16 | Self::I32 | Self::U32 | Self::I64 | Self::U64
        )
    }

    /// Whether it is a floating type.
    pub const fn is_float(&self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Whether it is a floating type of 16 bits.
    pub const fn is_half(&self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }

    /// Whether it is a signed integer type.
    pub const fn is_signed(&self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Whether it is a vector or a struct, a value of several parts.
    pub const fn is_aggregate(&self) -> bool {
        matches!(self, Self::Vector(_) | Self::Struct(_))
    }

    /// The type of its values in memory: the underlying type of a scoped enum, or the type itself.
    pub fn representation(&self) -> &Self {
        match self {
            Self::Enum(scoped) => &scoped.underlying,
            other => other,
        }
    }

    /// Whether it is a scoped enum.
    pub const fn is_scoped_enum(&self) -> bool {
        matches!(self, Self::Enum(_))
    }

    /// Whether functions of the source can be its operators: of a vector, a struct, or a scoped enum.
    pub const fn has_operators(&self) -> bool {
        self.is_aggregate() || self.is_scoped_enum()
    }

    /// A pointer to this type without qualifiers.
    pub fn pointer_to(self) -> Self {
        Self::Pointer(Box::new(Pointer {
            pointee: self,
            is_const: false,
            is_volatile: false,
            restrict: false,
        }))
    }
}

/// A pointer type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// What it points to.
    pub pointee: Type,
    /// Whether the pointee is const.
    pub is_const: bool,
    /// Whether the pointee is volatile.
    pub is_volatile: bool,
    /// Whether it is `__restrict__`.
    pub restrict: bool,
}

/// A built-in vector type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Type of a lane: a scalar.
    pub elem: Box<Type>,
    /// 1 to 4.
    pub lanes: u8,
    /// Its name in CUDA C; `dim3` and `uint3` differ in nothing else.
    pub name: &'static str,
}

impl Vector {
    /// Bytes of a lane.
    pub const fn elem_bytes(&self) -> u32 {
        match *self.elem {
            Type::I16 | Type::U16 | Type::F16 | Type::Bf16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 => 8,
            _ => 1,
        }
    }

    /// Alignment in bytes, as CUDA's `vector_types.h` has it: the whole size for 2 and 4 lanes (16
    /// at most), that of a lane for 1 and 3.
    pub const fn align(&self) -> u32 {
        let bytes = self.elem_bytes() * self.lanes as u32;
        match self.lanes {
            2 | 4 if bytes > 16 => 16,
            2 | 4 => bytes,
            _ => self.elem_bytes(),
        }
    }
}

/// A struct of plain data.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    /// Its name, or empty.
    pub name: String,
    /// Its members in order.
    pub fields: Vec<Field>,
    /// Size in bytes, padding included.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Whether it stands for a type of functions, which no object has.
    pub is_function: bool,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type; may be an array.
    pub ty: Type,
    /// Byte offset in the struct.
    pub offset: u32,
}

/// Where a variable outside functions lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalSpace {
    /// `__constant__`, and `const`/`constexpr` arrays that are indexed at run time: bank 3.
    Constant,
    /// `__device__`, and `static` variables of functions: global memory.
    Device,
    /// `__shared__`, at file scope.
    Shared,
    /// `extern __shared__`, at file scope.
    DynamicShared,
    /// A texture reference: a pointer that the launch gives as it gives arguments.
    Texture,
}

/// A variable outside functions.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its type; `Array(_, 0)` for `extern __shared__` arrays.
    pub ty: Type,
    /// Where it lives.
    pub space: GlobalSpace,
    /// Alignment in bytes, `__align__` included.
    pub align: u32,
    /// First contents, `size_of(ty)` bytes, little-endian; empty where it starts as zeros or
    /// undefined (shared memory).
    pub image: Vec<u8>,
    /// Whether it is volatile.
    pub is_volatile: bool,
    /// Its name in its declaration.
    pub span: Span,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `__global__`.
    Kernel,
    /// `__device__`.
    Device,
}

/// What the source says of inlining.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inlining {
    /// Nothing, or `inline`: the compiler decides.
    #[default]
    Auto,
    /// `__forceinline__`.
    Always,
    /// `__noinline__`.
    Never,
}

/// `__launch_bounds__(max_threads, min_blocks)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchBounds {
    /// Threads a block at most.
    pub max_threads: u32,
    /// Blocks that shall be resident on an SM; 0 where not given.
    pub min_blocks: u32,
}

/// A kernel or a device function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: FunctionKind,
    /// The first this many of `locals` are its parameters, in order.
    pub num_params: u32,
    /// Type of its result.
    pub ret: Type,
    /// Parameters, then every other variable of the body, whatever its scope.
    pub locals: Vec<Local>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// What the source says of inlining.
    pub inlining: Inlining,
    /// `__launch_bounds__`, of kernels.
    pub launch_bounds: Option<LaunchBounds>,
    /// Whether it is part of the compiler's own library, so that its spans are empty.
    pub prelude: bool,
    /// Its name in its definition.
    pub span: Span,
    /// The closing brace of its body: where it returns without a `return`.
    pub end_span: Span,
}

impl Function {
    /// The variable of that id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// Its parameters, in order.
    pub fn params(&self) -> &[Local] {
        let num = (self.num_params as usize).min(self.locals.len());
        &self.locals[..num]
    }
}

/// Where a variable of a function lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Each thread has its own: in registers, or in local memory where it must have an address.
    Automatic,
    /// `__shared__`: each block has its own.
    Shared,
    /// `extern __shared__`: the dynamic shared memory of the block. All such variables of a kernel
    /// start at the same address.
    DynamicShared,
}

/// A variable or parameter of a function. A reference is a local of pointer type. `static` variables
/// and constant arrays are [`Global`]s.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type; `Array(_, 0)` for `extern __shared__` arrays.
    pub ty: Type,
    /// Its type as C text.
    pub c_type: String,
    /// Where it lives.
    pub storage: Storage,
    /// Alignment in bytes, `__align__` included.
    pub align: u32,
    /// Whether its address is needed other than to read or write it whole or by member: `&v`, a
    /// reference to it, an array's elements.
    pub address_taken: bool,
    /// Whether it is volatile.
    pub is_volatile: bool,
    /// Its name in its declaration.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// An expression for its effects.
    Expr(Expr),
    /// The variable comes to life here, each time control comes by; without `init` its value is
    /// undefined. Shared variables have no init.
    Declare {
        /// The variable.
        local: LocalId,
        /// Its initializer.
        init: Option<Init>,
    },
    /// `if`; `cond` is `Bool`.
    If {
        /// Condition.
        cond: Expr,
        /// Taken if true.
        then: Box<Stmt>,
        /// Taken if false.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`.
    While {
        /// Condition, `Bool`.
        cond: Expr,
        /// Body.
        body: Box<Stmt>,
        /// `#pragma unroll` before it.
        unroll: Option<Unroll>,
    },
    /// `do … while`; `continue` goes to the condition.
    DoWhile {
        /// Body.
        body: Box<Stmt>,
        /// Condition, `Bool`.
        cond: Expr,
        /// `#pragma unroll` before it.
        unroll: Option<Unroll>,
    },
    /// `for`; `continue` goes to `step`.
    For {
        /// Run once, before.
        init: Vec<Stmt>,
        /// Condition, `Bool`; true where there is none.
        cond: Option<Expr>,
        /// Run after each round.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
        /// `#pragma unroll` before it.
        unroll: Option<Unroll>,
    },
    /// `switch`. Control goes to the arm with the value, or to the default arm, or past the end, and
    /// from each arm on into the next one.
    Switch {
        /// `I32`, `U32`, `I64` or `U64`.
        value: Expr,
        /// Arms in order of the source.
        arms: Vec<Arm>,
    },
    /// Leaves the nearest loop or `switch`.
    Break,
    /// Goes on with the next round of the nearest loop.
    Continue,
    /// Leaves the function.
    Return(Option<Expr>),
    /// Where `goto` goes. Stands once in its function, wherever a statement can stand.
    Label(LabelId),
    /// Goes on at the label, in this function. Passes no declaration with an initializer.
    Goto(LabelId),
}

/// The initializer of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// A value of the variable's type.
    Value(Expr),
    /// For arrays, and structs that hold arrays: parts, stored in order.
    Parts {
        /// Whether parts of the variable are not in `parts`; they are zero then (fill with zeros
        /// first).
        zero_rest: bool,
        /// Byte offset and value of each part.
        parts: Vec<(u32, Expr)>,
    },
}

/// An arm of a `switch`: its statements follow its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Values of its `case` labels, converted to the type of the switch's value as
    /// [`Const::Int`] has it.
    pub values: Vec<i128>,
    /// Whether it has the `default` label.
    pub is_default: bool,
    /// Statements up to the next label.
    pub body: Vec<Stmt>,
    /// Its first label.
    pub span: Span,
}

/// `#pragma unroll` before a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unroll {
    /// Without a number: all rounds, if their number is known.
    Full,
    /// `#pragma unroll N`; 1 forbids unrolling.
    By(u32),
}

/// An expression, which has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Type of its value. An array only where the expression is a part of an [`ExprKind::Aggregate`], or what is
    /// assigned to such a part.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes. Operands are evaluated from left to right (for assignments: the
/// place, then the value).
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant; a null pointer is `Int(0)`.
    Const(Const),
    /// The value of a place.
    Load(Box<Place>),
    /// The address of a place. `ty` is a pointer to the place's type, or, where an array decays, to
    /// its element type.
    AddressOf(Box<Place>),
    /// Stores the value, which has the place's type; the expression's value is that value. As in C++17,
    /// the value is evaluated before the place: `*p++ = p[0]` reads before `p` moves.
    Assign {
        /// Where to.
        place: Box<Place>,
        /// What.
        value: Box<Expr>,
    },
    /// `place op= value`: the place is evaluated once, loaded, converted to `compute`, combined with
    /// `value`, converted back and stored. The expression's value is what was stored.
    CompoundAssign {
        /// Where.
        place: Box<Place>,
        /// How.
        op: BinaryOp,
        /// The type in which `op` works; `value` has it too, but for shifts, whose amount has a
        /// type of its own.
        compute: Type,
        /// The right operand.
        value: Box<Expr>,
    },
    /// `place += index` on a pointer; evaluated once.
    PtrAssign {
        /// Where.
        place: Box<Place>,
        /// Elements to advance by (negated for `-=`): an integer of 32 or 64 bits.
        index: Box<Expr>,
        /// Bytes of an element.
        elem_size: u32,
    },
    /// `++` and `--` on an integer, floating or pointer place.
    IncDec {
        /// Where.
        place: Box<Place>,
        /// 1 or −1, or the bytes of an element or their negative for a pointer.
        delta: i64,
        /// Whether the value is the old one (`i++`) instead of the new one (`++i`).
        postfix: bool,
    },
    /// One operand, of the same type.
    Unary {
        /// How.
        op: UnaryOp,
        /// Operand.
        operand: Box<Expr>,
    },
    /// Arithmetic on two operands of the result's type, which is `I32`, `U32`, `I64`, `U64`, `F32` or
    /// `F64`; the amount of a shift may have another integer type. A division or remainder of 64-bit
    /// integers is here only by a constant power of two; others are calls of the prelude.
    Binary {
        /// How.
        op: BinaryOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// Comparison of two operands of one type (numbers, bools or pointers); the result is `Bool`.
    Compare {
        /// How.
        op: CompareOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// `&&` and `||` on `Bool`: the right operand is evaluated only if needed.
    Logical {
        /// Whether it is `||`.
        op: LogicalOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// `cond ? then : otherwise`; only one of them is evaluated. They have the result's type.
    Conditional {
        /// Condition, `Bool`.
        cond: Box<Expr>,
        /// If true.
        then: Box<Expr>,
        /// If false.
        otherwise: Box<Expr>,
    },
    /// `first, second`.
    Comma {
        /// For its effects.
        first: Box<Expr>,
        /// The value.
        second: Box<Expr>,
    },
    /// The operand's value in this expression's type, by C's rules: integers are cut or extended by
    /// the operand's sign; floating to integer cuts toward zero (and saturates, as the hardware
    /// does); to `Bool` is "not zero"; pointers and 64-bit integers convert by their bits; anything
    /// to `Void` is dropped.
    Convert(Box<Expr>),
    /// The bits of the operand read as this type of the same size (`__float_as_int` and the like).
    Bitcast(Box<Expr>),
    /// `ptr + index`.
    PtrAdd {
        /// The pointer.
        ptr: Box<Expr>,
        /// Elements to advance by (negated for `-`): an integer of 32 or 64 bits, extended by its
        /// sign if it is signed.
        index: Box<Expr>,
        /// Bytes of an element.
        elem_size: u32,
    },
    /// `lhs - rhs` in elements; `I64`.
    PtrDiff {
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
        /// Bytes of an element.
        elem_size: u32,
    },
    /// Call of a device function; arguments have the parameters' types.
    Call {
        /// Which.
        function: FuncId,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// Something that the chip or the compiler provides; [`Builtin`] tells the arguments.
    Builtin {
        /// Which.
        builtin: Builtin,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// A vector or struct from the values of all its fields, or an array that is part of one from those of its
    /// elements, in order.
    Aggregate(Vec<Expr>),
    /// A field of a vector's or struct's value.
    Extract {
        /// The value.
        base: Box<Expr>,
        /// Index of the field.
        field: u32,
    },
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Const {
    /// Of type `Bool`.
    Bool(bool),
    /// Of an integer or pointer type: the value, within the type's range.
    Int(i128),
    /// Of type `F16`, `Bf16` or `F32`.
    F32(f32),
    /// Of type `F64`.
    F64(f64),
}

/// Operators on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`, on integers (wrapping) and floating numbers (flips the sign).
    Neg,
    /// `~`.
    BitNot,
    /// `!` on `Bool`.
    Not,
}

/// Arithmetic operators. Integers wrap; shifts by the width or more give 0 (or the sign), as the
/// hardware has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after C's operators")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    /// By sign for signed types.
    Shr,
}

/// Comparisons; false if an operand is NaN, but for `Ne`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after C's operators")]
pub enum CompareOp {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// Operators with short-circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after C's operators")]
pub enum LogicalOp {
    And,
    Or,
}

/// Memory that an expression reads, writes or takes the address of.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which memory.
    pub kind: PlaceKind,
    /// Type of what is there; may be an array.
    pub ty: Type,
    /// Whether each access must happen as written.
    pub is_volatile: bool,
    /// Where it stands.
    pub span: Span,
}

/// Which memory a place is.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceKind {
    /// A variable of the function.
    Local(LocalId),
    /// A variable outside functions.
    Global(GlobalId),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// A member of a vector or struct.
    Field {
        /// The whole.
        base: Box<Place>,
        /// Index of the member.
        field: u32,
        /// Its byte offset.
        offset: u32,
    },
}
