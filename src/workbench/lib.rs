//! Warpscope without a browser: the library of kernels, the scenes, links, the state of the page and
//! its updates, and what programs may ask.
//!
//! Modules are declared in dependency order. `docs/architecture.md` shows the way of the data.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests read their tables from files")
)]

pub mod check;
pub mod library;
pub mod playground;
pub mod scene;
pub mod share;
pub mod api;
pub mod app;
#[cfg(test)]
mod seek_tests;
