//! The control flow of a warp's lanes, and how lanes reconverge: a stack of masks up to Pascal; one program
//! counter per lane and convergence barriers from Volta on.
//!
//! The running group is `active` at `pc`. All other lanes are on the stack or at their own program counters.

use crate::ids::{LaneMask, Pc};
use crate::isa::{BarrierReg, Token};

use super::codec::{Coded, Reader, Writer, coded};
use super::exec::{LANE_BITS, lanes_where};
use super::view::{ConvergenceBarrier, LaneGroup, LaneStatus, StackEntry, StackEntryKind};
use crate::arch::POLICIES;

/// The maximum depth of the reconvergence stack, and of a lane's calls.
const MAX_DEPTH: usize = 4096;

/// The lanes of a warp.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    /// The pc of the running group.
    pub(super) pc: u32,
    /// The running group; empty if no lane can run.
    pub(super) active: u32,
    /// Lanes that have not exited.
    pub(super) live: u32,
    model: Model,
}

#[derive(Clone, Debug)]
enum Model {
    Stack(Vec<StackEntry>),
    Independent(Box<Independent>),
}

/// Lanes with their own program counters.
#[derive(Clone, Debug)]
struct Independent {
    /// Program counters of the lanes outside the running group.
    pcs: [u32; 32],
    depths: [u16; 32],
    /// Return addresses by depth.
    returns: Vec<[u32; 32]>,
    converging: u32,
    syncing: u32,
    sync_masks: [u32; 32],
    /// Lanes whose member mask is complete and that can pass their instruction.
    synced: u32,
    at_barrier: u32,
    barrier_ids: [u8; 32],
    barriers: Vec<Barrier>,
    /// The lane at which the search for the next group starts.
    turn: u32,
    /// Backward branches of the running group since it last changed state that waiting lanes depend on.
    spins: u32,
    /// Whether the running group polls memory.
    polls: bool,
    /// Whether the running group polls memory in a loop that lets the waiting lanes continue at once.
    yields: bool,
    /// Lanes that let others continue and did not run since: no convergence barrier waits for them.
    yielded: u32,
    /// Whether lanes let others continue since the last YIELD.
    met_others: bool,
}

#[derive(Clone, Copy, Debug)]
struct Barrier {
    register: u8,
    depth: u16,
    members: u32,
    waiting: u32,
}

/// The effect of a control instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// The group diverged.
    pub(super) diverged: bool,
    /// The next instruction is not the following one.
    pub(super) jumped: bool,
    /// Groups reconverged: these lanes continue at the new pc.
    pub(super) reconverged: bool,
}

/// An error of a control instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ControlError {
    /// The stack overflowed.
    StackOverflow,
    /// A pop or a return without a matching push or call.
    Unmatched,
}

coded!(Lanes {
    pc,
    active,
    live,
    model
});
coded!(Independent {
    pcs,
    depths,
    converging,
    syncing,
    sync_masks,
    synced,
    at_barrier,
    barrier_ids,
    turn,
    spins,
    polls,
    yields,
    yielded,
    met_others,
    returns,
    barriers,
});
coded!(Barrier {
    register,
    depth,
    members,
    waiting,
});

impl Coded for Model {
    fn encode(&self, to: &mut Writer) {
        match self {
            Self::Stack(stack) => {
                to.put(&false);
                to.put(stack);
            }
            Self::Independent(lanes) => {
                to.put(&true);
                to.put(&**lanes);
            }
        }
    }
    fn decode(from: &mut Reader) -> Self {
        if from.get() {
            Self::Independent(Box::new(from.get()))
        } else {
            Self::Stack(from.get())
        }
    }
}

impl Lanes {
    /// Restarts the lanes for a new warp.
    pub(super) fn restart(&mut self, valid: u32) {
        (self.pc, self.active, self.live) = (0, valid, valid);
        match &mut self.model {
            Model::Stack(stack) => stack.clear(),
            Model::Independent(lanes) => {
                let (mut returns, mut barriers) = (
                    std::mem::take(&mut lanes.returns),
                    std::mem::take(&mut lanes.barriers),
                );
                returns.clear();
                barriers.clear();
                **lanes = Independent {
                    returns,
                    barriers,
                    ..Independent::new()
                };
            }
        }
    }

