//! Compares arithmetic of every architecture with the host's, through selection, allocation, and the untimed
//! interpreter.

use std::path::Path;

use corpus::cases::{Case, load};
use corpus::compare::difference;
use cuda::diagnostic::{Cause, Diagnostic};
use cuda::ir::{
    Access, Compare, Def, End, Function, Inst, MemCache, MemWidth, Module, Num, Op, ParamTraits, Rounding,
    Space, SpecialReg, Type, Value,
};
use cuda::lower::lower;
use engine::arch::ArchId;
use engine::ids::Span;
use engine::isa::{self, CompileOptions, ElemType, ParamType, Program, bank0};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::reference;

pub(super) const ALL: [ArchId; 12] = [
    ArchId::G80,
    ArchId::Gt200,
    ArchId::Gf100,
    ArchId::Gf104,
    ArchId::Gk110,
    ArchId::Gm204,
    ArchId::Gp100,
    ArchId::Gp104,
    ArchId::Gv100,
    ArchId::Tu102,
    ArchId::Ga100,
    ArchId::Gh100,
];
/// One architecture of each generation, all with double precision.
const GENERATIONS: [ArchId; 4] = [ArchId::Gt200, ArchId::Gf100, ArchId::Gp104, ArchId::Tu102];

fn pointer_bits(arch: ArchId) -> u32 {
    if matches!(arch, ArchId::G80 | ArchId::Gt200) {
        32
    } else {
        64
    }
}

/// A kernel under construction.
struct Build {
    function: Function,
    nodes: Vec<Inst>,
}

impl Build {
    fn inst(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let result = self.function.value(ty);
        self.nodes.push(Inst {
            op,
            args: args.to_vec(),
            results: vec![result],
            span: Span::default(),
        });
        result
    }
}

fn access(ty: Type) -> Access {
    Access {
        space: Space::Global,
        width: if ty.bytes() == 8 {
            MemWidth::B64
        } else {
            MemWidth::B32
        },
        count: 1,
        volatile: false,
        cache: MemCache::Default,
        offset: 0,
        invariant: false,
    }
}

/// `out[i] = body(in0[i], in1[i], ...)` for the thread's index.
fn elementwise(
    arch: ArchId,
    inputs: &[Type],
    output: Type,
    body: impl Fn(&mut Build, &[Value]) -> Value,
) -> Module {
    let bits = pointer_bits(arch);
    let pointer = if bits == 64 { Type::I64 } else { Type::I32 };
    let mut build = Build {
        function: Function::new("k"),
        nodes: Vec::new(),
    };
    let tid = build.inst(Op::Special(SpecialReg::TidX), &[], Type::I32);
    let ctaid = build.inst(Op::Special(SpecialReg::CtaidX), &[], Type::I32);
    let dim = build.function.leaf(Type::I32, Def::Bank0(bank0::BLOCK_DIM));
    let start = build.inst(Op::Mul, &[ctaid, dim], Type::I32);
    let index = build.inst(Op::Add, &[start, tid], Type::I32);
    let num = inputs.len() + 1;
    let mut addresses = Vec::new();
    for idx in 0..num {
        let ty = if idx < inputs.len() { inputs[idx] } else { output };
        let shift = build.function.i32(ty.bytes().trailing_zeros() as i32);
        let offset = bank0::PARAMS + (idx as u32 * bits / 8) as u16;
        let base = build.function.leaf(pointer, Def::Bank0(offset));
        let index = if bits == 64 {
            build.inst(Op::SignExtend, &[index], Type::I64)
        } else {
            index
        };
        let distance = build.inst(Op::Shl, &[index, shift], pointer);
        addresses.push(build.inst(Op::PtrAdd, &[base, distance], pointer));
    }
    let loaded: Vec<Value> = inputs
        .iter()
        .zip(&addresses)
        .map(|(ty, address)| build.inst(Op::Load(access(*ty)), &[*address], *ty))
        .collect();
    let result = body(&mut build, &loaded);
    build.nodes.push(Inst {
        op: Op::Store(access(output)),
        args: vec![addresses[num - 1], result],
        results: Vec::new(),
        span: Span::default(),
    });
    let entry = build.function.at_mut(Function::ENTRY);
    entry.insts = build.nodes;
    entry.end = End::Return(Vec::new());
    let params: Vec<isa::Param> = (0..num)
        .map(|idx| isa::Param {
            name: format!("p{idx}"),
            ty: ParamType::Pointer {
                elem: Some(ElemType::U32),
                lanes: 1,
                read_only: false,
            },
            c_type: "unsigned *".into(),
            offset: idx as u32 * bits / 8,
            size: bits / 8,
        })
        .collect();
    Module {
        functions: vec![build.function],
        param_traits: vec![ParamTraits::default(); num],
        param_bytes: num as u32 * bits / 8,
        params,
        symbols: Vec::new(),
        constant_image: Vec::new(),
        global_image: Vec::new(),
        static_shared_bytes: 0,
        uses_dynamic_shared: false,
        launch_bounds: None,
        pointer_bits: bits,
        arch,
        options: CompileOptions::default(),
    }
}

