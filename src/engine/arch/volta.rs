//! Volta: GV100 (7.0). Four partitions of 16 single-precision and 16 integer lanes, dependent
//! arithmetic after four cycles, a program counter per lane, and a unified L1 and shared memory.

use super::host::{BANDWIDTHS, LATENCIES, LINK_GEN3};
use super::pascal::{CONSTANT_GP100, LIMITS as PASCAL_LIMITS, OCCUPANCY_GP100};
use super::sourced::{alts, assumed, derived, measured, paper, repository, vendor, web};
use super::{
    ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability, ConstantMemory,
    DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, L1, L1Capacity, L2, LANES_CHANGE,
    LaunchLimits, Mechanisms, Memory, MemoryStacks, NO_ACCESS_STALL, NO_LAUNCH_DATE, NO_PAIRS, NvLink,
    ORDER_ASSUMED, OccupancyRules, OpClass, OpCost, Pipe, PipeKind, Queues, SCOREBOARDS, SharedMemory,
    Sourced, WIDE_REGISTER_BANKS, WritePolicy, costs, curve, fixed, kib_list, memory, per_scheduler, per_sm,
    rate, scoreboard,
};

const TABLE: &str = "Programming Guide 12.6, Table 4";
const JIA: &str = "Jia et al. 2018, Table 4.1";
const PIPES_GUIDE: &str = "Nsight Compute Kernel Profiling Guide, Pipelines";
pub(super) const NO_QUEUE_DATA: &str = "no source documents the depth; assumed large enough that one warp cannot fill the queue and small enough that many warps can";

const LSU_OCCUPANCY: Sourced<u16> =
    derived(1, "Jia et al. 2018", "32 lanes over the SM's 32 load/store units");
const SHARED_LATENCY: Sourced<u16> = paper(19, "Jia et al. 2018, Table 3.1").also(alts![
    ("27.0", "Accel-Sim measurements (TITAN V)"),
    ("23.5", "MT4G"),
    ("20", "GPGPU-Sim configuration SM7_QV100")
]);
const L1_LATENCY: Sourced<u16> = paper(28, "Jia et al. 2018, Table 3.1").also(alts![
    ("33.7", "Accel-Sim measurements (TITAN V)"),
    ("30.1", "MT4G"),
    ("36", "AI_kernels latencies")
]);
const L2_LATENCY: Sourced<u16> = paper(193, "Jia et al. 2018, Table 3.1").also(alts![
    ("211", "Accel-Sim measurements (TITAN V)"),
    ("214", "MT4G"),
    ("221", "AI_kernels latencies")
]);
const CONSTANT_LATENCY: Sourced<u16> = paper(27, "Jia et al. 2018, Table 3.1");

/// The branch unit of Volta and later chips.
pub(super) const BRANCH: Pipe = per_scheduler(
    PipeKind::Branch,
    1,
    assumed(32, "no source found; assumed one decision per warp"),
);
/// The address divergence unit of Volta and later chips, for barriers and constant loads.
pub(super) const ADU: Pipe = per_sm(
    PipeKind::Adu,
    1,
    assumed(
        16,
        "assumed equal to the barrier throughput per clock (Programming Guide 12.6, 8.4.3)",
    ),
);

/// The launch limits of Volta and later chips.
pub(super) const LIMITS: LaunchLimits = LaunchLimits {
    max_parameter_bytes: vendor(32_764, "Programming Guide 12.6, 17.5.10.3")
        .note("CUDA 12.1 and later; nvcc 13.0 refuses 32,765 bytes")
        .also(alts![("4,096 bytes", "Programming Guide 10.1, F.3.9.3")]),
    ..PASCAL_LIMITS
};

