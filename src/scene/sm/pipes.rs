//! The register file, the pipes and the queue of a scheduler.

use super::super::kit::{Face, Sheet};
use super::super::{Mark, Role, Shape, Target, TextSize, Texture};
use super::draw_cells;
use super::floor::{Floor, STAGES};
use crate::arch::{OpClass, Pipe, PipeKind, PipeScope};
use crate::ids::SlotIdx;
use crate::sim::WarpState;
use crate::sim::view::PipeView;
use crate::trace::Frame;

/// How bright an instruction is as it sinks through a pipe.
const FADES: [f32; STAGES as usize] = [1.0, 0.72, 0.5, 0.32];

const LABEL: Face = Face::mono(TextSize::Micro, Role::Ink3);

/// Registers that a warp is given.
fn registers_of_warp(frame: &Frame) -> u32 {
    let unit = u32::from(frame.arch().occupancy.register_unit.value).max(1);
    (u32::from(frame.trace().program().registers_per_thread).max(1) * 32).next_multiple_of(unit)
}

/// The register file: a segment a resident warp, the one that issues green.
pub(super) fn draw_registers(sheet: &mut Sheet, frame: &Frame, floor: &Floor, scheduler: u8) {
    let x = floor.left(scheduler) + floor.pipes_x;
    let height = if floor.phone { 5.0 } else { 9.0 };
    let file = frame.arch().occupancy.registers_per_sm.value / u32::from(floor.schedulers).max(1);
    let width = floor.pipes_width - 1.0;
    let segment = (width - 2.0) * registers_of_warp(frame) as f32 / file.max(1) as f32;
    let segment = segment.min((width - 2.0) / f32::from(floor.per_scheduler));
    if !floor.phone {
        sheet.text(
            "REG",
            floor.left(scheduler) + 8.0,
            floor.registers_y + height / 2.0,
            LABEL,
        );
    }
    sheet.frame(x, floor.registers_y, width, height, Role::Line2, 1.0);
    let gap = if segment > 3.0 { 1.0 } else { 0.0 };
    for place in 0..floor.per_scheduler {
        let slot = SlotIdx(place * u16::from(floor.schedulers) + u16::from(scheduler));
        let role = match frame.state(slot) {
            WarpState::Empty => continue,
            WarpState::Selected => Role::State(Mark::Issue),
            _ => Role::Line2,
        };
        let left = x + 1.0 + f32::from(place) * segment;
        sheet.rect(left, floor.registers_y + 1.0, segment - gap, height - 2.0, role);
    }
    sheet.area(
        x,
        floor.registers_y - 3.0,
        width,
        height + 6.0,
        Target::Registers { scheduler },
    );
}

/// Cycles that one row of a deep pipe stands for.
pub(super) fn cycles_a_row(frame: &Frame, kind: PipeKind) -> u64 {
    let class = if kind == PipeKind::Int32 {
        OpClass::IntAdd
    } else {
        OpClass::Fp32
    };
    let latency = frame
        .arch()
        .cost(class)
        .map_or(4, |cost| u64::from(cost.latency_cycles.value));
    latency.div_ceil(u64::from(STAGES)).max(1)
}

/// Whether an instruction was entering a unit in the cycles that a row stands for.
fn in_row(frame: &Frame, view: &PipeView, row: u32, cycles: u64) -> bool {
    let now = frame.cycle().0;
    let (young, old) = (u64::from(row) * cycles, (u64::from(row) + 1) * cycles);
    view.in_flight.iter().any(|flight| {
        // It enters from `started` until `accepted`; a row shows what entered `young..old` cycles ago.
        let end = flight.accepted.0.max(flight.started.0 + 1);
        flight.started.0 + young <= now && end + old > now + 1
    })
}

fn views<'a>(
    frame: &'a Frame<'_>,
    kind: PipeKind,
    scheduler: Option<u8>,
) -> impl Iterator<Item = &'a PipeView> {
    frame
        .snapshot()
        .pipes
        .iter()
        .filter(move |view| view.kind == kind && view.scheduler == scheduler)
}

/// A grid of lanes by stages for one unit.
fn draw_deep(
    sheet: &mut Sheet,
    frame: &Frame,
    (x, y, width): (f32, f32, f32),
    height: f32,
    lanes: u32,
    view: Option<&PipeView>,
    cycles: u64,
) {
    let pitch = width / lanes.max(1) as f32;
    for row in 0..STAGES {
        let lit = view
            .is_some_and(|view| in_row(frame, view, row, cycles))
            .then(|| FADES[row as usize]);
        draw_cells(sheet, (x, y + row as f32 * height), lanes, (pitch, height), lit);
    }
}

fn is_busy(frame: &Frame, view: &PipeView) -> bool {
    let now = frame.cycle();
    view.in_flight
        .iter()
        .any(|flight| flight.started <= now && flight.accepted.0.max(flight.started.0 + 1) > now.0)
}