fn words(ty: Type, values: &[u64]) -> Vec<f64> {
    if ty.bytes() == 8 {
        values
            .iter()
            .flat_map(|bits| [f64::from(*bits as u32), f64::from((*bits >> 32) as u32)])
            .collect()
    } else {
        values.iter().map(|bits| f64::from(*bits as u32)).collect()
    }
}

fn run(program: &Program, inputs: &[(Type, Vec<u64>)], output: Type) -> Vec<u64> {
    let num = inputs[0].1.len();
    let block = 128;
    let padded = num.div_ceil(block) * block;
    let buffer = |list: Vec<f64>, role| Argument::Buffer {
        elem: ElemType::U32,
        len: list.len() as u32,
        fill: Fill::of(Pattern::List(list)),
        role,
        start: 0,
    };
    let mut args: Vec<Argument> = inputs
        .iter()
        .map(|(ty, values)| {
            let mut values = values.clone();
            values.resize(padded, 1);
            buffer(words(*ty, &values), Role::In)
        })
        .collect();
    args.push(buffer(words(output, &vec![0; padded]), Role::Out));
    let launch = Launch {
        grid: [(padded / block) as u32, 1, 1],
        block: [block as u32, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    };
    let outputs = reference::run(program, &launch)
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", program.arch as u8, program.listing()));
    let bytes = outputs.argument(inputs.len()).unwrap_or_default();
    let size = output.bytes() as usize;
    bytes
        .chunks_exact(size)
        .take(num)
        .map(|chunk| {
            chunk
                .iter()
                .rev()
                .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
        })
        .collect()
}

/// Checks `body` on all values against `expected`, on these architectures.
fn check(
    archs: &[ArchId],
    inputs: &[(Type, Vec<u64>)],
    output: Type,
    body: impl Fn(&mut Build, &[Value]) -> Value,
    expected: impl Fn(&[u64]) -> u64,
) {
    for arch in archs {
        let types: Vec<Type> = inputs.iter().map(|(ty, _)| *ty).collect();
        let module = elementwise(*arch, &types, output, &body);
        let program = lower(&module, *arch, &module.options).unwrap_or_else(|errors| panic!("{errors:?}"));
        let got = run(&program, inputs, output);
        assert_eq!(got.len(), inputs[0].1.len());
        for (idx, got) in got.iter().enumerate() {
            let args: Vec<u64> = inputs.iter().map(|(_, values)| values[idx]).collect();
            let want = expected(&args);
            let nan = match output {
                Type::F32 => f32::from_bits(*got as u32).is_nan() && f32::from_bits(want as u32).is_nan(),
                Type::F64 => f64::from_bits(*got).is_nan() && f64::from_bits(want).is_nan(),
                _ => false,
            };
            assert!(
                nan || *got == want,
                "{arch:?}: {args:x?} gave {got:x}, not {want:x}\n{}",
                program.listing()
            );
        }
    }
}

struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

const SPECIAL_32: [u32; 14] = [
    0,
    1,
    2,
    3,
    5,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0xffff_fffe,
    0xffff,
    0x1_0000,
    0x00ff_ffff,
    10,
];
const FLOATS: [u32; 20] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x3f7f_ffff,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x4000_0000,
    0x7e80_0000,
    0x0d00_0000,
    0x0cff_ffff,
    0x4040_0000,
];

