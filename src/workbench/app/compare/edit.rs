//! Edits of a comparison.

use super::{RunSide, Session};
use crate::app::{Effect, LINK_PAUSE_MS};
use crate::run_option::RUN_OPTIONS;
use crate::scene::legal_carveout;
use crate::share::{Compare, MAX_SIDES, Order, Pane, Scenario, Setup, Sync, View};
use engine::arch::{ArchId, architecture};

/// The chips of the four taught generations, oldest first.
pub const GUIDES: [ArchId; 4] = [ArchId::Gf100, ArchId::Gp104, ArchId::Gv100, ArchId::Tu102];

/// An edit of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareEdit {
    /// Adds a side with this architecture; `None`: an architecture that no side has yet.
    Add(Option<ArchId>),
    /// Removes a side; `None`: the active one.
    Remove(Option<Pane>),
    /// Runs the active side's setup on each of these architectures.
    On(Vec<ArchId>),
    /// Keeps only the active side.
    End,
    /// Sets the alignment of the sides.
    Sync(Sync),
    /// Selects the next alignment.
    NextSync,
    /// Whether changes apply to the active side only.
    Apart(bool),
    /// Whether differences are marked.
    Marks(bool),
    /// Sets the reference side for ratios.
    Reference(u8),
    /// Sets the order of the counters.
    Order(Order),
    /// Moves the clock to a position.
    Clock(u64),
}

/// Applies an edit.
pub(in crate::app) fn edit(session: &mut Session, edit: CompareEdit) -> Vec<Effect> {
    match edit {
        CompareEdit::Add(arch) => return add(session, arch),
        CompareEdit::Remove(pane) => {
            let idx = pane.map_or(session.active_side(), Pane::idx);
            return remove(session, idx);
        }
        CompareEdit::On(archs) => return on(session, &archs),
        CompareEdit::End => return end(session),
        CompareEdit::Sync(sync) => {
            if session.is_comparing() {
                session.say(sync.sentence());
            }
            // Positions have another meaning now.
            session.ui.state.strip = None;
            // The active side keeps its cycle.
            let cycle = session.cycle();
            session.ui.compare.sync = sync;
            session.playback.position = session.position_of(session.active_side(), cycle);
        }
        CompareEdit::NextSync => {
            let idx = Sync::ALL.iter().position(|sync| *sync == session.ui.compare.sync);
            let next = Sync::ALL[(idx.unwrap_or(0) + 1) % Sync::ALL.len()];
            return self::edit(session, CompareEdit::Sync(next));
        }
        CompareEdit::Apart(apart) => session.ui.compare.apart = apart,
        CompareEdit::Marks(marks) => session.ui.compare.marks = marks,
        CompareEdit::Reference(idx) => {
            session.ui.compare.reference = usize::from(idx).min(session.num_sides() - 1);
        }
        CompareEdit::Order(order) => session.ui.compare.order = order,
        CompareEdit::Clock(position) => {
            session.seek_clock(position);
            session.follow_cycle();
            session.link_ms.get_or_insert(LINK_PAUSE_MS);
            return Vec::new();
        }
    }
    vec![Effect::ReplaceLink]
}

fn add(session: &mut Session, arch: Option<ArchId>) -> Vec<Effect> {
    let num = session.num_sides();
    if num == MAX_SIDES {
        session.say("The limit is four panes. Remove a pane first.");
        return Vec::new();
    }
    let there: Vec<ArchId> = session.sides.iter().map(|side| side.setup.arch).collect();
    let is_other = |arch: &ArchId| !there.contains(arch);
    let free = || GUIDES.into_iter().chain(ArchId::ALL).find(is_other);
    let arch = arch.or_else(free).unwrap_or(ArchId::DEFAULT);
    let mut side = session.setup().clone();
    adopt(&mut side, arch);
    let twice = there.contains(&arch);
    recompose(session, |compare, scenario| {
        // Two equal sides allow the user to change one of them.
        compare.apart |= twice;
        compare.others.push(side);
        scenario.layout.active = Pane::at(num);
    })
}

fn remove(session: &mut Session, idx: usize) -> Vec<Effect> {
    let num = session.num_sides();
    if num < 2 {
        session.say("Only one run is open. Press A to add another pane.");
    }
    if num < 2 || idx >= num {
        return Vec::new();
    }
    let active = session.active_side();
    recompose(session, |compare, scenario| {
        if idx == 0 {
            compare.others.remove(0).swap(scenario);
        } else {
            compare.others.remove(idx - 1);
        }
        let reference = usize::from(compare.reference);
        compare.reference = match reference.cmp(&idx) {
            std::cmp::Ordering::Less => compare.reference,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => compare.reference - 1,
        };
        let stays = if active > idx { active - 1 } else { active };
        scenario.layout.active = Pane::at(stays.min(num - 2));
    })
}

