//! The memory beyond L1: an SM's port to L2, and, common to all SMs, the L2 tags and device memory. Requests are
//! served in order of arrival; the completion time of a request is known at once.
//!
//! A machine of one SM gets the L2 bandwidth of its port, and device memory's full bandwidth up to that of the
//! port. Where the address mapping of device memory's partitions is known, each partition has its own bandwidth.

use super::MemoryLevel;
use super::atomic_units::{UnitQueues, Update};
use super::cache::{Bytes, Cache, Lookup, Victim};
use super::device::Load;
use super::image::{ImageReader, ImageWriter, Section};
use super::intake::Feed;
use super::outbox::{Holder, OpenAccess, Outbox, Request};
use super::traffic::{Move, Traffic};
use super::updates::UpdatesInProgress;
use crate::arch::{Architecture, Channels, FarAddresses, Partitions};

/// Parts of a clock: the unit in which bandwidth is counted.
const PARTS: u64 = 256;
/// The same for the bandwidth that many SMs share.
const FINE_PARTS: u64 = 1 << 16;

/// Device memory: one queue per partition where the address mapping is known; on a whole device, one per channel where
/// the channels are known; otherwise one queue.
#[derive(Clone, Debug)]
struct Device {
    partitions: Option<Partitions>,
    channels: Option<Channels>,
    /// The cycle in which each queue is free, in parts of a clock.
    free: Vec<u64>,
    /// Parts of a clock that 32 bytes occupy a queue.
    parts_per_32_bytes: u64,
    /// Parts of a clock.
    parts: u64,
    /// Bytes so far. Not part of images.
    bytes: u64,
}

impl Device {
    /// `num_sms`: SMs that use the memory. What their ports carry bounds the bandwidth.
    fn new(arch: &Architecture, num_sms: usize) -> Self {
        let device = &arch.memory.device;
        let partitions = arch.memory.partitions;
        let parts = if num_sms > 1 { FINE_PARTS } else { PARTS };
        let per_cycle = arch.dram_bytes_per_cycle() * f64::from(device.efficiency.value);
        let channels = arch.channels().filter(|_| num_sms > 1);
        let (num, per_cycle) = if let Some(partitions) = &partitions {
            let num = partitions.number.value.max(1);
            (num.into(), per_cycle / f64::from(num))
        } else if let Some(channels) = &channels {
            let num = channels.number.value.max(1);
            (num.into(), per_cycle / f64::from(num))
        } else {
            let ports = f64::from(device.sm_port_bytes_per_cycle.value) * num_sms as f64;
            (1, per_cycle.clamp(1.0, ports))
        };
        Self {
            partitions,
            channels,
            free: vec![0; num],
            parts_per_32_bytes: (32.0 * parts as f64 / per_cycle) as u64,
            parts,
            bytes: 0,
        }
    }

    /// Queues `bytes` bytes of one partition from cycle `at` on. Returns the clocks until they are served.
    fn wait(&mut self, address: u64, at: u64, bytes: u64) -> u64 {
        let queue = match (&self.partitions, &self.channels) {
            (Some(partitions), _) => partitions.of(address),
            (None, Some(channels)) => channels.of(address),
            (None, None) => 0,
        };
        let Some(free) = self.free.get_mut(queue as usize) else {
            return 0;
        };
        self.bytes += bytes;
        let from = (at * self.parts).max(*free);
        *free = from + bytes * self.parts_per_32_bytes / 32;
        from / self.parts - at
    }
}

/// The memory beyond L1 as one SM reaches it.
#[derive(Clone, Debug)]
pub(super) struct FarMemory {
    l2_latency: u64,
    dram_latency: u64,
    /// Parts of a clock per byte of the port.
    port_parts_per_byte: u64,
    /// The cycle in which the port is free, in parts of a clock.
    port_free: u64,
    /// Parts of a clock per stored byte, and the cycle in which the way out is free, in parts of a clock; where stores have
    /// their own way. Atomic updates of known units take it, too.
    out_parts_per_byte: Option<u64>,
    out_free: u64,
    /// When the way of old values back from atomic units is free, in hundredths of a cycle.
    return_free: u64,
    atomic_interval: u64,
    /// Bytes that an atomic unit works on at once.
    atomic_sector: u64,
    /// The addresses in the far partition of L2.
    far_addresses: FarAddresses,
    /// The group whose port the SM uses, on a device.
    group: Option<usize>,
    /// What all SMs share. While another SM of a device is at work, it has this part, and here is nothing.
    pub(super) common: Box<Common>,
    /// Bytes of an L2 sector or, without L2, of the smallest device memory access.
    sector_bytes: u32,
    /// Where the SM gets answers and data from.
    pub(super) feed: Feed,
    pub(super) traffic: Traffic,
    /// What the SM requests while it runs apart from the others of its device.
    pub(super) outbox: Option<Box<Outbox>>,
}