fn pairs_of(special: &[u64], random: usize, mut make: impl FnMut() -> u64) -> [Vec<u64>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    for a in special {
        for b in special {
            lists[0].push(*a);
            lists[1].push(*b);
        }
    }
    for _ in 0..random {
        lists[0].push(make());
        lists[1].push(make());
    }
    lists
}

fn integer_pairs(wide: bool) -> [Vec<u64>; 2] {
    let mut random = Random(7);
    let special: Vec<u64> = SPECIAL_32
        .iter()
        .flat_map(|low| {
            let low = u64::from(*low);
            if wide {
                vec![low, low << 32, low << 32 | 0xffff_ffff, !low]
            } else {
                vec![low]
            }
        })
        .collect();
    pairs_of(&special, 1500, || {
        let width = random.next() % 64;
        let value = random.next() >> width;
        if wide { value } else { u64::from(value as u32) }
    })
}

fn binary_32(op: Op, expected: impl Fn(u32, u32) -> u32) {
    let [a, b] = integer_pairs(false);
    check(
        &ALL,
        &[(Type::I32, a), (Type::I32, b)],
        Type::I32,
        |build, args| build.inst(op, args, Type::I32),
        |args| u64::from(expected(args[0] as u32, args[1] as u32)),
    );
}

fn binary_64(op: Op, expected: impl Fn(u64, u64) -> u64) {
    let [a, b] = integer_pairs(true);
    check(
        &GENERATIONS,
        &[(Type::I64, a), (Type::I64, b)],
        Type::I64,
        |build, args| build.inst(op, args, Type::I64),
        |args| expected(args[0], args[1]),
    );
}

#[test]
fn products_of_32_bits() {
    binary_32(Op::Mul, u32::wrapping_mul);
    binary_32(Op::MulHigh { signed: false }, |a, b| {
        ((u64::from(a) * u64::from(b)) >> 32) as u32
    });
    binary_32(Op::MulHigh { signed: true }, |a, b| {
        ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
    });
    binary_32(Op::Mul24 { signed: false }, |a, b| {
        (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff)
    });
    binary_32(Op::Mul24 { signed: true }, |a, b| {
        (((a << 8) as i32 >> 8).wrapping_mul((b << 8) as i32 >> 8)) as u32
    });
}

#[test]
fn quotients_of_32_bits() {
    binary_32(Op::Div { signed: false }, |a, b| {
        a.checked_div(b).unwrap_or(u32::MAX)
    });
    binary_32(Op::Rem { signed: false }, |a, b| {
        if b == 0 { rem_by_zero(a) } else { a % b }
    });
    binary_32(Op::Div { signed: true }, |a, b| {
        if b == 0 {
            u32::MAX
        } else {
            (a as i32).wrapping_div(b as i32) as u32
        }
    });
}

/// The remainder by zero is undefined in C; this is the sequence's result.
fn rem_by_zero(a: u32) -> u32 {
    a
}

#[test]
fn remainders_take_the_sign_of_the_dividend() {
    let [a, b] = integer_pairs(false);
    let (a, b): (Vec<u64>, Vec<u64>) = a.into_iter().zip(b).filter(|(_, b)| *b != 0).unzip();
    check(
        &ALL,
        &[(Type::I32, a), (Type::I32, b)],
        Type::I32,
        |build, args| build.inst(Op::Rem { signed: true }, args, Type::I32),
        |args| u64::from((args[0] as i32).wrapping_rem(args[1] as i32) as u32),
    );
}

#[test]
fn shifts_clamp_at_the_width() {
    binary_32(Op::Shl, |a, b| a.checked_shl(b).unwrap_or(0));
    binary_32(Op::Shr { signed: false }, |a, b| a.checked_shr(b).unwrap_or(0));
    binary_32(Op::Shr { signed: true }, |a, b| (a as i32 >> b.min(31)) as u32);
}

