use super::*;
use crate::app::{Choice, Event, update};
use crate::scene::{Period, Setting, Shape, Size};
use crate::share::{Scenario, Side, Sync, View, decode, encode};
use engine::arch::{ArchId, architecture};
use engine::ids::Cycle;

fn opened(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    run(&mut session);
    session
}

fn run(session: &mut Session) {
    while session.work(10_000) {}
}

fn edit(session: &mut Session, edit: CompareEdit) {
    update(session, Event::Compare(edit));
    run(session);
}

const FOUR: &str = "v1;arch=gf100;kernel=transpose-naive;compare=gp104,gv100,tu102";

fn cycles(session: &Session) -> Vec<u64> {
    (0..session.num_sides())
        .map(|idx| session.cycle_at(idx, session.clock()))
        .collect()
}

fn lasts(session: &Session) -> Vec<u64> {
    session
        .derived_all()
        .map(|derived| derived.num_cycles() - 1)
        .collect()
}

#[test]
fn each_side_has_the_trace_of_a_single_session() {
    let session = opened(&format!("{FOUR};3.carveout=32;4.dlcm=cg"));
    for (idx, alone) in [
        "v1;arch=gf100;kernel=transpose-naive",
        "v1;arch=gp104;kernel=transpose-naive",
        "v1;arch=gv100;kernel=transpose-naive;carveout=32",
        "v1;arch=tu102;kernel=transpose-naive;dlcm=cg",
    ]
    .into_iter()
    .enumerate()
    {
        let alone = opened(alone);
        let (own, other) = (session.sides[idx].derived.trace(), alone.derived().trace());
        assert_eq!(own.unwrap().run_json(), other.unwrap().run_json(), "side {idx}");
    }
}

#[test]
fn by_cycle_all_sides_show_the_same_cycle_until_they_finish() {
    let mut session = opened(FOUR);
    let lasts = lasts(&session);
    assert_eq!(session.clock_end(), *lasts.iter().max().unwrap());
    for position in (0..=session.clock_end()).step_by(97) {
        edit(&mut session, CompareEdit::Clock(position));
        let expected: Vec<u64> = lasts.iter().map(|last| position.min(*last)).collect();
        assert_eq!(cycles(&session), expected);
    }
}

#[test]
fn by_time_cycles_follow_each_chip_s_clock_rate() {
    let mut session = opened(&format!("{FOUR};sync=time"));
    let mhz = [ArchId::Gf100, ArchId::Gp104, ArchId::Gv100, ArchId::Tu102]
        .map(|id| f64::from(architecture(id).chip.sm_clock_mhz.value));
    let fastest = mhz.iter().copied().fold(0.0, f64::max);
    assert_eq!(session.clock_mhz() as f64, fastest);
    let lasts = lasts(&session);
    for position in (0..session.clock_end()).step_by(53) {
        edit(&mut session, CompareEdit::Clock(position));
        let microseconds = position as f64 / fastest;
        for (idx, cycle) in cycles(&session).into_iter().enumerate() {
            let exact = microseconds * mhz[idx];
            let bound = lasts[idx] as f64;
            assert!(
                cycle as f64 <= exact + 1e-6 && (cycle as f64 > exact - 1.0 || cycle as f64 == bound),
                "side {idx} is at {cycle} where its clock has ticked {exact} times"
            );
        }
    }
    // The clock ends with the longest run.
    let ends = lasts.iter().zip(mhz).map(|(last, mhz)| *last as f64 / mhz);
    let longest = ends.fold(0.0, f64::max) * fastest;
    assert!((session.clock_end() as f64 - longest).abs() <= 1.0);
}

#[test]
fn by_progress_all_sides_have_issued_the_same_share() {
    let mut session = opened(&format!("{FOUR};sync=progress"));
    let issues: Vec<u64> = session
        .derived_all()
        .map(|derived| derived.trace().unwrap().num_issues())
        .collect();
    let most = *issues.iter().max().unwrap();
    assert_eq!(session.clock_end(), most);
    for position in (0..most).step_by(31) {
        edit(&mut session, CompareEdit::Clock(position));
        for (idx, cycle) in cycles(&session).into_iter().enumerate() {
            let trace = session.sides[idx].derived.trace().unwrap();
            let wanted = position * issues[idx] / most;
            let upto = trace.issues_from(Cycle(0)).filter(|row| row.cycle.0 <= cycle);
            let before = trace.issues_from(Cycle(0)).filter(|row| row.cycle.0 < cycle);
            assert!(upto.count() as u64 >= wanted, "side {idx} at {cycle}");
            assert!((before.count() as u64) < wanted.max(1), "side {idx} at {cycle}");
        }
    }
    edit(&mut session, CompareEdit::Clock(most));
    assert_eq!(cycles(&session), lasts(&session));
}

