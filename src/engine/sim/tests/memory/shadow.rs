//! A model of memory that tracks data: it repeats the movements that the machine reports with bytes. Each
//! byte is identified by the access that wrote it last. The model uses no part of the machine's caches.

use std::collections::{BTreeMap, BTreeSet};

use crate::arch::Architecture;
use crate::ids::SlotIdx;
use crate::sim::local_addresses;
use crate::sim::traffic::Move;
use crate::sim::{Access, RequestKind};

/// The access that wrote a byte last; 0 if none did.
type Version = u32;

/// The maximum number of bytes per sector.
const MAX_SECTOR_BYTES: usize = 128;

/// A sector in a cache.
#[derive(Clone)]
struct Sector {
    bytes: [Option<Version>; MAX_SECTOR_BYTES],
    dirty: [bool; MAX_SECTOR_BYTES],
    /// The cycle in which the fetched data arrives.
    there: u64,
}

/// A cache: sectors by address.
struct Level {
    name: &'static str,
    sectors: BTreeMap<u64, Sector>,
    sector_bytes: u64,
    line_bytes: u64,
}

/// Counts of movements, in sectors of 32 bytes unless stated otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// In L1 sectors.
    pub(super) l1_hits: u64,
    pub(super) l1_misses: u64,
    pub(super) l2_hits: u64,
    pub(super) l2_misses: u64,
    pub(super) l2_writes: u64,
    pub(super) l2_write_backs: u64,
    pub(super) l2_changes: u64,
    pub(super) l2_change_misses: u64,
    pub(super) memory_reads: u64,
    pub(super) memory_writes: u64,
    pub(super) constant_lines: u64,
}

impl Counts {
    pub(super) fn add(&mut self, other: Self) {
        self.l1_hits += other.l1_hits;
        self.l1_misses += other.l1_misses;
        self.l2_hits += other.l2_hits;
        self.l2_misses += other.l2_misses;
        self.l2_writes += other.l2_writes;
        self.l2_write_backs += other.l2_write_backs;
        self.l2_changes += other.l2_changes;
        self.l2_change_misses += other.l2_change_misses;
        self.memory_reads += other.memory_reads;
        self.memory_writes += other.memory_writes;
        self.constant_lines += other.constant_lines;
    }
}

/// All levels of memory.
pub(super) struct Shadow {
    newest: BTreeMap<u64, Version>,
    l1: Level,
    l2: Level,
    memory: BTreeMap<u64, Version>,
    /// Bytes that have left L1 and have not arrived in L2.
    leaving: BTreeMap<u64, Version>,
    /// L1 misses: departure and return.
    misses: Vec<(u64, u64)>,
    miss_entries: usize,
    has_l2: bool,
    /// The totals of all accesses, for comparison with the counters.
    pub(super) total: Counts,
    local_bytes: u32,
}

impl Level {
    fn new(name: &'static str, sector_bytes: u16, line_bytes: u16) -> Self {
        Self {
            name,
            sectors: BTreeMap::new(),
            sector_bytes: sector_bytes.into(),
            line_bytes: line_bytes.into(),
        }
    }

    fn first(&self, address: u64) -> u64 {
        address / self.sector_bytes * self.sector_bytes
    }

    fn line_sectors(&self, line: u64) -> Vec<u64> {
        let first = line / self.line_bytes * self.line_bytes;
        (self.sectors.range(first..first + self.line_bytes))
            .map(|(address, _)| *address)
            .collect()
    }

    fn version(&self, address: u64) -> Option<Version> {
        let sector = self.sectors.get(&self.first(address))?;
        sector.bytes[(address % self.sector_bytes) as usize]
    }

    /// Writes a byte; its sector is allocated if missing.
    fn write(&mut self, address: u64, version: Version, is_dirty: bool) {
        let at = (address % self.sector_bytes) as usize;
        let sector = self.sectors.entry(self.first(address)).or_insert(Sector {
            bytes: [None; MAX_SECTOR_BYTES],
            dirty: [false; MAX_SECTOR_BYTES],
            there: 0,
        });
        sector.bytes[at] = Some(version);
        sector.dirty[at] |= is_dirty;
    }

