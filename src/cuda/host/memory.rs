//! The memory of the evaluated program: allocations of bytes, and for each byte whether its value is known.

use std::sync::Arc;

/// The state of a byte or a value: [`KNOWN`], [`UNTOUCHED`], [`ARGC`], or the index of a reason.
pub(super) type State = u8;

pub(super) const KNOWN: State = 0;
/// No store has written the byte.
pub(super) const UNTOUCHED: State = 1;
/// The value depends on the number of program arguments, which is assumed to be 0 (`argc` is 1).
pub(super) const ARGC: State = 2;
/// The first state that is the index of a reason.
pub(super) const REASONS: State = 3;

/// Whether the value is known.
pub(super) const fn is_known(state: State) -> bool {
    state == KNOWN || state == ARGC
}

/// The memory space of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Host,
    Device,
    Managed,
}

/// Bytes and their states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Snapshot {
    pub(super) data: Vec<u8>,
    pub(super) state: Vec<State>,
    /// The bytes and state of every 8 bytes if the vectors are empty.
    pub(super) all: ([u8; 8], State),
    pub(super) size: u64,
}

#[derive(Debug)]
pub(super) struct Alloc {
    pub(super) size: u64,
    data: Vec<u8>,
    state: Vec<State>,
    /// The bytes and state of every 8 bytes while the vectors are empty.
    all: ([u8; 8], State),
    pub(super) space: Space,
    pub(super) name: String,
    pub(super) line: u32,
    /// The step of the last write.
    pub(super) written: u64,
    /// Whether an interpreted kernel has written the allocation.
    pub(super) is_result: bool,
    snapshot: Option<(u64, Arc<Snapshot>)>,
    /// Whether host memory is page-locked.
    pub(super) is_pinned: bool,
    /// The GPU of device memory.
    pub(super) gpu: u8,
    /// Whether `malloc` or `new` has created it: pageable memory, which the GPU cannot access.
    pub(super) is_pageable: bool,
    /// The line that has freed it.
    pub(super) freed: Option<u32>,
}

/// Number of bits of an address within its allocation's window; the index of the allocation is above them. Assumption: no
/// program computes pointers that are farther than 512 GB from their memory.
const WINDOW_BITS: u32 = 40;
/// Where an allocation starts in its window: in the middle, so that a pointer before its start keeps its allocation.
const START: u64 = 1 << (WINDOW_BITS - 1);
/// The size limit of an allocation in bytes: a quarter of the window.
pub(super) const MAX_ALLOCATION_BYTES: u64 = 1 << (WINDOW_BITS - 2);

/// Size of the stack in bytes.
const STACK_BYTES: u64 = 1 << 20;

/// Memory.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) allocs: Vec<Alloc>,
    /// Number of allocated bytes, and its limit.
    bytes: u64,
    max_bytes: u64,
    /// The step of the last write of each 8 bytes of the stack.
    stack_written: Vec<u64>,
    /// The end of the used part of the stack.
    pub(super) top: u64,
    /// The state of allocations beyond the limit.
    pub(super) too_large: State,
}

impl Memory {
    pub(super) fn new(max_bytes: u64) -> Self {
        let mut memory = Self {
            allocs: Vec::new(),
            bytes: 0,
            max_bytes,
            stack_written: Vec::new(),
            top: 0,
            too_large: REASONS,
        };
        memory.alloc(STACK_BYTES, Space::Host, String::new(), 0);
        memory
    }

    /// Allocates memory without contents, and returns the address.
    pub(super) fn alloc(&mut self, size: u64, space: Space, name: String, line: u32) -> u64 {
        self.allocs.push(Alloc {
            size,
            data: Vec::new(),
            state: Vec::new(),
            all: ([0xcd; 8], UNTOUCHED),
            space,
            name,
            line,
            written: 0,
            is_result: false,
            snapshot: None,
            is_pinned: false,
            gpu: 0,
            is_pageable: false,
            freed: None,
        });
        Self::base(self.allocs.len() - 1)
    }

    /// The address of the first byte of an allocation.
    pub(super) const fn base(idx: usize) -> u64 {
        (idx as u64 + 1) << WINDOW_BITS | START
    }

    /// The allocation of a pointer, and the offset of its target in bytes, which can be outside of the allocation.
    pub(super) fn target(&self, address: u64) -> Option<(usize, i64)> {
        let idx = (address >> WINDOW_BITS) as usize;
        let offset = (address & ((1 << WINDOW_BITS) - 1)).cast_signed() - START.cast_signed();
        (idx > 0 && idx <= self.allocs.len()).then(|| (idx - 1, offset))
    }

    /// The allocation of a pointer to its start or beyond, and the offset in it.
    pub(super) fn place(&self, address: u64) -> Option<(usize, u64)> {
        let (idx, offset) = self.target(address)?;
        Some((idx, u64::try_from(offset).ok()?))
    }

