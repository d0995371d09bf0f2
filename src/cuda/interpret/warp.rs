//! Operations across threads: barriers, votes, shuffles, matches, and atomics.

use super::UndefinedKind;
use super::code::{Expr, Kind, Row};
use super::machine::Machine;
use super::mask::Mask;
use super::memory::Fault;
use super::number::{cut, extended, extreme, f32_of, f64_of, half, result32, result64, to_double};
use crate::hir::{AtomicOp, BarrierKind, Builtin, Rounding, ShuffleMode, VoteKind};
use engine::ids::Span;
use engine::isa::{Mma, Op};
use engine::sim::exec::{exchange, matrices, tensor};

/// Lanes of a warp that execute a warp function together.
struct Group {
    /// The warp's first thread.
    start: usize,
    lanes: u32,
}

impl Group {
    fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let lanes = self.lanes;
        (0..32).filter(move |lane| lanes >> lane & 1 == 1)
    }
}

/// Operands of an instruction of the warp, by lane.
struct Operands {
    value: [u32; 32],
    members: [u32; 32],
}

impl exchange::Operands for Operands {
    fn word(&self, _idx: usize) -> [u32; 32] {
        self.value
    }

    fn wide(&self, _idx: usize) -> [u64; 32] {
        self.value.map(u64::from)
    }

    fn votes(&self) -> u32 {
        0
    }

    fn members(&self) -> [u32; 32] {
        self.members
    }
}

impl<'a, const W: usize> Machine<'a, W> {
    pub(super) fn exchange(
        &mut self,
        builtin: Builtin,
        kind: Kind,
        kinds: &[Kind],
        args: &'a [Expr],
        expr: &'a Expr,
        mask: &Mask<W>,
    ) {
        let row = |idx: usize| args.get(idx).map_or(0, |arg| arg.row);
        match builtin {
            Builtin::Syncthreads(barrier) => self.barrier(barrier, row(0), expr, mask),
            Builtin::Syncwarp => {
                self.groups(Some(row(0)), mask, expr.span);
            }
            Builtin::ActiveMask => {
                for thread in mask.lanes() {
                    let lanes = mask.warp(thread / 32);
                    self.with_row(expr.row, |_, to| to[thread] = u64::from(lanes));
                }
            }
            Builtin::Vote { kind, sync } => {
                for group in self.groups(sync.then(|| row(0)), mask, expr.span) {
                    let ballot = self.lanes_where(&group, row(1), |bits| bits & 1 == 1);
                    let result = match kind {
                        VoteKind::All => u32::from(ballot == group.lanes),
                        VoteKind::Any => u32::from(ballot != 0),
                        VoteKind::Ballot => ballot,
                    };
                    self.broadcast(expr.row, &group, u64::from(result));
                }
            }
            Builtin::MatchAny => {
                for group in self.groups(Some(row(0)), mask, expr.span) {
                    for lane in group.lanes() {
                        let value = self.row(row(1))[group.start + lane];
                        let same = self.lanes_where(&group, row(1), |bits| bits == value);
                        self.with_row(expr.row, |_, to| to[group.start + lane] = u64::from(same));
                    }
                }
            }
            Builtin::MatchAll => {
                for group in self.groups(Some(row(0)), mask, expr.span) {
                    let first = group.start + group.lanes.trailing_zeros() as usize;
                    let value = self.row(row(1))[first];
                    let same = self.lanes_where(&group, row(1), |bits| bits == value);
                    let is_all = same == group.lanes;
                    let result = if is_all { group.lanes } else { 0 };
                    self.broadcast(expr.row, &group, u64::from(result));
                    for lane in group.lanes().map(|lane| group.start + lane) {
                        let address = self.row(row(2))[lane];
                        let fault = self.memory.store(address, Kind::I32, u64::from(is_all), lane);
                        self.report_fault(fault, expr.span, lane);
                    }
                }
            }
            Builtin::Warp(op) => {
                for group in self.groups(Some(row(0)), mask, expr.span) {
                    self.warp_instruction(op, &group, row(0), row(1), expr);
                }
            }
            Builtin::Shuffle { mode, sync } => {
                for group in self.groups(sync.then(|| row(0)), mask, expr.span) {
                    self.shuffle(mode, &group, [row(1), row(2), row(3)], expr);
                }
            }
            Builtin::Mma(mma) => {
                let rows: Vec<Row> = args
                    .iter()
                    .flat_map(|arg| (0..arg.len).map(|word| arg.row + word))
                    .collect();
                for group in self.groups(None, mask, expr.span) {
                    self.multiply(mma, &group, &rows, expr);
                }
            }
            Builtin::LoadMatrices { num, transposed } => {
                for group in self.groups(None, mask, expr.span) {
                    let mut words = [[0; 32]; 4];
                    self.each_row(&group, num, row(0), expr, |this, word, lane, at| {
                        let thread = group.start + lane;
                        let (bits, fault) = this.memory.load(at, Kind::U32, thread);
                        words[word][lane] = bits as u32;
                        fault
                    });
                    for matrix in 0..num {
                        let result = matrices::loaded(&words, matrix.into(), transposed);
                        for lane in group.lanes() {
                            let at = expr.row + Row::from(matrix);
                            self.with_row(at, |_, to| to[group.start + lane] = u64::from(result[lane]));
                        }
                    }
                }
            }
            Builtin::StoreMatrices { num, transposed } => {
                for group in self.groups(None, mask, expr.span) {
                    let register = |matrix: u8| -> [u32; 32] {
                        let of = self.row(row(1 + usize::from(matrix)));
                        std::array::from_fn(|lane| of.get(group.start + lane).map_or(0, |bits| *bits as u32))
                    };
                    let registers: Vec<[u32; 32]> = (0..num).map(register).collect();
                    let words = matrices::stored(&registers, transposed);
                    self.each_row(&group, num, row(0), expr, |this, word, lane, at| {
                        let bits = u64::from(words[word][lane]);
                        this.memory.store(at, Kind::U32, bits, group.start + lane)
                    });
                }
            }
            Builtin::AsyncCopy { size, .. } => self.copy(size.into(), [row(0), row(1), row(2)], expr, mask),
            Builtin::Atomic { op, .. } => {
                let kind = kinds.get(1).copied().unwrap_or(kind);
                self.atomic(op, kind, [row(0), row(1), row(2)], expr, mask);
            }
            _ => {}
        }
    }

