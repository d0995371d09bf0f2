//! Loops with a step limit.

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;

impl Machine {
    /// Runs a loop within the step limit.
    pub(super) fn bounded(&mut self, line: u32, run: impl FnOnce(&mut Self) -> Runs<Flow>) -> Runs<Flow> {
        let since = self.step;
        let (limit, depth) = (self.limit, self.frames.len());
        let outer = (self.left_loop.take(), self.left_round.take());
        let num_conditions = self.conditions.len();
        if self.loop_depth == 0 {
            self.limit = self.limits.steps.min(self.step + self.limits.loop_steps);
        }
        self.loop_depth += 1;
        let mut result = run(self);
        self.loop_depth -= 1;
        if let Some((since, state)) = self.left_loop {
            self.memory.forget_since(since, state, self.step);
        }
        (self.left_loop, self.left_round) = outer;
        if self.loop_depth == 0 {
            self.limit = limit;
            if result == Err(Stop::Limit) && self.step < self.limits.steps {
                self.frames.truncate(depth);
                self.conditions.truncate(num_conditions);
                self.line = line;
                let steps = self.limits.loop_steps;
                let state = self.reason(format!("the loop at line {line} takes more than {steps} steps"));
                self.note(format!(
                    "The loop at line {line} takes more than {steps} steps, so its results are unknown."
                ));
                self.memory.forget_since(since, state, self.step);
                if self.rand_step >= since {
                    self.rand = None;
                }
                result = Ok(Flow::Next);
            }
        }
        result
    }

    pub(super) fn rounds(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        is_do: bool,
    ) -> Runs<Flow> {
        let line = self.line;
        let mut is_first = is_do;
        if !is_do
            && let (Some(condition), Some(step)) = (condition, step)
            && self.filled(condition, step, body)?
        {
            return Ok(Flow::Next);
        }
        loop {
            self.tick()?;
            if !std::mem::take(&mut is_first)
                && let Some(condition) = condition
            {
                let value = self.eval(condition)?;
                if !value.is_known() {
                    self.line = line;
                    return self.unknown_iterations(value.state, condition, step, body);
                }
                if !self.holds(&value) {
                    return Ok(Flow::Next);
                }
            }
            let flow = self.exec(body)?;
            if let Some((since, state)) = self.left_round.take() {
                self.memory.forget_since(since, state, self.step);
            }
            match flow {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return => return Ok(Flow::Return),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.eval(step)?;
            }
        }
    }

    /// Iterations of a loop with an unknown trip count: everything that they modify becomes unknown.
    pub(super) fn unknown_iterations(
        &mut self,
        state: State,
        condition: &Expr,
        step: Option<&Expr>,
        body: &Stmt,
    ) -> Runs<Flow> {
        let state = self.condition_reason(state);
        let line = self.line;
        self.conditions.push(line);
        let mut result = Ok(Flow::Next);
        for round in 0..3 {
            let since = self.step + 1;
            self.step += 2;
            self.muted += u32::from(round > 0);
            let mut run = || {
                let flow = self.exec(body)?;
                if let Some(step) = step {
                    self.eval(step)?;
                }
                self.eval(condition)?;
                Ok(flow)
            };
            let flow = run();
            self.muted -= u32::from(round > 0);
            match flow {
                Err(Stop::Limit) => {
                    result = Err(Stop::Limit);
                    break;
                }
                Err(Stop::Exit) => {}
                Ok(flow) => {
                    if flow == Flow::Return {
                        self.leave(flow, since, state);
                    }
                }
            }
            self.memory.forget_since(since, state, self.step);
            if self.rand_step >= since {
                self.rand = None;
            }
        }
        self.conditions.pop();
        result
    }

    pub(super) fn range_loop(&mut self, name: Name, ty: &TypeExpr, range: &Expr, body: &Stmt) -> Runs<Flow> {
        let line = self.line;
        let at = if let Some(at) = self.place(range)? {
            at
        } else {
            let value = self.eval(range)?;
            self.temporary(value)
        };
        let (data, elem, len) = match at.ty {
            Ty::Array(elem, len) => (at.address, self.pointee(elem), len),
            Ty::Vector(elem) => {
                let (data, len, state) = self.vector_parts(at);
                if state != KNOWN {
                    return self.unknown_range(state, body);
                }
                (data, self.pointee(elem), len)
            }
            _ => {
                self.line = line;
                let state = self.not_evaluated("the loop");
                return self.unknown_range(state, body);
            }
        };
        let width = self.size_of(elem);
        for idx in 0..len {
            self.tick()?;
            let (top, num_variables) = (
                self.memory.top,
                self.frames.last().map_or(0, |frame| frame.variables.len()),
            );
            let place = Location::known(data + idx * width, elem);
            let at = if matches!(ty, TypeExpr::Reference(_)) {
                place
            } else {
                let value = self.load(place);
                let ty = if matches!(ty, TypeExpr::Auto) {
                    elem
                } else {
                    self.resolve(ty)?
                };
                let at = self.allocate_variable(name, ty);
                self.store(at, value);
                at
            };
            self.declare(name, at);
            let flow = self.exec(body);
            if let Some((since, state)) = self.left_round.take() {
                self.memory.forget_since(since, state, self.step);
            }
            self.memory.top = top;
            if let Some(frame) = self.frames.last_mut() {
                frame.variables.truncate(num_variables);
            }
            match flow? {
                Flow::Break => break,
                Flow::Return => return Ok(Flow::Return),
                Flow::Next | Flow::Continue => {}
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn unknown_range(&mut self, state: State, body: &Stmt) -> Runs<Flow> {
        let since = self.step + 1;
        self.step += 2;
        self.conditions.push(self.line);
        let flow = self.exec(body);
        self.conditions.pop();
        self.memory.forget_since(since, state, self.step);
        match flow {
            Err(Stop::Limit) => Err(Stop::Limit),
            _ => Ok(Flow::Next),
        }
    }
}
