//! Promotes local variables to values: variables whose address does not escape and that are accessed only at
//! constant offsets, as a whole or in parts, including array elements.

use std::collections::BTreeMap;

use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;
use crate::ir::walk::follow;
use crate::ir::{Access, BlockId, Compare, Def, Function, Inst, MemWidth, Num, Op, Space, Type, Value};

/// A part of a variable that is always accessed as a whole.
struct Cell {
    ty: Type,
    /// The common width of all accesses, if they have one.
    width: Option<MemWidth>,
}

/// Facts about a variable: its parts by offset, or `None` if it must stay in memory.
type Parts = Option<BTreeMap<i32, (u32, usize)>>;

/// Promotes all variables that can be promoted. Returns whether there were any.
pub(super) fn run(function: &mut Function) -> bool {
    if function.slots.iter().all(|slot| slot.size == 0) {
        return false;
    }
    let mut scan = Scan {
        function,
        slots: function.slots.iter().map(|_| Some(BTreeMap::new())).collect(),
        cells: Vec::new(),
    };
    for block in &function.blocks {
        block.insts.iter().for_each(|inst| scan.inst(inst));
        block.end.uses(&mut |value| scan.escape(value));
    }
    let Scan { slots, cells, .. } = scan;
    let mut any = false;
    for (slot, parts) in function.slots.iter_mut().zip(&slots) {
        if parts.is_some() && slot.size > 0 {
            slot.size = 0;
            any = true;
        }
    }
    if any {
        rewrite(function, slots, cells);
    }
    any
}

/// How a block first accesses a cell, and whether it stores to the cell.
#[derive(Clone, Copy, Default)]
struct Touch {
    reads_first: bool,
    stores: bool,
}

fn rewrite(function: &mut Function, slots: Vec<Parts>, cells: Vec<Cell>) {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    let frontiers = dominators.frontiers(&flow.preds);
    let mut touches: Vec<BTreeMap<u32, Touch>> = vec![BTreeMap::new(); cells.len()];
    for id in &flow.order {
        for inst in &function.at(*id).insts {
            for cell in cells_of(function, &slots, inst) {
                let touch = touches[cell].entry(id.0).or_default();
                if inst.results.is_empty() {
                    touch.stores = true;
                } else if !touch.stores {
                    touch.reads_first = true;
                }
            }
        }
    }
    let mut joined: Vec<Vec<(usize, Value)>> = vec![Vec::new(); function.blocks.len()];
    for (cell, touched) in touches.iter().enumerate() {
        for block in joins(touched, &flow, &frontiers) {
            let param = function.value(cells[cell].ty);
            joined[block as usize].push((cell, param));
        }
    }
    let mut rewrite = Rewrite {
        renamed: (0..function.values.len() as u32).map(Value).collect(),
        current: vec![None; cells.len()],
        function,
        slots,
        cells,
        undo: Vec::new(),
    };
    // The walk visits a block after all its dominators; when it goes back up, values are restored.
    let mut open: Vec<(u32, usize)> = Vec::new();
    for node in dominators.walk() {
        while let Some((above, mark)) = open.last().copied() {
            if dominators.dominates(above, *node) {
                break;
            }
            rewrite.restore(mark);
            open.pop();
        }
        open.push((*node, rewrite.undo.len()));
        rewrite.block(BlockId(*node), &joined);
    }
    let renamed = rewrite.renamed;
    function.rename(&renamed);
}

