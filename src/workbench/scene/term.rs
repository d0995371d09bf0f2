//! Labels of pictures as terms of the glossary.

use super::{Mark, Scene, Target};
use crate::words::request_name;
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::trace::Frame;

/// Half of a label's height in font sizes: a pointer need not be on a letter.
const LABEL_HALF: f32 = 0.7;

/// A label of a picture, and its bounds in the picture: left, top, right, bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// The bounds.
    pub bounds: [f32; 4],
}

impl Scene {
    /// The label at a point.
    pub fn label_at(&self, px: f32, py: f32) -> Option<Label> {
        self.items.iter().rev().find_map(|item| {
            let (text, bounds) = item.shape.text_area(LABEL_HALF)?;
            let [left, top, right, bottom] = bounds;
            let is_there = px >= left && px <= right && py >= top && py <= bottom;
            is_there.then(|| Label {
                text: text.to_owned(),
                bounds,
            })
        })
    }
}

/// The label of the term for an item of a picture.
pub fn term_label(frame: &Frame, target: Target) -> Option<String> {
    let fixed = match target {
        Target::Warp { slot } => frame.state(SlotIdx(slot)).name(),
        Target::WarpAt { slot, cycle } => frame.record().run_at(SlotIdx(slot), Cycle(cycle))?.state.name(),
        Target::Lane(_) | Target::LaneAt { .. } => "Lane",
        Target::Cycle(_) => "Cycle",
        Target::Scheduler(_) => "Warp scheduler",
        Target::Pipe { pipe, .. } => frame.arch().pipes.get(usize::from(pipe))?.kind.text(),
        Target::Queue { .. } => "MIO queue",
        Target::Registers { .. } => "Register file",
        Target::Bank(_) | Target::Word(_) => "Bank",
        Target::Register { .. } | Target::Value { .. } => "Register",
        Target::Predicate { .. } => "Predicate",
        Target::SharedWord { .. } | Target::SharedBlock(_) => "Shared memory",
        Target::Parameter(_) => "Constant bank",
        Target::Wavefront(_) => "Wavefront",
        Target::Access(idx) => {
            let row = frame.record().access(idx)?;
            return Some(request_name(row.kind).to_owned());
        }
        Target::Padding(_) => "Padding",
        Target::Swizzle => "Swizzle",
        Target::Instruction(pc) | Target::CodePc(pc) => return Some(frame.mnemonic(Pc(pc))),
        Target::Mark(Mark::Throttle) => "MIO Throttle",
        Target::Mark(Mark::Other) => "Stall",
        Target::Mark(mark) => mark.name(),
        Target::Fetch(_) => "Transaction",
        Target::DeviceSm(_) => "SM",
        Target::HostCall(_) => "Stream",
        Target::TensorFactor { .. } | Target::TensorSum { .. } => "Tensor",
        Target::Generation(_) | Target::Arch(_) => "Compute capability",
        Target::L1Line(_) | Target::CacheLine { .. } => "Cache line",
        Target::HitColumn(_) => "Hit rate",
        Target::MemoryLevel(_) => "Global memory",
        Target::Combination(_) | Target::Carveout(_) => "Carveout",
        Target::Line(_) | Target::CodeLine(_) => "SASS",
        Target::Side(_)
        | Target::Counter(_)
        | Target::Cause(_)
        | Target::MeasureCause
        | Target::PlotPoint(_)
        | Target::Finding(_)
        | Target::OpenFinding(_)
        | Target::ShowFinding(_)
        | Target::ApplyChange(_) => return None,
    };
    Some(fixed.to_owned())
}
