//! `access`: the cost of warp-wide memory accesses.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::table::Table;
use super::{CliError, CliResult, Verdict};
use engine::access::{AccessOp, CacheLevel, global_counts, shared};
use engine::arch::{ArchId, BankSize, CoalescingRule, architecture};
use engine::ids::LaneMask;

/// Count the wavefronts of shared-memory accesses, and the requests and sectors of global accesses
///
/// Reads a CSV table of warp-wide accesses with the columns id, space (shared or global), op (ld, st, or atom),
/// `width_bits` (per lane), mask (hexadecimal, bit l is lane l), and off0 to off31 (byte offsets from a base with
/// 128-byte alignment). Offsets of lanes outside the mask can be empty. Other columns are ignored. Prints
/// `id,wavefronts,sectors,requests`, and also `transactions,bytes` on architectures that transfer segments or lines.
#[derive(Args)]
pub(super) struct AccessArgs {
    /// The CSV table; `-` reads standard input
    file: PathBuf,
    /// The architecture ID, as `arch list` prints it
    #[arg(long, default_value = "tu102")]
    arch: ArchId,
    /// Caching of global loads [default: the architecture's default]
    #[arg(long, value_enum)]
    dlcm: Option<Dlcm>,
    /// Width of a shared memory bank in bytes: 4, or 8 on compute capability 3.x
    /// (cudaDeviceSetSharedMemConfig)
    #[arg(long, default_value_t = 4)]
    bank_size: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dlcm {
    /// L1 and L2
    Ca,
    /// L2 only
    Cg,
}

pub(super) fn run(args: &AccessArgs, out: &mut dyn Write) -> CliResult {
    let arch = architecture(args.arch);
    let banks = BankSize::of_bytes(arch, args.bank_size)
        .map_err(|why| CliError::Input(format!("--bank-size: {why}")))?;
    let banks = arch.memory.banks(banks);
    let counts_transactions = !matches!(
        arch.memory.coalescing.value,
        CoalescingRule::Sectors | CoalescingRule::SectorsByLaneGroup
    );
    let loads_in_l1 = args.dlcm.map_or_else(
        || {
            arch.memory
                .l1
                .as_ref()
                .is_some_and(|l1| l1.caches_globals_by_default.value)
        },
        |dlcm| dlcm == Dlcm::Ca,
    );
    let table = Table::read(&args.file)?;
    let columns = Columns::of(&table)?;
    write!(out, "id,wavefronts,sectors,requests")?;
    writeln!(
        out,
        "{}",
        if counts_transactions {
            ",transactions,bytes"
        } else {
            ""
        }
    )?;
    for row in 0..table.rows.len() {
        let access = columns.access(&table, row)?;
        write!(out, "{}", table.rows[row][columns.id])?;
        if access.is_shared {
            let offsets = access.offsets.map(|offset| offset as u32);
            let wavefronts = shared(banks, access.op, access.width_bits, &offsets, access.mask).wavefronts();
            writeln!(
                out,
                ",{wavefronts},,{}",
                if counts_transactions { ",," } else { "" }
            )?;
            continue;
        }
        // Stores and atomics bypass L1.
        let is_in_l1 = access.op == AccessOp::Load && loads_in_l1;
        let level = if is_in_l1 { CacheLevel::L1 } else { CacheLevel::L2 };
        let counts = global_counts(
            arch,
            level,
            access.op,
            access.width_bits,
            &access.offsets,
            access.mask,
        );
        write!(out, ",,{},{}", counts.sectors, counts.requests)?;
        if counts_transactions {
            write!(out, ",{},{}", counts.transactions, counts.bytes)?;
        }
        writeln!(out)?;
    }
    Ok(Verdict::Good)
}

struct Access {
    is_shared: bool,
    op: AccessOp,
    width_bits: u32,
    mask: LaneMask,
    offsets: [u64; 32],
}

/// The column indices of the table.
struct Columns {
    id: usize,
    space: usize,
    op: usize,
    width_bits: usize,
    mask: usize,
    offsets: [usize; 32],
}

impl Columns {
    fn of(table: &Table) -> Result<Self, CliError> {
        let mut offsets = [0; 32];
        for (lane, column) in offsets.iter_mut().enumerate() {
            *column = table.column(&format!("off{lane}"))?;
        }
        Ok(Self {
            id: table.column("id")?,
            space: table.column("space")?,
            op: table.column("op")?,
            width_bits: table.column("width_bits")?,
            mask: table.column("mask")?,
            offsets,
        })
    }

    fn access(&self, table: &Table, row: usize) -> Result<Access, CliError> {
        let text = |column: usize| table.rows[row][column].as_str();
        let wrong = |column: usize, expected: &str| {
            let (line, name, text) = (row + 2, &table.columns[column], text(column));
            CliError::Input(format!("line {line}: `{name}` must be {expected}, not `{text}`"))
        };
        let is_shared = match text(self.space) {
            "shared" => true,
            "global" => false,
            _ => return Err(wrong(self.space, "shared or global")),
        };
        let op = match text(self.op) {
            "ld" => AccessOp::Load,
            "st" => AccessOp::Store,
            "atom" => AccessOp::Atomic,
            _ => return Err(wrong(self.op, "ld, st, or atom")),
        };
        let width_bits = table.cell(row, self.width_bits)?;
        if ![8, 16, 32, 64, 128].contains(&width_bits) {
            return Err(wrong(self.width_bits, "8, 16, 32, 64, or 128"));
        }
        let digits = text(self.mask).trim_start_matches("0x");
        let mask = u32::from_str_radix(digits, 16).map_err(|_| wrong(self.mask, "a hexadecimal number"))?;
        let mask = LaneMask(mask);
        let mut offsets = [0; 32];
        for lane in mask.lanes() {
            offsets[lane as usize] = table.cell(row, self.offsets[lane as usize])?;
        }
        Ok(Access {
            is_shared,
            op,
            width_bits,
            mask,
            offsets,
        })
    }
}
