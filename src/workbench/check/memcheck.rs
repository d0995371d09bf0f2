//! Memcheck: out-of-bounds and misaligned accesses, with the nearest array, the distance to it, and the side.
//!
//! The machine ends the run at the first such access.

use super::finding::{Finding, FindingKind, Memory, Role, Severity};
use super::names::{Array, Names, memory_of};
use cuda::host::{FREED_ADDRESSES, HOST_ADDRESSES};
use engine::ids::{Cycle, SlotIdx, Span};
use engine::isa::{ParamType, Program};
use engine::launch::{Argument, Launch};
use engine::sim::memory::BadAccess;
use engine::sim::observer::{AccessKind, ObservedAccess};
use engine::sim::{Fault, FaultKind, Issue, NULL_BYTES};

/// An address within this distance of a number that the launch passes as a pointer is attributed to that
/// number.
const SCALAR_REACH_BYTES: u64 = 1 << 20;
/// An address within this distance of an array is attributed to that array.
const ARRAY_REACH_BYTES: u64 = 1 << 32;
/// Maximum distance from the array that an `int` index reaches with elements of 16 bytes.
const INDEX_REACH_BYTES: u64 = 1 << 35;

/// The memcheck tool.
#[derive(Clone, Debug)]
pub(super) struct Memcheck {
    /// Pointer parameters for which the launch passes numbers, with those numbers.
    scalars: Vec<(String, u64)>,
    /// Start of dynamic shared memory, its size in bytes, and whether the kernel declares an array there.
    dynamic_shared: (u64, u32, bool),
    finding: Option<Finding>,
}

