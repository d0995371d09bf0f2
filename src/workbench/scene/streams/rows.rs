//! The rows of the picture: a host row and the streams of each process.

use super::StreamsData;
use super::wording::process_name;
use engine::streams::Span;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// The name of a process.
    Head,
    /// The calls of the host.
    Host,
    /// The operations of a stream.
    Stream,
}

/// A row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) kind: RowKind,
    pub(super) name: String,
    /// Indices of the spans.
    pub(super) spans: Vec<usize>,
}

/// The name of a span's stream.
pub(super) fn stream_name(data: &StreamsData, span: &Span) -> String {
    let Some(call) = data.call(span) else {
        return String::new();
    };
    if !call.kind.is_operation() {
        return "host".to_owned();
    }
    let streams = &data.record.processes[usize::from(span.process)].streams;
    let name = match streams.get(call.stream as usize) {
        Some(stream) if !stream.name.is_empty() => stream.name.clone(),
        _ if call.stream > 0 => format!("stream {}", call.stream),
        _ => "default stream".to_owned(),
    };
    if data.record.options.computer.num_gpus() > 1 {
        format!("{name}, GPU {}", call.gpu)
    } else {
        name
    }
}

/// The rows, from top to bottom.
pub(super) fn rows(data: &StreamsData) -> Vec<Row> {
    let mut all = Vec::new();
    for process in 0..data.record.processes.len() as u8 {
        if data.is_several() {
            all.push(Row {
                kind: RowKind::Head,
                name: process_name(data, process),
                spans: Vec::new(),
            });
        }
        let own = || {
            data.spans()
                .iter()
                .enumerate()
                .filter(|(_, span)| span.process == process)
        };
        all.push(Row {
            kind: RowKind::Host,
            name: "host".to_owned(),
            spans: own()
                .filter(|(_, span)| span.returned_ns > 0)
                .map(|(idx, _)| idx)
                .collect(),
        });
        let mut streams: Vec<((u8, u32), Row)> = Vec::new();
        for (idx, span) in own() {
            let Some(call) = data.call(span).filter(|call| call.kind.is_operation()) else {
                continue;
            };
            let key = (call.gpu, call.stream);
            match streams.iter_mut().find(|(own, _)| *own == key) {
                Some((_, row)) => row.spans.push(idx),
                None => streams.push((
                    key,
                    Row {
                        kind: RowKind::Stream,
                        name: stream_name(data, span),
                        spans: vec![idx],
                    },
                )),
            }
        }
        streams.sort_by_key(|(key, _)| *key);
        all.extend(streams.into_iter().map(|(_, row)| row));
    }
    all
}
