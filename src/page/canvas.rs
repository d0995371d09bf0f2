//! The stage's canvas: it shows a scene and reports the target under the pointer.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::{
    Callback, Component, Context, FocusEvent, Html, KeyboardEvent, MouseEvent, NodeRef, PointerEvent,
    Properties, html,
};

use super::browser;
use super::gestures::{self, Hand, SharedHand};
use super::paint;
use super::palette::Palette;
use super::panes::{self, Scroller};
use super::styled::styled;
use super::timer::{Timer, soon};
use workbench::app::glossary::Card;
use workbench::app::{Event, Gesture, GlossaryEdit, StreamsMove};
use workbench::scene::{Item, Role, Scene, Shape, Stop, Target, Texture};

/// Movement allowed during a click, in CSS pixels.
const CLICK_PX: f64 = 4.0;
/// Milliseconds for which a pointer rests on a label before the card of its term opens.
const DWELL_MS: i32 = 700;
/// Milliseconds after which that card closes when the pointer leaves the label for another place of the picture.
const LEAVE_MS: i32 = 400;
/// Duration of a long press, in milliseconds.
const LONG_PRESS_MS: i32 = 500;

/// A target under the pointer, and its screen position.
pub(crate) type Hovered = Option<(Target, f64, f64)>;

/// The properties of a canvas.
#[derive(Clone, Properties)]
pub(crate) struct PictureProps {
    pub scene: Rc<Scene>,
    pub palette: Rc<Palette>,
    pub node: NodeRef,
    /// What the canvas shows. The maker of the pictures may already have painted the current scene.
    pub shown: Shown,
    pub id: String,
    /// The rings of a lesson or of the tour: left, top, width, and height of each.
    pub rings: Vec<(f32, f32, f32, f32)>,
    /// CSS pixels per pixel of the scene.
    pub enlargement: f32,
    /// Receives the target under the pointer and its screen position.
    pub on_hover: Callback<Option<(Target, f64, f64)>>,
    pub dispatch: Callback<Event>,
    /// Whether this is the Timeline, with pan, zoom, and brush gestures.
    #[prop_or_default]
    pub timeline: bool,
    /// Whether this is the Streams view, with pan and zoom gestures.
    #[prop_or_default]
    pub streams: bool,
    /// Whether every drag selects a range of cycles.
    #[prop_or_default]
    pub brushes: bool,
    /// Whether the page is still loading; then the canvas is painted in a separate task.
    pub is_coming: bool,
}

impl PartialEq for PictureProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.scene, &other.scene)
            && Rc::ptr_eq(&self.palette, &other.palette)
            && self.timeline == other.timeline
            && self.streams == other.streams
            && self.brushes == other.brushes
            && self.enlargement == other.enlargement
    }
}

/// A canvas that shows a scene.
#[derive(Default)]
pub(crate) struct Picture {
    /// The last position of a dragging pointer, and the distance so far.
    drag: Rc<Cell<Option<(f64, f64)>>>,
    /// The target that has the keyboard focus.
    focus: Option<Target>,
    /// The timer of a long press.
    press: Rc<RefCell<Option<Timer>>>,
    /// The timer of a pointer that rests on a label.
    dwell: Rc<RefCell<Option<Timer>>>,
    /// Whether such a pointer opened a card.
    opened: Rc<Cell<bool>>,
    /// The pressed pointers on the Timeline.
    hand: SharedHand,
    /// The scrolling of the scene's panes.
    scroller: Scroller,
    /// The rings that were last scrolled into view.
    ringed: Vec<(f32, f32, f32, f32)>,
    /// Whether the canvas has been painted.
    is_painted: bool,
}

