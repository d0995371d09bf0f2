//! Inputs of strangers: the targets of `fuzz/`, with the seeds of the repository and a fixed number of mutations of each.
//! `MUTATIONS=1000000 SEED=2 cargo test --release --test hostile` runs others.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test reads its seeds from files, and limits the time of an input"
)]

#[expect(unreachable_pub, reason = "a library in `fuzz/`")]
#[path = "../fuzz/targets.rs"]
mod targets;

use std::path::Path;
use std::time::{Duration, Instant};

/// Mutations of each target. Assumption: under a minute in a debug build.
const NUM_MUTATIONS: u64 = 1_000;
/// A generous limit for one input of at most [`MAX_INPUT`] bytes: all work is linear.
const MAX_TIME: Duration = Duration::from_mins(2);
/// Size limit of a mutated input in bytes.
const MAX_INPUT: usize = 64 * 1024;

/// Pieces that formats nest, divide, or escape with.
const PIECES: [&str; 24] = [
    ";",
    "=",
    "%",
    "%25",
    "%3B",
    ":",
    "/",
    ",",
    "~",
    "x4294967295",
    "18446744073709551615",
    "-1",
    "NaN",
    "1e308",
    "@1",
    "c1.",
    "2.",
    "[",
    "{",
    "(",
    "\"\"\"",
    "'",
    "\0",
    "\u{fffd}",
];

/// Steele, Lea, and Flood, "Fast splittable pseudorandom number generators" (2014): `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, num: usize) -> usize {
        (self.next() % num.max(1) as u64) as usize
    }

    /// Changes an input in one to four places.
    fn mutate(&mut self, data: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        for _ in 0..=self.below(4) {
            let at = self.below(data.len() + 1);
            let end = (at + self.below(24)).min(data.len());
            match self.below(7) {
                0 if at < data.len() => data[at] ^= 1 << self.below(8),
                1 => drop(data.drain(at..end)),
                2 => drop(data.splice(at..at, PIECES[self.below(PIECES.len())].bytes())),
                3 => {
                    // Repeats a piece, up to thousands of times.
                    let piece = data[at..end].to_vec();
                    let num = 1 << self.below(13);
                    drop(data.splice(end..end, piece.repeat(num)));
                }
                4 => {
                    let other = &seeds[self.below(seeds.len())];
                    let from = self.below(other.len() + 1);
                    let to = (from + self.below(400)).min(other.len());
                    drop(data.splice(at..end, other[from..to].iter().copied()));
                }
                5 => data.truncate(at),
                _ => data.insert(at, self.below(256) as u8),
            }
            data.truncate(MAX_INPUT);
        }
    }
}

fn check(name: &str) {
    let target = targets::TARGETS
        .into_iter()
        .find(|target| target.name == name)
        .expect("a target with seeds");
    let seeds = targets::seeds(Path::new(env!("CARGO_MANIFEST_DIR")), name).expect("a target with seeds");
    assert!(!seeds.is_empty());
    let run = |what: &str, data: &[u8]| {
        let start = Instant::now();
        (target.run)(data);
        let took = start.elapsed();
        assert!(
            took < MAX_TIME,
            "{what} took {took:?}: {:?}",
            String::from_utf8_lossy(&data[..data.len().min(300)])
        );
    };
    for (name, data) in &seeds {
        run(name, data);
    }
    let seeds: Vec<Vec<u8>> = seeds.into_values().collect();
    let number_of = |variable: &str| std::env::var(variable).ok()?.parse::<u64>().ok();
    let num_mutations = number_of("MUTATIONS").unwrap_or(NUM_MUTATIONS);
    let mut random = Random(number_of("SEED").unwrap_or(1));
    for number in 0..num_mutations {
        let mut data = seeds[random.below(seeds.len())].clone();
        data.truncate(MAX_INPUT);
        random.mutate(&mut data, &seeds);
        run(&format!("mutation {number}"), &data);
    }
}

#[test]
fn hostile_links_have_no_effect() {
    check("link");
}

#[test]
fn hostile_lessons_and_lectures_have_no_effect() {
    check("lesson");
}

#[test]
fn hostile_archives_have_no_effect() {
    check("zip");
}

#[test]
fn hostile_api_arguments_have_no_effect() {
    check("api");
}
