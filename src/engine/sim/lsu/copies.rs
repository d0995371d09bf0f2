//! Copies from global to shared memory without a register: LDGSTS, LDGDEPBAR, and DEPBAR.
//!
//! A copy reads global memory when it issues, as a load does. It lands in shared memory later: until then, a load from
//! there reads the old bytes. LDGDEPBAR makes the copies of a warp a group, and DEPBAR waits for groups (`sim/warp.rs`).
//! Source of the instructions and their order: SASS of nvcc 13 for 8.0 and 9.0.

use super::{Part, Timing};
use crate::access::{AccessOp, lanes_of};
use crate::ids::{Cycle, LaneMask};
use crate::isa::{Instruction, Op, Operand, Space, Width};
use crate::sim::codec::coded;
use crate::sim::decode::Decoded;
use crate::sim::exec::{Row, WideRow};
use crate::sim::observer::{AccessKind, Executor, ObservedAccess};
use crate::sim::sm::{Setup, Sm, context};
use crate::sim::warp::Pending;
use crate::sim::without::wavefronts;
use crate::sim::{Access, MemoryLevel, RequestKind, Sink, WarpState, fault_message};

/// Bytes of a line of L1. The store to shared memory takes one line at a time.
const LINE_BYTES: u64 = 128;
/// Bytes of a sector.
const SECTOR_BYTES: u64 = 32;

/// Words of a copy that has not landed.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Landing {
    /// The cycle from which on shared memory has the words.
    at: u64,
    /// The place of the block whose shared memory it is.
    place: usize,
    mask: u32,
    offsets: Row,
    words: Vec<Row>,
}

impl Landing {
    /// The cycle from which on shared memory has the words.
    pub(in crate::sim) const fn at(&self) -> u64 {
        self.at
    }
}

coded!(Landing {
    at,
    place,
    mask,
    offsets,
    words,
});

/// The addresses of a copy.
struct Route {
    /// Lanes that read global memory.
    reads: u32,
    /// Their addresses, aligned to the width.
    from: WideRow,
    /// Bytes of each lane that are copied; the rest of its width becomes zero.
    bytes: Row,
    /// Offsets in shared memory.
    to: WideRow,
}

/// What the store of a copy into shared memory takes.
#[derive(Clone, Copy, Default)]
struct StoreCounts {
    /// Wavefronts of the banks, line by line.
    passes: u16,
    /// Wavefronts as Nsight Compute counts them.
    wavefronts: u16,
    /// Wavefronts without conflicts, and with all lanes in as few lines as possible.
    ideal: u16,
    /// Sectors that are requested more than once, because their lanes store to different sectors of shared memory.
    more_sectors: u16,
}

