//! Arithmetic operations and bytes at each memory level over the run: the data of a roofline.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::flight::far_bytes;
use super::tally::count;
use super::{AccessRow, Trace};
use crate::arch::{Architecture, OpClass};
use crate::ids::Cycle;
use crate::isa::describe::Group;
use crate::isa::{Bf16Op, MmaKind, Op};
use crate::sim::{MemoryLevel, RequestKind};

/// The maximum number of columns.
const MAX_COLUMNS: usize = 512;
/// The unit in which cache hits are counted, in bytes.
const SECTOR: u64 = 32;

/// Kinds of arithmetic operations, each with its own peak rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WorkKind {
    /// Single precision: FADD and FMUL count one operation, FFMA counts two, as in Nsight Compute.
    Fp32,
    /// Double precision, counted as single precision.
    Fp64,
    /// Packed half precision and `__nv_bfloat16`: two results of each lane, fused ones count two operations each.
    Half,
    /// Integer arithmetic: one operation per thread instruction of Nsight Compute's group.
    Int,
    /// Products of half-precision matrices on tensor cores.
    Tensor,
    /// Products of tf32 matrices.
    TensorTf32,
    /// Products of double-precision matrices.
    TensorFp64,
    /// Products of matrices of bytes.
    TensorInt,
}

impl WorkKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Fp32,
        Self::Fp64,
        Self::Half,
        Self::Int,
        Self::Tensor,
        Self::TensorTf32,
        Self::TensorFp64,
        Self::TensorInt,
    ];

    /// The class of instructions with the highest rate of this kind.
    pub const fn class(self) -> OpClass {
        match self {
            Self::Fp32 => OpClass::Fp32,
            Self::Fp64 => OpClass::Fp64,
            Self::Half => OpClass::Fp16,
            Self::Int => OpClass::IntAdd,
            Self::Tensor => OpClass::Tensor,
            Self::TensorTf32 => OpClass::TensorTf32,
            Self::TensorFp64 => OpClass::TensorFp64,
            Self::TensorInt => OpClass::TensorInt,
        }
    }

    /// Operations of one warp instruction of the class: the shape of the matrices to which the class's rate applies.
    const fn operations_per_instruction(self, arch: &Architecture) -> u64 {
        let capability = arch.compute_capability.number();
        match self {
            Self::Fp32 | Self::Fp64 => 2 * 32,
            Self::Half => 4 * 32,
            Self::Int => 32,
            // HMMA.884 of 7.0, HMMA.1688 of 7.5, HMMA.16816 from 8.0 on.
            Self::Tensor if capability < 750 => 2 * 256,
            Self::Tensor if capability < 800 => 2 * 1024,
            Self::Tensor => 2 * 2048,
            Self::TensorTf32 => 2 * 512,
            Self::TensorFp64 => 2 * 256,
            Self::TensorInt if capability < 800 => 2 * 1024,
            Self::TensorInt => 2 * 2048,
        }
    }

    /// The peak rate of an SM in operations per clock; `None` if the chip has no such instructions.
    pub fn peak_per_cycle(self, arch: &Architecture) -> Option<f64> {
        let cost = arch.cost(self.class())?;
        let units = arch.num_units(cost.pipe);
        let units = cost.units.map_or(units, |some| units.min(some.value.into()));
        let issue = f64::from(arch.issue.schedulers.value) * f64::from(arch.issue.dispatches.value)
            / f64::from(arch.issue.issue_interval_cycles.value.max(1));
        let instructions = (f64::from(units) / f64::from(cost.occupancy_cycles.value)).min(issue);
        Some(instructions * self.operations_per_instruction(arch) as f64)
    }
}

/// Levels of memory, from the SM outward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TrafficLevel {
    /// The banks of shared memory: wavefronts times the bytes of all banks.
    Shared,
    /// L1: bytes of the transactions of loads that L1 caches, and of stores to the same spaces.
    L1,
    /// L2: bytes of the transactions that pass between the SM and L2.
    L2,
    /// Device memory: bytes that missed in both caches. L2 keeps stored bytes until it evicts them.
    Device,
}

impl TrafficLevel {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Shared, Self::L1, Self::L2, Self::Device];
}

/// Operations and bytes in some cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkColumn {
    /// Operations by kind, in the cycles of issue.
    pub operations: [u64; WorkKind::ALL.len()],
    /// Bytes by level, in the cycles in which units accept the accesses.
    pub bytes: [u64; TrafficLevel::ALL.len()],
}

