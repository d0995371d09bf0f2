//! Recent scenarios on this device, which the browser stores as text.

use serde::{Deserialize, Serialize};

use super::{Effect, Session};
use crate::share::{self, Compare, Layout, Scenario, View, ViewLink};

/// The limit of stored scenarios.
const MOST: usize = 20;

/// A recent scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recent {
    /// The link.
    pub link: String,
    /// The name.
    pub name: String,
    /// Architecture and launch configuration in one line.
    pub line: String,
    /// The time of the visit, in milliseconds since 1970.
    pub when_ms: f64,
}

/// Parses the stored text. Invalid text is an empty list.
pub fn read(text: &str) -> Vec<Recent> {
    let mut list: Vec<Recent> = serde_json::from_str(text).unwrap_or_default();
    list.truncate(MOST);
    list
}

/// The text to store.
pub fn write(list: &[Recent]) -> String {
    serde_json::to_string(list).unwrap_or_default()
}

/// The time between `when_ms` and `now_ms` as text: `5 min ago`.
pub fn ago(when_ms: f64, now_ms: f64) -> String {
    let minutes = ((now_ms - when_ms) / 60_000.0).max(0.0) as u64;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..1440 => format!("{} h ago", minutes / 60),
        1440..2880 => "yesterday".to_owned(),
        _ => format!("{} days ago", minutes / 1440),
    }
}

/// The scenario without its presentation, so that visits with the same run share one entry.
pub(super) fn run_of(scenario: &Scenario) -> Scenario {
    Scenario {
        view: View::default(),
        split: None,
        cycle: 0,
        warp: None,
        look: ViewLink::default(),
        layout: Layout::default(),
        lecture: scenario.lecture.content(),
        compare: scenario.compare.as_ref().map(|compare| Compare {
            others: compare.others.clone(),
            ..Compare::default()
        }),
        tour: None,
        ..scenario.clone()
    }
}

impl Session {
    /// Whether the scenario equals the one of an empty link.
    pub(super) fn is_untouched(&self) -> bool {
        !self.is_comparing() && run_of(&self.link()) == Scenario::default()
    }

    /// Adds the current scenario as the most recent one.
    pub(super) fn keep(&mut self, now_ms: f64) -> Vec<Effect> {
        if self.is_untouched() {
            return Vec::new();
        }
        let mut scenario = self.link();
        // A restored scenario opens without a dialog.
        scenario.layout.panel = None;
        let run = run_of(&scenario);
        self.ui
            .recent
            .retain(|recent| run_of(&share::decode(&recent.link).scenario) != run);
        let recent = Recent {
            link: share::encode(&scenario),
            name: self.name(),
            line: self.launch_line(),
            when_ms: now_ms,
        };
        self.ui.recent.insert(0, recent);
        self.ui.recent.truncate(MOST);
        vec![Effect::KeepRecent(write(&self.ui.recent))]
    }

    /// Removes one recent scenario, or all.
    pub(super) fn forget(&mut self, idx: Option<usize>) -> Vec<Effect> {
        match idx {
            Some(idx) if idx < self.ui.recent.len() => {
                self.ui.recent.remove(idx);
            }
            Some(_) => {}
            None => self.ui.recent.clear(),
        }
        vec![Effect::KeepRecent(write(&self.ui.recent))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Event, update};
    use engine::arch::ArchId;

    #[test]
    fn the_most_recent_is_first_and_none_repeats() {
        let mut session = Session::new();
        for (idx, arch) in [ArchId::G80, ArchId::Gf100, ArchId::G80].into_iter().enumerate() {
            update(&mut session, Event::Arch(arch));
            update(&mut session, Event::Keep(idx as f64));
        }
        let names: Vec<(&str, f64)> = session
            .ui
            .recent
            .iter()
            .map(|recent| (recent.link.as_str(), recent.when_ms))
            .collect();
        assert_eq!(names, [("#v1;arch=g80", 2.0), ("#v1;arch=gf100", 1.0)]);
        assert_eq!(read(&write(&session.ui.recent)), session.ui.recent);
        update(&mut session, Event::Forget(Some(0)));
        assert_eq!(session.ui.recent.len(), 1);
    }

    #[test]
    fn an_unchanged_scenario_is_not_stored() {
        let mut session = Session::new();
        update(&mut session, Event::View(View::Banks));
        assert!(update(&mut session, Event::Keep(0.0)).is_empty());
    }

    #[test]
    fn a_damaged_text_is_an_empty_list() {
        assert!(read("{").is_empty());
        assert!(read("").is_empty());
    }

    #[test]
    fn ages_are_shown_as_text() {
        let minute = 60_000.0;
        assert_eq!(ago(0.0, 0.5 * minute), "just now");
        assert_eq!(ago(0.0, 59.0 * minute), "59 min ago");
        assert_eq!(ago(0.0, 119.0 * minute), "1 h ago");
        assert_eq!(ago(0.0, 1500.0 * minute), "yesterday");
        assert_eq!(ago(0.0, 3000.0 * minute), "2 days ago");
    }
}
