//! Initcheck: reads of bytes that were never written.
//!
//! Shared memory starts uninitialized with each block, and local memory with each thread. Buffers that the
//! launch leaves unset start uninitialized too. `__device__` variables start as zeros. The compiler reports
//! variables in registers.

use std::collections::BTreeMap;

use super::finding::{Finding, FindingKind, Memory, Place};
use super::names::{Names, memory_of};
use engine::ids::{BlockId, SlotIdx};
use engine::launch::{Argument, Launch, Pattern};
use engine::sim::Machine;
use engine::sim::observer::{AccessKind, ObservedAccess};

/// Bytes of a part of a range, whose flags exist once the part is accessed: as many as of a page.
const PART_BYTES: u64 = 4096;

/// Which bytes of an address range were written.
#[derive(Clone, Debug, Default)]
struct Written {
    first: u64,
    bytes: u64,
    /// The flags of accessed parts, by their number.
    parts: BTreeMap<u64, Vec<bool>>,
}

impl Written {
    const fn unset(first: u64, bytes: u64) -> Self {
        Self {
            first,
            bytes,
            parts: BTreeMap::new(),
        }
    }

    /// Returns the flags of the bytes of an access, if this range holds all of them. An access is aligned to its size, so that
    /// it is within one part.
    fn range(&mut self, address: u64, bytes: u32) -> Option<&mut [bool]> {
        let start = address.checked_sub(self.first)?;
        if start + u64::from(bytes) > self.bytes {
            return None;
        }
        let part = self
            .parts
            .entry(start / PART_BYTES)
            .or_insert_with(|| vec![false; PART_BYTES as usize]);
        let at = (start % PART_BYTES) as usize;
        part.get_mut(at..at + bytes as usize)
    }
}

/// The initcheck tool.
#[derive(Clone, Debug)]
pub(super) struct Initcheck {
    /// Buffers that the launch leaves unset.
    global: Vec<Written>,
    shared_bytes: u64,
    shared: BTreeMap<BlockId, Written>,
    /// Per slot and byte: the mask of lanes that wrote the byte.
    local: BTreeMap<SlotIdx, Vec<u32>>,
    /// Findings by start and end of the source range and by memory.
    findings: BTreeMap<(u32, u32, Memory), Finding>,
}

impl Initcheck {
    pub(super) fn new(launch: &Launch, shared_bytes: u32, machine: &Machine) -> Self {
        let outputs = machine.outputs();
        let allocations = outputs.device.allocations();
        let unset = outputs
            .buffers
            .iter()
            .filter(|place| match launch.args.get(place.argument) {
                Some(Argument::Buffer { fill, .. }) => fill.pattern == Pattern::Unset,
                _ => false,
            })
            // Blocks on other SMs of a device, which are not observed, can write the buffers.
            .filter(|_| !machine.is_of_device());
        Self {
            global: unset
                .map(|place| &allocations[place.allocation])
                .map(|allocation| Written::unset(allocation.base, allocation.size))
                .collect(),
            shared_bytes: u64::from(shared_bytes),
            shared: BTreeMap::new(),
            local: BTreeMap::new(),
            findings: BTreeMap::new(),
        }
    }

    pub(super) fn start_block(&mut self, block: BlockId, slots: &[SlotIdx]) {
        self.shared.insert(block, Written::unset(0, self.shared_bytes));
        for slot in slots {
            self.local.remove(slot);
        }
    }

    pub(super) fn finish_block(&mut self, block: BlockId) {
        self.shared.remove(&block);
    }

    pub(super) fn access(&mut self, access: &ObservedAccess<'_>, names: &Names) {
        let memory = memory_of(access);
        if memory == Memory::Global && self.global.is_empty() {
            return;
        }
        for lane in access.by.lanes.lanes() {
            let address = access.addresses[lane as usize];
            let is_unwritten = match memory {
                Memory::Global => {
                    let mut buffers = self.global.iter_mut();
                    let bytes = buffers.find_map(|buffer| buffer.range(address, access.bytes));
                    bytes.is_some_and(|bytes| record(bytes, access.kind))
                }
                Memory::Shared => {
                    let block = self.shared.get_mut(&access.by.block);
                    let bytes = block.and_then(|block| block.range(address, access.bytes));
                    bytes.is_some_and(|bytes| record(bytes, access.kind))
                }
                Memory::Local => self.record_local(access, address, lane),
            };
            if is_unwritten && (memory != Memory::Local || names.is_array_access(access.by.pc)) {
                self.report(access, lane, names);
            }
        }
    }

    fn record_local(&mut self, access: &ObservedAccess<'_>, address: u64, lane: u32) -> bool {
        let lanes = self.local.entry(access.by.slot).or_default();
        let (start, end) = (address as usize, address as usize + access.bytes as usize);
        if lanes.len() < end {
            lanes.resize(end, 0);
        }
        let bytes = &mut lanes[start..end];
        if access.kind == AccessKind::Read {
            return bytes.iter().any(|byte| byte >> lane & 1 == 0);
        }
        for byte in bytes {
            *byte |= 1 << lane;
        }
        false
    }

    fn report(&mut self, access: &ObservedAccess<'_>, lane: u32, names: &Names) {
        let memory = memory_of(access);
        let span = names.span(access.by.pc);
        let known = self.findings.get_mut(&(span.start, span.end, memory));
        if let Some(finding) = known {
            finding.count += 1;
            return;
        }
        let site = names.access_site(access, lane);
        let name = match site.place.as_ref() {
            // Local arrays have no names in memory; the source names them.
            Some(place) if memory == Memory::Local && place.element.is_none() => {
                let text = names.text(span);
                let end = text.rfind(']').map_or(text.len(), |at| at + 1);
                text[..end].to_owned()
            }
            place => place.map_or_else(String::new, Place::name),
        };
        let array = name.split('[').next().unwrap_or(&name).to_owned();
        let who = match memory {
            Memory::Global => "neither the host nor the kernel has",
            Memory::Shared => "no thread of the block has",
            Memory::Local => "the thread has not",
        };
        let message = format!(
            "Uninitialized __{}__ memory read of size {} bytes by {}: {who} written {name}",
            memory.name(),
            access.bytes,
            site.thread_name(),
        );
        let advice = match memory {
            Memory::Global => "Fill the buffer before the launch, or write it before the read.".to_owned(),
            Memory::Shared => format!(
                "Write all of {array} before the read, and call __syncthreads(): shared memory is not initialized to zero."
            ),
            Memory::Local => {
                format!("Write all of {array} before the read: local memory is not initialized to zero.")
            }
        };
        let finding = Finding::error(FindingKind::UninitializedRead, message, &advice, site);
        self.findings.insert((span.start, span.end, memory), finding);
    }

    /// Returns the findings.
    pub(super) fn findings(self) -> impl Iterator<Item = Finding> {
        self.findings.into_values()
    }
}

/// Records an access. Returns whether it reads a byte that was not written.
fn record(bytes: &mut [bool], kind: AccessKind) -> bool {
    let is_unwritten = kind != AccessKind::Write && bytes.contains(&false);
    if kind != AccessKind::Read {
        bytes.fill(true);
    }
    is_unwritten
}
