//! Undo and redo of the scenario.

use super::recent::run_of;
use crate::share::Scenario;

/// Scenarios before and after the current one, at most one hundred.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Scenario>,
    future: Vec<Scenario>,
}

impl History {
    const MAX: usize = 100;

    /// Records a change; `before` can be restored.
    pub fn push(&mut self, before: Scenario) {
        self.future.clear();
        if self.past.len() == Self::MAX {
            self.past.remove(0);
        }
        self.past.push(before);
    }

    /// Merges the last two changes into one undo step.
    pub fn merge_last(&mut self) {
        if self.past.len() > 1 {
            self.past.pop();
        }
    }

    /// Restores the scenario before the last change.
    pub fn undo(&mut self, now: Scenario) -> Option<Scenario> {
        let scenario = self.past.pop()?;
        self.future.push(now);
        Some(scenario)
    }

    /// Restores the scenario that was undone last.
    pub fn redo(&mut self, now: Scenario) -> Option<Scenario> {
        let scenario = self.future.pop()?;
        self.past.push(now);
        Some(scenario)
    }

    /// Follows a move of the browser's history from `now` to another scenario: an earlier scenario counts as undone, a
    /// later one as redone, and any other one as a change.
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

    /// Whether an undo step exists.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether a redo step exists.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}
