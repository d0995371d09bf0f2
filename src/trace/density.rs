//! How the slots and the issue slots were used over the whole run, at a resolution that halves when
//! the run grows, so that it takes a bounded amount of memory and any zoom is drawn at once.

use super::runs::StateCycles;
use crate::ids::Cycle;
use crate::sim::WarpState;

const NUM_STATES: usize = WarpState::ALL.len();
const MAX_ROWS: usize = 1 << 16;
/// Rows of one slot's density: two to four pixels of a wide screen's whole-run timeline.
const MAX_SLOT_ROWS: usize = 1 << 12;
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
    max_rows: usize,
    rows: Vec<[u32; NUM_STATES + 1]>,
}

impl Default for DensityBuilder {
    fn default() -> Self {
        Self::with_rows(MAX_ROWS)
    }
}

impl DensityBuilder {
    const fn with_rows(max_rows: usize) -> Self {
        Self {
            shift: FIRST_GRID_SHIFT,
            max_rows,
            rows: Vec::new(),
        }
    }

    /// A coarser one, for one slot.
    pub(crate) const fn of_slot() -> Self {
        Self::with_rows(MAX_SLOT_ROWS)
    }

    /// Each state's share of every row, for one slot.
    pub(crate) fn finish_slot(self) -> SlotDensity {
        let grid = 1u64 << self.shift;
        let share = |cycles: u32| (u64::from(cycles) * u64::from(u16::MAX) / grid) as u16;
        SlotDensity {
            shift: self.shift,
            rows: self
                .rows
                .iter()
                .map(|row| std::array::from_fn(|state| share(row[state])))
                .collect(),
        }
    }

    fn reach(&mut self, cycle: u32) {
        while (cycle >> self.shift) as usize >= self.max_rows {
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

/// One slot's use over the whole run, coarse: shares of 65535 by state in rows of 2^n cycles.
#[derive(Clone, Debug)]
pub(crate) struct SlotDensity {
    shift: u32,
    rows: Vec<[u16; NUM_STATES]>,
}

impl SlotDensity {
    pub(crate) fn num_bytes(&self) -> usize {
        self.rows.len() * size_of::<[u16; NUM_STATES]>()
    }

    /// Shares of the states in `num` buckets of `from..to`, to the nearest rows; nothing where a
    /// bucket is shorter than two rows.
    pub(crate) fn shares(&self, from: Cycle, to: Cycle, num: usize) -> Option<Vec<[f32; NUM_STATES]>> {
        let span = to.0.saturating_sub(from.0);
        if num == 0 || span / (num as u64) < 2 << self.shift {
            return None;
        }
        let row_of = |idx: usize| {
            let cycle = from.0 + (u128::from(span) * idx as u128 / num as u128) as u64;
            ((cycle >> self.shift) as usize).min(self.rows.len())
        };
        let buckets = (0..num).map(|idx| {
            let rows = &self.rows[row_of(idx)..row_of(idx + 1)];
            let scale = 1.0 / (rows.len().max(1) as f32 * f32::from(u16::MAX));
            std::array::from_fn(|state| {
                rows.iter().map(|row| u32::from(row[state])).sum::<u32>() as f32 * scale
            })
        });
        Some(buckets.collect())
    }
}
