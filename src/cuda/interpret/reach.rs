//! How far a kernel reaches into its buffers: they grow as it accesses them.

use engine::isa::ElemType;
use engine::launch::Fill;

/// Distance of the buffers' addresses, as a power of two, with pointers of 4 and 8 bytes: an address belongs to the nearest buffer.
const SPACING_BITS: (u32, u32) = (24, 36);

/// Limit of a buffer's elements while it grows. Assumption: a kernel that reaches farther with chosen numbers is not meant to.
pub const MAX_ELEMENTS: u64 = 1 << 20;

/// What a kernel accesses of one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferReach {
    /// Index of the argument.
    pub argument: usize,
    /// Bytes from the pointer to the first byte that is accessed: negative if the kernel reads in front of it.
    pub first: i64,
    /// Bytes from the pointer to the end of the last access.
    pub end: i64,
    /// Whether the kernel reads bytes that it has not written.
    pub is_read: bool,
    /// Whether the kernel writes.
    pub is_written: bool,
    /// Whether an access was beyond [`MAX_ELEMENTS`].
    pub is_far: bool,
}

/// What a kernel accesses with a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The buffers, in argument order.
    pub buffers: Vec<BufferReach>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
}

/// A buffer that grows.
#[derive(Clone, Debug)]
struct Growing {
    reach: BufferReach,
    elem: ElemType,
    fill: Fill,
    base: u64,
    /// Whether the kernel has written each byte.
    written: Vec<bool>,
}

/// The accesses of a run so far.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    spacing_bits: u32,
    buffers: Vec<Growing>,
    /// The regions of global memory that hold the buffers.
    regions: Vec<usize>,
    /// Offset of dynamic shared memory.
    pub(super) dynamic_start: usize,
    dynamic_end: usize,
}

impl Tracker {
    pub(super) const fn new(pointer_bytes: u32) -> Self {
        Self {
            spacing_bits: if pointer_bytes == 8 {
                SPACING_BITS.1
            } else {
                SPACING_BITS.0
            },
            buffers: Vec::new(),
            regions: Vec::new(),
            dynamic_start: 0,
            dynamic_end: 0,
        }
    }

    /// The address of the next region, after the last one.
    pub(super) const fn next_base(&self, last: u64) -> u64 {
        ((last >> self.spacing_bits) + 1) << self.spacing_bits
    }

    /// Adds a buffer in a region.
    pub(super) fn add(&mut self, argument: usize, elem: ElemType, fill: &Fill, region: usize, base: u64) {
        self.buffers.push(Growing {
            reach: BufferReach {
                argument,
                first: i64::MAX,
                end: i64::MIN,
                ..BufferReach::default()
            },
            elem,
            fill: fill.clone(),
            base,
            written: Vec::new(),
        });
        self.regions.push(region);
    }

    /// Records an access of global memory. Returns the region that has to grow, and its bytes so far and later.
    pub(super) fn access(&mut self, address: u64, size: u32, stores: bool) -> Option<(usize, usize)> {
        let half = 1_u64 << (self.spacing_bits - 1);
        let near = address.wrapping_add(half) >> self.spacing_bits;
        let at = (self.buffers.iter()).position(|buffer| buffer.base >> self.spacing_bits == near)?;
        let buffer = &mut self.buffers[at];
        let first = address.wrapping_sub(buffer.base).cast_signed();
        let end = first + i64::from(size);
        let most = (MAX_ELEMENTS * u64::from(buffer.elem.bytes())).min(half);
        if end > most.cast_signed() {
            buffer.reach.is_far = true;
            return None;
        }
        buffer.reach.first = buffer.reach.first.min(first);
        buffer.reach.end = buffer.reach.end.max(end);
        buffer.reach.is_written |= stores;
        if first < 0 {
            buffer.reach.is_read |= !stores;
            return None;
        }
        let range = first as usize..end as usize;
        if buffer.written.len() < range.end {
            buffer.written.resize(range.end.next_power_of_two(), false);
        }
        if stores {
            buffer.written[range.clone()].fill(true);
        } else {
            buffer.reach.is_read |= buffer.written[range.clone()].contains(&false);
        }
        Some((self.regions[at], range.end))
    }

    /// The bytes of the buffer in a region, grown to at least `len` bytes.
    pub(super) fn grown(&self, region: usize, len: usize) -> Vec<u8> {
        let at = self.regions.iter().position(|of| *of == region);
        at.map_or_else(Vec::new, |at| {
            let buffer = &self.buffers[at];
            let elements = len.next_power_of_two() / buffer.elem.bytes() as usize;
            buffer.fill.bytes(buffer.elem, elements.max(1) as u32)
        })
    }

    /// Records an access of shared memory that ends at an offset.
    pub(super) fn access_shared(&mut self, end: usize) {
        self.dynamic_end = self.dynamic_end.max(end);
    }

    /// The result.
    pub(super) fn reach(&self) -> Reach {
        let untouched = |reach: BufferReach| match reach.end {
            i64::MIN => BufferReach {
                first: 0,
                end: 0,
                ..reach
            },
            _ => reach,
        };
        Reach {
            buffers: self
                .buffers
                .iter()
                .map(|buffer| untouched(buffer.reach))
                .collect(),
            dynamic_shared: self.dynamic_end.saturating_sub(self.dynamic_start) as u32,
        }
    }
}
