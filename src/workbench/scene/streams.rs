//! The Streams view: the calls of a host program, when each operation ran on the GPU, and what it waited for.

mod inspect;
mod plot;
mod rows;
mod settings;
mod tables;
mod wording;

use super::kit::{Face, Sheet};
use super::{Mark, Role, Scene, Size, Target, TextSize, Texture};
use crate::host_record::StreamsRecord;
use engine::arch::Architecture;
use engine::streams::{CallKind, CopyEnd, Span};
pub use inspect::{inspect_streams, streams_tooltip};
use plot::Plot;
pub use plot::{MIN_STREAMS_NS, streams_axis};
use rows::{RowKind, rows};
pub use settings::{StreamSetting, StreamSettings};
use tables::{process_table, table, wait_table};
pub(crate) use wording::time_text;
use wording::{call_text, failure_text, headline, process_name};

/// Height of the chart of resident blocks.
const CHART: f32 = 40.0;

/// What the view shows.
#[derive(Clone, Copy, Debug)]
pub struct StreamsData<'a> {
    /// The architecture.
    pub arch: &'static Architecture,
    /// The record.
    pub record: &'a StreamsRecord,
    /// The end of the time axis in nanoseconds, if it is after the end of the program.
    pub end_ns: u64,
    /// The part of the time axis that the picture shows, from and to in nanoseconds; `None`: all of it.
    pub window: Option<(u64, u64)>,
    /// The selected call, as its index among all.
    pub selected: Option<u32>,
}

impl<'a> StreamsData<'a> {
    /// The kind of a span's call.
    fn kind(&self, span: &Span) -> Option<CallKind> {
        Some(self.call(span)?.kind)
    }

    fn call(&self, span: &Span) -> Option<&'a engine::streams::HostCall> {
        let process = self.record.processes.get(usize::from(span.process))?;
        process.calls.get(span.call as usize)
    }

    fn spans(&self) -> &'a [Span] {
        &self.record.trace.spans
    }

    /// The end of the picture's time, in nanoseconds.
    fn end_ns(&self) -> u64 {
        self.record.trace.end_ns.max(self.end_ns).max(1)
    }

    /// The part of the time axis that the picture shows, if it is not all of it.
    fn part(&self) -> Option<(u64, u64)> {
        let end = self.end_ns();
        let (from, to) = self.window?;
        let length = to.saturating_sub(from).clamp(1, end);
        let from = from.min(end - length);
        (length < end).then_some((from, from + length))
    }

    /// Whether an operation began on the GPU: it first travels there.
    fn began(span: &Span) -> bool {
        span.start_ns > span.called_ns
    }

    fn is_several(&self) -> bool {
        self.record.processes.len() > 1
    }
}

/// The look of an operation.
fn look(kind: CallKind) -> (Role, Texture) {
    match kind {
        CallKind::Launch(_) => (Role::State(Mark::Issue), Texture::Solid),
        CallKind::Copy { from, to, .. } => match (from, to) {
            (CopyEnd::Gpu(_), CopyEnd::Gpu(_)) => (Role::Ink2, Texture::Solid),
            (CopyEnd::Gpu(_), _) => (Role::Miss, Texture::Solid),
            _ => (Role::Hit, Texture::Solid),
        },
        CallKind::Set(_) => (Role::Used, Texture::Fade(0.5)),
        _ => (Role::Ink3, Texture::Solid),
    }
}

/// The Streams view.
pub fn streams(data: &StreamsData, size: Size) -> Scene {
    let pad = plot::pad(size.width);
    let inner = size.width - 2.0 * pad;
    let plot = Plot::new(data, size.width);
    let mut sheet = Sheet::default();
    let y = draw_legend(&mut sheet, inner);
    let y = plot.draw_axis(&mut sheet, data, y);
    let top = y;
    let y = draw_rows(&mut sheet, data, plot, y);
    let y = draw_gpus(&mut sheet, data, plot, y + 8.0);
    plot.draw_grid(&mut sheet, (top, y));
    let y = draw_latencies(&mut sheet, data, plot, y + 12.0);
    let y = draw_notes(&mut sheet, data, inner, y + 10.0);
    for item in &mut sheet.items {
        item.shape.move_by(pad, 0.0);
    }
    let size = Size {
        width: size.width,
        height: size.height.max(y + 6.0),
    };
    let text = headline(data) + &wording::part_text(data);
    let scene = sheet.finish(size, text, table(data));
    let mut also = vec![("Waiting by reason".to_owned(), wait_table(data))];
    if data.is_several() {
        also.push(("Processes".to_owned(), process_table(data)));
    }
    Scene {
        note: wording::note(data),
        also,
        ..scene
    }
}

