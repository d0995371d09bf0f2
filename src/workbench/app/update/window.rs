//! The shown part of a picture: zoom and scroll.

use super::*;
use crate::app::streams::{StreamsMove, move_window};
use crate::scene::{PaneRows, ZOOM};
use engine::ids::Cycle;

/// Zooms the lanes of the Divergence view, the time axis of the Streams view, or the timeline around a cycle.
pub(super) fn zoom(session: &mut Session, factor: f64, around: Option<u64>) -> Vec<Effect> {
    if session.active_view() == View::Divergence {
        let settings = &mut session.ui.state.settings;
        settings.lane_zoom = settings.lane_zoom.zoomed(factor < 1.0);
        return vec![Effect::ReplaceLink];
    }
    if session.active_view() == View::Streams {
        move_window(session, StreamsMove::Zoom(factor, None));
    } else {
        let around = around.unwrap_or(session.cycle());
        zoom_timeline(session, factor, around);
    }
    session.link_ms.get_or_insert(LINK_PAUSE_MS);
    Vec::new()
}

/// Zooms the timeline around a cycle.
fn zoom_timeline(session: &mut Session, factor: f64, around: u64) {
    let Some((before, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    let px = (f64::from(before.px) / factor).clamp(f64::from(ZOOM.0), f64::from(ZOOM.1));
    session.ui.state.cycle_px = Some(px as f32);
    let offset = (f64::from(before.x(around) - before.x0) / px) as u64;
    if session.ui.state.timeline_start.is_some() || around != session.cycle() {
        session.ui.state.timeline_start = Some(Cycle(around.saturating_sub(offset).min(cycles)));
    }
}

/// Scrolls the Timeline's window without changing the current cycle.
pub(super) fn drag(session: &mut Session, pixels: f64) {
    let Some((scale, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    if session.active_view() != View::Timeline {
        return;
    }
    let shown = scale.end - scale.start;
    session.dragged += pixels / f64::from(scale.px);
    let whole = session.dragged.trunc();
    session.dragged -= whole;
    let start = (scale.start as f64 - whole).max(0.0) as u64;
    session.ui.state.timeline_start = Some(Cycle(start.min(cycles.saturating_sub(shown))));
}

/// Scrolls a pane of the picture to its first shown row.
pub(super) fn scroll(session: &mut Session, rows: PaneRows, top: u32) -> Vec<Effect> {
    match rows {
        PaneRows::Lines => session.ui.state.top_line = Some(top),
        PaneRows::Instructions => session.ui.state.top_pc = Some(top),
    }
    session.link_ms.get_or_insert(LINK_PAUSE_MS);
    Vec::new()
}
