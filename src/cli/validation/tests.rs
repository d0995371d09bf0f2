//! Tests that the documents match the record and that every large error has an explanation.

use super::bench::{Bench, File, Length, buffer, int};
use super::*;
use engine::isa::ElemType;
use engine::launch::Role;

fn recorded_rows() -> (Vec<Row>, Vec<String>) {
    let published = simulated().unwrap();
    let measured = recorded(&published).unwrap();
    rows(&published, &measured).unwrap()
}

#[test]
fn large_errors_have_explanations_and_every_explanation_is_used() {
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
        "without an explanation in explained.toml:\n{}",
        far.join("\n")
    );
    assert!(idle.is_empty(), "obsolete explanations:\n{}", idle.join("\n"));
}

/// `UPDATE=1` regenerates the documents from the record.
#[test]
fn documents_match_the_record() {
    let (rows, _) = recorded_rows();
    let of_peaks = peaks::peaks().unwrap();
    let rates = peaks::recorded(&of_peaks).unwrap();
    let of_peaks: Vec<_> = of_peaks.into_iter().zip(rates).collect();
    for file in report::files(&rows, &corpus::rows().unwrap(), &of_peaks) {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(&file.path);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &file.text).unwrap();
        }
        let text = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            text == file.text,
            "{} does not match tests/validation/ours.csv: run `warpscope validate --write .`",
            file.path
        );
    }
}

/// The page has a section for each architecture that has values, every number of the document, and no unclosed element.
#[test]
fn the_page_shows_what_is_recorded() {
    let path = std::env::temp_dir().join(format!("warpscope-validation-{}.html", std::process::id()));
    let mut out = Vec::new();
    let args = [
        "warpscope",
        "validate",
        "--recorded",
        "--html",
        path.to_str().unwrap(),
    ];
    crate::run(args.map(std::ffi::OsString::from), &mut out).unwrap();
    assert!(out.is_empty());
    let html = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let (rows, _) = recorded_rows();
    assert_eq!(html, report::page(&rows, &corpus::rows().unwrap()));
    for row in &rows {
        let section = format!("<section id=\"{}\">", row.published.architecture);
        assert!(html.contains(&section), "{section}");
    }
    let num_single = html.matches("<td class=\"words\">").count();
    assert!(num_single > 1000, "{num_single}");
    // The style sheet is the page's own.
    assert!(html.contains("--st-issue:"));
    for element in ["section", "table", "tr", "td", "svg", "ul", "p"] {
        let num_open =
            html.matches(&format!("<{element}>")).count() + html.matches(&format!("<{element} ")).count();
        assert_eq!(
            num_open,
            html.matches(&format!("</{element}>")).count(),
            "{element}"
        );
    }
}

/// A part of the values, the short runs of every microbenchmark; `warpscope validate --check` measures all.
#[test]
fn recorded_values_match_the_simulator() {
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
            "{} {} {}: run `warpscope validate --write .`",
            value.architecture, value.quantity, value.conditions
        );
    }
}

/// Covers each measured point: 1 to 32 warps and 1 to 8 chains.
#[test]
fn throughput_on_gh100_is_within_five_percent_of_an_h200() {
    const QUANTITIES: [&str; 6] = ["ffma", "fadd", "imad", "dfma", "mufu_ex2", "shared"];
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
    assert_eq!(beyond, [""; 0]);
    assert_eq!(within.len(), 5 * 56 + 336);
}

