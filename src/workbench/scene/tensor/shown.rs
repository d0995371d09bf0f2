//! The matrix product that the Tensor view shows at a cycle, and its values.

use engine::ids::{Cycle, Pc, SlotIdx};
use engine::isa::{Instruction, Mma, MmaKind, Op, Operand, Program, RZ, Reg};
use engine::sim::Machine;
use engine::sim::exec::tensor::{Lanes, Sum, factor_value, multiply, products_at_once, sum_of, sum_value};
use engine::trace::{Direction, Frame};

use super::super::ViewState;

/// The progress of an instruction at a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// It issues in this later cycle.
    Issues(u64),
    /// It adds the products of this step, from 0.
    Step(usize),
    /// All products are added; the result is ready in this later cycle.
    Pending(u64),
    /// The result is ready since this cycle.
    Ready(u64),
}

/// Registers of the sums that a step of HMMA.884, or the whole instruction, computes.
#[derive(Clone, Copy, Debug)]
struct Sums {
    /// First register of the third matrix, and of the result.
    registers: (Reg, Reg),
    before: Lanes<4>,
    after: Lanes<4>,
}

/// An element of one of the matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element {
    pub(super) lane: u8,
    /// The register, or the first of two.
    pub(super) register: Reg,
    /// The lowest bit in the register, and the width.
    pub(super) bits: (u8, u8),
    pub(super) value: f64,
    /// The bits of the element.
    pub(super) word: u64,
}

impl Element {
    /// The registers and the bits in them: `R20`, `R20 bits 16 to 31`, `R20:21`.
    pub(super) fn place(&self) -> String {
        let (first, width) = self.bits;
        if self.register == RZ {
            return "RZ".to_owned();
        }
        let reg = self.register.0;
        match width {
            64 => format!("R{reg}:{}", reg.saturating_add(1)),
            32 => format!("R{reg}"),
            1 => format!("R{reg} bit {first}"),
            _ => format!("R{reg} bits {first} to {}", first + width - 1),
        }
    }
}

/// A matrix product of a run at a cycle.
#[derive(Debug)]
pub(super) struct Shown<'t> {
    pub(super) slot: SlotIdx,
    pub(super) pc: Pc,
    pub(super) instruction: &'t Instruction,
    pub(super) mma: Mma,
    /// Cycle of the issue.
    pub(super) issued: u64,
    pub(super) progress: Progress,
    /// Cycles that the instruction occupies a tensor core, and until its result is ready.
    pub(super) cycles: (u64, u64),
    left: Lanes<4>,
    right: Lanes<2>,
    /// By step of HMMA.884; one for all other instructions.
    sums: Vec<Option<Sums>>,
}

/// The operation of an instruction on tensor cores.
pub(super) const fn mma_of(instruction: &Instruction) -> Option<Mma> {
    match instruction.op {
        Op::Mma { mma } => Some(mma),
        _ => None,
    }
}

/// Positions of the program's instructions on tensor cores.
pub(in crate::scene) fn mma_pcs(program: &Program) -> Vec<Pc> {
    let is_mma = |(_, instruction): &(usize, &Instruction)| mma_of(instruction).is_some();
    let code = program.code.iter().enumerate().filter(is_mma);
    code.map(|(pc, _)| Pc(pc as u32)).collect()
}

/// The registers of an operand in each lane.
fn words<const N: usize>(machine: &Machine, slot: SlotIdx, first: Reg, num: u8) -> Lanes<N> {
    let mut lanes = [[0; N]; 32];
    for word in 0..num.min(N as u8) {
        let reg = if first == RZ {
            RZ
        } else {
            Reg(first.0.saturating_add(word))
        };
        let row = machine.register(slot, reg).unwrap_or([0; 32]);
        for (lane, value) in row.into_iter().enumerate() {
            lanes[lane][usize::from(word)] = value;
        }
    }
    lanes
}

/// The register of an operand.
const fn register(instruction: &Instruction, idx: usize) -> Reg {
    match instruction.srcs[idx].operand {
        Operand::Reg(reg) => reg,
        Operand::Imm(_) | Operand::Const { .. } => RZ,
    }
}

