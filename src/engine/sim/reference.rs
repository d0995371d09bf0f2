//! The untimed interpreter: one thread after the other, one instruction at a time, no pipes and no
//! clock. It shares the memory and the definition of each instruction (`exec::evaluate`, and
//! `exec::exchange` for a warp) with the machine and nothing else, so that what both leave in memory
//! can be compared: order, divergence, waiting, and the machine's own code for rows of 32 lanes.
//!
//! Lanes of a warp run as a group only where an instruction exchanges values between lanes. Sets of lanes
//! record which lanes wait for each other, both for token stacks and for convergence barriers.

mod library;

use thiserror::Error;

use super::exec::{Row, WideRow, atomic, evaluate, exchange, matrices, tensor};
use super::lsu::image::lane_access;
use super::memory::{BadAccess, DeviceMemory, InitialMemory, Outputs, SetupError, constant_word};
use super::space::{Place, place};
use super::{Fault, FaultKind, fault_message};
use crate::arch::architecture;
use crate::ids::{Cycle, LaneMask, Pc, WarpId};
use crate::isa::describe::Execution;
use crate::isa::{
    AtomOp, BarMode, Instruction, Mma, Op, Operand, PredSrc, Program, RZ, Reg, Space, Special, Src, Token,
    Width,
};
use crate::launch::{Launch, UNWRITTEN_BYTE};
use crate::printf::Printed;

/// Instructions that a group of lanes may run while other lanes wait for it at a convergence point. After
/// that, the waiting lanes continue: a lane that spins until a waiting lane acts would never end.
const SPIN_LIMIT: u32 = 20_000;

/// A reason why the interpreter stopped early.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ReferenceError {
    /// The launch does not match the program.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A thread faulted.
    #[error("{}", .0.message)]
    Fault(Box<Fault>),
    /// Threads wait for each other.
    #[error("Threads of block {0} wait for each other.")]
    Deadlock(u32),
    /// The limit of thread instructions was reached.
    #[error("The interpreter stopped after {0} thread instructions.")]
    Budget(u64),
}

/// The limit of thread instructions.
const BUDGET: u64 = 4_000_000_000;

/// Runs all blocks, one after the other, and returns the final memory.
///
/// # Errors
/// Returns an error if the arguments do not match, a thread faults, or the threads of a block deadlock.
pub fn run(program: &Program, launch: &Launch) -> Result<Outputs, ReferenceError> {
    run_printing(program, launch).map(|(outputs, _)| outputs)
}

/// An instruction that the first thread of a launch ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The instruction.
    pub pc: Pc,
    /// Whether its guard held.
    pub executed: bool,
    /// The bits of a, b, and c before their modifiers.
    pub operands: [u64; 3],
    /// The predicate operands, after their modifiers.
    pub predicates: [bool; 3],
}

/// Runs all blocks like [`run`], and returns the final memory and the instructions of the first thread.
///
/// # Errors
/// Same as [`run`].
pub fn run_recording(program: &Program, launch: &Launch) -> Result<(Outputs, Vec<Step>), ReferenceError> {
    let (outputs, run) = run_whole(program, launch, Some(Vec::new()))?;
    Ok((outputs, run.steps.unwrap_or_default()))
}

/// Runs all blocks, one after the other, and returns the final memory and the output of `printf`.
///
/// # Errors
/// Same as [`run`].
pub fn run_printing(program: &Program, launch: &Launch) -> Result<(Outputs, Vec<Printed>), ReferenceError> {
    run_whole(program, launch, None).map(|(outputs, run)| (outputs, run.printed))
}

/// Runs all blocks. `steps`: where the instructions of the first thread are recorded, if they are.
fn run_whole<'a>(
    program: &'a Program,
    launch: &'a Launch,
    steps: Option<Vec<Step>>,
) -> Result<(Outputs, Run<'a>), ReferenceError> {
    let memory = InitialMemory::new(program, launch)?;
    let mut run = Run {
        program,
        is_independent: architecture(program.arch).has_independent_threads(),
        launch,
        device: memory.device,
        bank0: memory.bank0,
        bank3: memory.bank3,
        shared: Vec::new(),
        executed: 0,
        printed: Vec::new(),
        steps,
    };
    let num_blocks = launch.grid.iter().product::<u32>();
    for block in 0..num_blocks {
        run.block(block)?;
    }
    let device = std::mem::take(&mut run.device);
    Ok((
        Outputs {
            device,
            buffers: memory.buffers,
        },
        run,
    ))
}

struct Run<'a> {
    program: &'a Program,
    /// Whether lanes of a warp diverge independently (compute capability 7.0 and later).
    is_independent: bool,
    launch: &'a Launch,
    device: DeviceMemory,
    bank0: Vec<u8>,
    bank3: Vec<u8>,
    shared: Vec<u8>,
    executed: u64,
    printed: Vec<Printed>,
    /// The instructions of the first thread, if they are recorded.
    steps: Option<Vec<Step>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Status {
    Running,
    /// Waits until all lanes of this join have arrived or left.
    AtJoin(usize),
    /// Waits until all lanes of the mask have arrived.
    AtSync(u32),
    AtBlockBarrier,
    Exited,
}

/// An entry of a lane's token stack.
#[derive(Clone, Copy)]
struct TokenEntry {
    /// `None` for a call.
    token: Option<Token>,
    target: u32,
    join: usize,
}