    /// Allocates a variable on the stack; `None` if the stack is full.
    pub(super) fn push(&mut self, size: u64) -> Option<u64> {
        let at = self.top.next_multiple_of(16);
        if at + size > STACK_BYTES {
            return None;
        }
        self.top = at + size;
        let address = Self::base(0) + at;
        self.fill(address, size, 0xcd, UNTOUCHED, 0);
        Some(address)
    }

    /// Notes that `malloc` or `new` has created the allocation at an address.
    pub(super) fn set_pageable(&mut self, address: u64) {
        if let Some((idx, _)) = self.target(address) {
            self.allocs[idx].is_pageable = true;
        }
    }

    /// Notes that a line frees the allocation that starts at an address.
    pub(super) fn free(&mut self, address: u64, line: u32) {
        if let Some((idx @ 1.., 0)) = self.target(address) {
            self.allocs[idx].freed.get_or_insert(line);
        }
    }

    /// Whether an interpreted kernel has written the managed allocation at an address.
    pub(super) fn is_result(&self, address: u64) -> bool {
        self.place(address).is_some_and(|(idx, _)| {
            let alloc = &self.allocs[idx];
            alloc.is_result && alloc.space == Space::Managed
        })
    }

    fn materialize(&mut self, idx: usize) -> bool {
        let alloc = &mut self.allocs[idx];
        if !alloc.data.is_empty() || alloc.size == 0 {
            return true;
        }
        if self.bytes + alloc.size > self.max_bytes {
            alloc.all = ([0; 8], self.too_large);
            return false;
        }
        self.bytes += alloc.size;
        alloc.data = repeated(alloc.all.0, 0, alloc.size);
        alloc.state = vec![alloc.all.1; alloc.size as usize];
        true
    }

    /// Loads up to 8 bytes as a number, with their combined state; `None` outside allocations.
    pub(super) fn load(&self, address: u64, size: u64) -> Option<(u64, State)> {
        let (idx, at) = self.place(address)?;
        let alloc = &self.allocs[idx];
        if at + size > alloc.size {
            return None;
        }
        if alloc.data.is_empty() {
            let mut bits = [0; 8];
            bits[..size as usize].copy_from_slice(&repeated(alloc.all.0, at, size));
            return Some((u64::from_le_bytes(bits), alloc.all.1));
        }
        let range = at as usize..(at + size) as usize;
        let mut bits = [0; 8];
        bits[..size as usize].copy_from_slice(&alloc.data[range.clone()]);
        let state = alloc.state[range].iter().copied().max().unwrap_or(KNOWN);
        Some((u64::from_le_bytes(bits), state))
    }

    /// Stores up to 8 bytes. Returns false outside allocations.
    pub(super) fn store(&mut self, address: u64, size: u64, bits: u64, state: State, step: u64) -> bool {
        let Some((idx, at)) = self.place(address) else {
            return false;
        };
        if at + size > self.allocs[idx].size {
            return false;
        }
        self.note_write(idx, at, size, step);
        if !self.materialize(idx) {
            return true;
        }
        let alloc = &mut self.allocs[idx];
        let range = at as usize..(at + size) as usize;
        alloc.data[range.clone()].copy_from_slice(&bits.to_le_bytes()[..size as usize]);
        alloc.state[range].fill(state);
        true
    }

    fn note_write(&mut self, idx: usize, at: u64, size: u64, step: u64) {
        self.allocs[idx].written = step;
        self.allocs[idx].snapshot = None;
        if idx == 0 && step > 0 {
            let words = (at / 8) as usize..(at + size).div_ceil(8) as usize;
            if self.stack_written.len() < words.end {
                self.stack_written.resize(words.end, 0);
            }
            self.stack_written[words].fill(step);
        }
    }

    /// Sets all bytes of a range to one value and state.
    pub(super) fn fill(&mut self, address: u64, size: u64, byte: u8, state: State, step: u64) {
        self.fill_words(address, size, [byte; 8], state, step);
    }

    /// Sets all elements of `width` bytes in a range to the same bits; the range starts at a multiple of the width.
    pub(super) fn fill_elements(
        &mut self,
        address: u64,
        size: u64,
        bits: u64,
        width: u64,
        state: State,
        step: u64,
    ) {
        let element = bits.to_le_bytes();
        let mut word = [0; 8];
        for (at, byte) in word.iter_mut().enumerate() {
            *byte = element[at % width as usize];
        }
        self.fill_words(address, size, word, state, step);
    }

    /// Sets all bytes of a range: every 8 bytes of the allocation, from its start, have the same bytes.
    fn fill_words(&mut self, address: u64, size: u64, word: [u8; 8], state: State, step: u64) {
        let Some((idx, at)) = self.place(address) else {
            return;
        };
        let end = (at + size).min(self.allocs[idx].size);
        if at >= end {
            return;
        }
        self.note_write(idx, at, end - at, step);
        if idx != 0 && at == 0 && end == self.allocs[idx].size {
            let alloc = &mut self.allocs[idx];
            self.bytes -= alloc.data.len() as u64;
            (alloc.data, alloc.state) = (Vec::new(), Vec::new());
            alloc.all = (word, state);
            return;
        }
        if self.materialize(idx) {
            let alloc = &mut self.allocs[idx];
            alloc.data[at as usize..end as usize].copy_from_slice(&repeated(word, at, end - at));
            alloc.state[at as usize..end as usize].fill(state);
        }
    }

