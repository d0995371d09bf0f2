//! The launches that a program's own host code makes: read from the text, offered in the form, and taken for a run.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::compiler::Request;
use super::{Effect, Session, arguments, jobs};
use crate::scene::{capital, counted};
use crate::share::{Scenario, Setup};
use cuda::host::{Guess, HostLaunch, Limits, Reading, read};
use engine::isa::{ElemType, Program};
use engine::launch::{Argument, Fill, Launch, Pattern};

/// A link has at most this many values of a buffer; longer lists become random values of the same range.
const LISTED: usize = 256;

/// How contents that are no pattern are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// As they are.
    Whole,
    /// As random numbers of the same range where a link could not hold them.
    Short,
}

/// A launch that was read from host code and fits the kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadLaunch {
    /// Its number among those that are kept, from 0.
    pub idx: usize,
    /// How many launches host code makes, as far as that is known.
    pub num_launches: u32,
    /// The line of the launch, from 1.
    pub line: u32,
    /// The kernel's name, with the template's arguments.
    pub kernel: String,
    /// How many arguments were read whole.
    pub num_read: u32,
    /// What was guessed.
    pub guesses: Vec<Guess>,
    /// Arguments whose memory the host reads after a launch.
    pub read_back: Vec<u16>,
    /// The launch.
    pub launch: Launch,
}

impl ReadLaunch {
    /// Makes this the launch of a setup.
    fn set(&self, setup: &mut Setup) {
        let launch = &self.launch;
        setup.entry = Some(self.kernel.clone());
        setup.grid = Some(launch.grid);
        setup.block = Some(launch.block);
        setup.dynamic_shared = Some(launch.dynamic_shared);
        setup.args = Some(launch.args.clone());
        setup.symbols = Some(launch.symbols.clone());
    }

    /// What was read and what was guessed, as sentences.
    pub fn sentence(&self) -> String {
        let is_guessed = |what: &str| self.guesses.iter().any(|guess| guess.what == what);
        let mut parts: Vec<String> = [("the grid", "grid"), ("the block", "block")]
            .into_iter()
            .filter(|(what, _)| !is_guessed(what))
            .map(|(_, name)| name.to_owned())
            .collect();
        if self.num_read > 0 {
            parts.push(counted(self.num_read.into(), "argument"));
        }
        let read = if parts.is_empty() {
            format!("main() launches this kernel (line {}).", self.line)
        } else {
            format!("Read from main(): {} (line {}).", parts.join(", "), self.line)
        };
        let guessed = if self.guesses.is_empty() {
            String::new()
        } else {
            let names: Vec<&str> = self.guesses.iter().map(|guess| guess.what.as_str()).collect();
            format!(" Guessed: {}.", names.join(", "))
        };
        format!("{read}{guessed} main() itself is not run.")
    }

    /// Why each guess is one, as sentences.
    pub fn reasons(&self) -> Vec<String> {
        let reason = |guess: &Guess| format!("{}: {}.", capital(&guess.what), guess.why);
        self.guesses.iter().map(reason).collect()
    }
}

/// Kernels of one source that were compiled for their parameters, by their names; `None` where one does not compile.
#[derive(Default)]
pub struct Kernels(BTreeMap<String, Option<Rc<Program>>>);

/// Makes a launch that was read the scenario's. `None` if the kernel does not compile or there is no such launch.
pub fn take_launch(
    scenario: &mut Scenario,
    reading: &Reading,
    idx: usize,
    lists: Lists,
) -> Option<ReadLaunch> {
    take_launch_of(scenario, reading, idx, lists, &mut Kernels::default())
}

