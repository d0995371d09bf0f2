//! How banks share out the words, in words.

use super::plan::Plan;
use crate::scene::lanes::LANES;
use crate::scene::words::{capital, count_word, counted};
use engine::access::SharedAccess;
use engine::arch::{BankRule, Banks};
use engine::ids::LaneMask;
use engine::sim::{Access, RequestKind};

/// When banks come again, and what one gives at a time.
pub(in crate::scene) fn repetition(banks: Banks) -> String {
    let words = banks.row_bytes() / 4;
    let gives = match banks.rule {
        BankRule::WarpMulticastWide => "one word of 64 bits at a time",
        BankRule::WarpMulticastRows => "one word at a time, or words i and i + 32 of 64 aligned ones",
        _ => "one word at a time",
    };
    format!("Every {words} words the banks repeat, and a bank gives {gives}")
}

/// Why an access has no conflict.
pub(in crate::scene) fn freedom(access: &SharedAccess) -> String {
    let masks = access.requests.iter().map(|request| request.lanes);
    let (who, whose) = match (access.ideal_wavefronts(), access.requests.len()) {
        (0 | 1, _) => ("of them".to_owned(), "they need".to_owned()),
        // One request all the same: 128 bits on 2.x.
        (_, 1) => by_groups(QUARTER_WARP),
        _ => by_groups(group_name(masks)),
    };
    match access.banks.rule {
        BankRule::WarpMulticastWide => format!("No two {who} need different 64-bit words of one bank"),
        BankRule::WarpMulticastRows => format!("The words that {whose} of one bank come together"),
        _ => format!("No two {who} need different words of one bank"),
    }
}

fn by_groups(name: &str) -> (String, String) {
    (format!("lanes of a {name}"), format!("a {name} needs"))
}

/// Eight lanes.
pub(super) const QUARTER_WARP: &str = "quarter-warp";

/// What lanes are called that go through the banks together.
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

/// The way from an address to its bank, as rows of facts.
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

fn verb(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::SharedStore => "store",
        RequestKind::SharedAtomic => "atomic",
        _ => "load",
    }
}

/// The one true sentence about this request.
pub(super) fn sentence(plan: &Plan, access: &Access) -> String {
    let (noun, lanes) = (verb(access.kind), access.mask.count());
    let num = plan.passes.len() as u64;
    let ideal = u64::from(access.ideal_wavefronts.max(1));
    let who = if lanes == LANES {
        "All 32 lanes".to_owned()
    } else {
        capital_count(lanes)
    };
    let words = plan.words();
    if lanes == 0 {
        return format!("No lane takes part in this {noun}.");
    }
    if num > ideal {
        let (bank, worst, crowded) = plan.worst_bank();
        let name = if plan.parts > 1 {
            "words of 64 bits"
        } else {
            "words"
        };
        // Two of a bank that come together.
        let longest = plan.groups.iter().map(|group| group.passes).max();
        let pairs = plan.rule == BankRule::WarpMulticastRows
            && access.kind != RequestKind::SharedAtomic
            && longest.is_some_and(|longest| worst > u32::from(longest));
        let pairs = if pairs { ", two at a time" } else { "" };
        // Where much is to be said of the words, the end is short.
        let is_short = !pairs.is_empty() || plan.parts > 1;
        if crowded == 1 && worst == lanes && lanes > 1 {
            let becomes = if is_short {
                ":".to_owned()
            } else {
                format!(", so one {noun} becomes")
            };
            return format!("{who} ask bank {bank} for different {name}{pairs}{becomes} {num} wavefronts.");
        }
        if access.kind == RequestKind::SharedAtomic {
            return format!(
                "Atomics of {} must take turns, so this {noun} takes {num} wavefronts, not {ideal}.",
                counted(plan.worst_turns(), "lane")
            );
        }
        let (asked, words) = if crowded == 1 {
            (format!("bank {bank}"), format!("{worst} different {name}{pairs}"))
        } else {
            (format!("{crowded} banks"), format!("{worst} {name} each{pairs}"))
        };
        let Some(group) = plan.groups_that_share() else {
            let verb = if crowded == 1 { "is" } else { "are" };
            let takes = if is_short {
                ":".to_owned()
            } else {
                format!(", so this {noun} takes")
            };
            return format!(
                "{} {verb} asked for {words}{takes} {num} wavefronts, not {ideal}.",
                capital(&asked)
            );
        };
        let more = if plan.adds_one() {
            format!("; {} bits add one", access.width_bits)
        } else {
            String::new()
        };
        return format!("A {group} asks {asked} for {words}{more}: {num} wavefronts, not {ideal}.");
    }
    let passes = counted(num, "wavefront");
    if words.len() == 1 && lanes > 1 && access.kind == RequestKind::SharedLoad {
        return format!(
            "{who} read one word of bank {}: it is broadcast in {passes}.",
            plan.bank(words[0])
        );
    }
    if (words.len() as u32) < lanes && access.width_bits == 32 {
        return format!(
            "{who} ask for {} without a conflict: {passes}.",
            counted(words.len() as u64, "word")
        );
    }
    if num > 1 && plan.banks < LANES && access.width_bits <= 32 {
        return format!("Each half-warp asks different banks: this {noun} takes {passes}, one a half-warp.");
    }
    if num > 1 {
        return format!(
            "{} bits a lane need {passes}, and this {noun} takes no more.",
            access.width_bits
        );
    }
    let banks = plan.columns_of_pass(0).len();
    if plan.gives_pairs() {
        return format!(
            "{who} ask {}, and words of one come together: this {noun} takes {passes}.",
            counted(banks as u64, "bank")
        );
    }
    format!("{who} ask different banks: this {noun} takes {passes}.")
}

fn capital_count(lanes: u32) -> String {
    capital(&count_word(u64::from(lanes))) + if lanes == 1 { " lane" } else { " lanes" }
}
