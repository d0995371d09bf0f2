//! For the measured corpus, the machine and the reference must leave the same memory, whatever a compiled
//! kernel does.

use std::path::Path;

use crate::compile;
use corpus::cases;
use engine::arch::{ArchId, architecture};
use engine::isa::CompileOptions;
use engine::launch::Launch;
use engine::sim::{FaultKind, LaunchError, Machine, MachineOptions, Outcome, reference};

/// Runs the machine and the reference and compares their memory. `None` if the architecture cannot run the kernel, or
/// not within the cycle limit of the test: a lock within a warp never opens before Volta.
fn agree(what: &str, source: &str, kernel: Option<&str>, launch: &Launch, arch: ArchId) -> Option<()> {
    // The compiler tests cover compile errors.
    let program = compile(source, kernel, arch, &CompileOptions::default())
        .ok()?
        .program;
    let options = MachineOptions {
        max_cycles: 500_000,
        ..MachineOptions::default()
    };
    let mut machine = match Machine::new(architecture(arch), &program, launch, options) {
        Ok(machine) => machine,
        Err(LaunchError::Refused(_)) => return None,
        Err(error) => panic!("{what} on {arch}: {error}"),
    };
    match machine.run(&mut ()) {
        Outcome::CycleBudget => return None,
        Outcome::Fault(fault) if fault.kind.is_livelock() => return None,
        _ => {}
    }
    assert_eq!(machine.outcome(), Some(&Outcome::Finished), "{what} on {arch}");
    let expected =
        reference::run(&program, launch).unwrap_or_else(|error| panic!("{what} on {arch}: {error}"));
    let (expected, got): (Vec<_>, Vec<_>) = (
        expected.compared().collect(),
        machine.outputs().compared().collect(),
    );
    assert!(
        expected == got,
        "{what} on {arch}: machine and reference leave different memory"
    );
    Some(())
}

/// Runs the cases of a folder, each on two architectures in rotation: one with a divergence stack, one with
/// independent thread scheduling. The `_large` cases repeat the shapes of others and are skipped.
fn folder(name: &str, least: usize) {
    const STACKS: [ArchId; 6] = [
        ArchId::G80,
        ArchId::Gt200,
        ArchId::Gf100,
        ArchId::Gf104,
        ArchId::Gp100,
        ArchId::Gp104,
    ];
    const COUNTERS: [ArchId; 2] = [ArchId::Gv100, ArchId::Tu102];
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests")
        .join(name);
    let cases = cases::load(&dir).unwrap();
    let mut compared = 0;
    for (idx, case) in cases
        .iter()
        .enumerate()
        .filter(|(_, case)| !case.name.contains("large"))
    {
        let source = std::fs::read_to_string(dir.join(&case.file)).unwrap();
        for arch in [STACKS[idx % STACKS.len()], COUNTERS[idx % COUNTERS.len()]] {
            compared +=
                usize::from(agree(&case.name, &source, Some(&case.kernel), &case.launch, arch).is_some());
        }
    }
    assert!(compared >= least, "{compared} runs of {} cases", cases.len());
}

#[test]
fn corpus_cases_leave_the_same_memory() {
    folder("corpus", 200);
}

#[test]
fn cases_of_the_second_corpus_leave_the_same_memory() {
    folder("corpus_more", 20);
}
