//! Merges adjacent accesses to shared and local memory into accesses of 64 or 128 bits, if the address is known
//! to be aligned.

use std::collections::BTreeMap;

use crate::ir::{Access, Def, Function, Inst, Op, Space, Value};
use engine::isa::Symbol;

use super::effects;

/// Merges adjacent accesses of a function.
pub(super) fn run(function: &mut Function, symbols: &[Symbol]) {
    let mut defs = BTreeMap::new();
    for inst in function.insts() {
        if let [result] = inst.results[..]
            && effects::pure(inst.op)
        {
            defs.insert(result, (inst.op, inst.args.clone()));
        }
    }
    let mut aligned = Vec::new();
    let rows: Vec<Vec<Inst>> = (function.blocks.iter_mut())
        .map(|block| std::mem::take(&mut block.insts))
        .collect();
    let mut vectorize = Vectorize {
        function,
        symbols,
        defs,
        aligned: &mut aligned,
    };
    let rows: Vec<Vec<Inst>> = rows.into_iter().map(|row| vectorize.straight(row)).collect();
    for (block, row) in function.blocks.iter_mut().zip(rows) {
        block.insts = row;
    }
    for slot in aligned {
        let info = &mut function.slots[slot];
        info.align = info.align.max(16);
    }
}

struct Vectorize<'a> {
    function: &'a Function,
    symbols: &'a [Symbol],
    defs: BTreeMap<Value, (Op, Vec<Value>)>,
    /// Local variables whose alignment the merged accesses rely on.
    aligned: &'a mut Vec<usize>,
}

