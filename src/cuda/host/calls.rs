//! The calls of the CUDA runtime that reach a GPU, in the order in which the program makes them.

use super::HostLaunch;
use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;
use engine::arch::CudaError;
use engine::streams::{CallKind, CopyEnd, HostCall, HostStream};

/// The GPUs of the computer that runs the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Number of GPUs.
    pub num_gpus: u8,
    /// For each GPU, a bit per GPU whose memory it can access (`cudaDeviceCanAccessPeer`).
    pub peers: Vec<u64>,
}

impl Default for Platform {
    fn default() -> Self {
        Self {
            num_gpus: 1,
            peers: vec![0],
        }
    }
}

/// Maximum number of recorded calls.
pub(super) const MAX_CALLS_KEPT: usize = 4096;
/// Maximum number of launches with different arguments per line; further ones count as the last of them.
const DISTINCT_OF_LINE: usize = 8;

/// What distinguishes launches: the kernel, its configuration, and its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    kernel: String,
    line: u32,
    config: Vec<(u64, State)>,
    numbers: Vec<(u64, State)>,
    /// For each argument, the GPU whose memory it points to, if that is another GPU.
    peers: Vec<Option<u8>>,
}

impl Machine {
    /// Records a call on a stream.
    pub(super) fn record_call(&mut self, stream: u32, kind: CallKind) {
        if self.muted > 0 {
            return;
        }
        if self.reading.calls.len() >= MAX_CALLS_KEPT {
            self.note(format!(
                "The program makes more than {MAX_CALLS_KEPT} calls of the CUDA runtime; later ones are left out."
            ));
            return;
        }
        let gpu = match (stream, self.reading.streams.get(stream as usize)) {
            (1.., Some(stream)) => stream.gpu,
            _ => self.gpu,
        };
        self.reading.calls.push(HostCall {
            line: self.line,
            gpu,
            stream,
            kind,
        });
    }

    /// The stream that an argument names; the default stream if the argument is absent, null, or unknown.
    pub(super) fn stream_of(&mut self, value: Option<&Value>) -> u32 {
        let Some(value) = value else { return 0 };
        if !is_known(value.state) {
            self.note("The stream of this call is unknown; the default stream is assumed.".to_owned());
            return 0;
        }
        let idx = u32::try_from(value.bits).unwrap_or(0);
        if (idx as usize) < self.reading.streams.len() {
            idx
        } else {
            // The handles of the legacy default stream and of the default stream of a thread.
            0
        }
    }

    fn stream_argument(&mut self, arg: Option<&Expr>) -> Runs<u32> {
        let value = match arg {
            Some(arg) => Some(self.eval(arg)?),
            None => None,
        };
        Ok(self.stream_of(value.as_ref()))
    }

    fn create_stream(&mut self, target: &Expr, flags: Option<&Expr>) -> Runs<()> {
        let pointer = self.eval(target)?;
        let is_non_blocking = match flags {
            Some(flags) => self.eval(flags)?.bits & 1 == 1,
            None => false,
        };
        let stream = HostStream {
            name: self.place_text(target)?,
            gpu: self.gpu,
            is_non_blocking,
        };
        let idx = self.reading.streams.len() as u64;
        self.reading.streams.push(stream);
        if let Some(at) = self.target(&pointer) {
            self.step += 1;
            self.store(Location { ty: Ty::U64, ..at }, Value::new(Ty::U64, idx, KNOWN));
        }
        Ok(())
    }

