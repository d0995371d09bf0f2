//! Tests against the corpora's measured outputs, and control-flow tests with results worked out by hand.

mod arithmetic;
mod corpus;
mod flow;
mod half;
mod printing;
mod undefined;
mod words;

use cuda::hir::Unit;
use cuda::interpret::{InterpretError, Limits, Outcome, Undefined, UndefinedKind, run};
use cuda::parse_with;
use engine::arch::ArchId;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};

/// Options with which a compiled program computes the same results as the interpreter.
const OPTIONS: CompileOptions = CompileOptions {
    fmad: false,
    ftz: false,
    prec_div: true,
    prec_sqrt: true,
    fast_math: false,
    max_registers: None,
    pointers_32_bit: false,
    capability: None,
};

fn unit(source: &str) -> Unit {
    unit_for(source, ArchId::Tu102)
}

fn unit_for(source: &str, arch: ArchId) -> Unit {
    let parsed = parse_with(source, arch, &OPTIONS);
    parsed.unit.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics))
}

/// A buffer of 32-bit integers.
fn buffer(values: &[i32], role: Role) -> Argument {
    Argument::Buffer {
        elem: ElemType::I32,
        len: values.len() as u32,
        fill: Fill::of(Pattern::List(
            values.iter().map(|value| f64::from(*value)).collect(),
        )),
        role,
        start: 0,
    }
}

/// One block of `threads` threads.
fn one_block(threads: u32, args: Vec<Argument>) -> Launch {
    Launch {
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    }
}

fn integers(bytes: &[u8]) -> Vec<i32> {
    bytes
        .chunks_exact(4)
        .map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// Runs `k(int *a, int *o)` with one thread for each element of `o`, which starts as zeros.
fn outcome(unit: &Unit, a: &[i32], threads: u32) -> Result<Outcome, InterpretError> {
    let zeros = vec![0; threads as usize];
    let args = vec![buffer(a, Role::In), buffer(&zeros, Role::InOut)];
    run(unit, "k", &one_block(threads, args), Limits::default())
}

/// Checks that `k` leaves these values in `o`, without undefined behavior.
fn check_unit(unit: &Unit, a: &[i32], expected: &[i32]) {
    let outcome = outcome(unit, a, expected.len() as u32).unwrap();
    assert_eq!(outcome.undefined, []);
    assert_eq!(integers(&outcome.buffers[1].bytes), expected);
}

/// Like [`check_unit`], with the source of functions before `k` and of its body, where `t` is the thread's
/// index.
fn check(functions: &str, body: &str, a: &[i32], expected: &[i32]) {
    let source = format!("{functions}\n__global__ void k(int *a, int *o) {{ int t = threadIdx.x; {body} }}");
    check_unit(&unit(&source), a, expected);
}
