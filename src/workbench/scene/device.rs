//! The Device view: the SMs of the product in their groups, the blocks that each one holds, the blocks of the whole
//! run over time, and the load of the SMs, of L2, and of device memory.

mod inspect;
mod strip;
mod time;

use super::kit::{Face, Sheet};
use super::{Mark, Role, Scene, Size, Table, Target, TextSize, Texture};
use crate::words::{percent, thousands};
use engine::arch::{Architecture, places};
use engine::ids::Cycle;
use engine::sim::Outcome;
use engine::trace::device::{BlockSpan, DeviceTrace};

pub use inspect::{device_tooltip, inspect_device};
pub use strip::device_strip;

/// Space left and right of the picture.
const PAD: f32 = 20.0;

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
    /// The SM of this run that the other views show; `None` if they show one SM that runs all blocks alone.
    pub others: Option<u16>,
    /// Whether the picture has to fit its height.
    pub is_whole: bool,
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
    let y = draw_key(&mut sheet, data, y + 8.0, inner.width);
    let y = time::draw(&mut sheet, data, (&by_sm, &busy), y + 14.0, inner);
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
        also: vec![("Load over the run".to_owned(), time::table(data, &busy))],
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
                "All {all} blocks have finished by cycle {}: {} on {sms} SMs.",
                thousands(trace.num_cycles),
                waves(trace)
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

/// The number of waves: `1.60 waves`.
fn waves(trace: &DeviceTrace) -> String {
    let waves = trace.waves();
    if waves >= 1000.0 {
        format!("{} waves", thousands(waves.round() as u64))
    } else {
        format!("{waves:.2} waves")
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
    let others = match data.others {
        Some(sm) => format!("The other views show SM {sm} of this run."),
        None => format!(
            "The other views show one SM that runs {} alone, in other cycles.",
            match data.trace.num_blocks {
                1 => "the block".to_owned(),
                num => format!("all {}", counted_blocks(num as usize)),
            }
        ),
    };
    format!("This view runs the launch on all SMs. {others}{ends}")
}

/// Draws the SMs by group. Returns the lower edge.
fn draw_floor(sheet: &mut Sheet, data: &DeviceData, resident: &[usize], width: f32) -> f32 {
    let places = places(data.arch);
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
    let most_high = if data.is_whole { 90.0 } else { 150.0 };
    let cell_h = (most_high / f32::from(rows)).clamp(11.0, 22.0);
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

/// Explains the fills and the marks of the SMs. Returns the lower edge.
fn draw_key(sheet: &mut Sheet, data: &DeviceData, y: f32, width: f32) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink3);
    for (step, share) in [0.0, 0.5, 1.0].into_iter().enumerate() {
        let x = step as f32 * 10.0;
        sheet.fill(x, y - 4.0, 10.0, 8.0, Role::State(Mark::Issue), fill_of(share));
    }
    let fill = "issue slots in use, 0 to 100 %";
    sheet.text(fill, 36.0, y, face);
    let marks = format!("resident blocks, of {} that fit", data.trace.blocks_per_sm);
    let next = 36.0 + face.width(fill) + 20.0;
    let (x, y) = if next + 18.0 + face.width(&marks) <= width {
        (next, y)
    } else {
        (0.0, y + 16.0)
    };
    sheet.rect(x, y - 1.5, 12.0, 3.0, Role::Ink1);
    sheet.text(&marks, x + 18.0, y, face);
    y + 8.0
}

/// The fill of an SM that uses this share of its issue slots.
const fn fill_of(busy: f32) -> Texture {
    Texture::Fade(0.12 + 0.88 * busy)
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
        let busy = data.busy(sm.into(), part).clamp(0.0, 1.0) as f32;
        sheet.fill(
            left,
            top,
            inner_w,
            inner_h,
            Role::State(Mark::Issue),
            fill_of(busy),
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

fn table(data: &DeviceData, by_sm: &[Vec<&BlockSpan>]) -> Table {
    let places = places(data.arch);
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
