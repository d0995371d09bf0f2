//! The sentences of the Caches view: headline, text twin, tooltips, and the inspector's explanation.

mod inspection;

use super::super::kit::table as table_of;
use super::super::{MemoryPart, Table, Target, ViewState};
use super::{Plan, band, flight, goes_past_l1};
use crate::words::{capital, counted, percent, thousands};
use engine::ids::Pc;
use engine::sim::CacheKind;
use engine::sim::view::CacheLineView;
use engine::trace::{CacheLookup, CacheUse, Found, Frame, LineLife};

pub use inspection::inspect_caches;

/// Rows of the hit rate over the run in the text twin.
const TWIN_COLUMNS: usize = 16;
/// Accesses of the cycle that the view lists.
const MAX_NOW: usize = 3;

fn line_text(frame: &Frame, pc: Pc) -> String {
    match frame
        .instruction(pc)
        .map_or(0, |instruction| instruction.span.line)
    {
        0 => frame.mnemonic(pc),
        line => format!("{}, {}", frame.mnemonic(pc), frame.line_text(line)),
    }
}

fn use_text(frame: &Frame, by: &CacheUse) -> String {
    format!("W{:02} ({})", by.warp.0, line_text(frame, by.pc))
}

fn found_text(lookup: &CacheLookup) -> &'static str {
    match (lookup.found, lookup.way) {
        (Found::Hit, _) => "hit",
        (Found::SectorMiss, _) => "sector miss: the line is present without the sector",
        (Found::Miss, _) => "miss",
        (Found::Written, None) => "store bypasses the cache",
        (Found::Written, Some(_)) => "store to a present line",
        (Found::Allocated, _) => "store allocates a line",
        (Found::Invalidated, _) => "line invalidated",
    }
}

/// The period of the counts: `so far`, or `since cycle 512`.
fn period(plan: &Plan) -> String {
    match plan.story.since.0 {
        0 => "so far".to_owned(),
        cycle => format!("since cycle {}", thousands(cycle)),
    }
}

/// Why global loads do not use L1.
fn l1_bypassed(plan: &Plan) -> String {
    format!(
        "Global loads bypass L1 on {}; compile with -dlcm=ca to cache them.",
        plan.frame.arch().name
    )
}

/// Why the cache is empty.
fn empty_reason(plan: &Plan) -> String {
    let (frame, arch) = (plan.frame, plan.frame.arch());
    if plan.kind == CacheKind::Constant {
        return "No LDC has accessed the constant cache so far.".to_owned();
    }
    if plan.kind == CacheKind::Texture {
        return match arch.memory.texture {
            Some(_) => "No texture fetch so far.".to_owned(),
            None => format!("On {}, texture fetches go through L1.", arch.name),
        };
    }
    if plan.cache.is_none() {
        return format!("{} has no L1 cache: all accesses go to memory.", arch.name);
    }
    let program = &frame.trace().program().code;
    let has_loads = program.iter().any(|instruction| match instruction.op {
        engine::isa::Op::Ld { space, .. } => space != engine::isa::Space::Shared,
        engine::isa::Op::Ldgsts { .. } => true,
        _ => false,
    });
    if !has_loads {
        return "This kernel has no global or local load: L1 is unused.".to_owned();
    }
    if goes_past_l1(frame) {
        return l1_bypassed(plan);
    }
    if !frame.trace().options().load_caching.in_l1(arch) {
        return format!("Global loads bypass L1 on {} and go to L2.", arch.name);
    }
    "L1 is empty: no load has accessed it so far.".to_owned()
}

