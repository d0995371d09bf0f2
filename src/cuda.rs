//! The CUDA C compiler: source text in, program for one architecture and diagnostics out.
//!
//! The way of a kernel is the order of the modules here: text is preprocessed into tokens, parsed
//! into a syntax tree, checked into typed HIR, and lowered from there. Knows nothing of time.

mod ast;
pub mod build;
mod check;
pub mod diagnostic;
pub mod fold;
pub mod hir;
pub mod ir;
pub mod lex;
pub mod lower;
mod parse;
mod prelude;
mod preprocess;
pub mod source;
mod types;

pub use check::KernelSignature;
use diagnostic::{Cause, Diagnostic, Severity};
use source::Source;

use crate::arch::ArchId;
use crate::isa::CompileOptions;

/// A parsed and checked source file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The program in HIR; `None` where the source breaks a rule of the language. Kernels that only
    /// use what is not supported, or what the architecture lacks, are marked in `kernels`.
    pub unit: Option<hir::Unit>,
    /// The kernels, in order of the source.
    pub kernels: Vec<KernelSignature>,
    /// What is to be said about the source, in its order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks a source file with the default options.
pub fn parse(source: &str, arch: ArchId) -> Parsed {
    parse_with(source, arch, &CompileOptions::default())
}

/// Parses and checks a source file.
pub fn parse_with(source: &str, arch: ArchId, options: &CompileOptions) -> Parsed {
    let source = Source::new(source);
    let (toks, mut diagnostics) = preprocess::preprocess(&source, arch);
    let (items, from_parser) = parse::parse(toks);
    diagnostics.extend(from_parser);
    let checked = check::check(&items, arch, options);
    diagnostics.extend(checked.diagnostics);
    let breaks_rules = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error && diagnostic.cause == Cause::Source);
    Parsed {
        unit: (!breaks_rules).then_some(checked.unit),
        kernels: checked.kernels,
        diagnostics: diagnostic::sorted(diagnostics),
    }
}

#[cfg(test)]
mod tests;
