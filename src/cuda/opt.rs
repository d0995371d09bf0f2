//! Optimisation of the intermediate representation, to the shape that nvcc -O3 gives a kernel.

use super::ir::Module;

mod effects;
mod promote;
mod prune;
mod simplify;
mod structure;

/// Optimises every function of a module.
pub fn optimise(module: &mut Module) {
    for function in &mut module.functions {
        promote::run(function);
        prune::run(function);
        simplify::run(function);
        prune::run(function);
    }
}
