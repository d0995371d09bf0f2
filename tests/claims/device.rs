//! Whole devices: F13 of the Fermi guide, what an H200 did with the blocks of grids
//! (`tests/golden/device_h200.csv`), and the bandwidth of L2 over the SMs of an H100 (`device_h100.csv`).

use std::collections::{BTreeMap, BTreeSet};

use cuda::compile;
use engine::arch::{ArchId, Architecture, Chip, Sourced, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::device::{DeviceSimulation, DeviceTrace};

use super::occupancy::LONG;
use super::runs::{check_list, floats, int, launch};

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(include_str!("device.rs"), &[], &[('f', 13..=13)]);
}

/// Runs a launch on all SMs of a product.
fn on_device(source: &str, arch: ArchId, launch: &Launch) -> DeviceTrace {
    on_product(source, None, architecture(arch), launch)
}

/// Runs a launch of a kernel on all SMs of a product that can differ from the architecture's.
fn on_product(
    source: &str,
    kernel: Option<&str>,
    model: &'static Architecture,
    launch: &Launch,
) -> DeviceTrace {
    let arch = model.id;
    let compiled = compile(source, kernel, arch, &CompileOptions::default()).expect("a correct kernel");
    let program = compiled.program;
    let options = MachineOptions::default();
    let num_sms = model.chip.num_sms.value;
    let mut simulation =
        DeviceSimulation::new(model, &program, launch, options, num_sms).expect("a legal launch");
    simulation.advance(u64::MAX);
    let trace = simulation.trace();
    assert_eq!(trace.outcome, Some(Outcome::Finished), "{arch}");
    trace
}

fn chain(arch: ArchId, blocks: u32) -> DeviceTrace {
    let args = vec![floats(blocks * 64, Role::In), floats(blocks * 64, Role::Out)];
    on_device(LONG, arch, &launch(blocks, 64, 0, args))
}

/// A 1.x device runs one kernel at a time: with fewer blocks than multiprocessors, the others stay idle, and more
/// blocks take no more time until each multiprocessor has one.
#[test]
fn claim_f13_a_grid_needs_a_block_for_each_multiprocessor() {
    for (arch, num_sms) in [(ArchId::G80, 16), (ArchId::Gt200, 30)] {
        let used = |trace: &DeviceTrace| {
            trace
                .blocks
                .iter()
                .map(|span| span.sm)
                .collect::<BTreeSet<_>>()
                .len()
        };
        let (half, full) = (chain(arch, num_sms / 2), chain(arch, num_sms));
        assert_eq!(
            (used(&half), used(&full)),
            (num_sms as usize / 2, num_sms as usize),
            "{arch}"
        );
        let longer = full.num_cycles as f64 / half.num_cycles as f64;
        assert!((0.99..1.05).contains(&longer), "{arch}: {longer}");
    }
}

/// A kernel whose blocks occupy half or all of an SM's shared memory and spin.
const SPIN: &str = r#"__global__ void spin(unsigned *sm) {
    extern __shared__ char pad[];
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    if (threadIdx.x == 0) { sm[blockIdx.x] = id; pad[0] = 0; }
    long long t = clock64();
    while (clock64() - t < 4000);
}"#;

/// The numbers of blocks, the most and the fewest on an SM, the time in units of one block, and the first SMs.
struct Measured {
    fit: u32,
    blocks: u32,
    most: usize,
    fewest: usize,
    waves: f64,
    first: Vec<u16>,
}

fn measured() -> Vec<Measured> {
    let text = include_str!("../golden/device_h200.csv");
    let row = |line: &str| {
        let line = line.strip_prefix("blocks_fit")?;
        let (fit, rest) = line.split_once("_ns,")?;
        let mut cells = rest.split(',');
        let (blocks, ns) = (cells.next()?.parse().ok()?, cells.next()?.parse::<f64>().ok()?);
        let words: Vec<&str> = cells.next()?.split(' ').collect();
        Some(Measured {
            fit: fit.parse().ok()?,
            blocks,
            most: words[4].parse().ok()?,
            fewest: words[6].parse().ok()?,
            // 20,000 cycles of the clock took this long in the smallest grid.
            waves: ns / 10_240.0,
            first: words[8..].iter().filter_map(|word| word.parse().ok()).collect(),
        })
    };
    text.lines().filter_map(row).collect()
}

