//! The command-line interface: reads files and flags, calls the library, and prints results.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the command line reads files and measures time"
)]

mod table;
mod access;
mod arch;
pub mod bench;
mod outputs;
mod failed;
mod files;
mod option_flags;
mod scenario;
mod check;
pub mod tesla_reference;
pub mod corpus;
mod launches;
mod simulate;
mod device;
mod streams;
mod lesson;
mod coverage;
mod findings;
mod glossary;
mod lecture;
mod link;
mod occupancy;
mod plot_experiments;
pub mod validation;
mod plot_points;
mod quality;
mod twin;
mod validate;
mod words;
#[cfg(test)]
mod export_tests;
#[cfg(test)]
mod sanitizer_tests;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use thiserror::Error;

use engine::sim::Outcome;
use workbench::check::Unknown;

/// The errors that prevent a command from completing.
#[derive(Debug, Error)]
pub enum CliError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The system error.
        source: std::io::Error,
    },
    /// A file or a folder cannot be written.
    #[error("cannot write {path}: {source}")]
    WriteFile {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),
    /// JSON cannot be written.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// An option or a file is invalid. The sentence describes the problem.
    #[error("{0}")]
    Input(String),
}

impl CliError {
    /// Whether the reader of the output closed it.
    fn is_closed_pipe(&self) -> bool {
        let kind = match self {
            Self::Write(error) => Some(error.kind()),
            Self::Json(error) => error.io_error_kind(),
            Self::Read { .. } | Self::WriteFile { .. } | Self::Input(_) => None,
        };
        kind == Some(std::io::ErrorKind::BrokenPipe)
    }
}

/// The result of a command, which determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Success: exit code 0.
    Good,
    /// The command ran and found a problem: exit code 1.
    Bad,
    /// The run is of a launch that is not known, with estimated values: exit code 3.
    Estimated,
}

type CliResult = Result<Verdict, CliError>;

/// Simulate how an NVIDIA GPU runs a CUDA kernel, cycle by cycle.
///
/// The command line and the web page use the same library and print the same numbers. Exit codes: 0 for success; 1 if
/// a command finds a problem, such as a kernel that does not compile, a run that faults, or a count that differs; 2 if
/// a command cannot complete, for example because of an invalid option or an unreadable file; 3 if values of the launch in
/// `main()` are not known, or no `main()` has it, so that the results are those of estimated or chosen values.
#[derive(Parser)]
#[command(name = "warpscope", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Access(access::AccessArgs),
    #[command(subcommand)]
    Arch(arch::Command),
    Bench(bench::BenchArgs),
    Check(check::CheckArgs),
    Corpus(corpus::CorpusArgs),
    Coverage(coverage::CoverageArgs),
    Device(Box<device::DeviceArgs>),
    Streams(Box<streams::StreamsArgs>),
    Findings(Box<findings::FindingsArgs>),
    Glossary(glossary::GlossaryArgs),
    Launches(launches::LaunchesArgs),
    #[command(subcommand)]
    Lecture(lecture::Command),
    #[command(subcommand)]
    Lesson(lesson::Command),
    #[command(subcommand)]
    Link(link::Command),
    Occupancy(occupancy::OccupancyArgs),
    Plots(plot_points::PlotsArgs),
    Quality(quality::QualityArgs),
    Run(Box<simulate::RunArgs>),
    Trace(Box<simulate::TraceArgs>),
    Twin(twin::TwinArgs),
    Validate(validate::ValidateArgs),
    Words(words::WordsArgs),
}

/// Runs a command with `args`, where the first argument is the program's name, and writes results to `out`.
///
/// # Errors
/// Returns an error for invalid options and for files that cannot be read.
pub fn run(args: impl IntoIterator<Item = OsString>, out: &mut dyn Write) -> CliResult {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        // Clap reports --help and --version as errors.
        Err(error) if !error.use_stderr() => {
            write!(out, "{error}")?;
            return Ok(Verdict::Good);
        }
        Err(error) => return Err(CliError::Input(error.to_string())),
    };
    match &cli.command {
        Command::Access(args) => access::run(args, out),
        Command::Arch(command) => arch::run(command, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Corpus(args) => corpus::run(args, out),
        Command::Coverage(args) => coverage::run(args, out),
        Command::Device(args) => device::run(args, out),
        Command::Streams(args) => streams::run(args, out),
        Command::Findings(args) => findings::run(args, out),
        Command::Glossary(args) => glossary::run(args, out),
        Command::Launches(args) => launches::run(args, out),
        Command::Lecture(command) => lecture::run(command, out),
        Command::Lesson(command) => lesson::run(command, out),
        Command::Link(command) => link::run(command, out),
        Command::Occupancy(args) => occupancy::run(args, out),
        Command::Plots(args) => plot_points::run(args, out),
        Command::Quality(args) => quality::run(args, out),
        Command::Run(args) => simulate::run(args, out),
        Command::Trace(args) => simulate::trace(args, out),
        Command::Twin(args) => twin::run(args, out),
        Command::Validate(args) => validate::run(args, out),
        Command::Words(args) => words::run(args, out),
    }
}

/// Runs the program: parses the command line and writes to standard output.
pub fn main() -> ExitCode {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = run(std::env::args_os(), &mut out).and_then(|verdict| {
        out.flush()?;
        Ok(verdict)
    });
    match result {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::FAILURE,
        Ok(Verdict::Estimated) => ExitCode::from(3),
        // The reader closed the pipe, as `head` does.
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", error.to_string().trim_end());
            ExitCode::from(2)
        }
    }
}

/// The verdict of a run with estimated values: an outcome that can follow from an estimate is no fault of the program.
const fn estimated(verdict: Verdict, unknown: Option<&Unknown>) -> Verdict {
    match unknown {
        Some(_) => Verdict::Estimated,
        None => verdict,
    }
}

/// Returns the outcome of a run as a sentence, with what is not known of its launch.
fn outcome_of_launch(outcome: &Outcome, unknown: Option<&Unknown>) -> String {
    match unknown {
        Some(unknown) => format!(
            "{}; with the {} values: {}",
            unknown.clause,
            unknown.word(),
            outcome_text(outcome)
        ),
        None => outcome_text(outcome),
    }
}

/// Returns the outcome of a run as a sentence.
fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::CycleBudget => "stopped: the cycle limit is reached".to_owned(),
        Outcome::MemoryBudget => "stopped: the memory limit of the trace is reached".to_owned(),
        Outcome::Fault(fault) => {
            format!(
                "fault at cycle {} in warp {}: {}",
                fault.cycle.0, fault.warp.0, fault.message
            )
        }
        Outcome::Deadlock { reason, .. } => format!("deadlock: {reason}"),
    }
}
