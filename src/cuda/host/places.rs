//! Places of values: variables, elements, members, and pointer targets.

use std::rc::Rc;

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;

impl Machine {
    pub(super) fn load(&mut self, at: Location) -> Value {
        match at.ty {
            Ty::Array(elem, _) => Value::new(Ty::Pointer(elem), at.address, at.state),
            Ty::Opaque | Ty::Void => {
                let state = if at.state == KNOWN {
                    self.memory
                        .load(at.address, 1)
                        .map_or(REASONS, |(_, state)| state)
                } else {
                    at.state
                };
                Value::unknown(if is_known(state) {
                    self.not_evaluated("a value")
                } else {
                    state
                })
            }
            Ty::Struct(_) | Ty::Vector(_) => {
                let size = self.size_of(at.ty);
                let parts = self.memory.bytes(at.address, size).filter(|_| at.state == KNOWN);
                match parts {
                    Some(parts) => Value {
                        ty: at.ty,
                        bits: 0,
                        state: KNOWN,
                        parts: Some(Rc::new(parts)),
                    },
                    None => Value::new(
                        at.ty,
                        0,
                        if at.state == KNOWN {
                            self.not_evaluated("a value")
                        } else {
                            at.state
                        },
                    ),
                }
            }
            ty => {
                if at.state != KNOWN {
                    return Value::new(ty, 0, at.state);
                }
                match self.memory.load(at.address, self.size_of(ty)) {
                    Some((bits, state)) => {
                        if state >= REASONS && self.is_result(state) || self.memory.is_result(at.address) {
                            self.note_read_back(at.address);
                        }
                        Value::new(ty, Self::wrap(ty, bits), state)
                    }
                    None => Value::new(ty, 0, self.not_evaluated("memory outside every allocation")),
                }
            }
        }
    }

    pub(super) fn store(&mut self, at: Location, value: Value) {
        self.step += 1;
        if at.state != KNOWN {
            if at.address == 0 {
                let line = self.line;
                let what = format!("that the store at line {line} changes no input of a launch");
                self.assume(what, "its address is unknown");
            } else {
                self.forget_at(at.address, at.state, self.step);
            }
            return;
        }
        let value = self.convert(value, at.ty);
        let size = self.size_of(at.ty);
        match at.ty {
            Ty::Opaque | Ty::Void => {
                let state = if is_known(value.state) { KNOWN } else { value.state };
                self.memory.forget_range(at.address, size, state, self.step);
            }
            Ty::Struct(_) | Ty::Vector(_) => match &value.parts {
                Some(parts) => {
                    self.memory.write(at.address, &parts.0, &parts.1, self.step);
                }
                None => self.memory.forget_range(at.address, size, value.state, self.step),
            },
            Ty::Array(..) => {}
            _ => {
                self.memory
                    .store(at.address, size, value.bits, value.state, self.step);
            }
        }
    }

    /// Allocates memory for a variable.
    pub(super) fn allocate_variable(&mut self, name: Name, ty: Ty) -> Location {
        let size = self.size_of(ty);
        let on_stack = if size <= 1 << 12 {
            self.memory.push(size)
        } else {
            None
        };
        let address = on_stack.unwrap_or_else(|| {
            let (name, line) = (self.text(name).to_owned(), self.line);
            self.memory.alloc(size, Space::Host, name, line)
        });
        Location::known(address, ty)
    }

    pub(super) fn temporary(&mut self, value: Value) -> Location {
        let ty = value.ty;
        let size = self.size_of(ty);
        let address = self
            .memory
            .push(size)
            .unwrap_or_else(|| self.memory.alloc(size, Space::Host, "a value".to_owned(), 0));
        let at = Location::known(address, ty);
        self.store(at, value);
        at
    }

