//! The shown cycle, and its playback.

use crate::scene::counted;

/// The direction of playback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end.
    Forward,
    /// Towards the start.
    Backward,
}

/// Seconds in which [`Speed::Auto`] plays a whole run, if the run has enough cycles.
const AUTO_SECONDS: f64 = 30.0;
/// How many times faster [`Speed::Auto`] plays while nothing issues.
const QUIET: f64 = 4.0;

/// How [`Speed::Auto`] plays a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// At the speed's own rate.
    Own,
    /// Faster, because nothing happens.
    Quiet,
    /// At [`Speed::CLASS`], so that each cycle can be seen.
    Class,
}

impl Pace {
    /// Faster if nothing issues in the next `quiet` cycles.
    pub(super) fn or_quiet(self, playback: &Playback, quiet: u64, last: u64) -> Self {
        if playback.haste(quiet, last) > 1.0 {
            Self::Quiet
        } else {
            self
        }
    }

    /// How many times faster than its rate the playback moves.
    pub(super) fn factor(self, speed: Speed, last: u64) -> f64 {
        match self {
            Self::Own => 1.0,
            Self::Quiet => QUIET,
            Self::Class => f64::from(Speed::CLASS.cycles_per_second()) / speed.rate(last),
        }
    }
}

/// Cycles per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// The whole run in about half a minute, but at least 8; faster while nothing issues, and slower at a moment of the run.
    #[default]
    Auto,
    /// 1.
    One,
    /// 2: the pace of a class. A person can say what each cycle shows.
    Two,
    /// 8: the highest speed at which single cycles are visible.
    Eight,
    /// 60: one per frame.
    Sixty,
    /// 1,000.
    Thousand,
    /// 10,000.
    Max,
}

impl Speed {
    /// The pace of a class. Assumption: half a second is long enough to see what a cycle shows, and short enough to wait for.
    pub const CLASS: Self = Self::Two;

    /// All speeds, slowest first.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::One,
        Self::Two,
        Self::Eight,
        Self::Sixty,
        Self::Thousand,
        Self::Max,
    ];

    /// The label of its button.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::One => "1",
            Self::Two => "2",
            Self::Eight => "8",
            Self::Sixty => "60",
            Self::Thousand => "1k",
            Self::Max => "max",
        }
    }

    /// The speed of this many cycles per second, or the default speed if there is none.
    pub fn of(cycles_per_second: u32) -> Self {
        let same = |speed: &Self| speed.cycles_per_second() == cycles_per_second;
        Self::ALL.into_iter().find(same).unwrap_or_default()
    }

    /// What the speed means, in words.
    pub fn description(self) -> String {
        match self {
            Self::Auto => "the whole run in half a minute, slower at its moments".to_owned(),
            Self::Max => "10,000 cycles per second".to_owned(),
            speed => format!(
                "{} per second",
                counted(speed.cycles_per_second().into(), "cycle")
            ),
        }
    }

    /// The speed after this one; after the highest, the first.
    #[must_use]
    pub fn next(self) -> Self {
        let idx = Self::ALL.iter().position(|speed| *speed == self).unwrap_or(0);
        Self::ALL[(idx + 1) % Self::ALL.len()]
    }

    /// The fixed speed above this one, or below it for a negative `step`, at this many cycles a second now. The fastest and
    /// the slowest speed stay.
    #[must_use]
    pub fn beside(self, step: i32, now: f64) -> Self {
        let fixed = || Self::ALL.into_iter().skip(1);
        let rate = |speed: &Self| f64::from(speed.cycles_per_second());
        let found = if step < 0 {
            fixed().rev().find(|speed| rate(speed) < now)
        } else {
            fixed().find(|speed| rate(speed) > now)
        };
        let end = if step < 0 { Self::One } else { Self::Max };
        found.unwrap_or(end)
    }

    /// Cycles a second in a run with this last cycle.
    pub(super) fn rate(self, last: u64) -> f64 {
        match self {
            Self::Auto => (last as f64 / AUTO_SECONDS).max(f64::from(Self::Eight.cycles_per_second())),
            speed => f64::from(speed.cycles_per_second()),
        }
    }

    /// Cycles a second; 0 for [`Speed::Auto`], whose rate depends on the run.
    pub const fn cycles_per_second(self) -> u32 {
        match self {
            Self::Auto => 0,
            Self::One => 1,
            Self::Two => 2,
            Self::Eight => 8,
            Self::Sixty => 60,
            Self::Thousand => 1_000,
            Self::Max => 10_000,
        }
    }
}

/// The shown cycle, and its movement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playback {
    /// The shown cycle; in a comparison, the position of the common clock.
    pub position: u64,
    /// The direction of playback, if it plays.
    pub playing: Option<Direction>,
    /// The speed.
    pub speed: Speed,
    /// The fraction of a cycle since the last move.
    owed: f64,
    /// Cycles of the last move.
    stride: u64,
}

impl Playback {
    /// Starts playback. Forward playback at the end restarts at the first cycle, and backward at the start at the last.
    pub fn play(&mut self, direction: Direction, last: u64, complete: bool) {
        match direction {
            Direction::Forward if complete && self.position >= last => self.position = 0,
            Direction::Backward if self.position == 0 => self.position = last,
            _ => {}
        }
        self.playing = Some(direction);
        self.owed = 0.0;
        self.stride = 1;
    }

