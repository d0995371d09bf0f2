//! Infers the memory that generic addresses point to. Addresses in shared, local, or constant memory are
//! computed as 32-bit addresses in that memory, including selections between them and addresses that loops
//! advance.
//!
//! Invariant: a 32-bit address is computed next to the generic address that it replaces, from the same
//! operands.

use std::collections::BTreeMap;

use crate::ir::{BlockId, Def, Function, Inst, Op, Space, Type, Value};

/// The target of a pointer: still unknown, one space, or several spaces.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Unknown,
    In(Space),
    Any,
}

impl Target {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, target) | (target, Self::Unknown) => target,
            (a, b) if a == b => a,
            _ => Self::Any,
        }
    }
}

/// Infers the spaces of accesses. Returns whether any changed. `global_only`: the chip has no generic
/// addresses, so an unknown space is global memory.
pub(super) fn run(function: &mut Function, global_only: bool) -> bool {
    let has_generic = function.insts().any(|inst| match inst.op {
        Op::Load(access) | Op::Store(access) => access.space == Space::Generic,
        Op::Atom { space, .. } => space == Space::Generic,
        Op::ToGeneric(_) => true,
        _ => false,
    });
    if !has_generic {
        return false;
    }
    let mut infer = Infer {
        targets: vec![Target::Unknown; function.values.len()],
        may_be_null: vec![false; function.values.len()],
        function,
        changed: true,
    };
    for param in &infer.function.params {
        infer.targets[param.0 as usize] = Target::Any;
    }
    while std::mem::take(&mut infer.changed) {
        for block in &function.blocks {
            block.insts.iter().for_each(|inst| infer.inst(inst));
            for edge in block.end.edges() {
                infer.flow(&function.at(edge.to).params, &edge.args);
            }
        }
    }
    let Infer {
        targets, may_be_null, ..
    } = infer;
    let mut local = Local::new(function, targets, may_be_null);
    let mut any = false;
    for idx in 0..local.function.blocks.len() {
        for at in 0..local.function.blocks[idx].insts.len() {
            any |= local.access(BlockId(idx as u32), at, global_only);
        }
    }
    local.finish();
    any
}

struct Infer<'a> {
    function: &'a Function,
    targets: Vec<Target>,
    /// For each value, whether it can be a constant such as the null pointer.
    may_be_null: Vec<bool>,
    changed: bool,
}

impl Infer<'_> {
    fn target(&self, value: Value) -> Target {
        match self.function.def(value) {
            Def::Bank0(_) => Target::In(Space::Global),
            // Null, or an arbitrary number used as an address.
            Def::Const(_) | Def::Undef => Target::Unknown,
            _ => self.targets[value.0 as usize],
        }
    }

    fn may_be_null(&self, value: Value) -> bool {
        match self.function.def(value) {
            Def::Const(_) | Def::Undef => true,
            Def::Bank0(_) => false,
            _ => self.may_be_null[value.0 as usize],
        }
    }

    fn add_null(&mut self, value: Value, may_be_null: bool) {
        if may_be_null && !std::mem::replace(&mut self.may_be_null[value.0 as usize], true) {
            self.changed = true;
        }
    }

    fn add(&mut self, value: Value, target: Target) {
        let old = self.targets[value.0 as usize];
        let new = old.join(target);
        if new != old {
            self.targets[value.0 as usize] = new;
            self.changed = true;
        }
    }

    fn flow(&mut self, to: &[Value], from: &[Value]) {
        for (to, from) in to.iter().zip(from) {
            let target = self.target(*from);
            self.add(*to, target);
            self.add_null(*to, self.may_be_null(*from));
        }
    }

    fn inst(&mut self, inst: &Inst) {
        let target = match inst.op {
            Op::PtrAdd => self.target(inst.args[0]),
            Op::ToGeneric(space) => Target::In(space),
            Op::Select => self.target(inst.args[1]).join(self.target(inst.args[2])),
            // Minimum and maximum of pointers; for numbers, the target is irrelevant.
            Op::Min { .. } | Op::Max { .. } => self.target(inst.args[0]).join(self.target(inst.args[1])),
            // Pointers in kernel parameters come from the host.
            Op::Load(access) if matches!(access.space, Space::Param | Space::Const) => {
                Target::In(Space::Global)
            }
            _ => Target::Any,
        };
        let may_be_null = match inst.op {
            Op::PtrAdd => self.may_be_null(inst.args[0]),
            Op::Select => self.may_be_null(inst.args[1]) || self.may_be_null(inst.args[2]),
            Op::Min { .. } | Op::Max { .. } => {
                self.may_be_null(inst.args[0]) || self.may_be_null(inst.args[1])
            }
            _ => false,
        };
        for result in &inst.results {
            self.add(*result, target);
            self.add_null(*result, may_be_null);
        }
    }
}

