//! HIR: the checked program. Names are resolved, expressions are typed, and conversions, loads, and address
//! computations are explicit. Lowering needs no rules of C.
//!
//! Deliberately absent: references (they are pointers that are dereferenced at each use), implicit conversions,
//! implicit array-to-pointer decay ([`ExprKind::AddressOf`] makes it explicit), pointer operators other than
//! [`ExprKind::PtrAdd`], [`ExprKind::PtrDiff`], and comparisons, `sizeof`, typedefs, enums (integers, after a unit is
//! checked), and macros.
//!
//! Spans refer to the user's text; code from a macro expansion has the span of the macro's use. All spans in a
//! function with [`Function::prelude`] are `Span::default()`; inlining replaces them with the span of the call.

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

/// The checked source file. It contains every kernel and every device function; lowering a kernel visits its callees.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Kernels, device functions, and the prelude functions that they use, in order of definition. A function can
    /// call a later one.
    pub functions: Vec<Function>,
    /// Variables at file scope.
    pub globals: Vec<Global>,
    /// Structs.
    pub structs: Vec<Struct>,
    /// Size and alignment of a pointer in bytes: 4 or 8.
    pub pointer_bytes: u32,
}

impl Unit {
    /// The function with this id.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The variable with this id.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The struct with this id.
    pub fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }

    /// The kernel with this name.
    pub fn kernel(&self, name: &str) -> Option<FuncId> {
        let idx = self.functions.iter().position(|function| {
            function.kind == FunctionKind::Kernel && is_same_name(&function.name, name)
        })?;
        u32::try_from(idx).ok().map(FuncId)
    }

    /// Size of a type in bytes, including padding.
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

    /// The fields of a vector or struct: the type and byte offset of each.
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

/// The type of a value or of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "scalars are named after themselves")]
pub enum Type {
    /// No value: the return type of a void function, or the type of an expression without a value.
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
    /// A generic address; lowering infers the address space.
    Pointer(Box<Pointer>),
    /// An array. It is the type of a place, never of a value.
    Array(Box<Type>, u32),
    /// `float2`, `uchar3`, `dim3` (three `U32`) and the like.
    Vector(Vector),
    /// A struct.
    Struct(StructId),
    /// A scoped enum. Only the checker uses this type: a checked [`Unit`] has the underlying type instead.
    Enum(Arc<ScopedEnum>),
}

/// An `enum class`, which converts to and from integers only by casts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedEnum {
    /// The qualified name, for messages.
    pub name: String,
    /// The span of its name, which distinguishes local enums with equal names.
    pub position: u32,
    /// The underlying integer type.
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

    /// Whether it is a floating-point type.
    pub const fn is_float(&self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Whether it is a 16-bit floating-point type.
    pub const fn is_half(&self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }

    /// Whether it is a signed integer type.
    pub const fn is_signed(&self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Whether it is a vector or a struct.
    pub const fn is_aggregate(&self) -> bool {
        matches!(self, Self::Vector(_) | Self::Struct(_))
    }

    /// The type in memory: the underlying type of a scoped enum, or the type itself.
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

    /// Whether operators can be overloaded for it: a vector, a struct, or a scoped enum.
    pub const fn has_operators(&self) -> bool {
        self.is_aggregate() || self.is_scoped_enum()
    }

    /// An unqualified pointer to this type.
    #[must_use]
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
    /// The name in CUDA C; it is the only difference between `dim3` and `uint3`.
    pub name: &'static str,
}

impl Vector {
    /// Size of a lane in bytes.
    pub const fn elem_bytes(&self) -> u32 {
        match *self.elem {
            Type::I16 | Type::U16 | Type::F16 | Type::Bf16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 => 8,
            _ => 1,
        }
    }

    /// Alignment in bytes, as in CUDA's `vector_types.h`: the complete size for 2 and 4 lanes (at most 16), and the
    /// lane size for 1 and 3.
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
    /// Size in bytes, including padding.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Whether it represents a function type, which no object has.
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

/// The memory space of a variable at file scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalSpace {
    /// `__constant__`, and dynamically indexed `const`/`constexpr` arrays: bank 3.
    Constant,
    /// `__device__`, and `static` local variables: global memory.
    Device,
    /// `__shared__`, at file scope.
    Shared,
    /// `extern __shared__`, at file scope.
    DynamicShared,
    /// A texture reference: a pointer that the launch passes like an argument.
    Texture,
}

/// A variable at file scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its type; `Array(_, 0)` for `extern __shared__` arrays.
    pub ty: Type,
    /// The memory space.
    pub space: GlobalSpace,
    /// Alignment in bytes, including `__align__`.
    pub align: u32,
    /// Initial contents, `size_of(ty)` bytes, little-endian; empty if the initial contents are zero or undefined
    /// (shared memory).
    pub image: Vec<u8>,
    /// Whether it is volatile.
    pub is_volatile: bool,
    /// The span of the name in the declaration.
    pub span: Span,
}

