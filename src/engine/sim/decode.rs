//! Instructions as the machine wants them: what they read, write and cost, worked out once.

use super::WarpState;
use super::exec::{Run, run_of};
use super::operands::{self, Reads};
use super::pipes::{ALWAYS_FREE, NO_GROUP, QUEUE_GROUP, place_of};
use super::route::is_fetch;
use super::{pairs, scoreboards};
use crate::access::AccessOp;
use crate::arch::{Architecture, Pairing, PipeKind, PipeScope};
use crate::isa::describe::{Execution, Members};
use crate::isa::{Instruction, Program, Space};

/// How an instruction is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// In its lanes.
    Arithmetic,
    /// The same, where it reads operands out of banks of the register file that matter.
    OfBanks,
    /// LD, ST, ATOM, RED.
    Memory,
    /// LDC.
    ConstantLoad,
    /// TLD.
    TextureFetch,
    /// TEX, SULD, and SUST.
    Image,
    /// Branches, tokens, convergence.
    Control,
    /// BAR.
    Barrier,
    /// MEMBAR.
    Membar,
    /// `printf` and failed assertions.
    Library,
}

impl Kind {
    /// Whether it can issue with another of its warp in one cycle, where a scheduler has two dispatches.
    #[inline(always)]
    pub(super) const fn pairs(self) -> bool {
        matches!(
            self,
            Self::Arithmetic
                | Self::OfBanks
                | Self::Memory
                | Self::ConstantLoad
                | Self::TextureFetch
                | Self::Image
        )
    }
}

/// An instruction with its needs and costs.
#[derive(Clone, Debug)]
pub(super) struct Decoded {
    pub(super) instruction: Instruction,
    pub(super) kind: Kind,
    pub(super) pipe: PipeKind,
    /// Units of the pipe that have it.
    pub(super) units: u8,
    pub(super) occupancy: u64,
    pub(super) latency: u64,
    pub(super) fixed_latency: bool,
    /// Whether it goes through the queue of the memory input/output units.
    pub(super) queued: bool,
    /// Whether it goes through the queue of local and global accesses too.
    pub(super) local_or_global: bool,
    /// What it does with memory; [`AccessOp::Load`] where it does nothing.
    pub(super) access: AccessOp,
    /// Whether it may have to wait for lanes of its warp that are elsewhere.
    pub(super) wants_members: bool,
    need: Need,
    /// What executes it in its lanes.
    pub(super) run: Run,
    /// Registers that it reads of each bank of the register file, where that matters.
    pub(super) bank_reads: Reads,
    pub(super) reads_one_bank_twice: bool,
    /// Cycles from its issue until the next instruction of its warp can, where a compiler sees to more than one.
    pub(super) access_stall: u64,
    /// Whether the next instruction is to be issued with it, where code tells.
    pub(super) pairs: bool,
    /// Scoreboard entries of earlier loads that have the same scoreboard as it.
    pub(super) shares_with: Vec<u16>,
    /// Scoreboard entries that it reads, and then the one that nobody writes.
    reads: [[u16; READS_AT_ONCE]; 4],
    num_reads: u8,
    /// How many of these it reads itself; the others the instruction does that is issued with it.
    num_own_reads: u8,
    /// Scoreboard entries that it writes, and then the one that nobody writes.
    writes: [[u16; WRITES_AT_ONCE]; 3],
    num_writes: u8,
}

/// So many entries are looked at without asking whether there are more.
pub(super) const READS_AT_ONCE: usize = 4;
pub(super) const WRITES_AT_ONCE: usize = 2;

/// What an instruction waits for that lacks no operand; apart from the rest, as it is asked for most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    /// Its kind of pipe, or its scheduler's queue, or what is always free.
    pub(super) place: u8,
    /// Where all warps of a scheduler that have only to wait for its pipe, or for its queue, wait as one,
    /// the number of their group: the pipe or the queue is the scheduler's own, and a clock in which
    /// nothing issues for want of a port does not occur. [`NO_GROUP`] where that is not so.
    pub(super) group: u8,
    /// The state of a warp that waits for room in the queue of local and global accesses and of texture
    /// fetches, where it needs that, too.
    pub(super) far_queue: Option<WarpState>,
}

impl Need {
    /// The state of a warp that waits for its pipe or queue.
    #[inline(always)]
    pub(super) const fn stall(self) -> WarpState {
        stall_at(self.place)
    }
}

/// The state of a warp that waits for a pipe or a queue.
#[inline(always)]
pub(super) const fn stall_at(place: u8) -> WarpState {
    if place == QUEUE_GROUP {
        WarpState::MioThrottle
    } else {
        WarpState::MathPipeThrottle
    }
}

