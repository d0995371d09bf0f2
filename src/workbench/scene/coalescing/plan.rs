//! A request to global or local memory as the picture needs it: lines, what is fetched of them, and
//! which lanes use which bytes. All counts come from `access::global`, as in the machine.

use crate::playground::{self, Lanes, Playground};
use engine::access::{self, AccessOp, CacheLevel, GlobalAccess};
use engine::arch::Architecture;
use engine::ids::LaneMask;
use engine::isa::{Op, Space};
use engine::sim::{Access, LoadCaching, RequestKind, local_addresses, route};
use engine::trace::Frame;

/// Bytes of a line of the picture: what a tag of L1 or L2 covers, and the longest segment of 1.x.
pub(in crate::scene) const LINE_BYTES: u64 = 128;
/// Bytes of a sector, the smallest fetch of every generation.
pub(in crate::scene) const SECTOR_BYTES: u64 = 32;

/// A request, with all that decides its transactions on any architecture.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Request {
    pub(in crate::scene) kind: RequestKind,
    pub(in crate::scene) mask: LaneMask,
    /// Where the lanes' bytes lie for the caches.
    pub(in crate::scene) addresses: [u64; 32],
    /// Bytes a lane.
    pub(in crate::scene) size: u32,
    way: Way,
    caching: LoadCaching,
}

/// What decides the way of a request through the caches.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// The instruction of a run.
    Instruction(Op),
    /// An ordinary access that was typed.
    Typed(AccessOp),
}

impl Request {
    pub(in crate::scene) fn of(frame: &Frame, access: &Access) -> Option<Self> {
        let size = u32::from(access.width_bits).div_ceil(8).max(1);
        let is_local = matches!(access.kind, RequestKind::LocalLoad | RequestKind::LocalStore);
        let addresses = if is_local {
            let local_bytes = frame.trace().program().local_bytes_per_thread;
            local_addresses(local_bytes, access.slot, &access.addresses, size)
        } else {
            access.addresses
        };
        Some(Self {
            kind: access.kind,
            mask: access.mask,
            addresses,
            size,
            way: Way::Instruction(frame.instruction(access.pc)?.op),
            caching: frame.trace().options().load_caching,
        })
    }

    /// What it does, and which cache of an architecture sees it first.
    pub(in crate::scene) fn route(&self, arch: &Architecture) -> (AccessOp, CacheLevel) {
        let space = match self.kind {
            RequestKind::LocalLoad | RequestKind::LocalStore => Space::Local,
            _ => Space::Global,
        };
        match self.way {
            Way::Instruction(op) => route(arch, self.caching, op, space),
            Way::Typed(op) => (op, playground::first_cache(op, arch, self.caching)),
        }
    }

    /// A request that is typed.
    pub(in crate::scene) fn typed(playground: &Playground, lanes: &Lanes, caching: LoadCaching) -> Self {
        Self {
            kind: match playground.op {
                AccessOp::Load => RequestKind::GlobalLoad,
                AccessOp::Store => RequestKind::GlobalStore,
                AccessOp::Atomic => RequestKind::GlobalAtomic,
            },
            mask: lanes.mask,
            addresses: lanes.addresses,
            size: playground.elem.into(),
            way: Way::Typed(playground.op),
            caching,
        }
    }

    /// Its transactions on an architecture.
    pub(in crate::scene) fn on(&self, arch: &Architecture) -> GlobalAccess {
        self.past(arch, self.route(arch).1)
    }

    /// Its transactions where this cache is the first to see it.
    pub(in crate::scene) fn past(&self, arch: &Architecture, level: CacheLevel) -> GlobalAccess {
        let (op, width) = (self.route(arch).0, self.size * 8);
        access::global(arch, level, op, width, &self.addresses, self.mask)
    }

    /// First byte of a lane, and the one after its last.
    pub(in crate::scene) fn bytes_of(&self, lane: u32) -> (u64, u64) {
        let size = u64::from(self.size);
        let start = self.addresses[lane as usize] / size * size;
        (start, start + size)
    }
}

/// Transactions that lie over each other, as one piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Fetch {
    /// First byte.
    pub(in crate::scene) base: u64,
    /// Bytes from the first to the last.
    pub(in crate::scene) span: u64,
    /// Transactions, repeats counted.
    pub(in crate::scene) times: u32,
    /// Bytes that they move, repeats counted.
    pub(in crate::scene) moved: u32,
    /// Bytes of it that some lane uses.
    pub(in crate::scene) used: u32,
    pub(in crate::scene) lanes: LaneMask,
}

impl Fetch {
    const fn end(&self) -> u64 {
        self.base + self.span
    }
}

/// Bytes side by side that the same lanes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Run {
    /// First byte, from the start of its line.
    pub(in crate::scene) from: u32,
    /// The byte after the last.
    pub(in crate::scene) to: u32,
    /// Who uses them.
    pub(in crate::scene) lanes: LaneMask,
}

/// A line of memory that is touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Line {
    /// First byte.
    pub(in crate::scene) base: u64,
    /// Used bytes, in order.
    pub(in crate::scene) runs: Vec<Run>,
    /// The lanes that use it.
    pub(in crate::scene) lanes: LaneMask,
}

/// The request on one architecture.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Plan {
    pub(in crate::scene) request: Request,
    pub(in crate::scene) access: GlobalAccess,
    /// What is moved, by address.
    pub(in crate::scene) fetches: Vec<Fetch>,
    /// Touched lines, by address.
    pub(in crate::scene) lines: Vec<Line>,
}

impl Plan {
    pub(in crate::scene) fn of(frame: &Frame, access: &Access) -> Option<Self> {
        Some(Self::new(Request::of(frame, access)?, frame.arch()))
    }

