//! The use of warp slots and issue slots over the whole run. The resolution halves as the run grows, so that
//! memory is bounded and a view at any zoom is drawn at once.

use super::runs::StateCycles;
use crate::ids::Cycle;
use crate::sim::WarpState;
use crate::sim::codec::Writer;

const NUM_STATES: usize = WarpState::ALL.len();
const MAX_ROWS: u32 = 1 << 16;
const FIRST_GRID_SHIFT: u32 = 5;

/// The use of the machine in a bucket of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DensityColumn {
    /// The first cycle of the bucket.
    pub start: Cycle,
    /// The cycle after its last one.
    pub end: Cycle,
    /// Slot-cycles by state.
    pub states: StateCycles,
    /// Scheduler-cycles in which an instruction issued.
    pub issue_cycles: u64,
}

/// Slot-cycles by state, followed by the cycles with an issue.
type Row = [u32; NUM_STATES + 1];

/// Cumulative sums since the start of the run at every grid point.
#[derive(Clone, Debug)]
pub(crate) struct Density {
    shift: u32,
    sums: Vec<[u64; NUM_STATES + 1]>,
    /// The cycle up to which everything is counted.
    end: u32,
}

/// The rows to which an appended part of the run contributes, of 2^n cycles each.
#[derive(Debug)]
pub(crate) struct DensityRows {
    shift: u32,
    /// The number of the first row.
    first: u32,
    rows: Vec<Row>,
}

impl DensityRows {
    /// Adds a slot that is in a state from cycle `from` to before `to`.
    #[inline(always)]
    pub(crate) fn add(&mut self, mut from: u32, to: u32, state: WarpState) {
        let mut row = (from >> self.shift).wrapping_sub(self.first);
        let last = (to.wrapping_sub(1) >> self.shift).wrapping_sub(self.first);
        while row < last {
            let Some(cycles) = self.rows.get_mut(row as usize) else {
                return;
            };
            row += 1;
            let end = (self.first + row) << self.shift;
            cycles[state as usize] += end - from;
            from = end;
        }
        if let Some(cycles) = self.rows.get_mut(row as usize) {
            cycles[state as usize] += to - from;
        }
    }

    /// Adds an issue of a scheduler at `cycle`.
    #[inline(always)]
    pub(crate) fn add_issue(&mut self, cycle: u32) {
        let row = (cycle >> self.shift).wrapping_sub(self.first);
        if let Some(row) = self.rows.get_mut(row as usize) {
            row[NUM_STATES] += 1;
        }
    }
}

/// The row size of a run of `end` cycles, as a power of two, with at most [`MAX_ROWS`] rows.
const fn shift_of(end: u32) -> u32 {
    let mut shift = FIRST_GRID_SHIFT;
    while end.saturating_sub(1) >> shift >= MAX_ROWS {
        shift += 1;
    }
    shift
}

impl Default for Density {
    fn default() -> Self {
        Self {
            shift: FIRST_GRID_SHIFT,
            sums: vec![[0; NUM_STATES + 1]],
            end: 0,
        }
    }
}

impl Density {
    /// Starts counting the cycles before `end`, from the partial last row on.
    pub(crate) fn rows(&mut self, end: u32) -> DensityRows {
        while self.shift < shift_of(end) {
            // Merges pairs of rows. The last row can be single.
            let last = self.sums.len() - 1;
            for idx in 0..=last.div_ceil(2) {
                self.sums[idx] = self.sums[(2 * idx).min(last)];
            }
            self.sums.truncate(last.div_ceil(2) + 1);
            self.shift += 1;
        }
        let (shift, first) = (self.shift, self.end >> self.shift);
        let num = (end.div_ceil(1 << shift)).saturating_sub(first) as usize;
        let mut rows = vec![[0; NUM_STATES + 1]; num];
        if let (Some(row), Some(sums)) = (rows.first_mut(), self.sums.get(first as usize..)) {
            for (idx, cycles) in row.iter_mut().enumerate() {
                *cycles = (sums[sums.len() - 1][idx] - sums[0][idx]) as u32;
            }
        }
        self.end = end;
        DensityRows { shift, first, rows }
    }

    /// Appends the counted rows.
    pub(crate) fn append(&mut self, from: &DensityRows) {
        self.sums.truncate(from.first as usize + 1);
        let mut sum = self.sums.last().copied().unwrap_or_default();
        for row in &from.rows {
            for (to, from) in sum.iter_mut().zip(row) {
                *to += u64::from(*from);
            }
            self.sums.push(sum);
        }
    }

    /// Writes the whole density.
    pub(crate) fn write(&self, to: &mut Writer) {
        to.put(&self.shift);
        to.put(&self.sums);
    }

    /// Cycles between two grid points.
    pub(crate) const fn grid_cycles(&self) -> u64 {
        1 << self.shift
    }

    pub(crate) fn num_bytes(&self) -> usize {
        self.sums.len() * size_of::<[u64; NUM_STATES + 1]>()
    }

    /// The size in bytes for a run that is counted up to a cycle.
    pub(crate) const fn num_bytes_at(end: Cycle) -> usize {
        let end = end.0 as u32;
        let rows = (end.saturating_sub(1) >> shift_of(end)) as usize;
        (rows + 1) * size_of::<[u64; NUM_STATES + 1]>()
    }

    /// The use between the grid points nearest to `start` and `end`, both rounded down. The last row counts
    /// as a whole if `end` is the end of the run.
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
