//! Translates the checked program to the intermediate representation.
//!
//! Device functions are inlined at their calls, except recursive and `__noinline__` functions. A variable that
//! is set once is bound to its value. Every other variable first gets a slot in local memory, which promotion
//! turns into values. Loops are rotated: one test before the first iteration, then one at the end of each
//! iteration. Blocks are created as statements need them. Unreachable code, such as code after a `return`, is
//! not emitted.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::hir;
use super::ir::{self, Access, BlockId, Def, Edge, End, FuncId, Function, MemWidth, Op, Space, Type, Value};
use engine::arch::ArchId;
use engine::ids::Span;
use engine::isa::{self, CompileOptions, ElemType, ParamType, SymbolSpace, bank0};

mod bfloat16;
mod builtin;
mod copy;
mod emit;
mod emulate;
mod expr;
mod facts;
mod image;
mod place;
mod stmt;

use facts::Facts;

/// The size of constant memory for variables in bytes.
const MAX_CONSTANT: u64 = 65_536;
/// Maximum size of all device variables in bytes. Assumption: their images are in the memory of a browser's tab.
const MAX_GLOBAL: u64 = 256 << 20;

/// Why a program cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct LowerError {
    /// The message: one sentence.
    pub message: String,
    /// The source range of the construct.
    pub span: Span,
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Val {
    /// `void`.
    Nothing,
    /// A scalar, or a pointer as a generic address.
    One(Value),
    /// A pointer into a known space other than global memory, as an address in that space.
    In(Space, Value),
    /// Fields of a vector or struct, or elements of an array.
    Parts(Vec<Val>),
}

/// A location in memory.
#[derive(Clone, Copy, Debug)]
struct Mem {
    space: Space,
    addr: Value,
    offset: i32,
    volatile: bool,
    cache: ir::MemCache,
    invariant: bool,
}

/// The storage of a local variable.
#[derive(Clone, Debug)]
enum Bind {
    Unseen,
    /// The value of a variable that is set once.
    Value(Val),
    Memory(Mem),
}

/// The targets of `break` and `continue`.
#[derive(Clone, Copy)]
struct Target {
    exit: BlockId,
    /// `None` in a `switch`.
    again: Option<BlockId>,
}

/// How a `return` leaves the function being translated.
#[derive(Clone, Copy)]
enum Leave {
    /// The function's own return, in a kernel or a called function.
    Return,
    /// A jump to the block after the inlined body; the block's parameters are the result.
    To(BlockId),
}

/// A function being translated, possibly inlined into another one.
struct Frame {
    id: hir::FuncId,
    binds: Vec<Bind>,
    targets: Vec<Target>,
    leave: Leave,
    /// The blocks of labels that `goto` names.
    labels: BTreeMap<hir::LabelId, BlockId>,
}

/// Translates `kernel` of `unit` with everything that it calls and names.
///
/// # Errors
/// Returns one error, with its location, for each use of something that the machine model does not have.
pub fn lower_to_ir(
    unit: &hir::Unit,
    kernel: &str,
    arch: ArchId,
    options: &CompileOptions,
) -> Result<ir::Module, Vec<LowerError>> {
    let Some(id) = unit.kernel(kernel) else {
        return Err(vec![LowerError {
            message: format!("The source has no kernel `{kernel}`."),
            span: Span::default(),
        }]);
    };
    let facts = Facts::of(unit, id);
    if let Some(message) = facts.excess(unit, id) {
        let span = unit.function(id).span;
        return Err(vec![LowerError { message, span }]);
    }
    let mut builder = Builder::new(unit, &facts, arch, options);
    builder.globals();
    builder.kernel(id);
    while let Some((id, index)) = builder.pending.pop() {
        builder.called(id, index);
    }
    builder.place_shared();
    if builder.errors.is_empty() {
        Ok(builder.module)
    } else {
        Err(builder.errors)
    }
}

struct Builder<'a> {
    unit: &'a hir::Unit,
    facts: &'a Facts,
    module: ir::Module,
    errors: Vec<LowerError>,
    /// The function being emitted, and the open block; `None` in unreachable code.
    function: Function,
    current: Option<BlockId>,
    /// Blocks that have a predecessor so far.
    reached: BTreeSet<BlockId>,
    frames: Vec<Frame>,
    span: Span,
    /// Nesting depth of prelude functions: their code keeps the caller's span.
    fixed_span: bool,
    called: BTreeMap<hir::FuncId, FuncId>,
    pending: Vec<(hir::FuncId, FuncId)>,
    global_symbols: Vec<Option<ir::SymbolId>>,
    local_symbols: BTreeMap<(hir::FuncId, hir::LocalId), ir::SymbolId>,
    /// The open levels of expressions.
    levels: u32,
    /// The number of scalars of structs, and their bytes.
    extents: RefCell<BTreeMap<hir::StructId, (u64, u64)>>,
    /// Offsets in bank 0 where the launch stores the addresses of texture references.
    textures: BTreeMap<u32, u32>,
    /// Alignment of each symbol, for the layout of shared memory.
    symbol_align: Vec<u32>,
    dynamic_shared: Vec<ir::SymbolId>,
}

