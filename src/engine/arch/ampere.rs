//! Ampere: GA100 (8.0) and GA102 (8.6). Volta's SM with tensor cores four times as fast and a larger L1;
//! on 8.6 a second path of single-precision lanes, fewer warps and next to no double precision.

use super::pascal::LIMITS;
use super::sourced::{alts, assumed, derived, paper, repository, vendor, web};
use super::volta::{ADU, BRANCH, CONSTANT_GV100, L1_GV100, NO_QUEUE_DATA, OCCUPANCY_GV100, SHARED_GV100};
use super::{
    ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability, ConstantMemory,
    DeviceMemory, DivergenceModel, Generation, Issue, L1, L1Capacity, L2, LANES_CHANGE, Memory,
    NO_ACCESS_STALL, NO_PAIRS, ORDER_ASSUMED, OccupancyRules, OpClass, OpCost, Pipe, PipeKind, Queues,
    REGISTER_BANKS, SCOREBOARDS, SharedMemory, Sourced, WritePolicy, costs, curve, fixed, kib_list, memory,
    per_scheduler, per_sm, rate, scoreboard,
};

/// Rates of 8.x.
pub(super) const TABLE: &str = "Programming Guide 12.6, Table 4";
/// Units, L1 and shared memory of 8.x.
pub(super) const UNITS: &str = "Programming Guide 12.6, 19.7";
/// What an SM of 8.x holds.
pub(super) const HOLDS: &str = "Programming Guide 12.6, Table 21";
const A100: &str = "Abdelkhalik et al. 2022";
const RTX_3060: &str = "AmpereArchViaMicroBenchMark";

/// 32 load/store units.
pub(super) const LSU_LANES: Pipe = per_sm(
    PipeKind::Lsu,
    1,
    assumed(
        32,
        "as on Volta: no source was found, and 32 banks deliver a word to each lane a clock",
    ),
);
/// The tensor cores of 8.x.
pub(super) const TENSOR_CORES: Pipe = per_scheduler(
    PipeKind::Tensor,
    1,
    vendor(1, UNITS).note("4 cores in four partitions"),
);
/// The special function units of 8.x.
pub(super) const XU_LANES: Pipe =
    per_scheduler(PipeKind::Xu, 1, vendor(4, UNITS).note("16 in four partitions"));
/// The integer lanes of 8.0.
const INT_LANES: Pipe = per_scheduler(
    PipeKind::Int32,
    1,
    vendor(16, UNITS).note("64 in four partitions"),
);
/// The integer lanes of 8.6 and 8.9, which single precision has, too.
pub(super) const INT_LANES_SHARED: Pipe = per_scheduler(
    PipeKind::Int32,
    1,
    vendor(16, UNITS)
        .note("64 in four partitions; half the single-precision lanes are the same silicon, which no rate shows, for a scheduler issues one instruction a clock to either"),
);
/// The single-precision lanes of 8.6 and 8.9.
pub(super) const FP32_LANES_DOUBLED: Pipe = per_scheduler(
    PipeKind::Fp32,
    1,
    vendor(32, UNITS).note("128 in four partitions, on two paths of 16 lanes"),
);
/// The two double-precision lanes of 8.6 and 8.9.
pub(super) const FP64_LANES: Pipe = per_sm(PipeKind::Fp64, 1, derived(2, TABLE, "2 results a clock and SM"));
/// Packed half-precision lanes for 256 results a clock and SM.
const FP16_LANES: Pipe = per_scheduler(
    PipeKind::Fp16,
    1,
    derived(
        32,
        TABLE,
        "256 results a clock and SM: 32 pairs for each of four partitions",
    ),
);
/// Double precision on two lanes.
pub(super) const FP64_ON_TWO_LANES: OpCost = scoreboard(
    PipeKind::Fp64,
    rate(1, 2, TABLE),
    assumed(
        48,
        "no source was found; as on Turing, which has as many lanes (Jia et al. 2019)",
    ),
);

