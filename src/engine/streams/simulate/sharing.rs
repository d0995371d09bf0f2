//! What a GPU has for the kernels that run on it, and how users of one capacity share it.

use crate::arch::Architecture;

/// What a GPU has, per nanosecond.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capacity {
    pub(super) dram_bytes: f64,
    /// `None` without L2.
    pub(super) l2_bytes: Option<f64>,
    /// Of one SM.
    pub(super) issues: f64,
}

impl Capacity {
    pub(super) fn of(arch: &Architecture) -> Self {
        let ghz = f64::from(arch.chip.sm_clock_mhz.value) * 1e-3;
        let slots =
            f64::from(arch.issue.schedulers.value) / f64::from(arch.issue.issue_interval_cycles.value);
        Self {
            dram_bytes: arch.dram_bytes_per_cycle() * f64::from(arch.memory.device.efficiency.value) * ghz,
            l2_bytes: (arch.memory.l2.as_ref()).map(|l2| f64::from(l2.bytes_per_cycle.value) * ghz),
            issues: slots * ghz,
        }
    }
}

/// The share of its demand that each of several users of a capacity gets: all of it, or an equal share of what is left
/// by those who need less.
pub(super) fn shares(demands: &[f64], capacity: f64) -> Vec<f64> {
    if demands.iter().sum::<f64>() <= capacity {
        return vec![1.0; demands.len()];
    }
    let mut order: Vec<usize> = (0..demands.len()).collect();
    order.sort_by(|a, b| demands[*a].total_cmp(&demands[*b]));
    let mut left = capacity;
    let mut all = vec![1.0; demands.len()];
    for (nth, idx) in order.iter().enumerate() {
        let granted = demands[*idx].min(left / (order.len() - nth) as f64);
        left -= granted;
        if demands[*idx] > 0.0 {
            all[*idx] = granted / demands[*idx];
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn what_a_user_does_not_need_goes_to_the_others() {
        assert_eq!(shares(&[3.0, 4.0], 10.0), [1.0, 1.0]);
        assert_eq!(shares(&[10.0, 10.0], 10.0), [0.5, 0.5]);
        assert_eq!(shares(&[2.0, 10.0, 0.0], 10.0), [1.0, 0.8, 1.0]);
        assert_eq!(shares(&[1.0, 9.0, 6.0], 10.0), [1.0, 0.5, 0.75]);
    }

    #[test]
    fn one_user_gets_all_that_there_is() {
        assert_eq!(shares(&[10.0], 10.0), [1.0]);
        assert_eq!(shares(&[10.0, 0.0], 10.0), [1.0, 1.0]);
        assert_eq!(shares(&[25.0], 10.0), [0.4]);
        assert_eq!(shares(&[], 10.0), [0.0; 0]);
    }
}
