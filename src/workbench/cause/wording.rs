//! A measured cause in words: what the numbers are on both chips, what each explains, and their sources.

use engine::arch::{
    Architecture, BankRule, CoalescingRule, Exchange, OpClass, PipeKind, Quality, ValueRow, architecture,
};

use super::{Record, Verdict};
use crate::words::thousands;

/// A number of both chips, as the Compare view lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseRow {
    /// The number, or what remains when all are exchanged (`None`).
    pub exchange: Option<Exchange>,
    /// Its name.
    pub title: String,
    /// Its values on the slow chip and on the fast chip.
    pub values: (String, String),
    /// Cycles of the slow chip with the value of the fast chip.
    pub cycles: Option<u64>,
    /// The share of the difference that it explains alone, in percent.
    pub share: Option<i64>,
    /// The numbers that differ, of both chips, with their sources.
    pub numbers: Vec<NumberRow>,
}

/// A number of one chip with its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberRow {
    /// The chip: `GF100`.
    pub chip: String,
    /// What the number is.
    pub title: String,
    /// The value with its unit.
    pub value: String,
    /// The document and section, or the reason of an assumption.
    pub source: String,
}

/// The name of a chip without its generation: `GF100`.
fn chip(arch: &Architecture) -> &'static str {
    arch.name.split(' ').next_back().unwrap_or(arch.name)
}

/// A class of instructions in a sentence.
fn class_name(class: OpClass) -> &'static str {
    match class {
        OpClass::Fp32 => "FP32 arithmetic",
        OpClass::Fp32Compare => "FP32 comparisons",
        OpClass::Fp64 => "FP64 arithmetic",
        OpClass::Fp16 => "FP16 arithmetic",
        OpClass::IntAdd | OpClass::IntAddTwo => "integer additions",
        OpClass::IntLogic => "integer logic",
        OpClass::IntShift => "shifts",
        OpClass::IntCompare => "integer comparisons",
        OpClass::IntMul | OpClass::Int24Mul | OpClass::Int16Mul => "integer multiplications",
        OpClass::BitField => "bit fields",
        OpClass::BitReverse => "bit reversals",
        OpClass::Popc => "bit counts",
        OpClass::Move => "moves",
        OpClass::Mufu => "special functions",
        OpClass::RangeReduction => "range reductions",
        OpClass::Convert | OpClass::ConvertNarrow | OpClass::Convert64 => "conversions",
        OpClass::SpecialRegister => "S2R",
        OpClass::Shuffle => "shuffles",
        OpClass::Vote => "votes",
        OpClass::WarpReduce => "warp reductions",
        OpClass::PredicateLogic => "predicate logic",
        OpClass::Branch => "branches",
        OpClass::Barrier => "barriers",
        OpClass::Membar => "fences",
        OpClass::Shared => "shared memory accesses",
        OpClass::Global => "global memory accesses",
        OpClass::Constant => "constant loads",
        OpClass::SharedAtomic => "shared memory atomics",
        OpClass::GlobalAtomic => "global memory atomics",
        OpClass::Tensor
        | OpClass::TensorTf32
        | OpClass::TensorFp64
        | OpClass::TensorInt
        | OpClass::TensorStep
        | OpClass::TensorStepHalf => "tensor core instructions",
        OpClass::SlowPath => "slow paths",
    }
}

