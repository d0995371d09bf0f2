//! The launches that a program's own host code makes: read from the text, offered in the form, and taken for a run.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Effect, Session, arguments};
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
#[derive(Clone, Debug)]
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
    let launch = converted.launch;
    scenario.entry = Some(host.kernel.clone());
    scenario.grid = Some(launch.grid);
    scenario.block = Some(launch.block);
    scenario.dynamic_shared = Some(launch.dynamic_shared);
    scenario.args = Some(launch.args.clone());
    scenario.symbols = Some(launch.symbols.clone());
    Some(ReadLaunch {
        idx,
        num_launches: reading.num_launches,
        line: host.line,
        kernel: host.kernel.clone(),
        num_read: converted.num_read,
        guesses: converted.guesses,
        read_back: converted.read_back,
        launch,
    })
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

/// What a session knows of the host code in its text.
#[derive(Clone, Debug, Default)]
pub struct HostCode {
    reading: Option<Reading>,
    taken: Option<ReadLaunch>,
    /// Whether the user has set the launch, which stays then.
    pub(super) is_users: bool,
}

impl Session {
    /// Reads the text's host code, and takes its first launch unless the user has set another.
    pub(super) fn follow_host(&mut self) -> Vec<Effect> {
        self.read_host();
        if self.side().host.is_users || self.setup().source.is_none() {
            return Vec::new();
        }
        let idx = self.side_mut().host.taken.take().map_or(0, |taken| taken.idx);
        self.take_host_launch(idx)
    }

    /// Reads the text's host code.
    pub(super) fn read_host(&mut self) {
        let source = self.setup().source();
        let may_launch = source.contains("<<<") || source.contains("cudaLaunchKernel");
        self.side_mut().host.reading = (may_launch && source.contains("main"))
            .then(|| read(source, self.setup().arch, Limits::PAGE))
            .filter(|reading| !reading.launches.is_empty());
    }

    /// Whether an opened link has a launch that is its text's own.
    pub(super) fn follow_opened_host(&mut self) {
        self.read_host();
        self.side_mut().host.taken = None;
        let mut own = self.setup().alone();
        let num_kept = self
            .side()
            .host
            .reading
            .as_ref()
            .map_or(0, |reading| reading.launches.len());
        for idx in 0..num_kept.min(8) {
            let taken = (self.side().host.reading.as_ref())
                .and_then(|reading| take_launch(&mut own, reading, idx, Lists::Short));
            if let Some(taken) = taken.filter(|taken| taken.launch == self.setup().launch()) {
                self.side_mut().host.taken = Some(taken);
                break;
            }
        }
        self.side_mut().host.is_users = self.side().host.taken.is_none() && self.setup().args.is_some();
    }

    /// Takes a launch of the text's host code.
    pub(super) fn take_host_launch(&mut self, idx: usize) -> Vec<Effect> {
        let Some(reading) = &self.side().host.reading else {
            return Vec::new();
        };
        let mut scenario = self.setup().alone();
        let Some(taken) = take_launch(&mut scenario, reading, idx, Lists::Short) else {
            return Vec::new();
        };
        self.side_mut().host.taken = Some(taken);
        self.side_mut().host.is_users = false;
        self.side_mut().drafts.clear();
        self.change(|setup| *setup = Setup::of(&scenario))
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
        let Some(reading) = self
            .side()
            .host
            .reading
            .as_ref()
            .filter(|reading| reading.launches.len() > 1)
        else {
            return Vec::new();
        };
        let chosen = self
            .host_sentence()
            .and(self.side().host.taken.as_ref())
            .map(|taken| taken.idx);
        let text = |(idx, launch): (usize, &HostLaunch)| {
            let more = match launch.num_more {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let name = format!("{} (line {}{more})", launch.kernel, launch.line);
            (name, chosen == Some(idx))
        };
        reading.launches.iter().enumerate().map(text).collect()
    }
}
