//! `quality`: compares the compiler's code with nvcc's, and the cycles of one block with an H200's.

mod code;
mod cycles;
mod document;
mod grids;
mod nvcc;
mod row;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CliError, CliResult, Verdict};
use ::corpus::cases::{self, Case};
use code::Sources;
use cycles::{OneBlock, Overhead};
use engine::arch::ArchId;
use nvcc::NvccKernel;
use row::{Measure, Row};

/// Compare registers, instructions, and cycles with nvcc's code and an H200
///
/// For each kernel of a corpus folder, the command compares registers and instructions with static.csv, executed
/// instructions of each case with measured.csv, and the cycles of one block with `one_block.csv` and measured.csv.
/// Prints medians and the largest differences as Markdown.
#[derive(Args)]
pub(super) struct QualityArgs {
    /// The corpus folder
    #[arg(default_value = "tests/corpus")]
    dir: PathBuf,
    /// Comma-separated architecture IDs [default: all with numbers from nvcc]
    #[arg(long, value_delimiter = ',')]
    arch: Vec<ArchId>,
    /// Compare the kernels of this CSV table instead of a corpus; columns: file, kernel, sm, and nvcc's registers and
    /// instructions
    #[arg(long, value_name = "LIST", conflicts_with = "dir")]
    files: Option<PathBuf>,
    /// The folder with the files of LIST
    #[arg(long, requires = "files", default_value = ".")]
    root: PathBuf,
    /// Compare only kernels and cases whose name contains this text
    #[arg(long)]
    only: Option<String>,
    /// Compare only registers and instructions in the code, without running launches
    #[arg(long = "static")]
    is_static: bool,
    /// Print CSV with one line per number: file, name, arch, measure, ours, theirs, ratio, `left_out` (reason)
    #[arg(long)]
    csv: bool,
    /// Print this compiler's instructions for the kernels without a comparison
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    listing: bool,
    /// Write the Markdown document to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// The results of a comparison.
struct Comparison {
    /// Rows of code in the order of nvcc's list, followed by rows of launches.
    rows: Vec<Row>,
    /// Cycles of one block, if compared.
    cycles: Option<Vec<OneBlock>>,
    /// Cycles of grids on all SMs, if compared.
    grids: Option<grids::Grids>,
    /// The hardware's overhead cycles around a kernel.
    overhead: Overhead,
}

impl Comparison {
    /// Returns the distinct architectures of the rows.
    fn archs(&self) -> Vec<ArchId> {
        let is_there = |arch: &ArchId| self.rows.iter().any(|row| row.arch == *arch);
        ArchId::ALL.into_iter().filter(is_there).collect()
    }