/// The headline about the cache.
pub(super) fn headline(plan: &Plan) -> String {
    if plan.is_unused() || plan.cache.is_none() {
        return empty_reason(plan);
    }
    let story = &plan.story;
    let loads = story.hits + story.misses;
    let name = capital(plan.kind.name());
    if loads == 0 {
        let lines = counted(story.lines.len() as u64, "line");
        return if goes_past_l1(plan.frame) && story.lines.is_empty() {
            l1_bypassed(plan)
        } else if goes_past_l1(plan.frame) {
            format!("Stores allocated {lines} in L1; loads bypass L1 unless compiled with -dlcm=ca.")
        } else {
            format!(
                "No load has accessed the {} {}; the cache holds {lines}.",
                plan.kind.name(),
                period(plan)
            )
        };
    }
    let wanted = |lookup: &&CacheLookup| matches!(lookup.found, Found::Hit | Found::Miss | Found::SectorMiss);
    let now: Vec<&CacheLookup> = story.lookups.iter().filter(wanted).collect();
    let all = format!(
        "{}, {}, {}",
        counted(story.hits, "hit"),
        counted(story.misses, "miss"),
        counted(story.evictions, "eviction")
    );
    if let (true, Some(first)) = (plan.is_used_now(), now.first()) {
        let own: Vec<&&CacheLookup> = now
            .iter()
            .filter(|lookup| lookup.by.access == first.by.access)
            .collect();
        let hit = own.iter().filter(|lookup| lookup.found == Found::Hit).count();
        return format!(
            "W{:02} hits in {hit} of {} lookups; {} {}: {all}.",
            first.by.warp.0,
            own.len(),
            name,
            period(plan)
        );
    }
    format!("{name} {}: {all}; {} in use.", period(plan), {
        let lines = plan
            .cache
            .as_ref()
            .map_or(1, |cache| u64::from(cache.sets * cache.ways));
        format!("{} of {lines} lines", story.lines.len())
    })
}

/// The accesses of this cycle, one line each.
pub(super) fn current_accesses(plan: &Plan) -> Vec<String> {
    if !plan.is_used_now() {
        return Vec::new();
    }
    let mut lines: Vec<(u32, String)> = Vec::new();
    for lookup in &plan.story.lookups {
        if lines
            .last()
            .is_some_and(|(access, _)| *access == lookup.by.access)
        {
            continue;
        }
        let own = plan
            .story
            .lookups
            .iter()
            .filter(|other| other.by.access == lookup.by.access);
        let mut counts: Vec<(&str, u64)> = Vec::new();
        let mut evicted = 0;
        for other in own {
            let word = match other.found {
                Found::Hit => "hit",
                Found::Miss | Found::SectorMiss => "miss",
                Found::Written | Found::Allocated => "written sector",
                Found::Invalidated => "invalidated line",
            };
            match counts.iter_mut().find(|(of, _)| *of == word) {
                Some((_, count)) => *count += 1,
                None => counts.push((word, 1)),
            }
            evicted += u64::from(other.evicted.is_some());
        }
        let mut parts: Vec<String> = counts.iter().map(|(word, count)| counted(*count, word)).collect();
        if evicted > 0 {
            parts.push(format!("{} evicted", counted(evicted, "line")));
        }
        lines.push((
            lookup.by.access,
            format!("{}: {}", use_text(plan.frame, &lookup.by), parts.join(", ")),
        ));
    }
    let more = lines.len().saturating_sub(MAX_NOW);
    let mut shown: Vec<String> = lines.into_iter().take(MAX_NOW).map(|(_, text)| text).collect();
    if more > 0
        && let Some(last) = shown.last_mut()
    {
        last.push_str(&format!("; {more} more"));
    }
    shown
}

/// An address in the cache's address space: `0x7100`, or `c[3][0x40]`.
fn address_text(plan: &Plan, address: u64) -> String {
    match plan.kind {
        CacheKind::L1 | CacheKind::Texture => format!("{address:#x}"),
        CacheKind::Constant => format!("c[{}][{:#x}]", address >> 32, address & u64::from(u32::MAX)),
    }
}

/// The sectors of a mask, from the first on: `1111`, `11··`.
fn sectors_text(plan: &Plan, set: u8) -> String {
    let num = plan
        .cache
        .as_ref()
        .map_or(1, |cache| cache.line_bytes / cache.sector_bytes.max(1));
    (0..num)
        .map(|sector| if set >> sector & 1 == 1 { '1' } else { '·' })
        .collect()
}

