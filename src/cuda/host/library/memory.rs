//! Allocations and copies.

use super::errors::Range;
use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;
use engine::streams::CallKind;

impl Machine {
    pub(in crate::host) fn allocation(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        let space = match name {
            "malloc" | "calloc" | "aligned_alloc" | "_mm_malloc" | "realloc" => Space::Host,
            "cudaMalloc" | "cudaMallocAsync" | "cudaMallocPitch" => Space::Device,
            "cudaMallocManaged" => Space::Managed,
            "cudaMallocHost" | "cudaHostAlloc" | "posix_memalign" => Space::Host,
            "make_unique" | "make_shared" => return Ok(None),
            _ => return Ok(None),
        };
        let void = self.pointer_to(Ty::Void);
        if matches!(
            name,
            "malloc" | "calloc" | "aligned_alloc" | "_mm_malloc" | "realloc"
        ) {
            let values = self.values(args)?;
            let size = match (name, &values[..]) {
                ("malloc", [size]) | ("aligned_alloc" | "realloc", [_, size]) | ("_mm_malloc", [size, _]) => {
                    size.clone()
                }
                ("calloc", [count, size]) => {
                    let size = self.convert(size.clone(), Ty::U64);
                    self.arithmetic(BinaryOp::Mul, count, &size)
                }
                _ => return Ok(None),
            };
            let size = self.convert(size, Ty::U64);
            if !size.is_known() || size.bits > MAX_ALLOCATION_BYTES {
                return Ok(Some(Value::new(
                    void,
                    0,
                    if is_known(size.state) {
                        self.reason("the allocation is too large".to_owned())
                    } else {
                        size.state
                    },
                )));
            }
            let line = self.line;
            let address = self
                .memory
                .alloc(size.bits.max(1), Space::Host, String::new(), line);
            self.memory.set_pageable(address);
            if name == "calloc" {
                self.memory.fill(address, size.bits, 0, KNOWN, self.step);
            }
            if let ("realloc", [old, _]) = (name, &values[..])
                && let Some((idx, _)) = self.memory.place(old.bits)
            {
                let length = self.memory.allocs[idx].size.min(size.bits);
                self.memory.copy(address, old.bits, length, self.step);
            }
            return Ok(Some(Value::new(void, address, KNOWN)));
        }
        let Some(first) = args.first() else {
            return Ok(None);
        };
        let target = self.eval(first)?;
        // `(void**)&p` denotes the place of `p`, whatever the cast.
        let mut place = self.target(&target);
        if let Some(at) = &mut place {
            at.ty = match at.ty {
                Ty::Pointer(_) => at.ty,
                _ => void,
            };
        }
        let size = if name == "cudaMallocPitch" {
            let [_, pitch, width, height] = args else {
                return Ok(None);
            };
            let pitch = self.eval(pitch)?;
            let (width, height) = (self.eval(width)?, self.eval(height)?);
            let width = self.convert(width, Ty::U64);
            // The pitch is a multiple of 512 bytes, as on every architecture since 3.x (an assumption: CUDA
            // documents only that rows are aligned).
            let padded = Value::new(Ty::U64, width.bits.next_multiple_of(512), width.state);
            if let Some(at) = self.target(&pitch) {
                self.store(Location { ty: Ty::U64, ..at }, padded.clone());
            }
            let height = self.convert(height, Ty::U64);
            self.arithmetic(BinaryOp::Mul, &padded, &height)
        } else {
            let idx = if name == "posix_memalign" { 2 } else { 1 };
            let Some(size) = args.get(idx) else {
                return Ok(None);
            };
            self.eval(size)?
        };
        let size = self.convert(size, Ty::U64);
        if name.starts_with("cuda") {
            let flags = match name {
                "cudaMallocManaged" | "cudaHostAlloc" => args.get(2),
                _ => None,
            };
            if let Some((error, why)) = self.allocation_failure(name, &target, &size, flags)? {
                return Ok(Some(self.fail(error, name, why)));
            }
        }
        let Some(at) = place else {
            return Ok(Some(Value::int(0)));
        };
        if !size.is_known() || size.bits > MAX_ALLOCATION_BYTES {
            let state = if is_known(size.state) {
                self.reason("the allocation is too large".to_owned())
            } else {
                size.state
            };
            self.store(at, Value::new(at.ty, 0, state));
            return Ok(Some(Value::int(0)));
        }
        let text = self.name_of(first);
        let line = self.line;
        let address = self.memory.alloc(size.bits.max(1), space, text, line);
        let alloc = self.memory.allocs.last_mut();
        if let Some(alloc) = alloc {
            alloc.is_pinned = matches!(name, "cudaMallocHost" | "cudaHostAlloc");
            alloc.gpu = self.gpu;
        }
        if name.starts_with("cuda") && name != "cudaMallocAsync" {
            self.record_call(0, CallKind::Allocate);
        }
        self.store(at, Value::new(at.ty, address, KNOWN));
        Ok(Some(Value::int(0)))
    }

