//! The stage's canvas: shows a scene, says what is pointed at.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};
use yew::{Callback, Component, Context, Html, MouseEvent, NodeRef, PointerEvent, Properties, html};

use super::browser;
use super::gestures::{self, Hand, SharedHand};
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
    /// Whether it is the Timeline, which is dragged, zoomed and brushed.
    #[prop_or_default]
    pub timeline: bool,
}

impl PartialEq for PictureProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.scene, &other.scene)
            && Rc::ptr_eq(&self.palette, &other.palette)
            && self.timeline == other.timeline
    }
}

/// A canvas with a scene.
#[derive(Default)]
pub(crate) struct Picture {
    /// Where the pointer was last, while it drags, and how far it came.
    drag: Rc<Cell<Option<(f64, f64)>>>,
    /// The pointers on the Timeline.
    hand: SharedHand,
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
        let (begin, hand, timeline) = (Rc::clone(&self.drag), Rc::clone(&self.hand), props.timeline);
        let onpointerdown = Callback::from(move |event: PointerEvent| {
            begin.set(Some((f64::from(event.client_x()), 0.0)));
            if timeline {
                hand.down(&event);
            }
        });
        let hand = Rc::clone(&self.hand);
        let onpointerup = Callback::from(move |event: PointerEvent| hand.up(&event));
        let onpointercancel = onpointerup.clone();
        let onpointerleave = props.on_hover.reform(|_: PointerEvent| None);
        let (onpointermove, onclick) = (self.on_move(props), self.on_click(props));
        let onwheel = if timeline {
            gestures::on_wheel(props.dispatch.clone())
        } else {
            Callback::noop()
        };
        html! {
            <canvas ref={props.node.clone()} data-testid="stage-canvas" tabindex="0" role="img"
                aria-label={props.scene.headline.clone()} {style} data-timeline={timeline.then_some("")}
                {onpointerdown} {onpointerup} {onpointercancel} {onpointermove} {onpointerleave} {onclick} {onwheel}/>
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
        let (hand, timeline) = (Rc::clone(&self.hand), props.timeline);
        Callback::from(move |event: PointerEvent| {
            let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
            if event.buttons() & 1 == 1
                && let Some((last, way)) = drag.get()
            {
                drag.set(Some((x, way + (x - last).abs())));
                if timeline && let Some(event) = hand.drag(&event, x - last) {
                    dispatch.emit(event);
                }
                return hover.emit(None);
            }
            let target = target_at(&scene, &event);
            if timeline && let Some(event) = hand.hover(&event, target) {
                dispatch.emit(event);
            }
            hover.emit(target.map(|target| (target, x, y)));
        })
    }

    /// A click selects; the end of a drag is none.
    fn on_click(&self, props: &PictureProps) -> Callback<MouseEvent> {
        let (scene, dispatch) = (Rc::clone(&props.scene), props.dispatch.clone());
        let (drag, timeline) = (Rc::clone(&self.drag), props.timeline);
        Callback::from(move |event: MouseEvent| {
            let dragged = drag.take().is_some_and(|(_, way)| way > CLICK_PX);
            let on_axis = Hand::click(event.offset_x(), event.offset_y()).filter(|_| timeline);
            if let Some(event) = on_axis {
                if !dragged {
                    dispatch.emit(event);
                }
                return;
            }
            if let Some(target) = target_at(&scene, &event).filter(|_| !dragged) {
                dispatch.emit(Event::Select(target));
            }
        })
    }
}

fn target_at(scene: &Scene, event: &MouseEvent) -> Option<Target> {
    scene.hit(event.offset_x() as f32, event.offset_y() as f32)
}
