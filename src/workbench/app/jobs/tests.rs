//! Runs as workers simulate them, without workers: requests, cancellation, playback.

use std::cell::Cell;

use super::*;
use crate::app::{Direction, Event, RunState, Session, Speed, compiler, update};
use crate::scene::Size;
use crate::share::View;
use engine::arch::ArchId;
use engine::ids::Cycle;

/// Takes about 30,000 cycles.
const LONG: &str =
    "v1;kernel=matmul-tiled;grid=8x8;args=out:f32*16384:zero,in:f32*16384:lcg3,in:f32*16384:lcg4,i32:128";

fn open(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    session
}

fn job(session: &Session) -> Job {
    let jobs = session.jobs();
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    jobs[0].clone()
}

/// Simulates like a worker: advances the run by some cycles and sends a segment.
fn send(session: &mut Session, engine: &mut Engine, number: u64, cycles: u64) -> Report {
    let report = engine.advance(cycles);
    let segment = engine.segment();
    session.receive(number, report, Some(segment));
    report
}

/// The session's state at a cycle, with its sentence.
fn shown(session: &mut Session, cycle: u64) -> (String, Vec<Vec<String>>) {
    update(session, Event::Seek(cycle));
    let size = Size {
        width: 832.0,
        height: 600.0,
    };
    let scene = session.shown().picture(View::Sm, size);
    let rows = scene.as_ref().map(|scene| scene.table.rows.clone());
    (session.sentence(scene.as_ref()), rows.unwrap_or_default())
}

#[test]
fn a_run_from_its_link_equals_the_local_run() {
    let mut there = open("v1;arch=gp104;kernel=matmul-tiled;carveout=64;view=banks;cycle=7");
    let mut here = open("v1;arch=gp104;kernel=matmul-tiled;carveout=64;view=banks;cycle=7");
    while here.work(1_000) {}
    let job = job(&there);
    let mut engine = Engine::start(&job.link, None).unwrap();
    while !send(&mut there, &mut engine, job.number, 777).finished {}
    assert_eq!(there.jobs(), []);
    assert_eq!(there.derived().num_cycles(), here.derived().num_cycles());
    for cycle in [0, 100, 512, 900] {
        assert_eq!(shown(&mut there, cycle), shown(&mut here, cycle), "cycle {cycle}");
    }
    let exported = |session: &Session| session.derived().trace().map(|trace| trace.run_json());
    assert_eq!(exported(&there), exported(&here));
}

#[test]
fn navigation_changes_no_job() {
    let mut session = open(LONG);
    let before = job(&session);
    for event in [
        Event::View(View::Timeline),
        Event::Seek(12),
        Event::Play(Direction::Forward),
        Event::Tick(500.0),
        Event::Speed(Speed::Max),
        Event::Rename("mine".to_owned()),
        Event::Zoom {
            factor: 2.0,
            around: None,
        },
    ] {
        update(&mut session, event.clone());
        assert_eq!(job(&session), before, "{event:?}");
    }
}

fn option(key: &'static str, value: &'static str) -> Event {
    Event::Option(crate::run_option::ButtonId { key, value })
}

#[test]
fn every_input_changes_the_job_and_only_compiler_inputs_compile() {
    let mut session = open(LONG);
    let mut last = job(&session).number;
    for (event, compiles) in [
        (Event::Carveout(Some(32)), false),
        (option("policy", "lrr"), false),
        (option("dlcm", "cg"), false),
        (
            Event::Launch(crate::app::LaunchField::Grid, "4 × 4".to_owned()),
            false,
        ),
        (option("fastmath", "on"), true),
        (Event::Arch(ArchId::Gp104), true),
        (Event::Undo, true),
        (Event::Kernel("saxpy".to_owned()), true),
    ] {
        let program = session.derived().program().cloned();
        update(&mut session, event.clone());
        let now = job(&session);
        assert!(now.number > last, "{event:?}");
        last = now.number;
        let same = match (&program, session.derived().program()) {
            (Some(before), Some(after)) => Arc::ptr_eq(before, after),
            _ => false,
        };
        assert_eq!(!same, compiles, "{event:?}");
    }
}

