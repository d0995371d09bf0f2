//! Tests of the Checks view.

use super::super::golden::opened;
use super::super::{Event, update};
use super::*;
use crate::share::{decode, encode};

fn rows(session: &Session) -> Vec<CheckRow> {
    match session.checks(0) {
        ChecksShown::Done { groups, .. } => groups.into_iter().flat_map(|group| group.rows).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn findings_appear_when_the_run_ends() {
    let session = opened("v1;kernel=barrier-some;view=checks");
    let rows = rows(&session);
    assert_eq!(rows.len(), 1);
    assert!(rows[0].message.starts_with("Barrier error detected."), "{rows:?}");
    assert_eq!(rows[0].sites[0].excerpt.line, 12);
    assert_eq!(
        session.checks_sentence(0).split(" found in").next(),
        Some("1 error")
    );
}

#[test]
fn a_correct_kernel_reports_how_much_was_checked() {
    let session = opened("v1;kernel=vector-add;view=checks");
    assert!(rows(&session).is_empty());
    let sentence = session.checks_sentence(0);
    assert!(sentence.starts_with("No errors found in "), "{sentence}");
    assert!(sentence.ends_with(" accesses."), "{sentence}");
}

#[test]
fn the_selected_finding_is_in_the_link_with_its_cycle() {
    let mut session = opened("v1;arch=tu102;kernel=warp-sum;view=checks");
    let rows = rows(&session);
    let site = rows[3].sites[1].clone();
    update(&mut session, Event::Check(CheckChoice::Show(site.id)));
    assert_eq!(format!("cycle {}", thousands(session.cycle())), site.cycle);
    let link = encode(&session.link());
    assert!(link.contains(";finding="), "{link}");
    let again = opened(link.trim_start_matches('#'));
    assert_eq!(again.checks.chosen, Some(site.id));
    assert_eq!(again.cycle(), session.cycle());
    assert_eq!(again.slot(), session.slot());
    assert_eq!(decode(&link).warnings, []);
}

#[test]
fn checks_beside_an_sm_of_the_device_are_those_of_one_sm_alone() {
    let mut session = opened("v1;arch=tu102;kernel=warp-sum;sm=1;view=checks");
    let sentence = session.checks_sentence(0);
    assert!(
        sentence.starts_with("The whole launch, on one SM alone: "),
        "{sentence}"
    );
    let site = rows(&session)[3].sites[1].clone();
    update(&mut session, Event::Check(CheckChoice::Show(site.id)));
    while session.work(100_000) {}
    assert_eq!(session.setup().machine.sm, None);
    let toast = session.ui.toast.as_deref();
    assert_eq!(
        toast,
        Some("The other views show one SM that runs all blocks alone.")
    );
    assert_eq!(format!("cycle {}", thousands(session.cycle())), site.cycle);
    assert_eq!(session.checks.chosen, Some(site.id));
    assert!(!session.checks_sentence(0).contains("alone"));
    update(&mut session, Event::View(View::Sm));
    assert!(!session.sentence_of_picture().starts_with("SM 1"));
    update(&mut session, Event::Undo);
    assert_eq!(session.setup().machine.sm, Some(1));
}

#[test]
fn other_views_request_no_checks() {
    let mut session = opened("v1;kernel=barrier-some;view=checks");
    update(&mut session, Event::View(View::Sm));
    assert!(session.checks.runs.jobs().next().is_none());
    assert_eq!(session.link().look.finding, None);
}

#[test]
fn stopped_checks_can_be_repeated() {
    let mut session = Session::new();
    update(
        &mut session,
        Event::Open("v1;kernel=barrier-some;view=checks".to_owned()),
    );
    assert_eq!(session.checks(0), ChecksShown::Runs);
    update(&mut session, Event::Check(CheckChoice::Stop));
    assert_eq!(session.checks(0), ChecksShown::Ended);
    assert!(session.checks.runs.jobs().next().is_none());
    update(&mut session, Event::Check(CheckChoice::Again));
    while session.work(100_000) {}
    assert_eq!(rows(&session).len(), 1);
}
