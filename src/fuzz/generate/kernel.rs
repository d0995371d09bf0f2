//! Generates random kernels: statements that all threads of a block reach together, then statements that threads can
//! leave.

use super::super::tree::{Binary, Builtin, Expr, Inlining, LoopKind, Ret, Stmt, Ty, Unroll, VarTy, WarpOp};
use super::super::walk;
use super::expr::binary;
use super::{Generator, MAX_COST, MAX_INLINED};

impl Generator {
    pub(super) fn make_kernel(&mut self, budget: usize) {
        self.start(budget);
        self.can_return = false;
        let mut body = Vec::new();
        // Small numbers from thread index and data, used as branch keys.
        let first = match self.random.below(3) {
            0 => Expr::Builtin(Builtin::Thread),
            1 => {
                let mask = self.random.pick(&[3, 7, 15]);
                binary(Binary::And, Expr::Builtin(Builtin::Thread), Expr::int(mask))
            }
            _ => Expr::Input(Box::new(Expr::Builtin(Builtin::Thread))),
        };
        let id = self.declare_var(VarTy::Scalar(Ty::I32), true, self.random.clone().percent(50));
        body.push(Stmt::Declare(id, Some(first)));
        for _ in 0..self.random.between(1, 4) {
            let declaration = self.declaration();
            body.push(declaration);
        }
        let num_together = self.random.weighted(&[4, 3, 2, 2, 1]);
        for _ in 0..num_together {
            self.add_convergent(&mut body);
            self.add_cooperative(&mut body, 0);
        }
        self.can_return = self.random.percent(50);
        let num_functions = self.program.functions.len();
        while self.budget > 0 {
            self.add_statement(&mut body);
        }
        for _ in 0..num_functions {
            if let Some(call) = self.call(|ret| matches!(ret, super::Ret::Scalar(_))) {
                let id = self.declare_var(VarTy::Scalar(Ty::I32), false, false);
                body.push(Stmt::Declare(id, Some(call)));
            }
        }
        let ids = self.scope.clone();
        body.push(Stmt::Checksum(ids));
        self.function.body = body;
        self.function.cost = self.cost_of_function();
        self.program.kernel = self.function.clone();
    }

