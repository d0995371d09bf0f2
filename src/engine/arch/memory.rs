//! What an architecture's memories are: shared memory, caches, device memory, atomics, queues.

use serde::{Deserialize, Serialize};

use super::sourced::{ValueRow, ValueText, assumed, sourced_struct, vendor};
use super::{Architecture, Sourced};

/// How one warp-wide global or local access becomes transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CoalescingRule {
    /// 1.0 and 1.1: a half-warp is coalesced if lane k touches word k of an aligned segment; else
    /// one transaction a lane.
    HalfWarpStrict,
    /// 1.2 and 1.3: the segments that a half-warp touches, each cut to the half that is used.
    HalfWarpSegments,
    /// 2.x and 3.x: the 128-byte lines (or, past L1, 32-byte segments) that a request touches; requests are
    /// warps, half-warps for 64 bits a lane, quarter-warps for 128.
    WarpLines,
    /// 5.x and 6.x: 32-byte sectors; L1 requests of 8, 4 or 2 lanes.
    SectorsByLaneGroup,
    /// 7.0 on: 32-byte sectors, one request an instruction.
    Sectors,
}

/// How the lanes of one shared-memory access share the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum BankRule {
    /// 1.x: half-warps on 16 banks; in each step one broadcast word, and one lane of each other bank.
    HalfWarpBroadcastWord,
    /// 2.x: the warp on 32 banks, every word multicast; 64 bits by half-warps, 128 bits count one
    /// more than the worst quarter-warp.
    WarpMulticast,
    /// 3.x, in its 4-byte mode: the warp on 32 banks of eight bytes; words i and i + 32 of an aligned
    /// segment of 64 come together. 128 bits by half-warps.
    WarpMulticastRows,
    /// 3.x, in its 8-byte mode: the warp on 32 banks, each 64-bit word multicast. 128 bits by half-warps.
    WarpMulticastWide,
    /// 5.x and 6.x: as 2.x for up to 32 bits, 64 bits by half-warps, 128 bits by quarter-warps.
    WarpMulticastPhases,
    /// 7.0 on: the same, and wide loads whose neighbouring lanes read one address are merged.
    WarpMulticastPairs,
}

/// How much of successive memory is in one bank of shared memory, before the next bank begins: what the
/// host chooses by `cudaDeviceSetSharedMemConfig` or `cudaFuncSetSharedMemConfig` (3.x).
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
    /// All of them.
    pub const ALL: [Self; 2] = [Self::FourByte, Self::EightByte];

    /// Bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::FourByte => 4,
            Self::EightByte => 8,
        }
    }

    /// The choice of so many bytes on an architecture.
    ///
    /// # Errors
    /// What can be chosen instead.
    pub fn of_bytes(arch: &Architecture, bytes: u32) -> Result<Self, String> {
        let chosen = Self::ALL.into_iter().find(|size| size.bytes() == bytes);
        match chosen {
            None => Err(format!("banks are of 4 or 8 bytes, not {bytes}")),
            Some(Self::EightByte) if arch.memory.eight_byte_banks.is_none() => Err(format!(
                "banks of {} are of 4 bytes; only those of 3.x can be of 8",
                arch.name
            )),
            Some(size) => Ok(size),
        }
    }

    /// Its name in CUDA.
    pub const fn cuda_name(self) -> &'static str {
        match self {
            Self::FourByte => "cudaSharedMemBankSizeFourByte",
            Self::EightByte => "cudaSharedMemBankSizeEightByte",
        }
    }
}

/// The banks of shared memory as they are set: what the passes of an access follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Banks {
    /// Banks.
    pub num: u32,
    /// How lanes share them.
    pub rule: BankRule,
    /// How much of successive memory is in one bank.
    pub size: BankSize,
}

impl Banks {
    /// Words of 32 bits that lie side by side in a bank.
    #[inline(always)]
    pub const fn words(self) -> u32 {
        self.size.bytes() / 4
    }

    /// The bank of a byte offset.
    pub const fn bank(self, offset: u32) -> u32 {
        offset / self.size.bytes() % self.num
    }

    /// Bytes that all banks hold side by side.
    pub const fn row_bytes(self) -> u32 {
        self.num * self.size.bytes()
    }
}

/// What a cache does with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WritePolicy {
    /// Stores go past it and make its copy of the line invalid.
    WriteEvict,
    /// Stores go on to the next level; a line that is there is updated.
    WriteThrough,
    /// As `WriteThrough`, and a line that is not there is put in (its written sectors).
    WriteThroughAllocate,
    /// Stores stay until the line is evicted.
    WriteBack,
}

/// Which bits of a line's number choose its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SetIndex {
    /// The lowest: neighbouring lines are in neighbouring sets, and strides that skip lines skip sets.
    LowBits,
    /// All, folded by exclusive or into as many as there are sets: strides skip none.
    FoldedBits,
}