    /// Makes all values of the allocation at an address unknown. The bits stay as hints of pointer targets.
    pub(super) fn forget(&mut self, address: u64, state: State, step: u64) {
        if let Some((idx, _)) = self.target(address) {
            self.forget_alloc(idx, state, step);
        }
    }

    fn forget_alloc(&mut self, idx: usize, state: State, step: u64) {
        let alloc = &mut self.allocs[idx];
        alloc.written = step;
        alloc.snapshot = None;
        if alloc.data.is_empty() {
            alloc.all.1 = state;
        }
        alloc.state.fill(state);
    }

    /// Makes the values of a range unknown.
    pub(super) fn forget_range(&mut self, address: u64, size: u64, state: State, step: u64) {
        let Some((idx, at)) = self.place(address) else {
            return;
        };
        let end = (at + size).min(self.allocs[idx].size);
        if at < end {
            self.note_write(idx, at, end - at, step);
            if self.materialize(idx) {
                self.allocs[idx].state[at as usize..end as usize].fill(state);
            }
        }
    }

    /// Makes unknown what was written since a step.
    pub(super) fn forget_since(&mut self, since: u64, state: State, step: u64) {
        let num_words = self.stack_written.len().min(self.top.div_ceil(8) as usize);
        for word in 0..num_words {
            if self.stack_written[word] >= since {
                let at = word as u64 * 8;
                self.forget_range(Self::base(0) + at, 8, state, step);
            }
        }
        for idx in 1..self.allocs.len() {
            if self.allocs[idx].written >= since {
                self.forget_alloc(idx, state, step);
            }
        }
    }

    /// The bytes from an address, with their states; `None` outside allocations.
    pub(super) fn bytes(&self, address: u64, size: u64) -> Option<(Vec<u8>, Vec<State>)> {
        let (idx, at) = self.place(address)?;
        let alloc = &self.allocs[idx];
        if at + size > alloc.size || size > self.max_bytes {
            return None;
        }
        if alloc.data.is_empty() {
            return Some((repeated(alloc.all.0, at, size), vec![alloc.all.1; size as usize]));
        }
        let range = at as usize..(at + size) as usize;
        Some((alloc.data[range.clone()].to_vec(), alloc.state[range].to_vec()))
    }

    pub(super) fn write(&mut self, address: u64, data: &[u8], state: &[State], step: u64) -> bool {
        let Some((idx, at)) = self.place(address) else {
            return false;
        };
        let size = data.len() as u64;
        if at + size > self.allocs[idx].size {
            return false;
        }
        self.note_write(idx, at, size, step);
        if self.materialize(idx) {
            let alloc = &mut self.allocs[idx];
            alloc.data[at as usize..(at + size) as usize].copy_from_slice(data);
            alloc.state[at as usize..(at + size) as usize].copy_from_slice(state);
        }
        true
    }

    /// Copies a range. Returns false outside allocations.
    pub(super) fn copy(&mut self, to: u64, from: u64, size: u64, step: u64) -> bool {
        let Some((idx, at)) = self.place(from) else {
            return false;
        };
        let alloc = &self.allocs[idx];
        if at + size > alloc.size {
            return false;
        }
        if alloc.data.is_empty() {
            let (mut word, state) = alloc.all;
            let Some((to_idx, to_at)) = self.place(to) else {
                return false;
            };
            let fits = to_at + size <= self.allocs[to_idx].size;
            if fits {
                // The words of the other allocation start elsewhere.
                word.rotate_right(((8 + to_at % 8 - at % 8) % 8) as usize);
                self.fill_words(to, size, word, state, step);
            }
            return fits;
        }
        let Some((data, state)) = self.bytes(from, size) else {
            return false;
        };
        self.write(to, &data, &state, step)
    }

    /// The current contents of an allocation.
    pub(super) fn snapshot(&mut self, idx: usize) -> Arc<Snapshot> {
        let alloc = &mut self.allocs[idx];
        if let Some((written, snapshot)) = &alloc.snapshot
            && *written == alloc.written
        {
            return Arc::clone(snapshot);
        }
        let snapshot = Arc::new(Snapshot {
            data: alloc.data.clone(),
            state: alloc.state.clone(),
            all: alloc.all,
            size: alloc.size,
        });
        alloc.snapshot = Some((alloc.written, Arc::clone(&snapshot)));
        snapshot
    }
}

/// Bytes of memory in which every 8 bytes are the same, from an offset on.
fn repeated(word: [u8; 8], at: u64, size: u64) -> Vec<u8> {
    let start = (at % 8) as usize;
    let (before, after) = word.split_at(start);
    let rotated = [after, before].concat();
    let mut bytes = rotated.repeat(size.div_ceil(8) as usize);
    bytes.truncate(size as usize);
    bytes
}
