//! Pascal: GP100 (6.0) and GP104 (6.1). Full-width lanes, dependent arithmetic after six cycles, integers on
//! the single-precision lanes, and 32-bit multiplication in 16-bit steps.

use super::host::{BANDWIDTHS, BEST_PRACTICES, LATENCIES, LINK, LINK_GEN3};
use super::sourced::{alts, assumed, derived, paper, repository, vendor, web};
use super::{
    AS_REDUCTION, ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability,
    ConstantMemory, DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, L1, L1Capacity, L2,
    LaunchLimits, Mechanisms, Memory, NO_ACCESS_STALL, NO_LAUNCH_DATE, NO_PAIRS, NvLink, ORDER_ASSUMED,
    OccupancyRules, OpClass, OpCost, Pipe, PipeKind, Queues, REDUCTION_LATENCY, REGISTER_BANKS,
    RegisterScope, SAME_LANES, SCOREBOARDS, SharedMemory, Sourced, WritePolicy, costs, curve, fixed,
    kib_list, memory, per_scheduler, per_sm, rate, scoreboard,
};

const TABLE: &str = "Programming Guide 10.1, Table 2";
const JIA: &str = "Jia et al. 2018, Table 4.1";
const NO_QUEUE_DATA: &str = "no source documents the depth; assumed large enough that one warp cannot fill the queue and small enough that many warps can";

const LATENCY: Sourced<u16> = vendor(6, "Volta Tuning Guide 4.1.1").also(alts![
    ("6", "Turing Tuning Guide 1.4.1.1"),
    ("6", "Jia et al. 2018, Table 4.1"),
    ("6.13", "GPU-Project microbenchmarks (GTX TITAN X, 5.2)")
]);
const INT_LATENCY: Sourced<u16> = paper(6, JIA);
const LIKE_ARITHMETIC: Sourced<u16> = assumed(
    6,
    "not measured separately; assumed equal to simple arithmetic, which runs on the same lanes",
);
const PREDICATE_LATENCY: Sourced<u16> = paper(12, JIA).note("instructions that set a predicate");
const XU_LATENCY: Sourced<u16> = paper(14, JIA);
const LSU_OCCUPANCY: Sourced<u16> = derived(2, "Jia et al. 2018", "32 lanes over 16 load/store units");
const ONE: Sourced<u16> = derived(
    1,
    "Programming Guide 10.1, H.5.1",
    "32 lanes execute a whole warp at once",
);
const LSU_LANES: Pipe = per_sm(PipeKind::Lsu, 1, paper(16, "Jia et al. 2018"));
const BRANCH: Pipe = per_scheduler(
    PipeKind::Branch,
    1,
    assumed(32, "no source found; assumed one decision per warp"),
);

static GP100_PIPES: [Pipe; 5] = [
    per_scheduler(
        PipeKind::Fp32,
        1,
        vendor(32, "Programming Guide 10.1, H.5.1")
            .note("64 in two partitions; integer instructions run here too"),
    ),
    per_scheduler(
        PipeKind::Fp64,
        1,
        vendor(16, "Volta Tuning Guide 4.1.1").note("32 in two partitions"),
    ),
    per_scheduler(
        PipeKind::Xu,
        1,
        vendor(8, "Programming Guide 10.1, H.5.1").note("16 in two partitions"),
    ),
    LSU_LANES,
    BRANCH,
];
static GP104_PIPES: [Pipe; 6] = [
    per_scheduler(
        PipeKind::Fp32,
        1,
        vendor(32, "Programming Guide 10.1, H.5.1")
            .note("128 in four partitions; integer instructions run here too"),
    ),
    per_scheduler(
        PipeKind::Fp64,
        1,
        derived(1, TABLE, "4 results per clock per SM, over four partitions"),
    ),
    per_scheduler(
        PipeKind::Xu,
        1,
        vendor(8, "Programming Guide 10.1, H.5.1").note("32 in four partitions"),
    ),
    per_sm(
        PipeKind::Fp16,
        1,
        derived(1, TABLE, "2 results per clock per SM: one pair"),
    ),
    LSU_LANES,
    BRANCH,
];

