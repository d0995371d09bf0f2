use super::wording::numbers;
use super::*;

fn single(exchange: Exchange, cycles: u64) -> Single {
    Single {
        exchange,
        cycles: Some(cycles),
    }
}

fn record(singles: Vec<Single>, all: u64) -> Record {
    Record {
        slow: ArchId::Gf100,
        fast: ArchId::Gv100,
        cycles: (10_000, 5_000),
        issues: (2_000, 1_500),
        singles,
        all: Some(all),
        steps: Vec::new(),
        classes: vec![1; OpClass::COUNT],
        num_runs: 3,
    }
}

#[test]
fn a_number_is_named_alone_from_half_of_the_difference_on() {
    let half = record(vec![single(Exchange::LoadStoreUnits, 7_500)], 5_200);
    assert_eq!(half.verdict(), Verdict::One(Exchange::LoadStoreUnits));
    assert_eq!(half.share_of(&half.singles[0]), Some(50));
    assert_eq!(half.share_of_instructions(), Some(4));
    let text = headline(&half);
    assert_eq!(
        text,
        "A wavefront takes 2 cycles on GF100 (16 load/store units), 1 on GV100 (32)."
    );
    // TU102's sources give 16 units and a wavefront per cycle.
    let turing = Record {
        fast: ArchId::Tu102,
        ..half
    };
    assert_eq!(
        headline(&turing),
        "A wavefront takes 2 cycles on GF100 (16 load/store units), 1 on TU102."
    );
    let less = record(vec![single(Exchange::LoadStoreUnits, 7_600)], 5_200);
    assert_ne!(less.verdict(), Verdict::One(Exchange::LoadStoreUnits));
}

#[test]
fn several_numbers_have_shares_that_add_up_to_the_difference() {
    let several = Record {
        steps: vec![(Exchange::Schedulers, 8_000), (Exchange::L2Latency, 6_500)],
        ..record(vec![single(Exchange::Schedulers, 8_000)], 6_000)
    };
    let Verdict::Several(shares) = several.verdict() else {
        panic!("{:?}", several.verdict());
    };
    assert_eq!(
        shares,
        [
            (Some(Exchange::Schedulers), 40),
            (Some(Exchange::L2Latency), 30),
            (None, 10)
        ]
    );
    let sum: i64 = shares.iter().map(|(_, share)| share).sum();
    assert_eq!(sum + several.share_of_instructions().unwrap(), 100);
    let text = headline(&several);
    assert_eq!(
        text,
        "GF100 takes 2.00 times the cycles of GV100: schedulers 40 %, latency of L2 30 %, other instructions 20 %, all other numbers 10 %."
    );
}

#[test]
fn other_instructions_are_the_cause_where_no_number_is() {
    let code = record(vec![single(Exchange::Schedulers, 9_900)], 9_500);
    assert_eq!(code.verdict(), Verdict::Instructions);
    assert!(
        sentence(&code).contains("2,000 warp instructions, GV100 1,500"),
        "{}",
        sentence(&code)
    );
    let rows = cause_rows(&code);
    assert_eq!((rows[0].exchange, rows[0].share), (None, Some(90)));
}

#[test]
fn nearly_equal_runs_have_no_cause() {
    let equal = Record {
        cycles: (5_200, 5_000),
        ..record(Vec::new(), 5_000)
    };
    assert_eq!(equal.verdict(), Verdict::Equal);
    assert!(cause_rows(&equal).is_empty());
    let less = Record {
        cycles: (5_250, 5_000),
        ..equal
    };
    assert!(!less.is_equal());
}

#[test]
fn every_number_of_a_cause_has_a_source() {
    let record = record(Vec::new(), 5_000);
    for exchange in Exchange::ALL {
        for row in numbers(&record, exchange) {
            assert!(!row.source.is_empty() && !row.value.is_empty(), "{row:?}");
        }
    }
    let rows = numbers(&record, Exchange::LoadStoreUnits);
    let pass = rows
        .iter()
        .find(|row| row.chip == "GF100" && row.source.contains("F.4.3"));
    assert_eq!(
        pass.map(|row| row.value.as_str()),
        Some("2 cycles per pass"),
        "{rows:#?}"
    );
}
