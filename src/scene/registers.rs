//! Registers, predicates and words of shared memory at the cycle, lane by lane.

use super::kit::{Sheet, table};
use super::{Scene, Size, ViewState};
use crate::trace::Frame;

/// Draws the view.
pub fn registers(frame: &Frame, _view: &ViewState, size: Size) -> Scene {
    let headline = format!("Cycle {}.", frame.cycle().0);
    Sheet::default().finish(size, headline, table(["Cycle"], Vec::new()))
}
