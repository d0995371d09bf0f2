//! A comparison: the same kernel on several architectures, or runs with different settings, aligned on one
//! clock.
//!
//! A session has one to four sides. Views, selection, and settings are shared.

use std::rc::Rc;

use super::{CycleRange, Derived, RunSide, Session};
use crate::scene::WarpRows;
use crate::share::{MAX_SIDES, Pane, Setup, Side};
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
pub use marks::{Issued, LineActivity};

/// The key of a list of counters: the run's number, its cycles so far, and the counted cycles.
type CountersKey = (u64, u64, Option<CycleRange>);

/// The counters of recently shown runs.
#[derive(Debug, Default)]
pub(super) struct CounterCache {
    counters: Vec<(CountersKey, Rc<Vec<Counter>>)>,
    /// The warps over time of recently shown runs.
    warps: Vec<((u64, u64), Rc<WarpRows>)>,
}

/// From this number of panes on, the inspector is hidden by default: its width is worth more to the pictures.
const SMALL_PANES: usize = 3;

impl Session {
    /// The inspector's column: hidden by default beside three and more panes, until the user opens it.
    pub fn right_side(&self) -> Side {
        match self.ui.right {
            Side::Default if self.num_sides() >= SMALL_PANES => Side::Closed,
            side => side,
        }
    }

    /// The derived state of each side, in order.
    pub fn derived_all(&self) -> impl Iterator<Item = &Derived> {
        self.sides.iter().map(|side| &side.derived)
    }

    /// The derived state of each side, mutable.
    pub fn derived_all_mut(&mut self) -> impl Iterator<Item = &mut Derived> {
        self.sides.iter_mut().map(|side| &mut side.derived)
    }

    /// Makes another side active.
    pub(super) fn choose_side(&mut self, idx: usize) {
        if !self.is_comparing() || idx >= self.num_sides() {
            return;
        }
        if self.sides[idx].setup.source() == self.setup().source() {
            // The active side has the current state of the source's host code.
            self.sides[idx].host = self.side().host.clone();
        }
        self.active = Pane::at(idx);
    }

    /// Makes a pane active; in a comparison, also its side.
    pub(super) fn activate(&mut self, pane: Pane) {
        if self.is_side_by_side() {
            self.choose_side(pane.idx());
        } else if !self.is_comparing() {
            self.active = pane;
        }
    }

    /// Sets the sides to these setups. Existing runs with equal setups are kept.
    pub(super) fn load_sides(&mut self, first: Setup, others: Vec<Setup>) {
        let mut setups = vec![first];
        setups.extend(others);
        setups.truncate(MAX_SIDES);
        let (mut kept, mut hosts) = (Vec::new(), Vec::new());
        for side in std::mem::take(&mut self.sides) {
            hosts.push((side.setup.source().to_owned(), side.host));
            kept.push((side.setup, side.derived));
        }
        // Match equal setups first, then assign the rest in order, because a setup may have changed.
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
                // Text fields contain only line feeds, and spans must agree.
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