fn on(session: &mut Session, archs: &[ArchId]) -> Vec<Effect> {
    let own = session.setup().clone();
    let sides = archs.iter().take(MAX_SIDES).map(|arch| {
        let mut side = own.clone();
        adopt(&mut side, *arch);
        side
    });
    let mut sides: Vec<Setup> = sides.collect();
    if sides.is_empty() {
        return Vec::new();
    }
    let active = sides.iter().position(|side| side.arch == own.arch).unwrap_or(0);
    recompose(session, |compare, scenario| {
        sides.remove(0).swap(scenario);
        compare.others = sides;
        compare.reference = 0;
        scenario.layout.active = Pane::at(active);
    })
}

fn end(session: &mut Session) -> Vec<Effect> {
    let mut own = session.setup().clone();
    let cycle = session.cycle();
    recompose(session, |compare, scenario| {
        own.swap(scenario);
        compare.others.clear();
        scenario.cycle = cycle;
        scenario.layout.active = Pane::First;
    })
}

/// Changes the sides as one undoable step.
fn recompose(session: &mut Session, change: impl FnOnce(&mut Compare, &mut Scenario)) -> Vec<Effect> {
    let before = session.link();
    let mut after = before.clone();
    let mut compare = after.compare.take().unwrap_or_default();
    change(&mut compare, &mut after);
    after.compare = Some(compare).filter(|compare| !compare.others.is_empty());
    if after == before {
        return Vec::new();
    }
    let playing = session.playback.playing;
    session.history.push(before);
    session.load(after);
    session.playback.playing = playing;
    vec![Effect::PushLink]
}

/// Moves a setup to another architecture, with the nearest legal carveout.
fn adopt(side: &mut Setup, arch: ArchId) {
    if side.arch != arch {
        side.arch = arch;
        side.machine.carveout_kib = side.machine.carveout_kib.and_then(|kib| nearest(arch, kib));
    }
}

/// The legal carveout nearest to a size; `None` if the carveout is not configurable.
fn nearest(arch: ArchId, kib: u32) -> Option<u32> {
    let arch = architecture(arch);
    let sizes = arch.occupancy.carveouts_kib.value;
    (sizes.len() > 1).then(|| legal_carveout(arch, kib))
}

impl Session {
    /// Adds a side with a setup of its own, and shows all sides in Compare.
    pub(in crate::app) fn add_side(&mut self, setup: Setup) -> Vec<Effect> {
        recompose(self, |compare, scenario| {
            compare.apart = true;
            compare.others.push(setup);
            scenario.view = View::Compare;
            scenario.split = None;
        })
    }

    /// Applies a change of the active side's setup, relative to `before`, to the other sides. Each side keeps its
    /// architecture.
    pub(in crate::app) fn change_others(&mut self, before: &Setup) {
        let (active, after) = (self.active_side(), self.setup().clone());
        let toolchain = self.toolchain;
        if !self.is_comparing() || self.ui.compare.apart || after == *before {
            return;
        }
        for (_, side) in (0..).zip(&mut self.sides).filter(|(idx, _)| *idx != active) {
            take_over(side, before, &after);
        }
        self.reserve_memory();
        for (_, side) in (0..).zip(&mut self.sides).filter(|(idx, _)| *idx != active) {
            side.follow(toolchain);
        }
        if before.machine.carveout_kib != after.machine.carveout_kib && before.arch == after.arch {
            self.tell_carveouts();
        }
    }

    /// Reports the carveouts that differ from the requested one.
    fn tell_carveouts(&mut self) {
        let asked = self.setup().machine.carveout_kib;
        let took = self.sides.iter().filter_map(|side| {
            let name = side.arch().name;
            match side.setup.machine.carveout_kib {
                kib if kib == asked => None,
                Some(kib) => Some(format!("{name} uses {kib} KB")),
                None => Some(format!("{name} has a fixed split")),
            }
        });
        let took: Vec<String> = took.collect();
        if let (Some(kib), false) = (asked, took.is_empty()) {
            self.say(format!("{kib} KB of shared memory: {}.", took.join(", ")));
        }
    }
}

/// Applies the changes of the active side's setup to another side.
fn take_over(side: &mut RunSide, before: &Setup, after: &Setup) {
    let setup = &mut side.setup;
    macro_rules! take {
        ($($field:ident).+) => {
            if before.$($field).+ != after.$($field).+ {
                setup.$($field).+ = after.$($field).+.clone();
            }
        };
    }
    take!(kernel);
    take!(source);
    take!(entry);
    take!(grid);
    take!(block);
    take!(dynamic_shared);
    take!(args);
    take!(symbols);
    let (own, changed) = (before.options(), after.options());
    let mut options = setup.options();
    for option in &RUN_OPTIONS {
        // The carveout is what the chip has nearest, below.
        if option.key != "carveout" && !option.is_same(&own, &changed) {
            option.take(&mut options, &changed);
        }
    }
    setup.set_options(options);
    // The default carveout of a new architecture does not apply to the other sides.
    if before.arch == after.arch && before.machine.carveout_kib != after.machine.carveout_kib {
        setup.machine.carveout_kib = after
            .machine
            .carveout_kib
            .and_then(|kib| nearest(setup.arch, kib));
    }
    if before.source != after.source || before.kernel != after.kernel {
        setup.source().clone_into(&mut side.text);
        side.drafts.clear();
    }
}