    /// Generates a function that all threads of a block call together.
    pub(super) fn make_collective(&mut self, budget: usize) {
        self.start(budget);
        self.can_return = false;
        let ty = self.ty();
        self.function.ret = Ret::Scalar(ty);
        self.function.collective = true;
        for _ in 0..self.random.between(1, 2) {
            let ty = self.ty();
            let fixed = self.random.percent(40);
            self.declare_var(VarTy::Scalar(ty), false, fixed);
        }
        self.function.num_params = self.function.vars.len();
        let never = if self.program.legacy { 0 } else { 30 };
        self.function.inlining = match self.random.weighted(&[60, never, 10]) {
            1 => Inlining::Never,
            2 => Inlining::Always,
            _ => Inlining::Unsaid,
        };
        let mut body = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            self.add_convergent(&mut body);
            self.add_cooperative(&mut body, 1);
        }
        self.add_convergent(&mut body);
        self.function.result = Some(self.expr(2, false));
        self.function.body = body;
        self.function.cost = self.cost_of_function();
        self.program.functions.push(self.function.clone());
        self.collective = Some(self.program.functions.len() - 1);
    }

    /// Generates statements that every thread leaves at the end.
    fn add_convergent(&mut self, out: &mut Vec<Stmt>) {
        let first = out.len();
        for _ in 0..self.random.between(0, 2) {
            self.add_statement(out);
        }
        // It is unspecified which threads wait at a later barrier for threads that jump backward, so they reconverge
        // first.
        for stmt in &mut out[first..] {
            if jumps_back(stmt) {
                *stmt = Stmt::Once(vec![stmt.clone()]);
            }
        }
    }

    /// Returns a call of the function with barriers, if possible.
    fn collective_call(&mut self) -> Option<Expr> {
        let idx = self.collective?;
        let callee = &self.program.functions[idx];
        let size = callee.body.len() * 4;
        if self.function.collective
            || callee.cost * self.turns > MAX_COST
            || self.inlined + size > MAX_INLINED
        {
            return None;
        }
        self.inlined += size;
        self.arguments(idx).map(|args| Expr::Call(idx, args))
    }

    /// Generates statements of a scope in a loop that every thread leaves at the end.
    fn convergent_block(&mut self) -> Vec<Stmt> {
        let (loops, could_break) = (self.num_loops, self.can_break);
        (self.num_loops, self.can_break) = (0, false);
        let mark = self.scope.len();
        self.depth += 1;
        let mut out = Vec::new();
        self.add_convergent(&mut out);
        self.depth -= 1;
        self.scope.truncate(mark);
        (self.num_loops, self.can_break) = (loops, could_break);
        out
    }

    fn shared_array(&mut self) -> usize {
        if !self.program.shared.is_empty() && self.random.percent(50) {
            return self.random.below(self.program.shared.len());
        }
        let ty = self.field_ty();
        self.program.shared.push(ty);
        self.program.shared.len() - 1
    }

    /// Generates a cooperative statement of a block or warp.
    fn add_cooperative(&mut self, out: &mut Vec<Stmt>, depth: usize) {
        let warp = if self.warp_ops { 40 } else { 0 };
        let uniform = if depth < 2 { 12 } else { 0 };
        if self.random.percent(25)
            && let Some(call) = self.collective_call()
        {
            let place = self.writable();
            return out.push(Stmt::Assign(place, None, call));
        }
        match self.random.weighted(&[40, 12, warp, uniform, uniform, 6]) {
            0 => {
                let shared = self.shared_array();
                let value = self.expr(2, false);
                let before = self.convergent_list();
                let place = self.writable();
                let from = match self.random.below(4) {
                    0 => self.expr(2, false),
                    _ => binary(
                        self.random.pick(&[Binary::Add, Binary::Xor]),
                        Expr::Builtin(Builtin::Thread),
                        self.small_const(),
                    ),
                };
                let after = self.convergent_list();
                out.push(Stmt::Exchange {
                    shared,
                    value,
                    before,
                    place,
                    from,
                    after,
                });
            }
            1 => {
                self.in_counters = true;
                let mut body = self.convergent_list();
                self.add_convergent_in(&mut body);
                self.in_counters = false;
                let place = self.writable();
                let from = self.stable(1);
                out.push(Stmt::Counters { body, place, from });
            }
            2 => {
                let op = self.random.pick(&[
                    WarpOp::Shuffle,
                    WarpOp::ShuffleXor,
                    WarpOp::ShuffleUp,
                    WarpOp::ShuffleDown,
                    WarpOp::Ballot,
                    WarpOp::Any,
                    WarpOp::All,
                ]);
                let place = self.writable();
                let is_shuffle = !matches!(op, WarpOp::Ballot | WarpOp::Any | WarpOp::All);
                let value = if is_shuffle {
                    self.expr(1, false)
                } else {
                    self.cond(1, false)
                };
                let lane = match op {
                    WarpOp::Shuffle => self.expr(1, false),
                    _ => self.small_const(),
                };
                out.push(Stmt::Warp {
                    op,
                    place,
                    value,
                    lane,
                });
            }
            3 => out.push(self.uniform_loop(depth)),
            4 => {
                let cond = self.uniform_cond();
                let then = self.cooperative_block(depth + 1, false);
                let otherwise = self
                    .random
                    .percent(50)
                    .then(|| self.cooperative_block(depth + 1, false));
                out.push(Stmt::If(cond, then, otherwise));
            }
            _ => out.push(Stmt::Barrier),
        }
    }

    fn convergent_list(&mut self) -> Vec<Stmt> {
        if self.random.percent(40) {
            return Vec::new();
        }
        vec![Stmt::Block(self.convergent_block())]
    }

    fn add_convergent_in(&mut self, out: &mut Vec<Stmt>) {
        let block = self.convergent_block();
        out.push(Stmt::Block(block));
    }

    /// Returns a condition that is uniform across a block.
    fn uniform_cond(&mut self) -> Expr {
        let subject = match self.random.below(3) {
            0 => Expr::Builtin(Builtin::N),
            1 => Expr::Builtin(Builtin::Block),
            _ => binary(Binary::And, Expr::Builtin(Builtin::M), Expr::int(3)),
        };
        let op = self.random.pick(&["==", "!=", "<", ">"]);
        let value = self.random.between(0, 4);
        Expr::Compare(op, Box::new(subject), Box::new(Expr::int(value)))
    }

    fn cooperative_block(&mut self, depth: usize, in_loop: bool) -> Vec<Stmt> {
        let mark = self.scope.len();
        let mut out = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let block = self.convergent_block();
            if !block.is_empty() {
                out.push(Stmt::Block(block));
            }
            if in_loop && self.random.percent(30) {
                let cond = self.uniform_cond();
                let exit = if self.random.percent(50) {
                    Stmt::Break
                } else {
                    Stmt::Continue
                };
                out.push(Stmt::If(cond, vec![exit], None));
            }
            self.add_cooperative(&mut out, depth);
        }
        self.scope.truncate(mark);
        out
    }

    fn uniform_loop(&mut self, depth: usize) -> Stmt {
        let turns = self.random.between(1, 4) as u32;
        let kind = self.random.pick(&[
            LoopKind::Count,
            LoopKind::Count,
            LoopKind::CountDown,
            LoopKind::DoWhile,
        ]);
        let cond = self.uniform_cond();
        let mark = self.scope.len();
        let var = self.declare_var(VarTy::Scalar(Ty::I32), false, true);
        let before = self.turns;
        self.turns *= u64::from(turns);
        let body = self.cooperative_block(depth + 1, true);
        self.turns = before;
        self.scope.truncate(mark);
        let unroll = self
            .random
            .pick(&[Unroll::Unsaid, Unroll::Unsaid, Unroll::Full, Unroll::By(1)]);
        Stmt::Loop {
            kind,
            var,
            turns,
            cond,
            body,
            unroll,
        }
    }
}

/// Whether a statement can jump backward.
fn jumps_back(stmt: &Stmt) -> bool {
    let mut found = false;
    walk::each_stmt(&mut vec![stmt.clone()], &mut |stmt| {
        found |= matches!(stmt, Stmt::Again { .. } | Stmt::Label(_) | Stmt::Enter { .. });
    });
    found
}
