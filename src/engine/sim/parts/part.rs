//! SMs of a device that run apart for a quantum.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::beyond::Agenda;
use crate::arch::Architecture;
use crate::sim::Sink;
use crate::sim::block_scheduler::GridQueue;
use crate::sim::device::{Place, REFILL_CYCLES};
use crate::sim::dram::FarMemory;
use crate::sim::lsu::values;
use crate::sim::machine::Prepared;
use crate::sim::memory::DeviceMemory;
use crate::sim::outbox::{Outbox, Requested, Sent, resolved};
use crate::sim::sm::{NEVER, Setup, Sm};

/// An SM, and how far it has run.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) place: Place,
    /// The first cycle that it has not run.
    pub(super) clock: u64,
    /// The cycle for which it got blocks, or none.
    pub(super) granted_at: u64,
}

/// Blocks that an SM can take in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Wish {
    pub(super) cycle: u64,
    pub(super) sm: u16,
    pub(super) num: u32,
}

/// Blocks that an SM gets: `num` of them, from the number `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Grant {
    pub(super) cycle: u64,
    pub(super) sm: u16,
    pub(super) first: u32,
    pub(super) num: u32,
}

impl Grant {
    /// The queue of an SM that has these blocks only.
    const fn queue(self) -> GridQueue {
        GridQueue {
            num_blocks: self.first + self.num,
            started: self.first,
            finished: 0,
        }
    }
}

/// What ends a quantum.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Settle {
    /// The quantum: its first cycle and the one after its last.
    pub(super) from: u64,
    pub(super) to: u64,
    /// The answers to the requests of each SM of the part.
    pub(super) answers: Vec<Vec<u64>>,
    /// How SMs of other parts changed memory: the SM and its accesses.
    pub(super) changes: Vec<(u16, Sent)>,
}

/// What a part is to do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Order {
    /// What ends the last quantum, at first.
    pub(super) settle: Option<Settle>,
    /// Blocks for SMs that stopped for them.
    pub(super) grants: Vec<Grant>,
    /// Whether the grid has blocks that wait.
    pub(super) any_left: bool,
    /// Runs up to this cycle.
    pub(super) to: u64,
}

impl Order {
    /// Whether the run is over afterward.
    pub(crate) const fn is_last(&self) -> bool {
        self.to == 0
    }
}

/// What a part did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reply {
    /// The part.
    pub(super) idx: usize,
    /// SMs that stopped for blocks. If there are any, the quantum is not over.
    pub(super) wishes: Vec<Wish>,
    /// The requests of each SM in the quantum.
    pub(super) requested: Vec<Requested>,
    /// How each SM changed memory in the quantum; empty without other parts.
    pub(super) changes: Vec<(u16, Sent)>,
    /// The next cycle with work.
    pub(super) next: u64,
    /// Blocks that finished, and the last cycle in which one did.
    pub(super) finished: u32,
    pub(super) last_finish: u64,
    /// Whether an SM has stored to global memory, other than by atomic operations.
    pub(super) has_stored: bool,
    /// Whether a thing happened that needs lock-step.
    pub(super) is_lost: bool,
}

impl Reply {
    /// The part that replies.
    pub(crate) const fn part(&self) -> usize {
        self.idx
    }
}

/// SMs of a device, with their copy of global memory.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(super) idx: usize,
    pub(super) first: u16,
    pub(super) lanes: Vec<Lane>,
    pub(super) memory: DeviceMemory,
    pub(super) agenda: Agenda,
    pub(super) times: Vec<u64>,
    /// What each SM of the device sent in the quantum.
    pub(super) sent: Vec<Sent>,
    pub(super) has_others: bool,
    pub(super) finished: u32,
    pub(super) last_finish: u64,
    pub(super) is_lost: bool,
}

impl Part {
    /// Gives every SM of the device a block in turn, and starts those of this part. Returns the number of blocks started.
    pub(super) fn place_blocks<S: Sink>(
        &mut self,
        arch: &Architecture,
        per_sm: u32,
        num_sms: usize,
        num_blocks: u32,
        sinks: &mut [S],
    ) -> u32 {
        let mut counts = vec![0; num_sms];
        let mut started = 0;
        let mut placed = true;
        while placed {
            placed = false;
            for idx in arch.block_order(num_sms, (num_blocks - started) as usize) {
                if started == num_blocks || counts[idx] == per_sm {
                    continue;
                }
                let own = idx.checked_sub(usize::from(self.first));
                let own = own.and_then(|own| Some((self.lanes.get_mut(own)?, sinks.get_mut(own)?)));
                if let Some((lane, sink)) = own {
                    let Place { setup, sm } = &mut lane.place;
                    let grant = Grant {
                        cycle: 0,
                        sm: setup.sm,
                        first: started,
                        num: 1,
                    };
                    sm.blocks.queue = grant.queue();
                    sm.start_block(setup, 0, sink);
                }
                counts[idx] += 1;
                started += 1;
                placed = true;
            }
        }
        started
    }

    /// The first SM of the part, and the first one after it.
    pub(crate) fn sms(&self) -> std::ops::Range<usize> {
        let first = usize::from(self.first);
        first..first + self.lanes.len()
    }

