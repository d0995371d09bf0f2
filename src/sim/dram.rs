//! The way beyond L1: the port to L2, its tags, and device memory behind it, for the one SM that is
//! simulated. Requests are served in the order in which they come; each knows at once when it will
//! be answered.
//!
//! One SM alone gets what its port lets through from L2, and device memory's whole bandwidth as far
//! as the port lets that through.

use super::MemoryLevel;
use super::cache::{Cache, Lookup};
use super::image::{ImageReader, ImageWriter, Section};
use super::order::Changing;
use crate::arch::Architecture;

/// Parts of a clock in which bandwidth is counted.
const PARTS: u64 = 256;

/// L2 and device memory.
#[derive(Clone, Debug)]
pub(super) struct FarMemory {
    l2: Option<Cache>,
    l2_latency: u64,
    dram_latency: u64,
    /// Parts of a clock that a byte takes.
    port_parts_per_byte: u64,
    dram_parts_per_32_bytes: u64,
    /// When the port and the memory are free, in parts of a clock.
    port_free: u64,
    dram_free: u64,
    /// When the atomic units can begin with the next change of a sector.
    atomic_free: Changing,
    atomic_interval: u64,
    /// Until when changes of a sector are under way: what reads it comes after them.
    changing: Changing,
}

/// Bytes by whose address changes are told apart.
const CHANGED_BYTES: u64 = 32;

/// When and from where a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) at: u64,
    pub(super) level: MemoryLevel,
}

impl FarMemory {
    /// Puts what changes into an image.
    pub(super) fn write_state(&self, to: &mut ImageWriter) {
        let Self {
            l2,
            l2_latency: _,
            dram_latency: _,
            port_parts_per_byte: _,
            dram_parts_per_32_bytes: _,
            port_free,
            dram_free,
            atomic_free,
            atomic_interval: _,
            changing,
        } = self;
        to.section(Section::Far, 0, |to| {
            to.put(&[*port_free, *dram_free]);
            to.put(atomic_free);
            to.put(changing);
        });
        if let Some(l2) = l2 {
            l2.write_state(Section::L2, to);
        }
    }

    /// Reads what [`FarMemory::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut ImageReader) {
        from.section(Section::Far, 0, |from| {
            [self.port_free, self.dram_free] = from.get();
            self.atomic_free = from.get();
            self.changing = from.get();
        });
        if let Some(l2) = &mut self.l2 {
            l2.read_state(Section::L2, from);
        }
    }
}

impl FarMemory {
    pub(super) fn new(arch: &Architecture) -> Self {
        let l2 = arch.memory.l2.as_ref();
        let per_cycle = arch.dram_bytes_per_cycle() * f64::from(arch.memory.device.efficiency.value);
        let port = u64::from(arch.memory.device.sm_port_bytes_per_cycle.value);
        let per_cycle = per_cycle.clamp(1.0, port as f64);
        Self {
            l2: l2.map(|l2| {
                let line = u32::from(l2.line_bytes.value);
                let ways = u32::from(l2.ways.value).max(1);
                let sets = l2.capacity_kib.value * 1024 / line / ways;
                Cache::new(sets, ways, line, u32::from(l2.sector_bytes.value))
            }),
            l2_latency: l2.map_or(0, |l2| u64::from(l2.hit_latency_cycles.value)),
            dram_latency: u64::from(arch.memory.device.latency_cycles.value),
            port_parts_per_byte: PARTS / port,
            dram_parts_per_32_bytes: (32.0 * PARTS as f64 / per_cycle) as u64,
            port_free: 0,
            dram_free: 0,
            atomic_free: Changing::default(),
            changing: Changing::default(),
            atomic_interval: u64::from(arch.memory.atomics.same_address_interval_cycles.value),
        }
    }

    /// Waits for the port from cycle `at` on. Returns the clocks of waiting.
    fn through_port(&mut self, at: u64, bytes: u64) -> u64 {
        let from = (at * PARTS).max(self.port_free);
        self.port_free = from + bytes * self.port_parts_per_byte;
        from / PARTS - at
    }

    fn through_dram(&mut self, at: u64, bytes: u64) -> u64 {
        through(&mut self.dram_free, self.dram_parts_per_32_bytes, at, bytes)
    }

