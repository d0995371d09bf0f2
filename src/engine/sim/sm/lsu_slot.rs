//! Instructions of load/store units that schedulers share through an arbiter: the times that are reported at
//! issue, and the updates when the arbiter serves them.

use std::collections::VecDeque;

use super::{MAX_SCHEDULERS, MAX_SLOTS, Setup, Sm};
use crate::arch::PipeKind;
use crate::ids::{Cycle, SlotIdx};
use crate::sim::decode::{Decoded, Kind};
use crate::sim::lsu_arbiter::{LsuArbiter, LsuSlot, Settles};
use crate::sim::pipes::Unit;
use crate::sim::view::{InFlight, PassView, QueueEntry, RequestView, ScoreboardEntry};
use crate::sim::{Sink, WarpState};

/// The load/store units after a cycle.
pub(in crate::sim) struct LsuAfter {
    pub(in crate::sim) lsu_arbiter: Box<LsuArbiter>,
    /// Instructions whose last wavefront this cycle decides and that were not reported before.
    pub(in crate::sim) completed: Vec<InFlight>,
}

impl Sm {
    /// Sends an instruction to the load/store units. It takes `passes` wavefronts; `latency` is the number of
    /// cycles from the first wavefront to the result if the wavefronts are served back to back. Returns the
    /// cycle of the first wavefront, or the earliest possible one if the arbiter decides later.
    #[expect(clippy::too_many_arguments, reason = "the parts of an instruction")]
    pub(in crate::sim) fn send(
        &mut self,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        passes: u64,
        latency: u64,
        settles: Settles,
    ) -> u64 {
        let origin = self.origin(slot);
        let Some(lsu_arbiter) = &mut self.lsu_arbiter else {
            return now;
        };
        let earliest = self.mio[scheduler % MAX_SCHEDULERS].last_leaves();
        let started = earliest.max(match settles {
            Settles::Nothing => lsu_arbiter.in_order(scheduler, now),
            Settles::Result | Settles::Access(_) => lsu_arbiter.earliest_arbitration(scheduler, now),
        });
        lsu_arbiter.join(LsuSlot {
            origin,
            scheduler: scheduler as u8,
            issued: now,
            earliest,
            left: passes.max(1),
            after: latency.saturating_sub(lsu_arbiter.span(passes)),
            settles,
            started,
            has_started: false,
            done: started + latency.max(lsu_arbiter.span(passes)),
        });
        if settles == Settles::Nothing {
            let last = started + lsu_arbiter.span(passes);
            let view = InFlight {
                slot: origin.slot,
                warp: origin.warp,
                pc: origin.pc,
                started: Cycle(started),
                accepted: Cycle(last + 1),
                done: Cycle((last + 1).max(started + decoded.latency)),
            };
            self.pipes.note(Unit::of_sm(PipeKind::Lsu), view, now);
        }
        self.note_room(scheduler, now);
        started
    }

    /// [`Sm::send`] for instructions other than loads and stores of shared memory.
    pub(super) fn send_other(
        &mut self,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        cycles: u64,
    ) -> u64 {
        let settles = match decoded.kind {
            Kind::Arithmetic | Kind::BankedArithmetic => Settles::Result,
            _ => Settles::Nothing,
        };
        self.send(decoded, slot, scheduler, now, cycles, decoded.latency, settles)
    }

    /// Records until when a scheduler's queue is full. A part of the queue is in front of the arbiter.
    pub(super) fn note_room(&mut self, scheduler: usize, now: u64) {
        let Some(lsu_arbiter) = &self.lsu_arbiter else {
            return;
        };
        let queue = &mut self.mio[scheduler % MAX_SCHEDULERS];
        let until = if queue.len_at(now) + lsu_arbiter.num_waiting(scheduler) < queue.capacity() {
            0
        } else {
            lsu_arbiter
                .next_leaves(scheduler)
                .min(queue.next_leaves())
                .max(now + 1)
        };
        self.pipes.note_room(scheduler, until);
    }

    /// Decides the load/store units' wavefronts before cycle `to`.
    #[inline(always)]
    pub(super) fn advance_lsu<S: Sink>(&mut self, setup: &Setup, to: u64, sink: &mut S) {
        if self.lsu_arbiter.is_some() {
            self.advance_lsu_arbiter(setup, to, sink);
        }
    }

    fn advance_lsu_arbiter<S: Sink>(&mut self, setup: &Setup, to: u64, sink: &mut S) {
        let Some(mut lsu_arbiter) = self.lsu_arbiter.take() else {
            return;
        };
        lsu_arbiter.advance(to, |lsu_slot| self.settle(setup, lsu_slot, to, sink));
        self.lsu_arbiter = Some(lsu_arbiter);
        for scheduler in 0..setup.num_schedulers {
            let until = self.pipes.queue_full_until(scheduler);
            if until != 0 && until <= to {
                self.note_room(scheduler, to);
            }
        }
    }

