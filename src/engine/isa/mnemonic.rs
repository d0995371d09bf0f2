//! Names of operations: mnemonic and modifiers as each generation's listings spell them
//! (`cuobjdump -sass`).

use super::{
    AtomOp, BarMode, Bf16Op, BoolOp, Boundary, CacheOp, Cmp, ImageShape, Mufu, NumType, Op, ReduxOp, Round,
    ShflMode, SlowPath, Space, TexelChoice, Token, VoteMode, Width,
};
use crate::arch::{ArchId, Generation};

impl Op {
    /// Mnemonic with its modifiers, as the architecture's listings spell it.
    pub fn mnemonic(self, arch: ArchId) -> String {
        let volta = arch.is_from(Generation::Volta);
        let tesla = arch.generation() == Generation::Tesla;
        match self {
            Self::Fadd { ftz, sat, round } => float_text("FADD", ftz, sat, round),
            Self::Fmul { ftz, sat, round } => float_text("FMUL", ftz, sat, round),
            Self::Ffma { ftz, sat, round } => float_text("FFMA", ftz, sat, round),
            Self::Fmad { sat } => format!("FMAD{}", flag(sat, ".SAT")),
            Self::Fmnmx { ftz, .. } => format!("FMNMX{}", flag(ftz, ".FTZ")),
            Self::Fsetp { cmp, bool_op, ftz } => {
                format!(
                    "FSETP.{}{}.{}",
                    cmp_text(cmp),
                    flag(ftz, ".FTZ"),
                    bool_text(bool_op)
                )
            }
            Self::Mufu { func, ftz } => format!("MUFU.{}{}", mufu_text(func), flag(ftz, ".FTZ")),
            Self::Rro { ex2 } => format!("RRO.{}", if ex2 { "EX2" } else { "SINCOS" }),
            Self::Fchk => "FCHK".to_owned(),
            Self::Slow { path } => format!("CALL.SLOW.{}", slow_text(path)),
            Self::Dadd { round } => format!("DADD{}", round_suffix(round)),
            Self::Dmul { round } => format!("DMUL{}", round_suffix(round)),
            Self::Dfma { round } => format!("DFMA{}", round_suffix(round)),
            Self::Dmnmx { .. } => "DMNMX".to_owned(),
            Self::Dsetp { cmp, bool_op } => format!("DSETP.{}.{}", cmp_text(cmp), bool_text(bool_op)),
            Self::Hadd2 { ftz } => format!("HADD2{}", flag(ftz, ".FTZ")),
            Self::Hmul2 { ftz } => format!("HMUL2{}", flag(ftz, ".FTZ")),
            Self::Hfma2 { ftz } => format!("HFMA2{}", flag(ftz, ".FTZ")),
            Self::Hmnmx2 { .. } => "HMNMX2".to_owned(),
            Self::Hsetp2 { cmp, bool_op } => format!("HSETP2.{}.{}", cmp_text(cmp), bool_text(bool_op)),
            Self::Hadd2F32 { .. } => "HADD2.F32".to_owned(),
            Self::Bf16 { op } => match op {
                Bf16Op::Add => "HADD2.BF16_V2",
                Bf16Op::Mul => "HMUL2.BF16_V2",
                Bf16Op::Fma => "HFMA2.BF16_V2",
                Bf16Op::Min | Bf16Op::Max => "HMNMX2.BF16_V2",
            }
            .to_owned(),
            Self::Mma { mma } => mma.name(),
            Self::F2fp { bfloat16 } => {
                format!("F2FP.{}.F32.PACK_AB", if bfloat16 { "BF16" } else { "F16" })
            }
            Self::F2fpFp8 { e5m2 } => format!(
                "F2FP.SATFINITE.{}.F32.PACK_AB_MERGE_C",
                super::mma::fp8_text(e5m2)
            ),
            Self::UnpackFp8 { e5m2, .. } => format!("F2FP.F16.{}.UNPACK_B", super::mma::fp8_text(e5m2)),
            Self::F2f { from, to, round, ftz } => format!(
                "F2F{}.{}.{}{}",
                flag(ftz, ".FTZ"),
                type_text(to),
                type_text(from),
                round_suffix(round)
            ),
            Self::F2i { from, to, round, ftz } => {
                let types = match (to, from) {
                    (NumType::S32, NumType::F32) => String::new(),
                    (to, NumType::F32) => format!(".{}", type_text(to)),
                    (to, from) => format!(".{}.{}", type_text(to), type_text(from)),
                };
                format!(
                    "F2I{}{}{}",
                    flag(ftz, ".FTZ"),
                    types,
                    match round {
                        Round::Rn => "",
                        _ => whole_suffix(round),
                    }
                )
            }
            Self::I2f { from, to, round } => {
                let types = match (to, from) {
                    (NumType::F32, NumType::S32) => String::new(),
                    (NumType::F32, from) => format!(".{}", type_text(from)),
                    (to, from) => format!(".{}.{}", type_text(to), type_text(from)),
                };
                format!("I2F{}{}", types, round_suffix(round))
            }
            Self::I2i { from } => format!("I2I.{}", type_text(from)),
            Self::Frnd { ty, round, ftz } => {
                let ty_suffix = if matches!(ty, NumType::F32) {
                    String::new()
                } else {
                    format!(".{}", type_text(ty))
                };
                if volta {
                    let suffix = if matches!(round, Round::Rn) {
                        ""
                    } else {
                        whole_suffix(round)
                    };
                    format!("FRND{}{}{}", flag(ftz, ".FTZ"), ty_suffix, suffix)
                } else {
                    let name = type_text(ty);
                    format!("F2F{}.{name}.{name}{}", flag(ftz, ".FTZ"), whole_suffix(round))
                }
            }
            Self::Iadd3 { carry_out, carry_in } => {
                let name = if volta { "IADD3" } else { "IADD" };
                format!(
                    "{name}{}{}",
                    flag(carry_in, ".X"),
                    flag(carry_out && !volta, ".CC")
                )
            }
            Self::Imul { signed, high } => format!("IMUL{}{}", flag(!signed, ".U32"), flag(high, ".HI")),
            Self::Imad { signed, high } => {
                format!("IMAD{}{}", flag(high, ".HI"), flag(high && !signed, ".U32"))
            }
            Self::ImadWide { signed } => format!("IMAD.WIDE{}", flag(!signed, ".U32")),
            Self::Imad24 { signed } => format!("IMAD.{}24", if signed { "S" } else { "U" }),
            Self::Xmad {
                shift_left,
                merge,
                a_signed,
                b_signed,
                ..
            } => {
                if tesla {
                    format!("IMAD.U16{}", flag(shift_left, ".PSL"))
                } else {
                    let signs = match (a_signed, b_signed) {
                        (false, false) => "",
                        (true, true) => ".S16.S16",
                        (true, false) => ".S16.U16",
                        (false, true) => ".U16.S16",
                    };
                    format!("XMAD{signs}{}{}", flag(shift_left, ".PSL"), flag(merge, ".MRG"))
                }
            }
            Self::Lea { .. } => if volta { "LEA" } else { "ISCADD" }.to_owned(),
            Self::Lop { op } => format!("LOP.{}", bool_text(op)),
            Self::Lop3 { .. } => "LOP3.LUT".to_owned(),
            Self::Shl => if volta { "SHF.L.U32" } else { "SHL" }.to_owned(),
            Self::Shr { signed } if volta => format!("SHF.R.{}32.HI", if signed { "S" } else { "U" }),
            Self::Shr { signed } => format!("SHR{}", flag(!signed, ".U32")),
            Self::Shf { left, wrap, signed } => format!(
                "SHF.{}{}{}{}",
                if left { "L" } else { "R" },
                flag(wrap, ".W"),
                if signed { ".S64" } else { ".U64" },
                flag(left, ".HI")
            ),
            Self::Imnmx { signed, .. } => format!("IMNMX{}", flag(!signed, ".U32")),
            Self::Isetp {
                cmp,
                signed,
                bool_op,
                extended,
            } => format!(
                "ISETP.{}{}.{}{}",
                cmp_text(cmp),
                flag(!signed, ".U32"),
                bool_text(bool_op),
                flag(extended, ".EX")
            ),
            Self::Iabs => "IABS".to_owned(),
            Self::Popc => "POPC".to_owned(),
            Self::Flo { signed } => format!("FLO{}", flag(!signed, ".U32")),
            Self::Brev => "BREV".to_owned(),
            Self::Prmt => "PRMT".to_owned(),
            Self::Bfe { signed } => format!("BFE{}", flag(!signed, ".U32")),
            Self::Bfi => "BFI".to_owned(),
            Self::Sel => "SEL".to_owned(),
            Self::Mov => "MOV".to_owned(),
            Self::S2r { .. } => "S2R".to_owned(),
            Self::Plop3 { .. } => if volta { "PLOP3.LUT" } else { "PSETP.LUT" }.to_owned(),
            Self::Vote { mode, .. } => format!(
                "VOTE.{}",
                match mode {
                    VoteMode::All => "ALL",
                    VoteMode::Any => "ANY",
                    VoteMode::Eq => "EQ",
                }
            ),
            Self::Shfl { mode, .. } => format!(
                "SHFL.{}",
                match mode {
                    ShflMode::Idx => "IDX",
                    ShflMode::Up => "UP",
                    ShflMode::Down => "DOWN",
                    ShflMode::Bfly => "BFLY",
                }
            ),
            Self::Match { all, wide } => {
                format!("MATCH.{}{}", if all { "ALL" } else { "ANY" }, flag(wide, ".U64"))
            }
            Self::Redux { op, signed } => format!(
                "REDUX{}{}",
                match op {
                    ReduxOp::Sum => ".SUM",
                    ReduxOp::Min => ".MIN",
                    ReduxOp::Max => ".MAX",
                    ReduxOp::And => "",
                    ReduxOp::Or => ".OR",
                    ReduxOp::Xor => ".XOR",
                },
                flag(signed, ".S32")
            ),
            Self::Ld {
                space,
                width,
                cache,
                wide,
            } => memory_text(
                if matches!(cache, CacheOp::Ldu) {
                    "LDU"
                } else {
                    "LD"
                },
                space,
                width,
                cache,
                wide,
                arch,
            ),
            Self::St {
                space,
                width,
                cache,
                wide,
            } => memory_text("ST", space, width, cache, wide, arch),
            Self::Atom { space, op, ty, wide } => {
                let name = match space {
                    Space::Shared => "ATOMS",
                    Space::Generic => "ATOM",
                    Space::Global | Space::Local => {
                        if volta {
                            "ATOMG"
                        } else {
                            "ATOM"
                        }
                    }
                };
                format!(
                    "{name}{}",
                    atomic_suffix(op, ty, wide && !matches!(space, Space::Shared))
                )
            }
            Self::Red { space, op, ty, wide } => {
                let name = if matches!(space, Space::Shared) {
                    "ATOMS"
                } else {
                    "RED"
                };
                format!(
                    "{name}{}",
                    atomic_suffix(op, ty, wide && !matches!(space, Space::Shared))
                )
            }
            Self::Ldgsts {
                width,
                bypass,
                zero_fill,
                wide,
            } => format!(
                "LDGSTS{}{}{}{}",
                flag(wide, ".E"),
                flag(bypass, ".BYPASS"),
                width_suffix(width),
                flag(zero_fill, ".ZFILL")
            ),
            Self::Ldsm { num, transposed } => matrix_text("LDSM", num, transposed),
            Self::Stsm { num, transposed } => matrix_text("STSM", num, transposed),
            Self::Movm => "MOVM.16.MT88".to_owned(),
            Self::Ldgdepbar => "LDGDEPBAR".to_owned(),
            Self::Depbar { .. } => "DEPBAR.LE".to_owned(),
            Self::Ldc { width, .. } => format!("LDC{}", width_suffix(width)),
            Self::Tld { width, .. } => format!("TLD.LZ{}", width_suffix(width)),
            Self::Tex { choice, .. } => match choice {
                TexelChoice::Zero => "TEX.LZ".to_owned(),
                TexelChoice::Level => "TEX.LL".to_owned(),
                TexelChoice::Gradient(_) => "TXD".to_owned(),
                TexelChoice::Gather(channel) => {
                    let channel = ["R", "G", "B", "A"][usize::from(channel & 3)];
                    format!("TLD4.{channel}")
                }
            },
            Self::Suld {
                shape,
                width,
                boundary,
                ..
            } => surface_name("SULD", shape, width, boundary),
            Self::Sust {
                shape,
                width,
                boundary,
                ..
            } => surface_name("SUST", shape, width, boundary),
            Self::Membar { level } => format!(
                "MEMBAR.{}",
                match (level, volta) {
                    (0, true) => "SC.CTA",
                    (1, true) => "SC.GPU",
                    (_, true) => "SC.SYS",
                    (0, false) => "CTA",
                    (1, false) => "GL",
                    (_, false) => "SYS",
                }
            ),
            Self::Bra { .. } => "BRA".to_owned(),
            Self::Exit => "EXIT".to_owned(),
            Self::Call { .. } => if volta { "CALL.REL.NOINC" } else { "CAL" }.to_owned(),
            Self::Ret => if volta { "RET.REL.NODEC" } else { "RET" }.to_owned(),
            Self::Nop => "NOP".to_owned(),
            Self::Bar { mode, .. } => match mode {
                BarMode::Sync => "BAR.SYNC",
                BarMode::RedPopc => "BAR.RED.POPC",
                BarMode::RedAnd => "BAR.RED.AND",
                BarMode::RedOr => "BAR.RED.OR",
            }
            .to_owned(),
            Self::Push { token, .. } => match token {
                Token::Ssy => "SSY",
                Token::Brk => "PBK",
                Token::Cont => "PCNT",
                Token::Ret => "PRET",
            }
            .to_owned(),
            Self::Pop { token } => match token {
                Token::Ssy => "SYNC",
                Token::Brk => "BRK",
                Token::Cont => "CONT",
                Token::Ret => "RET",
            }
            .to_owned(),
            Self::Bssy { .. } => "BSSY".to_owned(),
            Self::Bsync { .. } => "BSYNC".to_owned(),
            Self::Break { .. } => "BREAK".to_owned(),
            Self::Warpsync => "WARPSYNC".to_owned(),
            Self::Yield => "YIELD".to_owned(),
            Self::Nanosleep => "NANOSLEEP".to_owned(),
            Self::Trap => "BPT.TRAP".to_owned(),
            Self::Vprintf { .. } => "CALL.VPRINTF".to_owned(),
            Self::AssertFail { .. } => "CALL.ASSERTFAIL".to_owned(),
        }
    }
}

