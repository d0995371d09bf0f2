//! Fermi: GF100 (2.0) and GF104 (2.1). Two schedulers share groups of 16 lanes. An L1 of 16 or 48 KB
//! shares 64 KB with shared memory.

use super::floor::ONE_SM;
use super::host::LINK;
use super::sourced::{alts, assumed, derived, paper, repository, vendor, web};
use super::{
    AS_REDUCTION, ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability,
    ConstantMemory, DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, L1, L1Capacity, L2,
    LaunchLimits, Mechanisms, Memory, NO_ACCESS_STALL, NO_PAIRS, ORDER_ASSUMED, OccupancyRules, OpClass,
    OpCost, Pairing, Pipe, PipeKind, Queues, REGISTER_BANKS, RegisterScope, SAME_LANES, SCOREBOARDS,
    SharedMemory, Sourced, TextureCache, TexturePath, WritePolicy, costs, curve, fixed, kib_list, memory,
    per_scheduler, per_sm, rate, scoreboard,
};

const TABLE: &str = "Programming Guide 4.2, Table 5-1";
const AS_ARITHMETIC: &str =
    "not measured separately; assumed equal to simple arithmetic, which runs on the same lanes";
const NOT_LISTED: &str =
    "the guides list no rate for 2.x; assumed equal to shifts, the slower integer operations";
const NO_QUEUE_DATA: &str = "no source documents the depth; assumed large enough that one warp cannot fill the queue and small enough that many warps can";

const LATENCY: Sourced<u16> = vendor(22, "Programming Guide 4.2, 5.2.3")
    .note("typical of 1.x and 2.x")
    .also(alts![(
        "8, without operand collection",
        "GPGPU-Sim configuration SM2_GTX480"
    )]);
const LIKE_ARITHMETIC: Sourced<u16> = assumed(22, AS_ARITHMETIC);
const LSU_OCCUPANCY: Sourced<u16> = derived(2, "Fermi white paper", "32 lanes over 16 load/store units");
const FROM_GF114: &str = "measured on a GTX 560 Ti (2.1), applied to 2.0";
const SHARED_LATENCY: Sourced<u16> =
    paper(50, "Mei & Chu 2017, Table 8").note("measured on a GTX 560 Ti (2.1)");
const L1_LATENCY: Sourced<u16> = paper(96, "Mei & Chu 2017").note("measured on a GTX 560 Ti (2.1)");

const LSU_LANES: Pipe = per_sm(
    PipeKind::Lsu,
    1,
    vendor(16, "Fermi white paper").note("no source repeats the number for 2.1"),
);
const BRANCH: Pipe = per_scheduler(
    PipeKind::Branch,
    1,
    assumed(32, "no source found; assumed one decision per warp"),
);

static GF100_PIPES: [Pipe; 5] = [
    per_sm(
        PipeKind::Fp32,
        2,
        vendor(16, "Programming Guide 4.2, F.4.1")
            .note("32 lanes in two groups; integer instructions run here too"),
    ),
    per_sm(PipeKind::Xu, 1, vendor(4, "Programming Guide 4.2, F.4.1")),
    per_sm(
        PipeKind::Fp64,
        1,
        vendor(16, TABLE)
            .note("on the single-precision lanes; an instruction occupies the groups of both schedulers"),
    ),
    LSU_LANES,
    BRANCH,
];
static GF104_PIPES: [Pipe; 5] = [
    per_sm(
        PipeKind::Fp32,
        3,
        vendor(16, "Programming Guide 4.2, F.4.1").note("48 lanes in three groups; integer instructions run here too"),
    )
    .own(assumed(
        1,
        "no source found for how two schedulers share three groups; assumed one group for each scheduler's first instruction and one group for the second instructions",
    )),
    per_sm(PipeKind::Xu, 1, vendor(8, "Programming Guide 4.2, F.4.1")),
    per_sm(PipeKind::Fp64, 1, vendor(4, TABLE)),
    LSU_LANES,
    BRANCH,
];