    /// Fills a sector with fetched bytes; bytes written meanwhile are kept.
    fn fetch(&mut self, first: u64, there: u64, byte: impl Fn(u64) -> Version) {
        for address in first..first + self.sector_bytes {
            let at = (address - first) as usize;
            let is_dirty = (self.sectors.get(&first)).is_some_and(|sector| sector.dirty[at]);
            if !is_dirty {
                self.write(address, byte(address), false);
            }
        }
        if let Some(sector) = self.sectors.get_mut(&first) {
            sector.there = there;
        }
    }

    /// Evicts a line. Returns the bytes of its dirty sectors, which must match those of the machine.
    fn leave(&mut self, line: u64, dirty_sectors: u8) -> Vec<(u64, Version)> {
        let mut dirty = Vec::new();
        let (mut known, line) = (0, line / self.line_bytes * self.line_bytes);
        for first in self.line_sectors(line) {
            let Some(sector) = self.sectors.remove(&first) else {
                continue;
            };
            if sector.dirty.contains(&true) {
                known |= 1 << ((first - line) / self.sector_bytes);
                let bytes = (first..).zip(&sector.bytes);
                dirty.extend(bytes.filter_map(|(address, version)| Some((address, (*version)?))));
            }
        }
        assert_eq!(
            known, dirty_sectors,
            "{}: line {line:#x} is evicted with the wrong dirty sectors",
            self.name
        );
        dirty
    }
}

/// The bytes of an access, by lane and address.
fn bytes_of(access: &Access, local_bytes: u32) -> Vec<u64> {
    let size = u32::from(access.width_bits / 8);
    let is_local = matches!(access.kind, RequestKind::LocalLoad | RequestKind::LocalStore);
    let addresses = if is_local {
        local_addresses(local_bytes, SlotIdx(access.slot.0), &access.addresses, size)
    } else {
        access.addresses
    };
    let lanes = (0..32).filter(|lane| access.mask.0 >> lane & 1 == 1);
    let mut bytes: Vec<u64> = lanes
        .flat_map(|lane| addresses[lane]..addresses[lane] + u64::from(size))
        .collect();
    bytes.sort_unstable();
    bytes.dedup();
    bytes
}

impl Shadow {
    pub(super) fn new(arch: &Architecture, local_bytes: u32) -> Self {
        let (l1, l2) = (arch.memory.l1.as_ref(), arch.memory.l2.as_ref());
        Self {
            newest: BTreeMap::new(),
            l1: l1.map_or_else(
                || Level::new("L1", 32, 32),
                |l1| Level::new("L1", l1.sector_bytes.value, l1.line_bytes.value),
            ),
            l2: l2.map_or_else(
                || Level::new("L2", 32, 32),
                |l2| Level::new("L2", l2.sector_bytes.value, l2.line_bytes.value),
            ),
            memory: BTreeMap::new(),
            leaving: BTreeMap::new(),
            misses: Vec::new(),
            miss_entries: l1.map_or(usize::MAX, |l1| l1.miss_entries.value.into()),
            has_l2: l2.is_some(),
            total: Counts::default(),
            local_bytes,
        }
    }

    fn newest(&self, address: u64) -> Version {
        self.newest.get(&address).copied().unwrap_or(0)
    }

    fn in_memory(&self, address: u64) -> Version {
        self.memory.get(&address).copied().unwrap_or(0)
    }

