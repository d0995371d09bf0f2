//! Kernels that access the memory of another GPU.

use super::*;

/// A launch on GPU 0 with a block on each of some SMs, each of which loads from GPU 1 what this bandwidth is alone.
fn loads(num_blocks: u32, block_ns: u32, gb_per_s: f64) -> Work {
    Work {
        peers: vec![PeerAccess {
            gpu: 1,
            loaded_bytes: gb_per_s,
            stored_bytes: 0.0,
        }],
        ..work(num_blocks, block_ns, 8)
    }
}

fn on(computer: Computer) -> Options {
    Options {
        computer,
        ..Options::default()
    }
}

/// `peer_load_gb_s`: the model has the values of 1 and of 132 SMs, and 16 SMs are a prediction.
#[test]
fn loads_from_another_gpu_take_the_time_of_the_hardware() {
    for (num, measured) in rows(DEVICE_H200, "peer_load_gb_s") {
        // A block of 10 µs alone would load 1 MB.
        let works = [loads(num as u32, 10_000, 100.0)];
        let calls = vec![call(0, CallKind::EnablePeer(1)), call(0, CallKind::Launch(0))];
        let trace = run(gh100(), calls, 0, &works, on(Computer::TwoNvLink));
        let span = &trace.spans[1];
        let found = num as f64 * 1e6 / (span.end_ns - span.start_ns) as f64;
        assert!(
            (found / measured - 1.0).abs() < 0.1,
            "{num} SMs: {found} GB/s, not {measured}"
        );
        assert_eq!(span.slowdown.cause(), Some(Resource::PeerLink));
    }
}

/// Loads and a copy over the same link: each gets half of it. Over the other direction, they do not meet.
#[test]
fn loads_share_the_link_with_copies() {
    let volta = architecture(ArchId::Gv100);
    let computer = Computer::TwoNvLink;
    let copy = |from, to| CallKind::Copy {
        bytes: 64 << 20,
        from: CopyEnd::Gpu(from),
        to: CopyEnd::Gpu(to),
        is_async: true,
    };
    // 80 blocks with 64 MB together, at most 125 GB/s.
    let works = [loads(80, 10_000, f64::from(64 << 20) / 80.0 / 10_000.0)];
    let times = |kinds: &[CallKind]| -> Vec<u64> {
        let calls = std::iter::once(call(0, CallKind::EnablePeer(1)))
            .chain((1..).zip(kinds).map(|(stream, kind)| call(stream, *kind)));
        let trace = run(volta, calls.collect(), 2, &works, on(computer));
        let spans = trace.spans.iter().skip(1);
        spans.map(|span| span.end_ns - span.start_ns).collect()
    };
    let kernel = times(&[CallKind::Launch(0)])[0];
    let alone = times(&[copy(1, 0)])[0];
    assert!(kernel > 10_000 * 40, "{kernel}");
    let both = times(&[CallKind::Launch(0), copy(1, 0)]);
    // Loads reach less of the link than copies, which leaves them a little more.
    assert!(
        both[0] > kernel * 17 / 10 && both[1] > alone * 17 / 10,
        "{both:?}, alone {kernel} {alone}"
    );
    let least = f64::from(128 << 20) / computer.link_gb_per_s(volta, Link::NvLink(1, 0));
    assert!(both[0].max(both[1]) as f64 > least, "{both:?}");
    let other = times(&[CallKind::Launch(0), copy(0, 1)]);
    assert!(
        other[0].abs_diff(kernel) < 2 && other[1].abs_diff(alone) < 2,
        "{other:?}, alone {kernel} {alone}"
    );
}

/// A kernel that needs little of the link leaves the rest to the copy.
#[test]
fn a_small_demand_hardly_slows_a_copy() {
    let kind = CallKind::Copy {
        bytes: 64 << 20,
        from: CopyEnd::Gpu(1),
        to: CopyEnd::Gpu(0),
        is_async: true,
    };
    let time = |launch: bool| {
        let mut calls = vec![call(0, CallKind::EnablePeer(1)), call(1, kind)];
        if launch {
            calls.insert(1, call(2, CallKind::Launch(0)));
        }
        let works = [loads(1, 10_000_000, 10.0)];
        let trace = run(gh100(), calls, 2, &works, on(Computer::TwoNvLink));
        let span = trace.spans.last().unwrap();
        (span.end_ns - span.start_ns) as f64
    };
    let ratio = time(true) / time(false);
    assert!((1.01..1.05).contains(&ratio), "{ratio}");
}

#[test]
fn without_peer_access_the_kernel_faults() {
    let works = [loads(4, 10_000, 1.0)];
    let of = |gpu: u8, kind: CallKind| HostCall { gpu, ..call(0, kind) };
    let failures = |calls: Vec<HostCall>| {
        let process = Process {
            calls,
            streams: streams(0),
        };
        simulate(gh100(), &[process], &works, on(Computer::TwoNvLink)).failures
    };
    let launch = of(0, CallKind::Launch(0));
    let is_refused = |calls: Vec<HostCall>| {
        let failures = failures(calls);
        matches!(failures[..], [(0, Failure::NoPeerAccess(1), _)])
    };
    assert!(is_refused(vec![launch.clone()]));
    // The other direction does not help, and access can be disabled again.
    assert!(is_refused(vec![of(1, CallKind::EnablePeer(0)), launch.clone()]));
    let [enable, disable] = [of(0, CallKind::EnablePeer(1)), of(0, CallKind::DisablePeer(1))];
    assert!(is_refused(vec![enable.clone(), disable, launch.clone()]));
    assert_eq!(failures(vec![enable, launch]), []);
    // On GPU 1, the memory is its own.
    assert_eq!(failures(vec![of(1, CallKind::Launch(0))]), []);
}

/// Over PCIe, the loads have its bandwidth.
#[test]
fn loads_go_over_pcie_where_there_is_no_nvlink() {
    let arch = architecture(ArchId::Gp104);
    let works = [loads(20, 10_000, 100.0)];
    let calls = vec![call(0, CallKind::EnablePeer(1)), call(0, CallKind::Launch(0))];
    let trace = run(arch, calls, 0, &works, on(Computer::TwoPcie));
    let span = &trace.spans[1];
    let gb_per_s = 20.0 * 1e6 / (span.end_ns - span.start_ns) as f64;
    assert!(
        (gb_per_s / arch.host().pinned_gb_per_s.value - 1.0).abs() < 0.01,
        "{gb_per_s}"
    );
}
