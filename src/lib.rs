//! Warpscope: how an NVIDIA GPU runs a CUDA kernel, cycle by cycle.
//!
//! Modules are declared in dependency order: each may use those above it and none below, which
//! `cargo test` checks. Those of `engine.rs` are a package of their own, which the page compiles for
//! speed; unit tests have them here, so that they reach the insides of all layers.
//! `docs/architecture.md` tells the way of the data through them.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests read their tables from files")
)]

#[cfg(test)]
pub mod ids;
#[cfg(test)]
pub mod files;
#[cfg(test)]
pub mod arch;
#[cfg(test)]
pub mod access;
#[cfg(test)]
pub mod isa;
#[cfg(test)]
pub mod launch;
#[cfg(test)]
pub mod printf;
#[cfg(test)]
pub mod sim;
#[cfg(test)]
pub mod trace;
#[cfg(not(test))]
pub use warpscope_engine::{access, arch, files, ids, isa, launch, printf, sim, trace};

#[cfg(test)]
pub mod cuda;
#[cfg(not(test))]
pub use warpscope_cuda::cuda;
pub mod check;
pub mod library;
pub mod playground;
pub mod scene;
pub mod share;
pub mod api;
pub mod app;
#[cfg(target_arch = "wasm32")]
pub mod web;
#[cfg(not(target_arch = "wasm32"))]
pub mod validate;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
