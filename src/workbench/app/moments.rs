//! The moments of a run: the first bank conflict, the first cache miss, the first barrier, and other events. A reader
//! looks for one of them. They are listed, and `auto` plays slowly at them.

use super::playback::Pace;
use super::{Direction, Session, Speed};
use crate::scene::thousands;
use crate::share::Present;
use engine::ids::Cycle;
use engine::sim::Outcome;
use engine::trace::find::{Found, Query, Search, What};
use engine::trace::{self, AccessFamily, Trace};

/// The name of the first bank conflict.
const FIRST_CONFLICT: &str = "First bank conflict";

/// The kinds of moments with their names. Assumption: what the views and the lessons explain.
const KINDS: [(What, &str); 6] = [
    (What::Miss { of_l2: false }, "First cache miss"),
    (What::Conflict(1), FIRST_CONFLICT),
    (What::Release, "First barrier"),
    (What::Divergence, "First divergence"),
    (What::Reconvergence, "First reconvergence"),
    (What::Fault, "Fault"),
];

/// Cycles before a moment, and from it on, that `auto` plays slowly. Assumption: one cycle shows the state before it, and
/// eight show the first wavefronts of a conflict.
const SLOW: (u64, u64) = (1, 8);

/// A moment of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its name: `First bank conflict`.
    pub name: &'static str,
    /// Its place.
    pub found: Found,
}

impl Moment {
    /// `First bank conflict · 1,284`: the name and the cycle.
    pub fn text(&self) -> String {
        format!("{} · {}", self.name, thousands(self.found.cycle.0))
    }

    /// The cycles that `auto` plays slowly.
    fn slow(&self) -> std::ops::Range<u64> {
        let cycle = self.found.cycle.0;
        cycle.saturating_sub(SLOW.0)..cycle + SLOW.1
    }
}

/// The moments of the active run, and the searches for them.
#[derive(Debug, Default)]
pub(super) struct Moments {
    /// The run.
    of: Option<u64>,
    /// The kinds that are still searched, last first.
    left: Vec<(Search, &'static str)>,
    /// What is found, in order of time.
    found: Vec<Moment>,
}

impl Session {
    /// The moments of the run, in order of time; empty until they are found, and while a lesson hides the run.
    pub fn moments(&self) -> &[Moment] {
        let is_known = self.moments.of == Some(self.derived().run_number()) && !self.is_hiding();
        if is_known { &self.moments.found } else { &[] }
    }

    /// The first bank conflict of the run, once it is found.
    #[cfg(test)]
    pub(super) fn first_conflict(&self) -> Option<Found> {
        let moment = self.moments().iter().find(|moment| moment.name == FIRST_CONFLICT);
        moment.map(|moment| moment.found)
    }

    /// The number of the run whose moments are not all found.
    fn wanted_moments(&self) -> Option<u64> {
        let derived = self.derived();
        let number = derived.run_number();
        let has_ended = derived.trace().is_some_and(|trace| trace.outcome().is_some());
        let is_known = self.moments.of == Some(number) && self.moments.left.is_empty();
        (has_ended && !is_known && derived.shows_requested() && !self.is_comparing()).then_some(number)
    }

    /// Whether the moments of the run are not all found.
    pub fn seeks_moments(&self) -> bool {
        self.wanted_moments().is_some()
    }

    /// Continues the search for the moments by one step. Returns whether there is more to search.
    pub(super) fn seek_moments(&mut self, trace: &Trace) -> bool {
        let Some(number) = self.wanted_moments() else {
            return false;
        };
        if self.moments.of != Some(number) {
            let search =
                |what| Search::nearest(Query { what, warp: None }, Cycle(0), trace::Direction::Forward);
            let has_fault = matches!(trace.outcome(), Some(Outcome::Fault(_)));
            let kinds = KINDS.into_iter().rev();
            self.moments = Moments {
                of: Some(number),
                left: kinds
                    .filter(|(what, _)| *what != What::Fault || has_fault)
                    .map(|(what, name)| (search(what), name))
                    .collect(),
                found: Vec::new(),
            };
        }
        let Some((search, name)) = self.moments.left.last_mut() else {
            return false;
        };
        if search.step(trace) {
            return true;
        }
        let name = *name;
        let found = search.found.first().copied();
        self.moments.left.pop();
        self.moments
            .found
            .extend(found.map(|found| Moment { name, found }));
        self.moments.found.sort_by_key(|moment| moment.found.cycle);
        !self.moments.left.is_empty()
    }

