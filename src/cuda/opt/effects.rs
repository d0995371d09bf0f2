//! Which operations can be merged, moved, and dropped.

use crate::ir::{Op, Space, SpecialReg};
use engine::isa::ImageAccess;

/// Whether the result depends only on the operands and the thread's position in the grid. Equal pure operations
/// can be merged, and a pure operation can be dropped or executed speculatively.
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
        | Op::LoadMatrices { .. }
        | Op::StoreMatrices { .. }
        | Op::AsyncCopy { .. }
        | Op::AsyncCommit
        | Op::AsyncWait
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

/// Whether equal operations can be merged: pure operations, and loads of memory that nothing writes.
pub(super) fn mergeable(op: Op) -> bool {
    match op {
        Op::Load(access) => {
            !access.volatile && (access.invariant || matches!(access.space, Space::Const | Space::Param))
        }
        _ => pure(op),
    }
}

/// Whether the operation must be kept even if its results are unused.
pub(super) fn needed(op: Op) -> bool {
    match op {
        Op::Load(access) => access.volatile,
        Op::Image { access, .. } => matches!(access, ImageAccess::Read(_) | ImageAccess::Write(_)),
        Op::Store(_)
        | Op::Atom { .. }
        | Op::StoreMatrices { .. }
        | Op::AsyncCopy { .. }
        | Op::AsyncCommit
        | Op::AsyncWait
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

/// Whether the operation can write memory or make other threads' writes visible.
pub(super) fn clobbers(op: Op) -> bool {
    matches!(
        op,
        Op::Image {
            access: ImageAccess::Write(_),
            ..
        } | Op::Store(_)
            | Op::Atom { .. }
            | Op::StoreMatrices { .. }
            | Op::AsyncCopy { .. }
            | Op::AsyncWait
            | Op::Membar(_)
            | Op::Barrier(_)
            | Op::WarpSync
            | Op::Vprintf
            | Op::Call(_)
    )
}
