//! Ampere: GA100 (8.0) and GA102 (8.6). Volta's SM with tensor cores four times as fast and a larger L1.
//! 8.6 adds a second path of single-precision lanes, and has fewer warps and only two double-precision lanes.

use super::host::{BANDWIDTHS, LATENCIES, LINK};
use super::sourced::{alts, assumed, derived, paper, repository, vendor, web};
use super::volta::LIMITS;
use super::volta::{ADU, BRANCH, CONSTANT_GV100, L1_GV100, NO_QUEUE_DATA, OCCUPANCY_GV100, SHARED_GV100};
use super::{
    ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability, ConstantMemory,
    DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, L1, L1Capacity, L2, LANES_CHANGE,
    Mechanisms, Memory, NO_ACCESS_STALL, NO_LAUNCH_DATE, NO_PAIRS, NvLink, ORDER_ASSUMED, OccupancyRules,
    OpClass, OpCost, Pipe, PipeKind, Queues, REGISTER_BANKS, SCOREBOARDS, SharedMemory, Sourced, WritePolicy,
    costs, curve, fixed, kib_list, memory, per_scheduler, per_sm, rate, scoreboard,
};

/// The source of throughputs on 8.x.
pub(super) const TABLE: &str = "Programming Guide 12.6, Table 4";
/// The source of units, L1, and shared memory on 8.x.
pub(super) const UNITS: &str = "Programming Guide 12.6, 19.7";
/// The source of the occupancy limits of 8.x.
pub(super) const HOLDS: &str = "Programming Guide 12.6, Table 21";
const A100: &str = "Abdelkhalik et al. 2022";
const RTX_3060: &str = "AmpereArchViaMicroBenchMark";

/// The 32 load/store units of 8.x.
pub(super) const LSU_LANES: Pipe = per_sm(
    PipeKind::Lsu,
    1,
    assumed(
        32,
        "no source found; assumed equal to Volta: 32 banks deliver one word to each lane per clock",
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
/// The integer lanes of 8.6 and 8.9, which also run single precision.
pub(super) const INT_LANES_SHARED: Pipe = per_scheduler(
    PipeKind::Int32,
    1,
    vendor(16, UNITS)
        .note("64 in four partitions; half the single-precision lanes are the same hardware. No rate shows this, because a scheduler issues one instruction per clock to either"),
);
/// The single-precision lanes of 8.6 and 8.9.
pub(super) const FP32_LANES_DOUBLED: Pipe = per_scheduler(
    PipeKind::Fp32,
    1,
    vendor(32, UNITS).note("128 in four partitions, on two paths of 16 lanes"),
);
/// The two double-precision lanes of 8.6 and 8.9.
pub(super) const FP64_LANES: Pipe =
    per_sm(PipeKind::Fp64, 1, derived(2, TABLE, "2 results per clock per SM"));
/// Packed half-precision lanes for 256 results per clock per SM.
const FP16_LANES: Pipe = per_scheduler(
    PipeKind::Fp16,
    1,
    derived(
        32,
        TABLE,
        "256 results per clock per SM: 32 pairs for each of four partitions",
    ),
);
/// The cost of double precision on two lanes.
pub(super) const FP64_ON_TWO_LANES: OpCost = scoreboard(
    PipeKind::Fp64,
    rate(1, 2, TABLE),
    assumed(
        48,
        "no source found; assumed equal to Turing, which has as many lanes (Jia et al. 2019)",
    ),
);

/// Returns the costs of 8.x.
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
                    assumed(4, "not measured separately; assumed equal to integer additions"),
                ),
            ),
            (
                &[OpClass::BitField],
                fixed(
                    PipeKind::Int32,
                    $bit_field,
                    assumed(4, "not measured separately; assumed equal to integer additions"),
                ),
            ),
            (
                &[OpClass::Move, OpClass::PredicateLogic],
                fixed(
                    PipeKind::Int32,
                    assumed(2, "no rate is listed; assumed equal to integer logic"),
                    assumed(4, "not measured separately; assumed equal to integer additions"),
                ),
            ),
            (
                &[OpClass::IntMul],
                fixed(
                    PipeKind::Fp32,
                    rate(4, 64, TABLE).note("32 for extended precision; multiplications run on the FMA lanes (Nsight Compute Kernel Profiling Guide)"),
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
                    assumed(17, "no source found; assumed equal to ex2 measured on an H200, which has as many units"),
                ),
            ),
            (
                &[OpClass::SpecialRegister],
                scoreboard(
                    PipeKind::Xu,
                    assumed(8, "no rate is listed; assumed equal to conversions"),
                    assumed(17, "assumed equal to a conversion, whose latency varies too"),
                ),
            ),
            (
                &[OpClass::Branch],
                fixed(
                    PipeKind::Branch,
                    $branch,
                    assumed(
                        8,
                        "no source found; assumed four cycles for the predicate and four to refetch",
                    ),
                ),
            ),
            (
                &[OpClass::Barrier],
                scoreboard(
                    PipeKind::Adu,
                    rate(1, 16, "Programming Guide 12.6, 8.4.3"),
                    assumed(14, "no source found; assumed equal to the H200 measurement with one warp, where each further warp added two cycles"),
                ),
            ),
            (
                &[OpClass::Membar],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        $l2,
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
                        "one request per clock; each distinct address is a separate request",
                    ),
                    CONSTANT.l1_latency_cycles,
                ),
            ),
            (
                &[OpClass::SharedAtomic],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(23, "not measured; assumed equal to an H200, whose shared memory has the same latency"),
                ),
            ),
            (
                &[OpClass::GlobalAtomic],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        $atomic,
                        "not measured; assumed a load from L2 plus V100's 36 for the operation",
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
                    assumed(16, "approximates a subroutine of about sixteen instructions"),
                    assumed(
                        64,
                        "approximates a dependent chain of about sixteen instructions",
                    ),
                ),
            ),
        ]
    };
}
pub(super) use rows_of_8x;

