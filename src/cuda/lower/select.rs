//! Instruction selection: converts the blocks of the intermediate representation to basic blocks of target
//! instructions on virtual registers.
//!
//! Operations are selected in place. `Select::defs` finds operations that fold into a later instruction (a
//! sign, an address, a comparison). Operations that are then unused are dropped afterward.

mod control;
mod divide;
mod float;
mod image;
mod integer;
mod memory;
mod operands;
mod wide;

use std::collections::BTreeMap;

use super::converge::Plan;
use super::machine::{Block, BlockId, Class, Code, Place, VInst, VOperand, VPred, VReg, VSrc};
use super::shape::Shaped;
use super::target::Target;
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Def, Inst, Type, Value};
use engine::arch::Generation;
use engine::ids::Span;
use engine::isa::{self, Op};

pub(super) use control::sink_copies;

/// Register that points to the frame in local memory, in programs with called functions.
pub(super) const FRAME_POINTER: u8 = 1;
/// First register for arguments and results of calls.
pub(super) const FIRST_ARGUMENT: u8 = 4;

/// A function on virtual registers.
#[derive(Clone)]
pub(super) struct Selected {
    pub(super) code: Code,
    /// Size of local variables in memory in bytes.
    pub(super) frame_bytes: u32,
    pub(super) frame_pointer: Option<VReg>,
}

/// Location of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Loc {
    /// In registers.
    Reg(Place),
    /// In a predicate, or constant true or false.
    Pred(VPred),
    /// In a constant bank, starting at this operand.
    Const { bank: u8, offset: u16 },
    /// Undefined: any location is valid.
    Undef,
}

/// A value from outside registers: where it is from, and its bits or its offset.
type OutsideKey = (u32, u32);

struct Select<'a> {
    module: &'a ir::Module,
    function: &'a ir::Function,
    is_kernel: bool,
    target: Target,
    code: Code,
    current: BlockId,
    depth: u32,
    places: Vec<Option<Loc>>,
    defs: Vec<Option<&'a Inst>>,
    uses: Vec<u32>,
    /// For each value, the number of its uses that are conversions from half to single precision.
    widened: Vec<u32>,
    guard: VPred,
    span: Span,
    /// Constants that are in registers, in the current block and under the current guard.
    constants: BTreeMap<OutsideKey, Place>,
    /// The same for 64-bit values, by their words.
    constant_pairs: BTreeMap<(OutsideKey, OutsideKey), Place>,
    /// For divisors in the current block: the reciprocal and the negative, and the magnitude.
    inverses: BTreeMap<Place, (Place, Place)>,
    magnitudes: BTreeMap<Place, Place>,
    shaped: &'a Shaped,
    plan: &'a Plan,
    /// The current block.
    here: ir::BlockId,
    machine_blocks: Vec<Option<BlockId>>,
    slot_offsets: Vec<u32>,
    frame_bytes: u32,
    frame_pointer: Option<VReg>,
    errors: Vec<Diagnostic>,
}

/// Selects the instructions of a function. `calls`: whether the program has called functions.
pub(super) fn select(
    module: &ir::Module,
    shaped: &Shaped,
    plan: &Plan,
    is_kernel: bool,
    target: Target,
    calls: bool,
) -> Result<Selected, Vec<Diagnostic>> {
    let function = &shaped.function;
    let num = function.values.len();
    let mut defs = vec![None; num];
    let mut uses = vec![0; num];
    let mut count = |value: Value| uses[value.0 as usize] += 1;
    let predicated = shaped.predicated.values();
    let sides = predicated
        .clone()
        .flat_map(|choice| choice.then.iter().chain(&choice.els));
    for inst in function.insts().chain(sides.clone()) {
        for result in &inst.results {
            defs[result.0 as usize] = Some(inst);
        }
    }
    let mut widened = vec![0; num];
    for inst in function.insts().chain(sides.clone()) {
        if let ir::Op::Convert {
            from: ir::Num::F16,
            to: ir::Num::F32,
            ..
        } = inst.op
        {
            widened[inst.args[0].0 as usize] += 1;
        }
    }
    function.uses(&mut count);
    sides.flat_map(|inst| &inst.args).copied().for_each(&mut count);
    for choice in predicated {
        count(choice.cond);
        let args = choice.then_args.iter().chain(&choice.els_args);
        args.copied().for_each(&mut count);
    }
    let mut select = Select {
        module,
        function,
        is_kernel,
        target,
        code: Code {
            in_step: !target.has_barriers(),
            ..Code::default()
        },
        current: BlockId(0),
        depth: 0,
        places: vec![None; num],
        defs,
        uses,
        widened,
        guard: VPred::TRUE,
        span: function.span,
        constants: BTreeMap::new(),
        constant_pairs: BTreeMap::new(),
        inverses: BTreeMap::new(),
        magnitudes: BTreeMap::new(),
        shaped,
        plan,
        here: ir::Function::ENTRY,
        machine_blocks: vec![None; function.blocks.len()],
        slot_offsets: Vec::new(),
        frame_bytes: 0,
        frame_pointer: None,
        errors: Vec::new(),
    };
    select.lay_out_frame();
    let entry = select.new_block();
    select.start(entry);
    if calls {
        let pointer = select.code.vreg(Class::General, 1);
        select.code.vregs[pointer.0 as usize].fixed = Some(FRAME_POINTER);
        select.frame_pointer = Some(pointer);
        if is_kernel {
            let mut inst = VInst::new(Op::Mov);
            inst.dst = Some(Place {
                vreg: pointer,
                unit: 0,
            });
            select.push(inst);
        }
    }
    select.function_body();
    if select.errors.is_empty() {
        Ok(Selected {
            code: select.code,
            frame_bytes: select.frame_bytes,
            frame_pointer: select.frame_pointer,
        })
    } else {
        Err(select.errors)
    }
}

