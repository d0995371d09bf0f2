//! Decoded instructions: operands, results, and costs, computed once per program.

use super::WarpState;
use super::exec::{Run, run_of};
use super::livelock::yield_points;
use super::operands::{self, Reads};
use super::pipes::{ALWAYS_FREE, NO_GROUP, QUEUE_GROUP, place_of};
use super::route::is_fetch;
use super::{pairs, products, scoreboards};
use crate::access::AccessOp;
use crate::arch::{Architecture, Pairing, PipeKind, PipeScope, Yields};
use crate::isa::describe::{Execution, Members};
use crate::isa::{Instruction, Op, Program, Space};

/// The class of an instruction's execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Arithmetic in the lanes.
    Arithmetic,
    /// Arithmetic whose source registers can conflict in register banks.
    BankedArithmetic,
    /// LD, ST, ATOM, RED.
    Memory,
    /// LDGSTS.
    Copy,
    /// LDGDEPBAR and DEPBAR.
    CopyGroup,
    /// LDC.
    ConstantLoad,
    /// TLD.
    TextureFetch,
    /// TEX, SULD, and SUST.
    Image,
    /// Branches, tokens, and convergence.
    Control,
    /// BAR.
    Barrier,
    /// MEMBAR.
    Membar,
    /// `printf` and failed assertions.
    Library,
}

impl Kind {
    /// Whether it can dual-issue with another instruction of its warp, where a scheduler has two dispatch
    /// units.
    #[inline(always)]
    pub(super) const fn pairs(self) -> bool {
        matches!(
            self,
            Self::Arithmetic
                | Self::BankedArithmetic
                | Self::Memory
                | Self::ConstantLoad
                | Self::TextureFetch
                | Self::Image
        )
    }
}

/// An instruction with its operands and costs.
#[derive(Clone, Debug)]
pub(super) struct Decoded {
    pub(super) instruction: Instruction,
    pub(super) kind: Kind,
    pub(super) pipe: PipeKind,
    /// The number of units of the pipe that execute it.
    pub(super) units: u8,
    pub(super) occupancy: u64,
    pub(super) latency: u64,
    pub(super) fixed_latency: bool,
    /// Cycles for which the scheduler stays with the warp; 0: other warps can issue in the next cycle.
    pub(super) stays: u64,
    /// Whether it goes through the memory input/output queue.
    pub(super) queued: bool,
    /// Whether it also goes through the queue of local and global accesses.
    pub(super) local_or_global: bool,
    /// What it does with memory; [`AccessOp::Load`] where it does nothing.
    pub(super) access: AccessOp,
    /// Whether it may have to wait for lanes of its warp that are elsewhere.
    pub(super) has_member_mask: bool,
    need: Need,
    /// The function that executes it in its lanes.
    pub(super) run: Run,
    /// Reads per register bank, where bank conflicts matter.
    pub(super) bank_reads: Reads,
    pub(super) reads_one_bank_twice: bool,
    /// Cycles from its issue to the next issue of its warp, where the compiler sets a stall count above one.
    pub(super) access_stall: u64,
    /// Whether the code marks the next instruction for dual issue with this one.
    pub(super) pairs: bool,
    /// Scoreboard entries of earlier loads that share its scoreboard.
    pub(super) shares_with: Vec<u16>,
    /// Scoreboard entries that it reads, padded with the entry that no instruction writes.
    reads: [[u16; READS_PER_BATCH]; 4],
    num_reads: u8,
    /// The number of entries in `reads` that it reads itself; its dual-issue partner reads the others.
    num_own_reads: u8,
    /// Scoreboard entries that it writes, padded with the entry that no instruction writes.
    writes: [[u16; WRITES_PER_BATCH]; 3],
    num_writes: u8,
}

/// Entries are checked in batches of this size, without a check of the count.
pub(super) const READS_PER_BATCH: usize = 4;
pub(super) const WRITES_PER_BATCH: usize = 2;

/// The resources of an instruction whose operands are ready. They are in a struct of their own because they
/// are accessed most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    /// The kind of pipe, the scheduler's queue, or the resource that is always free.
    pub(super) place: u8,
    /// The group of warps of a scheduler that wait for the same pipe or queue. The pipe or queue must be the
    /// scheduler's own, and no clock may pass in which a busy issue port prevents an issue. Otherwise
    /// [`NO_GROUP`].
    pub(super) group: u8,
    /// The stall state for a full queue of local and global accesses or of texture fetches, if the
    /// instruction needs that queue too.
    pub(super) far_queue: Option<WarpState>,
}

impl Need {
    /// The stall state of a warp that waits for its pipe or queue.
    #[inline(always)]
    pub(super) const fn stall(self) -> WarpState {
        stall_at(self.place)
    }
}

