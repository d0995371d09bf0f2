//! Loads of constants: the constant caches of the SM, and the memory behind them.

use super::super::cache::{ALL_BYTES, Cache, Lookup};
use super::super::decode::Decoded;
use super::super::dram::{Answer, FarMemory};
use super::super::exec::{Each, Row, constant_offsets};
use super::super::image::{ImageReader, ImageWriter, Section};
use super::super::outbox::Holder;
use super::super::sm::{Setup, Sm, context, pending};
use super::super::traffic::Move;
use super::super::without::Removed;
use super::super::{Access, CacheKind, MemoryLevel, RequestKind, Sink};
use super::{Lsu, Part, Timing, lanes_of, lookup_line, report_touch};
use crate::access::{AccessOp, CacheLevel, Segments, constant_requests, counted_segments};
use crate::arch::ConstantMemory;
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx};
use crate::isa::{CacheOp, Op};

/// The caches for constants.
#[derive(Clone, Debug)]
pub(in super::super) struct Constants {
    pub(in super::super) first: Cache,
    next: Cache,
    /// The third level of compute capability 1.x. From 2.x on, L2 holds constant memory.
    third: Option<Cache>,
}

/// The result of a first-level lookup.
#[derive(Clone, Copy, Debug)]
struct Lines {
    /// One lane for each missing line.
    missing: u32,
    /// The cycle in which the last present line arrives.
    arrive: u64,
}

impl Constants {
    /// Returns caches whose second level holds the launch's dimensions and parameters: the first
    /// `bank0_bytes` bytes of bank 0. On an H200, a launch leaves them there. Each launch's first read of a
    /// parameter line takes 70 cycles more than the second read, with or without flushed caches. These 70
    /// cycles are the second level's latency. Other architectures are assumed equal.
    pub(super) fn new(model: &ConstantMemory, bank0_bytes: usize) -> Self {
        let cache = |bytes: u32, ways: u32, line: u32| Cache::new(bytes / line / ways, ways, line, line);
        let ways = u32::from(model.ways.value);
        let line = u32::from(model.l1_line_bytes.value).max(4);
        let next_line = u32::from(model.l15_line_bytes.value).max(line);
        let third = model.l3_bytes.value;
        let mut next = cache(model.l15_bytes.value, ways, next_line);
        for address in (0..bank0_bytes as u64).step_by(next_line as usize) {
            next.fill(address, 0, 0, false);
        }
        Self {
            first: cache(model.l1_bytes.value, ways, line),
            next,
            third: (third != 0).then(|| {
                cache(
                    third,
                    model.l3_ways.value.into(),
                    model.l3_line_bytes.value.into(),
                )
            }),
        }
    }

    /// One of the caches.
    pub(super) const fn cache_mut(&mut self, holder: Holder) -> Option<&mut Cache> {
        match holder {
            Holder::Constants => Some(&mut self.first),
            Holder::NextConstants => Some(&mut self.next),
            _ => self.third.as_mut(),
        }
    }

    /// Writes the tags to an image.
    pub(super) fn write_state(&self, to: &mut ImageWriter) {
        let Self { first, next, third } = self;
        first.write_state(Section::Constants, to);
        next.write_state(Section::NextConstants, to);
        if let Some(third) = third {
            third.write_state(Section::LastConstants, to);
        }
    }