#[test]
fn source_with_errors_does_not_stop_the_run() {
    let mut session = open(LONG);
    let before = job(&session);
    update(&mut session, Event::Edit("nonsense".to_owned()));
    update(&mut session, Event::Tick(200.0));
    assert!(session.is_stale());
    assert_eq!(job(&session), before);
}

#[test]
fn late_segments_of_a_cancelled_run_are_ignored() {
    let mut session = open(LONG);
    let old = job(&session);
    let mut engine = Engine::start(&old.link, None).unwrap();
    send(&mut session, &mut engine, old.number, 1_000);
    update(&mut session, Event::Carveout(Some(32)));
    let key = session.derived().run_key();
    send(&mut session, &mut engine, old.number, 1_000);
    assert_eq!(session.derived().run_key(), key);
    session.lost(old.number, "gone");
    assert_eq!(session.derived().loss(), None);
}

#[test]
fn the_previous_run_is_shown_until_the_next_one_starts() {
    let mut session = open("v1");
    while session.work(10_000) {}
    let (former, cycles) = (session.derived().run_number(), session.derived().num_cycles());
    update(&mut session, Event::Arch(ArchId::Gf100));
    assert_eq!(
        (session.derived().run_number(), session.derived().num_cycles()),
        (former, cycles)
    );
    assert!(session.shown().shows_former_in(View::Sm));
    session.work(10);
    assert_eq!(session.derived().num_cycles(), 10);
    assert!(session.derived().run_number() > former);
    assert!(!session.shown().shows_former_in(View::Sm));
}

#[test]
fn simulated_cycles_play_and_playback_waits_for_more() {
    let mut session = open(LONG);
    let job = job(&session);
    let mut engine = Engine::start(&job.link, None).unwrap();
    send(&mut session, &mut engine, job.number, 500);
    assert_eq!(session.last_cycle(), 499);
    update(&mut session, Event::Speed(Speed::Max));
    update(&mut session, Event::Play(Direction::Forward));
    for _ in 0..4 {
        update(&mut session, Event::Tick(100.0));
    }
    assert_eq!(session.cycle(), 499, "it waits where the simulation is");
    assert_eq!(session.playback.playing, Some(Direction::Forward));
    send(&mut session, &mut engine, job.number, 700);
    update(&mut session, Event::Tick(100.0));
    assert_eq!(session.cycle(), 1_199, "playback continues by itself");
    update(&mut session, Event::Seek(300));
    let early = shown(&mut session, 300);
    while !send(&mut session, &mut engine, job.number, 10_000).finished {}
    assert_eq!(
        shown(&mut session, 300),
        early,
        "more of a run does not change its past"
    );
}

#[test]
fn a_side_in_progress_does_not_state_its_length() {
    let mut session = open(&format!("{LONG};compare=gf100"));
    let jobs = session.jobs();
    assert_eq!(jobs.len(), 2, "{jobs:?}");
    for (idx, job) in jobs.into_iter().enumerate() {
        let mut engine = Engine::start(&job.link, None).unwrap();
        send(&mut session, &mut engine, job.number, 500);
        assert_eq!(session.side_head(idx).state, "simulating, cycle 500");
        if idx == 1 {
            // The end so far is not the end.
            update(&mut session, Event::Stop);
            assert_eq!(session.side_head(idx).state, "stopped at cycle 499");
            update(&mut session, Event::GoOn);
        }
        while !send(&mut session, &mut engine, job.number, 10_000).finished {}
        let state = session.side_head(idx).state;
        assert!(state.ends_with(" cycles in all"), "{state}");
    }
    update(&mut session, Event::SeekEnd);
    for idx in 0..2 {
        let state = session.side_head(idx).state;
        assert!(state.starts_with("finished at cycle "), "{state}");
    }
}

