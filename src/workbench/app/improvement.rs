//! What a change of the kernel has brought: the cycles before and after, with a comparison one click away.

use super::edited::is_edit;
use super::{Event, Session, TOAST_MS};
use crate::scene::thousands;
use crate::share::{Compare, Scenario, Setup, encode};
use engine::launch::Launch;
use engine::sim::Outcome;

/// A run that finished.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EndedRun {
    setup: Setup,
    /// The launch, with arguments that are made for the parameters.
    launch: Launch,
    cycles: u64,
}

impl Session {
    /// Follows the end of a run: if only the kernel's source differs from the last run that finished, reports both.
    pub(super) fn follow_end(&mut self) {
        if self.is_comparing() || self.ui.lessons.open.is_some() {
            return;
        }
        let derived = self.derived();
        let has_errors = derived.problems.iter().any(|problem| problem.fatal);
        if derived.is_running() || derived.is_compiling() || has_errors || !derived.shows_requested() {
            return;
        }
        let Some(trace) = derived.trace() else { return };
        if trace.outcome() != Some(&Outcome::Finished) {
            return;
        }
        let now = EndedRun {
            cycles: trace.num_cycles(),
            setup: self.setup().clone(),
            launch: trace.launch().clone(),
        };
        if self.last_end.as_ref() == Some(&now) {
            return;
        }
        let before = self.last_end.replace(now.clone());
        let is_edit =
            |before: &EndedRun| before.launch == now.launch && differs_in_source(&before.setup, &now.setup);
        let Some(before) = before.filter(is_edit) else {
            return;
        };
        let Some(text) = change_text(before.cycles, now.cycles) else {
            return;
        };
        let compare = Scenario {
            compare: Some(Compare {
                others: vec![before.setup],
                ..Compare::default()
            }),
            ..self.link()
        };
        self.say(text);
        self.ui.offer = Some(("Compare".to_owned(), Event::Visit(encode(&compare))));
        // Time to read it, and to reach the button.
        self.toast_ms = 2.0 * TOAST_MS;
    }
}

/// Whether two setups differ in the source alone, and one source is an edit of the other: cycles of two programs are no
/// improvement of one.
fn differs_in_source(before: &Setup, now: &Setup) -> bool {
    let same = Setup {
        source: now.source.clone(),
        ..before.clone()
    };
    before.source != now.source && same == *now && is_edit(before.source(), now.source())
}

/// `5,869 to 2,054 cycles: 2.9 times faster.`; `None` if the number of cycles is the same.
fn change_text(before: u64, now: u64) -> Option<String> {
    let times = |more: u64, fewer: u64| more as f64 / fewer.max(1) as f64;
    let (ratio, word) = if now < before {
        (times(before, now), "faster")
    } else {
        (times(now, before), "slower")
    };
    let cycles = format!("{} to {} cycles", thousands(before), thousands(now));
    if before == now {
        None
    } else if ratio < 1.05 {
        Some(format!("{cycles}."))
    } else if ratio < 10.0 {
        Some(format!("{cycles}: {ratio:.1} times {word}."))
    } else {
        Some(format!("{cycles}: {ratio:.0} times {word}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::update;
    use crate::library;

    fn finish(session: &mut Session) {
        update(session, Event::Tick(1_000.0));
        while session.work(10_000) {}
    }

    #[test]
    fn a_faster_kernel_is_reported_with_a_comparison_one_click_away() {
        let mut session = Session::new();
        update(&mut session, Event::Open(String::new()));
        finish(&mut session);
        assert_eq!(session.ui.toast, None);
        let source = library::kernel("transpose-tiled").unwrap().source;
        update(
            &mut session,
            Event::Edit(source.replace("tile[TILE][TILE]", "tile[TILE][TILE + 1]")),
        );
        finish(&mut session);
        let text = session.ui.toast.clone().unwrap();
        assert!(
            text.starts_with("5,682 to ") && text.ends_with(" times faster."),
            "{text}"
        );
        let (name, event) = session.ui.offer.clone().unwrap();
        assert_eq!(name, "Compare");
        update(&mut session, event);
        while session.work(10_000) {}
        let cycles: Vec<u64> = session.sides.iter().map(|side| side.last_cycle() + 1).collect();
        assert_eq!((cycles.len(), cycles[1]), (2, 5_682));
        assert!(cycles[0] < 4_000, "{cycles:?}");
    }

    #[test]
    fn another_launch_another_kernel_and_an_error_are_no_improvement() {
        let mut session = Session::new();
        update(&mut session, Event::Open(String::new()));
        finish(&mut session);
        update(&mut session, Event::Kernel("saxpy".to_owned()));
        finish(&mut session);
        assert_eq!(session.ui.toast, None);
        update(&mut session, Event::Edit("__global__ void broken(".to_owned()));
        finish(&mut session);
        assert_eq!(session.ui.toast, None);
        // Another program in place of the first, with the same parameters.
        update(&mut session, Event::Kernel("saxpy".to_owned()));
        finish(&mut session);
        let other = "__global__ void other(const float *x, float *y, float a, int n) { y[threadIdx.x] = a; }";
        update(&mut session, Event::Edit(other.to_owned()));
        finish(&mut session);
        let toast = session.ui.toast.clone().unwrap_or_default();
        assert!(!toast.contains("cycles"), "{toast}");
    }

    #[test]
    fn the_sentence_names_both_numbers_and_their_ratio() {
        assert_eq!(
            change_text(5_869, 2_054).as_deref(),
            Some("5,869 to 2,054 cycles: 2.9 times faster.")
        );
        assert_eq!(
            change_text(100, 1_500).as_deref(),
            Some("100 to 1,500 cycles: 15 times slower.")
        );
        assert_eq!(change_text(100, 101).as_deref(), Some("100 to 101 cycles."));
        assert_eq!(change_text(7, 7), None);
    }
}
