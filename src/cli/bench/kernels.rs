//! `bench`: the library's kernels, each on a launch that keeps an SM busy for long enough to be timed.

use std::sync::Arc;

use super::clock::Stopwatch;
use super::{CliError, allocations};
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Launch, Pattern, Role};
use engine::sim::MachineOptions;
use engine::trace::{Simulation, TraceOptions};
use workbench::library::{self, LibraryKernel};
use workbench::share::{self, Scenario};

/// Families whose time goes to issue, arithmetic and exchange inside of the SM: products, sums and
/// scans, branches, pipes, registers and barriers. All others are there to show a memory: what they
/// cost is cache lines, sectors and bank passes, and few of their instructions compute anything.
const COMPUTE_FAMILIES: [&str; 9] = [
    "reduce",
    "scan",
    "matmul",
    "stencil",
    "divergence",
    "mixed-math",
    "ilp",
    "pressure",
    "barrier",
];

/// A launch is made so large that about so many instructions issue.
const ISSUES: u64 = 1_200_000;

/// What a kernel took.
pub(super) struct Timed {
    pub(super) kernel: &'static LibraryKernel,
    pub(super) is_compute: bool,
    /// The same launch for the page.
    pub(super) link: String,
    pub(super) cycles: u64,
    pub(super) issues: u64,
    pub(super) seconds: f64,
}

impl Timed {
    /// Million warp instructions a second.
    pub(super) fn speed(&self) -> f64 {
        self.issues as f64 / self.seconds / 1e6
    }
}

/// Whether a kernel is one of those on which the budget is held.
pub(super) fn is_compute(kernel: &LibraryKernel) -> bool {
    library::family_of(kernel.id).is_some_and(|family| COMPUTE_FAMILIES.contains(&family.id))
}

/// Kernels whose id contains `filter` and that the architecture can run: some show what it refuses.
pub(super) fn chosen(filter: Option<&str>, arch: ArchId) -> impl Iterator<Item = &'static LibraryKernel> {
    let filter = filter.unwrap_or("").to_owned();
    library::kernels()
        .filter(move |kernel| kernel.id.contains(&filter))
        .filter(move |kernel| compile(kernel, arch).is_ok())
}

fn compile(
    kernel: &LibraryKernel,
    arch: ArchId,
) -> Result<cuda::Compiled, Vec<cuda::diagnostic::Diagnostic>> {
    cuda::compile(
        kernel.source,
        Some(kernel.entry),
        arch,
        &CompileOptions::default(),
    )
}

/// A kernel's program and a launch that is large enough.
pub(super) struct Load {
    program: Arc<Program>,
    pub(super) launch: Launch,
    arch: ArchId,
}

impl Load {
    pub(super) fn new(kernel: &LibraryKernel, arch: ArchId, issues: u64) -> Result<Self, CliError> {
        let mut load = Self::as_shown(kernel, arch)?;
        let small = load.start()?.advance(u64::MAX).issues.max(1);
        load.launch = scaled(kernel, issues.div_ceil(small) as u32);
        Ok(load)
    }

    /// With the launch that the library shows.
    pub(super) fn as_shown(kernel: &LibraryKernel, arch: ArchId) -> Result<Self, CliError> {
        let compiled =
            compile(kernel, arch).map_err(|diagnostics| super::of_compiler(kernel.id, &diagnostics))?;
        Ok(Self {
            program: Arc::new(compiled.program),
            launch: kernel.launch(),
            arch,
        })
    }

    /// What the page opens to run the same.
    fn link(&self, kernel: &LibraryKernel) -> String {
        share::encode(&Scenario {
            arch: self.arch,
            kernel: kernel.id.to_owned(),
            grid: Some(self.launch.grid),
            block: Some(self.launch.block),
            dynamic_shared: Some(self.launch.dynamic_shared),
            args: Some(self.launch.args.clone()),
            symbols: Some(self.launch.symbols.clone()),
            ..Scenario::default()
        })
    }

    /// A run of it that has not begun.
    pub(super) fn start(&self) -> Result<Simulation, CliError> {
        Simulation::new(
            architecture(self.arch),
            self.program.clone(),
            &self.launch,
            MachineOptions::default(),
            TraceOptions::default(),
        )
        .map_err(|error| CliError::Input(error.to_string()))
    }
}

