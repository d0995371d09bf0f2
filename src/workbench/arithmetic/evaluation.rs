//! What a chip computes: the operation compiled for it, run in one thread, and the instructions that compute it.

use std::collections::BTreeSet;

use super::function::Kind;
use super::number::{Number, Type, cut};
use super::operation::Operation;
use engine::arch::{ArchId, Architecture, OpClass, architecture};
use engine::isa::describe::Reading;
use engine::isa::info::RegRange;
use engine::isa::{CompileOptions, Instruction, Op, Operand, PredSrc, Program};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::exec::evaluate;
use engine::sim::reference::{Step, run_recording};

/// An instruction that a chip runs for an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Executed {
    /// The instruction.
    pub instruction: Instruction,
    /// Its text in the chip's assembly.
    pub text: String,
    /// Its mnemonic.
    pub mnemonic: String,
    /// The operands after their modifiers.
    pub operands: [u64; 3],
    /// The result; 0 if it has none.
    pub result: u64,
    /// Whether its guard held.
    pub executed: bool,
}

impl Executed {
    /// The result in hexadecimal; a dash where the instruction writes no register.
    pub fn result_text(&self) -> String {
        match (self.executed, self.instruction.destination()) {
            (false, _) => "not executed".to_owned(),
            (true, None) => "–".to_owned(),
            (true, Some(_)) => format!("0x{:X}", self.result),
        }
    }
}

/// What a chip computes for an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The instructions that compute the result, in order of issue.
    pub steps: Vec<Executed>,
    /// The result.
    pub result: Number,
    /// Whether the chip has no double precision and computes in single precision.
    pub demoted: bool,
}

impl Evaluation {
    /// The mnemonics, each run of equal ones with its count: `MUFU.RCP, 4× FFMA`.
    pub fn sequence(&self) -> String {
        let mut runs: Vec<(&str, usize)> = Vec::new();
        for step in &self.steps {
            match runs.last_mut() {
                Some((name, num)) if *name == step.mnemonic => *num += 1,
                _ => runs.push((&step.mnemonic, 1)),
            }
        }
        let texts: Vec<String> = runs
            .into_iter()
            .map(|(name, num)| {
                if num > 1 {
                    format!("{num}× {name}")
                } else {
                    name.to_owned()
                }
            })
            .collect();
        texts.join(", ")
    }

    /// Results per cycle and SM, at most: the pipes and the schedulers issue nothing else. `None`: a class of the
    /// instructions has no rate.
    pub fn rate(&self, arch: &Architecture) -> Option<f64> {
        let issue = f64::from(arch.issue.schedulers.value) * f64::from(arch.issue.dispatches.value)
            / f64::from(arch.issue.issue_interval_cycles.value.max(1));
        let mut pipes: Vec<(engine::arch::PipeKind, f64)> = Vec::new();
        for step in &self.steps {
            let class = step.instruction.op.describe().class;
            let pipe = arch.cost(class)?.pipe;
            let cycles = 32.0 / arch.results_per_cycle(class)?;
            match pipes.iter_mut().find(|(other, _)| *other == pipe) {
                Some((_, sum)) => *sum += cycles,
                None => pipes.push((pipe, cycles)),
            }
        }
        let slots = self.steps.len() as f64 / issue;
        let busiest = pipes.into_iter().map(|(_, cycles)| cycles).fold(slots, f64::max);
        (busiest > 0.0).then(|| 32.0 / busiest)
    }

    /// Whether subnormal numbers are zero: as operands and as results.
    pub fn flushes(&self) -> bool {
        self.steps.iter().any(|step| match step.instruction.op {
            Op::Fadd { ftz, .. } | Op::Fmul { ftz, .. } | Op::Ffma { ftz, .. } => ftz,
            Op::Mufu { ftz, .. } => ftz,
            Op::Fmad { .. } => true,
            _ => false,
        })
    }

    /// Whether the product is truncated before the addition.
    pub fn truncates(&self) -> bool {
        matches!(
            self.steps[..],
            [Executed {
                instruction: Instruction {
                    op: Op::Fmad { .. },
                    ..
                },
                ..
            }]
        )
    }
}

/// Compiles an operation for a chip; the operands are parameters.
///
/// # Errors
/// The compiler's first message.
pub fn program(operation: &Operation, arch: ArchId, options: &CompileOptions) -> Result<Program, String> {
    cuda::compile(&operation.kernel(), None, arch, options)
        .map(|compiled| compiled.program)
        .map_err(|diagnostics| {
            let first = diagnostics.into_iter().next();
            first.map_or_else(
                || "The operation does not compile.".to_owned(),
                |first| first.message,
            )
        })
}

