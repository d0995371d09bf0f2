//! Tests of the claims in three NVIDIA tuning guides. Each test verifies a claim on the simulator. The modules check
//! that every claim ID occurs in a test name.
#![cfg(not(target_arch = "wasm32"))]

#[path = "claims/arithmetic.rs"]
mod arithmetic;
#[path = "claims/device.rs"]
mod device;
#[path = "claims/divergence.rs"]
mod divergence;
#[path = "claims/fermi_functions.rs"]
mod fermi_functions;
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
#[path = "claims/schedulers.rs"]
mod schedulers;
#[path = "claims/streams.rs"]
mod streams;
#[path = "claims/tensor.rs"]
mod tensor;