/// The name of a load or store of matrices of 16-bit elements.
fn matrix_text(name: &str, num: u8, transposed: bool) -> String {
    let shape = if transposed { "MT88" } else { "M88" };
    let count = if num > 1 { format!(".{num}") } else { String::new() };
    format!("{name}.16.{shape}{count}")
}

fn float_text(name: &str, ftz: bool, sat: bool, round: Round) -> String {
    format!(
        "{name}{}{}{}",
        flag(ftz, ".FTZ"),
        round_suffix(round),
        flag(sat, ".SAT")
    )
}

fn memory_text(name: &str, space: Space, width: Width, cache: CacheOp, wide: bool, arch: ArchId) -> String {
    let letter = match space {
        Space::Shared => "S",
        Space::Local => "L",
        Space::Generic => "",
        // Listings of Fermi and Kepler write global accesses of the generic space as LD and ST; LDG is
        // Kepler's load through the read-only cache.
        Space::Global => match arch.generation() {
            Generation::Fermi => "",
            Generation::Kepler if !matches!(cache, CacheOp::Ci) => "",
            _ => "G",
        },
    };
    let extended = flag(wide && matches!(space, Space::Global | Space::Generic), ".E");
    format!(
        "{name}{letter}{extended}{}{}",
        cache_suffix(cache),
        width_suffix(width)
    )
}

