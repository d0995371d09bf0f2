//! The parts of a scene that differ from the previous scene, so that only these are repainted.

use super::kit::text_width;
use super::{Align, Item, Mark, Shape, Size, Texture};

/// Number of items to search for the next equal item.
const WINDOW: usize = 48;
/// Maximum number of separate areas; more are merged.
const NUM_AREAS: usize = 96;
/// Maximum size of a merged area, relative to the sum of its two areas.
const LOOSE: f32 = 1.25;
/// Share of the scene above which the whole scene is repainted.
const WHOLE: f32 = 0.5;
/// Margin around a shape that its edges may touch, in pixels.
const MARGIN: f32 = 2.0;

/// Left, top, right, bottom in CSS pixels.
pub type Area = [f32; 4];

/// The areas in which `new` differs from `old`, on whole pixels and without overlaps. `None`: so much differs that a
/// full repaint is cheaper. Items outside all areas are the same, in the same order. `over` is the old and the new
/// overlay.
///
/// No area cuts a slanted edge, because painters antialias a clipped edge differently.
pub fn damage(old: &[Item], new: &[Item], over: [&[Item]; 2], size: Size) -> Option<Vec<Area>> {
    let mut areas = differing(old, new);
    let [before, after] = over;
    if before != after {
        for item in before.iter().chain(after) {
            add(&mut areas, bounds(item));
        }
    }
    if !areas.is_empty() {
        keep_whole(&mut areas, new.iter().chain(after).filter_map(slanted).collect());
    }
    let total: f32 = areas.iter().map(extent).sum();
    (total <= WHOLE * size.width * size.height).then_some(areas)
}

/// The areas of items that only one of two scenes has.
fn differing(old: &[Item], new: &[Item]) -> Vec<Area> {
    let mut areas = Vec::new();
    let (mut at, mut to) = (0, 0);
    while at < old.len() || to < new.len() {
        let (one, other) = (old.get(at), new.get(to));
        if let (Some(one), Some(other)) = (one, other)
            && same(one, other)
        {
            (at, to) = (at + 1, to + 1);
            continue;
        }
        let (skip_old, skip_new) = next_equal(&old[at..], &new[to..]);
        for item in old[at..at + skip_old].iter().chain(&new[to..to + skip_new]) {
            add(&mut areas, bounds(item));
        }
        (at, to) = (at + skip_old, to + skip_new);
    }
    areas
}

/// Grows areas until each of `parts` lies inside one area or outside all areas.
fn keep_whole(areas: &mut Vec<Area>, mut parts: Vec<Area>) {
    loop {
        let num = parts.len();
        parts.retain(|part| {
            let Some(area) = areas.iter().find(|area| overlap(area, part)) else {
                return true;
            };
            if join(area, part) != *area {
                add(areas, *part);
            }
            false
        });
        if parts.len() == num {
            return;
        }
    }
}

/// Whether two items look the same. Targets are invisible and do not count.
fn same(one: &Item, other: &Item) -> bool {
    one.role == other.role && one.texture == other.texture && one.shape == other.shape
}

/// Number of items to skip in both lists until the next equal items; the whole window if there are none.
fn next_equal(old: &[Item], new: &[Item]) -> (usize, usize) {
    for sum in 1..2 * WINDOW {
        let first = sum.saturating_sub(new.len().min(WINDOW));
        for skip_old in first..=sum.min(old.len().min(WINDOW)) {
            let skip_new = sum - skip_old;
            if let (Some(one), Some(other)) = (old.get(skip_old), new.get(skip_new))
                && same(one, other)
            {
                return (skip_old, skip_new);
            }
        }
    }
    (old.len().min(WINDOW), new.len().min(WINDOW))
}