    /// Evaluates an instruction of the warp as the machine does.
    fn warp_instruction(&mut self, op: Op, group: &Group, members: Row, value: Row, expr: &Expr) {
        let words = |row: Row| -> [u32; 32] {
            let row = self.row(row);
            std::array::from_fn(|lane| row.get(group.start + lane).map_or(0, |bits| *bits as u32))
        };
        let operands = Operands {
            value: words(value),
            members: words(members),
        };
        let Some((values, _)) = exchange::evaluate(op, group.lanes, &operands) else {
            return;
        };
        self.with_row(expr.row, |_, to| {
            for lane in group.lanes() {
                to[group.start + lane] = u64::from(values[lane]);
            }
        });
    }

    fn barrier(&mut self, barrier: BarrierKind, predicate: Row, expr: &Expr, mask: &Mask<W>) {
        if self.live != *mask {
            let thread = mask.lanes().next().unwrap_or(0);
            self.report(UndefinedKind::DivergentBarrier, expr.span, thread);
        }
        if let Some(order) = &mut self.memory.order {
            order.synchronize_block();
        }
        if barrier == BarrierKind::Sync {
            return;
        }
        let values = self.row(predicate);
        let num = mask.lanes().count() as u64;
        let num_true = mask.lanes().map(|lane| values[lane] & 1).sum::<u64>();
        let result = match barrier {
            BarrierKind::And => u64::from(num_true == num),
            BarrierKind::Or => u64::from(num_true != 0),
            _ => num_true,
        };
        self.with_row(expr.row, |_, to| to.fill(result));
    }

