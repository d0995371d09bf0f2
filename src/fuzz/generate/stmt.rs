//! Generates random statements.

use super::super::tree::{Atomic, Base, Binary, Expr, LoopKind, Place, Ret, Stmt, Ty, Unroll, VarId, VarTy};
use super::Generator;

const ATOMICS: [Atomic; 6] = [
    Atomic::Add,
    Atomic::Or,
    Atomic::And,
    Atomic::Xor,
    Atomic::MaxSigned,
    Atomic::MinUnsigned,
];

impl Generator {
    /// Generates a scope with about `num` statements.
    pub(super) fn block(&mut self, num: usize) -> Vec<Stmt> {
        let mark = self.scope.len();
        self.depth += 1;
        let mut out = Vec::new();
        for _ in 0..num.max(1) {
            self.add_statement(&mut out);
            let is_exit = matches!(out.last(), Some(Stmt::Break | Stmt::Continue | Stmt::Return(_)));
            if is_exit && self.random.percent(95) {
                break;
            }
        }
        self.depth -= 1;
        self.scope.truncate(mark);
        out
    }

    /// Adds a statement, or several related statements.
    pub(super) fn add_statement(&mut self, out: &mut Vec<Stmt>) {
        self.budget = self.budget.saturating_sub(1);
        let deep = self.depth >= self.max_depth || self.budget == 0;
        let nested = |weight| if deep { 0 } else { weight };
        let exit = if self.has_exit() && self.depth > 0 { 6 } else { 0 };
        let goto = if self.goto { nested(6) } else { 0 };
        let weights = [
            24,
            10,
            12,
            nested(18),
            nested(if self.num_loops < 3 { 12 } else { 0 }),
            nested(9),
            exit,
            8,
            nested(16),
            5,
            5,
            goto,
            nested(1),
        ];
        match self.random.weighted(&weights) {
            0 => out.push(self.assign()),
            1 => {
                let idx = self.expr(1, false);
                let op = self
                    .random
                    .pick(&[None, Some(Binary::Add), Some(Binary::Xor), Some(Binary::Add)]);
                let value = self.expr(2, false);
                out.push(Stmt::Assign(Place::Own(Box::new(idx)), op, value));
            }
            2 => out.push(self.declaration()),
            3 => out.push(self.if_statement()),
            4 => out.push(self.repeat()),
            5 => out.push(self.switch()),
            6 => out.push(self.exit()),
            7 => {
                let call = self.call(|_| true);
                match call {
                    Some(Expr::Call(idx, args)) => {
                        let ret = self.program.functions[idx].ret;
                        out.push(self.call_statement(ret, Expr::Call(idx, args)));
                    }
                    _ => out.push(self.assign()),
                }
            }
            8 => self.exit_statements(out),
            9 => {
                let effect = self.effect(1);
                out.push(Stmt::Expr(effect));
            }
            10 => {
                let op = self.random.pick(&ATOMICS);
                let (idx, value) = (self.expr(1, false), self.expr(1, false));
                let shared = self.in_counters && self.random.percent(70);
                out.push(if shared {
                    Stmt::SharedAtomic(op, idx, value)
                } else {
                    Stmt::Atomic(op, idx, value)
                });
            }
            11 => out.push(self.goto_block()),
            _ => {
                let body = self.block(2);
                out.push(Stmt::Block(body));
            }
        }
    }

    fn call_statement(&mut self, ret: Ret, call: Expr) -> Stmt {
        match ret {
            Ret::Void => Stmt::Expr(call),
            Ret::Struct(of) => {
                let ids = self.vars(|var| var.ty == VarTy::Struct(of) && !var.fixed);
                if ids.is_empty() || self.random.percent(30) {
                    let id = self.declare_var(VarTy::Struct(of), false, false);
                    Stmt::Declare(id, Some(call))
                } else {
                    Stmt::Assign(Place::Var(self.random.pick(&ids)), None, call)
                }
            }
            Ret::Scalar(ty) => {
                if self.random.percent(40) {
                    let id = self.declare_var(VarTy::Scalar(ty), false, false);
                    return Stmt::Declare(id, Some(call));
                }
                Stmt::Assign(self.writable(), None, call)
            }
        }
    }

