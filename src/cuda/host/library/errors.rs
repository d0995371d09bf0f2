//! Arguments of the CUDA runtime's memory functions that make a call fail. The rules are those of the Runtime API 13.0,
//! Memory Management; where it leaves the behavior undefined, they follow what CUDA 13.0 returns on an H100 and an H200
//! (`tests/facts/runtime_errors.tsv`).

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;
use engine::arch::CudaError;

/// A failure: the error, and the reason as a clause.
pub(in crate::host) type Failure = Option<(CudaError, String)>;

/// The kind of copy that a call names (`cudaMemcpyKind`).
const HOST_TO_HOST: u64 = 0;
const HOST_TO_DEVICE: u64 = 1;
const DEVICE_TO_HOST: u64 = 2;
const DEVICE_TO_DEVICE: u64 = 3;
const DEFAULT: u64 = 4;

/// More memory than any of the simulated GPUs has: the largest, an H200, has 141 GB.
const MORE_THAN_ANY_GPU: u64 = 144 << 30;

/// What a pointer of the host program points to.
enum End {
    Null,
    /// Memory that the GPU cannot address: its allocation is known.
    Pageable,
    /// Memory that the GPU can address, with the bytes from the pointer to its end.
    Mapped(u64),
    Freed,
    Unknown,
}

/// A range that a call reads or writes.
pub(in crate::host) struct Range<'a> {
    pub(in crate::host) pointer: &'a Value,
    /// Bytes from the pointer to the last one that the call accesses.
    pub(in crate::host) bytes: u64,
}

impl Machine {
    fn end(&self, pointer: &Value) -> End {
        if is_null_pointer(pointer) {
            return End::Null;
        }
        if !is_known(pointer.state) || !matches!(pointer.ty, Ty::Pointer(_) | Ty::Array(..)) {
            return End::Unknown;
        }
        let Some((idx, offset)) = self.memory.target(pointer.bits) else {
            // A number: the runtime takes an address that it does not know for one of the host.
            return End::Pageable;
        };
        let alloc = &self.memory.allocs[idx];
        let is_of_runtime = alloc.space != Space::Host || alloc.is_pinned;
        if is_of_runtime && alloc.freed.is_some() {
            return End::Freed;
        }
        if is_of_runtime {
            // Nothing follows a pointer before the start.
            let offset = u64::try_from(offset).unwrap_or(alloc.size);
            return End::Mapped(alloc.size.saturating_sub(offset));
        }
        // The memory of a `device_vector` is modeled as memory of the host.
        if self.id("device_vector").is_some() && idx > 0 {
            return End::Unknown;
        }
        End::Pageable
    }

    /// Why a copy fails: its kind, an end that the kind takes for memory of the GPU and that is not, or a range that
    /// exceeds an allocation.
    pub(in crate::host) fn copy_failure(&self, to: &Range<'_>, from: &Range<'_>, kind: &Value) -> Failure {
        if !kind.is_known() || (to.bytes == 0 && from.bytes == 0) {
            return None;
        }
        if kind.bits > DEFAULT {
            let why = format!("{} is no kind of copy", kind.bits.cast_signed() as i32);
            return Some((CudaError::InvalidMemcpyDirection, why));
        }
        let names = [
            "cudaMemcpyHostToHost",
            "cudaMemcpyHostToDevice",
            "cudaMemcpyDeviceToHost",
            "cudaMemcpyDeviceToDevice",
            "cudaMemcpyDefault",
        ];
        let name = names[kind.bits as usize];
        let is_of_gpu = |kinds: [u64; 2]| kinds.contains(&kind.bits);
        let ends = [
            (to, "destination", is_of_gpu([HOST_TO_DEVICE, DEVICE_TO_DEVICE])),
            (from, "source", is_of_gpu([DEVICE_TO_HOST, DEVICE_TO_DEVICE])),
        ];
        for (range, what, is_of_gpu) in ends {
            let why = match self.end(range.pointer) {
                End::Pageable if is_of_gpu => {
                    format!("the {what} is memory of the host, and {name} takes it for memory of the GPU")
                }
                End::Null => format!("the {what} is a null pointer"),
                End::Freed => format!("the {what} has been freed"),
                // The host itself copies, and reads or writes beyond the end.
                End::Mapped(room) if range.bytes > room && kind.bits != HOST_TO_HOST => {
                    format!("{} bytes exceed the {room} bytes of the {what}", range.bytes)
                }
                _ => continue,
            };
            return Some((CudaError::InvalidValue, why));
        }
        None
    }