/// Costs of 8.x.
macro_rules! rows_of_8x {
    (
        fp32: $fp32:expr, fp32_latency: $fp32_latency:expr, int: $int:expr, int_mul: $int_mul:expr, fp16: $fp16:expr,
        fp64: $fp64:expr, convert64: $convert64:expr, bit_field: $bit_field:expr, branch: $branch:expr,
        shared: $shared:expr, l1: $l1:expr, l2: $l2:literal, atomic: $atomic:literal, tensor: $tensor:expr,
        tf32: $tf32:expr, tensor_fp64: $tensor_fp64:expr, tensor_int: $tensor_int:expr
    ) => {
        [
            (
                &[OpClass::Fp32] as &[OpClass],
                fixed(PipeKind::Fp32, $fp32, $fp32_latency),
            ),
            (
                &[OpClass::IntAdd, OpClass::IntLogic],
                fixed(PipeKind::Int32, rate(4, 64, TABLE), $int),
            ),
            (
                &[
                    OpClass::IntShift,
                    OpClass::IntCompare,
                    OpClass::Fp32Compare,
                    OpClass::Vote,
                    OpClass::ConvertNarrow,
                ],
                fixed(
                    PipeKind::Int32,
                    rate(4, 64, TABLE),
                    assumed(4, "not measured by itself; taken as integer additions"),
                ),
            ),
            (
                &[OpClass::BitField],
                fixed(
                    PipeKind::Int32,
                    $bit_field,
                    assumed(4, "not measured by itself; taken as integer additions"),
                ),
            ),
            (
                &[OpClass::Move, OpClass::PredicateLogic],
                fixed(
                    PipeKind::Int32,
                    assumed(2, "no rate is listed; taken as integer logic"),
                    assumed(4, "not measured by itself; taken as integer additions"),
                ),
            ),
            (
                &[OpClass::IntMul],
                fixed(
                    PipeKind::Fp32,
                    rate(4, 64, TABLE).note("32 for extended precision; multiplications run on the FMA lanes: Nsight Compute Kernel Profiling Guide"),
                    $int_mul,
                ),
            ),
            (&[OpClass::Fp16], $fp16),
            (&[OpClass::Fp64], $fp64),
            (&[OpClass::Convert64], $convert64),
            (
                &[
                    OpClass::Mufu,
                    OpClass::Popc,
                    OpClass::BitReverse,
                    OpClass::Convert,
                ],
                scoreboard(
                    PipeKind::Xu,
                    rate(4, 16, TABLE),
                    assumed(17, "no source was obtained; as measured with ex2 on an H200, which has as many units"),
                ),
            ),
            (
                &[OpClass::SpecialRegister],
                scoreboard(
                    PipeKind::Xu,
                    assumed(8, "no rate is listed; taken as conversions"),
                    assumed(17, "taken as conversions, for its latency varies like theirs"),
                ),
            ),
            (
                &[OpClass::Branch],
                fixed(
                    PipeKind::Branch,
                    $branch,
                    assumed(
                        8,
                        "no source was found; the deciding predicate's four cycles and as many to fetch anew",
                    ),
                ),
            ),
            (
                &[OpClass::Barrier],
                scoreboard(
                    PipeKind::Adu,
                    rate(1, 16, "Programming Guide 12.6, 8.4.3"),
                    assumed(14, "no source was found; as measured with one warp on an H200, where each further warp added two cycles"),
                ),
            ),
            (
                &[OpClass::Membar],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        $l2,
                        "waits for the warp's stores to reach L2, about as long as a load from there",
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
                        "no source was found; it goes the way of a shared access, and takes as long as one",
                    ),
                ),
            ),
            (
                &[OpClass::WarpReduce],
                scoreboard(
                    PipeKind::Adu,
                    rate(1, 16, TABLE),
                    assumed(44, "not measured; as on an H100, which has the same rate"),
                ),
            ),
            (
                &[OpClass::Shared],
                scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, $shared),
            ),
            (&[OpClass::Global], scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, $l1)),
            (
                &[OpClass::Constant],
                scoreboard(
                    PipeKind::Adu,
                    assumed(
                        1,
                        "one request a clock; distinct addresses are requests of their own",
                    ),
                    CONSTANT.l1_latency_cycles,
                ),
            ),
            (
                &[OpClass::SharedAtomic],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(23, "not measured; as on an H200, whose shared memory takes as long"),
                ),
            ),
            (
                &[OpClass::GlobalAtomic],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        $atomic,
                        "not measured; a load from L2, and V100's 36 for the operation",
                    ),
                ),
            ),
            (&[OpClass::Tensor], $tensor),
            (&[OpClass::TensorTf32], $tf32),
            (&[OpClass::TensorFp64], $tensor_fp64),
            (&[OpClass::TensorInt], $tensor_int),
            (
                &[OpClass::SlowPath],
                scoreboard(
                    PipeKind::Fp32,
                    assumed(16, "a stand-in for a subroutine of some sixteen instructions"),
                    assumed(
                        64,
                        "a stand-in for a dependent chain of some sixteen instructions",
                    ),
                ),
            ),
        ]
    };
}
pub(super) use rows_of_8x;

