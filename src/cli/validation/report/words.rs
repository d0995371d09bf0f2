//! Display texts of quantities and conditions.

use crate::validation::Published;

/// Returns the heading of a quantity.
pub(super) fn quantity(quantity: &str) -> String {
    let (kind, what) = quantity.split_once(' ').unwrap_or((quantity, ""));
    let name = name(what);
    match kind {
        "latency" => format!("Latency: {name}"),
        "throughput" => format!("Throughput: {name}"),
        "issue" => format!("Cycles per instruction: {name}"),
        "round" => format!("Cycles per round of all warps: {name}"),
        "chase" => "Pointer chase through global memory".to_owned(),
        "atomic" => format!("Atomic addition, {what} memory, latency beyond a load"),
        "bandwidth" => format!("Bandwidth: {name}"),
        _ => quantity.to_owned(),
    }
}

fn name(what: &str) -> &str {
    match what {
        "ffma" => "FFMA",
        "ffma_3reg" => "FFMA with three registers",
        "fadd" => "FADD",
        "fmul" => "FMUL",
        "ex2" | "mufu_ex2" => "MUFU.EX2",
        "lg2" => "MUFU.LG2",
        "rsqrt" => "MUFU.RSQ",
        "sin" => "sine (special function unit)",
        "sqrt" => "square root (sqrtf)",
        "fdiv" => "float division",
        "fdividef" => "__fdividef",
        "convert" => "32-bit conversions",
        "convert64" => "64-bit conversions",
        "dfma" => "DFMA",
        "dadd" => "DADD",
        "dmul" => "DMUL",
        "ddiv" => "double division",
        "iadd" => "integer addition",
        "lop" => "logic",
        "shl" => "shift",
        "imin" => "integer minimum",
        "imul" => "integer multiplication",
        "imad" => "IMAD",
        "mul24" => "24-bit multiplication",
        "idiv" => "int division",
        "udiv" => "unsigned division",
        "popc" => "POPC",
        "brev" => "BREV",
        "shfl" => "shuffle",
        "iadd_lop" => "addition and logic",
        "shared" => "shared memory",
        "global" => "global memory",
        "constant" => "constant memory",
        "texture" => "texture memory",
        "barrier" => "__syncthreads",
        "syncwarp" => "__syncwarp",
        "shared_atomic" => "atomic addition to shared memory",
        "global_atomic" => "atomic addition to global memory",
        "l1" => "L1",
        "l2" => "L2",
        "dram" => "device memory",
        other => other,
    }
}

/// Returns the text of one condition.
fn condition(key: &str, value: &str) -> String {
    let many = |one: &str, many: &str| format!("{value} {}", if value == "1" { one } else { many });
    match key {
        "ilp" => many("chain per thread", "chains per thread"),
        "warps" => many("warp", "warps"),
        "ways" => format!("{value}-way conflict"),
        "wavefronts" => many("wavefront", "wavefronts"),
        "width" => format!("{value} B per load"),
        "flight" => many("load in flight", "loads in flight"),
        "lanes" => many("lane on one word", "lanes on one word"),
        "addresses" => many("address in the warp", "addresses in the warp"),
        "stride" => format!("stride of {value} B"),
        "size" => value.parse().map_or_else(|_| value.to_owned(), bytes),
        "level" => match value {
            "l1" => "hit in L1".to_owned(),
            "l15" => "hit in L1.5".to_owned(),
            "l2" => "hit in L2".to_owned(),
            "l3" => "hit in L3".to_owned(),
            "dram" => "from device memory".to_owned(),
            "tlb-miss" => "from device memory, TLB miss".to_owned(),
            other => other.to_owned(),
        },
        _ => format!("{key} {value}"),
    }
}

/// Formats a size in bytes, for example 65536 as `64 KB`.
pub(super) fn bytes(num: f64) -> String {
    if num >= 1_048_576.0 {
        format!("{} MB", num / 1_048_576.0)
    } else {
        format!("{} KB", num / 1024.0)
    }
}

/// Returns the text of all conditions except those in `out`.
fn conditions_without(value: &Published, out: &[&str]) -> String {
    let kept = value
        .conditions
        .0
        .iter()
        .filter(|(key, _)| !out.contains(&key.as_str()));
    let words: Vec<String> = kept.map(|(key, value)| condition(key, value)).collect();
    words.join(", ")
}

pub(super) fn conditions(value: &Published) -> String {
    conditions_without(value, &[])
}

/// Returns the title of a value's figure and the name of its curve.
pub(super) fn curve(value: &Published, axis: &str) -> (String, String) {
    // The last condition other than the axis distinguishes the curves.
    let beside: Vec<&str> = (value.conditions.0.iter())
        .map(|(key, _)| key.as_str())
        .filter(|key| *key != axis)
        .collect();
    let name = beside.last().copied().unwrap_or("");
    let others: Vec<&str> = beside.iter().copied().filter(|key| *key != name).collect();
    let in_title = conditions_without(value, &[axis, name]);
    let title = quantity(&value.quantity);
    let title = if others.is_empty() {
        title
    } else {
        format!("{title}, {in_title}")
    };
    let mut hidden = others;
    hidden.push(axis);
    (title, conditions_without(value, &hidden))
}

/// Returns document and section.
pub(super) fn source(value: &Published) -> String {
    if value.section.is_empty() {
        value.source.clone()
    } else {
        format!("{}, {}", value.source, value.section)
    }
}

/// Returns the label of an axis.
pub(super) fn axis(key: &str) -> &'static str {
    match key {
        "warps" => "warps per block",
        "lanes" => "lanes on one word",
        "ways" => "degree of the bank conflict",
        "addresses" => "addresses in the warp",
        _ => "size of the ring",
    }
}

/// Returns the label of an axis tick.
pub(super) fn tick(key: &str, value: f64) -> String {
    if key == "size" {
        bytes(value)
    } else {
        format!("{value}")
    }
}

/// Formats a value with at most four significant digits.
pub(super) fn short(value: f64) -> String {
    let text = match value.abs() {
        size if size >= 1000.0 => return format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a relative error, for example `+3.8 %`.
pub(super) fn percent(error: f64) -> String {
    let percent = 100.0 * error;
    if percent.abs() < 0.05 {
        "0 %".to_owned()
    } else if percent.abs() >= 99.95 {
        format!("{percent:+.0} %")
    } else {
        format!("{percent:+.1} %")
    }
}
