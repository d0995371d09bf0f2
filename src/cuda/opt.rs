//! Optimisation of the intermediate representation, to the shape that nvcc -O3 gives a kernel.

use super::ir::{Function, Module};
use crate::arch::ArchId;

mod effects;
mod forward;
mod fuse;
mod hoist;
mod legalise;
mod motion;
mod promote;
mod prune;
mod simplify;
mod spaces;
mod structure;
mod uniform;
mod unroll;
mod vectorise;

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
    let tesla = matches!(module.arch, ArchId::G80 | ArchId::Gt200);
    let restricted = forward::Restricted::of(module);
    for function in &mut module.functions {
        variables(function, tesla);
        // Inner loops first: what they leave may make the outer one's turns known.
        for _ in 0..6 {
            if !unroll::run(function) {
                break;
            }
            simplify::run(function);
            variables(function, tesla);
        }
        simplify::run(function);
        forward::run(function, &restricted);
        simplify::run(function);
        motion::run(function);
        prune::run(function);
        if merging == Merging::Wide {
            vectorise::run(function, &module.symbols);
            simplify::run(function);
        }
        hoist::run(function);
        prune::run(function);
        fuse::run(function, tesla);
        legalise::run(function);
        prune::run(function);
        uniform::run(function);
    }
}

/// Variables become values and addresses find their spaces, until nothing changes: a pointer that
/// becomes a value shows where it points to, which may let the next variable become one.
fn variables(function: &mut Function, tesla: bool) {
    for _ in 0..4 {
        // An address that nobody uses any more must not keep its variable in memory.
        prune::run(function);
        let promoted = promote::run(function);
        prune::run(function);
        simplify::run(function);
        let found = spaces::run(function, tesla);
        if found {
            simplify::run(function);
        }
        prune::run(function);
        if !promoted && !found {
            break;
        }
    }
}

#[cfg(all(test, feature = "package"))]
mod tests;