/// Blocks per SM and waves are as on an H200. The first eight blocks go to the same SMs; which group of SMs comes then
/// differs from launch to launch on the H200.
#[test]
fn blocks_go_to_the_sms_as_on_an_h200() {
    let all = measured();
    assert_eq!(all.len(), 12);
    let wave = 4_000.0;
    for row in all {
        let out = Argument::Buffer {
            elem: ElemType::U32,
            len: row.blocks,
            fill: Fill::of(Pattern::Zero),
            role: Role::Out,
            start: 0,
        };
        let trace = on_device(
            SPIN,
            ArchId::Gh100,
            &launch(row.blocks, 128, 220 * 1024 / row.fit, vec![out]),
        );
        assert_eq!(trace.blocks_per_sm, row.fit);
        let counts = (0..trace.num_sms).map(|sm| trace.blocks_of(sm).count());
        let name = format!("{} blocks, {} fit", row.blocks, row.fit);
        assert_eq!(counts.clone().max(), Some(row.most), "{name}");
        assert_eq!(counts.min(), Some(row.fewest), "{name}");
        let waves = trace.num_cycles as f64 / wave;
        assert!(
            (waves / row.waves - 1.0).abs() < 0.08,
            "{name}: {waves} for {}",
            row.waves
        );
        let first = |sms: &mut dyn Iterator<Item = u16>| sms.take(8).collect::<BTreeSet<_>>();
        let ours = first(&mut trace.blocks.iter().map(|span| span.sm));
        assert_eq!(ours, first(&mut row.first.iter().copied()), "{name}");
    }
}

/// SMs that are set in a mask read from L2, each its own part; the others return.
const READ: &str = r#"__global__ void work(const uint4 *p, int per, int passes, unsigned m0, unsigned m1, unsigned m2,
                                          unsigned m3, unsigned m4, unsigned *out) {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    unsigned m[5] = {m0, m1, m2, m3, m4};
    unsigned me = 0;
    for (int k = 0; k < 5; k++) {
        unsigned below = id >= 32 * k + 32 ? 0xffffffff : id < 32 * k ? 0 : (1u << id % 32) - 1;
        me += __popc(m[k] & below);
        if (id / 32 == k && !(m[k] >> id % 32 & 1)) return;
    }
    const uint4 *q = p + per * me;
    unsigned s = 0;
    for (int r = 0; r < passes; r++)
        for (int i = threadIdx.x; i < per; i += 4 * blockDim.x) {
            uint4 a = __ldcg(q + i), b = __ldcg(q + i + blockDim.x);
            uint4 c = __ldcg(q + i + 2 * blockDim.x), d = __ldcg(q + i + 3 * blockDim.x);
            s ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
        }
    if (s == 12345) out[0] = s;
}"#;

/// Bytes per clock that some SMs of GH100 read from L2, from the difference of two runs.
fn l2_bytes_per_cycle(sms: &[usize]) -> f64 {
    const PER: u32 = 8192;
    let mut masks = [0_u32; 5];
    for sm in sms {
        masks[sm / 32] |= 1 << (sm % 32);
    }
    let num = sms.len() as u32;
    let cycles = |passes: u32| {
        let buffer = |len: u32, role: Role| Argument::Buffer {
            elem: ElemType::U32,
            len,
            fill: Fill::of(Pattern::Zero),
            role,
            start: 0,
        };
        let mut args = vec![buffer(num * PER * 4, Role::In), int(PER), int(passes)];
        args.extend(masks.map(int));
        args.push(buffer(1, Role::Out));
        on_device(READ, ArchId::Gh100, &launch(132, 1024, 120 * 1024, args)).num_cycles
    };
    let (few, many) = (cycles(4), cycles(12));
    f64::from(8 * PER * 16 * num) / (many - few) as f64
}

/// One SM is bounded by its port, a group of SMs by the group's port, and several groups add up.
#[test]
fn l2_bandwidth_over_sms_is_as_on_an_h100() {
    let text = include_str!("../golden/device_h100.csv");
    let measured = |name: &str| -> f64 {
        let row = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(','));
        // GB/s at 1,980 MHz.
        row.and_then(|value| value.parse::<f64>().ok())
            .expect("a measured row")
            / 1.98
    };
    let group = |sm: &usize| match *sm {
        sm if sm < 64 => sm % 16 / 2,
        sm if sm < 120 => (sm - 64) % 14 / 2 + 1,
        _ => 8,
    };
    let of = |idx: usize, num: usize| {
        (0..132)
            .filter(|sm| group(sm) == idx)
            .take(num)
            .collect::<Vec<_>>()
    };
    let each = |num: usize| (1..8).flat_map(|idx| of(idx, num)).collect::<Vec<_>>();
    let rows = [
        ("l2_one_sm,5", vec![5]),
        ("l2_group6,2", of(6, 2)),
        ("l2_group6,4", of(6, 4)),
        ("l2_group6,8", of(6, 8)),
        ("l2_group6,16", of(6, 16)),
        ("l2_group0,8", of(0, 8)),
        ("l2_singles,8", of(8, 8)),
        ("l2_seven_groups_each,1", each(1)),
        ("l2_seven_groups_each,2", each(2)),
    ];
    // Where the port bounds them, the H100's rates are raised to the port of the H200, which the model has.
    let port = f64::from(
        architecture(ArchId::Gh100)
            .floor()
            .port_bytes_per_cycle
            .expect("a known port")
            .value,
    );
    for (name, sms) in rows {
        let free = 127.0 * sms.len() as f64;
        let h100 = measured(name);
        let theirs = if h100 < 0.9 * free {
            h100 * port / 551.0
        } else {
            h100
        };
        let ours = l2_bytes_per_cycle(&sms);
        let error = ours / theirs - 1.0;
        assert!(
            error.abs() < 0.07,
            "{name}: {ours:.0} B per cycle, measured {theirs:.0}: {:.1} %",
            100.0 * error
        );
    }
}

