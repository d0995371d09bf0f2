//! Texture fetches of linear memory: the units that take the addresses, the texture caches, and what
//! lies behind. Where texture and L1 are one (from Maxwell on) a fetch is a load through L1.
//!
//! The units take the lanes by fours, as they do the pixels of a quad. Wide elements take them no longer.

use super::super::cache::{ALL_BYTES, Cache, Lookup};
use super::super::decode::Decoded;
use super::super::dram::{Answer, FarMemory};
use super::super::image::{ImageReader, ImageWriter, Section};
use super::super::sm::{Setup, Sm, context, pending};
use super::super::view::QueueEntry;
use super::super::{Access, CacheKind, MemoryLevel, Sink};
use super::{Lsu, Part, Timing, tell};
use crate::access::{AccessOp, CacheLevel, Segments, counted_segments};
use crate::arch::TexturePath;
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx};
use crate::isa::{Op, RZ, Reg, Space};

/// The texture units of an SM and their caches.
#[derive(Clone, Debug)]
pub(in super::super) struct Textures {
    pub(in super::super) first: Cache,
    /// 1.x only; from 2.x on L2 is in its place.
    next: Option<Cache>,
    /// When the units can take the next addresses.
    units_free: u64,
}

impl Textures {
    pub(super) fn new(model: &TexturePath) -> Self {
        let cache = |bytes: u32, ways: u16, line: u16| {
            let (ways, line) = (u32::from(ways), u32::from(line));
            Cache::new(bytes / line / ways, ways, line, line)
        };
        let next = model.l2_bytes.value;
        Self {
            first: cache(model.bytes.value, model.ways.value, model.line_bytes.value),
            next: (next != 0).then(|| cache(next, model.l2_ways.value, model.l2_line_bytes.value)),
            units_free: 0,
        }
    }

    /// Puts what changes into an image.
    pub(super) fn write_state(&self, to: &mut ImageWriter) {
        let Self {
            first,
            next,
            units_free,
        } = self;
        to.section(Section::TextureUnits, 0, |to| to.put(units_free));
        first.write_state(Section::Textures, to);
        if let Some(next) = next {
            next.write_state(Section::NextTextures, to);
        }
    }

    /// Reads what [`Textures::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut ImageReader) {
        from.section(Section::TextureUnits, 0, |from| self.units_free = from.get());
        self.first.read_state(Section::Textures, from);
        if let Some(next) = &mut self.next {
            next.read_state(Section::NextTextures, from);
        }
    }

    /// When and from where a line that the first cache may not have is there.
    fn read(&mut self, model: &TexturePath, far: &mut FarMemory, line: u64, at: u64) -> Answer {
        let bytes = u32::from(model.line_bytes.value);
        let hit = at + u64::from(model.hit_latency_cycles.value);
        let next = &mut self.next;
        let mut answer = Answer {
            at: hit,
            level: MemoryLevel::Texture,
        };
        let (found, _) = self.first.lookup_or_fill(
            line,
            at,
            || ALL_BYTES,
            || {
                let Some(next) = next else {
                    let there = far.read(line, bytes, || ALL_BYTES, at);
                    answer = Answer {
                        at: there.at.max(hit),
                        ..there
                    };
                    return answer.at;
                };
                let in_next = at + u64::from(model.l2_hit_latency_cycles.value);
                answer = Answer {
                    at: in_next,
                    level: MemoryLevel::L2,
                };
                let (found, _) = next.lookup_or_fill(
                    line,
                    at,
                    || ALL_BYTES,
                    || {
                        let there = far.read(line, bytes, || ALL_BYTES, at);
                        answer = Answer {
                            at: there.at.max(in_next),
                            ..there
                        };
                        answer.at
                    },
                );
                if let Lookup::Hit { arrives } = found {
                    answer.at = answer.at.max(arrives);
                }
                answer.at
            },
        );
        if let Lookup::Hit { arrives } = found {
            answer.at = hit.max(arrives);
        }
        answer
    }
}

/// Groups of four lanes that have one of these.
const fn quads(mask: u32) -> u32 {
    let pairs = mask | mask >> 1;
    ((pairs | pairs >> 2) & 0x1111_1111).count_ones()
}

