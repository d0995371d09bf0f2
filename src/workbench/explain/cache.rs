//! Why a request missed in L1, and the history of a cache line.

use super::Chain;
use super::prose::{Link, code, cycle, prose, warp_at};
use crate::scene::{Target, counted};
use engine::ids::Cycle;
use engine::sim::{CacheKind, MemoryLevel, RequestKind};
use engine::trace::{AccessRow, CacheHistory, CacheLookup, CacheUse, Found, Frame};

/// The cache that serves requests of a kind first.
fn cache_of(frame: &Frame, row: &AccessRow) -> Option<CacheKind> {
    match row.kind {
        RequestKind::ConstantLoad | RequestKind::UniformLoad => Some(CacheKind::Constant),
        RequestKind::TextureLoad => Some(CacheKind::Texture),
        RequestKind::GlobalLoad | RequestKind::LocalLoad | RequestKind::CopyLoad
            if frame.trace().loads_in_l1(row.pc, row.kind) =>
        {
            Some(CacheKind::L1)
        }
        _ => None,
    }
}

/// Explains why a load missed in the first cache, if it did.
pub(super) fn miss(chain: &mut Chain, idx: u32, row: &AccessRow) {
    let frame = chain.frame;
    if matches!(
        row.level,
        MemoryLevel::L1 | MemoryLevel::Constant | MemoryLevel::Texture | MemoryLevel::Shared
    ) {
        return;
    }
    let Some(kind) = cache_of(frame, row) else {
        bypass(chain, row);
        return;
    };
    if !chain.goes_on() {
        return;
    }
    let name = kind.name();
    let question = format!(
        "Why did it miss {}?",
        match kind {
            CacheKind::L1 => "L1".to_owned(),
            other => format!("the {}", other.name()),
        }
    );
    let history = frame.trace().cache_history(kind, row.accepted);
    let lookup = history
        .lookups
        .iter()
        .filter(|lookup| lookup.by.access == idx)
        .find(|lookup| matches!(lookup.found, Found::Miss | Found::SectorMiss))
        .copied();
    let Some(lookup) = lookup else {
        let text = format!("Every sector of this request was in the {name} or already in flight there.");
        chain.answer(question, prose(&text, &[]), Vec::new());
        return;
    };
    let rings = line_rings(&lookup, frame);
    if lookup.found == Found::SectorMiss {
        let (text, links) = sector_miss(&history, &lookup, frame);
        chain.answer(question, prose(&text, &links), rings);
        return;
    }
    let line = lookup.address / line_bytes(frame, kind) * line_bytes(frame, kind);
    let before = frame
        .trace()
        .cache_history(kind, Cycle(row.accepted.0.saturating_sub(1)));
    let left = before
        .lost
        .values()
        .filter(|lost| lost.evicted.is_some_and(|evicted| evicted.address == line))
        .max_by_key(|lost| lost.by.cycle);
    let at = frame.trace().start_memory().place_text(line);
    let (text, links) = match left {
        Some(lost) => (
            format!(
                "The line at *{at}* was in the {name} until ~. Set {} was full, and ~ of ~ evicted the line.",
                lost.set
            ),
            vec![
                cycle(lost.by.cycle),
                code(frame, lost.by.pc),
                by_warp(frame, &lost.by),
            ],
        ),
        None if !was_loaded(frame, kind, line, idx) => (
            format!("No earlier load accessed the line at *{at}*. The first access to a line misses."),
            Vec::new(),
        ),
        None if before.since > Cycle(0) => (
            format!(
                "The {name} did not hold the line at *{at}*. When it left is not recorded: the history begins at ~."
            ),
            vec![cycle(before.since)],
        ),
        None => (
            format!("The {name} did not hold the line at *{at}*. When it left is not recorded."),
            Vec::new(),
        ),
    };
    chain.answer(question, prose(&text, &links), rings);
}

/// Why a request does not look in L1.
fn bypass(chain: &mut Chain, row: &AccessRow) {
    let frame = chain.frame;
    let text = match row.kind {
        RequestKind::GlobalAtomic | RequestKind::GlobalReduction => {
            "[L2|L2 cache] executes atomic operations on global memory, so that all SMs see one order."
        }
        RequestKind::GlobalLoad if frame.arch().memory.l1.is_none() => {
            "This SM has no [L1 cache] for global memory."
        }
        RequestKind::GlobalLoad => {
            "With these options, global loads bypass [L1|L1 cache]: -dlcm, or the default of this architecture."
        }
        RequestKind::CopyLoad => "A copy with `.cg` (LDGSTS.BYPASS) bypasses [L1|L1 cache].",
        RequestKind::LocalLoad => "This SM does not cache local memory in [L1|L1 cache].",
        _ => return,
    };
    if chain.goes_on() {
        chain.answer("Why does L1 not serve it?", prose(text, &[]), Vec::new());
    }
}

