//! Instructions of PTX that move and multiply tiles: the lanes' values are those of the figures of the PTX ISA.

use super::*;

/// What 32 threads of `k(const unsigned *in, unsigned *out)` write, or the first error.
pub(super) fn lanes(source: &str, arch: ArchId, given: &[u32], num: usize) -> Result<Vec<u32>, String> {
    threads(source, arch, 32, given, num)
}

/// Declarations, and a kernel whose `t` is the thread's index.
pub(super) fn kernel_with(declarations: &str, body: &str) -> String {
    format!(
        "{declarations}
__global__ void k(const unsigned *in, unsigned *out) {{
    const unsigned t = threadIdx.x;
    {body}
}}"
    )
}

/// What a block of `k(const unsigned *in, unsigned *out)` writes, or the first error.
pub(super) fn threads(
    source: &str,
    arch: ArchId,
    num_threads: u32,
    given: &[u32],
    num: usize,
) -> Result<Vec<u32>, String> {
    let compiled = compile(source, None, arch, &CompileOptions::default()).map_err(|errors| {
        errors
            .first()
            .map_or(String::new(), |error| error.message.clone())
    })?;
    let buffer = |values: Vec<f64>, len: usize, role| Argument::Buffer {
        elem: ElemType::U32,
        len: len as u32,
        fill: Fill::of(Pattern::List(values)),
        role,
        start: 0,
    };
    let launch = Launch {
        grid: [1, 1, 1],
        block: [num_threads, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(
                given.iter().map(|word| f64::from(*word)).collect(),
                given.len(),
                Role::In,
            ),
            buffer(vec![0.0], num, Role::Out),
        ],
        symbols: Vec::new(),
    };
    let outputs =
        reference::run(&compiled.program, &launch).unwrap_or_else(|error| panic!("{source}: {error}"));
    let bytes = outputs.argument(1).unwrap();
    let (words, _) = bytes.as_chunks::<4>();
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// A kernel whose threads have their lane as `t` and a shared array `s`, and that then run `body`.
fn kernel(body: &str) -> String {
    format!(
        "__global__ void k(const unsigned *in, unsigned *out) {{
    __shared__ __align__(16) unsigned short s[256];
    const unsigned t = threadIdx.x;
    for (int i = t; i < 256; i += 32) s[i] = 0x7777;
    __syncthreads();
    {body}
}}"
    )
}

