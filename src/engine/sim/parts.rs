//! A device whose SMs run apart: for a quantum shorter than the shortest way to L2 and back, no SM sees another one. At its
//! end, what all SMs sent is served in order of cycle and SM, as in lock-step, so all cycles and values are equal to those
//! of [`Device`](super::device::Device). SMs are in parts, which share nothing within a quantum. A part can be on another
//! thread: it takes orders and replies, both plain data.
//!
//! What only SMs in lock-step can do ends such a run ([`Apart::is_lost`]): a fault, a deadlock, or a load that hits in L1
//! after another SM stored to its address in the same quantum.

mod beyond;
mod head;
mod part;

use self::beyond::Agenda;
use self::head::Head;
use self::part::{Lane, sm_apart};
pub(crate) use self::part::{Order, Part, Reply};
use super::decode::{Code, Kind};
use super::device::{Load, REFILL_CYCLES};
use super::machine::{LaunchError, Prepared};
use super::memory::{BufferPlace, Outputs, buffer_ranges};
use super::outbox::{OPEN, Sent, shortest_answer};
use super::sm::NEVER;
use super::{MachineOptions, Outcome, Sink};
use crate::arch::{Architecture, Occupancy, OpClass, curve_at};
use crate::ids::Cycle;
use crate::isa::Program;
use crate::launch::Launch;

/// Quanta that are shorter are not worth the exchange.
const MIN_QUANTUM: u64 = 16;

/// Cycles for which SMs can run apart: no result that depends on other SMs can be used earlier. A result of fixed latency
/// that is not ready at the end of a quantum is ready before all of these. `None` if the SMs of this launch must run in
/// lock-step.
fn quantum(arch: &Architecture, code: &Code, options: &MachineOptions) -> Option<u64> {
    let memory = &arch.memory;
    let curve = memory.atomics.global_latency_curve.value;
    let alone = u64::from(curve_at(curve, 1));
    let cost = arch.cost(OpClass::GlobalAtomic);
    let atomic = (1..=32).filter_map(|lanes| {
        let way = u64::from(cost?.latency_cycles.value);
        Some((way + u64::from(curve_at(curve, lanes))).saturating_sub(alone))
    });
    let constant = u64::from(memory.constant.l2_latency_cycles.value);
    let least = shortest_answer(arch).min(atomic.min().unwrap_or(u64::MAX)).min(
        if memory.constant.l3_bytes.value == 0 {
            constant
        } else {
            u64::MAX
        },
    );
    let fixed = code.instructions.iter().map(|decoded| {
        let latency = if decoded.fixed_latency { decoded.latency } else { 0 };
        latency.max(decoded.access_stall)
    });
    // Dispatch can hold instructions, which delays results of fixed latency.
    let margin = 2 * fixed.max().unwrap_or(0) + 16;
    let quantum = least.saturating_sub(margin).min(REFILL_CYCLES);
    let apart = code
        .instructions
        .iter()
        .all(|decoded| !matches!(decoded.kind, Kind::Library | Kind::Image | Kind::Copy));
    (apart && quantum >= MIN_QUANTUM && options.max_cycles < OPEN / 2).then_some(quantum)
}

/// Makes the parts of a launch.
pub(crate) struct PartMaker {
    arch: &'static Architecture,
    prepared: Prepared,
    quantum: u64,
    num_sms: u16,
    num_blocks: u32,
    per_part: u16,
}

impl PartMaker {
    /// Takes a launch on `num_sms` SMs in about `num_parts` parts; `None` if the SMs must run in lock-step.
    ///
    /// # Errors
    /// As for a [`Device`](super::device::Device).
    pub(crate) fn new(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        num_sms: u16,
        num_parts: usize,
    ) -> Result<Option<Self>, LaunchError> {
        let prepared = Prepared::new(arch, program, launch, options, num_sms)?;
        let quantum = quantum(arch, &prepared.setup.code, &options).filter(|_| num_sms > 1);
        Ok(quantum.map(|quantum| Self {
            arch,
            prepared,
            quantum,
            num_sms,
            num_blocks: options.num_blocks(launch.grid),
            per_part: num_sms.div_ceil(num_parts.clamp(1, num_sms.into()) as u16),
        }))
    }