/// The kind of finding, the message, and the advice.
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

    /// Records an access with invalid lanes.
    pub(super) fn bad_access(&mut self, access: &ObservedAccess<'_>, bad: &BadAccess, names: &Names) {
        let lane = bad.lanes.0.trailing_zeros();
        let site = names.access_site(access, lane);
        let memory = memory_of(access);
        let (kind, reason, advice) = match bad.kind {
            FaultKind::Misaligned => (
                FindingKind::Misaligned,
                format!(
                    "Address {:#x}{} is misaligned: it is not a multiple of {}",
                    bad.address,
                    location_phrase(memory, bad.address, names),
                    access.bytes
                ),
                format!(
                    "Align the address to {} bytes, or access smaller elements.",
                    access.bytes
                ),
            ),
            _ if memory == Memory::Local && names.is_frame_access(access.by.pc) => {
                let message = format!(
                    "Stack overflow in {}. The active calls need more than the thread's {} bytes of local \
                     memory.",
                    site.thread_name(),
                    names.local_bytes
                );
                let advice = "End the recursion with a condition that every path reaches, or replace the recursion with a loop.";
                let finding = Finding::error(FindingKind::StackOverflow, message, advice, site);
                self.finding.get_or_insert(finding);
                return;
            }
            _ => self.out_of_bounds(memory, bad.address, access.bytes, site.span, names),
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

    fn out_of_bounds(&self, memory: Memory, address: u64, bytes: u32, span: Span, names: &Names) -> Verdict {
        match memory {
            Memory::Global => self.global(address, span, names),
            Memory::Shared => self.shared(address, bytes, span, names),
            Memory::Local => {
                let array = names.text(span).split_once('[').map(|(name, _)| name);
                let array = array.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
                let of = array.map_or_else(
                    || "an array private to each thread".to_owned(),
                    |name| format!("{name}, an array private to each thread"),
                );
                // Addresses of local memory have 32 bits.
                let offset = i64::from(address as u32 as i32);
                let (side, advice) = match offset {
                    ..0 => (
                        "before",
                        format!("The index of {of}, is negative. Check how it is computed."),
                    ),
                    0.. => ("outside", format!("Check the index of {of}.")),
                };
                (
                    FindingKind::OutOfBounds,
                    format!(
                        "Offset {offset} is {side} the thread's {} bytes of local memory",
                        names.local_bytes
                    ),
                    advice,
                )
            }
        }
    }

    fn global(&self, address: u64, span: Span, names: &Names) -> Verdict {
        let scalar = self.scalars.iter().find(|(_, bits)| {
            *bits != 0 && address.abs_diff(*bits) < SCALAR_REACH_BYTES.min(bits.saturating_mul(1 << 16))
        });
        if let Some((name, _)) = scalar.filter(|(_, bits)| HOST_ADDRESSES.contains(bits)) {
            return (
                FindingKind::HostAddress,
                format!(
                    "Address {address:#x} is out of bounds and is a host address, which the launch passes for the \
                     pointer {name}"
                ),
                format!("Copy the data to device memory, and pass the pointer from cudaMalloc for {name}."),
            );
        }
        if let Some((name, _)) = scalar.filter(|(_, bits)| FREED_ADDRESSES.contains(bits)) {
            return (
                FindingKind::OutOfBounds,
                format!("Address {address:#x} is out of bounds: the program has freed the memory of {name}"),
                "Launch the kernel before the memory is freed.".to_owned(),
            );
        }
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
                || "Check where the pointer is set.".to_owned(),
                |(name, _)| format!("The launch passes a null pointer for {name}: pass a buffer."),
            );
            let reason = format!("Address {address:#x} is out of bounds and {distance}");
            return (FindingKind::NullPointer, reason, advice);
        }
        let nearest = names.nearest(Memory::Global, address);
        let nearest = nearest.filter(|array| array.distance(address) < ARRAY_REACH_BYTES);
        let named = names.named(Memory::Global, span);
        let named = named.filter(|array| array.distance(address) < INDEX_REACH_BYTES);
        match named.or(nearest) {
            Some(array) => out_of_array(array, address),
            None if HOST_ADDRESSES.contains(&address) => (
                FindingKind::HostAddress,
                format!("Address {address:#x} is out of bounds and is a host address"),
                "Copy the data to device memory, and pass the pointer from cudaMalloc.".to_owned(),
            ),
            None => (
                FindingKind::OutOfBounds,
                format!("Address {address:#x} is out of bounds and is near no allocation"),
                "Check how the pointer is computed.".to_owned(),
            ),
        }
    }

    fn shared(&self, address: u64, bytes: u32, span: Span, names: &Names) -> Verdict {
        let (start, given, is_declared) = self.dynamic_shared;
        if is_declared && address + u64::from(bytes) > start {
            let reason = format!(
                "Address {address:#x} is out of bounds: the launch reserves {given} bytes of dynamic shared memory"
            );
            let advice = "Pass the size of the extern __shared__ array in bytes as the third launch parameter (--shared).";
            return (FindingKind::DynamicShared, reason, advice.to_owned());
        }
        let named = names.named(Memory::Shared, span);
        match named.or_else(|| names.nearest(Memory::Shared, address)) {
            Some(array) => out_of_array(array, address),
            None => (
                FindingKind::OutOfBounds,
                format!("Address {address:#x} is out of bounds: the block has no shared memory there"),
                "Check how the pointer is computed.".to_owned(),
            ),
        }
    }

    /// Records the fault that ended the run.
    pub(super) fn end(&mut self, fault: &Fault, slot: SlotIdx, names: &Names) {
        let by = names.executor(fault.warp, slot, fault.pc, fault.cycle);
        let lane = fault.lanes.0.trailing_zeros().min(31);
        let site = names.site(&by, lane, names.role(fault.pc));
        let (thread, text) = (site.thread_name(), names.text(site.span));
        let (kind, message, advice) = match fault.kind {
            FaultKind::StackOverflow => (
                FindingKind::StackOverflow,
                format!("Stack overflow in {thread}. {}", fault.message),
                "End the recursion with a condition that every path reaches, or replace the recursion with a loop.",
            ),
            FaultKind::Livelock | FaultKind::DivergentLivelock => (
                FindingKind::EndlessLoop,
                format!("Endless loop: {}", fault.message.trim_start_matches("Livelock: ")),
                // The spinning lanes wait for a lane that runs only after them.
                if fault.kind == FaultKind::DivergentLivelock {
                    "Move the critical section into the loop, so that the lane that holds the lock can release it."
                } else {
                    "Fix the loop's condition or step, or have another thread write the value that the loop reads."
                },
            ),
            FaultKind::NotResident => (
                FindingKind::EndlessLoop,
                format!("Endless wait: {}", fault.message.trim_start_matches("Livelock: ")),
                "Launch at most as many blocks as are resident at once, and loop over the rest: \
                 cudaOccupancyMaxActiveBlocksPerMultiprocessor returns their number for one SM. A cooperative launch refuses \
                 a larger grid.",
            ),
            FaultKind::NotAlone => (
                FindingKind::EndlessLoop,
                format!("Endless wait: {}", fault.message.trim_start_matches("Livelock: ")),
                "Run an SM of the whole device (--sm 0).",
            ),
            FaultKind::Trap if text.starts_with("assert") => (
                FindingKind::Trap,
                format!("Device-side assert triggered by {thread}: `{text}`"),
                "Fix the values that the assertion tests.",
            ),
            FaultKind::Trap => (
                FindingKind::Trap,
                format!("Trap executed by {thread}"),
                "Check why the kernel reaches this line.",
            ),
            _ => return,
        };
        let finding = Finding::error(kind, message, advice, site);
        self.finding.get_or_insert(finding);
    }

    /// Records that the run stopped at its cycle limit, after an instruction.
    pub(super) fn out_of_cycles(&mut self, cycle: Cycle, issue: &Issue, names: &Names) {
        let by = names.executor(issue.warp, issue.slot, issue.pc, cycle);
        let lane = issue.active.0.trailing_zeros().min(31);
        let site = names.site(&by, lane, Role::Execution);
        let message = format!(
            "The run reached its cycle limit while {} executes this line",
            site.thread_name()
        );
        let advice = "If the loop never ends, fix its condition or step. Otherwise raise the cycle limit.";
        let mut finding = Finding::error(FindingKind::EndlessLoop, message, advice, site);
        finding.severity = Severity::Warning;
        self.finding.get_or_insert(finding);
    }

    /// Returns the finding, if there is one.
    pub(super) fn findings(self) -> impl Iterator<Item = Finding> {
        self.finding.into_iter()
    }
}