#[test]
fn a_seek_on_one_side_moves_all_sides() {
    let mut session = opened(&format!("{FOUR};sync=time"));
    update(&mut session, Event::In(Pane::Third, Box::new(Event::Seek(300))));
    assert_eq!((session.active_side(), session.cycle()), (2, 300));
    let at = session.clock();
    assert_eq!(at, (300_u64 * session.clock_mhz()).div_ceil(1530));
    assert_eq!(session.shown_side(0).cycle, session.cycle_at(0, at));
    assert_eq!(session.cycle(), 300, "the active side is as it was");
}

#[test]
fn playback_continues_until_the_longest_run_ends() {
    let mut session = opened(&format!("{FOUR};speed=10000"));
    update(&mut session, Event::PlayPause);
    let mut ticks = 0;
    while session.playback.playing.is_some() {
        update(&mut session, Event::Tick(16.0));
        ticks += 1;
        assert!(ticks < 10_000);
    }
    assert_eq!(session.clock(), session.clock_end());
    assert_eq!(cycles(&session), lasts(&session));
    update(&mut session, Event::Step(-1));
    assert_eq!(session.clock(), session.clock_end() - 1);
}

fn option(key: &'static str, value: &'static str) -> Event {
    Event::Option(crate::run_option::ButtonId { key, value })
}

#[test]
fn a_change_applies_to_all_or_the_active_side_and_is_undone() {
    let mut session = opened(FOUR);
    let before = session.link();
    update(&mut session, option("dlcm", "cg"));
    run(&mut session);
    let cached = |session: &Session| -> Vec<bool> {
        (0..4)
            .map(|idx| session.sides[idx].setup.machine.load_caching != engine::sim::LoadCaching::Cg)
            .collect()
    };
    assert_eq!(cached(&session), [false; 4]);
    update(&mut session, Event::Undo);
    assert_eq!(session.link(), before);
    assert_eq!(cached(&session), [true; 4]);
    edit(&mut session, CompareEdit::Apart(true));
    update(&mut session, Event::Activate(Pane::Second));
    update(&mut session, option("dlcm", "cg"));
    assert_eq!(cached(&session), [true, false, true, true]);
    update(&mut session, Event::Kernel("saxpy".to_owned()));
    let kernels: Vec<String> = (0..4)
        .map(|idx| session.sides[idx].setup.kernel.clone())
        .collect();
    assert_eq!(kernels[1], "saxpy");
    assert_eq!(kernels[0], "transpose-naive");
}

#[test]
fn edited_source_is_compiled_for_all_sides() {
    let mut session = opened(FOUR);
    let text = "__global__ void k(float* a) { a[threadIdx.x] = 2.0f; }\n".to_owned();
    update(&mut session, Event::Edit(text.clone()));
    update(&mut session, Event::Tick(1_000.0));
    run(&mut session);
    for idx in 0..4 {
        assert_eq!(session.sides[idx].setup.source(), text);
        let trace = session.sides[idx].derived.trace().unwrap();
        assert_eq!(trace.program().name, "k", "side {idx}");
    }
    update(&mut session, Event::Activate(Pane::Fourth));
    assert_eq!(session.side().text, text);
}

#[test]
fn a_shared_carveout_is_the_nearest_legal_one_of_each_side() {
    let mut session = opened("v1;arch=tu102;compare=gf100,gp104,gv100");
    update(&mut session, Event::Carveout(Some(64)));
    let kib: Vec<Option<u32>> = (0..4)
        .map(|idx| session.sides[idx].setup.machine.carveout_kib)
        .collect();
    assert_eq!(kib, [Some(64), Some(48), None, Some(64)]);
    let toast = session.ui.toast.clone().unwrap();
    assert!(
        toast.contains("uses 48 KB") && toast.contains("has a fixed split"),
        "{toast}"
    );
}