/// How large L1 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum L1Capacity {
    /// Always this many KiB.
    Fixed(u16),
    /// What shared memory leaves of this many KiB.
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
        CoalescingRule::HalfWarpStrict => "half-warps, word k to lane k or one transaction a lane",
        CoalescingRule::HalfWarpSegments => "half-warps, segments of 32, 64 or 128 bytes",
        CoalescingRule::WarpLines => "warps, 128-byte lines or 32-byte segments",
        CoalescingRule::SectorsByLaneGroup => "32-byte sectors, requests of 8, 4 or 2 lanes",
        CoalescingRule::Sectors => "32-byte sectors, one request an instruction";
    BankRule:
        BankRule::HalfWarpBroadcastWord => "half-warps, one broadcast word a step",
        BankRule::WarpMulticast => "warp, any word multicast, 128 bits one step more",
        BankRule::WarpMulticastRows => "warp, any word multicast, two words of a bank together in 64 aligned ones",
        BankRule::WarpMulticastWide => "warp, any 64-bit word multicast",
        BankRule::WarpMulticastPhases => "warp, any word multicast, wide accesses in phases",
        BankRule::WarpMulticastPairs => "warp, any word multicast, wide accesses in phases, equal neighbours merged";
    WritePolicy:
        WritePolicy::WriteEvict => "write-through, evicts the line",
        WritePolicy::WriteThrough => "write-through",
        WritePolicy::WriteThroughAllocate => "write-through, writes are cached",
        WritePolicy::WriteBack => "write-back";
    SetIndex:
        SetIndex::LowBits => "the lowest bits of the line's number",
        SetIndex::FoldedBits => "all bits of the line's number, folded by exclusive or";
    L1Capacity:
        L1Capacity::Fixed(kib) => format!("{kib} KiB"),
        L1Capacity::Unified(kib) => format!("{kib} KiB less shared memory");
}

sourced_struct! {
    /// Shared memory. The latency of an access without conflict is `cost(OpClass::Shared)`'s.
    pub struct SharedMemory {
        /// Banks.
        banks: u16, "banks";
        /// Width of a bank.
        bank_width_bytes: u16, "B";
        /// How lanes share the banks.
        rule: BankRule, "";
        /// Clocks for which one pass (wavefront) takes all banks: the throughput.
        pass_interval_cycles: u16, "cycles a pass";
        /// What each pass beyond the first adds to the latency that the warp sees.
        extra_latency_per_pass_cycles: f32, "cycles a pass";
        /// What having more than one pass adds beside that, once.
        extra_latency_once_cycles: u16, "cycles";
    }
}

sourced_struct! {
    /// How the schedulers of an SM share its load/store units: they take turns at a gate, behind which the units serve
    /// the oldest instruction first.
    pub struct UnitGate {
        /// Clocks between two instructions of a scheduler at the gate of the load/store units, and between two
        /// passes of a warp: loads and stores of any memory, and shuffles.
        interval_cycles: u16, "cycles";
        /// Instructions that the load/store units hold behind the gate, of which they serve the oldest first.
        entries: u16, "instructions";
    }
}

sourced_struct! {
    /// Partitions of device memory that successive addresses go through in turn: where many accesses come to one of
    /// them, the others idle (partition camping).
    pub struct Partitions {
        /// Partitions of device memory.
        number: u16, "partitions";
        /// Successive bytes in one of them, before the next one's begin.
        width_bytes: u16, "B";
    }
}

sourced_struct! {
    /// The first-level data cache of an SM.
    pub struct L1 {
        /// Whether ordinary global loads go through it by default.
        caches_globals_by_default: bool, "";
        /// Whether `-Xptxas -dlcm=ca` puts global loads into it.
        globals_can_opt_in: bool, "";
        /// Whether `-Xptxas -dlcm=cg` keeps global loads out of it.
        globals_can_opt_out: bool, "";
        /// Whether local memory goes through it.
        caches_locals: bool, "";
        /// Its size.
        capacity: L1Capacity, "";
        /// Bytes a tag covers.
        line_bytes: u16, "B";
        /// Bytes that a miss fetches at least.
        sector_bytes: u16, "B";
        /// Sets; ways follow from the size.
        sets: u16, "sets";
        /// How an address leads to its set.
        set_index: SetIndex, "";
        /// From issue until a dependent instruction can issue, on a hit.
        hit_latency_cycles: u16, "cycles";
        /// What it does with global stores.
        global_write: WritePolicy, "";
        /// What it does with local stores.
        local_write: WritePolicy, "";
        /// Lines looked up in one clock.
        tags_per_cycle: u16, "lines a cycle";
        /// Bytes it delivers in one clock.
        bytes_per_cycle: u16, "B a cycle";
        /// Misses that can be under way at once, in sectors.
        miss_entries: u16, "sectors";
    }
}

