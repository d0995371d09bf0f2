//! The layer over a picture: the notes, the pen's strokes, and the pointer that draws or places a note.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, MouseEvent, PointerEvent, html};

use super::browser::tenths;
use super::field::TextField;
use super::header::button;
use super::icon::Icon;
use super::styled::styled;
use workbench::app::{Event, LectureEdit, NoteEdit, Session};
use workbench::scene::{Scene, capital, note_places};
use workbench::share::{Anchor, View};

/// The smallest step of a stroke, as a share of the picture.
const STEP: f32 = 0.002;

thread_local! {
    /// The last point of the stroke that a pointer draws.
    static LAST: Cell<Option<(f32, f32)>> = const { Cell::new(None) };
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
    let onclick = places.then(|| placer(view, scene, dispatch));
    let overlay = html! {
        <div class="overlay" data-takes={takes.then_some(if draws { "pen" } else { "note" })} data-testid="overlay"
            {onpointerdown} {onpointermove} {onpointerup} {onclick}>
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
    let layer = event
        .current_target()?
        .dyn_into::<Element>()
        .ok()?
        .get_bounding_client_rect();
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
        if let Some(layer) = event
            .current_target()
            .and_then(|layer| layer.dyn_into::<Element>().ok())
        {
            // Capturing a pointer that is already released fails harmlessly.
            let _ = layer.set_pointer_capture(event.pointer_id());
        }
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
        let Some((x, y)) = share_of(&event) else { return };
        let point = (x * scene.size.width, y * scene.size.height);
        let item = scene.hit(point.0, point.1).and_then(Anchor::of);
        let place = Anchor::Place(view, (x * 1000.0).round() as u16, (y * 1000.0).round() as u16);
        dispatch.emit(Event::Lecture(LectureEdit::Note(NoteEdit::At(
            item.unwrap_or(place),
        ))));
    })
}

/// The disks of the notes, and the text of the shown note.
fn notes(session: &Session, view: View, scene: &Scene, enlargement: f32, dispatch: &Callback<Event>) -> Html {
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
        let onclick = note_event(dispatch, NoteEdit::Show(Some(idx)));
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
                    {onclick}>{ idx + 1 }</button>
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

fn note_event(dispatch: &Callback<Event>, edit: NoteEdit) -> Callback<MouseEvent> {
    dispatch.reform(move |event: MouseEvent| {
        event.stop_propagation();
        Event::Lecture(LectureEdit::Note(edit.clone()))
    })
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