    /// Applies an access and its movements. Checks that all bytes arrive, that they are the newest, that the
    /// access completes after they arrive, and that each level receives exactly the requests that the
    /// previous level needs.
    pub(super) fn access(&mut self, version: Version, access: &Access, moves: &[Move]) {
        use RequestKind::*;
        let before = self.total;
        match access.kind {
            SharedLoad | SharedStore | SharedAtomic | CopyStore => {
                assert_eq!(moves, [], "shared memory accesses move nothing between levels");
            }
            ConstantLoad => self.constants(access, moves),
            TextureLoad | UniformLoad => self.read_apart(access, moves),
            GlobalLoad | LocalLoad | CopyLoad => self.load(access, moves),
            GlobalStore | LocalStore => self.store(version, access, moves),
            GlobalAtomic | GlobalReduction => self.change(version, access, moves),
        }
        assert!(
            self.leaving.is_empty(),
            "bytes left L1 and did not arrive in L2: {:x?}",
            self.leaving
        );
        self.adds_up(access, before);
    }

    /// A load through a read-only cache separate from L1: L2 or memory serves its misses.
    fn read_apart(&mut self, access: &Access, moves: &[Move]) {
        let mut there = 0;
        for moved in moves {
            match *moved {
                Move::L2Hit { sector, arrives } | Move::L2Miss { sector, arrives } => {
                    let is_hit = matches!(moved, Move::L2Hit { .. });
                    self.read_l2(sector, arrives, is_hit, true, &[]);
                    there = there.max(arrives);
                }
                Move::Read { .. } => self.total.memory_reads += 1,
                Move::L1Hit { .. } | Move::L1Miss { .. } => panic!("the access does not use L1: {moved:?}"),
                other => self.leaves(other),
            }
        }
        assert!(moves.len() <= 2 * usize::from(access.sectors), "{moves:?}");
        assert!(access.done.0 >= there, "done before the data arrives: {moves:?}");
    }

    fn constants(&mut self, access: &Access, moves: &[Move]) {
        for moved in moves {
            match moved {
                Move::Constants { .. } | Move::Read { .. } => self.total.constant_lines += 1,
                other => panic!("constants are only read: {other:?}"),
            }
        }
        // Compute capability 1.x sends a request per half-warp.
        let lanes_of_request = if self.has_l2 { 32 } else { 16 };
        let distinct: BTreeSet<(usize, u64)> = (0..32)
            .filter(|lane| access.mask.0 >> lane & 1 == 1)
            .map(|lane| (lane / lanes_of_request, access.addresses[lane]))
            .collect();
        assert_eq!(
            usize::from(access.requests),
            distinct.len(),
            "one request per address"
        );
    }

    fn load(&mut self, access: &Access, moves: &[Move]) {
        let wanted = bytes_of(access, self.local_bytes);
        // The bytes from beyond L1, and the bytes that the lanes receive.
        let mut delivered: BTreeMap<u64, Version> = BTreeMap::new();
        let mut received: BTreeMap<u64, Version> = BTreeMap::new();
        let mut there = 0;
        let in_l1 = moves
            .iter()
            .any(|moved| matches!(moved, Move::L1Hit { .. } | Move::L1Miss { .. }));
        for moved in moves {
            match *moved {
                Move::L2Hit { sector, arrives } | Move::L2Miss { sector, arrives } => {
                    let is_hit = matches!(moved, Move::L2Hit { .. });
                    self.read_l2(sector, arrives, is_hit, in_l1, &wanted);
                    there = there.max(arrives);
                    for address in sector..sector + self.l2.sector_bytes {
                        delivered.extend(self.l2.version(address).map(|version| (address, version)));
                    }
                }
                Move::Read { address, bytes } => {
                    self.total.memory_reads += 1;
                    for address in address..address + u64::from(bytes) {
                        delivered.insert(address, self.in_memory(address));
                    }
                }
                Move::L1Hit { sector, arrives } => {
                    self.total.l1_hits += 1;
                    let known = self.l1.sectors.get(&sector);
                    let fetched = known.map_or(0, |sector| sector.there);
                    assert!(
                        arrives >= fetched,
                        "L1 reports sector {sector:#x} at {arrives}, but it arrives at {fetched}"
                    );
                    there = there.max(arrives);
                    self.deliver_from_l1(sector, &wanted, &mut received);
                }
                Move::L1Miss { sector, out, arrives } => {
                    self.miss_l1(sector, (out, arrives), &wanted, &delivered);
                    there = there.max(arrives);
                    self.deliver_from_l1(sector, &wanted, &mut received);
                }
                other => self.leaves(other),
            }
        }
        let received = if in_l1 { received } else { delivered };
        for address in wanted {
            let newest = self.newest(address);
            match received.get(&address) {
                None => panic!("byte {address:#x} is requested but not delivered: {moves:?}"),
                Some(version) => assert_eq!(
                    *version, newest,
                    "stale: byte {address:#x} was last written by access {newest}, but the value of {version} \
                     is read: {moves:?}"
                ),
            }
        }
        assert!(
            access.done.0 >= there,
            "done at {} before the data arrives at {there}: {moves:?}",
            access.done.0
        );
    }

