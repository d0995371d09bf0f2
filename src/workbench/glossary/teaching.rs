//! Which lesson teaches a term.

/// Lessons with the terms that they teach.
const LESSONS: &[(&str, &[&str])] = &[
    (
        "memory/column-read",
        &[
            "bank",
            "bank-conflict",
            "ways",
            "wavefront",
            "ideal-wavefronts",
            "shared-memory",
            "lsu",
        ],
    ),
    ("memory/bank-stride", &["stride", "bank-width", "padding"]),
    ("memory/broadcast", &["broadcast"]),
    (
        "memory/strided-read",
        &[
            "sector",
            "coalescing",
            "transaction",
            "request",
            "efficiency",
            "global-memory",
            "device-memory",
        ],
    ),
    ("memory/alignment", &["alignment", "cache-line", "segment"]),
    ("memory/structures", &["aos-soa"]),
    ("memory/vector-loads", &["vectorized-access", "bytes-in-flight"]),
    ("memory/constant-cache", &["constant-cache", "constant-bank"]),
    (
        "latency/dependent-instructions",
        &["latency", "fixed-latency", "scoreboard", "stall-wait", "stall"],
    ),
    (
        "latency/warps-hide-latency",
        &[
            "latency-hiding",
            "stall-long-scoreboard",
            "eligible-warp",
            "issue-slot",
            "warp",
        ],
    ),
    (
        "latency/instruction-level-parallelism",
        &["ilp", "throughput", "little-law"],
    ),
    (
        "latency/occupancy-limits",
        &[
            "occupancy",
            "limiter",
            "allocation-unit",
            "resident",
            "warp-slot",
            "block-slot",
            "register-file",
        ],
    ),
    (
        "latency/register-spilling",
        &["spill", "local-memory", "launch-bounds"],
    ),
    (
        "divergence/one-branch",
        &[
            "divergence",
            "active-mask",
            "stall-branch-resolving",
            "simt",
            "lane",
        ],
    ),
    (
        "divergence/reconvergence",
        &["convergence", "convergence-barrier", "reconvergence-stack"],
    ),
    (
        "divergence/warp-shuffles",
        &["shuffle", "member-mask", "warp-reduce"],
    ),
    ("transpose/swizzled", &["swizzle"]),
    ("reduction/sequential", &["block-barrier", "stall-barrier"]),
    ("histogram/global", &["atomic", "reduction-operation"]),
    ("tesla-to-fermi/half-warps", &["half-warp"]),
    (
        "tesla-to-fermi/l1-cache",
        &[
            "l1",
            "hit",
            "miss",
            "hit-rate",
            "eviction",
            "cache-set",
            "cache-way",
        ],
    ),
    ("tesla-to-fermi/l1-split", &["carveout"]),
    (
        "volta/locks-between-lanes",
        &["lock", "deadlock", "independent-thread-scheduling"],
    ),
    ("volta/implicit-lockstep", &["syncwarp", "race"]),
    ("volta/integers-and-floats", &["int32", "fp32", "pipe"]),
    (
        "turing/four-schedulers",
        &["warp-scheduler", "sub-partition", "sm"],
    ),
    ("turing/double-precision", &["fp64"]),
];

/// The id of the lesson that teaches a term; empty if no lesson does.
pub fn lesson(term: &str) -> &'static str {
    LESSONS
        .iter()
        .find(|(_, terms)| terms.contains(&term))
        .map_or("", |(lesson, _)| *lesson)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::glossary::term;

    #[test]
    fn lessons_and_their_terms_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/lessons");
        for (lesson, terms) in LESSONS {
            assert!(folder.join(format!("{lesson}.toml")).is_file(), "{lesson}");
            for id in *terms {
                assert!(term(id).is_some(), "{lesson}: {id}");
            }
        }
        assert_eq!(
            (lesson("bank"), lesson("no-such-term")),
            ("memory/column-read", "")
        );
    }
}
