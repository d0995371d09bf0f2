//! One SM, simulated cycle by cycle. A warp is examined when its state may have changed, and each scheduler
//! issues from its eligible warps. An instruction takes effect when it issues; the cycle in which its result
//! is ready is known at the same time.
//!
//! Not modeled: instruction fetch (a warp never stalls on a fetch) and cache misses of constants that are
//! operands of arithmetic.

mod apart;
mod blocks;
mod image;
mod library;
pub(in crate::sim) mod lsu_slot;
mod ready_set;
mod wheel;

use std::collections::VecDeque;
use std::sync::Arc;

use self::ready_set::ReadySet;
use super::block_scheduler::BlockScheduler;
use super::cache::Cache;
use super::codec::coded;
use super::decode::{Code, Decoded, Kind, Need};
use super::divergence::{ControlError, Effect};
use super::dram::FarMemory;
use super::exec::{Context, exchange};
use super::lsu::Lsu;
use super::lsu::copies::Landing;
use super::lsu_arbiter::LsuArbiter;
use super::memory::DeviceMemory;
use super::observer::Executor;
use super::pipes::{Origin, Pipes, Queue};
use super::scheduler::Scheduler;
use super::view::{InFlight, QueueEntry, RequestView, StackEntryKind};
use super::warp::{Pending, Warp};
use super::{Fault, FaultKind, Issue, MachineOptions, Removed, SchedulerPolicy, Sink, WarpState};
use crate::arch::{Architecture, Pairing, PipeKind};
use crate::files;
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx};
use crate::isa::{Op, RZ};

/// The time of an event that never happens by itself.
pub(super) const NEVER: u64 = u64::MAX;

/// The maximum over all architectures. An index into an array of this size needs no bounds check.
pub(super) const MAX_SCHEDULERS: usize = 4;
pub(super) const MAX_SLOTS: usize = 64;

/// Limit of instructions without cost that a warp issues in a cycle on a machine without divergence. Assumption: at most 31 of
/// 32 instructions cost nothing, and a loop without end must not hold the cycle.
const MAX_SPARED: u32 = 32;

/// The state that does not change during a run. Copies of a machine share it.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) arch: &'static Architecture,
    /// The index of the SM on its device.
    pub(super) sm: u16,
    pub(super) code: Arc<Code>,
    /// The program's source, for line numbers in messages.
    pub(super) source: Arc<str>,
    pub(super) options: MachineOptions,
    /// The resolved policy: the architecture's own, or the chosen one.
    pub(super) policy: SchedulerPolicy,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) bank0: Arc<[u8]>,
    pub(super) bank3: Arc<[u8]>,
    pub(super) shared_bytes: u32,
    pub(super) local_bytes: u32,
    pub(super) pointer_bits: u32,
    /// Cycles from the end of a block to the start of the next ones on its SM. 0: alone, an SM starts them at once.
    pub(super) refill_cycles: u64,
    /// Whether livelock detection is on.
    pub(super) may_spin: bool,
    pub(super) warps_per_block: u32,
    pub(super) independent: bool,
    pub(super) issue_interval: u64,
    pub(super) num_schedulers: usize,
    /// Whether the scheduler that issues first rotates each cycle, because schedulers share arithmetic lanes.
    pub(super) takes_turns: bool,
}

impl Setup {
    /// The source line of an instruction in words, if it has one.
    pub(super) fn line_text(&self, pc: Pc) -> Option<String> {
        let decoded = self.code.instructions.get(pc.0 as usize);
        let line = decoded.map_or(0, |decoded| decoded.instruction.span.line);
        (line > 0).then(|| files::line_text(&self.source, line))
    }

    /// A slot's place among the slots of all SMs.
    pub(super) const fn slot_on_device(&self, slot: usize) -> SlotIdx {
        SlotIdx(self.sm * MAX_SLOTS as u16 + slot as u16)
    }
}

/// The scheduler that issues first where schedulers share arithmetic lanes: the next scheduler in each cycle,
/// and the scheduler after the one that last dual-issued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    of: u8,
    from: u64,
}

coded!(Turn { of, from });

impl Turn {
    fn at(self, now: u64, setup: &Setup) -> usize {
        let passed = now.saturating_sub(self.from) / setup.issue_interval;
        (usize::from(self.of) + passed as usize) % setup.num_schedulers
    }
}

