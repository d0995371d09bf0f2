//! The strip of the whole run: shows a scene, scrubs by dragging.

use std::rc::Rc;

use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::{Callback, Component, Context, Html, KeyboardEvent, NodeRef, PointerEvent, Properties, html};

use super::browser;
use super::observer::SizeObserver;
use super::paint::Painter;
use super::palette::Palette;
use crate::app::Event;
use crate::scene::{Scene, StripScale, Target};

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
        let scrub = {
            let (dispatch, cycles) = (props.dispatch.clone(), props.num_cycles);
            move |event: &PointerEvent| {
                let width = event.current_target().and_then(width).unwrap_or(1.0);
                let cycle = StripScale::new(cycles, width).cycle(event.offset_x() as f32);
                dispatch.emit(Event::Seek(cycle.0));
            }
        };
        let begin = scrub.clone();
        let canvas = self.canvas.clone();
        let onpointerdown = Callback::from(move |event: PointerEvent| {
            if let Some(canvas) = canvas.cast::<HtmlElement>() {
                // A pointer that has gone already cannot be held.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
            begin(&event);
        });
        let (hover, cycles) = (props.on_hover.clone(), props.num_cycles);
        let leave = props.on_hover.clone();
        let onpointerleave = Callback::from(move |_: PointerEvent| leave.emit(None));
        let onpointermove = Callback::from(move |event: PointerEvent| {
            if event.buttons() & 1 == 1 {
                hover.emit(None);
                scrub(&event);
            } else {
                let width = event.current_target().and_then(width).unwrap_or(1.0);
                let cycle = StripScale::new(cycles, width).cycle(event.offset_x() as f32);
                let place = (f64::from(event.client_x()), f64::from(event.client_y()) - 64.0);
                hover.emit((cycles > 0).then_some((Target::Cycle(cycle.0), place.0, place.1)));
            }
        });
        let dispatch = props.dispatch.clone();
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            let by = match event.key().as_str() {
                "PageUp" => 100,
                "PageDown" => -100,
                _ => return,
            };
            event.prevent_default();
            dispatch.emit(Event::Step(by));
        });
        html! {
            <canvas ref={self.canvas.clone()} tabindex="0" role="slider" aria-label="Cycle" data-testid="strip"
                aria-valuemin="0" aria-valuemax={props.num_cycles.saturating_sub(1).to_string()}
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

fn width(target: web_sys::EventTarget) -> Option<f32> {
    use wasm_bindgen::JsCast;
    let element = target.dyn_into::<HtmlElement>().ok()?;
    Some(element.get_bounding_client_rect().width() as f32)
}
