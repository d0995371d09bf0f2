//! Opcodes that access memory.

use crate::glossary::{Kind, Term};

pub(in crate::glossary) static TERMS: &[Term] = &[
    Term {
        id: "ld",
        name: "LD",
        also: &[],
        kind: Kind::Opcode,
        text: "LD loads from a generic address; listings of Fermi and Kepler also use it for global loads. \
            The address selects global, shared, or local memory.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gf100;kernel=saxpy;view=source",
    },
    Term {
        id: "st",
        name: "ST",
        also: &[],
        kind: Kind::Opcode,
        text: "ST stores to a generic address; listings of Fermi and Kepler also use it for global stores. \
            The address selects global, shared, or local memory.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gf100;kernel=saxpy;view=source",
    },
    Term {
        id: "ldg",
        name: "LDG",
        also: &["LDG.E", "LDG.E.128", "LDG.E.CONSTANT"],
        kind: Kind::Opcode,
        text: "LDG loads from global memory; .E marks a 64-bit address, and .64 or .128 the width. Its \
            result arrives after hundreds of cycles unless the access hits in L1.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=transpose-tiled;view=source",
    },
    Term {
        id: "stg",
        name: "STG",
        also: &["STG.E", "STG.E.128"],
        kind: Kind::Opcode,
        text: "STG stores to global memory. The warp continues at once, but uncoalesced stores fill the LG \
            queue.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=transpose-naive;view=source",
    },
    Term {
        id: "lds",
        name: "LDS",
        also: &["LDS.128", "LDS.64"],
        kind: Kind::Opcode,
        text: "LDS loads from shared memory. Without bank conflicts, all 32 words arrive in one wavefront.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=transpose-tiled;view=source",
    },
    Term {
        id: "sts",
        name: "STS",
        also: &["STS.128", "STS.64"],
        kind: Kind::Opcode,
        text: "STS stores to shared memory, under the same bank rules as LDS. If lanes store to one word, \
            one of the values remains.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=transpose-tiled;view=source",
    },
    Term {
        id: "ldl",
        name: "LDL",
        also: &[],
        kind: Kind::Opcode,
        text: "LDL loads from local memory: spilled registers and private arrays. Its latency is that of L1 \
            or worse, so LDL in a loop is a warning.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=pressure-spilled;view=source",
    },
    Term {
        id: "stl",
        name: "STL",
        also: &[],
        kind: Kind::Opcode,
        text: "STL stores to local memory: spilled registers and private arrays. Each STL and LDL pair is \
            traffic that registers would avoid.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=pressure-spilled;view=source",
    },
    Term {
        id: "ldc",
        name: "LDC",
        also: &[],
        kind: Kind::Opcode,
        text: "LDC loads from constant memory at an address in a register. Different addresses in a warp \
            take one pass each.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=constant-divergent;view=source",
    },
    Term {
        id: "ldu",
        name: "LDU",
        also: &[],
        kind: Kind::Opcode,
        text: "LDU loads one global address for all lanes through the constant cache (Fermi). The compiler \
            uses it for read-only data with an address that does not depend on the thread.",
        source: "Fermi Tuning Guide, Constant Cache; CUDA C Programming Guide 4.2, F.4.4",
        see: "v1;arch=gf100;kernel=pressure-local;view=source",
    },
    Term {
        id: "tld",
        name: "TLD",
        also: &["TLD.LZ", "tex1Dfetch()"],
        kind: Kind::Opcode,
        text: "TLD fetches a texel by its integer index, without filtering (tex1Dfetch). It uses the \
            texture unit, and its latency is that of the texture cache or L1.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=gather-texture;view=source",
    },
    Term {
        id: "tld4",
        name: "TLD4",
        also: &[],
        kind: Kind::Opcode,
        text: "TLD4 gathers one component of the four texels that bilinear filtering would use. One fetch \
            replaces four.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "txd",
        name: "TXD",
        also: &[],
        kind: Kind::Opcode,
        text: "TXD fetches a filtered texel with given gradients. The gradients select the mipmap level and \
            cost further address computations.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "suld",
        name: "SULD",
        also: &[],
        kind: Kind::Opcode,
        text: "SULD loads from a surface. The texture unit checks the bounds of each address.",
        source: "CUDA Binary Utilities, Instruction Set Reference; Nsight Compute documentation, Profiling \
            Guide, Hardware Model",
        see: "",
    },
    Term {
        id: "sust",
        name: "SUST",
        also: &[],
        kind: Kind::Opcode,
        text: "SUST stores to a surface. The texture unit checks the bounds of each address.",
        source: "CUDA Binary Utilities, Instruction Set Reference; Nsight Compute documentation, Profiling \
            Guide, Hardware Model",
        see: "",
    },
    Term {
        id: "atom",
        name: "ATOM",
        also: &[],
        kind: Kind::Opcode,
        text: "ATOM changes a word of global or generic memory atomically and returns the old value. Lanes \
            with the same address are serialized.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=lock;view=source",
    },
    Term {
        id: "atomg",
        name: "ATOMG",
        also: &[],
        kind: Kind::Opcode,
        text: "ATOMG changes a word of global memory atomically and returns the old value (Volta on). L2 \
            executes it, so the warp waits for a full round trip.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=lock;view=source",
    },
    Term {
        id: "atoms",
        name: "ATOMS",
        also: &[],
        kind: Kind::Opcode,
        text: "ATOMS changes a word of shared memory atomically (1.2 on). It is native from Maxwell on and \
            a lock loop before; lanes with the same word take a wavefront each.",
        source: "CUDA Binary Utilities, Instruction Set Reference; Jia et al. 2018, Table 4.2",
        see: "v1;kernel=histogram;view=source",
    },
    Term {
        id: "red",
        name: "RED",
        also: &[],
        kind: Kind::Opcode,
        text: "RED changes a word of global memory atomically without returning the old value. The warp \
            does not wait, so use atomicAdd without its result.",
        source: "CUDA Binary Utilities, Instruction Set Reference; PTX ISA, red",
        see: "v1;kernel=histogram-global;view=source",
    },
];
