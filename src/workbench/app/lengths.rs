//! One length for a run: the transport, the Findings view, the command line, and the lessons state the same number of cycles.

#![expect(clippy::disallowed_methods, reason = "a test reads the lessons")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::golden::opened;
use crate::lesson::{Lesson, Step};
use crate::scene::thousands;

/// All published lessons with their files.
fn lessons() -> Vec<(String, Lesson)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/lessons");
    let folder = |path: &Path| -> Vec<_> {
        fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect()
    };
    let courses = folder(&root).into_iter().filter(|path| path.is_dir());
    let files = courses.flat_map(|course| folder(&course));
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.display().to_string(), Lesson::read(&text).unwrap())
        })
        .collect()
}

/// The numbers of a text that are stated in cycles: those of its sentences about cycles.
fn lengths(text: &str) -> BTreeSet<u64> {
    let sentences = text
        .split_inclusive(['.', '?', ':', ';'])
        .filter(|sentence| sentence.contains("cycles"));
    let words = sentences.flat_map(|sentence| sentence.split_whitespace());
    words
        .filter_map(|word| {
            let digits: String = word.chars().filter(char::is_ascii_digit).collect();
            let is_number = word
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | ':' | ';'));
            digits.parse().ok().filter(|_| is_number)
        })
        .collect()
}

/// The lengths that a step states. Assumption: smaller numbers of cycles are latencies.
fn told(step: &Step) -> BTreeSet<u64> {
    let ask = step.ask.as_ref();
    let texts = [
        Some(&step.text),
        ask.map(|ask| &ask.right),
        ask.map(|ask| &ask.question),
    ];
    let all = texts.into_iter().flatten().flat_map(|text| lengths(text));
    all.filter(|length| *length >= 100).collect()
}

#[test]
fn a_length_in_a_lesson_is_that_of_the_transport() {
    let mut num = 0;
    for (file, lesson) in lessons() {
        // A lesson without lengths needs no runs.
        if !lesson.steps.iter().any(|step| !told(step).is_empty()) {
            continue;
        }
        let links = lesson.steps.iter().flat_map(|step| {
            let other = step.ask.as_ref().and_then(|ask| ask.other.as_deref());
            [Some(step.link.as_str()), other]
        });
        let links: BTreeSet<&str> = links.flatten().collect();
        // The number that the transport shows, and the number of cycles with a resident block, which is another one.
        let mut shown = BTreeSet::new();
        let mut active = BTreeSet::new();
        for link in links {
            let session = opened(link);
            let trace = session.derived().trace().unwrap();
            shown.insert(trace.num_cycles());
            active.insert(trace.active_cycles());
        }
        for step in &lesson.steps {
            for length in told(step) {
                assert!(
                    !active.contains(&length) || shown.contains(&length),
                    "{file}, {}: {length} cycles with a resident block; the run takes {}",
                    step.title,
                    thousands(length + 1)
                );
                num += u32::from(shown.contains(&length));
            }
        }
    }
    assert!(num > 30, "lessons tell lengths: {num}");
}

#[test]
fn the_transport_the_findings_and_the_counters_of_a_side_tell_one_length() {
    for link in [
        "v1;kernel=mixed-math;arch=gp100;view=findings",
        "v1;kernel=transpose-tiled;arch=tu102;view=findings",
    ] {
        let session = opened(link);
        let cycles = session.derived().trace().unwrap().num_cycles();
        assert_eq!(session.cycle_note(), format!("of {} cycles", thousands(cycles)));
        assert_eq!(session.advice().unwrap().cycles, cycles);
    }
    let session = opened("v1;kernel=mixed-math;arch=gp100;compare=gv100;view=sm");
    for (idx, side) in session.sides.iter().enumerate() {
        let cycles = side.derived.trace().unwrap().num_cycles();
        let state = session.side_head(idx).state;
        assert!(
            state.ends_with(&format!("{} cycles in all", thousands(cycles))),
            "{state}"
        );
    }
}