impl Component for Picture {
    type Message = KeyAction;
    type Properties = PictureProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let size = props.scene.size;
        let (width, height) = (size.width * props.enlargement, size.height * props.enlargement);
        // A touch scrolls the rows of a pane, not the page.
        let touch = if props.scene.panes.is_empty() {
            ""
        } else {
            ";touch-action:none"
        };
        let style = format!("width:{width}px;height:{height}px{touch}");
        let scroller = self.scroller.clone();
        let (begin, hand, timeline) = (Rc::clone(&self.drag), Rc::clone(&self.hand), props.timeline);
        let (press, brushes, streams) = (self.on_press(props), props.brushes, props.streams);
        let onpointerdown = Callback::from(move |event: PointerEvent| {
            begin.set(Some((f64::from(event.client_x()), 0.0)));
            scroller.down(&event);
            press.emit(event.clone());
            if timeline {
                hand.down(&event, brushes);
            } else if streams {
                hand.press(&event);
            }
        });
        let hand = Rc::clone(&self.hand);
        let rest = Rc::clone(&self.press);
        let onpointerup = Callback::from(move |event: PointerEvent| {
            rest.take();
            hand.up(&event);
        });
        let onkeydown = ctx.link().batch_callback(|event: KeyboardEvent| {
            let action = key_action(&event.key())?;
            event.prevent_default();
            event.stop_propagation();
            Some(action)
        });
        let onblur = ctx.link().callback(|_: FocusEvent| KeyAction::Leave);
        let onpointercancel = onpointerup.clone();
        let (dwell, leave) = (Rc::clone(&self.dwell), props.on_hover.clone());
        let onpointerleave = Callback::from(move |_: PointerEvent| {
            dwell.take();
            leave.emit(None);
        });
        let (onpointermove, onclick) = (self.on_move(props), self.on_click(props));
        let onwheel = if timeline {
            gestures::on_wheel(in_scene(props))
        } else if streams {
            gestures::on_control_wheel(in_scene(props))
        } else {
            self.scroller
                .on_wheel(&props.scene, props.enlargement, &props.dispatch)
        };
        let canvas = html! {
            <canvas ref={props.node.clone()} data-testid={props.id.clone()} tabindex="0" role="img"
                aria-label={props.scene.headline.clone()} data-timeline={timeline.then_some("")}
                data-rings={rings_text(props)}
                {onpointerdown} {onpointerup} {onpointercancel} {onpointermove} {onpointerleave} {onclick} {onwheel}
                {onkeydown} {onblur}/>
        };
        styled(style, canvas)
    }

    fn update(&mut self, ctx: &Context<Self>, action: KeyAction) -> bool {
        let props = ctx.props();
        match action {
            KeyAction::Beside(step) => {
                let stops = props.scene.stops();
                let num = stops.len() as i32;
                let now = stops.iter().position(|stop| Some(stop.target) == self.focus);
                let next = match (now, step) {
                    (Some(now), step) => (now as i32 + step).rem_euclid(num.max(1)),
                    (None, 1..) => 0,
                    (None, _) => num - 1,
                };
                let Some(stop) = stops.get(next as usize) else {
                    return false;
                };
                self.focus = Some(stop.target);
                props.on_hover.emit(scroll_to(props, stop));
                props.dispatch.emit(Event::Point(stop.target));
                true
            }
            KeyAction::Card => {
                let at = self.focus.and_then(|target| {
                    let stops = props.scene.stops();
                    let stop = stops.into_iter().find(|stop| stop.target == target)?;
                    Some(on_page(props, stop.bounds))
                });
                let whole = on_page(props, [0.0, 0.0, 0.0, 0.0]);
                props.on_hover.emit(None);
                props
                    .dispatch
                    .emit(Event::Glossary(GlossaryEdit::Of(self.focus, at.unwrap_or(whole))));
                false
            }
            KeyAction::Take => {
                if let Some(target) = self.focus {
                    props.dispatch.emit(Event::Select(target));
                }
                false
            }
            KeyAction::Leave => {
                props.on_hover.emit(None);
                self.focus.take().is_some()
            }
            KeyAction::Paint => {
                self.paint(props);
                false
            }
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        self.show_rings(ctx.props());
        if first && ctx.props().is_coming {
            let link = ctx.link().clone();
            soon(move || link.send_message(KeyAction::Paint));
        } else {
            self.paint(ctx.props());
        }
    }
}

/// What the canvas of a pane shows, if anything.
pub(crate) type Shown = Rc<RefCell<Option<Painted>>>;

/// The contents of a canvas.
pub(crate) struct Painted {
    canvas: HtmlCanvasElement,
    scene: Rc<Scene>,
    /// The overlay above the scene.
    over: Vec<Item>,
    palette: Rc<Palette>,
    ratio: f64,
}

