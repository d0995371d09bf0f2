//! Instructions as text, as `cuobjdump -sass` prints them: `FFMA R24, R16, R20, R24`,
//! `LDS.128 R4, [R3+0x10]`, `@!P0 BRA 0x1a0`. Operands that need no format of their own follow
//! the description: the result, then the operands in order.

use std::fmt::Write;

use super::describe::Reading;
use super::{
    AtomOp, BarMode, Bf16Op, Instruction, Op, Operand, PT, Pred, PredSrc, Program, RZ, Reg, Special, Src,
    TexelChoice,
};
use crate::arch::{ArchId, Generation};
use crate::files;
use crate::ids::Pc;

/// Bytes of an instruction in listings: 16 from Volta on, 8 before.
pub fn instruction_bytes(arch: ArchId) -> u32 {
    if arch.is_from(Generation::Volta) { 16 } else { 8 }
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

/// A number as SASS listings write it: hexadecimal, with the sign in front.
fn hex(value: i32) -> String {
    if value < 0 {
        format!("-0x{:x}", value.unsigned_abs())
    } else {
        format!("0x{value:x}")
    }
}

fn src_text(src: Src, reading: Reading) -> String {
    let body = match src.operand {
        Operand::Reg(reg) => reg.text(),
        Operand::Imm(bits) => match reading {
            Reading::Integer | Reading::Bits | Reading::Half | Reading::Halves => {
                return hex(if src.negate {
                    (bits as i32).wrapping_neg()
                } else {
                    bits as i32
                });
            }
            Reading::Single => float_literal(f64::from(f32::from_bits(bits)), bits),
            Reading::Double => float_literal(f64::from_bits(u64::from(bits) << 32), bits),
        },
        Operand::Const { bank, offset } => format!("c[0x{bank:x}][0x{offset:x}]"),
    };
    let body = if src.absolute { format!("|{body}|") } else { body };
    match (src.negate, reading) {
        (false, _) => body,
        (true, Reading::Bits) => format!("~{body}"),
        (true, _) => format!("-{body}"),
    }
}

/// A floating-point immediate as listings write it.
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
        let is_move = matches!(self.op, Op::Imad { high: false, .. })
            && self.srcs[..2].iter().all(|src| src.operand == Operand::Reg(RZ));
        if is_move {
            line.push_str("IMAD.MOV.U32");
        } else {
            line.push_str(&self.op.mnemonic(arch));
        }
        let operands = self.operand_texts(arch);
        if !operands.is_empty() {
            let _ = write!(line, " {}", operands.join(", "));
        }
        line
    }

    fn operand_texts(&self, arch: ArchId) -> Vec<String> {
        let description = self.op.describe();
        let src = |idx: usize| src_text(self.srcs[idx], description.reading[idx]);
        let pc_text = |pc: Pc| format!("0x{:x}", pc.0 * instruction_bytes(arch));
        let dst = || self.dst.text();
        match self.op {
            Op::Ld { .. } | Op::Ldsm { .. } => vec![dst(), address_text(self.srcs[0], self.offset)],
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
            Op::St { .. } | Op::Stsm { .. } | Op::Red { .. } => {
                let mut list = vec![address_text(self.srcs[0], self.offset), src(1)];
                if let Op::Red { op: AtomOp::Cas, .. } = self.op {
                    list.push(src(2));
                }
                list
            }
            Op::Atom { op, .. } => {
                let mut list = vec![dst(), address_text(self.srcs[0], self.offset), src(1)];
                if matches!(op, AtomOp::Cas | AtomOp::Cast) {
                    list.push(src(2));
                }
                list
            }
            Op::Ldgsts { .. } => {
                let beyond = match self.srcs[2].operand {
                    Operand::Imm(bits) => bits as i32,
                    _ => 0,
                };
                let mut list = vec![
                    address_text(self.srcs[1], beyond),
                    address_text(self.srcs[0], self.offset),
                ];
                if self.psrcs[0] != PredSrc::TRUE {
                    list.push(self.psrcs[0].text());
                }
                list
            }
            Op::Depbar { left } => vec!["SB0".to_owned(), hex(i32::from(left))],
            Op::Hadd2F32 { high } => {
                let half = if high { ".H1_H1" } else { ".H0_H0" };
                vec![dst(), src(0), src(1) + half]
            }
            Op::UnpackFp8 { high, .. } => vec![dst(), src(0) + if high { ".H1" } else { "" }],
            // The third operand is what the result is merged with.
            Op::F2fpFp8 { .. } => vec![dst(), src(0), src(1), "RZ".to_owned()],
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
                if arch.is_from(Generation::Volta) || self.srcs[2] != Src::ZERO {
                    list.push(src(2));
                }
                if carry_in {
                    list.push(self.psrcs[0].text());
                }
                list
            }
            // From Volta on, funnel shifts are plain shifts too: RZ is shifted in, or the operand is the high word.
            Op::Shl if arch.is_from(Generation::Volta) => vec![dst(), src(0), src(1), RZ.text()],
            Op::Shr { .. } if arch.is_from(Generation::Volta) => vec![dst(), RZ.text(), src(1), src(0)],
            Op::Lea { shift } => vec![dst(), src(0), src(1), hex(i32::from(shift))],
            Op::Lop3 { lut } => vec![dst(), src(0), src(1), src(2), hex(i32::from(lut))],
            Op::Xmad { a_hi, b_hi, .. } => {
                let half = |text: String, hi: bool| match (arch.generation(), hi) {
                    (Generation::Tesla, true) => format!("{text}H"),
                    (Generation::Tesla, false) => format!("{text}L"),
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
                let mut list = Vec::new();
                if description.destination > 0 {
                    list.push(dst());
                }
                list.extend((0..3).filter(|idx| description.sources[*idx] > 0).map(src));
                list
            }
        }
    }
}

impl Program {
    /// A line of the source in words: `line 12`, or `line 12 of reduce.cuh` outside its main file.
    pub fn line_text(&self, line: u32) -> String {
        files::line_text(&self.source, line)
    }

    /// A line of the source as a short name: `12`, or `reduce.cuh:12` outside its main file.
    pub fn line_name(&self, line: u32) -> String {
        files::line_name(&self.source, line)
    }

    /// The whole program as text, one instruction per line: address, then the instruction.
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
    use super::super::{CacheOp, Round, Space, Width};
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
