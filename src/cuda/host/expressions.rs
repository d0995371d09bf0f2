//! Expressions.

use std::rc::Rc;

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;

impl Machine {
    pub(super) fn eval(&mut self, expr: &Expr) -> Runs<Value> {
        self.levels += 1;
        let value = if self.levels > MAX_LEVELS {
            Err(Stop::Limit)
        } else {
            self.eval_here(expr)
        };
        self.levels -= 1;
        value
    }

    fn eval_here(&mut self, expr: &Expr) -> Runs<Value> {
        self.tick()?;
        Ok(match &expr.kind {
            ExprKind::Int {
                value,
                unsigned,
                long,
            } => {
                let ty = match (unsigned, long) {
                    (false, false) => Ty::I32,
                    (true, false) => Ty::U32,
                    (false, true) => Ty::I64,
                    (true, true) => Ty::U64,
                };
                Value::new(ty, Self::wrap(ty, *value), KNOWN)
            }
            ExprKind::Char(value) => Value::new(Ty::I8, *value as u64, KNOWN),
            ExprKind::Bool(value) => Value::new(Ty::Bool, u64::from(*value), KNOWN),
            ExprKind::F32(value) => Value::new(Ty::F32, value.to_bits().into(), KNOWN),
            ExprKind::F64(value) => Value::new(Ty::F64, value.to_bits(), KNOWN),
            ExprKind::Str(text) => {
                let address = if let Some(address) = self.strings.get(text) {
                    *address
                } else {
                    let address =
                        self.memory
                            .alloc(text.len() as u64, Space::Host, "a string".to_owned(), expr.line);
                    let states = vec![KNOWN; text.len()];
                    self.memory.write(address, text, &states, 0);
                    self.strings.insert(text.clone(), address);
                    address
                };
                Value::new(self.pointer_to(Ty::I8), address, KNOWN)
            }
            ExprKind::Name { name, args, of } => self.name_value(*name, *of, args.as_deref(), expr.line)?,
            ExprKind::This => match self.frames.last().and_then(|frame| frame.this) {
                Some((address, id)) => Value::new(self.pointer_to(Ty::Struct(id)), address, KNOWN),
                None => Value::unknown(self.not_evaluated("`this`")),
            },
            ExprKind::Unary(op, operand) => self.unary(*op, operand)?,
            ExprKind::Binary(op, left, right) => self.binary_expr(*op, left, right)?,
            ExprKind::Assign(op, left, right) => self.assign(*op, left, right)?,
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.eval(condition)?;
                if condition.is_known() {
                    let chosen = if self.holds(&condition) { then } else { otherwise };
                    let value = self.eval(chosen)?;
                    // `c ? 1 : 2.0` is a double. The type of the other operand counts only if both are numbers.
                    return Ok(value);
                }
                let state = self.condition_reason(condition.state);
                let since = self.step + 1;
                self.step += 2;
                let a = self.eval(then)?;
                let b = self.eval(otherwise)?;
                self.memory.forget_since(since, state, self.step);
                if a.ty == b.ty && a.bits == b.bits && a.is_known() && b.is_known() && a.parts.is_none() {
                    a
                } else {
                    Value::new(a.ty, a.bits, state)
                }
            }
            ExprKind::Call(callee, args) => self.call_expr(callee, args, expr.line)?,
            ExprKind::Index(..) => match self.place(expr)? {
                Some(at) => self.load(at),
                None => Value::unknown(self.not_evaluated("an element")),
            },
            ExprKind::Member { .. } => match self.place(expr)? {
                Some(at) => self.load(at),
                None => Value::unknown(self.not_evaluated("a member")),
            },
            ExprKind::Cast(ty, operand) => {
                let to = self.resolve(ty)?;
                let value = self.eval(operand)?;
                if to == Ty::Opaque {
                    value
                } else {
                    self.convert(value, to)
                }
            }
            ExprKind::Construct(ty, args) => {
                let ty = self.resolve(ty)?;
                if !matches!(
                    ty,
                    Ty::Struct(_)
                        | Ty::Vector(_)
                        | Ty::Engine(_)
                        | Ty::Distribution(..)
                        | Ty::Opaque
                        | Ty::Array(..)
                ) {
                    let value = match args.first() {
                        Some(arg) => self.eval(arg)?,
                        None => Value::int(0),
                    };
                    return Ok(self.convert(value, ty));
                }
                let top = self.memory.top;
                let size = self.size_of(ty);
                let address = self
                    .memory
                    .push(size)
                    .unwrap_or_else(|| self.memory.alloc(size, Space::Host, String::new(), 0));
                let at = Location::known(address, ty);
                self.construct(at, args, true)?;
                let value = self.load(at);
                self.memory.top = top;
                value
            }
            ExprKind::List(items) => match &items[..] {
                [one] => self.eval(one)?,
                // An untyped launch configuration or argument.
                items if items.len() <= 3 && !items.is_empty() => {
                    let mut values = Vec::new();
                    for item in items {
                        values.push(self.eval(item)?);
                    }
                    if values.iter().all(|value| Self::is_integer(value.ty)) {
                        self.make_dim3(&values)
                    } else {
                        Value::unknown(self.not_evaluated("a list"))
                    }
                }
                _ => Value::unknown(self.not_evaluated("a list")),
            },
            ExprKind::SizeofType(ty) => {
                let ty = self.resolve(ty)?;
                self.size_value(ty)
            }
            ExprKind::Sizeof(operand) => {
                if let ExprKind::Name { name, args: None, .. } = operand.kind
                    && self.variable(name).is_none()
                {
                    let ty = self.named_type(name, &[])?;
                    return Ok(self.size_value(ty));
                }
                let ty = match self.place(operand)? {
                    Some(at) => at.ty,
                    None => self.eval(operand)?.ty,
                };
                self.size_value(ty)
            }
            ExprKind::New {
                ty,
                count,
                args,
                is_zeroed,
            } => {
                let ty = self.resolve(ty)?;
                let count = match count {
                    Some(count) => self.eval(count)?,
                    None => Value::int(1),
                };
                let pointer = self.pointer_to(ty);
                if !count.is_known() || count.bits > 1 << 32 {
                    let state = if is_known(count.state) {
                        self.not_evaluated("an allocation")
                    } else {
                        count.state
                    };
                    return Ok(Value::new(pointer, 0, state));
                }
                let width = self.size_of(ty);
                let address =
                    self.memory
                        .alloc((width * count.bits).max(1), Space::Host, String::new(), expr.line);
                self.memory.set_pageable(address);
                let at = Location::known(address, ty);
                if *is_zeroed && args.is_empty() {
                    self.memory.fill(address, width * count.bits, 0, KNOWN, self.step);
                }
                if count.bits == 1 && (!args.is_empty() || matches!(ty, Ty::Struct(_) | Ty::Vector(_))) {
                    self.construct(at, args, *is_zeroed)?;
                } else if let Ty::Struct(id) = ty
                    && (self.has_constructor(id)
                        || self.records[id as usize]
                            .fields
                            .iter()
                            .any(|field| !matches!(field.init, Init::None)))
                    && count.bits < 1 << 16
                {
                    for idx in 0..count.bits {
                        self.construct(
                            Location {
                                address: address + idx * width,
                                ..at
                            },
                            &[],
                            false,
                        )?;
                    }
                } else if matches!(ty, Ty::Vector(_)) {
                    self.memory.fill(address, width * count.bits, 0, KNOWN, self.step);
                }
                Value::new(pointer, address, KNOWN)
            }
            ExprKind::Launch { kernel, config, args } => {
                let kernel = self.eval(kernel)?;
                let mut values = Vec::new();
                for value in config {
                    values.push(self.eval(value)?);
                }
                let mut passed = Vec::new();
                for arg in args {
                    passed.push(self.eval(arg)?);
                }
                self.line = expr.line;
                self.launch(&kernel, &values, passed, false)?;
                Value::void()
            }
            ExprKind::Lambda(function) => {
                self.callees
                    .push(Callee::Lambda(Rc::clone(function), self.frames.len() - 1));
                Value::new(Ty::Function, self.callees.len() as u64 - 1, KNOWN)
            }
        })
    }

    pub(super) fn size_value(&mut self, ty: Ty) -> Value {
        let is_opaque =
            matches!(ty, Ty::Opaque) || matches!(ty, Ty::Struct(id) if self.records[id as usize].is_opaque);
        if is_opaque {
            return Value::new(Ty::U64, 0, self.not_evaluated("the size of a type"));
        }
        Value::new(Ty::U64, self.size_of(ty), KNOWN)
    }

    pub(super) fn name_value(
        &mut self,
        name: Name,
        of: Option<Name>,
        args: Option<&[TemplateArg]>,
        line: u32,
    ) -> Runs<Value> {
        if args.is_none() {
            if let Some(Binding::Value(value)) = self.binding(name) {
                return Ok(value);
            }
            if let Some(at) = self.variable(name) {
                return Ok(self.load(at));
            }
            if let Some(value) = self.constants.get(&name) {
                return Ok(value.clone());
            }
        }
        if self.functions.contains_key(&name) {
            let args = self.substituted_args(args.unwrap_or_default())?;
            self.callees.push(Callee::Named(name, args, of));
            return Ok(Value::new(Ty::Function, self.callees.len() as u64 - 1, KNOWN));
        }
        let text = self.text(name).to_owned();
        let of = of.map(|of| self.text(of).to_owned());
        if let Some(value) = super::library::constant(&text, of.as_deref()) {
            return Ok(value);
        }
        self.line = line;
        Ok(Value::unknown(self.reason(format!("`{text}` is not known"))))
    }

    /// Whether a name has a value or a function.
    pub(super) fn is_declared(&self, name: Name, of: Option<Name>) -> bool {
        self.binding(name).is_some()
            || self.variable(name).is_some()
            || self.constants.contains_key(&name)
            || self.functions.contains_key(&name)
            || super::library::constant(self.text(name), of.map(|of| self.text(of))).is_some()
    }

    /// Substitutes the template parameters of this frame in template arguments.
    pub(super) fn substituted_args(&mut self, args: &[TemplateArg]) -> Runs<Vec<TemplateArg>> {
        let mut out = Vec::new();
        for arg in args {
            out.push(match self.bind(arg)? {
                Binding::Type(_) | Binding::Value(Value { ty: Ty::Opaque, .. }) => arg.clone(),
                Binding::Value(value) if Self::is_integer(value.ty) && value.is_known() => {
                    let kind = if value.ty == Ty::Bool {
                        ExprKind::Bool(value.bits != 0)
                    } else {
                        ExprKind::Int {
                            value: value.bits,
                            unsigned: value.ty == Ty::U32 || value.ty == Ty::U64,
                            long: matches!(value.ty, Ty::I64 | Ty::U64),
                        }
                    };
                    TemplateArg::Value(Expr {
                        kind,
                        line: self.line,
                    })
                }
                Binding::Value(_) | Binding::Text(_) => arg.clone(),
            });
        }
        Ok(out)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Runs<Value> {
        use UnaryOp::{
            Address, Complement, Deref, Minus, Not, Plus, PostDecrement, PostIncrement, PreDecrement,
            PreIncrement,
        };
        Ok(match op {
            Address => match self.place(operand)? {
                Some(at) => {
                    let ty = self.pointer_to(at.ty);
                    Value::new(ty, at.address, at.state)
                }
                None => self.eval(operand)?,
            },
            Deref => {
                let pointer = self.eval(operand)?;
                if pointer.ty == Ty::Function {
                    return Ok(pointer);
                }
                match self.target(&pointer) {
                    Some(at) => self.load(at),
                    None => Value::unknown(self.not_evaluated("an expression")),
                }
            }
            PreIncrement | PreDecrement | PostIncrement | PostDecrement => {
                let Some(at) = self.place(operand)? else {
                    return Ok(Value::unknown(self.not_evaluated("an expression")));
                };
                let old = self.load(at);
                let back = matches!(op, PreDecrement | PostDecrement);
                let new = match old.ty {
                    Ty::Pointer(_) => self.offset(&old, &Value::int(1), back),
                    _ => self.arithmetic(
                        if back { BinaryOp::Sub } else { BinaryOp::Add },
                        &old,
                        &Value::int(1),
                    ),
                };
                let new = self.convert(new, at.ty);
                self.store(at, new.clone());
                if matches!(op, PreIncrement | PreDecrement) {
                    new
                } else {
                    old
                }
            }
            Not => {
                let value = self.eval(operand)?;
                if value.is_known() {
                    let holds = self.holds(&value);
                    Value::new(Ty::Bool, u64::from(!holds), value.state)
                } else {
                    Value::new(Ty::Bool, 0, self.unknown_state(value.state))
                }
            }
            Plus => self.eval(operand)?,
            Minus => {
                let value = self.eval(operand)?;
                match value.ty {
                    ty if Self::is_float(ty) => {
                        if !is_known(value.state) {
                            return Ok(value);
                        }
                        let negated = -self.float_of(&value);
                        Value::new(ty, Self::from_float(ty, negated), value.state)
                    }
                    _ => self.arithmetic(BinaryOp::Sub, &Value::int(0), &value),
                }
            }
            Complement => {
                let value = self.eval(operand)?;
                self.arithmetic(BinaryOp::Xor, &value, &Value::int(-1))
            }
        })
    }

    pub(super) fn unknown_state(&mut self, state: State) -> State {
        if is_known(state) {
            self.not_evaluated("an expression")
        } else {
            state
        }
    }

    pub(super) fn binary_expr(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Runs<Value> {
        use BinaryOp::{Comma, LogicalAnd, LogicalOr, Shl, Shr};
        if op == Comma {
            self.eval(left)?;
            return self.eval(right);
        }
        let a = self.eval(left)?;
        if matches!(op, LogicalAnd | LogicalOr) {
            let is_or = op == LogicalOr;
            if a.is_known() && self.holds(&a) == is_or {
                return Ok(Value::new(Ty::Bool, u64::from(is_or), a.state));
            }
            let since = self.step + 1;
            self.step += 2;
            let b = self.eval(right)?;
            if !a.is_known() {
                let state = self.unknown_state(a.state);
                self.memory.forget_since(since, state, self.step);
                // The result is known if the second operand decides it.
                if b.is_known() && self.holds(&b) == is_or && b.state == KNOWN {
                    return Ok(Value::new(Ty::Bool, u64::from(is_or), KNOWN));
                }
                return Ok(Value::new(Ty::Bool, 0, state));
            }
            if !b.is_known() {
                return Ok(Value::new(Ty::Bool, 0, self.unknown_state(b.state)));
            }
            let holds = self.holds(&b);
            return Ok(Value::new(Ty::Bool, u64::from(holds), a.state.max(b.state)));
        }
        if a.ty == Ty::Opaque && matches!(op, Shl | Shr) {
            // A stream: the target of `>>` becomes unknown.
            if op == Shr
                && let Some(at) = self.place(right)?
            {
                let state = self.not_evaluated("input");
                let size = self.size_of(at.ty);
                self.step += 1;
                self.memory.forget_range(at.address, size, state, self.step);
            } else {
                self.eval(right)?;
            }
            return Ok(a);
        }
        let b = self.eval(right)?;
        Ok(self.arithmetic(op, &a, &b))
    }

    pub(super) fn assign(&mut self, op: Option<BinaryOp>, left: &Expr, right: &Expr) -> Runs<Value> {
        if let (None, ExprKind::List(items)) = (op, &right.kind) {
            if let Some(at) = self.place(left)? {
                self.initialize_list(at, items)?;
            }
            return Ok(Value::void());
        }
        let value = self.eval(right)?;
        let Some(at) = self.place(left)? else {
            // The left operand is unsupported, so its effects are unknown.
            let value_of_left = self.eval(left)?;
            let state = self.unknown_state(value_of_left.state);
            self.forget_value(&value_of_left, state);
            return Ok(Value::unknown(state));
        };
        let value = match op {
            None => self.copied(value),
            Some(op) => {
                let old = self.load(at);
                self.arithmetic(op, &old, &value)
            }
        };
        let value = if at.ty == Ty::Opaque {
            value
        } else {
            self.convert(value, at.ty)
        };
        self.store(at, value.clone());
        if let ExprKind::Name { name, .. } = left.kind {
            self.name_allocation(at, name);
        }
        Ok(value)
    }
}
