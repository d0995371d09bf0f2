use super::*;
use crate::arch::{ArchId, Architecture, architecture};

/// Rows of a measured table: curve, x, value.
fn rows(text: &'static str, curve: &str) -> Vec<(u64, f64)> {
    let rows = text.lines().filter_map(|line| {
        let mut parts = line.split(',');
        (parts.next()? == curve).then_some(())?;
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    });
    let rows: Vec<(u64, f64)> = rows.collect();
    assert!(!rows.is_empty(), "{curve}");
    rows
}

const HOST_H100: &str = include_str!("../../../tests/golden/host_h100.csv");
const DEVICE_H200: &str = include_str!("../../../tests/golden/device_h200.csv");
const CLIENTS_H100: &str = include_str!("../../../tests/golden/clients_h100.csv");

fn gh100() -> &'static Architecture {
    architecture(ArchId::Gh100)
}

fn call(stream: u32, kind: CallKind) -> HostCall {
    HostCall {
        line: 1,
        gpu: 0,
        stream,
        kind,
    }
}

fn streams(num: u32) -> Vec<HostStream> {
    let named = |idx: u32| HostStream {
        name: format!("s{idx}"),
        gpu: 0,
        is_non_blocking: true,
    };
    std::iter::once(HostStream::default_stream())
        .chain((1..=num).map(named))
        .collect()
}

/// A launch: the time of each block, and how many fit an SM.
fn work(num_blocks: u32, block_ns: u32, fit: u32) -> Work {
    Work {
        kernel: "spin".to_owned(),
        block_ns: vec![block_ns],
        num_blocks,
        limits: [Some(fit), Some(fit), None, None],
        problem: None,
    }
}

fn run(
    arch: &Architecture,
    calls: Vec<HostCall>,
    num_streams: u32,
    works: &[Work],
    options: Options,
) -> StreamsTrace {
    let process = Process {
        calls,
        streams: streams(num_streams),
    };
    let trace = simulate(arch, &[process], works, options);
    assert_eq!(trace.failures, []);
    trace
}

/// How many operations of a kind ran at once at most.
fn most_at_once(trace: &StreamsTrace) -> usize {
    let spans: Vec<&Span> = trace.operations().collect();
    let at = |time: u64| {
        spans
            .iter()
            .filter(|span| span.start_ns <= time && time < span.end_ns)
            .count()
    };
    spans.iter().map(|span| at(span.start_ns)).max().unwrap_or(0)
}

/// `streams_ms`: kernels of one warp and 4,000,000 cycles in as many streams. Past 128, the others wait for a kernel
/// to end. The model has the H200's time per launch; the computer with the H100 needs 1.8 µs less.
#[test]
fn kernels_in_many_streams_take_the_time_of_the_hardware() {
    let call_of_h100 = rows(HOST_H100, "launch_call_us")[0].1;
    let less = f64::from(gh100().host().launch_call_ns.value) * 1e-3 - call_of_h100;
    for (text, name, less) in [(HOST_H100, "H100", less), (DEVICE_H200, "H200", 0.0)] {
        for (num, measured) in rows(text, "streams_ms") {
            // The launches of the groups of 128 before the last one are hidden behind kernels.
            let exposed = ((num - 1) % 128 + 1) as f64;
            let expected = measured + less * exposed * 1e-3;
            let calls: Vec<HostCall> = (1..=num as u32)
                .map(|stream| call(stream, CallKind::Launch(0)))
                .chain([call(0, CallKind::WaitDevice)])
                .collect();
            let trace = run(
                gh100(),
                calls,
                num as u32,
                &[work(1, 2_020_202, 32)],
                Options::default(),
            );
            let found = trace.end_ns as f64 * 1e-6;
            assert!(
                (found / expected - 1.0).abs() < 0.05,
                "{name}, {num} streams: {found} ms, not {expected}"
            );
            assert_eq!(most_at_once(&trace), (num as usize).min(128), "{num} streams");
        }
    }
}

