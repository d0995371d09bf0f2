//! The launches in a program's host code, read from the source and matched to the kernels.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::arguments;
use super::chosen::{Given, choose};
use super::device::estimated_instructions;
use super::edited::is_edit;
use super::form::dims_text;
use crate::check::Unknown;
use crate::scene::{capital, counted, legal_carveout};
use crate::share::{Scenario, Setup};
use cuda::host::{Guess, GuessOf, HostError, HostLaunch, Limits, Reading, SharedPreference, read};
use engine::arch::{ArchId, Generation, architecture};
use engine::isa::{ElemType, Instruction, Op, Program, Space};
use engine::launch::{Argument, Fill, Launch, Pattern};

/// Limit of a buffer's values in a link; longer lists become random values of the same range.
const LISTED: usize = 256;

/// How lists of values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// Unchanged.
    Whole,
    /// As random numbers of the same range if the list exceeds a link's limit.
    Short,
}

/// A launch in host code that matches the kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadLaunch {
    /// Its index among the stored launches.
    pub idx: usize,
    /// The number of launches in the host code, as far as it is known.
    pub num_launches: u32,
    /// The line of the launch, from 1.
    pub line: u32,
    /// The kernel's name, with template arguments.
    pub kernel: String,
    /// The number of arguments that were read completely.
    pub num_read: u32,
    /// The estimated values.
    pub guesses: Vec<Guess>,
    /// Arguments whose memory the host reads after a launch.
    pub read_back: Vec<u16>,
    /// The launch.
    pub launch: Launch,
    /// The carveout that the host code prefers for the kernel.
    #[serde(default)]
    pub carveout: HostCarveout,
    /// How many blocks run, where the whole grid takes too long.
    #[serde(default)]
    pub first_blocks: Option<u32>,
    /// The error that the CUDA runtime gives the launch: its kernel does not run.
    #[serde(default)]
    pub failure: Option<HostError>,
    /// The calls before the launch, and the launch, that fail though the program does not look.
    #[serde(default)]
    pub unread_errors: Vec<HostError>,
    /// Whether no `main()` has the launch, so that all of it is chosen: `guesses` has the parts.
    #[serde(default)]
    pub is_chosen: bool,
}

/// The carveout that host code prefers for a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HostCarveout {
    /// The host code sets no preference.
    #[default]
    Unset,
    /// The driver's choice.
    Driver,
    /// This size in KB.
    Kib(u32),
}

/// The carveout that a preference selects on a chip; `None`: the driver's choice. A percentage is one of the largest size,
/// and is rounded up to the next size (`cuda_occupancy.h`).
fn preferred_carveout(preferred: SharedPreference, arch: ArchId) -> Option<u32> {
    let sizes = architecture(arch).occupancy.carveouts_kib.value;
    let (Some(least), Some(most)) = (sizes.first(), sizes.last()) else {
        return None;
    };
    // A chip with one size has nothing to choose.
    (sizes.len() > 1).then_some(())?;
    let kib = match preferred {
        SharedPreference::None => return None,
        SharedPreference::Percent(percent) if !(0..=100).contains(&percent) => return None,
        SharedPreference::Percent(percent) => (u32::from(*most) * percent as u32).div_ceil(100),
        SharedPreference::Shared => (*most).into(),
        SharedPreference::L1 => (*least).into(),
        // 32 of 64 KB on 3.x; 2.x has no equal parts and prefers neither.
        SharedPreference::Equal if sizes.contains(&32) => 32,
        SharedPreference::Equal => return None,
    };
    Some(legal_carveout(architecture(arch), kib))
}

impl ReadLaunch {
    /// Applies the launch to a setup.
    pub(super) fn set(&self, setup: &mut Setup) {
        let launch = &self.launch;
        setup.entry = Some(self.kernel.clone());
        setup.grid = Some(launch.grid);
        setup.block = Some(launch.block);
        setup.dynamic_shared = Some(launch.dynamic_shared);
        setup.args = Some(launch.args.clone());
        setup.symbols = Some(launch.symbols.clone());
        setup.machine.first_blocks = self.first_blocks;
        match self.carveout {
            HostCarveout::Unset => {}
            HostCarveout::Driver => setup.machine.carveout_kib = None,
            HostCarveout::Kib(kib) => setup.machine.carveout_kib = Some(kib),
        }
    }