    fn read_l2(&mut self, sector: u64, arrives: u64, is_hit: bool, whole: bool, wanted: &[u64]) {
        let needs = |address: &u64| whole || wanted.binary_search(address).is_ok();
        let mut needed = (sector..sector + self.l2.sector_bytes).filter(needs);
        let lacks = needed.any(|address| self.l2.version(address).is_none());
        if is_hit {
            self.total.l2_hits += 1;
            // Without L1, a request needs only the bytes of its own lanes. Another request of the same access
            // can need bytes of the sector that L2 lacks, and then fetches the sector. The end of the access
            // checks that all bytes arrived.
            let mut needed = (sector..sector + self.l2.sector_bytes).filter(needs);
            let has_some = needed.any(|address| self.l2.version(address).is_some());
            assert!(
                !lacks || !whole && has_some,
                "L2 reports a hit of sector {sector:#x}, but some of its bytes never arrived"
            );
            let fetched = self.l2.sectors[&sector].there;
            assert!(
                arrives >= fetched,
                "L2 delivers sector {sector:#x} before the sector arrives"
            );
        } else {
            self.total.l2_misses += 1;
            self.total.memory_reads += 1;
            assert!(lacks, "L2 fetches sector {sector:#x}, which is present");
            let memory = &self.memory;
            (self.l2).fetch(sector, arrives, |address| {
                memory.get(&address).copied().unwrap_or(0)
            });
        }
    }

    fn deliver_from_l1(&self, sector: u64, wanted: &[u64], received: &mut BTreeMap<u64, Version>) {
        for address in sector..sector + self.l1.sector_bytes {
            if wanted.binary_search(&address).is_ok() {
                match self.l1.version(address) {
                    Some(version) => received.insert(address, version),
                    None => panic!("L1 reports a hit of byte {address:#x}, which never arrived"),
                };
            }
        }
    }

    fn miss_l1(
        &mut self,
        sector: u64,
        (out, arrives): (u64, u64),
        wanted: &[u64],
        delivered: &BTreeMap<u64, Version>,
    ) {
        self.total.l1_misses += 1;
        let mut here = (sector..sector + self.l1.sector_bytes).filter(|at| wanted.binary_search(at).is_ok());
        assert!(
            here.any(|address| self.l1.version(address).is_none()),
            "L1 fetches sector {sector:#x}, which is present or in flight"
        );
        let under_way = (self.misses.iter()).filter(|(from, until)| *from <= out && out < *until);
        let num = under_way.count() + 1;
        assert!(
            num <= self.miss_entries,
            "{num} misses in flight at {out}, limit {}",
            self.miss_entries
        );
        self.misses.push((out, arrives));
        self.l1
            .fetch(sector, arrives, |address| match delivered.get(&address) {
                Some(version) => *version,
                None => panic!("L1 receives byte {address:#x}, which L2 did not send"),
            });
    }

