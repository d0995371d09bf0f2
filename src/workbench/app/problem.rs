//! What is wrong with a source or a launch.

use serde::{Deserialize, Serialize};

use engine::ids::Span;

/// An error or a warning about a place in the source, or about the launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where in the source, if it is about the source.
    pub span: Option<Span>,
    /// The sentence.
    pub message: String,
    /// Whether it keeps the kernel from running.
    pub fatal: bool,
    /// The replacement that fixes it.
    pub fix: Option<Fix>,
}

/// A replacement that fixes a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The text that is replaced.
    pub was: String,
    /// The replacement.
    pub text: String,
}
