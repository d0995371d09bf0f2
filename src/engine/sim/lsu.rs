//! Memory instructions: the values that they move, and their timing. Values move when the instruction issues.
//! The times follow from the wavefronts or transactions that the addresses need, and from busy units.

mod constants;
pub(super) mod copies;
pub(super) mod image;
mod matrices;
pub(super) mod texture;
pub(super) mod values;

use std::collections::VecDeque;

use self::constants::{Constants, is_ldu};
use self::texture::Textures;
use super::atomic_units::{AtomicWork, InFlight, Update};
use super::cache::{ALL_BYTES, Bytes, Cache, Lookup, Victim};
use super::decode::Decoded;
use super::dram::{Answer, FarMemory};
use super::exec::matrices::row_lanes;
use super::exec::{Each, Row, WideRow, atomic};
use super::image::{ImageReader, ImageWriter, Section};
use super::livelock::{polls, waits_for_others};
use super::lsu_arbiter::Settles;
use super::memory::{BadAccess, bad_lanes};
use super::observer::{AccessKind, ObservedAccess, Observer};
use super::outbox::{Holder, OpenAccess, OpenFill, is_open};
use super::route::{is_fetch, local_addresses, route};
use super::sm::{Setup, Sm, context, pending};
use super::space::{Place, place};
use super::traffic::Move;
use super::updates::UpdatesInProgress;
use super::view::{QueueEntry, RequestView};
use super::without::{Removed, coalesced, wavefronts};
use super::{Access, CacheKind, CacheTouch, MemoryLevel, RequestKind, Sink, fault_message};
use crate::access::{
    AccessOp, CacheLevel, Segment, Segments, SharedCounts, counted_segments, lanes_of, shared_wavefronts,
};
use crate::arch::{Architecture, BankRule, Banks, OpClass, WritePolicy, curve_at};
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx};
use crate::isa::{AtomOp, Op, Space};

/// The load/store unit of the SM: address stage, L1, and the memory behind L1.
#[derive(Clone, Debug)]
pub(super) struct Lsu {
    pub(super) l1: Option<Cache>,
    l1_hit: u64,
    tags_per_cycle: u64,
    /// The next cycle in which the tags can be looked up.
    tags_free: u64,
    misses: Misses,
    /// Packets to the atomic units of L2, where these are known.
    pub(super) in_flight: Option<InFlight>,
    pub(super) far: FarMemory,
    pub(super) constants: Constants,
    pub(super) textures: Option<Textures>,
    /// Words of shared memory with an atomic operation in progress.
    updates: UpdatesInProgress,
}

/// Cycles until a word that an atomic operation on shared memory changes can be read, and until its result can be used.
/// `lanes`: the most lanes on one word.
fn shared_atomic_times(
    arch: &Architecture,
    decoded: &Decoded,
    curve: &[(u16, u16)],
    lanes: u32,
) -> (u64, u64) {
    let alone = u64::from(curve_at(curve, 1));
    let cost = arch
        .cost(OpClass::SharedAtomic)
        .map_or(decoded.latency, |cost| u64::from(cost.latency_cycles.value));
    let change = u64::from(curve_at(curve, lanes));
    match (decoded.instruction.op, arch.swaps()) {
        // One lane of a word succeeds, and the others fail at once.
        (Op::Atom { op: AtomOp::Cast, .. }, swaps) => {
            let latency = swaps.map_or(cost, |swaps| u64::from(swaps.spin_latency_cycles.value));
            (alone, latency)
        }
        (Op::Atom { op: AtomOp::Cas, .. }, Some(swaps)) => {
            let more = u64::from(swaps.extra_per_lane_cycles.value) * u64::from(lanes.saturating_sub(1));
            (change, u64::from(swaps.latency_cycles.value) + more)
        }
        _ => (change, cost + change.saturating_sub(alone)),
    }
}

/// The wavefronts of a compare-and-swap on shared memory. `counts`: those of another atomic operation.
/// ATOMS.CAS takes two for each lane of a word. ATOMS.CAST.SPIN does not serve the lanes of a word one by one: it takes two
/// where each bank has one word, however many lanes are on it (Nsight Compute on an H100, swaps.cu: 2.00 wavefronts per
/// instruction for 1 to 32 lanes of 1 to 32 warps on one word and on several, and no conflicts).
fn swap_wavefronts(
    arch: &Architecture,
    banks: Banks,
    op: Op,
    counts: SharedCounts,
    bits: u32,
    offsets: &[u32; 32],
    mask: u32,
) -> SharedCounts {
    let by = |counts: SharedCounts, factor: u16| SharedCounts {
        wavefronts: factor * counts.wavefronts.max(1),
        ideal_wavefronts: factor * counts.ideal_wavefronts.max(1),
    };
    match (op, arch.swaps()) {
        (Op::Atom { op: AtomOp::Cast, .. }, swaps) => {
            let at_once = shared_wavefronts(banks, AccessOp::Load, bits, offsets, LaneMask(mask));
            by(at_once, swaps.map_or(2, |swaps| swaps.wavefronts.value))
        }
        (Op::Atom { op: AtomOp::Cas, .. }, Some(swaps)) => by(counts, swaps.wavefronts.value),
        _ => counts,
    }
}

