//! The Device view: the SMs of the product in their groups, the blocks that each one holds, the blocks of the whole
//! run over time, and the load of the SMs, of L2, and of device memory.

mod inspect;

use super::kit::{Face, Sheet};
use super::wording::{percent, thousands};
use super::{Mark, Role, Scene, Size, Table, Target, TextSize, Texture};
use engine::arch::{Architecture, places};
use engine::ids::Cycle;
use engine::sim::Outcome;
use engine::trace::device::{BlockSpan, DeviceTrace};

pub use inspect::{device_tooltip, inspect_device};

/// Space left and right of the picture.
const PAD: f32 = 20.0;
/// Left edge of the plots over time: their names are left of it.
const LEFT: f32 = 96.0;
/// Height of a chart under the blocks.
const CHART: f32 = 34.0;
/// Space for the values right of the plots.
const RIGHT: f32 = 92.0;

/// What the view shows.
#[derive(Clone, Copy, Debug)]
pub struct DeviceData<'a> {
    /// The architecture.
    pub arch: &'static Architecture,
    /// The record of the run.
    pub trace: &'a DeviceTrace,
    /// The cycle of the playhead.
    pub cycle: Cycle,
    /// The selected SM.
    pub selected: Option<u16>,
}

impl DeviceData<'_> {
    /// The shown cycle: the playhead's, or the end of a shorter run.
    fn now(&self) -> u64 {
        self.cycle.0.min(self.trace.num_cycles)
    }

    /// Whether a block is resident in the shown cycle.
    fn is_resident(&self, span: &BlockSpan) -> bool {
        (span.started..span.finished).contains(&self.now())
    }

    /// Most warp instructions that an SM can issue in a cycle.
    fn peak(&self) -> f64 {
        f64::from(self.arch.issue.schedulers.value)
            / f64::from(self.arch.issue.issue_interval_cycles.value.max(1))
    }

    /// The share of its issue slots that an SM used in a part of the run.
    fn busy(&self, sm: usize, part: usize) -> f64 {
        let issued = self.trace.issues.get(sm).and_then(|parts| parts.get(part));
        f64::from(*issued.unwrap_or(&0)) / (self.trace.cycles_of(part) as f64 * self.peak())
    }

    /// The share of all issue slots used in a part.
    fn all_busy(&self, part: usize) -> f64 {
        let sms = usize::from(self.trace.num_sms);
        (0..sms).map(|sm| self.busy(sm, part)).sum::<f64>() / sms.max(1) as f64
    }

    /// Bytes per cycle of device memory at its peak, and of L2.
    fn memory_peaks(&self) -> (Option<f64>, f64) {
        let memory = &self.arch.memory;
        let l2 = memory.l2.as_ref().map(|l2| f64::from(l2.bytes_per_cycle.value));
        (l2, self.arch.dram_bytes_per_cycle())
    }

    fn group_name(&self) -> &'static str {
        if self.arch.floor().has_gpcs { "GPC" } else { "TPC" }
    }
}

/// The Device view.
pub fn device(data: &DeviceData, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let by_sm = data.trace.by_sm();
    let busy: Vec<f64> = (0..data.trace.loads.len())
        .map(|part| data.all_busy(part))
        .collect();
    let resident: Vec<usize> = by_sm
        .iter()
        .map(|spans| spans.iter().filter(|span| data.is_resident(span)).count())
        .collect();
    let pad = if size.width < 500.0 { PAD / 2.0 } else { PAD };
    let inner = Size {
        width: size.width - 2.0 * pad,
        ..size
    };
    let y = draw_floor(&mut sheet, data, &resident, inner.width);
    let y = draw_time(&mut sheet, data, (&by_sm, &busy), y + 18.0, inner);
    for item in &mut sheet.items {
        item.shape.move_by(pad, 0.0);
    }
    let size = Size {
        width: size.width,
        height: size.height.max(y + 4.0),
    };
    let scene = sheet.finish(size, headline(data, &resident), table(data, &by_sm));
    Scene {
        note: note(data),
        also: vec![("Load over the run".to_owned(), load_table(data, &busy))],
        ..scene
    }
}

