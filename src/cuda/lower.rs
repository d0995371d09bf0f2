//! Lowers the intermediate representation to the instructions of one architecture.
//!
//! A function passes these steps: final shaping of the graph (`shape`, `predicate`), placement of reconvergence
//! points (`converge`), selection (`select`: instructions on virtual registers), filling of the factors of matrix
//! products (`factors`), scheduling in basic blocks (`schedule`, `row`), register allocation with spilling
//! (`allocate`, `spill`), and layout (`emit`: branches to addresses).

mod allocate;
mod constants;
mod converge;
mod emit;
mod factors;
mod machine;
mod pending;
mod predicate;
mod row;
mod schedule;
mod select;
mod shape;
mod spill;
mod target;

use crate::diagnostic::Diagnostic;
use crate::ir::{self, Op};
use engine::arch::{ArchId, Generation, architecture};
use engine::ids::Span;
use engine::isa::{self, CompileOptions, Instruction, Program};
use target::Target;

/// Default stack size of a thread in bytes, for recursive functions (`cudaLimitStackSize`).
const STACK_BYTES: u32 = 1024;

/// Compiles a module for its architecture.
///
/// # Errors
/// Returns the features that the architecture does not have.
pub fn lower(
    module: &ir::Module,
    arch: ArchId,
    options: &CompileOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let target = Target::new(arch, *options, module.pointer_bits);
    let limit = target.register_limit(module.launch_bounds);
    let calls = module.functions.len() > 1;
    let mut code: Vec<Instruction> = Vec::new();
    let mut functions = Vec::new();
    let mut starts = Vec::new();
    let mut frames = Vec::new();
    let mut registers = 0;
    let mut spill_bytes = (0, 0);
    let mut errors = Vec::new();
    for (idx, function) in module.functions.iter().enumerate() {
        let start = isa_pc(code.len());
        starts.push(start);
        if idx > 0 {
            functions.push((start, function.name.clone()));
        }
        let compiled = match compile(module, idx, target, limit, calls) {
            Ok(compiled) => compiled,
            Err(mut list) => {
                errors.append(&mut list);
                frames.push(0);
                continue;
            }
        };
        code.extend(compiled.code.into_iter().map(|mut instruction| {
            move_targets(&mut instruction.op, start.0);
            instruction
        }));
        registers = registers.max(compiled.registers);
        frames.push(if calls {
            compiled.frame_bytes.div_ceil(16) * 16
        } else {
            compiled.frame_bytes
        });
        spill_bytes.0 += compiled.spill_bytes.0;
        spill_bytes.1 += compiled.spill_bytes.1;
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    // `fma` of doubles on 1.0, where doubles are singles, is an FFMA that the chip does not have.
    let is_known = |op| target.has(op) || matches!(op, isa::Op::Ffma { .. });
    debug_assert_eq!(
        code.iter().find(|instruction| !is_known(instruction.op)),
        None,
        "the chip has every instruction of its program"
    );
    for instruction in &mut code {
        if let isa::Op::Call { target } = &mut instruction.op {
            *target = starts[target.0 as usize];
        }
    }
    let name = module
        .functions
        .first()
        .map_or_else(String::new, |f| f.name.clone());
    Ok(Program {
        name,
        arch,
        code,
        functions,
        registers_per_thread: u16::try_from(registers + target.hidden_registers()).unwrap_or(u16::MAX),
        static_shared_bytes: module.static_shared_bytes,
        local_bytes_per_thread: stack_bytes(module, &frames),
        spill_bytes,
        uses_dynamic_shared: module.uses_dynamic_shared,
        params: module.params.clone(),
        param_bytes: module.param_bytes,
        symbols: module.symbols.clone(),
        constant_image: module.constant_image.clone(),
        global_image: module.global_image.clone(),
        launch_bounds: module.launch_bounds,
        pointer_bits: module.pointer_bits,
        options: *options,
        source: String::new(),
    })
}

/// A function in physical registers. Branch targets are relative to its first instruction; calls refer to
/// functions by index.
struct Compiled {
    code: Vec<Instruction>,
    registers: u32,
    frame_bytes: u32,
    spill_bytes: (u32, u32),
}

fn compile(
    module: &ir::Module,
    idx: usize,
    target: Target,
    limit: u32,
    calls: bool,
) -> Result<Compiled, Vec<Diagnostic>> {
    let function = &module.functions[idx];
    let shaped = shape::shape(function, idx == 0, &target);
    let plan = converge::plan(&shaped, target.has_barriers());
    let mut selected = select::select(module, &shaped, &plan, idx == 0, target, calls)?;
    selected.code.drop_dead();
    selected.code.merge_saturation();
    factors::share(&mut selected.code);
    if target.loads_constants() {
        constants::load(&mut selected.code);
    }
    select::sink_copies(&mut selected.code);
    selected.code.drop_dead();
    selected.code.join_blocks();
    selected.code.drop_last_updates();
    let kernel = (idx == 0).then_some(function.span);
    let allocated = order_and_allocate(&selected, kernel, target, limit);
    let (selected, allocated) = allocated.map_err(|error| {
        vec![Diagnostic::error(
            function.span,
            format!("`{}`: {error}", function.name),
        )]
    })?;
    let mut code = emit::emit(&selected.code, &allocated);
    if target.generation >= Generation::Ampere {
        emit::alternate_moves(&mut code);
    }
    Ok(Compiled {
        registers: registers_used(&code).max(1),
        code,
        frame_bytes: allocated.frame_bytes,
        spill_bytes: allocated.spill_bytes,
    })
}

/// Registers that a batch of loads may take beyond those of the program's order, in a step between the first and the last.
/// nvcc stays in the first one even if that leaves no registers for a batch.
const BATCH: u32 = 8;
/// The same for the step of the largest block, so that its kernels can be launched.
const SMALL_BATCH: u32 = 4;
/// Registers of a step that the schedule leaves free for the alignment of pairs and quads: more with each attempt.
const SLACKS: [u32; 3] = [2, 6, 12];
/// Instructions of a function from which on only the last of [`SLACKS`] is tried. Assumption: an order of so many takes tenths
/// of a second.
const LONG: usize = 5000;
/// Registers within which loads move up where values have to be spilled anyway, and those of the limit that stay free.
const ROOM_WITH_SPILLS: u32 = 56;
const SLACK_WITH_SPILLS: u32 = 8;

/// Orders a function and gives it registers: those of the first step of [`Target::register_steps`] that hold its values
/// without spilling, and in all but the first and the last a batch of loads too. The step of the largest block needs a
/// smaller batch, so that its kernels can be launched. If no step does, values are spilled.
fn order_and_allocate(
    selected: &select::Selected,
    kernel: Option<Span>,
    target: Target,
    limit: u32,
) -> Result<(select::Selected, allocate::Allocated), allocate::AllocationError> {
    let attempt = |order: Option<u32>, room: allocate::Room| {
        let mut own = selected.clone();
        if let Some(room) = order {
            schedule::schedule(&mut own.code, room);
            row::order_rows(&mut own.code, architecture(target.arch));
        }
        let allocated = allocate_registers(&mut own, kernel, target, limit, room)?;
        Ok((own, allocated))
    };
    // From Volta on, a kernel reserves the stack pointer.
    let reserved = u32::from(kernel.is_some() && target.has_barriers());
    let needed = allocate::most_alive(&selected.code) + reserved;
    let of_largest_block = target.registers_of_largest_block().min(limit);
    let is_long = selected
        .code
        .blocks
        .iter()
        .map(|block| block.insts.len())
        .sum::<usize>()
        > LONG;
    let slacks = if is_long { &SLACKS[2..] } else { &SLACKS[..] };
    for (idx, step) in target.register_steps(limit).into_iter().enumerate() {
        // Without registers for a batch, each load would wait for the one before.
        let batch = match step {
            _ if idx == 0 || step == limit => 0,
            _ if step == of_largest_block => SMALL_BATCH,
            _ => BATCH,
        };
        if step < needed + batch {
            continue;
        }
        let room = allocate::Room {
            limit: step,
            may_spill: false,
        };
        let holds_batch = |slack: &&u32| batch == 0 || step >= needed + batch + **slack;
        for slack in slacks.iter().filter(holds_batch) {
            if let Ok(done) = attempt(Some(step.saturating_sub(slack + reserved)), room) {
                return Ok(done);
            }
        }
        if step == of_largest_block
            && batch == 0
            && let Ok(done) = attempt(None, room)
        {
            return Ok(done);
        }
    }
    let room = allocate::Room {
        limit,
        may_spill: true,
    };
    // Values that are computed early occupy registers for longer: with very few registers, the order stays.
    let early = limit.saturating_sub(SLACK_WITH_SPILLS).min(ROOM_WITH_SPILLS);
    attempt(Some(early), room).or_else(|_| attempt(None, room))
}

fn allocate_registers(
    selected: &mut select::Selected,
    kernel: Option<Span>,
    target: Target,
    limit: u32,
    room: allocate::Room,
) -> Result<allocate::Allocated, allocate::AllocationError> {
    schedule::sink_updates(&mut selected.code);
    // With very few registers, every register counts.
    let can_spare = limit >= 24 && target.has_barriers();
    let reserved = kernel
        .filter(|_| can_spare && selected.frame_pointer.is_none())
        .map(|span| set_stack_pointer(&mut selected.code, span, target));
    let frame = allocate::Frame {
        bytes: selected.frame_bytes,
        pointer: selected.frame_pointer,
        reserved,
    };
    let mut banks = target.register_banks();
    if !can_spare {
        banks.hold = 0;
    }
    allocate::allocate(&mut selected.code, room, frame, banks)
}

/// Initializes the stack pointer. nvcc's code from 7.0 on starts by reading the stack pointer into R1, whether
/// or not the kernel has a stack, and reserves R1. Here the pointer is 0.
fn set_stack_pointer(code: &mut machine::Code, span: Span, target: Target) -> u8 {
    let register = select::FRAME_POINTER;
    let vreg = code.vreg(machine::Class::General, 1);
    code.vregs[vreg.0 as usize].fixed = Some(register);
    let mut inst = machine::VInst::new(isa::Op::Mov);
    if target.loads_constants() {
        inst.op = isa::Op::Ldc {
            bank: 0,
            width: isa::Width::B32,
        };
        inst.offset = isa::bank0::STACK_POINTER.into();
    } else {
        inst.srcs[0] = machine::VSrc::constant(0, isa::bank0::STACK_POINTER);
    }
    inst.dst = Some(machine::Place { vreg, unit: 0 });
    if let Some(first) = code.layout.first().copied() {
        let block = code.block_mut(first);
        inst.span = span;
        block.insts.insert(0, inst);
    }
    register
}

fn registers_used(code: &[Instruction]) -> u32 {
    code.iter()
        .flat_map(|instruction| instruction.sources().chain(instruction.destination()))
        .map(|range| u32::from(range.first.0) + u32::from(range.num))
        .max()
        .unwrap_or(0)
}

fn isa_pc(idx: usize) -> engine::ids::Pc {
    engine::ids::Pc(u32::try_from(idx).unwrap_or(u32::MAX))
}

fn move_targets(op: &mut isa::Op, by: u32) {
    match op {
        isa::Op::Bra { target } | isa::Op::Push { target, .. } | isa::Op::Bssy { target, .. } => {
            target.0 += by;
        }
        _ => {}
    }
}

fn callees(function: &ir::Function) -> Vec<usize> {
    let calls = function.insts().filter_map(|inst| match inst.op {
        Op::Call(id) => Some(id.0 as usize),
        _ => None,
    });
    let mut list: Vec<usize> = calls.collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Local memory of a thread: the deepest chain of frames. For recursive functions: each function's frame once,
/// plus the default stack.
fn stack_bytes(module: &ir::Module, frames: &[u32]) -> u32 {
    fn depth(graph: &[Vec<usize>], frames: &[u32], at: usize, open: &mut Vec<usize>) -> Option<u32> {
        if open.contains(&at) {
            return None;
        }
        open.push(at);
        let mut most = 0;
        for callee in &graph[at] {
            most = most.max(depth(graph, frames, *callee, open)?);
        }
        open.pop();
        Some(most + frames[at])
    }
    let graph: Vec<Vec<usize>> = module.functions.iter().map(callees).collect();
    depth(&graph, frames, 0, &mut Vec::new()).unwrap_or_else(|| frames.iter().sum::<u32>() + STACK_BYTES)
}
