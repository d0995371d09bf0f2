//! The sentences of the Banks view: headline, tooltips, labels, and the inspector's explanation.

use super::plan::{Plan, analysis};
use super::shown_access;
use crate::scene::lanes::LANES;
use crate::scene::{Target, ViewState};
use crate::words::{capital, count_word, counted};
use engine::access::SharedAccess;
use engine::arch::{BankRule, Banks};
use engine::ids::LaneMask;
use engine::sim::{Access, RequestKind};
use engine::trace::{AccessRow, Frame};

/// The headline of a run without shared memory accesses.
pub(super) const UNUSED: &str = "This run does not read or write shared memory.";

/// What to write to see a request.
pub(super) const fn use_hint(phone: bool) -> &'static str {
    if phone {
        "Use a __shared__ array to see its banks here."
    } else {
        "Declare and use a __shared__ array to see its banks here."
    }
}

/// How words map to banks, and what one bank serves at a time. It continues with a colon.
pub(in crate::scene) fn bank_layout(banks: Banks) -> String {
    let words = banks.row_bytes() / 4;
    let served = match banks.rule {
        BankRule::WarpMulticastWide => "one 64-bit word at a time",
        BankRule::WarpMulticastRows => "one word at a time, or words i and i + 32 of an aligned 64-word row",
        _ => "one word at a time",
    };
    format!("Banks repeat every {words} words, and a bank serves {served}")
}

/// Why an access has no conflict. It continues with a colon.
pub(in crate::scene) fn conflict_free_reason(access: &SharedAccess) -> String {
    let masks = access.requests.iter().map(|request| request.lanes);
    let lanes = match (access.ideal_wavefronts(), access.requests.len()) {
        (0 | 1, _) => "lanes".to_owned(),
        // A 128-bit access of 2.x is one request of four quarter-warps.
        (_, 1) => format!("lanes of a {QUARTER_WARP}"),
        _ => format!("lanes of a {}", group_name(masks)),
    };
    match access.banks.rule {
        BankRule::WarpMulticastWide => format!("No two {lanes} access different 64-bit words in one bank"),
        BankRule::WarpMulticastRows => format!("Each bank serves the words for all {lanes} at once"),
        _ => format!("No two {lanes} access different words in one bank"),
    }
}

/// The name of a group of eight lanes.
pub(super) const QUARTER_WARP: &str = "quarter-warp";

/// The name of the lane groups that access the banks together.
pub(super) fn group_name(groups: impl Iterator<Item = LaneMask>) -> &'static str {
    let lanes = groups.fold(8, |lanes, LaneMask(mask)| {
        let (first, last) = (mask.trailing_zeros(), 31 - mask.leading_zeros().min(31));
        let is_within = |lanes: &u32| first / lanes == last / lanes;
        [lanes, 16].into_iter().find(is_within).unwrap_or(LANES)
    });
    match lanes {
        8 => QUARTER_WARP,
        16 => "half-warp",
        _ => "warp",
    }
}

/// The word and the bank of an address, as rows of facts.
pub(in crate::scene) fn bank_rows(banks: Banks, noun: &str, address: u32) -> [(String, String); 2] {
    let of = match banks.words() {
        1 => "word".to_owned(),
        words => format!("word / {words}"),
    };
    [
        (format!("word = {noun} / 4"), (address / 4).to_string()),
        (
            format!("bank = {of} mod {}", banks.num),
            banks.bank(address).to_string(),
        ),
    ]
}

fn access_noun(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::SharedStore => "store",
        RequestKind::CopyStore => "copy",
        RequestKind::SharedAtomic => "atomic",
        _ => "load",
    }
}