/// The instructions that compute the steps of a HMMA.884: neighbors with the same factors. Other instructions have one
/// step.
fn steps_of(program: &Program, pc: Pc) -> Vec<Option<&Instruction>> {
    let Some(own) = program.code.get(pc.0 as usize) else {
        return Vec::new();
    };
    let Some(Mma {
        kind: MmaKind::Quads { half_sums, step, .. },
        ..
    }) = mma_of(own)
    else {
        return vec![Some(own)];
    };
    let factors = |one: &Instruction| (one.srcs[0], one.srcs[1]);
    let is_step = |one: &Instruction, wanted: u8| match mma_of(one) {
        Some(Mma {
            kind: MmaKind::Quads { step, .. },
            ..
        }) => step == wanted && factors(one) == factors(own),
        _ => false,
    };
    let at = pc.0 as usize;
    (0..if half_sums { 2 } else { 4 })
        .map(|wanted| {
            if wanted == step {
                return Some(own);
            }
            // Steps are in order, with few other instructions between them.
            let (from, to) = if wanted < step {
                (at.saturating_sub(24), at)
            } else {
                (at + 1, at + 25)
            };
            let code = program.code.get(from..to.min(program.code.len()))?;
            let mut found = code.iter().filter(|one| is_step(one, wanted));
            if wanted < step {
                found.next_back()
            } else {
                found.next()
            }
        })
        .collect()
}

impl<'t> Shown<'t> {
    /// The instruction that the selected warp, or any warp, issued last; if there is none, the next one.
    pub(super) fn of(frame: &Frame<'t>, view: &ViewState) -> Option<Self> {
        let trace = frame.trace();
        let program = trace.program();
        let pcs = mma_pcs(program);
        let (record, after) = (frame.record(), Cycle(frame.cycle().0 + 1));
        let last = record.issue_by(after, Direction::Backward, view.slot, &pcs);
        let row = last.or_else(|| record.issue_by(frame.cycle(), Direction::Forward, view.slot, &pcs))?;
        let instruction = program.code.get(row.pc.0 as usize)?;
        let mma = mma_of(instruction)?;
        let cost = frame.arch().cost(instruction.class())?;
        let cycles = (
            u64::from(cost.occupancy_cycles.value),
            u64::from(cost.latency_cycles.value),
        );
        let steps = steps_of(program, row.pc);
        // The state before the issue: an instruction computes its result when it issues.
        let before = if last.is_some() {
            Cycle(row.cycle.0.saturating_sub(1))
        } else {
            frame.cycle()
        };
        let [left_words, right_words, sum_words] = mma.kind.source_widths();
        let (left, right, sums) = trace.with_machine(before, |machine| {
            let read = |idx, num| words::<4>(machine, row.slot, register(instruction, idx), num);
            let left: Lanes<4> = read(0, left_words);
            let right: Lanes<2> = read(1, right_words).map(|[first, second, ..]| [first, second]);
            let sums = steps.iter().map(|step| {
                let step = (*step)?;
                let c = register(step, 2);
                let is_earlier = match (mma_of(step)?.kind, mma.kind) {
                    (MmaKind::Quads { step: one, .. }, MmaKind::Quads { step: own, .. }) => one < own,
                    _ => false,
                };
                // Earlier steps have overwritten their sums.
                let first = if is_earlier { step.dst } else { c };
                let before = words(machine, row.slot, first, sum_words);
                let after = if is_earlier {
                    before
                } else {
                    multiply(mma_of(step)?, &left, &right, &before)
                };
                Some(Sums {
                    registers: (c, step.dst),
                    before,
                    after,
                })
            });
            (left, right, sums.collect())
        });
        let steps = mma.kind.depth() / products_at_once(mma).max(1);
        let elapsed = frame.cycle().0.checked_sub(row.cycle.0);
        let ready = row.cycle.0 + cycles.1;
        let progress = match elapsed {
            _ if last.is_none() => Progress::Issues(row.cycle.0),
            Some(elapsed) if elapsed < cycles.0 => Progress::Step(
                (elapsed as usize * steps / cycles.0.max(1) as usize).min(steps.saturating_sub(1)),
            ),
            Some(elapsed) if elapsed < cycles.1 => Progress::Pending(ready),
            _ => Progress::Ready(ready),
        };
        Some(Self {
            slot: row.slot,
            pc: row.pc,
            instruction,
            mma,
            issued: row.cycle.0,
            progress,
            cycles,
            left,
            right,
            sums,
        })
    }

    pub(super) const fn kind(&self) -> MmaKind {
        self.mma.kind
    }

