//! Notes on a picture: where their disks are, and the picture with disks and captions for files.

use crate::scene::{Align, Item, Role, Scene, Shape, Target, TextSize, Texture};
use crate::share::{Anchor, PictureNote, View};

/// Diameter of a disk, in CSS pixels.
pub const DISK_PX: f32 = 20.0;
/// Height of a caption's line.
const CAPTION_PX: f32 = 18.0;
/// Corners of a disk's outline.
const CORNERS: usize = 32;

/// The center of each note's disk in a picture of this view; `None` for notes about something that the picture does not
/// show.
pub fn note_places(scene: &Scene, view: View, notes: &[PictureNote]) -> Vec<Option<(f32, f32)>> {
    notes
        .iter()
        .map(|note| {
            let (x, y) = place(scene, view, note.anchor)?;
            let within =
                |at: f32, most: f32| at.clamp(DISK_PX / 2.0, (most - DISK_PX / 2.0).max(DISK_PX / 2.0));
            Some((within(x, scene.size.width), within(y, scene.size.height)))
        })
        .collect()
}

/// The point of a note: the upper right corner of its item, or its place.
fn place(scene: &Scene, view: View, anchor: Anchor) -> Option<(f32, f32)> {
    match anchor {
        Anchor::Place(of, x, y) => (of == view).then(|| {
            (
                scene.size.width * f32::from(x) / 1000.0,
                scene.size.height * f32::from(y) / 1000.0,
            )
        }),
        Anchor::Cycle(cycle) => on_track(scene, cycle, |_| true),
        Anchor::WarpAt(slot, cycle) => on_track(scene, cycle, |other| other == slot),
        _ => {
            let items = scene
                .items
                .iter()
                .filter(|item| item.target.is_some_and(|target| is_about(anchor, target)));
            let corner = items
                .filter_map(|item| item.shape.area())
                .map(|[_, top, right, _]| (right, top));
            corner.reduce(|(x, y), (right, top)| (x.max(right), y.min(top)))
        }
    }
}

/// Whether an anchor names a target.
fn is_about(anchor: Anchor, target: Target) -> bool {
    Anchor::of(target) == Some(anchor)
        || matches!((anchor, target), (Anchor::Warp(slot), Target::WarpAt { slot: other, .. }) if slot == other)
}

/// The point of a cycle on the first row of cycles whose warp slot matches.
fn on_track(scene: &Scene, cycle: u64, is_row: impl Fn(u16) -> bool) -> Option<(f32, f32)> {
    scene
        .items
        .iter()
        .find_map(|item| match (&item.shape, item.target) {
            (
                Shape::Track {
                    x,
                    y,
                    w,
                    first,
                    cycle_px,
                    ..
                },
                Some(Target::WarpAt { slot, .. }),
            ) if is_row(slot) => {
                let offset = (cycle.checked_sub(*first)? as f64 * f64::from(*cycle_px)) as f32;
                (offset <= *w).then_some((x + offset, *y))
            }
            _ => None,
        })
}

/// A picture with the disks of its notes, and the notes below the picture.
#[must_use]
pub fn with_notes(scene: &Scene, view: View, notes: &[PictureNote]) -> Scene {
    let mut scene = scene.clone();
    let places = note_places(&scene, view, notes);
    let shown: Vec<(usize, (f32, f32))> = places
        .into_iter()
        .enumerate()
        .filter_map(|(idx, place)| Some((idx, place?)))
        .collect();
    if shown.is_empty() {
        return scene;
    }
    let top = scene.size.height + CAPTION_PX;
    for (row, (idx, (x, y))) in shown.iter().enumerate() {
        disk(&mut scene, *x, *y, idx + 1);
        let y = top + CAPTION_PX * row as f32;
        disk(&mut scene, DISK_PX / 2.0, y, idx + 1);
        scene.items.push(text(
            DISK_PX + 8.0,
            y,
            notes[*idx].text.clone(),
            Role::Ink1,
            Align::Left,
        ));
    }
    scene.size.height = top + CAPTION_PX * shown.len() as f32;
    scene
}

fn disk(scene: &mut Scene, x: f32, y: f32, number: usize) {
    for (radius, role) in [(DISK_PX / 2.0 + 2.0, Role::Paper1), (DISK_PX / 2.0, Role::Ink1)] {
        let corner = |corner: usize| {
            let angle = std::f32::consts::TAU * corner as f32 / CORNERS as f32;
            (x + radius * libm::cosf(angle), y + radius * libm::sinf(angle))
        };
        scene.items.push(Item {
            shape: Shape::Polygon {
                points: (0..CORNERS).map(corner).collect(),
            },
            role,
            texture: Texture::Solid,
            target: None,
        });
    }
    scene
        .items
        .push(text(x, y, number.to_string(), Role::InkInverse, Align::Center));
}

fn text(x: f32, y: f32, text: String, role: Role, align: Align) -> Item {
    Item {
        shape: Shape::Text {
            x,
            y,
            text,
            size: TextSize::Body,
            mono: false,
            strong: align == Align::Center,
            align,
        },
        role,
        texture: Texture::Solid,
        target: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Size;

    #[test]
    fn notes_are_at_their_items_and_below_the_picture() {
        let item = |shape: Shape, target: Target| Item {
            shape,
            role: Role::Ink1,
            texture: Texture::Solid,
            target: Some(target),
        };
        let scene = Scene {
            size: Size {
                width: 400.0,
                height: 300.0,
            },
            items: vec![
                item(
                    Shape::Rect {
                        x: 40.0,
                        y: 60.0,
                        w: 20.0,
                        h: 20.0,
                    },
                    Target::Bank(3),
                ),
                item(
                    Shape::Track {
                        x: 100.0,
                        y: 200.0,
                        w: 200.0,
                        h: 10.0,
                        first: 50,
                        cycle_px: 2.0,
                    },
                    Target::WarpAt { slot: 7, cycle: 50 },
                ),
            ],
            ..Scene::default()
        };
        let note = |anchor: Anchor, text: &str| PictureNote {
            anchor,
            text: text.to_owned(),
        };
        let notes = [
            note(Anchor::Bank(3), "Conflict"),
            note(Anchor::WarpAt(7, 60), "Here"),
            note(Anchor::WarpAt(7, 5_000), "Off the window"),
            note(Anchor::Cycle(55), "All warps"),
            note(Anchor::Place(View::Banks, 500, 1000), "Below"),
            note(Anchor::Place(View::Sm, 500, 500), "Another view"),
        ];
        let places = note_places(&scene, View::Banks, &notes);
        assert_eq!(
            places,
            [
                Some((60.0, 60.0)),
                Some((120.0, 200.0)),
                None,
                Some((110.0, 200.0)),
                Some((200.0, 290.0)),
                None
            ]
        );
        let saved = with_notes(&scene, View::Banks, &notes);
        assert!(saved.size.height > 300.0 + 4.0 * CAPTION_PX);
        let texts: Vec<&str> = saved
            .items
            .iter()
            .filter_map(|item| match &item.shape {
                Shape::Text { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(
            texts,
            [
                "1",
                "1",
                "Conflict",
                "2",
                "2",
                "Here",
                "4",
                "4",
                "All warps",
                "5",
                "5",
                "Below"
            ]
        );
    }
}
