//! Random numbers of the C library, as in glibc, so that a program gets the same numbers as natively.

/// `rand` and `random` of glibc (`stdlib/random_r.c`, `TYPE_3)`: an additive feedback generator of degree 31.
#[derive(Clone, Debug)]
pub(super) struct Rand {
    state: Vec<u32>,
    at: usize,
}

impl Rand {
    pub(super) fn new(seed: u32) -> Self {
        let seed = if seed == 0 { 1 } else { seed };
        let mut state = vec![seed; 31];
        for i in 1..31 {
            // 16807 * r % 2147483647, without overflow, made positive.
            let word = i64::from(state[i - 1].cast_signed());
            let (high, low) = (word / 127_773, word % 127_773);
            let next = 16_807 * low - 2_836 * high;
            state[i] = (if next < 0 { next + 2_147_483_647 } else { next }) as u32;
        }
        // glibc starts with the number after the third.
        let mut rand = Self { state, at: 3 };
        // glibc discards the first 310 numbers.
        for _ in 0..310 {
            rand.step();
        }
        rand
    }

    /// The next number, of 31 bits.
    pub(super) fn step(&mut self) -> u32 {
        // x[i] = x[i - 31] + x[i - 3]; `at` is the index of x[i - 31].
        let sum = self.state[self.at].wrapping_add(self.state[(self.at + 28) % 31]);
        self.state[self.at] = sum;
        self.at = (self.at + 1) % 31;
        sum >> 1
    }
}

/// `drand48` and its family (POSIX): x = 0x5deece66d x + 11 mod 2^48.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rand48(u64);

impl Rand48 {
    pub(super) const fn new(seed: u32) -> Self {
        Self((seed as u64) << 16 | 0x330e)
    }

    /// The state before `srand48`: all zeros in glibc.
    pub(super) const fn unseeded() -> Self {
        Self(0)
    }

    fn step(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5_deec_e66d).wrapping_add(11) & ((1 << 48) - 1);
        self.0
    }

    pub(super) fn drand(&mut self) -> f64 {
        self.step() as f64 / (1_u64 << 48) as f64
    }

    pub(super) fn lrand(&mut self) -> u32 {
        (self.step() >> 17) as u32
    }
}
