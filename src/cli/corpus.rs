//! `corpus`: runs a folder of kernels with outputs and counts measured on a GPU.

mod counts;
mod judge;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::{CliError, CliResult, Verdict};
use ::corpus::cases;
use engine::arch::ArchId;
use judge::{Judgement, Row, Runner};

/// Run a corpus of kernels and compare outputs and counts with a GPU
///
/// The folder contains cases.toml, the kernels, expected/, and measured.csv in the format of its README. Outputs are
/// compared on every architecture, counts of memory accesses on 7.5. Prints one line per case and measure
/// (`case,arch,measure,expected,got,ok`), the skipped cases with reasons, and a summary. Exits with 1 if a difference
/// has no reason in the folder's differences.csv (`case,measure,reason`).
#[derive(Args)]
pub(super) struct CorpusArgs {
    /// The corpus folder
    dir: PathBuf,
    /// Comma-separated architecture IDs [default: all]
    #[arg(long, value_delimiter = ',')]
    arch: Vec<ArchId>,
    /// Run only cases whose name contains this text
    #[arg(long)]
    only: Option<String>,
    /// Run the untimed reference interpreter instead of the simulator, and compare outputs only
    #[arg(long)]
    reference: bool,
    /// Print only lines with differences
    #[arg(long)]
    differences: bool,
}

/// The results of a corpus run on one architecture.
#[derive(Default)]
struct Summary {
    equal: Vec<String>,
    different: Vec<String>,
    out_of_scope: Vec<String>,
    refused: Vec<String>,
    /// The number of cases with compared counts, and of those without a difference.
    counted: (usize, usize),
}

pub(super) fn run(args: &CorpusArgs, out: &mut dyn Write) -> CliResult {
    let cases = cases::load(&args.dir).map_err(|error| CliError::Input(error.to_string()))?;
    let reasons = reasons(&args.dir)?;
    let runner = if args.reference {
        Runner::Reference
    } else {
        Runner::Machine
    };
    let mut archs = args.arch.clone();
    if archs.is_empty() {
        archs.extend(ArchId::ALL);
    }
    let mut sources = BTreeMap::new();
    let mut tasks = Vec::new();
    for case in &cases {
        if args.only.as_ref().is_some_and(|part| !case.name.contains(part)) {
            continue;
        }
        if !sources.contains_key(&case.file) {
            sources.insert(case.file.clone(), read(&args.dir.join(&case.file))?);
        }
        tasks.extend(archs.iter().map(|arch| (case, *arch)));
    }
    let judgements = in_parallel(&tasks, |(case, arch)| {
        judge::judge(case, &sources[&case.file], *arch, runner)
    });

    let mut summaries: Vec<Summary> = archs.iter().map(|_| Summary::default()).collect();
    let mut unexplained = 0;
    let mut explained: Vec<String> = Vec::new();
    writeln!(out, "case,arch,measure,expected,got,ok")?;
    for (idx, ((case, arch), judgement)) in tasks.iter().zip(judgements).enumerate() {
        let summary = &mut summaries[idx % archs.len()];
        let name = case.name.clone();
        let rows = match judgement {
            Judgement::OutOfScope(reason) => {
                summary.out_of_scope.push(format!("{name}: {reason}"));
                continue;
            }
            Judgement::Refused(reason) => {
                summary.refused.push(format!("{name}: {reason}"));
                continue;
            }
            Judgement::Rows(rows) => rows,
        };
        for row in rows.iter().filter(|row| !(args.differences && row.ok)) {
            write_row(&name, *arch, row, out)?;
        }
        let counts: Vec<&Row> = rows.iter().filter(|row| row.is_count).collect();
        if !counts.is_empty() {
            summary.counted.0 += 1;
            summary.counted.1 += usize::from(counts.iter().all(|row| row.ok));
        }
        for row in rows.iter().filter(|row| !row.ok) {
            let key = (name.clone(), row.measure.clone());
            match reasons.get(&key) {
                Some(reason) => explained.push(format!("{name} on {arch}, {}: {reason}", row.measure)),
                None => unexplained += 1,
            }
        }
        let outputs_equal = rows.iter().all(|row| row.ok || row.is_count);
        if outputs_equal {
            &mut summary.equal
        } else {
            &mut summary.different
        }
        .push(name);
    }
    for (arch, summary) in archs.iter().zip(&summaries) {
        write_summary(*arch, summary, out)?;
    }
    write_list("differences with a reason", &explained, out)?;
    writeln!(out, "# {unexplained} differences without a reason")?;
    Ok(if unexplained == 0 {
        Verdict::Good
    } else {
        Verdict::Bad
    })
}

/// Returns the result of `work` for each task in order, computed on all cores of the computer.
pub(super) fn in_parallel<T: Sync, R: Send>(tasks: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let num_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..num_threads {
            scope.spawn(|| {
                while let Some((idx, task)) = {
                    let idx = next.fetch_add(1, Ordering::Relaxed);
                    tasks.get(idx).map(|task| (idx, task))
                } {
                    let result = work(task);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((idx, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(idx, _)| *idx);
    done.into_iter().map(|(_, result)| result).collect()
}

fn read(path: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Returns the reasons for known differences by case and measure; none if the folder has no differences.csv.
fn reasons(dir: &Path) -> Result<BTreeMap<(String, String), String>, CliError> {
    let path = dir.join("differences.csv");
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let table = super::table::Table::read(&path)?;
    let columns = (
        table.column("case")?,
        table.column("measure")?,
        table.column("reason")?,
    );
    let entry = |row: &Vec<String>| {
        let (case, measure, reason) = columns;
        ((row[case].clone(), row[measure].clone()), row[reason].clone())
    };
    Ok(table.rows.iter().map(entry).collect())
}

fn write_row(case: &str, arch: ArchId, row: &Row, out: &mut dyn Write) -> std::io::Result<()> {
    let ok = if row.ok { "yes" } else { "no" };
    let quoted = |text: &str| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    writeln!(
        out,
        "{case},{arch},{},{},{},{ok}",
        row.measure,
        quoted(&row.expected),
        quoted(&row.got)
    )
}

fn write_summary(arch: ArchId, summary: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
    let Summary {
        equal,
        different,
        out_of_scope,
        refused,
        counted,
    } = summary;
    writeln!(
        out,
        "# {arch}: outputs equal in {} cases, different in {}; {} out of scope, {} refused by the architecture",
        equal.len(),
        different.len(),
        out_of_scope.len(),
        refused.len()
    )?;
    if counted.0 > 0 {
        let percent = 100.0 * counted.1 as f64 / counted.0 as f64;
        writeln!(
            out,
            "# {arch}: all counts equal in {} of {} cases ({percent:.1} %)",
            counted.1, counted.0
        )?;
    }
    write_list("different", different, out)?;
    write_list("out of scope", out_of_scope, out)?;
    write_list("refused", refused, out)
}

fn write_list(title: &str, items: &[String], out: &mut dyn Write) -> std::io::Result<()> {
    if !items.is_empty() {
        writeln!(out, "# {title}:")?;
    }
    for item in items {
        writeln!(out, "#   {item}")?;
    }
    Ok(())
}
