use super::*;
use crate::arch::{ArchId, Architecture, architecture};

mod clients;
mod copies;
mod peers;
mod together;

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
        demand: Demand::default(),
        peers: Vec::new(),
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