/// Reports an access to a sector to a sink that records caches.
#[inline(always)]
fn report_touch<S: Sink>(sink: &mut S, now: u64, cache: (CacheKind, &Cache), address: u64, bytes: u32) {
    if S::RECORDS_CACHES {
        let (set, way, valid_sectors) = cache.1.place(address);
        let touch = CacheTouch {
            cache: cache.0,
            address,
            bytes,
            set,
            way,
            valid_sectors,
        };
        sink.cache_touched(Cycle(now), &touch);
    }
}

impl Lsu {
    /// Writes the changing state to an image.
    pub(super) fn write_state(&self, to: &mut ImageWriter) {
        let Self {
            l1,
            l1_hit: _,
            tags_per_cycle: _,
            tags_free,
            misses: Misses { returns, entries: _ },
            in_flight,
            far,
            constants,
            textures,
            updates,
        } = self;
        to.section(Section::Misses, 0, |to| {
            to.put(tags_free);
            to.put(returns);
            to.put(updates);
            to.put(in_flight);
        });
        if let Some(l1) = l1 {
            l1.write_state(Section::L1, to);
        }
        constants.write_state(to);
        if let Some(textures) = textures {
            textures.write_state(to);
        }
        far.write_state(to);
    }

    /// Restores what [`Lsu::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut ImageReader) {
        from.section(Section::Misses, 0, |from| {
            self.tags_free = from.get();
            self.misses.returns = from.get();
            self.updates = from.get();
            self.in_flight = from.get();
        });
        if let Some(l1) = &mut self.l1 {
            l1.read_state(Section::L1, from);
        }
        self.constants.read_state(from);
        if let Some(textures) = &mut self.textures {
            textures.read_state(from);
        }
        self.far.read_state(from);
    }
}

impl Lsu {
    pub(super) fn new(setup: &Setup, l1: Option<Cache>, far: FarMemory) -> Self {
        let model = setup.arch.memory.l1.as_ref();
        Self {
            l1,
            l1_hit: model.map_or(0, |l1| u64::from(l1.hit_latency_cycles.value)),
            tags_per_cycle: model.map_or(1, |l1| u64::from(l1.tags_per_cycle.value).max(1)),
            tags_free: 0,
            misses: Misses::new(setup.arch),
            in_flight: InFlight::new(setup.arch),
            far,
            constants: Constants::new(&setup.arch.memory.constant, setup.bank0.len()),
            textures: setup.arch.memory.texture.as_ref().map(Textures::new),
            updates: UpdatesInProgress::default(),
        }
    }
}

impl Lsu {
    /// If no request can be sent because too many atomic updates are in flight, the cycle in which one can.
    #[inline(always)]
    pub(super) fn full_until(&mut self, now: u64) -> Option<u64> {
        let until = self.in_flight.as_mut()?.full_until(now)?;
        if let Some(outbox) = &mut self.far.outbox
            && is_open(until)
        {
            outbox.is_lost = true;
            return None;
        }
        Some(until)
    }

    /// Sets when the data of a fill arrives.
    pub(super) fn settle_fill(&mut self, fill: &OpenFill, arrives: u64) {
        let cache = match fill.holder {
            Holder::L1 => self.l1.as_mut(),
            Holder::Constants | Holder::NextConstants | Holder::LastConstants => {
                self.constants.cache_mut(fill.holder)
            }
            Holder::Texture | Holder::NextTexture => {
                let textures = self.textures.as_mut();
                textures.and_then(|textures| textures.cache_mut(fill.holder))
            }
        };
        if let Some(cache) = cache {
            cache.settle(fill.address, fill.arrives, arrives);
        }
    }
}

/// L1 misses in flight.
#[derive(Clone, Debug)]
pub(super) struct Misses {
    /// The return cycles of the misses, earliest first.
    returns: VecDeque<u64>,
    /// The maximum number of misses in flight.
    entries: usize,
}

impl Misses {
    pub(super) fn new(arch: &Architecture) -> Self {
        let model = arch.memory.l1.as_ref();
        Self {
            returns: VecDeque::new(),
            entries: model.map_or(usize::MAX, |l1| usize::from(l1.miss_entries.value).max(1)),
        }
    }

    /// The first cycle from `at` on in which a miss can be sent.
    pub(super) fn slot(&mut self, at: u64) -> u64 {
        while self.returns.front().is_some_and(|returns| *returns <= at) {
            self.returns.pop_front();
        }
        match self.returns.len().checked_sub(self.entries) {
            Some(beyond) => at.max(self.returns[beyond]),
            None => at,
        }
    }

    pub(super) fn note(&mut self, returns: u64) {
        if self.returns.back().is_none_or(|last| *last <= returns) {
            self.returns.push_back(returns);
            return;
        }
        let at = self.returns.partition_point(|known| *known <= returns);
        self.returns.insert(at, returns);
    }
}

/// When an access completes, and the level that served it.
#[derive(Clone, Copy, Debug)]
struct Timing {
    started: u64,
    done: u64,
    /// The cycle in which a store or reduction, which waits for no result, has left the SM. An exited warp
    /// then frees its slot. On an H200, a kernel that stores one word per thread takes 48 cycles more than an
    /// empty kernel. Warps of the corpus drain for 16 to 36 cycles (`stalls.csv`, drain times instructions).
    /// Other architectures are assumed equal.
    left: Option<u64>,
    level: MemoryLevel,
    l1_hits: u16,
    l2_hits: u16,
}

