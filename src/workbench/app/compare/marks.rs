//! Differences of a side from the reference at the same position: warps in other states, schedulers that issue other
//! instructions, and source lines with other activity.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::Session;
use crate::scene::{Mark, Marks};
use crate::share::View;
use engine::ids::{Cycle, SlotIdx};
use engine::isa::Program;
use engine::sim::WarpState;
use engine::trace::{IssueRow, Trace};

/// Limit of differences that a pane names.
const NAMED: usize = 3;

/// A side at its cycle.
type Place<'t> = (&'t Trace, Cycle);

/// The activity at a source line in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineActivity {
    /// Whether a warp issues an instruction of the line.
    pub issues: bool,
    /// The most frequent state of the line's other warps.
    pub most: Option<WarpState>,
}

impl LineActivity {
    fn is_like(self, other: Self) -> bool {
        let mark = |activity: Self| activity.most.map(Mark::of);
        self.issues == other.issues && mark(self) == mark(other)
    }

    fn words(self) -> String {
        match (self.issues, self.most) {
            (true, None) => "issues".to_owned(),
            (true, Some(state)) => format!("issues, others in {}", state.name()),
            (false, Some(state)) => state.name().to_owned(),
            (false, None) => "no warp".to_owned(),
        }
    }
}

impl Session {
    /// A side and the reference, each at its cycle; `None` if differences are not marked.
    fn beside_reference(&self, idx: usize) -> Option<(Place<'_>, Place<'_>)> {
        let reference = self.ui.compare.reference;
        if !self.is_comparing() || !self.ui.compare.marks || idx == reference {
            return None;
        }
        let at = |idx: usize| {
            let cycle = Cycle(self.cycle_on(idx));
            self.sides[idx].derived.trace().map(|trace| (&**trace, cycle))
        };
        Some((at(idx)?, at(reference)?))
    }

    /// Warp slots whose state, by its mark, differs from the reference, with both states; none if differences are not
    /// marked.
    pub fn differences(&self, idx: usize) -> Vec<(SlotIdx, WarpState, WarpState)> {
        let Some((here, there)) = self.beside_reference(idx) else {
            return Vec::new();
        };
        let state = |(trace, cycle): Place, slot: SlotIdx| {
            let run = trace.run_at(slot, cycle);
            run.map_or(WarpState::Empty, |run| run.state)
        };
        let slots = here.0.num_slots().min(there.0.num_slots()) as u16;
        (0..slots)
            .map(SlotIdx)
            .map(|slot| (slot, state(here, slot), state(there, slot)))
            .filter(|(_, here, there)| Mark::of(*here) != Mark::of(*there))
            .collect()
    }

    /// Schedulers present on both sides that issue differently, with the issued operations and their lines. None if the
    /// sides run different source text.
    pub fn other_schedulers(&self, idx: usize) -> Vec<(u8, Issued, Issued)> {
        let Some((here, there)) = self.beside_reference(idx) else {
            return Vec::new();
        };
        let same_text = here.0.program().source == there.0.program().source;
        let num = here.0.num_schedulers().min(there.0.num_schedulers()) as u8;
        (0..num)
            .map(|scheduler| (scheduler, issued(here, scheduler), issued(there, scheduler)))
            .filter(|(_, here, there)| {
                here.len() != there.len()
                    || here.iter().zip(there).any(|((op, line), (other, at))| {
                        // Lines of different source texts are not comparable.
                        op != other || same_text && line != at
                    })
            })
            .collect()
    }

    /// Source lines whose activity differs from the reference, with both activities; none if the sides run different
    /// source text.
    pub fn other_lines(&self, idx: usize) -> Vec<(u32, LineActivity, LineActivity)> {
        let Some((here, there)) = self.beside_reference(idx) else {
            return Vec::new();
        };
        if here.0.program().source != there.0.program().source {
            return Vec::new();
        }
        let (here, there) = (lines(here), lines(there));
        let mut all: Vec<u32> = here.keys().chain(there.keys()).copied().collect();
        all.sort_unstable();
        all.dedup();
        let at =
            |lines: &BTreeMap<u32, LineActivity>, line: u32| lines.get(&line).copied().unwrap_or_default();
        all.into_iter()
            .map(|line| (line, at(&here, line), at(&there, line)))
            .filter(|(_, here, there)| !here.is_like(*there))
            .collect()
    }

    /// The marked differences of a side in a view's picture.
    pub(in crate::app) fn marks(&self, idx: usize, view: View) -> Marks {
        let mut marks = Marks::default();
        if matches!(view, View::Sm | View::Timeline | View::Stalls) {
            marks.slots = self.differences(idx).into_iter().map(|(slot, ..)| slot).collect();
        }
        if matches!(view, View::Sm | View::Timeline) {
            let schedulers = self.other_schedulers(idx);
            marks.schedulers = schedulers.into_iter().map(|(scheduler, ..)| scheduler).collect();
        }
        if view == View::Source {
            marks.lines = self.other_lines(idx).into_iter().map(|(line, ..)| line).collect();
            marks.pcs = self.pcs_at(idx, &marks.lines);
        }
        marks
    }