    /// The moment around the shown cycle.
    fn moment_now(&self) -> Option<&Moment> {
        let cycle = self.cycle();
        self.moments()
            .iter()
            .find(|moment| moment.slow().contains(&cycle))
    }

    /// The moment after the shown cycle; after the last one, the first.
    pub(super) fn next_moment(&self) -> Option<Moment> {
        let (moments, cycle) = (self.moments(), self.cycle());
        let next = moments.iter().find(|moment| moment.found.cycle.0 > cycle);
        next.or(moments.first()).copied()
    }

    /// Whether `auto` plays forward.
    fn plays_auto(&self) -> bool {
        let forward = self.playback.playing == Some(Direction::Forward);
        forward && self.playback.speed == Speed::Auto && !self.is_comparing()
    }

    /// Whether the picture shows an audience what happens.
    pub(super) fn is_in_class(&self) -> bool {
        self.ui.lecture.present != Present::Off
    }

    /// How `auto` plays the shown cycle.
    pub(super) fn auto_pace(&self) -> Pace {
        if !self.plays_auto() {
            return Pace::Own;
        }
        if self.moment_now().is_some() {
            return Pace::Class;
        }
        let quiet = self.quiet_cycles();
        match (self.is_in_class(), self.derived().trace()) {
            (true, Some(trace)) if is_busy(trace, self.cycle()) => Pace::Class,
            (true, Some(_)) => Pace::Quiet,
            _ => Pace::Own.or_quiet(&self.playback, quiet, self.last_cycle()),
        }
    }

    /// The cycle that `auto` does not pass in one step: the next moment, and before an audience the next issue.
    pub(super) fn stop_of_auto(&self) -> Option<u64> {
        if !self.plays_auto() {
            return None;
        }
        let cycle = self.cycle();
        let starts = self.moments().iter().map(|moment| moment.slow().start);
        let issue = self.derived().next_issue(cycle).filter(|_| self.is_in_class());
        starts.chain(issue).filter(|start| *start > cycle).min()
    }

