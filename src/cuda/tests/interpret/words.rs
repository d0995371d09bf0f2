//! Inline PTX and the SIMD intrinsics, in machine code of several architectures and in the interpreter, against
//! Rust arithmetic that follows the definitions of the PTX ISA and the CUDA Math API.

use super::{Limits, OPTIONS, buffer, integers, run, unit_for};
use cuda::{compile, parse_with};
use engine::arch::ArchId;
use engine::launch::{Launch, Role};
use engine::sim::reference;

/// Numbers at the boundaries of bytes, halves, and words.
fn numbers() -> Vec<u32> {
    let edges = [
        0,
        1,
        2,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        u32::MAX,
        0x80ff_017f,
        0x7f80_ff01,
        0x0102_0304,
        0xfefd_fcfb,
        0x8000_7fff,
        0x0001_ffff,
    ];
    let mixed = (0..46_u32).map(|i| (i + 1).wrapping_mul(0x9e37_79b9) ^ i << 13);
    edges.into_iter().chain(mixed).collect()
}

/// The three operands of each thread.
fn triples() -> Vec<[u32; 3]> {
    let numbers = numbers();
    (0..numbers.len() * 4)
        .map(|i| {
            [
                numbers[i % 64],
                numbers[(i * 7 + i / 64 * 5 + 3) % 64],
                numbers[(i * 11 + 1) % 64] % 40,
            ]
        })
        .collect()
}

/// Runs `body`, which reads `a`, `b`, and `c` and sets `r`, and compares `r` with a function.
#[track_caller]
fn holds(archs: &[ArchId], body: &str, expected: impl Fn([u32; 3]) -> u32) {
    holds_with("", archs, body, expected);
}

/// Like [`holds`], with source lines before the kernel.
#[track_caller]
fn holds_with(front: &str, archs: &[ArchId], body: &str, expected: impl Fn([u32; 3]) -> u32) {
    let source = format!(
        "{front}
__global__ void k(const unsigned *in, unsigned *out) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], r = 0;
    {body}
    out[i] = r;
}}"
    );
    let triples = triples();
    let input: Vec<i32> = triples.iter().flatten().map(|number| *number as i32).collect();
    let launch = Launch {
        grid: [triples.len() as u32 / 64, 1, 1],
        block: [64, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(&input, Role::In),
            buffer(&vec![0; triples.len()], Role::Out),
        ],
        symbols: Vec::new(),
    };
    let expected: Vec<u32> = triples.iter().map(|triple| expected(*triple)).collect();
    let compare = |bytes: &[u8], who: &str| {
        for ((triple, got), expected) in triples.iter().zip(integers(bytes)).zip(&expected) {
            assert_eq!(got as u32, *expected, "{who}: {triple:x?}: {body}");
        }
    };
    for arch in archs {
        let unit = unit_for(&source, *arch);
        let outcome = run(&unit, "k", &launch, Limits::default()).expect("the interpreter runs it");
        compare(&outcome.buffers[1].bytes, "interpreter");
        let program = compile(&source, Some("k"), *arch, &OPTIONS)
            .expect("it compiles")
            .program;
        let outputs = reference::run(&program, &launch).expect("it runs");
        compare(&outputs.argument(1).expect("a buffer"), &arch.to_string());
    }
}

const MOST: [ArchId; 3] = [ArchId::Gk110, ArchId::Gp104, ArchId::Tu102];

/// One integer instruction: `%0` is the result, `%1`, `%2`, and `%3` are a, b, and c.
#[track_caller]
fn instruction(text: &str, expected: impl Fn([u32; 3]) -> u32) {
    let body = format!("asm(\"{text}\" : \"=r\"(r) : \"r\"(a), \"r\"(b), \"r\"(c));");
    holds(&MOST, &body, expected);
}

