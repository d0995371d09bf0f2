//! The sentence on the largest difference, on runs of known counters.

use std::rc::Rc;

use super::difference::{factors, sentence};
use super::{ComparedSide, Comparison};
use engine::trace::Counter;

/// A run of some cycles at a clock rate.
fn side(
    name: &str,
    (cycles, mhz): (f64, f64),
    issued: f64,
    issue_slots: f64,
    more: &[(&str, f64)],
) -> ComparedSide {
    let counter = |name: &str, value: f64| Counter {
        name: name.to_owned(),
        value,
        unit: "",
        note: "",
    };
    let mut counters = vec![
        counter("sm__cycles_active.max", cycles),
        counter("smsp__inst_executed.sum", issued),
        counter("warpscope__time.us", cycles / mhz),
    ];
    counters.extend(more.iter().map(|(name, value)| counter(name, *value)));
    ComparedSide {
        name: name.to_owned(),
        issued: (issued as u64, issued as u64),
        issue_slots,
        counters: Rc::new(counters),
        ..ComparedSide::default()
    }
}

fn whole(sides: Vec<ComparedSide>) -> Comparison {
    Comparison {
        sides,
        is_whole: true,
        ..Comparison::default()
    }
}

#[test]
fn the_factors_multiply_to_the_ratio() {
    let comparison = whole(vec![
        side("A", (1000.0, 1000.0), 2000.0, 4.0, &[]),
        side("B", (3000.0, 1500.0), 2400.0, 2.0, &[]),
        side("C", (1500.0, 1000.0), 2000.0, 4.0, &[]),
    ]);
    for is_timed in [false, true] {
        let comparison = Comparison {
            is_timed,
            ..comparison.clone()
        };
        let found = factors(&comparison).unwrap();
        let product = found.instructions * found.rate * found.clock;
        assert!((product - found.ratio).abs() < 1e-9, "{found:?}");
        assert_eq!((found.slow, found.fast), (1, 0));
        assert!((found.ratio - if is_timed { 2.0 } else { 3.0 }).abs() < 1e-9);
    }
}

#[test]
fn the_largest_factor_is_the_cause() {
    let fast = || side("A", (1000.0, 1000.0), 2000.0, 4.0, &[]);
    let text = |slow: ComparedSide| sentence(&whole(vec![fast(), slow]));
    assert_eq!(
        text(side("B", (3000.0, 1000.0), 6000.0, 4.0, &[])),
        "B takes 3.00 times as many cycles as A: it executes 3.00 times as many warp instructions (6,000)."
    );
    assert_eq!(
        text(side("B", (2500.0, 1000.0), 2000.0, 1.0, &[])),
        "B takes 2.50 times as many cycles as A: it executes 0.80 instructions per cycle instead of 2.00, of at most 1 \
         that its schedulers issue."
    );
    let stalls = [
        (
            "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
            9.5,
        ),
        (
            "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
            2.0,
        ),
        ("warpscope__transaction_bytes_mem_global_op_ld.sum", 4096.0),
    ];
    let few = [("warpscope__transaction_bytes_mem_global_op_ld.sum", 1024.0)];
    let comparison = whole(vec![
        side("A", (1000.0, 1000.0), 2000.0, 4.0, &few),
        side("B", (2000.0, 1000.0), 2000.0, 4.0, &stalls),
    ]);
    assert_eq!(
        sentence(&comparison),
        "B takes 2.00 times as many cycles as A: it executes 1.00 instructions per cycle instead of 2.00, and its \
         warps stall 9.50 cycles per issue on Long Scoreboard instead of 0; it moves 4.00 times as many bytes."
    );
}

#[test]
fn a_part_of_the_run_explains_no_time() {
    let comparison = Comparison {
        is_whole: false,
        ..whole(vec![
            side("A", (1000.0, 1000.0), 2000.0, 4.0, &[]),
            side("B", (3000.0, 1000.0), 2000.0, 4.0, &[]),
        ])
    };
    assert_eq!(factors(&comparison), None);
    assert_eq!(
        sentence(&comparison),
        "Cycles active differ most: 3,000 on B, 1,000 on A."
    );
}
