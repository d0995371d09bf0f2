//! Registers of kernels in comparison with nvcc's, and the order of their loads.

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, Instruction, Op, Operand, Program, Space};

const TILED: &str = include_str!("../../../tests/registers/tiled.cu");
const PRODUCT: &str = include_str!("../../../tests/registers/gemm8x8.cu");
const PLAIN: &str = include_str!("../../../tests/public_cases/64-tiled-matmul-1024.cu");
const CONVERTED: &str = include_str!("../../workbench/library/product-fp8.cu");
const MANY: &str = include_str!("../../../tests/public_cases/33-registers-512.cu");

fn program(source: &str, entry: &str, arch: ArchId) -> Program {
    let compiled = compile(source, Some(entry), arch, &CompileOptions::default());
    compiled
        .unwrap_or_else(|errors| panic!("{entry} on {arch}: {errors:?}"))
        .program
}

/// The positions of the instructions for which a test holds.
fn positions(program: &Program, is_wanted: impl Fn(&Instruction) -> bool) -> Vec<usize> {
    let code = program.code.iter().enumerate();
    code.filter(|(_, instruction)| is_wanted(instruction))
        .map(|(at, _)| at)
        .collect()
}

fn loads(instruction: &Instruction, of: Space) -> bool {
    matches!(instruction.op, Op::Ld { space, .. } if space == of)
}

#[test]
fn registers_leave_an_sm_its_most_threads() {
    // Registers of nvcc 13, or of the last nvcc for the chip, at most; the largest block up to Fermi.
    for (arch, most) in [
        (ArchId::Gf100, 32),
        (ArchId::Gk110, 32),
        (ArchId::Gm204, 32),
        (ArchId::Gp104, 32),
        (ArchId::Gv100, 32),
        (ArchId::Tu102, 64),
        (ArchId::Ga100, 32),
        (ArchId::Ga102, 40),
        (ArchId::Ad102, 40),
        (ArchId::Gh100, 32),
    ] {
        for (source, entry) in [
            (PLAIN, "plain"),
            (TILED, "t32"),
            (TILED, "i32"),
            (TILED, "t1d<32>"),
        ] {
            let program = program(source, entry, arch);
            assert!(
                program.registers_per_thread <= most,
                "{entry} on {arch}: {}",
                program.registers_per_thread
            );
            assert_eq!(program.spill_bytes, (0, 0), "{entry} on {arch}");
        }
    }
}

#[test]
fn a_block_of_1024_threads_fits_the_register_file() {
    // The file has doubles, which the first architecture does not have.
    for arch in ArchId::ALL.into_iter().filter(|arch| *arch != ArchId::G80) {
        let rules = &architecture(arch).occupancy;
        let threads = u32::from(rules.max_threads_per_block.value);
        for entry in ["t32", "i32", "conv2d", "nbody", "reduce1024"] {
            let program = program(TILED, entry, arch);
            let registers = u32::from(program.registers_per_thread) * threads;
            assert!(
                registers <= rules.registers_per_sm.value,
                "{entry} on {arch}: {}",
                program.registers_per_thread
            );
        }
    }
}

#[test]
fn a_kernel_that_needs_its_registers_keeps_them() {
    for arch in [ArchId::Gk110, ArchId::Tu102, ArchId::Gh100] {
        let free = program(MANY, "noBounds", arch);
        assert!(free.registers_per_thread > 64, "{arch}");
        assert_eq!(free.spill_bytes, (0, 0), "{arch}");
        let bounded = program(MANY, "bounded", arch);
        assert!(bounded.registers_per_thread <= 64, "{arch}");
    }
}

#[test]
fn the_loads_of_a_tile_are_issued_together() {
    for arch in [ArchId::Tu102, ArchId::Gh100] {
        let program = program(PRODUCT, "gemm8", arch);
        let stores = positions(&program, |instruction| {
            matches!(
                instruction.op,
                Op::St {
                    space: Space::Shared,
                    ..
                }
            )
        });
        let loads = positions(&program, |instruction| loads(instruction, Space::Global));
        // Each thread loads four words of both tiles.
        let before = loads.iter().filter(|at| **at < stores[0]).count();
        assert_eq!(before, 8, "{arch}");
    }
}

/// The program's order needs nearly as many registers as the step of the largest block has: in that step, each load would wait
/// for the one before.
#[test]
fn loads_are_not_issued_one_by_one_to_save_registers() {
    for arch in [ArchId::Ad102, ArchId::Gh100] {
        let program = program(CONVERTED, "product_fp8", arch);
        let loads = positions(&program, |instruction| loads(instruction, Space::Global));
        let first = program.code[loads[0]].dst;
        let is_reader = |instruction: &Instruction| {
            let mut sources = instruction.srcs.iter();
            sources.any(|source| source.operand == Operand::Reg(first))
        };
        let readers = positions(&program, is_reader);
        let reader = readers.into_iter().find(|at| *at > loads[0]).expect("a reader");
        let batch = loads.iter().filter(|at| **at < reader).count();
        assert!(batch >= 4, "{arch}: {batch}");
    }
}

#[test]
fn constants_of_signed_indices_are_offsets() {
    let source = "__global__ void rows(float *o, int n) {
        __shared__ float s[1024];
        int r = threadIdx.x / 16;
        s[threadIdx.x] = o[threadIdx.x];
        __syncthreads();
        float t = 0;
        for (int i = 0; i < 4; i++)
            t += s[(r * 4 + i) * 8 + n];
        o[threadIdx.x] = t;
    }";
    for arch in [ArchId::Gp104, ArchId::Tu102, ArchId::Gh100] {
        let program = program(source, "rows", arch);
        let loads: Vec<&Instruction> = (program.code.iter())
            .filter(|instruction| loads(instruction, Space::Shared))
            .collect();
        let offsets: Vec<i32> = loads.iter().map(|load| load.offset).collect();
        assert_eq!(offsets, [0, 32, 64, 96], "{arch}");
        assert!(
            loads.iter().all(|load| load.srcs[0] == loads[0].srcs[0]),
            "{arch}: one register"
        );
    }
}