static PIPES: [Pipe; 9] = [
    per_scheduler(
        PipeKind::Fp32,
        1,
        vendor(16, "Volta Tuning Guide 4.1.1").note("64 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Int32,
        1,
        vendor(16, "Volta Tuning Guide 4.1.1").note("64 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Fp64,
        1,
        vendor(8, "Volta Tuning Guide 4.1.1").note("32 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Xu,
        1,
        vendor(4, "Programming Guide 10.1, H.6.1").note("16 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Fp16,
        1,
        derived(
            16,
            TABLE,
            "128 results per clock per SM: 16 pairs for each of four partitions",
        ),
    ),
    per_scheduler(
        PipeKind::Tensor,
        1,
        vendor(2, "Volta Tuning Guide 4.1.1").note("8 cores in four partitions"),
    ),
    per_sm(
        PipeKind::Lsu,
        1,
        paper(32, "Jia et al. 2018").note("8 for each of four partitions"),
    ),
    ADU,
    BRANCH,
];

static ROWS: [(&[OpClass], OpCost); 26] = [
    (
        &[OpClass::Fp32],
        fixed(
            PipeKind::Fp32,
            rate(4, 64, TABLE),
            vendor(4, "Volta Tuning Guide 4.1.1").also(alts![
                ("4", "Jia et al. 2018, Table 4.1"),
                ("4.13", "Accel-Sim measurements (TITAN V)"),
                ("4.04", "GPU-Project microbenchmarks (TITAN V)")
            ]),
        ),
    ),
    (
        &[OpClass::IntAdd, OpClass::IntLogic, OpClass::IntShift],
        fixed(
            PipeKind::Int32,
            rate(4, 64, TABLE),
            paper(4, JIA).also(alts![("4.35", "Accel-Sim measurements (TITAN V)")]),
        ),
    ),
    (
        &[OpClass::IntCompare, OpClass::Fp32Compare],
        fixed(
            PipeKind::Int32,
            rate(4, 64, TABLE).note("integer and floating-point comparisons both run on the integer lanes (Nsight Compute Kernel Profiling Guide)"),
            assumed(4, "not in the tables that were read; assumed equal to integer arithmetic"),
        ),
    ),
    (
        &[OpClass::BitField, OpClass::Move, OpClass::PredicateLogic],
        fixed(
            PipeKind::Int32,
            assumed(2, "no rate is listed; assumed equal to integer logic. Bit-field operations take several instructions, so the class covers byte permutations"),
            assumed(4, "not measured separately; assumed equal to integer logic"),
        ),
    ),
    (
        &[OpClass::Vote],
        fixed(
            PipeKind::Int32,
            rate(4, 64, TABLE),
            assumed(4, "not measured separately; assumed equal to integer logic"),
        ),
    ),
    (
        &[OpClass::ConvertNarrow],
        fixed(
            PipeKind::Int32,
            rate(4, 64, TABLE).also(alts![("16 results per clock per SM", "Programming Guide 10.1, Table 2")]),
            assumed(4, "not measured separately; assumed equal to integer logic, which has the same rate"),
        ),
    ),
    (
        &[OpClass::IntMul],
        fixed(
            PipeKind::Fp32,
            rate(4, 64, TABLE)
                .note("32 for extended precision; multiplications run on the FMA lanes (Nsight Compute Kernel Profiling Guide)"),
            paper(5, JIA),
        ),
    ),
    (
        &[OpClass::Fp16],
        fixed(
            PipeKind::Fp16,
            derived(2, TABLE, "a warp instruction produces 64 results, in pairs, at 128 per clock per SM, on four partitions"),
            paper(6, JIA).also(alts![("6.18", "Accel-Sim measurements (TITAN V)")]),
        ),
    ),
    (
        &[OpClass::Fp64],
        fixed(
            PipeKind::Fp64,
            rate(4, 32, TABLE),
            paper(8, JIA).also(alts![("8.07", "Accel-Sim measurements (TITAN V)")]),
        ),
    ),
    (&[OpClass::Popc], scoreboard(PipeKind::Xu, rate(4, 16, TABLE), paper(10, JIA))),
    (
        &[OpClass::BitReverse],
        scoreboard(
            PipeKind::Xu,
            rate(4, 16, TABLE).also(alts![("several instructions", "Programming Guide 10.1, Table 2")]),
            paper(14, JIA),
        ),
    ),
    (
        &[OpClass::Mufu],
        scoreboard(
            PipeKind::Xu,
            rate(4, 16, TABLE).also(alts![("15.98 results per clock per SM", "Accel-Sim measurements (TITAN V)")]),
            paper(14, JIA),
        ),
    ),
    (
        &[OpClass::Convert, OpClass::Convert64],
        scoreboard(
            PipeKind::Xu,
            rate(4, 16, TABLE),
            assumed(14, "not measured separately; assumed equal to special functions, which run on the same unit"),
        ),
    ),
    (
        &[OpClass::SpecialRegister],
        scoreboard(
            PipeKind::Xu,
            assumed(8, "no rate is listed; assumed equal to conversions"),
            assumed(14, "assumed equal to a conversion, whose latency varies too"),
        ),
    ),
    (
        &[OpClass::Branch],
        fixed(
            PipeKind::Branch,
            assumed(2, "no rate found; assumed half-width like the other lanes of a partition"),
            assumed(8, "no source found; assumed four cycles for the predicate and four to refetch"),
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
            assumed(193, "waits for the warp's stores to reach L2, assumed to take as long as a load from L2"),
        ),
    ),
    (
        &[OpClass::Shuffle],
        scoreboard(
            PipeKind::Lsu,
            rate(1, 32, TABLE),
            assumed(19, "no source found; assumed equal to a shared-memory access, which takes the same path"),
        ),
    ),
    (&[OpClass::Shared], scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, SHARED_LATENCY)),
    (&[OpClass::Global], scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, L1_LATENCY)),
    (
        &[OpClass::Constant],
        scoreboard(
            PipeKind::Adu,
            derived(1, PIPES_GUIDE, "one request per clock; each distinct address is a separate request"),
            CONSTANT_LATENCY,
        ),
    ),
    (
        &[OpClass::SharedAtomic],
        scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, derived(SHARED_LATENCY.value, "Jia et al. 2018, Table 3.1", memory::OLD_VALUE)),
    ),
    (
        &[OpClass::GlobalAtomic],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            derived(229, "Jia et al. 2018, Tables 3.1 and 4.2", "193 for the round trip to L2, and 36 for the operation")
                .also(alts![("243.6, round trip", "Accel-Sim measurements (TITAN V)")]),
        ),
    ),
    (
        &[OpClass::Tensor],
        scoreboard(
            PipeKind::Tensor,
            derived(2, "V100 white paper", "each of the 16 HMMA of a 16x16x16 tile takes 256 multiply-adds, at 128 per clock per partition"),
            derived(5, "Accel-Sim measurements", "35.3 cycles per tile, less 15 instructions of two cycles"),
        ),
    ),
    (
        &[OpClass::TensorStepHalf],
        scoreboard(
            PipeKind::Tensor,
            derived(4, "V100 white paper", "each of the 8 HMMA of a 16x16x16 tile takes 512 multiply-adds, at 128 per clock per partition"),
            derived(5, "Accel-Sim measurements", "33.0 cycles per tile, less 7 instructions of four cycles"),
        ),
    ),
    (
        &[OpClass::SlowPath],
        scoreboard(
            PipeKind::Fp32,
            assumed(32, "approximates a subroutine of about sixteen instructions"),
            assumed(64, "approximates a dependent chain of about sixteen instructions"),
        ),
    ),
];

