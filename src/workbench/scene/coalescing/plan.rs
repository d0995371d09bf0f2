//! The data of the Coalescing view for a request to global or local memory: lines, fetched bytes, and the bytes
//! that each lane uses. All counts come from `access::global`, which the machine uses, too.

use crate::playground::{self, Lanes, Playground};
use engine::access::{self, AccessOp, CacheLevel, GlobalAccess};
use engine::arch::Architecture;
use engine::ids::LaneMask;
use engine::isa::{Op, Space};
use engine::sim::{Access, LoadCaching, RequestKind, local_addresses, route};
use engine::trace::Frame;

/// Bytes per line: the range of an L1 or L2 tag, and the longest segment of 1.x.
pub(in crate::scene) const LINE_BYTES: u64 = 128;
/// Bytes per sector, the smallest fetch of every generation.
pub(in crate::scene) const SECTOR_BYTES: u64 = 32;

/// A request, with everything that determines its transactions on any architecture.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Request {
    pub(in crate::scene) kind: RequestKind,
    pub(in crate::scene) mask: LaneMask,
    /// The lanes' byte addresses, as the caches see them.
    pub(in crate::scene) addresses: [u64; 32],
    /// Bytes per lane.
    pub(in crate::scene) size: u32,
    way: Way,
    caching: LoadCaching,
}

/// What determines the path of a request through the caches.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// The instruction of a run.
    Instruction(Op),
    /// An ordinary access from the playground.
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

    /// The operation, and the first cache level on its path on an architecture.
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

    /// A request from the playground.
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

    /// The request's transactions on an architecture.
    pub(in crate::scene) fn on(&self, arch: &Architecture) -> GlobalAccess {
        self.past(arch, self.route(arch).1)
    }

    /// The request's transactions if `level` is the first cache on its path.
    pub(in crate::scene) fn past(&self, arch: &Architecture, level: CacheLevel) -> GlobalAccess {
        let (op, width) = (self.route(arch).0, self.size * 8);
        access::global(arch, level, op, width, &self.addresses, self.mask)
    }

    /// First byte of a lane, and the byte after its last.
    pub(in crate::scene) fn bytes_of(&self, lane: u32) -> (u64, u64) {
        let size = u64::from(self.size);
        let start = self.addresses[lane as usize] / size * size;
        (start, start + size)
    }
}

/// Overlapping transactions, merged to one range of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Fetch {
    /// First byte.
    pub(in crate::scene) base: u64,
    /// Bytes from the first to the last.
    pub(in crate::scene) span: u64,
    /// Number of transactions, with repeats.
    pub(in crate::scene) times: u32,
    /// Bytes that the transactions move, with repeats.
    pub(in crate::scene) moved: u32,
    /// Bytes of the range that some lane uses.
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
    /// Lanes that use them.
    pub(in crate::scene) lanes: LaneMask,
}

/// An accessed line of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Line {
    /// First byte.
    pub(in crate::scene) base: u64,
    /// Used bytes, in order.
    pub(in crate::scene) runs: Vec<Run>,
    /// Lanes that use the line.
    pub(in crate::scene) lanes: LaneMask,
}

/// The request on one architecture.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Plan {
    pub(in crate::scene) request: Request,
    pub(in crate::scene) access: GlobalAccess,
    /// Fetches, by address.
    pub(in crate::scene) fetches: Vec<Fetch>,
    /// Accessed lines, by address.
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

    /// The fetches of a line, with their indices.
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

    /// The index of a lane's line.
    pub(in crate::scene) fn line_of(&self, lane: u32) -> Option<usize> {
        self.lines.iter().position(|line| line.lanes.contains(lane))
    }

    /// Byte ranges, relative to `base`, that some of these lanes use within a range of memory; adjacent ranges
    /// are merged.
    pub(in crate::scene) fn used_ranges(&self, base: u64, bytes: u64, lanes: LaneMask) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let line = self
            .lines
            .iter()
            .find(|line| line.base == base / LINE_BYTES * LINE_BYTES);
        for run in line.into_iter().flat_map(|line| &line.runs) {
            let start = base % LINE_BYTES;
            let from = u64::from(run.from).max(start) - start;
            let to = u64::from(run.to).min(start + bytes).saturating_sub(start);
            match ranges.last_mut() {
                _ if from >= to || run.lanes.0 & lanes.0 == 0 => {}
                Some((_, end)) if *end == from => *end = to,
                _ => ranges.push((from, to)),
            }
        }
        ranges
    }

    /// Bytes that the transactions move.
    pub(in crate::scene) fn moved(&self) -> u32 {
        self.access.counts.bytes
    }

    /// Distinct bytes that lanes use.
    pub(in crate::scene) fn used(&self) -> u32 {
        self.access.used_bytes
    }

    /// Bytes moved that no lane uses, or that were moved before.
    pub(in crate::scene) fn wasted(&self) -> u32 {
        self.moved().saturating_sub(self.used())
    }

    /// Bytes of the accessed lines that are not moved.
    pub(in crate::scene) fn untouched(&self) -> u32 {
        let covered: u64 = self.fetches.iter().map(|fetch| fetch.span).sum();
        (self.lines.len() as u64 * LINE_BYTES).saturating_sub(covered) as u32
    }

    /// The largest number of lanes with the same address.
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

/// The transactions, with overlapping ones merged.
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
