//! Random numbers from `SplitMix64`, whose sequences must never change.

/// A sequence of random numbers from a seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed ^ 0x5851_f42d_4c95_7f2d);
        random.step();
        random
    }

    pub(crate) fn step(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Draws a number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.step() >> 11) as usize % end.max(1)
    }

    /// Draws a number from `first` to `last`.
    pub(crate) fn between(&mut self, first: i64, last: i64) -> i64 {
        first + self.below((last - first + 1) as usize) as i64
    }

    /// Draws true with the given probability in percent.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Draws one of the elements.
    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Draws an index with a probability proportional to its weight.
    pub(crate) fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (idx, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return idx;
            }
            rest -= weight;
        }
        weights.len() - 1
    }
}
