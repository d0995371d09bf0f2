//! A session driven like a user drives it, without a browser.

use super::*;
use crate::library;
use engine::arch::ArchId;
use engine::ids::Cycle;

/// A session with a finished run of the default kernel.
fn ready() -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open("v1".to_owned()));
    finish(&mut session);
    session
}

fn finish(session: &mut Session) {
    while session.work(10_000) {}
}

/// Waits for the pause after typing, and simulates.
fn settle(session: &mut Session) {
    update(session, Event::Tick(200.0));
    finish(session);
}

#[test]
fn an_empty_link_opens_the_first_kernel_and_runs_it_to_its_end() {
    let session = ready();
    assert_eq!(session.kernel_name(), library::DEFAULT_ID);
    assert!(
        session.derived().problems.is_empty(),
        "{:?}",
        session.derived().problems
    );
    assert!(session.derived().num_cycles() > 100);
    assert_eq!(session.outcome_sentence(), None);
}

#[test]
fn every_library_kernel_opens_on_every_architecture_or_says_why_not() {
    for kernel in library::kernels() {
        for arch in [ArchId::G80, ArchId::Gf100, ArchId::Gp104, ArchId::Tu102] {
            let mut session = Session::new();
            update(
                &mut session,
                Event::Open(format!("v1;kernel={};arch={}", kernel.id, arch.text())),
            );
            let problems = &session.derived().problems;
            let refused = problems
                .iter()
                .any(|problem| problem.fatal && problem.message.len() > 10);
            assert!(
                session.derived().is_running() || refused,
                "{} on {arch:?}: {problems:?}",
                kernel.id
            );
        }
    }
}

#[test]
fn another_architecture_is_a_new_run_and_a_new_entry_of_the_history() {
    let mut session = ready();
    let before = session.derived().run_number();
    let effects = update(&mut session, Event::Arch(ArchId::Gf100));
    assert_eq!(effects, [Effect::PushLink]);
    finish(&mut session);
    assert!(session.derived().run_number() > before);
    assert_eq!(
        session.derived().trace().map(|trace| trace.arch().id),
        Some(ArchId::Gf100)
    );
}

#[test]
fn undo_restores_the_previous_scenario_and_redo_the_later_one() {
    let mut session = ready();
    update(&mut session, Event::Arch(ArchId::Gf100));
    update(&mut session, Event::Undo);
    assert_eq!(session.setup().arch, ArchId::Tu102);
    update(&mut session, Event::Redo);
    assert_eq!(session.setup().arch, ArchId::Gf100);
}

#[test]
fn source_with_errors_keeps_the_last_run_and_names_the_line() {
    let mut session = ready();
    let run = session.derived().run_number();
    let broken = session
        .side()
        .text
        .replacen("__syncthreads();", "__syncthreads(;", 1);
    let line = broken
        .lines()
        .position(|line| line.contains("(;"))
        .map_or(0, |idx| idx + 1);
    update(&mut session, Event::Edit(broken));
    settle(&mut session);
    assert!(session.is_stale());
    assert_eq!(session.derived().run_number(), run);
    let sentence = session.sentence(None);
    assert!(
        sentence.starts_with(&format!("Line {line} does not compile: ")),
        "{sentence}"
    );
}

#[test]
fn fixed_source_runs() {
    let mut session = ready();
    let good = session.side().text.clone();
    update(&mut session, Event::Edit("nonsense".to_owned()));
    settle(&mut session);
    assert!(session.is_stale());
    update(&mut session, Event::Edit(good));
    settle(&mut session);
    assert!(!session.is_stale());
    assert_eq!(
        session.setup().source,
        None,
        "the library's text is not kept as the user's own"
    );
}

#[test]
fn a_seek_changes_only_the_cycle() {
    let mut session = ready();
    let run = session.derived().run_number();
    update(&mut session, Event::Step(5));
    update(&mut session, Event::Step(-2));
    finish(&mut session);
    assert_eq!((session.cycle(), session.derived().run_number()), (3, run));
}

