//! Turing: TU102 (7.5). Volta's SM with half the warps, half the load/store units, two double-precision
//! lanes, and 96 KB of L1 and shared memory.

use super::host::LINK_GEN3;
use super::sourced::{alts, assumed, derived, measured, paper, repository, vendor, web};
use super::volta::LIMITS;
use super::volta::{ADU, BRANCH, CONSTANT_GV100, L1_GV100, NO_QUEUE_DATA, OCCUPANCY_GV100, SHARED_GV100};
use super::{
    ArchId, Architecture, Atomics, BankRule, Chip, CoalescingRule, ComputeCapability, ConstantMemory,
    DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, L1, L1Capacity, L2, LANES_CHANGE,
    Mechanisms, Memory, NO_ACCESS_STALL, NO_LAUNCH_DATE, NO_PAIRS, NvLink, ORDER_ASSUMED, OccupancyRules,
    OpClass, OpCost, Pipe, PipeKind, Queues, SCOREBOARDS, SharedMemory, Sourced, WIDE_REGISTER_BANKS,
    WritePolicy, costs, curve, fixed, kib_list, memory, per_scheduler, per_sm, rate, scoreboard,
};

const TABLE: &str = "Programming Guide 12.6, Table 4";
const JIA: &str = "Jia et al. 2019";

const LSU_OCCUPANCY: Sourced<u16> = derived(2, JIA, "32 lanes over the SM's 16 load/store units");
const SHARED_LATENCY: Sourced<u16> = paper(19, JIA).also(alts![
    ("23", "sjfeng1999 microbenchmarks (RTX 2070)"),
    ("58, overhead included", "MT4G")
]);
const L1_LATENCY: Sourced<u16> = paper(32, JIA).also(alts![
    ("32", "sjfeng1999 microbenchmarks (RTX 2070)"),
    ("66, overhead included", "MT4G")
]);
const L2_LATENCY: Sourced<u16> = paper(188, JIA).also(alts![
    ("236", "sjfeng1999 microbenchmarks (RTX 2070)"),
    ("175.6", "MT4G")
]);
const CONSTANT_LATENCY: Sourced<u16> = paper(26, JIA);
const XU_LATENCY: Sourced<u16> = paper(15, JIA);