/// The area that painting an item may touch.
pub fn bounds(item: &Item) -> Area {
    let area = match &item.shape {
        Shape::Text {
            x,
            y,
            text,
            size,
            mono,
            strong,
            align,
        } => {
            // Fonts differ in width: 1.5 times the estimate covers all.
            let width = 1.5 * text_width(text, *size, *mono, *strong) + 4.0;
            let half = size.px();
            let left = match align {
                Align::Left => *x - 4.0,
                Align::Center => x - width / 2.0,
                Align::Right => x - width,
            };
            [left, y - half, left + width + 4.0, y + half]
        }
        Shape::Curve {
            from,
            c1,
            c2,
            to,
            width,
        } => grown(around(&[*from, *c1, *c2, *to]), *width),
        Shape::Line {
            x1,
            y1,
            x2,
            y2,
            width,
        } => grown(around(&[(*x1, *y1), (*x2, *y2)]), *width),
        Shape::Polyline { points, width } => grown(around(points), 2.0 * width),
        Shape::Polygon { points } => grown(around(points), 2.0 * outline(item)),
        // The last mark of a band may extend by half its width.
        Shape::Band {
            x, y, w, h, cycle_px, ..
        } => [*x, *y, x + w + cycle_px.max(6.0), y + h],
        shape => shape.area().unwrap_or_default(),
    };
    let [left, top, right, bottom] = grown(area, MARGIN);
    [left.floor(), top.floor(), right.ceil(), bottom.ceil()]
}

/// The area of an item with edges that are neither vertical nor horizontal, on whole pixels.
fn slanted(item: &Item) -> Option<Area> {
    let straight = |points: &[(f32, f32)]| {
        let mut steps = points.windows(2);
        steps.all(|step| step[0].0 == step[1].0 || step[0].1 == step[1].1)
    };
    let area = match &item.shape {
        Shape::Rect { x, y, w, h } => match item.texture {
            Texture::Hatch | Texture::Teeth => [*x, *y, x + w, y + h],
            _ => return None,
        },
        Shape::Line { x1, y1, x2, y2, .. } if straight(&[(*x1, *y1), (*x2, *y2)]) => return None,
        Shape::Polyline { points, .. } if straight(points) => return None,
        Shape::Line { .. } | Shape::Polyline { .. } | Shape::Polygon { .. } | Shape::Curve { .. } => {
            return Some(bounds(item));
        }
        Shape::Tile { x, y, side, .. } => [*x, *y, x + side, y + side],
        // The slanted edges of these bands start below 0.38 of their height.
        Shape::Band {
            x,
            y,
            w,
            h,
            mark: Mark::Throttle | Mark::Branch,
            cycle_px,
        } if *cycle_px >= 4.0 => [*x, y + 0.38 * h, x + w, y + h],
        _ => return None,
    };
    // Strokes of a hatch end 0.53 pixels outside.
    let [left, top, right, bottom] = grown(area, 0.6);
    Some([left.floor(), top.floor(), right.ceil(), bottom.ceil()])
}

fn outline(item: &Item) -> f32 {
    match item.texture {
        Texture::Outline(width) | Texture::Ring(width) => width,
        _ => 0.0,
    }
}

fn around(points: &[(f32, f32)]) -> Area {
    let empty = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    points.iter().fold(empty, |[left, top, right, bottom], (x, y)| {
        [left.min(*x), top.min(*y), right.max(*x), bottom.max(*y)]
    })
}

fn grown([left, top, right, bottom]: Area, by: f32) -> Area {
    [left - by, top - by, right + by, bottom + by]
}

fn extent([left, top, right, bottom]: &Area) -> f32 {
    (right - left).max(0.0) * (bottom - top).max(0.0)
}

fn join(one: &Area, other: &Area) -> Area {
    [
        one[0].min(other[0]),
        one[1].min(other[1]),
        one[2].max(other[2]),
        one[3].max(other[3]),
    ]
}

/// Whether two areas overlap.
pub fn overlap(one: &Area, other: &Area) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

/// Adds an area, merged with all areas that it overlaps or nearly touches.
fn add(areas: &mut Vec<Area>, area: Area) {
    let mut area = area;
    loop {
        let near = areas.iter().position(|other| {
            overlap(other, &area) || extent(&join(other, &area)) <= LOOSE * (extent(other) + extent(&area))
        });
        let near = near.or_else(|| (areas.len() >= NUM_AREAS).then(|| nearest(areas, &area)));
        let Some(near) = near else { break };
        area = join(&areas.swap_remove(near), &area);
    }
    areas.push(area);
}

