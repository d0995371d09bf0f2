//! What the CUDA runtime says of a GPU and of a kernel on it: properties, attributes, and occupancy.

use super::errors::{NO_PLACE, is_null_pointer};
use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;
use engine::arch::{Architecture, CudaError, LaunchResources, architecture};

/// The structs of properties, as the CUDA headers declare them for host code; members of CUDA 12 and earlier, too.
pub(in crate::host) const DECLARATIONS: &str = include_str!("../devices.h");

/// Whether a text uses what [`DECLARATIONS`] declares.
pub(in crate::host) fn is_used(text: &str) -> bool {
    ["cudaDeviceProp", "cudaFuncAttributes"]
        .iter()
        .any(|name| text.contains(name))
}

/// A number that the runtime returns of a GPU.
struct Property {
    /// The member of `cudaDeviceProp`, with the index in an array.
    member: (&'static str, u64),
    /// The name and the number of the `cudaDeviceAttr` (CUDA 13.0, `driver_types.h`).
    attribute: (&'static str, u64),
    /// The number on an architecture.
    value: fn(&Architecture) -> u64,
}

const fn property(
    member: &'static str,
    name: &'static str,
    number: u64,
    value: fn(&Architecture) -> u64,
) -> Property {
    element(member, 0, name, number, value)
}

/// An element of an array.
const fn element(
    member: &'static str,
    idx: u64,
    name: &'static str,
    number: u64,
    value: fn(&Architecture) -> u64,
) -> Property {
    Property {
        member: (member, idx),
        attribute: (name, number),
        value,
    }
}

fn kib(number: u16) -> u64 {
    u64::from(number) * 1024
}

fn has_capability(arch: &Architecture, major: u8) -> u64 {
    u64::from(arch.compute_capability.major >= major)
}

/// The properties that Warpscope has a number of. An H100 returns those of GH100 (measured with CUDA 13.0), but for its
/// three copy engines, and for the L2 and the memory bus: Warpscope's product with this chip is the H200.
const PROPERTIES: [Property; 35] = [
    property("maxThreadsPerBlock", "MaxThreadsPerBlock", 1, |arch| {
        arch.occupancy.max_threads_per_block.value.into()
    }),
    element("maxThreadsDim", 0, "MaxBlockDimX", 2, |arch| {
        arch.limits.max_block.value[0].into()
    }),
    element("maxThreadsDim", 1, "MaxBlockDimY", 3, |arch| {
        arch.limits.max_block.value[1].into()
    }),
    element("maxThreadsDim", 2, "MaxBlockDimZ", 4, |arch| {
        arch.limits.max_block.value[2].into()
    }),
    element("maxGridSize", 0, "MaxGridDimX", 5, |arch| {
        arch.limits.max_grid.value[0].into()
    }),
    element("maxGridSize", 1, "MaxGridDimY", 6, |arch| {
        arch.limits.max_grid.value[1].into()
    }),
    element("maxGridSize", 2, "MaxGridDimZ", 7, |arch| {
        arch.limits.max_grid.value[2].into()
    }),
    property("sharedMemPerBlock", "MaxSharedMemoryPerBlock", 8, |arch| {
        kib(arch.occupancy.shared_static_kib.value)
    }),
    // Programming Guide 13.0, Table 27: 64 KB on every architecture.
    property("totalConstMem", "TotalConstantMemory", 9, |_| 64 * 1024),
    property("warpSize", "WarpSize", 10, |_| 32),
    property("regsPerBlock", "MaxRegistersPerBlock", 12, |arch| {
        arch.occupancy.registers_per_block.value.into()
    }),
    property("clockRate", "ClockRate", 13, |arch| {
        u64::from(arch.chip.sm_clock_mhz.value) * 1000
    }),
    // It copies while a kernel runs.
    property("deviceOverlap", "GpuOverlap", 15, |arch| {
        u64::from(arch.host().copy_engines.value > 0)
    }),
    property("multiProcessorCount", "MultiProcessorCount", 16, |arch| {
        arch.chip.num_sms.value.into()
    }),
    property("integrated", "Integrated", 18, |_| 0),
    // Programming Guide 4.2, 3.2.4.3: products of 1.0 do not map host memory.
    property("canMapHostMemory", "CanMapHostMemory", 19, |arch| {
        u64::from((arch.compute_capability.major, arch.compute_capability.minor) > (1, 0))
    }),
    property("computeMode", "ComputeMode", 20, |_| 0),
    property("concurrentKernels", "ConcurrentKernels", 31, |arch| {
        u64::from(arch.occupancy.max_resident_grids.value > 1)
    }),
    property("memoryBusWidth", "GlobalMemoryBusWidth", 37, |arch| {
        arch.chip.dram_bits.value.into()
    }),
    property(
        "maxThreadsPerMultiProcessor",
        "MaxThreadsPerMultiProcessor",
        39,
        |arch| u64::from(arch.occupancy.max_warps_per_sm.value) * 32,
    ),
    property("asyncEngineCount", "AsyncEngineCount", 40, |arch| {
        arch.host().copy_engines.value.into()
    }),
    // Programming Guide 13.0, Unified Virtual Address Space: 2.0 and later.
    property("unifiedAddressing", "UnifiedAddressing", 41, |arch| {
        has_capability(arch, 2)
    }),
    property("major", "ComputeCapabilityMajor", 75, |arch| {
        arch.compute_capability.major.into()
    }),
    property("minor", "ComputeCapabilityMinor", 76, |arch| {
        arch.compute_capability.minor.into()
    }),
    property(
        "sharedMemPerMultiprocessor",
        "MaxSharedMemoryPerMultiprocessor",
        81,
        |arch| kib(arch.occupancy.shared_per_sm_kib.value),
    ),
    property(
        "regsPerMultiprocessor",
        "MaxRegistersPerMultiprocessor",
        82,
        |arch| arch.occupancy.registers_per_sm.value.into(),
    ),
    // Programming Guide 13.0, Unified Memory: 3.0 and later; with page faults from 6.0 on.
    property("managedMemory", "ManagedMemory", 83, |arch| {
        has_capability(arch, 3)
    }),
    property("isMultiGpuBoard", "IsMultiGpuBoard", 84, |_| 0),
    property("concurrentManagedAccess", "ConcurrentManagedAccess", 89, |arch| {
        has_capability(arch, 6)
    }),
    // Programming Guide 13.0, Grid Synchronization: 6.0 and later.
    property("cooperativeLaunch", "CooperativeLaunch", 95, |arch| {
        has_capability(arch, 6)
    }),
    property(
        "sharedMemPerBlockOptin",
        "MaxSharedMemoryPerBlockOptin",
        97,
        |arch| kib(arch.occupancy.shared_optin_kib.value),
    ),
    property(
        "maxBlocksPerMultiProcessor",
        "MaxBlocksPerMultiprocessor",
        106,
        |arch| arch.occupancy.max_blocks_per_sm.value.into(),
    ),
    property(
        "reservedSharedMemPerBlock",
        "ReservedSharedMemoryPerBlock",
        111,
        |arch| arch.occupancy.shared_reserved_bytes.value.into(),
    ),
    property("clusterLaunch", "ClusterLaunch", 120, |arch| {
        has_capability(arch, 9)
    }),
    property("l2CacheSize", "L2CacheSize", 38, |arch| {
        arch.memory
            .l2
            .as_ref()
            .map_or(0, |l2| u64::from(l2.capacity_kib.value) * 1024)
    }),
];

/// The number of an attribute of a GPU.
pub(in crate::host) fn attribute_number(text: &str) -> Option<u64> {
    let name = text.strip_prefix("cudaDevAttr")?;
    let property = PROPERTIES.iter().find(|property| property.attribute.0 == name)?;
    Some(property.attribute.1)
}

impl Machine {
    /// Calls about the GPU and about the occupancy of kernels.
    pub(in crate::host) fn device_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        match (name, args) {
            ("cudaGetDeviceProperties" | "cudaGetDeviceProperties_v2", [target, gpu]) => {
                let (pointer, gpu) = (self.eval(target)?, self.eval(gpu)?);
                if let Some(error) = self
                    .null_target(name, &pointer)
                    .or_else(|| self.missing_gpu(name, &gpu))
                {
                    return Ok(Some(error));
                }
                self.store_properties(&pointer);
            }
            ("cudaDeviceGetAttribute", [target, attribute, gpu]) => {
                let (pointer, attribute) = (self.eval(target)?, self.eval(attribute)?);
                let gpu = self.eval(gpu)?;
                if let Some(error) = self
                    .null_target(name, &pointer)
                    .or_else(|| self.missing_gpu(name, &gpu))
                {
                    return Ok(Some(error));
                }
                let value = self.attribute(&attribute);
                self.store_at(&pointer, value);
            }
            (
                "cudaOccupancyMaxActiveBlocksPerMultiprocessor"
                | "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                [target, kernel, block, shared, ..],
            ) => {
                let (pointer, kernel) = (self.eval(target)?, self.eval(kernel)?);
                let (block, shared) = (self.eval(block)?, self.eval(shared)?);
                if let Some(error) = self.null_target(name, &pointer) {
                    return Ok(Some(error));
                }
                if block.is_known() && block.bits.cast_signed() as i32 <= 0 {
                    let why = format!("{} threads are no block", block.bits.cast_signed() as i32);
                    return Ok(Some(self.fail(CudaError::InvalidValue, name, why)));
                }
                let sizes = (block.is_known() && shared.is_known())
                    .then_some((block.bits as u32, shared.bits as u32));
                let blocks = match (sizes, self.resources(&kernel)) {
                    (Some((block, shared)), Some(resources)) => Value::int(
                        resources
                            .blocks_per_sm(architecture(self.arch), block, shared)
                            .into(),
                    ),
                    _ => Value::unknown(self.reason(format!("it comes from `{name}`"))),
                };
                self.store_at(&pointer, blocks);
            }
            ("cudaOccupancyMaxPotentialBlockSize", [grid, block, kernel, rest @ ..]) if rest.len() <= 2 => {
                let pointers = [self.eval(grid)?, self.eval(block)?];
                let kernel = self.eval(kernel)?;
                let sizes = self.values(rest)?;
                if pointers.iter().any(is_null_pointer) {
                    let error = CudaError::InvalidValue;
                    return Ok(Some(self.fail_in_header(error, name, NO_PLACE.to_owned())));
                }
                let size = |idx: usize| match sizes.get(idx) {
                    Some(value) => value.is_known().then_some(value.bits as u32),
                    None => Some(0),
                };
                let known = size(0).zip(size(1)).zip(self.resources(&kernel));
                let best = if let Some(((shared, limit), resources)) = known {
                    let (grid, block) = resources.best_block(architecture(self.arch), shared, limit);
                    [Value::int(grid.into()), Value::int(block.into())]
                } else {
                    let state = self.reason(format!("it comes from `{name}`"));
                    [Value::unknown(state), Value::unknown(state)]
                };
                for (pointer, value) in pointers.iter().zip(best) {
                    self.store_at(pointer, value);
                }
            }
            ("cudaFuncGetAttributes", [target, kernel]) => {
                let (pointer, kernel) = (self.eval(target)?, self.eval(kernel)?);
                if let Some(error) = self.null_target(name, &pointer) {
                    return Ok(Some(error));
                }
                self.store_function_attributes(&pointer, &kernel);
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::int(0)))
    }

    fn missing_gpu(&mut self, name: &str, gpu: &Value) -> Option<Value> {
        let num_gpus = u64::from(self.platform.num_gpus);
        (gpu.is_known() && gpu.bits >= num_gpus).then(|| self.no_gpu(name, gpu))
    }

    fn store_at(&mut self, pointer: &Value, value: Value) {
        if let Some(at) = self.target(pointer) {
            self.store(at, value);
        }
    }

    fn attribute(&mut self, attribute: &Value) -> Value {
        if !attribute.is_known() {
            return Value::unknown(attribute.state);
        }
        let number = attribute.bits;
        let property = PROPERTIES.iter().find(|property| property.attribute.1 == number);
        match property {
            Some(property) => Value::int((property.value)(architecture(self.arch)).cast_signed()),
            None => Value::unknown(self.reason(format!("Warpscope has no value of attribute {number}"))),
        }
    }

    /// Makes the members of a struct unknown, and returns the place of the struct, if it is one.
    fn unknown_struct(&mut self, pointer: &Value, call: &str) -> Option<Location> {
        let at = self.target(pointer)?;
        let state = self.reason(format!("Warpscope has no value of this member of `{call}`"));
        if at.state != KNOWN || !matches!(at.ty, Ty::Struct(_)) {
            self.store(at, Value::unknown(state));
            return None;
        }
        let size = self.size_of(at.ty);
        self.step += 1;
        self.memory.forget_range(at.address, size, state, self.step);
        Some(at)
    }

    fn store_member(&mut self, at: Location, member: (&str, u64), value: Value) {
        let Some((offset, ty)) = self.path(at.ty, &[member.0]) else {
            return;
        };
        let ty = match ty {
            Ty::Array(elem, _) => self.pointee(elem),
            ty => ty,
        };
        let address = at.address + offset + member.1 * self.size_of(ty);
        self.store(Location::known(address, ty), value);
    }

    fn store_properties(&mut self, pointer: &Value) {
        let Some(at) = self.unknown_struct(pointer, "cudaGetDeviceProperties") else {
            return;
        };
        let arch = architecture(self.arch);
        for property in &PROPERTIES {
            let value = Value::int((property.value)(arch).cast_signed());
            self.store_member(at, property.member, value);
        }
        let name = arch.chip.example_part.value.bytes().chain([0]);
        for (idx, byte) in name.enumerate() {
            self.store_member(at, ("name", idx as u64), Value::int(byte.into()));
        }
    }

    fn store_function_attributes(&mut self, pointer: &Value, kernel: &Value) {
        let resources = self.resources(kernel);
        let Some(at) = self.unknown_struct(pointer, "cudaFuncGetAttributes") else {
            return;
        };
        let Some(resources) = resources else { return };
        let most = resources.most_threads(architecture(self.arch));
        for (member, value) in [
            ("sharedSizeBytes", resources.static_shared),
            ("localSizeBytes", resources.local_bytes),
            ("maxThreadsPerBlock", most),
            ("numRegs", resources.registers),
        ] {
            self.store_member(at, (member, 0), Value::int(value.into()));
        }
    }

    /// The resources of a kernel; `None` if it is not known or not compiled.
    fn resources(&mut self, kernel: &Value) -> Option<Resources> {
        let name = self.kernel_name(kernel)?;
        let dynamic_limit = if self.errors.is_limit_unknown {
            return None;
        } else {
            self.permitted(&name)
        };
        let program = self.program(&name)?;
        Some(Resources {
            registers: program.registers_per_thread.into(),
            static_shared: program.static_shared_bytes,
            local_bytes: program.local_bytes_per_thread,
            launch_bound: program.launch_bounds.map(|(threads, _)| threads),
            dynamic_limit,
        })
    }
}

/// What a kernel needs of an SM.
struct Resources {
    registers: u32,
    static_shared: u32,
    local_bytes: u32,
    launch_bound: Option<u32>,
    /// The bytes of dynamic shared memory that `cudaFuncSetAttribute` permits.
    dynamic_limit: Option<u32>,
}

impl Resources {
    /// The blocks that an SM holds, as `cudaOccupancyMaxActiveBlocksPerMultiprocessor` returns them: launch bounds do not
    /// count, and shared memory above what is permitted gives 0 (both measured on an H100).
    fn blocks_per_sm(&self, arch: &Architecture, block: u32, shared: u32) -> u32 {
        if engine::arch::check_opt_in(arch, self.static_shared, shared, self.dynamic_limit).is_err() {
            return 0;
        }
        let resources = LaunchResources {
            threads_per_block: block,
            registers_per_thread: self.registers,
            static_shared: self.static_shared,
            dynamic_shared: shared,
            ..LaunchResources::default()
        };
        arch.occupancy.resident_blocks(&resources).blocks_per_sm
    }

