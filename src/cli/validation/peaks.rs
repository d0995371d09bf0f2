//! Peak rates: what kernels reach on the simulator, beside the rates that sources cite (`tests/validation/peaks.csv`).

use std::collections::BTreeMap;

use engine::arch::{ArchId, BankSize, Generation, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Launch, Role};
use engine::sim::{LoadCaching, Machine, MachineOptions, Outcome};
use engine::trace::device::DeviceSimulation;
use workbench::share::Scenario;

use super::bench::{buffer, int};
use super::cases;

/// A simulated rate within this share of the cited rate is near.
pub const NEAR: f64 = 0.02;
/// The path of the record from the root of the project.
pub const PATH: &str = "tests/validation/peaks_ours.csv";

const CITED: &str = include_str!("../../../tests/validation/peaks.csv");
const RECORDED: &str = include_str!("../../../tests/validation/peaks_ours.csv");
const KERNELS: &str = include_str!("../../../tests/microbenchmarks/peaks.cu");

/// A peak rate that a source cites.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// The architecture.
    pub architecture: ArchId,
    /// The quantity, such as `FP32`.
    pub quantity: String,
    /// The cited rate.
    pub rate: f64,
    /// The unit.
    pub unit: String,
    /// The source.
    pub source: String,
    /// Why the simulated rate is not near; empty if it is.
    pub reason: String,
}

impl Peak {
    /// The relative error of a simulated rate.
    pub fn error(&self, ours: f64) -> f64 {
        ours / self.rate - 1.0
    }

    /// Whether a simulated rate is near.
    pub fn is_near(&self, ours: f64) -> bool {
        self.error(ours).abs() <= NEAR
    }
}

/// Returns the cited rates.
///
/// # Errors
/// Returns an error if the file is malformed.
pub fn peaks() -> Result<Vec<Peak>, String> {
    let read = |line: Result<csv::StringRecord, csv::Error>| {
        let line = line.map_err(|error| error.to_string())?;
        let cell = |column: usize| line.get(column).unwrap_or_default().to_owned();
        Ok(Peak {
            architecture: cell(0).parse().map_err(|_| format!("peaks.csv: {line:?}"))?,
            quantity: cell(1),
            rate: cell(2).parse().map_err(|_| format!("peaks.csv: {line:?}"))?,
            unit: cell(3),
            source: cell(4),
            reason: cell(5),
        })
    };
    csv::Reader::from_reader(CITED.as_bytes())
        .into_records()
        .map(read)
        .collect()
}

/// Returns the record of simulated rates as text.
pub fn record(peaks: &[Peak], rates: &[f64]) -> String {
    let lines = peaks.iter().zip(rates);
    let lines = lines.map(|(peak, rate)| format!("{},{},{rate:.2}\n", peak.architecture, peak.quantity));
    "architecture,quantity,simulated\n".to_owned() + &lines.collect::<String>()
}

/// Returns the recorded rates of the cited ones.
///
/// # Errors
/// Returns an error if the record lacks one.
pub fn recorded(peaks: &[Peak]) -> Result<Vec<f64>, String> {
    recorded_in(RECORDED, peaks)
}

/// Returns the rates of a record as text.
///
/// # Errors
/// Returns an error if the record lacks one.
pub fn recorded_in(text: &str, peaks: &[Peak]) -> Result<Vec<f64>, String> {
    let mut found = BTreeMap::new();
    for line in text.lines().skip(1) {
        let (name, rate) = line.rsplit_once(',').ok_or_else(|| format!("{PATH}: {line}"))?;
        let rate: f64 = rate.parse().map_err(|_| format!("{PATH}: {line}"))?;
        found.insert(name.to_owned(), rate);
    }
    let of = |peak: &Peak| {
        let name = format!("{},{}", peak.architecture, peak.quantity);
        let rate = found.get(&name).copied();
        rate.ok_or_else(|| format!("{PATH} has no `{name}`: run `warpscope validate --write .`"))
    };
    peaks.iter().map(of).collect()
}

