//! Launches: the recorded data, and the effects on memory.

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;
use super::{HostArg, HostLaunch, HostSymbol, HostValue, Number};
use engine::streams::CallKind;

impl Machine {
    /// The types of a kernel's parameters.
    pub(super) fn kernel_parameter_types(&mut self, kernel: &Value) -> Runs<Vec<Ty>> {
        let Some(Callee::Named(name, ..)) = self
            .callees
            .get(kernel.bits as usize)
            .filter(|_| kernel.ty == Ty::Function)
            .cloned()
        else {
            return Ok(Vec::new());
        };
        let found = self
            .functions
            .get(&name)
            .and_then(|list| list.iter().find(|function| function.is_kernel).cloned());
        let Some(function) = found else {
            return Ok(Vec::new());
        };
        function
            .params
            .iter()
            .map(|param| self.resolve(&param.ty))
            .collect()
    }

    /// The name of a kernel that is passed to a function of the runtime, with its template arguments.
    pub(super) fn kernel_name(&mut self, kernel: &Value) -> Option<String> {
        let callee = self.callees.get(kernel.bits as usize);
        let callee = callee
            .filter(|_| kernel.ty == Ty::Function && kernel.is_known())
            .cloned();
        let Some(Callee::Named(name, template_args, _)) = callee else {
            return None;
        };
        let text = self.text(name).to_owned();
        let list = self.functions.get(&name)?;
        let function = list.iter().find(|function| function.is_kernel).cloned()?;
        if function.templates.is_empty() {
            return Some(text);
        }
        let bindings = self.deduce(&function, &template_args, &[]).ok()?;
        let texts: Vec<String> = bindings
            .iter()
            .map(|(_, binding)| self.binding_text(binding))
            .collect();
        Some(format!("{text}<{}>", texts.join(", ")))
    }

    pub(super) fn dims(&mut self, value: Option<&Value>) -> Result<[u32; 3], String> {
        let Some(value) = value else {
            return Err("the launch does not pass it".to_owned());
        };
        let value = match value.ty {
            // A negative number becomes a large one, as in C++.
            ty if Self::is_integer(ty) && is_known(value.state) => return Ok([value.bits as u32, 1, 1]),
            Ty::Struct(_) if value.parts.is_some() => value,
            // A floating-point number, such as a result of `ceil`.
            ty if Self::is_float(ty) && is_known(value.state) => {
                return Ok([self.float_of(value) as u32, 1, 1]);
            }
            _ => {
                return Err(self.why(if is_known(value.state) {
                    REASONS
                } else {
                    value.state
                }));
            }
        };
        let Some(parts) = value.parts.as_ref().filter(|parts| parts.0.len() == 12) else {
            return Err("its type is unknown".to_owned());
        };
        if let Some(state) = parts.1.iter().find(|state| !is_known(**state)) {
            return Err(self.why(*state));
        }
        let word =
            |idx: usize| u32::from_le_bytes(parts.0[idx * 4..idx * 4 + 4].try_into().unwrap_or_default());
        Ok([word(0), word(1), word(2)])
    }