/// The pipes of a scheduler.
pub(super) fn draw_pipes(sheet: &mut Sheet, frame: &Frame, floor: &Floor, scheduler: u8) {
    let left = floor.left(scheduler);
    let x = left + floor.pipes_x;
    for (pipe, y) in &floor.deep {
        let (units, lanes) = (u32::from(pipe.units).max(1), u32::from(pipe.lanes.value).max(1));
        let cycles = cycles_a_row(frame, pipe.kind);
        let width = floor.pipes_width / units as f32;
        let height = STAGES as f32 * floor.cell_height;
        if !floor.phone {
            draw_pipe_label(sheet, pipe, cycles, left + 8.0, y + height / 2.0);
        }
        let of: Vec<&PipeView> = views(frame, pipe.kind, Some(scheduler)).collect();
        for unit in 0..units {
            let gap = if unit + 1 < units { 4.0 } else { 0.0 };
            let place = (x + unit as f32 * width, *y, width - gap);
            let view = of.get(unit as usize).copied();
            draw_deep(sheet, frame, place, floor.cell_height, lanes, view, cycles);
        }
        sheet.area(
            x,
            *y,
            floor.pipes_width,
            height,
            Target::Pipe {
                scheduler,
                pipe: pipe_index(frame, pipe),
            },
        );
    }
    draw_shallow(sheet, frame, floor, scheduler);
}

/// `FP32`, and under it `×5` where a row stands for five cycles.
fn draw_pipe_label(sheet: &mut Sheet, pipe: &Pipe, cycles: u64, x: f32, y: f32) {
    let name = short_name(pipe.kind);
    if cycles > 1 {
        sheet.text(name, x, y - 6.0, LABEL);
        sheet.text(&format!("×{cycles}"), x, y + 6.0, LABEL);
    } else {
        sheet.text(name, x, y, LABEL);
    }
}

pub(super) const fn short_name(kind: PipeKind) -> &'static str {
    match kind {
        PipeKind::Int32 => "INT",
        PipeKind::Tensor => "TC",
        kind => kind.text(),
    }
}

pub(super) fn pipe_index(frame: &Frame, pipe: &Pipe) -> u8 {
    frame
        .arch()
        .pipes
        .iter()
        .position(|of| of.kind == pipe.kind)
        .unwrap_or(0) as u8
}

/// Cells that stand for a shallow pipe: its lanes, or four columns of a tensor core.
const fn shallow_cells(pipe: &Pipe) -> u32 {
    let lanes = pipe.units as u32 * pipe.lanes.value as u32;
    if matches!(pipe.kind, PipeKind::Tensor) {
        lanes * 4
    } else {
        lanes
    }
}

/// Special function units, doubles, tensor cores: one row.
fn draw_shallow(sheet: &mut Sheet, frame: &Frame, floor: &Floor, scheduler: u8) {
    let left = floor.left(scheduler);
    let height = if floor.phone { 5.0 } else { 8.0 };
    let y = floor.shallow_y;
    let cells: u32 = floor.shallow.iter().map(|pipe| shallow_cells(pipe)).sum();
    let name_width = |idx: usize, pipe: &Pipe| {
        if floor.phone || idx == 0 {
            0.0
        } else {
            LABEL.width(short_name(pipe.kind)) + 6.0
        }
    };
    let labels: f32 = floor
        .shallow
        .iter()
        .enumerate()
        .map(|(idx, pipe)| name_width(idx, pipe) + 6.0)
        .sum();
    let pitch = ((floor.pipes_width - labels) / cells.max(1) as f32).min(floor.pipes_width / 16.0);
    let mut x = left + floor.pipes_x;
    for (idx, pipe) in floor.shallow.iter().enumerate() {
        if !floor.phone {
            if idx == 0 {
                sheet.text(short_name(pipe.kind), left + 8.0, y + height / 2.0, LABEL);
            } else {
                sheet.text(short_name(pipe.kind), x, y + height / 2.0, LABEL);
                x += name_width(idx, pipe);
            }
        }
        let busy = views(frame, pipe.kind, Some(scheduler)).any(|view| is_busy(frame, view));
        let num = shallow_cells(pipe);
        let start = x;
        for cell in 0..num {
            let core = if pipe.kind == PipeKind::Tensor {
                (cell / 4) as f32 * 2.0
            } else {
                0.0
            };
            let role = if busy {
                Role::State(Mark::Issue)
            } else {
                Role::Paper4
            };
            let left = x + cell as f32 * pitch + core;
            if pipe.kind == PipeKind::Tensor {
                sheet.rect(left, y, pitch - 1.0, height / 2.0 - 0.5, role);
                sheet.rect(left, y + height / 2.0, pitch - 1.0, height / 2.0 - 0.5, role);
            } else {
                sheet.rect(left, y, pitch - 1.0, height, role);
            }
        }
        x += num as f32 * pitch + 6.0;
        let target = Target::Pipe {
            scheduler,
            pipe: pipe_index(frame, pipe),
        };
        sheet.area(start, y - 2.0, num as f32 * pitch, height + 4.0, target);
    }
}

