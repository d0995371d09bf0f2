//! The texts of every picture at the sizes of common stages: no text covers another, and none leaves the picture.

use std::fmt::Write as _;

use super::golden::opened;
use crate::scene::{Align, Item, Role, Scene, Shape, Size, Texture};
use crate::share::View;

/// Sizes of the picture in windows of 1024 × 768, 1280 × 720, 1366 × 768, 1920 × 1080, and 390 × 844 pixels, at normal
/// and at projector density, and of the panes of a split stage.
const SIZES: [(f32, f32); 15] = [
    (716.0, 486.0),
    (523.0, 346.0),
    (672.0, 430.0),
    (723.0, 316.0),
    (758.0, 480.0),
    (789.0, 350.0),
    (1312.0, 790.0),
    (1215.0, 590.0),
    (390.0, 570.0),
    (300.0, 390.0),
    (832.0, 636.0),
    (416.0, 560.0),
    (361.0, 280.0),
    (336.0, 200.0),
    (258.0, 240.0),
];

/// Each view with a kernel that fills it.
const LINKS: [(View, &str); 31] = [
    (View::Sm, "cycle=300"),
    (View::Sm, "arch=gf100;kernel=matmul-tiled;cycle=900"),
    (View::Sm, "arch=gt200;kernel=transpose-tiled;cycle=900"),
    (View::Sm, "arch=gh100;kernel=transpose-tiled;cycle=900"),
    (View::Timeline, "cycle=300"),
    (View::Timeline, "arch=gk110;kernel=transpose-tiled;cycle=900"),
    (View::Stalls, "cycle=900"),
    (View::Stalls, "by=line;cycle=900"),
    (View::Banks, "cycle=1400"),
    (View::Banks, "play=shared;expr=tile[threadIdx.x][threadIdx.y]"),
    (View::Coalescing, "cycle=900"),
    (View::Coalescing, "arch=gt200;kernel=strided-copy;cycle=300"),
    (View::Caches, "cycle=900"),
    (View::Caches, "kernel=stream;cache=device;cycle=900"),
    (View::Carveout, "cycle=900"),
    (View::Carveout, "arch=gf100;kernel=pressure;sweep=on;cycle=100"),
    (View::Registers, "cycle=300"),
    (View::Registers, "values=shared;cycle=900"),
    (View::Source, "cycle=900"),
    (View::Divergence, "kernel=divergence;cycle=700"),
    (View::Divergence, "arch=gf100;kernel=divergence;cycle=700"),
    (View::Tensor, "kernel=product-tensor;cycle=660;sum=3.5;lane=9"),
    (
        View::Tensor,
        "kernel=product-tensor;arch=gv100;cycle=520;cells=values;sum=9.2",
    ),
    (
        View::Tensor,
        "kernel=product-tensor;arch=ga100;cycle=450;cells=registers",
    ),
    (View::Tensor, "kernel=product-bytes;cycle=700;cells=values;lane=3"),
    (View::Tensor, "arch=gp104;kernel=product-tensor;cycle=100"),
    (View::Occupancy, "cycle=900"),
    (View::Occupancy, "arch=gf100;kernel=matmul-tiled;cycle=500"),
    (View::Compare, "compare=gf100;cycle=900"),
    (View::Compare, "compare=gf100,gp104;cycle=900"),
    (View::Compare, "compare=gf100,gp104,gv100;cycle=900"),
];

/// Least distance between two texts of a line, and between a text and a mark, in pixels.
const APART: f32 = 1.5;

/// Left, top, right, bottom of a text's letters.
fn letters(shape: &Shape) -> Option<([f32; 4], &str)> {
    shape.text_area(0.36).map(|(text, area)| (area, text))
}

/// Whether a text can be a piece of a line of code.
fn is_code(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::Text {
            mono: true,
            align: Align::Left,
            ..
        }
    )
}

/// Whether an item hides what is below it in these bounds.
fn hides(item: &Item, [left, top, right, bottom]: [f32; 4]) -> bool {
    let Shape::Rect { x, y, w, h } = item.shape else {
        return false;
    };
    item.texture == Texture::Solid && x <= left && y <= top && x + w >= right && y + h >= bottom
}

/// The faults of a picture's texts, one a line. A text on a mark of its own row, as in a filled cell, is none.
pub(super) fn faults(scene: &Scene) -> String {
    let mut texts: Vec<([f32; 4], &str, bool)> = Vec::new();
    let mut tiles: Vec<[f32; 4]> = Vec::new();
    let mut faults = String::new();
    for item in &scene.items {
        if let Some(area) = mark_area(item)
            && let Some((below, text, _)) = texts
                .iter()
                .find(|(below, ..)| overlap(*below, area) && !hides(item, *below))
        {
            writeln!(faults, "  `{text}` at {below:?} is under a mark at {area:?}").unwrap();
        }
        if let Shape::Tile { x, y, side, .. } = item.shape {
            tiles.push([x, y, x + side, y + side]);
        }
        let Some((bounds, text)) = letters(&item.shape) else {
            texts.retain(|(below, ..)| !hides(item, *below));
            tiles.retain(|below| !hides(item, *below));
            continue;
        };
        let code = is_code(&item.shape);
        for (other, below, is_code) in &texts {
            // Pieces of a line of code adjoin.
            let adjoins = code && *is_code && (bounds[0] - other[2]).abs() < 0.5;
            if overlap(bounds, *other) && !adjoins {
                writeln!(faults, "  `{below}` and `{text}` overlap: {other:?}, {bounds:?}").unwrap();
            }
        }
        if bounds[0] < -1.0 || bounds[2] > scene.size.width + 1.0 || bounds[3] > scene.size.height + 1.0 {
            writeln!(faults, "  `{text}` leaves the picture: {bounds:?}").unwrap();
        }
        texts.push((bounds, text, code));
    }
    for (bounds, text, _) in &texts {
        if let Some(tile) = tiles.iter().find(|tile| overlap(*bounds, **tile)) {
            writeln!(faults, "  `{text}` at {bounds:?} is on the mark at {tile:?}").unwrap();
        }
    }
    faults
}

/// The area of a filled mark that would cover letters: not of the playhead, which covers what is at its cycle.
fn mark_area(item: &Item) -> Option<[f32; 4]> {
    let Shape::Rect { x, y, w, h } = item.shape else {
        return None;
    };
    let covers = item.texture == Texture::Solid
        && !matches!(
            item.role,
            Role::Now | Role::Paper1 | Role::Paper2 | Role::Paper3 | Role::Line1 | Role::Line2
        );
    // A distance is only needed between letters.
    covers.then_some([x + APART, y, x + w - APART, y + h])
}

/// Whether two areas overlap, or are in one line without a distance.
fn overlap(one: [f32; 4], other: [f32; 4]) -> bool {
    let wide = one[2].min(other[2]) - one[0].max(other[0]);
    let high = one[3].min(other[3]) - one[1].max(other[1]);
    wide > -APART && high > 1.0
}

#[test]
fn texts_of_pictures_neither_overlap_nor_leave_the_picture() {
    let mut all = String::new();
    for (view, link) in LINKS {
        let session = opened(&format!("v1;view={};{link}", view.id()));
        for (width, height) in SIZES {
            let scene = session.shown().picture(view, Size { width, height }).unwrap();
            let faults = faults(&scene);
            if !faults.is_empty() {
                writeln!(all, "{view:?} {link} at {width} × {height}:\n{faults}").unwrap();
            }
        }
    }
    assert!(all.is_empty(), "{all}");
}