impl WorkColumn {
    /// Adds another column.
    pub fn add(&mut self, other: &Self) {
        for (to, from) in self.operations.iter_mut().zip(other.operations) {
            *to += from;
        }
        for (to, from) in self.bytes.iter_mut().zip(other.bytes) {
            *to += from;
        }
    }

    /// Operations of a kind.
    pub const fn of(&self, kind: WorkKind) -> u64 {
        self.operations[kind as usize]
    }

    /// Bytes at a level.
    pub const fn at(&self, level: TrafficLevel) -> u64 {
        self.bytes[level as usize]
    }
}

/// Operations and bytes over the run, in columns of equal width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Cycles per column.
    pub cycles: u64,
    /// The columns, from cycle 0.
    pub columns: Vec<WorkColumn>,
    /// The sum of all columns.
    pub total: WorkColumn,
    /// Bytes in flight by level, summed over cycles: the bytes of each access times the cycles from its first
    /// wavefront to its last data.
    pub byte_cycles: [u64; TrafficLevel::ALL.len()],
    /// The number of counted accesses.
    accesses: u32,
    /// The cycle before which issues are counted.
    issued: u64,
    /// Whether the run had ended when it was counted.
    is_whole: bool,
}

/// The kind of an instruction's operations, and their number in each lane; for tensor cores, in the warp.
fn operations(op: Op) -> Option<(WorkKind, u64, bool)> {
    let lane = |kind, number| Some((kind, number, false));
    match op {
        Op::Hadd2 { .. } | Op::Hmul2 { .. } => lane(WorkKind::Half, 2),
        Op::Hfma2 { .. } => lane(WorkKind::Half, 4),
        Op::Bf16 { op } => match op {
            Bf16Op::Add | Bf16Op::Mul => lane(WorkKind::Half, 2),
            Bf16Op::Fma => lane(WorkKind::Half, 4),
            Bf16Op::Min | Bf16Op::Max => None,
        },
        Op::Mma { mma } => {
            let warp = |kind, products: u64| Some((kind, 2 * products, true));
            match mma.kind {
                MmaKind::Quads { half_sums, .. } => warp(WorkKind::Tensor, if half_sums { 512 } else { 256 }),
                MmaKind::Halves { k16, .. } => warp(WorkKind::Tensor, if k16 { 2048 } else { 1024 }),
                MmaKind::Tf32 => warp(WorkKind::TensorTf32, 512),
                MmaKind::Doubles => warp(WorkKind::TensorFp64, 256),
                MmaKind::Bytes { rows16, .. } => warp(WorkKind::TensorInt, if rows16 { 2048 } else { 1024 }),
                // Products of 8-bit floats, and of 4-bit and 1-bit numbers have no roof of their own.
                MmaKind::Fp8 { .. } | MmaKind::Nibbles { .. } | MmaKind::Bits { .. } => None,
            }
        }
        op => match op.describe().group {
            Group::Fadd | Group::Fmul => lane(WorkKind::Fp32, 1),
            Group::Ffma => lane(WorkKind::Fp32, 2),
            Group::Dadd | Group::Dmul => lane(WorkKind::Fp64, 1),
            Group::Dfma => lane(WorkKind::Fp64, 2),
            Group::Integer => lane(WorkKind::Int, 1),
            _ => None,
        },
    }
}

/// Bytes of an access at each level.
fn bytes(trace: &Trace, row: &AccessRow) -> [u64; TrafficLevel::ALL.len()] {
    use RequestKind::{
        CopyLoad, CopyStore, GlobalAtomic, GlobalLoad, GlobalReduction, GlobalStore, LocalLoad, LocalStore,
        SharedAtomic, SharedLoad, SharedStore,
    };
    let mut bytes = [0; TrafficLevel::ALL.len()];
    let memory = &trace.arch().memory;
    let moved = u64::from(row.bytes);
    match row.kind {
        SharedLoad | SharedStore | SharedAtomic | CopyStore => {
            let row_bytes =
                u64::from(memory.shared.banks.value) * u64::from(memory.shared.bank_width_bytes.value);
            bytes[TrafficLevel::Shared as usize] = u64::from(row.wavefronts) * row_bytes;
            return bytes;
        }
        GlobalLoad | LocalLoad | CopyLoad => {
            if trace.loads_in_l1(row.pc, row.kind) {
                bytes[TrafficLevel::L1 as usize] = moved;
            }
        }
        GlobalStore | LocalStore => {
            let in_l1 = memory.l1.as_ref().is_some_and(|l1| match row.kind {
                LocalStore => l1.caches_locals.value,
                _ => trace.options().load_caching.in_l1(trace.arch()),
            });
            if in_l1 {
                bytes[TrafficLevel::L1 as usize] = moved;
            }
        }
        GlobalAtomic | GlobalReduction => {}
        _ => return bytes,
    }
    if memory.l2.is_some() && row.level > MemoryLevel::L1 {
        bytes[TrafficLevel::L2 as usize] = moved.saturating_sub(SECTOR * u64::from(row.l1_hits));
    }
    bytes[TrafficLevel::Device as usize] = far_bytes(row);
    bytes
}

