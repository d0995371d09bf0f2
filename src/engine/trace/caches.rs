//! The history of a cache's lines: when each was filled and by which access, how often it was hit, and which
//! line it replaced. The machine stores none of this. A replay of the last part of the run collects it, and
//! the result is kept while the cycle advances.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use super::record::Record;
use super::replay::Replay;
use crate::ids::{Cycle, Pc, WarpId};
use crate::sim::machine::Machine;
use crate::sim::{Access, CacheKind, CacheTouch, RequestKind, Sink};

/// Replay starts at the last checkpoint, so that it costs no more than a seek to the cycle. If fewer issues
/// than this lie in between, it starts at the checkpoint before.
const MIN_ISSUES: u64 = 1 << 12;
/// Cycles between the kept intermediate states, and their number: they make steps backward short.
const NEAR_CYCLES: u64 = 512;
const NUM_NEAR: usize = 4;
/// The maximum number of columns of the hit chart.
const MAX_COLUMNS: usize = 512;

/// An access that filled a line or hit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheUse {
    /// The access, by its index in the run.
    pub access: u32,
    /// The cycle of the access.
    pub cycle: Cycle,
    /// Its warp.
    pub warp: WarpId,
    /// Its instruction.
    pub pc: Pc,
}

/// The history of a line since its fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLife {
    /// Address of its first byte.
    pub address: u64,
    /// The access that filled it; `None` if the fill precedes the known part of the run.
    pub brought: Option<CacheUse>,
    /// Lookups that hit.
    pub hits: u32,
    /// Lookups that found the line but missed the sector.
    pub sector_misses: u32,
    /// The last access.
    pub last: Option<CacheUse>,
    /// Valid sectors.
    pub valid_sectors: u8,
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A hit: the sector is present or in flight.
    Hit,
    /// A sector miss: the line is present, but not the sector.
    SectorMiss,
    /// A miss: a line is allocated.
    Miss,
    /// A store that bypasses the cache, or updates a present line.
    Written,
    /// A store that allocates a line.
    Allocated,
    /// A store or an atomic operation that invalidates the line.
    Invalidated,
}

/// A lookup in a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLookup {
    /// The access.
    pub by: CacheUse,
    /// The first byte.
    pub address: u64,
    /// The accessed sectors of the line, one bit each.
    pub sectors: u8,
    /// The set.
    pub set: u32,
    /// The way; `None` if the line is not in the cache after the lookup.
    pub way: Option<u32>,
    /// The result.
    pub found: Found,
    /// The line that was evicted.
    pub evicted: Option<LineLife>,
}

/// The known history of a cache at a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheHistory {
    /// The first known cycle: 0 unless the run is long.
    pub since: Cycle,
    /// Lines by set and way.
    pub lines: BTreeMap<(u32, u32), LineLife>,
    /// The last line evicted from each way, and the lookup that evicted it.
    pub lost: BTreeMap<(u32, u32), CacheLookup>,
    /// The lookups of the last cycle with any lookup, in order.
    pub lookups: Vec<CacheLookup>,
    /// Load lookups that hit.
    pub hits: u64,
    /// Load lookups that missed.
    pub misses: u64,
    /// Evicted lines.
    pub evictions: u64,
    line_bytes: u32,
    sector_bytes: u32,
}

impl CacheHistory {
    /// The current state of a machine's cache, without history.
    fn of(machine: &Machine, kind: CacheKind) -> Self {
        let mut history = Self {
            since: machine.cycle(),
            ..Self::default()
        };
        let Some(cache) = machine.cache(kind) else {
            return history;
        };
        (history.line_bytes, history.sector_bytes) = (cache.line_bytes, cache.sector_bytes);
        for line in cache.lines {
            let life = LineLife {
                address: line.address,
                brought: None,
                hits: 0,
                sector_misses: 0,
                last: None,
                valid_sectors: line.valid_sectors,
            };
            history.lines.insert((line.set, line.way), life);
        }
        history
    }

    fn sectors_of(&self, touch: &CacheTouch) -> u8 {
        let sector = u64::from(self.sector_bytes.max(1));
        let line = u64::from(self.line_bytes.max(1));
        let first = touch.address % line / sector;
        let last =
            ((touch.address % line + u64::from(touch.bytes.max(1)) - 1) / sector).min(line / sector - 1);
        (first..=last).fold(0, |set, sector| set | 1 << sector)
    }