/// GV100's L1. Turing's L1 differs in capacity, rate, and latency.
pub(super) const L1_GV100: L1 = L1 {
    caches_globals_by_default: paper(true, "Jia et al. 2018, 3.2"),
    globals_can_opt_in: paper(true, "Jia et al. 2018, 3.2"),
    globals_can_opt_out: assumed(
        true,
        "-dlcm=cg requests it; no document says that the hardware ignores the request",
    ),
    caches_locals: vendor(true, "Programming Guide 12.6, 8.3.2"),
    capacity: vendor(L1Capacity::Unified(128), "Volta Tuning Guide 4.3.2"),
    line_bytes: web(128, "NVIDIA forum 49571"),
    sector_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
    sets: paper(4, "Jia et al. 2018, Table 3.1"),
    set_index: memory::LOW_BITS,
    hit_latency_cycles: L1_LATENCY,
    global_write: repository(
        WritePolicy::WriteThroughAllocate,
        "GPGPU-Sim configuration SM7_QV100",
    )
    .note("the Turing Tuning Guide 1.4.3.1 describes write-through with cached writes as 'like Volta'"),
    local_write: assumed(WritePolicy::WriteThroughAllocate, "as for global stores"),
    tags_per_cycle: web(4, "NVIDIA forum 49571"),
    bytes_per_cycle: paper(128, "Jia et al. 2018, 3.2")
        .note("the width of the datapath; 108.3 was measured")
        .also(alts![("116 to 123", "Accel-Sim measurements (TITAN V)")]),
    miss_entries: assumed(
        256,
        "no source documents the number of entries; assumed enough to hide L2's latency at one sector per clock",
    ),
};

/// GV100's constant caches.
pub(super) const CONSTANT_GV100: ConstantMemory = ConstantMemory {
    capacity_kib: vendor(64, "Programming Guide 12.6, Table 21"),
    l1_bytes: paper(2048, "Jia et al. 2018, Table 3.1")
        .also(alts![("8 KB", "Programming Guide 12.6, Table 21")]),
    l1_line_bytes: paper(64, "Jia et al. 2018, Table 3.1"),
    l15_bytes: derived(
        47104,
        "Jia et al. 2019",
        "about 46 KB, measured on a T4, applied to Volta",
    ),
    l15_line_bytes: derived(256, "Jia et al. 2019", "measured on T4, taken for Volta"),
    ways: memory::CONSTANT_WAYS,
    l3_bytes: memory::NO_L3,
    l3_line_bytes: memory::NO_L3_LINE,
    l3_ways: memory::NO_L3_WAYS,
    fill_cycles: CONSTANT_GP100.fill_cycles,
    l1_latency_cycles: CONSTANT_LATENCY,
    l15_latency_cycles: paper(89, "Jia et al. 2018, Table 3.1"),
    l2_latency_cycles: paper(245, "Jia et al. 2018, Table 3.1"),
    extra_per_address_cycles: paper(11, "Jia et al. 2018, Figure 3.7"),
};