fn headline(data: &DeviceData, resident: &[usize]) -> String {
    let trace = data.trace;
    let sms = trace.num_sms;
    let used = resident.iter().filter(|blocks| **blocks > 0).count();
    let blocks: usize = resident.iter().sum();
    if blocks == 0 && data.now() < trace.num_cycles {
        return format!("No block is resident: all {sms} SMs are idle, and take their next blocks soon.");
    }
    if blocks == 0 {
        let all = thousands(trace.num_blocks.into());
        return match &trace.outcome {
            Some(Outcome::Finished) => format!(
                "All {all} blocks have finished by cycle {}: {:.2} waves on {sms} SMs.",
                thousands(trace.num_cycles),
                trace.waves()
            ),
            _ => format!("The run ended in cycle {}.", thousands(trace.num_cycles)),
        };
    }
    let idle = usize::from(sms) - used;
    let run = if blocks == 1 { "runs" } else { "run" };
    match idle {
        0 => format!("{} {run} on all {sms} SMs.", counted_blocks(blocks)),
        1 => format!(
            "{} {run} on {used} of {sms} SMs; one SM is idle.",
            counted_blocks(blocks)
        ),
        _ => format!(
            "{} {run} on {used} of {sms} SMs; {idle} SMs are idle.",
            counted_blocks(blocks)
        ),
    }
}

fn counted_blocks(num: usize) -> String {
    match num {
        1 => "1 block".to_owned(),
        num => format!("{} blocks", thousands(num as u64)),
    }
}

fn note(data: &DeviceData) -> String {
    let ends = if data.cycle.0 > data.trace.num_cycles {
        format!(
            " The device finishes in cycle {}; the playhead is after it.",
            thousands(data.trace.num_cycles)
        )
    } else {
        String::new()
    };
    format!(
        "This view runs the launch on all SMs. Select an SM to show it in the other views. By default, they run all blocks on one SM alone.{ends}"
    )
}

/// Draws the SMs by group. Returns the lower edge.
fn draw_floor(sheet: &mut Sheet, data: &DeviceData, resident: &[usize], width: f32) -> f32 {
    let places = places(data.arch.id);
    let groups = data.arch.floor().groups.value;
    let part = data.trace.part_of(data.now());
    let most = groups.iter().copied().max().unwrap_or(1);
    // Groups are columns of two SMs side by side, or rows on narrow pictures.
    let gap = 10.0;
    let columns = groups.len() as f32;
    let per_row = if data.arch.floor().sms_per_tpc.value > 1 || most > 4 {
        2
    } else {
        1
    };
    let group_w = ((width - gap * (columns - 1.0)) / columns).clamp(20.0, 132.0);
    let cell_w = ((group_w - 2.0) / f32::from(per_row)).floor();
    let rows = most.div_ceil(per_row);
    let cell_h = (150.0 / f32::from(rows)).clamp(11.0, 22.0);
    let name = Face::text(TextSize::Label, Role::Ink3);
    let top = 18.0;
    let singles = data.arch.floor().has_singles;
    for (idx, size) in groups.iter().enumerate() {
        let x = idx as f32 * (group_w + gap);
        let text = if singles && idx + 1 == groups.len() {
            "TPCs".to_owned()
        } else {
            format!("{} {idx}", data.group_name())
        };
        let text = if name.width(&text) > group_w {
            idx.to_string()
        } else {
            text
        };
        sheet.text(&text, x, 8.0, name);
        let height = f32::from(size.div_ceil(per_row)) * cell_h;
        sheet.frame(x, top, group_w, height + 2.0, Role::Line2, 1.0);
    }
    for (sm, (group, place)) in places.iter().enumerate() {
        if sm >= usize::from(data.trace.num_sms) {
            break;
        }
        let x = f32::from(*group) * (group_w + gap) + 1.0 + f32::from(place % per_row) * cell_w;
        let y = top + 1.0 + f32::from(place / per_row) * cell_h;
        let blocks = resident.get(sm).copied().unwrap_or(0);
        draw_sm(sheet, data, (sm as u16, blocks, part), (x, y, cell_w, cell_h));
    }
    top + f32::from(rows) * cell_h + 4.0
}

