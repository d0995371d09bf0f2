//! Accesses of an SM that runs apart from the others of its device: their completion is known at the end of the quantum.

use super::{MAX_SCHEDULERS, MAX_SLOTS, Setup, Sm};
use crate::sim::WarpState;
use crate::sim::outbox::OpenAccess;

impl Sm {
    /// Sets the completion of an access. All cycles before `to` have run.
    pub(in crate::sim) fn settle_access(&mut self, setup: &Setup, access: &OpenAccess, done: u64, to: u64) {
        let slot = usize::from(access.slot);
        let warp = &mut self.warps[slot];
        let Some(decoded) = setup.code.instructions.get(access.pc as usize) else {
            return;
        };
        // A store has no waiting reader, and another warp may now occupy the slot.
        if !warp.resident || warp.id != access.warp {
            return;
        }
        let mut is_wanted = false;
        for entry in decoded.writes() {
            let pending = &mut warp.scoreboard[usize::from(*entry)];
            if (pending.producer, pending.issued) == (access.pc, access.issued) {
                pending.ready = pending.ready.max(done);
                warp.all_ready = warp.all_ready.max(pending.ready);
                is_wanted = true;
            }
        }
        if is_wanted && !decoded.shares_with.is_empty() {
            warp.share_scoreboard(&decoded.shares_with, decoded.writes());
        }
        warp.memory_done = warp.memory_done.max(done);
        if access.drains {
            warp.drained = warp.drained.max(done);
        }
        if warp.resume_state == WarpState::Membar && warp.resume_at >= to {
            warp.resume_at = warp.resume_at.max(warp.memory_done);
        }
        // The warp may lack more than a unit when it is examined next.
        let (scheduler, place) = (slot % setup.num_schedulers, slot / setup.num_schedulers);
        if self.ready_sets[scheduler % MAX_SCHEDULERS].alone.until(place) >= to {
            self.prepared[slot % MAX_SLOTS] = 0;
        }
    }
}
