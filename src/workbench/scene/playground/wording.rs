//! The sentence, the heads of the columns, and the tables.

use super::Study;
use crate::playground::{Analysis, Cost, Expression, Space};
use crate::scene::Table;
use crate::scene::kit::table;
use crate::scene::words::{percent, thousands};
use engine::access::AccessOp;
use engine::arch::{Architecture, Generation};

/// What is counted.
pub(super) const fn noun(space: Space) -> &'static str {
    match space {
        Space::Shared => "pass",
        Space::Global => "transaction",
    }
}

pub(super) const fn verb(op: AccessOp) -> &'static str {
    match op {
        AccessOp::Load => "load",
        AccessOp::Store => "store",
        AccessOp::Atomic => "atomic",
    }
}

/// `1 pass`, `2 passes`.
pub(super) fn count_text(space: Space, count: u32) -> String {
    crate::scene::words::counted(count.into(), noun(space))
}

/// Heads of the three numbers of a row.
pub(super) fn heads(study: &Study, phone: bool) -> [&'static str; 3] {
    match (study.playground.space, phone) {
        (Space::Shared, false) => ["passes", "ideal", "bytes a pass"],
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

/// Why an architecture cannot do the access: it lacks the atomic, or the shared memory.
pub(super) fn refusal(study: &Study, arch: &Architecture) -> Option<String> {
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
            return Some(format!(
                "has no atomics on {bits} bits here; from {major}.{minor} on"
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
            "needs {} B of shared memory; a block has {}",
            thousands(needed),
            thousands(has)
        )
    })
}

/// Architectures side by side in time with the same count.
struct Stretch {
    first: &'static Architecture,
    last: &'static Architecture,
    count: u32,
}

/// The one true sentence.
pub(super) fn sentence(study: &Study) -> String {
    let lanes = study.chosen.lanes.mask.count();
    let noun = verb(study.playground.op);
    if lanes == 0 {
        return format!("No lane takes part in this {noun}.");
    }
    let ideals: Vec<u32> = study.possible().map(|(_, found)| found.ideal()).collect();
    let ideal = match (ideals.iter().min(), ideals.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("ideal is {least} to {most}"),
        (Some(ideal), _) => format!("ideal is {ideal}"),
        _ => return format!("No architecture makes this {noun}."),
    };
    let space = study.playground.space;
    let mut stretches: Vec<Stretch> = Vec::new();
    for (arch, found) in study.possible() {
        match stretches.last_mut() {
            Some(stretch) if stretch.count == found.count() => stretch.last = arch,
            _ => stretches.push(Stretch {
                first: arch,
                last: arch,
                count: found.count(),
            }),
        }
    }
    match stretches.as_slice() {
        [all] => {
            let every = if study.possible().count() == study.all.len() {
                "on every architecture"
            } else {
                "wherever it is possible"
            };
            format!(
                "This {noun} takes {} {every}; {ideal}.",
                count_text(space, all.count)
            )
        }
        [early, late] => {
            let (until, from) = border(early, late);
            format!(
                "{until} this takes {}, {from} on {}; {ideal}.",
                count_text(space, early.count),
                late.count
            )
        }
        _ if refusal(study, study.arch).is_some() => {
            format!("{} cannot do this {noun}; others can.", study.arch.name)
        }
        _ => {
            let others = stretches.iter().map(|stretch| stretch.count);
            let (least, most) = (others.clone().min().unwrap_or(0), others.max().unwrap_or(0));
            format!(
                "{} takes {}, the others {least} to {most}; ideal is {}.",
                study.arch.name,
                count_text(space, study.chosen.count()),
                study.chosen.ideal()
            )
        }
    }
}

/// `On Tesla`, `from Fermi`: where one count ends and the next begins.
fn border(early: &Stretch, late: &Stretch) -> (String, String) {
    let (before, after): (Generation, Generation) = (early.last.generation, late.first.generation);
    if before == after {
        let (before, after) = (early.last.id.text(), late.first.id.text());
        return (
            format!("Up to {}", before.to_uppercase()),
            format!("from {}", after.to_uppercase()),
        );
    }
    let until = if early.first.generation == before {
        format!("On {}", before.text())
    } else {
        format!("Up to {}", before.text())
    };
    (until, format!("from {}", after.text()))
}

/// Every architecture with its numbers.
pub(super) fn architecture_table(study: &Study) -> Table {
    let count = match study.playground.space {
        Space::Shared => "Passes",
        Space::Global => "Transactions",
    };
    let bytes = match study.playground.space {
        Space::Shared => "Bytes a pass",
        Space::Global => "Bytes",
    };
    let rows = study
        .all
        .iter()
        .map(|(arch, found)| {
            let [count, ideal, bytes] = figures(found);
            let chosen = if arch.id == study.arch.id { " (chosen)" } else { "" };
            let wide = if study.has_wide_banks(arch) {
                ", banks of 8 bytes"
            } else {
                ""
            };
            let name = format!("{}{wide}{chosen}", arch.name);
            if let Some(why) = refusal(study, arch) {
                [name, "–".to_owned(), "–".to_owned(), "–".to_owned(), why]
            } else {
                let efficiency = format!("{} %", (100.0 * found.efficiency()).round());
                [name, count, ideal, bytes, efficiency]
            }
        })
        .collect();
    table(["Architecture", count, "Ideal", bytes, "Efficiency"], rows)
}

/// Every lane on the chosen architecture.
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

/// `34 % of the moved bytes are used`, as the share of two numbers.
pub(super) fn share(part: u32, whole: u32) -> String {
    percent(part.into(), whole.max(1).into())
}
