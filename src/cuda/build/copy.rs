//! Copies of large structs, in a loop through memory: as values they would take thousands of registers.

use super::place::Loc;
use super::*;
use crate::ir::Compare;

/// Maximum number of scalars of a copy through values.
const MAX_VALUES: u64 = 256;

impl Builder<'_> {
    /// Whether an expression copies a large object in memory.
    pub(super) fn is_large_copy(&self, expr: &hir::Expr) -> bool {
        match &expr.kind {
            hir::ExprKind::Load(_) => self.is_large(&expr.ty),
            hir::ExprKind::Assign { value: inner, .. } | hir::ExprKind::Comma { second: inner, .. } => {
                self.is_large_copy(inner)
            }
            _ => false,
        }
    }

    /// Whether a struct has many scalars and no padding, which a copy would read uninitialized.
    fn is_large(&self, ty: &hir::Type) -> bool {
        let is_struct = matches!(ty, hir::Type::Struct(_) | hir::Type::Array(..));
        if !is_struct || self.unit.size_of(ty) <= MAX_VALUES {
            return false;
        }
        let (num, bytes) = self.extent(ty);
        num > MAX_VALUES && bytes == self.unit.size_of(ty)
    }

    /// Evaluates the source of a large copy and returns its location in memory.
    pub(super) fn source(&mut self, expr: &hir::Expr) -> Mem {
        let outer = self.span;
        self.at(expr.span);
        let mem = match &expr.kind {
            hir::ExprKind::Assign { place, value } => {
                let from = self.source(value);
                let to = self.target(place);
                self.copy(to, from, &place.ty);
                to
            }
            hir::ExprKind::Comma { first, second } => {
                self.expr(first);
                self.source(second)
            }
            hir::ExprKind::Load(place) => match self.place(place) {
                Loc::Memory(mem) => mem,
                Loc::Value(val) => {
                    let mem = self.own_memory(&expr.ty);
                    self.store(mem, &expr.ty, val);
                    mem
                }
            },
            _ => self.own_memory(&expr.ty),
        };
        self.span = outer;
        mem
    }

    /// Local memory for a temporary.
    pub(super) fn own_memory(&mut self, ty: &hir::Type) -> Mem {
        let size = self.unit.size_of(ty) as u32;
        let slot = self.function.slot("", size, self.unit.align_of(ty));
        let addr = self.function.leaf(Type::I32, Def::Slot(slot));
        self.mem(Space::Local, addr, 0)
    }

    /// Copies memory in a loop, with accesses as wide as the alignment allows.
    pub(super) fn copy(&mut self, to: Mem, from: Mem, ty: &hir::Type) {
        if matches!(to.space, Space::Const | Space::Param) {
            self.error("Constant memory is read-only in kernels.");
            return;
        }
        let size = self.unit.size_of(ty) as i32;
        let step = self.unit.align_of(ty).clamp(1, 16);
        let (width, count) = match step {
            1 => (MemWidth::U8, 1),
            2 => (MemWidth::U16, 1),
            _ => (MemWidth::B32, (step / 4) as u8),
        };
        let (head, exit) = (self.block(), self.block());
        let at = self.block_params(head, &[Type::I32])[0];
        let zero = self.i32(0);
        self.jump_with(head, vec![zero]);
        self.start(head);
        let source = self.displaced(from, at);
        let values: Vec<_> = (0..count).map(|_| self.function.value(Type::I32)).collect();
        let access = self.access(source, 0, width, count);
        self.emit(Op::Load(access), &[source.addr], values.clone());
        let target = self.displaced(to, at);
        let access = self.access(target, 0, width, count);
        let mut args = vec![target.addr];
        args.extend(values);
        self.emit(Op::Store(access), &args, Vec::new());
        let (step, size) = (self.i32(step as i32), self.i32(size));
        let next = self.op(Type::I32, Op::Add, &[at, step]);
        let compare = Op::ICmp {
            cmp: Compare::Lt,
            signed: false,
        };
        let cond = self.op(Type::I1, compare, &[next, size]);
        let then = Edge {
            to: head,
            args: vec![next],
        };
        self.stop(End::Branch {
            cond,
            then,
            els: Edge::to(exit),
        });
        self.start(exit);
    }

    /// The location a number of bytes further.
    fn displaced(&mut self, mem: Mem, bytes: Value) -> Mem {
        let addr = if matches!(mem.space, Space::Global | Space::Generic) {
            let distance = self.distance(bytes, false, 1);
            self.op(self.module.pointer_type(), Op::PtrAdd, &[mem.addr, distance])
        } else {
            self.op(Type::I32, Op::Add, &[mem.addr, bytes])
        };
        Mem { addr, ..mem }
    }
}
