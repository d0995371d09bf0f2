//! `std::string`: a vector of bytes. A terminating zero is added when the program accesses the text as a C string.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;

impl Machine {
    /// The type `std::string`.
    pub(in crate::host) fn string_type(&mut self) -> Ty {
        Ty::Vector(self.intern(Ty::I8))
    }

    /// Whether a type is `std::string` (or a vector of the same elements).
    pub(in crate::host) fn is_string(&self, ty: Ty) -> bool {
        matches!(ty, Ty::Vector(elem) if self.pointee(elem) == Ty::I8)
    }

    /// A string of these bytes, with a terminating zero.
    pub(in crate::host) fn new_string(&mut self, text: &[u8]) -> Value {
        let len = text.len() as u64;
        let line = self.line;
        let address = self.memory.alloc(len + 1, Space::Host, String::new(), line);
        let states = vec![KNOWN; text.len()];
        self.memory.write(address, text, &states, self.step);
        self.memory.store(address + len, 1, 0, KNOWN, self.step);
        let ty = self.string_type();
        self.vector_value(ty, address, len)
    }

    /// The bytes of a string, of a C string, or of a character; the state if they are unknown.
    pub(in crate::host) fn string_bytes(&mut self, value: &Value) -> Result<Vec<u8>, State> {
        if !is_known(value.state) {
            return Err(value.state);
        }
        match (value.ty, &value.parts) {
            (Ty::I8, _) => Ok(vec![value.bits as u8]),
            (Ty::Pointer(_), _) => self.text_at(value),
            (Ty::Vector(_), Some(parts)) => {
                if let Some(state) = parts.1.iter().find(|state| **state != KNOWN) {
                    return Err(*state);
                }
                let word = |at: usize| u64::from_le_bytes(parts.0[at..at + 8].try_into().unwrap_or_default());
                let (data, len) = (word(0), word(8));
                if len == 0 {
                    return Ok(Vec::new());
                }
                let Some((bytes, states)) = self.memory.bytes(data, len) else {
                    return Err(REASONS);
                };
                match states.iter().find(|state| !is_known(**state)) {
                    Some(state) => Err(*state),
                    None => Ok(bytes),
                }
            }
            _ => Err(REASONS),
        }
    }

    /// The result of an operator on two operands, if one of them is a string.
    pub(in crate::host) fn string_operation(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
        use BinaryOp::{Add, Eq, Ge, Gt, Le, Lt, Ne};
        let is_operation = matches!(op, Add | Eq | Ne | Lt | Le | Gt | Ge);
        if !is_operation || !(self.is_string(a.ty) || self.is_string(b.ty)) {
            return None;
        }
        let left = self.string_bytes(a).ok()?;
        let right = self.string_bytes(b).ok()?;
        let holds = match op {
            Add => return Some(self.new_string(&[left, right].concat())),
            Eq => left == right,
            Ne => left != right,
            Lt => left < right,
            Le => left <= right,
            Gt => left > right,
            _ => left >= right,
        };
        Some(Value::new(Ty::Bool, u64::from(holds), KNOWN))
    }

    /// A member function that only strings have; `None` for other functions, or if the result is unknown.
    pub(super) fn string_method(&mut self, at: Location, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        let old = self.load(at);
        Ok(match (name, args) {
            ("length", []) => Some(Value::new(Ty::U64, self.vector_parts(at).1, KNOWN)),
            ("c_str", []) => {
                let (data, len, _) = self.vector_parts(at);
                let pointer = self.pointer_to(Ty::I8);
                let is_closed = data != 0 && self.memory.load(data + len, 1) == Some((0, KNOWN));
                if is_closed {
                    return Ok(Some(Value::new(pointer, data, KNOWN)));
                }
                // The string moves to an allocation with room for the terminating zero.
                let line = self.line;
                let moved = self.memory.alloc(len + 1, Space::Host, String::new(), line);
                if data != 0 {
                    self.memory.copy(moved, data, len, self.step);
                }
                self.memory.store(moved + len, 1, 0, KNOWN, self.step);
                let value = self.vector_value(at.ty, moved, len);
                self.store(at, value);
                Some(Value::new(pointer, moved, KNOWN))
            }
            ("append", [more]) => {
                let more = self.eval(more)?;
                let value = match self.string_operation(BinaryOp::Add, &old, &more) {
                    Some(value) => value,
                    None => Value::new(at.ty, 0, self.not_evaluated("`append`")),
                };
                self.store(at, value);
                Some(Value::void())
            }
            ("substr", given) if (1..=2).contains(&given.len()) => {
                let values = self.values(given)?;
                let number =
                    |value: &Value| (value.is_known() && Self::is_integer(value.ty)).then_some(value.bits);
                let text = self.string_bytes(&old);
                let (from, num) = (number(&values[0]), values.get(1).map_or(Some(u64::MAX), number));
                Some(match (text, from, num) {
                    (Ok(text), Some(from), Some(num)) if from <= text.len() as u64 => {
                        let rest = &text[from as usize..];
                        let num = rest.len().min(usize::try_from(num).unwrap_or(usize::MAX));
                        let rest = rest[..num].to_vec();
                        self.new_string(&rest)
                    }
                    _ => Value::new(at.ty, 0, self.not_evaluated("`substr`")),
                })
            }
            _ => None,
        })
    }
}
