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
        let style = format!(
            "width:{}px;height:{}px",
            props.scene.size.width, props.scene.size.height
        );
        let scene = Rc::clone(&props.scene);
        let hover = props.on_hover.clone();
        let (drag, dispatch) = (Rc::clone(&self.drag), props.dispatch.clone());
        let begin = Rc::clone(&self.drag);
        let onpointerdown =
            Callback::from(move |event: PointerEvent| begin.set(Some((f64::from(event.client_x()), 0.0))));
        let onpointermove = Callback::from(move |event: PointerEvent| {
            if event.buttons() & 1 == 1
                && let Some((last, way)) = drag.get()
            {
                let moved = f64::from(event.client_x()) - last;
                drag.set(Some((last + moved, way + moved.abs())));
                dispatch.emit(Event::Drag(moved));
                return hover.emit(None);
            }
            let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
            hover.emit(target_at(&scene, &event).map(|target| (target, x, y)));
        });
        let hover = props.on_hover.clone();
        let onpointerleave = Callback::from(move |_: PointerEvent| hover.emit(None));
        let (scene, dispatch) = (Rc::clone(&props.scene), props.dispatch.clone());
        let drag = Rc::clone(&self.drag);
        let onclick = Callback::from(move |event: MouseEvent| {
            // The end of a drag is no click.
            if drag.take().is_some_and(|(_, way)| way > 4.0) {
                return;
            }
            if let Some(target) = target_at(&scene, &event) {
                dispatch.emit(Event::Select(target));
            }
        });
        let (scene, dispatch) = (Rc::clone(&props.scene), props.dispatch.clone());
        let onwheel = Callback::from(move |event: WheelEvent| {
            if let Some(Target::WarpAt { cycle, .. } | Target::Cycle(cycle)) = target_at(&scene, &event)
                && (event.ctrl_key() || event.shift_key() || event.alt_key())
            {
                event.prevent_default();
                let factor = if event.delta_y() > 0.0 || event.delta_x() > 0.0 {
                    1.25
                } else {
                    0.8
                };
                dispatch.emit(Event::Zoom {
                    factor,
                    around: Some(cycle),
                });
            }
        });
        let headline = props.scene.headline.clone();
        html! {
            <canvas ref={props.node.clone()} data-testid="stage-canvas" tabindex="0" role="img"
                aria-label={headline} {style} {onpointerdown} {onpointermove} {onpointerleave} {onclick} {onwheel}/>
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

fn target_at(scene: &Scene, event: &MouseEvent) -> Option<Target> {
    scene.hit(event.offset_x() as f32, event.offset_y() as f32)
}
