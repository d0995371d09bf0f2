//! The flags that say what runs: the keys of a link, as options.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::files::FileFlags;
use super::launches::words;
use super::link::fragment;
use cuda::host::{Limits, read_with_args};
use engine::arch::ArchId;
use workbench::app::host::{Lists, ReadLaunch, take_launch};
use workbench::share::{self, Scenario};

/// How a kernel is launched, compiled, and run: the keys of a link.
#[derive(Args, Debug, Default)]
pub(super) struct LaunchFlags {
    /// Name of the `__global__` function; without it the first one of the text
    #[arg(long, help_heading = "Launch")]
    entry: Option<String>,
    /// Blocks, as 4, 4x4 or 4x4x2
    #[arg(long, help_heading = "Launch")]
    grid: Option<String>,
    /// Threads of a block, as 256, 32x8 or 8x8x4
    #[arg(long, help_heading = "Launch")]
    block: Option<String>,
    /// Dynamic shared memory in bytes
    #[arg(long, help_heading = "Launch")]
    shared: Option<String>,
    /// Arguments in order, as in links: `out:f32*4096:zero,in:f32*4096:lcg1,i32:64,f32:0.5`
    ///
    /// A scalar is `type:value`; a struct by value `bytes:` and hexadecimal digits; a buffer
    /// `role:type*length:pattern`. Types: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64. Roles: in, out,
    /// inout, scratch. Patterns: zero, iota, lcgSEED, permSEED, constV, listV/V/…, unset;
    /// after them `:modM`, `:scaleS` and `:offsetO` where wanted.
    #[arg(long, help_heading = "Launch")]
    args: Option<String>,
    /// Contents of `__constant__` and `__device__` variables: `name:type*length:pattern`, by commas
    #[arg(long, help_heading = "Launch")]
    symbols: Option<String>,
    /// Fuse multiplications with additions: on or off [default: on]
    #[arg(long, help_heading = "Compilation")]
    fmad: Option<String>,
    /// Subnormal single-precision numbers are zero: on or off [default: off]
    #[arg(long, help_heading = "Compilation")]
    ftz: Option<String>,
    /// Correctly rounded single-precision division: on or off [default: on]
    #[arg(long, help_heading = "Compilation")]
    prec_div: Option<String>,
    /// Correctly rounded single-precision square root: on or off [default: on]
    #[arg(long, help_heading = "Compilation")]
    prec_sqrt: Option<String>,
    /// Intrinsics in place of functions, and the three above: on or off [default: off]
    #[arg(long, help_heading = "Compilation")]
    fast_math: Option<String>,
    /// At most so many registers a thread
    #[arg(long, help_heading = "Compilation")]
    maxrregcount: Option<String>,
    /// 32-bit device pointers where the chip has a choice: on or off [default: off]
    #[arg(long, help_heading = "Compilation")]
    m32: Option<String>,
    /// Shared memory of the SM in KiB; without it the driver's choice
    #[arg(long, help_heading = "Machine")]
    carveout: Option<String>,
    /// Caching of global loads: default, ca (L1 and L2) or cg (L2 only)
    #[arg(long, help_heading = "Machine")]
    dlcm: Option<String>,
    /// Bytes of successive memory in a bank of shared memory, 4 or 8, where the host can choose
    /// (cudaDeviceSetSharedMemConfig on 3.x) [default: 4]
    #[arg(long, help_heading = "Machine")]
    bank_size: Option<String>,
    /// Scheduling: chip (the chip's own), lrr, gto or twolevel [default: chip]
    #[arg(long, help_heading = "Machine")]
    policy: Option<String>,
    /// Switch between diverged groups of a warp at every chance: on or off [default: off]
    #[arg(long, help_heading = "Machine")]
    adversarial: Option<String>,
    /// End after so many cycles
    #[arg(long, help_heading = "Machine")]
    max_cycles: Option<String>,
}

/// What runs, on what. Without a file, a link or a library kernel: the page's first scenario.
#[derive(Args, Debug, Default)]
pub(super) struct ScenarioFlags {
    /// A CUDA C file; what flags do not say of its launch is read from its `main()`, and without one it is one block of
    /// 32 threads without arguments
    file: Option<PathBuf>,
    /// Which of the launches of the file's `main()`, from 1, as `launches` lists them [default: 1]
    #[arg(long = "launch", value_name = "N", requires = "file")]
    pub(super) launch_number: Option<usize>,
    /// What the file's `main()` gets on its command line, separated by spaces
    #[arg(long, value_name = "ARGS", requires = "file", allow_hyphen_values = true)]
    argv: Option<String>,
    /// Starts from a link (a whole address, or what stands after its `#`)
    #[arg(long, conflicts_with = "file")]
    link: Option<String>,
    /// Starts from a kernel of the library
    #[arg(long, conflicts_with_all = ["file", "link"])]
    kernel: Option<String>,
    /// Architectures, by their ids, separated by commas
    #[arg(long, value_delimiter = ',')]
    arch: Vec<ArchId>,
    #[command(flatten)]
    sources: FileFlags,
    #[command(flatten)]
    launch: LaunchFlags,
}

