//! Rings around what a lesson names: two pixels of ink, and two of paper outside. Lines of text touch each other, so
//! their ring lies inside of them, and neighboring lines share one ring.

use super::{Item, Role, Scene, Shape, Target, Texture};

/// Radius of a ring's corners, in CSS pixels.
pub const RING_RADIUS: f32 = 5.0;

/// Space between an item and its ring.
const GAP: f32 = 2.0;

/// The largest distance of lines that share a ring, in CSS pixels: rows have fractional places.
const TOUCH: f32 = 1.0;

/// Left, top, width, height.
type Area = (f32, f32, f32, f32);

/// Draws a ring around the items of each target that the scene shows. Targets without items get none.
pub fn ring(scene: &mut Scene, targets: &[Target]) {
    let is_line = |target: &Target| matches!(target, Target::CodeLine(_) | Target::Line(_));
    let (lines, others): (Vec<Target>, Vec<Target>) = targets.iter().partition(|target| is_line(target));
    let blocks = blocks(ring_places(scene, &lines));
    let places = ring_places(scene, &others);
    let mut put = |(x, y, w, h): Area, grow: f32, role: Role| {
        let shape = Shape::Rect {
            x: x - grow,
            y: y - grow,
            w: w + 2.0 * grow,
            h: h + 2.0 * grow,
        };
        scene.items.push(Item {
            shape,
            role,
            texture: Texture::Ring(2.0),
            target: None,
        });
    };
    for area in blocks {
        put(area, 0.0, Role::Ink1);
    }
    for area in places {
        put(area, GAP + 2.0, Role::Paper1);
        put(area, GAP, Role::Ink1);
    }
}

/// Lines that touch each other, as one area.
fn blocks(mut lines: Vec<Area>) -> Vec<Area> {
    lines.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut blocks: Vec<Area> = Vec::new();
    for (x, y, w, h) in lines {
        match blocks.last_mut() {
            Some((left, top, width, height)) if y <= *top + *height + TOUCH => {
                let (right, bottom) = ((*left + *width).max(x + w), (*top + *height).max(y + h));
                *left = left.min(x);
                (*width, *height) = (right - *left, bottom - *top);
            }
            _ => blocks.push((x, y, w, h)),
        }
    }
    blocks
}

/// The places of the rings in a scene: left, top, width, and height of each, in pixels of the scene.
pub fn ring_places(scene: &Scene, targets: &[Target]) -> Vec<Area> {
    targets
        .iter()
        .filter_map(|target| bounds(scene, *target))
        .collect()
}

/// The smallest rectangle around the items of a target: left, top, width, height.
pub(super) fn bounds(scene: &Scene, target: Target) -> Option<Area> {
    let mut all: Option<(f32, f32, f32, f32)> = None;
    for item in scene.items.iter().filter(|item| item.target == Some(target)) {
        let Shape::Rect { x, y, w, h } = item.shape else {
            continue;
        };
        all = Some(match all {
            None => (x, y, x + w, y + h),
            Some((left, top, right, bottom)) => {
                (left.min(x), top.min(y), right.max(x + w), bottom.max(y + h))
            }
        });
    }
    all.map(|(left, top, right, bottom)| (left, top, right - left, bottom - top))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_surrounds_all_items_of_its_target() {
        let item = |x: f32, target: Target| Item {
            shape: Shape::Rect {
                x,
                y: 10.0,
                w: 20.0,
                h: 5.0,
            },
            role: Role::Ink1,
            texture: Texture::Solid,
            target: Some(target),
        };
        let mut scene = Scene {
            items: vec![
                item(0.0, Target::Bank(3)),
                item(40.0, Target::Bank(3)),
                item(80.0, Target::Bank(4)),
            ],
            ..Scene::default()
        };
        let targets = [Target::Bank(3), Target::Bank(9)];
        assert_eq!(ring_places(&scene, &targets), [(0.0, 10.0, 60.0, 5.0)]);
        ring(&mut scene, &targets);
        let rings: Vec<&Shape> = scene.items[3..].iter().map(|item| &item.shape).collect();
        let rect = |x: f32, y: f32, w: f32, h: f32| Shape::Rect { x, y, w, h };
        assert_eq!(rings, [&rect(-4.0, 6.0, 68.0, 13.0), &rect(-2.0, 8.0, 64.0, 9.0)]);
        assert!(scene.items[3..].iter().all(|item| item.target.is_none()));
    }

    /// A ring of one line does not cover its neighbors, and neighboring lines have one ring.
    #[test]
    fn rings_of_lines_do_not_cut_their_neighbors() {
        let line = |number: u8| Item {
            shape: Shape::Rect {
                x: 10.0,
                y: 17.0 * f32::from(number),
                w: 300.0,
                h: 17.0,
            },
            role: Role::Paper1,
            texture: Texture::Solid,
            target: Some(Target::CodeLine(number.into())),
        };
        let mut scene = Scene {
            items: (1..=20).map(line).collect(),
            ..Scene::default()
        };
        ring(&mut scene, &[13, 12, 16].map(Target::CodeLine));
        let rings: Vec<&Shape> = scene.items[20..].iter().map(|item| &item.shape).collect();
        let rect = |y: f32, h: f32| Shape::Rect {
            x: 10.0,
            y,
            w: 300.0,
            h,
        };
        assert_eq!(rings, [&rect(204.0, 34.0), &rect(272.0, 17.0)]);
    }
}
