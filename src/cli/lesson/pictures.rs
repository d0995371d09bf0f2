//! Checks of the pictures of a lesson, before and after its answers.

use super::{Runs, counters};
use workbench::app::{Event, LessonEdit, Session, update};
use workbench::lesson::{self, Ask, Lesson, Sight, Step, Task};
use workbench::scene::{Size, ring_places};

/// Widths and heights of the stage's picture beside a lesson: on a desktop, in projector size, and on a phone.
const STAGES: [(f32, f32); 3] = [(1060.0, 560.0), (540.0, 380.0), (390.0, 220.0)];

/// The mistakes that the pictures show: marks that are in no picture of their step, neither before nor after the
/// answer, and pictures that state the answer before it is given.
pub(super) fn faults(lesson: &Lesson, text: &str, runs: &mut Runs) -> Vec<String> {
    let mut session = Session::new();
    let mut faults = Vec::new();
    for (idx, step) in lesson.steps.iter().enumerate() {
        let mut missing = marks(step);
        let arrived = LessonEdit::Arrived {
            id: "checked".to_owned(),
            step: idx,
            text: Ok(text.to_owned()),
        };
        let mut fault = |message: String| faults.push(format!("step {}: {message}", idx + 1));
        for edit in [arrived, LessonEdit::Show] {
            let is_before = edit != LessonEdit::Show;
            update(&mut session, Event::Lesson(edit));
            while session.work(100_000) {}
            missing.retain(|(mark, stage)| !is_ringed(&mut session, mark, *stage));
            if is_before && let Some(message) = stated_answer(&mut session, step, runs) {
                fault(message);
            }
        }
        for (mark, (width, height)) in missing {
            fault(format!("no picture of {width} x {height} has `{mark}` to ring"));
        }
    }
    faults
}

/// The marks of a step with the stages that must have them. A phone has room for the first mark at least.
fn marks(step: &Step) -> Vec<(&str, (f32, f32))> {
    let is_edit = matches!(step.ask.as_ref().map(Ask::task), Some(Task::Edit(_)));
    // The editor of a task rings lines.
    let marks = step
        .mark
        .iter()
        .filter(|mark| !(is_edit && mark.starts_with("line ")));
    marks
        .enumerate()
        .flat_map(|(idx, mark)| {
            let stages = if idx == 0 { &STAGES[..] } else { &STAGES[..2] };
            stages.iter().map(move |stage| (mark.as_str(), *stage))
        })
        .collect()
}

/// Whether the picture of this size has what a mark names, on the side that rings it.
fn is_ringed(session: &mut Session, mark: &str, (width, height): (f32, f32)) -> bool {
    let Some(target) = lesson::target(mark) else {
        return false;
    };
    session.ui.widths = [width; 4];
    let views = [Some(session.ui.view), session.ui.split];
    let sides = 0..session.num_sides();
    sides.into_iter().any(|side| {
        let rings = session.lesson_marks_on(side).contains(&target);
        let is_drawn = |view| {
            let scene = session.shown_side(side).picture(view, Size { width, height });
            scene.is_some_and(|scene| !ring_places(&scene, &[target]).is_empty())
        };
        rings && views.into_iter().flatten().any(is_drawn)
    })
}

/// Says that the picture states the answer of a step that keeps it in sight, if so.
fn stated_answer(session: &mut Session, step: &Step, runs: &mut Runs) -> Option<String> {
    let ask = step
        .ask
        .as_ref()
        .filter(|_| step.is_veiled() && step.shows(Sight::Picture))?;
    let (width, height) = STAGES[0];
    session.ui.widths = [width; 4];
    let own = runs.of(&step.scenario(), step.view_with_run()).ok()?;
    let other = runs.other(ask, step.view_with_run()).ok()?;
    let scene = session
        .shown_side(0)
        .picture(session.ui.view, Size { width, height })?;
    let given = ask.answer_in(&scene.headline, f64::INFINITY, &counters(&own, other.as_deref()))?;
    Some(format!(
        "the picture before the answer states it (“{given}”): “{}”",
        scene.headline
    ))
}
