//! `check`: compiles kernels and reports diagnostics.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::failed::FailedLaunch;
use super::files::FileFlags;
use super::scenario::words;
use super::scenario::{LaunchFlags, scenario_of_source};
use super::{CliError, CliResult, Verdict, outcome_text};
use cuda::diagnostic::{Diagnostic, Severity};
use cuda::host::{Limits, read_with_args};
use engine::arch::{ArchId, architecture};
use engine::files::line_text;
use engine::launch::Launch;
use engine::sim::Outcome;
use workbench::app::host::{Kernels, Lists, ReadLaunch, take_launch_of};
use workbench::check::{Coverage, refusal};
use workbench::library;
use workbench::share::Scenario;

/// Compile every kernel of the files and print diagnostics as `file:line:column: error: …`
///
/// With `--run`, the command also runs the launches of each file's `main()`, or one kernel with the given launch, and prints the
/// reports of compute-sanitizer's tools: memcheck, initcheck, racecheck, and synccheck. Exits with 1 if a file does not compile, a
/// launch fails, or a tool reports a finding; with 3 if values of a launch are not known.
#[derive(Args)]
pub(super) struct CheckArgs {
    /// CUDA C++ files
    #[arg(required_unless_present = "kernel")]
    files: Vec<PathBuf>,
    /// Also run the launches of each file's `main()`, and check their memory accesses and barriers
    ///
    /// With --entry, those of one kernel. With --grid, --block, and --args, or without a `main()`, one kernel with this launch.
    #[arg(long)]
    run: bool,
    /// Command-line arguments of the files' `main()`, separated by spaces
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    argv: Option<String>,
    /// Check a library kernel instead of files
    #[arg(long, requires = "run", conflicts_with = "files")]
    kernel: Option<String>,
    #[command(flatten)]
    sources: FileFlags,
    #[command(flatten)]
    launch: LaunchFlags,
    /// Comma-separated architecture IDs, as `arch list` prints them
    #[arg(long, value_delimiter = ',', default_value = "tu102")]
    arch: Vec<ArchId>,
    /// Print one line of JSON per file and architecture
    #[arg(long)]
    json: bool,
    /// Also print the code of each kernel: `sass`, `ir`, or `ir-after=PASS`
    ///
    /// `ir-after=PASS` prints the intermediate representation after each run of a compiler pass (build, tidy, promote,
    /// simplify, if-convert, unroll, forward, motion, …).
    #[arg(long, value_name = "WHAT", value_parser = Emit::parse)]
    emit: Option<Emit>,
}

/// The form in which code is printed.
#[derive(Clone, Debug)]
enum Emit {
    Sass,
    Ir { after: Option<String> },
}

impl Emit {
    fn parse(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("ir-after=")) {
            ("sass", _) => Ok(Self::Sass),
            ("ir", _) => Ok(Self::Ir { after: None }),
            (_, Some(pass)) => Ok(Self::Ir {
                after: Some(pass.to_owned()),
            }),
            _ => Err("use sass, ir, or ir-after=PASS".to_owned()),
        }
    }
}

pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> CliResult {
    let mut verdict = Verdict::Good;
    if let Some(kernel) = &args.kernel {
        let kernel = library::kernel(kernel)
            .ok_or_else(|| CliError::Input(format!("the library has no kernel `{kernel}`")))?;
        let path = PathBuf::from(format!("{}.cu", kernel.id));
        let scenario = Scenario {
            kernel: kernel.id.to_owned(),
            ..Scenario::default()
        };
        for arch in &args.arch {
            verdict = worse(verdict, check_and_run(args, &path, &scenario, None, *arch, out)?);
        }
    }
    for path in &args.files {
        let source = args.sources.read(path)?;
        for arch in &args.arch {
            let of_file = if args.run {
                check_launches(args, path, &source, *arch, out)?
            } else if check(args, path, &source, *arch, out)? {
                Verdict::Good
            } else {
                Verdict::Bad
            };
            verdict = worse(verdict, of_file);
        }
    }
    Ok(verdict)
}