#[test]
fn asynchronous_copies_copy_and_fill_with_zeros() {
    let given: Vec<u32> = (0..128).map(|word| 1000 + word).collect();
    let forms = [
        // The size in bytes, the instruction, and how many bytes are read.
        (16, "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;", 16),
        (16, "cp.async.cg.shared.global [%0], [%1], %2;", 16),
        (16, "cp.async.cg.shared.global.L2::256B [%0], [%1], 16, 8;", 8),
        (16, "cp.async.ca.shared.global.L2::64B [%0], [%1], %2, %3;", 5),
        (16, "cp.async.ca.shared::cta.global [%0], [%1], 16, 0;", 0),
        (8, "cp.async.ca.shared.global [%0], [%1], 8;", 8),
        (4, "cp.async.ca.shared.global [%0], [%1], 4;", 4),
        (
            4,
            "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %4;",
            4,
        ),
        (
            16,
            "{ .reg .pred p; setp.eq.u32 p, %3, 5; cp.async.cg.shared.global [%0], [%1], 16, p; }",
            0,
        ),
        (
            16,
            "{ .reg .pred p; setp.ne.u32 p, %3, 5; @p cp.async.cg.shared.global [%0], [%1], 16; }",
            -1,
        ),
    ];
    for (bytes, text, num_read) in forms {
        let words = bytes / 4;
        let source = kernel(&format!(
            "unsigned to = (unsigned)__cvta_generic_to_shared(s) + {bytes} * t;
    asm volatile(\"{text}\" :: \"r\"(to), \"l\"(in + {words} * t), \"n\"({bytes}), \"r\"(5), \"l\"(0ull) : \"memory\");
    asm volatile(\"cp.async.commit_group;\" ::: \"memory\");
    asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(0) : \"memory\");
    asm volatile(\"cp.async.wait_all;\" ::: \"memory\");
    __syncthreads();
    for (int i = 0; i < {words}; i++) out[{words} * t + i] = ((unsigned *)s)[{words} * t + i];"
        ));
        let expected: Vec<u32> = (0..32 * words)
            .map(|word| {
                let own = given[word].to_le_bytes();
                let at = word % words * 4;
                let byte = |idx: usize| match i32::try_from(at + idx).unwrap() {
                    _ if num_read < 0 => 0x77,
                    at if at < num_read => own[idx],
                    _ => 0,
                };
                u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
            })
            .collect();
        for arch in [ArchId::Ga100, ArchId::Ad102, ArchId::Gh100] {
            let found = lanes(&source, arch, &given, 32 * words);
            assert_eq!(found.as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(
            lanes(&source, ArchId::Tu102, &given, 32 * words),
            Err("`cp.async` needs compute capability 8.0; Turing TU102 has 7.5.".to_owned())
        );
    }
    let wrong = kernel("asm volatile(\"cp.async.cg.shared.global [%0], [%1], 8;\" :: \"r\"(0), \"l\"(in));");
    assert!(lanes(&wrong, ArchId::Ga100, &[0], 1).is_err());
}

#[test]
fn matrices_are_loaded_stored_and_transposed() {
    // Element c of row r of matrix m is 64 m + 8 r + c. `ldmatrix` leaves two elements in a register of each lane.
    let element = |matrix: u32, row: u32, column: u32| 64 * matrix + 8 * row + column;
    let own = |lane: u32, matrix: u32, is_transposed: bool| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        if is_transposed {
            element(matrix, column, row) | element(matrix, column + 1, row) << 16
        } else {
            element(matrix, row, column) | element(matrix, row, column + 1) << 16
        }
    };
    let archs = [ArchId::Tu102, ArchId::Ga100, ArchId::Gh100];
    let fill = "for (int i = t; i < 256; i += 32) s[i] = i;
    __syncthreads();
    unsigned a = 9, b = 9, c = 9, d = 9;
    const unsigned short *row = &s[8 * t];
    unsigned at = (unsigned)__cvta_generic_to_shared(row);
    ";
    let forms = [
        (
            4,
            false,
            "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];",
        ),
        (
            4,
            true,
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0, %1, %2, %3}, [%4+0];",
        ),
        (2, false, "ldmatrix.sync.aligned.m8n8.x2.b16 {%0, %1}, [%5];"),
        (
            2,
            true,
            "ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%4];",
        ),
        (1, false, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%4];"),
        (
            1,
            true,
            "ldmatrix.sync.aligned.x1.trans.m8n8.shared.b16 %0, [%4];",
        ),
    ];
    for (num, is_transposed, text) in forms {
        let source = kernel(&format!(
            "{fill}asm volatile(\"{text}\" : \"+r\"(a), \"+r\"(b), \"+r\"(c), \"+r\"(d) : \"r\"(at), \"l\"(row));
    out[t] = a; out[32 + t] = b; out[64 + t] = c; out[96 + t] = d;"
        ));
        let expected: Vec<u32> = (0..128)
            .map(|idx| {
                let (matrix, lane) = (idx / 32, idx % 32);
                if matrix < num {
                    own(lane, matrix, is_transposed)
                } else {
                    9
                }
            })
            .collect();
        for arch in archs {
            let found = lanes(&source, arch, &[0], 128);
            assert_eq!(found.as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(
            lanes(&source, ArchId::Gv100, &[0], 128),
            Err("`ldmatrix` needs compute capability 7.5; Volta GV100 has 7.0.".to_owned())
        );
    }
    // A register can be the address and a result.
    let source = kernel(&format!(
        "{fill}asm volatile(\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {{%0, %1}}, [%0];\" : \"+r\"(at), \"+r\"(b));
    out[t] = at; out[32 + t] = b;"
    ));
    let expected: Vec<u32> = (0..64).map(|idx| own(idx % 32, idx / 32, false)).collect();
    assert_eq!(lanes(&source, ArchId::Tu102, &[0], 64), Ok(expected));
    // A transposed word of each lane.
    let source = kernel(&format!(
        "{fill}asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%0}}, [%1];\" : \"=r\"(a) : \"r\"(at));
    asm(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(b) : \"r\"(a));
    out[t] = b;"
    ));
    let expected: Vec<u32> = (0..32).map(|lane| own(lane, 0, true)).collect();
    for arch in archs {
        assert_eq!(lanes(&source, arch, &[0], 32).as_ref(), Ok(&expected));
    }
    // What `stmatrix` stores, `ldmatrix` loads.
    for (num, trans) in [(4, ""), (4, ".trans"), (2, ""), (1, ".trans")] {
        let list = ["%1, %2, %3, %4", "", "%1, %2", "%1"][if num == 4 { 0 } else { 4 - num as usize }];
        let source = kernel(&format!(
            "unsigned at = (unsigned)__cvta_generic_to_shared(&s[8 * t]);
    asm volatile(\"stmatrix.sync.aligned.m8n8.x{num}{trans}.shared.b16 [%0], {{{list}}};\"
        :: \"r\"(at), \"r\"(in[t]), \"r\"(in[32 + t]), \"r\"(in[64 + t]), \"r\"(in[96 + t]) : \"memory\");
    __syncwarp();
    for (int i = t; i < 256; i += 32) out[i] = s[i];"
        ));
        let given: Vec<u32> = (0..128)
            .map(|idx| own(idx % 32, idx / 32, !trans.is_empty()))
            .collect();
        let expected: Vec<u32> = (0..256)
            .map(|idx| if idx < 64 * num { idx } else { 0x7777 })
            .collect();
        assert_eq!(lanes(&source, ArchId::Gh100, &given, 256), Ok(expected));
        assert_eq!(
            lanes(&source, ArchId::Ga100, &given, 256),
            Err("`stmatrix` needs compute capability 9.0; Ampere GA100 has 8.0.".to_owned())
        );
    }
}

/// A size and the types of `mma`.
struct Product {
    text: &'static str,
    rows: usize,
    depth: usize,
    /// The types of both factors, and of the sums.
    types: [&'static str; 3],
    /// The first chip that has it, and the last without it.
    since: ArchId,
    before: ArchId,
}

/// The bits of a small integer in a type, and the number of its bits.
fn encoded(value: i32, ty: &str) -> (u64, usize) {
    let float = f64::from(value);
    let sign = u64::from(value < 0);
    let exponent = u64::from(value.unsigned_abs().max(1).ilog2());
    let fraction = |bits: u32| (u64::from(value.unsigned_abs()) << bits >> exponent) & ((1 << bits) - 1);
    let packed = |exponents: u32, bits: u32| {
        let bias = (1 << (exponents - 1)) - 1;
        let magnitude = if value == 0 {
            0
        } else {
            (exponent + bias) << bits | fraction(bits)
        };
        (
            sign << (exponents + bits) | magnitude,
            (1 + exponents + bits) as usize,
        )
    };
    match ty {
        "f64" => (float.to_bits(), 64),
        "f32" | "tf32" => ((float as f32).to_bits().into(), 32),
        "f16" => packed(5, 10),
        "bf16" => packed(8, 7),
        "e4m3" => packed(4, 3),
        "e5m2" => packed(5, 2),
        "s32" => (u64::from(value as u32), 32),
        "s8" | "u8" => (u64::from(value as u8), 8),
        "s4" | "u4" => ((value & 15) as u64, 4),
        _ => ((value & 1) as u64, 1),
    }
}

/// The registers of all lanes from elements: `at` gives the row and the column of an element of a lane.
fn packed(ty: &str, num: usize, at: impl Fn(usize, usize) -> i32) -> Vec<u32> {
    let (_, bits) = encoded(0, ty);
    let words = num * bits / 32;
    let mut out = vec![0_u32; words * 32];
    for lane in 0..32 {
        for element in 0..num {
            let (value, _) = encoded(at(lane, element), ty);
            for bit in 0..bits {
                let place = element * bits + bit;
                out[place / 32 * 32 + lane] |= ((value >> bit & 1) as u32) << (place % 32);
            }
        }
    }
    out
}

/// The constraint, the number of words of a register, and the C++ type of a register.
fn register(ty: &str) -> (&'static str, usize) {
    match ty {
        "f64" => ("d", 2),
        "f32" => ("f", 1),
        _ => ("r", 1),
    }
}

#[test]
fn products_of_all_sizes_are_those_of_the_figures() {
    use ArchId::{Ad102, Ga100, Gh100, Gv100, Tu102};
    let product = |text, rows, depth, types, since, before| Product {
        text,
        rows,
        depth,
        types,
        since,
        before,
    };
    let all = [
        product(
            "m16n8k8.row.col.f32.f16.f16.f32",
            16,
            8,
            ["f16", "f16", "f32"],
            Tu102,
            Gv100,
        ),
        product(
            "m16n8k8.row.col.f16.f16.f16.f16",
            16,
            8,
            ["f16", "f16", "f16"],
            Tu102,
            Gv100,
        ),
        product(
            "m16n8k16.row.col.f32.f16.f16.f32",
            16,
            16,
            ["f16", "f16", "f32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k16.row.col.f16.f16.f16.f16",
            16,
            16,
            ["f16", "f16", "f16"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k8.row.col.f32.bf16.bf16.f32",
            16,
            8,
            ["bf16", "bf16", "f32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k16.row.col.f32.bf16.bf16.f32",
            16,
            16,
            ["bf16", "bf16", "f32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k4.row.col.f32.tf32.tf32.f32",
            16,
            4,
            ["tf32", "tf32", "f32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k8.row.col.f32.tf32.tf32.f32",
            16,
            8,
            ["tf32", "tf32", "f32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k16.row.col.f32.e4m3.e5m2.f32",
            16,
            16,
            ["e4m3", "e5m2", "f32"],
            Ad102,
            Ga100,
        ),
        product(
            "m16n8k16.row.col.f16.e5m2.e5m2.f16",
            16,
            16,
            ["e5m2", "e5m2", "f16"],
            Ad102,
            Ga100,
        ),
        product(
            "m16n8k32.row.col.f32.e5m2.e4m3.f32",
            16,
            32,
            ["e5m2", "e4m3", "f32"],
            Ad102,
            Ga100,
        ),
        product(
            "m8n8k4.row.col.f64.f64.f64.f64",
            8,
            4,
            ["f64", "f64", "f64"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k4.row.col.f64.f64.f64.f64",
            16,
            4,
            ["f64", "f64", "f64"],
            Gh100,
            Ga100,
        ),
        product(
            "m16n8k8.row.col.f64.f64.f64.f64",
            16,
            8,
            ["f64", "f64", "f64"],
            Gh100,
            Ga100,
        ),
        product(
            "m16n8k16.row.col.f64.f64.f64.f64",
            16,
            16,
            ["f64", "f64", "f64"],
            Gh100,
            Ga100,
        ),
        product(
            "m8n8k16.row.col.s32.s8.s8.s32",
            8,
            16,
            ["s8", "s8", "s32"],
            Tu102,
            Gv100,
        ),
        product(
            "m8n8k16.row.col.satfinite.s32.u8.u8.s32",
            8,
            16,
            ["u8", "u8", "s32"],
            Tu102,
            Gv100,
        ),
        product(
            "m8n8k16.row.col.s32.u8.s8.s32",
            8,
            16,
            ["u8", "s8", "s32"],
            Tu102,
            Gv100,
        ),
        product(
            "m16n8k16.row.col.s32.s8.s8.s32",
            16,
            16,
            ["s8", "s8", "s32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k16.row.col.s32.s8.u8.s32",
            16,
            16,
            ["s8", "u8", "s32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k32.row.col.s32.s8.s8.s32",
            16,
            32,
            ["s8", "s8", "s32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k32.row.col.satfinite.s32.u8.s8.s32",
            16,
            32,
            ["u8", "s8", "s32"],
            Ga100,
            Tu102,
        ),
        product(
            "m8n8k32.row.col.s32.s4.s4.s32",
            8,
            32,
            ["s4", "s4", "s32"],
            Tu102,
            Gv100,
        ),
        product(
            "m8n8k32.row.col.s32.u4.s4.s32",
            8,
            32,
            ["u4", "s4", "s32"],
            Tu102,
            Gv100,
        ),
        product(
            "m16n8k32.row.col.s32.u4.u4.s32",
            16,
            32,
            ["u4", "u4", "s32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k64.row.col.satfinite.s32.s4.s4.s32",
            16,
            64,
            ["s4", "s4", "s32"],
            Ga100,
            Tu102,
        ),
        product(
            "m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
            8,
            128,
            ["b1", "b1", "s32"],
            Tu102,
            Gv100,
        ),
        product(
            "m16n8k128.row.col.s32.b1.b1.s32.and.popc",
            16,
            128,
            ["b1", "b1", "s32"],
            Ga100,
            Tu102,
        ),
        product(
            "m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
            16,
            256,
            ["b1", "b1", "s32"],
            Ga100,
            Tu102,
        ),
    ];
    for Product {
        text,
        rows,
        depth,
        types,
        since,
        before,
    } in all
    {
        let [left, right, sums] = types;
        // Small numbers, so that all results are exact, with numbers of the highest bit where the type has no sign.
        let number = |seed: usize, ty: &str| {
            let value = (seed * 2_654_435_761 % 1_000_003 / 7 % 5) as i32 - 2;
            match ty {
                "u8" if value < 0 => 256 + value,
                "u4" if value < 0 => 16 + value,
                "b1" => value & 1,
                _ => value,
            }
        };
        let a = |row: usize, k: usize| number(row * 300 + k + 1, left);
        let b = |k: usize, column: usize| number(100_000 + column * 300 + k, right);
        let c = |row: usize, column: usize| number(200_000 + row * 8 + column, "s8");
        // Elements of one register, or of a double.
        let per_register = |ty: &str| 32 / encoded(0, ty).1.min(32);
        let (n_left, n_right) = (per_register(left), per_register(right));
        let left_words = packed(left, rows * depth / 32, |lane, element| {
            let (register, idx) = (element / n_left, element % n_left);
            let (high, chunk) = if rows == 16 {
                (register % 2, register / 2)
            } else {
                (0, register)
            };
            a(lane / 4 + 8 * high, lane % 4 * n_left + idx + chunk * 4 * n_left)
        });
        let right_words = packed(right, 8 * depth / 32, |lane, element| {
            let (register, idx) = (element / n_right, element % n_right);
            b(lane % 4 * n_right + idx + register * 4 * n_right, lane / 4)
        });
        let sums_of = |value: &dyn Fn(usize, usize) -> i32| {
            packed(sums, rows * 8 / 32, |lane, element| {
                value(lane / 4 + element / 2 * 8, lane % 4 * 2 + element % 2)
            })
        };
        let sum_words = sums_of(&c);
        let expected = sums_of(&|row, column| {
            let products = (0..depth).map(|k| match text {
                _ if text.contains("xor") => a(row, k) ^ b(k, column),
                _ => a(row, k) * b(k, column),
            });
            products.sum::<i32>() + c(row, column)
        });
        // Operands: the result, the factors, the sums.
        let mut operands = Vec::new();
        let mut lists = Vec::new();
        let mut declared = String::new();
        let mut stored = String::new();
        let mut at = 0;
        let mut idx = 0;
        let parts = [
            (sums, sum_words.len() / 32, true),
            (left, left_words.len() / 32, false),
            (right, right_words.len() / 32, false),
            (sums, sum_words.len() / 32, false),
        ];
        for (ty, words, is_result) in parts {
            let (constraint, width) = register(ty);
            let mut names = Vec::new();
            for register in 0..words / width {
                names.push(format!("%{idx}"));
                let c_type = match constraint {
                    "d" => "double",
                    "f" => "float",
                    _ => "unsigned",
                };
                if is_result {
                    declared += &format!("{c_type} d{register}; ");
                    operands.push(format!("\"={constraint}\"(d{register})"));
                    for word in 0..width {
                        let value = match (constraint, word) {
                            ("d", 0) => format!("(unsigned)__double2loint(d{register})"),
                            ("d", _) => format!("(unsigned)__double2hiint(d{register})"),
                            ("f", _) => format!("__float_as_uint(d{register})"),
                            _ => format!("d{register}"),
                        };
                        stored += &format!("out[{} + t] = {value}; ", 32 * (register * width + word));
                    }
                } else {
                    let word = |word: usize| format!("in[{} + t]", 32 * (at + word));
                    let value = match constraint {
                        "d" => format!("__hiloint2double((int){}, (int){})", word(1), word(0)),
                        "f" => format!("__uint_as_float({})", word(0)),
                        _ => word(0),
                    };
                    operands.push(format!("\"{constraint}\"({value})"));
                    at += width;
                }
                idx += 1;
            }
            lists.push(format!("{{{}}}", names.join(", ")));
        }
        let num_results = operands.iter().filter(|operand| operand.contains('=')).count();
        let (results, inputs) = operands.split_at(num_results);
        let source = kernel(&format!(
            "{declared}asm volatile(\"mma.sync.aligned.{text} {};\" : {} : {}); {stored}",
            lists.join(", "),
            results.join(", "),
            inputs.join(", ")
        ));
        let given = [left_words, right_words, sum_words].concat();
        let archs = [Tu102, Ga100, Ad102, Gh100];
        for arch in archs.into_iter().skip_while(|arch| *arch != since) {
            let found = lanes(&source, arch, &given, expected.len());
            assert_eq!(found.as_ref(), Ok(&expected), "{text} {arch:?}");
        }
        let refused = lanes(&source, before, &given, expected.len()).unwrap_err();
        assert!(refused.contains("needs compute capability"), "{text}: {refused}");
    }
}

#[test]
fn saturated_sums_end_at_the_largest_integer() {
    for (text, num) in [
        ("m16n8k32.row.col.satfinite.s32.s8.s8.s32", [4, 2]),
        ("m16n8k16.row.col.satfinite.s32.u8.u8.s32", [2, 1]),
    ] {
        let list = |from: usize, num: usize, what: &str| -> (String, String) {
            let names: Vec<String> = (from..from + num).map(|idx| format!("%{idx}")).collect();
            (names.join(", "), vec![what; num].join(", "))
        };
        let [num_left, num_right] = num;
        let (left, left_values) = list(4, num_left, "\"r\"(0x7f7f7f7f)");
        let (right, right_values) = list(4 + num_left, num_right, "\"r\"(0x01010101)");
        let (sums, sum_values) = list(4 + num_left + num_right, 4, "\"r\"(2147483600)");
        let source = kernel(&format!(
            "int d0, d1, d2, d3; asm volatile(\"mma.sync.aligned.{text} {{%0, %1, %2, %3}}, {{{left}}}, {{{right}}}, {{{sums}}};\"
    : \"=r\"(d0), \"=r\"(d1), \"=r\"(d2), \"=r\"(d3) : {left_values}, {right_values}, {sum_values});
    out[t] = d0; out[32 + t] = d3;"
        ));
        assert_eq!(
            lanes(&source, ArchId::Gh100, &[0], 64),
            Ok(vec![0x7fff_ffff; 64]),
            "{text}"
        );
    }
}

/// m8n8k4 of halves: the eight lanes 4 q to 4 q + 3 and those 16 higher compute a product of their own.
#[test]
fn products_of_eight_lanes_are_those_of_the_figures() {
    let number = |seed: usize| (seed * 2_654_435_761 % 1_000_003 / 7 % 5) as i32 - 2;
    for (layout, left_columns, right_rows) in [
        ("row.col", false, false),
        ("row.row", false, true),
        ("col.col", true, false),
        ("col.row", true, true),
    ] {
        for sums in ["f32", "f16"] {
            let a = |group: usize, row: usize, k: usize| number(group * 100 + row * 4 + k);
            let b = |group: usize, k: usize, column: usize| number(1000 + group * 100 + column * 4 + k);
            let c = |group: usize, row: usize, column: usize| number(2000 + group * 100 + row * 8 + column);
            let group = |lane: usize| lane % 16 / 4;
            // The line of a lane: 4 of the other dimension; across, four lanes share four lines.
            let line = |lane: usize, element: usize, is_across: bool| {
                let upper = lane / 16 * 4;
                if is_across {
                    (upper + element, lane % 4)
                } else {
                    (upper + lane % 4, element)
                }
            };
            let left = packed("f16", 4, |lane, element| {
                let (row, k) = line(lane, element, left_columns);
                a(group(lane), row, k)
            });
            let right = packed("f16", 4, |lane, element| {
                let (column, k) = line(lane, element, right_rows);
                b(group(lane), k, column)
            });
            let place = |lane: usize, element: usize| {
                let upper = lane / 16 * 4;
                match sums {
                    "f32" => (upper + lane % 2 + (element & 2), (lane & 2) + (element & 5)),
                    _ => (upper + lane % 4, element),
                }
            };
            let sum_words = packed(sums, 8, |lane, element| {
                let (row, column) = place(lane, element);
                c(group(lane), row, column)
            });
            let expected = packed(sums, 8, |lane, element| {
                let ((row, column), group) = (place(lane, element), group(lane));
                (0..4)
                    .map(|k| a(group, row, k) * b(group, k, column))
                    .sum::<i32>()
                    + c(group, row, column)
            });
            let num = sum_words.len() / 32;
            let names = |from: usize, num: usize| {
                (from..from + num)
                    .map(|idx| format!("%{idx}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let (letter, ty, read, stored) = match sums {
                "f32" => ("f", "float", "__uint_as_float", "__float_as_uint"),
                _ => ("r", "unsigned", "", ""),
            };
            let results: Vec<String> = (0..num).map(|idx| format!("\"={letter}\"(d[{idx}])")).collect();
            let mut inputs: Vec<String> = (0..4).map(|idx| format!("\"r\"(in[{} + t])", 32 * idx)).collect();
            inputs.extend((0..num).map(|idx| format!("\"{letter}\"({read}(in[{} + t]))", 32 * (4 + idx))));
            let source = kernel(&format!(
                "{ty} d[{num}]; asm volatile(\"mma.sync.aligned.m8n8k4.{layout}.{sums}.f16.f16.{sums} {{{}}}, {{{}}}, {{{}}}, {{{}}};\"
    : {} : {});
#pragma unroll
    for (int i = 0; i < {num}; i++) out[32 * i + t] = {stored}(d[i]);",
                names(0, num),
                names(num, 2),
                names(num + 2, 2),
                names(num + 4, num),
                results.join(", "),
                inputs.join(", ")
            ));
            let given = [left, right, sum_words].concat();
            let found = lanes(&source, ArchId::Gv100, &given, expected.len());
            assert_eq!(found, Ok(expected), "{layout} {sums}");
            assert!(lanes(&source, ArchId::Tu102, &given, 32).is_err());
        }
    }
}
