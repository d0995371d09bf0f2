//! The blocks of each SM over the run, and the load of the SMs, of L2, and of device memory below.

use super::super::kit::{Face, Sheet};
use super::super::{Role, Size, Table, Target, TextSize, Texture};
use super::DeviceData;
use crate::words::{percent, thousands};
use engine::trace::device::BlockSpan;

/// Height of a chart under the blocks, also where the picture has to fit.
const CHART: f32 = 34.0;
const LOW_CHART: f32 = 26.0;
/// Pictures below this width have the names and the values of charts above the charts.
const NARROW: f32 = 460.0;
/// Width of the part of a chart that a click hits.
const CLICK: f32 = 4.0;

/// The columns of the picture.
#[derive(Clone, Copy)]
struct Columns {
    /// Left edge of the plots; the names of SMs are left of it.
    left: f32,
    /// Width of the plots.
    width: f32,
    /// Pixels of a cycle.
    px: f32,
    is_narrow: bool,
    /// Height of a chart.
    chart: f32,
}

impl Columns {
    fn new(data: &DeviceData, width: f32) -> Self {
        let is_narrow = width < NARROW;
        let (left, right) = if is_narrow { (48.0, 0.0) } else { (96.0, 92.0) };
        let width = (width - left - right).max(80.0);
        Self {
            left,
            width,
            px: width / data.trace.num_cycles.max(1) as f32,
            is_narrow,
            chart: if data.is_whole { LOW_CHART } else { CHART },
        }
    }

    /// Height from a chart to the next one.
    const fn chart_step(&self) -> f32 {
        self.chart + if self.is_narrow { 26.0 } else { 14.0 }
    }
}

/// A chart under the blocks: values of parts of the run, and their peak.
struct Chart {
    name: &'static str,
    peak: f64,
    of: String,
    values: Vec<f64>,
}

/// Draws the blocks of each SM over time, and the load below. Returns the lower edge.
pub(super) fn draw(
    sheet: &mut Sheet,
    data: &DeviceData,
    (by_sm, busy): (&[Vec<&BlockSpan>], &[f64]),
    y: f32,
    size: Size,
) -> f32 {
    let columns = Columns::new(data, size.width);
    let charts = charts(data, busy);
    let title = Face::text(TextSize::Body, Role::Ink1).strong();
    let small = Face::mono(TextSize::Label, Role::Ink3);
    sheet.text("Blocks of each SM over the run", 0.0, y, title);
    let top = draw_shades(sheet, data, y, (columns, size.width)) + 14.0;
    let foot = if data.is_whole { 30.0 } else { 70.0 };
    let left_for_rows = size.height - top - charts.len() as f32 * columns.chart_step() - foot;
    let bottom = draw_rows(sheet, data, by_sm, (columns, top, left_for_rows));
    let first = bottom + 16.0;
    let mut y = first;
    for chart in &charts {
        y = draw_chart(sheet, data, chart, (columns, y));
    }
    let mut x = 0.0;
    while x < columns.width {
        let cycle = (f64::from(x + CLICK / 2.0) / f64::from(columns.px)) as u64;
        let target = Target::Cycle(cycle.min(data.trace.num_cycles.saturating_sub(1)));
        sheet.area(columns.left + x, first, CLICK, y - first, target);
        x += CLICK;
    }
    let x = columns.left + data.now() as f32 * columns.px;
    sheet.line((x, top - 4.0), (x, y - 10.0), 1.5, Role::Now);
    sheet.text("0", columns.left, y, small);
    sheet.text(
        &format!("{} cycles", thousands(data.trace.num_cycles)),
        columns.left + columns.width,
        y,
        small.right(),
    );
    if data.is_whole {
        return y + 10.0;
    }
    let note = Face::text(TextSize::Label, Role::Ink3);
    let mut y = y + 18.0;
    for line in note.wrap(&super::note(data), size.width) {
        sheet.text(&line, 0.0, y, note);
        y += 15.0;
    }
    y
}

/// The share of a row's color for a number of resident blocks.
fn shade(resident: u32, capacity: u32) -> Texture {
    Texture::Fade(0.25 + 0.75 * resident as f32 / capacity.max(1) as f32)
}