    /// Records the result of an access, in the order in which the cache processed it.
    fn note(&mut self, touch: &CacheTouch, by: CacheUse, loads: bool) {
        let line = u64::from(self.line_bytes.max(1));
        let base = touch.address / line * line;
        let sectors = self.sectors_of(touch);
        let known = match touch.way {
            Some(way) => self.lines.get_mut(&(touch.set, way)),
            None => None,
        };
        let mut evicted = None;
        let found = match (touch.way, known) {
            (Some(_), Some(life)) if life.address == base => {
                let has = life.valid_sectors & sectors == sectors;
                life.valid_sectors = touch.valid_sectors;
                life.last = Some(by);
                match (loads, has) {
                    (true, true) => {
                        life.hits += 1;
                        Found::Hit
                    }
                    (true, false) => {
                        life.sector_misses += 1;
                        Found::SectorMiss
                    }
                    (false, _) => Found::Written,
                }
            }
            (Some(way), _) => {
                let life = LineLife {
                    address: base,
                    brought: Some(by),
                    hits: 0,
                    sector_misses: 0,
                    last: Some(by),
                    valid_sectors: touch.valid_sectors,
                };
                evicted = self.lines.insert((touch.set, way), life);
                self.evictions += u64::from(evicted.is_some());
                if loads { Found::Miss } else { Found::Allocated }
            }
            (None, _) => {
                let of_set = (touch.set, 0)..=(touch.set, u32::MAX);
                let there = self.lines.range(of_set).find(|(_, life)| life.address == base);
                match there.map(|(place, _)| *place) {
                    Some(place) => {
                        self.lines.remove(&place);
                        Found::Invalidated
                    }
                    None if loads => Found::Miss,
                    None => Found::Written,
                }
            }
        };
        match found {
            Found::Hit => self.hits += 1,
            Found::Miss | Found::SectorMiss => self.misses += 1,
            _ => {}
        }
        let lookup = CacheLookup {
            by,
            address: touch.address,
            sectors,
            set: touch.set,
            way: touch.way,
            found,
            evicted,
        };
        if let (Some(way), Some(_)) = (touch.way, evicted) {
            self.lost.insert((touch.set, way), lookup);
        }
        if self.lookups.last().is_some_and(|last| last.by.cycle != by.cycle) {
            self.lookups.clear();
        }
        self.lookups.push(lookup);
    }
}

/// Collects the cache lines that accesses touch.
struct TouchCollector<'a> {
    record: &'a Record,
    kind: CacheKind,
    history: &'a mut CacheHistory,
    cycle: Option<Cycle>,
    next: u32,
    touches: Vec<CacheTouch>,
}

impl Sink for TouchCollector<'_> {
    const RECORDS_CACHES: bool = true;
    const SUPPORTS_GROUPS: bool = true;

    fn cache_touched(&mut self, _cycle: Cycle, touch: &CacheTouch) {
        // Lanes with the same address share one lookup.
        let again = |other: &CacheTouch| (other.address, other.bytes) == (touch.address, touch.bytes);
        if touch.cache == self.kind && !(self.kind == CacheKind::Constant && self.touches.iter().any(again)) {
            self.touches.push(*touch);
        }
    }

    fn access(&mut self, cycle: Cycle, access: &Access) {
        if self.cycle.replace(cycle) != Some(cycle) {
            self.next = self.record.first_access_at(cycle);
        }
        let by = CacheUse {
            access: self.next,
            cycle,
            warp: access.warp,
            pc: access.pc,
        };
        self.next += 1;
        for touch in self.touches.drain(..) {
            self.history.note(&touch, by, is_load(access.kind));
        }
    }
}

const fn is_load(kind: RequestKind) -> bool {
    matches!(
        kind,
        RequestKind::GlobalLoad
            | RequestKind::LocalLoad
            | RequestKind::ConstantLoad
            | RequestKind::TextureLoad
            | RequestKind::UniformLoad
            | RequestKind::CopyLoad
    )
}

/// The hit rate over some cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HitColumn {
    /// Sectors that loads accessed in L1.
    pub wanted: u64,
    /// Sectors that were present or in flight.
    pub hits: u64,
}

/// L1 hits over the run, in columns of equal width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Cycles per column.
    pub cycles: u64,
    /// The columns, from cycle 0.
    pub columns: Vec<HitColumn>,
    /// The number of counted accesses.
    num: u32,
}