    /// The number of parts, at most the requested one.
    pub(crate) const fn num_parts(&self) -> usize {
        self.num_sms.div_ceil(self.per_part) as usize
    }

    /// Makes a part at cycle 0, with the blocks that it starts with. `sinks`: one for each of its SMs. Returns it and the
    /// number of blocks that all parts start with.
    fn part<S: Sink>(&self, idx: usize, sinks: &mut [S]) -> (Part, u32) {
        let first = self.per_part * idx as u16;
        let lanes = (first..self.num_sms.min(first + self.per_part)).map(|sm| Lane {
            place: sm_apart(&self.prepared, sm),
            clock: 0,
            granted_at: NEVER,
        });
        let mut part = Part {
            idx,
            first,
            lanes: lanes.collect(),
            memory: self.prepared.memory.device.clone(),
            agenda: Agenda::default(),
            times: Vec::new(),
            sent: vec![Sent::default(); self.num_sms.into()],
            has_others: self.num_parts() > 1,
            finished: 0,
            last_finish: 0,
            is_lost: false,
        };
        let per_sm = self.prepared.occupancy.blocks_per_sm;
        let started = part.place_blocks(self.arch, per_sm, self.num_sms.into(), self.num_blocks, sinks);
        (part, started)
    }

    /// Makes a part for a thread of its own. `new_sinks` makes the sinks of a number of SMs.
    pub(crate) fn part_alone<S: Sink>(
        &self,
        idx: usize,
        new_sinks: impl FnOnce(usize) -> Vec<S>,
    ) -> Option<(Part, Vec<S>)> {
        let first = usize::from(self.per_part) * idx;
        let num = usize::from(self.num_sms)
            .checked_sub(first)
            .filter(|num| *num > 0)?;
        let mut sinks = new_sinks(num.min(self.per_part.into()));
        let (part, _) = self.part(idx, &mut sinks);
        Some((part, sinks))
    }
}

/// A device whose SMs run apart, in one or more parts: the first ones on this thread, further ones on other threads.
#[derive(Debug)]
pub(crate) struct Apart {
    head: Head,
    parts: Vec<Part>,
    buffers: Vec<BufferPlace>,
    occupancy: Occupancy,
    /// Orders that no part has yet.
    orders: Vec<(usize, Order)>,
    replies: Vec<Reply>,
    /// Replies of other threads that are not here yet.
    num_awaited: usize,
    /// Whether the last part runs first.
    #[cfg(test)]
    pub(super) backward: bool,
}

impl Apart {
    /// Creates a device at cycle 0, of whose parts `num_local` are on this thread. `sinks`: one for each SM.
    pub(crate) fn new<S: Sink>(maker: PartMaker, max_cycles: u64, num_local: usize, sinks: &mut [S]) -> Self {
        let mut started = 0;
        let parts = (0..maker.num_parts().min(num_local.max(1))).map(|idx| {
            let first = usize::from(maker.per_part) * idx;
            let (part, all) = maker.part(idx, &mut sinks[first..]);
            started = all;
            part
        });
        let parts: Vec<Part> = parts.collect();
        let head = Head::new(&maker, started, max_cycles);
        Self {
            orders: head.first_orders(),
            head,
            parts,
            buffers: maker.prepared.memory.buffers,
            occupancy: maker.prepared.occupancy,
            replies: Vec::new(),
            num_awaited: 0,
            #[cfg(test)]
            backward: false,
        }
    }

    /// Cycles for which the SMs run apart.
    #[cfg(test)]
    pub(crate) const fn quantum(&self) -> u64 {
        self.head.quantum
    }

    /// Whether the run must be repeated in lock-step.
    pub(crate) const fn is_lost(&self) -> bool {
        self.head.is_lost
    }

