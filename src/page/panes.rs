//! Panes of a picture whose rows scroll by wheel, touch, or drag.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::{MouseEvent, PointerEvent, WheelEvent};
use yew::Callback;

use workbench::app::Event;
use workbench::scene::{Pane, Scene};

/// The state of scrolling.
#[derive(Clone, Default)]
pub(crate) struct Scroller {
    /// The fraction of a row that is not scrolled yet.
    part: Rc<Cell<f64>>,
    /// The last position of the dragging pointer.
    at: Rc<Cell<Option<f64>>>,
}

impl Scroller {
    /// Handles a press.
    pub(crate) fn down(&self, event: &PointerEvent) {
        self.part.set(0.0);
        self.at.set(Some(f64::from(event.offset_y())));
    }

    /// Handles a move of a pressed pointer. Returns the dragged pixels and the resulting event, or `None` if there is
    /// no pane under the pointer.
    pub(crate) fn drag(
        &self,
        scene: &Scene,
        event: &PointerEvent,
        enlargement: f32,
    ) -> Option<(f64, Option<Event>)> {
        let pane = pane_at(scene, event, enlargement)?;
        let (y, last) = (f64::from(event.offset_y()), self.at.get()?);
        self.at.set(Some(y));
        let by = last - y;
        Some((
            by.abs(),
            self.scroll(pane, by / f64::from(pane.row_px * enlargement)),
        ))
    }

    /// Handles the wheel over a picture.
    pub(crate) fn on_wheel(
        &self,
        scene: &Rc<Scene>,
        enlargement: f32,
        dispatch: &Callback<Event>,
    ) -> Callback<WheelEvent> {
        let (scroller, scene, dispatch) = (self.clone(), Rc::clone(scene), dispatch.clone());
        Callback::from(move |event: WheelEvent| {
            let modified = event.ctrl_key() || event.shift_key() || event.alt_key();
            let Some(pane) = pane_at(&scene, &event, enlargement).filter(|_| !modified) else {
                return;
            };
            event.prevent_default();
            // Some browsers report lines instead of pixels.
            let unit = if event.delta_mode() == 0 {
                f64::from(pane.row_px * enlargement)
            } else {
                1.0
            };
            if let Some(event) = scroller.scroll(pane, event.delta_y() / unit) {
                dispatch.emit(event);
            }
        })
    }

    /// Scrolls by rows: whole rows now, the remaining fraction with the next event.
    fn scroll(&self, pane: &Pane, rows: f64) -> Option<Event> {
        let rows = self.part.get() + rows;
        self.part.set(rows.fract());
        let top = (f64::from(pane.top) + rows.trunc()).clamp(0.0, f64::from(pane.max_top)) as u32;
        (top != pane.top).then_some(Event::Scroll(pane.rows, top))
    }
}

/// The event that stops a clicked pane from following the run.
pub(crate) fn hold(scene: &Scene, event: &MouseEvent, enlargement: f32) -> Option<Event> {
    pane_at(scene, event, enlargement).map(|pane| Event::Scroll(pane.rows, pane.top))
}

fn pane_at<'a>(scene: &'a Scene, event: &MouseEvent, enlargement: f32) -> Option<&'a Pane> {
    let (x, y) = (event.offset_x() as f32, event.offset_y() as f32);
    scene.pane_at(x / enlargement, y / enlargement)
}
