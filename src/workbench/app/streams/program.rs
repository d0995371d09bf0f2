//! From a scenario's source to the calls of its host program, and to the launches whose blocks have to be timed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::host_code::{Kernels, Lists, take_launch_of};
use crate::app::start::{compiled_program, prepare};
use crate::host_record::ProcessCalls;
use crate::share::Scenario;
use cuda::host::{HostArg, HostLaunch, HostValue, Limits, Number, Platform, Reading, read_on};
use engine::arch::{Limiter, architecture, occupancy};
use engine::isa::Program;
use engine::launch::{Launch, Role};
use engine::sim::machine::launch_resources;
use engine::streams::{CallKind, CopyEnd, HostCall, HostStream, Options};

/// Kernels are not run for their results: they have the times of their blocks from the simulation.
const LIMITS: Limits = Limits {
    kernel_steps: 0,
    ..Limits::PAGE
};

/// A launch whose blocks have to be timed.
#[derive(Debug)]
pub(super) struct Timed {
    pub(super) kernel: String,
    pub(super) launch: Launch,
    /// The program, or why there is none.
    pub(super) program: Result<Arc<Program>, String>,
    /// The number of buffers and values of the launch that are estimates.
    pub(super) num_guesses: usize,
    /// Arguments that point to the memory of another GPU, and this GPU.
    pub(super) peers: Vec<(usize, u8)>,
}

impl Timed {
    /// Blocks of the launch that each resource of an SM allows: warps, block slots, registers, shared memory.
    pub(super) fn limits(&self, scenario: &Scenario, program: &Program) -> [Option<u32>; 4] {
        let arch = architecture(scenario.arch);
        let resources = launch_resources(arch, program, &self.launch, &scenario.machine);
        let limits = occupancy(arch, &resources).ok();
        [
            Limiter::Warps,
            Limiter::Blocks,
            Limiter::Registers,
            Limiter::Shared,
        ]
        .map(|limiter| limits.as_ref().and_then(|limits| limits.limit(limiter)))
    }
}

/// The host program of a scenario.
#[derive(Debug, Default)]
pub(super) struct HostProgram {
    pub(super) processes: Vec<ProcessCalls>,
    pub(super) works: Vec<Timed>,
    pub(super) notes: Vec<(u32, String)>,
    /// Whether the source has a `main`; otherwise the calls are those of a plain program around the launch.
    pub(super) has_main: bool,
}

/// Reads the host program of a scenario; each process gets its number as the argument if there are several.
pub(super) fn host_program(scenario: &Scenario, options: Options, num_processes: u8) -> HostProgram {
    let arch = architecture(scenario.arch);
    let platform = Platform {
        num_gpus: options.computer.num_gpus(),
        peers: options.computer.peers(arch),
    };
    let source = scenario.source();
    if !source.contains("main") {
        return plain(scenario, num_processes);
    }
    let mut program = HostProgram::default();
    let mut known: Vec<(String, Shape)> = Vec::new();
    let mut kernels = Kernels::default();
    for idx in 0..num_processes {
        let args = if num_processes > 1 {
            vec![idx.to_string()]
        } else {
            Vec::new()
        };
        let reading = read_on(source, scenario.arch, LIMITS, &args, &platform);
        if !reading.has_main {
            return plain(scenario, num_processes);
        }
        program.has_main = true;
        let notes = reading.notes.iter().map(|note| (note.line, note.text.clone()));
        // Calls that fail have no place in the picture.
        let errors = reading
            .errors
            .iter()
            .map(|error| (error.line, format!("{} ({})", error.sentence(), error.why)));
        for note in notes.chain(errors) {
            if !program.notes.contains(&note) {
                program.notes.push(note);
            }
        }
        let mut ids = Vec::new();
        for host in &reading.distinct {
            let shape = Shape::of(host);
            let id = known
                .iter()
                .position(|(kernel, known)| *kernel == host.kernel && *known == shape);
            ids.push(id.unwrap_or_else(|| {
                known.push((host.kernel.clone(), shape));
                program.works.push(timed(scenario, host, &mut kernels));
                program.works.len() - 1
            }));
        }
        let calls = reading.calls.into_iter().map(|mut call| {
            if let CallKind::Launch(launch) = &mut call.kind {
                *launch = ids[*launch as usize] as u32;
            }
            call
        });
        program.processes.push(ProcessCalls {
            calls: calls.collect(),
            streams: reading.streams,
        });
    }
    program
}

