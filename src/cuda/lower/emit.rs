//! The final code: fills in registers, drops copies of a register to itself, shortens branches, and lays out
//! the blocks.

use super::allocate::Allocated;
use super::machine::{Code, FRAME_SIZE, Place, VInst, VOperand, VReg, VSrc, physical_pred, physical_src};
use engine::ids::Pc;
use engine::isa::{Instruction, Op, Operand, PT, Pred, PredSrc, RZ, Reg, Src};

/// A block of final instructions. Branch targets are block numbers.
#[derive(Clone, Debug, Default)]
struct Final {
    code: Vec<Instruction>,
    falls: bool,
}

/// The instructions in physical registers; branch targets are relative to the first instruction.
pub(super) fn emit(code: &Code, allocated: &Allocated) -> Vec<Instruction> {
    let mut blocks: Vec<Final> = code
        .blocks
        .iter()
        .map(|block| Final {
            code: block
                .insts
                .iter()
                .flat_map(|inst| physical(inst, allocated))
                .collect(),
            falls: block.falls,
        })
        .collect();
    let mut layout: Vec<usize> = code.layout.iter().map(|id| id.0 as usize).collect();
    while shorten(&mut blocks, &mut layout) {}
    place(&blocks, &layout)
}

/// Turns every second move of constants into the factors of matrix products into IMAD.MOV, which runs on the FMA lanes, as
/// nvcc 13 does for 9.0, and for 8.0 and 8.9 with up to four chains of products: these moves then issue one per cycle.
pub(super) fn alternate_moves(code: &mut [Instruction]) {
    let mut is_factor = [false; 256];
    for inst in code.iter().filter(|inst| matches!(inst.op, Op::Mma { .. })) {
        let widths = inst.op.source_widths();
        for (src, width) in inst.srcs.iter().zip(widths).take(2) {
            if let Operand::Reg(first) = src.operand
                && first != RZ
            {
                is_factor[usize::from(first.0)..][..usize::from(width)].fill(true);
            }
        }
    }
    let mut alternates = false;
    for inst in code {
        let is_constant = inst.op == Op::Mov
            && inst.guard == PredSrc::TRUE
            && is_factor[usize::from(inst.dst.0)]
            && matches!(inst.srcs[0].operand, Operand::Imm(_));
        alternates = is_constant && !alternates;
        if alternates {
            let zero = Src::reg(RZ);
            inst.op = Op::Imad {
                signed: false,
                high: false,
            };
            inst.srcs = [zero, zero, inst.srcs[0]];
        }
    }
}

fn physical(inst: &VInst, allocated: &Allocated) -> Vec<Instruction> {
    let frame_bytes = allocated.frame_bytes.div_ceil(16) * 16;
    let reg = |place: Place| Reg(allocated.bases[place.vreg.0 as usize] + place.unit);
    let pred = |vreg: VReg| Pred(allocated.bases[vreg.0 as usize]);
    let src = |src: VSrc| {
        let src = match src.operand {
            VOperand::Imm(FRAME_SIZE) => VSrc::imm(frame_bytes),
            VOperand::Imm(bits) if bits == FRAME_SIZE.wrapping_neg() => VSrc::imm(frame_bytes.wrapping_neg()),
            _ => src,
        };
        physical_src(src, reg)
    };
    let mut out = Instruction::new(inst.op);
    out.guard = physical_pred(inst.guard, pred);
    out.dst = inst.dst.map_or(RZ, reg);
    out.pdst = inst.pdst.map_or(PT, pred);
    out.srcs = inst.srcs.map(src);
    out.psrcs = inst.psrcs.map(|psrc| physical_pred(psrc, pred));
    out.offset = inst.offset;
    out.member_mask = src(inst.mask);
    out.span = inst.span;
    if inst.copy > 0 {
        if inst.pdst.is_some() {
            let idle = out.psrcs[0]
                == PredSrc {
                    pred: out.pdst,
                    negate: false,
                };
            return if idle { Vec::new() } else { vec![out] };
        }
        let Some(from) = inst.srcs[0].place() else {
            return vec![out];
        };
        let (to, from) = (out.dst, reg(from));
        if to == from {
            return Vec::new();
        }
        return (0..inst.copy)
            .map(|idx| {
                let mut word = out;
                word.dst = Reg(to.0 + idx);
                word.srcs[0] = Src::reg(Reg(from.0 + idx));
                word
            })
            .collect();
    }
    vec![out]
}

