//! Tesla: G80 (1.0) and GT200 (1.3). One scheduler feeds eight lanes, so a warp instruction takes
//! four shader clocks. No cache covers global memory.

use super::host::LINK;
use super::sourced::{alts, assumed, derived, paper, vendor, web};
use super::{
    AS_REDUCTION, ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability,
    ConstantMemory, DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, LaunchLimits, Mechanisms,
    Memory, NO_ACCESS_STALL, NO_PAIRS, ORDER_ASSUMED, OccupancyRules, OpClass, OpCost, Partitions, Pipe,
    PipeKind, Queues, REGISTER_BANKS, RegisterScope, SAME_LANES, SCOREBOARDS, SharedMemory, Sourced,
    TextureCache, TexturePath, costs, curve, fixed, kib_list, memory, per_scheduler, per_sm, rate,
    scoreboard,
};

const AS_ARITHMETIC: &str =
    "not measured separately; assumed equal to simple arithmetic, which runs on the same lanes";
const NO_QUEUE_DATA: &str = "no source documents the depth; assumed large enough that one warp cannot fill the queue and small enough that many warps can";

const SCHEDULERS: Sourced<u16> = vendor(1, "Programming Guide 4.2, F.3.1");
const ISSUE: Issue = Issue {
    schedulers: SCHEDULERS,
    pairing: NO_PAIRS,
    dispatches: vendor(1, "Programming Guide 4.2, F.3.1"),
    order: ORDER_ASSUMED,
    issue_interval_cycles: vendor(4, "Programming Guide 4.2, F.3.1").note(
        "a warp instruction occupies the eight lanes for four clocks, so the scheduler issues every four clocks",
    ),
    lanes_change_cycles: SAME_LANES,
    register_banks: REGISTER_BANKS,
    scoreboards: SCOREBOARDS,
    access_stall_cycles: NO_ACCESS_STALL,
    divergence: vendor(
        DivergenceModel::ReconvergenceStack,
        "Programming Guide 10.1, H.6.2",
    )
    .note("measured by Wong et al. 2010 as a stack of masks"),
};

const FP32_LANES: Pipe = per_scheduler(PipeKind::Fp32, 1, vendor(8, "Programming Guide 4.2, F.3.1"));
const XU_LANES: Pipe = per_scheduler(PipeKind::Xu, 1, vendor(2, "Programming Guide 4.2, F.3.1"));
const LSU_LANES: Pipe = per_sm(
    PipeKind::Lsu,
    1,
    assumed(
        8,
        "no source documents the number of units; assumed equal to the arithmetic lanes, because a memory instruction issues in four clocks (Programming Guide 2.0, 5.1.1.3)",
    ),
);
const BRANCH: Pipe = per_scheduler(
    PipeKind::Branch,
    1,
    assumed(32, "no source found; assumed one decision per warp"),
);

static G80_PIPES: [Pipe; 4] = [FP32_LANES, XU_LANES, LSU_LANES, BRANCH];
static GT200_PIPES: [Pipe; 5] = [
    FP32_LANES,
    XU_LANES,
    per_scheduler(PipeKind::Fp64, 1, vendor(1, "Programming Guide 4.2, F.3.1")),
    LSU_LANES,
    BRANCH,
];

const WARP_4: Sourced<u16> = vendor(4, "Programming Guide 4.2, F.3.1")
    .note("8 results per clock per SM (Programming Guide 4.2, Table 5-1)");
const ADD_4: Sourced<u16> = vendor(4, "Programming Guide 2.0, 5.1.1").also(alts![
    (
        "10 results per clock per SM: 3.2 cycles",
        "Programming Guide 4.2, Table 5-1"
    ),
    ("8 results per clock per SM", "Programming Guide 3.2, Table 5-1"),
    ("7.9 results per clock per SM", "Wong et al. 2010, Table III")
]);
const MEMORY_4: Sourced<u16> = vendor(4, "Programming Guide 2.0, 5.1.1.3");
const SHARED_LATENCY: Sourced<u16> = paper(38, "Wong et al. 2010, Table V");
const GLOBAL_LATENCY: Sourced<u16> = paper(440, "Wong et al. 2010")
    .note("436 to 443 cycles")
    .also(alts![
        ("400 to 600", "Programming Guide 2.0, 5.1.1.3"),
        ("400 to 800", "Programming Guide 4.2, 5.2.3")
    ]);
