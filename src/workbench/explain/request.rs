//! Why a memory request takes its wavefronts, its sectors, and its cycles.

use super::prose::{code, cycle, prose};
use super::result::request_rings;
use super::{Chain, cache};
use crate::scene::{Target, cited, counted, request_name, transaction_reason, wavefront_reason};
use engine::sim::{MemoryLevel, RequestKind};
use engine::trace::AccessRow;

/// Explains a request.
pub(super) fn explain(chain: &mut Chain, idx: u32) {
    let frame = chain.frame;
    let Some(row) = frame.record().access(idx) else {
        return;
    };
    let name = request_name(row.kind).to_lowercase();
    let rings = request_rings(frame, idx, &row);
    let who = format!("The {name} of W{:02}", row.warp.0);
    if row.kind.is_shared() {
        let text = format!(
            "{who}, ~, takes *{}* in the [LSU]. It issued at ~ and is done at ~.",
            counted(row.wavefronts.into(), "wavefront")
        );
        let links = [code(frame, row.pc), cycle(row.issued), cycle(row.done)];
        let question = format!(
            "Why does this {name} take {}?",
            counted(row.done.0 - row.issued.0, "cycle")
        );
        chain.answer(question, prose(&text, &links), rings);
        if chain.goes_on() {
            wavefronts(chain, idx, &row);
        }
        if row.wavefronts > row.ideal_wavefronts && chain.goes_on() {
            busiest_bank(chain, idx);
        }
        return;
    }
    let (served, latency) = served(chain, &row);
    let text = format!(
        "{who}, ~ at ~, {served}. {latency}; this request takes *{}*.",
        counted(row.done.0 - row.issued.0, "cycle")
    );
    let question = format!(
        "Why does this {name} take {}?",
        counted(row.done.0 - row.issued.0, "cycle")
    );
    chain.answer(
        question,
        prose(&text, &[code(frame, row.pc), cycle(row.issued)]),
        rings,
    );
    if let Some(reason) = transaction_reason(frame, idx)
        && chain.goes_on()
    {
        let question = match row.sectors {
            0 => "Why these transactions?".to_owned(),
            num => format!("Why {}?", counted(num.into(), "sector")),
        };
        chain.answer(question, prose(&reason, &[]), vec![Target::Fetch(0)]);
    }
    cache::miss(chain, idx, &row);
}

/// Why a request to shared memory takes its number of wavefronts; without conflicts, its latency.
pub(super) fn wavefronts(chain: &mut Chain, idx: u32, row: &AccessRow) {
    let frame = chain.frame;
    let access = frame.trace().access_detail(idx);
    let question = format!("Why {}?", counted(row.wavefronts.into(), "wavefront"));
    let text = access.map_or_else(
        || "The addresses of this request are not recorded.".to_owned(),
        |access| wavefront_reason(frame, row, &access),
    );
    let bank = frame.trace().access_detail(idx).and_then(|access| {
        access
            .mask
            .lanes()
            .next()
            .map(|lane| access.addresses[lane as usize])
    });
    let mut rings = Vec::new();
    if let Some(first) = bank {
        rings.push(Target::Word(first as u32));
    }
    if let Some(block) = frame.record().block_at(row.slot, row.issued) {
        rings.push(Target::SharedBlock(block.0));
    }
    chain.answer(question, prose(&text, &[]), rings);
}

