//! What an SM requests of the memory beyond it while it runs apart from the other SMs: requests whose answers come at the end
//! of the quantum, and the loads, stores, and atomics of global memory, which take effect then.
//!
//! Until then, the time of an answer is open: a number from [`OPEN`] on, which stands for a term. Terms have earliest
//! times, and a quantum is so short that no warp can use a result before its end.

use serde::{Deserialize, Serialize};

use super::atomic_units::Update;
use super::cache::Bytes;
use super::exec::WideRow;
use crate::access::lanes_of;
use crate::arch::Architecture;
use crate::isa::{AtomOp, NumType, Reg, Width};

/// Open times are the numbers from here to twice this number. Cycles are below. Caches keep times in 32 bits.
pub(super) const OPEN: u64 = 1 << 31;

/// A request to the memory beyond an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Request {
    /// A miss in L1: the parts of a sector are read once an entry for misses is free. The answer is the last one's.
    Miss {
        sector: u64,
        bytes: u32,
        unit: u32,
        at: u64,
    },
    /// A read. Bits of `wanted` select the required bytes.
    Read {
        address: u64,
        bytes: u32,
        wanted: Bytes,
        at: u64,
    },
    /// A write.
    Write {
        address: u64,
        bytes: u32,
        written: Bytes,
        is_back: bool,
        at: u64,
    },
    /// Atomic updates of a sector. The answer is the cycle in which the unit starts.
    Atomic { update: Update, at: u64 },
    /// A line of constants. The answer is the cycle in which it is through the port.
    Constants { bytes: u32, at: u64 },
}

/// What an access of global memory does with its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Effect {
    /// Loads to registers at the end of the quantum.
    Load(Width),
    /// Has loaded to registers, because the result can be used earlier. The values are sent, too: if another SM has changed
    /// them in the quantum, the SMs must run in lock-step.
    Seen(Width),
    /// Stores this number of bytes per lane.
    Store(u32),
    /// Updates words. `returns`: the old words go to registers.
    Modify { op: AtomOp, ty: NumType, returns: bool },
}

/// The data of an access of global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Data {
    pub(super) effect: Effect,
    pub(super) slot: u16,
    pub(super) dst: Reg,
    pub(super) mask: u32,
    /// Whether lane n is at the first address plus n times a stride.
    is_even: bool,
    /// Its first word in [`Sent::words`].
    first: u32,
}

/// The end of what was sent in a cycle, in a list of what was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tick {
    pub(super) cycle: u64,
    pub(super) end: u32,
}

/// Notes the end of what was sent up to a cycle, if anything was.
fn end_tick(ticks: &mut Vec<Tick>, cycle: u64, end: usize) {
    let end = end as u32;
    if ticks.last().map_or(0, |tick| tick.end) != end {
        ticks.push(Tick { cycle, end });
    }
}

/// What an SM requests of the memory beyond it in a quantum, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Requested {
    pub(super) ticks: Vec<Tick>,
    pub(super) requests: Vec<Request>,
}

/// The accesses of global memory that an SM sends in a quantum, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sent {
    pub(super) ticks: Vec<Tick>,
    pub(super) data: Vec<Data>,
    /// Addresses and values of `data`.
    words: Vec<u32>,
}

impl Sent {
    pub(super) fn clear(&mut self) {
        self.ticks.clear();
        self.data.clear();
        self.words.clear();
    }

    /// Whether an access stores, other than by an atomic operation.
    pub(super) fn has_stored(&self) -> bool {
        self.data
            .iter()
            .any(|data| matches!(data.effect, Effect::Store(_)))
    }