/// Bytes that a queue still has to serve: until it is free, 32 bytes take `per_32_bytes` parts of a clock.
fn waiting(free: u64, now: u64, per_32_bytes: u64) -> u64 {
    let parts = free.saturating_sub(now) * 32;
    parts.checked_div(per_32_bytes).unwrap_or(0)
}

/// L2, device memory, and the atomic units: what all SMs share.
#[derive(Clone, Debug)]
pub(super) struct Common {
    l2: Option<Cache>,
    device: Device,
    /// The first cycle in which the atomic units can start the next update of a sector.
    atomic_free: UpdatesInProgress,
    /// The units, where they are known; then they, and not `atomic_free`, say when an update starts.
    units: Option<UnitQueues>,
    /// Until when changes of a sector are in flight: what reads it comes after them.
    updates: UpdatesInProgress,
    /// Bytes between SMs and L2 so far. Not part of images.
    l2_bytes: u64,
    /// Fine parts of a clock that 32 bytes occupy L2. 0: a single SM, whose port bounds the bandwidth.
    l2_parts_per_32_bytes: u64,
    /// The cycle in which L2 is free, in fine parts. Not part of images.
    l2_free: u64,
    /// Fine parts of a clock that 32 bytes occupy the port of a group, and the cycle in which each port is free. Not part
    /// of images.
    group_parts_per_32_bytes: u64,
    group_free: Vec<u64>,
    /// The same for 32 stored bytes.
    group_store_parts_per_32_bytes: u64,
}

impl Common {
    /// Queues at L2, and at the port of a group, from cycle `at` on. Returns the clocks of waiting.
    #[inline(always)]
    fn through_l2(&mut self, group: Option<usize>, at: u64, bytes: u64) -> u64 {
        self.through_group(group, at, bytes, self.group_parts_per_32_bytes)
    }

    /// The same for stored bytes.
    fn store_through_l2(&mut self, group: Option<usize>, at: u64, bytes: u64) -> u64 {
        self.through_group(group, at, bytes, self.group_store_parts_per_32_bytes)
    }

    #[inline(always)]
    fn through_group(&mut self, group: Option<usize>, at: u64, bytes: u64, parts_per_32_bytes: u64) -> u64 {
        let Some(mut from) = self.taken_by_l2(at, bytes) else {
            return 0;
        };
        // After L2: what waits for the port of a group does not delay other groups.
        if let Some(free) = group.and_then(|group| self.group_free.get_mut(group)) {
            from = from.max(*free);
            *free = from + bytes * parts_per_32_bytes / 32;
        }
        from / FINE_PARTS - at
    }

    /// Counts bytes, and queues at L2. Returns when L2 takes them, in fine parts; none if it has no limit.
    #[inline(always)]
    fn taken_by_l2(&mut self, at: u64, bytes: u64) -> Option<u64> {
        self.l2.as_ref()?;
        self.l2_bytes += bytes;
        if self.l2_parts_per_32_bytes == 0 {
            return None;
        }
        let from = (at * FINE_PARTS).max(self.l2_free);
        self.l2_free = from + bytes * self.l2_parts_per_32_bytes / 32;
        Some(from)
    }

    /// The cycle in which all atomic updates are done.
    pub(super) fn updates_end(&self) -> u64 {
        self.units.as_ref().map_or(0, UnitQueues::end)
    }

    /// The bytes requested so far.
    pub(super) const fn requested(&self) -> Load {
        Load {
            l2_bytes: self.l2_bytes,
            dram_bytes: self.device.bytes,
        }
    }

    /// The bytes moved before a cycle: those requested without those that still wait in a queue.
    pub(super) fn moved(&self, now: u64) -> Load {
        let in_l2 = waiting(self.l2_free, now * FINE_PARTS, self.l2_parts_per_32_bytes);
        let device = &self.device;
        let queues = device.free.iter();
        let in_device: u64 = queues
            .map(|free| waiting(*free, now * device.parts, device.parts_per_32_bytes))
            .sum();
        Load {
            l2_bytes: self.l2_bytes.saturating_sub(in_l2),
            dram_bytes: self.device.bytes.saturating_sub(in_device),
        }
    }

