//! Checks of a launch configuration against the limits of the hardware.

use super::{Architecture, LaunchResources};

/// Why a launch cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchRefusal {
    /// A dimension is zero.
    #[error("the {what} has size 0 in {axis}; each dimension must be at least 1")]
    Empty {
        /// `grid` or `block`.
        what: &'static str,
        /// x, y or z.
        axis: char,
    },
    /// A dimension is too large.
    #[error("{requested} {what}s in {axis} exceed the limit of {limit} on {arch} ({source_text})")]
    TooLarge {
        /// The architecture's name.
        arch: &'static str,
        /// The counted unit: `block` (of the grid) or `thread` (of the block).
        what: &'static str,
        /// x, y or z.
        axis: char,
        /// The requested number.
        requested: u32,
        /// The limit.
        limit: u32,
        /// The document and section that state the limit.
        source_text: &'static str,
    },
    /// A block has more threads than the kernel is compiled for.
    #[error(
        "{requested} threads per block exceed the kernel's __launch_bounds__ of {limit} (Programming Guide 13.0, Launch Bounds)"
    )]
    LaunchBounds {
        /// Threads per block in the launch.
        requested: u32,
        /// The first number of `__launch_bounds__`.
        limit: u32,
    },
    /// A block takes more shared memory than a kernel gets without a call of `cudaFuncSetAttribute`.
    #[error(
        "{requested} bytes of shared memory per block exceed the {limit} bytes that the kernel may use on {arch} ({source_text})"
    )]
    NotOptedIn {
        /// The architecture's name.
        arch: &'static str,
        /// The requested number of bytes, static and dynamic.
        requested: u64,
        /// The bytes that the kernel may use.
        limit: u64,
        /// The document and section that state the limit.
        source_text: &'static str,
    },
    /// A resource limit is exceeded.
    #[error("{requested} {what} exceed the limit of {limit} on {arch} ({source_text})")]
    TooMuch {
        /// The architecture's name.
        arch: &'static str,
        /// The resource.
        what: LimitedResource,
        /// The requested number.
        requested: u64,
        /// The limit.
        limit: u64,
        /// The document and section that state the limit.
        source_text: &'static str,
    },
}

/// A resource with a limit, with its unit as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say it")]
pub enum LimitedResource {
    #[error("threads per block")]
    Threads,
    #[error("registers per thread")]
    RegistersPerThread,
    #[error("registers per block, as allocated,")]
    RegistersPerBlock,
    #[error("bytes of static shared memory per block")]
    StaticShared,
    #[error("bytes of shared memory per block")]
    Shared,
    #[error("bytes of kernel parameters")]
    Parameters,
    #[error("bytes of local memory per thread")]
    Local,
}

/// The resources that a compiled program uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramResources {
    /// Registers per thread.
    pub registers_per_thread: u32,
    /// Static shared memory per block in bytes.
    pub static_shared: u32,
    /// Local memory per thread in bytes.
    pub local_bytes_per_thread: u32,
    /// Bytes of kernel parameters.
    pub parameter_bytes: u32,
}

/// Checks a launch, as the CUDA runtime does before a kernel starts.
///
/// # Errors
///
/// Returns the first limit that the launch exceeds.
pub fn check_launch(
    arch: &Architecture,
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u32,
    program: &ProgramResources,
) -> Result<(), LaunchRefusal> {
    let axes = [
        ("grid", "block", grid, &arch.limits.max_grid),
        ("block", "thread", block, &arch.limits.max_block),
    ];
    for (of, what, extents, limit) in axes {
        for ((axis, requested), most) in ['x', 'y', 'z'].into_iter().zip(extents).zip(limit.value) {
            if requested == 0 {
                return Err(LaunchRefusal::Empty { what: of, axis });
            }
            if requested > most {
                return Err(LaunchRefusal::TooLarge {
                    arch: arch.name,
                    what,
                    axis,
                    requested,
                    limit: most,
                    source_text: limit.source,
                });
            }
        }
    }
    // Each extent is within its limit, so the product is at most 2^26.
    let threads = block.iter().product();
    let local = &arch.memory.device.local_kib_per_thread;
    let parameters = &arch.limits.max_parameter_bytes;
    check_limit(
        arch,
        LimitedResource::Parameters,
        program.parameter_bytes,
        parameters.value,
        parameters.source,
    )?;
    check_limit(
        arch,
        LimitedResource::Local,
        program.local_bytes_per_thread,
        u32::from(local.value) * 1024,
        local.source,
    )?;
    check_resources(
        arch,
        &LaunchResources {
            threads_per_block: threads,
            registers_per_thread: program.registers_per_thread,
            static_shared: program.static_shared,
            dynamic_shared,
            ..LaunchResources::default()
        },
    )
}