fn draw_legend(sheet: &mut Sheet, width: f32) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink2);
    let entries: [(&str, Role, Texture); 6] = [
        ("kernel", Role::State(Mark::Issue), Texture::Solid),
        ("host to device", Role::Hit, Texture::Solid),
        ("device to host", Role::Miss, Texture::Solid),
        ("GPU to GPU", Role::Ink2, Texture::Solid),
        ("waits", Role::Ink3, Texture::Fade(0.6)),
        ("false dependency", Role::Wasted, Texture::Hatch),
    ];
    let (mut x, mut y) = (0.0, 10.0);
    for (name, role, texture) in entries {
        let w = 16.0 + face.width(name) + 14.0;
        if x + w > width {
            (x, y) = (0.0, y + 16.0);
        }
        let h = if role == Role::Ink3 { 1.5 } else { 10.0 };
        sheet.fill(x, y - h / 2.0, 11.0, h, role, texture);
        sheet.text(name, x + 16.0, y, face);
        x += w;
    }
    y + 16.0
}

fn draw_rows(sheet: &mut Sheet, data: &StreamsData, plot: Plot, mut y: f32) -> f32 {
    let all = rows(data);
    let label = Face::text(TextSize::Label, Role::Ink2);
    // Many streams get low rows, each eighth with its name.
    let num_streams = all.iter().filter(|row| row.kind == RowKind::Stream).count();
    let low = if num_streams > 40 { 7.0 } else { 20.0 };
    let mut nth = 0;
    for row in &all {
        let height = match row.kind {
            RowKind::Head => 22.0,
            RowKind::Host => 18.0,
            RowKind::Stream => low,
        };
        let is_named = row.kind != RowKind::Stream || low > 10.0 || nth % 8 == 0;
        nth = if row.kind == RowKind::Stream { nth + 1 } else { 0 };
        if is_named {
            let face = if row.kind == RowKind::Head {
                Face::text(TextSize::Body, Role::Ink1).strong()
            } else {
                label
            };
            let room = if row.kind == RowKind::Head {
                plot.left + plot.width
            } else {
                plot.left - 8.0
            };
            sheet.text(&face.fit(&row.name, room), 0.0, y + height / 2.0, face);
        }
        if row.kind == RowKind::Stream {
            row.spans
                .iter()
                .for_each(|idx| draw_waits(sheet, data, plot, *idx, (y, height)));
        }
        for idx in &row.spans {
            match row.kind {
                RowKind::Host => draw_host_call(sheet, data, plot, *idx, (y, height)),
                _ => draw_operation(sheet, data, plot, *idx, (y, height)),
            }
        }
        y += height;
    }
    y
}

/// Draws a call on the host's row: as long as it takes, hatched while it waits.
fn draw_host_call(sheet: &mut Sheet, data: &StreamsData, plot: Plot, idx: usize, (y, height): (f32, f32)) {
    let span = &data.spans()[idx];
    let Some((from, to)) = plot.part(span.called_ns, span.returned_ns) else {
        return;
    };
    let (top, h) = (y + 4.0, height - 8.0);
    let w = (to - from).max(1.0);
    let is_wait = data.kind(span).is_some_and(|kind| !kind.is_operation()) && w > 2.0;
    if is_wait {
        sheet.fill(from, top, w, h, Role::Ink3, Texture::Fade(0.22));
    } else {
        sheet.rect(from, top, (w - 0.5).max(0.7), h, Role::Ink3);
    }
    if data.selected == Some(idx as u32) {
        sheet.frame(from - 2.0, top - 2.0, w + 4.0, h + 4.0, Role::Selection, 2.0);
    }
    sheet.area(from - 1.0, top, w + 2.0, h, Target::HostCall(idx as u32));
}

