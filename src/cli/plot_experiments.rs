//! The kernels and the sweeps of the Plots view's experiments.

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{Machine, MachineOptions, Outcome};
use engine::trace::device::DeviceSimulation;
use workbench::scene::{EXPERIMENTS, ExperimentRow};

/// The points of all experiments on an architecture.
pub(super) fn simulate(id: ArchId) -> Vec<ExperimentRow> {
    let row = |what: &str| {
        let points: Vec<(f64, f64)> = values(id, what)
            .into_iter()
            .filter_map(|x| Some((x, (measure(id, what, x)? * 100.0).round() / 100.0)))
            .collect();
        (!points.is_empty()).then(|| ExperimentRow {
            arch: id,
            what: what.to_owned(),
            points,
        })
    };
    EXPERIMENTS
        .iter()
        .filter_map(|experiment| row(experiment.id))
        .collect()
}

/// The values of the number that changes.
fn values(id: ArchId, what: &str) -> Vec<f64> {
    let most = architecture(id).occupancy.max_threads_per_block.value;
    let sizes = |from: u32| -> Vec<f64> {
        let sizes = [32_u32, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
        let fits = sizes
            .into_iter()
            .filter(|size| (from..=u32::from(most)).contains(size));
        fits.map(f64::from).collect()
    };
    match what {
        "mix" => (0..=8).map(f64::from).collect(),
        "block" => sizes(32)
            .into_iter()
            .filter(|size| 8192.0 % size == 0.0)
            .collect(),
        "barrier" => sizes(32)
            .into_iter()
            .filter(|size| *size <= 512.0 && 512.0 % size == 0.0)
            .collect(),
        _ => [0.25, 0.5, 0.75, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.1, 2.5, 3.0].into(),
    }
}

/// The value of an experiment at one point; `None`: the architecture does not run the launch.
pub(super) fn measure(id: ArchId, what: &str, x: f64) -> Option<f64> {
    match what {
        "mix" => mix(id, x as usize),
        "block" => {
            let (threads, block) = (8192, x as u32);
            let args = vec![floats(4 * threads, Role::In), floats(4 * threads, Role::Out)];
            let cycles = cycles(id, COPY, &launch(threads / block, block, args))?;
            Some(f64::from(2 * 16 * threads) / cycles)
        }
        "barrier" => {
            let (threads, block) = (512, x as u32);
            let args = vec![floats(8 * threads, Role::In), floats(threads, Role::Out)];
            cycles(id, BARRIER, &launch(threads / block, block, args))
        }
        _ => waves(id, x),
    }
}

const COPY: &str = "__global__ void copy(const float *in, float *out) {
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n];
    out[i] = a; out[i + n] = b; out[i + 2 * n] = c; out[i + 3 * n] = d;
}";

const BARRIER: &str = "__global__ void rounds(const float *in, float *out) {
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < 8; ++k) {
        float v = in[i + k * n];
        #pragma unroll
        for (int j = 0; j < 16; ++j) v = v * 0.5f + 1.0f;
        sum += v;
        __syncthreads();
    }
    out[i] = sum;
}";

const WAVES: &str = "__global__ void chain(float *out, int n) {
    __shared__ float all[SIZE];
    float v = threadIdx.x;
    #pragma unroll 1
    for (int k = 0; k < n; ++k) v = v * 0.5f + 1.0f;
    all[threadIdx.x] = v;
    out[blockIdx.x * blockDim.x + threadIdx.x] = all[threadIdx.x];
}";

/// Results per clock of 16 warps whose rounds have eight instructions, `num` of them on integers.
fn mix(id: ArchId, num: usize) -> Option<f64> {
    let body = |odd: bool| -> String {
        let step = |k: usize| {
            // Integer instructions are spread among the others; additions and exclusive ors in turn cannot be combined.
            match ((k + 1) * num / 8 > k * num / 8, odd) {
                (true, false) => format!("p{k} += q;"),
                (true, true) => format!("p{k} ^= q;"),
                (false, _) => format!("f{k} = f{k} * 0.5f + g;"),
            }
        };
        (0..8).map(step).collect::<Vec<_>>().concat()
    };
    let (even, odd) = (body(false), body(true));
    let list = |ty: &str, name: char| -> String {
        let lines = (0..8).map(|k| format!("{ty} {name}{k} = ({ty})threadIdx.x + {k};"));
        lines.collect::<Vec<_>>().concat()
    };
    let used = (0..8).map(|k| format!(" + f{k} + (float)p{k}"));
    let used = used.collect::<Vec<_>>().concat();
    let source = format!(
        "__global__ void mixed(float *out, int n, int q, float g) {{
            {} {}
            #pragma unroll 1
            for (int k = 0; k < n; ++k) {{
                #pragma unroll
                for (int j = 0; j < 4; ++j) {{ {even} {odd} }}
            }}
            out[threadIdx.x] = 0.0f{used};
        }}",
        list("float", 'f'),
        list("int", 'p'),
    );
    let time = |rounds: i32| {
        let args = vec![floats(512, Role::Out), int(rounds), int(5), scalar(1.5)];
        cycles(id, &source, &launch(1, 512, args))
    };
    let (short, long) = (time(2)?, time(10)?);
    Some(8.0 * 8.0 * 8.0 * 512.0 / (long - short))
}

/// Cycles of the device for a number of waves.
fn waves(id: ArchId, waves: f64) -> Option<f64> {
    let model = architecture(id);
    let num_sms = model.chip.num_sms.value;
    // Most of what a block can have; 1.x keeps the parameters in shared memory.
    let size = u32::from(model.occupancy.shared_static_kib.value) * 256 - 256;
    let source = WAVES.replace("SIZE", &size.to_string());
    let program = compile(&source, None, id, &CompileOptions::default())
        .ok()?
        .program;
    let run = |blocks: u32| {
        let args = vec![floats(blocks * 32, Role::Out), int(200)];
        let options = MachineOptions::default();
        let launch = launch(blocks, 32, args);
        let mut simulation = DeviceSimulation::new(model, &program, &launch, options, num_sms).ok()?;
        simulation.advance(u64::MAX);
        let trace = simulation.trace();
        (trace.outcome == Some(Outcome::Finished)).then_some(trace)
    };
    let fit = run(1)?.blocks_per_sm * u32::from(num_sms);
    let blocks = (waves * f64::from(fit)).round().max(1.0);
    Some(run(blocks as u32)?.num_cycles as f64)
}

/// Cycles of a launch on one SM.
fn cycles(id: ArchId, source: &str, launch: &Launch) -> Option<f64> {
    let compiled = compile(source, None, id, &CompileOptions::default()).ok()?;
    let mut machine = Machine::new(
        architecture(id),
        &compiled.program,
        launch,
        MachineOptions::default(),
    )
    .ok()?;
    machine.run(&mut ());
    (machine.outcome() == Some(&Outcome::Finished)).then(|| machine.cycle().0 as f64)
}

fn launch(grid: u32, block: u32, args: Vec<Argument>) -> Launch {
    Launch {
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    }
}

fn floats(len: u32, role: Role) -> Argument {
    Argument::Buffer {
        elem: ElemType::F32,
        len,
        fill: Fill::of(Pattern::Lcg(1)),
        role,
        start: 0,
    }
}

fn int(value: i32) -> Argument {
    Argument::Scalar {
        ty: ElemType::I32,
        bits: u64::from(value.cast_unsigned()),
    }
}

fn scalar(value: f32) -> Argument {
    Argument::Scalar {
        ty: ElemType::F32,
        bits: u64::from(value.to_bits()),
    }
}
