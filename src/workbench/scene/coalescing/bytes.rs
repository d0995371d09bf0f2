//! The byte bar: used, fetched but unused, and not fetched bytes, to scale.

use super::plan::Plan;
use super::wording::byte_labels;
use crate::scene::kit::{Face, Sheet};
use crate::scene::lanes::Grid;
use crate::scene::{Role, TextSize, Texture};
use crate::words::thousands;

/// Draws the bar from `y` on, and returns the y below it.
pub(super) fn draw(sheet: &mut Sheet, grid: Grid, plan: &Plan, y: f32) -> f32 {
    const HEIGHT: f32 = 18.0;
    let (used, wasted, untouched) = (plan.used(), plan.wasted(), plan.untouched());
    let total = (used + wasted + untouched).max(1) as f32;
    let full = grid.right() - 1.0 - grid.x;
    let labels = byte_labels(plan.request.kind);
    let parts = [used, wasted, untouched];
    let text = |idx: usize| format!("{} {}", thousands(parts[idx].into()), labels[idx]);
    let bold = Face::text(TextSize::Label, Role::Ink1).strong();
    let plain = Face::text(TextSize::Label, Role::Ink3);
    let mut top = y;
    if grid.phone {
        sheet.text("Bytes", grid.x, y + 5.0, plain);
        top += 12.0;
    } else {
        sheet.text("Bytes", grid.margin, y + HEIGHT / 2.0, plain);
    }
    let widths = parts.map(|part| full * part as f32 / total);
    let fits = |idx: usize| parts[idx] == 0 || bold.width(&text(idx)) * 1.1 + 20.0 <= widths[idx];
    let inside = (0..3).all(fits);
    let middle = top + HEIGHT / 2.0;
    let mut x = grid.x;
    for (idx, width) in widths.into_iter().enumerate() {
        if parts[idx] == 0 {
            continue;
        }
        let (w, label) = ((width - 1.0).max(1.0), text(idx));
        match idx {
            0 => {
                sheet.rect(x, top, w, HEIGHT, Role::Used);
                if inside {
                    sheet.text(&label, x + 7.0, middle, bold.role(Role::OnIssue));
                }
            }
            1 => {
                sheet.fill(x, top, w, HEIGHT, Role::Wasted, Texture::Hatch);
                sheet.fill(x, top, w, HEIGHT, Role::Wasted, Texture::Outline(1.0));
                if inside {
                    sheet.rect(
                        x + 6.0,
                        top + 2.0,
                        bold.width(&label) * 1.1 + 8.0,
                        HEIGHT - 4.0,
                        Role::Paper1,
                    );
                    sheet.text(&label, x + 10.0, middle, bold);
                }
            }
            _ => {
                sheet.fill(x, top, w, HEIGHT, Role::Line2, Texture::Dotted);
                if inside {
                    sheet.text(&label, x + 7.0, middle, plain);
                }
            }
        }
        x += width;
    }
    if inside {
        return top + HEIGHT + 6.0;
    }
    let labels: Vec<String> = (0..3).filter(|idx| parts[*idx] > 0).map(text).collect();
    let line = labels.join(", ");
    let face = Face::text(TextSize::Label, Role::Ink2);
    sheet.text(
        &face.fit(&line, grid.right() - grid.x),
        grid.x,
        top + HEIGHT + 11.0,
        face,
    );
    top + HEIGHT + 20.0
}