/// Returns the costs with `groups` groups of single-precision lanes, and with the given special-function and
/// double-precision results per clock.
macro_rules! rows {
    ($groups:literal, xu: $xu:literal, fp64: $fp64:expr, convert64: $convert64:literal, shared: $shared:expr, l1: $l1:expr) => {
        [
            (
                &[OpClass::Fp32, OpClass::IntAdd, OpClass::IntLogic] as &[OpClass],
                fixed(PipeKind::Fp32, rate($groups, 16 * $groups, TABLE), LATENCY),
            ),
            (
                &[OpClass::Fp32Compare, OpClass::IntCompare],
                fixed(
                    PipeKind::Fp32,
                    rate($groups, 16 * $groups, TABLE).also(alts![(
                        "16 results per clock per SM",
                        "Programming Guide 3.2, Table 5-1"
                    )]),
                    LATENCY,
                ),
            ),
            (
                &[OpClass::IntShift, OpClass::IntMul],
                fixed(PipeKind::Fp32, rate($groups, 16, TABLE), LATENCY),
            ),
            (
                &[OpClass::BitField, OpClass::BitReverse, OpClass::Popc],
                fixed(PipeKind::Fp32, assumed(2 * $groups, NOT_LISTED), LIKE_ARITHMETIC),
            ),
            (
                &[
                    OpClass::Move,
                    OpClass::PredicateLogic,
                    OpClass::Vote,
                    OpClass::SpecialRegister,
                ],
                fixed(PipeKind::Fp32, assumed(2, AS_ARITHMETIC), LIKE_ARITHMETIC),
            ),
            (
                &[OpClass::Convert, OpClass::ConvertNarrow],
                fixed(PipeKind::Fp32, rate($groups, 16, TABLE), LIKE_ARITHMETIC),
            ),
            (
                &[OpClass::RangeReduction],
                fixed(PipeKind::Fp32, assumed(2, AS_REDUCTION), LIKE_ARITHMETIC),
            ),
            (
                &[OpClass::Mufu],
                scoreboard(
                    PipeKind::Xu,
                    rate(1, $xu, TABLE),
                    assumed(
                        36,
                        "the 22 cycles of simple arithmetic, and the clocks that 32 lanes take on the few units",
                    ),
                ),
            ),
            (
                &[OpClass::Fp64],
                fixed(
                    PipeKind::Fp64,
                    $fp64,
                    LIKE_ARITHMETIC,
                ),
            ),
            (
                &[OpClass::Convert64],
                fixed(PipeKind::Fp64, rate(1, $convert64, TABLE), LIKE_ARITHMETIC),
            ),
            (
                &[OpClass::Branch],
                fixed(
                    PipeKind::Branch,
                    derived(2, "Programming Guide 4.2, F.4.1", "one issue slot"),
                    assumed(
                        22,
                        "assumed that the next instruction of the warp waits for the pipeline, as a dependent instruction does",
                    ),
                ),
            ),
            (
                &[OpClass::Barrier],
                scoreboard(
                    PipeKind::Branch,
                    derived(
                        4,
                        "Programming Guide 4.2, 5.4.3",
                        "16 operations per clock per SM, two schedulers",
                    ),
                    assumed(
                        22,
                        "only the rate is documented; assumed equal to the pipeline depth",
                    ),
                ),
            ),
            (
                &[OpClass::Membar],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        351,
                        "waits for the warp's stores to reach L2, assumed to take as long as a load from L2",
                    ),
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
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(26, "no measurement found; assumed equal to later chips"),
                ),
            ),
            (
                &[OpClass::SharedAtomic],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        100,
                        "consists of a locking load and a store: twice the shared latency of Mei & Chu 2017",
                    ),
                ),
            ),
            (
                &[OpClass::GlobalAtomic],
                scoreboard(
                    PipeKind::Lsu,
                    LSU_OCCUPANCY,
                    assumed(
                        351,
                        "runs in L2 (Fermi white paper); assumed equal to a load from L2",
                    ),
                ),
            ),
            (
                &[OpClass::SlowPath],
                scoreboard(
                    PipeKind::Fp32,
                    assumed(32, "approximates a subroutine of about sixteen instructions"),
                    assumed(200, "approximates a dependent chain of about nine instructions"),
                ),
            ),
        ]
    };
}
const GF100_FP64: Sourced<u16> = rate(1, 16, TABLE)
    .note("the rate of Tesla products: GeForce products, such as the GTX 480, have less, and the guide gives no number");