const CONSTANT_LATENCY: Sourced<u16> = paper(8, "Wong et al. 2010");
const FROM_GT200: &str = "measured on GT200, applied to G80";
const G80_GLOBAL_LATENCY: Sourced<u16> = derived(
    440,
    "Wong et al. 2010",
    "measured on GT200, applied to G80; within the 400 to 600 of Programming Guide 2.0, 5.1.1.3",
);
const G80_CONSTANT_LATENCY: Sourced<u16> = derived(8, "Wong et al. 2010", FROM_GT200);
const G80_LATENCY: Sourced<u16> = vendor(22, "Programming Guide 4.2, 5.2.3")
    .note("typical of 1.x and 2.x")
    .also(alts![("24 (GT200)", "Wong et al. 2010, Table III")]);
const GT200_LATENCY: Sourced<u16> =
    paper(24, "Wong et al. 2010, Table III").also(alts![("22, typical", "Programming Guide 4.2, 5.2.3")]);
const XU_LATENCY: Sourced<u16> = paper(28, "Wong et al. 2010, Table V")
    .note("sine and exponential take 48, including argument reduction (RRO)");
const BARRIER_4: Sourced<u16> = vendor(4, "Programming Guide 2.0, 5.1.1.5")
    .note("when no warp waits; 8 per clock per SM (Programming Guide 4.2, 5.4.3)");

/// Returns the rows that both chips share, with the given latency of simple arithmetic.
macro_rules! common_rows {
    ($latency:expr, $assumed_latency:literal, xu: $xu:expr, shared: $shared:expr, global: $global:expr, constant: $constant:expr) => {
        [
            (&[OpClass::Fp32] as &[OpClass], fixed(PipeKind::Fp32, WARP_4, $latency)),
            (
                &[OpClass::Fp32Compare, OpClass::IntAdd, OpClass::IntCompare],
                fixed(PipeKind::Fp32, ADD_4, $latency),
            ),
            (
                &[OpClass::IntLogic, OpClass::IntShift, OpClass::Int24Mul],
                fixed(PipeKind::Fp32, WARP_4, $latency),
            ),
            (
                &[OpClass::Int16Mul, OpClass::Move, OpClass::PredicateLogic, OpClass::SpecialRegister, OpClass::Convert, OpClass::ConvertNarrow],
                fixed(PipeKind::Fp32, WARP_4, assumed($assumed_latency, AS_ARITHMETIC)),
            ),
            (
                &[OpClass::Mufu],
                scoreboard(
                    PipeKind::Xu,
                    vendor(16, "Programming Guide 4.2, F.3.1")
                        .note("sine, cosine, and exponential function calls take 32 (Programming Guide 2.0, 5.1.1)"),
                    $xu,
                ),
            ),
            (
                &[OpClass::RangeReduction],
                fixed(
                    PipeKind::Fp32,
                    assumed(4, AS_REDUCTION).also(alts![(
                        "16: sine, cosine, and exponential function calls take 32",
                        "Programming Guide 2.0, 5.1.1"
                    )]),
                    derived(
                        20,
                        "Wong et al. 2010",
                        "the 48 cycles of sine and exponential function, less the 28 of MUFU",
                    ),
                ),
            ),
            (
                &[OpClass::Branch],
                fixed(
                    PipeKind::Branch,
                    WARP_4,
                    assumed($assumed_latency, "assumed that the next instruction of the warp waits for the pipeline, as a dependent instruction does"),
                ),
            ),
            (
                &[OpClass::Barrier],
                scoreboard(
                    PipeKind::Branch,
                    BARRIER_4,
                    assumed($assumed_latency, "only the issue is documented; assumed equal to the pipeline depth"),
                ),
            ),
            (
                &[OpClass::Membar],
                scoreboard(
                    PipeKind::Lsu,
                    MEMORY_4,
                    assumed(440, "waits for the warp's stores, assumed to take as long as a load"),
                ),
            ),
            (&[OpClass::Shared], scoreboard(PipeKind::Lsu, MEMORY_4, $shared)),
            (&[OpClass::Global], scoreboard(PipeKind::Lsu, MEMORY_4, $global)),
            (&[OpClass::Constant], scoreboard(PipeKind::Lsu, MEMORY_4, $constant)),
            (
                &[OpClass::SlowPath],
                scoreboard(
                    PipeKind::Fp32,
                    assumed(36, "approximated by an IEEE division, which takes 36 cycles (Programming Guide 2.0, 5.1.1)"),
                    assumed(137, "approximated by the latency of a division (Wong et al. 2010, Table III)"),
                ),
            ),
        ]
    };
}