    /// The active lanes of each warp, split into groups with equal member masks.
    fn groups(&mut self, members: Option<Row>, mask: &Mask<W>, span: Span) -> Vec<Group> {
        let mut groups = Vec::new();
        for warp in 0..self.num_threads.div_ceil(32) {
            let mut rest = mask.warp(warp);
            let start = warp * 32;
            if let Some(order) = &mut self.memory.order
                && rest != 0
            {
                order.synchronize_warp(warp);
            }
            let Some(members) = members else {
                if rest != 0 {
                    groups.push(Group { start, lanes: rest });
                }
                continue;
            };
            let live = self.live.warp(warp);
            while rest != 0 {
                let values = self.row(members);
                let named = values[start + rest.trailing_zeros() as usize] as u32;
                let lanes = (0..32)
                    .filter(|lane| rest >> lane & 1 == 1 && values[start + lane] as u32 == named)
                    .fold(0_u32, |set, lane| set | 1 << lane);
                if named & live != lanes {
                    let thread = start + rest.trailing_zeros() as usize;
                    self.report(UndefinedKind::MissingMember, span, thread);
                }
                rest &= !lanes;
                groups.push(Group { start, lanes });
            }
        }
        groups
    }

    /// Sets a value for all lanes of a group.
    fn broadcast(&mut self, row: Row, group: &Group, bits: u64) {
        self.with_row(row, |_, to| {
            for lane in group.lanes() {
                to[group.start + lane] = bits;
            }
        });
    }

    fn lanes_where(&self, group: &Group, row: Row, holds: impl Fn(u64) -> bool) -> u32 {
        let values = self.row(row);
        group
            .lanes()
            .filter(|lane| holds(values[group.start + lane]))
            .fold(0, |set, lane| set | 1 << lane)
    }

    /// `shfl` as PTX defines it; the rows hold the value, the operand, and the width.
    fn shuffle(&mut self, mode: ShuffleMode, group: &Group, [value, operand, width]: [Row; 3], expr: &Expr) {
        let mut is_inactive = false;
        self.with_row(expr.row, |this, to| {
            let (values, operands, widths) = (this.row(value), this.row(operand), this.row(width));
            for lane in group.lanes() {
                let thread = group.start + lane;
                let own = lane as u32;
                let operand = operands[thread] as u32 & 31;
                let segment = 32_u32.wrapping_sub(widths[thread] as u32) & 31;
                let first = own & segment;
                let last = first | 31 & !segment;
                let source = match mode {
                    ShuffleMode::Idx => first | operand & !segment,
                    ShuffleMode::Up if own >= first + operand => own - operand,
                    ShuffleMode::Down if own + operand <= last => own + operand,
                    ShuffleMode::Xor if own ^ operand <= last => own ^ operand,
                    _ => own,
                };
                is_inactive |= group.lanes >> source & 1 == 0;
                to[thread] = values.get(group.start + source as usize).copied().unwrap_or(0);
            }
        });
        if is_inactive {
            let thread = group.start + group.lanes.trailing_zeros() as usize;
            self.report(UndefinedKind::InactiveSource, expr.span, thread);
        }
    }

    /// Visits the words of the rows of matrices in shared memory: word, lane with the address, and address of the word.
    fn each_row(
        &mut self,
        group: &Group,
        num: u8,
        addresses: Row,
        expr: &Expr,
        mut visit: impl FnMut(&mut Self, usize, usize, u64) -> Option<Fault>,
    ) {
        let shared = self.memory.shared_start();
        for lane in group
            .lanes()
            .filter(|lane| matrices::row_lanes(num) >> lane & 1 == 1)
        {
            let first = shared | (self.row(addresses)[group.start + lane] & 0x0fff_ffff);
            for word in 0..4 {
                let fault = visit(self, word, lane, first + 4 * word as u64);
                self.report_fault(fault, expr.span, group.start + lane);
            }
        }
    }

    /// Copies bytes from global to shared memory; the rows hold the shared address, the global address, and the number of
    /// bytes that are read.
    fn copy(&mut self, size: u64, rows: [Row; 3], expr: &Expr, mask: &Mask<W>) {
        let shared = self.memory.shared_start();
        for lane in mask.lanes() {
            let [to, from, num] = rows.map(|row| self.row(row)[lane]);
            let from = from.wrapping_sub(size.wrapping_sub(num) & (size - 1));
            for byte in 0..size {
                let (bits, fault) = if byte < num {
                    self.memory.load(from + byte, Kind::U8, lane)
                } else {
                    (0, None)
                };
                self.report_fault(fault, expr.span, lane);
                let at = (shared | (to & 0x0fff_ffff)) + byte;
                let fault = self.memory.store(at, Kind::U8, bits, lane);
                self.report_fault(fault, expr.span, lane);
            }
        }
    }

