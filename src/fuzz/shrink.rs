//! Minimizes programs that fail, while they keep failing in the same way.

mod edits;
mod pieces;
mod valid;

use super::check::{Failure, Setup, Subject, check};
use super::cxx::{Oracle, Outputs};
use super::tree::Program;

/// The number of programs per call of the oracle.
const BATCH: usize = 24;

/// Returns the smallest program found that fails in the same way in this setup.
pub fn shrink(program: &Program, setup: &Setup, failure: &Failure, oracle: &mut dyn Oracle) -> Program {
    let is_wrong = |program: &Program, expected: Option<&Outputs>| {
        check(program, expected, setup).is_some_and(|found| found.is_like(failure))
    };
    let needs_oracle = matches!(failure, Failure::Wrong { .. });
    if program.cpp.is_some() {
        return pieces::smaller(program, &mut |candidate| {
            if !needs_oracle && !is_wrong(candidate, None) {
                return false;
            }
            let source = candidate.source();
            // This check rejects most invalid C++ faster than the compiler.
            if needs_oracle && Subject::new(&source, candidate.shape(), setup).is_err() {
                return false;
            }
            let expected = oracle.outputs(std::slice::from_ref(candidate)).pop();
            let Some(Ok(expected)) = expected else {
                return false;
            };
            !needs_oracle || is_wrong(candidate, Some(&expected))
        });
    }
    smaller(program, &mut |candidates| {
        if !needs_oracle {
            return candidates.iter().position(|candidate| is_wrong(candidate, None));
        }
        let expected = oracle.outputs(candidates);
        candidates
            .iter()
            .zip(&expected)
            .position(|(candidate, expected)| {
                expected
                    .as_ref()
                    .is_ok_and(|expected| is_wrong(candidate, Some(expected)))
            })
    })
}

/// Returns the size that each step reduces: text, launch, and numbers.
fn size(program: &Program) -> [u64; 3] {
    let shape = &program.shape;
    let nonzero = shape.input.iter().filter(|value| **value != 0).count() as u64;
    let source = program.source();
    [
        source.len() as u64,
        nonzero + u64::from(shape.blocks + shape.threads) + u64::from(shape.n != 0) + u64::from(shape.m != 0),
        source.bytes().map(u64::from).sum(),
    ]
}

/// Returns the smallest program found. `first_failing` returns the index of the first program that still fails.
fn smaller(program: &Program, first_failing: &mut dyn FnMut(&[Program]) -> Option<usize>) -> Program {
    let mut best = program.clone();
    loop {
        let before = size(&best);
        for pass in edits::PASSES {
            let mut at = 0;
            loop {
                let edits = pass(&best);
                let next = (at + BATCH).min(edits.len());
                if at >= next {
                    break;
                }
                let (positions, valid): (Vec<usize>, Vec<Program>) = (at..next)
                    .filter_map(|position| {
                        let mut candidate = best.clone();
                        edits[position](&mut candidate);
                        let is_smaller = size(&candidate) < size(&best);
                        (is_smaller && valid::is_valid(&candidate)).then_some((position, candidate))
                    })
                    .unzip();
                match (!valid.is_empty()).then(|| first_failing(&valid)).flatten() {
                    Some(found) => {
                        best = valid[found].clone();
                        at = positions[found];
                    }
                    None => at = next,
                }
            }
        }
        if size(&best) >= before {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, generate};
    use super::smaller;

    #[test]
    fn a_smaller_program_still_fails() {
        for seed in 0..10 {
            let program = generate(seed, &Settings::default());
            let fails = |program: &crate::Program| program.source().contains("atomicAdd") == (seed % 2 == 0);
            if !fails(&program) {
                continue;
            }
            let small = smaller(&program, &mut |candidates| candidates.iter().position(fails));
            assert!(fails(&small));
            assert!(small.source().len() < 400, "{}", small.source());
        }
    }
}