fn copy_us(bytes: u64, from: CopyEnd, to: CopyEnd, computer: Computer, peer: bool) -> f64 {
    let kind = CallKind::Copy {
        bytes,
        from,
        to,
        is_async: true,
    };
    let mut calls = vec![call(1, kind)];
    if peer {
        calls.insert(0, call(0, CallKind::EnablePeer(1)));
    }
    let options = Options {
        computer,
        ..Options::default()
    };
    let trace = run(gh100(), calls, 1, &[], options);
    let span = trace.spans.last().unwrap();
    (span.end_ns - span.start_ns) as f64 * 1e-3
}

#[test]
fn copies_between_host_and_gpu_take_the_time_of_the_hardware() {
    let gpu = CopyEnd::Gpu(0);
    for (curve, from, to, within) in [
        ("h2d_pinned_us", CopyEnd::Pinned, gpu, 0.03),
        ("d2h_pinned_us", gpu, CopyEnd::Pinned, 0.05),
        ("h2d_pageable_us", CopyEnd::Pageable, gpu, 0.10),
    ] {
        for (kb, expected) in rows(HOST_H100, curve) {
            // 256 MB of pageable memory took 27 ms in one direction and 16 in the other.
            if kb == 262_144 && from == CopyEnd::Pageable {
                continue;
            }
            let found = copy_us(kb << 10, from, to, Computer::OneGpu, false);
            assert!(
                (found / expected - 1.0).abs() < within,
                "{curve} {kb} KB: {found} µs, not {expected}"
            );
        }
    }
}

/// Points between those that the model was fitted to are predictions: 2, 8, …, 524,288 KB of the H100.
#[test]
fn copies_between_gpus_take_the_time_of_the_hardware() {
    for (state, peer) in [("off", false), ("on", true)] {
        for (kb, gb_per_s) in rows(DEVICE_H200, &format!("peer_copy_{state}_gb_s")) {
            let expected = (kb << 10) as f64 / gb_per_s * 1e-3;
            let found = copy_us(
                kb << 10,
                CopyEnd::Gpu(0),
                CopyEnd::Gpu(1),
                Computer::TwoNvLink,
                peer,
            );
            assert!(
                (found / expected - 1.0).abs() < 0.1,
                "H200, {state}, {kb} KB: {found} µs, not {expected}"
            );
        }
        // Another computer: its latencies are lower, so small copies are left out.
        for (kb, expected) in rows(HOST_H100, &format!("peer_copy_{state}_us")) {
            if kb >= 8192 {
                let found = copy_us(
                    kb << 10,
                    CopyEnd::Gpu(0),
                    CopyEnd::Gpu(1),
                    Computer::TwoNvLink,
                    peer,
                );
                assert!(
                    (found / expected - 1.0).abs() < 0.1,
                    "H100, {state}, {kb} KB: {found} µs, not {expected}"
                );
            }
        }
    }
}

#[test]
fn both_directions_of_pcie_run_together_and_two_copies_of_one_direction_do_not() {
    let copy = |from, to| CallKind::Copy {
        bytes: 128 << 20,
        from,
        to,
        is_async: true,
    };
    let down = copy(CopyEnd::Pinned, CopyEnd::Gpu(0));
    let up = copy(CopyEnd::Gpu(0), CopyEnd::Pinned);
    let time = |kinds: &[CallKind]| {
        let calls = (1..)
            .zip(kinds)
            .map(|(stream, kind)| call(stream, *kind))
            .collect();
        run(gh100(), calls, 2, &[], Options::default()).end_ns as f64 * 1e-3
    };
    let one = rows(HOST_H100, "directions_us");
    assert!((time(&[down]) / one[0].1 - 1.0).abs() < 0.02);
    // The hardware loses 9 % in both directions at once, which the model does not know.
    assert!((time(&[down, up]) / one[1].1 - 1.0).abs() < 0.1);
    let same = rows(HOST_H100, "same_direction_us")[0].1;
    assert!((time(&[down, down]) / same - 1.0).abs() < 0.02);
}

