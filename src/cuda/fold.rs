//! Constant folding with the rules of the types: integers wrap, and floating-point numbers round to nearest even.

use crate::hir::{BinaryOp, CompareOp, Const, Expr, ExprKind, LogicalOp, Type, UnaryOp};
use crate::ir::Rounding;
use engine::ids::Span;

/// The constant value of a constant expression.
pub(crate) const fn as_const(expr: &Expr) -> Option<Const> {
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        _ => None,
    }
}

/// An expression with constant operands folded. Examines only the outermost operation, because the operands were
/// folded at construction.
pub(crate) fn fold(mut expr: Expr) -> Expr {
    if let Some(value) = value(&expr) {
        expr.kind = ExprKind::Const(value);
        return expr;
    }
    // A constant condition selects one branch; the other branch is never evaluated.
    let known = match &expr.kind {
        ExprKind::Conditional { cond, .. } => as_const(cond).and_then(truth),
        _ => None,
    };
    match (known, expr.kind) {
        (Some(holds), ExprKind::Conditional { then, otherwise, .. }) => Expr {
            span: expr.span,
            ..if holds { *then } else { *otherwise }
        },
        (_, kind) => Expr { kind, ..expr },
    }
}

fn value(expr: &Expr) -> Option<Const> {
    match &expr.kind {
        ExprKind::Convert(operand) => convert(as_const(operand)?, &operand.ty, &expr.ty),
        ExprKind::Bitcast(operand) => bitcast(as_const(operand)?, &operand.ty, &expr.ty),
        ExprKind::Unary { op, operand } => unary(*op, as_const(operand)?, &expr.ty),
        ExprKind::Binary { op, lhs, rhs } => binary(*op, as_const(lhs)?, as_const(rhs)?, &expr.ty),
        ExprKind::Compare { op, lhs, rhs } => compare(*op, as_const(lhs)?, as_const(rhs)?),
        ExprKind::Logical { op, lhs, rhs } => {
            let lhs = truth(as_const(lhs)?)?;
            match (op, lhs) {
                (LogicalOp::And, false) => Some(Const::Bool(false)),
                (LogicalOp::Or, true) => Some(Const::Bool(true)),
                _ => as_const(rhs),
            }
        }
        _ => None,
    }
}

/// The value of a constant of type `Bool`.
pub(crate) const fn truth(value: Const) -> Option<bool> {
    match value {
        Const::Bool(value) => Some(value),
        _ => None,
    }
}

const fn bits(ty: &Type) -> u32 {
    match ty {
        Type::Bool => 1,
        Type::I8 | Type::U8 => 8,
        Type::I16 | Type::U16 => 16,
        Type::I32 | Type::U32 => 32,
        _ => 64,
    }
}

/// An integer wrapped to the range of a type.
pub(crate) fn wrap(value: i128, ty: &Type) -> i128 {
    let ty = ty.representation();
    let unused = 128 - bits(ty);
    if ty.is_signed() {
        (value << unused) >> unused
    } else {
        (((value as u128) << unused) >> unused) as i128
    }
}