    pub(super) fn new(valid: u32, independent: bool) -> Self {
        let model = if independent {
            Model::Independent(Box::new(Independent::new()))
        } else {
            Model::Stack(Vec::new())
        };
        Self {
            pc: 0,
            active: valid,
            live: valid,
            model,
        }
    }

    /// Whether the running groups have the same lanes and pc.
    pub(super) const fn is_like(&self, other: &Self) -> bool {
        self.pc == other.pc && self.active == other.active && self.live == other.live
    }

    /// Whether a live lane is outside the running group.
    #[inline(always)]
    pub(super) const fn is_diverged(&self) -> bool {
        self.active != self.live
    }

    /// Lanes that wait at the block's barrier (Volta and later).
    pub(super) fn at_barrier(&self) -> u32 {
        match &self.model {
            Model::Stack(_) => 0,
            Model::Independent(lanes) => lanes.at_barrier,
        }
    }

    /// Advances to the next instruction.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.pc += 1;
        if self.is_diverged() {
            self.gather();
        }
    }

    /// Merges lanes at the same instruction into the running group.
    fn gather(&mut self) {
        if let Model::Independent(lanes) = &mut self.model {
            let others = lanes.runnable(self.live) & !self.active;
            if others != 0 {
                self.active |= lanes.at(others, self.pc, lanes.depth_of(self.active));
                lanes.yielded &= !self.active;
            }
        }
    }

    /// Branches with the lanes `taken`, a subset of the running group. With `yields`, it is the backward branch of a loop
    /// that has a YIELD.
    pub(super) fn branch(
        &mut self,
        taken: u32,
        target: u32,
        adversarial: bool,
        yields: bool,
    ) -> Result<Effect, ControlError> {
        let (next, stay) = (self.pc + 1, self.active & !taken);
        if taken == 0 {
            self.advance();
            return Ok(Effect::default());
        }
        let backward = target <= self.pc;
        let diverged = stay != 0;
        if diverged {
            match &mut self.model {
                // The taken side runs first, as measured on GT200.
                Model::Stack(stack) => {
                    push(
                        stack,
                        StackEntry {
                            kind: StackEntryKind::Diverged,
                            target: Pc(next),
                            lanes: LaneMask(stay),
                        },
                    )?;
                }
                Model::Independent(lanes) => {
                    lanes.park_part(self.active == self.live, stay, next);
                }
            }
        }
        self.active = taken;
        self.pc = target;
        self.gather();
        if self.is_diverged() && (backward && !yields || adversarial) {
            self.switch_group(backward);
        }
        Ok(Effect {
            diverged,
            jumped: true,
            reconverged: false,
        })
    }

    /// Lets the other lanes of the warp go first at a YIELD, those included that wait at a convergence barrier for lanes that
    /// yielded. Measured on an H100 (swaps.cu): of lanes that retry compare-and-swap on one word, the one that succeeded
    /// goes on to its next round up to the YIELD while the others retry. Returns whether others go first.
    pub(super) fn yield_to_others(&mut self) -> bool {
        let is_diverged = self.is_diverged();
        let Model::Independent(lanes) = &mut self.model else {
            return false;
        };
        if !is_diverged {
            return false;
        }
        let (group, pc) = (self.active, self.pc);
        lanes.yielded |= group;
        lanes.park(group, pc);
        self.active = 0;
        let others = lanes.runnable(self.live) & !group;
        if others == 0 {
            self.settle();
        } else {
            self.select(others);
        }
        let is_other = self.active & group == 0;
        if let Model::Independent(lanes) = &mut self.model {
            lanes.met_others |= is_other;
        }
        is_other
    }

    /// Switches to another runnable group, if any.
    pub(super) fn switch_group(&mut self, counts: bool) {
        let Model::Independent(lanes) = &mut self.model else {
            return;
        };
        let others = lanes.runnable(self.live) & !self.active;
        if others != 0 {
            if lanes.yields {
                lanes.yielded |= self.active;
                lanes.met_others = true;
            }
            lanes.park(self.active, self.pc);
            self.active = 0;
            self.select(others);
        } else if counts && lanes.converging != 0 && lanes.polls {
            lanes.spins += 1;
            if lanes.yields || lanes.spins >= POLICIES.polling_branches.value {
                let yields = lanes.yields;
                lanes.spins = 0;
                self.release_waiting();
                // The group lets them go first.
                if yields {
                    self.switch_group(false);
                }
            }
        }
    }

    /// The adversarial schedule. Lanes that run together without synchronization are split, and even lanes
    /// run ahead as far as possible. Diverged groups alternate at branches.
    pub(super) fn split_adversarially(&mut self) {
        const EVEN: u32 = 0x5555_5555;
        let Model::Independent(lanes) = &mut self.model else {
            return;
        };
        let (ahead, behind) = (self.active & EVEN, self.active & !EVEN);
        if self.active == self.live && ahead != 0 && behind != 0 {
            lanes.park_part(true, behind, self.pc);
            self.active = ahead;
        }
    }

    /// Records that the running group has read memory that other warps or lanes can change. With `yields`, the waiting lanes
    /// continue when the group branches back. Measured on an H100 (locks.cu): the time of a lock that n lanes of a warp take
    /// in turn is n times that of one lane.
    pub(super) fn note_poll(&mut self, yields: bool) {
        if let Model::Independent(lanes) = &mut self.model {
            lanes.polls = true;
            lanes.yields |= yields;
        }
    }

    /// Whether a YIELD now finds lanes elsewhere, or the lanes let others continue since the last one.
    pub(super) fn meets_others(&mut self) -> bool {
        let is_diverged = self.is_diverged();
        match &mut self.model {
            Model::Stack(_) => is_diverged,
            Model::Independent(lanes) => std::mem::take(&mut lanes.met_others) || is_diverged,
        }
    }

    /// Lets lanes at convergence barriers continue without the spinning lanes.
    fn release_waiting(&mut self) {
        let Model::Independent(lanes) = &mut self.model else {
            return;
        };
        let going = lanes.converging;
        lanes.converging = 0;
        for lane in 0..32 {
            if going >> lane & 1 == 1 {
                lanes.pcs[lane] += 1;
            }
        }
        for barrier in &mut lanes.barriers {
            barrier.members &= !going;
            barrier.waiting &= !going;
        }
        lanes.barriers.retain(|barrier| barrier.members != 0);
    }

    /// Selects the next running group among `candidates`.
    fn select(&mut self, candidates: u32) {
        let Model::Independent(lanes) = &mut self.model else {
            return;
        };
        if candidates == 0 {
            return;
        }
        let from_turn = candidates & (u32::MAX << (lanes.turn & 31));
        let found = if from_turn != 0 { from_turn } else { candidates };
        let lane = found.trailing_zeros();
        lanes.turn = (lane + 1) & 31;
        lanes.spins = 0;
        lanes.polls = false;
        lanes.yields = false;
        self.pc = lanes.pcs[lane as usize];
        self.active = lanes.at(lanes.runnable(self.live), self.pc, lanes.depths[lane as usize]);
        lanes.yielded &= !self.active;
    }

    /// Selects a runnable group if no lane runs.
    fn refill(&mut self) {
        if self.active == 0
            && let Model::Independent(lanes) = &self.model
        {
            let candidates = lanes.runnable(self.live);
            self.select(candidates);
        }
    }

    /// Exits lanes. The effect says whether another group runs now.
    pub(super) fn exit(&mut self, lanes: u32) -> Effect {
        self.live &= !lanes;
        let rest = self.active & !lanes;
        self.active = rest;
        let mut effect = Effect::default();
        if rest != 0 {
            self.pc += 1;
        }
        match &mut self.model {
            Model::Stack(_) => {
                if rest == 0 {
                    effect = self.unwind();
                }
            }
            Model::Independent(independent) => {
                for barrier in &mut independent.barriers {
                    barrier.members &= !lanes;
                }
                effect = self.settle();
            }
        }
        effect
    }

    /// Pops the stack until a group can run.
    fn unwind(&mut self) -> Effect {
        let Model::Stack(stack) = &mut self.model else {
            return Effect::default();
        };
        while self.active == 0 {
            let Some(top) = stack.pop() else { break };
            let lanes = top.lanes.0 & self.live;
            if lanes != 0 {
                self.active = lanes;
                self.pc = top.target.0;
                let reconverged = top.kind != StackEntryKind::Diverged;
                return Effect {
                    diverged: false,
                    jumped: true,
                    reconverged,
                };
            }
        }
        Effect::default()
    }

    /// Pushes a token.
    pub(super) fn push_token(
        &mut self,
        token: Token,
        target: u32,
        executed: u32,
    ) -> Result<(), ControlError> {
        if let Model::Stack(stack) = &mut self.model
            && executed != 0
        {
            let kind = StackEntryKind::Token(token);
            push(
                stack,
                StackEntry {
                    kind,
                    target: Pc(target),
                    lanes: LaneMask(executed),
                },
            )?;
        }
        self.advance();
        Ok(())
    }

    /// Makes lanes jump to the target of the nearest stack entry of a kind and wait there.
    pub(super) fn pop_token(&mut self, kind: StackEntryKind, lanes: u32) -> Result<Effect, ControlError> {
        let rest = self.active & !lanes;
        if lanes == 0 {
            self.advance();
            return Ok(Effect::default());
        }
        let Model::Stack(stack) = &mut self.model else {
            return Err(ControlError::Unmatched);
        };
        let Some(nearest) = stack.iter().rposition(|entry| entry.kind == kind) else {
            return Err(ControlError::Unmatched);
        };
        for entry in &mut stack[nearest + 1..] {
            entry.lanes.0 &= !lanes;
        }
        self.active = rest;
        if rest != 0 {
            self.pc += 1;
            return Ok(Effect {
                diverged: true,
                ..Effect::default()
            });
        }
        Ok(self.unwind())
    }

    /// Calls a function.
    pub(super) fn call(&mut self, lanes: u32, target: u32) -> Result<Effect, ControlError> {
        let (next, stay) = (self.pc + 1, self.active & !lanes);
        if lanes == 0 {
            self.advance();
            return Ok(Effect::default());
        }
        match &mut self.model {
            Model::Stack(stack) => {
                if stay != 0 {
                    let kind = StackEntryKind::Diverged;
                    push(
                        stack,
                        StackEntry {
                            kind,
                            target: Pc(next),
                            lanes: LaneMask(stay),
                        },
                    )?;
                }
                push(
                    stack,
                    StackEntry {
                        kind: StackEntryKind::Call,
                        target: Pc(next),
                        lanes: LaneMask(lanes),
                    },
                )?;
            }
            Model::Independent(independent) => {
                independent.park_part(self.active == self.live, stay, next);
                for lane in 0..32 {
                    if lanes >> lane & 1 == 1 {
                        let depth = usize::from(independent.depths[lane]);
                        if depth >= MAX_DEPTH {
                            return Err(ControlError::StackOverflow);
                        }
                        if depth == independent.returns.len() {
                            independent.returns.push([0; 32]);
                        }
                        independent.returns[depth][lane] = next;
                        independent.depths[lane] += 1;
                    }
                }
            }
        }
        self.active = lanes;
        self.pc = target;
        self.gather();
        Ok(Effect {
            diverged: stay != 0,
            jumped: true,
            reconverged: false,
        })
    }

    /// Returns from a function.
    pub(super) fn ret(&mut self, lanes: u32) -> Result<Effect, ControlError> {
        if lanes == 0 {
            self.advance();
            return Ok(Effect::default());
        }
        let Model::Independent(independent) = &mut self.model else {
            return self.pop_token(StackEntryKind::Call, lanes);
        };
        let stay = self.active & !lanes;
        independent.park_part(self.active == self.live, stay, self.pc + 1);
        let mut uniform = true;
        let mut first = None;
        for lane in 0..32 {
            if lanes >> lane & 1 == 1 {
                let depth = independent.depths[lane];
                let Some(above) = depth.checked_sub(1) else {
                    return Err(ControlError::Unmatched);
                };
                // A function's convergence barriers end with the function.
                for barrier in &mut independent.barriers {
                    if barrier.depth == depth {
                        barrier.members &= !(1 << lane);
                    }
                }
                independent.depths[lane] = above;
                independent.pcs[lane] = independent.returns[usize::from(above)][lane];
                uniform &= *first.get_or_insert(independent.pcs[lane]) == independent.pcs[lane];
            }
        }
        self.active = 0;
        if uniform && let Some(pc) = first {
            self.active = lanes;
            self.pc = pc;
            self.gather();
        }
        let settled = self.settle();
        Ok(Effect {
            diverged: stay != 0 || !uniform,
            jumped: true,
            ..settled
        })
    }

    /// Sets a convergence barrier for the running lanes.
    pub(super) fn set_barrier(&mut self, register: BarrierReg, executed: u32) {
        if let Model::Independent(lanes) = &mut self.model
            && executed != 0
        {
            let depth = lanes.depth_of(executed);
            lanes.leave(register.0, executed);
            // A loop begins: what was read before it is not polled in it.
            lanes.yields = false;
            lanes.barriers.push(Barrier {
                register: register.0,
                depth,
                members: executed,
                waiting: 0,
            });
        }
        self.advance();
        self.settle();
    }

    /// Makes lanes wait at a convergence barrier.
    pub(super) fn wait_barrier(&mut self, register: BarrierReg, executed: u32) -> Effect {
        let Model::Independent(lanes) = &mut self.model else {
            self.advance();
            return Effect::default();
        };
        let mut waiting = 0;
        for barrier in &mut lanes.barriers {
            if barrier.register == register.0 {
                let here = barrier.members & executed;
                if here != 0 && lanes.depths[here.trailing_zeros() as usize] == barrier.depth {
                    barrier.waiting |= here;
                    waiting |= here;
                }
            }
        }
        if waiting == self.live && lanes.barriers.iter().any(|barrier| barrier.waiting == self.live) {
            // No lane is elsewhere: the lanes pass without waiting.
            let live = self.live;
            lanes.barriers.retain(|barrier| barrier.waiting != live);
            self.pc += 1;
            return Effect::default();
        }
        lanes.park_part(self.active == self.live, waiting, self.pc);
        lanes.converging |= waiting;
        self.active &= !waiting;
        if self.active != 0 {
            self.advance();
        }
        self.settle()
    }

    /// Removes lanes from a convergence barrier.
    pub(super) fn break_barrier(&mut self, register: BarrierReg, executed: u32) -> Effect {
        if let Model::Independent(lanes) = &mut self.model {
            lanes.leave(register.0, executed);
        }
        self.advance();
        self.settle()
    }

    /// Releases complete barriers, and selects a runnable group.
    fn settle(&mut self) -> Effect {
        let mut effect = Effect::default();
        let before = (self.active, self.pc);
        if let Model::Independent(lanes) = &mut self.model {
            let (mut released, yielded) = (0, lanes.yielded);
            lanes.barriers.retain_mut(|barrier| {
                if barrier.members == 0 {
                    return false;
                }
                let missing = barrier.members & !barrier.waiting;
                if missing & !yielded != 0 || barrier.waiting == 0 {
                    return true;
                }
                released |= barrier.members & barrier.waiting;
                barrier.members = missing;
                barrier.waiting = 0;
                missing != 0
            });
            if released != 0 {
                lanes.converging &= !released;
                for lane in 0..32 {
                    if released >> lane & 1 == 1 {
                        lanes.pcs[lane] += 1;
                    }
                }
                if self.active == 0 {
                    self.select(released);
                } else {
                    self.gather();
                }
                effect.reconverged = true;
            }
            self.release_syncs();
        }
        self.refill();
        effect.jumped = self.active != 0 && before.0 == 0 || self.pc != before.1 && before.0 != self.active;
        effect
    }

    /// Makes lanes wait for the other lanes of their member masks. Returns whether any lane waits. Each lane
    /// has its own mask.
    pub(super) fn wait_for_members(&mut self, masks: &[u32; 32], executed: u32) -> bool {
        let Model::Independent(lanes) = &mut self.model else {
            return false;
        };
        let members = (0..32)
            .filter(|lane| executed >> lane & 1 == 1)
            .fold(0, |members, lane| members | masks[lane]);
        let missing = members & self.live & !executed;
        let is_synced = lanes.synced & executed == executed;
        lanes.synced &= !executed;
        if missing == 0 || executed == 0 || is_synced {
            return false;
        }
        lanes.park(executed, self.pc);
        lanes.syncing |= executed;
        #[expect(
            clippy::needless_range_loop,
            reason = "the index is also the number of the lane"
        )]
        for lane in 0..32 {
            if executed >> lane & 1 == 1 {
                lanes.sync_masks[lane] = masks[lane];
            }
        }
        let skipping = self.active & !executed;
        self.active = skipping;
        if skipping != 0 {
            self.advance();
        }
        self.release_syncs();
        self.refill();
        true
    }

    /// Releases lanes whose member masks are complete.
    fn release_syncs(&mut self) {
        let Model::Independent(lanes) = &mut self.model else {
            return;
        };
        let mut rest = lanes.syncing & self.live;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let mask = lanes.sync_masks[first];
            let mut same = 0;
            for lane in 0..32 {
                if rest >> lane & 1 == 1 && lanes.sync_masks[lane] == mask {
                    same |= 1 << lane;
                }
            }
            rest &= !same;
            if mask & self.live & !same == 0 {
                lanes.syncing &= !same;
                lanes.synced |= same;
                lanes.turn = first as u32;
            }
        }
        lanes.syncing &= self.live;
    }

    /// Stops lanes at the block's barrier (Volta and later).
    pub(super) fn stop_at_barrier(&mut self, id: u8, executed: u32) {
        let Model::Independent(lanes) = &mut self.model else {
            return;
        };
        lanes.park_part(self.active == self.live, executed, self.pc);
        lanes.at_barrier |= executed;
        if executed == u32::MAX {
            lanes.barrier_ids = [id; 32];
        } else {
            for lane in 0..32 {
                if executed >> lane & 1 == 1 {
                    lanes.barrier_ids[lane] = id;
                }
            }
        }
        self.active &= !executed;
        if self.active != 0 {
            self.advance();
        }
        self.refill();
    }

    /// Lanes that wait at a barrier of the block (Volta and later).
    pub(super) fn lanes_at_barrier(&self, id: u8) -> u32 {
        let Model::Independent(lanes) = &self.model else {
            return 0;
        };
        // Usually all lanes wait at the same barrier.
        let others = lanes.barrier_ids.iter().fold(0, |others, of| others | (of ^ id));
        if others == 0 || lanes.at_barrier == 0 {
            return lanes.at_barrier;
        }
        let mut found = 0;
        for lane in 0..32 {
            if lanes.at_barrier >> lane & 1 == 1 && lanes.barrier_ids[lane] == id {
                found |= 1 << lane;
            }
        }
        found
    }

    /// The pc of the first of these waiting lanes, and the waiting lanes at that pc.
    pub(super) fn first_waiting(&self, waiting: u32) -> (u32, u32) {
        let Model::Independent(lanes) = &self.model else {
            return (self.pc, waiting);
        };
        let pc = lanes.pcs[waiting.trailing_zeros() as usize & 31];
        (pc, waiting & lanes_where(|lane| lanes.pcs[lane] == pc))
    }

    /// Releases the lanes that wait at the block's barrier.
    pub(super) fn pass_barrier(&mut self, id: u8) {
        let released = self.lanes_at_barrier(id);
        let Model::Independent(lanes) = &mut self.model else {
            return;
        };
        lanes.at_barrier &= !released;
        #[expect(clippy::needless_range_loop, reason = "two arrays have the same index")]
        for lane in 0..32 {
            lanes.pcs[lane] += u32::from(released & LANE_BITS[lane] != 0);
        }
        self.gather();
        self.refill();
    }

    /// All live lanes, grouped by pc and status.
    pub(super) fn groups(&self) -> Vec<LaneGroup> {
        let mut groups = Vec::new();
        if self.active != 0 {
            groups.push(LaneGroup {
                pc: Pc(self.pc),
                lanes: LaneMask(self.active),
                status: LaneStatus::Running,
            });
        }
        match &self.model {
            Model::Stack(stack) => {
                let mut seen = self.active;
                for entry in stack.iter().rev() {
                    let lanes = entry.lanes.0 & self.live & !seen;
                    seen |= lanes;
                    if lanes != 0 {
                        let status = match entry.kind {
                            StackEntryKind::Diverged => LaneStatus::OnStack,
                            _ => LaneStatus::Converging,
                        };
                        groups.push(LaneGroup {
                            pc: entry.target,
                            lanes: LaneMask(lanes),
                            status,
                        });
                    }
                }
            }
            Model::Independent(lanes) => {
                for lane in 0..32 {
                    let bit = 1 << lane;
                    if self.live & !self.active & bit == 0 {
                        continue;
                    }
                    let status = if lanes.converging & bit != 0 {
                        LaneStatus::Converging
                    } else if lanes.syncing & bit != 0 {
                        LaneStatus::Syncing
                    } else if lanes.at_barrier & bit != 0 {
                        LaneStatus::AtBarrier
                    } else {
                        LaneStatus::Running
                    };
                    let pc = Pc(lanes.pcs[lane]);
                    match groups
                        .iter_mut()
                        .find(|group| group.pc == pc && group.status == status)
                    {
                        Some(group) => group.lanes.0 |= bit,
                        None => groups.push(LaneGroup {
                            pc,
                            lanes: LaneMask(bit),
                            status,
                        }),
                    }
                }
            }
        }
        groups
    }

    /// The reconvergence stack, bottom first.
    pub(super) fn stack(&self) -> Vec<StackEntry> {
        match &self.model {
            Model::Stack(stack) => stack.clone(),
            Model::Independent(_) => Vec::new(),
        }
    }

    /// Convergence barriers in use.
    pub(super) fn barriers(&self) -> Vec<ConvergenceBarrier> {
        match &self.model {
            Model::Stack(_) => Vec::new(),
            Model::Independent(lanes) => lanes
                .barriers
                .iter()
                .map(|barrier| ConvergenceBarrier {
                    register: barrier.register,
                    depth: barrier.depth,
                    members: LaneMask(barrier.members),
                    waiting: LaneMask(barrier.waiting),
                })
                .collect(),
        }
    }
}

