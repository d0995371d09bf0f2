//! The layer over a picture: the notes, the pen's strokes, and the pointer that draws or places a note.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::{Callback, Html, MouseEvent, PointerEvent, html};

use super::browser::tenths;
use super::button::button;
use super::field::TextField;
use super::held;
use super::icon::Icon;
use super::styled::styled;
use workbench::app::note_places;
use workbench::app::{Event, LectureEdit, NoteEdit, Session};
use workbench::scene::{Scene, capital};
use workbench::share::{Anchor, View};

/// The smallest step of a stroke, as a share of the picture.
const STEP: f32 = 0.002;
/// Movement allowed during a click on a note's disk, in CSS pixels: as on a picture.
const CLICK_PX: f64 = 4.0;
/// What the layer is in the document, and the place of a note in it.
const LAYER: &str = ".overlay";
const NOTE: &str = ".note-at";

thread_local! {
    /// The last point of the stroke that a pointer draws.
    static LAST: Cell<Option<(f32, f32)>> = const { Cell::new(None) };
    /// The disk that a pointer holds: where it was pressed, in CSS pixels of the window, and whether it moved from there.
    static DISK: Cell<Option<((f64, f64), bool)>> = const { Cell::new(None) };
}

/// The layer over a view's picture.
pub(crate) fn overlay(
    session: &Session,
    view: View,
    scene: &Rc<Scene>,
    enlargement: f32,
    dispatch: &Callback<Event>,
) -> Html {
    let lecture = &session.ui.lecture;
    let (draws, places) = (lecture.draws, lecture.placing.is_some());
    if lecture.notes.is_empty() && lecture.strokes.is_empty() && !draws && !places {
        return Html::default();
    }
    let (width, height) = (scene.size.width * enlargement, scene.size.height * enlargement);
    let style = format!("width:{}px;height:{}px", tenths(width), tenths(height));
    let takes = draws || places;
    let (onpointerdown, onpointermove, onpointerup) = if draws { pen(dispatch) } else { Default::default() };
    let onpointercancel = onpointerup.clone();
    let onclick = places.then(|| placer(view, scene, dispatch));
    let overlay = html! {
        <div class="overlay" data-takes={takes.then_some(if draws { "pen" } else { "note" })} data-testid="overlay"
            {onpointerdown} {onpointermove} {onpointerup} {onpointercancel} {onclick}>
            { strokes(session) }
            { notes(session, view, scene, enlargement, dispatch) }
        </div>
    };
    styled(style, overlay)
}

fn strokes(session: &Session) -> Html {
    let path = |stroke: &Vec<(f32, f32)>| {
        let mut path = String::new();
        for (idx, (x, y)) in stroke.iter().enumerate() {
            let sign = if idx == 0 { "M" } else { "L" };
            path += &format!("{sign}{} {}", tenths(x * 1000.0), tenths(y * 1000.0));
        }
        if stroke.len() == 1 {
            path += "h.1";
        }
        html! { <path d={path} vector-effect="non-scaling-stroke"/> }
    };
    html! {
        <svg class="strokes" viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true" data-testid="strokes">
            { for session.ui.lecture.strokes.iter().map(path) }
        </svg>
    }
}

/// The place of a pointer in the layer, in shares of its size.
fn share_of(event: &MouseEvent) -> Option<(f32, f32)> {
    let layer = held::element_at(event, LAYER)?.get_bounding_client_rect();
    let x = (f64::from(event.client_x()) - layer.left()) / layer.width().max(1.0);
    let y = (f64::from(event.client_y()) - layer.top()) / layer.height().max(1.0);
    Some((x.clamp(0.0, 1.0) as f32, y.clamp(0.0, 1.0) as f32))
}

type Pointer = Callback<PointerEvent>;

/// Draws with a mouse, a pen, or a finger.
fn pen(dispatch: &Callback<Event>) -> (Option<Pointer>, Option<Pointer>, Option<Pointer>) {
    let begin = dispatch.clone();
    let down = Callback::from(move |event: PointerEvent| {
        if event.button() != 0 {
            return;
        }
        held::hold(&event, LAYER);
        if let Some((x, y)) = share_of(&event) {
            LAST.set(Some((x, y)));
            begin.emit(Event::Lecture(LectureEdit::Stroke(x, y)));
        }
    });
    let go_on = dispatch.clone();
    let moved = Callback::from(move |event: PointerEvent| {
        let (Some(last), Some((x, y))) = (LAST.get(), share_of(&event)) else {
            return;
        };
        if (x - last.0).abs() + (y - last.1).abs() >= STEP {
            LAST.set(Some((x, y)));
            go_on.emit(Event::Lecture(LectureEdit::StrokeTo(x, y)));
        }
    });
    let up = Callback::from(|_: PointerEvent| LAST.set(None));
    (Some(down), Some(moved), Some(up))
}

/// Places a note: at the item under the pointer, or at the point itself.
fn placer(view: View, scene: &Rc<Scene>, dispatch: &Callback<Event>) -> Callback<MouseEvent> {
    let (scene, dispatch) = (Rc::clone(scene), dispatch.clone());
    Callback::from(move |event: MouseEvent| {
        if let Some(at) = share_of(&event) {
            let anchor = anchor_at(view, &scene, at);
            dispatch.emit(Event::Lecture(LectureEdit::Note(NoteEdit::At(anchor))));
        }
    })
}

/// The item at a place in the layer, or the place itself.
fn anchor_at(view: View, scene: &Scene, (x, y): (f32, f32)) -> Anchor {
    let item = scene.hit(x * scene.size.width, y * scene.size.height);
    let place = Anchor::Place(view, (x * 1000.0).round() as u16, (y * 1000.0).round() as u16);
    item.and_then(Anchor::of).unwrap_or(place)
}

