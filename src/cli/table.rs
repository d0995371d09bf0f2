//! CSV tables with named columns.

use std::path::Path;
use std::str::FromStr;

use super::CliError;

/// A table in memory.
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a CSV file; `-` reads standard input.
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        let bytes = if path == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
        } else {
            std::fs::read(path)
        };
        let bytes = bytes.map_err(|source| CliError::Read {
            path: path.to_owned(),
            source,
        })?;
        let wrong = |error: csv::Error| CliError::Input(format!("{}: {error}", path.display()));
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(bytes.as_slice());
        let columns = reader
            .headers()
            .map_err(wrong)?
            .iter()
            .map(str::to_owned)
            .collect();
        let rows = reader
            .records()
            .map(|record| Ok(record.map_err(wrong)?.iter().map(str::to_owned).collect()))
            .collect::<Result<_, CliError>>()?;
        Ok(Self { columns, rows })
    }

    /// Returns the index of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize, CliError> {
        self.columns
            .iter()
            .position(|column| column == name)
            .ok_or_else(|| CliError::Input(format!("the table has no column `{name}`")))
    }

    /// Parses a cell. The error names line and column.
    pub(super) fn cell<T: FromStr>(&self, row: usize, column: usize) -> Result<T, CliError> {
        let text = &self.rows[row][column];
        text.parse().map_err(|_| {
            // Line 1 of the file contains the column names.
            let line = row + 2;
            CliError::Input(format!(
                "line {line}: `{text}` is not a valid value for `{}`",
                self.columns[column]
            ))
        })
    }
}
