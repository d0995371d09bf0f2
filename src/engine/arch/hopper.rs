//! Hopper: GH100 (9.0), the chip of the H200, on which this project measured accesses and latencies.

use super::sourced::{alts, assumed, derived, measured, repository, vendor, web};
use super::volta::LIMITS;
use super::volta::{ADU, BRANCH, CONSTANT_GV100, L1_GV100, NO_QUEUE_DATA, OCCUPANCY_GV100, SHARED_GV100};
use super::{
    ArchId, Architecture, AtomicUnits, Atomics, BankRule, Channels, Chip, CoalescingRule, ComputeCapability,
    ConstantMemory, Copies, DeviceMemory, DivergenceModel, Floor, Generation, Host, Issue, IssueOrder, L1,
    L1Capacity, L2, L2Partitions, Mechanisms, Memory, NO_PAIRS, NvLink, OccupancyRules, OpClass, OpCost,
    Pipe, PipeKind, Queues, SetIndex, SharedMemory, Sharing, Sourced, Swaps, UnitGate, WritePort, Yields,
    costs, curve, fixed, kib_list, memory, per_scheduler, per_sm, rate, scoreboard,
};

const TABLE: &str = "Programming Guide 12.6, Table 4";
const H200: &str = "H200, dependent chains of 256";
const NOT_MEASURED_ARITHMETIC: &str =
    "not measured; assumed equal to simple integer arithmetic, which was measured";

const LSU_OCCUPANCY: Sourced<u16> = assumed(1, "no source found; assumed 32 load/store units, as on Volta");
const UNITS: &str = "H200, units.cu";
const TENSOR: &str = "H200, tensor.cu";
const HMMA: &str = "H100, hmma.cu";
const PRODUCTS: &str = "H100, products.cu";
const REDUX: &str = "H100, redux.cu";
const ATOMICS: &str = "H200, atomics.cu";
const SWAPS: &str = "H100, swaps.cu";
const CONSTANTS: &str = "H200, constant.cu";
const CONSTANT_LATENCY: Sourced<u16> = measured(28, CONSTANTS).also(alts![("20.7", "MT4G")]);
const SHARED_LATENCY: Sourced<u16> = measured(23, H200).also(alts![("29.9", "MT4G")]);
const L1_LATENCY: Sourced<u16> =
    measured(32, H200).also(alts![("38", "MT4G"), ("40", "AI_kernels latencies")]);
const L2_LATENCY: Sourced<u16> =
    measured(283, H200).also(alts![("219", "MT4G"), ("291", "AI_kernels latencies")]);