fn atomic_suffix(op: AtomOp, ty: NumType, extended: bool) -> String {
    let ty_text = match ty {
        NumType::U32 => String::new(),
        NumType::U64 => ".64".to_owned(),
        NumType::F32 if matches!(op, AtomOp::Add) => ".F32.FTZ.RN".to_owned(),
        other => format!(".{}", type_text(other)),
    };
    format!("{}.{}{ty_text}", flag(extended, ".E"), atom_text(op))
}

const fn round_suffix(round: Round) -> &'static str {
    match round {
        Round::Rn => "",
        Round::Rz => ".RZ",
        Round::Rm => ".RM",
        Round::Rp => ".RP",
    }
}

const fn whole_suffix(round: Round) -> &'static str {
    match round {
        Round::Rn => ".ROUND",
        Round::Rz => ".TRUNC",
        Round::Rm => ".FLOOR",
        Round::Rp => ".CEIL",
    }
}

const fn cmp_text(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Lt => "LT",
        Cmp::Le => "LE",
        Cmp::Gt => "GT",
        Cmp::Ge => "GE",
        Cmp::Eq => "EQ",
        Cmp::Ne => "NE",
        Cmp::Ltu => "LTU",
        Cmp::Leu => "LEU",
        Cmp::Gtu => "GTU",
        Cmp::Geu => "GEU",
        Cmp::Equ => "EQU",
        Cmp::Neu => "NEU",
        Cmp::Num => "NUM",
        Cmp::Nan => "NAN",
    }
}