    /// Why `cudaMemcpy` fails.
    pub(in crate::host) fn plain_copy_failure(
        &self,
        to: &Value,
        from: &Value,
        size: &Value,
        kind: &Value,
    ) -> Failure {
        if !size.is_known() {
            return None;
        }
        let bytes = size.bits;
        self.copy_failure(
            &Range { pointer: to, bytes },
            &Range { pointer: from, bytes },
            kind,
        )
    }

    /// Why `cudaMemcpy2D` fails: its values are the destination, its pitch, the source, its pitch, the width, and the height.
    pub(in crate::host) fn copy_2d_failure(&self, values: &[Value], kind: &Value) -> Failure {
        let [to, to_pitch, from, from_pitch, width, height] = values else {
            return None;
        };
        if ![to_pitch, from_pitch, width, height]
            .iter()
            .all(|value| value.is_known())
            || height.bits == 0
        {
            return None;
        }
        for (pitch, what) in [(to_pitch, "destination"), (from_pitch, "source")] {
            if pitch.bits < width.bits {
                let why = format!(
                    "the pitch of the {what}, {} bytes, is less than the {} bytes of a row",
                    pitch.bits, width.bits
                );
                return Some((CudaError::InvalidPitchValue, why));
            }
        }
        let bytes = |pitch: &Value| {
            pitch
                .bits
                .saturating_mul(height.bits - 1)
                .saturating_add(width.bits)
        };
        let to = Range {
            pointer: to,
            bytes: bytes(to_pitch),
        };
        self.copy_failure(
            &to,
            &Range {
                pointer: from,
                bytes: bytes(from_pitch),
            },
            kind,
        )
    }

    /// Why a copy to or from a variable of the GPU fails, with the expression of its kind.
    pub(in crate::host) fn symbol_copy_failure(
        &mut self,
        symbol: &Value,
        other: &Value,
        size: &Value,
        offset: &Value,
        kind: Option<&Expr>,
        is_to_symbol: bool,
    ) -> Runs<Failure> {
        let kind = match kind {
            Some(kind) => Some(self.eval(kind)?),
            None => None,
        };
        if !size.is_known() || !offset.is_known() {
            return Ok(None);
        }
        let bytes = size.bits;
        let (symbol, other) = (
            Range {
                pointer: symbol,
                bytes,
            },
            Range {
                pointer: other,
                bytes,
            },
        );
        Ok(self.symbol_failure(&symbol, &other, offset.bits, kind.as_ref(), is_to_symbol))
    }

    /// `cudaMemset2D`: the values are the pointer, the pitch, the byte, the width, and the height.
    pub(in crate::host) fn set_2d(&mut self, name: &str, values: &[Value]) -> Value {
        let [to, pitch, byte, width, height] = values else {
            return Value::int(0);
        };
        self.step += 1;
        let is_whole = values.iter().all(Value::is_known) && height.bits < 1 << 24;
        if !is_whole {
            let state = self.reason("the size of a set is unknown".to_owned());
            self.forget_at(to.bits, state, self.step);
            return Value::int(0);
        }
        if width.bits == 0 || height.bits == 0 {
            return Value::int(0);
        }
        let failure = if pitch.bits < width.bits {
            let why = format!(
                "the pitch, {} bytes, is less than the {} bytes of a row",
                pitch.bits, width.bits
            );
            Some((CudaError::InvalidValue, why))
        } else {
            let bytes = pitch
                .bits
                .saturating_mul(height.bits - 1)
                .saturating_add(width.bits);
            self.set_failure(&Range { pointer: to, bytes })
        };
        if let Some((error, why)) = failure {
            return self.fail(error, name, why);
        }
        for row in 0..height.bits {
            let at = to.bits + row * pitch.bits;
            self.memory
                .fill(at, width.bits, byte.bits as u8, KNOWN, self.step);
        }
        Value::int(0)
    }

