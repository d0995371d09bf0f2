//! Sets of a block's threads.

/// A set of threads, as bits by linear thread index; `W` words of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask<const W: usize>([u64; W]);

impl<const W: usize> Mask<W> {
    pub(super) const EMPTY: Self = Self([0; W]);

    /// The threads 0 to `num` - 1.
    pub(super) fn first(num: usize) -> Self {
        Self::from_fn(num, |_| true)
    }

    /// The threads among 0 to `num` - 1 for which `is_in` returns true.
    #[inline]
    pub(super) fn from_fn(num: usize, is_in: impl Fn(usize) -> bool) -> Self {
        let mut words = [0; W];
        for (idx, word) in words.iter_mut().enumerate() {
            let start = idx * 64;
            for lane in start..num.min(start + 64) {
                *word |= u64::from(is_in(lane)) << (lane - start);
            }
        }
        Self(words)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    #[inline]
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|idx| self.0[idx] & other.0[idx]))
    }

    #[inline]
    pub(super) fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|idx| self.0[idx] | other.0[idx]))
    }

    /// The threads that are not in `other`.
    #[inline]
    pub(super) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|idx| self.0[idx] & !other.0[idx]))
    }

    #[inline]
    pub(super) fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    /// The threads of the set, in ascending order.
    #[inline]
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<W> {
        let words = self.0;
        (0..W).flat_map(move |idx| {
            let mut rest = words[idx];
            std::iter::from_fn(move || {
                let lane = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    idx * 64 + lane
                })
            })
        })
    }

    /// The 32 bits of a warp.
    #[inline]
    pub(super) fn warp(&self, warp: usize) -> u32 {
        (self.0[warp / 2] >> (warp % 2 * 32)) as u32
    }

    /// Copies the values of the set's threads.
    #[inline]
    pub(super) fn copy(&self, to: &mut [u64], from: &[u64]) {
        for ((to, from), word) in to.chunks_mut(64).zip(from.chunks(64)).zip(self.0) {
            if word == u64::MAX {
                to.copy_from_slice(from);
            } else if word != 0 {
                for (lane, (to, from)) in to.iter_mut().zip(from).enumerate() {
                    let keep = (word >> lane & 1).wrapping_sub(1);
                    *to = *to & keep | *from & !keep;
                }
            }
        }
    }
}
