//! What architectures make of an access.

use super::{Expression, Lanes, Mistake, Playground, Space, Swizzle};
use engine::access::{AccessOp, CacheLevel, GlobalAccess, SharedAccess, global, global_counts, shared};
use engine::arch::{ArchId, Architecture, architecture};
use engine::ids::LaneMask;
use engine::sim::{LoadCaching, MemoryOptions};

/// Paddings that are tried, in elements.
const PADS: std::ops::RangeInclusive<u32> = 0..=8;

/// How an access goes through the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Passes through the banks.
    Shared(SharedAccess),
    /// Transactions.
    Global {
        /// What becomes of the lanes' addresses.
        access: GlobalAccess,
        /// Whether L1 is asked first.
        in_l1: bool,
        /// Transactions when lane l asks for element l of an aligned array; not more than those
        /// that there are.
        ideal: u32,
    },
}

/// An access on one architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Where the lanes access.
    pub lanes: Lanes,
    /// Bytes that all lanes ask for.
    pub asked_bytes: u32,
    /// What becomes of it.
    pub cost: Cost,
}

impl Analysis {
    /// Passes through shared memory, or transactions of global memory.
    pub fn count(&self) -> u32 {
        match &self.cost {
            Cost::Shared(access) => access.wavefronts(),
            Cost::Global { access, .. } => access.counts.transactions.into(),
        }
    }

    /// Their number without conflicts, or for lanes side by side.
    pub fn ideal(&self) -> u32 {
        match &self.cost {
            Cost::Shared(access) => access.ideal_wavefronts(),
            Cost::Global { ideal, .. } => *ideal,
        }
    }

    /// Bytes that are moved: what the lanes ask for of shared memory, whole transactions of global.
    pub fn bytes(&self) -> u32 {
        match &self.cost {
            Cost::Shared(_) => self.asked_bytes,
            Cost::Global { access, .. } => access.counts.bytes,
        }
    }

    /// Of shared memory the share of passes that are needed, of global memory the share of moved
    /// bytes that a lane uses. 1 where nothing is accessed.
    pub fn efficiency(&self) -> f64 {
        match &self.cost {
            Cost::Shared(access) if access.wavefronts() > 0 => {
                f64::from(access.ideal_wavefronts()) / f64::from(access.wavefronts())
            }
            Cost::Shared(_) => 1.0,
            Cost::Global { access, .. } => access.efficiency(),
        }
    }
}

/// The cache that an ordinary access of global memory is the first to see: stores and atomics pass
/// by L1.
pub fn first_cache(op: AccessOp, arch: &Architecture, caching: LoadCaching) -> CacheLevel {
    if op == AccessOp::Load && caching.in_l1(arch) {
        CacheLevel::L1
    } else {
        CacheLevel::L2
    }
}

/// What an architecture makes of an access.
///
/// # Errors
/// What is wrong with the access.
pub fn analyse(
    playground: &Playground,
    arch: &Architecture,
    options: MemoryOptions,
) -> Result<Analysis, Mistake> {
    Ok(analyse_lanes(playground, playground.lanes()?, arch, options))
}

fn analyse_lanes(
    playground: &Playground,
    lanes: Lanes,
    arch: &Architecture,
    options: MemoryOptions,
) -> Analysis {
    let (op, mask) = (playground.op, lanes.mask);
    let width_bits = u32::from(playground.elem) * 8;
    let cost = match playground.space {
        Space::Shared => {
            let offsets = lanes.addresses.map(|address| address as u32);
            Cost::Shared(shared(
                arch.memory.banks(options.bank_size),
                op,
                width_bits,
                &offsets,
                mask,
            ))
        }
        Space::Global => {
            let level = first_cache(op, arch, options.load_caching);
            let access = global(arch, level, op, width_bits, &lanes.addresses, mask);
            let aligned = std::array::from_fn(|lane| lane as u64 * u64::from(playground.elem));
            let ideal = global_counts(arch, level, op, width_bits, &aligned, mask).transactions;
            Cost::Global {
                ideal: ideal.min(access.counts.transactions).into(),
                access,
                in_l1: level == CacheLevel::L1,
            }
        }
    };
    Analysis {
        lanes,
        asked_bytes: mask.count() * u32::from(playground.elem),
        cost,
    }
}

/// Another layout of the same array, tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Elements by which rows are longer.
    pub pad: u32,
    /// How columns are interchanged.
    pub swizzle: Swizzle,
    /// Passes or transactions on the chosen architecture.
    pub count: u32,
    /// Lanes that take part, and where.
    pub lanes: Lanes,
    /// Whether it is the present layout.
    pub chosen: bool,
}

impl Remedy {
    /// The access with this layout.
    pub fn of(&self, playground: &Playground) -> Playground {
        Playground {
            pad: self.pad,
            swizzle: self.swizzle,
            ..playground.clone()
        }
    }
}

/// Rows longer by 0 to 8 elements, and columns xor rows: what each would give. Empty where the
/// expression has no rows and columns. What breaks the access is left out.
pub fn remedies(playground: &Playground, arch: &Architecture, options: MemoryOptions) -> Vec<Remedy> {
    if !Expression::read(&playground.expr).is_ok_and(|expression| expression.has_rows()) {
        return Vec::new();
    }
    let layouts = PADS.map(|pad| (pad, Swizzle::None)).chain([(0, Swizzle::Xor)]);
    layouts
        .filter_map(|(pad, swizzle)| {
            let mut remedy = Remedy {
                pad,
                swizzle,
                count: 0,
                lanes: Lanes {
                    addresses: [0; 32],
                    mask: LaneMask::EMPTY,
                },
                chosen: (pad, swizzle) == (playground.pad, playground.swizzle),
            };
            let found = analyse(&remedy.of(playground), arch, options).ok()?;
            remedy.count = found.count();
            remedy.lanes = found.lanes;
            Some(remedy)
        })
        .collect()
}

/// What every architecture makes of an access, oldest first.
///
/// # Errors
/// What is wrong with the access.
pub fn analyse_all(
    playground: &Playground,
    options: MemoryOptions,
) -> Result<Vec<(&'static Architecture, Analysis)>, Mistake> {
    let lanes = playground.lanes()?;
    Ok(ArchId::ALL
        .into_iter()
        .map(|id| {
            let arch = architecture(id);
            (arch, analyse_lanes(playground, lanes, arch, options))
        })
        .collect())
}