    /// The variable whose address an expression takes.
    pub(in crate::host) fn name_of(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Name { name, .. } => self.text(*name).to_owned(),
            ExprKind::Member { name, .. } => self.text(*name).to_owned(),
            ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) | ExprKind::Index(inner, _) => {
                self.name_of(inner)
            }
            _ => String::new(),
        }
    }

    pub(in crate::host) fn copy_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        match name {
            "cudaMemcpy" | "cudaMemcpyAsync" | "memcpy" | "memmove" if args.len() >= 3 => {
                let (to, from) = (self.eval(&args[0])?, self.eval(&args[1])?);
                let size = self.eval(&args[2])?;
                if name.starts_with("cuda")
                    && let Some(kind) = args.get(3)
                {
                    let kind = self.eval(kind)?;
                    if let Some((error, why)) = self.plain_copy_failure(&to, &from, &size, &kind) {
                        return Ok(Some(self.fail(error, name, why)));
                    }
                }
                if name.starts_with("cuda") {
                    let is_async = name == "cudaMemcpyAsync";
                    let stream = args.get(4).filter(|_| is_async);
                    self.record_copy([&to, &from], &size, is_async, stream)?;
                }
                self.copy_bytes(&to, &from, size);
                Ok(Some(if name.starts_with("cuda") {
                    Value::int(0)
                } else {
                    to
                }))
            }
            "cudaMemcpyPeer" | "cudaMemcpyPeerAsync" if args.len() >= 5 => {
                let (to, from) = (self.eval(&args[0])?, self.eval(&args[2])?);
                let size = self.eval(&args[4])?;
                self.record_copy([&to, &from], &size, name == "cudaMemcpyPeerAsync", args.get(5))?;
                self.copy_bytes(&to, &from, size);
                Ok(Some(Value::int(0)))
            }
            "cudaMemcpy2D" | "cudaMemcpy2DAsync" if args.len() >= 6 => {
                let values = self.values(&args[..6])?;
                let [to, to_pitch, from, from_pitch, width, height] = &values[..] else {
                    return Ok(None);
                };
                if let Some(kind) = args.get(6) {
                    let kind = self.eval(kind)?;
                    if let Some((error, why)) = self.copy_2d_failure(&values, &kind) {
                        return Ok(Some(self.fail(error, name, why)));
                    }
                }
                let is_async = name == "cudaMemcpy2DAsync";
                let bytes = self.arithmetic(BinaryOp::Mul, width, height);
                self.record_copy([to, from], &bytes, is_async, args.get(7).filter(|_| is_async))?;
                self.copy_rows([to, to_pitch], [from, from_pitch], width, height);
                Ok(Some(Value::int(0)))
            }
            "cudaMemset" | "cudaMemsetAsync" | "memset" if args.len() >= 3 => {
                let values = self.values(&args[..3])?;
                let (to, byte, size) = (&values[0], &values[1], &values[2]);
                if name != "memset" && size.is_known() {
                    let bytes = size.bits;
                    if let Some((error, why)) = self.set_failure(&Range { pointer: to, bytes }) {
                        return Ok(Some(self.fail(error, name, why)));
                    }
                }
                if name != "memset" {
                    self.record_set(to, size, args.get(3))?;
                }
                self.step += 1;
                if to.is_known() && byte.is_known() && size.is_known() {
                    self.memory
                        .fill(to.bits, size.bits, byte.bits as u8, KNOWN, self.step);
                } else {
                    let state = to.state.max(byte.state).max(size.state);
                    self.forget_at(to.bits, state, self.step);
                }
                Ok(Some(if name == "memset" {
                    to.clone()
                } else {
                    Value::int(0)
                }))
            }
            "cudaMemset2D" | "cudaMemset2DAsync" if args.len() >= 5 => {
                let values = self.values(&args[..5])?;
                Ok(Some(self.set_2d(name, &values)))
            }
            "bzero" if args.len() == 2 => {
                let values = self.values(args)?;
                self.step += 1;
                self.memory
                    .fill(values[0].bits, values[1].bits, 0, values[1].state, self.step);
                Ok(Some(Value::void()))
            }
            "cudaMemcpyToSymbol" | "cudaMemcpyToSymbolAsync" if args.len() >= 3 => {
                let Some(at) = self.symbol(&args[0])? else {
                    return Ok(None);
                };
                let (from, size) = (self.eval(&args[1])?, self.eval(&args[2])?);
                let offset = match args.get(3) {
                    Some(offset) => self.eval(offset)?,
                    None => Value::int(0),
                };
                let to = Value::new(from.ty, at.address.wrapping_add(offset.bits), offset.state);
                if let Some((error, why)) =
                    self.symbol_copy_failure(&to, &from, &size, &offset, args.get(4), true)?
                {
                    return Ok(Some(self.fail(error, name, why)));
                }
                let is_async = name.ends_with("Async");
                self.record_copy([&to, &from], &size, is_async, args.get(5))?;
                self.copy_bytes(&to, &from, size);
                Ok(Some(Value::int(0)))
            }
            "cudaMemcpyFromSymbol" | "cudaMemcpyFromSymbolAsync" if args.len() >= 3 => {
                let to = self.eval(&args[0])?;
                let Some(at) = self.symbol(&args[1])? else {
                    return Ok(None);
                };
                let size = self.eval(&args[2])?;
                let offset = match args.get(3) {
                    Some(offset) => self.eval(offset)?,
                    None => Value::int(0),
                };
                let from = Value::new(to.ty, at.address.wrapping_add(offset.bits), offset.state);
                if let Some((error, why)) =
                    self.symbol_copy_failure(&from, &to, &size, &offset, args.get(4), false)?
                {
                    return Ok(Some(self.fail(error, name, why)));
                }
                let is_async = name.ends_with("Async");
                self.record_copy([&to, &from], &size, is_async, args.get(5))?;
                self.copy_bytes(&to, &from, size);
                Ok(Some(Value::int(0)))
            }
            "cudaGetSymbolAddress" if args.len() == 2 => {
                let pointer = self.eval(&args[0])?;
                let (target, symbol) = (self.target(&pointer), self.symbol(&args[1])?);
                if let (Some(at), Some(symbol)) = (target, symbol) {
                    let void = self.pointer_to(Ty::Void);
                    self.store(
                        Location { ty: void, ..at },
                        Value::new(void, symbol.address, KNOWN),
                    );
                }
                Ok(Some(Value::int(0)))
            }
            "cudaHostGetDevicePointer" if args.len() >= 2 => {
                let (pointer, from) = (self.eval(&args[0])?, self.eval(&args[1])?);
                if let Some(at) = self.target(&pointer) {
                    let void = self.pointer_to(Ty::Void);
                    self.store(Location { ty: void, ..at }, Value { ty: void, ..from });
                }
                Ok(Some(Value::int(0)))
            }
            _ => Ok(None),
        }
    }

    /// Copies rows between two places, each with the bytes from a row to the next.
    pub(in crate::host) fn copy_rows(
        &mut self,
        [to, to_pitch]: [&Value; 2],
        [from, from_pitch]: [&Value; 2],
        width: &Value,
        height: &Value,
    ) {
        let all = [to_pitch, from_pitch, width, height];
        if !all.iter().all(|value| value.is_known()) || height.bits >= 1 << 24 {
            let state = self.reason("the size of a copy is unknown".to_owned());
            self.forget_at(to.bits, state, self.step);
            return;
        }
        for row in 0..height.bits {
            let at = |end: &Value, pitch: &Value| Value {
                bits: end.bits.wrapping_add(row.wrapping_mul(pitch.bits)),
                ..end.clone()
            };
            let (to, from) = (at(to, to_pitch), at(from, from_pitch));
            self.copy_bytes(&to, &from, width.clone());
        }
    }

    pub(in crate::host) fn copy_bytes(&mut self, to: &Value, from: &Value, size: Value) {
        self.step += 1;
        let size = self.convert(size, Ty::U64);
        if let Some((idx, _)) = self.memory.place(from.bits)
            && self.memory.allocs[idx].space != Space::Host
        {
            self.note_read_back(from.bits);
        }
        if !size.is_known() || !is_known(to.state) {
            self.forget_at(to.bits, size.state.max(to.state).max(REASONS), self.step);
        } else if !is_known(from.state) || !matches!(from.ty, Ty::Pointer(_)) {
            let state = if is_known(from.state) {
                self.reason("the source of a copy is unknown".to_owned())
            } else {
                from.state
            };
            self.memory.forget_range(to.bits, size.bits, state, self.step);
        } else if !self.memory.copy(to.bits, from.bits, size.bits, self.step) {
            let line = self.line;
            let state = self.reason(format!("the copy at line {line} exceeds its allocation"));
            self.forget_at(to.bits, state, self.step);
        }
    }
}