    fn store(&mut self, version: Version, access: &Access, moves: &[Move]) {
        let written = bytes_of(access, self.local_bytes);
        let within = |first: u64, bytes: u64| {
            let from = written.partition_point(|address| *address < first);
            written[from..]
                .iter()
                .copied()
                .take_while(move |address| *address < first + bytes)
        };
        for address in &written {
            self.newest.insert(*address, version);
        }
        for moved in moves {
            match *moved {
                Move::L1Write {
                    sector,
                    is_dirty,
                    allocates,
                } => {
                    let bytes = self.l1.sector_bytes;
                    if allocates || self.l1.sectors.contains_key(&sector) {
                        within(sector, bytes).for_each(|address| self.l1.write(address, version, is_dirty));
                    }
                    if within(sector, bytes).count() as u64 == bytes
                        && let Some(sector) = self.l1.sectors.get_mut(&sector)
                    {
                        sector.there = 0;
                    }
                }
                Move::L2Write {
                    sector,
                    is_back: false,
                } => {
                    self.total.l2_writes += 1;
                    let bytes = self.l2.sector_bytes;
                    within(sector, bytes).for_each(|address| self.l2.write(address, version, true));
                    if within(sector, bytes).count() as u64 == bytes
                        && let Some(sector) = self.l2.sectors.get_mut(&sector)
                    {
                        sector.there = 0;
                    }
                }
                Move::Write { address, bytes } => {
                    self.total.memory_writes += 1;
                    for address in within(address, bytes.into()) {
                        self.memory.insert(address, version);
                    }
                }
                other => self.leaves(other),
            }
        }
        for address in written {
            let kept = (self.l1.sectors.get(&self.l1.first(address)))
                .is_some_and(|sector| sector.dirty[(address % self.l1.sector_bytes) as usize]);
            // L2 may already have sent it to device memory.
            let newest = if kept {
                self.l1.version(address)
            } else {
                self.l2.version(address).or(Some(self.in_memory(address)))
            };
            assert_eq!(newest, Some(version), "the store of byte {address:#x} is lost");
        }
    }

    fn change(&mut self, version: Version, access: &Access, moves: &[Move]) {
        let changed = bytes_of(access, self.local_bytes);
        let mut reached: Vec<u64> = Vec::new();
        for moved in moves {
            match *moved {
                Move::L2Change { sector, is_miss } => {
                    self.total.l2_changes += 1;
                    let end = sector + self.l2.sector_bytes;
                    let all = || sector..end;
                    let lacks = all().any(|address| self.l2.version(address).is_none());
                    assert_eq!(
                        is_miss, lacks,
                        "an atomic operation misreports whether sector {sector:#x} is in L2"
                    );
                    if is_miss {
                        self.total.l2_change_misses += 1;
                        self.total.memory_reads += 1;
                        let memory = &self.memory;
                        (self.l2).fetch(sector, 0, |address| memory.get(&address).copied().unwrap_or(0));
                    }
                    let of_sector = |address: &&u64| all().contains(*address);
                    for address in changed.iter().filter(of_sector) {
                        // Requests of one access can update the same sector one after the other.
                        let old = self.l2.version(*address);
                        assert!(
                            old == Some(self.newest(*address)) || old == Some(version),
                            "stale: byte {address:#x} is updated from {old:?}"
                        );
                        self.l2.write(*address, version, true);
                        reached.push(*address);
                    }
                }
                Move::Read { address, bytes } => {
                    self.total.memory_reads += 1;
                    let all = address..address + u64::from(bytes);
                    reached.extend(changed.iter().filter(|address| all.contains(address)));
                }
                Move::Write { address, bytes } => {
                    self.total.memory_writes += 1;
                    for address in changed
                        .iter()
                        .filter(|at| (address..address + u64::from(bytes)).contains(at))
                    {
                        self.memory.insert(*address, version);
                    }
                }
                other => self.leaves(other),
            }
        }
        for address in changed {
            assert!(
                reached.contains(&address),
                "byte {address:#x} is not updated: {moves:?}"
            );
            self.newest.insert(address, version);
        }
    }

