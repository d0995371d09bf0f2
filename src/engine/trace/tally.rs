//! Totals of each instruction of the program over the whole run.

use serde::Serialize;

use super::accesses::AccessRow;
use super::issues::IssueRow;
use super::runs::StateCycles;
use crate::ids::LaneMask;
use crate::sim::RequestKind;
use crate::sim::codec::coded;

/// Sums over the accesses of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AccessTally {
    /// Warp-wide accesses.
    pub accesses: u64,
    /// Wavefronts through shared memory.
    pub wavefronts: u64,
    /// Wavefronts that conflict-free accesses would take.
    pub ideal_wavefronts: u64,
    /// L1 requests.
    pub requests: u64,
    /// 32-byte sectors.
    pub sectors: u64,
    /// Transactions of the architecture's own size.
    pub transactions: u64,
    /// Bytes that the transactions moved.
    pub bytes: u64,
    /// Bytes that the lanes requested.
    pub asked_bytes: u64,
    /// Hits in L1.
    pub l1_hits: u64,
    /// Hits in L2.
    pub l2_hits: u64,
}

coded!(AccessTally {
    accesses,
    wavefronts,
    ideal_wavefronts,
    requests,
    sectors,
    transactions,
    bytes,
    asked_bytes,
    l1_hits,
    l2_hits,
});
coded!(PcTally {
    issued,
    threads_active,
    threads_executed,
    diverged,
    states,
    accesses,
});

impl AccessTally {
    fn add(&mut self, access: &AccessRow) {
        self.accesses += 1;
        self.wavefronts += u64::from(access.wavefronts);
        self.ideal_wavefronts += u64::from(access.ideal_wavefronts);
        self.requests += u64::from(access.requests);
        self.sectors += u64::from(access.sectors);
        self.transactions += u64::from(access.transactions);
        self.bytes += u64::from(access.bytes);
        self.asked_bytes += u64::from(access.lanes) * u64::from(access.width_bits) / 8;
        self.l1_hits += u64::from(access.l1_hits);
        self.l2_hits += u64::from(access.l2_hits);
    }

    fn merge(&mut self, other: &Self) {
        self.accesses += other.accesses;
        self.wavefronts += other.wavefronts;
        self.ideal_wavefronts += other.ideal_wavefronts;
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.transactions += other.transactions;
        self.bytes += other.bytes;
        self.asked_bytes += other.asked_bytes;
        self.l1_hits += other.l1_hits;
        self.l2_hits += other.l2_hits;
    }
}

/// Totals of one instruction, or of several (a source line, or the program).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PcTally {
    /// The number of issues.
    pub issued: u64,
    /// Active threads, summed over these issues.
    pub threads_active: u64,
    /// Active threads with a true guard, summed over these issues.
    pub threads_executed: u64,
    /// Issues whose active lanes diverged.
    pub diverged: u64,
    /// Warp-cycles with this instruction as the next one, by state.
    pub states: StateCycles,
    /// Memory accesses by kind.
    pub accesses: Vec<(RequestKind, AccessTally)>,
}

/// The number of lanes of a mask that is usually full.
#[inline(always)]
pub(super) fn count(lanes: LaneMask) -> u64 {
    if lanes == LaneMask::FULL {
        32
    } else {
        u64::from(lanes.count())
    }
}

impl PcTally {
    /// Counts an issue.
    #[inline(always)]
    pub(crate) fn issue(&mut self, issue: &IssueRow) {
        self.issued += 1;
        let active = count(issue.active);
        self.threads_active += active;
        self.threads_executed += if issue.executed == issue.active {
            active
        } else {
            count(issue.executed)
        };
        self.diverged += u64::from(issue.diverged);
    }

    /// Counts an access.
    pub fn access(&mut self, access: &AccessRow) {
        self.kind_mut(access.kind).add(access);
    }

    fn kind_mut(&mut self, kind: RequestKind) -> &mut AccessTally {
        let at = if let Some(at) = self.accesses.iter().position(|(of, _)| *of == kind) {
            at
        } else {
            self.accesses.push((kind, AccessTally::default()));
            self.accesses.len() - 1
        };
        &mut self.accesses[at].1
    }

    /// Sums over the accesses of a kind.
    pub fn of_kind(&self, kind: RequestKind) -> AccessTally {
        self.accesses
            .iter()
            .find(|(of, _)| *of == kind)
            .map_or_else(AccessTally::default, |(_, tally)| *tally)
    }

    /// Adds another instruction's totals.
    pub fn merge(&mut self, other: &Self) {
        self.issued += other.issued;
        self.threads_active += other.threads_active;
        self.threads_executed += other.threads_executed;
        self.diverged += other.diverged;
        for (to, from) in self.states.iter_mut().zip(other.states) {
            *to += from;
        }
        for (kind, tally) in &other.accesses {
            self.kind_mut(*kind).merge(tally);
        }
    }
}