#[test]
fn the_session_waits_for_the_cycle_of_a_link() {
    let mut session = open(&format!("{LONG};cycle=5000"));
    let job = job(&session);
    let mut engine = Engine::start(&job.link, None).unwrap();
    send(&mut session, &mut engine, job.number, 2_000);
    assert!(session.shown().awaits_cycle());
    assert_eq!(session.link().cycle, 5_000, "the link keeps it");
    let size = Size {
        width: 832.0,
        height: 600.0,
    };
    let scene = session.shown().picture(View::Sm, size);
    assert_eq!(
        session.sentence(scene.as_ref()),
        "Cycle 5,000 is not simulated yet. The picture shows cycle 1,999."
    );
    send(&mut session, &mut engine, job.number, 4_000);
    assert!(!session.shown().awaits_cycle());
    assert_eq!(session.cycle(), 5_000);
}

#[test]
fn a_cycle_after_the_end_becomes_the_last_cycle() {
    let mut session = open("v1;cycle=99999999");
    while session.work(1_000) {}
    assert_eq!(session.cycle(), session.last_cycle());
}

#[test]
fn a_run_stops_and_continues_at_the_same_cycle() {
    let mut session = open(LONG);
    let number = job(&session).number;
    session.work(1_500);
    update(&mut session, Event::Stop);
    assert!(!session.work(1_000), "nothing is simulated while it is held");
    let held = job(&session);
    assert_eq!((held.number, held.goes_on), (number, false));
    let progress = session.run_progress().unwrap();
    assert_eq!(progress.state, RunState::Held);
    assert_eq!(progress.sentence, "The run stopped at cycle 1,499.");
    // The available part plays to its end, and again from the start.
    update(&mut session, Event::SeekEnd);
    update(&mut session, Event::PlayPause);
    assert_eq!(session.cycle(), 0);
    update(&mut session, Event::PlayPause);
    update(&mut session, Event::GoOn);
    while session.work(10_000) {}
    assert_eq!(session.run_progress(), None);
    let mut whole = open(LONG);
    while whole.work(u64::MAX) {}
    assert_eq!(session.derived().num_cycles(), whole.derived().num_cycles());
    assert_eq!(shown(&mut session, 2_222), shown(&mut whole, 2_222));
}

#[test]
fn a_stopped_compilation_makes_no_request_until_the_user_compiles_again() {
    let mut session = Session::remote();
    update(&mut session, Event::Open("v1;kernel=saxpy".to_owned()));
    let numbers =
        |session: &Session| -> Vec<u64> { session.requests().iter().map(|(number, _)| *number).collect() };
    let first = numbers(&session);
    assert_ne!(first, [0u64; 0]);
    assert_eq!(session.run_progress().unwrap().state, RunState::Compiling);
    update(&mut session, Event::Stop);
    assert_eq!(numbers(&session), [0u64; 0]);
    assert_eq!(session.run_progress().unwrap().state, RunState::Uncompiled);
    // Another launch of the same text.
    let grid = Event::Launch(crate::app::LaunchField::Grid, "3".to_owned());
    update(&mut session, grid);
    assert_eq!(numbers(&session), [0u64; 0]);
    assert_eq!(session.jobs(), []);
    update(&mut session, Event::GoOn);
    let (number, response) = {
        let requests = session.requests();
        let (number, request) = requests[0];
        (number, compiler::respond(request))
    };
    assert!(number > first[0]);
    update(&mut session, Event::Responded(number, Box::new(response)));
    assert_eq!(session.run_progress().unwrap().state, RunState::Running);
    assert!(job(&session).link.contains("grid=3"), "{}", job(&session).link);
}

