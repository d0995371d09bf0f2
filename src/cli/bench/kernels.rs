//! `bench`: the library's kernels, each with a launch that keeps an SM busy long enough for timing.

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

/// Families of kernels that spend their time on issue, arithmetic, and communication inside the SM.
///
/// The other families demonstrate memories: their cost is cache lines, sectors, and bank passes, and few of their
/// instructions compute.
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

/// The approximate number of issued instructions to which a launch is scaled.
const ISSUES: u64 = 1_200_000;

/// The timing of a kernel.
pub(super) struct Timed {
    pub(super) kernel: &'static LibraryKernel,
    pub(super) is_compute: bool,
    /// The link to the same launch on the page.
    pub(super) link: String,
    pub(super) cycles: u64,
    pub(super) issues: u64,
    pub(super) seconds: f64,
}

impl Timed {
    /// Returns the speed in million warp instructions per second.
    pub(super) fn speed(&self) -> f64 {
        self.issues as f64 / self.seconds / 1e6
    }
}

/// Whether the speed budget applies to a kernel.
pub(super) fn is_compute(kernel: &LibraryKernel) -> bool {
    library::family_of(kernel.id).is_some_and(|family| COMPUTE_FAMILIES.contains(&family.id))
}

/// Returns the kernels whose ID contains `filter` and that compile for the architecture.
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

/// A kernel's program with a sufficiently large launch.
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

    /// Uses the default launch of the library.
    pub(super) fn as_shown(kernel: &LibraryKernel, arch: ArchId) -> Result<Self, CliError> {
        let compiled =
            compile(kernel, arch).map_err(|diagnostics| super::compile_error(kernel.id, &diagnostics))?;
        Ok(Self {
            program: Arc::new(compiled.program),
            launch: kernel.launch(),
            arch,
        })
    }

    /// Returns the link to the same run on the page.
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

    /// Returns a simulation at cycle 0.
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

/// Times a kernel with a full trace. The fastest run counts, because slower runs include other load of the computer.
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

/// Heap allocations during a run.
pub(super) struct Allocated {
    pub(super) kernel: &'static LibraryKernel,
    pub(super) issues: u64,
    pub(super) cycles: u64,
    /// Allocations of the simulated GPU without a trace.
    pub(super) in_machine: u64,
    /// Allocations with a trace, whose columns grow.
    pub(super) with_trace: u64,
}

/// Counts heap allocations in the second half of a run, when all queues have reached their final capacity.
pub(super) fn allocated(kernel: &'static LibraryKernel, arch: ArchId) -> Result<Allocated, CliError> {
    let load = Load::new(kernel, arch, ISSUES / 4)?;
    let cycles = load.start()?.advance(u64::MAX).cycles;
    let half = cycles / 2;
    let mut simulation = load.start()?;
    simulation.advance(half);
    let mut machine = simulation.machine().clone();
    // Without the drop, shared pages and cache tags would be copied on their first write.
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

/// Returns a kernel's launch with about `factor` times the work: more blocks with longer buffers, or more iterations if
/// more blocks would repeat the same work.
pub(super) fn scaled(kernel: &LibraryKernel, factor: u32) -> Launch {
    let mut launch = kernel.launch();
    let family = library::family_of(kernel.id).map_or("", |family| family.id);
    match family {
        "transpose" | "matmul" => {
            // The side length scales; the work of a matrix product is cubic in the side length.
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
        // The integer argument is the total amount of work.
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

/// Scales the length of the buffers that scale with the grid.
fn grow(launch: &mut Launch, factor: u32) {
    for argument in &mut launch.args {
        if let Argument::Buffer { len, fill, role, .. } = argument {
            // A table of sixteen indices and a mutex keep their length.
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
