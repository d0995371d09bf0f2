//! The CUDA C++ compiler: source text in, program for one architecture and diagnostics out.
//!
//! The modules are in the order of their layers, which is that of the pipeline: preprocessing into tokens, parsing into a syntax tree, checking into
//! typed HIR, and lowering. The compiler has no notion of time.

pub mod source;
pub mod diagnostic;
mod nearest;
mod limits;
pub mod hir;
mod types;
pub mod ir;
mod fold;
mod builtins;
pub mod lex;
mod headers;
mod preprocess;
mod extended_lambdas;
pub mod ast;
mod ptx;
mod parse;
mod prelude;
mod check;
pub mod build;
pub mod interpret;
mod images;
pub mod opt;
pub mod lower;
pub mod uses;
mod compile;
pub mod assist;
pub mod host;
#[doc(hidden)]
pub mod internals;

pub use check::KernelSignature;
pub use compile::{
    Compiled, Parsed, compile, compile_unit, ir_text, parse, parse_expression, parse_kernel, parse_with,
    parse_with_instances, uses_of,
};
pub use nearest::nearest;
pub use preprocess::has_header;
