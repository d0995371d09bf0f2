use std::collections::BTreeMap;

use super::*;
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Role};
use engine::sim::memory::Outputs;
use engine::sim::{Machine, MachineOptions, Outcome, reference};

#[test]
fn ids_are_unique_and_the_default_is_there() {
    let ids: Vec<&str> = kernels().map(|kernel| kernel.id).collect();
    for (i, id) in ids.iter().enumerate() {
        assert!(!ids[..i].contains(id), "{id} twice");
    }
    assert!(kernel(DEFAULT_ID).is_some());
    assert_eq!(kernel_or_default("no such kernel").id, DEFAULT_ID);
    let families: Vec<&str> = families().map(|family| family.id).collect();
    for (i, id) in families.iter().enumerate() {
        assert!(!families[..i].contains(id), "family {id} twice");
    }
    assert!(families.len() >= 16, "{}", families.len());
}

/// Links of earlier versions contain these ids.
#[test]
fn ids_of_earlier_versions_still_work() {
    for id in [
        "transpose-tiled",
        "transpose-padded",
        "transpose-naive",
        "vector-add",
        "saxpy",
        "matmul-tiled",
        "reduce-sum",
        "reduce-interleaved",
        "histogram",
        "divergence",
        "mixed-math",
        "shared-stride",
        "strided-copy",
        "pointer-chase",
    ] {
        assert_eq!(kernel(id).map(|kernel| kernel.id), Some(id));
    }
}

#[test]
fn every_family_opens_one_of_its_variants_and_names_them_uniquely() {
    for family in families() {
        assert!(
            family.kernels.iter().any(|kernel| kernel.id == family.opens),
            "{} opens {}",
            family.id,
            family.opens
        );
        let mut names: Vec<_> = family.kernels.iter().map(|k| (k.group, k.variant)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), family.kernels.len(), "{}", family.id);
        let mut groups = family.groups();
        groups.sort_unstable();
        groups.dedup();
        assert_eq!(
            groups.len(),
            family.groups().len(),
            "groups of {} are mixed",
            family.id
        );
        assert!(
            family
                .kernels
                .iter()
                .all(|k| family_of(k.id).is_some_and(|f| f.id == family.id))
        );
    }
}

#[test]
fn sources_contain_their_entry_and_fit_the_editor() {
    for kernel in kernels() {
        assert!(
            kernel.source.contains(&format!("{}(", kernel.entry)),
            "{}",
            kernel.id
        );
        for line in kernel.source.lines() {
            assert!(line.len() <= 38, "{}: {line}", kernel.id);
        }
        assert!(
            kernel.look_at.ends_with('.') && kernel.look_at.len() <= 120,
            "{}",
            kernel.look_at
        );
    }
}

/// The first compute capability that supports the kernel, times ten.
fn first_compute_capability(kernel: &LibraryKernel) -> u32 {
    match kernel.entry {
        "reduce_shuffle" | "scan_shuffle" | "warp_shuffle_sync" => 30,
        // Atomics on global memory, and on shared memory.
        "histogram_global" | "spin_lock" | "lock_lanes" | "lock_none" => 11,
        "histogram" => 12,
        // Double precision.
        "product_double" => 13,
        _ => 10,
    }
}

pub(super) fn program(kernel: &LibraryKernel, arch: ArchId) -> Result<Program, String> {
    compile(
        kernel.source,
        Some(kernel.entry),
        arch,
        &CompileOptions::default(),
    )
    .map(|compiled| compiled.program)
    .map_err(|diagnostics| {
        diagnostics
            .iter()
            .map(|d| format!("{}\n", d.message))
            .collect::<Vec<_>>()
            .concat()
    })
}

