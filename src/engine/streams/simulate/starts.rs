//! When the operations of the work queues start, and the blocks of kernels.

use super::{Simulator, State};
use crate::streams::calls::CallKind;
use crate::streams::queues::Turn;
use crate::streams::trace::{Failure, WaitReason};

/// What an operation waits for, and the operation that it waits for.
type Blocker = (WaitReason, Option<usize>);

impl Simulator<'_> {
    /// Starts what can start, in the order of each queue, and notes why the rest waits.
    pub(super) fn start_queued(&mut self) -> bool {
        let mut changed = false;
        for gpu in 0..self.gpus.len() {
            let keys: Vec<_> = self.gpus[gpu].queues.keys().copied().collect();
            for key in keys {
                while let Some(head) = self.gpus[gpu]
                    .queues
                    .get(&key)
                    .and_then(|queue| queue.front().copied())
                {
                    if let Some((why, on)) = self.blocker(head) {
                        self.wait(head, why, on);
                        break;
                    }
                    if let Some(queue) = self.gpus[gpu].queues.get_mut(&key) {
                        queue.pop_front();
                    }
                    self.start(head);
                    changed = true;
                }
                self.note_behind(gpu, key);
            }
        }
        changed
    }

    /// Notes why the operations behind the head of a queue wait.
    fn note_behind(&mut self, gpu: usize, key: crate::streams::queues::QueueKey) {
        let Some(queue) = self.gpus[gpu].queues.get(&key) else {
            return;
        };
        let all: Vec<usize> = queue.iter().copied().collect();
        let Some((head, behind)) = all.split_first() else {
            return;
        };
        for op in behind {
            let (why, on) = match self.own_blocker(*op) {
                Some(blocker) => blocker,
                // The queue of a copy engine with one operation at a time is the engine's own order.
                None if key.2 > 0 && self.ops[*head].state == State::Waits && self.is_engine_busy(*head) => {
                    (WaitReason::CopyEngine, Some(*head))
                }
                None => (WaitReason::WorkQueue, Some(*head)),
            };
            self.wait(*op, why, on);
        }
    }

    fn is_engine_busy(&self, op: usize) -> bool {
        let gpu = &self.gpus[usize::from(self.ops[op].gpu)];
        self.engine_of(self.ops[op].kind)
            .is_some_and(|engine| gpu.engines[usize::from(engine)].is_some())
    }

    /// What the program or the way to the GPU makes an operation wait for.
    fn own_blocker(&self, op: usize) -> Option<Blocker> {
        let needs = &self.ops[op].needs;
        let open = needs
            .iter()
            .find(|(need, _)| self.ops[*need as usize].state != State::Ended);
        if let Some((need, why)) = open {
            return Some((*why, Some(*need as usize)));
        }
        if self.ready_ns(op) > self.now {
            let since_arrival = self.ops[op].available_ns > self.now;
            let last = needs
                .iter()
                .max_by_key(|(need, _)| self.trace.spans[*need as usize].end_ns);
            return Some(match last {
                Some((need, why)) if !since_arrival => (*why, Some(*need as usize)),
                _ => (WaitReason::Submission, None),
            });
        }
        None
    }

    /// What the head of a queue waits for, if anything.
    fn blocker(&self, op: usize) -> Option<Blocker> {
        self.own_blocker(op)
            .or_else(|| self.check_blocker(op))
            .or_else(|| self.chip_blocker(op))
            .or_else(|| match self.ops[op].kind {
                CallKind::Launch(work) => self.turn_blocker(op).or_else(|| self.room_blocker(op, work)),
                _ => None,
            })
    }

    /// Dependency checks, at 3.0 or lower (Programming Guide 10.1, 3.2.5.5.4).
    fn check_blocker(&self, op: usize) -> Option<Blocker> {
        if self.arch.compute_capability.number() > 300 {
            return None;
        }
        let context = self.context_of(self.ops[op].process);
        let same = |other: usize| {
            self.context_of(self.ops[other].process) == context && self.ops[other].gpu == self.ops[op].gpu
        };
        // Launches after a check wait until the launch being checked is complete.
        if matches!(self.ops[op].kind, CallKind::Launch(_)) {
            let check = self
                .checks
                .iter()
                .find(|(by, launch)| *by < op && same(*by) && *launch != op);
            if let Some((_, launch)) = check {
                return Some((WaitReason::DependencyCheck, Some(*launch)));
            }
        }
        // An operation with a check waits until the blocks of all launches before it have started.
        let is_check = self.ops[op].needs.iter().any(|(need, why)| {
            *why == WaitReason::StreamOrder && matches!(self.ops[*need as usize].kind, CallKind::Launch(_))
        });
        if is_check {
            let unstarted = (0..op).find(|other| {
                matches!(self.ops[*other].kind, CallKind::Launch(_))
                    && same(*other)
                    && matches!(self.ops[*other].state, State::Waits | State::Runs)
                    && self.ops[*other].unstarted > 0
            });
            return unstarted.map(|other| (WaitReason::DependencyCheck, Some(other)));
        }
        None
    }

    /// What the chip does not run at the same time.
    fn chip_blocker(&self, op: usize) -> Option<Blocker> {
        let gpu = &self.gpus[usize::from(self.ops[op].gpu)];
        let is_kernel = matches!(self.ops[op].kind, CallKind::Launch(_));
        let most = usize::from(self.arch.occupancy.max_resident_grids.value);
        if is_kernel && gpu.kernels.len() >= most {
            let why = if most == 1 {
                WaitReason::NoOverlap
            } else {
                WaitReason::KernelLimit
            };
            return Some((why, gpu.kernels.first().copied()));
        }
        if self.host.copy_engines.value == 0 {
            let busy = if is_kernel {
                gpu.engines.iter().flatten().next()
            } else {
                gpu.kernels.first()
            };
            if let Some(busy) = busy {
                return Some((WaitReason::NoOverlap, Some(*busy)));
            }
        }
        let engine = self.engine_of(self.ops[op].kind)?;
        gpu.engines[usize::from(engine)].map(|busy| (WaitReason::CopyEngine, Some(busy)))
    }

    /// Whether it is the turn of the operation's process.
    fn turn_blocker(&self, op: usize) -> Option<Blocker> {
        let gpu = &self.gpus[usize::from(self.ops[op].gpu)];
        let context = self.context_of(self.ops[op].process);
        match gpu.turn {
            Turn::Shared => None,
            Turn::Runs(own, end) if own == context => {
                // Without preemption, a slice that has ended starts no further kernel while others wait.
                let is_over = end <= self.now && !self.host.sharing.preempts.value;
                is_over.then_some((WaitReason::TimeSlice, None))
            }
            _ => Some((WaitReason::TimeSlice, None)),
        }
    }

    /// Whether an SM has room for a block, after the blocks of all kernels before.
    fn room_blocker(&self, op: usize, work: u32) -> Option<Blocker> {
        let gpu = &self.gpus[usize::from(self.ops[op].gpu)];
        let work = &self.works[work as usize];
        // Clients without a common limit share the order of their kernels: head-of-line blocking.
        let before = gpu.kernels.iter().find(|kernel| {
            self.ops[**kernel].unstarted > 0
                && self.allowed[usize::from(self.ops[**kernel].process)]
                    == self.allowed[usize::from(self.ops[op].process)]
        });
        if let Some(before) = before {
            return Some((WaitReason::Resources, Some(*before)));
        }
        let allowed = self.allowed[usize::from(self.ops[op].process)];
        if work.num_blocks > 0 && gpu.sms.place(work, allowed).is_none() {
            return Some((WaitReason::Resources, gpu.kernels.first().copied()));
        }
        None
    }

    /// Whether a context has a kernel that only waits for its turn, or running blocks.
    pub(super) fn wants_gpu(&self, gpu: usize, context: u8) -> bool {
        let gpu = &self.gpus[gpu];
        let runs = gpu
            .contexts
            .get(&context)
            .is_some_and(crate::streams::queues::Context::is_running);
        let unstarted = gpu
            .kernels
            .iter()
            .any(|op| self.ops[*op].unstarted > 0 && self.context_of(self.ops[*op].process) == context);
        let heads = gpu
            .queues
            .iter()
            .filter(|(key, _)| key.0 == context && key.2 == 0);
        let mut heads = heads.filter_map(|(_, queue)| queue.front());
        runs || unstarted
            || heads.any(|op| self.own_blocker(*op).is_none() && self.check_blocker(*op).is_none())
    }

    fn start(&mut self, op: usize) {
        let gpu = usize::from(self.ops[op].gpu);
        if let CallKind::Launch(work) = self.ops[op].kind {
            self.begin(op);
            self.gpus[gpu].kernels.push(op);
            if let Some(peer) = self.forbidden_peer(op) {
                let process = self.ops[op].process;
                return self.fault(process, op, Failure::NoPeerAccess(peer));
            }
            self.ops[op].sms = vec![false; usize::from(self.arch.chip.num_sms.value)];
            if self.works[work as usize].num_blocks == 0 {
                self.finish(op);
            }
            return;
        }
        if let Some(engine) = self.engine_of(self.ops[op].kind) {
            self.gpus[gpu].engines[usize::from(engine)] = Some(op);
        }
        self.start_flow(op);
    }

    /// Gives blocks of running kernels to SMs, kernel by kernel in the order of their starts.
    pub(super) fn start_blocks(&mut self) -> bool {
        let mut changed = false;
        for gpu in 0..self.gpus.len() {
            for idx in 0..self.gpus[gpu].kernels.len() {
                let op = self.gpus[gpu].kernels[idx];
                let CallKind::Launch(work_idx) = self.ops[op].kind else {
                    continue;
                };
                let context = self.context_of(self.ops[op].process);
                if self.ops[op].unstarted == 0 || !self.may_start_blocks(gpu, context) {
                    continue;
                }
                let work = &self.works[work_idx as usize];
                let allowed = self.allowed[usize::from(self.ops[op].process)];
                while self.ops[op].unstarted > 0
                    && let Some(sm) = self.gpus[gpu].sms.place(work, allowed)
                {
                    let block = work.num_blocks - self.ops[op].unstarted;
                    let times = &work.block_ns;
                    let length = times
                        .get(block as usize % times.len().max(1))
                        .copied()
                        .unwrap_or(0);
                    let number = self.num_blocks;
                    self.num_blocks += 1;
                    self.gpus[gpu].sms.take(work, sm);
                    let now = self.now;
                    let context = self.gpus[gpu].contexts.entry(context).or_default();
                    context.start(now, length.max(1).into(), number, op, sm);
                    self.gpus[gpu].has_changed = true;
                    let own = &mut self.ops[op];
                    own.unstarted -= 1;
                    own.resident += 1;
                    own.sms[usize::from(sm)] = true;
                    let span = &mut self.trace.spans[op];
                    span.most_resident = span.most_resident.max(own.resident);
                    changed = true;
                }
            }
        }
        changed
    }

    fn may_start_blocks(&self, gpu: usize, context: u8) -> bool {
        match self.gpus[gpu].turn {
            Turn::Shared => true,
            Turn::Runs(own, end) => own == context && (end > self.now || self.host.sharing.preempts.value),
            _ => false,
        }
    }

    /// Ends the blocks whose time has come.
    pub(super) fn end_blocks(&mut self) -> bool {
        let mut changed = false;
        for gpu in 0..self.gpus.len() {
            let contexts: Vec<u8> = self.gpus[gpu].contexts.keys().copied().collect();
            for context in contexts {
                let spans = &mut self.trace.spans;
                let slowdown = |op: usize, slowdown| spans[op].slowdown.add(&slowdown);
                let ended = (self.gpus[gpu].contexts.get_mut(&context))
                    .map(|context| context.take_ended(self.now, slowdown));
                for (op, sm) in ended.unwrap_or_default() {
                    changed = true;
                    self.gpus[gpu].has_changed = true;
                    if let CallKind::Launch(work) = self.ops[op].kind {
                        self.gpus[gpu].sms.free(&self.works[work as usize], sm);
                    }
                    self.ops[op].resident -= 1;
                    self.ops[op].unended -= 1;
                    if self.ops[op].unended == 0 {
                        self.trace.spans[op].num_sms =
                            self.ops[op].sms.iter().filter(|used| **used).count() as u16;
                        self.finish(op);
                    }
                }
            }
        }
        changed
    }
}
