//! Texture fetches of linear memory: the address units, the texture caches, and the memory behind them. Where
//! texture cache and L1 are one cache (from Maxwell on), a fetch is a load through L1.
//!
//! The units process four lanes at a time, as the pixels of a quad. Wide elements take no longer.

use super::super::cache::{ALL_BYTES, Cache};
use super::super::decode::Decoded;
use super::super::dram::{Answer, FarMemory};
use super::super::image::{ImageReader, ImageWriter, Section};
use super::super::outbox::Holder;
use super::super::sm::{Setup, Sm, context, pending};
use super::super::{Access, CacheKind, MemoryLevel, Sink};
use super::{Lsu, Part, Timing, lookup_line, report_touch};
use crate::access::{AccessOp, CacheLevel, Segments, counted_segments};
use crate::arch::{TextureCache, TexturePath};
use crate::ids::LaneMask;
use crate::isa::{Op, Space};

/// The texture units of an SM and their caches.
#[derive(Clone, Debug)]
pub(in super::super) struct Textures {
    pub(in super::super) first: Cache,
    /// The second level of compute capability 1.x. From 2.x on, L2 takes its place.
    next: Option<Cache>,
    /// The next cycle in which the units can accept addresses.
    units_free: u64,
}

impl Textures {
    pub(super) fn new(model: &TexturePath) -> Self {
        let cache = |model: &TextureCache| {
            let (ways, line) = (u32::from(model.ways.value), u32::from(model.line_bytes.value));
            Cache::new(model.bytes.value / line / ways, ways, line, line)
        };
        Self {
            first: cache(&model.first),
            next: model.next.as_ref().map(cache),
            units_free: 0,
        }
    }

    /// One of the caches.
    pub(super) const fn cache_mut(&mut self, holder: Holder) -> Option<&mut Cache> {
        match holder {
            Holder::Texture => Some(&mut self.first),
            _ => self.next.as_mut(),
        }
    }

    /// Writes the changing state to an image.
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

    /// Restores what [`Textures::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut ImageReader) {
        from.section(Section::TextureUnits, 0, |from| self.units_free = from.get());
        self.first.read_state(Section::Textures, from);
        if let Some(next) = &mut self.next {
            next.read_state(Section::NextTextures, from);
        }
    }

    /// Occupies the units with the addresses of these lanes, `turns` times. Returns the start cycle.
    pub(super) fn take_units(&mut self, model: &TexturePath, mask: u32, turns: u64, at: u64) -> u64 {
        let begin = at.max(self.units_free);
        let all = u64::from(model.warp_interval_cycles.value) * turns;
        self.units_free = begin + (all * u64::from(quads(mask))).div_ceil(8);
        begin
    }

    /// The cycle in which a line arrives, and the level that serves it.
    pub(super) fn read(&mut self, model: &TexturePath, far: &mut FarMemory, line: u64, at: u64) -> Answer {
        let bytes = u32::from(model.first.line_bytes.value);
        let hit = |cache: &TextureCache, level| Answer {
            at: at + u64::from(cache.hit_latency_cycles.value),
            level,
        };
        let Self { first, next, .. } = self;
        let behind = |far: &mut FarMemory| far.read(line, bytes, || ALL_BYTES, at);
        let in_first = hit(&model.first, MemoryLevel::Texture);
        let first = (Holder::Texture, first);
        lookup_line(first, far, line, at, in_first, |far| match (next, &model.next) {
            (Some(next), Some(model)) => {
                let next = (Holder::NextTexture, next);
                lookup_line(next, far, line, at, hit(model, MemoryLevel::L2), behind)
            }
            _ => behind(far),
        })
    }
}

/// The number of quads (groups of four lanes) with at least one of these lanes.
const fn quads(mask: u32) -> u32 {
    let pairs = mask | mask >> 1;
    ((pairs | pairs >> 2) & 0x1111_1111).count_ones()
}

impl Sm {
    /// Executes TLD: fetches an element of linear memory for each lane; zero out of bounds.
    #[expect(clippy::too_many_arguments, reason = "the parts of an issue")]
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
                warp.regs.set_row(i.dst.word(word as u8), outside, &[0; 32]);
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
            (Some(texture), _) => texture.first.hit_latency_cycles.value,
            (None, Some(l1)) => l1.hit_latency_cycles.value,
            _ => 0,
        };
        let done = started + u64::from(latency);
        let warp = &mut self.warps[slot];
        let pc = warp.lanes.pc;
        warp.expect(decoded.writes(), pending(decoded, pc, now, done));
    }

    /// Times an access through the texture units.
    #[expect(clippy::too_many_arguments, reason = "the parts of an access")]
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
        access.count(counts);
        let mut timing = Timing {
            started,
            done: started,
            left: None,
            level: MemoryLevel::Texture,
            l1_hits: 0,
            l2_hits: 0,
        };
        let Lsu { textures, far, .. } = &mut self.lsu;
        let Some(textures) = textures else { return timing };
        let begin = textures.take_units(model, part.mask, 1, started);
        for line in lines.as_slice() {
            let answer = textures.read(model, far, line.base, begin);
            timing.wait_for(far, answer);
            timing.l1_hits += u16::from(answer.level == MemoryLevel::Texture);
            let cache = (CacheKind::Texture, &textures.first);
            report_touch(sink, now, cache, line.base, u32::from(line.bytes));
        }
        self.queue_global(decoded, slot, now, begin);
        timing
    }
}
