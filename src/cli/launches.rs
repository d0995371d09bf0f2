//! `launches`: lists the kernel launches of a program's host code.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::failed::error_json;
use super::files::FileFlags;
use super::scenario::{scenario_of_source, words};
use super::{CliError, CliResult, Verdict};
use cuda::host::{HostError, Limits, Reading, read_with_args};
use engine::arch::ArchId;
use engine::files::line_text;
use workbench::app::host::{Kernels, Lists, ReadLaunch, take_launch_of};
use workbench::share::argument_text;

/// List the kernel launches in a program's `main()`
///
/// The command does not execute `main()` natively: an interpreter evaluates the source, and values that it cannot
/// evaluate are unknown. `run --launch N` runs one of the launches. Exits with 1 if no launch is found.
#[derive(Args)]
pub(super) struct LaunchesArgs {
    /// A CUDA C++ file with a `main()`
    file: PathBuf,
    #[command(flatten)]
    sources: FileFlags,
    /// Command-line arguments of the program, separated by spaces
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    argv: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The architecture for which the kernels are compiled
    #[arg(long)]
    arch: Option<ArchId>,
}

pub(super) fn run(args: &LaunchesArgs, out: &mut dyn Write) -> CliResult {
    let source = args.sources.read(&args.file)?;
    let mut scenario = scenario_of_source(source);
    scenario.arch = args.arch.unwrap_or(scenario.arch);
    let reading = read_with_args(
        scenario.source(),
        scenario.arch,
        Limits::COMMAND_LINE,
        &words(args.argv.as_deref()),
    );
    let mut kernels = Kernels::default();
    let launches: Vec<Option<ReadLaunch>> = (0..reading.launches.len())
        .map(|idx| take_launch_of(&mut scenario.clone(), &reading, idx, Lists::Whole, &mut kernels))
        .collect();
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &reading_json(&reading, &launches))?;
        writeln!(out)?;
    } else {
        print(scenario.source(), &reading, &launches, out)?;
    }
    Ok(if launches.is_empty() || launches.iter().any(Option::is_none) {
        Verdict::Bad
    } else {
        Verdict::Good
    })
}

fn reading_json(reading: &Reading, launches: &[Option<ReadLaunch>]) -> Value {
    let launch = |(host, taken): (&cuda::host::HostLaunch, &Option<ReadLaunch>)| {
        let taken = taken.as_ref();
        json!({
            "kernel": host.kernel,
            "line": host.line,
            "further": host.num_more,
            "condition": host.condition,
            "compiles": taken.is_some(),
            "grid": taken.map(|taken| taken.launch.grid),
            "block": taken.map(|taken| taken.launch.block),
            "shared": taken.map(|taken| taken.launch.dynamic_shared),
            "args": taken.map(|taken| taken.launch.args.iter().map(shortened).collect::<Vec<_>>()),
            "read_back": taken.map(|taken| &taken.read_back),
            "guessed": taken.map(guesses_json),
            "failure": host.error.as_ref().map(error_json),
        })
    };
    let notes = reading
        .notes
        .iter()
        .map(|note| json!({ "line": note.line, "text": note.text }));
    json!({
        "has_main": reading.has_main,
        "num_launches": reading.num_launches,
        "notes": notes.collect::<Vec<_>>(),
        "errors": reading.errors.iter().map(error_json).collect::<Vec<_>>(),
        "launches": reading.launches.iter().zip(launches).map(launch).collect::<Vec<_>>(),
    })
}

/// Returns the guessed values and the reasons.
pub(super) fn guesses_json(taken: &ReadLaunch) -> Value {
    let guesses = taken.guesses.iter();
    guesses
        .map(|guess| json!({ "what": guess.what, "why": guess.why }))
        .collect()
}

/// Returns an argument as text. Long lists of values are truncated.
fn shortened(arg: &engine::launch::Argument) -> String {
    const MOST: usize = 96;
    let text = argument_text(arg);
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn print(
    source: &str,
    reading: &Reading,
    launches: &[Option<ReadLaunch>],
    out: &mut dyn Write,
) -> Result<(), CliError> {
    if launches.is_empty() {
        let text = if reading.has_main {
            "no launch in main() can be evaluated"
        } else {
            "the file has no main() function"
        };
        writeln!(out, "{text}")?;
    }
    for (idx, (host, taken)) in reading.launches.iter().zip(launches).enumerate() {
        let more = match host.num_more {
            0 => String::new(),
            more => format!(", and {more} more at this line"),
        };
        let place = line_text(source, host.line);
        writeln!(out, "{}  {} at {place}{more}", idx + 1, host.kernel)?;
        let Some(taken) = taken else {
            writeln!(out, "   the kernel does not compile")?;
            continue;
        };
        let dims = |dims: [u32; 3]| dims.map(|n| n.to_string()).join(" x ");
        let launch = &taken.launch;
        writeln!(
            out,
            "   {} blocks of {} threads, {} bytes of dynamic shared memory",
            dims(launch.grid),
            dims(launch.block),
            launch.dynamic_shared
        )?;
        for arg in &launch.args {
            writeln!(out, "   {}", shortened(arg))?;
        }
        for reason in taken.reasons() {
            writeln!(out, "   guessed: {reason}")?;
        }
        if let Some(failure) = &host.error {
            let error = failure.error;
            writeln!(
                out,
                "   fails: {} ({}): {}",
                error.name(),
                error.text(),
                failure.why
            )?;
        }
    }
    // A failing launch that the program looks at has its line above.
    let is_shown = |error: &&HostError| !error.is_looked_at || !error.is_launch;
    for error in reading.errors.iter().filter(is_shown) {
        let why = if error.is_launch {
            String::new()
        } else {
            format!(" ({})", error.why)
        };
        let place = line_text(source, error.line);
        writeln!(out, "{place}: {}{why}", error.sentence())?;
    }
    for note in &reading.notes {
        writeln!(out, "{}: {}", line_text(source, note.line), note.text)?;
    }
    Ok(())
}
