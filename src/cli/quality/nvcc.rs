//! Reads the numbers of nvcc's code: `static.csv` of a corpus folder, and tables in its format.

use std::path::Path;

use crate::CliError;
use crate::table::Table;
use engine::arch::{ArchId, architecture};

/// One kernel as nvcc compiled it for one architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NvccKernel {
    /// The kernel file, relative to the folder of the kernels.
    pub(super) file: String,
    /// The kernel name, with template arguments as C++ text.
    pub(super) kernel: String,
    /// The target architecture of the code.
    pub(super) arch: ArchId,
    /// Registers per thread, as `-Xptxas -v` prints them.
    pub(super) registers: u32,
    /// Instructions without padding and without the final branch to itself.
    pub(super) instructions: u32,
}

/// The instruction that nvcc emits after the last EXIT of a kernel and that no warp executes.
const CLOSING_BRANCH: u32 = 1;

/// Returns all rows of a table with the columns `file`, `kernel`, `sm` or `arch`, `registers`, and `instructions`.
///
/// # Errors
/// Returns an error if the file is missing or malformed.
pub(super) fn read(path: &Path) -> Result<Vec<NvccKernel>, CliError> {
    let table = Table::read(path)?;
    let sm = table.column("sm").or_else(|_| table.column("arch"))?;
    let (file, kernel) = (table.column("file")?, table.column("kernel")?);
    let (registers, instructions) = (table.column("registers")?, table.column("instructions")?);
    (0..table.rows.len())
        .map(|row| {
            let cells = &table.rows[row];
            let num: u32 = table.cell(row, instructions)?;
            Ok(NvccKernel {
                file: cells[file].clone(),
                kernel: cells[kernel].clone(),
                arch: arch_of(&cells[sm]).ok_or_else(|| {
                    let text = &cells[sm];
                    CliError::Input(format!(
                        "{}: no simulated architecture matches `{text}`",
                        path.display()
                    ))
                })?,
                registers: table.cell(row, registers)?,
                instructions: num.saturating_sub(CLOSING_BRANCH),
            })
        })
        .collect()
}

/// Returns the architecture of `sm_75` or `75`.
fn arch_of(sm: &str) -> Option<ArchId> {
    let number: u8 = sm.trim_start_matches("sm_").parse().ok()?;
    ArchId::ALL.into_iter().find(|id| {
        let capability = architecture(*id).compute_capability;
        capability.major * 10 + capability.minor == number
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_of_the_corpus_has_a_row_for_both_architectures() {
        let rows = read(Path::new("../../tests/corpus/static.csv")).expect("the table is readable");
        for arch in [ArchId::Tu102, ArchId::Gh100] {
            assert_eq!(rows.iter().filter(|row| row.arch == arch).count(), 100);
        }
        let saxpy = NvccKernel {
            file: "saxpy.cu".to_owned(),
            kernel: "saxpy".to_owned(),
            arch: ArchId::Tu102,
            registers: 24,
            instructions: 81,
        };
        assert!(rows.contains(&saxpy));
        assert!(rows.iter().any(|row| row.kernel == "sum_rows<float, 8>"));
    }

    #[test]
    fn an_architecture_is_found_by_its_number() {
        assert_eq!(arch_of("sm_90"), Some(ArchId::Gh100));
        assert_eq!(arch_of("75"), Some(ArchId::Tu102));
        assert_eq!(arch_of("sm_999"), None);
    }
}
