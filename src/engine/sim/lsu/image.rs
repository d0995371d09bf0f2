//! Texture fetches by coordinate, and surface accesses. Texture fetches use the texture units where these are
//! separate from L1, otherwise L1. Surfaces are written through L2. They are read through L1 from Maxwell on,
//! through L2 before.

use super::super::decode::Decoded;
use super::super::exec::Row;
use super::super::sm::{Setup, Sm, context, pending};
use super::super::traffic::Move;
use super::super::{Access, CacheKind, FaultKind, MemoryLevel, RequestKind, Sink};
use super::{Lsu, Part, Timing, bytes_of, lanes_of, report_touch, route};
use crate::access::{AccessOp, CacheLevel, Segment, Segments, counted_segments};
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx};
use crate::isa::{Op, Operand, RZ, Reg, Space, Src};
use crate::launch::texture::{MAX_TEXELS, Texture};
use crate::sim::memory::DeviceMemory;

/// A fault of a lane's texture or surface access.
pub(in super::super) struct ImageFault {
    pub(in super::super) kind: FaultKind,
    pub(in super::super) address: u64,
    pub(in super::super) message: String,
}

/// The texture or surface access of one lane.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct LaneAccess {
    /// Addresses of the elements.
    pub(in super::super) addresses: [Option<u64>; MAX_TEXELS],
    /// Bytes per element.
    pub(in super::super) bytes: u32,
    /// The words that a read returns.
    pub(in super::super) words: [u32; 4],
}

/// The access of one lane, with the values that it reads.
pub(in super::super) fn lane_access(
    device: &DeviceMemory,
    op: Op,
    handle: u64,
    coordinates: [u32; 4],
) -> Result<LaneAccess, ImageFault> {
    let (Op::Tex { shape, .. } | Op::Suld { shape, .. } | Op::Sust { shape, .. }) = op else {
        return Ok(LaneAccess::default());
    };
    let Some(texture) = device.texture(handle) else {
        return Err(ImageFault {
            kind: FaultKind::OutOfBounds,
            address: handle,
            message: format!(
                "The handle {handle:#x} is not a texture or surface. Pass a texture to the launch, such as \
                 `tex:f32*64x64:iota`."
            ),
        });
    };
    if !texture.has_shape(shape) {
        return Err(ImageFault {
            kind: FaultKind::OutOfBounds,
            address: handle,
            message: format!(
                "A {} access reads a {} texture. Pass a texture of the shape that the kernel reads.",
                shape.text(),
                texture.shape.text()
            ),
        });
    }
    let mut access = LaneAccess::default();
    match op {
        Op::Tex { choice, .. } => {
            let footprint = texture.footprint(shape, choice, coordinates);
            for (address, offset) in access.addresses.iter_mut().zip(footprint.offsets) {
                *address = offset.map(|offset| handle + offset);
            }
            access.bytes = texture.texel_bytes();
            access.words = texture.sample(&footprint, |offset, out| device.read(handle + offset, out));
        }
        Op::Suld { width, boundary, .. } | Op::Sust { width, boundary, .. } => {
            let offset = texture
                .element(shape, boundary, coordinates, width.bytes())
                .map_err(|_| beyond(texture, op, handle, coordinates))?;
            access.bytes = width.bytes();
            access.addresses[0] = offset.map(|offset| handle + offset);
            if let Some(address) = access.addresses[0] {
                let mut bytes = [0; 16];
                device.read(address, &mut bytes[..width.bytes() as usize]);
                for (word, bytes) in access.words.iter_mut().zip(bytes.chunks_exact(4)) {
                    *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                }
            }
        }
        _ => {}
    }
    Ok(access)
}

fn beyond(texture: &Texture, op: Op, handle: u64, coordinates: [u32; 4]) -> ImageFault {
    let [x, y, z] = texture.extent;
    let at = coordinates.map(|at| (at as i32).to_string());
    let num = match op {
        Op::Suld { shape, .. } | Op::Sust { shape, .. } => usize::from(shape.num_coordinates()),
        _ => 0,
    };
    let bytes = op.access_bytes();
    let row = x * texture.texel_bytes();
    ImageFault {
        kind: FaultKind::OutOfBounds,
        address: handle,
        message: format!(
            "An access of {bytes} bytes at ({}) is outside a surface of {row} bytes by {y} by {z}, or its x \
             coordinate in bytes is not a multiple of {bytes}.",
            at[..num].join(", ")
        ),
    }
}