/// Returns the costs with the given number of schedulers; rates are results per clock per SM.
macro_rules! rows {
    (
        schedulers: $schedulers:literal, half_rate: $half:literal, quarter_rate: $quarter:literal,
        fp16: $fp16:expr, fp64: $fp64:literal, convert64: $convert64:expr, barrier: $barrier:literal,
        shared: $shared:expr, global: $global:expr, constant: $constant:expr,
        global_atomic: $global_atomic:expr
    ) => {
        [
            (
                &[OpClass::Fp32] as &[OpClass],
                fixed(
                    PipeKind::Fp32,
                    rate($schedulers, 32 * $schedulers, TABLE),
                    LATENCY,
                ),
            ),
            (
                &[OpClass::IntAdd, OpClass::IntLogic],
                fixed(
                    PipeKind::Fp32,
                    rate($schedulers, 32 * $schedulers, TABLE),
                    INT_LATENCY,
                ),
            ),
            (
                &[OpClass::Fp32Compare, OpClass::IntCompare],
                fixed(PipeKind::Fp32, rate($schedulers, $half, TABLE), PREDICATE_LATENCY),
            ),
            (
                &[OpClass::IntShift, OpClass::BitField, OpClass::BitReverse],
                fixed(PipeKind::Fp32, rate($schedulers, $half, TABLE), INT_LATENCY),
            ),
            (
                &[OpClass::Int16Mul],
                fixed(
                    PipeKind::Fp32,
                    assumed(1, "the guides list no rate for XMAD; assumed equal to simple arithmetic"),
                    paper(6, JIA).note("XMAD; a full 32-bit multiplication takes 86"),
                ),
            ),
            (&[OpClass::Move], fixed(PipeKind::Fp32, ONE, LIKE_ARITHMETIC)),
            (
                &[OpClass::PredicateLogic],
                fixed(
                    PipeKind::Fp32,
                    ONE,
                    assumed(12, "assumed equal to instructions that set a predicate (Jia et al. 2018)"),
                ),
            ),
            (
                &[OpClass::Vote],
                fixed(
                    PipeKind::Fp32,
                    rate($schedulers, 64, "Programming Guide 12.6, Table 4"),
                    assumed(12, "assumed equal to instructions that set a predicate (Jia et al. 2018)"),
                ),
            ),
            (&[OpClass::Fp16], $fp16),
            (
                &[OpClass::Fp64],
                fixed(PipeKind::Fp64, rate($schedulers, $fp64, TABLE), paper(8, JIA)),
            ),
            (
                &[
                    OpClass::Mufu,
                    OpClass::Convert,
                    OpClass::ConvertNarrow,
                    OpClass::Popc,
                ],
                scoreboard(PipeKind::Xu, rate($schedulers, $quarter, TABLE), XU_LATENCY),
            ),
            (
                &[OpClass::RangeReduction],
                fixed(PipeKind::Fp32, assumed(1, AS_REDUCTION), REDUCTION_LATENCY),
            ),
            (&[OpClass::Convert64], $convert64),
            (
                &[OpClass::SpecialRegister],
                scoreboard(
                    PipeKind::Xu,
                    rate($schedulers, $quarter, TABLE).note("the guides list no rate; assumed equal to conversions"),
                    assumed(14, "assumed equal to a conversion, whose latency varies too"),
                ),
            ),
            (
                &[OpClass::Branch],
                fixed(
                    PipeKind::Branch,
                    ONE,
                    assumed(12, "no source found; assumed equal to an instruction that sets a predicate, because a predicate decides the branch"),
                ),
            ),
            (
                &[OpClass::Barrier],
                scoreboard(
                    PipeKind::Branch,
                    rate($schedulers, $barrier, "Programming Guide 10.1, 5.4.3"),
                    assumed(14, "no source found; assumed equal to the H200 measurement with one warp"),
                ),
            ),
            (
                &[OpClass::Membar],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        225,
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
                        24,
                        "no source found; assumed equal to a shared-memory access, which takes the same path",
                    ),
                ),
            ),
            (
                &[OpClass::Shared],
                scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, $shared),
            ),
            (
                &[OpClass::Global],
                scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, $global),
            ),
            (
                &[OpClass::Constant],
                scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, $constant),
            ),
            (
                &[OpClass::SharedAtomic],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    derived($shared.value, "Jia et al. 2018, Table 3.1", memory::OLD_VALUE),
                ),
            ),
            (
                &[OpClass::GlobalAtomic],
                scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, $global_atomic),
            ),
            (
                &[OpClass::SlowPath],
                scoreboard(
                    PipeKind::Fp32,
                    assumed(16, "approximates a subroutine of about sixteen instructions"),
                    assumed(
                        96,
                        "approximates a dependent chain of about sixteen instructions",
                    ),
                ),
            ),
        ]
    };
}

