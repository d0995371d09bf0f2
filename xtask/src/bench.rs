//! Speed and size against the budgets, as one table.

use crate::page;
use crate::step::announce;

/// Measures and prints; an error if something cannot be measured.
pub(crate) fn run() -> Result<(), String> {
    page::build_only()?;
    announce("download");
    page::report_size()?;
    Ok(())
}
