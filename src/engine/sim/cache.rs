//! The tag array of a cache: sets of lines whose sectors arrive one by one. It holds no data: the values are
//! in memory, and the tags say when a cache would have them.

use std::sync::Arc;

use super::image::{ImageReader, ImageWriter, Part, Section};
use super::route::LOCAL_BASE;
use crate::arch::SetIndex;

/// The maximum number of sectors per line.
const MAX_SECTORS: usize = 4;
/// Copies share chunks of this many lines, or of one set if a set is larger, until one side changes them.
const CHUNK_LINES: usize = 64;
/// Words per line: tag, last use, sectors, and the arrival of each sector.
const LINE_WORDS: usize = 3 + MAX_SECTORS;
/// Sets with more ways use hints: the ways in which lines were last found.
const MAX_UNHINTED_WAYS: usize = 16;
const NUM_HINTS: usize = 256;

/// A line, for the views.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Sectors that are complete.
    pub(super) valid: u8,
    /// Sectors with dirty data, which is only in this cache.
    pub(super) dirty: u8,
    /// The arrival of each sector's data.
    arrives: [u32; MAX_SECTORS],
    pub(super) last_use: u64,
}

/// An evicted line; not a line if a way was free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Victim {
    tag: u32,
    /// Sectors with dirty data.
    pub(super) dirty: u8,
    /// The valid bytes of the dirty sectors.
    bytes: [Bytes; MAX_SECTORS],
}

impl Victim {
    pub(super) const fn is_line(self) -> bool {
        self.tag != 0
    }
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// The sector is present, or its fill is in flight.
    Hit {
        /// The cycle in which the data arrives.
        arrives: u64,
    },
    /// The sector is not present.
    Miss,
}

/// Bytes of a sector, one bit each; the lowest bit is the first byte.
pub(super) type Bytes = u128;
/// All bytes of a sector of any size.
pub(super) const ALL_BYTES: Bytes = Bytes::MAX;

/// The tag array of a cache. Times are 32-bit, as the cycles of a trace are.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// The words of one or more sets per chunk: for each set all tags, then all times of last use, and so on.
    chunks: Vec<Option<Arc<[u32]>>>,
    chunk_sets: usize,
    sets: usize,
    ways: usize,
    line_shift: u32,
    sector_shift: u32,
    /// The number of bits to which a line's number is folded to select its set; 0 if the low bits select it.
    folded_bits: u32,
    /// The bytes of a sector.
    whole: Bytes,
    /// The way in which a line was last found, by the low bits of its number; empty if there are few ways.
    hints: Vec<u16>,
}

/// The words of a set.
struct Set<'a> {
    /// The tag of each way; 0 for a free way.
    tags: &'a mut [u32],
    /// The time of the last use plus one; 0 for a free way.
    used: &'a mut [u32],
    /// Complete sectors in the low bits, dirty sectors above them.
    sectors: &'a mut [u32],
    /// The arrival of each sector's data, by line. For an incomplete sector: its written bytes, one bit each;
    /// they use all four words if the line has a single sector.
    arrives: &'a mut [u32],
    /// Whether a line has a single sector.
    is_single: bool,
}

