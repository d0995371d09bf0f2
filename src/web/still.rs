//! Parts of the page that do not change from cycle to cycle: made anew, and compared with what is
//! there, only when something else happens than the passing of cycles.

use std::cell::RefCell;

use yew::{Component, Context, Html, Properties, html};

/// A part, and of which state of the page it is.
#[derive(Clone, Properties)]
pub(crate) struct StillProps {
    part: Html,
    version: u64,
}

impl PartialEq for StillProps {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
    }
}

/// Shows a part. While its version is the same, the browser's nodes are not looked at.
pub(crate) struct Still;

impl Component for Still {
    type Message = ();
    type Properties = StillProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        ctx.props().part.clone()
    }
}

/// The parts, each at its place.
#[derive(Default)]
pub(crate) struct StillParts {
    version: u64,
    kept: RefCell<Vec<(&'static str, u64, Html)>>,
}

impl StillParts {
    /// Something happened on which the parts may depend.
    pub(crate) const fn change(&mut self) {
        self.version += 1;
    }

    /// A part by its name, made if it is not there as it is now.
    pub(crate) fn part(&self, name: &'static str, make: impl FnOnce() -> Html) -> Html {
        let version = self.version;
        let mut kept = self.kept.borrow_mut();
        let at = kept.iter().position(|(other, ..)| *other == name);
        let part = match at {
            Some(at) if kept[at].1 == version => kept[at].2.clone(),
            Some(at) => {
                kept[at] = (name, version, make());
                kept[at].2.clone()
            }
            None => {
                let part = make();
                kept.push((name, version, part.clone()));
                part
            }
        };
        html! { <Still {part} {version}/> }
    }
}
