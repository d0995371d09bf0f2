//! The rows of bits: operands, the exact way to the result by weight, and the result.

use super::wording::{chip_line, hex, result_line};
use super::{ArithmeticData, Columns, Shown};
use crate::arithmetic::{BitRow, Number};
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Role, TextSize, Texture};

/// Height of a bit.
const BIT: f32 = 15.0;
/// Space between the fields of a number, in bits.
const GAP: f32 = 0.6;
/// The narrowest bit with a digit.
const DIGIT_PX: f32 = 7.4;
/// The narrowest bit.
const MIN_PX: f32 = 2.8;

/// The weights that the pictures of both chips show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    top: i32,
    low: i32,
    /// Pixels per bit.
    px: f32,
    /// Bits below the window that are not drawn.
    hidden: i32,
}

impl Window {
    pub(super) fn new(shown: &[Shown; 2], columns: Columns) -> Self {
        let rows = || {
            let found = shown.iter().filter_map(|shown| shown.found.as_ref().ok());
            found
                .flat_map(|(_, anatomy)| &anatomy.rows)
                .filter(|row| !row.value.is_zero())
        };
        let top = rows().map(|row| row.range.0).max().unwrap_or(0);
        let low = rows().map(|row| row.range.1).min().unwrap_or(0);
        let most = (columns.width() / MIN_PX) as i32;
        let visible = (top - low + 1).clamp(1, most);
        Self {
            top,
            low: top - visible + 1,
            px: (columns.width() / visible as f32).min(12.0),
            hidden: top - low + 1 - visible,
        }
    }

    fn x(&self, columns: Columns, weight: i32) -> f32 {
        columns.bits.0 + (self.top - weight) as f32 * self.px
    }
}

/// How a bit is drawn.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Field,
    Kept,
    Lost,
}

fn draw_bit(sheet: &mut Sheet, (x, y, px): (f32, f32, f32), is_set: bool, look: Look) {
    let w = if px >= 4.5 { px - 1.0 } else { px - 0.4 };
    match (look, is_set) {
        (Look::Field, true) => sheet.rect(x, y, w, BIT, Role::Ink2),
        (Look::Kept, true) => sheet.rect(x, y, w, BIT, Role::Used),
        (Look::Field | Look::Kept, false) => sheet.rect(x, y, w, BIT, Role::Paper4),
        (Look::Lost, true) => sheet.fill(x, y, w, BIT, Role::Wasted, Texture::Hatch),
        (Look::Lost, false) => sheet.rect(x, y + BIT - 2.0, w, 2.0, Role::Line2),
    }
    if px < DIGIT_PX {
        return;
    }
    let role = match (look, is_set) {
        (Look::Field, true) => Role::InkInverse,
        (Look::Kept, true) => Role::OnIssue,
        (Look::Lost, true) => return,
        _ => Role::Ink2,
    };
    let face = Face::mono(TextSize::Micro, role).center();
    sheet.text(
        if is_set { "1" } else { "0" },
        x + w / 2.0,
        y + BIT / 2.0 + 0.5,
        face,
    );
}

/// The fields of a number: their names, and their highest and lowest bit.
fn fields(number: Number) -> Vec<(&'static str, u32, u32)> {
    match number.ty.format() {
        None => vec![("", number.ty.bits() - 1, 0)],
        Some(format) => vec![
            ("sign", format.bits() - 1, format.bits() - 1),
            ("exponent", format.bits() - 2, format.fraction_bits()),
            ("fraction", format.fraction_bits() - 1, 0),
        ],
    }
}

/// Draws a number by fields. `other`: the number that it is compared with, whose different bits are framed.
fn draw_number(
    sheet: &mut Sheet,
    number: Number,
    other: Option<Number>,
    columns: Columns,
    (y, has_names): (f32, bool),
) {
    let fields = fields(number);
    let gaps = GAP * (fields.len() - 1) as f32;
    let px = (columns.width() / (number.ty.bits() as f32 + gaps)).min(12.0);
    let mut x = columns.bits.0;
    for (name, high, low) in fields {
        if has_names {
            let face = Face::text(TextSize::Micro, Role::Ink3);
            let width = (high - low + 1) as f32 * px;
            // The field of the sign has no room for its name.
            let name = if face.width(name) <= width { name } else { "s" };
            sheet.text(name, x, y - 8.0, face);
        }
        for bit in (low..=high).rev() {
            draw_bit(sheet, (x, y, px), number.bits >> bit & 1 == 1, Look::Field);
            if other.is_some_and(|other| other.ty == number.ty && (other.bits ^ number.bits) >> bit & 1 == 1)
            {
                sheet.frame(x - 1.0, y - 2.0, px + 0.5, BIT + 4.0, Role::Selection, 1.5);
            }
            x += px;
        }
        x += GAP * px;
    }
}

/// Draws a label left of the bits and a text right of them or, on a phone, both above them. Returns the upper edge of
/// the bits, and the height of the row below it.
fn draw_label(sheet: &mut Sheet, name: &str, text: (&str, bool), columns: Columns, y: f32) -> (f32, f32) {
    let face = Face::text(TextSize::Label, Role::Ink2);
    let (text, is_number) = text;
    let value = if is_number {
        Face::mono(TextSize::Label, Role::Ink1)
    } else {
        Face::text(TextSize::Label, Role::Ink1)
    };
    if columns.phone {
        sheet.text(name, columns.left, y + 7.0, face);
        let room = columns.right - columns.left - face.width(name) - 12.0;
        sheet.text(&value.fit(text, room), columns.right, y + 7.0, value.right());
        return (y + 18.0, BIT);
    }
    sheet.text(name, columns.left, y + BIT / 2.0, face);
    let lines = value.wrap(text, columns.right - columns.bits.1 - 12.0);
    for (line, y) in lines
        .iter()
        .zip((0..).map(|idx| y + BIT / 2.0 + 14.0 * idx as f32))
    {
        sheet.text(line, columns.bits.1 + 12.0, y, value);
    }
    (y, BIT + 14.0 * lines.len().saturating_sub(1) as f32)
}

