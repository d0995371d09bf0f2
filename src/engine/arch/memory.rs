//! The memories of an architecture: shared memory, caches, device memory, atomics, and queues.

use serde::{Deserialize, Serialize};

use super::sourced::{ValueRow, ValueText, assumed, sourced_struct, vendor};
use super::{Architecture, Sourced};

/// The rule that turns one warp-wide global or local access into transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CoalescingRule {
    /// 1.0 and 1.1: a half-warp is coalesced if lane k accesses word k of an aligned segment; otherwise each lane takes
    /// one transaction.
    HalfWarpStrict,
    /// 1.2 and 1.3: the segments that a half-warp accesses, each reduced to the used half.
    HalfWarpSegments,
    /// 2.x and 3.x: the 128-byte lines (32-byte segments if the access bypasses L1) that a request accesses. A
    /// request is a warp, a half-warp for 64 bits per lane, or a quarter-warp for 128 bits per lane.
    WarpLines,
    /// 5.x and 6.x: 32-byte sectors; L1 requests of 8, 4, or 2 lanes.
    SectorsByLaneGroup,
    /// 7.0 and later: 32-byte sectors, one request per instruction.
    Sectors,
}

/// The rule by which the lanes of one shared-memory access share the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum BankRule {
    /// 1.x: half-warps on 16 banks; each step serves one broadcast word, and one lane of each other bank.
    HalfWarpBroadcastWord,
    /// 2.x: the warp on 32 banks, every word broadcast. 64-bit accesses go by half-warps; 128-bit accesses take one
    /// pass more than the worst quarter-warp.
    WarpMulticast,
    /// 3.x in the 4-byte mode: the warp on 32 banks of 8 bytes; a bank delivers words i and i + 32 of an aligned
    /// segment of 64 words in one pass. 128-bit accesses go by half-warps.
    WarpMulticastRows,
    /// 3.x in the 8-byte mode: the warp on 32 banks, each 64-bit word broadcast. 128-bit accesses go by half-warps.
    WarpMulticastWide,
    /// 5.x and 6.x: as on 2.x up to 32 bits; 64-bit accesses go by half-warps and 128-bit accesses by quarter-warps.
    WarpMulticastPhases,
    /// 7.0 and later: as on 5.x, and wide loads merge neighboring lanes that read one address.
    WarpMulticastPairs,
}

/// The number of successive bytes in one bank of shared memory.
///
/// On 3.x the host selects the size with `cudaDeviceSetSharedMemConfig` or `cudaFuncSetSharedMemConfig`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BankSize {
    /// `cudaSharedMemBankSizeFourByte`: successive words of 32 bits are in successive banks.
    #[default]
    FourByte,
    /// `cudaSharedMemBankSizeEightByte`: successive words of 64 bits are in successive banks.
    EightByte,
}

impl BankSize {
    /// Both bank sizes.
    pub const ALL: [Self; 2] = [Self::FourByte, Self::EightByte];

    /// Returns the size in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::FourByte => 4,
            Self::EightByte => 8,
        }
    }

    /// Returns the bank size of `bytes` bytes on an architecture.
    ///
    /// # Errors
    /// Returns a message that names the supported sizes.
    pub fn of_bytes(arch: &Architecture, bytes: u32) -> Result<Self, String> {
        let chosen = Self::ALL.into_iter().find(|size| size.bytes() == bytes);
        match chosen {
            None => Err(format!("banks have 4 or 8 bytes, not {bytes}")),
            Some(Self::EightByte) if arch.memory.eight_byte_banks.is_none() => Err(format!(
                "banks of {} have 4 bytes; only compute capability 3.x supports 8-byte banks",
                arch.name
            )),
            Some(size) => Ok(size),
        }
    }

    /// Returns the name in CUDA.
    pub const fn cuda_name(self) -> &'static str {
        match self {
            Self::FourByte => "cudaSharedMemBankSizeFourByte",
            Self::EightByte => "cudaSharedMemBankSizeEightByte",
        }
    }
}