    fn assign(&mut self) -> Stmt {
        let place = self.writable();
        let op = self.random.pick(&[
            None,
            None,
            None,
            Some(Binary::Add),
            Some(Binary::Add),
            Some(Binary::Sub),
            Some(Binary::Xor),
            Some(Binary::Mul),
            Some(Binary::Or),
            Some(Binary::Shr),
        ]);
        // Before C++17, the evaluation order of `x += f(&x)` is unspecified.
        let value = self.expr(2, op.is_none());
        Stmt::Assign(place, op, value)
    }

    pub(super) fn declaration(&mut self) -> Stmt {
        let has_structs = !self.program.structs.is_empty();
        match self.random.weighted(&[70, 12, if has_structs { 12 } else { 0 }]) {
            1 => {
                let ty = self.field_ty();
                let len = self.random.pick(&[4, 8, 16]);
                let init = self.random.percent(70).then(|| self.expr(1, false));
                let id = self.declare_var(VarTy::Array(ty, len), false, false);
                Stmt::Declare(id, init)
            }
            2 => {
                let of = self.random.below(self.program.structs.len());
                let ids = self.vars(|var| var.ty == VarTy::Struct(of));
                let init = (!ids.is_empty() && self.random.percent(50))
                    .then(|| Expr::Place(Place::Var(self.random.pick(&ids))));
                let id = self.declare_var(VarTy::Struct(of), false, false);
                Stmt::Declare(id, init)
            }
            _ => {
                let ty = self.ty();
                let small = ty == Ty::I32 && self.random.percent(60);
                let init = if small && self.random.percent(50) {
                    self.key()
                } else {
                    self.expr(2, true)
                };
                let id = self.declare_var(VarTy::Scalar(ty), small, false);
                Stmt::Declare(id, Some(init))
            }
        }
    }

    /// Generates the statements of a branch, often with a jump out.
    fn branch(&mut self) -> Vec<Stmt> {
        if self.has_exit() && self.random.percent(45) {
            let mut out = Vec::new();
            if self.random.percent(30) {
                self.depth += 1;
                let mark = self.scope.len();
                out.push(self.assign());
                self.scope.truncate(mark);
                self.depth -= 1;
            }
            out.push(self.exit());
            return out;
        }
        let num = self.random.weighted(&[0, 5, 3, 1]);
        self.block(num)
    }

    fn if_statement(&mut self) -> Stmt {
        let cond = self.cond(2, true);
        let then = self.branch();
        let otherwise = match self.random.below(10) {
            0..4 => None,
            4..7 if self.depth < self.max_depth => {
                self.depth += 1;
                let chained = self.if_statement();
                self.depth -= 1;
                Some(vec![chained])
            }
            _ => Some(self.branch()),
        };
        Stmt::If(cond, then, otherwise)
    }

    pub(super) fn has_exit(&self) -> bool {
        self.can_break || self.can_return || self.num_loops > 0 || !self.labels.is_empty()
    }

    /// Generates a jump out of the current scope.
    fn exit(&mut self) -> Stmt {
        let weights = [
            if self.can_break { 4 } else { 0 },
            if self.num_loops > 0 { 4 } else { 0 },
            if self.can_return { 4 } else { 0 },
            if self.labels.is_empty() { 0 } else { 5 },
        ];
        match self.random.weighted(&weights) {
            0 => Stmt::Break,
            1 => Stmt::Continue,
            2 => {
                let value = matches!(self.function.ret, Ret::Scalar(_)).then(|| {
                    if self.random.percent(50) {
                        self.small_const()
                    } else {
                        self.expr(1, true)
                    }
                });
                Stmt::Return(value)
            }
            _ => {
                let (label, fuel) = self.random.pick(&self.labels.clone());
                Stmt::Goto(label, fuel)
            }
        }
    }

