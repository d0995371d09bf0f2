//! How far a run is that takes a while, in words, and what became of one that did not come to its end.

use super::{Derived, Session};
use crate::scene::{counted, thousands};

/// What goes on with a run that is not at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It is being simulated.
    Running,
    /// The user holds it where it is.
    Held,
    /// Whoever simulated it is gone.
    Lost,
}

/// How far a run is that is not at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct RunProgress {
    /// Its number.
    pub number: u64,
    /// What goes on with it.
    pub state: RunState,
    /// The sentence.
    pub sentence: String,
    /// Blocks of the grid: `12 of 64 blocks`.
    pub blocks: String,
    /// Warp instructions a second, while it is simulated and that is known.
    pub speed: Option<String>,
    /// Finished blocks among all, as a share, if there are enough of them to tell.
    pub share: Option<f32>,
}

/// A grid of fewer blocks says nothing of how far its run is.
const BLOCKS_TO_TELL: u64 = 4;
/// Milliseconds of simulating before its speed is told.
const SPEED_MS: f64 = 50.0;

impl Session {
    /// How far the run is that is not at its end; of several, one that needs attention first.
    pub fn run_progress(&self) -> Option<RunProgress> {
        let all = self.derived_all().filter_map(progress_of);
        all.min_by_key(|progress| match progress.state {
            RunState::Lost => 0,
            RunState::Held => 1,
            RunState::Running => 2,
        })
    }

    /// What is said when a run is stopped or goes on.
    pub(super) fn run_sentence(&self) -> String {
        match self.run_progress() {
            Some(progress) => format!("{} {}", progress.sentence, progress.blocks),
            None => "The run is at its end.".to_owned(),
        }
    }
}

fn progress_of(derived: &Derived) -> Option<RunProgress> {
    let (number, report) = derived.wanted()?;
    let shown = if derived.shows_wanted() {
        derived.num_cycles()
    } else {
        0
    };
    let (state, sentence) = if let Some(why) = derived.loss() {
        (RunState::Lost, loss_sentence(why, shown))
    } else if report.finished {
        return None;
    } else if derived.is_held() {
        let cycle = thousands(shown.saturating_sub(1));
        (RunState::Held, format!("The run was stopped at cycle {cycle}."))
    } else {
        let sentence = format!("Simulating, {} so far", counted(report.cycles, "cycle"));
        (RunState::Running, sentence)
    };
    let (done, all) = derived.blocks_done();
    let speed = (state == RunState::Running && report.busy_ms >= SPEED_MS).then(|| {
        // In whole tenths: which parts of a float's formatting a speed needs is not known ahead.
        let tenths = (report.issues as f64 / report.busy_ms / 100.0).round() as u64;
        format!(
            "{}.{} million warp instructions a second",
            tenths / 10,
            tenths % 10
        )
    });
    Some(RunProgress {
        number,
        state,
        sentence,
        blocks: format!("{} of {}", thousands(done), counted(all, "block")),
        speed,
        share: (all >= BLOCKS_TO_TELL).then(|| done as f32 / all as f32),
    })
}

fn loss_sentence(why: &str, shown: u64) -> String {
    let why = why.trim_end_matches('.');
    let kept = match shown {
        0 => "Nothing of it was simulated".to_owned(),
        cycles => format!("It can be played up to cycle {}", thousands(cycles - 1)),
    };
    format!("{why}. {kept}. Make the grid smaller, or close other pages, and try again.")
}