/// The bank width applies to all sides, and takes effect on architectures with a choice.
#[test]
fn the_bank_width_takes_effect_on_architectures_with_a_choice() {
    let mut session = opened("v1;arch=gk110;kernel=shared-stride;compare=gk110,gv100;2.banksize=8");
    let sizes = |session: &Session| -> Vec<u32> {
        (0..3)
            .map(|idx| session.sides[idx].setup.machine.bank_size.bytes())
            .collect()
    };
    assert_eq!(sizes(&session), [4, 8, 4]);
    let differences =
        crate::app::compare::setups::differences(&session.sides[1].setup, &session.sides[0].setup);
    assert_eq!(differences, "cudaSharedMemBankSizeEightByte");
    update(&mut session, option("banksize", "8"));
    assert_eq!(sizes(&session), [8, 8, 8]);
    // A side without a choice does not mention the bank width and draws nothing different.
    let plain = opened("v1;arch=gv100;kernel=shared-stride;view=banks;cycle=300");
    let chosen = opened("v1;arch=gv100;kernel=shared-stride;banksize=8;view=banks;cycle=300");
    assert_eq!(plain.options_text(), chosen.options_text());
    assert_eq!(plain.controls(View::Banks), chosen.controls(View::Banks));
    let size = Size {
        width: 832.0,
        height: 600.0,
    };
    assert_eq!(
        plain.shown().picture(View::Banks, size),
        chosen.shown().picture(View::Banks, size)
    );
}

#[test]
fn each_side_has_its_own_architecture() {
    let mut session = opened(FOUR);
    update(
        &mut session,
        Event::In(Pane::Second, Box::new(Event::Arch(ArchId::Gp100))),
    );
    let archs: Vec<ArchId> = (0..4).map(|idx| session.sides[idx].setup.arch).collect();
    assert_eq!(
        archs,
        [ArchId::Gf100, ArchId::Gp100, ArchId::Gv100, ArchId::Tu102]
    );
}

#[test]
fn sides_are_added_removed_and_restored() {
    let mut session = opened("v1;kernel=saxpy;carveout=64;cycle=40");
    let alone = session.link();
    edit(&mut session, CompareEdit::Add(Some(ArchId::Gf100)));
    assert_eq!((session.num_sides(), session.active_side()), (2, 1));
    assert_eq!(session.sides[1].setup.machine.carveout_kib, Some(48));
    assert_eq!(session.clock(), 40);
    let two = session.link();
    edit(&mut session, CompareEdit::On(GUIDES.to_vec()));
    assert_eq!((session.num_sides(), session.active_side()), (4, 0));
    edit(&mut session, CompareEdit::Remove(Some(Pane::First)));
    assert_eq!(
        (session.num_sides(), session.sides[0].setup.arch),
        (3, ArchId::Gp104)
    );
    for _ in 0..2 {
        update(&mut session, Event::Undo);
    }
    // The active pane stays: the first side keeps the keyboard.
    let keyboard = |scenario: Scenario| Scenario {
        layout: session.link().layout,
        ..scenario
    };
    assert_eq!(encode(&session.link()), encode(&keyboard(two)));
    update(&mut session, Event::Undo);
    let same_layout = Scenario {
        layout: session.link().layout,
        ..alone
    };
    assert_eq!(session.link(), same_layout);
    update(&mut session, Event::Redo);
    assert_eq!(session.num_sides(), 2);
    update(&mut session, Event::Activate(Pane::Second));
    edit(&mut session, CompareEdit::End);
    assert!(!session.is_comparing());
    assert_eq!(session.setup().arch, ArchId::Gf100, "the active side stays");
}

#[test]
fn existing_runs_are_reused() {
    let mut session = opened(FOUR);
    let numbers: Vec<u64> = session.derived_all().map(Derived::run_number).collect();
    edit(&mut session, CompareEdit::Remove(Some(Pane::Second)));
    let left: Vec<u64> = session.derived_all().map(Derived::run_number).collect();
    assert_eq!(left, [numbers[0], numbers[2], numbers[3]]);
}