impl Timing {
    /// Delays completion until this answer arrives.
    #[inline(always)]
    fn wait_for(&mut self, far: &mut FarMemory, answer: Answer) {
        self.done = far.later(self.done, answer.at);
        self.level = self.level.max(answer.level);
        self.l2_hits += u16::from(answer.level == MemoryLevel::L2);
    }
}

/// Looks up a line in a cache without sectors. A hit is answered by `hit`, but not before the line's fill
/// completes; a miss is answered by `beyond`, and the line is filled.
fn lookup_line(
    (holder, cache): (Holder, &mut Cache),
    far: &mut FarMemory,
    line: u64,
    at: u64,
    hit: Answer,
    beyond: impl FnOnce(&mut FarMemory) -> Answer,
) -> Answer {
    let mut answer = hit;
    let (found, _) = cache.lookup_or_fill(
        line,
        at,
        || ALL_BYTES,
        || {
            let there = beyond(far);
            answer = Answer {
                at: far.later(there.at, hit.at),
                ..there
            };
            far.note_fill(holder, line, answer.at);
            answer.at
        },
    );
    if let Lookup::Hit { arrives } = found {
        answer.at = far.later(hit.at, arrives);
    }
    answer
}

/// The part of an access in one memory space: its lanes and their addresses or offsets.
struct Part<'a> {
    space: Space,
    mask: u32,
    at: &'a WideRow,
}

impl Part<'_> {
    /// The bitwise OR of all addresses of its lanes.
    #[inline(always)]
    fn all(&self) -> u64 {
        let mut all = 0;
        if self.mask == u32::MAX {
            for at in self.at {
                all |= at;
            }
        } else {
            for lane in lanes_of(self.mask) {
                all |= self.at[lane];
            }
        }
        all
    }

    /// The address of lane 0, if all 32 lanes access consecutive words.
    #[inline(always)]
    fn consecutive_words(&self) -> Option<u64> {
        let first = self.at[0];
        // Usually the last lane's address disproves a row.
        if self.mask != u32::MAX || self.at[31] != first.wrapping_add(124) {
            return None;
        }
        let mut differs = 0;
        for lane in 0..32 {
            differs |= self.at[lane] ^ first.wrapping_add(4 * lane as u64);
        }
        (differs == 0).then_some(first)
    }
}

