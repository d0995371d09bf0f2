//! The order that a program states: what each operation waits for, whatever the GPU is.

use std::collections::BTreeMap;

use super::Process;
use super::calls::{CallKind, HostCall};
use super::trace::WaitReason;

/// What an operation waits for: another call of the process, and why.
pub(super) type Needs = Vec<(u32, WaitReason)>;

/// The last operations of a process's streams.
#[derive(Default)]
struct Last {
    /// By GPU and stream.
    of_stream: BTreeMap<(u8, u32), u32>,
    /// The record of each event.
    records: BTreeMap<u32, u32>,
}

/// For each call of a process, what its operation waits for.
pub(super) fn needs(process: &Process) -> Vec<Needs> {
    let is_blocking = |stream: u32| {
        let stream = process.streams.get(stream as usize);
        stream.is_none_or(|stream| !stream.is_non_blocking)
    };
    let mut last = Last::default();
    let mut all = Vec::with_capacity(process.calls.len());
    for (idx, call) in process.calls.iter().enumerate() {
        if call.kind.is_operation() {
            all.push(of_call(call, &last, &is_blocking));
            last.of_stream.insert((call.gpu, call.stream), idx as u32);
        } else {
            all.push(Needs::new());
        }
        if let CallKind::Record(event) = call.kind {
            last.records.insert(event, idx as u32);
        }
    }
    all
}

fn of_call(call: &HostCall, last: &Last, is_blocking: &impl Fn(u32) -> bool) -> Needs {
    let mut needs = Needs::new();
    if let Some(before) = last.of_stream.get(&(call.gpu, call.stream)) {
        needs.push((*before, WaitReason::StreamOrder));
    }
    // The default stream waits for all blocking streams, and they wait for it (Programming Guide 10.1, 3.2.5.5.2).
    if call.stream == 0 {
        let others = last.of_stream.range((call.gpu, 1)..=(call.gpu, u32::MAX));
        let blocking = others.filter(|((_, stream), _)| is_blocking(*stream));
        needs.extend(blocking.map(|(_, op)| (*op, WaitReason::DefaultStream)));
    } else if is_blocking(call.stream)
        && let Some(op) = last.of_stream.get(&(call.gpu, 0))
    {
        needs.push((*op, WaitReason::DefaultStream));
    }
    if let CallKind::StreamWait(event) = call.kind
        && let Some(record) = last.records.get(&event)
    {
        needs.push((*record, WaitReason::Event));
    }
    needs
}