/// The worse of two verdicts: a problem, an estimate, success.
const fn worse(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        (Verdict::Bad, _) | (_, Verdict::Bad) => Verdict::Bad,
        (Verdict::Estimated, _) | (_, Verdict::Estimated) => Verdict::Estimated,
        (Verdict::Good, Verdict::Good) => Verdict::Good,
    }
}

/// Runs the launches of a file's `main()` with all checks, equal ones once; or the launch that the flags give.
fn check_launches(
    args: &CheckArgs,
    path: &Path,
    source: &str,
    arch: ArchId,
    out: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let scenario = Scenario {
        arch,
        ..scenario_of_source(source.to_owned())
    };
    if args.launch.is_whole() {
        return check_and_run(args, path, &scenario, None, arch, out);
    }
    let reading = read_with_args(source, arch, Limits::COMMAND_LINE, &words(args.argv.as_deref()));
    let mut kernels = Kernels::default();
    let mut taken: Vec<(String, Launch)> = Vec::new();
    let mut verdict = None;
    for (idx, host) in reading.launches.iter().enumerate() {
        if !args.launch.is_of(&host.kernel) {
            continue;
        }
        let mut own = scenario.clone();
        let read = take_launch_of(&mut own, &reading, idx, Lists::Whole, &mut kernels);
        let launch = (host.kernel.clone(), own.launch());
        if taken.contains(&launch) {
            continue;
        }
        taken.push(launch);
        own.entry = Some(host.kernel.clone());
        let of_launch = match FailedLaunch::of(&own, arch, read.as_ref()) {
            Some(failed) => {
                let (file, message) = (path.display(), failed.message());
                if args.json {
                    let object = serde_json::json!({ "file": file.to_string(), "launch": failed.json() });
                    writeln!(out, "{object}")?;
                } else {
                    writeln!(out, "{file}: {arch}: {}: {message}", host.kernel)?;
                }
                Verdict::Bad
            }
            None => check_and_run(args, path, &own, read.as_ref(), arch, out)?,
        };
        verdict = Some(verdict.map_or(of_launch, |verdict| worse(verdict, of_launch)));
    }
    let mut scenario = scenario;
    let read = if reading.has_main || args.launch.has_args() {
        None
    } else {
        args.launch.choose(&mut scenario)?
    };
    match verdict {
        Some(verdict) => Ok(verdict),
        None => check_and_run(args, path, &scenario, read.as_ref(), arch, out),
    }
}

