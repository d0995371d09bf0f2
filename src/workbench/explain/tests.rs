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

/// The schedulers, pipes, and started blocks of a run at a cycle.
fn parts(frame: &Frame) -> Vec<Part> {
    let schedulers = frame.record().num_schedulers() as u8;
    let mut parts: Vec<Part> = (0..schedulers).map(Part::Scheduler).collect();
    for scheduler in (0..schedulers).chain([u8::MAX]) {
        parts.extend((0..frame.arch().pipes.len() as u8).map(|pipe| Part::Pipe(scheduler, pipe)));
    }
    parts.extend(
        frame
            .record()
            .blocks()
            .iter()
            .map(|span| Part::Block(span.block.0)),
    );
    parts.retain(|part| crate::scene::has_part(frame, *part));
    parts
}

#[test]
fn every_part_has_facts_and_answers_of_at_most_two_sentences() {
    let mut questions = BTreeSet::new();
    for link in RUNS {
        let session = opened(link);
        let trace = trace(&session);
        for cycle in (0..trace.num_cycles()).step_by((trace.num_cycles() / 40).max(1) as usize) {
            let frame = trace.frame(Cycle(cycle));
            for part in parts(&frame) {
                let at = format!("{link}, cycle {cycle}, {}", part.id());
                let found = explain(&frame, Subject::Part(part), MAX_LEVELS);
                assert!((1..=3).contains(&found.answers.len()), "{at}");
                assert!(!found.more, "{at}");
                for answer in &found.answers {
                    let text = answer.plain();
                    assert!(answer.question.ends_with('?'), "{at}: {}", answer.question);
                    assert!(text.ends_with('.') && sentences(&text) <= 2, "{at}: {text}");
                    assert!(!text.contains(['~', '*', '[', ']']), "{at}: {text}");
                    assert!(text.starts_with(|c: char| !c.is_lowercase()), "{at}: {text}");
                }
                let shallow = explain(&frame, Subject::Part(part), 1);
                assert_eq!(shallow.answers[..], found.answers[..1], "{at}");
                assert_eq!(shallow.more, found.answers.len() > 1, "{at}");
                let first: Vec<&str> = found.answers[0].question.split(' ').take(3).collect();
                questions.insert(first[..3].join(" "));
                let facts = crate::scene::inspect_part(&frame, part);
                assert!(
                    facts.is_some_and(|facts| facts.state.is_some() && !facts.why.is_empty()),
                    "{at}"
                );
            }
        }
    }
    assert_eq!(
        questions.into_iter().collect::<Vec<_>>(),
        ["Why does scheduler", "Why is block", "Why is the"]
    );
}

/// The explanation of a scheduler agrees with the issues that the run recorded.
#[test]
fn a_scheduler_issues_exactly_when_the_record_has_an_issue() {
    let mut seen = BTreeSet::new();
    for link in [RUNS[0], RUNS[3], RUNS[6]] {
        let session = opened(link);
        let trace = trace(&session);
        for cycle in (0..trace.num_cycles()).step_by(7) {
            let frame = trace.frame(Cycle(cycle));
            for scheduler in 0..frame.record().num_schedulers() as u8 {
                let found = explain(&frame, Subject::Part(Part::Scheduler(scheduler)), 1);
                let issues = frame
                    .record()
                    .issues_at(Cycle(cycle))
                    .any(|row| row.scheduler == scheduler);
                let says = !found.answers[0].question.ends_with("issue nothing?");
                assert_eq!(says, issues, "{link}, cycle {cycle}, scheduler {scheduler}");
                seen.insert(says);
            }
        }
    }
    assert_eq!(seen.len(), 2);
}

#[test]
fn parts_that_the_sm_lacks_are_not_explained() {
    let session = opened(RUNS[0]);
    let frame = trace(&session).frame(Cycle(100));
    for part in [
        Part::Scheduler(9),
        Part::Pipe(0, 200),
        Part::Pipe(9, 0),
        Part::Block(4_000),
    ] {
        assert!(
            crate::scene::inspect_part(&frame, part).is_none(),
            "{}",
            part.id()
        );
    }
}