    /// Restores what [`Constants::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut ImageReader) {
        self.first.read_state(Section::Constants, from);
        self.next.read_state(Section::NextConstants, from);
        if let Some(third) = &mut self.third {
            third.read_state(Section::LastConstants, from);
        }
    }

    /// Looks up the lines of the given lanes in the first level.
    fn look_up(
        &mut self,
        far: &mut FarMemory,
        lanes: u32,
        address: impl Fn(usize) -> u64,
        now: u64,
    ) -> Lines {
        let mut lines = Lines {
            missing: 0,
            arrive: 0,
        };
        let bytes = u64::from(self.first.line_bytes());
        let line = |lane: usize| address(lane) / bytes;
        let mut known = u64::MAX;
        for lane in lanes_of(lanes) {
            if line(lane) == known || lanes_of(lines.missing).any(|other| line(other) == line(lane)) {
                continue;
            }
            known = line(lane);
            match self.first.lookup(address(lane), now) {
                Lookup::Hit { arrives } => lines.arrive = far.later(lines.arrive, arrives),
                Lookup::Miss => lines.missing |= 1 << lane,
            }
        }
        lines
    }

    /// Fetches a line into the first level from the nearest level that holds it.
    fn fetch(&mut self, model: &ConstantMemory, far: &mut FarMemory, address: u64, at: u64) -> Answer {
        let hit = |latency_cycles: u16| Answer {
            at: at + u64::from(latency_cycles),
            level: MemoryLevel::Constant,
        };
        let in_last = hit(model.l2_latency_cycles.value);
        let next_bytes = self.next.line_bytes();
        let Self { first, next, third } = self;
        let in_next = hit(model.l15_latency_cycles.value);
        let next = (Holder::NextConstants, next);
        let answer = lookup_line(next, far, address, at, in_next, |far| {
            let Some(third) = third else {
                let through = far.constants_through_port(next_bytes, at);
                return Answer {
                    at: far.plus(through, u64::from(model.l2_latency_cycles.value)),
                    level: MemoryLevel::L2,
                };
            };
            lookup_line((Holder::LastConstants, third), far, address, at, in_last, |far| {
                let bytes = u32::from(model.l3_line_bytes.value);
                let line = address / u64::from(bytes) * u64::from(bytes);
                far.read(line, bytes, || ALL_BYTES, at)
            })
        });
        first.fill(address, at, answer.at, false);
        far.note_fill(Holder::Constants, address, answer.at);
        answer
    }
}

/// The base of global memory in the constant caches' address space: above all banks.
const GLOBAL_BASE: u64 = 8 << 32;

/// Whether an instruction loads through the constant cache from global memory.
pub(in super::super) const fn is_ldu(op: Op) -> bool {
    matches!(
        op,
        Op::Ld {
            cache: CacheOp::Ldu,
            ..
        }
    )
}

impl Constants {
    /// Fetches a line of global memory into the first level.
    fn fetch_global(&mut self, model: &ConstantMemory, far: &mut FarMemory, line: u64, at: u64) -> Answer {
        let hit = Answer {
            at: at + u64::from(model.l15_latency_cycles.value),
            level: MemoryLevel::Constant,
        };
        let bytes = u64::from(self.next.line_bytes());
        let first = line / bytes * bytes;
        let next = (Holder::NextConstants, &mut self.next);
        let answer = lookup_line(next, far, GLOBAL_BASE + line, at, hit, |far| {
            let sectors = (first..first + bytes).step_by(32);
            sectors.fold(hit, |last, sector| {
                let answer = far.read(sector, 32, || ALL_BYTES, at);
                far.later_answer(last, answer)
            })
        });
        self.first.fill(GLOBAL_BASE + line, at, answer.at, false);
        far.note_fill(Holder::Constants, GLOBAL_BASE + line, answer.at);
        answer
    }
}

impl Sm {
    /// Times an LDU: its single address goes through the constant caches like a constant's address.
    #[expect(clippy::too_many_arguments, reason = "the parts of an access")]
    pub(super) fn time_uniform(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        part: &Part,
        access: &mut Access,
    ) -> Timing {
        let model = &setup.arch.memory.constant;
        let mask = LaneMask(part.mask);
        let width = u32::from(access.width_bits);
        let mut segments = Segments::default();
        let counts = counted_segments(
            setup.arch,
            CacheLevel::L2,
            AccessOp::Load,
            width,
            part.at,
            mask,
            &mut segments,
        );
        access.count(counts);
        let started = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
        let Lsu { constants, far, .. } = &mut self.lsu;
        let lines = constants.look_up(far, part.mask, |lane| GLOBAL_BASE + part.at[lane], now);
        let mut timing = Timing {
            started,
            done: far.later(lines.arrive, started + u64::from(model.l1_latency_cycles.value)),
            left: None,
            level: MemoryLevel::Constant,
            l1_hits: if lines.missing == 0 { counts.sectors } else { 0 },
            l2_hits: 0,
        };
        for lane in lanes_of(lines.missing) {
            let answer = constants.fetch_global(model, far, part.at[lane], started);
            timing.done = far.later(timing.done, answer.at);
            timing.level = timing.level.max(answer.level);
        }
        timing
    }

