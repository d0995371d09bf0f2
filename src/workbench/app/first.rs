//! The program of the first view, ready made: whoever opens the page without a link sees a kernel
//! before the compiler has arrived. A test holds it to what the compiler makes.

#[rustfmt::skip]
mod program;
#[cfg(test)]
mod tests;

use crate::share::Scenario;
use engine::isa::Program;

/// The program of a scenario that asks for just what the page opens with.
pub(super) fn program(scenario: &Scenario) -> Option<Program> {
    let first = Scenario::default();
    let is_first = scenario.arch == first.arch
        && scenario.compile == first.compile
        && scenario.entry() == first.entry()
        && scenario.source() == first.source();
    is_first.then(|| Program {
        code: program::CODE.to_vec(),
        source: scenario.source().to_owned(),
        ..program::rest()
    })
}
