//! The window of the lessons: the courses with the reader's progress, a search, and the map of the guides' claims.

use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, KeyboardEvent, MouseEvent, TargetCast, html};

use super::chapters::{lecture_row, published};
use super::claims::claims;
use super::lesson::{fold, needs, open_event};
use super::modal::Modal;
use workbench::app::glossary::{Entry, GlossaryEdit};
use workbench::app::lessons::ladder::Rung;
use workbench::app::lessons::search::LessonMatch;
use workbench::app::lessons::{Course, LessonEdit};
use workbench::app::{Event, Panel, Session};

/// The window, with the courses or with the claims of the guides.
pub(crate) fn lessons(session: &Session, dispatch: &Callback<Event>) -> Html {
    let is_map = session.ui.panel == Some(Panel::Guides);
    let body = if is_map {
        claims(session, dispatch)
    } else {
        courses(session, dispatch)
    };
    html! {
        <Modal title="Lessons" id="lessons" class="lessons" dispatch={dispatch.clone()}>
            <div class="lessons-tools">
                { search(session, is_map, dispatch) }
                <div class="lessons-kinds" role="group" aria-label="Show">
                    { kind("Courses", "lessons-courses", Panel::Lessons, !is_map, dispatch) }
                    { kind("Claims of the guides", "lessons-guides", Panel::Guides, is_map, dispatch) }
                </div>
            </div>
            { body }
        </Modal>
    }
}

/// A button that shows the courses or the claims.
fn kind(name: &str, id: &'static str, panel: Panel, is_shown: bool, dispatch: &Callback<Event>) -> Html {
    let dispatch = dispatch.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        // The event of an open panel closes it.
        if !is_shown {
            dispatch.emit(Event::Panel(panel));
        }
    });
    html! { <button class="chip" aria-pressed={is_shown.to_string()} data-testid={id} {onclick}>{ name }</button> }
}

fn search(session: &Session, is_map: bool, dispatch: &Callback<Event>) -> Html {
    let oninput = dispatch.reform(|event: InputEvent| {
        Event::Lesson(LessonEdit::Search(
            event.target_unchecked_into::<HtmlInputElement>().value(),
        ))
    });
    let send = dispatch.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && !is_map {
            event.prevent_default();
            send.emit(Event::Lesson(LessonEdit::TakeFirst));
        }
    });
    let name = if is_map {
        "Find a claim"
    } else {
        "Find a lesson, a lecture, or a term"
    };
    html! {
        <input class="find-field" type="search" data-testid="lessons-search" value={session.ui.lessons.search.clone()}
            aria-label={name} placeholder={name} autocomplete="off" spellcheck="false" {oninput} {onkeydown}/>
    }
}

fn courses(session: &Session, dispatch: &Callback<Event>) -> Html {
    let courses = match &session.ui.lessons.courses {
        None => return html! { <p class="none" role="status">{ "Loading the lessons…" }</p> },
        Some(Err(message)) => {
            return html! {
                <>
                    <p class="none" role="alert" data-testid="lessons-failed">{ message }</p>
                    <button class="btn line" data-testid="lessons-again" onclick={dispatch.reform(|_| Event::Lesson(LessonEdit::Reread))}>{ "Try again" }</button>
                </>
            };
        }
        Some(Ok(courses)) => courses,
    };
    if !session.lesson_search().is_empty() {
        return found(session, dispatch);
    }
    html! {
        <>
            { for courses.iter().map(|row| course(session, row, dispatch)) }
            <section>
                <h3>{ "Lectures" }</h3>
                <p class="dim">{ "Chapters with speaker notes, for a class: Page Down shows the next one, P the presenter." }</p>
                { published(dispatch) }
            </section>
            { progress(session, dispatch) }
        </>
    }
}

fn course(session: &Session, course: &Course, dispatch: &Callback<Event>) -> Html {
    let (num, finished) = (course.lessons.len(), session.num_finished(course));
    let is_open = session.is_unfolded(&course.id);
    let rungs = course.lessons.iter().map(|lesson| Rung { course, lesson });
    let state = if finished == num {
        "✓ finished".to_owned()
    } else {
        format!("{finished} of {num} finished")
    };
    let done = rungs.clone().map(|rung| session.has_finished(&rung));
    html! {
        <section class="course" key={course.id.clone()}>
            <div class="course-head">
                <h3>{ fold(&course.title, &course.id, format!("course-{}", course.id), is_open, dispatch) }</h3>
                <span class="dim when">{ state }</span>
                <span class="course-bar" aria-hidden="true">{ for done.map(|done| html! { <i data-done={done.to_string()}/> }) }</span>
            </div>
            <p class="dim">{ &course.summary }</p>
            if is_open { <ul class="recent">{ for rungs.map(|rung| row(session, &rung, None, dispatch)) }</ul> }
        </section>
    }
}