/// GV100's shared memory.
pub(super) const SHARED_GV100: SharedMemory = SharedMemory {
    banks: vendor(32, "Programming Guide 12.6, Table 21"),
    bank_width_bytes: vendor(4, "Programming Guide 10.1, H.4.3"),
    rule: measured(BankRule::WarpMulticastPairs, "H200, 681 accesses counted")
        .note("neighboring lanes with equal addresses merge on 7.0 to 7.5 (NVIDIA forum 77228); 32-bit accesses: Programming Guide 10.1, H.4.3"),
    pass_interval_cycles: vendor(1, "Programming Guide 10.1, H.4.3")
        .note("32 bits per bank per clock; 126.5 to 128 bytes per clock measured on a TITAN V (Accel-Sim measurements)"),
    extra_latency_per_pass_cycles: paper(2.0, "Jia et al. 2018, Figure 3.9")
        .note("V100: 19, 21, 25, 33, 49, 81 cycles for 1, 2, 4, 8, 16, 32 ways"),
    extra_latency_once_cycles: paper(0, "Jia et al. 2018, Figure 3.9")
        .note("V100: the second pass costs two cycles, as every further pass does"),
};

/// The occupancy limits of Volta and later chips.
pub(super) const OCCUPANCY_GV100: OccupancyRules = OccupancyRules {
    max_registers_per_thread: vendor(255, "Programming Guide 10.1, Table 14")
        .also(alts![("256 is accepted by its arithmetic", "cuda_occupancy.h")]),
    register_partitions: vendor(4, "cuda_occupancy.h"),
    warp_granularity: vendor(4, "cuda_occupancy.h"),
    shared_per_sm_kib: vendor(96, "Programming Guide 10.1, Table 14"),
    shared_static_kib: vendor(48, "Volta Tuning Guide 4.3.2"),
    shared_optin_kib: vendor(96, "Volta Tuning Guide 4.3.2"),
    carveout_by_need: vendor(true, "Programming Guide 12.6, 19.7.3")
        .note("the driver sizes shared memory by what the kernel needs; an H200 had 208 KB or more of L1 for a kernel without shared memory"),
    carveouts_kib: vendor(kib_list(&[0, 8, 16, 32, 64, 96]), "Volta Tuning Guide 4.3.2")
        .note("a request is rounded up to the next size"),
    ..OCCUPANCY_GP100
};

/// Links per pair of a DGX-1 with V100 (`nvidia-smi topo -m`, four identical listings).
const MESH: [[u8; 8]; 8] = [
    [0, 1, 1, 2, 2, 0, 0, 0],
    [1, 0, 2, 1, 0, 2, 0, 0],
    [1, 2, 0, 2, 0, 0, 1, 0],
    [2, 1, 2, 0, 0, 0, 0, 1],
    [2, 0, 0, 0, 0, 1, 1, 2],
    [0, 2, 0, 0, 1, 0, 2, 1],
    [0, 0, 1, 0, 1, 2, 0, 2],
    [0, 0, 0, 1, 2, 1, 2, 0],
];

/// The stacks of HBM2.
const HBM2: MemoryStacks = MemoryStacks {
    stacks: vendor(4, "Volta Tuning Guide 4.3.1"),
    dies_per_stack: vendor(8, "Volta Tuning Guide 4.3.1"),
    most_gb: vendor(32, "Volta Tuning Guide 4.3.1"),
};

