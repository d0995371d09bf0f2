//! The L1 hit rate of loads over the run, in sectors.

use super::super::kit::{Face, Sheet};
use super::super::lanes::Grid;
use super::super::{Role, Target, TextSize, Texture};
use super::Plan;
use crate::words::thousands;
use engine::trace::HitColumn;

/// Height of the plot with its title and axis.
pub(super) const HEIGHT: f32 = 92.0;
/// Height of 100 %.
const BAR: f32 = 44.0;
/// Minimum width of a column.
const LEAST: f32 = 3.0;

/// At most `most` columns: first cycle, number of cycles, and counts.
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

/// The column that begins at a cycle, at any drawn width.
pub(super) fn column_at(plan: &Plan, cycle: u64) -> Option<(u64, u64, HitColumn)> {
    // At every width, the columns are the smallest ones merged by a power of two.
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

/// Draws the plot, and returns the y below.
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
    let text = super::wording::hit_rate_title(total.0, total.1, plan.frame.trace().is_whole());
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
