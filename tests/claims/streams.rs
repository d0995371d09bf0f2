//! Host programs: transfers (T06, V08, F07), streams (F14, F15), the Multi-Process Service (V66 to V74), and NVLink (V75
//! to V79).

use engine::arch::{ArchId, architecture};
use engine::streams::{Computer, CopyEnd, Failure, Link, WaitReason};
use workbench::app::{SideEngine, StreamsEngine};
use workbench::host_record::StreamsRecord;

use super::runs::check_list;

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(
        include_str!("streams.rs"),
        &[],
        &[
            ('t', 6..=6),
            ('v', 8..=8),
            ('f', 7..=7),
            ('f', 14..=15),
            ('v', 66..=79),
        ],
    );
}

/// The record of a host program of the library.
fn record(link: &str) -> StreamsRecord {
    let mut engine = StreamsEngine::start(&format!("v1;view=streams;{link}")).expect("a program");
    let (_, record) = engine.work(f64::INFINITY, || 0.0);
    let record = record.expect("the program ends");
    assert!(record.has_main && record.launches.iter().all(|launch| launch.problem.is_none()));
    record
}

fn end_us(link: &str) -> f64 {
    record(link).trace.end_ns as f64 * 1e-3
}

/// The longest time from a process's first call until the wait for it ends, in microseconds.
fn longest_wait_us(record: &StreamsRecord, process: u8) -> f64 {
    let waits = record.trace.spans.iter().filter(|span| span.process == process);
    let waits = waits.filter(|span| {
        let call = &record.processes[usize::from(process)].calls[span.call as usize];
        call.kind == engine::streams::CallKind::WaitDevice
    });
    waits
        .map(|span| span.returned_ns - span.called_ns)
        .max()
        .unwrap_or(0) as f64
        * 1e-3
}

/// Data that stays on the device takes less time than data that goes back and forth, on each of the three guides' chips.
#[test]
fn claim_t06_v08_f07_fewer_transfers_take_less_time() {
    for arch in ["gf100", "gv100", "tu102"] {
        let of = |id: &str| end_us(&format!("arch={arch};kernel=transfers-{id}"));
        let (each, once, small) = (of("each"), of("once"), of("small"));
        assert!(each > 1.5 * once, "{arch}: {each} against {once} µs");
        assert!(small > 1.5 * once, "{arch}: {small} against {once} µs");
    }
}

/// Small kernels in several streams run together on 2.0, which fills more of the device; on 1.3 they do not.
#[test]
fn claim_f14_f15_streams_run_small_kernels_together_from_2_0_on() {
    let of = |arch: &str, id: &str| end_us(&format!("arch={arch};kernel=streams-{id}"));
    assert!(of("gf100", "one") > 4.0 * of("gf100", "breadth"));
    let old = of("gt200", "one") / of("gt200", "breadth");
    assert!((0.95..1.05).contains(&old), "{old}");
    let resident = |id: &str| {
        let record = record(&format!("arch=gf100;kernel=streams-{id}"));
        record.trace.resident[0].iter().map(|(_, blocks)| *blocks).max()
    };
    assert_eq!((resident("one"), resident("breadth")), (Some(1), Some(8)));
}

/// Four processes with kernels that need few SMs: with the service they run together, without it they take turns.
#[test]
fn claim_v66_the_service_improves_throughput_of_processes() {
    let alone = end_us("arch=gv100;kernel=clients-small;processes=4");
    let served = end_us("arch=gv100;kernel=clients-small;processes=4;mps=on");
    assert!(alone > 2.0 * served, "{alone} against {served} µs");
}

/// Before Volta, a server submits for its clients; from Volta on they submit themselves, which takes less time.
#[test]
fn claim_v67_v68_clients_submit_directly_from_volta_on() {
    assert!(architecture(ArchId::Gv100).host().sharing.mps_is_direct.value);
    assert!(!architecture(ArchId::Gp100).host().sharing.mps_is_direct.value);
    let submission = |arch: &str, mps: &str| {
        let record = record(&format!("arch={arch};kernel=clients-small;processes=2;mps={mps}"));
        let spans = record.trace.spans.iter().flat_map(|span| &span.waits);
        let first = spans
            .filter(|wait| wait.reason == WaitReason::Submission)
            .map(|wait| wait.to_ns - wait.from_ns);
        first.max().unwrap_or(0)
    };
    assert_eq!(submission("gv100", "on"), submission("gv100", "off"));
    assert!(submission("gp100", "on") > submission("gp100", "off"));
}

#[test]
fn claim_v69_volta_takes_48_clients_three_times_as_many_as_before() {
    let clients = |id| architecture(id).host().sharing.mps_clients.value;
    assert_eq!((clients(ArchId::Gv100), clients(ArchId::Gp100)), (48, 16));
    let record = record("arch=gv100;kernel=clients-small;processes=49;mps=on");
    assert_eq!(record.trace.failures, [(48, Failure::TooManyClients, 0)]);
    let record = self::record("arch=gp100;kernel=clients-small;processes=17;mps=on");
    assert_eq!(record.trace.failures, [(16, Failure::TooManyClients, 0)]);
}