impl Painted {
    /// Whether both contents look the same.
    fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.scene, &other.scene) && self.has_look(other) && self.over == other.over
    }

    /// Whether both contents have the same colors and resolution.
    fn has_look(&self, other: &Self) -> bool {
        self.ratio == other.ratio && Rc::ptr_eq(&self.palette, &other.palette)
    }

    /// Paints this over a canvas that shows `before`.
    fn paint(&self, before: Option<Self>) {
        let before = before.filter(|before| self.has_look(before));
        if before.as_ref().is_some_and(|before| self.is(before)) {
            return;
        }
        let old = before.as_ref().map(|old| (&*old.scene, &old.over[..]));
        let new = (&*self.scene, &self.over[..]);
        // Without a context nothing can be painted.
        let _ = paint::change(&self.canvas, old, new, self.ratio, &self.palette);
    }
}

/// Paints a new scene on a canvas before the rest of the page changes: while nothing else has changed, the
/// browser resolves the canvas's fonts without recalculating the page's styles.
pub(crate) fn paint_ahead(shown: &Shown, scene: &Rc<Scene>, palette: &Rc<Palette>, enlargement: f32) {
    let mut shown = shown.borrow_mut();
    let Some(before) = shown.take() else { return };
    if !before.canvas.is_connected() {
        return;
    }
    let next = Painted {
        canvas: before.canvas.clone(),
        scene: Rc::clone(scene),
        over: before.over.clone(),
        palette: Rc::clone(palette),
        ratio: browser::pixel_ratio() * f64::from(enlargement),
    };
    next.paint(Some(before));
    *shown = Some(next);
}

/// Keyboard actions on a picture.
pub(crate) enum KeyAction {
    /// Moves the focus by this many targets.
    Beside(i32),
    /// Selects the focused target.
    Take,
    /// Opens the glossary's card of the focused target.
    Card,
    /// Leaves the picture.
    Leave,
    /// No key: the first painting.
    Paint,
}

fn key_action(name: &str) -> Option<KeyAction> {
    // The presenter blanks the screen with the period key.
    let is_presenting = matches!(name, "." | "," | ";") && browser::is_presenting();
    match name {
        "." if is_presenting => None,
        "," if is_presenting => Some(KeyAction::Beside(1)),
        ";" if is_presenting => Some(KeyAction::Beside(-1)),
        "." => Some(KeyAction::Beside(1)),
        "," => Some(KeyAction::Beside(-1)),
        "Enter" => Some(KeyAction::Take),
        ";" => Some(KeyAction::Card),
        _ => None,
    }
}

/// Bounds in the scene as bounds in the window.
fn on_page(props: &PictureProps, bounds: [f32; 4]) -> [f64; 4] {
    let [left, top, right, bottom] = bounds.map(|px| f64::from(px * props.enlargement));
    let Some(canvas) = props.node.cast::<HtmlCanvasElement>() else {
        return [left, top, right, bottom];
    };
    let place = canvas.get_bounding_client_rect();
    [
        place.left() + left,
        place.top() + top,
        place.left() + right,
        place.top() + bottom,
    ]
}

/// The label at a point of the picture, and the card that it opens.
fn label_at(props: &PictureProps, x: f32, y: f32) -> Option<Card> {
    let label = props.scene.label_at(x, y)?;
    Some(Card {
        label: label.text,
        at: on_page(props, label.bounds),
    })
}

/// The focus ring: an inner ring in the background color and an outer ring in the text color.
fn ring(stop: &Stop) -> Vec<Item> {
    let [left, top, right, bottom] = stop.bounds;
    let ring = |(gap, role): (f32, Role)| Item {
        shape: Shape::Rect {
            x: left - gap,
            y: top - gap,
            w: right - left + 2.0 * gap,
            h: bottom - top + 2.0 * gap,
        },
        role,
        texture: Texture::Outline(2.0),
        target: None,
    };
    [(2.0, Role::Paper1), (4.0, Role::Ink1)].map(ring).into()
}

/// Scrolls a target into view. Returns the position of its tooltip.
fn scroll_to(props: &PictureProps, stop: &Stop) -> Option<(Target, f64, f64)> {
    let canvas = props.node.cast::<HtmlCanvasElement>()?;
    let [left, top, right, bottom] = stop.bounds.map(|px| f64::from(px * props.enlargement));
    if let Some(frame) = canvas.parent_element() {
        let (from, height) = (f64::from(frame.scroll_top()), f64::from(frame.client_height()));
        if top < from {
            frame.set_scroll_top((top - 8.0) as i32);
        } else if bottom > from + height {
            frame.set_scroll_top((bottom + 8.0 - height) as i32);
        }
    }
    let place = canvas.get_bounding_client_rect();
    Some((
        stop.target,
        place.left() + f64::midpoint(left, right),
        place.top() + bottom,
    ))
}

