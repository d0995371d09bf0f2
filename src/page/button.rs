//! Buttons with an icon.

use yew::{Callback, Html, html};

use super::icon::Icon;
use workbench::app::Event;

/// A button with only an icon. Its name is the accessible label and the tooltip.
pub(crate) fn button(
    icon: Icon,
    name: &str,
    id: &str,
    class: &str,
    dispatch: &Callback<Event>,
    event: Event,
) -> Html {
    let onclick = dispatch.reform(move |_| event.clone());
    let class = format!("btn {class}");
    html! {
        <button {class} aria-label={name.to_owned()} title={name.to_owned()} data-testid={id.to_owned()} {onclick}>
            { icon.html() }
        </button>
    }
}