    /// Why a copy to or from a variable of the GPU fails.
    pub(in crate::host) fn symbol_failure(
        &self,
        symbol: &Range<'_>,
        other: &Range<'_>,
        offset: u64,
        kind: Option<&Value>,
        is_to_symbol: bool,
    ) -> Failure {
        let fitting = if is_to_symbol {
            [HOST_TO_DEVICE, DEVICE_TO_DEVICE, DEFAULT]
        } else {
            [DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT]
        };
        let standard = Value::int(fitting[0].cast_signed());
        let kind = kind.unwrap_or(&standard);
        if kind.is_known() && !fitting.contains(&kind.bits) {
            let why = "the kind of the copy does not fit the call".to_owned();
            return Some((CudaError::InvalidMemcpyDirection, why));
        }
        if let Some((idx, at)) = self.memory.place(symbol.pointer.bits)
            && self.is_sized(idx)
        {
            let size = self.memory.allocs[idx].size;
            if at.saturating_add(symbol.bytes) > size {
                let why = format!(
                    "{} bytes from byte {offset} exceed the {size} bytes of the variable",
                    symbol.bytes
                );
                return Some((CudaError::InvalidValue, why));
            }
        }
        if is_to_symbol {
            self.copy_failure(symbol, other, kind)
        } else {
            self.copy_failure(other, symbol, kind)
        }
    }

    /// Whether the size of a variable of the GPU is known.
    fn is_sized(&self, alloc: usize) -> bool {
        let is_own = |at: &Location| self.memory.place(at.address).is_some_and(|(idx, _)| idx == alloc);
        let of = self.symbols.iter().find(|(_, at, _)| is_own(at));
        of.is_some_and(|(_, at, _)| self.has_size(at.ty))
    }

    fn has_size(&self, ty: Ty) -> bool {
        match ty {
            Ty::Opaque | Ty::Void => false,
            Ty::Array(elem, len) => len > 0 && self.has_size(self.pointee(elem)),
            Ty::Struct(id) => !self.records[id as usize].is_opaque,
            _ => true,
        }
    }

    /// Why a call that sets memory of the GPU fails.
    pub(in crate::host) fn set_failure(&self, to: &Range<'_>) -> Failure {
        if to.bytes == 0 {
            return None;
        }
        let why = match self.end(to.pointer) {
            End::Null => "the pointer is null".to_owned(),
            End::Pageable => "the pointer points to memory of the host".to_owned(),
            End::Freed => "the memory has been freed".to_owned(),
            End::Mapped(room) if to.bytes > room => {
                format!("{} bytes exceed the {room} bytes of the memory", to.bytes)
            }
            _ => return None,
        };
        Some((CudaError::InvalidValue, why))
    }

    /// The error of a call whose result has no place.
    pub(super) fn null_target(&mut self, name: &str, pointer: &Value) -> Option<Value> {
        is_null_pointer(pointer).then(|| self.fail(CudaError::InvalidValue, name, NO_PLACE.to_owned()))
    }

    /// Why an allocation fails: its size, its flags, or a null pointer for the result.
    pub(in crate::host) fn allocation_failure(
        &mut self,
        name: &str,
        target: &Value,
        size: &Value,
        flags: Option<&Expr>,
    ) -> Runs<Failure> {
        if is_null_pointer(target) {
            return Ok(Some((CudaError::InvalidValue, NO_PLACE.to_owned())));
        }
        if let Some(flags) = flags {
            let flags = self.eval(flags)?;
            let is_legal = match name {
                // cudaMemAttachGlobal or cudaMemAttachHost.
                "cudaMallocManaged" => matches!(flags.bits, 1 | 2),
                // cudaHostAllocPortable, Mapped, and WriteCombined.
                _ => flags.bits < 8,
            };
            if flags.is_known() && !is_legal {
                let why = format!("{} is no combination of its flags", flags.bits);
                return Ok(Some((CudaError::InvalidValue, why)));
            }
        }
        let is_of_gpu = matches!(name, "cudaMalloc" | "cudaMallocAsync" | "cudaMallocPitch");
        if is_of_gpu && size.is_known() && size.bits >= MORE_THAN_ANY_GPU {
            let why = format!("{} GB are more than a GPU has", size.bits >> 30);
            return Ok(Some((CudaError::MemoryAllocation, why)));
        }
        Ok(None)
    }

