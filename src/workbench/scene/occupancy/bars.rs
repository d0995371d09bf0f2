//! The four resources of an SM as bars, with one segment per block.

use super::wording::{bytes_text, capacity_text, limiter_name, need_texts};
use super::{MARGIN, Plan};
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Mark, Role, Size, TextSize, Texture};
use crate::words::{capital, counted, thousands};
use engine::arch::{Architecture, Limiter, Occupancy};

/// Height of a bar.
const BAR: f32 = 20.0;
/// Distance from one bar to the next.
const PITCH: f32 = 44.0;
/// Width below which names are above their bars.
pub(super) const NARROW: f32 = 560.0;

/// A resource of the SM, and its use by blocks.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::scene) struct Amount {
    pub(in crate::scene) limiter: Limiter,
    /// Capacity of the SM: warps, blocks, registers, or bytes.
    pub(in crate::scene) capacity: u64,
    /// Amount per block.
    pub(in crate::scene) per_block: u64,
    /// Number of blocks that fit, rounded down to a decimal: `5.3`; `None` if blocks do not use the resource.
    pub(in crate::scene) fit: Option<String>,
    /// Unused amount with the maximum number of blocks.
    pub(in crate::scene) left: u64,
    /// Whether the resource limits the number of blocks.
    pub(in crate::scene) limits: bool,
}

impl Amount {
    /// An amount as text with its unit.
    pub(in crate::scene) fn text(&self, amount: u64) -> String {
        match self.limiter {
            Limiter::Warps => counted(amount, "warp"),
            Limiter::Blocks => counted(amount, "block"),
            Limiter::Registers => thousands(amount),
            Limiter::Shared => bytes_text(amount),
        }
    }
}

/// The four resources.
pub(in crate::scene) fn amounts(arch: &Architecture, occupancy: &Occupancy) -> [Amount; 4] {
    let rules = &arch.occupancy;
    let blocks = u64::from(occupancy.blocks_per_sm);
    [
        (
            Limiter::Warps,
            u64::from(occupancy.max_warps_per_sm),
            u64::from(occupancy.warps_per_block),
        ),
        (Limiter::Blocks, u64::from(rules.max_blocks_per_sm.value), 1),
        (
            Limiter::Registers,
            u64::from(rules.registers_per_sm.value),
            u64::from(occupancy.allocated_registers_per_block),
        ),
        (
            Limiter::Shared,
            u64::from(occupancy.shared_kib) * 1024,
            u64::from(occupancy.allocated_shared_per_block),
        ),
    ]
    .map(|(limiter, capacity, per_block)| {
        let limit = occupancy.limit(limiter).map(u64::from);
        let fit = limit.filter(|_| per_block > 0).map(|limit| {
            // If each register file holds only whole warps, fewer blocks fit than the sum implies.
            let tenths = capacity * 10 / per_block;
            if tenths / 10 == limit && tenths % 10 > 0 {
                format!("{limit}.{}", tenths % 10)
            } else {
                limit.to_string()
            }
        });
        Amount {
            limiter,
            capacity,
            per_block,
            fit,
            left: capacity.saturating_sub(per_block * blocks),
            limits: limit == Some(blocks),
        }
    })
}

/// Draws the bars, and returns the y below.
pub(super) fn draw(sheet: &mut Sheet, plan: &Plan, size: Size) -> f32 {
    let narrow = size.width < NARROW;
    let (left, name_height) = if narrow {
        (MARGIN, 18.0)
    } else {
        (MARGIN + 104.0, 0.0)
    };
    let fits = if narrow { 0.0 } else { 168.0 };
    let width = size.width - left - MARGIN - fits;
    let mut y = 8.0;
    for amount in plan.amounts() {
        let bar_y = y + name_height;
        let name = capital(limiter_name(amount.limiter));
        let face = Face::text(TextSize::Body, Role::Ink1);
        let face = if amount.limits { face.strong() } else { face };
        let name_y = if narrow { y + 8.0 } else { bar_y + BAR / 2.0 };
        sheet.text(&name, MARGIN, name_y, face);
        let run = plan.occupancy.blocks_per_sm;
        let fit = match &amount.fit {
            Some(fit) => format!(
                "{fit} {} fit, {run} run",
                if fit == "1" { "block" } else { "blocks" }
            ),
            None => "not used".to_owned(),
        };
        let fit_y = if narrow { y + 8.0 } else { bar_y + BAR / 2.0 };
        sheet.text(&fit, size.width - MARGIN, fit_y, face.right());
        segments(sheet, plan, &amount, (left, bar_y, width));
        let small = Face::text(TextSize::Label, Role::Ink3);
        let capacity = capacity_text(plan, &amount);
        let line_y = bar_y + BAR + 11.0;
        sheet.text(&capacity, left + width, line_y, small.right());
        let room = width - small.width(&capacity) - 16.0;
        let [long, short] = need_texts(plan, amount.limiter);
        let text = if small.width(&long) <= room { long } else { short };
        sheet.text(&small.fit(&text, room), left, line_y, small);
        y += PITCH + name_height;
    }
    y
}

/// Draws a bar: one segment per block slot, solid if a block is resident now, and the unused rest.
fn segments(sheet: &mut Sheet, plan: &Plan, amount: &Amount, (x, y, width): (f32, f32, f32)) {
    let px = width / amount.capacity.max(1) as f32;
    let step = amount.per_block as f32 * px;
    let (fill, on_fill) = if amount.limits {
        (Role::Ink1, Role::InkInverse)
    } else {
        (Role::Line2, Role::Ink1)
    };
    let gap = if step > 5.0 { 1.0 } else { 0.0 };
    if amount.per_block > 0 {
        for (idx, block) in plan.places.iter().enumerate() {
            let at = x + idx as f32 * step;
            let texture = match block {
                Some(_) => Texture::Solid,
                None => Texture::Outline(1.0),
            };
            sheet.fill(at, y, (step - gap).max(1.0), BAR, fill, texture);
            let face = Face::mono(
                TextSize::Micro,
                if block.is_some() { on_fill } else { Role::Ink3 },
            );
            let name = block.map_or_else(|| "–".to_owned(), |block| block.0.to_string());
            if face.width(&name) + 4.0 <= step - gap {
                sheet.text(&name, at + (step - gap) / 2.0, y + BAR / 2.0, face.center());
            }
        }
    }
    let taken = plan.places.len() as f32 * step;
    let rest = width - taken;
    if rest < 1.0 {
        return;
    }
    // The rest is hatched only if this resource prevents another block.
    if amount.limits {
        sheet.fill(
            x + taken,
            y,
            rest,
            BAR,
            Role::State(Mark::Throttle),
            Texture::Hatch,
        );
        sheet.frame(x + taken, y, rest, BAR, Role::State(Mark::Throttle), 1.0);
    } else {
        sheet.fill(x + taken, y, rest, BAR, Role::Line2, Texture::Dotted);
    }
}