static PIPES: [Pipe; 9] = [
    per_scheduler(
        PipeKind::Fp32,
        1,
        vendor(32, "Programming Guide 12.6, 19.8").note("128 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Int32,
        1,
        vendor(16, "Programming Guide 12.6, 19.8").note("64 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Fp64,
        1,
        vendor(16, "Programming Guide 12.6, 19.8").note("64 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Xu,
        1,
        vendor(4, "Programming Guide 12.6, 19.8").note("16 in four partitions"),
    ),
    per_scheduler(
        PipeKind::Fp16,
        1,
        derived(
            32,
            TABLE,
            "256 results per clock per SM: 32 pairs for each of four partitions",
        ),
    ),
    per_scheduler(
        PipeKind::Tensor,
        1,
        vendor(1, "Programming Guide 12.6, 19.8").note("4 cores in four partitions"),
    ),
    per_sm(
        PipeKind::Lsu,
        1,
        assumed(32, "no source found; assumed equal to Volta"),
    ),
    ADU,
    BRANCH,
];

static ROWS: [(&[OpClass], OpCost); 27] = [
    (
        &[OpClass::Fp32],
        fixed(PipeKind::Fp32, rate(4, 128, TABLE), measured(4, H200)),
    ),
    (
        &[OpClass::IntAdd, OpClass::IntLogic],
        fixed(PipeKind::Int32, rate(4, 64, TABLE), measured(4, H200)),
    ),
    (
        &[OpClass::IntAddTwo],
        fixed(
            PipeKind::Fp32,
            rate(4, 64, TABLE).note(
                "nvcc compiles additions of two operands to VIADD and IMAD.IADD. On an H200 these run in parallel with LOP3: a mix takes half the cycles",
            ),
            measured(4, H200),
        ),
    ),
    (
        &[OpClass::IntShift, OpClass::IntCompare, OpClass::Fp32Compare],
        fixed(
            PipeKind::Int32,
            rate(4, 64, TABLE),
            assumed(4, NOT_MEASURED_ARITHMETIC),
        ),
    ),
    (
        &[OpClass::BitField, OpClass::Vote, OpClass::ConvertNarrow],
        fixed(
            PipeKind::Int32,
            rate(4, 64, TABLE),
            assumed(4, NOT_MEASURED_ARITHMETIC),
        ),
    ),
    (
        &[OpClass::Move, OpClass::PredicateLogic],
        fixed(
            PipeKind::Int32,
            assumed(2, "no rate is listed; assumed equal to integer logic"),
            assumed(4, NOT_MEASURED_ARITHMETIC),
        ),
    ),
    (
        &[OpClass::IntMul],
        fixed(
            PipeKind::Fp32,
            rate(4, 64, TABLE)
                .note("multiplications run on the FMA lanes (Nsight Compute Kernel Profiling Guide)"),
            measured(4, H200),
        ),
    ),
    (
        &[OpClass::Fp16],
        fixed(
            PipeKind::Fp16,
            derived(
                1,
                TABLE,
                "a warp instruction produces 64 results, in pairs, at 256 per clock per SM, on four partitions",
            ),
            assumed(4, "not measured; assumed equal to single precision"),
        ),
    ),
    (
        &[OpClass::Fp64],
        fixed(PipeKind::Fp64, rate(4, 64, TABLE), measured(8, H200)),
    ),
    (
        &[OpClass::Mufu],
        scoreboard(PipeKind::Xu, rate(4, 16, TABLE), measured(17, H200).note("ex2")),
    ),
    (
        &[
            OpClass::Popc,
            OpClass::BitReverse,
            OpClass::Convert,
            OpClass::Convert64,
        ],
        scoreboard(
            PipeKind::Xu,
            rate(4, 16, TABLE),
            assumed(17, "not measured; assumed equal to ex2, which was measured"),
        ),
    ),
    (
        &[OpClass::SpecialRegister],
        scoreboard(
            PipeKind::Xu,
            assumed(8, "no rate is listed; assumed equal to conversions"),
            assumed(17, "not measured; assumed equal to ex2, which runs on the same unit"),
        ),
    ),
    (
        &[OpClass::Branch],
        fixed(
            PipeKind::Branch,
            assumed(1, "no rate found; assumed one decision per clock"),
            assumed(
                8,
                "not measured; assumed four cycles for the predicate and four to refetch",
            ),
        ),
    ),
    (
        &[OpClass::Barrier],
        scoreboard(
            PipeKind::Adu,
            rate(1, 16, "Programming Guide 12.6, 8.4.3").note(
                "the guide lists 7.x and 8.x; measured on an H200: 14, 27.9, and 75.8 cycles with 1, 8, and 32 warps",
            ),
            measured(14, H200),
        ),
    ),
    (
        &[OpClass::Membar],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            measured(684, "H100, locks.cu")
                .note("MEMBAR.SC.GPU in a chain; 833 cycles with a store before it, 1,509 for MEMBAR.SC.SYS"),
        ),
    ),
    (
        &[OpClass::Shuffle],
        scoreboard(PipeKind::Lsu, rate(1, 32, TABLE), measured(24, "H200, arith.cu")),
    ),
    (
        &[OpClass::WarpReduce],
        scoreboard(
            // Which pipe is assumed: no document names it. On an H100 REDUX runs beside POPC without
            // delay, so it is not the XU, and beside SHFL with some, so it is close to the LSU.
            PipeKind::Adu,
            rate(1, 16, TABLE).note(
                "2.0 cycles on an H100 too, alone and beside POPC; the pipe is assumed, no document names it",
            ),
            measured(44, REDUX).note(
                "44.4 cycles in a chain, with the move out of the uniform register, which has no instruction here",
            ),
        ),
    ),
    (
        &[OpClass::Shared],
        scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, SHARED_LATENCY),
    ),
    (
        &[OpClass::Global],
        scoreboard(PipeKind::Lsu, LSU_OCCUPANCY, L1_LATENCY),
    ),
    (
        &[OpClass::Constant],
        scoreboard(
            PipeKind::Adu,
            measured(2, UNITS).note("per distinct address"),
            CONSTANT_LATENCY,
        ),
    ),
    (
        &[OpClass::SharedAtomic],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            measured(23, UNITS).also(alts![(
                "25.9, with an addition between two atomics",
                "H200, dependent chains of 256"
            )]),
        ),
    ),
    (
        &[OpClass::GlobalAtomic],
        scoreboard(
            PipeKind::Lsu,
            LSU_OCCUPANCY,
            measured(310, SWAPS)
                .note("309 in a chain; 494 and 533 on an H200 in the far partition")
                .also(alts![("494", "H200, units.cu")]),
        ),
    ),
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
    (
        &[OpClass::Tensor],
        fixed(
            PipeKind::Tensor,
            measured(6, PRODUCTS).note("HMMA.16816 of halves and __nv_bfloat16: 6.04 cycles with eight chains in each of 32 warps. For 8-bit floats, mma.sync takes conversions and two HMMAs (code of ptxas for sm_90); wgmma multiplies them without conversions (PTX ISA, wgmma.mma_async), and is not simulated"),
            measured(24, HMMA).note("24.0 cycles in a dependent chain"),
        ),
    ),
    (
        &[OpClass::TensorTf32],
        scoreboard(
            PipeKind::Tensor,
            measured(4, TENSOR).note("HMMA.1684: 3.95 cycles with eight warps per partition"),
            measured(18, TENSOR).note("two successive instructions take 35.3 cycles"),
        ),
    ),
    (
        &[OpClass::TensorFp64],
        scoreboard(
            PipeKind::Tensor,
            measured(16, TENSOR).note("DMMA.884: 16.0 cycles with eight warps per partition"),
            measured(26, TENSOR).note("26.1 cycles in a dependent chain"),
        ),
    ),
    (
        &[OpClass::TensorInt],
        scoreboard(
            PipeKind::Tensor,
            measured(4, TENSOR).note("IMMA.16816: 4.04 cycles with eight warps per partition; BMMA: 4.02"),
            measured(16, PRODUCTS).note(
                "IMMA.16816 in a dependent chain: 70.7 cycles for four products and the loop, as HMMA.16816 takes 100.7; nvcc's code waits for 16 cycles. BMMA: 14.1 cycles",
            ),
        ),
    ),
];