impl<'a> Builder<'a> {
    fn new(unit: &'a hir::Unit, facts: &'a Facts, arch: ArchId, options: &CompileOptions) -> Self {
        Self {
            unit,
            facts,
            module: ir::Module {
                functions: Vec::new(),
                params: Vec::new(),
                param_traits: Vec::new(),
                param_bytes: 0,
                symbols: Vec::new(),
                constant_image: Vec::new(),
                global_image: Vec::new(),
                static_shared_bytes: 0,
                uses_dynamic_shared: false,
                launch_bounds: None,
                pointer_bits: unit.pointer_bytes * 8,
                arch,
                options: *options,
            },
            errors: Vec::new(),
            function: Function::new(""),
            current: None,
            reached: BTreeSet::new(),
            frames: Vec::new(),
            span: Span::default(),
            fixed_span: false,
            called: BTreeMap::new(),
            pending: Vec::new(),
            global_symbols: vec![None; unit.globals.len()],
            local_symbols: BTreeMap::new(),
            levels: 0,
            extents: RefCell::new(BTreeMap::new()),
            textures: BTreeMap::new(),
            symbol_align: Vec::new(),
            dynamic_shared: Vec::new(),
        }
    }

    fn error(&mut self, message: impl Into<String>) {
        let error = LowerError {
            message: message.into(),
            span: self.span,
        };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// Places all constants and device variables first: a launch can also fill those that the kernel does not
    /// use.
    fn globals(&mut self) {
        let unit = self.unit;
        // The bytes of constant and of device variables.
        let mut num_bytes = (0_u64, 0_u64);
        for (index, global) in unit.globals.iter().enumerate() {
            let size = unit.size_of(&global.ty) as u32;
            let (space, most) = match global.space {
                hir::GlobalSpace::Constant => (&mut num_bytes.0, MAX_CONSTANT),
                _ => (&mut num_bytes.1, MAX_GLOBAL),
            };
            if !matches!(
                global.space,
                hir::GlobalSpace::Shared | hir::GlobalSpace::DynamicShared | hir::GlobalSpace::Texture
            ) {
                *space += u64::from(size);
                // The images of variables that do not fit are not made.
                if *space > most {
                    continue;
                }
            }
            let (space, image) = match global.space {
                hir::GlobalSpace::Constant => (SymbolSpace::Constant, &mut self.module.constant_image),
                hir::GlobalSpace::Device => (SymbolSpace::Global, &mut self.module.global_image),
                hir::GlobalSpace::Shared | hir::GlobalSpace::DynamicShared | hir::GlobalSpace::Texture => {
                    continue;
                }
            };
            // Device variables are aligned to 256 bytes, as allocations are, so that vector accesses of warps
            // are aligned.
            let align = match space {
                SymbolSpace::Global if size >= 256 => 256,
                _ => global.align.max(4),
            };
            let offset = (image.len() as u32).next_multiple_of(align.max(1));
            image.resize(offset as usize, 0);
            image.extend_from_slice(&global.image);
            image.resize((offset + size) as usize, 0);
            let symbol = self.symbol(&global.name, space, offset, &global.ty, align);
            self.global_symbols[index] = Some(symbol);
        }
        let (constant, device) = num_bytes;
        let constant = constant.max(self.module.constant_image.len() as u64);
        let largest = |space: hir::GlobalSpace| {
            let all = unit.globals.iter().filter(|global| global.space == space);
            all.max_by_key(|global| unit.size_of(&global.ty))
        };
        if constant > MAX_CONSTANT {
            self.span = largest(hir::GlobalSpace::Constant).map_or(self.span, |global| global.span);
            self.error(format!(
                "The `__constant__` variables take {constant} bytes; constant memory has {MAX_CONSTANT}. Move a table \
                 to global memory."
            ));
        }
        if device > MAX_GLOBAL {
            self.span = largest(hir::GlobalSpace::Device).map_or(self.span, |global| global.span);
            self.error(format!(
                "The `__device__` variables take {device} bytes; at most {MAX_GLOBAL} are compiled. Pass a pointer to a \
                 buffer instead."
            ));
        }
    }

    fn symbol(
        &mut self,
        name: &str,
        space: SymbolSpace,
        offset: u32,
        ty: &hir::Type,
        align: u32,
    ) -> ir::SymbolId {
        let mut dims = Vec::new();
        let mut elem = ty;
        while let hir::Type::Array(inner, len) = elem {
            dims.push(*len);
            elem = inner;
        }
        self.module.symbols.push(isa::Symbol {
            name: name.to_owned(),
            space,
            offset,
            size: self.unit.size_of(ty) as u32,
            elem: elem_type(elem, self.unit.pointer_bytes),
            dims,
        });
        self.symbol_align.push(align.max(1));
        ir::SymbolId(self.module.symbols.len() as u32 - 1)
    }

    /// Places shared variables in the order in which the kernel uses them, with dynamic memory after static
    /// memory.
    fn place_shared(&mut self) {
        let mut offset = 0_u32;
        for (index, symbol) in self.module.symbols.iter_mut().enumerate() {
            let dynamic = self.dynamic_shared.iter().any(|id| id.0 as usize == index);
            if symbol.space == SymbolSpace::Shared && !dynamic {
                symbol.offset = offset.next_multiple_of(self.symbol_align[index]);
                offset = symbol.offset + symbol.size;
            }
        }
        self.module.static_shared_bytes = offset;
        self.module.uses_dynamic_shared = !self.dynamic_shared.is_empty();
        let align = self
            .dynamic_shared
            .iter()
            .map(|id| self.symbol_align[id.0 as usize])
            .max();
        let start = offset.next_multiple_of(align.unwrap_or(1).max(16));
        for id in &self.dynamic_shared {
            self.module.symbols[id.0 as usize].offset = start;
        }
    }

    fn kernel(&mut self, id: hir::FuncId) {
        let unit = self.unit;
        let kernel = unit.function(id);
        self.module.launch_bounds = kernel
            .launch_bounds
            .map(|bounds| (bounds.max_threads, bounds.min_blocks));
        self.begin(kernel);
        self.frames.push(Frame {
            id,
            binds: vec![Bind::Unseen; kernel.locals.len()],
            targets: Vec::new(),
            leave: Leave::Return,
            labels: BTreeMap::new(),
        });
        // Index 0 is reserved for the kernel, which is filled in at the end.
        self.module.functions.push(Function::new(""));
        let mut offset = 0_u32;
        for (index, local) in kernel.params().iter().enumerate() {
            let size = unit.size_of(&local.ty) as u32;
            offset = offset.next_multiple_of(local.align.max(unit.align_of(&local.ty)).max(1));
            self.module.params.push(isa::Param {
                name: local.name.clone(),
                ty: param_type(&local.ty, unit.pointer_bytes),
                c_type: local.c_type.clone(),
                offset,
                size,
            });
            self.module.param_traits.push(match &local.ty {
                hir::Type::Pointer(pointer) => ir::ParamTraits {
                    pointer: true,
                    restrict: pointer.restrict,
                    read_only: pointer.is_const,
                },
                _ => ir::ParamTraits::default(),
            });
            self.span = local.span;
            let place = u32::from(bank0::PARAMS) + offset;
            let local_id = hir::LocalId(index as u32);
            if self.facts.is_set_once(id, local_id) {
                let val = self.param_value(&local.ty, place);
                self.frame().binds[index] = Bind::Value(val);
            } else if !self.facts.is_assigned(id, local_id) {
                let addr = self.function.i32(0);
                self.frame().binds[index] = Bind::Memory(Mem {
                    invariant: true,
                    ..self.mem(Space::Param, addr, place as i32)
                });
            } else {
                let val = self.param_value(&local.ty, place);
                let mem = self.local_memory(local_id);
                self.store(mem, &local.ty, val);
            }
            offset += size;
        }
        self.module.param_bytes = offset;
        if offset > 32_764 {
            self.error(
                "The kernel's parameters take more than 32764 bytes. Pass large structs through a pointer.",
            );
        }
        self.finish(kernel);
        self.module.functions[0] = std::mem::replace(&mut self.function, Function::new(""));
    }

    /// The value of a parameter at an offset in bank 0.
    fn param_value(&mut self, ty: &hir::Type, place: u32) -> Val {
        let unit = self.unit;
        match ty {
            hir::Type::Vector(_) | hir::Type::Struct(_) => {
                let fields = unit.fields(ty);
                Val::Parts(
                    fields
                        .iter()
                        .map(|(ty, offset)| self.param_value(ty, place + offset))
                        .collect(),
                )
            }
            hir::Type::Array(elem, len) => {
                let size = unit.size_of(elem) as u32;
                Val::Parts(
                    (0..*len)
                        .map(|index| self.param_value(elem, place + index * size))
                        .collect(),
                )
            }
            _ => {
                let (ir_ty, width) = self.scalar(ty);
                if width.bytes() >= 4 {
                    return Val::One(self.function.leaf(ir_ty, Def::Bank0(place as u16)));
                }
                let word = self.function.leaf(Type::I32, Def::Bank0((place & !3) as u16));
                Val::One(self.narrow_field(word, (place & 3) * 8, ty))
            }
        }
    }

    /// Translates a function that is called, not inlined.
    fn called(&mut self, id: hir::FuncId, index: FuncId) {
        let unit = self.unit;
        let source = unit.function(id);
        self.begin(source);
        self.frames.push(Frame {
            id,
            binds: vec![Bind::Unseen; source.locals.len()],
            targets: Vec::new(),
            leave: Leave::Return,
            labels: BTreeMap::new(),
        });
        self.function.results = self.passed_types(&source.ret);
        for (index, local) in source.params().iter().enumerate() {
            let types = self.passed_types(&local.ty);
            let values: Vec<_> = types.iter().map(|ty| self.function.value(*ty)).collect();
            self.function.params.extend(&values);
            let values = self.received_values(&local.ty, values);
            let val = self.unflatten(&local.ty, &mut values.into_iter());
            let local_id = hir::LocalId(index as u32);
            if self.facts.is_set_once(id, local_id) {
                self.frame().binds[index] = Bind::Value(val);
            } else {
                let mem = self.local_memory(local_id);
                self.store(mem, &local.ty, val);
            }
        }
        self.finish(source);
        self.module.functions[index.0 as usize] = std::mem::replace(&mut self.function, Function::new(""));
    }

    fn begin(&mut self, source: &hir::Function) {
        self.function = Function::new(source.name.clone());
        self.function.span = source.span;
        self.span = source.span;
        self.fixed_span = false;
        self.current = Some(Function::ENTRY);
        self.reached.clear();
    }

    fn finish(&mut self, source: &hir::Function) {
        self.stmts(&source.body);
        self.span = source.end_span;
        let results = self.function.results.clone();
        let results = (results.iter())
            .map(|ty| self.function.leaf(*ty, Def::Undef))
            .collect();
        self.stop(End::Return(results));
        self.frames.pop();
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }
}

fn param_type(ty: &hir::Type, pointer_bytes: u32) -> ParamType {
    match ty {
        hir::Type::Pointer(pointer) => {
            let (elem, lanes) = match &pointer.pointee {
                hir::Type::Vector(vector) => (elem_type(&vector.elem, pointer_bytes), vector.lanes),
                scalar => (elem_type(scalar, pointer_bytes), 1),
            };
            ParamType::Pointer {
                elem,
                lanes,
                read_only: pointer.is_const,
            }
        }
        hir::Type::Vector(_) | hir::Type::Struct(_) | hir::Type::Array(..) => ParamType::Bytes,
        scalar => elem_type(scalar, pointer_bytes).map_or(ParamType::Bytes, ParamType::Scalar),
    }
}

fn elem_type(ty: &hir::Type, pointer_bytes: u32) -> Option<ElemType> {
    Some(match ty {
        hir::Type::Bool | hir::Type::U8 => ElemType::U8,
        hir::Type::I8 => ElemType::I8,
        hir::Type::I16 => ElemType::I16,
        hir::Type::U16 | hir::Type::Bf16 => ElemType::U16,
        hir::Type::I32 => ElemType::I32,
        hir::Type::U32 => ElemType::U32,
        hir::Type::I64 => ElemType::I64,
        hir::Type::U64 => ElemType::U64,
        hir::Type::F16 => ElemType::F16,
        hir::Type::F32 => ElemType::F32,
        hir::Type::F64 => ElemType::F64,
        hir::Type::Enum(scoped) => return elem_type(&scoped.underlying, pointer_bytes),
        hir::Type::Pointer(_) if pointer_bytes == 8 => ElemType::U64,
        hir::Type::Pointer(_) => ElemType::U32,
        hir::Type::Vector(vector) => return elem_type(&vector.elem, pointer_bytes),
        hir::Type::Void | hir::Type::Array(..) | hir::Type::Struct(_) => return None,
    })
}
