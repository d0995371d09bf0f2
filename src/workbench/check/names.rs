//! Names of arrays, array elements, and threads.

use super::finding::{Memory, Place, Role, Site};
use engine::access::AccessOp;
use engine::files;
use engine::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, Span, WarpId};
use engine::isa::describe::{Execution, Members};
use engine::isa::{ElemType, Instruction, Op, Operand, Program, RZ, Reg, Space, SymbolSpace};
use engine::launch::addresses::Owner;
use engine::launch::{Argument, Launch};
use engine::sim::Machine;
use engine::sim::observer::{AccessKind, Executor, ObservedAccess};

/// The allocation that holds the program's `__device__` variables.
const DEVICE_SEGMENT: &str = "__device__";

/// An index outside an array, in elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outside {
    /// The index, from where the name points.
    pub(super) index: i64,
    /// Whether the place precedes the array.
    pub(super) is_before: bool,
    /// The length of the array.
    pub(super) len: u64,
    /// The element to which the name points.
    pub(super) origin: i64,
}

/// An array in one of the memories.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) memory: Memory,
    pub(super) name: String,
    pub(super) first: u64,
    pub(super) bytes: u64,
    elem: Option<ElemType>,
    dims: Vec<u32>,
    /// Bytes from the first byte to where the name points: element 0.
    origin: i64,
}

impl Array {
    pub(super) fn holds(&self, address: u64) -> bool {
        address.wrapping_sub(self.first) < self.bytes
    }

    /// Distance in bytes between an address and the array.
    pub(super) fn distance(&self, address: u64) -> u64 {
        let end = self.first + self.bytes;
        self.first
            .saturating_sub(address)
            .max(address.saturating_sub(end.saturating_sub(1)))
    }

    /// The index of an address outside the array, in elements. `None` if the array has several dimensions or its elements
    /// have no type.
    pub(super) fn index_outside(&self, address: u64) -> Option<Outside> {
        let elem = i64::from(self.elem?.bytes());
        let offset = address.wrapping_sub(self.first).cast_signed();
        let from_origin = offset.checked_sub(self.origin)?;
        let is_row = self.dims.len() == 1 && !self.holds(address) && from_origin % elem == 0;
        is_row.then(|| Outside {
            index: from_origin / elem,
            is_before: offset < 0,
            len: self.bytes / elem.unsigned_abs(),
            origin: self.origin.div_euclid(elem),
        })
    }

    /// The element that holds a byte, in source notation.
    fn element(&self, offset: u64) -> Option<String> {
        let elem = u64::from(self.elem?.bytes());
        let mut element = offset / elem;
        if self.origin != 0 {
            let index = (offset.cast_signed() - self.origin).div_euclid(elem.cast_signed());
            return Some(format!("{}[{index}]", self.name));
        }
        if self.bytes == elem && self.dims.is_empty() {
            return Some(self.name.clone());
        }
        // The outermost extent does not affect the layout.
        let inner = self.dims.get(1..).unwrap_or_default();
        let mut indices = Vec::new();
        for extent in inner.iter().rev() {
            let extent = u64::from((*extent).max(1));
            indices.push(element % extent);
            element /= extent;
        }
        indices.push(element);
        let indices: String = indices
            .iter()
            .rev()
            .map(|index| format!("[{index}]"))
            .collect::<Vec<_>>()
            .concat();
        Some(format!("{}{indices}", self.name))
    }
}

/// The names of one run.
#[derive(Clone, Debug)]
pub(super) struct Names {
    arrays: Vec<Array>,
    code: Vec<Instruction>,
    source: String,
    /// Address of the first instruction of called functions.
    functions: Pc,
    /// Local memory of a thread in bytes.
    pub(super) local_bytes: u32,
    grid: [u32; 3],
    block: [u32; 3],
    pub(super) warps_per_block: u32,
}