impl Set<'_> {
    /// The way with a tag; the hint is tried first.
    #[inline(always)]
    fn find(&self, tag: u32, hint: Option<u16>) -> Option<usize> {
        hint.map(usize::from)
            .filter(|way| self.tags.get(*way) == Some(&tag))
            .or_else(|| position(self.tags, tag))
    }

    /// The first free way or, in a full set, the least recently used way.
    fn victim(&self) -> usize {
        let least = self.used.iter().copied().fold(u32::MAX, u32::min);
        position(self.used, least).unwrap_or(0)
    }

    /// Allocates a way for a line and evicts its old line.
    #[inline(always)]
    fn allocate(&mut self, tag: u32) -> (usize, Victim) {
        let way = self.victim();
        let mut victim = Victim {
            tag: self.tags[way],
            dirty: (self.sectors[way] >> MAX_SECTORS) as u8,
            ..Victim::default()
        };
        if victim.dirty != 0 {
            victim.bytes = std::array::from_fn(|sector| {
                if self.sectors[way] >> sector & 1 == 1 {
                    ALL_BYTES
                } else {
                    self.written(way, sector)
                }
            });
        }
        self.clear(way);
        self.tags[way] = tag;
        (way, victim)
    }

    /// The way of a line; a missing line is allocated.
    #[inline(always)]
    fn find_or_allocate(&mut self, tag: u32, hint: Option<u16>) -> (usize, Victim) {
        match self.find(tag, hint) {
            Some(way) => (way, Victim::default()),
            None => self.allocate(tag),
        }
    }

    /// The written bytes of an incomplete sector.
    fn written(&self, way: usize, sector: usize) -> Bytes {
        let words = &self.arrives[way * MAX_SECTORS..(way + 1) * MAX_SECTORS];
        if self.is_single {
            words
                .iter()
                .rev()
                .fold(0, |bytes, word| bytes << 32 | Bytes::from(*word))
        } else {
            words[sector].into()
        }
    }

    fn set_written(&mut self, way: usize, sector: usize, bytes: Bytes) {
        let words = &mut self.arrives[way * MAX_SECTORS..(way + 1) * MAX_SECTORS];
        if self.is_single {
            for (idx, word) in words.iter_mut().enumerate() {
                *word = (bytes >> (32 * idx)) as u32;
            }
        } else {
            words[sector] = bytes as u32;
        }
    }

    /// Marks all bytes of a sector as present from `arrives` on.
    #[inline(always)]
    fn complete(&mut self, way: usize, sector: usize, arrives: u64) {
        if self.is_single {
            self.arrives[way * MAX_SECTORS..(way + 1) * MAX_SECTORS].fill(0);
        }
        self.sectors[way] |= 1 << sector;
        self.arrives[way * MAX_SECTORS + sector] = short(arrives);
    }

    fn clear(&mut self, way: usize) {
        self.tags[way] = 0;
        self.used[way] = 0;
        self.sectors[way] = 0;
        self.arrives[way * MAX_SECTORS..(way + 1) * MAX_SECTORS].fill(0);
    }
}

/// The first index of a value, searched in vectors of eight.
#[inline(always)]
fn position(values: &[u32], value: u32) -> Option<usize> {
    let (chunks, rest) = values.as_chunks::<8>();
    for (idx, chunk) in chunks.iter().enumerate() {
        let any = chunk.iter().fold(0, |any, other| any | u8::from(*other == value)) != 0;
        if any {
            let within = chunk.iter().position(|other| *other == value)?;
            return Some(idx * 8 + within);
        }
    }
    let within = rest.iter().position(|other| *other == value)?;
    Some(chunks.len() * 8 + within)
}

/// The exclusive or of all `bits`-wide groups of a line's number.
const fn folded(line: u64, bits: u32) -> u64 {
    let mut folded = line;
    let mut shift = bits << 4;
    while shift >= bits {
        if shift < u64::BITS {
            folded ^= folded >> shift;
        }
        shift >>= 1;
    }
    folded & ((1 << bits) - 1)
}

/// A time in 32 bits.
fn short(time: u64) -> u32 {
    time.min(u64::from(u32::MAX - 1)) as u32
}

/// Bits of a line's number below local memory's base, which lies far beyond all allocations.
const TAG_BITS: u32 = 31;

impl Cache {
    pub(super) fn new(sets: u32, ways: u32, line_bytes: u32, sector_bytes: u32) -> Self {
        let (sets, ways) = (sets.max(1) as usize, ways.max(1) as usize);
        let chunk_sets = (CHUNK_LINES / ways).max(1);
        let line_shift = line_bytes.trailing_zeros();
        let sector_shift = sector_bytes.trailing_zeros().max(line_shift.saturating_sub(2));
        Self {
            chunks: vec![None; sets.div_ceil(chunk_sets)],
            chunk_sets,
            sets,
            ways,
            folded_bits: 0,
            line_shift,
            sector_shift,
            whole: 1_u128
                .checked_shl(1 << sector_shift)
                .map_or(ALL_BYTES, |beyond| beyond - 1),
            hints: vec![0; if ways > MAX_UNHINTED_WAYS { NUM_HINTS } else { 0 }],
        }
    }

