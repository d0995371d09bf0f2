//! The host's side: each process makes its calls one after the other, and some calls wait.

use super::{Op, Simulator, State};
use crate::streams::Process;
use crate::streams::calls::{CallKind, CopyEnd};
use crate::streams::queues::{QueueKey, Turn};
use crate::streams::trace::WaitReason;

/// What a process waits for.
#[derive(Clone, Debug, Default)]
struct Blocked {
    /// Operations that have not ended.
    on: Vec<usize>,
    /// The call that waits.
    call: usize,
}

/// A process.
#[derive(Debug, Default)]
pub(super) struct Thread {
    next: usize,
    pub(super) at_ns: u64,
    blocked: Option<Blocked>,
    pub(super) is_done: bool,
}

impl Thread {
    pub(super) const fn is_blocked(&self) -> bool {
        self.blocked.is_some()
    }
}

impl Simulator<'_> {
    /// Makes all calls whose time has come.
    pub(super) fn run_hosts(&mut self, processes: &[Process]) -> bool {
        let mut changed = false;
        for (idx, process) in processes.iter().enumerate() {
            loop {
                self.wake(idx);
                let thread = &mut self.threads[idx];
                if thread.is_done || thread.blocked.is_some() || thread.at_ns > self.now {
                    break;
                }
                if thread.next >= process.calls.len() {
                    // What still runs at the end of the program goes on.
                    thread.is_done = true;
                    break;
                }
                let call = thread.next;
                thread.next += 1;
                self.call(idx, self.firsts[idx] + call);
                changed = true;
            }
        }
        changed
    }

    /// Continues a process whose operations have ended.
    fn wake(&mut self, process: usize) {
        let Some(blocked) = &mut self.threads[process].blocked else {
            return;
        };
        blocked.on.retain(|op| self.ops[*op].state != State::Ended);
        if blocked.on.is_empty() {
            let call = blocked.call;
            let back = self.now + self.return_ns();
            let thread = &mut self.threads[process];
            thread.blocked = None;
            thread.at_ns = thread.at_ns.max(back);
            self.trace.spans[call].returned_ns = thread.at_ns;
            if !self.ops[call].kind.is_operation() {
                self.trace.spans[call].end_ns = self.trace.spans[call].start_ns;
            }
        }
    }

    /// Half of what a launch and the wait for it take besides the call: the way to the GPU, or back.
    fn return_ns(&self) -> u64 {
        u64::from(self.host.launch_and_wait_ns.value - self.host.launch_call_ns.value) / 2
    }

    fn call(&mut self, process: usize, op: usize) {
        let kind = self.ops[op].kind;
        let cost = match kind {
            CallKind::Launch(_) => self.host.launch_call_ns.value,
            CallKind::Copy { .. } | CallKind::Set(_) => self.host.copy_call_ns.value,
            _ => self.host.other_call_ns.value,
        };
        let returned = self.now + u64::from(cost);
        self.threads[process].at_ns = returned;
        let span = &mut self.trace.spans[op];
        (span.called_ns, span.returned_ns) = (self.now, returned);
        (span.start_ns, span.end_ns) = (self.now, self.now);
        if kind.is_operation() {
            self.submit(op, returned);
        }
        let gpu = self.ops[op].gpu;
        let stream = self.ops[op].stream;
        let waits_for: Vec<usize> = match kind {
            CallKind::WaitDevice | CallKind::Allocate => self.open(process, op, |other| other.gpu == gpu),
            CallKind::WaitStream => {
                self.open(process, op, |other| (other.gpu, other.stream) == (gpu, stream))
            }
            CallKind::WaitEvent(event) => {
                let records = (self.firsts[process]..op).rev();
                let mut records = records.filter(|other| self.ops[*other].kind == CallKind::Record(event));
                records.next().into_iter().collect()
            }
            CallKind::Copy {
                from, to, is_async, ..
            } => {
                let is_pageable = from == CopyEnd::Pageable || to == CopyEnd::Pageable;
                let is_within = matches!((from, to), (CopyEnd::Gpu(_), CopyEnd::Gpu(_)));
                if is_pageable || (!is_async && !is_within) {
                    vec![op]
                } else {
                    Vec::new()
                }
            }
            CallKind::EnablePeer(peer) => {
                *self.peers.entry((process as u8, gpu)).or_default() |= 1 << peer.min(63);
                Vec::new()
            }
            CallKind::DisablePeer(peer) => {
                *self.peers.entry((process as u8, gpu)).or_default() &= !(1 << peer.min(63));
                Vec::new()
            }
            _ => Vec::new(),
        };
        let on: Vec<usize> = waits_for
            .into_iter()
            .filter(|op| self.ops[*op].state != State::Ended)
            .collect();
        if !on.is_empty() {
            self.threads[process].blocked = Some(Blocked { on, call: op });
        }
    }

    /// The operations of a process before a call that have not ended.
    fn open(&self, process: usize, before: usize, of: impl Fn(&Op) -> bool) -> Vec<usize> {
        (self.firsts[process]..before)
            .filter(|op| matches!(self.ops[*op].state, State::Waits | State::Runs) && of(&self.ops[*op]))
            .collect()
    }

    /// Sends an operation to its GPU.
    fn submit(&mut self, op: usize, called_ns: u64) {
        let mut way = self.return_ns();
        if self.options.service && !self.host.sharing.mps_is_direct.value {
            // The server makes the call again for its client (assumption: in the same time).
            way += u64::from(self.host.launch_call_ns.value);
        }
        self.ops[op].state = State::Waits;
        self.ops[op].available_ns = called_ns + way;
        self.wait(op, WaitReason::Submission, None);
        let kind = self.ops[op].kind;
        if self.arch.compute_capability.number() <= 300 {
            self.note_check(op);
        }
        if matches!(kind, CallKind::Record(_) | CallKind::StreamWait(_)) {
            self.instants.push(op);
            return;
        }
        let key = self.queue_of(op);
        let gpu = &mut self.gpus[usize::from(self.ops[op].gpu)];
        gpu.queues.entry(key).or_default().push_back(op);
        let is_shared = gpu.turn == Turn::Shared;
        let context = gpu.contexts.entry(key.0).or_default();
        if is_shared && !context.is_active {
            context.set_active(true, self.now);
            gpu.has_changed = true;
        }
    }

    fn queue_of(&self, op: usize) -> QueueKey {
        let Op {
            process,
            stream,
            kind,
            ..
        } = &self.ops[op];
        let connections = u32::from(self.options.connections_on(self.arch));
        let context = self.context_of(*process);
        // Streams take the connections in turn, in the order of their creation (assumption). The clients of a server
        // before Volta share its connections.
        let shift = if context == *process {
            0
        } else {
            u32::from(*process)
        };
        let engine = match kind {
            CallKind::Copy { .. } => self.engine_of(*kind).map_or(4, |engine| engine + 1),
            _ => 0,
        };
        (context, (stream + shift) % connections, engine)
    }

    /// Remembers the check whether the launch before an operation in its stream is complete.
    fn note_check(&mut self, op: usize) {
        let mut needs = self.ops[op].needs.iter();
        let before = needs.find(|(_, why)| *why == WaitReason::StreamOrder);
        if let Some((before, _)) = before {
            let before = *before as usize;
            if matches!(self.ops[before].kind, CallKind::Launch(_)) && self.ops[before].state != State::Ended
            {
                self.checks.push((op, before));
            }
        }
    }

    /// Whether peer access between the two ends of a copy is enabled.
    pub(super) fn is_peer(&self, process: u8, from: CopyEnd, to: CopyEnd) -> bool {
        let (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) = (from, to) else {
            return false;
        };
        self.has_enabled(process, a, b) || self.has_enabled(process, b, a)
    }

    /// Whether a process has enabled the access of a GPU to the memory of another.
    fn has_enabled(&self, process: u8, gpu: u8, other: u8) -> bool {
        self.peers.get(&(process, gpu)).copied().unwrap_or(0) >> other.min(63) & 1 == 1
    }

    /// The GPU whose memory a launch accesses without peer access, if any.
    pub(super) fn forbidden_peer(&self, op: usize) -> Option<u8> {
        let Op { process, gpu, .. } = self.ops[op];
        let mut peers = self.peers_of(op).iter().map(|access| access.gpu);
        peers.find(|peer| *peer != gpu && !self.has_enabled(process, gpu, *peer))
    }
}
