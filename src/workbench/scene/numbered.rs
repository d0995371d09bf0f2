//! Numbered rings: a disk with a number joins a ring on the picture to an answer of the explanation.

use super::kit::Face;
use super::ring::{bounds, ring};
use super::{Item, Role, Scene, Shape, Size, Target, TextSize, Texture};

/// Radius of a disk.
const RADIUS: f32 = 10.0;
/// Distance between the centers of two disks, at least.
const SPACE: f32 = 2.0 * RADIUS + 2.0;
/// Points of a disk's outline, and the cosine and the sine of the angle between two of them.
const POINTS: usize = 32;
const TURN: (f32, f32) = (0.980_785_3, 0.195_090_32);

/// Draws a ring and a disk with its number, from 1, around the first of each answer's targets that the scene shows.
pub fn number(scene: &mut Scene, answers: &[&[Target]]) {
    let mut taken: Vec<(f32, f32)> = Vec::new();
    let mut ringed: Vec<Target> = Vec::new();
    for (idx, targets) in answers.iter().enumerate() {
        let found = targets
            .iter()
            .find_map(|target| Some((*target, bounds(scene, *target)?)));
        let Some((target, (x, y, w, h))) = found else {
            continue;
        };
        if !ringed.contains(&target) {
            ring(scene, &[target]);
            ringed.push(target);
        }
        let (left, right, top, bottom) = (x - 3.0, x + w + 3.0, y - 3.0, y + h + 3.0);
        let middle = y + h / 2.0;
        let fits = |(cx, cy): &(f32, f32)| {
            *cx >= RADIUS
                && *cx <= scene.size.width - RADIUS
                && *cy >= RADIUS
                && *cy <= scene.size.height - RADIUS
                && taken
                    .iter()
                    .all(|other| distance_squared(*other, (*cx, *cy)) > SPACE * SPACE)
        };
        let corners = [
            (left, middle),
            (right, top),
            (right, middle),
            (left, top),
            (left, bottom),
            (right, bottom),
            (left + 24.0, top),
            (right - 24.0, top),
        ];
        let at = corners.into_iter().find(fits);
        let at = at.or_else(|| nearest((left, middle), scene.size, fits));
        let Some(at) = at else { continue };
        taken.push(at);
        disk(scene, at, idx + 1);
    }
}

fn distance_squared(a: (f32, f32), b: (f32, f32)) -> f32 {
    (a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)
}

/// The place nearest to a point, among places all over the picture, that fits.
fn nearest((x, y): (f32, f32), size: Size, fits: impl Fn(&(f32, f32)) -> bool) -> Option<(f32, f32)> {
    let steps = |length: f32| (0..(length / RADIUS) as u32).map(|step| (step + 1) as f32 * RADIUS);
    steps(size.width)
        .flat_map(|at_x| steps(size.height).map(move |at_y| (at_x, at_y)))
        .filter(fits)
        .min_by(|a, b| distance_squared(*a, (x, y)).total_cmp(&distance_squared(*b, (x, y))))
}

/// Bounds of what [`number`] rings: left, top, right, bottom, with the disks beside it.
pub fn numbered(scene: &Scene, answers: &[&[Target]]) -> Vec<[f32; 4]> {
    answers
        .iter()
        .filter_map(|targets| targets.iter().find_map(|target| bounds(scene, *target)))
        .map(|(x, y, w, h)| [x - 16.0, y - 16.0, x + w + 16.0, y + h + 16.0])
        .collect()
}

/// Draws a disk of ink in a ring of paper, with a number.
fn disk(scene: &mut Scene, (x, y): (f32, f32), number: usize) {
    let mut put = |shape: Shape, role: Role| {
        scene.items.push(Item {
            shape,
            role,
            texture: Texture::Solid,
            target: None,
        });
    };
    let circle = |radius: f32| {
        let mut at = (radius, 0.0);
        let points = (0..POINTS).map(|_| {
            at = (at.0 * TURN.0 - at.1 * TURN.1, at.0 * TURN.1 + at.1 * TURN.0);
            (x + at.0, y + at.1)
        });
        Shape::Polygon {
            points: points.collect(),
        }
    };
    put(circle(RADIUS + 2.0), Role::Paper1);
    put(circle(RADIUS), Role::Ink1);
    let face = Face::text(TextSize::Body, Role::InkInverse).strong().center();
    put(
        Shape::Text {
            x,
            y: y + 0.5,
            text: number.to_string(),
            size: face.size,
            mono: face.mono,
            strong: face.strong,
            align: face.align,
        },
        Role::InkInverse,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_do_not_overlap_and_stay_in_the_picture() {
        let item = |x: f32, bank: u8| Item {
            shape: Shape::Rect {
                x,
                y: 2.0,
                w: 8.0,
                h: 8.0,
            },
            role: Role::Ink1,
            texture: Texture::Solid,
            target: Some(Target::Bank(bank)),
        };
        let mut scene = Scene {
            items: vec![item(0.0, 1), item(10.0, 2), item(20.0, 3)],
            size: Size {
                width: 120.0,
                height: 60.0,
            },
            ..Scene::default()
        };
        let answers = [[Target::Bank(1)], [Target::Bank(2)], [Target::Bank(9)]];
        number(&mut scene, &answers.each_ref().map(<[Target; 1]>::as_slice));
        let at: Vec<(f32, f32, &str)> = scene
            .items
            .iter()
            .filter_map(|item| match &item.shape {
                Shape::Text { x, y, text, .. } => Some((*x, *y, text.as_str())),
                _ => None,
            })
            .collect();
        let [one, two] = at.as_slice() else {
            panic!("{at:?}")
        };
        assert_eq!((one.2, two.2), ("1", "2"));
        assert!(distance_squared((one.0, one.1), (two.0, two.1)) >= 400.0);
        assert!([one, two].iter().all(|disk| disk.0 >= 10.0 && disk.1 >= 10.0));
    }
}
