//! What Warpscope says, taken from its sources: string literals that a user reads, sentences of lessons, comments, and
//! documents. `cargo xtask prose` checks these texts, and `warpscope words` lists those that users read.
#![expect(clippy::disallowed_methods, reason = "reads the files of the source tree")]

pub mod comments;
pub mod lessons;
pub mod markdown;
pub mod piece;
pub mod rust;
pub mod tree;
