//! Kernels that run together share what the chip has: device memory, L2, and the issue slots of an SM.
//!
//! A kernel's demand is known from its run alone: bytes and warp instructions of a mean block, over the time of a mean
//! block. Where the kernels together demand more than there is, each gets an equal share, and what a kernel does not
//! need goes to the others. Blocks then run slower in the same ratio. A kernel alone is never slowed: the times of its
//! blocks already contain what its own blocks do to each other.

use std::collections::BTreeMap;

use super::Simulator;
use super::sharing::shares;
use crate::streams::Demand;
use crate::streams::calls::CallKind;
use crate::streams::queues::{Context, Pace};
use crate::streams::trace::Resource;

impl Simulator<'_> {
    /// Sets how fast the blocks of each GPU run, where blocks have started or ended.
    pub(super) fn set_paces(&mut self) {
        for gpu in 0..self.gpus.len() {
            // Copies and kernels of other GPUs change the paces of kernels with peer access.
            if std::mem::take(&mut self.gpus[gpu].has_changed) || self.has_peers {
                self.set_paces_on(gpu);
            }
        }
    }

    fn demand(&self, op: usize) -> Demand {
        match self.ops[op].kind {
            CallKind::Launch(work) => {
                (self.works.get(work as usize)).map_or_else(Demand::default, |work| work.demand)
            }
            _ => Demand::default(),
        }
    }

    fn set_paces_on(&mut self, gpu: usize) {
        let active = self.gpus[gpu]
            .contexts
            .values()
            .filter(|context| context.is_active);
        let mut on_sm: BTreeMap<u16, Vec<(usize, u32)>> = BTreeMap::new();
        let mut kernels: BTreeMap<usize, u32> = BTreeMap::new();
        for ((op, sm), num) in active.flat_map(Context::running) {
            on_sm.entry(sm).or_default().push((op, num));
            *kernels.entry(op).or_default() += num;
        }
        let now = self.now;
        if kernels.len() <= 1 && !self.has_peers {
            for context in self.gpus[gpu]
                .contexts
                .values_mut()
                .filter(|context| context.is_active)
            {
                context.set_paces(now, |_, _| Pace::FULL);
            }
            return;
        }
        let memory = self.memory_paces(&kernels);
        let mut paces: BTreeMap<(usize, u16), Pace> = BTreeMap::new();
        for (sm, running) in &on_sm {
            // Blocks that wait for memory issue less.
            let issues: Vec<f64> = (running.iter())
                .map(|(op, num)| {
                    (self.demand(*op).issues * f64::from(*num)).min(self.capacity.issues) * memory[op].rate
                })
                .collect();
            for ((op, num), share) in running.iter().zip(shares(&issues, self.capacity.issues)) {
                let mut pace = memory[op];
                let port = self.port_share(*op, *num);
                if port < pace.rate {
                    pace = Pace {
                        rate: port,
                        slowed_by: Some(Resource::PeerLink),
                    };
                }
                if share < 1.0 {
                    // The larger of the two losses names the cause.
                    if share < pace.rate {
                        pace.slowed_by = Some(Resource::IssueSlots);
                    }
                    pace.rate *= share;
                }
                paces.insert((*op, *sm), pace);
            }
        }
        for context in self.gpus[gpu]
            .contexts
            .values_mut()
            .filter(|context| context.is_active)
        {
            context.set_paces(now, |op, sm| paces.get(&(op, sm)).copied().unwrap_or(Pace::FULL));
        }
    }

    /// How fast device memory, L2, and the links to other GPUs let kernels with these numbers of blocks run.
    fn memory_paces(&self, kernels: &BTreeMap<usize, u32>) -> BTreeMap<usize, Pace> {
        let mut paces: BTreeMap<usize, Pace> = kernels.keys().map(|op| (*op, Pace::FULL)).collect();
        let mut limit = |resource: Resource, of: fn(&Demand) -> f64, capacity: f64| {
            let demands: Vec<f64> = (kernels.iter())
                .map(|(op, num)| of(&self.demand(*op)) * f64::from(*num))
                .collect();
            // A kernel alone is not slowed by its own blocks.
            let demands: Vec<f64> = demands.iter().map(|demand| demand.min(capacity)).collect();
            for (pace, share) in paces.values_mut().zip(shares(&demands, capacity)) {
                if share < pace.rate {
                    *pace = Pace {
                        rate: share,
                        slowed_by: Some(resource),
                    };
                }
            }
        };
        limit(
            Resource::Dram,
            |demand| demand.dram_bytes,
            self.capacity.dram_bytes,
        );
        if let Some(l2) = self.capacity.l2_bytes {
            limit(Resource::L2, |demand| demand.l2_bytes, l2);
        }
        for (op, rate) in self.link_rates() {
            if let Some(pace) = paces.get_mut(&op).filter(|pace| rate < pace.rate) {
                *pace = Pace {
                    rate,
                    slowed_by: Some(Resource::PeerLink),
                };
            }
        }
        paces
    }
}