/// The blocks where several values of a cell meet, if the cell is read there or later before it is stored.
fn joins(touched: &BTreeMap<u32, Touch>, flow: &Flow, frontiers: &[Vec<u32>]) -> Vec<u32> {
    let mut live = vec![false; frontiers.len()];
    let mut work: Vec<u32> = Vec::new();
    for (block, touch) in touched {
        if touch.reads_first {
            live[*block as usize] = true;
            work.push(*block);
        }
    }
    while let Some(block) = work.pop() {
        for pred in &flow.preds[block as usize] {
            let stores = touched.get(&pred.0).is_some_and(|touch| touch.stores);
            if !stores && !std::mem::replace(&mut live[pred.idx()], true) {
                work.push(pred.0);
            }
        }
    }
    let mut found: Vec<u32> = Vec::new();
    let mut work: Vec<u32> = touched
        .iter()
        .filter(|(_, touch)| touch.stores)
        .map(|(block, _)| *block)
        .collect();
    while let Some(block) = work.pop() {
        for at in &frontiers[block as usize] {
            if live[*at as usize] && !found.contains(at) {
                found.push(*at);
                work.push(*at);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The cells that a load or store of a promoted variable accesses, in order.
fn cells_of(function: &Function, slots: &[Parts], inst: &Inst) -> Vec<usize> {
    let Some(access) = local_access(inst.op) else {
        return Vec::new();
    };
    let Some(parts) = slot_of(function, inst.args[0]).and_then(|slot| slots[slot].as_ref()) else {
        return Vec::new();
    };
    let bytes = access.width.bytes();
    (0..access.count)
        .filter_map(|index| parts.get(&(access.offset + (u32::from(index) * bytes) as i32)))
        .map(|(_, cell)| *cell)
        .collect()
}

fn slot_of(function: &Function, value: Value) -> Option<usize> {
    match function.def(value) {
        Def::Slot(slot) => Some(slot.0 as usize),
        _ => None,
    }
}

fn element_types(function: &Function, inst: &Inst) -> Vec<Type> {
    let values = if inst.results.is_empty() {
        &inst.args[1..]
    } else {
        &inst.results[..]
    };
    values.iter().map(|value| function.ty(*value)).collect()
}

fn local_access(op: Op) -> Option<Access> {
    match op {
        Op::Load(access) | Op::Store(access) if access.space == Space::Local && !access.volatile => {
            Some(access)
        }
        _ => None,
    }
}

struct Scan<'a> {
    function: &'a Function,
    slots: Vec<Parts>,
    cells: Vec<Cell>,
}

impl Scan<'_> {
    fn escape(&mut self, value: Value) {
        if let Some(slot) = slot_of(self.function, value) {
            self.slots[slot] = None;
        }
    }

    fn inst(&mut self, inst: &Inst) {
        let Some(access) = local_access(inst.op) else {
            inst.args.iter().for_each(|value| self.escape(*value));
            return;
        };
        inst.args[1..].iter().for_each(|value| self.escape(*value));
        let Some(slot) = slot_of(self.function, inst.args[0]) else {
            return;
        };
        let Some(parts) = &mut self.slots[slot] else {
            return;
        };
        let bytes = access.width.bytes();
        let inside =
            access.offset >= 0 && access.offset as u32 + access.bytes() <= self.function.slots[slot].size;
        let mut fits = inside;
        for (index, ty) in element_types(self.function, inst).into_iter().enumerate() {
            let at = access.offset + (index as u32 * bytes) as i32;
            if let Some((size, cell)) = parts.get(&at) {
                fits &= *size == bytes;
                let cell = &mut self.cells[*cell];
                if cell.width != Some(access.width) {
                    cell.width = None;
                }
                continue;
            }
            let before = parts.range(..at).next_back();
            fits &= before.is_none_or(|(start, (size, _))| start + *size as i32 <= at);
            let after = parts.range(at..).next();
            fits &= after.is_none_or(|(start, _)| *start >= at + bytes as i32);
            parts.insert(at, (bytes, self.cells.len()));
            self.cells.push(Cell {
                ty,
                width: Some(access.width),
            });
        }
        if !fits {
            self.slots[slot] = None;
        }
    }
}

struct Rewrite<'a> {
    function: &'a mut Function,
    slots: Vec<Parts>,
    cells: Vec<Cell>,
    renamed: Vec<Value>,
    /// The current value of each cell.
    current: Vec<Option<Value>>,
    /// Previous values of `current`, to be restored.
    undo: Vec<(usize, Option<Value>)>,
}

impl Rewrite<'_> {
    fn set(&mut self, cell: usize, value: Value) {
        let before = self.current[cell].replace(value);
        self.undo.push((cell, before));
    }

    fn restore(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((cell, before)) = self.undo.pop() {
                self.current[cell] = before;
            }
        }
    }

    fn now(&mut self, cell: usize) -> Value {
        match self.current[cell] {
            Some(value) => value,
            None => self.function.leaf(self.cells[cell].ty, Def::Undef),
        }
    }

    fn block(&mut self, id: BlockId, joined: &[Vec<(usize, Value)>]) {
        for (cell, param) in &joined[id.idx()] {
            self.function.at_mut(id).params.push(*param);
            self.set(*cell, *param);
        }
        let insts = std::mem::take(&mut self.function.at_mut(id).insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            for arg in &mut inst.args {
                *arg = follow(&self.renamed, *arg);
            }
            if !self.promoted(&inst, &mut out) {
                out.push(inst);
            }
        }
        self.function.at_mut(id).insts = out;
        let targets: Vec<BlockId> = self.function.at(id).end.targets().collect();
        for (at, target) in targets.into_iter().enumerate() {
            let values: Vec<Value> = joined[target.idx()]
                .iter()
                .map(|(cell, _)| self.now(*cell))
                .collect();
            if let Some(edge) = self.function.at_mut(id).end.edges_mut().nth(at) {
                edge.args.extend(values);
            }
        }
    }

    /// Removes a load or store of a promoted variable. Returns whether the instruction was one.
    fn promoted(&mut self, inst: &Inst, out: &mut Vec<Inst>) -> bool {
        let Some(access) = local_access(inst.op) else {
            return false;
        };
        if slot_of(self.function, inst.args[0]).is_none_or(|slot| self.slots[slot].is_none()) {
            return false;
        }
        let cells = cells_of(self.function, &self.slots, inst);
        for (index, cell) in cells.into_iter().enumerate() {
            let ty = self.cells[cell].ty;
            if let Some(result) = inst.results.get(index) {
                let value = self.now(cell);
                let mut value = self.cast(value, self.function.ty(*result), inst, out);
                if self.cells[cell].width.is_none() && self.function.ty(value) == Type::I32 {
                    let num = match access.width {
                        MemWidth::U8 => Some(Num::U8),
                        MemWidth::S8 => Some(Num::S8),
                        MemWidth::U16 => Some(Num::U16),
                        MemWidth::S16 => Some(Num::S16),
                        MemWidth::B32 | MemWidth::B64 => None,
                    };
                    if let Some(num) = num {
                        value = self.add(Op::Narrow(num), Type::I32, vec![value], inst, out);
                    }
                }
                self.renamed[result.0 as usize] = value;
            } else if let Some(value) = inst.args.get(index + 1) {
                let value = if self.function.def(*value) == Def::Undef {
                    self.function.leaf(ty, Def::Undef)
                } else {
                    self.cast(*value, ty, inst, out)
                };
                self.set(cell, value);
            }
        }
        true
    }

    fn add(&mut self, op: Op, ty: Type, args: Vec<Value>, inst: &Inst, out: &mut Vec<Inst>) -> Value {
        let result = self.function.value(ty);
        out.push(Inst {
            op,
            args,
            results: vec![result],
            span: inst.span,
        });
        result
    }

    fn cast(&mut self, value: Value, ty: Type, inst: &Inst, out: &mut Vec<Inst>) -> Value {
        let from = self.function.ty(value);
        match (from, ty) {
            _ if from == ty => value,
            (Type::I1, _) => {
                let (one, zero) = (self.function.i32(1), self.function.i32(0));
                self.add(Op::Select, Type::I32, vec![value, one, zero], inst, out)
            }
            (_, Type::I1) => {
                let zero = self.function.constant(from, 0);
                let op = Op::ICmp {
                    cmp: Compare::Ne,
                    signed: false,
                };
                self.add(op, Type::I1, vec![value, zero], inst, out)
            }
            _ => self.add(Op::Bitcast, ty, vec![value], inst, out),
        }
    }
}
