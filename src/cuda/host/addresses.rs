//! Addresses that a launch passes: in arguments, in structs by value, and in the memory that these lead to.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use super::machine::*;
use super::memory::*;
use super::value::*;
use super::{Contents, FREED_ADDRESSES, HOST_ADDRESSES, HostPointer, HostValue};
use engine::isa::ElemType;

/// Bytes between the addresses of two allocations that the GPU cannot access. Assumption: 64 KB distinguish them well
/// enough for a message, which names the parameter.
const INVALID_BYTES: u64 = 1 << 16;
/// Limit of allocations with addresses of their own: the range of freed memory has room for them.
const NUM_INVALID: u64 = 1 << 15;

/// Limit of the pointers that are read from one allocation. Assumption: the simulator's grids do not read more.
const MAX_POINTERS: usize = 1 << 16;
/// Limit of the elements of an array in a struct whose pointers are read.
const MAX_ARRAY: u64 = 4_096;

impl Machine {
    /// Notes that the program frees what a pointer points to. Memory that is freed under an unknown condition can still be used.
    pub(super) fn freed(&mut self, pointer: &Value) {
        if matches!(pointer.ty, Ty::Pointer(_)) && pointer.is_known() && self.conditions.is_empty() {
            self.memory.free(pointer.bits, self.line);
        }
    }

    /// The address that a kernel gets for memory that the GPU cannot access: pageable memory of the host, and freed memory.
    pub(super) fn invalid(&mut self, idx: usize, offset: i64) -> Option<u64> {
        let alloc = &self.memory.allocs[idx];
        let first = if let Some(line) = alloc.freed {
            let text = format!("This launch passes memory that line {line} has freed.");
            self.note(text);
            FREED_ADDRESSES.start
        } else if alloc.is_pageable && !alloc.is_pinned {
            HOST_ADDRESSES.start
        } else {
            return None;
        };
        let at = (idx as u64 % NUM_INVALID + 1) * INVALID_BYTES;
        Some((first + at).wrapping_add_signed(offset))
    }

    /// A struct by value that holds pointers.
    pub(super) fn struct_with_pointers(&mut self, ty: Ty, parts: &Rc<(Vec<u8>, Vec<State>)>) -> HostValue {
        let (mut bytes, states) = (parts.0.clone(), &parts.1);
        if let Some(state) = states.iter().find(|state| **state >= REASONS) {
            return HostValue::Unknown(self.why(*state));
        }
        let mut fields = Vec::new();
        if !self.pointers_in(ty, 0, &mut fields) {
            return HostValue::Unknown(
                "it is a struct with functions or containers, which a simulated launch cannot pass"
                    .to_owned(),
            );
        }
        let mut pointers = Vec::new();
        for (at, _) in fields {
            let Some((bits, state)) = self.word(&bytes, states, at) else {
                continue;
            };
            if bits == 0 || state == UNTOUCHED {
                continue;
            }
            match self.memory.target(bits) {
                Some((idx @ 1.., offset)) => match self.invalid(idx, offset) {
                    Some(address) => {
                        bytes[at as usize..at as usize + 8].copy_from_slice(&address.to_le_bytes());
                    }
                    None => pointers.push((
                        at,
                        HostPointer {
                            allocation: idx as u32,
                            offset,
                        },
                    )),
                },
                _ => return HostValue::Unknown("a pointer in it points to no allocation".to_owned()),
            }
        }
        HostValue::Struct(bytes, pointers)
    }

    /// Eight bytes of a struct, and their combined state.
    fn word(&self, bytes: &[u8], states: &[State], at: u64) -> Option<(u64, State)> {
        let range = at as usize..at as usize + 8;
        let bits = u64::from_le_bytes(bytes.get(range.clone())?.try_into().ok()?);
        let state = states.get(range)?.iter().copied().max()?;
        Some((bits, state))
    }

