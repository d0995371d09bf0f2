//! The strip of the whole run: shows a scene, scrubs by dragging.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::{Callback, Component, Context, Html, KeyboardEvent, NodeRef, PointerEvent, Properties, html};

use super::browser;
use super::observer::SizeObserver;
use super::paint::Painter;
use super::palette::Palette;
use crate::app::Event;
use crate::scene::{Scene, StripScale, Target};

/// How far above the pointer the tooltip stands.
const TIP_ABOVE_PX: f64 = 64.0;

/// What the strip shows.
#[derive(Clone, Properties)]
pub(crate) struct StripProps {
    pub scene: Option<Rc<Scene>>,
    pub palette: Rc<Palette>,
    pub cycle: u64,
    pub num_cycles: u64,
    pub on_size: Callback<(f32, f32)>,
    pub on_hover: Callback<Option<(Target, f64, f64)>>,
    pub dispatch: Callback<Event>,
}

impl PartialEq for StripProps {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.scene, &other.scene) {
            (Some(one), Some(two)) => Rc::ptr_eq(one, two),
            (None, None) => true,
            _ => false,
        };
        same && Rc::ptr_eq(&self.palette, &other.palette) && self.num_cycles == other.num_cycles
    }
}

/// The strip.
pub(crate) struct Strip {
    canvas: NodeRef,
    observer: Option<SizeObserver>,
}

impl Component for Strip {
    type Message = ();
    type Properties = StripProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            canvas: NodeRef::default(),
            observer: None,
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let (canvas, cycles, dispatch) = (self.canvas.clone(), props.num_cycles, props.dispatch.clone());
        let onpointerdown = Callback::from(move |event: PointerEvent| {
            if let Some(canvas) = canvas.cast::<HtmlElement>() {
                // A pointer that has gone already cannot be held.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
            dispatch.emit(Event::Seek(cycle_at(&event, cycles)));
        });
        let onpointerleave = props.on_hover.reform(|_: PointerEvent| None);
        let (onpointermove, onkeydown) = (on_move(props), on_key(props));
        html! {
            <canvas ref={self.canvas.clone()} tabindex="0" role="slider" aria-label="Cycle" data-testid="strip"
                aria-valuemin="0" aria-valuemax={cycles.saturating_sub(1).to_string()}
                aria-valuenow={props.cycle.to_string()} {onpointerdown} {onpointermove} {onpointerleave} {onkeydown}/>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>() else {
            return;
        };
        if first {
            self.observer = SizeObserver::watch(&canvas, ctx.props().on_size.clone());
        }
        if let Some(scene) = &ctx.props().scene
            && let Some(mut painter) =
                Painter::begin(&canvas, scene.size, browser::pixel_ratio(), &ctx.props().palette)
        {
            painter.scene(scene);
        }
    }
}

/// A pointer that is down scrubs; one that is not reads out.
fn on_move(props: &StripProps) -> Callback<PointerEvent> {
    let (hover, dispatch, cycles) = (props.on_hover.clone(), props.dispatch.clone(), props.num_cycles);
    Callback::from(move |event: PointerEvent| {
        let cycle = cycle_at(&event, cycles);
        if event.buttons() & 1 == 1 {
            hover.emit(None);
            return dispatch.emit(Event::Seek(cycle));
        }
        let place = (
            f64::from(event.client_x()),
            f64::from(event.client_y()) - TIP_ABOVE_PX,
        );
        hover.emit((cycles > 0).then_some((Target::Cycle(cycle), place.0, place.1)));
    })
}

fn on_key(props: &StripProps) -> Callback<KeyboardEvent> {
    let dispatch = props.dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let by = match event.key().as_str() {
            "PageUp" => 100,
            "PageDown" => -100,
            _ => return,
        };
        event.prevent_default();
        dispatch.emit(Event::Step(by));
    })
}

/// The cycle under a pointer.
fn cycle_at(event: &PointerEvent, cycles: u64) -> u64 {
    let element = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlElement>().ok());
    let width = element.map_or(1.0, |element| element.client_width() as f32);
    StripScale::new(cycles, width).cycle(event.offset_x() as f32).0
}
