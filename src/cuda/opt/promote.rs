//! Local variables become values: every variable whose address goes nowhere and that is accessed at
//! constant offsets only, whole or in parts, array elements included.

use std::collections::BTreeMap;

use crate::cuda::ir::{
    Access, Compare, Def, End, Function, If, Inst, Label, MemWidth, Node, Num, Op, Region, Space, Type, Value,
};

/// A part of a variable that is always accessed as a whole.
struct Cell {
    ty: Type,
    /// The width of all accesses, if it is one.
    width: Option<MemWidth>,
    /// Position of the last access, in order of the nodes.
    last: u32,
}

/// What is known of a variable: its parts by offset, or `None` if it must stay in memory.
type Parts = Option<BTreeMap<i32, (u32, usize)>>;

/// Promotes what can be promoted; whether anything was.
pub(super) fn run(function: &mut Function) -> bool {
    if function.slots.iter().all(|slot| slot.size == 0) {
        return false;
    }
    let mut scan = Scan {
        function,
        slots: function.slots.iter().map(|_| Some(BTreeMap::new())).collect(),
        cells: Vec::new(),
        ends: Vec::new(),
        position: 0,
    };
    scan.region(&function.body);
    let Scan {
        slots, cells, ends, ..
    } = scan;
    let mut any = false;
    for (slot, parts) in function.slots.iter_mut().zip(&slots) {
        if parts.is_some() && slot.size > 0 {
            slot.size = 0;
            any = true;
        }
    }
    if !any {
        return false;
    }
    let mut stores = Vec::new();
    let body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    find_stores(function, &slots, &body, &mut stores);
    let current = vec![None; cells.len()];
    let mut rewrite = Rewrite {
        renamed: (0..function.values.len() as u32).map(Value).collect(),
        function,
        slots,
        cells,
        stores,
        ends,
        construct: 0,
        current,
        carried: BTreeMap::new(),
    };
    let mut body = body;
    rewrite.region(&mut body, &[]);
    rewrite.function.body = body;
    true
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
    ends: Vec<u32>,
    position: u32,
}

impl Scan<'_> {
    fn escape(&mut self, value: Value) {
        if let Some(slot) = slot_of(self.function, value) {
            self.slots[slot] = None;
        }
    }

    fn region(&mut self, region: &Region) {
        for node in &region.nodes {
            self.position += 1;
            match node {
                Node::Inst(inst) => self.inst(inst),
                Node::Loop(repeat) => repeat.init.iter().for_each(|value| self.escape(*value)),
                Node::If(_) | Node::Block(_) => {}
            }
            if !matches!(node, Node::Inst(_)) {
                let start = self.position;
                let index = self.ends.len();
                self.ends.push(0);
                for inner in node.regions() {
                    self.region(inner);
                }
                self.position += 1;
                self.ends[index] = self.position;
                if matches!(node, Node::Loop(_)) {
                    // What a turn accesses, the next one may access again.
                    for cell in self.cells.iter_mut().filter(|cell| cell.last > start) {
                        cell.last = self.position;
                    }
                }
            }
        }
        region.end.args().iter().for_each(|value| self.escape(*value));
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
                cell.last = self.position;
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
                last: self.position,
            });
        }
        if !fits {
            self.slots[slot] = None;
        }
    }
}

/// The cells that each construct stores to, constructs in order of their starts.
fn find_stores(
    function: &Function,
    slots: &[Parts],
    region: &Region,
    all: &mut Vec<Vec<usize>>,
) -> Vec<usize> {
    let mut stored = Vec::new();
    for node in &region.nodes {
        if let Node::Inst(inst) = node {
            if let (Some(access), true) = (local_access(inst.op), inst.results.is_empty())
                && let Some(parts) = slot_of(function, inst.args[0]).and_then(|slot| slots[slot].as_ref())
            {
                for index in 0..access.count {
                    let at = access.offset + (u32::from(index) * access.width.bytes()) as i32;
                    stored.extend(parts.get(&at).map(|(_, cell)| *cell));
                }
            }
            continue;
        }
        let index = all.len();
        all.push(Vec::new());
        let mut inner: Vec<_> = node
            .regions()
            .flat_map(|region| find_stores(function, slots, region, all))
            .collect();
        inner.sort_unstable();
        inner.dedup();
        stored.extend(&inner);
        all[index] = inner;
    }
    stored
}

struct Rewrite<'a> {
    function: &'a mut Function,
    slots: Vec<Parts>,
    cells: Vec<Cell>,
    /// By construct, in order of their starts: cells that it stores, position of its end.
    stores: Vec<Vec<usize>>,
    ends: Vec<u32>,
    construct: usize,
    renamed: Vec<Value>,
    current: Vec<Option<Value>>,
    /// Cells that a `break` to and a `continue` of a label carry.
    carried: BTreeMap<Label, (Vec<usize>, Vec<usize>)>,
}

