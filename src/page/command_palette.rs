//! The command palette: a text field and the commands and names that match its text.

use std::ops::Range;

use web_sys::HtmlInputElement;
use yew::{Callback, FocusEvent, Html, InputEvent, KeyboardEvent, TargetCast, html};

use super::hits::{hits, run_sentence};
use super::modal::Modal;
use workbench::app::command_palette::{Found, Group};
use workbench::app::jump::Jump;
use workbench::app::{Event, Panel, Session};

/// The dialog with the field and the list of matches: commands and names, or with the key F, what the run has.
pub(crate) fn command_palette(session: &Session, dispatch: &Callback<Event>) -> Html {
    let is_in_run = session.ui.panel == Some(Panel::Find);
    let found_in_run = if is_in_run { session.hits() } else { Vec::new() };
    // A text without matches in the run can name a command.
    let has_hits = !found_in_run.is_empty();
    let found = if has_hits { Vec::new() } else { session.found() };
    let has_text = !session.ui.command_palette.text.trim().is_empty();
    let note = session.missing_lists().filter(|_| has_text && !has_hits);
    let num = found.len() + found_in_run.len();
    let idx = if has_hits {
        session.ui.jump.idx
    } else {
        session.ui.command_palette.idx
    };
    let chosen = idx.min(num.saturating_sub(1));
    let list = if has_hits {
        hits(&found_in_run, chosen, dispatch)
    } else {
        html! {
            <div id="found" class="found" role="listbox" aria-label="Found">
                { for [Group::GoTo, Group::Change, Group::Learn, Group::Lesson, Group::Term].map(|group| list(&found, group, chosen, dispatch)) }
            </div>
        }
    };
    html! {
        <Modal title="Find" id="palette" class="palette" dispatch={dispatch.clone()}>
            { field(session, (num > 0).then_some(chosen), (is_in_run, has_hits), dispatch) }
            { is_in_run.then(|| run_sentence(session, dispatch)) }
            { list }
            <p class="unseen" role="status">{ format!("{num} found") }</p>
            <p class="nothing" hidden={is_in_run || num > 0}>{ "No matches" }</p>
            <p class="nothing" hidden={note.is_none()} data-testid="found-note">{ note.unwrap_or_default() }</p>
        </Modal>
    }
}

fn field(
    session: &Session,
    chosen: Option<usize>,
    (is_in_run, has_hits): (bool, bool),
    dispatch: &Callback<Event>,
) -> Html {
    let oninput = dispatch.reform(move |event: InputEvent| {
        let text = event.target_unchecked_into::<HtmlInputElement>().value();
        if is_in_run {
            Event::Jump(Jump::Text(text))
        } else {
            Event::PaletteText(text)
        }
    });
    let onkeydown = if has_hits {
        list_keys(
            dispatch,
            |by| Event::Jump(Jump::Beside(by)),
            || Event::Jump(Jump::Take(None)),
        )
    } else {
        list_keys(dispatch, Event::PaletteBeside, || Event::PaletteTake(None))
    };
    // The last query of the run is there to be replaced.
    let onfocus = Callback::from(move |event: FocusEvent| {
        if is_in_run {
            event.target_unchecked_into::<HtmlInputElement>().select();
        }
    });
    let value = if is_in_run {
        session.ui.jump.text()
    } else {
        session.ui.command_palette.text.clone()
    };
    let name = if is_in_run { "Find in the run" } else { "Find" };
    html! {
        <input class="find-field" data-testid="find" {value} autofocus=true
            role="combobox" aria-label={name} aria-expanded="true" aria-controls="found" aria-autocomplete="list"
            aria-activedescendant={chosen.map(|idx| format!("found-{idx}"))} placeholder="A command, a view, a term, line 12, FFMA"
            autocomplete="off" spellcheck="false" {oninput} {onkeydown} {onfocus}/>
    }
}

/// Handles the keys of a field with a list: up and down move the selection, Enter accepts it.
fn list_keys(
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
        let onclick = dispatch.reform(move |_| Event::PaletteTake(Some(idx)));
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