#[test]
fn integer_instructions() {
    instruction("add.u32 %0, %1, %2;", |[a, b, _]| a.wrapping_add(b));
    instruction("sub.s32 %0, %1, %2;", |[a, b, _]| a.wrapping_sub(b));
    instruction("mul.lo.s32 %0, %1, %2;", |[a, b, _]| a.wrapping_mul(b));
    instruction("mul.hi.u32 %0, %1, %2;", |[a, b, _]| {
        ((u64::from(a) * u64::from(b)) >> 32) as u32
    });
    instruction("mul.hi.s32 %0, %1, %2;", |[a, b, _]| {
        ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
    });
    instruction("mad.lo.u32 %0, %1, %2, %3;", |[a, b, c]| {
        a.wrapping_mul(b).wrapping_add(c)
    });
    instruction("min.s32 %0, %1, %2;", |[a, b, _]| (a as i32).min(b as i32) as u32);
    instruction("max.u32 %0, %1, %2;", |[a, b, _]| a.max(b));
    instruction("abs.s32 %0, %1;", |[a, ..]| (a as i32).unsigned_abs());
    instruction("neg.s32 %0, %1;", |[a, ..]| a.wrapping_neg());
    instruction("shl.b32 %0, %1, %3;", |[a, _, c]| a.checked_shl(c).unwrap_or(0));
    instruction("shr.u32 %0, %1, %3;", |[a, _, c]| a.checked_shr(c).unwrap_or(0));
    instruction("shr.s32 %0, %1, %3;", |[a, _, c]| (a as i32 >> c.min(31)) as u32);
    instruction("lop3.b32 %0, %1, %2, %3, 0xb8;", |[a, b, c]| lop(a, b, c));
    instruction("lop3.b32 %0, %1, %2, %3, 0x96;", |[a, b, c]| a ^ b ^ c);
    instruction("prmt.b32 %0, %1, %2, 0x3715;", |[a, b, _]| {
        let bytes = [a.to_le_bytes(), b.to_le_bytes()].concat();
        u32::from_le_bytes([bytes[5], bytes[1], bytes[7], bytes[3]])
    });
    instruction("popc.b32 %0, %1;", |[a, ..]| a.count_ones());
    instruction("clz.b32 %0, %1;", |[a, ..]| a.leading_zeros());
    instruction("brev.b32 %0, %1;", |[a, ..]| a.reverse_bits());
    instruction("bfind.u32 %0, %1;", |[a, ..]| {
        31_u32.wrapping_sub(a.leading_zeros())
    });
    instruction("bfe.u32 %0, %1, %3, 9;", |[a, _, c]| {
        a.checked_shr(c).unwrap_or(0) & 0x1ff
    });
    instruction("bfe.s32 %0, %1, %3, 9;", |[a, _, c]| {
        let sign = a >> (c + 8).min(31) & 1;
        (0..32).fold(0, |field, bit| {
            let from = if bit < 9 && bit + c <= 31 {
                a >> (bit + c) & 1
            } else {
                sign
            };
            field | from << bit
        })
    });
    instruction("bfi.b32 %0, %1, %2, %3, 9;", |[a, b, c]| {
        (0..9).filter(|bit| bit + c <= 31).fold(b, |field, bit| {
            field & !(1 << (bit + c)) | (a >> bit & 1) << (bit + c)
        })
    });
    instruction("sad.u32 %0, %1, %2, %3;", |[a, b, c]| {
        a.abs_diff(b).wrapping_add(c)
    });
    instruction("not.b32 %0, %1;", |[a, ..]| !a);
    instruction("shf.l.wrap.b32 %0, %1, %2, %3;", |[a, b, c]| {
        ((u64::from(b) << 32 | u64::from(a)) << (c & 31) >> 32) as u32
    });
    instruction("cvt.u32.u8 %0, %1;", |[a, ..]| a & 0xff);
    instruction("cvt.s32.s8 %0, %1;", |[a, ..]| i32::from(a as i8) as u32);
    instruction("cvt.sat.u8.s32 %0, %1;", |[a, ..]| {
        (a as i32).clamp(0, 255) as u32
    });
}

/// LOP3 with lookup table 0xb8.
fn lop(a: u32, b: u32, c: u32) -> u32 {
    (0..32).fold(0, |word, bit| {
        let index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1;
        word | (0xb8_u32 >> index & 1) << bit
    })
}