/// One warp access a clock.
pub(super) const LSU_OCCUPANCY: Sourced<u16> =
    assumed(1, "32 load/store units as on Volta; no source was found");

static GA100_PIPES: [Pipe; 9] = [
    per_scheduler(PipeKind::Fp32, 1, vendor(16, UNITS).note("64 in four partitions")),
    INT_LANES,
    per_scheduler(PipeKind::Fp64, 1, vendor(8, UNITS).note("32 in four partitions")),
    XU_LANES,
    FP16_LANES,
    TENSOR_CORES,
    LSU_LANES,
    ADU,
    BRANCH,
];
static GA102_PIPES: [Pipe; 9] = [
    FP32_LANES_DOUBLED,
    INT_LANES_SHARED,
    FP64_LANES,
    XU_LANES,
    FP16_LANES,
    TENSOR_CORES,
    LSU_LANES,
    ADU,
    BRANCH,
];

const FP16_OCCUPANCY: Sourced<u16> = derived(
    1,
    TABLE,
    "a warp instruction makes 64 results, in pairs, at 256 a clock and SM, on four partitions",
);
const GA100_SHARED: Sourced<u16> = paper(23, A100).note("19 for a store");
const GA100_L1: Sourced<u16> = paper(33, A100).also(alts![
    ("39", "AI_kernels latencies"),
    ("68, overhead included", "MT4G")
]);
const GA100_L2: Sourced<u16> = paper(200, A100).also(alts![("210", "AI_kernels latencies"), ("221", "MT4G")]);
const GA102_SHARED: Sourced<u16> = repository(23, RTX_3060)
    .note("measured on an RTX 3060")
    .also(alts![("29", "GPGPU-Sim configuration SM86_RTX3070")]);
const GA102_L1: Sourced<u16> = repository(33, RTX_3060)
    .note("measured on an RTX 3060")
    .also(alts![("39", "GPGPU-Sim configuration SM86_RTX3070")]);