/// The SM.
#[derive(Clone, Debug)]
pub(super) struct Sm {
    pub(super) warps: Vec<Warp>,
    /// The pc plus one of each slot whose next instruction lacks only a free unit; 0 for other slots.
    prepared: [u32; MAX_SLOTS],
    /// The state and pc that were last reported for each slot individually.
    last_reported: [(WarpState, u32); MAX_SLOTS],
    pub(super) schedulers: [Scheduler; MAX_SCHEDULERS],
    ready_sets: [ReadySet; MAX_SCHEDULERS],
    /// The next cycle in which each scheduler has work.
    wake: [u64; MAX_SCHEDULERS],
    /// The scheduler that issues first.
    pub(super) turn: Turn,
    pub(super) pipes: Pipes,
    pub(super) mio: [Queue; MAX_SCHEDULERS],
    pub(super) lg: Queue,
    /// The arbiter of the load/store units, where the sharing between schedulers was measured.
    pub(super) lsu_arbiter: Option<Box<LsuArbiter>>,
    pub(super) lsu: Lsu,
    pub(super) device: DeviceMemory,
    pub(super) blocks: BlockScheduler,
    /// The cycle in which the SM takes further blocks of its device's grid.
    pub(super) refill_at: u64,
    pub(super) fault: Option<Fault>,
    /// Copies that have not landed in shared memory, by the cycle of their landing.
    pub(super) landings: Vec<Landing>,
    /// The number of accesses reported.
    pub(super) num_accesses: u32,
    /// Memory requests in flight, for the views.
    pub(super) requests: VecDeque<RequestView>,
}

/// The result of examining a warp: its stall state, and the earliest cycle in which the stall can end. The
/// struct is small enough to be returned in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Verdict {
    state: WarpState,
    until: u64,
}

impl Verdict {
    /// The warp can issue.
    const READY: Self = Self::stalled(WarpState::Selected, 0);
    /// The slot holds no warp, or its warp has finished.
    const GONE: Self = Self::stalled(WarpState::Empty, 0);

    const fn stalled(state: WarpState, until: u64) -> Self {
        Self { state, until }
    }
}

impl Sm {
    pub(super) fn new(
        setup: &Setup,
        resident_limit: u32,
        num_blocks: u32,
        device: DeviceMemory,
        l1: Option<Cache>,
        far: FarMemory,
    ) -> Self {
        let arch = setup.arch;
        let num_slots = usize::from(arch.occupancy.max_warps_per_sm.value);
        debug_assert!(
            num_slots <= MAX_SLOTS && setup.num_schedulers <= MAX_SCHEDULERS,
            "an architecture exceeds the maximum"
        );
        let queues = &arch.memory.queues;
        Self {
            warps: (0..num_slots).map(|_| Warp::empty(setup.independent)).collect(),
            prepared: [0; MAX_SLOTS],
            last_reported: [(WarpState::Empty, 0); MAX_SLOTS],
            schedulers: std::array::from_fn(|_| Scheduler::default()),
            ready_sets: std::array::from_fn(|_| ReadySet::new(num_slots.div_ceil(setup.num_schedulers))),
            wake: std::array::from_fn(|scheduler| {
                if scheduler < setup.num_schedulers {
                    0
                } else {
                    NEVER
                }
            }),
            turn: Turn { of: 0, from: 0 },
            pipes: Pipes::new(arch),
            mio: std::array::from_fn(|_| Queue::new(queues.mio_entries.value)),
            lg: Queue::new(queues.lg_entries.value),
            lsu_arbiter: LsuArbiter::of(arch).map(Box::new),
            lsu: Lsu::new(setup, l1, far),
            device,
            blocks: BlockScheduler::new(num_blocks, resident_limit, num_slots),
            refill_at: NEVER,
            fault: None,
            landings: Vec::new(),
            num_accesses: 0,
            requests: VecDeque::new(),
        }
    }

    /// The next cycle in which the SM has work; [`NEVER`] if nothing can happen any more.
    pub(super) fn next_event(&self) -> u64 {
        let landing = self.landings.first().map_or(NEVER, Landing::at);
        self.wake
            .iter()
            .copied()
            .fold(self.refill_at.min(landing), u64::min)
    }