const fn bool_text(op: BoolOp) -> &'static str {
    match op {
        BoolOp::And => "AND",
        BoolOp::Or => "OR",
        BoolOp::Xor => "XOR",
    }
}

const fn type_text(ty: NumType) -> &'static str {
    match ty {
        NumType::U8 => "U8",
        NumType::S8 => "S8",
        NumType::U16 => "U16",
        NumType::S16 => "S16",
        NumType::U32 => "U32",
        NumType::S32 => "S32",
        NumType::U64 => "U64",
        NumType::S64 => "S64",
        NumType::F16 => "F16",
        NumType::F16x2 => "F16x2.RN",
        NumType::F32 => "F32",
        NumType::F64 => "F64",
    }
}

const fn width_suffix(width: Width) -> &'static str {
    match width {
        Width::U8 => ".U8",
        Width::S8 => ".S8",
        Width::U16 => ".U16",
        Width::S16 => ".S16",
        Width::B32 => "",
        Width::B64 => ".64",
        Width::B128 => ".128",
    }
}

/// Name of an access to a surface: unformatted data, byte addresses.
fn surface_name(name: &str, shape: ImageShape, width: Width, boundary: Boundary) -> String {
    format!(
        "{name}.D.BA.{}{}{}",
        shape
            .text()
            .replace("ARRAY_1D", "1D_ARRAY")
            .replace("ARRAY_2D", "2D_ARRAY"),
        width_suffix(width),
        boundary.suffix()
    )
}

