//! What an SM can hold and what a launch may ask for.

use serde::Serialize;

use super::sourced::{ValueText, sourced_struct};

/// For whom registers are allocated together.
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
            Self::WarpOfPartition => "warp, from its scheduler's file",
        }
        .to_owned()
    }
}

sourced_struct! {
    /// How many blocks an SM holds.
    pub struct OccupancyRules {
        /// Resident warps of an SM.
        max_warps_per_sm: u16, "warps";
        /// Resident blocks of an SM.
        max_blocks_per_sm: u16, "blocks";
        /// Threads of a block.
        max_threads_per_block: u16, "threads";
        /// 32-bit registers of an SM.
        registers_per_sm: u32, "registers";
        /// Registers that one block can have.
        registers_per_block: u32, "registers";
        /// Registers that one thread can have.
        max_registers_per_thread: u16, "registers";
        /// Registers are allocated in this unit.
        register_unit: u16, "registers";
        /// For whom a unit of registers is allocated.
        register_scope: RegisterScope, "";
        /// Register files of an SM.
        register_partitions: u16, "files";
        /// Warps of a block are rounded up to this when registers are counted (1.x), or when a
        /// launch is checked.
        warp_granularity: u16, "warps";
        /// Shared memory is allocated in this unit.
        shared_unit_bytes: u16, "B";
        /// Shared memory of every block that the system takes.
        shared_reserved_bytes: u16, "B";
        /// Shared memory of an SM at most.
        shared_per_sm_kib: u16, "KiB";
        /// Shared memory of a block without opting in.
        shared_static_kib: u16, "KiB";
        /// Shared memory of a block that opted in.
        shared_optin_kib: u16, "KiB";
        /// Sizes that shared memory can be set to.
        carveouts_kib: &'static [u16], "KiB";
        /// Whether shared memory is set to what the resident blocks need where the kernel prefers nothing;
        /// else it is set to the largest size.
        carveout_by_need: bool, "";
        /// Whether caching global loads in L1 confines a block to half an SM.
        partitioned_global_caching: bool, "";
        /// Grids that can run at once on the chip.
        max_resident_grids: u16, "grids";
    }
}

sourced_struct! {
    /// What a launch may ask for.
    pub struct LaunchLimits {
        /// Blocks of a grid in x, y, z.
        max_grid: [u32; 3], "blocks";
        /// Threads of a block in x, y, z.
        max_block: [u32; 3], "threads";
        /// Bytes of kernel parameters.
        max_parameter_bytes: u32, "B";
    }
}
