//! Detects unordered accesses to the same bytes by different threads.

use super::code::Kind;

/// Several threads of one warp; the warp index is in the other bits.
const SOME_OF_WARP: u16 = 0x8000;
/// Threads of more than one warp.
const MANY: u16 = u16::MAX;

/// The last accesses to a byte: times, which start at 1, and threads.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    write_time: u32,
    read_time: u32,
    writer: u16,
    reader: u16,
    is_atomic: bool,
}

/// The shadow cells of a memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadow(Vec<Cell>);

impl Shadow {
    pub(super) fn new(bytes: usize) -> Self {
        Self(vec![Cell::default(); bytes])
    }
}

/// The last synchronization of each group of threads. Each synchronization advances the time.
#[derive(Clone, Debug)]
pub(super) struct Order {
    now: u32,
    block_start: u32,
    block: u32,
    warps: [u32; 32],
    /// Whether the current accesses are atomic.
    pub(super) is_atomic: bool,
}

impl Order {
    pub(super) const fn new() -> Self {
        Self {
            now: 1,
            block_start: 0,
            block: 0,
            warps: [0; 32],
            is_atomic: false,
        }
    }

    pub(super) fn begin_block(&mut self) {
        self.block_start = self.now;
        self.synchronize_block();
    }

    pub(super) fn synchronize_block(&mut self) {
        self.block = self.now;
        self.now += 1;
    }

    pub(super) fn synchronize_warp(&mut self, warp: usize) {
        self.warps[warp % 32] = self.now;
        self.now += 1;
    }

    /// Whether a thread's access is ordered after an earlier one.
    fn orders(&self, time: u32, by: u16, thread: u16) -> bool {
        if time == 0 {
            return true;
        }
        if time <= self.block_start {
            return false;
        }
        let warp = thread / 32;
        let is_after_warp = is_of_warp(by, warp) && time <= self.warps[usize::from(warp)];
        by == thread || time <= self.block || is_after_warp
    }

    /// Records a read. Returns whether a write races with it.
    pub(super) fn read(&self, shadow: &mut Shadow, offset: usize, kind: Kind, thread: usize) -> bool {
        let thread = thread as u16;
        let mut races = false;
        for cell in &mut shadow.0[offset..offset + kind.bytes() as usize] {
            let both_atomic = self.is_atomic && cell.is_atomic;
            races |= !both_atomic && !self.orders(cell.write_time, cell.writer, thread);
            if self.is_atomic {
                continue;
            }
            cell.reader = if self.orders(cell.read_time, cell.reader, thread) {
                thread
            } else if cell.read_time > self.block_start && is_of_warp(cell.reader, thread / 32) {
                SOME_OF_WARP | (thread / 32)
            } else {
                MANY
            };
            cell.read_time = self.now;
        }
        races
    }

    /// Records a write. Returns whether another access races with it. Threads that write the existing value do
    /// not race with each other.
    pub(super) fn write(
        &self,
        shadow: &mut Shadow,
        offset: usize,
        kind: Kind,
        thread: usize,
        changes: bool,
    ) -> bool {
        let thread = thread as u16;
        let mut races = false;
        for cell in &mut shadow.0[offset..offset + kind.bytes() as usize] {
            let both_atomic = self.is_atomic && cell.is_atomic;
            let writes_race = changes && !self.orders(cell.write_time, cell.writer, thread);
            let reads_race = changes && !self.orders(cell.read_time, cell.reader, thread);
            races |= !both_atomic && writes_race || reads_race;
            cell.write_time = self.now;
            cell.writer = thread;
            cell.is_atomic = self.is_atomic;
        }
        races
    }
}

/// Whether all accessing threads belong to one warp.
const fn is_of_warp(by: u16, warp: u16) -> bool {
    match by {
        MANY => false,
        by if by & SOME_OF_WARP != 0 => by & !SOME_OF_WARP == warp,
        by => by / 32 == warp,
    }
}
