//! The sentences of the Compare view.

use std::cmp::Ordering;

use super::{CauseState, ComparedSide, Comparison};
use crate::advice::times_text;
use crate::words::{fit_headline, thousands};

/// The end of a side's run.
pub(super) fn finished_after(cycles: u64) -> String {
    format!("finished after {} cycles", thousands(cycles))
}

/// The source of a counter: its name in Nsight Compute, or that it has none.
pub(super) fn counter_source(name: &str) -> String {
    if name.starts_with("warpscope__") {
        "not among Nsight Compute's metrics".to_owned()
    } else {
        format!("in Nsight Compute: {name}")
    }
}

/// What a change of the setup has brought, for sides of one chip whose runs have finished.
fn gain(comparison: &Comparison) -> Option<String> {
    let sides = &comparison.sides;
    let arch = sides.first()?.arch;
    if sides.iter().any(|side| !side.ended || side.arch != arch) {
        return None;
    }
    let cycles = |side: &ComparedSide| side.cycle.1;
    if let [before, after] = sides.as_slice() {
        let (from, to) = (cycles(before), cycles(after));
        let both = format!("{}: {} to {} cycles", after.name, thousands(from), thousands(to));
        return Some(match to.cmp(&from) {
            Ordering::Equal => format!("{}: {} cycles, as before.", after.name, thousands(to)),
            Ordering::Less => format!("{both}, {} times faster.", times_text(from, to)),
            Ordering::Greater => format!("{both}, {} times slower.", times_text(to, from)),
        });
    }
    let fast = sides.iter().min_by_key(|side| cycles(side))?;
    let slow = sides.iter().max_by_key(|side| cycles(side))?;
    (cycles(fast) < cycles(slow)).then(|| {
        format!(
            "{}: {} cycles, {} times faster than {}.",
            fast.name,
            thousands(cycles(fast)),
            times_text(cycles(slow), cycles(fast)),
            slow.name
        )
    })
}

/// The headline: the cause of the difference, what a change has brought, the side that leads, or how long the sides took.
pub(super) fn headline(comparison: &Comparison) -> String {
    let sides = &comparison.sides;
    if sides.len() < 2 {
        return "Only one run: add a side to compare.".to_owned();
    }
    if let CauseState::Known { account, .. } = &comparison.cause {
        return fit_headline(account.headline.clone());
    }
    if let Some(gain) = gain(comparison) {
        return fit_headline(gain);
    }
    let running: Vec<&ComparedSide> = sides.iter().filter(|side| side.issued.1 > 0).collect();
    let by_share = |one: &&&ComparedSide, other: &&&ComparedSide| one.share().total_cmp(&other.share());
    let (Some(first), Some(last)) = (running.iter().max_by(by_share), running.iter().min_by(by_share)) else {
        return "No side has a run yet.".to_owned();
    };
    let finished: Vec<&&ComparedSide> = running.iter().filter(|side| side.is_finished()).collect();
    fit_headline(if finished.len() == running.len() {
        let quick = running.iter().min_by_key(|side| side.end);
        let slow = running.iter().max_by_key(|side| side.end);
        match (quick, slow) {
            (Some(quick), Some(slow)) if quick.end < slow.end => format!(
                "{} finishes first; {} takes {:.2} times as long.",
                quick.name,
                slow.name,
                slow.end as f64 / quick.end.max(1) as f64
            ),
            _ => "All sides finish at the same time.".to_owned(),
        }
    } else if let Some(done) = finished.first() {
        format!(
            "{} has finished; {} has done {} of its work.",
            done.name,
            last.name,
            last.percent()
        )
    } else if first.percent() == last.percent() {
        format!(
            "All sides have issued {} of their warp instructions.",
            first.percent()
        )
    } else {
        format!(
            "{} leads with {} of its work; {} has done {}.",
            first.name,
            first.percent(),
            last.name,
            last.percent()
        )
    })
}
