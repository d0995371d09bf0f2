//! The right finding comes first, its gain is what simulating gives, and a good kernel has no false finding.

use std::sync::Arc;

use super::*;
use crate::app::measure;
use crate::library;
use crate::share::Scenario;
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::sim::{Removed, Without};
use engine::trace::simulate;

/// An architecture of each generation of the page.
const ARCHES: [ArchId; 6] = [
    ArchId::G80,
    ArchId::Gf100,
    ArchId::Gp104,
    ArchId::Gv100,
    ArchId::Tu102,
    ArchId::Gh100,
];

fn setup(kernel: &str, arch: ArchId) -> Setup {
    Setup::of(&Scenario {
        kernel: kernel.to_owned(),
        arch,
        ..Scenario::default()
    })
}

/// The run of a setup; `None` if the architecture does not have the kernel's instructions.
fn try_run(setup: &Setup) -> Option<Trace> {
    let scenario = setup.alone();
    let source = scenario.source();
    let compiled = compile(source, scenario.entry(), setup.arch, &setup.compile).ok()?;
    let program = Arc::new(compiled.program);
    simulate(architecture(setup.arch), program, &setup.launch(), setup.machine).ok()
}

fn found(kernel: &str, arch: ArchId) -> (Trace, Setup, Advice) {
    let setup = setup(kernel, arch);
    let trace = try_run(&setup).unwrap();
    let mut advice = advice(&trace, &setup).unwrap();
    advice.propose(&trace, &setup);
    (trace, setup, advice)
}

#[test]
fn known_kernels_have_the_right_finding_first() {
    use Rule::*;
    for (kernel, arch, rule) in [
        ("transpose-naive", ArchId::Tu102, Coalescing),
        ("transpose-naive", ArchId::Gf100, Coalescing),
        ("transpose-tiled", ArchId::Tu102, Conflicts),
        ("transpose-tiled", ArchId::Gp104, Conflicts),
        ("strided-copy", ArchId::Tu102, Coalescing),
        ("points-aos", ArchId::Tu102, Coalescing),
        ("matmul-float4", ArchId::G80, Conflicts),
        ("lock", ArchId::Tu102, Atomics),
        ("pressure-spilled", ArchId::Tu102, Local),
        ("barrier", ArchId::Tu102, Barrier),
        ("constant-divergent", ArchId::Gf100, Constants),
        ("ladder-32", ArchId::Gh100, Divergence),
        ("divergence", ArchId::G80, Divergence),
        ("saxpy", ArchId::Tu102, MemoryLatency),
    ] {
        let (.., advice) = found(kernel, arch);
        let rules: Vec<Rule> = advice.findings.iter().map(|finding| finding.rule).collect();
        assert_eq!(rules.first(), Some(&rule), "{kernel} on {arch}: {rules:?}");
    }
}

#[test]
fn good_kernels_have_no_finding_about_accesses_or_branches() {
    use Rule::*;
    let bad = [
        Conflicts,
        Coalescing,
        Atomics,
        Local,
        Divergence,
        Constants,
        PartialWarps,
    ];
    let mut num = 0;
    for kernel in [
        "transpose-padded",
        "vector-add",
        "vector-add-float4",
        "saxpy",
        "saxpy-each",
        "stream-float4",
        "constant-uniform",
        "points-soa",
        "barrier-even",
        "ladder-1",
    ] {
        for arch in ARCHES {
            let setup = setup(kernel, arch);
            let Some(trace) = try_run(&setup) else { continue };
            let advice = advice(&trace, &setup).unwrap();
            let false_one = advice.findings.iter().find(|finding| bad.contains(&finding.rule));
            assert_eq!(
                false_one.map(|finding| &finding.title),
                None,
                "{kernel} on {arch}"
            );
            num += 1;
        }
    }
    assert!(num > 40, "{num}");
}

#[test]
fn findings_of_all_library_kernels_are_disjoint_and_never_advise_wider_accesses() {
    let mut num = 0;
    for arch in [ArchId::G80, ArchId::Gf100, ArchId::Tu102] {
        for kernel in library::kernels() {
            let setup = setup(kernel.id, arch);
            let Some(trace) = try_run(&setup) else { continue };
            let Some(advice) = advice(&trace, &setup) else {
                continue;
            };
            let claimed: u64 = advice.findings.iter().map(|finding| finding.cycles).sum();
            assert!(claimed <= advice.warp_cycles, "{} on {arch}", kernel.id);
            for finding in &advice.findings {
                let lines: u64 = finding.lines.iter().map(|cost| cost.cycles).sum();
                assert_eq!(
                    lines, finding.cycles,
                    "{} on {arch}: {}",
                    kernel.id, finding.title
                );
                let least = advice.warp_cycles as f64 * THRESHOLD_PERCENT as f64 / 100.0;
                assert!(finding.weight >= least && finding.weight <= finding.cycles as f64);
                for text in [&finding.title, &finding.reason, &finding.advice] {
                    assert!(!text.contains("wider"), "{text}");
                }
                num += 1;
            }
        }
    }
    assert!(num > 100, "{num}");
}

