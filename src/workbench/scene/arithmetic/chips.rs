//! The table of all chips: result, instructions, and rate of the operation.

use super::wording::{error_text, hex, rate_text};
use super::{ArithmeticData, Columns};
use crate::scene::fit::sample;
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Role, Target, TextSize};
use engine::arch::{ArchId, architecture};

/// Height of a row of a picture that has to fit.
const LOW_ROW: f32 = 20.0;

/// The chips of the table. Where the picture has to fit, the two shown chips, and as many others as have room.
fn chips(data: &ArithmeticData, room: f32) -> Vec<ArchId> {
    let all: Vec<ArchId> = data.study.all.iter().map(|(id, _)| *id).collect();
    if !data.is_whole {
        return all;
    }
    let is_shown = |idx: usize| all[idx] == data.own.id || all[idx] == data.beside;
    let num = (room / LOW_ROW).max(0.0) as usize;
    let sample = sample(all.len(), num, is_shown);
    sample.into_iter().map(|idx| all[idx]).collect()
}

/// Draws the table between `y` and the height of the picture. Returns the lower edge.
pub(super) fn draw(
    sheet: &mut Sheet,
    data: &ArithmeticData,
    columns: Columns,
    (y, height): (f32, f32),
) -> f32 {
    let (left, right) = (columns.left, columns.right);
    let head_y = if columns.phone { y + 34.0 } else { y + 15.0 };
    let drawn = chips(data, height - head_y - 24.0);
    if drawn.is_empty() {
        return y;
    }
    sheet.line((left, y), (right, y), 1.0, Role::Line1);
    let title = Face::text(TextSize::Body, Role::Ink1).strong();
    let all = data.study.all.len();
    let text = if drawn.len() < all {
        format!("On {} of {all} chips", drawn.len())
    } else {
        "On every chip".to_owned()
    };
    sheet.text(&text, left, y + 15.0, title);
    let head = Face::text(TextSize::Label, Role::Ink3);
    // Right edges of result, error, instructions, and rate.
    let edges = if columns.phone {
        [right - 130.0, right - 130.0, right - 84.0, right]
    } else {
        [left + 288.0, left + 372.0, left + 456.0, right]
    };
    let heads = if columns.phone {
        ["result", "", "instr.", "results per cycle"]
    } else {
        [
            "result",
            "error in ulp",
            "instructions",
            "results per cycle and SM, at most",
        ]
    };
    for (text, x) in heads.into_iter().zip(edges) {
        sheet.text(text, x, head_y, head.right());
    }
    let rates = data
        .study
        .all
        .iter()
        .filter_map(|(id, found)| found.as_ref().ok()?.rate(architecture(*id)));
    let most = rates.fold(1.0_f64, f64::max);
    let pitch = match (data.is_whole, columns.phone) {
        (true, _) => LOW_ROW,
        (false, true) => 44.0,
        (false, false) => ((height - head_y - 24.0) / all as f32)
            .floor()
            .clamp(LOW_ROW, 26.0),
    };
    let mut top = head_y + 14.0;
    for (id, found) in data.study.all.iter().filter(|(id, _)| drawn.contains(id)) {
        let arch = architecture(*id);
        let middle = top + pitch / 2.0;
        let is_shown = *id == data.own.id || *id == data.beside;
        if is_shown {
            sheet.rect(left - 8.0, top, right - left + 16.0, pitch - 1.0, Role::Paper3);
        }
        let name = Face::text(TextSize::Label, Role::Ink1);
        let name = if is_shown { name.strong() } else { name };
        let cell = Face::mono(TextSize::Label, Role::Ink1).right();
        if columns.phone {
            sheet.text(&name.fit(arch.name, edges[0] - left - 76.0), left, middle, name);
        } else {
            sheet.text(
                &arch.compute_capability.to_string(),
                left,
                middle,
                Face::mono(TextSize::Label, Role::Ink3),
            );
            sheet.text(&name.fit(arch.name, 140.0), left + 30.0, middle, name);
        }
        match found {
            Ok(found) => {
                sheet.text(&hex(found.result), edges[0], middle, cell);
                if !columns.phone {
                    sheet.text(&error_text(data, found.result), edges[1], middle, cell);
                }
                sheet.text(&found.steps.len().to_string(), edges[2], middle, cell);
                sheet.text(&rate_text(found, arch), edges[3], middle, cell);
                if let (Some(rate), false) = (found.rate(arch), columns.phone) {
                    let room = edges[3] - 64.0 - (edges[2] + 24.0);
                    let width = (room * (rate / most) as f32).max(1.0);
                    sheet.rect(edges[2] + 24.0, middle - 4.0, width, 8.0, Role::Ink3);
                }
            }
            Err(why) => {
                let from = if columns.phone { left + 80.0 } else { left + 180.0 };
                let face = Face::text(TextSize::Label, Role::Ink2);
                sheet.text(&face.fit(why, right - from), from, middle, face);
            }
        }
        sheet.area(left - 8.0, top, right - left + 16.0, pitch, Target::Arch(*id));
        top += pitch;
    }
    top
}
