//! Variables and their initializers.

use std::rc::Rc;

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::types::strip;
use super::value::*;

impl Machine {
    pub(super) fn global(&mut self, declarator: &Declarator, declared_space: DeclaredSpace) -> Runs<()> {
        let (ty, init) = self.declared_type(declarator)?;
        let space = if declared_space == DeclaredSpace::Host {
            Space::Host
        } else {
            Space::Device
        };
        let name = self.text(declarator.name).to_owned();
        let size = self.size_of(ty);
        let address = self.memory.alloc(size, space, name, declarator.line);
        let at = Location::known(address, ty);
        self.memory.fill(address, size, 0, KNOWN, 0);
        self.globals.insert(declarator.name, at);
        self.initialize(at, &declarator.init, init, true)?;
        if declared_space != DeclaredSpace::Host {
            let (idx, _) = self.memory.place(address).unwrap_or_default();
            self.memory.allocs[idx].written = 0;
            self.symbols
                .push((declarator.name, at, declared_space == DeclaredSpace::Constant));
        }
        Ok(())
    }

    /// The type of a variable, and the value of its initializer if the initializer determines the type.
    pub(super) fn declared_type(&mut self, declarator: &Declarator) -> Runs<(Ty, Option<Value>)> {
        let mut ty = self.resolve(&declarator.ty)?;
        let is_auto = matches!(strip(&declarator.ty), TypeExpr::Auto);
        let mut init = None;
        if let (true, Init::Value(value)) = (is_auto, &declarator.init) {
            let value = self.eval(value)?;
            ty = value.ty;
            init = Some(value);
        }
        if let (Ty::Array(elem, 0), TypeExpr::Array(_, None)) = (ty, &declarator.ty) {
            let len = match &declarator.init {
                Init::List(items) => items.len() as u64,
                Init::Value(Expr {
                    kind: ExprKind::Str(text),
                    ..
                }) => text.len() as u64,
                _ => 0,
            };
            ty = Ty::Array(elem, len);
        }
        Ok((ty, init))
    }

    pub(super) fn declaration(&mut self, declarator: &Declarator) -> Runs<()> {
        self.line = declarator.line;
        if let TypeExpr::Reference(_) = declarator.ty {
            let Init::Value(init) = &declarator.init else {
                return Ok(());
            };
            let at = if let Some(at) = self.place(init)? {
                at
            } else {
                let value = self.eval(init)?;
                self.temporary(value)
            };
            self.declare(declarator.name, at);
            return Ok(());
        }
        if declarator.is_static {
            let key = (declarator.name, declarator.line);
            if let Some(at) = self.statics.get(&key).copied() {
                self.declare(declarator.name, at);
                return Ok(());
            }
        }
        // A constructor with a single argument, such as the length of a vector.
        let (ty, init) = self.declared_type(declarator)?;
        let at = if declarator.is_static {
            let size = self.size_of(ty);
            let name = self.text(declarator.name).to_owned();
            let address = self.memory.alloc(size, Space::Host, name, declarator.line);
            self.memory.fill(address, size, 0, KNOWN, self.step);
            let at = Location::known(address, ty);
            self.statics.insert((declarator.name, declarator.line), at);
            at
        } else {
            self.allocate_variable(declarator.name, ty)
        };
        self.initialize(at, &declarator.init, init, declarator.is_static)?;
        // Allocations are named after the variables that hold them.
        self.name_allocation(at, declarator.name);
        self.declare(declarator.name, at);
        Ok(())
    }

    pub(super) fn name_allocation(&mut self, at: Location, name: Name) {
        if matches!(at.ty, Ty::Pointer(_) | Ty::Vector(_))
            && let Some((address, KNOWN)) = self.memory.load(at.address, 8)
            && let Some((idx @ 1.., _)) = self.memory.place(address)
            && self.memory.allocs[idx].name.is_empty()
        {
            let name = &self.tree.names[name as usize];
            self.memory.allocs[idx].name.clone_from(name);
        }
    }

