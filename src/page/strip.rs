//! The strip of the whole run: it draws a scene, scrubs on a drag, and zooms on the wheel. A long press
//! shows a magnified part of the run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::{
    Callback, Component, Context, Html, KeyboardEvent, MouseEvent, NodeRef, PointerEvent, Properties,
    WheelEvent, html,
};

use super::browser;
use super::held;
use super::observer::SizeObserver;
use super::paint;
use super::palette::Palette;
use engine::ids::Cycle;
use workbench::app::{Event, Gesture};
use workbench::scene::{Scene, StripScale, Target, WindowPart};

/// Distance of the tooltip above the pointer, in CSS pixels.
const TIP_ABOVE_PX: f64 = 64.0;
/// Duration of a long press, which opens the magnifier, in milliseconds.
const HOLD_MS: i32 = 450;
/// Movement allowed during a long press, in CSS pixels.
const HOLD_PX: f64 = 8.0;
/// Zoom factor of one notch of the wheel.
const NOTCH: f64 = 0.8;
/// Height above the strip's lower edge within which the mouse grabs the window.
const REACH_PX: f32 = 3.0;
/// The same height for touch.
const TOUCH_REACH_PX: f32 = 12.0;

/// The properties of the strip.
#[derive(Clone, Properties)]
pub(crate) struct StripProps {
    /// The run.
    pub run: Option<Rc<Scene>>,
    /// The overlay of the run: the playhead and marks.
    pub marks: Option<Rc<Scene>>,
    pub palette: Rc<Palette>,
    /// CSS pixels per pixel of the pictures.
    pub enlargement: f32,
    pub cycle: u64,
    pub num_cycles: u64,
    /// The first cycle shown and the number of cycles, unless the whole run is shown.
    pub part: Option<(Cycle, u64)>,
    /// The cycles that the Timeline shows, if the Timeline is on the stage.
    pub window: Option<(Cycle, Cycle)>,
    pub on_size: Callback<(f32, f32)>,
    pub on_hover: Callback<Option<(Target, f64, f64)>>,
    pub dispatch: Callback<Event>,
}

impl PartialEq for StripProps {
    fn eq(&self, other: &Self) -> bool {
        same(self.run.as_ref(), other.run.as_ref())
            && same(self.marks.as_ref(), other.marks.as_ref())
            && Rc::ptr_eq(&self.palette, &other.palette)
            && self.num_cycles == other.num_cycles
            && self.part == other.part
            && self.window == other.window
            && self.enlargement == other.enlargement
    }
}

