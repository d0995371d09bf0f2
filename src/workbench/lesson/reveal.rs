//! What the answer of a question reveals: the run that the question is about, beside the run that it compares with.

use std::cell::Cell;

use super::{Ask, Run, Step, Task, evaluate};
use crate::share::{Compare, Pane, Scenario, Setup, View, decode};

/// Whether a link states a key.
fn states(link: &str, key: &str) -> bool {
    link.split(';').any(|pair| pair.split('=').next() == Some(key))
}

impl Ask {
    /// The run that the question is about: what `about` says, or the run of the first counter in the expression.
    pub fn asked(&self) -> Run {
        let (Task::Number(super::Number { value: text, .. })
        | Task::Choice(super::Choice { holds: text, .. })
        | Task::Click(super::Click { value: text, .. })
        | Task::Edit(super::Edit { goal: text, .. })) = self.task();
        let first = Cell::new(None);
        let note = |run: Run, _: &str| {
            first.set(first.get().or(Some(run)));
            Some(1.0)
        };
        // A mistake in the expression is found when the lesson is read.
        let _ = evaluate(text, &note);
        self.about.or(first.get()).unwrap_or(Run::Own)
    }
}

impl Step {
    /// The scenario that the answer reveals. A question about `other` reveals both runs in panes beside each other:
    /// the one that the question is about first, and active. Where both panes have the same picture, the answer
    /// reveals the run of the question alone.
    pub fn scenario_after(&self) -> Scenario {
        let own = self.scenario();
        let Some(ask) = &self.ask else { return own };
        let Some(link) = &ask.other else { return own };
        let other = decode(link).scenario;
        let (own_setup, other_setup) = (Setup::of(&own), Setup::of(&other));
        let asked = ask.asked();
        // The curves of Plots have the points of both runs, and both panes share the settings of Streams.
        let has_both = [Some(own.view), own.split].contains(&Some(View::Plots));
        let is_same = own_setup == other_setup || has_both;
        let (mut shown, beside) = match asked {
            Run::Own => (own.clone(), other_setup),
            Run::Other => {
                let mut shown = other_setup.within(&own);
                if states(link, "view") {
                    (shown.view, shown.look, shown.warp) = (other.view, other.look, other.warp);
                }
                if states(link, "cycle") {
                    shown.cycle = other.cycle;
                }
                (shown, own_setup)
            }
        };
        if !is_same {
            shown.split = None;
            shown.layout.active = Pane::First;
            shown.compare = Some(Compare {
                others: vec![beside],
                ..own.compare.unwrap_or_default()
            });
        }
        shown
    }
}
