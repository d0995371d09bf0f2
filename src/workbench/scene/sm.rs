//! The floor plan of an SM at one cycle. Schedulers with their warps, pipes, and queues are at the top; lanes,
//! banks, caches, and loads in flight are below. A lane is a square, and a pipe is as wide as its lanes.

mod floor;
mod memory;
mod inspect;
mod pipes;
mod wording;

use super::ending::ending_headline;
use super::kit::{Face, Sheet, table};
use super::ring::bounds;
use super::{Mark, Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::fit_headline;
use engine::ids::SlotIdx;
use engine::sim::WarpState;
use engine::trace::Frame;
use floor::Floor;
pub use inspect::{has_part, inspect_part};
pub(super) use wording::part_tooltip;
use wording::{headline, short_cause};

/// A stage that is lower, in pixels, has rows of the normal height.
const MIN_HIGH: f32 = 640.0;

/// Draws the floor plan.
pub fn sm(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let floor = highest(frame, view, size);
    let mut sheet = Sheet::default();
    let bits = frame.record().issue_bits(frame.cycle());
    let mut chosen = None;
    let mut wires = Vec::new();
    for scheduler in 0..floor.schedulers {
        let x = floor.left(scheduler);
        sheet.frame(
            x,
            floor.top,
            floor.width,
            floor.bottom - floor.top,
            Role::Line2,
            1.0,
        );
        draw_head(
            &mut sheet,
            &floor,
            scheduler,
            bits.get(usize::from(scheduler)).copied().unwrap_or(0),
        );
        for place in 0..floor.per_scheduler {
            let slot = SlotIdx(place * u16::from(floor.schedulers) + u16::from(scheduler));
            let cell = floor.cell(scheduler, place);
            draw_slot(&mut sheet, frame, &floor, slot, cell);
            if frame.state(slot) == WarpState::Selected {
                wires.push((scheduler, slot, cell));
            }
            if view.slot == Some(slot) {
                chosen = Some(cell);
            }
        }
        let y = floor.slots_end();
        sheet.line(
            (x + 1.0, y + 0.5),
            (x + floor.width - 1.0, y + 0.5),
            1.0,
            Role::Line2,
        );
        pipes::draw_registers(&mut sheet, frame, &floor, scheduler);
        pipes::draw_pipes(&mut sheet, frame, &floor, scheduler);
        pipes::draw_queue(&mut sheet, frame, &floor, scheduler);
        let rail = floor.rail(scheduler);
        let foot = floor.queue_y + floor.queue_height / 2.0;
        sheet.line((rail, floor.top + floor.head), (rail, foot), 1.5, Role::Wire);
    }
    pipes::draw_shared(&mut sheet, frame, &floor);
    for (scheduler, slot, cell) in wires {
        draw_wire(&mut sheet, frame, &floor, scheduler, slot, cell);
    }
    if let Some(cell) = chosen {
        sheet.selection(cell.x - 1.0, cell.y - 0.5, cell.w + 2.0, cell.h + 2.0);
    }
    let height = memory::draw_memory(&mut sheet, frame, &floor, (size, view.is_whole));
    let mut scene = sheet.finish(
        Size {
            width: size.width,
            height,
        },
        ending_headline(frame).unwrap_or_else(|| fit_headline(headline(frame))),
        table(
            ["Scheduler", "Slot", "Warp", "State", "Cause", "Instruction"],
            rows(frame),
        ),
    );
    if let Some(part) = view.settings.part {
        frame_part(&mut scene, part.target());
    }
    scene
}

/// The layout whose rows are as high as the stage allows.
fn highest(frame: &Frame, view: &ViewState, size: Size) -> Floor {
    const STEPS: [f32; 8] = [1.4, 1.35, 1.3, 1.25, 1.2, 1.15, 1.1, 1.05];
    let of = |stretch: f32| Floor::new(frame, size, view.is_whole, stretch);
    STEPS
        .into_iter()
        .filter(|stretch| size.height >= MIN_HIGH * stretch)
        .map(of)
        .find(|floor| memory::fits(frame, floor, (size, view.is_whole)))
        .unwrap_or_else(|| of(1.0))
}

/// Draws the frame of a selection around a part.
fn frame_part(scene: &mut Scene, target: Target) {
    if let Some((x, y, w, h)) = bounds(scene, target) {
        let mut sheet = Sheet::default();
        sheet.selection(x, y, w, h);
        scene.items.append(&mut sheet.items);
    }
}

fn rows(frame: &Frame) -> Vec<[String; 6]> {
    let num = frame.record().num_slots() as u16;
    let schedulers = frame.record().num_schedulers().max(1) as u16;
    let mut rows = Vec::new();
    for scheduler in 0..schedulers {
        for slot in (scheduler..num).step_by(usize::from(schedulers)).map(SlotIdx) {
            let state = frame.state(slot);
            if state == WarpState::Empty && frame.record().tenancy(slot, frame.cycle()).is_none() {
                continue;
            }
            rows.push([
                scheduler.to_string(),
                slot.0.to_string(),
                frame.warp_name(slot),
                state.name().to_owned(),
                short_cause(frame, slot),
                frame.opcode(slot),
            ]);
        }
    }
    rows
}

/// Draws the name of a scheduler and a bar code of its last issue slots.
fn draw_head(sheet: &mut Sheet, floor: &Floor, scheduler: u8, bits: u32) {
    let x = floor.left(scheduler);
    let face = Face::text(TextSize::Label, Role::Ink1).strong();
    let (short, full) = (format!("S{scheduler}"), format!("Scheduler {scheduler}"));
    // Name and slots share the row: first the number of slots shrinks, then the name.
    let fits = |num: u32| face.width(&full) + num as f32 * 2.0 + 22.0 <= floor.width;
    let (name, num) = match (floor.phone, fits(32), fits(16)) {
        (false, true, _) => (full, 32),
        (false, false, true) => (full, 16),
        _ => {
            let room = floor.width - face.width(&short) - 22.0;
            (short, (room / 2.0).clamp(0.0, 16.0) as u32)
        }
    };
    let middle = floor.top + floor.head / 2.0;
    sheet.text(&name, x + 8.0, middle, face);
    let left = x + floor.width - 8.0 - num as f32 * 2.0;
    for idx in 0..num {
        let used = bits >> (num - 1 - idx) & 1 == 1;
        let role = if used {
            Role::State(Mark::Issue)
        } else {
            Role::Paper4
        };
        sheet.rect(left + idx as f32 * 2.0, middle - 4.5, 1.5, 9.0, role);
    }
    sheet.area(
        x,
        floor.top,
        floor.width,
        floor.head,
        Target::Scheduler(scheduler),
    );
}

/// The row of one warp slot.
fn draw_slot(sheet: &mut Sheet, frame: &Frame, floor: &Floor, slot: SlotIdx, cell: floor::Cell) {
    let state = frame.state(slot);
    let issues = state == WarpState::Selected;
    let middle = cell.y + cell.h / 2.0 + 0.5;
    sheet.line(
        (cell.x + 1.0, cell.y + 0.5),
        (cell.x + cell.w - 1.0, cell.y + 0.5),
        1.0,
        Role::Line1,
    );
    if cell.column > 0 {
        sheet.line(
            (cell.x + 0.5, cell.y),
            (cell.x + 0.5, cell.y + cell.h),
            1.0,
            Role::Line1,
        );
    }
    let indent = if cell.w < 110.0 { 4.0 } else { 8.0 };
    if issues {
        sheet.rect(
            cell.x + 1.0,
            cell.y + 1.0,
            cell.w - 2.0,
            cell.h - 1.0,
            Role::State(Mark::Issue),
        );
        let x = cell.x + indent + 2.5;
        sheet.polygon(
            &[(x, middle - 5.0), (x + 7.5, middle), (x, middle + 5.0)],
            Role::OnIssue,
        );
    } else {
        sheet.tile(cell.x + indent, middle - 6.0, 12.0, Mark::of(state));
    }
    sheet.area(cell.x, cell.y, cell.w, cell.h, Target::Warp { slot: slot.0 });
    let ink = if issues { Role::OnIssue } else { Role::Ink1 };
    let face = |role: Role| {
        let face = Face::mono(TextSize::Label, role);
        if issues { face.strong() } else { face }
    };
    let mut x = cell.x + indent + 18.0;
    let right = cell.x + cell.w - 7.0;
    if !floor.phone && cell.w >= 84.0 {
        let name = if state == WarpState::Empty {
            String::new()
        } else {
            frame.warp_name(slot)
        };
        let role = if issues { Role::OnIssue } else { Role::Ink3 };
        let width = face(role).width(&name);
        if x + width <= right {
            sheet.text(&name, x, middle, face(role));
            x += face(role).width("W00").max(width) + 8.0;
        }
    }
    let note = Face::mono(TextSize::Micro, Role::Ink3).right();
    let opcode = frame.opcode(slot);
    let detail = if issues || floor.phone || cell.w < 150.0 {
        String::new()
    } else {
        short_cause(frame, slot)
    };
    // The opcode has priority over the detail.
    let room = right - x;
    let shown = if floor.phone {
        opcode.split('.').next().unwrap_or("").to_owned()
    } else {
        opcode
    };
    let mut shown = face(ink).fit(&shown, room);
    if shown.ends_with('…') && shown.chars().count() < 4 {
        // A cell too narrow for the opcode shows the letter that the Timeline uses.
        shown = frame
            .run(slot)
            .map_or_else(String::new, |run| frame.letter(run.pc));
    }
    sheet.text(&shown, x, middle, face(ink));
    if !detail.is_empty() && face(ink).width(&shown) + note.width(&detail) + 6.0 <= room {
        sheet.text(&detail, right, middle, note);
    }
}

/// Draws the lit bus from the issuing warp to its pipe.
fn draw_wire(
    sheet: &mut Sheet,
    frame: &Frame,
    floor: &Floor,
    scheduler: u8,
    slot: SlotIdx,
    cell: floor::Cell,
) {
    let Some(run) = frame.run(slot) else {
        return;
    };
    let rail = floor.rail(scheduler);
    let port = match floor.pipe_port(frame, run.pc) {
        // The last bus runs beside the band of shared pipes.
        y if y >= floor.shared_y && scheduler + 1 == floor.schedulers => y + floor.shared_height / 2.0,
        y => y,
    };
    let edge = floor.left(scheduler) + floor.width;
    let from = cell.y + cell.h / 2.0;
    if cell.x + cell.w < edge - 2.0 {
        // From an inner column of slots, the bus runs along the bottom of the row to the gutter.
        let foot = cell.y + cell.h;
        sheet.line((cell.x + cell.w, foot), (edge, foot), 2.0, Role::WireLit);
        sheet.line((edge, foot), (rail, foot), 2.0, Role::WireLit);
        sheet.line((rail, foot), (rail, port), 2.0, Role::WireLit);
    } else {
        sheet.polyline(
            &[(edge - 1.0, from), (rail, from), (rail, port)],
            2.0,
            Role::WireLit,
        );
    }
    let to = port;
    if to >= floor.shared_y && scheduler + 1 < floor.schedulers {
        // The bus ends in the band of shared pipes.
        sheet.polygon(
            &[(rail, to), (rail - 4.0, to - 6.0), (rail + 4.0, to - 6.0)],
            Role::WireLit,
        );
        return;
    }
    let tip = edge - 7.0;
    sheet.line((rail, to), (tip + 5.0, to), 2.0, Role::WireLit);
    sheet.polygon(
        &[(tip, to), (tip + 6.0, to - 4.0), (tip + 6.0, to + 4.0)],
        Role::WireLit,
    );
}

/// Draws a row of cells, lit or idle.
fn draw_cells(
    sheet: &mut Sheet,
    (x, y): (f32, f32),
    num: u32,
    (pitch, height): (f32, f32),
    lit: Option<f32>,
) {
    let gap = if pitch >= 4.0 { 1.0 } else { 0.5 };
    for idx in 0..num {
        let shape = Shape::Rect {
            x: x + idx as f32 * pitch,
            y,
            w: pitch - gap,
            h: height - 1.0,
        };
        match lit {
            Some(opacity) => sheet.put(shape, Role::State(Mark::Issue), Texture::Fade(opacity), None),
            None => sheet.put(shape, Role::Paper4, Texture::Solid, None),
        }
    }
}