impl Decoded {
    #[inline(always)]
    pub(super) fn reads(&self) -> &[[u16; READS_AT_ONCE]] {
        &self.reads[..usize::from(self.num_reads).div_ceil(READS_AT_ONCE)]
    }

    /// Has it wait for entries that the instruction reads that is issued with it, too. Returns whether there is room for them.
    pub(super) fn also_reads(&mut self, entries: impl Iterator<Item = u16>) -> bool {
        let mut own = self.reads.as_flattened().to_vec();
        own.truncate(self.num_reads.into());
        for entry in entries {
            if !own.contains(&entry) {
                own.push(entry);
            }
        }
        let all = self.reads.as_flattened_mut();
        let has_room = own.len() <= all.len();
        if has_room {
            all[..own.len()].copy_from_slice(&own);
            self.num_reads = own.len() as u8;
        }
        has_room
    }

    /// Whether it waits for an entry only for the sake of the instruction that is issued with it.
    pub(super) fn waits_for_second(&self, entry: u16) -> bool {
        let own = &self.reads.as_flattened()[..usize::from(self.num_own_reads)];
        !own.contains(&entry) && !self.writes().contains(&entry)
    }

    #[inline(always)]
    pub(super) fn writes(&self) -> &[u16] {
        &self.writes.as_flattened()[..usize::from(self.num_writes)]
    }

    /// As [`Decoded::writes`], filled up with the entry that nobody writes.
    #[inline(always)]
    pub(super) fn overwrites(&self) -> &[[u16; WRITES_AT_ONCE]] {
        &self.writes[..usize::from(self.num_writes).div_ceil(WRITES_AT_ONCE)]
    }
}

/// Pipes between which a result takes longer than within one.
const LANES: [PipeKind; 2] = [PipeKind::Fp32, PipeKind::Int32];

impl Decoded {
    /// Whether the first instruction after it that reads its result runs on other lanes. Whoever reads it
    /// later comes a clock later in any case. What is beyond a branch is not looked at, as the compiler
    /// which counts these clocks does not know it.
    fn goes_to_other_lanes(&self, rest: &[Self]) -> bool {
        if !self.fixed_latency || !LANES.contains(&self.pipe) {
            return false;
        }
        for next in rest {
            if next.kind == Kind::Control {
                return false;
            }
            let mut reads = next.reads().as_flattened().iter();
            if reads.any(|entry| self.writes().contains(entry)) {
                return next.pipe != self.pipe && LANES.contains(&next.pipe);
            }
            if self.writes().iter().all(|entry| next.writes().contains(entry)) {
                return false;
            }
        }
        false
    }
}

/// A program as an architecture runs it.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) instructions: Vec<Decoded>,
    needs: Vec<Need>,
    /// Registers a thread that are kept.
    pub(super) num_registers: usize,
}

/// Why a program does not run on an architecture: the first instruction that it does not have.
pub(super) struct Illegal {
    pub(super) pc: usize,
}

impl Code {
    pub(super) fn new(program: &Program, arch: &Architecture) -> Result<Self, Illegal> {
        let num_registers = program.code.iter().map(highest_register).max().unwrap_or(0);
        let mut instructions: Vec<Decoded> = program
            .code
            .iter()
            .enumerate()
            .map(|(pc, instruction)| decode(instruction, arch, num_registers).ok_or(Illegal { pc }))
            .collect::<Result<_, _>>()?;
        let change = u64::from(arch.issue.lanes_change_cycles.value);
        if change > 0 {
            for pc in 0..instructions.len() {
                let (until, rest) = instructions.split_at_mut(pc + 1);
                if until[pc].goes_to_other_lanes(rest) {
                    until[pc].latency += change;
                }
            }
        }
        scoreboards::note(&mut instructions, &arch.issue);
        if arch.issue.pairing.value == Pairing::Compiler {
            pairs::note(&mut instructions);
        }
        operands::note_reads(&mut instructions, usize::from(arch.issue.register_banks.value));
        Ok(Self {
            needs: instructions.iter().map(|decoded| decoded.need).collect(),
            instructions,
            num_registers,
        })
    }

    #[inline(always)]
    pub(super) fn need(&self, pc: u32) -> Need {
        self.needs[pc as usize]
    }
}

/// Whether each instruction, and the end, is one that others jump to.
pub(super) fn block_starts<'a>(code: impl ExactSizeIterator<Item = &'a Instruction>) -> Vec<bool> {
    let mut starts_block = vec![false; code.len() + 1];
    for target in code.filter_map(|instruction| instruction.op.target()) {
        if let Some(starts) = starts_block.get_mut(target.0 as usize) {
            *starts = true;
        }
    }
    starts_block
}

