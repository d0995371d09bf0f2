//! What a GPU has while the program runs: SMs with blocks, work queues, copy engines, and the process that has the
//! GPU.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::Work;
use super::trace::{Resource, Slowdown};

/// The whole of a resource of an SM; a block takes this divided by the blocks that fit, rounded down.
const WHOLE: u32 = 1 << 20;

/// Parts of a nanosecond in the time of a running block.
const PARTS: u64 = 1024;

/// A running block: its end in the time of its group, and a number that makes the order total.
type Block = Reverse<(u64, u64)>;

/// How fast blocks run, and what slows them most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pace {
    /// 1: as fast as alone; 0: the blocks stand still.
    pub(super) rate: f64,
    pub(super) slowed_by: Option<Resource>,
}

impl Pace {
    /// The pace of blocks that nothing slows.
    pub(super) const FULL: Self = Self {
        rate: 1.0,
        slowed_by: None,
    };
    const STOPPED: Self = Self {
        rate: 0.0,
        slowed_by: None,
    };
}

/// The running blocks of an operation on an SM, which have one pace.
#[derive(Debug, Default)]
struct Group {
    pace: Pace,
    /// The last change, and the time of the group then, in parts.
    since_ns: u64,
    own: u64,
    blocks: BinaryHeap<Block>,
    slowdown: Slowdown,
}

impl Group {
    fn own_at(&self, now: u64) -> u64 {
        self.own + ((now - self.since_ns) as f64 * self.pace.rate * PARTS as f64) as u64
    }

    /// Brings the time of the group up to date.
    fn touch(&mut self, now: u64) {
        let (before, num) = (self.own, self.blocks.len() as f64);
        self.own = self.own_at(now);
        let length = (now - self.since_ns) as f64;
        self.since_ns = now;
        self.slowdown.alone_ns += (self.own - before) as f64 / PARTS as f64 * num;
        if let Some(resource) = self.pace.slowed_by {
            self.slowdown.lost_ns[resource as usize] += length * (1.0 - self.pace.rate) * num;
        }
    }

    fn next_end(&self) -> Option<u64> {
        let Reverse((end, _)) = self.blocks.peek()?;
        let left = end.saturating_sub(self.own) as f64 / PARTS as f64;
        (self.pace.rate > 0.0).then(|| self.since_ns + (left / self.pace.rate).ceil() as u64)
    }

    /// Whether the first block has ended. The time of a slowed group is rounded down.
    fn has_ended(&self, now: u64) -> bool {
        self.next_end().is_some_and(|end| end <= now)
    }
}

/// The running blocks of a context. Its time stands still while another process has the GPU.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) is_active: bool,
    /// By operation and SM.
    groups: BTreeMap<(usize, u16), Group>,
}

impl Context {
    pub(super) fn set_active(&mut self, is_active: bool, now: u64) {
        self.is_active = is_active;
        if !is_active {
            for group in self.groups.values_mut() {
                group.touch(now);
                group.pace = Pace::STOPPED;
            }
        }
    }

    pub(super) fn is_running(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The end of the first block to end, if the context runs.
    pub(super) fn next_end(&self) -> Option<u64> {
        self.groups.values().filter_map(Group::next_end).min()
    }

    /// Removes the blocks that have ended: their operations and their SMs, in the order of their starts. `slowdowns`:
    /// receives what slowed the blocks of operations that end on an SM.
    pub(super) fn take_ended(
        &mut self,
        now: u64,
        mut slowdown: impl FnMut(usize, Slowdown),
    ) -> Vec<(usize, u16)> {
        let mut ended = Vec::new();
        self.groups.retain(|(op, sm), group| {
            while group.has_ended(now) {
                group.touch(now);
                if let Some(Reverse((_, number))) = group.blocks.pop() {
                    ended.push((number, *op, *sm));
                }
            }
            if group.blocks.is_empty() {
                slowdown(*op, group.slowdown);
            }
            !group.blocks.is_empty()
        });
        ended.sort_unstable();
        ended.into_iter().map(|(_, op, sm)| (op, sm)).collect()
    }

    /// Starts a block that takes this long alone.
    pub(super) fn start(&mut self, now: u64, length: u64, number: u64, op: usize, sm: u16) {
        let group = self.groups.entry((op, sm)).or_insert_with(|| Group {
            since_ns: now,
            ..Group::default()
        });
        group.touch(now);
        if group.blocks.is_empty() && self.is_active {
            group.pace = Pace::FULL;
        }
        group.blocks.push(Reverse((group.own + length * PARTS, number)));
    }

    /// The operations with blocks on each SM, and the number of these blocks.
    pub(super) fn running(&self) -> impl Iterator<Item = ((usize, u16), u32)> {
        self.groups
            .iter()
            .map(|(key, group)| (*key, group.blocks.len() as u32))
    }

    /// Sets the pace of the blocks of each operation on each SM.
    pub(super) fn set_paces(&mut self, now: u64, pace: impl Fn(usize, u16) -> Pace) {
        for ((op, sm), group) in &mut self.groups {
            let pace = pace(*op, *sm);
            if pace != group.pace {
                group.touch(now);
                group.pace = pace;
            }
        }
    }

    /// Removes all blocks of operations that a test selects: their operations and SMs.
    pub(super) fn remove(&mut self, is_gone: impl Fn(usize) -> bool) -> Vec<(usize, u16)> {
        let mut gone = Vec::new();
        self.groups.retain(|(op, sm), group| {
            let goes = is_gone(*op);
            if goes {
                gone.extend(group.blocks.iter().map(|_| (*op, *sm)));
            }
            !goes
        });
        gone
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
    /// Whether blocks have started or ended since their paces were set.
    pub(super) has_changed: bool,
    /// Kernels that have started and not ended, in the order of their starts.
    pub(super) kernels: Vec<usize>,
    pub(super) turn: Turn,
    /// Since when the turn's context runs.
    pub(super) turn_ns: u64,
}
