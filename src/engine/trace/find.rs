//! Searches in a run, forward and backward from a cycle. A search proceeds in steps, so that a long search
//! can show its progress and be stopped.

mod query;
mod search;
#[cfg(test)]
mod tests;

pub use query::{Name, Query, What};
pub use search::{Found, Search, hits_between};