/// A lesson of the list. `place`: its course and what the search found, instead of the summary alone.
fn row(session: &Session, rung: &Rung<'_>, place: Option<String>, dispatch: &Callback<Event>) -> Html {
    let done = session.lesson_progress(rung);
    let state = match (done.finished, done.steps) {
        (true, _) => "✓ finished".to_owned(),
        (false, 0) => format!("{} min", rung.lesson.minutes),
        (false, steps) => format!("step {} of {}", steps + 1, rung.lesson.steps),
    };
    let test = format!("lesson-{}-{}", rung.course.id, rung.lesson.id);
    let open = open_event(session, rung);
    let onclick = dispatch.reform(move |_| open.clone());
    html! {
        <li key={rung.id()}>
            <button class="visit" data-testid={test} {onclick}>
                <span><b>{ &rung.lesson.title }</b><span class="dim">{ &rung.lesson.summary }</span>
                    { place.map(|place| html! { <span class="dim">{ place }</span> }).unwrap_or_default() }</span>
                <span class="dim when">{ state }</span>
            </button>
            { needs(session, rung, dispatch) }
        </li>
    }
}

/// What the search finds.
fn found(session: &Session, dispatch: &Callback<Event>) -> Html {
    let (lessons, lectures, terms) = (
        session.lessons_found(),
        session.lectures_found(),
        session.terms_found(),
    );
    let num = lessons.len() + lectures.len() + terms.len();
    let note = if num == 0 {
        format!(
            "No lesson, lecture, or term matches “{}”. Search for fewer or other words.",
            session.ui.lessons.search.trim()
        )
    } else {
        format!("{num} found")
    };
    let lesson = |found: &LessonMatch<'_>| {
        let place = match found.by {
            Some(by) => format!("{} · {by}", found.rung.course.title),
            None => found.rung.course.title.clone(),
        };
        row(session, &found.rung, Some(place), dispatch)
    };
    html! {
        <>
            <p class="dim" role="status" data-testid="lessons-found">{ note }</p>
            if !lessons.is_empty() { <ul class="recent">{ for lessons.iter().map(lesson) }</ul> }
            if !lectures.is_empty() {
                <section><h3>{ "Lectures" }</h3><ul class="recent">{ for lectures.iter().map(|of| lecture_row(of, dispatch)) }</ul></section>
            }
            if !terms.is_empty() {
                <section><h3>{ "Terms" }</h3><ul class="recent">{ for terms.iter().map(|of| term(of, dispatch)) }</ul></section>
            }
        </>
    }
}

fn term(term: &Entry, dispatch: &Callback<Event>) -> Html {
    let name = term.name.clone();
    let onclick = dispatch.reform(move |_| Event::Glossary(GlossaryEdit::Open(name.clone())));
    html! {
        <li key={term.id.clone()}>
            <button class="visit" data-testid={format!("found-term-{}", term.id)} {onclick}>
                <span><b>{ &term.name }</b><span class="dim">{ &term.text }</span></span><span class="dim when">{ &term.kind }</span>
            </button>
        </li>
    }
}

fn progress(session: &Session, dispatch: &Callback<Event>) -> Html {
    if session.ui.lessons.progress.is_empty() {
        return html! { <p class="dim">{ "Your progress stays on this device." }</p> };
    }
    let send = |edit: LessonEdit| dispatch.reform(move |_: MouseEvent| Event::Lesson(edit.clone()));
    html! {
        <div class="lessons-foot">
            <span class="dim">{ "Your progress stays on this device." }</span><span class="grow"/>
            <button class="btn line" data-testid="lessons-export" onclick={send(LessonEdit::Export)}>{ "Save progress" }</button>
            <button class="btn line" data-testid="lessons-forget" onclick={send(LessonEdit::Forget)}>{ "Forget progress" }</button>
        </div>
    }
}
