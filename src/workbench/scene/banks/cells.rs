//! The memory that a request accesses: rows of one word per bank, and the labels beside them.

use super::super::kit::{Face, Sheet};
use super::super::lanes::{Grid, LANES, number_fits};
use super::super::{Role, Shape, Target, TextSize, Texture};
use super::plan::{Plan, Progress, progress};
use super::wording::{idle_banks, served_lanes};

/// Position of the memory rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    pub(super) y: f32,
    pub(super) row_height: f32,
}

/// Height of the row with the numbers of the banks.
const NUMBER_PX: f32 = 17.0;

/// The cells to draw for the words that a bank holds side by side: one per word, or a single cell if all are
/// for the same lanes. Each is the part, its left edge, and its width.
fn pieces(grid: Grid, plan: &Plan, row: u32, column: u32) -> impl Iterator<Item = (u32, f32, f32)> {
    let num = if plan.is_whole(row, column) { 1 } else { plan.parts };
    // Words of one bank have a smaller gap than banks.
    let gap = match (plan.parts, grid.phone) {
        (1, _) => 1.0,
        (_, true) => 2.0,
        (_, false) => 3.0,
    };
    let (x, pitch) = (grid.left(column), (grid.lane - gap + 1.0) / num as f32);
    (0..num).map(move |part| (part, x + part as f32 * pitch, pitch - 1.0))
}

pub(super) fn draw_memory(sheet: &mut Sheet, grid: Grid, plan: &Plan, current: u16, map: Map) -> f32 {
    let busy: Vec<u32> = plan.columns_of_pass(current);
    if !grid.phone {
        let text = if plan.parts > 1 { "Bank, 8 B" } else { "Bank" };
        sheet.text(
            text,
            grid.margin,
            map.y - 10.0,
            Face::text(TextSize::Label, Role::Ink3),
        );
    }
    for column in 0..LANES {
        let bank = column % plan.banks;
        let strong = busy.contains(&column);
        // Narrow columns have room for some numbers and for that of the bank in service, which hides adjacent numbers.
        let near = busy.len() == 1 && busy[0] != column && busy[0].abs_diff(column) < 2;
        let has_room = if grid.phone {
            bank.is_multiple_of(8)
        } else {
            number_fits(bank, grid.lane)
        };
        let is_narrow = grid.phone || !number_fits(1, grid.lane);
        if is_narrow && (near || !(has_room || strong && busy.len() == 1)) {
            continue;
        }
        let face = Face::mono(TextSize::Micro, if strong { Role::Ink1 } else { Role::Ink3 }).center();
        let face = if strong { face.strong() } else { face };
        sheet.text(&bank.to_string(), grid.middle(column), map.y - 10.0, face);
    }
    let rows = plan.rows();
    // Below the cells: a word keeps its own target.
    for column in 0..LANES {
        let height = NUMBER_PX + rows.len() as f32 * map.row_height;
        let bank = Target::Bank((column % plan.banks) as u8);
        sheet.area(grid.left(column), map.y - NUMBER_PX, grid.lane, height, bank);
    }
    let mut label_free = f32::MIN;
    for (idx, row) in rows.iter().enumerate() {
        let y = map.y + idx as f32 * map.row_height;
        let jump = idx > 0 && *row != rows[idx - 1] + 1;
        if !grid.phone && y >= label_free && (idx.is_multiple_of(4) || jump) {
            let text = format!("+0x{:04x}", row * plan.row_bytes());
            sheet.text(
                &text,
                grid.margin,
                y + map.row_height / 2.0,
                Face::mono(TextSize::Micro, Role::Ink3),
            );
            label_free = y + 14.0;
        }
        if jump {
            sheet.line((grid.x - 8.0, y - 0.5), (grid.x - 1.0, y - 0.5), 1.0, Role::Line2);
        }
        for column in 0..LANES {
            for piece in pieces(grid, plan, *row, column) {
                draw_cell(sheet, plan, current, (*row, column), piece, (y, map.row_height));
            }
        }
    }
    draw_served(sheet, grid, plan, current, map);
    map.y + rows.len() as f32 * map.row_height
}

/// The words in service, drawn over adjacent cells; a single word is larger than its neighbors.
fn draw_served(sheet: &mut Sheet, grid: Grid, plan: &Plan, current: u16, map: Map) {
    let mut served = Vec::new();
    for (idx, row) in plan.rows().into_iter().enumerate() {
        let y = map.y + idx as f32 * map.row_height;
        for column in 0..LANES {
            for (part, x, w) in pieces(grid, plan, row, column) {
                if let Some(cell) = plan.cell(row, column, part)
                    && progress(&cell.passes, current) == Progress::Now
                {
                    served.push((cell, x, y, w));
                }
            }
        }
    }
    let (h, grow) = (map.row_height - 1.0, if served.len() == 1 { 3.0 } else { 0.0 });
    for (cell, x, y, w) in served {
        if grow > 0.0 {
            sheet.rect(x - 5.0, y - 5.0, w + 10.0, h + 10.0, Role::Paper1);
        }
        sheet.put(
            Shape::Rect {
                x: x - grow,
                y: y - grow,
                w: w + 2.0 * grow,
                h: h + 2.0 * grow,
            },
            Role::Ink1,
            Texture::Solid,
            Some(Target::Word(plan.word_at(cell.row, cell.column, cell.part))),
        );
        if map.row_height >= 9.0 || grow > 0.0 {
            let face = Face::mono(TextSize::Micro, Role::InkInverse).strong().center();
            let text = cell.first_lane();
            if face.width(&text) < w + 2.0 * grow - 1.0 {
                sheet.text(&text, x + w / 2.0, y + map.row_height / 2.0 - 0.5, face);
            }
        }
    }
}