impl Vectorize<'_> {
    /// A power of two that divides an address, at most 16.
    fn align(&mut self, value: Value, depth: u32) -> u32 {
        let of = |number: u64| {
            if number == 0 {
                16
            } else {
                1 << number.trailing_zeros().min(4)
            }
        };
        match self.function.def(value) {
            Def::Const(bits) => return of(bits),
            Def::Shared(symbol) => return of(u64::from(self.symbols[symbol.0 as usize].offset)),
            Def::Slot(slot) if self.function.slots[slot.0 as usize].size >= 8 => {
                self.aligned.push(slot.0 as usize);
                return 16;
            }
            Def::Node if depth < 16 => {}
            _ => return 1,
        }
        let Some((op, args)) = self.defs.get(&value).cloned() else {
            return 1;
        };
        match (op, &args[..]) {
            (Op::Add | Op::Sub | Op::PtrAdd | Op::Or, [a, b]) => {
                self.align(*a, depth + 1).min(self.align(*b, depth + 1))
            }
            (Op::Mul | Op::MulWide { .. }, [a, b]) => {
                (self.align(*a, depth + 1) * self.align(*b, depth + 1)).min(16)
            }
            (Op::Shl, [a, b]) => match self.function.const_bits(*b) {
                Some(amount) => (self.align(*a, depth + 1) << amount.min(4)).min(16),
                None => 1,
            },
            (Op::Select, [_, a, b]) => self.align(*a, depth + 1).min(self.align(*b, depth + 1)),
            (Op::And, [a, b]) => self.align(*a, depth + 1).max(self.align(*b, depth + 1)),
            (Op::SignExtend | Op::ZeroExtend | Op::Low, [a]) => self.align(*a, depth + 1),
            _ => 1,
        }
    }

    /// Merges the accesses of consecutive operations.
    fn straight(&mut self, row: Vec<Inst>) -> Vec<Inst> {
        let mut insts: Vec<Option<Inst>> = row.into_iter().map(Some).collect();
        // Accesses to one base without a conflicting operation in between.
        let mut loads: BTreeMap<(Space, Value, u32), Vec<usize>> = BTreeMap::new();
        let mut stores = loads.clone();
        let mut groups = Vec::new();
        let flush = |map: &mut BTreeMap<(Space, Value, u32), Vec<usize>>,
                     groups: &mut Vec<Vec<usize>>,
                     spare: Option<Space>| {
            let all = std::mem::take(map);
            for (key, group) in all {
                if spare.is_some_and(|space| space != key.0) {
                    map.insert(key, group);
                } else if group.len() > 1 {
                    groups.push(group);
                }
            }
        };
        for (index, inst) in insts.iter().enumerate() {
            let Some(inst) = inst else { continue };
            match inst.op {
                Op::Load(access) => {
                    flush(
                        &mut stores,
                        &mut groups,
                        (access.space != Space::Generic).then_some(access.space),
                    );
                    if let Some(key) = key(access, inst) {
                        loads.entry(key).or_default().push(index);
                    }
                }
                Op::Store(access) => {
                    let spare = (access.space != Space::Generic).then_some(access.space);
                    flush(&mut loads, &mut groups, spare);
                    let key = key(access, inst);
                    // Consecutive stores to one base are distinguished by their offsets.
                    let same: Vec<_> = stores.keys().copied().collect();
                    for other in same {
                        if other.0 == access.space
                            && Some(other) != key
                            && let Some(group) = stores.remove(&other)
                            && group.len() > 1
                        {
                            groups.push(group);
                        }
                    }
                    if let Some(key) = key {
                        stores.entry(key).or_default().push(index);
                    }
                }
                op if effects::clobbers(op) => {
                    flush(&mut loads, &mut groups, None);
                    flush(&mut stores, &mut groups, None);
                }
                _ => {}
            }
        }
        flush(&mut loads, &mut groups, None);
        flush(&mut stores, &mut groups, None);
        for group in groups {
            self.merge(&mut insts, group);
        }
        insts.into_iter().flatten().collect()
    }

    fn merge(&mut self, insts: &mut [Option<Inst>], mut group: Vec<usize>) {
        let place = |insts: &[Option<Inst>], index: usize| -> Option<Access> {
            match insts[index].as_ref()?.op {
                Op::Load(access) | Op::Store(access) => Some(access),
                _ => None,
            }
        };
        group.sort_by_key(|index| (place(insts, *index).map_or(0, |access| access.offset), *index));
        let offsets: Vec<_> = group
            .iter()
            .filter_map(|index| place(insts, *index))
            .map(|access| access.offset)
            .collect();
        if offsets.len() != group.len() || offsets.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let Some(first) = place(insts, group[0]) else {
            return;
        };
        let Some(addr) = insts[group[0]].as_ref().map(|inst| inst.args[0]) else {
            return;
        };
        let bytes = first.width.bytes();
        let align = self.align(addr, 0);
        let mut at = 0;
        while at < group.len() {
            let mut taken = 1;
            for want in [4_usize, 2] {
                let whole = bytes * want as u32;
                let fits = whole <= 16
                    && whole <= align
                    && at + want <= group.len()
                    && offsets[at].rem_euclid(whole as i32) == 0
                    && (0..want).all(|k| offsets[at + k] == offsets[at] + (k as u32 * bytes) as i32);
                if fits {
                    join(insts, &group[at..at + want]);
                    taken = want;
                    break;
                }
            }
            at += taken;
        }
    }
}

/// The properties that merged accesses share: space, address, and width. `None` for accesses that cannot be
/// merged.
fn key(access: Access, inst: &Inst) -> Option<(Space, Value, u32)> {
    let fits = matches!(access.space, Space::Shared | Space::Local)
        && access.count == 1
        && !access.volatile
        && access.width.bytes() >= 4;
    fits.then(|| (access.space, inst.args[0], access.width.bytes()))
}

/// Merges accesses in the order of their offsets: loads at the position of the earliest load, stores at that of
/// the last store.
fn join(insts: &mut [Option<Inst>], group: &[usize]) {
    let mut results = Vec::new();
    let mut args: Vec<Value> = Vec::new();
    for index in group {
        if let Some(inst) = &insts[*index] {
            results.extend(&inst.results);
            args.extend(&inst.args[1..]);
        }
    }
    let is_load = args.is_empty();
    let target = if is_load {
        group.iter().min()
    } else {
        group.iter().max()
    };
    let Some(target) = target.copied() else { return };
    let Some(mut whole) = insts[group[0]].clone() else {
        return;
    };
    if let Some(inst) = &insts[target] {
        whole.span = inst.span;
    }
    if let Op::Load(access) | Op::Store(access) = &mut whole.op {
        access.count = group.len() as u8;
    }
    whole.results = results;
    whole.args.truncate(1);
    whole.args.extend(args);
    for index in group {
        insts[*index] = None;
    }
    insts[target] = Some(whole);
}