/// Checks shared memory against what the kernel may use: 48 KB in total, or the dynamic bytes that
/// `cudaFuncAttributeMaxDynamicSharedMemorySize` permits (`permitted`).
///
/// # Errors
///
/// Returns [`LaunchRefusal::NotOptedIn`] if the block takes more.
pub fn check_opt_in(
    arch: &Architecture,
    static_shared: u32,
    dynamic_shared: u32,
    permitted: Option<u32>,
) -> Result<(), LaunchRefusal> {
    let limit = &arch.occupancy.shared_static_kib;
    let without = u32::from(limit.value) * 1024;
    let requested = static_shared.saturating_add(dynamic_shared);
    if requested <= without || permitted.is_some_and(|permitted| dynamic_shared <= permitted) {
        return Ok(());
    }
    let limit_bytes = permitted.map_or(without, |permitted| {
        without.max(static_shared.saturating_add(permitted))
    });
    Err(LaunchRefusal::NotOptedIn {
        arch: arch.name,
        requested: requested.into(),
        limit: limit_bytes.into(),
        source_text: limit.source,
    })
}

/// Checks whether one block fits on an SM.
pub(super) fn check_resources(arch: &Architecture, resources: &LaunchResources) -> Result<(), LaunchRefusal> {
    let rules = &arch.occupancy;
    let threads = resources.threads_per_block;
    if threads == 0 {
        return Err(LaunchRefusal::Empty {
            what: "block",
            axis: 'x',
        });
    }
    let limit = &rules.max_threads_per_block;
    check_limit(
        arch,
        LimitedResource::Threads,
        threads,
        limit.value.into(),
        limit.source,
    )?;
    let limit = &rules.max_registers_per_thread;
    check_limit(
        arch,
        LimitedResource::RegistersPerThread,
        resources.registers_per_thread,
        limit.value.into(),
        limit.source,
    )?;
    let limit = &rules.shared_static_kib;
    check_limit(
        arch,
        LimitedResource::StaticShared,
        resources.static_shared,
        u32::from(limit.value) * 1024,
        limit.source,
    )?;
    let limit = &rules.shared_optin_kib;
    let requested = resources.static_shared.saturating_add(resources.dynamic_shared);
    check_limit(
        arch,
        LimitedResource::Shared,
        requested,
        u32::from(limit.value) * 1024,
        limit.source,
    )?;
    let fit = rules.resident_blocks(resources);
    if fit.limit_registers == Some(0) {
        return Err(LaunchRefusal::TooMuch {
            arch: arch.name,
            what: LimitedResource::RegistersPerBlock,
            requested: fit.allocated_registers_per_block.into(),
            limit: rules.registers_per_block.value.into(),
            source_text: rules.registers_per_block.source,
        });
    }
    Ok(())
}

fn check_limit(
    arch: &Architecture,
    what: LimitedResource,
    requested: u32,
    limit: u32,
    source_text: &'static str,
) -> Result<(), LaunchRefusal> {
    if requested <= limit {
        return Ok(());
    }
    Err(LaunchRefusal::TooMuch {
        arch: arch.name,
        what,
        requested: requested.into(),
        limit: limit.into(),
        source_text,
    })
}