/// The bank configuration of shared memory, which determines the passes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Banks {
    /// The number of banks.
    pub num: u32,
    /// The rule by which lanes share the banks.
    pub rule: BankRule,
    /// The number of successive bytes in one bank.
    pub size: BankSize,
}

impl Banks {
    /// Returns the number of successive 32-bit words in a bank.
    #[inline(always)]
    pub const fn words(self) -> u32 {
        self.size.bytes() / 4
    }

    /// Returns the bank of a byte offset.
    pub const fn bank(self, offset: u32) -> u32 {
        offset / self.size.bytes() % self.num
    }

    /// Returns the bytes of a row across all banks.
    pub const fn row_bytes(self) -> u32 {
        self.num * self.size.bytes()
    }
}

/// The write policy of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WritePolicy {
    /// A store bypasses the cache and invalidates its copy of the line.
    WriteEvict,
    /// A store goes to the next level and updates the line if it is present.
    WriteThrough,
    /// As `WriteThrough`, and a miss allocates the line with the written sectors.
    WriteThroughAllocate,
    /// A store stays in the cache until the line is evicted.
    WriteBack,
}

/// The bits of a line number that select the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SetIndex {
    /// The lowest bits: neighboring lines are in neighboring sets, and strides that skip lines skip sets.
    LowBits,
    /// All bits, folded by XOR to the number of sets: no stride skips sets.
    FoldedBits,
}

/// The capacity of L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum L1Capacity {
    /// A fixed size in KB.
    Fixed(u16),
    /// The size in KB that L1 shares with shared memory.
    Unified(u16),
}

macro_rules! value_text_of_names {
    ($($ty:ty: $($variant:pat => $text:expr),+;)+) => {
        $(
            impl std::fmt::Display for $ty {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    let text = match *self {
                        $($variant => $text.to_string()),+
                    };
                    f.write_str(&text)
                }
            }

            impl ValueText for $ty {
                fn value_text(&self) -> String {
                    self.to_string()
                }
            }
        )+
    };
}
value_text_of_names! {
    CoalescingRule:
        CoalescingRule::HalfWarpStrict => "half-warps, lane k on word k, or one transaction per lane",
        CoalescingRule::HalfWarpSegments => "half-warps, segments of 32, 64, or 128 bytes",
        CoalescingRule::WarpLines => "warps, 128-byte lines or 32-byte segments",
        CoalescingRule::SectorsByLaneGroup => "32-byte sectors, requests of 8, 4, or 2 lanes",
        CoalescingRule::Sectors => "32-byte sectors, one request per instruction";
    BankRule:
        BankRule::HalfWarpBroadcastWord => "half-warps, one broadcast word per step",
        BankRule::WarpMulticast => "whole warp; any word broadcast; 128-bit accesses take one more pass",
        BankRule::WarpMulticastRows => "whole warp; any word broadcast; a bank delivers two words of an aligned segment of 64 in one pass",
        BankRule::WarpMulticastWide => "whole warp; any 64-bit word broadcast",
        BankRule::WarpMulticastPhases => "whole warp; any word broadcast; wide accesses in phases",
        BankRule::WarpMulticastPairs => "whole warp; any word broadcast; wide accesses in phases; neighboring lanes with equal addresses merged";
    WritePolicy:
        WritePolicy::WriteEvict => "write-through, evicts the line",
        WritePolicy::WriteThrough => "write-through",
        WritePolicy::WriteThroughAllocate => "write-through, writes are cached",
        WritePolicy::WriteBack => "write-back";
    SetIndex:
        SetIndex::LowBits => "the lowest bits of the line number",
        SetIndex::FoldedBits => "all bits of the line number, folded by XOR";
    L1Capacity:
        L1Capacity::Fixed(kib) => format!("{kib} KiB"),
        L1Capacity::Unified(kib) => format!("{kib} KB minus shared memory");
}