static GF100_ROWS: [(&[OpClass], OpCost); 19] = rows!(2, xu: 4, fp64: GF100_FP64, convert64: 16, shared: SHARED_LATENCY.from_other_chip(FROM_GF114), l1: L1_LATENCY.from_other_chip(FROM_GF114));
static GF104_ROWS: [(&[OpClass], OpCost); 19] =
    rows!(3, xu: 8, fp64: rate(1, 4, TABLE), convert64: 4, shared: SHARED_LATENCY, l1: L1_LATENCY);

const SHARED: SharedMemory = SharedMemory {
    banks: vendor(32, "Programming Guide 4.2, Table F-2"),
    bank_width_bytes: vendor(4, "Programming Guide 4.2, F.4.3"),
    rule: vendor(BankRule::WarpMulticast, "Programming Guide 4.2, F.4.3"),
    pass_interval_cycles: vendor(2, "Programming Guide 4.2, F.4.3").note("32 bits per bank every two clocks"),
    extra_latency_per_pass_cycles: paper(37.4, "Mei & Chu 2017, Table 8").note(
        "slope of 50, 87, 162, 311, 611, 1209 cycles for 1, 2, 4, 8, 16, 32 ways on a GTX 560 Ti (2.1)",
    ),
    extra_latency_once_cycles: paper(0, "Mei & Chu 2017, Table 8")
        .note("the second way costs 37 cycles, as every further way does, on a GTX 560 Ti (2.1)"),
};

const L1_GF104: L1 = L1 {
    caches_globals_by_default: vendor(true, "Programming Guide 4.2, F.4.2"),
    globals_can_opt_in: vendor(true, "Programming Guide 4.2, F.4.2"),
    globals_can_opt_out: vendor(true, "Fermi Tuning Guide, L1 Cache"),
    caches_locals: vendor(true, "Fermi Tuning Guide, L1 Cache").note("always"),
    capacity: vendor(L1Capacity::Unified(64), "Programming Guide 4.2, F.4.1").note("16 or 48 KB"),
    line_bytes: vendor(128, "Programming Guide 4.2, F.4.2"),
    sector_bytes: vendor(128, "Programming Guide 4.2, F.4.2").note("a miss fetches the whole line"),
    sets: repository(32, "GPGPU-Sim configuration SM2_GTX480")
        .note("32 sets of 4 ways with 16 KB; with 48 KB the configuration has 64 sets of 6, here 32 of 12"),
    set_index: memory::LOW_BITS,
    hit_latency_cycles: L1_LATENCY,
    global_write: repository(WritePolicy::WriteEvict, "GPGPU-Sim configuration SM2_GTX480")
        .note("global stores are written through; no NVIDIA statement found"),
    local_write: repository(WritePolicy::WriteBack, "GPGPU-Sim configuration SM2_GTX480"),
    tags_per_cycle: assumed(
        1,
        "one L1 transaction per line (Programming Guide 4.2, F.4.2), assumed one after the other",
    ),
    bytes_per_cycle: derived(64, "Fermi white paper", "16 load/store units of 4 bytes"),
    miss_entries: assumed(
        128,
        "no source documents the number of entries; assumed 32 lines of four sectors",
    ),
};

const L2_GF104: L2 = L2 {
    capacity_kib: vendor(768, "Programming Guide 4.2, F.4.1"),
    line_bytes: repository(128, "GPGPU-Sim configuration SM2_GTX480"),
    sector_bytes: vendor(32, "Programming Guide 4.2, F.4.2"),
    ways: repository(8, "GPGPU-Sim configuration SM2_GTX480"),
    hit_latency_cycles: paper(351, "Mei & Chu 2017")
        .note("GTX 560 Ti with L1 disabled; the clock domain of the figure is uncertain"),
    bytes_per_cycle: assumed(
        192,
        "no source found; assumed 32 bytes per shader clock from each of six partitions",
    ),
};