    /// Steps in which the model adds the products.
    pub(super) fn num_steps(&self) -> usize {
        self.kind().depth() / products_at_once(self.mma).max(1)
    }

    /// The step of HMMA.884.
    pub(super) const fn own_step(&self) -> Option<usize> {
        match self.mma.kind {
            MmaKind::Quads { step, .. } => Some(step as usize),
            _ => None,
        }
    }

    /// Columns of the left factor as the picture shows them: elements, or registers of 32 bits.
    pub(super) const fn shown_depth(&self) -> usize {
        match self.mma.kind {
            MmaKind::Bits { .. } => 4,
            kind => kind.depth(),
        }
    }

    /// An element of a factor. Of bits, the register with 32 of them.
    pub(super) fn factor(&self, right: bool, product: usize, line: usize, k: usize) -> Element {
        let is_bits = matches!(self.kind(), MmaKind::Bits { .. });
        let place = self
            .kind()
            .factor(right, product, line, if is_bits { 32 * k } else { k });
        let lane = usize::from(place.lane);
        let words: &[u32] = if right {
            &self.right[lane]
        } else {
            &self.left[lane]
        };
        let first = register(self.instruction, usize::from(right));
        let word = if is_bits {
            words[usize::from(place.register)].into()
        } else {
            place.bits_in(words)
        };
        Element {
            lane: place.lane,
            register: offset(first, place.register),
            bits: if is_bits {
                (0, 32)
            } else {
                (place.first_bit, place.bits)
            },
            value: if is_bits {
                word as f64
            } else {
                factor_value(self.kind(), right, word)
            },
            word,
        }
    }

    /// A sum: before the instruction, after the steps up to the shown cycle, or after all. `None`: no instruction near this
    /// one computes it.
    pub(super) fn sum(&self, product: usize, row: usize, column: usize) -> Option<Element> {
        let step = self.kind().step_of(row, column);
        let sums = self.sums.get(step).copied().flatten()?;
        let place = self.kind().sum(product, row, column);
        let lane = usize::from(place.lane);
        let computes = self.kind().computes(row, column);
        let is_after = match self.progress {
            Progress::Issues(_) => false,
            _ if !computes => self.own_step().is_some_and(|own| step < own),
            Progress::Step(_) => false,
            Progress::Pending(_) | Progress::Ready(_) => true,
        };
        let words = if is_after {
            &sums.after[lane]
        } else {
            &sums.before[lane]
        };
        let word = place.bits_in(words);
        let register = if is_after {
            sums.registers.1
        } else {
            sums.registers.0
        };
        let value = match self.progress {
            Progress::Step(step) if computes => {
                let after = self.steps_of(product, row, column)?.after;
                *after.get(step)?
            }
            _ => sum_value(self.kind(), word),
        };
        Some(Element {
            lane: place.lane,
            register: offset(register, place.register),
            bits: (place.first_bit, place.bits),
            value,
            word,
        })
    }

    /// The computation of a sum.
    pub(super) fn steps_of(&self, product: usize, row: usize, column: usize) -> Option<Sum> {
        let step = self.kind().step_of(row, column);
        let sums = self.sums.get(step).copied().flatten()?;
        // The sums that earlier steps read are overwritten.
        if self.own_step().is_some_and(|own| step < own) {
            return None;
        }
        Some(sum_of(
            self.mma,
            (&self.left, &self.right, &sums.before),
            product,
            row,
            column,
        ))
    }

    /// Whether the shown step multiplies an element of a factor.
    pub(super) fn is_multiplied(&self, right: bool, line: usize, k: usize) -> bool {
        let Progress::Step(step) = self.progress else {
            return false;
        };
        let at_once = products_at_once(self.mma);
        let k = if matches!(self.kind(), MmaKind::Bits { .. }) {
            32 * k
        } else {
            k
        };
        let others = if right {
            self.kind().rows()
        } else {
            self.kind().columns()
        };
        let used = |other: usize| {
            if right {
                self.kind().computes(other, line)
            } else {
                self.kind().computes(line, other)
            }
        };
        k / at_once == step && (0..others).any(used)
    }
}

const fn offset(first: Reg, idx: u8) -> Reg {
    if first.0 == RZ.0 {
        RZ
    } else {
        Reg(first.0.saturating_add(idx))
    }
}
