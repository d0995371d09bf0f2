//! Additions to words of global memory beside an H100 (`tests/golden/reds_h100.csv`, from `tests/microbenchmarks/reds.cu`):
//! the units of L2 that update words, by 1 to 132 SMs.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::device::DeviceSimulation;

const KERNELS: &str = include_str!("microbenchmarks/reds.cu");
const MEASURED: &str = include_str!("golden/reds_h100.csv");

/// A measured row: what was added in which order, words, bytes from word to word, blocks, rounds, and cycles.
struct Row<'a> {
    operation: &'a str,
    order: &'a str,
    words: u32,
    stride: u32,
    blocks: u32,
    rounds: u32,
    cycles: f64,
}

impl Row<'_> {
    fn name(&self) -> String {
        format!(
            "{},{},{},{},{}",
            self.operation, self.order, self.words, self.stride, self.blocks
        )
    }
}

fn rows() -> impl Iterator<Item = Row<'static>> {
    MEASURED.lines().skip(2).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |place: usize| cells[place].parse().expect("a number");
        Row {
            operation: cells[0],
            order: cells[1],
            words: number(2),
            stride: number(3),
            blocks: number(4),
            rounds: number(5),
            cycles: cells[6].parse().expect("a number"),
        }
    })
}

/// The type of an operation, with its name, and whether it returns the old value.
fn operation(name: &str) -> (&'static str, ElemType, u32, bool) {
    match name {
        "red.u32" => ("unsigned", ElemType::U32, 4, false),
        "red.f32" => ("float", ElemType::F32, 4, false),
        "red.f64" => ("double", ElemType::F64, 8, false),
        "red.u64" => ("unsigned long long", ElemType::U64, 8, false),
        "atom.u32" => ("unsigned", ElemType::U32, 4, true),
        "atom.f32" => ("float", ElemType::F32, 4, true),
        other => panic!("{other}"),
    }
}

/// The kernel of an operation: the file's template with its arguments.
fn program(name: &str, order: &str) -> Arc<Program> {
    const TEMPLATE: &str = "template <class T, bool RETURNS>";
    let (ty, _, _, returns) = operation(name);
    let kernel = KERNELS
        .split(&format!("{TEMPLATE} void measure"))
        .next()
        .expect("a kernel");
    let kernel = kernel
        .lines()
        .filter(|line| !line.starts_with("#include"))
        .collect::<Vec<_>>()
        .join("\n");
    let text = kernel.replace(TEMPLATE, &format!("#define T {ty}\n#define RETURNS {returns}"));
    // The measured runs found the words in L2, where an earlier run left them.
    let warm = "for (unsigned w = threadIdx.x; w < words * stride; w += blockDim.x) sum += __ldcg(p + w);";
    let text = text.replace(
        "    __syncthreads();\n    long long start",
        &format!("{warm}\n    __syncthreads();\n    long long start"),
    );
    assert!(text.contains(warm));
    let word = match order {
        "random" => "x >> 12",
        "threads" => "i",
        _ => "i % 32",
    };
    let text = text.replace("order == RANDOM ? x >> 12 : order == THREADS ? i : i % 32", word);
    // nvcc does so.
    let text = text.replace("    for (int r = 0", "#pragma unroll 4\n    for (int r = 0");
    let compiled = compile(&text, Some("add"), ArchId::Gh100, &CompileOptions::default());
    Arc::new(compiled.unwrap_or_else(|found| panic!("{found:?}")).program)
}

fn buffer(elem: ElemType, len: u32, role: Role) -> Argument {
    let fill = Fill::of(Pattern::Zero);
    Argument::Buffer {
        elem,
        len,
        fill,
        role,
        start: 0,
    }
}

/// Cycles of the slowest block.
fn cycles(program: &Arc<Program>, row: &Row, rounds: u32) -> f64 {
    let (_, elem, size, _) = operation(row.operation);
    let number = |value: u32| Argument::Scalar {
        ty: ElemType::I32,
        bits: value.into(),
    };
    let order = ["lanes", "random", "threads"]
        .iter()
        .position(|name| *name == row.order);
    let args = vec![
        buffer(elem, (row.words * row.stride / size).max(64), Role::InOut),
        number(order.expect("an order") as u32),
        number(row.words),
        number(row.stride / size),
        number(rounds),
        buffer(ElemType::I64, row.blocks, Role::Out),
        buffer(elem, 1, Role::InOut),
    ];
    let launch = Launch {
        grid: [row.blocks, 1, 1],
        block: [1024, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    };
    let options = MachineOptions::default();
    let mut simulation = DeviceSimulation::new(architecture(ArchId::Gh100), program, &launch, options, 132)
        .expect("it starts");
    simulation.advance(u64::MAX);
    assert_eq!(
        simulation.trace().outcome,
        Some(Outcome::Finished),
        "{}",
        row.name()
    );
    let outputs = simulation.outputs();
    let (_, bytes) = outputs.compared().nth(1).expect("the times");
    let times = bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes));
    times.max().expect("a block") as f64
}

/// Rows that differ by more than 20 %, with the reason.
const FAR: [(&str, &str); 7] = [
    ("red.u32,random,1024,4,1", SPREAD),
    ("atom.u32,lanes,32,4,1", IN_FLIGHT),
    ("atom.f32,lanes,32,4,1", IN_FLIGHT),
    ("atom.u32,random,64,4,1", IN_FLIGHT),
    ("red.f32,random,1024,4,1", SPREAD),
    (
        "red.u32,threads,1024,4,132",
        "one scheduler of four takes most places of the queue, and its warps share a unit",
    ),
    (
        "atom.u32,random,65536,4,132",
        "on the chip, old values delay each other on their way back",
    ),
];
const SPREAD: &str = "on the chip, one SM reaches 0.72 words per cycle on 1,024 words, but 0.97 on 65,536; the cause is unknown";
const IN_FLIGHT: &str = "nvcc has the atomics of four rounds in flight";

/// Rows that are simulated: all of one SM, and those of the whole device that differ most.
fn is_simulated(row: &Row) -> bool {
    row.blocks == 1
        || row.blocks == 132 && row.stride == 4 && [1, 8, 32, 64, 1024, 65536].contains(&row.words)
}

#[test]
fn updates_take_the_time_of_an_h100() {
    let mut programs = BTreeMap::new();
    let mut errors = Vec::new();
    for row in rows().filter(is_simulated) {
        let program = programs
            .entry((row.operation, row.order))
            .or_insert_with(|| program(row.operation, row.order));
        let simulated = if row.blocks == 1 {
            cycles(program, &row, row.rounds)
        } else {
            // Many blocks take long to simulate: further rounds take the same time each.
            f64::from(row.rounds) / 4.0 * (cycles(program, &row, 6) - cycles(program, &row, 2))
        };
        errors.push((simulated / row.cycles - 1.0, row.name()));
    }
    let within = |limit: f64| errors.iter().filter(|(error, _)| error.abs() <= limit).count();
    let far = errors.iter().filter(|(error, _)| error.abs() > 0.2);
    let far: Vec<&str> = far.map(|(_, name)| name.as_str()).collect();
    let known: Vec<&str> = FAR.iter().map(|(name, _)| *name).collect();
    assert_eq!(far, known);
    assert_eq!(
        (errors.len(), within(0.06), within(0.1)),
        (91, 61, 71),
        "{errors:.2?}"
    );
}