    /// What is not known of the launch, if an argument, a size, or a variable is estimated.
    pub fn unknown(&self) -> Option<Unknown> {
        if self.is_chosen {
            return (!self.guesses.is_empty()).then(|| Unknown {
                clause: "the launch is chosen, as no main() has it".to_owned(),
                is_of_sizes: true,
                is_chosen: true,
            });
        }
        let mut guesses = self.guesses.iter().filter(|guess| guess.of != GuessOf::Launch);
        let first = guesses.next()?;
        let more = match guesses.count() {
            0 => String::new(),
            1 => ", and 1 more value".to_owned(),
            num => format!(", and {num} more values"),
        };
        let is_size = |guess: &Guess| match guess.of {
            GuessOf::Grid | GuessOf::Block | GuessOf::Shared => true,
            GuessOf::Argument(idx) => {
                (self.launch.args.get(usize::from(idx))).is_none_or(|arg| arg.elements().is_none())
            }
            GuessOf::Launch | GuessOf::Symbol => false,
        };
        Some(Unknown {
            clause: format!("the launch is not known: {} ({}){more}", first.what, first.why),
            is_of_sizes: self.guesses.iter().any(is_size),
            is_chosen: false,
        })
    }

    /// Why the launch does not run: a texture or surface that is not read, for which a generated one would give wrong values; and
    /// the arguments to pass instead. `names` are those of the parameters.
    pub fn unread_texture(&self, names: &[String]) -> Option<String> {
        let is_texture = |guess: &&Guess| match guess.of {
            GuessOf::Argument(idx) => {
                matches!(self.launch.args.get(usize::from(idx)), Some(Argument::Texture(_)))
            }
            _ => false,
        };
        let guess = self.guesses.iter().find(is_texture)?;
        let GuessOf::Argument(idx) = guess.of else {
            return None;
        };
        let name = names.get(usize::from(idx)).map_or("", String::as_str);
        let args: Vec<String> = self.launch.args.iter().map(crate::share::argument_text).collect();
        Some(format!(
            "The texture {name} is not read from main(): {}. Pass the arguments: --args \"{}\"",
            guess.why,
            args.join(",")
        ))
    }

    /// Drops guesses that flags have replaced.
    pub fn replace(&mut self, is_replaced: impl Fn(GuessOf) -> bool) {
        self.guesses.retain(|guess| !is_replaced(guess.of));
    }

    /// Sentences about the values that were read and estimated.
    pub fn sentence(&self) -> String {
        if self.is_chosen {
            let names: Vec<&str> = self.guesses.iter().map(|guess| guess.what.as_str()).collect();
            return match names[..] {
                [] => "No main() launches this kernel.".to_owned(),
                _ => format!("No main() launches this kernel. Chosen: {}.", names.join(", ")),
            };
        }
        let is_guessed = |what: &str| self.guesses.iter().any(|guess| guess.what == what);
        let mut parts: Vec<String> = [("the grid", "grid"), ("the block", "block")]
            .into_iter()
            .filter(|(what, _)| !is_guessed(what))
            .map(|(_, name)| name.to_owned())
            .collect();
        if self.num_read > 0 {
            parts.push(counted(self.num_read.into(), "argument"));
        }
        if let HostCarveout::Kib(kib) = self.carveout {
            parts.push(format!("{kib} KB of shared memory"));
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
            format!(" Estimated: {}.", names.join(", "))
        };
        format!("{read}{guessed} main() itself does not run.")
    }

    /// The calls that fail, as sentences: the launch, and those that the program does not look at.
    pub fn error_sentences(&self) -> Vec<String> {
        let read = self.failure.iter().filter(|failure| failure.is_looked_at);
        let errors = self.unread_errors.iter().chain(read);
        errors
            .map(|error| format!("{} (line {}: {})", error.sentence(), error.line, error.why))
            .collect()
    }

