//! How the slots and the issue slots were used over the whole run, at a resolution that halves when
//! the run grows, so that it takes a bounded amount of memory and any zoom is drawn at once.

use super::runs::StateCycles;
use crate::ids::Cycle;
use crate::sim::WarpState;

const NUM_STATES: usize = WarpState::ALL.len();
const MAX_ROWS: usize = 1 << 16;
const FIRST_GRID_SHIFT: u32 = 5;

/// Use of the machine in a bucket of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DensityColumn {
    /// First cycle of the bucket.
    pub start: Cycle,
    /// Cycle after its last.
    pub end: Cycle,
    /// Slot-cycles by state.
    pub states: StateCycles,
    /// Scheduler-cycles in which an instruction issued.
    pub issue_cycles: u64,
}

/// Rows of 2^n cycles with slot-cycles by state and, last, the cycles with an issue.
#[derive(Clone, Debug)]
pub(crate) struct DensityBuilder {
    shift: u32,
    rows: Vec<[u32; NUM_STATES + 1]>,
}

impl Default for DensityBuilder {
    fn default() -> Self {
        Self {
            shift: FIRST_GRID_SHIFT,
            rows: Vec::new(),
        }
    }
}

impl DensityBuilder {
    fn reach(&mut self, cycle: u32) {
        while (cycle >> self.shift) as usize >= MAX_ROWS {
            let halved = self
                .rows
                .chunks(2)
                .map(|pair| {
                    let mut sum = pair[0];
                    for other in &pair[1..] {
                        for (to, from) in sum.iter_mut().zip(other) {
                            *to += from;
                        }
                    }
                    sum
                })
                .collect();
            self.rows = halved;
            self.shift += 1;
        }
        let row = (cycle >> self.shift) as usize;
        if row >= self.rows.len() {
            self.rows.resize(row + 1, [0; NUM_STATES + 1]);
        }
    }

    /// A slot was in `state` from `start` to before `end`.
    pub(crate) fn add(&mut self, state: WarpState, start: u32, end: u32) {
        self.reach(end - 1);
        let mut at = start;
        while at < end {
            let row = at >> self.shift;
            let next = ((row + 1) << self.shift).min(end);
            self.rows[row as usize][state as usize] += next - at;
            at = next;
        }
    }

    /// A scheduler issued at `cycle`.
    pub(crate) fn add_issue(&mut self, cycle: u32) {
        self.reach(cycle);
        self.rows[(cycle >> self.shift) as usize][NUM_STATES] += 1;
    }

    pub(crate) fn num_bytes(&self) -> usize {
        // The finished form holds sums of 64 bits.
        self.rows.len() * size_of::<[u64; NUM_STATES + 1]>()
    }

    pub(crate) fn finish(self) -> Density {
        let mut sums = Vec::with_capacity(self.rows.len() + 1);
        let mut sum = [0u64; NUM_STATES + 1];
        sums.push(sum);
        for row in &self.rows {
            for (to, from) in sum.iter_mut().zip(row) {
                *to += u64::from(*from);
            }
            sums.push(sum);
        }
        Density {
            shift: self.shift,
            sums,
        }
    }
}

/// Sums from the start of the run at every grid point.
#[derive(Clone, Debug)]
pub(crate) struct Density {
    shift: u32,
    sums: Vec<[u64; NUM_STATES + 1]>,
}

impl Density {
    /// Cycles between two grid points.
    pub(crate) const fn grid_cycles(&self) -> u64 {
        1 << self.shift
    }

    pub(crate) fn num_bytes(&self) -> usize {
        self.sums.len() * size_of::<[u64; NUM_STATES + 1]>()
    }

    /// Use between the grid points nearest to `start` and `end` (both rounded down; the last row
    /// counts as a whole if `end` is the end of the run).
    pub(crate) fn between(&self, start: Cycle, end: Cycle, run_end: Cycle) -> DensityColumn {
        let last = self.sums.len() - 1;
        let from = ((start.0 >> self.shift) as usize).min(last);
        let to = if end >= run_end {
            last
        } else {
            ((end.0 >> self.shift) as usize).min(last)
        };
        let mut column = DensityColumn {
            start: Cycle((from as u64) << self.shift),
            end: Cycle(((to as u64) << self.shift).min(run_end.0)),
            ..DensityColumn::default()
        };
        for (state, cycles) in column.states.iter_mut().enumerate() {
            *cycles = self.sums[to][state] - self.sums[from][state];
        }
        column.issue_cycles = self.sums[to][NUM_STATES] - self.sums[from][NUM_STATES];
        column
    }
}
