//! The order of the findings once their changes are measured: by what they gain.

use super::claims::{add_cost, sort_costs};
use super::measure::gain;
use super::{Advice, Finding, MeasuredChange, THRESHOLD_PERCENT};

/// The largest difference of gains that are nearly equal, in percent of the cycles left. Assumption: hypothetical machines
/// and estimates are no closer to what a programmer reaches.
const NEAR_PERCENT: u64 = 10;

impl Advice {
    /// Orders the findings by what they gain, and puts those last that were tried and gain nothing. Too few warps own the
    /// latencies that more warps hide. The runs follow their findings.
    pub fn settle(&mut self, runs: &mut [MeasuredChange]) {
        let after: Vec<Option<u64>> = (0..self.findings.len())
            .map(|idx| gain(self, runs, idx).map(|gain| gain.cycles))
            .collect();
        self.own_latencies(&after);
        let least = self.warp_cycles as f64 * THRESHOLD_PERCENT as f64 / 100.0;
        // A finding without a change to measure is not known to gain nothing: it stays if its share is large.
        let is_shown = |idx: usize, finding: &Finding| {
            let is_open = finding.changes.is_empty() && !finding.rule.is_latency() && finding.weight >= least;
            after[idx].is_some() || is_open
        };
        let mut order: Vec<usize> = (0..self.findings.len()).collect();
        order.sort_by(|one, other| {
            let (first, second) = (&self.findings[*one], &self.findings[*other]);
            let place =
                |idx: usize, finding: &Finding| (!is_shown(idx, finding), after[idx].unwrap_or(u64::MAX));
            place(*one, first)
                .cmp(&place(*other, second))
                .then(second.weight.total_cmp(&first.weight))
        });
        self.prefer_larger(&mut order, &after);
        self.shown = (order.iter())
            .filter(|idx| is_shown(**idx, &self.findings[**idx]))
            .count();
        for run in runs.iter_mut() {
            run.finding = order
                .iter()
                .position(|idx| *idx == run.finding)
                .unwrap_or(run.finding);
        }
        let mut all: Vec<Option<Finding>> =
            std::mem::take(&mut self.findings).into_iter().map(Some).collect();
        self.findings = order.into_iter().filter_map(|idx| all[idx].take()).collect();
    }

    /// Of neighbors whose gains are nearly equal, puts the one first that more warp cycles are charged to.
    fn prefer_larger(&self, order: &mut [usize], after: &[Option<u64>]) {
        for place in (1..order.len()).rev() {
            let (one, other) = (order[place - 1], order[place]);
            let (Some(first), Some(second)) = (after[one], after[other]) else {
                continue;
            };
            let is_near = second * 100 <= first * (100 + NEAR_PERCENT);
            if is_near && self.findings[other].cycles > self.findings[one].cycles {
                order.swap(place - 1, place);
            }
        }
    }

    /// Moves the cycles of latencies that gain nothing by themselves to the finding about the number of warps that gains
    /// the most.
    fn own_latencies(&mut self, after: &[Option<u64>]) {
        let about_warps = (0..self.findings.len()).filter(|idx| self.findings[*idx].rule.is_about_warps());
        let owner = about_warps
            .filter_map(|idx| Some((after[idx]?, idx)))
            .min()
            .map(|(_, idx)| idx);
        let Some(owner) = owner else { return };
        for (idx, gain) in after.iter().enumerate() {
            if !self.findings[idx].rule.is_latency() || gain.is_some() {
                continue;
            }
            let finding = &mut self.findings[idx];
            let (cycles, weight) = (finding.cycles, finding.weight);
            let lines = std::mem::take(&mut finding.lines);
            (finding.cycles, finding.weight) = (0, 0.0);
            let to = &mut self.findings[owner];
            to.cycles += cycles;
            to.weight += weight;
            for cost in lines {
                add_cost(&mut to.lines, cost);
            }
            sort_costs(&mut to.lines);
        }
    }
}
