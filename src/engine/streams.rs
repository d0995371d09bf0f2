//! Streams: what a host program sends to one or more GPUs, when each operation runs, and what it waits for.
//!
//! The order of operations is exact, as NVIDIA documents it: streams, events, the default stream, the work queues, the
//! limit of concurrent kernels, and the dependency checks before 3.5. Times are modeled. A block takes the time that it
//! takes when its kernel runs alone on the GPU, unless kernels that run together demand more of device memory, L2, or the
//! issue slots of an SM than there is (`simulate/sharing.rs`). Operations that share a link share its bandwidth equally.

mod calls;
mod computer;
mod order;
mod queues;
mod simulate;
mod trace;

#[cfg(test)]
mod tests;

pub use calls::{CallKind, CopyEnd, HostCall, HostStream};
pub use computer::{Computer, Link, Route};
pub use simulate::simulate;
pub use trace::{Failure, Resource, Slice, Slowdown, Span, StreamsTrace, Wait, WaitReason};

use serde::{Deserialize, Serialize};

use crate::arch::Architecture;

/// The operations of one process.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// The calls in the order of the program.
    pub calls: Vec<HostCall>,
    /// The streams; the first one is the default stream.
    pub streams: Vec<HostStream>,
}

/// A launch, as its blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// The kernel's name.
    pub kernel: String,
    /// The time of each block in nanoseconds. Further blocks take the times again from the first one on.
    pub block_ns: Vec<u32>,
    /// What a block demands while it runs alone.
    pub demand: Demand,
    /// What a block accesses in the memory of other GPUs while it runs alone.
    pub peers: Vec<PeerAccess>,
    /// Number of blocks.
    pub num_blocks: u32,
    /// Blocks of this launch that each resource of an SM allows: warps, block slots, registers, shared memory.
    pub limits: [Option<u32>; 4],
    /// Why the launch cannot be simulated; it then takes no time.
    pub problem: Option<String>,
}

/// What a mean block of a launch demands per nanosecond, when the launch runs alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Bytes of device memory.
    pub dram_bytes: f64,
    /// Bytes between the SMs and L2.
    pub l2_bytes: f64,
    /// Warp instructions.
    pub issues: f64,
}

/// What a mean block accesses in another GPU's memory per nanosecond, if this memory is as fast as its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerAccess {
    /// The GPU that has the memory.
    pub gpu: u8,
    /// Bytes loaded.
    pub loaded_bytes: f64,
    /// Bytes stored.
    pub stored_bytes: f64,
}

/// How the processes share the GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The computer.
    pub computer: Computer,
    /// Whether the processes are clients of the Multi-Process Service.
    pub service: bool,
    /// The percentage of threads of a client of the service (`CUDA_MPS_ACTIVE_THREAD_PERCENTAGE`).
    pub percent: u8,
    /// Connections of a process (`CUDA_DEVICE_MAX_CONNECTIONS`); `None`: the default.
    pub connections: Option<u8>,
    /// The process that makes a fatal fault in its first kernel, if any.
    pub fault: Option<u8>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            computer: Computer::OneGpu,
            service: false,
            percent: 100,
            connections: None,
            fault: None,
        }
    }
}

impl Options {
    /// The connections of a process to a GPU: work queues that its streams share.
    pub fn connections_on(&self, arch: &Architecture) -> u8 {
        let host = arch.host();
        let most = host.work_queues.value;
        if most == 1 {
            return 1;
        }
        let default = if self.service {
            host.sharing.mps_queues.value
        } else {
            8
        };
        self.connections.unwrap_or(default).clamp(1, most)
    }
}
