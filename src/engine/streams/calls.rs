//! The calls of the CUDA runtime that reach a GPU.

use serde::{Deserialize, Serialize};

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostCall {
    /// The line, from 1.
    pub line: u32,
    /// The GPU: that of the stream, or the current one.
    pub gpu: u8,
    /// The stream, as its index among the process's streams; 0 is the default stream.
    pub stream: u32,
    /// What is called.
    pub kind: CallKind,
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    /// A launch, as its index among the launches that differ.
    Launch(u32),
    /// A copy.
    Copy {
        /// Number of bytes.
        bytes: u64,
        /// Where the bytes are.
        from: CopyEnd,
        /// Where they go.
        to: CopyEnd,
        /// Whether the call has a name with `Async`.
        is_async: bool,
    },
    /// `cudaMemset` on device memory: number of bytes.
    Set(u64),
    /// `cudaEventRecord`, with the event.
    Record(u32),
    /// `cudaStreamWaitEvent`, with the event.
    StreamWait(u32),
    /// `cudaDeviceSynchronize`.
    WaitDevice,
    /// `cudaStreamSynchronize`.
    WaitStream,
    /// `cudaEventSynchronize`, with the event.
    WaitEvent(u32),
    /// `cudaDeviceEnablePeerAccess`, with the other GPU.
    EnablePeer(u8),
    /// `cudaDeviceDisablePeerAccess`, with the other GPU.
    DisablePeer(u8),
    /// An allocation or deallocation, which waits for the GPU.
    Allocate,
}

impl CallKind {
    /// Whether the call adds an operation to a stream.
    pub const fn is_operation(&self) -> bool {
        matches!(
            self,
            Self::Launch(_) | Self::Copy { .. } | Self::Set(_) | Self::Record(_) | Self::StreamWait(_)
        )
    }
}

/// An end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CopyEnd {
    /// Pageable host memory.
    Pageable,
    /// Page-locked host memory.
    Pinned,
    /// The memory of a GPU.
    Gpu(u8),
}

/// A stream that the program creates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostStream {
    /// The variable, such as `streams[1]`; empty for the default stream.
    pub name: String,
    /// The GPU that was current at the creation.
    pub gpu: u8,
    /// Whether it does not synchronize with the default stream (`cudaStreamNonBlocking`).
    pub is_non_blocking: bool,
}

impl HostStream {
    /// The default stream.
    pub const fn default_stream() -> Self {
        Self {
            name: String::new(),
            gpu: 0,
            is_non_blocking: false,
        }
    }
}
