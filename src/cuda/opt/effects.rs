//! What operations may be merged, moved and dropped.

use crate::ir::{Op, Space, SpecialReg};
use engine::isa::ImageAccess;

/// Whether the result depends on the operands alone (and on where in the grid the thread is), so
/// that two of them are one. Such operations can also be dropped, and run early.
pub(crate) fn pure(op: Op) -> bool {
    match op {
        Op::Special(register) => !matches!(
            register,
            SpecialReg::ActiveMask
                | SpecialReg::ClockLo
                | SpecialReg::ClockHi
                | SpecialReg::GlobalTimerLo
                | SpecialReg::GlobalTimerHi
        ),
        Op::Image { access, .. } => matches!(access, ImageAccess::Fetch(_)),
        Op::Load(_)
        | Op::Store(_)
        | Op::Atom { .. }
        | Op::Membar(_)
        | Op::Barrier(_)
        | Op::Shfl(_)
        | Op::Mma(_)
        | Op::Vote(_)
        | Op::Warp(_)
        | Op::WarpSync
        | Op::Nanosleep
        | Op::Trap
        | Op::Vprintf
        | Op::AssertFail
        | Op::Call(_) => false,
        _ => true,
    }
}

/// Whether two equal ones are one: pure, or a load of what nobody writes.
pub(super) fn mergeable(op: Op) -> bool {
    match op {
        Op::Load(access) => {
            !access.volatile && (access.invariant || matches!(access.space, Space::Const | Space::Param))
        }
        _ => pure(op),
    }
}

/// Whether it must stay even if nobody uses its results.
pub(super) fn needed(op: Op) -> bool {
    match op {
        Op::Load(access) => access.volatile,
        Op::Image { access, .. } => matches!(access, ImageAccess::Read(_) | ImageAccess::Write(_)),
        Op::Store(_)
        | Op::Atom { .. }
        | Op::Membar(_)
        | Op::Barrier(_)
        | Op::WarpSync
        | Op::Nanosleep
        | Op::Trap
        | Op::Vprintf
        | Op::AssertFail
        | Op::Call(_) => true,
        // Their lanes wait for each other, which a program may count on.
        Op::Shfl(_) | Op::Mma(_) | Op::Vote(_) | Op::Warp(_) => false,
        _ => false,
    }
}

/// Whether memory may be written, or other threads' writes may become visible.
pub(super) fn clobbers(op: Op) -> bool {
    matches!(
        op,
        Op::Image {
            access: ImageAccess::Write(_),
            ..
        } | Op::Store(_)
            | Op::Atom { .. }
            | Op::Membar(_)
            | Op::Barrier(_)
            | Op::WarpSync
            | Op::Vprintf
            | Op::Call(_)
    )
}
