//! Undo and redo of the scenario.

use super::recent::run_of;
use crate::share::Scenario;

/// Scenarios before and after the present one. Holds the last hundred.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Scenario>,
    future: Vec<Scenario>,
}

impl History {
    const MAX: usize = 100;

    /// A change was made; `before` can be had back.
    pub fn push(&mut self, before: Scenario) {
        self.future.clear();
        if self.past.len() == Self::MAX {
            self.past.remove(0);
        }
        self.past.push(before);
    }

    /// The last change and the one before it are one step back.
    pub fn merge_last(&mut self) {
        if self.past.len() > 1 {
            self.past.pop();
        }
    }

    /// The scenario before the last change.
    pub fn undo(&mut self, now: Scenario) -> Option<Scenario> {
        let scenario = self.past.pop()?;
        self.future.push(now);
        Some(scenario)
    }

    /// The scenario that was last undone.
    pub fn redo(&mut self, now: Scenario) -> Option<Scenario> {
        let scenario = self.future.pop()?;
        self.past.push(now);
        Some(scenario)
    }

    /// The browser went from `now` to another scenario by itself: back to an earlier one is undone,
    /// forward to a later one is redone, and any other can be undone.
    pub(super) fn follow(&mut self, now: Scenario, to: &Scenario) {
        let run = run_of(to);
        if run == run_of(&now) {
            return;
        }
        let is_it = |list: &[Scenario]| list.last().is_some_and(|last| run_of(last) == run);
        if is_it(&self.past) {
            self.undo(now);
        } else if is_it(&self.future) {
            self.redo(now);
        } else {
            self.push(now);
        }
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}
