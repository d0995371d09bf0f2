//! Kepler: GK110 (3.5). Four dual-issue schedulers share six groups of 32 lanes. Banks have eight bytes.
//! Ordinary global loads bypass L1.

use super::floor::ONE_SM;
use super::host::LINK;
use super::pascal::{CONSTANT_GP100, LIMITS, OCCUPANCY_GP100};
use super::sourced::{alts, assumed, derived, paper, repository, vendor, web};
use super::{
    AS_REDUCTION, ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability,
    ConstantMemory, DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, L1, L1Capacity, L2,
    Mechanisms, Memory, NO_ACCESS_STALL, NO_LAUNCH_DATE, ORDER_ASSUMED, OccupancyRules, OpClass, OpCost,
    Pairing, Pipe, PipeKind, Queues, REGISTER_BANKS, SAME_LANES, SCOREBOARDS, SharedMemory, Sourced,
    TextureCache, TexturePath, WritePolicy, costs, curve, fixed, kib_list, memory, per_scheduler, per_sm,
    rate, scoreboard,
};

const TABLE: &str = "Programming Guide 10.1, Table 2";
const UNITS: &str = "Programming Guide 10.1, H.3.1";
const HOLDS: &str = "Programming Guide 10.1, Table 14";
const JIA: &str = "Jia et al. 2018, Table 3.1";
const K80: &str = "measured on a Tesla K80 (3.7)";
const AS_ARITHMETIC: &str =
    "no source found; assumed equal to simple arithmetic, which runs on the same lanes";
const NO_QUEUE_DATA: &str = "no source documents the depth; assumed large enough that one warp cannot fill the queue and small enough that many warps can";

const LATENCY: Sourced<u16> = vendor(11, "Programming Guide 4.2, 5.2.3").note("stated for 3.0");
const LIKE_ARITHMETIC: Sourced<u16> = assumed(11, AS_ARITHMETIC);
const LSU_OCCUPANCY: Sourced<u16> =
    derived(1, "Jia et al. 2018", "32 lanes over the SM's 32 load/store units");
const SHARED_LATENCY: Sourced<u16> = paper(26, JIA)
    .note(K80)
    .also(alts![("47 (GTX 780)", "Mei & Chu 2017, Table 8")]);
const L1_LATENCY: Sourced<u16> = paper(35, JIA).note(K80);
const L2_LATENCY: Sourced<u16> = paper(200, JIA)
    .note(K80)
    .also(alts![("198 (GTX 780)", "Mei & Chu 2017")]);
const CONSTANT_LATENCY: Sourced<u16> = paper(30, JIA).note(K80);

static PIPES: [Pipe; 5] = [
    per_sm(
        PipeKind::Fp32,
        6,
        vendor(32, UNITS).note("192 lanes in groups of 32; integer instructions run here too"),
    )
    .own(assumed(
        1,
        "no source found for how four schedulers share six groups; assumed one group for each scheduler's first instruction and two groups for the second instructions",
    )),
    per_sm(
        PipeKind::Fp64,
        2,
        vendor(32, "V100 white paper, Table 1").note("64 on Tesla products, 8 on GeForce"),
    ),
    per_scheduler(
        PipeKind::Xu,
        1,
        vendor(8, UNITS).note("32 in the SM, assumed to be eight for each scheduler"),
    ),
    per_sm(PipeKind::Lsu, 1, paper(32, "Jia et al. 2018").note(K80)),
    per_scheduler(
        PipeKind::Branch,
        1,
        assumed(32, "no source found; assumed one decision per warp"),
    ),
];

