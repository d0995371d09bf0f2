//! How a launch fills an SM, and what limits it.

use super::kit::{Sheet, table};
use super::{Scene, Size, ViewState};
use crate::trace::Frame;

/// Draws the view.
pub fn occupancy(frame: &Frame, _view: &ViewState, size: Size) -> Scene {
    let headline = format!("Cycle {}.", frame.cycle().0);
    Sheet::default().finish(size, headline, table(["Cycle"], Vec::new()))
}
