//! The text twin: the calls, the waits by reason, and the processes.

use super::super::Table;
use super::wording::{call_text, failure_text, process_name, slowdown_text, time_text};
use super::{StreamsData, rows};
use engine::streams::WaitReason;

pub(super) fn table(data: &StreamsData) -> Table {
    let mut rows = Vec::new();
    for span in data.spans() {
        let Some(call) = data.call(span) else { continue };
        let longest = span.waits.iter().max_by_key(|wait| wait.to_ns - wait.from_ns);
        rows.push(vec![
            process_name(data, span.process),
            call.line.to_string(),
            call_text(data, span),
            rows::stream_name(data, span),
            if span.returned_ns > 0 {
                time_text(span.called_ns)
            } else {
                "never".to_owned()
            },
            if call.kind.is_operation() && !StreamsData::began(span) {
                "never".to_owned()
            } else {
                time_text(span.start_ns)
            },
            time_text(if call.kind.is_operation() {
                span.end_ns - span.start_ns
            } else {
                span.returned_ns - span.called_ns
            }),
            longest.map_or_else(String::new, |wait| {
                format!("{}: {}", wait.reason.text(), time_text(wait.to_ns - wait.from_ns))
            }),
            slowdown_text(&span.slowdown),
        ]);
    }
    Table {
        columns: [
            "Process",
            "Line",
            "Call",
            "Stream",
            "Called at",
            "Starts at",
            "Takes",
            "Longest wait",
            "Beside other kernels",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
    }
}

pub(super) fn wait_table(data: &StreamsData) -> Table {
    let trace = &data.record.trace;
    let rows = WaitReason::ALL
        .into_iter()
        .filter(|reason| trace.waited_ns(*reason) > 0);
    Table {
        columns: ["Reason", "Waited, all operations"].map(str::to_owned).to_vec(),
        rows: rows
            .map(|reason| vec![reason.text().to_owned(), time_text(trace.waited_ns(reason))])
            .collect(),
    }
}

pub(super) fn process_table(data: &StreamsData) -> Table {
    let failed = |process: u8| {
        data.record
            .trace
            .failures
            .iter()
            .find(|(failed, ..)| *failed == process)
    };
    let rows = (0..data.record.processes.len()).map(|idx| {
        let process = idx as u8;
        let own = data.spans().iter().filter(|span| span.process == process);
        let end = own
            .map(|span| span.returned_ns.max(span.end_ns))
            .max()
            .unwrap_or(0);
        let times = data.record.latencies(process);
        let mean = times.iter().sum::<u64>() / times.len().max(1) as u64;
        vec![
            process_name(data, process),
            time_text(end),
            time_text(mean),
            time_text(times.iter().copied().max().unwrap_or(0)),
            failed(process).map_or_else(|| "finishes".to_owned(), |failure| failure_text(data, failure)),
        ]
    });
    Table {
        columns: ["Process", "Ends at", "Mean wait", "Longest wait", "Result"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    }
}
