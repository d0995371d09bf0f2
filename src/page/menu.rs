//! A menu under its button: a click beside it closes it.

use yew::{Callback, Html, html};

use workbench::app::Event;

/// The open menu with its items. `part`: its class and its place in the document, as `steps` for `steps-menu`.
pub(crate) fn menu(name: &'static str, part: &'static str, items: Html, dispatch: &Callback<Event>) -> Html {
    let close = dispatch.reform(|_| Event::Close);
    html! {
        <>
            <div class="scrim clear" onclick={close}/>
            <div class={format!("more-menu {part}-menu")} role="menu" aria-label={name} data-part={part}>{ items }</div>
        </>
    }
}
