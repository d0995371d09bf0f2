//! The head of SMs that run apart: it gives out the grid's blocks, serves what the parts request at the end of a quantum, and
//! gives them their next orders.

use super::PartMaker;
use super::beyond::{Agenda, Beyond};
use super::part::{Grant, Order, Reply, Settle, Wish};
use crate::sim::Outcome;
use crate::sim::block_scheduler::GridQueue;
use crate::sim::device::Load;
use crate::sim::livelock::next_check;
use crate::sim::outbox::{Requested, Sent};
use crate::sim::sm::NEVER;

/// Where a run is.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    Runs,
    /// The last quantum is over; the parts settle it.
    Ends(Outcome),
    Over,
}

/// What the parts share.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) beyond: Beyond,
    pub(super) queue: GridQueue,
    pub(super) quantum: u64,
    pub(super) outcome: Option<Outcome>,
    pub(super) is_lost: bool,
    /// All earlier cycles have run.
    pub(super) cycle: u64,
    max_cycles: u64,
    phase: Phase,
    /// The quantum: its first cycle and the one after its last.
    from: u64,
    to: u64,
    /// The SMs of a part.
    per_part: usize,
    /// The next cycle of each part with work.
    next: Vec<u64>,
    last_finish: u64,
    /// What each SM requests in the quantum, and the answers.
    requested: Vec<Requested>,
    answers: Vec<Vec<u64>>,
    /// How SMs changed memory in the quantum.
    changes: Vec<(u16, Sent)>,
    agenda: Agenda,
    watch: Watch,
}

/// What shows that a run makes progress, as of its last check.
#[derive(Debug)]
struct Watch {
    /// Whether the program has loops in which a warp can spin.
    may_spin: bool,
    /// Whether polled words can be in L2. Without L2, polling moves bytes of device memory.
    has_l2: bool,
    check_at: u64,
    has_stored: bool,
    /// Blocks started and finished, and bytes requested of device memory.
    progress: (u32, u32, u64),
}

impl Head {
    /// The head of a launch with `started` blocks placed.
    pub(super) fn new(maker: &PartMaker, started: u32, max_cycles: u64) -> Self {
        let mut queue = GridQueue::new(maker.num_blocks);
        queue.started = started;
        let num_sms = usize::from(maker.num_sms);
        Self {
            beyond: Beyond::new(maker.arch, maker.num_sms),
            queue,
            quantum: maker.quantum,
            outcome: None,
            is_lost: false,
            cycle: 0,
            max_cycles,
            phase: Phase::Runs,
            from: 0,
            to: maker.quantum.min(max_cycles),
            per_part: maker.per_part.into(),
            next: vec![0; maker.num_parts()],
            last_finish: 0,
            requested: vec![Requested::default(); num_sms],
            answers: vec![Vec::new(); num_sms],
            changes: Vec::new(),
            agenda: Agenda::default(),
            watch: Watch {
                may_spin: maker.prepared.setup.may_spin,
                has_l2: maker.arch.memory.l2.is_some(),
                // The first suspicion compares the first check of a run in lock-step with half of its cycle.
                check_at: next_check(0) / 2,
                has_stored: false,
                progress: (0, 0, 0),
            },
        }
    }

    /// The number of parts.
    pub(super) const fn num_parts(&self) -> usize {
        self.next.len()
    }

    /// Whether the run has not reached a cycle, or is about to end.
    pub(super) const fn is_open(&self, end: u64) -> bool {
        match self.phase {
            Phase::Runs => self.cycle < end,
            Phase::Ends(_) => true,
            Phase::Over => false,
        }
    }

    /// Whether the run is over or lost.
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// The orders for the first quantum.
    pub(super) fn first_orders(&self) -> Vec<(usize, Order)> {
        (0..self.num_parts()).map(|idx| (idx, self.run_order())).collect()
    }

    fn run_order(&self) -> Order {
        Order {
            any_left: self.queue.started < self.queue.num_blocks,
            to: self.to,
            ..Order::default()
        }
    }

