//! One column per split on a common baseline: L1 above, shared memory below, to scale. Under each column are its
//! resident blocks and its L1 hit rate.

use super::Plan;
use super::splits::Split;
use crate::scene::kit::{Face, Sheet};
use crate::scene::occupancy::{MARGIN, bytes_text};
use crate::scene::{Mark, Role, Shape, Size, Target, TextSize, Texture};
use engine::arch::Limiter;

const NARROW: f32 = 560.0;
/// Height of the largest memory.
const BAR: f32 = 176.0;
/// Height of the two text lines over the bars.
const HEAD: f32 = 40.0;
/// Side of a block's square, and the distance between squares.
const SQUARE: f32 = 9.0;
const STEP: f32 = 11.0;

/// Position of a column.
#[derive(Clone, Copy)]
struct Place {
    x: f32,
    width: f32,
    /// The bars' common baseline.
    base: f32,
    /// CSS pixels per KB.
    px: f32,
}

/// Draws the columns, and returns the y below.
pub(super) fn draw(sheet: &mut Sheet, plan: &Plan, size: Size) -> f32 {
    let narrow = size.width < NARROW;
    let left = MARGIN + if narrow { 54.0 } else { 64.0 };
    let num = plan.splits.len().max(1) as f32;
    let gap = if narrow { 4.0 } else { 12.0 };
    let width = ((size.width - left - MARGIN + gap) / num - gap)
        .min(132.0)
        .floor();
    let most = plan.splits.iter().map(total_kib).fold(1.0, f32::max);
    let base = 8.0 + HEAD + BAR;
    let place = |idx: usize| Place {
        x: left + idx as f32 * (width + gap),
        width,
        base,
        px: BAR / most,
    };
    row_names(sheet, plan, base);
    let a_row = ((width + 2.0) / STEP).floor().max(1.0) as u32;
    let blocks = |split: &Split| split.occupancy.map_or(0, |filled| filled.blocks_per_sm);
    let rows = plan
        .splits
        .iter()
        .map(|split| blocks(split).div_ceil(a_row))
        .max();
    let under = base + 12.0 + rows.unwrap_or(1).max(1) as f32 * STEP + 2.0;
    let has_hits = plan.arch.memory.l1.is_some();
    let bottom = under + if has_hits { 64.0 } else { 34.0 };
    for (idx, split) in plan.splits.iter().enumerate() {
        let place = place(idx);
        heading(sheet, split, place, narrow);
        bar(sheet, plan, split, place);
        squares(sheet, plan, split, place, a_row);
        numbers(sheet, plan, split, place, under, narrow);
        if has_hits {
            hits(sheet, plan, split, place, under + 36.0, narrow);
        }
        let (x, y, w, h) = (place.x - 4.0, 4.0, place.width + 8.0, bottom - 4.0);
        sheet.area(x, y, w, h, Target::Carveout(split.shared_kib));
        if split.chosen {
            let grow = if narrow { 2.0 } else { 5.0 };
            sheet.selection(place.x - grow, 2.0, place.width + 2.0 * grow, bottom);
        }
    }
    let small = Face::text(TextSize::Label, Role::Ink3);
    sheet.text("Blocks", MARGIN, base + 16.0, small);
    sheet.text("Warps", MARGIN, under + 8.0, small);
    if has_hits {
        let name = if narrow { "Hits" } else { "L1 hits" };
        sheet.text(name, MARGIN, under + 41.0, small);
    }
    remarks(sheet, plan, size, bottom + 16.0)
}

fn total_kib(split: &Split) -> f32 {
    f32::from(split.shared_kib) + f32::from(split.l1_kib.unwrap_or(0))
}

fn row_names(sheet: &mut Sheet, plan: &Plan, base: f32) {
    let small = Face::text(TextSize::Label, Role::Ink3);
    sheet.text("Shared", MARGIN, 20.0, small);
    if plan.arch.memory.l1.is_some() {
        sheet.text("L1", MARGIN, 36.0, small);
    }
    sheet.text("to scale", MARGIN, base - 6.0, small);
}

