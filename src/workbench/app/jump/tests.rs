use super::super::golden::opened;
use super::super::{Event, update};
use super::*;
use crate::share;

fn session() -> Session {
    opened("v1;kernel=transpose-tiled;view=timeline;cycle=100;warp=3")
}

fn apply(session: &mut Session, jump: Jump) -> u64 {
    update(session, Event::Jump(jump));
    while session.look_on().0 {}
    session.cycle()
}

fn look_for(session: &mut Session, text: &str) {
    let query = Query::parse(text).unwrap();
    apply(session, Jump::Choose(query));
}

#[test]
fn next_and_previous_are_inverse() {
    let mut session = session();
    for text in ["issue", "W03", "stall", "bank conflict", "BAR"] {
        look_for(&mut session, text);
        let start = apply(&mut session, Jump::Go(Direction::Forward));
        let next = apply(&mut session, Jump::Go(Direction::Forward));
        assert!(next > start, "{text}");
        assert_eq!(
            apply(&mut session, Jump::Go(Direction::Backward)),
            start,
            "{text}"
        );
    }
}

#[test]
fn a_jump_selects_the_warp_and_the_access() {
    let mut session = session();
    look_for(&mut session, "bank conflict");
    let cycle = apply(&mut session, Jump::Go(Direction::Forward));
    let trace = session.derived().trace().unwrap().clone();
    let row = trace.access(session.ui.state.access.unwrap()).unwrap();
    assert_eq!((row.started.0, Some(row.slot)), (cycle, session.ui.state.slot));
    assert!(row.wavefronts > row.ideal_wavefronts);
}

#[test]
fn a_search_without_a_match_names_query_and_cycle_and_does_not_wrap() {
    let mut session = session();
    look_for(&mut session, "bank conflict >40");
    assert_eq!(apply(&mut session, Jump::Go(Direction::Forward)), 100);
    assert_eq!(
        session.ui.toast.as_deref(),
        Some("No bank conflict >40 after cycle 100.")
    );
    assert_eq!(apply(&mut session, Jump::Go(Direction::Backward)), 100);
    assert_eq!(
        session.ui.toast.as_deref(),
        Some("No bank conflict >40 before cycle 100.")
    );
    // A forward search does not wrap around to earlier matches.
    look_for(&mut session, "issue");
    update(&mut session, Event::SeekEnd);
    let end = session.cycle();
    assert_eq!(apply(&mut session, Jump::Go(Direction::Forward)), end);
}

#[test]
fn the_query_is_in_the_link() {
    let mut session = session();
    assert!(!share::encode(&session.link()).contains("jump="));
    look_for(&mut session, "W03 long scoreboard");
    let link = share::encode(&session.link());
    let again = opened(&link);
    assert_eq!(again.ui.jump.query, session.ui.jump.query, "{link}");
    let kinds = again.jump_kinds();
    assert!(kinds.iter().any(|(query, _)| *query == again.ui.jump.query));
}

#[test]
fn typing_lists_all_hits_and_enter_shows_one() {
    let mut session = session();
    update(&mut session, Event::Panel(Panel::Find));
    apply(&mut session, Jump::Text("bank conflict >4".to_owned()));
    let hits = session.hits();
    assert!(!hits.is_empty());
    assert!(
        session.list_sentence().ends_with("found"),
        "{}",
        session.list_sentence()
    );
    assert!(hits[0].what.contains("wavefronts"), "{:?}", hits[0]);
    apply(&mut session, Jump::Beside(1));
    let cycle = apply(&mut session, Jump::Take(None));
    assert_eq!(crate::scene::thousands(cycle), hits[1 % hits.len()].cycle);
    assert_eq!(session.ui.panel, None);
    // N continues from this match.
    assert_eq!(session.ui.jump.query.to_string(), "bank conflict >4");
}

#[test]
fn an_invalid_query_stays_in_the_field_with_a_reason() {
    let mut session = session();
    apply(&mut session, Jump::Text("line x".to_owned()));
    assert_eq!(session.ui.panel, Some(Panel::Find));
    assert_eq!(session.ui.jump.text(), "line x");
    assert!(session.list_sentence().contains("Try: line 12"));
    apply(&mut session, Jump::Text("w3 ffma".to_owned()));
    assert_eq!(session.ui.jump.text(), "w3 ffma");
    assert!(
        session.list_sentence().starts_with("No match in the "),
        "{}",
        session.list_sentence()
    );
}

#[test]
fn the_command_palette_offers_to_find_a_query() {
    let mut session = session();
    let first = |session: &mut Session, text: &str| {
        update(session, Event::PaletteText(text.to_owned()));
        session
            .found()
            .into_iter()
            .find(|found| found.text.starts_with("Find in the run: "))
    };
    assert!(first(&mut session, "w03 long scoreboard").is_some());
    assert!(first(&mut session, "timeline").is_none());
    assert!(first(&mut session, "bar").is_some());
}

#[test]
fn a_jump_reaches_and_names_a_fault() {
    let text = "__global__ void k(int* a) { if (threadIdx.x == 7) a[1 << 28] = 1; a[threadIdx.x] = 2; }\n";
    let mut session = Session::new();
    update(&mut session, Event::Edit(text.to_owned()));
    update(&mut session, Event::Tick(1_000.0));
    while session.work(10_000) {}
    let trace = session.derived().trace().unwrap().clone();
    let Some(Outcome::Fault(fault)) = trace.outcome() else {
        panic!("{:?}", trace.outcome());
    };
    assert!(session.jump_kinds().iter().any(|(_, name)| name == "Fault"));
    update(&mut session, Event::Seek(0));
    look_for(&mut session, "fault");
    assert_eq!(apply(&mut session, Jump::Go(Direction::Forward)), fault.cycle.0);
    assert_eq!(
        trace.slot_of(fault.warp).map(|(slot, _)| slot),
        session.ui.state.slot
    );
    apply(&mut session, Jump::Text("W00 fault".to_owned()));
    assert_eq!(session.hits().len(), usize::from(fault.warp.0 == 0));
}

#[test]
fn the_selected_register_and_lane_are_jump_targets() {
    let mut session = session();
    session.ui.state.register = Some(3);
    session.ui.state.lane = Some(5);
    let kinds = session.jump_kinds();
    let kind = kinds.iter().find(|(_, name)| name == "Write to R3 of lane 5");
    assert_eq!(kind.unwrap().0.to_string(), "write R3 lane 5");
}

#[test]
fn a_text_without_matches_in_the_run_finds_commands_in_the_same_field() {
    let mut session = session();
    update(&mut session, Event::Panel(Panel::Find));
    apply(&mut session, Jump::Text("glossary".to_owned()));
    assert!(session.hits().is_empty());
    let found = session.found();
    assert_eq!(found[0].event, Event::Panel(Panel::Glossary), "{found:?}");
}