#[test]
fn a_split_stage_and_a_comparison_replace_each_other() {
    let mut session = opened("v1;split=timeline");
    edit(&mut session, CompareEdit::Add(None));
    assert_eq!((session.ui.split, session.num_sides()), (None, 2));
    update(&mut session, Event::Undo);
    assert_eq!((session.ui.split, session.num_sides()), (Some(View::Timeline), 1));
    update(&mut session, Event::Redo);
    assert!(session.is_comparing());
    update(&mut session, Event::SplitOrWhole);
    assert_eq!((session.ui.split, session.num_sides()), (Some(View::Timeline), 1));
    update(&mut session, Event::Undo);
    assert_eq!((session.ui.split, session.num_sides()), (None, 2));
}

#[test]
fn a_link_contains_the_whole_comparison() {
    let mut session = opened(&format!(
        "{FOUR};2.block=16;4.carveout=32;sync=time;cycle=200;view=timeline"
    ));
    update(&mut session, Event::Activate(Pane::Fourth));
    edit(&mut session, CompareEdit::Reference(2));
    let link = encode(&session.link());
    assert!(link.len() < 300, "{link}");
    let other = opened(&link);
    assert_eq!(decode(&link).warnings, []);
    assert_eq!(other.link(), session.link());
    assert_eq!(cycles(&other), cycles(&session));
    assert_eq!((other.active_side(), other.ui.compare.reference), (3, 2));
}

#[test]
fn a_side_that_cannot_run_shows_its_error_while_others_run() {
    let session = opened("v1;kernel=saxpy;compare=gf100,gp104;2.block=4096");
    let fatal: Vec<bool> = session
        .derived_all()
        .map(|derived| derived.problems.iter().any(|problem| problem.fatal))
        .collect();
    assert_eq!(fatal, [false, true, false]);
    assert!(session.sides[2].derived.trace().is_some());
}

#[test]
fn marked_lines_and_schedulers_are_those_whose_issues_differ() {
    let mut session = opened(&format!("{FOUR};view=source"));
    let (mut lines, mut schedulers) = (0, 0);
    for position in (0..session.clock_end()).step_by(61) {
        edit(&mut session, CompareEdit::Clock(position));
        let at = cycles(&session);
        let issues = |idx: usize, of: &dyn Fn(&engine::trace::IssueRow) -> bool| -> Vec<(String, u32)> {
            let trace = session.sides[idx].derived.trace().unwrap();
            let rows = trace.issues_at(Cycle(at[idx])).filter(of);
            rows.map(|row| {
                let instruction = &trace.program().code[row.pc.0 as usize];
                (instruction.op.mnemonic(trace.arch().id), instruction.span.line)
            })
            .collect()
        };
        assert!(session.other_lines(0).is_empty(), "the reference itself");
        for idx in 1..4 {
            let differs = session.other_lines(idx);
            for line in 1..20 {
                let issued = |idx| issues(idx, &|_| true).iter().any(|(_, at)| *at == line);
                let found = differs.iter().find(|(at, ..)| *at == line);
                match found {
                    Some((_, here, there)) => {
                        assert_eq!((here.issues, there.issues), (issued(idx), issued(0)));
                        assert_ne!(here, there);
                    }
                    None => assert_eq!(issued(idx), issued(0), "line {line}, side {idx} at {position}"),
                }
                lines += usize::from(found.is_some());
            }
            let differs = session.other_schedulers(idx);
            for scheduler in 0..2 {
                let own = |idx| issues(idx, &|row| row.scheduler == scheduler);
                let found = differs.iter().any(|(other, ..)| *other == scheduler);
                assert_eq!(found, own(idx) != own(0), "{scheduler}, side {idx} at {position}");
                schedulers += usize::from(found);
            }
        }
    }
    assert!(lines > 50 && schedulers > 50, "{lines} {schedulers}");
    edit(&mut session, CompareEdit::Clock(300));
    let marks =
        |session: &Session, idx: usize| (session.marks(idx, View::Source), session.marks(idx, View::Sm));
    let (source, sm) = marks(&session, 1);
    assert!(!source.lines.is_empty() && !source.pcs.is_empty() && source.slots.is_empty());
    assert!(!sm.schedulers.is_empty() && !sm.slots.is_empty() && sm.lines.is_empty());
    edit(&mut session, CompareEdit::Marks(false));
    assert_eq!(marks(&session, 1), Default::default());
    assert_eq!(session.side_head(1).elsewhere, "");
}