    pub(super) fn declare(&mut self, name: Name, at: Location) {
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.push(Variable { name, at });
        }
    }

    pub(super) fn variable(&self, name: Name) -> Option<Location> {
        let mut frame = self.frames.last()?;
        loop {
            if let Some(variable) = frame
                .variables
                .iter()
                .rev()
                .find(|variable| variable.name == name)
            {
                return Some(variable.at);
            }
            if let Some((this, id)) = frame.this
                && let Some(field) = self.records[id as usize]
                    .fields
                    .iter()
                    .find(|field| field.name == name)
            {
                return Some(Location::known(this + field.offset, field.ty));
            }
            match frame.outer {
                Some(outer) => frame = &self.frames[outer],
                None => break,
            }
        }
        self.globals.get(&name).copied()
    }

    /// Makes the target of a pointer unknown: its allocation, or the variable that it points into.
    pub(super) fn forget_at(&mut self, address: u64, state: State, step: u64) {
        if let Some((0, _)) = self.memory.place(address) {
            let variables = self.frames.iter().rev().flat_map(|frame| &frame.variables);
            let found = variables
                .map(|variable| variable.at)
                .find(|at| (at.address..at.address + self.size_of(at.ty)).contains(&address));
            if let Some(at) = found {
                let size = self.size_of(at.ty);
                self.memory.forget_range(at.address, size, state, step);
                return;
            }
        }
        self.memory.forget(address, state, step);
    }

    /// Makes unknown what an expression of an unknown function could modify.
    pub(super) fn forget_value(&mut self, value: &Value, state: State) {
        if matches!(value.ty, Ty::Pointer(_)) && value.bits != 0 {
            self.forget_at(value.bits, state, self.step);
        }
        if let (Ty::Vector(_), Some(parts)) = (value.ty, &value.parts) {
            let data = u64::from_le_bytes(parts.0[..8].try_into().unwrap_or_default());
            self.forget_at(data, state, self.step);
        }
    }

    pub(super) fn forget_names(&mut self, names: &[Name], state: State) {
        self.step += 1;
        for name in names {
            if let Some(at) = self.variable(*name) {
                let value = self.load(at);
                self.forget_value(&value, state);
                let size = self.size_of(at.ty);
                self.memory.forget_range(at.address, size, state, self.step);
            }
        }
    }

    /// Address and length of a vector, and whether they are known.
    pub(super) fn vector_parts(&self, at: Location) -> (u64, u64, State) {
        let word = |offset| self.memory.load(at.address + offset, 8).unwrap_or((0, REASONS));
        let ((data, a), (len, b)) = (word(0), word(8));
        let state = if at.state == KNOWN { a.max(b) } else { at.state };
        (data, len, state)
    }

    /// The place of an expression; `None` if it is not an lvalue.
    pub(super) fn place(&mut self, expr: &Expr) -> Runs<Option<Location>> {
        self.tick()?;
        Ok(match &expr.kind {
            ExprKind::Name { name, args: None, .. } => self.variable(*name),
            ExprKind::Unary(UnaryOp::Deref, operand) => {
                let pointer = self.eval(operand)?;
                self.target(&pointer)
            }
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, operand) => {
                self.eval(expr)?;
                self.place(operand)?
            }
            ExprKind::Assign(_, left, _) => {
                self.eval(expr)?;
                self.place(left)?
            }
            ExprKind::Index(object, index) => {
                let base = match self.place(object)? {
                    Some(at) if matches!(at.ty, Ty::Vector(_)) => {
                        let Ty::Vector(elem) = at.ty else { return Ok(None) };
                        let (data, _, state) = self.vector_parts(at);
                        Value::new(Ty::Pointer(elem), data, state)
                    }
                    Some(at) => self.load(at),
                    None => self.eval(object)?,
                };
                let index = self.eval(index)?;
                let (base, index) = if Self::is_integer(base.ty) {
                    (index, base)
                } else {
                    (base, index)
                };
                let element = self.offset(&base, &index, false);
                self.target(&element)
            }
            ExprKind::Member {
                object,
                name,
                is_arrow,
            } => {
                let at = if *is_arrow {
                    let pointer = self.eval(object)?;
                    self.target(&pointer)
                } else if let Some(at) = self.place(object)? {
                    Some(at)
                } else {
                    let value = self.eval(object)?;
                    if matches!(value.ty, Ty::Struct(_)) {
                        Some(self.temporary(value))
                    } else {
                        None
                    }
                };
                let Some(at) = at else {
                    return Ok(None);
                };
                match at.ty {
                    Ty::Struct(id) => {
                        let field = self.records[id as usize]
                            .fields
                            .iter()
                            .find(|field| field.name == *name);
                        field.map(|field| Location {
                            address: at.address + field.offset,
                            ty: field.ty,
                            state: at.state,
                        })
                    }
                    _ => None,
                }
            }
            ExprKind::Call(callee, args) => match &callee.kind {
                // Elements that a member function returns by reference.
                ExprKind::Member { object, name, .. } => {
                    let Some(at) = self.place(object)? else {
                        return Ok(None);
                    };
                    let text = self.text(*name).to_owned();
                    self.element_of(at, &text, args)?
                }
                _ => None,
            },
            ExprKind::Conditional(condition, then, otherwise) => {
                let value = self.eval(condition)?;
                if !value.is_known() {
                    return Ok(None);
                }
                if self.holds(&value) {
                    self.place(then)?
                } else {
                    self.place(otherwise)?
                }
            }
            ExprKind::Cast(TypeExpr::Reference(_), operand) => self.place(operand)?,
            _ => None,
        })
    }

    /// The element that a member function of a container returns by reference.
    pub(super) fn library_element(
        &mut self,
        at: Location,
        name: &str,
        args: &[Expr],
    ) -> Runs<Option<Location>> {
        self.element_of(at, name, args)
    }

    pub(super) fn element_of(&mut self, at: Location, name: &str, args: &[Expr]) -> Runs<Option<Location>> {
        let (data, elem, len, state) = match at.ty {
            Ty::Vector(elem) => {
                let (data, len, state) = self.vector_parts(at);
                (data, elem, len, state)
            }
            Ty::Array(elem, len) => (at.address, elem, len, at.state),
            _ => return Ok(None),
        };
        let ty = self.pointee(elem);
        let width = self.size_of(ty);
        let index = match (name, args) {
            ("at", [index]) => self.eval(index)?,
            ("front", []) => Value::int(0),
            ("back", []) => Value::int(len as i64 - 1),
            _ => return Ok(None),
        };
        let state = state.max(index.state);
        let address = if is_known(state) {
            data.wrapping_add(index.bits.wrapping_mul(width))
        } else {
            data
        };
        Ok(Some(Location {
            address,
            ty,
            state: if is_known(state) { KNOWN } else { state },
        }))
    }

    /// The pointee type of a pointer.
    pub(super) fn target(&mut self, pointer: &Value) -> Option<Location> {
        let state = if is_known(pointer.state) {
            KNOWN
        } else {
            pointer.state
        };
        match pointer.ty {
            Ty::Pointer(to) => Some(Location {
                address: pointer.bits,
                ty: self.pointee(to),
                state,
            }),
            Ty::Opaque => Some(Location {
                address: 0,
                ty: Ty::Opaque,
                state: if state == KNOWN { REASONS } else { state },
            }),
            _ => None,
        }
    }

    /// A pointer advanced by a number of elements.
    pub(super) fn offset(&mut self, pointer: &Value, count: &Value, back: bool) -> Value {
        let Ty::Pointer(to) = pointer.ty else {
            let state = if is_known(pointer.state) {
                self.not_evaluated("an expression")
            } else {
                pointer.state
            };
            return Value::unknown(state);
        };
        let width = self.size_of(self.pointee(to)) as i64;
        let state = pointer.state.max(count.state);
        if !is_known(state) || !Self::is_integer(count.ty) {
            // Keep the bits as a hint of the allocation.
            return Value::new(
                pointer.ty,
                pointer.bits,
                if is_known(state) {
                    self.not_evaluated("an index")
                } else {
                    state
                },
            );
        }
        let by = count
            .bits
            .cast_signed()
            .wrapping_mul(if back { -width } else { width });
        Value::new(pointer.ty, pointer.bits.wrapping_add(by as u64), KNOWN)
    }

    /// The device variable that an expression names.
    pub(super) fn symbol(&mut self, expr: &Expr) -> Runs<Option<Location>> {
        Ok(match &expr.kind {
            ExprKind::Name { name, .. } => self.globals.get(name).copied(),
            ExprKind::Unary(UnaryOp::Address, inner) | ExprKind::Cast(_, inner) => self.symbol(inner)?,
            ExprKind::Index(..) | ExprKind::Member { .. } => self.place(expr)?,
            ExprKind::Str(text) => {
                let text = String::from_utf8_lossy(&text[..text.len().saturating_sub(1)]).into_owned();
                self.id(&text).and_then(|name| self.globals.get(&name).copied())
            }
            _ => None,
        })
    }
}
