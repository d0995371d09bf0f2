//! Launches that the hardware refuses, and why.

use super::{Architecture, LaunchResources};

/// Why a launch cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchRefusal {
    /// A dimension is zero.
    #[error("the {what} has no extent in {axis}; every dimension is at least 1")]
    Empty {
        /// Grid or block.
        what: &'static str,
        /// x, y or z.
        axis: char,
    },
    /// A dimension is too large.
    #[error("{asked} {what}s in {axis} are more than the {limit} that {arch} takes ({source_text})")]
    TooLarge {
        /// The architecture's name.
        arch: &'static str,
        /// What is counted: block (of the grid) or thread (of the block).
        what: &'static str,
        /// x, y or z.
        axis: char,
        /// What the launch asks for.
        asked: u32,
        /// What there may be.
        limit: u32,
        /// Who says so.
        source_text: &'static str,
    },
    /// More threads than the kernel is compiled for.
    #[error(
        "{asked} threads in a block are more than the {limit} of the kernel's __launch_bounds__ (Programming Guide 13.0, Launch \
         Bounds)"
    )]
    LaunchBounds {
        /// Threads of a block of the launch.
        asked: u32,
        /// The first number of `__launch_bounds__`.
        limit: u32,
    },
    /// A resource is exceeded.
    #[error("{asked} {what} are more than the {limit} that {arch} takes ({source_text})")]
    TooMuch {
        /// The architecture's name.
        arch: &'static str,
        /// What is counted, as `threads in a block`.
        what: &'static str,
        /// What the launch asks for.
        asked: u64,
        /// What there may be.
        limit: u64,
        /// Who says so.
        source_text: &'static str,
    },
}

/// What a program needs of a launch besides its dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramResources {
    /// Registers of a thread.
    pub registers_per_thread: u32,
    /// Static shared memory of a block in bytes.
    pub static_shared: u32,
    /// Local memory of a thread in bytes.
    pub local_bytes_per_thread: u32,
    /// Bytes of parameters.
    pub parameter_bytes: u32,
}

/// Checks a whole launch, as the runtime does before it starts.
///
/// # Errors
///
/// The first limit that the launch exceeds.
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
        for ((axis, asked), most) in ['x', 'y', 'z'].into_iter().zip(extents).zip(limit.value) {
            if asked == 0 {
                return Err(LaunchRefusal::Empty { what: of, axis });
            }
            if asked > most {
                return Err(LaunchRefusal::TooLarge {
                    arch: arch.name,
                    what,
                    axis,
                    asked,
                    limit: most,
                    source_text: limit.source,
                });
            }
        }
    }
    // Each extent passed its limit, so the product is at most 2^26.
    let threads = block.iter().product();
    let local = &arch.memory.device.local_kib_per_thread;
    let parameters = &arch.limits.max_parameter_bytes;
    too_much(
        arch,
        "bytes of kernel parameters",
        program.parameter_bytes,
        parameters.value,
        parameters.source,
    )?;
    too_much(
        arch,
        "bytes of local memory in a thread",
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

/// Checks what one block needs of an SM.
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
    too_much(
        arch,
        "threads in a block",
        threads,
        limit.value.into(),
        limit.source,
    )?;
    let limit = &rules.max_registers_per_thread;
    too_much(
        arch,
        "registers in a thread",
        resources.registers_per_thread,
        limit.value.into(),
        limit.source,
    )?;
    let limit = &rules.shared_static_kib;
    let what = "bytes of static shared memory in a block";
    too_much(
        arch,
        what,
        resources.static_shared,
        u32::from(limit.value) * 1024,
        limit.source,
    )?;
    let limit = &rules.shared_optin_kib;
    let asked = resources.static_shared.saturating_add(resources.dynamic_shared);
    too_much(
        arch,
        "bytes of shared memory in a block",
        asked,
        u32::from(limit.value) * 1024,
        limit.source,
    )?;
    let fit = rules.resident_blocks(resources);
    if fit.limit_registers == Some(0) {
        return Err(LaunchRefusal::TooMuch {
            arch: arch.name,
            what: "registers in a block, as they are allocated,",
            asked: fit.allocated_registers_per_block.into(),
            limit: rules.registers_per_block.value.into(),
            source_text: rules.registers_per_block.source,
        });
    }
    Ok(())
}

fn too_much(
    arch: &Architecture,
    what: &'static str,
    asked: u32,
    limit: u32,
    source_text: &'static str,
) -> Result<(), LaunchRefusal> {
    if asked <= limit {
        return Ok(());
    }
    Err(LaunchRefusal::TooMuch {
        arch: arch.name,
        what,
        asked: asked.into(),
        limit: limit.into(),
        source_text,
    })
}
