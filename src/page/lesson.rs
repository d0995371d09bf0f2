//! Lessons: the column of the open lesson, and the list of courses.

use web_sys::{HtmlInputElement, SubmitEvent};
use yew::{Callback, Html, InputEvent, TargetCast, html};

use super::chapters::published;
use super::header::button;
use super::help::Modal;
use super::icon::Icon;
use workbench::app::lessons::{Course, CourseLesson, LessonEdit, OpenLesson, Phase};
use workbench::app::{Event, Session};
use workbench::lesson::{Ask, Choice, Number, Task};

/// The column of the open lesson. `wait`: the state of the run that an answer waits for.
pub(crate) fn lesson(open: &OpenLesson, wait: Option<String>, dispatch: &Callback<Event>) -> Html {
    let num = open.lesson.steps.len();
    let step = open.shown();
    html! {
        <section class="lesson" aria-label="Lesson" data-testid="lesson">
            <div class="lesson-bar" role="progressbar" aria-label="Steps" aria-valuemin="1" aria-valuemax={num.to_string()}
                aria-valuenow={(open.step + 1).to_string()}>
                { for (0..num).map(|idx| html! { <i data-done={(idx <= open.step).to_string()}/> }) }
            </div>
            <div class="lesson-head">
                <span class="label">{ format!("{} · step {} of {num}", open.lesson.title, open.step + 1) }</span>
                <span class="grow"/>
                { button(Icon::Close, "Leave the lesson", "lesson-leave", "", dispatch, Event::Lesson(LessonEdit::Leave)) }
            </div>
            <div class="lesson-body" key={open.step} tabindex="0" role="group" aria-label="Step">
                <h2 data-testid="lesson-title">{ &step.title }</h2>
                { for paragraphs(&step.text).into_iter().map(|text| html! { <p>{ marked(text) }</p> }) }
                { open.ask().map(|ask| question(open, ask, wait, dispatch)) }
                { open.hides_picture().then(|| html! {
                    <p class="lesson-note" data-testid="lesson-note">{ "The picture appears after your answer." }</p>
                }) }
                <p class="lesson-source">{ "Source: " }{ &step.source }</p>
            </div>
            { foot(open, dispatch) }
        </section>
    }
}

/// The paragraphs of a text.
fn paragraphs(text: &str) -> Vec<&str> {
    text.split("\n\n")
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect()
}

/// Text with code in backquotes.
pub(super) fn marked(text: &str) -> Html {
    let part = |(idx, part): (usize, &str)| {
        if idx % 2 == 1 {
            html! { <code>{ part }</code> }
        } else {
            html! { { part } }
        }
    };
    html! { <>{ for text.split('`').enumerate().map(part) }</> }
}

/// The question, the reader's answers with their grades, and the explanation.
fn question(open: &OpenLesson, ask: &Ask, wait: Option<String>, dispatch: &Callback<Event>) -> Html {
    let wrong = match &open.phase {
        Phase::Asked(wrong) => wrong.as_slice(),
        Phase::Answered { .. } | Phase::Read => &[],
    };
    let attempt = |(given, reason): &(String, String)| {
        html! { <p class="grade" data-grade="wrong">{ "✗ " }<b>{ given }</b>{ " " }{ marked(reason) }</p> }
    };
    let is_asked = matches!(open.phase, Phase::Asked(_));
    let check = dispatch.reform(|event: SubmitEvent| {
        event.prevent_default();
        Event::Lesson(LessonEdit::Check)
    });
    let hint = (is_asked && open.hint).then_some(&ask.hint);
    html! {
        <form class="ask" onsubmit={check} data-testid="lesson-ask">
            <p class="question">{ marked(&ask.question) }</p>
            <div role="status">
                { for wrong.iter().map(attempt) }
                { answered(open, ask) }
            </div>
            { if is_asked { answer(open, ask, dispatch) } else { Html::default() } }
            <p class="refusal" role="alert">{ &open.invalid }</p>
            // An absent line is an empty node: with fewer nodes, the field would be replaced, and lose the focus.
            { wait.map(|wait| html! { <p class="label" data-testid="lesson-wait">{ wait }</p> }).unwrap_or_default() }
            { hint.map(|hint| html! { <p class="lesson-hint" data-testid="lesson-hint-text">{ marked(hint) }</p> }).unwrap_or_default() }
        </form>
    }
}

/// The grade of an answered question, and the explanation.
fn answered(open: &OpenLesson, ask: &Ask) -> Html {
    let Phase::Answered { right, given } = &open.phase else {
        return Html::default();
    };
    let (sign, name) = if *right { ("✓ ", "right") } else { ("", "shown") };
    // The explanation repeats a number, but not the text of an option.
    let option = given
        .as_ref()
        .filter(|_| matches!(ask.task(), Task::Choice(_)))
        .map(|given| html! { <><b>{ given }</b>{ " " }</> });
    html! {
        <p class="grade" data-grade={name} data-testid="lesson-grade">{ sign }{ option }{ marked(&ask.right) }</p>
    }
}

/// The field of an open question.
fn answer(open: &OpenLesson, ask: &Ask, dispatch: &Callback<Event>) -> Html {
    match ask.task() {
        Task::Number(task) => number(open, task, dispatch),
        Task::Choice(task) => choice(open, task, dispatch),
        Task::Click(task) => {
            html! { <p class="label">{ format!("Click a {} in the picture, or move to it with , and . and press Enter.", task.kind) }</p> }
        }
        Task::Edit(_) => html! {
            <div class="answer">
                <p class="label">{ "Change the kernel. When its run has ended, check it." }</p>
                <button class="btn line" data-testid="lesson-check">{ "Check" }</button>
            </div>
        },
    }
}

