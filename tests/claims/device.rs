//! Whole devices: F13 of the Fermi guide, and what an H200 did with the blocks of grids (`tests/golden/device_h200.csv`).

use std::collections::BTreeSet;
use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::device::{DeviceSimulation, DeviceTrace};

use super::runs::{check_list, floats, launch};

#[test]
fn every_claim_is_tested_or_has_a_reason() {
    check_list(include_str!("device.rs"), &[], &[('f', 13..=13)]);
}

/// Runs a launch on all SMs of a product.
fn on_device(source: &str, arch: ArchId, launch: &Launch) -> DeviceTrace {
    let compiled = compile(source, None, arch, &CompileOptions::default()).expect("a correct kernel");
    let program = Arc::new(compiled.program);
    let (model, options) = (architecture(arch), MachineOptions::default());
    let num_sms = model.chip.num_sms.value;
    let mut simulation =
        DeviceSimulation::new(model, program, launch, options, num_sms).expect("a legal launch");
    simulation.advance(u64::MAX);
    let trace = simulation.trace();
    assert_eq!(trace.outcome, Some(Outcome::Finished), "{arch}");
    trace
}

const CHAIN: &str = "__global__ void chain(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 400; ++k) x = x * 0.5f + 1;
    out[i] = x;
}";

fn chain(arch: ArchId, blocks: u32) -> DeviceTrace {
    let args = vec![floats(blocks * 64, Role::In), floats(blocks * 64, Role::Out)];
    on_device(CHAIN, arch, &launch(blocks, 64, 0, args))
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
