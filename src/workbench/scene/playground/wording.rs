//! The sentences of the playground: headline, column heads, tables, tooltips, and the explanation.

use super::Study;
use crate::playground::{Analysis, Cost, Expression, Playground, Space, analyze_all};
use crate::scene::banks::{bank_layout, conflict_free_reason};
use crate::scene::kit::table;
use crate::scene::{Table, Target};
use crate::words::{capital, counted, percent, thousands};
use engine::access::AccessOp;
use engine::arch::{ArchId, Architecture, Generation, architecture};
use engine::sim::MemoryOptions;

/// The unit of cost.
pub(super) const fn cost_unit(space: Space) -> &'static str {
    match space {
        Space::Shared => "pass",
        Space::Global => "transaction",
    }
}

/// The name of an access of this kind.
pub(super) const fn access_noun(op: AccessOp) -> &'static str {
    match op {
        AccessOp::Load => "load",
        AccessOp::Store => "store",
        AccessOp::Atomic => "atomic",
    }
}

/// `1 pass`, `2 passes`.
pub(super) fn count_text(space: Space, count: u32) -> String {
    counted(count.into(), cost_unit(space))
}

/// Heads of the three numbers of a row.
pub(super) fn heads(study: &Study, phone: bool) -> [&'static str; 3] {
    match (study.playground.space, phone) {
        (Space::Shared, false) => ["passes", "ideal", "bytes/pass"],
        (Space::Shared, true) => ["passes", "ideal", "B/pass"],
        (Space::Global, false) => ["transactions", "ideal", "bytes"],
        (Space::Global, true) => ["trans.", "ideal", "bytes"],
    }
}

/// The three numbers of a row.
pub(super) fn figures(found: &Analysis) -> [String; 3] {
    let bytes = match found.cost {
        Cost::Shared(_) => found.bytes() / found.count().max(1),
        Cost::Global { .. } => found.bytes(),
    };
    [found.count(), found.ideal(), bytes].map(|number| thousands(number.into()))
}

/// Why an architecture does not support the access: missing atomics, or too little shared memory.
pub(super) fn unsupported_reason(study: &Study, arch: &Architecture) -> Option<String> {
    let playground = study.playground;
    if playground.op == AccessOp::Atomic {
        // CUDA C Programming Guide 4.2, table F-1, "Feature Support per Compute Capability".
        let (bits, since) = match (playground.space, playground.elem) {
            (Space::Global, 8) => (64, (1, 2)),
            (Space::Global, _) => (32, (1, 1)),
            (Space::Shared, 8) => (64, (2, 0)),
            (Space::Shared, _) => (32, (1, 2)),
        };
        let capability = arch.compute_capability;
        if (capability.major, capability.minor) < since {
            let (major, minor) = since;
            let space = match playground.space {
                Space::Shared => "shared",
                Space::Global => "global",
            };
            return Some(format!(
                "no {bits}-bit {space} atomics before compute capability {major}.{minor}"
            ));
        }
    }
    if playground.space == Space::Global {
        return None;
    }
    let lanes = &study.chosen.lanes;
    let reached = lanes
        .mask
        .lanes()
        .map(|lane| lanes.addresses[lane as usize] + u64::from(playground.elem))
        .max()
        .unwrap_or(0);
    let declared = Expression::read(&playground.expr)
        .is_ok_and(|expression| expression.has_rows())
        .then(|| u64::from(playground.start) + playground.bytes());
    let needed = declared.unwrap_or(0).max(reached);
    let has = u64::from(arch.occupancy.shared_optin_kib.value) * 1024;
    (needed > has).then(|| {
        format!(
            "needs {} B of shared memory; a block has at most {} B",
            thousands(needed),
            thousands(has)
        )
    })
}

/// Consecutive architectures with the same count.
struct Span {
    first: &'static Architecture,
    last: &'static Architecture,
    count: u32,
}

