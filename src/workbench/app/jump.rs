//! Jumps to what happens next or happened before, and the list of all of it: what is looked for is
//! chosen or typed, and long searches go on from tick to tick.

use super::{Direction, Effect, Event, Panel, Session};
use crate::scene::{counted, thousands};
use engine::ids::Cycle;
use engine::sim::{Outcome, WarpState};
use engine::trace;
use engine::trace::find::{Found, Query, Search, What};

/// Stretches of a search that are looked at before the page goes on: they take a few milliseconds.
const AT_ONCE: usize = 4;
/// Hits that the panel shows.
pub const SHOWN: usize = 200;

/// What happens to the search.
#[derive(Clone, Debug, PartialEq)]
pub enum Jump {
    /// To the next or former cycle with what is looked for.
    Go(Direction),
    /// Something else is looked for.
    Choose(Query),
    /// It is typed, and all of it is listed.
    Text(String),
    /// The row so many below the chosen one of the list.
    Beside(i32),
    /// To a row of the list; `None`: the chosen one.
    Take(Option<usize>),
    /// A search that took long is at its end.
    Arrive,
}

/// What is looked for, and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpState {
    /// What is looked for.
    pub query: Query,
    /// What is being typed.
    typed: Option<String>,
    /// Why that is nothing that can be looked for.
    pub refused: Option<String>,
    /// The chosen row of the list.
    pub idx: usize,
    nearest: Option<Search>,
    list: Option<Search>,
    /// The run that is listed.
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
    /// Looks for something else.
    pub(super) fn set(&mut self, query: Query) {
        *self = Self {
            query,
            ..Self::default()
        };
    }

    /// Ends the search for the nearest one.
    pub(super) fn stop(&mut self) {
        self.nearest = None;
    }

    /// What the field shows.
    pub fn text(&self) -> String {
        self.typed.clone().unwrap_or_else(|| self.query.to_string())
    }

    /// The field is opened anew.
    pub(super) fn open(&mut self) {
        self.set(self.query);
    }

    /// The list, if there is one.
    pub const fn list(&self) -> Option<&Search> {
        self.list.as_ref()
    }
}

/// A line of the list of hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The cycle.
    pub cycle: String,
    /// The warp; empty where it is of a block.
    pub warp: String,
    /// The instruction and its line.
    pub what: String,
}

impl Session {
    /// What can be jumped to, with its name; what is looked for now is among it.
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

    /// Whether something is being looked for.
    pub fn is_looking(&self) -> bool {
        let lists = self.ui.panel == Some(Panel::Find) && self.ui.jump.refused.is_none();
        let listed =
            self.ui.jump.list.as_ref().is_some_and(Search::is_done) && self.ui.jump.run == self.listed_run();
        self.ui.jump.nearest.is_some() || lists && !listed && self.derived().trace().is_some()
    }

    /// Looks a little further. Returns whether there is more to look at.
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
        (false, Vec::new())
    }

    /// How far the search for the next or former one is: a sentence while it goes on.
    pub fn looking_sentence(&self) -> Option<String> {
        let search = self.ui.jump.nearest.as_ref()?;
        let (looked, of) = search.progress(self.derived().trace()?);
        Some(format!(
            "Looking for {}: {} of {}",
            search.query,
            thousands(looked),
            counted(of, "cycle")
        ))
    }

    /// What stands over the list: how many there are, or why there is none.
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
                "{total} so far, {} of {} looked at",
                thousands(looked),
                counted(of, "cycle")
            ),
            (true, 0) => format!(
                "Nowhere in the {} of this run: {}.",
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

    /// The run that is shown, and whether it is whole: of one that grows, the list is made again at its end.
    fn listed_run(&self) -> (u64, bool) {
        let whole = self.derived().trace().is_some_and(|trace| trace.is_whole());
        (self.derived().run_number(), whole)
    }

    /// Begins to list what is looked for.
    fn list_again(&mut self) {
        self.ui.jump.list = Some(Search::all(self.ui.jump.query));
        self.ui.jump.run = self.listed_run();
        self.ui.jump.idx = 0;
    }

    /// Another run is listed anew.
    fn follow_list(&mut self) {
        if self.ui.panel == Some(Panel::Find)
            && self.ui.jump.refused.is_none()
            && (self.ui.jump.list.is_none() || self.ui.jump.run != self.listed_run())
        {
            self.list_again();
        }
    }

    /// The search for the nearest one is at its end.
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

    /// Goes where something was found.
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

/// Does what a jump asks for.
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

/// What the letters of the field to find or do anything look for in the run, if it is that.
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
