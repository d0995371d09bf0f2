//! The card of a term: name, picture, two sentences, source, a link that shows it, and a lesson. It never covers what
//! it names.

use yew::{Callback, Html, html};

use super::browser;
use super::explain::term;
use super::icon::Icon;
use super::markup;
use super::styled::styled;
use workbench::app::glossary::{Card, Entry, GlossaryEdit};
use workbench::app::{Event, LessonEdit, Session};

/// Width of a card, and the space around it.
const WIDTH: f64 = 336.0;
const GAP: f64 = 12.0;
/// Height that a card needs at most, in most cases.
const HEIGHT: f64 = 330.0;
/// Distance between the places that are tried.
const STEP: f64 = 24.0;
/// Pages narrower than this show the card as a sheet.
const NARROW: f64 = 600.0;

/// The open card. It keeps clear of the rectangles to avoid, in CSS pixels of the window.
pub(crate) fn card(session: &Session, avoid: &[[f64; 4]], dispatch: &Callback<Event>) -> Html {
    let Some(card) = &session.ui.glossary.card else {
        return Html::default();
    };
    let body = match (&session.ui.glossary.terms, session.ui.glossary.named(&card.label)) {
        (_, Some(entry)) => entry_body(entry, dispatch),
        (None, None) => html! { <p class="dim">{ "Loading the glossary…" }</p> },
        (Some(Err(message)), None) => html! { <p>{ message }</p> },
        (Some(Ok(_)), None) => html! { <p>{ format!("The glossary has no term for {}.", card.label) }</p> },
    };
    let name = session
        .ui
        .glossary
        .named(&card.label)
        .map_or_else(|| card.label.clone(), |entry| entry.name.clone());
    let close = dispatch.reform(|_| Event::Glossary(GlossaryEdit::Card(None)));
    let shown = html! {
        <div class="card" role="dialog" aria-label={format!("Term: {name}")} data-testid="card">
            <div class="card-head">
                <h2>{ &name }</h2>
                <button class="btn" aria-label="Close the card" data-testid="card-close" onclick={close}>{ Icon::Close.html() }</button>
            </div>
            { body }
        </div>
    };
    styled(place(card, avoid), shown)
}

fn entry_body(entry: &Entry, dispatch: &Callback<Event>) -> Html {
    let see = (!entry.see.is_empty()).then(|| {
        let link = entry.see.clone();
        let onclick = dispatch.reform(move |_| Event::Visit(link.clone()));
        html! { <button class="link" data-testid="card-see" {onclick}>{ "See it" }</button> }
    });
    let lesson = (!entry.lesson.is_empty()).then(|| {
        let id = entry.lesson.clone();
        let onclick = dispatch.reform(move |_| Event::Lesson(LessonEdit::Open(id.clone(), 0)));
        html! { <button class="link" data-testid="card-lesson" {onclick}>{ "Lesson" }</button> }
    });
    let picture = (!entry.picture.is_empty()).then(|| markup::picture(&entry.picture));
    html! {
        <>
            { picture }
            <p>{ &entry.text }</p>
            <p class="dim">{ &entry.source }</p>
            <div class="card-foot">{ see }{ lesson }</div>
        </>
    }
}

/// The position nearest to what the card names that covers neither that nor a numbered target.
fn place(card: &Card, avoid: &[[f64; 4]]) -> String {
    let side = |name: fn(&web_sys::Window) -> Option<f64>, default| {
        browser::window().as_ref().and_then(name).unwrap_or(default)
    };
    let width = side(|window| window.inner_width().ok()?.as_f64(), 1440.0);
    let height = side(|window| window.inner_height().ok()?.as_f64(), 900.0);
    // A key outside a picture names no place: the card is of the state in the inspector.
    let at = if card.at == [0.0; 4] {
        browser::bounds_of(".insp .state")
    } else {
        card.at
    };
    let [left, top, right, bottom] = at;
    if width < NARROW {
        // A sheet at the end of the page that the words are not in.
        return if f64::midpoint(top, bottom) > height / 2.0 {
            "left:8px;right:8px;width:auto;top:8px".to_owned()
        } else {
            "left:8px;right:8px;width:auto;bottom:8px".to_owned()
        };
    }
    // Beside the words, in a column that the words are in beside the column.
    let column = browser::bounds_of(".insp");
    let own = if left >= column[0] && column[2] > column[0] {
        [column[0], top, column[2], bottom]
    } else {
        [left, top, right, bottom]
    };
    let clear = |x: f64, y: f64| {
        let card = [x, y, x + WIDTH, y + HEIGHT];
        !overlaps(card, own) && avoid.iter().all(|other| !overlaps(card, *other))
    };
    let fits = |(x, y): &(f64, f64)| {
        *x >= GAP && x + WIDTH + GAP <= width && *y >= GAP && y + HEIGHT + GAP <= height && clear(*x, *y)
    };
    let center = (f64::midpoint(own[0], own[2]), f64::midpoint(top, bottom));
    let distance = |(x, y): &(f64, f64)| {
        let (dx, dy) = (x + WIDTH / 2.0 - center.0, y + HEIGHT / 2.0 - center.1);
        dx * dx + dy * dy
    };
    let xs = || {
        let steps = (0..(width / STEP) as u32).map(|step| f64::from(step) * STEP);
        steps.chain([own[2] + GAP, own[0] - GAP - WIDTH])
    };
    let ys = || {
        let steps = (0..(height / STEP) as u32).map(|step| f64::from(step) * STEP);
        steps.chain([top - 8.0, own[3] + GAP, own[1] - GAP - HEIGHT])
    };
    let places = xs().flat_map(|x| ys().map(move |y| (x, y))).filter(fits);
    match places.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
        Some((x, y)) => format!("left:{x}px;top:{y}px"),
        None if center.0 > width / 2.0 => format!("left:{GAP}px;bottom:{GAP}px"),
        None => format!("right:{GAP}px;bottom:{GAP}px"),
    }
}

/// Whether two rectangles overlap.
fn overlaps(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// A label as a word with a card, if the glossary has its term.
pub(crate) fn label(session: &Session, text: &str, dispatch: &Callback<Event>) -> Html {
    if session.ui.glossary.named(text).is_some() {
        term(text, text, dispatch)
    } else {
        html! { { text } }
    }
}