/// The kind of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `__global__`.
    Kernel,
    /// `__device__`.
    Device,
}

/// The inlining specifier of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inlining {
    /// None, or `inline`: the compiler decides.
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
    /// Maximum number of threads in a block.
    pub max_threads: u32,
    /// Minimum number of resident blocks on an SM; 0 if omitted.
    pub min_blocks: u32,
}

/// A kernel or a device function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it is a kernel or a device function.
    pub kind: FunctionKind,
    /// The number of parameters, which are the first `locals`, in order.
    pub num_params: u32,
    /// The return type.
    pub ret: Type,
    /// The parameters, then every other variable of the body, in any scope.
    pub locals: Vec<Local>,
    /// The body.
    pub body: Vec<Stmt>,
    /// The inlining specifier.
    pub inlining: Inlining,
    /// `__launch_bounds__`, of kernels.
    pub launch_bounds: Option<LaunchBounds>,
    /// Whether it belongs to the compiler's built-in library, so that its spans are empty.
    pub prelude: bool,
    /// The span of the name in the definition.
    pub span: Span,
    /// The closing brace of the body: the location of an implicit return.
    pub end_span: Span,
}

impl Function {
    /// The variable with this id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// Its parameters, in order.
    pub fn params(&self) -> &[Local] {
        let num = (self.num_params as usize).min(self.locals.len());
        &self.locals[..num]
    }
}

/// The storage of a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Per thread: in registers, or in local memory if its address is needed.
    Automatic,
    /// `__shared__`: one copy per block.
    Shared,
    /// `extern __shared__`: the dynamic shared memory of the block. All such variables of a kernel have the same
    /// address.
    DynamicShared,
}

/// A local variable or parameter. A reference is a local of pointer type. `static` variables and constant arrays are
/// [`Global`]s.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type; `Array(_, 0)` for `extern __shared__` arrays.
    pub ty: Type,
    /// The type in C syntax.
    pub c_type: String,
    /// The storage.
    pub storage: Storage,
    /// Alignment in bytes, including `__align__`.
    pub align: u32,
    /// Whether its address is needed for more than accesses to the whole variable or a member: `&v`, a reference to
    /// it, an array's elements.
    pub address_taken: bool,
    /// Whether it is volatile.
    pub is_volatile: bool,
    /// The span of the name in the declaration.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The kind.
    pub kind: StmtKind,
    /// The span.
    pub span: Span,
}