/// Explains the shades of the rows: right of the title at `y`, or below. Returns the line.
fn draw_shades(sheet: &mut Sheet, data: &DeviceData, y: f32, (columns, width): (Columns, f32)) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink3);
    let capacity = data.trace.blocks_per_sm.max(1);
    let words = if capacity == 1 { "1 block" } else { "blocks" };
    let most = capacity.to_string();
    let (first, last) = if capacity == 1 {
        ("", "")
    } else {
        ("1", most.as_str())
    };
    let swatches = capacity.min(5);
    let text = format!("{last} {words}");
    let needed = face.width(first) + 6.0 + 12.0 * swatches as f32 + 6.0 + face.width(text.trim());
    let (mut x, y) = if columns.is_narrow && width < needed + 200.0 {
        (columns.left, y + 16.0)
    } else {
        (columns.left + columns.width - needed, y)
    };
    if !first.is_empty() {
        sheet.text(first, x, y, face);
        x += face.width(first) + 6.0;
    }
    for nth in 0..swatches {
        let resident = if swatches == 1 {
            1
        } else {
            1 + nth * (capacity - 1) / (swatches - 1)
        };
        sheet.fill(x, y - 4.0, 12.0, 8.0, Role::Used, shade(resident, capacity));
        x += 12.0;
    }
    sheet.text(text.trim(), x + 6.0, y, face);
    y
}

/// Draws a row for each SM. Returns the lower edge.
fn draw_rows(
    sheet: &mut Sheet,
    data: &DeviceData,
    by_sm: &[Vec<&BlockSpan>],
    (columns, top, height): (Columns, f32, f32),
) -> f32 {
    let num_sms = data.trace.num_sms;
    let label = Face::text(TextSize::Label, Role::Ink2);
    let least = if data.is_whole { 0.5 } else { 2.0 };
    let row = (height / f32::from(num_sms.max(1))).clamp(least, 8.0);
    let row = if row < 3.0 { row.min(2.0) } else { row };
    let Columns { left, width, px, .. } = columns;
    for (sm, spans) in (0..).zip(by_sm) {
        let y = top + f32::from(sm) * row;
        draw_row(sheet, data, spans, (left, y, px, row));
        if data.selected == Some(sm) {
            sheet.frame(left - 3.0, y - 1.5, width + 6.0, row + 2.0, Role::Selection, 1.5);
        }
        sheet.area(left, y, width, row, Target::DeviceSm(sm));
    }
    let bottom = top + f32::from(num_sms) * row;
    sheet.text("SM 0", 0.0, top + 6.0, label);
    sheet.text(
        &format!("SM {}", num_sms.saturating_sub(1)),
        0.0,
        bottom - 6.0,
        label,
    );
    bottom
}

fn charts(data: &DeviceData, busy: &[f64]) -> Vec<Chart> {
    let trace = data.trace;
    let (l2_peak, dram_peak) = data.memory_peaks();
    let parts = 0..trace.loads.len();
    let of_bytes = |peak: f64| format!("of {} B", thousands(peak as u64));
    let slots = Chart {
        name: "Issue slots",
        peak: 1.0,
        of: "of all slots".to_owned(),
        values: busy.to_vec(),
    };
    let l2 = l2_peak.map(|peak| Chart {
        name: "L2",
        peak,
        of: of_bytes(peak),
        values: parts.clone().map(|part| trace.rates(part).0).collect(),
    });
    let memory = Chart {
        name: "Device memory",
        peak: dram_peak,
        of: of_bytes(dram_peak),
        values: parts.map(|part| trace.rates(part).1).collect(),
    };
    [Some(slots), l2, Some(memory)].into_iter().flatten().collect()
}

