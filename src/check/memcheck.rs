//! Memcheck: accesses that are out of bounds or misaligned, with the array that the address misses,
//! how far, and on which side.
//!
//! The machine ends the run at the first one.

use super::finding::{Finding, FindingKind, Memory};
use super::names::{Array, Names, memory_of};
use crate::ids::SlotIdx;
use crate::isa::{ParamType, Program};
use crate::launch::{Argument, Launch};
use crate::sim::memory::BadAccess;
use crate::sim::observer::{AccessKind, ObservedAccess};
use crate::sim::{Fault, FaultKind, NULL_BYTES};

/// An address so near to a number that the launch passes for a pointer comes from it.
const SCALAR_REACH_BYTES: u64 = 1 << 20;
/// An address so near to an array comes from it.
const ARRAY_REACH_BYTES: u64 = 1 << 32;
/// Where Linux places programs and their memory.
const HOST_ADDRESSES: std::ops::Range<u64> = 0x5500_0000_0000..0x8000_0000_0000;

/// The tool.
#[derive(Clone, Debug)]
pub(super) struct Memcheck {
    /// Pointer parameters for which the launch passes numbers, with these.
    scalars: Vec<(String, u64)>,
    /// Where dynamic shared memory begins, its bytes, and whether the kernel declares an array there.
    dynamic_shared: (u64, u32, bool),
    finding: Option<Finding>,
}

/// What is wrong, in a sentence, and what to do.
type Verdict = (FindingKind, String, String);

impl Memcheck {
    pub(super) fn new(program: &Program, launch: &Launch) -> Self {
        let scalars = program.params.iter().zip(&launch.args);
        let scalars = scalars.filter_map(|(param, argument)| match (&param.ty, argument) {
            (ParamType::Pointer { .. }, Argument::Scalar { bits, .. }) => Some((param.name.clone(), *bits)),
            _ => None,
        });
        Self {
            scalars: scalars.collect(),
            dynamic_shared: (
                u64::from(program.static_shared_bytes),
                launch.dynamic_shared,
                program.uses_dynamic_shared,
            ),
            finding: None,
        }
    }

