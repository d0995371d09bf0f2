//! The warps of a run over time as state pixels: one row a slot, at any size.

use super::super::kit::Sheet;
use super::super::{Mark, Role, Shape, Texture};
use engine::ids::{Cycle, SlotIdx};
use engine::sim::WarpState;
use engine::trace::Trace;

/// Maximum number of buckets of a run.
const BUCKETS: u64 = 1024;
/// Rows of at least this many pixels keep one pixel between them.
const GAP_ROW: usize = 3;

/// The marks of all slots that held a warp, in buckets of 2^shift cycles. Where a bucket has several states, one of
/// them stands for it; over adjacent buckets each state appears in proportion to its share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WarpRows {
    shift: u32,
    columns: usize,
    /// Row by row: 0 is no warp, else the mark's index + 1.
    cells: Vec<u8>,
}

impl WarpRows {
    /// The rows of a run.
    pub fn of(trace: &Trace) -> Self {
        let cycles = trace.num_cycles().max(1);
        let shift = (0..40).find(|shift| cycles >> shift <= BUCKETS).unwrap_or(40);
        let buckets = ((cycles - 1) >> shift) + 1;
        let frame = trace.frame(Cycle(0));
        let record = frame.record();
        let (mut cells, mut shares) = (Vec::new(), Vec::new());
        for slot in 0..trace.num_slots() as u16 {
            record.slot_buckets(SlotIdx(slot), shift, 0..buckets, &mut shares);
            let row: Vec<u8> = shares
                .iter()
                .enumerate()
                .map(|(bucket, states)| chosen(states, threshold(bucket, slot)))
                .collect();
            if row.iter().any(|cell| *cell > 0) {
                cells.extend(row);
            }
        }
        Self {
            shift,
            columns: buckets as usize,
            cells,
        }
    }

    /// Number of rows.
    pub fn num_rows(&self) -> usize {
        self.cells.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The cell of a row at a cycle.
    fn at(&self, row: usize, cycle: u64) -> u8 {
        let column = ((cycle >> self.shift) as usize).min(self.columns.saturating_sub(1));
        self.cells.get(row * self.columns + column).copied().unwrap_or(0)
    }

    /// Draws the rows. `cycle_at` is the cycle at a pixel column, or `None` outside the run.
    pub(super) fn draw(
        &self,
        sheet: &mut Sheet,
        (x, y, width, height): (f32, f32, f32, f32),
        cycle_at: impl Fn(f32) -> Option<u64>,
    ) {
        let (columns, lines) = (width.max(0.0) as usize, height.max(0.0) as usize);
        let rows = self.num_rows();
        if rows == 0 || columns == 0 || lines == 0 {
            return;
        }
        let high = lines / rows;
        // Rows without gaps may differ by a pixel, so that they fill the height.
        let lines = if high >= GAP_ROW { high * rows } else { lines };
        let mut cells = vec![0; columns * lines];
        for column in 0..columns {
            let Some(cycle) = cycle_at(x + column as f32 + 0.5) else {
                continue;
            };
            for line in 0..lines {
                let is_gap = high >= GAP_ROW && line % high == high - 1;
                if !is_gap {
                    cells[line * columns + column] = self.at(line * rows / lines, cycle);
                }
            }
        }
        let shape = Shape::StatePixels {
            x: x.round(),
            y: y.round(),
            columns: columns as u16,
            cells,
            only: None,
        };
        sheet.put(shape, Role::State(Mark::Issue), Texture::Solid, None);
    }
}

/// The mark at a share of a bucket, as a cell.
fn chosen(states: &[f32; WarpState::ALL.len()], share: f32) -> u8 {
    let mut of_mark = [0.0; Mark::ALL.len()];
    for (state, part) in WarpState::ALL.iter().zip(states) {
        of_mark[Mark::of(*state) as usize] += part;
    }
    let mut sum = 0.0;
    for mark in Mark::STACKED {
        sum += of_mark[mark as usize];
        if share < sum {
            return mark as u8 + 1;
        }
    }
    0
}

/// A share between 0 and 1 that takes each sixteenth once in 16 buckets, and differs from row to row.
fn threshold(bucket: usize, slot: u16) -> f32 {
    let step = (bucket * 7 + usize::from(slot) * 5) % 16;
    (step as f32 + 0.5) / 16.0
}
