//! Opcodes that compute: floating point, tensor cores, conversions, integers, predicates.

use crate::glossary::{Kind, Term};

pub(in crate::glossary) static TERMS: &[Term] = &[
    Term {
        id: "fadd",
        name: "FADD",
        also: &[],
        kind: Kind::Opcode,
        text: "FADD adds two single-precision numbers; FADD with a negated operand subtracts. It runs on \
            the FP32 lanes at full rate.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=vector-add;view=source",
    },
    Term {
        id: "fmul",
        name: "FMUL",
        also: &[],
        kind: Kind::Opcode,
        text: "FMUL multiplies two single-precision numbers on the FP32 lanes at full rate. A product that \
            an addition uses becomes FFMA unless --fmad=false is set.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=ladder-4;view=source",
    },
    Term {
        id: "ffma",
        name: "FFMA",
        also: &[],
        kind: Kind::Opcode,
        text: "FFMA computes a * b + c in single precision with one rounding (Fermi on). One issue does two \
            operations, so peak rates count FFMA.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=matmul-tiled;view=source",
    },
    Term {
        id: "fmad",
        name: "FMAD",
        also: &[],
        kind: Kind::Opcode,
        text: "FMAD computes a * b + c on Tesla with a truncated product. Its results can differ from FFMA \
            in the last bits.",
        source: "Fermi Tuning Guide, IEEE 754-2008 Compliance; CUDA C Programming Guide 4.2",
        see: "v1;arch=g80;kernel=saxpy;view=source",
    },
    Term {
        id: "fmnmx",
        name: "FMNMX",
        also: &[],
        kind: Kind::Opcode,
        text: "FMNMX selects the smaller or larger of two single-precision numbers; a number wins against \
            NaN. fminf and fmaxf take one such instruction and no branch.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "fsetp",
        name: "FSETP",
        also: &[],
        kind: Kind::Opcode,
        text: "FSETP compares two single-precision numbers and writes a predicate. The predicate then \
            guards instructions or a branch.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "fchk",
        name: "FCHK",
        also: &[],
        kind: Kind::Opcode,
        text: "FCHK tests whether a single-precision division needs the slow path outside the range of the \
            inline code (Fermi on). Divisions by ordinary numbers take the fast path.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=stencil-shared;view=source",
    },
    Term {
        id: "mufu",
        name: "MUFU",
        also: &[
            "MUFU.RCP",
            "MUFU.RSQ",
            "MUFU.EX2",
            "MUFU.LG2",
            "MUFU.SIN",
            "MUFU.COS",
            "MUFU.SQRT",
        ],
        kind: Kind::Opcode,
        text: "MUFU computes a reciprocal, reciprocal square root, sine, cosine, exponential, or logarithm \
            to base 2 on the XU. Its rate is a quarter of FP32 or less, so hoist it out of loops.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=ladder-32;view=source",
    },
    Term {
        id: "rro",
        name: "RRO",
        also: &["RRO.SINCOS", "RRO.EX2"],
        kind: Kind::Opcode,
        text: "RRO reduces the operand of MUFU.SIN, MUFU.COS, or MUFU.EX2 to fixed point (up to Pascal). From Volta \
            on, FMUL.RZ by 1/2π precedes a sine or cosine instead.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "dadd",
        name: "DADD",
        also: &[],
        kind: Kind::Opcode,
        text: "DADD adds two double-precision numbers in register pairs (1.3 on). Consumer chips have few \
            FP64 lanes, so it is slow there.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "dmul",
        name: "DMUL",
        also: &[],
        kind: Kind::Opcode,
        text: "DMUL multiplies two double-precision numbers (1.3 on). Write constants as 1.0f in \
            single-precision code, otherwise the compiler promotes to DMUL.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "dfma",
        name: "DFMA",
        also: &[],
        kind: Kind::Opcode,
        text: "DFMA computes a * b + c in double precision with one rounding (1.3 on). Peak rates of double \
            precision count DFMA.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "dmnmx",
        name: "DMNMX",
        also: &[],
        kind: Kind::Opcode,
        text: "DMNMX selects the smaller or larger of two double-precision numbers. fmin and fmax take this \
            instruction where the chip has it.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "dsetp",
        name: "DSETP",
        also: &[],
        kind: Kind::Opcode,
        text: "DSETP compares two double-precision numbers and writes a predicate. It runs at the rate of \
            the FP64 lanes.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "hadd2",
        name: "HADD2",
        also: &[],
        kind: Kind::Opcode,
        text: "HADD2 adds two pairs of half-precision numbers; HADD2.F32 converts a half to single \
            precision. One issue does two additions, so use __half2.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "hmul2",
        name: "HMUL2",
        also: &[],
        kind: Kind::Opcode,
        text: "HMUL2 multiplies two pairs of half-precision numbers. One issue does two multiplications, so \
            use __half2.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "hfma2",
        name: "HFMA2",
        also: &[],
        kind: Kind::Opcode,
        text: "HFMA2 computes a * b + c on two pairs of half-precision numbers with one rounding each. One \
            issue does four operations, twice as many as FFMA.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "hmnmx2",
        name: "HMNMX2",
        also: &[],
        kind: Kind::Opcode,
        text: "HMNMX2 selects the smaller or larger numbers of two pairs of halves (Ampere on). __hmin2 and \
            __hmax2 take one such instruction.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "hsetp2",
        name: "HSETP2",
        also: &[],
        kind: Kind::Opcode,
        text: "HSETP2 compares half-precision numbers and writes a predicate. Comparisons of __half take it \
            where the chip has half-precision arithmetic.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "hmma",
        name: "HMMA",
        also: &["HMMA.16816", "HMMA.1688", "HMMA.884"],
        kind: Kind::Opcode,
        text: "HMMA multiplies matrices of halves on the tensor cores for a whole warp and adds a third \
            matrix (Volta on). One HMMA replaces 8 to 64 FFMAs of a warp; the wmma functions generate it.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "qmma",
        name: "QMMA",
        also: &["QMMA.16832"],
        kind: Kind::Opcode,
        text: "QMMA multiplies matrices of 8-bit floats on the tensor cores for a whole warp, 32 elements deep (Ada). On GH100, \
            mma.sync converts the factors to halves for two HMMAs, and only wgmma multiplies 8-bit floats.",
        source: "code of nvcc 13.0 for mma.sync.m16n8k32 (sm_89, sm_90); PTX ISA, wgmma.mma_async",
        see: "",
    },
    Term {
        id: "imma",
        name: "IMMA",
        also: &[],
        kind: Kind::Opcode,
        text: "IMMA multiplies matrices of 8-bit or 4-bit integers on the tensor cores with 32-bit sums \
            (Turing on). It has at least twice the rate of HMMA.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "bmma",
        name: "BMMA",
        also: &[],
        kind: Kind::Opcode,
        text: "BMMA multiplies matrices of bits on the tensor cores and counts bits (Turing on). It serves \
            binary networks through wmma with 1-bit fragments.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "dmma",
        name: "DMMA",
        also: &[],
        kind: Kind::Opcode,
        text: "DMMA multiplies matrices of doubles on the tensor cores (GA100 and GH100). It has twice the \
            rate of DFMA on these chips.",
        source: "CUDA Binary Utilities, Instruction Set Reference; A100 white paper",
        see: "",
    },
    Term {
        id: "f2f",
        name: "F2F",
        also: &[],
        kind: Kind::Opcode,
        text: "F2F converts between floating-point types, and rounds to whole numbers before Volta. \
            Conversions have a low rate, so avoid mixed precision in inner loops.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "f2fp",
        name: "F2FP",
        also: &[],
        kind: Kind::Opcode,
        text: "F2FP packs two single-precision numbers into two halves or bfloat16 numbers (Ampere on). It \
            replaces two conversions and a permutation.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "f2i",
        name: "F2I",
        also: &[],
        kind: Kind::Opcode,
        text: "F2I converts a floating-point number to an integer. It runs at a fraction of the FP32 rate, \
            so keep conversions out of inner loops.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=saxpy;view=source",
    },
    Term {
        id: "i2f",
        name: "I2F",
        also: &[],
        kind: Kind::Opcode,
        text: "I2F converts an integer to a floating-point number at a low rate. Integer division and \
            remainder use it, so avoid them in inner loops.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=mixed-math;view=source",
    },
    Term {
        id: "i2i",
        name: "I2I",
        also: &[],
        kind: Kind::Opcode,
        text: "I2I converts between integers of 8, 16, and 32 bits with saturation. Narrow types in \
            arithmetic cost such extra instructions.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "frnd",
        name: "FRND",
        also: &[],
        kind: Kind::Opcode,
        text: "FRND rounds a floating-point number to a whole number (Volta on; F2F before). floorf, ceilf, \
            and rintf take one such conversion.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "iadd",
        name: "IADD",
        also: &[],
        kind: Kind::Opcode,
        text: "IADD adds two integers (Tesla to Pascal). Index arithmetic takes most of them; unrolling \
            with constant offsets saves additions.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=saxpy;view=source",
    },
    Term {
        id: "iadd3",
        name: "IADD3",
        also: &[],
        kind: Kind::Opcode,
        text: "IADD3 adds three integers (Volta on in Warpscope's code). One instruction replaces two \
            additions; .X adds a carry for 64-bit addresses.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=saxpy;view=source",
    },
    Term {
        id: "imul",
        name: "IMUL",
        also: &[],
        kind: Kind::Opcode,
        text: "IMUL multiplies two 32-bit integers (Fermi and Kepler). Its rate is below that of additions, \
            so prefer shifts and running sums.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gf100;kernel=matmul-float4;view=source",
    },
    Term {
        id: "imad",
        name: "IMAD",
        also: &["IMAD.WIDE", "IMAD.HI", "IMAD.U16"],
        kind: Kind::Opcode,
        text: "IMAD multiplies two integers and adds a third: natively except on Maxwell and Pascal. From \
            Volta on it runs on the FMA pipe; IMAD.WIDE computes 64-bit addresses.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=saxpy;view=source",
    },
    Term {
        id: "xmad",
        name: "XMAD",
        also: &[],
        kind: Kind::Opcode,
        text: "XMAD multiplies 16-bit parts and adds a 32-bit integer (Maxwell and Pascal). A 32-bit \
            product takes three XMADs, so index products cost more there.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=matmul-tiled;view=source",
    },
    Term {
        id: "lea",
        name: "LEA",
        also: &[],
        kind: Kind::Opcode,
        text: "LEA shifts an index and adds a base address (Volta on in Warpscope's code). One instruction \
            computes the address of an array element.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=matmul-tiled;view=source",
    },
    Term {
        id: "iscadd",
        name: "ISCADD",
        also: &[],
        kind: Kind::Opcode,
        text: "ISCADD shifts one integer and adds another (Fermi to Pascal). One instruction computes the \
            address of an array element.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gf100;kernel=matmul-tiled;view=source",
    },
    Term {
        id: "lop",
        name: "LOP",
        also: &[],
        kind: Kind::Opcode,
        text: "LOP computes AND, OR, or XOR of two registers (Tesla to Pascal in Warpscope's code). \
            Remainders by powers of two become one AND.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=histogram;view=source",
    },
    Term {
        id: "lop3",
        name: "LOP3",
        also: &["LOP3.LUT"],
        kind: Kind::Opcode,
        text: "LOP3 computes any bitwise function of three registers; a lookup table selects it. One \
            instruction replaces two or more logic operations.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=divergence;view=source",
    },
    Term {
        id: "shl",
        name: "SHL",
        also: &[],
        kind: Kind::Opcode,
        text: "SHL shifts an integer left (Tesla to Pascal). Multiplications by powers of two become SHL, \
            ISCADD, or a part of an address.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=saxpy;view=source",
    },
    Term {
        id: "shr",
        name: "SHR",
        also: &[],
        kind: Kind::Opcode,
        text: "SHR shifts an integer right, with the sign or, as SHR.U32, with zeros (Tesla to Pascal). \
            Divisions of unsigned numbers by powers of two become one SHR.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=divergence;view=source",
    },
    Term {
        id: "shf",
        name: "SHF",
        also: &["SHF.L.U32", "SHF.R.S32.HI"],
        kind: Kind::Opcode,
        text: "SHF shifts a register or a pair of registers left or right (Kepler on). Volta and later \
            chips use it for all shifts, 32-bit and 64-bit.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=divergence;view=source",
    },
    Term {
        id: "imnmx",
        name: "IMNMX",
        also: &[],
        kind: Kind::Opcode,
        text: "IMNMX selects the smaller or larger of two integers. min and max take one such instruction \
            and no branch.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=ladder-2;view=source",
    },
    Term {
        id: "isetp",
        name: "ISETP",
        also: &[],
        kind: Kind::Opcode,
        text: "ISETP compares two integers and writes a predicate, combined with another predicate. Loop \
            conditions and index checks take one each.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=divergence;view=source",
    },
    Term {
        id: "iabs",
        name: "IABS",
        also: &[],
        kind: Kind::Opcode,
        text: "IABS computes the absolute value of an integer (Volta on). Signed division and remainder \
            contain it.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=ladder-2;view=source",
    },
    Term {
        id: "popc",
        name: "POPC",
        also: &[],
        kind: Kind::Opcode,
        text: "POPC counts the one bits of a register at a reduced rate. With a vote mask, it counts the \
            lanes that fulfill a condition.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "flo",
        name: "FLO",
        also: &[],
        kind: Kind::Opcode,
        text: "FLO finds the position of the highest one bit. __clz and __ffs use it, at a reduced rate.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "brev",
        name: "BREV",
        also: &[],
        kind: Kind::Opcode,
        text: "BREV reverses the order of the bits of a register (Fermi on). __brev takes one instruction, \
            and __ffs uses it before FLO.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "prmt",
        name: "PRMT",
        also: &[],
        kind: Kind::Opcode,
        text: "PRMT selects four bytes of two registers (__byte_perm). It packs and unpacks narrow types in \
            one instruction.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "bfe",
        name: "BFE",
        also: &[],
        kind: Kind::Opcode,
        text: "BFE extracts a bit field from a register (Fermi to Pascal). Later chips use shifts and LOP3 \
            in its place.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "bfi",
        name: "BFI",
        also: &[],
        kind: Kind::Opcode,
        text: "BFI inserts a bit field into a register (Fermi to Pascal). Later chips use shifts and LOP3 \
            in its place.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "",
    },
    Term {
        id: "sel",
        name: "SEL",
        also: &[],
        kind: Kind::Opcode,
        text: "SEL selects one of two registers by a predicate. The compiler uses SEL in place of a branch, \
            so lanes do not diverge.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=saxpy;view=source",
    },
    Term {
        id: "mov",
        name: "MOV",
        also: &[],
        kind: Kind::Opcode,
        text: "MOV copies a register, a constant, or an immediate to a register. A MOV from c[0x0] reads a \
            kernel argument.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=transpose-tiled;view=source",
    },
    Term {
        id: "plop3",
        name: "PLOP3",
        also: &["PLOP3.LUT"],
        kind: Kind::Opcode,
        text: "PLOP3 combines three predicates by a lookup table (Volta on). Conditions with && and || take \
            it and no branch.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;kernel=lock-lanes;view=source",
    },
    Term {
        id: "psetp",
        name: "PSETP",
        also: &["PSETP.LUT"],
        kind: Kind::Opcode,
        text: "PSETP combines predicates by logic operations (Fermi to Pascal). Conditions with && and || \
            take it and no branch.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;arch=gm204;kernel=lock-lanes;view=source",
    },
];
