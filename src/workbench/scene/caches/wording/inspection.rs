//! The inspector's explanation of a cache.

use super::*;
use crate::scene::inspector::{Facts, Inspection, Source, phrases, source};
use crate::words::request_name;

/// Explains the cache, or the selected line.
pub fn inspect_caches(frame: &Frame, view: &ViewState) -> Inspection {
    if view.settings.cache == MemoryPart::Device {
        return flight::inspect(frame);
    }
    let plan = Plan::of(frame, view);
    let Some(cache) = &plan.cache else {
        return Inspection {
            title: "L1".to_owned(),
            place: frame.arch().name.to_owned(),
            why: phrases(&empty_reason(&plan)),
            ..Inspection::default()
        };
    };
    let mut facts = vec![counts(&plan)];
    let selected = plan
        .selected
        .filter(|(set, way)| *set < cache.sets && *way < cache.ways);
    let (title, place, why) = if let Some((set, way)) = selected {
        if let Some(line) = plan.line(set, way) {
            facts.insert(0, line_facts(&plan, line));
        }
        (
            format!("Set {set}, way {way}"),
            format!("of the {}", plan.kind.name()),
            way_explanation(&plan, set, way),
        )
    } else {
        let geometry = format!(
            "{} sets × {} ways, lines of {} B",
            cache.sets, cache.ways, cache.line_bytes
        );
        (capital(plan.kind.name()), geometry, cache_explanation(&plan))
    };
    Inspection {
        title,
        place,
        why: phrases(&why),
        facts,
        sources: sources(&plan),
        ..Inspection::default()
    }
}

/// The parameters of the cache with their sources.
fn sources(plan: &Plan) -> Vec<Source> {
    let memory = &plan.frame.arch().memory;
    let mut sources = Vec::new();
    match (plan.kind, &memory.l1) {
        (CacheKind::L1, Some(l1)) => {
            sources.push(source("Size", &l1.capacity, ""));
            sources.push(source("Sets", &l1.sets, ""));
            sources.push(source("Set index", &l1.set_index, ""));
            sources.push(source("Line", &l1.line_bytes, "B"));
            sources.push(source("Sector", &l1.sector_bytes, "B"));
            sources.push(source("Global stores", &l1.global_write, ""));
            sources.push(source("Local stores", &l1.local_write, ""));
            let by_default = &l1.caches_globals_by_default;
            sources.push(Source {
                value: if by_default.value {
                    "through L1"
                } else {
                    "bypass L1"
                }
                .to_owned(),
                ..source("Global loads by default", by_default, "")
            });
            sources.push(source("Hit latency from issue", &l1.hit_latency_cycles, "cycles"));
        }
        (CacheKind::Constant, _) => {
            sources.push(source("Size", &memory.constant.l1_bytes, "B"));
            sources.push(source("Line", &memory.constant.l1_line_bytes, "B"));
            sources.push(source(
                "Hit latency from issue",
                &memory.constant.l1_latency_cycles,
                "cycles",
            ));
            sources.push(source(
                "Miss latency from issue",
                &memory.constant.l15_latency_cycles,
                "cycles",
            ));
        }
        (CacheKind::Texture, _) => {
            if let Some(texture) = &memory.texture {
                sources.push(source("Size", &texture.first.bytes, "B"));
                sources.push(source("Ways", &texture.first.ways, ""));
                sources.push(source("Line", &texture.first.line_bytes, "B"));
                sources.push(source(
                    "Hit latency from issue",
                    &texture.first.hit_latency_cycles,
                    "cycles",
                ));
                let interval = &texture.warp_interval_cycles;
                sources.push(source("Address phase of a warp", interval, "cycles"));
            }
        }
        (CacheKind::L1, None) => {}
    }
    sources
}

/// The counts of the period.
fn counts(plan: &Plan) -> Facts {
    let story = &plan.story;
    Facts {
        title: capital(&period(plan)),
        rows: vec![
            ("Load lookups that hit".to_owned(), thousands(story.hits)),
            ("Load lookups that missed".to_owned(), thousands(story.misses)),
            ("Lines evicted".to_owned(), thousands(story.evictions)),
            ("Lines in use".to_owned(), thousands(story.lines.len() as u64)),
        ],
    }
}

/// The history of a way: its line, and why its previous line was evicted.
fn way_explanation(plan: &Plan, set: u32, way: u32) -> String {
    let mut why = vec![match plan.line(set, way) {
        Some(line) => life_text(plan, line, set, way),
        None => "This way holds no line.".to_owned(),
    }];
    why.extend(eviction_text(plan, set, way));
    why.join(" ")
}

/// The hit rate of the cache, or why the cache is unused.
fn cache_explanation(plan: &Plan) -> String {
    let story = &plan.story;
    let all = story.hits + story.misses;
    if all == 0 {
        return empty_reason(plan);
    }
    format!(
        "*{}* of {} {} hit {}. A full set evicts its least recently used line (assumed unless a source documents the policy).",
        percent(story.hits, all),
        thousands(all),
        if all == 1 { "lookup" } else { "lookups" },
        period(plan)
    )
}

/// The facts about a line.
fn line_facts(plan: &Plan, line: &CacheLineView) -> Facts {
    let life = plan.life(line.set, line.way);
    let bytes = plan.cache.as_ref().map_or(0, |cache| u64::from(cache.line_bytes));
    // A line of one sector needs no sector mask.
    let is_one = plan
        .cache
        .as_ref()
        .is_some_and(|cache| cache.line_bytes == cache.sector_bytes);
    let some_sectors = |set: u8| match set {
        0 => "none".to_owned(),
        _ if is_one => "the whole line".to_owned(),
        set => sectors_text(plan, set),
    };
    let mut rows = vec![
        (
            "Bytes".to_owned(),
            format!(
                "{} to {}",
                address_text(plan, line.address),
                address_text(plan, line.address + bytes - 1)
            ),
        ),
        ("Valid sectors".to_owned(), some_sectors(line.valid_sectors)),
        ("Pending sectors".to_owned(), some_sectors(line.pending_sectors)),
    ];
    if let Some(life) = life {
        rows.push(("Hits since filled".to_owned(), thousands(life.hits.into())));
        rows.push((
            "Sector misses since filled".to_owned(),
            thousands(life.sector_misses.into()),
        ));
        if let Some(by) = life.brought {
            let row = plan.frame.record().access(by.access);
            let name = row.map_or("Access", |row| request_name(row.kind));
            rows.push((
                "Filled by".to_owned(),
                format!("{name}, {}", use_text(plan.frame, &by)),
            ));
        }
        if let Some(last) = life.last {
            rows.push((
                "Last use".to_owned(),
                format!("cycle {}", thousands(last.cycle.0)),
            ));
        }
    }
    Facts {
        title: "Line".to_owned(),
        rows,
    }
}