static G80_ROWS: [(&[OpClass], OpCost); 13] = common_rows!(
    G80_LATENCY, 22,
    xu: derived(28, "Wong et al. 2010, Table V", FROM_GT200),
    shared: derived(38, "Wong et al. 2010, Table V", FROM_GT200),
    global: G80_GLOBAL_LATENCY,
    constant: G80_CONSTANT_LATENCY
);
const GT200_COMMON: [(&[OpClass], OpCost); 13] = common_rows!(
    GT200_LATENCY, 24, xu: XU_LATENCY, shared: SHARED_LATENCY, global: GLOBAL_LATENCY, constant: CONSTANT_LATENCY
);
const GT200_ROWS: [(&[OpClass], OpCost); 18] = [
    GT200_COMMON[0],
    GT200_COMMON[1],
    GT200_COMMON[2],
    GT200_COMMON[3],
    GT200_COMMON[4],
    GT200_COMMON[5],
    GT200_COMMON[6],
    GT200_COMMON[7],
    GT200_COMMON[8],
    GT200_COMMON[9],
    GT200_COMMON[10],
    GT200_COMMON[11],
    GT200_COMMON[12],
    (
        &[OpClass::Fp64],
        fixed(
            PipeKind::Fp64,
            vendor(32, "Programming Guide 4.2, F.3.1"),
            paper(48, "Wong et al. 2010, Table III"),
        ),
    ),
    (
        &[OpClass::Convert64],
        fixed(
            PipeKind::Fp64,
            rate(1, 1, "Programming Guide 4.2, Table 5-1"),
            assumed(
                48,
                "not measured separately; assumed equal to double-precision arithmetic, which runs on the same unit",
            ),
        ),
    ),
    (
        &[OpClass::Vote],
        fixed(
            PipeKind::Fp32,
            assumed(4, AS_ARITHMETIC),
            assumed(24, AS_ARITHMETIC),
        ),
    ),
    (
        &[OpClass::SharedAtomic],
        scoreboard(
            PipeKind::Lsu,
            MEMORY_4,
            assumed(
                76,
                "consists of a locking load and a store: twice the shared latency of Wong et al. 2010",
            ),
        ),
    ),
    (
        &[OpClass::GlobalAtomic],
        scoreboard(
            PipeKind::Lsu,
            MEMORY_4,
            assumed(
                440,
                "no measurement found; assumed to run at device memory and to take as long as a load",
            ),
        ),
    ),
];

const SHARED: SharedMemory = SharedMemory {
    banks: vendor(16, "Programming Guide 4.2, Table F-2"),
    bank_width_bytes: vendor(4, "Programming Guide 4.2, F.3.3"),
    rule: vendor(BankRule::HalfWarpBroadcastWord, "Programming Guide 4.2, F.3.3.2")
        .note("which word is broadcast is unspecified; assumed the word that most lanes access"),
    pass_interval_cycles: vendor(2, "Programming Guide 4.2, F.3.3")
        .note("32 bits per bank every two clocks, by half-warps"),
    extra_latency_per_pass_cycles: derived(
        2.0,
        "Programming Guide 4.2, F.3.3",
        "the rate of a bank, 32 bits every two clocks; not a measured latency",
    ),
    extra_latency_once_cycles: assumed(
        0,
        "no measurement found; assumed equal to every chip except Kepler",
    ),
};