static GP100_ROWS: [(&[OpClass], OpCost); 24] = rows!(
    schedulers: 2, half_rate: 32, quarter_rate: 16,
    fp16: fixed(
        PipeKind::Fp32,
        derived(1, TABLE, "a warp instruction produces 64 results, in pairs, at 128 per clock per SM, on two partitions"),
        LIKE_ARITHMETIC,
    ),
    fp64: 32,
    convert64: scoreboard(PipeKind::Xu, rate(2, 16, TABLE), XU_LATENCY),
    barrier: 32,
    shared: GP100_SHARED, global: GP100_L1, constant: GP100_CONSTANT,
    global_atomic: derived(260, "Jia et al. 2018, Tables 3.1 and 4.2", "234 for the round trip to L2, and 26 for the operation")
);
static GP104_ROWS: [(&[OpClass], OpCost); 24] = rows!(
    schedulers: 4, half_rate: 64, quarter_rate: 32,
    fp16: fixed(
        PipeKind::Fp16,
        derived(32, TABLE, "a warp instruction produces 64 results, in pairs, at 2 per clock per SM"),
        LIKE_ARITHMETIC,
    ),
    fp64: 4,
    convert64: scoreboard(PipeKind::Fp64, rate(4, 4, TABLE), XU_LATENCY),
    barrier: 64,
    shared: GP104_SHARED, global: GP104_L2, constant: GP104_CONSTANT,
    global_atomic: derived(246, "Jia et al. 2018, Tables 3.1 and 4.2", "216 for the round trip to L2, and 30 for the operation")
);

const GP100_SHARED: Sourced<u16> = paper(24, "Jia et al. 2018, Table 3.1");
const GP104_SHARED: Sourced<u16> = paper(23, "Jia et al. 2018, Table 3.1").note("measured on a Tesla P4");
const GP100_L1: Sourced<u16> = paper(82, "Jia et al. 2018, Table 3.1");
const GP100_L2: Sourced<u16> = paper(234, "Jia et al. 2018, Table 3.1");
const GP104_L2: Sourced<u16> = paper(216, "Jia et al. 2018, Table 3.1").note("measured on a Tesla P4");
const GP100_CONSTANT: Sourced<u16> = paper(24, "Jia et al. 2018, Table 3.1");
const GP104_CONSTANT: Sourced<u16> = paper(25, "Jia et al. 2018, Table 3.1");

const SHARED: SharedMemory = SharedMemory {
    banks: vendor(32, "Programming Guide 12.6, Table 21"),
    bank_width_bytes: vendor(4, "Programming Guide 10.1, H.4.3"),
    rule: derived(
        BankRule::WarpMulticastPhases,
        "Programming Guide 10.1, H.4.3",
        "the guide documents 32-bit accesses; wider accesses go by half-warps and quarter-warps, because a pass delivers 128 bytes (NVIDIA forum 77228)",
    ),
    pass_interval_cycles: vendor(1, "Programming Guide 10.1, H.4.3").note("32 bits per bank per clock"),
    extra_latency_per_pass_cycles: paper(2.0, "Jia et al. 2018, Figure 3.9")
        .note("P100: 24, 26, 30, 38, 54, 86 cycles for 1, 2, 4, 8, 16, 32 ways"),
    extra_latency_once_cycles: paper(0, "Jia et al. 2018, Figure 3.9")
        .note("P100: the second pass costs two cycles, as every further pass does"),
};

