//! The Tensor view: one matrix product on the tensor cores, with the lane that holds each element, the step of the
//! instruction at the cycle, the values, and the same product with one multiply-add for each lane.

mod draw;
mod inspect;
mod rates;
mod shown;
#[cfg(test)]
mod tests;
mod wording;

use super::kit::{Face, Sheet};
use super::{Role, Scene, Size, Table, TextSize, Texture, ViewState};
use crate::words::fit_headline;
use engine::arch::Architecture;
use engine::isa::TensorUnit;
use engine::trace::{Direction, Frame};
use shown::Shown;

pub use inspect::{inspect_tensor, tensor_holder, tensor_tooltip};

/// Kernels of the library that use tensor cores, with their names.
pub const TENSOR_KERNELS: [(&str, &str); 3] = [
    ("product-tensor", "halves on tensor cores"),
    ("product-bytes", "bytes on tensor cores"),
    ("product-ffma", "the same with FFMAs"),
];

/// Space left and right of the picture.
const fn pad(width: f32) -> f32 {
    if width < 500.0 { 10.0 } else { 20.0 }
}

/// Whether an architecture has tensor cores.
pub const fn has_tensor_cores(arch: &Architecture) -> bool {
    TensorUnit::of(arch.compute_capability.number()).is_some()
}

/// Whether the view has a product to show.
pub fn has_product(frame: &Frame, view: &ViewState) -> bool {
    Shown::of(frame, view).is_some()
}

/// The cycle of the previous or next instruction on tensor cores of the shown warp.
pub fn beside_product(frame: &Frame, view: &ViewState, direction: Direction) -> Option<u64> {
    let pcs = shown::mma_pcs(frame.trace().program());
    let row = frame
        .record()
        .issue_by(frame.cycle(), direction, view.slot, &pcs)?;
    Some(row.cycle.0)
}

/// The Tensor view.
pub fn tensor(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    match Shown::of(frame, view) {
        Some(shown) => draw::product(frame, &shown, view, size),
        None => empty(frame, view, size),
    }
}

/// A picture without a product: dotted matrices, and what to do.
fn empty(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let pad = pad(size.width);
    let side = ((size.width - 2.0 * pad) / 2.6).min(size.height / 3.2).max(40.0);
    let (x, y) = (size.width / 2.0 - side, 30.0);
    for (left, top) in [
        (x + side + 8.0, y),
        (x, y + side + 8.0),
        (x + side + 8.0, y + side + 8.0),
    ] {
        sheet.fill(left, top, side - 8.0, side, Role::Line2, Texture::Dotted);
    }
    let face = Face::text(TextSize::Body, Role::Ink2).center();
    let mut line_y = y + 2.0 * side + 36.0;
    for line in face.wrap(&wording::what_to_do(frame, view), size.width - 2.0 * pad) {
        sheet.text(&line, size.width / 2.0, line_y, face);
        line_y += 18.0;
    }
    let height = size.height.max(line_y);
    let scene = sheet.finish(
        Size { height, ..size },
        fit_headline(wording::nothing(frame, view)),
        Table {
            columns: vec!["Tensor cores".to_owned(), "What to do".to_owned()],
            rows: vec![vec![
                wording::nothing(frame, view),
                wording::what_to_do(frame, view),
            ]],
        },
    );
    Scene {
        also: vec![wording::rate_table(frame.arch())],
        ..scene
    }
}