/// Draws what an operation waited for. Operations of the row are drawn over it.
fn draw_waits(sheet: &mut Sheet, data: &StreamsData, plot: Plot, idx: usize, (y, height): (f32, f32)) {
    let span = &data.spans()[idx];
    let middle = y + height / 2.0;
    for wait in &span.waits {
        let Some((from, to)) = plot
            .part(wait.from_ns, wait.to_ns)
            .filter(|(from, to)| to - from >= 0.5)
        else {
            continue;
        };
        if wait.reason.is_false_dependency() {
            let h = (height * 0.45).max(3.0);
            sheet.fill(from, middle - h / 2.0, to - from, h, Role::Wasted, Texture::Hatch);
        } else {
            sheet.fill(
                from,
                middle - 0.75,
                to - from,
                1.5,
                Role::Ink3,
                Texture::Fade(0.6),
            );
        }
    }
}

/// Draws an operation on its stream's row.
fn draw_operation(sheet: &mut Sheet, data: &StreamsData, plot: Plot, idx: usize, (y, height): (f32, f32)) {
    let span = &data.spans()[idx];
    let Some(kind) = data.kind(span) else { return };
    let gap = if height > 10.0 { 2.5 } else { 0.5 };
    let (top, h) = (y + gap, height - 2.0 * gap);
    let middle = y + height / 2.0;
    if !StreamsData::began(span) {
        return;
    }
    let Some((from, to)) = plot.part(span.start_ns, span.end_ns) else {
        return;
    };
    if matches!(kind, CallKind::Record(_) | CallKind::StreamWait(_)) {
        sheet.rect(from - 0.75, top, 1.5, h, Role::Ink2);
        sheet.area(from - 4.0, top, 8.0, h, Target::HostCall(idx as u32));
        if data.selected == Some(idx as u32) {
            sheet.frame(from - 4.0, top - 1.0, 8.0, h + 2.0, Role::Selection, 2.0);
        }
        return;
    }
    let (role, texture) = look(kind);
    let w = (to - from).max(1.5);
    let texture = if span.failed { Texture::Hatch } else { texture };
    // A gap to the next operation.
    sheet.fill(from, top, (w - 0.75).max(1.0), h, role, texture);
    let face = Face::text(
        TextSize::Label,
        if matches!(kind, CallKind::Launch(_)) {
            Role::OnIssue
        } else {
            Role::InkInverse
        },
    );
    if h > 11.0 && w > 30.0 && !span.failed {
        let texts = [call_text(data, span), wording::short_text(data, span)];
        if let Some(text) = texts.iter().find(|text| face.width(text) <= w - 8.0) {
            sheet.text(text, from + 4.0, middle, face);
        }
    }
    if data.selected == Some(idx as u32) {
        sheet.frame(from - 1.5, top - 1.5, w + 3.0, h + 3.0, Role::Selection, 2.0);
    }
    sheet.area(from - 1.0, y, w + 2.0, height, Target::HostCall(idx as u32));
}