impl Sm {
    /// Executes LD, ST, ATOM, and RED.
    #[expect(clippy::too_many_arguments, reason = "the parts of an issue")]
    pub(super) fn access_memory<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        executed: u32,
        now: u64,
        sink: &mut S,
    ) {
        if executed == 0 {
            self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
            return;
        }
        let warp = &self.warps[slot];
        let i = &decoded.instruction;
        let (space, wide, executed) = match i.op {
            Op::Ld { space, wide, .. }
            | Op::St { space, wide, .. }
            | Op::Atom { space, wide, .. }
            | Op::Red { space, wide, .. } => (space, wide, executed),
            // Lanes that only have elements access no memory.
            Op::Ldsm { num, .. } | Op::Stsm { num, .. } => (Space::Shared, false, executed & row_lanes(num)),
            _ => return,
        };
        if executed == 0 {
            self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
            return;
        }
        let ctx = context(setup, warp, slot, now);
        let addresses = warp.regs.addresses(i, &ctx, wide);
        let lets_others_go = waits_for_others(decoded.instruction.op);
        if lets_others_go || warp.lanes.is_diverged() && polls(decoded.instruction.op) {
            self.warps[slot].lanes.note_poll(lets_others_go);
        }
        if space != Space::Generic {
            self.access_part(
                setup,
                decoded,
                slot,
                scheduler,
                now,
                sink,
                &Part {
                    space,
                    mask: executed,
                    at: &addresses,
                },
            );
            return;
        }
        for window in [Space::Global, Space::Shared, Space::Local] {
            let (mut mask, mut offsets) = (0, [0; 32]);
            for lane in 0..32 {
                let (found, at) = match place(space, addresses[lane], setup.pointer_bits) {
                    Place::Global(at) => (Space::Global, at),
                    Place::Shared(at) => (Space::Shared, at),
                    Place::Local(at) => (Space::Local, at),
                };
                if executed >> lane & 1 == 1 && found == window {
                    mask |= 1 << lane;
                    offsets[lane] = at;
                }
            }
            if mask != 0 && self.fault.is_none() {
                // The result can be used when the last part of the access is done, and this part may be done later.
                if let Some(outbox) = &mut self.lsu.far.outbox {
                    outbox.is_lost |= mask != executed;
                }
                let part = Part {
                    space: window,
                    mask,
                    at: &offsets,
                };
                self.access_part(setup, decoded, slot, scheduler, now, sink, &part);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an issue")]
    fn access_part<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        sink: &mut S,
        part: &Part,
    ) {
        let i = &decoded.instruction;
        let size = match i.op {
            Op::Atom { ty, .. } | Op::Red { ty, .. } => atomic::word_bytes(ty),
            op => op.access_bytes(),
        };
        let checked = self.check(slot, part, size);
        if let Some(observer) = sink.observer() {
            self.observe(
                setup,
                decoded,
                slot,
                part,
                size,
                now,
                checked.as_ref().err(),
                observer,
            );
        }
        if let Err(error) = checked {
            let message = fault_message(i, &error, part.space, &self.device);
            self.raise(slot, now, error.kind, error.lanes.0, error.address, message);
            return;
        }
        let texture = setup.arch.memory.texture.as_ref();
        let texture = texture.filter(|_| is_fetch(i.op, part.space));
        let pc = self.warps[slot].lanes.pc;
        let kind = match texture {
            Some(_) => RequestKind::TextureLoad,
            None if is_ldu(i.op) => RequestKind::UniformLoad,
            None => request_kind(part.space, i.op),
        };
        let mut access = self.new_access(slot, kind, part, size, now);
        let timing = match (texture, part.space) {
            (Some(model), _) => self.time_texture(
                setup,
                model,
                decoded,
                slot,
                scheduler,
                now,
                part,
                &mut access,
                sink,
            ),
            _ if is_ldu(i.op) => self.time_uniform(setup, decoded, slot, scheduler, now, part, &mut access),
            (None, Space::Local) if setup.options.without.lacks(Removed::Local) => {
                let move_cost = setup.arch.cost(OpClass::Move);
                let latency = move_cost.map_or(1, |cost| u64::from(cost.latency_cycles.value));
                Timing {
                    started: now,
                    done: now + latency,
                    left: None,
                    level: MemoryLevel::L1,
                    l1_hits: 0,
                    l2_hits: 0,
                }
            }
            (None, Space::Shared) => {
                self.time_shared(setup, decoded, slot, scheduler, now, part, size, &mut access)
            }
            _ => self.time_global(
                setup,
                decoded,
                slot,
                scheduler,
                now,
                part,
                size,
                decoded.occupancy,
                &mut access,
                sink,
            ),
        };
        let done = self.note_access(slot, pc, now, timing.done, timing.left.is_none());
        access.started = Cycle(timing.started);
        access.done = Cycle(done);
        access.level = timing.level;
        access.l1_hits = timing.l1_hits;
        access.l2_hits = timing.l2_hits;
        self.lsu.far.traffic.note(Move::Accepted);
        sink.access(Cycle(now), &access);
        self.num_accesses += 1;
        self.note_request(&access, timing.started, u64::from(access.wavefronts.max(1)), now);

        let warp = &mut self.warps[slot];
        warp.memory_done = warp.memory_done.max(done);
        warp.drained = warp.drained.max(timing.left.unwrap_or(done));
        warp.expect(decoded.writes(), pending(decoded, pc, now, done));
        match i.op {
            Op::Ld { width, .. } | Op::Tld { width, .. } => {
                let is_open = self.lsu.far.outbox.is_some() && is_open(timing.done);
                self.load(slot, i.dst, part, width, is_open);
            }
            Op::St { .. } => self.store(setup, decoded, slot, part, size, now),
            Op::Ldsm { .. } => self.load_matrices(slot, i, part),
            Op::Stsm { .. } => self.store_matrices(slot, i, part),
            Op::Atom { op, ty, .. } | Op::Red { op, ty, .. } => {
                self.modify(setup, decoded, slot, part, op, ty, now);
            }
            _ => {}
        }
    }

    /// Notes an access that is done at a time, which can be open. `drains`: its warp's slot is free only afterward.
    /// Returns the earliest cycle.
    #[inline(always)]
    pub(super) fn note_access(&mut self, slot: usize, pc: u32, issued: u64, done: u64, drains: bool) -> u64 {
        self.lsu.far.note_access(OpenAccess {
            slot: slot as u16,
            warp: self.warps[slot].id,
            pc,
            issued,
            done,
            drains,
        })
    }

    /// Reports an access to the observer.
    #[cold]
    #[expect(clippy::too_many_arguments, reason = "the parts of an access")]
    fn observe(
        &self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        part: &Part,
        size: u32,
        now: u64,
        bad: Option<&BadAccess>,
        observer: &mut dyn Observer,
    ) {
        let op = decoded.instruction.op;
        let words: Vec<Row> = match op {
            Op::St { .. } => (0..size.div_ceil(4))
                .map(|word| self.stored_word(setup, decoded, slot, word, now))
                .collect(),
            Op::Stsm { .. } => self.matrix_rows(slot, &decoded.instruction).to_vec(),
            Op::Sust { .. } => (0..size.div_ceil(4) as u8)
                .map(|word| self.source_word(setup, slot, &decoded.instruction.srcs[2], word, now))
                .collect(),
            _ => Vec::new(),
        };
        let access = ObservedAccess {
            by: self.executor(slot, part.mask, now),
            kind: match decoded.access {
                AccessOp::Load => AccessKind::Read,
                AccessOp::Store => AccessKind::Write,
                AccessOp::Atomic => AccessKind::Atomic,
            },
            is_volatile: op.is_volatile(),
            is_copy: false,
            space: part.space,
            bytes: size,
            addresses: part.at,
            words: &words,
        };
        match bad {
            None => observer.access(&access),
            Some(bad) => observer.bad_access(&access, bad),
        }
    }

    /// The access of a warp's present instruction, before it is timed and counted.
    #[inline(always)]
    fn new_access(&self, slot: usize, kind: RequestKind, part: &Part, size: u32, now: u64) -> Access {
        let warp = &self.warps[slot];
        Access {
            slot: SlotIdx(slot as u16),
            warp: warp.id,
            pc: Pc(warp.lanes.pc),
            issued: Cycle(now),
            started: Cycle(now),
            done: Cycle(now),
            kind,
            width_bits: (size * 8) as u16,
            mask: LaneMask(part.mask),
            addresses: *part.at,
            wavefronts: 0,
            ideal_wavefronts: 0,
            requests: 0,
            sectors: 0,
            transactions: 0,
            bytes: 0,
            l1_hits: 0,
            l2_hits: 0,
            level: MemoryLevel::Shared,
        }
    }

    fn note_request(&mut self, access: &Access, started: u64, passes: u64, now: u64) {
        while self.requests.front().is_some_and(|request| request.done.0 <= now) {
            self.requests.pop_front();
        }
        self.requests.push_back(RequestView {
            slot: access.slot,
            warp: access.warp,
            pc: access.pc,
            kind: access.kind,
            level: access.level,
            issued: access.issued,
            started: Cycle(started),
            served: Cycle(started + passes),
            done: access.done,
            passes: passes as u16,
        });
    }

    /// Checks bounds and alignment.
    fn check(&self, slot: usize, part: &Part, size: u32) -> Result<(), BadAccess> {
        let warp = &self.warps[slot];
        let limit = match part.space {
            Space::Shared => self.blocks.places[warp.block_place]
                .as_ref()
                .map_or(0, |block| block.shared.len() as u64),
            Space::Local => warp.local.len() as u64 * 4,
            Space::Global | Space::Generic => return self.device.check(part.at, part.mask, size),
        };
        // The OR of all addresses is an upper bound and has the worst alignment.
        let all = part.all();
        if all & u64::from(size - 1) == 0 && all.saturating_add(u64::from(size)) <= limit {
            return Ok(());
        }
        let (mut misaligned, mut outside) = (0_u32, 0_u32);
        for lane in 0..32 {
            let at = part.at[lane];
            misaligned |= u32::from(at & u64::from(size - 1) != 0) << lane;
            outside |= u32::from(at.saturating_add(u64::from(size)) > limit) << lane;
        }
        bad_lanes(part.at, misaligned & part.mask, outside & part.mask)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an access")]
    fn time_shared(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        part: &Part,
        size: u32,
        access: &mut Access,
    ) -> Timing {
        let arch = setup.arch;
        let shared = &arch.memory.shared;
        let op = decoded.access;
        let is_atomic = op == AccessOp::Atomic;
        let offsets = part.at.each(|at| at as u32);
        let banks = arch.memory.banks(setup.options.bank_size);
        let without = setup.options.without;
        let counts = if without.is_empty() {
            shared_wavefronts(banks, op, size * 8, &offsets, LaneMask(part.mask))
        } else {
            wavefronts(without, banks, op, size * 8, &offsets, LaneMask(part.mask))
        };
        let op_of = decoded.instruction.op;
        let counts = swap_wavefronts(arch, banks, op_of, counts, size * 8, &offsets, part.mask);
        access.wavefronts = counts.wavefronts;
        access.ideal_wavefronts = counts.ideal_wavefronts;
        let interval = u64::from(shared.pass_interval_cycles.value);
        let passes = u64::from(counts.wavefronts.max(1));
        let busy = decoded.occupancy.max(passes * interval);
        // The table's latency includes the wavefronts of a conflict-free 32-bit access: one, or one per
        // half-warp.
        let own = match shared.rule.value {
            BankRule::HalfWarpBroadcastWord => {
                u32::from(part.mask & 0xffff != 0) + u32::from(part.mask >> 16 != 0)
            }
            _ => 1,
        };
        let cost = arch
            .cost(OpClass::Shared)
            .map_or(decoded.latency, |cost| u64::from(cost.latency_cycles.value));
        let extra = (passes as u32 + 1).saturating_sub(own).max(1);
        let latency = match op {
            // A store completes with its last wavefront.
            AccessOp::Store => self
                .lsu_arbiter
                .as_ref()
                .map_or(busy, |lsu_arbiter| lsu_arbiter.span(passes) + 1),
            _ => cost + u64::from(shared.extra_latency_cycles(extra)),
        };
        if self.lsu_arbiter.is_some() && !is_atomic && !self.lsu.updates.any(now) {
            let settles = Settles::Access(self.num_accesses);
            let started = self.send(decoded, slot, scheduler, now, busy, latency, settles);
            return Timing {
                started,
                done: started + latency,
                left: None,
                level: MemoryLevel::Shared,
                l1_hits: 0,
                l2_hits: 0,
            };
        }
        let started = self.dispatch(decoded, slot, scheduler, now, busy);
        if is_atomic {
            let curve = arch.memory.atomics.shared_latency_curve.value;
            let lanes = if without.lacks(Removed::Atomics) {
                1
            } else {
                max_lanes_per_address(part.at, part.mask)
            };
            let (change, latency) = shared_atomic_times(arch, decoded, curve, lanes);
            // The next atomic of a word follows at the wavefront rate. A reader of the word waits until this
            // atomic completes.
            let block = self.warps[slot].block_place as u64;
            for lane in lanes_of(part.mask) {
                let word = block << 32 | part.at[lane] >> 2;
                self.lsu.updates.note(word, started + change.max(busy), started);
            }
            return Timing {
                started,
                done: started + latency,
                left: None,
                level: MemoryLevel::Shared,
                l1_hits: 0,
                l2_hits: 0,
            };
        }
        Timing {
            started,
            done: self.after_changes(slot, part, size, started) + latency,
            left: None,
            level: MemoryLevel::Shared,
            l1_hits: 0,
            l2_hits: 0,
        }
    }

    /// The first cycle from `at` on in which no accessed word of shared memory has an atomic in progress.
    #[inline(always)]
    fn after_changes(&self, slot: usize, part: &Part, size: u32, at: u64) -> u64 {
        let updates = &self.lsu.updates;
        if !updates.any(at) {
            return at;
        }
        let block = self.warps[slot].block_place as u64;
        lanes_of(part.mask).fold(at, |served, lane| {
            let first = part.at[lane] >> 2;
            (first..first + u64::from(size.div_ceil(4)))
                .fold(served, |served, word| updates.after(block << 32 | word, served))
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an access")]
    fn time_global<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        part: &Part,
        size: u32,
        busy: u64,
        access: &mut Access,
        sink: &mut S,
    ) -> Timing {
        let arch = setup.arch;
        let local;
        let at = if part.space == Space::Local {
            local = local_addresses(setup.local_bytes, setup.slot_on_device(slot), part.at, size);
            &local
        } else {
            part.at
        };
        let (op, level) = route(
            arch,
            setup.options.load_caching,
            decoded.instruction.op,
            part.space,
        );
        let in_l1 = level == CacheLevel::L1;
        let mut segments = Segments::default();
        let mask = LaneMask(part.mask);
        let mut counts = counted_segments(arch, level, op, size * 8, at, mask, &mut segments);
        let without = setup.options.without;
        let moved;
        let mut at = at;
        if without.lacks(Removed::Coalescing) && op != AccessOp::Atomic && part.space == Space::Global {
            let base = self.device.base_of(at[mask.0.trailing_zeros() as usize]);
            moved = coalesced(at, part.mask, size, base);
            let mut fewer = Segments::default();
            let fewer_counts = counted_segments(arch, level, op, size * 8, &moved, mask, &mut fewer);
            if fewer_counts.bytes < counts.bytes || fewer_counts.tag_cycles < counts.tag_cycles {
                (at, counts, segments) = (&moved, fewer_counts, fewer);
            }
        }
        if without.lacks(Removed::Atomics) && op == AccessOp::Atomic {
            segments.merge_repeats(&mut counts);
        }
        access.count(counts);
        let started = self.dispatch(decoded, slot, scheduler, now, busy);
        // Without L1, each transaction takes one clock to leave.
        let mut tag_cycles = u64::from(counts.tag_cycles.max(1));
        let mut works = None;
        if op == AccessOp::Atomic {
            works = works_of(arch, decoded.instruction.op, segments.as_slice(), at, size);
            let leaving = if let Some(works) = &works {
                works.iter().map(|work| u64::from(work.sm)).sum::<u64>() / 100
            } else {
                // Lanes that update the same word are sent one after the other.
                let rounds = segments.as_slice().iter().map(|segment| segment.repeats).max();
                let interval = u64::from(arch.memory.atomics.same_address_interval_cycles.value);
                interval * u64::from(rounds.unwrap_or(1))
            };
            tag_cycles = tag_cycles.max(leaving);
        }
        let tags_at = started.max(self.lsu.tags_free);
        let packets = works.iter().flatten().map(|work| work.packets).sum();
        self.lsu.tags_free = tags_at + tag_cycles;
        self.queue_global(decoded, slot, now, tags_at);
        let mut timing = Timing {
            started,
            done: tags_at + 1,
            left: matches!(decoded.instruction.op, Op::St { .. } | Op::Red { .. })
                .then_some(tags_at + tag_cycles),
            level: MemoryLevel::L1,
            l1_hits: 0,
            l2_hits: 0,
        };
        // The store writes all bytes of all its segments.
        let dense = op == AccessOp::Store && size == 4 && is_row(at, part.mask);
        let mut line = (u64::MAX, 0);
        let mut last_start = 0;
        for (idx, segment) in segments.as_slice().iter().enumerate() {
            if segment.base >> 7 != line.0 {
                line = (segment.base >> 7, line.1 + 1);
            }
            let time = tags_at + (line.1 - 1_u64) / self.lsu.tags_per_cycle;
            match op {
                AccessOp::Load => {
                    let wanted = || bytes_of(segment, at, size);
                    if in_l1 && without.lacks(Removed::Misses) && self.lsu.l1.is_some() {
                        timing.l1_hits += (segment.bytes / 32).max(1);
                        timing.done = self.lsu.far.later(timing.done, time + self.lsu.l1_hit);
                        continue;
                    }
                    self.read_segment(setup, segment, in_l1, wanted, time, &mut timing);
                }
                AccessOp::Store => {
                    let written = if dense {
                        ALL_BYTES >> (128 - segment.bytes)
                    } else {
                        bytes_of(segment, at, size)
                    };
                    self.write_segment(setup, segment, part.space, written, time, &mut timing);
                }
                AccessOp::Atomic => {
                    let work = works.as_ref().map(|works| works[idx]);
                    let start = self.change_segment(setup, segment, work, time, &mut timing);
                    last_start = self.lsu.far.later(last_start, start);
                }
            }
            if let Some(l1) = &self.lsu.l1
                && (in_l1 || op != AccessOp::Load)
            {
                let bytes = u32::from(segment.bytes);
                report_touch(sink, now, (CacheKind::L1, l1), segment.base, bytes);
            }
        }
        if let Some(in_flight) = &mut self.lsu.in_flight {
            match op {
                AccessOp::Atomic => in_flight.note_updates(&mut self.lsu.far, last_start, packets),
                AccessOp::Store if part.space != Space::Local => {
                    // Two sectors are one packet, so that stores do not delay the loads of copies: an assumption.
                    in_flight.note(timing.done, segments.as_slice().len().div_ceil(2) as u32);
                }
                AccessOp::Store | AccessOp::Load => {}
            }
        }
        timing
    }

    /// Records a request in the LG queue from now until its unit takes it.
    fn queue_global(&mut self, decoded: &Decoded, slot: usize, now: u64, taken: u64) {
        if taken > now {
            let warp = &self.warps[slot];
            self.lg.push(QueueEntry {
                slot: SlotIdx(slot as u16),
                warp: warp.id,
                pc: Pc(warp.lanes.pc),
                pipe: decoded.pipe,
                entered: Cycle(now),
                leaves: Cycle(taken),
            });
        }
    }

    fn read_segment(
        &mut self,
        setup: &Setup,
        segment: &Segment,
        in_l1: bool,
        wanted: impl Fn() -> Bytes,
        at: u64,
        timing: &mut Timing,
    ) {
        let unit = u64::from(
            setup
                .arch
                .memory
                .l2
                .as_ref()
                .map_or(segment.bytes, |l2| l2.sector_bytes.value.min(segment.bytes)),
        );
        let Lsu {
            l1,
            l1_hit,
            misses,
            far,
            ..
        } = &mut self.lsu;
        if in_l1 && let Some(l1) = l1 {
            // An L1 sector can be the whole line.
            let sector = u64::from(l1.sector_bytes());
            let first = segment.base / sector * sector;
            let wanted = || wanted() << (segment.base - first);
            let (mut out, mut arrives) = (0, 0);
            let (found, victim) = l1.lookup_or_fill(first, at, wanted, || {
                if let Some(answer) = far.miss_apart(first, sector as u32, unit as u32, at) {
                    timing.wait_for(far, answer);
                    far.note_fill(Holder::L1, first, answer.at);
                    return answer.at;
                }
                out = misses.slot(at);
                let mut base = first;
                while base < first + sector {
                    let answer = far.read(base, unit as u32, || ALL_BYTES, out);
                    arrives = arrives.max(answer.at);
                    timing.wait_for(far, answer);
                    base += unit;
                }
                misses.note(arrives);
                arrives
            });
            if let Lookup::Hit { arrives } = found {
                far.traffic.note(Move::L1Hit {
                    sector: first,
                    arrives,
                });
                timing.l1_hits += (segment.bytes / 32).max(1);
                let arrives = far.later(arrives, at + *l1_hit);
                timing.done = far.later(timing.done, arrives);
                return;
            }
            write_back(l1, far, victim, at);
            far.traffic.note(Move::L1Miss {
                sector: first,
                out,
                arrives,
            });
            return;
        }
        let mut base = segment.base;
        while base < segment.base + u64::from(segment.bytes) {
            let answer = far.read(base, unit as u32, || wanted() >> (base - segment.base), at);
            timing.wait_for(far, answer);
            base += unit;
        }
    }

    fn write_segment(
        &mut self,
        setup: &Setup,
        segment: &Segment,
        space: Space,
        written: Bytes,
        at: u64,
        timing: &mut Timing,
    ) {
        let memory = &setup.arch.memory;
        let Lsu { l1, far, l1_hit, .. } = &mut self.lsu;
        if let (Some(l1), Some(model)) = (l1, &memory.l1) {
            let policy = if space == Space::Local {
                model.local_write.value
            } else {
                model.global_write.value
            };
            let bytes = l1.sector_bytes();
            let sector = segment.base / u64::from(bytes) * u64::from(bytes);
            let of_sector = written << (segment.base - sector);
            match policy {
                WritePolicy::WriteEvict => {
                    l1.evict(segment.base);
                    far.traffic.note(Move::L1Drop { line: segment.base });
                }
                WritePolicy::WriteThrough => {
                    l1.lookup(sector, at);
                    far.traffic.note(Move::L1Write {
                        sector,
                        is_dirty: false,
                        allocates: false,
                    });
                }
                WritePolicy::WriteThroughAllocate => {
                    let victim = l1.write(sector, at, of_sector, false);
                    write_back(l1, far, victim, at);
                    far.traffic.note(Move::L1Write {
                        sector,
                        is_dirty: false,
                        allocates: true,
                    });
                }
                WritePolicy::WriteBack if model.caches_locals.value => {
                    let victim = l1.write(sector, at, of_sector, true);
                    write_back(l1, far, victim, at);
                    far.traffic.note(Move::L1Write {
                        sector,
                        is_dirty: true,
                        allocates: true,
                    });
                    timing.done = far.later(timing.done, at + *l1_hit);
                    return;
                }
                WritePolicy::WriteBack => {}
            }
        }
        let unit = memory
            .l2
            .as_ref()
            .map_or(segment.bytes, |l2| l2.sector_bytes.value.min(segment.bytes));
        let mut base = segment.base;
        while base < segment.base + u64::from(segment.bytes) {
            let answer = far.write(base, u32::from(unit), written >> (base - segment.base), false, at);
            timing.wait_for(far, answer);
            base += u64::from(unit);
        }
    }

    /// Updates words. Returns the cycle in which their unit starts, which can be open.
    fn change_segment(
        &mut self,
        setup: &Setup,
        segment: &Segment,
        work: Option<AtomicWork>,
        at: u64,
        timing: &mut Timing,
    ) -> u64 {
        let arch = setup.arch;
        let curve = arch.memory.atomics.global_latency_curve.value;
        let lanes = u32::from(segment.repeats.max(1));
        let way = arch
            .cost(OpClass::GlobalAtomic)
            .map_or(0, |cost| u64::from(cost.latency_cycles.value));
        let change = u64::from(curve_at(curve, lanes));
        let update = Update {
            address: segment.base,
            lanes,
            cycles: change,
            is_contended: !setup.options.without.lacks(Removed::Atomics),
            work,
        };
        let start = self.lsu.far.atomic(update, at);
        if let Some(l1) = &mut self.lsu.l1 {
            l1.evict(segment.base);
            self.lsu.far.traffic.note(Move::L1Drop { line: segment.base });
        }
        let far = &mut self.lsu.far;
        let done = far.plus(
            start,
            (way + far.far_cycles(segment.base) + change).saturating_sub(u64::from(curve_at(curve, 1))),
        );
        timing.done = far.later(timing.done, done);
        timing.level = if arch.memory.l2.is_some() {
            MemoryLevel::L2
        } else {
            MemoryLevel::Dram
        };
        timing.l2_hits += u16::from(arch.memory.l2.is_some());
        start
    }
}

/// What the atomic updates of each segment occupy, where the units are known.
fn works_of(
    arch: &Architecture,
    op: Op,
    segments: &[Segment],
    at: &WideRow,
    size: u32,
) -> Option<[AtomicWork; 32]> {
    let model = arch.atomic_units()?;
    let mut works = [AtomicWork::default(); 32];
    let mut line = (u64::MAX, 0);
    for (work, segment) in works.iter_mut().zip(segments) {
        if segment.base >> 7 != line.0 {
            line = (segment.base >> 7, 0);
        }
        (*work, line.1) = AtomicWork::new(&model, op, segment, |lane| at[lane], size, line.1);
    }
    Some(works)
}

/// Writes the dirty data of an evicted L1 line back to L2.
#[inline(always)]
fn write_back(l1: &Cache, far: &mut FarMemory, victim: Victim, at: u64) {
    if victim.is_line() {
        far.traffic.note(Move::L1Out {
            line: l1.address_of_victim(victim),
            dirty_sectors: victim.dirty,
        });
    }
    if victim.dirty == 0 {
        return;
    }
    let unit = far.sector_bytes();
    for (sector, bytes) in l1.dirty_sectors(victim) {
        for offset in (0..l1.sector_bytes()).step_by(unit as usize) {
            let here = bytes >> offset & ((1 << unit) - 1);
            if here != 0 {
                far.write(sector + u64::from(offset), unit, here, true, at);
            }
        }
    }
}

/// The bytes of a segment that its lanes access, one bit each; the lowest bit is the first byte.
fn bytes_of(segment: &Segment, at: &WideRow, size: u32) -> Bytes {
    lanes_of(segment.lanes.0).fold(0, |bytes, lane| {
        bytes | ((1 << size) - 1) << (at[lane] - segment.base)
    })
}

/// Whether all 32 lanes access consecutive words that start at a sector boundary.
#[inline(always)]
fn is_row(at: &WideRow, mask: u32) -> bool {
    let first = at[0];
    if mask != u32::MAX || !first.is_multiple_of(32) || at[31] != first.wrapping_add(124) {
        return false;
    }
    let mut differs = 0;
    #[expect(
        clippy::needless_range_loop,
        reason = "this loop is hot, and another form could change its vector instructions"
    )]
    for lane in 0..32 {
        differs |= at[lane] ^ first.wrapping_add(4 * lane as u64);
    }
    differs == 0
}

const fn request_kind(space: Space, op: Op) -> RequestKind {
    match (space, op) {
        (Space::Shared, Op::Ld { .. } | Op::Ldsm { .. }) => RequestKind::SharedLoad,
        (Space::Shared, Op::St { .. } | Op::Stsm { .. }) => RequestKind::SharedStore,
        (Space::Shared, _) => RequestKind::SharedAtomic,
        (Space::Local, Op::Ld { .. }) => RequestKind::LocalLoad,
        (Space::Local, _) => RequestKind::LocalStore,
        (_, Op::Ld { .. } | Op::Tld { .. }) => RequestKind::GlobalLoad,
        (_, Op::St { .. }) => RequestKind::GlobalStore,
        (_, Op::Red { .. }) => RequestKind::GlobalReduction,
        _ => RequestKind::GlobalAtomic,
    }
}

/// The largest number of lanes that access the same address.
fn max_lanes_per_address(addresses: &WideRow, mask: u32) -> u32 {
    let mut rest = mask;
    let mut most = 0;
    while rest != 0 {
        let address = addresses[rest.trailing_zeros() as usize];
        let same = lanes_of(rest)
            .filter(|lane| addresses[*lane] == address)
            .fold(0, |set, lane| set | 1_u32 << lane);
        most = most.max(same.count_ones());
        rest &= !same;
    }
    most
}