fn highest_register(instruction: &Instruction) -> usize {
    let ranges = instruction.sources().chain(instruction.destination());
    ranges
        .map(|range| usize::from(range.first.0) + usize::from(range.num))
        .max()
        .unwrap_or(0)
}

fn decode(instruction: &Instruction, arch: &Architecture, num_registers: usize) -> Option<Decoded> {
    let description = instruction.op.describe();
    let cost = arch.cost(instruction.class())?;
    let kind = match description.execution {
        Execution::Lanes | Execution::Exchange | Execution::Matrix => Kind::Arithmetic,
        Execution::Memory => Kind::Memory,
        Execution::ConstantLoad => Kind::ConstantLoad,
        Execution::TextureFetch => Kind::TextureFetch,
        Execution::Image => Kind::Image,
        Execution::Barrier => Kind::Barrier,
        Execution::Membar => Kind::Membar,
        Execution::Library => Kind::Library,
        Execution::Control => Kind::Control,
    };
    let pred_at = |pred: u8| num_registers as u16 + u16::from(pred);
    let nobody = pred_at(7);
    let mut reads = [nobody; 16];
    let mut num_reads = 0;
    let registers = instruction
        .sources()
        .flat_map(super::super::isa::info::RegRange::regs)
        .map(|reg| u16::from(reg.0));
    let predicates = instruction.predicate_sources().map(|pred| pred_at(pred.0));
    // WARPSYNC, NANOSLEEP and stores have their registers among the sources too.
    for entry in registers.chain(predicates) {
        if num_reads < reads.len() {
            reads[num_reads] = entry;
            num_reads += 1;
        }
    }
    let mut writes = [nobody; 6];
    let mut num_writes = 0;
    let registers = instruction
        .destination()
        .into_iter()
        .flat_map(|range| range.regs().map(|reg| u16::from(reg.0)));
    let predicate = instruction.predicate_destination().map(|pred| pred_at(pred.0));
    for entry in registers.chain(predicate) {
        writes[num_writes] = entry;
        num_writes += 1;
    }
    let queued = match cost.pipe {
        PipeKind::Lsu | PipeKind::Adu => true,
        // Before Volta the special function units take instructions as the other pipes do.
        PipeKind::Xu => arch.has_independent_threads() && !cost.fixed_latency,
        _ => false,
    };
    let local_or_global = matches!(
        instruction.op.space(),
        Some(Space::Global | Space::Local | Space::Generic)
    );
    let is_fetch = arch.memory.texture.is_some() && is_fetch(instruction.op, Space::Global);
    let queued = queued && kind != Kind::Barrier;
    let own_pipe = arch
        .pipes
        .iter()
        .any(|pipe| pipe.kind == cost.pipe && pipe.scope == PipeScope::Scheduler);
    let place = if queued {
        QUEUE_GROUP
    } else if kind == Kind::Barrier {
        ALWAYS_FREE
    } else {
        place_of(arch, cost)
    };
    let waits_as_one = if queued {
        // The queue to local and global memory, which they wait for, too, is all schedulers'.
        !local_or_global
    } else {
        own_pipe && kind != Kind::Barrier
    };
    let need = Need {
        place,
        group: if waits_as_one && arch.issue.issue_interval_cycles.value <= 1 {
            place
        } else {
            NO_GROUP
        },
        far_queue: (queued && local_or_global).then_some(if is_fetch {
            WarpState::TexThrottle
        } else {
            WarpState::LgThrottle
        }),
    };
    Some(Decoded {
        instruction: *instruction,
        kind,
        pipe: cost.pipe,
        units: cost.units.map_or(u8::MAX, |units| units.value),
        occupancy: u64::from(cost.occupancy_cycles.value),
        latency: u64::from(cost.latency_cycles.value),
        fixed_latency: cost.fixed_latency,
        queued,
        local_or_global,
        access: description.access.unwrap_or(AccessOp::Load),
        wants_members: description.members != Members::Active,
        need,
        run: run_of(instruction),
        bank_reads: Reads::default(),
        reads_one_bank_twice: false,
        access_stall: 1,
        pairs: false,
        shares_with: Vec::new(),
        reads: std::array::from_fn(|idx| std::array::from_fn(|at| reads[idx * READS_AT_ONCE + at])),
        num_reads: num_reads as u8,
        num_own_reads: num_reads as u8,
        writes: std::array::from_fn(|idx| std::array::from_fn(|at| writes[idx * WRITES_AT_ONCE + at])),
        num_writes: num_writes as u8,
    })
}
