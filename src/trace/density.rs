//! How the slots and the issue slots were used over the whole run, at a resolution that halves when
//! the run grows, so that it takes a bounded amount of memory and any zoom is drawn at once.

use super::runs::StateCycles;
use crate::ids::Cycle;
use crate::sim::WarpState;
use crate::sim::codec::{Reader, Writer};

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

/// Slot-cycles by state and, last, the cycles with an issue.
type Row = [u32; NUM_STATES + 1];

/// The rows of all slots together, of 2^n cycles each. A row holds what it will hold if no slot
/// changes any more, so that a change costs two sums, however long a slot stays as it is.
#[derive(Clone, Debug)]
pub(crate) struct DensityBuilder {
    shift: u32,
    rows: Vec<Row>,
    /// The row in which the last change was; it ends at `row_end`.
    row: Row,
    row_end: u32,
    /// Slots in each state.
    slots: [u32; NUM_STATES],
    /// Rows that were handed on and stay as they are, and their shift.
    handed: (u32, usize),
}

impl DensityBuilder {
    /// So many slots, all empty.
    pub(crate) const fn new(num_slots: usize) -> Self {
        let mut slots = [0; NUM_STATES];
        slots[WarpState::Empty as usize] = num_slots as u32;
        let mut row = [0; NUM_STATES + 1];
        row[WarpState::Empty as usize] = slots[WarpState::Empty as usize] << FIRST_GRID_SHIFT;
        Self {
            shift: FIRST_GRID_SHIFT,
            rows: Vec::new(),
            row,
            row_end: 1 << FIRST_GRID_SHIFT,
            slots,
            handed: (FIRST_GRID_SHIFT, 0),
        }
    }

    /// Sees to it that `cycle` lies in the last row.
    #[inline(always)]
    fn reach(&mut self, cycle: u32) {
        if cycle >= self.row_end {
            self.begin_rows(cycle);
        }
    }

    #[cold]
    fn begin_rows(&mut self, cycle: u32) {
        while cycle >= self.row_end {
            self.rows.push(self.row);
            if self.rows.len() >= MAX_ROWS {
                halve(&mut self.rows);
                self.shift += 1;
            }
            let grid = 1_u32 << self.shift;
            self.row = [0; NUM_STATES + 1];
            for (cycles, slots) in self.row.iter_mut().zip(self.slots) {
                *cycles = slots << self.shift;
            }
            self.row_end = self.row_end.saturating_add(grid);
        }
    }

    /// `num` slots go from one state to another at `cycle`. Cycles must not go back.
    #[inline(always)]
    pub(crate) fn change(&mut self, cycle: u32, from: WarpState, to: WarpState, num: u32) {
        self.reach(cycle);
        let rest = (self.row_end - cycle) * num;
        self.row[from as usize] = self.row[from as usize].wrapping_sub(rest);
        self.row[to as usize] = self.row[to as usize].wrapping_add(rest);
        self.slots[from as usize] = self.slots[from as usize].wrapping_sub(num);
        self.slots[to as usize] += num;
    }

    /// A scheduler issued at `cycle`.
    #[inline(always)]
    pub(crate) fn add_issue(&mut self, cycle: u32) {
        self.reach(cycle);
        self.row[NUM_STATES] += 1;
    }

    /// Counts up to before cycle `end`.
    pub(crate) fn count(&mut self, end: u32) {
        if end > 0 {
            self.reach(end - 1);
        }
    }

    /// Hands on the rows before cycle `end`, up to which all is counted: those that are new, and the
    /// one that was not yet whole.
    pub(crate) fn hand_on(&mut self, end: u32, to: &mut Writer) {
        let mut last = self.row;
        for (cycles, slots) in last.iter_mut().zip(self.slots) {
            *cycles -= slots * (self.row_end - end);
        }
        let (shift, first) = self.handed;
        // Where rows were joined, all are new.
        let first = if shift == self.shift { first } else { 0 };
        self.handed = (self.shift, (end >> self.shift) as usize);
        to.put(&(self.shift as u8));
        to.put(&(first as u32));
        let rows = self.rows.iter().chain((end > 0).then_some(&last)).skip(first);
        let rows: Vec<&Row> = rows.collect();
        to.list(rows.into_iter());
    }

    pub(crate) fn num_bytes(&self) -> usize {
        // The finished form holds sums of 64 bits.
        (self.rows.len() + 1) * size_of::<[u64; NUM_STATES + 1]>()
    }
}

/// Two rows become one.
fn halve<const N: usize>(rows: &mut Vec<[u32; N]>) {
    let num = rows.len().div_ceil(2);
    for idx in 0..num {
        let mut sum = rows[2 * idx];
        if let Some(other) = rows.get(2 * idx + 1) {
            for (to, from) in sum.iter_mut().zip(other) {
                *to += from;
            }
        }
        rows[idx] = sum;
    }
    rows.truncate(num);
}

/// Sums from the start of the run at every grid point.
#[derive(Clone, Debug)]
pub(crate) struct Density {
    shift: u32,
    sums: Vec<[u64; NUM_STATES + 1]>,
}

impl Default for Density {
    fn default() -> Self {
        Self {
            shift: FIRST_GRID_SHIFT,
            sums: vec![[0; NUM_STATES + 1]],
        }
    }
}

impl Density {
    /// Appends what [`DensityBuilder::hand_on`] gave, in place of the row that was not yet whole.
    pub(crate) fn append(&mut self, from: &mut Reader) {
        self.shift = from.get::<u8>().min(31).into();
        self.sums.truncate(from.get::<u32>() as usize + 1);
        let mut sum = self.sums.last().copied().unwrap_or_default();
        for _ in 0..from.num(4) {
            let row: [u32; NUM_STATES + 1] = from.get();
            for (to, from) in sum.iter_mut().zip(row) {
                *to += u64::from(from);
            }
            self.sums.push(sum);
        }
    }

    /// Writes all of it.
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
