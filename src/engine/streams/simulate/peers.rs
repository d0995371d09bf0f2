//! Kernels that access the memory of another GPU: their loads and stores share the links with copies.

use std::collections::BTreeMap;

use super::Simulator;
use super::sharing::shares;
use crate::streams::PeerAccess;
use crate::streams::calls::CallKind;
use crate::streams::computer::Link;

/// The bytes per nanosecond that running kernels demand of each link.
type Demands = BTreeMap<Link, Vec<(usize, f64)>>;

impl Simulator<'_> {
    /// What the blocks of a launch access in the memory of other GPUs.
    pub(super) fn peers_of(&self, op: usize) -> &[PeerAccess] {
        match self.ops[op].kind {
            CallKind::Launch(work) => self.works.get(work as usize).map_or(&[], |work| &work.peers),
            _ => &[],
        }
    }

    fn link_demands(&self) -> Demands {
        let mut demands = Demands::new();
        if !self.has_peers {
            return demands;
        }
        for op in self.gpus.iter().flat_map(|gpu| &gpu.kernels) {
            let (own, num) = (self.ops[*op].gpu, f64::from(self.ops[*op].resident));
            let context = self.context_of(self.ops[*op].process);
            let contexts = &self.gpus[usize::from(own)].contexts;
            if contexts.get(&context).is_none_or(|context| !context.is_active) {
                continue;
            }
            for access in self.peers_of(*op) {
                for (bytes, from, to) in [
                    (access.loaded_bytes, access.gpu, own),
                    (access.stored_bytes, own, access.gpu),
                ] {
                    if bytes * num > 0.0 && from != to {
                        for link in self.options.computer.peer_links(self.arch, from, to) {
                            demands.entry(link).or_default().push((*op, bytes * num));
                        }
                    }
                }
            }
        }
        demands
    }

    /// What kernels and copies get of a link: the kernels' shares of their demands, and the bandwidth of each copy.
    fn split_link(&self, link: Link, kernels: &[(usize, f64)]) -> (Vec<f64>, f64) {
        let computer = self.options.computer;
        let num_copies = self.num_copies_on(link) as f64;
        let bandwidth = computer.link_gb_per_s(self.arch, link);
        // Equal shares; what kernels do not need goes to the copies.
        let equal = kernels.len() as f64 / (kernels.len() as f64 + num_copies);
        let demands: Vec<f64> = kernels.iter().map(|(_, demand)| *demand).collect();
        let capacity = computer.access_gb_per_s(self.arch, link) * equal;
        let granted = shares(&demands, capacity);
        let used: f64 = demands
            .iter()
            .zip(&granted)
            .map(|(demand, share)| demand * share)
            .sum();
        (granted, (bandwidth - used) / num_copies.max(1.0))
    }

    /// The bandwidth of each copy on a link, in GB/s.
    pub(super) fn copy_share(&self, link: Link) -> f64 {
        let demands = self.link_demands();
        self.split_link(link, demands.get(&link).map_or(&[], Vec::as_slice))
            .1
    }

    /// How fast the links let each running kernel with accesses to other GPUs run.
    pub(super) fn link_rates(&self) -> BTreeMap<usize, f64> {
        let mut rates = BTreeMap::new();
        for (link, kernels) in self.link_demands() {
            let (granted, _) = self.split_link(link, &kernels);
            for ((op, _), share) in kernels.iter().zip(granted) {
                let rate = rates.entry(*op).or_insert(1.0_f64);
                *rate = rate.min(share);
            }
        }
        rates
    }

    /// The share of its loads from other GPUs that an SM gets for these blocks of a launch.
    pub(super) fn port_share(&self, op: usize, num_blocks: u32) -> f64 {
        let loaded: f64 = self.peers_of(op).iter().map(|access| access.loaded_bytes).sum();
        let demand = loaded * f64::from(num_blocks);
        let most = self
            .host
            .nvlink
            .map_or(f64::INFINITY, |nvlink| nvlink.sm_load_gb_per_s.value);
        if demand > most { most / demand } else { 1.0 }
    }
}