/// GB/s that a kernel of `forms.cu` reads with a number of blocks, from the difference of two runs.
fn gb_per_s(model: &'static Architecture, kernel: &str, is_l2: bool, blocks: u32) -> f64 {
    let source = include_str!("../microbenchmarks/forms.cu")
        .split_once("__global__ void where")
        .map_or("", |(kernels, _)| kernels)
        .replace("#include <algorithm>", "")
        .replace("#include <cstdio>", "")
        .replace("#include <vector>", "");
    let elem = if matches!(kernel, "words" | "vectors") {
        ElemType::F32
    } else {
        ElemType::U32
    };
    let buffer = |len: u32, role: Role| Argument::Buffer {
        elem,
        len,
        fill: Fill::of(Pattern::Zero),
        role,
        start: 0,
    };
    let cycles = |per: u32, passes: u32| {
        let args = vec![
            buffer(blocks * per * 4, Role::In),
            Argument::Scalar {
                ty: ElemType::U64,
                bits: u64::from(per) * if kernel == "words" { 4 } else { 1 },
            },
            int(passes),
            buffer(1, Role::Out),
        ];
        let launch = launch(blocks, 1024, 0, args);
        on_product(&source, Some(kernel), model, &launch).num_cycles
    };
    let (vectors, longer) = if is_l2 {
        (4 * 8192, cycles(8192, 8) - cycles(8192, 4))
    } else {
        (65_536, cycles(98_304, 1) - cycles(32_768, 1))
    };
    let gigahertz = f64::from(model.chip.sm_clock_mhz.value) / 1000.0;
    f64::from(vectors * 16 * blocks) / longer as f64 * gigahertz
}

