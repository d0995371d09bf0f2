//! The sentences of the Streams view.

use super::{StreamsData, plot};
use crate::scene::{counted, percent};
use engine::streams::{CallKind, CopyEnd, Failure, Slowdown, Span, WaitReason};

/// A time: `12.3 µs`, `1.20 ms`.
pub(crate) fn time_text(ns: u64) -> String {
    let us = ns as f64 * 1e-3;
    match ns {
        0 => "0".to_owned(),
        1..1_000 => format!("{ns} ns"),
        1_000..10_000 => format!("{us:.2} µs"),
        10_000..100_000 => format!("{us:.1} µs"),
        100_000..1_000_000 => format!("{us:.0} µs"),
        1_000_000..100_000_000 => format!("{:.2} ms", us * 1e-3),
        _ => format!("{:.0} ms", us * 1e-3),
    }
}

/// A number of bytes: `64 KB`.
pub(super) fn bytes_text(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KB", round(bytes as f64 / 1024.0)),
        1_048_576..1_073_741_824 => format!("{} MB", round(bytes as f64 / 1_048_576.0)),
        _ => format!("{} GB", round(bytes as f64 / 1_073_741_824.0)),
    }
}

fn round(number: f64) -> String {
    if number >= 100.0 || (number - number.round()).abs() < 0.05 {
        format!("{number:.0}")
    } else {
        format!("{number:.1}")
    }
}

/// The name of a process: `client 2` of the Multi-Process Service, or `process 2`.
pub(super) fn process_name(data: &StreamsData, process: u8) -> String {
    let what = if data.record.options.service {
        "Client"
    } else {
        "Process"
    };
    format!("{what} {process}")
}

/// A call in a few words: `work, 4 blocks`, `copy 64 KB to the device`.
pub(super) fn call_text(data: &StreamsData, span: &Span) -> String {
    match data.kind(span) {
        Some(CallKind::Launch(launch)) => match data.record.launches.get(launch as usize) {
            Some(launch) => format!(
                "{}, {}",
                launch.kernel,
                counted(launch.num_blocks.into(), "block")
            ),
            None => "kernel".to_owned(),
        },
        Some(CallKind::Copy { bytes, from, to, .. }) => {
            let size = bytes_text(bytes);
            match (from, to) {
                (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) if a == b => format!("copy {size} within the device"),
                (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) => format!("copy {size} from GPU {a} to GPU {b}"),
                (CopyEnd::Gpu(_), CopyEnd::Pageable) => format!("copy {size} to pageable memory"),
                (CopyEnd::Gpu(_), _) => format!("copy {size} to the host"),
                (CopyEnd::Pageable, _) => format!("copy {size} from pageable memory"),
                _ => format!("copy {size} to the device"),
            }
        }
        Some(CallKind::Set(bytes)) => format!("set {}", bytes_text(bytes)),
        Some(CallKind::Record(event)) => format!("record event {event}"),
        Some(CallKind::StreamWait(event)) => format!("stream waits for event {event}"),
        Some(CallKind::WaitDevice) => "wait for the device".to_owned(),
        Some(CallKind::WaitStream) => "wait for a stream".to_owned(),
        Some(CallKind::WaitEvent(event)) => format!("wait for event {event}"),
        Some(CallKind::EnablePeer(peer)) => format!("enable peer access to GPU {peer}"),
        Some(CallKind::DisablePeer(peer)) => format!("disable peer access to GPU {peer}"),
        Some(CallKind::Allocate) => "allocate or free".to_owned(),
        None => String::new(),
    }
}

/// The shortest text of an operation: the kernel's name, or the size of a copy.
pub(super) fn short_text(data: &StreamsData, span: &Span) -> String {
    match data.kind(span) {
        Some(CallKind::Launch(launch)) => {
            let launch = data.record.launches.get(launch as usize);
            launch.map_or_else(String::new, |launch| launch.kernel.clone())
        }
        Some(CallKind::Copy { bytes, .. } | CallKind::Set(bytes)) => bytes_text(bytes),
        _ => String::new(),
    }
}