const CONSTANT: ConstantMemory = ConstantMemory {
    capacity_kib: vendor(64, "Programming Guide 4.2, Table F-2"),
    l1_bytes: paper(2048, "Wong et al. 2010").also(alts![(
        "8 KB, working set of an SM",
        "Programming Guide 4.2, Table F-2"
    )]),
    l1_line_bytes: paper(64, "Wong et al. 2010"),
    l15_bytes: paper(8192, "Wong et al. 2010").note("of the TPC"),
    l15_line_bytes: paper(256, "Wong et al. 2010"),
    ways: paper(4, "Wong et al. 2010"),
    l3_bytes: paper(32768, "Wong et al. 2010"),
    l3_line_bytes: paper(256, "Wong et al. 2010"),
    l3_ways: paper(8, "Wong et al. 2010"),
    l1_latency_cycles: CONSTANT_LATENCY,
    l15_latency_cycles: paper(81, "Wong et al. 2010"),
    l2_latency_cycles: paper(220, "Wong et al. 2010").note("the third level; Tesla has no L2 for data"),
    extra_per_address_cycles: assumed(
        4,
        "each distinct address of a half-warp is one request (Programming Guide 4.2, 5.3.2.4), assumed to take one issue slot",
    ),
    fill_cycles: assumed(6, "no measurement found; assumed equal to the H200 measurement"),
};

const TEXTURE: TexturePath = TexturePath {
    texels_per_address: memory::TEXELS_PER_ADDRESS,
    warp_interval_cycles: derived(
        26,
        "bit-tech",
        "eight texture units at the core clock (602 MHz) serve the three SMs of a TPC, all assumed busy; expressed in shader clocks (1296 MHz). The number of units is from the product announcement",
    ),
    first: TextureCache {
        bytes: paper(5120, "Wong et al. 2010").also(alts![(
            "6 to 8 KB, working set of an SM",
            "Programming Guide 4.2, Table F-2"
        )]),
        line_bytes: paper(32, "Wong et al. 2010"),
        ways: paper(20, "Wong et al. 2010"),
        hit_latency_cycles: paper(261, "Wong et al. 2010"),
    },
    next: Some(TextureCache {
        bytes: paper(262_144, "Wong et al. 2010"),
        line_bytes: assumed(32, "no source found; assumed equal to the first cache's line"),
        ways: assumed(8, "assumed equal to the third constant cache (Wong et al. 2010)"),
        hit_latency_cycles: paper(371, "Wong et al. 2010"),
    }),
};

const DEVICE: DeviceMemory = DeviceMemory {
    latency_cycles: GLOBAL_LATENCY,
    efficiency: assumed(
        0.8,
        "no source found; assumed share of the peak that remains after refresh and bus turnaround",
    ),
    transaction_bytes: vendor(32, "Programming Guide 4.2, F.3.2"),
    address_bits: vendor(32, "Fermi white paper, comparison table"),
    local_kib_per_thread: vendor(16, "Programming Guide 4.2, Table F-2"),
    sm_port_bytes_per_cycle: memory::SM_PORT,
};

const fn partitions(number: u16) -> Partitions {
    Partitions {
        number: vendor(number, "Optimizing Matrix Transpose in CUDA"),
        width_bytes: vendor(256, "Optimizing Matrix Transpose in CUDA"),
    }
}

const QUEUES: Queues = Queues {
    mio_entries: assumed(8, NO_QUEUE_DATA),
    lg_entries: assumed(8, NO_QUEUE_DATA),
};

const GT200_ATOMICS: Atomics = Atomics {
    sector_bytes: memory::ATOMIC_SECTOR,
    shared_latency_curve: assumed(
        curve(&[(1, 76), (32, 2432)]),
        "a loop of a locking load and a store, one lane per address per iteration (Programming Guide 4.2, Table F-1 lists shared atomics from 1.2 on)",
    ),
    global_latency_curve: assumed(
        curve(&[(1, 0), (32, 310)]),
        "no measurement found; assumed to run at device memory, one after the other",
    ),
    same_address_interval_cycles: assumed(10, "no measurement found"),
};