impl Hits {
    /// Adds the accesses that the record has gained since. `in_l1` says whether an instruction's loads access
    /// L1.
    fn extend(&mut self, record: &Record, in_l1: impl Fn(Pc, RequestKind) -> bool) {
        self.cycles = self.cycles.max(1);
        while let Some(row) = record.access(self.num) {
            self.num += 1;
            if !is_load(row.kind) || row.kind == RequestKind::ConstantLoad || !in_l1(row.pc, row.kind) {
                continue;
            }
            let mut place = (row.accepted.0 / self.cycles) as usize;
            while place >= MAX_COLUMNS {
                self.widen();
                place = (row.accepted.0 / self.cycles) as usize;
            }
            if place >= self.columns.len() {
                self.columns.resize(place + 1, HitColumn::default());
            }
            let column = &mut self.columns[place];
            column.wanted += u64::from(row.sectors.max(row.l1_hits));
            column.hits += u64::from(row.l1_hits);
        }
    }

    /// Merges pairs of columns.
    fn widen(&mut self) {
        let pairs = self.columns.chunks(2).map(|pair| HitColumn {
            wanted: pair.iter().map(|column| column.wanted).sum(),
            hits: pair.iter().map(|column| column.hits).sum(),
        });
        self.columns = pairs.collect();
        self.cycles *= 2;
    }
}

/// The histories of the last queries.
#[derive(Debug, Default)]
pub(super) struct CacheHistories {
    last: Mutex<Option<KnownHistory>>,
    hits: Mutex<Hits>,
}

/// A machine that was replayed for a history, and the history so far.
type ReplayedHistory = (Machine, CacheHistory);

/// Histories of one cache from a cycle on.
#[derive(Debug)]
struct KnownHistory {
    kind: CacheKind,
    since: Cycle,
    /// The history of the last query.
    last: Option<ReplayedHistory>,
    /// Earlier histories, in order.
    near: VecDeque<ReplayedHistory>,
}

impl KnownHistory {
    /// Takes the latest known history at `next` or before.
    fn take(&mut self, next: Cycle) -> Option<ReplayedHistory> {
        let at = |replayed: &ReplayedHistory| replayed.0.cycle();
        let is_before = |replayed: &ReplayedHistory| at(replayed) <= next;
        let near = self.near.iter().rev().find(|replayed| is_before(replayed));
        let last = self.last.take().filter(is_before);
        match (near, last) {
            (Some(near), last) if last.as_ref().is_none_or(|last| at(last) < at(near)) => Some(near.clone()),
            (_, last) => last,
        }
    }

    /// Keeps a history if its cycle is one of the kept cycles.
    fn keep(&mut self, replayed: &ReplayedHistory) {
        let at = replayed.0.cycle();
        let is_new = self.near.back().is_none_or(|newest| newest.0.cycle() < at);
        if is_new && at.0.is_multiple_of(NEAR_CYCLES) {
            if self.near.len() >= NUM_NEAR {
                self.near.pop_front();
            }
            self.near.push_back(replayed.clone());
        }
    }
}

impl CacheHistories {
    /// The history of a cache up to a cycle.
    pub(super) fn at(&self, replay: &Replay, record: &Record, kind: CacheKind, cycle: Cycle) -> CacheHistory {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let since = replay.checkpoint_before(record, cycle, MIN_ISSUES);
        let mut known = last
            .take()
            .filter(|known| (known.kind, known.since) == (kind, since))
            .unwrap_or_else(|| KnownHistory {
                kind,
                since,
                last: None,
                near: VecDeque::new(),
            });
        let next = Cycle(cycle.0 + 1);
        let mut replayed = known.take(next).unwrap_or_else(|| {
            let machine = replay.separate_machine(since);
            let history = CacheHistory::of(&machine, kind);
            (machine, history)
        });
        // Distant histories do not help with steps from here.
        let far = next.0.saturating_sub(NUM_NEAR as u64 * NEAR_CYCLES);
        known
            .near
            .retain(|(machine, _)| (far..=next.0).contains(&machine.cycle().0));
        while replayed.0.cycle() < next {
            let at = replayed.0.cycle().0;
            if at >= far {
                known.keep(&replayed);
            }
            let stop = ((at / NEAR_CYCLES + 1) * NEAR_CYCLES).max(far).min(next.0);
            let (machine, history) = &mut replayed;
            let mut collector = TouchCollector {
                record,
                kind,
                history,
                cycle: None,
                next: 0,
                touches: Vec::new(),
            };
            if !machine.run_until(Cycle(stop), &mut collector) && machine.outcome().is_some() {
                break;
            }
        }
        // A view of the cache also queries the machine.
        replay.offer(&replayed.0);
        let seen = replayed.1.clone();
        known.last = Some(replayed);
        *last = Some(known);
        seen
    }

    /// L1 hits over the run so far.
    pub(super) fn hits(&self, record: &Record, in_l1: impl Fn(Pc, RequestKind) -> bool) -> Hits {
        let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
        hits.extend(record, in_l1);
        hits.clone()
    }
}