/// GV100, the chip of the Tesla V100.
pub(super) static GV100: Architecture = Architecture {
    id: ArchId::Gv100,
    mechanisms: Mechanisms::NONE,
    name: "Volta GV100",
    generation: Generation::Volta,
    compute_capability: ComputeCapability { major: 7, minor: 0 },
    year: assumed(2017, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
            assumed(
                &[14, 14, 14, 14, 12, 12],
                "80 of 84 SMs in six GPCs of 14 (V100 white paper); which GPCs have fewer is not published",
            ),
            vendor(2, "V100 white paper"),
        ),
    memory_stacks: Some(HBM2),
    host: Host { launch_call_ns: repository(1830, LATENCIES), launch_and_wait_ns: repository(7150, LATENCIES), nvlink: Some(NvLink { mesh: Some(&MESH), has_switch: true, ..NvLink::of(vendor(6, "Volta Tuning Guide, NVLink"), vendor(25.0, "Volta Tuning Guide, NVLink"), derived(0.96, "Jia et al. 2018", "47.99 GB/s over two links")) }), ..Host::of(700, assumed(3, "as on GP100; a V100 in a POWER9 computer reports 4"), web(15.75, LINK_GEN3), Some(repository(13.2, BANDWIDTHS))) },
    chip: Chip {
        example_part: vendor("Tesla V100 SXM2", "V100 white paper, Table 1"),
        num_sms: vendor(80, "V100 white paper, Table 1")
            .note("the full chip has 84 (Volta Tuning Guide 4.1.1)"),
        sm_clock_mhz: vendor(1530, "V100 white paper, Table 1").also(alts![
            ("1380 (PCIe)", "Jia et al. 2018"),
            ("1132 in a simulation", "GPGPU-Sim configuration SM7_QV100")
        ]),
        dram_bits: vendor(4096, "V100 white paper, Table 1"),
        dram_gb_per_s: vendor(900.0, "Volta Tuning Guide 4.3.1"),
    },
    issue: Issue {
        schedulers: vendor(4, "Volta Tuning Guide 4.1.1").note("a warp belongs to scheduler (warp mod 4) (Jia et al. 2018)"),
        pairing: NO_PAIRS,
        dispatches: vendor(1, "V100 white paper"),
        order: ORDER_ASSUMED,
        issue_interval_cycles: vendor(1, "Volta Tuning Guide 4.1.1"),
        lanes_change_cycles: LANES_CHANGE,
        register_banks: WIDE_REGISTER_BANKS,
        scoreboards: SCOREBOARDS,
        access_stall_cycles: NO_ACCESS_STALL,
        divergence: vendor(DivergenceModel::ConvergenceBarriers, "Volta Tuning Guide 4.1.2")
            .note("the guides do not mention barrier registers, and how the hardware selects groups is undocumented"),
    },
    pipes: &PIPES,
    costs: costs(&ROWS),
    memory: Memory {
        shared: SHARED_GV100,
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1_GV100),
        l2: Some(L2 {
            capacity_kib: vendor(6144, "V100 white paper, Table 1"),
            line_bytes: paper(64, "Jia et al. 2018, Table 3.1")
                .also(alts![("128 with sectors of 32", "NVIDIA forum 312884")]),
            sector_bytes: web(32, "NVIDIA forum 312884"),
            ways: paper(16, "Jia et al. 2018, Table 3.1"),
            hit_latency_cycles: L2_LATENCY,
            bytes_per_cycle: vendor(2048, "A100 white paper"),
        }),
        device: DeviceMemory {
            latency_cycles: paper(375, "Jia et al. 2018")
                .note("TLB hit; 1029 with a cold TLB")
                .also(alts![
                    ("313", "Accel-Sim measurements (TITAN V)"),
                    ("408", "MT4G"),
                    ("460", "AI_kernels latencies")
                ]),
            efficiency: paper(0.833, "Jia et al. 2018, 3.7")
                .also(alts![("over 0.95", "Volta Tuning Guide 4.3.1")]),
            transaction_bytes: paper(32, "Jia et al. 2018, Table 3.1"),
            address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
            local_kib_per_thread: vendor(512, "Programming Guide 10.1, Table 14"),
            sm_port_bytes_per_cycle: memory::SM_PORT,
        },
        constant: CONSTANT_GV100,
        texture: None,
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: paper(
                curve(&[(1, 6), (2, 7), (4, 11), (8, 18), (16, 24), (32, 66)]),
                "Jia et al. 2018, Table 4.2",
            ),
            global_latency_curve: paper(
                curve(&[(1, 36), (2, 31), (4, 32), (8, 41), (16, 58), (32, 76)]),
                "Jia et al. 2018, Table 4.2",
            )
            .note("the paper subtracts the round trip to L2"),
            same_address_interval_cycles: derived(
                2,
                "Jia et al. 2018, Table 4.2",
                "slope from 4 to 16 lanes, rounded",
            ),
        },
        queues: Queues {
            mio_entries: assumed(8, NO_QUEUE_DATA),
            lg_entries: assumed(12, NO_QUEUE_DATA),
        },
        coalescing: vendor(CoalescingRule::Sectors, "Programming Guide 10.1, H.6.3")
            .note("one request per instruction (NVIDIA forum 49571 and 312884)"),
    },
    occupancy: OCCUPANCY_GV100,
    limits: LIMITS,
};