/// One warp access per clock.
pub(super) const LSU_OCCUPANCY: Sourced<u16> =
    assumed(1, "no source found; assumed 32 load/store units, as on Volta");

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
    "a warp instruction produces 64 results, in pairs, at 256 per clock per SM, on four partitions",
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
    fp32_latency: paper(4, A100).also(alts![("2, the interval of independent instructions", "Abdelkhalik et al. 2022")]),
    int: paper(4, A100),
    int_mul: paper(3, A100).note("mul.lo, dependent"),
    fp16: fixed(PipeKind::Fp16, FP16_OCCUPANCY, paper(3, A100)),
    fp64: fixed(PipeKind::Fp64, rate(4, 32, TABLE), paper(5, A100).note("add.f64, dependent")),
    convert64: scoreboard(
        PipeKind::Xu,
        rate(4, 16, TABLE),
        assumed(17, "no source found; assumed equal to special functions, which run on the same unit"),
    ),
    bit_field: assumed(2, "the table says several instructions for bit fields, so the class covers byte permutations; assumed equal to integer logic"),
    branch: assumed(2, "no rate found; assumed half-width like the other lanes of a partition"),
    shared: GA100_SHARED, l1: GA100_L1, l2: 200, atomic: 236,
    tensor: scoreboard(
        PipeKind::Tensor,
        paper(8, "Abdelkhalik et al. 2022, Table III").note("HMMA.16816: 2048 multiply-adds at 256 per clock per core (A100 white paper)"),
        derived(16, "Abdelkhalik et al. 2022, Table III", "two HMMA.16816 of a 16x16x16 tile take 16 cycles; used as the latency of one"),
    ),
    tf32: scoreboard(
        PipeKind::Tensor,
        derived(4, "A100 white paper", "HMMA.1684: 512 multiply-adds at 128 per clock per core, half the half-precision rate"),
        assumed(18, "no source found; assumed equal to the H200 measurement"),
    ),
    tensor_fp64: scoreboard(
        PipeKind::Tensor,
        derived(16, "A100 white paper", "DMMA.884: 256 multiply-adds at 64 per clock per SM"),
        assumed(26, "no source found; assumed equal to the H200 measurement"),
    ),
    tensor_int: scoreboard(
        PipeKind::Tensor,
        derived(4, "A100 white paper", "IMMA.16816: 2048 multiply-adds at 512 per clock per core, twice the half-precision rate; applied to IMMA.8832 and BMMA too"),
        assumed(14, "no source found; assumed equal to the H200 measurement"),
    )
);
static GA102_ROWS: [(&[OpClass], OpCost); 26] = rows_of_8x!(
    fp32: rate(4, 128, TABLE),
    fp32_latency: repository(4, "GPGPU-Sim configuration SM86_RTX3070"),
    int: assumed(4, "no source found; assumed equal to A100 (Abdelkhalik et al. 2022)"),
    int_mul: assumed(4, "no source found; assumed equal to single precision, which runs on the same lanes"),
    fp16: fixed(
        PipeKind::Fp16,
        FP16_OCCUPANCY,
        assumed(4, "no source found; assumed equal to single precision"),
    ),
    fp64: FP64_ON_TWO_LANES, convert64: FP64_ON_TWO_LANES,
    bit_field: assumed(2, "the table says several instructions for bit fields, so the class covers byte permutations; assumed equal to integer logic"),
    branch: assumed(1, "no rate found; assumed one decision per clock"),
    shared: GA102_SHARED, l1: GA102_L1, l2: 219, atomic: 255,
    tensor: scoreboard(
        PipeKind::Tensor,
        derived(16, "RTX 3090 launch articles", "HMMA.16816: 2048 multiply-adds at 128 per clock per core"),
        assumed(32, "no source found; assumed twice its occupancy, as on A100"),
    ),
    tf32: scoreboard(
        PipeKind::Tensor,
        assumed(8, "no source found; assumed half the half-precision rate, as on A100"),
        assumed(18, "no source found; assumed equal to the H200 measurement"),
    ),
    tensor_fp64: scoreboard(
        PipeKind::Tensor,
        assumed(512, "no source found; assumed 256 multiply-adds at the rate of the SM's two double-precision lanes"),
        assumed(522, "no source found; assumed its occupancy plus ten cycles, as on an H200"),
    ),
    tensor_int: scoreboard(
        PipeKind::Tensor,
        assumed(8, "no source found; assumed IMMA.16816 at twice the half-precision rate, as on A100"),
        assumed(14, "no source found; assumed equal to the H200 measurement"),
    )
);