/// The cycle and the access that filled a line.
fn fill_texts(plan: &Plan, life: Option<&LineLife>) -> [String; 2] {
    match life.and_then(|life| life.brought) {
        Some(by) => [thousands(by.cycle.0), use_text(plan.frame, &by)],
        None => [
            format!("before {}", thousands(plan.story.since.0)),
            "–".to_owned(),
        ],
    }
}

/// The text twin: the lines in use.
pub(super) fn table(plan: &Plan) -> Table {
    let lines = plan.cache.iter().flat_map(|cache| &cache.lines);
    let rows = lines.map(|line| {
        let life = plan.life(line.set, line.way);
        let [filled, by] = fill_texts(plan, life);
        [
            line.set.to_string(),
            line.way.to_string(),
            address_text(plan, line.address),
            sectors_text(plan, line.valid_sectors),
            sectors_text(plan, line.pending_sectors),
            sectors_text(plan, line.dirty_sectors),
            life.map_or(0, |life| life.hits).to_string(),
            filled,
            by,
        ]
    });
    let columns = [
        "Set",
        "Way",
        "Address",
        "Valid sectors",
        "Pending sectors",
        "Dirty sectors",
        "Hits",
        "Filled at cycle",
        "By",
    ];
    table_of(columns, rows.collect())
}

/// The lookups of this cycle, and the hit rate over the run.
pub(super) fn more_tables(plan: &Plan) -> Vec<(String, Table)> {
    let mut tables = Vec::new();
    let now = plan.story.lookups.iter().filter(|_| plan.is_used_now());
    let rows = now.map(|lookup| {
        [
            use_text(plan.frame, &lookup.by),
            address_text(plan, lookup.address),
            lookup.set.to_string(),
            lookup.way.map_or_else(|| "–".to_owned(), |way| way.to_string()),
            found_text(lookup).to_owned(),
            lookup.evicted.map_or_else(
                || "–".to_owned(),
                |line| {
                    format!(
                        "{}, {}",
                        address_text(plan, line.address),
                        counted(line.hits.into(), "hit")
                    )
                },
            ),
        ]
    });
    let columns = ["Access", "Address", "Set", "Way", "Result", "Evicts"];
    tables.push((
        "Lookups of this cycle".to_owned(),
        table_of(columns, rows.collect()),
    ));
    if plan.kind == CacheKind::L1 && plan.cache.is_some() {
        let rows = band::columns(plan, TWIN_COLUMNS)
            .into_iter()
            .map(|(first, cycles, column)| {
                let rate = if column.wanted == 0 {
                    "–".to_owned()
                } else {
                    percent(column.hits, column.wanted)
                };
                [
                    thousands(first),
                    thousands(first + cycles - 1),
                    thousands(column.wanted),
                    thousands(column.hits),
                    rate,
                ]
            });
        let columns = ["From cycle", "To", "Sectors requested", "Hits", "Hit rate"];
        tables.push(("L1 over the run".to_owned(), table_of(columns, rows.collect())));
    }
    tables
}

/// The history of a resident line. Asterisks enclose the numbers to set bold.
fn life_text(plan: &Plan, line: &CacheLineView, set: u32, way: u32) -> String {
    let life = plan.life(set, way);
    let hits = life.map_or(0, |life| u64::from(life.hits));
    let mut text = match life.and_then(|life| life.brought) {
        Some(by) => format!(
            "Filled by {} at cycle *{}*; ",
            use_text(plan.frame, &by),
            thousands(by.cycle.0)
        ),
        None => format!("Filled before cycle *{}*; ", thousands(plan.story.since.0)),
    };
    text += &match hits {
        0 => "no hit since.".to_owned(),
        1 => "*1* hit since.".to_owned(),
        hits => format!("*{}* hits since.", thousands(hits)),
    };
    if line.pending_sectors != 0 {
        let num = counted(line.pending_sectors.count_ones().into(), "sector");
        text += &format!(" {num} pending: more accesses to them wait and send no second request.");
    }
    if line.dirty_sectors != 0 {
        text += " Dirty sectors are written to L2 when the line is evicted.";
    }
    text
}

