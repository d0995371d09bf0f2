//! Compares arithmetic with the untimed simulator, for numbers of all sizes.

use super::{one_block, unit_for};
use cuda::interpret::{Limits, run};
use engine::arch::ArchId;
use engine::isa::ElemType;
use engine::launch::{Argument, Fill, Pattern, Role};
use engine::sim::reference;

/// Bits of special numbers of each type, and random bits.
fn bits(num: usize) -> Vec<u64> {
    let mut bits: Vec<u64> = vec![
        0,
        1,
        2,
        31,
        32,
        33,
        63,
        64,
        0x7f,
        0x80,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x3f80_0000,
        0xbf80_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fff_ffff,
        0x0000_0001_0000_0001,
        0x4f00_0000,
        0x5f00_0000,
        0x0080_0000,
        0x007f_ffff,
        i64::MAX as u64,
        1 << 63,
        u64::MAX,
        1.0_f64.to_bits(),
        (-2.5_f64).to_bits(),
        f64::MAX.to_bits(),
        f64::MIN_POSITIVE.to_bits(),
        f64::INFINITY.to_bits(),
        1e10_f64.to_bits(),
        9.3e18_f64.to_bits(),
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    while bits.len() < num {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let near_one = state & 0x800f_ffff_8fff_ffff | (1000 + (state >> 52 & 31)) << 52 | 0x3000_0000;
        bits.push(if state & 4 == 0 { state } else { near_one });
    }
    bits
}

fn words(bits: &[u64]) -> Argument {
    let halves = bits
        .iter()
        .flat_map(|bits| [f64::from(*bits as u32), f64::from((bits >> 32) as u32)])
        .collect::<Vec<_>>();
    Argument::Buffer {
        elem: ElemType::U32,
        len: halves.len() as u32,
        fill: Fill::of(Pattern::List(halves)),
        role: Role::In,
        start: 0,
    }
}

/// Compares `o = expression of a, b, c` of type `ty` for many operands, with 64-bit results.
fn check(ty: &str, expressions: &[&str]) {
    let stores: String = expressions
        .iter()
        .enumerate()
        .map(|(idx, expression)| format!("o[{idx} * n + t] = bits({expression});\n"))
        .collect::<Vec<_>>()
        .concat();
    let source = format!(
        "__device__ long long bits(int x) {{ return x; }} __device__ long long bits(unsigned x) {{ return x; }}\n\
         __device__ long long bits(long long x) {{ return x; }} __device__ long long bits(unsigned long long x) {{ return x; }}\n\
         __device__ long long bits(float x) {{ return x != x ? 1234567 : __float_as_int(x); }}\n\
         __device__ long long bits(double x) {{ return x != x ? 1234567 : __double_as_longlong(x); }}\n\
         __device__ long long bits(bool x) {{ return x; }} __device__ long long bits(char x) {{ return x; }}\n\
         __global__ void k({ty} *x, {ty} *y, {ty} *z, long long *o) {{\n\
         int t = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;\n\
         {ty} a = x[t], b = y[t], c = z[t];\n{stores} }}"
    );
    let num = 512;
    let bits = bits(num);
    let rotated = |by: usize| {
        (0..num)
            .map(|idx| bits[(idx * by + by) % num])
            .collect::<Vec<_>>()
    };
    let outputs = vec![0; num * expressions.len()];
    let Argument::Buffer { elem, len, fill, .. } = words(&outputs) else {
        return;
    };
    let output = Argument::Buffer {
        elem,
        len,
        fill,
        role: Role::Out,
        start: 0,
    };
    let mut launch = one_block(
        256,
        vec![words(&bits), words(&rotated(37)), words(&rotated(5)), output],
    );
    launch.grid = [num as u32 / 256, 1, 1];
    let unit = unit_for(&source, ArchId::Tu102);
    let outcome = run(&unit, "k", &launch, Limits::default()).unwrap();
    let options = super::OPTIONS;
    let program = cuda::compile(&source, Some("k"), ArchId::Tu102, &options)
        .unwrap()
        .program;
    let expected = reference::run(&program, &launch).unwrap();
    let expected = expected.argument(3).unwrap();
    let (expected, got) = (
        expected.as_chunks::<8>().0,
        outcome.buffers[3].bytes.as_chunks::<8>().0,
    );
    for (idx, (expected, got)) in expected.iter().zip(got).enumerate() {
        let operands = [bits[idx % num], rotated(37)[idx % num], rotated(5)[idx % num]];
        assert_eq!(
            u64::from_le_bytes(*got),
            u64::from_le_bytes(*expected),
            "{} of {operands:x?}",
            expressions[idx / num]
        );
    }
}

#[test]
fn integers_equal_the_simulator() {
    let same = [
        "a + b",
        "a - b",
        "a * b",
        "a & b",
        "a | b",
        "a ^ b",
        "~a",
        "-a",
        "!a",
        "a < b",
        "a >= b",
        "a == b",
        "a << (b & 31)",
        "a >> (b & 31)",
        "a << 40",
        "a / (b | 1)",
        "a % (b | 1)",
        "a / 7",
        "a % 8",
        "(char)a",
        "(short)b + 0",
        "(unsigned char)a + 0",
        "(float)a",
        "(bool)a",
        "(long long)a",
        "(unsigned)a",
        "min(a, b)",
        "max(a, b)",
        "a++ + b",
        "--a",
        "(a += b, a ^= c)",
        "(a <<= 3)",
        "a > b ? b : c",
        "a && b || c",
    ];
    check("int", &same);
    check("unsigned", &same);
    check("int", &["(double)a"]);
    check("unsigned", &["(double)a"]);
    check("long long", &same);
    check("unsigned long long", &same);
    let narrow = &same[..12];
    check("signed char", narrow);
    check("unsigned short", narrow);
    check(
        "short",
        &[
            "a++ + b",
            "--a",
            "(a += b)",
            "(a *= b)",
            "(a >>= 3)",
            "a / (b | 1)",
            "(float)a",
        ],
    );
}

#[test]
fn integer_functions_equal_the_simulator() {
    check(
        "unsigned",
        &[
            "__popc(a)",
            "__clz(a)",
            "__ffs(a)",
            "__brev(a)",
            "__umulhi(a, b)",
            "__umul24(a, b)",
            "__mul24((int)a, (int)b)",
            "__mulhi((int)a, (int)b)",
            "__byte_perm(a, b, c)",
            "__funnelshift_l(a, b, c)",
            "__funnelshift_r(a, b, c)",
            "__funnelshift_lc(a, b, c)",
            "__funnelshift_rc(a, b, c)",
            "__sad((int)a, (int)b, c)",
            "__usad(a, b, c)",
            "__hadd((int)a, (int)b)",
            "__rhadd((int)a, (int)b)",
            "__uhadd(a, b)",
            "__urhadd(a, b)",
            "abs((int)a)",
        ],
    );
    check(
        "unsigned long long",
        &[
            "__popcll(a)",
            "__clzll(a)",
            "__ffsll(a)",
            "__brevll(a)",
            "__umul64hi(a, b)",
            "__mul64hi((long long)a, (long long)b)",
            "llabs((long long)a)",
        ],
    );
}

#[test]
fn floating_point_numbers_equal_the_simulator() {
    check(
        "float",
        &[
            "a + b",
            "a - b",
            "a * b",
            "a / b",
            "-a",
            "a < b",
            "a != b",
            "!(a >= b)",
            "fmaf(a, b, c)",
            "sqrtf(a)",
            "fminf(a, b)",
            "fmaxf(a, b)",
            "fabsf(a)",
            "floorf(a)",
            "ceilf(a)",
            "truncf(a)",
            "rintf(a)",
            "__saturatef(a)",
            "(int)a",
            "(unsigned)a",
            "(long long)a",
            "(unsigned long long)a",
            "(double)a",
            "(bool)a",
            "__float2int_rn(a)",
            "__float2int_ru(a)",
            "__float2uint_rd(a)",
            "__float2ll_rn(a)",
            "__fadd_rz(a, b)",
            "__fadd_ru(a, b)",
            "__fadd_rd(a, b)",
            "__fmul_rz(a, b)",
            "__fmul_ru(a, b)",
            "__fmul_rd(a, b)",
            "__fmaf_rz(a, b, c)",
            "__fmaf_ru(a, b, c)",
            "__fmaf_rd(a, b, c)",
            "__frcp_rn(a)",
            "1.0f / a",
            "__fdiv_rn(a, b)",
            "a++ + b",
            "(a += b)",
            "roundf(a)",
        ],
    );
    check(
        "double",
        &[
            "a + b",
            "a - b",
            "a * b",
            "a / b",
            "-a",
            "a < b",
            "a != b",
            "fma(a, b, c)",
            "sqrt(a)",
            "fmin(a, b)",
            "fmax(a, b)",
            "fabs(a)",
            "floor(a)",
            "ceil(a)",
            "trunc(a)",
            "rint(a)",
            "(int)a",
            "(unsigned)a",
            "(long long)a",
            "(unsigned long long)a",
            "(float)a",
            "__double2int_rn(a)",
            "__double2ll_ru(a)",
            "__double2float_rz(a)",
            "__double2float_ru(a)",
            "__dadd_rz(a, b)",
            "__dadd_ru(a, b)",
            "__dadd_rd(a, b)",
            "__dmul_rz(a, b)",
            "__dmul_ru(a, b)",
            "__dmul_rd(a, b)",
            "__fma_rz(a, b, c)",
            "__fma_ru(a, b, c)",
            "__fma_rd(a, b, c)",
            "1.0 / a",
            "__drcp_rn(a)",
            "__double2hiint(a)",
            "__double2loint(a)",
            "--a",
        ],
    );
    check(
        "long long",
        &[
            "__ll2float_rz(a)",
            "__ll2float_ru(a)",
            "__ll2double_rd(a)",
            "__ll2double_rz(a)",
            "__ull2double_ru((unsigned long long)a)",
            "__int2float_rz((int)a)",
            "__uint2float_ru((unsigned)a)",
        ],
    );
}
