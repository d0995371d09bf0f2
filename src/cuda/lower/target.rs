//! Properties of an architecture that selection depends on: the available instructions.

use engine::arch::{ArchId, Generation, architecture};
use engine::isa::{Bf16Op, CompileOptions, Op, VoteMode};

/// The target of a compilation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) arch: ArchId,
    pub(super) generation: Generation,
    /// Compute capability, 750 for 7.5.
    capability: u16,
    pub(super) options: CompileOptions,
    /// Whether pointers to global memory and generic pointers are register pairs.
    pub(super) wide_pointers: bool,
}

impl Target {
    pub(super) fn new(arch: ArchId, options: CompileOptions, pointer_bits: u32) -> Self {
        Self {
            arch,
            generation: arch.generation(),
            capability: arch.capability(),
            options,
            wide_pointers: pointer_bits == 64,
        }
    }

    /// Whether the chip has an instruction.
    pub(super) const fn has(&self, op: Op) -> bool {
        op.describe().is_on(self.capability)
    }

    /// Convergence barriers in place of the reconvergence stack.
    pub(super) const fn has_barriers(&self) -> bool {
        self.has(Op::Yield)
    }

    /// Whether constants are loaded into registers by LDC: nvcc 13 does so for 9.0, whereas code for earlier
    /// chips copies them or has them as 64-bit operands (SASS of the measured corpus). What nvcc reads through
    /// uniform registers there is a constant-bank operand here.
    pub(super) const fn loads_constants(&self) -> bool {
        self.capability >= 900
    }

    pub(super) fn is(&self, generation: Generation) -> bool {
        self.generation == generation
    }

    /// Whether the chip is of Volta or later.
    pub(super) fn is_volta_on(&self) -> bool {
        self.generation >= Generation::Volta
    }

    /// Whether IMUL and IMAD use a full 32-bit multiplier.
    pub(super) const fn multiplies_32_bits(&self) -> bool {
        self.has(Op::Imad {
            signed: false,
            high: false,
        })
    }

    /// POPC, FLO, BREV, and PRMT.
    pub(super) const fn has_bit_instructions(&self) -> bool {
        self.has(Op::Popc)
    }

    /// Double precision.
    pub(super) const fn has_doubles(&self) -> bool {
        self.has(Op::Dadd {
            round: engine::isa::Round::Rn,
        })
    }

    /// HADD2, HMUL2, and HFMA2.
    pub(super) const fn has_half_arithmetic(&self) -> bool {
        self.has(Op::Hadd2 { ftz: false })
    }

    /// HMNMX2 and F2FP.
    pub(super) const fn has_half_extremes(&self) -> bool {
        self.has(Op::Hmnmx2 { max: false })
    }

    /// Sums and products of `__nv_bfloat16` by themselves.
    pub(super) const fn has_bfloat16_sums(&self) -> bool {
        self.has(Op::Bf16 { op: Bf16Op::Add })
    }

    /// Votes; the mode and the mask do not matter.
    pub(super) const fn has_votes(&self) -> bool {
        self.has(Op::Vote {
            mode: VoteMode::All,
            sync: false,
        })
    }

    /// Whether single-precision subnormals flush to zero: by option, and always on 1.x.
    pub(super) fn ftz(&self) -> bool {
        self.options.flushes() || self.is(Generation::Tesla)
    }

    /// Number of registers that an instruction can encode.
    pub(super) const fn max_registers(&self) -> u32 {
        match self.generation {
            Generation::Tesla => 124,
            Generation::Fermi => 63,
            _ => 255,
        }
    }

    /// Number of registers of an SM.
    fn register_file(&self) -> u32 {
        architecture(self.arch).occupancy.registers_per_sm.value
    }

    /// The register limit of a thread: what instructions can encode, `-maxrregcount`, and what lets the blocks
    /// of `__launch_bounds__` fit into the register file.
    pub(super) fn register_limit(&self, launch_bounds: Option<(u32, u32)>) -> u32 {
        let mut limit = self.max_registers();
        if let Some(max) = self.options.max_registers {
            limit = limit.min(u32::from(max).max(16));
        } else if let Some((threads, blocks)) = launch_bounds {
            let warps = threads.div_ceil(32).max(1) * blocks.max(1);
            limit = limit.min(self.register_share(warps * 32).max(16));
        }
        limit - self.hidden_registers()
    }

    /// Registers of a thread if this many threads share the register file.
    fn register_share(&self, threads: u32) -> u32 {
        let unit = match self.generation {
            Generation::Tesla => 4,
            Generation::Fermi => 2,
            _ => 8,
        };
        self.register_file() / threads / unit * unit
    }

    /// The most registers of a thread with which the largest block that the chip takes can be launched.
    pub(super) fn registers_of_largest_block(&self) -> u32 {
        let rules = &architecture(self.arch).occupancy;
        let threads = u32::from(rules.max_threads_per_block.value);
        self.register_share(threads)
            .saturating_sub(self.hidden_registers())
    }

    /// Numbers of registers up to a limit, in ascending order: with at most so many, an SM holds its most threads, then
    /// 1536, 1024, 512, and 256 of them. nvcc 13 compiles a kernel for the first step that it fits: tiled products,
    /// convolutions, stencils, and reductions take 32 registers on 7.0, 8.0, and 9.0, 40 on 8.6 and 8.9, and up to 64 on 7.5.
    /// Before Kepler, where no compiler was measured: the first step is the largest block.
    pub(super) fn register_steps(&self, limit: u32) -> Vec<u32> {
        let arch = architecture(self.arch);
        let most = match self.generation {
            Generation::Tesla | Generation::Fermi => u32::from(arch.occupancy.max_threads_per_block.value),
            _ => u32::from(arch.occupancy.max_warps_per_sm.value) * 32,
        };
        let mut steps: Vec<u32> = [most, 1536, 1024, 512, 256]
            .into_iter()
            .filter(|threads| *threads <= most)
            .map(|threads| {
                self.register_share(threads)
                    .saturating_sub(self.hidden_registers())
            })
            .chain([limit])
            .map(|step| step.min(limit))
            .collect();
        steps.dedup();
        steps
    }

    /// The banks of the register file that matter, and the number of registers that does not reduce the warps.
    pub(super) fn register_banks(&self) -> super::allocate::Banks {
        let arch = architecture(self.arch);
        let threads = u32::from(arch.occupancy.max_warps_per_sm.value) * 32;
        let free = arch.occupancy.registers_per_sm.value / threads;
        super::allocate::Banks {
            num: arch.issue.register_banks.value.into(),
            free: free.saturating_sub(self.hidden_registers()),
            hold: if self.has_barriers() { 12 } else { 0 },
        }
    }

    /// Registers of a thread other than those that its instructions use: its program counter takes two from Volta
    /// on (NVIDIA Tesla V100 white paper, independent thread scheduling).
    pub(super) const fn hidden_registers(&self) -> u32 {
        if self.has_barriers() { 2 } else { 0 }
    }

    /// Maximum length in instructions of a body that is predicated instead of branched around: 7 if the
    /// compiler expects the warp to diverge, otherwise 4 (CUDA C programming guide for 1.x and 2.x, branch
    /// predication); on later chips 12, as nvcc's code for 7.5 shows.
    pub(super) const fn predication_limit(&self, divergent: bool) -> u32 {
        match self.generation {
            Generation::Tesla | Generation::Fermi => {
                if divergent {
                    7
                } else {
                    4
                }
            }
            _ => 12,
        }
    }
}