/// Checks that every variant computes the same values as plain Rust, on the machine and in the interpreter, on
/// every architecture that supports it. On other architectures, an error names the missing feature.
fn check_variants_on_every_architecture(families: &[Family]) {
    let mut faults = Vec::new();
    let kernels = families.iter().flat_map(|family| family.kernels);
    // `tests/claims` states on which architectures the hazards fail, and how.
    for kernel in kernels.filter(|kernel| !HAZARDS.contains(&kernel.id)) {
        let launch = kernel.launch();
        let expected = expected(kernel);
        for arch in ArchId::ALL {
            let cc = architecture(arch).compute_capability;
            let has = 10 * u32::from(cc.major) + u32::from(cc.minor) >= first_compute_capability(kernel);
            let program = match (program(kernel, arch), has) {
                (Ok(program), true) => program,
                (Ok(_), false) => {
                    faults.push(format!("{} compiles for {arch}", kernel.id));
                    continue;
                }
                (Err(message), false) => {
                    if !message.contains("needs compute capability") {
                        faults.push(format!("{} on {arch}: {message}", kernel.id));
                    }
                    continue;
                }
                (Err(message), true) => {
                    faults.push(format!("{} on {arch}: {message}", kernel.id));
                    continue;
                }
            };
            let mut machine =
                match Machine::new(architecture(arch), &program, &launch, MachineOptions::default()) {
                    Ok(machine) => machine,
                    Err(error) => {
                        faults.push(format!("{} on {arch}: {error}", kernel.id));
                        continue;
                    }
                };
            machine.run(&mut ());
            if machine.outcome() != Some(&Outcome::Finished) {
                faults.push(format!("{} on {arch}: {:?}", kernel.id, machine.outcome()));
                continue;
            }
            if arch == ArchId::Tu102 && machine.cycle().0 >= 15_000 {
                faults.push(format!("{} on {arch}: {} cycles", kernel.id, machine.cycle().0));
            }
            let outputs = machine.outputs();
            faults.extend(differences(kernel, arch, &outputs, &expected));
            match reference::run(&program, &launch) {
                Ok(reference) if reference.compared().eq(outputs.compared()) => {}
                Ok(_) => faults.push(format!("{} on {arch}: the interpreter differs", kernel.id)),
                Err(error) => faults.push(format!("{} on {arch}: {error}", kernel.id)),
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn global_memory_variants_compute_the_expected_values() {
    check_variants_on_every_architecture(memory::FAMILIES);
}

#[test]
fn shared_memory_variants_compute_the_expected_values() {
    check_variants_on_every_architecture(shared::FAMILIES);
}

#[test]
fn tensor_variants_compute_the_expected_values() {
    check_variants_on_every_architecture(tensor::FAMILIES);
}

#[test]
fn work_variants_compute_the_expected_values() {
    check_variants_on_every_architecture(work::FAMILIES);
}

#[test]
fn kernels_of_programs_compute_the_expected_values() {
    check_variants_on_every_architecture(streams::FAMILIES);
}

/// Lists where the buffers differ from the expected values. Integers must be equal. Floats may differ slightly:
/// Tesla truncates products and has an approximate division.
pub(super) fn differences(
    kernel: &LibraryKernel,
    arch: ArchId,
    outputs: &Outputs,
    expected: &BTreeMap<usize, Vec<f64>>,
) -> Vec<String> {
    let args = kernel.launch().args;
    let mut faults = Vec::new();
    let mut compared = 0;
    for (argument, bytes) in outputs.compared() {
        compared += 1;
        let Argument::Buffer { elem, .. } = args[argument] else {
            continue;
        };
        let got = numbers(elem, &bytes);
        let Some(expected) = expected.get(&argument) else {
            faults.push(format!(
                "{}: argument {argument} has no expected values",
                kernel.id
            ));
            continue;
        };
        if got.len() != expected.len() {
            faults.push(format!("{}: {} elements expected", kernel.id, expected.len()));
        }
        let wrong = got.iter().zip(expected).position(|(got, expected)| {
            if elem == ElemType::F32 {
                (got - expected).abs() > 1e-4 * expected.abs().max(1e-3)
            } else {
                got != expected
            }
        });
        if let Some(i) = wrong {
            faults.push(format!(
                "{} on {arch}: element {i} of argument {argument} is {}, not {}",
                kernel.id, got[i], expected[i]
            ));
        }
    }
    if compared == 0 {
        faults.push(format!("{}: nothing is compared", kernel.id));
    }
    faults
}

fn numbers(elem: ElemType, bytes: &[u8]) -> Vec<f64> {
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    match elem {
        ElemType::U8 => bytes.iter().map(|byte| f64::from(*byte)).collect(),
        ElemType::U32 => bytes.chunks_exact(4).map(|b| f64::from(word(b))).collect(),
        ElemType::I32 => bytes
            .chunks_exact(4)
            .map(|b| f64::from(word(b).cast_signed()))
            .collect(),
        ElemType::F32 => bytes
            .chunks_exact(4)
            .map(|b| f64::from(f32::from_bits(word(b))))
            .collect(),
        ElemType::F64 => bytes
            .chunks_exact(8)
            .map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
            .collect(),
        ElemType::I8 => bytes.iter().map(|byte| f64::from(byte.cast_signed())).collect(),
        ElemType::F16 => bytes
            .chunks_exact(2)
            .map(|b| engine::sim::exec::half::widen_f16(u16::from_le_bytes([b[0], b[1]])))
            .collect(),
        other => panic!("the library has no buffer of {other:?}"),
    }
}

/// The arguments as numbers: buffers before the launch, scalars as one element.
fn values(kernel: &LibraryKernel) -> Vec<Vec<f64>> {
    let launch = kernel.launch();
    launch
        .args
        .iter()
        .map(|arg| match arg {
            Argument::Buffer { elem, len, fill, .. } => numbers(*elem, &fill.bytes(*elem, *len)),
            Argument::Scalar { ty, bits } => numbers(*ty, &bits.to_le_bytes()[..4]),
            Argument::Bytes(_) | Argument::Texture(_) | Argument::Pointer { .. } | Argument::Words(_) => {
                Vec::new()
            }
        })
        .collect()
}

/// The expected contents of the buffers after the launch, by argument, computed in plain Rust.
pub(super) fn expected(kernel: &LibraryKernel) -> BTreeMap<usize, Vec<f64>> {
    let launch = kernel.launch();
    let threads = (launch.grid.iter().product::<u32>() * launch.block.iter().product::<u32>()) as usize;
    let v = values(kernel);
    let int = |arg: usize| v[arg][0] as i64 as usize;
    let one = |arg: usize, values: Vec<f64>| BTreeMap::from([(arg, values)]);
    let each = |arg: usize, f: &dyn Fn(usize) -> f64| {
        let Argument::Buffer { len, role, .. } = &launch.args[arg] else {
            panic!("argument {arg} of {} is no buffer", kernel.id);
        };
        assert!(matches!(role, Role::Out | Role::InOut), "{}", kernel.id);
        one(arg, (0..*len as usize).map(f).collect())
    };
    match kernel.entry {
        "vector_add" | "vector_add_float4" => each(2, &|i| v[0][i] + v[1][i]),
        "saxpy" | "saxpy_each" => each(2, &|i| v[0][0] * v[1][i] + v[2][i]),
        "stream" | "stream_2" | "stream_4" | "stream_float2" | "stream_float4" | "stream_few" => {
            each(1, &|i| v[0][i])
        }
        "work" => each(0, &|i| (0..int(1)).fold(v[0][i], |x, _| x * 0.5 + 1.0)),
        "strided_copy" => each(1, &|i| v[0][i * int(2)]),
        "offset_copy" => each(1, &|i| v[0][i + int(2)]),
        "offset_copy_texture" => each(0, &|i| v[2][i + int(1)]),
        "gather_texture" => each(1, &|i| v[2][v[0][i] as usize]),
        "gather" => each(2, &|i| v[0][v[1][i] as usize]),
        "pointer_chase" => each(1, &|i| (0..int(2)).fold(i, |at, _| v[0][at] as usize) as f64),
        "constant_lookup" => {
            let table = &launch.symbols[0];
            let table = numbers(table.elem, &table.fill.bytes(table.elem, table.len));
            each(1, &|i| (0..8).map(|r| table[(v[0][i] as usize + r) % 64]).sum())
        }
        "points_aos" => each(1, &|i| (0..3).map(|k| v[0][3 * i + k].powi(2)).sum()),
        "points_float4" => each(1, &|i| (0..3).map(|k| v[0][4 * i + k].powi(2)).sum()),
        "points_soa" => each(3, &|i| (0..3).map(|k| v[k][i].powi(2)).sum()),
        "transpose_naive" | "transpose_tiled" | "transpose_padded" | "transpose_swizzled" => {
            let (width, height) = (int(2), int(3));
            each(0, &|i| v[1][i % height * width + i / height])
        }
        "reduce_divergent" | "reduce_strided" | "reduce_sum" | "reduce_shuffle" => {
            each(1, &|i| wrapped(v[0][256 * i..256 * (i + 1)].iter().sum()))
        }
        "scan_steps" | "scan_tree" | "scan_shuffle" => {
            each(1, &|i| wrapped(v[0][i / 256 * 256..=i].iter().sum()))
        }
        "matmul_naive" | "matmul_tiled" | "matmul_float4" => {
            let n = int(3);
            each(0, &|i| {
                (0..n).map(|k| v[1][i / n * n + k] * v[2][k * n + i % n]).sum()
            })
        }
        "product_tensor" | "product_fp8" | "product_tf32" | "product_double" | "product_ffma" => {
            let n = int(3);
            each(0, &|i| {
                (0..n).map(|k| v[1][i / n * n + k] * v[2][k * n + i % n]).sum()
            })
        }
        "product_bytes" => each(0, &|i| {
            (0..32)
                .map(|k| v[1][i / 32 * 32 + k] * v[2][i % 32 * 32 + k])
                .sum()
        }),
        // Numbers of four bits are digits of hexadecimal words; digits from 8 on are negative.
        "product_int4" => each(0, &|i| {
            let digits = |arg: usize, line: usize| -> Vec<i64> {
                let words = &v[arg][line * 8..line * 8 + 8];
                let digits = words.iter().flat_map(|word| {
                    let text = format!("{:08x}", *word as i32);
                    text.chars().filter_map(|c| c.to_digit(16)).collect::<Vec<_>>()
                });
                digits.map(|digit| (i64::from(digit) + 8) % 16 - 8).collect()
            };
            let (left, right) = (digits(1, i / 32), digits(2, i % 32));
            left.iter().zip(&right).map(|(a, b)| a * b).sum::<i64>() as f64
        }),
        "product_bits" => each(0, &|i| {
            let bits = |arg: usize, line: usize| -> String {
                let words = &v[arg][line * 8..line * 8 + 8];
                words
                    .iter()
                    .map(|word| format!("{:032b}", *word as u32))
                    .collect::<Vec<_>>()
                    .concat()
            };
            let (left, right) = (bits(1, i / 32), bits(2, i % 32));
            left.chars().zip(right.chars()).filter(|(a, b)| a != b).count() as f64
        }),
        "warp_sum_sync" | "warp_shuffle_sync" => {
            each(1, &|i| wrapped(v[0][32 * i..32 * (i + 1)].iter().sum()))
        }
        "histogram" | "histogram_global" => each(1, &|bin| {
            v[0].iter().filter(|x| **x as usize % 64 == bin).count() as f64
        }),
        "histogram_private" => each(1, &|at| {
            let block = |i: usize| i % threads / launch.block[0] as usize;
            let of = |(i, x): &(usize, &f64)| block(*i) == at / 64 && **x as usize % 64 == at % 64;
            v[0].iter().enumerate().filter(of).count() as f64
        }),
        "stencil_global" | "stencil_shared" => each(1, &|i| v[0][i..i + 7].iter().sum::<f64>() / 7.0),
        "shared_stride" => each(0, &|i| (i * int(1)) as f64),
        "ladder" => each(1, &|i| {
            f64::from((0..8).fold(v[0][i] as i32, |x, _| x.wrapping_mul(3).wrapping_add(x >> 5)))
        }),
        "divergence" => each(1, &|i| f64::from(uneven(v[0][i] as i32, i % 4, int(2) as i32))),
        "mixed_math" | "mixed_math_float" | "mixed_math_int" => {
            let pairs: Vec<(f64, f64)> = (0..512).map(|i| math(kernel.entry, i, int(2) as i32)).collect();
            BTreeMap::from([
                (0, pairs.iter().map(|pair| pair.0).collect()),
                (1, pairs.iter().map(|pair| pair.1).collect()),
            ])
        }
        "ilp_1" | "ilp_2" | "ilp_4" => {
            let chains: usize = if kernel.entry == "ilp_1" {
                1
            } else if kernel.entry == "ilp_2" {
                2
            } else {
                4
            };
            each(1, &|i| {
                let chain =
                    |c: usize| (0..64 / chains).fold(v[0][i] + c as f64, |x, _| x * 0.5 + 1.0 + c as f64);
                (0..chains).map(chain).sum()
            })
        }
        "pressure" | "pressure_spilled" => each(1, &|i| {
            let r = |k: usize| v[0][i + 32 * (k % 72)];
            (0..72).map(|k| r(k) * r(k + 7)).sum()
        }),
        "pressure_local" => each(2, &|i| {
            v[1].iter()
                .fold(0.0, |sum, k| sum * 0.5 + v[0][i + 32 * *k as usize])
        }),
        "barrier" => each(0, &|i| {
            let from = 255 - i % 256;
            let rounds = int(1) + int(2) * (from / 32);
            f64::from((0..rounds).fold(from as i32, |x, _| x.wrapping_mul(3).wrapping_add(x >> 5)))
        }),
        "spin_lock" | "lock_lanes" | "lock_none" => each(1, &|_| wrapped(v[2].iter().sum())),
        other => panic!("no expected values for {other}"),
    }
}

/// A sum of integers, wrapped to 32 bits.
fn wrapped(sum: f64) -> f64 {
    f64::from(sum as i64 as i32)
}

fn uneven(mut x: i32, way: usize, rounds: i32) -> i32 {
    for r in 0..rounds {
        match way {
            0 => (0..r + 4).for_each(|k| x = x.wrapping_mul(3).wrapping_add(k)),
            1 => (0..r + 8).for_each(|k| x = (x ^ r).wrapping_add(k)),
            2 => (0..r + 12).for_each(|_| x = x.wrapping_add(x >> 3)),
            _ => x = x.wrapping_sub(r),
        }
    }
    x
}

fn math(entry: &str, i: i32, rounds: i32) -> (f64, f64) {
    let float = |mut x: f64, factor: f64, summand: f64| {
        (0..rounds).for_each(|_| x = x * factor + summand);
        x
    };
    let ints = |mut p: i32, mut q: i32| {
        for r in 0..rounds {
            p = (p ^ r).wrapping_add(q);
            q = (q ^ p).wrapping_add(r);
        }
        f64::from(p.wrapping_add(q))
    };
    let x = f64::from(i);
    match entry {
        "mixed_math" => (float(x, 1.5, 0.25) + float(x + 1.0, 0.5, 2.0), ints(i, !i)),
        "mixed_math_float" => (
            float(x, 0.5, 0.25) + float(x + 1.0, 0.5, 2.0),
            float(x + 2.0, 0.5, 1.0) + float(x + 3.0, 0.5, 4.0),
        ),
        _ => (ints(i, !i), ints(i + 1, i ^ 5)),
    }
}
