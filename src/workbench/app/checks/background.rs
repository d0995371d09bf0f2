//! The checks in the background: they run after each run, beside the page. Every view shows their errors.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Checks, SideState, ids};
use crate::app::{Badge, Derived, Session};
use crate::check::{Finding, Severity, Tool};
use crate::scene::{counted, thousands};
use crate::share::{FindingId, View};
use engine::files;

/// Warp instructions of the longest run that is checked in the background. Assumption: the checks of a longer run would keep
/// a processor core busy for more than a few seconds, without a press of the reader.
const MAX_ISSUES: u64 = 2_000_000;

/// The most important error of the shown run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckAlert {
    /// The error, whose first place a click shows.
    pub id: FindingId,
    /// The tool that reports it.
    pub tool: Tool,
    /// The message.
    pub message: String,
    /// The advice.
    pub advice: String,
    /// What the button of its place says.
    pub button: String,
    /// The number of further errors.
    pub others: usize,
}

/// The order in which errors are shown: what can be seen in no other view comes first. Reads of values that nobody set are
/// only counted, because a launch without a host program has many.
const fn rank(tool: Tool) -> Option<u8> {
    match tool {
        Tool::Racecheck => Some(0),
        Tool::Memcheck => Some(1),
        Tool::Synccheck => Some(2),
        Tool::Warpscope => Some(3),
        Tool::Initcheck => None,
    }
}

impl Checks {
    /// Whether the reader closed the alert of a run.
    fn is_dismissed(&self, link: Option<&str>) -> bool {
        link.is_some() && self.dismissed.as_deref() == link
    }
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

/// Whether a run has ended and is short enough to be checked in the background.
fn is_ready(derived: &Derived) -> bool {
    let has_ended = !derived.is_running() && !derived.is_compiling() && derived.shows_requested();
    has_ended && derived.trace().is_some_and(|trace| trace.outcome().is_some()) && !is_long(derived)
}

fn is_long(derived: &Derived) -> bool {
    derived
        .trace()
        .is_some_and(|trace| trace.num_issues() > MAX_ISSUES)
}

impl Session {
    /// Checks each run after its end, whatever view is on the stage.
    pub fn check_in_background(&mut self) {
        self.checks.in_background = true;
    }

    /// Whether the reader waits for the checks: their view is on the stage.
    pub fn waits_for_checks(&self) -> bool {
        self.shows(View::Checks)
    }

    /// The runs to check while another view is on the stage. A lesson has its own questions about errors.
    pub(super) fn background_links(&self) -> Vec<Arc<str>> {
        if !self.checks.in_background || self.ui.lessons.open.is_some() {
            return Vec::new();
        }
        let ready = self.derived_all().filter(|derived| is_ready(derived));
        ready.filter_map(Derived::run_link).collect()
    }

    /// The findings of the active run, as far as the launch is known; `None` while they are not known, and where no error is
    /// shown.
    fn reported_findings(&self) -> Option<Cow<'_, [Finding]>> {
        if self.ui.lessons.open.is_some() || self.shown_playground().is_some() {
            return None;
        }
        let side = self.active_side();
        let Some(SideState::Done(report)) = self.checks_state(side) else {
            return None;
        };
        Some(match self.unknown(side) {
            Some(unknown) => Cow::Owned(unknown.qualify(report.findings.clone())),
            None => Cow::Borrowed(&report.findings),
        })
    }

    /// The number of errors that the checks of the active run report; 0 while they are not known.
    pub fn num_check_errors(&self) -> usize {
        self.reported_findings().map_or(0, |found| {
            found.iter().filter(|finding| is_error(finding)).count()
        })
    }

    /// What the tab of the Checks view shows; `None` without errors, and while they are not known.
    pub fn check_badge(&self) -> Option<Badge> {
        let is_asked = self.waits_for_checks() || self.ui.lessons.open.is_some();
        if self.checks.in_background && !is_asked && is_long(self.derived()) {
            return Some(Badge {
                text: "?".to_owned(),
                name: format!(
                    "Not checked: the run has more than {} warp instructions. Open the view to check it.",
                    thousands(MAX_ISSUES)
                ),
            });
        }
        let num = self.num_check_errors();
        (num > 0).then(|| Badge {
            text: num.to_string(),
            name: counted(num as u64, "error"),
        })
    }

    /// The most important error of the active run, for all views except Checks; `None` if the reader closed it, or if the
    /// run's own outcome reports it.
    pub fn check_alert(&self) -> Option<CheckAlert> {
        let link = self.side().derived.run_link();
        if self.waits_for_checks() || self.checks.is_dismissed(link.as_deref()) {
            return None;
        }
        self.first_error()
    }

