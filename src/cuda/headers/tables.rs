//! Large tables that the headers use.

use std::sync::OnceLock;

/// The words of the XORWOW state that are linear: all except the counter.
const NUM_WORDS: usize = 5;
const NUM_BITS: usize = NUM_WORDS * 32;
/// Number of base-4 digits of a 64-bit number.
const NUM_MATRICES: usize = 32;

/// The successor state of each single-bit state.
type Matrix = [[u32; NUM_WORDS]; NUM_BITS];

/// The words of a table, by its name in the headers.
pub(crate) fn table(name: &str) -> Option<&'static [u32]> {
    static SEQUENCES: OnceLock<Vec<u32>> = OnceLock::new();
    static STEPS: OnceLock<Vec<u32>> = OnceLock::new();
    match name {
        // cuRAND Library Documentation, "Bit Generation with XORWOW": a sequence has 2^67 numbers.
        "__ws_xorwow_sequences" => Some(SEQUENCES.get_or_init(|| xorwow_powers(67))),
        "__ws_xorwow_steps" => Some(STEPS.get_or_init(|| xorwow_powers(0))),
        _ => None,
    }
}

/// The matrices of 2^log2 steps and of its multiples by powers of 4.
fn xorwow_powers(log2: u32) -> Vec<u32> {
    let mut matrix: Matrix = std::array::from_fn(|bit| {
        let mut state = [0; NUM_WORDS];
        state[bit / 32] = 1 << (bit % 32);
        next(state)
    });
    for _ in 0..log2 {
        matrix = squared(&matrix);
    }
    let mut out = Vec::with_capacity(NUM_MATRICES * NUM_BITS * NUM_WORDS);
    for _ in 0..NUM_MATRICES {
        out.extend(matrix.iter().flatten());
        matrix = squared(&squared(&matrix));
    }
    out
}

/// One step of the generator (Marsaglia, "Xorshift RNGs", 2003, section 3.1).
const fn next([a, b, c, d, e]: [u32; NUM_WORDS]) -> [u32; NUM_WORDS] {
    let mixed = a ^ a >> 2;
    [b, c, d, e, e ^ e << 4 ^ mixed ^ mixed << 1]
}

fn squared(matrix: &Matrix) -> Matrix {
    std::array::from_fn(|row| applied(matrix, matrix[row]))
}

fn applied(matrix: &Matrix, state: [u32; NUM_WORDS]) -> [u32; NUM_WORDS] {
    let mut sum = [0; NUM_WORDS];
    for (bit, row) in matrix.iter().enumerate() {
        if state[bit / 32] >> (bit % 32) & 1 == 1 {
            for (word, other) in sum.iter_mut().zip(row) {
                *word ^= other;
            }
        }
    }
    sum
}