/// The same, where several launches of one source are taken.
pub fn take_launch_of(
    scenario: &mut Scenario,
    reading: &Reading,
    idx: usize,
    lists: Lists,
    kernels: &mut Kernels,
) -> Option<ReadLaunch> {
    let host: &HostLaunch = reading.launches.get(idx)?;
    let (arch, options) = (scenario.arch, scenario.compile);
    let compiled = || {
        let compiled = cuda::compile(scenario.source(), Some(&host.kernel), arch, &options);
        compiled.ok().map(|compiled| Rc::new(compiled.program))
    };
    let program = kernels
        .0
        .entry(host.kernel.clone())
        .or_insert_with(compiled)
        .clone()?;
    let made_up = |param: &_, launch: &_| arguments::argument(param, launch).0;
    let mut converted = host.convert(&program.params, &program.symbols, made_up);
    if lists == Lists::Short {
        for (param, arg) in program.params.iter().zip(&mut converted.launch.args) {
            if let Argument::Buffer { elem, fill, .. } = arg
                && let Some(range) = shortened(*elem, fill)
            {
                *fill = range;
                converted.num_read = converted.num_read.saturating_sub(1);
                converted.guesses.push(Guess {
                    what: format!(
                        "contents of `{}` (random, in the range of main()'s values)",
                        param.name
                    ),
                    why: format!("a link holds at most {LISTED} values of a buffer"),
                });
            }
        }
        converted.launch.symbols.retain(|fill| {
            let is_short = shortened(fill.elem, &fill.fill).is_none();
            if !is_short {
                converted.guesses.push(Guess {
                    what: format!("`{}` (as in its declaration)", fill.symbol),
                    why: format!("a link holds at most {LISTED} values of a variable"),
                });
            }
            is_short
        });
    }
    let taken = ReadLaunch {
        idx,
        num_launches: reading.num_launches,
        line: host.line,
        kernel: host.kernel.clone(),
        num_read: converted.num_read,
        guesses: converted.guesses,
        read_back: converted.read_back,
        launch: converted.launch,
    };
    let mut setup = Setup::of(scenario);
    taken.set(&mut setup);
    *scenario = setup.within(scenario);
    Some(taken)
}

/// Random numbers in the range of a list that is too long for a link.
fn shortened(elem: ElemType, fill: &Fill) -> Option<Fill> {
    let Pattern::List(values) = &fill.pattern else {
        return None;
    };
    if values.len() <= LISTED {
        return None;
    }
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let (least, most) = (
        finite().fold(f64::INFINITY, f64::min),
        finite().fold(f64::NEG_INFINITY, f64::max),
    );
    if least > most {
        return Some(Fill::of(Pattern::Zero));
    }
    let is_float = matches!(elem, ElemType::F16 | ElemType::F32 | ElemType::F64);
    let offset = (least != 0.0).then_some(least);
    Some(if is_float {
        Fill {
            pattern: Pattern::Lcg(1),
            modulo: None,
            scale: Some(most - least),
            offset,
        }
    } else {
        Fill {
            pattern: Pattern::Lcg(1),
            modulo: Some((most - least) as u64 + 1),
            scale: None,
            offset,
        }
    })
}

/// A launch in host code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostEntry {
    /// The kernel's name, with the template's arguments.
    pub kernel: String,
    /// The line of the launch, from 1.
    pub line: u32,
    /// Further launches of the same line.
    pub num_more: u32,
    /// The launch as it fits the kernel; `None` where the kernel does not compile.
    pub launch: Option<ReadLaunch>,
}

/// The launches that the host code of a scenario's text makes, with contents that fit into a link.
pub(super) fn launches(scenario: &Scenario) -> Vec<HostEntry> {
    let reading = read(scenario.source(), scenario.arch, Limits::PAGE);
    let mut kernels = Kernels::default();
    (reading.launches.iter().enumerate())
        .map(|(idx, host)| HostEntry {
            kernel: host.kernel.clone(),
            line: host.line,
            num_more: host.num_more,
            launch: take_launch_of(&mut scenario.clone(), &reading, idx, Lists::Short, &mut kernels),
        })
        .collect()
}

/// What follows once host code is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The text changed: its launch is taken, unless the user has set another. `merges`: as one step with the change.
    Take { merges: bool },
    /// A link was opened: which of the launches it has is found.
    Find,
    /// A scenario came back by undo or redo: its launch stays.
    Keep,
}

/// What a session knows of the host code in its text.
#[derive(Clone, Debug, Default)]
pub struct HostCode {
    entries: Vec<HostEntry>,
    taken: Option<ReadLaunch>,
    /// Whether the user has set the launch, which stays then.
    pub(super) is_users: bool,
    /// The request that another thread answers, and what follows.
    reading: Option<(u64, Request, Then)>,
}

impl HostCode {
    /// The request to read host code, by its number.
    pub(super) fn request(&self) -> Option<(u64, &Request)> {
        let (number, request, _) = self.reading.as_ref()?;
        Some((*number, request))
    }
}