/// Rows `curve,blocks,GB/s` of a file.
fn bandwidths(text: &'static str) -> BTreeMap<(&'static str, u32), f64> {
    let row = |line: &'static str| {
        let mut cells = line.split(',');
        let key = (cells.next()?, cells.next()?.parse().ok()?);
        Some((key, cells.next()?.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

/// One block of 1,024 threads on each of 1 to 96 SMs, by the kernel that was measured on an H200.
#[test]
fn bandwidth_over_sms_is_as_on_an_h200() {
    let measured = bandwidths(include_str!("../golden/device_h200.csv"));
    let mut num_rows = 0;
    for ((curve, blocks), theirs) in measured {
        let is_l2 = match curve {
            "l2_read_gb_s" => true,
            "dram_read_gb_s" => false,
            _ => continue,
        };
        let ours = gb_per_s(architecture(ArchId::Gh100), "stream", is_l2, blocks);
        let error = ours / theirs - 1.0;
        assert!(
            error.abs() < 0.07,
            "{curve} of {blocks} SMs: {ours:.0} GB/s, measured {theirs:.0}: {:.1} %",
            100.0 * error
        );
        num_rows += 1;
    }
    assert_eq!(num_rows, 10);
}

/// The H100: as the H200, but five stacks of memory at 2,619 MHz.
fn h100() -> &'static Architecture {
    let model = architecture(ArchId::Gh100);
    let chip = Chip {
        dram_bits: Sourced {
            value: 5120,
            ..model.chip.dram_bits
        },
        dram_gb_per_s: Sourced {
            value: 3352.0,
            ..model.chip.dram_gb_per_s
        },
        ..model.chip
    };
    let mut product = model.clone();
    product.chip = chip;
    Box::leak(Box::new(product))
}

/// The same for other forms of the kernel, which were measured on an H100, within 15 %. Device memory: beside the model with an H100's
/// memory. L2, whose clock differs between the two: beside the H100's rates times the ratio of the products' rates with the
/// kernel that was measured on both.
#[test]
fn bandwidth_of_other_kernels_is_as_on_an_h100() {
    let measured = bandwidths(include_str!("../golden/forms_h100.csv"));
    let both = bandwidths(include_str!("../golden/device_h200.csv"));
    for kernel in ["whole", "words", "vectors"] {
        // The time to simulate grows with the blocks.
        let counts: &[u32] = if corpus::takes_all_rows() {
            &[1, 16, 48, 96]
        } else {
            &[1, 48]
        };
        for blocks in counts.iter().copied() {
            let find = |name: &str| {
                let found = measured
                    .iter()
                    .find(|((curve, num), _)| *curve == name && *num == blocks);
                *found.expect("a measured row").1
            };
            let dram = find(&format!("dram_{kernel}"));
            let ratio = both[&("l2_read_gb_s", blocks)] / find("l2_stream");
            let l2 = find(&format!("l2_{kernel}")) * ratio;
            for (is_l2, model, theirs) in [(false, h100(), dram), (true, architecture(ArchId::Gh100), l2)] {
                let ours = gb_per_s(model, kernel, is_l2, blocks);
                let error = ours / theirs - 1.0;
                assert!(
                    error.abs() < 0.15,
                    "{kernel}, L2 {is_l2}, {blocks} SMs: {ours:.0} GB/s, measured {theirs:.0}: {:.1} %",
                    100.0 * error
                );
            }
        }
    }
}

/// GB/s that a kernel of `strides.cu` moves with a number of blocks, from the difference of two runs.
fn strided_gb_per_s(model: &'static Architecture, kernel: &str, is_l2: bool, blocks: u32) -> f64 {
    let source = include_str!("../microbenchmarks/strides.cu")
        .split_once("int main")
        .map_or("", |(kernels, _)| kernels)
        .replace("#include <algorithm>", "")
        .replace("#include <cstdio>", "");
    let buffer = |len: u32, role: Role| Argument::Buffer {
        elem: ElemType::F32,
        len,
        fill: Fill::of(Pattern::Zero),
        role,
        start: 0,
    };
    let cycles = |vectors: u32, passes: u32| {
        let (words, writes) = (blocks * vectors * 4, matches!(kernel, "copy" | "fill"));
        let args = vec![
            buffer(words, Role::In),
            Argument::Scalar {
                ty: ElemType::U64,
                bits: u64::from(words) / if kernel == "words" { 1 } else { 4 },
            },
            int(passes),
            buffer(if writes { words } else { 1 }, Role::Out),
        ];
        on_product(&source, Some(kernel), model, &launch(blocks, 1024, 0, args)).num_cycles
    };
    let (vectors, longer) = if is_l2 {
        (2 * 8192, cycles(8192, 4) - cycles(8192, 2))
    } else {
        (32_768, cycles(49_152, 1) - cycles(16_384, 1))
    };
    let gigahertz = f64::from(model.chip.sm_clock_mhz.value) / 1000.0;
    let bytes = f64::from(vectors * 16 * blocks) * if kernel == "copy" { 2.0 } else { 1.0 };
    bytes / longer as f64 * gigahertz
}

/// Rows of `strides_h100.csv` that are more than 15 % off, with the difference in percent. Loads and stores in turn delay each
/// other in another way on the chip. The measured values for L2 are scaled by what two chips read, which fits loads.
const STRIDED_MISSES: [(&str, u32, f64); 3] = [
    ("l2_copy", 1, 18.6),
    ("dram_copy", 48, 38.6),
    ("l2_fill", 16, -18.1),
];

/// The same for grid-stride loops that read, copy, and fill: loops that read are within 12 %, those of device memory within 7 %.
#[test]
fn bandwidth_of_grid_stride_loops_is_as_on_an_h100() {
    let measured = bandwidths(include_str!("../golden/strides_h100.csv"));
    let forms = bandwidths(include_str!("../golden/forms_h100.csv"));
    let both = bandwidths(include_str!("../golden/device_h200.csv"));
    let mut faults = Vec::new();
    for kernel in ["words", "vectors", "copy", "fill"] {
        for (blocks, is_l2) in [1, 16, 48]
            .into_iter()
            .flat_map(|blocks| [(blocks, false), (blocks, true)])
        {
            let curve = format!("{}_{kernel}", if is_l2 { "l2" } else { "dram" });
            let mut theirs = measured[&(curve.as_str(), blocks)];
            let mut model = h100();
            if is_l2 {
                theirs *= both[&("l2_read_gb_s", blocks)] / forms[&("l2_stream", blocks)];
                model = architecture(ArchId::Gh100);
            }
            let ours = strided_gb_per_s(model, kernel, is_l2, blocks);
            let off = 100.0 * (ours / theirs - 1.0);
            let miss = STRIDED_MISSES
                .iter()
                .find(|(name, num, _)| *name == curve && *num == blocks);
            let is_expected = match miss {
                Some((_, _, expected)) => (off - expected).abs() < 3.0,
                None => off.abs() < 15.0,
            };
            if !is_expected {
                faults.push(format!(
                    "{curve}, {blocks} blocks: {ours:.0} GB/s, measured {theirs:.0}: {off:+.1} %"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
