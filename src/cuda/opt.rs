//! Optimization of the intermediate representation, to the form that nvcc -O3 gives a kernel.

use super::ir::verify::verify;
use super::ir::{Function, Module};
use engine::arch::Generation;

mod chain;
mod copies;
mod effects;
mod forward;
mod fuse;
mod hoist;
mod if_convert;
mod legalize;
mod motion;
mod narrow;
mod promote;
mod prune;
mod reduce;
mod repair;
mod share;
pub(crate) mod simplify;
mod spaces;
mod spin;
mod tidy;
mod uniform;
mod unroll;
mod unroll_partly;
mod vectorize;

pub(crate) use effects::pure;

/// Whether adjacent accesses to shared and local memory are merged into wide accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Merges as nvcc does.
    Wide,
    /// Never merges: wide accesses need register pairs and quads, which a kernel with very few registers cannot
    /// have.
    Never,
}

/// Optimizes every function of a module.
pub fn optimize(module: &mut Module, merging: Merging) {
    optimize_observed(module, merging, &mut |_, _| true);
}

/// Optimizes every function of a module. After each pass, `observe` receives the pass's name and the function,
/// and returns whether to continue. If it stops, the function is valid but cannot be lowered.
pub fn optimize_observed(
    module: &mut Module,
    merging: Merging,
    observe: &mut dyn FnMut(&str, &Function) -> bool,
) {
    let generation = module.arch.generation();
    let tesla = generation == Generation::Tesla;
    let few = generation <= Generation::Fermi;
    let has_shared_swaps = generation >= Generation::Maxwell;
    let restricted = forward::Restricted::of(module);
    let symbols = std::mem::take(&mut module.symbols);
    for function in &mut module.functions {
        let mut passes = Passes {
            function,
            observe: &mut *observe,
            continues: true,
            is_pruned: false,
        };
        passes.run("build", |_| {});
        passes.run("tidy", |function| {
            tidy::run(function);
        });
        passes.run("reduce", reduce::run);
        passes.variables(tesla);
        // Inner loops first: their results can make the outer loop's trip count known.
        for _ in 0..6 {
            let mut any = false;
            passes.run("unroll", |function| any = unroll::run(function, few));
            if !any {
                break;
            }
            passes.simplify();
            passes.variables(tesla);
        }
        passes.run("unroll-partly", |function| unroll_partly::run(function, few));
        passes.simplify();
        passes.run("forward", |function| forward::run(function, &restricted));
        passes.simplify();
        passes.run("chain", chain::run);
        passes.simplify();
        passes.run("share", share::run);
        passes.run("motion", motion::run);
        passes.prune();
        passes.run("narrow", narrow::run);
        if merging == Merging::Wide {
            passes.run("vectorize", |function| vectorize::run(function, &symbols));
            passes.simplify();
        }
        passes.run("hoist", hoist::run);
        passes.prune();
        passes.run("fuse", |function| fuse::run(function, tesla));
        passes.run("legalize", legalize::run);
        if has_shared_swaps {
            passes.run("spin", spin::run);
        }
        passes.prune();
        passes.run("uniform", uniform::run);
    }
    module.symbols = symbols;
}

/// Runs passes over one function.
struct Passes<'a> {
    function: &'a mut Function,
    observe: &'a mut dyn FnMut(&str, &Function) -> bool,
    continues: bool,
    /// Whether no pass has run since the last `prune`.
    is_pruned: bool,
}

impl Passes<'_> {
    fn run(&mut self, name: &str, pass: impl FnOnce(&mut Function)) {
        if !self.continues {
            return;
        }
        pass(self.function);
        self.is_pruned = false;
        if cfg!(debug_assertions)
            && let Err(what) = verify(self.function)
        {
            debug_assert!(false, "after {name}: {what}\n{}", self.function);
        }
        self.continues = (self.observe)(name, self.function);
    }

    fn prune(&mut self) {
        if !self.is_pruned {
            self.run("prune", prune::run);
            self.is_pruned = true;
        }
    }

    /// Simplifies until choices between cheap values have become selections.
    fn simplify(&mut self) {
        self.prune();
        for _ in 0..4 {
            self.run("simplify", simplify::run);
            self.prune();
            let mut any = false;
            self.run("if-convert", |function| any = if_convert::run(function));
            if !any {
                break;
            }
        }
    }

    /// Promotes variables to values and infers address spaces, until nothing changes. A pointer that becomes a
    /// value reveals its target, which can allow the promotion of the next variable.
    fn variables(&mut self, tesla: bool) {
        for _ in 0..4 {
            // An unused address must not keep its variable in memory.
            self.prune();
            let (mut promoted, mut found) = (false, false);
            self.run("promote", |function| promoted = promote::run(function));
            self.prune();
            self.simplify();
            self.run("spaces", |function| found = spaces::run(function, tesla));
            if found {
                self.simplify();
            }
            self.prune();
            if !promoted && !found {
                break;
            }
        }
    }
}
