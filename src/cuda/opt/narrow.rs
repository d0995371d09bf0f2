//! Narrows vector loads to the elements that the program reads, as nvcc does (observed in its code for 7.5, 8.6, and
//! 9.0): one element becomes a scalar load, an aligned pair a load of two elements, and any other two elements become
//! two scalar loads. With three elements, the load stays whole.

use crate::ir::{Access, Function, Inst, MemWidth, Op, Value};

/// Narrows the loads of a function.
pub(super) fn run(function: &mut Function) {
    let mut is_used = vec![false; function.values.len()];
    function.uses(&mut |value| is_used[value.0 as usize] = true);
    for block in &mut function.blocks {
        if block.insts.iter().all(|inst| narrowed(inst, &is_used).is_none()) {
            continue;
        }
        block.insts = std::mem::take(&mut block.insts)
            .into_iter()
            .flat_map(|inst| narrowed(&inst, &is_used).unwrap_or_else(|| vec![inst]))
            .collect();
    }
}

/// The loads that replace a load; `None` if it stays.
fn narrowed(inst: &Inst, is_used: &[bool]) -> Option<Vec<Inst>> {
    let Op::Load(access) = inst.op else { return None };
    if access.volatile || access.count < 2 {
        return None;
    }
    let used: Vec<usize> = (0..inst.results.len())
        .filter(|idx| is_used[inst.results[*idx].0 as usize])
        .collect();
    match used[..] {
        [only] => Some(vec![part(inst, access, only, 1)]),
        [first, second] if access.count == 4 && first % 2 == 0 && second == first + 1 => {
            Some(vec![part(inst, access, first, 2)])
        }
        [first, second] if access.count == 4 && access.width == MemWidth::B32 => {
            Some(vec![part(inst, access, first, 1), part(inst, access, second, 1)])
        }
        _ => None,
    }
}

/// The load of `count` elements from `first` on.
fn part(inst: &Inst, access: Access, first: usize, count: u8) -> Inst {
    let results: Vec<Value> = inst.results[first..first + usize::from(count)].to_vec();
    let op = Op::Load(Access {
        count,
        offset: access.offset + (first as u32 * access.width.bytes()) as i32,
        ..access
    });
    Inst {
        op,
        results,
        ..inst.clone()
    }
}