    /// The most threads of a block: by the chip, the launch bounds, and the registers.
    fn most_threads(&self, arch: &Architecture) -> u32 {
        let of_chip = u32::from(arch.occupancy.max_threads_per_block.value);
        let most = self.launch_bound.map_or(of_chip, |bound| bound.min(of_chip));
        let sizes = (1..=most.div_ceil(32)).rev().map(|warps| (warps * 32).min(most));
        sizes
            .into_iter()
            .find(|block| self.blocks_per_sm(arch, *block, 0) > 0)
            .unwrap_or(0)
    }

    /// The blocks that fill the GPU and the block size with the most resident threads, as
    /// `cudaOccupancyMaxPotentialBlockSize` returns them: among equals the largest, in steps of a warp down from the limit;
    /// 0 and 0 if no block fits (measured on an H100). A limit of 0 is none.
    fn best_block(&self, arch: &Architecture, shared: u32, limit: u32) -> (u32, u32) {
        let most = self.most_threads(arch);
        let most = if limit == 0 { most } else { limit.min(most) };
        let mut best = (0, 0);
        for warps in (1..=most.div_ceil(32)).rev() {
            let block = (warps * 32).min(most);
            let blocks = self.blocks_per_sm(arch, block, shared);
            if blocks * block > best.0 * best.1 {
                best = (blocks, block);
            }
        }
        (best.0 * u32::from(arch.chip.num_sms.value), best.1)
    }
}
