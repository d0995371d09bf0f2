//! Wrong rewrites, put into what the compiler makes, which random programs must find: tests of the tests.

mod rewrites;

use std::collections::BTreeMap;

use cuda::ir::verify::verify;
use cuda::ir::{Function, Module};

use super::check::{Failure, Setup, Stage, Subject};
use super::{Settings, generate};

/// Cycles that a run with a wrong rewrite may take; others take a tenth.
const MAX_CYCLES: u64 = 300_000;

/// A wrong rewrite.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// What it does.
    pub name: &'static str,
    stage: Stage,
    rewrite: fn(&mut Function, &mut Sites),
}

/// The places at which a function can be rewritten, one of which is.
struct Sites {
    seen: u64,
    chosen: Option<u64>,
}

impl Sites {
    /// Counts a place, and says whether to rewrite it.
    fn is_chosen(&mut self) -> bool {
        self.seen += 1;
        self.chosen == Some(self.seen - 1)
    }
}

impl Mutant {
    /// All of them.
    pub const fn all() -> &'static [Self] {
        rewrites::ALL
    }

    /// Rewrites the place that the seed chooses; false where there is none.
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
                // Where a value is not known at the place, no compiler makes this mistake.
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

/// How a rewrite was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program by which it was found.
    pub seed: u64,
    /// Programs until then in which it changed something.
    pub num_changed: u64,
    /// What it led to.
    pub failure: Failure,
}

/// Runs programs with each of the rewrites until the interpreter's outputs show all of them. Names with what was
/// found, `None` for a rewrite that these programs do not show.
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