/// The sources of the mechanisms: the programs that measured them.
const REDS: &str = "H100, reds.cu";
const LOCKS: &str = "H100, locks.cu";
const COPIES: &str = "H100, copies.cu";
const FAR: &str = "H100, far.cu";
const STRIDES: &str = "H100, strides.cu";

/// What was measured on this chip only.
const MECHANISMS: Mechanisms = Mechanisms {
    write_port: Some(WritePort {
        sm_bytes_per_cycle: measured(32, STRIDES)
            .note("31.3 to 31.7 bytes per cycle by one SM, to L2 and to device memory"),
        group_bytes_per_cycle: derived(
            321,
            STRIDES,
            "copies by the eight SMs of one port load and store 195 bytes per cycle each, and loads alone 495; 13 SMs \
             of one port store 342",
        ),
    }),
    atomic_units: Some(AtomicUnits {
        number: assumed(
            64,
            "a lower bound: 44 random words per cycle are updated by all SMs of an H100, which 64 units reach",
        ),
        width_bytes: measured(256, REDS).note("two lines take turns, four have two units"),
        pass_time: measured(145, REDS).note("0.69 lanes per cycle on one word, by any number of SMs"),
        full_pass_time: measured(118, REDS).note("6.8 lanes per cycle on the eight words of a sector"),
        double_pass_time: measured(233, REDS).note("1.71 lanes per cycle on four doubles of a sector"),
        float_interval: measured(346, REDS)
            .note("0.29 lanes per cycle on one word, 2.3 on the eight words of a sector"),
        link_time: measured(118, REDS).note(
            "passes with several words by one SM, or by the eight SMs that share a port, take 2.36 cycles: a header and a sector",
        ),
        sm_time: measured(106, REDS).note("0.93 to 0.98 words per cycle, each in its own line"),
        in_flight: assumed(
            320,
            "with fewer, an SM alone does not reach its measured 0.97 words per cycle; the additions of a whole grid on 64 words keep their SMs busy to the end, so it is not many more",
        ),
        answer_time: assumed(300, "half of an atomic operation's way to L2 and back, or somewhat more"),
        word_return_time: measured(200, REDS).note("0.50 lanes per cycle on one word by one SM, with the old value"),
        words_return_time: measured(306, REDS)
            .note("2.61 lanes per cycle on the eight words of a sector by one SM, with the old value"),
    }),
    swaps: Some(Swaps {
        latency_cycles: measured(31, SWAPS)
            .note("a chain of ATOMS.CAS and two additions takes 37 cycles"),
        extra_per_lane_cycles: measured(4, SWAPS).note("chains of 1 to 32 lanes of a warp on one word"),
        wavefronts: measured(2, SWAPS)
            .note("Nsight Compute counts 2 to 64 for 1 to 32 lanes on one word"),
        spin_latency_cycles: measured(48, LOCKS)
            .note("a loop of LDS, FADD, ATOMS.CAST.SPIN, and a branch takes 95 cycles"),
    }),
    l2_partitions: Some(L2Partitions {
        far_cycles: measured(202, FAR).note(
            "395 cycles with the clock for addresses of one partition, 597 for those of the other, each 15 to 22 \
             around it by the slice",
        ),
        address_bits: measured::<&[u16]>(&[12, 13, 16, 17, 19, 23], FAR)
            .note("all of 1,024 addresses within 16 MB; higher bits choose too, and depend on where the memory is"),
        other_groups: measured::<&[u16]>(&[1, 2, 3, 7], FAR).note("by all 132 SMs"),
        is_first_far: assumed(
            true,
            "where memory is allocated differs from run to run; an H200 took 494 and 533 cycles for the words of units.cu",
        ),
    }),
    channels_of_stack: Some(Channels {
        number: derived(
            64,
            "H100, forms.cu",
            "64 in each stack of 1,024 bits: with 320, four kernels over 1 to 132 SMs of an H100 reach their measured \
             bandwidths",
        ),
        width_bytes: assumed(
            512,
            "fits the same curves; with 64 queues in a stack, a queue is busy with 512 bytes for about 50 ns, as long as a \
             row cycle of the memory takes",
        ),
    }),
    copies: Some(Copies {
        landing_cycles: measured(12, COPIES).note(
            "from L1, LDGSTS and its wait take 58, 62, 70, 87, and 119 cycles for 1, 4, 8, 16, and 32 wavefronts, LDG takes 42",
        ),
        wavefront_cycles: measured(2, COPIES)
            .note("from L1, 54 cycles, and 2 for each wavefront, from the fourth wavefront on"),
        bypass_wavefronts: measured(13, COPIES)
            .note("from L2, 315, 328, 335, and 334 cycles for 4, 8, 16, and 32 wavefronts"),
        address_passes: measured(1, COPIES)
            .note("4 warps take 2.3, 3.3, 4.4, and 8.4 cycles for a copy of 1, 2, 4, and 8 wavefronts"),
    }),
    yields: Some(Yields {
        latency_cycles: measured(46, SWAPS).note(
            "a loop of LDS, IMAD, YIELD, ATOMS.CAS, and branches takes 146 cycles, and 100 with NOP for YIELD",
        ),
        diverged_latency_cycles: measured(97, SWAPS)
            .note("197 cycles if lanes of the warp wait behind the loop, and 100 with NOP for YIELD"),
        switch_latency_cycles: measured(10, SWAPS)
            .note("two lanes that change one word take 208 cycles each and one 197; in global memory 763 and 751"),
        interval_cycles: measured(22, SWAPS)
            .note("8 warps of a scheduler take 20 to 24 cycles each for a round, and 11 to 16 with NOP for YIELD"),
        diverged_interval_cycles: measured(36, SWAPS)
            .note("8 warps of a scheduler take 35 to 37 cycles each for a round, and 11 to 17 with NOP for YIELD"),
    }),
};

