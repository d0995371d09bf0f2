//! `validate`: runs microbenchmarks on the simulator and compares them with published values.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::{CliError, CliResult, Verdict};
use crate::validation::corpus::{self, CorpusRow, Ours};
use crate::validation::peaks::{self, Peak};
use crate::validation::{self, Row, Summary, report};
use ::corpus::cases::{self, Case};
use cuda::diagnostic::Severity;
use engine::isa::CompileOptions;

/// Run microbenchmarks on the simulator and compare them with published and measured values
///
/// Prints one line per value (architecture, quantity, conditions, published value, simulated value, error) and a
/// summary per architecture. The exit code does not depend on the errors, except with --check.
#[derive(Args)]
pub(super) struct ValidateArgs {
    /// Comma-separated architecture IDs [default: all]
    #[arg(long, value_delimiter = ',')]
    arch: Vec<String>,
    /// Compare only values whose "quantity conditions source" contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Print one JSON object with rows and summaries
    #[arg(long)]
    json: bool,
    /// Write what was measured to tests/validation, and docs/validation.md with its plots, of the project in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["arch", "filter"])]
    write: Option<PathBuf>,
    /// Write the values as a web page to this file, and print nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["arch", "filter"])]
    html: Option<PathBuf>,
    /// Take what was measured when those were written, and measure nothing
    #[arg(long)]
    recorded: bool,
    /// Run the corpus in this folder, even with --recorded (--write without --recorded always runs tests/corpus of the
    /// project)
    #[arg(long, value_name = "FOLDER")]
    corpus: Option<PathBuf>,
    /// Exit with 1 if a value differs from the record, or has an unexplained error over 15 %
    #[arg(long, conflicts_with = "recorded")]
    check: bool,
    /// Print only lines with an absolute error over this percentage
    #[arg(long, value_name = "PERCENT")]
    over: Option<f64>,
}

pub(super) fn run(args: &ValidateArgs, out: &mut dyn Write) -> CliResult {
    let tasks: Vec<_> = validation::simulated()
        .map_err(CliError::Input)?
        .into_iter()
        .filter(|value| args.arch.is_empty() || args.arch.contains(&value.architecture))
        .filter(|value| {
            args.filter.as_ref().is_none_or(|part| {
                format!("{} {} {}", value.quantity, value.conditions, value.source).contains(part)
            })
        })
        .collect();
    let before = validation::recorded(&tasks).map_err(CliError::Input)?;
    let measured = if args.recorded {
        before.clone()
    } else {
        // Round to the precision of the record.
        let exact = super::corpus::in_parallel(&tasks, validation::measure);
        validation::recorded_in(&validation::record(&tasks, &exact), &tasks).map_err(CliError::Input)?
    };
    let (rows, unused) = validation::rows(&tasks, &measured).map_err(CliError::Input)?;
    let of_project =
        (args.write.as_ref().filter(|_| !args.recorded)).map(|folder| folder.join("tests/corpus"));
    let corpus = match args.corpus.clone().or(of_project) {
        Some(folder) => Some(measure_corpus(&folder)?),
        None => None,
    };
    let in_corpus = match &corpus {
        Some(record) => corpus::rows_of(record),
        None => corpus::rows(),
    }
    .map_err(CliError::Input)?;
    let is_whole = args.arch.is_empty() && args.filter.is_none();
    let of_peaks = if is_whole { peak_rates(args)? } else { Vec::new() };
    if let Some(folder) = &args.write {
        let record = validation::record(&tasks, &measured);
        let (cited, rates): (Vec<Peak>, Vec<f64>) = of_peaks.iter().cloned().unzip();
        let mut files = report::files(&rows, &in_corpus, &of_peaks);
        files.push(report::File {
            path: peaks::PATH.to_owned(),
            text: peaks::record(&cited, &rates),
        });
        write_files(folder, &record, corpus.as_deref(), &files)?;
    }
    if let Some(path) = &args.html {
        let failed = |source| CliError::WriteFile {
            path: path.clone(),
            source,
        };
        std::fs::write(path, report::page(&rows, &in_corpus)).map_err(failed)?;
        return Ok(Verdict::Good);
    }
    let summaries = validation::summaries(&rows);
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &json!({ "rows": rows, "summaries": summaries }))?;
        writeln!(out)?;
        return Ok(Verdict::Good);
    }
    let over = args.over.unwrap_or(-1.0) / 100.0;
    for row in rows
        .iter()
        .filter(|row| row.error.is_none_or(|error| error.abs() > over))
    {
        print(row, out)?;
    }
    writeln!(out)?;
    print_summaries(&summaries, out)?;
    if is_whole {
        writeln!(out)?;
        print_peaks(&of_peaks, out)?;
        print_corpus(&in_corpus, out)?;
    }
    if !args.check {
        return Ok(Verdict::Good);
    }
    let mut num_wrong = 0;
    for ((row, before), now) in rows.iter().zip(&before).zip(&measured) {
        if before != now || row.is_unexplained() {
            num_wrong += 1;
            let value = &row.published;
            writeln!(
                out,
                "{} {} {}: measured {now:?}, recorded {before:?}{}",
                value.architecture,
                value.quantity,
                value.conditions,
                if row.is_unexplained() { ", unexplained" } else { "" }
            )?;
        }
    }
    if is_whole {
        num_wrong += check_peaks(&of_peaks, out)?;
        num_wrong += unused.len();
        for why in unused {
            writeln!(out, "obsolete explanation: {why}")?;
        }
    }
    Ok(if num_wrong == 0 {
        Verdict::Good
    } else {
        Verdict::Bad
    })
}

