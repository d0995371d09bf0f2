//! Sentences of the page beside the counters: every number is what its words say.

use super::golden::opened;
use crate::app::Session;
use crate::scene::{CombinationState, Size, thousands};
use crate::share::View;
use engine::ids::Cycle;
use engine::sim::WarpState;
use engine::trace::{Counter, stall_metric};

const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

fn value(counters: &[Counter], name: &str) -> f64 {
    counters
        .iter()
        .find(|counter| counter.name == name)
        .unwrap()
        .value
}

fn headline(session: &Session, view: View) -> String {
    session.shown().picture(view, SIZE).unwrap().headline
}

/// The number before a word.
fn number_before(text: &str, word: &str) -> f64 {
    let (before, _) = text.split_once(word).unwrap();
    before
        .split(' ')
        .next_back()
        .unwrap()
        .replace(',', "")
        .parse()
        .unwrap()
}

#[test]
fn the_timeline_s_headline_has_the_counters_of_its_cycles() {
    for (arch, kernel) in [
        ("tu102", "transpose-tiled"),
        ("gf100", "matmul-tiled"),
        ("gv100", "saxpy"),
    ] {
        for cycle in [20, 300, 900, 99_999] {
            let session = opened(&format!(
                "v1;arch={arch};kernel={kernel};view=timeline;cycle={cycle}"
            ));
            let trace = session.derived().trace().unwrap();
            let end = (session.cycle() + 1).min(trace.num_cycles());
            let start = end.saturating_sub(40);
            let text = headline(&session, View::Timeline);
            let which = if end > 40 { "Last" } else { "First" };
            assert!(
                text.starts_with(&format!("{which} {} cycles: ", end - start)),
                "{text}"
            );
            let counters = trace.counters_between(Cycle(start), Cycle(end));
            if !text.contains("< 1 %") && !text.contains("> 99 %") {
                // A slot that has begun counts as whole.
                let slots = trace.num_schedulers() as u64 * (end - start).div_ceil(trace.issue_interval());
                let slots = slots as f64;
                let used = 100.0 * value(&counters, "smsp__issue_active.sum") / slots;
                let shown = number_before(&text, " % of issue slots");
                assert!((shown - used).abs() <= 0.5, "{arch} {cycle}: {text}, {used}");
            }
            // The state that it names has the most warp cycles of all stalls.
            let of = |state: WarpState| value(&counters, &stall_metric(state));
            let most = WarpState::ALL[3..]
                .iter()
                .map(|state| of(*state))
                .fold(0.0, f64::max);
            if most > 0.0 {
                let named = WarpState::ALL[3..]
                    .iter()
                    .find(|state| text.contains(&format!("; {} takes", state.name())));
                assert!(
                    (of(*named.unwrap()) - most).abs() < 1e-9,
                    "{arch} {cycle}: {text}"
                );
            }
        }
    }
}

#[test]
fn a_share_of_issued_instructions_is_named_as_one() {
    let session = opened("v1;arch=gf100;kernel=transpose-naive;compare=tu102;cycle=700");
    for idx in 0..2 {
        let trace = session.sides[idx].derived.trace().unwrap();
        let cycle = session.cycle_on(idx);
        let share = trace.issues_before(cycle + 1) * 100 / trace.num_issues();
        let wanted = format!(
            "{share} % issued, {} cycles in all",
            thousands(trace.num_cycles())
        );
        assert_eq!(session.side_head(idx).state, wanted);
    }
}

#[test]
fn warps_that_fit_are_not_warps_that_are_resident() {
    for link in [
        "v1;arch=tu102;kernel=vector-add;grid=1;block=64",
        "v1;arch=gv100;kernel=saxpy;grid=2;block=512",
        "v1;arch=gf100;kernel=matmul-tiled",
    ] {
        let session = opened(link);
        let launch = session.setup().launch();
        let (figure, rest) = session.occupancy_text().unwrap();
        let occupancy = session.derived().occupancy().unwrap();
        let fit = occupancy.warps_per_sm();
        assert_eq!(figure, format!("{fit} of {}", occupancy.max_warps_per_sm));
        assert!(rest.starts_with(" warps fit"), "{rest}");
        let blocks: u32 = launch.grid.iter().product();
        let resident = occupancy.warps_per_block * blocks.min(occupancy.blocks_per_sm);
        assert_eq!(
            rest.contains(" in the grid"),
            resident < fit,
            "{link}: {figure}{rest}"
        );
        if resident < fit {
            assert!(rest.contains(&format!("{resident} in the grid")), "{rest}");
        }
    }
}

#[test]
fn no_combination_is_the_best_of_equal_ones() {
    for kernel in ["pressure", "vector-add", "divergence"] {
        let session = opened(&format!("v1;arch=gf100;kernel={kernel};view=carveout;sweep=on"));
        let runs = session.combination_runs();
        let cycles: Vec<u64> = runs
            .iter()
            .filter_map(|run| match &run.state {
                CombinationState::Done(result) if result.finished => Some(result.run.cycles),
                _ => None,
            })
            .collect();
        assert!(cycles.len() > 1, "{kernel}");
        let (least, most) = (cycles.iter().min().unwrap(), cycles.iter().max().unwrap());
        let scene = session.shown().picture(View::Carveout, SIZE).unwrap();
        let cells = scene
            .table
            .rows
            .iter()
            .chain(scene.also.iter().flat_map(|(_, table)| &table.rows));
        let num_best = cells.flatten().filter(|cell| cell.starts_with("best")).count();
        if least == most {
            let wanted = format!(
                "All {} combinations take {} cycles.",
                runs.len(),
                thousands(*least)
            );
            assert_eq!((num_best, scene.headline), (0, wanted), "{kernel}");
        } else {
            let num_least = cycles.iter().filter(|cycles| *cycles == least).count();
            assert_eq!(num_best, num_least, "{kernel}");
            assert!(
                scene.headline.contains(&thousands(*least)),
                "{kernel}: {}",
                scene.headline
            );
        }
    }
}
