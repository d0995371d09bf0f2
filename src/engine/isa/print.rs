//! Instructions as text, in the manner of `cuobjdump -sass`: `FFMA R24, R16, R20, R24`,
//! `LDS.128 R4, [R3+0x10]`, `@!P0 BRA 0x1a0`. Spellings are the architecture's where they differ.

use std::fmt::Write;

use super::{
    AtomOp, BarMode, Bf16Op, BoolOp, Boundary, CacheOp, Cmp, ImageShape, Instruction, Mufu, NumType, Op,
    Operand, PT, Pred, PredSrc, Program, RZ, Reg, Round, ShflMode, SlowPath, Space, Special, Src,
    TexelChoice, Token, VoteMode, Width,
};
use crate::arch::ArchId;
use crate::files;
use crate::ids::Pc;

impl ArchId {
    /// Whether it has a convergence-barrier instruction set (Volta on).
    const fn is_volta_on(self) -> bool {
        self as u8 >= Self::Gv100 as u8
    }
}

/// Bytes of an instruction in listings: 16 from Volta on, 8 before.
pub const fn instruction_bytes(arch: ArchId) -> u32 {
    if arch.is_volta_on() { 16 } else { 8 }
}

impl Reg {
    /// `R4`, or `RZ`.
    pub fn text(self) -> String {
        if self == RZ {
            "RZ".to_owned()
        } else {
            format!("R{}", self.0)
        }
    }
}

impl Pred {
    /// `P0`, or `PT`.
    pub fn text(self) -> String {
        if self == PT {
            "PT".to_owned()
        } else {
            format!("P{}", self.0)
        }
    }
}

impl PredSrc {
    /// `P0`, `!P0`, `PT`.
    pub fn text(self) -> String {
        format!("{}{}", if self.negate { "!" } else { "" }, self.pred.text())
    }
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
        Mufu::Ex2 => "EX2",
        Mufu::Lg2 => "LG2",
        Mufu::Sin => "SIN",
        Mufu::Cos => "COS",
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
    }
}

const fn special_text(special: Special) -> &'static str {
    match special {
        Special::TidX => "SR_TID.X",
        Special::TidY => "SR_TID.Y",
        Special::TidZ => "SR_TID.Z",
        Special::CtaidX => "SR_CTAID.X",
        Special::CtaidY => "SR_CTAID.Y",
        Special::CtaidZ => "SR_CTAID.Z",
        Special::LaneId => "SR_LANEID",
        Special::WarpId => "SR_VIRTID",
        Special::SmId => "SR_VIRTUALSMID",
        Special::ActiveMask => "SR_ACTIVEMASK",
        Special::LtMask => "SR_LTMASK",
        Special::LeMask => "SR_LEMASK",
        Special::GtMask => "SR_GTMASK",
        Special::GeMask => "SR_GEMASK",
        Special::EqMask => "SR_EQMASK",
        Special::ClockLo => "SR_CLOCKLO",
        Special::ClockHi => "SR_CLOCKHI",
        Special::GlobalTimerLo => "SR_GLOBALTIMERLO",
        Special::GlobalTimerHi => "SR_GLOBALTIMERHI",
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

/// Numbers in listings: small ones in decimal are rare in SASS, so all are hexadecimal, with the sign
/// in front.
fn hex(value: i32) -> String {
    if value < 0 {
        format!("-0x{:x}", value.unsigned_abs())
    } else {
        format!("0x{value:x}")
    }
}

/// What an operand's immediate bits are read as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Integer,
    Single,
    DoubleHigh,
}

impl Op {
    fn reading(self) -> Reading {
        match self {
            Self::Fadd { .. }
            | Self::Fmul { .. }
            | Self::Ffma { .. }
            | Self::Fmad { .. }
            | Self::Fmnmx { .. }
            | Self::Fsetp { .. }
            | Self::Fchk
            | Self::Mufu { .. } => Reading::Single,
            Self::Dadd { .. }
            | Self::Dmul { .. }
            | Self::Dfma { .. }
            | Self::Dmnmx { .. }
            | Self::Dsetp { .. } => Reading::DoubleHigh,
            _ => Reading::Integer,
        }
    }