const DEVICE_GF104: DeviceMemory = DeviceMemory {
    latency_cycles: paper(627, "Mei & Chu 2017")
        .note("619 to 635 with a TLB hit, 1232 with a miss")
        .also(alts![("400 to 800", "Programming Guide 4.2, 5.2.3")]),
    efficiency: assumed(
        0.8,
        "no source found; assumed share of the peak that remains after refresh and bus turnaround",
    ),
    transaction_bytes: vendor(32, "Programming Guide 4.2, F.4.2"),
    address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
    local_kib_per_thread: vendor(512, "Programming Guide 4.2, Table F-2"),
    sm_port_bytes_per_cycle: memory::SM_PORT,
};

const TEXTURE: TexturePath = TexturePath {
    texels_per_address: memory::TEXELS_PER_ADDRESS,
    warp_interval_cycles: web(16, "AnandTech, GTX 480")
        .note("four texture units, each processing one address per two shader clocks"),
    first: TextureCache {
        bytes: paper(12288, "Mei & Chu 2017")
            .note("measured on a GTX 560 Ti")
            .also(alts![("12 KB for four texture units", "AnandTech, GTX 480")]),
        line_bytes: paper(32, "Mei & Chu 2017"),
        ways: paper(96, "Mei & Chu 2017").note("four sets"),
        hit_latency_cycles: assumed(
            212,
            "no measurement found; assumed Kepler's 106 (Chips and Cheese, Maxwell) converted to shader clocks, two per step of the texture units",
        ),
    },
    next: None,
};

const MEMORY: Memory = Memory {
    shared: SHARED,
    partitions: None,
    unit_gate: None,
    eight_byte_banks: None,
    l1: Some(L1_GF104),
    l2: Some(L2_GF104),
    device: DEVICE_GF104,
    constant: ConstantMemory {
        capacity_kib: vendor(64, "Programming Guide 4.2, Table F-2"),
        l1_bytes: vendor(8192, "Programming Guide 4.2, Table F-2"),
        l1_line_bytes: assumed(
            64,
            "assumed equal to Volta's first level (Jia et al. 2018, Table 3.1)",
        ),
        l15_bytes: assumed(32768, "the size of the next level is not documented"),
        l15_line_bytes: assumed(
            256,
            "assumed equal to GT200 before it (Wong et al. 2010) and Turing after it (Jia et al. 2019)",
        ),
        ways: memory::CONSTANT_WAYS,
        l3_bytes: memory::NO_L3,
        l3_line_bytes: memory::NO_L3_LINE,
        l3_ways: memory::NO_L3_WAYS,
        fill_cycles: assumed(6, "no measurement was found; as on an H200"),
        l1_latency_cycles: assumed(26, "no measurement was found; as on later chips"),
        l15_latency_cycles: assumed(90, "no measurement was found; as on later chips"),
        l2_latency_cycles: assumed(351, "no measurement was found; as a load from L2"),
        extra_per_address_cycles: assumed(
            11,
            "each distinct address is one request (Programming Guide 4.2, 5.3.2.4), at the cost that Jia et al. 2018 measured on V100",
        ),
    },
    texture: Some(TEXTURE),
    atomics: Atomics {
        sector_bytes: memory::ATOMIC_SECTOR,
        shared_latency_curve: assumed(
            curve(&[(1, 100), (32, 3200)]),
            "no measurement found; assumed to be a loop of a locking load and a store, one lane per address per iteration",
        ),
        global_latency_curve: assumed(
            curve(&[(1, 30), (32, 340)]),
            "no measurement found; assumed to run in L2, one after the other (Fermi white paper: up to 20 times GT200's rate)",
        ),
        same_address_interval_cycles: assumed(10, "no measurement found"),
    },
    queues: Queues {
        mio_entries: assumed(8, NO_QUEUE_DATA),
        lg_entries: assumed(8, NO_QUEUE_DATA),
    },
    coalescing: vendor(CoalescingRule::WarpLines, "Programming Guide 4.2, F.4.2"),
};