impl Independent {
    const fn new() -> Self {
        Self {
            pcs: [0; 32],
            depths: [0; 32],
            returns: Vec::new(),
            converging: 0,
            syncing: 0,
            sync_masks: [0; 32],
            synced: 0,
            at_barrier: 0,
            barrier_ids: [0; 32],
            barriers: Vec::new(),
            turn: 0,
            spins: 0,
            polls: false,
            yields: false,
            yielded: 0,
            met_others: false,
        }
    }

    /// Lanes that can run.
    const fn runnable(&self, live: u32) -> u32 {
        live & !(self.converging | self.syncing | self.at_barrier)
    }

    /// Parks lanes that leave the running group. If the warp was converged, `synced` no longer holds: a
    /// converged warp passes member masks without a check.
    fn park_part(&mut self, was_converged: bool, lanes: u32, pc: u32) {
        if was_converged {
            self.synced = 0;
        }
        self.park(lanes, pc);
    }

    /// The lanes of `lanes` at `pc` and `depth`.
    fn at(&self, lanes: u32, pc: u32, depth: u16) -> u32 {
        if lanes == 0 {
            return 0;
        }
        let there = lanes & lanes_where(|lane| self.pcs[lane] == pc);
        if self.returns.is_empty() {
            // No lane has called a function.
            return there;
        }
        there & lanes_where(|lane| self.depths[lane] == depth)
    }

    const fn depth_of(&self, lanes: u32) -> u16 {
        if lanes == 0 {
            0
        } else {
            self.depths[lanes.trailing_zeros() as usize]
        }
    }

    fn park(&mut self, lanes: u32, pc: u32) {
        if lanes == u32::MAX {
            self.pcs = [pc; 32];
            return;
        }
        for lane in 0..32 {
            if lanes >> lane & 1 == 1 {
                self.pcs[lane] = pc;
            }
        }
    }

    fn leave(&mut self, register: u8, lanes: u32) {
        let depth = self.depth_of(lanes);
        for barrier in &mut self.barriers {
            if barrier.register == register && barrier.depth == depth {
                barrier.members &= !lanes;
            }
        }
        self.barriers.retain(|barrier| barrier.members != 0);
    }
}

fn push(stack: &mut Vec<StackEntry>, entry: StackEntry) -> Result<(), ControlError> {
    if stack.len() >= MAX_DEPTH {
        return Err(ControlError::StackOverflow);
    }
    stack.push(entry);
    Ok(())
}