/// The bank that serves the most words of a request.
fn busiest_bank(chain: &mut Chain, idx: u32) {
    let frame = chain.frame;
    let Some(access) = frame.trace().access_detail(idx) else {
        return;
    };
    let banks = frame.banks();
    let mut words: Vec<(u32, u32)> = access
        .mask
        .lanes()
        .map(|lane| access.addresses[lane as usize] as u32 / 4 * 4)
        .map(|word| (banks.bank(word), word))
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut counts: Vec<(usize, u32)> = Vec::new();
    for (bank, _) in &words {
        match counts.iter_mut().find(|(_, of)| of == bank) {
            Some((num, _)) => *num += 1,
            None => counts.push((1, *bank)),
        }
    }
    counts.sort_by_key(|(num, bank)| (std::cmp::Reverse(*num), *bank));
    let Some((most, bank)) = counts.first().copied() else {
        return;
    };
    let others = counts.iter().filter(|(num, _)| *num == most).count() - 1;
    let also = match others {
        0 => String::new(),
        num => format!(
            ", and so {} *{}*",
            if num == 1 { "does" } else { "do" },
            counted(num as u64, "other bank")
        ),
    };
    let text = format!(
        "Bank *{bank}* serves *{}* of this request{also}. A [bank|bank] serves one word per wavefront.",
        counted(most as u64, "different word")
    );
    let word = words
        .iter()
        .find(|(of, _)| *of == bank)
        .map_or(0, |(_, word)| *word);
    chain.answer(
        "Which bank is the busiest?",
        prose(&text, &[]),
        vec![Target::Word(word), Target::Bank(bank as u8)],
    );
}

/// Which memories serve a request, as a predicate, and the least latency of the farthest of them.
pub(super) fn served(chain: &mut Chain, row: &AccessRow) -> (String, String) {
    let frame = chain.frame;
    let memory = &frame.arch().memory;
    let has_l1 = frame.trace().loads_in_l1(row.pc, row.kind);
    let (l1, l2, all) = (
        u64::from(row.l1_hits),
        u64::from(row.l2_hits),
        u64::from(row.sectors),
    );
    let predicate = match row.level {
        MemoryLevel::Shared => "is served by [shared memory]".to_owned(),
        MemoryLevel::Constant => "hits the [constant cache]".to_owned(),
        MemoryLevel::Texture => "hits the [texture cache]".to_owned(),
        MemoryLevel::L1 => "hits [L1|L1 cache]".to_owned(),
        MemoryLevel::L2 if has_l1 && all > 0 && l1 + l2 <= all => {
            format!(
                "accesses *{}*: {l1} hit L1, and [L2|L2 cache] serves the others",
                counted(all, "sector")
            )
        }
        MemoryLevel::L2 => "is served by [L2|L2 cache]".to_owned(),
        MemoryLevel::Dram if all > 0 && l1 + l2 <= all => {
            let near = if has_l1 {
                format!("{l1} hit L1, {l2} hit L2, and ")
            } else {
                format!("{l2} hit L2, and ")
            };
            format!(
                "accesses *{}*: {near}*{}* reach [device memory]",
                counted(all, "sector"),
                all - l1 - l2
            )
        }
        MemoryLevel::Dram => "reaches [device memory]".to_owned(),
    };
    let latency = match row.level {
        MemoryLevel::Shared => None,
        MemoryLevel::Constant => {
            let latency = &memory.constant.l1_latency_cycles;
            Some((
                "A hit in the constant cache",
                cited("Constant cache hit", latency, "cycles"),
                latency.value,
            ))
        }
        MemoryLevel::Texture => None,
        MemoryLevel::L1 => memory.l1.as_ref().map(|l1| {
            let latency = &l1.hit_latency_cycles;
            (
                "A load that hits L1",
                cited("L1 hit", latency, "cycles"),
                latency.value,
            )
        }),
        MemoryLevel::L2 if row.kind == RequestKind::ConstantLoad => None,
        MemoryLevel::L2 => memory.l2.as_ref().map(|l2| {
            let latency = &l2.hit_latency_cycles;
            (
                "A load that hits L2",
                cited("L2 hit", latency, "cycles"),
                latency.value,
            )
        }),
        MemoryLevel::Dram => {
            let latency = &memory.device.latency_cycles;
            Some((
                "A load from device memory",
                cited("Device memory", latency, "cycles"),
                latency.value,
            ))
        }
    };
    let is_store = matches!(row.kind, RequestKind::GlobalStore | RequestKind::LocalStore);
    let sentence = match latency.filter(|_| !is_store) {
        Some((what, source, cycles)) => {
            chain.cite(source);
            format!(
                "{what} takes *{}* without a queue",
                counted(cycles.into(), "cycle")
            )
        }
        None => format!(
            "Its unit began it at cycle *{}*",
            crate::scene::thousands(row.started.0)
        ),
    };
    (predicate, sentence)
}
