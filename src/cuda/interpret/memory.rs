//! Memory of a launch: buffers and variables, shared memory of a block, and local memory of threads.

use super::code::{Kind, Leaf};
use super::races::{Order, Shadow};
use super::reach::Tracker;

/// A byte that belongs to no variable.
pub(super) const OUTSIDE: u8 = 0;
/// A byte of a variable that was never written.
pub(super) const UNDEFINED: u8 = 1;
/// A byte that was written.
pub(super) const WRITTEN: u8 = 2;

/// Bytes between variables that belong to no variable.
pub(super) const GAP: u32 = 64;
/// Address of the first variable of shared, local, and constant memory.
pub(super) const FIRST: u32 = 4096;

/// The memory that the driver maps at once: an access that is less far outside of an allocation may reach another one.
/// Assumption: 2 MB, the large page of the GPU.
const PAGE_BYTES: u64 = 2 << 20;

/// More shared memory than any block has: 228 KB per SM on 9.0.
const MAX_SHARED: u64 = 256 << 10;

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    Race,
    Uninitialized,
    Misaligned,
    OutOfBounds,
}

/// The address ranges of the memories.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    shift: u32,
    pub(super) global: u64,
    pub(super) shared: u64,
    pub(super) local: u64,
    pub(super) constant: u64,
    /// The valid bits of an address.
    pub(super) address_mask: u64,
}

impl Windows {
    pub(super) const fn new(pointer_bytes: u32) -> Self {
        if pointer_bytes == 4 {
            Self {
                shift: 28,
                global: 0x0010_0000,
                shared: 0xe000_0000,
                local: 0xf000_0000,
                constant: 0xd000_0000,
                address_mask: 0xffff_ffff,
            }
        } else {
            Self {
                shift: 44,
                global: 0x0007_1000_0000,
                shared: 1 << 45,
                local: 1 << 46,
                constant: 1 << 47,
                address_mask: u64::MAX,
            }
        }
    }
}

/// A contiguous range of bytes.
#[derive(Clone, Debug)]
struct Region {
    base: u64,
    bytes: Vec<u8>,
    shadow: Shadow,
}

#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// The order of accesses, if races are checked.
    pub(super) order: Option<Order>,
    windows: Windows,
    global: Vec<Region>,
    constant: Vec<u8>,
    constant_state: Vec<u8>,
    shared: Vec<u8>,
    shared_state: Vec<u8>,
    shared_shadow: Shadow,
    local: Vec<u8>,
    local_state: Vec<u8>,
    local_stride: usize,
    num_lanes: usize,
    /// Whether an access was farther outside of all memory than the GPU maps.
    pub(super) is_far: bool,
    /// The accesses, if buffers grow.
    pub(super) tracker: Option<Tracker>,
}

#[derive(Clone, Copy)]
enum Space {
    Global(usize),
    Shared,
    Local,
    Constant,
}

impl Memory {
    pub(super) fn new(windows: Windows, num_lanes: usize, finds_races: bool) -> Self {
        Self {
            order: finds_races.then(Order::new),
            windows,
            global: Vec::new(),
            constant: Vec::new(),
            constant_state: Vec::new(),
            shared: Vec::new(),
            shared_state: Vec::new(),
            shared_shadow: Shadow::default(),
            local: Vec::new(),
            local_state: Vec::new(),
            local_stride: 0,
            num_lanes,
            is_far: false,
            tracker: None,
        }
    }

    /// Allocates global memory and returns its index and address.
    pub(super) fn allocate(&mut self, bytes: Vec<u8>) -> (usize, u64) {
        let base = match self.global.last() {
            Some(last) => {
                let end = last.base + last.bytes.len() as u64;
                match &self.tracker {
                    Some(tracker) => tracker.next_base(end),
                    None => (end + 4096).next_multiple_of(256),
                }
            }
            None => match &self.tracker {
                Some(tracker) => tracker.next_base(self.windows.global),
                None => self.windows.global,
            },
        };
        let shadow = Shadow::new(if self.order.is_some() { bytes.len() } else { 0 });
        self.global.push(Region { base, bytes, shadow });
        (self.global.len() - 1, base)
    }

    /// The bytes of an allocation.
    pub(super) fn allocation(&self, idx: usize) -> &[u8] {
        &self.global[idx].bytes
    }

    /// The bytes of an allocation, to set them before the run.
    pub(super) fn allocation_mut(&mut self, idx: usize) -> &mut [u8] {
        &mut self.global[idx].bytes
    }

    pub(super) fn set_constant(&mut self, bytes: Vec<u8>, state: Vec<u8>) {
        (self.constant, self.constant_state) = (bytes, state);
    }

