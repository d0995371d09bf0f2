//! Occupancy: the blocks resident on an SM and the resources that limit them.
//!
//! The arithmetic follows NVIDIA's `cuda_occupancy.h` from 3.5 on, and the Programming Guide 4.2, section 4.2, for
//! 1.x and 2.x.

use serde::Serialize;

use super::{
    ArchId, Architecture, ComputeCapability, LaunchRefusal, OccupancyRules, RegisterScope, WARP_SIZE,
    architecture,
};

/// The SM resources that a block of a launch uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LaunchResources {
    /// Threads per block.
    pub threads_per_block: u32,
    /// Registers per thread.
    pub registers_per_thread: u32,
    /// Static shared memory per block in bytes.
    pub static_shared: u32,
    /// Dynamic shared memory per block in bytes. A total above 48 KB counts as opt-in.
    pub dynamic_shared: u32,
    /// Preferred carveout in percent of the maximum shared memory, rounded up to a supported size.
    ///
    /// `None` is the driver's default: from 7.0 on the smallest size with which shared memory does not limit the
    /// blocks, before 7.0 the largest size. On Fermi, 0 means "prefer L1".
    pub carveout_percent: Option<u32>,
    /// Whether global loads are cached in L1, which restricts blocks to half an SM on some chips.
    pub global_caching: GlobalCaching,
}

/// Whether the launch requests L1 caching of global loads, which restricts blocks to half an SM on some chips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum GlobalCaching {
    /// The default of the chip.
    #[default]
    Default,
    /// L1 caching, as `-Xptxas -dlcm=ca` requests.
    InL1,
}

/// The resources that can limit the number of resident blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Limiter {
    /// Warp slots.
    Warps,
    /// Block slots.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

impl Limiter {
    /// Returns the display name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Warps => "warps",
            Self::Blocks => "blocks",
            Self::Registers => "registers",
            Self::Shared => "shared memory",
        }
    }
}

/// The occupancy of an SM by a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// Resident blocks; 0 if no block fits.
    pub blocks_per_sm: u32,
    /// Blocks that the warp slots allow.
    pub limit_warps: u32,
    /// Block slots.
    pub limit_blocks: u32,
    /// Blocks that the registers allow; `None` if the kernel uses none.
    pub limit_registers: Option<u32>,
    /// Blocks that shared memory allows; `None` if the kernel uses none.
    pub limit_shared: Option<u32>,
    /// Registers allocated per block.
    pub allocated_registers_per_block: u32,
    /// Bytes of shared memory allocated per block.
    pub allocated_shared_per_block: u32,
    /// Warps per block.
    pub warps_per_block: u32,
    /// Maximum resident warps.
    pub max_warps_per_sm: u32,
    /// The shared memory carveout in KB.
    pub shared_kib: u16,
}

impl Occupancy {
    /// Returns the number of resident warps.
    pub fn warps_per_sm(&self) -> u32 {
        self.blocks_per_sm * self.warps_per_block
    }

    /// Returns the occupancy: resident warps divided by warp slots.
    pub fn fraction(&self) -> f64 {
        f64::from(self.warps_per_sm()) / f64::from(self.max_warps_per_sm)
    }

    /// Returns the limit that a resource sets, in blocks.
    pub fn limit(&self, limiter: Limiter) -> Option<u32> {
        match limiter {
            Limiter::Warps => Some(self.limit_warps),
            Limiter::Blocks => Some(self.limit_blocks),
            Limiter::Registers => self.limit_registers,
            Limiter::Shared => self.limit_shared,
        }
    }

    /// Returns the resources that limit the number of resident blocks.
    pub fn limiters(&self) -> impl Iterator<Item = Limiter> {
        [
            Limiter::Warps,
            Limiter::Blocks,
            Limiter::Registers,
            Limiter::Shared,
        ]
        .into_iter()
        .filter(|limiter| self.limit(*limiter) == Some(self.blocks_per_sm))
    }
}

/// Returns the occupancy of a launch on an architecture.
///
/// # Errors
///
/// Returns an error if no block of the launch can run on the architecture.
pub fn occupancy(arch: &Architecture, resources: &LaunchResources) -> Result<Occupancy, LaunchRefusal> {
    super::launch_check::check_resources(arch, resources)?;
    Ok(arch.occupancy.resident_blocks(resources))
}

impl OccupancyRules {
    /// Returns resident blocks and every limit. A launch that does not fit has a limit of 0.
    pub fn resident_blocks(&self, resources: &LaunchResources) -> Occupancy {
        let warps_per_block = resources.threads_per_block.div_ceil(WARP_SIZE).max(1);
        let fits = resources.threads_per_block <= u32::from(self.max_threads_per_block.value);
        let (allocated_registers_per_block, limit_registers, halved) =
            self.register_limit(resources, warps_per_block);
        let max_warps = u32::from(self.max_warps_per_sm.value);
        let limit_warps = match (fits, halved) {
            (false, _) => 0,
            (true, false) => max_warps / warps_per_block,
            (true, true) => max_warps / 2 / warps_per_block * 2,
        };
        let (allocated_shared_per_block, limit_shared, mut shared_kib) = self.shared_limit(resources);
        let limit_blocks = u32::from(self.max_blocks_per_sm.value);
        let blocks_per_sm = limit_warps
            .min(limit_blocks)
            .min(limit_registers.unwrap_or(u32::MAX))
            .min(limit_shared.unwrap_or(u32::MAX));
        if resources.carveout_percent.is_none() && self.carveout_by_need.value {
            let needed = blocks_per_sm.saturating_mul(allocated_shared_per_block);
            shared_kib = self.carveout_for(needed.max(allocated_shared_per_block));
        }
        Occupancy {
            blocks_per_sm,
            limit_warps,
            limit_blocks,
            limit_registers,
            limit_shared,
            allocated_registers_per_block,
            allocated_shared_per_block,
            warps_per_block,
            max_warps_per_sm: max_warps,
            shared_kib,
        }
    }

