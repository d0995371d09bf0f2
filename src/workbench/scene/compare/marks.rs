//! Marks over a scene: its differences from the reference side.

use super::super::{Item, Role, Scene, Shape, Target, Texture};
use engine::ids::SlotIdx;

/// The objects to mark in a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    /// Warp slots.
    pub slots: Vec<SlotIdx>,
    /// Schedulers.
    pub schedulers: Vec<u8>,
    /// Lines of the source; 0 is code without a line.
    pub lines: Vec<u32>,
    /// Instructions.
    pub pcs: Vec<u32>,
}

impl Marks {
    fn holds(&self, target: Target) -> bool {
        match target {
            Target::Warp { slot } => self.slots.contains(&SlotIdx(slot)),
            Target::Scheduler(scheduler) => self.schedulers.contains(&scheduler),
            Target::CodeLine(line) => self.lines.contains(&line),
            Target::CodePc(pc) => self.pcs.contains(&pc),
            _ => false,
        }
    }
}

/// Minimum height of a bar.
const BAR: f32 = 3.0;
/// Height of the bar of a line.
const LINE_BAR: f32 = 9.0;

/// Outlines the marked objects without color: an ink bar at the left edge, and a thin frame.
pub fn mark(scene: &mut Scene, marks: &Marks) {
    let mut items: Vec<Item> = Vec::new();
    for item in &scene.items {
        let (Some(target), Shape::Rect { x, y, w, h }) = (item.target, &item.shape) else {
            continue;
        };
        if !marks.holds(target) {
            continue;
        }
        let rect = |shape: Shape, role: Role, texture: Texture| Item {
            shape,
            role,
            texture,
            target: None,
        };
        // A row of code starts with its counters; the bar is beside them.
        let beside = match target {
            Target::CodeLine(_) | Target::CodePc(_) => 3.0,
            _ => 0.0,
        };
        // Names of a Timeline start at the left edge; their hit area can start before it.
        let left = (x - beside).max(0.0);
        let (x, y, w, h) = (left, *y, x + w - left, *h);
        let frame = Shape::Rect {
            x: x + 0.5,
            y: y + 0.5,
            w: w - 1.0,
            h: h - 1.0,
        };
        // Rows of a Timeline are too low for a frame.
        if h >= 14.0 {
            items.push(rect(frame, Role::Edge, Texture::Outline(1.0)));
        }
        // A line, such as a scheduler's in the Timeline, has a bar of fixed height.
        let (y, h) = if h < BAR {
            (y + (h - LINE_BAR) / 2.0, LINE_BAR)
        } else {
            (y, h)
        };
        let bar = Shape::Rect { x, y, w: 3.0, h };
        items.push(rect(bar, Role::Ink1, Texture::Solid));
    }
    scene.items.extend(items);
}
