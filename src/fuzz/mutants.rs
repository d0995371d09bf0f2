//! Mutation tests: injects wrong rewrites into compiled functions, which random programs must detect.

mod rewrites;

use std::collections::BTreeMap;

use cuda::ir::verify::verify;
use cuda::ir::{Function, Module};

use super::check::{Failure, Setup, Stage, Subject};
use super::{Settings, generate};

/// The cycle limit of a run with a wrong rewrite; runs without one take a tenth.
const MAX_CYCLES: u64 = 300_000;

/// A wrong rewrite.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// The name of the rewrite.
    pub name: &'static str,
    stage: Stage,
    rewrite: fn(&mut Function, &mut Sites),
}

/// The candidate places for a rewrite in a function, and the selected one.
struct Sites {
    seen: u64,
    chosen: Option<u64>,
}

impl Sites {
    /// Counts a place and returns whether it is the selected one.
    fn is_chosen(&mut self) -> bool {
        self.seen += 1;
        self.chosen == Some(self.seen - 1)
    }
}

impl Mutant {
    /// All wrong rewrites.
    pub const fn all() -> &'static [Self] {
        rewrites::ALL
    }

    /// Rewrites the place that the seed selects. Returns false if the function has no place.
    fn apply(self, module: &mut Module, seed: u64) -> bool {
        let mut sites = Sites {
            seen: 0,
            chosen: None,
        };
        for function in &module.functions {
            (self.rewrite)(&mut function.clone(), &mut sites);
        }
        if sites.seen == 0 {
            return false;
        }
        let mut chosen = seed % sites.seen;
        for function in &mut module.functions {
            let mut sites = Sites {
                seen: 0,
                chosen: Some(chosen),
            };
            let mut changed = function.clone();
            (self.rewrite)(&mut changed, &mut sites);
            if chosen < sites.seen {
                // A rewrite that uses an undefined value is no realistic compiler defect.
                let is_legal = verify(&changed).is_ok();
                if is_legal {
                    *function = changed;
                }
                return is_legal;
            }
            chosen -= sites.seen;
        }
        false
    }
}

/// The detection of a rewrite.
#[derive(Clone, Debug)]
pub struct Found {
    /// The seed of the program that detected the rewrite.
    pub seed: u64,
    /// The number of programs that the rewrite changed until detection.
    pub num_changed: u64,
    /// The resulting failure.
    pub failure: Failure,
}

/// Runs programs with each rewrite until the interpreter's outputs detect all rewrites.
///
/// Returns the detection of each rewrite by name, or `None` for a rewrite that the programs do not detect.
pub fn hunt(seeds: std::ops::Range<u64>, settings: &Settings) -> BTreeMap<&'static str, Option<Found>> {
    let mut found: BTreeMap<&'static str, Option<Found>> =
        Mutant::all().iter().map(|mutant| (mutant.name, None)).collect();
    let mut num_changed: BTreeMap<&'static str, u64> = BTreeMap::new();
    for seed in seeds {
        let open: Vec<Mutant> = Mutant::all()
            .iter()
            .copied()
            .filter(|mutant| found[mutant.name].is_none())
            .collect();
        let program = generate(seed, settings);
        let setups = Setup::some_of(&program, None, 1);
        let subjects = setups
            .first()
            .and_then(|setup| Subject::new(&program.source(), program.shape(), setup).ok());
        let Some(subject) = subjects.filter(|_| !open.is_empty()) else {
            continue;
        };
        let Ok(expected) = subject.interpreted(false) else {
            continue;
        };
        for mutant in open {
            let mut is_changed = false;
            let failure = subject.check_changed(Some(&expected), MAX_CYCLES, &mut |stage, module| {
                is_changed |= stage == mutant.stage && mutant.apply(module, seed);
            });
            let num = num_changed.entry(mutant.name).or_default();
            *num += u64::from(is_changed);
            let shows = |failure: &Failure| {
                matches!(
                    failure,
                    Failure::Wrong { .. } | Failure::Timeout | Failure::Fault(_)
                )
            };
            if let Some(failure) = failure.filter(shows)
                && is_changed
                && subject.check(Some(&expected)).is_none()
            {
                let how = Found {
                    seed,
                    num_changed: *num,
                    failure,
                };
                found.insert(mutant.name, Some(how));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::hunt;
    use crate::Settings;

    #[test]
    fn wrong_rewrites_are_found() {
        for (name, found) in hunt(0..300, &Settings::default()) {
            assert!(found.is_some(), "{name}");
        }
    }
}