#[test]
fn steps_stop_at_both_ends() {
    let mut session = ready();
    update(&mut session, Event::Step(-1));
    assert_eq!(session.cycle(), 0);
    update(&mut session, Event::SeekEnd);
    update(&mut session, Event::Step(1));
    assert_eq!(session.cycle(), session.last_cycle());
}

#[test]
fn next_issue_goes_to_a_cycle_with_an_issue() {
    let mut session = ready();
    for _ in 0..5 {
        let before = session.cycle();
        update(&mut session, Event::NextIssue);
        let cycle = Cycle(session.cycle());
        assert!(cycle.0 > before);
        let issues = session
            .derived()
            .trace()
            .map(|trace| trace.issues_at(cycle).count());
        assert!(issues > Some(0));
    }
}

#[test]
fn a_rejected_launch_names_the_limit() {
    let mut session = ready();
    update(
        &mut session,
        Event::Launch(LaunchField::Block, "64 × 32".to_owned()),
    );
    let problem = session
        .derived()
        .problems
        .first()
        .map(|problem| problem.message.clone())
        .unwrap_or_default();
    assert!(problem.contains("1024") || problem.contains("1,024"), "{problem}");
    assert!(session.is_stale());
    update(&mut session, Event::Undo);
    assert!(!session.is_stale());
}

#[test]
fn an_invalid_number_stays_in_its_field_with_a_reason() {
    let mut session = ready();
    update(&mut session, Event::Launch(LaunchField::Grid, "two".to_owned()));
    assert_eq!(
        session
            .side()
            .drafts
            .get(&LaunchField::Grid)
            .map(|(text, _)| text.as_str()),
        Some("two")
    );
    assert_eq!(session.setup().grid, None);
}

#[test]
fn a_damaged_link_opens_with_warnings() {
    let mut session = Session::new();
    update(
        &mut session,
        Event::Open("v1;arch=nv1;cycle=many;wings=2".to_owned()),
    );
    finish(&mut session);
    assert!(session.ui.warnings.len() >= 2, "{:?}", session.ui.warnings);
    assert!(session.derived().num_cycles() > 0);
}

#[test]
fn the_link_of_a_session_opens_the_same_session() {
    let mut session = ready();
    update(&mut session, Event::View(View::Banks));
    update(&mut session, Event::Select(Target::Warp { slot: 3 }));
    update(&mut session, Event::Seek(77));
    let mut other = Session::new();
    update(&mut other, Event::Open(crate::share::encode(&session.link())));
    finish(&mut other);
    assert_eq!(other.link(), session.link());
    let size = crate::scene::Size {
        width: 832.0,
        height: 600.0,
    };
    assert_eq!(
        other.shown().picture(other.ui.view, size),
        session.shown().picture(session.ui.view, size)
    );
}

#[test]
fn padding_the_tile_removes_the_conflict() {
    let mut session = ready();
    update(&mut session, Event::View(View::Banks));
    update(&mut session, Event::SeekEnd);
    let before = session
        .shown()
        .picture(
            session.ui.view,
            crate::scene::Size {
                width: 832.0,
                height: 600.0,
            },
        )
        .map(|scene| scene.headline);
    update(&mut session, Event::Select(Target::Padding(1)));
    finish(&mut session);
    assert!(
        session.side().text.contains("[TILE + 1]"),
        "{}",
        session.side().text
    );
    update(&mut session, Event::SeekEnd);
    let after = session
        .shown()
        .picture(
            session.ui.view,
            crate::scene::Size {
                width: 832.0,
                height: 600.0,
            },
        )
        .map(|scene| scene.headline);
    assert_ne!(before, after);
}

#[test]
fn an_idle_session_needs_no_ticks() {
    let mut session = ready();
    assert!(!session.needs_ticks());
    update(&mut session, Event::PlayPause);
    assert!(session.needs_ticks());
    update(&mut session, Event::PlayPause);
    assert!(!session.needs_ticks());
}

