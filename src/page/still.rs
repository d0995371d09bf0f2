//! Parts of the page that change rarely from cycle to cycle: made anew, and compared with what is there,
//! only when something else happens than the passing of cycles, or what they show of the cycle changes.

use std::any::Any;
use std::cell::{Cell, RefCell};

use yew::{Component, Context, Html, Properties, html};

/// A part, and which it is of those that were made.
#[derive(Clone, Properties)]
pub(crate) struct StillProps {
    part: Html,
    number: u64,
}

impl PartialEq for StillProps {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// Shows a part. While its number is the same, the browser's nodes are not looked at.
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
    kept: RefCell<Vec<Kept>>,
    /// How often one was made.
    made: Cell<u64>,
}

/// A part as it was made last.
struct Kept {
    /// Its name, and which of those with that name it is.
    name: (&'static str, usize),
    version: u64,
    /// What of the cycle it shows.
    key: Box<dyn Any>,
    /// Tells it from all that were made.
    number: u64,
    part: Html,
}

impl StillParts {
    /// Something happened on which the parts may depend.
    pub(crate) const fn change(&mut self) {
        self.version += 1;
    }

    /// A part by its name, made if it is not there as it is now.
    pub(crate) fn part(&self, name: &'static str, make: impl FnOnce() -> Html) -> Html {
        self.part_in((name, 0), &(), make)
    }

    /// A part that depends on the cycle by `key` alone.
    pub(crate) fn part_of<K: PartialEq + Clone + 'static>(
        &self,
        name: &'static str,
        key: &K,
        make: impl FnOnce() -> Html,
    ) -> Html {
        self.part_in((name, 0), key, make)
    }

    /// The same, of a part that is there more than once.
    pub(crate) fn part_in<K: PartialEq + Clone + 'static>(
        &self,
        name: (&'static str, usize),
        key: &K,
        make: impl FnOnce() -> Html,
    ) -> Html {
        let mut kept = self.kept.borrow_mut();
        let at = kept.iter().position(|kept| kept.name == name);
        let is_it = |kept: &Kept| kept.version == self.version && kept.key.downcast_ref() == Some(key);
        let at = match at {
            Some(at) if is_it(&kept[at]) => at,
            at => {
                self.made.set(self.made.get() + 1);
                let new = Kept {
                    name,
                    version: self.version,
                    key: Box::new(key.clone()),
                    number: self.made.get(),
                    part: make(),
                };
                match at {
                    Some(at) => {
                        kept[at] = new;
                        at
                    }
                    None => {
                        kept.push(new);
                        kept.len() - 1
                    }
                }
            }
        };
        let (part, number) = (kept[at].part.clone(), kept[at].number);
        html! { <Still {part} {number}/> }
    }
}
