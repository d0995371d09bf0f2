//! Jumps to the next or previous event of a kind, and the list of all such events. The user chooses or types a query;
//! long searches continue from tick to tick.

use super::{Direction, Effect, Event, Moment, Panel, Session};
use crate::scene::{counted, thousands};
use engine::ids::Cycle;
use engine::sim::{Outcome, WarpState};
use engine::trace;
use engine::trace::find::{Found, Query, Search, What};

/// Stretches of a search per tick, which take a few milliseconds.
const AT_ONCE: usize = 4;
/// Limit of listed hits.
pub const SHOWN: usize = 200;

/// Actions of the search.
#[derive(Clone, Debug, PartialEq)]
pub enum Jump {
    /// Goes to the next or previous cycle that matches.
    Go(Direction),
    /// Changes the query.
    Choose(Query),
    /// Changes the typed query, and lists all hits.
    Text(String),
    /// Moves the selection in the list by this many rows.
    Beside(i32),
    /// Goes to a row of the list; `None`: the selected row.
    Take(Option<usize>),
    /// Goes to a moment of the list.
    Moment(usize),
    /// Goes to the next moment.
    NextMoment,
    /// A long search has ended.
    Arrive,
}

/// The query and its results.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpState {
    /// The query.
    pub query: Query,
    /// The text being typed.
    typed: Option<String>,
    /// The parse error of the typed text.
    pub refused: Option<String>,
    /// The selected row of the list.
    pub idx: usize,
    nearest: Option<Search>,
    list: Option<Search>,
    /// The listed run.
    run: (u64, bool),
}

impl Default for JumpState {
    fn default() -> Self {
        Self {
            query: Query::ISSUE,
            typed: None,
            refused: None,
            idx: 0,
            nearest: None,
            list: None,
            run: (0, false),
        }
    }
}

impl JumpState {
    /// Changes the query.
    pub(super) fn set(&mut self, query: Query) {
        *self = Self {
            query,
            ..Self::default()
        };
    }

    /// Stops the search for the nearest match.
    pub(super) fn stop(&mut self) {
        self.nearest = None;
    }

    /// The text of the field.
    pub fn text(&self) -> String {
        self.typed.clone().unwrap_or_else(|| self.query.to_string())
    }

    /// Resets the field when the panel opens.
    pub(super) fn open(&mut self) {
        self.set(self.query);
    }

    /// The list, if there is one.
    pub const fn list(&self) -> Option<&Search> {
        self.list.as_ref()
    }
}

/// A row of the list of hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The cycle.
    pub cycle: String,
    /// The warp; empty for events of a block.
    pub warp: String,
    /// The instruction and its line.
    pub what: String,
}

impl Session {
    /// The choices of the jump menu with their names, including the current query.
    pub fn jump_kinds(&self) -> Vec<(Query, String)> {
        let any = |what| Query { what, warp: None };
        let mut kinds = vec![
            (Query::ISSUE, "Issue".to_owned()),
            (any(What::Stall), "Stall".to_owned()),
            (any(What::Conflict(1)), "Bank conflict".to_owned()),
            (any(What::Miss { of_l2: false }), "Cache miss".to_owned()),
            (any(What::Release), "Barrier release".to_owned()),
            (any(What::Divergence), "Divergence".to_owned()),
            (any(What::Reconvergence), "Reconvergence".to_owned()),
        ];
        let outcome = self.derived().trace().and_then(|trace| trace.outcome());
        if matches!(outcome, Some(Outcome::Fault(_))) {
            kinds.push((any(What::Fault), "Fault".to_owned()));
        }
        let held = self.derived().trace().and_then(|trace| {
            let slot = engine::ids::SlotIdx(self.slot());
            trace.tenancy(slot, Cycle(self.cycle()))
        });
        if let Some((_, warp)) = held {
            let mut of = |what, name: &str| {
                let query = Query {
                    what,
                    warp: Some(warp.0),
                };
                kinds.push((query, format!("{name} of W{:02}", warp.0)));
            };
            of(What::Issue, "Issue");
            of(What::Change, "Event");
            for state in [
                WarpState::LongScoreboard,
                WarpState::ShortScoreboard,
                WarpState::Barrier,
            ] {
                of(What::State(state), state.name());
            }
        }
        if let Some(reg) = self.ui.state.register {
            kinds.push((any(What::Register(reg)), format!("Write to R{reg}")));
            if let Some(lane) = self.ui.state.lane {
                let query = any(What::RegisterOfLane { reg, lane });
                kinds.push((query, format!("Write to R{reg} of lane {lane}")));
            }
        }
        if let Some(offset) = self.ui.state.word {
            let query = any(What::Address(offset.into()));
            kinds.push((query, format!("Write to 0x{offset:x}")));
        }
        let query = self.ui.jump.query;
        if !kinds.iter().any(|(kind, _)| *kind == query) {
            kinds.push((query, crate::scene::capital(&query.to_string())));
        }
        kinds
    }