    /// The same cache with the given set index. Only a power of two of sets can be folded to.
    pub(super) fn indexed(mut self, by: SetIndex) -> Self {
        self.folded_bits = match by {
            SetIndex::FoldedBits if self.sets.is_power_of_two() => self.sets.trailing_zeros(),
            _ => 0,
        };
        self
    }

    pub(super) const fn sets(&self) -> usize {
        self.sets
    }

    pub(super) const fn ways(&self) -> usize {
        self.ways
    }

    pub(super) const fn line_bytes(&self) -> u32 {
        1 << self.line_shift
    }

    pub(super) const fn sector_bytes(&self) -> u32 {
        1 << self.sector_shift
    }

    #[inline(always)]
    const fn set_of(&self, line: u64) -> usize {
        if self.folded_bits > 0 {
            return folded(line, self.folded_bits) as usize;
        }
        if self.sets.is_power_of_two() {
            line as usize & (self.sets - 1)
        } else {
            (line % self.sets as u64) as usize
        }
    }

    #[inline(always)]
    const fn sector_of(&self, address: u64) -> usize {
        (address >> self.sector_shift) as usize & ((1 << (self.line_shift - self.sector_shift)) - 1)
    }

    /// A line's number plus one, in 32 bits. Allocations and constants lie below 2^31 lines; local memory
    /// starts at a multiple of 2^32 lines.
    #[inline(always)]
    fn tag_of(&self, line: u64) -> u32 {
        debug_assert!(
            line >> TAG_BITS == 0 || (line % (LOCAL_BASE >> self.line_shift)) >> TAG_BITS == 0,
            "the line is outside all memory"
        );
        (line as u32 | u32::from(line >> TAG_BITS != 0) << TAG_BITS).wrapping_add(1)
    }

    /// The address of a line.
    const fn address_of(&self, tag: u32) -> u64 {
        let line = (tag.wrapping_sub(1) & ((1 << TAG_BITS) - 1)) as u64;
        let base = if tag.wrapping_sub(1) >> TAG_BITS == 1 {
            LOCAL_BASE
        } else {
            0
        };
        base + (line << self.line_shift)
    }