    /// What pointers in structs and pointers to pointers among values lead to: addresses, with the types of what they point
    /// to.
    pub(super) fn behind(&self, values: &[Value]) -> Vec<(u64, Ty)> {
        let mut found = Vec::new();
        for value in values {
            match (value.ty, &value.parts) {
                (Ty::Pointer(to), _) if self.holds_pointers(self.pointee(to)) => {
                    found.push((value.bits, self.pointee(to)));
                }
                (Ty::Struct(_), Some(parts)) => {
                    let mut fields = Vec::new();
                    self.pointers_in(value.ty, 0, &mut fields);
                    for (at, to) in fields {
                        if let Some((bits, state)) = self.word(&parts.0, &parts.1, at)
                            && is_known(state)
                        {
                            found.push((bits, self.pointee(to)));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The memory that pointers lead to, with its own pointers, each allocation once. `roots` are addresses with the types of
    /// what they point to.
    pub(super) fn reached(&mut self, roots: Vec<(u64, Ty)>) -> Vec<Contents> {
        let (mut seen, mut left, mut found) = (BTreeSet::new(), VecDeque::from(roots), Vec::new());
        while let Some((address, ty)) = left.pop_front() {
            let Some((idx @ 1.., _)) = self.memory.target(address) else {
                continue;
            };
            if self.memory.allocs[idx].freed.is_some() || !seen.insert(idx) {
                continue;
            }
            let mut contents = self.contents(idx, 0);
            contents.elem = elem_of(ty);
            self.read_pointers(ty, idx, &mut contents, &mut left);
            found.push(contents);
        }
        found
    }

    /// Reads the pointers in an allocation of elements of a type.
    fn read_pointers(&mut self, ty: Ty, idx: usize, contents: &mut Contents, left: &mut VecDeque<(u64, Ty)>) {
        let mut fields = Vec::new();
        if !self.pointers_in(ty, 0, &mut fields) {
            contents.lost =
                Some("it holds functions or containers, which a simulated launch cannot pass".to_owned());
            return;
        }
        let width = self.size_of(ty).max(1);
        let num = if fields.is_empty() {
            0
        } else {
            self.memory.allocs[idx].size / width
        };
        for element in 0..num {
            for (field, to) in &fields {
                let at = element * width + field;
                let Some((bits, state)) = self.memory.load(Memory::base(idx) + at, 8) else {
                    continue;
                };
                if state == UNTOUCHED {
                    continue;
                }
                if !is_known(state) {
                    contents.lost = Some(self.why(state));
                    return;
                }
                let target = match self.memory.target(bits) {
                    _ if bits == 0 => None,
                    Some((other @ 1.., offset)) => {
                        left.push_back((bits, self.pointee(*to)));
                        Some(HostPointer {
                            allocation: other as u32,
                            offset,
                        })
                    }
                    _ => {
                        contents.lost = Some("a pointer in it points to no allocation".to_owned());
                        return;
                    }
                };
                contents.pointers.push((at, target));
                if contents.pointers.len() > MAX_POINTERS {
                    contents.lost = Some(format!("it holds more than {MAX_POINTERS} pointers"));
                    return;
                }
            }
        }
    }

    /// The offsets of the pointers in a type, with what they point to. Returns whether it holds nothing else that is an
    /// address.
    fn pointers_in(&self, ty: Ty, at: u64, found: &mut Vec<(u64, TyId)>) -> bool {
        match ty {
            Ty::Pointer(to) => {
                found.push((at, to));
                true
            }
            Ty::Vector(_) | Ty::Function => false,
            Ty::Array(elem, len) => {
                let ty = self.pointee(elem);
                !self.holds_pointers(ty)
                    || (len <= MAX_ARRAY
                        && (0..len).all(|i| self.pointers_in(ty, at + i * self.size_of(ty), found)))
            }
            Ty::Struct(id) => (self.records[id as usize].fields.iter())
                .all(|field| self.pointers_in(field.ty, at + field.offset, found)),
            _ => true,
        }
    }
}

/// The type of the elements of memory, if they are numbers.
const fn elem_of(ty: Ty) -> Option<ElemType> {
    Some(match ty {
        Ty::I8 => ElemType::I8,
        Ty::U8 | Ty::Bool => ElemType::U8,
        Ty::I16 => ElemType::I16,
        Ty::U16 => ElemType::U16,
        Ty::I32 => ElemType::I32,
        Ty::U32 => ElemType::U32,
        Ty::I64 => ElemType::I64,
        Ty::U64 => ElemType::U64,
        Ty::F16 => ElemType::F16,
        Ty::F32 => ElemType::F32,
        Ty::F64 => ElemType::F64,
        _ => return None,
    })
}