    /// The accesses that change memory.
    pub(super) fn changes(&self) -> Self {
        let mut changes = Self::default();
        let mut first = 0;
        for tick in &self.ticks {
            for idx in first..tick.end as usize {
                let data = self.data[idx];
                if matches!(data.effect, Effect::Load(_) | Effect::Seen(_)) {
                    continue;
                }
                let end = self
                    .data
                    .get(idx + 1)
                    .map_or(self.words.len(), |next| next.first as usize);
                let words = &self.words[data.first as usize..end];
                changes.data.push(Data {
                    first: changes.words.len() as u32,
                    ..data
                });
                changes.words.extend_from_slice(words);
            }
            first = tick.end as usize;
            end_tick(&mut changes.ticks, tick.cycle, changes.data.len());
        }
        changes
    }

    /// Appends an access. Returns false if its addresses are too far apart.
    fn push(&mut self, effect: Effect, slot: usize, dst: Reg, mask: u32, at: &WideRow) -> bool {
        let first = self.words.len() as u32;
        let base = at[mask.trailing_zeros() as usize % 32];
        let stride = at[1].wrapping_sub(at[0]);
        let mut differs = u64::from(mask != u32::MAX) | stride >> 31;
        for (lane, address) in at.iter().enumerate() {
            differs |= address ^ at[0].wrapping_add(stride.wrapping_mul(lane as u64));
        }
        let is_even = differs == 0;
        self.words.extend([base as u32, (base >> 32) as u32]);
        if is_even {
            self.words.push(stride as u32);
        } else {
            for lane in lanes_of(mask) {
                let offset = at[lane].wrapping_sub(base) as i64;
                if i64::from(offset as i32) != offset {
                    return false;
                }
                self.words.push(offset as u32);
            }
        }
        self.data.push(Data {
            effect,
            slot: slot as u16,
            dst,
            mask,
            is_even,
            first,
        });
        true
    }

    /// The addresses of an access, and the place of its values.
    pub(super) fn addresses(&self, data: &Data) -> (WideRow, usize) {
        let mut at = [0; 32];
        let first = data.first as usize;
        let word = |idx: usize| self.words.get(first + idx).copied().unwrap_or(0);
        let base = u64::from(word(1)) << 32 | u64::from(word(0));
        if data.is_even {
            let stride = u64::from(word(2));
            for (lane, at) in at.iter_mut().enumerate() {
                *at = base.wrapping_add(stride * lane as u64);
            }
            return (at, first + 3);
        }
        let mut next = 2;
        for lane in lanes_of(data.mask) {
            at[lane] = base.wrapping_add(word(next) as i32 as u64);
            next += 1;
        }
        (at, first + next)
    }

    /// The values of an access: one 32-bit word for each lane in `mask`, from the place `from` on. Moves the place.
    pub(super) fn row(&self, mask: u32, from: &mut usize) -> [u32; 32] {
        let mut row = [0; 32];
        for lane in lanes_of(mask) {
            row[lane] = self.words.get(*from).copied().unwrap_or(0);
            *from += 1;
        }
        row
    }

    /// The same for 64-bit words.
    pub(super) fn wide_row(&self, mask: u32, from: &mut usize) -> WideRow {
        let (low, high) = (self.row(mask, from), self.row(mask, from));
        std::array::from_fn(|lane| u64::from(high[lane]) << 32 | u64::from(low[lane]))
    }
}

/// A cache of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    L1,
    Constants,
    NextConstants,
    LastConstants,
    Texture,
    NextTexture,
}

/// A line or sector whose data arrives at an open time.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenFill {
    pub(super) holder: Holder,
    pub(super) address: u64,
    pub(super) arrives: u64,
}

/// An access whose completion is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenAccess {
    pub(super) slot: u16,
    pub(super) warp: crate::ids::WarpId,
    pub(super) pc: u32,
    pub(super) issued: u64,
    pub(super) done: u64,
    /// Whether its warp's slot is free only afterward.
    pub(super) drains: bool,
}

/// What an open time stands for.
#[derive(Clone, Copy, Debug)]
enum Term {
    /// The answer to a request.
    Answer(u32),
    /// The later of two times.
    Later(u64, u64),
    /// A time and a number of cycles.
    Plus(u64, u64),
}