sourced_struct! {
    /// Shared memory. `cost(OpClass::Shared)` has the latency of an access without conflicts.
    pub struct SharedMemory {
        /// Number of banks.
        banks: u16, "banks";
        /// Width of a bank.
        bank_width_bytes: u16, "B";
        /// The rule by which lanes share the banks.
        rule: BankRule, "";
        /// Clocks for which one pass (wavefront) occupies the banks: the throughput.
        pass_interval_cycles: u16, "cycles per pass";
        /// Latency that each pass beyond the first adds.
        extra_latency_per_pass_cycles: f32, "cycles per pass";
        /// Latency that is added once if an access takes more than one pass.
        extra_latency_once_cycles: u16, "cycles";
    }
}

sourced_struct! {
    /// The arbiter through which the schedulers of an SM share the load/store units.
    ///
    /// Schedulers take turns at the arbiter; behind the arbiter, the units serve the oldest instruction first.
    pub struct UnitGate {
        /// Clocks between two instructions of a scheduler at the arbiter of the load/store units, and between two
        /// passes of a warp. Applies to loads and stores of any memory, and to shuffles.
        interval_cycles: u16, "cycles";
        /// Instructions that the load/store units hold behind the arbiter. The units serve the oldest one first.
        entries: u16, "instructions";
    }
}

sourced_struct! {
    /// Partitions of device memory, to which successive addresses map in turn.
    ///
    /// If many accesses go to one partition, the others idle (partition camping).
    pub struct Partitions {
        /// Number of partitions of device memory.
        number: u16, "partitions";
        /// Successive bytes in one partition.
        width_bytes: u16, "B";
    }
}

sourced_struct! {
    /// The first-level data cache of an SM.
    pub struct L1 {
        /// Whether L1 caches ordinary global loads by default.
        caches_globals_by_default: bool, "";
        /// Whether `-Xptxas -dlcm=ca` enables L1 caching of global loads.
        globals_can_opt_in: bool, "";
        /// Whether `-Xptxas -dlcm=cg` disables L1 caching of global loads.
        globals_can_opt_out: bool, "";
        /// Whether L1 caches local memory.
        caches_locals: bool, "";
        /// Capacity of L1.
        capacity: L1Capacity, "";
        /// Line size: the bytes that one tag covers.
        line_bytes: u16, "B";
        /// Sector size: the fewest bytes that a miss fetches.
        sector_bytes: u16, "B";
        /// Number of sets; the number of ways follows from the capacity.
        sets: u16, "sets";
        /// The bits of a line number that select the set.
        set_index: SetIndex, "";
        /// Cycles from issue until a dependent instruction can issue, on a hit.
        hit_latency_cycles: u16, "cycles";
        /// Write policy for global stores.
        global_write: WritePolicy, "";
        /// Write policy for local stores.
        local_write: WritePolicy, "";
        /// Tags looked up per clock.
        tags_per_cycle: u16, "lines per cycle";
        /// Bytes delivered per clock.
        bytes_per_cycle: u16, "B per cycle";
        /// Misses that can be in flight at once, in sectors.
        miss_entries: u16, "sectors";
    }
}

sourced_struct! {
    /// The second-level cache of the chip.
    pub struct L2 {
        /// Capacity of L2.
        capacity_kib: u32, "KiB";
        /// Line size.
        line_bytes: u16, "B";
        /// Sector size: the bytes that a miss fetches, and the size of one transfer to an SM.
        sector_bytes: u16, "B";
        /// Ways per set.
        ways: u16, "ways";
        /// Cycles from issue until a dependent instruction can issue, on a miss in L1 and a hit in L2.
        hit_latency_cycles: u16, "cycles";
        /// Bytes delivered to all SMs together per SM clock.
        bytes_per_cycle: u32, "B per cycle";
    }
}

/// The set index of chips for which no source documents it.
pub(super) const LOW_BITS: Sourced<SetIndex> = assumed(
    SetIndex::LowBits,
    "no source documents the set function; assumed the simplest one, which places neighboring lines in different sets",
);