/// Draws one SM: a mark for each place of a block, filled if it is taken, and the share of issue slots in use.
fn draw_sm(
    sheet: &mut Sheet,
    data: &DeviceData,
    (sm, blocks, part): (u16, usize, usize),
    (x, y, w, h): (f32, f32, f32, f32),
) {
    let capacity = data.trace.blocks_per_sm.max(1) as usize;
    let (left, top, inner_w, inner_h) = (x + 2.0, y + 2.0, w - 4.0, h - 4.0);
    if blocks > 0 {
        // The brighter, the more of its issue slots the SM uses.
        let busy = data.busy(sm.into(), part).clamp(0.0, 1.0) as f32;
        sheet.fill(
            left,
            top,
            inner_w,
            inner_h,
            Role::State(Mark::Issue),
            Texture::Fade(0.12 + 0.88 * busy),
        );
    }
    let shown = capacity.min((inner_w / 4.0).max(1.0) as usize);
    let step = inner_w / shown as f32;
    let taken = (blocks * shown).div_ceil(capacity);
    for place in 0..shown {
        let x = left + place as f32 * step;
        let role = if place < taken { Role::Ink1 } else { Role::Line2 };
        sheet.rect(x + 0.5, top + inner_h - 3.0, (step - 1.0).max(1.0), 3.0, role);
    }
    if data.selected == Some(sm) {
        sheet.frame(x, y, w, h, Role::Selection, 2.0);
    }
    sheet.area(x, y, w, h, Target::DeviceSm(sm));
}

/// Draws the blocks of each SM over time, and the load below. Returns the lower edge.
fn draw_time(
    sheet: &mut Sheet,
    data: &DeviceData,
    (by_sm, busy): (&[Vec<&BlockSpan>], &[f64]),
    y: f32,
    size: Size,
) -> f32 {
    let trace = data.trace;
    let width = (size.width - LEFT - RIGHT).max(80.0);
    let px = width / trace.num_cycles.max(1) as f32;
    let label = Face::text(TextSize::Label, Role::Ink2);
    let small = Face::mono(TextSize::Label, Role::Ink3);
    sheet.text(
        "Blocks of each SM over the run",
        0.0,
        y,
        Face::text(TextSize::Body, Role::Ink1).strong(),
    );
    let top = y + 14.0;
    let left_for_rows = size.height - top - 3.0 * (CHART + 14.0) - 70.0;
    let row = (left_for_rows / f32::from(trace.num_sms.max(1))).clamp(2.0, 8.0);
    let row = if row < 3.0 { 2.0 } else { row };
    for (sm, spans) in (0..).zip(by_sm) {
        let y = top + f32::from(sm) * row;
        draw_row(sheet, data, spans, (LEFT, y, px, row));
        if data.selected == Some(sm) {
            sheet.frame(LEFT - 3.0, y - 1.5, width + 6.0, row + 2.0, Role::Selection, 1.5);
        }
        sheet.area(LEFT, y, width, row, Target::DeviceSm(sm));
    }
    sheet.text("SM 0", 0.0, top + 6.0, label);
    let bottom = top + f32::from(trace.num_sms) * row;
    sheet.text(
        &format!("SM {}", trace.num_sms.saturating_sub(1)),
        0.0,
        bottom - 6.0,
        label,
    );
    let mut y = bottom + 16.0;
    let (l2_peak, dram_peak) = data.memory_peaks();
    let mut charts: Vec<(&str, f64, String, Vec<f64>)> = Vec::new();
    let parts = 0..trace.loads.len();
    charts.push(("Issue slots", 1.0, "of all slots".to_owned(), busy.to_vec()));
    if let Some(peak) = l2_peak {
        let rates = parts.clone().map(|part| trace.rates(part).0).collect();
        charts.push(("L2", peak, format!("of {} B", thousands(peak as u64)), rates));
    }
    let rates = parts.map(|part| trace.rates(part).1).collect();
    charts.push((
        "Device memory",
        dram_peak,
        format!("of {} B", thousands(dram_peak as u64)),
        rates,
    ));
    let now = trace.part_of(data.now());
    for (name, peak, of, values) in &charts {
        sheet.text(name, 0.0, y + CHART / 2.0, label);
        sheet.line((LEFT, y + CHART), (LEFT + width, y + CHART), 1.0, Role::Line1);
        sheet.line((LEFT, y), (LEFT + width, y), 1.0, Role::Line2);
        draw_chart(sheet, data, values, *peak, (LEFT, y, px));
        let value = values.get(now).copied().unwrap_or(0.0);
        let x = LEFT + width + 8.0;
        sheet.text(
            &percent((1000.0 * value / peak) as u64, 1000),
            x,
            y + 9.0,
            small.role(Role::Ink1),
        );
        sheet.text(&small.fit(of, RIGHT - 8.0), x, y + 24.0, small);
        y += CHART + 14.0;
    }
    let x = LEFT + data.now() as f32 * px;
    sheet.line((x, top - 4.0), (x, y - 10.0), 1.5, Role::Now);
    sheet.text("0", LEFT, y, small);
    sheet.text(
        &format!("{} cycles", thousands(trace.num_cycles)),
        LEFT + width,
        y,
        small.right(),
    );
    let note = Face::text(TextSize::Label, Role::Ink3);
    let mut y = y + 18.0;
    for line in note.wrap(&self::note(data), size.width) {
        sheet.text(&line, 0.0, y, note);
        y += 15.0;
    }
    y
}

