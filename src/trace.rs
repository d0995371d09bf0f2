//! The record of a run: compact columns of what every warp slot did in every cycle, and
//! checkpoints from which the machine's full state at any cycle is had again. Immutable once made.
//! Knows nothing of drawing.

mod accesses;
mod bytes;
mod density;
mod issues;
mod record;
mod recorder;
mod runs;
mod tally;
#[cfg(test)]
mod tests;

pub use accesses::{AccessRow, is_shared};
pub use density::DensityColumn;
pub use issues::IssueRow;
pub use record::{Direction, Record};
pub use recorder::{BarrierRelease, BlockSpan, Reconvergence};
pub use runs::{Run, StateCycles};
pub use tally::{AccessTally, PcTally};
