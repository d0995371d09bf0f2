//! `arch`: prints the architectures and their numbers with sources.

use std::io::Write;

use clap::Subcommand;

use super::{CliResult, Verdict};
use engine::arch::{ArchId, ValueRow, architecture};

/// List the simulated architectures, or print every number of an architecture with its source
#[derive(Subcommand)]
pub(super) enum Command {
    /// List all architectures, oldest first: ID, compute capability, year, and name
    List,
    /// Print every number of an architecture: value, unit, source, remarks, and values of other sources
    Show {
        /// The architecture ID, as `arch list` prints it
        id: ArchId,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    match command {
        Command::List => list(out),
        Command::Show { id, json: false } => show(*id, out),
        Command::Show { id, json: true } => show_json(*id, out),
    }
}

fn list(out: &mut dyn Write) -> CliResult {
    for id in ArchId::ALL {
        let arch = architecture(id);
        let sms = arch.chip.num_sms.value;
        writeln!(
            out,
            "{id:<6} {:>4} {} {} ({}, {sms} SMs)",
            arch.compute_capability.to_string(),
            arch.year.value,
            arch.name,
            arch.chip.example_part.value
        )?;
    }
    Ok(Verdict::Good)
}

fn show(id: ArchId, out: &mut dyn Write) -> CliResult {
    let arch = architecture(id);
    writeln!(
        out,
        "{}, compute capability {}, {}",
        arch.name, arch.compute_capability, arch.year.value
    )?;
    for row in arch.values() {
        write_row(&row, out)?;
    }
    for conflict in arch.conflicts() {
        writeln!(out, "\nsources disagree: {}", conflict.topic)?;
        for claim in conflict.claims {
            writeln!(out, "    {claim}")?;
        }
        writeln!(out, "    simulated: {}", conflict.simulated)?;
    }
    Ok(Verdict::Good)
}

fn write_row(row: &ValueRow, out: &mut dyn Write) -> std::io::Result<()> {
    let unit = if row.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", row.unit)
    };
    writeln!(out, "\n{} = {}{unit}", row.path, row.value)?;
    writeln!(out, "    {}", row.description)?;
    if row.source.is_empty() {
        writeln!(out, "    assumption: {}", row.note)?;
    } else {
        writeln!(out, "    {:?}: {}", row.quality, row.source)?;
        if !row.note.is_empty() {
            writeln!(out, "    {}", row.note)?;
        }
    }
    for other in row.alternatives {
        writeln!(out, "    {} according to {}", other.value, other.source)?;
    }
    Ok(())
}

fn show_json(id: ArchId, out: &mut dyn Write) -> CliResult {
    let arch = architecture(id);
    let conflicts: Vec<_> = arch.conflicts().collect();
    let object = serde_json::json!({
        "id": id,
        "name": arch.name,
        "compute_capability": arch.compute_capability.to_string(),
        "year": arch.year.value,
        "values": arch.values(),
        "conflicts": conflicts,
    });
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)?;
    Ok(Verdict::Good)
}
