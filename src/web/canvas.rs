//! The stage's canvas: shows a scene, says what is pointed at.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};
use yew::{
    Callback, Component, Context, Html, MouseEvent, NodeRef, PointerEvent, Properties, WheelEvent, html,
};

use super::browser;
use super::paint::Painter;
use super::palette::Palette;
use crate::app::Event;
use crate::scene::{Scene, Target};

/// Pixels that a pointer may move in a click.
const CLICK_PX: f64 = 4.0;

/// The drawing context of a canvas.
pub(crate) fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}

/// What a canvas shows.
#[derive(Clone, Properties)]
pub(crate) struct PictureProps {
    pub scene: Rc<Scene>,
    pub palette: Rc<Palette>,
    pub node: NodeRef,
    /// What is under the pointer, and where that is on the screen.
    pub on_hover: Callback<Option<(Target, f64, f64)>>,
    pub dispatch: Callback<Event>,
}

impl PartialEq for PictureProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.scene, &other.scene) && Rc::ptr_eq(&self.palette, &other.palette)
    }
}

/// A canvas with a scene.
#[derive(Default)]
pub(crate) struct Picture {
    /// Where the pointer was last, while it drags, and how far it came.
    drag: Rc<Cell<Option<(f64, f64)>>>,
}

impl Component for Picture {
    type Message = ();
    type Properties = PictureProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let size = props.scene.size;
        let style = format!("width:{}px;height:{}px", size.width, size.height);
        let begin = Rc::clone(&self.drag);
        let onpointerdown =
            Callback::from(move |event: PointerEvent| begin.set(Some((f64::from(event.client_x()), 0.0))));
        let onpointerleave = props.on_hover.reform(|_: PointerEvent| None);
        let (onpointermove, onclick, onwheel) = (self.on_move(props), self.on_click(props), on_wheel(props));
        html! {
            <canvas ref={props.node.clone()} data-testid="stage-canvas" tabindex="0" role="img"
                aria-label={props.scene.headline.clone()} {style}
                {onpointerdown} {onpointermove} {onpointerleave} {onclick} {onwheel}/>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let props = ctx.props();
        if let Some(canvas) = props.node.cast::<HtmlCanvasElement>()
            && let Some(mut painter) =
                Painter::begin(&canvas, props.scene.size, browser::pixel_ratio(), &props.palette)
        {
            painter.scene(&props.scene);
            if first {
                browser::mark("first-picture");
            }
        }
    }
}

impl Picture {
    /// A pointer that moves drags the picture, or says what is under it.
    fn on_move(&self, props: &PictureProps) -> Callback<PointerEvent> {
        let (scene, hover) = (Rc::clone(&props.scene), props.on_hover.clone());
        let (drag, dispatch) = (Rc::clone(&self.drag), props.dispatch.clone());
        Callback::from(move |event: PointerEvent| {
            let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
            if event.buttons() & 1 == 1
                && let Some((last, way)) = drag.get()
            {
                drag.set(Some((x, way + (x - last).abs())));
                dispatch.emit(Event::Drag(x - last));
                return hover.emit(None);
            }
            hover.emit(target_at(&scene, &event).map(|target| (target, x, y)));
        })
    }

    /// A click selects; the end of a drag is none.
    fn on_click(&self, props: &PictureProps) -> Callback<MouseEvent> {
        let (scene, dispatch) = (Rc::clone(&props.scene), props.dispatch.clone());
        let drag = Rc::clone(&self.drag);
        Callback::from(move |event: MouseEvent| {
            let dragged = drag.take().is_some_and(|(_, way)| way > CLICK_PX);
            if let Some(target) = target_at(&scene, &event).filter(|_| !dragged) {
                dispatch.emit(Event::Select(target));
            }
        })
    }
}

/// The wheel with a modifier zooms around the pointer's cycle.
fn on_wheel(props: &PictureProps) -> Callback<WheelEvent> {
    let (scene, dispatch) = (Rc::clone(&props.scene), props.dispatch.clone());
    Callback::from(move |event: WheelEvent| {
        let modified = event.ctrl_key() || event.shift_key() || event.alt_key();
        if let Some(Target::WarpAt { cycle, .. } | Target::Cycle(cycle)) = target_at(&scene, &event)
            && modified
        {
            event.prevent_default();
            let fewer = event.delta_y() + event.delta_x() < 0.0;
            let factor = if fewer { 0.8 } else { 1.25 };
            let around = Some(cycle);
            dispatch.emit(Event::Zoom { factor, around });
        }
    })
}

fn target_at(scene: &Scene, event: &MouseEvent) -> Option<Target> {
    scene.hit(event.offset_x() as f32, event.offset_y() as f32)
}