    /// Reads `bytes` (one L2 sector, or one transaction where there is no L2) whose request leaves
    /// at cycle `at`. Latencies count from `at`, as the tables measure them from issue.
    pub(super) fn read(&mut self, address: u64, bytes: u32, at: u64) -> Answer {
        let wait = self.through_port(at, u64::from(bytes));
        let at = self.after_changes(address, bytes, at + wait);
        let Some(l2) = &mut self.l2 else {
            let wait = self.through_dram(at, u64::from(bytes));
            return Answer {
                at: at + wait + self.dram_latency,
                level: MemoryLevel::Dram,
            };
        };
        let hit = at + self.l2_latency;
        let sector = u64::from(l2.sector_bytes());
        let (dram_free, dram) = (&mut self.dram_free, self.dram_parts_per_32_bytes);
        let mut arrives = 0;
        let (found, written_back) = l2.lookup_or_fill(address, at, || {
            arrives = at + through(dram_free, dram, at, sector) + self.dram_latency;
            arrives
        });
        if let Lookup::Hit { arrives } = found {
            let level = if arrives > hit {
                MemoryLevel::Dram
            } else {
                MemoryLevel::L2
            };
            return Answer {
                at: hit.max(arrives),
                level,
            };
        }
        if written_back > 0 {
            self.through_dram(at, u64::from(written_back) * sector);
        }
        Answer {
            at: arrives,
            level: MemoryLevel::Dram,
        }
    }

    /// When what is done to these bytes from `at` on comes after all changes before.
    #[inline(always)]
    fn after_changes(&self, address: u64, bytes: u32, at: u64) -> u64 {
        if !self.changing.any(at) {
            return at;
        }
        let last = (address + u64::from(bytes.max(1)) - 1) / CHANGED_BYTES;
        (address / CHANGED_BYTES..=last).fold(at, |at, key| self.changing.after(key, at))
    }

    /// Waits for the port with a line of constants, which L2 has. Returns the clocks of waiting.
    pub(super) fn constants_through_port(&mut self, bytes: u32, at: u64) -> u64 {
        self.through_port(at, u64::from(bytes))
    }

    /// A sector that was written comes into L2.
    fn fill(&mut self, address: u64, now: u64) {
        if let Some(l2) = &mut self.l2 {
            let sector = u64::from(l2.sector_bytes());
            let written_back = l2.fill(address, now, now, true);
            if written_back > 0 {
                self.through_dram(now, u64::from(written_back) * sector);
            }
        }
    }

    /// Writes `bytes` within one L2 sector (or one transaction). The answer is the acknowledgement.
    pub(super) fn write(&mut self, address: u64, bytes: u32, at: u64) -> Answer {
        let wait = self.through_port(at, u64::from(bytes));
        let at = self.after_changes(address, bytes, at + wait);
        if self.l2.is_none() {
            let wait = self.through_dram(at, u64::from(bytes));
            return Answer {
                at: at + wait + self.dram_latency,
                level: MemoryLevel::Dram,
            };
        }
        self.fill(address, at);
        Answer {
            at: at + self.l2_latency,
            level: MemoryLevel::L2,
        }
    }

    /// Changes a word: `lanes` of the warp hit this very word, and `cycles` later it can be read. Answers
    /// when the unit begins with it, the way there and back not counted.
    pub(super) fn atomic(&mut self, address: u64, lanes: u32, cycles: u64, at: u64) -> u64 {
        let wait = self.through_port(at, 32);
        let at = at + wait;
        if let Some(l2) = &mut self.l2
            && l2.lookup(address, at) == Lookup::Miss
        {
            let sector = u64::from(l2.sector_bytes());
            self.through_dram(at, sector);
        }
        self.fill(address, at);
        let key = address / CHANGED_BYTES;
        let start = self.atomic_free.after(key, at);
        self.atomic_free
            .note(key, start + self.atomic_interval * u64::from(lanes), at);
        self.changing.note(key, start + cycles, at);
        start
    }
}

/// Waits for device memory from cycle `at` on. Returns the clocks of waiting.
fn through(free: &mut u64, parts_per_32_bytes: u64, at: u64, bytes: u64) -> u64 {
    let from = (at * PARTS).max(*free);
    *free = from + bytes * parts_per_32_bytes / 32;
    from / PARTS - at
}
