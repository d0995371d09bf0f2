//! Store-to-load forwarding: removes a load if an earlier load or store of the same address provides the value
//! and nothing in between can change it.

use std::collections::BTreeMap;

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::walk::follow;
use crate::ir::{Access, BlockId, Def, Function, Inst, MemWidth, Module, Op, Space, Type, Value};
use engine::isa::bank0;

use super::effects;

/// Facts about the kernel's parameters for alias analysis, by offset in bank 0.
pub(super) struct Restricted(BTreeMap<u16, bool>);

impl Restricted {
    pub(super) fn of(module: &Module) -> Self {
        let params = module.params.iter().zip(&module.param_traits);
        Self(
            params
                .map(|(param, traits)| (bank0::PARAMS + param.offset as u16, traits.restrict))
                .collect(),
        )
    }
}

/// Removes loads whose value is known.
pub(super) fn run(function: &mut Function, restricted: &Restricted) {
    let mut bases = vec![None; function.values.len()];
    for inst in function.insts() {
        if let (Op::PtrAdd | Op::Add, [result]) = (inst.op, &inst.results[..]) {
            bases[result.0 as usize] = Some((inst.args[0], inst.args[1]));
        }
    }
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let mut forward = Forward {
        renamed: (0..function.values.len() as u32).map(Value).collect(),
        function,
        restricted,
        bases,
        known: Vec::new(),
    };
    // The known contents at the ends of the blocks that dominate the current one.
    let mut open: Vec<(u32, Vec<Known>)> = Vec::new();
    for node in dominators.walk() {
        while open
            .last()
            .is_some_and(|(above, _)| !dominators.dominates(*above, *node))
        {
            open.pop();
        }
        let id = BlockId(*node);
        forward.known.clear();
        if let Some((above, known)) = open.last() {
            forward.known.clone_from(known);
            forward.pass_between(BlockId(*above), id, &flow);
        }
        forward.block(id);
        open.push((*node, forward.known.clone()));
    }
    let renamed = forward.renamed;
    function.rename(&renamed);
}

/// Maximum known memory locations at a time: a larger number takes time quadratic in the kernel's length. The
/// oldest ones are dropped first.
const MAX_KNOWN: usize = 256;

/// The variable that contains an address.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Root {
    Leaf(Def),
    Unknown,
}

/// A memory location whose content is a known value.
#[derive(Clone, Copy, Debug)]
struct Known {
    space: Space,
    addr: Value,
    offset: i32,
    width: MemWidth,
    root: Root,
    value: Value,
}

struct Forward<'a> {
    function: &'a mut Function,
    restricted: &'a Restricted,
    renamed: Vec<Value>,
    bases: Vec<Option<(Value, Value)>>,
    known: Vec<Known>,
}

