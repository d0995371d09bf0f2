//! Shared functions of the claim tests: runs, launches, and statistics.

use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{LoadCaching, MachineOptions, Outcome, RequestKind};
use engine::trace::{Trace, simulate};
use workbench::library;

/// Runs a kernel's source, compiled with an optional register limit.
pub(crate) fn try_run(
    source: &str,
    arch: ArchId,
    launch: &Launch,
    options: MachineOptions,
    max_registers: Option<u16>,
) -> Result<Trace, String> {
    let compile_options = CompileOptions {
        max_registers,
        ..CompileOptions::default()
    };
    let compiled = compile(source, None, arch, &compile_options).map_err(|found| format!("{found:?}"))?;
    simulate(architecture(arch), Arc::new(compiled.program), launch, options)
        .map_err(|error| error.to_string())
}

/// Runs a kernel's source, which must finish.
pub(crate) fn run(source: &str, arch: ArchId, launch: &Launch, options: MachineOptions) -> Trace {
    let trace =
        try_run(source, arch, launch, options, None).unwrap_or_else(|error| panic!("{arch}: {error}"));
    assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
    trace
}

/// Runs a library kernel with its default launch.
pub(crate) fn run_library(id: &str, arch: ArchId, options: MachineOptions) -> Trace {
    let kernel = library::kernel(id).expect("a kernel of the library");
    run(kernel.source, arch, &kernel.launch(), options)
}

/// Returns options with a carveout of `kib` KB.
pub(crate) fn carveout(kib: u16) -> MachineOptions {
    MachineOptions {
        carveout_kib: Some(kib.into()),
        ..MachineOptions::default()
    }
}

/// Returns options with `-dlcm=ca` or `-dlcm=cg`.
pub(crate) fn caching(load_caching: LoadCaching) -> MachineOptions {
    MachineOptions {
        load_caching,
        ..MachineOptions::default()
    }
}

/// Returns a buffer of floats; outputs are zero-initialized.
pub(crate) fn floats(len: u32, role: Role) -> Argument {
    Argument::Buffer {
        elem: ElemType::F32,
        len,
        fill: Fill::of(if role == Role::In {
            Pattern::Iota
        } else {
            Pattern::Zero
        }),
        role,
        start: 0,
    }
}

/// Returns an integer argument.
pub(crate) fn int(value: u32) -> Argument {
    Argument::Scalar {
        ty: ElemType::I32,
        bits: value.into(),
    }
}

/// Returns a launch.
pub(crate) fn launch(blocks: u32, threads: u32, dynamic_shared: u32, args: Vec<Argument>) -> Launch {
    Launch {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared,
        args,
        symbols: Vec::new(),
    }
}

/// A kernel whose block reads a ring of words in device memory three times.
const RING: &str = "__global__ void ring(const float *in, float *out, int n, int steps) {
    int i = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < steps; ++k) {
        sum += in[i];
        i += 256;
        if (i >= n) i -= n;
    }
    out[threadIdx.x] = sum;
}";
const ROUNDS: u32 = 3;

/// Runs three rounds of a ring of `kib` KB.
pub(crate) fn ring(arch: ArchId, kib: u32, options: MachineOptions) -> Trace {
    let args = vec![
        floats(kib * 256, Role::In),
        floats(256, Role::Out),
        int(kib * 256),
        int(ROUNDS * kib),
    ];
    run(RING, arch, &launch(1, 256, 0, args), options)
}

/// Returns the L1 hit rate of the second and third round: 1 if the ring fits.
pub(crate) fn ring_hits(arch: ArchId, kib: u32, options: MachineOptions) -> f64 {
    let loads = ring(arch, kib, options).total().of_kind(RequestKind::GlobalLoad);
    loads.l1_hits as f64 / (f64::from(ROUNDS - 1) * f64::from(kib) * 32.0)
}

/// Checks that each claim ID of the ranges has either a test in the file or a reason.
pub(crate) fn check_list(
    text: &str,
    reasons: &[(&str, &str)],
    ranges: &[(char, std::ops::RangeInclusive<u32>)],
) {
    let is_id = |id: &&str| id.len() == 3 && id[1..].bytes().all(|byte| byte.is_ascii_digit());
    let tested: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("fn claim_"))
        .flat_map(|name| name.split('_').take_while(is_id))
        .collect();
    let mut all = Vec::new();
    for (guide, numbers) in ranges {
        all.extend(numbers.clone().map(|number| format!("{guide}{number:02}")));
    }
    for id in &all {
        let has_reason = reasons.iter().any(|(of, why)| of == id && !why.is_empty());
        assert!(
            tested.contains(&id.as_str()) != has_reason,
            "{id} must have either a test or a reason"
        );
    }
    let others = tested.iter().chain(reasons.iter().map(|(id, _)| id));
    for id in others {
        assert!(all.iter().any(|of| of == id), "{id} is outside the ranges");
    }
}
