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

/// A change of the stored list. Other tabs may have changed the list since it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum RecentChange {
    /// Adds a scenario, in place of one with the same run.
    Add(Recent),
    /// Removes the scenario with this link.
    Remove(String),
    /// Removes all scenarios.
    Clear,
}

impl RecentChange {
    /// Applies the change to a list, most recent first.
    pub fn apply(&self, list: &mut Vec<Recent>) {
        match self {
            Self::Add(recent) => {
                let run = |link: &str| run_of(&share::decode(link).scenario);
                let own = run(&recent.link);
                list.retain(|other| run(&other.link) != own);
                // Another tab may have added a later one.
                let at = list.partition_point(|other| other.when_ms > recent.when_ms);
                list.insert(at, recent.clone());
                list.truncate(MOST);
            }
            Self::Remove(link) => list.retain(|recent| recent.link != *link),
            Self::Clear => list.clear(),
        }
    }
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
        // A link without its text would open another kernel.
        if self.is_untouched() || self.has_long_text() {
            return Vec::new();
        }
        let mut scenario = self.link();
        // A restored scenario opens without a dialog.
        scenario.layout.panel = None;
        let recent = Recent {
            link: share::encode(&scenario),
            name: self.name(),
            line: self.launch_line(),
            when_ms: now_ms,
        };
        self.change_recent(RecentChange::Add(recent))
    }

    /// Removes one recent scenario, or all.
    pub(super) fn forget(&mut self, idx: Option<usize>) -> Vec<Effect> {
        let change = match idx {
            Some(idx) => match self.ui.recent.get(idx) {
                Some(recent) => RecentChange::Remove(recent.link.clone()),
                None => return Vec::new(),
            },
            None => RecentChange::Clear,
        };
        self.change_recent(change)
    }

    /// Changes the list of this session, also where the browser stores nothing, and then the stored list.
    fn change_recent(&mut self, change: RecentChange) -> Vec<Effect> {
        change.apply(&mut self.ui.recent);
        vec![Effect::KeepRecent(change)]
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
    fn changes_of_two_tabs_are_kept() {
        let recent = |link: &str, when_ms: f64| Recent {
            link: link.to_owned(),
            name: String::new(),
            line: String::new(),
            when_ms,
        };
        let mut stored = vec![recent("#v1;arch=g80", 1.0)];
        RecentChange::Add(recent("#v1;arch=gf100", 3.0)).apply(&mut stored);
        RecentChange::Add(recent("#v1;kernel=saxpy", 2.0)).apply(&mut stored);
        RecentChange::Add(recent("#v1;arch=g80;view=banks", 4.0)).apply(&mut stored);
        let links =
            |stored: &[Recent]| -> Vec<String> { stored.iter().map(|recent| recent.link.clone()).collect() };
        assert_eq!(
            links(&stored),
            ["#v1;arch=g80;view=banks", "#v1;arch=gf100", "#v1;kernel=saxpy"]
        );
        RecentChange::Remove("#v1;arch=gf100".to_owned()).apply(&mut stored);
        assert_eq!(links(&stored), ["#v1;arch=g80;view=banks", "#v1;kernel=saxpy"]);
        RecentChange::Clear.apply(&mut stored);
        assert!(stored.is_empty());
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
