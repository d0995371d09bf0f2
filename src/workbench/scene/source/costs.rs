//! The costs of lines and instructions over the run, and the lines and instructions that issue now.

use std::collections::BTreeSet;

use crate::blame::Blame;
use engine::ids::{Pc, SlotIdx};
use engine::sim::{RequestKind, WarpState};
use engine::trace::{Frame, PcTally, StateCycles};

/// Sums over a run by line and by instruction, and the issues at a cycle.
pub(in crate::scene) struct Costs<'t> {
    /// Sums of each source line, by number; index 0 is for instructions without a line.
    pub(in crate::scene) lines: Vec<PcTally>,
    /// Sums of each instruction.
    pub(in crate::scene) pcs: &'t [PcTally],
    /// Source line of each instruction; 0 if it has none.
    pub(in crate::scene) line_of: Vec<u32>,
    /// Instructions that issue in this cycle.
    pub(in crate::scene) issuing: BTreeSet<u32>,
    /// The selected warp's instruction.
    pub(in crate::scene) current: Option<u32>,
    /// Warp cycles of the run.
    pub(in crate::scene) total: u64,
    /// Warp cycles by the instruction that is charged for them.
    blame: Blame,
}

impl<'t> Costs<'t> {
    pub(in crate::scene) fn new(frame: &Frame<'t>, slot: Option<SlotIdx>) -> Self {
        let record = frame.record();
        let code = &frame.trace().program().code;
        let line_of: Vec<u32> = code.iter().map(|instruction| instruction.span.line).collect();
        let num_lines = line_of.iter().max().map_or(0, |line| *line as usize) + 1;
        let mut lines = vec![PcTally::default(); num_lines];
        for (line, tally) in line_of.iter().zip(record.tallies()) {
            lines[*line as usize].merge(tally);
        }
        let total = lines.iter().map(cycles).sum();
        let current = slot.and_then(|slot| frame.run(slot));
        Self {
            lines,
            pcs: record.tallies(),
            line_of,
            issuing: record.issues_at(frame.cycle()).map(|row| row.pc.0).collect(),
            current: current
                .filter(|run| run.state != WarpState::Empty)
                .map(|run| run.pc.0),
            total,
            blame: Blame::of(frame.trace()),
        }
    }

    /// The warp cycles that instructions are charged for, by state: as the findings count them.
    pub(in crate::scene) fn charged(&self, pcs: impl Iterator<Item = u32>) -> StateCycles {
        self.blame.sum(pcs.map(|pc| pc as usize))
    }

    /// Source line of an instruction; 0 if it has none.
    pub(in crate::scene) fn line(&self, pc: u32) -> u32 {
        self.line_of.get(pc as usize).copied().unwrap_or(0)
    }

    /// The instructions of a line, in program order.
    pub(in crate::scene) fn pcs_of(&self, line: u32) -> Vec<Pc> {
        let all = self.line_of.iter().enumerate();
        all.filter(|(_, of)| **of == line)
            .map(|(pc, _)| Pc(pc as u32))
            .collect()
    }

    /// Sums of a line.
    pub(in crate::scene) fn of_line(&self, line: u32) -> PcTally {
        self.lines.get(line as usize).cloned().unwrap_or_default()
    }

    /// Lines that issue in this cycle.
    pub(in crate::scene) fn lines_issuing(&self) -> BTreeSet<u32> {
        self.issuing.iter().map(|pc| self.line(*pc)).collect()
    }

    /// The selected warp's source line.
    pub(in crate::scene) fn current_line(&self) -> Option<u32> {
        self.current.map(|pc| self.line(pc))
    }
}

/// Warp cycles.
pub(in crate::scene) fn cycles(tally: &PcTally) -> u64 {
    tally.states.iter().sum()
}

/// The state with the most cycles among the states without an issue; `None` if there are no such cycles.
pub(in crate::scene) fn largest_wait(states: &StateCycles) -> Option<WarpState> {
    let waits = WarpState::ALL[2..].iter().rev();
    let largest = waits.max_by_key(|state| states[**state as usize])?;
    (states[*largest as usize] > 0).then_some(*largest)
}

/// Sums over shared memory: accesses, wavefronts, and wavefronts beyond the ideal number.
pub(in crate::scene) fn wavefronts(tally: &PcTally) -> (u64, u64, u64) {
    let mut sums = (0, 0, 0);
    for (_, access) in tally.accesses.iter().filter(|(kind, _)| kind.is_shared()) {
        sums.0 += access.accesses;
        sums.1 += access.wavefronts;
        sums.2 += access.wavefronts.saturating_sub(access.ideal_wavefronts);
    }
    sums
}

/// Sums over global and local memory: requests, sectors, and requested bytes.
pub(in crate::scene) fn sectors(tally: &PcTally) -> (u64, u64, u64) {
    let mut sums = (0, 0, 0);
    let through_l1 = |kind: RequestKind| !kind.is_shared() && kind != RequestKind::ConstantLoad;
    for (_, access) in tally.accesses.iter().filter(|(kind, _)| through_l1(*kind)) {
        sums.0 += access.requests;
        sums.1 += access.sectors;
        sums.2 += access.asked_bytes;
    }
    sums
}

/// A mean with one decimal; empty without values.
pub(in crate::scene) fn mean(sum: u64, num: u64) -> String {
    if num == 0 {
        String::new()
    } else {
        format!("{:.1}", sum as f64 / num as f64)
    }
}
