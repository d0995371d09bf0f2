//! The counters of three and more runs as bars: one group a counter, one bar a run.

use super::super::kit::{Face, Sheet};
use super::super::{Role, Target, TextSize};
use super::Comparison;
use super::table::{CounterRow, LARGE, counter_rows, number};

/// Least width of a group, and the gap between two groups.
const GROUP: f32 = 236.0;
const GAP: f32 = 24.0;
/// Height of a bar's row, and of the title above the bars.
const ROW: f32 = 15.0;
const TITLE: f32 = 18.0;
/// Width of the names left of the bars, and of the values right of them.
const NAME: f32 = 50.0;
const VALUE: f32 = 66.0;

/// Draws the groups, and returns the y below.
pub(super) fn draw(sheet: &mut Sheet, comparison: &Comparison, (x, y, width): (f32, f32, f32)) -> f32 {
    let label = Face::text(TextSize::Label, Role::Ink3);
    sheet.text(&label.fit(&comparison.of, width), x, y, label);
    let y = y + 20.0;
    let columns = (((width + GAP) / (GROUP + GAP)) as usize).max(1);
    let group = (width - GAP * (columns - 1) as f32) / columns as f32;
    let high = TITLE + ROW * comparison.sides.len() as f32 + 14.0;
    let rows = counter_rows(comparison);
    for (idx, row) in rows.iter().enumerate() {
        let at = (
            x + (idx % columns) as f32 * (group + GAP),
            y + (idx / columns) as f32 * high,
        );
        sheet.area(
            at.0,
            at.1 - 8.0,
            group,
            high - 8.0,
            Target::Counter(idx.min(255) as u8),
        );
        draw_group(sheet, comparison, row, (at.0, at.1, group));
    }
    y + rows.len().div_ceil(columns) as f32 * high
}

fn draw_group(sheet: &mut Sheet, comparison: &Comparison, row: &CounterRow, (x, y, width): (f32, f32, f32)) {
    let is_large = row.spread() >= LARGE;
    let title = Face::text(TextSize::Label, Role::Ink1);
    let title = if is_large { title.strong() } else { title };
    if is_large {
        sheet.rect(x, y - 3.0, 6.0, 6.0, Role::Ink1);
    }
    let left = if is_large { x + 11.0 } else { x };
    sheet.text(&title.fit(&row.title(), x + width - left), left, y, title);
    let largest = row
        .values
        .iter()
        .filter_map(|value| (*value).ok())
        .fold(0.0, f64::max);
    let room = (width - NAME - VALUE).max(1.0);
    for (idx, (side, value)) in comparison.sides.iter().zip(&row.values).enumerate() {
        let y = y + TITLE + ROW * idx as f32;
        let role = if idx == comparison.reference {
            Role::Ink1
        } else {
            Role::Ink3
        };
        let name = Face::mono(TextSize::Label, role);
        sheet.text(&name.fit(&side.short, NAME - 4.0), x, y, name);
        match value {
            Ok(value) => {
                let share = if largest > 0.0 { value / largest } else { 0.0 };
                let least = if *value > 0.0 { 1.0 } else { 0.0 };
                let bar = (room * share as f32).max(least);
                sheet.rect(x + NAME, y - 4.0, bar, 8.0, role);
                let face = Face::mono(TextSize::Label, Role::Ink1).right();
                sheet.text(&face.fit(&number(*value), VALUE - 6.0), x + width, y, face);
            }
            Err(reason) => {
                let face = Face::text(TextSize::Label, Role::Ink3);
                sheet.text(&face.fit(reason, width - NAME), x + NAME, y, face);
            }
        }
    }
}