const GT200_OCCUPANCY: OccupancyRules = OccupancyRules {
    max_warps_per_sm: vendor(32, "Programming Guide 4.2, Table F-2"),
    max_blocks_per_sm: vendor(8, "Programming Guide 4.2, Table F-2"),
    max_threads_per_block: vendor(512, "Programming Guide 4.2, Table F-2"),
    registers_per_sm: vendor(16384, "Programming Guide 4.2, Table F-2"),
    registers_per_block: vendor(16384, "Programming Guide 4.2, Table F-2"),
    max_registers_per_thread: web(124, "cuda-calculator")
        .note("a port of NVIDIA's occupancy spreadsheet; no NVIDIA table found")
        .also(alts![(
            "128; launches above this fail",
            "Wong et al. 2010, Table I"
        )]),
    register_unit: vendor(512, "Programming Guide 4.2, 4.2"),
    register_scope: vendor(RegisterScope::Block, "Programming Guide 4.2, 4.2"),
    register_partitions: vendor(1, "Programming Guide 4.2, 4.2"),
    warp_granularity: vendor(2, "Programming Guide 4.2, 4.2"),
    shared_unit_bytes: vendor(512, "Programming Guide 4.2, 4.2"),
    shared_reserved_bytes: vendor(0, "Programming Guide 4.2, 5.2.3")
        .note("kernel arguments also occupy shared memory; they are not counted here"),
    shared_per_sm_kib: vendor(16, "Programming Guide 4.2, Table F-2"),
    shared_static_kib: vendor(16, "Programming Guide 4.2, Table F-2"),
    shared_optin_kib: vendor(16, "Programming Guide 4.2, Table F-2")
        .note("no opt-in exists; equal to the static limit"),
    carveout_by_need: vendor(false, "Programming Guide 4.2, Table F-2").note("fixed"),
    carveouts_kib: vendor(kib_list(&[16]), "Programming Guide 4.2, Table F-2").note("fixed"),
    partitioned_global_caching: vendor(false, "Programming Guide 4.2, F.3.1"),
    max_resident_grids: vendor(1, "Fermi Tuning Guide, Device Utilization"),
};

const LIMITS: LaunchLimits = LaunchLimits {
    max_grid: vendor([65535, 65535, 1], "Programming Guide 4.2, Table F-2"),
    max_block: vendor([512, 512, 64], "Programming Guide 4.2, Table F-2"),
    max_parameter_bytes: vendor(256, "Programming Guide 4.2, D.2.4.1")
        .note("parameters are passed in shared memory"),
};

/// The source of the size of TPCs.
const TPCS: &str = "Programming Guide 4.2, F.3.1";

/// G80, the chip of the `GeForce` 8800 GTX.
pub(super) static G80: Architecture = Architecture {
    id: ArchId::G80,
    mechanisms: Mechanisms::NONE,
    name: "Tesla G80",
    generation: Generation::Tesla,
    compute_capability: ComputeCapability { major: 1, minor: 0 },
    year: web(2006, "Wikipedia, GeForce 8 series, release date"),
    floor: Floor {
        groups: vendor(&[2, 2, 2, 2, 2, 2, 2, 2], TPCS),
        has_singles: false,
        has_gpcs: false,
        has_measured_order: false,
        sms_per_tpc: vendor(2, TPCS),
        port_bytes_per_cycle: None,
    },
    memory_stacks: None,
    host: Host::of(
        100,
        vendor(0, "Programming Guide 4.2, 3.2.5.2"),
        assumed(4.0, LINK),
        None,
    ),
    chip: Chip {
        example_part: vendor("GeForce 8800 GTX", "Programming Guide 2.0, Appendix A"),
        num_sms: vendor(16, "Programming Guide 2.0, Appendix A"),
        sm_clock_mhz: web(1350, "Tom's Hardware").note("shader clock; the core runs at 575 MHz"),
        dram_bits: web(384, "Tom's Hardware"),
        dram_gb_per_s: web(86.4, "Tom's Hardware"),
    },
    issue: ISSUE,
    pipes: &G80_PIPES,
    costs: costs(&G80_ROWS),
    memory: Memory {
        shared: SHARED,
        partitions: Some(partitions(6)),
        unit_gate: None,
        eight_byte_banks: None,
        l1: None,
        l2: None,
        device: DeviceMemory {
            latency_cycles: G80_GLOBAL_LATENCY,
            ..DEVICE
        },
        constant: ConstantMemory {
            l1_latency_cycles: G80_CONSTANT_LATENCY,
            l15_latency_cycles: derived(81, "Wong et al. 2010", FROM_GT200),
            l2_latency_cycles: derived(220, "Wong et al. 2010", FROM_GT200),
            ..CONSTANT
        },
        texture: Some(TexturePath {
            texels_per_address: memory::TEXELS_PER_ADDRESS,
            warp_interval_cycles: derived(
                38,
                "Tom's Hardware",
                "four texture addresses per core clock (575 MHz) for the two SMs of a TPC, both assumed busy; expressed in shader clocks (1350 MHz). The number of units is from the product announcement",
            ),
            first: TextureCache {
                bytes: derived(5120, "Wong et al. 2010", FROM_GT200),
                line_bytes: derived(32, "Wong et al. 2010", FROM_GT200),
                ways: derived(20, "Wong et al. 2010", FROM_GT200),
                hit_latency_cycles: derived(261, "Wong et al. 2010", FROM_GT200),
            },
            next: Some(TextureCache {
                bytes: derived(262_144, "Wong et al. 2010", FROM_GT200),
                line_bytes: assumed(32, "no source found; assumed equal to the first cache's line"),
                ways: assumed(8, "assumed equal to the third constant cache (Wong et al. 2010)"),
                hit_latency_cycles: derived(371, "Wong et al. 2010", FROM_GT200),
            }),
        }),
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: vendor(curve(&[]), "Programming Guide 4.2, Table F-1").note("from 1.2 on"),
            global_latency_curve: vendor(curve(&[]), "Programming Guide 4.2, Table F-1").note("from 1.1 on"),
            same_address_interval_cycles: vendor(0, "Programming Guide 4.2, Table F-1").note("no atomics"),
        },
        queues: QUEUES,
        coalescing: vendor(CoalescingRule::HalfWarpStrict, "Programming Guide 4.2, F.3.2.1"),
    },
    occupancy: OccupancyRules {
        max_warps_per_sm: vendor(24, "Programming Guide 4.2, Table F-2"),
        registers_per_sm: vendor(8192, "Programming Guide 4.2, Table F-2"),
        registers_per_block: vendor(8192, "Programming Guide 4.2, Table F-2"),
        register_unit: vendor(256, "Programming Guide 4.2, 4.2"),
        ..GT200_OCCUPANCY
    },
    limits: LIMITS,
};

