//! The explanation of what is selected.

use std::rc::Rc;

use yew::{Callback, Html, html};

use super::palette::Palette;
use crate::app::{Event, Session};

/// The inspector.
pub(crate) fn inspector(_session: &Session, _palette: &Rc<Palette>, _dispatch: &Callback<Event>) -> Html {
    html! { <aside class="insp" aria-label="Explanation"/> }
}