static GA100_ROWS: [(&[OpClass], OpCost); 26] = rows_of_8x!(
    fp32: rate(4, 64, TABLE),
    fp32_latency: paper(4, A100).also(alts![("2, the interval of independent ones", "Abdelkhalik et al. 2022")]),
    int: paper(4, A100),
    int_mul: paper(3, A100).note("mul.lo, dependent"),
    fp16: fixed(PipeKind::Fp16, FP16_OCCUPANCY, paper(3, A100)),
    fp64: fixed(PipeKind::Fp64, rate(4, 32, TABLE), paper(5, A100).note("add.f64, dependent")),
    convert64: scoreboard(
        PipeKind::Xu,
        rate(4, 16, TABLE),
        assumed(17, "no source was obtained; taken as special functions, which run on the same unit"),
    ),
    bit_field: assumed(2, "the table says several instructions; byte permutations are left; taken as integer logic"),
    branch: assumed(2, "no rate was found; half-width like the other lanes of a partition"),
    shared: GA100_SHARED, l1: GA100_L1, l2: 200, atomic: 236,
    tensor: scoreboard(
        PipeKind::Tensor,
        paper(8, "Abdelkhalik et al. 2022, Table III").note("HMMA.16816: 2048 multiply-adds at 256 a clock and core (A100 white paper)"),
        derived(16, "Abdelkhalik et al. 2022, Table III", "two HMMA.16816 of a 16x16x16 tile take 16 cycles; taken as the latency of one"),
    ),
    tf32: scoreboard(
        PipeKind::Tensor,
        derived(4, "A100 white paper", "HMMA.1684: 512 multiply-adds at 128 a clock and core, half the rate of halves"),
        assumed(18, "no source was obtained; as measured on an H200"),
    ),
    tensor_fp64: scoreboard(
        PipeKind::Tensor,
        derived(16, "A100 white paper", "DMMA.884: 256 multiply-adds at 64 a clock and SM"),
        assumed(26, "no source was obtained; as measured on an H200"),
    ),
    tensor_int: scoreboard(
        PipeKind::Tensor,
        derived(4, "A100 white paper", "IMMA.16816: 2048 multiply-adds at 512 a clock and core, twice the rate of halves; taken for IMMA.8832 and BMMA, too"),
        assumed(14, "no source was obtained; as measured on an H200"),
    )
);
static GA102_ROWS: [(&[OpClass], OpCost); 26] = rows_of_8x!(
    fp32: rate(4, 128, TABLE),
    fp32_latency: repository(4, "GPGPU-Sim configuration SM86_RTX3070"),
    int: assumed(4, "no source was found; as on A100 (Abdelkhalik et al. 2022)"),
    int_mul: assumed(4, "no source was found; taken as single precision, on whose lanes it runs"),
    fp16: fixed(
        PipeKind::Fp16,
        FP16_OCCUPANCY,
        assumed(4, "no source was found; taken as single precision"),
    ),
    fp64: FP64_ON_TWO_LANES, convert64: FP64_ON_TWO_LANES,
    bit_field: assumed(2, "the table says several instructions; byte permutations are left; taken as integer logic"),
    branch: assumed(1, "no rate was found; one decision a clock"),
    shared: GA102_SHARED, l1: GA102_L1, l2: 219, atomic: 255,
    tensor: scoreboard(
        PipeKind::Tensor,
        derived(16, "RTX 3090 launch articles", "HMMA.16816: 2048 multiply-adds, at 128 a clock and core"),
        assumed(32, "no source was found; two of its occupancies, as A100's"),
    ),
    tf32: scoreboard(
        PipeKind::Tensor,
        assumed(8, "no source was found; half the rate of halves, as on A100"),
        assumed(18, "no source was found; as measured on an H200"),
    ),
    tensor_fp64: scoreboard(
        PipeKind::Tensor,
        assumed(512, "no source was found; the rate of the two double-precision lanes of an SM, in 256 multiply-adds"),
        assumed(522, "no source was found; its occupancy, and ten cycles as on an H200"),
    ),
    tensor_int: scoreboard(
        PipeKind::Tensor,
        assumed(8, "no source was found; IMMA.16816 at twice the rate of halves, as on A100"),
        assumed(14, "no source was found; as measured on an H200"),
    )
);

/// Shared memory of 8.x.
pub(super) const SHARED: SharedMemory = SharedMemory {
    rule: derived(
        BankRule::WarpMulticastPairs,
        "H200, 681 accesses counted",
        "counted on 9.0, and said of 7.0 to 7.5 in NVIDIA forum 77228; taken for 8.x between them",
    ),
    extra_latency_per_pass_cycles: derived(
        2.0,
        "Jia et al. 2018, Figure 3.9",
        "measured on V100, and as much on an H200; taken for 8.x between them",
    ),
    extra_latency_once_cycles: SHARED_GV100
        .extra_latency_once_cycles
        .taken("measured on V100, and as much on an H200; taken for 8.x between them"),
    ..SHARED_GV100
};

/// What the L1s of 8.x have in common; GA100's size and latency.
pub(super) const L1_GA100: L1 = L1 {
    caches_globals_by_default: vendor(true, UNITS).note("L1 as on Volta"),
    globals_can_opt_in: vendor(true, UNITS).note("L1 as on Volta"),
    capacity: vendor(L1Capacity::Unified(192), UNITS),
    line_bytes: repository(128, "MT4G"),
    sector_bytes: repository(32, "MT4G"),
    sets: assumed(4, "as on Volta (Jia et al. 2018, Table 3.1)"),
    set_index: memory::LOW_BITS,
    hit_latency_cycles: GA100_L1,
    global_write: assumed(WritePolicy::WriteThroughAllocate, "as on Volta and Turing"),
    tags_per_cycle: assumed(4, "as on Volta (NVIDIA forum 49571)"),
    bytes_per_cycle: assumed(128, "as on Volta"),
    ..L1_GV100
};

