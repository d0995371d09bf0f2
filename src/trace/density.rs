//! How the slots and the issue slots were used over the whole run, at a resolution that halves when
//! the run grows, so that it takes a bounded amount of memory and any zoom is drawn at once.

use super::runs::StateCycles;
use crate::ids::Cycle;
use crate::sim::WarpState;
use crate::sim::codec::{Reader, Writer};

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
    /// Rows that were handed on and stay as they are, and their shift.
    handed: (u32, usize),
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
            handed: (FIRST_GRID_SHIFT, 0),
        }
    }

    /// A coarser one, for one slot.
    pub(crate) const fn of_slot() -> Self {
        Self::with_rows(MAX_SLOT_ROWS)
    }

    /// Rows that are new or have changed, when everything before cycle `end` was added.
    fn news(&mut self, end: u32) -> (usize, &[[u32; NUM_STATES + 1]]) {
        let (shift, rows) = self.handed;
        // Where rows were joined, all are new.
        let first = if shift == self.shift { rows } else { 0 };
        self.handed = (self.shift, (end >> self.shift) as usize);
        (first, &self.rows[first.min(self.rows.len())..])
    }

    /// Hands on the rows before cycle `end`.
    pub(crate) fn hand_on(&mut self, end: u32, to: &mut Writer) {
        to.put(&(self.shift as u8));
        let (first, rows) = self.news(end);
        to.put(&(first as u32));
        to.list(rows.iter());
    }

    /// Hands on each state's share of the rows before cycle `end`, for one slot.
    pub(crate) fn hand_on_slot(&mut self, end: u32, to: &mut Writer) {
        let grid = 1u64 << self.shift;
        let share = |cycles: u32| (u64::from(cycles) * u64::from(u16::MAX) / grid) as u16;
        to.put(&(self.shift as u8));
        let (first, rows) = self.news(end);
        to.put(&(first as u32));
        to.put(&(rows.len() as u32));
        for row in rows {
            to.put::<[u16; NUM_STATES]>(&std::array::from_fn(|state| share(row[state])));
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

/// One slot's use over the whole run, coarse: shares of 65535 by state in rows of 2^n cycles.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotDensity {
    shift: u32,
    rows: Vec<[u16; NUM_STATES]>,
}

impl SlotDensity {
    pub(crate) fn num_bytes(&self) -> usize {
        self.rows.len() * size_of::<[u16; NUM_STATES]>()
    }

    /// Writes all of it.
    pub(crate) fn write(&self, to: &mut Writer) {
        to.put(&self.shift);
        to.put(&self.rows);
    }

    /// Appends what [`DensityBuilder::hand_on_slot`] gave, in place of the row that was not yet whole.
    pub(crate) fn append(&mut self, from: &mut Reader) {
        self.shift = from.get::<u8>().min(31).into();
        self.rows.truncate(from.get::<u32>() as usize);
        for _ in 0..from.num(2) {
            self.rows.push(from.get());
        }
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
