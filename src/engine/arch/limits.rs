//! Occupancy limits of an SM and limits of a launch configuration.

use serde::Serialize;

use super::sourced::{ValueText, sourced_struct};

/// The unit to which registers are allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RegisterScope {
    /// The block, its warps rounded up to pairs (1.x).
    Block,
    /// Each warp, from one file (2.x).
    Warp,
    /// Each warp, from the file of its scheduler (3.x on).
    WarpOfPartition,
}

impl ValueText for RegisterScope {
    fn value_text(&self) -> String {
        match self {
            Self::Block => "block",
            Self::Warp => "warp",
            Self::WarpOfPartition => "warp, from the register file of its scheduler",
        }
        .to_owned()
    }
}

sourced_struct! {
    /// The limits that decide how many blocks are resident on an SM.
    pub struct OccupancyRules {
        /// Maximum resident warps of an SM.
        max_warps_per_sm: u16, "warps";
        /// Maximum resident blocks of an SM.
        max_blocks_per_sm: u16, "blocks";
        /// Maximum threads of a block.
        max_threads_per_block: u16, "threads";
        /// 32-bit registers of an SM.
        registers_per_sm: u32, "registers";
        /// Registers available to one block.
        registers_per_block: u32, "registers";
        /// Registers available to one thread.
        max_registers_per_thread: u16, "registers";
        /// Allocation granularity of registers.
        register_unit: u16, "registers";
        /// Whether registers are allocated per block or per warp.
        register_scope: RegisterScope, "";
        /// Register files of an SM.
        register_partitions: u16, "files";
        /// Granularity to which a block's warps are rounded up when registers are counted (1.x), or when a launch is
        /// checked.
        warp_granularity: u16, "warps";
        /// Allocation granularity of shared memory.
        shared_unit_bytes: u16, "B";
        /// Shared memory that the system reserves in every block.
        shared_reserved_bytes: u16, "B";
        /// Maximum shared memory of an SM.
        shared_per_sm_kib: u16, "KiB";
        /// Maximum shared memory of a block without opt-in.
        shared_static_kib: u16, "KiB";
        /// Maximum shared memory of a block with opt-in.
        shared_optin_kib: u16, "KiB";
        /// Supported shared memory carveouts.
        carveouts_kib: &'static [u16], "KiB";
        /// Whether the driver picks the carveout by need if the kernel states no preference; otherwise the largest
        /// carveout is the default.
        carveout_by_need: bool, "";
        /// Whether L1 caching of global loads restricts a block to half an SM.
        partitioned_global_caching: bool, "";
        /// Maximum grids resident on the chip at once.
        max_resident_grids: u16, "grids";
    }
}

sourced_struct! {
    /// The limits of a launch configuration.
    pub struct LaunchLimits {
        /// Maximum blocks of a grid in x, y, z.
        max_grid: [u32; 3], "blocks";
        /// Maximum threads of a block in x, y, z.
        max_block: [u32; 3], "threads";
        /// Maximum size of kernel parameters.
        max_parameter_bytes: u32, "B";
    }
}
