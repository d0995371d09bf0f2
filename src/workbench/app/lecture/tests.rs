use crate::app::{Effect, Event, LectureEdit, NoteEdit, Session, update};
use crate::lecture::PUBLISHED;
use crate::scene::Target;
use crate::share::{Anchor, Panel, PictureNote, Present, QrPlace, View, decode, encode};

fn on(session: &mut Session, edit: LectureEdit) -> Vec<Effect> {
    update(session, Event::Lecture(edit))
}

/// A session with a run and three chapters: two of the default kernel, and one of another kernel and chip.
fn lecture() -> Session {
    let mut session = Session::new();
    let link = "v1;view=banks;cycle=3;c1.title=Row;c1.text=Thirty-two banks.;c1.view=banks;c1.cycle=1000;\
                c2.title=Column;c2.view=banks;c2.cycle=1400;c2.warp=2;c3.title=Other;c3.kernel=saxpy;c3.arch=gf100";
    update(&mut session, Event::Open(link.to_owned()));
    while session.work(10_000) {}
    session
}

fn titles(session: &Session) -> Vec<&str> {
    let chapters = session.ui.lecture.chapters.iter();
    chapters.map(|chapter| chapter.title.as_str()).collect()
}

#[test]
fn page_down_walks_through_the_chapters_and_their_kernels() {
    let mut session = lecture();
    assert!(session.ui.warnings.is_empty());
    on(&mut session, LectureEdit::Present);
    let mut seen = Vec::new();
    for _ in 0..4 {
        on(&mut session, LectureEdit::Beside(1));
        while session.work(10_000) {}
        let setup = session.setup();
        seen.push((
            session.ui.lecture.at,
            setup.kernel.clone(),
            session.ui.view,
            session.cycle(),
        ));
    }
    let tiled = || "transpose-tiled".to_owned();
    assert_eq!(
        seen,
        [
            (Some(0), tiled(), View::Banks, 1000),
            (Some(1), tiled(), View::Banks, 1400),
            (Some(2), "saxpy".to_owned(), View::Sm, 0),
            (Some(2), "saxpy".to_owned(), View::Sm, 0),
        ]
    );
    assert_eq!(session.ui.toast.as_deref(), Some("This is the last chapter."));
    assert_eq!(session.ui.lecture.present, Present::On);
    // The link holds the whole lecture and the chapter.
    let link = encode(&session.link());
    assert!(link.contains(";chapter=3;present=on;"), "{link}");
    let mut other = Session::new();
    update(&mut other, Event::Open(link.clone()));
    assert_eq!(encode(&other.link()), link);
}

#[test]
fn chapters_are_edited_in_steps_that_undo() {
    let mut session = lecture();
    on(&mut session, LectureEdit::Go(0));
    update(&mut session, Event::Step(7));
    update(&mut session, Event::Select(Target::Warp { slot: 5 }));
    on(&mut session, LectureEdit::Add);
    assert_eq!(titles(&session), ["Row", "Banks, cycle 1,007", "Column", "Other"]);
    assert_eq!(
        (session.ui.lecture.at, session.slot(), session.cycle()),
        (Some(1), 5, 1007)
    );
    assert_eq!(session.ui.lecture.chapters[1].scenario.warp, Some(5));
    on(&mut session, LectureEdit::Title(1, "Second row ".to_owned()));
    on(&mut session, LectureEdit::Text(1, "Say this.".to_owned()));
    on(&mut session, LectureEdit::Move(1, 2));
    assert_eq!(titles(&session), ["Row", "Column", "Other", "Second row"]);
    assert_eq!(session.ui.lecture.at, Some(3));
    on(&mut session, LectureEdit::Move(3, 1));
    on(&mut session, LectureEdit::Remove(0));
    assert_eq!(
        (titles(&session), session.ui.lecture.at),
        (vec!["Column", "Other", "Second row"], Some(2))
    );
    on(&mut session, LectureEdit::Clear);
    assert!(session.ui.lecture.chapters.is_empty());
    // Six changes, six steps back.
    for _ in 0..6 {
        assert!(session.history.can_undo());
        update(&mut session, Event::Undo);
    }
    assert_eq!(titles(&session), ["Row", "Column", "Other"]);
    assert!(!session.history.can_undo());
    update(&mut session, Event::Redo);
    assert_eq!(titles(&session)[1], "Banks, cycle 1,007");
}

#[test]
fn chapters_of_the_shown_run_are_on_the_strip() {
    let mut session = lecture();
    assert_eq!(session.chapters_on_strip(), [(0, 1000), (1, 1400)]);
    on(&mut session, LectureEdit::Go(2));
    assert_eq!(session.chapters_on_strip(), [(2, 0)]);
}

