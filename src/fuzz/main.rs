//! Random programs, from the command line: `fuzz --programs N --seed S`.
#![allow(clippy::print_stdout, reason = "what a command line is for")]
#![allow(clippy::disallowed_methods, reason = "failing programs are kept in files")]
#![allow(clippy::disallowed_types, reason = "progress is told with its time")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use warpscope_engine::arch::ArchId;
use warpscope_fuzz::check::{Failure, Setup, check, check_source, silence_panics};
use warpscope_fuzz::cxx::{Cxx, Oracle};
use warpscope_fuzz::shrink::shrink;
use warpscope_fuzz::{Program, Settings, generate, kept};

const USAGE: &str = "fuzz [show|validate|replay] [--programs N] [--seed S] [--size N] [--goto] [--oracle cxx]
     [--arch ID] [--batch N] [--shrink] [--most N] [--keep DIR]

  show       prints the program of the seed
  validate   compares g++ -O0, -O1 and the sanitizers: where they differ, the generator is wrong
  replay     runs the programs of --keep again, and compares them with the outputs there
  --shrink   makes the failing programs smaller, --most of each kind (3)
  --keep     writes the failing programs and their outputs to a folder";

struct Arguments {
    verb: String,
    programs: u64,
    seed: u64,
    settings: Settings,
    arch: Option<ArchId>,
    batch: u64,
    shrink: bool,
    most: usize,
    keep: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        verb: "run".to_owned(),
        programs: 1000,
        seed: 0,
        settings: Settings::default(),
        arch: None,
        batch: 300,
        shrink: false,
        most: 3,
        keep: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
        match word.as_str() {
            "show" | "validate" | "replay" => out.verb = word,
            "--programs" => out.programs = number(value()?)?,
            "--seed" => out.seed = number(value()?)?,
            "--size" => out.settings.size = number(value()?)? as usize,
            "--batch" => out.batch = number(value()?)?.max(1),
            "--most" => out.most = number(value()?)? as usize,
            "--goto" => out.settings.goto = true,
            "--shrink" => out.shrink = true,
            "--keep" => out.keep = Some(PathBuf::from(value()?)),
            "--arch" => out.arch = Some(value()?.parse().map_err(|error| format!("{error}"))?),
            "--oracle" => match value()?.as_str() {
                "cxx" => {}
                other => return Err(format!("no oracle is called `{other}`; there is cxx")),
            },
            _ => return Err(format!("`{word}` is unknown\n\n{USAGE}")),
        }
    }
    Ok(out)
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| match arguments.verb.as_str() {
        "show" => {
            println!("{}", generate(arguments.seed, &arguments.settings).source());
            Ok(())
        }
        "validate" => validate(&arguments),
        "replay" => replay(&arguments),
        _ => run(&arguments),
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The programs of a batch that starts at this seed.
fn batch(arguments: &Arguments, first: u64) -> Vec<Program> {
    let end = (first + arguments.batch).min(arguments.seed + arguments.programs);
    (first..end)
        .map(|seed| generate(seed, &arguments.settings))
        .collect()
}

fn first_seeds(arguments: &Arguments) -> impl Iterator<Item = u64> + use<> {
    (arguments.seed..arguments.seed + arguments.programs).step_by(arguments.batch as usize)
}

fn validate(arguments: &Arguments) -> Result<(), String> {
    let sanitized = [
        "-O1",
        "-fsanitize=undefined,float-cast-overflow",
        "-fno-wrapv",
        "-fno-sanitize=alignment,object-size,vptr,null",
    ];
    let mut oracles = [Cxx::new(&["-O0"]), Cxx::new(&["-O1"]), Cxx::new(&sanitized)];
    let mut wrong = 0;
    for first in first_seeds(arguments) {
        let programs = batch(arguments, first);
        let [plain, optimized, sanitized] = oracles.each_mut().map(|oracle| oracle.outputs(&programs));
        for (idx, program) in programs.iter().enumerate() {
            let all = [&plain[idx], &optimized[idx], &sanitized[idx]];
            let errors: Vec<&String> = all.iter().filter_map(|found| found.as_ref().err()).collect();
            if !errors.is_empty() || all[0] != all[1] || all[1] != all[2] {
                wrong += 1;
                println!("seed {}: {errors:?}", program.seed());
            }
        }
        println!("up to seed {}: {wrong} wrong", first + arguments.batch);
    }
    if wrong == 0 {
        Ok(())
    } else {
        Err(format!("{wrong} programs are not defined"))
    }
}

fn replay(arguments: &Arguments) -> Result<(), String> {
    silence_panics();
    let folder = arguments.keep.as_ref().ok_or("replay needs --keep")?;
    let mut failed = 0;
    let cases = kept::load(folder)?;
    for case in &cases {
        for setup in case
            .setups
            .iter()
            .filter(|setup| arguments.arch.is_none_or(|arch| arch == setup.arch))
        {
            if let Some(failure) = check_source(&case.source, &case.shape, &case.expected, setup) {
                failed += 1;
                println!("{} {}: {failure:?}", case.name, setup.text());
            }
        }
    }
    println!("{} programs, {failed} failures", cases.len());
    if failed == 0 {
        Ok(())
    } else {
        Err("there are failures".to_owned())
    }
}

#[derive(Default)]
struct Totals {
    counts: BTreeMap<&'static str, u64>,
    /// Failures by what they have in common, with the number of programs that have them and the last one's seed.
    kinds: Vec<(Failure, usize, u64)>,
    unknown: u64,
}

fn run(arguments: &Arguments) -> Result<(), String> {
    silence_panics();
    let mut oracle = Cxx::new(&["-O1"]);
    let mut totals = Totals::default();
    let mut seconds = [0.0; 3];
    for first in first_seeds(arguments) {
        let start = Instant::now();
        let programs = batch(arguments, first);
        seconds[0] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        let outputs = oracle.outputs(&programs);
        seconds[1] += start.elapsed().as_secs_f64();
        for (program, expected) in programs.iter().zip(&outputs) {
            let expected = match expected {
                Ok(expected) => expected,
                Err(error) => {
                    println!("seed {}: the oracle says: {error}", program.seed());
                    totals.unknown += 1;
                    continue;
                }
            };
            for setup in Setup::of(program, arguments.arch) {
                let start = Instant::now();
                let failure = check(program, expected, &setup);
                seconds[2] += start.elapsed().as_secs_f64();
                let kind = failure.as_ref().map_or("equal", Failure::kind);
                *totals.counts.entry(kind).or_default() += 1;
                if let Some(failure) = failure.filter(|failure| *failure != Failure::Registers) {
                    report(arguments, &mut oracle, &mut totals, program, &setup, &failure)?;
                }
            }
        }
        println!(
            "{}",
            progress(&totals, first + programs.len() as u64 - arguments.seed, &seconds)
        );
    }
    println!("programs by failure:");
    for (failure, count, _) in &totals.kinds {
        println!("{count:6} {failure:?}");
    }
    if totals.kinds.is_empty() {
        Ok(())
    } else {
        Err("there are failures".to_owned())
    }
}

fn progress(totals: &Totals, num: u64, seconds: &[f64; 3]) -> String {
    let counts: Vec<String> = totals
        .counts
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    let [generated, oracle, checked] = seconds.map(|seconds| num as f64 / seconds.max(1e-9));
    format!(
        "{num} programs: {}; {} without an oracle; a second: {generated:.0} generated, {oracle:.0} by the oracle, {checked:.0} checked",
        counts.join(", "),
        totals.unknown
    )
}

fn report(
    arguments: &Arguments,
    oracle: &mut Cxx,
    totals: &mut Totals,
    program: &Program,
    setup: &Setup,
    failure: &Failure,
) -> Result<(), String> {
    println!("seed {} {}: {failure:?}", program.seed(), setup.text());
    let known = totals.kinds.iter_mut().find(|(known, ..)| known.is_like(failure));
    let (count, last) = match known {
        Some((_, count, last)) => (count, last),
        None => {
            totals.kinds.push((failure.clone(), 0, u64::MAX));
            let added = totals.kinds.last_mut().ok_or("no kind")?;
            (&mut added.1, &mut added.2)
        }
    };
    if *last == program.seed() {
        return Ok(());
    }
    *last = program.seed();
    *count += 1;
    if !arguments.shrink || *count > arguments.most {
        return Ok(());
    }
    let small = shrink(program, setup, failure, oracle);
    println!("{}", small.source());
    let Some(keep) = &arguments.keep else {
        return Ok(());
    };
    let Some(Ok(expected)) = oracle.outputs(std::slice::from_ref(&small)).pop() else {
        return Ok(());
    };
    let text = |error: std::io::Error| format!("{}: {error}", keep.display());
    std::fs::create_dir_all(keep).map_err(text)?;
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
    std::fs::write(keep.join(format!("{name}.cu")), source).map_err(text)?;
    std::fs::write(keep.join(format!("{name}.txt")), expected.text()).map_err(text)?;
    Ok(())
}