/// The groups of SMs.
const FLOOR: Floor = Floor {
    has_singles: true,
    has_measured_order: true,
    port_bytes_per_cycle: Some(
        derived(
            621,
            "H200, device.cu",
            "reads of L2 by 16, 48, and 96 SMs at 1,980 MHz, where 9, 12, and 16 SMs share the busiest port: 625, 613, and \
             607 bytes per clock, and 1 to 2 % more without the time of the launch",
        )
        .also(alts![("551: 1,091 GB/s at 1,980 MHz, by 6 to 16 SMs of a group", "H100, spread.cu")]),
    ),
    ..Floor::of_gpcs(
        measured::<&[u16]>(&[8, 16, 16, 16, 16, 16, 16, 16, 12], "H200, device.cu").note(
            "groups of the block distributor, from the order in which SMs took blocks; the last group is the six \
             single TPCs. The physical GPCs are probably six of 16 and two of 18 SMs",
        ),
        vendor(2, "H100 white paper"),
    )
};

/// The program that measured calls, copies, and streams, and those that measured processes.
const CALLS: &str = "H100, host.cu";
const CLIENTS: &str = "H100, clients.cu and slices.cu";

/// The host's side.
const HOST: Host = Host {
    launch_call_ns: measured(4916, "H200, device.cu")
        .note("streams_ms: 95 further launches take 467 µs; 3,119 ns on an H100"),
    launch_and_wait_ns: derived(9724, CALLS, "4,808 ns besides the call, as on an H100"),
    copy_call_ns: measured(1292, CALLS),
    other_call_ns: measured(151, CALLS),
    gap_ns: measured(1760, CALLS),
    event_gap_ns: measured(2144, CALLS),
    copy_latency_ns: measured(4900, CALLS),
    pageable_gb_per_s: measured(16.9, CALLS),
    nvlink: Some(NvLink {
        num_links: measured(18, CALLS),
        link_gb_per_s: web(25.0, "H100 white paper, copy of its text"),
        efficiency: measured(0.883, CALLS).note("397.4 of 450 GB/s"),
        access_efficiency: measured(0.833, "H200, device.cu")
            .note("peer_load_gb_s: 374.8 of 450 GB/s with 132 SMs"),
        sm_load_gb_per_s: measured(34.5, "H200, device.cu")
            .note("peer_load_gb_s: one block of 1,024 threads, 16 bytes a load"),
        mesh: None,
        has_switch: true,
    }),
    sharing: Sharing {
        slice_ns: measured(2_090_600, CLIENTS).note("NVIDIA's open kernel modules set 1,024 µs"),
        switch_ns: measured(153_000, CLIENTS),
        ..Sharing::of(900)
    },
    ..Host::of(
        900,
        measured(3, CALLS),
        measured(63.0, "H100, host.cu, nvidia-smi"),
        Some(measured(55.3, CALLS)),
    )
};