    /// Mnemonic with its modifiers, as the architecture's listings spell it.
    pub fn mnemonic(self, arch: ArchId) -> String {
        let volta = arch.is_volta_on();
        let tesla = matches!(arch, ArchId::G80 | ArchId::Gt200);
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
        Space::Global => match arch {
            ArchId::Gf100 | ArchId::Gf104 => "",
            ArchId::Gk110 if !matches!(cache, CacheOp::Ci) => "",
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

fn src_text(src: Src, reading: Reading, complement: bool) -> String {
    let body = match src.operand {
        Operand::Reg(reg) => reg.text(),
        Operand::Imm(bits) => match reading {
            Reading::Integer => {
                return hex(if src.negate {
                    (bits as i32).wrapping_neg()
                } else {
                    bits as i32
                });
            }
            Reading::Single => float_literal(f64::from(f32::from_bits(bits)), bits),
            Reading::DoubleHigh => float_literal(f64::from_bits(u64::from(bits) << 32), bits),
        },
        Operand::Const { bank, offset } => format!("c[0x{bank:x}][0x{offset:x}]"),
    };
    let body = if src.absolute { format!("|{body}|") } else { body };
    match (src.negate, complement) {
        (false, _) => body,
        (true, true) => format!("~{body}"),
        (true, false) => format!("-{body}"),
    }
}

/// Floating immediates as listings have them: plain where that is exact and short, else their bits.
fn float_literal(value: f64, bits: u32) -> String {
    if value.is_nan() {
        return if bits >> 31 == 1 { "-QNAN" } else { "+QNAN" }.to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+INF" } else { "-INF" }.to_owned();
    }
    if value == 0.0 || (1e-6..1e9).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

fn address_text(address: Src, offset: i32) -> String {
    let base = match address.operand {
        Operand::Reg(reg) => (reg != RZ).then(|| reg.text()),
        Operand::Imm(bits) => return format!("[{}]", hex((bits as i32).wrapping_add(offset))),
        Operand::Const { bank, offset } => Some(format!("c[0x{bank:x}][0x{offset:x}]")),
    };
    match (base, offset) {
        (None, _) => format!("[{}]", hex(offset)),
        (Some(base), 0) => format!("[{base}]"),
        (Some(base), 1..) => format!("[{base}+{}]", hex(offset)),
        (Some(base), _) => format!("[{base}{}]", hex(offset)),
    }
}

impl Instruction {
    /// The instruction as a line of SASS.
    pub fn text(&self, arch: ArchId) -> String {
        let mut line = String::new();
        if self.guard != PredSrc::TRUE {
            let _ = write!(line, "@{} ", self.guard.text());
        }
        line.push_str(&self.op.mnemonic(arch));
        let operands = self.operand_texts(arch);
        if !operands.is_empty() {
            let _ = write!(line, " {}", operands.join(", "));
        }
        line
    }

    fn operand_texts(&self, arch: ArchId) -> Vec<String> {
        let reading = self.op.reading();
        let complement = matches!(
            self.op,
            Op::Lop { .. } | Op::Iadd3 { carry_in: true, .. } | Op::Lop3 { .. }
        );
        let src = |idx: usize| src_text(self.srcs[idx], reading, complement);
        let pc_text = |pc: Pc| format!("0x{:x}", pc.0 * instruction_bytes(arch));
        let dst = || self.dst.text();
        match self.op {
            Op::Ld { .. } => vec![dst(), address_text(self.srcs[0], self.offset)],
            Op::Ldc { bank, .. } => vec![
                dst(),
                format!("c[0x{bank:x}]{}", address_text(self.srcs[0], self.offset)),
            ],
            Op::Tld { .. } => vec![dst(), src(0), src(1), "1D".to_owned()],
            Op::Tex {
                shape, choice, count, ..
            } => {
                let mut list = vec![dst(), src(0), src(1)];
                if choice.num_words() > 0 {
                    list.push(src(2));
                }
                list.push(shape.text().to_owned());
                if !matches!(choice, TexelChoice::Gather(_)) {
                    list.push(format!("0x{:x}", (1_u32 << count) - 1));
                }
                list
            }
            Op::Suld { .. } => vec![dst(), address_text(self.srcs[0], 0), src(1)],
            Op::Sust { .. } => vec![address_text(self.srcs[0], 0), src(2), src(1)],
            Op::St { .. } | Op::Red { .. } => {
                let mut list = vec![address_text(self.srcs[0], self.offset), src(1)];
                if let Op::Red { op: AtomOp::Cas, .. } = self.op {
                    list.push(src(2));
                }
                list
            }
            Op::Atom { op, .. } => {
                let mut list = vec![dst(), address_text(self.srcs[0], self.offset), src(1)];
                if matches!(op, AtomOp::Cas) {
                    list.push(src(2));
                }
                list
            }
            Op::Hadd2F32 { high } => {
                let half = if high { ".H1_H1" } else { ".H0_H0" };
                vec![dst(), src(0), src(1) + half]
            }
            Op::Fsetp { .. } | Op::Dsetp { .. } | Op::Hsetp2 { .. } => {
                vec![self.pdst.text(), PT.text(), src(0), src(1), self.psrcs[0].text()]
            }
            Op::Isetp { extended, .. } => {
                let mut list = vec![self.pdst.text(), PT.text(), src(0), src(1), self.psrcs[0].text()];
                if extended {
                    list.push(self.psrcs[1].text());
                }
                list
            }
            Op::Fchk => vec![self.pdst.text(), src(0), src(1)],
            Op::Bf16 {
                op: op @ (Bf16Op::Min | Bf16Op::Max),
            } => {
                let side = if op == Bf16Op::Max { "!PT" } else { "PT" };
                vec![dst(), src(0), src(1), side.to_owned()]
            }
            Op::Fmnmx { max, .. } | Op::Dmnmx { max } | Op::Hmnmx2 { max } | Op::Imnmx { max, .. } => {
                vec![dst(), src(0), src(1), if max { "!PT" } else { "PT" }.to_owned()]
            }
            Op::Iadd3 { carry_out, carry_in } => {
                let mut list = vec![dst()];
                if carry_out {
                    list.push(self.pdst.text());
                }
                list.push(src(0));
                list.push(src(1));
                if arch.is_volta_on() || self.srcs[2] != Src::ZERO {
                    list.push(src(2));
                }
                if carry_in {
                    list.push(self.psrcs[0].text());
                }
                list
            }
            // Volta's funnel shifts do plain shifts too: RZ is shifted in, or the operand is the high word.
            Op::Shl if arch.is_volta_on() => vec![dst(), src(0), src(1), RZ.text()],
            Op::Shr { .. } if arch.is_volta_on() => vec![dst(), RZ.text(), src(1), src(0)],
            Op::Lea { shift } => vec![dst(), src(0), src(1), hex(i32::from(shift))],
            Op::Lop3 { lut } => vec![dst(), src(0), src(1), src(2), hex(i32::from(lut))],
            Op::Xmad { a_hi, b_hi, .. } => {
                let half = |text: String, hi: bool| match (arch, hi) {
                    (ArchId::G80 | ArchId::Gt200, true) => format!("{text}H"),
                    (ArchId::G80 | ArchId::Gt200, false) => format!("{text}L"),
                    (_, true) => format!("{text}.H1"),
                    (_, false) => text,
                };
                vec![dst(), half(src(0), a_hi), half(src(1), b_hi), src(2)]
            }
            Op::Mma { mma } => {
                let [left, right] = mma.kind.factor_suffixes();
                vec![dst(), src(0) + left, src(1) + right, src(2)]
            }
            Op::Sel => vec![dst(), src(0), src(1), self.psrcs[0].text()],
            Op::S2r { special } => vec![dst(), special_text(special).to_owned()],
            Op::Plop3 { lut } => vec![
                self.pdst.text(),
                PT.text(),
                self.psrcs[0].text(),
                self.psrcs[1].text(),
                self.psrcs[2].text(),
                hex(i32::from(lut)),
            ],
            Op::Vote { .. } => {
                let mut list = Vec::new();
                if self.dst != RZ || self.pdst == PT {
                    list.push(dst());
                }
                list.push(self.pdst.text());
                list.push(self.psrcs[0].text());
                list
            }
            Op::Shfl { .. } => vec![self.pdst.text(), dst(), src(0), src(1), src(2)],
            Op::Match { all, .. } => {
                let mut list = if all { vec![self.pdst.text()] } else { Vec::new() };
                list.push(dst());
                list.push(src(0));
                list
            }
            Op::Bra { target } | Op::Call { target } | Op::Push { target, .. } => vec![pc_text(target)],
            Op::Bssy { barrier, target } => vec![format!("B{}", barrier.0), pc_text(target)],
            Op::Bsync { barrier } | Op::Break { barrier } => vec![format!("B{}", barrier.0)],
            Op::Bar { mode, id } => {
                let mut list = match mode {
                    BarMode::RedPopc => vec![dst()],
                    BarMode::RedAnd | BarMode::RedOr => vec![self.pdst.text()],
                    BarMode::Sync => Vec::new(),
                };
                list.push(hex(i32::from(id)));
                if !matches!(mode, BarMode::Sync) {
                    list.push(self.psrcs[0].text());
                }
                list
            }
            _ => {
                let widths = self.op.source_widths();
                let mut list = Vec::new();
                if self.op.destination_width() > 0 {
                    list.push(dst());
                }
                list.extend((0..3).filter(|idx| widths[*idx] > 0).map(src));
                list
            }
        }
    }
}

impl Program {
    /// A line of the source in words: `line 12`, or `line 12 of reduce.cuh` outside of its main file.
    pub fn line_text(&self, line: u32) -> String {
        files::line_text(&self.source, line)
    }

    /// A line of the source as a short name: `12`, or `reduce.cuh:12` outside of its main file.
    pub fn line_name(&self, line: u32) -> String {
        files::line_name(&self.source, line)
    }

    /// The whole program as text, one line an instruction: address, then the instruction.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for (idx, instruction) in self.code.iter().enumerate() {
            for (_, name) in self.functions.iter().filter(|(pc, _)| pc.0 as usize == idx) {
                let _ = writeln!(text, "{name}:");
            }
            let _ = writeln!(
                text,
                "/*{:04x}*/ {} ;",
                idx as u32 * instruction_bytes(self.arch),
                instruction.text(self.arch)
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fused_multiply_add() {
        let mut i = Instruction::new(Op::Ffma {
            ftz: false,
            sat: false,
            round: Round::Rn,
        });
        i.dst = Reg(24);
        i.srcs = [Src::reg(Reg(16)), Src::reg(Reg(20)), Src::reg(Reg(24))];
        assert_eq!(i.text(ArchId::Tu102), "FFMA R24, R16, R20, R24");
        assert_eq!(i.letter(), 'F');
    }

    #[test]
    fn wide_shared_load() {
        let mut i = Instruction::new(Op::Ld {
            space: Space::Shared,
            width: Width::B128,
            cache: CacheOp::Default,
            wide: false,
        });
        i.dst = Reg(4);
        i.srcs[0] = Src::reg(Reg(3));
        i.offset = 16;
        assert_eq!(i.text(ArchId::Tu102), "LDS.128 R4, [R3+0x10]");
        i.offset = -4;
        assert_eq!(i.text(ArchId::Tu102), "LDS.128 R4, [R3-0x4]");
        assert_eq!(i.destination().map(|range| range.num), Some(4));
        assert_eq!(i.letter(), 'S');
    }

    #[test]
    fn guarded_branch_has_a_byte_address() {
        let mut i = Instruction::new(Op::Bra { target: Pc(26) });
        i.guard = PredSrc {
            pred: Pred(0),
            negate: true,
        };
        assert_eq!(i.text(ArchId::Tu102), "@!P0 BRA 0x1a0");
        assert_eq!(i.text(ArchId::Gp104), "@!P0 BRA 0xd0");
    }

    #[test]
    fn sixteen_bit_products_are_spelled_by_generation() {
        let mut i = Instruction::new(Op::Xmad {
            a_hi: true,
            b_hi: false,
            a_signed: false,
            b_signed: false,
            shift_left: true,
            merge: false,
        });
        i.dst = Reg(2);
        i.srcs = [Src::reg(Reg(0)), Src::reg(Reg(1)), Src::reg(Reg(2))];
        assert_eq!(i.text(ArchId::Gp104), "XMAD.PSL R2, R0.H1, R1, R2");
        assert_eq!(i.text(ArchId::Gt200), "IMAD.U16.PSL R2, R0H, R1L, R2");
    }

    #[test]
    fn global_load_through_a_pair() {
        let mut i = Instruction::new(Op::Ld {
            space: Space::Global,
            width: Width::B32,
            cache: CacheOp::Default,
            wide: true,
        });
        i.dst = Reg(0);
        i.srcs[0] = Src::reg(Reg(2));
        assert_eq!(i.text(ArchId::Gv100), "LDG.E R0, [R2]");
        assert_eq!(i.text(ArchId::Gf100), "LD.E R0, [R2]");
        assert_eq!(
            i.sources().collect::<Vec<_>>(),
            [super::super::info::RegRange {
                first: Reg(2),
                num: 2
            }]
        );
    }

    #[test]
    fn unused_operands_are_not_read() {
        let mut i = Instruction::new(Op::Exit);
        assert_eq!(i.text(ArchId::Tu102), "EXIT");
        i.guard = PredSrc {
            pred: Pred(2),
            negate: false,
        };
        assert_eq!(i.text(ArchId::Tu102), "@P2 EXIT");
        assert_eq!(i.predicate_sources().collect::<Vec<_>>(), [Pred(2)]);
        assert_eq!(i.sources().count(), 0);
    }
}
