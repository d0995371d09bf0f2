//! The command palette: a text field and the commands and names that match its text.

use std::ops::Range;

use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, KeyboardEvent, TargetCast, html};

use super::help::Modal;
use workbench::app::find::{Found, Group};
use workbench::app::{Event, Session};

/// The dialog with the field and the list of matches.
pub(crate) fn finder(session: &Session, dispatch: &Callback<Event>) -> Html {
    let found = session.found();
    let chosen = session.ui.finder.idx.min(found.len().saturating_sub(1));
    html! {
        <Modal title="Find a command" id="palette" class="palette" dispatch={dispatch.clone()}>
            { field(session, (!found.is_empty()).then_some(chosen), dispatch) }
            <div id="found" class="found" role="listbox" aria-label="Found">
                { for [Group::GoTo, Group::Change, Group::Learn].map(|group| list(&found, group, chosen, dispatch)) }
            </div>
            <p class="unseen" role="status">{ format!("{} found", found.len()) }</p>
            <p class="nothing" hidden={!found.is_empty()}>{ "No matches" }</p>
        </Modal>
    }
}

fn field(session: &Session, chosen: Option<usize>, dispatch: &Callback<Event>) -> Html {
    let oninput = dispatch
        .reform(|event: InputEvent| Event::Find(event.target_unchecked_into::<HtmlInputElement>().value()));
    let onkeydown = list_keys(dispatch, Event::FindBeside, || Event::FindTake(None));
    html! {
        <input class="find-field" data-testid="find" value={session.ui.finder.text.clone()} autofocus=true
            role="combobox" aria-label="Find a command" aria-expanded="true" aria-controls="found" aria-autocomplete="list"
            aria-activedescendant={chosen.map(|idx| format!("found-{idx}"))} placeholder="Find a command"
            autocomplete="off" spellcheck="false" {oninput} {onkeydown}/>
    }
}

/// Handles the keys of a field with a list: up and down move the selection, Enter accepts it.
pub(super) fn list_keys(
    dispatch: &Callback<Event>,
    beside: fn(i32) -> Event,
    take: fn() -> Event,
) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let does = match event.key().as_str() {
            "ArrowDown" => beside(1),
            "ArrowUp" => beside(-1),
            "Enter" => take(),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        dispatch.emit(does);
    })
}

fn list(found: &[Found], group: Group, chosen: usize, dispatch: &Callback<Event>) -> Html {
    let mut rows = found
        .iter()
        .enumerate()
        .filter(|(_, found)| found.group == group)
        .peekable();
    if rows.peek().is_none() {
        return Html::default();
    }
    let row = |(idx, found): (usize, &Found)| {
        let onclick = dispatch.reform(move |_| Event::FindTake(Some(idx)));
        html! {
            <div id={format!("found-{idx}")} role="option" aria-selected={(idx == chosen).to_string()} {onclick}>
                <span>{ marked(&found.text, &found.matched) }</span><span class="hint-key">{ &found.hint }</span>
            </div>
        }
    };
    html! {
        <div role="group" aria-label={group.name()}>
            <div class="label" aria-hidden="true">{ group.name() }</div>
            { for rows.map(row) }
        </div>
    }
}

/// Text with the matched letters in bold.
fn marked(text: &str, ranges: &[Range<usize>]) -> Html {
    let mut from = 0;
    let mut parts = Vec::new();
    for range in ranges {
        parts.push(html! { { &text[from..range.start] } });
        parts.push(html! { <b>{ &text[range.clone()] }</b> });
        from = range.end;
    }
    html! { <>{ for parts }{ &text[from..] }</> }
}