/// The headline about a request.
pub(super) fn headline(plan: &Plan, access: &Access) -> String {
    let (noun, lanes) = (access_noun(access.kind), access.mask.count());
    let num = plan.passes.len() as u64;
    let ideal = u64::from(access.ideal_wavefronts.max(1));
    let who = if lanes == LANES {
        "All 32 lanes".to_owned()
    } else {
        lane_count(lanes)
    };
    let words = plan.words();
    if lanes == 0 {
        return format!("No lane is active in this {noun}.");
    }
    if num > ideal {
        let (bank, worst, crowded) = plan.worst_bank();
        let name = if plan.parts > 1 {
            "words of 64 bits"
        } else {
            "words"
        };
        // Banks of 3.x in the 4-byte mode can serve two words at once.
        let longest = plan.groups.iter().map(|group| group.passes).max();
        let pairs = plan.rule == BankRule::WarpMulticastRows
            && access.kind != RequestKind::SharedAtomic
            && longest.is_some_and(|longest| worst > u32::from(longest));
        let pairs = if pairs { ", two at a time" } else { "" };
        // The end is short where the words need a long description.
        let is_short = !pairs.is_empty() || plan.parts > 1;
        if crowded == 1 && worst == lanes && lanes > 1 {
            let name = if plan.parts > 1 { "64-bit words" } else { name };
            let takes = if is_short {
                ":".to_owned()
            } else {
                format!(": this {noun} takes")
            };
            return format!("{who} access different {name} in bank {bank}{pairs}{takes} {num} wavefronts.");
        }
        if access.kind == RequestKind::SharedAtomic {
            return format!(
                "Atomics of {} serialize in one bank: this {noun} takes {num} wavefronts, not {ideal}.",
                counted(plan.most_serialized(), "lane")
            );
        }
        let shares = access.kind == RequestKind::SharedLoad && (words.len() as u32) < lanes;
        if worst == 1 && shares && plan.groups_that_share().is_some() && !plan.adds_one() {
            // The rule of 1.x.
            return format!(
                "One broadcast word per wavefront: this {noun} takes {num} wavefronts, not {ideal}."
            );
        }
        let name = if worst == 1 && plan.parts == 1 {
            "word"
        } else {
            name
        };
        let words = if crowded == 1 {
            format!("{worst} different {name} in bank {bank}{pairs}")
        } else {
            format!("{worst} {name} in each of {crowded} banks{pairs}")
        };
        let Some(group) = plan.groups_that_share() else {
            let takes = if is_short {
                ":".to_owned()
            } else {
                format!(": this {noun} takes")
            };
            return format!("Lanes access {words}{takes} {num} wavefronts, not {ideal}.");
        };
        if !plan.adds_one() {
            return format!("A {group} accesses {words}: {num} wavefronts, not {ideal}.");
        }
        let words = if crowded == 1 {
            format!("{worst} {name} in bank {bank}")
        } else {
            format!("{crowded} banks, {worst} {name} each")
        };
        return format!(
            "A {group} accesses {words}; {} bits add one: {num} wavefronts, not {ideal}.",
            access.width_bits
        );
    }
    let passes = counted(num, "wavefront");
    if words.len() == 1 && lanes > 1 && access.kind == RequestKind::SharedLoad {
        return format!(
            "{who} read the same word in bank {}: it is broadcast in {passes}.",
            plan.bank(words[0])
        );
    }
    if (words.len() as u32) < lanes && access.width_bits == 32 {
        return format!(
            "{who} access {} without a conflict: {passes}.",
            counted(words.len() as u64, "word")
        );
    }
    if num > 1 && plan.banks < LANES && access.width_bits <= 32 {
        return format!("Each half-warp accesses different banks: {passes}, one per half-warp.");
    }
    if num > 1 {
        return format!(
            "{} bits per lane need {passes}: this {noun} has no conflict.",
            access.width_bits
        );
    }
    let banks = plan.columns_of_pass(0).len();
    if plan.gives_pairs() {
        return format!(
            "{who} access {}, two words at a time: this {noun} takes {passes}.",
            counted(banks as u64, "bank")
        );
    }
    if lanes == 1 {
        return format!(
            "One lane accesses {}: this {noun} takes {passes}.",
            counted(banks as u64, "bank")
        );
    }
    format!("{who} access different banks: this {noun} takes {passes}.")
}

fn lane_count(lanes: u32) -> String {
    capital(&count_word(u64::from(lanes))) + if lanes == 1 { " lane" } else { " lanes" }
}

