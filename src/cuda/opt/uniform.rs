//! Determines the values that are the same in all threads of a block.

use crate::ir::flow::Flow;
use crate::ir::flow::divergence::Divergence;
use crate::ir::flow::dominators::Dominators;
use crate::ir::flow::loops::Loops;
use crate::ir::{Def, Function};

use super::effects;

/// Sets `ValueInfo::uniform` of all values of a function.
pub(super) fn run(function: &mut Function) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let loops = Loops::of(function, &flow, &dominators);
    let divergence = Divergence::of(function, &flow, &loops, [], effects::pure);
    for (info, uniform) in function.values.iter_mut().zip(divergence.uniform) {
        info.uniform = match info.def {
            Def::Node => uniform,
            Def::Undef => false,
            _ => true,
        };
    }
}