fn target_of(op: &mut Op) -> Option<&mut Pc> {
    match op {
        Op::Bra { target } | Op::Push { target, .. } | Op::Bssy { target, .. } => Some(target),
        _ => None,
    }
}

fn is_plain_branch(instruction: &Instruction) -> Option<usize> {
    match instruction.op {
        Op::Bra { target } if instruction.guard == PredSrc::TRUE => Some(target.0 as usize),
        _ => None,
    }
}

const fn inverted(guard: PredSrc) -> PredSrc {
    PredSrc {
        pred: guard.pred,
        negate: !guard.negate,
    }
}

/// One pass of branch improvements; returns whether it changed anything.
fn shorten(blocks: &mut [Final], layout: &mut Vec<usize>) -> bool {
    let mut changed = retarget_branches(blocks, layout);
    changed |= remove_unreachable(blocks, layout);
    for position in 0..layout.len() {
        changed |= remove_branch_to_next(blocks, layout, position)
            || put_back_edge_first(blocks, layout, position)
            || put_back_edge_before_exit(blocks, layout, position)
            || replace_branch_around_jump(blocks, layout, position);
    }
    changed
}

/// Retargets branches to a block that only branches further, or that only exits; returns whether any changed.
fn retarget_branches(blocks: &mut [Final], layout: &[usize]) -> bool {
    let mut changed = false;
    for idx in 0..blocks.len() {
        for at in 0..blocks[idx].code.len() {
            let Op::Bra { target } = blocks[idx].code[at].op else {
                continue;
            };
            let to = final_target(blocks, layout, target.0 as usize);
            let first = blocks[to].code.first().copied();
            if let Some(first) = first
                && first.guard == PredSrc::TRUE
                && matches!(first.op, Op::Exit)
            {
                let guard = blocks[idx].code[at].guard;
                blocks[idx].code[at].op = first.op;
                blocks[idx].code[at].guard = guard;
                changed = true;
                continue;
            }
            if to != target.0 as usize {
                blocks[idx].code[at].op = Op::Bra {
                    target: Pc(to as u32),
                };
                changed = true;
            }
        }
    }
    changed
}

/// The block where control arrives after the unconditional branches at `to`.
fn final_target(blocks: &[Final], layout: &[usize], mut to: usize) -> usize {
    let mut steps = 0;
    while steps < 64 {
        steps += 1;
        let next = match blocks[to].code.first() {
            Some(first) => is_plain_branch(first),
            None if blocks[to].falls => next_in(layout, to),
            None => None,
        };
        match next {
            Some(next) if next != to => to = next,
            _ => break,
        }
    }
    to
}

/// Removes unreachable blocks from the layout; returns whether there were any.
fn remove_unreachable(blocks: &mut [Final], layout: &mut Vec<usize>) -> bool {
    let mut reached = vec![false; blocks.len()];
    let mut open: Vec<usize> = layout.first().copied().into_iter().collect();
    while let Some(idx) = open.pop() {
        if std::mem::replace(&mut reached[idx], true) {
            continue;
        }
        for instruction in &mut blocks[idx].code {
            if let Some(target) = target_of(&mut instruction.op) {
                open.push(target.0 as usize);
            }
        }
        if blocks[idx].falls {
            open.extend(next_in(layout, idx));
        }
    }
    let before = layout.len();
    layout.retain(|idx| reached[*idx]);
    layout.len() != before
}

/// Removes a branch to the next block; returns whether there was one.
fn remove_branch_to_next(blocks: &mut [Final], layout: &[usize], position: usize) -> bool {
    let idx = layout[position];
    if let Some(last) = blocks[idx].code.last()
        && let Op::Bra { target } = last.op
        && falls_to(blocks, layout, position + 1, target.0 as usize)
    {
        blocks[idx].code.pop();
        blocks[idx].falls = true;
        return true;
    }
    false
}

/// Exchanges a loop exit and the back edge after it, so that an iteration has one branch; returns whether there
/// were such branches.
fn put_back_edge_first(blocks: &mut [Final], layout: &[usize], position: usize) -> bool {
    let idx = layout[position];
    let Some(next) = layout.get(position + 1).copied() else {
        return false;
    };
    if let Some(last) = blocks[idx].code.last().copied()
        && let Op::Bra { target: out } = last.op
        && last.guard != PredSrc::TRUE
        && blocks[idx].falls
        && let [only] = blocks[next].code[..]
        && let Some(back) = is_plain_branch(&only)
        && is_before(layout, back, position)
        && !is_before(layout, out.0 as usize, position)
        && num_references(blocks, next) == 0
    {
        let at = blocks[idx].code.len() - 1;
        blocks[idx].code[at].op = Op::Bra {
            target: Pc(back as u32),
        };
        blocks[idx].code[at].guard = inverted(last.guard);
        blocks[next].code[0].op = Op::Bra { target: out };
        return true;
    }
    false
}