/// The width of an SM's port on chips for which no source documents it.
pub(super) const SM_PORT: Sourced<u16> = assumed(
    64,
    "no source documents the width; assumed 64 bytes per clock. The highest measurement on V100, 2155 GB/s on 80 SMs (Jia et al. 2018, 3.3), needs 19.5 per clock per SM",
);

sourced_struct! {
    /// Device memory and the path to it.
    pub struct DeviceMemory {
        /// Cycles from issue until a dependent instruction can issue, when all caches miss and the TLB hits.
        latency_cycles: u16, "cycles";
        /// Achievable share of the peak bandwidth.
        efficiency: f32, "of the peak";
        /// Size of the smallest transfer.
        transaction_bytes: u16, "B";
        /// Address width of load and store instructions.
        address_bits: u16, "bits";
        /// Maximum local memory per thread.
        local_kib_per_thread: u16, "KiB";
        /// Bytes that one SM receives per clock from L2, or from device memory on chips without L2.
        sm_port_bytes_per_cycle: u16, "B per cycle";
    }
}

/// For chips without a third constant cache.
pub(super) const NO_L3: Sourced<u32> =
    vendor(0, "Programming Guide 4.2, F.4").note("from 2.x on there is L2");
/// Line and ways of the third constant cache where there is none.
pub(super) const NO_L3_LINE: Sourced<u16> = assumed(256, "not used: L2 is in its place");
pub(super) const NO_L3_WAYS: Sourced<u16> = assumed(8, "not used: L2 is in its place");
/// Ways of the first two constant caches that no measurement gives.
pub(super) const CONSTANT_WAYS: Sourced<u16> =
    assumed(4, "no measurement was found; as on GT200 (Wong et al. 2010)");
/// Texels that a texture unit filters in the time of one address.
pub(super) const TEXELS_PER_ADDRESS: Sourced<u16> = assumed(
    4,
    "no document of these chips gives it; the four texels of a bilinear filter",
);
/// What an atomic unit works on at once.
pub(super) const ATOMIC_SECTOR: Sourced<u16> = assumed(
    32,
    "no document gives it; a sector of L2, where the units are from 2.x on",
);
/// Why an atomic operation on shared memory returns as soon as a load would.
pub(super) const OLD_VALUE: &str = "the old value comes back as a load's: 23 cycles each on an H200";

sourced_struct! {
    /// Constant memory.
    pub struct ConstantMemory {
        /// Size of the `__constant__` space.
        capacity_kib: u16, "KiB";
        /// Size of an SM's first-level constant cache.
        l1_bytes: u32, "B";
        /// Line size of the first-level constant cache.
        l1_line_bytes: u16, "B";
        /// Size of the next constant cache (on 1.x, shared by the TPC).
        l15_bytes: u32, "B";
        /// Line size of the next constant cache.
        l15_line_bytes: u16, "B";
        /// Ways of a set of these two caches.
        ways: u16, "ways";
        /// The third constant cache of 1.x, of the chip; 0 where L2 is in its place.
        l3_bytes: u32, "B";
        /// Bytes of a line of it.
        l3_line_bytes: u16, "B";
        /// Ways of a set of it.
        l3_ways: u16, "ways";
        /// From issue until a dependent instruction can issue, on a hit in the first level.
        l1_latency_cycles: u16, "cycles";
        /// Cycles from issue until a dependent instruction can issue, on a hit in the next level.
        l15_latency_cycles: u16, "cycles";
        /// Cycles from issue until a dependent instruction can issue, on a hit in L2 (on 1.x, in the third level).
        l2_latency_cycles: u16, "cycles";
        /// Cycles that each distinct address of a warp beyond the first adds.
        extra_per_address_cycles: u16, "cycles per address";
        /// Clocks for which filling a line from the next level occupies the first level.
        fill_cycles: u16, "cycles per line";
    }
}

sourced_struct! {
    /// A cache for texture fetches only. The lowest bits of a line number select the set.
    pub struct TextureCache {
        /// Capacity of the texture cache.
        bytes: u32, "B";
        /// Line size: the bytes that a miss fetches.
        line_bytes: u16, "B";
        /// Ways per set.
        ways: u16, "ways";
        /// Cycles from issue until a dependent instruction can issue, on a hit in this texture cache.
        hit_latency_cycles: u16, "cycles";
    }
}