/// Runs a scenario with all checks: whether the kernel compiles, finishes, and has no findings. `read` is its launch in `main()`.
fn check_and_run(
    args: &CheckArgs,
    path: &Path,
    scenario: &Scenario,
    read: Option<&ReadLaunch>,
    arch: ArchId,
    out: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let mut scenario = scenario.clone();
    args.launch.apply_to(&mut scenario)?;
    let unknown = read.and_then(ReadLaunch::unknown);
    let (source, file) = (scenario.source(), path.display().to_string());
    let compiled = cuda::compile(source, scenario.entry(), arch, &scenario.compile);
    let (diagnostics, report) = match &compiled {
        Err(diagnostics) => (diagnostics, None),
        Ok(compiled) => {
            let report = workbench::check::run(
                architecture(arch),
                &compiled.program,
                &scenario.launch(),
                scenario.machine,
            );
            let report = report.map_err(|error| refusal(&error, &compiled.program));
            let report = report.map(|mut report| {
                if let Some(unknown) = &unknown {
                    report.findings = unknown.qualify(report.findings);
                }
                report
            });
            (&compiled.diagnostics, Some(report))
        }
    };
    let verdict = match &report {
        Some(Ok(_)) if unknown.is_some() => Verdict::Estimated,
        Some(Ok(report)) if report.findings.is_empty() && report.outcome == Outcome::Finished => {
            Verdict::Good
        }
        _ => Verdict::Bad,
    };
    if args.json {
        let mut object = serde_json::json!({
            "file": file,
            "arch": arch,
            "compiles": report.is_some(),
            "diagnostics": located(diagnostics, source, &file)?,
        });
        if let Some(read) = read {
            object["kernel"] = read.kernel.clone().into();
            object["line"] = read.line.into();
        }
        if let Some(unknown) = &unknown {
            object["estimated"] = unknown.clause.clone().into();
        }
        match report {
            None => {}
            Some(Err(error)) => {
                object["error"] = error.message.clone().into();
                object["refusal"] = serde_json::to_value(error)?;
            }
            Some(Ok(report)) => {
                object["cycles"] = report.num_cycles.into();
                object["outcome"] = outcome_text(&report.outcome).into();
                object["findings"] = serde_json::to_value(&report.findings)?;
            }
        }
        writeln!(out, "{object}")?;
        return Ok(verdict);
    }
    let of_launch = read.map_or_else(String::new, |read| {
        format!("{} ({}): ", read.kernel, line_text(source, read.line))
    });
    for diagnostic in diagnostics {
        write!(out, "{}", diagnostic.render(&file, source))?;
    }
    match report {
        None => writeln!(out, "{file}: {arch}: {of_launch}does not compile")?,
        Some(Err(error)) => {
            write!(out, "{}", error.render(&file, source))?;
            writeln!(out, "{file}: {arch}: {of_launch}launch refused")?;
        }
        Some(Ok(report)) => {
            for finding in &report.findings {
                write!(out, "{}", finding.diagnostic().render(&file, source))?;
            }
            // The findings already state why the run ended early.
            let outcome = match &report.outcome {
                Outcome::Fault(_) if !report.findings.is_empty() => "fault".to_owned(),
                Outcome::CycleBudget if !report.findings.is_empty() => "stopped".to_owned(),
                Outcome::Deadlock { .. } if !report.findings.is_empty() => "deadlock".to_owned(),
                outcome => outcome_text(outcome),
            };
            if let Some(unknown) = &unknown {
                writeln!(out, "{file}: {arch}: {of_launch}{}", unknown.clause)?;
            }
            writeln!(
                out,
                "{file}: {arch}: {of_launch}{outcome}, {} cycles, {}{}",
                report.num_cycles,
                findings_text(report.findings.len()),
                coverage_text(report.coverage, Some(&report.outcome))
            )?;
        }
    }
    Ok(verdict)
}

/// Returns a remark on the checks that cover only a part of a run, or an empty string.
pub(super) fn coverage_text(coverage: Coverage, outcome: Option<&Outcome>) -> &'static str {
    if coverage.is_of_one_sm {
        "; only the blocks of one SM were checked, and no races between blocks"
    } else if coverage.is_whole || outcome != Some(&Outcome::Finished) {
        ""
    } else {
        "; division by zero and uninitialized variables were checked only in a part of the run"
    }
}

/// Returns the number of findings as text.
pub(super) fn findings_text(num: usize) -> String {
    match num {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        num => format!("{num} findings"),
    }
}

/// Returns diagnostics as JSON, with the file name and the line in that file. Offsets refer to the joined source text.
pub(super) fn located(diagnostics: &[Diagnostic], source: &str, file: &str) -> Result<Vec<Value>, CliError> {
    let object = |diagnostic: &Diagnostic| {
        let mut object = serde_json::to_value(diagnostic)?;
        let (name, line) = diagnostic.place(source);
        object["file"] = name.unwrap_or(file).into();
        object["span"]["line"] = line.into();
        Ok(object)
    };
    diagnostics.iter().map(object).collect()
}

