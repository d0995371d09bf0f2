//! The states of one slot over the run, in rows of 64 cycles and in coarser levels of 4, 16, and more times
//! as many cycles. Views use the levels when a pixel covers many cycles. The levels are built while runs are
//! appended. Long runs drop the finest levels, so that memory is bounded.

use std::ops::Range;

use crate::sim::WarpState;

const NUM_STATES: usize = WarpState::ALL.len();
/// Finest rows of 64 cycles; for shorter buckets, runs are counted one by one.
const FIRST_SHIFT: u32 = 6;
/// A row covers four rows of the next finer level.
const STEP: u32 = 2;
/// The rows of the coarsest level have 64 times 4^9 cycles, 16 million.
const NUM_LEVELS: u32 = 10;
/// The maximum number of rows of a level; a level with more rows is dropped.
const MAX_ROWS: usize = 1 << 14;
/// The value of a state that holds for a whole row.
const WHOLE: u32 = 255;

/// The states of one slot at several resolutions.
#[derive(Clone, Debug)]
pub(crate) struct SlotLevels {
    /// Levels, finest first.
    levels: Vec<Level>,
    /// The cycle up to which runs are included.
    end: u32,
    /// The cycle at which the open row of the finest level ends.
    row_end: u32,
}

/// A level with rows of 2^shift cycles.
#[derive(Clone, Debug)]
struct Level {
    shift: u32,
    num_rows: usize,
    /// The share of each state in units of 1/255; missing rows at the end of a state are 0.
    shares: [Vec<u8>; NUM_STATES],
    /// Cycles of the incomplete row, as far as the finer rows are complete.
    open: [u32; NUM_STATES],
}

impl Default for SlotLevels {
    fn default() -> Self {
        let level = |idx| Level {
            shift: FIRST_SHIFT + STEP * idx,
            num_rows: 0,
            shares: Default::default(),
            open: [0; NUM_STATES],
        };
        Self {
            levels: (0..NUM_LEVELS).map(level).collect(),
            end: 0,
            row_end: 1 << FIRST_SHIFT,
        }
    }
}

impl SlotLevels {
    /// Adds a run that starts where the last one ended, or extends the last one.
    #[inline]
    pub(crate) fn push(&mut self, state: WarpState, end: u32) {
        if end >= self.row_end {
            self.close_rows(state, end);
        }
        self.levels[0].open[state as usize] += end - self.end;
        self.end = end;
    }

    /// Completes the rows that a run fills.
    fn close_rows(&mut self, state: WarpState, end: u32) {
        while end >= self.row_end && self.end < end {
            self.levels[0].open[state as usize] += self.row_end - self.end;
            self.end = self.row_end;
            self.close(0);
            self.row_end = self.row_end.saturating_add(1 << self.levels[0].shift);
        }
    }

    /// Completes the open row of a level.
    fn close(&mut self, at: usize) {
        let level = &mut self.levels[at];
        let open = std::mem::replace(&mut level.open, [0; NUM_STATES]);
        let half = 1u64 << level.shift >> 1;
        for (shares, open) in level.shares.iter_mut().zip(open) {
            if open == 0 {
                continue;
            }
            let share = (u64::from(open) * u64::from(WHOLE) + half) >> level.shift;
            if share > 0 {
                if shares.len() < level.num_rows {
                    shares.resize(level.num_rows, 0);
                }
                shares.push(share as u8);
            }
        }
        level.num_rows += 1;
        let num_rows = level.num_rows;
        if let Some(next) = self.levels.get_mut(at + 1) {
            for (sum, open) in next.open.iter_mut().zip(open) {
                *sum += open;
            }
            if num_rows.is_multiple_of(1 << STEP) {
                self.close(at + 1);
            }
        }
        // A level is dropped only when its rows are whole rows of the next level.
        if at == 0 && num_rows >= MAX_ROWS && self.levels.len() > 1 {
            self.levels.remove(0);
        }
    }

    /// The size in bytes.
    pub(crate) fn num_bytes(&self) -> usize {
        let rows = |level: &Level| level.shares.iter().map(Vec::len).sum::<usize>();
        self.levels
            .iter()
            .map(|level| rows(level) + size_of::<Level>())
            .sum()
    }

