//! Rings around what a lesson names: two pixels of ink, and two of paper outside.

use super::{Item, Role, Scene, Shape, Target, Texture};

/// Radius of a ring's corners, in CSS pixels.
pub const RING_RADIUS: f32 = 5.0;

/// Space between an item and its ring.
const GAP: f32 = 2.0;

/// Draws a ring around the items of each target that the scene shows. Targets without items get none.
pub fn ring(scene: &mut Scene, targets: &[Target]) {
    for target in targets {
        let Some((x, y, w, h)) = bounds(scene, *target) else {
            continue;
        };
        let mut put = |grow: f32, role: Role| {
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
        put(GAP + 2.0, Role::Paper1);
        put(GAP, Role::Ink1);
    }
}

/// The places of the rings in a scene: left, top, width, and height of each, in pixels of the scene.
pub fn ring_places(scene: &Scene, targets: &[Target]) -> Vec<(f32, f32, f32, f32)> {
    targets
        .iter()
        .filter_map(|target| bounds(scene, *target))
        .collect()
}

/// The smallest rectangle around the items of a target: left, top, width, height.
pub(super) fn bounds(scene: &Scene, target: Target) -> Option<(f32, f32, f32, f32)> {
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
}