#[test]
fn different_sources_have_no_comparable_lines() {
    let session = opened("v1;kernel=saxpy;compare=gf100;2.kernel=transpose-naive;cycle=100;view=source");
    assert!(session.other_lines(1).is_empty());
    assert!(!session.other_schedulers(1).is_empty() || !session.differences(1).is_empty());
}

#[test]
fn a_range_covers_the_same_positions_on_every_side() {
    for sync in ["cycle", "time", "progress"] {
        let mut session = opened(&format!("{FOUR};sync={sync};range=300-900"));
        let ranges = |session: &Session| -> Vec<(Cycle, Cycle)> {
            (0..4).map(|idx| session.range_of(idx).unwrap()).collect()
        };
        let before = ranges(&session);
        assert_eq!(before[0], (Cycle(300), Cycle(900)));
        let (first, last) = session.range_positions().unwrap();
        for (idx, (from, to)) in before.iter().enumerate().skip(1) {
            assert_eq!(from.0, session.cycle_at(idx, first), "{sync}");
            assert_eq!(to.0 - 1, session.cycle_at(idx, last), "{sync}");
            let shown = session.shown_side(idx).state.range;
            assert_eq!(shown, Some((*from, *to)), "{sync}, side {idx}");
        }
        assert_eq!(session.range(), Some(before[0]), "looking changes nothing");
        // Switching back and forth keeps the range.
        for pane in [Pane::Second, Pane::Fourth, Pane::Third, Pane::Second, Pane::First] {
            update(&mut session, Event::Activate(pane));
            assert_eq!(ranges(&session), before, "{sync}, {pane:?}");
        }
        assert_eq!(session.range(), Some(before[0]));
    }
}

#[test]
fn counters_cover_the_selected_period() {
    use crate::scene::counter_rows;
    let mut session = opened(&format!("{FOUR};view=compare;range=300-900"));
    let value = |session: &Session, words: &str| {
        let rows = counter_rows(&session.comparison());
        let row = rows.into_iter().find(|row| row.words == words).unwrap();
        (row.values, row.ratios)
    };
    let whole = value(&session, "Warp instructions").0;
    update(
        &mut session,
        Event::Choose(Choice::Set(Setting::Period(Period::Range))),
    );
    assert_eq!(session.comparison().of, "Cycles 300 to 899");
    let (values, ratios) = value(&session, "Warp instructions");
    for idx in 0..4 {
        let trace = session.sides[idx].derived.trace().unwrap();
        let issued = trace.issues_before(900) - trace.issues_before(300);
        assert_eq!(values[idx], Ok(issued as f64));
        assert_eq!(ratios[idx], Some(issued as f64 / values[0].unwrap()));
    }
    let all = session.clock_end();
    update(
        &mut session,
        Event::Gesture(crate::app::Gesture::Range { from: all, to: 0 }),
    );
    assert_eq!(value(&session, "Warp instructions").0, whole, "all of it");
    // The other sides have finished when only the longest still runs.
    update(
        &mut session,
        Event::Gesture(crate::app::Gesture::Range {
            from: all - 9,
            to: all,
        }),
    );
    let (cycles, _) = value(&session, "Cycles active");
    assert_eq!(
        cycles
            .iter()
            .filter(|value| **value == Err("finished earlier"))
            .count(),
        3
    );
    assert!(encode(&session.link()).contains(";of=range"));
}