/// Shared memory of 8.x.
pub(super) const SHARED: SharedMemory = SharedMemory {
    rule: derived(
        BankRule::WarpMulticastPairs,
        "H200, 681 accesses counted",
        "counted on 9.0, and documented for 7.0 to 7.5 in NVIDIA forum 77228; assumed for 8.x",
    ),
    extra_latency_per_pass_cycles: derived(
        2.0,
        "Jia et al. 2018, Figure 3.9",
        "measured on V100, and equal on an H200; applied to 8.x",
    ),
    extra_latency_once_cycles: SHARED_GV100
        .extra_latency_once_cycles
        .from_other_chip("measured on V100, and equal on an H200; applied to 8.x"),
    ..SHARED_GV100
};

/// The L1 of 8.x, with the capacity and latency of GA100.
pub(super) const L1_GA100: L1 = L1 {
    caches_globals_by_default: vendor(true, UNITS).note("L1 as on Volta"),
    globals_can_opt_in: vendor(true, UNITS).note("L1 as on Volta"),
    capacity: vendor(L1Capacity::Unified(192), UNITS),
    line_bytes: repository(128, "MT4G"),
    sector_bytes: repository(32, "MT4G"),
    sets: assumed(4, "assumed equal to Volta (Jia et al. 2018, Table 3.1)"),
    set_index: memory::LOW_BITS,
    hit_latency_cycles: GA100_L1,
    global_write: assumed(
        WritePolicy::WriteThroughAllocate,
        "assumed equal to Volta and Turing",
    ),
    tags_per_cycle: assumed(4, "assumed equal to Volta (NVIDIA forum 49571)"),
    bytes_per_cycle: assumed(128, "assumed equal to Volta"),
    ..L1_GV100
};

