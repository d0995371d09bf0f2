//! 8-bit floats: products and conversions beside an H100, bit for bit.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::Arc;

use cuda::compile;
use engine::arch::ArchId;
use engine::isa::{CompileOptions, ElemType, Program};

#[path = "common/block.rs"]
mod block;

use block::{output, scalar};

const KERNEL: &str = include_str!("microbenchmarks/fp8.cu");
/// Measured on an H100 with the kernel's own `main`.
const MEASURED: &str = include_str!("microbenchmarks/fp8.csv");
/// Computed by `fp8_ada.py` from a published description.
const COMPUTED: &str = include_str!("microbenchmarks/fp8_ada.csv");

fn program(arch: ArchId) -> Arc<Program> {
    let compiled = compile(KERNEL, Some("fp8"), arch, &CompileOptions::default());
    Arc::new(compiled.unwrap_or_else(|found| panic!("{found:?}")).program)
}

/// Eight words of each lane.
fn words(arch: ArchId, program: &Arc<Program>, [seed, mask, types]: [u32; 3]) -> Vec<u32> {
    let args = vec![
        output(ElemType::U32, 256),
        scalar(seed),
        scalar(mask),
        scalar(types),
    ];
    block::words(arch, program, 32, args)
}

/// The part of a word: sums in single precision, sums in half precision, codes, and values.
const fn part(idx: usize) -> usize {
    match idx % 8 {
        0..4 => 0,
        4 | 5 => 1,
        6 => 2,
        _ => 3,
    }
}

/// Compares the results with all rows of a table; the number of rows.
fn compared(arch: ArchId, program: &Arc<Program>, table: &str) -> usize {
    let hex = |text: &str| u32::from_str_radix(text, 16).expect("a word");
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let inputs = [number(fields[2]), hex(fields[1]), number(fields[0])];
        let mut sums = [2_166_136_261_u32; 4];
        for (idx, word) in words(arch, program, inputs).into_iter().enumerate() {
            let sum = &mut sums[part(idx)];
            *sum = (*sum ^ word).wrapping_mul(16_777_619);
        }
        let expected: Vec<u32> = fields[3..].iter().map(|text| hex(text)).collect();
        assert_eq!(sums[..expected.len()], expected, "{line}");
        rows += 1;
    }
    rows
}

#[test]
fn all_bits_are_those_of_an_h100() {
    let program = program(ArchId::Gh100);
    let names: Vec<String> = program.code.iter().map(|i| i.text(ArchId::Gh100)).collect();
    let count = |name: &str| names.iter().filter(|text| text.contains(name)).count();
    // Two HMMA for each of the four pairs of types, with sums of both kinds, as in the code of nvcc.
    assert_eq!(
        [count("HMMA.16816.F32"), count("HMMA.16816.F16"), count("QMMA")],
        [8, 8, 0]
    );
    assert_eq!(compared(ArchId::Gh100, &program, MEASURED), 72);
}

#[test]
fn sums_on_ada_are_those_of_exact_arithmetic() {
    let program = program(ArchId::Ad102);
    let names: Vec<String> = program.code.iter().map(|i| i.text(ArchId::Ad102)).collect();
    let count = |name: &str| names.iter().filter(|text| text.contains(name)).count();
    assert_eq!([count("QMMA.16832"), count("HMMA")], [8, 0]);
    assert_eq!(compared(ArchId::Ad102, &program, COMPUTED), 24);
}
