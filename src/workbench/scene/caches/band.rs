//! How many sectors that loads want of L1 are there, over the run.

use super::super::kit::{Face, Sheet};
use super::super::lanes::Grid;
use super::super::words::{percent, thousands};
use super::super::{Role, Target, TextSize, Texture};
use super::Plan;
use engine::trace::HitColumn;

/// Its height with heading and axis.
pub(super) const HEIGHT: f32 = 92.0;
/// Height of 100 %.
const BAR: f32 = 44.0;
/// Width of a column at least.
const LEAST: f32 = 3.0;

/// Columns as wide as can be pointed at: first cycle, cycles, counts.
pub(super) fn columns(plan: &Plan, most: usize) -> Vec<(u64, u64, HitColumn)> {
    let hits = &plan.hits;
    let width = hits.cycles.max(1);
    let all = plan.frame.record().num_cycles().div_ceil(width).max(1) as usize;
    let merged = all.div_ceil(most.max(1)).max(1);
    let chunks = hits.columns.chunks(merged).enumerate();
    chunks
        .map(|(idx, chunk)| {
            let sum = chunk.iter().fold(HitColumn::default(), |sum, column| HitColumn {
                wanted: sum.wanted + column.wanted,
                hits: sum.hits + column.hits,
            });
            let cycles = merged as u64 * width;
            (idx as u64 * cycles, cycles, sum)
        })
        .collect()
}

/// The column of the band that begins at a cycle, as drawn for a width.
pub(super) fn column_at(plan: &Plan, cycle: u64) -> Option<(u64, u64, HitColumn)> {
    // Every width has columns of a power of two times the least.
    (0..12).find_map(|power| {
        let all = plan
            .frame
            .record()
            .num_cycles()
            .div_ceil(plan.hits.cycles.max(1))
            .max(1) as usize;
        let most = all.div_ceil(1 << power);
        columns(plan, most)
            .into_iter()
            .find(|(first, _, _)| *first == cycle)
    })
}

/// Draws it; gives where it ends.
pub(super) fn draw(sheet: &mut Sheet, plan: &Plan, grid: Grid, y: f32) -> f32 {
    let (left, width) = (grid.x, grid.right() - grid.x - 1.0);
    let cycles = plan.frame.record().num_cycles().max(1);
    let small = Face::text(TextSize::Label, Role::Ink3);
    let top = y + 20.0;
    let total = plan.hits.columns.iter().fold((0, 0), |(hits, wanted), column| {
        (hits + column.hits, wanted + column.wanted)
    });
    let name = if grid.phone { "Hits" } else { "Hit rate" };
    sheet.text(name, grid.margin, top + BAR / 2.0, small);
    let face = Face::text(TextSize::Label, Role::Ink2);
    let text = if total.1 == 0 {
        "No load has looked into L1.".to_owned()
    } else {
        format!(
            "{} of {} sectors hit in the whole run{}",
            percent(total.0, total.1),
            thousands(total.1),
            if plan.frame.trace().is_whole() {
                ""
            } else {
                " so far"
            }
        )
    };
    sheet.text(&face.fit(&text, width), left, y + 8.0, face);
    sheet.rect(left, top, width, BAR, Role::Paper2);
    let px = width / cycles as f32;
    for (first, cycles, column) in columns(plan, (width / LEAST) as usize) {
        let x = left + first as f32 * px;
        let w = (cycles as f32 * px).min(left + width - x);
        if column.wanted == 0 || w <= 0.0 {
            continue;
        }
        let gap = if w > 4.0 { 1.0 } else { 0.0 };
        let near = BAR * (column.hits.min(column.wanted) as f32 / column.wanted as f32);
        if near < BAR {
            sheet.fill(x, top, w - gap, BAR - near, Role::Miss, Texture::Hatch);
        }
        if near > 0.0 {
            sheet.rect(x, top + BAR - near, w - gap, near, Role::Hit);
        }
        sheet.area(x, top, w, BAR, Target::HitColumn(first));
    }
    let at = left + (plan.frame.cycle().0.min(cycles) as f32 + 0.5) * px;
    sheet.line((at, top - 3.0), (at, top + BAR + 3.0), 1.5, Role::Now);
    let mono = Face::mono(TextSize::Micro, Role::Ink3);
    sheet.text("0", left, top + BAR + 9.0, mono);
    let end = format!("{} cycles", thousands(cycles));
    sheet.text(&end, left + width, top + BAR + 9.0, mono.right());
    if !grid.phone {
        sheet.text("100 %", left + width + 4.0, top + 5.0, mono);
        sheet.text("0", left + width + 4.0, top + BAR - 5.0, mono);
    }
    top + BAR + 16.0
}
