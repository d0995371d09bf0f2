//! Exchanges: a chip that has some numbers of another chip, so that a run shows what these numbers cost.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::{
    ArchId, Architecture, Chip, DeviceMemory, Issue, L1, L2, Memory, OccupancyRules, OpClass, OpCost, Pipe,
    PipeKind, PipeScope, SharedMemory, ValueRow, architecture,
};

/// A number of a chip, or a few numbers that mean nothing apart, which another chip can lend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Exchange {
    /// Schedulers, and how often and how many instructions each issues. The lanes of the SM stay.
    Schedulers,
    /// Which eligible warp a scheduler selects.
    IssueOrder,
    /// Banks of the register file.
    RegisterBanks,
    /// Scoreboards of a warp, and the stall counts between accesses.
    Scoreboards,
    /// Lanes for single precision, half precision, and integers, with their rates.
    LaneUnits,
    /// Latencies of single precision, half precision, and integers.
    LaneLatency,
    /// Special function units, with the rates of conversions and bit counts.
    SpecialUnits,
    /// Latencies of special functions, conversions, and bit counts.
    SpecialLatency,
    /// The read of a special register: rate and latency.
    SpecialRegisters,
    /// Double-precision units and rates.
    DoubleUnits,
    /// Latencies of double precision.
    DoubleLatency,
    /// Tensor cores and their rates.
    TensorUnits,
    /// Latencies of tensor cores.
    TensorLatency,
    /// Branches: rate and latency.
    Branches,
    /// Barriers and fences: rate and latency.
    Barriers,
    /// Load/store units: how long a wavefront occupies them, and their arbiter.
    LoadStoreUnits,
    /// Latency of shuffles and reductions of a warp.
    ShuffleLatency,
    /// Latency of shared memory without conflicts.
    SharedLatency,
    /// Latency that each further wavefront adds.
    ConflictLatency,
    /// Banks of shared memory and the rule by which lanes share them.
    Banks,
    /// The rule that turns accesses into transactions, and the sizes of lines and sectors of L1.
    Transactions,
    /// What L1 caches, and its write policies; the whole L1 if only one chip has one.
    L1Policy,
    /// Latency of a hit in L1.
    L1Latency,
    /// Lines and bytes that L1 serves per clock.
    L1Throughput,
    /// Misses of L1 in flight.
    L1Misses,
    /// Sizes of shared memory and L1.
    SharedSize,
    /// Size and organization of L2; the whole L2 if only one chip has one.
    L2Size,
    /// Latency of a hit in L2.
    L2Latency,
    /// Bytes per clock of L2 and of an SM's port.
    L2Bandwidth,
    /// Latency of device memory.
    DramLatency,
    /// Bytes of device memory per clock.
    DramBandwidth,
    /// Constant caches.
    Constants,
    /// Texture units and caches.
    Texture,
    /// Atomic operations.
    Atomics,
    /// Queues before the memory pipes.
    Queues,
    /// Warp and block slots.
    WarpSlots,
    /// The register file.
    Registers,
    /// Bytes that an SM stores per clock, where stores have a limit of their own.
    StorePort,
    /// Copies to shared memory, YIELD, and channels of device memory, as measured on GH100.
    Measured,
}

impl Exchange {
    /// All exchanges.
    pub const ALL: [Self; 39] = [
        Self::Schedulers,
        Self::IssueOrder,
        Self::RegisterBanks,
        Self::Scoreboards,
        Self::LaneUnits,
        Self::LaneLatency,
        Self::SpecialUnits,
        Self::SpecialLatency,
        Self::SpecialRegisters,
        Self::DoubleUnits,
        Self::DoubleLatency,
        Self::TensorUnits,
        Self::TensorLatency,
        Self::Branches,
        Self::Barriers,
        Self::LoadStoreUnits,
        Self::ShuffleLatency,
        Self::SharedLatency,
        Self::ConflictLatency,
        Self::Banks,
        Self::Transactions,
        Self::L1Policy,
        Self::L1Latency,
        Self::L1Throughput,
        Self::L1Misses,
        Self::SharedSize,
        Self::L2Size,
        Self::L2Latency,
        Self::L2Bandwidth,
        Self::DramLatency,
        Self::DramBandwidth,
        Self::Constants,
        Self::Texture,
        Self::Atomics,
        Self::Queues,
        Self::WarpSlots,
        Self::Registers,
        Self::StorePort,
        Self::Measured,
    ];