#[test]
fn padding_the_tile_is_offered_and_its_gain_is_what_simulating_gives() {
    let (trace, setup, advice) = found("transpose-tiled", ArchId::Tu102);
    let change = &advice.findings[0].changes[0];
    assert_eq!(change.code, "__shared__ float tile[TILE][TILE + 1];");
    assert!(!change.is_hypothetical);
    let state = measure(&trace, change);
    let source = setup.source().replace("tile[TILE][TILE]", "tile[TILE][TILE + 1]");
    let edited = Setup {
        source: Some(source),
        ..setup
    };
    let cycles = try_run(&edited).unwrap().num_cycles();
    assert_eq!(
        state,
        ChangeState::Done(Measured {
            cycles,
            same_outputs: true
        })
    );
    assert!(cycles * 2 < trace.num_cycles(), "{cycles}");
}

#[test]
fn a_machine_without_conflicts_is_about_as_fast_as_the_padded_kernel() {
    for arch in ARCHES {
        let mut plain = setup("transpose-tiled", arch);
        let with = try_run(&plain).unwrap().num_cycles();
        plain.machine.without = Without::one(Removed::Conflicts);
        let without = try_run(&plain).unwrap().num_cycles();
        let padded = try_run(&setup("transpose-padded", arch)).unwrap().num_cycles();
        assert!(without < with, "{arch}");
        assert!(
            without as f64 <= padded as f64 * 1.05,
            "{arch}: {without}, padded {padded}"
        );
    }
}

#[test]
fn a_machine_without_uncoalesced_accesses_is_as_fast_as_the_copy_without_a_stride() {
    for arch in ARCHES {
        let mut strided = setup("strided-copy", arch);
        strided.machine.without = Without::one(Removed::Coalescing);
        let without = try_run(&strided).unwrap().num_cycles();
        let plain = try_run(&setup("strided-copy-1", arch)).unwrap().num_cycles();
        let ratio = without as f64 / plain as f64;
        assert!(
            (0.9..=1.1).contains(&ratio),
            "{arch}: {without}, stride 1 {plain}"
        );
    }
}

#[test]
fn hypothetical_machines_compute_the_same_values() {
    let mut num = 0;
    for kernel in [
        "transpose-tiled",
        "strided-copy",
        "gather-random",
        "histogram",
        "histogram-global",
        "constant-divergent",
        "scan-tree",
        "matmul-float4",
        "pressure-spilled",
    ] {
        for arch in ARCHES {
            let plain = setup(kernel, arch);
            let Some(trace) = try_run(&plain) else { continue };
            for cause in Removed::ALL {
                let mut changed = plain.clone();
                changed.machine.without = Without::one(cause);
                let other = try_run(&changed).unwrap();
                let ChangeState::Done(done) = measured(&trace, &other) else {
                    panic!("{kernel} on {arch} without {cause:?}");
                };
                assert!(done.same_outputs, "{kernel} on {arch} without {cause:?}");
                num += 1;
            }
        }
    }
    assert!(num > 200, "{num}");
}

#[test]
fn a_change_that_breaks_the_outputs_is_never_the_best_one() {
    let (trace, _, advice) = found("transpose-tiled", ArchId::Tu102);
    let mut runs = advice.runs();
    for run in &mut runs {
        run.state = ChangeState::Done(Measured {
            cycles: 1,
            same_outputs: false,
        });
    }
    assert_eq!(best(&runs, 0, trace.num_cycles()), None);
    assert!(gain_text(trace.num_cycles(), &runs[0]).ends_with("but the outputs differ."));
    let hypothetical = runs.iter().position(|run| run.change.is_hypothetical).unwrap();
    runs[hypothetical].state = ChangeState::Done(Measured {
        cycles: 10,
        same_outputs: true,
    });
    assert_eq!(best(&runs, 0, trace.num_cycles()), Some(hypothetical));
    runs[0].state = ChangeState::Done(Measured {
        cycles: 20,
        same_outputs: true,
    });
    assert_eq!(
        best(&runs, 0, trace.num_cycles()),
        Some(0),
        "a real change comes first"
    );
    runs[0].state = ChangeState::Done(Measured {
        cycles: trace.num_cycles(),
        same_outputs: true,
    });
    assert!(gain_text(trace.num_cycles(), &runs[0]).starts_with("Does not help: "));
    assert_eq!(times_text(5_869, 2_054), "2.9");
    assert_eq!(times_text(105, 100), "1.05");
}

#[test]
fn a_run_that_does_not_finish_has_no_findings() {
    let mut setup = setup("transpose-tiled", ArchId::Tu102);
    setup.machine.max_cycles = 100;
    let trace = try_run(&setup).unwrap();
    assert_eq!(advice(&trace, &setup), None);
}
