//! What follows from a scenario, kept by its inputs: the program, the run, its trace.

use super::Session;
use super::code::LineNote;
use crate::arch::Occupancy;
use crate::ids::Span;
use crate::scene::TimelineScale;
use crate::share::{self, Scenario};

/// Something the user must mend: a sentence about a place in the source, or about the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the source, if it is about the source.
    pub span: Option<Span>,
    /// The sentence.
    pub message: String,
    /// Whether it keeps the kernel from running.
    pub fatal: bool,
}

/// The program and the run of the scenario that was last followed.
#[derive(Debug, Default)]
pub struct Derived {
    scenario: Option<Scenario>,
    /// What is wrong with the source or the launch.
    pub problems: Vec<Problem>,
}

/// Reads a link: a scenario, and sentences about what of it could not be taken.
pub(super) fn read_link(link: &str) -> (Scenario, Vec<String>) {
    let decoded = share::decode(link);
    let warnings = decoded.warnings.iter().map(ToString::to_string).collect();
    (decoded.scenario, warnings)
}

impl Derived {
    /// Compiles and starts the run again, as far as the scenario asks for it.
    pub fn follow(&mut self, scenario: &Scenario) {
        self.scenario = Some(scenario.clone());
    }

    /// Simulates up to `cycles` more cycles. Returns whether there is more to do.
    pub fn advance(&mut self, _cycles: u64) -> bool {
        false
    }

    /// Whether the run is not at its end yet.
    pub fn is_running(&self) -> bool {
        false
    }

    /// Cycles that are known.
    pub fn num_cycles(&self) -> u64 {
        0
    }

    /// The slot `step` places after `slot`, in the order in which the views list them.
    pub fn slot_beside(&self, slot: u16, _step: i32) -> u16 {
        slot
    }

    /// How the launch fills an SM.
    pub fn occupancy(&self) -> Option<Occupancy> {
        None
    }

    /// `W07`: the warp in a slot.
    pub fn warp_name(&self, _slot: u16, _cycle: u64) -> Option<String> {
        None
    }

    /// Whether the kernel has an `extern __shared__` array.
    pub fn uses_dynamic_shared(&self) -> bool {
        false
    }

    /// Source line of an instruction.
    pub fn line_of(&self, _pc: u32) -> Option<u32> {
        None
    }

    /// Where cycles lie in the Timeline, and the cycles of the run.
    pub fn timeline_scale(&self, _session: &Session) -> Option<(TimelineScale, u64)> {
        None
    }

    /// The source with the rows of the shared array that is looked at made longer.
    pub fn padded(&self, _session: &Session, _words: u8) -> Option<String> {
        None
    }

    /// The next cycle after `cycle` in which something issues.
    pub fn next_issue(&self, _cycle: u64) -> Option<u64> {
        None
    }

    /// The next cycle after `cycle` in which a scheduler with warps issues nothing.
    pub fn next_stall(&self, _cycle: u64) -> Option<u64> {
        None
    }

    /// The next cycle after `cycle` in which a slot changes.
    pub fn next_of_warp(&self, _cycle: u64, _slot: u16) -> Option<u64> {
        None
    }

    /// Marks of the source's lines, from the first.
    pub fn line_notes(&self, _session: &Session) -> Vec<LineNote> {
        Vec::new()
    }

    /// The sentence over the picture.
    pub fn headline(&self, _session: &Session) -> String {
        String::new()
    }

    /// The table of the picture, as comma-separated values.
    pub fn csv(&self, _session: &Session) -> String {
        String::new()
    }
}