/// `streams` chains of two dependent kernels, depth first: with one queue, the second kernel of a chain blocks the first
/// one of the next (simpleHyperQ of the CUDA samples: "a maximum of two kernels concurrently").
#[test]
fn one_work_queue_runs_two_kernels_at_once_and_many_run_all() {
    let chains = |num: u32| {
        let mut calls = Vec::new();
        for stream in 1..=num {
            calls.extend([
                call(stream, CallKind::Launch(0)),
                call(stream, CallKind::Launch(0)),
            ]);
        }
        calls
    };
    let works = [work(1, 200_000, 8)];
    let options = Options {
        connections: Some(32),
        ..Options::default()
    };
    let fermi = run(architecture(ArchId::Gf100), chains(8), 8, &works, options);
    assert_eq!(most_at_once(&fermi), 2);
    assert!(fermi.waited_ns(WaitReason::WorkQueue) > 0);
    let kepler = run(architecture(ArchId::Gk110), chains(8), 8, &works, options);
    assert_eq!(most_at_once(&kepler), 8);
    assert_eq!(kepler.waited_ns(WaitReason::WorkQueue), 0);
    let tesla = run(architecture(ArchId::Gt200), chains(8), 8, &works, options);
    assert_eq!(most_at_once(&tesla), 1);
    // Breadth first, all run at once on Fermi, too.
    let breadth = |num: u32| {
        let round = move || (1..=num).map(|stream| call(stream, CallKind::Launch(0)));
        round().chain(round()).collect::<Vec<_>>()
    };
    let fermi = run(architecture(ArchId::Gf100), breadth(8), 8, &works, options);
    assert_eq!(most_at_once(&fermi), 8);
    // Two streams on one connection have a false dependency on Kepler.
    let few = Options {
        connections: Some(1),
        ..options
    };
    let kepler = run(architecture(ArchId::Gk110), chains(8), 8, &works, few);
    assert_eq!(most_at_once(&kepler), 2);
}

/// Programming Guide 10.1, 3.2.5.5.5: two streams that each copy, run a kernel, and copy back.
#[test]
fn the_order_of_calls_decides_what_overlaps_as_the_programming_guide_says() {
    let down = CallKind::Copy {
        bytes: 1 << 20,
        from: CopyEnd::Pinned,
        to: CopyEnd::Gpu(0),
        is_async: true,
    };
    let up = CallKind::Copy {
        bytes: 1 << 20,
        from: CopyEnd::Gpu(0),
        to: CopyEnd::Pinned,
        is_async: true,
    };
    let kernel = CallKind::Launch(0);
    let depth: Vec<HostCall> = [1, 2]
        .into_iter()
        .flat_map(|stream| [down, kernel, up].map(|kind| call(stream, kind)))
        .collect();
    let breadth: Vec<HostCall> = [down, kernel, up]
        .into_iter()
        .flat_map(|kind| [1, 2].map(|stream| call(stream, kind)))
        .collect();
    let works = [work(4, 400_000, 8)];
    let go =
        |id: ArchId, calls: &[HostCall]| run(architecture(id), calls.to_vec(), 2, &works, Options::default());
    let together = |trace: &StreamsTrace, a: usize, b: usize| {
        let (a, b) = (&trace.spans[a], &trace.spans[b]);
        a.start_ns < b.end_ns && b.start_ns < a.end_ns
    };
    // One copy engine, depth first: nothing overlaps.
    assert_eq!(most_at_once(&go(ArchId::Gf100, &depth)), 1);
    // Breadth first: the second copy runs beside the first kernel.
    let trace = go(ArchId::Gf100, &breadth);
    assert!(together(&trace, 1, 2));
    assert!(together(&trace, 2, 3), "the kernels run together");
    // Two copy engines and no dependency checks: all stages overlap, depth first.
    let trace = go(ArchId::Gk110, &depth);
    assert!(
        together(&trace, 3, 1),
        "the second copy runs beside the first kernel"
    );
    assert!(together(&trace, 1, 4), "the kernels run together");
}

#[test]
fn the_default_stream_waits_for_all_and_all_wait_for_it() {
    let calls = vec![
        call(1, CallKind::Launch(0)),
        call(0, CallKind::Launch(0)),
        call(2, CallKind::Launch(0)),
    ];
    let works = [work(1, 50_000, 8)];
    let process = |is_non_blocking: bool| {
        let mut all = streams(2);
        for stream in &mut all[1..] {
            stream.is_non_blocking = is_non_blocking;
        }
        Process {
            calls: calls.clone(),
            streams: all,
        }
    };
    let blocking = simulate(gh100(), &[process(false)], &works, Options::default());
    assert_eq!(most_at_once(&blocking), 1);
    assert!(blocking.waited_ns(WaitReason::DefaultStream) > 0);
    let free = simulate(gh100(), &[process(true)], &works, Options::default());
    assert_eq!(most_at_once(&free), 3);
}