fn number(open: &OpenLesson, task: &Number, dispatch: &Callback<Event>) -> Html {
    let oninput = dispatch.reform(|event: InputEvent| {
        Event::Lesson(LessonEdit::Draft(
            event.target_unchecked_into::<HtmlInputElement>().value(),
        ))
    });
    html! {
        <div class="answer">
            <label><input class="field" inputmode="decimal" autocomplete="off" data-testid="lesson-number" autofocus=true
                aria-invalid={(!open.invalid.is_empty()).to_string()} value={open.draft.clone()} {oninput}/>{ &task.unit }</label>
            <button class="btn line" data-testid="lesson-check">{ "Check" }</button>
        </div>
    }
}

fn choice(open: &OpenLesson, task: &Choice, dispatch: &Callback<Event>) -> Html {
    let option = |(idx, text): (usize, &String)| {
        let onchange = dispatch.reform(move |_: yew::Event| Event::Lesson(LessonEdit::Pick(idx)));
        html! {
            <label class="option">
                <input type="radio" name="lesson-choice" data-testid={format!("lesson-option-{idx}")}
                    checked={open.picked == Some(idx)} {onchange}/>
                <span>{ marked(text) }</span>
            </label>
        }
    };
    html! {
        <div class="answer" role="radiogroup" aria-label="Answers">
            { for task.options.iter().enumerate().map(option) }
            <button class="btn line" data-testid="lesson-check">{ "Check" }</button>
        </div>
    }
}

fn foot(open: &OpenLesson, dispatch: &Callback<Event>) -> Html {
    let send = |edit: LessonEdit| dispatch.reform(move |_: web_sys::MouseEvent| Event::Lesson(edit.clone()));
    let is_asked = matches!(open.phase, Phase::Asked(_));
    let next = if open.is_last() { "Finish" } else { "Next" };
    html! {
        <div class="lesson-foot">
            <button class="btn line" data-testid="lesson-back" disabled={open.step == 0} onclick={send(LessonEdit::Back)}>{ "Back" }</button>
            <span class="grow"/>
            if is_asked {
                <button class="btn" data-testid="lesson-hint" disabled={open.hint} onclick={send(LessonEdit::Hint)}>{ "Hint" }</button>
                <button class="btn" data-testid="lesson-show" onclick={send(LessonEdit::Show)}>{ "Show the answer" }</button>
                <button class="btn line" data-testid="lesson-next" onclick={send(LessonEdit::Next)}>{ "Skip" }</button>
            } else {
                <button class="btn solid" data-testid="lesson-next" onclick={send(LessonEdit::Next)}>{ next }</button>
            }
        </div>
    }
}

/// The list of courses and lessons.
pub(crate) fn lessons(session: &Session, dispatch: &Callback<Event>) -> Html {
    let body = match &session.ui.lessons.courses {
        None => html! { <p class="none" role="status">{ "Loading the lessons…" }</p> },
        Some(Err(message)) => html! {
            <>
                <p class="none" role="alert" data-testid="lessons-failed">{ message }</p>
                <button class="btn line" data-testid="lessons-again" onclick={dispatch.reform(|_| Event::Lesson(LessonEdit::Reread))}>{ "Try again" }</button>
            </>
        },
        Some(Ok(courses)) => html! {
            <>
                { for courses.iter().map(|row| course(session, row, dispatch)) }
                <section>
                    <h3>{ "Lectures" }</h3>
                    <p class="dim">{ "Chapters with speaker notes, for a class: Page Down shows the next one, P the presenter." }</p>
                    { published(dispatch) }
                </section>
                { progress(session, dispatch) }
            </>
        },
    };
    html! { <Modal title="Lessons" id="lessons" class="lessons" dispatch={dispatch.clone()}>{ body }</Modal> }
}

fn course(session: &Session, course: &Course, dispatch: &Callback<Event>) -> Html {
    let row = |entry: &CourseLesson| {
        let id = format!("{}/{}", course.id, entry.id);
        let done = session.ui.lessons.progress.get(&id).copied().unwrap_or_default();
        let state = match (done.finished, done.steps) {
            (true, _) => "✓ finished".to_owned(),
            (false, 0) => format!("{} min", entry.minutes),
            (false, steps) => format!("step {} of {}", steps + 1, entry.steps),
        };
        // A lesson that was left goes on where it was left.
        let step = if done.finished { 0 } else { done.steps };
        let test = format!("lesson-{}-{}", course.id, entry.id);
        let onclick = dispatch.reform(move |_| Event::Lesson(LessonEdit::Open(id.clone(), step)));
        html! {
            <li>
                <button class="visit" data-testid={test} {onclick}>
                    <span><b>{ &entry.title }</b><span class="dim">{ &entry.summary }</span></span><span class="dim when">{ state }</span>
                </button>
            </li>
        }
    };
    html! {
        <section>
            <h3>{ &course.title }</h3>
            <p class="dim">{ &course.summary }</p>
            <ul class="recent">{ for course.lessons.iter().map(row) }</ul>
        </section>
    }
}

fn progress(session: &Session, dispatch: &Callback<Event>) -> Html {
    if session.ui.lessons.progress.is_empty() {
        return html! { <p class="dim">{ "Your progress stays on this device." }</p> };
    }
    let send = |edit: LessonEdit| dispatch.reform(move |_: web_sys::MouseEvent| Event::Lesson(edit.clone()));
    html! {
        <div class="lessons-foot">
            <span class="dim">{ "Your progress stays on this device." }</span><span class="grow"/>
            <button class="btn line" data-testid="lessons-export" onclick={send(LessonEdit::Export)}>{ "Save progress" }</button>
            <button class="btn line" data-testid="lessons-forget" onclick={send(LessonEdit::Forget)}>{ "Forget progress" }</button>
        </div>
    }
}
