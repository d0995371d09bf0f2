//! What ran when: the calls of a host program, its launches, and their times on the GPU.

use serde::{Deserialize, Serialize};

use engine::streams::{HostCall, HostStream, Options, Process, StreamsTrace};

/// The calls of a process, in a form that threads exchange.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessCalls {
    /// The calls.
    pub calls: Vec<HostCall>,
    /// The streams; the first one is the default stream.
    pub streams: Vec<HostStream>,
}

impl ProcessCalls {
    /// The same for the model.
    pub(crate) fn process(&self) -> Process {
        Process {
            calls: self.calls.clone(),
            streams: self.streams.clone(),
        }
    }
}

/// A launch of a host program, as a fact for the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedLaunch {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks of the grid.
    pub num_blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Blocks that fit an SM.
    pub blocks_per_sm: u32,
    /// The mean time of a block in nanoseconds, from a run of this launch alone on the device.
    pub block_ns: u64,
    /// Values of the launch that are estimates.
    pub num_guesses: u32,
    /// GPUs whose memory it accesses besides its own, with the bytes loaded and stored.
    pub peers: Vec<(u8, [u64; 2])>,
    /// Why it cannot run; it then takes no time.
    pub problem: Option<String>,
}

/// The record of a host program, with what a picture needs to know about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamsRecord {
    /// The processes.
    pub processes: Vec<ProcessCalls>,
    /// The launches that the calls name.
    pub launches: Vec<TimedLaunch>,
    /// Notes of the reader of the program, with their lines.
    pub notes: Vec<(u32, String)>,
    /// Whether the source has a `main`.
    pub has_main: bool,
    /// What ran when.
    pub trace: StreamsTrace,
    /// The options.
    pub options: Options,
}
