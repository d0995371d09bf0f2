//! The dialog of recent scenarios on this device.

use yew::{Callback, Html, html};

use super::browser;
use super::icon::Icon;
use super::modal::Modal;
use workbench::app::recent::{Recent, ago};
use workbench::app::{Event, Session};

/// The list of recent scenarios.
pub(crate) fn recent(session: &Session, dispatch: &Callback<Event>) -> Html {
    let now = browser::date_ms();
    let row = |(idx, recent): (usize, &Recent)| {
        let link = recent.link.clone();
        let open = dispatch.reform(move |_| Event::Visit(link.clone()));
        let forget = dispatch.reform(move |_| Event::Forget(Some(idx)));
        let name = format!("Remove {}", recent.name);
        html! {
            <li key={recent.link.clone()}>
                <button class="visit" data-testid={format!("recent-{idx}")} onclick={open}>
                    <b>{ &recent.name }</b><span class="dim">{ &recent.line }</span>
                    <span class="dim when">{ ago(recent.when_ms, now) }</span>
                </button>
                <button class="btn" aria-label={name.clone()} title={name} data-testid={format!("forget-{idx}")} onclick={forget}>
                    { Icon::Close.html() }
                </button>
            </li>
        }
    };
    let body = if session.ui.recent.is_empty() {
        html! {
            <p class="none" data-testid="recent-none">
                { "No recent scenarios. A scenario appears here after you change the architecture, the kernel, or the launch. The list stays on this device." }
            </p>
        }
    } else {
        let clear = dispatch.reform(|_| Event::Forget(None));
        html! {
            <>
                <ul class="recent">{ for session.ui.recent.iter().enumerate().map(row) }</ul>
                <button class="btn line" data-testid="forget-all" onclick={clear}>{ "Remove all" }</button>
            </>
        }
    };
    html! { <Modal title="Recent scenarios" id="recent" dispatch={dispatch.clone()}>{ body }</Modal> }
}