    /// Why `cudaFree` or `cudaFreeHost` fails.
    pub(in crate::host) fn free_failure(&self, name: &str, pointer: &Value) -> Failure {
        let frees_host = name == "cudaFreeHost";
        let is_start = |machine: &Self| {
            machine
                .memory
                .place(pointer.bits)
                .is_some_and(|(_, offset)| offset == 0)
        };
        let why = match self.end(pointer) {
            End::Null | End::Unknown => return None,
            End::Freed => "the memory has been freed before",
            End::Pageable => "the pointer points to memory of the host that the runtime has not allocated",
            End::Mapped(_) if !is_start(self) => "the pointer does not point to the start of an allocation",
            End::Mapped(_) => {
                let (idx, _) = self.memory.place(pointer.bits)?;
                let is_of_host = self.memory.allocs[idx].space == Space::Host;
                if is_of_host == frees_host {
                    return None;
                }
                if is_of_host {
                    "the memory is page-locked memory of the host, which cudaFreeHost frees"
                } else {
                    "the memory is not page-locked memory of the host"
                }
            }
        };
        Some((CudaError::InvalidValue, why.to_owned()))
    }

    /// Why `cudaHostRegister` or `cudaHostUnregister` fails.
    pub(in crate::host) fn register_failure(&self, pointer: &Value, size: Option<&Value>) -> Failure {
        let (idx, _) = self.memory.place(pointer.bits)?;
        let is_pinned = self.memory.allocs[idx].is_pinned;
        match size {
            Some(size) if size.is_known() && size.bits == 0 => {
                Some((CudaError::InvalidValue, "the size is 0".to_owned()))
            }
            Some(_) if is_pinned => {
                let why = "the memory is page-locked already".to_owned();
                Some((CudaError::HostMemoryAlreadyRegistered, why))
            }
            None if !is_pinned && pointer.is_known() => {
                let why = "the memory is not page-locked".to_owned();
                Some((CudaError::HostMemoryNotRegistered, why))
            }
            _ => None,
        }
    }

    /// Why `cudaFuncSetAttribute` fails; otherwise the permitted dynamic shared memory is kept.
    pub(in crate::host) fn attribute_failure(
        &mut self,
        kernel: &Value,
        attribute: &Value,
        value: &Value,
    ) -> Failure {
        if !attribute.is_known() || !value.is_known() {
            self.errors.is_limit_unknown = true;
            return None;
        }
        let number = value.bits.cast_signed() as i32;
        let why = match attribute.bits {
            8 => {
                let Some(name) = self.kernel_name(kernel) else {
                    self.errors.is_limit_unknown = true;
                    return None;
                };
                let program = self.program(&name);
                let own = program.map_or(0, |program| program.static_shared_bytes);
                let arch = engine::arch::architecture(self.arch);
                let most = u32::from(arch.occupancy.shared_optin_kib.value) * 1024;
                let most = most.saturating_sub(own);
                match u32::try_from(number) {
                    Ok(bytes) if bytes <= most => {
                        self.errors.dynamic_limits.retain(|(other, _)| *other != name);
                        self.errors.dynamic_limits.push((name, bytes));
                        return None;
                    }
                    _ => format!(
                        "{number} bytes exceed the {most} bytes that the kernel can have on {}",
                        arch.name
                    ),
                }
            }
            // A percentage, or -1 for the driver's choice.
            9 if (-1..=100).contains(&number) => return None,
            9 => format!("{number} is no percentage"),
            // The attributes of clusters.
            10..=15 => return None,
            other => format!("{other} is no attribute"),
        };
        Some((CudaError::InvalidValue, why))
    }