#[test]
fn bits_are_counted_and_turned() {
    for (op, expected) in [
        (Op::Popc, (|a| a.count_ones()) as fn(u32) -> u32),
        (Op::Clz, u32::leading_zeros),
        (Op::Brev, u32::reverse_bits),
        (Op::Abs, |a| (a as i32).wrapping_abs() as u32),
        (Op::Not, |a| !a),
        (Op::Neg, u32::wrapping_neg),
        (Op::Narrow(Num::S8), |a| a as i8 as u32),
        (Op::Narrow(Num::U8), |a| a & 0xff),
        (Op::Narrow(Num::S16), |a| a as i16 as u32),
        (Op::Narrow(Num::U16), |a| a & 0xffff),
    ] {
        let [a, _] = integer_pairs(false);
        check(
            &ALL,
            &[(Type::I32, a)],
            Type::I32,
            |build, args| build.inst(op, args, Type::I32),
            |args| u64::from(expected(args[0] as u32)),
        );
    }
}

#[test]
fn sums_and_products_of_64_bits() {
    binary_64(Op::Add, u64::wrapping_add);
    binary_64(Op::Sub, u64::wrapping_sub);
    binary_64(Op::Mul, u64::wrapping_mul);
    binary_64(Op::MulHigh { signed: false }, |a, b| {
        ((u128::from(a) * u128::from(b)) >> 64) as u64
    });
    binary_64(Op::MulHigh { signed: true }, |a, b| {
        ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64
    });
    binary_64(Op::Min { signed: true }, |a, b| (a as i64).min(b as i64) as u64);
    binary_64(Op::Max { signed: false }, u64::max);
    binary_64(Op::Xor, |a, b| a ^ b);
}

#[test]
fn shifts_of_64_bits() {
    let [a, b] = integer_pairs(true);
    let by: Vec<u64> = b.iter().map(|b| b % 70).collect();
    for (op, expected) in [
        (
            Op::Shl,
            (|a, b| a.checked_shl(b).unwrap_or(0)) as fn(u64, u32) -> u64,
        ),
        (Op::Shr { signed: false }, |a, b| a.checked_shr(b).unwrap_or(0)),
        (Op::Shr { signed: true }, |a, b| (a as i64 >> b.min(63)) as u64),
    ] {
        check(
            &GENERATIONS,
            &[(Type::I64, a.clone()), (Type::I32, by.clone())],
            Type::I64,
            |build, args| build.inst(op, args, Type::I64),
            |args| expected(args[0], args[1] as u32),
        );
        for amount in [0, 1, 5, 31, 32, 33, 63, 64] {
            check(
                &GENERATIONS,
                &[(Type::I64, a.clone())],
                Type::I64,
                |build, args| {
                    let by = build.function.i32(amount);
                    build.inst(op, &[args[0], by], Type::I64)
                },
                |args| expected(args[0], amount as u32),
            );
        }
    }
}

#[test]
fn comparisons_of_64_bits() {
    let [a, b] = integer_pairs(true);
    for (cmp, signed, expected) in [
        (
            Compare::Lt,
            true,
            (|a, b| (a as i64) < b as i64) as fn(u64, u64) -> bool,
        ),
        (Compare::Lt, false, |a, b| a < b),
        (Compare::Ge, true, |a, b| a as i64 >= b as i64),
        (Compare::Le, false, |a, b| a <= b),
        (Compare::Eq, false, |a, b| a == b),
        (Compare::Ne, false, |a, b| a != b),
    ] {
        check(
            &GENERATIONS,
            &[(Type::I64, a.clone()), (Type::I64, b.clone())],
            Type::I32,
            |build, args| {
                let pred = build.inst(Op::ICmp { cmp, signed }, args, Type::I1);
                let (one, zero) = (build.function.i32(1), build.function.i32(0));
                build.inst(Op::Select, &[pred, one, zero], Type::I32)
            },
            |args| u64::from(expected(args[0], args[1])),
        );
    }
}

fn float_pairs(num: usize) -> [Vec<u64>; 2] {
    let mut random = Random(11);
    let special: Vec<u64> = FLOATS.iter().map(|bits| u64::from(*bits)).collect();
    pairs_of(&special, num, || random.next() >> 32)
}

