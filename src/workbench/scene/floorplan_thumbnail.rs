//! A thumbnail of an architecture's SM floor plan. All thumbnails have one scale, so that chips compare at a
//! glance.

use super::{Item, Role, Scene, Shape, Size, Table, Texture};
use engine::arch::{Architecture, PipeKind, PipeScope};

/// Kilobytes per lane-sized square of the memory bar.
const KIB_PER_SQUARE: f32 = 2.0;
/// Pitch of the lanes below which a row of lanes is one bar: its gaps would not be seen.
const LANES_PX: f32 = 2.0;

/// Draws the thumbnail: FP32 lanes solid, INT32 lanes paler, tensor cores as outlines, and below them a memory bar
/// with 2 KB per lane-sized square. `unit` is the pitch of the lanes in CSS pixels.
pub fn floorplan_thumbnail(arch: &Architecture, unit: f32) -> Scene {
    let plan = Plan::of(arch);
    let gap = unit * 0.35;
    let cell = unit - gap;
    let int_cols = plan.int_lanes.checked_div(plan.rows).unwrap_or(0);
    let mut pitch = plan.cols as f32 * unit;
    let int_x = pitch + gap;
    if int_cols > 0 {
        pitch = int_x + int_cols as f32 * unit;
    }
    let tensor_x = pitch + gap;
    if plan.tensor_cores > 0 {
        pitch = tensor_x + 2.0 * unit;
    }
    let per_row = plan.parts.min(2);
    let part_rows = plan.parts.div_ceil(per_row);
    let part_height = plan.rows as f32 * unit;
    let width = per_row as f32 * (pitch + unit) - unit;

    let mut items = Vec::new();
    let mut rect = |x, y, w, h, texture| {
        items.push(Item {
            shape: Shape::Rect { x, y, w, h },
            role: Role::Ink1,
            texture,
            target: None,
        });
    };
    for part in 0..plan.parts {
        let x0 = (part % per_row) as f32 * (pitch + unit);
        let y0 = (part / per_row) as f32 * (part_height + unit * 0.9);
        for row in 0..plan.rows {
            let y = y0 + row as f32 * unit;
            if unit < LANES_PX {
                rect(x0, y, plan.cols as f32 * unit - gap, cell, Texture::Solid);
                let wide = int_cols as f32 * unit - gap;
                rect(x0 + int_x, y, wide.max(0.0), cell, Texture::Fade(0.45));
                continue;
            }
            for col in 0..plan.cols {
                rect(x0 + col as f32 * unit, y, cell, cell, Texture::Solid);
            }
            for col in 0..int_cols {
                let x = x0 + int_x + col as f32 * unit;
                rect(x, y, cell, cell, Texture::Fade(0.45));
            }
        }
        for core in 0..plan.tensor_cores {
            let height = part_height / plan.tensor_cores as f32;
            let y = y0 + core as f32 * height;
            rect(
                x0 + tensor_x,
                y,
                2.0 * unit - gap,
                height - gap,
                Texture::Outline(unit * 0.22),
            );
        }
    }
    let bar_y = part_rows as f32 * (part_height + unit * 0.9) - unit * 0.2;
    let bar_height = plan.memory_kib / KIB_PER_SQUARE * unit * unit / width;
    rect(0.0, bar_y, width - gap, bar_height, Texture::Fade(0.7));

    Scene {
        also: Vec::new(),
        size: Size {
            width,
            height: bar_y + bar_height,
        },
        items,
        headline: execution_units(arch),
        note: String::new(),
        table: Table::default(),
        panes: Vec::new(),
    }
}

/// The schedulers and lanes of an SM: `4 schedulers, 64 FP32 and 64 INT32 lanes`.
pub fn execution_units(arch: &Architecture) -> String {
    let lanes = |kind| {
        arch.pipe(kind)
            .map_or(0, |pipe| arch.num_units(kind) * u32::from(pipe.lanes.value))
    };
    let schedulers = arch.issue.schedulers.value;
    let plural = if schedulers == 1 { "" } else { "s" };
    let fp32 = lanes(PipeKind::Fp32);
    match lanes(PipeKind::Int32) {
        0 => format!("{schedulers} scheduler{plural}, {fp32} lanes for FP32 and integers"),
        int => format!("{schedulers} scheduler{plural}, {fp32} FP32 and {int} INT32 lanes"),
    }
}

/// The data of the thumbnail: partitions with rows and columns of lanes.
struct Plan {
    parts: u32,
    rows: u32,
    cols: u32,
    int_lanes: u32,
    tensor_cores: u32,
    memory_kib: f32,
}

impl Plan {
    fn of(arch: &Architecture) -> Self {
        let parts = u32::from(arch.issue.schedulers.value).max(1);
        let per_part = |kind| {
            let Some(pipe) = arch.pipe(kind) else { return 0 };
            let lanes = u32::from(pipe.units) * u32::from(pipe.lanes.value);
            if pipe.scope == PipeScope::Sm {
                lanes / parts
            } else {
                lanes
            }
        };
        let fp32 = per_part(PipeKind::Fp32).max(1);
        let cols = if fp32 > 16 { 8 } else { 4 };
        let tensor_cores = per_part(PipeKind::Tensor);
        Self {
            parts,
            rows: fp32.div_ceil(cols),
            cols,
            int_lanes: per_part(PipeKind::Int32),
            tensor_cores,
            memory_kib: memory_kib(arch),
        }
    }
}

/// Shared memory and L1 of an SM in total, in KB.
fn memory_kib(arch: &Architecture) -> f32 {
    let shared = arch.occupancy.shared_per_sm_kib.value;
    let l1 = arch.memory.l1.as_ref().map_or(0, |l1| l1.capacity_kib(shared));
    f32::from(shared) + f32::from(l1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Shape;
    use engine::arch::{ArchId, architecture};

    fn drawn(id: ArchId, texture: Texture) -> usize {
        floorplan_thumbnail(architecture(id), 4.0)
            .items
            .iter()
            .filter(|item| item.texture == texture)
            .count()
    }

    #[test]
    fn every_lane_is_a_square() {
        for (id, fp32, int32) in [
            (ArchId::G80, 8, 0),
            (ArchId::Gf100, 32, 0),
            (ArchId::Gp100, 64, 0),
            (ArchId::Gv100, 64, 64),
            (ArchId::Tu102, 64, 64),
        ] {
            assert_eq!(drawn(id, Texture::Solid), fp32, "FP32 lanes of {id:?}");
            assert_eq!(drawn(id, Texture::Fade(0.45)), int32, "INT32 lanes of {id:?}");
        }
    }

    #[test]
    fn nothing_is_drawn_outside() {
        for id in ArchId::ALL {
            let scene = floorplan_thumbnail(architecture(id), 3.0);
            for item in &scene.items {
                let Shape::Rect { x, y, w, h } = item.shape else {
                    panic!("{:?} is no rectangle", item.shape)
                };
                assert!(x >= 0.0 && y >= 0.0, "{id:?}");
                assert!(
                    x + w <= scene.size.width + 0.01 && y + h <= scene.size.height + 0.01,
                    "{id:?}"
                );
            }
        }
    }

    #[test]
    fn the_sentence_counts_schedulers_and_lanes() {
        assert_eq!(
            execution_units(architecture(ArchId::Tu102)),
            "4 schedulers, 64 FP32 and 64 INT32 lanes"
        );
        assert_eq!(
            execution_units(architecture(ArchId::G80)),
            "1 scheduler, 8 lanes for FP32 and integers"
        );
    }
}
