//! Loops that fill memory with one value, evaluated at once.

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;

/// Shorter loops are evaluated round by round. Assumption: they take less than a hundredth of a second.
const LONG: i64 = 4_096;

/// A loop `for (…; i < end; i++) { a[i] = value; … }`.
struct FillLoop<'t> {
    counter: &'t Expr,
    name: Name,
    end: &'t Expr,
    /// Whether the counter reaches the end, as with `<=`.
    is_closed: bool,
    /// Arrays and values.
    fills: Vec<(&'t Expr, &'t Expr)>,
}

impl Machine {
    /// Evaluates a long loop that fills memory with one value. Returns whether the loop is of that form, and done.
    pub(super) fn filled(&mut self, condition: &Expr, step: &Expr, body: &Stmt) -> Runs<bool> {
        let Some(fill) = FillLoop::of(condition, step, body) else {
            return Ok(false);
        };
        let (start, end) = (self.eval(fill.counter)?, self.eval(fill.end)?);
        let whole = |value: &Value| value.is_known() && Self::is_integer(value.ty);
        if !whole(&start) || !whole(&end) {
            return Ok(false);
        }
        let (first, last) = (start.bits.cast_signed(), end.bits.cast_signed());
        let Some(num) = last
            .checked_add(i64::from(fill.is_closed))
            .and_then(|last| last.checked_sub(first))
            .filter(|num| first >= 0 && *num >= LONG)
        else {
            return Ok(false);
        };
        let mut places: Vec<(usize, u64, u64, u64, Value)> = Vec::new();
        for (array, value) in &fill.fills {
            let (array, value) = (self.eval(array)?, self.eval(value)?);
            let Ty::Pointer(elem) = array.ty else {
                return Ok(false);
            };
            let elem = self.pointee(elem);
            if !array.is_known() || matches!(elem, Ty::Struct(_) | Ty::Array(..) | Ty::Vector(_) | Ty::Opaque)
            {
                return Ok(false);
            }
            let width = self.size_of(elem);
            let at = array.bits.wrapping_add(first as u64 * width);
            let size = num as u64 * width;
            let Some((allocation, offset)) = self.memory.place(at) else {
                return Ok(false);
            };
            let is_inside =
                (offset.checked_add(size)).is_some_and(|end| end <= self.memory.allocs[allocation].size);
            let is_apart = places.iter().all(|(other, ..)| *other != allocation);
            if !is_inside || !is_apart || allocation == 0 || !offset.is_multiple_of(width) {
                return Ok(false);
            }
            let value = self.convert(value, elem);
            places.push((allocation, at, size, width, value));
        }
        let Some(counter) = self.place(fill.counter)? else {
            return Ok(false);
        };
        self.step += 1;
        for (_, at, size, width, value) in places {
            self.memory
                .fill_elements(at, size, value.bits, width, value.state, self.step);
        }
        let after = Value::new(start.ty, first.wrapping_add(num).cast_unsigned(), KNOWN);
        let after = self.convert(after, counter.ty);
        self.store(counter, after);
        Ok(true)
    }
}

impl<'t> FillLoop<'t> {
    fn of(condition: &'t Expr, step: &'t Expr, body: &'t Stmt) -> Option<Self> {
        let ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne), counter, end) =
            &condition.kind
        else {
            return None;
        };
        let name = plain_name(counter)?;
        let is_step = match &step.kind {
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PostIncrement, operand) => {
                plain_name(operand) == Some(name)
            }
            ExprKind::Assign(Some(BinaryOp::Add), operand, by) => {
                plain_name(operand) == Some(name) && matches!(by.kind, ExprKind::Int { value: 1, .. })
            }
            _ => false,
        };
        if !is_step || !is_constant(end, name) {
            return None;
        }
        let mut fills = Vec::new();
        collect(body, name, &mut fills)?;
        Some(Self {
            counter,
            name,
            end,
            is_closed: *op == BinaryOp::Le,
            fills,
        })
        .filter(|fill| {
            !fill.fills.is_empty() && fill.fills.iter().all(|(array, _)| is_constant(array, fill.name))
        })
    }
}

/// The fills of a loop's body; `None` if it does anything else.
fn collect<'t>(body: &'t Stmt, counter: Name, fills: &mut Vec<(&'t Expr, &'t Expr)>) -> Option<()> {
    match &body.kind {
        StmtKind::Block(statements) => statements
            .iter()
            .try_for_each(|statement| collect(statement, counter, fills)),
        StmtKind::Expr(expr) => assignment(expr, counter, fills).map(|_| ()),
        _ => None,
    }
}

/// `a[i] = value`, or `a[i] = b[i] = value`: notes the fills, and returns the value.
fn assignment<'t>(expr: &'t Expr, counter: Name, fills: &mut Vec<(&'t Expr, &'t Expr)>) -> Option<&'t Expr> {
    let ExprKind::Assign(None, place, value) = &expr.kind else {
        return None;
    };
    let ExprKind::Index(array, index) = &place.kind else {
        return None;
    };
    if plain_name(index) != Some(counter) {
        return None;
    }
    let value = if is_constant(value, counter) {
        value
    } else {
        assignment(value, counter, fills)?
    };
    fills.push((array, value));
    Some(value)
}

const fn plain_name(expr: &Expr) -> Option<Name> {
    match &expr.kind {
        ExprKind::Name {
            name,
            of: None,
            args: None,
        } => Some(*name),
        _ => None,
    }
}

/// Whether an expression has no effects, reads no memory behind pointers, and does not depend on the counter.
fn is_constant(expr: &Expr, counter: Name) -> bool {
    match &expr.kind {
        ExprKind::Int { .. }
        | ExprKind::Char(_)
        | ExprKind::Bool(_)
        | ExprKind::F32(_)
        | ExprKind::F64(_)
        | ExprKind::SizeofType(_)
        | ExprKind::Sizeof(_) => true,
        ExprKind::Name { name, .. } => *name != counter,
        ExprKind::Unary(UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::Complement, operand)
        | ExprKind::Cast(_, operand) => is_constant(operand, counter),
        ExprKind::Binary(op, left, right) => {
            *op != BinaryOp::Comma && is_constant(left, counter) && is_constant(right, counter)
        }
        ExprKind::Member {
            object,
            is_arrow: false,
            ..
        } => is_constant(object, counter),
        _ => false,
    }
}