    /// Whether a search is in progress.
    pub fn is_looking(&self) -> bool {
        let lists = self.ui.panel == Some(Panel::Find) && self.ui.jump.refused.is_none();
        let listed =
            self.ui.jump.list.as_ref().is_some_and(Search::is_done) && self.ui.jump.run == self.listed_run();
        self.ui.jump.nearest.is_some() || lists && !listed && self.derived().trace().is_some()
    }

    /// Continues the search. Returns whether there is more to search.
    pub fn look_on(&mut self) -> (bool, Vec<Effect>) {
        let Some(trace) = self.derived().trace().cloned() else {
            return (false, Vec::new());
        };
        if let Some(search) = &mut self.ui.jump.nearest {
            if search.step(&trace) {
                return (true, Vec::new());
            }
            let effects = jump(self, Jump::Arrive);
            return (self.is_looking(), effects);
        }
        self.follow_list();
        if self.ui.panel == Some(Panel::Find)
            && let Some(list) = &mut self.ui.jump.list
        {
            return (list.step(&trace), Vec::new());
        }
        (self.seek_moments(&trace), Vec::new())
    }

    /// The progress of a search for the nearest match, while it continues.
    pub fn looking_sentence(&self) -> Option<String> {
        let search = self.ui.jump.nearest.as_ref()?;
        let (looked, of) = search.progress(self.derived().trace()?);
        Some(format!(
            "Searching for {}: {} of {}",
            search.query,
            thousands(looked),
            counted(of, "cycle")
        ))
    }

    /// The sentence above the list: the number of hits, or why there are none.
    pub fn list_sentence(&self) -> String {
        if let Some(why) = &self.ui.jump.refused {
            return why.clone();
        }
        let (Some(list), Some(trace)) = (&self.ui.jump.list, self.derived().trace()) else {
            return String::new();
        };
        let total = thousands(list.total);
        let (looked, of) = list.progress(trace);
        match (list.is_done(), list.total) {
            (false, _) => format!(
                "{total} so far, searched {} of {}",
                thousands(looked),
                counted(of, "cycle")
            ),
            (true, 0) => format!(
                "No match in the {} of this run: {}.",
                counted(of, "cycle"),
                list.query
            ),
            (true, num) if num > SHOWN as u64 => format!("{total} found; the first {SHOWN} are listed."),
            (true, _) => format!("{total} found"),
        }
    }

    /// The rows of the list.
    pub fn hits(&self) -> Vec<Hit> {
        let (Some(list), Some(trace)) = (&self.ui.jump.list, self.derived().trace()) else {
            return Vec::new();
        };
        list.found
            .iter()
            .take(SHOWN)
            .map(|found| {
                let (warp, what) = words(trace, found);
                Hit {
                    cycle: thousands(found.cycle.0),
                    warp,
                    what,
                }
            })
            .collect()
    }

    /// The shown run, and whether it has finished: the list of an unfinished run is rebuilt at its end.
    fn listed_run(&self) -> (u64, bool) {
        let whole = self.derived().trace().is_some_and(|trace| trace.is_whole());
        (self.derived().run_number(), whole)
    }

    /// Starts a new list of hits.
    fn list_again(&mut self) {
        self.ui.jump.list = Some(Search::all(self.ui.jump.query));
        self.ui.jump.run = self.listed_run();
        self.ui.jump.idx = 0;
    }

    /// Rebuilds the list after a change of the run.
    fn follow_list(&mut self) {
        if self.ui.panel == Some(Panel::Find)
            && self.ui.jump.refused.is_none()
            && (self.ui.jump.list.is_none() || self.ui.jump.run != self.listed_run())
        {
            self.list_again();
        }
    }

    /// Handles the end of a search for the nearest match.
    fn arrive(&mut self, search: &Search) -> Vec<Effect> {
        if let Some(found) = search.found.first() {
            return self.show_found(*found);
        }
        let side = match search.direction() {
            trace::Direction::Forward => "after",
            trace::Direction::Backward => "before",
        };
        let name = search.query;
        self.say(format!("No {name} {side} cycle {}.", thousands(self.cycle())));
        Vec::new()
    }

    /// Shows a moment, and says which one.
    fn show_moment(&mut self, moment: &Moment) -> Vec<Effect> {
        let effects = self.show_found(moment.found);
        self.say(format!(
            "{}, cycle {}",
            moment.name,
            thousands(moment.found.cycle.0)
        ));
        effects
    }

    /// Shows the place of a match.
    fn show_found(&mut self, found: Found) -> Vec<Effect> {
        self.seek(found.cycle.0);
        if found.slot.is_some() {
            self.ui.state.slot = found.slot;
        }
        self.follow_cycle();
        self.ui.state.access = found.access;
        let place = self.derived().trace().map(|trace| words(trace, &found));
        let place = place.map_or_else(String::new, |(warp, what)| format!("{warp} {what}. "));
        vec![
            Effect::ReplaceLink,
            Effect::Announce(format!("{place}{}", self.sentence_of_picture())),
        ]
    }
}

