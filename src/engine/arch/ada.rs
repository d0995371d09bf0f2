//! Ada: AD102 (8.9). The SM of 8.6 with more resident blocks and an L2 twelve times as large.

use super::ampere::{
    ATOMICS, COALESCING, CONSTANT, DEVICE_GA100, FP32_LANES_DOUBLED, FP64_LANES, FP64_ON_TWO_LANES, HOLDS,
    INT_LANES_SHARED, ISSUE, L1_GA100, L2_GA100, LSU_LANES, LSU_OCCUPANCY, OCCUPANCY_GA102, QUEUES, SHARED,
    TABLE, TENSOR_CORES, UNITS, XU_LANES, rows_of_8x,
};
use super::host::LINK;
use super::pascal::LIMITS;
use super::sourced::{assumed, derived, repository, vendor, web};
use super::volta::{ADU, BRANCH};
use super::{
    ArchId, Architecture, Chip, ComputeCapability, DeviceMemory, Floor, Generation, Host, Issue, L1,
    L1Capacity, L2, Mechanisms, Memory, NO_LAUNCH_DATE, NO_PAIRS, OccupancyRules, OpClass, OpCost, Pipe,
    PipeKind, Sourced, costs, fixed, per_scheduler, rate, scoreboard,
};

const L1_LATENCY: Sourced<u16> = repository(40, "AI_kernels latencies").note("measured on an RTX 4090");

static PIPES: [Pipe; 9] = [
    FP32_LANES_DOUBLED,
    INT_LANES_SHARED,
    FP64_LANES,
    XU_LANES,
    per_scheduler(
        PipeKind::Fp16,
        1,
        derived(
            16,
            TABLE,
            "128 results per clock per SM: 16 pairs for each of four partitions",
        ),
    ),
    TENSOR_CORES,
    LSU_LANES,
    ADU,
    BRANCH,
];

static ROWS: [(&[OpClass], OpCost); 26] = rows_of_8x!(
    fp32: rate(4, 128, TABLE),
    fp32_latency: repository(4, "GPU-Project microbenchmarks (RTX 4070)").note("4.05"),
    int: assumed(4, "no source found; assumed equal to A100 (Abdelkhalik et al. 2022)"),
    int_mul: assumed(4, "no source found; assumed equal to single precision, which runs on the same lanes"),
    fp16: fixed(
        PipeKind::Fp16,
        derived(2, TABLE, "a warp instruction produces 64 results, in pairs, at 128 per clock per SM, on four partitions"),
        assumed(4, "no source found; assumed equal to single precision"),
    ),
    fp64: FP64_ON_TWO_LANES, convert64: FP64_ON_TWO_LANES,
    bit_field: rate(4, 64, TABLE),
    branch: assumed(1, "no rate found; assumed one decision per clock"),
    shared: assumed(23, "no source found; assumed equal to an RTX 3060, A100, and an H200"),
    l1: L1_LATENCY, l2: 296, atomic: 332,
    tensor: scoreboard(
        PipeKind::Tensor,
        assumed(16, "no source found; assumed equal to HMMA.16816 on 8.6"),
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

/// AD102, the chip of the `GeForce` RTX 4090.
pub(super) static AD102: Architecture = Architecture {
    id: ArchId::Ad102,
    mechanisms: Mechanisms::COPIES,
    name: "Ada AD102",
    generation: Generation::Ada,
    compute_capability: ComputeCapability { major: 8, minor: 9 },
    year: assumed(2022, NO_LAUNCH_DATE),
    floor: Floor::of_gpcs(
        assumed(
            &[12, 12, 12, 12, 12, 12, 12, 12, 12, 10, 10],
            "128 SMs in 11 of 12 GPCs (The FPS Review, RTX 4090); which GPCs have fewer is not published",
        ),
        assumed(2, "as in GA102"),
    ),
    memory_stacks: None,
    host: Host::of(
        890,
        web(2, "deviceQuery outputs, RTX 4090"),
        assumed(31.5, LINK),
        Some(assumed(25.5, "as on the A100, which has the same PCIe link")),
    ),
    chip: Chip {
        example_part: web("GeForce RTX 4090", "RTX 4090 launch articles"),
        num_sms: web(128, "RTX 4090 launch articles").note("the full chip has 144"),
        sm_clock_mhz: web(2520, "RTX 4090 launch articles").note("boost clock"),
        dram_bits: web(384, "RTX 4090 launch articles"),
        dram_gb_per_s: web(1008.0, "RTX 4090 launch articles"),
    },
    issue: Issue {
        pairing: NO_PAIRS,
        dispatches: assumed(1, "assumed equal to A100 (A100 white paper)"),
        ..ISSUE
    },
    pipes: &PIPES,
    costs: costs(&ROWS),
    memory: Memory {
        shared: SHARED,
        partitions: None,
        unit_gate: None,
        eight_byte_banks: None,
        l1: Some(L1 {
            capacity: vendor(L1Capacity::Unified(128), UNITS),
            hit_latency_cycles: L1_LATENCY,
            ..L1_GA100
        }),
        l2: Some(L2 {
            capacity_kib: repository(73728, "AI_kernels latencies"),
            hit_latency_cycles: repository(296, "AI_kernels latencies").note("measured on an RTX 4090"),
            bytes_per_cycle: assumed(
                1536,
                "no source found; assumed equal to GA102, whose bus is as wide",
            ),
            ..L2_GA100
        }),
        device: DeviceMemory {
            latency_cycles: repository(636, "AI_kernels latencies").note("measured on an RTX 4090"),
            ..DEVICE_GA100
        },
        constant: CONSTANT,
        texture: None,
        atomics: ATOMICS,
        queues: QUEUES,
        coalescing: COALESCING,
    },
    occupancy: OccupancyRules {
        max_blocks_per_sm: vendor(24, HOLDS),
        ..OCCUPANCY_GA102
    },
    limits: LIMITS,
};