/// The band of pipes that the schedulers share (2.x).
pub(super) fn draw_shared(sheet: &mut Sheet, frame: &Frame, floor: &Floor) {
    if floor.shared.is_empty() {
        return;
    }
    let (left, y) = (floor.margin, floor.shared_y);
    sheet.frame(left, y, floor.inner, floor.shared_height, Role::Line2, 1.0);
    // Units side by side, each as wide as its lanes; shallow ones two lanes' width a lane.
    let lanes: u32 = floor
        .shared
        .iter()
        .map(|pipe| u32::from(pipe.units) * u32::from(pipe.lanes.value))
        .sum();
    let units: u32 = floor.shared.iter().map(|pipe| u32::from(pipe.units)).sum();
    let label = if floor.phone { 0.0 } else { 40.0 };
    let labels = floor.shared.len() as f32 * label;
    let pitch = (floor.inner - 16.0 - labels - units as f32 * 8.0) / lanes.max(1) as f32;
    let height = STAGES as f32 * floor.cell_height;
    let top = y + (floor.shared_height - height) / 2.0;
    let mut x = left + 8.0;
    for pipe in &floor.shared {
        let deep = matches!(pipe.kind, PipeKind::Fp32 | PipeKind::Int32);
        let cycles = cycles_a_row(frame, pipe.kind);
        if !floor.phone {
            draw_pipe_label(sheet, pipe, if deep { cycles } else { 1 }, x, top + height / 2.0);
        }
        x += label;
        let start = x;
        let of: Vec<&PipeView> = views(frame, pipe.kind, None).collect();
        let lanes = u32::from(pipe.lanes.value);
        for unit in 0..u32::from(pipe.units) {
            let view = of.get(unit as usize).copied();
            let width = lanes as f32 * pitch;
            if deep {
                draw_deep(
                    sheet,
                    frame,
                    (x, top, width),
                    floor.cell_height,
                    lanes,
                    view,
                    cycles,
                );
            } else {
                let lit = view.is_some_and(|view| is_busy(frame, view)).then_some(1.0);
                draw_cells(sheet, (x, top + height / 2.0 - 4.0), lanes, (pitch, 9.0), lit);
            }
            x += width + 8.0;
        }
        let target = Target::Pipe {
            scheduler: u8::MAX,
            pipe: pipe_index(frame, pipe),
        };
        sheet.area(start, top, x - start - 8.0, height, target);
    }
    debug_assert!(floor.shared.iter().all(|pipe| pipe.scope == PipeScope::Sm));
}

/// The queue to the memory side, filled from the right; throttle when full.
pub(super) fn draw_queue(sheet: &mut Sheet, frame: &Frame, floor: &Floor, scheduler: u8) {
    let x = floor.left(scheduler) + floor.pipes_x;
    let (y, height) = (floor.queue_y, floor.queue_height);
    let views = &frame.snapshot().schedulers;
    let view = views.iter().find(|view| view.index == scheduler);
    let capacity = view.map_or(u32::from(frame.arch().memory.queues.mio_entries.value), |view| {
        u32::from(view.queue_capacity)
    });
    if capacity == 0 {
        return;
    }
    let entries = view.map_or(&[][..], |view| view.queue.as_slice());
    let full = entries.len() >= capacity as usize;
    let width = floor.pipes_width / capacity as f32;
    if !floor.phone {
        sheet.text("MIO", floor.left(scheduler) + 8.0, y + height / 2.0, LABEL);
    }
    for idx in 0..capacity {
        let left = x + (capacity - 1 - idx) as f32 * width;
        let shape = Shape::Rect {
            x: left,
            y,
            w: width - 1.0,
            h: height,
        };
        let Some(entry) = entries.get(idx as usize) else {
            sheet.put(shape, Role::Line1, Texture::Outline(1.0), None);
            continue;
        };
        let throttle = Role::State(Mark::Throttle);
        if full {
            sheet.put(shape.clone(), throttle, Texture::Fade(0.16), None);
            sheet.put(shape, throttle, Texture::Outline(1.5), None);
        } else {
            sheet.put(shape.clone(), Role::Paper3, Texture::Solid, None);
            sheet.put(shape, Role::Line2, Texture::Outline(1.0), None);
        }
        let face = Face::mono(TextSize::Micro, Role::Ink1).centre();
        let name = frame.mnemonic(entry.pc);
        let name = name.split('.').next().unwrap_or("").to_owned();
        // Narrow boxes have the letter that the timeline has, all of them, so that they compare.
        let name = if width - 4.0 < face.width("LDS") {
            frame.letter(entry.pc)
        } else {
            name
        };
        if !floor.phone && face.width(&name) <= width - 4.0 {
            sheet.text(&name, left + width / 2.0 - 0.5, y + height / 2.0, face);
        }
    }
    sheet.area(x, y, floor.pipes_width, height, Target::Queue { scheduler });
}