    /// Updates an instruction whose wavefronts were decided.
    fn settle<S: Sink>(&mut self, setup: &Setup, lsu_slot: &LsuSlot, to: u64, sink: &mut S) {
        let slot = usize::from(lsu_slot.origin.slot.0);
        let is_done = lsu_slot.left == 0;
        if is_done {
            let view = lsu_slot.flight(lsu_slot.last());
            self.pipes.note(Unit::of_sm(PipeKind::Lsu), view, to);
        }
        report_served(lsu_slot, sink);
        settle_request(&mut self.requests, lsu_slot);
        let warp = &mut self.warps[slot];
        let Some(decoded) = setup.code.instructions.get(lsu_slot.origin.pc.0 as usize) else {
            return;
        };
        // The result has no waiting reader, and another warp now occupies the slot.
        if !warp.resident || warp.id != lsu_slot.origin.warp {
            return;
        }
        let mut is_wanted = false;
        for entry in decoded.writes() {
            let pending = &mut warp.scoreboard[usize::from(*entry)];
            if (pending.producer, pending.issued) == (lsu_slot.origin.pc.0, lsu_slot.issued) {
                pending.ready = pending.ready.max(lsu_slot.done);
                warp.all_ready = warp.all_ready.max(pending.ready);
                is_wanted = true;
            }
        }
        if is_wanted && !decoded.shares_with.is_empty() {
            warp.share_scoreboard(&decoded.shares_with, decoded.writes());
        }
        if matches!(lsu_slot.settles, Settles::Access(_)) {
            warp.memory_done = warp.memory_done.max(lsu_slot.done);
            warp.drained = warp.drained.max(lsu_slot.done);
            if warp.resume_state == WarpState::Membar && warp.resume_at >= to {
                warp.resume_at = warp.resume_at.max(warp.memory_done);
            }
        }
        // The warp may lack more than a unit when it is examined next.
        let (scheduler, place) = (slot % setup.num_schedulers, slot / setup.num_schedulers);
        if self.ready_sets[scheduler % MAX_SCHEDULERS].alone.until(place) >= to {
            self.prepared[slot % MAX_SLOTS] = 0;
        }
    }

    /// Reports what is known before cycle `to` of accesses. The machine decides cycles without an issue
    /// together, so more can be known than was reported.
    pub(in crate::sim) fn report_served<S: Sink>(&self, to: u64, sink: &mut S) {
        if let Some(mut lsu_arbiter) = self.lsu_arbiter.clone() {
            lsu_arbiter.advance(to, |lsu_slot| report_served(lsu_slot, sink));
            lsu_arbiter.report_earliest(|lsu_slot| report_served(lsu_slot, sink));
        }
    }

    /// The load/store units and their queues after a cycle, where the arbitration is known.
    pub(in crate::sim) fn lsu_after(&self, cycle: u64) -> Option<LsuAfter> {
        let mut lsu_arbiter = self.lsu_arbiter.clone()?;
        let mut completed = Vec::new();
        lsu_arbiter.advance(cycle + 1, |lsu_slot| {
            if lsu_slot.left == 0 {
                completed.push(lsu_slot.flight(lsu_slot.last()));
            }
        });
        Some(LsuAfter {
            lsu_arbiter,
            completed,
        })
    }

    /// Instructions in the load/store units and their queues, and the wavefront that each cycle serves.
    pub(in crate::sim) fn passes_after(&self, cycle: u64) -> Vec<PassView> {
        self.lsu_arbiter
            .as_ref()
            .map_or_else(Vec::new, |lsu_arbiter| lsu_arbiter.passes_after(cycle))
    }

    /// Results of a slot's warp that are in flight after a cycle.
    pub(in crate::sim) fn results_after(&self, idx: usize, cycle: u64) -> Vec<ScoreboardEntry> {
        let mut results = self.warps[idx].pending(cycle);
        if let Some(after) = self.lsu_after(cycle).filter(|_| !results.is_empty()) {
            let slot = SlotIdx(idx as u16);
            for result in &mut results {
                result.is_earliest = after
                    .lsu_arbiter
                    .is_open(slot, result.producer.0, result.issued.0);
            }
        }
        results
    }

    /// Whether other instructions can still delay the wavefronts of an instruction, as known at a cycle.
    pub(in crate::sim) fn can_be_delayed(&self, slot: SlotIdx, pc: u32, issued: u64, cycle: u64) -> bool {
        let after = self.lsu_after(cycle);
        after.is_some_and(|after| after.lsu_arbiter.is_open(slot, pc, issued))
    }

    /// Instructions of a scheduler that are queued for a memory or special-function unit, oldest first.
    pub(in crate::sim) fn queue_entries(
        &self,
        lsu_after: Option<&LsuAfter>,
        scheduler: usize,
        now: u64,
    ) -> Vec<QueueEntry> {
        let mut entries = self.mio[scheduler % MAX_SCHEDULERS].entries(now);
        entries.extend(
            lsu_after
                .iter()
                .flat_map(|after| after.lsu_arbiter.entries(scheduler)),
        );
        entries.sort_by_key(|entry| entry.entered);
        entries
    }

    /// Memory requests in flight after a cycle, oldest first.
    pub(in crate::sim) fn requests_after(&self, cycle: u64) -> Vec<RequestView> {
        let mut requests = self.requests.clone();
        if let Some(mut lsu_arbiter) = self.lsu_arbiter.clone() {
            lsu_arbiter.advance(cycle + 1, |lsu_slot| settle_request(&mut requests, lsu_slot));
        }
        requests.retain(|request| request.done.0 > cycle);
        requests.into()
    }
}

fn report_served<S: Sink>(lsu_slot: &LsuSlot, sink: &mut S) {
    if let Settles::Access(number) = lsu_slot.settles {
        sink.access_served(number, Cycle(lsu_slot.started), Cycle(lsu_slot.done));
    }
}

fn settle_request(requests: &mut VecDeque<RequestView>, lsu_slot: &LsuSlot) {
    let is_same_request = |request: &&mut RequestView| {
        let origin = (request.slot, request.issued.0, request.pc);
        // A generic access also has requests to other memory spaces.
        origin == (lsu_slot.origin.slot, lsu_slot.issued, lsu_slot.origin.pc) && request.kind.is_shared()
    };
    if matches!(lsu_slot.settles, Settles::Access(_))
        && let Some(request) = requests.iter_mut().rev().find(is_same_request)
    {
        request.started = Cycle(lsu_slot.started);
        request.served = Cycle(lsu_slot.last() + 1);
        request.done = Cycle(lsu_slot.done);
    }
}
