//! CUDA beside instructions, with what each line cost.

use super::kit::{Sheet, table};
use super::{Scene, Size, ViewState};
use crate::trace::Frame;

/// Draws the view.
pub fn source(frame: &Frame, _view: &ViewState, size: Size) -> Scene {
    let headline = format!("Cycle {}.", frame.cycle().0);
    Sheet::default().finish(size, headline, table(["Cycle"], Vec::new()))
}
