use super::*;
use crate::app::golden::opened;
use crate::app::{Event, update};
use crate::scene::Size;
use crate::share::View;
use engine::ids::SlotIdx;

/// Sizes of the stage's picture: desktop, a small window in projector size, and a phone.
const SIZES: [Size; 3] = [
    Size {
        width: 832.0,
        height: 636.0,
    },
    Size {
        width: 550.0,
        height: 380.0,
    },
    Size {
        width: 390.0,
        height: 430.0,
    },
];

fn step(session: &mut Session, edit: TourEdit) {
    update(session, Event::Tour(edit));
    while session.work(10_000) {}
}

/// The number of the shown stop, from 1.
fn stop(session: &Session) -> Option<usize> {
    session.ui.tour.as_ref().map(|tour| tour.step + 1)
}

#[test]
fn the_file_has_no_mistakes() {
    let stops = stops();
    assert_eq!(stops.len(), 9);
    for stop in &stops {
        assert_eq!(stop.rings().count(), stop.ring.len(), "{:?}", stop.ring);
        assert!(!stop.ring.is_empty(), "{}", stop.title);
        assert!(decode(&stop.link).warnings.is_empty(), "{}", stop.link);
        let sentences = stop.text.matches(['.', '?']).count();
        assert!((1..=2).contains(&sentences), "{}", stop.text);
    }
}

#[test]
fn each_ring_of_the_picture_has_its_item_at_every_size() {
    let mut session = opened("");
    step(&mut session, TourEdit::Start);
    while let Some(number) = stop(&session) {
        for size in SIZES {
            session.ui.widths = [size.width; 4];
            let scene = session.shown().picture(session.ui.view, size).unwrap();
            for target in session.ringed(0) {
                // The ring itself has no target.
                let has = scene.items.iter().any(|item| item.target == Some(target));
                assert!(has, "stop {number} at {} px: {target:?}", size.width);
            }
        }
        step(&mut session, TourEdit::Next);
    }
}

/// What the texts say about the run at the shown cycle.
#[test]
fn the_stops_say_what_the_run_does() {
    let mut session = opened("");
    step(&mut session, TourEdit::Start);
    let state = |session: &Session, slot: u16| {
        let shown = session.shown();
        let frame = shown.frame().unwrap();
        (frame.state(SlotIdx(slot)).name(), frame.opcode(SlotIdx(slot)))
    };
    let table = |session: &Session| {
        let scene = session.shown().picture(session.ui.view, SIZES[0]).unwrap();
        scene.table.rows
    };
    assert_eq!(table(&session).iter().map(|row| &row[0]).max().unwrap(), "3");
    step(&mut session, TourEdit::Next);
    assert_eq!(state(&session, 0), ("Selected", "SHF.L.U32".to_owned()));
    step(&mut session, TourEdit::Next);
    step(&mut session, TourEdit::Next);
    assert_eq!(state(&session, 24), ("MIO Throttle", "STS".to_owned()));
    assert_eq!(session.slot() % 4, 0);
    step(&mut session, TourEdit::Next);
    let banks = |cycle: u64| {
        let link = format!("v1;view=banks;cycle={cycle};warp=1");
        opened(&link)
    };
    let banks = banks(session.cycle());
    let scene = banks.shown().picture(View::Banks, SIZES[0]).unwrap();
    assert!(scene.headline.contains("bank 1"), "{}", scene.headline);
    assert!(scene.headline.contains("32 wavefronts"), "{}", scene.headline);
    assert_eq!(state(&session, 1).0, "Short Scoreboard");
    step(&mut session, TourEdit::Next);
    step(&mut session, TourEdit::Next);
    let rows = table(&session);
    let line = rows.iter().find(|row| row[0] == "26").unwrap();
    assert_eq!(line[6], "3,968");
    step(&mut session, TourEdit::Next);
    assert_eq!(stop(&session), Some(8));
    let why = session.inspection().unwrap().why_text();
    assert!(
        why.contains("R15") && why.contains("line 26") && why.contains("47 cycles"),
        "{why}"
    );
    assert!(!session.inspection().unwrap().sources.is_empty());
}

#[test]
fn the_tour_restores_what_the_reader_saw() {
    let mut session = opened("v1;kernel=saxpy;view=stalls;cycle=40;right=closed");
    let before = session.link();
    step(&mut session, TourEdit::Start);
    assert_eq!(session.ui.right, Side::Default);
    step(&mut session, TourEdit::Back);
    step(&mut session, TourEdit::Next);
    assert_eq!((stop(&session), session.link().tour), (Some(2), Some(1)));
    step(&mut session, TourEdit::Leave);
    assert_eq!((stop(&session), session.link()), (None, before.clone()));
    // The last stop ends the tour, too.
    step(&mut session, TourEdit::Start);
    for _ in 0..9 {
        step(&mut session, TourEdit::Next);
    }
    assert_eq!((stop(&session), session.link()), (None, before));
}

#[test]
fn a_first_visit_goes_on_after_the_tour() {
    let mut session = opened("");
    update(&mut session, Event::FirstVisit);
    while session.seeks_moments() {
        session.look_on();
    }
    assert!(session.ui.welcome.is_some() && session.playback.playing.is_some());
    step(&mut session, TourEdit::Start);
    assert!(session.ui.welcome.is_none() && session.playback.playing.is_none());
    step(&mut session, TourEdit::Leave);
    assert!(session.ui.welcome.is_some());
}

#[test]
fn a_link_opens_a_stop_and_has_no_wrong_ones() {
    let session = opened("v1;tour=4");
    assert_eq!((stop(&session), session.cycle()), (Some(4), 1284));
    assert!(session.ui.warnings.is_empty());
    for link in ["v1;tour=0", "v1;tour=10"] {
        let session = opened(link);
        assert_eq!((stop(&session), session.ui.warnings.len()), (None, 1), "{link}");
    }
    // Back and forward in the browser keep the reader's scenario.
    let mut session = opened("v1;kernel=saxpy");
    step(&mut session, TourEdit::Start);
    update(&mut session, Event::Open("v1;tour=2".to_owned()));
    step(&mut session, TourEdit::Leave);
    assert_eq!(session.setup().kernel, "saxpy");
}

#[test]
fn a_lesson_ends_the_tour() {
    let mut session = opened("v1;kernel=saxpy;cycle=40");
    step(&mut session, TourEdit::Start);
    let text = include_str!("../../../../www/lessons/memory/column-read.toml").to_owned();
    let arrived = crate::app::LessonEdit::Arrived {
        id: "memory/column-read".to_owned(),
        step: 0,
        text: Ok(text),
    };
    update(&mut session, Event::Lesson(arrived));
    assert_eq!(stop(&session), None);
    update(&mut session, Event::Lesson(crate::app::LessonEdit::Leave));
    assert_eq!((session.setup().kernel.as_str(), session.cycle()), ("saxpy", 40));
}