    /// An access of which some lanes are bad.
    pub(super) fn bad_access(&mut self, access: &ObservedAccess<'_>, bad: &BadAccess, names: &Names) {
        let lane = bad.lanes.0.trailing_zeros();
        let site = names.access_site(access, lane);
        let memory = memory_of(access);
        let (kind, reason, advice) = match bad.kind {
            FaultKind::Misaligned => (
                FindingKind::Misaligned,
                format!(
                    "Address {:#x}{} is misaligned: it is no multiple of {}",
                    bad.address,
                    within(memory, bad.address, names),
                    access.bytes
                ),
                "Align the address to the size of the access.".to_owned(),
            ),
            _ => self.out_of_bounds(memory, bad.address, access.bytes, names),
        };
        let what = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic",
        };
        let others = match bad.lanes.count() - 1 {
            0 => String::new(),
            1 => " and 1 other thread of its warp".to_owned(),
            num => format!(" and {num} other threads of its warp"),
        };
        let message = format!(
            "Invalid __{}__ {what} of size {} bytes by {}{others}. {reason}.",
            memory.name(),
            access.bytes,
            site.thread_name(),
        );
        let mut finding = Finding::error(kind, message, &advice, site);
        finding.count = u64::from(bad.lanes.count());
        self.finding.get_or_insert(finding);
    }

    fn out_of_bounds(&self, memory: Memory, address: u64, bytes: u32, names: &Names) -> Verdict {
        match memory {
            Memory::Global => self.global(address, names),
            Memory::Shared => self.shared(address, bytes, names),
            Memory::Local => (
                FindingKind::OutOfBounds,
                format!("Offset {address} is outside of the thread's local memory"),
                "Check the index of the array that each thread has for itself.".to_owned(),
            ),
        }
    }

    fn global(&self, address: u64, names: &Names) -> Verdict {
        let scalar = self.scalars.iter().find(|(_, bits)| {
            *bits != 0 && address.abs_diff(*bits) < SCALAR_REACH_BYTES.min(bits.saturating_mul(1 << 16))
        });
        if let Some((name, bits)) = scalar {
            return (
                FindingKind::ScalarAsPointer,
                format!(
                    "Address {address:#x} is out of bounds: the launch passes the number {bits} for the pointer \
                     {name}"
                ),
                format!("Pass a buffer for {name}."),
            );
        }
        if address < NULL_BYTES {
            let distance = match address {
                0 => "is a null pointer".to_owned(),
                address => format!("is {address} bytes after a null pointer"),
            };
            let null = self.scalars.iter().find(|(_, bits)| *bits == 0);
            let advice = null.map_or_else(
                || "Check that the pointer is set.".to_owned(),
                |(name, _)| format!("The launch passes a null pointer for {name}: pass a buffer."),
            );
            let reason = format!("Address {address:#x} is out of bounds and {distance}");
            return (FindingKind::NullPointer, reason, advice);
        }
        let nearest = names.nearest(Memory::Global, address);
        match nearest.filter(|array| array.distance(address) < ARRAY_REACH_BYTES) {
            Some(array) => (
                FindingKind::OutOfBounds,
                format!(
                    "Address {address:#x} is out of bounds and is {}",
                    miss(array, address)
                ),
                format!("Check the index against the length of {}.", array.name),
            ),
            None if HOST_ADDRESSES.contains(&address) => (
                FindingKind::HostAddress,
                format!("Address {address:#x} is out of bounds and is an address of the host"),
                "Copy the data to device memory, and pass the pointer of cudaMalloc.".to_owned(),
            ),
            None => (
                FindingKind::OutOfBounds,
                format!("Address {address:#x} is out of bounds and is near no allocation"),
                "Check how the pointer is computed.".to_owned(),
            ),
        }
    }

    fn shared(&self, address: u64, bytes: u32, names: &Names) -> Verdict {
        let (start, given, is_declared) = self.dynamic_shared;
        if is_declared && address + u64::from(bytes) > start {
            let reason = format!(
                "Address {address:#x} is out of bounds: the launch reserves {given} bytes of dynamic shared memory"
            );
            let advice =
                "Pass the bytes of the extern __shared__ array as the third launch parameter (--shared).";
            return (FindingKind::DynamicShared, reason, advice.to_owned());
        }
        match names.nearest(Memory::Shared, address) {
            Some(array) => (
                FindingKind::OutOfBounds,
                format!(
                    "Address {address:#x} is out of bounds and is {}",
                    miss(array, address)
                ),
                format!("Check the index against the length of {}.", array.name),
            ),
            None => (
                FindingKind::OutOfBounds,
                format!("Address {address:#x} is out of bounds: the block has no shared memory there"),
                "Check how the pointer is computed.".to_owned(),
            ),
        }
    }

    /// How the run ended.
    pub(super) fn end(&mut self, fault: &Fault, slot: SlotIdx, names: &Names) {
        if fault.kind != FaultKind::StackOverflow {
            return;
        }
        let by = names.executor(fault.warp, slot, fault.pc, fault.cycle);
        let lane = fault.lanes.0.trailing_zeros().min(31);
        let site = names.site(&by, lane, names.role(fault.pc));
        let message = format!("Stack overflow in {}. {}", site.thread_name(), fault.message);
        let advice = "Limit the depth of the recursion.";
        let finding = Finding::error(FindingKind::StackOverflow, message, advice, site);
        self.finding.get_or_insert(finding);
    }

    /// The finding, if there is one.
    pub(super) fn findings(self) -> impl Iterator<Item = Finding> {
        self.finding.into_iter()
    }
}

/// Where an address inside an array is: ` in tile`.
fn within(memory: Memory, address: u64, names: &Names) -> String {
    let array = names.nearest(memory, address);
    let array = array.filter(|array| array.holds(address));
    array.map_or_else(String::new, |array| {
        format!(", byte {} of {},", address - array.first, array.name)
    })
}

/// How far an address is from an array, and on which side.
fn miss(array: &Array, address: u64) -> String {
    let (name, size) = (&array.name, array.bytes);
    let (distance, side) = match address.checked_sub(array.first) {
        // The byte after the last one is at a distance of 1, as compute-sanitizer counts.
        Some(offset) => (offset + 1 - size.min(offset + 1), "after"),
        None => (array.first - address, "before"),
    };
    let unit = if distance == 1 { "byte" } else { "bytes" };
    format!("{distance} {unit} {side} the nearest allocation, {name}, of size {size} bytes")
}