/// The L2 of 8.x, with the capacity, rate, and latency of GA100.
pub(super) const L2_GA100: L2 = L2 {
    capacity_kib: vendor(40960, "A100 white paper"),
    line_bytes: assumed(
        128,
        "assumed equal to Volta's sectored lines (NVIDIA forum 312884)",
    ),
    sector_bytes: assumed(32, "assumed equal to Volta (NVIDIA forum 312884)"),
    ways: assumed(16, "assumed equal to Volta (Jia et al. 2018, Table 3.1)"),
    hit_latency_cycles: GA100_L2,
    bytes_per_cycle: vendor(5120, "A100 white paper"),
};

/// The device memory of GA100, the base for all of 8.x.
pub(super) const DEVICE_GA100: DeviceMemory = DeviceMemory {
    latency_cycles: paper(290, A100).also(alts![("550", "AI_kernels latencies"), ("640", "MT4G")]),
    efficiency: assumed(0.83, "assumed equal to V100's 0.833 (Jia et al. 2018, 3.7)").also(alts![
        (
            "0.850: copies at 1,322.5 of 1,555 GB/s (A100)",
            "ReFrame reference values of CSCS, memory bandwidth"
        ),
        (
            "0.832: copies at 778.8 of 936 GB/s (RTX 3090)",
            "bandwidthTest outputs, RTX 3090"
        )
    ]),
    transaction_bytes: assumed(32, "assumed equal to Volta"),
    address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
    local_kib_per_thread: vendor(512, HOLDS),
    sm_port_bytes_per_cycle: memory::SM_PORT,
};

const FROM_V100: &str = "measured on V100, applied to 8.x; no measurement of 8.x found";

/// The constant caches of 8.x.
pub(super) const CONSTANT: ConstantMemory = ConstantMemory {
    l1_bytes: CONSTANT_GV100.l1_bytes.from_other_chip(FROM_V100),
    l1_line_bytes: CONSTANT_GV100.l1_line_bytes.from_other_chip(FROM_V100),
    l15_bytes: CONSTANT_GV100
        .l15_bytes
        .from_other_chip("about 46 KB, measured on a T4; no measurement of 8.x found"),
    l1_latency_cycles: CONSTANT_GV100.l1_latency_cycles.from_other_chip(FROM_V100),
    l15_latency_cycles: CONSTANT_GV100.l15_latency_cycles.from_other_chip(FROM_V100),
    l2_latency_cycles: CONSTANT_GV100.l2_latency_cycles.from_other_chip(FROM_V100),
    extra_per_address_cycles: CONSTANT_GV100.extra_per_address_cycles.from_other_chip(FROM_V100),
    ..CONSTANT_GV100
};

/// Atomics of 8.x.
pub(super) const ATOMICS: Atomics = Atomics {
    sector_bytes: memory::ATOMIC_SECTOR,
    shared_latency_curve: assumed(
        curve(&[(1, 4), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64)]),
        "not measured; assumed equal to an H200, whose shared memory has the same latency",
    ),
    global_latency_curve: assumed(
        curve(&[(1, 36), (2, 31), (4, 32), (8, 41), (16, 58), (32, 76)]),
        "not measured; assumed equal to V100 (Jia et al. 2018, Table 4.2)",
    ),
    same_address_interval_cycles: assumed(2, "assumed equal to V100"),
};

/// Queues of 8.x.
pub(super) const QUEUES: Queues = Queues {
    mio_entries: assumed(8, NO_QUEUE_DATA),
    lg_entries: assumed(12, NO_QUEUE_DATA),
};

/// One request per instruction.
pub(super) const COALESCING: Sourced<CoalescingRule> = vendor(
    CoalescingRule::Sectors,
    "Programming Guide 12.6, 19.7.2",
)
.note("as on 5.x and later; one request per instruction (NVIDIA forum 49571 and 312884; counted on an H200)");

/// Schedulers and instruction issue of 8.x.
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

/// The occupancy limits of 8.0; 8.6 and 8.9 differ in sizes.
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

