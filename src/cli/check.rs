//! `check`: compiles kernels and reports diagnostics.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::files::FileFlags;
use super::scenario::{LaunchFlags, scenario_of_source};
use super::{CliError, CliResult, Verdict, outcome_text};
use cuda::diagnostic::{Diagnostic, Severity};
use cuda::host::{Limits, read_with_args};
use engine::arch::{ArchId, architecture};
use engine::sim::Outcome;
use workbench::check::{Coverage, refusal};
use workbench::library;
use workbench::share::Scenario;

/// Compile every kernel of the files and print diagnostics as `file:line:column: error: …`
///
/// With `--run`, the command also runs one kernel per file and prints the reports of compute-sanitizer's tools:
/// memcheck, initcheck, racecheck, and synccheck. Exits with 1 if a file does not compile or a tool reports a finding.
#[derive(Args)]
pub(super) struct CheckArgs {
    /// CUDA C++ files
    #[arg(required_unless_present = "kernel")]
    files: Vec<PathBuf>,
    /// Also run one kernel per file, and check its memory accesses and barriers
    #[arg(long)]
    run: bool,
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
            if !check_and_run(args, &path, &scenario, *arch, out)? {
                verdict = Verdict::Bad;
            }
        }
    }
    for path in &args.files {
        let source = args.sources.read(path)?;
        for arch in &args.arch {
            let is_good = if args.run {
                check_and_run(args, path, &scenario_of_source(source.clone()), *arch, out)?
            } else {
                check(args, path, &source, *arch, out)?
            };
            if !is_good {
                verdict = Verdict::Bad;
            }
        }
    }
    Ok(verdict)
}

/// Runs a scenario with all checks. Returns whether the kernel compiled, finished, and has no findings.
fn check_and_run(
    args: &CheckArgs,
    path: &Path,
    scenario: &Scenario,
    arch: ArchId,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let mut scenario = scenario.clone();
    args.launch.apply_to(&mut scenario)?;
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
            (&compiled.diagnostics, Some(report))
        }
    };
    let is_clean = match &report {
        Some(Ok(report)) => report.findings.is_empty() && report.outcome == Outcome::Finished,
        _ => false,
    };
    if args.json {
        let mut object = serde_json::json!({
            "file": file,
            "arch": arch,
            "compiles": report.is_some(),
            "diagnostics": located(diagnostics, source, &file)?,
        });
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
        return Ok(is_clean);
    }
    for diagnostic in diagnostics {
        write!(out, "{}", diagnostic.render(&file, source))?;
    }
    match report {
        None => writeln!(out, "{file}: {arch}: does not compile")?,
        Some(Err(error)) => {
            write!(out, "{}", error.render(&file, source))?;
            writeln!(out, "{file}: {arch}: launch refused")?;
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
            writeln!(
                out,
                "{file}: {arch}: {outcome}, {} cycles, {}{}",
                report.num_cycles,
                findings_text(report.findings.len()),
                coverage_text(report.coverage, Some(&report.outcome))
            )?;
        }
    }
    Ok(is_clean)
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