    /// The exchange that a number belongs to, by its path in [`Architecture::values`]. `None`: the number stays, because
    /// it names the chip, limits launches, or belongs to the compiled program.
    pub fn of_path(path: &str) -> Option<Self> {
        let (group, field) = path.rsplit_once('.')?;
        if let Some(class) = group.strip_prefix("costs.") {
            let class = OpClass::ALL
                .into_iter()
                .find(|other| format!("{other:?}") == class)?;
            return Some(if field == "latency_cycles" {
                latency_of(class)
            } else {
                units_of(class)
            });
        }
        if let Some(kind) = group.strip_prefix("pipes.") {
            let kind = PIPE_KINDS.into_iter().find(|other| other.text() == kind)?;
            return Some(pipe_of(kind));
        }
        Some(match (group, field) {
            ("issue", "schedulers" | "dispatches" | "pairing" | "issue_interval_cycles") => Self::Schedulers,
            ("issue", "lanes_change_cycles") => Self::LaneLatency,
            ("issue", "register_banks") => Self::RegisterBanks,
            ("issue", "scoreboards" | "access_stall_cycles") => Self::Scoreboards,
            ("issue", "order") => Self::IssueOrder,
            ("chip", "sm_clock_mhz" | "dram_gb_per_s")
            | ("memory.device", "efficiency" | "transaction_bytes") => Self::DramBandwidth,
            ("memory.partitions", _) => Self::DramBandwidth,
            // The number of channels follows from the width of the bus.
            ("chip", "dram_bits") => Self::Measured,
            ("memory.device", "latency_cycles") => Self::DramLatency,
            ("memory.device", "sm_port_bytes_per_cycle") | ("memory.l2", "bytes_per_cycle") => {
                Self::L2Bandwidth
            }
            ("memory.l2", "hit_latency_cycles") => Self::L2Latency,
            ("memory.l2", _) => Self::L2Size,
            ("memory", "coalescing") | ("memory.l1", "line_bytes" | "sector_bytes") => Self::Transactions,
            ("memory.l1", "hit_latency_cycles") => Self::L1Latency,
            ("memory.l1", "tags_per_cycle" | "bytes_per_cycle") => Self::L1Throughput,
            ("memory.l1", "miss_entries") => Self::L1Misses,
            ("memory.l1", "capacity" | "sets" | "set_index") => Self::SharedSize,
            ("memory.l1", _) => Self::L1Policy,
            ("memory.shared", "pass_interval_cycles") | ("memory.unit_gate", _) => Self::LoadStoreUnits,
            ("memory.shared", "extra_latency_per_pass_cycles" | "extra_latency_once_cycles") => {
                Self::ConflictLatency
            }
            ("memory.shared", _) | ("memory", "eight_byte_banks") => Self::Banks,
            ("memory.constant", "capacity_kib") => return None,
            ("memory.constant", _) => Self::Constants,
            ("memory.atomics", _) => Self::Atomics,
            ("memory.queues", _) => Self::Queues,
            _ if group.starts_with("memory.texture") => Self::Texture,
            ("memory.write_port", _) => Self::StorePort,
            ("memory.atomic_units" | "memory.swaps" | "memory.l2_partitions", _) => Self::Atomics,
            ("memory.channels" | "memory.copies" | "yields", _) => Self::Measured,
            ("occupancy", "max_warps_per_sm" | "max_blocks_per_sm" | "max_threads_per_block") => {
                Self::WarpSlots
            }
            ("occupancy", "max_resident_grids") => return None,
            ("occupancy", "carveouts_kib" | "carveout_by_need" | "partitioned_global_caching") => {
                Self::SharedSize
            }
            ("occupancy", field) if field.starts_with("shared_") => Self::SharedSize,
            ("occupancy", _) => Self::Registers,
            _ => return None,
        })
    }