/// The name of an exchange.
pub(super) fn title(exchange: Exchange) -> &'static str {
    match exchange {
        Exchange::Schedulers => "schedulers",
        Exchange::IssueOrder => "order of issue",
        Exchange::RegisterBanks => "register banks",
        Exchange::Scoreboards => "scoreboards",
        Exchange::LaneUnits => "FP32 and integer lanes",
        Exchange::LaneLatency => "latency of FP32 and integer instructions",
        Exchange::SpecialUnits => "special function units",
        Exchange::SpecialLatency => "latency of special functions",
        Exchange::SpecialRegisters => "special registers",
        Exchange::DoubleUnits => "FP64 units",
        Exchange::DoubleLatency => "latency of FP64 instructions",
        Exchange::TensorUnits => "tensor cores",
        Exchange::TensorLatency => "latency of tensor cores",
        Exchange::Branches => "branches",
        Exchange::Barriers => "barriers",
        Exchange::LoadStoreUnits => "load/store units",
        Exchange::ShuffleLatency => "latency of shuffles",
        Exchange::SharedLatency => "latency of shared memory",
        Exchange::ConflictLatency => "latency of bank conflicts",
        Exchange::Banks => "banks of shared memory",
        Exchange::Transactions => "size of transactions",
        Exchange::L1Policy => "what L1 caches",
        Exchange::L1Latency => "latency of L1",
        Exchange::L1Throughput => "throughput of L1",
        Exchange::L1Misses => "misses in flight",
        Exchange::SharedSize => "size of L1 and shared memory",
        Exchange::L2Size => "size of L2",
        Exchange::L2Latency => "latency of L2",
        Exchange::L2Bandwidth => "bandwidth of L2",
        Exchange::DramLatency => "latency of device memory",
        Exchange::DramBandwidth => "bandwidth of device memory",
        Exchange::Constants => "constant caches",
        Exchange::Texture => "texture units",
        Exchange::Atomics => "atomic operations",
        Exchange::Queues => "queues of the memory pipes",
        Exchange::WarpSlots => "warp and block slots",
        Exchange::Registers => "register file",
        Exchange::StorePort => "bandwidth of stores",
        Exchange::Measured => "copies and YIELD",
    }
}

/// The paths of the number that stands for an exchange, the first that differs first. The other exchanges show a rate or a
/// latency of the class that the kernel issues most, or what [`special_value`] composes.
const fn lead_paths(exchange: Exchange) -> &'static [&'static str] {
    match exchange {
        Exchange::IssueOrder => &["issue.order"],
        Exchange::RegisterBanks => &["issue.register_banks"],
        Exchange::Scoreboards => &["issue.scoreboards", "issue.access_stall_cycles"],
        Exchange::ConflictLatency => &[
            "memory.shared.extra_latency_per_pass_cycles",
            "memory.shared.extra_latency_once_cycles",
        ],
        Exchange::Banks => &["memory.shared.banks", "memory.shared.rule"],
        Exchange::Transactions => &[
            "memory.coalescing",
            "memory.l1.sector_bytes",
            "memory.l1.line_bytes",
        ],
        Exchange::L1Policy => &[
            "memory.l1.caches_globals_by_default",
            "memory.l1.global_write",
            "memory.l1.local_write",
        ],
        Exchange::L1Latency => &["memory.l1.hit_latency_cycles", "costs.Global.latency_cycles"],
        Exchange::L1Throughput => &["memory.l1.bytes_per_cycle", "memory.l1.tags_per_cycle"],
        Exchange::L1Misses => &["memory.l1.miss_entries"],
        Exchange::SharedSize => &[
            "occupancy.shared_per_sm_kib",
            "memory.l1.capacity",
            "memory.l1.sets",
        ],
        Exchange::L2Size => &["memory.l2.capacity_kib", "memory.l2.sector_bytes"],
        Exchange::L2Latency => &["memory.l2.hit_latency_cycles"],
        Exchange::L2Bandwidth => &[
            "memory.device.sm_port_bytes_per_cycle",
            "memory.l2.bytes_per_cycle",
        ],
        Exchange::DramLatency => &["memory.device.latency_cycles"],
        Exchange::DramBandwidth => &["chip.dram_gb_per_s", "memory.device.transaction_bytes"],
        Exchange::Constants => &[
            "memory.constant.l1_latency_cycles",
            "memory.constant.l2_latency_cycles",
        ],
        Exchange::Texture => &["memory.texture.warp_interval_cycles"],
        Exchange::Queues => &["memory.queues.mio_entries", "memory.queues.lg_entries"],
        Exchange::WarpSlots => &["occupancy.max_warps_per_sm", "occupancy.max_blocks_per_sm"],
        Exchange::Registers => &["occupancy.registers_per_sm", "occupancy.register_unit"],
        Exchange::SharedLatency => &["costs.Shared.latency_cycles"],
        Exchange::Atomics => &[
            "memory.atomics.same_address_interval_cycles",
            "costs.SharedAtomic.latency_cycles",
            "costs.GlobalAtomic.latency_cycles",
        ],
        _ => &[],
    }
}