/// The occupancy limits of 8.6; 8.9 holds more blocks.
pub(super) const OCCUPANCY_GA102: OccupancyRules = OccupancyRules {
    max_warps_per_sm: vendor(48, HOLDS),
    max_blocks_per_sm: vendor(16, HOLDS),
    shared_per_sm_kib: vendor(100, HOLDS),
    shared_optin_kib: vendor(99, HOLDS),
    carveouts_kib: vendor(kib_list(&[0, 8, 16, 32, 64, 100]), UNITS)
        .note("a request is rounded up to the next size"),
    ..OCCUPANCY_GA100
};

/// GA100, the chip of the A100.
pub(super) static GA100: Architecture = Architecture {
    id: ArchId::Ga100,
    mechanisms: Mechanisms::COPIES,
    name: "Ampere GA100",
    generation: Generation::Ampere,
    compute_capability: ComputeCapability { major: 8, minor: 0 },
    year: assumed(2020, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
        derived(
            &[16, 16, 16, 16, 16, 14, 14],
            "A100 white paper, page 19",
            "seven GPCs of seven or eight TPCs, 108 SMs; their order is assumed",
        ),
        vendor(2, "A100 white paper"),
    ),
    memory_stacks: None,
    host: Host {
        launch_call_ns: repository(2700, LATENCIES),
        launch_and_wait_ns: repository(9650, LATENCIES),
        pageable_gb_per_s: repository(10.0, "bandwidthTest outputs, DGX A100"),
        nvlink: Some(NvLink {
            has_switch: true,
            ..NvLink::of(
                vendor(12, "A100 white paper"),
                vendor(25.0, "A100 white paper"),
                repository(0.94, BANDWIDTHS).note("282 GB/s"),
            )
        }),
        ..Host::of(
            800,
            web(3, "deviceQuery outputs, A100 SXM4"),
            vendor(31.5, "A100 white paper"),
            Some(repository(25.5, BANDWIDTHS)),
        )
    },
    chip: Chip {
        example_part: vendor("A100 SXM4 40GB", "A100 white paper"),
        num_sms: vendor(108, "A100 white paper").note("the full chip has 128"),
        sm_clock_mhz: vendor(1410, "A100 white paper").note("boost clock"),
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

/// GA102, the chip of the `GeForce` RTX 3090.
pub(super) static GA102: Architecture = Architecture {
    id: ArchId::Ga102,
    mechanisms: Mechanisms::COPIES,
    name: "Ampere GA102",
    generation: Generation::Ampere,
    compute_capability: ComputeCapability { major: 8, minor: 6 },
    year: assumed(2020, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
        derived(
            &[12, 12, 12, 12, 12, 12, 10],
            "igor'sLAB, RTX 3000 technical details",
            "seven GPCs of 12 SMs, 82 SMs; which GPC has fewer is assumed",
        ),
        web(2, "igor'sLAB, RTX 3000 technical details"),
    ),
    memory_stacks: None,
    host: Host {
        nvlink: Some(NvLink::of(
            web(4, "GA102 white paper, quotation"),
            web(14.0625, "GA102 white paper, quotation"),
            assumed(0.94, "as on GA100"),
        )),
        ..Host::of(
            860,
            web(2, "deviceQuery outputs, RTX 3090"),
            assumed(31.5, LINK),
            Some(assumed(25.5, "as on the A100, which has the same PCIe link")),
        )
    },
    chip: Chip {
        example_part: web("GeForce RTX 3090", "RTX 3090 launch articles")
            .note("latencies are those of an RTX 3060, which has the same compute capability"),
        num_sms: web(82, "RTX 3090 launch articles")
            .also(alts![("46 (RTX 3070)", "GPGPU-Sim configuration SM86_RTX3070")]),
        sm_clock_mhz: web(1695, "RTX 3090 launch articles").note("boost clock"),
        dram_bits: web(384, "RTX 3090 launch articles"),
        dram_gb_per_s: web(936.0, "RTX 3090 launch articles"),
    },
    issue: Issue {
        pairing: NO_PAIRS,
        dispatches: assumed(1, "assumed equal to A100 (A100 white paper)"),
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
                "no source found; assumed 64 bytes for each of 24 slices, as in V100's 2048 (A100 white paper)",
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
