//! Executes statements. Each one takes the threads that reach it and returns the threads that continue after
//! it. Other threads are in the [`Flow`] or have left the function.

use super::super::code::{Arm, Expr, Function, Kind, Param, Stmt, StmtKind};
use super::super::mask::Mask;
use super::super::memory::{UNDEFINED, WRITTEN};
use super::super::number::cut;
use super::super::{InterpretError, UndefinedKind};
use super::{Flow, Machine, Run};

/// Maximum sum of the nesting depths of the functions of a chain of calls. Each level of a statement or expression is a call,
/// which takes some hundred bytes of the page's stack of 1 MB. Assumption: recursive functions have seven levels, so that
/// the limit of calls applies first.
const MAX_LEVELS: u32 = 1500;

impl<'a, const W: usize> Machine<'a, W> {
    /// Runs a function's body in its frame.
    pub(super) fn body(&mut self, function: &'a Function, mask: &Mask<W>) -> Run<()> {
        let mut flow = Flow {
            breaks: Mask::EMPTY,
            continues: Mask::EMPTY,
            jumps: vec![Mask::EMPTY; function.num_labels as usize],
        };
        let mut active = *mask;
        loop {
            let past = self.stmts(&function.body, active, &mut flow)?;
            if self.depth == 0 {
                self.live = self.live.without(&past);
            }
            // Threads that jump backward to a label before their jump.
            if flow.jumps.iter().all(Mask::is_empty) {
                return Ok(());
            }
            active = Mask::EMPTY;
            self.step()?;
        }
    }

    fn stmts(&mut self, stmts: &'a [Stmt], mut active: Mask<W>, flow: &mut Flow<W>) -> Run<Mask<W>> {
        for stmt in stmts {
            active = self.stmt(stmt, active, flow)?;
        }
        Ok(active)
    }

    /// Whether a thread jumps to a label in a statement.
    fn is_jump_target(stmt: &Stmt, flow: &Flow<W>) -> bool {
        stmt.labels
            .iter()
            .any(|label| !flow.jumps[*label as usize].is_empty())
    }

