//! `occupancy`: computes resident blocks and their limits.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::table::Table;
use super::{CliError, CliResult, Verdict};
use engine::arch::{ComputeCapability, GlobalCaching, LaunchResources, Occupancy, occupancy_rules};

/// Compute the resident blocks per SM of launches, and every limit
///
/// Reads a CSV table with the columns cc, `threads_per_block`, `registers_per_thread`, `static_shared`,
/// `dynamic_shared`, and `carveout_percent` (-1: the driver's default), or one launch from flags. Prints the same rows
/// with `blocks_per_sm`, `limit_warps`, `limit_blocks`, `limit_registers`, `limit_shared` (-1: no limit),
/// `allocated_registers_per_block`, and `allocated_shared_per_block`.
#[derive(Args)]
pub(super) struct OccupancyArgs {
    /// The CSV table; `-` reads standard input
    #[arg(required_unless_present = "cc")]
    file: Option<PathBuf>,
    /// Compute capability, for example 7.5
    #[arg(long, conflicts_with = "file", requires = "threads_per_block")]
    cc: Option<String>,
    /// Threads per block
    #[arg(long)]
    threads_per_block: Option<u32>,
    /// Registers per thread
    #[arg(long, default_value_t = 16)]
    registers_per_thread: u32,
    /// Static shared memory per block in bytes
    #[arg(long, default_value_t = 0)]
    static_shared: u32,
    /// Dynamic shared memory per block in bytes
    #[arg(long, default_value_t = 0)]
    dynamic_shared: u32,
    /// Preferred shared memory carveout in percent of the maximum; -1: the driver's default
    #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
    carveout_percent: i32,
}

const INPUTS: [&str; 6] = [
    "cc",
    "threads_per_block",
    "registers_per_thread",
    "static_shared",
    "dynamic_shared",
    "carveout_percent",
];
const RESULTS: &str = "blocks_per_sm,limit_warps,limit_blocks,limit_registers,limit_shared,\
                       allocated_registers_per_block,allocated_shared_per_block";

pub(super) fn run(args: &OccupancyArgs, out: &mut dyn Write) -> CliResult {
    writeln!(out, "{},{RESULTS}", INPUTS.join(","))?;
    if let Some(path) = &args.file {
        let table = Table::read(path)?;
        let mut columns = [0; INPUTS.len()];
        for (column, name) in columns.iter_mut().zip(INPUTS) {
            *column = table.column(name)?;
        }
        for row in 0..table.rows.len() {
            let [cc, threads, registers, static_shared, dynamic_shared, carveout] = columns;
            let resources = LaunchResources {
                threads_per_block: table.cell(row, threads)?,
                registers_per_thread: table.cell(row, registers)?,
                static_shared: table.cell(row, static_shared)?,
                dynamic_shared: table.cell(row, dynamic_shared)?,
                carveout_percent: percent(table.cell(row, carveout)?),
                global_caching: GlobalCaching::Default,
            };
            write_row(&table.rows[row][cc], &resources, out)?;
        }
        return Ok(Verdict::Good);
    }
    let (Some(cc), Some(threads_per_block)) = (&args.cc, args.threads_per_block) else {
        return Err(CliError::Input(
            "specify a table, or --cc and --threads-per-block".to_owned(),
        ));
    };
    let resources = LaunchResources {
        threads_per_block,
        registers_per_thread: args.registers_per_thread,
        static_shared: args.static_shared,
        dynamic_shared: args.dynamic_shared,
        carveout_percent: percent(args.carveout_percent),
        global_caching: GlobalCaching::Default,
    };
    write_row(cc, &resources, out)?;
    Ok(Verdict::Good)
}

fn percent(number: i32) -> Option<u32> {
    u32::try_from(number).ok()
}

fn write_row(cc: &str, resources: &LaunchResources, out: &mut dyn Write) -> Result<(), CliError> {
    let unknown = || {
        CliError::Input(format!(
            "no occupancy rules are known for compute capability `{cc}`"
        ))
    };
    let capability = cc
        .split_once('.')
        .and_then(|(major, minor)| {
            Some(ComputeCapability {
                major: major.parse().ok()?,
                minor: minor.parse().ok()?,
            })
        })
        .ok_or_else(unknown)?;
    let Occupancy {
        blocks_per_sm,
        limit_warps,
        limit_blocks,
        limit_registers,
        limit_shared,
        allocated_registers_per_block,
        allocated_shared_per_block,
        ..
    } = occupancy_rules(capability)
        .ok_or_else(unknown)?
        .resident_blocks(resources);
    let or_none = |limit: Option<u32>| limit.map_or(-1, i64::from);
    let LaunchResources {
        threads_per_block,
        registers_per_thread,
        static_shared,
        dynamic_shared,
        ..
    } = resources;
    writeln!(
        out,
        "{cc},{threads_per_block},{registers_per_thread},{static_shared},{dynamic_shared},{},\
         {blocks_per_sm},{limit_warps},{limit_blocks},{},{},\
         {allocated_registers_per_block},{allocated_shared_per_block}",
        or_none(resources.carveout_percent),
        or_none(limit_registers),
        or_none(limit_shared),
    )?;
    Ok(())
}
