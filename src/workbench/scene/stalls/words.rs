//! What each state means and what can be done about it: after the warp stall reasons of Nsight
//! Compute's documentation, Kernel Profiling Guide.

use engine::sim::WarpState;

/// What a warp in a state waits for, as a sentence.
pub(super) const fn meaning(state: WarpState) -> &'static str {
    match state {
        WarpState::Empty => "No warp is in the slot.",
        WarpState::Selected => "The scheduler issued an instruction of the warp.",
        WarpState::NotSelected => "The warp could issue, but its scheduler took another one.",
        WarpState::Wait => "An earlier instruction needs a fixed number of cycles.",
        WarpState::MathPipeThrottle => "The arithmetic pipe it needs is still busy.",
        WarpState::ShortScoreboard => "A result of shared memory or the XU is under way.",
        WarpState::LongScoreboard => "A value of global or local memory is under way.",
        WarpState::MioThrottle => "The queue to shared memory and the XU (MIO) is full.",
        WarpState::LgThrottle => "The queue to global and local memory (LG) is full.",
        WarpState::TexThrottle => "The queue to the texture unit is full.",
        WarpState::Barrier => "Other warps of its block have not come to the barrier.",
        WarpState::Membar => "Its stores must be visible before it goes on.",
        WarpState::BranchResolving => "The target of a branch is not known yet.",
        WarpState::NoInstruction => "Its next instruction has not been fetched.",
        WarpState::ImcMiss => "A constant is not in the constant cache.",
        WarpState::DispatchStall => {
            "The last instruction is held at dispatch: its operands share a bank of the register file."
        }
        WarpState::Sleeping => "All its lanes sleep, have yielded, or wait for each other.",
        WarpState::Drain => "It has exited; its stores are still leaving.",
        WarpState::Misc => "A reason without a name of its own.",
    }
}

/// What can be done about it, as a sentence.
pub(super) const fn remedy(state: WarpState) -> &'static str {
    match state {
        WarpState::Empty => {
            "More or smaller blocks, registers or shared arrays fill the slots: see Occupancy."
        }
        WarpState::Selected => "This is the work itself. Fewer instructions are the only way to less of it.",
        WarpState::NotSelected => "Nothing is lost: the scheduler has more warps than it needs.",
        WarpState::Wait => "More warps, or more independent instructions between a result and its use.",
        WarpState::MathPipeThrottle => {
            "Use other pipes too, or more warps whose next instruction needs another pipe."
        }
        WarpState::ShortScoreboard => {
            "Remove bank conflicts, keep values in registers, ask earlier than you use."
        }
        WarpState::LongScoreboard => {
            "More warps, loads issued before they are needed, coalesced lines, data kept in shared memory."
        }
        WarpState::MioThrottle => {
            "Fewer and wider shared accesses: one of 128 bits takes one entry, four of 32 bits take four."
        }
        WarpState::LgThrottle => "Fewer and wider global accesses, and arithmetic between them.",
        WarpState::TexThrottle => "Fewer texture reads one after the other, or plain loads for some of them.",
        WarpState::Barrier => {
            "Give the warps of a block equal work before __syncthreads(), or make blocks smaller."
        }
        WarpState::Membar => "Fence less often, and for the smallest scope that is correct.",
        WarpState::BranchResolving => {
            "Fewer branches: unroll short loops, turn short branches into predicates."
        }
        WarpState::NoInstruction => "Shorter code, fewer jumps, more warps.",
        WarpState::ImcMiss => {
            "Let all lanes of a warp read the same constant, and read it again while it is cached."
        }
        WarpState::DispatchStall => {
            "The compiler chooses registers; instructions in a row with an operand in common read it once."
        }
        WarpState::Sleeping => "Let the lanes of a warp take the same path, or meet later.",
        WarpState::Drain => "Write less at the end of the kernel, and coalesced.",
        WarpState::Misc => "Look at the reasons above.",
    }
}