/// Why a process ends early, as a sentence.
pub(super) fn failure_text(data: &StreamsData, (process, failure, at): &(u8, Failure, u64)) -> String {
    let name = process_name(data, *process);
    let most = data.arch.host().sharing.mps_clients.value;
    match failure {
        Failure::OwnFault => format!("{name} makes a fatal fault at {}.", time_text(*at)),
        Failure::FaultOfAnother(other) => format!(
            "{name} ends at {}, because of the fault of client {other}: the service does not isolate fatal faults.",
            time_text(*at)
        ),
        Failure::TooManyClients => format!(
            "{name} fails: the service accepts {most} clients on {}.",
            data.arch.name
        ),
        Failure::NoPeerAccess(gpu) => format!(
            "{name} ends at {}: its kernel accesses the memory of GPU {gpu}, and peer access is not enabled \
             (`cudaErrorIllegalAddress`).",
            time_text(*at)
        ),
        Failure::NoService => format!(
            "{name} fails: {} does not support the Multi-Process Service.",
            data.arch.name
        ),
        Failure::Deadlock => format!("{name} never ends: it waits for an operation that does not run."),
    }
}

/// The headline.
pub(super) fn headline(data: &StreamsData) -> String {
    let trace = &data.record.trace;
    if data
        .record
        .processes
        .iter()
        .all(|process| process.calls.is_empty())
    {
        return "The program makes no call that reaches the GPU.".to_owned();
    }
    let [(kernels, at_once), (copies, _)] = data.record.overlap();
    let ends = match trace.failures.len() {
        0 => String::new(),
        1 => " One process ends early.".to_owned(),
        num => format!(" {num} processes end early."),
    };
    let falsely = [WaitReason::WorkQueue, WaitReason::DependencyCheck]
        .into_iter()
        .map(|reason| trace.waited_ns(reason))
        .sum::<u64>();
    let num_false = trace
        .spans
        .iter()
        .filter(|span| span.waits.iter().any(|wait| wait.reason.is_false_dependency()))
        .count();
    let what = if data.is_several() {
        "The processes take"
    } else {
        "The program takes"
    };
    let kernels_text = match at_once {
        0 => String::new(),
        1 => format!(
            "; kernels run for {} of it, one at a time",
            percent(kernels, data.record.trace.end_ns.max(1))
        ),
        num => format!(
            "; kernels run for {} of it, up to {num} at once",
            percent(kernels, data.record.trace.end_ns.max(1))
        ),
    };
    let copies_text = if copies > 0 {
        format!(
            ", copies for {}",
            percent(copies, data.record.trace.end_ns.max(1))
        )
    } else {
        String::new()
    };
    let false_text = if falsely > 0 {
        format!(
            " False dependencies delay {}.",
            counted(num_false as u64, "operation")
        )
    } else {
        String::new()
    };
    format!(
        "{what} {}{kernels_text}{copies_text}.{false_text}{ends}",
        time_text(trace.end_ns)
    )
}

/// How much longer a launch's blocks take than alone, and why; empty if they do not.
pub(super) fn slowdown_text(slowdown: &Slowdown) -> String {
    match slowdown.cause() {
        Some(cause) if slowdown.factor() >= 1.005 => {
            format!(
                "{:.2} times as long as alone: shares {}",
                slowdown.factor(),
                cause.text()
            )
        }
        _ => String::new(),
    }
}

/// Which part of the time the picture shows, if it is not all of it.
pub(super) fn part_text(data: &StreamsData) -> String {
    let Some((from, to)) = data.part() else {
        return String::new();
    };
    let text = |ns| plot::exact_text(ns, to - from);
    format!(" The picture shows {} to {}.", text(from), text(to))
}

/// What the picture stands for.
pub(super) fn note(data: &StreamsData) -> String {
    let program = if data.record.has_main {
        "These are the calls of main()."
    } else {
        "This source has no main(): the calls copy the kernel's inputs, launch it, and copy its outputs back."
    };
    format!(
        "{program} A block takes the time that it takes when its kernel runs alone on the GPU. Kernels that run together \
         share device memory, L2, and issue slots equally, where they demand more than there is (assumed)."
    )
}