    /// Resets shared memory to its state at the start of a block.
    pub(super) fn reset_shared(&mut self, state: &[u8]) {
        self.shared.clear();
        self.shared.resize(state.len(), 0);
        self.shared_state.clear();
        self.shared_state.extend_from_slice(state);
        if let Some(order) = &mut self.order {
            self.shared_shadow = Shadow::new(state.len());
            order.begin_block();
        }
    }

    /// Grows local memory to at least `bytes` per thread.
    pub(super) fn reserve_local(&mut self, bytes: usize) {
        if bytes <= self.local_stride {
            return;
        }
        let stride = bytes.next_multiple_of(256).max(self.local_stride * 2);
        for memory in [&mut self.local, &mut self.local_state] {
            let mut grown = vec![0; stride * self.num_lanes];
            if self.local_stride > 0 {
                for (to, from) in grown
                    .chunks_exact_mut(stride)
                    .zip(memory.chunks_exact(self.local_stride))
                {
                    to[..from.len()].copy_from_slice(from);
                }
            }
            *memory = grown;
        }
        self.local_stride = stride;
    }

    /// The address of a byte in local memory.
    pub(super) fn local_address(&self, offset: u32) -> u64 {
        self.windows.local + u64::from(offset)
    }

    /// Sets the state of a thread's local memory.
    pub(super) fn set_local_state(&mut self, lane: usize, offset: u32, state: &[u8]) {
        let start = lane * self.local_stride + offset as usize;
        self.local_state[start..start + state.len()].copy_from_slice(state);
    }

    /// Fills part of a thread's local memory with zeros and sets its state.
    pub(super) fn fill_local(&mut self, lane: usize, offset: u32, size: u32, state: u8) {
        let start = lane * self.local_stride + offset as usize;
        let end = start + size as usize;
        if state == WRITTEN {
            self.local[start..end].fill(0);
        }
        self.local_state[start..end].fill(state);
    }

    /// The memory that holds `size` bytes at an address, and their offset in it.
    #[inline]
    fn find(&self, address: u64, size: u32, lane: usize) -> Option<(Space, usize)> {
        let window = address >> self.windows.shift << self.windows.shift;
        let offset = (address - window) as usize;
        let end = offset + size as usize;
        if window == self.windows.local {
            (end <= self.local_stride).then(|| (Space::Local, lane * self.local_stride + offset))
        } else if window == self.windows.shared {
            (end <= self.shared.len()).then_some((Space::Shared, offset))
        } else if window == self.windows.constant {
            (end <= self.constant.len()).then_some((Space::Constant, offset))
        } else {
            let after = self.global.partition_point(|region| region.base <= address);
            let idx = after.checked_sub(1)?;
            let offset = (address - self.global[idx].base) as usize;
            let end = offset.checked_add(size as usize)?;
            (end <= self.global[idx].bytes.len()).then_some((Space::Global(idx), offset))
        }
    }

    /// Notes an access outside of all memory: whether it faults on every GPU.
    #[cold]
    fn note_outside(&mut self, address: u64) {
        let window = address >> self.windows.shift << self.windows.shift;
        self.is_far |= if window == self.windows.shared {
            address - window >= MAX_SHARED
        } else if window == self.windows.local || window == self.windows.constant {
            false
        } else {
            let is_near = |region: &Region| {
                let end = region.base + region.bytes.len() as u64;
                (region.base.saturating_sub(PAGE_BYTES)..end + PAGE_BYTES).contains(&address)
            };
            !self.global.iter().any(is_near)
        };
    }

    /// Records an access, and grows the memory to hold it.
    #[cold]
    fn track(&mut self, address: u64, size: u32, stores: bool) {
        let window = address >> self.windows.shift << self.windows.shift;
        let Some(tracker) = &mut self.tracker else { return };
        if window == self.windows.shared {
            let end = address - window + u64::from(size);
            if end <= MAX_SHARED {
                let end = end as usize;
                tracker.access_shared(end);
                if self.shared.len() < end {
                    self.shared.resize(end, 0);
                    self.shared_state.resize(end, UNDEFINED);
                }
            }
        } else if window != self.windows.local
            && window != self.windows.constant
            && let Some((region, end)) = tracker.access(address, size, stores)
            && self.global[region].bytes.len() < end
        {
            let bytes = &mut self.global[region].bytes;
            let grown = tracker.grown(region, end);
            bytes.extend_from_slice(grown.get(bytes.len()..).unwrap_or_default());
        }
    }

    /// The generic address at which shared memory starts.
    pub(super) const fn shared_start(&self) -> u64 {
        self.windows.shared
    }

    /// Whether an address is in shared memory.
    pub(super) fn is_shared(&self, address: u64) -> bool {
        address >> self.windows.shift << self.windows.shift == self.windows.shared
    }

