//! Random CUDA C programs, on which the compiler and the simulator must agree with an oracle.

pub mod check;
mod cpp;
pub mod cxx;
pub mod garble;
mod generate;
pub mod interpreter;
pub mod kept;
pub mod mutants;
mod print;
mod random;
pub mod shrink;
mod tree;
mod walk;
#[cfg(test)]
mod whole;

pub use generate::{Settings, generate};
pub use tree::{Program, Shape};