    /// Launches a kernel. Returns the result of the call: 0, or the error of a launch that fails.
    pub(super) fn launch(
        &mut self,
        kernel: &Value,
        config: &[Value],
        args: Vec<Value>,
        is_cooperative: bool,
    ) -> Runs<Value> {
        let callee = if kernel.ty == Ty::Function && kernel.is_known() {
            self.callees.get(kernel.bits as usize).cloned()
        } else {
            None
        };
        let Some(Callee::Named(name, template_args, of)) = callee else {
            self.launch_of_unknown(&args);
            return Ok(Value::int(0));
        };
        let mut list = self.functions.get(&name).cloned().unwrap_or_default();
        list.retain(|function| function.is_kernel && args.len() <= function.params.len());
        if list.iter().any(|function| function.space != list[0].space) {
            // The qualifier before `::` selects the kernel; without one it is the kernel outside namespaces.
            let of = of.map_or("", |of| self.text(of)).to_owned();
            list.retain(|function| function.space.rsplit("::").next() == Some(&of));
            if list.iter().any(|function| function.space != list[0].space) || list.is_empty() {
                self.launch_of_unknown(&args);
                return Ok(Value::int(0));
            }
        }
        let function = (list.iter()).max_by_key(|function| !function.writes.is_empty());
        let Some(function) = function.cloned() else {
            return Ok(Value::int(0));
        };
        let passed: Vec<Passed> = args.iter().map(|arg| (arg.clone(), None)).collect();
        let bindings = self.deduce(&function, &template_args, &passed)?;
        let text = match &*function.space {
            "" => self.text(name).to_owned(),
            space => format!("{space}::{}", self.text(name)),
        };
        let instance = if function.templates.is_empty() {
            text.clone()
        } else {
            let texts: Vec<String> = bindings
                .iter()
                .map(|(_, binding)| self.binding_text(binding))
                .collect();
            format!("{text}<{}>", texts.join(", "))
        };
        let line = self.line;
        self.step += 1;
        // The kernel of a launch that fails does not run, and memory stays as it is.
        if let Some(failure) = self.launch_error(&instance, config, is_cooperative) {
            if self.muted == 0 && self.is_kept(line) {
                let mut launch = self.read_launch(&instance, &function, config, &args, bindings)?;
                launch.error = Some(failure.clone());
                self.record_launch(launch);
            } else if self.muted == 0 {
                self.count_launch(line);
            }
            return Ok(self.fail_launch(failure));
        }
        if self.muted == 0 {
            let idx = match self.known_launch(&instance, config, &args) {
                Ok(idx) => idx,
                Err(signature) => {
                    let launch = self.read_launch(&instance, &function, config, &args, bindings.clone())?;
                    self.add_distinct(signature, launch)
                }
            };
            let stream = self.stream_of(config.get(3));
            self.record_call(stream, CallKind::Launch(idx));
        }
        let mut why = "which is not run".to_owned();
        if self.muted == 0 && (self.kernel_steps > 0 || self.is_kept(line)) {
            let launch = self.read_launch(&instance, &function, config, &args, bindings)?;
            let ran = self.run_kernel(&launch);
            self.line = line;
            self.record_launch(launch);
            match ran {
                Ok(()) => return Ok(Value::int(0)),
                Err(reason) => why = reason,
            }
        } else if self.muted == 0 {
            self.count_launch(line);
        }
        // The memory that the kernel can write holds its results.
        let state = self.reason_of(
            format!("it is a result of the launch at line {line}, {why}"),
            true,
        );
        for (idx, arg) in args.iter().enumerate() {
            let writes = function.writes.get(idx).copied().unwrap_or(true);
            if let (Ty::Pointer(_), true) = (arg.ty, writes) {
                self.forget_at(arg.bits, state, self.step);
            }
        }
        let behind = self.behind(&args);
        for contents in self.reached(behind) {
            let address = Memory::base(contents.allocation as usize);
            self.memory.forget(address, state, self.step);
        }
        for idx in 0..self.symbols.len() {
            let (_, at, is_constant) = self.symbols[idx];
            if !is_constant {
                self.forget_at(at.address, state, self.step);
            }
        }
        Ok(Value::int(0))
    }

    /// Makes unknown the memory that a launch of an unknown kernel could write.
    fn launch_of_unknown(&mut self, args: &[Value]) {
        let state = self.not_evaluated("the kernel");
        for arg in args {
            self.forget_value(arg, state);
        }
        self.note("The kernel of this launch is unknown.".to_owned());
    }

    /// Whether the next launch of a line is kept.
    fn is_kept(&self, line: u32) -> bool {
        let of_line = self.launches_of_line.get(&line).copied().unwrap_or(0);
        of_line < KEPT_OF_LINE && self.reading.launches.len() < KEPT
    }

    /// Keeps a launch, if it is one of the first of its line.
    fn record_launch(&mut self, launch: HostLaunch) {
        if self.is_kept(launch.line) {
            self.reading.num_launches += 1;
            *self.launches_of_line.entry(launch.line).or_default() += 1;
            self.reading.launches.push(launch);
        } else {
            self.count_launch(launch.line);
        }
    }