    /// Generates a tree of conditions on one key, in which some leaves jump out, and the statements after the tree.
    pub(super) fn exit_statements(&mut self, out: &mut Vec<Stmt>) {
        if !self.has_exit() {
            let stmt = self.if_statement();
            out.push(stmt);
            return;
        }
        let key = self.key();
        let chained = if self.random.percent(6) {
            self.random.between(4, 18) as usize
        } else {
            0
        };
        let tree = self.exit_tree(&key, 3, chained);
        out.push(tree);
        if self.random.percent(60) {
            let store = self.path_store();
            out.push(store);
        } else {
            out.push(self.assign());
        }
    }

    /// Returns a condition tree with `chained` further trees nested inside.
    fn exit_tree(&mut self, key: &Expr, depth: usize, chained: usize) -> Stmt {
        let subject = if self.random.percent(80) {
            key.clone()
        } else {
            self.key()
        };
        let cond = self.test(subject);
        let then = self.exit_branch(key, depth);
        if chained > 0 {
            let mut rest = vec![self.exit_tree(key, 1, chained - 1)];
            if self.random.percent(40) {
                rest.insert(0, self.path_store());
            }
            return if self.random.percent(30) {
                Stmt::If(cond, rest, Some(then))
            } else {
                Stmt::If(cond, then, Some(rest))
            };
        }
        let otherwise = self.random.percent(55).then(|| self.exit_branch(key, depth));
        Stmt::If(cond, then, otherwise)
    }

    /// Generates a store that records the taken path.
    fn path_store(&mut self) -> Stmt {
        let idx = self.key();
        let value = if self.random.percent(50) {
            self.small_const()
        } else {
            self.expr(1, false)
        };
        let op = self.random.percent(50).then_some(Binary::Add);
        Stmt::Assign(Place::Own(Box::new(idx)), op, value)
    }

    fn exit_branch(&mut self, key: &Expr, depth: usize) -> Vec<Stmt> {
        self.depth += 1;
        let mark = self.scope.len();
        let mut out = Vec::new();
        if self.random.percent(30) {
            let stmt = if self.random.percent(50) {
                self.path_store()
            } else {
                self.assign()
            };
            out.push(stmt);
        }
        match self.random.below(10) {
            0..4 => out.push(self.exit()),
            4..8 if depth > 0 => {
                let tree = self.exit_tree(key, depth - 1, 0);
                out.push(tree);
            }
            _ => out.push(self.assign()),
        }
        self.scope.truncate(mark);
        self.depth -= 1;
        out
    }