/// The headline about the access.
pub(super) fn headline(study: &Study) -> String {
    let lanes = study.chosen.lanes.mask.count();
    let noun = access_noun(study.playground.op);
    if lanes == 0 {
        return format!("No lane is active in this {noun}.");
    }
    let ideals: Vec<u32> = study.supported().map(|(_, found)| found.ideal()).collect();
    let ideal = match (ideals.iter().min(), ideals.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("ideal is {least} to {most}"),
        (Some(ideal), _) => format!("ideal is {ideal}"),
        _ => return format!("No architecture supports this {noun}."),
    };
    let space = study.playground.space;
    let mut spans: Vec<Span> = Vec::new();
    for (arch, found) in study.supported() {
        match spans.last_mut() {
            Some(span) if span.count == found.count() => span.last = arch,
            _ => spans.push(Span {
                first: arch,
                last: arch,
                count: found.count(),
            }),
        }
    }
    match spans.as_slice() {
        [all] => {
            let every = if study.supported().count() == study.all.len() {
                "on every architecture"
            } else {
                "wherever it is supported"
            };
            format!(
                "This {noun} takes {} {every}; {ideal}.",
                count_text(space, all.count)
            )
        }
        [early, late] => {
            let (until, from) = border(early, late);
            format!(
                "This {noun} takes {} {until} and {} {from} on; {ideal}.",
                count_text(space, early.count),
                late.count
            )
        }
        _ if unsupported_reason(study, study.arch).is_some() => {
            format!("{} does not support this {noun}.", study.arch.name)
        }
        _ => {
            let others = spans.iter().map(|span| span.count);
            let (least, most) = (others.clone().min().unwrap_or(0), others.max().unwrap_or(0));
            format!(
                "{} takes {} (all architectures: {least} to {most}); ideal is {}.",
                study.arch.name,
                count_text(space, study.chosen.count()),
                study.chosen.ideal()
            )
        }
    }
}

/// The end of one count and the start of the next: `on Tesla`, `from Fermi`.
fn border(early: &Span, late: &Span) -> (String, String) {
    let (before, after): (Generation, Generation) = (early.last.generation, late.first.generation);
    if before == after {
        let (before, after) = (early.last.id.text(), late.first.id.text());
        return (
            format!("up to {}", before.to_uppercase()),
            format!("from {}", after.to_uppercase()),
        );
    }
    let until = if early.first.generation == before {
        format!("on {}", before.text())
    } else {
        format!("up to {}", before.text())
    };
    (until, format!("from {}", after.text()))
}

/// The text twin: one row per architecture.
pub(super) fn architecture_table(study: &Study) -> Table {
    let count = match study.playground.space {
        Space::Shared => "Passes",
        Space::Global => "Transactions",
    };
    let bytes = match study.playground.space {
        Space::Shared => "Bytes per pass",
        Space::Global => "Bytes",
    };
    let rows = study
        .all
        .iter()
        .map(|(arch, found)| {
            let [count, ideal, bytes] = figures(found);
            let chosen = if arch.id == study.arch.id { " (chosen)" } else { "" };
            let wide = if study.has_wide_banks(arch) {
                ", 8-byte banks"
            } else {
                ""
            };
            let name = format!("{}{wide}{chosen}", arch.name);
            if let Some(why) = unsupported_reason(study, arch) {
                [name, "–".to_owned(), "–".to_owned(), "–".to_owned(), why]
            } else {
                let efficiency = format!("{} %", (100.0 * found.efficiency()).round());
                [name, count, ideal, bytes, efficiency]
            }
        })
        .collect();
    table(["Architecture", count, "Ideal", bytes, "Efficiency"], rows)
}

/// The lanes on the chosen architecture.
pub(super) fn lane_table(study: &Study) -> Table {
    let lanes = &study.chosen.lanes;
    let address = |lane: u32| lanes.addresses[lane as usize];
    match &study.chosen.cost {
        Cost::Shared(access) => {
            let rows = lanes.mask.lanes().map(|lane| {
                let passes: Vec<String> = access
                    .passes()
                    .enumerate()
                    .filter(|(_, (_, pass))| pass.lanes().contains(lane))
                    .map(|(idx, _)| (idx + 1).to_string())
                    .collect();
                [
                    lane.to_string(),
                    format!("0x{:04x}", address(lane)),
                    access.banks.bank(address(lane) as u32).to_string(),
                    passes.join(", "),
                ]
            });
            table(["Lane", "Byte offset", "Bank", "Pass"], rows.collect())
        }
        Cost::Global { access, .. } => {
            let rows = lanes.mask.lanes().map(|lane| {
                let served: Vec<String> = access
                    .transactions
                    .iter()
                    .enumerate()
                    .filter(|(_, transaction)| transaction.lanes.contains(lane))
                    .map(|(idx, _)| (idx + 1).to_string())
                    .collect();
                [
                    lane.to_string(),
                    format!("0x{:04x}", address(lane)),
                    (address(lane) / 128).to_string(),
                    served.join(", "),
                ]
            });
            table(["Lane", "Byte", "Line", "Transaction"], rows.collect())
        }
    }
}

/// A share in percent.
pub(super) fn share(part: u32, whole: u32) -> String {
    percent(part.into(), whole.max(1).into())
}

