//! Memoized parts of the page, which rarely change from cycle to cycle. A part renders again only after an event
//! other than a change of the cycle, or after a change of its key.

use std::any::Any;
use std::cell::{Cell, RefCell};

use yew::{Component, Context, Html, Properties, html};

/// A memoized part with its version.
#[derive(Clone, Properties)]
pub(crate) struct MemoProps {
    part: Html,
    number: u64,
}

impl PartialEq for MemoProps {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// Shows a part. While its version is unchanged, the browser's nodes are not compared.
pub(crate) struct Memo;

impl Component for Memo {
    type Message = ();
    type Properties = MemoProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        ctx.props().part.clone()
    }
}

/// The memoized parts of the page.
#[derive(Default)]
pub(crate) struct MemoParts {
    version: u64,
    kept: RefCell<Vec<Kept>>,
    /// The number of versions so far.
    made: Cell<u64>,
}

/// The last version of a part.
struct Kept {
    /// The part's name, and its index among parts of that name.
    name: (&'static str, usize),
    version: u64,
    /// The part's key: the values of the cycle that the part depends on.
    key: Box<dyn Any>,
    /// The version, unique among all parts.
    number: u64,
    part: Html,
}

impl MemoParts {
    /// Invalidates all parts, after an event on which they may depend.
    pub(crate) const fn change(&mut self) {
        self.version += 1;
    }

    /// A part by its name, rendered if it is missing or invalid.
    pub(crate) fn part(&self, name: &'static str, make: impl FnOnce() -> Html) -> Html {
        self.part_in((name, 0), &(), make)
    }

    /// A part that depends on the cycle only through `key`.
    pub(crate) fn part_of<K: PartialEq + Clone + 'static>(
        &self,
        name: &'static str,
        key: &K,
        make: impl FnOnce() -> Html,
    ) -> Html {
        self.part_in((name, 0), key, make)
    }

    /// Like `part_of`, for a part with several instances.
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
                if let Some(at) = at {
                    kept[at] = new;
                    at
                } else {
                    kept.push(new);
                    kept.len() - 1
                }
            }
        };
        let (part, number) = (kept[at].part.clone(), kept[at].number);
        html! { <Memo {part} {number}/> }
    }
}
