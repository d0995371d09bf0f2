//! Rates of tensor cores by type, and the same product with one multiply-add for each lane.

use engine::arch::{Architecture, OpClass, OpCost};
use engine::isa::{Mma, MmaKind, Op, TensorUnit};
use engine::trace::Frame;

use super::shown::{mma_of, mma_pcs};

/// A type of matrix products, with the largest instruction of the architecture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) name: &'static str,
    pub(super) mma: Mma,
    pub(super) cost: &'static OpCost,
    /// Multiply-adds per cycle of an SM.
    pub(super) per_cycle: f64,
}

/// The product of an instruction, computed by lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByLanes {
    pub(super) name: &'static str,
    /// Instructions of a warp.
    pub(super) instructions: u64,
    /// Cycles of the pipe of one scheduler at its peak rate.
    pub(super) cycles: f64,
    pub(super) cost: &'static OpCost,
}

/// Types of products, and their instructions on a generation of tensor cores.
fn types(unit: TensorUnit) -> Vec<(&'static str, MmaKind)> {
    let halves = |bfloat16, k16| MmaKind::Halves {
        k16,
        bfloat16,
        half_sums: false,
    };
    let bytes = |rows16| MmaKind::Bytes {
        rows16,
        signed: true,
        saturate: false,
    };
    let narrow = [
        (
            "4-bit integers",
            MmaKind::Nibbles {
                signed: true,
                saturate: false,
            },
        ),
        ("bits", MmaKind::Bits { and: false }),
    ];
    match unit {
        TensorUnit::Volta => {
            let quads = MmaKind::Quads {
                step: 0,
                left_columns: false,
                right_rows: false,
                half_sums: false,
            };
            vec![("halves", quads)]
        }
        TensorUnit::Turing => {
            let mut types = vec![("halves", halves(false, false)), ("bytes", bytes(false))];
            types.extend(narrow);
            types
        }
        TensorUnit::Ampere | TensorUnit::Hopper => {
            let mut types = vec![
                ("halves", halves(false, true)),
                ("bf16", halves(true, true)),
                ("tf32", MmaKind::Tf32),
                ("doubles", MmaKind::Doubles),
                ("bytes", bytes(true)),
            ];
            types.extend(narrow);
            types
        }
    }
}

/// Multiply-adds per cycle of an SM at an instruction's peak rate.
pub(super) fn per_cycle(arch: &Architecture, mma: Mma, cost: &OpCost) -> f64 {
    let units = f64::from(arch.num_units(cost.pipe));
    mma.kind.multiply_adds() as f64 * units / f64::from(cost.occupancy_cycles.value)
}

/// All rates of an architecture; empty without tensor cores.
pub(super) fn rates(arch: &'static Architecture) -> Vec<Rate> {
    let Some(unit) = TensorUnit::of(arch.compute_capability.number()) else {
        return Vec::new();
    };
    let rate = |(name, kind): (&'static str, MmaKind)| {
        let mma = Mma { kind, unit };
        let cost = arch.cost(kind.class())?;
        Some(Rate {
            name,
            mma,
            cost,
            per_cycle: per_cycle(arch, mma, cost),
        })
    };
    let mut types = types(unit);
    let fp8 = MmaKind::Fp8 {
        left_e5m2: false,
        right_e5m2: false,
        half_sums: false,
    };
    let op = Op::Mma {
        mma: Mma { kind: fp8, unit },
    };
    if op.describe().is_on(arch.compute_capability.number()) {
        types.push(("8-bit floats", fp8));
    }
    types.into_iter().filter_map(rate).collect()
}

/// The same product with one multiply-add of each lane at a time; `None` for bits, which have no multiply-add.
pub(super) fn by_lanes(arch: &'static Architecture, kind: MmaKind) -> Option<ByLanes> {
    let (name, class) = match kind {
        MmaKind::Quads { .. } | MmaKind::Halves { .. } | MmaKind::Fp8 { .. } | MmaKind::Tf32 => {
            ("FFMA", OpClass::Fp32)
        }
        MmaKind::Doubles => ("DFMA", OpClass::Fp64),
        MmaKind::Bytes { .. } | MmaKind::Nibbles { .. } => ("IMAD", OpClass::IntMul),
        MmaKind::Bits { .. } => return None,
    };
    let cost = arch.cost(class)?;
    let instructions = (kind.multiply_adds() / 32) as u64;
    // 32 results of an instruction; a scheduler has its share of the SM's rate, and issues one instruction a cycle.
    let schedulers = f64::from(arch.issue.schedulers.value);
    let per_instruction = 32.0 * schedulers / arch.results_per_cycle(class)?;
    let cycles = per_instruction.max(arch.issue.issue_interval_cycles.value.into()) * instructions as f64;
    Some(ByLanes {
        name,
        instructions,
        cycles,
        cost,
    })
}

/// Cycles that the instructions of the run occupied the tensor cores, and cycles that all of them had.
pub(super) fn pipe_use(frame: &Frame) -> (u64, u64) {
    let (record, arch) = (frame.record(), frame.arch());
    let mut used = 0.0;
    let mut units = 0;
    for pc in mma_pcs(frame.trace().program()) {
        let Some(cost) = frame.instruction(pc).and_then(|one| arch.cost(one.class())) else {
            continue;
        };
        units = u64::from(arch.num_units(cost.pipe));
        used +=
            record.tally(pc).map_or(0, |tally| tally.issued) as f64 * f64::from(cost.occupancy_cycles.value);
    }
    (used as u64, record.num_cycles() * units)
}

/// Issues of instructions on tensor cores in the run, and their multiply-adds.
pub(super) fn issues(frame: &Frame) -> (u64, u64) {
    let pcs = mma_pcs(frame.trace().program());
    let issued = pcs.iter().filter_map(|pc| {
        let mma = mma_of(frame.instruction(*pc)?)?;
        let issued = frame.record().tally(*pc)?.issued;
        Some((issued, issued * mma.kind.multiply_adds() as u64))
    });
    issued.fold((0, 0), |(num, adds), (issued, more)| (num + issued, adds + more))
}
