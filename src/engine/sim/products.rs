//! Runs of matrix products, during which a scheduler stays with one warp.
//!
//! NVIDIA's compiler sets the stall count of each instruction of fixed latency, and a mark that yields to other warps. Before
//! and between products, the mark is absent for stalls of at most two cycles, and for a product that the next product can
//! follow at once (code of nvcc 13 for 9.0). During such a stall, no other warp issues, and then the same warp has
//! precedence. On an H100, this is visible in two ways: the warps of a scheduler are not in step, so that one multiplies
//! while another branches, and moves before the products of a warp delay the products of others (`hmma.csv`,
//! `hmma_loaded.csv`).

use super::decode::{Decoded, Kind, block_starts};
use crate::arch::PipeKind;

/// Maximum stall in cycles of other instructions than products for which a scheduler stays with the warp.
const MAX_STALL: u64 = 2;

/// Sets the stalls during which a scheduler stays with the warp, in basic blocks with products.
pub(super) fn note_stays(instructions: &mut [Decoded]) {
    if !instructions.iter().any(Decoded::is_fixed_product) {
        return;
    }
    let issues = issues_alone(instructions);
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    // Whether a product of the block follows.
    let mut is_before_product = false;
    for pc in (1..instructions.len()).rev() {
        let [last, next] = &mut instructions[pc - 1..=pc] else {
            continue;
        };
        is_before_product |= next.is_fixed_product();
        if starts_block[pc] || last.kind == Kind::Control {
            is_before_product = false;
        }
        let is_arithmetic = matches!(last.kind, Kind::Arithmetic | Kind::BankedArithmetic);
        if !is_before_product || !is_arithmetic || !last.fixed_latency {
            continue;
        }
        let busy = if last.pipe == next.pipe { last.occupancy } else { 1 };
        let stall = busy.max(issues[pc] - issues[pc - 1]);
        let is_run = last.is_fixed_product() && next.is_fixed_product() && stall == last.occupancy;
        if is_run || stall <= MAX_STALL {
            last.stays = stall;
        }
    }
}

/// The issue cycle of each instruction if a single warp runs through the program.
pub(super) fn issues_alone(instructions: &[Decoded]) -> Vec<u64> {
    let starts_block = block_starts(instructions.iter().map(|decoded| &decoded.instruction));
    // The ready cycle of each result, and the cycle in which the tensor core is free.
    let mut ready = vec![0_u64; 512];
    let mut free = 0;
    let mut issued = 0;
    let mut issues = Vec::with_capacity(instructions.len());
    for (pc, decoded) in instructions.iter().enumerate() {
        // Earlier results count as ready at the start of a basic block: loop iterations align the dependency
        // chains.
        if starts_block[pc] {
            for time in &mut ready {
                *time = (*time).min(issued);
            }
        }
        let reads = decoded.reads().as_flattened().iter();
        let first = reads.map(|entry| ready[usize::from(*entry)]).fold(0, u64::max);
        issued = first.max(issued + 1);
        if decoded.pipe == PipeKind::Tensor {
            issued = issued.max(free);
            free = issued + decoded.occupancy;
        }
        for entry in decoded.writes() {
            ready[usize::from(*entry)] = issued + decoded.latency;
        }
        issues.push(issued);
    }
    issues
}
