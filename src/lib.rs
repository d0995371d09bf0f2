//! Warpscope: how an NVIDIA GPU runs a CUDA kernel, cycle by cycle.
//!
//! Modules are declared in dependency order: each may use those above it and none below.
//! `docs/architecture.md` tells the way of the data through them.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests read their tables from files")
)]

pub mod access;
pub mod app;
pub mod arch;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod cuda;
pub mod ids;
pub mod isa;
pub mod launch;
pub mod library;
pub mod scene;
pub mod share;
pub mod sim;
pub mod trace;
#[cfg(target_arch = "wasm32")]
pub mod web;
