//! The flags that describe a scenario; they correspond to the keys of a link.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::files::FileFlags;
use super::option_flags::OptionFlags;
use cuda::host::{GuessOf, Limits, read_with_args};
use engine::arch::ArchId;
use workbench::app::host::{Given, Lists, ReadLaunch, proposed_flags, take_chosen, take_launch};
use workbench::share::{self, Scenario};

/// Launch, compiler, and simulator options, which correspond to the keys of a link.
#[derive(Args, Debug, Default)]
pub(super) struct LaunchFlags {
    /// Name of the `__global__` function [default: the first one in the source]
    #[arg(long, help_heading = "Launch")]
    entry: Option<String>,
    /// Blocks in the grid, for example 4, 4x4, or 4x4x2
    #[arg(long, help_heading = "Launch")]
    grid: Option<String>,
    /// Threads per block, for example 256, 32x8, or 8x8x4
    #[arg(long, help_heading = "Launch")]
    block: Option<String>,
    /// Dynamic shared memory per block in bytes
    #[arg(long, help_heading = "Launch")]
    shared: Option<String>,
    /// Comma-separated kernel arguments: `out:f32*4096:zero,in:f32*4096:lcg1,i32:64,f32:0.5`
    ///
    /// A scalar is `type:value`. A struct by value is `bytes:` followed by hexadecimal digits. A buffer is
    /// `role:type*length:pattern`. Types: i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64. Roles: in, out, inout,
    /// scratch. Patterns: zero, iota, lcgSEED (random), permSEED (permutation), constV, listV/V/…, unset. A pattern can
    /// be followed by `:modM`, `:scaleS`, and `:offsetO`: an element is (base mod M) * S + O.
    #[arg(long, help_heading = "Launch")]
    args: Option<String>,
    /// Comma-separated contents of `__constant__` and `__device__` variables: `name:type*length:pattern`
    #[arg(long, help_heading = "Launch")]
    symbols: Option<String>,
    #[command(flatten)]
    options: OptionFlags,
}

/// The kernel, launch, and architectures of a run. The default is the page's first scenario.
#[derive(Args, Debug, Default)]
pub(super) struct ScenarioFlags {
    /// A CUDA C++ file
    ///
    /// The launch configuration comes from the file's `main()`, and flags override it. Without a `main()` and `--args`, a launch
    /// is chosen for the kernel's parameters.
    file: Option<PathBuf>,
    /// The number of the launch in the file's `main()`, as `launches` lists them [default: 1]
    #[arg(long = "launch", value_name = "N", requires = "file")]
    pub(super) launch_number: Option<usize>,
    /// Command-line arguments of the file's `main()`, separated by spaces
    #[arg(long, value_name = "ARGS", requires = "file", allow_hyphen_values = true)]
    argv: Option<String>,
    /// Run the scenario of a link: a complete URL, or the part after its `#`
    #[arg(long, conflicts_with = "file")]
    link: Option<String>,
    /// Run a library kernel
    #[arg(long, conflicts_with_all = ["file", "link"])]
    kernel: Option<String>,
    /// Comma-separated architecture IDs, as `arch list` prints them
    #[arg(long, value_delimiter = ',')]
    arch: Vec<ArchId>,
    #[command(flatten)]
    sources: FileFlags,
    #[command(flatten)]
    launch: LaunchFlags,
}

impl ScenarioFlags {
    /// Returns the scenario and its architectures (at least one).
    pub(super) fn scenario(&self) -> Result<(Scenario, Vec<ArchId>), CliError> {
        let (scenario, archs, _) = self.scenario_and_launch()?;
        Ok((scenario, archs))
    }

    /// Returns the scenario, its architectures, and the launch that was read from the file's host code, if any.
    pub(super) fn scenario_and_launch(
        &self,
    ) -> Result<(Scenario, Vec<ArchId>, Option<ReadLaunch>), CliError> {
        let (scenario, read) = self.scenario_on(self.arch.first().copied())?;
        let archs = if self.arch.is_empty() {
            vec![scenario.arch]
        } else {
            self.arch.clone()
        };
        Ok((scenario, archs, read))
    }

    /// Returns the scenario on an architecture, and the launch that was read from the file's host code, if any.
    pub(super) fn scenario_on(
        &self,
        arch: Option<ArchId>,
    ) -> Result<(Scenario, Option<ReadLaunch>), CliError> {
        let mut scenario = self.start()?;
        if let Some(arch) = arch {
            scenario.arch = arch;
        }
        let mut read = self.read_launch(&mut scenario)?;
        if let Some(read) = &mut read {
            let launch = &self.launch;
            read.replace(|of| match of {
                GuessOf::Grid => launch.grid.is_some(),
                GuessOf::Block => launch.block.is_some(),
                GuessOf::Shared => launch.shared.is_some(),
                GuessOf::Argument(_) => launch.args.is_some(),
                GuessOf::Symbol => launch.symbols.is_some(),
                GuessOf::Launch => false,
            });
        }
        if let Some(kernel) = &self.kernel {
            apply(&mut scenario, "kernel", kernel)?;
        }
        self.launch.apply_to(&mut scenario)?;
        if let Some(arch) = arch {
            scenario.arch = arch;
        }
        Ok((scenario, read))
    }

