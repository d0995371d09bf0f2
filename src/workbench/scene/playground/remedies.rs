//! Small multiples of other layouts of the array: padded rows and swizzled columns.

use super::{Frame, Study};
use crate::playground::{Space, Swizzle, remedies};
use crate::scene::banks::draw_typed_small;
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Role, Target, TextSize};
use crate::words::counted;

/// Paddings that fit on a phone, in elements.
const PADS_PHONE: [u32; 5] = [0, 1, 2, 4, 8];

/// Draws the small multiples from `y` on, and returns the y below them.
pub(super) fn draw(sheet: &mut Sheet, study: &Study, frame: Frame, y: f32) -> f32 {
    if study.playground.space == Space::Global {
        // Padded rows move lines without changing their number.
        return y;
    }
    let tried: Vec<_> = remedies(study.playground, study.arch, study.options)
        .into_iter()
        .filter(|remedy| !frame.phone || remedy.swizzle != Swizzle::None || PADS_PHONE.contains(&remedy.pad))
        .collect();
    if tried.is_empty() {
        return y;
    }
    let title = Face::text(TextSize::Body, Role::Ink1).strong();
    let text = if frame.phone {
        "Other layouts".to_owned()
    } else {
        format!("With padded rows or swizzled columns, on {}", study.arch.name)
    };
    sheet.text(
        &title.fit(&text, frame.right - frame.left),
        frame.left,
        y + 8.0,
        title,
    );
    let num = tried.len() as f32;
    let step = (frame.right - frame.left + 10.0) / num.max(8.0);
    let unit = (((step - 12.0) / 32.0) * 4.0).floor() / 4.0;
    let (side, top) = (unit * 32.0, y + 24.0);
    for (idx, remedy) in tried.iter().enumerate() {
        let x = frame.left + idx as f32 * step;
        let layout = remedy.of(study.playground);
        sheet.rect(x, top, side, side, Role::Paper2);
        draw_typed_small(sheet, (&layout, &remedy.lanes, study.banks()), (x, top), unit);
        let figure = Face::text(TextSize::Body, Role::Ink1).strong();
        let code = Face::mono(TextSize::Micro, Role::Ink2);
        let name = match remedy.swizzle {
            Swizzle::Xor => "xor".to_owned(),
            Swizzle::None if frame.phone => format!("+{}", remedy.pad),
            Swizzle::None => layout.extents(),
        };
        let count = if frame.phone {
            remedy.count.to_string()
        } else {
            let text = counted(remedy.count.into(), "pass");
            if figure.width(&text) < step - 4.0 {
                text
            } else {
                remedy.count.to_string()
            }
        };
        sheet.text(&count, x, top + side + 13.0, figure);
        sheet.text(&code.fit(&name, step - 2.0), x, top + side + 28.0, code);
        if remedy.chosen {
            sheet.frame(x - 3.0, top - 3.0, side + 6.0, side + 6.0, Role::Selection, 2.0);
        }
        let target = match remedy.swizzle {
            Swizzle::Xor => Target::Swizzle,
            Swizzle::None => Target::Padding(remedy.pad as u8),
        };
        sheet.area(x, top, side, side + 34.0, target);
    }
    top + side + 44.0
}