/// A constant converted to another type.
pub(crate) fn convert(value: Const, from: &Type, to: &Type) -> Option<Const> {
    if matches!(from, Type::Pointer(_)) != matches!(to, Type::Pointer(_)) && *to == Type::Bool {
        return match value {
            Const::Int(value) => Some(Const::Bool(value != 0)),
            _ => None,
        };
    }
    match to {
        Type::Bool => Some(Const::Bool(match value {
            Const::Bool(value) => value,
            Const::Int(value) => value != 0,
            Const::F32(value) => value != 0.0,
            Const::F64(value) => value != 0.0,
        })),
        Type::F16 => {
            let number = match value {
                Const::Bool(value) => f64::from(u8::from(value)),
                // Beyond 2^53, a half is infinite in any case.
                Const::Int(value) => value as f64,
                Const::F32(value) => f64::from(value),
                Const::F64(value) => value,
            };
            Some(half(number))
        }
        Type::Bf16 => {
            let number = match value {
                Const::Bool(value) => f64::from(u8::from(value)),
                Const::Int(value) => value as f64,
                Const::F32(value) => f64::from(value),
                Const::F64(value) => value,
            };
            Some(bfloat16(number))
        }
        Type::F32 => Some(Const::F32(match value {
            Const::Bool(value) => f32::from(u8::from(value)),
            Const::Int(value) => value as f32,
            Const::F32(value) => value,
            Const::F64(value) => value as f32,
        })),
        Type::F64 => Some(Const::F64(match value {
            Const::Bool(value) => f64::from(u8::from(value)),
            Const::Int(value) => value as f64,
            Const::F32(value) => f64::from(value),
            Const::F64(value) => value,
        })),
        Type::Pointer(_) => match value {
            Const::Int(value) => Some(Const::Int(value)),
            _ => None,
        },
        _ if to.is_integer() => Some(Const::Int(match value {
            Const::Bool(value) => i128::from(value),
            Const::Int(value) => wrap(value, to),
            // `as` saturates, like the hardware.
            Const::F32(value) => saturate(f64::from(value), to),
            Const::F64(value) => saturate(value, to),
        })),
        _ => None,
    }
}

/// A number rounded to half precision, as a constant.
fn half(number: f64) -> Const {
    let bits = crate::ir::fold::half_from_f64(number, Rounding::Rn);
    Const::F32(crate::ir::fold::half_to_f64(bits) as f32)
}

/// A number rounded to bfloat16, as a constant.
fn bfloat16(number: f64) -> Const {
    let bits = crate::ir::fold::bfloat16_from_f64(number, Rounding::Rn);
    Const::F32(f32::from_bits(u32::from(bits) << 16))
}

fn saturate(value: f64, to: &Type) -> i128 {
    let width = bits(to);
    let (min, max) = if to.is_signed() {
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    } else {
        (0, (1i128 << width) - 1)
    };
    (value as i128).clamp(min, max)
}

fn bitcast(value: Const, from: &Type, to: &Type) -> Option<Const> {
    let raw: u64 = match value {
        Const::F32(value) if *from == Type::F16 => half_bits(value),
        Const::F32(value) if *from == Type::Bf16 => u64::from(value.to_bits() >> 16),
        Const::Int(value) => wrap(value, &Type::U64) as u64,
        Const::F32(value) => u64::from(value.to_bits()),
        Const::F64(value) => value.to_bits(),
        Const::Bool(_) => return None,
    };
    let raw = if bits(from) == 32 || *from == Type::F32 {
        raw & u64::from(u32::MAX)
    } else {
        raw
    };
    match to {
        Type::Bf16 => Some(Const::F32(f32::from_bits((raw as u32) << 16))),
        Type::F16 => Some(Const::F32(crate::ir::fold::half_to_f64(raw as u16) as f32)),
        Type::F32 => Some(Const::F32(f32::from_bits(raw as u32))),
        Type::F64 => Some(Const::F64(f64::from_bits(raw))),
        _ if to.is_integer() => Some(Const::Int(wrap(i128::from(raw), to))),
        _ => None,
    }
}

fn half_bits(value: f32) -> u64 {
    u64::from(crate::ir::fold::half_from_f64(f64::from(value), Rounding::Rn))
}

fn unary(op: UnaryOp, value: Const, ty: &Type) -> Option<Const> {
    Some(match (op, value) {
        (UnaryOp::Neg, Const::Int(value)) => Const::Int(wrap(-value, ty)),
        (UnaryOp::Neg, Const::F32(value)) => Const::F32(-value),
        (UnaryOp::Neg, Const::F64(value)) => Const::F64(-value),
        (UnaryOp::BitNot, Const::Int(value)) => Const::Int(wrap(!value, ty)),
        (UnaryOp::Not, Const::Bool(value)) => Const::Bool(!value),
        _ => return None,
    })
}