/// The texture units of an SM and their caches on chips up to Kepler.
///
/// From Maxwell on, texture fetches go through L1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TexturePath {
    /// Clocks for which the addresses of a full warp occupy the texture units of an SM.
    pub warp_interval_cycles: Sourced<u16>,
    /// Texels that a unit filters in the time of one address.
    pub texels_per_address: Sourced<u16>,
    /// The cache of an SM (1.x: of the TPC).
    pub first: TextureCache,
    /// The texture cache of the chip on 1.x; from 2.x on, L2 takes its place.
    pub next: Option<TextureCache>,
}

impl TexturePath {
    fn push_values(&self, rows: &mut Vec<ValueRow>) {
        rows.push(ValueRow::new(
            "memory.texture.warp_interval_cycles".to_owned(),
            "Clocks for which the addresses of a full warp occupy the texture units of an SM.",
            "cycles per warp",
            &self.warp_interval_cycles,
        ));
        rows.push(ValueRow::new(
            "memory.texture.texels_per_address".to_owned(),
            "Texels that a unit filters in the time of one address.",
            "texels",
            &self.texels_per_address,
        ));
        self.first.push_values("memory.texture.first", rows);
        if let Some(next) = &self.next {
            next.push_values("memory.texture.next", rows);
        }
    }
}

sourced_struct! {
    /// Atomic operations.
    pub struct Atomics {
        /// Atomics on shared memory: lanes on one address, and the delay of a subsequent load of that address.
        shared_latency_curve: &'static [(u16, u16)], "lanes: cycles";
        /// Atomics on global memory, without the round trip to the unit: lanes on one address, and the delay of a
        /// subsequent load of that address.
        global_latency_curve: &'static [(u16, u16)], "lanes: cycles";
        /// Clocks between two atomics to the same address in L2.
        same_address_interval_cycles: u16, "cycles";
        /// Bytes that an atomic unit works on at once: changes of them take turns.
        sector_bytes: u16, "B";
    }
}

sourced_struct! {
    /// Queues between issue and the memory pipes.
    pub struct Queues {
        /// Entries of a scheduler's MIO queue, for the load/store, special-function, and uniform pipes.
        mio_entries: u16, "instructions";
        /// Entries of an SM's LG queue, for local and global accesses.
        lg_entries: u16, "instructions";
    }
}

/// All memories of an architecture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Memory {
    /// Shared memory.
    pub shared: SharedMemory,
    /// The arbiter of the load/store units, if known. Without an arbiter, instructions are served in issue order.
    pub unit_gate: Option<UnitGate>,
    /// The bank rule of the 8-byte mode, if the host can select this mode.
    pub eight_byte_banks: Option<Sourced<BankRule>>,
    /// First-level data cache, if present.
    pub l1: Option<L1>,
    /// Second-level cache, if present.
    pub l2: Option<L2>,
    /// Device memory.
    pub device: DeviceMemory,
    /// The mapping of addresses to memory partitions, if published. Otherwise device memory is one queue.
    pub partitions: Option<Partitions>,
    /// Constant memory and its caches.
    pub constant: ConstantMemory,
    /// Texture units and their caches, if separate from L1.
    pub texture: Option<TexturePath>,
    /// Atomics.
    pub atomics: Atomics,
    /// Queues.
    pub queues: Queues,
    /// The rule that turns accesses into transactions.
    pub coalescing: Sourced<CoalescingRule>,
}

impl Partitions {
    /// Returns the partition of an address, from 0.
    #[inline]
    pub fn of(&self, address: u64) -> u64 {
        address / u64::from(self.width_bytes.value).max(1) % u64::from(self.number.value).max(1)
    }
}