    /// Loads a scalar. With a fault, returns the bits in memory, or 0.
    #[inline]
    pub(super) fn load(&mut self, address: u64, kind: Kind, lane: usize) -> (u64, Option<Fault>) {
        let size = kind.bytes();
        if address & u64::from(size - 1) != 0 {
            return (0, Some(Fault::Misaligned));
        }
        if self.tracker.is_some() {
            self.track(address, size, false);
        }
        let Some((space, offset)) = self.find(address, size, lane) else {
            self.note_outside(address);
            return (0, Some(Fault::OutOfBounds));
        };
        let mut races = false;
        if let Some(order) = &self.order {
            races = match space {
                Space::Global(idx) => order.read(&mut self.global[idx].shadow, offset, kind, lane),
                Space::Shared => order.read(&mut self.shared_shadow, offset, kind, lane),
                _ => false,
            };
        }
        let range = offset..offset + size as usize;
        let (bytes, state) = match space {
            Space::Global(idx) => (&self.global[idx].bytes[range], None),
            Space::Shared => (&self.shared[range.clone()], Some(&self.shared_state[range])),
            Space::Local => (&self.local[range.clone()], Some(&self.local_state[range])),
            Space::Constant => (&self.constant[range.clone()], Some(&self.constant_state[range])),
        };
        let fault = state.and_then(|state| {
            let least = state.iter().copied().min().unwrap_or(WRITTEN);
            match least {
                OUTSIDE => Some(Fault::OutOfBounds),
                UNDEFINED => Some(Fault::Uninitialized),
                _ => None,
            }
        });
        (bits_of(bytes, kind), fault.or(races.then_some(Fault::Race)))
    }

    /// Stores a scalar's bits.
    #[inline]
    pub(super) fn store(&mut self, address: u64, kind: Kind, bits: u64, lane: usize) -> Option<Fault> {
        let size = kind.bytes();
        if address & u64::from(size - 1) != 0 {
            return Some(Fault::Misaligned);
        }
        if self.tracker.is_some() {
            self.track(address, size, true);
        }
        let Some((space, offset)) = self.find(address, size, lane) else {
            self.note_outside(address);
            return Some(Fault::OutOfBounds);
        };
        let range = offset..offset + size as usize;
        let (bytes, state) = match space {
            Space::Global(idx) => (&mut self.global[idx].bytes[range], None),
            Space::Shared => (
                &mut self.shared[range.clone()],
                Some(&mut self.shared_state[range]),
            ),
            Space::Local => (&mut self.local[range.clone()], Some(&mut self.local_state[range])),
            Space::Constant => return Some(Fault::OutOfBounds),
        };
        if let Some(state) = state {
            if state.contains(&OUTSIDE) {
                return Some(Fault::OutOfBounds);
            }
            state.fill(WRITTEN);
        }
        let new = bits.to_le_bytes();
        let new = &new[..size as usize];
        let changes = bytes != new;
        bytes.copy_from_slice(new);
        let order = self.order.as_ref()?;
        let races = match space {
            Space::Global(idx) => order.write(&mut self.global[idx].shadow, offset, kind, lane, changes),
            Space::Shared => order.write(&mut self.shared_shadow, offset, kind, lane, changes),
            _ => false,
        };
        races.then_some(Fault::Race)
    }
}

/// The bits of a scalar in memory.
#[inline]
pub(super) fn bits_of(bytes: &[u8], kind: Kind) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    if kind == Kind::Bool {
        u64::from(bits != 0)
    } else {
        bits
    }
}

/// The bits of one scalar of a value in bytes; 0 beyond its end.
pub(super) fn leaf_of(bytes: &[u8], leaf: Leaf) -> u64 {
    let start = leaf.offset as usize;
    bytes
        .get(start..start + leaf.kind.bytes() as usize)
        .map_or(0, |bytes| bits_of(bytes, leaf.kind))
}

/// Places variables in order, with gaps that belong to no variable.
#[derive(Clone, Debug)]
pub(super) struct Placer {
    /// State of each byte.
    pub(super) state: Vec<u8>,
}

impl Placer {
    pub(super) fn new(first: u32) -> Self {
        Self {
            state: vec![OUTSIDE; first as usize],
        }
    }

    /// Places a variable and returns its offset.
    pub(super) fn place(&mut self, size: u64, align: u32, state: u8) -> u32 {
        let offset = (self.state.len() as u32).next_multiple_of(align.max(16));
        self.state.resize(offset as usize, OUTSIDE);
        self.state.resize(offset as usize + size as usize, state);
        let end = self.state.len() as u32 + GAP;
        self.state.resize(end as usize, OUTSIDE);
        offset
    }
}
