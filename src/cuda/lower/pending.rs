//! The unread words of vector loads, which stay reserved until the load has arrived.
//!
//! A load of two or four words writes all of them when it arrives. If the program reads only some of the words, the
//! registers of the others are free for the program, but an instruction that writes one of them stalls until the load
//! has arrived. nvcc therefore reserves the whole destination until the first instruction that waits for the load:
//! observed in nvcc's code for 7.5 and 9.0.

use super::allocate::Units;
use super::machine::{Code, Place, VInst, VReg};

/// For each virtual register, the first of those that copies connect it with.
fn copied_groups(code: &Code) -> Vec<u32> {
    let mut group: Vec<u32> = (0..code.vregs.len() as u32).collect();
    let root = |group: &[u32], mut at: u32| {
        while group[at as usize] != at {
            at = group[at as usize];
        }
        at
    };
    for inst in code.blocks.iter().flat_map(|block| &block.insts) {
        if let (true, Some(to), Some(from)) = (inst.copy > 0, inst.dst, inst.srcs[0].place()) {
            let (a, b) = (root(&group, to.vreg.0), root(&group, from.vreg.0));
            group[a.max(b) as usize] = a.min(b);
        }
    }
    (0..group.len() as u32).map(|at| root(&group, at)).collect()
}

/// The words of each vector load's virtual register that no instruction reads; empty if no word is read.
fn unread_words(code: &Code) -> Vec<Vec<Place>> {
    let mut read = vec![0_u8; code.vregs.len()];
    let mut is_loaded = vec![false; code.vregs.len()];
    for inst in code.blocks.iter().flat_map(|block| &block.insts) {
        for (place, width) in inst.read_places() {
            read[place.vreg.0 as usize] |= ((1 << width) - 1) << place.unit;
        }
        if let Some(place) = inst.dst.filter(|_| is_vector_load(inst)) {
            is_loaded[place.vreg.0 as usize] = true;
        }
    }
    let words = |idx: usize| {
        let vreg = VReg(idx as u32);
        let used = is_loaded[idx] && read[idx] != 0;
        (0..code.vregs[idx].units)
            .filter(|unit| used && read[idx] >> unit & 1 == 0)
            .map(|unit| Place { vreg, unit })
            .collect()
    };
    (0..code.vregs.len()).map(words).collect()
}

fn is_vector_load(inst: &VInst) -> bool {
    inst.op.is_memory() && inst.destination_units() > 1
}

/// Finds the first instructions that wait for each vector load with unread words, and lets them hold these words
/// ([`VInst::holds`]). A copy does not wait: the register allocator removes most copies.
pub(super) fn hold_unread_words(code: &mut Code) {
    release(code);
    let unread = unread_words(code);
    if unread.iter().all(Vec::is_empty) {
        return;
    }
    let group = copied_groups(code);
    let starts = pending_at_starts(code, &unread, &group);
    let mut held = Vec::new();
    for (idx, pending) in starts.into_iter().enumerate() {
        let mut pending = pending;
        for inst in &mut code.blocks[idx].insts {
            let waits = step(inst, &mut pending, &unread, &group);
            if !waits.is_empty() {
                held.push(waits.iter().flat_map(|vreg| unread[*vreg].clone()).collect());
                inst.holds = held.len() as u32;
            }
        }
    }
    code.held = held;
}

/// Lets no instruction hold words of other loads.
pub(super) fn release(code: &mut Code) {
    code.held.clear();
    for inst in code.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        inst.holds = 0;
    }
}

/// Updates the loads in flight, by virtual register, for an instruction. Returns those that it waits for.
fn step(inst: &VInst, pending: &mut Units, unread: &[Vec<Place>], group: &[u32]) -> Vec<usize> {
    let mut waits = Vec::new();
    if inst.copy == 0 {
        for (place, _) in inst.read_places() {
            let read = group[place.vreg.0 as usize];
            waits.extend(pending.iter().filter(|loaded| group[*loaded] == read));
        }
        waits.sort_unstable();
        waits.dedup();
        for vreg in &waits {
            pending.remove(*vreg);
        }
    }
    if let Some(place) = inst.dst.filter(|_| is_vector_load(inst))
        && !unread[place.vreg.0 as usize].is_empty()
    {
        pending.insert(place.vreg.0 as usize);
    }
    waits
}

/// The loads that can be in flight at the start of each block, by block number.
fn pending_at_starts(code: &Code, unread: &[Vec<Place>], group: &[u32]) -> Vec<Units> {
    let successors = code.successors();
    let mut starts = vec![Units::default(); code.blocks.len()];
    let mut work: Vec<usize> = code.layout.iter().rev().map(|id| id.0 as usize).collect();
    while let Some(idx) = work.pop() {
        let mut pending = starts[idx].clone();
        for inst in &code.blocks[idx].insts {
            step(inst, &mut pending, unread, group);
        }
        for successor in &successors[idx] {
            if starts[*successor].add(&pending) {
                work.push(*successor);
            }
        }
    }
    starts
}
