//! Warp cycles of each instruction by state at points of time, so that any stretch of a long run is
//! summed without going through all of it.

use super::runs::StateCycles;
use crate::ids::Cycle;

/// Memory that the sums may take, in bytes.
const MAX_BYTES: usize = 1 << 22;
const MAX_POINTS: usize = 1 << 10;
/// Cycles between two points at first.
const FIRST_STEP: u64 = 1 << 12;

/// Sums from the start of the run at equal steps, by instruction. The steps double as the run grows.
#[derive(Clone, Debug)]
pub(crate) struct PcStates {
    step: u64,
    most_points: usize,
    num_instructions: usize,
    /// At cycle `(n + 1) * step`.
    points: Vec<Vec<StateCycles>>,
}

impl PcStates {
    /// Of a program of so many instructions.
    pub(crate) fn new(num_instructions: usize) -> Self {
        let bytes = (num_instructions * size_of::<StateCycles>()).max(1);
        Self {
            step: FIRST_STEP,
            most_points: (MAX_BYTES / bytes).clamp(2, MAX_POINTS),
            num_instructions,
            points: Vec::new(),
        }
    }

    /// Makes the points up to a cycle that has been simulated; `add` adds a stretch.
    pub(crate) fn reach(&mut self, cycle: Cycle, add: impl Fn(Cycle, Cycle, &mut [StateCycles])) {
        while (self.points.len() as u64 + 1) * self.step <= cycle.0 {
            let at = self.points.len() as u64 * self.step;
            let mut sums = match self.points.last() {
                Some(sums) => sums.clone(),
                None => vec![StateCycles::default(); self.num_instructions],
            };
            add(Cycle(at), Cycle(at + self.step), &mut sums);
            self.points.push(sums);
            if self.points.len() > self.most_points {
                // Every other stays: the second, the fourth.
                let mut idx = 0;
                self.points.retain(|_| {
                    idx += 1;
                    idx % 2 == 0
                });
                self.step *= 2;
            }
        }
    }

    /// The cycle at which the next point will be.
    pub(crate) const fn next(&self) -> Cycle {
        Cycle((self.points.len() as u64 + 1) * self.step)
    }

    /// The last point at or before a cycle: its cycle, and the sums up to it (none at the start).
    pub(crate) fn before(&self, cycle: Cycle) -> (Cycle, Option<&[StateCycles]>) {
        let num = ((cycle.0 / self.step) as usize).min(self.points.len());
        let sums = num.checked_sub(1).map(|idx| self.points[idx].as_slice());
        (Cycle(num as u64 * self.step), sums)
    }
}