#[test]
fn an_event_orders_two_streams_with_the_measured_gap() {
    let calls = vec![
        call(1, CallKind::Launch(0)),
        call(1, CallKind::Record(7)),
        call(2, CallKind::StreamWait(7)),
        call(2, CallKind::Launch(0)),
        call(1, CallKind::Launch(0)),
    ];
    let trace = run(gh100(), calls, 2, &[work(1, 100_000, 8)], Options::default());
    let gap = |a: usize, b: usize| trace.spans[b].start_ns - trace.spans[a].end_ns;
    let event = rows(HOST_H100, "gap_event_ns")[0].1;
    let same = rows(HOST_H100, "gap_same_stream_ns")[0].1;
    assert!((gap(0, 3) as f64 / event - 1.0).abs() < 0.05, "{}", gap(0, 3));
    assert!((gap(0, 4) as f64 / same - 1.0).abs() < 0.05, "{}", gap(0, 4));
    let waits = &trace.spans[2].waits;
    assert!(
        waits
            .iter()
            .any(|wait| wait.reason == WaitReason::Event && wait.on == Some(1)),
        "{waits:?}"
    );
}

fn clients(
    num: usize,
    calls: &[HostCall],
    works: &[Work],
    arch: &Architecture,
    options: Options,
) -> StreamsTrace {
    let process = Process {
        calls: calls.to_vec(),
        streams: streams(1),
    };
    simulate(arch, &vec![process; num], works, options)
}

/// Two and three processes with a kernel of 50 ms: how long each runs, and how long it then waits.
#[test]
fn processes_take_turns_as_on_the_hardware() {
    let calls = [call(1, CallKind::Launch(0)), call(0, CallKind::WaitDevice)];
    let works = [work(1, 50_000_000, 8)];
    for (num, gap) in rows(CLIENTS_H100, "time_slice_gap_us") {
        let trace = clients(num as usize, &calls, &works, gh100(), Options::default());
        let own: Vec<&Slice> = trace.slices.iter().filter(|slice| slice.process == 0).collect();
        let ran = (own[2].to_ns - own[2].from_ns) as f64 * 1e-3;
        let waited = (own[3].from_ns - own[2].to_ns) as f64 * 1e-3;
        assert!(
            (ran / 2090.6 - 1.0).abs() < 0.01 && (waited / gap - 1.0).abs() < 0.01,
            "{num}: {ran} {waited}"
        );
        assert_eq!(
            trace.resident[0].iter().map(|(_, blocks)| *blocks).max(),
            Some(num as u32)
        );
        assert!(trace.failures.is_empty());
    }
    // Before Pascal, a running block is not interrupted.
    let trace = clients(2, &calls, &works, architecture(ArchId::Gk110), Options::default());
    assert_eq!(trace.slices.len(), 2);
}

#[test]
fn clients_of_the_service_run_together_up_to_its_limit() {
    let calls = [call(1, CallKind::Launch(0)), call(0, CallKind::WaitDevice)];
    let works = [work(1, 5_000_000, 8)];
    let service = Options {
        service: true,
        ..Options::default()
    };
    let trace = clients(3, &calls, &works, gh100(), service);
    assert_eq!((most_at_once(&trace), trace.slices.len()), (3, 0));
    let most = rows(CLIENTS_H100, "max_clients")[0];
    let trace = clients(most.0 as usize, &calls, &works, gh100(), service);
    assert_eq!(trace.failures, [(most.1 as u8, Failure::TooManyClients, 0)]);
    let trace = clients(17, &calls, &works, architecture(ArchId::Gp100), service);
    assert_eq!(trace.failures, [(16, Failure::TooManyClients, 0)]);
    let trace = clients(1, &calls, &works, architecture(ArchId::Gf100), service);
    assert_eq!(trace.failures, [(0, Failure::NoService, 0)]);
    for (percent, sms) in rows(CLIENTS_H100, "sms_of_percent") {
        assert_eq!(
            f64::from(gh100().sms_of_percent(percent as u32)),
            sms,
            "{percent} %"
        );
    }
}

