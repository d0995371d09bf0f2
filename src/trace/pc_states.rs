//! Warp cycles of each instruction by state at points of time, so that any stretch of a long run is
//! summed without going through all of it.

use super::runs::StateCycles;
use crate::ids::Cycle;

/// Memory that the sums may take, in bytes.
const MAX_BYTES: usize = 1 << 20;
const MAX_POINTS: u64 = 64;
/// Runs shorter than this are summed as they are.
const LEAST_STEP: u64 = 1 << 12;

/// Sums from the start of the run at equal steps, by instruction.
#[derive(Clone, Debug)]
pub(crate) struct PcStates {
    step: u64,
    /// At cycle `(n + 1) * step`.
    points: Vec<Vec<StateCycles>>,
}

impl PcStates {
    /// Sums a run of `end` cycles of a program of so many instructions; `add` adds a stretch.
    pub(crate) fn new(
        end: Cycle,
        num_instructions: usize,
        add: impl Fn(Cycle, Cycle, &mut [StateCycles]),
    ) -> Self {
        let bytes = (num_instructions * size_of::<StateCycles>()).max(1);
        let most = ((MAX_BYTES / bytes) as u64).clamp(1, MAX_POINTS);
        let step = end.0.div_ceil(most).max(LEAST_STEP);
        let mut sums = vec![StateCycles::default(); num_instructions];
        let points = (1..=end.0 / step)
            .map(|point| {
                add(Cycle((point - 1) * step), Cycle(point * step), &mut sums);
                sums.clone()
            })
            .collect();
        Self { step, points }
    }

    /// The last point at or before a cycle: its cycle, and the sums up to it (none at the start).
    pub(crate) fn before(&self, cycle: Cycle) -> (Cycle, Option<&[StateCycles]>) {
        let num = ((cycle.0 / self.step) as usize).min(self.points.len());
        let sums = num.checked_sub(1).map(|idx| self.points[idx].as_slice());
        (Cycle(num as u64 * self.step), sums)
    }
}