/// Draws what wavefronts other than the current one serve, and returns the ink for text on it. The current
/// wavefront is drawn last, on top.
pub(super) fn put_other(
    sheet: &mut Sheet,
    plan: &Plan,
    passes: &[u16],
    current: u16,
    (shape, target): (Shape, Option<Target>),
) -> Option<Role> {
    let step = plan.step(passes);
    let (texture, ink) = match progress(passes, current) {
        Progress::Served => (Texture::Solid, Role::OnPass(step)),
        Progress::Pending => (Texture::Outline(1.25), Role::Ink2),
        Progress::Now => return None,
    };
    sheet.put(shape, Role::Pass(step), texture, target);
    Some(ink)
}

fn draw_cell(
    sheet: &mut Sheet,
    plan: &Plan,
    current: u16,
    (row, column): (u32, u32),
    (part, x, w): (u32, f32, f32),
    (y, height): (f32, f32),
) {
    let shape = Shape::Rect {
        x,
        y,
        w,
        h: height - 1.0,
    };
    let target = Some(Target::Word(plan.word_at(row, column, part)));
    let Some(cell) = plan.cell(row, column, part) else {
        sheet.put(shape, Role::Paper2, Texture::Solid, target);
        return;
    };
    let Some(role) = put_other(sheet, plan, &cell.passes, current, (shape, target)) else {
        return;
    };
    let face = Face::mono(TextSize::Micro, role).center();
    // Either all cells of one size have numbers, or none has.
    if height >= 10.0 && face.width("00") < w - 1.0 {
        sheet.text(&cell.first_lane(), x + w / 2.0, y + height / 2.0 - 0.5, face);
    }
}

/// Draws `Wavefront 12 of 32, serves lane 11` beside the row in service if there is room, else under the
/// memory.
pub(super) fn draw_labels(sheet: &mut Sheet, grid: Grid, plan: &Plan, current: u16, map: Map) {
    let num = plan.passes.len();
    let Some(pass) = plan.passes.get(usize::from(current)) else {
        return;
    };
    let lanes: Vec<u32> = pass.lanes.lanes().collect();
    let served = served_lanes(&lanes);
    let columns = plan.columns_of_pass(current);
    let idle = plan.banks as usize - columns.len().min(plan.banks as usize);
    let rest = idle_banks(idle);
    let title = Face::text(TextSize::Body, Role::Ink1).strong();
    let note = Face::text(TextSize::Label, Role::Ink2);
    let (head, tail) = (
        format!("Wavefront {} of {num}", current + 1),
        format!("{served}; {rest}"),
    );
    let width = title.width(&head).max(note.width(&tail));
    let row = plan.rows().iter().position(|row| {
        columns.iter().any(|column| {
            plan.cells(*row, *column)
                .any(|cell| cell.passes.contains(&current))
        })
    });
    let used_right = plan.last_column().map_or(0, |column| column + 1);
    let x = grid.left(used_right) + 20.0;
    if let (Some(row), true, false) = (row, x + width < grid.right(), grid.phone) {
        let y = map.y + (row as f32 + 0.5) * map.row_height;
        let bottom = map.y + plan.rows().len() as f32 * map.row_height;
        let rail = x - 8.0;
        if y - 8.0 > map.y + 4.0 {
            let end = y - map.row_height;
            sheet.polyline(
                &[
                    (rail - 4.0, map.y + 2.0),
                    (rail, map.y + 2.0),
                    (rail, end),
                    (rail - 4.0, end),
                ],
                1.25,
                Role::Line2,
            );
            if end > map.y + 18.0 {
                sheet.text("served", x, map.y + 8.0, Face::text(TextSize::Label, Role::Ink3));
            }
        }
        if current as usize + 1 < num && y + 30.0 < bottom {
            let start = y + map.row_height;
            sheet.polyline(
                &[
                    (rail - 4.0, start),
                    (rail, start),
                    (rail, bottom - 2.0),
                    (rail - 4.0, bottom - 2.0),
                ],
                1.25,
                Role::Line2,
            );
            if bottom - 14.0 > y + 34.0 {
                sheet.text(
                    "pending",
                    x,
                    bottom - 8.0,
                    Face::text(TextSize::Label, Role::Ink3),
                );
            }
        }
        let y = y.clamp(map.y + 8.0, (bottom - 24.0).max(map.y + 8.0));
        sheet.rect(x - 3.0, y - 9.0, width + 6.0, 34.0, Role::Paper1);
        sheet.text(&head, x, y, title);
        sheet.text(&tail, x, y + 15.0, note);
    } else {
        // No link runs under the memory.
        let head_face = Face::text(TextSize::Label, Role::Ink1).strong();
        let y = map.y + plan.rows().len() as f32 * map.row_height + 11.0;
        sheet.text(&head, grid.x, y, head_face);
        // The margin covers fonts that are wider than estimated.
        let x = grid.x + head_face.width(&head) * 1.08 + 10.0;
        let room = grid.right() - x;
        let text = if note.width(&tail) <= room { tail } else { served };
        sheet.text(&note.fit(&text, room), x, y, note);
    }
}