const OCCUPANCY: OccupancyRules = OccupancyRules {
    max_warps_per_sm: vendor(48, "Programming Guide 4.2, Table F-2"),
    max_blocks_per_sm: vendor(8, "Programming Guide 4.2, Table F-2"),
    max_threads_per_block: vendor(1024, "Programming Guide 4.2, Table F-2"),
    registers_per_sm: vendor(32768, "Programming Guide 4.2, Table F-2"),
    registers_per_block: vendor(32768, "Programming Guide 4.2, Table F-2"),
    max_registers_per_thread: repository(63, "cuda-calculator").note("63 for 2.x in contemporary tables"),
    register_unit: vendor(64, "Programming Guide 4.2, 4.2").also(alts![(
        "64 or 128, depending on the count",
        "Thrust's occupancy code"
    )]),
    register_scope: vendor(RegisterScope::Warp, "Programming Guide 4.2, 4.2"),
    register_partitions: vendor(1, "Programming Guide 4.2, 4.2"),
    warp_granularity: vendor(1, "Programming Guide 4.2, 4.2").also(alts![("2", "cuda-calculator")]),
    shared_unit_bytes: vendor(128, "Programming Guide 4.2, 4.2"),
    shared_reserved_bytes: vendor(0, "cuda_occupancy.h"),
    shared_per_sm_kib: vendor(48, "Programming Guide 4.2, Table F-2"),
    shared_static_kib: vendor(48, "Programming Guide 4.2, Table F-2"),
    shared_optin_kib: vendor(48, "Programming Guide 4.2, Table F-2")
        .note("no opt-in exists; equal to the static limit"),
    carveout_by_need: vendor(false, "Programming Guide 4.2, F.4.1").note("48 KB of shared memory by default"),
    carveouts_kib: vendor(kib_list(&[16, 48]), "Programming Guide 4.2, F.4.1")
        .note("48 unless the kernel prefers L1"),
    partitioned_global_caching: vendor(false, "cuda_occupancy.h"),
    max_resident_grids: vendor(16, "Programming Guide 4.2, 3.2.5.3"),
};

const LIMITS: LaunchLimits = LaunchLimits {
    max_grid: vendor([65535, 65535, 65535], "Programming Guide 4.2, Table F-2"),
    max_block: vendor([1024, 1024, 64], "Programming Guide 4.2, Table F-2"),
    max_parameter_bytes: vendor(4096, "Programming Guide 4.2, D.2.4.1"),
};

const fn issue(dispatches: Sourced<u16>, pairing: Sourced<Pairing>) -> Issue {
    Issue {
        schedulers: vendor(2, "Programming Guide 4.2, F.4.1")
            .note("one scheduler has the warps with odd IDs, the other those with even IDs"),
        dispatches,
        pairing,
        order: ORDER_ASSUMED,
        issue_interval_cycles: vendor(2, "Programming Guide 4.2, F.4.1").note(
            "a warp instruction occupies a group of 16 lanes for two clocks, so a scheduler issues every two clocks",
        ),
        lanes_change_cycles: SAME_LANES,
        register_banks: REGISTER_BANKS,
        scoreboards: SCOREBOARDS,
        access_stall_cycles: NO_ACCESS_STALL,
        divergence: vendor(
            DivergenceModel::ReconvergenceStack,
            "Programming Guide 10.1, H.6.2",
        ),
    }
}

