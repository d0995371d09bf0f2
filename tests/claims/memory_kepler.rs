//! The bank sizes of shared memory on 3.x: CUDA C Programming Guide 4.2, F.5.3, and Mei & Chu 2017.

use engine::arch::{ArchId, BankSize};
use engine::launch::Role;
use engine::sim::{MachineOptions, RequestKind};
use engine::trace::Trace;
use workbench::library;

use super::runs::{floats, int, launch, run};

fn of_banks(bank_size: BankSize) -> MachineOptions {
    MachineOptions {
        bank_size,
        ..MachineOptions::default()
    }
}

/// Returns the wavefronts of one shared-memory load of a run; all loads of the run take the same number.
fn wavefronts(trace: &Trace) -> u64 {
    let loads = trace.total().of_kind(RequestKind::SharedLoad);
    assert!(loads.accesses > 0);
    assert_eq!(loads.wavefronts % loads.accesses, 0);
    loads.wavefronts / loads.accesses
}

fn strided(arch: ArchId, stride: u32, bank_size: BankSize) -> Trace {
    let kernel = library::kernel("shared-stride").expect("a kernel of the library");
    let mut launch = kernel.launch();
    launch.args[1] = int(stride);
    run(kernel.source, arch, &launch, of_banks(bank_size))
}

/// Mei & Chu 2017, Figure 19: a stride of 6 words has a two-way conflict in the 4-byte mode and none in the 8-byte
/// mode. For powers of two, both modes have half as many ways as Fermi.
#[test]
fn strides_take_the_published_wavefronts_by_mode() {
    for (stride, fermi, four, eight) in [
        (1, 1, 1, 1),
        (2, 2, 1, 1),
        (6, 2, 2, 1),
        (12, 4, 4, 2),
        (32, 32, 16, 16),
    ] {
        let of = |arch, size| wavefronts(&strided(arch, stride, size));
        assert_eq!(of(ArchId::Gf100, BankSize::FourByte), fermi, "stride {stride}");
        assert_eq!(of(ArchId::Gk110, BankSize::FourByte), four, "stride {stride}");
        assert_eq!(of(ArchId::Gk110, BankSize::EightByte), eight, "stride {stride}");
    }
}

/// The bank size changes the cycles of wavefronts and no value.
#[test]
fn the_bank_size_changes_cycles_but_no_values() {
    let [four, eight] = BankSize::ALL.map(|size| strided(ArchId::Gk110, 6, size));
    assert!(eight.num_cycles() < four.num_cycles());
    let results = |trace: &Trace| -> Vec<Vec<u8>> {
        let outputs = trace.outputs().expect("the run has ended");
        outputs.compared().map(|(_, bytes)| bytes).collect()
    };
    assert_eq!(results(&four), results(&eight));
    let [four, eight] = BankSize::ALL.map(|size| strided(ArchId::Gk110, 3, size));
    assert!(four.num_cycles() < eight.num_cycles());
}

/// The bank size has no effect on chips without a choice.
#[test]
fn other_architectures_have_banks_of_four_bytes() {
    for arch in [ArchId::Gt200, ArchId::Gf100, ArchId::Gm204, ArchId::Gv100] {
        let [four, eight] = BankSize::ALL.map(|size| strided(arch, 6, size));
        assert_eq!(four.num_cycles(), eight.num_cycles(), "{arch}");
        assert_eq!(wavefronts(&four), wavefronts(&eight), "{arch}");
    }
}

/// A contiguous read of doubles takes one wavefront on 3.x and two on 2.x. In the 8-byte mode, a column of a tile whose
/// rows are padded by one double also takes one wavefront.
#[test]
fn doubles_take_one_wavefront() {
    const SOURCE: &str = "__global__ void doubles(const float *in, float *out, int stride) {
        __shared__ double tile[33 * 32];
        for (int i = threadIdx.x; i < 33 * 32; i += 32) tile[i] = in[i];
        __syncthreads();
        out[threadIdx.x] = (float)tile[threadIdx.x * stride];
    }";
    let of = |arch, stride: u32, size| {
        let args = vec![floats(33 * 32, Role::In), floats(32, Role::Out), int(stride)];
        let trace = run(SOURCE, arch, &launch(1, 32, 0, args), of_banks(size));
        wavefronts(&trace)
    };
    assert_eq!(of(ArchId::Gf100, 1, BankSize::FourByte), 2);
    for size in BankSize::ALL {
        assert_eq!(of(ArchId::Gk110, 1, size), 1, "{size:?}");
    }
    assert_eq!(of(ArchId::Gk110, 33, BankSize::EightByte), 1);
    assert_eq!(of(ArchId::Gk110, 32, BankSize::EightByte), 32);
}