/// GP100's L1. The L1s of GP104 and Maxwell differ in cached spaces, capacity, and rate.
pub(super) const L1_GP100: L1 = L1 {
    caches_globals_by_default: web(true, "Pascal Tuning Guide 1.4, as quoted"),
    globals_can_opt_in: web(true, "Pascal Tuning Guide 1.4, as quoted"),
    globals_can_opt_out: vendor(true, "Programming Guide 10.1, H.5.2"),
    caches_locals: web(true, "Pascal Tuning Guide 1.4, as quoted"),
    capacity: vendor(L1Capacity::Fixed(24), "Programming Guide 10.1, H.5.1"),
    line_bytes: web(128, "NVIDIA forum 49571"),
    sector_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
    sets: paper(4, "Jia et al. 2018, Table 3.1"),
    set_index: memory::LOW_BITS,
    hit_latency_cycles: GP100_L1,
    global_write: assumed(
        WritePolicy::WriteThrough,
        "no statement found for Pascal; assumed equal to the simulator configurations of neighboring generations",
    ),
    local_write: assumed(WritePolicy::WriteThrough, "as for global stores"),
    tags_per_cycle: web(4, "NVIDIA forum 49571"),
    bytes_per_cycle: paper(32, "Jia et al. 2018, 3.2").note("31.3 measured"),
    miss_entries: assumed(
        256,
        "no source documents the number of entries; assumed enough to hide L2's latency at one request per clock",
    ),
};

/// GP100's constant caches.
pub(super) const CONSTANT_GP100: ConstantMemory = ConstantMemory {
    capacity_kib: vendor(64, "Programming Guide 10.1, Table 14"),
    l1_bytes: paper(2048, "Jia et al. 2018, Table 3.1")
        .also(alts![("4 KB", "Programming Guide 12.6, Table 21")]),
    l1_line_bytes: paper(64, "Jia et al. 2018, Table 3.1"),
    l15_bytes: assumed(
        32768,
        "not in the sources that were read; the guide's 4 to 8 KB describe another level",
    ),
    l15_line_bytes: derived(
        256,
        "Jia et al. 2019",
        "measured on a T4, applied to earlier chips",
    ),
    ways: memory::CONSTANT_WAYS,
    l3_bytes: memory::NO_L3,
    l3_line_bytes: memory::NO_L3_LINE,
    l3_ways: memory::NO_L3_WAYS,
    l1_latency_cycles: GP100_CONSTANT,
    l15_latency_cycles: paper(96, "Jia et al. 2018, Table 3.1"),
    l2_latency_cycles: paper(236, "Jia et al. 2018, Table 3.1"),
    extra_per_address_cycles: derived(
        11,
        "Jia et al. 2018, Figure 3.7",
        "measured on V100, applied to Pascal",
    ),
    fill_cycles: derived(
        6,
        "H200, constant.cu",
        "measured on an H200, applied to earlier chips",
    ),
};

const QUEUES: Queues = Queues {
    mio_entries: assumed(8, NO_QUEUE_DATA),
    lg_entries: assumed(12, NO_QUEUE_DATA),
};

const DEVICE: DeviceMemory = DeviceMemory {
    latency_cycles: repository(415, "MT4G").note("measured on a Quadro P6000 (6.1)"),
    efficiency: paper(0.696, "Jia et al. 2018, 3.7").note("measured on P100"),
    transaction_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
    address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
    local_kib_per_thread: vendor(512, "Programming Guide 10.1, Table 14"),
    sm_port_bytes_per_cycle: memory::SM_PORT,
};