/// The same as [`put_back_edge_first`] for an exit path that ends the thread.
fn put_back_edge_before_exit(blocks: &mut [Final], layout: &[usize], position: usize) -> bool {
    let idx = layout[position];
    let Some(next) = layout.get(position + 1).copied() else {
        return false;
    };
    if let Some(last) = blocks[idx].code.last().copied()
        && last.op == Op::Exit
        && last.guard != PredSrc::TRUE
        && blocks[idx].falls
        && let [only] = blocks[next].code[..]
        && let Some(back) = is_plain_branch(&only)
        && is_before(layout, back, position)
        && num_references(blocks, next) == 0
    {
        let at = blocks[idx].code.len() - 1;
        blocks[idx].code[at].op = only.op;
        blocks[idx].code[at].guard = inverted(last.guard);
        blocks[next].code[0].op = Op::Exit;
        return true;
    }
    false
}

/// Replaces a branch around a block that is a single jump by that jump under the inverted predicate; returns
/// whether there was one. The block is removed if it is reached only from here.
fn replace_branch_around_jump(blocks: &mut [Final], layout: &[usize], position: usize) -> bool {
    let idx = layout[position];
    let Some(next) = layout.get(position + 1).copied() else {
        return false;
    };
    if let Some(last) = blocks[idx].code.last().copied()
        && let Op::Bra { target } = last.op
        && last.guard != PredSrc::TRUE
        && blocks[idx].falls
        && blocks[next].code.len() == 1
        && !blocks[next].falls
        && falls_to(blocks, layout, position + 2, target.0 as usize)
    {
        let jump = blocks[next].code[0];
        let movable = matches!(jump.op, Op::Bra { .. } | Op::Exit | Op::Pop { .. });
        if movable && jump.guard == PredSrc::TRUE && num_references(blocks, next) == 0 {
            let at = blocks[idx].code.len() - 1;
            blocks[idx].code[at] = jump;
            blocks[idx].code[at].guard = inverted(last.guard);
            blocks[next].code.clear();
            blocks[next].falls = true;
            return true;
        }
    }
    false
}

/// Whether a block is at or before a position of the layout.
fn is_before(layout: &[usize], block: usize, position: usize) -> bool {
    layout[..=position].contains(&block)
}

fn num_references(blocks: &mut [Final], to: usize) -> usize {
    blocks
        .iter_mut()
        .flat_map(|block| &mut block.code)
        .filter(|instruction| {
            let mut op = instruction.op;
            target_of(&mut op).is_some_and(|target| target.0 as usize == to)
        })
        .count()
}

fn next_in(layout: &[usize], idx: usize) -> Option<usize> {
    let position = layout.iter().position(|other| *other == idx)?;
    layout.get(position + 1).copied()
}

/// Whether falling into the block at a position of the layout leads directly to `target`.
fn falls_to(blocks: &[Final], layout: &[usize], mut position: usize, target: usize) -> bool {
    while let Some(idx) = layout.get(position) {
        if *idx == target {
            return true;
        }
        if !blocks[*idx].code.is_empty() || !blocks[*idx].falls {
            return false;
        }
        position += 1;
    }
    false
}

fn place(blocks: &[Final], layout: &[usize]) -> Vec<Instruction> {
    let mut starts = vec![0u32; blocks.len()];
    let mut at = 0;
    for idx in layout {
        starts[*idx] = at;
        at += blocks[*idx].code.len() as u32;
    }
    let mut code: Vec<Instruction> = Vec::with_capacity(at as usize);
    for idx in layout {
        for instruction in &blocks[*idx].code {
            let mut instruction = *instruction;
            if let Some(target) = target_of(&mut instruction.op) {
                *target = Pc(starts[target.0 as usize]);
            }
            code.push(instruction);
        }
    }
    // A program must end, even if control falls out of its last block.
    let ends = code.last().is_some_and(|last| {
        last.guard == PredSrc::TRUE && matches!(last.op, Op::Exit | Op::Bra { .. } | Op::Ret | Op::Trap)
    });
    if !ends {
        code.push(Instruction::new(Op::Exit));
    }
    code
}