/// The rings in CSS pixels of the canvas, for tests: `left top width height`, divided by semicolons.
fn rings_text(props: &PictureProps) -> Option<String> {
    let places = props.rings.iter().map(|(x, y, w, h)| {
        let numbers = [x, y, w, h].map(|px| browser::tenths(px * props.enlargement));
        numbers.join(" ")
    });
    (!props.rings.is_empty()).then(|| places.collect::<Vec<_>>().join(";"))
}

impl Picture {
    /// Scrolls new rings into view: all of them, or at least the first one.
    fn show_rings(&mut self, props: &PictureProps) {
        if self.ringed == props.rings {
            return;
        }
        self.ringed.clone_from(&props.rings);
        let canvas = props.node.cast::<HtmlCanvasElement>();
        let Some(frame) = canvas.and_then(|canvas| canvas.parent_element()) else {
            return;
        };
        let height = frame.client_height() as f32 / props.enlargement;
        let bottoms = self.ringed.iter().map(|(_, y, _, h)| y + h);
        let bottom = bottoms.fold(0.0, f32::max);
        let (first, tall) = self.ringed.first().map_or((0.0, 0.0), |(_, y, _, h)| (*y, *h));
        // Half of a row above and below stays visible, if the first ring leaves this room.
        let margin = ((height - tall) / 2.0).clamp(0.0, 12.0);
        let top = (bottom + margin - height).min(first - margin).max(0.0);
        frame.set_scroll_top((top * props.enlargement) as i32);
    }

    fn paint(&mut self, props: &PictureProps) {
        let ratio = browser::pixel_ratio() * f64::from(props.enlargement);
        let Some(canvas) = props.node.cast::<HtmlCanvasElement>() else {
            return;
        };
        let focused = |stop: &Stop| Some(stop.target) == self.focus;
        let stop = self
            .focus
            .and_then(|_| props.scene.stops().into_iter().find(focused));
        let mut shown = props.shown.borrow_mut();
        let before = shown.take().filter(|before| before.canvas == canvas);
        let next = Painted {
            canvas,
            scene: Rc::clone(&props.scene),
            over: stop.as_ref().map(ring).unwrap_or_default(),
            palette: Rc::clone(&props.palette),
            ratio,
        };
        next.paint(before);
        *shown = Some(next);
        if !std::mem::replace(&mut self.is_painted, true) {
            browser::mark("first-picture");
        }
    }

    /// A long press shows the tooltip of a target without selecting it. On the Timeline, a long press begins a
    /// range.
    fn on_press(&self, props: &PictureProps) -> Callback<PointerEvent> {
        let (scene, hover, factor) = (Rc::clone(&props.scene), props.on_hover.clone(), props.enlargement);
        let (press, drag) = (Rc::clone(&self.press), Rc::clone(&self.drag));
        let hand = props.timeline.then(|| Rc::clone(&self.hand));
        let dispatch = in_scene(props);
        let own = props.clone();
        Callback::from(move |event: PointerEvent| {
            if event.pointer_type() != "touch" {
                return;
            }
            let place = (f64::from(event.client_x()), f64::from(event.client_y()));
            if let Some(card) = label_at(
                &own,
                event.offset_x() as f32 / factor,
                event.offset_y() as f32 / factor,
            ) {
                let (open, drag) = (own.dispatch.clone(), Rc::clone(&drag));
                *press.borrow_mut() = Timer::after(LONG_PRESS_MS, move || {
                    drag.set(Some((place.0, 2.0 * CLICK_PX)));
                    open.emit(Event::Glossary(GlossaryEdit::Dwell(card.clone())));
                });
                return;
            }
            let Some(target) = target_at(&scene, &event, factor) else {
                return;
            };
            let (hover, drag) = (hover.clone(), Rc::clone(&drag));
            let (hand, dispatch) = (hand.clone(), dispatch.clone());
            *press.borrow_mut() = Timer::after(LONG_PRESS_MS, move || {
                drag.set(Some((place.0, 2.0 * CLICK_PX)));
                match hand.as_ref().map(|hand| hand.rest()) {
                    // On the Timeline it begins a range.
                    Some(brush) => brush.into_iter().for_each(|brush| dispatch.emit(brush)),
                    None => hover.emit(Some((target, place.0, place.1))),
                }
            });
        })
    }