/// The occupancy limits that GP100 shares with all later chips.
pub(super) const OCCUPANCY_GP100: OccupancyRules = OccupancyRules {
    max_warps_per_sm: vendor(64, "Programming Guide 10.1, Table 14"),
    max_blocks_per_sm: vendor(32, "Programming Guide 10.1, Table 14"),
    max_threads_per_block: vendor(1024, "Programming Guide 10.1, Table 14"),
    registers_per_sm: vendor(65536, "Programming Guide 10.1, Table 14"),
    registers_per_block: vendor(65536, "Programming Guide 10.1, Table 14"),
    max_registers_per_thread: vendor(255, "Programming Guide 10.1, Table 14"),
    register_unit: vendor(256, "cuda_occupancy.h"),
    register_scope: vendor(RegisterScope::WarpOfPartition, "cuda_occupancy.h"),
    register_partitions: vendor(2, "cuda_occupancy.h"),
    warp_granularity: vendor(4, "cuda_occupancy.h").note(
        "6.0 has two register files, but a launch must also fit the chips of its family that have four",
    ),
    shared_unit_bytes: vendor(256, "cuda_occupancy.h"),
    shared_reserved_bytes: vendor(0, "cuda_occupancy.h"),
    shared_per_sm_kib: vendor(64, "Programming Guide 10.1, Table 14"),
    shared_static_kib: vendor(48, "Programming Guide 10.1, Table 14"),
    shared_optin_kib: vendor(48, "Programming Guide 10.1, Table 14")
        .note("no opt-in exists; equal to the static limit"),
    carveout_by_need: vendor(false, "Programming Guide 10.1, H.5.3")
        .note("shared memory is separate from L1"),
    carveouts_kib: vendor(kib_list(&[64]), "cuda_occupancy.h")
        .note("separate shared memory, not traded against L1"),
    partitioned_global_caching: vendor(false, "cuda_occupancy.h"),
    max_resident_grids: vendor(128, "Programming Guide 10.1, Table 14"),
};

/// The launch limits of 3.0 and later.
pub(super) const LIMITS: LaunchLimits = LaunchLimits {
    max_grid: vendor([0x7fff_ffff, 65535, 65535], "Programming Guide 10.1, Table 14"),
    max_block: vendor([1024, 1024, 64], "Programming Guide 10.1, Table 14"),
    max_parameter_bytes: vendor(4096, "Programming Guide 10.1, F.3.9.3"),
};

const DIVERGENCE: Sourced<DivergenceModel> = vendor(
    DivergenceModel::ReconvergenceStack,
    "Programming Guide 10.1, H.6.2",
);

/// Links per pair of a DGX-1 with P100 (logs of Tartan).
const MESH: [[u8; 8]; 8] = [
    [0, 1, 1, 1, 1, 0, 0, 0],
    [1, 0, 1, 1, 0, 1, 0, 0],
    [1, 1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 0, 0, 0, 0, 1],
    [1, 0, 0, 0, 0, 1, 1, 1],
    [0, 1, 0, 0, 1, 0, 1, 1],
    [0, 0, 1, 0, 1, 1, 0, 1],
    [0, 0, 0, 1, 1, 1, 1, 0],
];