    /// Returns the registers allocated per block, the limit in blocks, and whether blocks are restricted to half an SM.
    fn register_limit(&self, resources: &LaunchResources, warps_per_block: u32) -> (u32, Option<u32>, bool) {
        let registers = resources.registers_per_thread;
        let unit = u32::from(self.register_unit.value);
        let file = self.registers_per_sm.value;
        let too_many = registers > u32::from(self.max_registers_per_thread.value);
        let per_warp = (registers * WARP_SIZE).next_multiple_of(unit);
        match self.register_scope.value {
            RegisterScope::Block | RegisterScope::Warp => {
                let granularity = u32::from(self.warp_granularity.value);
                let allocated = if self.register_scope.value == RegisterScope::Block {
                    (warps_per_block.next_multiple_of(granularity) * WARP_SIZE * registers)
                        .next_multiple_of(unit)
                } else {
                    per_warp * warps_per_block
                };
                let limit = if too_many {
                    Some(0)
                } else {
                    file.checked_div(allocated)
                };
                (allocated, limit, false)
            }
            RegisterScope::WarpOfPartition => {
                let allocated = per_warp * warps_per_block;
                // A block must fit the register partitions of this chip and of the other chips that run its code.
                let runs_with = |partitions: u32| {
                    let rounded = per_warp * warps_per_block.next_multiple_of(partitions);
                    rounded <= self.registers_per_block.value
                        && (per_warp == 0 || file / partitions / per_warp * partitions >= warps_per_block)
                };
                let partitions = u32::from(self.register_partitions.value);
                let confined =
                    resources.global_caching == GlobalCaching::InL1 && self.partitioned_global_caching.value;
                if too_many || !runs_with(partitions) || !runs_with(u32::from(self.warp_granularity.value)) {
                    return (allocated, Some(0), false);
                }
                let Some(warps_of_file) = (file / partitions).checked_div(per_warp) else {
                    return (allocated, None, confined);
                };
                // A block that does not fit in half an SM gets the whole SM without L1 caching.
                let halves = warps_of_file * (partitions / 2) / warps_per_block * 2;
                if confined && halves > 0 {
                    (allocated, Some(halves), true)
                } else {
                    (
                        allocated,
                        Some(warps_of_file * partitions / warps_per_block),
                        false,
                    )
                }
            }
        }
    }

    /// Returns the shared memory allocated per block, the limit in blocks, and the carveout in KB.
    fn shared_limit(&self, resources: &LaunchResources) -> (u32, Option<u32>, u16) {
        let reserved = u32::from(self.shared_reserved_bytes.value);
        let requested = resources.static_shared.saturating_add(resources.dynamic_shared);
        let allocated = requested
            .saturating_add(reserved)
            .checked_next_multiple_of(u32::from(self.shared_unit_bytes.value))
            .unwrap_or(u32::MAX);
        let most = u32::from(self.shared_optin_kib.value) * 1024 + reserved;
        let shared_kib = self.carveout_kib(resources.carveout_percent, allocated);
        let limit = if allocated > most {
            Some(0)
        } else {
            (u32::from(shared_kib) * 1024).checked_div(allocated)
        };
        (allocated, limit, shared_kib)
    }

    /// Returns the carveout for a preference, at least as large as one block needs.
    pub fn carveout_kib(&self, percent: Option<u32>, bytes_per_block: u32) -> u16 {
        let largest = self.shared_per_sm_kib.value;
        let preferred = match percent {
            Some(percent) => self.carveout_for(percent.min(100) * u32::from(largest) * 1024 / 100),
            None => largest,
        };
        preferred.max(self.carveout_for(bytes_per_block))
    }

    /// Returns the smallest carveout that holds `bytes`, or the largest carveout if none does.
    fn carveout_for(&self, bytes: u32) -> u16 {
        let sizes = self.carveouts_kib.value.iter().copied();
        let mut holding = sizes.filter(|kib| u32::from(*kib) * 1024 >= bytes);
        holding.next().unwrap_or(self.shared_per_sm_kib.value)
    }
}

/// Returns the limits of a compute capability, including capabilities without a simulated architecture.
pub fn occupancy_rules(capability: ComputeCapability) -> Option<&'static OccupancyRules> {
    if let Some(id) = ArchId::ALL
        .into_iter()
        .find(|id| architecture(*id).compute_capability == capability)
    {
        return Some(&architecture(id).occupancy);
    }
    match (capability.major, capability.minor) {
        (1, 1) => Some(&architecture(ArchId::G80).occupancy),
        (1, 2) => Some(&architecture(ArchId::Gt200).occupancy),
        _ => None,
    }
}
