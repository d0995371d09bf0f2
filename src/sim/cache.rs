//! Tags of a cache: sets of lines with sectors that arrive one by one. Holds no data: values are in
//! memory, and only the times at which a cache would have them are here.

use std::sync::Arc;

use super::codec::{Reader, Section, Writer, coded, name};

/// Sectors of a line at most.
const MAX_SECTORS: usize = 4;
/// Sets that copies share until one side changes them.
const CHUNK_SETS: usize = 4;

/// A line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// Address over the line size, plus one; 0 for none.
    tag: u64,
    pub(super) valid: u8,
    dirty: u8,
    /// When each sector's data is there.
    arrives: [u64; MAX_SECTORS],
    pub(super) last_use: u64,
}

/// What a lookup finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// The sector is there, or will be at this time.
    Hit {
        /// When.
        arrives: u64,
    },
    /// It is not.
    Miss,
}

/// Tags of a cache.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    chunks: Vec<Option<Arc<Vec<Line>>>>,
    sets: usize,
    ways: usize,
    line_shift: u32,
    sector_shift: u32,
}

impl Cache {
    pub(super) fn new(sets: u32, ways: u32, line_bytes: u32, sector_bytes: u32) -> Self {
        let sets = sets.max(1) as usize;
        Self {
            chunks: vec![None; sets.div_ceil(CHUNK_SETS)],
            sets,
            ways: ways.max(1) as usize,
            line_shift: line_bytes.trailing_zeros(),
            sector_shift: sector_bytes
                .trailing_zeros()
                .max(line_bytes.trailing_zeros().saturating_sub(2)),
        }
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

    fn set_of(&self, address: u64) -> usize {
        let line = address >> self.line_shift;
        if self.sets.is_power_of_two() {
            line as usize & (self.sets - 1)
        } else {
            (line % self.sets as u64) as usize
        }
    }

    fn sector_of(&self, address: u64) -> usize {
        (address >> self.sector_shift) as usize & ((1 << (self.line_shift - self.sector_shift)) - 1)
    }

    fn set_mut(&mut self, set: usize) -> &mut [Line] {
        let ways = self.ways;
        let chunk = self.chunks[set / CHUNK_SETS]
            .get_or_insert_with(|| Arc::new(vec![Line::default(); CHUNK_SETS * ways]));
        let start = set % CHUNK_SETS * ways;
        &mut Arc::make_mut(chunk)[start..start + ways]
    }

    /// Looks a sector up, and notes its use.
    #[inline]
    pub(super) fn lookup(&mut self, address: u64, now: u64) -> Lookup {
        let tag = (address >> self.line_shift) + 1;
        let (set, sector) = (self.set_of(address), self.sector_of(address));
        for line in self.set_mut(set) {
            if line.tag == tag {
                line.last_use = now;
                if line.valid >> sector & 1 == 1 {
                    return Lookup::Hit {
                        arrives: line.arrives[sector],
                    };
                }
                return Lookup::Miss;
            }
        }
        Lookup::Miss
    }

    /// Puts a sector in, in place of the line that was used least recently. Returns how many dirty
    /// sectors that line had.
    pub(super) fn fill(&mut self, address: u64, now: u64, arrives: u64, dirty: bool) -> u32 {
        let tag = (address >> self.line_shift) + 1;
        let (set, sector) = (self.set_of(address), self.sector_of(address));
        let lines = self.set_mut(set);
        let mut victim = 0;
        let mut found = None;
        for (way, line) in lines.iter().enumerate() {
            if line.tag == tag {
                found = Some(way);
                break;
            }
            if (line.tag != 0, line.last_use) < (lines[victim].tag != 0, lines[victim].last_use) {
                victim = way;
            }
        }
        let mut written_back = 0;
        let line = match found {
            Some(way) => &mut lines[way],
            None => {
                let line = &mut lines[victim];
                written_back = line.dirty.count_ones();
                *line = Line {
                    tag,
                    ..Line::default()
                };
                line
            }
        };
        line.last_use = now;
        line.valid |= 1 << sector;
        line.arrives[sector] = arrives;
        if dirty {
            line.dirty |= 1 << sector;
        }
        written_back
    }

    /// Makes a sector's line invalid.
    pub(super) fn evict(&mut self, address: u64) {
        let tag = (address >> self.line_shift) + 1;
        let set = self.set_of(address);
        if self.chunks[set / CHUNK_SETS].is_none() {
            return;
        }
        for line in self.set_mut(set) {
            if line.tag == tag {
                *line = Line::default();
            }
        }
    }

    /// Lines in use: set, way, address, line.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, usize, u64, &Line)> {
        self.chunks
            .iter()
            .enumerate()
            .flat_map(move |(chunk_idx, chunk)| {
                chunk
                    .iter()
                    .flat_map(|lines| lines.iter())
                    .enumerate()
                    .filter(|(_, line)| line.tag != 0)
                    .map(move |(idx, line)| {
                        let set = chunk_idx * CHUNK_SETS + idx / self.ways;
                        (set, idx % self.ways, (line.tag - 1) << self.line_shift, line)
                    })
            })
    }
}

coded!(Line {
    tag,
    last_use,
    valid,
    dirty,
    arrives
});

impl Cache {
    /// Writes the tags: those of some sets at a time, if there are any, as a section.
    pub(super) fn write_state(&self, part: Section, to: &mut Writer) {
        for (idx, chunk) in self.chunks.iter().enumerate() {
            if let Some(lines) = chunk {
                to.section(name(part, idx as u64), |to| {
                    to.put(&(idx as u32));
                    for line in &**lines {
                        to.put(line);
                    }
                });
            }
        }
        to.section(name(part, END), |to| to.put(&(END as u32)));
    }

    /// Reads what [`Cache::write_state`] wrote.
    pub(super) fn read_state(&mut self, from: &mut Reader) {
        for chunk in &mut self.chunks {
            *chunk = None;
        }
        let lines = CHUNK_SETS * self.ways;
        loop {
            let idx: u32 = from.get();
            if u64::from(idx) == END {
                return;
            }
            let chunk = (0..lines).map(|_| from.get()).collect();
            match self.chunks.get_mut(idx as usize) {
                Some(place) if !from.is_damaged() => *place = Some(Arc::new(chunk)),
                _ => return from.damage(),
            }
        }
    }
}

/// After the last sets.
const END: u64 = u32::MAX as u64;

impl Line {
    /// Sectors whose data is not there yet.
    pub(super) fn pending(&self, now: u64) -> u8 {
        (0..MAX_SECTORS)
            .filter(|sector| self.valid >> sector & 1 == 1 && self.arrives[*sector] > now)
            .fold(0, |set, sector| set | 1 << sector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_was_used_least_recently_goes() {
        let mut cache = Cache::new(1, 2, 128, 32);
        cache.fill(0, 1, 10, false);
        cache.fill(128, 2, 10, false);
        assert_eq!(cache.lookup(0, 3), Lookup::Hit { arrives: 10 });
        assert_eq!(cache.fill(256, 4, 10, true), 0);
        assert_eq!(cache.lookup(128, 5), Lookup::Miss);
        assert_eq!(cache.lookup(0, 6), Lookup::Hit { arrives: 10 });
        assert_eq!(cache.fill(384, 7, 10, false), 1);
    }

    #[test]
    fn a_miss_brings_one_sector_only() {
        let mut cache = Cache::new(4, 2, 128, 32);
        cache.fill(0x1000, 1, 5, false);
        assert_eq!(cache.lookup(0x1000, 2), Lookup::Hit { arrives: 5 });
        assert_eq!(cache.lookup(0x1020, 2), Lookup::Miss);
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
