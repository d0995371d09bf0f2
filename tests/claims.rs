//! Claims of the three guides as tests: each runs the simulator and sees what is claimed. The lists in
//! the modules hold the ids against the names of the tests.
#![cfg(not(target_arch = "wasm32"))]

#[path = "claims/divergence.rs"]
mod divergence;
#[path = "claims/memory.rs"]
mod memory;
#[path = "claims/memory_advice.rs"]
mod memory_advice;
#[path = "claims/memory_fermi.rs"]
mod memory_fermi;
#[path = "claims/memory_kepler.rs"]
mod memory_kepler;
#[path = "claims/memory_tesla.rs"]
mod memory_tesla;
#[path = "claims/occupancy.rs"]
mod occupancy;
#[path = "claims/runs.rs"]
mod runs;
