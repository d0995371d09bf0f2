//! Tests simplification against the host's arithmetic, and checks the form of optimized kernels.

use std::collections::BTreeMap;

use proptest::prelude::*;

use cuda::internals::simplify;
use cuda::ir::fold;
use cuda::ir::{Def, End, Function, Inst, Module, Op, Space, Type, Value};
use cuda::opt::{Merging, optimize};
use cuda::{build, parse};
use engine::arch::ArchId;
use engine::ids::Span;
use engine::isa::CompileOptions;

/// A function of one parameter that returns `op(parameter, number)`, simplified.
fn simplified(op: Op, ty: Type, number: u64) -> Function {
    let mut function = Function::new("f");
    let param = function.value(ty);
    let result = function.value(ty);
    let number = function.constant(ty, number);
    function.params.push(param);
    function.results.push(ty);
    let entry = function.at_mut(Function::ENTRY);
    entry.insts.push(Inst {
        op,
        args: vec![param, number],
        results: vec![result],
        span: Span::default(),
    });
    entry.end = End::Return(vec![result]);
    simplify(&mut function);
    function
}

/// Evaluates a function without control flow.
fn value_of(function: &Function, argument: u64) -> u64 {
    let mut known: BTreeMap<Value, u64> = BTreeMap::from([(function.params[0], argument)]);
    let read = |known: &BTreeMap<Value, u64>, value: Value| match function.def(value) {
        Def::Const(bits) => bits,
        _ => known[&value],
    };
    for inst in function.insts() {
        let args: Vec<_> = inst.args.iter().map(|arg| read(&known, *arg)).collect();
        let types: Vec<_> = inst.args.iter().map(|arg| function.ty(*arg)).collect();
        let result =
            fold::eval(inst.op, function.ty(inst.results[0]), &types, &args).expect("an integer operation");
        known.insert(inst.results[0], result);
    }
    let End::Return(values) = &function.at(Function::ENTRY).end else {
        unreachable!("no control flow")
    };
    read(&known, values[0])
}

fn has(function: &Function, wanted: impl Fn(Op) -> bool) -> bool {
    function.insts().any(|inst| wanted(inst.op))
}

const EDGES: [u32; 14] = [
    0,
    1,
    2,
    3,
    6,
    7,
    9,
    0x7fff_fffe,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fff9,
    0xffff_fffe,
    u32::MAX,
];

fn check_division(number: u32, argument: u32) {
    let (a, n) = (argument as i32, number as i32);
    let signed = simplified(Op::Div { signed: true }, Type::I32, u64::from(number));
    assert!(
        !has(&signed, |op| matches!(op, Op::Div { .. })),
        "{n} is divided by"
    );
    assert_eq!(
        value_of(&signed, u64::from(argument)) as u32 as i32,
        a.wrapping_div(n),
        "{a} / {n}"
    );
    let signed = simplified(Op::Rem { signed: true }, Type::I32, u64::from(number));
    assert_eq!(
        value_of(&signed, u64::from(argument)) as u32 as i32,
        a.wrapping_rem(n),
        "{a} % {n}"
    );
    let unsigned = simplified(Op::Div { signed: false }, Type::I32, u64::from(number));
    assert!(
        !has(&unsigned, |op| matches!(op, Op::Div { .. })),
        "{number} is divided by"
    );
    assert_eq!(
        value_of(&unsigned, u64::from(argument)) as u32,
        argument / number,
        "{argument} / {number}"
    );
    let unsigned = simplified(Op::Rem { signed: false }, Type::I32, u64::from(number));
    assert_eq!(
        value_of(&unsigned, u64::from(argument)) as u32,
        argument % number,
        "{argument} % {number}"
    );
}

#[test]
fn division_by_constants_at_the_edges() {
    for number in EDGES.into_iter().filter(|number| *number != 0) {
        for argument in EDGES {
            check_division(number, argument);
        }
        for near in [
            number.wrapping_sub(1),
            number.wrapping_mul(2),
            number.wrapping_mul(3).wrapping_sub(1),
        ] {
            check_division(number, near);
        }
    }
}

proptest! {
    #[test]
    fn division_by_constants(number in 1_u32.., argument: u32, shift in 0_u32..32) {
        check_division((number >> shift).max(1), argument);
        check_division((number >> shift).max(1).wrapping_neg(), argument);
    }

    #[test]
    fn wide_division_by_powers_of_two(power in 0_u32..62, argument: i64) {
        let number = 1_i64 << power;
        let signed = simplified(Op::Div { signed: true }, Type::I64, number as u64);
        prop_assert_eq!(value_of(&signed, argument as u64) as i64, argument / number);
        let signed = simplified(Op::Rem { signed: true }, Type::I64, number as u64);
        prop_assert_eq!(value_of(&signed, argument as u64) as i64, argument % number);
    }

    #[test]
    fn products_and_shifts(number: i32, argument: i32) {
        let product = simplified(Op::Mul, Type::I32, u64::from(number as u32));
        prop_assert_eq!(value_of(&product, u64::from(argument as u32)) as u32 as i32, argument.wrapping_mul(number));
    }
}

fn optimized(source: &str, kernel: &str) -> Module {
    let parsed = parse(source, ArchId::Tu102);
    let unit = parsed.unit.expect("the source is valid");
    let mut module = build::lower_to_ir(&unit, kernel, ArchId::Tu102, &CompileOptions::default())
        .expect("the kernel can be lowered");
    optimize(&mut module, Merging::Wide);
    module
}

