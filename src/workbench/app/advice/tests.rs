use super::super::golden::opened;
use super::super::{Event, update};
use super::*;
use crate::scene::{Size, Target};
use engine::sim::Removed;

const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

#[test]
fn changes_run_only_while_the_view_is_shown_and_end_with_a_gain() {
    let mut session = opened("v1;kernel=transpose-tiled");
    assert!(session.num_findings() >= Some(3), "{:?}", session.advice());
    assert!(session.advice_runs().is_empty() && session.jobs().is_empty());
    assert_eq!(session.ui.view, View::Sm, "the view never opens by itself");
    update(&mut session, Event::View(View::Findings));
    assert!(session.jobs().len() <= AT_ONCE && !session.jobs().is_empty());
    update(&mut session, Event::Choose(Choice::HoldAdvice(true)));
    assert!(!session.work(10_000) && session.jobs().iter().all(|job| !job.goes_on));
    update(&mut session, Event::Choose(Choice::HoldAdvice(false)));
    while session.work(10_000) {}
    let runs = session.advice_runs();
    assert!(
        !runs.is_empty() && runs.iter().all(|run| !run.is_open()),
        "{runs:?}"
    );
    assert!(session.jobs().is_empty() && session.advice_controls().is_empty());
    let scene = session.shown().picture(View::Findings, SIZE).unwrap();
    assert!(scene.headline.contains("times faster"), "{}", scene.headline);
    // What gains nothing is not among the numbered findings, but listed as tried.
    let tried: Vec<bool> = scene.table.rows.iter().map(|row| row[0] == "tried").collect();
    assert!(
        !tried[0] && tried.contains(&true) && tried.is_sorted(),
        "{tried:?}"
    );
    let shown = tried.iter().filter(|tried| !**tried).count();
    assert_eq!(session.num_findings(), Some(shown));
    assert!(
        scene.table.rows[0][8].ends_with("times faster."),
        "{:?}",
        scene.table.rows[0]
    );
    update(&mut session, Event::View(View::Sm));
    assert!(session.jobs().is_empty());
}

#[test]
fn the_next_change_runs_when_a_worker_is_lost() {
    let mut session = opened("v1;kernel=transpose-tiled");
    update(&mut session, Event::View(View::Findings));
    let numbers = |session: &Session| -> Vec<u64> { session.jobs().iter().map(|job| job.number).collect() };
    let first = numbers(&session);
    assert_eq!(first.len(), AT_ONCE);
    assert!(
        session
            .advice_runs()
            .iter()
            .any(|run| run.state == ChangeState::Waits)
    );
    session.lost(first[0], "The browser is out of memory");
    let next = numbers(&session);
    assert_eq!(next.len(), AT_ONCE, "{next:?} after {first:?}");
    assert!(!next.contains(&first[0]) && next.contains(&first[1]));
}

#[test]
fn a_change_opens_as_a_second_side_and_undo_closes_it() {
    let mut session = opened("v1;kernel=transpose-tiled;view=findings");
    update(&mut session, Event::Select(Target::ApplyChange(0)));
    assert_eq!((session.num_sides(), session.ui.view), (2, View::Compare));
    let changed = session.sides[1].setup.source.clone().unwrap();
    assert!(changed.contains("tile[TILE][TILE + 1]"), "{changed}");
    assert_eq!(session.sides[0].setup.source, None);
    while session.work(10_000) {}
    assert!(session.sides[1].last_cycle() * 2 < session.sides[0].last_cycle());
    update(&mut session, Event::Undo);
    assert_eq!((session.num_sides(), session.ui.view), (1, View::Findings));
}

#[test]
fn a_hypothetical_machine_is_in_the_link_and_says_so() {
    let mut session = opened("v1;kernel=strided-copy;view=findings");
    let idx = session
        .advice_runs()
        .iter()
        .position(|run| run.change.is_hypothetical)
        .unwrap();
    update(&mut session, Event::Select(Target::ApplyChange(idx as u8)));
    let link = crate::share::encode(&session.link());
    assert!(link.contains(";2.without=coalescing"), "{link}");
    let session = opened("v1;kernel=strided-copy;without=coalescing");
    assert!(session.setup().machine.without.lacks(Removed::Coalescing));
    assert!(
        session
            .launch_line()
            .ends_with("hypothetical: without uncoalesced accesses")
    );
    assert!(session.options_text().contains("hypothetical, without"));
    assert!(session.hypothetical_sentence().is_some());
    assert_eq!(opened("v1;kernel=strided-copy").hypothetical_sentence(), None);
}

#[test]
fn a_finding_leads_to_its_view_at_the_worst_request() {
    let mut session = opened("v1;kernel=transpose-tiled;view=findings");
    update(&mut session, Event::SelectBeside(1));
    assert_eq!(session.advice.chosen, Some(0));
    update(&mut session, Event::Select(Target::ShowFinding(0)));
    assert_eq!(session.ui.view, View::Banks);
    let access = session.ui.state.access.unwrap();
    let row = session.derived().trace().unwrap().access(access).unwrap();
    assert_eq!(row.wavefronts, 32);
    assert_eq!(session.cycle(), row.started.0);
}