    pub(super) fn initialize(
        &mut self,
        at: Location,
        init: &Init,
        known: Option<Value>,
        is_zeroed: bool,
    ) -> Runs<()> {
        match init {
            Init::None => match at.ty {
                Ty::Vector(_) => {
                    let size = self.size_of(at.ty);
                    self.memory.fill(at.address, size, 0, KNOWN, self.step);
                }
                Ty::Struct(_) | Ty::Engine(_) | Ty::Distribution(..) => {
                    self.construct(at, &[], is_zeroed)?;
                }
                _ => {}
            },
            Init::Value(expr) => {
                if let (Ty::Array(elem, len), ExprKind::Str(text)) = (at.ty, &expr.kind)
                    && self.size_of(self.pointee(elem)) == 1
                {
                    let mut bytes = text.clone();
                    bytes.resize(len as usize, 0);
                    let states = vec![KNOWN; bytes.len()];
                    self.memory.write(at.address, &bytes, &states, self.step);
                    return Ok(());
                }
                let value = match known {
                    Some(value) => value,
                    None => self.eval(expr)?,
                };
                let is_record = matches!(
                    at.ty,
                    Ty::Struct(_) | Ty::Vector(_) | Ty::Engine(_) | Ty::Distribution(..)
                );
                if is_record && value.ty != at.ty && is_known(value.state) && value.parts.is_none() {
                    return self.construct_from(at, vec![value]);
                }
                let value = self.copied(value);
                self.store(at, value);
            }
            Init::Args(args) => self.construct(at, args, is_zeroed)?,
            Init::List(items) => self.initialize_list(at, items)?,
        }
        Ok(())
    }

    /// A copied vector has its own elements.
    pub(super) fn copied(&mut self, value: Value) -> Value {
        if matches!(value.ty, Ty::Engine(_) | Ty::Distribution(..)) {
            return self.copied_engine(&value);
        }
        if let (Ty::Vector(elem), Some(parts)) = (value.ty, &value.parts) {
            let word = |at: usize| u64::from_le_bytes(parts.0[at..at + 8].try_into().unwrap_or_default());
            let (data, len) = (word(0), word(8));
            if parts.1.iter().any(|state| *state != KNOWN) || data == 0 {
                return value;
            }
            let size = len * self.size_of(self.pointee(elem));
            let address = self
                .memory
                .alloc(size.max(1), Space::Host, String::new(), self.line);
            self.memory.copy(address, data, size, self.step);
            return self.vector_value(value.ty, address, len);
        }
        value
    }

    pub(super) fn vector_value(&self, ty: Ty, data: u64, len: u64) -> Value {
        let mut bytes = data.to_le_bytes().to_vec();
        bytes.extend(len.to_le_bytes());
        bytes.extend(len.to_le_bytes());
        let states = vec![KNOWN; 24];
        Value {
            ty,
            bits: 0,
            state: KNOWN,
            parts: Some(Rc::new((bytes, states))),
        }
    }

    pub(super) fn initialize_list(&mut self, at: Location, items: &[Expr]) -> Runs<()> {
        match at.ty {
            Ty::Array(elem, len) => {
                let ty = self.pointee(elem);
                let width = self.size_of(ty);
                self.memory.fill(at.address, width * len, 0, KNOWN, self.step);
                // `std::array` can have nested braces.
                if let [
                    Expr {
                        kind: ExprKind::List(inner),
                        ..
                    },
                ] = items
                    && !matches!(ty, Ty::Array(..) | Ty::Struct(_))
                {
                    return self.initialize_list(at, inner);
                }
                let is_flat = matches!(ty, Ty::Array(..))
                    && items
                        .iter()
                        .all(|item| !matches!(item.kind, ExprKind::List(_) | ExprKind::Str(_)));
                if is_flat && let Ty::Array(inner, per) = ty {
                    let inner = self.pointee(inner);
                    if matches!(inner, Ty::Array(..)) || per == 0 {
                        return Ok(());
                    }
                    let width = self.size_of(inner);
                    for (idx, item) in items.iter().enumerate() {
                        let value = self.eval(item)?;
                        self.store(Location::known(at.address + idx as u64 * width, inner), value);
                    }
                    return Ok(());
                }
                for (idx, item) in items.iter().enumerate().take(len as usize) {
                    let place = Location::known(at.address + idx as u64 * width, ty);
                    self.initialize_item(place, item)?;
                }
            }
            Ty::Struct(id) => {
                let has_constructor = self.has_constructor(id);
                if has_constructor || self.records[id as usize].name == "dim3" {
                    return self.construct(at, items, true);
                }
                let size = self.size_of(at.ty);
                self.memory.fill(at.address, size, 0, KNOWN, self.step);
                self.default_members(at, id)?;
                let fields = self.members(id);
                for (item, (ty, offset)) in items.iter().zip(fields) {
                    self.initialize_item(Location::known(at.address + offset, ty), item)?;
                }
            }
            Ty::Vector(elem) => {
                let ty = self.pointee(elem);
                let width = self.size_of(ty);
                let len = items.len() as u64;
                let data = self
                    .memory
                    .alloc((width * len).max(1), Space::Host, String::new(), self.line);
                for (idx, item) in items.iter().enumerate() {
                    self.initialize_item(Location::known(data + idx as u64 * width, ty), item)?;
                }
                let value = self.vector_value(at.ty, data, len);
                self.store(at, value);
            }
            Ty::Engine(_) | Ty::Distribution(..) => return self.construct(at, items, true),
            _ => match items {
                [] => self.store(at, Value::int(0)),
                [item, ..] => {
                    let value = self.eval(item)?;
                    self.store(at, value);
                }
            },
        }
        Ok(())
    }

