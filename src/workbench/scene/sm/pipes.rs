//! The register file, the pipes, and the MIO queue of a scheduler.

use super::super::kit::{Face, Sheet};
use super::super::{Mark, Role, Shape, Target, TextSize, Texture};
use super::draw_cells;
use super::floor::{Floor, STAGES, is_deep, name_width, num_cells};
use engine::arch::{OpClass, Pipe, PipeKind, PipeScope};
use engine::ids::SlotIdx;
use engine::sim::WarpState;
use engine::sim::view::PipeView;
use engine::trace::Frame;

/// Opacity of an instruction at each stage of a pipe.
const FADES: [f32; STAGES as usize] = [1.0, 0.72, 0.5, 0.32];

const LABEL: Face = Face::mono(TextSize::Micro, Role::Ink3);

/// Registers allocated per warp.
fn registers_per_warp(frame: &Frame) -> u32 {
    let unit = u32::from(frame.arch().occupancy.register_unit.value).max(1);
    (u32::from(frame.trace().program().registers_per_thread).max(1) * 32).next_multiple_of(unit)
}

/// Draws the register file: one segment per resident warp, green for the issuing warp.
pub(super) fn draw_registers(sheet: &mut Sheet, frame: &Frame, floor: &Floor, scheduler: u8) {
    let x = floor.left(scheduler) + floor.pipes_x;
    let height = if floor.phone { 5.0 } else { 9.0 };
    let file = frame.arch().occupancy.registers_per_sm.value / u32::from(floor.schedulers).max(1);
    let width = floor.pipes_width - 1.0;
    let segment = (width - 2.0) * registers_per_warp(frame) as f32 / file.max(1) as f32;
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

/// Cycles that one row of a deep pipe spans.
pub(super) fn cycles_per_row(frame: &Frame, kind: PipeKind) -> u64 {
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

/// Whether an instruction was entering a unit in the cycles that a row spans.
fn in_row(frame: &Frame, view: &PipeView, row: u32, cycles: u64) -> bool {
    let now = frame.cycle().0;
    let (young, old) = (u64::from(row) * cycles, (u64::from(row) + 1) * cycles);
    view.in_flight.iter().any(|flight| {
        // An instruction enters from `started` until `accepted`; a row shows what entered `young..old` cycles ago.
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

/// Draws one unit as a grid of lanes by stages.
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

/// Draws the pipes of a scheduler.
pub(super) fn draw_pipes(sheet: &mut Sheet, frame: &Frame, floor: &Floor, scheduler: u8) {
    let left = floor.left(scheduler);
    let x = left + floor.pipes_x;
    for (pipe, y) in &floor.deep {
        let (units, lanes) = (u32::from(pipe.units).max(1), u32::from(pipe.lanes.value).max(1));
        let cycles = cycles_per_row(frame, pipe.kind);
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

/// Draws `FP32`, and below it `×5` if a row spans five cycles.
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

/// Draws the cells of a single-row pipe, lit while an instruction enters, and returns their width.
fn draw_flat(
    sheet: &mut Sheet,
    pipe: &Pipe,
    (x, y): (f32, f32),
    (pitch, height): (f32, f32),
    busy: bool,
) -> f32 {
    let gap = if pitch >= 4.0 { 1.0 } else { 0.6 };
    let role = if busy {
        Role::State(Mark::Issue)
    } else {
        Role::Paper4
    };
    let num = num_cells(pipe);
    if pipe.kind == PipeKind::Branch {
        // The branch unit has no lanes: a diamond, as for a decision in a flow chart.
        let (side, middle) = (height.min(8.0), y + height / 2.0);
        let half = side / 2.0;
        sheet.polygon(
            &[
                (x, middle),
                (x + half, middle - half),
                (x + side, middle),
                (x + half, middle + half),
            ],
            role,
        );
        return side;
    }
    let mut left = x;
    for cell in 0..num {
        if pipe.kind == PipeKind::Tensor {
            if cell > 0 && cell % 4 == 0 {
                left += 2.0;
            }
            sheet.rect(left, y, pitch - gap, height / 2.0 - 0.5, role);
            sheet.rect(left, y + height / 2.0, pitch - gap, height / 2.0 - 0.5, role);
        } else {
            sheet.rect(left, y, pitch - gap, height, role);
        }
        left += pitch;
    }
    left - x
}

/// Draws the single-row pipes: XU, FP64, FP16, tensor cores, and branches.
fn draw_shallow(sheet: &mut Sheet, frame: &Frame, floor: &Floor, scheduler: u8) {
    let left = floor.left(scheduler);
    let height = if floor.phone { 5.0 } else { 8.0 };
    for (line, y) in &floor.shallow {
        let cells: u32 = line.iter().map(|pipe| num_cells(pipe)).sum();
        let names: f32 = line
            .iter()
            .skip(1)
            .map(|pipe| name_width(floor.phone, pipe))
            .sum();
        let room = floor.pipes_width - names - 8.0;
        let pitch = (room / cells.max(1) as f32).min(floor.pipes_width / 16.0);
        let mut x = left + floor.pipes_x;
        for (idx, pipe) in line.iter().enumerate() {
            if idx > 0 {
                x += name_width(floor.phone, pipe);
            }
            if !floor.phone {
                let name = short_name(pipe.kind);
                let at = if idx == 0 {
                    left + 8.0
                } else {
                    x - LABEL.width(name) - 5.0
                };
                sheet.text(name, at, y + height / 2.0, LABEL);
            }
            let busy = views(frame, pipe.kind, Some(scheduler)).any(|view| is_busy(frame, view));
            let width = draw_flat(sheet, pipe, (x, *y), (pitch, height), busy);
            let target = Target::Pipe {
                scheduler,
                pipe: pipe_index(frame, pipe),
            };
            sheet.area(x, y - 2.0, width, height + 4.0, target);
            x += width;
        }
    }
}

/// Draws the band of pipes that the schedulers share: all but branches on Tesla and Fermi, and the load/store
/// units and other memory pipes on all GPUs.
pub(super) fn draw_shared(sheet: &mut Sheet, frame: &Frame, floor: &Floor) {
    let (left, y) = (floor.margin, floor.shared_y);
    let (inner, band) = (floor.inner, floor.shared_height);
    for scheduler in 0..floor.schedulers {
        let port = floor.left(scheduler) + floor.width / 2.0;
        sheet.line((port, floor.bottom), (port, y), 1.5, Role::Wire);
    }
    sheet.frame(left, y, inner, band, Role::Line2, 1.0);
    // Units side by side, each as wide as its lanes.
    let lanes: u32 = floor.shared.iter().map(|pipe| num_cells(pipe)).sum();
    let units: u32 = floor.shared.iter().map(|pipe| u32::from(pipe.units)).sum();
    let label = if floor.phone { 0.0 } else { 38.0 };
    let labels = floor.shared.len() as f32 * label;
    let gap = if floor.phone { 6.0 } else { 10.0 };
    let widest = if floor.phone { 6.0 } else { 12.0 };
    let pitch = ((inner - 16.0 - labels - units as f32 * gap) / lanes.max(1) as f32).min(widest);
    let deep_height = STAGES as f32 * floor.cell_height;
    let flat = if floor.phone { 5.0 } else { 9.0 };
    let middle = y + band / 2.0;
    let mut x = left + 8.0;
    for pipe in &floor.shared {
        let deep = is_deep(pipe);
        let cycles = cycles_per_row(frame, pipe.kind);
        if !floor.phone {
            draw_pipe_label(sheet, pipe, if deep { cycles } else { 1 }, x, middle);
        }
        x += label;
        let start = x;
        let of: Vec<&PipeView> = views(frame, pipe.kind, None).collect();
        let lanes = u32::from(pipe.lanes.value);
        for unit in 0..u32::from(pipe.units) {
            let view = of.get(unit as usize).copied();
            let width = lanes as f32 * pitch;
            if deep {
                let place = (x, middle - deep_height / 2.0, width);
                draw_deep(sheet, frame, place, floor.cell_height, lanes, view, cycles);
            } else {
                let busy = view.is_some_and(|view| is_busy(frame, view));
                let single = Pipe { units: 1, ..**pipe };
                draw_flat(sheet, &single, (x, middle - flat / 2.0), (pitch, flat), busy);
            }
            x += width + gap;
        }
        let target = Target::Pipe {
            scheduler: u8::MAX,
            pipe: pipe_index(frame, pipe),
        };
        let height = if deep { deep_height } else { band - 2.0 };
        sheet.area(start, middle - height / 2.0, x - start - gap, height, target);
    }
    debug_assert!(floor.shared.iter().all(|pipe| pipe.scope == PipeScope::Sm));
}

/// Draws the MIO queue, filled from the right, and in the throttle color when full.
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
        let face = Face::mono(TextSize::Micro, Role::Ink1).center();
        let name = frame.mnemonic(entry.pc);
        let name = name.split('.').next().unwrap_or("").to_owned();
        // Narrow boxes show the letter that the timeline uses; all boxes have one width, so all show letters.
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