/// Why the previous line of a way was evicted.
fn eviction_text(plan: &Plan, set: u32, way: u32) -> Option<String> {
    let lookup = plan.story.lost.get(&(set, way))?;
    let line = lookup.evicted?;
    let last = line.last.map_or_else(String::new, |last| {
        format!(", last used in cycle {}", thousands(last.cycle.0))
    });
    Some(format!(
        "Line {} ({}{last}) was evicted at cycle *{}*: set {set} was full, and this line was the least recently used.",
        address_text(plan, line.address),
        counted(line.hits.into(), "hit"),
        thousands(lookup.by.cycle.0)
    ))
}

/// Tooltip of a line, or of a column of the plot over the run.
pub fn caches_tooltip(frame: &Frame, view: &ViewState, target: Target) -> Option<(String, String)> {
    if view.settings.cache == MemoryPart::Device {
        return match target {
            Target::HitColumn(first) => flight::tooltip(frame, first),
            _ => None,
        };
    }
    let plan = Plan::of(frame, view);
    match target {
        Target::CacheLine { set, way } => {
            let (set, way) = (u32::from(set), u32::from(way));
            let name = format!("Set {set}, way {way}");
            let Some(line) = plan.line(set, way) else {
                return Some((name, "empty".to_owned()));
            };
            let text = life_text(&plan, line, set, way).replace('*', "");
            Some((format!("{name}  {}", address_text(&plan, line.address)), text))
        }
        Target::HitColumn(first) => {
            let (first, cycles, column) = band::column_at(&plan, first)?;
            Some((
                format!("Cycles {} to {}", thousands(first), thousands(first + cycles - 1)),
                format!(
                    "{} of {} hit: {}",
                    thousands(column.hits),
                    counted(column.wanted, "sector"),
                    percent(column.hits, column.wanted)
                ),
            ))
        }
        _ => None,
    }
}

/// The title of the hit rate over the run.
pub(super) fn hit_rate_title(hits: u64, sectors: u64, is_whole_run: bool) -> String {
    if sectors == 0 {
        return "No load has accessed L1.".to_owned();
    }
    format!(
        "{} of {} sectors hit {}",
        percent(hits, sectors),
        thousands(sectors),
        if is_whole_run {
            "in the whole run"
        } else {
            "so far"
        }
    )
}

/// The headline of a run without device memory traffic.
pub(super) const NO_DEVICE_TRAFFIC: &str =
    "No device memory traffic so far: no request has missed all caches.";

/// The headline about bytes in flight, in bytes of one SM.
pub(super) fn flight_headline(average: u64, need: u64, remedy: &str) -> String {
    let (average, need) = (thousands(average), thousands(need));
    format!("Average {average} B in flight; full bandwidth needs {need} B: {remedy}.")
}

/// The explanation of bytes in flight, in bytes of one SM. Asterisks enclose the numbers to set bold.
pub(super) fn flight_explanation(share: f64, need: u64, average: u64, port: &str) -> String {
    format!(
        "Bytes in flight are bandwidth times latency (Little's law). \
         An SM's share of the bandwidth, *{share:.2}* B per cycle, needs *{}* B in flight at all times; \
         the average is *{}* B. One SM is simulated and has the memory to itself: \
         it can exceed its share, up to {port} B per cycle through its port.",
        thousands(need),
        thousands(average)
    )
}

/// Tooltip text of a column of bytes in flight.
pub(super) fn flight_column(average: u64, bytes_per_cycle: f64) -> String {
    format!(
        "average {} B in flight, {bytes_per_cycle:.2} B per cycle from device memory",
        thousands(average)
    )
}
