//! Totals of a host program's record, as counters for lessons and for the command line.

use super::StreamsRecord;
use engine::streams::{CallKind, Resource, Span, WaitReason};
use engine::trace::Counter;

/// The prefix of all counters of a host program.
pub const PREFIX: &str = "streams__warpscope__";

/// How long the spans cover at least one of them, and how many run at once at most.
fn cover(mut spans: Vec<(u64, u64)>) -> (u64, u64) {
    spans.sort_unstable();
    let (mut covered, mut end) = (0, 0);
    for (from, to) in &spans {
        if *to > end {
            covered += to - (*from).max(end);
            end = *to;
        }
    }
    let mut changes: Vec<(u64, i64)> = spans
        .iter()
        .flat_map(|(from, to)| [(*from, 1), (*to, -1)])
        .collect();
    changes.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, change) in changes {
        now += change;
        most = most.max(now);
    }
    (covered, u64::try_from(most).unwrap_or(0))
}

impl StreamsRecord {
    fn kind(&self, span: &Span) -> Option<CallKind> {
        let process = self.processes.get(usize::from(span.process))?;
        Some(process.calls.get(span.call as usize)?.kind)
    }

    /// The time in which a kernel runs in nanoseconds, and the most kernels at once; then the same of copies.
    pub(crate) fn overlap(&self) -> [(u64, u64); 2] {
        let of = |kernels: bool| {
            let own = self.trace.operations().filter(|span| match self.kind(span) {
                Some(CallKind::Launch(_)) => kernels,
                Some(CallKind::Copy { .. } | CallKind::Set(_)) => !kernels,
                _ => false,
            });
            cover(own.map(|span| (span.start_ns, span.end_ns)).collect())
        };
        [of(true), of(false)]
    }

    /// For each wait of a process for its work, the time from the first call after the wait before it to its end, in
    /// nanoseconds.
    pub(crate) fn latencies(&self, process: u8) -> Vec<u64> {
        let mut times = Vec::new();
        let mut first = None;
        for span in self.trace.spans.iter().filter(|span| span.process == process) {
            let Some(kind) = self.kind(span) else { continue };
            let waits = matches!(
                kind,
                CallKind::WaitDevice | CallKind::WaitStream | CallKind::WaitEvent(_)
            );
            if kind.is_operation() {
                first.get_or_insert(span.called_ns);
            } else if waits
                && let Some(from) = first.take()
                && span.returned_ns > from
            {
                times.push(span.returned_ns - from);
            }
        }
        times
    }

    /// The counters. Times are in microseconds.
    pub fn counters(&self) -> Vec<Counter> {
        let mut all = Vec::new();
        let mut add = |name: String, value: f64, unit: &'static str, note: &'static str| {
            all.push(Counter {
                name: format!("{PREFIX}{name}"),
                value,
                unit,
                note,
            });
        };
        let us = |ns: u64| ns as f64 * 1e-3;
        let trace = &self.trace;
        let [(kernels, kernels_at_once), (copies, copies_at_once)] = self.overlap();
        let calls: usize = self.processes.iter().map(|process| process.calls.len()).sum();
        add("calls".to_owned(), calls as f64, "", "calls that reach a GPU");
        add(
            "time".to_owned(),
            us(trace.end_ns),
            "us",
            "from the first call to the end",
        );
        add(
            "kernels".to_owned(),
            us(kernels),
            "us",
            "time in which a kernel runs",
        );
        add(
            "kernels_at_once.max".to_owned(),
            kernels_at_once as f64,
            "",
            "kernels that run together",
        );
        add("copies".to_owned(), us(copies), "us", "time in which a copy runs");
        add(
            "copies_at_once.max".to_owned(),
            copies_at_once as f64,
            "",
            "copies that run together",
        );
        let resident = trace.resident.iter().flatten().map(|(_, blocks)| *blocks);
        let resident = resident.max().unwrap_or(0);
        add(
            "resident_blocks.max".to_owned(),
            f64::from(resident),
            "",
            "blocks resident on one GPU",
        );
        let is_false = |span: &&Span| span.waits.iter().any(|wait| wait.reason.is_false_dependency());
        let delayed = trace.spans.iter().filter(is_false).count();
        add(
            "false_dependencies".to_owned(),
            delayed as f64,
            "",
            "operations that wait for a work queue or a dependency check",
        );
        add(
            "ended_early".to_owned(),
            trace.failures.len() as f64,
            "",
            "processes that end early",
        );
        for reason in WaitReason::ALL {
            add(
                format!("wait.{}", reason.id()),
                us(trace.waited_ns(reason)),
                "us",
                "time that operations wait for this reason, summed",
            );
        }
        let slowest = trace.spans.iter().map(|span| span.slowdown.factor());
        add(
            "slowdown.max".to_owned(),
            slowest.fold(1.0, f64::max),
            "",
            "time of a launch's blocks over their time alone, at most",
        );
        for resource in Resource::ALL {
            let lost = trace
                .spans
                .iter()
                .map(|span| span.slowdown.lost_ns[resource as usize]);
            add(
                format!("slowed_by.{}", resource.id()),
                lost.sum::<f64>() * 1e-3,
                "us",
                "time that blocks lose because kernels share this, summed",
            );
        }
        for process in 0..self.processes.len() as u8 {
            let longest = self.latencies(process).into_iter().max().unwrap_or(0);
            add(
                format!("longest_wait.process_{process}"),
                us(longest),
                "us",
                "from the process's first call to the end of the wait for it, at most",
            );
        }
        let rates: Vec<f64> = (trace.operations())
            .filter_map(|span| match self.kind(span) {
                Some(CallKind::Copy { bytes, .. }) => {
                    Some(bytes as f64 / (span.end_ns - span.start_ns) as f64)
                }
                _ => None,
            })
            .collect();
        if !rates.is_empty() {
            let most = rates.iter().copied().fold(0.0, f64::max);
            let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
            add(
                "copy_rate.max".to_owned(),
                most,
                "GB/s",
                "bandwidth of the fastest copy",
            );
            add(
                "copy_rate.min".to_owned(),
                least,
                "GB/s",
                "bandwidth of the slowest copy",
            );
        }
        let accesses = (trace.operations()).filter_map(|span| match self.kind(span) {
            Some(CallKind::Launch(launch)) => {
                let peers = &self.launches.get(launch as usize)?.peers;
                let bytes = peers.iter().flat_map(|(_, bytes)| bytes).max()?;
                Some(*bytes as f64 / (span.end_ns - span.start_ns) as f64)
            }
            _ => None,
        });
        if let Some(most) = accesses.reduce(f64::max) {
            add(
                "peer_access_rate.max".to_owned(),
                most,
                "GB/s",
                "loads from another GPU's memory, or stores to it, in the time of the launch",
            );
        }
        all
    }
}