impl Memory {
    /// Returns the bank configuration. The bank size `chosen` applies if the architecture offers a choice.
    #[inline]
    pub fn banks(&self, chosen: BankSize) -> Banks {
        let rule = self.bank_rule(chosen);
        let has_choice = self.eight_byte_banks.is_some();
        Banks {
            num: u32::from(self.shared.banks.value),
            rule: rule.value,
            size: if has_choice { chosen } else { BankSize::FourByte },
        }
    }

    /// Returns the rule by which lanes share the banks.
    #[inline]
    pub fn bank_rule(&self, chosen: BankSize) -> &Sourced<BankRule> {
        match (chosen, &self.eight_byte_banks) {
            (BankSize::EightByte, Some(rule)) => rule,
            _ => &self.shared.rule,
        }
    }

    pub(super) fn push_values(&self, rows: &mut Vec<ValueRow>) {
        rows.push(ValueRow::new(
            "memory.coalescing".to_owned(),
            "The rule that turns a warp's access into transactions.",
            "",
            &self.coalescing,
        ));
        self.shared.push_values("memory.shared", rows);
        if let Some(partitions) = &self.partitions {
            partitions.push_values("memory.partitions", rows);
        }
        if let Some(gate) = &self.unit_gate {
            gate.push_values("memory.unit_gate", rows);
        }
        if let Some(rule) = &self.eight_byte_banks {
            rows.push(ValueRow::new(
                "memory.eight_byte_banks".to_owned(),
                "The rule by which lanes share banks in the 8-byte mode, which the host can select.",
                "",
                rule,
            ));
        }
        if let Some(l1) = &self.l1 {
            l1.push_values("memory.l1", rows);
        }
        if let Some(l2) = &self.l2 {
            l2.push_values("memory.l2", rows);
        }
        self.device.push_values("memory.device", rows);
        self.constant.push_values("memory.constant", rows);
        if let Some(texture) = &self.texture {
            texture.push_values(rows);
        }
        self.atomics.push_values("memory.atomics", rows);
        self.queues.push_values("memory.queues", rows);
    }
}

impl SharedMemory {
    /// Returns the latency that `passes` passes add to the latency of one pass, in whole cycles.
    pub fn extra_latency_cycles(&self, passes: u32) -> u32 {
        // Tenths represent every published slope exactly enough, and integer results are equal on every platform.
        let tenths = (self.extra_latency_per_pass_cycles.value * 10.0 + 0.5) as u32;
        let once = u32::from(self.extra_latency_once_cycles.value);
        (passes.saturating_sub(1) * tenths + 5) / 10 + if passes > 1 { once } else { 0 }
    }
}

impl L1 {
    /// Returns the capacity in KB when shared memory has `shared_kib`.
    pub fn capacity_kib(&self, shared_kib: u16) -> u16 {
        match self.capacity.value {
            L1Capacity::Fixed(kib) => kib,
            L1Capacity::Unified(kib) => kib.saturating_sub(shared_kib),
        }
    }

    /// Returns the number of sets and ways when shared memory has `shared_kib`.
    pub fn geometry(&self, shared_kib: u16) -> (u32, u32) {
        let lines = u32::from(self.capacity_kib(shared_kib)) * 1024 / u32::from(self.line_bytes.value);
        let sets = u32::from(self.sets.value);
        (sets, (lines / sets).max(1))
    }
}

/// Returns the value of a curve at `x` by linear interpolation. Beyond the last point, the last slope continues.
pub fn curve_at(curve: &[(u16, u16)], x: u32) -> u32 {
    let at = |i: usize| (i64::from(curve[i].0), i64::from(curve[i].1));
    let x = i64::from(x);
    let last = curve.len().saturating_sub(1);
    if curve.is_empty() {
        return 0;
    }
    if x <= at(0).0 || last == 0 {
        return at(0).1 as u32;
    }
    let right = (1..last).find(|&i| x <= at(i).0).unwrap_or(last);
    let ((x0, y0), (x1, y1)) = (at(right - 1), at(right));
    let rise = (y1 - y0) * (x - x0);
    (y0 + (2 * rise + (x1 - x0)).div_euclid(2 * (x1 - x0))).max(0) as u32
}