    pub(super) fn initialize_item(&mut self, at: Location, item: &Expr) -> Runs<()> {
        if let ExprKind::List(inner) = &item.kind {
            self.initialize_list(at, inner)
        } else {
            let value = self.eval(item)?;
            self.store(at, value);
            Ok(())
        }
    }

    pub(super) fn has_constructor(&self, id: u32) -> bool {
        let record = &self.records[id as usize];
        let name = record.name.split(',').next().unwrap_or_default();
        record.methods.iter().any(|method| self.text(method.name) == name)
    }

    pub(super) fn default_members(&mut self, at: Location, id: u32) -> Runs<()> {
        for idx in 0..self.records[id as usize].fields.len() {
            let field = self.records[id as usize].fields[idx].clone();
            let place = Location::known(at.address + field.offset, field.ty);
            match field.init {
                Init::None if !matches!(field.ty, Ty::Struct(_) | Ty::Vector(_)) => {}
                init => self.initialize(place, &init, None, false)?,
            }
        }
        Ok(())
    }

    pub(super) fn construct(&mut self, at: Location, args: &[Expr], is_zeroed: bool) -> Runs<()> {
        if args.is_empty() && is_zeroed {
            let size = self.size_of(at.ty);
            self.memory.fill(at.address, size, 0, KNOWN, self.step);
        }
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(arg)?);
        }
        self.construct_from(at, values)
    }

    pub(super) fn construct_from(&mut self, at: Location, values: Vec<Value>) -> Runs<()> {
        match at.ty {
            Ty::Struct(id) => self.construct_struct(at, id, values),
            Ty::Vector(elem) => {
                let elem = self.pointee(elem);
                let value = self.constructed_vector(at.ty, elem, &values);
                self.store(at, value);
                Ok(())
            }
            Ty::Engine(kind) => {
                let value = match values.first() {
                    Some(value) if value.ty == at.ty => self.copied_engine(&value.clone()),
                    seed => self.new_engine(kind, seed),
                };
                self.store(at, value);
                Ok(())
            }
            Ty::Distribution(kind, elem) => {
                let value = match values.first() {
                    Some(value) if value.ty == at.ty => self.copied_engine(&value.clone()),
                    _ => self.new_distribution(kind, elem, &values),
                };
                self.store(at, value);
                Ok(())
            }
            Ty::Opaque => {
                let state = self.not_evaluated("an object");
                for value in &values {
                    if !matches!(value.ty, Ty::Pointer(_)) {
                        continue;
                    }
                    self.forget_value(&value.clone(), state);
                }
                self.store(at, Value::unknown(state));
                Ok(())
            }
            _ => {
                let value = values.into_iter().next().unwrap_or(Value::int(0));
                self.store(at, value);
                Ok(())
            }
        }
    }

    /// Constructs a struct: a copy of one value, by a constructor, or from the values of its members.
    fn construct_struct(&mut self, at: Location, id: u32, mut values: Vec<Value>) -> Runs<()> {
        if let [value] = &values[..]
            && value.ty == at.ty
        {
            self.store(at, values.remove(0));
            return Ok(());
        }
        if self.records[id as usize].name == "dim3" {
            let value = self.make_dim3(&values);
            self.store(at, value);
            return Ok(());
        }
        self.default_members(at, id)?;
        let record = &self.records[id as usize];
        let name = record.name.split(',').next().unwrap_or_default().to_owned();
        let fits = |method: &&Rc<Function>| {
            let required = method
                .params
                .iter()
                .filter(|param| param.default.is_none())
                .count();
            self.text(method.name) == name && (required..=method.params.len()).contains(&values.len())
        };
        let fitting: Vec<Rc<Function>> = record.methods.iter().filter(fits).cloned().collect();
        match self.best_constructor(id, fitting, &values)? {
            Some(method) => {
                let args = values.into_iter().map(|value| (value, None)).collect();
                self.call_with(&method, &[], args, Some((at.address, id)))?;
            }
            None if values.is_empty() => {}
            None if !self.has_constructor(id) => {
                let fields = self.members(id);
                for (value, (ty, offset)) in values.into_iter().zip(fields) {
                    self.store(Location::known(at.address + offset, ty), value);
                }
            }
            None => {
                let state = self.not_evaluated("a constructor");
                let size = self.size_of(at.ty);
                self.memory.forget_range(at.address, size, state, self.step);
            }
        }
        Ok(())
    }

    /// A vector or string from the arguments of its constructor.
    fn constructed_vector(&mut self, vector: Ty, elem: Ty, values: &[Value]) -> Value {
        if let [first, last, ..] = values
            && matches!((first.ty, last.ty), (Ty::Pointer(_), Ty::Pointer(_)))
            && first.is_known()
            && last.is_known()
            && last.bits >= first.bits
        {
            // Two pointers or iterators.
            let (from, size) = (first.bits, last.bits - first.bits);
            let width = self.size_of(elem).max(1);
            let data = self
                .memory
                .alloc(size.max(1), Space::Host, String::new(), self.line);
            self.memory.copy(data, from, size, self.step);
            return self.vector_value(vector, data, size / width);
        }
        let is_text = self.is_string(vector);
        match values.first() {
            None => self.vector_value(vector, 0, 0),
            Some(text) if is_text && matches!(text.ty, Ty::Pointer(_)) && values.len() == 1 => {
                self.convert(text.clone(), vector)
            }
            Some(value) if matches!(value.ty, Ty::Vector(_)) => {
                let value = value.clone();
                let value = Value { ty: vector, ..value };
                self.copied(value)
            }
            Some(len) if len.is_known() && Self::is_integer(len.ty) && len.bits < 1 << 35 => {
                let len = len.bits;
                let width = self.size_of(elem);
                let data = self
                    .memory
                    .alloc((width * len).max(1), Space::Host, String::new(), self.line);
                let first = values.get(1).cloned();
                self.fill_elements(data, elem, len, first);
                self.vector_value(vector, data, len)
            }
            Some(len) => {
                let state = if is_known(len.state) {
                    self.not_evaluated("a vector")
                } else {
                    len.state
                };
                Value::new(vector, 0, state)
            }
        }
    }

    /// The constructor that takes these values: the first of those with the most parameters whose types match
    /// exactly.
    fn best_constructor(
        &mut self,
        id: u32,
        fitting: Vec<Rc<Function>>,
        values: &[Value],
    ) -> Runs<Option<Rc<Function>>> {
        if fitting.len() < 2 {
            return Ok(fitting.into_iter().next());
        }
        self.frames.push(Frame {
            bindings: self.records[id as usize].bindings.clone(),
            ..Frame::default()
        });
        let mut best: Option<(u32, Rc<Function>)> = None;
        let mut stop = None;
        for method in fitting {
            let mut score = 0;
            for (param, value) in method.params.iter().zip(values) {
                let is_number = |ty| Self::is_integer(ty) || Self::is_float(ty);
                match self.resolve(&param.ty) {
                    Ok(ty) if ty == value.ty => score += 4,
                    Ok(ty) if is_number(ty) && is_number(value.ty) => score += 2,
                    Ok(Ty::Pointer(_)) if matches!(value.ty, Ty::Pointer(_)) => score += 1,
                    Ok(_) => {}
                    Err(other) => stop = Some(other),
                }
            }
            if best.as_ref().is_none_or(|(other, _)| score > *other) {
                best = Some((score, method));
            }
        }
        self.frames.pop();
        match stop {
            Some(stop) => Err(stop),
            None => Ok(best.map(|(_, method)| method)),
        }
    }

    /// Fills elements with a value, or with zeros.
    pub(super) fn fill_elements(&mut self, data: u64, ty: Ty, len: u64, value: Option<Value>) {
        let width = self.size_of(ty);
        self.step += 1;
        match value {
            Some(value) => {
                if matches!(ty, Ty::Opaque) || len == 0 {
                    return;
                }
                self.store(Location::known(data, ty), value);
                let Some((bytes, states)) = self.memory.bytes(data, width) else {
                    return;
                };
                let is_uniform = bytes.iter().all(|byte| *byte == bytes[0])
                    && states.iter().all(|state| *state == states[0]);
                let is_element = matches!(width, 1 | 2 | 4 | 8)
                    && states.iter().all(|state| *state == states[0])
                    && self.memory.place(data).is_some_and(|(_, at)| at % width == 0);
                if is_uniform {
                    self.memory
                        .fill(data, width * len, bytes[0], states[0], self.step);
                } else if is_element {
                    let bits = bytes
                        .iter()
                        .rev()
                        .fold(0, |bits, byte| bits << 8 | u64::from(*byte));
                    self.memory
                        .fill_elements(data, width * len, bits, width, states[0], self.step);
                } else {
                    for idx in 1..len {
                        self.memory.write(data + idx * width, &bytes, &states, self.step);
                    }
                }
            }
            None => self.memory.fill(data, width * len, 0, KNOWN, self.step),
        }
    }
}