/// Measures a rate on the simulator, in the unit of the cited one.
///
/// # Errors
/// Returns a sentence if no kernel measures the quantity, or if it does not run.
pub fn measure(peak: &Peak) -> Result<f64, String> {
    let arch = peak.architecture;
    let throughput = |name: &str| cases::op_peak(arch, name);
    match peak.quantity.as_str() {
        "FP32" => throughput("ffma"),
        "FP64" => throughput("dfma"),
        "FP16" => throughput("hfma2"),
        "integer addition" => throughput("iadd"),
        "logic" => throughput("lop"),
        "integer multiplication" => throughput("imul"),
        "special functions" => throughput("ex2"),
        "tensor FP16" => tensor(arch, [16, 16, 16], ["half", "half", "float"]),
        "tensor TF32" => tensor(arch, [16, 16, 8], ["precision::tf32", "float", "float"]),
        "tensor FP64" => tensor(arch, [8, 8, 4], ["double", "double", "double"]),
        "tensor INT8" => tensor(arch, [16, 16, 16], ["signed char", "signed char", "int"]),
        "shared memory" => shared(arch),
        "L2" => memory(arch, false),
        "device memory" => {
            let gigahertz = f64::from(architecture(arch).chip.sm_clock_mhz.value) / 1000.0;
            Ok(memory(arch, true)? * gigahertz)
        }
        "PCIe" => copies(arch, "one", &to_gpu(PAGE_LOCKED)),
        "NVLink" => copies(arch, "nvlink2", PEERS),
        other => Err(format!("No kernel measures `{other}`.")),
    }
}

fn source(defines: &[(&str, &str)]) -> String {
    let lines = defines
        .iter()
        .map(|(name, value)| format!("#define {name} {value}\n"));
    lines.collect::<String>() + KERNELS
}

/// The cycles that more rounds take on one SM.
fn cycles_of_rounds(
    arch: ArchId,
    source: &str,
    [grid, block]: [u32; 2],
    args: &[Argument],
    rounds: [u32; 2],
    options: MachineOptions,
) -> Result<f64, String> {
    let program = compile(source, arch)?;
    let cycles = |num: u32| {
        let mut args = args.to_vec();
        args.push(int(num));
        let launch = launch(grid, block, args);
        let mut machine = Machine::new(architecture(arch), &program, &launch, options)
            .map_err(|error| error.to_string())?;
        match machine.run(&mut ()) {
            Outcome::Finished => Ok(machine.cycle().0 as f64),
            other => Err(format!("{other:?}")),
        }
    };
    Ok(cycles(rounds[1])? - cycles(rounds[0])?)
}

