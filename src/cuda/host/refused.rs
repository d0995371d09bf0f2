//! Launches that the CUDA runtime refuses: sizes, shared memory above what a kernel may use, and cooperative grids that
//! cannot be resident.

use std::rc::Rc;

use super::errors::HostError;
use super::machine::*;
use super::value::*;
use crate::hir::{GlobalSpace, Storage, Unit};
use engine::arch::{
    Architecture, CudaError, LaunchRefusal, LaunchResources, ProgramResources, architecture, check_launch,
    check_opt_in,
};
use engine::isa::{CompileOptions, Program};

/// The sizes of a launch that are known.
struct Sizes {
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
}

impl Machine {
    /// The error of a launch, if the runtime refuses it or an earlier kernel has faulted.
    pub(super) fn launch_error(
        &mut self,
        instance: &str,
        config: &[Value],
        is_cooperative: bool,
    ) -> Option<HostError> {
        let (error, why) = match self.earlier_fault() {
            Some(fault) => fault,
            None => self.refused(instance, config, is_cooperative)?,
        };
        Some(HostError {
            line: self.line,
            call: instance.to_owned(),
            is_launch: true,
            error,
            why,
            is_looked_at: false,
        })
    }

    fn refused(
        &mut self,
        instance: &str,
        config: &[Value],
        is_cooperative: bool,
    ) -> Option<(CudaError, String)> {
        let (grid, block) = (self.dims(config.first()).ok()?, self.dims(config.get(1)).ok()?);
        let shared = match config.get(2) {
            None => 0,
            Some(value) if value.is_known() => value.bits,
            Some(_) => return None,
        };
        let Ok(shared) = u32::try_from(shared) else {
            let why = format!("{shared} bytes of dynamic shared memory are more than any GPU has");
            return Some((CudaError::InvalidValue, why));
        };
        let sizes = Sizes { grid, block, shared };
        let arch = architecture(self.arch);
        let refusal = |refusal: LaunchRefusal| (refusal.error(), refusal.to_string());
        // Registers are not judged: nvcc allocates them.
        let without = ProgramResources::default();
        if let Err(refused) = check_launch(arch, grid, block, shared, &without) {
            return Some(refusal(refused));
        }
        if let Err(refused) = self.check_shared(arch, instance, shared) {
            return Some(refusal(refused));
        }
        if let Err(refused) = self.check_launch_bounds(instance, &sizes) {
            return Some(refusal(refused));
        }
        if is_cooperative {
            return self.check_resident(arch, instance, &sizes);
        }
        None
    }

    fn check_shared(
        &mut self,
        arch: &Architecture,
        instance: &str,
        shared: u32,
    ) -> Result<(), LaunchRefusal> {
        if shared == 0 {
            return Ok(());
        }
        if self.errors.is_limit_unknown {
            return Ok(());
        }
        let permitted = self.permitted(instance);
        // Static memory decides only if it can exceed a limit.
        let most = self
            .kernel(instance)
            .map_or(0, |kernel| shared_arrays(&kernel.unit));
        let static_shared = if check_opt_in(arch, most, shared, permitted).is_ok() {
            return Ok(());
        } else if most == 0 {
            0
        } else {
            self.program(instance)
                .map_or(0, |program| program.static_shared_bytes)
        };
        check_opt_in(arch, static_shared, shared, permitted)
    }

    /// The dynamic shared memory that `cudaFuncSetAttribute` permits: for the instance, or for an instance of the same template
    /// whose arguments the call deduces.
    pub(super) fn permitted(&self, instance: &str) -> Option<u32> {
        // The name without its namespaces; those of template arguments stay.
        let end = instance.find('<').unwrap_or(instance.len());
        let start = instance[..end].rfind("::").map_or(0, |at| at + 2);
        let own = &instance[start..];
        let plain = |name: &str| name.split('<').next().unwrap_or_default().to_owned();
        let limits = &self.errors.dynamic_limits;
        let exact = limits.iter().find(|(name, _)| name == own);
        let of_template = || {
            limits
                .iter()
                .rfind(|(name, _)| own.contains('<') && plain(name) == plain(own))
        };
        exact.or_else(of_template).map(|(_, bytes)| *bytes)
    }

