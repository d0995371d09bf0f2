//! The shape of a function's code: blocks, labels, and which local variables are used later.

use wasm_encoder::ValType;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasmparser::{BlockType, FuncValidator, FunctionBody, Operator, ValidatorResources};

use super::points::Op;

/// A set of local variables.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Locals(Vec<u64>);

impl Locals {
    pub(crate) fn new(num: usize) -> Self {
        Self(vec![0; num.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, local: u32) {
        self.0[local as usize / 64] |= 1 << (local % 64);
    }

    fn remove(&mut self, local: u32) {
        self.0[local as usize / 64] &= !(1 << (local % 64));
    }

    pub(crate) fn contains(&self, local: u32) -> bool {
        self.0[local as usize / 64] >> (local % 64) & 1 == 1
    }

    pub(crate) fn join(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(crate) fn list(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len() as u32 * 64).filter(|local| self.contains(*local))
    }
}

/// What opens an arm of code: the number of a `block`, `loop`, `if` or `else`; `None` is the function.
pub(crate) type Arm = Option<usize>;

/// How things are before an instruction.
pub(crate) struct At {
    pub(crate) arm: Arm,
    /// Whether no operand is left that was put there in this arm.
    pub(crate) is_base: bool,
    /// Whether control cannot come here.
    pub(crate) is_dead: bool,
}

/// A function's code and its shape.
pub(crate) struct Flow<'f, 'a> {
    pub(crate) ops: &'f [Op<'a>],
    /// The types of parameters and local variables.
    pub(crate) types: Vec<ValType>,
    pub(crate) num_params: usize,
    pub(crate) at: Vec<At>,
    /// The local variables of which the value before an instruction may be used.
    pub(crate) live: Vec<Locals>,
    /// By opening instruction: the arm around, the closing instruction, and what may be used at its label.
    arms: Vec<Option<(Arm, usize, Locals)>>,
}

impl<'f, 'a> Flow<'f, 'a> {
    /// Reads a function; `None` where its control flow is of kinds that are not known here.
    pub(crate) fn read(
        validator: &mut FuncValidator<ValidatorResources>,
        body: &FunctionBody<'a>,
        ops: &'f [Op<'a>],
    ) -> Result<Option<Self>, String> {
        let told = |error: wasmparser::BinaryReaderError| error.to_string();
        let num_params = validator.len_locals() as usize;
        for local in body.get_locals_reader().map_err(told)? {
            let (count, ty) = local.map_err(told)?;
            validator.define_locals(0, count, ty).map_err(told)?;
        }
        let types = (0..validator.len_locals())
            .filter_map(|local| RoundtripReencoder.val_type(validator.get_local_type(local)?).ok())
            .collect();
        let mut flow = Self {
            ops,
            types,
            num_params,
            at: Vec::with_capacity(ops.len()),
            live: Vec::new(),
            arms: ops.iter().map(|_| None).collect(),
        };
        let mut open: Vec<Arm> = vec![None];
        let nothing = Locals::new(flow.types.len());
        for (number, op) in ops.iter().enumerate() {
            let Some(frame) = validator.get_control_frame(0) else {
                return Ok(None);
            };
            let arm = open.last().copied().flatten();
            flow.at.push(At {
                arm,
                is_base: validator.operand_stack_height() as usize == frame.height,
                is_dead: frame.unreachable,
            });
            match &op.operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                    flow.arms[number] = Some((arm, 0, nothing.clone()));
                    open.push(Some(number));
                }
                Operator::Else | Operator::End => {
                    open.pop();
                    if let Some(opening) = arm
                        && let Some((around, close, _)) = &mut flow.arms[opening]
                    {
                        *close = number;
                        let around = *around;
                        if matches!(op.operator, Operator::Else) {
                            flow.arms[number] = Some((around, 0, nothing.clone()));
                            open.push(Some(number));
                        }
                    }
                }
                Operator::BrOnNull { .. }
                | Operator::BrOnNonNull { .. }
                | Operator::BrOnCast { .. }
                | Operator::BrOnCastFail { .. }
                | Operator::TryTable { .. }
                | Operator::Try { .. }
                | Operator::Throw { .. }
                | Operator::ThrowRef
                | Operator::ReturnCall { .. }
                | Operator::ReturnCallIndirect { .. }
                | Operator::ReturnCallRef { .. } => return Ok(None),
                _ => {}
            }
            validator.op(op.from, &op.operator).map_err(told)?;
        }
        while flow.follow()? {}
        Ok(Some(flow))
    }

    /// Goes through the code from its end; whether more is used at the start of a loop than was known.
    fn follow(&mut self) -> Result<bool, String> {
        let nothing = Locals::new(self.types.len());
        let mut live = nothing.clone();
        let mut all = vec![nothing.clone(); self.ops.len()];
        // What may be used after each block that is open, and at the start of its `else`.
        let mut open: Vec<(Locals, Option<Locals>)> = Vec::new();
        let mut is_new = false;
        for (number, op) in self.ops.iter().enumerate().rev() {
            let arm = self.at[number].arm;
            match &op.operator {
                Operator::End => {
                    open.push((live.clone(), None));
                    if let Some(opening) = arm {
                        self.note_label(opening, &live);
                    }
                }
                Operator::Else => {
                    if let Some((after, start)) = open.last_mut() {
                        *start = Some(std::mem::replace(&mut live, after.clone()));
                    }
                    // The label of both arms is what comes after.
                    if let (Some(opening), Some((after, _))) = (arm, open.last()) {
                        let after = after.clone();
                        self.note_label(opening, &after);
                    }
                }
                Operator::If { .. } => {
                    let (after, start) = open.pop().ok_or("blocks do not match")?;
                    live.join(&start.unwrap_or(after));
                }
                Operator::Block { .. } => {
                    open.pop();
                }
                Operator::Loop { .. } => {
                    open.pop();
                    if let Some((_, _, label)) = &mut self.arms[number] {
                        let before = label.clone();
                        label.join(&live);
                        is_new |= *label != before;
                    }
                }
                Operator::Br { relative_depth } => {
                    live = self.live_after_branch(arm, *relative_depth, &nothing);
                }
                Operator::BrIf { relative_depth } => {
                    live.join(&self.live_after_branch(arm, *relative_depth, &nothing));
                }
                Operator::BrTable { targets } => {
                    live = self.live_after_branch(arm, targets.default(), &nothing);
                    for target in targets.targets() {
                        let target = target.map_err(|error| error.to_string())?;
                        live.join(&self.live_after_branch(arm, target, &nothing));
                    }
                }
                Operator::Return | Operator::Unreachable => live.clear(),
                Operator::LocalGet { local_index } => live.insert(*local_index),
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    live.remove(*local_index);
                }
                _ => {}
            }
            all[number] = live.clone();
        }
        self.live = all;
        Ok(is_new)
    }

    /// What may be used at the label of a block, other than a loop: what may be used after it.
    fn note_label(&mut self, opening: usize, live: &Locals) {
        if !matches!(self.ops[opening].operator, Operator::Loop { .. })
            && let Some((_, _, label)) = &mut self.arms[opening]
        {
            label.clone_from(live);
        }
    }

    fn live_after_branch(&self, arm: Arm, depth: u32, nothing: &Locals) -> Locals {
        match self.label(arm, depth) {
            Some(Some(opening)) => self.live_at_label(Some(opening)).clone(),
            // Out of the function.
            _ => nothing.clone(),
        }
    }

    /// The arm whose label is so many out from one; `None` beyond the function.
    pub(crate) fn label(&self, arm: Arm, out: u32) -> Option<Arm> {
        let mut at = arm;
        for _ in 0..out {
            at = self.arms[at?].as_ref()?.0;
        }
        Some(at)
    }

    /// What may be used at the label of an arm; nothing where that is the end of the function.
    pub(crate) fn live_at_label(&self, arm: Arm) -> &Locals {
        static NONE: Locals = Locals(Vec::new());
        match arm.and_then(|opening| self.arms[opening].as_ref()) {
            Some((_, _, label)) => label,
            None => &NONE,
        }
    }

    /// The instruction that ends an arm.
    pub(crate) fn end_of(&self, arm: Arm) -> usize {
        match arm.and_then(|opening| self.arms[opening].as_ref()) {
            Some((_, close, _)) => *close,
            None => self.ops.len() - 1,
        }
    }

    /// Whether an arm, and a branch to its label, carry no values.
    pub(crate) fn is_void(&self, arm: Arm, results: &[ValType]) -> bool {
        let Some(opening) = arm else {
            return results.is_empty();
        };
        let ty = match &self.ops[opening].operator {
            Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } => *blockty,
            // Of its `if`, which this arm does not know.
            Operator::Else => return self.is_else_void(opening),
            _ => return false,
        };
        matches!(ty, BlockType::Empty)
    }

    /// Whether the `if` of an `else` carries no values.
    fn is_else_void(&self, number: usize) -> bool {
        (self.arms[..number].iter().enumerate().rev())
            .find(|(_, arm)| arm.as_ref().is_some_and(|(_, close, _)| *close == number))
            .is_some_and(|(opening, _)| match &self.ops[opening].operator {
                Operator::If { blockty } => matches!(blockty, BlockType::Empty),
                _ => false,
            })
    }
}