    /// Adds the shares of the states in buckets of 2^shift cycles, numbered from the start of the run.
    /// Returns whether there are rows of that resolution.
    pub(crate) fn add_shares(
        &self,
        shift: u32,
        buckets: Range<u64>,
        shares: &mut [[f32; NUM_STATES]],
    ) -> bool {
        let Some(at) = self.levels.iter().rposition(|level| level.shift <= shift) else {
            return false;
        };
        let level = &self.levels[at];
        let rows_per_bucket = 1usize << (shift - level.shift);
        let first = buckets.start as usize * rows_per_bucket;
        let scale = 1.0 / (rows_per_bucket as f32 * WHOLE as f32);
        for (state, rows) in level.shares.iter().enumerate() {
            let rows = rows.get(first..).unwrap_or(&[]);
            for (share, rows) in shares.iter_mut().zip(rows.chunks(rows_per_bucket)) {
                share[state] += rows.iter().map(|row| u32::from(*row)).sum::<u32>() as f32 * scale;
            }
        }
        // The incomplete row, including the complete rows of finer levels.
        let open = (level.num_rows / rows_per_bucket) as u64;
        if let Some(share) = buckets
            .contains(&open)
            .then(|| &mut shares[(open - buckets.start) as usize])
        {
            let scale = 1.0 / (1u64 << shift) as f32;
            for level in &self.levels[..=at] {
                for (share, cycles) in share.iter_mut().zip(level.open) {
                    *share += cycles as f32 * scale;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::runs::RunColumn;
    use super::*;
    use crate::ids::Cycle;

    impl SlotLevels {
        /// Adds the runs that were appended since the last call.
        fn extend(&mut self, runs: &RunColumn) {
            for run in runs.from(Cycle(self.end.into())) {
                self.push(run.state, run.end.0 as u32);
            }
        }
    }

    /// Runs of mostly short and occasionally long lengths.
    fn runs(seed: u32, end: u32) -> RunColumn {
        let mut column = RunColumn::default();
        let (mut at, mut random) = (0, seed | 1);
        while at < end {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let length = match random >> 28 {
                0 => 1 + (random >> 8) % 900,
                _ => 1 + (random >> 8) % 9,
            };
            at = (at + length).min(end);
            column.push(WarpState::ALL[(random >> 16) as usize % 9], random >> 20, at);
        }
        column
    }

    /// Cycles by state in `from..to`, counted run by run.
    fn counted(column: &RunColumn, from: u64, to: u64) -> [u64; NUM_STATES] {
        let mut cycles = [0; NUM_STATES];
        for run in column.from(Cycle(0)) {
            let within = run.end.0.min(to).saturating_sub(run.start.0.max(from));
            cycles[run.state as usize] += within;
        }
        cycles
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn shares_equal_those_of_the_runs(seed: u32, end in 1u32..400_000, shift in 6u32..16, start in 0u64..200, pieces in 1u32..5) {
            let column = runs(seed, end);
            let mut levels = SlotLevels::default();
            // Grows the column piece by piece: the result is the same.
            for piece in 1..=pieces {
                let part = runs(seed, end);
                let mut cut = RunColumn::default();
                for run in part.from(Cycle(0)).take_while(|run| run.end.0 <= u64::from(end / pieces * piece)) {
                    cut.push(run.state, run.pc.0, run.end.0 as u32);
                }
                levels.extend(&cut);
            }
            levels.extend(&column);
            let buckets = start..start + 40;
            let mut shares = vec![[0.0; NUM_STATES]; 40];
            prop_assert!(levels.add_shares(shift, buckets.clone(), &mut shares));
            for (bucket, share) in buckets.zip(&shares) {
                let exact = counted(&column, bucket << shift, (bucket + 1) << shift);
                for (share, exact) in share.iter().zip(exact) {
                    let exact = exact as f32 / (1u64 << shift) as f32;
                    prop_assert!((share - exact).abs() < 0.004, "{share} {exact}");
                }
            }
        }
    }

    #[test]
    fn long_runs_drop_the_finest_rows() {
        let mut levels = SlotLevels::default();
        let end = 9_000_000;
        let mut column = RunColumn::default();
        for at in (0..end).step_by(30) {
            column.push(WarpState::Selected, 0, at + 1);
            column.push(WarpState::LongScoreboard, 0, at + 30);
        }
        levels.extend(&column);
        assert!(levels.levels[0].num_rows < MAX_ROWS);
        assert!(levels.num_bytes() < 70_000, "{}", levels.num_bytes());
        let mut shares = vec![[0.0; NUM_STATES]; 2];
        assert!(!levels.add_shares(6, 0..2, &mut shares));
        assert!(levels.add_shares(12, 100..102, &mut shares));
        for share in shares {
            assert!((share[WarpState::Selected as usize] - 1.0 / 30.0).abs() < 0.004);
            assert!((share.iter().sum::<f32>() - 1.0).abs() < 0.004);
        }
    }
}