impl Names {
    pub(super) fn new(program: &Program, launch: &Launch, machine: &Machine) -> Self {
        let outputs = machine.outputs();
        let mut arrays = Vec::new();
        let mut segment = 0;
        for (idx, allocation) in outputs.device.allocations().iter().enumerate() {
            if allocation.name == DEVICE_SEGMENT {
                segment = allocation.base;
                continue;
            }
            let owned = outputs
                .buffers
                .iter()
                .find(|place| place.allocation == idx && launch.args[place.argument].elements().is_some());
            let argument = owned.and_then(|place| launch.args.get(place.argument));
            let (elem, origin) = match argument {
                Some(Argument::Buffer { elem, start, .. }) => (Some(*elem), *start),
                Some(Argument::Texture(texture)) => (Some(texture.elem), 0),
                _ => (None, 0),
            };
            arrays.push(Array {
                memory: Memory::Global,
                name: allocation.name.clone(),
                first: allocation.base,
                bytes: allocation.size,
                elem,
                dims: vec![0],
                origin,
            });
        }
        // Other names of the same memory follow its own, which `nearest` prefers.
        for place in &outputs.buffers {
            let Some(Argument::Pointer { elem, to, .. }) = launch.args.get(place.argument) else {
                continue;
            };
            let (allocation, name) = (
                outputs.device.allocations().get(place.allocation),
                program.params.get(place.argument),
            );
            if let (Some(allocation), Some(param), Owner::Argument(_)) = (allocation, name, &to.of) {
                arrays.push(Array {
                    memory: Memory::Global,
                    name: param.name.clone(),
                    first: allocation.base,
                    bytes: allocation.size,
                    elem: Some(*elem),
                    dims: vec![0],
                    origin: to.offset,
                });
            }
        }
        let shared_end = u64::from(program.static_shared_bytes + launch.dynamic_shared);
        for symbol in &program.symbols {
            let (memory, first) = match symbol.space {
                SymbolSpace::Constant => continue,
                SymbolSpace::Global => (Memory::Global, segment),
                SymbolSpace::Shared => (Memory::Shared, 0),
            };
            let first = first + u64::from(symbol.offset);
            let is_extern = memory == Memory::Shared && symbol.size == 0;
            arrays.push(Array {
                memory,
                name: symbol.name.clone(),
                first,
                bytes: if is_extern {
                    shared_end.saturating_sub(first)
                } else {
                    u64::from(symbol.size)
                },
                elem: symbol.elem,
                dims: if is_extern { vec![0] } else { symbol.dims.clone() },
                origin: 0,
            });
        }
        Self {
            arrays,
            code: program.code.clone(),
            source: program.source.clone(),
            functions: program
                .functions
                .iter()
                .map(|(first, _)| *first)
                .min()
                .unwrap_or(Pc(u32::MAX)),
            local_bytes: program.local_bytes_per_thread,
            grid: launch.grid,
            block: launch.block,
            warps_per_block: launch.block.iter().product::<u32>().div_ceil(32),
        }
    }

    /// The array at an address, or the nearest one.
    pub(super) fn nearest(&self, memory: Memory, address: u64) -> Option<&Array> {
        let arrays = self.arrays.iter().filter(|array| array.memory == memory);
        arrays.min_by_key(|array| (!array.holds(address), array.distance(address)))
    }

    /// Describes the location at an address.
    pub(super) fn place(&self, memory: Memory, address: u64, bytes: u32) -> Place {
        let array = self.nearest(memory, address);
        Place {
            memory,
            address,
            bytes,
            array: array.map(|array| array.name.clone()),
            element: array
                .filter(|array| array.holds(address))
                .and_then(|array| array.element(address - array.first)),
            offset: array.map(|array| address.wrapping_sub(array.first) as i64),
        }
    }

    /// The source range of an instruction.
    pub(super) fn span(&self, pc: Pc) -> Span {
        self.code
            .get(pc.0 as usize)
            .map_or_else(Span::default, |i| i.span)
    }

    /// A source line as a phrase.
    pub(super) fn line_text(&self, line: u32) -> String {
        files::line_text(&self.source, line)
    }

    /// The source text of a span.
    pub(super) fn text(&self, span: Span) -> &str {
        let text = self.source.get(span.start as usize..span.end as usize);
        text.unwrap_or_default()
    }

    /// The array of this memory that the source names at an access, such as `tile` in `tile[i][j]`.
    pub(super) fn named(&self, memory: Memory, span: Span) -> Option<&Array> {
        let (name, _) = self.text(span).split_once('[')?;
        let mut arrays = self.arrays.iter();
        arrays.find(|array| array.memory == memory && array.name == name)
    }