    /// Simulates one cycle.
    pub(super) fn tick<S: Sink>(&mut self, setup: &Setup, now: u64, sink: &mut S) {
        self.land_copies(now);
        if self.refill_at <= now {
            self.refill_at = NEVER;
            self.start_blocks(setup, now, sink);
        }
        self.advance_lsu(setup, now, sink);
        let first = if setup.takes_turns {
            self.turn.at(now, setup)
        } else {
            0
        };
        for turn in first..first + setup.num_schedulers {
            let scheduler = if turn < setup.num_schedulers {
                turn
            } else {
                turn - setup.num_schedulers
            };
            if self.wake[scheduler % MAX_SCHEDULERS] <= now {
                self.tick_scheduler(setup, scheduler, now, sink);
                if self.fault.is_some() {
                    return;
                }
            }
        }
        self.advance_lsu(setup, now + 1, sink);
    }

    /// Issues from the selected warp, twice where the scheduler can dual-issue.
    fn issue_from<S: Sink>(&mut self, setup: &Setup, scheduler: usize, picked: u32, now: u64, sink: &mut S) {
        let slot = picked as usize * setup.num_schedulers + scheduler;
        let state = &mut self.schedulers[scheduler % MAX_SCHEDULERS];
        let stays = setup.code.stays(self.warps[slot].lanes.pc);
        state.port_free = now + stays.max(setup.issue_interval);
        state.last = Some(picked);
        state.stays = stays > 0;
        state.issued_at = now;
        state.issued.clear();
        // Another scheduler may have taken a shared unit since the warp was examined.
        let first = self.warps[slot].lanes.pc;
        let is_without_divergence = setup.options.without.lacks(Removed::Divergence);
        let is_first_spared = is_next_spared(
            setup,
            &mut self.warps[slot],
            &setup.code.instructions[first as usize],
        );
        self.issue(setup, slot, scheduler, 0, now, sink);
        if S::SUPPORTS_GROUPS {
            self.last_reported[slot % MAX_SLOTS] = (WarpState::Selected, first);
        } else {
            self.report_at(sink, now, slot, WarpState::Selected, first);
        }
        if is_without_divergence {
            self.issue_spared(setup, slot, scheduler, is_first_spared, now, sink);
            return;
        }
        let first = &setup.code.instructions[first as usize];
        for dispatch in 1..setup.arch.issue.dispatches.value {
            let warp = &self.warps[slot];
            let goes_on = self.fault.is_none() && !warp.exited && warp.lanes.active != 0;
            let Some(second) = setup.code.instructions.get(warp.lanes.pc as usize) else {
                return;
            };
            let fits = match setup.arch.issue.pairing.value {
                Pairing::None => false,
                // Two memory instructions never issue as a pair.
                Pairing::Scheduler => {
                    first.kind.pairs() && second.kind.pairs() && !(first.queued && second.queued)
                }
                Pairing::Compiler => first.pairs,
            };
            if !goes_on || !fits || self.examine(setup, slot, scheduler, now, sink) != Verdict::READY {
                return;
            }
            self.turn = Turn {
                of: scheduler as u8 + 1,
                from: now + setup.issue_interval,
            };
            self.issue(setup, slot, scheduler, dispatch as u8, now, sink);
        }
    }

    /// On a machine without divergence: issues the next instructions of a warp that cost nothing, and, if `has_slot`, because
    /// none of the cycle has cost anything, the next one that does.
    #[cold]
    fn issue_spared<S: Sink>(
        &mut self,
        setup: &Setup,
        slot: usize,
        scheduler: usize,
        has_slot: bool,
        now: u64,
        sink: &mut S,
    ) {
        let mut has_slot = has_slot;
        for _ in 0..MAX_SPARED {
            let warp = &mut self.warps[slot];
            let is_held =
                warp.exited || warp.lanes.active == 0 || warp.resume_at > now || warp.barrier.is_some();
            if self.fault.is_some() || is_held {
                return;
            }
            let Some(next) = setup.code.instructions.get(warp.lanes.pc as usize) else {
                return;
            };
            let is_spared = is_next_spared(setup, warp, next);
            let can_issue = (is_spared || has_slot)
                && !matches!(next.kind, Kind::Barrier)
                && self.examine(setup, slot, scheduler, now, sink) == Verdict::READY;
            if !can_issue {
                return;
            }
            has_slot &= is_spared;
            // The trace knows a second instruction of a cycle as the one of the second dispatch.
            self.issue(setup, slot, scheduler, 1, now, sink);
        }
    }