    /// Why the run plays slowly, beside the cycle; `None` if it does not.
    pub(super) fn slowness(&self) -> Option<String> {
        if self.auto_pace() != Pace::Class {
            return None;
        }
        Some(match self.moment_now() {
            Some(moment) => format!("slowly: {}", lower(moment.name)),
            None => Speed::CLASS.description(),
        })
    }
}

/// Whether a cycle has something to see: an issue, or a wavefront of shared memory.
fn is_busy(trace: &Trace, cycle: u64) -> bool {
    let cycle = Cycle(cycle);
    if trace.issues_at(cycle).next().is_some() {
        return true;
    }
    let last = trace.access_before(AccessFamily::Shared, cycle);
    let interval = u64::from(trace.arch().memory.shared.pass_interval_cycles.value);
    last.and_then(|idx| trace.access(idx))
        .is_some_and(|row| cycle.0 < row.started.0 + u64::from(row.wavefronts) * interval)
}

/// A name within a sentence.
fn lower(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::golden::opened;
    use crate::app::{Event, Jump, update};

    fn with_moments(link: &str) -> Session {
        let mut session = opened(link);
        while session.look_on().0 {}
        session
    }

    /// Plays for some milliseconds in frames, and returns the cycles shown.
    fn played(session: &mut Session, ms: u32) -> Vec<u64> {
        let mut cycles = Vec::new();
        for _ in 0..ms * 60 / 1_000 {
            update(session, Event::Tick(1_000.0 / 60.0));
            cycles.push(session.cycle());
        }
        cycles
    }

    #[test]
    fn the_moments_are_the_first_of_each_kind() {
        let session = with_moments("v1;arch=tu102;kernel=transpose-tiled;view=sm");
        let trace = session.derived().trace().unwrap();
        let moments = session.moments();
        let conflict = moments
            .iter()
            .find(|moment| moment.name == "First bank conflict")
            .unwrap();
        let row = trace.access(conflict.found.access.unwrap()).unwrap();
        assert!(row.wavefronts > row.ideal_wavefronts);
        let earlier = trace
            .accesses_of(AccessFamily::Shared)
            .iter()
            .filter_map(|idx| trace.access(*idx))
            .filter(|row| row.started < conflict.found.cycle);
        assert!(
            earlier
                .into_iter()
                .all(|row| row.wavefronts <= row.ideal_wavefronts)
        );
        let barrier = moments
            .iter()
            .find(|moment| moment.name == "First barrier")
            .unwrap();
        assert_eq!(barrier.found.cycle, trace.barrier_releases()[0].cycle);
        assert!(moments.is_sorted_by_key(|moment| moment.found.cycle));
        // A kernel without shared memory has neither.
        let other = with_moments("v1;arch=tu102;kernel=vector-add;view=sm");
        let names: Vec<&str> = other.moments().iter().map(|moment| moment.name).collect();
        assert_eq!(names, ["First cache miss"]);
    }

    #[test]
    fn a_moment_of_the_list_is_shown_and_the_key_goes_from_one_to_the_next() {
        let mut session = with_moments("v1;arch=tu102;kernel=transpose-tiled;view=sm;cycle=5");
        let moments = session.moments().to_vec();
        for (idx, moment) in moments.iter().enumerate() {
            update(&mut session, Event::Jump(Jump::Moment(idx)));
            assert_eq!(session.cycle(), moment.found.cycle.0);
        }
        update(&mut session, Event::Jump(Jump::NextMoment));
        assert_eq!(session.cycle(), moments[0].found.cycle.0);
    }

    #[test]
    fn a_search_that_goes_on_is_not_a_run_without_moments() {
        let mut session = opened("v1;arch=tu102;kernel=transpose-tiled;view=sm");
        assert!(session.seeks_moments());
        update(&mut session, Event::Jump(Jump::NextMoment));
        let said = session.ui.toast.as_deref();
        assert_eq!(said, Some("The moments of this run are not found yet."));
    }

    #[test]
    fn auto_slows_down_at_a_moment_and_says_so() {
        let mut session = with_moments("v1;arch=tu102;kernel=transpose-tiled;view=sm");
        let conflict = session
            .moments()
            .iter()
            .find(|moment| moment.name == "First bank conflict")
            .unwrap()
            .found
            .cycle
            .0;
        update(&mut session, Event::Seek(conflict - 5));
        update(&mut session, Event::PlayPause);
        let cycles = played(&mut session, 3_000);
        // No frame jumps over the conflict, and each of its cycles stays for half a second.
        assert!(cycles.contains(&conflict), "{cycles:?}");
        let frames = cycles.iter().filter(|cycle| **cycle == conflict).count();
        assert!((25..=35).contains(&frames), "{frames}");
        let note = session.clock_note();
        assert!(note.ends_with("slowly: first bank conflict"), "{note}");
        // After the moment it plays as before.
        played(&mut session, 8_000);
        assert!(session.cycle() > conflict + 100, "{}", session.cycle());
        assert!(!session.clock_note().contains("slowly"));
    }

    #[test]
    fn before_an_audience_each_issue_stays_for_half_a_second() {
        let mut session = with_moments("v1;arch=tu102;kernel=transpose-tiled;view=sm;cycle=20;present=on");
        let first = session.derived().next_issue(20).unwrap();
        update(&mut session, Event::PlayPause);
        let cycles = played(&mut session, 5_000);
        let frames = cycles.iter().filter(|cycle| **cycle == first).count();
        assert!((25..=35).contains(&frames), "{first}: {cycles:?}");
        assert!(session.clock_note().contains("2 cycles per second"));
        // The keys change the pace.
        update(&mut session, Event::SpeedBy(1));
        assert_eq!(session.playback.speed, Speed::Eight);
    }

    #[test]
    fn the_keys_change_the_speed_from_what_it_is_now() {
        let mut session = with_moments("v1;arch=tu102;kernel=transpose-tiled;view=timeline");
        let mut by = |step| {
            update(&mut session, Event::SpeedBy(step));
            session.playback.speed
        };
        // `auto` plays 5,682 cycles in half a minute: 189 a second.
        assert_eq!(by(1), Speed::Thousand);
        assert_eq!(
            [by(-1), by(-1), by(-1), by(-1)],
            [Speed::Sixty, Speed::Eight, Speed::Two, Speed::One]
        );
        assert_eq!(by(-1), Speed::One);
        assert_eq!([by(1), by(1)], [Speed::Two, Speed::Eight]);
    }
}