impl Work {
    fn column(&mut self, cycle: u64) -> &mut WorkColumn {
        while (cycle / self.cycles) as usize >= MAX_COLUMNS {
            self.widen();
        }
        let place = (cycle / self.cycles) as usize;
        if place >= self.columns.len() {
            self.columns.resize(place + 1, WorkColumn::default());
        }
        &mut self.columns[place]
    }

    /// Merges pairs of columns.
    fn widen(&mut self) {
        let pairs = self.columns.chunks(2).map(|pair| {
            let mut sum = pair[0];
            if let Some(second) = pair.get(1) {
                sum.add(second);
            }
            sum
        });
        self.columns = pairs.collect();
        self.cycles *= 2;
    }

    /// Adds what the run has gained since.
    fn extend(&mut self, trace: &Trace) {
        self.cycles = self.cycles.max(1);
        let code = &trace.program().code;
        let work: Vec<_> = code
            .iter()
            .map(|instruction| operations(instruction.op))
            .collect();
        let end = trace.num_cycles();
        for row in trace
            .issues_from(Cycle(self.issued))
            .take_while(|row| row.cycle.0 < end)
        {
            let Some((kind, each, is_warp)) = work.get(row.pc.0 as usize).copied().flatten() else {
                continue;
            };
            let lanes = if is_warp {
                u64::from(row.executed.count() > 0)
            } else {
                count(row.executed)
            };
            self.column(row.cycle.0).operations[kind as usize] += each * lanes;
            self.total.operations[kind as usize] += each * lanes;
        }
        self.issued = end;
        while let Some(row) = trace.access(self.accesses) {
            self.accesses += 1;
            let bytes = bytes(trace, &row);
            let cycles = row.done.0.max(row.started.0 + 1) - row.started.0;
            for (level, bytes) in bytes.into_iter().enumerate().filter(|(_, bytes)| *bytes > 0) {
                self.column(row.accepted.0).bytes[level] += bytes;
                self.total.bytes[level] += bytes;
                self.byte_cycles[level] += bytes * cycles;
            }
        }
    }

    /// The sum of the columns from `first` to before `last`.
    pub fn sum(&self, first: usize, last: usize) -> WorkColumn {
        let mut sum = WorkColumn::default();
        for column in self.columns.iter().take(last).skip(first) {
            sum.add(column);
        }
        sum
    }
}

/// The result of the last query.
#[derive(Debug, Default)]
pub(super) struct LastWork(Mutex<Arc<Work>>);

impl LastWork {
    /// The work of the run so far.
    pub(super) fn of(&self, trace: &Trace) -> Arc<Work> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = last.issued == trace.num_cycles() && last.is_whole == trace.is_whole();
        if !is_current || last.cycles == 0 {
            // Segments can correct the times of earlier accesses, so the whole run is counted again.
            let mut work = if trace.is_whole() {
                Work::default()
            } else {
                Work::clone(&last)
            };
            work.extend(trace);
            work.is_whole = trace.is_whole();
            *last = Arc::new(work);
        }
        Arc::clone(&last)
    }
}

