//! The models and the simulator: architectures, memory access rules, the instruction set, the simulated GPU, and
//! the trace of a run.
//!
//! Modules are declared in dependency order. This package does not depend on CUDA C++, drawing, or the browser.
//! The page compiles this package for speed and the other packages for size.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests read their tables from files")
)]

pub mod ids;
pub mod files;
pub mod arch;
pub mod access;
pub mod isa;
pub mod launch;
pub mod printf;
pub mod sim;
pub mod trace;
pub mod streams;
