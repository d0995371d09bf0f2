//! One request to global memory: 32 lanes against the segments, lines or sectors of the architecture.

use super::kit::{Sheet, table};
use super::{Scene, Size, ViewState};
use crate::trace::Frame;

/// Draws the view.
pub fn coalescing(frame: &Frame, _view: &ViewState, size: Size) -> Scene {
    let headline = format!("Cycle {}.", frame.cycle().0);
    Sheet::default().finish(size, headline, table(["Cycle"], Vec::new()))
}