/// The class whose rate or latency stands for an exchange: of those that differ, the one that the kernel issues most.
fn lead_class(record: &Record, exchange: Exchange) -> Option<(OpClass, &'static str)> {
    let (slow, fast) = (architecture(record.slow), architecture(record.fast));
    let fields = ["latency_cycles", "occupancy_cycles"];
    let differing = OpClass::ALL.into_iter().flat_map(|class| {
        fields.into_iter().filter_map(move |field| {
            let path = format!("costs.{class:?}.{field}");
            if Exchange::of_path(&path) != Some(exchange) {
                return None;
            }
            let (own, other) = (slow.cost(class)?, fast.cost(class)?);
            // Cycles that an instruction takes longer on the slow chip.
            let longer = if field == "latency_cycles" {
                f64::from(own.latency_cycles.value) - f64::from(other.latency_cycles.value)
            } else {
                32.0 / slow.results_per_cycle(class)? - 32.0 / fast.results_per_cycle(class)?
            };
            let weight = longer * record.count(class) as f64;
            (longer.abs() > 1e-9).then_some((weight, class, field))
        })
    });
    let mut best: Option<(f64, OpClass, &'static str)> = None;
    for found in differing {
        if best.is_none_or(|(weight, ..)| found.0 > weight) {
            best = Some(found);
        }
    }
    best.map(|(_, class, field)| (class, field))
}

/// A count with its noun: `1 scheduler`.
fn counted(count: u64, noun: &str) -> String {
    crate::words::counted(count, noun)
}

/// The value of an exchange that no single row of the numbers gives.
fn special_value(exchange: Exchange, arch: &Architecture) -> Option<String> {
    let issue = &arch.issue;
    Some(match exchange {
        Exchange::Schedulers => {
            let every = match issue.issue_interval_cycles.value {
                1 => "one issue per cycle".to_owned(),
                cycles => format!("one issue every {cycles} cycles"),
            };
            let pairs = if issue.dispatches.value > 1 {
                format!(" of up to {} instructions", issue.dispatches.value)
            } else {
                String::new()
            };
            format!(
                "{}, {every}{pairs}",
                counted(issue.schedulers.value.into(), "scheduler")
            )
        }
        Exchange::LoadStoreUnits => {
            let interval = arch.memory.shared.pass_interval_cycles.value;
            let lanes = arch.pipe(PipeKind::Lsu)?.lanes.value;
            format!(
                "{} per wavefront, {lanes} units",
                counted(interval.into(), "cycle")
            )
        }
        Exchange::L1Policy if arch.memory.l1.is_none() => "no L1".to_owned(),
        Exchange::L1Policy => {
            let l1 = arch.memory.l1.as_ref()?;
            let globals = if l1.caches_globals_by_default.value {
                "global loads cached"
            } else {
                "global loads not cached"
            };
            format!("{globals}; stores {}", l1.global_write.value)
        }
        Exchange::L2Size if arch.memory.l2.is_none() => "no L2".to_owned(),
        Exchange::Texture if arch.memory.texture.is_none() => "through L1".to_owned(),
        Exchange::DramBandwidth => format!("{:.0} bytes per cycle", arch.dram_bytes_per_cycle()),
        Exchange::StorePort => match arch.write_port() {
            Some(port) => format!("{} bytes per cycle", port.sm_bytes_per_cycle.value),
            None => "as many as loads".to_owned(),
        },
        Exchange::Banks => bank_text(arch),
        Exchange::Transactions => transaction_text(arch),
        _ => return None,
    })
}

/// The banks of shared memory in a few words.
fn bank_text(arch: &Architecture) -> String {
    let banks = arch.memory.shared.banks.value;
    let rule = match arch.memory.shared.rule.value {
        BankRule::HalfWarpBroadcastWord => ", half-warps, one broadcast",
        BankRule::WarpMulticast => "",
        BankRule::WarpMulticastRows => " of two words",
        BankRule::WarpMulticastWide => " of 64 bits",
        BankRule::WarpMulticastPhases => ", wide accesses in phases",
        BankRule::WarpMulticastPairs => ", wide accesses in phases, lanes merged",
    };
    format!("{banks} banks{rule}")
}

/// The transactions of an access in a few words.
fn transaction_text(arch: &Architecture) -> String {
    match arch.memory.coalescing.value {
        CoalescingRule::HalfWarpStrict => "one for a half-warp in order, or one per lane",
        CoalescingRule::HalfWarpSegments => "segments of half-warps",
        CoalescingRule::WarpLines => "lines of 128 bytes",
        CoalescingRule::SectorsByLaneGroup => "32-byte sectors of up to 8 lanes",
        CoalescingRule::Sectors => "32-byte sectors of a warp",
    }
    .to_owned()
}

/// A value with its unit, as a row of the numbers has it.
fn row_text(row: &ValueRow) -> String {
    match row.unit {
        "" => row.value.clone(),
        unit => format!("{} {unit}", row.value),
    }
}

/// The name and the values of what stands for an exchange.
fn lead(record: &Record, exchange: Exchange) -> (String, (String, String)) {
    let (slow, fast) = (architecture(record.slow), architecture(record.fast));
    let name = title(exchange).to_owned();
    if let (Some(own), Some(other)) = (special_value(exchange, slow), special_value(exchange, fast))
        && own != other
    {
        return (name, (own, other));
    }
    let (rows, others) = (exchange.numbers(slow), exchange.numbers(fast));
    let text = |rows: &[ValueRow], path: &str| rows.iter().find(|row| row.path == path).map(row_text);
    let differing = lead_paths(exchange).iter().filter_map(|path| {
        let values = (text(&rows, path), text(&others, path));
        (values.0 != values.1).then_some((*path, values))
    });
    // The number that is worse on the slow chip, if there is one.
    let mut differing: Vec<_> = differing.collect();
    differing.sort_by_key(|(path, values)| !is_worse(path, values));
    if let Some((_, values)) = differing.into_iter().next() {
        let none = || "none".to_owned();
        return (
            name,
            (values.0.unwrap_or_else(none), values.1.unwrap_or_else(none)),
        );
    }
    if let Some((class, field)) = lead_class(record, exchange) {
        let of_class = class_name(class);
        if field == "latency_cycles" {
            let latency = |arch: &Architecture| {
                arch.cost(class).map_or_else(String::new, |cost| {
                    counted(cost.latency_cycles.value.into(), "cycle")
                })
            };
            return (format!("latency of {of_class}"), (latency(slow), latency(fast)));
        }
        let rate = |arch: &Architecture| {
            arch.results_per_cycle(class)
                .map_or_else(String::new, |rate| format!("{} per cycle", rate_text(rate)))
        };
        return (format!("rate of {of_class}"), (rate(slow), rate(fast)));
    }
    // Some other number of the exchange differs.
    let other = rows.iter().find_map(|row| {
        let there = others.iter().find(|other| other.path == row.path)?;
        (row.value != there.value).then(|| (row_text(row), row_text(there)))
    });
    (name, other.unwrap_or_default())
}

/// Whether the first of two values takes longer: a longer latency or interval, or less of anything else.
fn is_worse(path: &str, (own, other): &(Option<String>, Option<String>)) -> bool {
    let number = |text: &Option<String>| text.as_ref()?.split(' ').next()?.parse::<f64>().ok();
    match (number(own), number(other)) {
        (Some(own), Some(other)) if path.contains("latency") || path.contains("interval") => own > other,
        (Some(own), Some(other)) => own < other,
        _ => false,
    }
}

/// A rate without needless digits.
fn rate_text(rate: f64) -> String {
    if rate.fract().abs() < 0.05 {
        format!("{rate:.0}")
    } else {
        format!("{rate:.1}")
    }
}

/// `83 %`, or that it is the whole difference and more.
fn share_text(share: i64) -> String {
    if share > 100 {
        "the whole difference".to_owned()
    } else {
        format!("{share} % of the difference")
    }
}

/// The cause in a clause: what it is on the slow chip and on the fast chip.
fn clause(record: &Record, exchange: Exchange) -> String {
    let (slow, fast) = (architecture(record.slow), architecture(record.fast));
    if exchange == Exchange::LoadStoreUnits {
        let interval = |arch: &Architecture| arch.memory.shared.pass_interval_cycles.value;
        let units = |arch: &Architecture| arch.pipe(PipeKind::Lsu).map_or(0, |pipe| pipe.lanes.value);
        // The sources give some chips 16 units and a wavefront per cycle: there, the units are not the reason.
        let is_reason = |arch: &Architecture| u32::from(units(arch)) * u32::from(interval(arch)) == 32;
        if interval(slow) != interval(fast) {
            let of = |arch: &Architecture, unit: &str| {
                if is_reason(arch) {
                    format!(" ({}{unit})", units(arch))
                } else {
                    String::new()
                }
            };
            let unit = " load/store units";
            let short = if is_reason(slow) { "" } else { unit };
            return format!(
                "a wavefront takes {} on {}{}, {} on {}{}",
                counted(interval(slow).into(), "cycle"),
                chip(slow),
                of(slow, unit),
                interval(fast),
                chip(fast),
                of(fast, short)
            );
        }
    }
    let (name, values) = lead(record, exchange);
    format!("{name}: {} instead of {}", values.0, values.1)
}

/// The ratio of the cycles: `2.31`.
fn times(record: &Record) -> String {
    format!("{:.2}", record.cycles.0 as f64 / record.cycles.1.max(1) as f64)
}

/// The shares of several numbers, the largest first: `schedulers 31 %, latency of L2 24 %`.
fn shares_text(record: &Record, shares: &[(Option<Exchange>, i64)]) -> String {
    let mut named: Vec<(String, i64)> = shares
        .iter()
        .map(|(exchange, share)| {
            let name = exchange.map_or_else(|| "all other numbers".to_owned(), |own| title(own).to_owned());
            (name, *share)
        })
        .collect();
    if let Some(share) = record.share_of_instructions().filter(|share| *share != 0) {
        named.push(("other instructions".to_owned(), share));
    }
    named.sort_by_key(|(_, share)| std::cmp::Reverse(*share));
    let texts: Vec<String> = named
        .into_iter()
        .map(|(name, share)| format!("{name} {share} %"))
        .collect();
    texts.join(", ")
}

/// The cause as a headline.
pub(super) fn headline(record: &Record) -> String {
    let (slow, fast) = (architecture(record.slow), architecture(record.fast));
    let takes = format!(
        "{} takes {} times the cycles of {}",
        chip(slow),
        times(record),
        chip(fast)
    );
    match record.verdict() {
        Verdict::Equal => format!(
            "{} and {} take nearly the same number of cycles.",
            chip(slow),
            chip(fast)
        ),
        // The clause names the chips.
        Verdict::One(exchange) if exchange == Exchange::LoadStoreUnits => {
            let clause = clause(record, exchange);
            format!("{}.", crate::words::capital(&clause))
        }
        Verdict::One(exchange) => format!("{takes}: {}.", clause(record, exchange)),
        Verdict::Instructions => format!(
            "{takes}: other instructions, {} instead of {}.",
            thousands(record.issues.0),
            thousands(record.issues.1)
        ),
        Verdict::Several(shares) => format!("{takes}: {}.", shares_text(record, &shares)),
    }
}

/// The cause in one or two sentences, with what the exchange changes.
pub(super) fn sentence(record: &Record) -> String {
    let (slow, fast) = (architecture(record.slow), architecture(record.fast));
    let (own, other) = record.cycles;
    let takes = format!(
        "{} takes {} cycles and {} {}",
        chip(slow),
        thousands(own),
        chip(fast),
        thousands(other)
    );
    match record.verdict() {
        Verdict::Equal => format!("{takes}: the difference is too small for a cause."),
        Verdict::One(exchange) => {
            let single = record.singles.iter().find(|single| single.exchange == exchange);
            let cycles = single.and_then(|single| single.cycles).unwrap_or(own);
            let share = single.and_then(|single| record.share_of(single)).unwrap_or(0);
            let clause = clause(record, exchange);
            format!(
                "{takes}. The cause: {clause}. With this value of {}, {} takes {} cycles: {}.",
                chip(fast),
                chip(slow),
                thousands(cycles),
                share_text(share)
            )
        }
        Verdict::Instructions => {
            let all = record.all.unwrap_or(own);
            format!(
                "{takes}. The cause: other instructions. {} executes {} warp instructions, {} {}. With all numbers of {}, the code of {} still takes {} cycles.",
                chip(slow),
                thousands(record.issues.0),
                chip(fast),
                thousands(record.issues.1),
                chip(fast),
                chip(slow),
                thousands(all)
            )
        }
        Verdict::Several(shares) => format!(
            "{takes}. No number explains half of the difference alone. Taken over one after the other: {}.",
            shares_text(record, &shares)
        ),
    }
}

/// The rows of the table: each number alone, the largest share first, and what other instructions explain.
pub(super) fn cause_rows(record: &Record) -> Vec<CauseRow> {
    let mut rows: Vec<CauseRow> = record
        .singles
        .iter()
        .map(|single| {
            let (title, values) = lead(record, single.exchange);
            CauseRow {
                exchange: Some(single.exchange),
                title,
                values,
                cycles: single.cycles,
                share: record.share_of(single),
                numbers: numbers(record, single.exchange),
            }
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.share.unwrap_or(i64::MIN)));
    if !record.is_equal() {
        let instructions = CauseRow {
            exchange: None,
            title: "other instructions".to_owned(),
            values: (thousands(record.issues.0), thousands(record.issues.1)),
            cycles: record.all,
            share: record.share_of_instructions(),
            numbers: Vec::new(),
        };
        let at = rows.partition_point(|row| row.share >= instructions.share);
        rows.insert(at, instructions);
    }
    rows
}

/// The numbers of an exchange that differ, of both chips, with their sources.
pub(super) fn numbers(record: &Record, exchange: Exchange) -> Vec<NumberRow> {
    let (slow, fast) = (architecture(record.slow), architecture(record.fast));
    let (rows, others) = (exchange.numbers(slow), exchange.numbers(fast));
    let is_used = |path: &str| {
        let class = path
            .strip_prefix("costs.")
            .and_then(|rest| rest.split('.').next());
        class.is_none_or(|class| {
            OpClass::ALL
                .into_iter()
                .any(|other| format!("{other:?}") == class && record.count(other) > 0)
        })
    };
    let mut found = Vec::new();
    for (arch, rows, others) in [(slow, &rows, &others), (fast, &others, &rows)] {
        for row in rows.iter().filter(|row| is_used(&row.path)) {
            let there = others.iter().find(|other| other.path == row.path);
            if there.is_some_and(|there| there.value == row.value) {
                continue;
            }
            found.push(NumberRow {
                chip: chip(arch).to_owned(),
                title: number_title(row),
                value: row_text(row),
                source: source_text(row),
            });
        }
    }
    found
}

/// What a row's number is: its class or pipe, and its description without the full stop.
fn number_title(row: &ValueRow) -> String {
    let description = row.description.trim_end_matches('.');
    let part = row
        .path
        .strip_prefix("costs.")
        .and_then(|rest| rest.split_once('.'));
    if let Some((class, field)) = part {
        let class = OpClass::ALL
            .into_iter()
            .find(|other| format!("{other:?}") == class);
        let name = class.map_or("instructions", class_name);
        return match field {
            "latency_cycles" => format!("Latency of {name}"),
            "units" => format!("Units for {name}"),
            _ => format!("Cycles of {name} on a unit"),
        };
    }
    match row
        .path
        .strip_prefix("pipes.")
        .and_then(|rest| rest.split_once('.'))
    {
        Some((pipe, _)) => format!("{pipe}: {}", lower(description)),
        None => description.to_owned(),
    }
}

/// A text with a small first letter.
fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().collect::<String>() + chars.as_str()
    })
}

/// The source of a row's number: the document, or the reason of an assumption.
fn source_text(row: &ValueRow) -> String {
    if row.quality == Quality::Assumption {
        format!("assumption: {}", row.note)
    } else if row.note.is_empty() {
        row.source.to_owned()
    } else {
        format!("{}; {}", row.source, row.note)
    }
}