/// Index of the area that grows least when merged with `area`.
fn nearest(areas: &[Area], area: &Area) -> usize {
    let growth = |idx: &usize| extent(&join(&areas[*idx], area)) - extent(&areas[*idx]);
    (0..areas.len())
        .min_by(|one, other| growth(one).total_cmp(&growth(other)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scene::Role;

    const WIDE: Size = Size {
        width: 1.0e6,
        height: 1.0e6,
    };

    fn rect(x: f32, y: f32, role: Role) -> Item {
        Item {
            shape: Shape::Rect { x, y, w: 9.0, h: 9.0 },
            role,
            texture: Texture::Solid,
            target: None,
        }
    }

    #[test]
    fn equal_scenes_have_no_damage() {
        let items: Vec<Item> = (0..50)
            .map(|at| rect(at as f32 * 10.0, 0.0, Role::Ink1))
            .collect();
        assert_eq!(damage(&items, &items, [&[]; 2], WIDE), Some(Vec::new()));
    }

    #[test]
    fn a_changed_item_damages_its_place_and_no_other() {
        let old: Vec<Item> = (0..50)
            .map(|at| rect(at as f32 * 20.0, 0.0, Role::Ink1))
            .collect();
        let mut new = old.clone();
        new[7].role = Role::Ink2;
        assert_eq!(
            damage(&old, &new, [&[]; 2], WIDE),
            Some(vec![[138.0, -2.0, 151.0, 11.0]])
        );
    }

    #[test]
    fn an_inserted_item_damages_only_its_own_place() {
        let old: Vec<Item> = (0..50)
            .map(|at| rect(at as f32 * 20.0, 0.0, Role::Ink1))
            .collect();
        let mut new = old.clone();
        new.insert(3, rect(0.0, 100.0, Role::Now));
        assert_eq!(
            damage(&old, &new, [&[]; 2], WIDE),
            Some(vec![[-2.0, 98.0, 11.0, 111.0]])
        );
    }

    #[test]
    fn an_area_includes_a_hatch_instead_of_cutting_it() {
        let mut hatch = rect(0.0, 0.0, Role::Ink3);
        hatch.shape = Shape::Rect {
            x: 30.0,
            y: 10.0,
            w: 200.0,
            h: 12.0,
        };
        hatch.texture = Texture::Hatch;
        let old = vec![hatch, rect(40.0, 16.0, Role::Ink1), rect(300.0, 10.0, Role::Ink1)];
        let mut new = old.clone();
        new[1].role = Role::Ink2;
        assert_eq!(
            damage(&old, &new, [&[]; 2], WIDE),
            Some(vec![[29.0, 9.0, 231.0, 27.0]])
        );
    }

    #[test]
    fn an_overlay_damages_its_old_and_new_place() {
        let items = [rect(0.0, 0.0, Role::Ink1)];
        let over = [[rect(100.0, 0.0, Role::Now)], [rect(200.0, 0.0, Role::Now)]];
        let areas = damage(&items, &items, [&over[0], &over[1]], WIDE);
        assert_eq!(
            areas,
            Some(vec![[98.0, -2.0, 111.0, 11.0], [198.0, -2.0, 211.0, 11.0]])
        );
        assert_eq!(
            damage(&items, &items, [&over[0], &over[0]], WIDE),
            Some(Vec::new())
        );
    }

    fn items() -> impl Strategy<Value = Vec<Item>> {
        let item = (0u8..30, 0u8..30, 0u8..3).prop_map(|(x, y, role)| {
            let role = [Role::Ink1, Role::Ink2, Role::Now][usize::from(role)];
            rect(f32::from(x) * 5.0, f32::from(y) * 5.0, role)
        });
        prop::collection::vec(item, 0..120)
    }

    /// A painter without pixels: the items that cover a point, in order.
    fn seen(items: &[Item], x: f32, y: f32) -> Vec<&Item> {
        items.iter().filter(|item| item.shape.contains(x, y)).collect()
    }

    proptest! {
        #[test]
        fn outside_the_damage_nothing_differs(old in items(), new in items()) {
            if let Some(areas) = damage(&old, &new, [&[]; 2], WIDE) {
                for x in 0..60 {
                    for y in 0..60 {
                        let (x, y) = (x as f32 * 2.5 + 0.5, y as f32 * 2.5 + 0.5);
                        let point = [x, y, x + 0.1, y + 0.1];
                        if !areas.iter().any(|area| overlap(area, &point)) {
                            prop_assert_eq!(seen(&old, x, y), seen(&new, x, y));
                        }
                    }
                }
            }
        }

        #[test]
        fn areas_do_not_overlap(old in items(), new in items()) {
            let areas = damage(&old, &new, [&[]; 2], WIDE).unwrap_or_default();
            for (idx, one) in areas.iter().enumerate() {
                for other in &areas[idx + 1..] {
                    prop_assert!(!overlap(one, other));
                }
            }
        }
    }
}