    /// Counts a launch that is not kept.
    fn count_launch(&mut self, line: u32) {
        self.reading.num_launches += 1;
        let of_line = self.launches_of_line.entry(line).or_default();
        *of_line += 1;
        if *of_line > KEPT_OF_LINE {
            let mut kept = self.reading.launches.iter_mut().rev();
            if let Some(kept) = kept.find(|kept| kept.line == line) {
                kept.num_more += 1;
            }
        }
    }

    /// A launch with all known values.
    fn read_launch(
        &mut self,
        instance: &str,
        function: &Function,
        config: &[Value],
        args: &[Value],
        bindings: Vec<(Name, Binding)>,
    ) -> Runs<HostLaunch> {
        let grid = self.dims(config.first());
        let block = self.dims(config.get(1));
        let shared = match config.get(2) {
            None => Ok(0),
            Some(value) if value.is_known() => Ok(value.bits as u32),
            Some(value) => Err(self.why(value.state)),
        };
        let (mut given, mut roots) = (Vec::new(), Vec::new());
        self.frames.push(Frame {
            bindings,
            ..Frame::default()
        });
        for (idx, arg) in args.iter().enumerate() {
            let ty = self.resolve(&function.params[idx].ty);
            let ty = match ty {
                Ok(ty) => ty,
                Err(stop) => {
                    self.frames.pop();
                    return Err(stop);
                }
            };
            let is_pointer = matches!(ty, Ty::Pointer(_));
            let is_address = is_pointer && !Self::is_integer(arg.ty);
            let arg = if is_address || ty == Ty::Opaque {
                arg.clone()
            } else {
                self.convert(arg.clone(), ty)
            };
            let value = self.host_value(&arg);
            match (&value, ty) {
                (HostValue::Buffer(_), Ty::Pointer(to)) => roots.push((arg.bits, self.pointee(to))),
                (HostValue::Struct(..), _) => roots.extend(self.behind(std::slice::from_ref(&arg))),
                _ => {}
            }
            let name = function.params[idx]
                .name
                .map(|name| self.text(name).to_owned())
                .unwrap_or_default();
            given.push(HostArg {
                parameter: name,
                value,
                is_written: function.writes.get(idx).copied().unwrap_or(true),
            });
        }
        self.frames.pop();
        let mut symbols = Vec::new();
        for idx in 0..self.symbols.len() {
            let (name, at, _) = self.symbols[idx];
            let Some((alloc, _)) = self.memory.place(at.address) else {
                continue;
            };
            if self.memory.allocs[alloc].written > 0 {
                if self.holds_pointers(at.ty) {
                    roots.push((at.address, at.ty));
                }
                symbols.push(HostSymbol {
                    name: self.text(name).to_owned(),
                    contents: self.contents(alloc, 0),
                });
            }
        }
        let memory = self.reached(roots);
        let buffers = given.iter_mut().filter_map(|arg| match &mut arg.value {
            HostValue::Buffer(contents) => Some(contents),
            _ => None,
        });
        for contents in buffers.chain(symbols.iter_mut().map(|symbol| &mut symbol.contents)) {
            let found = memory
                .iter()
                .find(|other| other.allocation == contents.allocation);
            if let Some(found) = found {
                (contents.pointers, contents.lost) = (found.pointers.clone(), found.lost.clone());
            }
        }
        // The name of the kernel without its namespace.
        let own = instance.rsplit_once("::").map_or(instance, |(_, name)| name);
        let preferred = self.preferences.iter().find(|(name, _)| name == own);
        Ok(HostLaunch {
            preferred: preferred.map(|(_, preferred)| *preferred),
            kernel: instance.to_owned(),
            line: self.line,
            gpu: self.gpu,
            grid,
            block,
            shared,
            args: given,
            symbols,
            memory,
            condition: self.conditions.first().copied(),
            assumed: self.assumed.clone(),
            num_more: 0,
            error: None,
        })
    }

