//! Random CUDA C++ programs, for which compiler and simulator must produce the outputs of an oracle.

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
