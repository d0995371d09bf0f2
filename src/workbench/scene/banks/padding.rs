//! Small multiples of the same request with the rows of its array padded.

use super::super::kit::{Face, Sheet};
use super::super::{Role, Target, TextSize};
use super::plan::Plan;
use crate::words::counted;
use engine::isa::{Program, SymbolSpace};
use engine::sim::Access;
use engine::trace::Frame;

/// Paddings of a row, in words.
const PADS: [u32; 6] = [0, 1, 2, 3, 4, 8];
const PADS_PHONE: [u32; 5] = [0, 1, 2, 4, 8];
const WORD_BYTES: u32 = 4;

/// The rows of the array that a request accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows {
    base: u32,
    row_bytes: u32,
    elem_bytes: u32,
    /// All extents but the last, in the syntax of a declaration; empty without a declaration.
    outer: String,
    name: String,
}

impl Rows {
    /// The rows of the declared array with at least two dimensions that holds the request's lowest address;
    /// else rows of 32 words from the start of shared memory.
    fn of(program: &Program, access: &Access) -> Self {
        let lowest = access
            .mask
            .lanes()
            .map(|lane| access.addresses[lane as usize] as u32)
            .min()
            .unwrap_or(0);
        let declared = program.symbols.iter().find(|symbol| {
            symbol.space == SymbolSpace::Shared
                && symbol.dims.len() >= 2
                && (symbol.offset..symbol.offset + symbol.size).contains(&lowest)
        });
        match declared {
            Some(symbol) => {
                let count: u32 = symbol.dims.iter().product::<u32>().max(1);
                let elem_bytes = (symbol.size / count).max(1);
                let (last, outer) = symbol.dims.split_last().unwrap_or((&1, &[]));
                Self {
                    base: symbol.offset,
                    row_bytes: last * elem_bytes,
                    elem_bytes,
                    outer: outer
                        .iter()
                        .fold(String::new(), |text, dim| text + &format!("[{dim}]")),
                    name: symbol.name.clone(),
                }
            }
            None => Self {
                base: 0,
                row_bytes: 32 * WORD_BYTES,
                elem_bytes: WORD_BYTES,
                outer: String::new(),
                name: String::new(),
            },
        }
    }

    /// The request with rows padded by `pad` words.
    fn padded(&self, access: &Access, pad: u32) -> Access {
        let mut moved = access.clone();
        for address in &mut moved.addresses {
            let offset = (*address as u32).saturating_sub(self.base);
            let row = offset / self.row_bytes.max(1);
            *address = u64::from(*address as u32 + row * pad * WORD_BYTES);
        }
        moved
    }

    /// `[32][33]`; `+1 word` without a declaration, or if the padding is no whole number of elements.
    fn declaration(&self, pad: u32) -> String {
        let bytes = self.row_bytes + pad * WORD_BYTES;
        if self.outer.is_empty() || !bytes.is_multiple_of(self.elem_bytes) {
            return format!("+{}", counted(pad.into(), "word"));
        }
        format!("{}[{}]", self.outer, bytes / self.elem_bytes)
    }
}

/// Whether every lane's access is aligned to its width.
fn is_aligned(access: &Access) -> bool {
    let bytes = u64::from(access.width_bits / 8).max(1);
    access
        .mask
        .lanes()
        .all(|lane| access.addresses[lane as usize].is_multiple_of(bytes))
}

/// Draws the small multiples between the x and y limits, and returns the y below them.
pub(super) fn draw_paddings(
    sheet: &mut Sheet,
    frame: &Frame,
    access: &Access,
    (left, right): (f32, f32),
    (top, height): (f32, f32),
) -> f32 {
    let phone = right < 520.0;
    let pads: &[u32] = if phone { &PADS_PHONE } else { &PADS };
    let rows = Rows::of(frame.trace().program(), access);
    let num = pads.len() as f32;
    let gap = if phone { 10.0 } else { 24.0 };
    let widest = (right - left - (num - 1.0) * gap) / num;
    let unit = ((widest / 32.0).min(((height - top - 46.0) / 32.0).max(1.5)) * 4.0).floor() / 4.0;
    let side = unit * 32.0;
    let title = super::wording::paddings_title(phone, &rows.name);
    let head = Face::text(TextSize::Body, Role::Ink1).strong();
    sheet.text(&head.fit(&title, right - left), left, top - 10.0, head);
    let step = (right - left - side) / (num - 1.0);
    let low = top + 6.0;
    for (idx, pad) in pads.iter().enumerate() {
        let x = left + idx as f32 * step;
        let moved = rows.padded(access, *pad);
        sheet.rect(x, low, side, side, Role::Paper2);
        let figure = Face::text(TextSize::Body, Role::Ink1).strong();
        let code = Face::mono(TextSize::Micro, Role::Ink2);
        if is_aligned(&moved) {
            let plan = Plan::of(frame.banks(), &moved);
            draw_small(sheet, &plan, (x, low), unit);
            let passes = plan.passes.len() as u64;
            let text = if phone {
                passes.to_string()
            } else {
                counted(passes, "pass")
            };
            sheet.text(&text, x, low + side + 12.0, figure);
        } else {
            sheet.text(
                if phone { "–" } else { "misaligned" },
                x,
                low + side + 12.0,
                figure.role(Role::Ink3),
            );
        }
        if phone {
            sheet.text(&format!("+{pad}"), x + side, low + side + 12.0, code.right());
        } else {
            sheet.text(
                &code.fit(&rows.declaration(*pad), step - 4.0),
                x,
                low + side + 27.0,
                code,
            );
        }
        if *pad == 0 {
            sheet.frame(x - 3.0, low - 3.0, side + 6.0, side + 6.0, Role::Selection, 2.0);
        }
        sheet.area(x, low, side, side + 32.0, Target::Padding(*pad as u8));
    }
    low + side + 40.0
}

/// Draws the accessed words in a square of 32 by 32 cells, from the first accessed row on.
pub(super) fn draw_small(sheet: &mut Sheet, plan: &Plan, (x, y): (f32, f32), unit: f32) {
    let rows = plan.rows();
    let dense: Vec<u32> = if rows.len() > 32 {
        let first = rows.first().copied().unwrap_or(0);
        (first..first + 32).collect()
    } else {
        rows
    };
    for (idx, row) in dense.iter().enumerate() {
        for column in 0..32 {
            let width = unit / plan.parts as f32;
            for cell in plan.cells(*row, column) {
                sheet.rect(
                    x + column as f32 * unit + cell.part as f32 * width,
                    y + idx as f32 * unit,
                    (width - 0.5).max(1.0),
                    (unit - 0.5).max(1.0),
                    Role::Pass(plan.step(&cell.passes)),
                );
            }
        }
    }
}
