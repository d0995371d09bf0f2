//! What can be looked for in a run, and looking for it: forward and backward from a cycle, piece by
//! piece, so that a long search can be shown and stopped.

mod query;
mod search;
#[cfg(test)]
mod tests;

pub use query::{Name, Query, What};
pub use search::{Found, Search, hits_between};