fn compile(source: &str, arch: ArchId) -> Result<engine::isa::Program, String> {
    let compiled = cuda::compile(source, None, arch, &CompileOptions::default());
    let compiled = compiled.map_err(|errors| {
        let first = errors.first();
        first.map_or_else(String::new, |error| error.message.clone())
    })?;
    Ok(compiled.program)
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

/// Multiply-adds per clock of the tensor cores of an SM.
fn tensor(arch: ArchId, [m, n, k]: [u32; 3], [factor, input, sum]: [&str; 3]) -> Result<f64, String> {
    let sizes = [m.to_string(), n.to_string(), k.to_string()];
    let source = source(&[
        ("PEAK", "TENSOR"),
        ("M", &sizes[0]),
        ("N", &sizes[1]),
        ("K", &sizes[2]),
        ("FACTOR", factor),
        ("IN", input),
        ("SUM", sum),
    ]);
    let (grid, block) = (12, 512);
    let args = [
        buffer(elem(input), m * k.max(n) * 2, Role::In),
        buffer(elem(sum), 4 * m * n, Role::Out),
    ];
    let rounds = [32, 96];
    let cycles = cycles_of_rounds(
        arch,
        &source,
        [grid, block],
        &args,
        rounds,
        MachineOptions::default(),
    )?;
    let products = (rounds[1] - rounds[0]) * 4 * grid * block / 32;
    Ok(f64::from(products) * f64::from(m * n * k) / cycles)
}

fn elem(ty: &str) -> ElemType {
    match ty {
        "half" => ElemType::F16,
        "float" => ElemType::F32,
        "double" => ElemType::F64,
        "int" => ElemType::I32,
        _ => ElemType::I8,
    }
}

/// Bytes per clock of the shared memory of an SM.
fn shared(arch: ArchId) -> Result<f64, String> {
    let model = architecture(arch);
    let has_wide_banks = model.memory.eight_byte_banks.is_some();
    // Before 2.0, words of eight bytes have bank conflicts.
    let (word, elem, bytes) = if model.generation == Generation::Tesla {
        ("unsigned", ElemType::U32, 4)
    } else {
        ("unsigned long long", ElemType::U64, 8)
    };
    let options = MachineOptions {
        bank_size: if has_wide_banks {
            BankSize::EightByte
        } else {
            BankSize::FourByte
        },
        ..MachineOptions::default()
    };
    // The loads of a warp have one destination and wait for each other; of many blocks, the last ones matter little.
    let block = 256;
    let grid = 24 * (u32::from(model.occupancy.max_warps_per_sm.value) * 32 / block);
    let args = [buffer(elem, block, Role::Out)];
    let rounds = [1, 3];
    let source = source(&[("PEAK", "SHARED"), ("WORD", word)]);
    let cycles = cycles_of_rounds(arch, &source, [grid, block], &args, rounds, options)?;
    Ok(f64::from((rounds[1] - rounds[0]) * 256 * grid * block * bytes) / cycles)
}

/// Bytes per clock that all SMs read from L2, or each from its own part of device memory.
fn memory(arch: ArchId, is_own: bool) -> Result<f64, String> {
    let model = architecture(arch);
    let num_sms = model.chip.num_sms.value;
    let (block, grid) = (256, u32::from(num_sms) * 8);
    let program = compile(&source(&[("PEAK", "MEMORY")]), arch)?;
    let cycles = |length: u32, rounds: u32| {
        let args = vec![
            buffer(
                ElemType::F32,
                length * 4 * if is_own { grid } else { 1 },
                Role::In,
            ),
            buffer(ElemType::F32, 1, Role::Out),
            int(length),
            int(u32::from(is_own)),
            int(rounds),
        ];
        let options = MachineOptions {
            load_caching: LoadCaching::Cg,
            ..MachineOptions::default()
        };
        let launch = launch(grid, block, args);
        let mut simulation = DeviceSimulation::new(model, &program, &launch, options, num_sms)
            .map_err(|error| error.to_string())?;
        simulation.advance(u64::MAX);
        let trace = simulation.trace();
        match trace.outcome {
            Some(Outcome::Finished) => Ok(trace.num_cycles as f64),
            other => Err(format!("{other:?}")),
        }
    };
    let (words, longer) = if is_own {
        (4096, cycles(5120, 1)? - cycles(1024, 1)?)
    } else {
        (4 * 2048, cycles(2048, 6)? - cycles(2048, 2)?)
    };
    Ok(f64::from(grid) * f64::from(words * 16) / longer)
}

const PAGE_LOCKED: &str = "cudaMallocHost";

/// A copy from the host's memory.
fn to_gpu(allocate: &str) -> String {
    format!(
        "int main() {{
            const size_t bytes = BYTES;
            char *host, *device;
            {allocate}(&host, bytes);
            cudaMalloc(&device, bytes);
            cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
        }}"
    )
}

/// A copy from one GPU to another.
const PEERS: &str = "int main() {
    const size_t bytes = BYTES;
    char *from, *to;
    cudaSetDevice(1);
    cudaMalloc(&to, bytes);
    cudaSetDevice(0);
    cudaMalloc(&from, bytes);
    cudaDeviceEnablePeerAccess(1, 0);
    cudaMemcpyPeer(to, 1, from, 0, bytes);
}";

/// The bandwidth of a copy in GB/s, from the time that more bytes take.
fn copies(arch: ArchId, computer: &str, program: &str) -> Result<f64, String> {
    const SIZES: [u64; 2] = [64 << 20, 320 << 20];
    let end_ns = |bytes: u64| {
        let mut scenario = Scenario {
            arch,
            ..crate::scenario::scenario_of_source(program.replace("BYTES", &bytes.to_string()))
        };
        workbench::share::apply(&mut scenario, "computer", computer).map_err(|error| error.to_string())?;
        let record = crate::streams::record(&scenario)?;
        let copy = record.trace.spans.iter().find(|span| span.route.is_some());
        copy.map(|span| (span.end_ns - span.start_ns) as f64)
            .ok_or_else(|| "The program copies nothing.".to_owned())
    };
    Ok((SIZES[1] - SIZES[0]) as f64 / (end_ns(SIZES[1])? - end_ns(SIZES[0])?))
}