/// The 32-bit address that represents the null pointer: the minimum, far from all addresses, including those
/// before the first one.
const NULL: i32 = i32::MIN;

/// Computes 32-bit addresses next to generic ones.
struct Local<'a> {
    function: &'a mut Function,
    targets: Vec<Target>,
    may_be_null: Vec<bool>,
    /// For each value: its block, and the position of the operation or parameter that defines it.
    made_at: Vec<Option<(BlockId, Place)>>,
    /// The 32-bit address of each generic address.
    found: BTreeMap<Value, Value>,
    /// Parameters to add to blocks, with the position of the generic one; edges do not pass them yet.
    pending: Vec<(BlockId, usize, Value)>,
    /// Operations to insert, by the block and the operation that they follow or precede.
    after: BTreeMap<(BlockId, usize), Vec<Inst>>,
    before: BTreeMap<(BlockId, usize), Vec<Inst>>,
}

#[derive(Clone, Copy)]
enum Place {
    Inst(usize),
    Param(usize),
}

impl<'a> Local<'a> {
    fn new(function: &'a mut Function, targets: Vec<Target>, may_be_null: Vec<bool>) -> Self {
        let mut made_at = vec![None; function.values.len()];
        for (idx, block) in function.blocks.iter().enumerate() {
            let id = BlockId(idx as u32);
            for (at, param) in block.params.iter().enumerate() {
                made_at[param.0 as usize] = Some((id, Place::Param(at)));
            }
            for (at, inst) in block.insts.iter().enumerate() {
                for result in &inst.results {
                    made_at[result.0 as usize] = Some((id, Place::Inst(at)));
                }
            }
        }
        Self {
            function,
            targets,
            may_be_null,
            made_at,
            found: BTreeMap::new(),
            pending: Vec::new(),
            after: BTreeMap::new(),
            before: BTreeMap::new(),
        }
    }

    /// The space of an address other than global memory, if it is known.
    fn space(&self, value: Value) -> Option<Space> {
        match (self.function.def(value), self.targets.get(value.0 as usize)) {
            (Def::Node, Some(Target::In(space))) if *space != Space::Global => Some(*space),
            _ => None,
        }
    }

    /// Sets the space of an access, or gives a comparison or difference 32-bit operands. Returns whether it
    /// did.
    fn access(&mut self, block: BlockId, at: usize, global_only: bool) -> bool {
        let inst = &self.function.at(block).insts[at];
        match inst.op {
            Op::Load(access) | Op::Store(access) if access.space == Space::Generic => {}
            Op::Atom {
                space: Space::Generic,
                ..
            } => {}
            Op::ICmp { .. } | Op::Sub => return self.pair(block, at),
            _ => return false,
        }
        let address = inst.args[0];
        let target = match self.function.def(address) {
            Def::Bank0(_) => Target::In(Space::Global),
            _ => self.targets[address.0 as usize],
        };
        let known = match target {
            Target::In(known) => known,
            // An address of unknown origin belongs to the host, too.
            Target::Unknown => Space::Global,
            Target::Any if global_only => Space::Global,
            Target::Any => return false,
        };
        let local = (known != Space::Global).then(|| self.of(known, address));
        let inst = &mut self.function.at_mut(block).insts[at];
        match &mut inst.op {
            Op::Load(access) | Op::Store(access) => access.space = known,
            Op::Atom { space, .. } => *space = known,
            _ => {}
        }
        if let Some(local) = local {
            inst.args[0] = local;
        }
        true
    }

    /// Compares or subtracts two addresses of one space in 32 bits.
    fn pair(&mut self, block: BlockId, at: usize) -> bool {
        let inst = &self.function.at(block).insts[at];
        let (op, result, span) = (inst.op, inst.results[0], inst.span);
        let [a, b] = [inst.args[0], inst.args[1]].map(|arg| self.pointer_of(arg));
        let is_null = |value: Value| self.function.const_bits(value) == Some(0);
        let space = match (self.space(a), self.space(b)) {
            (Some(a), Some(b)) if a == b => a,
            (Some(space), None) if is_null(b) => space,
            (None, Some(space)) if is_null(a) => space,
            _ => return false,
        };
        // Distances from the null pointer are undefined.
        let may_be_null = |value: Value| is_null(value) || self.may_be_null[value.0 as usize];
        if op == Op::Sub && (may_be_null(a) || may_be_null(b)) {
            return false;
        }
        let args = vec![self.of(space, a), self.of(space, b)];
        if let Op::ICmp { cmp, .. } = op {
            let inst = &mut self.function.at_mut(block).insts[at];
            // An address before the first one is negative.
            inst.op = Op::ICmp { cmp, signed: true };
            inst.args = args;
            return true;
        }
        if self.function.ty(result) == Type::I32 {
            self.function.at_mut(block).insts[at].args = args;
            return true;
        }
        let distance = self.function.value(Type::I32);
        self.before.entry((block, at)).or_default().push(Inst {
            op: Op::Sub,
            args,
            results: vec![distance],
            span,
        });
        let inst = &mut self.function.at_mut(block).insts[at];
        inst.op = Op::SignExtend;
        inst.args = vec![distance];
        true
    }