/// Times a kernel with its full trace: the best of a few runs, as the others only show what else the
/// machine did.
pub(super) fn time(kernel: &'static LibraryKernel, arch: ArchId, runs: u32) -> Result<Timed, CliError> {
    let load = Load::new(kernel, arch, ISSUES)?;
    let mut timed = Timed {
        kernel,
        is_compute: is_compute(kernel),
        link: load.link(kernel),
        cycles: 0,
        issues: 0,
        seconds: f64::MAX,
    };
    for _ in 0..runs.max(1) {
        let mut simulation = load.start()?;
        let watch = Stopwatch::start();
        let progress = simulation.advance(u64::MAX);
        timed.seconds = timed.seconds.min(watch.seconds());
        timed.cycles = progress.cycles;
        timed.issues = progress.issues;
    }
    Ok(timed)
}

/// What is allocated while a kernel runs.
pub(super) struct Allocated {
    pub(super) kernel: &'static LibraryKernel,
    pub(super) issues: u64,
    pub(super) cycles: u64,
    /// In the machine alone, which records nothing.
    pub(super) in_machine: u64,
    /// With the trace, whose columns grow.
    pub(super) with_trace: u64,
}

/// Counts what a kernel allocates in the second half of its run, when all queues have their size.
pub(super) fn allocated(kernel: &'static LibraryKernel, arch: ArchId) -> Result<Allocated, CliError> {
    let load = Load::new(kernel, arch, ISSUES / 4)?;
    let cycles = load.start()?.advance(u64::MAX).cycles;
    let half = cycles / 2;
    let mut simulation = load.start()?;
    simulation.advance(half);
    let mut machine = simulation.machine().clone();
    // Pages and cache tags that the copy shares are copied when they are written first.
    drop(simulation);
    let before = allocations();
    machine.run(&mut ());
    let in_machine = allocations() - before;
    let mut simulation = load.start()?;
    let issued = simulation.advance(half).issues;
    let before = allocations();
    let progress = simulation.advance(u64::MAX);
    let with_trace = allocations() - before;
    Ok(Allocated {
        kernel,
        issues: progress.issues - issued,
        cycles: cycles - half,
        in_machine,
        with_trace,
    })
}

/// A kernel's launch with about `factor` times the work: more blocks with longer buffers, or more
/// steps where more blocks would do the same again.
pub(super) fn scaled(kernel: &LibraryKernel, factor: u32) -> Launch {
    let mut launch = kernel.launch();
    let family = library::family_of(kernel.id).map_or("", |family| family.id);
    match family {
        "transpose" | "matmul" => {
            // A square's side; a product of matrices grows with the side's cube.
            let times = if family == "matmul" {
                f64::from(factor).cbrt()
            } else {
                f64::from(factor).sqrt()
            };
            let times = times.ceil() as u32;
            launch.grid = [launch.grid[0] * times, launch.grid[1] * times, 1];
            grow(&mut launch, times * times);
            grow_numbers(&mut launch, times);
        }
        "pointer-chase" => grow_numbers(&mut launch, factor),
        // What the integer says is the work to be done in all.
        "vector-add" | "saxpy" | "histogram" => {
            launch.grid[0] *= factor;
            grow(&mut launch, factor);
            grow_numbers(&mut launch, factor);
        }
        _ => {
            launch.grid[0] *= factor;
            grow(&mut launch, factor);
        }
    }
    launch
}

/// Makes buffers longer: those that are as long as the grid.
fn grow(launch: &mut Launch, factor: u32) {
    for argument in &mut launch.args {
        if let Argument::Buffer { len, fill, role, .. } = argument {
            // A table of sixteen indices and a mutex stay as they are.
            let is_table = matches!(fill.pattern, Pattern::Perm(_)) && *len < 32;
            if !is_table && *role != Role::Scratch {
                *len *= factor;
            }
        }
    }
}

fn grow_numbers(launch: &mut Launch, factor: u32) {
    for argument in &mut launch.args {
        if let Argument::Scalar {
            ty: ElemType::I32,
            bits,
        } = argument
        {
            *bits *= u64::from(factor);
        }
    }
}
