//! Modal dialogs.

use web_sys::{EventTarget, HtmlDialogElement};
use yew::{
    AttrValue, Callback, Children, Html, MouseEvent, Properties, component, html, use_effect_with,
    use_node_ref,
};

use super::browser;
use super::button::button;
use super::icon::Icon;
use workbench::app::Event;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct ModalProps {
    #[prop_or_default]
    pub class: &'static str,
    pub title: AttrValue,
    pub id: &'static str,
    pub dispatch: Callback<Event>,
    pub children: Children,
}

/// A modal dialog: the page behind it is inert until the dialog closes.
#[component]
pub(crate) fn Modal(props: &ModalProps) -> Html {
    let node = use_node_ref();
    let dialog = node.clone();
    use_effect_with((), move |()| {
        let opener = browser::focused();
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            // `show_modal` fails where the dialog is already open, which is the intended state.
            let _ = dialog.show_modal();
        }
        // The page becomes active again before the opener regains the focus.
        move || {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
            browser::focus(opener);
        }
    });
    let oncancel = props.dispatch.reform(|_: yew::Event| Event::Close);
    let (dispatch, own) = (props.dispatch.clone(), node.clone());
    let onclick = Callback::from(move |event: MouseEvent| {
        // A click on the backdrop has the dialog itself as its target.
        if event.target() == own.get().map(EventTarget::from) {
            dispatch.emit(Event::Close);
        }
    });
    html! {
        <dialog ref={node} class={props.class} aria-label={props.title.clone()} data-testid={props.id} {oncancel} {onclick}>
            <div class="dialog-head">
                <h2>{ &props.title }</h2>
                { button(Icon::Close, "Close", "dialog-close", "", &props.dispatch, Event::Close) }
            </div>
            <div class="dialog-body">{ props.children.clone() }</div>
        </dialog>
    }
}

/// A modal dialog with a title.
pub(crate) fn dialog(title: &str, id: &'static str, dispatch: &Callback<Event>, body: Html) -> Html {
    html! { <Modal title={AttrValue::from(title.to_owned())} {id} dispatch={dispatch.clone()}>{ body }</Modal> }
}