    /// Reports a slot's state if it changed.
    #[inline(always)]
    fn report<S: Sink>(&mut self, sink: &mut S, now: u64, slot: usize, state: WarpState) {
        let pc = self.warps[slot].lanes.pc;
        self.report_at(sink, now, slot, state, pc);
    }

    #[inline(always)]
    fn report_at<S: Sink>(&mut self, sink: &mut S, now: u64, slot: usize, state: WarpState, pc: u32) {
        let last_reported = &mut self.last_reported[slot % MAX_SLOTS];
        if *last_reported != (state, pc) {
            *last_reported = (state, pc);
            sink.state(Cycle(now), SlotIdx(slot as u16), state, Pc(pc));
        }
    }

    /// Whether the warp in a slot can issue; otherwise the stall state and the earliest cycle in which it can
    /// end.
    #[inline]
    fn examine<S: Sink>(
        &mut self,
        setup: &Setup,
        slot: usize,
        scheduler: usize,
        now: u64,
        sink: &mut S,
    ) -> Verdict {
        let warp = &mut self.warps[slot];
        if !warp.resident {
            return Verdict::GONE;
        }
        if warp.resume_at > now {
            return Verdict::stalled(warp.resume_state, warp.resume_at);
        }
        if warp.exited {
            if warp.drained > now {
                return Verdict::stalled(WarpState::Drain, warp.drained);
            }
            self.retire(setup, slot, now, sink);
            return Verdict::GONE;
        }
        loop {
            let warp = &mut self.warps[slot];
            if warp.barrier.is_some() {
                return Verdict::stalled(WarpState::Barrier, NEVER);
            }
            if warp.lanes.active == 0 {
                let state = if warp.lanes.at_barrier() != 0 {
                    WarpState::Barrier
                } else {
                    WarpState::Sleeping
                };
                return Verdict::stalled(state, NEVER);
            }
            let Some(decoded) = setup.code.instructions.get(warp.lanes.pc as usize) else {
                let message = "The program counter is past the last instruction of the kernel.".to_owned();
                self.raise(slot, now, FaultKind::IllegalInstruction, u32::MAX, 0, message);
                return Verdict::GONE;
            };
            if let Some((_, pending)) =
                warp.hazard(decoded.reads(), decoded.overwrites(), decoded.latency, now)
            {
                return Verdict::stalled(pending.state, pending.ready);
            }
            if needs_no_members(warp, decoded) || !waits_for_members(setup, warp, slot, decoded, now) {
                let pc = warp.lanes.pc;
                let is_spared = is_next_spared(setup, warp, decoded);
                self.prepared[slot % MAX_SLOTS] = pc + 1;
                if is_spared {
                    // It needs no unit.
                    return Verdict::READY;
                }
                return self.unit_for(setup.code.need(pc), scheduler, now);
            }
        }
    }

    /// Whether the queue or unit of an instruction can accept it.
    #[inline(always)]
    fn unit_for(&mut self, need: Need, scheduler: usize, now: u64) -> Verdict {
        let until = self.pipes.free_at(scheduler, need.place);
        if until > now {
            return Verdict::stalled(need.stall(), until);
        }
        if let Some(state) = need.far_queue
            && let Some(until) = self.lg.full_until(now).or_else(|| self.lsu.full_until(now))
        {
            return Verdict::stalled(state, until);
        }
        Verdict::READY
    }

