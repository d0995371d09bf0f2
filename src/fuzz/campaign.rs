//! Fuzzing campaigns: compares many programs with an oracle on several threads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use warpscope_fuzz::check::{Failure, Setup, check, silence_panics};
use warpscope_fuzz::cxx::Oracle;
use warpscope_fuzz::interpreter::check_all;
use warpscope_fuzz::shrink::shrink;
use warpscope_fuzz::{Program, generate};

use super::{Arguments, OracleKind};

/// The stack size of a thread in bytes; programs and compiler passes are recursive.
const STACK: usize = 64 << 20;

/// A program that fails or has no expected outputs.
struct Finding {
    program: Program,
    /// The oracle cannot determine the outputs, for this reason.
    unknown: Option<String>,
    failures: Vec<(Setup, Failure)>,
}

/// The results of a batch.
#[derive(Default)]
struct Batch {
    num: u64,
    counts: BTreeMap<&'static str, u64>,
    findings: Vec<Finding>,
    seconds: [f64; 3],
}

/// The results of all batches.
#[derive(Default)]
struct Totals {
    num: u64,
    counts: BTreeMap<&'static str, u64>,
    /// The number of programs per kind of failure.
    kinds: Vec<(Failure, usize)>,
    unknown: u64,
    seconds: [f64; 3],
}

/// Checks all programs and reports failures in seed order.
#[expect(clippy::disallowed_methods, reason = "programs are independent of each other")]
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    silence_panics();
    let end = arguments.seed + arguments.programs;
    let start = Instant::now();
    let next = AtomicU64::new(arguments.seed);
    let (sender, receiver) = mpsc::channel();
    let work = || {
        let sender = sender.clone();
        let mut oracle = arguments.oracle();
        loop {
            let first = next.fetch_add(arguments.batch, Ordering::Relaxed);
            if first >= end {
                return;
            }
            let seeds = first..(first + arguments.batch).min(end);
            if sender
                .send((first, batch(arguments, seeds, &mut *oracle)))
                .is_err()
            {
                return;
            }
        }
    };
    let mut totals = Totals::default();
    thread::scope(|scope| {
        for _ in 0..arguments.threads {
            let builder = thread::Builder::new().stack_size(STACK);
            builder
                .spawn_scoped(scope, work)
                .map_err(|error| error.to_string())?;
        }
        let mut oracle = arguments.oracle();
        let mut done: BTreeMap<u64, Batch> = BTreeMap::new();
        let mut first = arguments.seed;
        while first < end {
            let (at, batch) = receiver.recv().map_err(|error| error.to_string())?;
            done.insert(at, batch);
            while let Some(batch) = done.remove(&first) {
                first += arguments.batch;
                totals.add(&batch);
                for finding in &batch.findings {
                    totals.report(arguments, &mut *oracle, finding)?;
                }
                println!("{}", totals.text(start.elapsed().as_secs_f64()));
            }
        }
        Ok::<(), String>(())
    })?;
    if !totals.kinds.is_empty() {
        println!("programs by failure:");
        for (failure, count) in &totals.kinds {
            println!("{count:6} {failure:?}");
        }
    }
    match (totals.kinds.len(), totals.unknown) {
        (0, 0) => Ok(()),
        (0, unknown) => Err(format!("{unknown} programs have no defined output")),
        _ => Err("some programs failed".to_owned()),
    }
}

/// Generates and checks programs.
fn batch(arguments: &Arguments, seeds: std::ops::Range<u64>, oracle: &mut dyn Oracle) -> Batch {
    let mut out = Batch {
        num: seeds.end - seeds.start,
        ..Batch::default()
    };
    let start = Instant::now();
    let programs: Vec<Program> = seeds.map(|seed| generate(seed, &arguments.settings)).collect();
    out.seconds[0] = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let findings: Vec<Finding> = match arguments.oracle {
        OracleKind::Interpreter => programs
            .into_iter()
            .map(|program| {
                let setups = Setup::some_of(&program, arguments.arch, arguments.num_archs());
                let (unknown, failures) = check_all(&program, &setups);
                out.finding(program, unknown, setups.into_iter().zip(failures))
            })
            .collect(),
        OracleKind::Cxx => {
            let outputs = oracle.outputs(&programs);
            out.seconds[1] = start.elapsed().as_secs_f64();
            programs
                .into_iter()
                .zip(outputs)
                .map(|(program, expected)| {
                    let setups = Setup::some_of(&program, arguments.arch, arguments.num_archs());
                    let expected = match expected {
                        Ok(expected) => expected,
                        Err(unknown) => return out.finding(program, Some(unknown), []),
                    };
                    let failures: Vec<_> = setups
                        .into_iter()
                        .map(|setup| {
                            let failure = check(&program, Some(&expected), &setup);
                            (setup, failure)
                        })
                        .collect();
                    out.finding(program, None, failures)
                })
                .collect()
        }
    };
    out.seconds[2] = start.elapsed().as_secs_f64() - out.seconds[1];
    out.findings = findings;
    out.findings
        .retain(|finding| finding.unknown.is_some() || !finding.failures.is_empty());
    out
}