    /// Nothing: what an SM of a device has while it does not work.
    fn none() -> Self {
        Self {
            l2: None,
            device: Device {
                partitions: None,
                channels: None,
                free: Vec::new(),
                parts_per_32_bytes: 0,
                parts: PARTS,
                bytes: 0,
            },
            atomic_free: UpdatesInProgress::default(),
            units: None,
            updates: UpdatesInProgress::default(),
            l2_bytes: 0,
            l2_parts_per_32_bytes: 0,
            l2_free: 0,
            group_parts_per_32_bytes: 0,
            group_free: Vec::new(),
            group_store_parts_per_32_bytes: 0,
        }
    }

    /// The common part for a number of SMs.
    pub(super) fn new(arch: &Architecture, num_sms: usize) -> Self {
        let floor = arch.floor();
        let parts_of = |bytes_per_cycle: u16| 32 * FINE_PARTS / u64::from(bytes_per_cycle).max(1);
        let group_parts_per_32_bytes = floor.port_bytes_per_cycle.map_or(0, |port| parts_of(port.value));
        Self {
            l2: arch.memory.l2.as_ref().map(|l2| {
                let line = u32::from(l2.line_bytes.value);
                let ways = u32::from(l2.ways.value).max(1);
                let sets = l2.capacity_kib.value * 1024 / line / ways;
                Cache::new(sets, ways, line, u32::from(l2.sector_bytes.value))
            }),
            device: Device::new(arch, num_sms),
            atomic_free: UpdatesInProgress::default(),
            units: UnitQueues::new(arch, if num_sms > 1 { floor.groups.value.len() } else { 1 }),
            updates: UpdatesInProgress::default(),
            l2_bytes: 0,
            l2_parts_per_32_bytes: if num_sms > 1 {
                arch.memory.l2.as_ref().map_or(0, |l2| {
                    32 * FINE_PARTS / u64::from(l2.bytes_per_cycle.value).max(1)
                })
            } else {
                0
            },
            l2_free: 0,
            group_parts_per_32_bytes,
            group_free: vec![0; floor.groups.value.len()],
            group_store_parts_per_32_bytes: arch.write_port().map_or(group_parts_per_32_bytes, |port| {
                parts_of(port.group_bytes_per_cycle.value)
            }),
        }
    }
}

/// When and from where a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) at: u64,
    pub(super) level: MemoryLevel,
}

/// An answer whose time is open. SMs that run apart do not learn the level.
const fn open_answer(at: u64) -> Answer {
    Answer {
        at,
        level: MemoryLevel::L2,
    }
}

impl FarMemory {
    /// Writes the changing state to an image.
    pub(super) fn write_state(&self, to: &mut ImageWriter) {
        let Self {
            l2_latency: _,
            dram_latency: _,
            port_parts_per_byte: _,
            port_free,
            out_parts_per_byte: _,
            out_free,
            return_free,
            atomic_interval: _,
            atomic_sector: _,
            far_addresses: _,
            group: _,
            common,
            sector_bytes: _,
            // The machine's image has the position.
            feed: _,
            traffic: _,
            outbox: _,
        } = self;
        let Common {
            l2,
            device,
            atomic_free,
            units,
            updates,
            l2_bytes: _,
            l2_parts_per_32_bytes: _,
            l2_free: _,
            group_parts_per_32_bytes: _,
            group_free: _,
            group_store_parts_per_32_bytes: _,
        } = common.as_ref();
        to.section(Section::Far, 0, |to| {
            to.put(port_free);
            to.put(out_free);
            to.put(return_free);
            to.put(&device.free);
            to.put(atomic_free);
            to.put(updates);
            if let Some(units) = units {
                units.write_state(to);
            }
        });
        if let Some(l2) = l2 {
            l2.write_state(Section::L2, to);
        }
    }

    /// Restores what [`FarMemory::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut ImageReader) {
        from.section(Section::Far, 0, |from| {
            self.port_free = from.get();
            self.out_free = from.get();
            self.return_free = from.get();
            let free: Vec<u64> = from.get();
            if free.len() == self.common.device.free.len() {
                self.common.device.free = free;
            } else {
                from.damage();
            }
            self.common.atomic_free = from.get();
            self.common.updates = from.get();
            let units = self.common.units.as_mut();
            if units.is_some_and(|units| !units.read_state(from)) {
                from.damage();
            }
        });
        if let Some(l2) = &mut self.common.l2 {
            l2.read_state(Section::L2, from);
        }
    }
}