    /// Pauses.
    pub fn pause(&mut self) {
        self.playing = None;
        self.stride = 1;
    }

    /// Advances by the elapsed time. `last` is the last known cycle; unless the run is `complete`, playback waits there
    /// for more cycles. Returns whether the cycle changed.
    pub fn tick(&mut self, elapsed_ms: f64, last: u64, complete: bool) -> bool {
        let Some(direction) = self.playing else {
            return false;
        };
        // After a long pause of the page (another tab, a closed lid), playback does not catch up.
        self.owed += elapsed_ms.clamp(0.0, 250.0) * self.speed.rate(last) / 1000.0;
        let whole = self.owed.floor();
        if whole < 1.0 {
            return false;
        }
        self.owed -= whole;
        self.stride = whole as u64;
        let before = self.position;
        match direction {
            // Playback waits for cycles that are not simulated yet.
            Direction::Forward if self.position > last && !complete => {}
            Direction::Forward => {
                self.position = (self.position + self.stride).min(last);
                if self.position == last && complete {
                    self.pause();
                }
            }
            Direction::Backward => {
                self.position = self.position.saturating_sub(self.stride);
                if self.position == 0 {
                    self.pause();
                }
            }
        }
        self.position != before
    }

    /// Goes no further than `stop`, and starts to count again there: a cycle at another pace has its whole time.
    pub(super) fn stop_at(&mut self, stop: Option<u64>) {
        if let Some(stop) = stop.filter(|stop| self.position >= *stop) {
            self.position = stop;
            self.owed = 0.0;
        }
    }

    /// How many times faster than its rate playback moves, if nothing issues in the next `quiet` cycles.
    pub fn haste(&self, quiet: u64, last: u64) -> f64 {
        // At least a quarter of a second without an issue.
        if self.speed == Speed::Auto && quiet as f64 > self.speed.rate(last) / 4.0 {
            QUIET
        } else {
            1.0
        }
    }

    /// Moves to a position, at most `last`, and pauses.
    pub fn seek(&mut self, cycle: u64, last: u64) {
        self.position = cycle.min(last);
        self.pause();
    }

    /// During playback, the number of cycles per painted frame.
    pub const fn stride(&self) -> u64 {
        if self.stride == 0 { 1 } else { self.stride }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_plays_in_half_a_minute_whatever_its_length() {
        for last in [600, 30_000, 3_000_000] {
            let mut playback = Playback::default();
            playback.play(Direction::Forward, last, true);
            let mut frames = 0;
            while playback.playing.is_some() {
                playback.tick(1000.0 / 60.0, last, true);
                frames += 1;
            }
            assert!(
                (1_795..=1_805).contains(&frames),
                "{last} cycles take {frames} frames"
            );
        }
        // Short runs play at the speed at which single cycles are visible.
        let mut playback = Playback::default();
        playback.play(Direction::Forward, 20, true);
        assert!(!playback.tick(124.0, 20, true));
        assert!(playback.tick(2.0, 20, true));
    }

    #[test]
    fn playback_hurries_while_nothing_issues() {
        let mut playback = Playback::default();
        playback.play(Direction::Forward, 3_000, true);
        assert_eq!(
            (playback.haste(10, 3_000), playback.haste(400, 3_000)),
            (1.0, QUIET)
        );
        playback.speed = Speed::Eight;
        assert_eq!(playback.haste(400, 3_000), 1.0);
    }

    #[test]
    fn eight_a_second_moves_one_cycle_in_125_ms() {
        let mut playback = Playback {
            speed: Speed::Eight,
            ..Playback::default()
        };
        playback.play(Direction::Forward, 100, true);
        assert!(!playback.tick(124.0, 100, true));
        assert!(playback.tick(1.0, 100, true));
        assert_eq!(playback.position, 1);
    }

    #[test]
    fn play_stops_at_the_end_of_a_complete_run_and_waits_in_an_unfinished_one() {
        let mut playback = Playback {
            speed: Speed::Max,
            ..Playback::default()
        };
        playback.play(Direction::Forward, 10, false);
        playback.tick(100.0, 10, false);
        assert_eq!(
            (playback.position, playback.playing),
            (10, Some(Direction::Forward))
        );
        playback.tick(1.0, 10, true);
        assert_eq!(playback.playing, None);
    }

    #[test]
    fn playing_again_at_the_end_starts_over() {
        let mut playback = Playback {
            position: 10,
            ..Playback::default()
        };
        playback.play(Direction::Forward, 10, true);
        assert_eq!(playback.position, 0);
    }

    #[test]
    fn backward_play_ends_at_the_first_cycle() {
        let mut playback = Playback {
            position: 3,
            speed: Speed::Sixty,
            ..Playback::default()
        };
        playback.play(Direction::Backward, 10, true);
        playback.tick(100.0, 10, true);
        assert_eq!((playback.position, playback.playing), (0, None));
    }

    #[test]
    fn playback_does_not_catch_up_after_a_long_pause() {
        let mut playback = Playback {
            speed: Speed::Thousand,
            ..Playback::default()
        };
        playback.play(Direction::Forward, 1_000_000, true);
        playback.tick(3_600_000.0, 1_000_000, true);
        assert_eq!(playback.position, 250);
    }
}