static PIPES: [Pipe; 9] = [
    per_scheduler(
        PipeKind::Fp32,
        1,
        vendor(16, "Turing Tuning Guide 1.4.1.1").note("64 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Int32,
        1,
        vendor(16, "Turing Tuning Guide 1.4.1.1").note("64 in four partitions"),
    ),
    per_sm(
        PipeKind::Fp64,
        1,
        vendor(2, "Turing Tuning Guide 1.4.1.1").also(alts![
            ("4, one for each partition", "thegpu.guru"),
            ("none", "Cornell Virtual Workshop")
        ]),
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
        vendor(2, "Turing Tuning Guide 1.4.1.1").note("8 cores in four partitions"),
    ),
    per_sm(
        PipeKind::Lsu,
        1,
        paper(16, JIA).note("4 for each of four partitions"),
    ),
    ADU,
    BRANCH,
];

static ROWS: [(&[OpClass], OpCost); 28] = [
    (
        &[OpClass::Fp32],
        fixed(
            PipeKind::Fp32,
            rate(4, 64, TABLE),
            vendor(4, "Turing Tuning Guide 1.4.1.1")
                .also(alts![("4", "Jia et al. 2019"), ("4.04", "GPU-Project microbenchmarks (RTX 2080 Ti)")]),
        ),
    ),
    (
        &[OpClass::IntAdd, OpClass::IntLogic, OpClass::IntShift],
        fixed(PipeKind::Int32, rate(4, 64, TABLE), paper(4, JIA)),
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
            paper(6, JIA),
        ),
    ),
    (
        &[OpClass::Fp64],
        scoreboard(
            PipeKind::Fp64,
            rate(1, 2, TABLE).also(alts![("64, one unit for each scheduler", "GPGPU-Sim configuration SM75_RTX2060")]),
            paper(48, JIA).note("additions and multiplications; a fused multiply-add takes 54"),
        ),
    ),
    (&[OpClass::Popc, OpClass::Mufu], scoreboard(PipeKind::Xu, rate(4, 16, TABLE), XU_LATENCY)),
    (
        &[OpClass::BitReverse],
        scoreboard(
            PipeKind::Xu,
            rate(4, 16, TABLE).also(alts![("several instructions", "Programming Guide 10.1, Table 2")]),
            XU_LATENCY,
        ),
    ),
    (
        &[OpClass::Convert],
        scoreboard(
            PipeKind::Xu,
            rate(4, 16, TABLE),
            assumed(15, "not measured separately; assumed equal to special functions, which run on the same unit"),
        ),
    ),
    (
        &[OpClass::Convert64],
        scoreboard(
            PipeKind::Fp64,
            rate(1, 2, TABLE),
            assumed(48, "not measured separately; assumed equal to double-precision arithmetic, which has the same rate"),
        ),
    ),
    (
        &[OpClass::SpecialRegister],
        scoreboard(
            PipeKind::Xu,
            assumed(8, "no rate is listed; assumed equal to conversions"),
            assumed(15, "assumed equal to a conversion, whose latency varies too"),
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
            assumed(188, "waits for the warp's stores to reach L2, assumed to take as long as a load from L2"),
        ),
    ),
    (
        &[OpClass::Shuffle],
        scoreboard(
            PipeKind::Lsu,
            rate(1, 16, TABLE),
            assumed(19, "no source found; assumed equal to a shared-memory access, which takes the same path"),
        ),
    ),
    (&[OpClass::Shared], scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, SHARED_LATENCY)),
    (&[OpClass::Global], scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, L1_LATENCY)),
    (
        &[OpClass::Constant],
        scoreboard(
            PipeKind::Adu,
            derived(
                1,
                "Nsight Compute Kernel Profiling Guide, Pipelines",
                "one request per clock; each distinct address is a separate request",
            ),
            CONSTANT_LATENCY,
        ),
    ),
    (&[OpClass::SharedAtomic], scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, derived(SHARED_LATENCY.value, JIA, memory::OLD_VALUE))),
    (
        &[OpClass::GlobalAtomic],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            derived(264, JIA, "188 for the round trip to L2, and 76 for the operation"),
        ),
    ),
    (
        &[OpClass::Tensor],
        scoreboard(
            PipeKind::Tensor,
            derived(8, "Turing white paper, as quoted", "each of the four HMMA of a 16x16x16 tile takes 1024 multiply-adds, at 128 per clock per partition"),
            assumed(14, "no measurement found; assumed the eight cycles of its occupancy plus the six of half-precision arithmetic"),
        ),
    ),
    (
        &[OpClass::TensorInt],
        scoreboard(
            PipeKind::Tensor,
            derived(4, "Turing white paper, as quoted", "IMMA.8816: 1024 multiply-adds at twice the half-precision rate. IMMA.8832: twice as many at twice that rate. Applied to BMMA too"),
            assumed(10, "no measurement found; assumed the four cycles of its occupancy plus the six of half-precision arithmetic"),
        ),
    ),
    (
        &[OpClass::TensorStep],
        scoreboard(
            PipeKind::Tensor,
            derived(4, "Turing Tuning Guide 1.4.2", "HMMA.884 of code for 7.0: 256 multiply-adds at half of the peak of 128 per clock per partition"),
            assumed(7, "no measurement found; assumed the five cycles on Volta plus the two more of its occupancy"),
        ),
    ),
    (
        &[OpClass::TensorStepHalf],
        scoreboard(
            PipeKind::Tensor,
            derived(8, "Turing Tuning Guide 1.4.2", "HMMA.884 of code for 7.0: 512 multiply-adds at half of the peak of 128 per clock per partition"),
            assumed(9, "no measurement found; assumed the five cycles on Volta plus the four more of its occupancy"),
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

/// TU102, the chip of the `GeForce` RTX 2080 Ti.
pub(super) static TU102: Architecture = Architecture {
    id: ArchId::Tu102,
    mechanisms: Mechanisms::NONE,
    name: "Turing TU102",
    generation: Generation::Turing,
    compute_capability: ComputeCapability { major: 7, minor: 5 },
    year: assumed(2018, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
            assumed(
                &[12, 12, 12, 12, 10, 10],
                "68 of 72 SMs in six GPCs of 12 (Turing Architecture In-Depth, Table 1); which GPCs have fewer is not \
                 published",
            ),
            vendor(2, "Turing Architecture In-Depth"),
        ),
    memory_stacks: None,
    host: Host {  nvlink: Some(NvLink::of(web(2, "Turing white paper, copy of its text"), web(25.0, "Turing white paper, copy of its text"), assumed(0.96, "as on GV100, which has the same links"))), ..Host::of(750, assumed(2, "as on the GeForce chips before and after it"), web(15.75, LINK_GEN3), Some(repository(12.3, "bandwidthTest outputs, RTX 2080 Ti"))) },
    chip: Chip {
        example_part: web("GeForce RTX 2080 Ti", "Turing launch articles")
            .note("latencies are those of the T4 that Jia et al. 2019 measured"),
        num_sms: web(68, "Turing launch articles").note("the full chip has 72"),
        sm_clock_mhz: web(1545, "Turing launch articles").note("boost clock; base clock 1350"),
        dram_bits: web(352, "Turing launch articles"),
        dram_gb_per_s: web(616.0, "Turing launch articles"),
    },
    issue: Issue {
        schedulers: vendor(4, "Turing Tuning Guide 1.4.1.1"),
        pairing: NO_PAIRS,
        dispatches: vendor(1, "Programming Guide 10.1, H.6.1"),
        order: ORDER_ASSUMED,
        issue_interval_cycles: vendor(1, "Turing Tuning Guide 1.4.1.1"),
        lanes_change_cycles: LANES_CHANGE,
        register_banks: WIDE_REGISTER_BANKS,
        scoreboards: SCOREBOARDS,
        access_stall_cycles: NO_ACCESS_STALL,
        divergence: vendor(DivergenceModel::ConvergenceBarriers, "Turing Tuning Guide 1.4.1.2")
            .note("the guides do not mention barrier registers, and how the hardware selects groups is undocumented"),
    },
    pipes: &PIPES,
    costs: costs(&ROWS),
    memory: Memory {
        shared: SharedMemory {
            rule: measured(BankRule::WarpMulticastPairs, "H200, 681 accesses counted")
                .note("neighboring lanes with equal addresses merge on 7.0 to 7.5 (NVIDIA forum 77228); 32-bit accesses: Programming Guide 10.1, H.4.3"),
            extra_latency_per_pass_cycles: derived(
                2.0,
                "Jia et al. 2018, Figure 3.9",
                "measured on V100, applied to Turing; no Turing curve found",
            ),
            extra_latency_once_cycles: SHARED_GV100
                .extra_latency_once_cycles
                .from_other_chip("measured on V100, applied to Turing; no Turing curve found"),
            ..SHARED_GV100
        },
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1 {
            caches_globals_by_default: vendor(true, "Turing Tuning Guide 1.4.3.1"),
            globals_can_opt_in: vendor(true, "Turing Tuning Guide 1.4.3.1"),
            capacity: vendor(L1Capacity::Unified(96), "Turing Tuning Guide 1.4.3.1").note("32 or 64 KB"),
            sector_bytes: paper(32, JIA),
            sets: derived(4, "Jia et al. 2018, Table 3.1", "measured on V100, applied to Turing"),
            set_index: memory::LOW_BITS,
            hit_latency_cycles: L1_LATENCY,
            global_write: vendor(WritePolicy::WriteThroughAllocate, "Turing Tuning Guide 1.4.3.1"),
            bytes_per_cycle: derived(64, JIA, "16 load/store units of 4 bytes"),
            ..L1_GV100
        }),
        l2: Some(L2 {
            capacity_kib: web(5632, "Turing launch articles").note("the full chip has 6144; this product's bus has 11 of 12 channels"),
            line_bytes: paper(64, JIA).also(alts![("128 with sectors of 32", "NVIDIA forum 312884")]),
            sector_bytes: web(32, "NVIDIA forum 312884"),
            ways: paper(16, JIA),
            hit_latency_cycles: L2_LATENCY,
            bytes_per_cycle: assumed(1408, "no source found; assumed 64 bytes for each of 22 slices, as in V100's 2048 (A100 white paper)"),
        }),
        device: DeviceMemory {
            latency_cycles: repository(496, "MT4G")
                .also(alts![("1000 to 1200 with a TLB miss", "sjfeng1999 microbenchmarks (RTX 2070)")]),
            efficiency: assumed(0.83, "assumed equal to V100's 0.833 (Jia et al. 2018, 3.7)")
                .also(alts![("0.843: copies at 519.5 of 616 GB/s", "bandwidthTest outputs, RTX 2080 Ti")]),
            transaction_bytes: paper(32, JIA),
            address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
            local_kib_per_thread: vendor(512, "Programming Guide 10.1, Table 14"),
            sm_port_bytes_per_cycle: memory::SM_PORT,
        },
        constant: ConstantMemory {
            l1_bytes: paper(2048, JIA).also(alts![("8 KB", "Programming Guide 12.6, Table 21")]),
            l1_line_bytes: paper(64, JIA),
            l15_bytes: paper(47104, JIA).note("about 46 KB"),
            l15_line_bytes: paper(256, JIA),
            l1_latency_cycles: CONSTANT_LATENCY,
            l15_latency_cycles: paper(92, JIA),
            l2_latency_cycles: paper(215, JIA),
            extra_per_address_cycles: derived(11, "Jia et al. 2018, Figure 3.7", "measured on V100, applied to Turing"),
            ..CONSTANT_GV100
        },
        texture: None,
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: paper(curve(&[(1, 8), (2, 10), (4, 14), (8, 22), (16, 37), (32, 69)]), JIA),
            global_latency_curve: paper(curve(&[(1, 76), (2, 72), (4, 73), (8, 81), (16, 97), (32, 116)]), JIA)
                .note("the paper subtracts the round trip to L2"),
            same_address_interval_cycles: derived(2, JIA, "slope from 4 to 16 lanes"),
        },
        queues: Queues { mio_entries: assumed(8, NO_QUEUE_DATA), lg_entries: assumed(12, NO_QUEUE_DATA) },
        coalescing: vendor(CoalescingRule::Sectors, "Programming Guide 10.1, H.6.3")
            .note("one request per instruction (NVIDIA forum 49571 and 312884)"),
    },
    occupancy: OccupancyRules {
        max_warps_per_sm: vendor(32, "Programming Guide 10.1, Table 14"),
        max_blocks_per_sm: vendor(16, "Programming Guide 10.1, Table 14")
            .note("cuda_occupancy.h and the device properties of several products agree")
            .also(alts![("32", "Turing Tuning Guide 1.4.1.3")]),
        shared_per_sm_kib: vendor(64, "Turing Tuning Guide 1.4.1.3"),
        shared_static_kib: vendor(48, "Turing Tuning Guide 1.4.3.1"),
        shared_optin_kib: vendor(64, "Turing Tuning Guide 1.4.3.1"),
        carveouts_kib: vendor(kib_list(&[32, 64]), "Turing Tuning Guide 1.4.3.1").note("a request is rounded up to the next size"),
        ..OCCUPANCY_GV100
    },
    limits: LIMITS,
};