/// The stall state of a warp that waits for a pipe or a queue.
#[inline(always)]
pub(super) const fn stall_at(place: u8) -> WarpState {
    if place == QUEUE_GROUP {
        WarpState::MioThrottle
    } else {
        WarpState::MathPipeThrottle
    }
}

impl Decoded {
    /// Whether an issue with idle lanes can cost nothing on a machine without divergence: arithmetic and branches can.
    pub(super) fn can_be_spared(&self) -> bool {
        let is_arithmetic = matches!(self.kind, Kind::Arithmetic | Kind::BankedArithmetic);
        let is_branch = matches!(
            self.instruction.op,
            Op::Bra { .. }
                | Op::Push { .. }
                | Op::Pop { .. }
                | Op::Bssy { .. }
                | Op::Bsync { .. }
                | Op::Break { .. }
        );
        is_branch || is_arithmetic && !self.has_member_mask && !self.is_fixed_product()
    }

    /// The lanes that an issue keeps busy. The guard of a branch selects where its lanes go: lanes with a false guard are not
    /// idle.
    pub(super) const fn busy_lanes(&self, active: u32, executed: u32) -> u32 {
        match self.kind {
            Kind::Control => active,
            _ => executed,
        }
    }

    /// Whether this is a matrix product of a fixed latency.
    pub(super) fn is_fixed_product(&self) -> bool {
        self.pipe == PipeKind::Tensor && self.fixed_latency
    }

    #[inline(always)]
    pub(super) fn reads(&self) -> &[[u16; READS_PER_BATCH]] {
        &self.reads[..usize::from(self.num_reads).div_ceil(READS_PER_BATCH)]
    }

    /// Adds the entries that its dual-issue partner reads. Returns whether there is room for them.
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

    /// Whether it waits for an entry only because its dual-issue partner reads the entry.
    pub(super) fn waits_for_second(&self, entry: u16) -> bool {
        let own = &self.reads.as_flattened()[..usize::from(self.num_own_reads)];
        !own.contains(&entry) && !self.writes().contains(&entry)
    }

    #[inline(always)]
    pub(super) fn writes(&self) -> &[u16] {
        &self.writes.as_flattened()[..usize::from(self.num_writes)]
    }

    /// [`Decoded::writes`], padded with the entry that no instruction writes.
    #[inline(always)]
    pub(super) fn overwrites(&self) -> &[[u16; WRITES_PER_BATCH]] {
        &self.writes[..usize::from(self.num_writes).div_ceil(WRITES_PER_BATCH)]
    }
}

/// Pipes between which a result takes longer than within one pipe.
const LANES: [PipeKind; 2] = [PipeKind::Fp32, PipeKind::Int32];

impl Decoded {
    /// Whether the first following instruction that reads its result runs on other lanes. Later readers are a
    /// clock later in any case. Code beyond a branch is ignored, because the compiler that sets these stall
    /// counts does not know it.
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
    /// Registers per thread that the machine holds.
    pub(super) num_registers: usize,
    /// Whether it has matrix products of a fixed latency. A branch then takes effect once the products of its warp are
    /// ready: the compiler, which sets the stall counts, does not know the code beyond the branch (code of nvcc 13 for
    /// 9.0, and `hmma.csv` of an H100).
    pub(super) has_fixed_products: bool,
    /// The numbers of newest groups of copies that its DEPBAR instructions leave in flight: 0 to this number, excluded.
    pub(super) num_copy_waits: usize,
    /// The instructions with a YIELD before them, and what it costs; none where no loop waits for other threads.
    pub(super) yields: Option<(Vec<bool>, Yields)>,
}