/// The cited peak rates with the simulated or recorded ones, to the precision of the record.
fn peak_rates(args: &ValidateArgs) -> Result<Vec<(Peak, f64)>, CliError> {
    let cited = peaks::peaks().map_err(CliError::Input)?;
    let rates = if args.recorded || args.html.is_some() {
        peaks::recorded(&cited).map_err(CliError::Input)?
    } else {
        let measured = super::corpus::in_parallel(&cited, |peak| {
            peaks::measure(peak).map_err(|error| format!("{} {}: {error}", peak.architecture, peak.quantity))
        });
        let exact: Result<Vec<f64>, String> = measured.into_iter().collect();
        let text = peaks::record(&cited, &exact.map_err(CliError::Input)?);
        peaks::recorded_in(&text, &cited).map_err(CliError::Input)?
    };
    Ok(cited.into_iter().zip(rates).collect())
}

fn print_peaks(of_peaks: &[(Peak, f64)], out: &mut dyn Write) -> std::io::Result<()> {
    for (peak, ours) in of_peaks.iter().filter(|(peak, ours)| !peak.is_near(*ours)) {
        writeln!(
            out,
            "{:<6} peak {:<24} {:>10} {:>10} {:>+8.1} %  {}",
            peak.architecture.text(),
            peak.quantity,
            short(peak.rate),
            short(*ours),
            100.0 * peak.error(*ours),
            peak.unit
        )?;
    }
    let near = of_peaks.iter().filter(|(peak, ours)| peak.is_near(*ours)).count();
    writeln!(out, "peak rates: {near} of {} within 2 %", of_peaks.len())
}

/// Prints the peak rates that differ from the record, and returns their number.
fn check_peaks(of_peaks: &[(Peak, f64)], out: &mut dyn Write) -> Result<usize, CliError> {
    let cited: Vec<Peak> = of_peaks.iter().map(|(peak, _)| peak.clone()).collect();
    let before = peaks::recorded(&cited).map_err(CliError::Input)?;
    let mut num_wrong = 0;
    for ((peak, ours), before) in of_peaks.iter().zip(before) {
        if (*ours - before).abs() > 0.005 {
            num_wrong += 1;
            writeln!(
                out,
                "{} peak {}: measured {ours}, recorded {before}",
                peak.architecture, peak.quantity
            )?;
        }
    }
    Ok(num_wrong)
}