    /// An atomic, lane by lane; the rows hold the address and one or two operands.
    fn atomic(&mut self, op: AtomicOp, kind: Kind, rows: [Row; 3], expr: &Expr, mask: &Mask<W>) {
        self.set_atomic(true);
        for lane in mask.lanes() {
            let [address, operand, swap] = rows.map(|row| self.row(row)[lane]);
            let (old, fault) = self.memory.load(address, kind, lane);
            self.report_fault(fault, expr.span, lane);
            let flushes = !self.memory.is_shared(address);
            let new = updated(op, kind, old, operand, swap, flushes);
            let fault = self.memory.store(address, kind, new, lane);
            self.report_fault(fault, expr.span, lane);
            self.with_row(expr.row, |_, to| to[lane] = old);
        }
        self.set_atomic(false);
    }

    /// A warp-wide matrix product. `rows` hold the words of the left factor, the right factor, and the sums.
    fn multiply(&mut self, mma: Mma, group: &Group, rows: &[Row], expr: &Expr) {
        let word = |this: &Self, lane: usize, row: Option<&Row>| {
            row.and_then(|row| this.row(*row).get(group.start + lane))
                .map_or(0, |bits| *bits as u32)
        };
        let [num_left, num_right, _] = mma.kind.source_widths().map(usize::from);
        let (left, rest) = rows.split_at(num_left);
        let (right, sums) = rest.split_at(num_right);
        let a = std::array::from_fn(|lane| std::array::from_fn(|idx| word(self, lane, left.get(idx))));
        let b = std::array::from_fn(|lane| std::array::from_fn(|idx| word(self, lane, right.get(idx))));
        let c = std::array::from_fn(|lane| std::array::from_fn(|idx| word(self, lane, sums.get(idx))));
        let result = tensor::multiply(mma, &a, &b, &c);
        for idx in 0..expr.len {
            for lane in group.lanes() {
                let value = u64::from(result[lane][idx as usize]);
                self.with_row(expr.row + idx, |_, to| to[group.start + lane] = value);
            }
        }
    }

    fn set_atomic(&mut self, is_atomic: bool) {
        if let Some(order) = &mut self.memory.order {
            order.is_atomic = is_atomic;
        }
    }
}

/// The new value of a word after an atomic. Single-precision sums in global memory flush subnormals.
fn updated(op: AtomicOp, kind: Kind, old: u64, operand: u64, swap: u64, flushes: bool) -> u64 {
    let (a, b) = (extended(old, kind), extended(operand, kind));
    match op {
        AtomicOp::Add | AtomicOp::Sub if kind.is_float() => {
            let sign = if op == AtomicOp::Sub { -1.0 } else { 1.0 };
            if kind == Kind::F64 {
                let (a, b) = (f64_of(old), sign * f64_of(operand));
                return result64(a + b, &[a, b]);
            }
            let flush = |value: f32| {
                if flushes && value.is_subnormal() {
                    0.0_f32.copysign(value)
                } else {
                    value
                }
            };
            let sum = flush(f32_of(old)) + flush(sign as f32 * f32_of(operand));
            result32(flush(sum))
        }
        AtomicOp::AddHalves => {
            let sum = |shift: u32| {
                let of = |word: u64| to_double(word >> shift & 0xffff, Kind::F16);
                half(of(old) + of(operand), Kind::F16, Rounding::Nearest) << shift
            };
            sum(16) | sum(0)
        }
        AtomicOp::Add => cut(old.wrapping_add(operand), kind),
        AtomicOp::Sub => cut(old.wrapping_sub(operand), kind),
        AtomicOp::Exch => operand,
        AtomicOp::Min | AtomicOp::Max if kind.is_float() => extreme(old, operand, kind, op == AtomicOp::Max),
        AtomicOp::Min => {
            if b < a {
                operand
            } else {
                old
            }
        }
        AtomicOp::Max => {
            if b > a {
                operand
            } else {
                old
            }
        }
        AtomicOp::Inc => {
            if a >= b {
                0
            } else {
                cut(old.wrapping_add(1), kind)
            }
        }
        AtomicOp::Dec => {
            if a == 0 || a > b {
                operand
            } else {
                old - 1
            }
        }
        AtomicOp::Cas => {
            if old == operand {
                swap
            } else {
                old
            }
        }
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
    }
}