    /// Takes the replies to all orders. Returns the next ones; none when the run is over.
    pub(super) fn step(
        &mut self,
        replies: &mut Vec<Reply>,
        before: &mut impl FnMut(u64, &dyn Fn(u64) -> Load),
    ) -> Vec<(usize, Order)> {
        let mut wishes: Vec<Wish> = Vec::new();
        for reply in replies.drain(..) {
            self.is_lost |= reply.is_lost;
            self.watch.has_stored |= reply.has_stored;
            self.queue.finished += reply.finished;
            self.last_finish = self.last_finish.max(reply.last_finish);
            self.next[reply.idx] = reply.next;
            wishes.extend(reply.wishes);
            let own = &mut self.requested[reply.idx * self.per_part..];
            for (own, requested) in own.iter_mut().zip(reply.requested) {
                *own = requested;
            }
            self.changes.extend(reply.changes);
        }
        if self.is_lost {
            self.phase = Phase::Over;
        } else if let Phase::Ends(outcome) = &self.phase {
            self.outcome = Some(outcome.clone());
            self.phase = Phase::Over;
        } else if wishes.is_empty() {
            return self.end_quantum(before);
        } else {
            wishes.sort_unstable();
            return self.grant(&wishes);
        }
        Vec::new()
    }

    /// Gives blocks to SMs, in the order in which they can take them.
    fn grant(&mut self, wishes: &[Wish]) -> Vec<(usize, Order)> {
        let mut grants = vec![Vec::new(); self.num_parts()];
        for wish in wishes {
            let first = self.queue.started;
            let num = wish.num.min(self.queue.num_blocks - first);
            self.queue.started += num;
            grants[usize::from(wish.sm) / self.per_part].push(Grant {
                cycle: wish.cycle,
                sm: wish.sm,
                first,
                num,
            });
        }
        let with_grants = grants
            .into_iter()
            .enumerate()
            .filter(|(_, grants)| !grants.is_empty());
        let order = |(idx, grants)| {
            let order = Order {
                grants,
                ..self.run_order()
            };
            (idx, order)
        };
        with_grants.map(order).collect()
    }

    /// Serves what the SMs requested in the quantum. Returns the orders that settle it and run the next one.
    fn end_quantum(&mut self, before: &mut impl FnMut(u64, &dyn Fn(u64) -> Load)) -> Vec<(usize, Order)> {
        self.beyond.serve(
            self.from,
            &mut self.agenda,
            &self.requested,
            &mut self.answers,
            before,
        );
        let (from, to) = (self.from, self.to);
        self.cycle = to;
        let next = self.next.iter().copied().fold(NEVER, u64::min);
        if self.queue.is_done() {
            // A grid is done when its last atomic updates are.
            let end = self.beyond.updates_end().max(self.last_finish + 1);
            self.cycle = end.min(self.max_cycles);
            self.phase = Phase::Ends(if end <= self.max_cycles {
                Outcome::Finished
            } else {
                Outcome::CycleBudget
            });
        } else if next == NEVER {
            // A deadlock is reported in lock-step.
            self.is_lost = true;
            self.phase = Phase::Over;
            return Vec::new();
        } else if next.max(to) >= self.max_cycles {
            self.cycle = self.max_cycles;
            self.phase = Phase::Ends(Outcome::CycleBudget);
        } else if self.makes_no_progress() {
            // SMs can wait for each other forever, which only a search in lock-step proves.
            self.is_lost = true;
            self.phase = Phase::Over;
            return Vec::new();
        } else {
            self.from = next.max(to);
            self.to = self.max_cycles.min(self.from + self.quantum);
        }
        let run = match self.phase {
            Phase::Runs => self.run_order(),
            _ => Order::default(),
        };
        let changes = std::mem::take(&mut self.changes);
        let parts = self.answers.chunks_mut(self.per_part).enumerate();
        let order = |(idx, answers): (usize, &mut [Vec<u64>])| {
            let first = idx * self.per_part;
            let sms = first..first + answers.len();
            let others = changes.iter().filter(|(sm, _)| !sms.contains(&usize::from(*sm)));
            let settle = Settle {
                from,
                to,
                answers: answers.iter_mut().map(std::mem::take).collect(),
                changes: others.cloned().collect(),
            };
            let order = Order {
                settle: Some(settle),
                ..run.clone()
            };
            (idx, order)
        };
        parts.map(order).collect()
    }

    /// Whether SMs have only polled since the last check: no block started or finished, nothing was stored, and device memory
    /// moved nothing.
    fn makes_no_progress(&mut self) -> bool {
        if !self.watch.may_spin || self.cycle < self.watch.check_at {
            return false;
        }
        self.watch.check_at = next_check(self.cycle + 1);
        let moved = if self.watch.has_l2 {
            self.beyond.common.requested().dram_bytes
        } else {
            0
        };
        let progress = (self.queue.started, self.queue.finished, moved);
        let before = std::mem::replace(&mut self.watch.progress, progress);
        let has_stored = std::mem::take(&mut self.watch.has_stored);
        before == progress && !has_stored
    }
}
