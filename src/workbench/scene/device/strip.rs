//! The transport's strip of a device's run: the share of all issue slots used, and the resident blocks.

use super::super::kit::{Face, Sheet, table};
use super::super::strip::{AXIS, COLUMN, StripScale, TOP, draw_axis};
use super::super::{Mark, Role, Scene, Shape, Size, Target, TextSize, Texture};
use super::DeviceData;
use crate::words::thousands;
use engine::ids::Cycle;

/// Draws the run without the playhead.
pub fn device_strip(data: &DeviceData, scale: StripScale, size: Size) -> Scene {
    let trace = data.trace;
    let mut sheet = Sheet::default();
    let height = (size.height - AXIS - TOP).max(8.0);
    let (middle, low) = (TOP + (height * 0.46).round(), TOP + height);
    sheet.rect(scale.x0, TOP, scale.width, middle - TOP, Role::Paper3);
    let capacity = f32::from(trace.num_sms) * trace.blocks_per_sm.max(1) as f32;
    let resident = resident_by_column(data, scale);
    for (idx, resident) in resident.into_iter().enumerate() {
        let x = scale.x0 + idx as f32 * COLUMN;
        let cycle = scale.cycle(x).0;
        let shape = Shape::Rect {
            x,
            y: TOP,
            w: COLUMN,
            h: height,
        };
        sheet.put(
            shape,
            Role::Paper1,
            Texture::Fade(0.0),
            Some(Target::Cycle(cycle)),
        );
        let used = data.all_busy(trace.part_of(cycle)) as f32 * (middle - TOP);
        if cycle < trace.num_cycles && used > 0.1 {
            sheet.rect(x, middle - used, COLUMN, used, Role::State(Mark::Issue));
        }
        if resident > 0 {
            let share = (resident as f32 / capacity.max(1.0)).min(1.0);
            let room = low - middle - 2.0;
            sheet.rect(x, middle + 2.0, COLUMN, (share * room).max(1.0), Role::Edge);
        }
    }
    if size.width >= 520.0 {
        let label = Face::text(TextSize::Micro, Role::Ink3).right();
        sheet.text("issue slots", scale.x0 - 8.0, middle - 10.0, label);
        sheet.text("blocks", scale.x0 - 8.0, middle + 12.0, label);
    }
    draw_axis(&mut sheet, scale, size);
    let rows = vec![[
        "The device's run".to_owned(),
        thousands(trace.num_cycles),
        thousands(trace.num_blocks.into()),
    ]];
    sheet.finish(
        size,
        format!("The device runs {} cycles.", thousands(trace.num_cycles)),
        table(["Run", "Cycles", "Blocks"], rows),
    )
}

/// The blocks on the device in the first cycle of each column.
fn resident_by_column(data: &DeviceData, scale: StripScale) -> Vec<i64> {
    let num = (scale.width / COLUMN).ceil() as usize;
    let column = |cycle: u64| {
        let x = (scale.x(Cycle(cycle)) - scale.x0) / COLUMN;
        (x.max(0.0).ceil() as usize).min(num)
    };
    let mut changes = vec![0_i64; num + 1];
    for span in &data.trace.blocks {
        changes[column(span.started)] += 1;
        changes[column(span.finished)] -= 1;
    }
    let mut resident = 0;
    changes.truncate(num);
    for change in &mut changes {
        resident += *change;
        *change = resident;
    }
    changes
}
