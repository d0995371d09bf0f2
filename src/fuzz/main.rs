//! The command line of the fuzzer: `fuzz --programs N --seed S`.
#![expect(clippy::print_stdout, reason = "a command line prints to standard output")]
#![expect(clippy::disallowed_methods, reason = "failing programs are stored in files")]
#![expect(
    clippy::disallowed_types,
    reason = "progress messages include the elapsed time"
)]

mod campaign;
mod endure;

use std::path::PathBuf;
use std::process::ExitCode;

use engine::arch::ArchId;
use warpscope_fuzz::check::{check_source, silence_panics};
use warpscope_fuzz::cxx::{Cxx, Oracle};
use warpscope_fuzz::interpreter::Interpreter;
use warpscope_fuzz::{Program, Settings, generate, kept, mutants};

const USAGE: &str = "fuzz [show|validate|replay|mutants|endure] [--programs N] [--seed S] [--size N] [--no-goto] [--cpp]
     [--oracle interpreter|cxx] [--archs N] [--arch ID] [--threads N] [--batch N]
     [--shrink] [--most N] [--keep DIR]

  (no verb)  generate, compile, and run random programs, and compare their outputs with the oracle
  show       print the program of the seed
  validate   compare g++ -O0, -O1, the sanitizers, and the interpreter; a difference is an error of the generator
  replay     rerun the programs of --keep and compare them with the stored outputs
  mutants    inject wrong rewrites into the compiler, which the programs must detect
  endure     compile garbled texts, each within one second and 1 GB of memory; --keep stores the failing texts
  --programs number of programs [default: 1000]
  --seed     first seed [default: 0]
  --size     approximate number of statements per program
  --no-goto  generate no goto statements
  --cpp      generate C++: classes, templates, lambdas, references, and namespaces
  --oracle   source of expected outputs: the interpreter of the checked program, or g++ (cxx) [default: cxx]
  --archs    number of architectures per program [default: 1 with the interpreter, 5 with g++]
  --arch     use only this architecture
  --threads  number of threads [default: 2]
  --batch    programs per batch [default: 300]
  --shrink   minimize the failing programs, up to --most of each kind
  --most     number of failing programs of each kind to minimize [default: 3]
  --keep     folder for failing programs and their expected outputs";

#[derive(Clone, Copy, PartialEq, Eq)]
enum OracleKind {
    Interpreter,
    Cxx,
}

struct Arguments {
    verb: String,
    programs: u64,
    seed: u64,
    settings: Settings,
    oracle: OracleKind,
    archs: Option<usize>,
    arch: Option<ArchId>,
    threads: u64,
    batch: u64,
    shrink: bool,
    most: usize,
    keep: Option<PathBuf>,
}

impl Arguments {
    fn oracle(&self) -> Box<dyn Oracle> {
        match self.oracle {
            OracleKind::Cxx => Box::new(Cxx::new(&["-O1"])),
            OracleKind::Interpreter => Box::new(Interpreter {
                arch: self.arch,
                ..Interpreter::default()
            }),
        }
    }

    /// Returns the number of architectures for which each program is compiled.
    fn num_archs(&self) -> usize {
        self.archs.unwrap_or(match self.oracle {
            OracleKind::Cxx => 5,
            OracleKind::Interpreter => 1,
        })
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        verb: "run".to_owned(),
        programs: 1000,
        seed: 0,
        settings: Settings::default(),
        oracle: OracleKind::Cxx,
        archs: None,
        arch: None,
        threads: 2,
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
            "show" | "validate" | "replay" | "mutants" | "endure" | "answer" => out.verb = word,
            "--programs" => out.programs = number(value()?)?,
            "--seed" => out.seed = number(value()?)?,
            "--size" => out.settings.size = number(value()?)? as usize,
            "--batch" => out.batch = number(value()?)?.max(1),
            "--most" => out.most = number(value()?)? as usize,
            "--no-goto" => out.settings.goto = false,
            "--cpp" => out.settings.cpp = true,
            "--archs" => out.archs = Some(number(value()?)?.max(1) as usize),
            "--threads" => out.threads = number(value()?)?.max(1),
            "--shrink" => out.shrink = true,
            "--keep" => out.keep = Some(PathBuf::from(value()?)),
            "--arch" => out.arch = Some(value()?.parse().map_err(|error| format!("{error}"))?),
            "--oracle" => match value()?.as_str() {
                "cxx" => out.oracle = OracleKind::Cxx,
                "interpreter" => out.oracle = OracleKind::Interpreter,
                other => return Err(format!("no oracle is named `{other}`; use interpreter or cxx")),
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
        "mutants" => hunt_mutants(&arguments),
        "endure" => endure::run(&arguments),
        "answer" => endure::answer_all(&arguments),
        _ => campaign::run(&arguments),
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the programs of the batch that starts at seed `first`.
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
    silence_panics();
    let mut oracles = [Cxx::new(&["-O0"]), Cxx::new(&["-O1"]), Cxx::new(&sanitized)];
    let mut interpreter = Interpreter {
        finds_races: true,
        arch: arguments.arch,
    };
    let mut wrong = 0;
    for first in first_seeds(arguments) {
        let programs = batch(arguments, first);
        let [plain, optimized, sanitized] = oracles.each_mut().map(|oracle| oracle.outputs(&programs));
        let interpreted = interpreter.outputs(&programs);
        for (idx, program) in programs.iter().enumerate() {
            let all = [&plain[idx], &optimized[idx], &sanitized[idx], &interpreted[idx]];
            let errors: Vec<&String> = all.iter().filter_map(|found| found.as_ref().err()).collect();
            if !errors.is_empty() || all.iter().any(|found| *found != all[0]) {
                wrong += 1;
                println!("seed {}: {errors:?}", program.seed());
            }
        }
        println!("up to seed {}: {wrong} wrong", first + arguments.batch);
    }
    if wrong == 0 {
        Ok(())
    } else {
        Err(format!("{wrong} programs have no defined output"))
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
            if let Some(failure) = check_source(&case.source, &case.shape, Some(&case.expected), setup) {
                failed += 1;
                println!("{} {}: {failure:?}", case.name, setup.text());
            }
        }
    }
    println!("{} programs, {failed} failures", cases.len());
    if failed == 0 {
        Ok(())
    } else {
        Err("some programs failed".to_owned())
    }
}

fn hunt_mutants(arguments: &Arguments) -> Result<(), String> {
    silence_panics();
    let seeds = arguments.seed..arguments.seed + arguments.programs;
    let mut num_missed = 0;
    for (name, found) in mutants::hunt(seeds, &arguments.settings) {
        if let Some(found) = found {
            println!(
                "{name}: found by seed {}, changed program {}: {}",
                found.seed, found.num_changed, found.failure
            );
        } else {
            num_missed += 1;
            println!("{name}: not found");
        }
    }
    if num_missed == 0 {
        Ok(())
    } else {
        Err(format!("{num_missed} rewrites were not found"))
    }
}
