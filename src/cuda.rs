//! The CUDA C compiler: source text in, program for one architecture and diagnostics out.
//!
//! The way of a kernel is the order of the modules here: text is preprocessed into tokens, parsed
//! into a syntax tree, checked into typed HIR, and lowered from there. Knows nothing of time.

pub mod hir;
pub mod ir;
pub mod build;
pub mod fold;
