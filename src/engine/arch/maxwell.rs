//! Maxwell: GM204 (5.2). Four partitions of 32 lanes, dependent arithmetic after six cycles, separate shared
//! memory and L1, native shared atomics, and 32-bit multiplication in 16-bit steps.

use super::floor::ONE_SM;
use super::host::{BEST_PRACTICES, LINK};
use super::pascal::{CONSTANT_GP100, L1_GP100, LIMITS, OCCUPANCY_GP100};
use super::sourced::{alts, assumed, derived, paper, repository, vendor, web};
use super::{
    AS_REDUCTION, ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability,
    ConstantMemory, DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, L1, L1Capacity, L2,
    Mechanisms, Memory, NO_ACCESS_STALL, NO_LAUNCH_DATE, NO_PAIRS, ORDER_ASSUMED, OccupancyRules, OpClass,
    OpCost, Pipe, PipeKind, Queues, REDUCTION_LATENCY, REGISTER_BANKS, SAME_LANES, SCOREBOARDS, SharedMemory,
    Sourced, WritePolicy, costs, curve, fixed, kib_list, memory, per_scheduler, per_sm, rate, scoreboard,
};

const TABLE: &str = "Programming Guide 10.1, Table 2";
const UNITS: &str = "Programming Guide 10.1, H.4.1";
const HOLDS: &str = "Programming Guide 10.1, Table 14";
const JIA: &str = "Jia et al. 2018, Table 3.1";
const M60: &str = "measured on a Tesla M60";
const NO_QUEUE_DATA: &str = "no source documents the depth; assumed large enough that one warp cannot fill the queue and small enough that many warps can";

const LATENCY: Sourced<u16> = repository(6, "GPU-Project microbenchmarks (GTX TITAN X, 5.2)")
    .note("6.13 for additions, multiplications, and fused multiply-adds");
const LIKE_ARITHMETIC: Sourced<u16> = assumed(
    6,
    "not measured separately; assumed equal to single precision, which runs on the same lanes",
);
const PREDICATE_LATENCY: Sourced<u16> = assumed(
    12,
    "no source found; assumed equal to Pascal's instructions that set a predicate (Jia et al. 2018, Table 4.1)",
);
const XU_LATENCY: Sourced<u16> = assumed(
    14,
    "no source found; assumed equal to Pascal (Jia et al. 2018, Table 4.1)",
);
const LSU_OCCUPANCY: Sourced<u16> =
    derived(1, "Jia et al. 2018", "32 lanes over the SM's 32 load/store units");
const ONE: Sourced<u16> = derived(1, UNITS, "32 lanes execute a whole warp at once");
const SHARED_LATENCY: Sourced<u16> = paper(23, JIA)
    .note(M60)
    .also(alts![("28 (GTX 980)", "Mei & Chu 2017, Table 8")]);
const L1_LATENCY: Sourced<u16> = paper(82, JIA)
    .note(M60)
    .also(alts![("82 (GTX 980)", "Mei & Chu 2017")]);
const L2_LATENCY: Sourced<u16> = paper(207, JIA)
    .note(M60)
    .also(alts![("214 (GTX 980)", "Mei & Chu 2017")]);
const CONSTANT_LATENCY: Sourced<u16> = paper(25, JIA).note(M60);

static PIPES: [Pipe; 5] = [
    per_scheduler(
        PipeKind::Fp32,
        1,
        vendor(32, UNITS).note("128 in four partitions; integer instructions run here too"),
    ),
    per_scheduler(
        PipeKind::Fp64,
        1,
        derived(1, TABLE, "4 results per clock per SM, over four partitions"),
    ),
    per_scheduler(PipeKind::Xu, 1, vendor(8, UNITS).note("32 in four partitions")),
    per_sm(PipeKind::Lsu, 1, paper(32, "Jia et al. 2018").note(M60)),
    per_scheduler(
        PipeKind::Branch,
        1,
        assumed(32, "no source found; assumed one decision per warp"),
    ),
];

