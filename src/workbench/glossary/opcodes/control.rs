//! Opcodes of control flow, synchronization, and exchange between lanes.

use crate::glossary::{Kind, Term};

pub(in crate::glossary) static TERMS: &[Term] = &[
    Term {
        id: "s2r",
        name: "S2R",
        also: &["S2R results"],
        kind: Kind::Opcode,
        text: "S2R copies a special register, such as the thread index, to a register. It has the variable \
            latency of an MIO instruction, so kernels start with Short Scoreboard stalls.",
        source: "CUDA Binary Utilities, Instruction Set Reference; Nsight Compute documentation, Profiling \
            Guide, Pipelines",
        see: "v1;kernel=transpose-tiled;view=source",
    },
    Term {
        id: "bra",
        name: "BRA",
        also: &["branch"],
        kind: Kind::Opcode,
        text: "BRA jumps to an address, in the lanes whose guard predicate is true. If only some lanes \
            jump, the warp diverges.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=divergence;view=source",
    },
    Term {
        id: "exit",
        name: "EXIT",
        also: &[],
        kind: Kind::Opcode,
        text: "EXIT ends the active lanes. When all lanes of all warps of a block have exited, its \
            resources become free for the next block.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=saxpy-each;view=source",
    },
    Term {
        id: "call",
        name: "CALL",
        also: &["CAL", "CALL.REL.NOINC"],
        kind: Kind::Opcode,
        text: "CALL calls a function and keeps the return address (CAL before Volta). In Warpscope, \
            CALL.SLOW is the slow path of a division or square root, executed as one instruction.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=stencil-shared;view=source",
    },
    Term {
        id: "ret",
        name: "RET",
        also: &[],
        kind: Kind::Opcode,
        text: "RET returns from a function to the address after its call. Before Volta, the return address \
            is on the stack of the warp.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "nop",
        name: "NOP",
        also: &[],
        kind: Kind::Opcode,
        text: "NOP does nothing and takes an issue slot. Compilers place it for alignment or to fill a pair.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "bar",
        name: "BAR",
        also: &["BAR.SYNC", "BAR.RED", "BAR.RED.POPC"],
        kind: Kind::Opcode,
        text: "BAR is the block barrier: BAR.SYNC waits for all threads of the block, and BAR.RED also \
            combines a condition. Warps that wait there show the stall Barrier.",
        source: "CUDA Binary Utilities, Instruction Set Reference; PTX ISA, bar",
        see: "v1;kernel=barrier;view=source",
    },
    Term {
        id: "ssy",
        name: "SSY",
        also: &[],
        kind: Kind::Opcode,
        text: "SSY pushes the address at which diverged lanes reconverge (Tesla to Pascal). SYNC at the end \
            of each path pops this entry.",
        source: "CUDA Binary Utilities, Instruction Set Reference; Wong et al. 2010",
        see: "v1;arch=gm204;kernel=divergence;view=source",
    },
    Term {
        id: "sync",
        name: "SYNC",
        also: &["stack pop"],
        kind: Kind::Opcode,
        text: "SYNC ends a path of a divergent branch and continues with the next stack entry (Tesla to \
            Pascal). After the last path, all lanes continue together.",
        source: "CUDA Binary Utilities, Instruction Set Reference; Wong et al. 2010",
        see: "v1;arch=gm204;kernel=divergence;view=source",
    },
    Term {
        id: "pbk",
        name: "PBK",
        also: &[],
        kind: Kind::Opcode,
        text: "PBK pushes the address where lanes go that leave a loop with break (Tesla to Pascal). BRK \
            pops this entry.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=histogram;view=source",
    },
    Term {
        id: "brk",
        name: "BRK",
        also: &[],
        kind: Kind::Opcode,
        text: "BRK makes its lanes leave a loop and wait at the address that PBK pushed (Tesla to Pascal). \
            The other lanes continue the loop, and the finished lanes are idle.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=histogram;view=source",
    },
    Term {
        id: "pcnt",
        name: "PCNT",
        also: &[],
        kind: Kind::Opcode,
        text: "PCNT pushes the address of the end of a loop body, for continue (Tesla to Pascal). CONT pops \
            this entry.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=histogram-private;view=source",
    },
    Term {
        id: "cont",
        name: "CONT",
        also: &[],
        kind: Kind::Opcode,
        text: "CONT makes its lanes skip the rest of a loop body and wait for the others (Tesla to Pascal). \
            All lanes then start the next iteration together.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=histogram-private;view=source",
    },
    Term {
        id: "pret",
        name: "PRET",
        also: &[],
        kind: Kind::Opcode,
        text: "PRET pushes the address to which a function returns (Tesla to Pascal). Lanes that return \
            early wait there for the others.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "bssy",
        name: "BSSY",
        also: &[],
        kind: Kind::Opcode,
        text: "BSSY sets a convergence barrier with the active lanes before a branch (Volta on). The \
            barrier names the lanes for which BSYNC waits.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=divergence;view=source",
    },
    Term {
        id: "bsync",
        name: "BSYNC",
        also: &[],
        kind: Kind::Opcode,
        text: "BSYNC makes lanes wait until all lanes of a convergence barrier have arrived or left (Volta \
            on). After BSYNC, the lanes execute together again.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=divergence;view=source",
    },
    Term {
        id: "break",
        name: "BREAK",
        also: &[],
        kind: Kind::Opcode,
        text: "BREAK removes the active lanes from a convergence barrier (Volta on). Lanes that leave a \
            loop early need it, so that the others do not wait for them.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=histogram-private;view=source",
    },
    Term {
        id: "warpsync",
        name: "WARPSYNC",
        also: &[],
        kind: Kind::Opcode,
        text: "WARPSYNC makes the lanes of a mask wait for each other: it is __syncwarp() (Volta on). It \
            also orders memory accesses of these lanes.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=warp-sum-sync;view=source",
    },
    Term {
        id: "yield",
        name: "YIELD",
        also: &[],
        kind: Kind::Opcode,
        text: "YIELD lets another group of diverged lanes of the warp run (Volta on). It helps lanes that \
            wait for each other in a loop to make progress.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "nanosleep",
        name: "NANOSLEEP",
        also: &[],
        kind: Kind::Opcode,
        text: "NANOSLEEP suspends its lanes for about a given number of nanoseconds (Volta on). In a \
            waiting loop, it leaves issue slots and memory bandwidth to other warps.",
        source: "CUDA Binary Utilities, Instruction Set Reference; CUDA C++ Programming Guide, Nanosleep \
            Function",
        see: "",
    },
    Term {
        id: "bpt",
        name: "BPT",
        also: &["BPT.TRAP", "__trap()"],
        kind: Kind::Opcode,
        text: "BPT.TRAP stops the kernel with an error: it is __trap(). The host sees the error at its next \
            synchronization.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "vote",
        name: "VOTE",
        also: &["VOTE.ALL", "VOTE.ANY", "ballot"],
        kind: Kind::Opcode,
        text: "VOTE combines a predicate of the lanes: all, any, equal, or their mask (1.2 on). Every lane \
            gets the result in one instruction.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=warp-shuffle-active;view=source",
    },
    Term {
        id: "shfl",
        name: "SHFL",
        also: &["SHFL.DOWN", "SHFL.UP", "SHFL.IDX", "SHFL.BFLY"],
        kind: Kind::Opcode,
        text: "SHFL reads a register of another lane: by index, up, down, or XOR (Kepler on). It uses the \
            path of shared memory without memory and without a barrier.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=reduce-shuffle;view=source",
    },
    Term {
        id: "match",
        name: "MATCH",
        also: &[],
        kind: Kind::Opcode,
        text: "MATCH gives each lane the mask of the lanes with an equal value (Volta on). It groups lanes \
            before an atomic, so that one lane acts for each group.",
        source: "CUDA Binary Utilities, Instruction Set Reference; CUDA C++ Programming Guide, Warp Match \
            Functions",
        see: "",
    },
    Term {
        id: "redux",
        name: "REDUX",
        also: &[],
        kind: Kind::Opcode,
        text: "REDUX combines a 32-bit integer of all named lanes: sum, minimum, maximum, AND, OR, or XOR \
            (Ampere on). It replaces five SHFLs and five operations.",
        source: "CUDA Binary Utilities, Instruction Set Reference; CUDA C++ Programming Guide, Warp Reduce \
            Functions",
        see: "",
    },
];