/// The kind of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// An expression statement.
    Expr(Expr),
    /// A variable declaration; the lifetime begins each time control passes. Without `init` the value is undefined.
    /// Shared variables have no `init`.
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
        /// The then branch.
        then: Box<Stmt>,
        /// The else branch.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`.
    While {
        /// Condition, `Bool`.
        cond: Expr,
        /// Body.
        body: Box<Stmt>,
        /// The preceding `#pragma unroll`.
        unroll: Option<Unroll>,
    },
    /// `do … while`; `continue` jumps to the condition.
    DoWhile {
        /// Body.
        body: Box<Stmt>,
        /// Condition, `Bool`.
        cond: Expr,
        /// The preceding `#pragma unroll`.
        unroll: Option<Unroll>,
    },
    /// `for`; `continue` jumps to `step`.
    For {
        /// Executed once, before the loop.
        init: Vec<Stmt>,
        /// Condition, `Bool`; true if omitted.
        cond: Option<Expr>,
        /// Executed after each iteration.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
        /// The preceding `#pragma unroll`.
        unroll: Option<Unroll>,
    },
    /// `switch`. Control jumps to the matching arm, or to the default arm, or past the end, and falls through from
    /// each arm to the next.
    Switch {
        /// `I32`, `U32`, `I64` or `U64`.
        value: Expr,
        /// Arms in source order.
        arms: Vec<Arm>,
    },
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Continues with the next iteration of the innermost loop.
    Continue,
    /// Returns from the function.
    Return(Option<Expr>),
    /// The target of `goto`. Occurs once in its function, at any statement position.
    Label(LabelId),
    /// Jumps to the label, in this function. Bypasses no initialization.
    Goto(LabelId),
}

/// The initializer of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// A value of the variable's type.
    Value(Expr),
    /// For arrays, and structs that contain arrays: parts, stored in order.
    Parts {
        /// Whether `parts` omits parts of the variable. The omitted parts are zero, so the variable is zeroed first.
        zero_rest: bool,
        /// Byte offset and value of each part.
        parts: Vec<(u32, Expr)>,
    },
}

/// An arm of a `switch`: labels and the statements after them.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Values of its `case` labels, converted to the type of the `switch` value, as in [`Const::Int`].
    pub values: Vec<i128>,
    /// Whether it has the `default` label.
    pub is_default: bool,
    /// Statements up to the next label.
    pub body: Vec<Stmt>,
    /// The span of its first label.
    pub span: Span,
}

/// The `#pragma unroll` of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unroll {
    /// Without a factor: complete unrolling, if the number of iterations is known.
    Full,
    /// `#pragma unroll N`; 1 forbids unrolling.
    By(u32),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind.
    pub kind: ExprKind,
    /// The type of its value. An array type only occurs in a part of an [`ExprKind::Aggregate`], or in a value that
    /// is assigned to such a part.
    pub ty: Type,
    /// The span.
    pub span: Span,
}

