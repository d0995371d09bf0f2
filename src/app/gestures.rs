//! What the pointer does on the Timeline and on the strip: pixels become cycles here.

use super::Event;
use super::{Effect, LINK_PAUSE_MS, Session, update};
use crate::ids::{Cycle, SlotIdx};
use crate::scene::{StripScale, ZOOM};

/// Least cycles that the strip shows.
const STRIP_LEAST: u64 = 200;
/// How much less of the run the magnifier shows.
const MAGNIFIER: u64 = 10;

/// A gesture with the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// Zooms the Timeline around the cycle at `x`; a factor below 1 shows fewer cycles.
    Zoom {
        /** By how much. */
        factor: f64,
        /** Pixels from the picture's left edge. */
        x: f64,
    },
    /// Cycles between two places of the Timeline are brushed: their totals are shown.
    Brush {
        /** Where it began. */
        from: f64,
        /** Where it is. */
        to: f64,
    },
    /// The axis of the Timeline was clicked: goes to that cycle.
    Axis(f64),
    /// What a warp waits for in a cycle is shown while the pointer is there.
    Probe(Option<(u16, u64)>),
    /// Zooms the strip around the cycle at `x`, of a strip of a width.
    Strip {
        /** By how much. */
        factor: f64,
        /** Pixels from the strip's left edge. */
        x: f64,
        /** Its width in pixels. */
        width: f64,
    },
    /// Shows little of the run, large, around the cycle at `x` of a strip of a width; `None`: as before.
    Magnify(Option<(f64, f64)>),
}

/// Does what a gesture asks for.
pub(super) fn gesture(session: &mut Session, gesture: Gesture) -> Vec<Effect> {
    match gesture {
        Gesture::Zoom { factor, x } => zoom(session, factor, x),
        Gesture::Brush { from, to } => brush(session, from, to),
        Gesture::Axis(x) => {
            session.view.range = None;
            if let Some((scale, _)) = session.derived.timeline_scale(session) {
                let cycle = scale.cycle(x as f32);
                session.hold_timeline();
                return update(session, Event::Seek(cycle.0));
            }
        }
        Gesture::Probe(at) => session.view.probe = at.map(|(slot, cycle)| (SlotIdx(slot), Cycle(cycle))),
        Gesture::Strip { factor, x, width } => strip(session, factor, (x, width)),
        Gesture::Magnify(Some(at)) => {
            let before = session.view.strip;
            let cycles = session.derived.num_cycles();
            strip(session, 1.0 / MAGNIFIER as f64, at);
            session.magnified = (cycles > STRIP_LEAST).then_some(before);
        }
        Gesture::Magnify(None) => {
            if let Some(before) = session.magnified.take() {
                session.view.strip = before;
            }
        }
    }
    session.link_ms.get_or_insert(LINK_PAUSE_MS);
    Vec::new()
}

/// Zooms so that the cycle at `x` stays there.
fn zoom(session: &mut Session, factor: f64, x: f64) {
    let Some((before, cycles)) = session.derived.timeline_scale(session) else {
        return;
    };
    let around = before.cycle(x as f32).0;
    let px = (f64::from(before.px) / factor).clamp(f64::from(ZOOM.0), f64::from(ZOOM.1));
    session.view.cycle_px = Some(px as f32);
    let offset = ((x - f64::from(before.x0)).max(0.0) / px) as u64;
    session.view.timeline_start = Some(Cycle(around.saturating_sub(offset).min(cycles)));
}

fn brush(session: &mut Session, from: f64, to: f64) {
    session.hold_timeline();
    let Some((scale, cycles)) = session.derived.timeline_scale(session) else {
        return;
    };
    let (one, other) = (scale.cycle(from as f32).0, scale.cycle(to as f32).0);
    let (first, last) = (one.min(other), one.max(other));
    session.view.range = Some((Cycle(first), Cycle((last + 1).min(cycles))));
}

/// Shows more or fewer cycles in the strip, with the cycle at `x` where it is.
fn strip(session: &mut Session, factor: f64, (x, width): (f64, f64)) {
    let (cycles, now) = (session.derived.num_cycles(), Cycle(session.playback.cycle));
    if cycles == 0 {
        return;
    }
    let scale = StripScale::of(cycles, now, session.view.strip, width as f32);
    let around = scale.cycle(x as f32).0;
    let span = scale.end - scale.start;
    let new = ((span as f64 * factor).round() as u64).clamp(STRIP_LEAST.min(cycles), cycles);
    let before = (around - scale.start) as f64 / span.max(1) as f64;
    let start = around
        .saturating_sub((before * new as f64) as u64)
        .min(cycles - new);
    session.view.strip = (new < cycles).then_some((Cycle(start), new));
}