/// Why a request takes its number of wavefronts. Asterisks enclose the numbers to set bold.
pub fn wavefront_reason(frame: &Frame, row: &AccessRow, access: &Access) -> String {
    let addresses: Vec<u64> = access
        .mask
        .lanes()
        .map(|lane| access.addresses[lane as usize])
        .collect();
    let step = addresses
        .first()
        .zip(addresses.get(1))
        .map(|(first, second)| second.wrapping_sub(*first) as i64)
        .filter(|step| {
            addresses
                .windows(2)
                .all(|pair| pair[1].wrapping_sub(pair[0]) as i64 == *step)
        });
    let mut text = match step {
        Some(0) => "All lanes access the same address. ".to_owned(),
        Some(step) if step % 4 == 0 => {
            format!(
                "Adjacent lanes are *{}* apart. ",
                counted(step.unsigned_abs() / 4, "word")
            )
        }
        Some(step) => format!(
            "Adjacent lanes are *{}* apart. ",
            counted(step.unsigned_abs(), "byte")
        ),
        None => "The lanes' addresses have no common stride. ".to_owned(),
    };
    let (num, ideal) = (u64::from(row.wavefronts), u64::from(row.ideal_wavefronts));
    if row.kind == RequestKind::SharedAtomic && num > ideal {
        text += &format!(
            "Each lane must see the update of the lane before it: *{}*.",
            counted(num, "wavefront")
        );
    } else if num > ideal {
        text += &format!(
            "{}: *{} instead of {ideal}*.",
            bank_layout(frame.banks()),
            counted(num, "wavefront")
        );
    } else {
        let why = conflict_free_reason(&analysis(frame.banks(), access));
        text += &format!("{why}: *{}*.", counted(num, "wavefront"));
    }
    text
}

/// Tooltip of a target in the Banks view.
pub fn banks_tooltip(frame: &Frame, view: &ViewState, target: Target) -> Option<(String, String)> {
    let access = frame.trace().access_detail(shown_access(frame, view)?)?;
    let plan = Plan::of(frame.banks(), &access);
    match target {
        Target::Lane(lane) => {
            let Some(place) = plan.lane(lane.into()) else {
                return Some((format!("Lane {lane}"), "inactive".to_owned()));
            };
            let (word, bank) = (place.address / 4, plan.bank(place.address));
            Some((
                format!("Lane {lane}  0x{:04x}", place.address),
                format!(
                    "word {word}, bank {bank}, served in wavefront {}",
                    wavefronts_text(&place.passes)
                ),
            ))
        }
        Target::Word(offset) => {
            let lanes: Vec<String> = plan
                .lanes
                .iter()
                .filter(|place| {
                    let first = place.address / 4 * 4;
                    (first..first + place.num_words * 4).contains(&offset)
                })
                .map(|place| place.lane.to_string())
                .collect();
            let who = match lanes.as_slice() {
                [] => "no lane accesses the word".to_owned(),
                [lane] => format!("lane {lane} accesses the word"),
                lanes if lanes.len() > 6 => format!("{} lanes access the word", lanes.len()),
                lanes => format!("lanes {} access the word", lanes.join(", ")),
            };
            Some((
                format!("Word at byte 0x{offset:04x}"),
                format!("bank {}; {who}", plan.bank(offset)),
            ))
        }
        Target::Padding(words) => Some((
            format!("Rows padded by {}", counted(words.into(), "word")),
            "click to write the padding into the kernel".to_owned(),
        )),
        _ => None,
    }
}

/// The wavefronts that serve a lane, counted from 1: `12`, or `1, 3`.
pub(super) fn wavefronts_text(passes: &[u16]) -> String {
    let numbers: Vec<String> = passes.iter().map(|pass| (pass + 1).to_string()).collect();
    numbers.join(", ")
}

/// The wavefronts of an access that serve a lane, counted from 1.
pub(in crate::scene) fn wavefronts_of_lane(banks: Banks, access: &Access, lane: u32) -> String {
    Plan::of(banks, access)
        .lane(lane)
        .map_or_else(String::new, |place| wavefronts_text(&place.passes))
}

/// What a wavefront serves: `serves lane 11`, `serves 8 lanes`.
pub(super) fn served_lanes(lanes: &[u32]) -> String {
    match lanes {
        [lane] => format!("serves lane {lane}"),
        lanes => format!("serves {} lanes", lanes.len()),
    }
}

/// How many banks do no work in a wavefront.
pub(super) fn idle_banks(idle: usize) -> String {
    match idle {
        0 => "all banks are busy".to_owned(),
        1 => "1 bank is idle".to_owned(),
        idle => format!("{idle} banks are idle"),
    }
}

/// Title of the small multiples with padded rows. `array` is empty if no declaration is known.
pub(super) fn paddings_title(phone: bool, array: &str) -> String {
    match (phone, array.is_empty()) {
        (true, _) => "With padded rows".to_owned(),
        (false, true) => "The same access with padded rows of 32 words".to_owned(),
        (false, false) => format!("The same access with padded rows of {array}"),
    }
}
