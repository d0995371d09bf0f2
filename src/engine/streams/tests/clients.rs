//! Processes that share a GPU: in turns, and as clients of the Multi-Process Service.

use super::*;

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
