//! Several sides of one page: the same kernel on several machines, or otherwise different runs, on
//! one clock.
//!
//! A session has one to four sides. Views, selection and settings are common to all.

use std::rc::Rc;

use super::{CycleRange, Derived, RunSide, Session};
use crate::share::{MOST_SIDES, Pane, Setup};
use engine::trace::Counter;

mod clock;
mod edit;
mod labels;
mod marks;
mod setups;
#[cfg(test)]
mod tests;

pub(super) use edit::edit;
pub use edit::{CompareEdit, GUIDES};
pub use labels::{ComparedKey, SideHead};
pub use marks::{Issued, LineDoes};

/// What a list of counters is of: a run by its number, its cycles so far, those that are counted.
type CountersKey = (u64, u64, Option<CycleRange>);

/// Counters of the runs that were last looked at.
#[derive(Debug, Default)]
pub(super) struct CounterCache(Vec<(CountersKey, Rc<Vec<Counter>>)>);

impl Session {
    /// What follows from each side, in their order.
    pub fn derived_all(&self) -> impl Iterator<Item = &Derived> {
        self.sides.iter().map(|side| &side.derived)
    }

    /// What follows from each side, to be changed.
    pub fn derived_all_mut(&mut self) -> impl Iterator<Item = &mut Derived> {
        self.sides.iter_mut().map(|side| &mut side.derived)
    }

    /// Makes another side the active one.
    pub(super) fn choose_side(&mut self, idx: usize) {
        if !self.is_comparing() || idx >= self.num_sides() {
            return;
        }
        if self.sides[idx].setup.source() == self.setup().source() {
            // The active side knows best what the text's host code launches.
            self.sides[idx].host = self.side().host.clone();
        }
        self.active = Pane::at(idx);
    }

    /// A pane gets the keyboard: in a comparison its side is the active one.
    pub(super) fn activate(&mut self, pane: Pane) {
        if self.is_side_by_side() {
            self.choose_side(pane.idx());
        } else if !self.is_comparing() {
            self.active = pane;
        }
    }

    /// Replaces the sides. A side whose setup exists already keeps its run.
    pub(super) fn load_sides(&mut self, first: Setup, others: Vec<Setup>) {
        let mut setups = vec![first];
        setups.extend(others);
        setups.truncate(MOST_SIDES);
        let (mut kept, mut hosts) = (Vec::new(), Vec::new());
        for side in std::mem::take(&mut self.sides) {
            hosts.push((side.setup.source().to_owned(), side.host));
            kept.push((side.setup, side.derived));
        }
        // A changed side keeps showing its last run until the new one begins.
        let mut found: Vec<Option<Derived>> = setups
            .iter()
            .map(|setup| {
                let at = kept.iter().position(|(other, _)| other == setup)?;
                Some(kept.remove(at).1)
            })
            .collect();
        for derived in found.iter_mut().filter(|found| found.is_none()) {
            if kept.is_empty() {
                break;
            }
            *derived = Some(kept.remove(0).1);
        }
        for (mut setup, derived) in setups.into_iter().zip(found) {
            if let Some(source) = setup.source.as_mut().filter(|source| source.contains('\r')) {
                // Text fields have line feeds alone, and spans must mean the same in both.
                *source = source.replace("\r\n", "\n").replace('\r', "\n");
            }
            let mut side = RunSide::new(setup, derived.unwrap_or_default());
            let same_text = hosts.iter().find(|(text, _)| *text == side.text);
            if let Some((_, host)) = same_text {
                side.host = host.clone();
            }
            self.sides.push(side);
        }
    }
}