/// Draws the number of resident blocks of an SM over the run: the darker, the fuller. A gap marks each start.
fn draw_row(
    sheet: &mut Sheet,
    data: &DeviceData,
    spans: &[&BlockSpan],
    (left, y, px, row): (f32, f32, f32, f32),
) {
    let capacity = data.trace.blocks_per_sm.max(1) as f32;
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
            let fill = Texture::Fade(0.25 + 0.75 * resident as f32 / capacity);
            sheet.fill(
                left + from as f32 * px,
                y,
                (w - 0.5).max(0.4),
                height,
                Role::Used,
                fill,
            );
            from = at;
        } else if resident <= 0 {
            from = at;
        }
        resident += change;
    }
}

/// Draws values of parts as an area.
fn draw_chart(
    sheet: &mut Sheet,
    data: &DeviceData,
    values: &[f64],
    peak: f64,
    (left, y, px): (f32, f32, f32),
) {
    let part = data.trace.part_cycles as f32 * px;
    // Parts narrower than a pixel are drawn together, by their mean.
    let together = (1.0 / part.max(0.001)).ceil().max(1.0) as usize;
    for (idx, values) in values.chunks(together).enumerate() {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let height = CHART * (mean / peak.max(1e-9)).clamp(0.0, 1.0) as f32;
        let x = left + (idx * together) as f32 * part;
        let end = (left + data.trace.num_cycles as f32 * px).min(x + values.len() as f32 * part);
        if height >= 0.5 && end > x {
            sheet.rect(x, y + CHART - height, end - x, height, Role::Ink3);
        }
    }
}

fn table(data: &DeviceData, by_sm: &[Vec<&BlockSpan>]) -> Table {
    let places = places(data.arch.id);
    let part = data.trace.part_of(data.now());
    let rows = by_sm.iter().enumerate().map(|(sm, spans)| {
        let resident = spans.iter().filter(|span| data.is_resident(span));
        let ids: Vec<String> = resident.map(|span| span.block.to_string()).collect();
        vec![
            format!("SM {sm}"),
            places
                .get(sm)
                .map_or_else(String::new, |(group, _)| group.to_string()),
            ids.join(" "),
            spans.len().to_string(),
            thousands(data.trace.issued_by(sm)),
            percent((1000.0 * data.busy(sm, part)) as u64, 1000),
        ]
    });
    Table {
        columns: [
            "SM",
            data.group_name(),
            "Blocks now",
            "Blocks of the run",
            "Warp instructions of the run",
            "Issue slots used now",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.collect(),
    }
}

fn load_table(data: &DeviceData, busy: &[f64]) -> Table {
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