impl Batch {
    /// Counts the result of a program.
    fn finding(
        &mut self,
        program: Program,
        unknown: Option<String>,
        found: impl IntoIterator<Item = (Setup, Option<Failure>)>,
    ) -> Finding {
        let mut failures = Vec::new();
        for (setup, failure) in found {
            if failure.is_some() || unknown.is_none() {
                let kind = failure.as_ref().map_or("equal", Failure::kind);
                *self.counts.entry(kind).or_default() += 1;
            }
            if let Some(failure) = failure {
                failures.push((setup, failure));
            }
        }
        Finding {
            program,
            unknown,
            failures,
        }
    }
}

impl Totals {
    fn add(&mut self, batch: &Batch) {
        self.num += batch.num;
        for (kind, count) in &batch.counts {
            *self.counts.entry(kind).or_default() += count;
        }
        for (sum, seconds) in self.seconds.iter_mut().zip(batch.seconds) {
            *sum += seconds;
        }
    }

    fn text(&self, elapsed: f64) -> String {
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        let num = self.num as f64;
        let [generated, oracle, checked] = self.seconds.map(|seconds| seconds * 1e3 / num);
        format!(
            "{} programs: {}; {} without an oracle; {:.0} per second ({generated:.1} ms to generate, {oracle:.1} in the oracle, {checked:.1} to check)",
            self.num,
            counts.join(", "),
            self.unknown,
            num / elapsed.max(1e-9)
        )
    }

    fn report(
        &mut self,
        arguments: &Arguments,
        oracle: &mut dyn Oracle,
        finding: &Finding,
    ) -> Result<(), String> {
        let program = &finding.program;
        if let Some(error) = &finding.unknown {
            println!("seed {}: oracle error: {error}", program.seed());
            self.unknown += 1;
        }
        let mut seen: Vec<usize> = Vec::new();
        for (setup, failure) in &finding.failures {
            println!("seed {} {}: {failure:?}", program.seed(), setup.text());
            let known = self.kinds.iter().position(|(known, _)| known.is_like(failure));
            let kind = known.unwrap_or_else(|| {
                self.kinds.push((failure.clone(), 0));
                self.kinds.len() - 1
            });
            if seen.contains(&kind) {
                continue;
            }
            seen.push(kind);
            self.kinds[kind].1 += 1;
            if arguments.shrink && self.kinds[kind].1 <= arguments.most {
                let small = shrink(program, setup, failure, oracle);
                println!("{}", small.source());
                if let Some(folder) = &arguments.keep {
                    keep(folder, program, &small, setup, failure, oracle)?;
                }
            }
        }
        Ok(())
    }
}

/// Writes a failing program and its expected outputs.
fn keep(
    folder: &Path,
    program: &Program,
    small: &Program,
    setup: &Setup,
    failure: &Failure,
    oracle: &mut dyn Oracle,
) -> Result<(), String> {
    let Some(Ok(expected)) = oracle.outputs(std::slice::from_ref(small)).pop() else {
        return Ok(());
    };
    let text = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(text)?;
    let name = format!("{}-{}-{}", failure.kind(), program.seed(), setup.arch);
    let mut source = String::new();
    let _ = writeln!(source, "// {}", small.shape().text());
    let archs: Vec<&str> = Setup::of(program, None)
        .iter()
        .map(|setup| setup.arch.text())
        .collect();
    let _ = writeln!(source, "// {}", archs.join(" "));
    let _ = writeln!(
        source,
        "// seed {}, {}: {failure:?}",
        program.seed(),
        setup.text()
    );
    source += &small.source();
    std::fs::write(folder.join(format!("{name}.cu")), source).map_err(text)?;
    std::fs::write(folder.join(format!("{name}.txt")), expected.text()).map_err(text)?;
    Ok(())
}