/// The warp of a hit, and the instruction with its line.
fn words(trace: &trace::Trace, found: &Found) -> (String, String) {
    let frame = trace.frame(found.cycle);
    let warp = found.slot.map_or_else(String::new, |slot| frame.warp_name(slot));
    let mut what = found.pc.map_or_else(String::new, |pc| {
        let line = frame
            .instruction(pc)
            .map_or(0, |instruction| instruction.span.line);
        match line {
            0 => frame.mnemonic(pc),
            line => format!("{}, {}", frame.mnemonic(pc), frame.line_text(line)),
        }
    });
    if let Some(row) = found.access.and_then(|idx| trace.access(idx)) {
        what += &if row.kind.is_shared() {
            format!(", {}", counted(row.wavefronts.into(), "wavefront"))
        } else {
            format!(", {}", counted(row.sectors.into(), "sector"))
        };
    }
    if what.is_empty() {
        let release = trace.barrier_releases().iter().find(|of| of.cycle == found.cycle);
        what = match (release, found.slot) {
            (Some(release), None) => format!("block {}, barrier {}", release.block.0, release.barrier),
            _ => found.slot.map_or_else(
                || "no issue".to_owned(),
                |slot| frame.state(slot).name().to_owned(),
            ),
        };
    }
    (warp, what)
}

/// Performs an action of the search.
pub(super) fn jump(session: &mut Session, jump: Jump) -> Vec<Effect> {
    match jump {
        Jump::Go(direction) => {
            let Some(trace) = session.derived().trace().cloned() else {
                return Vec::new();
            };
            session.playback.pause();
            let direction = match direction {
                Direction::Forward => trace::Direction::Forward,
                Direction::Backward => trace::Direction::Backward,
            };
            let mut search = Search::nearest(session.ui.jump.query, Cycle(session.cycle()), direction);
            for _ in 0..AT_ONCE {
                if !search.step(&trace) {
                    session.ui.jump.nearest = None;
                    return session.arrive(&search);
                }
            }
            session.ui.jump.nearest = Some(search);
            Vec::new()
        }
        Jump::Moment(idx) => match session.moments().get(idx).copied() {
            Some(moment) => session.show_moment(&moment),
            None => Vec::new(),
        },
        Jump::NextMoment => {
            if let Some(moment) = session.next_moment() {
                return session.show_moment(&moment);
            }
            session.say(if session.seeks_moments() {
                "The moments of this run are not found yet."
            } else {
                "This run has no moments: no conflict, no miss, no barrier, and no divergence."
            });
            Vec::new()
        }
        Jump::Choose(query) => {
            session.ui.jump.set(query);
            vec![Effect::ReplaceLink]
        }
        Jump::Text(text) => {
            session.ui.panel = Some(Panel::Find);
            match Query::parse(&text) {
                Ok(query) => {
                    session.ui.jump.set(query);
                    session.list_again();
                }
                Err(why) => {
                    session.ui.jump.refused = Some(why);
                    session.ui.jump.list = None;
                }
            }
            // One field: a text that is no query can be a command's.
            session.ui.command_palette = super::command_palette::CommandPalette {
                text: text.clone(),
                idx: 0,
            };
            session.ui.jump.typed = Some(text);
            vec![Effect::ReplaceLink]
        }
        Jump::Arrive => {
            let search = session.ui.jump.nearest.take();
            search.map_or_else(Vec::new, |search| session.arrive(&search))
        }
        Jump::Beside(step) => {
            let num = session.hits().len() as i32;
            let idx = session.ui.jump.idx as i32 + step;
            session.ui.jump.idx = idx.rem_euclid(num.max(1)) as usize;
            Vec::new()
        }
        Jump::Take(idx) => {
            let idx = idx.unwrap_or(session.ui.jump.idx);
            let found = session.ui.jump.list.as_ref().and_then(|list| list.found.get(idx));
            let Some(found) = found.copied() else {
                return Vec::new();
            };
            session.ui.panel = None;
            session.show_found(found)
        }
    }
}

/// The search of the run that the command palette's text describes, if it is a query.
pub(super) fn offer(session: &Session, text: &str) -> Option<(String, Event)> {
    let query = Query::parse(text).ok()?;
    let trace = session.derived().trace()?;
    if let What::Opcode(name) = query.what {
        let arch = trace.arch().id;
        let begins = |op: engine::isa::Op| op.mnemonic(arch).to_ascii_uppercase().starts_with(name.text());
        trace
            .program()
            .code
            .iter()
            .any(|instruction| begins(instruction.op))
            .then_some(())?;
    }
    let event = Event::Jump(Jump::Text(text.to_owned()));
    Some((format!("Find in the run: {query}"), event))
}

#[cfg(test)]
mod tests;