    #[inline(always)]
    fn set_mut(&mut self, set: usize) -> Set<'_> {
        let ways = self.ways;
        let is_single = self.line_shift == self.sector_shift;
        let (chunk_sets, set_words) = (self.chunk_sets, ways * LINE_WORDS);
        let chunk =
            self.chunks[set / chunk_sets].get_or_insert_with(|| vec![0; chunk_sets * set_words].into());
        let start = set % chunk_sets * set_words;
        let words = &mut Arc::make_mut(chunk)[start..start + set_words];
        let (tags, words) = words.split_at_mut(ways);
        let (used, words) = words.split_at_mut(ways);
        let (sectors, arrives) = words.split_at_mut(ways);
        Set {
            tags,
            used,
            sectors,
            arrives,
            is_single,
        }
    }

    /// Looks up a sector and records its use.
    #[inline]
    pub(super) fn lookup(&mut self, address: u64, now: u64) -> Lookup {
        let line = address >> self.line_shift;
        let (tag, sector) = (self.tag_of(line), self.sector_of(address));
        let hint = self.hint(line);
        let set = self.set_mut(self.set_of(line));
        let Some(way) = set.find(tag, hint) else {
            return Lookup::Miss;
        };
        set.used[way] = short(now) + 1;
        let found = if set.sectors[way] >> sector & 1 == 1 {
            Lookup::Hit {
                arrives: set.arrives[way * MAX_SECTORS + sector].into(),
            }
        } else {
            Lookup::Miss
        };
        self.remember(line, way);
        found
    }

    /// Looks up a sector as [`Cache::lookup`] does, and fills a miss with data that arrives at `arrives`.
    /// Written bytes are a hit if they cover all accessed bytes. Returns the result of the lookup, and the
    /// evicted line.
    #[inline]
    pub(super) fn lookup_or_fill(
        &mut self,
        address: u64,
        now: u64,
        wanted: impl FnOnce() -> Bytes,
        arrives: impl FnOnce() -> u64,
    ) -> (Lookup, Victim) {
        let line = address >> self.line_shift;
        let (tag, sector, whole) = (self.tag_of(line), self.sector_of(address), self.whole);
        let hint = self.hint(line);
        let mut set = self.set_mut(self.set_of(line));
        let (way, victim) = set.find_or_allocate(tag, hint);
        set.used[way] = short(now) + 1;
        let found = if set.sectors[way] >> sector & 1 == 1 {
            Lookup::Hit {
                arrives: set.arrives[way * MAX_SECTORS + sector].into(),
            }
        } else {
            let written = set.written(way, sector);
            if written != 0 && wanted() & whole & !written == 0 {
                Lookup::Hit { arrives: now }
            } else {
                set.complete(way, sector, arrives());
                Lookup::Miss
            }
        };
        self.remember(line, way);
        (found, victim)
    }

    /// The way that a line's hint names.
    #[inline(always)]
    fn hint(&self, line: u64) -> Option<u16> {
        self.hints.get(line as usize % NUM_HINTS).copied()
    }

    #[inline(always)]
    fn remember(&mut self, line: u64, way: usize) {
        if let Some(hint) = self.hints.get_mut(line as usize % NUM_HINTS) {
            *hint = way as u16;
        }
    }

    /// Fills a complete sector and evicts the least recently used line if the set is full. Returns the
    /// evicted line.
    pub(super) fn fill(&mut self, address: u64, now: u64, arrives: u64, dirty: bool) -> Victim {
        self.put(address, now, arrives, ALL_BYTES, dirty)
    }

    /// Records the bytes of a sector that a store writes, like [`Cache::fill`]. The other bytes are fetched
    /// when an access reads them.
    pub(super) fn write(&mut self, address: u64, now: u64, written: Bytes, dirty: bool) -> Victim {
        self.put(address, now, now, written, dirty)
    }

    #[inline(always)]
    fn put(&mut self, address: u64, now: u64, arrives: u64, bytes: Bytes, dirty: bool) -> Victim {
        let line = address >> self.line_shift;
        let (tag, sector, whole) = (self.tag_of(line), self.sector_of(address), self.whole);
        let hint = self.hint(line);
        let mut set = self.set_mut(self.set_of(line));
        let (way, victim) = set.find_or_allocate(tag, hint);
        set.used[way] = short(now) + 1;
        set.sectors[way] |= u32::from(dirty) << MAX_SECTORS << sector;
        if bytes & whole == whole {
            set.complete(way, sector, arrives);
        } else if set.sectors[way] >> sector & 1 == 0 {
            let written = set.written(way, sector) | bytes & whole;
            if written == whole {
                set.complete(way, sector, arrives);
            } else {
                set.set_written(way, sector, written);
            }
        }
        self.remember(line, way);
        victim
    }

    /// Replaces the arrival of a sector's data, if it is still `open`.
    pub(super) fn settle(&mut self, address: u64, open: u64, arrives: u64) {
        let line = address >> self.line_shift;
        let (tag, sector) = (self.tag_of(line), self.sector_of(address));
        let hint = self.hint(line);
        let set = self.set_mut(self.set_of(line));
        if let Some(way) = set.find(tag, hint) {
            let place = &mut set.arrives[way * MAX_SECTORS + sector];
            if set.sectors[way] >> sector & 1 == 1 && u64::from(*place) == open {
                *place = short(arrives);
            }
        }
    }

    /// The address of the first byte of an evicted line.
    pub(super) const fn address_of_victim(&self, victim: Victim) -> u64 {
        self.address_of(victim.tag)
    }

    /// The dirty sectors of an evicted line: address, and valid bytes.
    pub(super) fn dirty_sectors(&self, victim: Victim) -> impl Iterator<Item = (u64, Bytes)> + use<> {
        let (first, shift) = (self.address_of_victim(victim), self.sector_shift);
        (0..MAX_SECTORS)
            .filter(move |sector| victim.dirty >> sector & 1 == 1)
            .map(move |sector| (first + ((sector as u64) << shift), victim.bytes[sector]))
    }

    /// Invalidates a sector's line.
    pub(super) fn evict(&mut self, address: u64) {
        let line = address >> self.line_shift;
        let (tag, set) = (self.tag_of(line), self.set_of(line));
        if self.chunks[set / self.chunk_sets].is_none() {
            return;
        }
        let mut set = self.set_mut(set);
        if let Some(way) = set.find(tag, None) {
            set.clear(way);
        }
    }

    /// The location of an address's line: set, way if present, and valid sectors.
    pub(super) fn place(&self, address: u64) -> (u32, Option<u32>, u8) {
        let line = address >> self.line_shift;
        let (tag, set) = (self.tag_of(line), self.set_of(line));
        let Some(chunk) = &self.chunks[set / self.chunk_sets] else {
            return (set as u32, None, 0);
        };
        let words = &chunk[set % self.chunk_sets * self.ways * LINE_WORDS..];
        let way = position(&words[..self.ways], tag);
        let valid = way.map_or(0, |way| {
            words[2 * self.ways + way] as u8 & ((1 << MAX_SECTORS) - 1)
        });
        (set as u32, way.map(|way| way as u32), valid)
    }

    /// Lines in use: set, way, address, and line.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, usize, u64, Line)> {
        let ways = self.ways;
        let chunks = self.chunks.iter().enumerate();
        chunks.flat_map(move |(chunk_idx, chunk)| {
            let sets = chunk
                .iter()
                .flat_map(move |words| words.chunks(ways * LINE_WORDS));
            sets.enumerate().flat_map(move |(idx, words)| {
                let set = chunk_idx * self.chunk_sets + idx;
                (0..ways).filter(|way| words[*way] != 0).map(move |way| {
                    let arrives = &words[3 * ways + way * MAX_SECTORS..];
                    let line = Line {
                        valid: words[2 * ways + way] as u8 & ((1 << MAX_SECTORS) - 1),
                        dirty: (words[2 * ways + way] >> MAX_SECTORS) as u8 & ((1 << MAX_SECTORS) - 1),
                        arrives: std::array::from_fn(|sector| arrives[sector]),
                        last_use: u64::from(words[ways + way]).saturating_sub(1),
                    };
                    (set, way, self.address_of(words[way]), line)
                })
            })
        })
    }

    /// Writes the tags to an image: one section per chunk that is in use.
    pub(super) fn write_state(&self, kind: Section, to: &mut ImageWriter) {
        let Self {
            chunks,
            chunk_sets: _,
            sets: _,
            ways: _,
            line_shift: _,
            sector_shift: _,
            folded_bits: _,
            whole: _,
            hints: _,
        } = self;
        for (idx, chunk) in chunks.iter().enumerate() {
            if let Some(words) = chunk {
                to.part(kind, idx as u64, Part::Words(Arc::clone(words)));
            }
        }
    }

    /// Restores what [`Cache::write_state`] wrote.
    pub(super) fn read_state(&mut self, kind: Section, from: &mut ImageReader) {
        self.chunks.fill(None);
        let num_words = self.chunk_sets * self.ways * LINE_WORDS;
        for (idx, part) in from.all(kind) {
            match (self.chunks.get_mut(idx as usize), part.words()) {
                (Some(place), Some(words)) if words.len() == num_words => *place = Some(words),
                _ => return from.damage(),
            }
        }
    }
}