/// Runs all cases of the corpus and returns the record.
fn measure_corpus(folder: &Path) -> Result<String, CliError> {
    let cases = cases::load(folder).map_err(|error| CliError::Input(error.to_string()))?;
    let measured = super::corpus::in_parallel(&cases, |case| {
        let source = std::fs::read_to_string(folder.join(&case.file))
            .map_err(|error| format!("cannot read {}: {error}", case.file))?;
        measure_case(case, &source)
    });
    let names = cases.iter().map(|case| case.name.clone());
    Ok(corpus::record(&names.zip(measured).collect::<Vec<_>>()))
}

/// Runs one case of the corpus.
pub(super) fn measure_case(case: &Case, source: &str) -> Result<Ours, String> {
    let compiled = cuda::compile(
        source,
        Some(&case.kernel),
        corpus::ARCH,
        &CompileOptions::default(),
    );
    let program = compiled.map_err(|diagnostics| {
        let errors = || {
            diagnostics
                .iter()
                .filter(|found| found.severity == Severity::Error)
        };
        // A template that does not compile also causes an error without a line, because the kernel is missing.
        let first = errors()
            .find(|error| error.line() > 0)
            .or_else(|| errors().next());
        first.map_or_else(
            || "The kernel does not compile.".to_owned(),
            |error| format!("line {}: {}", error.line(), error.message),
        )
    })?;
    let ours = corpus::measure(&program.program, &case.launch)?;
    Ok(Ours {
        is_noisy: case.noisy,
        ..ours
    })
}

fn write_files(
    folder: &Path,
    record: &str,
    corpus: Option<&str>,
    files: &[report::File],
) -> Result<(), CliError> {
    let put = |path: &str, text: &str| {
        std::fs::write(folder.join(path), text).map_err(|source| CliError::WriteFile {
            path: folder.join(path),
            source,
        })
    };
    put(validation::RECORD, record)?;
    if let Some(record) = corpus {
        put(corpus::PATH, record)?;
    }
    for file in files {
        put(&file.path, &file.text)?;
    }
    Ok(())
}

fn print_corpus(rows: &[CorpusRow], out: &mut dyn Write) -> std::io::Result<()> {
    let summary = corpus::summary(rows);
    writeln!(
        out,
        "corpus on {}: {} of {} cases run; instructions, simulated over hardware: geometric mean {:.3}, {:.2} to {:.2}; \
         occupancy limits equal in {}; top stall reason equal in {}; {:.0} % of the top three reasons shared; Spearman's \
         coefficient {:.2} (median)",
        corpus::ARCH,
        summary.cases.1,
        summary.cases.0,
        summary.ratio.0,
        summary.ratio.1,
        summary.ratio.2,
        summary.same_limits,
        summary.same_first,
        100.0 * summary.overlap,
        summary.spearman
    )
}

fn print(row: &Row, out: &mut dyn Write) -> std::io::Result<()> {
    let value = &row.published;
    let mark = if value.is_compared { " " } else { "~" };
    write!(
        out,
        "{:<6} {mark} {:<24} {:<26} {:>10} ",
        value.architecture,
        value.quantity,
        value.conditions.to_string(),
        short(value.value)
    )?;
    match (row.ours, row.error) {
        (Some(ours), Some(error)) => write!(
            out,
            "{:>10} {:>+8.1} %  {}",
            short(ours),
            100.0 * error,
            value.unit
        )?,
        _ => write!(out, "{:>10} {:>10}  {}", "-", "", value.unit)?,
    }
    if !row.note.is_empty() {
        write!(out, "  {}", row.note)?;
    }
    writeln!(out)
}

fn print_summaries(summaries: &[Summary], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:<8} {:>8} {:>8} {:>8} {:>12} {:>14} {:>14} {:>7} {:>8}",
        "", "values", "median", "mean", "within 5 %", "explained", "unexplained", "other", "not run"
    )?;
    for summary in summaries {
        writeln!(
            out,
            "{:<8} {:>8} {:>6.2} % {:>6.2} % {:>12} {:>14} {:>14} {:>7} {:>8}",
            summary.architecture,
            summary.compared,
            100.0 * summary.median,
            100.0 * summary.mean,
            summary.close,
            summary.explained,
            summary.unexplained,
            summary.beside,
            summary.not_run
        )?;
    }
    Ok(())
}

/// Formats a value with at most four significant digits.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