    fn check_launch_bounds(&mut self, instance: &str, sizes: &Sizes) -> Result<(), LaunchRefusal> {
        if !self.source.contains("__launch_bounds__") {
            return Ok(());
        }
        let Some(kernel) = self.kernel(instance) else {
            return Ok(());
        };
        let mut functions = kernel.unit.functions.iter();
        let bounds = functions.find(|function| function.name == kernel.name);
        let bounds = bounds.and_then(|function| function.launch_bounds);
        let requested: u32 = sizes.block.iter().product();
        match bounds {
            Some(bounds) if requested > bounds.max_threads => Err(LaunchRefusal::LaunchBounds {
                requested,
                limit: bounds.max_threads,
            }),
            _ => Ok(()),
        }
    }

    /// A cooperative launch needs all blocks resident at once (Programming Guide 13.0, Grid Synchronization).
    fn check_resident(
        &mut self,
        arch: &Architecture,
        instance: &str,
        sizes: &Sizes,
    ) -> Option<(CudaError, String)> {
        if arch.compute_capability.major < 6 {
            let why = format!(
                "{} has no cooperative launches, which need compute capability 6.0",
                arch.name
            );
            return Some((CudaError::NotSupported, why));
        }
        let program = self.program(instance);
        let resources = LaunchResources {
            threads_per_block: sizes.block.iter().product(),
            registers_per_thread: program
                .as_ref()
                .map_or(0, |program| program.registers_per_thread.into()),
            static_shared: program.as_ref().map_or(0, |program| program.static_shared_bytes),
            dynamic_shared: sizes.shared,
            ..LaunchResources::default()
        };
        let of_sm = u64::from(arch.occupancy.resident_blocks(&resources).blocks_per_sm);
        let num_sms = u64::from(arch.chip.num_sms.value);
        let blocks: u64 = sizes
            .grid
            .iter()
            .map(|extent| u64::from(*extent))
            .fold(1, u64::saturating_mul);
        (blocks > of_sm * num_sms).then(|| {
            let why = format!(
                "{blocks} blocks cannot be resident at once: {of_sm} fit on each of the {num_sms} SMs of {}",
                arch.name
            );
            (CudaError::CooperativeLaunchTooLarge, why)
        })
    }

    /// The compiled kernel, for its resources.
    pub(super) fn program(&mut self, instance: &str) -> Option<Rc<Program>> {
        if let Some(program) = self.errors.programs.get(instance) {
            return program.clone();
        }
        let compiled = self.kernel(instance).and_then(|kernel| {
            let options = CompileOptions::default();
            crate::compile::compile_unit(&kernel.unit, &self.source, &kernel.name, self.arch, &options).ok()
        });
        let program = compiled.map(Rc::new);
        self.errors.programs.insert(instance.to_owned(), program.clone());
        program
    }
}

/// The bytes of all shared arrays of a unit, which no kernel of it exceeds.
fn shared_arrays(unit: &Unit) -> u32 {
    let globals = unit.globals.iter();
    let globals = globals.filter(|global| global.space == GlobalSpace::Shared);
    let locals = unit.functions.iter().flat_map(|function| &function.locals);
    let locals = locals.filter(|local| local.storage == Storage::Shared);
    // Each array starts at a multiple of its alignment, at most 16 bytes.
    let bytes = globals
        .map(|global| unit.size_of(&global.ty))
        .chain(locals.map(|local| unit.size_of(&local.ty)))
        .map(|bytes| bytes.next_multiple_of(16));
    u32::try_from(bytes.sum::<u64>()).unwrap_or(u32::MAX)
}
