//! The bar above the text: find, replace, go to line.

use web_sys::HtmlInputElement;
use yew::html::Scope;
use yew::{Html, InputEvent, KeyboardEvent, NodeRef, TargetCast, html};

use super::{Editor, Message};
use crate::icon::Icon;
use workbench::scene::{counted, thousands};

/// The bar's mode and contents.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bar {
    /// The search word, or the line number.
    pub word: String,
    /// The replacement.
    pub with: String,
    /// Whether the bar goes to a line.
    pub is_line: bool,
    /// The name to rename, if the bar renames.
    pub renames: Option<String>,
    /// Whether the bar replaces.
    pub replaces: bool,
    /// The index of the current match.
    pub at: usize,
}

impl Bar {
    /// A bar that finds a word, and replaces it if `replaces`.
    pub(super) fn find(word: String, replaces: bool) -> Self {
        Self {
            word,
            replaces,
            ..Self::default()
        }
    }

    /// A bar that renames a name.
    pub(super) fn rename(name: String) -> Self {
        Self {
            word: name.clone(),
            renames: Some(name),
            ..Self::default()
        }
    }

    /// A bar that goes to a line.
    pub(super) fn line() -> Self {
        Self {
            is_line: true,
            ..Self::default()
        }
    }
}

/// The bar's markup.
pub(super) fn bar(bar: &Bar, found: usize, input: &NodeRef, link: &Scope<Editor>) -> Html {
    let oninput = link.callback(|event: InputEvent| {
        Message::Word(event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let name = match &bar.renames {
        Some(old) => format!("Rename {old} to"),
        None => if bar.is_line { "Go to line" } else { "Find" }.to_owned(),
    };
    let count = match (bar.is_line, bar.word.is_empty(), found) {
        (true, ..) | (_, true, _) => String::new(),
        _ if bar.renames.is_some() => counted(found as u64, "place"),
        (_, _, 0) => "none".to_owned(),
        (_, _, found) => format!("{} of {}", thousands(bar.at as u64 + 1), thousands(found as u64)),
    };
    html! {
        <div class="find" role="search" aria-label="Find in the kernel">
            <div class="find-row">
                <input ref={input.clone()} class="field" value={bar.word.clone()} data-testid="find-word" aria-label={name.clone()}
                    placeholder={name} autocomplete="off" spellcheck="false" {oninput} onkeydown={on_key(link, Message::Next)}/>
                <span class="num dim" data-testid="find-count" role="status">{ count }</span>
                { if !bar.is_line && bar.renames.is_none() { steps(link) } else { Html::default() } }
                { tool("Close", "find-close", Icon::Close, link, || Message::CloseBar) }
            </div>
            { if bar.replaces && !bar.is_line { replace(bar, found, link) } else { Html::default() } }
        </div>
    }
}

fn steps(link: &Scope<Editor>) -> Html {
    html! {
        <>
            <span class="turned">{ tool("Previous, Shift Enter", "find-previous", Icon::Down, link, || Message::Next(false)) }</span>
            { tool("Next, Enter", "find-next", Icon::Down, link, || Message::Next(true)) }
        </>
    }
}

fn replace(bar: &Bar, found: usize, link: &Scope<Editor>) -> Html {
    let oninput = link.callback(|event: InputEvent| {
        Message::With(event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let one = link.callback(|_| Message::Replace(false));
    let all = link.callback(|_| Message::Replace(true));
    html! {
        <div class="find-row">
            <input class="field" value={bar.with.clone()} data-testid="replace-word" aria-label="Replace with" placeholder="Replace with"
                autocomplete="off" spellcheck="false" {oninput} onkeydown={on_key(link, |_| Message::Replace(false))}/>
            <button class="btn line" data-testid="replace-one" disabled={found == 0} onclick={one}>{ "Replace" }</button>
            <button class="btn line" data-testid="replace-all" disabled={found == 0} onclick={all}>{ "All" }</button>
        </div>
    }
}

fn tool(
    name: &'static str,
    id: &'static str,
    icon: Icon,
    link: &Scope<Editor>,
    message: fn() -> Message,
) -> Html {
    let onclick = link.callback(move |_| message());
    html! {
        <button class="btn" aria-label={name} title={name} data-testid={id} {onclick}>{ icon.html() }</button>
    }
}

/// Enter performs the action (with Shift, in the other direction); Escape closes the bar.
fn on_key(link: &Scope<Editor>, enter: fn(bool) -> Message) -> yew::Callback<KeyboardEvent> {
    let link = link.clone();
    yew::Callback::from(move |event: KeyboardEvent| {
        let message = match event.key().as_str() {
            "Enter" => enter(!event.shift_key()),
            "Escape" => Message::CloseBar,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        link.send_message(message);
    })
}
