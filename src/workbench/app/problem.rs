//! Problems of a source or a launch.

use serde::{Deserialize, Serialize};

use engine::ids::Span;

/// An error or a warning about a place in the source, or about the launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The place in the source, if the problem is about the source.
    pub span: Option<Span>,
    /// The message.
    pub message: String,
    /// Whether the problem keeps the kernel from running.
    pub fatal: bool,
    /// The replacement that fixes it.
    pub fix: Option<Fix>,
}

/// A replacement that fixes a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The replaced range.
    pub was: String,
    /// The replacement.
    pub text: String,
}