    /// The text of a place whose address is taken, with known indices.
    fn place_text(&mut self, expr: &Expr) -> Runs<String> {
        Ok(match &expr.kind {
            ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) => self.place_text(inner)?,
            ExprKind::Index(array, idx) => {
                let array = self.place_text(array)?;
                let idx = self.eval(idx)?;
                if idx.is_known() {
                    format!("{array}[{}]", idx.bits)
                } else {
                    array
                }
            }
            _ => self.name_of(expr),
        })
    }

    /// The event of a variable; a new one if the variable has none.
    fn event_of(&mut self, arg: &Expr) -> Runs<u32> {
        let value = self.eval(arg)?;
        Ok(if value.is_known() { value.bits as u32 } else { 0 })
    }

    /// The calls for streams, events, and devices.
    pub(super) fn stream_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        match (name, args) {
            ("cudaStreamCreate", [target]) => self.create_stream(target, None)?,
            ("cudaStreamCreateWithFlags" | "cudaStreamCreateWithPriority", [target, flags, ..]) => {
                self.create_stream(target, Some(flags))?;
            }
            ("cudaEventCreate" | "cudaEventCreateWithFlags", [target, flags @ ..]) => {
                let pointer = self.eval(target)?;
                self.num_events += 1;
                let idx = u64::from(self.num_events);
                if let [flags] = flags
                    && self.eval(flags)?.bits & 2 != 0
                {
                    self.errors.untimed.insert(idx);
                }
                if let Some(at) = self.target(&pointer) {
                    self.step += 1;
                    self.store(Location { ty: Ty::U64, ..at }, Value::new(Ty::U64, idx, KNOWN));
                }
            }
            ("cudaEventRecord" | "cudaEventRecordWithFlags", [event, rest @ ..]) => {
                let event = self.event_of(event)?;
                self.errors.recorded.insert(event.into());
                let stream = self.stream_argument(rest.first())?;
                self.record_call(stream, CallKind::Record(event));
            }
            ("cudaStreamWaitEvent", [stream, event, ..]) => {
                let stream = self.stream_argument(Some(stream))?;
                let event = self.event_of(event)?;
                self.record_call(stream, CallKind::StreamWait(event));
            }
            ("cudaStreamSynchronize", [stream]) => {
                let stream = self.stream_argument(Some(stream))?;
                self.record_call(stream, CallKind::WaitStream);
            }
            ("cudaEventSynchronize", [event]) => {
                let event = self.event_of(event)?;
                self.record_call(0, CallKind::WaitEvent(event));
            }
            ("cudaDeviceSynchronize" | "cudaThreadSynchronize", []) => {
                self.record_call(0, CallKind::WaitDevice);
            }
            ("cudaSetDevice", [gpu]) => return self.set_gpu(gpu).map(Some),
            ("cudaDeviceCanAccessPeer", [result, gpu, peer]) => {
                let (result, gpu, peer) = (self.eval(result)?, self.eval(gpu)?, self.eval(peer)?);
                let can =
                    self.platform.peers.get(gpu.bits as usize).copied().unwrap_or(0) >> peer.bits.min(63) & 1;
                if let Some(at) = self.target(&result) {
                    self.step += 1;
                    self.store(at, Value::int(can.cast_signed()));
                }
            }
            ("cudaDeviceEnablePeerAccess", [peer, ..]) => {
                let peer = self.eval(peer)?;
                let can = self.platform.peers[usize::from(self.gpu)] >> peer.bits.min(63) & 1 == 1;
                if !can {
                    self.note(format!(
                        "GPU {} cannot access the memory of GPU {}: `cudaErrorPeerAccessUnsupported`.",
                        self.gpu, peer.bits
                    ));
                    let why = format!("GPU {} cannot access its memory", self.gpu);
                    return Ok(Some(self.fail(CudaError::PeerAccessUnsupported, name, why)));
                }
                let is_new = self.errors.peers.insert((self.gpu, peer.bits));
                if !is_new && self.conditions.is_empty() {
                    let why = "the access is enabled already".to_owned();
                    return Ok(Some(self.fail(CudaError::PeerAccessAlreadyEnabled, name, why)));
                }
                self.record_call(0, CallKind::EnablePeer(peer.bits as u8));
            }
            ("cudaDeviceDisablePeerAccess", [peer]) => {
                let peer = self.eval(peer)?;
                self.record_call(0, CallKind::DisablePeer(peer.bits as u8));
            }
            ("cudaHostRegister", [pointer, size, ..]) => {
                let pointer = self.eval(pointer)?;
                let size = self.eval(size)?;
                if let Some((error, why)) = self.register_failure(&pointer, Some(&size)) {
                    return Ok(Some(self.fail(error, name, why)));
                }
                if let Some((idx, _)) = self.memory.place(pointer.bits) {
                    self.memory.allocs[idx].is_pinned = true;
                }
                self.record_call(0, CallKind::Allocate);
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::int(0)))
    }

    fn set_gpu(&mut self, gpu: &Expr) -> Runs<Value> {
        let gpu = self.eval(gpu)?;
        let num_gpus = self.platform.num_gpus;
        if !gpu.is_known() {
            self.note("The number of the GPU is unknown; the current GPU stays.".to_owned());
        } else if gpu.bits < u64::from(num_gpus) {
            self.gpu = gpu.bits as u8;
        } else {
            self.note(format!(
                "GPU {} does not exist; the computer has {num_gpus}. The current GPU stays.",
                gpu.bits
            ));
            let why = format!("the computer has {num_gpus} GPUs");
            return Ok(self.fail(CudaError::InvalidDevice, "cudaSetDevice", why));
        }
        Ok(Value::int(0))
    }

    /// The GPU whose memory a pointer argument points to, if it is not the current GPU.
    fn peer_of(&self, arg: &Value) -> Option<u8> {
        if !matches!(arg.ty, Ty::Pointer(_)) || !is_known(arg.state) {
            return None;
        }
        let (idx, _) = self.memory.place(arg.bits)?;
        let alloc = &self.memory.allocs[idx];
        (alloc.space == Space::Device && alloc.gpu != self.gpu).then_some(alloc.gpu)
    }

    fn copy_end(&self, pointer: &Value) -> CopyEnd {
        match self.memory.place(pointer.bits) {
            Some((idx, _)) if is_known(pointer.state) => match self.memory.allocs[idx].space {
                Space::Host if self.memory.allocs[idx].is_pinned => CopyEnd::Pinned,
                Space::Host => CopyEnd::Pageable,
                Space::Device | Space::Managed => CopyEnd::Gpu(self.memory.allocs[idx].gpu),
            },
            _ => CopyEnd::Pageable,
        }
    }

    /// Records a copy by the runtime. A copy within the host is none.
    pub(super) fn record_copy(
        &mut self,
        [to, from]: [&Value; 2],
        size: &Value,
        is_async: bool,
        stream: Option<&Expr>,
    ) -> Runs<()> {
        let stream = self.stream_argument(stream)?;
        if !size.is_known() {
            self.note("The size of this copy is unknown, so it is left out.".to_owned());
            return Ok(());
        }
        let (from, to) = (self.copy_end(from), self.copy_end(to));
        let is_device = |end: CopyEnd| matches!(end, CopyEnd::Gpu(_));
        if is_device(from) || is_device(to) {
            let bytes = size.bits;
            self.record_call(
                stream,
                CallKind::Copy {
                    bytes,
                    from,
                    to,
                    is_async,
                },
            );
        }
        Ok(())
    }

    /// Records that the runtime sets device memory.
    pub(super) fn record_set(&mut self, to: &Value, size: &Value, stream: Option<&Expr>) -> Runs<()> {
        let stream = self.stream_argument(stream)?;
        if size.is_known() && matches!(self.copy_end(to), CopyEnd::Gpu(_)) {
            self.record_call(stream, CallKind::Set(size.bits));
        }
        Ok(())
    }

    /// The index of an earlier launch that is like this one; otherwise the signature of a new one.
    pub(super) fn known_launch(
        &self,
        kernel: &str,
        config: &[Value],
        args: &[Value],
    ) -> Result<u32, Signature> {
        let of = |values: &[Value]| {
            let value = |value: &Value| match &value.parts {
                // The three words of a `dim3`.
                Some(parts) => (
                    parts.0.chunks(4).fold(0, |hash: u64, word| {
                        hash.wrapping_mul(0x1_0001)
                            .wrapping_add(u64::from(u32::from_le_bytes(word.try_into().unwrap_or_default())))
                    }),
                    parts.1.iter().copied().max().unwrap_or(KNOWN),
                ),
                None => (value.bits, value.state),
            };
            values.iter().map(value).collect::<Vec<_>>()
        };
        let is_number = |value: &&Value| !matches!(value.ty, Ty::Pointer(_));
        let numbers: Vec<Value> = args.iter().filter(is_number).cloned().collect();
        let signature = Signature {
            kernel: kernel.to_owned(),
            line: self.line,
            // The stream does not count.
            config: of(&config[..config.len().min(3)]),
            numbers: of(&numbers),
            peers: args.iter().map(|arg| self.peer_of(arg)).collect(),
        };
        let like = |known: &Signature| {
            (&known.kernel, &known.config, &known.peers)
                == (&signature.kernel, &signature.config, &signature.peers)
        };
        if let Some(idx) = self
            .signatures
            .iter()
            .position(|known| like(known) && known.numbers == signature.numbers)
        {
            return Ok(idx as u32);
        }
        let of_line = |known: &&Signature| like(known) && known.line == signature.line;
        if self.signatures.iter().filter(of_line).count() >= DISTINCT_OF_LINE
            && let Some(idx) = self.signatures.iter().rposition(|known| of_line(&known))
        {
            return Ok(idx as u32);
        }
        Err(signature)
    }

    /// Records a launch of a new kind.
    pub(super) fn add_distinct(&mut self, signature: Signature, launch: HostLaunch) -> u32 {
        self.signatures.push(signature);
        self.reading.distinct.push(launch);
        self.reading.distinct.len() as u32 - 1
    }
}
