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
    /// Limit of the texts of the scenarios before the current one, in bytes. Assumption: 100 steps of a source with 256 KB
    /// and its copies on the sides fit; one link has at most 4 MB.
    const MAX_BYTES: usize = 64 << 20;

    /// Records a change; `before` can be restored.
    pub fn push(&mut self, before: Scenario) {
        self.future.clear();
        if self.past.len() == Self::MAX {
            self.past.remove(0);
        }
        self.past.push(before);
        let mut bytes: usize = self.past.iter().map(text_bytes).sum();
        while bytes > Self::MAX_BYTES && self.past.len() > 1 {
            bytes -= text_bytes(&self.past.remove(0));
        }
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

/// Bytes of the texts of a scenario: the sources of its sides, and the chapters of its lecture.
fn text_bytes(scenario: &Scenario) -> usize {
    let source = |source: &Option<String>| source.as_ref().map_or(0, String::len);
    let sides = scenario.compare.iter().flat_map(|compare| &compare.others);
    let sides: usize = sides.map(|side| source(&side.source)).sum();
    let chapters = scenario.lecture.chapters.iter();
    let chapters: usize = chapters
        .map(|chapter| chapter.text.len() + source(&chapter.scenario.source))
        .sum();
    source(&scenario.source) + sides + chapters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_the_history_are_limited() {
        let mut history = History::default();
        for idx in 0..30_u64 {
            history.push(Scenario {
                source: Some("x".repeat(4 << 20)),
                cycle: idx,
                ..Scenario::default()
            });
        }
        assert_eq!(history.past.len(), 16);
        assert_eq!(history.undo(Scenario::default()).map(|last| last.cycle), Some(29));
    }
}