    /// Issues the next instruction of a warp.
    fn issue<S: Sink>(
        &mut self,
        setup: &Setup,
        slot: usize,
        scheduler: usize,
        dispatch: u8,
        now: u64,
        sink: &mut S,
    ) {
        self.prepared[slot % MAX_SLOTS] = 0;
        let warp = &mut self.warps[slot];
        let pc = warp.lanes.pc;
        let decoded = &setup.code.instructions[pc as usize];
        let active = warp.lanes.active;
        let executed = active & warp.regs.holds(decoded.instruction.guard);
        let mut issue = Issue {
            slot: SlotIdx(slot as u16),
            warp: warp.id,
            scheduler: scheduler as u8,
            dispatch,
            pc: Pc(pc),
            active: LaneMask(active),
            executed: LaneMask(executed),
            diverged: false,
        };
        self.schedulers[scheduler % MAX_SCHEDULERS]
            .issued
            .push((issue.slot, issue.pc));
        if decoded.has_member_mask
            && executed != 0
            && let Some(observer) = sink.observer()
        {
            let by = self.executor(slot, executed, now);
            let warp = &self.warps[slot];
            if let Some(mask) = decoded.instruction.member_operand() {
                let members = warp.regs.raw(mask, &context(setup, warp, slot, now));
                observer.lanes_synchronized(&by, &members);
            }
        }
        let is_spared = setup.options.without.lacks(Removed::Divergence)
            && decoded.can_be_spared()
            && self.warps[slot].is_spared(decoded.busy_lanes(active, executed), true);
        match decoded.kind {
            Kind::Arithmetic | Kind::BankedArithmetic if is_spared => {
                sink.issue(Cycle(now), &issue);
                // Its result is ready at once.
                self.compute(
                    setup,
                    decoded,
                    slot,
                    executed,
                    now.saturating_sub(decoded.latency),
                    now,
                );
            }
            Kind::Arithmetic => {
                sink.issue(Cycle(now), &issue);
                let start = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
                if decoded.is_fixed_product() {
                    let state = &mut self.schedulers[scheduler % MAX_SCHEDULERS];
                    state.operands.multiply(decoded.bank_reads, now);
                }
                self.compute(setup, decoded, slot, executed, start, now);
            }
            Kind::BankedArithmetic => {
                sink.issue(Cycle(now), &issue);
                let mut start = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
                let state = &mut self.schedulers[scheduler % MAX_SCHEDULERS];
                if state.operands.matter(decoded.reads_one_bank_twice, now) {
                    let held = state
                        .operands
                        .read(decoded.bank_reads, decoded.instruction.dst != RZ, now);
                    start += held;
                    state.port_free += held;
                    if held > 0 {
                        self.delay_pending(setup, scheduler, slot, now, held);
                    }
                }
                self.compute(setup, decoded, slot, executed, start, now);
            }
            Kind::Memory => {
                sink.issue(Cycle(now), &issue);
                self.access_memory(setup, decoded, slot, scheduler, executed, now, sink);
                self.warps[slot].lanes.advance();
            }
            Kind::Copy => {
                sink.issue(Cycle(now), &issue);
                self.copy(setup, decoded, slot, scheduler, executed, now, sink);
                self.warps[slot].lanes.advance();
            }
            Kind::CopyGroup => {
                sink.issue(Cycle(now), &issue);
                self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
                self.order_copies(decoded, slot, executed, now, sink);
                self.warps[slot].lanes.advance();
            }
            Kind::ConstantLoad => {
                sink.issue(Cycle(now), &issue);
                self.load_constant(setup, decoded, slot, scheduler, executed, now, sink);
                self.warps[slot].lanes.advance();
            }
            Kind::TextureFetch => {
                sink.issue(Cycle(now), &issue);
                self.fetch_texture(setup, decoded, slot, scheduler, executed, now, sink);
                self.warps[slot].lanes.advance();
            }
            Kind::Image => {
                sink.issue(Cycle(now), &issue);
                self.access_image(setup, decoded, slot, scheduler, executed, now, sink);
                self.warps[slot].lanes.advance();
            }
            Kind::Control => {
                let effect = self.control(setup, decoded, slot, scheduler, executed, now);
                if let Some(effect) = effect {
                    issue.diverged = effect.diverged;
                    sink.issue(Cycle(now), &issue);
                    if is_spared && self.warps[slot].resume_state == WarpState::BranchResolving {
                        self.warps[slot].resume_at = now;
                    }
                    let lanes = &self.warps[slot].lanes;
                    if effect.reconverged {
                        sink.reconverged(Cycle(now), issue.slot, Pc(lanes.pc), LaneMask(lanes.active));
                    }
                    if matches!(decoded.instruction.op, Op::Exit) && executed != 0 {
                        self.after_exit(setup, slot, executed, now, sink);
                    }
                } else {
                    sink.issue(Cycle(now), &issue);
                }
            }
            Kind::Barrier => {
                sink.issue(Cycle(now), &issue);
                self.arrive(setup, decoded, slot, scheduler, executed, now, sink);
            }
            Kind::Library => {
                sink.issue(Cycle(now), &issue);
                self.call_library(setup, decoded, slot, scheduler, executed, now, sink);
            }
            Kind::Membar => {
                sink.issue(Cycle(now), &issue);
                let start = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
                // Memory is in order within a block; at wider levels, the stores must have arrived.
                if let (Op::Membar { level }, Some(observer)) = (decoded.instruction.op, sink.observer()) {
                    observer.fence(&self.executor(slot, executed, now), level);
                }
                let warp = &mut self.warps[slot];
                let beyond_block = !matches!(decoded.instruction.op, Op::Membar { level: 0 });
                if beyond_block {
                    warp.resume_at = warp.memory_done.max(start + decoded.latency);
                    warp.resume_state = WarpState::Membar;
                }
                warp.lanes.advance();
            }
        }
        let warp = &mut self.warps[slot];
        // A fence holds the warp for longer.
        let stalls_until = now + decoded.access_stall;
        if decoded.access_stall > 1 && warp.resume_at < stalls_until {
            warp.resume_at = stalls_until;
            warp.resume_state = WarpState::Wait;
        }
        if !decoded.shares_with.is_empty() {
            warp.share_scoreboard(&decoded.shares_with, decoded.writes());
        }
        if setup.code.yields.is_some() {
            self.yield_to_others(setup, slot, scheduler, now);
        }
        let warp = &mut self.warps[slot];
        if setup.options.adversarial {
            warp.lanes.split_adversarially();
        }
    }

