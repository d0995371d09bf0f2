//! Where warp cycles went: by reason, by warp, by line.

use super::kit::{Sheet, table};
use super::{Scene, Size, ViewState};
use crate::trace::Frame;

/// Draws the view.
pub fn stalls(frame: &Frame, _view: &ViewState, size: Size) -> Scene {
    let headline = format!("Cycle {}.", frame.cycle().0);
    Sheet::default().finish(size, headline, table(["Cycle"], Vec::new()))
}