fn same<T>(one: Option<&Rc<T>>, other: Option<&Rc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// A cached drawing of the run, reused while only the playhead moves.
struct Kept {
    canvas: HtmlCanvasElement,
    run: Rc<Scene>,
    palette: Rc<Palette>,
    ratio: f64,
}

/// The strip component.
pub(crate) struct Strip {
    canvas: NodeRef,
    kept: Option<Kept>,
    observer: Option<SizeObserver>,
    hold: Rc<Hold>,
    grip: Rc<Cell<Option<Grip>>>,
    /// The cycle at which the selection of a range began.
    brush: Rc<Cell<Option<u64>>>,
}

/// How the pointer drags the Timeline's window.
#[derive(Clone, Copy)]
struct Grip {
    part: WindowPart,
    /// Cycles between the first shown cycle and the grabbed point.
    at: f64,
    /// The window at the start of the drag.
    from: u64,
    to: u64,
}

impl Grip {
    /// The event that moves the window for a pointer at this cycle offset.
    fn window(self, at: f64, cycles: u64) -> Event {
        let by = (at - self.at).round() as i64;
        let shown = self.to - self.from;
        let (from, to) = match self.part {
            WindowPart::Whole => {
                let from = self
                    .from
                    .saturating_add_signed(by)
                    .min(cycles.saturating_sub(shown));
                (from, from + shown)
            }
            WindowPart::Start => (self.from.saturating_add_signed(by).min(self.to - 1), self.to),
            WindowPart::End => {
                let to = self.to.saturating_add_signed(by);
                (self.from, to.clamp(self.from + 1, cycles.max(self.from + 1)))
            }
        };
        Event::Gesture(Gesture::Window { from, to })
    }
}

/// A touch that may become a long press.
#[derive(Default)]
struct Hold {
    timer: Cell<Option<i32>>,
    call: RefCell<Option<Closure<dyn FnMut()>>>,
    /// Where the touch began.
    x: Cell<f64>,
}

impl Hold {
    fn begin(&self, x: f64, width: f64, dispatch: Callback<Event>) {
        self.cancel();
        self.x.set(x);
        let call = Closure::new(move || {
            dispatch.emit(Event::Gesture(Gesture::Magnify(Some((x, width)))));
        });
        let id = browser::window().and_then(|window| {
            let function = call.as_ref().unchecked_ref();
            window
                .set_timeout_with_callback_and_timeout_and_arguments_0(function, HOLD_MS)
                .ok()
        });
        self.timer.set(id);
        *self.call.borrow_mut() = Some(call);
    }

    fn cancel(&self) {
        if let (Some(id), Some(window)) = (self.timer.take(), browser::window()) {
            window.clear_timeout_with_handle(id);
        }
    }
}

impl Component for Strip {
    type Message = ();
    type Properties = StripProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            canvas: NodeRef::default(),
            kept: None,
            observer: None,
            hold: Rc::default(),
            grip: Rc::default(),
            brush: Rc::default(),
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let (cycles, dispatch) = (props.num_cycles, props.dispatch.clone());
        let (place, hold, grip) = (Place::of(props), Rc::clone(&self.hold), Rc::clone(&self.grip));
        let brush = Rc::clone(&self.brush);
        let onpointerdown = Callback::from(move |event: PointerEvent| {
            held::hold(&event, "canvas");
            grip.set(place.grip(&event));
            if grip.get().is_some() {
                return;
            }
            if event.shift_key() {
                return brush.set(Some(place.cycle(&event)));
            }
            if event.pointer_type() == "touch" {
                hold.begin(
                    place.x(&event).into(),
                    place.width(&event).into(),
                    dispatch.clone(),
                );
            }
            dispatch.emit(Event::Seek(place.cycle(&event)));
        });
        let (hold, release, grip) = (
            Rc::clone(&self.hold),
            props.dispatch.clone(),
            Rc::clone(&self.grip),
        );
        let brush = Rc::clone(&self.brush);
        let onpointerup = Callback::from(move |event: PointerEvent| {
            hold.cancel();
            brush.set(None);
            if grip.take().is_some() {
                return;
            }
            if event.pointer_type() == "touch" {
                release.emit(Event::Gesture(Gesture::Magnify(None)));
            }
        });
        let onpointercancel = onpointerup.clone();
        let onwheel = on_wheel(props);
        let onpointerleave = props.on_hover.reform(|_: PointerEvent| None);
        let (onpointermove, onkeydown) = (self.on_move(props), on_key(props));
        let window = props.marks.as_ref().map(|marks| marks.note.clone());
        let text = format!("Cycle {}. {}", props.cycle, window.unwrap_or_default());
        html! {
            <canvas ref={self.canvas.clone()} tabindex="0" role="slider" aria-label="Cycle" data-testid="strip"
                aria-valuetext={text.trim().to_owned()}
                aria-valuemin="0" aria-valuemax={cycles.saturating_sub(1).to_string()}
                aria-valuenow={props.cycle.to_string()} {onpointerdown} {onpointerup} {onpointercancel}
                {onpointermove} {onpointerleave} {onwheel} {onkeydown}/>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>() else {
            return;
        };
        if first {
            self.observer = SizeObserver::watch(&canvas, ctx.props().on_size.clone());
        }
        let props = ctx.props();
        let ratio = browser::pixel_ratio() * f64::from(props.enlargement);
        let Some(run) = &props.run else { return };
        self.keep(run, &props.palette, ratio);
        let Some(mut painter) = paint::begin(&canvas, run.size, ratio, &props.palette) else {
            return;
        };
        match &self.kept {
            Some(kept) => painter.pen.copy(&kept.canvas, run.size),
            None => painter.scene(run),
        }
        if let Some(marks) = &props.marks {
            painter.scene(marks);
        }
    }
}

impl Strip {
    /// Draws the run into the cache, unless the cache is current.
    fn keep(&mut self, run: &Rc<Scene>, palette: &Rc<Palette>, ratio: f64) {
        let is_kept = self.kept.as_ref().is_some_and(|kept| {
            Rc::ptr_eq(&kept.run, run) && Rc::ptr_eq(&kept.palette, palette) && kept.ratio == ratio
        });
        if is_kept {
            return;
        }
        let canvas = browser::document()
            .and_then(|document| document.create_element("canvas").ok())
            .and_then(|canvas| canvas.dyn_into::<HtmlCanvasElement>().ok());
        self.kept = canvas.and_then(|canvas| {
            paint::begin(&canvas, run.size, ratio, palette)?.scene(run);
            Some(Kept {
                canvas,
                run: Rc::clone(run),
                palette: Rc::clone(palette),
                ratio,
            })
        });
    }

    /// A pressed pointer scrubs; any other pointer shows the tooltip.
    fn on_move(&self, props: &StripProps) -> Callback<PointerEvent> {
        let (hover, dispatch, cycles) = (props.on_hover.clone(), props.dispatch.clone(), props.num_cycles);
        let (place, hold, grip) = (Place::of(props), Rc::clone(&self.hold), Rc::clone(&self.grip));
        let brush = Rc::clone(&self.brush);
        Callback::from(move |event: PointerEvent| {
            if let Some(from) = brush.get().filter(|_| event.buttons() & 1 == 1) {
                hover.emit(None);
                let to = place.cycle(&event);
                return dispatch.emit(Event::Gesture(Gesture::Range { from, to }));
            }
            if let Some(held) = grip.get().filter(|_| event.buttons() & 1 == 1) {
                hover.emit(None);
                let at = place.scale(&event).offset(place.x(&event));
                return dispatch.emit(held.window(at, cycles));
            }
            show_cursor(&event, place.part_at(&event));
            let cycle = place.cycle(&event);
            if event.buttons() & 1 == 1 {
                if (f64::from(place.x(&event)) - hold.x.get()).abs() > HOLD_PX {
                    hold.cancel();
                }
                hover.emit(None);
                return dispatch.emit(Event::Seek(cycle));
            }
            let at = (
                f64::from(event.client_x()),
                f64::from(event.client_y()) - TIP_ABOVE_PX,
            );
            hover.emit((cycles > 0).then_some((Target::Cycle(cycle), at.0, at.1)));
        })
    }
}

/// The wheel zooms around the cycle at the pointer.
fn on_wheel(props: &StripProps) -> Callback<WheelEvent> {
    let (dispatch, place) = (props.dispatch.clone(), Place::of(props));
    Callback::from(move |event: WheelEvent| {
        event.prevent_default();
        let fewer = event.delta_y() + event.delta_x() < 0.0;
        dispatch.emit(Event::Gesture(Gesture::Strip {
            factor: if fewer { NOTCH } else { 1.0 / NOTCH },
            x: place.x(&event).into(),
            width: place.width(&event).into(),
        }));
    })
}

/// The mapping from pointer positions to cycles.
#[derive(Clone, Copy)]
struct Place {
    enlargement: f32,
    cycle: u64,
    cycles: u64,
    part: Option<(Cycle, u64)>,
    window: Option<(Cycle, Cycle)>,
}

impl Place {
    const fn of(props: &StripProps) -> Self {
        Self {
            enlargement: props.enlargement,
            cycle: props.cycle,
            cycles: props.num_cycles,
            part: props.part,
            window: props.window,
        }
    }

    /// x of a pointer, in the picture's own pixels.
    fn x(self, event: &MouseEvent) -> f32 {
        event.offset_x() as f32 / self.enlargement
    }

    /// Width of the strip, in the picture's own pixels.
    fn width(self, event: &web_sys::Event) -> f32 {
        width_of(event) / self.enlargement
    }

    fn scale(self, event: &PointerEvent) -> StripScale {
        StripScale::of(self.cycles, Cycle(self.cycle), self.part, self.width(event))
    }

    /// The cycle under a pointer.
    fn cycle(self, event: &PointerEvent) -> u64 {
        self.scale(event).cycle(self.x(event)).0
    }

    /// The part of the window under the pointer.
    fn part_at(self, event: &PointerEvent) -> Option<WindowPart> {
        let reach = if event.pointer_type() == "touch" {
            TOUCH_REACH_PX
        } else {
            REACH_PX
        };
        let at = (self.x(event), event.offset_y() as f32 / self.enlargement);
        let height = height_of(event) / self.enlargement;
        self.scale(event).window_part(self.window?, at, height, reach)
    }

    /// Starts a drag of the window if the pointer is over it.
    fn grip(self, event: &PointerEvent) -> Option<Grip> {
        let (from, to) = self.window?;
        Some(Grip {
            part: self.part_at(event)?,
            at: self.scale(event).offset(self.x(event)),
            from: from.0,
            to: to.0,
        })
    }
}

fn element_of(event: &web_sys::Event) -> Option<HtmlElement> {
    event.target()?.dyn_into().ok()
}

/// Width of the event's target element.
fn width_of(event: &web_sys::Event) -> f32 {
    element_of(event).map_or(1.0, |element| element.client_width() as f32)
}

/// Height of the event's target element.
fn height_of(event: &web_sys::Event) -> f32 {
    element_of(event).map_or(1.0, |element| element.client_height() as f32)
}

/// Sets the cursor for the part of the window under the pointer.
fn show_cursor(event: &web_sys::Event, part: Option<WindowPart>) {
    let cursor = match part {
        Some(WindowPart::Whole) => "grab",
        Some(WindowPart::Start | WindowPart::End) => "ew-resize",
        None => "",
    };
    if let Some(element) = element_of(event) {
        // Setting `cursor` accepts each of these keywords.
        let _ = element.style().set_property("cursor", cursor);
    }
}

fn on_key(props: &StripProps) -> Callback<KeyboardEvent> {
    let dispatch = props.dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let zoom = |factor| Event::Gesture(Gesture::StripAround(factor));
        if event.key().starts_with("Page") && browser::is_presenting() {
            return;
        }
        let does = match event.key().as_str() {
            "PageUp" => Event::Step(100),
            "PageDown" => Event::Step(-100),
            ")" => zoom(0.5),
            "(" => zoom(2.0),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        dispatch.emit(does);
    })
}