    /// The pointer whose low word or extension a value is; otherwise the value itself.
    fn pointer_of(&self, value: Value) -> Value {
        let Some((block, Place::Inst(at))) = self.made_at.get(value.0 as usize).copied().flatten() else {
            return value;
        };
        let inst = &self.function.at(block).insts[at];
        match inst.op {
            Op::Low | Op::SignExtend if self.space(inst.args[0]).is_some() => inst.args[0],
            _ => value,
        }
    }

    /// The 32-bit address of a generic address in this space.
    fn of(&mut self, space: Space, value: Value) -> Value {
        if let Some(found) = self.found.get(&value) {
            return *found;
        }
        match self.function.const_bits(value) {
            Some(0) => return self.function.i32(NULL),
            Some(bits) => return self.function.i32(bits as i32),
            None if self.function.def(value) != Def::Node => return self.function.i32(NULL),
            None => {}
        }
        let made_at = self.made_at.get(value.0 as usize).copied().flatten();
        let (block, at) = match made_at {
            Some((block, Place::Inst(at))) => (block, at),
            Some((block, Place::Param(at))) => {
                let local = self.function.value(Type::I32);
                self.found.insert(value, local);
                self.pending.push((block, at, local));
                return local;
            }
            None => return self.function.i32(NULL),
        };
        let inst = self.function.at(block).insts[at].clone();
        let (op, args) = match inst.op {
            Op::ToGeneric(_) => {
                self.found.insert(value, inst.args[0]);
                return inst.args[0];
            }
            Op::Select => {
                let (a, b) = (self.of(space, inst.args[1]), self.of(space, inst.args[2]));
                (Op::Select, vec![inst.args[0], a, b])
            }
            Op::Min { .. } | Op::Max { .. } => {
                let (a, b) = (self.of(space, inst.args[0]), self.of(space, inst.args[1]));
                let op = match inst.op {
                    Op::Min { .. } => Op::Min { signed: true },
                    _ => Op::Max { signed: true },
                };
                (op, vec![a, b])
            }
            Op::PtrAdd => {
                let base = self.of(space, inst.args[0]);
                let mut step = inst.args[1];
                if self.function.ty(step) == Type::I64 {
                    let low = self.function.value(Type::I32);
                    let args = vec![step];
                    self.insert(block, at, &inst, Op::Low, args, low);
                    step = low;
                }
                (Op::Add, vec![base, step])
            }
            _ => (Op::FromGeneric(space), vec![value]),
        };
        let local = self.function.value(Type::I32);
        self.found.insert(value, local);
        self.insert(block, at, &inst, op, args, local);
        local
    }

    fn insert(&mut self, block: BlockId, at: usize, near: &Inst, op: Op, args: Vec<Value>, result: Value) {
        self.after.entry((block, at)).or_default().push(Inst {
            op,
            args,
            results: vec![result],
            span: near.span,
        });
    }

    /// Adds parameters and operations to the function.
    fn finish(mut self) {
        while let Some((block, at, local)) = self.pending.pop() {
            self.function.at_mut(block).params.push(local);
            for from in 0..self.function.blocks.len() {
                let edges: Vec<Option<Value>> = (self.function.blocks[from].end.edges())
                    .map(|edge| (edge.to == block).then(|| edge.args[at]))
                    .collect();
                let args: Vec<Option<Value>> = (edges.into_iter())
                    .map(|arg| {
                        let arg = arg?;
                        let space = self.space(arg).unwrap_or(Space::Shared);
                        Some(self.of(space, arg))
                    })
                    .collect();
                let end = &mut self.function.blocks[from].end;
                for (edge, arg) in end.edges_mut().zip(args) {
                    edge.args.extend(arg);
                }
            }
        }
        for (idx, block) in self.function.blocks.iter_mut().enumerate() {
            let id = BlockId(idx as u32);
            let insts = std::mem::take(&mut block.insts);
            for (at, inst) in insts.into_iter().enumerate() {
                block
                    .insts
                    .extend(self.before.remove(&(id, at)).into_iter().flatten());
                block.insts.push(inst);
                block
                    .insts
                    .extend(self.after.remove(&(id, at)).into_iter().flatten());
            }
        }
    }
}