    /// Executes LDC: one request per distinct address.
    #[expect(clippy::too_many_arguments, reason = "the parts of an issue")]
    pub(in super::super) fn load_constant<S: Sink>(
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
        let Op::Ldc { bank, width } = i.op else { return };
        let warp = &mut self.warps[slot];
        let ctx = context(setup, warp, slot, now);
        let offsets = constant_offsets(&warp.regs, i, &ctx);
        super::super::exec::execute(&mut warp.regs, i, executed, &ctx);
        let (id, pc) = (warp.id, warp.lanes.pc);
        let model = &setup.arch.memory.constant;
        let one_address = Row::default();
        let asked = if setup.options.without.lacks(Removed::Constants) {
            &one_address
        } else {
            &offsets
        };
        let requests = constant_requests(setup.arch, asked, LaneMask(executed)).max(1);
        let address = |lane: usize| u64::from(bank) << 32 | u64::from(offsets[lane]);
        let Lsu { constants, far, .. } = &mut self.lsu;
        let lines = constants.look_up(far, executed, address, now);
        // Each address occupies the cache for its time, and so does each line fill from the next level.
        let cycles = decoded.occupancy * u64::from(requests)
            + u64::from(model.fill_cycles.value) * u64::from(lines.missing.count_ones());
        let started = self.dispatch(decoded, slot, scheduler, now, cycles);
        let mut answer = Answer {
            at: started + decoded.latency,
            level: MemoryLevel::Constant,
        };
        let Lsu { constants, far, .. } = &mut self.lsu;
        for lane in lanes_of(lines.missing) {
            let fetched = constants.fetch(model, far, address(lane), started);
            answer = far.later_answer(answer, fetched);
        }
        if S::RECORDS_CACHES {
            for lane in lanes_of(executed) {
                let cache = (CacheKind::Constant, &self.lsu.constants.first);
                report_touch(sink, now, cache, address(lane), width.bytes());
            }
        }
        let extra = u64::from(requests - 1) * u64::from(model.extra_per_address_cycles.value);
        let far = &mut self.lsu.far;
        let there = far.later(answer.at, lines.arrive);
        let done = far.plus(there, extra);
        let done = self.note_access(slot, pc, now, done, true);
        let warp = &mut self.warps[slot];
        warp.expect(decoded.writes(), pending(decoded, pc, now, done));
        if executed == 0 {
            return;
        }
        warp.memory_done = warp.memory_done.max(done);
        warp.drained = warp.drained.max(done);
        let access = Access {
            slot: SlotIdx(slot as u16),
            warp: id,
            pc: Pc(pc),
            issued: Cycle(now),
            started: Cycle(started),
            done: Cycle(done),
            kind: RequestKind::ConstantLoad,
            width_bits: (width.bytes() * 8) as u16,
            mask: LaneMask(executed),
            addresses: offsets.each(u64::from),
            wavefronts: 0,
            ideal_wavefronts: 0,
            requests: requests as u16,
            sectors: 0,
            transactions: requests as u16,
            bytes: requests * width.bytes(),
            l1_hits: 0,
            l2_hits: 0,
            level: answer.level,
        };
        self.lsu.far.traffic.note(Move::Accepted);
        sink.access(Cycle(now), &access);
        self.num_accesses += 1;
        self.note_request(&access, started, u64::from(requests), now);
    }
}