static ROWS: [(&[OpClass], OpCost); 21] = [
    (
        &[OpClass::Fp32],
        fixed(PipeKind::Fp32, rate(6, 192, TABLE), LATENCY),
    ),
    (
        &[
            OpClass::IntAdd,
            OpClass::IntLogic,
            OpClass::IntCompare,
            OpClass::Fp32Compare,
        ],
        fixed(
            PipeKind::Fp32,
            derived(
                1,
                TABLE,
                "32 results per warp instruction, on a group of 32 lanes",
            ),
            LATENCY,
        )
        .on(derived(
            5,
            TABLE,
            "the table lists 160 results per clock per SM, from groups of 32",
        )),
    ),
    (
        &[OpClass::IntShift],
        fixed(
            PipeKind::Fp32,
            rate(6, 64, TABLE).note("runs on two of the six groups, on GeForce on one"),
            LATENCY,
        ),
    ),
    (
        &[
            OpClass::IntMul,
            OpClass::BitField,
            OpClass::BitReverse,
            OpClass::Popc,
        ],
        fixed(
            PipeKind::Fp32,
            rate(6, 32, TABLE).note("runs on one of the six groups"),
            LATENCY,
        ),
    ),
    (
        &[OpClass::Move, OpClass::PredicateLogic, OpClass::Vote],
        fixed(PipeKind::Fp32, assumed(1, AS_ARITHMETIC), LIKE_ARITHMETIC),
    ),
    (
        &[OpClass::ConvertNarrow],
        fixed(
            PipeKind::Fp32,
            derived(
                2,
                TABLE,
                "128 results per clock per SM take 1.5 clocks of a group, rounded up",
            ),
            LIKE_ARITHMETIC,
        ),
    ),
    (
        &[OpClass::Convert, OpClass::Convert64],
        scoreboard(
            PipeKind::Xu,
            rate(4, 32, TABLE).note("8 for 64-bit types on GeForce"),
            assumed(
                15,
                "no source found; assumed equal to special functions, which have the same rate",
            ),
        ),
    ),
    (
        &[OpClass::RangeReduction],
        fixed(PipeKind::Fp32, assumed(1, AS_REDUCTION), LIKE_ARITHMETIC),
    ),
    (
        &[OpClass::Mufu],
        scoreboard(
            PipeKind::Xu,
            rate(4, 32, TABLE),
            assumed(
                15,
                "the 11 cycles of simple arithmetic, and the four clocks that 32 lanes take on eight units",
            ),
        ),
    ),
    (
        &[OpClass::SpecialRegister],
        scoreboard(
            PipeKind::Xu,
            assumed(4, "no rate is listed; assumed equal to conversions"),
            assumed(15, "assumed equal to a conversion, whose latency varies too"),
        ),
    ),
    (
        &[OpClass::Fp64],
        fixed(
            PipeKind::Fp64,
            rate(2, 64, TABLE).note("the rate of Tesla products; 8 on GeForce"),
            assumed(11, "no source found; assumed equal to single precision"),
        ),
    ),
    (
        &[OpClass::Branch],
        fixed(
            PipeKind::Branch,
            assumed(1, "no rate found; assumed one decision per clock"),
            assumed(
                11,
                "assumed that the next instruction of the warp waits for the pipeline, as a dependent instruction does",
            ),
        ),
    ),
    (
        &[OpClass::Barrier],
        scoreboard(
            PipeKind::Branch,
            rate(4, 128, "Programming Guide 10.1, 5.4.3"),
            assumed(
                11,
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
                200,
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
                26,
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
            paper(93, "Jia et al. 2018, Table 4.2")
                .note("a loop of a locking load and a store; on a Tesla K80 (3.7)"),
        ),
    ),
    (
        &[OpClass::GlobalAtomic],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            derived(
                229,
                "Jia et al. 2018, Tables 3.1 and 4.2",
                "200 for the round trip to L2, and 29 for the operation",
            ),
        ),
    ),
    (
        &[OpClass::SlowPath],
        scoreboard(
            PipeKind::Fp32,
            assumed(16, "approximates a subroutine of about sixteen instructions"),
            assumed(
                176,
                "approximates a dependent chain of about sixteen instructions",
            ),
        ),
    ),
];

