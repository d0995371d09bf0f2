//! Kernels that run together.

use super::*;

/// Bytes per nanosecond that device memory delivers, and warp instructions per nanosecond of an SM.
fn capacity(arch: &Architecture) -> (f64, f64) {
    let ghz = f64::from(arch.chip.sm_clock_mhz.value) * 1e-3;
    (
        arch.chip.dram_gb_per_s.value * f64::from(arch.memory.device.efficiency.value),
        f64::from(arch.issue.schedulers.value) * ghz,
    )
}

/// A launch with a block on each SM, whose blocks together demand this share of device memory, and each this share of
/// the issue slots of its SM.
fn kernel(arch: &Architecture, block_ns: u32, memory: f64, issues: f64) -> Work {
    let num_sms = u32::from(arch.chip.num_sms.value);
    let (bytes, slots) = capacity(arch);
    Work {
        demand: Demand {
            dram_bytes: memory * bytes / f64::from(num_sms),
            l2_bytes: 0.0,
            issues: issues * slots,
        },
        ..work(num_sms, block_ns, 8)
    }
}

/// Runs launches in streams of their own; the times of their operations in nanoseconds, and their slowdowns.
fn together(arch: &Architecture, works: &[Work]) -> Vec<(u64, Slowdown)> {
    let num = works.len() as u32;
    let calls = (0..num).map(|idx| call(idx + 1, CallKind::Launch(idx))).collect();
    let trace = run(arch, calls, num, works, Options::default());
    let spans = trace.spans.iter();
    spans
        .map(|span| (span.end_ns - span.start_ns, span.slowdown))
        .collect()
}

fn is_near(found: u64, expected: f64) -> bool {
    (found as f64 / expected - 1.0).abs() < 0.01
}

#[test]
fn two_kernels_that_fill_device_memory_take_as_long_as_one_after_the_other() {
    for id in [ArchId::Gf100, ArchId::Gv100, ArchId::Gh100] {
        let arch = architecture(id);
        // Long blocks, so that the launch of the second one is a small part.
        let full = kernel(arch, 10_000_000, 1.0, 0.1);
        assert_eq!(
            together(arch, std::slice::from_ref(&full))[0].0,
            10_000_000,
            "{id:?}"
        );
        for (ns, slowdown) in together(arch, &[full.clone(), full.clone()]) {
            assert!(is_near(ns, 20e6), "{id:?}: {ns}");
            assert!((slowdown.factor() - 2.0).abs() < 0.01, "{id:?}: {slowdown:?}");
            assert_eq!(slowdown.cause(), Some(Resource::Dram));
        }
        // Three with 60 % each: 1.8 times as long.
        let most = kernel(arch, 10_000_000, 0.6, 0.1);
        for (ns, _) in together(arch, &[most.clone(), most.clone(), most]) {
            assert!(is_near(ns, 18e6), "{id:?}: {ns}");
        }
    }
}

#[test]
fn kernels_that_leave_room_for_each_other_do_not_slow() {
    let arch = gh100();
    let light = kernel(arch, 1_000_000, 0.3, 0.3);
    for (ns, slowdown) in together(arch, &[light.clone(), light.clone(), light]) {
        assert_eq!((ns, slowdown.cause()), (1_000_000, None));
    }
    // A kernel without memory accesses beside one that needs all the bandwidth.
    let [arithmetic, copy] = [
        kernel(arch, 1_000_000, 0.0, 0.5),
        kernel(arch, 1_000_000, 1.0, 0.05),
    ];
    for (ns, _) in together(arch, &[arithmetic, copy]) {
        assert_eq!(ns, 1_000_000);
    }
}

/// A kernel that needs less than an equal share keeps it, and the other one gets the rest.
#[test]
fn a_small_demand_is_served_and_a_large_one_gets_the_rest() {
    let arch = gh100();
    let works = [
        kernel(arch, 10_000_000, 0.25, 0.1),
        kernel(arch, 10_000_000, 1.0, 0.1),
    ];
    let times = together(arch, &works);
    assert_eq!(times[0].0, 10_000_000);
    // 3/4 of the bandwidth for 10 ms, and then all of it for the last quarter of its bytes.
    assert!(is_near(times[1].0, 12.5e6), "{}", times[1].0);
}

#[test]
fn blocks_of_two_kernels_share_the_issue_slots_of_their_sm() {
    let arch = gh100();
    let busy = kernel(arch, 10_000_000, 0.0, 0.8);
    for (ns, slowdown) in together(arch, &[busy.clone(), busy]) {
        assert!(is_near(ns, 16e6), "{ns}");
        assert_eq!(slowdown.cause(), Some(Resource::IssueSlots));
    }
    // Half as many blocks each: on different SMs, nothing is shared.
    let half = Work {
        num_blocks: 66,
        ..kernel(arch, 10_000_000, 0.0, 0.8)
    };
    for (ns, _) in together(arch, &[half.clone(), half]) {
        assert_eq!(ns, 10_000_000);
    }
}

/// Processes that take turns do not slow each other: only one has the GPU.
#[test]
fn kernels_of_processes_in_turns_are_not_slowed() {
    let full = kernel(gh100(), 5_000_000, 1.0, 0.5);
    let process = Process {
        calls: vec![call(1, CallKind::Launch(0)), call(0, CallKind::WaitDevice)],
        streams: streams(1),
    };
    let trace = simulate(gh100(), &[process.clone(), process], &[full], Options::default());
    for span in trace.operations() {
        assert_eq!(span.slowdown.cause(), None);
        assert!((span.slowdown.alone_ns - 132.0 * 5e6).abs() < 132.0);
    }
}
