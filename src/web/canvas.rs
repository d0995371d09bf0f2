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
use super::panes::{self, Scroller};
use crate::app::{Event, Gesture};
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
    pub id: String,
    /// CSS pixels a pixel of the scene.
    pub enlargement: f32,
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
            && self.enlargement == other.enlargement
    }
}

/// A canvas with a scene.
#[derive(Default)]
pub(crate) struct Picture {
    /// Where the pointer was last, while it drags, and how far it came.
    drag: Rc<Cell<Option<(f64, f64)>>>,
    /// The pointers on the Timeline.
    hand: SharedHand,
    /// How its panes are scrolled.
    scroller: Scroller,
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
        let (width, height) = (size.width * props.enlargement, size.height * props.enlargement);
        // A finger moves the rows of a pane, not the page.
        let touch = if props.scene.panes.is_empty() { "" } else { ";touch-action:none" };
        let style = format!("width:{width}px;height:{height}px{touch}");
        let scroller = self.scroller.clone();
        let (begin, hand, timeline) = (Rc::clone(&self.drag), Rc::clone(&self.hand), props.timeline);
        let onpointerdown = Callback::from(move |event: PointerEvent| {
            begin.set(Some((f64::from(event.client_x()), 0.0)));
            scroller.down(&event);
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
            gestures::on_wheel(in_scene(props))
        } else {
            self.scroller.on_wheel(props)
        };
        html! {
            <canvas ref={props.node.clone()} data-testid={props.id.clone()} tabindex="0" role="img"
                aria-label={props.scene.headline.clone()} {style} data-timeline={timeline.then_some("")}
                {onpointerdown} {onpointerup} {onpointercancel} {onpointermove} {onpointerleave} {onclick} {onwheel}/>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let props = ctx.props();
        let ratio = browser::pixel_ratio() * f64::from(props.enlargement);
        if let Some(canvas) = props.node.cast::<HtmlCanvasElement>()
            && let Some(mut painter) =
                Painter::begin(&canvas, props.scene.size, ratio, &props.palette)
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
        let (scene, hover, factor) = (Rc::clone(&props.scene), props.on_hover.clone(), props.enlargement);
        let (drag, dispatch) = (Rc::clone(&self.drag), in_scene(props));
        let (hand, timeline) = (Rc::clone(&self.hand), props.timeline);
        let scroller = self.scroller.clone();
        Callback::from(move |event: PointerEvent| {
            let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
            if event.buttons() & 1 == 1
                && let Some((last, way)) = drag.get()
            {
                if let Some((by, event)) = scroller.drag(&scene, &event, factor) {
                    drag.set(Some((x, way + by)));
                    if let Some(event) = event {
                        dispatch.emit(event);
                    }
                    return hover.emit(None);
                }
                drag.set(Some((x, way + (x - last).abs())));
                if timeline && let Some(event) = hand.drag(&event, x - last) {
                    dispatch.emit(event);
                }
                return hover.emit(None);
            }
            let target = target_at(&scene, &event, factor);
            if timeline && let Some(event) = hand.hover(&event, target) {
                dispatch.emit(event);
            }
            hover.emit(target.map(|target| (target, x, y)));
        })
    }

    /// A click selects; the end of a drag is none.
    fn on_click(&self, props: &PictureProps) -> Callback<MouseEvent> {
        let (scene, dispatch, factor) = (Rc::clone(&props.scene), in_scene(props), props.enlargement);
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
            if let Some(target) = target_at(&scene, &event, factor).filter(|_| !dragged) {
                if let Some(event) = panes::hold(&scene, &event, factor) {
                    dispatch.emit(event);
                }
                dispatch.emit(Event::Select(target));
            }
        })
    }
}

/// Takes events whose pixels are the page's, and hands them on with the scene's.
fn in_scene(props: &PictureProps) -> Callback<Event> {
    let factor = f64::from(props.enlargement);
    props.dispatch.reform(move |event| match event {
        Event::Drag(by) => Event::Drag(by / factor),
        Event::Gesture(Gesture::Zoom { factor: zoom, x }) => Event::Gesture(Gesture::Zoom {
            factor: zoom,
            x: x / factor,
        }),
        Event::Gesture(Gesture::Brush { from, to }) => Event::Gesture(Gesture::Brush {
            from: from / factor,
            to: to / factor,
        }),
        Event::Gesture(Gesture::Axis(x)) => Event::Gesture(Gesture::Axis(x / factor)),
        event => event,
    })
}

fn target_at(scene: &Scene, event: &MouseEvent, enlargement: f32) -> Option<Target> {
    scene.hit(event.offset_x() as f32 / enlargement, event.offset_y() as f32 / enlargement)
}
