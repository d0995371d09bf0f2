//! The card of a term: name, picture, two sentences, source, a link that shows it, and a lesson. It never covers what
//! it names.

use yew::{AttrValue, Callback, Html, html};

use super::browser;
use super::explain::term;
use super::icon::Icon;
use workbench::app::glossary::{Card, Entry, GlossaryEdit};
use workbench::app::{Event, LessonEdit, Session};

/// Width of a card, and the space around it.
const WIDTH: f64 = 336.0;
const GAP: f64 = 12.0;
/// Pages narrower than this show the card as a sheet.
const NARROW: f64 = 600.0;

/// The open card.
pub(crate) fn card(session: &Session, dispatch: &Callback<Event>) -> Html {
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
    html! {
        <div class="card" role="dialog" aria-label={format!("Term: {name}")} data-testid="card" style={place(card)}>
            <div class="card-head">
                <h2>{ &name }</h2>
                <button class="btn" aria-label="Close the card" data-testid="card-close" onclick={close}>{ Icon::Close.html() }</button>
            </div>
            { body }
        </div>
    }
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
    let picture = (!entry.picture.is_empty())
        .then(|| Html::from_html_unchecked(AttrValue::from(entry.picture.clone())));
    html! {
        <>
            { picture }
            <p>{ &entry.text }</p>
            <p class="dim">{ &entry.source }</p>
            <div class="card-foot">{ see }{ lesson }</div>
        </>
    }
}

/// The position beside what the card names: on its left or right where there is space, else above or below.
fn place(card: &Card) -> String {
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
    let x = if right + GAP + WIDTH <= width {
        Some(right + GAP)
    } else if left - GAP - WIDTH >= 0.0 {
        Some(left - GAP - WIDTH)
    } else {
        None
    };
    // Beside the words, the card may start at any height.
    let upper = f64::midpoint(top, bottom) < height / 2.0;
    match (x, upper) {
        (Some(x), true) => format!("left:{x}px;top:{}px", (top - 8.0).max(8.0)),
        (Some(x), false) => format!("left:{x}px;bottom:{}px", (height - bottom - 8.0).max(8.0)),
        (None, true) => format!("right:8px;top:{}px", bottom + GAP),
        (None, false) => format!("right:8px;bottom:{}px", height - top + GAP),
    }
}

/// A label as a word with a card, if the glossary has its term.
pub(crate) fn label(session: &Session, text: &str, dispatch: &Callback<Event>) -> Html {
    if session.ui.glossary.named(text).is_some() {
        term(text, text, dispatch)
    } else {
        html! { { text } }
    }
}
