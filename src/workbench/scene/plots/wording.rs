//! Numbers and sentences of the plots.

use super::super::thousands;
use super::settings::level_name;
use engine::trace::TrafficLevel;

/// A number with three digits and grouping commas: `13,400`, `128`, `1.92`, `0.0123`.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    let sign = if value < 0.0 { "−" } else { "" };
    if size >= 100.0 {
        return format!("{sign}{}", thousands(libm::round(size) as u64));
    }
    let digits = match size {
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        size if size >= 0.01 => 4,
        _ => 5,
    };
    let text = format!("{sign}{size:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The name of a level at the start of a sentence.
pub(super) fn level_capital(level: TrafficLevel) -> String {
    super::super::capital(level_name(level))
}

/// Which roof limits the kernel, and what it reaches.
pub(super) fn memory_bound(
    level: TrafficLevel,
    intensity: &str,
    unit: &str,
    allowed: &str,
    reached: &str,
) -> String {
    format!(
        "{} limits: {intensity} {unit} per byte allow {allowed}; the run reaches {reached}.",
        level_capital(level)
    )
}

/// The same, for a kernel that reaches more than an SM's share.
pub(super) fn above_share(level: TrafficLevel, allowed: &str, reached: &str) -> String {
    format!(
        "This SM reaches {reached}; with all SMs busy, {} allows {allowed}.",
        level_name(level)
    )
}

/// The same, for a kernel that arithmetic limits.
pub(super) fn compute_bound(kind: &str, peak: &str, reached: &str) -> String {
    format!("{kind} arithmetic limits: its peak is {peak}; the run reaches {reached}.")
}

/// For a run without operations of the kind.
pub(super) fn no_operations(kind: &str) -> String {
    format!("This run has no {kind} operations so far, so it has no point on the roofline.")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (13_447.6, "13,448"),
            (128.0, "128"),
            (19.25, "19.2"),
            (1.0, "1"),
            (1.917, "1.92"),
            (0.1667, "0.167"),
            (0.0123, "0.0123"),
            (0.001, "0.001"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