/// Operations and bytes of the cycles from `from` to before `to`, counted one by one.
pub(super) fn between(trace: &Trace, from: Cycle, to: Cycle) -> WorkColumn {
    let (from, to) = trace.clamp_range((from, to));
    let mut column = WorkColumn::default();
    let code = &trace.program().code;
    for row in trace.issues_from(from).take_while(|row| row.cycle < to) {
        let work = code
            .get(row.pc.0 as usize)
            .and_then(|instruction| operations(instruction.op));
        if let Some((kind, each, is_warp)) = work {
            let lanes = if is_warp {
                u64::from(row.executed.count() > 0)
            } else {
                count(row.executed)
            };
            column.operations[kind as usize] += each * lanes;
        }
    }
    for idx in trace.first_access_at(from)..trace.first_access_at(to) {
        let Some(row) = trace.access(idx) else { break };
        for (sum, bytes) in column.bytes.iter_mut().zip(bytes(trace, &row)) {
            *sum += bytes;
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::{ArchId, architecture};
    use crate::trace::TraceOptions;
    use crate::trace::testing::run;

    /// Operations per clock per SM: results of the Programming Guide's throughput table, times two for fused
    /// multiply-adds, and the peak rates of the white papers for tensor cores.
    #[test]
    fn peak_rates_equal_the_published_tables() {
        use ArchId::{
            Ad102, G80, Ga100, Ga102, Gf100, Gf104, Gh100, Gk110, Gm204, Gp100, Gp104, Gt200, Gv100, Tu102,
        };
        let rows = [
            (G80, 16.0, None, None, None),
            (Gt200, 16.0, Some(2.0), None, None),
            (Gf100, 64.0, Some(32.0), None, None),
            (Gf104, 96.0, Some(8.0), None, None),
            (Gk110, 384.0, Some(128.0), None, None),
            (Gm204, 256.0, Some(8.0), None, None),
            (Gp100, 128.0, Some(64.0), Some(256.0), None),
            (Gp104, 256.0, Some(8.0), Some(4.0), None),
            (Gv100, 128.0, Some(64.0), Some(256.0), Some(1024.0)),
            (Tu102, 128.0, Some(4.0), Some(256.0), Some(1024.0)),
            (Ga100, 128.0, Some(64.0), Some(512.0), Some(2048.0)),
            (Ga102, 256.0, Some(4.0), Some(512.0), Some(1024.0)),
            (Ad102, 256.0, Some(4.0), Some(256.0), Some(1024.0)),
            // A GH100 executes 0.6622 HMMA.16816 per cycle where no move delays them (eight chains and 32 warps of
            // tests/microbenchmarks/hmma_loaded.csv), each with 4,096 operations.
            (Gh100, 256.0, Some(128.0), Some(512.0), Some(0.6622 * 4096.0)),
        ];
        for (id, fp32, fp64, half, tensor) in rows {
            let peak = |kind: WorkKind| kind.peak_per_cycle(architecture(id));
            let found = [WorkKind::Fp32, WorkKind::Fp64, WorkKind::Half, WorkKind::Tensor].map(peak);
            for (found, expected) in found.into_iter().zip([Some(fp32), fp64, half, tensor]) {
                // Published rates are exact; the measured one is not.
                let within = if id == Gh100 { 0.02 } else { 0.0 };
                let is_right = match (found, expected) {
                    (Some(found), Some(expected)) => (found / expected - 1.0).abs() <= within,
                    (found, expected) => found == expected,
                };
                assert!(is_right, "{id}: {found:?}, not {expected:?}");
            }
        }
    }

    #[test]
    fn operations_and_bytes_equal_the_counters() {
        for arch in [
            ArchId::G80,
            ArchId::Gf104,
            ArchId::Gp104,
            ArchId::Tu102,
            ArchId::Gh100,
        ] {
            let trace = run(arch, 4, 6, TraceOptions::default());
            let work = trace.work();
            let counter = |name: &str| trace.counter(name).unwrap() as u64;
            let group =
                |name: &str| counter(&format!("smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"));
            assert_eq!(
                work.total.of(WorkKind::Fp32),
                group("fadd") + group("fmul") + 2 * group("ffma"),
                "{arch}"
            );
            assert_eq!(work.total.of(WorkKind::Int), group("integer"), "{arch}");
            let flight = trace.flight();
            assert_eq!(work.total.at(TrafficLevel::Device), flight.total.moved, "{arch}");
            assert_eq!(
                work.byte_cycles[TrafficLevel::Device as usize],
                flight.total.byte_cycles,
                "{arch}"
            );
            let row = u64::from(trace.arch().memory.shared.banks.value)
                * u64::from(trace.arch().memory.shared.bank_width_bytes.value);
            let wavefronts: u64 = ["ld", "st", "atom"]
                .map(|op| counter(&format!("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum")))
                .iter()
                .sum();
            assert_eq!(work.total.at(TrafficLevel::Shared), wavefronts * row, "{arch}");
            // The columns, and exact ranges, add up to the run.
            assert_eq!(work.sum(0, usize::MAX), work.total, "{arch}");
            let end = trace.num_cycles();
            let mut sum = trace.work_between(Cycle(0), Cycle(end / 3));
            sum.add(&trace.work_between(Cycle(end / 3), Cycle(end)));
            assert_eq!(sum, work.total, "{arch}");
            assert!(work.total.operations.iter().any(|number| *number > 0), "{arch}");
        }
    }
}
