//! Gestures on the Timeline: a drag pans, pinch and wheel zoom, and Shift or the axis brushes a range. The Streams view
//! has the same gestures without ranges; its wheel zooms with Ctrl and otherwise scrolls the rows.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::{Callback, PointerEvent, WheelEvent};

use super::held;
use workbench::app::{Event, Gesture};
use workbench::scene::{TIMELINE_AXIS, Target};

/// Zoom per pixel of the wheel: a notch of 100 pixels zooms by a quarter.
const WHEEL: f64 = 0.002_23;
/// Zoom per pixel of a trackpad pinch, which has small steps.
const PINCH: f64 = 0.01;
/// Limit of wheel pixels per event.
const MAX_PX: f64 = 200.0;
/// The same limit for a pinch.
const MAX_PINCH_PX: f64 = 40.0;
/// Pixels per line of the wheel.
const LINE_PX: f64 = 33.0;

/// The pressed pointers.
#[derive(Default)]
pub(crate) struct Hand {
    /// ID and x of each pointer, in the canvas.
    down: RefCell<Vec<(i32, f64)>>,
    /// The start of a brush.
    brush: Cell<Option<f64>>,
    /// Whether the pointer shows a warp's dependency.
    probing: Cell<bool>,
}

impl Hand {
    /// Handles a press that begins no range.
    pub(crate) fn press(&self, event: &PointerEvent) {
        held::hold(event, "canvas");
        let (id, x) = (event.pointer_id(), f64::from(event.offset_x()));
        let mut down = self.down.borrow_mut();
        down.retain(|(other, _)| *other != id);
        down.push((id, x));
        self.brush.set(None);
    }

    /// Handles a press: a brush begins with Shift, on the axis, or while brushing is the drag mode.
    pub(crate) fn down(&self, event: &PointerEvent, brushes: bool) {
        self.press(event);
        let on_axis = event.offset_y() < TIMELINE_AXIS as i32;
        let alone = self.down.borrow().len() == 1;
        let begins = alone && (brushes || event.shift_key() || on_axis);
        self.brush.set(begins.then_some(f64::from(event.offset_x())));
    }

    /// Turns a long press into a brush. Returns the range so far.
    pub(crate) fn rest(&self) -> Option<Event> {
        let down = self.down.borrow();
        let [(_, x)] = down.as_slice() else {
            return None;
        };
        self.brush.set(Some(*x));
        Some(Event::Gesture(Gesture::Brush { from: *x, to: *x }))
    }

    /// Handles a release.
    pub(crate) fn up(&self, event: &PointerEvent) {
        self.down.borrow_mut().retain(|(id, _)| *id != event.pointer_id());
        self.brush.set(None);
    }

    /// Handles a move of a pressed pointer. Returns the resulting event.
    pub(crate) fn drag(&self, event: &PointerEvent, by: f64) -> Option<Event> {
        let x = f64::from(event.offset_x());
        let mut down = self.down.borrow_mut();
        let moved = down.iter().position(|(id, _)| *id == event.pointer_id());
        if let (Some(moved), [one, other]) = (moved, down.as_mut_slice()) {
            let (moving, fixed) = if moved == 0 { (one, other) } else { (other, one) };
            let (before, after) = ((moving.1 - fixed.1).abs(), (x - fixed.1).abs());
            moving.1 = x;
            let middle = f64::midpoint(x, fixed.1);
            return (before > 8.0 && after > 8.0).then(|| {
                Event::Gesture(Gesture::Zoom {
                    factor: before / after,
                    x: middle,
                })
            });
        }
        if let Some(from) = self.brush.get() {
            return Some(Event::Gesture(Gesture::Brush { from, to: x }));
        }
        Some(Event::Drag(by))
    }

    /// Handles a hover: with Alt, the dependency of the warp under the pointer is shown.
    pub(crate) fn hover(&self, event: &PointerEvent, target: Option<Target>) -> Option<Event> {
        let at = match target {
            Some(Target::WarpAt { slot, cycle }) if event.alt_key() => Some((slot, cycle)),
            _ => None,
        };
        let was = self.probing.replace(at.is_some());
        (was || at.is_some()).then_some(Event::Gesture(Gesture::Probe(at)))
    }

    /// Handles a click on the axis.
    pub(crate) fn click(x: i32, y: i32) -> Option<Event> {
        (y < TIMELINE_AXIS as i32).then(|| Event::Gesture(Gesture::Axis(x.into())))
    }
}

/// Zooms around the pointer on a wheel event; pans with Shift or on a sideways wheel.
pub(crate) fn on_wheel(dispatch: Callback<Event>) -> Callback<WheelEvent> {
    Callback::from(move |event: WheelEvent| {
        event.prevent_default();
        let (across, along) = (event.delta_x(), event.delta_y());
        if event.shift_key() || across.abs() > along.abs() {
            let by = if across == 0.0 { along } else { across };
            return dispatch.emit(Event::Drag(-by));
        }
        let px = match event.delta_mode() {
            WheelEvent::DOM_DELTA_PIXEL => along,
            _ => along * LINE_PX,
        };
        let (speed, most) = if event.ctrl_key() || event.meta_key() {
            (PINCH, MAX_PINCH_PX)
        } else {
            (WHEEL, MAX_PX)
        };
        let factor = libm::exp(px.clamp(-most, most) * speed);
        dispatch.emit(Event::Gesture(Gesture::Zoom {
            factor,
            x: f64::from(event.offset_x()),
        }));
    })
}

/// The same where the wheel scrolls rows: it zooms with Ctrl, and pans with Shift or sideways.
pub(crate) fn on_control_wheel(dispatch: Callback<Event>) -> Callback<WheelEvent> {
    let zooms = on_wheel(dispatch);
    Callback::from(move |event: WheelEvent| {
        let is_sideways = event.shift_key() || event.delta_x().abs() > event.delta_y().abs();
        if event.ctrl_key() || event.meta_key() || is_sideways {
            zooms.emit(event);
        }
    })
}

/// Shares one state among all callbacks of a canvas.
pub(crate) type SharedHand = Rc<Hand>;