/// GT200, the chip of the `GeForce` GTX 280.
pub(super) static GT200: Architecture = Architecture {
    id: ArchId::Gt200,
    mechanisms: Mechanisms::NONE,
    name: "Tesla GT200",
    generation: Generation::Tesla,
    compute_capability: ComputeCapability { major: 1, minor: 3 },
    year: web(2008, "Wikipedia, GeForce 200 series, table of models"),
    floor: Floor {
        groups: paper(&[3, 3, 3, 3, 3, 3, 3, 3, 3, 3], "Wong et al. 2010, Table I"),
        has_singles: false,
        has_gpcs: false,
        has_measured_order: false,
        sms_per_tpc: vendor(3, TPCS),
        port_bytes_per_cycle: None,
    },
    memory_stacks: None,
    host: Host::of(
        130,
        derived(
            1,
            "Programming Guide 4.2, 3.2.5.2",
            "it overlaps copies with kernels, but not two copies",
        ),
        assumed(8.0, LINK),
        None,
    ),
    chip: Chip {
        example_part: vendor("GeForce GTX 280", "Programming Guide 2.0, Appendix A"),
        num_sms: vendor(30, "Programming Guide 2.0, Appendix A"),
        sm_clock_mhz: web(1296, "bit-tech")
            .note("shader clock; the core runs at 602 MHz")
            .also(alts![("1350", "Wong et al. 2010, Table I")]),
        dram_bits: paper(512, "Wong et al. 2010, Table I"),
        dram_gb_per_s: web(141.7, "bit-tech"),
    },
    issue: ISSUE,
    pipes: &GT200_PIPES,
    costs: costs(&GT200_ROWS),
    memory: Memory {
        shared: SHARED,
        partitions: Some(partitions(8)),
        unit_gate: None,
        eight_byte_banks: None,
        l1: None,
        l2: None,
        device: DEVICE,
        constant: CONSTANT,
        texture: Some(TEXTURE),
        atomics: GT200_ATOMICS,
        queues: QUEUES,
        coalescing: vendor(CoalescingRule::HalfWarpSegments, "Programming Guide 4.2, F.3.2.2"),
    },
    occupancy: GT200_OCCUPANCY,
    limits: LIMITS,
};