#[test]
fn a_file_of_chapters_is_read_and_written() {
    let mut session = lecture();
    let effects = on(&mut session, LectureEdit::Export);
    let [Effect::SaveText { name, text }] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(name, "warpscope-lecture.toml");
    let mut other = Session::new();
    on(&mut other, LectureEdit::Import(Ok(text.clone())));
    assert_eq!(other.ui.lecture.chapters, session.ui.lecture.chapters);
    assert_eq!((other.ui.lecture.at, other.cycle()), (Some(0), 1000));
    on(
        &mut other,
        LectureEdit::Import(Ok("title = 3\n[[chapter]]".to_owned())),
    );
    assert!(
        other.ui.warnings[0].starts_with("The lecture cannot be opened: "),
        "{:?}",
        other.ui.warnings
    );
    assert_eq!(titles(&other).len(), 3);
}

#[test]
fn a_published_lecture_has_short_words_until_it_is_changed() {
    let text = include_str!("../../../../www/lectures/shared-memory.toml");
    let mut session = Session::new();
    let effects = update(&mut session, Event::Open("v1;lecture=shared-memory/3".to_owned()));
    assert!(
        effects.contains(&Effect::ReadLecture("shared-memory".to_owned())),
        "{effects:?}"
    );
    assert_eq!(encode(&session.link()), "#v1;lecture=shared-memory/3");
    on(
        &mut session,
        LectureEdit::Arrived {
            id: "shared-memory".to_owned(),
            text: Ok(text.to_owned()),
        },
    );
    while session.work(10_000) {}
    assert_eq!(
        (session.ui.lecture.at, session.ui.lecture.chapters.len()),
        (Some(2), 10)
    );
    assert_eq!(
        session.short_words(),
        Some(("#v1;lecture=shared-memory/3".to_owned(), ""))
    );
    assert!(encode(&session.link()).contains(";lecture=shared-memory;chapter=3"));
    update(&mut session, Event::Step(1));
    assert_eq!(
        session.short_words().unwrap().1,
        "Opens the chapter as it was published."
    );
    on(&mut session, LectureEdit::Title(0, "Mine".to_owned()));
    let link = encode(&session.link());
    assert!(
        link.contains("c1.title=Mine") && !link.contains("lecture="),
        "{link}"
    );
    let (words, note) = session.short_words().unwrap();
    assert!(!words.contains("lecture"), "{words}: {note}");
}

#[test]
fn a_published_lecture_that_cannot_be_read_is_a_warning() {
    let mut session = Session::new();
    on(&mut session, LectureEdit::Open("shared-memory".to_owned(), 0));
    on(
        &mut session,
        LectureEdit::Arrived {
            id: "shared-memory".to_owned(),
            text: Err("the server answers 404.".to_owned()),
        },
    );
    assert_eq!(
        session.ui.warnings,
        ["The lecture shared-memory cannot be opened: the server answers 404."]
    );
    assert_eq!(encode(&session.link()), "#v1");
}

#[test]
fn the_list_of_published_lectures_agrees_with_their_files() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/lectures");
    for listed in PUBLISHED {
        let text = std::fs::read_to_string(folder.join(format!("{}.toml", listed.id))).unwrap();
        let file = crate::lecture::LectureFile::read(&text).unwrap();
        assert_eq!(
            (listed.title, listed.summary, listed.minutes),
            (&*file.title, &*file.summary, file.minutes)
        );
    }
}

#[test]
fn escape_closes_what_is_open_and_then_leaves() {
    let mut session = lecture();
    let effects = on(&mut session, LectureEdit::Present);
    assert!(effects.contains(&Effect::Presenter(true)));
    on(&mut session, LectureEdit::Blank);
    on(&mut session, LectureEdit::Qr);
    update(&mut session, Event::Panel(Panel::Keys));
    let state = |session: &Session| {
        let lecture = &session.ui.lecture;
        (session.ui.panel, lecture.blank, lecture.qr, lecture.present)
    };
    update(&mut session, Event::Close);
    assert_eq!(state(&session), (None, true, QrPlace::Full, Present::On));
    update(&mut session, Event::Close);
    assert_eq!(state(&session), (None, false, QrPlace::Full, Present::On));
    update(&mut session, Event::Close);
    assert_eq!(state(&session), (None, false, QrPlace::Off, Present::On));
    let effects = update(&mut session, Event::Close);
    assert!(effects.contains(&Effect::Presenter(false)));
    assert_eq!(state(&session), (None, false, QrPlace::Off, Present::Off));
}

#[test]
fn drawings_disappear_with_the_chapter_unless_they_are_kept() {
    let mut session = lecture();
    on(&mut session, LectureEdit::Present);
    let draw = |session: &mut Session| {
        on(session, LectureEdit::Stroke(0.1, 0.2));
        on(session, LectureEdit::StrokeTo(0.3, 0.4));
        on(session, LectureEdit::Stroke(0.5, 0.5));
    };
    draw(&mut session);
    assert_eq!(
        session.ui.lecture.strokes,
        [vec![(0.1, 0.2), (0.3, 0.4)], vec![(0.5, 0.5)]]
    );
    on(&mut session, LectureEdit::UndoStroke);
    assert_eq!(session.ui.lecture.strokes.len(), 1);
    assert!(!encode(&session.link()).contains("0.1"));
    on(&mut session, LectureEdit::Beside(1));
    assert!(session.ui.lecture.strokes.is_empty());
    on(&mut session, LectureEdit::KeepStrokes);
    draw(&mut session);
    on(&mut session, LectureEdit::Beside(1));
    assert_eq!(session.ui.lecture.strokes.len(), 2);
    on(&mut session, LectureEdit::ClearStrokes);
    assert!(session.ui.lecture.strokes.is_empty());
}