    /// The numbers of a chip that belong to the exchange, with their sources.
    pub fn numbers(self, arch: &Architecture) -> Vec<ValueRow> {
        let mut rows = arch.values();
        rows.retain(|row| Self::of_path(&row.path) == Some(self));
        rows
    }

    /// Whether the chips have different numbers here.
    pub fn differs(self, one: &Architecture, other: &Architecture) -> bool {
        let shape = |arch: &Architecture| {
            let pipes = PIPE_KINDS.into_iter().filter(|kind| pipe_of(*kind) == self);
            let pipes: Vec<u32> = pipes.map(|kind| arch.num_units(kind)).collect();
            let rows = self.numbers(arch).into_iter();
            (pipes, rows.map(|row| (row.path, row.value)).collect::<Vec<_>>())
        };
        shape(one) != shape(other)
    }
}

const PIPE_KINDS: [PipeKind; 9] = [
    PipeKind::Fp32,
    PipeKind::Int32,
    PipeKind::Fp64,
    PipeKind::Xu,
    PipeKind::Lsu,
    PipeKind::Adu,
    PipeKind::Branch,
    PipeKind::Tensor,
    PipeKind::Fp16,
];

/// The exchange of a pipe's lanes.
const fn pipe_of(kind: PipeKind) -> Exchange {
    match kind {
        PipeKind::Fp32 | PipeKind::Int32 | PipeKind::Fp16 => Exchange::LaneUnits,
        PipeKind::Fp64 => Exchange::DoubleUnits,
        PipeKind::Xu => Exchange::SpecialUnits,
        PipeKind::Lsu | PipeKind::Adu => Exchange::LoadStoreUnits,
        PipeKind::Branch => Exchange::Branches,
        PipeKind::Tensor => Exchange::TensorUnits,
    }
}

/// The exchange of a class's rate.
const fn units_of(class: OpClass) -> Exchange {
    use OpClass as C;
    match class {
        C::SpecialRegister => Exchange::SpecialRegisters,
        C::Fp64 | C::Convert64 => Exchange::DoubleUnits,
        C::BitReverse | C::Popc | C::Mufu | C::Convert | C::ConvertNarrow => Exchange::SpecialUnits,
        C::Tensor | C::TensorTf32 | C::TensorFp64 | C::TensorInt | C::TensorStep | C::TensorStepHalf => {
            Exchange::TensorUnits
        }
        C::Branch => Exchange::Branches,
        C::Barrier | C::Membar => Exchange::Barriers,
        C::Shuffle
        | C::WarpReduce
        | C::Shared
        | C::Global
        | C::Constant
        | C::SharedAtomic
        | C::GlobalAtomic => Exchange::LoadStoreUnits,
        C::Fp32
        | C::Fp32Compare
        | C::Fp16
        | C::IntAdd
        | C::IntAddTwo
        | C::IntLogic
        | C::IntShift
        | C::IntCompare
        | C::IntMul
        | C::Int24Mul
        | C::Int16Mul
        | C::BitField
        | C::Move
        | C::RangeReduction
        | C::Vote
        | C::PredicateLogic
        | C::SlowPath => Exchange::LaneUnits,
    }
}

/// The exchange of a class's latency.
const fn latency_of(class: OpClass) -> Exchange {
    match class {
        OpClass::Shared => Exchange::SharedLatency,
        OpClass::Global => Exchange::L1Latency,
        OpClass::Constant => Exchange::Constants,
        OpClass::SharedAtomic | OpClass::GlobalAtomic => Exchange::Atomics,
        OpClass::Shuffle | OpClass::WarpReduce => Exchange::ShuffleLatency,
        _ => match units_of(class) {
            Exchange::LaneUnits => Exchange::LaneLatency,
            Exchange::SpecialUnits => Exchange::SpecialLatency,
            Exchange::DoubleUnits => Exchange::DoubleLatency,
            Exchange::TensorUnits => Exchange::TensorLatency,
            both => both,
        },
    }
}