/// Arithmetic on two constants of a type; `None` for an integer division by zero.
pub(crate) fn binary(op: BinaryOp, lhs: Const, rhs: Const, ty: &Type) -> Option<Const> {
    match (lhs, rhs) {
        (Const::Int(a), Const::Int(b)) => {
            let width = bits(ty);
            let result = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::Div => a.checked_div(b)?,
                BinaryOp::Rem => a.checked_rem(b)?,
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                BinaryOp::Shl if b < 0 || b >= i128::from(width) => 0,
                BinaryOp::Shl => a << b,
                BinaryOp::Shr if b < 0 || b >= i128::from(width) => {
                    if a < 0 {
                        -1
                    } else {
                        0
                    }
                }
                BinaryOp::Shr => a >> b,
            };
            Some(Const::Int(wrap(result, ty)))
        }
        (Const::F32(a), Const::F32(b)) if ty.is_half() => {
            let (a, b) = (f64::from(a), f64::from(b));
            let rounded = if *ty == Type::F16 { half } else { bfloat16 };
            Some(rounded(match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => return None,
            }))
        }
        (Const::F32(a), Const::F32(b)) => Some(Const::F32(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return None,
        })),
        (Const::F64(a), Const::F64(b)) => Some(Const::F64(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return None,
        })),
        _ => None,
    }
}

fn compare(op: CompareOp, lhs: Const, rhs: Const) -> Option<Const> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match (lhs, rhs) {
        (Const::Int(a), Const::Int(b)) => Some(a.cmp(&b)),
        (Const::Bool(a), Const::Bool(b)) => Some(a.cmp(&b)),
        (Const::F32(a), Const::F32(b)) => a.partial_cmp(&b),
        (Const::F64(a), Const::F64(b)) => a.partial_cmp(&b),
        _ => return None,
    };
    Some(Const::Bool(match op {
        CompareOp::Lt => order == Some(Less),
        CompareOp::Le => matches!(order, Some(Less | Equal)),
        CompareOp::Gt => order == Some(Greater),
        CompareOp::Ge => matches!(order, Some(Greater | Equal)),
        CompareOp::Eq => order == Some(Equal),
        CompareOp::Ne => order != Some(Equal),
    }))
}

/// The first `size` bytes of a constant in memory.
pub(crate) fn bytes_of(value: Const, size: usize) -> Vec<u8> {
    let raw = match value {
        Const::Bool(value) => u64::from(value),
        Const::Int(value) => wrap(value, &Type::U64) as u64,
        Const::F32(value) => u64::from(value.to_bits()),
        Const::F64(value) => value.to_bits(),
    };
    raw.to_le_bytes()[..size.min(8)].to_vec()
}

/// The constant of a scalar type with these bytes.
pub(crate) fn const_of(bytes: &[u8], ty: &Type) -> Option<Const> {
    let mut raw = [0u8; 8];
    raw.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let raw = u64::from_le_bytes(raw);
    Some(match ty {
        Type::Bool => Const::Bool(raw != 0),
        Type::Bf16 => Const::F32(f32::from_bits((raw as u32) << 16)),
        Type::F16 => Const::F32(crate::ir::fold::half_to_f64(raw as u16) as f32),
        Type::F32 => Const::F32(f32::from_bits(raw as u32)),
        Type::F64 => Const::F64(f64::from_bits(raw)),
        _ if ty.is_integer() => Const::Int(wrap(i128::from(raw), ty)),
        _ => return None,
    })
}

/// An expression that is not folded.
pub(crate) fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// A constant of a type; integers wrap to the type's range.
pub(crate) fn constant(value: Const, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Const(value), ty, span)
}

/// An integer of a type, wrapped to its range.
pub(crate) fn int(value: i128, ty: Type, span: Span) -> Expr {
    constant(Const::Int(wrap(value, &ty)), ty, span)
}