impl Sm {
    /// Executes LDGSTS.
    #[expect(clippy::too_many_arguments, reason = "the parts of an issue")]
    pub(in crate::sim) fn copy<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        executed: u32,
        now: u64,
        sink: &mut S,
    ) {
        let i = &decoded.instruction;
        let Op::Ldgsts {
            width,
            bypass,
            zero_fill,
            wide,
        } = i.op
        else {
            return;
        };
        if executed == 0 {
            self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
            return;
        }
        let route = self.route_of(setup, i, slot, executed, (width, zero_fill, wide), now);
        let size = width.bytes();
        let (global, shared) = (
            Part {
                space: Space::Global,
                mask: route.reads,
                at: &route.from,
            },
            Part {
                space: Space::Shared,
                mask: executed,
                at: &route.to,
            },
        );
        let observed = |part: &Part, lanes: Executor, kind| ObservedAccess {
            by: lanes,
            kind,
            is_volatile: false,
            is_copy: kind == AccessKind::Write,
            space: part.space,
            bytes: size,
            addresses: if part.space == Space::Global {
                &route.from
            } else {
                &route.to
            },
            words: &[],
        };
        let reads = observed(&global, self.executor(slot, global.mask, now), AccessKind::Read);
        let writes = observed(&shared, self.executor(slot, shared.mask, now), AccessKind::Write);
        let is_allowed = (global.mask == 0 || self.check_side(i, slot, &reads, now, sink))
            && self.check_side(i, slot, &writes, now, sink);
        if !is_allowed {
            return;
        }
        let words = self.copied_words(slot, &route, &global, width);
        if let Some(observer) = sink.observer() {
            if global.mask != 0 {
                observer.access(&reads);
            }
            observer.access(&ObservedAccess {
                words: &words,
                ..writes
            });
        }
        let store = self.store_counts(setup, &route, executed, size, bypass);
        let copies = setup.arch.copies();
        let interval = u64::from(setup.arch.memory.shared.pass_interval_cycles.value);
        let passes = u64::from(store.passes.max(1));
        let addresses = copies.map_or(1, |copies| u64::from(copies.address_passes.value));
        let busy = decoded.occupancy.max(passes * interval + addresses);
        let mut access = self.new_access(slot, RequestKind::CopyLoad, &global, size, now);
        let timing = if route.reads == 0 {
            let started = self.dispatch(decoded, slot, scheduler, now, busy);
            Timing {
                started,
                done: started + 1,
                left: None,
                level: MemoryLevel::Shared,
                l1_hits: 0,
                l2_hits: 0,
            }
        } else {
            let timing = self.time_global(
                setup,
                decoded,
                slot,
                scheduler,
                now,
                &global,
                size,
                busy,
                &mut access,
                sink,
            );
            access.sectors += store.more_sectors;
            access.level = timing.level;
            access.l1_hits = timing.l1_hits;
            access.l2_hits = timing.l2_hits;
            timing
        };
        let pc = self.warps[slot].lanes.pc;
        // SMs whose kernel has copies run in lock-step, so that the time is known.
        let arrived = timing.done;
        let landed = arrived
            + copies.map_or(0, |copies| {
                let delays = if bypass {
                    store.passes.min(copies.bypass_wavefronts.value)
                } else {
                    store.passes
                };
                u64::from(copies.landing_cycles.value)
                    + u64::from(copies.wavefront_cycles.value) * u64::from(delays)
            });
        if route.reads != 0 {
            access.started = Cycle(timing.started);
            access.done = Cycle(arrived);
            self.report_part(&access, timing.started, 1, now, sink);
        }
        let mut access = self.new_access(slot, RequestKind::CopyStore, &shared, size, now);
        access.wavefronts = store.wavefronts;
        access.ideal_wavefronts = store.ideal;
        access.started = Cycle(landed.saturating_sub(passes * interval).max(timing.started));
        access.done = Cycle(landed);
        self.report_part(&access, access.started.0, passes, now, sink);
        let warp = &mut self.warps[slot];
        warp.note_copy(Pending {
            ready: landed,
            issued: now,
            producer: pc,
            state: WarpState::LongScoreboard,
        });
        let landing = Landing {
            at: landed,
            place: warp.block_place,
            mask: executed,
            offsets: std::array::from_fn(|lane| route.to[lane] as u32),
            words,
        };
        let idx = self.landings.partition_point(|other| other.at <= landed);
        self.landings.insert(idx, landing);
    }

    /// Executes LDGDEPBAR and DEPBAR, whose wait is over.
    pub(in crate::sim) fn order_copies<S: Sink>(
        &mut self,
        decoded: &Decoded,
        slot: usize,
        executed: u32,
        now: u64,
        sink: &mut S,
    ) {
        if executed == 0 {
            return;
        }
        match decoded.instruction.op {
            Op::Ldgdepbar => {
                self.warps[slot].commit_copies();
                if let Some(observer) = sink.observer() {
                    observer.copies_committed(&self.executor(slot, executed, now));
                }
            }
            Op::Depbar { left } => {
                if let Some(observer) = sink.observer() {
                    observer.copies_awaited(&self.executor(slot, executed, now), left);
                }
            }
            _ => {}
        }
    }

    /// Writes the words of the copies that have landed at a cycle.
    #[inline(always)]
    pub(in crate::sim) fn land_copies(&mut self, now: u64) {
        if self.landings.first().is_some_and(|landing| landing.at <= now) {
            self.land(now);
        }
    }

    #[cold]
    fn land(&mut self, now: u64) {
        let num = self.landings.partition_point(|landing| landing.at <= now);
        for landing in self.landings.drain(..num) {
            let Some(Some(block)) = self.blocks.places.get_mut(landing.place) else {
                continue;
            };
            for lane in lanes_of(landing.mask) {
                let at = landing.offsets[lane] as usize;
                for (row, at) in landing.words.iter().zip((at..).step_by(4)) {
                    block.shared[at..at + 4].copy_from_slice(&row[lane].to_le_bytes());
                }
            }
        }
    }

    /// The addresses of a copy. `forms`: whether it fills with zeros, and whether the global address is a pair.
    fn route_of(
        &self,
        setup: &Setup,
        i: &Instruction,
        slot: usize,
        executed: u32,
        forms: (Width, bool, bool),
        now: u64,
    ) -> Route {
        let (width, zero_fill, wide) = forms;
        let warp = &self.warps[slot];
        let ctx = context(setup, warp, slot, now);
        let addresses = warp.regs.addresses(i, &ctx, wide);
        let size = u64::from(width.bytes());
        let beyond = shared_offset(i);
        let offsets = warp.regs.integer(&i.srcs[1], &ctx);
        // With zero fill, the low bits of the address are a number of bytes.
        let past = |lane: usize| {
            if zero_fill {
                addresses[lane] & (size - 1)
            } else {
                0
            }
        };
        let reads = executed & warp.regs.holds(i.psrcs[0]);
        // Other lanes have no address.
        let of = |mask: u32, lane: usize, at: u64| if mask >> lane & 1 == 1 { at } else { 0 };
        Route {
            reads,
            from: std::array::from_fn(|lane| of(reads, lane, addresses[lane] - past(lane))),
            bytes: std::array::from_fn(|lane| (size - past(lane)) as u32),
            to: std::array::from_fn(|lane| of(executed, lane, offsets[lane].wrapping_add(beyond).into())),
        }
    }

    /// Checks a side of a copy. Returns false after a fault.
    fn check_side<S: Sink>(
        &mut self,
        i: &Instruction,
        slot: usize,
        access: &ObservedAccess<'_>,
        now: u64,
        sink: &mut S,
    ) -> bool {
        let part = Part {
            space: access.space,
            mask: access.by.lanes.0,
            at: access.addresses,
        };
        let Err(error) = self.check(slot, &part, access.bytes) else {
            return true;
        };
        if let Some(observer) = sink.observer() {
            observer.bad_access(access, &error);
        }
        let message = fault_message(i, &error, part.space, &self.device);
        self.raise(slot, now, error.kind, error.lanes.0, error.address, message);
        false
    }

    /// The words that a copy writes.
    fn copied_words(&mut self, slot: usize, route: &Route, global: &Part, width: Width) -> Vec<Row> {
        let mut words = Vec::with_capacity(4);
        for word in 0..width.bytes() / 4 {
            let mut row = [0; 32];
            if route.reads != 0 {
                row = self.loaded_row(slot, global, width, word);
            }
            for (lane, value) in row.iter_mut().enumerate() {
                let bytes = route.bytes[lane].saturating_sub(word * 4).min(4);
                let is_read = route.reads >> lane & 1 == 1;
                *value &= match bytes {
                    0 => 0,
                    _ if !is_read => 0,
                    bytes => u32::MAX >> (32 - 8 * bytes),
                };
            }
            words.push(row);
        }
        words
    }

    /// The store takes the lines of L1 one by one. A copy that bypasses L1 stores whole sectors; where the two lanes of
    /// a sector store to different sectors of shared memory, each lane has a request and a wavefront of its own.
    /// Source: Nsight Compute on an H100, copies.cu.
    fn store_counts(
        &self,
        setup: &Setup,
        route: &Route,
        executed: u32,
        size: u32,
        bypass: bool,
    ) -> StoreCounts {
        let banks = setup.arch.memory.banks(setup.options.bank_size);
        let without = setup.options.without;
        let offsets: Row = std::array::from_fn(|lane| route.to[lane] as u32);
        let of = |mask: u32| {
            wavefronts(
                without,
                banks,
                AccessOp::Store,
                size * 8,
                &offsets,
                LaneMask(mask),
            )
        };
        let mut counts = StoreCounts {
            ideal: of(executed).ideal_wavefronts,
            ..StoreCounts::default()
        };
        let zeros = executed & !route.reads;
        if zeros != 0 {
            counts.passes += of(zeros).wavefronts;
            counts.wavefronts += of(zeros).wavefronts;
        }
        let mut rest = route.reads;
        while rest != 0 {
            let line = route.from[rest.trailing_zeros() as usize] / LINE_BYTES;
            let lanes = lanes_of(rest)
                .filter(|lane| route.from[*lane] / LINE_BYTES == line)
                .fold(0, |set, lane| set | 1_u32 << lane);
            rest &= !lanes;
            counts.passes += of(lanes).wavefronts;
            let alone = if bypass { lanes_alone(route, lanes) } else { 0 };
            let together = lanes & !alone;
            if together != 0 {
                counts.wavefronts += of(together).wavefronts;
            }
            counts.wavefronts += alone.count_ones() as u16;
            let sectors = |mask: u32| {
                let mut sectors: Vec<u64> = lanes_of(mask)
                    .map(|lane| route.from[lane] / SECTOR_BYTES)
                    .collect();
                sectors.sort_unstable();
                sectors.dedup();
                sectors.len() as u16
            };
            counts.more_sectors += alone.count_ones() as u16 - sectors(alone);
        }
        counts
    }

    /// Reports one side of a copy.
    fn report_part<S: Sink>(&mut self, access: &Access, started: u64, passes: u64, now: u64, sink: &mut S) {
        sink.access(Cycle(now), access);
        self.num_accesses += 1;
        self.note_request(access, started, passes, now);
    }
}

/// The constant part of the shared-memory offset of a copy.
pub(in crate::sim) const fn shared_offset(i: &Instruction) -> u32 {
    match i.srcs[2].operand {
        Operand::Imm(bits) => bits,
        _ => 0,
    }
}

/// The lanes of a copy that bypasses L1 whose sector is not stored to one sector of shared memory by it.
fn lanes_alone(route: &Route, lanes: u32) -> u32 {
    lanes_of(lanes)
        .filter(|lane| {
            let from = route.from[*lane];
            let partner = lanes_of(lanes).find(|other| route.from[*other] == from ^ 16);
            partner.is_none_or(|other| route.to[*lane] / SECTOR_BYTES != route.to[other] / SECTOR_BYTES)
        })
        .fold(0, |set, lane| set | 1 << lane)
}
