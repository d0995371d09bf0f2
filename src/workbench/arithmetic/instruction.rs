//! The operation that an instruction of a run performs.

use super::function::{Kind, function_named};
use super::number::{Number, Type, cut};
use super::operation::{Form, Operation};
use engine::isa::{Instruction, NumType, Op, Operand, RZ, Round};

impl Operation {
    /// The operation of an instruction on given operands after their modifiers. `fuses`: whether the compiler fuses
    /// multiplication and addition. `None`: the instruction is none of these operations.
    pub fn of_instruction(i: &Instruction, operands: [u64; 3], fuses: bool) -> Option<Self> {
        let number = |ty: Type| {
            move |bits: u64| Number {
                ty,
                bits: cut(bits, ty),
            }
        };
        let numbers = |ty: Type, num: usize| operands[..num].iter().copied().map(number(ty)).collect();
        let call = |name: &str| function_named(name).map(Form::Call);
        let suffix = |round: Round| match round {
            Round::Rn => "rn",
            Round::Rz => "rz",
            Round::Rp => "ru",
            Round::Rm => "rd",
        };
        // Operators round to nearest; a rounded function says how.
        let form = |kind: Kind, stem: &str, round: Round| match round {
            Round::Rn => Some(Form::Operators(kind)),
            round => call(&format!("{stem}_{}", suffix(round))),
        };
        let signed = |is_signed: bool| if is_signed { Type::Int } else { Type::Unsigned };
        let with = |form: Option<Form>, ty: Type, num: usize| {
            Some(Self {
                form: form?,
                operands: numbers(ty, num),
            })
        };
        match i.op {
            // No operation of the view saturates.
            Op::Fadd { sat: true, .. }
            | Op::Fmul { sat: true, .. }
            | Op::Ffma { sat: true, .. }
            | Op::Fmad { sat: true } => None,
            Op::Fadd { round, .. } => with(form(Kind::Add, "__fadd", round), Type::Float, 2),
            Op::Fmul { round, .. } => with(form(Kind::Multiply, "__fmul", round), Type::Float, 2),
            Op::Fmad { .. } => with(Some(Form::Operators(Kind::MultiplyAdd)), Type::Float, 3),
            Op::Ffma { round: Round::Rn, .. } if !fuses => with(call("fmaf"), Type::Float, 3),
            Op::Ffma { round, .. } => with(form(Kind::MultiplyAdd, "__fmaf", round), Type::Float, 3),
            Op::Dadd { round } => with(form(Kind::Add, "__dadd", round), Type::Double, 2),
            Op::Dmul { round } => with(form(Kind::Multiply, "__dmul", round), Type::Double, 2),
            Op::Dfma { round: Round::Rn } if !fuses => with(call("fma"), Type::Double, 3),
            Op::Dfma { round } => with(form(Kind::MultiplyAdd, "__fma", round), Type::Double, 3),
            Op::Imul {
                signed: s,
                high: true,
            } => with(call(if s { "__mulhi" } else { "__umulhi" }), signed(s), 2),
            Op::Imul { signed: s, .. } => with(Some(Form::Operators(Kind::Multiply)), signed(s), 2),
            Op::Imad {
                signed: s,
                high: false,
            } => {
                let (kind, num) = if operands[2] == 0 {
                    (Kind::Multiply, 2)
                } else {
                    (Kind::MultiplyAdd, 3)
                };
                with(Some(Form::Operators(kind)), signed(s), num)
            }
            Op::Imad24 { signed: s } => {
                let function = function_named(if s { "__mul24" } else { "__umul24" })?;
                if operands[2] == 0 {
                    with(Some(Form::Call(function)), signed(s), 2)
                } else {
                    with(Some(Form::CallAdd(function)), signed(s), 3)
                }
            }
            Op::Iadd3 {
                carry_out: false,
                carry_in: false,
            } => addition(i, operands),
            Op::F2i {
                from: NumType::F32,
                to,
                round: Round::Rz,
                ..
            } => with(Some(Form::Cast(whole(to)?)), Type::Float, 1),
            Op::I2f {
                from,
                to: NumType::F32,
                round: Round::Rn,
            } => with(Some(Form::Cast(Type::Float)), whole(from)?, 1),
            Op::F2f {
                from: NumType::F32,
                to: NumType::F64,
                ..
            } => with(Some(Form::Cast(Type::Double)), Type::Float, 1),
            Op::F2f {
                from: NumType::F64,
                to: NumType::F32,
                round: Round::Rn,
                ..
            } => with(Some(Form::Cast(Type::Float)), Type::Double, 1),
            _ => None,
        }
    }
}

/// The sum of the two operands that an addition uses; `None`: it uses three.
fn addition(i: &Instruction, operands: [u64; 3]) -> Option<Operation> {
    let used: Vec<Number> = (0..3)
        .filter(|idx| i.srcs[*idx].operand != Operand::Reg(RZ))
        .map(|idx| Number::of_word(Type::Int, operands[idx]))
        .collect();
    (used.len() == 2).then_some(Operation {
        form: Form::Operators(Kind::Add),
        operands: used,
    })
}

const fn whole(ty: NumType) -> Option<Type> {
    match ty {
        NumType::S32 => Some(Type::Int),
        NumType::U32 => Some(Type::Unsigned),
        _ => None,
    }
}
