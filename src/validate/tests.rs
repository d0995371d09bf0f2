//! The documents are what the command writes, and no value is far off without a sentence.

use super::*;

fn recorded_rows() -> (Vec<Row>, Vec<String>) {
    let published = simulated().unwrap();
    let measured = recorded(&published).unwrap();
    rows(&published, &measured).unwrap()
}

#[test]
fn what_is_far_off_has_a_sentence_and_no_sentence_is_idle() {
    let (rows, idle) = recorded_rows();
    let far: Vec<String> = (rows.iter())
        .filter(|row| row.is_unexplained())
        .map(|row| {
            let value = &row.published;
            format!("{} {} {}", value.architecture, value.quantity, value.conditions)
        })
        .collect();
    assert!(
        far.is_empty(),
        "without a sentence in explained.toml:\n{}",
        far.join("\n")
    );
    assert!(
        idle.is_empty(),
        "these explain nothing any more:\n{}",
        idle.join("\n")
    );
}

/// `UPDATE=1` writes them anew from what is recorded.
#[test]
fn documents_are_what_the_command_writes() {
    let (rows, _) = recorded_rows();
    for file in report::files(&rows, &corpus::rows().unwrap()) {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&file.path);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &file.text).unwrap();
        }
        let text = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            text == file.text,
            "{} is not of tests/validation/ours.csv: `warpscope validate --write .` writes it anew",
            file.path
        );
    }
}

/// A part of the values, the short runs of every microbenchmark; `warpscope validate --check` measures all.
#[test]
fn values_are_what_the_simulator_measures() {
    const STEP: usize = 23;
    let is_short = |value: &Published| {
        let most = |name: &str, most: u32| value.conditions.number(name).is_none_or(|number| number <= most);
        most("warps", 4)
            && most("size", 16384)
            && !value.quantity.starts_with("bandwidth")
            && !value.quantity.starts_with("throughput")
            && value.conditions.get("level") != Some("dram")
    };
    let mut published = simulated().unwrap();
    published.retain(is_short);
    let published: Vec<Published> = published.into_iter().step_by(STEP).collect();
    assert!(published.len() > 15);
    let measured: Vec<_> = published.iter().map(measure).collect();
    let measured = recorded_in(&record(&published, &measured), &published).unwrap();
    for ((value, now), before) in published
        .iter()
        .zip(&measured)
        .zip(&recorded(&published).unwrap())
    {
        assert_eq!(
            now, before,
            "{} {} {}: `warpscope validate --write .` records it anew",
            value.architecture, value.quantity, value.conditions
        );
    }
}

/// Each point that was measured, 1 to 32 warps and 1 to 8 chains; those that are not are known by name.
#[test]
fn throughput_on_gh100_is_within_five_percent_of_an_h200() {
    const QUANTITIES: [&str; 6] = ["ffma", "fadd", "imad", "dfma", "mufu_ex2", "shared"];
    const MISSED: [&str; 3] = [
        "issue shared ways=1 ilp=4 warps=5",
        "issue shared ways=1 ilp=8 warps=5",
        "issue shared ways=8 ilp=1 warps=5",
    ];
    let (rows, _) = recorded_rows();
    let points = rows.iter().filter(|row| {
        let quantity = row.published.quantity.strip_prefix("issue ");
        row.published.architecture == "gh100" && quantity.is_some_and(|name| QUANTITIES.contains(&name))
    });
    let (within, beyond): (Vec<&Row>, Vec<&Row>) =
        points.partition(|row| row.error.is_some_and(|error| error.abs() <= 0.05));
    let beyond: Vec<String> = beyond
        .iter()
        .map(|row| format!("{} {}", row.published.quantity, row.published.conditions))
        .collect();
    assert_eq!(beyond, MISSED);
    assert_eq!(within.len(), 5 * 56 + 336 - MISSED.len());
}

#[test]
fn published_values_are_positive_and_have_sources() {
    for value in published().unwrap() {
        assert!(value.value > 0.0, "{value:?}");
        assert!(!value.source.is_empty() && !value.unit.is_empty(), "{value:?}");
        assert_eq!(value.is_compared, value.note.is_empty(), "{value:?}");
    }
}

#[test]
fn occupancy_of_the_corpus_is_the_hardwares() {
    let rows = corpus::rows().unwrap();
    let run: Vec<_> = rows.iter().filter(|row| row.ours.is_ok()).collect();
    assert!(run.len() > 100, "{} cases run", run.len());
    for row in run {
        assert!(
            row.has_same_limits(),
            "{}: occupancy {:?}, limits {:?}",
            row.case,
            row.occupancy,
            row.limits
        );
    }
}

#[test]
fn a_ranking_is_like_itself_and_unlike_its_reverse() {
    use crate::sim::WarpState::{Barrier, LongScoreboard, Misc, Wait};
    let stalls = [(Wait, 3.0), (Barrier, 1.0), (LongScoreboard, 2.0), (Misc, 0.0)];
    let reverse = [(Wait, 1.0), (Barrier, 3.0), (LongScoreboard, 2.0), (Misc, 0.0)];
    assert_eq!(corpus::top(&stalls), [Wait, LongScoreboard, Barrier]);
    assert_eq!(corpus::spearman(&stalls, &stalls), Some(1.0));
    assert_eq!(corpus::spearman(&stalls, &reverse), Some(-1.0));
    assert_eq!(corpus::spearman(&stalls[3..], &reverse[3..]), None);
}