    /// The cycle that is simulated next.
    pub(crate) const fn cycle(&self) -> u64 {
        self.head.cycle
    }

    /// The outcome of the run, if it has ended.
    pub(crate) const fn outcome(&self) -> Option<&Outcome> {
        self.head.outcome.as_ref()
    }

    /// The occupancy of an SM with this launch.
    pub(crate) const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Blocks of the grid: all, started, and finished.
    pub(crate) const fn progress(&self) -> (u32, u32, u32) {
        let queue = &self.head.queue;
        (queue.num_blocks, queue.started, queue.finished)
    }

    /// What L2 and device memory have moved before a cycle, if no request is later.
    pub(crate) fn moved_before(&self, cycle: u64) -> Load {
        self.head.beyond.common.moved(cycle)
    }

    /// What was requested of L2 and device memory so far, moved or not.
    pub(crate) fn requested(&self) -> Load {
        self.head.beyond.common.requested()
    }

    /// The first address of the buffer of each of these arguments, and the address after its last; empty without a buffer.
    pub(crate) fn buffer_ranges(&self, arguments: &[usize]) -> Vec<(u64, u64)> {
        let memory = self.parts.first().map(|part| &part.memory);
        memory.map_or_else(Vec::new, |memory| buffer_ranges(memory, &self.buffers, arguments))
    }

    /// Global memory with the locations of the arguments' buffers: at the end of the run, what the kernel left.
    pub(crate) fn outputs(&self) -> Outputs {
        let part = self.parts.first();
        Outputs {
            device: part.map(|part| part.memory.clone()).unwrap_or_default(),
            buffers: self.buffers.clone(),
        }
    }

    /// The parts on other threads.
    pub(crate) fn parts_elsewhere(&self) -> std::ops::Range<usize> {
        self.parts.len()..self.head.num_parts()
    }

    /// The orders for parts on other threads that they have not got yet. Each will send a reply.
    pub(crate) fn take_orders(&mut self) -> Vec<(usize, Order)> {
        let num_local = self.parts.len();
        let orders: Vec<_> = self.orders.extract_if(.., |(idx, _)| *idx >= num_local).collect();
        self.num_awaited += orders.len();
        orders
    }

    /// Whether other threads must do something first: take an order, or send a reply.
    pub(crate) fn is_waiting(&self) -> bool {
        self.num_awaited > 0 || self.has_orders_elsewhere()
    }

    fn has_orders_elsewhere(&self) -> bool {
        self.orders.iter().any(|(idx, _)| *idx >= self.parts.len())
    }

    /// Takes a reply of another thread.
    pub(crate) fn receive(&mut self, reply: Reply) {
        self.num_awaited = self.num_awaited.saturating_sub(1);
        self.replies.push(reply);
    }

    /// Runs to the end of the quantum that reaches cycle `end`, or to the end of the run. Calls `before` with each cycle that
    /// has requests, and what was moved before a cycle up to that one. Returns false when the run is over or lost, and true
    /// when it waits for other threads.
    pub(crate) fn run_until<S: Sink>(
        &mut self,
        end: Cycle,
        sinks: &mut [S],
        mut before: impl FnMut(u64, &dyn Fn(u64) -> Load),
    ) -> bool {
        while self.head.is_open(end.0) {
            if self.has_orders_elsewhere() {
                // The other threads get their orders before this one works.
                return true;
            }
            let num_local = self.parts.len();
            let mut own: Vec<_> = self.orders.extract_if(.., |(idx, _)| *idx < num_local).collect();
            #[cfg(test)]
            if self.backward {
                own.reverse();
            }
            for (idx, order) in own.drain(..) {
                let part = &mut self.parts[idx];
                let sms = part.sms();
                self.replies.push(part.obey(order, &mut sinks[sms]));
            }
            if self.is_waiting() {
                return true;
            }
            self.orders = self.head.step(&mut self.replies, &mut before);
        }
        !self.head.is_over()
    }
}
