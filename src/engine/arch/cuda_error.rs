//! Errors of the CUDA runtime, with their numbers, names, and texts (`driver_types.h`; CUDA Runtime API 13.0, Data types
//! used by CUDA Runtime).

use serde::{Deserialize, Serialize};

use super::{LaunchRefusal, LimitedResource};

macro_rules! errors {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal, $text:literal;)*) => {
        /// An error that a call of the CUDA runtime returns.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum CudaError {
            $($(#[$doc])* $variant,)*
        }

        impl CudaError {
            /// All errors that the evaluation of host code knows.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its number.
            pub const fn code(self) -> i32 {
                match self { $(Self::$variant => $code,)* }
            }

            /// The name of the constant, which `cudaGetErrorName` returns.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The text that `cudaGetErrorString` returns.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

errors! {
    /// An argument is outside of its range.
    InvalidValue = 1, "cudaErrorInvalidValue", "invalid argument";
    /// The GPU has too little free memory.
    MemoryAllocation = 2, "cudaErrorMemoryAllocation", "out of memory";
    /// A launch has sizes that the GPU can never run.
    InvalidConfiguration = 9, "cudaErrorInvalidConfiguration", "invalid configuration argument";
    /// A pitch is smaller than a row.
    InvalidPitchValue = 12, "cudaErrorInvalidPitchValue", "invalid pitch argument";
    /// A symbol is not a variable of the device.
    InvalidSymbol = 13, "cudaErrorInvalidSymbol", "invalid device symbol";
    /// A copy has a kind that does not exist or does not fit the call.
    InvalidMemcpyDirection = 21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy";
    /// The GPU cannot be used after an error that ended its context.
    DevicesUnavailable = 46, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable";
    /// No GPU has this number.
    InvalidDevice = 101, "cudaErrorInvalidDevice", "invalid device ordinal";
    /// A GPU cannot access the memory of another one.
    PeerAccessUnsupported = 217, "cudaErrorPeerAccessUnsupported", "peer access is not supported between these two devices";
    /// A stream or an event does not exist, or the event holds no time.
    InvalidResourceHandle = 400, "cudaErrorInvalidResourceHandle", "invalid resource handle";
    /// Work is not finished.
    NotReady = 600, "cudaErrorNotReady", "device not ready";
    /// A kernel has accessed an address outside of all memory.
    IllegalAddress = 700, "cudaErrorIllegalAddress", "an illegal memory access was encountered";
    /// A launch takes more registers than the GPU has.
    LaunchOutOfResources = 701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch";
    /// The access to a peer is enabled already.
    PeerAccessAlreadyEnabled = 704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled";
    /// The access to a peer is not enabled.
    PeerAccessNotEnabled = 705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled";
    /// An assertion in a kernel has failed.
    Assert = 710, "cudaErrorAssert", "device-side assert triggered";
    /// Host memory is page-locked already.
    HostMemoryAlreadyRegistered = 712, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped";
    /// Host memory is not page-locked.
    HostMemoryNotRegistered = 713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region";
    /// A kernel has accessed an address that is not a multiple of the access size.
    MisalignedAddress = 716, "cudaErrorMisalignedAddress", "misaligned address";
    /// A kernel has ended with an exception such as `__trap()`.
    LaunchFailure = 719, "cudaErrorLaunchFailure", "unspecified launch failure";
    /// The blocks of a cooperative launch cannot be resident together.
    CooperativeLaunchTooLarge = 720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch";
    /// The GPU does not have the feature.
    NotSupported = 801, "cudaErrorNotSupported", "operation not supported";
}

impl CudaError {
    /// The error with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|error| error.name() == name)
    }

    /// The error with this number.
    pub fn of_code(code: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|error| error.code() == code)
    }

    /// Whether the error stays until the process ends: every later call that reaches the GPU returns it.
    pub const fn is_sticky(self) -> bool {
        matches!(
            self,
            Self::IllegalAddress | Self::MisalignedAddress | Self::Assert | Self::LaunchFailure
        )
    }
}

impl LaunchRefusal {
    /// The error that the runtime returns for the launch.
    ///
    /// Sizes outside of their range are `cudaErrorInvalidConfiguration`, as the Runtime API documents: "requesting too many
    /// threads or blocks". This is what CUDA returns through version 12, so on every GPU before Turing. CUDA 13.0 returns
    /// `cudaErrorInvalidValue` instead (measured on an H100 and an H200, `tests/facts/runtime_errors.tsv`), against its own
    /// documentation. The documented error is modeled: it does not depend on the version of CUDA.
    pub const fn error(&self) -> CudaError {
        match self {
            Self::Empty { .. } | Self::TooLarge { .. } => CudaError::InvalidConfiguration,
            // Measured: `cudaErrorInvalidValue` for a block larger than `__launch_bounds__` and for shared memory.
            Self::LaunchBounds { .. } | Self::NotOptedIn { .. } => CudaError::InvalidValue,
            Self::TooMuch { what, .. } => match what {
                LimitedResource::Threads => CudaError::InvalidConfiguration,
                LimitedResource::RegistersPerThread | LimitedResource::RegistersPerBlock => {
                    CudaError::LaunchOutOfResources
                }
                LimitedResource::Shared
                | LimitedResource::StaticShared
                | LimitedResource::Parameters
                | LimitedResource::Local => CudaError::InvalidValue,
            },
        }
    }
}