    /// Holds a warp at the YIELD before its next instruction, if there is one.
    fn yield_to_others(&mut self, setup: &Setup, slot: usize, scheduler: usize, now: u64) {
        let warp = &mut self.warps[slot];
        if warp.exited || warp.lanes.active == 0 {
            return;
        }
        let Some(yields) = setup.code.yield_before(warp.lanes.pc) else {
            return;
        };
        let is_diverged = warp.lanes.meets_others();
        let latency = match (warp.lanes.yield_to_others(), is_diverged) {
            (true, _) => yields.switch_latency_cycles,
            (false, true) => yields.diverged_latency_cycles,
            (false, false) => yields.latency_cycles,
        };
        let interval = if is_diverged {
            yields.diverged_interval_cycles
        } else {
            yields.interval_cycles
        };
        let interval = u64::from(interval.value);
        let state = &mut self.schedulers[scheduler % MAX_SCHEDULERS];
        let start = state.yield_free.max(now + 1);
        state.yield_free = start + interval;
        warp.resume_at = warp.resume_at.max(start) + u64::from(latency.value);
        warp.resume_state = WarpState::BranchResolving;
    }

    /// Executes an arithmetic instruction whose unit is free from `start` on.
    #[inline(always)]
    fn compute(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        executed: u32,
        start: u64,
        now: u64,
    ) {
        let warp = &mut self.warps[slot];
        let pc = warp.lanes.pc;
        let ctx = context(setup, warp, slot, now);
        (decoded.run)(&mut warp.regs, &decoded.instruction, executed, &ctx);
        let result = pending(decoded, pc, now, start + decoded.latency);
        warp.expect(decoded.writes(), result);
        warp.lanes.advance();
    }