sourced_struct! {
    /// The second-level cache of the chip.
    pub struct L2 {
        /// Its size.
        capacity_kib: u32, "KiB";
        /// Bytes of a line.
        line_bytes: u16, "B";
        /// Bytes that a miss fetches, and of one transfer to an SM.
        sector_bytes: u16, "B";
        /// Ways of a set.
        ways: u16, "ways";
        /// From issue until a dependent instruction can issue, on a hit here and a miss in L1.
        hit_latency_cycles: u16, "cycles";
        /// Bytes it delivers to all SMs together in one SM clock.
        bytes_per_cycle: u32, "B a cycle";
    }
}

/// The set of an address where no source tells how it is found.
pub(super) const LOW_BITS: Sourced<SetIndex> = assumed(
    SetIndex::LowBits,
    "no source tells; the simplest way, with which a line's neighbours are in other sets",
);

/// The port of an SM where no source tells its width.
pub(super) const SM_PORT: Sourced<u16> = assumed(
    64,
    "no source tells the width; 64 bytes a clock are enough for the most that was measured on V100, 2155 GB/s on 80 SMs (Jia et al. 2018, 3.3), 19.5 a clock of each",
);

sourced_struct! {
    /// Device memory and the way to it.
    pub struct DeviceMemory {
        /// From issue until a dependent instruction can issue, when all caches miss and the TLB hits.
        latency_cycles: u16, "cycles";
        /// Share of the peak bandwidth that can be had.
        efficiency: f32, "of the peak";
        /// Bytes of the smallest transfer.
        transaction_bytes: u16, "B";
        /// Bits of an address in load and store instructions.
        address_bits: u16, "bits";
        /// Local memory of a thread at most.
        local_kib_per_thread: u16, "KiB";
        /// Bytes that one SM gets from L2, or from memory where there is no L2, in one of its clocks.
        sm_port_bytes_per_cycle: u16, "B a cycle";
    }
}

/// No third constant cache.
pub(super) const NO_L3: Sourced<u32> =
    vendor(0, "Programming Guide 4.2, F.4").note("from 2.x on there is L2");
/// Line and ways of the third constant cache where there is none.
pub(super) const NO_L3_LINE: Sourced<u16> = assumed(256, "not used: L2 is in its place");
pub(super) const NO_L3_WAYS: Sourced<u16> = assumed(8, "not used: L2 is in its place");
/// Ways of the first two constant caches where no measurement tells.
pub(super) const CONSTANT_WAYS: Sourced<u16> =
    assumed(4, "no measurement was found; as on GT200 (Wong et al. 2010)");
/// Texels that a texture unit filters in the time of one address.
pub(super) const TEXELS_PER_ADDRESS: Sourced<u16> = assumed(
    4,
    "no document of these chips tells; the four texels of a bilinear filter",
);
/// What an atomic unit works on at once.
pub(super) const ATOMIC_SECTOR: Sourced<u16> = assumed(
    32,
    "no document tells; a sector of L2, where the units are from 2.x on",
);
/// Why an atomic operation on shared memory returns as soon as a load would.
pub(super) const OLD_VALUE: &str = "the old value comes back as a load's: 23 cycles each on an H200";

sourced_struct! {
    /// Constant memory.
    pub struct ConstantMemory {
        /// Size of the `__constant__` space.
        capacity_kib: u16, "KiB";
        /// First-level constant cache of an SM.
        l1_bytes: u32, "B";
        /// Bytes of a line of it.
        l1_line_bytes: u16, "B";
        /// The next constant cache (1.x: of the TPC).
        l15_bytes: u32, "B";
        /// Bytes of a line of it.
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
        /// On a hit in the next level.
        l15_latency_cycles: u16, "cycles";
        /// On a hit in L2 (on 1.x, the third level).
        l2_latency_cycles: u16, "cycles";
        /// What each distinct address of a warp beyond the first adds.
        extra_per_address_cycles: u16, "cycles an address";
        /// Clocks for which a line that comes from the next level takes the first one.
        fill_cycles: u16, "cycles a line";
    }
}

sourced_struct! {
    /// A cache of texture fetches alone. The set of a line is chosen by the lowest bits of its number.
    pub struct TextureCache {
        /// Its size.
        bytes: u32, "B";
        /// Bytes of a line, which is what a miss fetches.
        line_bytes: u16, "B";
        /// Ways of a set.
        ways: u16, "ways";
        /// From issue until a dependent instruction can issue, on a hit in it.
        hit_latency_cycles: u16, "cycles";
    }
}