/// GF100, the chip of the `GeForce` GTX 480.
pub(super) static GF100: Architecture = Architecture {
    id: ArchId::Gf100,
    mechanisms: Mechanisms::NONE,
    name: "Fermi GF100",
    generation: Generation::Fermi,
    compute_capability: ComputeCapability { major: 2, minor: 0 },
    year: web(2010, "Wikipedia, GeForce 400 series, release date"),
    floor: Floor::of_gpcs(
            derived(
                &[4, 4, 4, 3],
                "Tom's Hardware, GeForce GTX 480, page 2",
                "four GPCs of four SMs, one SM disabled; which one differs from card to card",
            ),
            ONE_SM,
        ),
    memory_stacks: None,
    host: Host::of(200, web(1, "OpenGL Insights, chapter 29, abstract").note("taken for the GTX 480; some devices of 2.x have two (Programming Guide 4.2, 3.2.5.4)"), assumed(8.0, LINK), None),
    chip: Chip {
        example_part: vendor("GeForce GTX 480", "Programming Guide 3.2, Table A-1")
            .note("SMs, clock, bandwidth, and the one copy engine are those of the GTX 480, a GeForce product; the FP64 rate is that of Tesla products; latencies are those of the GTX 560 Ti that Mei & Chu 2017 measured"),
        num_sms: vendor(15, "Programming Guide 3.2, Table A-1")
            .note("of the GTX 480; the full chip has 16 (Fermi white paper), a Tesla C2050 has 14"),
        sm_clock_mhz: repository(1400, "GPGPU-Sim configuration SM2_GTX480")
            .note("of the GTX 480: shader clock, twice the core's 700 MHz"),
        dram_bits: vendor(384, "Fermi white paper"),
        dram_gb_per_s: web(177.4, "hwcompare.com").note("of the GTX 480"),
    },
    issue: issue(vendor(1, "Programming Guide 4.2, F.4.1"), NO_PAIRS),
    pipes: &GF100_PIPES,
    costs: costs(&GF100_ROWS),
    memory: Memory {
        shared: SharedMemory {
            extra_latency_per_pass_cycles: SHARED.extra_latency_per_pass_cycles.from_other_chip(FROM_GF114),
            extra_latency_once_cycles: SHARED.extra_latency_once_cycles.from_other_chip(FROM_GF114),
            ..SHARED
        },
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1 {
            hit_latency_cycles: L1_LATENCY.from_other_chip(FROM_GF114),
            ..L1_GF104
        }),
        l2: Some(L2 {
            hit_latency_cycles: L2_GF104.hit_latency_cycles.from_other_chip(FROM_GF114),
            ..L2_GF104
        }),
        device: DeviceMemory {
            latency_cycles: DEVICE_GF104.latency_cycles.from_other_chip(FROM_GF114),
            ..DEVICE_GF104
        },
        ..MEMORY
    },
    occupancy: OCCUPANCY,
    limits: LIMITS,
};

/// GF104, the chip of the `GeForce` GTX 460 and the GTX 560 Ti.
pub(super) static GF104: Architecture = Architecture {
    id: ArchId::Gf104,
    mechanisms: Mechanisms::NONE,
    name: "Fermi GF104",
    generation: Generation::Fermi,
    compute_capability: ComputeCapability { major: 2, minor: 1 },
    year: web(2010, "Wikipedia, GeForce 400 series, release date"),
    floor: Floor::of_gpcs(
        derived(
            &[4, 3],
            "Tom's Hardware, GeForce GTX 460, page 2",
            "two GPCs of four SMs, one SM disabled; which one differs from card to card",
        ),
        ONE_SM,
    ),
    memory_stacks: None,
    host: Host::of(
        210,
        web(1, "OpenGL Insights, chapter 29, abstract")
            .note("taken for the GTX 460; some devices of 2.x have two (Programming Guide 4.2, 3.2.5.4)"),
        assumed(8.0, LINK),
        None,
    ),
    chip: Chip {
        example_part: vendor("GeForce GTX 460", "Programming Guide 3.2, Table A-1")
            .note("clock, bandwidth, and latencies are those of the GTX 560 Ti that Mei & Chu 2017 measured"),
        num_sms: vendor(7, "Programming Guide 3.2, Table A-1"),
        sm_clock_mhz: derived(
            1900,
            "Mei & Chu 2017",
            "shader clock, twice the 950 MHz of the core",
        ),
        dram_bits: paper(256, "Mei & Chu 2017"),
        dram_gb_per_s: paper(134.4, "Mei & Chu 2017"),
    },
    issue: issue(
        vendor(2, "Programming Guide 4.2, F.4.1").note("two independent instructions of one warp"),
        assumed(
            Pairing::Scheduler,
            "no source mentions pairing marks in code for 2.1, as Kepler's code has",
        ),
    ),
    pipes: &GF104_PIPES,
    costs: costs(&GF104_ROWS),
    memory: Memory {
        texture: Some(TexturePath {
            texels_per_address: memory::TEXELS_PER_ADDRESS,
            warp_interval_cycles: assumed(
                8,
                "eight texture units (product announcement), each assumed to process one address per two shader clocks, as on GF100 (AnandTech, GTX 480)",
            ),
            ..TEXTURE
        }),
        l2: Some(L2 {
            capacity_kib: assumed(
                512,
                "no source found; assumed 128 KB for each 64 bits of the bus, as on GF100",
            ),
            ..L2_GF104
        }),
        ..MEMORY
    },
    occupancy: OCCUPANCY,
    limits: LIMITS,
};