/// The chips that were made by exchanges. Each lives until the end of the program, because runs refer to their chip.
static MADE: Mutex<BTreeMap<Key, &'static Architecture>> = Mutex::new(BTreeMap::new());

/// A chip, the chip that lends, and what it lends.
type Key = (ArchId, ArchId, Vec<Exchange>);

/// The chip `own` with the numbers of `other` that the exchanges name. It keeps the ID and the instructions of `own`.
pub fn exchanged(own: ArchId, other: ArchId, exchanges: &[Exchange]) -> &'static Architecture {
    let mut exchanges = exchanges.to_vec();
    exchanges.sort_unstable();
    exchanges.dedup();
    if exchanges.is_empty() || own == other {
        return architecture(own);
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (own, other, exchanges);
    if let Some(arch) = made.get(&key) {
        return arch;
    }
    let arch = Parents {
        own: architecture(own),
        other: architecture(other),
        exchanges: &key.2,
    }
    .child();
    let arch: &'static Architecture = Box::leak(Box::new(arch));
    made.insert(key, arch);
    arch
}

/// Two chips and what the second lends to the first.
#[derive(Clone, Copy)]
struct Parents<'a> {
    own: &'static Architecture,
    other: &'static Architecture,
    exchanges: &'a [Exchange],
}

