//! The models and the simulator: architectures, access rules, instructions, the machine, and the
//! record of a run.
//!
//! Modules are declared in dependency order. Nothing here knows CUDA C++, drawing, or the browser.
//! The page compiles this package for speed and the rest for size.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests read their tables from files")
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