/// The texture units of an SM and their caches, where they are apart from L1: up to Kepler. From Maxwell on
/// texture fetches go through L1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TexturePath {
    /// Clocks for which the addresses of a full warp take the texture units of an SM.
    pub warp_interval_cycles: Sourced<u16>,
    /// Texels that a unit filters in the time of one address.
    pub texels_per_address: Sourced<u16>,
    /// The cache of an SM (1.x: of the TPC).
    pub first: TextureCache,
    /// The cache of the chip on 1.x; from 2.x on L2 is in its place.
    pub next: Option<TextureCache>,
}

impl TexturePath {
    fn push_values(&self, rows: &mut Vec<ValueRow>) {
        rows.push(ValueRow::new(
            "memory.texture.warp_interval_cycles".to_owned(),
            "Clocks for which the addresses of a full warp take the texture units of an SM.",
            "cycles a warp",
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
        /// On shared memory: lanes on one address, and how much later a load of it behind them comes.
        shared_latency_curve: &'static [(u16, u16)], "lanes: cycles";
        /// On global memory, without the way to the unit: lanes on one address, and how much later a load
        /// of it behind them comes.
        global_latency_curve: &'static [(u16, u16)], "lanes: cycles";
        /// Clocks for which the next atomic to the same address waits in L2.
        same_address_interval_cycles: u16, "cycles";
        /// Bytes that an atomic unit works on at once: changes of them take turns.
        sector_bytes: u16, "B";
    }
}

sourced_struct! {
    /// Queues between issue and the memory pipes.
    pub struct Queues {
        /// Instructions of a scheduler that can wait for the load/store, special-function and
        /// uniform pipes (MIO).
        mio_entries: u16, "instructions";
        /// Instructions of an SM that can wait for local and global accesses (LG).
        lg_entries: u16, "instructions";
    }
}

/// All memories of an architecture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Memory {
    /// Shared memory.
    pub shared: SharedMemory,
    /// How schedulers share the load/store units, where that is known; elsewhere whoever issues first is served first.
    pub unit_gate: Option<UnitGate>,
    /// How lanes share its banks of eight bytes, where the host can choose these.
    pub eight_byte_banks: Option<Sourced<BankRule>>,
    /// First-level data cache, where there is one.
    pub l1: Option<L1>,
    /// Second-level cache, where there is one.
    pub l2: Option<L2>,
    /// Device memory.
    pub device: DeviceMemory,
    /// How addresses are spread over its partitions, where that is published; elsewhere its bandwidth is one queue.
    pub partitions: Option<Partitions>,
    /// Constant memory and its caches.
    pub constant: ConstantMemory,
    /// Texture units and their cache, where they are apart from L1.
    pub texture: Option<TexturePath>,
    /// Atomics.
    pub atomics: Atomics,
    /// Queues.
    pub queues: Queues,
    /// How accesses become transactions.
    pub coalescing: Sourced<CoalescingRule>,
}

impl Partitions {
    /// The partition of an address; the first one's number is 0.
    #[inline]
    pub fn of(&self, address: u64) -> u64 {
        address / u64::from(self.width_bytes.value).max(1) % u64::from(self.number.value).max(1)
    }
}

impl Memory {
    /// The banks of shared memory, with a choice that holds where there is one.
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

    /// How lanes share them.
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
            "How a warp's access becomes transactions.",
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
                "How lanes share banks of eight bytes, which the host can choose.",
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
    /// What `passes` passes of one instruction add to the latency of one, in whole cycles.
    pub fn extra_latency_cycles(&self, passes: u32) -> u32 {
        // Tenths are exact enough for every published slope, and integers are the same everywhere.
        let tenths = (self.extra_latency_per_pass_cycles.value * 10.0 + 0.5) as u32;
        let once = u32::from(self.extra_latency_once_cycles.value);
        (passes.saturating_sub(1) * tenths + 5) / 10 + if passes > 1 { once } else { 0 }
    }
}

impl L1 {
    /// Its KiB when shared memory has `shared_kib` of the SM's memory.
    pub fn capacity_kib(&self, shared_kib: u16) -> u16 {
        match self.capacity.value {
            L1Capacity::Fixed(kib) => kib,
            L1Capacity::Unified(kib) => kib.saturating_sub(shared_kib),
        }
    }

    /// Sets and ways when shared memory has `shared_kib`. The set count falls to one that divides
    /// the lines.
    pub fn geometry(&self, shared_kib: u16) -> (u32, u32) {
        let lines = u32::from(self.capacity_kib(shared_kib)) * 1024 / u32::from(self.line_bytes.value);
        let sets = u32::from(self.sets.value);
        (sets, (lines / sets).max(1))
    }
}

/// The value of a curve at `x`: straight lines between its points, the last slope beyond them.
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