fn heading(sheet: &mut Sheet, split: &Split, place: Place, narrow: bool) {
    let kib = |kib: u16| {
        if narrow && place.width < 46.0 {
            kib.to_string()
        } else {
            format!("{kib} KB")
        }
    };
    let size = if narrow { TextSize::Label } else { TextSize::Body };
    let face = Face::mono(size, Role::Ink1).center();
    let face = if split.chosen { face.strong() } else { face };
    let x = place.x + place.width / 2.0;
    sheet.text(&kib(split.shared_kib), x, 20.0, face);
    if let Some(l1) = split.l1_kib {
        let face = Face::mono(TextSize::Label, Role::Ink3).center();
        sheet.text(&kib(l1), x, 36.0, face);
    }
}

/// Draws the memory: L1, an ink edge, and shared memory with one strip per block.
fn bar(sheet: &mut Sheet, plan: &Plan, split: &Split, place: Place) {
    let Place { x, width, base, px } = place;
    let shared = f32::from(split.shared_kib) * px;
    let l1 = f32::from(split.l1_kib.unwrap_or(0)) * px;
    let edge = base - shared;
    if l1 > 0.0 {
        sheet.rect(x, edge - l1, width, l1, Role::Paper3);
        if split.chosen {
            // Lines in use now, of all: as much of the area.
            let lines = plan.frame.snapshot().l1.as_ref().map(|cache| {
                let all = (cache.sets * cache.ways).max(1);
                cache.lines.len() as f32 / all as f32
            });
            let used = l1 * lines.unwrap_or(0.0).min(1.0);
            if used >= 1.0 {
                sheet.fill(x, edge - used, width, used, Role::Hit, Texture::Fence);
            }
        }
        sheet.frame(x, edge - l1, width, l1, Role::Line2, 1.0);
    }
    let Some(filled) = &split.occupancy else {
        sheet.fill(x, edge, width, shared.max(1.0), Role::Edge, Texture::Dotted);
        return refused(sheet, plan, split, place);
    };
    let a_block = filled.allocated_shared_per_block as f32 / 1024.0 * px;
    let gap = if a_block > 4.0 { 1.0 } else { 0.0 };
    let taken = a_block * filled.blocks_per_sm as f32;
    let limits = filled.limit_shared == Some(filled.blocks_per_sm);
    if shared > 0.0 && limits && shared - taken >= 1.0 {
        let role = Role::State(Mark::Throttle);
        sheet.fill(x, edge, width, shared - taken, role, Texture::Hatch);
    }
    let fill = if split.chosen { Role::Ink1 } else { Role::Edge };
    for block in 0..filled.blocks_per_sm {
        if a_block <= 0.0 {
            break;
        }
        let y = base - (block + 1) as f32 * a_block;
        sheet.rect(x, y + gap, width, (a_block - gap).max(0.5), fill);
    }
    if shared > 0.0 {
        sheet.frame(x, edge, width, shared, Role::Line2, 1.0);
    }
    // The edge between the two.
    sheet.line((x, edge), (x + width, edge), 2.0, Role::Ink1);
}

/// Draws why a split is unavailable, in its column.
fn refused(sheet: &mut Sheet, plan: &Plan, split: &Split, place: Place) {
    let face = Face::text(TextSize::Label, Role::Ink2).center();
    let needs = bytes_text(u64::from(plan.occupancy.allocated_shared_per_block));
    let x = place.x + place.width / 2.0;
    let middle = place.base - f32::from(split.shared_kib) * place.px / 2.0;
    let y = middle.min(place.base - 16.0);
    let lines = [
        "too small:".to_owned(),
        "a block".to_owned(),
        format!("needs {needs}"),
    ];
    if lines.iter().all(|line| face.width(line) <= place.width - 4.0) {
        for (idx, line) in lines.iter().enumerate() {
            let y = y + (idx as f32 - 1.0) * 13.0 - 8.0;
            let (half, height) = (face.width(line) / 2.0 + 3.0, 13.0);
            sheet.rect(x - half, y - height / 2.0, half * 2.0, height, Role::Paper1);
            sheet.text(line, x, y, face);
        }
    } else {
        sheet.text("×", x, y, face);
    }
}