/// What an SM requests while it runs apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox {
    pub(super) requested: Requested,
    pub(super) sent: Sent,
    terms: Vec<Term>,
    /// The earliest time of each term.
    earliest: Vec<u64>,
    pub(super) fills: Vec<OpenFill>,
    pub(super) accesses: Vec<OpenAccess>,
    /// Cycles from a request to its answer at least.
    shortest: u64,
    /// Whether the SM did what only SMs in lock-step can do.
    pub(super) is_lost: bool,
    /// Lines of global memory that the SM stored to in this quantum: a set, by a few bits of their numbers.
    stored: [u64; STORED_WORDS],
}

/// Words of the set of lines that were stored to.
const STORED_WORDS: usize = 8;

/// The bit of an address's line in the set of lines.
const fn line_bit(address: u64) -> (usize, u64) {
    let line = address >> 7;
    let bit = (line ^ line >> 9 ^ line >> 18) as usize % (STORED_WORDS * 64);
    (bit / 64, 1 << (bit % 64))
}

/// Whether a time is open.
pub(super) const fn is_open(time: u64) -> bool {
    time >= OPEN
}

impl Outbox {
    /// An empty outbox of an SM.
    pub(super) fn new(arch: &Architecture) -> Self {
        Self {
            shortest: shortest_answer(arch),
            ..Self::default()
        }
    }

    /// Forgets a quantum.
    pub(super) fn clear(&mut self) {
        self.terms.clear();
        self.earliest.clear();
        self.fills.clear();
        self.accesses.clear();
        self.stored = [0; STORED_WORDS];
    }

    /// Closes a cycle in which anything may have been sent.
    pub(super) fn end_tick(&mut self, cycle: u64) {
        end_tick(&mut self.requested.ticks, cycle, self.requested.requests.len());
        end_tick(&mut self.sent.ticks, cycle, self.sent.data.len());
    }

    fn term(&mut self, term: Term, earliest: u64) -> u64 {
        let idx = self.terms.len() as u64;
        self.terms.push(term);
        self.earliest.push(earliest);
        OPEN + idx
    }

    /// Sends a request. Returns the open time of its answer.
    pub(super) fn request(&mut self, request: Request) -> u64 {
        let earliest = match request {
            Request::Miss { at, .. } | Request::Read { at, .. } | Request::Write { at, .. } => {
                at + self.shortest
            }
            Request::Atomic { at, .. } | Request::Constants { at, .. } => at,
        };
        let idx = self.requested.requests.len() as u32;
        self.requested.requests.push(request);
        self.term(Term::Answer(idx), earliest)
    }

    /// The earliest cycle of a time.
    pub(super) fn earliest(&self, time: u64) -> u64 {
        if is_open(time) {
            self.earliest.get((time - OPEN) as usize).copied().unwrap_or(0)
        } else {
            time
        }
    }

    /// The later of two times.
    pub(super) fn later(&mut self, a: u64, b: u64) -> u64 {
        if !is_open(a) && !is_open(b) {
            return a.max(b);
        }
        let (first, second) = (self.earliest(a), self.earliest(b));
        if a == b || !is_open(b) && b <= first {
            return a;
        }
        if !is_open(a) && a <= second {
            return b;
        }
        self.term(Term::Later(a, b), first.max(second))
    }

    /// A time and a number of cycles.
    pub(super) fn plus(&mut self, time: u64, cycles: u64) -> u64 {
        if !is_open(time) {
            return time + cycles;
        }
        if cycles == 0 {
            return time;
        }
        let earliest = self.earliest(time) + cycles;
        self.term(Term::Plus(time, cycles), earliest)
    }

    /// Notes a fill whose data may arrive at an open time.
    pub(super) fn note_fill(&mut self, holder: Holder, address: u64, arrives: u64) {
        if is_open(arrives) {
            self.fills.push(OpenFill {
                holder,
                address,
                arrives,
            });
        }
    }

