//! Explanations of real runs: they hold to the record, and every state of a warp has one.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::app::Session;
use crate::app::golden::opened;
use crate::scene::Target;
use engine::ids::Cycle;
use engine::sim::WarpState;
use engine::trace::Trace;

/// Runs that together show most states.
const RUNS: [&str; 12] = [
    "v1;kernel=transpose-tiled",
    "v1;kernel=transpose-naive;arch=gp104",
    "v1;kernel=transpose-padded;arch=gh100",
    "v1;kernel=reduce-sum;arch=gv100",
    "v1;kernel=transpose-tiled;arch=gf100",
    "v1;kernel=transpose-tiled;arch=gt200",
    "v1;kernel=saxpy;arch=ga100",
    "v1;kernel=histogram",
    "v1;kernel=matmul-tiled;arch=gk110",
    "v1;kernel=divergence",
    "v1;kernel=stream-float4;arch=gh100",
    "v1;kernel=spin-lock",
];

fn trace(session: &Session) -> &Trace {
    session.derived().trace().expect("a run")
}

fn sentences(text: &str) -> usize {
    text.trim_end_matches('.').split(". ").count()
}

/// Calls a check with many frames of the runs, and each warp's explanation.
fn each(mut check: impl FnMut(&str, &Frame, SlotIdx, &Explanation)) {
    for link in RUNS {
        let session = opened(link);
        let trace = trace(&session);
        let step = (trace.num_cycles() / 60).max(1);
        for cycle in (0..trace.num_cycles()).step_by(step as usize) {
            let frame = trace.frame(Cycle(cycle));
            for slot in (0..trace.num_slots() as u16).map(SlotIdx) {
                let found = explain(&frame, Subject::Warp(slot), MAX_LEVELS);
                check(link, &frame, slot, &found);
            }
        }
    }
}

#[test]
fn every_warp_has_an_answer_of_at_most_two_sentences_at_every_level() {
    let mut depth: BTreeMap<WarpState, BTreeSet<usize>> = BTreeMap::new();
    each(|link, frame, slot, found| {
        let at = format!("{link}, cycle {}, slot {}", frame.cycle().0, slot.0);
        assert!((1..=3).contains(&found.answers.len()), "{at}");
        assert!(!found.more, "{at}");
        for answer in &found.answers {
            let text = answer.plain();
            assert!(answer.question.ends_with('?'), "{at}: {}", answer.question);
            assert!(
                text.ends_with('.') && !text.contains(['~', '*', '[', ']']),
                "{at}: {text}"
            );
            assert!(sentences(&text) <= 2, "{at}: {text}");
            assert!(
                text.starts_with(|first: char| !first.is_lowercase()),
                "{at}: {text}"
            );
        }
        depth
            .entry(frame.state(slot))
            .or_default()
            .insert(found.answers.len());
    });
    for state in [
        WarpState::Wait,
        WarpState::LongScoreboard,
        WarpState::ShortScoreboard,
        WarpState::MioThrottle,
        WarpState::LgThrottle,
        WarpState::Barrier,
        WarpState::MathPipeThrottle,
        WarpState::Empty,
    ] {
        let levels = depth.get(&state).and_then(|levels| levels.last());
        assert_eq!(levels, Some(&3), "{state:?} of {depth:?}");
    }
    for state in [
        WarpState::Selected,
        WarpState::NotSelected,
        WarpState::BranchResolving,
        WarpState::Drain,
    ] {
        let levels = depth.get(&state).and_then(|levels| levels.last());
        assert!(
            levels.is_some_and(|levels| *levels >= 2),
            "{state:?} of {depth:?}"
        );
    }
}

#[test]
fn a_shallow_explanation_is_the_beginning_of_a_deep_one() {
    let session = opened(RUNS[0]);
    let trace = trace(&session);
    for cycle in (0..trace.num_cycles()).step_by(97) {
        let frame = trace.frame(Cycle(cycle));
        for slot in (0..trace.num_slots() as u16).map(SlotIdx) {
            let deep = explain(&frame, Subject::Warp(slot), 3);
            for depth in 1..3 {
                let shallow = explain(&frame, Subject::Warp(slot), depth);
                let num = usize::from(depth).min(deep.answers.len());
                assert_eq!(shallow.answers, deep.answers[..num]);
                assert_eq!(
                    shallow.more,
                    deep.answers.len() > num,
                    "cycle {cycle}, slot {}",
                    slot.0
                );
            }
        }
    }
}

#[test]
fn places_exist_in_the_run() {
    each(|link, frame, _, found| {
        let record = frame.record();
        for place in found
            .answers
            .iter()
            .flat_map(|answer| answer.text.iter().filter_map(|piece| piece.place))
        {
            let exists = match place {
                Place::Code(pc) => frame.instruction(Pc(pc)).is_some(),
                // A result can be ready after the last cycle.
                Place::Cycle(cycle) => cycle <= record.num_cycles() + 10_000,
                Place::Warp(slot) => usize::from(slot) < record.num_slots(),
                Place::WarpAt(slot, cycle) => record.run_at(SlotIdx(slot), Cycle(cycle)).is_some(),
                Place::Request(idx) => record.access(idx).is_some(),
                Place::Unit(Target::Pipe { pipe, .. }) => usize::from(pipe) < frame.arch().pipes.len(),
                Place::Unit(_) | Place::Occupancy => true,
            };
            assert!(exists, "{link}: {place:?}");
        }
    });
}

#[test]
fn sources_of_numbers_are_cited() {
    each(|link, frame, slot, found| {
        for source in &found.sources {
            assert!(!source.source.is_empty(), "{link}, {}: {source:?}", slot.0);
        }
        if frame.state(slot) == WarpState::LongScoreboard && found.answers.len() > 1 {
            assert!(!found.sources.is_empty(), "{link}");
        }
    });
}