#[test]
fn stalls_name_the_cause_and_lead_to_it() {
    let mut session = opened("v1;kernel=transpose-tiled;view=stalls");
    let scene = session.shown().picture(View::Stalls, SIZE).unwrap();
    assert_eq!(
        scene.headline,
        "Bank conflicts at line 26: warps stall on shared memory 27 % of the time."
    );
    let cause = session.stall_causes(0)[0].cycles;
    assert_eq!(cause, session.advice().unwrap().findings[0].cycles);
    assert!(session.shown().tooltip(Target::OpenFinding(0)).is_some());
    update(&mut session, Event::Select(Target::OpenFinding(0)));
    assert_eq!(session.ui.view, View::Findings);
    // A part of the run is not explained by findings of the whole run.
    let session = opened("v1;kernel=transpose-tiled;view=stalls;of=now;cycle=900");
    let scene = session.shown().picture(View::Stalls, SIZE).unwrap();
    assert!(scene.headline.starts_with("So far, warps"), "{}", scene.headline);
}

#[test]
fn wide_loads_are_not_advised_to_be_wider() {
    let twin = |kernel: &str| {
        let session = opened(&format!("v1;kernel={kernel};view=stalls"));
        let scene = session.shown().picture(View::Stalls, SIZE).unwrap();
        let rows = scene.table.rows.into_iter();
        rows.filter(|row| row[0] == "LG Throttle")
            .map(|row| row[5].clone())
            .next()
            .unwrap()
    };
    let session = opened("v1;kernel=transpose-tiled;view=stalls");
    let scene = session.shown().picture(View::Stalls, SIZE).unwrap();
    let mio = scene
        .table
        .rows
        .iter()
        .find(|row| row[0] == "MIO Throttle")
        .unwrap();
    assert!(mio[5].starts_with("Remove bank conflicts first"), "{mio:?}");
    assert!(twin("vector-add").contains("wider"));
    let wide = twin("vector-add-float4");
    assert!(
        wide.starts_with("The accesses are 128 bits wide already"),
        "{wide}"
    );
}

#[test]
fn the_end_of_a_run_has_a_verdict() {
    let mut session = opened("v1;kernel=transpose-tiled");
    assert_eq!(session.verdict(), None, "not before the last cycle");
    update(&mut session, Event::SeekEnd);
    let verdict = session.verdict().unwrap();
    assert!(
        verdict.starts_with("The run takes 5,682 cycles. Bank conflicts at line 26"),
        "{verdict}"
    );
}

#[test]
fn every_target_of_the_view_has_a_name() {
    for (link, width) in [
        ("v1;kernel=transpose-tiled;view=findings", 832.0),
        ("v1;kernel=transpose-tiled;view=findings", 390.0),
        ("v1;kernel=ladder-32-warps;arch=gh100;view=findings", 832.0),
    ] {
        let session = opened(link);
        let scene = session
            .shown()
            .picture(View::Findings, Size { width, ..SIZE })
            .unwrap();
        let num = session.num_findings().unwrap();
        assert!(scene.stops().len() >= 3 * num);
        for stop in scene.stops() {
            assert!(
                session.shown().tooltip(stop.target).is_some(),
                "{:?}",
                stop.target
            );
            assert!(stop.bounds[0] >= 0.0 && stop.bounds[2] <= width + 4.0, "{stop:?}");
        }
    }
}

/// The charged cycles of a line in the Source view hold what the findings own of it.
#[test]
fn the_source_view_charges_what_the_findings_own() {
    let session = opened("v1;kernel=transpose-tiled;view=source");
    let scene = session.shown().picture(View::Source, SIZE).unwrap();
    assert_eq!(scene.table.columns[10], "Charged cycles");
    let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
    let lines: Vec<(String, u64)> = scene
        .table
        .rows
        .iter()
        .filter(|row| row[1].is_empty())
        .map(|row| (row[0].clone(), number(&row[10])))
        .collect();
    let advice = session.advice().unwrap();
    assert_eq!(
        lines.iter().map(|(_, cycles)| cycles).sum::<u64>(),
        advice.warp_cycles
    );
    let mut num = 0;
    for (line, charged) in lines {
        let owned: u64 = advice
            .findings
            .iter()
            .flat_map(|finding| &finding.lines)
            .filter(|cost| cost.line.to_string() == line)
            .map(|cost| cost.cycles)
            .sum();
        assert!(owned <= charged, "line {line}: {owned} of {charged}");
        num += u64::from(owned > 0);
    }
    assert!(num > 2, "{num}");
}

#[test]
fn no_change_that_is_slower_is_offered() {
    for link in [
        "v1;kernel=saxpy;view=findings",
        "v1;kernel=stencil-global;view=findings",
        "v1;kernel=transpose-tiled;view=findings",
        "v1;kernel=strided-copy;view=findings",
    ] {
        let mut session = opened(link);
        while session.work(10_000) {}
        let runs = session.advice_runs();
        let before = session.advice().unwrap().cycles;
        assert!(
            runs.iter().any(|run| run
                .result()
                .is_some_and(|done| !crate::advice::is_gain(before, done.cycles))),
            "{link}: {runs:?}"
        );
        let scene = session.shown().picture(View::Findings, SIZE).unwrap();
        for stop in scene.stops() {
            if let Target::ApplyChange(idx) = stop.target {
                let done = runs[usize::from(idx)].result().unwrap();
                assert!(crate::advice::is_gain(before, done.cycles), "{link}: {done:?}");
            }
        }
    }
}