/// Draws the operation and its operands. Returns the lower edge.
pub(super) fn draw_operands(sheet: &mut Sheet, data: &ArithmeticData, columns: Columns, y: f32) -> f32 {
    let title = Face::mono(TextSize::Read, Role::Ink1).strong();
    let room = columns.right - columns.left;
    let mut y = y - 8.0;
    for line in title.wrap(&data.study.text, room) {
        y += 18.0;
        sheet.text(&title.fit(&line, room), columns.left, y, title);
    }
    y += 24.0;
    for (idx, operand) in data.study.operation.operands.iter().enumerate() {
        let name = ["a", "b", "c"].get(idx).copied().unwrap_or("");
        let text = format!("{} = {}", operand.value(), hex(*operand));
        let label = format!("{name}, {}", operand.ty.name());
        let (top, height) = draw_label(sheet, &label, (&text, true), columns, y);
        // On a phone the label is where the names of the fields would be.
        draw_number(sheet, *operand, None, columns, (top, idx == 0 && !columns.phone));
        y = top + height + 7.0;
    }
    y
}

/// Draws a chip's way to the result, or only the result. Returns the lower edge.
pub(super) fn draw_chip(
    sheet: &mut Sheet,
    data: &ArithmeticData,
    (shown, other): (&Shown, &Shown),
    (window, is_brief): (&Window, bool),
    columns: Columns,
    y: f32,
) -> f32 {
    sheet.line((columns.left, y), (columns.right, y), 1.0, Role::Line1);
    let strong = Face::text(TextSize::Body, Role::Ink1).strong();
    let small = Face::text(TextSize::Label, Role::Ink2);
    sheet.text(shown.arch.name, columns.left, y + 15.0, strong);
    let line = chip_line(shown);
    let indent = if columns.phone {
        columns.left
    } else {
        columns.bits.0
    };
    let mut y = if columns.phone { y + 33.0 } else { y + 15.0 };
    for text in small.wrap(&line, columns.right - indent) {
        sheet.text(&text, indent, y, small);
        y += 15.0;
    }
    y += 2.0;
    let Ok((found, anatomy)) = &shown.found else {
        return y;
    };
    let rows = if is_brief { &[][..] } else { &anatomy.rows };
    if rows.iter().any(|row| !row.value.is_zero()) {
        draw_weights(sheet, window, columns, y);
        y += 11.0;
    }
    for row in rows {
        y = draw_row(sheet, row, window, columns, y);
    }
    if window.hidden > 0 && !rows.is_empty() {
        let text = format!("{} more bits on the right are not drawn.", window.hidden);
        sheet.text(
            &text,
            columns.bits.0,
            y + 5.0,
            Face::text(TextSize::Label, Role::Ink3),
        );
        y += 16.0;
    }
    y += 4.0;
    let (top, height) = draw_label(sheet, "result", (&result_line(data, found), true), columns, y);
    draw_number(sheet, found.result, other.result(), columns, (top, false));
    top + height
}

/// Draws the weights of some bits above them.
fn draw_weights(sheet: &mut Sheet, window: &Window, columns: Columns, y: f32) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let step = [8, 16, 32, 64]
        .into_iter()
        .find(|step| *step as f32 * window.px >= 40.0)
        .unwrap_or(64);
    for weight in (window.low..=window.top).rev().step_by(step) {
        let x = window.x(columns, weight);
        let text = format!("2^{weight}");
        if x + face.width(&text) <= columns.bits.1 + 8.0 {
            sheet.text(&text, x, y + 2.0, face);
        }
    }
}

/// Draws the bits of a row by their weights, with a line where the kept bits end. Returns the lower edge.
fn draw_row(sheet: &mut Sheet, row: &BitRow, window: &Window, columns: Columns, y: f32) -> f32 {
    let lost = row.num_lost() + usize::from(row.value.endless);
    let note = match (row.note, lost) {
        ("", _) => String::new(),
        (note, 0) => note.to_owned(),
        (note, _) if row.value.endless => format!("{note}, endless"),
        (note, 1) => format!("{note}, one 1 lost"),
        (note, lost) => format!("{note}, {lost} ones lost"),
    };
    let sign = if row.value.negative { "− " } else { "" };
    let label = format!("{sign}{}", row.name);
    let (top, height) = draw_label(sheet, &label, (&note, false), columns, y);
    let bottom = top + height + 6.0;
    if row.value.is_zero() {
        let face = Face::mono(TextSize::Label, Role::Ink2);
        sheet.text("0", columns.bits.0, top + BIT / 2.0, face);
        return bottom;
    }
    for weight in row.weights().filter(|weight| *weight >= window.low) {
        let look = if row.keeps(weight) { Look::Kept } else { Look::Lost };
        let x = window.x(columns, weight);
        draw_bit(sheet, (x, top, window.px), row.value.bit(weight), look);
    }
    let cuts = [
        (row.kept.1 != row.range.1 || row.value.endless, row.kept.1 - 1),
        (row.kept.0 != row.range.0, row.kept.0),
    ];
    for (_, weight) in cuts
        .into_iter()
        .filter(|(is_cut, weight)| *is_cut && *weight + 1 >= window.low)
    {
        let x = window.x(columns, weight) - 0.5;
        sheet.line((x, top - 3.0), (x, top + BIT + 3.0), 2.0, Role::Ink1);
    }
    bottom
}
