//! Instructions for the load/store units, where schedulers share them by a gate: what is told of them when
//! they issue, and when it is known when they are served.

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
    /// Whose last pass is decided by that, and was not told before.
    pub(in crate::sim) through: Vec<InFlight>,
}

impl Sm {
    /// Sends an instruction to the load/store units, in which it makes so many passes and has its result so many
    /// cycles after the first if these come at once. Returns when the first is; if its times are to be
    /// settled, the earliest cycle at which it can be.
    #[allow(clippy::too_many_arguments, reason = "an instruction's parts")]
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

    /// As [`Sm::send`], for instructions but loads and stores of shared memory.
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

    /// Notes until when a scheduler's queue is full, of which a part is in front of the gate.
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

    /// Decides what the load/store units do before cycle `to`.
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

    /// More is known of when an instruction has its passes.
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
        // Nobody waited for the result, and another warp has the slot.
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
        // Whether it lacks nothing but a unit when it is looked at next is no longer sure.
        let (scheduler, place) = (slot % setup.num_schedulers, slot / setup.num_schedulers);
        if self.watches[scheduler % MAX_SCHEDULERS].alone.until(place) >= to {
            self.prepared[slot % MAX_SLOTS] = 0;
        }
    }

    /// Tells what is known before cycle `to` of accesses, which may be more than was told: cycles in which
    /// nothing issues are decided together.
    pub(in crate::sim) fn tell_served<S: Sink>(&self, to: u64, sink: &mut S) {
        if let Some(mut gate) = self.gate.clone() {
            gate.advance(to, |passage| tell_served(passage, sink));
            gate.tell_earliest(|passage| tell_served(passage, sink));
        }
    }

    /// The load/store units and the ways to them after a cycle, where that is known.
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

    /// Instructions in the load/store units and on the ways to them, and whose pass a cycle has.
    pub(in crate::sim) fn passes_after(&self, cycle: u64) -> Vec<PassView> {
        self.gate
            .as_ref()
            .map_or_else(Vec::new, |gate| gate.passes_after(cycle))
    }

    /// Results of a slot's warp that are under way after a cycle.
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

    /// Whether others can still make the passes of an instruction later than was told up to a cycle.
    pub(in crate::sim) fn can_be_later(&self, slot: SlotIdx, pc: u32, issued: u64, cycle: u64) -> bool {
        let after = self.gate_after(cycle);
        after.is_some_and(|after| after.gate.is_open(slot, pc, issued))
    }

    /// Instructions of a scheduler that wait for a memory or special-function unit, the oldest first.
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

    /// Memory requests that are under way after a cycle, the oldest first.
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
        // A generic access has requests elsewhere, too.
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