static ROWS: [(&[OpClass], OpCost); 23] = [
    (
        &[OpClass::Fp32],
        fixed(PipeKind::Fp32, rate(4, 128, TABLE), LATENCY),
    ),
    (
        &[OpClass::IntAdd, OpClass::IntLogic],
        fixed(PipeKind::Fp32, rate(4, 128, TABLE), LIKE_ARITHMETIC),
    ),
    (
        &[OpClass::Fp32Compare, OpClass::IntCompare],
        fixed(PipeKind::Fp32, rate(4, 64, TABLE), PREDICATE_LATENCY),
    ),
    (
        &[OpClass::IntShift, OpClass::BitField, OpClass::BitReverse],
        fixed(PipeKind::Fp32, rate(4, 64, TABLE), LIKE_ARITHMETIC),
    ),
    (
        &[OpClass::Int16Mul],
        fixed(
            PipeKind::Fp32,
            assumed(
                1,
                "the guides list no rate for XMAD; assumed equal to simple arithmetic",
            ),
            assumed(6, "assumed equal to XMAD on Pascal (Jia et al. 2018, Table 4.1)"),
        ),
    ),
    (&[OpClass::Move], fixed(PipeKind::Fp32, ONE, LIKE_ARITHMETIC)),
    (
        &[OpClass::PredicateLogic],
        fixed(PipeKind::Fp32, ONE, PREDICATE_LATENCY),
    ),
    (
        &[OpClass::Vote],
        fixed(
            PipeKind::Fp32,
            rate(4, 64, "Programming Guide 12.6, Table 4"),
            PREDICATE_LATENCY,
        ),
    ),
    (
        &[OpClass::Fp64],
        fixed(
            PipeKind::Fp64,
            rate(4, 4, TABLE),
            assumed(
                8,
                "no source found; assumed equal to Pascal (Jia et al. 2018, Table 4.1)",
            ),
        ),
    ),
    (
        &[
            OpClass::Mufu,
            OpClass::Convert,
            OpClass::ConvertNarrow,
            OpClass::Popc,
        ],
        scoreboard(PipeKind::Xu, rate(4, 32, TABLE), XU_LATENCY),
    ),
    (
        &[OpClass::RangeReduction],
        fixed(PipeKind::Fp32, assumed(1, AS_REDUCTION), REDUCTION_LATENCY),
    ),
    (
        &[OpClass::Convert64],
        scoreboard(PipeKind::Fp64, rate(4, 4, TABLE), XU_LATENCY),
    ),
    (
        &[OpClass::SpecialRegister],
        scoreboard(
            PipeKind::Xu,
            assumed(4, "no rate is listed; assumed equal to conversions"),
            assumed(14, "assumed equal to a conversion, whose latency varies too"),
        ),
    ),
    (
        &[OpClass::Branch],
        fixed(
            PipeKind::Branch,
            ONE,
            assumed(
                12,
                "no source found; assumed equal to an instruction that sets a predicate, because a predicate decides the branch",
            ),
        ),
    ),
    (
        &[OpClass::Barrier],
        scoreboard(
            PipeKind::Branch,
            rate(4, 64, "Programming Guide 10.1, 5.4.3"),
            assumed(
                14,
                "no source found; assumed equal to the H200 measurement with one warp",
            ),
        ),
    ),
    (
        &[OpClass::Membar],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            assumed(
                207,
                "waits for the warp's stores to reach L2, assumed to take as long as a load from L2",
            ),
        ),
    ),
    (
        &[OpClass::Shuffle],
        scoreboard(
            PipeKind::Lsu,
            rate(1, 32, TABLE),
            assumed(
                23,
                "no source found; assumed equal to a shared-memory access, which takes the same path",
            ),
        ),
    ),
    (
        &[OpClass::Shared],
        scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, SHARED_LATENCY),
    ),
    (
        &[OpClass::Global],
        scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, L2_LATENCY),
    ),
    (
        &[OpClass::Constant],
        scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, CONSTANT_LATENCY),
    ),
    (
        &[OpClass::SharedAtomic],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            derived(SHARED_LATENCY.value, JIA, memory::OLD_VALUE),
        ),
    ),
    (
        &[OpClass::GlobalAtomic],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            derived(
                231,
                "Jia et al. 2018, Tables 3.1 and 4.2",
                "207 for the round trip to L2, and 24 for the operation",
            ),
        ),
    ),
    (
        &[OpClass::SlowPath],
        scoreboard(
            PipeKind::Fp32,
            assumed(16, "approximates a subroutine of about sixteen instructions"),
            assumed(96, "approximates a dependent chain of about sixteen instructions"),
        ),
    ),
];