/// 1.x has no subnormal numbers; these architectures compute with them.
const FROM_FERMI: [ArchId; 3] = [ArchId::Gf100, ArchId::Gp104, ArchId::Tu102];

#[test]
fn single_division_is_correctly_rounded() {
    let [a, b] = float_pairs(60_000);
    check(
        &FROM_FERMI,
        &[(Type::F32, a), (Type::F32, b)],
        Type::F32,
        |build, args| build.inst(Op::FDiv(Rounding::Rn), args, Type::F32),
        |args| u64::from((f32::from_bits(args[0] as u32) / f32::from_bits(args[1] as u32)).to_bits()),
    );
}

#[test]
fn single_division_is_correctly_rounded_for_ordinary_numbers() {
    let mut random = Random(3);
    let mut make = || 0x3f80_0000 + (random.next() & 0x00ff_ffff);
    let a: Vec<u64> = (0..200_000).map(|_| make()).collect();
    let b: Vec<u64> = (0..200_000).map(|_| make()).collect();
    check(
        &[ArchId::Tu102],
        &[(Type::F32, a), (Type::F32, b)],
        Type::F32,
        |build, args| build.inst(Op::FDiv(Rounding::Rn), args, Type::F32),
        |args| u64::from((f32::from_bits(args[0] as u32) / f32::from_bits(args[1] as u32)).to_bits()),
    );
}

#[test]
fn single_roots_and_reciprocals_are_correctly_rounded() {
    let [a, _] = float_pairs(100_000);
    check(
        &FROM_FERMI,
        &[(Type::F32, a.clone())],
        Type::F32,
        |build, args| build.inst(Op::FSqrt(Rounding::Rn), args, Type::F32),
        |args| u64::from(f32::from_bits(args[0] as u32).sqrt().to_bits()),
    );
    check(
        &FROM_FERMI,
        &[(Type::F32, a)],
        Type::F32,
        |build, args| build.inst(Op::FRcp(Rounding::Rn), args, Type::F32),
        |args| u64::from((1.0 / f32::from_bits(args[0] as u32)).to_bits()),
    );
}

#[test]
fn double_division_and_roots_are_correctly_rounded() {
    let mut random = Random(5);
    let special: Vec<u64> = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        3.0,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        5e-324,
        1e-310,
        1e300,
        1e-300,
        0.1,
    ]
    .iter()
    .map(|value: &f64| value.to_bits())
    .collect();
    let [a, b] = pairs_of(&special, 40_000, || {
        let bits = random.next();
        if bits.is_multiple_of(4) {
            bits
        } else {
            // Exponents near 1.
            bits & 0x800f_ffff_ffff_ffff | (1000 + (bits >> 52 & 31)) << 52
        }
    });
    let archs = GENERATIONS;
    check(
        &archs,
        &[(Type::F64, a.clone()), (Type::F64, b)],
        Type::F64,
        |build, args| build.inst(Op::FDiv(Rounding::Rn), args, Type::F64),
        |args| (f64::from_bits(args[0]) / f64::from_bits(args[1])).to_bits(),
    );
    check(
        &archs,
        &[(Type::F64, a.clone())],
        Type::F64,
        |build, args| build.inst(Op::FSqrt(Rounding::Rn), args, Type::F64),
        |args| f64::from_bits(args[0]).sqrt().to_bits(),
    );
    check(
        &archs,
        &[(Type::F64, a)],
        Type::F64,
        |build, args| build.inst(Op::FRcp(Rounding::Rn), args, Type::F64),
        |args| (1.0 / f64::from_bits(args[0])).to_bits(),
    );
}

/// Whether a case of the corpus runs here: before Volta, lanes that wait for lanes of their own warp never end,
/// and large launches add no coverage of the compiler.
fn is_run_here(case: &Case) -> bool {
    !case.name.contains("lock") && !case.name.contains("hand_over") && !case.name.contains("_large")
}