/// Why the access takes its number of passes or transactions. Asterisks enclose the numbers to set bold.
pub(super) fn cost_reason(found: &Analysis, arch: &Architecture) -> String {
    let mut text = match lane_stride(found) {
        Some(0) => "All lanes access the same address. ".to_owned(),
        Some(step) => format!(
            "Adjacent lanes are *{}* apart. ",
            counted(step.unsigned_abs(), "byte")
        ),
        None => "The lanes' addresses have no common stride. ".to_owned(),
    };
    match &found.cost {
        Cost::Shared(access) if access.conflicts() > 0 => {
            text += &format!(
                "{}: *{} instead of {}*.",
                bank_layout(access.banks),
                count_text(Space::Shared, found.count()),
                found.ideal()
            );
        }
        Cost::Shared(access) => {
            let count = count_text(Space::Shared, found.count());
            text += &format!("{}: *{count}*.", conflict_free_reason(access));
        }
        Cost::Global { access, in_l1, .. } => {
            text += &format!(
                "{} moves whole {}: the lanes use *{} of {} bytes*, {}.",
                arch.name,
                match (in_l1, found.bytes() / found.count().max(1)) {
                    (true, 128) => "lines of 128 bytes",
                    (_, 32) => "sectors of 32 bytes",
                    _ => "segments",
                },
                thousands(access.used_bytes.into()),
                thousands(found.bytes().into()),
                share(access.used_bytes, found.bytes())
            );
        }
    }
    text
}

/// The stride between adjacent lanes in bytes; `None` if the lanes have no common stride.
fn lane_stride(found: &Analysis) -> Option<i64> {
    let at: Vec<u64> = found
        .lanes
        .mask
        .lanes()
        .map(|lane| found.lanes.addresses[lane as usize])
        .collect();
    let step = at.get(1)?.wrapping_sub(*at.first()?) as i64;
    at.windows(2)
        .all(|pair| pair[1].wrapping_sub(pair[0]) as i64 == step)
        .then_some(step)
}

/// The passes or transactions that serve a lane, counted from 1.
pub(super) fn serving_numbers(found: &Analysis, lane: u32) -> String {
    let numbers: Vec<String> = match &found.cost {
        Cost::Shared(access) => access
            .passes()
            .enumerate()
            .filter(|(_, (_, pass))| pass.lanes().contains(lane))
            .map(|(idx, _)| (idx + 1).to_string())
            .collect(),
        Cost::Global { access, .. } => access
            .transactions
            .iter()
            .enumerate()
            .filter(|(_, transaction)| transaction.lanes.contains(lane))
            .map(|(idx, _)| (idx + 1).to_string())
            .collect(),
    };
    numbers.join(", ")
}

/// Tooltip of a target in the playground.
pub fn playground_tooltip(
    playground: &Playground,
    arch: &'static Architecture,
    options: MemoryOptions,
    target: Target,
) -> Option<(String, String)> {
    let all = analyze_all(playground, options).ok()?;
    let on = |id: ArchId| {
        all.iter()
            .find(|(other, _)| other.id == id)
            .map(|(_, found)| found.clone())
    };
    let chosen = on(arch.id)?;
    Some(match target {
        Target::Lane(lane) if chosen.lanes.mask.contains(lane.into()) => {
            let address = chosen.lanes.addresses[usize::from(lane)];
            let place = match &chosen.cost {
                Cost::Shared(access) => {
                    format!("bank {}, pass", access.banks.bank(address as u32))
                }
                Cost::Global { .. } => format!("line {}, transaction", address / 128),
            };
            (
                format!("Lane {lane}  byte 0x{address:04x}"),
                format!("{place} {}", serving_numbers(&chosen, lane.into())),
            )
        }
        Target::Lane(lane) => (format!("Lane {lane}"), "inactive".to_owned()),
        Target::Word(offset) => {
            let banks = arch.memory.banks(options.bank_size);
            (
                format!("Word at byte 0x{offset:04x}"),
                format!("bank {}", banks.bank(offset)),
            )
        }
        Target::Arch(id) => {
            let (other, found) = (architecture(id), on(id)?);
            let study = Study {
                playground,
                options,
                arch,
                chosen,
                all: Vec::new(),
                typed: None,
            };
            let rule = match playground.space {
                Space::Shared => other.memory.bank_rule(options.bank_size).value.to_string(),
                Space::Global => other.memory.coalescing.value.to_string(),
            };
            (
                format!("{}  {}", other.name, count_text(playground.space, found.count())),
                unsupported_reason(&study, other).map_or_else(|| capital(&rule), |why| capital(&why)),
            )
        }
        Target::Padding(0) => (
            "Rows as declared".to_owned(),
            "Click to use this layout".to_owned(),
        ),
        Target::Padding(pad) => (
            format!("Rows padded by {}", counted(pad.into(), "element")),
            "Click to use this layout".to_owned(),
        ),
        Target::Swizzle => (
            "Column XOR row".to_owned(),
            "Swizzling takes no extra memory. Click to use this layout".to_owned(),
        ),
        _ => return None,
    })
}
