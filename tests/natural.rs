//! Sequences of FFMA, DFMA, and shared-memory loads on GH100 in different coding styles, compared with the timing of
//! such sequences on an H200 (`tests/microbenchmarks/h200.csv`).
//!
//! The kernels in `tests/natural` differ from the measured kernel, but nvcc 13 compiles each to a sequence of the same
//! instructions. Sequences whose factors and addend are registers are compared with the measurement of three registers.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the measured table and the kernels"
)]
#![expect(clippy::print_stdout, reason = "prints the points outside 5 %")]
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::sync::Mutex;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{Machine, MachineOptions, Outcome, Sink};

const WARPS: [u32; 14] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28, 32];
const CHAINS: [u32; 4] = [1, 2, 4, 8];
/// The required share of points within 5 % of the H200.
const REQUIRED_SHARE: f64 = 0.9;

/// A kernel, the table row of its FFMA instructions, and its arguments between the output and the length.
const ARITHMETIC: [(&str, &str, Extra); 4] = [
    ("scalars", "ffma_3reg", Extra::Factors),
    ("computed", "ffma_3reg", Extra::None),
    ("literals", "ffma", Extra::None),
    ("body16", "ffma_3reg", Extra::Input),
];
const SHARED: [&str; 3] = ["offsets", "volatile", "walk"];

#[derive(Clone, Copy, PartialEq)]
enum Extra {
    None,
    Factors,
    Input,
}

struct Nothing;

impl Sink for Nothing {}

/// Returns the SM cycles per instruction of any warp, by variant, chains, and warps.
fn measured() -> BTreeMap<(String, u32, u32), f64> {
    let table = std::fs::read_to_string("tests/microbenchmarks/h200.csv").expect("the table");
    let mut found = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        if matches!(cells[0], "arith" | "shared") {
            let number = |at: usize| cells[at].parse().expect("a number");
            let key = (cells[1].to_owned(), number(2) as u32, number(3) as u32);
            found.insert(key, number(4));
        }
    }
    found
}

fn program(name: &str, defines: &str, ftz: bool) -> Program {
    let path = format!("tests/natural/{name}.cu");
    let source = format!("{defines}{}", std::fs::read_to_string(&path).expect("the kernel"));
    let options = CompileOptions {
        ftz,
        ..CompileOptions::default()
    };
    compile(&source, None, ArchId::Gh100, &options)
        .unwrap_or_else(|error| panic!("{name}: {error:?}"))
        .program
}

fn buffer(elem: ElemType, len: u32, pattern: Pattern, role: Role) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: Fill::of(pattern),
        role,
        start: 0,
    }
}

fn cycles(program: &Program, warps: u32, dynamic_shared: u32, args: &[Argument], length: u32) -> f64 {
    let mut args = args.to_vec();
    args.push(Argument::Scalar {
        ty: ElemType::I32,
        bits: length.into(),
    });
    let launch = Launch {
        grid: [1; 3],
        block: [32 * warps, 1, 1],
        dynamic_shared,
        args,
        symbols: Vec::new(),
    };
    let machine = Machine::new(
        architecture(ArchId::Gh100),
        program,
        &launch,
        MachineOptions::default(),
    );
    let mut machine = machine.expect("the launch is valid");
    assert_eq!(*machine.run(&mut Nothing), Outcome::Finished);
    machine.cycle().0 as f64
}

/// A kernel with its parameters.
struct Point {
    name: String,
    program: Program,
    row: String,
    chains: u32,
    warps: u32,
    args: Vec<Argument>,
    dynamic_shared: u32,
    /// Instructions per warp per unit of length, and the length.
    instructions: f64,
    length: u32,
}