#[test]
fn texts_of_several_instructions() {
    let carry = "unsigned low, high; asm(\"add.cc.u32 %0, %2, %3;\\n\\taddc.u32 %1, %2, %4;\" : \"=r\"(low), \"=r\"(high) : \"r\"(a), \"r\"(b), \"r\"(c)); r = low ^ high * 3u;";
    holds(&MOST, carry, |[a, b, c]| {
        let (low, carry) = a.overflowing_add(b);
        low ^ a.wrapping_add(c).wrapping_add(u32::from(carry)).wrapping_mul(3)
    });
    let borrow = "unsigned low, high; asm(\"sub.cc.u32 %0, %2, %3; subc.u32 %1, %2, %4;\" : \"=r\"(low), \"=r\"(high) : \"r\"(a), \"r\"(b), \"r\"(c)); r = low ^ high * 3u;";
    holds(&MOST, borrow, |[a, b, c]| {
        let (low, borrow) = a.overflowing_sub(b);
        low ^ a.wrapping_sub(c).wrapping_sub(u32::from(borrow)).wrapping_mul(3)
    });
    let predicate = r#"asm("{\n .reg .pred p, q;\n .reg .u32 t<2>;\n setp.lt.u32 p|q, %1, %2; // which\n @p mov.u32 t0, 5;\n @!p mov.u32 t0, 7;\n selp.u32 t1, 16, 32, q;\n add.u32 %0, t0, t1;\n}" : "=r"(r) : "r"(a), "r"(b));"#;
    holds(&MOST, predicate, |[a, b, _]| if a < b { 5 + 32 } else { 7 + 16 });
    let branch = r#"asm volatile("{ .reg .pred p; .reg .b32 n; mov.b32 n, %2; again: add.u32 %0, %0, %1; sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra again; }" : "+r"(r) : "r"(a), "r"(c % 4 + 1));"#;
    holds(&MOST, branch, |[a, _, c]| a.wrapping_mul(c % 4 + 1));
    let wide = r#"unsigned long long w; asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(a), "r"(b)); asm("{ .reg .u32 lo, hi; mov.b64 {lo, hi}, %1; xor.b32 %0, lo, hi; }" : "=r"(r) : "l"(w));"#;
    holds(&MOST, wide, |[a, b, _]| {
        let product = u64::from(a) * u64::from(b);
        product as u32 ^ (product >> 32) as u32
    });
    let floats = r#"float x = (float)(int)a, y; asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(y) : "f"(x), "f"(0.5f)); asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r) : "f"(y));"#;
    holds(&MOST, floats, |[a, ..]| {
        (f64::from(a as i32 as f32).mul_add(0.5, 1.0) as f32 as i32) as u32
    });
    let registers = r#"unsigned lane, mask; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); asm("mov.u32 %0, %lanemask_lt;" : "=r"(mask)); asm volatile("bar.sync 0;" ::: "memory"); r = (__popc(mask) == lane) + a;"#;
    holds(&MOST, registers, |[a, ..]| a.wrapping_add(1));
    let memory = r#"__shared__ unsigned s[64]; unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]); asm volatile("st.shared.u32 [%0], %1;" :: "r"(at), "r"(a) : "memory"); __syncthreads(); asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(at)); const unsigned *p = in + 3 * i; unsigned q; asm("ld.global.nc.u32 %0, [%1+4];" : "=r"(q) : "l"(p)); r += q;"#;
    holds(&MOST, memory, |[a, b, _]| a.wrapping_add(b));
    let atomic = r#"unsigned old; out[i] = a; asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(out + i), "r"(b) : "memory"); r = old + out[i];"#;
    holds(&MOST, atomic, |[a, b, _]| a.wrapping_add(a).wrapping_add(b));
}

/// Invalid PTX: the message names the instruction and its line.
#[test]
fn wrong_texts_name_the_instruction_and_the_line() {
    let message = |text: &str| {
        let source = format!(
            "__global__ void k(unsigned *out) {{ unsigned r; asm(\"{text}\" : \"=r\"(r)); *out = r; }}"
        );
        let parsed = parse_with(&source, ArchId::Tu102, &OPTIONS);
        parsed
            .diagnostics
            .first()
            .map(|diagnostic| diagnostic.message.clone())
            .unwrap_or_default()
    };
    assert_eq!(
        message("mov.u32 %0, 1;\\nfrob.u32 %0, %0;"),
        "The PTX instruction `frob.u32` is not supported. This is line 2 of the text."
    );
    assert_eq!(
        message("mov.u32 %0, %5;"),
        "`%5` is neither a register declared in this text nor an operand."
    );
    assert_eq!(
        message("add.u32 %0, %0;"),
        "Arguments mismatch for the PTX instruction `add.u32`."
    );
    assert!(message("addc.u32 %0, %0, 1;").contains("carry flag"));
    assert!(message("{ mov.u32 %0, 1;").contains("has no `}`"));
}