/// Draws values of parts as an area, with the name and the value now. Returns the upper edge of the next chart.
fn draw_chart(sheet: &mut Sheet, data: &DeviceData, chart: &Chart, (columns, y): (Columns, f32)) -> f32 {
    let Columns { left, width, .. } = columns;
    let label = Face::text(TextSize::Label, Role::Ink2);
    let small = Face::mono(TextSize::Label, Role::Ink3);
    let value = chart.values.get(data.trace.part_of(data.now())).copied();
    let value = percent((1000.0 * value.unwrap_or(0.0) / chart.peak) as u64, 1000);
    let top = if columns.is_narrow {
        sheet.text(chart.name, left, y, label);
        let value_x = left + width - small.width(&chart.of) - 8.0;
        sheet.text(&value, value_x, y, small.role(Role::Ink1).right());
        sheet.text(&chart.of, left + width, y, small.right());
        y + 10.0
    } else {
        sheet.text(chart.name, 0.0, y + columns.chart / 2.0, label);
        let x = left + width + 8.0;
        sheet.text(&value, x, y + 9.0, small.role(Role::Ink1));
        sheet.text(&chart.of, x, y + 24.0, small);
        y
    };
    let low = top + columns.chart;
    sheet.line((left, low), (left + width, low), 1.0, Role::Line1);
    sheet.line((left, top), (left + width, top), 1.0, Role::Line2);
    draw_area(sheet, data, chart, (columns, top));
    y + columns.chart_step()
}

fn draw_area(sheet: &mut Sheet, data: &DeviceData, chart: &Chart, (columns, y): (Columns, f32)) {
    let part = data.trace.part_cycles as f32 * columns.px;
    // Parts narrower than a pixel are drawn together, by their mean.
    let together = (1.0 / part.max(0.001)).ceil().max(1.0) as usize;
    for (idx, values) in chart.values.chunks(together).enumerate() {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let height = columns.chart * (mean / chart.peak.max(1e-9)).clamp(0.0, 1.0) as f32;
        let x = columns.left + (idx * together) as f32 * part;
        let end = (columns.left + columns.width).min(x + values.len() as f32 * part);
        if height >= 0.5 && end > x {
            sheet.rect(x, y + columns.chart - height, end - x, height, Role::Ink3);
        }
    }
}

/// Draws the number of resident blocks of an SM over the run: the darker, the fuller. A gap marks each start.
fn draw_row(
    sheet: &mut Sheet,
    data: &DeviceData,
    spans: &[&BlockSpan],
    (left, y, px, row): (f32, f32, f32, f32),
) {
    let capacity = data.trace.blocks_per_sm.max(1);
    let mut changes: Vec<(u64, i32)> = Vec::new();
    for span in spans {
        changes.push((span.started, 1));
        changes.push((span.finished, -1));
    }
    changes.sort_unstable();
    let height = if row < 3.0 { row } else { row - 1.0 };
    let (mut from, mut resident) = (0, 0);
    for (at, change) in changes {
        // Shorter stretches are not visible.
        let w = (at - from) as f32 * px;
        if resident > 0 && w >= 0.4 {
            let fill = shade(resident as u32, capacity);
            let x = left + from as f32 * px;
            sheet.fill(x, y, (w - 0.5).max(0.4), height, Role::Used, fill);
            from = at;
        } else if resident <= 0 {
            from = at;
        }
        resident += change;
    }
}

/// The load over the run as a table.
pub(super) fn table(data: &DeviceData, busy: &[f64]) -> Table {
    let trace = data.trace;
    // At most 64 rows.
    let together = trace.loads.len().div_ceil(64).max(1);
    let mut rows = Vec::new();
    for first in (0..trace.loads.len()).step_by(together) {
        let parts = first..(first + together).min(trace.loads.len());
        let num = parts.len() as f64;
        let mean = |of: &dyn Fn(usize) -> f64| parts.clone().map(of).sum::<f64>() / num;
        rows.push(vec![
            thousands(first as u64 * trace.part_cycles),
            percent((1000.0 * mean(&|part| busy[part])) as u64, 1000),
            format!("{:.1}", mean(&|part| trace.rates(part).0)),
            format!("{:.1}", mean(&|part| trace.rates(part).1)),
        ]);
    }
    Table {
        columns: [
            "From cycle",
            "Issue slots used",
            "L2 bytes per cycle",
            "Device memory bytes per cycle",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
    }
}