    /// The same as the first finding of the Findings view, which stays when the alert is closed.
    pub(in crate::app) fn first_error(&self) -> Option<CheckAlert> {
        let found = self.reported_findings()?;
        let is_reported = self.outcome_sentence().is_some();
        let (idx, finding) = found
            .iter()
            .enumerate()
            .filter(|(_, finding)| is_error(finding))
            .filter(|(_, finding)| finding.tool == Tool::Racecheck || !is_reported)
            .filter_map(|error| Some((rank(error.1.tool)?, error)))
            .min_by_key(|(rank, _)| *rank)?
            .1;
        let num = found.iter().filter(|finding| is_error(finding)).count();
        // IDs do not depend on what is known of the launch.
        let id = match self.checks_state(self.active_side())? {
            SideState::Done(report) => *ids(&report.findings).get(idx)?,
            _ => return None,
        };
        let site = finding.sites.first();
        let cycle = site.map_or(0, |site| site.cycle.0);
        let line = site.map_or(0, |site| site.span.line);
        let place = if line > 0 {
            files::line_text(&self.side().text, line)
        } else {
            format!("cycle {}", thousands(cycle))
        };
        Some(CheckAlert {
            id,
            tool: finding.tool,
            message: finding.message.trim_end_matches('.').to_owned(),
            advice: finding.advice.clone(),
            button: format!("Go to {place}"),
            others: num - 1,
        })
    }

    /// Closes the alert of the active run.
    pub(super) fn dismiss_alert(&mut self) {
        self.checks.dismissed = self.side().derived.run_link();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{CheckChoice, Event, update};

    /// A session as the page has it, with its runs and their checks done.
    fn checked(link: &str) -> Session {
        let mut session = Session::new();
        session.check_in_background();
        update(&mut session, Event::Open(link.to_owned()));
        while session.work(100_000) {}
        session
    }

    #[test]
    fn a_race_is_reported_in_every_view_without_a_request() {
        let session = checked("v1;kernel=mistake-race;view=sm");
        let alert = session.check_alert().unwrap();
        assert_eq!(alert.tool, Tool::Racecheck);
        assert!(alert.message.starts_with("Race reported"), "{alert:?}");
        assert!(alert.button.starts_with("Go to line "), "{alert:?}");
        let badge = session.check_badge().unwrap();
        assert_eq!(badge.text, session.num_check_errors().to_string());
        assert_eq!(alert.others + 1, session.num_check_errors());
    }

    #[test]
    fn a_race_is_the_first_finding() {
        let session = checked("v1;kernel=mistake-race;view=findings");
        let sentence = session.sentence_of_picture();
        assert!(sentence.contains(" Race reported"), "{sentence}");
        let unchecked = crate::app::golden::opened("v1;kernel=mistake-race;view=findings");
        assert_eq!(
            session.num_findings(),
            unchecked
                .num_findings()
                .map(|num| num + session.num_check_errors())
        );
    }

    #[test]
    fn the_place_is_shown_in_the_view_that_is_open() {
        let mut session = checked("v1;kernel=mistake-race;view=timeline");
        let alert = session.check_alert().unwrap();
        update(&mut session, Event::Check(CheckChoice::Show(alert.id)));
        assert_eq!(session.active_view(), View::Timeline);
        assert!(session.cycle() > 0);
        let line = session.ui.state.line.unwrap();
        assert_eq!(alert.button, format!("Go to line {line}"));
    }

    #[test]
    fn a_barrier_that_not_all_reach_is_reported() {
        let session = checked("v1;kernel=barrier-some;view=sm");
        let is_reported = session.check_alert().is_some() || session.outcome_sentence().is_some();
        assert!(is_reported);
        assert_eq!(session.check_badge().unwrap().text, "1");
    }

    #[test]
    fn a_closed_alert_stays_closed_until_the_next_run() {
        let mut session = checked("v1;kernel=mistake-race;view=sm");
        update(&mut session, Event::Check(CheckChoice::Dismiss));
        assert_eq!(session.check_alert(), None);
        // The badge stays.
        assert!(session.check_badge().is_some());
        update(&mut session, Event::Arch(engine::arch::ArchId::Gp100));
        while session.work(100_000) {}
        assert!(session.check_alert().is_some());
    }

    #[test]
    fn a_correct_kernel_and_a_lesson_have_no_alert() {
        let session = checked("v1;kernel=matmul-tiled;view=sm");
        assert_eq!((session.check_badge(), session.check_alert()), (None, None));
        assert!(session.checks_state(0).is_some());
        // Without the page, nothing is checked unless the reader opens the view.
        let mut session = Session::new();
        update(
            &mut session,
            Event::Open("v1;kernel=mistake-race;view=sm".to_owned()),
        );
        while session.work(100_000) {}
        assert!(session.checks_state(0).is_none());
    }

    #[test]
    fn the_checks_wait_for_the_end_of_the_run() {
        let mut session = Session::new();
        session.check_in_background();
        update(
            &mut session,
            Event::Open("v1;kernel=mistake-race;view=sm".to_owned()),
        );
        assert!(session.derived().is_running());
        assert!(session.checks.runs.jobs().next().is_none());
    }
}