fn count(function: &Function, wanted: impl Fn(Op) -> bool) -> usize {
    function.insts().filter(|inst| wanted(inst.op)).count()
}

fn loads(module: &Module, space: Space) -> usize {
    count(
        &module.functions[0],
        |op| matches!(op, Op::Load(access) if access.space == space),
    )
}

fn stores(module: &Module, space: Space) -> usize {
    count(
        &module.functions[0],
        |op| matches!(op, Op::Store(access) if access.space == space),
    )
}

#[test]
fn arrays_with_known_indices_become_values() {
    let module = optimized(
        "__global__ void k(const float *a, float *o) {
            float acc[4];
            for (int i = 0; i < 4; ++i) acc[i] = a[i];
            for (int i = 0; i < 4; ++i) acc[i] *= acc[3 - i];
            for (int i = 0; i < 4; ++i) o[i] = acc[i];
        }",
        "k",
    );
    assert_eq!(loads(&module, Space::Local) + stores(&module, Space::Local), 0);
    assert_eq!(
        (loads(&module, Space::Global), stores(&module, Space::Global)),
        (4, 4)
    );
}

#[test]
fn references_and_pointers_to_variables_become_values() {
    let module = optimized(
        "__device__ void both(int a, int b, int &sum, int *difference) { sum = a + b; *difference = a - b; }
        __global__ void k(int *o) {
            int s, d;
            both(o[0], o[1], s, &d);
            o[2] = s * d;
        }",
        "k",
    );
    assert_eq!(loads(&module, Space::Local) + stores(&module, Space::Local), 0);
    assert_eq!(loads(&module, Space::Generic), 0);
}

#[test]
fn one_product_is_fused_and_the_other_rounded() {
    let module = optimized(
        "__global__ void k(const float *x, float *o) { o[0] = x[0] * x[1] - x[2] * x[3]; }",
        "k",
    );
    let function = &module.functions[0];
    assert_eq!(count(function, |op| matches!(op, Op::FFma { .. })), 1);
    assert_eq!(count(function, |op| matches!(op, Op::FMul(_))), 1);
    assert_eq!(count(function, |op| matches!(op, Op::FAdd(_) | Op::FSub(_))), 0);
}

#[test]
fn products_with_other_uses_are_not_fused() {
    let module = optimized(
        "__global__ void k(const float *x, float *o) { float p = x[0] * x[1]; o[0] = p + x[2]; o[1] = p; }",
        "k",
    );
    assert_eq!(count(&module.functions[0], |op| matches!(op, Op::FFma { .. })), 0);
}

#[test]
fn intrinsics_are_never_fused() {
    let module = optimized(
        "__global__ void k(const float *x, float *o) { o[0] = __fadd_rn(__fmul_rn(x[0], x[1]), x[2]); }",
        "k",
    );
    assert_eq!(count(&module.functions[0], |op| matches!(op, Op::FFma { .. })), 0);
}

#[test]
fn a_store_between_two_loads_of_an_address_keeps_both() {
    let text = |restrict: &str| {
        format!(
            "__global__ void k(int *{restrict} a, int *{restrict} b) {{ int x = a[0]; b[0] = x; b[1] = a[0]; }}"
        )
    };
    assert_eq!(loads(&optimized(&text(""), "k"), Space::Global), 2);
    assert_eq!(loads(&optimized(&text("__restrict__"), "k"), Space::Global), 1);
}

#[test]
fn a_barrier_makes_other_threads_stores_visible() {
    let module = optimized(
        "__global__ void k(int *o) {
            __shared__ int s[32];
            s[threadIdx.x] = o[threadIdx.x];
            __syncthreads();
            o[threadIdx.x] = s[threadIdx.x];
        }",
        "k",
    );
    assert_eq!(loads(&module, Space::Shared), 1);
}

#[test]
fn volatile_accesses_stay_as_written() {
    let module = optimized(
        "__global__ void k(volatile int *a) { a[0] = a[1] + a[1]; a[0] = 3; }",
        "k",
    );
    assert_eq!(
        (loads(&module, Space::Global), stores(&module, Space::Global)),
        (2, 2)
    );
}

#[test]
fn rows_of_shared_memory_are_read_in_vectors() {
    let module = optimized(
        "__global__ void k(float *o) {
            __shared__ float s[8][16];
            s[threadIdx.y][threadIdx.x] = o[threadIdx.x];
            __syncthreads();
            float sum = 0.0f;
            for (int i = 0; i < 16; ++i) sum += s[threadIdx.y][i];
            o[threadIdx.x] = sum;
        }",
        "k",
    );
    assert_eq!(loads(&module, Space::Shared), 4);
}

#[test]
fn values_from_the_block_index_are_uniform_and_those_of_threads_are_not() {
    let module = optimized(
        "__global__ void k(int *o, int n) {
            if (blockIdx.x * 2 < n) o[0] = 1;
            if (threadIdx.x < n) o[1] = 1;
        }",
        "k",
    );
    let function = &module.functions[0];
    let flow = cuda::ir::flow::Flow::of(function);
    let conditions: Vec<_> = (flow.order.iter())
        .filter_map(|id| match &function.at(*id).end {
            End::Branch { cond, .. } => Some(function.is_uniform(*cond)),
            _ => None,
        })
        .collect();
    assert_eq!(conditions, [true, false]);
}