impl Line {
    /// Sectors whose data has not arrived.
    pub(super) fn pending(&self, now: u64) -> u8 {
        (0..MAX_SECTORS)
            .filter(|sector| self.valid >> sector & 1 == 1 && u64::from(self.arrives[*sector]) > now)
            .fold(0, |set, sector| set | 1 << sector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_line_is_evicted() {
        let mut cache = Cache::new(1, 2, 128, 32);
        cache.fill(0, 1, 10, false);
        cache.fill(128, 2, 10, false);
        assert_eq!(cache.lookup(0, 3), Lookup::Hit { arrives: 10 });
        let victim = cache.fill(256, 4, 10, true);
        assert_eq!((cache.address_of_victim(victim), victim.dirty), (128, 0));
        assert_eq!(cache.lookup(128, 5), Lookup::Miss);
        assert_eq!(cache.lookup(0, 6), Lookup::Hit { arrives: 10 });
        let victim = cache.fill(384, 7, 10, false);
        assert_eq!(
            cache.dirty_sectors(victim).collect::<Vec<_>>(),
            [(256, ALL_BYTES)]
        );
    }

    #[test]
    fn folded_lines_fill_all_sets_at_any_stride() {
        for stride in [1_u64, 2, 4, 8, 64] {
            let mut cache = Cache::new(4, 16, 128, 32).indexed(SetIndex::FoldedBits);
            for round in 0..2 {
                for line in 0..64 {
                    let found = cache
                        .lookup_or_fill(line * stride * 128, line + 64 * round, || ALL_BYTES, || 0)
                        .0;
                    assert_eq!(found == Lookup::Miss, round == 0, "stride {stride}, line {line}");
                }
            }
        }
    }

    #[test]
    fn a_miss_fills_one_sector_only() {
        let mut cache = Cache::new(4, 2, 128, 32);
        cache.fill(0x1000, 1, 5, false);
        assert_eq!(cache.lookup(0x1000, 2), Lookup::Hit { arrives: 5 });
        assert_eq!(cache.lookup(0x1020, 2), Lookup::Miss);
    }

    #[test]
    fn written_bytes_of_a_sector_hit_and_the_rest_misses() {
        let mut cache = Cache::new(4, 2, 128, 32);
        let word = |idx: u32| 0xf_u128 << (4 * idx);
        let lookup = |cache: &mut Cache, bytes: u128| cache.lookup_or_fill(0, 9, || bytes, || 70).0;
        cache.write(0, 5, word(0), true);
        assert_eq!(lookup(&mut cache, word(0)), Lookup::Hit { arrives: 9 });
        assert_eq!(lookup(&mut cache, word(1)), Lookup::Miss);
        // The fill of the rest is in flight.
        assert_eq!(lookup(&mut cache, word(0)), Lookup::Hit { arrives: 70 });
        // Eight words complete the sector.
        for idx in 0..8 {
            assert_eq!(cache.lookup(512, 9), Lookup::Miss);
            cache.write(512, 5, word(idx), true);
        }
        assert_eq!(cache.lookup(512, 9), Lookup::Hit { arrives: 5 });
    }

    #[test]
    fn a_single_sector_line_tracks_its_written_bytes() {
        let mut cache = Cache::new(4, 1, 128, 128);
        let byte = |idx: u32| 1_u128 << idx;
        cache.write(0, 5, byte(100), true);
        cache.write(0, 6, byte(3), true);
        let victim = cache.fill(4 * 128, 7, 7, false);
        let dirty: Vec<_> = cache.dirty_sectors(victim).collect();
        assert_eq!(dirty, [(0, byte(3) | byte(100))]);
    }

    #[test]
    fn a_copy_is_not_changed() {
        let mut cache = Cache::new(4, 2, 128, 32);
        cache.fill(0, 1, 5, false);
        let mut copy = cache.clone();
        cache.evict(0);
        assert_eq!(cache.lookup(0, 2), Lookup::Miss);
        assert_eq!(copy.lookup(0, 2), Lookup::Hit { arrives: 5 });
    }
}