    fn repeat(&mut self) -> Stmt {
        let kinds = [
            LoopKind::Count,
            LoopKind::Count,
            LoopKind::Count,
            LoopKind::Count,
            LoopKind::CountDown,
            LoopKind::CountWhile,
            LoopKind::NoStep,
            LoopKind::Endless,
            LoopKind::While,
            LoopKind::WhileCondFirst,
            LoopKind::DoWhile,
            LoopKind::DoWhileFuelFirst,
        ];
        let kind = if self.random.percent(25) {
            LoopKind::CountTo {
                base: self
                    .random
                    .pick(&[Base::Zero, Base::Zero, Base::Least, Base::Greatest]),
                step: self.random.pick(&[0, 0, 1, 1, 1, 2, 3]),
                inclusive: self.random.percent(25),
            }
        } else {
            self.random.pick(&kinds)
        };
        let counts_to = matches!(kind, LoopKind::CountTo { .. });
        let most = (48 / self.turns).clamp(2, 20) as i64;
        let turns = match self.random.below(6) {
            0 => self.random.between(0, 1) as u32,
            1..4 => self.random.between(2, most.min(6)) as u32,
            _ => self.random.between(2, most) as u32,
        };
        let mark = self.scope.len();
        // Start, bound, and step are loop-invariant.
        let numbers = counts_to.then(|| {
            if self.random.percent(50) {
                Expr::Input(Box::new(self.stable(0)))
            } else {
                self.stable(1)
            }
        });
        let ty = if counts_to {
            self.random.pick(&[Ty::I32, Ty::I32, Ty::U32, Ty::I64, Ty::U64])
        } else {
            Ty::I32
        };
        let var = self.declare_var(VarTy::Scalar(ty), false, true);
        self.function.vars[var].far = matches!(
            kind,
            LoopKind::CountTo {
                base: Base::Least | Base::Greatest,
                ..
            }
        );
        let num = self.random.weighted(&[0, 3, 4, 2, 1]);
        let (cond, body) = self.in_loop(turns, |this| {
            // The counter of a loop with its condition at the end is out of scope in the condition.
            let cond = numbers.unwrap_or_else(|| this.cond(2, true));
            // The compiler unrolls loops with few statements.
            let body = if counts_to && this.random.percent(50) {
                let num = this.random.between(1, 2);
                (0..num).map(|_| this.assign()).collect()
            } else if this.random.percent(35) {
                let mut body = Vec::new();
                this.depth += 1;
                this.exit_statements(&mut body);
                this.depth -= 1;
                body.extend(this.block(num - 1));
                body
            } else {
                this.block(num)
            };
            (cond, body)
        });
        self.scope.truncate(mark);
        let unroll = match self.random.below(12) {
            3..6 if counts_to => Unroll::By(self.random.between(2, 8) as u32),
            0 => Unroll::Full,
            1 => Unroll::By(1),
            2 => Unroll::By(self.random.between(2, 5) as u32),
            _ => Unroll::Unsaid,
        };
        Stmt::Loop {
            kind,
            var,
            turns,
            cond,
            body,
            unroll,
        }
    }

    /// Generates a body that runs `turns` times and can be left.
    pub(super) fn in_loop<T>(&mut self, turns: u32, make: impl FnOnce(&mut Self) -> T) -> T {
        let (before, could_break) = (self.turns, self.can_break);
        self.turns *= u64::from(turns.max(1)) + 1;
        self.num_loops += 1;
        self.can_break = true;
        let made = make(self);
        self.turns = before;
        self.num_loops -= 1;
        self.can_break = could_break;
        made
    }

    fn switch(&mut self) -> Stmt {
        let value = if self.random.percent(75) {
            self.key()
        } else {
            self.expr(2, true)
        };
        let mut values: Vec<i64> = (-1..9).collect();
        let num_arms = self.random.between(1, 5) as usize;
        let default = self.random.below(num_arms * 2);
        let could_break = self.can_break;
        self.can_break = true;
        let mut arms = Vec::new();
        for arm in 0..num_arms {
            let mut labels = Vec::new();
            for _ in 0..self.random.weighted(&[0, 6, 2]) {
                let at = self.random.below(values.len());
                labels.push(Some(values.swap_remove(at)));
            }
            if arm == default {
                labels.push(None);
            }
            // Without `break`, control falls through to the next arm.
            let mut body = match self.random.below(8) {
                0 => Vec::new(),
                1 | 2 => self.branch(),
                _ => {
                    let num = self.random.weighted(&[0, 4, 2]);
                    self.block(num)
                }
            };
            if self.random.percent(50) {
                body.push(Stmt::Break);
            }
            arms.push((labels, body));
        }
        self.can_break = could_break;
        Stmt::Switch(value, arms)
    }

    /// Generates statements with labels and gotos.
    fn goto_block(&mut self) -> Stmt {
        match self.random.weighted(&[40, 20, 20, 14, 12]) {
            0 => {
                let label = self.new_label();
                self.labels.push((label, None));
                let body = self.goto_part();
                self.labels.pop();
                Stmt::Leave(label, body)
            }
            1 => self.backward_goto(),
            2 => self.irreducible_loop(),
            3 => self.loop_with_middle_entry(),
            _ => self.cross_jump(),
        }
    }