    /// The dimensions that were read, and where: `grid 64, block 256: from main(), line 31`.
    pub fn origin(&self) -> String {
        if self.is_chosen {
            let (grid, block) = (dims_text(self.launch.grid), dims_text(self.launch.block));
            return format!(
                "grid {grid}, block {block}: chosen for the kernel at line {}",
                self.line
            );
        }
        let is_guessed = |what: &str| self.guesses.iter().any(|guess| guess.what == what);
        let dims = [
            ("the grid", "grid", self.launch.grid),
            ("the block", "block", self.launch.block),
        ];
        let read: Vec<String> = dims
            .into_iter()
            .filter(|(what, ..)| !is_guessed(what))
            .map(|(_, name, extents)| format!("{name} {}", dims_text(extents)))
            .collect();
        let read = if read.is_empty() {
            "this launch".to_owned()
        } else {
            read.join(", ")
        };
        format!("{read}: from main(), line {}", self.line)
    }

    /// The reasons for the estimates, as sentences.
    pub fn reasons(&self) -> Vec<String> {
        let reason = |guess: &Guess| format!("{}: {}.", capital(&guess.what), guess.why);
        self.guesses.iter().map(reason).collect()
    }
}

/// Compiled kernels of one source, by name, for their parameters; `None` if a kernel does not compile.
#[derive(Default)]
pub struct Kernels(BTreeMap<String, Option<Rc<Program>>>);

/// Applies a launch to the scenario. `None` if the kernel does not compile or the launch does not exist.
pub fn take_launch(
    scenario: &mut Scenario,
    reading: &Reading,
    idx: usize,
    lists: Lists,
) -> Option<ReadLaunch> {
    take_launch_of(scenario, reading, idx, lists, &mut Kernels::default())
}

/// Like `take_launch`, for several launches of one source.
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
    if options.pointers_32_bit && architecture(arch).generation != Generation::Tesla {
        converted.guesses.push(Guess {
            of: GuessOf::Launch,
            what: "sizes of pointers, `long`, and `size_t` in main()".to_owned(),
            why: "main() is read as 64-bit code, and with -m32 the runtime API needs 32-bit host code"
                .to_owned(),
        });
    }
    if lists == Lists::Short {
        for (param, arg) in program.params.iter().zip(&mut converted.launch.args) {
            if let Argument::Buffer { elem, fill, .. } = arg
                && let Some(range) = shortened(*elem, fill)
            {
                *fill = range;
                converted.num_read = converted.num_read.saturating_sub(1);
                converted.guesses.push(Guess {
                    of: GuessOf::Launch,
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
                    of: GuessOf::Launch,
                    what: format!("`{}` (as in its declaration)", fill.symbol),
                    why: format!("a link holds at most {LISTED} values of a variable"),
                });
            }
            is_short
        });
    }
    let taken = ReadLaunch {
        first_blocks: first_blocks(&program, &converted.launch, arch),
        idx,
        num_launches: reading.num_launches,
        line: host.line,
        kernel: host.kernel.clone(),
        num_read: converted.num_read,
        guesses: converted.guesses,
        read_back: converted.read_back,
        launch: converted.launch,
        carveout: host.preferred.map_or(HostCarveout::Unset, |preferred| {
            preferred_carveout(preferred, arch).map_or(HostCarveout::Driver, HostCarveout::Kib)
        }),
        failure: host.error.clone(),
        unread_errors: unread_errors(reading, host),
        is_chosen: false,
    };
    let mut setup = Setup::of(scenario);
    taken.set(&mut setup);
    *scenario = setup.within(scenario);
    Some(taken)
}

/// The flags of a launch that suits a scenario's kernel: grid, block, and arguments made for its parameters. `None` if the kernel
/// does not compile or takes no arguments.
pub fn proposed_flags(scenario: &Scenario, arch: ArchId) -> Option<String> {
    let compiled = cuda::compile(scenario.source(), scenario.entry(), arch, &scenario.compile);
    let program = compiled.ok()?.program;
    let launch = scenario.launch();
    let args: Vec<String> = (program.params.iter())
        .map(|param| crate::share::argument_text(&arguments::argument(param, &launch).0))
        .collect();
    (!args.is_empty()).then(|| {
        format!(
            "--grid {} --block {} --args \"{}\"",
            dims_text(launch.grid),
            dims_text(launch.block),
            args.join(",")
        )
    })
}