const fn cache_suffix(cache: CacheOp) -> &'static str {
    match cache {
        CacheOp::Default => "",
        CacheOp::Ca => ".CA",
        CacheOp::Cg => ".CG",
        CacheOp::Cs => ".EF",
        CacheOp::Cv => ".STRONG.SYS",
        CacheOp::Ci => ".CONSTANT",
        // It has a name of its own.
        CacheOp::Ldu => "",
    }
}

const fn mufu_text(func: Mufu) -> &'static str {
    match func {
        Mufu::Rcp => "RCP",
        Mufu::Rsq => "RSQ",
        Mufu::Sqrt => "SQRT",
        Mufu::Ex2 | Mufu::Ex2Reduced => "EX2",
        Mufu::Lg2 => "LG2",
        Mufu::Sin | Mufu::SinReduced => "SIN",
        Mufu::Cos | Mufu::CosReduced => "COS",
        Mufu::Tanh => "TANH",
        Mufu::Rcp64h => "RCP64H",
        Mufu::Rsq64h => "RSQ64H",
    }
}

const fn atom_text(op: AtomOp) -> &'static str {
    match op {
        AtomOp::Add => "ADD",
        AtomOp::Min => "MIN",
        AtomOp::Max => "MAX",
        AtomOp::Inc => "INC",
        AtomOp::Dec => "DEC",
        AtomOp::And => "AND",
        AtomOp::Or => "OR",
        AtomOp::Xor => "XOR",
        AtomOp::Exch => "EXCH",
        AtomOp::Cas => "CAS",
        AtomOp::Cast => "CAST.SPIN",
    }
}

const fn slow_text(path: SlowPath) -> &'static str {
    match path {
        SlowPath::DivF32 => "DIV.F32",
        SlowPath::SqrtF32 => "SQRT.F32",
        SlowPath::RcpF32 => "RCP.F32",
        SlowPath::DivF64 => "DIV.F64",
        SlowPath::SqrtF64 => "SQRT.F64",
        SlowPath::RcpF64 => "RCP.F64",
        SlowPath::RsqF64 => "RSQ.F64",
    }
}

const fn flag(set: bool, text: &'static str) -> &'static str {
    if set { text } else { "" }
}