/// Splits a word into parts of `bits` each, sign-extended if signed.
fn parts(word: u32, bits: u32, signed: bool) -> Vec<i64> {
    (0..32 / bits)
        .map(|part| {
            let field = i64::from(word >> (part * bits)) & ((1 << bits) - 1);
            if signed && field >> (bits - 1) == 1 {
                field - (1 << bits)
            } else {
                field
            }
        })
        .collect()
}

fn join(parts: impl Iterator<Item = i64>, bits: u32) -> u32 {
    parts.zip(0..).fold(0, |word, (part, at)| {
        word | ((part & ((1 << bits) - 1)) as u32) << (at * bits)
    })
}

#[test]
fn simd_intrinsics() {
    type Part = fn(i64, i64, i64, i64) -> i64;
    let archs = [ArchId::Gp104, ArchId::Tu102];
    // Operands: a, b, minimum and maximum of a part.
    let two: [(&str, bool, Part); 23] = [
        ("add", false, |a, b, _, _| a + b),
        ("sub", false, |a, b, _, _| a - b),
        ("addss", true, |a, b, low, high| (a + b).clamp(low, high)),
        ("addus", false, |a, b, low, high| (a + b).clamp(low, high)),
        ("subss", true, |a, b, low, high| (a - b).clamp(low, high)),
        ("subus", false, |a, b, low, high| (a - b).clamp(low, high)),
        ("avgs", true, |a, b, _, _| (a + b + i64::from(a + b >= 0)) >> 1),
        ("avgu", false, |a, b, _, _| (a + b + 1) >> 1),
        ("haddu", false, |a, b, _, _| (a + b) >> 1),
        ("maxs", true, |a, b, _, _| a.max(b)),
        ("maxu", false, |a, b, _, _| a.max(b)),
        ("mins", true, |a, b, _, _| a.min(b)),
        ("minu", false, |a, b, _, _| a.min(b)),
        ("absdiffs", true, |a, b, _, _| (a - b).abs()),
        ("absdiffu", false, |a, b, _, _| (a - b).abs()),
        ("cmpeq", false, |a, b, _, _| -i64::from(a == b)),
        ("cmpgts", true, |a, b, _, _| -i64::from(a > b)),
        ("cmpltu", false, |a, b, _, _| -i64::from(a < b)),
        ("cmpges", true, |a, b, _, _| -i64::from(a >= b)),
        ("cmpne", false, |a, b, _, _| -i64::from(a != b)),
        ("setles", true, |a, b, _, _| i64::from(a <= b)),
        ("setgeu", false, |a, b, _, _| i64::from(a >= b)),
        ("setltu", false, |a, b, _, _| i64::from(a < b)),
    ];
    let one: [(&str, Part); 4] = [
        ("abs", |a, _, _, _| a.abs()),
        ("absss", |a, _, _, high| a.abs().min(high)),
        ("neg", |a, _, _, _| -a),
        ("negss", |a, _, _, high| (-a).min(high)),
    ];
    for bits in [8, 16] {
        let number = 32 / bits;
        let range = |signed: bool| {
            if signed {
                (-(1_i64 << (bits - 1)), (1 << (bits - 1)) - 1)
            } else {
                (0, (1_i64 << bits) - 1)
            }
        };
        for (name, signed, part) in two {
            let (low, high) = range(signed);
            holds(&archs, &format!("r = __v{name}{number}(a, b);"), |[a, b, _]| {
                let (a, b) = (parts(a, bits, signed), parts(b, bits, signed));
                join(a.into_iter().zip(b).map(|(a, b)| part(a, b, low, high)), bits)
            });
        }
        for (name, part) in one {
            let (low, high) = range(true);
            holds(&archs, &format!("r = __v{name}{number}(a);"), |[a, ..]| {
                join(
                    parts(a, bits, true).into_iter().map(|a| part(a, 0, low, high)),
                    bits,
                )
            });
        }
        for (name, signed) in [("sads", true), ("sadu", false)] {
            holds(&archs, &format!("r = __v{name}{number}(a, b);"), |[a, b, _]| {
                let (a, b) = (parts(a, bits, signed), parts(b, bits, signed));
                a.into_iter()
                    .zip(b)
                    .map(|(a, b)| (a - b).unsigned_abs() as u32)
                    .sum()
            });
        }
    }
    holds(
        &[ArchId::Tu102],
        "r = __dp4a((int)a, (int)b, (int)c) ^ __dp4a(a, b, c) * 3u;",
        |[a, b, c]| {
            let dot = |signed| -> u32 {
                let products = parts(a, 8, signed)
                    .into_iter()
                    .zip(parts(b, 8, signed))
                    .map(|(a, b)| a * b);
                (products.sum::<i64>() + i64::from(c)) as u32
            };
            dot(true) ^ dot(false).wrapping_mul(3)
        },
    );
    holds(
        &[ArchId::Tu102],
        "r = __dp2a_lo((int)a, (int)b, (int)c) ^ __dp2a_hi(a, b, c) * 3u;",
        |[a, b, c]| {
            let dot = |signed, from: usize| -> u32 {
                let bytes = parts(b, 8, signed).split_off(from);
                let products = parts(a, 16, signed).into_iter().zip(bytes).map(|(a, b)| a * b);
                (products.sum::<i64>() + i64::from(c)) as u32
            };
            dot(true, 0) ^ dot(false, 2).wrapping_mul(3)
        },
    );
}