/// Compiles all kernels of a file and prints diagnostics. Returns whether the file compiles.
fn check(
    args: &CheckArgs,
    path: &Path,
    source: &str,
    arch: ArchId,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let mut scenario = scenario_of_source(source.to_owned());
    args.launch.apply_to(&mut scenario)?;
    let options = scenario.compile;
    let mut parsed = cuda::parse_with(source, arch, &options);
    if parsed.has_guesses && source.contains("main") {
        // What the tokens do not show, such as deduced arguments, the evaluated launches do.
        let limits = Limits {
            kernel_steps: 0,
            ..Limits::PAGE
        };
        let launches = read_with_args(source, arch, limits, &[]).launches;
        let names: BTreeSet<String> = launches.into_iter().map(|launch| launch.kernel).collect();
        let names: Vec<String> = names.into_iter().filter(|name| name.contains('<')).collect();
        if !names.is_empty() {
            parsed = cuda::parse_with_instances(source, &names, arch, &options);
        }
    }
    let mut registers = Vec::new();
    for kernel in &mut parsed.kernels {
        let compiled = if let (true, Some(unit)) = (kernel.compiles, &parsed.unit) {
            if let Some(Emit::Ir { after }) = &args.emit
                && let Ok(text) = cuda::ir_text(unit, &kernel.name, arch, &options, after.as_deref())
            {
                write!(out, "{text}")?;
            }
            cuda::compile_unit(unit, source, &kernel.name, arch, &options)
        } else {
            Err(Vec::new())
        };
        if let (Some(Emit::Sass), Ok(program)) = (&args.emit, &compiled) {
            write!(out, "{}", program.listing())?;
        }
        registers.push(compiled.as_ref().ok().map(|program| program.registers_per_thread));
        kernel.compiles = compiled.is_ok();
        // Lowering can repeat diagnostics of the front end.
        for diagnostic in compiled.err().unwrap_or_default() {
            if !parsed.diagnostics.contains(&diagnostic) {
                parsed.diagnostics.push(diagnostic);
            }
        }
    }
    let num_errors = parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .count();
    let compiles = num_errors == 0 && parsed.kernels.iter().all(|kernel| kernel.compiles);
    let without_kernels = parsed.kernels.is_empty().then(|| why_no_kernel(source));
    let file = path.display().to_string();
    if args.json {
        let kernels: Vec<_> = parsed
            .kernels
            .iter()
            .zip(&registers)
            .map(|(kernel, registers)| {
                serde_json::json!({
                    "name": kernel.name,
                    "parameters": kernel.params,
                    "compiles": kernel.compiles,
                    "registers_per_thread": registers,
                })
            })
            .collect();
        let object = serde_json::json!({
            "file": file,
            "arch": arch,
            "compiles": compiles,
            "kernels": kernels,
            "without_kernels": without_kernels,
            "diagnostics": located(&parsed.diagnostics, source, &file)?,
        });
        writeln!(out, "{object}")?;
        return Ok(compiles);
    }
    for diagnostic in &parsed.diagnostics {
        write!(out, "{}", diagnostic.render(&file, source))?;
    }
    if compiles {
        for (kernel, registers) in parsed.kernels.iter().zip(&registers) {
            let params: Vec<String> = kernel
                .params
                .iter()
                .map(|p| format!("{} {}", p.c_type, p.name))
                .collect();
            let registers =
                registers.map_or_else(String::new, |number| format!(": {number} registers per thread"));
            writeln!(
                out,
                "{file}: {arch}: {}({}){registers}",
                kernel.name,
                params.join(", ")
            )?;
        }
    } else {
        writeln!(out, "{file}: {arch}: does not compile ({num_errors} errors)")?;
    }
    if compiles && let Some(why) = without_kernels {
        writeln!(out, "{file}: {arch}: no kernels: {why}")?;
    }
    Ok(compiles)
}

/// Why a source that compiles has no kernel.
fn why_no_kernel(source: &str) -> &'static str {
    if source.contains("__global__") {
        "its `__global__` functions are declared only, or excluded by the preprocessor"
    } else {
        "it has no `__global__` function"
    }
}