#[test]
fn the_strip_zooms_and_reports_positions_of_the_clock() {
    let mut session = opened(&format!("{FOUR};sync=time;view=timeline"));
    let size = crate::scene::Size {
        width: 1100.0,
        height: 92.0,
    };
    let zoom = crate::app::Gesture::Strip {
        factor: 0.25,
        x: 600.0,
        width: 1100.0,
    };
    let whole = session.strip_part(1100.0);
    update(&mut session, Event::Gesture(zoom));
    let part = session.strip_part(1100.0);
    assert_eq!((whole.start, whole.end), (0, session.clock_end() + 1));
    assert!(part.end - part.start <= whole.end / 4 + 1, "{part:?}");
    for scene in [session.compare_strip(size), session.compare_marks(size)] {
        for item in &scene.items {
            let [left, _, right, _] = crate::scene::damage::bounds(item);
            assert!(left >= -60.0 && right <= 1160.0, "{item:?}");
        }
    }
    assert!(encode(&session.link()).contains(";strip="));
    let (name, sides) = session.clock_tooltip(session.clock_end());
    assert!(name.ends_with("µs"), "{name}");
    assert_eq!(sides.lines().count(), 4, "{sides}");
    assert_eq!(sides.matches("finished").count(), 3, "{sides}");
    edit(&mut session, CompareEdit::Sync(Sync::Cycle));
    assert_eq!(session.ui.state.strip, None, "positions are others");
}

