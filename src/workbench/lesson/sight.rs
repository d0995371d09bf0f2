//! What stays in sight until a question is answered.

use serde::Deserialize;

use super::{Step, Task};
use crate::scene::Counters;
use crate::share::{Compare, Scenario, Setup, View, decode};

/// A part of the page that a step keeps in sight until its question is answered.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// The kernel's source and its instructions, without counters.
    Code,
    /// The picture of the step's link.
    Picture,
    /// The transport: the reader can step through the cycles of the picture.
    Run,
}

impl Step {
    /// Whether the step hides a part of the page until its question is answered. To click an item of the picture, or
    /// to change the kernel, the reader needs the whole page.
    pub fn is_veiled(&self) -> bool {
        let task = self.ask.as_ref().map(super::Ask::task);
        matches!(task, Some(Task::Number(_) | Task::Choice(_)))
    }

    /// Whether a part of the page is in sight before the answer.
    pub fn shows(&self, sight: Sight) -> bool {
        if !self.is_veiled() {
            return true;
        }
        match (&self.shows, &self.before) {
            (Some(shows), _) => shows.contains(&sight),
            (None, None) => sight == Sight::Code,
            // The link of `before` has the code, or another picture.
            (None, Some(before)) => {
                (decode(before).scenario.view == View::Source) == (sight == Sight::Code)
                    && sight != Sight::Run
            }
        }
    }

    /// Whether the run of `other` stays hidden beside the step's own picture: its picture would answer.
    pub fn shows_own_run_alone(&self) -> bool {
        let has_other = self.ask.as_ref().is_some_and(|ask| ask.other.is_some());
        self.is_veiled() && has_other && self.shows(Sight::Picture)
    }

    /// The scenario that the page shows until the question is answered. The step's own run comes first, and the run
    /// of `other` second, as the question's expressions name them.
    pub fn scenario_before(&self) -> Scenario {
        let mut scenario = match &self.before {
            Some(before) => decode(before).scenario,
            None => self.scenario(),
        };
        if self.is_veiled() && self.before.is_none() {
            let (code, picture) = (self.shows(Sight::Code), self.shows(Sight::Picture));
            if picture && code && scenario.view != View::Source {
                scenario.split = Some(View::Source);
            } else if !picture {
                scenario.view = View::Source;
                scenario.look.settings.counters = Counters::None;
                scenario.split = None;
                scenario.cycle = 0;
            }
        }
        if let Some(link) = self.ask.as_ref().and_then(|ask| ask.other.as_deref()) {
            scenario.compare = Some(Compare {
                others: vec![Setup::of(&decode(link).scenario)],
                ..scenario.compare.unwrap_or_default()
            });
        }
        scenario
    }

    /// Checks the list of what stays in sight.
    pub(super) fn check_shows(&self) -> Result<(), String> {
        let Some(shows) = &self.shows else {
            return Ok(());
        };
        let has = |sight: Sight| shows.contains(&sight);
        if self.before.is_some() {
            return Err("`shows` and `before` exclude each other: `before` shows its own link.".to_owned());
        }
        if !self.is_veiled() {
            return Err(
                "`shows` needs a question with `number` or `choice`: other steps hide nothing.".to_owned(),
            );
        }
        if !has(Sight::Code) && !has(Sight::Picture) {
            return Err("`shows` has `code` or `picture`.".to_owned());
        }
        if has(Sight::Run) && !has(Sight::Picture) {
            return Err(
                "`shows` has `run` only with `picture`, whose cycles the reader steps through.".to_owned(),
            );
        }
        let has_other = self.ask.as_ref().is_some_and(|ask| ask.other.is_some());
        if has_other && has(Sight::Code) && has(Sight::Picture) {
            return Err(
                "`shows` has `code` or `picture` beside `other`, not both: the stage has one pane for each run."
                    .to_owned(),
            );
        }
        Ok(())
    }
}
