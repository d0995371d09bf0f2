//! Several sides of one page: the same kernel on several machines, or otherwise different runs, on
//! one clock.
//!
//! A session has one to four sides. What runs on the active one is in the session's own fields; the
//! others are parked, and change places with it to be drawn, pointed at or asked ([`Session::with_side`]).
//! Views, selection and settings are common to all.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Derived, LaunchField, Session};
use crate::share::{Compare, MOST_SIDES, Order, Pane, Scenario, Setup, Sync};
use engine::ids::Cycle;
use engine::trace::Counter;

mod clock;
mod edit;
mod marks;
mod setups;
#[cfg(test)]
mod tests;
mod told;

pub(super) use edit::edit;
pub use edit::{CompareEdit, GUIDES};
pub use marks::{Issued, LineDoes};
pub use told::{ComparedKey, SideHead};

/// A side while another one is active.
#[derive(Debug)]
struct Parked {
    setup: Setup,
    derived: Derived,
    text: String,
    drafts: BTreeMap<LaunchField, (String, String)>,
}

impl Parked {
    fn new(setup: Setup, text: String, derived: Derived) -> Box<Self> {
        Box::new(Self {
            setup,
            derived,
            text,
            drafts: BTreeMap::new(),
        })
    }
}

/// The first of some cycles, and the one after the last.
type CycleRange = (Cycle, Cycle);

/// What a list of counters is of: a run by its number, its cycles so far, those that are counted.
type CountersKey = (u64, u64, Option<CycleRange>);

/// The sides of a comparison, and how they go together.
#[derive(Debug)]
pub struct Sides {
    /// A place for each side, from the first; that of the active one is empty. Without a comparison
    /// there are none.
    places: Vec<Option<Box<Parked>>>,
    /// The active side.
    active: usize,
    /// What is equal on all sides at a moment.
    pub sync: Sync,
    /// Whether a change of kernel, launch or options goes to the active side alone.
    pub apart: bool,
    /// Whether differences are marked.
    pub marks: bool,
    /// The side to which the counters' ratios are.
    pub reference: usize,
    /// What the counters are listed by.
    pub order: Order,
    /// The common clock: see [`Session::clock`].
    position: u64,
    /// The side on which the range was selected, with it, and what it is on the active side.
    ranged: Option<(usize, CycleRange, CycleRange)>,
    /// Counters of the runs that were last looked at, by the run's number, its cycles and those of them
    /// that are counted.
    counters: RefCell<Vec<(CountersKey, Rc<Vec<Counter>>)>>,
    /// Counts what happens to the sides as such, to tell that from a change of what runs on them.
    moves: u64,
}

impl Default for Sides {
    fn default() -> Self {
        let usual = Compare::default();
        Self {
            places: Vec::new(),
            active: 0,
            sync: usual.sync,
            apart: usual.apart,
            marks: usual.marks,
            reference: usual.reference.into(),
            order: usual.order,
            position: 0,
            ranged: None,
            counters: RefCell::default(),
            moves: 0,
        }
    }
}

impl Session {
    /// Whether there are several sides.
    pub fn is_comparing(&self) -> bool {
        self.sides.places.len() > 1
    }

    /// Sides, at least one.
    pub fn num_sides(&self) -> usize {
        self.sides.places.len().max(1)
    }

    /// Changes whenever sides come, go, or change places.
    pub(super) fn sides_moved(&self) -> u64 {
        self.sides.moves
    }

    /// The active side, from 0.
    pub fn active_side(&self) -> usize {
        self.sides.active
    }

    /// What follows from each side, in their order.
    pub fn derived_all(&self) -> impl Iterator<Item = &Derived> {
        (0..self.num_sides()).map(|idx| self.derived_of(idx))
    }

    /// The same, to be changed.
    pub fn derived_all_mut(&mut self) -> impl Iterator<Item = &mut Derived> {
        let (mut own, places) = (Some(&mut self.derived), &mut self.sides.places);
        // The only side has no place of its own.
        let alone = if places.is_empty() { own.take() } else { None };
        let each = places.iter_mut().filter_map(move |place| match place {
            Some(parked) => Some(&mut parked.derived),
            None => own.take(),
        });
        alone.into_iter().chain(each)
    }

    /// What follows from a side.
    pub fn derived_of(&self, idx: usize) -> &Derived {
        match self.sides.places.get(idx) {
            Some(Some(parked)) => &parked.derived,
            _ => &self.derived,
        }
    }

    /// What runs on a side.
    pub fn setup_of(&self, idx: usize) -> Setup {
        match self.sides.places.get(idx) {
            Some(Some(parked)) => parked.setup.clone(),
            _ => Setup::of(&self.scenario),
        }
    }

    /// The scenario of a side alone, as it would be without the others.
    pub fn scenario_of(&self, idx: usize) -> Scenario {
        match self.sides.places.get(idx) {
            Some(Some(parked)) => parked.setup.within(&self.scenario),
            _ => self.scenario.clone(),
        }
    }