    /// Applies evictions, and the loss of bytes that only the evicted line held.
    fn leaves(&mut self, moved: Move) {
        match moved {
            Move::L1Drop { line } => {
                let lost = self.l1.leave(line, 0);
                assert_eq!(lost, [], "dirty bytes are dropped");
            }
            Move::L1Out { line, dirty_sectors } => {
                self.leaving.extend(self.l1.leave(line, dirty_sectors));
            }
            Move::L2Write {
                sector,
                is_back: true,
            } => {
                self.total.l2_write_backs += 1;
                let mut all = true;
                for address in sector..sector + self.l2.sector_bytes {
                    match self.leaving.remove(&address) {
                        Some(version) => self.l2.write(address, version, true),
                        None => all = false,
                    }
                }
                // The fill in flight is no longer needed.
                if all && let Some(sector) = self.l2.sectors.get_mut(&sector) {
                    sector.there = 0;
                }
            }
            Move::L2Out { line, dirty_sectors } => {
                let dirty = self.l2.leave(line, dirty_sectors);
                self.total.memory_writes += u64::from(dirty_sectors.count_ones());
                self.memory.extend(dirty);
            }
            other => panic!("{other:?} is unexpected here"),
        }
    }

    /// Checks that an access's counts match the movements.
    fn adds_up(&self, access: &Access, before: Counts) {
        use RequestKind::*;
        let now = self.total;
        let l1_sectors = self.l1.sector_bytes / 32;
        let (hits, misses) = (now.l1_hits - before.l1_hits, now.l1_misses - before.l1_misses);
        let reads = (now.l2_hits + now.l2_misses) - (before.l2_hits + before.l2_misses);
        let writes = now.l2_writes - before.l2_writes;
        let changes = now.l2_changes - before.l2_changes;
        let sectors = u64::from(access.sectors);
        assert!(u64::from(access.l2_hits) <= now.l2_hits - before.l2_hits + writes + changes.max(1));
        match access.kind {
            GlobalLoad | LocalLoad if self.has_l2 => {
                assert_eq!(u64::from(access.l1_hits), hits * l1_sectors, "hits in L1");
                assert_eq!(
                    reads,
                    sectors - u64::from(access.l1_hits),
                    "L2 reads are the misses of L1"
                );
                if hits + misses > 0 {
                    assert_eq!(reads, misses * l1_sectors, "L2 serves each L1 miss once");
                }
            }
            GlobalStore | LocalStore if self.has_l2 => {
                let is_kept = access.kind == LocalStore && writes == 0;
                assert!(
                    is_kept || writes == sectors,
                    "{writes} of {sectors} sectors are written to L2"
                );
            }
            GlobalAtomic | GlobalReduction if self.has_l2 => {
                assert!(
                    changes > 0 && changes <= u64::from(access.transactions),
                    "{changes} sectors are updated in {} transactions",
                    access.transactions
                );
            }
            GlobalLoad | GlobalStore | LocalLoad | LocalStore => {
                let moved = now.memory_reads + now.memory_writes - before.memory_reads - before.memory_writes;
                assert_eq!(
                    moved,
                    u64::from(access.transactions),
                    "one transfer per transaction"
                );
            }
            _ => {}
        }
    }

    /// Writes everything back to device memory, which then holds the newest version of all bytes.
    pub(super) fn end(mut self) -> Counts {
        for (first, sector) in std::mem::take(&mut self.l1.sectors) {
            for at in (0..self.l1.sector_bytes as usize).filter(|at| sector.dirty[*at]) {
                if let Some(version) = sector.bytes[at] {
                    self.l2.write(first + at as u64, version, true);
                }
            }
        }
        for (first, sector) in std::mem::take(&mut self.l2.sectors) {
            for at in (0..self.l2.sector_bytes as usize).filter(|at| sector.dirty[*at]) {
                self.memory
                    .extend(sector.bytes[at].map(|version| (first + at as u64, version)));
            }
        }
        for (address, version) in &self.newest {
            assert_eq!(
                self.in_memory(*address),
                *version,
                "byte {address:#x} of the last store does not reach device memory"
            );
        }
        self.total
    }
}
