//! Pointer gestures on the Timeline and on the strip, which convert pixels to cycles, and the equivalent
//! keys.

use super::streams::{StreamsMove, move_window};
use super::{Effect, LINK_PAUSE_MS, Session};
use crate::scene::{Storage, TimelineScale, ZOOM, registers_used};
use crate::share::View;
use engine::ids::{Cycle, SlotIdx};

/// Minimum of cycles that the strip shows.
const STRIP_LEAST: u64 = 200;
/// Zoom factor of the magnifier.
const MAGNIFIER: u64 = 10;

/// A pointer gesture, or its keyboard equivalent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// Zooms the Timeline around the cycle at `x`; a factor below 1 shows fewer cycles.
    Zoom {
        /// By how much.
        factor: f64,
        /// Pixels from the picture's left edge.
        x: f64,
    },
    /// Scrolls the Timeline or the Streams view by a share of its window; the current cycle stays.
    Pan(f64),
    /// Shows the whole run in the Timeline, or the whole program in the Streams view.
    Whole,
    /// Zooms or moves the time axis of the Streams view.
    Time(StreamsMove),
    /// Shows these cycles in the Timeline: the first, and the cycle after the last.
    Window {
        /// First cycle.
        from: u64,
        /// Cycle after the last.
        to: u64,
    },
    /// Brushes the cycles between two positions of the Timeline: their totals are shown.
    Brush {
        /// Where it began.
        from: f64,
        /// Where it is.
        to: f64,
    },
    /// Shows the cycle that was clicked on the Timeline's axis.
    Axis(f64),
    /// Shows a warp's dependency in a cycle while the pointer is there.
    Probe(Option<(u16, u64)>),
    /// Zooms the strip around the cycle at `x`, for a strip of this width.
    Strip {
        /// By how much.
        factor: f64,
        /// Pixels from the strip's left edge.
        x: f64,
        /// Its width in pixels.
        width: f64,
    },
    /// Zooms the strip around the current cycle; a factor below 1 shows fewer cycles.
    StripAround(f64),
    /// Starts a range at the current cycle, extends the range to there, or clears a range that ends
    /// there.
    MarkRange,
    /// Moves the selection by this many lanes (in shared memory: words).
    Lane(i32),
    /// Moves the selection by this many rows of the Registers view.
    Row(i32),
    /// Selects the range between two positions of the strip: cycles, or positions of the comparison's clock.
    Range {
        /// Where it began.
        from: u64,
        /// Where it is.
        to: u64,
    },
    /// Magnifies the run around the cycle at `x` of a strip of this width; `None` restores the strip.
    Magnify(Option<(f64, f64)>),
}

/// Applies a gesture.
pub(super) fn gesture(session: &mut Session, gesture: Gesture) -> Vec<Effect> {
    match gesture {
        Gesture::Zoom { factor, x } => zoom(session, factor, x),
        Gesture::Time(change) => move_window(session, change),
        Gesture::Pan(share) if session.active_view() == View::Streams => {
            move_window(session, StreamsMove::Pan(share));
        }
        Gesture::Whole if session.active_view() == View::Streams => move_window(session, StreamsMove::Whole),
        Gesture::Pan(share) => pan(session, share),
        Gesture::Whole => {
            session.ui.state.cycle_px = Some(ZOOM.0);
            session.ui.state.timeline_start = None;
        }
        Gesture::Window { from, to } => window(session, from, to),
        Gesture::Brush { from, to } => brush(session, from, to),
        Gesture::Axis(x) => {
            session.set_range(None);
            if let Some((scale, _)) = session.derived().timeline_scale(session) {
                let cycle = scale.cycle(x as f32);
                session.hold_timeline();
                session.ui.jump.stop();
                return session.show_cycle(cycle.0);
            }
        }
        Gesture::Probe(at) => session.ui.state.probe = at.map(|(slot, cycle)| (SlotIdx(slot), Cycle(cycle))),
        Gesture::Strip { factor, x, width } => strip(session, factor, (x, width)),
        Gesture::StripAround(factor) => {
            let width = session.width_of(View::Timeline);
            let (scale, (_, now)) = (session.strip_part(width), session.strip_clock());
            strip(session, factor, (scale.x(Cycle(now)).into(), width.into()));
        }
        Gesture::MarkRange => mark_range(session),
        Gesture::Range { from, to } => session.select_range(from, to),
        Gesture::Lane(step) => {
            if words_a_row(session).is_some() {
                word(session, i64::from(step));
            } else {
                let lane = session.ui.state.lane.map_or(0, |lane| i32::from(lane) + step);
                session.ui.state.lane = (0..32).contains(&lane).then_some(lane as u8);
            }
        }
        Gesture::Row(step) => match words_a_row(session) {
            Some(words) => word(session, i64::from(step) * i64::from(words)),
            None => row(session, step),
        },
        Gesture::Magnify(Some(at)) => {
            let before = session.ui.state.strip;
            let (cycles, _) = session.strip_clock();
            strip(session, 1.0 / MAGNIFIER as f64, at);
            session.magnified = (cycles > STRIP_LEAST).then_some(before);
        }
        Gesture::Magnify(None) => {
            if let Some(before) = session.magnified.take() {
                session.ui.state.strip = before;
            }
        }
    }
    session.link_ms.get_or_insert(LINK_PAUSE_MS);
    Vec::new()
}

