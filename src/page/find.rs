//! The "Find in the run" dialog: a text field, the number of hits, and the list of hits.

use web_sys::HtmlInputElement;
use yew::{Callback, FocusEvent, Html, InputEvent, TargetCast, html};

use super::finder::list_keys;
use super::help::Modal;
use workbench::app::jump::{Hit, Jump};
use workbench::app::{Event, Session};

/// Example queries, shown while the field is empty.
const EXAMPLES: [&str; 11] = [
    "line 12",
    "FFMA",
    "W03 long scoreboard",
    "bank conflict >4",
    "cache miss",
    "barrier release",
    "divergence",
    "reconvergence",
    "fault",
    "write R7",
    "write R7 lane 5",
];

/// The dialog with the field and the list of hits.
pub(crate) fn find(session: &Session, dispatch: &Callback<Event>) -> Html {
    let hits = session.hits();
    let chosen = session.ui.jump.idx.min(hits.len().saturating_sub(1));
    html! {
        <Modal title="Find in the run" id="find-run" class="palette" dispatch={dispatch.clone()}>
            { field(session, (!hits.is_empty()).then_some(chosen), dispatch) }
            <p class="find-count" role="status" data-testid="find-run-count">{ session.list_sentence() }</p>
            <div id="hits" class="found hits" role="listbox" aria-label="Hits">
                { for hits.iter().enumerate().map(|(idx, hit)| row(idx, hit, idx == chosen, dispatch)) }
            </div>
            { if hits.is_empty() { examples(dispatch) } else { Html::default() } }
        </Modal>
    }
}

fn field(session: &Session, chosen: Option<usize>, dispatch: &Callback<Event>) -> Html {
    let oninput = dispatch.reform(|event: InputEvent| {
        Event::Jump(Jump::Text(
            event.target_unchecked_into::<HtmlInputElement>().value(),
        ))
    });
    let onkeydown = list_keys(
        dispatch,
        |by| Event::Jump(Jump::Beside(by)),
        || Event::Jump(Jump::Take(None)),
    );
    let onfocus = Callback::from(|event: FocusEvent| {
        event.target_unchecked_into::<HtmlInputElement>().select();
    });
    html! {
        <input class="find-field" data-testid="find-run-field" value={session.ui.jump.text()} autofocus=true
            role="combobox" aria-label="Find in the run" aria-expanded="true" aria-controls="hits" aria-autocomplete="list"
            aria-activedescendant={chosen.map(|idx| format!("hit-{idx}"))} placeholder="line 12, FFMA, W03 long scoreboard"
            aria-invalid={session.ui.jump.refused.is_some().to_string()} autocomplete="off" spellcheck="false" {oninput} {onkeydown} {onfocus}/>
    }
}

fn row(idx: usize, hit: &Hit, chosen: bool, dispatch: &Callback<Event>) -> Html {
    let onclick = dispatch.reform(move |_| Event::Jump(Jump::Take(Some(idx))));
    html! {
        <div id={format!("hit-{idx}")} role="option" aria-selected={chosen.to_string()} data-testid={format!("hit-{idx}")} {onclick}>
            <span class="num">{ &hit.cycle }</span><span class="num">{ &hit.warp }</span><span>{ &hit.what }</span>
        </div>
    }
}

fn examples(dispatch: &Callback<Event>) -> Html {
    let example = |text: &'static str| {
        let onclick = dispatch.reform(move |_| Event::Jump(Jump::Text(text.to_owned())));
        html! { <button class="chip" {onclick}>{ text }</button> }
    };
    html! { <div class="find-examples">{ for EXAMPLES.map(example) }</div> }
}