impl FarMemory {
    /// The memory of a machine of one SM.
    pub(super) fn new(arch: &Architecture) -> Self {
        Self {
            common: Box::new(Common::new(arch, 1)),
            ..Self::without_common(arch)
        }
    }

    /// The part of one SM of a device.
    pub(super) fn of_device(arch: &Architecture, sm: u16) -> Self {
        Self {
            group: arch.port_of(sm),
            far_addresses: arch.far_addresses(sm).unwrap_or_default(),
            ..Self::without_common(arch)
        }
    }

    fn without_common(arch: &Architecture) -> Self {
        let l2 = arch.memory.l2.as_ref();
        let port = u64::from(arch.memory.device.sm_port_bytes_per_cycle.value);
        Self {
            l2_latency: l2.map_or(0, |l2| u64::from(l2.hit_latency_cycles.value)),
            dram_latency: u64::from(arch.memory.device.latency_cycles.value),
            port_parts_per_byte: PARTS / port,
            port_free: 0,
            out_parts_per_byte: arch
                .write_port()
                .map(|port| PARTS / u64::from(port.sm_bytes_per_cycle.value).max(1)),
            out_free: 0,
            return_free: 0,
            atomic_interval: u64::from(arch.memory.atomics.same_address_interval_cycles.value),
            atomic_sector: u64::from(arch.memory.atomics.sector_bytes.value),
            far_addresses: arch.far_addresses(0).unwrap_or_default(),
            group: None,
            common: Box::new(Common::none()),
            sector_bytes: l2.map_or(32, |l2| u32::from(l2.sector_bytes.value)),
            feed: Feed::Live,
            traffic: Traffic::default(),
            outbox: None,
        }
    }

    /// Bytes of an L2 sector or, without L2, of the smallest device memory access.
    pub(super) const fn sector_bytes(&self) -> u32 {
        self.sector_bytes
    }

    /// Queues at the port from cycle `at` on. Returns the clocks of waiting.
    fn through_port(&mut self, at: u64, bytes: u64) -> u64 {
        let from = (at * PARTS).max(self.port_free);
        self.port_free = from + bytes * self.port_parts_per_byte;
        from / PARTS - at
    }

    /// Queues stored bytes on their way out from cycle `at` on. Returns the clocks of waiting.
    fn store_through_port(&mut self, at: u64, bytes: u64) -> u64 {
        match self.out_parts_per_byte {
            Some(parts) => self.through_way_out(at, bytes * parts),
            None => self.through_port(at, bytes),
        }
    }

    /// Queues at the way out for parts of a clock, from cycle `at` on. Returns the clocks of waiting.
    fn through_way_out(&mut self, at: u64, parts: u64) -> u64 {
        let from = (at * PARTS).max(self.out_free);
        self.out_free = from + parts;
        from / PARTS - at
    }

    /// The later of both times, and the farther of both levels.
    pub(super) fn later_answer(&mut self, a: Answer, b: Answer) -> Answer {
        Answer {
            at: self.later(a.at, b.at),
            level: a.level.max(b.level),
        }
    }

    /// Reads or writes device memory directly.
    fn without_l2(&mut self, what: Move, address: u64, bytes: u32, at: u64) -> Answer {
        let wait = self.common.device.wait(address, at, u64::from(bytes));
        self.traffic.note(what);
        Answer {
            at: at + wait + self.dram_latency,
            level: MemoryLevel::Dram,
        }
    }

    /// Reads `bytes` (one L2 sector, or one transaction without L2). The request leaves the SM at cycle `at`.
    /// Bits of `wanted` select the required bytes; the lowest bit is the first byte. Latencies count from
    /// `at`, as the tables measure them from issue.
    #[inline]
    pub(super) fn read(
        &mut self,
        address: u64,
        bytes: u32,
        wanted: impl FnOnce() -> Bytes,
        at: u64,
    ) -> Answer {
        if let Some(outbox) = &mut self.outbox {
            let wanted = wanted();
            return open_answer(outbox.request(Request::Read {
                address,
                bytes,
                wanted,
                at,
            }));
        }
        let wait = self.through_port(at, u64::from(bytes));
        if let Some(answer) = self.feed.answer(at) {
            return answer;
        }
        let answer = self.read_beyond(address, bytes, wanted, at + wait);
        self.feed.note_answer(at, answer);
        answer
    }