    /// A pressed pointer drags the picture; any other pointer reports its target.
    fn on_move(&self, props: &PictureProps) -> Callback<PointerEvent> {
        let (scene, hover, factor) = (Rc::clone(&props.scene), props.on_hover.clone(), props.enlargement);
        let (drag, dispatch) = (Rc::clone(&self.drag), in_scene(props));
        let (hand, timeline, press) = (Rc::clone(&self.hand), props.timeline, Rc::clone(&self.press));
        let pans = timeline || props.streams;
        let scroller = self.scroller.clone();
        let (dwell, opened, own) = (Rc::clone(&self.dwell), Rc::clone(&self.opened), props.clone());
        Callback::from(move |event: PointerEvent| {
            let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
            if event.buttons() & 1 == 1
                && let Some((last, way)) = drag.get()
            {
                if let Some((by, event)) = scroller.drag(&scene, &event, factor) {
                    drag.set(Some((x, way + by)));
                    press.take();
                    if let Some(event) = event {
                        dispatch.emit(event);
                    }
                    return hover.emit(None);
                }
                let way = way + (x - last).abs();
                drag.set(Some((x, way)));
                if way <= CLICK_PX {
                    return;
                }
                press.take();
                if pans && let Some(event) = hand.drag(&event, x - last) {
                    dispatch.emit(event);
                }
                return hover.emit(None);
            }
            let target = target_at(&scene, &event, factor);
            if timeline && let Some(event) = hand.hover(&event, target) {
                dispatch.emit(event);
            }
            // A pointer that rests on a label opens the card of its term.
            dwell.take();
            let (at_x, at_y) = (event.offset_x() as f32 / factor, event.offset_y() as f32 / factor);
            if event.pointer_type() != "touch"
                && let Some(card) = label_at(&own, at_x, at_y)
            {
                let (hover, open, opened) = (hover.clone(), own.dispatch.clone(), Rc::clone(&opened));
                *dwell.borrow_mut() = Timer::after(DWELL_MS, move || {
                    opened.set(true);
                    hover.emit(None);
                    open.emit(Event::Glossary(GlossaryEdit::Dwell(card.clone())));
                });
            } else if opened.get() {
                // The card closes unless the pointer goes to the card.
                let (close, opened) = (own.dispatch.clone(), Rc::clone(&opened));
                *dwell.borrow_mut() = Timer::after(LEAVE_MS, move || {
                    opened.set(false);
                    close.emit(Event::Glossary(GlossaryEdit::Card(None)));
                });
            }
            hover.emit(target.map(|target| (target, x, y)));
        })
    }

    /// A click selects a target, unless it ends a drag.
    fn on_click(&self, props: &PictureProps) -> Callback<MouseEvent> {
        let (scene, dispatch, factor) = (Rc::clone(&props.scene), in_scene(props), props.enlargement);
        let (drag, timeline) = (Rc::clone(&self.drag), props.timeline);
        let (own, dwell) = (props.clone(), Rc::clone(&self.dwell));
        Callback::from(move |event: MouseEvent| {
            dwell.take();
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
            } else if !dragged
                && let Some(card) = label_at(
                    &own,
                    event.offset_x() as f32 / factor,
                    event.offset_y() as f32 / factor,
                )
            {
                own.dispatch.emit(Event::Glossary(GlossaryEdit::Dwell(card)));
            }
        })
    }
}

/// Converts events from pixels of the page to pixels of the scene.
fn in_scene(props: &PictureProps) -> Callback<Event> {
    let (factor, streams) = (f64::from(props.enlargement), props.streams);
    props.dispatch.reform(move |event| match event {
        Event::Drag(by) if streams => Event::Gesture(Gesture::Time(StreamsMove::Drag(by / factor))),
        Event::Gesture(Gesture::Zoom { factor: zoom, x }) if streams => {
            Event::Gesture(Gesture::Time(StreamsMove::Zoom(zoom, Some(x / factor))))
        }
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
    scene.hit(
        event.offset_x() as f32 / enlargement,
        event.offset_y() as f32 / enlargement,
    )
}
