//! The progress of an unfinished run, as text, including stopped and lost runs.

use super::{Derived, Session};
use crate::scene::{counted, thousands};

/// The state of an unfinished run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// The kernel is being compiled.
    Compiling,
    /// The user stopped the compilation.
    Uncompiled,
    /// The run is being simulated.
    Running,
    /// The user stopped the run.
    Held,
    /// The simulator failed.
    Lost,
}

/// The progress of an unfinished run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunProgress {
    /// The number of the run, or of the compilation.
    pub number: u64,
    /// The run's state.
    pub state: RunState,
    /// The sentence.
    pub sentence: String,
    /// Finished blocks of the grid: `12 of 64 blocks`. Empty before the run.
    pub blocks: String,
    /// Warp instructions per second, while a simulation has a measurable speed.
    pub speed: Option<String>,
    /// The share of finished blocks, for grids with enough blocks.
    pub share: Option<f32>,
}

/// The least number of blocks whose share shows progress.
const BLOCKS_TO_TELL: u64 = 4;
/// Milliseconds of simulation before the speed is shown.
const SPEED_MS: f64 = 50.0;

impl Session {
    /// The progress of an unfinished run; of several runs, the first that needs attention.
    pub fn run_progress(&self) -> Option<RunProgress> {
        let all = self.derived_all().filter_map(progress_of);
        all.min_by_key(|progress| match progress.state {
            RunState::Lost => 0,
            RunState::Uncompiled => 1,
            RunState::Held => 2,
            RunState::Compiling => 3,
            RunState::Running => 4,
        })
    }

    /// The message when a run is stopped or continued.
    pub(super) fn run_sentence(&self) -> String {
        match self.run_progress() {
            Some(progress) => format!("{} {}", progress.sentence, progress.blocks)
                .trim()
                .to_owned(),
            None => "The run has ended.".to_owned(),
        }
    }
}

/// The progress of a compilation, or of one that the user stopped.
fn compilation_of(derived: &Derived) -> Option<RunProgress> {
    let (state, sentence) = if derived.is_compiling() {
        (RunState::Compiling, "Compiling")
    } else if derived.is_compilation_stopped() {
        (RunState::Uncompiled, "The compilation was stopped.")
    } else {
        return None;
    };
    Some(RunProgress {
        number: derived.compilation_number().unwrap_or_default(),
        state,
        sentence: sentence.to_owned(),
        blocks: String::new(),
        speed: None,
        share: None,
    })
}

fn progress_of(derived: &Derived) -> Option<RunProgress> {
    // The run of the previous program is of no interest then.
    if let Some(progress) = compilation_of(derived) {
        return Some(progress);
    }
    let (number, report) = derived.requested()?;
    let shown = if derived.shows_requested() {
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
        (RunState::Held, format!("The run stopped at cycle {cycle}."))
    } else {
        let sentence = format!("Simulating, {} so far", counted(report.cycles, "cycle"));
        (RunState::Running, sentence)
    };
    let (done, all) = derived.blocks_done();
    let speed = (state == RunState::Running && report.busy_ms >= SPEED_MS).then(|| {
        // Formatted from whole tenths, which keeps the formatting of floating-point numbers out of the page's first
        // part.
        let tenths = (report.issues as f64 / report.busy_ms / 100.0).round() as u64;
        format!(
            "{}.{} million warp instructions per second",
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
        0 => "No cycle was simulated".to_owned(),
        cycles => format!("The run is available up to cycle {}", thousands(cycles - 1)),
    };
    format!("{why}. {kept}. Use a smaller grid or close other tabs, then try again.")
}