impl Parents<'_> {
    fn takes(self, exchange: Exchange) -> bool {
        self.exchanges.contains(&exchange)
    }

    /// The chip whose numbers of an exchange apply.
    fn parent(self, exchange: Exchange) -> &'static Architecture {
        if self.takes(exchange) {
            self.other
        } else {
            self.own
        }
    }

    fn child(self) -> Architecture {
        let issue = self.issue();
        let mut child = Architecture {
            chip: Chip {
                sm_clock_mhz: self.parent(Exchange::DramBandwidth).chip.sm_clock_mhz,
                dram_gb_per_s: self.parent(Exchange::DramBandwidth).chip.dram_gb_per_s,
                dram_bits: self.parent(Exchange::Measured).chip.dram_bits,
                ..self.own.chip
            },
            issue,
            memory: self.memory(),
            occupancy: self.occupancy(),
            mechanisms: self.mechanisms(),
            ..self.own.clone()
        };
        let mut pipes: Vec<Pipe> = PIPE_KINDS
            .into_iter()
            .filter_map(|kind| pipe_in(self.parent(pipe_of(kind)), kind, issue.schedulers.value))
            .collect();
        for class in OpClass::ALL {
            // A class without a cost of its own costs as another class, which the other chip may distinguish.
            let Some(own) = self.own.cost(class) else {
                continue;
            };
            if [self.own, self.other]
                .iter()
                .all(|arch| arch.costs[class as usize].is_none())
            {
                continue;
            }
            let lender = self.parent(units_of(class));
            let by_units = lender.cost(class).unwrap_or(own);
            let by_latency = self.parent(latency_of(class)).cost(class).unwrap_or(own);
            let from = if lender.cost(class).is_some() {
                lender
            } else {
                self.own
            };
            if pipes.iter().all(|pipe| pipe.kind != by_units.pipe) {
                pipes.extend(pipe_in(from, by_units.pipe, issue.schedulers.value));
            }
            child.costs[class as usize] = Some(OpCost {
                pipe: by_units.pipe,
                occupancy_cycles: by_units.occupancy_cycles,
                units: by_units.units,
                latency_cycles: by_latency.latency_cycles,
                fixed_latency: by_latency.fixed_latency,
            });
        }
        child.pipes = Box::leak(pipes.into_boxed_slice());
        for class in OpClass::ALL {
            let lender = self.parent(units_of(class));
            let from = if lender.cost(class).is_some() {
                lender
            } else {
                self.own
            };
            let Some(mut cost) = child.costs[class as usize] else {
                continue;
            };
            // The rate of a class stays where a pipe has another number of units than on the chip of the rate.
            let (here, there) = (child.num_units(cost.pipe), from.num_units(cost.pipe).max(1));
            let cycles = &mut cost.occupancy_cycles.value;
            *cycles = ((u32::from(*cycles) * here + there / 2) / there).max(1) as u16;
            child.costs[class as usize] = Some(cost);
        }
        child
    }

    fn mechanisms(self) -> super::Mechanisms {
        let parent = |exchange| &self.parent(exchange).mechanisms;
        let (atomics, others) = (parent(Exchange::Atomics), parent(Exchange::Measured));
        super::Mechanisms {
            write_port: parent(Exchange::StorePort).write_port,
            atomic_units: atomics.atomic_units,
            swaps: atomics.swaps,
            l2_partitions: atomics.l2_partitions,
            channels_of_stack: others.channels_of_stack,
            // A chip that copies without a register does so with the numbers of any chip.
            copies: self.own.mechanisms.copies.map(|own| others.copies.unwrap_or(own)),
            yields: others.yields,
        }
    }

    fn issue(self) -> Issue {
        let parent = |exchange| &self.parent(exchange).issue;
        Issue {
            schedulers: parent(Exchange::Schedulers).schedulers,
            dispatches: parent(Exchange::Schedulers).dispatches,
            pairing: parent(Exchange::Schedulers).pairing,
            issue_interval_cycles: parent(Exchange::Schedulers).issue_interval_cycles,
            lanes_change_cycles: parent(Exchange::LaneLatency).lanes_change_cycles,
            register_banks: parent(Exchange::RegisterBanks).register_banks,
            scoreboards: parent(Exchange::Scoreboards).scoreboards,
            access_stall_cycles: parent(Exchange::Scoreboards).access_stall_cycles,
            order: parent(Exchange::IssueOrder).order,
            // The program has the instructions that diverge and reconverge.
            divergence: self.own.issue.divergence,
        }
    }

    fn memory(self) -> Memory {
        let parent = |exchange| &self.parent(exchange).memory;
        let banks = parent(Exchange::Banks);
        let conflicts = parent(Exchange::ConflictLatency).shared;
        Memory {
            shared: SharedMemory {
                pass_interval_cycles: parent(Exchange::LoadStoreUnits).shared.pass_interval_cycles,
                extra_latency_per_pass_cycles: conflicts.extra_latency_per_pass_cycles,
                extra_latency_once_cycles: conflicts.extra_latency_once_cycles,
                ..banks.shared
            },
            unit_gate: parent(Exchange::LoadStoreUnits).unit_gate,
            eight_byte_banks: banks.eight_byte_banks,
            l1: self.l1(),
            l2: self.l2(),
            device: DeviceMemory {
                latency_cycles: parent(Exchange::DramLatency).device.latency_cycles,
                efficiency: parent(Exchange::DramBandwidth).device.efficiency,
                transaction_bytes: parent(Exchange::DramBandwidth).device.transaction_bytes,
                sm_port_bytes_per_cycle: parent(Exchange::L2Bandwidth).device.sm_port_bytes_per_cycle,
                ..self.own.memory.device
            },
            partitions: parent(Exchange::DramBandwidth).partitions,
            constant: super::ConstantMemory {
                capacity_kib: self.own.memory.constant.capacity_kib,
                ..parent(Exchange::Constants).constant
            },
            texture: parent(Exchange::Texture).texture,
            atomics: parent(Exchange::Atomics).atomics,
            queues: parent(Exchange::Queues).queues,
            coalescing: parent(Exchange::Transactions).coalescing,
        }
    }

    fn l1(self) -> Option<L1> {
        let (Some(own), Some(other)) = (self.own.memory.l1, self.other.memory.l1) else {
            return self.parent(Exchange::L1Policy).memory.l1;
        };
        let parent = |exchange| if self.takes(exchange) { other } else { own };
        let (lines, sizes) = (parent(Exchange::Transactions), parent(Exchange::SharedSize));
        Some(L1 {
            capacity: sizes.capacity,
            sets: sizes.sets,
            set_index: sizes.set_index,
            line_bytes: lines.line_bytes,
            sector_bytes: lines.sector_bytes,
            hit_latency_cycles: parent(Exchange::L1Latency).hit_latency_cycles,
            tags_per_cycle: parent(Exchange::L1Throughput).tags_per_cycle,
            bytes_per_cycle: parent(Exchange::L1Throughput).bytes_per_cycle,
            miss_entries: parent(Exchange::L1Misses).miss_entries,
            ..parent(Exchange::L1Policy)
        })
    }

    fn l2(self) -> Option<L2> {
        let (Some(own), Some(other)) = (self.own.memory.l2, self.other.memory.l2) else {
            return self.parent(Exchange::L2Size).memory.l2;
        };
        let parent = |exchange| if self.takes(exchange) { other } else { own };
        Some(L2 {
            hit_latency_cycles: parent(Exchange::L2Latency).hit_latency_cycles,
            bytes_per_cycle: parent(Exchange::L2Bandwidth).bytes_per_cycle,
            ..parent(Exchange::L2Size)
        })
    }

    fn occupancy(self) -> OccupancyRules {
        let parent = |exchange| &self.parent(exchange).occupancy;
        let (slots, sizes) = (parent(Exchange::WarpSlots), parent(Exchange::SharedSize));
        OccupancyRules {
            max_warps_per_sm: slots.max_warps_per_sm,
            max_blocks_per_sm: slots.max_blocks_per_sm,
            max_threads_per_block: slots.max_threads_per_block,
            shared_unit_bytes: sizes.shared_unit_bytes,
            shared_reserved_bytes: sizes.shared_reserved_bytes,
            shared_per_sm_kib: sizes.shared_per_sm_kib,
            shared_static_kib: sizes.shared_static_kib,
            shared_optin_kib: sizes.shared_optin_kib,
            carveouts_kib: sizes.carveouts_kib,
            carveout_by_need: sizes.carveout_by_need,
            partitioned_global_caching: sizes.partitioned_global_caching,
            max_resident_grids: self.own.occupancy.max_resident_grids,
            ..*parent(Exchange::Registers)
        }
    }
}

