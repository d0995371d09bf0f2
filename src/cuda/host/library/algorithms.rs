//! Algorithms of the C++ library.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;

impl Machine {
    pub(in crate::host) fn algorithm(
        &mut self,
        name: &str,
        template_args: &[TemplateArg],
        args: &[Expr],
    ) -> Runs<Option<Value>> {
        match (name, args) {
            (
                "min" | "max" | "fminf" | "fmaxf" | "fmin" | "fmax" | "MIN" | "MAX" | "imin" | "imax",
                [a, b],
            ) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let is_less = self.arithmetic(BinaryOp::Lt, &a, &b);
                if !is_less.is_known() {
                    return Ok(Some(Value::new(a.ty, 0, is_less.state.max(REASONS))));
                }
                let takes_first =
                    self.holds(&is_less) == matches!(name, "min" | "fminf" | "fmin" | "MIN" | "imin");
                let common = self.arithmetic(BinaryOp::Add, &a, &b).ty;
                let chosen = if takes_first { a } else { b };
                Ok(Some(self.convert(chosen, common)))
            }
            ("swap", [a, b]) => {
                let (Some(x), Some(y)) = (self.place(a)?, self.place(b)?) else {
                    return Ok(None);
                };
                let (left, right) = (self.load(x), self.load(y));
                self.store(x, right);
                self.store(y, left);
                Ok(Some(Value::void()))
            }
            ("move" | "forward" | "raw_pointer_cast" | "ref" | "cref", [value]) => {
                Ok(Some(self.eval(value)?))
            }
            ("make_unique" | "make_shared", _) => {
                let Some(TemplateArg::Type(ty)) = template_args.first() else {
                    return Ok(None);
                };
                let ty = self.resolve(ty)?;
                let (elem, count) = match (ty, args) {
                    (Ty::Array(elem, _), [count]) => (self.pointee(elem), self.eval(count)?),
                    (ty, []) => (ty, Value::int(1)),
                    _ => return Ok(None),
                };
                let pointer = self.pointer_to(elem);
                if !count.is_known() {
                    return Ok(Some(Value::new(pointer, 0, count.state)));
                }
                let size = self.size_of(elem) * count.bits;
                let line = self.line;
                let address = self.memory.alloc(size.max(1), Space::Host, String::new(), line);
                self.memory.fill(address, size, 0, KNOWN, self.step);
                Ok(Some(Value::new(pointer, address, KNOWN)))
            }
            ("fill" | "iota" | "generate" | "for_each" | "sequence", [first, last, value @ ..]) => {
                let (first, last) = (self.eval(first)?, self.eval(last)?);
                let value = match value.first() {
                    Some(value) => self.eval(value)?,
                    None => Value::int(0),
                };
                let Ty::Pointer(to) = first.ty else {
                    return Ok(None);
                };
                let ty = self.pointee(to);
                let width = self.size_of(ty).max(1);
                if !first.is_known() || !last.is_known() || last.bits < first.bits {
                    let state = first.state.max(last.state).max(REASONS);
                    self.forget_at(first.bits, state, self.step);
                    return Ok(Some(Value::void()));
                }
                let len = (last.bits - first.bits) / width;
                match name {
                    "fill" => self.fill_elements(first.bits, ty, len, Some(value)),
                    "iota" | "sequence" => {
                        let mut value = self.convert(value, ty);
                        for idx in 0..len {
                            self.store(Location::known(first.bits + idx * width, ty), value.clone());
                            let next = self.arithmetic(BinaryOp::Add, &value, &Value::int(1));
                            value = self.convert(next, ty);
                        }
                    }
                    "generate" => {
                        for idx in 0..len {
                            let made = match value.ty {
                                Ty::Function => self.call_with_values(&value, Vec::new())?,
                                _ => Some(self.random()).filter(|_| {
                                    value.ty == Ty::Opaque && self.why(value.state).contains("`rand`")
                                }),
                            };
                            let made = if let Some(made) = made {
                                made
                            } else {
                                let state =
                                    self.reason(format!("`generate` at line {} is not evaluated", self.line));
                                Value::new(ty, 0, state)
                            };
                            self.store(Location::known(first.bits + idx * width, ty), made);
                        }
                    }
                    "for_each" if value.ty == Ty::Function && value.is_known() => {
                        for idx in 0..len {
                            let at = Location::known(first.bits + idx * width, ty);
                            let element = self.load(at);
                            self.call_with_passed(&value, vec![(element, Some(at))])?;
                        }
                    }
                    _ => {
                        let state = self.reason(format!("`{name}` at line {} is not evaluated", self.line));
                        self.forget_at(first.bits, state, self.step);
                    }
                }
                Ok(Some(Value::void()))
            }
            ("reverse", [first, last]) => {
                let (first, last) = (self.eval(first)?, self.eval(last)?);
                let Ty::Pointer(to) = first.ty else {
                    return Ok(None);
                };
                let width = self.size_of(self.pointee(to)).max(1) as usize;
                let size = last.bits.wrapping_sub(first.bits);
                let is_known = first.is_known() && last.is_known() && last.bits >= first.bits;
                if let Some((bytes, states)) = self.memory.bytes(first.bits, size).filter(|_| is_known) {
                    let bytes: Vec<u8> = bytes.rchunks_exact(width).flatten().copied().collect();
                    let states: Vec<State> = states.rchunks_exact(width).flatten().copied().collect();
                    self.step += 1;
                    self.memory.write(first.bits, &bytes, &states, self.step);
                } else {
                    let state = self.reason(format!("`{name}` at line {} is not evaluated", self.line));
                    self.forget_at(first.bits, state, self.step);
                }
                Ok(Some(Value::void()))
            }
            ("fill_n", [first, count, value]) => {
                let (first, count, value) = (self.eval(first)?, self.eval(count)?, self.eval(value)?);
                if let (Ty::Pointer(to), true) = (first.ty, first.is_known() && count.is_known()) {
                    let ty = self.pointee(to);
                    self.fill_elements(first.bits, ty, count.bits, Some(value));
                } else {
                    self.forget_at(first.bits, REASONS, self.step);
                }
                Ok(Some(Value::void()))
            }
            ("copy" | "copy_n", [first, last, to]) => {
                let (first, last, to) = (self.eval(first)?, self.eval(last)?, self.eval(to)?);
                let Ty::Pointer(elem) = first.ty else {
                    return Ok(None);
                };
                let size = if name == "copy" {
                    Value::new(
                        Ty::U64,
                        last.bits.wrapping_sub(first.bits),
                        first.state.max(last.state),
                    )
                } else {
                    let width = self.size_of(self.pointee(elem));
                    Value::new(Ty::U64, last.bits * width, last.state)
                };
                self.copy_bytes(&to, &first, size);
                Ok(Some(to))
            }
            (
                "accumulate" | "max_element" | "min_element" | "equal" | "all_of" | "any_of" | "size"
                | "inner_product",
                _,
            ) => {
                for arg in args {
                    self.eval(arg)?;
                }
                let state = self.reason(format!("it comes from `{name}`"));
                Ok(Some(Value::unknown(state)))
            }
            ("data" | "begin" | "cbegin", [object]) => match self.place(object)? {
                Some(at) => Ok(Some(self.library_method(at, name, &[])?)),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }
}