/// GM204, the chip of the `GeForce` GTX 980.
pub(super) static GM204: Architecture = Architecture {
    id: ArchId::Gm204,
    mechanisms: Mechanisms::NONE,
    name: "Maxwell GM204",
    generation: Generation::Maxwell,
    compute_capability: ComputeCapability { major: 5, minor: 2 },
    year: assumed(2014, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(vendor(&[4, 4, 4, 4], "GeForce GTX 980 white paper, pages 6 and 7"), ONE_SM),
    memory_stacks: None,
    host: Host::of(520, assumed(2, "as on the chips before and after it; no output of deviceQuery was read"), assumed(15.75, LINK), Some(vendor(12.0, BEST_PRACTICES))),
    chip: Chip {
        example_part: paper("GeForce GTX 980", "Mei & Chu 2017")
            .note("clock and bandwidth are those of the GTX 980; SMs and latencies are those of the Tesla M60 that Jia et al. 2018 measured"),
        num_sms: paper(16, JIA).note("measured on a Tesla M60"),
        sm_clock_mhz: paper(1279, "Mei & Chu 2017").also(alts![("1177 (M60)", "Jia et al. 2018")]),
        dram_bits: paper(256, "Mei & Chu 2017"),
        dram_gb_per_s: paper(224.4, "Mei & Chu 2017"),
    },
    issue: Issue {
        schedulers: vendor(4, UNITS),
        pairing: NO_PAIRS,
        dispatches: vendor(1, UNITS),
        order: ORDER_ASSUMED,
        issue_interval_cycles: vendor(1, UNITS),
        lanes_change_cycles: SAME_LANES,
        register_banks: REGISTER_BANKS,
        scoreboards: SCOREBOARDS,
        access_stall_cycles: NO_ACCESS_STALL,
        divergence: vendor(
            DivergenceModel::ReconvergenceStack,
            "Programming Guide 10.1, H.6.2",
        ),
    },
    pipes: &PIPES,
    costs: costs(&ROWS),
    memory: Memory {
        shared: SharedMemory {
            banks: vendor(32, "Programming Guide 12.6, Table 21"),
            bank_width_bytes: vendor(4, "Programming Guide 10.1, H.4.3"),
            rule: derived(
                BankRule::WarpMulticastPhases,
                "Programming Guide 10.1, H.4.3",
                "the guide documents 32-bit accesses; wider accesses go by half-warps and quarter-warps, because a pass delivers 128 bytes (NVIDIA forum 77228)",
            ),
            pass_interval_cycles: vendor(1, "Programming Guide 10.1, H.4.3").note("32 bits per bank per clock"),
            extra_latency_per_pass_cycles: paper(2.0, "Jia et al. 2018, Figure 3.9")
                .note("M60: 23, 25, 29, 37, 53, 85 cycles for 1, 2, 4, 8, 16, 32 ways; Mei & Chu 2017 measure two cycles per way on a GTX 980 too"),
            extra_latency_once_cycles: paper(0, "Jia et al. 2018, Figure 3.9")
                .note("M60: the second pass costs two cycles, as every further pass does"),
        },
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1 {
            caches_globals_by_default: vendor(false, "Programming Guide 10.1, H.4.2")
                .note("opt in with -Xptxas -dlcm=ca or __ldg"),
            globals_can_opt_in: vendor(true, "Programming Guide 10.1, H.4.2"),
            globals_can_opt_out: vendor(true, "Programming Guide 10.1, H.4.2"),
            caches_locals: web(false, "Maxwell Tuning Guide, as quoted"),
            capacity: vendor(L1Capacity::Fixed(24), UNITS),
            hit_latency_cycles: L1_LATENCY,
            global_write: assumed(
                WritePolicy::WriteThrough,
                "no statement found for Maxwell; assumed equal to Pascal",
            ),
            bytes_per_cycle: assumed(32, "assumed equal to P100, whose cache has as many KB (Jia et al. 2018, 3.2)"),
            ..L1_GP100
        }),
        l2: Some(L2 {
            capacity_kib: paper(2048, JIA),
            line_bytes: paper(32, JIA),
            sector_bytes: paper(32, JIA),
            ways: assumed(16, "assumed equal to V100 (Jia et al. 2018, Table 3.1)"),
            hit_latency_cycles: L2_LATENCY,
            bytes_per_cycle: assumed(512, "no source found; assumed equal to GP104, whose L2 is as large"),
        }),
        device: DeviceMemory {
            latency_cycles: paper(384, "Mei & Chu 2017").note("383 to 385 on a GTX 980"),
            efficiency: assumed(
                0.8,
                "no source found; assumed share of the peak that remains after refresh and bus turnaround",
            ),
            transaction_bytes: paper(32, JIA),
            address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
            local_kib_per_thread: vendor(512, HOLDS),
            sm_port_bytes_per_cycle: memory::SM_PORT,
        },
        constant: ConstantMemory {
            l1_bytes: CONSTANT_GP100
                .l1_bytes
                .from_other_chip("measured on Pascal, applied to Maxwell; the guide's 8 KB are per SM"),
            l1_line_bytes: CONSTANT_GP100
                .l1_line_bytes
                .from_other_chip("measured on Pascal, applied to Maxwell"),
            l1_latency_cycles: CONSTANT_LATENCY,
            l15_latency_cycles: paper(81, JIA).note(M60),
            l2_latency_cycles: paper(221, JIA).note(M60),
            extra_per_address_cycles: derived(
                11,
                "Jia et al. 2018, Figure 3.7",
                "measured on V100, applied to Maxwell",
            ),
            ..CONSTANT_GP100
        },
        texture: None,
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: paper(
                curve(&[(1, 17), (2, 19), (4, 25), (8, 31), (16, 47), (32, 79)]),
                "Jia et al. 2018, Table 4.2",
            )
            .note(M60),
            global_latency_curve: paper(
                curve(&[(1, 24), (2, 26), (4, 41), (8, 41), (16, 46), (32, 46)]),
                "Jia et al. 2018, Table 4.2",
            )
            .note("the paper subtracts the round trip to L2"),
            same_address_interval_cycles: assumed(1, "the curve beyond four lanes is almost flat"),
        },
        queues: Queues {
            mio_entries: assumed(8, NO_QUEUE_DATA),
            lg_entries: assumed(12, NO_QUEUE_DATA),
        },
        coalescing: vendor(
            CoalescingRule::SectorsByLaneGroup,
            "Programming Guide 10.1, H.4.2",
        )
        .note("requests of 8, 4, or 2 lanes (NVIDIA forum 49571)"),
    },
    occupancy: OccupancyRules {
        register_partitions: vendor(4, "cuda_occupancy.h"),
        warp_granularity: vendor(4, "cuda_occupancy.h"),
        shared_per_sm_kib: vendor(96, HOLDS),
        carveouts_kib: vendor(kib_list(&[96]), "cuda_occupancy.h")
            .note("separate shared memory, not traded against L1"),
        partitioned_global_caching: vendor(true, "cuda_occupancy.h")
            .note("with L1 caching of global loads enabled, a block can use half the SM's warps and registers"),
        max_resident_grids: vendor(32, HOLDS),
        ..OCCUPANCY_GP100
    },
    limits: LIMITS,
};