    /// The request on an architecture.
    pub(in crate::scene) fn new(request: Request, arch: &Architecture) -> Self {
        let access = request.on(arch);
        let lines: Vec<Line> = access.lines.iter().map(|base| line(&request, *base)).collect();
        let mut plan = Self {
            request,
            fetches: fetches(&access),
            access,
            lines,
        };
        for fetch in &mut plan.fetches {
            let line = plan
                .lines
                .iter()
                .find(|line| line.base == fetch.base / LINE_BYTES * LINE_BYTES);
            for run in line.into_iter().flat_map(|line| &line.runs) {
                let base = fetch.base / LINE_BYTES * LINE_BYTES;
                let (from, to) = (base + u64::from(run.from), base + u64::from(run.to));
                let within = to.min(fetch.end()).saturating_sub(from.max(fetch.base));
                fetch.used += within as u32;
            }
        }
        plan
    }

    /// The fetches of a line, with their places among all.
    pub(in crate::scene) fn fetches_of(&self, line: &Line) -> impl Iterator<Item = (usize, &Fetch)> {
        let base = line.base;
        self.fetches
            .iter()
            .enumerate()
            .filter(move |(_, fetch)| fetch.base / LINE_BYTES * LINE_BYTES == base)
    }

    /// The fetch that holds a byte.
    pub(in crate::scene) fn fetch_at(&self, address: u64) -> Option<&Fetch> {
        self.fetches
            .iter()
            .find(|fetch| (fetch.base..fetch.end()).contains(&address))
    }

    /// The line of a lane, as its place among all.
    pub(in crate::scene) fn line_of(&self, lane: u32) -> Option<usize> {
        self.lines.iter().position(|line| line.lanes.contains(lane))
    }

    /// Bytes within a stretch of memory that some of these lanes use, from its start; neighbours put
    /// together.
    pub(in crate::scene) fn used_stretches(&self, base: u64, bytes: u64, lanes: LaneMask) -> Vec<(u64, u64)> {
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        let line = self
            .lines
            .iter()
            .find(|line| line.base == base / LINE_BYTES * LINE_BYTES);
        for run in line.into_iter().flat_map(|line| &line.runs) {
            let start = base % LINE_BYTES;
            let from = u64::from(run.from).max(start) - start;
            let to = u64::from(run.to).min(start + bytes).saturating_sub(start);
            match stretches.last_mut() {
                _ if from >= to || run.lanes.0 & lanes.0 == 0 => {}
                Some((_, end)) if *end == from => *end = to,
                _ => stretches.push((from, to)),
            }
        }
        stretches
    }

    /// Bytes that the transactions move.
    pub(in crate::scene) fn moved(&self) -> u32 {
        self.access.counts.bytes
    }

    /// Distinct bytes that lanes use.
    pub(in crate::scene) fn used(&self) -> u32 {
        self.access.used_bytes
    }

    /// Bytes that are moved and that no lane uses, or that were moved before.
    pub(in crate::scene) fn wasted(&self) -> u32 {
        self.moved().saturating_sub(self.used())
    }

    /// Bytes of the touched lines that stay where they are.
    pub(in crate::scene) fn untouched(&self) -> u32 {
        let covered: u64 = self.fetches.iter().map(|fetch| fetch.span).sum();
        (self.lines.len() as u64 * LINE_BYTES).saturating_sub(covered) as u32
    }

    /// The most lanes that want one and the same address.
    pub(in crate::scene) fn most_on_a_word(&self) -> u32 {
        let starts: Vec<u64> = self
            .request
            .mask
            .lanes()
            .map(|lane| self.request.bytes_of(lane).0)
            .collect();
        let of = |start: &u64| starts.iter().filter(|other| *other == start).count() as u32;
        starts.iter().map(of).max().unwrap_or(0)
    }
}

/// The transactions, those that overlap put together.
fn fetches(access: &GlobalAccess) -> Vec<Fetch> {
    let mut sorted: Vec<&access::Transaction> = access.transactions.iter().collect();
    sorted.sort_by_key(|transaction| (transaction.base, transaction.bytes));
    let mut fetches: Vec<Fetch> = Vec::new();
    for transaction in sorted {
        let repeats = u32::from(transaction.repeats);
        let (base, end) = (transaction.base, transaction.base + u64::from(transaction.bytes));
        let moved = u32::from(transaction.bytes) * repeats;
        match fetches.last_mut() {
            Some(last) if base < last.end() => {
                last.span = end.max(last.end()) - last.base;
                last.times += repeats;
                last.moved += moved;
                last.lanes.0 |= transaction.lanes.0;
            }
            _ => fetches.push(Fetch {
                base,
                span: end - base,
                times: repeats,
                moved,
                used: 0,
                lanes: transaction.lanes,
            }),
        }
    }
    fetches
}

fn line(request: &Request, base: u64) -> Line {
    let mut bytes = [0_u32; LINE_BYTES as usize];
    let mut lanes = 0;
    for lane in request.mask.lanes() {
        let (from, to) = request.bytes_of(lane);
        if from / LINE_BYTES * LINE_BYTES != base {
            continue;
        }
        lanes |= 1 << lane;
        for byte in from - base..(to - base).min(LINE_BYTES) {
            bytes[byte as usize] |= 1 << lane;
        }
    }
    let mut runs: Vec<Run> = Vec::new();
    for (at, users) in bytes.into_iter().enumerate() {
        let at = at as u32;
        match runs.last_mut() {
            Some(run) if run.to == at && run.lanes.0 == users => run.to = at + 1,
            _ if users != 0 => runs.push(Run {
                from: at,
                to: at + 1,
                lanes: LaneMask(users),
            }),
            _ => {}
        }
    }
    Line {
        base,
        runs,
        lanes: LaneMask(lanes),
    }
}