    /// Reserves a unit, through its queue where there is one. Returns the start cycle.
    #[inline(always)]
    pub(super) fn dispatch(
        &mut self,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        cycles: u64,
    ) -> u64 {
        let origin = self.origin(slot);
        let mut from = now;
        if decoded.queued {
            from = now.max(self.mio[scheduler % MAX_SCHEDULERS].last_leaves());
            if let Some(lsu_arbiter) = &self.lsu_arbiter {
                if decoded.pipe == PipeKind::Lsu {
                    return self.send_other(decoded, slot, scheduler, now, cycles);
                }
                from = from.max(lsu_arbiter.earliest_arbitration(scheduler, now));
            }
        }
        let (start, unit) = if self.pipes.has_own(decoded.pipe) {
            self.pipes
                .occupy_own(scheduler, decoded.pipe, decoded.units, from, cycles)
        } else {
            self.pipes.occupy(scheduler, decoded.pipe, from, cycles)
        };
        if decoded.queued && start > now {
            let entry = QueueEntry {
                slot: origin.slot,
                warp: origin.warp,
                pc: origin.pc,
                pipe: decoded.pipe,
                entered: Cycle(now),
                leaves: Cycle(start),
            };
            let full_until = self.mio[scheduler % MAX_SCHEDULERS].push_and_check(entry, now);
            self.pipes.note_room(scheduler, full_until);
            self.note_room(scheduler, now);
        }
        let view = InFlight {
            slot: origin.slot,
            warp: origin.warp,
            pc: origin.pc,
            started: Cycle(start),
            accepted: Cycle(start + cycles),
            done: Cycle(start + cycles.max(decoded.latency)),
        };
        self.pipes.note(unit, view, now);
        start
    }

    /// The identity of the lanes that execute the next instruction of a warp.
    pub(super) fn executor(&self, slot: usize, lanes: u32, now: u64) -> Executor {
        let warp = &self.warps[slot];
        Executor {
            cycle: Cycle(now),
            pc: Pc(warp.lanes.pc),
            slot: SlotIdx(slot as u16),
            warp: warp.id,
            block: warp.block,
            warp_in_block: warp.place_in_block,
            lanes: LaneMask(lanes),
            live: LaneMask(warp.lanes.live),
        }
    }

    fn origin(&self, slot: usize) -> Origin {
        let warp = &self.warps[slot];
        Origin {
            slot: SlotIdx(slot as u16),
            warp: warp.id,
            pc: Pc(warp.lanes.pc),
        }
    }

    /// Executes a branch, a token of the reconvergence stack, a convergence barrier, or an exit. Returns
    /// `None` after a fault.
    fn control(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        executed: u32,
        now: u64,
    ) -> Option<Effect> {
        self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
        let warp = &mut self.warps[slot];
        let lanes = &mut warp.lanes;
        let mut resolves = false;
        let done = |effect: Effect| Ok::<Effect, ControlError>(effect);
        let result = match decoded.instruction.op {
            Op::Bra { target } => {
                resolves = true;
                let yields = setup.code.yields_within(target.0, lanes.pc);
                lanes.branch(executed, target.0, setup.options.adversarial, yields)
            }
            Op::Call { target } => {
                resolves = true;
                lanes.call(executed, target.0)
            }
            Op::Ret => {
                resolves = true;
                lanes.ret(executed)
            }
            Op::Exit => {
                if executed == 0 {
                    lanes.advance();
                    done(Effect::default())
                } else {
                    let effect = lanes.exit(executed);
                    resolves = effect.jumped;
                    done(effect)
                }
            }
            Op::Push { token, target } => lanes
                .push_token(token, target.0, executed)
                .map(|()| Effect::default()),
            Op::Pop { token } => lanes
                .pop_token(StackEntryKind::Token(token), executed)
                .inspect(|effect| {
                    resolves = effect.jumped;
                }),
            Op::Bssy { barrier, .. } => {
                lanes.set_barrier(barrier, executed);
                done(Effect::default())
            }
            Op::Bsync { barrier } => {
                let effect = lanes.wait_barrier(barrier, executed);
                resolves = effect.jumped;
                done(effect)
            }
            Op::Break { barrier } => done(lanes.break_barrier(barrier, executed)),
            Op::Yield => {
                lanes.advance();
                lanes.switch_group(true);
                done(Effect::default())
            }
            Op::Nanosleep => {
                let ctx = context(setup, warp, slot, now);
                let time = warp.regs.integer(&decoded.instruction.srcs[0], &ctx);
                let time = exchange::first_of(&time, executed);
                warp.lanes.advance();
                warp.lanes.switch_group(true);
                let cycles = u64::from(time) * u64::from(setup.arch.chip.sm_clock_mhz.value) / 1000;
                warp.resume_at = now + cycles.max(1);
                warp.resume_state = WarpState::Sleeping;
                done(Effect::default())
            }
            Op::Trap if executed != 0 => {
                let message = "The kernel executed a trap instruction.".to_owned();
                self.raise(slot, now, FaultKind::Trap, executed, 0, message);
                return None;
            }
            // WARPSYNC: all lanes of its member mask have arrived.
            _ => {
                lanes.advance();
                done(Effect::default())
            }
        };
        match result {
            Ok(effect) => {
                if resolves {
                    let warp = &mut self.warps[slot];
                    warp.resume_at = now + decoded.latency;
                    warp.resume_state = WarpState::BranchResolving;
                    if setup.code.has_fixed_products {
                        let ready = warp.products_ready(&setup.code, now);
                        if ready > warp.resume_at {
                            (warp.resume_at, warp.resume_state) = (ready, WarpState::Wait);
                        }
                    }
                }
                Some(effect)
            }
            Err(ControlError::StackOverflow) => {
                let message = "The call stack or the reconvergence stack overflowed.".to_owned();
                self.raise(slot, now, FaultKind::StackOverflow, executed, 0, message);
                None
            }
            Err(ControlError::Unmatched) => {
                let message = "A return without a call, or a pop of an empty reconvergence stack.".to_owned();
                self.raise(slot, now, FaultKind::IllegalInstruction, executed, 0, message);
                None
            }
        }
    }