/// What the L2s of 8.x have in common; GA100's size, rate and latency.
pub(super) const L2_GA100: L2 = L2 {
    capacity_kib: vendor(40960, "A100 white paper"),
    line_bytes: assumed(128, "as the sectored lines of Volta (NVIDIA forum 312884)"),
    sector_bytes: assumed(32, "as on Volta (NVIDIA forum 312884)"),
    ways: assumed(16, "as on Volta (Jia et al. 2018, Table 3.1)"),
    hit_latency_cycles: GA100_L2,
    bytes_per_cycle: vendor(5120, "A100 white paper"),
};

/// GA100's device memory, and all that 8.x has in common.
pub(super) const DEVICE_GA100: DeviceMemory = DeviceMemory {
    latency_cycles: paper(290, A100).also(alts![("550", "AI_kernels latencies"), ("640", "MT4G")]),
    efficiency: assumed(0.83, "as V100's 0.833 (Jia et al. 2018, 3.7)"),
    transaction_bytes: assumed(32, "as on Volta"),
    address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
    local_kib_per_thread: vendor(512, HOLDS),
    sm_port_bytes_per_cycle: memory::SM_PORT,
};

const FROM_V100: &str = "measured on V100; no measurement of 8.x was obtained";

/// The constant caches of 8.x.
pub(super) const CONSTANT: ConstantMemory = ConstantMemory {
    l1_bytes: CONSTANT_GV100.l1_bytes.taken(FROM_V100),
    l1_line_bytes: CONSTANT_GV100.l1_line_bytes.taken(FROM_V100),
    l15_bytes: CONSTANT_GV100
        .l15_bytes
        .taken("about 46 KiB, measured on T4; no measurement of 8.x was obtained"),
    l1_latency_cycles: CONSTANT_GV100.l1_latency_cycles.taken(FROM_V100),
    l15_latency_cycles: CONSTANT_GV100.l15_latency_cycles.taken(FROM_V100),
    l2_latency_cycles: CONSTANT_GV100.l2_latency_cycles.taken(FROM_V100),
    extra_per_address_cycles: CONSTANT_GV100.extra_per_address_cycles.taken(FROM_V100),
    ..CONSTANT_GV100
};

/// Atomics of 8.x.
pub(super) const ATOMICS: Atomics = Atomics {
    sector_bytes: memory::ATOMIC_SECTOR,
    shared_latency_curve: assumed(
        curve(&[(1, 4), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64)]),
        "not measured; as on an H200, whose shared memory takes as long",
    ),
    global_latency_curve: assumed(
        curve(&[(1, 36), (2, 31), (4, 32), (8, 41), (16, 58), (32, 76)]),
        "not measured; V100's (Jia et al. 2018, Table 4.2)",
    ),
    same_address_interval_cycles: assumed(2, "as V100's"),
};

/// Queues of 8.x.
pub(super) const QUEUES: Queues = Queues {
    mio_entries: assumed(8, NO_QUEUE_DATA),
    lg_entries: assumed(12, NO_QUEUE_DATA),
};

/// One request an instruction.
pub(super) const COALESCING: Sourced<CoalescingRule> = vendor(
    CoalescingRule::Sectors,
    "Programming Guide 12.6, 19.7.2",
)
.note(
    "as on 5.x and after; one request an instruction: NVIDIA forum 49571 and 312884, and counted on an H200",
);

/// How 8.x issues.
pub(super) const ISSUE: Issue = Issue {
    schedulers: vendor(4, UNITS),
    pairing: NO_PAIRS,
    dispatches: vendor(1, "A100 white paper"),
    order: ORDER_ASSUMED,
    issue_interval_cycles: vendor(1, UNITS),
    lanes_change_cycles: LANES_CHANGE,
    register_banks: REGISTER_BANKS,
    scoreboards: SCOREBOARDS,
    access_stall_cycles: NO_ACCESS_STALL,
    divergence: vendor(
        DivergenceModel::ConvergenceBarriers,
        "Programming Guide 12.6, 19.6",
    ),
};

/// How 8.0 allocates; 8.6 and 8.9 differ in sizes.
pub(super) const OCCUPANCY_GA100: OccupancyRules = OccupancyRules {
    max_warps_per_sm: vendor(64, HOLDS),
    max_blocks_per_sm: vendor(32, HOLDS),
    shared_unit_bytes: vendor(128, "cuda_occupancy.h"),
    shared_reserved_bytes: vendor(1024, UNITS),
    shared_per_sm_kib: vendor(164, HOLDS),
    shared_static_kib: vendor(48, HOLDS),
    shared_optin_kib: vendor(163, HOLDS),
    carveouts_kib: vendor(kib_list(&[0, 8, 16, 32, 64, 100, 132, 164]), UNITS)
        .note("a request is rounded up to the next size"),
    ..OCCUPANCY_GV100
};