/// Estimated warp instructions up to which all blocks of a launch run, and those of the blocks that run of a larger one.
/// Assumption: the first take a minute natively if they wait for memory, the others some seconds.
const WHOLE_GRID: u64 = 1 << 22;
const FIRST_BLOCKS: u64 = 1 << 18;

/// The blocks that run of a grid that takes too long as a whole; `None`: all. All blocks run if they can wait for each other:
/// those of a grid that the device can hold at once, and those that get values from atomic operations.
fn first_blocks(program: &Program, launch: &Launch, arch: ArchId) -> Option<u32> {
    let passes_values = |instruction: &Instruction| matches!(instruction.op, Op::Atom { space, .. } if space != Space::Shared);
    let (all, blocks) = (estimated_instructions(program, launch), launch.num_blocks());
    let model = architecture(arch);
    let held = u64::from(model.chip.num_sms.value) * u64::from(model.occupancy.max_blocks_per_sm.value);
    if all <= WHOLE_GRID || blocks <= held || program.code.iter().any(passes_values) {
        return None;
    }
    // At least as many as an SM holds at once, on every architecture.
    let num = (FIRST_BLOCKS / (all / blocks).max(1)).max(32).next_power_of_two();
    (num < blocks).then_some(num as u32)
}

/// The failing calls that the program does not look at and that decide the launch: those on the lines before it, and itself.
fn unread_errors(reading: &Reading, host: &HostLaunch) -> Vec<HostError> {
    let errors = reading.errors.iter().filter(|error| !error.is_looked_at);
    let is_own = |error: &&HostError| match &host.error {
        Some(own) if error.is_launch => (own.line, own.error) == (error.line, error.error),
        _ => !error.is_launch && error.line <= host.line,
    };
    errors.filter(is_own).cloned().collect()
}

/// Random numbers in the range of a list that exceeds a link's limit.
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
    /// The kernel's name, with template arguments.
    pub kernel: String,
    /// The line of the launch, from 1.
    pub line: u32,
    /// Further launches on the same line.
    pub num_more: u32,
    /// The launch matched to the kernel; `None` if the kernel does not compile.
    pub launch: Option<ReadLaunch>,
}

/// The launch that is chosen for a scenario's kernel, which no `main()` launches. `None` if the kernel does not compile.
fn chosen_launch(scenario: &Scenario, given: Given) -> Option<ReadLaunch> {
    let chosen = choose(scenario, given)?;
    Some(ReadLaunch {
        idx: 0,
        num_launches: 1,
        line: chosen.line,
        kernel: chosen.kernel,
        num_read: 0,
        guesses: chosen.why,
        read_back: Vec::new(),
        launch: chosen.launch,
        carveout: HostCarveout::Unset,
        first_blocks: None,
        failure: None,
        unread_errors: Vec::new(),
        is_chosen: true,
    })
}

/// Applies the launch that is chosen for the scenario's kernel.
pub fn take_chosen(scenario: &mut Scenario, given: Given) -> Option<ReadLaunch> {
    let taken = chosen_launch(scenario, given)?;
    let mut setup = Setup::of(scenario);
    taken.set(&mut setup);
    *scenario = setup.within(scenario);
    Some(taken)
}

/// Whether a scenario's source is a program of its own, and no edit of its library kernel.
pub(super) fn is_own(scenario: &Scenario) -> bool {
    scenario.source.is_some() && !is_edit(scenario.library_kernel().source, scenario.source())
}

/// The launches in the host code of a scenario's source, with contents that fit into a link. For a program of its own without such
/// launches, the one that is chosen for its kernel.
pub(super) fn launches(scenario: &Scenario) -> Vec<HostEntry> {
    let reading = read(scenario.source(), scenario.arch, Limits::PAGE);
    if reading.launches.is_empty() && is_own(scenario) {
        let launch = chosen_launch(scenario, Given::default());
        return Vec::from_iter(launch.map(|launch| HostEntry {
            kernel: launch.kernel.clone(),
            line: launch.line,
            num_more: 0,
            launch: Some(launch),
        }));
    }
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