    /// Notes an access. Returns its earliest completion.
    pub(super) fn note_access(&mut self, access: OpenAccess) -> u64 {
        let done = access.done;
        if is_open(done) {
            self.accesses.push(access);
        }
        self.earliest(done)
    }

    /// Sends an access whose data moves at the end of the quantum.
    pub(super) fn send(&mut self, effect: Effect, slot: usize, dst: Reg, mask: u32, at: &WideRow) {
        self.is_lost |= !self.sent.push(effect, slot, dst, mask, at);
        if let Effect::Store(_) = effect {
            for lane in lanes_of(mask) {
                let (word, bit) = line_bit(at[lane]);
                self.stored[word] |= bit;
            }
        }
    }

    /// Whether the SM may have stored to a line of these addresses in this quantum.
    pub(super) fn may_have_stored(&self, mask: u32, at: &WideRow) -> bool {
        self.stored != [0; STORED_WORDS]
            && lanes_of(mask).any(|lane| {
                let (word, bit) = line_bit(at[lane]);
                self.stored[word] & bit != 0
            })
    }

    /// Replaces bytes that the SM has stored in this quantum.
    #[cold]
    pub(super) fn overlay(&self, address: u64, out: &mut [u8]) {
        let sent = &self.sent;
        for data in &sent.data {
            let Effect::Store(size) = data.effect else {
                continue;
            };
            let (at, mut from) = sent.addresses(data);
            for word in 0..size.div_ceil(4) {
                let row = sent.row(data.mask, &mut from);
                for lane in lanes_of(data.mask) {
                    let bytes = row[lane].to_le_bytes();
                    for (idx, byte) in bytes.iter().enumerate().take(size.min(4) as usize) {
                        let stored = at[lane] + u64::from(word) * 4 + idx as u64;
                        if let Some(place) = out.get_mut(stored.wrapping_sub(address) as usize) {
                            *place = *byte;
                        }
                    }
                }
            }
        }
    }

    /// Appends values of the last access: one word for each lane in `mask`.
    pub(super) fn send_row(&mut self, mask: u32, row: &[u32; 32]) {
        self.sent.words.extend(lanes_of(mask).map(|lane| row[lane]));
    }

    /// The same for 64-bit words.
    pub(super) fn send_wide_row(&mut self, mask: u32, row: &WideRow) {
        self.sent
            .words
            .extend(lanes_of(mask).map(|lane| row[lane] as u32));
        self.sent
            .words
            .extend(lanes_of(mask).map(|lane| (row[lane] >> 32) as u32));
    }

    /// The times of all terms, from the answers to the requests.
    pub(super) fn resolve(&self, answers: &[u64], times: &mut Vec<u64>) {
        times.clear();
        for term in &self.terms {
            let time = match *term {
                Term::Answer(idx) => answers.get(idx as usize).copied().unwrap_or(0),
                Term::Later(a, b) => resolved(times, a).max(resolved(times, b)),
                Term::Plus(time, cycles) => resolved(times, time) + cycles,
            };
            debug_assert!(
                time >= self.earliest[times.len()],
                "no answer is earlier than its earliest time"
            );
            times.push(time);
        }
    }
}

/// The cycle that a time stands for, from the times of all terms.
pub(super) fn resolved(times: &[u64], time: u64) -> u64 {
    if is_open(time) {
        times.get((time - OPEN) as usize).copied().unwrap_or(0)
    } else {
        time
    }
}

/// Cycles from a read or write to its answer at least.
pub(super) fn shortest_answer(arch: &Architecture) -> u64 {
    let memory = &arch.memory;
    let far = u64::from(memory.device.latency_cycles.value);
    let l2 = memory
        .l2
        .as_ref()
        .map(|l2| u64::from(l2.hit_latency_cycles.value));
    l2.map_or(far, |l2| l2.min(far))
}
