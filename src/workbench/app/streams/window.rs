//! The part of the time axis that the Streams view shows: zoom and pan by pointer and keys.

use crate::app::Session;
use crate::scene::{MIN_STREAMS_NS, streams_axis};
use crate::share::{Sync, View};

/// A change of the shown part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StreamsMove {
    /// Zooms around a position of the picture in pixels, or around the selected call or the middle; a factor below 1
    /// shows less time.
    Zoom(f64, Option<f64>),
    /// Moves by a share of the shown part.
    Pan(f64),
    /// Moves with the pointer, by pixels.
    Drag(f64),
    /// Shows the whole program.
    Whole,
}

impl Session {
    /// The end of the longest program on the stage, in nanoseconds.
    fn streams_common_ns(&self) -> u64 {
        let ends = (0..self.sides.len())
            .map(|side| self.streams_record(side).map_or(0, |record| record.trace.end_ns));
        ends.max().unwrap_or(0)
    }

    /// The part of a side's time axis that is shown, in nanoseconds; `None`: all of it. By progress, each side shows
    /// the same part of its own program.
    pub(in crate::app) fn streams_window(&self, side: usize) -> Option<(u64, u64)> {
        let (from, to) = self.ui.state.settings.streams.window?;
        let common = self.streams_common_ns().max(1);
        if self.ui.compare.sync != Sync::Progress {
            return Some((from, to));
        }
        let own = self.streams_end_ns(side);
        let place = |ns: u64| (u128::from(ns) * u128::from(own) / u128::from(common)) as u64;
        Some((place(from), place(to).max(place(from) + 1)))
    }

    /// The middle of the selected call, if it is shown.
    fn selected_call_ns(&self, shown: (u64, u64)) -> Option<u64> {
        let op = self.ui.state.settings.streams.op?;
        let record = self.streams_record(self.active_side())?;
        let span = record.trace.spans.get(op as usize)?;
        let middle = u64::midpoint(span.start_ns, span.end_ns);
        (shown.0..=shown.1).contains(&middle).then_some(middle)
    }
}

/// Changes the shown part.
pub(in crate::app) fn move_window(session: &mut Session, change: StreamsMove) {
    let end = session.streams_common_ns();
    if end == 0 {
        return;
    }
    let window = session.ui.state.settings.streams.window;
    let (from, length) = window.map_or((0, end), |(from, to)| {
        let length = to.saturating_sub(from).clamp(1, end);
        (from.min(end - length), length)
    });
    let (left, width) = streams_axis(session.width_of(View::Streams));
    let (from, length) = match change {
        StreamsMove::Whole => (0, end),
        StreamsMove::Zoom(factor, at) => {
            let share = match at {
                Some(x) => ((x - f64::from(left)) / f64::from(width)).clamp(0.0, 1.0),
                None => session
                    .selected_call_ns((from, from + length))
                    .map_or(0.5, |ns| (ns - from) as f64 / length as f64),
            };
            let new = ((length as f64 * factor).round() as u64).clamp(MIN_STREAMS_NS.min(end), end);
            let around = from as f64 + share * length as f64;
            ((around - share * new as f64).round().max(0.0) as u64, new)
        }
        StreamsMove::Pan(share) => (shifted(from, length as f64 * share), length),
        StreamsMove::Drag(pixels) => {
            session.dragged += pixels * length as f64 / f64::from(width);
            let whole = session.dragged.trunc();
            session.dragged -= whole;
            (shifted(from, -whole), length)
        }
    };
    let from = from.min(end - length);
    session.ui.state.settings.streams.window = (length < end).then_some((from, from + length));
}

fn shifted(from: u64, by: f64) -> u64 {
    (from as f64 + by.round()).max(0.0) as u64
}