/// Compiles and runs the corpus on an architecture and compares the outputs with a GPU's. Kernels that the
/// compiler or the architecture does not support are skipped. Returns the number of cases that ran. With
/// `WARPSCOPE_CASE`, runs only cases with that in their name, and prints their listings.
fn corpus(arch: ArchId, options: CompileOptions) -> usize {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let filter = std::env::var("WARPSCOPE_CASE").ok();
    let mut num = 0;
    let mut wrong = Vec::new();
    for case in load(&dir).unwrap().iter().filter(|case| is_run_here(case)) {
        if filter.as_ref().is_some_and(|filter| !case.name.contains(filter)) {
            continue;
        }
        let source = std::fs::read_to_string(dir.join(&case.file)).unwrap();
        let compiled = match cuda::compile(&source, Some(&case.kernel), arch, &options) {
            Ok(compiled) => compiled,
            Err(errors) => {
                let is_known = |error: &Diagnostic| {
                    error.cause != Cause::Source
                        || error.message.contains("has no kernel") && case.kernel.contains('<')
                };
                if !errors.iter().any(is_known) {
                    wrong.push(format!("{}: {}", case.name, errors[0].message));
                }
                continue;
            }
        };
        let program = &compiled.program;
        if filter.is_some() {
            eprintln!(
                "{}: {} registers, {:?} bytes spilled\n{}",
                case.name,
                program.registers_per_thread,
                program.spill_bytes,
                program.listing()
            );
        }
        num += 1;
        if let Err(text) = outputs_equal(case, program) {
            wrong.push(format!("{}: {text}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{arch:?}: {wrong:#?}");
    num
}

fn outputs_equal(case: &Case, program: &Program) -> Result<(), String> {
    let outputs = reference::run(program, &case.launch).map_err(|error| error.to_string())?;
    let mut expected = case.expected.as_deref().ok_or("no expected bytes")?;
    for (argument, bytes) in outputs.compared() {
        let Argument::Buffer { elem, .. } = &case.launch.args[argument] else {
            continue;
        };
        let (now, rest) = expected.split_at(bytes.len());
        expected = rest;
        if let Some(difference) = difference(*elem, case.compare, now, &bytes) {
            return Err(format!("output {argument}: {difference:?}"));
        }
    }
    Ok(())
}

#[test]
fn the_corpus_leaves_what_a_gpu_left() {
    for (arch, least) in [(ArchId::Gf100, 108), (ArchId::Gp104, 111), (ArchId::Tu102, 112)] {
        let num = corpus(arch, CompileOptions::default());
        let filtered = std::env::var("WARPSCOPE_CASE").is_ok();
        assert!(filtered || num >= least, "{arch:?}: only {num} cases ran");
    }
}

#[test]
fn few_registers_change_nothing() {
    let options = CompileOptions {
        max_registers: Some(16),
        ..CompileOptions::default()
    };
    corpus(ArchId::Tu102, options);
    corpus(ArchId::Gp104, options);
}

#[test]
fn functions_that_call_themselves_return_through_every_frame() {
    let source = "__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n\
                  __global__ void k(int *out) { out[threadIdx.x] = fib(threadIdx.x % 10); }\n";
    for arch in [ArchId::Gf100, ArchId::Gp104, ArchId::Tu102] {
        let compiled = cuda::compile(source, None, arch, &CompileOptions::default())
            .unwrap_or_else(|errors| panic!("{arch:?}: {errors:?}"));
        let launch = Launch {
            grid: [1, 1, 1],
            block: [40, 1, 1],
            dynamic_shared: 0,
            args: vec![Argument::Buffer {
                elem: ElemType::I32,
                len: 40,
                fill: Fill::of(Pattern::Zero),
                role: Role::Out,
                start: 0,
            }],
            symbols: Vec::new(),
        };
        let program = &compiled.program;
        let outputs = reference::run(program, &launch)
            .unwrap_or_else(|error| panic!("{arch:?}: {error}\n{}", program.listing()));
        let bytes = outputs.argument(0).unwrap_or_default();
        let got: Vec<u8> = bytes.chunks_exact(4).map(|word| word[0]).collect();
        let numbers = [0u8, 1, 1, 2, 3, 5, 8, 13, 21, 34];
        let expected: Vec<u8> = (0..40).map(|idx| numbers[idx % 10]).collect();
        assert_eq!(got, expected, "{arch:?}\n{}", program.listing());
    }
}
