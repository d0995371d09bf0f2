//! Cumulative warp cycles of each instruction by state at certain cycles, so that sums over a range of a long
//! run need not visit every run.

use super::runs::StateCycles;
use crate::ids::Cycle;

/// The maximum size of the sums in bytes.
const MAX_BYTES: usize = 1 << 22;
const MAX_POINTS: usize = 1 << 10;
/// The initial number of cycles between two points.
const FIRST_STEP: u64 = 1 << 12;

/// Cumulative sums by instruction at equal steps. The step doubles as the run grows.
#[derive(Clone, Debug)]
pub(crate) struct PcStates {
    step: u64,
    max_points: usize,
    num_instructions: usize,
    /// Point `n` is at cycle `(n + 1) * step`.
    points: Vec<Vec<StateCycles>>,
}

impl PcStates {
    /// Creates the sums for a program with `num_instructions` instructions.
    pub(crate) fn new(num_instructions: usize) -> Self {
        let bytes = (num_instructions * size_of::<StateCycles>()).max(1);
        Self {
            step: FIRST_STEP,
            max_points: (MAX_BYTES / bytes).clamp(2, MAX_POINTS),
            num_instructions,
            points: Vec::new(),
        }
    }

    /// Computes the points up to a simulated cycle; `add` adds the cycles of a range.
    pub(crate) fn reach(&mut self, cycle: Cycle, add: impl Fn(Cycle, Cycle, &mut [StateCycles])) {
        while (self.points.len() as u64 + 1) * self.step <= cycle.0 {
            let at = self.points.len() as u64 * self.step;
            let mut sums = match self.points.last() {
                Some(sums) => sums.clone(),
                None => vec![StateCycles::default(); self.num_instructions],
            };
            add(Cycle(at), Cycle(at + self.step), &mut sums);
            self.points.push(sums);
            if self.points.len() > self.max_points {
                // Keeps every second point.
                let mut idx = 0;
                self.points.retain(|_| {
                    idx += 1;
                    idx % 2 == 0
                });
                self.step *= 2;
            }
        }
    }

    /// The cycle of the next point.
    pub(crate) const fn next(&self) -> Cycle {
        Cycle((self.points.len() as u64 + 1) * self.step)
    }

    /// The last point at or before a cycle: its cycle, and its sums (`None` at the start).
    pub(crate) fn before(&self, cycle: Cycle) -> (Cycle, Option<&[StateCycles]>) {
        let num = ((cycle.0 / self.step) as usize).min(self.points.len());
        let sums = num.checked_sub(1).map(|idx| self.points[idx].as_slice());
        (Cycle(num as u64 * self.step), sums)
    }
}