    /// Ends the run with a fault.
    pub(super) fn raise(
        &mut self,
        slot: usize,
        now: u64,
        kind: FaultKind,
        lanes: u32,
        address: u64,
        message: String,
    ) {
        let warp = &self.warps[slot];
        self.fault.get_or_insert(Fault {
            kind,
            cycle: Cycle(now),
            pc: Pc(warp.lanes.pc),
            warp: warp.id,
            lanes: LaneMask(lanes & warp.lanes.active),
            address,
            message,
        });
    }
}

/// Whether the next instruction can issue without a check of its member mask.
#[inline(always)]
const fn needs_no_members(warp: &Warp, next: &Decoded) -> bool {
    !next.has_member_mask || !warp.lanes.is_diverged()
}

/// Whether the next issue of a warp costs nothing, which it can only on a machine without divergence.
#[inline(always)]
fn is_next_spared(setup: &Setup, warp: &mut Warp, next: &Decoded) -> bool {
    if !setup.options.without.lacks(Removed::Divergence) {
        return false;
    }
    let active = warp.lanes.active;
    let executed = active & warp.regs.holds(next.instruction.guard);
    next.can_be_spared() && warp.is_spared(next.busy_lanes(active, executed), false)
}

/// Makes the running lanes wait if lanes of the instruction's member mask have not arrived.
#[cold]
fn waits_for_members(setup: &Setup, warp: &mut Warp, slot: usize, decoded: &Decoded, now: u64) -> bool {
    let i = &decoded.instruction;
    let Some(mask) = i.member_operand() else {
        return false;
    };
    let executed = warp.lanes.active & warp.regs.holds(i.guard);
    let ctx = context(setup, warp, slot, now);
    let masks = warp.regs.raw(mask, &ctx);
    warp.lanes.wait_for_members(&masks, executed)
}

/// What instructions of a warp see beside registers.
#[inline(always)]
pub(super) fn context<'a>(setup: &'a Setup, warp: &Warp, slot: usize, now: u64) -> Context<'a> {
    Context {
        bank0: &setup.bank0,
        bank3: &setup.bank3,
        block_dim: setup.block,
        block_idx: warp.block_idx,
        warp_in_block: warp.place_in_block,
        sm: u32::from(setup.sm),
        slot: slot as u32,
        active: warp.lanes.active,
        cycle: now,
    }
}

/// The scoreboard entry of a result.
#[inline(always)]
pub(super) const fn pending(decoded: &Decoded, pc: u32, issued: u64, ready: u64) -> Pending {
    let state = if decoded.fixed_latency {
        WarpState::Wait
    } else if decoded.local_or_global {
        WarpState::LongScoreboard
    } else {
        WarpState::ShortScoreboard
    };
    Pending {
        ready,
        issued,
        producer: pc,
        state,
    }
}
