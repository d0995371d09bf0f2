//! Warp states and stall reasons, under the names of Nsight Compute.

use super::{Kind, Term};

pub(super) static TERMS: &[Term] = &[
    Term {
        id: "stall-selected",
        name: "Selected",
        also: &[
            "Stall Selected",
            "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The scheduler selected the warp and issued its next instruction. This is useful work: only \
            fewer instructions reduce it.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=timeline;mark=issue;cycle=60",
    },
    Term {
        id: "stall-not-selected",
        name: "Not Selected",
        also: &[
            "Stall Not Selected",
            "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp was eligible, but its scheduler selected another warp. No action is needed: the \
            scheduler has more eligible warps than it can issue.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=ladder-32-warps",
    },
    Term {
        id: "stall-wait",
        name: "Wait",
        also: &[
            "Stall Wait",
            "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls on a fixed latency between two instructions. Add warps, or place independent \
            instructions between a result and its use.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=ladder-32",
    },
    Term {
        id: "stall-math-pipe-throttle",
        name: "Math Pipe Throttle",
        also: &[
            "Stall Math Pipe Throttle",
            "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls because the pipe of its next instruction is busy. Use other pipes too, or \
            fewer instructions of this kind.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=mixed-math-float",
    },
    Term {
        id: "stall-short-scoreboard",
        name: "Short Scoreboard",
        also: &[
            "Stall Short Scoreboard",
            "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls on a result of an MIO unit, such as shared memory, a shuffle, or the XU. \
            Remove bank conflicts, keep values in registers, and load earlier.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=reduce-shuffle",
    },
    Term {
        id: "stall-long-scoreboard",
        name: "Long Scoreboard",
        also: &[
            "Stall Long Scoreboard",
            "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls on a load from global, local, or texture memory. Add warps, issue loads \
            earlier, coalesce accesses, and reuse data in shared memory.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=gather-sorted",
    },
    Term {
        id: "stall-mio-throttle",
        name: "MIO Throttle",
        also: &[
            "Stall MIO Throttle",
            "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
            "MIO full",
        ],
        kind: Kind::Stall,
        text: "The warp stalls because the MIO queue is full. Use fewer and wider shared-memory accesses, \
            and remove bank conflicts, which keep entries longer.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=matmul-tiled",
    },
    Term {
        id: "stall-lg-throttle",
        name: "LG Throttle",
        also: &[
            "Stall LG Throttle",
            "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
            "LG full",
        ],
        kind: Kind::Stall,
        text: "The warp stalls because the queue for local and global memory instructions is full. Use \
            fewer and wider accesses, and place arithmetic between them.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=matmul-naive",
    },
    Term {
        id: "stall-tex-throttle",
        name: "TEX Throttle",
        also: &[
            "Stall TEX Throttle",
            "smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio",
            "TEX full",
        ],
        kind: Kind::Stall,
        text: "The warp stalls because the queue of the texture unit is full. Issue fewer texture fetches \
            in a row, or replace some by plain loads.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=gather-texture;arch=gf100",
    },
    Term {
        id: "stall-barrier",
        name: "Barrier",
        also: &[
            "Stall Barrier",
            "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls at a block barrier until the other warps of its block arrive. Balance the \
            work before __syncthreads(), or use smaller blocks.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=barrier",
    },
    Term {
        id: "stall-membar",
        name: "Membar",
        also: &[
            "Stall Membar",
            "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio",
            "MEMBAR.SC",
        ],
        kind: Kind::Stall,
        text: "The warp stalls until its memory operations are visible, as MEMBAR, the instruction of \
            __threadfence(), requires. Use fewer fences with the smallest sufficient scope.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons; CUDA Binary Utilities, \
            Instruction Set Reference",
        see: "v1;view=stalls;kernel=lock",
    },
    Term {
        id: "stall-branch-resolving",
        name: "Branch Resolving",
        also: &[
            "Stall Branch Resolving",
            "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls until its branch target is known and its program counter is updated. Unroll \
            short loops, and let the compiler replace short branches by predicates.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=ladder-32-warps",
    },
    Term {
        id: "stall-no-instruction",
        name: "No Instruction",
        also: &[
            "Stall No Instruction",
            "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio",
            "No Instructions",
        ],
        kind: Kind::Stall,
        text: "The warp stalls on the fetch of its next instruction. Shorten the code, avoid jumps across \
            long code, or add warps.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=stream",
    },
    Term {
        id: "stall-imc-miss",
        name: "IMC Miss",
        also: &[
            "Stall IMC Miss",
            "smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls on a miss in the immediate constant cache. Let all lanes read the same \
            constant, and reuse it while it is cached; in Warpscope, constant operands never miss.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons; the model has no such \
            misses",
        see: "",
    },
    Term {
        id: "stall-dispatch-stall",
        name: "Dispatch Stall",
        also: &[
            "Stall Dispatch Stall",
            "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio",
            "Stall Dispatch",
        ],
        kind: Kind::Stall,
        text: "The warp stalls because the dispatch port holds its instruction back. On GH100, the cause is \
            a register bank conflict; the compiler assigns registers, so little can be done in the source.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons; cause: measured on GH100",
        see: "v1;view=stalls;kernel=matmul-naive;arch=gh100",
    },
    Term {
        id: "stall-sleeping",
        name: "Sleeping",
        also: &[
            "Stall Sleeping",
            "smsp__average_warps_issue_stalled_sleeping_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "All lanes of the warp sleep after __nanosleep(), have yielded, or wait for other lanes of \
            the warp. Let more lanes sleep at the same time, or shorten the delay.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "",
    },
    Term {
        id: "stall-drain",
        name: "Drain",
        also: &[
            "Stall Drain",
            "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp has exited, and its stores are still draining. Store less at the end of the kernel, \
            and coalesce the stores.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls;kernel=transpose-tiled",
    },
    Term {
        id: "stall-misc",
        name: "Misc",
        also: &[
            "Stall Misc",
            "smsp__average_warps_issue_stalled_misc_per_issue_active.ratio",
        ],
        kind: Kind::Stall,
        text: "The warp stalls for a hardware reason that has no name of its own. Reduce the other stall \
            reasons first.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "",
    },
    Term {
        id: "stall-empty",
        name: "Empty",
        also: &[],
        kind: Kind::Stall,
        text: "The warp slot holds no warp, or its warp has exited and drained. Use more or smaller blocks, \
            fewer registers, or less shared memory: see Occupancy.",
        source: "Warpscope's own state; slots: CUDA C++ Programming Guide, Compute Capabilities",
        see: "v1;view=stalls;kernel=ilp-1",
    },
    Term {
        id: "throttle",
        name: "Throttle",
        also: &["throttles"],
        kind: Kind::Stall,
        text: "Throttle is the mark for stalls on a full pipe or queue: Math Pipe, MIO, LG, and TEX \
            Throttle, and Dispatch Stall. More warps do not help: reduce or spread the instructions for \
            this unit.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=timeline;mark=throttle;cycle=1500",
    },
    Term {
        id: "other-stalls",
        name: "Other",
        also: &["other reasons"],
        kind: Kind::Stall,
        text: "Other is the mark for No Instruction, IMC Miss, Sleeping, Drain, and Misc. The inspector \
            names the reason of each warp.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=timeline;mark=other;cycle=5000",
    },
    Term {
        id: "no-eligible",
        name: "No eligible",
        also: &[
            "No eligible warp",
            "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
        ],
        kind: Kind::Stall,
        text: "No eligible is the share of scheduler cycles in which no warp could issue. Reduce the \
            largest stall reasons first, because each such cycle is lost.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure; section Scheduler \
            Statistics",
        see: "v1;view=stalls",
    },
];