/// Describes an address outside an array.
fn out_of_array(array: &Array, address: u64) -> Verdict {
    let name = &array.name;
    let mut reason = format!(
        "Address {address:#x} is out of bounds and is {}",
        distance_phrase(array, address)
    );
    let mut advice = format!("Check the index against the length of {name}.");
    if let Some(outside) = array.index_outside(address) {
        let unit = if outside.len == 1 { "element" } else { "elements" };
        reason += &format!(": {name}[{}] of {} {unit}", outside.index, outside.len);
        match outside.origin {
            0 if outside.is_before => {
                advice = format!("The index of {name} is negative. Check how it is computed.");
            }
            0 => {}
            origin => reason += &format!("; {name} points to element {origin}"),
        }
    }
    (FindingKind::OutOfBounds, reason, advice)
}

/// Location of an address inside an array, such as ` in tile`.
fn location_phrase(memory: Memory, address: u64, names: &Names) -> String {
    let array = names.nearest(memory, address);
    let array = array.filter(|array| array.holds(address));
    array.map_or_else(String::new, |array| {
        format!(", byte {} of {},", address - array.first, array.name)
    })
}

/// Distance and side of an address outside an array.
fn distance_phrase(array: &Array, address: u64) -> String {
    let (name, size) = (&array.name, array.bytes);
    let (distance, side) = match address.checked_sub(array.first) {
        // compute-sanitizer counts the byte after the last one as distance 1.
        Some(offset) => (offset + 1 - size.min(offset + 1), "after"),
        None => (array.first - address, "before"),
    };
    let unit = if distance == 1 { "byte" } else { "bytes" };
    format!("{distance} {unit} {side} the nearest allocation, {name}, of size {size} bytes")
}