/// Sends what one window shows to the other, as the page does.
fn tell(from: &Session, to: &mut Session) {
    let shared = serde_json::to_string(&from.shared()).unwrap();
    on(
        to,
        LectureEdit::Follow(Box::new(serde_json::from_str(&shared).unwrap())),
    );
}

#[test]
fn the_notes_window_and_the_presenter_stay_in_step() {
    let mut presenter = lecture();
    on(&mut presenter, LectureEdit::Present);
    on(&mut presenter, LectureEdit::Go(0));
    let mut notes = Session::new();
    let link = presenter.notes_window_link();
    update(&mut notes, Event::Open(link));
    assert_eq!(notes.ui.lecture.present, Present::Notes);
    assert_eq!(notes.ui.lecture.current().unwrap().text, "Thirty-two banks.");
    // Both ways.
    on(&mut notes, LectureEdit::Beside(1));
    tell(&notes, &mut presenter);
    assert_eq!((presenter.ui.lecture.at, presenter.cycle()), (Some(1), 1400));
    assert_eq!(presenter.ui.lecture.present, Present::On);
    assert_eq!(presenter.shared(), notes.shared());
    on(&mut presenter, LectureEdit::Stroke(0.5, 0.5));
    on(&mut presenter, LectureEdit::Blank);
    tell(&presenter, &mut notes);
    assert_eq!(notes.ui.lecture.strokes, presenter.ui.lecture.strokes);
    assert!(notes.ui.lecture.blank);
}

#[test]
fn a_frozen_picture_stays_until_it_is_released() {
    let mut presenter = lecture();
    on(&mut presenter, LectureEdit::Present);
    on(&mut presenter, LectureEdit::Go(0));
    let mut notes = Session::new();
    update(&mut notes, Event::Open(presenter.notes_window_link()));
    on(&mut presenter, LectureEdit::Freeze);
    tell(&presenter, &mut notes);
    assert!(notes.ui.lecture.audience_frozen);
    on(&mut notes, LectureEdit::Beside(1));
    tell(&notes, &mut presenter);
    update(&mut presenter, Event::Step(50));
    assert_eq!((presenter.ui.lecture.at, presenter.cycle()), (Some(0), 1000));
    assert!(
        presenter
            .ui
            .toast
            .as_deref()
            .unwrap()
            .starts_with("The picture is frozen.")
    );
    // The clicker turns the page of the notes window.
    on(&mut presenter, LectureEdit::Attached(true));
    assert_eq!(on(&mut presenter, LectureEdit::Beside(1)), [Effect::TurnPage(1)]);
    on(&mut presenter, LectureEdit::Freeze);
    assert_eq!((presenter.ui.lecture.at, presenter.cycle()), (Some(1), 1400));
}

#[test]
fn notes_are_placed_written_moved_and_removed() {
    let mut session = lecture();
    let note = |session: &mut Session, edit: NoteEdit| on(session, LectureEdit::Note(edit));
    note(&mut session, NoteEdit::Place);
    let slot = session.slot();
    update(&mut session, Event::Select(Target::Bank(3)));
    assert_eq!(session.slot(), slot);
    note(
        &mut session,
        NoteEdit::Text(0, "All lanes: one bank, ~32 wavefronts + 1".to_owned()),
    );
    note(&mut session, NoteEdit::Place);
    note(&mut session, NoteEdit::At(Anchor::Place(View::Banks, 500, 250)));
    assert_eq!(session.ui.lecture.shown_note, Some(1));
    note(&mut session, NoteEdit::Move(1));
    note(&mut session, NoteEdit::At(Anchor::Line(12)));
    let notes = [
        PictureNote {
            anchor: Anchor::Bank(3),
            text: "All lanes: one bank, ~32 wavefronts + 1".to_owned(),
        },
        PictureNote {
            anchor: Anchor::Line(12),
            text: "Note".to_owned(),
        },
    ];
    let link = encode(&session.link());
    assert_eq!(decode(&link).scenario.notes, notes, "{link}");
    // A chapter keeps its notes.
    on(&mut session, LectureEdit::Add);
    on(&mut session, LectureEdit::Go(0));
    assert!(session.ui.lecture.notes.is_empty());
    on(&mut session, LectureEdit::Go(3));
    assert_eq!(session.ui.lecture.notes, notes);
    note(&mut session, NoteEdit::Text(1, String::new()));
    assert_eq!(session.ui.lecture.notes.len(), 1);
    note(&mut session, NoteEdit::Remove(0));
    assert!(session.ui.lecture.notes.is_empty());
    update(&mut session, Event::Undo);
    assert_eq!(session.ui.lecture.notes, notes[..1]);
    // Escape ends the placing.
    note(&mut session, NoteEdit::Place);
    update(&mut session, Event::Close);
    assert_eq!(session.ui.lecture.placing, None);
}
