//! The Arithmetic view's form: the typed operation, its examples, and the second chip.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{Callback, Html, InputEvent, TargetCast, html};

use super::icon::Icon;
use engine::arch::{ArchId, architecture};
use workbench::app::{Choice, Event, Session};
use workbench::arithmetic::{EXAMPLES, Mistake};
use workbench::scene::Setting;
use workbench::share::View;

/// The form.
pub(crate) fn arithmetic(session: &Session, dispatch: &Callback<Event>) -> Html {
    let typed = session.typed_operation(View::Arithmetic);
    html! {
        <section class="play-form calc-form" aria-label="Operation" data-testid="calc-form">
            <div class="play-line">
                { for typed.map(|text| operation(session, text, dispatch)) }
                { second_chip(session, dispatch) }
            </div>
            <div id="calc-mistake" class="play-mistake" role="status" data-testid="calc-mistake">
                { for session.ui.arithmetic.mistake.as_ref().map(mistake) }
            </div>
        </section>
    }
}

/// The text field with its examples.
fn operation(session: &Session, text: &str, dispatch: &Callback<Event>) -> Html {
    let oninput = dispatch.reform(|event: InputEvent| {
        Event::Operation(event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let wrong = session.ui.arithmetic.mistake.is_some();
    let chosen = EXAMPLES.iter().position(|example| example.text == text);
    let onchange = dispatch.reform(|event: yew::Event| {
        let value = event.target_unchecked_into::<HtmlSelectElement>().value();
        let example = value.parse().ok().and_then(|idx: usize| EXAMPLES.get(idx));
        Event::Operation(example.map_or_else(String::new, |example| example.text.to_owned()))
    });
    html! {
        <>
            <label class="label" for="calc">{ "Operation" }</label>
            <input id="calc" class="field" data-testid="calc" value={text.to_owned()}
                autocomplete="off" autocapitalize="off" spellcheck="false"
                aria-invalid={wrong.to_string()} aria-describedby="calc-mistake" {oninput}/>
            <span class="pick">
                <span>{ "Examples" }</span>{ Icon::Down.html() }
                <select data-testid="calc-examples" aria-label="Examples" {onchange}>
                    <option value="" disabled={true} selected={chosen.is_none()}>{ "Custom operation" }</option>
                    { for EXAMPLES.iter().enumerate().map(|(idx, example)| html! {
                        <option value={idx.to_string()} selected={chosen == Some(idx)}>
                            { format!("{}: {}", example.title, example.text) }
                        </option>
                    }) }
                </select>
            </span>
        </>
    }
}

/// The choice of the second chip.
fn second_chip(session: &Session, dispatch: &Callback<Event>) -> Html {
    let (now, is_chosen) = session.second_chip();
    let own = session.arch().id;
    let onchange = dispatch.reform(|event: yew::Event| {
        let value = event.target_unchecked_into::<HtmlSelectElement>().value();
        Event::Choose(Choice::Set(Setting::Beside(value.parse().ok())))
    });
    let name = architecture(now).name;
    html! {
        <span class="pick">
            <span>{ format!("Second chip: {name}") }</span>{ Icon::Down.html() }
            <select data-testid="calc-beside" aria-label={format!("Second chip: {name}")} {onchange}>
                <option value="" selected={!is_chosen}>{ "The first that differs" }</option>
                { for ArchId::ALL.into_iter().filter(|id| *id != own).map(|id| html! {
                    <option value={id.text()} selected={is_chosen && id == now}>{ architecture(id).name }</option>
                }) }
            </select>
        </span>
    }
}

/// The error: a caret below its column, and the message.
fn mistake(mistake: &Mistake) -> Html {
    let before = " ".repeat(mistake.column as usize - 1);
    let mark = "~".repeat((mistake.length as usize).saturating_sub(1).min(80));
    html! {
        <>
            <pre class="caret" aria-hidden="true">{ format!("{before}^{mark}") }</pre>
            <p>{ mistake.sentence() }</p>
        </>
    }
}