#[test]
fn bytes_of_memory() {
    let body = "unsigned char bytes[12]; memset(bytes, (int)c, sizeof bytes); memcpy(bytes + 2, &a, 4); memmove(bytes + 4, bytes + 2, 4); memcpy(&r, bytes + 3, 4); r += memcmp(&a, &b, 4) * 3;";
    holds(&MOST, body, |[a, b, c]| {
        let mut bytes = [c as u8; 12];
        bytes[2..6].copy_from_slice(&a.to_le_bytes());
        bytes.copy_within(2..6, 4);
        let word = u32::from_le_bytes([bytes[3], bytes[4], bytes[5], bytes[6]]);
        let order = a.to_le_bytes().cmp(&b.to_le_bytes()) as i32;
        word.wrapping_add((order * 3) as u32)
    });
    holds_with(
        "struct rounded { __device__ double nan() { return ::nan(\"\"); } };",
        &MOST,
        "rounded n; double x = n.nan(); r = x != x ? a : 0;",
        |[a, ..]| a,
    );
}

#[test]
fn atomics_and_barriers_of_namespace_cuda() {
    let front = "#include <cuda/atomic>";
    let body = "__shared__ unsigned s; if (threadIdx.x == 0) s = 0; __syncthreads();
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> sum(s);
        sum.fetch_add(threadIdx.x + 1, cuda::std::memory_order_relaxed); __syncthreads();
        cuda::atomic_ref<unsigned> own(out[i]); own.store(a); own += b; r = own.load(cuda::memory_order_acquire) + s;";
    holds_with(front, &[ArchId::Gp104, ArchId::Tu102], body, |[a, b, _]| {
        a.wrapping_add(b).wrapping_add(64 * 65 / 2)
    });
    let body = "__shared__ cuda::atomic<unsigned, cuda::thread_scope_block> most; if (threadIdx.x == 0) most.store(0); __syncthreads();
        most.fetch_max(threadIdx.x); __syncthreads(); r = most.load() + a;";
    holds_with(front, &[ArchId::Gp104, ArchId::Tu102], body, |[a, ..]| {
        a.wrapping_add(63)
    });
    let body = "__shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ unsigned s[64];
        if (threadIdx.x == 0) init(&bar, blockDim.x); __syncthreads();
        for (int n = 0; n < 3; n++) { s[threadIdx.x] = threadIdx.x + n; bar.arrive_and_wait(); r += s[63 - threadIdx.x]; bar.wait(bar.arrive()); }
        r += threadIdx.x * 3;";
    holds_with(
        "#include <cuda/barrier>",
        &[ArchId::Tu102, ArchId::Gh100],
        body,
        |_| 3 * 63 + 3,
    );
}