impl Session {
    /// Reads the text's host code, and does what follows.
    pub(super) fn follow_host(&mut self, then: Then) -> Vec<Effect> {
        let source = self.setup().source();
        let may_launch = source.contains("<<<") || source.contains("cudaLaunchKernel");
        let may_launch = may_launch && source.contains("main");
        self.side_mut().host.reading = None;
        if !may_launch {
            return self.take_host_entries(Vec::new(), then);
        }
        let scenario = self.setup().alone();
        if let Some(toolchain) = self.toolchain {
            return self.take_host_entries(toolchain.host_launches(&scenario), then);
        }
        let link = jobs::link_of(&scenario).to_string();
        let request = Request::HostLaunches { link };
        self.side_mut().host.reading = Some((jobs::next_number(), request, then));
        Vec::new()
    }

    /// Takes the answer to request `number`.
    pub(super) fn host_read(&mut self, number: u64, entries: Vec<HostEntry>) -> Vec<Effect> {
        let active = self.active_side();
        for (idx, side) in self.sides.iter_mut().enumerate() {
            if let Some((_, _, then)) = side.host.reading.take_if(|(own, ..)| *own == number) {
                if idx == active {
                    return self.take_host_entries(entries, then);
                }
                // The launch of a side that the user left stays.
                side.host.entries = entries;
                break;
            }
        }
        Vec::new()
    }

    fn take_host_entries(&mut self, entries: Vec<HostEntry>, then: Then) -> Vec<Effect> {
        let side = self.side_mut();
        side.host.entries = entries;
        match then {
            Then::Take { merges } => {
                if side.host.is_users || side.setup.source.is_none() {
                    return Vec::new();
                }
                let idx = side.host.taken.take().map_or(0, |taken| taken.idx);
                let effects = self.take_host_launch(idx);
                if !effects.is_empty() && merges {
                    // The launch goes with the text that it was read from.
                    self.history.merge_last();
                }
                effects.into_iter().map(|_| Effect::ReplaceLink).collect()
            }
            Then::Find | Then::Keep => {
                let launch = side.setup.launch();
                let mut read = side.host.entries.iter().filter_map(|entry| entry.launch.as_ref());
                side.host.taken = read.find(|read| read.launch == launch).cloned();
                let is_users = match then {
                    Then::Find => side.host.taken.is_none() && side.setup.args.is_some(),
                    _ => self.host_sentence().is_none(),
                };
                self.side_mut().host.is_users = is_users;
                Vec::new()
            }
        }
    }

    /// Takes a launch of the text's host code.
    pub(super) fn take_host_launch(&mut self, idx: usize) -> Vec<Effect> {
        let side = self.side_mut();
        let entry = side.host.entries.get(idx);
        let Some(taken) = entry.and_then(|entry| entry.launch.clone()) else {
            return Vec::new();
        };
        side.host.is_users = false;
        side.drafts.clear();
        side.host.taken = Some(taken.clone());
        self.change(|setup| taken.set(setup))
    }

    /// What was read from host code, while the launch is still that.
    pub fn host_sentence(&self) -> Option<String> {
        let taken = self.side().host.taken.as_ref()?;
        let is_now =
            taken.launch == self.setup().launch() && self.setup().entry.as_ref() == Some(&taken.kernel);
        is_now.then(|| taken.sentence())
    }

    /// Why what was guessed was not read.
    pub fn host_reasons(&self) -> Vec<String> {
        self.side()
            .host
            .taken
            .as_ref()
            .map_or_else(Vec::new, ReadLaunch::reasons)
    }

    /// The launches that host code makes, as a menu has them, and which one is taken; empty if there is one at most.
    pub fn host_launches(&self) -> Vec<(String, bool)> {
        if self.side().host.entries.len() < 2 {
            return Vec::new();
        }
        let chosen = self
            .host_sentence()
            .and(self.side().host.taken.as_ref())
            .map(|taken| taken.idx);
        let text = |(idx, entry): (usize, &HostEntry)| {
            let more = match entry.num_more {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let name = format!("{} (line {}{more})", entry.kernel, entry.line);
            (name, chosen == Some(idx))
        };
        self.side().host.entries.iter().enumerate().map(text).collect()
    }
}
