//! Instructions of load/store units that schedulers share through an arbiter: the times that are reported at
//! issue, and the updates when the arbiter serves them.

use std::collections::VecDeque;

use super::{MAX_SCHEDULERS, MAX_SLOTS, Setup, Sm};
use crate::arch::PipeKind;
use crate::ids::{Cycle, SlotIdx};
use crate::sim::decode::{Decoded, Kind};
use crate::sim::gate::{Gate, Passage, Settles};
use crate::sim::pipes::Unit;
use crate::sim::view::{InFlight, PassView, QueueEntry, RequestView, ScoreboardEntry};
use crate::sim::{Sink, WarpState};

/// The load/store units after a cycle.
pub(in crate::sim) struct GateAfter {
    pub(in crate::sim) gate: Box<Gate>,
    /// Instructions whose last wavefront this cycle decides and that were not reported before.
    pub(in crate::sim) through: Vec<InFlight>,
}

impl Sm {
    /// Sends an instruction to the load/store units. It takes `passes` wavefronts; `after` is the number of
    /// cycles from the first wavefront to the result if the wavefronts are served back to back. Returns the
    /// cycle of the first wavefront, or the earliest possible one if the arbiter decides later.
    #[allow(clippy::too_many_arguments, reason = "the parts of an instruction")]
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
        let who = self.who(slot);
        let Some(gate) = &mut self.gate else { return now };
        let earliest = self.mio[scheduler % MAX_SCHEDULERS].last_leaves();
        let started = earliest.max(match settles {
            Settles::Nothing => gate.in_order(scheduler, now),
            Settles::Result | Settles::Access(_) => gate.soonest(scheduler, now),
        });
        gate.join(Passage {
            who,
            scheduler: scheduler as u8,
            issued: now,
            earliest,
            left: passes.max(1),
            after: latency.saturating_sub(gate.span(passes)),
            settles,
            started,
            has_started: false,
            done: started + latency.max(gate.span(passes)),
        });
        if settles == Settles::Nothing {
            let last = started + gate.span(passes);
            let view = InFlight {
                slot: who.slot,
                warp: who.warp,
                pc: who.pc,
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
    pub(super) fn send_by_itself(
        &mut self,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        now: u64,
        cycles: u64,
    ) -> u64 {
        let settles = match decoded.kind {
            Kind::Arithmetic | Kind::OfBanks => Settles::Result,
            _ => Settles::Nothing,
        };
        self.send(decoded, slot, scheduler, now, cycles, decoded.latency, settles)
    }

    /// Records until when a scheduler's queue is full. A part of the queue is in front of the arbiter.
    pub(super) fn note_room(&mut self, scheduler: usize, now: u64) {
        let Some(gate) = &self.gate else { return };
        let queue = &mut self.mio[scheduler % MAX_SCHEDULERS];
        let until = if queue.len_at(now) + gate.num_waiting(scheduler) < queue.capacity() {
            0
        } else {
            gate.next_leaves(scheduler).min(queue.next_leaves()).max(now + 1)
        };
        self.pipes.note_room(scheduler, until);
    }

    /// Decides the load/store units' wavefronts before cycle `to`.
    #[inline(always)]
    pub(super) fn pass_gate<S: Sink>(&mut self, setup: &Setup, to: u64, sink: &mut S) {
        if self.gate.is_some() {
            self.advance_gate(setup, to, sink);
        }
    }

    fn advance_gate<S: Sink>(&mut self, setup: &Setup, to: u64, sink: &mut S) {
        let Some(mut gate) = self.gate.take() else { return };
        gate.advance(to, |passage| self.settle(setup, passage, to, sink));
        self.gate = Some(gate);
        for scheduler in 0..setup.num_schedulers {
            let until = self.pipes.room_at(scheduler);
            if until != 0 && until <= to {
                self.note_room(scheduler, to);
            }
        }
    }

    /// Updates an instruction whose wavefronts were decided.
    fn settle<S: Sink>(&mut self, setup: &Setup, passage: &Passage, to: u64, sink: &mut S) {
        let slot = usize::from(passage.who.slot.0);
        let is_through = passage.left == 0;
        if is_through {
            let view = passage.flight(passage.last());
            self.pipes.note(Unit::of_sm(PipeKind::Lsu), view, to);
        }
        tell_served(passage, sink);
        settle_request(&mut self.requests, passage);
        let warp = &mut self.warps[slot];
        let Some(decoded) = setup.code.instructions.get(passage.who.pc.0 as usize) else {
            return;
        };
        // The result has no waiting reader, and another warp now occupies the slot.
        if !warp.resident || warp.id != passage.who.warp {
            return;
        }
        let mut is_wanted = false;
        for entry in decoded.writes() {
            let pending = &mut warp.scoreboard[usize::from(*entry)];
            if (pending.producer, pending.issued) == (passage.who.pc.0, passage.issued) {
                pending.ready = pending.ready.max(passage.done);
                warp.all_ready = warp.all_ready.max(pending.ready);
                is_wanted = true;
            }
        }
        if is_wanted && !decoded.shares_with.is_empty() {
            warp.share_scoreboard(&decoded.shares_with, decoded.writes());
        }
        if matches!(passage.settles, Settles::Access(_)) {
            warp.memory_done = warp.memory_done.max(passage.done);
            warp.drained = warp.drained.max(passage.done);
            if warp.resume_state == WarpState::Membar && warp.resume_at >= to {
                warp.resume_at = warp.resume_at.max(warp.memory_done);
            }
        }
        // The warp may lack more than a unit when it is examined next.
        let (scheduler, place) = (slot % setup.num_schedulers, slot / setup.num_schedulers);
        if self.watches[scheduler % MAX_SCHEDULERS].alone.until(place) >= to {
            self.prepared[slot % MAX_SLOTS] = 0;
        }
    }

    /// Reports what is known before cycle `to` of accesses. The machine decides cycles without an issue
    /// together, so more can be known than was reported.
    pub(in crate::sim) fn tell_served<S: Sink>(&self, to: u64, sink: &mut S) {
        if let Some(mut gate) = self.gate.clone() {
            gate.advance(to, |passage| tell_served(passage, sink));
            gate.tell_earliest(|passage| tell_served(passage, sink));
        }
    }

    /// The load/store units and their queues after a cycle, where the arbitration is known.
    pub(in crate::sim) fn gate_after(&self, cycle: u64) -> Option<GateAfter> {
        let mut gate = self.gate.clone()?;
        let mut through = Vec::new();
        gate.advance(cycle + 1, |passage| {
            if passage.left == 0 {
                through.push(passage.flight(passage.last()));
            }
        });
        Some(GateAfter { gate, through })
    }

    /// Instructions in the load/store units and their queues, and the wavefront that each cycle serves.
    pub(in crate::sim) fn passes_after(&self, cycle: u64) -> Vec<PassView> {
        self.gate
            .as_ref()
            .map_or_else(Vec::new, |gate| gate.passes_after(cycle))
    }

    /// Results of a slot's warp that are in flight after a cycle.
    pub(in crate::sim) fn results_after(&self, idx: usize, cycle: u64) -> Vec<ScoreboardEntry> {
        let mut results = self.warps[idx].pending(cycle);
        if let Some(after) = self.gate_after(cycle).filter(|_| !results.is_empty()) {
            let slot = SlotIdx(idx as u16);
            for result in &mut results {
                result.is_earliest = after.gate.is_open(slot, result.producer.0, result.issued.0);
            }
        }
        results
    }

    /// Whether other instructions can still delay the wavefronts of an instruction, as known at a cycle.
    pub(in crate::sim) fn can_be_later(&self, slot: SlotIdx, pc: u32, issued: u64, cycle: u64) -> bool {
        let after = self.gate_after(cycle);
        after.is_some_and(|after| after.gate.is_open(slot, pc, issued))
    }

    /// Instructions of a scheduler that are queued for a memory or special-function unit, oldest first.
    pub(in crate::sim) fn queue_entries(
        &self,
        gate: Option<&GateAfter>,
        scheduler: usize,
        now: u64,
    ) -> Vec<QueueEntry> {
        let mut entries = self.mio[scheduler % MAX_SCHEDULERS].entries(now);
        entries.extend(gate.iter().flat_map(|after| after.gate.entries(scheduler)));
        entries.sort_by_key(|entry| entry.entered);
        entries
    }

    /// Memory requests in flight after a cycle, oldest first.
    pub(in crate::sim) fn requests_after(&self, cycle: u64) -> Vec<RequestView> {
        let mut requests = self.requests.clone();
        if let Some(mut gate) = self.gate.clone() {
            gate.advance(cycle + 1, |passage| settle_request(&mut requests, passage));
        }
        requests.retain(|request| request.done.0 > cycle);
        requests.into()
    }
}

fn tell_served<S: Sink>(passage: &Passage, sink: &mut S) {
    if let Settles::Access(number) = passage.settles {
        sink.access_served(number, Cycle(passage.started), Cycle(passage.done));
    }
}

fn settle_request(requests: &mut VecDeque<RequestView>, passage: &Passage) {
    let is_it = |request: &&mut RequestView| {
        let who = (request.slot, request.issued.0, request.pc);
        // A generic access also has requests to other memory spaces.
        who == (passage.who.slot, passage.issued, passage.who.pc) && request.kind.is_shared()
    };
    if matches!(passage.settles, Settles::Access(_))
        && let Some(request) = requests.iter_mut().rev().find(is_it)
    {
        request.started = Cycle(passage.started);
        request.served = Cycle(passage.last() + 1);
        request.done = Cycle(passage.done);
    }
}
