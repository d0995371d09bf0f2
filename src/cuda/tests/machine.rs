//! For the measured corpus, the machine and the reference must leave the same memory, whatever a compiled
//! kernel does.

use std::path::Path;

use corpus::{cases, takes_all_rows};
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{LaunchError, Machine, MachineOptions, Outcome, reference};

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

/// Runs the cases of a folder, each on an architecture in rotation: one with a divergence stack, or one with
/// independent thread scheduling; with all rows, on one of each. The `_large` cases repeat the shapes of others and are skipped.
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
    let least = if takes_all_rows() { least } else { least / 2 };
    let mut compared = 0;
    for (idx, case) in cases
        .iter()
        .enumerate()
        .filter(|(_, case)| !case.name.contains("large"))
    {
        let source = std::fs::read_to_string(dir.join(&case.file)).unwrap();
        let pair = [STACKS[idx % STACKS.len()], COUNTERS[idx / 2 % COUNTERS.len()]];
        let archs = if takes_all_rows() {
            &pair[..]
        } else {
            &pair[idx % 2..=idx % 2]
        };
        for &arch in archs {
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

/// The sizes of C's types where pointers have 32 bits (ILP32), and where they have 64 (LP64).
#[test]
fn m32_makes_pointers_size_t_and_long_four_bytes_long() {
    let source = "__global__ void k(int *out) {
        int *p = out + 3;
        out[0] = sizeof(void *); out[1] = sizeof(size_t); out[2] = sizeof(long); out[3] = sizeof(unsigned long);
        out[4] = sizeof(long long); out[5] = sizeof(ptrdiff_t); out[6] = sizeof(sizeof(int)); out[7] = sizeof(p - out);
        out[8] = sizeof(uintptr_t); out[9] = p - out; out[10] = sizeof(1L); out[11] = sizeof(1LU); out[12] = sizeof(1ll);
        out[13] = sizeof(5000000000L); out[14] = (-1L < 1u) + (1UL << 31 > 0x7fffffffL);
    }";
    let run = |pointers_32_bit: bool, arch: ArchId| {
        let options = CompileOptions {
            pointers_32_bit,
            ..CompileOptions::default()
        };
        let program = cuda::compile(source, None, arch, &options)
            .expect("it compiles")
            .program;
        let out = Argument::Buffer {
            elem: ElemType::I32,
            len: 15,
            fill: Fill::of(Pattern::Zero),
            role: Role::Out,
            start: 0,
        };
        let launch = Launch {
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
            args: vec![out],
            symbols: Vec::new(),
        };
        let outputs = engine::sim::reference::run(&program, &launch).expect("it runs");
        let bytes = outputs.argument(0).expect("a buffer");
        let word = |word: &[u8]| i32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        bytes.chunks(4).take(15).map(word).collect::<Vec<i32>>()
    };
    for arch in [ArchId::Gf100, ArchId::Gk110] {
        assert_eq!(
            run(true, arch),
            [4, 4, 4, 4, 8, 4, 4, 4, 4, 3, 4, 4, 8, 8, 1],
            "{arch}"
        );
        assert_eq!(
            run(false, arch),
            [8, 8, 8, 8, 8, 8, 8, 8, 8, 3, 8, 8, 8, 8, 2],
            "{arch}"
        );
    }
}
