//! Dialogs before or after what the page does not do by itself: a request to another place, and a copy without access to
//! the clipboard.

use web_sys::HtmlTextAreaElement;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_effect_with, use_node_ref};

use super::modal::Modal;
use super::timer::soon;
use workbench::app::Event;

/// A lesson that is no part of the page: it is read after the reader allows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedLesson {
    /// The text of the link.
    pub(crate) id: String,
    /// The step to show, from 0.
    pub(crate) step: usize,
    /// The place that the question names.
    pub(crate) name: String,
    /// The address to request.
    pub(crate) address: String,
}

/// The question whether to load a lesson from another place; `on_answer` receives the answer.
pub(crate) fn consent(asked: &AskedLesson, on_answer: &Callback<bool>) -> Html {
    let answer = |answer: bool| on_answer.reform(move |_: web_sys::MouseEvent| answer);
    let dispatch = on_answer.reform(|_: Event| false);
    html! {
        <Modal title="Load a lesson from another place?" id="consent" class="ask" {dispatch}>
            <p>{ "This link loads a lesson from " }<b data-testid="consent-origin">{ &asked.name }</b>{ ", which is not part of Warpscope. \
                The server learns your network address. The request has no cookies, and does not name this page." }</p>
            <p class="mono" data-testid="consent-address">{ &asked.address }</p>
            <div class="answers">
                <button class="btn line" data-testid="consent-no" onclick={answer(false)}>{ "Do not load" }</button>
                <button class="btn solid" data-testid="consent-yes" onclick={answer(true)}>{ "Load" }</button>
            </div>
        </Modal>
    }
}

/// A text that the page could not copy, selected in a field.
pub(crate) fn copy_by_hand(text: &str, on_close: &Callback<()>) -> Html {
    let dispatch = on_close.reform(|_: Event| ());
    html! {
        <Modal title="Copy" id="copy-by-hand" class="ask" {dispatch}>
            <p>{ "The browser denies the page its clipboard. The text is selected: copy it with Ctrl+C (⌘C on a Mac), or with the menu of a long press." }</p>
            <CopyField text={text.to_owned()}/>
        </Modal>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CopyFieldProps {
    text: AttrValue,
}

/// The field, which has the focus and selects its text when it appears.
#[component]
fn CopyField(props: &CopyFieldProps) -> Html {
    let node = use_node_ref();
    let field = node.clone();
    use_effect_with((), move |()| {
        // After the dialog has opened, which moves the focus.
        soon(move || {
            if let Some(field) = field.cast::<HtmlTextAreaElement>() {
                let _ = field.focus();
                field.select();
            }
        });
    });
    html! {
        <textarea ref={node} class="field paste" rows="4" readonly=true spellcheck="false" aria-label="Text to copy"
            data-testid="copy-text" value={props.text.clone()}/>
    }
}