impl<'a> Select<'a> {
    fn lay_out_frame(&mut self) {
        for slot in &self.function.slots {
            let align = slot.align.max(1);
            self.frame_bytes = self.frame_bytes.div_ceil(align) * align;
            self.slot_offsets.push(self.frame_bytes);
            self.frame_bytes += slot.size;
        }
        self.frame_bytes = self.frame_bytes.div_ceil(4) * 4;
    }

    fn new_block(&mut self) -> BlockId {
        self.code.blocks.push(Block::default());
        BlockId(self.code.blocks.len() as u32 - 1)
    }

    /// Continues in this block, which is next in the layout.
    fn start(&mut self, block: BlockId) {
        self.code.layout.push(block);
        self.code.block_mut(block).depth = self.depth;
        self.code.block_mut(block).falls = true;
        self.current = block;
        self.forget();
    }

    fn set_guard(&mut self, guard: VPred) -> VPred {
        self.forget();
        std::mem::replace(&mut self.guard, guard)
    }

    /// Clears the tables of values in registers: they are not valid in other blocks.
    fn forget(&mut self) {
        self.constants.clear();
        self.constant_pairs.clear();
        self.inverses.clear();
        self.magnitudes.clear();
    }

    fn error(&mut self, message: impl Into<String>) {
        let span = self.span;
        let message = message.into();
        let known = self.errors.iter().any(|e| e.span == span && e.message == message);
        if !known {
            self.errors.push(Diagnostic::architecture(span, message));
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// The operation that computes a value, if there is one.
    fn def(&self, value: Value) -> Option<&'a Inst> {
        self.defs[value.0 as usize]
    }

    /// The operation that computes a value, if the value has only one reader, so that the two can be merged.
    fn sole_def(&self, value: Value) -> Option<&'a Inst> {
        if self.uses[value.0 as usize] == 1 {
            self.def(value)
        } else {
            None
        }
    }

    fn define(&mut self, value: Value, place: Place) {
        self.places[value.0 as usize] = Some(Loc::Reg(place));
    }

    fn define_pred(&mut self, value: Value, pred: VPred) {
        self.places[value.0 as usize] = Some(Loc::Pred(pred));
    }

    fn inst(&mut self, inst: &'a Inst) {
        use ir::Op as I;
        if inst.span.line > 0 {
            self.span = inst.span;
        }
        match inst.op {
            I::Add
            | I::Sub
            | I::Mul
            | I::MulHigh { .. }
            | I::MulWide { .. }
            | I::Mul24 { .. }
            | I::Div { .. }
            | I::Rem { .. }
            | I::Neg
            | I::Abs
            | I::Min { .. }
            | I::Max { .. }
            | I::And
            | I::Or
            | I::Xor
            | I::Not
            | I::Shl
            | I::Shr { .. }
            | I::Funnel { .. }
            | I::Popc
            | I::Clz
            | I::Brev
            | I::BytePerm
            | I::Narrow(_)
            | I::SignExtend
            | I::ZeroExtend
            | I::Low
            | I::High
            | I::Pair
            | I::PtrAdd
            | I::ICmp { .. }
            | I::Select => self.integer(inst),
            I::FAdd(_)
            | I::FSub(_)
            | I::FMul(_)
            | I::FFma { .. }
            | I::FNeg
            | I::FAbs
            | I::FMin
            | I::FMax
            | I::FSaturate
            | I::FDiv(_)
            | I::FRcp(_)
            | I::FSqrt(_)
            | I::FRsqrt
            | I::Mufu(_)
            | I::Reduce { .. }
            | I::FCmp(_)
            | I::Convert { .. }
            | I::FRound(_)
            | I::Bitcast
            | I::PackHalves
            | I::PackFloats { .. }
            | I::PackFp8 { .. }
            | I::UnpackFp8 { .. }
            | I::Mma(_)
            | I::HalfLow
            | I::HalfHigh => self.float(inst),
            _ => self.machine(inst),
        }
    }
}
