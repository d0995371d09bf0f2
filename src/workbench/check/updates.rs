//! Updates: stores to a word whose value or condition depends on a load of the same word, such as `n++` or
//! `if (x > most) most = x`. If other threads do the same, the remedy is an atomic operation and not a barrier.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Memory;
use super::names::Names;
use engine::access::AccessOp;
use engine::ids::{Pc, SlotIdx};
use engine::isa::describe::Execution;
use engine::isa::{Instruction, Op, Operand, PT, Pred, PredSrc, RZ, Reg};
use engine::sim::observer::{AccessKind, ObservedAccess};

/// Instructions that the search for the loads of one store visits at most.
const MAX_VISITED: usize = 256;

/// What each lane accessed.
type Accessed = [Option<(Memory, u64)>; 32];

/// A register or a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Reg(Reg),
    Pred(Pred),
}

impl Value {
    fn is_written_by(self, instruction: &Instruction) -> bool {
        match self {
            Self::Reg(reg) => {
                let written = instruction.destination();
                written.is_some_and(|written| written.regs().any(|written| written == reg))
            }
            Self::Pred(pred) => instruction.predicate_destination() == Some(pred),
        }
    }
}

/// A store and the loads that its value or its condition depends on.
#[derive(Clone, Debug)]
struct Store {
    loads: Vec<Pc>,
    /// The atomic function that does the same.
    function: &'static str,
    /// The loads of the word that the store writes.
    own: BTreeSet<Pc>,
    /// Whether it also depends on another element of the same array: there, threads exchange values step by step, and
    /// the remedy is a barrier.
    is_exchange: bool,
}

/// The updates of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Updates {
    stores: BTreeMap<Pc, Store>,
    /// What each lane accessed in its last execution of a load of a store, by slot.
    last: BTreeMap<(SlotIdx, Pc), Accessed>,
    loads: BTreeSet<Pc>,
}

impl Updates {
    pub(super) fn new(code: &[Instruction]) -> Self {
        let mut updates = Self::default();
        for (at, instruction) in code.iter().enumerate() {
            if !matches!(instruction.op, Op::St { .. }) {
                continue;
            }
            let loads = loads_of(code, at);
            updates.loads.extend(&loads);
            if !loads.is_empty() {
                let store = Store {
                    loads,
                    function: function_of(code, at),
                    own: BTreeSet::new(),
                    is_exchange: false,
                };
                updates.stores.insert(Pc(at as u32), store);
            }
        }
        updates
    }

    pub(super) fn access(&mut self, access: &ObservedAccess<'_>, memory: Memory, names: &Names) {
        let (slot, pc) = (access.by.slot, access.by.pc);
        if access.kind == AccessKind::Read && self.loads.contains(&pc) {
            let last = self.last.entry((slot, pc)).or_insert([None; 32]);
            for lane in access.by.lanes.lanes() {
                last[lane as usize] = Some((memory, access.addresses[lane as usize]));
            }
        }
        let Some(store) = self.stores.get_mut(&pc).filter(|store| !store.is_exchange) else {
            return;
        };
        for lane in access.by.lanes.lanes() {
            let address = access.addresses[lane as usize];
            for load in &store.loads {
                let last = self.last.get(&(slot, *load));
                match last.and_then(|last| last[lane as usize]) {
                    Some((of, read)) if of == memory && read == address => {
                        store.own.insert(*load);
                    }
                    Some((of, read)) if of == memory => {
                        let array = |address| names.nearest(memory, address).map(|array| array.first);
                        store.is_exchange |= array(read) == array(address);
                    }
                    _ => {}
                }
            }
        }
    }

    /// The loads and stores that update a word, each with the atomic function that does the same.
    pub(super) fn instructions(&self) -> BTreeMap<Pc, &'static str> {
        let stores = self
            .stores
            .iter()
            .filter(|(_, store)| !store.is_exchange && !store.own.is_empty());
        let both = stores.flat_map(|(pc, store)| {
            let pcs = store.own.iter().copied().chain([*pc]);
            pcs.map(|pc| (pc, store.function))
        });
        both.collect()
    }
}

/// The loads that the value or the condition of a store depends on, by a search backwards through the code.
fn loads_of(code: &[Instruction], store: usize) -> Vec<Pc> {
    let mut open = stored(&code[store])
        .map(|value| (store, value))
        .collect::<Vec<_>>();
    let mut depend = |at: usize| {
        if code[at].guard.pred != PT {
            open.push((at, Value::Pred(code[at].guard.pred)));
        }
    };
    depend(store);
    // The branch around the store, or the exit before it.
    let skips = |at: &usize| {
        let op = code[*at].op;
        let is_past = op.target().is_some_and(|target| target.0 as usize > store);
        code[*at].guard != PredSrc::TRUE && (is_past || op == Op::Exit)
    };
    if let Some(branch) = (0..store).rev().find(skips) {
        depend(branch);
    }
    let mut loads = BTreeSet::new();
    let mut visited = BTreeSet::new();
    while let Some((before, value)) = open.pop() {
        for at in definitions(code, before, value) {
            if visited.len() >= MAX_VISITED || !visited.insert(at) {
                continue;
            }
            let instruction = &code[at];
            let description = instruction.op.describe();
            if description.access == Some(AccessOp::Load) {
                loads.insert(Pc(at as u32));
            } else if description.access.is_none() && description.execution != Execution::Exchange {
                let regs = instruction
                    .sources()
                    .flat_map(|range| range.regs().collect::<Vec<_>>());
                open.extend(regs.map(|reg| (at, Value::Reg(reg))));
                let preds = instruction.predicate_sources();
                open.extend(preds.map(|pred| (at, Value::Pred(pred))));
            }
        }
    }
    loads.into_iter().collect()
}

/// The registers that a store writes to memory.
fn stored(store: &Instruction) -> impl Iterator<Item = Value> {
    let first = match store.srcs[1].operand {
        Operand::Reg(first) if first != RZ => Some(first),
        _ => None,
    };
    let num = store.op.source_widths()[1];
    first
        .into_iter()
        .flat_map(move |first| (0..num).map(move |word| Value::Reg(first.word(word))))
}

/// The instructions before `before` that write a value: the last one, and with a guard also those before it.
fn definitions(code: &[Instruction], before: usize, value: Value) -> Vec<usize> {
    let mut found = Vec::new();
    for at in (0..before).rev() {
        if value.is_written_by(&code[at]) {
            found.push(at);
            if code[at].guard == PredSrc::TRUE {
                break;
            }
        }
    }
    found
}

/// The atomic function that computes what a store writes.
fn function_of(code: &[Instruction], store: usize) -> &'static str {
    let last = stored(&code[store])
        .next()
        .and_then(|value| definitions(code, store, value).first().copied());
    match last.map(|at| code[at].op) {
        Some(
            Op::Iadd3 { .. }
            | Op::Imad { .. }
            | Op::Fadd { .. }
            | Op::Ffma { .. }
            | Op::Fmad { .. }
            | Op::Dadd { .. }
            | Op::Dfma { .. }
            | Op::Hadd2 { .. }
            | Op::Hfma2 { .. },
        ) => "atomicAdd",
        Some(Op::Imnmx { max: true, .. }) => "atomicMax",
        Some(Op::Imnmx { max: false, .. }) => "atomicMin",
        _ => "atomicMax or atomicCAS",
    }
}