impl Rewrite<'_> {
    fn rename(&self, values: &mut [Value]) {
        for value in values {
            if let Some(new) = self.renamed.get(value.0 as usize) {
                *value = *new;
            }
        }
    }

    fn now(&mut self, cell: usize) -> Value {
        match self.current[cell] {
            Some(value) => value,
            None => self.function.leaf(self.cells[cell].ty, Def::Undef),
        }
    }

    fn all_now(&mut self, cells: &[usize]) -> Vec<Value> {
        cells.iter().map(|cell| self.now(*cell)).collect()
    }

    fn fresh(&mut self, cells: &[usize]) -> Vec<Value> {
        let mut values = Vec::new();
        for cell in cells {
            let value = self.function.value(self.cells[*cell].ty);
            self.current[*cell] = Some(value);
            values.push(value);
        }
        values
    }

    /// Rewrites a region that yields the values of `carried` cells beside its own.
    fn region(&mut self, region: &mut Region, carried: &[usize]) {
        let nodes = std::mem::take(&mut region.nodes);
        let mut out = Vec::with_capacity(nodes.len());
        for mut node in nodes {
            match &mut node {
                Node::Inst(inst) => {
                    self.rename(&mut inst.args);
                    if self.promoted(inst, &mut out) {
                        continue;
                    }
                }
                Node::If(choice) => {
                    let end = self.ends[self.construct];
                    self.construct += 1;
                    self.rename(std::slice::from_mut(&mut choice.cond));
                    let before = self.current.clone();
                    self.region(&mut choice.then, &[]);
                    let then = std::mem::replace(&mut self.current, before.clone());
                    self.region(&mut choice.els, &[]);
                    let els = std::mem::replace(&mut self.current, before);
                    self.join(choice, end, &then, &els);
                }
                Node::Loop(repeat) => {
                    let (stored, outside) = self.enter();
                    self.rename(&mut repeat.init);
                    let init = self.all_now(&stored);
                    repeat.init.extend(init);
                    let params = self.fresh(&stored);
                    repeat.params.extend(params);
                    self.carried.insert(repeat.label, (outside.clone(), stored));
                    self.region(&mut repeat.body, &outside);
                    repeat.results.extend(self.fresh(&outside));
                }
                Node::Block(block) => {
                    let (_, outside) = self.enter();
                    self.carried.insert(block.label, (outside.clone(), Vec::new()));
                    self.region(&mut block.body, &outside);
                    block.results.extend(self.fresh(&outside));
                }
            }
            out.push(node);
        }
        region.nodes = out;
        if let Some(args) = region.end.args_mut() {
            let mut values = std::mem::take(args);
            self.rename(&mut values);
            *args = values;
        }
        match &mut region.end {
            End::Break(label, args) => {
                let cells = self
                    .carried
                    .get(label)
                    .map(|carried| carried.0.clone())
                    .unwrap_or_default();
                args.extend(self.all_now(&cells));
            }
            End::Continue(label, args) => {
                let cells = self
                    .carried
                    .get(label)
                    .map(|carried| carried.1.clone())
                    .unwrap_or_default();
                args.extend(self.all_now(&cells));
            }
            End::Yield(args) => args.extend(self.all_now(carried)),
            End::Return(_) | End::Unreachable => {}
        }
    }

    /// Cells stored in the construct that starts here, and those of them that are accessed after it.
    fn enter(&mut self) -> (Vec<usize>, Vec<usize>) {
        let stored = std::mem::take(&mut self.stores[self.construct]);
        let end = self.ends[self.construct];
        self.construct += 1;
        let outside = stored
            .iter()
            .copied()
            .filter(|cell| self.cells[*cell].last > end)
            .collect();
        (stored, outside)
    }

    fn join(&mut self, choice: &mut If, end: u32, then: &[Option<Value>], els: &[Option<Value>]) {
        let then_falls = matches!(choice.then.end, End::Yield(_));
        let els_falls = matches!(choice.els.end, End::Yield(_));
        for cell in 0..self.cells.len() {
            let before = self.current[cell];
            let differs = (then_falls && then[cell] != before) || (els_falls && els[cell] != before);
            if !differs || self.cells[cell].last <= end {
                continue;
            }
            let undef = self.function.leaf(self.cells[cell].ty, Def::Undef);
            let (a, b) = (then[cell].unwrap_or(undef), els[cell].unwrap_or(undef));
            if let End::Yield(args) = &mut choice.then.end {
                args.push(a);
            }
            if let End::Yield(args) = &mut choice.els.end {
                args.push(b);
            }
            let result = self.function.value(self.cells[cell].ty);
            choice.results.push(result);
            self.current[cell] = Some(result);
        }
    }

    /// Takes a load or store of a promoted variable away; whether it was one.
    fn promoted(&mut self, inst: &Inst, out: &mut Vec<Node>) -> bool {
        let Some(access) = local_access(inst.op) else {
            return false;
        };
        let Some(slot) = slot_of(self.function, inst.args[0]) else {
            return false;
        };
        let Some(parts) = &self.slots[slot] else {
            return false;
        };
        let bytes = access.width.bytes();
        let cells: Vec<_> = (0..access.count)
            .filter_map(|index| parts.get(&(access.offset + (u32::from(index) * bytes) as i32)))
            .map(|(_, cell)| *cell)
            .collect();
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
                self.current[cell] = Some(value);
            }
        }
        true
    }

    fn add(&mut self, op: Op, ty: Type, args: Vec<Value>, inst: &Inst, out: &mut Vec<Node>) -> Value {
        let result = self.function.value(ty);
        out.push(Node::Inst(Inst {
            op,
            args,
            results: vec![result],
            span: inst.span,
        }));
        result
    }

    fn cast(&mut self, value: Value, ty: Type, inst: &Inst, out: &mut Vec<Node>) -> Value {
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