/// Zooms around the cycle at `x`.
fn zoom(session: &mut Session, factor: f64, x: f64) {
    let Some((before, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    let around = before.cycle(x as f32).0;
    let (_, room) = TimelineScale::place(session.width_of(View::Timeline));
    let least = f64::from(room) / cycles.max(1) as f64;
    let px = (f64::from(before.px) / factor).clamp(least, f64::from(ZOOM.1.min(room)).max(least));
    session.ui.state.cycle_px = Some(px as f32);
    let offset = ((x - f64::from(before.x0)).max(0.0) / px) as u64;
    session.ui.state.timeline_start = Some(Cycle(around.saturating_sub(offset).min(cycles)));
}

fn pan(session: &mut Session, share: f64) {
    let Some((scale, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    let shown = scale.end - scale.start;
    let by = (shown as f64 * share.abs()).ceil() as u64;
    let start = if share < 0.0 {
        scale.start.saturating_sub(by)
    } else {
        scale.start.saturating_add(by)
    };
    session.ui.state.timeline_start = Some(Cycle(start.min(cycles - shown)));
}

/// Moves the window; an equal number of cycles keeps the zoom.
fn window(session: &mut Session, from: u64, to: u64) {
    let Some((scale, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    let from = from.min(cycles.saturating_sub(1));
    let num = to.clamp(from + 1, cycles.max(from + 1)) - from;
    if num != scale.end - scale.start {
        let (_, room) = TimelineScale::place(session.width_of(View::Timeline));
        session.ui.state.cycle_px = Some((room / num as f32).clamp(ZOOM.0, ZOOM.1));
    }
    session.ui.state.timeline_start = Some(Cycle(from));
}

fn brush(session: &mut Session, from: f64, to: f64) {
    session.hold_timeline();
    let Some((scale, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    let (one, other) = (scale.cycle(from as f32).0, scale.cycle(to as f32).0);
    let (first, last) = (one.min(other), one.max(other));
    session.set_range(Some((Cycle(first), Cycle((last + 1).min(cycles)))));
}

/// Starts, extends, or clears the range.
fn mark_range(session: &mut Session) {
    let now = session.cycle();
    session.set_range(match session.range() {
        None => Some((Cycle(now), Cycle(now + 1))),
        Some((_, to)) if to.0 == now + 1 => None,
        Some((from, to)) if now < from.0 => Some((Cycle(now), to)),
        Some((from, _)) => Some((from, Cycle(now + 1))),
    });
}

/// The words per row, if shared memory is shown.
fn words_a_row(session: &Session) -> Option<u32> {
    let shared =
        session.active_view() == View::Registers && session.ui.state.settings.storage == Storage::Shared;
    let banks = session.arch().memory.shared.banks.value;
    shared.then(|| u32::from(banks).clamp(1, 32))
}

/// Moves the selection by this many words of shared memory.
fn word(session: &mut Session, step: i64) {
    let Some(trace) = session.derived().trace() else {
        return;
    };
    let bytes = trace.program().static_shared_bytes + trace.launch().dynamic_shared;
    let at = session
        .ui
        .state
        .word
        .map_or(0, |offset| i64::from(offset) + 4 * step);
    session.ui.state.word = (0..i64::from(bytes)).contains(&at).then_some(at as u32);
}

/// Moves the selection by this many registers.
fn row(session: &mut Session, step: i32) {
    let Some(trace) = session.derived().trace() else {
        return;
    };
    let rows = registers_used(trace.program(), session.ui.state.settings.pairs);
    let at = session
        .ui
        .state
        .register
        .and_then(|reg| rows.iter().rposition(|first| *first <= reg));
    let next = match (at, step) {
        (Some(at), step) => at as i32 + step,
        (None, 1..) => 0,
        (None, _) => rows.len() as i32 - 1,
    };
    session.ui.state.register = usize::try_from(next)
        .ok()
        .and_then(|next| rows.get(next).copied());
}

/// Zooms the strip around the cycle at `x`.
fn strip(session: &mut Session, factor: f64, (x, width): (f64, f64)) {
    let (cycles, _) = session.strip_clock();
    if cycles == 0 {
        return;
    }
    let scale = session.strip_part(width as f32);
    let around = scale.cycle(x as f32).0;
    let span = scale.end - scale.start;
    let new = ((span as f64 * factor).round() as u64).clamp(STRIP_LEAST.min(cycles), cycles);
    let before = (around - scale.start) as f64 / span.max(1) as f64;
    let start = around
        .saturating_sub((before * new as f64) as u64)
        .min(cycles - new);
    session.ui.state.strip = (new < cycles).then_some((Cycle(start), new));
}

#[cfg(test)]
mod tests {
    use super::super::golden::opened;
    use super::super::{Event, update};
    use super::*;
    use crate::share;

    fn apply(session: &mut Session, what: Gesture) {
        update(session, Event::Gesture(what));
    }

    fn timeline() -> Session {
        opened("v1;kernel=matmul-tiled;view=timeline;cycle=900")
    }

    #[test]
    fn the_wheel_keeps_the_cycle_under_the_pointer() {
        let mut session = timeline();
        for factor in [0.8, 0.8, 1.25, 1.25, 1.25, 0.5] {
            let before = session.derived().timeline_scale(&session).unwrap().0;
            let cycle = before.cycle(400.0).0;
            apply(&mut session, Gesture::Zoom { factor, x: 400.0 });
            let after = session.derived().timeline_scale(&session).unwrap().0;
            assert_ne!(after.px, before.px);
            assert!(after.cycle(400.0).0.abs_diff(cycle) <= 1, "{before:?} {after:?}");
        }
    }

    #[test]
    fn a_brushed_range_is_explained_and_in_the_link() {
        let mut session = timeline();
        let scale = session.derived().timeline_scale(&session).unwrap().0;
        let (from, to) = (scale.cycle(300.0).0, scale.cycle(500.0).0);
        apply(
            &mut session,
            Gesture::Brush {
                from: 500.0,
                to: 300.0,
            },
        );
        assert_eq!(session.range(), Some((Cycle(from), Cycle(to + 1))));
        assert_eq!(
            session.inspection().unwrap().title,
            format!("Cycles {from} to {to}")
        );
        let link = share::encode(&session.link());
        assert!(link.contains(&format!(";range={from}-{}", to + 1)), "{link}");
        let again = opened(&link);
        assert_eq!(again.inspection(), session.inspection());
        update(&mut session, Event::Close);
        assert_eq!(session.range(), None);
    }

    #[test]
    fn the_window_moves_grows_and_covers_the_run() {
        let mut session = timeline();
        let cycles = session.derived().num_cycles();
        let shown = |session: &Session| {
            let window = session.timeline_window().unwrap();
            (window.0.0, window.1.0)
        };
        for (from, to) in [
            (100, 180),
            (100, 1_100),
            (cycles - 40, cycles),
            (7, 8),
            (0, cycles),
        ] {
            apply(&mut session, Gesture::Window { from, to });
            assert_eq!(shown(&session), (from, to));
        }
        apply(&mut session, Gesture::Window { from: 400, to: 800 });
        apply(&mut session, Gesture::Pan(0.25));
        assert_eq!(shown(&session), (500, 900));
        apply(&mut session, Gesture::Pan(-9.0));
        assert_eq!(shown(&session), (0, 400));
        apply(&mut session, Gesture::Pan(1e9));
        assert_eq!(shown(&session), (cycles - 400, cycles));
        // What is shown is in the link.
        let again = opened(&share::encode(&session.link()));
        assert_eq!(shown(&again), shown(&session));
        apply(&mut session, Gesture::Whole);
        assert_eq!(shown(&session), (0, cycles));
        let again = opened(&share::encode(&session.link()));
        assert_eq!(shown(&again), (0, cycles));
    }

    #[test]
    fn a_range_is_a_period_of_the_stalls_until_it_is_cleared() {
        use crate::app::Choice;
        use crate::scene::{Period, Setting};
        let mut session = timeline();
        let periods = |session: &Session| session.controls(View::Stalls)[1].options.len();
        assert_eq!(periods(&session), 3);
        apply(
            &mut session,
            Gesture::Brush {
                from: 300.0,
                to: 500.0,
            },
        );
        assert_eq!(periods(&session), 4);
        update(&mut session, Event::View(View::Stalls));
        update(
            &mut session,
            Event::Choose(Choice::Set(Setting::Period(Period::Range))),
        );
        let size = crate::scene::Size {
            width: 832.0,
            height: 636.0,
        };
        let picture = session.shown().picture(View::Stalls, size).unwrap();
        assert!(
            picture.headline.starts_with("In this range, warps"),
            "{}",
            picture.headline
        );
        // A warp that is selected there leaves the range.
        update(
            &mut session,
            Event::Select(crate::scene::Target::Warp { slot: 3 }),
        );
        assert!(session.range().is_some());
        update(&mut session, Event::Close);
        assert_eq!((session.range(), periods(&session)), (None, 3));
    }

    #[test]
    fn a_range_is_marked_with_keys() {
        let mut session = timeline();
        apply(&mut session, Gesture::MarkRange);
        update(&mut session, Event::Step(10));
        apply(&mut session, Gesture::MarkRange);
        assert_eq!(session.range(), Some((Cycle(900), Cycle(911))));
        update(&mut session, Event::Step(-30));
        apply(&mut session, Gesture::MarkRange);
        assert_eq!(session.range(), Some((Cycle(880), Cycle(911))));
        update(&mut session, Event::Seek(910));
        apply(&mut session, Gesture::MarkRange);
        assert_eq!(session.range(), None);
    }

    #[test]
    fn the_strip_zooms_and_the_magnifier_closes() {
        let mut session = timeline();
        let cycles = session.derived().num_cycles();
        apply(&mut session, Gesture::StripAround(0.5));
        let (start, num) = session.ui.state.strip.unwrap();
        assert_eq!(num, (cycles as f64 / 2.0).round() as u64);
        assert!((start.0..start.0 + num).contains(&900));
        let zoomed = session.ui.state.strip;
        apply(&mut session, Gesture::Magnify(Some((400.0, 1400.0))));
        assert!(session.ui.state.strip.unwrap().1 < num);
        apply(&mut session, Gesture::Magnify(None));
        assert_eq!(session.ui.state.strip, zoomed);
        apply(&mut session, Gesture::StripAround(4.0));
        assert_eq!(session.ui.state.strip, None);
    }

    #[test]
    fn keys_move_over_registers_lanes_and_words() {
        let mut session = opened("v1;kernel=matmul-tiled;view=registers;cycle=900");
        for (step, lane) in [(1, Some(0)), (1, Some(1)), (-1, Some(0)), (-1, None)] {
            apply(&mut session, Gesture::Lane(step));
            assert_eq!(session.ui.state.lane, lane);
        }
        apply(&mut session, Gesture::Row(1));
        apply(&mut session, Gesture::Row(1));
        assert_eq!(session.ui.state.register, Some(1));
        apply(&mut session, Gesture::Row(-1));
        apply(&mut session, Gesture::Row(-1));
        assert_eq!(session.ui.state.register, None);
        session.ui.state.settings.storage = Storage::Shared;
        apply(&mut session, Gesture::Lane(1));
        assert_eq!(session.ui.state.word, Some(0));
        apply(&mut session, Gesture::Row(1));
        assert_eq!(session.ui.state.word, Some(128));
    }
}