fn arithmetic() -> Vec<Point> {
    let mut points = Vec::new();
    for (name, row, extra) in ARITHMETIC {
        for (ty, elem) in [("float", ElemType::F32), ("double", ElemType::F64)] {
            let bits = |value: f64| match elem {
                ElemType::F64 => value.to_bits(),
                _ => u64::from((value as f32).to_bits()),
            };
            let number = |value: f64| Argument::Scalar {
                ty: elem,
                bits: bits(value),
            };
            let mut args = vec![
                buffer(ElemType::I32, 64, Pattern::Zero, Role::Out),
                buffer(elem, 1024, Pattern::Zero, Role::Out),
            ];
            match extra {
                Extra::None => {}
                Extra::Factors => args.extend([number(0.999), number(0.001)]),
                Extra::Input => {
                    let values = vec![0.999, 0.001, 0.5, 0.75, 0.3, 0.2, 0.1, 0.4];
                    args.push(buffer(elem, 2048, Pattern::List(values), Role::In));
                }
            }
            for chains in CHAINS {
                let defines = format!("#define T {ty}\n#define ILP {chains}\n");
                let program = program(name, &defines, elem == ElemType::F32);
                for warps in WARPS {
                    points.push(Point {
                        name: format!("{name} {ty}"),
                        program: program.clone(),
                        row: if elem == ElemType::F32 { row } else { "dfma" }.to_owned(),
                        chains,
                        warps,
                        args: args.clone(),
                        dynamic_shared: 0,
                        instructions: 256.0,
                        length: 2,
                    });
                }
            }
        }
    }
    points
}

fn shared() -> Vec<Point> {
    let mut points = Vec::new();
    for name in SHARED {
        for ways in [1, 2, 4, 8, 16, 32] {
            for chains in CHAINS {
                let defines = format!("#define WAYS {ways}\n#define ILP {chains}\n");
                let program = program(name, &defines, false);
                for warps in WARPS {
                    points.push(Point {
                        name: format!("{name} {ways}-way"),
                        program: program.clone(),
                        row: format!("{ways}way"),
                        chains,
                        warps,
                        args: vec![
                            buffer(ElemType::I32, 64, Pattern::Zero, Role::Out),
                            buffer(ElemType::I32, 1024, Pattern::Zero, Role::Out),
                        ],
                        dynamic_shared: if name == "volatile" { 4096 } else { 0 },
                        instructions: 64.0,
                        length: 8,
                    });
                }
            }
        }
    }
    points
}

/// Returns the cost of an instruction from the difference of two lengths, which cancels overhead.
fn simulated(point: &Point) -> f64 {
    let run = |length| {
        cycles(
            &point.program,
            point.warps,
            point.dynamic_shared,
            &point.args,
            length,
        )
    };
    let difference = run(2 * point.length) - run(point.length);
    difference / (f64::from(point.length) * point.instructions * f64::from(point.warps))
}

/// Returns, per kernel, the number of points within 5 %, the number of points, and the other points.
fn compare(points: &[Point]) -> BTreeMap<String, (usize, usize, Vec<String>)> {
    let table = measured();
    let next = Mutex::new(0);
    let found = Mutex::new(BTreeMap::<String, (usize, usize, Vec<String>)>::new());
    let work = || {
        loop {
            let at = {
                let mut next = next.lock().expect("no panic");
                *next += 1;
                *next - 1
            };
            let Some(point) = points.get(at) else { break };
            let expected = table[&(point.row.clone(), point.chains, point.warps)];
            let error = simulated(point) / expected - 1.0;
            let mut found = found.lock().expect("no panic");
            let entry = found.entry(point.name.clone()).or_default();
            entry.1 += 1;
            if error.abs() <= 0.05 {
                entry.0 += 1;
            } else {
                let (chains, warps) = (point.chains, point.warps);
                let percent = 100.0 * error;
                entry
                    .2
                    .push(format!("{chains} chains, {warps} warps: {percent:+.0} %"));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    found.into_inner().expect("no panic")
}

fn assert_close(points: &[Point]) {
    let found = compare(points);
    for (name, (near, all, misses)) in &found {
        println!("{name}: {near} of {all} within 5 %; {}", misses.join("; "));
    }
    for (name, (near, all, _)) in &found {
        assert!(
            *near as f64 >= REQUIRED_SHARE * *all as f64,
            "{name}: {near} of {all}"
        );
    }
}

#[test]
fn multiply_add_timing_matches_an_h200_in_every_coding_style() {
    assert_close(&arithmetic());
}

#[test]
fn shared_load_timing_matches_an_h200_in_every_coding_style() {
    assert_close(&shared());
}