    /// Looks at the session with another side in the place of the active one.
    pub fn with_side<T>(&mut self, idx: usize, look: impl FnOnce(&mut Self) -> T) -> T {
        let home = self.sides.active;
        if idx == home || idx >= self.num_sides() {
            return look(self);
        }
        let (cycle, range, ranged) = (self.playback.cycle, self.view.range, self.sides.ranged);
        self.turn_to(idx);
        let seen = look(self);
        self.turn_to(home);
        self.playback.cycle = cycle;
        self.view.range = range;
        self.sides.ranged = ranged;
        seen
    }

    /// Puts another side into the session's fields.
    fn turn_to(&mut self, idx: usize) {
        let (origin, range) = (self.range_origin(), self.range_of(idx));
        let Some(mut parked) = self.sides.places.get_mut(idx).and_then(Option::take) else {
            return;
        };
        parked.setup.swap(&mut self.scenario);
        std::mem::swap(&mut parked.derived, &mut self.derived);
        std::mem::swap(&mut parked.text, &mut self.text);
        std::mem::swap(&mut parked.drafts, &mut self.drafts);
        self.sides.places[self.sides.active] = Some(parked);
        self.sides.active = idx;
        self.playback.cycle = self.own_cycle();
        self.view.range = range;
        self.sides.ranged = origin.zip(range).map(|((side, of), here)| (side, of, here));
    }

    /// Makes another side the active one, wherever it was chosen.
    pub(super) fn choose_side(&mut self, idx: usize) {
        if idx < self.num_sides() && idx != self.sides.active {
            self.turn_to(idx);
            self.sides.moves += 1;
            self.layout.active = Pane::at(idx);
        }
    }

    /// A pane gets the keyboard: in a comparison its side is the active one.
    pub(super) fn activate(&mut self, pane: Pane) {
        let idx = pane.idx();
        if self.is_side_by_side() {
            self.choose_side(idx);
        } else if !self.is_comparing() {
            self.layout.active = pane;
        }
    }

    /// The further sides, as a link has them: the first one is the link's own.
    pub(super) fn compare(&self) -> Option<Compare> {
        let sides = &self.sides;
        self.is_comparing().then(|| Compare {
            others: (1..self.num_sides()).map(|idx| self.setup_of(idx)).collect(),
            sync: sides.sync,
            apart: sides.apart,
            marks: sides.marks,
            reference: sides.reference as u8,
            order: sides.order,
        })
    }

    /// Has the sides of a scenario. Runs that are there already are kept.
    pub(super) fn load_sides(&mut self, scenario: &mut Scenario) {
        let mut kept: Vec<(Setup, Derived)> = Vec::new();
        for idx in 0..self.num_sides() {
            let setup = self.setup_of(idx);
            let derived = match self.sides.places.get_mut(idx) {
                Some(Some(parked)) => std::mem::take(&mut parked.derived),
                _ => std::mem::take(&mut self.derived),
            };
            kept.push((setup, derived));
        }
        self.sides = Sides {
            moves: self.sides.moves + 1,
            counters: RefCell::new(self.sides.counters.take()),
            ..Sides::default()
        };
        let compare = scenario.compare.take().unwrap_or_default();
        let mut setups = vec![Setup::of(scenario)];
        setups.extend(compare.others);
        setups.truncate(MOST_SIDES);
        // Equal ones first, then what is left in its order, as of a side that changed.
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
        let active = if setups.len() > 1 {
            scenario.layout.active.idx().min(setups.len() - 1)
        } else {
            0
        };
        let alone = setups.len() == 1;
        for (idx, (mut setup, derived)) in setups.into_iter().zip(found).enumerate() {
            let derived = derived.unwrap_or_default();
            if idx == active {
                setup.swap(scenario);
                self.derived = derived;
                self.sides.places.push(None);
            } else {
                let text = setup.within(scenario).source().to_owned();
                self.sides.places.push(Some(Parked::new(setup, text, derived)));
            }
        }
        if alone {
            self.sides.places.clear();
        } else {
            scenario.layout.active = Pane::at(active);
            scenario.split = None;
        }
        let sides = &mut self.sides;
        sides.active = active;
        sides.sync = compare.sync;
        sides.apart = compare.apart;
        sides.marks = compare.marks;
        sides.reference = compare.reference.into();
        sides.order = compare.order;
        sides.position = scenario.cycle;
    }

    /// Compiles and starts again what the sides other than the active one need.
    pub(super) fn follow_sides(&mut self) {
        let toolchain = self.toolchain;
        for idx in 0..self.sides.places.len() {
            let scenario = self.scenario_of(idx);
            if let Some(Some(parked)) = self.sides.places.get_mut(idx) {
                parked.derived.follow(&scenario, toolchain);
            }
        }
    }
}
