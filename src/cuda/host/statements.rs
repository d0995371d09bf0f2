//! Statements and branches.

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;

impl Machine {
    pub(super) fn block(&mut self, stmts: &[Stmt]) -> Runs<Flow> {
        let top = self.memory.top;
        let num_variables = self.frames.last().map_or(0, |frame| frame.variables.len());
        let mut flow = Ok(Flow::Next);
        for stmt in stmts {
            flow = self.exec(stmt);
            if flow != Ok(Flow::Next) {
                break;
            }
        }
        self.memory.top = top;
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.truncate(num_variables);
        }
        flow
    }

    pub(super) fn exec(&mut self, stmt: &Stmt) -> Runs<Flow> {
        self.levels += 1;
        let flow = if self.levels > MAX_LEVELS {
            Err(Stop::Limit)
        } else {
            self.exec_here(stmt)
        };
        self.levels -= 1;
        flow
    }

    fn exec_here(&mut self, stmt: &Stmt) -> Runs<Flow> {
        self.tick()?;
        self.line = stmt.line;
        match &stmt.kind {
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::Expr(expr) => {
                self.note_statement(expr);
                self.eval(expr)?;
                Ok(Flow::Next)
            }
            StmtKind::Declaration(declared) => {
                for declarator in declared {
                    self.declaration(declarator)?;
                }
                Ok(Flow::Next)
            }
            StmtKind::If {
                init,
                condition,
                then,
                otherwise,
            } => {
                let top = self.memory.top;
                let num_variables = self.frames.last().map_or(0, |frame| frame.variables.len());
                if let Some(init) = init {
                    self.exec(init)?;
                }
                let flow = self.branch(condition, then, otherwise.as_deref());
                if let (Some(_), Some(frame)) = (init, self.frames.last_mut()) {
                    frame.variables.truncate(num_variables);
                    self.memory.top = top;
                }
                flow
            }
            StmtKind::Loop {
                init,
                condition,
                step,
                body,
                is_do,
            } => {
                let top = self.memory.top;
                let num_variables = self.frames.last().map_or(0, |frame| frame.variables.len());
                let mut result = match init {
                    Some(init) => self.exec(init),
                    None => Ok(Flow::Next),
                };
                if result.is_ok() {
                    result = self.bounded(stmt.line, |this| {
                        this.rounds(condition.as_ref(), step.as_ref(), body, *is_do)
                    });
                }
                self.memory.top = top;
                if let Some(frame) = self.frames.last_mut() {
                    frame.variables.truncate(num_variables);
                }
                result
            }
            StmtKind::RangeLoop {
                name,
                ty,
                range,
                body,
            } => {
                let line = stmt.line;
                self.bounded(line, |this| this.range_loop(*name, ty, range, body))
            }
            StmtKind::Switch { value, labels, body } => {
                let value = self.eval(value)?;
                if !is_known(value.state) {
                    let since = self.step;
                    self.step += 1;
                    let state = self.condition_reason(value.state);
                    self.conditions.push(stmt.line);
                    for (_, start) in labels {
                        let _ = self.block(&body[*start..])?;
                    }
                    self.conditions.pop();
                    self.memory.forget_since(since, state, self.step);
                    return Ok(Flow::Next);
                }
                let mut start = None;
                for (label, at) in labels {
                    let is_it = match label {
                        Some(label) => {
                            let label = self.eval(label)?;
                            label.is_known() && label.bits == value.bits
                        }
                        None => false,
                    };
                    if is_it {
                        start = Some(*at);
                        break;
                    }
                }
                let default = labels
                    .iter()
                    .find(|(label, _)| label.is_none())
                    .map(|(_, at)| *at);
                match start.or(default) {
                    Some(start) => match self.block(&body[start..])? {
                        Flow::Break => Ok(Flow::Next),
                        flow => Ok(flow),
                    },
                    None => Ok(Flow::Next),
                }
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::void(),
                };
                let value = self.copied(value);
                if let Some(frame) = self.frames.last_mut() {
                    frame.result = Some(value);
                }
                Ok(Flow::Return)
            }
            StmtKind::Break => Ok(Flow::Break),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Throw => Err(Stop::Exit),
            StmtKind::Opaque(names) => {
                let state = self.not_evaluated("the statement");
                self.forget_names(names, state);
                let sets_attribute = self.id("cudaFuncSetAttribute");
                self.errors.is_limit_unknown |= sets_attribute.is_some_and(|name| names.contains(&name));
                // It can leave the enclosing construct.
                let flows = [
                    ("return", Flow::Return),
                    ("break", Flow::Break),
                    ("continue", Flow::Continue),
                ];
                for (word, flow) in flows {
                    let is_exit = flow == Flow::Return && self.frames.len() == 2;
                    if !is_exit && self.id(word).is_some_and(|word| names.contains(&word)) {
                        self.leave(flow, self.step, state);
                    }
                }
                Ok(Flow::Next)
            }
        }
    }

    pub(super) fn condition_reason(&mut self, state: State) -> State {
        if state == UNTOUCHED {
            let line = self.line;
            return self.reason(format!("the condition at line {line} is unknown"));
        }
        let why = self.why(state);
        if why.starts_with("the condition") {
            return state;
        }
        let line = self.line;
        self.reason(format!("the condition at line {line} is unknown ({why})"))
    }

    pub(super) fn branch(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) -> Runs<Flow> {
        let line = self.line;
        let value = self.eval(condition)?;
        self.line = line;
        if value.is_known() {
            let holds = self.holds(&value);
            let (taken, other) = if holds {
                (Some(then), otherwise)
            } else {
                (otherwise, Some(then))
            };
            let flow = match taken {
                Some(taken) => self.exec(taken),
                None => Ok(Flow::Next),
            };
            let ends = flow == Err(Stop::Exit) || (flow == Ok(Flow::Return) && self.frames.len() == 2);
            if value.state == ARGC && ends {
                self.line = line;
                self.note(
                    "Without arguments the program ends here; evaluation continues as if arguments were given."
                        .to_owned(),
                );
                return match other {
                    Some(other) => self.exec(other),
                    None => Ok(Flow::Next),
                };
            }
            return flow;
        }
        let state = self.condition_reason(value.state);
        // The branch that ends the program, if there is one, is evaluated first: the other branch continues.
        let (first, second) = match otherwise {
            Some(other) if always_exits(other, &self.tree) => (Some(other), Some(then)),
            _ => (Some(then), otherwise),
        };
        let mut flows = [Flow::Next; 2];
        let mut exits = [false; 2];
        for (idx, stmt) in [first, second].into_iter().enumerate() {
            let Some(stmt) = stmt else {
                continue;
            };
            let since = self.step + 1;
            self.step += 2;
            let is_sure = idx == 1 && (exits[0] || flows[0] != Flow::Next);
            if !is_sure {
                self.conditions.push(line);
            }
            let flow = self.exec(stmt);
            if !is_sure {
                self.conditions.pop();
            }
            match flow {
                Err(Stop::Limit) => return Err(Stop::Limit),
                Err(Stop::Exit) => exits[idx] = true,
                Ok(flow) => flows[idx] = flow,
            }
            if flows[idx] == Flow::Return && self.frames.len() == 2 {
                exits[idx] = true;
                flows[idx] = Flow::Next;
            }
            if is_sure {
                return flow.map(|_| flows[1]);
            }
            self.memory.forget_since(since, state, self.step);
            if self.rand_step >= since {
                self.rand = None;
            }
            self.leave(flows[idx], since, state);
        }
        if exits == [true, true] {
            return Err(Stop::Exit);
        }
        Ok(Flow::Next)
    }

    /// Records that a path has left the function, the loop, or the iteration under an unknown condition.
    pub(super) fn leave(&mut self, flow: Flow, since: u64, state: State) {
        match flow {
            Flow::Next => {}
            Flow::Return => {
                if let Some(frame) = self.frames.last_mut() {
                    let result = frame.result.take().unwrap_or(Value::void());
                    frame
                        .left
                        .get_or_insert((since, state, Vec::new()))
                        .2
                        .push(result);
                }
            }
            Flow::Break => {
                self.left_loop.get_or_insert((since, state));
            }
            Flow::Continue => {
                self.left_round.get_or_insert((since, state));
            }
        }
    }
}

/// Whether a statement ends the program or always returns from the function.
fn always_exits(stmt: &Stmt, tree: &Tree) -> bool {
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.last().is_some_and(|last| always_exits(last, tree)),
        StmtKind::Return(_) | StmtKind::Throw => true,
        StmtKind::Expr(Expr {
            kind: ExprKind::Call(callee, _),
            ..
        }) => match &callee.kind {
            ExprKind::Name { name, .. } => matches!(
                &*tree.names[*name as usize],
                "exit" | "abort" | "_exit" | "terminate"
            ),
            _ => false,
        },
        _ => false,
    }
}