/// Runs a compiled operation in one thread.
///
/// # Errors
/// Why the operation does not run on the chip.
pub fn evaluation(operation: &Operation, program: &Program) -> Result<Evaluation, String> {
    let ty = operation.result_type();
    let arch = architecture(program.arch);
    let demoted =
        arch.cost(OpClass::Fp64).is_none() && [operation.operand_type(), ty].contains(&Type::Double);
    let launch = launch(operation);
    let (outputs, steps) = run_recording(program, &launch).map_err(|error| error.to_string())?;
    let bytes = outputs.argument(0).unwrap_or_default();
    let bits = bytes.iter().take(ty.bits() as usize / 8).rev();
    let bits = bits.fold(0, |bits, byte| bits << 8 | u64::from(*byte));
    Ok(Evaluation {
        steps: operation_steps(program, &steps, operation.operand_type() == Type::Half),
        result: Number { ty, bits },
        demoted,
    })
}

fn launch(operation: &Operation) -> Launch {
    let mut args = vec![Argument::Buffer {
        elem: operation.result_type().elem(),
        len: 1,
        fill: Fill {
            pattern: Pattern::Zero,
            modulo: None,
            scale: None,
            offset: None,
        },
        role: Role::Out,
        start: 0,
    }];
    args.extend(operation.operands.iter().map(|operand| Argument::Scalar {
        ty: operand.ty.elem(),
        bits: operand.bits,
    }));
    Launch {
        grid: [1; 3],
        block: [1; 3],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    }
}

/// An instruction of a run with its operands and its result.
pub fn executed(instruction: &Instruction, step: &Step, arch: ArchId) -> Executed {
    let (result, _) = evaluate(instruction, step.operands, step.predicates);
    Executed {
        instruction: *instruction,
        text: instruction.text(arch),
        mnemonic: instruction.op.mnemonic(arch),
        operands: modified(instruction, step.operands),
        result,
        executed: step.executed,
    }
}

/// The operands after their modifiers, as the instruction reads them.
fn modified(i: &Instruction, operands: [u64; 3]) -> [u64; 3] {
    let readings = i.op.describe().reading;
    [0, 1, 2].map(|idx| {
        let (bits, src) = (operands[idx], &i.srcs[idx]);
        let sign = match readings[idx] {
            Reading::Single => 1 << 31,
            Reading::Double => 1 << 63,
            Reading::Integer if src.negate => return cut(bits.wrapping_neg(), Type::Int),
            _ => return bits,
        };
        let bits = if src.absolute { bits & !sign } else { bits };
        if src.negate { bits ^ sign } else { bits }
    })
}

/// The instructions on which the stored result depends, without those that only fetch operands or addresses.
fn operation_steps(program: &Program, steps: &[Step], has_halves: bool) -> Vec<Executed> {
    let code = |step: &Step| program.code.get(step.pc.0 as usize);
    let mut registers: BTreeSet<u8> = BTreeSet::new();
    let mut predicates: BTreeSet<u8> = BTreeSet::new();
    let mut kept = Vec::new();
    let mut stored = false;
    for step in steps.iter().rev() {
        let Some(i) = code(step) else { continue };
        if let Op::St { width, .. } = i.op {
            if let (false, Operand::Reg(reg)) = (stored, i.srcs[1].operand) {
                registers.extend((0..width.bytes().div_ceil(4) as u8).map(|word| reg.0.wrapping_add(word)));
            }
            stored = true;
            continue;
        }
        if matches!(i.op, Op::Exit | Op::Nop) || !stored {
            continue;
        }
        let writes_register = i
            .destination()
            .is_some_and(|range| range.regs().any(|reg| registers.contains(&reg.0)));
        let writes_predicate = i
            .predicate_destination()
            .is_some_and(|pred| predicates.contains(&pred.0));
        let is_branch = i.op.describe().class == OpClass::Branch;
        if !(writes_register || writes_predicate || is_branch) {
            continue;
        }
        // A register that is written for all operands is needed no more.
        if writes_register && i.guard == PredSrc::TRUE {
            for reg in i.destination().into_iter().flat_map(RegRange::regs) {
                registers.remove(&reg.0);
            }
        }
        predicates.extend(i.predicate_sources().map(|pred| pred.0));
        // Two halves share a word of the parameters: a shift gets the second one.
        let is_fetch = is_fetch(i) || has_halves && matches!(i.op, Op::Shr { .. } | Op::Prmt);
        if !is_fetch {
            registers.extend(i.sources().flat_map(RegRange::regs).map(|reg| reg.0));
        }
        if !is_fetch {
            kept.push(executed(i, step, program.arch));
        }
    }
    kept.reverse();
    kept
}

/// Whether an instruction only moves a parameter or a constant into a register.
fn is_fetch(i: &Instruction) -> bool {
    let is_move = matches!(i.op, Op::Mov) && !matches!(i.srcs[0].operand, Operand::Reg(_));
    is_move || matches!(i.op, Op::Ldc { .. } | Op::Ld { .. })
}

/// The error of a result in units of the last place of the correct one; `None`: no floating-point number, or not
/// finite.
pub fn error_ulp(operation: &Operation, result: Number) -> Option<f64> {
    let format = result.ty.format()?;
    let exact = operation.exact()?;
    let got = result.exact()?;
    Some(got.distance(&exact, exact.last_kept(format)))
}

/// Whether an operation is one of whole numbers.
pub fn is_whole(operation: &Operation) -> bool {
    operation.kind() != Kind::Convert && !operation.operand_type().is_float()
}
