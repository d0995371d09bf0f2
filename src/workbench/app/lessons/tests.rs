//! Lessons, as a reader goes through them.

use super::*;
use crate::app::update;
use crate::library;
use crate::share::{LessonAddress, Setup, View, encode};

const LESSON: &str = r#"
title = "Columns"
summary = "A column lies in one bank."
minutes = 4

[[step]]
title = "One warp reads a column"
text = "Shared memory has 32 banks."
link = "v1;kernel=transpose-tiled;arch=tu102;view=banks;cycle=300"
mark = ["bank 0"]
source = "CUDA C++ Programming Guide"

[step.ask]
question = "How many wavefronts?"
number = { value = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum / 128", unit = "wavefronts" }
hint = "Count the banks."
right = "32 wavefronts."
otherwise = "Count again."

[[step]]
title = "Pad the row"
text = "Line 13 declares the tile."
link = "v1;kernel=transpose-tiled;arch=tu102;view=banks"
source = "CUDA C++ Programming Guide"

[step.ask]
question = "Remove the conflicts."
edit = { goal = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum == 0", reference = [{ from = "tile[TILE][TILE]", to = "tile[TILE][TILE + 1]" }] }
hint = "Make each row one word longer."
right = "Each row starts one bank later."
otherwise = "The rows still start in the same bank."
"#;

fn send(session: &mut Session, edit: LessonEdit) -> Vec<Effect> {
    let effects = update(session, Event::Lesson(edit));
    while session.work(10_000) {}
    effects
}

fn arrive(session: &mut Session, step: usize) {
    let text = Ok(LESSON.to_owned());
    let id = "memory/columns".to_owned();
    send(session, LessonEdit::Arrived { id, step, text });
}

/// A reader who is at cycle 40 of another view, and opens the lesson.
fn opened() -> Session {
    let mut session = Session::new();
    update(
        &mut session,
        Event::Open("v1;kernel=saxpy;view=stalls;cycle=40".to_owned()),
    );
    while session.work(10_000) {}
    arrive(&mut session, 0);
    session
}

fn open(session: &Session) -> &OpenLesson {
    session.ui.lessons.open.as_ref().unwrap()
}

#[test]
fn the_run_is_hidden_until_the_answer_and_graded_by_its_counters() {
    let mut session = opened();
    assert!(session.is_hiding() && open(&session).hides_picture());
    assert_eq!((session.ui.view, session.ui.right), (View::Source, Side::Closed));
    // Nothing gives the answer away.
    update(&mut session, Event::View(View::Banks));
    update(&mut session, Event::Step(1));
    update(&mut session, Event::Arch(engine::arch::ArchId::Gf100));
    update(&mut session, Event::Undo);
    assert_eq!(session.setup().arch, engine::arch::ArchId::Tu102);
    assert_eq!((session.ui.view, session.cycle()), (View::Source, 0));
    // An empty answer costs no try.
    send(&mut session, LessonEdit::Check);
    assert_eq!(open(&session).invalid, "Enter a number of wavefronts.");
    send(&mut session, LessonEdit::Draft("1".to_owned()));
    send(&mut session, LessonEdit::Check);
    let wrong = vec![("1".to_owned(), "Count again.".to_owned())];
    assert_eq!(open(&session).phase, Phase::Asked(wrong));
    send(&mut session, LessonEdit::Draft("32".to_owned()));
    send(&mut session, LessonEdit::Check);
    let right = Phase::Answered {
        right: true,
        given: Some("32".to_owned()),
    };
    assert_eq!(open(&session).phase, right);
    assert_eq!((session.ui.view, session.cycle()), (View::Banks, 300));
    assert_eq!(session.lesson_marks(), [Target::Bank(0)]);
}

#[test]
fn two_wrong_answers_show_the_answer() {
    let mut session = opened();
    for answer in ["1", "2"] {
        send(&mut session, LessonEdit::Draft(answer.to_owned()));
        send(&mut session, LessonEdit::Check);
    }
    let shown = Phase::Answered {
        right: false,
        given: None,
    };
    assert_eq!(open(&session).phase, shown);
    assert_eq!(session.ui.view, View::Banks);
}

#[test]
fn an_edit_is_graded_by_the_changed_kernel_s_run() {
    let mut session = opened();
    send(&mut session, LessonEdit::Show);
    send(&mut session, LessonEdit::Next);
    assert_eq!(open(&session).step, 1);
    assert!(!session.is_hiding() && !open(&session).hides_picture());
    send(&mut session, LessonEdit::Check);
    assert!(matches!(&open(&session).phase, Phase::Asked(wrong) if wrong.len() == 1));
    let source = library::kernel("transpose-tiled").unwrap().source;
    let padded = source.replace("tile[TILE][TILE]", "tile[TILE][TILE + 1]");
    update(&mut session, Event::Edit(padded));
    update(&mut session, Event::Tick(1_000.0));
    while session.work(10_000) {}
    send(&mut session, LessonEdit::Check);
    assert!(matches!(
        open(&session).phase,
        Phase::Answered { right: true, .. }
    ));
}

#[test]
fn leaving_restores_the_reader_s_scenario_and_keeps_the_progress() {
    let mut session = opened();
    send(&mut session, LessonEdit::Show);
    let effects = send(&mut session, LessonEdit::Next);
    let kept = effects.iter().find_map(|effect| match effect {
        Effect::KeepProgress(change) => Some(change.applied("")),
        _ => None,
    });
    assert_eq!(
        kept.as_deref(),
        Some(r#"{"memory/columns":{"steps":1,"right":0,"finished":false}}"#)
    );
    // What another tab stored stays.
    let other = r#"{"memory/columns":{"steps":0,"right":2,"finished":true},"memory/rows":{"steps":1,"right":1,"finished":false}}"#;
    let both = effects.iter().find_map(|effect| match effect {
        Effect::KeepProgress(change) => Some(change.applied(other)),
        _ => None,
    });
    assert_eq!(
        both.as_deref(),
        Some(
            r#"{"memory/columns":{"steps":1,"right":2,"finished":true},"memory/rows":{"steps":1,"right":1,"finished":false}}"#
        )
    );
    // A reader who came by a link has no list of courses yet.
    let effects = send(&mut session, LessonEdit::Leave);
    assert_eq!(
        effects,
        [Effect::PushLink, Effect::ReadCourses, Effect::ReadGlossary]
    );
    assert_eq!(session.ui.lessons.open, None);
    let setup = (session.setup().kernel.as_str(), session.ui.view, session.cycle());
    assert_eq!(setup, ("saxpy", View::Stalls, 40));
    // A later visit reads the progress again; damaged progress is forgotten.
    let mut later = Session::new();
    send(&mut later, LessonEdit::Progress(kept.unwrap()));
    assert_eq!(later.ui.lessons.progress["memory/columns"].steps, 1);
    send(&mut later, LessonEdit::Progress("{".to_owned()));
    assert!(later.ui.lessons.progress.is_empty());
}

#[test]
fn after_the_last_step_comes_the_end_with_its_own_link() {
    let mut session = opened();
    send(&mut session, LessonEdit::Show);
    send(&mut session, LessonEdit::Next);
    let shown = session.link();
    let effects = send(&mut session, LessonEdit::Next);
    assert!(effects.contains(&Effect::ReadCourses), "{effects:?}");
    assert!(open(&session).is_ended && !session.is_hiding());
    assert_eq!(open(&session).score(), (0, 2));
    assert_eq!(session.ui.lessons.progress["memory/columns"].steps, 2);
    assert!(session.ui.lessons.progress["memory/columns"].finished);
    // The picture stays, and without a list of courses another Next does nothing.
    assert_eq!((session.ui.view, session.cycle()), (shown.view, shown.cycle));
    assert_eq!(send(&mut session, LessonEdit::Next), []);
    let link = encode(&session.link());
    assert!(link.contains("lesson=memory/columns;step=3"), "{link}");
    // The link opens the end; a step behind the end is the last one.
    let mut other = Session::new();
    arrive(&mut other, 2);
    assert!(open(&other).is_ended);
    arrive(&mut other, 9);
    assert!(!open(&other).is_ended && open(&other).step == 1);
    // Back shows the last question again, and the list shows the course.
    send(&mut session, LessonEdit::Back);
    assert!(!open(&session).is_ended);
    assert_eq!(open(&session).phase, Phase::Asked(Vec::new()));
    send(&mut session, LessonEdit::Next);
    send(&mut session, LessonEdit::Leave);
    assert_eq!(session.ui.panel, Some(Panel::Lessons));
    assert!(session.is_unfolded("memory"));
}

#[test]
fn the_end_of_a_skipped_question_shows_its_picture() {
    let mut session = Session::new();
    let (one, _) = LESSON.split_once("[[step]]\ntitle = \"Pad").unwrap();
    let text = Ok(one.to_owned());
    let id = "memory/columns".to_owned();
    send(&mut session, LessonEdit::Arrived { id, step: 0, text });
    assert!(session.is_hiding());
    send(&mut session, LessonEdit::Next);
    assert!(open(&session).is_ended && !session.is_hiding());
    assert_eq!((session.ui.view, session.cycle()), (View::Banks, 300));
}

#[test]
fn the_step_is_in_the_link_and_the_link_opens_it() {
    let mut session = opened();
    send(&mut session, LessonEdit::Next);
    let link = encode(&session.link());
    assert!(link.contains("lesson=memory/columns;step=2"), "{link}");
    let mut other = Session::new();
    let effects = update(&mut other, Event::Open(link));
    let address = LessonAddress::read("memory/columns").unwrap();
    assert!(
        effects.contains(&Effect::ReadLesson { address, step: 1 }),
        "{effects:?}"
    );
    arrive(&mut other, 1);
    assert_eq!(open(&other).shown().title, "Pad the row");
    // A link without a lesson closes it, as Back does.
    update(&mut other, Event::Open("v1;view=stalls".to_owned()));
    assert_eq!(other.ui.lessons.open, None);
}

#[test]
fn a_lesson_that_cannot_be_read_changes_nothing_and_says_why() {
    let mut session = Session::new();
    let before = session.link();
    let text = Err("lessons/a/b.toml cannot be read: the server answers 404.".to_owned());
    let id = "a/b".to_owned();
    send(&mut session, LessonEdit::Arrived { id, step: 0, text });
    assert_eq!(session.link(), before);
    assert_eq!(
        session.ui.warnings,
        ["The lesson a/b cannot be opened: lessons/a/b.toml cannot be read: the server answers 404."]
    );
}

#[test]
fn a_dropped_file_opens_as_a_lesson() {
    let mut session = Session::new();
    let file = crate::app::OpenedFile {
        path: "mine.toml".to_owned(),
        content: Ok(LESSON.as_bytes().to_vec()),
    };
    update(&mut session, Event::File(FileEdit::Open(vec![file])));
    assert_eq!(open(&session).id, OWN);
    // It has no address, so the link does not name it.
    assert_eq!(session.link().lesson, None);
}

#[test]
fn a_bank_is_clicked_at_its_number_or_at_a_word() {
    let is_word = |target: Target| matches!(target, Target::Word(offset) if offset / 4 % 32 == 5);
    let is_bank = |target: Target| target == Target::Bank(5);
    for is_wanted in [&is_bank as &dyn Fn(Target) -> bool, &is_word] {
        let mut session = Session::new();
        let arrived = LessonEdit::Arrived {
            id: "memory/column-read".to_owned(),
            step: 0,
            text: Ok(include_str!("../../../../www/lessons/memory/column-read.toml").to_owned()),
        };
        update(&mut session, Event::Lesson(arrived));
        while session.work(100_000) {}
        let size = crate::scene::Size {
            width: 832.0,
            height: 636.0,
        };
        let scene = session.shown().picture(session.ui.view, size).unwrap();
        let stops = scene.stops().into_iter().map(|stop| stop.target);
        let target = stops.into_iter().find(|target| is_wanted(*target)).unwrap();
        update(&mut session, Event::Select(target));
        let phase = session.ui.lessons.open.as_ref().map(|open| open.phase.clone());
        assert!(
            matches!(phase, Some(Phase::Answered { right: true, .. })),
            "{target:?}: {phase:?}"
        );
    }
}

const DEVICE_LESSON: &str = r#"
title = "Blocks and SMs"
summary = "A small grid leaves SMs idle."
minutes = 2

[[step]]
title = "A small grid"
text = "The grid has 10 blocks."
link = "v1;kernel=vector-add;arch=gf100;grid=10;view=device;cycle=10"
mark = ["sm 3"]
source = "Tuning CUDA Applications for Fermi 1.1"

[step.ask]
question = "How many SMs run a block?"
other = "v1;kernel=vector-add;arch=gt200;grid=40"
number = { value = "device__warpscope__sms_with_blocks + other(device__warpscope__sms_with_blocks)", unit = "SMs" }
hint = "Count the blocks."
right = "10 and 30."
otherwise = "Count again."

[[step]]
title = "Click an SM"
text = "The grid has 10 blocks."
link = "v1;kernel=vector-add;arch=gf100;grid=10;view=device;cycle=10"
source = "Tuning CUDA Applications for Fermi 1.1"

[step.ask]
question = "Click the first SM without a block."
click = { kind = "sm", value = "device__launch__grid_size" }
hint = "SMs get blocks in the order of their numbers."
right = "SM 10."
otherwise = "This SM has a block."
"#;

/// The runs on devices take longer than the reader: the answer waits for them, and the page says so.
#[test]
fn an_answer_waits_for_the_device_s_run() {
    let mut session = Session::new();
    let arrived = LessonEdit::Arrived {
        id: "device/blocks".to_owned(),
        step: 0,
        text: Ok(DEVICE_LESSON.to_owned()),
    };
    update(&mut session, Event::Lesson(arrived));
    assert!(session.is_hiding());
    update(&mut session, Event::Lesson(LessonEdit::Draft("40".to_owned())));
    update(&mut session, Event::Lesson(LessonEdit::Check));
    let wait = session.lesson_wait().expect("the runs have not started");
    assert!(
        wait.ends_with("The answer is graded when the run ends."),
        "{wait}"
    );
    assert!(!session.is_answer_ready());
    while session.work(10_000) {}
    assert!(
        matches!(&open(&session).phase, Phase::Answered { right: true, given } if given.as_deref() == Some("40"))
    );
    assert_eq!((session.lesson_wait(), session.ui.view), (None, View::Device));
    assert_eq!(session.lesson_marks(), [Target::DeviceSm(3)]);

    // A click that comes too early waits, too.
    let _ = update(&mut session, Event::Lesson(LessonEdit::Next));
    while session.work(10_000) {}
    update(&mut session, Event::Select(Target::DeviceSm(9)));
    assert!(matches!(&open(&session).phase, Phase::Asked(wrong) if wrong.len() == 1));
    update(&mut session, Event::Select(Target::DeviceSm(10)));
    assert!(matches!(
        open(&session).phase,
        Phase::Answered { right: true, .. }
    ));
}

/// A changed answer is not graded in place of the one that waits.
#[test]
fn a_new_answer_ends_the_wait() {
    let mut session = Session::new();
    let arrived = LessonEdit::Arrived {
        id: "device/blocks".to_owned(),
        step: 0,
        text: Ok(DEVICE_LESSON.to_owned()),
    };
    update(&mut session, Event::Lesson(arrived));
    update(&mut session, Event::Lesson(LessonEdit::Draft("41".to_owned())));
    update(&mut session, Event::Lesson(LessonEdit::Check));
    update(&mut session, Event::Lesson(LessonEdit::Draft("40".to_owned())));
    while session.work(10_000) {}
    assert_eq!(open(&session).phase, Phase::Asked(Vec::new()));
}

/// The runs of all lessons' questions are on the stage after the answer: that of the question on the left, and active.
#[test]
fn the_answer_shows_the_asked_run_on_the_left() {
    let mut session = Session::new();
    for (path, text) in crate::lesson::published_tests::published() {
        let lesson = Lesson::read(&text).unwrap();
        for (idx, step) in lesson.steps.iter().enumerate() {
            let Some((ask, link)) = step.ask.as_ref().and_then(|ask| Some((ask, ask.other.as_ref()?))) else {
                continue;
            };
            let id = "a/b".to_owned();
            let text = Ok(text.clone());
            update(
                &mut session,
                Event::Lesson(LessonEdit::Arrived { id, step: idx, text }),
            );
            assert_eq!(session.sides.len(), 2, "{} step {}", path.display(), idx + 1);
            update(&mut session, Event::Lesson(LessonEdit::Show));
            let asked = match ask.asked() {
                Run::Own => Setup::of(&step.scenario()),
                Run::Other => Setup::of(&crate::share::decode(link).scenario),
            };
            assert_eq!(session.active_side(), 0);
            assert_eq!(
                session.sides[0].setup,
                asked,
                "{} step {}",
                path.display(),
                idx + 1
            );
        }
    }
}

#[test]
fn a_step_that_shows_its_picture_hides_what_answers() {
    let text = LESSON.replace(
        "mark = [\"bank 0\"]",
        "mark = [\"bank 0\"]\nshows = [\"picture\"]",
    );
    let mut session = Session::new();
    let arrive = |text: String| LessonEdit::Arrived {
        id: "memory/columns".to_owned(),
        step: 0,
        text: Ok(text),
    };
    send(&mut session, arrive(text.clone()));
    assert!(session.is_hiding() && session.hides_run() && !open(&session).hides_picture());
    assert_eq!((session.ui.view, session.cycle()), (View::Banks, 300));
    update(&mut session, Event::Step(1));
    assert_eq!(session.cycle(), 300, "the transport is hidden");
    update(&mut session, Event::View(View::Stalls));
    assert_eq!(session.ui.view, View::Banks);
    // With `run`, the reader steps, and other views stay hidden.
    send(
        &mut session,
        arrive(text.replace("[\"picture\"]", "[\"picture\", \"run\"]")),
    );
    assert!(session.is_hiding() && !session.hides_run());
    update(&mut session, Event::Step(1));
    assert_eq!(session.cycle(), 301);
    update(&mut session, Event::View(View::Stalls));
    assert_eq!(session.ui.view, View::Banks);
}

/// Line 12 of one kernel is not line 12 of another one.
#[test]
fn lines_are_ringed_in_the_source_that_the_step_names() {
    let text = include_str!("../../../../www/lessons/volta/integers-and-floats.toml");
    let mut session = Session::new();
    let arrived = |step: usize| LessonEdit::Arrived {
        id: "volta/integers-and-floats".to_owned(),
        step,
        text: Ok(text.to_owned()),
    };
    let lines = [12, 13].map(Target::CodeLine);
    // Two chips run the same source.
    send(&mut session, arrived(0));
    assert_eq!(session.lesson_marks_on(0), lines);
    assert_eq!(session.lesson_marks_on(1), lines);
    // The mixed loop is another source.
    send(&mut session, arrived(2));
    assert_eq!(session.lesson_marks_on(0), lines);
    assert_eq!(session.lesson_marks_on(1), []);
    send(&mut session, LessonEdit::Show);
    assert_eq!(session.lesson_marks_on(0), lines);
    assert_eq!(session.lesson_marks_on(1), []);
}