#[test]
fn a_lost_worker_s_segments_stay_and_the_run_restarts() {
    let mut session = open(LONG);
    let first = job(&session);
    let mut engine = Engine::start(&first.link, None).unwrap();
    send(&mut session, &mut engine, first.number, 800);
    session.lost(first.number, "The browser is out of memory");
    assert_eq!(session.jobs(), []);
    let progress = session.run_progress().unwrap();
    assert_eq!(progress.state, RunState::Lost);
    assert_eq!(
        progress.sentence,
        "The browser is out of memory. The run is available up to cycle 799. Use a smaller grid or close other tabs, then try again."
    );
    assert_eq!(session.last_cycle(), 799);
    assert!(!session.derived().is_running());
    update(&mut session, Event::GoOn);
    let again = job(&session);
    assert!(again.number > first.number);
    assert_eq!(again.link, first.link);
    assert_eq!(session.last_cycle(), 799, "it stays until the new one has begun");
    session.work(2_000);
    assert_eq!(session.last_cycle(), 1_999);
}

#[test]
fn progress_counts_blocks_and_grows() {
    let mut session = open(LONG);
    let mut shares = Vec::new();
    while session.work(3_000) {
        let progress = session.run_progress().unwrap();
        assert!(progress.blocks.ends_with(" of 64 blocks"), "{}", progress.blocks);
        shares.push(progress.share.unwrap());
    }
    assert!(shares.len() > 5 && shares.is_sorted(), "{shares:?}");
    assert!(shares[0] < 0.5 && *shares.last().unwrap() > 0.5, "{shares:?}");
}

#[test]
fn segments_are_frequent_at_first_and_then_rarer() {
    // A clock that advances half a millisecond at each read.
    let clock = Cell::new(0.0);
    let now = || {
        clock.set(clock.get() + 0.5);
        clock.get()
    };
    let session = open(LONG);
    let mut engine = Engine::start(&job(&session).link, None).unwrap();
    let mut times = Vec::new();
    loop {
        let (report, segment) = engine.work(5.0, now);
        if segment.is_some() {
            times.push((report.busy_ms, report.issues, report.cycles));
        }
        if report.finished {
            break;
        }
    }
    assert!(times.len() > 2, "{times:?}");
    assert!((20.0..26.0).contains(&times[0].0), "{times:?}");
    // All segments but the last, which arrives at the end; no segment exceeds the page's limit.
    for pair in times[..times.len() - 1].windows(2) {
        let [(before, issues, cycles), (then, more_issues, more_cycles)] = [pair[0], pair[1]];
        let is_large = more_issues - issues >= MAX_ISSUES || more_cycles - cycles >= MAX_CYCLES;
        assert!(
            then >= 1.9 * before || then - before >= 1_000.0 || is_large,
            "{times:?}"
        );
    }
}

#[test]
fn a_segment_that_waits_for_an_export_is_ingested_later() {
    let mut session = open(LONG);
    session.work(100);
    let held = session.derived().trace().cloned();
    session.work(100);
    assert_eq!(session.derived().num_cycles(), 100);
    assert!(session.needs_ticks());
    drop(held);
    update(&mut session, Event::Tick(16.0));
    assert_eq!(session.derived().num_cycles(), 200);
}

#[test]
fn a_job_contains_the_run_without_its_presentation() {
    let session = open("v1;arch=gv100;kernel=saxpy;grid=4;view=banks;cycle=5;warp=3;name=mine;speed=60");
    let decoded = share::decode(&job(&session).link);
    assert!(decoded.warnings.is_empty());
    assert_eq!(
        decoded.scenario,
        Scenario {
            arch: ArchId::Gv100,
            kernel: "saxpy".to_owned(),
            grid: Some([4, 1, 1]),
            ..Scenario::default()
        }
    );
    // Without a pause it begins at the expected cycle.
    let engine = Engine::start(&job(&session).link, None).unwrap();
    assert_eq!(engine.report().cycles, Cycle(0).0);
}