/// GP100, the chip of the Tesla P100.
pub(super) static GP100: Architecture = Architecture {
    id: ArchId::Gp100,
    mechanisms: Mechanisms::NONE,
    name: "Pascal GP100",
    generation: Generation::Pascal,
    compute_capability: ComputeCapability { major: 6, minor: 0 },
    year: assumed(2016, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
        assumed(
            &[10, 10, 10, 10, 8, 8],
            "56 of 60 SMs in six GPCs of ten (P100 white paper); which GPCs have fewer is not published",
        ),
        vendor(2, "P100 white paper"),
    ),
    memory_stacks: None,
    host: Host {
        launch_call_ns: repository(2200, LATENCIES),
        launch_and_wait_ns: repository(6600, LATENCIES),
        nvlink: Some(NvLink {
            mesh: Some(&MESH),
            ..NvLink::of(
                vendor(4, "V100 white paper"),
                vendor(20.0, "V100 white paper"),
                repository(0.92, "Tartan, logs of a DGX-1 with P100"),
            )
        }),
        ..Host::of(
            600,
            web(3, "deviceQuery outputs, Tesla P100"),
            web(15.75, LINK_GEN3),
            Some(repository(11.9, BANDWIDTHS)),
        )
    },
    chip: Chip {
        example_part: vendor("Tesla P100 SXM2", "V100 white paper, Table 1"),
        num_sms: vendor(56, "V100 white paper, Table 1"),
        sm_clock_mhz: vendor(1480, "V100 white paper, Table 1")
            .also(alts![("1328 (PCIe)", "Jia et al. 2018, Table 3.1")]),
        dram_bits: vendor(4096, "V100 white paper, Table 1"),
        dram_gb_per_s: vendor(732.0, "Volta Tuning Guide 4.3.1").also(alts![("720", "A100 white paper")]),
    },
    issue: Issue {
        schedulers: vendor(2, "Programming Guide 10.1, H.5.1"),
        pairing: NO_PAIRS,
        dispatches: vendor(1, "Programming Guide 10.1, H.5.1")
            .also(alts![("2", "V100 white paper, on GP100")]),
        order: ORDER_ASSUMED,
        issue_interval_cycles: vendor(1, "Programming Guide 10.1, H.5.1"),
        lanes_change_cycles: SAME_LANES,
        register_banks: REGISTER_BANKS,
        scoreboards: SCOREBOARDS,
        access_stall_cycles: NO_ACCESS_STALL,
        divergence: DIVERGENCE,
    },
    pipes: &GP100_PIPES,
    costs: costs(&GP100_ROWS),
    memory: Memory {
        shared: SHARED,
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1_GP100),
        l2: Some(L2 {
            capacity_kib: vendor(4096, "V100 white paper, Table 1"),
            line_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
            sector_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
            ways: assumed(16, "assumed equal to V100 (Jia et al. 2018, Table 3.1)"),
            hit_latency_cycles: GP100_L2,
            bytes_per_cycle: assumed(
                1024,
                "no source found; assumed half of V100's 2048 (A100 white paper)",
            ),
        }),
        device: DeviceMemory {
            latency_cycles: DEVICE
                .latency_cycles
                .from_other_chip("measured on a Quadro P6000 (6.1), applied to 6.0"),
            ..DEVICE
        },
        constant: CONSTANT_GP100,
        texture: None,
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: paper(
                curve(&[(1, 15), (2, 17), (4, 19), (8, 30), (16, 46), (32, 78)]),
                "Jia et al. 2018, Table 4.2",
            ),
            global_latency_curve: paper(
                curve(&[(1, 26), (2, 31), (4, 48), (8, 48), (16, 50), (32, 50)]),
                "Jia et al. 2018, Table 4.2",
            )
            .note("the paper subtracts the round trip to L2"),
            same_address_interval_cycles: assumed(1, "the curve beyond four lanes is almost flat"),
        },
        queues: QUEUES,
        coalescing: vendor(
            CoalescingRule::SectorsByLaneGroup,
            "Programming Guide 10.1, H.5.2",
        )
        .note("requests of 8, 4, or 2 lanes (NVIDIA forum 49571)"),
    },
    occupancy: OCCUPANCY_GP100,
    limits: LIMITS,
};