#[test]
fn marks_are_visible_in_every_view_that_has_them() {
    use crate::scene::{Role, Shape, Size};
    let mut session = opened(&format!("{FOUR};cycle=300"));
    for width in [370.0, 700.0, 1400.0] {
        let size = Size { width, height: 500.0 };
        for view in [View::Sm, View::Timeline, View::Source] {
            for idx in 1..4 {
                session.ui.widths[idx] = width;
                let marks = session.marks(idx, view);
                let bars = |session: &Session| {
                    let scene = session.shown_side(idx).picture(view, size).unwrap();
                    let mut bars = Vec::new();
                    for item in scene.items {
                        if let Shape::Rect { x, y, w: 3.0, h } = item.shape
                            && item.role == Role::Ink1
                            && item.target.is_none()
                        {
                            bars.push((x, y, h));
                        }
                    }
                    bars
                };
                let with = bars(&session);
                session.ui.compare.marks = false;
                let without = bars(&session);
                session.ui.compare.marks = true;
                let own: Vec<_> = with.iter().filter(|bar| !without.contains(bar)).collect();
                let num = marks.slots.len() + marks.schedulers.len();
                let least = if view == View::Source { 1 } else { num };
                assert!(
                    own.len() >= least,
                    "{view:?} {width} side {idx}: {} {num}",
                    own.len()
                );
                for (x, y, h) in own {
                    assert!(
                        *x >= 0.0 && x + 3.0 <= width && *y >= 0.0 && *h >= 3.0,
                        "{view:?} {x} {y} {h}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_counter_explains_how_it_is_counted() {
    use crate::scene::{Size, Target, counter_rows};
    let session = opened(&format!("{FOUR};view=compare"));
    let size = Size {
        width: 800.0,
        height: 600.0,
    };
    let scene = session.shown().picture(View::Compare, size).unwrap();
    let rows = counter_rows(&session.comparison());
    let targets = scene.items.iter().filter_map(|item| item.target);
    let explained = targets.filter(|target| matches!(target, Target::Counter(_)));
    assert_eq!(explained.count(), rows.len());
    for (idx, row) in rows.iter().enumerate() {
        let (name, reason) = session.shown().tooltip(Target::Counter(idx as u8)).unwrap();
        assert!(name.starts_with(&row.words), "{name}");
        assert!(reason.len() > 20, "{name}: {reason}");
        assert!(
            reason.contains(&row.name) || row.name.starts_with("warpscope__"),
            "{reason}"
        );
    }
}

#[test]
fn three_panes_hide_the_inspector_until_it_is_opened() {
    let mut session = opened(FOUR);
    assert_eq!(
        (session.ui.right, session.right_side()),
        (Side::Default, Side::Closed)
    );
    update(&mut session, Event::Right);
    assert_eq!(session.right_side(), Side::Wide(288));
    assert!(encode(&session.link()).contains("right=288"));
    update(&mut session, Event::Right);
    assert_eq!(session.right_side(), Side::Closed);
    update(&mut session, Event::Right);
    assert_eq!(session.right_side(), Side::Wide(288));
    // Two panes have it by default.
    let session = opened("v1;arch=gf100;compare=tu102");
    assert_eq!(session.right_side(), Side::Default);
}

/// The sentence beside the pictures of three and more runs names the true ratio, and counters of the two runs.
#[test]
fn the_largest_difference_is_that_of_the_counters() {
    for (link, unit) in [
        (FOUR.to_owned(), "cycles"),
        (format!("{FOUR};sync=time"), "time"),
        (
            "v1;arch=tu102;kernel=transpose-tiled;compare=tu102,tu102;2.kernel=transpose-padded".to_owned(),
            "cycles",
        ),
        (
            "v1;arch=gt200;kernel=reduce-sum;compare=gf100,gp104".to_owned(),
            "cycles",
        ),
    ] {
        let session = opened(&link);
        let size = Size {
            width: 1000.0,
            height: 600.0,
        };
        let scene = session.shown().picture(View::Compare, size).unwrap();
        let length = |idx: usize| {
            let trace = session.sides[idx].derived.trace().unwrap();
            let cycles = trace.counter("sm__cycles_active.max").unwrap();
            if unit == "time" {
                cycles / f64::from(session.sides[idx].arch().chip.sm_clock_mhz.value)
            } else {
                cycles
            }
        };
        let lengths: Vec<f64> = (0..session.num_sides()).map(length).collect();
        let most = lengths.iter().copied().fold(0.0, f64::max);
        let least = lengths.iter().copied().fold(f64::MAX, f64::min);
        let as_long = if unit == "time" {
            "as long"
        } else {
            "as many cycles"
        };
        let wanted = format!(" takes {:.2} times {as_long} as ", most / least);
        assert!(scene.note.contains(&wanted), "{link}: {} ({wanted})", scene.note);
        let slow = lengths.iter().position(|length| *length == most).unwrap();
        assert!(
            scene.note.starts_with(session.sides[slow].arch().name),
            "{}",
            scene.note
        );
        assert!(
            scene.note.matches(": ").count() >= 1 && scene.note.len() < 300,
            "{}",
            scene.note
        );
    }
}

/// Three and more runs are pictures that survive a small size: state pixels, floor plans without text, bars.
#[test]
fn pictures_of_four_runs_survive_a_small_size() {
    let session = opened(&format!("{FOUR};view=compare"));
    for (width, height) in [(390.0, 570.0), (716.0, 400.0), (1300.0, 700.0)] {
        let scene = session
            .shown()
            .picture(View::Compare, Size { width, height })
            .unwrap();
        let pixels = scene.items.iter().filter_map(|item| match &item.shape {
            Shape::StatePixels { columns, cells, .. } => Some((*columns, cells)),
            _ => None,
        });
        let pixels: Vec<_> = pixels.collect();
        assert_eq!(pixels.len(), 4, "{width}");
        for (columns, cells) in pixels {
            // At least two states, and no more cells than rows of the picture.
            let mut marks: Vec<u8> = cells.iter().copied().filter(|cell| *cell > 0).collect();
            marks.sort_unstable();
            marks.dedup();
            assert!(marks.len() > 2, "{width}: {marks:?}");
            assert!(f32::from(columns) <= width && cells.len() % usize::from(columns) == 0);
        }
        let cut = scene.items.iter().filter_map(|item| match &item.shape {
            Shape::Text { text, .. } if text.contains('…') => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(
            cut.collect::<Vec<_>>(),
            Vec::<&str>::new(),
            "{width}: texts are cut"
        );
    }
}

/// Two panes of a window of 1440 pixels show the opcode of every warp.
#[test]
fn two_panes_keep_their_opcodes() {
    let session = opened("v1;arch=gf100;kernel=transpose-tiled;compare=tu102;cycle=300");
    for idx in 0..2 {
        let size = Size {
            width: 415.0,
            height: 560.0,
        };
        let scene = session.shown_side(idx).picture(View::Sm, size).unwrap();
        let shown: Vec<&String> = scene
            .items
            .iter()
            .filter_map(|item| match &item.shape {
                Shape::Text { text, .. } => Some(text),
                _ => None,
            })
            .collect();
        let frame = session.shown_side(idx).frame().unwrap();
        for warp in &scene.table.rows {
            let slot = engine::ids::SlotIdx(warp[1].parse().unwrap());
            let opcode = frame.opcode(slot);
            let name = opcode.split('.').next().unwrap();
            assert!(
                shown.iter().any(|text| *text == name),
                "side {idx}, {warp:?}: {shown:?}"
            );
        }
    }
}

/// The rows of differences are about warps: pictures without warps have none.
#[test]
fn pictures_without_warps_name_no_differences_of_warps() {
    let typed = "v1;view=arithmetic;arch=gt200;compare=tu102;calc=1.5f%20*%202.5f";
    let session = super::super::golden::opened(typed);
    assert_eq!(session.side_head(1).elsewhere, "");
    let session =
        super::super::golden::opened("v1;kernel=streams-depth;view=streams;arch=gf100;compare=gk110");
    assert_eq!(session.side_head(1).elsewhere, "");
    assert!(session.side_head(1).state.starts_with("the kernel: 0 % issued"));
    let session =
        super::super::golden::opened("v1;kernel=streams-depth;view=timeline;arch=gf100;compare=gk110");
    assert_ne!(session.side_head(1).elsewhere, "");
}

/// The fatal problem of each side.
fn refusals(session: &Session) -> Vec<Option<String>> {
    let of = |derived: &crate::app::Derived| {
        let fatal = derived.problems.iter().find(|problem| problem.fatal);
        fatal.map(|problem| problem.message.clone())
    };
    session.derived_all().map(of).collect()
}

#[test]
fn the_buffers_of_a_launch_and_of_all_sides_are_limited() {
    let args = "f32:2,in:f32*16777216:lcg1,inout:f32*16777216:lcg2,i32:64";
    let link = format!("v1;kernel=saxpy;grid=1;block=64;args={args};compare=gv100,gp100");
    let mut session = opened(&link);
    let refused = "The buffers of the sides up to this one take 384 MB; all sides have at most 256 MB in total. \
                   Make the buffers shorter, or remove a side.";
    assert_eq!(refusals(&session), [None, None, Some(refused.to_owned())]);
    assert!(
        session
            .derived_all()
            .take(2)
            .all(|derived| derived.num_cycles() > 0)
    );
    edit(&mut session, CompareEdit::Remove(Some(Pane::at(1))));
    assert_eq!(refusals(&session), [None, None]);

    let args = "f32:2,in:f32*67108864:lcg1,inout:f32*67108864:lcg2,i32:64";
    let session = opened(&format!("v1;kernel=saxpy;args={args}"));
    let refused = "The launch is refused: The buffers of the launch take 512 MB in total: x 256 MB, y 256 MB. \
                   A launch has at most 256 MB; make the buffers shorter.";
    assert_eq!(refusals(&session), [Some(refused.to_owned())]);
}

/// One value takes a page, so that only the addresses are limited.
#[test]
fn addresses_of_a_launch_are_limited() {
    let side = |len: u32| {
        let args = format!("f32:2,in:f32*{len}:zero,inout:f32*{len}:const1,i32:64");
        opened(&format!("v1;kernel=saxpy;grid=1;block=64;args={args}"))
    };
    let session = side(500_000_000);
    assert_eq!(refusals(&session), [None]);
    assert!(session.derived().num_cycles() > 0);
    // Two buffers of 2^32 floats are below the limit; five are above it.
    let args = "in:f64*4294967295:zero,in:f64*4294967295:zero,in:f64*4294967295:zero";
    let launch = decode(&format!("v1;kernel=saxpy;args={args}")).scenario.launch();
    let program = session.derived().program().unwrap();
    let mut program = engine::isa::Program::clone(program);
    program.params.truncate(2);
    program.params.push(program.params[1].clone());
    program.params[0] = program.params[1].clone();
    let refused = engine::sim::memory::InitialMemory::new(&program, &launch).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "The buffers of the launch take 96 GB in total, and a launch has at most 64 GB; make the buffers shorter."
    );
}

#[test]
fn a_run_ends_with_its_link() {
    let mut session = opened(
        "v1;kernel=saxpy;grid=1;block=64;args=f32:2,in:f32*1048576:iota,inout:f32*1048576:zero,i32:64",
    );
    let old = std::sync::Arc::downgrade(session.derived().trace().unwrap());
    update(&mut session, Event::Open("v1;kernel=vector-add".to_owned()));
    run(&mut session);
    // Nothing keeps the memory of the previous link's run.
    assert!(old.upgrade().is_none());
}
