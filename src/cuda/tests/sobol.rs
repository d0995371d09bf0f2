//! Direction vectors of Sobol sequences.

use cuda::internals::{LAST_SOBOL_DIMENSION, sobol_vectors as vectors};

/// The exclusive or of all vectors of ten dimensions, and the last vector of the tenth, as cuRAND 10.4 returns them.
#[test]
fn vectors_are_those_of_curand() {
    for (num_bits, sum, last) in [
        (32, 3_535_729_348, 2_197_780_721),
        (64, 3_531_091_991_579_575_266, 4_614_624_871_134_455_051),
    ] {
        let all = (0..=LAST_SOBOL_DIMENSION).flat_map(|dimension| vectors(dimension, num_bits));
        assert_eq!(all.fold(0, |sum, vector| sum ^ vector), sum);
        assert_eq!(vectors(LAST_SOBOL_DIMENSION, num_bits).last(), Some(&last));
    }
}

/// A digital net in base 2: of the first 2^n points of a dimension, each of 2^n equal intervals has one.
#[test]
fn the_first_points_of_each_dimension_are_evenly_spread() {
    for dimension in 0..=LAST_SOBOL_DIMENSION {
        let vectors = vectors(dimension, 64);
        assert_eq!(vectors.len(), 64);
        let mut seen = [false; 1024];
        for point in 0..1024u64 {
            let bits = (0..10).filter(|bit| point >> bit & 1 == 1);
            let x = bits.fold(0, |x, bit| x ^ vectors[bit]);
            assert!(
                !std::mem::replace(&mut seen[(x >> 54) as usize], true),
                "{dimension}"
            );
        }
    }
}