/// A client with a long kernel that fills the GPU, and one with a small kernel: the small one waits, unless the limit
/// keeps room for it.
#[test]
fn a_limit_of_threads_ends_head_of_line_blocking() {
    let works = [work(132 * 8, 1_000_000, 2), work(1, 20_000, 2)];
    let process = |work: u32| Process {
        calls: vec![call(1, CallKind::Launch(work)), call(0, CallKind::WaitDevice)],
        streams: streams(1),
    };
    let latency = |percent: u8| {
        let options = Options {
            service: true,
            percent,
            ..Options::default()
        };
        let trace = simulate(gh100(), &[process(0), process(1)], &works, options);
        trace.spans[3].returned_ns
    };
    assert!(latency(100) > 900_000, "{}", latency(100));
    assert!(latency(50) < 50_000, "{}", latency(50));
}

#[test]
fn a_fault_ends_all_clients_of_the_service_and_only_its_own_process_without_it() {
    let calls = [call(1, CallKind::Launch(0)), call(0, CallKind::WaitDevice)];
    let works = [work(1, 1_000_000, 8)];
    for (service, hit) in [(true, "clients_hit_by_fault"), (false, "processes_hit_by_fault")] {
        let (num, expected) = rows(CLIENTS_H100, hit)[0];
        let options = Options {
            service,
            fault: Some(1),
            ..Options::default()
        };
        let trace = clients(num as usize, &calls, &works, gh100(), options);
        assert_eq!(trace.failures.len(), expected as usize);
        assert_eq!(trace.failures[0].1, Failure::OwnFault);
    }
}

#[test]
fn gpus_of_a_cube_mesh_without_a_link_copy_through_the_host() {
    let volta = architecture(ArchId::Gv100);
    let mesh = Computer::CubeMesh;
    for gpu in 0..8 {
        let links: u8 = (0..8).map(|other| mesh.links_between(volta, gpu, other)).sum();
        assert_eq!(links, 6, "GPU {gpu}");
        for other in 0..8 {
            assert_eq!(
                mesh.links_between(volta, gpu, other),
                mesh.links_between(volta, other, gpu)
            );
        }
    }
    assert!(mesh.can_access(volta, 0, 3) && !mesh.can_access(volta, 0, 5));
    let route = |to: u8, peer: bool| mesh.route(volta, CopyEnd::Gpu(0), CopyEnd::Gpu(to), 1 << 28, peer);
    // Two links: 47.99 GB/s (Jia et al. 2018).
    assert!((route(3, true).gb_per_s - 48.0).abs() < 0.1);
    assert!(route(5, true).gb_per_s < 15.0);
    assert!(route(3, false).links.contains(&Link::Up(0)));
    // Two copies over the same links share them.
    let kind = |to: u8| CallKind::Copy {
        bytes: 1 << 26,
        from: CopyEnd::Gpu(0),
        to: CopyEnd::Gpu(to),
        is_async: true,
    };
    let options = Options {
        computer: mesh,
        ..Options::default()
    };
    let calls = vec![
        call(0, CallKind::EnablePeer(3)),
        call(1, kind(3)),
        call(2, kind(3)),
    ];
    let trace = run(volta, calls, 2, &[], options);
    assert!(trace.end_ns > 2 * (1 << 26) / 48);
}

#[test]
fn a_run_is_the_same_each_time_and_every_span_is_in_order() {
    let works = [work(500, 10_000, 4), work(3, 70_000, 2)];
    let calls: Vec<HostCall> = (0..200)
        .map(|idx| call(idx % 7, CallKind::Launch(idx % 2)))
        .chain([call(0, CallKind::WaitDevice)])
        .collect();
    for id in ArchId::ALL {
        let trace = run(architecture(id), calls.clone(), 7, &works, Options::default());
        assert_eq!(
            trace,
            run(architecture(id), calls.clone(), 7, &works, Options::default())
        );
        for span in &trace.spans {
            assert!(
                span.called_ns <= span.start_ns && span.start_ns <= span.end_ns,
                "{id:?}"
            );
            let mut at = span.called_ns;
            for wait in &span.waits {
                assert!(
                    at <= wait.from_ns && wait.from_ns < wait.to_ns && wait.to_ns <= span.start_ns,
                    "{id:?}"
                );
                at = wait.to_ns;
            }
        }
    }
}
