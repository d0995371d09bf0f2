//! What this package's tests see beyond the interface. They are a program of their own.

use engine::ids::Span;

use crate::assist::{Index, Known, known};
use crate::diagnostic::Diagnostic;
use crate::host::library::sobol;
use crate::ir::Function;
use crate::ir::flow::cycles;
use crate::limits::{Budget, Limit};
use crate::source::Source;
use crate::{builtins, check, headers, opt, parse, prelude, preprocess};

/// What the compiler says of the files of its built-in library: each file alone, and then all together.
pub fn library_diagnostics() -> Vec<Diagnostic> {
    let mut items = Vec::new();
    let mut said = Vec::new();
    for text in prelude::FILES {
        let (toks, diagnostics) = preprocess::preprocess_prelude(&Source::new(text));
        let tree = parse::parse(toks);
        said.extend(diagnostics);
        said.extend(tree.diagnostics);
        items.extend(tree.items);
    }
    // The library's files call each other's functions.
    said.extend(check::check_library(&items).diagnostics);
    said
}

/// The names of the built-in library's functions, as they are declared.
pub fn library_names() -> Vec<&'static str> {
    prelude::prelude().by_name.keys().map(|name| &**name).collect()
}

/// The same as they are listed in `builtins/library.rs`.
pub fn listed_library_names() -> &'static [&'static str] {
    builtins::library_names()
}

/// The headers that can be included, with their descriptions.
pub fn headers() -> &'static [(&'static str, &'static str)] {
    &headers::INCLUDES
}

/// The minimum compute capability of a built-in function, 700 for 7.0; 0 without one.
pub fn capability(name: &str) -> u32 {
    builtins::capability(name)
}

/// Whether a name needs no declaration.
pub fn is_known(name: &str) -> bool {
    known::known(name).is_some()
}

/// Whether a header that an indexed source includes declares a name.
pub fn is_declared_in_headers(index: &Index, name: &str) -> bool {
    let mut symbols = index.symbols.iter();
    symbols.any(|symbol| symbol.name == name && symbol.header.is_some())
}

/// All names that need no declaration.
pub fn known_names() -> Vec<Known> {
    known::all()
}

/// Simplifies a function.
pub fn simplify(function: &mut Function) {
    opt::simplify::run(function);
}

/// Whether each node of a graph is on a cycle. `succs` has the successors of each node.
pub fn on_cycles(succs: &[Vec<u32>]) -> Vec<bool> {
    cycles::on_cycles(succs)
}

/// The direction vectors of a dimension of a Sobol sequence, with 32 or 64 bits.
pub fn sobol_vectors(dimension: usize, num_bits: usize) -> Vec<u64> {
    sobol::vectors(dimension, num_bits)
}

/// The last dimension that has direction vectors.
pub const LAST_SOBOL_DIMENSION: usize = sobol::POLYNOMIALS.len();

/// What a budget of files says when it is charged these numbers, one after another.
pub fn charge_inclusions(charges: &[u64]) -> Vec<Option<String>> {
    let mut budget = Budget::new(Limit::Inclusions);
    charges
        .iter()
        .map(|num| {
            budget
                .charge(*num)
                .err()
                .map(|limit| limit.exceeded(Span::default()).message)
        })
        .collect()
}
