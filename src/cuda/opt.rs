//! Optimisation of the intermediate representation, to the shape that nvcc -O3 gives a kernel.

use super::ir::verify::verify;
use super::ir::{Function, Module};
use engine::arch::ArchId;

mod chain;
mod copies;
mod effects;
mod forward;
mod fuse;
mod hoist;
mod if_convert;
mod legalise;
mod motion;
mod promote;
mod prune;
mod reduce;
mod repair;
mod share;
mod simplify;
mod spaces;
mod tidy;
mod uniform;
mod unroll;
mod unroll_partly;
mod vectorise;

pub(crate) use effects::pure;

/// Whether neighbouring accesses of shared and local memory become one wide access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// As nvcc does.
    Wide,
    /// Never: wide accesses need pairs and quads of registers, which a kernel held to very few does not have.
    Never,
}

/// Optimises every function of a module.
pub fn optimise(module: &mut Module, merging: Merging) {
    optimise_watched(module, merging, &mut |_, _| true);
}

/// Optimises every function of a module; after each pass `watch` gets its name and the function, and
/// says whether to go on. What comes after the last pass then is a legal function all the same, but not
/// one that can be lowered.
pub fn optimise_watched(
    module: &mut Module,
    merging: Merging,
    watch: &mut dyn FnMut(&str, &Function) -> bool,
) {
    let tesla = matches!(module.arch, ArchId::G80 | ArchId::Gt200);
    let few = tesla || matches!(module.arch, ArchId::Gf100 | ArchId::Gf104);
    let restricted = forward::Restricted::of(module);
    let symbols = std::mem::take(&mut module.symbols);
    for function in &mut module.functions {
        let mut passes = Passes {
            function,
            watch: &mut *watch,
            goes_on: true,
            is_pruned: false,
        };
        passes.run("build", |_| {});
        passes.run("tidy", |function| {
            tidy::run(function);
        });
        passes.run("reduce", reduce::run);
        passes.variables(tesla);
        // Inner loops first: what they leave may make the outer one's turns known.
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
        if merging == Merging::Wide {
            passes.run("vectorise", |function| vectorise::run(function, &symbols));
            passes.simplify();
        }
        passes.run("hoist", hoist::run);
        passes.prune();
        passes.run("fuse", |function| fuse::run(function, tesla));
        passes.run("legalise", legalise::run);
        passes.prune();
        passes.run("uniform", uniform::run);
    }
    module.symbols = symbols;
}

/// Passes over one function, one after the other.
struct Passes<'a> {
    function: &'a mut Function,
    watch: &'a mut dyn FnMut(&str, &Function) -> bool,
    goes_on: bool,
    /// Whether nothing has run since the last `prune`.
    is_pruned: bool,
}

impl Passes<'_> {
    fn run(&mut self, name: &str, pass: impl FnOnce(&mut Function)) {
        if !self.goes_on {
            return;
        }
        pass(self.function);
        self.is_pruned = false;
        if cfg!(debug_assertions)
            && let Err(what) = verify(self.function)
        {
            debug_assert!(false, "after {name}: {what}\n{}", self.function);
        }
        self.goes_on = (self.watch)(name, self.function);
    }

    fn prune(&mut self) {
        if !self.is_pruned {
            self.run("prune", prune::run);
            self.is_pruned = true;
        }
    }

    /// Algebra, until choices between cheap values have become selections.
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

    /// Variables become values and addresses find their spaces, until nothing changes: a pointer that
    /// becomes a value shows where it points to, which may let the next variable become one.
    fn variables(&mut self, tesla: bool) {
        for _ in 0..4 {
            // An address that nobody uses any more must not keep its variable in memory.
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

#[cfg(test)]
mod tests;