/// GK110, the chip of the Tesla K40 and the GTX 780.
pub(super) static GK110: Architecture = Architecture {
    id: ArchId::Gk110,
    mechanisms: Mechanisms::NONE,
    name: "Kepler GK110",
    generation: Generation::Kepler,
    compute_capability: ComputeCapability { major: 3, minor: 5 },
    year: assumed(2012, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
            assumed(
                &[3, 3, 3, 3, 3],
                "five GPCs of three SMs: a forum's table, no document of NVIDIA was read",
            ),
            ONE_SM,
        ),
    memory_stacks: None,
    host: Host { pageable_gb_per_s: repository(9.1, "bandwidthTest outputs, Tesla K80"), ..Host::of(350, web(2, "deviceQuery outputs, Tesla K40c"), assumed(15.75, LINK), Some(repository(11.3, "bandwidthTest outputs, Tesla K80"))) },
    chip: Chip {
        example_part: vendor("Tesla K40", "V100 white paper, Table 1")
            .note("SMs, clock, FP64 rate, and copy engines are those of the Tesla K40 and other Tesla products; the bandwidth is that of a GTX 780; latencies are those of a GTX 780 and a Tesla K80, as each source states"),
        num_sms: vendor(15, "V100 white paper, Table 1"),
        sm_clock_mhz: vendor(875, "V100 white paper, Table 1").note("the higher of two boost clocks; the lower is 810"),
        dram_bits: vendor(384, "V100 white paper, Table 1"),
        dram_gb_per_s: paper(288.4, "Mei & Chu 2017").note("GTX 780, whose bus is as wide"),
    },
    issue: Issue {
        schedulers: vendor(4, UNITS),
        dispatches: vendor(2, UNITS).note("two independent instructions of one warp"),
        pairing: repository(Pairing::Compiler, "envytools, Fermi CUDA ISA, Dual issue")
            .note("documented for GK104, with the rules for pairing instructions"),
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
            banks: vendor(32, HOLDS),
            bank_width_bytes: vendor(8, "Programming Guide 10.1, H.3.3")
                .note("the host selects whether successive 4-byte words (the default) or 8-byte words are in successive banks"),
            rule: vendor(BankRule::WarpMulticastRows, "Programming Guide 4.2, F.5.3")
                .note("the 4-byte mode; matches Mei & Chu 2017, Figure 19, at all plotted strides. Accesses of 128 bits per lane are not documented; assumed by half-warps, because a pass delivers 256 bytes"),
            pass_interval_cycles: vendor(1, "Programming Guide 4.2, F.5.3").note("64 bits per bank per clock"),
            extra_latency_per_pass_cycles: paper(14.0, "Jia et al. 2018, Figure 3.9").note(
                "26, 60, 88, 144, 256 cycles for 1, 2, 4, 8, 16 passes on a Tesla K80 (3.7)",
            )
            .also(alts![("13.4 from the second pass on, on a GTX 780", "Mei & Chu 2017, Table 8")]),
            extra_latency_once_cycles: derived(
                20,
                "Jia et al. 2018, Figure 3.9",
                "the second pass adds 34 cycles on a Tesla K80 (3.7), and each further pass adds 14",
            )
            .also(alts![("22: 35 for the second pass, on a GTX 780", "Mei & Chu 2017, Table 8")]),
        },
        partitions: None,
        unit_gate: None,
        eight_byte_banks: Some(
            vendor(BankRule::WarpMulticastWide, "Programming Guide 4.2, F.5.3")
                .note("matches Mei & Chu 2017, Figure 19, at all plotted strides, which are even. That odd strides of 3 words or more conflict follows from the row rule; no measurement is published. Accesses of 128 bits per lane are not documented; assumed by half-warps, because a pass delivers 256 bytes"),
        ),
        l1: Some(L1 {
            caches_globals_by_default: vendor(false, "Programming Guide 10.1, H.3.2"),
            globals_can_opt_in: vendor(true, "Programming Guide 10.1, H.3.2")
                .note("on some chips of 3.5. Read-only loads have a separate cache of 48 KB, which is simulated as part of L1"),
            globals_can_opt_out: vendor(true, "Programming Guide 10.1, H.3.2"),
            caches_locals: vendor(true, "Programming Guide 10.1, H.3.2"),
            capacity: vendor(L1Capacity::Unified(64), UNITS).note("16, 32 or 48 KB"),
            line_bytes: vendor(128, "Programming Guide 10.1, H.3.2"),
            sector_bytes: web(128, "NVIDIA forum 277460").note("a miss fetches the whole line"),
            sets: assumed(32, "assumed equal to Fermi (GPGPU-Sim configuration SM2_GTX480)"),
            set_index: memory::LOW_BITS,
            hit_latency_cycles: L1_LATENCY,
            global_write: assumed(WritePolicy::WriteEvict, "assumed equal to Fermi (GPGPU-Sim configuration SM2_GTX480)"),
            local_write: assumed(WritePolicy::WriteBack, "assumed equal to Fermi (GPGPU-Sim configuration SM2_GTX480)"),
            tags_per_cycle: assumed(1, "one L1 transaction per line, one after the other, as on Fermi"),
            bytes_per_cycle: derived(128, "Jia et al. 2018", "32 load/store units of 4 bytes"),
            miss_entries: assumed(128, "no source documents the number of entries; assumed 32 lines of four sectors"),
        }),
        l2: Some(L2 {
            capacity_kib: vendor(1536, "V100 white paper, Table 1"),
            line_bytes: paper(32, JIA),
            sector_bytes: paper(32, JIA),
            ways: assumed(16, "assumed equal to V100 (Jia et al. 2018, Table 3.1)"),
            hit_latency_cycles: L2_LATENCY,
            bytes_per_cycle: assumed(384, "no source found; assumed 64 bytes per clock from each of six partitions"),
        }),
        device: DeviceMemory {
            latency_cycles: paper(339, "Mei & Chu 2017")
                .note("measured on a GTX 780")
                .also(alts![("200 to 400", "Programming Guide 10.1, 5.2.3")]),
            efficiency: assumed(
                0.8,
                "no source found for the GTX 780; assumed share of the peak that remains after refresh and bus turnaround",
            )
            .also(alts![("0.789: copies at 265.0 of 336 GB/s", "bandwidthTest outputs, GTX 780 Ti")]),
            transaction_bytes: vendor(32, "Programming Guide 10.1, H.3.2"),
            address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
            local_kib_per_thread: vendor(512, HOLDS),
            sm_port_bytes_per_cycle: memory::SM_PORT,
        },
        constant: ConstantMemory {
            capacity_kib: vendor(64, HOLDS),
            l1_bytes: CONSTANT_GP100
                .l1_bytes
                .from_other_chip("measured on Pascal, applied to Kepler; the guide's 8 KB are per SM"),
            l1_line_bytes: assumed(64, "assumed equal to Volta's first level (Jia et al. 2018, Table 3.1)"),
            l15_bytes: assumed(32768, "the size of the next level was not in the sources that were read"),
            l15_line_bytes: CONSTANT_GP100.l15_line_bytes,
            ways: memory::CONSTANT_WAYS,
            l3_bytes: memory::NO_L3,
            l3_line_bytes: memory::NO_L3_LINE,
            l3_ways: memory::NO_L3_WAYS,
            fill_cycles: CONSTANT_GP100.fill_cycles,
            l1_latency_cycles: CONSTANT_LATENCY,
            l15_latency_cycles: paper(92, JIA).note(K80),
            l2_latency_cycles: paper(220, JIA).note(K80),
            extra_per_address_cycles: derived(
                11,
                "Jia et al. 2018, Figure 3.7",
                "measured on V100, applied to Kepler",
            ),
        },
        texture: Some(TexturePath {
            texels_per_address: memory::TEXELS_PER_ADDRESS,
            warp_interval_cycles: derived(
                2,
                "Chips and Cheese, Maxwell",
                "64 bytes per cycle for each sub-partition",
            )
            .note("sixteen texture units, each processing one address per clock"),
            first: TextureCache {
                bytes: web(49152, "Chips and Cheese, Maxwell")
                    .note("12 KB for each sub-partition, simulated as one cache of the SM")
                    .also(alts![("12 KB seen by one warp", "Mei & Chu 2017")]),
                line_bytes: paper(32, "Mei & Chu 2017"),
                ways: derived(
                    384,
                    "Mei & Chu 2017",
                    "four sets of 96 ways in each of the four caches",
                ),
                hit_latency_cycles: web(106, "Chips and Cheese, Maxwell")
                    .note("measured on a Tesla K80 with OpenCL"),
            },
            next: None,
        }),
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: paper(
                curve(&[(1, 93), (2, 214), (4, 460), (8, 952), (16, 1936), (32, 4257)]),
                "Jia et al. 2018, Table 4.2",
            )
            .note("a loop of a locking load and a store; on a Tesla K80 (3.7)"),
            global_latency_curve: paper(
                curve(&[(1, 29), (2, 69), (4, 96), (8, 152), (16, 264), (32, 488)]),
                "Jia et al. 2018, Table 4.2",
            )
            .note("the paper subtracts the round trip to L2; on a Tesla K80 (3.7)"),
            same_address_interval_cycles: derived(
                14,
                "Jia et al. 2018, Table 4.2",
                "slope from 2 to 32 lanes",
            ),
        },
        queues: Queues {
            mio_entries: assumed(8, NO_QUEUE_DATA),
            lg_entries: assumed(8, NO_QUEUE_DATA),
        },
        coalescing: vendor(CoalescingRule::WarpLines, "Programming Guide 10.1, H.3.2")
            .note("32-byte segments of L2, and whole lines through L1"),
    },
    occupancy: OccupancyRules {
        max_blocks_per_sm: vendor(16, HOLDS),
        register_partitions: vendor(4, "cuda_occupancy.h"),
        warp_granularity: vendor(4, "cuda_occupancy.h"),
        shared_per_sm_kib: vendor(48, HOLDS),
        carveouts_kib: vendor(kib_list(&[16, 32, 48]), UNITS).note("48 unless the kernel prefers L1 or equal sizes"),
        max_resident_grids: vendor(32, HOLDS),
        ..OCCUPANCY_GP100
    },
    limits: LIMITS,
};