/// What distinguishes launches of several processes.
#[derive(Debug, PartialEq)]
struct Shape {
    config: [Option<[u32; 3]>; 2],
    shared: Option<u32>,
    numbers: BTreeMap<String, Number>,
    peers: Vec<(usize, u8)>,
}

impl Shape {
    fn of(host: &HostLaunch) -> Self {
        let numbers = host.args.iter().filter_map(|arg| match arg.value {
            HostValue::Number(number) => Some((arg.parameter.clone(), number)),
            _ => None,
        });
        Self {
            config: [host.grid.clone().ok(), host.block.clone().ok()],
            shared: host.shared.clone().ok(),
            numbers: numbers.collect(),
            peers: peers(host),
        }
    }
}

/// The arguments of a launch that point to the memory of another GPU, and this GPU.
fn peers(host: &HostLaunch) -> Vec<(usize, u8)> {
    let peer = |(idx, arg): (usize, &HostArg)| match &arg.value {
        HostValue::Buffer(contents) => Some((idx, contents.gpu.filter(|gpu| *gpu != host.gpu)?)),
        _ => None,
    };
    host.args.iter().enumerate().filter_map(peer).collect()
}

fn timed(scenario: &Scenario, host: &HostLaunch, kernels: &mut Kernels) -> Timed {
    let one = Reading {
        launches: vec![host.clone()],
        ..Reading::default()
    };
    let mut own = scenario.clone();
    let taken = take_launch_of(&mut own, &one, 0, Lists::Whole, kernels);
    let Some(taken) = taken else {
        return Timed {
            kernel: host.kernel.clone(),
            launch: scenario.launch(),
            program: Err("The kernel does not compile.".to_owned()),
            num_guesses: 0,
            peers: Vec::new(),
        };
    };
    own.entry = Some(host.kernel.clone());
    Timed {
        kernel: host.kernel.clone(),
        launch: taken.launch,
        program: compiled_program(&own),
        num_guesses: taken.guesses.len(),
        peers: peers(host),
    }
}

/// A program for a kernel without `main`: it copies the inputs from page-locked memory, launches, waits, and copies the
/// outputs back.
fn plain(scenario: &Scenario, num_processes: u8) -> HostProgram {
    let program = compiled_program(scenario);
    let launch = match &program {
        Ok(program) => prepare(scenario, program).0,
        Err(_) => scenario.launch(),
    };
    let call = |kind| HostCall {
        line: 0,
        gpu: 0,
        stream: 0,
        kind,
    };
    let copies = |role: Role, from: CopyEnd, to: CopyEnd| {
        let elements = launch.args.iter().filter_map(|arg| arg.elements());
        let of_role = elements
            .filter(move |(.., own)| *own == role)
            .map(|(elem, len, ..)| u64::from(len) * u64::from(elem.bytes()));
        of_role.map(move |bytes| {
            call(CallKind::Copy {
                bytes,
                from,
                to,
                is_async: false,
            })
        })
    };
    let gpu = CopyEnd::Gpu(0);
    let mut calls: Vec<HostCall> = copies(Role::In, CopyEnd::Pinned, gpu)
        .chain(copies(Role::InOut, CopyEnd::Pinned, gpu))
        .collect();
    calls.push(call(CallKind::Launch(0)));
    calls.extend(copies(Role::InOut, gpu, CopyEnd::Pinned));
    calls.extend(copies(Role::Out, gpu, CopyEnd::Pinned));
    calls.push(call(CallKind::WaitDevice));
    let process = ProcessCalls {
        calls,
        streams: vec![HostStream::default_stream()],
    };
    HostProgram {
        processes: vec![process; usize::from(num_processes)],
        works: vec![Timed {
            kernel: scenario.entry().unwrap_or_default().to_owned(),
            launch: launch.clone(),
            program,
            num_guesses: 0,
            peers: Vec::new(),
        }],
        notes: Vec::new(),
        has_main: false,
    }
}