/// Drags the disk of a note. The document follows the pointer; the session learns the place at the release.
fn carrier(
    idx: usize,
    view: View,
    scene: &Rc<Scene>,
    dispatch: &Callback<Event>,
) -> (Pointer, Pointer, Pointer) {
    let place_of = |event: &PointerEvent| (f64::from(event.client_x()), f64::from(event.client_y()));
    let down = Callback::from(move |event: PointerEvent| {
        // Neither the pen nor the place of another note.
        event.stop_propagation();
        if event.button() == 0 && held::hold(&event, "button").is_some() {
            DISK.set(Some((place_of(&event), false)));
        }
    });
    let moved = Callback::from(move |event: PointerEvent| {
        let pressed = DISK.get().filter(|_| event.buttons() & 1 == 1);
        let (Some((start, has_moved)), (x, y)) = (pressed, place_of(&event)) else {
            return;
        };
        event.stop_propagation();
        if has_moved || (x - start.0).abs() + (y - start.1).abs() > CLICK_PX {
            DISK.set(Some((start, true)));
            shift(&event, (x - start.0, y - start.1));
        }
    });
    let (scene, dispatch) = (Rc::clone(scene), dispatch.clone());
    let up = Callback::from(move |event: PointerEvent| {
        event.stop_propagation();
        if let (Some((_, true)), Some(at)) = (DISK.get(), share_of(&event)) {
            let anchor = anchor_at(view, &scene, at);
            dispatch.emit(Event::Lecture(LectureEdit::Note(NoteEdit::Put(idx, anchor))));
        }
        shift(&event, (0.0, 0.0));
    });
    (down, moved, up)
}

/// Shows a note at some pixels from its place.
fn shift(event: &PointerEvent, (x, y): (f64, f64)) {
    let note = held::element_at(event, NOTE).and_then(|note| note.dyn_into::<HtmlElement>().ok());
    if let Some(note) = note {
        // A translation is a valid value.
        let _ = note.style().set_property(
            "translate",
            &[x, y].map(|at| format!("{}px", at as i32)).join(" "),
        );
    }
}

/// The disks of the notes, and the text of the shown note.
fn notes(
    session: &Session,
    view: View,
    scene: &Rc<Scene>,
    enlargement: f32,
    dispatch: &Callback<Event>,
) -> Html {
    let lecture = &session.ui.lecture;
    let places = note_places(scene, view, &lecture.notes);
    let disk = |(idx, place): (usize, Option<(f32, f32)>)| {
        let Some((x, y)) = place else {
            return Html::default();
        };
        let note = &lecture.notes[idx];
        let is_shown = lecture.shown_note == Some(idx);
        let (x, y) = (x * enlargement, y * enlargement);
        let style = format!("left:{}px;top:{}px", tenths(x), tenths(y));
        let name = format!("Note {}: {}", idx + 1, note.text);
        let show = dispatch.clone();
        let onclick = Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            // The click after a drag is its release; that of a key has no details.
            let dragged = DISK.take().is_some_and(|(_, has_moved)| has_moved);
            if !dragged || event.detail() == 0 {
                show.emit(Event::Lecture(LectureEdit::Note(NoteEdit::Show(Some(idx)))));
            }
        });
        let (onpointerdown, onpointermove, onpointerup) = carrier(idx, view, scene, dispatch);
        let onpointercancel = Callback::from(|event: PointerEvent| {
            DISK.set(None);
            shift(&event, (0.0, 0.0));
        });
        let right = x > scene.size.width * enlargement / 2.0;
        let below = y < scene.size.height * enlargement / 2.0;
        let side = format!(
            "{}{}",
            if right { "left " } else { "right " },
            if below { "below" } else { "above" }
        );
        let note = html! {
            <div class="note-at" key={idx}>
                <button class="note-disk" aria-label={name} aria-expanded={is_shown.to_string()} data-testid={format!("note-{}", idx + 1)}
                    title="Drag to move the note" {onpointerdown} {onpointermove} {onpointerup}
                    {onpointercancel} {onclick}>{ idx + 1 }</button>
                if is_shown {
                    { editor(session, idx, &side, dispatch) }
                } else {
                    <span class="note-text" data-side={side} aria-hidden="true">{ &note.text }</span>
                }
            </div>
        };
        styled(style, note)
    };
    html! { <>{ for places.into_iter().enumerate().map(disk) }</> }
}

/// The text of a note, and what can be done with the note.
fn editor(session: &Session, idx: usize, side: &str, dispatch: &Callback<Event>) -> Html {
    let note = &session.ui.lecture.notes[idx];
    let on_text =
        dispatch.reform(move |text: String| Event::Lecture(LectureEdit::Note(NoteEdit::Text(idx, text))));
    let stop = Callback::from(|event: MouseEvent| event.stop_propagation());
    let event = |edit: NoteEdit| Event::Lecture(LectureEdit::Note(edit));
    html! {
        <div class="note-edit" data-side={side.to_owned()} onclick={stop}>
            <span class="label">{ capital(&session.anchor_name(note.anchor)) }</span>
            <TextField class="field" name={format!("Text of note {}", idx + 1)} id="note-text" sets={format!("note-{idx}")}
                leaves=true value={note.text.clone()} {on_text}/>
            { button(Icon::Whole, "Move the note", "note-move", "", dispatch, event(NoteEdit::Move(idx))) }
            { button(Icon::Trash, "Remove the note", "note-remove", "", dispatch, event(NoteEdit::Remove(idx))) }
            { button(Icon::Close, "Close the note", "note-close", "", dispatch, event(NoteEdit::Show(None))) }
        </div>
    }
}
