//! Processes without the Multi-Process Service take turns on a GPU.

use super::Simulator;
use crate::streams::queues::{Context, Turn};
use crate::streams::trace::Slice;

impl Simulator<'_> {
    /// Gives each GPU to the process whose turn it is.
    pub(super) fn take_turns(&mut self) -> bool {
        let mut changed = false;
        for gpu in 0..self.gpus.len() {
            changed |= match self.gpus[gpu].turn {
                Turn::Shared => false,
                Turn::Free(last) => self.switch(gpu, last, last.is_some()),
                Turn::Switches(context, end) if end <= self.now => {
                    self.give(gpu, context);
                    true
                }
                Turn::Switches(..) => false,
                Turn::Runs(context, end) => self.keep_or_switch(gpu, context, end),
            };
        }
        changed
    }

    fn keep_or_switch(&mut self, gpu: usize, context: u8, end: u64) -> bool {
        if !self.wants_gpu(gpu, context) {
            self.stop(gpu, context);
            self.gpus[gpu].turn = Turn::Free(Some(context));
            return true;
        }
        if end > self.now {
            return false;
        }
        if self
            .next_context(gpu, Some(context))
            .is_none_or(|next| next == context)
        {
            // Nobody else waits.
            self.gpus[gpu].turn = Turn::Runs(context, self.now + u64::from(self.host.sharing.slice_ns.value));
            return false;
        }
        let runs = self.gpus[gpu]
            .contexts
            .get(&context)
            .is_some_and(Context::is_running);
        if runs && !self.host.sharing.preempts.value {
            // The running blocks end first.
            return false;
        }
        self.stop(gpu, context);
        self.switch(gpu, Some(context), true)
    }

    /// The next context in turn with work for the GPU.
    fn next_context(&self, gpu: usize, last: Option<u8>) -> Option<u8> {
        let wanting: Vec<u8> = self.gpus[gpu]
            .contexts
            .keys()
            .copied()
            .filter(|context| self.wants_gpu(gpu, *context))
            .collect();
        let after = last.and_then(|last| wanting.iter().find(|context| **context > last));
        after.or_else(|| wanting.first()).copied()
    }

    fn switch(&mut self, gpu: usize, last: Option<u8>, has_cost: bool) -> bool {
        let Some(next) = self.next_context(gpu, last) else {
            return false;
        };
        if has_cost && last != Some(next) {
            let end = self.now + u64::from(self.host.sharing.switch_ns.value);
            self.gpus[gpu].turn = Turn::Switches(next, end);
        } else {
            self.give(gpu, next);
        }
        true
    }

    fn give(&mut self, gpu: usize, context: u8) {
        let end = self.now + u64::from(self.host.sharing.slice_ns.value);
        let now = self.now;
        let gpu = &mut self.gpus[gpu];
        gpu.turn = Turn::Runs(context, end);
        gpu.turn_ns = now;
        if let Some(context) = gpu.contexts.get_mut(&context) {
            context.set_active(true, now);
            gpu.has_changed = true;
        }
    }

    fn stop(&mut self, gpu: usize, context: u8) {
        let (now, from) = (self.now, self.gpus[gpu].turn_ns);
        if let Some(context) = self.gpus[gpu].contexts.get_mut(&context) {
            context.set_active(false, now);
        }
        if from < now {
            self.trace.slices.push(Slice {
                gpu: gpu as u8,
                process: context,
                from_ns: from,
                to_ns: now,
            });
        }
    }

    /// Records the last slices.
    pub(super) fn close_turns(&mut self) {
        for gpu in 0..self.gpus.len() {
            if let Turn::Runs(context, _) = self.gpus[gpu].turn {
                self.stop(gpu, context);
            }
        }
    }
}
