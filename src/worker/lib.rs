//! What the page's workers do: the compiler, the simulator that runs ahead, the checks, and the JavaScript API's runs.
//!
//! A worker runs the page's own module, which is loaded and compiled once for all of them.
//!
//! A worker, or where there are none the page itself, calls [`serve`] with a port. Everything else is messages on that
//! port, each a plain object:
//!
//! | to the worker | meaning |
//! | --- | --- |
//! | `{ number, request }` | a request to the compiler, as bytes ([`workbench::app::compiler`]) |
//! | `{ number, link, program?, checks }` | start a run, or the checks of one, in place of the last |
//! | `{ number, api: { scenario, options } }` | start a run of the JavaScript API, both as JSON |
//! | `{ goesOn }` | hold the run, or let it go on |
//!
//! | from the worker | meaning |
//! | --- | --- |
//! | `{ ready }` | sent once: messages are read |
//! | `{ number, response }` | the response to a request, as bytes |
//! | `{ number, cycles, issues, busyMs, finished, buffers? }` | progress of a run; the buffers of a segment are moved, not copied |
//! | `{ number, found }` | the report of finished checks, as JSON |
//! | `{ number, summary, link, program, outputs, … }` | a finished run of the API |
//! | `{ number?, failed }` | the worker cannot go on, and why |

#![cfg(target_arch = "wasm32")]

mod api;
mod message;
mod runs;

pub use runs::serve;