impl Sm {
    /// One word of a source operand that spans several registers.
    pub(super) fn source_word(&self, setup: &Setup, slot: usize, src: &Src, word: u8, now: u64) -> Row {
        let warp = &self.warps[slot];
        match src.operand {
            Operand::Reg(reg) if reg != RZ => warp.regs.row(Reg(reg.0 + word)),
            _ if word == 0 => warp.regs.raw(src, &context(setup, warp, slot, now)),
            _ => [0; 32],
        }
    }

    /// Executes TEX, SULD, and SUST.
    #[expect(clippy::too_many_arguments, reason = "the parts of an issue")]
    pub(in super::super) fn access_image<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        executed: u32,
        now: u64,
        sink: &mut S,
    ) {
        let i = decoded.instruction;
        let (Op::Tex { shape, wide, .. } | Op::Suld { shape, wide, .. } | Op::Sust { shape, wide, .. }) =
            i.op
        else {
            return;
        };
        let mut coordinates: [Row; 4] = [[0; 32]; 4];
        for word in 0..shape.num_coordinates() {
            coordinates[usize::from(word)] = self.source_word(setup, slot, &i.srcs[0], word, now);
        }
        let warp = &self.warps[slot];
        let handles = warp
            .regs
            .pointers(&i.srcs[1], &context(setup, warp, slot, now), wide);
        let mut lanes = [LaneAccess::default(); 32];
        for lane in lanes_of(executed) {
            let at = [0, 1, 2, 3].map(|word: usize| coordinates[word][lane]);
            match lane_access(&self.device, i.op, handles[lane], at) {
                Ok(access) => lanes[lane] = access,
                Err(fault) => {
                    return self.raise(slot, now, fault.kind, 1 << lane, fault.address, fault.message);
                }
            }
        }
        for word in 0..i.op.destination_width() {
            let mut row = [0; 32];
            for lane in lanes_of(executed) {
                row[lane] = lanes[lane].words[usize::from(word)];
            }
            self.lsu.far.feed.pass_row(executed, &mut row);
            let narrow = match i.op {
                Op::Suld { width, .. } => width.bytes() < 4,
                _ => false,
            };
            debug_assert!(!narrow || word == 0, "narrow elements use one register");
            self.warps[slot].regs.set_row(i.dst.word(word), executed, &row);
        }
        self.time_image(setup, decoded, slot, scheduler, executed, now, sink, &lanes);
        if let Op::Sust { width, .. } = i.op {
            let words = [0, 1, 2, 3].map(|word| {
                if u32::from(word) < width.bytes().div_ceil(4) {
                    self.source_word(setup, slot, &i.srcs[2], word, now)
                } else {
                    [0; 32]
                }
            });
            for lane in lanes_of(executed) {
                let Some(address) = lanes[lane].addresses[0] else {
                    continue;
                };
                let mut bytes = [0; 16];
                for (out, word) in bytes.chunks_exact_mut(4).zip(&words) {
                    out.copy_from_slice(&word[lane].to_le_bytes());
                }
                self.device.write(address, &bytes[..width.bytes() as usize]);
            }
        }
    }

    /// Times an access. Linear filtering reads several texels per lane; each distinct sector counts once.
    #[expect(clippy::too_many_arguments, reason = "the parts of an access")]
    fn time_image<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        executed: u32,
        now: u64,
        sink: &mut S,
        lanes: &[LaneAccess; 32],
    ) {
        let i = &decoded.instruction;
        let arch = setup.arch;
        let pc = self.warps[slot].lanes.pc;
        let started = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
        let (op, level) = route(arch, setup.options.load_caching, i.op, Space::Global);
        let size = lanes_of(executed)
            .map(|lane| lanes[lane].bytes)
            .max()
            .unwrap_or(0);
        let mut found: Vec<(Segment, [u64; 32])> = Vec::new();
        let mut first = ([0; 32], 0);
        let mut access = Access {
            slot: SlotIdx(slot as u16),
            warp: self.warps[slot].id,
            pc: Pc(pc),
            issued: Cycle(now),
            started: Cycle(started),
            done: Cycle(now),
            kind: match (op, level) {
                (AccessOp::Store, _) => RequestKind::GlobalStore,
                (_, CacheLevel::Texture) => RequestKind::TextureLoad,
                _ => RequestKind::GlobalLoad,
            },
            width_bits: (size * 8) as u16,
            mask: LaneMask(0),
            addresses: [0; 32],
            wavefronts: 0,
            ideal_wavefronts: 0,
            requests: 0,
            sectors: 0,
            transactions: 0,
            bytes: 0,
            l1_hits: 0,
            l2_hits: 0,
            level: MemoryLevel::L1,
        };
        let mut texels = 0;
        for corner in 0..MAX_TEXELS {
            let (mut at, mut mask) = ([0; 32], 0);
            for lane in lanes_of(executed) {
                if let Some(address) = lanes[lane].addresses[corner] {
                    at[lane] = address;
                    mask |= 1 << lane;
                }
            }
            if mask == 0 {
                continue;
            }
            texels = corner + 1;
            let mut segments = Segments::default();
            let counts = counted_segments(arch, level, op, size * 8, &at, LaneMask(mask), &mut segments);
            access.requests = access.requests.max(counts.requests);
            if first.1 == 0 {
                first = (at, mask);
            }
            for segment in segments.as_slice() {
                if found.iter().all(|(known, _)| known.base != segment.base) {
                    access.transactions += 1;
                    access.sectors += segment.bytes / 32;
                    access.bytes += u32::from(segment.bytes);
                    found.push((*segment, at));
                }
            }
        }
        (access.addresses, access.mask) = (first.0, LaneMask(first.1));
        let mut timing = Timing {
            started,
            done: started + 1,
            left: None,
            level: if level == CacheLevel::Texture {
                MemoryLevel::Texture
            } else {
                MemoryLevel::L1
            },
            l1_hits: 0,
            l2_hits: 0,
        };
        if found.is_empty() {
            let memory = &arch.memory;
            let latency = match (&memory.texture, &memory.l1) {
                (Some(texture), _) => texture.first.hit_latency_cycles.value,
                (None, Some(l1)) => l1.hit_latency_cycles.value,
                _ => 0,
            };
            let done = started + u64::from(latency);
            return self.warps[slot].expect(decoded.writes(), pending(decoded, pc, now, done));
        }
        if let (Some(model), CacheLevel::Texture) = (&arch.memory.texture, level) {
            let Lsu { textures, far, .. } = &mut self.lsu;
            if let Some(textures) = textures {
                // The eight texels of a cube's corner take two turns of four.
                let turns = texels.div_ceil(model.texels_per_address.value.into()) as u64;
                let begin = textures.take_units(model, first.1, turns, started);
                for (segment, _) in &found {
                    let answer = textures.read(model, far, segment.base, begin);
                    timing.wait_for(far, answer);
                    timing.l1_hits += u16::from(answer.level == MemoryLevel::Texture);
                    let cache = (CacheKind::Texture, &textures.first);
                    report_touch(sink, now, cache, segment.base, u32::from(segment.bytes));
                }
                self.queue_global(decoded, slot, now, begin);
            }
        } else {
            let in_l1 = level == CacheLevel::L1;
            let mut lines = 0_u64;
            let mut line = u64::MAX;
            let tags_at = started.max(self.lsu.tags_free);
            for (segment, at) in &found {
                if segment.base >> 7 != line {
                    line = segment.base >> 7;
                    lines += 1;
                }
                let time = tags_at + (lines - 1) / self.lsu.tags_per_cycle;
                if op == AccessOp::Store {
                    let written = bytes_of(segment, at, size);
                    self.write_segment(setup, segment, Space::Global, written, time, &mut timing);
                } else {
                    let wanted = || bytes_of(segment, at, size);
                    self.read_segment(setup, segment, in_l1, wanted, time, &mut timing);
                }
                if let Some(l1) = &self.lsu.l1
                    && (in_l1 || op != AccessOp::Load)
                {
                    let bytes = u32::from(segment.bytes);
                    report_touch(sink, now, (CacheKind::L1, l1), segment.base, bytes);
                }
            }
            let tag_cycles = lines.div_ceil(self.lsu.tags_per_cycle).max(1);
            self.lsu.tags_free = tags_at + tag_cycles;
            self.queue_global(decoded, slot, now, tags_at);
            timing.left = (op == AccessOp::Store).then_some(tags_at + tag_cycles);
        }
        if let Some(observer) = sink.observer() {
            let part = Part {
                space: Space::Global,
                mask: first.1,
                at: &first.0,
            };
            self.observe(setup, decoded, slot, &part, size, now, None, observer);
        }
        access.done = Cycle(timing.done);
        access.level = timing.level;
        access.l1_hits = timing.l1_hits;
        access.l2_hits = timing.l2_hits;
        self.lsu.far.traffic.note(Move::Accepted);
        sink.access(Cycle(now), &access);
        self.num_accesses += 1;
        self.note_request(&access, timing.started, 1, now);
        let warp = &mut self.warps[slot];
        warp.memory_done = warp.memory_done.max(timing.done);
        warp.drained = warp.drained.max(timing.left.unwrap_or(timing.done));
        warp.expect(decoded.writes(), pending(decoded, pc, now, timing.done));
    }
}
