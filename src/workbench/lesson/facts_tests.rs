//! Statements of lessons, lectures, and terms about a chip, against the numbers of the chip: “GF100 has 48 warp slots and 8 block
//! slots”.

use std::path::Path;

use super::published_tests::published;
use super::*;
use crate::glossary::terms;
use crate::lecture::LectureFile;
use engine::arch::{ArchId, Architecture, OpClass, PipeKind, architecture};

/// What a statement counts, as its first words, and its number on an architecture; for the whole chip or for one SM.
type Noun = (&'static str, fn(&Architecture, bool) -> f64);

const NOUNS: [Noun; 15] = [
    ("sms", |arch, _| arch.chip.num_sms.value.into()),
    ("warp slots", |arch, _| {
        arch.occupancy.max_warps_per_sm.value.into()
    }),
    ("block slots", |arch, _| {
        arch.occupancy.max_blocks_per_sm.value.into()
    }),
    ("registers", |arch, _| {
        arch.occupancy.registers_per_sm.value.into()
    }),
    ("banks", |arch, _| arch.memory.shared.banks.value.into()),
    ("warp schedulers", |arch, _| arch.issue.schedulers.value.into()),
    ("copy engine", |arch, _| arch.host().copy_engines.value.into()),
    ("copy engines", |arch, _| arch.host().copy_engines.value.into()),
    ("hardware work queues", |arch, _| {
        arch.host().work_queues.value.into()
    }),
    ("fp32 lanes", |arch, is_part| lanes(arch, PipeKind::Fp32, is_part)),
    ("fp32 cores", |arch, is_part| lanes(arch, PipeKind::Fp32, is_part)),
    ("int32 lanes", |arch, is_part| {
        lanes(arch, PipeKind::Int32, is_part)
    }),
    ("int32 cores", |arch, is_part| {
        lanes(arch, PipeKind::Int32, is_part)
    }),
    ("fp64 cores", |arch, is_part| lanes(arch, PipeKind::Fp64, is_part)),
    ("gb/s", |arch, _| arch.chip.dram_gb_per_s.value),
];

/// Numbers that the texts write as words.
const NUMBER_WORDS: [&str; 9] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight",
];

/// The lanes of a kind in an SM, or in the part of a scheduler.
fn lanes(arch: &Architecture, kind: PipeKind, is_part: bool) -> f64 {
    let Some(pipe) = arch.pipe(kind) else { return 0.0 };
    let all = f64::from(arch.num_units(kind)) * f64::from(pipe.lanes.value);
    let parts = if is_part { arch.issue.schedulers.value } else { 1 };
    all / f64::from(parts)
}

/// A statement: the chip has this many of something.
struct Statement {
    chip: ArchId,
    number: f64,
    noun: usize,
    /// Whether the statement is about the part of one scheduler.
    is_part: bool,
}

/// The words of a sentence in lower case, without the punctuation around them.
fn words(sentence: &str) -> Vec<String> {
    let trimmed = |word: &str| {
        word.trim_matches(|letter: char| !letter.is_alphanumeric())
            .to_lowercase()
    };
    sentence
        .split_whitespace()
        .map(trimmed)
        .filter(|word| !word.is_empty())
        .collect()
}

fn number_of(word: &str) -> Option<f64> {
    let written = NUMBER_WORDS.iter().position(|number| *number == word);
    written
        .map(|value| value as f64)
        .or_else(|| word.replace(',', "").parse().ok())
}

/// The statements of a sentence after “CHIP has”, and “the peak of CHIP is”.
fn statements(sentence: &str) -> Vec<Statement> {
    let words = words(sentence);
    let is_part = words.iter().any(|word| word == "scheduler");
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let Some(chip) = ArchId::ALL.into_iter().find(|id| id.text() == pair[0]) else {
            continue;
        };
        let is_peak =
            pair[1] == "is" && at > 0 && words[at - 1] == "of" && words.contains(&"peak".to_owned());
        if pair[1] != "has" && !is_peak {
            continue;
        }
        let mut next = at + 2;
        while let Some(word) = words.get(next) {
            if ["only", "and", "or", "per", "sm", "gddr5x", "hbm2", "with"].contains(&word.as_str()) {
                next += 1;
                continue;
            }
            let Some(number) = number_of(word) else { break };
            let rest = words[next + 1..].join(" ");
            let noun = NOUNS.iter().position(|(noun, _)| {
                rest.strip_prefix(noun)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            });
            let Some(noun) = noun else { break };
            found.push(Statement {
                chip,
                number,
                noun,
                is_part,
            });
            next += 1 + NOUNS[noun].0.split(' ').count();
        }
    }
    found
}