#[test]
fn the_table_is_exported_as_comma_separated_values() {
    let session = ready();
    let csv = session.csv();
    let columns = csv.lines().next().map_or(0, |line| line.split(',').count());
    assert!(columns > 1 && csv.lines().count() > 8, "{csv}");
}

#[test]
fn changed_parameters_get_generated_arguments_and_a_message() {
    let mut session = ready();
    let transpose = session.setup().source().to_owned();
    let text = transpose.replacen("transpose_tiled(", "transpose_tiled(int more, ", 1);
    assert_ne!(text, transpose);
    update(&mut session, Event::Edit(text));
    settle(&mut session);
    assert!(!session.is_stale(), "{:?}", session.derived().problems);
    let reports_argument = session
        .derived()
        .problems
        .iter()
        .any(|problem| problem.message.contains("more is 64"));
    assert!(reports_argument, "{:?}", session.derived().problems);
    assert_eq!(session.outcome_sentence(), None);
}

#[test]
fn a_click_does_not_scroll_the_timeline() {
    let mut session = ready();
    update(&mut session, Event::View(View::Timeline));
    update(&mut session, Event::Seek(400));
    let start = |session: &Session| {
        session
            .derived()
            .timeline_scale(session)
            .map(|(scale, _)| scale.start)
    };
    let before = start(&session);
    update(
        &mut session,
        Event::Select(Target::WarpAt { slot: 2, cycle: 405 }),
    );
    assert_eq!((session.cycle(), session.slot()), (405, 2));
    assert_eq!(start(&session), before);
}

#[test]
fn a_click_or_an_arrow_selects_a_line_of_the_source() {
    let mut session = ready();
    update(&mut session, Event::View(View::Source));
    update(&mut session, Event::Select(Target::CodeLine(13)));
    assert_eq!(session.view_state().line, Some(13));
    update(&mut session, Event::SelectBeside(1));
    let next = session.view_state().line;
    assert!(next > Some(13), "{next:?}");
    update(&mut session, Event::Select(Target::CodePc(3)));
    assert_eq!(
        (session.view_state().line, session.view_state().pc),
        (None, Some(3))
    );
}

#[test]
fn the_note_of_a_kernel_shows_the_request_that_it_speaks_of() {
    let mut session = ready();
    update(&mut session, Event::FollowNote);
    assert_eq!(session.ui.view, View::Banks);
    let access = session.view_state().access.unwrap();
    let row = session.derived().trace().unwrap().access(access).unwrap();
    assert_eq!((row.wavefronts, row.ideal_wavefronts), (32, 1));
    assert_eq!((session.cycle(), session.slot()), (row.started.0, row.slot.0));
    for kernel in library::kernels() {
        update(&mut session, Event::Kernel(kernel.id.to_owned()));
        assert!(session.note_view().is_some(), "{}", kernel.look_at);
    }
}

#[test]
fn a_link_holds_what_was_typed_right_before() {
    let mut session = ready();
    let own = "__global__ void mine(float *out) { out[threadIdx.x] = 1.0f; }";
    update(&mut session, Event::Seek(40));
    update(&mut session, Event::Edit(own.to_owned()));
    assert_eq!(session.link().source, None, "typing goes on");
    assert!(session.finish_edits().contains(&Effect::ReplaceLink));
    assert_eq!(session.link().source.as_deref(), Some(own));
    assert_eq!(session.link().cycle, 40);
    assert!(session.finish_edits().is_empty());
}

#[test]
fn own_code_is_one_undo_away_after_a_kernel_of_the_library_is_opened() {
    let mut session = ready();
    let own = "__global__ void mine(float *out) { out[threadIdx.x] = 1.0f; }";
    update(&mut session, Event::Edit(own.to_owned()));
    settle(&mut session);
    update(&mut session, Event::Kernel("saxpy".to_owned()));
    assert_eq!(
        session.ui.toast.as_deref(),
        Some("Your code was replaced. Undo restores it.")
    );
    update(&mut session, Event::Undo);
    assert_eq!(session.side().text, own);
}