    /// Applies a launch of the file's host code to the scenario, if the host code has one.
    fn read_launch(&self, scenario: &mut Scenario) -> Result<Option<ReadLaunch>, CliError> {
        if self.file.is_none() || (self.launch.is_whole() && self.launch_number.is_none()) {
            return Ok(None);
        }
        let args = words(self.argv.as_deref());
        let reading = read_with_args(scenario.source(), scenario.arch, Limits::COMMAND_LINE, &args);
        let of_entry = || (reading.launches.iter()).position(|launch| self.launch.is_of(&launch.kernel));
        let idx = match self.launch_number {
            Some(number) => Some(number.wrapping_sub(1)),
            None => of_entry(),
        };
        if let Some(number) = self
            .launch_number
            .filter(|_| idx.is_none_or(|idx| idx >= reading.launches.len()))
        {
            let num_launches = reading.launches.len();
            let text = format!(
                "launch {number} does not exist: main() has {num_launches} launches; list them with `warpscope launches`"
            );
            return Err(CliError::Input(text));
        }
        if !reading.has_main && self.launch.args.is_none() {
            return self.launch.choose(scenario);
        }
        Ok(idx.and_then(|idx| take_launch(scenario, &reading, idx, Lists::Whole)))
    }

    /// Why the file's `main()` gives no launch, and how to pass one, as lines for a launch that is refused; empty if a launch was
    /// read or given.
    pub(super) fn unread(&self, scenario: &Scenario, arch: ArchId, read: Option<&ReadLaunch>) -> String {
        let launch = &self.launch;
        if self.file.is_none() || read.is_some() || launch.args.is_some() {
            return String::new();
        }
        let args = words(self.argv.as_deref());
        let reading = read_with_args(scenario.source(), arch, Limits::COMMAND_LINE, &args);
        let why = if !reading.has_main {
            "The file has no main(), so that its launch is not known.".to_owned()
        } else if reading.launches.is_empty() {
            let notes: Vec<String> = (reading.notes.iter().take(3))
                .map(|note| {
                    format!(
                        "{}: {}",
                        engine::files::line_text(scenario.source(), note.line),
                        note.text
                    )
                })
                .collect();
            format!("No launch in main() could be read. {}", notes.join(" "))
        } else {
            "The launches of main() are of other kernels.".to_owned()
        };
        let proposed = proposed_flags(scenario, arch)
            .map_or_else(String::new, |flags| format!("\nPass the launch: {flags}"));
        format!("\n{}{proposed}", why.trim_end())
    }

    /// Returns the file name for messages if the source does not name its files.
    pub(super) fn file_name(&self, scenario: &Scenario) -> String {
        match &self.file {
            Some(path) => path.display().to_string(),
            None if scenario.source.is_some() => engine::files::MAIN.to_owned(),
            None => scenario.kernel.clone(),
        }
    }

    /// Returns the scenario before launch flags are applied.
    fn start(&self) -> Result<Scenario, CliError> {
        if let Some(path) = &self.file {
            return Ok(scenario_of_source(self.sources.read(path)?));
        }
        let Some(link) = &self.link else {
            return Ok(Scenario::default());
        };
        let decoded = share::decode(fragment(link));
        match decoded.warnings.first() {
            // The page shows warnings next to the picture; the command line rejects the link.
            Some(warning) => Err(CliError::Input(warning.to_string())),
            None => Ok(decoded.scenario),
        }
    }
}

/// Returns the scenario of a source file with one block of 32 threads and no arguments.
pub(super) fn scenario_of_source(source: String) -> Scenario {
    Scenario {
        source: Some(source),
        grid: Some([1, 1, 1]),
        block: Some([32, 1, 1]),
        dynamic_shared: Some(0),
        args: Some(Vec::new()),
        symbols: Some(Vec::new()),
        ..Scenario::default()
    }
}

fn apply(scenario: &mut Scenario, key: &str, value: &str) -> Result<(), CliError> {
    share::apply(scenario, key, value).map_err(|warning| CliError::Input(warning.to_string()))
}

impl LaunchFlags {
    /// Applies the launch that is chosen for a kernel that no `main()` launches, with the sizes that the flags give.
    pub(super) fn choose(&self, scenario: &mut Scenario) -> Result<Option<ReadLaunch>, CliError> {
        let mut with_flags = scenario.clone();
        self.apply_to(&mut with_flags)?;
        let given = Given {
            grid: self.grid.as_ref().and(with_flags.grid),
            block: self.block.as_ref().and(with_flags.block),
            dynamic_shared: self.shared.as_ref().and(with_flags.dynamic_shared),
        };
        let taken = take_chosen(&mut with_flags, given);
        if taken.is_some() {
            *scenario = with_flags;
        }
        Ok(taken)
    }

    /// Whether the flags give the grid, the block, and the arguments.
    pub(super) const fn is_whole(&self) -> bool {
        self.grid.is_some() && self.block.is_some() && self.args.is_some()
    }

    /// Whether the flags give the arguments.
    pub(super) const fn has_args(&self) -> bool {
        self.args.is_some()
    }

    /// Whether the flags are of this kernel, which can have template arguments: they name it or none.
    pub(super) fn is_of(&self, kernel: &str) -> bool {
        let entry = self.entry.as_deref();
        entry.is_none_or(|entry| kernel == entry || kernel.split('<').next() == Some(entry))
    }

    /// Applies the given flags to a scenario.
    pub(super) fn apply_to(&self, scenario: &mut Scenario) -> Result<(), CliError> {
        for (key, value) in [
            ("entry", &self.entry),
            ("grid", &self.grid),
            ("block", &self.block),
            ("shared", &self.shared),
            ("args", &self.args),
            ("symbols", &self.symbols),
        ] {
            if let Some(value) = value {
                apply(scenario, key, value)?;
            }
        }
        for (key, value) in &self.options.0 {
            apply(scenario, key, value)?;
        }
        Ok(())
    }
}

/// Splits a command line into words.
pub(super) fn words(text: Option<&str>) -> Vec<String> {
    text.unwrap_or_default()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

/// Returns the part of a URL after the `#`, or the whole text if it has no `#`.
pub(super) fn fragment(link: &str) -> &str {
    link.split_once('#').map_or(link, |(_, fragment)| fragment)
}