    /// Reads beyond the port.
    #[inline]
    fn read_beyond(&mut self, address: u64, bytes: u32, wanted: impl FnOnce() -> Bytes, at: u64) -> Answer {
        // What waits for a change does not hold up what arrives after it.
        let at = at + self.common.through_l2(self.group, at, u64::from(bytes));
        let at = self.after_changes(address, bytes, at);
        let Common {
            l2: Some(l2), device, ..
        } = self.common.as_mut()
        else {
            return self.without_l2(Move::Read { address, bytes }, address, bytes, at);
        };
        let hit = at + self.l2_latency;
        let sector = u64::from(l2.sector_bytes());
        let mut arrival = 0;
        let (found, victim) = l2.lookup_or_fill(address, at, wanted, || {
            arrival = at + device.wait(address, at, sector) + self.dram_latency;
            arrival
        });
        if let Lookup::Hit { arrives } = found {
            self.traffic.note(Move::L2Hit {
                sector: address,
                arrives,
            });
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
        self.write_back(victim, at);
        self.traffic.note(Move::L2Miss {
            sector: address,
            arrives: arrival,
        });
        Answer {
            at: arrival,
            level: MemoryLevel::Dram,
        }
    }

    /// Writes the dirty data of an evicted L2 line back to device memory.
    #[inline(always)]
    fn write_back(&mut self, victim: Victim, at: u64) {
        let Some(l2) = &self.common.l2 else { return };
        if victim.is_line() {
            self.traffic.note(Move::L2Out {
                line: l2.address_of_victim(victim),
                dirty_sectors: victim.dirty,
            });
        }
        if victim.dirty != 0 {
            let bytes = victim.dirty.count_ones() * l2.sector_bytes();
            let line = l2.address_of_victim(victim);
            self.common.device.wait(line, at, u64::from(bytes));
        }
    }

    /// The first cycle from `at` on in which no earlier update of these bytes is in progress.
    #[inline(always)]
    fn after_changes(&self, address: u64, bytes: u32, at: u64) -> u64 {
        if !self.common.updates.any(at) {
            return at;
        }
        let sector = self.atomic_sector;
        let last = (address + u64::from(bytes.max(1)) - 1) / sector;
        (address / sector..=last).fold(at, |at, key| self.common.updates.after(key, at))
    }

    /// Queues a line of constants, which L2 holds, at the port. Returns the cycle in which it is through.
    pub(super) fn constants_through_port(&mut self, bytes: u32, at: u64) -> u64 {
        if let Some(outbox) = &mut self.outbox {
            return outbox.request(Request::Constants { bytes, at });
        }
        self.traffic.note(Move::Constants { bytes });
        at + self.through_port(at, u64::from(bytes))
    }

    /// Sends a miss of L1, if the SM runs apart. Returns the open time of the last answer.
    #[inline(always)]
    pub(super) fn miss_apart(&mut self, sector: u64, bytes: u32, unit: u32, at: u64) -> Option<Answer> {
        let outbox = self.outbox.as_mut()?;
        Some(open_answer(outbox.request(Request::Miss {
            sector,
            bytes,
            unit,
            at,
        })))
    }

    /// The later of two times, which can be open.
    #[inline(always)]
    pub(super) fn later(&mut self, a: u64, b: u64) -> u64 {
        match &mut self.outbox {
            None => a.max(b),
            Some(outbox) => outbox.later(a, b),
        }
    }

    /// A time, which can be open, and a number of cycles.
    #[inline(always)]
    pub(super) fn plus(&mut self, time: u64, cycles: u64) -> u64 {
        match &mut self.outbox {
            None => time + cycles,
            Some(outbox) => outbox.plus(time, cycles),
        }
    }

    /// Notes a fill of a cache of the SM.
    #[inline(always)]
    pub(super) fn note_fill(&mut self, holder: Holder, address: u64, arrives: u64) {
        if let Some(outbox) = &mut self.outbox {
            outbox.note_fill(holder, address, arrives);
        }
    }

    /// Notes an access that is done at a time, which can be open. Returns the earliest cycle.
    #[inline(always)]
    pub(super) fn note_access(&mut self, access: OpenAccess) -> u64 {
        match &mut self.outbox {
            None => access.done,
            Some(outbox) => outbox.note_access(access),
        }
    }

    /// Writes `bytes` within one L2 sector (or one transaction). Bits of `written` select the new bytes; the
    /// lowest bit is the first byte. `is_back` marks a write-back of L1. The answer is the acknowledgment.
    pub(super) fn write(
        &mut self,
        address: u64,
        bytes: u32,
        written: Bytes,
        is_back: bool,
        at: u64,
    ) -> Answer {
        if let Some(outbox) = &mut self.outbox {
            return open_answer(outbox.request(Request::Write {
                address,
                bytes,
                written,
                is_back,
                at,
            }));
        }
        let wait = self.store_through_port(at, u64::from(bytes));
        if let Some(answer) = self.feed.answer(at) {
            return answer;
        }
        let answer = self.write_beyond(address, bytes, written, is_back, at + wait);
        self.feed.note_answer(at, answer);
        answer
    }

    /// Writes beyond the port.
    fn write_beyond(&mut self, address: u64, bytes: u32, written: Bytes, is_back: bool, at: u64) -> Answer {
        // What waits for a change does not hold up what arrives after it.
        let at = at + self.common.store_through_l2(self.group, at, u64::from(bytes));
        let at = self.after_changes(address, bytes, at);
        let Some(l2) = &mut self.common.l2 else {
            return self.without_l2(Move::Write { address, bytes }, address, bytes, at);
        };
        let victim = l2.write(address, at, written, true);
        self.write_back(victim, at);
        self.traffic.note(Move::L2Write {
            sector: address,
            is_back,
        });
        Answer {
            at: at + self.l2_latency,
            level: MemoryLevel::L2,
        }
    }

    /// Cycles that an atomic operation takes longer because its address is in the far partition of L2.
    pub(super) const fn far_cycles(&self, address: u64) -> u64 {
        self.far_addresses.more_cycles(address)
    }

    /// Updates words atomically. Returns the cycle in which the unit starts, without the latency to L2 and back.
    pub(super) fn atomic(&mut self, update: Update, at: u64) -> u64 {
        if let Some(outbox) = &mut self.outbox {
            return outbox.request(Request::Atomic { update, at });
        }
        let wait = match update.work {
            Some(work) => self.through_way_out(at, u64::from(work.sm) * PARTS / 100),
            None => self.through_port(at, self.atomic_sector),
        };
        if let Some(answer) = self.feed.answer(at) {
            return answer.at;
        }
        let mut start = self.atomic_beyond(update, at + wait);
        if let Some(work) = update.work {
            start = UnitQueues::come_back(work, &mut self.return_free, start);
        }
        let level = MemoryLevel::L2;
        self.feed.note_answer(at, Answer { at: start, level });
        start
    }

    /// Updates words beyond the port.
    fn atomic_beyond(&mut self, update: Update, at: u64) -> u64 {
        let Update { address, work, .. } = update;
        let at = at + self.common.through_l2(self.group, at, self.atomic_sector);
        let there = self.fetch_for_change(address, at);
        if !update.is_contended {
            return there;
        }
        let key = address / self.atomic_sector;
        let Common {
            units,
            atomic_free,
            updates,
            ..
        } = self.common.as_mut();
        let start = if let (Some(units), Some(work)) = (units, work) {
            let port = self.group.unwrap_or(0);
            units.serve(port, address, key, work, at).max(there)
        } else {
            let start = atomic_free.after(key, at).max(there);
            let busy = self.atomic_interval * u64::from(update.lanes);
            atomic_free.note(key, start + busy, at);
            start
        };
        updates.note(key, start + update.cycles, at);
        start
    }

    /// The cycle in which the sector to update is available, without the latency to L2 and back.
    fn fetch_for_change(&mut self, address: u64, at: u64) -> u64 {
        let beyond_l2 = self.dram_latency - self.l2_latency.min(self.dram_latency);
        let Some(l2) = &mut self.common.l2 else {
            // Read and written; the latency of the operation is that of memory.
            let wait = self.common.device.wait(address, at, 2 * self.atomic_sector);
            let bytes = self.atomic_sector as u32;
            self.traffic.note(Move::Read { address, bytes });
            self.traffic.note(Move::Write { address, bytes });
            return at + wait;
        };
        let sector = u64::from(l2.sector_bytes());
        let found = l2.lookup(address, at);
        let there = match found {
            Lookup::Hit { arrives } => arrives.saturating_sub(self.l2_latency).max(at),
            Lookup::Miss => at + self.common.device.wait(address, at, sector) + beyond_l2,
        };
        let Some(l2) = &mut self.common.l2 else {
            return there;
        };
        let victim = l2.fill(address, at, there + self.l2_latency, true);
        self.write_back(victim, at);
        self.traffic.note(Move::L2Change {
            sector: address,
            is_miss: found == Lookup::Miss,
        });
        there
    }
}