/// The state that a return restores.
#[derive(Clone, Copy, Debug)]
struct Frame {
    back: u32,
    barriers: [Option<usize>; 16],
    /// The number of tokens that the thread had.
    tokens: usize,
    /// The lanes that reconverge after the call.
    join: Option<usize>,
}

struct Thread {
    regs: Vec<u32>,
    preds: [bool; 8],
    pc: u32,
    status: Status,
    /// Whether the lanes of the next instruction's member mask have arrived.
    synced: bool,
    tokens: Vec<TokenEntry>,
    /// Return addresses and the callers' state: convergence barriers, and entries of the stack.
    calls: Vec<Frame>,
    barriers: [Option<usize>; 16],
    local: Vec<u8>,
}

struct Warp {
    threads: Vec<Thread>,
    /// The members of each join that have not left.
    joins: Vec<u32>,
    /// The instruction count when each lane last ran, for a fair order.
    last_run: [u64; 32],
    index: u32,
    spinning: u32,
}

impl Run<'_> {
    fn block(&mut self, block: u32) -> Result<(), ReferenceError> {
        let num_threads = self.launch.block.iter().product::<u32>();
        let shared_bytes = self.program.static_shared_bytes + self.launch.dynamic_shared;
        self.shared = vec![UNWRITTEN_BYTE; shared_bytes as usize];
        let num_warps = num_threads.div_ceil(32);
        let mut warps: Vec<Warp> = (0..num_warps)
            .map(|index| {
                let lanes = (num_threads - index * 32).min(32);
                Warp {
                    threads: (0..lanes).map(|_| Thread::new(self.program)).collect(),
                    joins: Vec::new(),
                    last_run: [0; 32],
                    index,
                    spinning: 0,
                }
            })
            .collect();
        loop {
            let mut progress = false;
            for warp in &mut warps {
                // Each warp runs a slice, so that warps that wait for each other through memory make
                // progress.
                for _ in 0..2000 {
                    if !self.step(warp, block)? {
                        break;
                    }
                    progress = true;
                }
            }
            let threads = || warps.iter().flat_map(|warp| &warp.threads);
            if threads().all(|thread| thread.status == Status::Exited) {
                return Ok(());
            }
            let waits = |thread: &Thread| matches!(thread.status, Status::AtBlockBarrier | Status::Exited);
            if threads().all(waits) {
                self.open_barrier(&mut warps);
                progress = true;
            }
            if !progress {
                return Err(ReferenceError::Deadlock(block));
            }
            if self.executed > BUDGET {
                return Err(ReferenceError::Budget(BUDGET));
            }
        }
    }

    fn open_barrier(&self, warps: &mut [Warp]) {
        let waiting = |thread: &&Thread| thread.status == Status::AtBlockBarrier;
        let mut votes = (0_u32, 0_u32);
        for thread in warps.iter().flat_map(|warp| &warp.threads).filter(waiting) {
            let i = &self.program.code[thread.pc as usize];
            let vote = thread.preds[usize::from(i.psrcs[0].pred.0)] != i.psrcs[0].negate;
            votes = (votes.0 + u32::from(vote), votes.1 + 1);
        }
        for thread in warps.iter_mut().flat_map(|warp| &mut warp.threads) {
            if thread.status != Status::AtBlockBarrier {
                continue;
            }
            let i = &self.program.code[thread.pc as usize];
            if let Op::Bar { mode, .. } = i.op {
                match mode {
                    BarMode::Sync => {}
                    BarMode::RedPopc => thread.set(i.dst, votes.0),
                    BarMode::RedAnd => thread.set_pred(i, votes.0 == votes.1),
                    BarMode::RedOr => thread.set_pred(i, votes.0 > 0),
                }
            }
            thread.status = Status::Running;
            thread.pc += 1;
        }
    }

    /// Runs one instruction of one group of lanes. Returns false if no lane of the warp can run.
    fn step(&mut self, warp: &mut Warp, block: u32) -> Result<bool, ReferenceError> {
        warp.release();
        let ready = |lane: &usize| warp.threads[*lane].status == Status::Running;
        // Selects the group that has waited longest; among equals, the one with the lowest pc.
        let Some(first) = (0..warp.threads.len())
            .filter(ready)
            .min_by_key(|lane| (warp.last_run[*lane], warp.threads[*lane].pc))
        else {
            return Ok(false);
        };
        let pc = warp.threads[first].pc;
        let depth = warp.threads[first].calls.len();
        let group = (0..warp.threads.len())
            .filter(|lane| {
                let thread = &warp.threads[*lane];
                thread.status == Status::Running && thread.pc == pc && thread.calls.len() == depth
            })
            .fold(0_u32, |set, lane| set | 1 << lane);
        let Some(instruction) = self.program.code.get(pc as usize).copied() else {
            return Err(self.illegal(
                warp,
                block,
                pc,
                group,
                "The program counter is past the last instruction of the kernel.",
            ));
        };
        self.executed += u64::from(group.count_ones());
        if block == 0 && warp.index == 0 && group & 1 == 1 {
            self.record(&warp.threads[0], &instruction, pc);
        }
        let taken = self.execute(warp, block, &instruction, pc, group)?;
        if taken {
            // After a backward branch, other groups get a turn.
            for lane in lanes_of(group) {
                warp.last_run[lane] = self.executed;
            }
            warp.count_spins();
        }
        Ok(true)
    }

    /// Executes an instruction for the lanes of `group`, which are all at `pc`. Returns true if a lane
    /// branched backward.
    fn execute(
        &mut self,
        warp: &mut Warp,
        block: u32,
        i: &Instruction,
        pc: u32,
        group: u32,
    ) -> Result<bool, ReferenceError> {
        let guard = |thread: &Thread| thread.preds[usize::from(i.guard.pred.0)] != i.guard.negate;
        let executed = lanes_of(group)
            .filter(|lane| guard(&warp.threads[*lane]))
            .fold(0, |set, lane| set | 1 << lane);
        if let Some(operand) = i.member_operand() {
            let masks: Vec<(usize, u32)> = lanes_of(executed)
                .map(|lane| (lane, self.operand(&warp.threads[lane], operand) as u32))
                .collect();
            let members = masks.iter().fold(0, |members, (_, mask)| members | mask);
            let is_synced = lanes_of(executed).all(|lane| std::mem::take(&mut warp.threads[lane].synced));
            if !is_synced && members & warp.alive() & !group != 0 {
                for (lane, mask) in masks {
                    warp.threads[lane].status = Status::AtSync(mask);
                }
                // Lanes with a false guard skip the instruction.
                for lane in lanes_of(group & !executed) {
                    warp.threads[lane].pc += 1;
                }
                return Ok(false);
            }
        }
        self.execute_op(warp, block, i, pc, group, executed)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per instruction")]
    fn execute_op(
        &mut self,
        warp: &mut Warp,
        block: u32,
        i: &Instruction,
        pc: u32,
        group: u32,
        executed: u32,
    ) -> Result<bool, ReferenceError> {
        for lane in lanes_of(group) {
            warp.threads[lane].pc = pc + 1;
        }
        let mut backward = false;
        match i.op {
            Op::Bra { target } => {
                for lane in lanes_of(executed) {
                    warp.threads[lane].pc = target.0;
                }
                backward = executed != 0 && target.0 <= pc;
            }
            Op::Exit => {
                for lane in lanes_of(executed) {
                    warp.threads[lane].status = Status::Exited;
                }
                for members in &mut warp.joins {
                    *members &= !executed;
                }
            }
            Op::Call { target } => {
                // Before compute capability 7.0, lanes that call together also continue together.
                let join = (!self.is_independent).then(|| {
                    warp.joins.push(executed);
                    warp.joins.len() - 1
                });
                for lane in lanes_of(executed) {
                    let thread = &mut warp.threads[lane];
                    if thread.calls.len() >= 4096 {
                        let message = "The call stack overflowed.".to_owned();
                        return Err(self.fault(
                            warp,
                            block,
                            pc,
                            executed,
                            FaultKind::StackOverflow,
                            0,
                            message,
                        ));
                    }
                    thread.calls.push(Frame {
                        back: pc + 1,
                        barriers: thread.barriers,
                        tokens: thread.tokens.len(),
                        join,
                    });
                    thread.barriers = [None; 16];
                    thread.pc = target.0;
                }
            }
            Op::Ret => {
                for lane in lanes_of(executed) {
                    let thread = &mut warp.threads[lane];
                    match thread.calls.pop() {
                        Some(Frame {
                            back,
                            barriers,
                            tokens,
                            join,
                        }) => {
                            thread.pc = back;
                            if let Some(join) = join {
                                thread.status = Status::AtJoin(join);
                            }
                            // No lane waits for a lane that has left the function.
                            let own = std::mem::replace(&mut thread.barriers, barriers);
                            let entries = thread.tokens.drain(tokens.min(thread.tokens.len())..);
                            let left = own.into_iter().flatten().chain(entries.map(|entry| entry.join));
                            left.for_each(|join| warp.joins[join] &= !(1 << lane));
                        }
                        None => {
                            return Err(self.illegal(warp, block, pc, executed, "A return without a call."));
                        }
                    }
                }
                backward = true;
            }
            Op::Push { token, target } => {
                warp.joins.push(executed);
                let join = warp.joins.len() - 1;
                for lane in lanes_of(executed) {
                    warp.threads[lane].tokens.push(TokenEntry {
                        token: Some(token),
                        target: target.0,
                        join,
                    });
                }
            }
            Op::Pop { token } => {
                for lane in lanes_of(executed) {
                    if !warp.pop(lane, token) {
                        let message = "A pop of a reconvergence token that was not pushed.";
                        return Err(self.illegal(warp, block, pc, executed, message));
                    }
                }
            }
            Op::Bssy { barrier, .. } => {
                warp.joins.push(executed);
                let join = warp.joins.len() - 1;
                for lane in lanes_of(executed) {
                    warp.leave_barrier(lane, barrier.0);
                    warp.threads[lane].barriers[usize::from(barrier.0)] = Some(join);
                }
            }
            Op::Bsync { barrier } => {
                for lane in lanes_of(executed) {
                    if let Some(join) = warp.threads[lane].barriers[usize::from(barrier.0)].take() {
                        warp.threads[lane].status = Status::AtJoin(join);
                    }
                }
            }
            Op::Break { barrier } => {
                for lane in lanes_of(executed) {
                    warp.leave_barrier(lane, barrier.0);
                }
            }
            Op::Bar { .. } => {
                for lane in lanes_of(executed) {
                    warp.threads[lane].status = Status::AtBlockBarrier;
                    warp.threads[lane].pc = pc;
                }
            }
            Op::Trap => {
                if executed != 0 {
                    let message = "The kernel executed a trap instruction.".to_owned();
                    return Err(self.fault(warp, block, pc, executed, FaultKind::Trap, 0, message));
                }
            }
            Op::Vprintf { wide } | Op::AssertFail { wide } => {
                self.call_library(warp, block, i, pc, executed, wide)?;
            }
            Op::Yield => backward = true,
            Op::Warpsync | Op::Nop | Op::Nanosleep | Op::Membar { .. } => {}
            Op::Ld { .. } | Op::St { .. } | Op::Atom { .. } | Op::Red { .. } => {
                for lane in lanes_of(executed) {
                    self.access(warp, block, i, pc, lane)?;
                }
            }
            Op::Ldgsts { .. } => {
                for lane in lanes_of(executed) {
                    self.copy(warp, block, i, pc, lane)?;
                }
            }
            Op::Ldsm { num, .. } | Op::Stsm { num, .. } => {
                self.move_matrices(warp, block, i, pc, (executed, num))?;
            }
            // A copy is done at once.
            Op::Ldgdepbar | Op::Depbar { .. } => {}
            Op::Mma { mma } => multiply(warp, i, mma, executed),
            Op::S2r { special } => {
                for lane in lanes_of(executed) {
                    let value = self.special(warp, block, special, lane, group);
                    warp.threads[lane].set(i.dst, value);
                }
            }
            Op::Tld { width, wide } => {
                for lane in lanes_of(executed) {
                    let thread = &warp.threads[lane];
                    let element = i64::from(self.operand(thread, &i.srcs[0]) as i32);
                    let handle = if wide {
                        self.wide_operand(thread, &i.srcs[1], false)
                    } else {
                        self.operand(thread, &i.srcs[1])
                    };
                    let mut bytes = vec![0; width.bytes() as usize];
                    let bound = self
                        .device
                        .allocations()
                        .iter()
                        .find(|memory| (memory.base..memory.base + memory.size).contains(&handle));
                    let start = i128::from(handle) + i128::from(element) * i128::from(width.bytes());
                    if let Some(memory) = bound
                        && element >= 0
                        && start + i128::from(width.bytes()) <= i128::from(memory.base + memory.size)
                    {
                        self.device.read(start as u64, &mut bytes);
                    }
                    warp.threads[lane].load(i.dst, width, &bytes);
                }
            }
            Op::Tex { shape, wide, .. } | Op::Suld { shape, wide, .. } | Op::Sust { shape, wide, .. } => {
                for lane in lanes_of(executed) {
                    let thread = &warp.threads[lane];
                    let handle = if wide {
                        self.wide_operand(thread, &i.srcs[1], false)
                    } else {
                        self.operand(thread, &i.srcs[1])
                    };
                    let source = |src: usize, word: u8, num: u8| match i.srcs[src].operand {
                        Operand::Reg(reg) if reg != RZ && word < num => {
                            thread.regs[usize::from(reg.0 + word)]
                        }
                        _ if word == 0 => self.operand(thread, &i.srcs[src]) as u32,
                        _ => 0,
                    };
                    let at = [0, 1, 2, 3].map(|word| source(0, word, shape.num_coordinates()));
                    let access = match lane_access(&self.device, i.op, handle, at) {
                        Ok(access) => access,
                        Err(fault) => {
                            let (kind, address) = (fault.kind, fault.address);
                            let lanes = 1 << lane;
                            return Err(self.fault(warp, block, pc, lanes, kind, address, fault.message));
                        }
                    };
                    if let Op::Sust { width, .. } = i.op {
                        let num = width.bytes().div_ceil(4) as u8;
                        let bytes = [0, 1, 2, 3]
                            .map(|word| source(2, word, num).to_le_bytes())
                            .concat();
                        if let Some(address) = access.addresses[0] {
                            self.device.write(address, &bytes[..width.bytes() as usize]);
                        }
                    } else {
                        for word in 0..i.op.destination_width() {
                            let value = access.words[usize::from(word)];
                            warp.threads[lane].set(i.dst.word(word), value);
                        }
                    }
                }
            }
            Op::Ldc { bank, width } => {
                for lane in lanes_of(executed) {
                    let offset = self.operand(&warp.threads[lane], &i.srcs[0]) as u32;
                    let offset = offset.wrapping_add(i.offset as u32) as usize;
                    let image = if bank == 0 { &self.bank0 } else { &self.bank3 };
                    let bytes: Vec<u8> = (0..width.bytes() as usize)
                        .map(|k| image.get(offset + k).copied().unwrap_or(0))
                        .collect();
                    warp.threads[lane].load(i.dst, width, &bytes);
                }
            }
            op if op.describe().execution == Execution::Exchange => self.exchange(warp, i, executed),
            _ => {
                for lane in lanes_of(executed) {
                    self.compute(&mut warp.threads[lane], i);
                }
            }
        }
        Ok(backward)
    }

    /// Records an instruction of the first thread, if the run is recorded.
    fn record(&mut self, thread: &Thread, i: &Instruction, pc: u32) {
        if self.steps.is_none() {
            return;
        }
        let (operands, predicates) = self.read_operands(thread, i);
        let step = Step {
            pc: Pc(pc),
            executed: thread.preds[usize::from(i.guard.pred.0)] != i.guard.negate,
            operands,
            predicates,
        };
        self.steps.iter_mut().for_each(|steps| steps.push(step));
    }

    /// The bits of the operands before their modifiers, and the predicate operands after theirs.
    fn read_operands(&self, thread: &Thread, i: &Instruction) -> ([u64; 3], [bool; 3]) {
        let description = i.op.describe();
        let operands = [0, 1, 2].map(|idx| {
            let src = &i.srcs[idx];
            if description.sources[idx] == 2 {
                self.wide_operand(thread, src, description.reading[idx].is_float())
            } else {
                self.operand(thread, src)
            }
        });
        let preds = i
            .psrcs
            .map(|src| thread.preds[usize::from(src.pred.0)] != src.negate);
        (operands, preds)
    }

    fn compute(&self, thread: &mut Thread, i: &Instruction) {
        let description = i.op.describe();
        let (operands, preds) = self.read_operands(thread, i);
        let (value, pred) = evaluate(i, operands, preds);
        match description.destination {
            0 => {}
            1 => thread.set(i.dst, value as u32),
            _ => {
                thread.set(i.dst, value as u32);
                thread.set(next(i.dst, 1), (value >> 32) as u32);
            }
        }
        if let Some(pred) = pred {
            thread.set_pred(i, pred);
        }
    }

    /// An operand's bits, without modifiers.
    fn operand(&self, thread: &Thread, src: &Src) -> u64 {
        u64::from(match src.operand {
            Operand::Reg(reg) => thread.reg(reg),
            Operand::Imm(bits) => bits,
            Operand::Const { bank, offset } => self.constant(bank, offset),
        })
    }

    fn wide_operand(&self, thread: &Thread, src: &Src, float: bool) -> u64 {
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        match src.operand {
            Operand::Reg(RZ) => 0,
            Operand::Reg(reg) => pair(thread.reg(reg), thread.reg(next(reg, 1))),
            Operand::Imm(bits) if float => pair(0, bits),
            Operand::Imm(bits) => i64::from(bits as i32) as u64,
            Operand::Const { bank, offset } => {
                pair(self.constant(bank, offset), self.constant(bank, offset + 4))
            }
        }
    }

    fn constant(&self, bank: u8, offset: u16) -> u32 {
        constant_word(
            if bank == 0 { &self.bank0 } else { &self.bank3 },
            usize::from(offset),
        )
    }

    fn exchange(&self, warp: &mut Warp, i: &Instruction, executed: u32) {
        let operands = Operands { run: self, warp, i };
        let Some((values, predicate)) = exchange::evaluate(i.op, executed, &operands) else {
            return;
        };
        for lane in lanes_of(executed) {
            let thread = &mut warp.threads[lane];
            thread.set(i.dst, values[lane]);
            thread.set_pred(i, predicate >> lane & 1 == 1);
        }
    }

    fn special(&self, warp: &Warp, block: u32, special: Special, lane: usize, group: u32) -> u32 {
        let lane32 = lane as u32;
        let thread = warp.index * 32 + lane32;
        let [bx, by, _] = self.launch.block;
        let [gx, gy, _] = self.launch.grid;
        match special {
            Special::TidX => thread % bx,
            Special::TidY => thread / bx % by,
            Special::TidZ => thread / (bx * by),
            Special::CtaidX => block % gx,
            Special::CtaidY => block / gx % gy,
            Special::CtaidZ => block / (gx * gy),
            Special::LaneId => lane32,
            Special::WarpId => warp.index,
            Special::SmId => 0,
            Special::ActiveMask => group,
            Special::LtMask => (1 << lane) - 1,
            Special::LeMask => (2_u64 << lane).wrapping_sub(1) as u32,
            Special::GtMask => !(2_u64 << lane).wrapping_sub(1) as u32,
            Special::GeMask => !((1 << lane) - 1),
            Special::EqMask => 1 << lane,
            Special::ClockLo | Special::GlobalTimerLo => self.executed as u32,
            Special::ClockHi | Special::GlobalTimerHi => (self.executed >> 32) as u32,
        }
    }

    fn access(
        &mut self,
        warp: &mut Warp,
        block: u32,
        i: &Instruction,
        pc: u32,
        lane: usize,
    ) -> Result<(), ReferenceError> {
        let thread = &warp.threads[lane];
        let (space, wide, size) = match i.op {
            Op::Ld {
                space, wide, width, ..
            }
            | Op::St {
                space, wide, width, ..
            } => (space, wide, width.bytes()),
            Op::Atom { space, wide, ty, .. } | Op::Red { space, wide, ty, .. } => {
                (space, wide, atomic::word_bytes(ty))
            }
            _ => return Ok(()),
        };
        let address = if wide {
            self.wide_operand(thread, &i.srcs[0], false)
                .wrapping_add(i64::from(i.offset) as u64)
        } else {
            u64::from((self.operand(thread, &i.srcs[0]) as u32).wrapping_add(i.offset as u32))
        };
        let at = place(space, address, self.program.pointer_bits);
        let bad = |kind| BadAccess {
            kind,
            lanes: LaneMask(1 << lane),
            address,
        };
        let outside = match at {
            Place::Global(address) => self.device.allocation_of(address, size).is_none(),
            Place::Shared(offset) => offset + u64::from(size) > self.shared.len() as u64,
            Place::Local(offset) => offset + u64::from(size) > thread.local.len() as u64,
        };
        let error = if address % u64::from(size) != 0 {
            Some(bad(FaultKind::Misaligned))
        } else if outside {
            Some(bad(FaultKind::OutOfBounds))
        } else {
            None
        };
        if let Some(error) = error {
            let message = fault_message(i, &error, space, &self.device);
            return Err(self.fault(warp, block, pc, 1 << lane, error.kind, address, message));
        }
        let old = self.read(&warp.threads[lane], at, size);
        match i.op {
            Op::Ld { width, .. } => warp.threads[lane].load(i.dst, width, &old),
            Op::St { .. } => {
                let bytes = self.store_bytes(&warp.threads[lane], &i.srcs[1], size);
                self.write(&mut warp.threads[lane], at, &bytes);
            }
            Op::Atom { op, ty, .. } | Op::Red { op, ty, .. } => {
                let number = |bytes: &[u8]| {
                    bytes
                        .iter()
                        .rev()
                        .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
                };
                let thread = &warp.threads[lane];
                let operand = number(&self.store_bytes(thread, &i.srcs[1], size));
                let swap = number(&self.store_bytes(thread, &i.srcs[2], size));
                let flush = !matches!(at, Place::Shared(_));
                let new = atomic::apply(op, ty, number(&old), operand, swap, flush);
                self.write(&mut warp.threads[lane], at, &new.to_le_bytes()[..size as usize]);
                if op == AtomOp::Cast {
                    let swapped = u32::from(number(&old) == operand);
                    warp.threads[lane].load(i.dst, Width::B32, &swapped.to_le_bytes());
                } else if matches!(i.op, Op::Atom { .. }) {
                    let width = if size == 8 {
                        Width::B64
                    } else if size == 2 {
                        Width::U16
                    } else {
                        Width::B32
                    };
                    warp.threads[lane].load(i.dst, width, &old);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Loads or stores `num` matrices of 8 by 8 halves.
    fn move_matrices(
        &mut self,
        warp: &mut Warp,
        block: u32,
        i: &Instruction,
        pc: u32,
        (executed, num): (u32, u8),
    ) -> Result<(), ReferenceError> {
        let mut words = [[0; 32]; 4];
        if let (Op::Stsm { transposed, .. }, Operand::Reg(first)) = (i.op, i.srcs[1].operand) {
            let register = |matrix| {
                let mut row = [0; 32];
                for lane in lanes_of(executed) {
                    row[lane] = warp.threads[lane].reg(next(first, matrix));
                }
                row
            };
            let registers: Vec<Row> = (0..num).map(register).collect();
            words = matrices::stored(&registers, transposed);
        }
        for lane in lanes_of(executed & matrices::row_lanes(num)) {
            let base = self.operand(&warp.threads[lane], &i.srcs[0]) as u32;
            let at = u64::from(base.wrapping_add(i.offset as u32));
            let is_outside = at + 16 > self.shared.len() as u64;
            if is_outside || at % 16 != 0 {
                let kind = if is_outside {
                    FaultKind::OutOfBounds
                } else {
                    FaultKind::Misaligned
                };
                let error = BadAccess {
                    kind,
                    lanes: LaneMask(1 << lane),
                    address: at,
                };
                let message = fault_message(i, &error, Space::Shared, &self.device);
                return Err(self.fault(warp, block, pc, 1 << lane, kind, at, message));
            }
            let (row, _) = self.shared[at as usize..][..16].as_chunks_mut::<4>();
            for (bytes, word) in row.iter_mut().zip(&mut words) {
                if matches!(i.op, Op::Stsm { .. }) {
                    *bytes = word[lane].to_le_bytes();
                } else {
                    word[lane] = u32::from_le_bytes(*bytes);
                }
            }
        }
        if let Op::Ldsm { transposed, .. } = i.op {
            for matrix in 0..num {
                let row = matrices::loaded(&words, matrix.into(), transposed);
                for lane in lanes_of(executed) {
                    warp.threads[lane].set(next(i.dst, matrix), row[lane]);
                }
            }
        }
        Ok(())
    }

    /// Copies the bytes of a lane from global to shared memory.
    fn copy(
        &mut self,
        warp: &mut Warp,
        block: u32,
        i: &Instruction,
        pc: u32,
        lane: usize,
    ) -> Result<(), ReferenceError> {
        let Op::Ldgsts {
            width,
            zero_fill,
            wide,
            ..
        } = i.op
        else {
            return Ok(());
        };
        let size = width.bytes();
        let thread = &warp.threads[lane];
        let base = if wide {
            self.wide_operand(thread, &i.srcs[0], false)
        } else {
            self.operand(thread, &i.srcs[0])
        };
        let from = base.wrapping_add(i64::from(i.offset) as u64);
        let beyond = self.operand(thread, &i.srcs[2]) as u32;
        let to = u64::from((self.operand(thread, &i.srcs[1]) as u32).wrapping_add(beyond));
        let num_zeros = if zero_fill { from % u64::from(size) } else { 0 };
        let from = from - num_zeros;
        let PredSrc { pred, negate } = i.psrcs[0];
        let reads = thread.preds[usize::from(pred.0)] != negate;
        let is_inside = |space| match space {
            Space::Global => self.device.allocation_of(from, size).is_some(),
            _ => to + u64::from(size) <= self.shared.len() as u64,
        };
        for (space, address, used) in [(Space::Global, from, reads), (Space::Shared, to, true)] {
            let kind = if !used || address % u64::from(size) == 0 && is_inside(space) {
                continue;
            } else if address % u64::from(size) == 0 {
                FaultKind::OutOfBounds
            } else {
                FaultKind::Misaligned
            };
            let error = BadAccess {
                kind,
                lanes: LaneMask(1 << lane),
                address,
            };
            let message = fault_message(i, &error, space, &self.device);
            return Err(self.fault(warp, block, pc, 1 << lane, kind, address, message));
        }
        let mut bytes = vec![0; size as usize];
        if reads {
            let num = (u64::from(size) - num_zeros) as usize;
            self.device.read(from, &mut bytes[..num]);
        }
        self.shared[to as usize..][..bytes.len()].copy_from_slice(&bytes);
        Ok(())
    }

    fn store_bytes(&self, thread: &Thread, src: &Src, size: u32) -> Vec<u8> {
        let words = size.div_ceil(4) as u8;
        let mut bytes: Vec<u8> = (0..words)
            .flat_map(|word| {
                let value = match src.operand {
                    Operand::Reg(reg) => thread.reg(next(reg, word)),
                    _ if word == 0 => self.operand(thread, src) as u32,
                    _ => (self.wide_operand(thread, src, false) >> 32) as u32,
                };
                value.to_le_bytes()
            })
            .collect();
        bytes.truncate(size as usize);
        bytes
    }

    fn read(&self, thread: &Thread, at: Place, size: u32) -> Vec<u8> {
        match at {
            Place::Global(address) => self.device.bytes(address, size).unwrap_or_default(),
            Place::Shared(offset) => self.shared[offset as usize..][..size as usize].to_vec(),
            Place::Local(offset) => thread.local[offset as usize..][..size as usize].to_vec(),
        }
    }

    fn write(&mut self, thread: &mut Thread, at: Place, bytes: &[u8]) {
        match at {
            Place::Global(address) => self.device.write(address, bytes),
            Place::Shared(offset) => self.shared[offset as usize..][..bytes.len()].copy_from_slice(bytes),
            Place::Local(offset) => thread.local[offset as usize..][..bytes.len()].copy_from_slice(bytes),
        }
    }

    fn illegal(&self, warp: &Warp, block: u32, pc: u32, lanes: u32, message: &str) -> ReferenceError {
        let kind = FaultKind::IllegalInstruction;
        self.fault(warp, block, pc, lanes, kind, 0, message.to_owned())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a fault")]
    fn fault(
        &self,
        warp: &Warp,
        block: u32,
        pc: u32,
        lanes: u32,
        kind: FaultKind,
        address: u64,
        message: String,
    ) -> ReferenceError {
        let warps_per_block = self.launch.block.iter().product::<u32>().div_ceil(32);
        ReferenceError::Fault(Box::new(Fault {
            kind,
            cycle: Cycle(0),
            pc: Pc(pc),
            warp: WarpId(block * warps_per_block + warp.index),
            lanes: LaneMask(lanes),
            address,
            message,
        }))
    }
}

impl Thread {
    fn new(program: &Program) -> Self {
        Self {
            regs: vec![0; 256],
            preds: [false, false, false, false, false, false, false, true],
            pc: 0,
            status: Status::Running,
            synced: false,
            tokens: Vec::new(),
            calls: Vec::new(),
            barriers: [None; 16],
            local: vec![0; program.local_bytes_per_thread.next_multiple_of(16) as usize],
        }
    }

    fn reg(&self, reg: Reg) -> u32 {
        if reg == RZ {
            0
        } else {
            self.regs[usize::from(reg.0)]
        }
    }

    fn set(&mut self, reg: Reg, value: u32) {
        if reg != RZ {
            self.regs[usize::from(reg.0)] = value;
        }
    }

    fn set_pred(&mut self, i: &Instruction, value: bool) {
        if i.pdst.0 < 7 {
            self.preds[usize::from(i.pdst.0)] = value;
        }
    }

    fn load(&mut self, dst: Reg, width: Width, bytes: &[u8]) {
        match width {
            Width::U8 => self.set(dst, u32::from(bytes[0])),
            Width::S8 => self.set(dst, i32::from(bytes[0] as i8) as u32),
            Width::U16 => self.set(dst, u32::from(u16::from_le_bytes([bytes[0], bytes[1]]))),
            Width::S16 => self.set(dst, i32::from(i16::from_le_bytes([bytes[0], bytes[1]])) as u32),
            Width::B32 | Width::B64 | Width::B128 => {
                for (word, chunk) in bytes.chunks_exact(4).enumerate() {
                    self.set(
                        next(dst, word as u8),
                        u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]),
                    );
                }
            }
        }
    }
}

impl Warp {
    fn alive(&self) -> u32 {
        self.lanes_that(|thread| thread.status != Status::Exited)
    }

    fn lanes_that(&self, holds: impl Fn(&Thread) -> bool) -> u32 {
        (0..self.threads.len())
            .filter(|lane| holds(&self.threads[*lane]))
            .fold(0, |set, lane| set | 1 << lane)
    }

    /// Releases lanes whose partners have all arrived.
    fn release(&mut self) {
        for lane in 0..self.threads.len() {
            let Status::AtJoin(join) = self.threads[lane].status else {
                continue;
            };
            let waiting = self.lanes_that(|thread| thread.status == Status::AtJoin(join));
            if self.joins[join] == waiting {
                self.release_join(join, waiting);
            }
        }
        // Lanes at one instruction with the same mask continue when all lanes of the mask have arrived.
        let alive = self.alive();
        for lane in 0..self.threads.len() {
            let Status::AtSync(mask) = self.threads[lane].status else {
                continue;
            };
            let here = self.lanes_that(|thread| thread.status == Status::AtSync(mask));
            if mask & alive & !here == 0 {
                for other in lanes_of(here) {
                    self.threads[other].status = Status::Running;
                    self.threads[other].synced = true;
                    self.last_run[other] = 0;
                }
            }
        }
    }

    fn release_join(&mut self, join: usize, lanes: u32) {
        for lane in lanes_of(lanes) {
            self.threads[lane].status = Status::Running;
        }
        self.joins[join] &= !lanes;
        self.spinning = 0;
    }

    /// Counts the turns of a spinning group, and finally releases the lanes that wait for it.
    fn count_spins(&mut self) {
        self.spinning += 1;
        if self.spinning < SPIN_LIMIT {
            return;
        }
        self.spinning = 0;
        for join in 0..self.joins.len() {
            let waiting = self.lanes_that(|thread| thread.status == Status::AtJoin(join));
            if waiting != 0 {
                self.release_join(join, waiting);
            }
        }
    }

    fn leave_barrier(&mut self, lane: usize, barrier: u8) {
        if let Some(join) = self.threads[lane].barriers[usize::from(barrier)].take() {
            self.joins[join] &= !(1 << lane);
        }
    }

    /// Pops a lane to the nearest token of a kind. Returns false if there is none.
    fn pop(&mut self, lane: usize, token: Token) -> bool {
        while let Some(entry) = self.threads[lane].tokens.pop() {
            if entry.token == Some(token) {
                self.threads[lane].pc = entry.target;
                self.threads[lane].status = Status::AtJoin(entry.join);
                return true;
            }
            self.joins[entry.join] &= !(1 << lane);
        }
        false
    }
}

/// Operands of an exchange. A lane that the block does not have has zeros in its registers.
struct Operands<'a> {
    run: &'a Run<'a>,
    warp: &'a Warp,
    i: &'a Instruction,
}

impl Operands<'_> {
    fn word_of(&self, src: &Src, word: u8) -> Row {
        let thread = |lane: usize| self.warp.threads.get(lane);
        std::array::from_fn(|lane| match src.operand {
            Operand::Reg(reg) => thread(lane).map_or(0, |thread| thread.reg(next(reg, word))),
            Operand::Imm(bits) => bits,
            Operand::Const { bank, offset } => self.run.constant(bank, offset + 4 * u16::from(word)),
        })
    }
}

impl exchange::Operands for Operands<'_> {
    fn word(&self, idx: usize) -> Row {
        self.word_of(&self.i.srcs[idx], 0)
    }

    fn wide(&self, idx: usize) -> WideRow {
        let [low, high] = [0, 1].map(|word| self.word_of(&self.i.srcs[idx], word));
        std::array::from_fn(|lane| u64::from(high[lane]) << 32 | u64::from(low[lane]))
    }

    fn votes(&self) -> u32 {
        let PredSrc { pred, negate } = self.i.psrcs[0];
        self.warp
            .lanes_that(|thread| thread.preds[usize::from(pred.0)] != negate)
    }

    fn members(&self) -> Row {
        self.word_of(&self.i.member_mask, 0)
    }
}

/// A matrix product: the lanes' registers, and the result in them.
fn multiply(warp: &mut Warp, i: &Instruction, mma: Mma, executed: u32) {
    let widths = i.op.source_widths();
    let words = |lane: usize, idx: usize, word: u8| match (warp.threads.get(lane), i.srcs[idx].operand) {
        (Some(thread), Operand::Reg(reg)) if word < widths[idx] && reg != RZ => thread.reg(next(reg, word)),
        _ => 0,
    };
    let a = std::array::from_fn(|lane| std::array::from_fn(|word| words(lane, 0, word as u8)));
    let b = std::array::from_fn(|lane| std::array::from_fn(|word| words(lane, 1, word as u8)));
    let c = std::array::from_fn(|lane| std::array::from_fn(|word| words(lane, 2, word as u8)));
    let result = tensor::multiply(mma, &a, &b, &c);
    for lane in lanes_of(executed) {
        for word in 0..i.op.destination_width() {
            warp.threads[lane].set(next(i.dst, word), result[lane][usize::from(word)]);
        }
    }
}

const fn next(reg: Reg, by: u8) -> Reg {
    if reg.0 == RZ.0 { RZ } else { Reg(reg.0 + by) }
}

fn lanes_of(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| set >> lane & 1 == 1)
}