/// Draws for each GPU the resident blocks over time, and whose turn it is.
fn draw_gpus(sheet: &mut Sheet, data: &StreamsData, plot: Plot, mut y: f32) -> f32 {
    let label = Face::text(TextSize::Label, Role::Ink2);
    let small = Face::mono(TextSize::Label, Role::Ink3);
    let trace = &data.record.trace;
    for (gpu, record) in trace.resident.iter().enumerate() {
        let most = record.iter().map(|(_, num)| *num).max().unwrap_or(0);
        if most == 0 {
            continue;
        }
        let name = if trace.resident.len() > 1 {
            [
                format!("Resident blocks, GPU {gpu}"),
                format!("Blocks, GPU {gpu}"),
            ]
        } else {
            ["Resident blocks".to_owned(), "Blocks".to_owned()]
        };
        sheet.text(
            &label.first_fit(&name.each_ref().map(String::as_str), plot.left - 8.0),
            0.0,
            y + CHART / 2.0 - 7.0,
            label,
        );
        sheet.text(&format!("at most {most}"), 0.0, y + CHART / 2.0 + 8.0, small);
        sheet.line(
            (plot.left, y + CHART),
            (plot.left + plot.width, y + CHART),
            1.0,
            Role::Line1,
        );
        let ends = record.iter().skip(1).map(|(at, _)| *at).chain([data.end_ns()]);
        let mut last = f32::MIN;
        for ((from, num), to) in record.iter().zip(ends) {
            let Some((x, end)) = plot.part(*from, to) else {
                continue;
            };
            let end = end.max(x + 1.0);
            // Shorter stretches after another one are not visible.
            if *num == 0 || end - last.max(x) < 0.3 {
                continue;
            }
            let h = CHART * *num as f32 / most as f32;
            sheet.fill(x, y + CHART - h, end - x, h, Role::Used, Texture::Fade(0.7));
            last = end;
        }
        y += CHART + 12.0;
        let slices = trace.slices.iter().filter(|slice| usize::from(slice.gpu) == gpu);
        let slices: Vec<_> = slices.collect();
        if slices.is_empty() {
            continue;
        }
        sheet.text("Turns", 0.0, y + 7.0, label);
        for slice in slices {
            let Some((x, end)) = plot.part(slice.from_ns, slice.to_ns) else {
                continue;
            };
            let w = end - x;
            sheet.fill(
                x,
                y,
                w.max(0.7),
                14.0,
                Role::Used,
                Texture::Fade(if slice.process % 2 == 0 { 0.8 } else { 0.35 }),
            );
            let text = slice.process.to_string();
            let face = Face::mono(TextSize::Label, Role::Ink1);
            if w > face.width(&text) + 4.0 {
                sheet.text(&text, x + w / 2.0, y + 7.0, face.center());
            }
        }
        y += 26.0;
    }
    y
}

/// Draws how long each process waited for its work: a dot for each wait.
fn draw_latencies(sheet: &mut Sheet, data: &StreamsData, plot: Plot, mut y: f32) -> f32 {
    if !data.is_several() {
        return y;
    }
    let all: Vec<Vec<u64>> = (0..data.record.processes.len())
        .map(|idx| data.record.latencies(idx as u8))
        .collect();
    let most = all.iter().flatten().copied().max().unwrap_or(0);
    if most == 0 {
        return y;
    }
    let label = Face::text(TextSize::Label, Role::Ink2);
    let small = Face::mono(TextSize::Label, Role::Ink3);
    sheet.text(
        "From the first call to the end of the wait for it",
        0.0,
        y,
        Face::text(TextSize::Body, Role::Ink1).strong(),
    );
    y += 14.0;
    let width = (plot.width - 164.0).max(60.0);
    for (process, times) in all.iter().enumerate() {
        sheet.text(&process_name(data, process as u8), 0.0, y + 7.0, label);
        sheet.line(
            (plot.left, y + 7.0),
            (plot.left + width, y + 7.0),
            1.0,
            Role::Line1,
        );
        for time in times {
            let x = plot.left + width * *time as f32 / most as f32;
            sheet.fill(
                x - 2.5,
                y + 2.0,
                5.0,
                10.0,
                Role::State(Mark::Issue),
                Texture::Fade(0.6),
            );
        }
        if let Some(longest) = times.iter().max() {
            let mean = times.iter().sum::<u64>() / times.len() as u64;
            let text = if mean < *longest {
                format!("mean {}, most {}", time_text(mean), time_text(*longest))
            } else {
                time_text(*longest)
            };
            sheet.text(&small.fit(&text, 160.0), plot.left + width + 8.0, y + 7.0, small);
        }
        y += 17.0;
    }
    y
}

fn draw_notes(sheet: &mut Sheet, data: &StreamsData, width: f32, mut y: f32) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink2);
    let failures = data
        .record
        .trace
        .failures
        .iter()
        .map(|failure| failure_text(data, failure));
    let problems = data.record.launches.iter().filter_map(|launch| {
        let problem = launch.problem.as_ref()?;
        Some(format!("`{}` takes no time: {problem}", launch.kernel))
    });
    let notes = data
        .record
        .notes
        .iter()
        .map(|(line, text)| format!("Line {line}: {text}"));
    for text in failures.chain(problems).chain(notes) {
        for line in face.wrap(&text, width) {
            sheet.text(&line, 0.0, y, face);
            y += 15.0;
        }
    }
    let face = Face::text(TextSize::Label, Role::Ink3);
    for line in face.wrap(&wording::note(data), width) {
        sheet.text(&line, 0.0, y, face);
        y += 15.0;
    }
    y
}