    /// Does what an order says. `sinks`: one for each SM of the part.
    pub(crate) fn obey<S: Sink>(&mut self, order: Order, sinks: &mut [S]) -> Reply {
        if let Some(settle) = order.settle {
            self.settle(settle);
        }
        self.grant(&order.grants);
        let mut wishes = Vec::new();
        self.run(order.to, order.any_left, &mut wishes, sinks);
        let mut reply = Reply {
            idx: self.idx,
            wishes,
            next: self.next(),
            finished: std::mem::take(&mut self.finished),
            last_finish: self.last_finish,
            is_lost: self.is_lost,
            ..Reply::default()
        };
        if reply.wishes.is_empty() {
            let sms = self.sms();
            let own = self.sent[sms].iter_mut().zip(self.first..).zip(&mut self.lanes);
            for ((sent, sm), lane) in own {
                let outbox = lane.place.sm.lsu.far.outbox.as_mut();
                reply
                    .requested
                    .push(outbox.map_or_else(Requested::default, |outbox| {
                        std::mem::swap(sent, &mut outbox.sent);
                        std::mem::take(&mut outbox.requested)
                    }));
                reply.has_stored |= sent.has_stored();
                if self.has_others && !sent.data.is_empty() {
                    reply.changes.push((sm, sent.changes()));
                }
            }
        }
        reply
    }

    /// The next cycle in which an SM has work.
    fn next(&self) -> u64 {
        let next = |lane: &Lane| match lane.place.sm.next_event() {
            NEVER => NEVER,
            next => next.max(lane.clock),
        };
        self.lanes.iter().map(next).fold(NEVER, u64::min)
    }

    /// Runs each SM up to cycle `to`. An SM that can take blocks stops in that cycle if the grid has any.
    fn run<S: Sink>(&mut self, to: u64, any_left: bool, wishes: &mut Vec<Wish>, sinks: &mut [S]) {
        for (lane, sink) in self.lanes.iter_mut().zip(sinks) {
            let Place { setup, sm } = &mut lane.place;
            if sm.next_event() >= to {
                continue;
            }
            std::mem::swap(&mut sm.device, &mut self.memory);
            loop {
                let now = sm.next_event().max(lane.clock);
                if now >= to || self.is_lost {
                    break;
                }
                if any_left && sm.refill_at <= now && lane.granted_at != now {
                    wishes.push(Wish {
                        cycle: now,
                        sm: setup.sm,
                        num: sm.blocks.room(setup.warps_per_block),
                    });
                    break;
                }
                let finished = sm.blocks.queue.finished;
                sm.tick(setup, now, sink);
                lane.clock = now + 1;
                let done = sm.blocks.queue.finished - finished;
                if done > 0 {
                    self.finished += done;
                    self.last_finish = self.last_finish.max(now);
                }
                if let Some(outbox) = &mut sm.lsu.far.outbox {
                    outbox.end_tick(now);
                    self.is_lost |= outbox.is_lost;
                }
                self.is_lost |= sm.fault.is_some();
            }
            std::mem::swap(&mut sm.device, &mut self.memory);
        }
    }

    /// Gives blocks to the SMs that stopped for them.
    fn grant(&mut self, grants: &[Grant]) {
        for grant in grants {
            let own = usize::from(grant.sm).checked_sub(usize::from(self.first));
            if let Some(lane) = own.and_then(|own| self.lanes.get_mut(own)) {
                let queue = &mut lane.place.sm.blocks.queue;
                *queue = GridQueue {
                    finished: queue.finished,
                    ..grant.queue()
                };
                lane.granted_at = grant.cycle;
            }
        }
    }

    /// Ends a quantum: brings answers to this part's SMs, and moves the data of all SMs.
    fn settle(&mut self, settle: Settle) {
        let mut all = std::mem::take(&mut self.sent);
        for (sm, sent) in settle.changes {
            all[usize::from(sm)] = sent;
        }
        for (lane, answers) in self.lanes.iter_mut().zip(&settle.answers) {
            let Place { setup, sm } = &mut lane.place;
            if let Some(mut outbox) = sm.lsu.far.outbox.take() {
                outbox.resolve(answers, &mut self.times);
                if let Some(in_flight) = &mut sm.lsu.in_flight {
                    in_flight.settle(|answered| resolved(&self.times, answered));
                }
                for fill in &outbox.fills {
                    sm.lsu.settle_fill(fill, resolved(&self.times, fill.arrives));
                }
                for access in &outbox.accesses {
                    sm.settle_access(setup, access, resolved(&self.times, access.done), settle.to);
                }
                outbox.clear();
                sm.lsu.far.outbox = Some(outbox);
            }
        }
        self.agenda
            .list(settle.from, all.iter().map(|sent| sent.ticks.as_slice()));
        for turn in self.agenda.cycles.iter().flatten() {
            let sent = &all[usize::from(turn.sm)];
            let own = usize::from(turn.sm).checked_sub(usize::from(self.first));
            let lane = own.and_then(|own| self.lanes.get_mut(own));
            let data = &sent.data[turn.first as usize..turn.end as usize];
            if let Some(lane) = lane {
                for data in data {
                    self.is_lost |= !lane.place.sm.move_sent(sent, data, &mut self.memory);
                }
            } else {
                for data in data {
                    values::change(&mut self.memory, sent, data);
                }
            }
        }
        for sent in &mut all {
            sent.clear();
        }
        self.sent = all;
    }
}

/// An SM that runs apart.
pub(super) fn sm_apart(prepared: &Prepared, sm: u16) -> Place {
    let setup = Setup {
        sm,
        refill_cycles: REFILL_CYCLES,
        ..prepared.setup.clone()
    };
    let mut far = FarMemory::of_device(setup.arch, sm);
    far.outbox = Some(Box::new(Outbox::new(setup.arch)));
    let sm = Sm::new(
        &setup,
        prepared.occupancy.blocks_per_sm,
        0,
        DeviceMemory::default(),
        prepared.l1.clone(),
        far,
    );
    Place {
        setup: Arc::new(setup),
        sm,
    }
}
