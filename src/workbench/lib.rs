//! Warpscope without a browser: the kernel library, the scenes, links, the page's state and updates, and the API for
//! other programs.
//!
//! Modules are declared in dependency order. `docs/architecture.md` describes the data flow.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests read their tables from files")
)]

mod csv;
mod toml;
mod names;
pub mod message;
mod words;
mod mark;
pub mod check;
pub mod blame;
pub mod library;
pub mod arithmetic;
pub mod playground;
mod view;
pub mod run_option;
mod setup;
pub mod advice;
pub mod cause;
pub mod host_record;
pub mod scene;
pub mod explain;
pub mod share;
pub mod glossary;
pub mod lesson;
pub mod lecture;
pub mod gif_film;
pub mod api;
pub mod app;
#[cfg(test)]
mod seek_tests;
#[cfg(test)]
mod label_tests;