    /// A number that identifies a side's marks in a view: 0 without marks.
    pub(super) fn marks_number(&self, idx: usize, view: View) -> u64 {
        let marks = self.marks(idx, view);
        if marks == Marks::default() {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        marks.hash(&mut hasher);
        hasher.finish().max(1)
    }

    /// The instructions of these lines at which a side has warps now.
    fn pcs_at(&self, idx: usize, lines: &[u32]) -> Vec<u32> {
        let Some(trace) = self.sides[idx].derived.trace().filter(|_| !lines.is_empty()) else {
            return Vec::new();
        };
        let cycle = Cycle(self.cycle_on(idx));
        let mut pcs: Vec<u32> = (0..trace.num_slots() as u16)
            .filter_map(|slot| trace.run_at(SlotIdx(slot), cycle))
            .filter(|run| run.state != WarpState::Empty)
            .map(|run| run.pc.0)
            .filter(|pc| lines.contains(&line_of(trace, *pc)))
            .collect();
        pcs.sort_unstable();
        pcs.dedup();
        pcs
    }

    /// The first few differences of a side that the current view marks, as text.
    pub(super) fn elsewhere(&self, idx: usize) -> String {
        let view = self.ui.view;
        // These pictures show no warps of the run.
        let is_typed = self.typed_operation(view).is_some() || self.playground(view).is_some();
        if is_typed || matches!(view, View::Device | View::Streams) {
            return String::new();
        }
        let mut differences: Vec<(String, String, String)> = Vec::new();
        if view == View::Source {
            let lines = self.other_lines(idx).into_iter();
            differences.extend(lines.map(|(line, here, there)| {
                let name = if line == 0 {
                    "code without a line".to_owned()
                } else {
                    self.sides[idx]
                        .derived
                        .program()
                        .map_or_else(String::new, |program| program.line_text(line))
                };
                (name, here.words(), there.words())
            }));
        } else {
            if matches!(view, View::Sm | View::Timeline) {
                let schedulers = self.other_schedulers(idx).into_iter();
                differences.extend(schedulers.map(|(scheduler, here, there)| {
                    (
                        format!("scheduler {scheduler}"),
                        issued_words(&here, self.sides[idx].derived.program()),
                        issued_words(&there, self.sides[self.ui.compare.reference].derived.program()),
                    )
                }));
            }
            differences.extend(self.other_warps(idx));
        }
        let there = self.sides[self.ui.compare.reference].arch().name;
        let num = differences.len();
        let named = differences.into_iter().take(NAMED).enumerate();
        let mut words: Vec<String> = named
            .map(|(nth, (what, here, other))| match nth {
                0 => format!("{what}: {here} here, {other} on {there}"),
                _ => format!("{what}: {here} here, {other} there"),
            })
            .collect();
        if num > NAMED {
            words.push(format!("and {} more", num - NAMED));
        }
        words.join("; ")
    }

    fn other_warps(&self, idx: usize) -> Vec<(String, String, String)> {
        let Some(trace) = self.sides[idx].derived.trace() else {
            return Vec::new();
        };
        let frame = trace.frame(Cycle(self.cycle_on(idx)));
        let name = |slot: SlotIdx| match frame.warp(slot) {
            Some(_) => frame.warp_name(slot),
            None => format!("slot {}", slot.0),
        };
        let words = |(slot, here, there): (SlotIdx, WarpState, WarpState)| {
            (name(slot), here.name().to_owned(), there.name().to_owned())
        };
        self.differences(idx).into_iter().map(words).collect()
    }
}

/// The operations that a scheduler issues in a cycle, with their lines.
pub type Issued = Vec<(String, u32)>;

fn issued((trace, cycle): Place, scheduler: u8) -> Issued {
    let own = |row: &IssueRow| row.scheduler == scheduler;
    let rows = trace.issues_at(cycle).filter(own);
    rows.map(|row| {
        let instruction = trace.program().code.get(row.pc.0 as usize);
        let op = instruction.map_or_else(String::new, |it| it.op.mnemonic(trace.arch().id));
        (op, line_of(trace, row.pc.0))
    })
    .collect()
}

fn issued_words(issued: &Issued, program: Option<&Arc<Program>>) -> String {
    if issued.is_empty() {
        return "issues nothing".to_owned();
    }
    let words = issued.iter().map(|(op, line)| match line {
        0 => op.clone(),
        line => match program {
            Some(program) => format!("{op} of {}", program.line_text(*line)),
            None => op.clone(),
        },
    });
    words.collect::<Vec<_>>().join(" and ")
}

fn line_of(trace: &Trace, pc: u32) -> u32 {
    let instruction = trace.program().code.get(pc as usize);
    instruction.map_or(0, |instruction| instruction.span.line)
}

/// The activity of each line that has warps.
fn lines((trace, cycle): Place) -> BTreeMap<u32, LineActivity> {
    let mut states: BTreeMap<u32, [u32; WarpState::ALL.len()]> = BTreeMap::new();
    for slot in (0..trace.num_slots() as u16).map(SlotIdx) {
        let run = trace.run_at(slot, cycle);
        if let Some(run) = run.filter(|run| run.state != WarpState::Empty) {
            states.entry(line_of(trace, run.pc.0)).or_default()[run.state as usize] += 1;
        }
    }
    let activity = |states: [u32; WarpState::ALL.len()]| {
        let waits = WarpState::ALL.into_iter().filter(|state| {
            let num = states[*state as usize];
            num > 0 && *state != WarpState::Selected
        });
        LineActivity {
            issues: states[WarpState::Selected as usize] > 0,
            // Among equally frequent states, the first.
            most: waits.rev().max_by_key(|state| states[*state as usize]),
        }
    };
    states
        .into_iter()
        .map(|(line, states)| (line, activity(states)))
        .collect()
}