    fn stmt(&mut self, stmt: &'a Stmt, active: Mask<W>, flow: &mut Flow<W>) -> Run<Mask<W>> {
        if active.is_empty() && !Self::is_jump_target(stmt, flow) {
            return Ok(active);
        }
        self.step()?;
        match &stmt.kind {
            StmtKind::Block(stmts) => return self.stmts(stmts, active, flow),
            StmtKind::Expr(expr) => self.eval(expr, &active)?,
            StmtKind::Forget { row, len } => {
                for row in *row..*row + *len {
                    let written = &mut self.written[self.base + row as usize];
                    *written = written.without(&active);
                }
            }
            StmtKind::Fill {
                offset,
                size,
                is_zero,
            } => {
                let state = if *is_zero { WRITTEN } else { UNDEFINED };
                for lane in active.lanes() {
                    self.memory.fill_local(lane, self.frame + offset, *size, state);
                }
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let taken = self.test(cond, &active)?;
                let past = self.stmt(then, taken, flow)?;
                let other = active.without(&taken);
                return Ok(match otherwise {
                    Some(otherwise) => past.or(&self.stmt(otherwise, other, flow)?),
                    None => past.or(&other),
                });
            }
            StmtKind::Loop {
                cond,
                step,
                body,
                tests_last,
            } => {
                let outer = (flow.breaks, flow.continues);
                (flow.breaks, flow.continues) = (Mask::EMPTY, Mask::EMPTY);
                let past = self.repeat(cond.as_ref(), step.as_ref(), body, *tests_last, active, flow)?;
                let past = past.or(&flow.breaks);
                (flow.breaks, flow.continues) = outer;
                return Ok(past);
            }
            StmtKind::Switch { value, kind, arms } => return self.switch(value, *kind, arms, active, flow),
            StmtKind::Break => {
                flow.breaks = flow.breaks.or(&active);
                return Ok(Mask::EMPTY);
            }
            StmtKind::Continue => {
                flow.continues = flow.continues.or(&active);
                return Ok(Mask::EMPTY);
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.eval(value, &active)?;
                    for idx in 0..value.len {
                        self.set(idx, value.row + idx, &active);
                    }
                }
                if self.depth == 0 {
                    self.live = self.live.without(&active);
                }
                return Ok(Mask::EMPTY);
            }
            StmtKind::Label(label) => {
                let arriving = std::mem::replace(&mut flow.jumps[*label as usize], Mask::EMPTY);
                return Ok(active.or(&arriving));
            }
            StmtKind::Goto(label) => {
                let jumping = &mut flow.jumps[*label as usize];
                *jumping = jumping.or(&active);
                return Ok(Mask::EMPTY);
            }
        }
        Ok(active)
    }

    /// Returns the threads for which a condition holds.
    fn test(&mut self, cond: &'a Expr, active: &Mask<W>) -> Run<Mask<W>> {
        if active.is_empty() {
            return Ok(Mask::EMPTY);
        }
        self.eval(cond, active)?;
        Ok(self.true_lanes(cond.row, active))
    }

    /// Runs a loop until no thread is left in it. Returns the threads that left through the condition.
    fn repeat(
        &mut self,
        cond: Option<&'a Expr>,
        step: Option<&'a Expr>,
        body: &'a Stmt,
        tests_last: bool,
        mut active: Mask<W>,
        flow: &mut Flow<W>,
    ) -> Run<Mask<W>> {
        let mut past = Mask::EMPTY;
        let mut is_tested = tests_last;
        loop {
            if let Some(cond) = cond
                && !is_tested
            {
                let stays = self.test(cond, &active)?;
                past = past.or(&active.without(&stays));
                active = stays;
            }
            is_tested = false;
            if active.is_empty() && !Self::is_jump_target(body, flow) {
                return Ok(past);
            }
            active = self.stmt(body, active, flow)?;
            active = active.or(&std::mem::replace(&mut flow.continues, Mask::EMPTY));
            if let Some(step) = step
                && !active.is_empty()
            {
                self.eval(step, &active)?;
            }
            self.step()?;
        }
    }

    fn switch(
        &mut self,
        value: &'a Expr,
        kind: Kind,
        arms: &'a [Arm],
        active: Mask<W>,
        flow: &mut Flow<W>,
    ) -> Run<Mask<W>> {
        let mut entering = vec![Mask::EMPTY; arms.len()];
        let mut past = Mask::EMPTY;
        if !active.is_empty() {
            self.eval(value, &active)?;
            let default = arms.iter().position(|arm| arm.is_default);
            let values = self.row(value.row);
            for lane in active.lanes() {
                let value = cut(values[lane], kind);
                let arm = arms.iter().position(|arm| arm.values.contains(&value));
                match arm.or(default) {
                    Some(arm) => entering[arm].insert(lane),
                    None => past.insert(lane),
                }
            }
        }
        let outer = std::mem::replace(&mut flow.breaks, Mask::EMPTY);
        let mut falling = Mask::EMPTY;
        for (arm, entering) in arms.iter().zip(entering) {
            falling = self.stmts(&arm.body, falling.or(&entering), flow)?;
        }
        let breaks = std::mem::replace(&mut flow.breaks, outer);
        Ok(past.or(&falling).or(&breaks))
    }

    /// Calls a function with evaluated arguments.
    pub(super) fn call(
        &mut self,
        function: &'a Function,
        call: &'a Expr,
        args: &'a [Expr],
        mask: &Mask<W>,
    ) -> Run<()> {
        if self.depth >= self.limits.max_call_depth || self.levels + function.height > MAX_LEVELS {
            return Err(InterpretError::CallDepth(
                self.depth.min(self.limits.max_call_depth),
            ));
        }
        let outer = (self.base, self.frame, self.library_call);
        let (caller_rows, caller_frame) = (self.num_rows, self.frame_bytes);
        let inner = self.base + caller_rows as usize;
        self.frame += caller_frame;
        self.base = inner;
        self.enter(function, mask);
        for (param, arg) in function.params.iter().zip(args) {
            for idx in 0..arg.len {
                self.base = outer.0;
                let values = self.row(arg.row + idx).to_vec();
                self.base = inner;
                match param {
                    Param::Registers { row, .. } => {
                        let row = inner + (*row + idx) as usize;
                        self.rows[row].copy_from_slice(&values);
                        self.written[row] = *mask;
                    }
                    Param::Frame { offset, leaves } => {
                        let leaf = leaves[idx as usize];
                        let address = self.frame_address(*offset) + u64::from(leaf.offset);
                        for lane in mask.lanes() {
                            self.memory.store(address, leaf.kind, values[lane], lane);
                        }
                    }
                }
            }
        }
        if function.is_library {
            self.library_call = Some(self.library_call.unwrap_or(call.span));
        }
        (self.num_rows, self.frame_bytes) = (function.num_rows, function.frame.len() as u32);
        self.depth += 1;
        self.levels += function.height;
        self.body(function, mask)?;
        self.levels -= function.height;
        self.depth -= 1;
        self.leave(function, mask);
        (self.base, self.frame, self.library_call) = outer;
        (self.num_rows, self.frame_bytes) = (caller_rows, caller_frame);
        for idx in 0..function.num_result_rows {
            let result = inner + idx as usize;
            if let Some(thread) = mask.without(&self.written[result]).lanes().next() {
                self.report(UndefinedKind::MissingReturn, function.end_span, thread);
            }
            let values = std::mem::take(&mut self.rows[result]);
            mask.copy(&mut self.rows[outer.0 + (call.row + idx) as usize], &values);
            self.rows[result] = values;
        }
        Ok(())
    }
}