/// Draws one square per block: solid if a block is resident now, else framed.
fn squares(sheet: &mut Sheet, plan: &Plan, split: &Split, place: Place, a_row: u32) {
    let Some(filled) = &split.occupancy else {
        let shape = Shape::Line {
            x1: place.x + place.width / 2.0 - 6.0,
            y1: place.base + 16.0,
            x2: place.x + place.width / 2.0 + 6.0,
            y2: place.base + 16.0,
            width: 1.0,
        };
        return sheet.put(shape, Role::Edge, Texture::Solid, None);
    };
    let now = plan.frame.record().blocks_at(plan.frame.cycle()).count() as u32;
    let columns = filled.blocks_per_sm.min(a_row).max(1);
    let x0 = place.x + f32::midpoint(place.width - columns as f32 * STEP, 2.0);
    for block in 0..filled.blocks_per_sm {
        let x = x0 + (block % a_row) as f32 * STEP;
        let y = place.base + 11.0 + (block / a_row) as f32 * STEP;
        match split.chosen {
            true if block < now => sheet.rect(x, y, SQUARE, SQUARE, Role::Ink1),
            true => sheet.frame(x, y, SQUARE, SQUARE, Role::Ink1, 1.0),
            false => sheet.rect(x, y, SQUARE, SQUARE, Role::Edge),
        }
    }
}

fn numbers(sheet: &mut Sheet, plan: &Plan, split: &Split, place: Place, y: f32, narrow: bool) {
    let x = place.x + place.width / 2.0;
    let Some(filled) = &split.occupancy else {
        let none = Face::mono(TextSize::Label, Role::Ink3).center();
        return sheet.text("–", x, y + 8.0, none);
    };
    let max = filled.max_warps_per_sm;
    let warps = filled.warps_per_sm();
    let long = format!("{warps} of {max}");
    let face = Face::mono(TextSize::Label, Role::Ink1).center();
    let text = if face.width(&long) <= place.width {
        long
    } else {
        warps.to_string()
    };
    sheet.text(&text, x, y + 8.0, face);
    let small = Face::text(TextSize::Label, Role::Ink3).center();
    let limiter = filled.limiters().collect::<Vec<_>>();
    let why = match limiter.as_slice() {
        [Limiter::Shared] => "limited by shared",
        [Limiter::Warps, ..] if warps == max => "full",
        [Limiter::Warps] => "limited by warps",
        [Limiter::Blocks] => "limited by slots",
        [Limiter::Registers] => "limited by registers",
        _ => "several limits",
    };
    let short = why.trim_start_matches("limited by ");
    let fits = |text: &&str| small.width(text) <= place.width + 6.0;
    if let Some(text) = [why, short]
        .into_iter()
        .find(fits)
        .filter(|_| !narrow || plan.splits.len() < 5)
    {
        sheet.text(text, x, y + 23.0, small);
    }
}

/// Draws a bar from 0 to 100 %: hits in the color of near memory, misses in the color of far memory.
fn hits(sheet: &mut Sheet, plan: &Plan, split: &Split, place: Place, y: f32, narrow: bool) {
    let (x, width) = (place.x, place.width);
    let rate = plan
        .run(split)
        .filter(|_| split.occupancy.is_some())
        .and_then(|run| run.hits);
    let Some(rate) = rate else {
        return sheet.fill(x, y, width, 10.0, Role::Line2, Texture::Dotted);
    };
    let near = width * rate.share() as f32;
    if near > 0.0 {
        sheet.fill(x, y, near, 10.0, Role::Hit, Texture::Dashes);
    }
    if width - near > 0.0 {
        sheet.rect(x + near, y + 3.0, width - near, 4.0, Role::Miss);
    }
    let face = Face::mono(if narrow { TextSize::Micro } else { TextSize::Label }, Role::Ink1).center();
    let text = rate.text();
    if face.width(&text) <= width + 4.0 {
        sheet.text(&text, x + width / 2.0, y + 17.0, face);
    }
}

/// Draws the remarks under the columns, and returns the y below.
fn remarks(sheet: &mut Sheet, plan: &Plan, size: Size, top: f32) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink2);
    let room = size.width - 2.0 * MARGIN;
    let mut y = top;
    for remark in super::wording::remarks(plan) {
        for line in wrap(&remark, face, room) {
            // Only a name can be longer than a line.
            sheet.text(&face.fit(&line, room), MARGIN, y, face);
            y += 15.0;
        }
        y += 3.0;
    }
    y
}

/// A text wrapped to a width.
fn wrap(text: &str, face: Face, room: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let longer = if line.is_empty() {
            word.to_owned()
        } else {
            format!("{line} {word}")
        };
        if face.width(&longer) * 1.12 <= room || line.is_empty() {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