    /// The role of an instruction: whether it reads, writes, or does something else.
    pub(super) fn role(&self, pc: Pc) -> Role {
        let Some(description) = self.op(pc).map(Op::describe) else {
            return Role::Execution;
        };
        match (description.access, description.execution) {
            (Some(AccessOp::Load), _) => Role::Read,
            (Some(AccessOp::Store), _) => Role::Write,
            (Some(AccessOp::Atomic), _) => Role::Atomic,
            (None, Execution::Barrier | Execution::Exchange) => Role::Barrier,
            (None, _) if description.members == Members::FirstOperand => Role::Barrier,
            (None, _) => Role::Execution,
        }
    }

    /// Whether a local-memory access is to an array of the source: the kernel computes the address, and the
    /// access is not in a called function. Accesses relative to the stack pointer can be spills, which are
    /// reloaded as a whole even if part of the value is unset.
    pub(super) fn is_array_access(&self, pc: Pc) -> bool {
        pc < self.functions && self.is_behind_pointer(pc)
    }

    /// Whether an access computes its address instead of using an offset from the stack pointer.
    fn is_behind_pointer(&self, pc: Pc) -> bool {
        const STACK_POINTER: Reg = Reg(1);
        let base = self.code.get(pc.0 as usize).map(|i| i.srcs[0].operand);
        let is_frame = |base| base == Operand::Reg(RZ) || base == Operand::Reg(STACK_POINTER);
        base.is_some_and(|base| !is_frame(base))
    }

    /// Whether an instruction accesses the stack frame of a called function, such as saved registers.
    pub(super) fn is_frame_access(&self, pc: Pc) -> bool {
        pc >= self.functions && !self.is_behind_pointer(pc)
    }

    /// Threads of a block.
    pub(super) fn threads_per_block(&self) -> u32 {
        self.block.iter().product()
    }

    /// The operation of an instruction.
    pub(super) fn op(&self, pc: Pc) -> Option<Op> {
        self.code.get(pc.0 as usize).map(|i| i.op)
    }

    /// The site of a lane at an instruction that accesses no memory.
    pub(super) fn site(&self, by: &Executor, lane: u32, role: Role) -> Site {
        let [x, y, _] = self.grid;
        let block = by.block.0;
        let thread = by.warp_in_block * 32 + lane;
        let [width, height, _] = self.block;
        Site {
            role,
            span: self.span(by.pc),
            pc: by.pc,
            cycle: by.cycle,
            block: [block % x, block / x % y, block / x / y],
            thread: [thread % width, thread / width % height, thread / width / height],
            warp: by.warp,
            slot: by.slot,
            lane: lane as u8,
            place: None,
        }
    }

    /// The site of a lane of an access.
    pub(super) fn access_site(&self, access: &ObservedAccess<'_>, lane: u32) -> Site {
        let address = access.addresses[lane as usize];
        Site {
            place: Some(self.place(memory_of(access), address, access.bytes)),
            ..self.site(&access.by, lane, role_of(access.kind))
        }
    }

    /// The executor of an earlier instruction.
    pub(super) fn executor(&self, warp: WarpId, slot: SlotIdx, pc: Pc, cycle: Cycle) -> Executor {
        Executor {
            cycle,
            pc,
            slot,
            warp,
            block: BlockId(warp.0 / self.warps_per_block),
            warp_in_block: warp.0 % self.warps_per_block,
            lanes: LaneMask::EMPTY,
            live: LaneMask::EMPTY,
        }
    }
}

/// The memory of an access.
pub(super) const fn memory_of(access: &ObservedAccess<'_>) -> Memory {
    match access.space {
        Space::Shared => Memory::Shared,
        Space::Local => Memory::Local,
        _ => Memory::Global,
    }
}

/// The role of a kind of access.
pub(super) const fn role_of(kind: AccessKind) -> Role {
    match kind {
        AccessKind::Read => Role::Read,
        AccessKind::Write => Role::Write,
        AccessKind::Atomic => Role::Atomic,
    }
}