/// The text about a line that lacks the sector.
fn sector_miss(history: &CacheHistory, lookup: &CacheLookup, frame: &Frame) -> (String, Vec<Link>) {
    let life = lookup.way.and_then(|way| history.lines.get(&(lookup.set, way)));
    let brought = life.and_then(|life| life.brought);
    match brought {
        Some(by) if by.access != lookup.by.access => (
            "The line is in the cache, but not this [sector]: a miss fetches only the requested sectors. ~ of ~ filled the line."
                .to_owned(),
            vec![code(frame, by.pc), by_warp(frame, &by)],
        ),
        _ => (
            "The line is in the cache, but not this [sector]: a miss fetches only the requested sectors.".to_owned(),
            Vec::new(),
        ),
    }
}

/// Whether a load before this request accessed a line, as far as the record's address ranges show.
fn was_loaded(frame: &Frame, kind: CacheKind, line: u64, idx: u32) -> bool {
    let record = frame.record();
    let bytes = line_bytes(frame, kind);
    let (first, last) = (line as u32, (line + bytes - 1) as u32);
    (0..idx)
        .filter_map(|idx| record.access(idx))
        .filter(|row| cache_of(frame, row) == Some(kind))
        .any(|row| row.lowest <= last && row.lowest.saturating_add(row.span.max(1) - 1) >= first)
}

/// Bytes of a cache's line.
fn line_bytes(frame: &Frame, kind: CacheKind) -> u64 {
    let cache = frame
        .trace()
        .with_machine(frame.cycle(), |machine| machine.cache(kind));
    cache.map_or(128, |cache| u64::from(cache.line_bytes)).max(1)
}

/// The warp of a use, at its cycle.
fn by_warp(frame: &Frame, by: &CacheUse) -> Link {
    let slot = frame
        .record()
        .access(by.access)
        .map_or(engine::ids::SlotIdx(0), |row| row.slot);
    warp_at(&format!("W{:02}", by.warp.0), slot, by.cycle)
}

/// What pictures show of the line of a lookup.
fn line_rings(lookup: &CacheLookup, frame: &Frame) -> Vec<Target> {
    let Some(way) = lookup.way else {
        return Vec::new();
    };
    let mut rings = vec![Target::CacheLine {
        set: lookup.set as u16,
        way: way as u16,
    }];
    if let Some(l1) = &frame.snapshot().l1 {
        rings.push(Target::L1Line(lookup.set * l1.ways + way));
    }
    rings
}

/// Explains a line of a cache: its fill, its use, and what it replaced.
pub(super) fn explain_line(chain: &mut Chain, kind: CacheKind, (set, way): (u32, u32)) {
    let frame = chain.frame;
    let history = frame.trace().cache_history(kind, frame.cycle());
    let rings = vec![Target::CacheLine {
        set: set as u16,
        way: way as u16,
    }];
    let Some(life) = history.lines.get(&(set, way)).copied() else {
        let text = format!("No line has been in set {set}, way {way} since ~.");
        chain.answer(
            "Why is this line empty?",
            prose(&text, &[cycle(history.since)]),
            rings,
        );
        return;
    };
    let at = frame.trace().start_memory().place_text(life.address);
    let (text, links) = match life.brought {
        Some(by) => (
            format!(
                "The line at *{at}* was filled by ~ of ~. Since then, *{}* hit it.",
                counted(life.hits.into(), "lookup")
            ),
            vec![code(frame, by.pc), by_warp(frame, &by)],
        ),
        None => (
            format!(
                "The line at *{at}* was filled before ~, where the known history begins. Since then, *{}* hit it.",
                counted(life.hits.into(), "lookup")
            ),
            vec![cycle(history.since)],
        ),
    };
    chain.answer("Why is this line here?", prose(&text, &links), rings);
    let lost = history.lost.get(&(set, way)).copied();
    if let Some(lost) = lost
        && let Some(evicted) = lost.evicted
        && chain.goes_on()
    {
        let text = format!(
            "~ of ~ needed a line of set {set}, and all its ways were in use. It evicted the line at *{}*, the [least recently used|LRU] one.",
            frame.trace().start_memory().place_text(evicted.address)
        );
        let links = [code(frame, lost.by.pc), by_warp(frame, &lost.by)];
        chain.answer("Which line did it replace?", prose(&text, &links), Vec::new());
        let (text, links) = match evicted.last {
            Some(last) => (
                format!(
                    "Its last use was ~ of ~, and *{}* had hit it. All other lines of the set were used later.",
                    counted(evicted.hits.into(), "lookup")
                ),
                vec![code(frame, last.pc), by_warp(frame, &last)],
            ),
            None => ("Its last use is not recorded.".to_owned(), Vec::new()),
        };
        if chain.goes_on() {
            chain.answer("Why that line?", prose(&text, &links), Vec::new());
        }
    }
}