/// How 8.6 allocates; 8.9 holds more blocks.
pub(super) const OCCUPANCY_GA102: OccupancyRules = OccupancyRules {
    max_warps_per_sm: vendor(48, HOLDS),
    max_blocks_per_sm: vendor(16, HOLDS),
    shared_per_sm_kib: vendor(100, HOLDS),
    shared_optin_kib: vendor(99, HOLDS),
    carveouts_kib: vendor(kib_list(&[0, 8, 16, 32, 64, 100]), UNITS)
        .note("a request is rounded up to the next size"),
    ..OCCUPANCY_GA100
};

/// A100's chip.
pub(super) static GA100: Architecture = Architecture {
    id: ArchId::Ga100,
    name: "Ampere GA100",
    generation: Generation::Ampere,
    compute_capability: ComputeCapability { major: 8, minor: 0 },
    year: 2020,
    chip: Chip {
        example_part: vendor("A100 SXM4 40GB", "A100 white paper"),
        num_sms: vendor(108, "A100 white paper").note("the full chip has 128"),
        sm_clock_mhz: vendor(1410, "A100 white paper").note("boost"),
        dram_bits: vendor(5120, "A100 white paper"),
        dram_gb_per_s: vendor(1555.0, "A100 white paper"),
    },
    issue: ISSUE,
    pipes: &GA100_PIPES,
    costs: costs(&GA100_ROWS),
    memory: Memory {
        shared: SHARED,
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1_GA100),
        l2: Some(L2_GA100),
        device: DEVICE_GA100,
        constant: CONSTANT,
        texture: None,
        atomics: ATOMICS,
        queues: QUEUES,
        coalescing: COALESCING,
    },
    occupancy: OCCUPANCY_GA100,
    limits: LIMITS,
};

/// `GeForce` RTX 3090's chip.
pub(super) static GA102: Architecture = Architecture {
    id: ArchId::Ga102,
    name: "Ampere GA102",
    generation: Generation::Ampere,
    compute_capability: ComputeCapability { major: 8, minor: 6 },
    year: 2020,
    chip: Chip {
        example_part: web("GeForce RTX 3090", "RTX 3090 launch articles")
            .note("latencies are those of an RTX 3060 of the same capability"),
        num_sms: web(82, "RTX 3090 launch articles")
            .also(alts![("46 (RTX 3070)", "GPGPU-Sim configuration SM86_RTX3070")]),
        sm_clock_mhz: web(1695, "RTX 3090 launch articles").note("boost"),
        dram_bits: web(384, "RTX 3090 launch articles"),
        dram_gb_per_s: web(936.0, "RTX 3090 launch articles"),
    },
    issue: Issue {
        pairing: NO_PAIRS,
        dispatches: assumed(1, "as on A100 (A100 white paper)"),
        ..ISSUE
    },
    pipes: &GA102_PIPES,
    costs: costs(&GA102_ROWS),
    memory: Memory {
        shared: SHARED,
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1 {
            capacity: vendor(L1Capacity::Unified(128), UNITS),
            hit_latency_cycles: GA102_L1,
            ..L1_GA100
        }),
        l2: Some(L2 {
            capacity_kib: web(6144, "RTX 3090 launch articles"),
            hit_latency_cycles: repository(219, RTX_3060).note("measured on an RTX 3060"),
            bytes_per_cycle: assumed(
                1536,
                "as V100's 2048 (A100 white paper), 64 bytes for each of 24 slices; no source was found",
            ),
            ..L2_GA100
        }),
        device: DeviceMemory {
            latency_cycles: repository(515, RTX_3060).note("measured on an RTX 3060"),
            ..DEVICE_GA100
        },
        constant: CONSTANT,
        texture: None,
        atomics: ATOMICS,
        queues: QUEUES,
        coalescing: COALESCING,
    },
    occupancy: OCCUPANCY_GA102,
    limits: LIMITS,
};
