//! The cost of an access on each architecture.

use super::{Expression, Lanes, Mistake, Playground, Space, Swizzle};
use engine::access::{AccessOp, CacheLevel, GlobalAccess, SharedAccess, global, global_counts, shared};
use engine::arch::{ArchId, Architecture, architecture};
use engine::ids::LaneMask;
use engine::sim::{LoadCaching, MemoryOptions};

/// Paddings to try, in elements.
const PADS: std::ops::RangeInclusive<u32> = 0..=8;

/// How the memory serves an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Wavefronts of shared memory.
    Shared(SharedAccess),
    /// Transactions of global memory.
    Global {
        /// How the lanes' addresses coalesce.
        access: GlobalAccess,
        /// Whether the access looks up L1 first.
        in_l1: bool,
        /// Transactions if lane l accessed element l of an aligned array; at most the actual number.
        ideal: u32,
    },
}

/// The cost of an access on one architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The lanes' addresses.
    pub lanes: Lanes,
    /// Bytes requested by all lanes.
    pub requested_bytes: u32,
    /// How the memory serves the access.
    pub cost: Cost,
}

impl Analysis {
    /// Wavefronts of shared memory, or transactions of global memory.
    pub fn count(&self) -> u32 {
        match &self.cost {
            Cost::Shared(access) => access.wavefronts(),
            Cost::Global { access, .. } => access.counts.transactions.into(),
        }
    }

    /// The count without bank conflicts, or with fully coalesced lanes.
    pub fn ideal(&self) -> u32 {
        match &self.cost {
            Cost::Shared(access) => access.ideal_wavefronts(),
            Cost::Global { ideal, .. } => *ideal,
        }
    }

    /// Bytes moved: requested bytes for shared memory, whole transactions for global memory.
    pub fn bytes(&self) -> u32 {
        match &self.cost {
            Cost::Shared(_) => self.requested_bytes,
            Cost::Global { access, .. } => access.counts.bytes,
        }
    }

    /// For shared memory, the share of wavefronts that are necessary; for global memory, the share of moved
    /// bytes that lanes use. 1 if nothing is accessed.
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

/// The first cache that an ordinary global access looks up. Stores and atomics bypass L1.
pub fn first_cache(op: AccessOp, arch: &Architecture, caching: LoadCaching) -> CacheLevel {
    if op == AccessOp::Load && caching.in_l1(arch) {
        CacheLevel::L1
    } else {
        CacheLevel::L2
    }
}

/// Computes the cost of an access on one architecture.
///
/// # Errors
/// Returns what is wrong with the access.
pub fn analyze(
    playground: &Playground,
    arch: &Architecture,
    options: MemoryOptions,
) -> Result<Analysis, Mistake> {
    Ok(analyze_lanes(playground, playground.lanes()?, arch, options))
}

#[expect(clippy::large_types_passed_by_value, reason = "the result keeps the lanes")]
fn analyze_lanes(
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
        requested_bytes: mask.count() * u32::from(playground.elem),
        cost,
    }
}

/// A trial of another layout of the same array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Padding of each row in elements.
    pub pad: u32,
    /// How columns are permuted.
    pub swizzle: Swizzle,
    /// Wavefronts or transactions on the chosen architecture.
    pub count: u32,
    /// The active lanes and their addresses.
    pub lanes: Lanes,
    /// Whether this is the current layout.
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

/// Tries rows padded by 0 to 8 elements and columns XOR rows, and returns the cost of each layout. Empty if the
/// expression has no rows and columns. Layouts that make the access invalid are left out.
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
            let found = analyze(&remedy.of(playground), arch, options).ok()?;
            remedy.count = found.count();
            remedy.lanes = found.lanes;
            Some(remedy)
        })
        .collect()
}

/// Computes the cost of an access on every architecture, oldest first.
///
/// # Errors
/// Returns what is wrong with the access.
pub fn analyze_all(
    playground: &Playground,
    options: MemoryOptions,
) -> Result<Vec<(&'static Architecture, Analysis)>, Mistake> {
    let lanes = playground.lanes()?;
    Ok(ArchId::ALL
        .into_iter()
        .map(|id| {
            let arch = architecture(id);
            (arch, analyze_lanes(playground, lanes, arch, options))
        })
        .collect())
}
