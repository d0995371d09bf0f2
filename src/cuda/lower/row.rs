//! Orders long sequences of arithmetic. A warp issues in program order. If it has several independent chains,
//! instructions of one chain issue while those of another wait.
//!
//! This pass orders only sequences without memory accesses that are longer than the bodies of most loops in the
//! source. Shorter sequences keep the source's order, which a reader can follow; other warps hide their
//! latency.

use super::machine::{Code, VInst, VOperand, VReg};
use super::schedule::{Effect, Numbers, dependences, effect, feeds, general_units, reads, writes};
use engine::arch::{Architecture, OpClass, OpCost, PipeKind};

/// Minimum length of a sequence in instructions.
const MIN_LENGTH: usize = 16;
/// Maximum length of a sequence in instructions.
const MAX_LENGTH: usize = 3000;
/// Cycles from a branch's predicate to the branch's decision. More than one sequence can wait for the branch.
const BRANCH_DELAY: u64 = 8;
/// Maximum number of instructions that an instruction moves past.
const WINDOW: usize = 32;

/// Orders the instructions of each long sequence.
pub(super) fn order_rows(code: &mut Code, arch: &Architecture) {
    for idx in 0..code.blocks.len() {
        let insts = &code.blocks[idx].insts;
        let length = (insts.iter())
            .position(|inst| !is_arithmetic(inst, code))
            .unwrap_or(insts.len());
        let ends = insts[length..]
            .iter()
            .all(|inst| inst.copy > 0 || inst.op.is_control());
        if !ends || !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
            continue;
        }
        let row = insts[..length].to_vec();
        // Predicates that the branch after the sequence reads.
        let ends: Vec<VReg> = (insts[length..].iter())
            .flat_map(|inst| inst.read_predicates().collect::<Vec<_>>())
            .collect();
        let order = order_of(&row, &ends, code, arch);
        let ordered: Vec<VInst> = order.into_iter().map(|at| row[at]).collect();
        if registers_of(&ordered, code) <= registers_of(&row, code) {
            code.blocks[idx].insts.splice(..length, ordered);
        }
    }
}

fn is_arithmetic(inst: &VInst, code: &Code) -> bool {
    let mut is_free = true;
    let mut look = |vreg: VReg| is_free &= code.info(vreg).fixed.is_none();
    reads(inst, code, &mut look);
    writes(inst, code, &mut look);
    is_free && inst.copy == 0 && !inst.op.is_control() && !inst.op.is_memory() && effect(inst) == Effect::None
}

fn cost<'a>(inst: &VInst, arch: &'a Architecture) -> Option<&'a OpCost> {
    arch.cost(
        if inst.op.is_plain_addition() && inst.srcs[2].operand == VOperand::Zero {
            OpClass::IntAddTwo
        } else {
            inst.op.class()
        },
    )
}

/// The new order: each step takes the instruction that can issue first and, among those, the one on which most
/// others depend. `ends`: predicates that instructions after the sequence read.
fn order_of(row: &[VInst], ends: &[VReg], code: &Code, arch: &Architecture) -> Vec<usize> {
    let (after, mut before) = dependences(row, code);
    let costs: Vec<(u64, u64, Option<PipeKind>)> = (row.iter())
        .map(|inst| {
            cost(inst, arch).map_or((1, 1, None), |cost| {
                let (occupancy, latency) = (cost.occupancy_cycles.value, cost.latency_cycles.value);
                (occupancy.into(), latency.into(), Some(cost.pipe))
            })
        })
        .collect();
    let delay = |at: usize, next: usize| if feeds(row, at, next) { costs[at].1 } else { 1 };
    let mut height = vec![0; row.len()];
    for at in (0..row.len()).rev() {
        let decides = row[at].pdst.is_some_and(|vreg| ends.contains(&vreg));
        height[at] = (after[at].iter())
            .map(|next| delay(at, *next) + height[*next])
            .max()
            .unwrap_or(0)
            .max(if decides { costs[at].1 + BRANCH_DELAY } else { 0 });
    }
    let mut ready_at = vec![0; row.len()];
    let mut free_at: Vec<(PipeKind, u64)> = Vec::new();
    let mut waiting: Vec<usize> = (0..row.len()).collect();
    let mut order = Vec::with_capacity(row.len());
    let mut now = 0;
    while !waiting.is_empty() {
        let starts = |at: usize| {
            let pipe_free = |pipe| free_at.iter().find(|(kind, _)| *kind == pipe);
            let free = costs[at].2.and_then(pipe_free).map_or(0, |(_, free)| *free);
            free.max(ready_at[at]).max(now)
        };
        let pick = (waiting.iter().take(WINDOW).enumerate())
            .filter(|(_, at)| before[**at] == 0)
            .min_by_key(|(_, at)| (starts(**at), std::cmp::Reverse(height[**at]), **at))
            .map_or(0, |(slot, _)| slot);
        let start = starts(waiting[pick]);
        let at = waiting.remove(pick);
        order.push(at);
        now = start + 1;
        if let (occupancy, _, Some(pipe)) = costs[at] {
            free_at.retain(|(kind, _)| *kind != pipe);
            free_at.push((pipe, start + occupancy));
        }
        for next in &after[at] {
            before[*next] -= 1;
            ready_at[*next] = ready_at[*next].max(start + delay(at, *next));
        }
    }
    order
}

/// Maximum live registers of a sequence; a result that the sequence does not read is assumed to be read after
/// it.
fn registers_of(row: &[VInst], code: &Code) -> u32 {
    let numbers = Numbers::of(row, code);
    let mut reads_left = vec![0_u32; numbers.len()];
    let mut defined = vec![false; numbers.len()];
    for inst in row {
        reads(inst, code, |vreg| reads_left[numbers.number(vreg)] += 1);
        writes(inst, code, |vreg| defined[numbers.number(vreg)] = true);
    }
    let units = |idx: usize| general_units(code, numbers.all()[idx]);
    let mut alive: Vec<bool> = (0..numbers.len())
        .map(|idx| reads_left[idx] > 0 && !defined[idx])
        .collect();
    let mut now: u32 = (0..alive.len()).filter(|idx| alive[*idx]).map(units).sum();
    let mut most = now;
    for inst in row {
        reads(inst, code, |vreg| {
            let idx = numbers.number(vreg);
            reads_left[idx] -= 1;
            if reads_left[idx] == 0 && alive[idx] {
                alive[idx] = false;
                now -= units(idx);
            }
        });
        writes(inst, code, |vreg| {
            let idx = numbers.number(vreg);
            if !alive[idx] {
                alive[idx] = true;
                now += units(idx);
            }
        });
        most = most.max(now);
    }
    most
}
