//! A chip is what its numbers say: a made-up chip with the numbers of GH100 runs as GH100 does.

use std::sync::Arc;

use engine::arch::{ArchId, Architecture, architecture};
use engine::isa::CompileOptions;
use engine::sim::MachineOptions;
use engine::trace::{Simulation, TraceOptions};
use workbench::library;

/// Cycles of each run: enough that all warps of the first blocks are at work.
const CYCLES: u64 = 4_000;

#[test]
fn a_made_up_chip_with_the_numbers_of_gh100_runs_the_library_as_gh100() {
    let real = architecture(ArchId::Gh100);
    let mut made_up = real.clone();
    made_up.id = ArchId::Gf104;
    made_up.name = "Made-up";
    let made_up: &'static Architecture = Box::leak(Box::new(made_up));
    let mut num_runs = 0;
    for kernel in library::kernels() {
        let compiled = cuda::compile(
            kernel.source,
            Some(kernel.entry),
            real.id,
            &CompileOptions::default(),
        );
        // A kernel for earlier chips.
        let Ok(compiled) = compiled else { continue };
        let program = Arc::new(compiled.program);
        let run = |arch| {
            let options = MachineOptions::default();
            let mut run = Simulation::new(
                arch,
                Arc::clone(&program),
                &kernel.launch(),
                options,
                TraceOptions::default(),
            )
            .unwrap_or_else(|error| panic!("{}: {error}", kernel.id));
            run.advance(CYCLES);
            let trace = run.finish();
            (trace.num_cycles(), trace.num_issues(), trace.digest())
        };
        assert_eq!(run(made_up), run(real), "{}", kernel.id);
        num_runs += 1;
    }
    assert!(num_runs > 50, "{num_runs}");
}