/// A chip's pipe in an SM with another number of schedulers: the SM has as many units as on the chip. Units that cannot be
/// divided among the schedulers are shared by all.
fn pipe_in(arch: &Architecture, kind: PipeKind, schedulers: u16) -> Option<Pipe> {
    let pipe = *arch.pipe(kind)?;
    let units = u16::try_from(arch.num_units(kind)).unwrap_or(u16::MAX);
    Some(match pipe.scope {
        _ if schedulers == arch.issue.schedulers.value => pipe,
        PipeScope::Scheduler if units % schedulers == 0 => Pipe {
            units: (units / schedulers) as u8,
            ..pipe
        },
        PipeScope::Scheduler => Pipe {
            scope: PipeScope::Sm,
            units: units as u8,
            ..pipe
        },
        PipeScope::Sm => Pipe {
            own: pipe.own.filter(|own| u16::from(own.value) * schedulers <= units),
            ..pipe
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs() -> impl Iterator<Item = (ArchId, ArchId)> {
        let all = ArchId::ALL.into_iter();
        all.flat_map(|own| ArchId::ALL.into_iter().map(move |other| (own, other)))
            .filter(|(own, other)| own != other)
    }

    /// Path and value of each number.
    fn values(arch: &Architecture) -> BTreeMap<String, String> {
        let rows = arch.values().into_iter();
        rows.map(|row| (row.path, row.value)).collect()
    }

    fn is_rate(path: &str) -> bool {
        path.starts_with("costs.") && path.ends_with(".occupancy_cycles")
    }

    #[test]
    fn an_exchange_changes_its_own_numbers_and_no_other() {
        for (own, other) in pairs() {
            let (before, there) = (values(architecture(own)), values(architecture(other)));
            for exchange in Exchange::ALL {
                let after = values(exchanged(own, other, &[exchange]));
                for (path, value) in &after {
                    let is_part = Exchange::of_path(path) == Some(exchange);
                    let presence = path.starts_with("memory.l1.") || path.starts_with("memory.l2.");
                    let expected = if is_part {
                        there.get(path)
                    } else {
                        before.get(path)
                    };
                    match expected {
                        // Rates are in cycles of a unit, whose number can differ.
                        _ if is_rate(path) => {}
                        // A class that the first chip does not distinguish.
                        _ if path.starts_with("costs.") && !before.contains_key(path) => {}
                        // Lanes that come with the class that needs them, and caches that come whole.
                        None if path.starts_with("pipes.") => {}
                        _ if presence && before.contains_key(path) != there.contains_key(path) => {}
                        Some(expected) => {
                            assert_eq!(value, expected, "{own} with {other}'s {exchange:?}: {path}");
                        }
                        None => assert!(
                            is_part || before.contains_key(path),
                            "{own} with {other}'s {exchange:?} has {path}"
                        ),
                    }
                }
            }
        }
    }

    #[test]
    fn all_exchanges_together_give_the_other_chip() {
        for (own, other) in pairs() {
            let there = values(architecture(other));
            let arch = exchanged(own, other, &Exchange::ALL);
            for (path, value) in values(arch) {
                if Exchange::of_path(&path).is_none() || path.starts_with("memory.copies") {
                    continue;
                }
                match there.get(&path) {
                    Some(expected) => assert_eq!(value, *expected, "{own} as {other}: {path}"),
                    // An instruction class that only the first chip has, and its pipe.
                    None => assert!(
                        path.starts_with("costs.") || path.starts_with("pipes."),
                        "{own} as {other} has {path}"
                    ),
                }
            }
            for class in OpClass::ALL {
                let (here, there) = (
                    arch.results_per_cycle(class),
                    architecture(other).results_per_cycle(class),
                );
                if here.is_some() && there.is_some() {
                    assert_eq!(here, there, "{own} as {other}: {class:?}");
                }
            }
        }
    }

    #[test]
    fn schedulers_leave_the_lanes_of_the_sm_and_lanes_the_schedulers() {
        let gf100 = architecture(ArchId::Gf100);
        let with_schedulers = exchanged(ArchId::Gf100, ArchId::Gv100, &[Exchange::Schedulers]);
        assert_eq!(with_schedulers.issue.schedulers.value, 4);
        assert_eq!(
            with_schedulers.results_per_cycle(OpClass::Fp32),
            gf100.results_per_cycle(OpClass::Fp32)
        );
        let with_lanes = exchanged(ArchId::Gf100, ArchId::Gv100, &[Exchange::LaneUnits]);
        assert_eq!(with_lanes.issue.schedulers.value, 2);
        assert_eq!(with_lanes.results_per_cycle(OpClass::Fp32), Some(64.0));
        assert_eq!(with_lanes.num_units(PipeKind::Int32), 4);
    }

    #[test]
    fn every_pipe_of_a_made_chip_fits_the_simulator() {
        for (own, other) in pairs() {
            for exchange in Exchange::ALL {
                let arch = exchanged(own, other, &[exchange]);
                for pipe in arch.pipes {
                    assert!(
                        (1..=8).contains(&pipe.units),
                        "{own} {other} {exchange:?} {pipe:?}"
                    );
                    let own_units = pipe.own.map_or(0, |own| u16::from(own.value));
                    assert!(own_units * arch.issue.schedulers.value <= u16::from(pipe.units));
                }
                for class in OpClass::ALL {
                    let cost = arch.cost(class);
                    assert_eq!(cost.is_some(), architecture(own).cost(class).is_some());
                    if let Some(cost) = cost {
                        assert!(
                            arch.pipe(cost.pipe).is_some(),
                            "{own} {other} {exchange:?} {class:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_exchange_makes_one_chip() {
        let list = [Exchange::L2Latency, Exchange::Schedulers];
        let one = exchanged(ArchId::Gf100, ArchId::Gv100, &list);
        let other = exchanged(ArchId::Gf100, ArchId::Gv100, &[list[1], list[0], list[0]]);
        assert!(std::ptr::eq(one, other));
        assert!(std::ptr::eq(
            exchanged(ArchId::Gf100, ArchId::Gv100, &[]),
            architecture(ArchId::Gf100)
        ));
    }
}
