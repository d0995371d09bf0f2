//! The direction vectors that cuRAND gives the host for Sobol sequences.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;

/// The types of direction vectors, as `curand.h` declares them.
pub(in crate::host) const DECLARATIONS: &str = "typedef unsigned int curandDirectionVectors32_t[32]; typedef unsigned long long curandDirectionVectors64_t[64];";

/// Whether a text uses what [`DECLARATIONS`] declares.
pub(in crate::host) fn is_used(text: &str) -> bool {
    text.contains("curandDirectionVectors")
}

/// Dimensions of cuRAND's tables (cuRAND Library Documentation, `curandSetQuasiRandomGeneratorDimensions`).
const NUM_DIMENSIONS: u64 = 20_000;

/// The primitive polynomials of the dimensions from the second on: degree, inner coefficients, and the first direction
/// numbers. Source: S. Joe and F. Y. Kuo, table new-joe-kuo-6.21201, which `curand.h` names `JOEKUO6`; cuRAND 10.4 returns
/// the vectors that follow from these rows.
pub(crate) const POLYNOMIALS: [(usize, u64, &[u64]); 9] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
];

/// The direction vectors of a dimension, with the first in the highest bit. Source: Bratley and Fox, "Algorithm 659", 1988.
pub(crate) fn vectors(dimension: usize, num_bits: usize) -> Vec<u64> {
    let shifted = |number: u64, at: usize| number << (num_bits - 1 - at);
    let Some((degree, coefficients, first)) = dimension.checked_sub(1).map(|row| POLYNOMIALS[row]) else {
        return (0..num_bits).map(|at| shifted(1, at)).collect();
    };
    let mut out: Vec<u64> = (first.iter().enumerate())
        .map(|(at, number)| shifted(*number, at))
        .collect();
    for at in degree..num_bits {
        let oldest = out[at - degree];
        let mut vector = oldest ^ oldest >> degree;
        for back in 1..degree {
            if coefficients >> (degree - 1 - back) & 1 == 1 {
                vector ^= out[at - back];
            }
        }
        out.push(vector);
    }
    out
}

/// The numbers of the sets of direction vectors (`curandDirectionVectorSet_t`), and the success of a call.
pub(in crate::host) fn constant(text: &str) -> Option<i64> {
    Some(match text {
        "CURAND_STATUS_SUCCESS" => 0,
        "CURAND_DIRECTION_VECTORS_32_JOEKUO6" => 101,
        "CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6" => 102,
        "CURAND_DIRECTION_VECTORS_64_JOEKUO6" => 103,
        "CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6" => 104,
        _ => return None,
    })
}

impl Machine {
    /// Calls that return tables of cuRAND. The tables of scrambled sequences are not known.
    pub(in crate::host) fn sobol_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        let (num_bits, has_vectors) = match name {
            "curandGetDirectionVectors32" => (32, true),
            "curandGetDirectionVectors64" => (64, true),
            "curandGetScrambleConstants32" => (32, false),
            "curandGetScrambleConstants64" => (64, false),
            _ => return Ok(None),
        };
        let Some(target) = args.first() else {
            return Ok(None);
        };
        let target = self.eval(target)?;
        let set = match args.get(1) {
            Some(set) => self.eval(set)?,
            None => Value::int(0),
        };
        let is_plain = set.is_known() && matches!(set.bits, 101 | 103);
        let bytes_each = num_bits as u64 / 8 * if has_vectors { num_bits as u64 } else { 1 };
        let line = self.line;
        let size = NUM_DIMENSIONS * bytes_each;
        let address = self.memory.alloc(size, Space::Host, name.to_owned(), line);
        self.memory.set_pageable(address);
        self.step += 1;
        let mut data = Vec::new();
        if has_vectors && is_plain {
            let words = (0..=POLYNOMIALS.len()).flat_map(|dimension| vectors(dimension, num_bits));
            data.extend(words.flat_map(|word| word.to_le_bytes().into_iter().take(num_bits / 8)));
        }
        let state = self.reason(format!("Warpscope does not have all values of `{name}`"));
        self.memory.forget(address, state, self.step);
        self.memory
            .write(address, &data, &vec![KNOWN; data.len()], self.step);
        if let Some(at) = self.target(&target) {
            self.store(at, Value::new(at.ty, address, KNOWN));
        }
        Ok(Some(Value::int(0)))
    }
}