impl Forward<'_> {
    fn root(&self, addr: Value) -> Root {
        let mut work = [addr, addr];
        for _ in 0..64 {
            let value = work[0];
            match self.function.def(value) {
                Def::Node => match self.bases.get(value.0 as usize).copied().flatten() {
                    Some((base, other)) => {
                        // The base of a sum can be either operand.
                        let leaf = matches!(self.function.def(other), Def::Shared(_) | Def::Slot(_));
                        work = if leaf { [other, base] } else { [base, other] };
                    }
                    None => return Root::Unknown,
                },
                def @ (Def::Bank0(_) | Def::Shared(_) | Def::Slot(_) | Def::Constant(_)) => {
                    return Root::Leaf(def);
                }
                Def::Const(_) | Def::Undef => return Root::Unknown,
            }
        }
        Root::Unknown
    }

    fn distinct(&self, a: Root, b: Root) -> bool {
        match (a, b) {
            (Root::Leaf(a), Root::Leaf(b)) if a == b => false,
            (Root::Leaf(Def::Shared(_)), Root::Leaf(Def::Shared(_)))
            | (Root::Leaf(Def::Slot(_)), Root::Leaf(Def::Slot(_))) => true,
            (Root::Leaf(Def::Bank0(a)), Root::Leaf(Def::Bank0(b))) => {
                let restrict = |at: u16| self.restricted.0.get(&at).copied().unwrap_or(false);
                restrict(a) || restrict(b)
            }
            _ => false,
        }
    }

    /// Drops the locations that a write of `bytes` bytes can change.
    fn write(&mut self, space: Space, addr: Value, offset: i32, bytes: u32) {
        let root = self.root(addr);
        let mut known = std::mem::take(&mut self.known);
        known.retain(|entry| {
            let spaces = space == entry.space || space == Space::Generic || entry.space == Space::Generic;
            let apart = entry.addr == addr
                && (i64::from(entry.offset) + i64::from(entry.width.bytes()) <= i64::from(offset)
                    || i64::from(offset) + i64::from(bytes) <= i64::from(entry.offset));
            !spaces || apart || self.distinct(root, entry.root)
        });
        self.known = known;
    }

    /// Drops all locations that other threads can write.
    fn synchronize(&mut self) {
        self.known.retain(|entry| entry.space == Space::Local);
    }

    fn clobber(&mut self, op: Op, args: &[Value]) {
        match op {
            Op::Store(access) => self.write(access.space, args[0], access.offset, access.bytes()),
            Op::Call(_) => self.known.clear(),
            _ if effects::clobbers(op) => self.synchronize(),
            _ => {}
        }
    }

    /// Drops the locations that blocks on paths from a block to one that it dominates can change.
    fn pass_between(&mut self, above: BlockId, below: BlockId, flow: &Flow) {
        let mut seen = vec![false; flow.preds.len()];
        let mut work: Vec<BlockId> = flow.preds[below.idx()].clone();
        while let Some(id) = work.pop() {
            if id == above || std::mem::replace(&mut seen[id.idx()], true) {
                continue;
            }
            if self.known.is_empty() {
                return;
            }
            let insts: Vec<(Op, Vec<Value>)> = (self.function.at(id).insts.iter())
                .filter(|inst| effects::clobbers(inst.op))
                .map(|inst| (inst.op, inst.args.clone()))
                .collect();
            for (op, args) in insts {
                self.clobber(op, &args);
            }
            work.extend(&flow.preds[id.idx()]);
        }
    }

    fn block(&mut self, id: BlockId) {
        let insts = std::mem::take(&mut self.function.at_mut(id).insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            for arg in &mut inst.args {
                *arg = self.current(*arg);
            }
            if !self.inst(&inst, &mut out) {
                out.push(inst);
            }
        }
        self.function.at_mut(id).insts = out;
    }

    fn current(&self, value: Value) -> Value {
        follow(&self.renamed, value)
    }

    /// Whether the instruction can be removed.
    fn inst(&mut self, inst: &Inst, out: &mut Vec<Inst>) -> bool {
        match inst.op {
            Op::Load(access) if !access.volatile => self.load(inst, access, out),
            Op::Load(_) => false,
            Op::Store(access) if !access.volatile => {
                self.clobber(inst.op, &inst.args);
                self.remember(access, inst.args[0], &inst.args[1..]);
                false
            }
            op => {
                self.clobber(op, &inst.args);
                false
            }
        }
    }

    fn remember(&mut self, access: Access, addr: Value, values: &[Value]) {
        // A store truncates a narrow value; only loads know the result.
        let root = self.root(addr);
        for (index, value) in values.iter().enumerate() {
            let offset = access.offset + (index as u32 * access.width.bytes()) as i32;
            if self.known.len() == MAX_KNOWN {
                self.known.remove(0);
            }
            self.known.push(Known {
                space: access.space,
                addr,
                offset,
                width: access.width,
                root,
                value: *value,
            });
        }
    }

    fn load(&mut self, inst: &Inst, access: Access, out: &mut Vec<Inst>) -> bool {
        let mut found = Vec::new();
        for (index, result) in inst.results.iter().enumerate() {
            let offset = access.offset + (index as u32 * access.width.bytes()) as i32;
            let entry = self.known.iter().rev().find(|entry| {
                entry.space == access.space
                    && entry.addr == inst.args[0]
                    && entry.offset == offset
                    && entry.width == access.width
            });
            let Some(entry) = entry else {
                break;
            };
            let (from, to) = (self.function.ty(entry.value), self.function.ty(*result));
            let same_size = from.bytes() == to.bytes() && from != Type::I1 && to != Type::I1;
            if self.function.def(entry.value) == Def::Undef || (from != to && !same_size) {
                break;
            }
            found.push(entry.value);
        }
        if found.len() < inst.results.len() {
            self.remember(access, inst.args[0], &inst.results);
            return false;
        }
        for (result, value) in inst.results.iter().zip(found) {
            let ty = self.function.ty(*result);
            let mut value = value;
            if self.function.ty(value) != ty {
                let cast = self.function.value(ty);
                out.push(Inst {
                    op: Op::Bitcast,
                    args: vec![value],
                    results: vec![cast],
                    span: inst.span,
                });
                value = cast;
            }
            self.renamed[result.0 as usize] = value;
        }
        true
    }
}