    /// Calls for devices, streams, and events with arguments that make them fail. The arguments are evaluated here only if
    /// the call fails or has no other effect.
    pub(in crate::host) fn handle_failure(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        let num_gpus = u64::from(self.platform.num_gpus);
        Ok(match (name, args) {
            (
                "cudaGetDeviceCount"
                | "cudaGetDevice"
                | "cudaStreamCreate"
                | "cudaEventCreate"
                | "cudaRuntimeGetVersion"
                | "cudaDriverGetVersion"
                | "cudaDeviceGetLimit"
                | "cudaPointerGetAttributes",
                [target, ..],
            ) if is_null(target) => Some(self.fail(CudaError::InvalidValue, name, NO_PLACE.to_owned())),
            ("cudaStreamCreateWithFlags" | "cudaEventCreateWithFlags", [_, flags]) if is_literal(flags) => {
                let flags = self.eval(flags)?;
                // cudaStreamNonBlocking; cudaEventBlockingSync, DisableTiming, and Interprocess.
                let most = if name.starts_with("cudaStream") { 1 } else { 7 };
                (flags.bits > most).then(|| {
                    let why = format!("{} is no combination of its flags", flags.bits);
                    self.fail(CudaError::InvalidValue, name, why)
                })
            }
            (
                "cudaEventRecord" | "cudaEventDestroy" | "cudaEventSynchronize" | "cudaStreamDestroy",
                [handle, ..],
            ) if is_null(handle) => {
                let why = "the handle is null".to_owned();
                Some(self.fail(CudaError::InvalidResourceHandle, name, why))
            }
            ("cudaEventElapsedTime", [time, from, to]) => {
                let pointer = self.eval(time)?;
                let events = [self.eval(from)?, self.eval(to)?];
                let holds_time = |event: &Value| {
                    !event.is_known()
                        // An unknown event has been recorded.
                        || self.errors.recorded.contains(&0)
                        || (self.errors.recorded.contains(&event.bits)
                            && !self.errors.untimed.contains(&event.bits))
                };
                if !events.iter().all(holds_time) && self.conditions.is_empty() {
                    let why = "an event has not been recorded, or records no time".to_owned();
                    return Ok(Some(self.fail(CudaError::InvalidResourceHandle, name, why)));
                }
                if let Some(error) = self.null_target(name, &pointer) {
                    return Ok(Some(error));
                }
                if let Some(at) = self.target(&pointer) {
                    let state = self.reason(format!("it comes from `{name}`"));
                    self.step += 1;
                    let size = self.size_of(at.ty);
                    self.memory.forget_range(at.address, size, state, self.step);
                }
                Some(Value::int(0))
            }
            ("cudaDeviceCanAccessPeer", [_, _, peer]) | ("cudaDeviceEnablePeerAccess", [peer, _])
                if is_literal(peer) =>
            {
                let peer = self.eval(peer)?;
                (peer.bits >= num_gpus).then(|| self.no_gpu(name, &peer))
            }
            ("cudaMemcpyPeer" | "cudaMemcpyPeerAsync", [_, to, _, from, ..])
                if is_literal(to) && is_literal(from) =>
            {
                let gpus = [self.eval(to)?, self.eval(from)?];
                let wrong = gpus.iter().find(|gpu| gpu.bits >= num_gpus);
                wrong.map(|gpu| self.no_gpu(name, gpu))
            }
            ("cudaDeviceDisablePeerAccess", [peer]) if is_literal(peer) => {
                let peer = self.eval(peer)?;
                let is_enabled = self.errors.peers.remove(&(self.gpu, peer.bits));
                (!is_enabled && self.conditions.is_empty()).then(|| {
                    let why = "the access is not enabled".to_owned();
                    self.fail(CudaError::PeerAccessNotEnabled, name, why)
                })
            }
            ("cudaHostUnregister", [pointer]) => {
                let pointer = self.eval(pointer)?;
                let failure = self.register_failure(&pointer, None);
                if failure.is_none()
                    && let Some((idx, _)) = self.memory.place(pointer.bits)
                {
                    self.memory.allocs[idx].is_pinned = false;
                }
                Some(match failure {
                    Some((error, why)) => self.fail(error, name, why),
                    None => Value::int(0),
                })
            }
            _ => None,
        })
    }

    pub(super) fn no_gpu(&mut self, name: &str, gpu: &Value) -> Value {
        let why = format!(
            "GPU {} does not exist; the computer has {}",
            gpu.bits.cast_signed() as i32,
            self.platform.num_gpus
        );
        self.fail(CudaError::InvalidDevice, name, why)
    }
}

/// Whether an expression is a literal, which has no effect.
fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int { .. } => true,
        ExprKind::Unary(UnaryOp::Minus, inner) => is_literal(inner),
        _ => false,
    }
}

/// Why a call with a null pointer for its result fails.
pub(super) const NO_PLACE: &str = "the pointer for the result is null";

pub(super) fn is_null_pointer(pointer: &Value) -> bool {
    pointer.is_known() && pointer.bits == 0
}

/// Whether an expression is a null pointer constant.
fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int { value, .. } => *value == 0,
        ExprKind::Cast(_, inner) => is_null(inner),
        _ => false,
    }
}