    pub(super) fn host_value(&mut self, value: &Value) -> HostValue {
        match value.ty {
            Ty::Pointer(_) if is_known(value.state) && value.bits == 0 => HostValue::Null,
            Ty::Pointer(_) if is_known(value.state) => match self.memory.target(value.bits) {
                Some((idx @ 1.., offset)) => match self.invalid(idx, offset) {
                    Some(address) => HostValue::Invalid(address),
                    None => HostValue::Buffer(self.contents(idx, offset)),
                },
                _ => HostValue::Unknown("it points to no allocation".to_owned()),
            },
            ty if Self::is_integer(ty) && is_known(value.state) && !self.textures.is_empty() => self
                .texture_value(value)
                .unwrap_or_else(|| HostValue::Number(Number::Int(value.bits.cast_signed().into()))),
            ty if Self::is_integer(ty) && is_known(value.state) => HostValue::Number(if ty == Ty::U64 {
                Number::Int(value.bits.into())
            } else {
                Number::Int(value.bits.cast_signed().into())
            }),
            ty if Self::is_float(ty) && is_known(value.state) => {
                HostValue::Number(Number::Float(self.float_of(value)))
            }
            ty @ Ty::Struct(_) => match &value.parts {
                Some(parts) if self.holds_pointers(ty) => self.struct_with_pointers(ty, parts),
                Some(parts) => match parts.1.iter().find(|state| **state >= REASONS) {
                    Some(state) => HostValue::Unknown(self.why(*state)),
                    None => HostValue::Bytes(parts.0.clone()),
                },
                None => HostValue::Unknown(self.why(value.state)),
            },
            _ => HostValue::Unknown(self.why(if is_known(value.state) {
                REASONS
            } else {
                value.state
            })),
        }
    }

    pub(super) fn holds_pointers(&self, ty: Ty) -> bool {
        match ty {
            Ty::Pointer(_) | Ty::Vector(_) | Ty::Function => true,
            Ty::Array(elem, _) => self.holds_pointers(self.pointee(elem)),
            Ty::Struct(id) => self.records[id as usize]
                .fields
                .iter()
                .any(|field| self.holds_pointers(field.ty)),
            _ => false,
        }
    }

    pub(super) fn contents(&mut self, idx: usize, offset: i64) -> super::Contents {
        let snapshot = self.memory.snapshot(idx);
        let mut occurs = [false; State::MAX as usize + 1];
        if snapshot.state.is_empty() {
            occurs[usize::from(snapshot.all.1)] = true;
        }
        for state in &snapshot.state {
            occurs[usize::from(*state)] = true;
        }
        let reasons = (REASONS..=State::MAX)
            .filter(|state| occurs[usize::from(*state)])
            .map(|state| (state, self.why(state)))
            .collect();
        let is_it = |(_, at, _): &&(Name, Location, bool)| {
            self.memory
                .target(at.address)
                .is_some_and(|(symbol, _)| symbol == idx)
        };
        let symbol = self.symbols.iter().find(is_it);
        let symbol = symbol.map(|(name, ..)| self.text(*name).to_owned());
        let alloc = &self.memory.allocs[idx];
        super::Contents {
            name: alloc.name.clone(),
            line: alloc.line,
            allocation: idx as u32,
            offset,
            is_read_back: false,
            is_managed: alloc.space == Space::Managed,
            gpu: (alloc.space == Space::Device).then_some(alloc.gpu),
            symbol,
            elem: None,
            pointers: Vec::new(),
            lost: None,
            snapshot,
            reasons,
        }
    }

    /// Records that the host reads an allocation that launches have written.
    pub(super) fn note_read_back(&mut self, address: u64) {
        let Some((idx, _)) = self.memory.place(address) else {
            return;
        };
        self.memory.allocs[idx].is_result = false;
        for launch in &mut self.reading.launches {
            for arg in &mut launch.args {
                if let HostValue::Buffer(contents) = &mut arg.value
                    && contents.allocation == idx as u32
                {
                    contents.is_read_back = true;
                }
            }
        }
    }
}
