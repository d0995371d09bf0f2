//! Warp states as whole pixels, for cycles narrower than a band: drawing a million cycles takes no longer than
//! drawing a hundred. Below one pixel per cycle, a column shows the share of each state, with issue at the bottom.

use super::TimelineScale;
use crate::scene::{Mark, Shape, ViewState};
use engine::ids::{Cycle, SlotIdx};
use engine::sim::WarpState;
use engine::trace::Frame;

/// Minimum pixels per cycle for bands with textures.
pub(super) const BANDS_PX: f32 = 4.0;
/// Minimum width of a column of shares.
const COLUMN_PX: f32 = 2.0;

/// The pixels of all rows.
pub(super) struct StatePixels {
    x: f32,
    y: f32,
    columns: usize,
    cells: Vec<u8>,
    shares: Vec<[f32; WarpState::ALL.len()]>,
}

/// The shift for buckets of 2^shift cycles at a zoom.
pub(super) fn bucket_shift(px: f32) -> u32 {
    (0..40)
        .find(|shift| (1u64 << shift) as f32 * px >= COLUMN_PX)
        .unwrap_or(40)
}

/// The dither added to a height before it is rounded down: over 16 columns, each sixteenth once, so that a share
/// below one pixel is visible in its proportion of columns. It depends on the bucket, so that a moving view does not
/// flicker.
fn dither(bucket: u64) -> f32 {
    f32::from((bucket as u8 & 15).reverse_bits() >> 4) / 16.0 + 1.0 / 32.0
}

/// Height of a band, as a share of the row's height.
const fn height_of(mark: Mark) -> f32 {
    match mark {
        Mark::Issue => 1.0,
        Mark::Eligible => 0.8,
        Mark::Throttle | Mark::Barrier | Mark::Branch => 0.62,
        Mark::Long | Mark::Short | Mark::Other => 0.45,
        Mark::Wait => 0.2,
        Mark::Idle => 0.0,
    }
}

impl StatePixels {
    /// Blank pixels from `top` to `bottom`.
    pub(super) fn new(scale: TimelineScale, top: f32, bottom: f32) -> Self {
        let columns = scale.width().ceil().max(1.0) as usize;
        let rows = (bottom - top).ceil().max(1.0) as usize;
        Self {
            x: scale.x0,
            y: top,
            columns,
            cells: vec![0; columns * rows],
            shares: Vec::new(),
        }
    }

    /// Draws the row of a warp slot.
    pub(super) fn row(&mut self, frame: &Frame, scale: TimelineScale, slot: SlotIdx, (y, h): (f32, f32)) {
        let (top, height) = ((y - self.y).round() as usize, h as usize);
        if scale.px < 1.0 {
            self.shares(frame, scale, slot, (top, height));
        } else {
            self.runs(frame, scale, slot, (top, height));
        }
    }

    fn block(&mut self, (from, to): (usize, usize), (top, bottom): (usize, usize), mark: Mark) {
        let (from, to) = (from.min(self.columns), to.min(self.columns));
        for row in top..bottom {
            let at = row * self.columns;
            if let Some(cells) = self.cells.get_mut(at + from..at + to) {
                cells.fill(mark as u8 + 1);
            }
        }
    }

    fn runs(&mut self, frame: &Frame, scale: TimelineScale, slot: SlotIdx, (top, height): (usize, usize)) {
        let column = |cycle: u64| (scale.x(cycle) - scale.x0).round().max(0.0) as usize;
        let runs = frame.record().runs_from(slot, Cycle(scale.start));
        for run in runs.take_while(|run| run.start.0 < scale.end) {
            let mark = Mark::of(run.state);
            let band = (height as f32 * height_of(mark)).round() as usize;
            if band > 0 {
                let (from, to) = (column(run.start.0), column(run.end.0.min(scale.end)));
                self.block((from, to), (top + height - band, top + height), mark);
            }
        }
    }

    fn shares(&mut self, frame: &Frame, scale: TimelineScale, slot: SlotIdx, (top, height): (usize, usize)) {
        let shift = bucket_shift(scale.px);
        let buckets = scale.start >> shift..((scale.end - 1) >> shift) + 1;
        let mut shares = std::mem::take(&mut self.shares);
        frame
            .record()
            .slot_buckets(slot, shift, buckets.clone(), &mut shares);
        let column = |bucket: u64| (scale.x(bucket << shift) - scale.x0).round().max(0.0) as usize;
        let mark_of = WarpState::ALL.map(|state| Mark::of(state) as usize);
        let mut from = column(buckets.start);
        for (bucket, states) in buckets.zip(&shares) {
            let to = column(bucket + 1);
            let mut of_mark = [0.0; Mark::ALL.len()];
            for (mark, share) in mark_of.iter().zip(states) {
                of_mark[*mark] += share;
            }
            let (mut sum, mut foot) = (dither(bucket) / height as f32, height);
            for mark in Mark::STACKED {
                sum += of_mark[mark as usize];
                let head = height - ((sum * height as f32) as usize).min(height);
                if head < foot {
                    self.block((from, to), (top + head, top + foot), mark);
                }
                foot = foot.min(head);
            }
            from = to;
        }
        self.shares = shares;
    }

    /// The shape with all pixels.
    pub(super) fn finish(self, view: &ViewState) -> Shape {
        Shape::StatePixels {
            x: self.x,
            y: self.y,
            columns: self.columns as u16,
            cells: self.cells,
            only: view.filter,
        }
    }
}