#[test]
fn dragging_the_timeline_moves_it_by_whole_cycles() {
    let mut session = ready();
    update(&mut session, Event::View(View::Timeline));
    update(&mut session, Event::Seek(400));
    let scale = |session: &Session| {
        session
            .derived()
            .timeline_scale(session)
            .map(|(scale, _)| (scale.start, scale.px))
    };
    let Some((start, px)) = scale(&session) else {
        panic!("there is a run")
    };
    update(&mut session, Event::Drag(f64::from(px) * 10.0));
    assert_eq!(scale(&session).map(|(start, _)| start), Some(start - 10));
    assert_eq!(session.cycle(), 400, "the present cycle stays");
}

#[test]
fn a_split_stage_shows_two_views_and_choosing_the_other_s_view_swaps_them() {
    let mut session = ready();
    update(&mut session, Event::SplitOrWhole);
    assert_eq!(session.view_in(Pane::Second), Some(View::Timeline));
    assert_eq!(session.active(), Pane::Second, "the new half has the keyboard");
    update(&mut session, Event::View(View::Sm));
    assert_eq!(
        Pane::ALL.map(|pane| session.view_in(pane)),
        [Some(View::Timeline), Some(View::Sm), None, None]
    );
    update(
        &mut session,
        Event::In(Pane::First, Box::new(Event::View(View::Banks))),
    );
    assert_eq!(session.active_view(), View::Banks);
    // The active pane stays.
    update(&mut session, Event::SplitOrWhole);
    assert_eq!((session.ui.view, session.ui.split), (View::Banks, None));
}

#[test]
fn the_layout_is_in_the_link() {
    let mut session = ready();
    for event in [
        Event::Split(Some(View::Banks)),
        Event::Table,
        Event::Share(35),
        Event::LeftSide(Side::Wide(400)),
        Event::Right,
        Event::Density,
        Event::Speed(Speed::Thousand),
        Event::Panel(Panel::Sources),
        Event::Rename("My tile".to_owned()),
    ] {
        let effects = update(&mut session, event.clone());
        let follows = effects
            .iter()
            .any(|effect| matches!(effect, Effect::ReplaceLink | Effect::PushLink));
        assert!(follows, "{event:?} leaves the address as it was");
    }
    let link = crate::share::encode(&session.link());
    let mut other = Session::new();
    update(&mut other, Event::Open(link));
    assert_eq!(other.link(), session.link());
    assert_eq!(
        (
            other.ui.panel,
            other.name().as_str(),
            other.has_table(Pane::Second)
        ),
        (Some(Panel::Sources), "My tile", true)
    );
}

#[test]
fn back_and_forward_of_the_browser_are_undo_and_redo() {
    let mut session = ready();
    let before = crate::share::encode(&session.link());
    update(&mut session, Event::Arch(ArchId::Gf100));
    let after = crate::share::encode(&session.link());
    update(&mut session, Event::Open(before));
    assert!(!session.history.can_undo() && session.history.can_redo());
    update(&mut session, Event::Open(after));
    assert!(session.history.can_undo() && !session.history.can_redo());
    assert_eq!(session.setup().arch, ArchId::Gf100);
}

#[test]
fn undo_does_not_change_the_views_and_the_layout() {
    let mut session = ready();
    update(&mut session, Event::Arch(ArchId::Gf100));
    update(&mut session, Event::View(View::Banks));
    update(&mut session, Event::Density);
    update(&mut session, Event::Undo);
    assert_eq!(
        (session.setup().arch, session.ui.view),
        (ArchId::Tu102, View::Banks)
    );
    assert_eq!(session.ui.density, Density::Projector);
}

#[test]
fn back_returns_to_the_last_seen_cycle() {
    let mut session = ready();
    update(&mut session, Event::Seek(40));
    let effects = update(&mut session, Event::View(View::Banks));
    let [Effect::LeaveLink(left), Effect::PushLink] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!((left.cycle, left.view), (40, View::Sm));
}