    fn new_label(&mut self) -> usize {
        self.next_label += 1;
        self.next_label - 1
    }

    fn goto_part(&mut self) -> Vec<Stmt> {
        let num = self.random.between(1, 4) as usize;
        self.block(num)
    }

    /// Generates statements that gotos repeat.
    fn backward_goto(&mut self) -> Stmt {
        let label = self.new_label();
        let mark = self.scope.len();
        let turns = self.random.between(2, 4) as u32;
        let fuel: VarId = self.declare_var(VarTy::Scalar(Ty::I32), false, true);
        self.labels.push((label, Some(fuel)));
        let before = self.turns;
        self.turns *= u64::from(turns);
        let body = self.goto_part();
        self.turns = before;
        self.labels.pop();
        self.scope.truncate(mark);
        Stmt::Again {
            label,
            fuel,
            turns,
            body,
        }
    }

    /// Generates parts that jump to each other forward and backward, which creates loops with several entries.
    fn irreducible_loop(&mut self) -> Stmt {
        let mark = self.scope.len();
        let turns = self.random.between(2, 4) as u32;
        let fuel: VarId = self.declare_var(VarTy::Scalar(Ty::I32), false, true);
        let labels: Vec<usize> = (0..self.random.between(2, 3)).map(|_| self.new_label()).collect();
        let mut out = vec![Stmt::Fuel(fuel, turns)];
        let (before, num_labels) = (self.turns, self.labels.len());
        self.turns *= u64::from(turns) + 1;
        for label in labels.iter().skip(1) {
            if self.random.percent(50) {
                let key = self.key();
                let cond = self.test(key);
                out.push(Stmt::If(cond, vec![Stmt::Goto(*label, Some(fuel))], None));
            }
        }
        self.labels
            .extend(labels.iter().map(|label| (*label, Some(fuel))));
        for label in labels {
            out.push(Stmt::Label(label));
            let mut part = self.goto_part();
            if self.random.percent(60) {
                let target = self.random.below(self.labels.len() - num_labels) + num_labels;
                let (target, fuel) = self.labels[target];
                let key = self.key();
                let cond = self.test(key);
                part.push(Stmt::If(cond, vec![Stmt::Goto(target, fuel)], None));
            }
            out.push(Stmt::Block(part));
        }
        self.labels.truncate(num_labels);
        self.turns = before;
        self.scope.truncate(mark);
        Stmt::Block(out)
    }

    /// Generates a loop with an entry in the middle.
    fn loop_with_middle_entry(&mut self) -> Stmt {
        let label = self.new_label();
        let entry = self.cond(1, false);
        let mark = self.scope.len();
        let turns = self.random.between(2, 4) as u32;
        let var: VarId = self.declare_var(VarTy::Scalar(Ty::I32), false, true);
        let (cond, first, second) = self.in_loop(turns, |this| {
            let cond = this.cond(1, true);
            let first = this.block(1);
            this.labels.push((label, Some(var)));
            let second = this.goto_part();
            this.labels.pop();
            (cond, first, second)
        });
        self.scope.truncate(mark);
        Stmt::Enter {
            label,
            var,
            turns,
            entry,
            cond,
            tests_last: self.random.percent(40),
            first,
            second,
        }
    }

    /// Generates a branch in which one side jumps into the other.
    fn cross_jump(&mut self) -> Stmt {
        let label = self.new_label();
        let cond = self.cond(1, true);
        let into = vec![
            Stmt::Block(self.block(1)),
            Stmt::Label(label),
            Stmt::Block(self.block(1)),
        ];
        self.labels.push((label, None));
        let mut from = self.goto_part();
        self.labels.pop();
        if self.random.percent(50) {
            let key = self.key();
            let cond = self.test(key);
            from.push(Stmt::If(cond, vec![Stmt::Goto(label, None)], None));
        }
        if self.random.percent(50) {
            Stmt::If(cond, into, Some(from))
        } else {
            Stmt::If(cond, from, Some(into))
        }
    }
}
