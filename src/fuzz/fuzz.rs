//! Random CUDA C programs, on which the compiler and the simulator must agree with an oracle.

pub mod check;
pub mod cxx;
mod generate;
mod print;
mod random;
//SHR
mod tree;
mod walk;

pub use generate::{Settings, generate};
pub use tree::Program;