/// From Volta on each client has its own context, and so its own address space and work queues; before, all clients
/// share the server's.
#[test]
fn claim_v70_clients_have_their_own_contexts_and_queues() {
    let shared = |arch: &str| {
        let record = record(&format!(
            "arch={arch};kernel=clients-mixed;processes=2;mps=on;queues=1"
        ));
        record.trace.waited_ns(WaitReason::WorkQueue)
    };
    assert_eq!(shared("gv100"), 0);
    assert!(shared("gp100") > 0);
}

/// Measured on an H100, too: `clients_hit_by_fault` in `tests/golden/clients_h100.csv`.
#[test]
fn claim_v71_a_fault_ends_all_clients_and_without_the_service_only_its_process() {
    for (arch, mps, hit) in [("gv100", "on", 3), ("gp100", "on", 3), ("gv100", "off", 1)] {
        let link = format!("arch={arch};kernel=clients-small;processes=3;mps={mps};fault=0");
        assert_eq!(record(&link).trace.failures.len(), hit, "{arch}, {mps}");
    }
}

/// Managed memory is an allocation like others for a client: programs with it run as clients.
#[test]
fn claim_v72_programs_with_managed_memory_run_as_clients() {
    let source = "__global__ void k(float *x) { x[threadIdx.x] = 1; }\nint main() {\n  float *x;\n  \
                  cudaMallocManaged(&x, 400);\n  k<<<1, 32>>>(x);\n  cudaDeviceSynchronize();\n}\n";
    let scenario = workbench::share::Scenario {
        source: Some(source.to_owned()),
        arch: ArchId::Gv100,
        ..Default::default()
    };
    let link = workbench::share::encode(&scenario) + ";processes=3;mps=on";
    let mut engine = StreamsEngine::start(&link).expect("a program");
    let record = engine.work(f64::INFINITY, || 0.0).1.expect("it ends");
    assert_eq!((record.processes.len(), record.trace.failures.len()), (3, 0));
    assert!(record.launches[0].problem.is_none());
}

/// A client with a long kernel holds back short ones of another, until its threads are limited.
#[test]
fn claim_v73_v74_a_limit_of_threads_ends_head_of_line_blocking() {
    let wait = |percent: u32| {
        let link = format!("arch=gv100;kernel=clients-mixed;processes=2;mps=on;threads={percent}");
        longest_wait_us(&record(&link), 1)
    };
    assert!(
        wait(100) > 2.0 * wait(50),
        "{} against {} µs",
        wait(100),
        wait(50)
    );
    assert_eq!(architecture(ArchId::Gv100).sms_of_percent(50), 40);
}

#[test]
fn claim_v75_v76_nvlink_has_six_links_of_50_gb_per_s_in_both_directions() {
    let volta = architecture(ArchId::Gv100);
    let nvlink = volta.host().nvlink.expect("GV100 has NVLink");
    assert_eq!(
        (nvlink.num_links.value, 2.0 * nvlink.link_gb_per_s.value),
        (6, 50.0)
    );
    let bandwidth = Computer::TwoNvLink.link_gb_per_s(volta, Link::NvLink(0, 1));
    let pcie = Computer::TwoPcie.link_gb_per_s(volta, Link::Up(0));
    assert!(bandwidth > 10.0 * pcie, "{bandwidth} against {pcie} GB/s");
    // Jia et al. 2018 measured 47.99 GB/s over two links in one direction.
    let two = Computer::CubeMesh.link_gb_per_s(volta, Link::NvLink(0, 3));
    assert!((two / 47.99 - 1.0).abs() < 0.01, "{two}");
}

/// The same program, unchanged: its copies go over NVLink where it connects the GPUs, otherwise over PCIe.
#[test]
fn claim_v77_copies_go_over_nvlink_where_there_is_one() {
    let ways = |computer: &str| -> Vec<bool> {
        let record = record(&format!("arch=gv100;kernel=peers-on;computer={computer}"));
        let routes = record.trace.spans.iter().filter_map(|span| span.route.clone());
        routes
            .map(|route| route.links.iter().all(|link| matches!(link, Link::NvLink(..))))
            .collect()
    };
    assert_eq!(ways("nvlink2"), [true]);
    assert_eq!(ways("pcie2"), [false]);
    assert_eq!(ways("dgx1"), [true, true, true, true, false, false, false]);
}

/// Without `cudaDeviceEnablePeerAccess`, a copy goes through the host, over NVLink and PCIe alike;
/// `cudaDeviceCanAccessPeer` reports which GPUs can.
#[test]
fn claim_v78_v79_peer_access_must_be_enabled_and_can_be_asked_for() {
    for computer in ["nvlink2", "pcie2"] {
        let of = |id: &str| end_us(&format!("arch=gv100;kernel=peers-{id};computer={computer}"));
        assert!(
            of("off") > 1.2 * of("on"),
            "{computer}: {} against {} µs",
            of("off"),
            of("on")
        );
    }
    let volta = architecture(ArchId::Gv100);
    let mesh = Computer::CubeMesh;
    let reached: Vec<u8> = (0..8).filter(|gpu| mesh.can_access(volta, 0, *gpu)).collect();
    assert_eq!(reached, [1, 2, 3, 4]);
    let direct = mesh.route(volta, CopyEnd::Gpu(0), CopyEnd::Gpu(3), 1 << 20, true);
    let host = mesh.route(volta, CopyEnd::Gpu(0), CopyEnd::Gpu(3), 1 << 20, false);
    assert!(direct.gb_per_s > 2.0 * host.gb_per_s);
}
