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
        ("matmul-float4", ArchId::G80, Conflicts),
        ("pressure-spilled", ArchId::Tu102, Local),
        ("barrier", ArchId::Tu102, Barrier),
        ("constant-divergent", ArchId::Gf100, Constants),
        ("ladder-32", ArchId::Gh100, Divergence),
        ("divergence", ArchId::G80, Divergence),
    ] {
        let (trace, _, mut advice) = found(kernel, arch);
        let mut runs = advice.runs();
        for run in &mut runs {
            run.state = measure(&trace, &run.change);
        }
        advice.settle(&mut runs);
        let rules: Vec<(Rule, Option<u64>)> = (advice.shown().iter().enumerate())
            .map(|(idx, finding)| (finding.rule, gain(&advice, &runs, idx).map(|gain| gain.cycles)))
            .collect();
        let first = rules.first().map(|(rule, _)| *rule);
        assert_eq!(
            first,
            Some(rule),
            "{kernel} on {arch}, {} cycles: {rules:?}",
            trace.num_cycles()
        );
        let order: Vec<u64> = rules.iter().filter_map(|(_, cycles)| *cycles).collect();
        // Of gains within 10 %, the larger cause is first.
        let is_sorted = order.windows(2).all(|pair| pair[0] * 10 <= pair[1] * 11);
        assert!(is_sorted, "{kernel} on {arch}: {rules:?}");
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
            let false_one = advice.shown().iter().find(|finding| bad.contains(&finding.rule));
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
            let least = advice.warp_cycles as f64 * THRESHOLD_PERCENT as f64 / 100.0;
            assert!(advice.shown().iter().all(|finding| finding.weight >= least));
            for finding in &advice.findings {
                let lines: u64 = finding.lines.iter().map(|cost| cost.cycles).sum();
                assert_eq!(
                    lines, finding.cycles,
                    "{} on {arch}: {}",
                    kernel.id, finding.title
                );
                assert!(finding.weight <= finding.cycles as f64);
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
    for run in runs.iter_mut().filter(|run| !run.change.is_hypothetical) {
        run.state = ChangeState::Done(Measured {
            cycles: 1,
            same_outputs: false,
        });
    }
    assert_eq!(best(&runs, 0, trace.num_cycles()), None);
    assert!(gain_text(trace.num_cycles(), &runs[0]).ends_with("but the outputs differ."));
    let hypothetical = runs.iter().position(|run| run.change.is_hypothetical).unwrap();
    // A hypothetical machine runs the same program: only the order of its warps can change outputs.
    runs[hypothetical].state = ChangeState::Done(Measured {
        cycles: 10,
        same_outputs: false,
    });
    assert_eq!(best(&runs, 0, trace.num_cycles()), Some(hypothetical));
    assert!(
        gain_text(trace.num_cycles(), &runs[hypothetical]).ends_with("depend on the order of the warps.")
    );
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

/// The cycles of a setup on an architecture whose L1 has no limit of misses in flight.
fn cycles_without_limit(setup: &Setup) -> Option<u64> {
    let mut arch = architecture(setup.arch).clone();
    arch.memory.l1.as_mut()?.miss_entries.value = u16::MAX;
    let scenario = setup.alone();
    let compiled = compile(scenario.source(), scenario.entry(), setup.arch, &setup.compile).ok()?;
    let arch = Box::leak(Box::new(arch));
    let trace = simulate(arch, Arc::new(compiled.program), &setup.launch(), setup.machine).ok()?;
    Some(trace.num_cycles())
}

/// The number of misses that an L1 has in flight is an assumption on these architectures: what a headline says first helps without
/// this limit, too, or says that it is assumed.
#[test]
fn no_headline_rests_on_the_assumed_misses_in_flight() {
    let mut num = 0;
    for arch in [ArchId::Gp100, ArchId::Tu102] {
        let l1 = architecture(arch).memory.l1.as_ref().unwrap();
        assert_eq!(l1.miss_entries.quality, engine::arch::Quality::Assumption);
        for kernel in library::kernels() {
            let setup = setup(kernel.id, arch);
            let Some(trace) = try_run(&setup) else { continue };
            let Some(mut advice) = advice(&trace, &setup) else {
                continue;
            };
            let memory = [Rule::Coalescing, Rule::Thrash, Rule::MemoryLatency];
            let is_about_memory = |finding: &Finding| memory.contains(&finding.rule);
            let Some(idx) = advice.findings.iter().position(is_about_memory) else {
                continue;
            };
            advice.propose(&trace, &setup);
            let mut runs = advice.runs();
            runs.retain(|run| run.finding == idx);
            for run in &mut runs {
                run.state = measure(&trace, &run.change);
            }
            let Some(best) = best(&runs, idx, advice.cycles).map(|idx| &runs[idx]) else {
                continue;
            };
            let after = best.result().unwrap().cycles;
            if !is_gain(advice.cycles, after) {
                continue;
            }
            let before = cycles_without_limit(&setup).unwrap();
            let after = cycles_without_limit(&best.change.setup).unwrap();
            assert!(
                is_gain(before, after),
                "{} on {arch}: {before} to {after} cycles without the limit: {}",
                kernel.id,
                best.change.text
            );
            num += 1;
        }
    }
    assert!(num > 6, "{num}");
}

/// Loads that move three times the bytes, in a run that a machine without them does not make faster.
#[test]
fn uncoalesced_accesses_that_cost_nothing_are_no_finding() {
    let (trace, _, mut advice) = found("points-aos", ArchId::Tu102);
    let mut runs = advice.runs();
    for run in &mut runs {
        run.state = measure(&trace, &run.change);
    }
    advice.settle(&mut runs);
    let rules = |findings: &[Finding]| -> Vec<Rule> { findings.iter().map(|of| of.rule).collect() };
    assert!(!rules(advice.shown()).contains(&Rule::Coalescing));
    assert!(rules(advice.tried()).contains(&Rule::Coalescing));
}