impl ScenarioFlags {
    /// The scenario, and the architectures on which it is to run (at least one).
    pub(super) fn scenario(&self) -> Result<(Scenario, Vec<ArchId>), CliError> {
        let (scenario, archs, _) = self.scenario_and_launch()?;
        Ok((scenario, archs))
    }

    /// The same, and what of the launch was read from the file's host code.
    pub(super) fn scenario_and_launch(
        &self,
    ) -> Result<(Scenario, Vec<ArchId>, Option<ReadLaunch>), CliError> {
        let mut scenario = self.start()?;
        if let Some(first) = self.arch.first() {
            scenario.arch = *first;
        }
        let read = self.read_launch(&mut scenario)?;
        if let Some(kernel) = &self.kernel {
            apply(&mut scenario, "kernel", kernel)?;
        }
        self.launch.apply_to(&mut scenario)?;
        if let Some(first) = self.arch.first() {
            scenario.arch = *first;
        }
        let archs = if self.arch.is_empty() {
            vec![scenario.arch]
        } else {
            self.arch.clone()
        };
        Ok((scenario, archs, read))
    }

    /// Takes a launch of the file's host code, if there is one.
    fn read_launch(&self, scenario: &mut Scenario) -> Result<Option<ReadLaunch>, CliError> {
        let launch = &self.launch;
        let is_given = launch.grid.is_some() && launch.block.is_some() && launch.args.is_some();
        if self.file.is_none() || (is_given && self.launch_number.is_none()) {
            return Ok(None);
        }
        let args = words(self.argv.as_deref());
        let reading = read_with_args(scenario.source(), scenario.arch, Limits::COMMAND_LINE, &args);
        let of_entry = |entry: &String| {
            let is_it = |name: &str| name == entry || name.split('<').next() == Some(entry);
            reading.launches.iter().position(|launch| is_it(&launch.kernel))
        };
        let idx = match (self.launch_number, &self.launch.entry) {
            (Some(number), _) => Some(number.wrapping_sub(1)),
            (None, Some(entry)) => of_entry(entry),
            (None, None) => Some(0),
        };
        if let Some(number) = self
            .launch_number
            .filter(|_| idx.is_none_or(|idx| idx >= reading.launches.len()))
        {
            let most = reading.launches.len();
            let text = format!(
                "there is no launch {number}: {most} were read from main(); `warpscope launches` lists them"
            );
            return Err(CliError::Input(text));
        }
        Ok(idx.and_then(|idx| take_launch(scenario, &reading, idx, Lists::Whole)))
    }

    /// The name of the scenario's source in messages, where the source does not name its files.
    pub(super) fn file_name(&self, scenario: &Scenario) -> String {
        match &self.file {
            Some(path) => path.display().to_string(),
            None if scenario.source.is_some() => engine::files::MAIN.to_owned(),
            None => scenario.kernel.clone(),
        }
    }

    /// The scenario before any flag.
    fn start(&self) -> Result<Scenario, CliError> {
        if let Some(path) = &self.file {
            return Ok(of_source(self.sources.read(path)?));
        }
        let Some(link) = &self.link else {
            return Ok(Scenario::default());
        };
        let decoded = share::decode(fragment(link));
        match decoded.warnings.first() {
            // What a page shows beside the picture must not pass unseen here.
            Some(warning) => Err(CliError::Input(warning.to_string())),
            None => Ok(decoded.scenario),
        }
    }
}

/// A source file with one block of 32 threads and no arguments.
pub(super) fn of_source(source: String) -> Scenario {
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
    /// Changes what the flags name.
    pub(super) fn apply_to(&self, scenario: &mut Scenario) -> Result<(), CliError> {
        for (key, value) in self.pairs() {
            if let Some(value) = value {
                apply(scenario, key, value)?;
            }
        }
        Ok(())
    }

    /// The flags as keys of a link.
    fn pairs(&self) -> [(&'static str, Option<&str>); 19] {
        [
            ("entry", self.entry.as_deref()),
            ("grid", self.grid.as_deref()),
            ("block", self.block.as_deref()),
            ("shared", self.shared.as_deref()),
            ("args", self.args.as_deref()),
            ("symbols", self.symbols.as_deref()),
            ("fmad", self.fmad.as_deref()),
            ("ftz", self.ftz.as_deref()),
            ("precdiv", self.prec_div.as_deref()),
            ("precsqrt", self.prec_sqrt.as_deref()),
            ("fastmath", self.fast_math.as_deref()),
            ("regs", self.maxrregcount.as_deref()),
            ("m32", self.m32.as_deref()),
            ("carveout", self.carveout.as_deref()),
            ("dlcm", self.dlcm.as_deref()),
            ("banksize", self.bank_size.as_deref()),
            ("policy", self.policy.as_deref()),
            ("adversarial", self.adversarial.as_deref()),
            ("maxcycles", self.max_cycles.as_deref()),
        ]
    }
}