    fn of(&self, arch: ArchId, measure: Measure) -> Vec<&Row> {
        let fits = |row: &&Row| row.arch == arch && row.measure == measure;
        self.rows.iter().filter(fits).collect()
    }
}

pub(super) fn run(args: &QualityArgs, out: &mut dyn Write) -> CliResult {
    let (list, root) = match &args.files {
        Some(list) => (list.clone(), &args.root),
        None => (args.dir.join("static.csv"), &args.dir),
    };
    let is_asked_for = |name: &str| args.only.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let is_compared = |arch: &ArchId| args.arch.is_empty() || args.arch.contains(arch);
    let mut kernels = nvcc::read(&list)?;
    kernels.retain(|kernel| is_compared(&kernel.arch) && is_asked_for(&kernel.kernel));
    let runs = args.files.is_none() && !args.is_static && is_compared(&code::MEASURED);
    let mut cases: Vec<Case> = Vec::new();
    if runs {
        cases = cases::load(&args.dir).map_err(|error| CliError::Input(error.to_string()))?;
        cases.retain(|case| is_asked_for(&case.name) || is_asked_for(&case.kernel));
    }
    let files = (kernels.iter().map(|kernel| &kernel.file)).chain(cases.iter().map(|case| &case.file));
    let sources = sources(root, files);
    if args.listing {
        return list_instructions(&kernels, &sources, out);
    }
    let mut rows = code::static_rows(&kernels, &sources);
    let (mut cycles, mut grids, mut overhead) = (None, None, Overhead::default());
    if runs {
        overhead = Overhead::measure().map_err(CliError::Input)?;
        rows.extend(code::executed_rows(&cases, &sources));
        cycles = Some(cycles::measure(&args.dir, &cases, &sources)?);
        grids = Some(grids::measure(&cases, &sources));
    }
    if rows.is_empty() {
        return Err(CliError::Input(format!(
            "{} has no matching kernel",
            list.display()
        )));
    }
    let comparison = Comparison {
        rows,
        cycles,
        grids,
        overhead,
    };
    let document = document::document(&comparison);
    if let Some(path) = &args.markdown {
        std::fs::write(path, &document)
            .map_err(|error| CliError::Input(format!("cannot write {}: {error}", path.display())))?;
    }
    if args.csv {
        write_csv(&comparison, out)?;
    } else if args.markdown.is_none() {
        write!(out, "{document}")?;
    }
    Ok(Verdict::Good)
}

/// Reads the source files of a folder.
fn sources<'a>(root: &Path, files: impl Iterator<Item = &'a String>) -> Sources {
    let files: BTreeSet<&String> = files.collect();
    let read = |file: &String| {
        let bytes = std::fs::read(root.join(file)).map_err(|error| format!("cannot read {file}: {error}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    files.into_iter().map(|file| (file.clone(), read(file))).collect()
}

fn list_instructions(kernels: &[NvccKernel], sources: &Sources, out: &mut dyn Write) -> CliResult {
    for NvccKernel {
        file,
        kernel,
        arch,
        registers,
        instructions,
    } in kernels
    {
        match code::compile(sources, file, kernel, *arch) {
            Ok(program) => {
                let (ours, num) = (program.registers_per_thread, code::num_instructions(&program));
                writeln!(
                    out,
                    "// {file}: {kernel} on {arch}: {ours} registers (nvcc {registers}), {num} instructions \
                     (nvcc {instructions})\n{}",
                    program.listing()
                )?;
            }
            Err(reason) => writeln!(out, "// {file}: {kernel} on {arch}: {reason}\n")?,
        }
    }
    Ok(Verdict::Good)
}

fn write_csv(comparison: &Comparison, out: &mut dyn Write) -> Result<(), CliError> {
    let mut writer = csv::Writer::from_writer(out);
    let wrong = |error: csv::Error| CliError::Write(error.into());
    let columns = [
        "file", "name", "arch", "measure", "ours", "theirs", "ratio", "left_out",
    ];
    writer.write_record(columns).map_err(wrong)?;
    for row in comparison.rows.iter().cloned().chain(cycle_rows(comparison)) {
        let ratio = row
            .ratio()
            .map_or_else(String::new, |ratio| format!("{ratio:.3}"));
        let (ours, reason) = match row.ours {
            Ok(ours) => (ours.to_string(), String::new()),
            Err(reason) => (String::new(), reason),
        };
        let measure = row.measure.name().to_owned();
        let cells = [
            row.file,
            row.name,
            row.arch.to_string(),
            measure,
            ours,
            row.reference.to_string(),
            ratio,
            reason,
        ];
        writer.write_record(cells).map_err(wrong)?;
    }
    writer.flush()?;
    Ok(())
}

/// Returns the cycles of one block with the nearer of the two measurements.
fn cycle_rows(comparison: &Comparison) -> impl Iterator<Item = Row> {
    comparison.cycles.iter().flatten().map(|block| Row {
        file: block.file.clone(),
        name: block.case.clone(),
        arch: code::MEASURED,
        measure: Measure::Cycles,
        reference: block.nearer(comparison.overhead).unwrap_or(block.hardware.warm),
        ours: block.ours.as_ref().map(|run| run.cycles).map_err(String::clone),
    })
}
