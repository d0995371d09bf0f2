//! What a GPU has while the program runs: SMs with blocks, work queues, copy engines, and the process that has the
//! GPU.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::Work;

/// The whole of a resource of an SM; a block takes this divided by the blocks that fit, rounded down.
const WHOLE: u32 = 1 << 20;

/// A running block: its end in the time of its context, a number that makes the order total, its operation, and its SM.
type Block = Reverse<(u64, u64, usize, u16)>;

/// The running blocks of a context. Its time stands still while another process has the GPU.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) is_active: bool,
    /// The last change of `is_active`, and the time of the context then.
    since_ns: u64,
    own_ns: u64,
    blocks: BinaryHeap<Block>,
}

impl Context {
    fn own_at(&self, now: u64) -> u64 {
        if self.is_active {
            self.own_ns + (now - self.since_ns)
        } else {
            self.own_ns
        }
    }

    pub(super) fn set_active(&mut self, is_active: bool, now: u64) {
        self.own_ns = self.own_at(now);
        self.since_ns = now;
        self.is_active = is_active;
    }

    pub(super) fn is_running(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The end of the first block to end, if the context runs.
    pub(super) fn next_end(&self) -> Option<u64> {
        let Reverse((end, ..)) = self.blocks.peek()?;
        self.is_active.then(|| self.since_ns + (end - self.own_ns))
    }

    /// Removes a block that has ended: its operation and its SM.
    pub(super) fn pop_ended(&mut self, now: u64) -> Option<(usize, u16)> {
        if self.next_end()? > now {
            return None;
        }
        self.blocks.pop().map(|Reverse((_, _, op, sm))| (op, sm))
    }

    pub(super) fn start(&mut self, now: u64, length: u64, number: u64, op: usize, sm: u16) {
        let end = self.own_at(now) + length;
        self.blocks.push(Reverse((end, number, op, sm)));
    }

    /// Removes all blocks of operations that a test selects: their operations and SMs.
    pub(super) fn remove(&mut self, is_gone: impl Fn(usize) -> bool) -> Vec<(usize, u16)> {
        let all = std::mem::take(&mut self.blocks);
        let (gone, kept): (Vec<Block>, Vec<Block>) =
            all.into_iter().partition(|Reverse((_, _, op, _))| is_gone(*op));
        self.blocks = kept.into();
        gone.into_iter().map(|Reverse((_, _, op, sm))| (op, sm)).collect()
    }
}

/// The use of the SMs of a GPU.
#[derive(Debug)]
pub(super) struct Sms {
    /// Used parts of each resource of each SM.
    used: Vec<[u32; 4]>,
    /// Blocks of each SM.
    blocks: Vec<u32>,
    /// The order in which idle SMs take blocks.
    order: Vec<usize>,
    pub(super) num_resident: u32,
}

impl Sms {
    pub(super) fn new(order: Vec<usize>) -> Self {
        Self {
            used: vec![[0; 4]; order.len()],
            blocks: vec![0; order.len()],
            order,
            num_resident: 0,
        }
    }

    fn cost(work: &Work) -> [u32; 4] {
        work.limits
            .map(|limit| limit.map_or(0, |limit| WHOLE / limit.max(1)))
    }

    /// The SM for a block: of those with room, the one with the fewest blocks. `allowed`: the first SM and the number
    /// of SMs that the client can use.
    pub(super) fn place(&self, work: &Work, allowed: (u16, u16)) -> Option<u16> {
        let cost = Self::cost(work);
        let num = self.order.len();
        let is_allowed = |sm: usize| (sm + num - usize::from(allowed.0) % num) % num < usize::from(allowed.1);
        let has_room = |sm: usize| {
            self.used[sm]
                .iter()
                .zip(cost)
                .all(|(used, cost)| used + cost <= WHOLE)
        };
        let fitting = self
            .order
            .iter()
            .copied()
            .filter(|sm| is_allowed(*sm) && has_room(*sm));
        fitting.min_by_key(|sm| self.blocks[*sm]).map(|sm| sm as u16)
    }

    pub(super) fn take(&mut self, work: &Work, sm: u16) {
        for (used, cost) in self.used[usize::from(sm)].iter_mut().zip(Self::cost(work)) {
            *used += cost;
        }
        self.blocks[usize::from(sm)] += 1;
        self.num_resident += 1;
    }

    pub(super) fn free(&mut self, work: &Work, sm: u16) {
        for (used, cost) in self.used[usize::from(sm)].iter_mut().zip(Self::cost(work)) {
            *used -= cost;
        }
        self.blocks[usize::from(sm)] -= 1;
        self.num_resident -= 1;
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// All processes run together.
    Shared,
    /// No process has run yet, or the last one has no work.
    Free(Option<u8>),
    /// A context runs until its slice ends.
    Runs(u8, u64),
    /// The GPU switches to a context until then.
    Switches(u8, u64),
}

/// A queue: its context, its connection, and 0 for kernels or 1 plus the copy engine.
pub(super) type QueueKey = (u8, u32, u8);

/// A GPU.
#[derive(Debug)]
pub(super) struct Gpu {
    pub(super) sms: Sms,
    pub(super) contexts: BTreeMap<u8, Context>,
    pub(super) queues: BTreeMap<QueueKey, VecDeque<usize>>,
    /// The operation that each copy engine performs.
    pub(super) engines: [Option<usize>; 4],
    /// Kernels that have started and not ended, in the order of their starts.
    pub(super) kernels: Vec<usize>,
    pub(super) turn: Turn,
    /// Since when the turn's context runs.
    pub(super) turn_ns: u64,
}
