//! The work of the page's workers: the compiler, the simulator, the checks, and the runs of the JavaScript API.
//!
//! A worker runs the page's own module, which is loaded and compiled once for all of them.
//!
//! A worker, or the page itself if the browser has no workers, calls `serve` with a port. All communication is
//! messages on that port, each a plain object:
//!
//! | to the worker | meaning |
//! | --- | --- |
//! | `{ number, request }` | a request to the compiler, as bytes (`workbench::app::compiler`) |
//! | `{ number, link, program?, checks, device, streams, cause, threads }` | start a run, or one beside it, in place of the previous run; a device's run is spread over up to `threads` workers |
//! | `{ link, part, of }` | take a part of a device's run, from another worker |
//! | `{ order }` | an order to that part, as bytes |
//! | `{ number, api: { scenario, options } }` | start a run of the JavaScript API; both are JSON |
//! | `{ goesOn }` | pause or resume the run |
//!
//! | from the worker | meaning |
//! | --- | --- |
//! | `{ ready }` | sent once: the worker reads messages |
//! | `{ number, response }` | the response to a request, as bytes |
//! | `{ number, cycles, issues, busyMs, finished, buffers? }` | progress of a run; a segment moves its buffers |
//! | `{ number, found }` | the report of finished checks, as JSON |
//! | `{ number, device }`, `{ number, streams }`, `{ number, cause }` | the record of a run on a device, of a host program, or of the cause of a difference, as JSON |
//! | `{ reply }` | the reply of a part, as bytes |
//! | `{ number, summary, link, program, outputs, … }` | a finished run of the API |
//! | `{ number?, failed }` | the worker cannot continue, with the reason |

pub mod message;
pub mod threads;
#[cfg(target_arch = "wasm32")]
mod clock;
#[cfg(target_arch = "wasm32")]
mod api;
#[cfg(target_arch = "wasm32")]
mod parts;
#[cfg(target_arch = "wasm32")]
mod runs;

#[cfg(target_arch = "wasm32")]
pub use runs::serve;