/// GH100, the chip of the H200.
pub(super) static GH100: Architecture = Architecture {
    id: ArchId::Gh100,
    mechanisms: MECHANISMS,
    name: "Hopper GH100",
    generation: Generation::Hopper,
    compute_capability: ComputeCapability { major: 9, minor: 0 },
    year: web(2022, "Wikipedia, Hopper (microarchitecture), launch date"),
    floor: FLOOR,
    memory_stacks: None,
    host: HOST,
    chip: Chip {
        example_part: measured("H200", "H200, device properties")
            .note("bandwidth is that of the H200; latencies and rates are measured on an H200 or an H100, as each source states: both have the same SMs"),
        num_sms: measured(132, "H200, device properties"),
        sm_clock_mhz: repository(1980, "MT4G"),
        dram_bits: assumed(6144, "six stacks of 1024 bits; no document found"),
        dram_gb_per_s: assumed(
            4800.0,
            "the product's advertised figure; no document found",
        ),
    },
    issue: Issue {
        schedulers: vendor(4, "Programming Guide 12.6, 19.8"),
        pairing: NO_PAIRS,
        dispatches: vendor(1, "Programming Guide 12.6, 19.8"),
        order: measured(IssueOrder::RoundRobin, H200)
            .note("with five warps per scheduler, where four saturate the scheduler, all warps finish together"),
        issue_interval_cycles: vendor(1, "Programming Guide 12.6, 19.8"),
        lanes_change_cycles: measured(1, "H200, arith.cu")
            .note("a chain of alternating LOP3 and VIADD takes 10 cycles per pair, where each instruction alone takes 4"),
        register_banks: measured(2, "H200, banks.py").note(
            "FFMA, FADD, FMUL: 1 cycle with at most one register per bank, 2 with two different registers of one bank, 3 with three. A repeated register, RZ, and operands held by .reuse are not read",
        ),
        scoreboards: measured(6, "H200, shared.cu").note(
            "in code of CUDA 13, successive loads from the sixth on share one scoreboard: an instruction that waits for one of them waits for all",
        ),
        access_stall_cycles: measured(4, "H200, shared.cu").note(
            "the stall counts in code of CUDA 13; with a stall count of 1, one warp issues a load every 2 cycles",
        ),
        divergence: vendor(
            DivergenceModel::ConvergenceBarriers,
            "Programming Guide 12.6, 19.6",
        ),
    },
    pipes: &PIPES,
    costs: costs(&ROWS),
    memory: Memory {
        shared: SharedMemory {
            rule: measured(BankRule::WarpMulticastPairs, "H200, 681 accesses counted"),
            extra_latency_per_pass_cycles: measured(2.0, H200)
                .note("23.0, 24.9, 28.9, 36.9, 52.8, 84.7 cycles for 1, 2, 4, 8, 16, 32 ways"),
            extra_latency_once_cycles: measured(0, H200)
                .note("the second pass costs two cycles, as every further pass does"),
            ..SHARED_GV100
        },
        partitions: None,
        unit_gate: Some(UnitGate {
            interval_cycles: measured(2, "H200, turns.cu").note(
                "one warp alone takes 64 cycles for an access of 32 passes; two or more warps take 32 each, on one scheduler or on two. Two warps of a scheduler take 275 cycles for 128 loads without conflicts",
            ),
            entries: measured(16, "H200, turns.cu").note(
                "448 cases of one to twelve warps: the mean error of each warp's duration is 1.5 % with 14 to 18 entries, 2.3 % with 8, and 3 % with 24",
            ),
        }),
        eight_byte_banks: None,
        l1: Some(L1 {
            caches_globals_by_default: assumed(true, "assumed equal to Volta"),
            globals_can_opt_in: assumed(true, "assumed equal to Volta"),
            capacity: vendor(L1Capacity::Unified(256), "Programming Guide 12.6, 19.8"),
            line_bytes: repository(128, "MT4G"),
            sector_bytes: repository(32, "MT4G"),
            sets: assumed(4, "assumed equal to Volta (Jia et al. 2018, Table 3.1)"),
            set_index: measured(SetIndex::FoldedBits, "H200, chase.cu").note(
                "rings of 1024 lines fit at strides of 128, 256, and 1024 bytes; which bits are folded was not measured",
            ),
            hit_latency_cycles: L1_LATENCY,
            bytes_per_cycle: assumed(128, "assumed equal to Volta"),
            miss_entries: measured(2048, "H200, stream.cu").note(
                "at least 1354: one block reads memory at 63 bytes per clock with a latency of 686 cycles and all 64 KB of its loads in flight",
            ),
            ..L1_GV100
        }),
        l2: Some(L2 {
            capacity_kib: measured(61440, "H200, device properties")
                .also(alts![("51200 (H100)", "AI_kernels latencies")]),
            line_bytes: assumed(128, "assumed equal to Volta's sectored lines (NVIDIA forum 312884)"),
            sector_bytes: assumed(32, "assumed equal to Volta (NVIDIA forum 312884)"),
            ways: assumed(16, "assumed equal to Volta (Jia et al. 2018, Table 3.1)"),
            hit_latency_cycles: L2_LATENCY,
            bytes_per_cycle: assumed(
                5120,
                "assumed equal to GA100; on an H100, where the ports of the groups bound reads, 3,962 bytes per clock were measured",
            ),
        }),
        device: DeviceMemory {
            latency_cycles: measured(686, "H200, chase.cu").also(alts![
                ("700", "AI_kernels latencies"),
                ("834", "MT4G"),
                ("366, including TLB or memory", "H200, dependent chains of 256")
            ]),
            efficiency: measured(0.93, "H100, forms.cu")
                .note("3,132 of 3,352 GB/s, read by all SMs of an H100; assumed equal on the H200"),
            transaction_bytes: assumed(32, "assumed equal to Volta"),
            address_bits: vendor(64, "Fermi Tuning Guide, 32-bit versus 64-bit"),
            local_kib_per_thread: vendor(512, "Programming Guide 12.6, Table 21"),
            sm_port_bytes_per_cycle: measured(128, "H200, stream.cu")
                .note("L2 delivers 118.5 bytes per clock with 64 KB in flight"),
        },
        constant: ConstantMemory {
            l1_latency_cycles: CONSTANT_LATENCY,
            l15_latency_cycles: measured(98, CONSTANTS).also(alts![("104.9", "MT4G")]),
            l2_latency_cycles: measured(365, CONSTANTS).note("words that no SM accessed before"),
            extra_per_address_cycles: measured(11, CONSTANTS),
            ways: measured(4, CONSTANTS).note("rings of 32 warps fit and do not fit as with four ways"),
            fill_cycles: measured(6, UNITS)
                .note("rings of 32 warps that exceed the cache take 2.6 to 6.7 cycles per line beyond the cost of the addresses"),
            ..CONSTANT_GV100
        },
        texture: None,
        atomics: Atomics {
            sector_bytes: memory::ATOMIC_SECTOR,
            shared_latency_curve: measured(
                curve(&[(1, 4), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64)]),
                ATOMICS,
            )
            .note("two cycles per lane: a warp gets a wavefront every second cycle"),
            global_latency_curve: measured(
                curve(&[(1, 238), (2, 233), (4, 233), (8, 242), (16, 260), (32, 271)]),
                ATOMICS,
            ),
            same_address_interval_cycles: measured(2, UNITS).note(
                "64 cycles per warp with 32 lanes on one word; 3.2 per lane where lanes access several words of a sector",
            ),
        },
        queues: Queues {
            mio_entries: measured(24, "H200, shared.cu").note(
                "a lower bound: ten warps with eight loads in flight each finish together, and two schedulers have three of the warps. One warp alone stalls after 30 stores of 32 passes, and eight warps of a scheduler after 80, which no single queue explains (depth.csv)",
            ),
            lg_entries: assumed(12, NO_QUEUE_DATA),
        },
        coalescing: measured(CoalescingRule::Sectors, "H200, 425 accesses counted"),
    },
    occupancy: OccupancyRules {
        max_warps_per_sm: vendor(64, "Programming Guide 12.6, Table 21"),
        max_blocks_per_sm: vendor(32, "Programming Guide 12.6, Table 21"),
        shared_unit_bytes: vendor(128, "cuda_occupancy.h"),
        shared_reserved_bytes: vendor(1024, "Programming Guide 12.6, 19.8"),
        shared_per_sm_kib: vendor(228, "Programming Guide 12.6, Table 21"),
        shared_static_kib: vendor(48, "Programming Guide 12.6, Table 21"),
        shared_optin_kib: vendor(227, "Programming Guide 12.6, Table 21"),
        carveouts_kib: vendor(
            kib_list(&[0, 8, 16, 32, 64, 100, 132, 164, 196, 228]),
            "Programming Guide 12.6, 19.8",
        )
        .note("a request is rounded up to the next size"),
        ..OCCUPANCY_GV100
    },
    limits: LIMITS,
};
