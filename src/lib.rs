//! Warpscope: how an NVIDIA GPU runs a CUDA kernel, cycle by cycle.
//!
//! Modules are declared in dependency order: each may use those above it and none below, which
//! `cargo test` checks.
//! `docs/architecture.md` tells the way of the data through them.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests read their tables from files")
)]

pub mod ids;
pub mod arch;
pub mod access;
pub mod isa;
pub mod launch;
pub mod cuda;
pub mod sim;
pub mod trace;
pub mod library;
pub mod playground;
pub mod scene;
pub mod share;
pub mod api;
pub mod app;
#[cfg(target_arch = "wasm32")]
pub mod web;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