/// The schedulers of GH100 share the load/store units as measured on an H200, with warps of one and of several
/// schedulers.
#[test]
fn schedulers_share_the_load_store_units_as_on_an_h200() {
    const ROUNDS: u32 = 8;
    const MASKS: [u32; 5] = [0x11, 0x33, 0x1f, 0x7f, 0x3ff];
    let measured = include_str!("../../../tests/microbenchmarks/turns.csv");
    let (mut errors, mut errors_of_warps) = (Vec::new(), Vec::new());
    for row in measured.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [ways, ilp, mask, _, _, least, most, each] = fields[..] else {
            panic!("{row}");
        };
        let mask = u32::from_str_radix(mask.trim_start_matches("0x"), 16).unwrap();
        // The other rows repeat this case.
        if !MASKS.contains(&mask) {
            continue;
        }
        let bench = Bench::new(
            File::Turns,
            32 * (32 - mask.leading_zeros()),
            Length::Rounds(ROUNDS),
        )
        .define("WAYS", ways)
        .define("ILP", ilp)
        .arg(buffer(ElemType::I32, 1024, Role::Out))
        .arg(int(mask));
        let [once, twice] = [ROUNDS, 2 * ROUNDS].map(|rounds| bench.times(ArchId::Gh100, rounds).unwrap());
        let end = |times: &[(i64, i64)]| times.iter().map(|(_, end)| *end).max().unwrap();
        let cycles = (end(&twice) - end(&once)) as f64 / f64::from(ROUNDS);
        let number = |text: &str| text.parse::<f64>().unwrap();
        let each: Vec<f64> = each.split(' ').map(number).collect();
        // With five warps and four chains, the duration of a round varies on the chip.
        let most = each.iter().copied().fold(number(most), f64::max);
        let error = (cycles - cycles.clamp(number(least), most)) / most;
        assert!(error.abs() < 0.06, "{row}: {cycles}");
        errors.push(error.abs());
        for ((once, twice), measured) in once.iter().zip(&twice).zip(each) {
            let cycles = (twice.1 - once.1) as f64 / f64::from(ROUNDS);
            errors_of_warps.push((cycles / measured - 1.0).abs());
        }
    }
    assert_eq!(errors.len(), 32 * MASKS.len());
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean(&errors) < 0.01, "mean {}", mean(&errors));
    assert!(
        mean(&errors_of_warps) < 0.03,
        "of each warp, mean {}",
        mean(&errors_of_warps)
    );
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
fn occupancy_of_the_corpus_matches_the_hardware() {
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
fn spearman_is_one_for_equal_and_minus_one_for_reversed_rankings() {
    use engine::sim::WarpState::{Barrier, LongScoreboard, Misc, Wait};
    let stalls = [(Wait, 3.0), (Barrier, 1.0), (LongScoreboard, 2.0), (Misc, 0.0)];
    let reverse = [(Wait, 1.0), (Barrier, 3.0), (LongScoreboard, 2.0), (Misc, 0.0)];
    assert_eq!(corpus::top(&stalls), [Wait, LongScoreboard, Barrier]);
    assert_eq!(corpus::spearman(&stalls, &stalls), Some(1.0));
    assert_eq!(corpus::spearman(&stalls, &reverse), Some(-1.0));
    assert_eq!(corpus::spearman(&stalls[3..], &reverse[3..]), None);
}

/// Every recorded peak rate is near the cited one, or `peaks.csv` has the reason.
#[test]
fn peak_rates_are_near_or_have_a_reason() {
    let cited = peaks::peaks().unwrap();
    let rates = peaks::recorded(&cited).unwrap();
    assert!(cited.len() >= 130, "{}", cited.len());
    for (peak, ours) in cited.iter().zip(rates) {
        assert!(!peak.source.is_empty(), "{peak:?}");
        assert_eq!(peak.is_near(ours), peak.reason.is_empty(), "{peak:?}: {ours}");
    }
    let near = cited.iter().filter(|peak| peak.reason.is_empty()).count();
    assert!(near * 100 >= cited.len() * 80, "{near} of {}", cited.len());
}

/// The peak rates of one SM and of links; `warpscope validate --check` measures those of all SMs, too.
#[test]
fn recorded_peak_rates_match_the_simulator() {
    let cited = peaks::peaks().unwrap();
    let rates = peaks::recorded(&cited).unwrap();
    let is_quick = |peak: &peaks::Peak| !matches!(peak.quantity.as_str(), "L2" | "device memory");
    // Every fourth, with the quantity that few chips have: each quantity and each chip is among them.
    let is_taken = |idx: usize, peak: &peaks::Peak| {
        ::corpus::takes_all_rows() || idx.is_multiple_of(4) || peak.quantity == "tensor TF32"
    };
    let quick = cited
        .iter()
        .zip(rates)
        .filter(|(peak, _)| is_quick(peak))
        .enumerate();
    for (_, (peak, before)) in quick.filter(|(idx, (peak, _))| is_taken(*idx, peak)) {
        let ours = peaks::measure(peak).unwrap();
        assert!(
            (ours - before).abs() <= 0.0051,
            "{peak:?}: {ours}, recorded {before}"
        );
    }
}
