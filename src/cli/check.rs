//! `check`: compiles, and says what is wrong.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CliError, CliResult, Verdict};
use crate::arch::ArchId;
use crate::cuda;
use crate::cuda::diagnostic::Severity;
use crate::isa::CompileOptions;

/// Compiles kernels and prints diagnostics as `file:line:column: error: …`
///
/// Exits with 1 if a file does not compile.
#[derive(Args)]
pub(super) struct CheckArgs {
    /// CUDA C files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Architectures, by their ids, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "tu102")]
    arch: Vec<ArchId>,
    /// One JSON object a file and architecture, each on a line of its own
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> CliResult {
    let mut verdict = Verdict::Good;
    for path in &args.files {
        let source = std::fs::read_to_string(path).map_err(|source| CliError::Read {
            path: path.clone(),
            source,
        })?;
        for arch in &args.arch {
            if !check(args, path, &source, *arch, out)? {
                verdict = Verdict::Bad;
            }
        }
    }
    Ok(verdict)
}

/// Whether it compiled.
fn check(
    args: &CheckArgs,
    path: &Path,
    source: &str,
    arch: ArchId,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let parsed = cuda::parse_with(source, arch, &CompileOptions::default());
    let num_errors = parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .count();
    let compiles = num_errors == 0;
    let file = path.display().to_string();
    if args.json {
        let kernels: Vec<_> = parsed
            .kernels
            .iter()
            .map(|kernel| {
                serde_json::json!({
                    "name": kernel.name,
                    "parameters": kernel.params,
                    "compiles": kernel.compiles,
                })
            })
            .collect();
        let object = serde_json::json!({
            "file": file,
            "arch": arch,
            "compiles": compiles,
            "kernels": kernels,
            "diagnostics": parsed.diagnostics,
        });
        writeln!(out, "{object}")?;
        return Ok(compiles);
    }
    for diagnostic in &parsed.diagnostics {
        write!(out, "{}", diagnostic.render(&file, source))?;
    }
    if compiles {
        for kernel in &parsed.kernels {
            let params: Vec<String> = kernel
                .params
                .iter()
                .map(|p| format!("{} {}", p.c_type, p.name))
                .collect();
            writeln!(out, "{file}: {arch}: {}({})", kernel.name, params.join(", "))?;
        }
    } else {
        writeln!(out, "{file}: {arch}: does not compile ({num_errors} errors)")?;
    }
    Ok(compiles)
}