/// All texts of lessons, lectures, and terms, with their places.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for (path, text) in published() {
        let lesson = Lesson::read(&text).unwrap();
        let place = |idx: usize| format!("{} step {}", path.display(), idx + 1);
        texts.push((path.display().to_string(), lesson.summary.clone()));
        for (idx, step) in lesson.steps.iter().enumerate() {
            texts.push((place(idx), step.text.clone()));
            let Some(ask) = &step.ask else { continue };
            let parts = [&ask.question, &ask.hint, &ask.right, &ask.otherwise];
            let reasons = ask.wrong.iter().map(|wrong| &wrong.reason);
            texts.extend(
                parts
                    .into_iter()
                    .chain(reasons)
                    .map(|text| (place(idx), text.clone())),
            );
        }
    }
    for lecture in crate::lecture::PUBLISHED {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/lectures");
        let text = std::fs::read_to_string(folder.join(format!("{}.toml", lecture.id))).unwrap();
        let chapters = LectureFile::read(&text).unwrap().chapters();
        let notes = chapters.into_iter().map(|chapter| chapter.text);
        texts.extend(notes.map(|text| (format!("lecture {}", lecture.id), text)));
    }
    texts.extend(terms().map(|term| (format!("term {}", term.id), term.text.to_owned())));
    texts
}

#[test]
fn statements_about_chips_agree_with_the_numbers_of_the_chips() {
    let (mut num, mut faults) = (0, Vec::new());
    for (place, text) in texts() {
        for sentence in text.split_inclusive(['.', '?', ';']) {
            for Statement {
                chip,
                number,
                noun,
                is_part,
            } in statements(sentence)
            {
                num += 1;
                let (name, value) = NOUNS[noun];
                let value = value(architecture(chip), is_part);
                if (value - number).abs() > 0.5 {
                    faults.push(format!(
                        "{place}: {} has {value} {name}, not {number}: {sentence}",
                        chip.text()
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(num >= 35, "{num} statements");
}

#[test]
fn statements_are_read_with_their_units() {
    let read = |sentence: &str| {
        let found = statements(sentence);
        found
            .into_iter()
            .map(|found| {
                (
                    found.chip.text(),
                    found.number,
                    NOUNS[found.noun].0,
                    found.is_part,
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        read("GT200 has 32 warp slots and 8 block slots per SM."),
        [
            ("gt200", 32.0, "warp slots", false),
            ("gt200", 8.0, "block slots", false)
        ]
    );
    assert_eq!(
        read("A scheduler of GP104 has 32 FP32 lanes."),
        [("gp104", 32.0, "fp32 lanes", true)]
    );
    assert_eq!(
        read("The peak of GV100 is 900 GB/s: 23 % more."),
        [("gv100", 900.0, "gb/s", false)]
    );
    assert_eq!(read("GF100 has no idle SM."), []);
}

/// The term states the latency of shared memory on all chips together.
#[test]
fn the_latency_of_shared_memory_is_that_of_the_chips() {
    let term = terms().find(|term| term.id == "shared-memory").unwrap();
    let latencies: Vec<u16> = ArchId::ALL
        .into_iter()
        .filter_map(|id| Some(architecture(id).cost(OpClass::Shared)?.latency_cycles.value))
        .collect();
    let (least, most) = (latencies.iter().min().unwrap(), latencies.iter().max().unwrap());
    let stated = format!("its latency is {least} to {most} cycles");
    assert!(term.text.contains(&stated), "{stated}: {}", term.text);
}

/// A chip whose L1 is as near as shared memory would have equal latencies.
#[test]
fn no_text_calls_l1_as_near_as_shared_memory() {
    let differs = |id: ArchId| {
        let arch = architecture(id);
        let (Some(l1), Some(cost)) = (&arch.memory.l1, arch.cost(OpClass::Shared)) else {
            return true;
        };
        l1.hit_latency_cycles.value > cost.latency_cycles.value
    };
    assert!(differs(ArchId::Gv100) && differs(ArchId::Tu102));
    for (place, text) in texts() {
        assert!(!text.contains("as near as"), "{place}: {text}");
    }
}
