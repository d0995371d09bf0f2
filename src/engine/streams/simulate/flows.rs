//! Copies: each first takes its latency, then its bytes share the links of their way with other copies.

use super::{Simulator, State};
use crate::streams::calls::CallKind;
use crate::streams::computer::{Link, Route};
use crate::streams::trace::WaitReason;

/// A copy in progress.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) op: usize,
    route: Route,
    /// The end of the latency.
    data_ns: u64,
    /// Bytes that travel at first, and the others.
    first: f64,
    rest: f64,
}

impl Simulator<'_> {
    /// Starts a copy, or a `cudaMemset`.
    pub(super) fn start_flow(&mut self, op: usize) {
        let gpu = self.ops[op].gpu;
        let (route, bytes) = match self.ops[op].kind {
            CallKind::Copy { bytes, from, to, .. } => {
                let is_peer = self.is_peer(self.ops[op].process, from, to);
                let route = self.options.computer.route(self.arch, from, to, bytes, is_peer);
                (route, bytes)
            }
            CallKind::Set(bytes) => {
                let route = Route {
                    links: vec![Link::Memory(gpu)],
                    // It writes, and a copy within the GPU reads and writes.
                    gb_per_s: 2.0 * self.options.computer.link_gb_per_s(self.arch, Link::Memory(gpu)),
                    latency_ns: self.host.copy_latency_ns.value.into(),
                    first_bytes: 0,
                    first_gb_per_s: 1.0,
                };
                (route, bytes)
            }
            _ => return,
        };
        self.begin(op);
        self.trace.spans[op].route = Some(route.clone());
        let first = route.first_bytes.min(bytes) as f64;
        self.flows.push(Flow {
            op,
            data_ns: self.now + route.latency_ns,
            first,
            rest: bytes as f64 - first,
            route,
        });
    }

    /// Copies whose bytes are on a link.
    pub(super) fn num_copies_on(&self, link: Link) -> usize {
        let is_on = |flow: &&Flow| self.has_data(flow) && flow.route.links.contains(&link);
        self.flows.iter().filter(is_on).count()
    }

    fn has_data(&self, flow: &Flow) -> bool {
        flow.data_ns <= self.now
    }

    /// The rate of a copy in bytes per nanosecond: its own limit, and an equal share of each link.
    fn rate(&self, flow: &Flow) -> f64 {
        let own = if flow.first > 0.0 {
            flow.route.first_gb_per_s
        } else {
            flow.route.gb_per_s
        };
        let share = |link: &Link| self.copy_share(*link);
        let is_alone = matches!(flow.route.links[..], [Link::Memory(_)]) && self.flows.len() == 1;
        if is_alone {
            return own;
        }
        flow.route.links.iter().map(share).fold(own, f64::min)
    }

    pub(super) fn flow_events(&self, offer: &mut impl FnMut(u64)) {
        for flow in &self.flows {
            if !self.has_data(flow) {
                offer(flow.data_ns);
                continue;
            }
            let left = if flow.first > 0.0 { flow.first } else { flow.rest };
            let time = (left / self.rate(flow)).ceil().max(1.0);
            offer(self.now + time as u64);
        }
    }

    /// Moves the bytes of all copies until a time.
    pub(super) fn advance_flows(&mut self, to: u64) {
        let length = (to - self.now) as f64;
        let moved: Vec<f64> = self
            .flows
            .iter()
            .map(|flow| {
                if self.has_data(flow) {
                    self.rate(flow) * length
                } else {
                    0.0
                }
            })
            .collect();
        for (flow, moved) in self.flows.iter_mut().zip(moved) {
            let left = if flow.first > 0.0 {
                &mut flow.first
            } else {
                &mut flow.rest
            };
            *left = (*left - moved).max(0.0);
        }
    }

    /// Ends the copies whose bytes have arrived.
    pub(super) fn end_flows(&mut self) -> bool {
        let is_ended = |flow: &Flow| flow.data_ns <= self.now && flow.first + flow.rest < 1e-3;
        let ended: Vec<usize> = self
            .flows
            .iter()
            .filter(|flow| is_ended(flow))
            .map(|flow| flow.op)
            .collect();
        for op in &ended {
            self.flows.retain(|flow| flow.op != *op);
            for gpu in &mut self.gpus {
                for engine in &mut gpu.engines {
                    engine.take_if(|own| own == op);
                }
            }
            self.finish(*op);
        }
        !ended.is_empty()
    }

    /// Ends records and waits for events whose needs have ended.
    pub(super) fn end_instants(&mut self) -> bool {
        let mut ended = Vec::new();
        for idx in 0..self.instants.len() {
            let op = self.instants[idx];
            let need = self.ops[op]
                .needs
                .iter()
                .find(|(need, _)| self.ops[*need as usize].state != State::Ended)
                .copied();
            match need {
                Some((need, why)) => self.wait(op, why, Some(need as usize)),
                None if self.ready_ns(op) <= self.now => ended.push(op),
                None => self.wait(op, WaitReason::Submission, None),
            }
        }
        for op in &ended {
            self.begin(*op);
            self.finish(*op);
        }
        self.instants.retain(|op| !ended.contains(op));
        !ended.is_empty()
    }
}
