//! Copies from global to shared memory that may be in flight, as racecheck sees them: a copy is ordered before what
//! follows a wait of its warp for its group.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::ids::WarpId;

/// The copies of a warp that it has not waited for, as events.
#[derive(Clone, Debug, Default)]
struct OfWarp {
    open: Vec<u32>,
    groups: VecDeque<Vec<u32>>,
}

/// The copies of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    warps: BTreeMap<WarpId, OfWarp>,
    in_flight: BTreeSet<u32>,
    /// The wait after which each copy has landed, as an event of its warp.
    landed: BTreeMap<u32, u32>,
}

impl Copies {
    pub(super) fn start(&mut self, warp: WarpId, event: u32) {
        self.warps.entry(warp).or_default().open.push(event);
        self.in_flight.insert(event);
    }

    pub(super) fn commit(&mut self, warp: WarpId) {
        let of = self.warps.entry(warp).or_default();
        let group = std::mem::take(&mut of.open);
        of.groups.push_back(group);
    }

    /// The warp waits for all groups but the newest `left`. `event`: the wait.
    pub(super) fn wait(&mut self, warp: WarpId, left: u8, event: u32) {
        let Some(of) = self.warps.get_mut(&warp) else {
            return;
        };
        let num = of.groups.len().saturating_sub(left.into());
        for copy in of.groups.drain(..num).flatten() {
            self.in_flight.remove(&copy);
            self.landed.insert(copy, event);
        }
    }

    /// The wait after which a copy has landed, if its warp has waited for it.
    pub(super) fn landing(&self, copy: u32) -> Option<u32> {
        self.landed.get(&copy).copied()
    }

    /// Whether an event is a copy that its warp has not waited for.
    pub(super) fn is_in_flight(&self, event: u32) -> bool {
        self.in_flight.contains(&event)
    }
}