/// The first instruction of a program that an architecture does not support.
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
        products::note_stays(&mut instructions);
        operands::note_reads(&mut instructions, usize::from(arch.issue.register_banks.value));
        Ok(Self {
            needs: instructions.iter().map(|decoded| decoded.need).collect(),
            has_fixed_products: instructions.iter().any(Decoded::is_fixed_product),
            yields: arch.yields().and_then(|yields| {
                let points = yield_points(&program.code);
                points.contains(&true).then_some((points, yields))
            }),
            instructions,
            num_registers,
            num_copy_waits: program
                .code
                .iter()
                .filter_map(copies_left)
                .max()
                .map_or(0, |left| left + 1),
        })
    }

    /// Lets every warp wait for units by itself: on a machine without divergence, warps with the same next instruction differ.
    pub(super) fn wait_alone(&mut self) {
        let needs = self.needs.iter_mut();
        for need in needs.chain(self.instructions.iter_mut().map(|decoded| &mut decoded.need)) {
            need.group = NO_GROUP;
        }
    }

    /// Lets every result of a fixed latency be ready in the cycle after its instruction starts.
    pub(super) fn remove_latencies(&mut self) {
        for decoded in &mut self.instructions {
            if decoded.fixed_latency && matches!(decoded.kind, Kind::Arithmetic | Kind::BankedArithmetic) {
                decoded.latency = decoded.latency.min(1);
            }
        }
    }

    /// Whether there is a YIELD in the loop from `head` to a branch back to it.
    #[inline(always)]
    pub(super) fn yields_within(&self, head: u32, branch: u32) -> bool {
        self.yields.as_ref().is_some_and(|(points, _)| {
            let body = points.get(head as usize..=branch as usize);
            body.is_some_and(|body| body.contains(&true))
        })
    }

    /// What the YIELD before an instruction costs, where there is one.
    #[inline(always)]
    pub(super) fn yield_before(&self, pc: u32) -> Option<&Yields> {
        let (points, yields) = self.yields.as_ref()?;
        points.get(pc as usize)?.then_some(yields)
    }

    /// Cycles for which a scheduler stays with a warp that issues at `pc`.
    #[inline(always)]
    pub(super) fn stays(&self, pc: u32) -> u64 {
        if self.has_fixed_products {
            self.instructions
                .get(pc as usize)
                .map_or(0, |decoded| decoded.stays)
        } else {
            0
        }
    }

    /// Whether it has matrix products of a fixed latency.
    #[inline(always)]
    pub(super) const fn has_fixed_products(&self) -> bool {
        self.has_fixed_products
    }

    #[inline(always)]
    pub(super) fn need(&self, pc: u32) -> Need {
        self.needs[pc as usize]
    }
}

/// The scoreboard entry of the groups of copies without the newest `left`, behind the registers and predicates.
pub(super) const fn copies_entry(num_registers: usize, left: usize) -> usize {
    num_registers + NUM_PREDICATES + left
}

/// Scoreboard entries of predicates; the last one is the entry that no instruction writes.
pub(super) const NUM_PREDICATES: usize = 8;

/// Whether each instruction, and the end of the code, is a branch target.
pub(super) fn block_starts<'a>(code: impl ExactSizeIterator<Item = &'a Instruction>) -> Vec<bool> {
    let mut starts_block = vec![false; code.len() + 1];
    for target in code.filter_map(|instruction| instruction.op.target()) {
        if let Some(starts) = starts_block.get_mut(target.0 as usize) {
            *starts = true;
        }
    }
    starts_block
}

/// The number of groups of copies that a DEPBAR leaves in flight.
const fn copies_left(instruction: &Instruction) -> Option<usize> {
    match instruction.op {
        Op::Depbar { left } => Some(left as usize),
        _ => None,
    }
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
        Execution::Memory if matches!(instruction.op, Op::Ldgsts { .. }) => Kind::Copy,
        Execution::Memory => Kind::Memory,
        Execution::CopyGroup => Kind::CopyGroup,
        Execution::ConstantLoad => Kind::ConstantLoad,
        Execution::TextureFetch => Kind::TextureFetch,
        Execution::Image => Kind::Image,
        Execution::Barrier => Kind::Barrier,
        Execution::Membar => Kind::Membar,
        Execution::Library => Kind::Library,
        Execution::Control => Kind::Control,
    };
    let pred_at = |pred: u8| num_registers as u16 + u16::from(pred);
    let unused = pred_at(7);
    let mut reads = [unused; 16];
    let mut num_reads = 0;
    let registers = instruction
        .sources()
        .flat_map(super::super::isa::info::RegRange::regs)
        .map(|reg| u16::from(reg.0));
    let predicates = instruction.predicate_sources().map(|pred| pred_at(pred.0));
    // WARPSYNC, NANOSLEEP, and stores also have their registers among the sources.
    for entry in registers.chain(predicates) {
        if num_reads < reads.len() {
            reads[num_reads] = entry;
            num_reads += 1;
        }
    }
    if let Some(left) = copies_left(instruction) {
        reads[num_reads] = copies_entry(num_registers, left) as u16;
        num_reads += 1;
    }
    let mut writes = [unused; 6];
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
        // Before Volta, the special-function units accept instructions as the other pipes do.
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
        // All schedulers share the queue of local and global memory, for which these instructions also wait.
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
        stays: 0,
        queued,
        local_or_global,
        access: description.access.unwrap_or(AccessOp::Load),
        has_member_mask: description.members != Members::Active,
        need,
        run: run_of(instruction),
        bank_reads: Reads::default(),
        reads_one_bank_twice: false,
        access_stall: 1,
        pairs: false,
        shares_with: Vec::new(),
        reads: std::array::from_fn(|idx| std::array::from_fn(|at| reads[idx * READS_PER_BATCH + at])),
        num_reads: num_reads as u8,
        num_own_reads: num_reads as u8,
        writes: std::array::from_fn(|idx| std::array::from_fn(|at| writes[idx * WRITES_PER_BATCH + at])),
        num_writes: num_writes as u8,
    })
}