/// GP104, the chip of the `GeForce` GTX 1080.
pub(super) static GP104: Architecture = Architecture {
    id: ArchId::Gp104,
    mechanisms: Mechanisms::NONE,
    name: "Pascal GP104",
    generation: Generation::Pascal,
    compute_capability: ComputeCapability { major: 6, minor: 1 },
    year: assumed(2016, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
            web(&[5, 5, 5, 5], "TechPowerUp, GeForce GTX 1080, page 2"),
            web(1, "AnandTech, GeForce GTX 1080, page 4"),
        ),
    memory_stacks: None,
    host: Host::of(610, derived(2, "deviceQuery outputs, GTX 1080 Ti", "taken over from GP102"), assumed(15.75, LINK), Some(vendor(12.0, BEST_PRACTICES))),
    chip: Chip {
        example_part: web("GeForce GTX 1080", "GTX 1080 launch articles")
            .note("SMs, clock, and bandwidth are those of the GTX 1080; copy engines are those of a GTX 1080 Ti, whose chip is GP102; latencies are those of the Tesla P4 that Jia et al. 2018 measured"),
        num_sms: web(20, "GTX 1080 launch articles").also(alts![("20 (P4)", "Jia et al. 2018")]),
        sm_clock_mhz: web(1733, "GTX 1080 launch articles").note("boost clock; base clock 1607"),
        dram_bits: web(256, "GTX 1080 launch articles"),
        dram_gb_per_s: web(320.0, "GTX 1080 launch articles"),
    },
    issue: Issue {
        schedulers: vendor(4, "Programming Guide 10.1, H.5.1"),
        pairing: NO_PAIRS,
        dispatches: vendor(1, "Programming Guide 10.1, H.5.1").also(alts![(
            "2, to different units",
            "GPGPU-Sim configuration SM6_TITANX"
        )]),
        order: ORDER_ASSUMED,
        issue_interval_cycles: vendor(1, "Programming Guide 10.1, H.5.1"),
        lanes_change_cycles: SAME_LANES,
        register_banks: REGISTER_BANKS,
        scoreboards: SCOREBOARDS,
        access_stall_cycles: NO_ACCESS_STALL,
        divergence: DIVERGENCE,
    },
    pipes: &GP104_PIPES,
    costs: costs(&GP104_ROWS),
    memory: Memory {
        shared: SHARED,
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1 {
            caches_globals_by_default: web(false, "Pascal Tuning Guide 1.4, as quoted")
                .note("opt in with -Xptxas -dlcm=ca or __ldg"),
            capacity: vendor(L1Capacity::Fixed(48), "Programming Guide 10.1, H.5.1").also(alts![(
                "24 KB, the part that one stream of accesses uses",
                "Jia et al. 2018, Table 3.1; MT4G"
            )]),
            bytes_per_cycle: paper(16, "Jia et al. 2018, 3.2").note("15.7 measured on a Tesla P4"),
            ..L1_GP100
        }),
        l2: Some(L2 {
            capacity_kib: paper(2048, "Jia et al. 2018, Table 3.1"),
            line_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
            sector_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
            ways: assumed(16, "assumed equal to V100 (Jia et al. 2018, Table 3.1)"),
            hit_latency_cycles: GP104_L2,
            bytes_per_cycle: assumed(
                512,
                "no source found; assumed half of GP100's, because the L2 is half as large",
            ),
        }),
        device: DeviceMemory {
            efficiency: DEVICE
                .efficiency
                .from_other_chip("measured on P100 (6.0), applied to 6.1")
                .also(alts![(
                    "0.722: copies at 231.0 of 320 GB/s",
                    "bandwidthTest outputs, GTX 1080"
                )]),
            ..DEVICE
        },
        constant: ConstantMemory {
            l1_latency_cycles: GP104_CONSTANT,
            l15_latency_cycles: paper(87, "Jia et al. 2018, Table 3.1"),
            l2_latency_cycles: paper(225, "Jia et al. 2018, Table 3.1"),
            l1_bytes: paper(2048, "Jia et al. 2018, Table 3.1")
                .also(alts![("8 KB", "Programming Guide 12.6, Table 21")]),
            ..CONSTANT_GP100
        },
        texture: None,
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: paper(
                curve(&[(1, 16), (2, 18), (4, 25), (8, 30), (16, 46), (32, 78)]),
                "Jia et al. 2018, Table 4.2",
            ),
            global_latency_curve: paper(
                curve(&[(1, 30), (2, 50), (4, 50), (8, 51), (16, 51), (32, 51)]),
                "Jia et al. 2018, Table 4.2",
            )
            .note("the paper subtracts the round trip to L2"),
            same_address_interval_cycles: assumed(1, "the curve beyond two lanes is almost flat"),
        },
        queues: QUEUES,
        coalescing: vendor(
            CoalescingRule::SectorsByLaneGroup,
            "Programming Guide 10.1, H.5.2",
        )
        .note("requests of 8, 4, or 2 lanes (NVIDIA forum 49571)"),
    },
    occupancy: OccupancyRules {
        register_partitions: vendor(4, "cuda_occupancy.h"),
        warp_granularity: vendor(4, "cuda_occupancy.h"),
        shared_per_sm_kib: vendor(96, "Programming Guide 10.1, Table 14")
            .also(alts![("64", "Jia et al. 2018, Table 3.1")]),
        carveouts_kib: vendor(kib_list(&[96]), "cuda_occupancy.h")
            .note("separate shared memory, not traded against L1"),
        partitioned_global_caching: vendor(true, "cuda_occupancy.h").note(
            "with L1 caching of global loads enabled, a block can use half the SM's warps and registers",
        ),
        max_resident_grids: vendor(32, "Programming Guide 10.1, Table 14"),
        ..OCCUPANCY_GP100
    },
    limits: LIMITS,
};
