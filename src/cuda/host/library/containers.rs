//! Member functions of the C++ library's classes.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;

impl Machine {
    /// A call of a member function of a library class.
    pub(in crate::host) fn library_method(&mut self, at: Location, name: &str, args: &[Expr]) -> Runs<Value> {
        if let Ty::Array(elem, len) = at.ty {
            let first = Value::new(Ty::Pointer(elem), at.address, at.state);
            return match name {
                "size" => Ok(Value::new(Ty::U64, len, KNOWN)),
                "data" | "begin" | "cbegin" => Ok(first),
                "end" | "cend" => {
                    let width = self.size_of(self.pointee(elem));
                    Ok(Value {
                        bits: at.address + width * len,
                        ..first
                    })
                }
                "fill" if args.len() == 1 => {
                    let value = self.eval(&args[0])?;
                    let ty = self.pointee(elem);
                    self.fill_elements(at.address, ty, len, Some(value));
                    Ok(Value::void())
                }
                _ => self.element_or_unknown(at, name, args),
            };
        }
        if let Ty::Pointer(_) = at.ty {
            // A smart pointer.
            match name {
                "get" | "release" => return Ok(self.load(at)),
                "reset" => {
                    let value = match args.first() {
                        Some(value) => self.eval(value)?,
                        None => Value::int(0),
                    };
                    self.store(at, value);
                    return Ok(Value::void());
                }
                _ => {}
            }
        }
        let Ty::Vector(elem) = at.ty else {
            return self.element_or_unknown(at, name, args);
        };
        let (data, len, state) = self.vector_parts(at);
        let ty = self.pointee(elem);
        let width = self.size_of(ty);
        if state != KNOWN {
            let state = self.reason_or(state);
            self.forget_args(args, state)?;
            return Ok(Value::unknown(state));
        }
        if ty == Ty::I8
            && let Some(value) = self.string_method(at, name, args)?
        {
            return Ok(value);
        }
        let pointer = Ty::Pointer(elem);
        match (name, args) {
            ("size", []) => Ok(Value::new(Ty::U64, len, KNOWN)),
            ("empty", []) => Ok(Value::new(Ty::Bool, u64::from(len == 0), KNOWN)),
            ("data" | "begin" | "cbegin", []) => Ok(Value::new(pointer, data, KNOWN)),
            ("end" | "cend", []) => Ok(Value::new(pointer, data + len * width, KNOWN)),
            ("reserve" | "shrink_to_fit" | "capacity", _) => {
                self.values(args)?;
                Ok(Value::void())
            }
            ("clear", []) => {
                let data = if ty == Ty::I8 { 0 } else { data };
                let value = self.vector_value(at.ty, data, 0);
                self.store(at, value);
                Ok(Value::void())
            }
            ("pop_back", []) => {
                let len = len.saturating_sub(1);
                if ty == Ty::I8 && data != 0 {
                    // Terminate the string.
                    self.memory.store(data + len, 1, 0, KNOWN, self.step);
                }
                let value = self.vector_value(at.ty, data, len);
                self.store(at, value);
                Ok(Value::void())
            }
            ("push_back" | "emplace_back", [value]) => {
                let value = self.eval(value)?;
                // The capacity doubles; the size of the allocation determines it.
                let room = self
                    .memory
                    .place(data)
                    .map_or(0, |(idx, _)| self.memory.allocs[idx].size / width.max(1));
                let mut data = data;
                if len >= room || data == 0 {
                    let room = (len * 2).max(8);
                    let line = self.line;
                    let grown = self.memory.alloc(room * width, Space::Host, String::new(), line);
                    if data != 0 {
                        self.memory.copy(grown, data, len * width, self.step);
                    }
                    data = grown;
                }
                self.store(Location::known(data + len * width, ty), value);
                let ends_within = |(idx, _): (usize, u64)| len + 1 < self.memory.allocs[idx].size;
                if ty == Ty::I8 && self.memory.place(data).is_some_and(ends_within) {
                    // Terminate the string.
                    self.memory.store(data + len + 1, 1, 0, KNOWN, self.step);
                }
                let value = self.vector_value(at.ty, data, len + 1);
                self.store(at, value);
                Ok(Value::void())
            }
            ("resize" | "assign", [count, value @ ..]) => {
                let count = self.eval(count)?;
                let value = match value.first() {
                    Some(value) => Some(self.eval(value)?),
                    None => None,
                };
                if !count.is_known() || !Self::is_integer(count.ty) {
                    let state = self.reason_or(count.state);
                    let size = self.size_of(at.ty);
                    self.memory.forget_range(at.address, size, state, self.step);
                    return Ok(Value::void());
                }
                let count = count.bits;
                let line = self.line;
                let grown = self
                    .memory
                    .alloc((count * width).max(1), Space::Host, String::new(), line);
                let kept = if name == "assign" { 0 } else { len.min(count) };
                self.fill_elements(grown, ty, count, value);
                if kept > 0 {
                    self.memory.copy(grown, data, kept * width, self.step);
                }
                let value = self.vector_value(at.ty, grown, count);
                self.store(at, value);
                Ok(Value::void())
            }
            _ => self.element_or_unknown(at, name, args),
        }
    }

    pub(in crate::host) fn reason_or(&mut self, state: State) -> State {
        if state >= REASONS {
            state
        } else {
            self.reason("a length is unknown".to_owned())
        }
    }

    pub(in crate::host) fn element_or_unknown(
        &mut self,
        at: Location,
        name: &str,
        args: &[Expr],
    ) -> Runs<Value> {
        let line = self.line;
        let state = self.reason(format!("`{name}` at line {line} is not evaluated"));
        if matches!(name, "at" | "front" | "back")
            && let Some(at) = self.library_element(at, name, args)?
        {
            return Ok(self.load(at));
        }
        self.forget_args(args, state)?;
        if !matches!(at.ty, Ty::Opaque | Ty::Pointer(_)) {
            // A member function can modify its object.
            let size = self.size_of(at.ty);
            self.step += 1;
            self.memory.forget_range(at.address, size, state, self.step);
        }
        Ok(Value::unknown(state))
    }
}