/// The kind of an expression. Operands are evaluated from left to right (for assignments: the place, then the value).
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant; a null pointer is `Int(0)`.
    Const(Const),
    /// A load from a place.
    Load(Box<Place>),
    /// The address of a place. `ty` is a pointer to the place's type, or to the element type where an array decays.
    AddressOf(Box<Place>),
    /// A store of a value with the place's type; the result is the value. As in C++17, the value is evaluated before
    /// the place: `*p++ = p[0]` reads before `p` changes.
    Assign {
        /// The destination.
        place: Box<Place>,
        /// The value.
        value: Box<Expr>,
    },
    /// `place op= value`: the place is evaluated once, loaded, converted to `compute`, combined with `value`,
    /// converted back, and stored. The result is the stored value.
    CompoundAssign {
        /// The destination.
        place: Box<Place>,
        /// The operator.
        op: BinaryOp,
        /// The type of the operation; `value` has the same type, except that the amount of a shift has its own type.
        compute: Type,
        /// The right operand.
        value: Box<Expr>,
    },
    /// `place += index` on a pointer; evaluated once.
    PtrAssign {
        /// The destination.
        place: Box<Place>,
        /// Elements to advance by (negated for `-=`): an integer of 32 or 64 bits.
        index: Box<Expr>,
        /// Bytes of an element.
        elem_size: u32,
    },
    /// `++` and `--` on an integer, floating or pointer place.
    IncDec {
        /// The destination.
        place: Box<Place>,
        /// 1 or −1; for a pointer, the element size in bytes or its negative.
        delta: i64,
        /// Whether the result is the old value (`i++`) instead of the new one (`++i`).
        postfix: bool,
    },
    /// A unary operation; the operand has the type of the result.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Operand.
        operand: Box<Expr>,
    },
    /// Arithmetic on two operands of the result's type, which is `I32`, `U32`, `I64`, `U64`, `F32`, or `F64`; the
    /// amount of a shift can have another integer type. The divisor of a 64-bit integer division or remainder is a
    /// constant power of two; other such divisions are prelude calls.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// Comparison of two operands of one type (numbers, bools or pointers); the result is `Bool`.
    Compare {
        /// The operator.
        op: CompareOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// `&&` and `||` on `Bool`, with short-circuit evaluation.
    Logical {
        /// Whether it is `||`.
        op: LogicalOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// `cond ? then : otherwise`; only one branch is evaluated. Both have the result's type.
    Conditional {
        /// Condition, `Bool`.
        cond: Box<Expr>,
        /// The value if true.
        then: Box<Expr>,
        /// The value if false.
        otherwise: Box<Expr>,
    },
    /// `first, second`.
    Comma {
        /// Evaluated for its side effects.
        first: Box<Expr>,
        /// The result.
        second: Box<Expr>,
    },
    /// A conversion to this expression's type by C's rules. Integers are truncated, or extended by the operand's
    /// sign. Floating-point to integer truncates toward zero (and saturates, like the hardware). `Bool` is "not
    /// zero". Pointers and 64-bit integers keep their bits. Any type converts to `Void`, which discards the value.
    Convert(Box<Expr>),
    /// The bits of the operand reinterpreted as a type of the same size (`__float_as_int` and similar functions).
    Bitcast(Box<Expr>),
    /// `ptr + index`.
    PtrAdd {
        /// The pointer.
        ptr: Box<Expr>,
        /// Elements to advance by (negated for `-`): an integer of 32 or 64 bits, sign-extended if signed.
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
    /// A call of a device function; arguments have the parameters' types.
    Call {
        /// The callee.
        function: FuncId,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// An operation that the chip or the compiler provides; [`Builtin`] defines the arguments.
    Builtin {
        /// The builtin.
        builtin: Builtin,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// A vector or struct from the values of all its fields, or an array in such a value from the values of its
    /// elements, in order.
    Aggregate(Vec<Expr>),
    /// A field of a vector or struct value.
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
    /// Of an integer or pointer type: the value, within the range of the type.
    Int(i128),
    /// Of type `F16`, `Bf16` or `F32`.
    F32(f32),
    /// Of type `F64`.
    F64(f64),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`, on integers (wrapping) and floating-point numbers (flips the sign).
    Neg,
    /// `~`.
    BitNot,
    /// `!` on `Bool`.
    Not,
}

/// Arithmetic operators. Integers wrap. Shifts by at least the width give 0 (or the sign), like the hardware.
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
    /// Arithmetic shift for signed types.
    Shr,
}

/// Comparisons. All except `Ne` are false if an operand is NaN.
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

/// Short-circuit operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after C's operators")]
pub enum LogicalOp {
    And,
    Or,
}

/// A memory location that an expression reads, writes, or takes the address of.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The kind of the location.
    pub kind: PlaceKind,
    /// The type of the object; can be an array.
    pub ty: Type,
    /// Whether each access must be performed as written.
    pub is_volatile: bool,
    /// The span.
    pub span: Span,
}

/// The kind of a place.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceKind {
    /// A local variable.
    Local(LocalId),
    /// A variable at file scope.
    Global(GlobalId),
    /// The referent of a pointer.
    Deref(Box<Expr>),
    /// A member of a vector or struct.
    Field {
        /// The containing object.
        base: Box<Place>,
        /// Index of the member.
        field: u32,
        /// Its byte offset.
        offset: u32,
    },
}

/// Whether two names denote one kernel: white space does not count, and `signed char` is `char`.
pub fn is_same_name(a: &str, b: &str) -> bool {
    let packed = |text: &str| {
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let is_byte = words.windows(2).any(|pair| pair == ["signed", "char"]);
        let text = text.replace(' ', "");
        if is_byte {
            text.replace("unsignedchar", "\u{1}")
                .replace("signedchar", "char")
                .replace('\u{1}', "unsignedchar")
        } else {
            text
        }
    };
    a == b || packed(a) == packed(b)
}