impl Sm {
    /// TLD: an element of linear memory for each lane; zero where there is none.
    #[allow(clippy::too_many_arguments, reason = "an issue's parts")]
    pub(in super::super) fn fetch_texture<S: Sink>(
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
        let Op::Tld { width, wide } = i.op else { return };
        let warp = &self.warps[slot];
        let ctx = context(setup, warp, slot, now);
        let elements = warp.regs.integer(&i.srcs[0], &ctx);
        let handles = warp.regs.pointers(&i.srcs[1], &ctx, wide);
        let bytes = width.bytes();
        let mut addresses = [0; 32];
        let mut inside = 0;
        for lane in 0..32 {
            let element = elements[lane] as i32;
            let address = handles[lane].wrapping_add((i64::from(element) * i64::from(bytes)) as u64);
            let memory = &self.device;
            let bound = memory.allocation_of(handles[lane], 1);
            if executed >> lane & 1 == 1
                && element >= 0
                && bound.is_some()
                && memory.allocation_of(address, bytes) == bound
            {
                inside |= 1 << lane;
                addresses[lane] = address;
            }
        }
        let outside = executed & !inside;
        if outside != 0 {
            let warp = &mut self.warps[slot];
            for word in 0..width.bytes() / 4 {
                let reg = if i.dst == RZ {
                    RZ
                } else {
                    Reg(i.dst.0 + word as u8)
                };
                warp.regs.set_row(reg, outside, &[0; 32]);
            }
        }
        if inside != 0 {
            let part = Part {
                space: Space::Global,
                mask: inside,
                at: &addresses,
            };
            return self.access_part(setup, decoded, slot, scheduler, now, sink, &part);
        }
        let started = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
        let memory = &setup.arch.memory;
        let latency = match (&memory.texture, &memory.l1) {
            (Some(texture), _) => texture.hit_latency_cycles.value,
            (None, Some(l1)) => l1.hit_latency_cycles.value,
            _ => 0,
        };
        let done = started + u64::from(latency);
        let warp = &mut self.warps[slot];
        let pc = warp.lanes.pc;
        warp.expect(decoded.writes(), pending(decoded, pc, now, done));
    }

    /// The way of an access through the texture units.
    #[allow(clippy::too_many_arguments, reason = "an access's parts")]
    pub(super) fn time_texture<S: Sink>(
        &mut self,
        setup: &Setup,
        model: &TexturePath,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        part: &Part,
        access: &mut Access,
        sink: &mut S,
    ) -> Timing {
        let started = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
        let warp = &self.warps[slot];
        let (id, pc) = (warp.id, warp.lanes.pc);
        let Lsu { textures, far, .. } = &mut self.lsu;
        let mut lines = Segments::default();
        let counts = counted_segments(
            setup.arch,
            CacheLevel::Texture,
            AccessOp::Load,
            u32::from(access.width_bits),
            part.at,
            LaneMask(part.mask),
            &mut lines,
        );
        access.requests = counts.requests;
        access.sectors = counts.sectors;
        access.transactions = counts.transactions;
        access.bytes = counts.bytes;
        let mut timing = Timing {
            started,
            done: started,
            level: MemoryLevel::Texture,
            l1_hits: 0,
            l2_hits: 0,
        };
        let Some(textures) = textures else { return timing };
        let begin = started.max(textures.units_free);
        let all = u64::from(model.warp_interval_cycles.value);
        textures.units_free = begin + (all * u64::from(quads(part.mask))).div_ceil(8);
        if begin > now {
            self.lg.push(QueueEntry {
                slot: SlotIdx(slot as u16),
                warp: id,
                pc: Pc(pc),
                pipe: decoded.pipe,
                entered: Cycle(now),
                leaves: Cycle(begin),
            });
        }
        for line in lines.as_slice() {
            let answer = textures.read(model, far, line.base, begin);
            timing.done = timing.done.max(answer.at);
            timing.level = timing.level.max(answer.level);
            timing.l1_hits += u16::from(answer.level == MemoryLevel::Texture);
            timing.l2_hits += u16::from(answer.level == MemoryLevel::L2);
            let cache = (CacheKind::Texture, &textures.first);
            tell(sink, now, cache, line.base, u32::from(line.bytes));
        }
        timing
    }
}
