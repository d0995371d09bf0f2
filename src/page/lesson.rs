//! The column of the open lesson.

use web_sys::{HtmlInputElement, SubmitEvent};
use yew::{Callback, Html, InputEvent, TargetCast, html};

use super::button::button;
use super::icon::Icon;
use workbench::app::lessons::ladder::Rung;
use workbench::app::lessons::{LessonEdit, OpenLesson, Phase};
use workbench::app::{Event, Session};
use workbench::lesson::{Ask, Choice, Number, Task, graded};
use workbench::scene::counted;

/// The column of the open lesson.
pub(crate) fn lesson(session: &Session, open: &OpenLesson, dispatch: &Callback<Event>) -> Html {
    let num = open.lesson.steps.len();
    let place = if open.is_ended {
        format!("{} · end", open.lesson.title)
    } else {
        format!("{} · step {} of {num}", open.lesson.title, open.step + 1)
    };
    html! {
        <section class="lesson" aria-label="Lesson" data-testid="lesson">
            <div class="lesson-bar" role="progressbar" aria-label="Steps" aria-valuemin="1" aria-valuemax={num.to_string()}
                aria-valuenow={(open.step + 1).to_string()}>
                { for (0..num).map(|idx| html! { <i data-done={(idx <= open.step).to_string()}/> }) }
            </div>
            <div class="lesson-head">
                <span class="label">{ place }</span>
                <span class="grow"/>
                { button(Icon::Close, "Leave the lesson", "lesson-leave", "", dispatch, Event::Lesson(LessonEdit::Leave)) }
            </div>
            if open.is_ended {
                { end(session, open, dispatch) }
            } else {
                { step(open, session.lesson_wait(), dispatch) }
                { foot(open, dispatch) }
            }
        </section>
    }
}

/// The shown step. `wait`: the state of the run that an answer waits for.
fn step(open: &OpenLesson, wait: Option<String>, dispatch: &Callback<Event>) -> Html {
    let step = open.shown();
    html! {
        <div class="lesson-body" key={open.step} tabindex="0" role="group" aria-label="Step">
            <h2 data-testid="lesson-title">{ &step.title }</h2>
            { for paragraphs(&step.text).into_iter().map(|text| html! { <p>{ marked(text) }</p> }) }
            { open.ask().map(|ask| question(open, ask, wait, dispatch)) }
            { open.hides_picture().then(|| html! {
                <p class="lesson-note" data-testid="lesson-note">{ "The picture appears after your answer." }</p>
            }) }
            <p class="lesson-source">{ "Source: " }{ &step.source }</p>
        </div>
    }
}

/// The page after the last step: the questions answered right, the next lesson, and what builds on this one.
fn end(session: &Session, open: &OpenLesson, dispatch: &Callback<Event>) -> Html {
    let (right, num) = open.score();
    let kept = session.ui.lessons.progress.get(&open.id);
    let best = kept.map_or(right, |kept| kept.right.max(right)).min(num);
    let score = format!(
        "Best result: {best} of {} right.",
        counted(num as u64, "question")
    );
    let courses = &session.ui.lessons.courses;
    let next = session.next_lesson(&open.id);
    let others: Vec<Rung<'_>> = session
        .built_on(&open.id)
        .into_iter()
        .filter(|rung| next.is_none_or(|next| next.id() != rung.id()))
        .collect();
    let note = match courses {
        None => Some("Loading the lessons…".to_owned()),
        Some(Err(message)) => Some(message.clone()),
        Some(Ok(_)) if next.is_none() && session.rung(&open.id).is_some() => {
            Some("All lessons are finished.".to_owned())
        }
        Some(Ok(_)) => None,
    };
    let link = |rung: &Rung<'_>| html! { <li>{ lesson_link(session, rung, dispatch) }</li> };
    html! {
        <>
            <div class="lesson-body" key="end" tabindex="0" role="group" aria-label="End of the lesson" data-testid="lesson-end">
                <h2>{ "Lesson finished" }</h2>
                if num > 0 { <p>{ score }</p> }
                { note.map(|note| html! { <p class="lesson-note" role="status">{ note }</p> }).unwrap_or_default() }
                { next.map(|next| html! {
                    <section class="lesson-next">
                        <h3>{ format!("Next, in {}", next.course.title) }</h3>
                        <p>{ lesson_link(session, &next, dispatch) }{ format!(" {} min", next.lesson.minutes) }</p>
                        <p class="dim">{ &next.lesson.summary }</p>
                        { needs(session, &next, dispatch) }
                    </section>
                }).unwrap_or_default() }
                if !others.is_empty() {
                    <section class="lesson-next">
                        <h3>{ "Also builds on this lesson" }</h3>
                        <ul>{ for others.iter().map(link) }</ul>
                    </section>
                }
                { claims(open, dispatch) }
            </div>
            { end_foot(next.as_ref(), session, dispatch) }
        </>
    }
}

/// The claims of the guides that the lesson makes visible, as links into the map.
fn claims(open: &OpenLesson, dispatch: &Callback<Event>) -> Html {
    if open.lesson.claims.is_empty() {
        return Html::default();
    }
    let row = |id: &String| {
        let text = id.clone();
        let onclick = dispatch.reform(move |_| Event::Lesson(LessonEdit::ShowClaims(text.clone())));
        html! { <button class="link" data-testid={format!("claim-{id}")} {onclick}>{ id }</button> }
    };
    html! {
        <section class="lesson-next">
            <h3>{ "Claims of the tuning guides" }</h3>
            <p class="lesson-claims">{ for open.lesson.claims.iter().map(row) }</p>
        </section>
    }
}

/// A link that opens a lesson where it was left.
pub(super) fn lesson_link(session: &Session, rung: &Rung<'_>, dispatch: &Callback<Event>) -> Html {
    let open = open_event(session, rung);
    let onclick = dispatch.reform(move |_| open.clone());
    html! { <button class="link" {onclick}>{ &rung.lesson.title }</button> }
}

/// A button that folds what it heads.
pub(super) fn fold(name: &str, id: &str, test: String, is_open: bool, dispatch: &Callback<Event>) -> Html {
    let id = id.to_owned();
    let onclick = dispatch.reform(move |_| Event::Lesson(LessonEdit::Fold(id.clone())));
    let icon = if is_open { Icon::Down } else { Icon::On };
    html! {
        <button class="course-fold" aria-expanded={is_open.to_string()} data-testid={test} {onclick}>{ icon.html() }<span>{ name }</span></button>
    }
}

/// The lessons that come before a lesson, as links, with a tick for each finished one.
pub(super) fn needs(session: &Session, rung: &Rung<'_>, dispatch: &Callback<Event>) -> Html {
    let needed = session.needed_by(rung);
    if needed.is_empty() {
        return Html::default();
    }
    let link = |(idx, rung): (usize, &Rung<'_>)| {
        let tick = if session.has_finished(rung) { "✓ " } else { "" };
        let comma = if idx > 0 { ", " } else { "" };
        html! { <>{ comma }{ tick }{ lesson_link(session, rung, dispatch) }</> }
    };
    let name = if needed.len() == 1 {
        "Prerequisite: "
    } else {
        "Prerequisites: "
    };
    html! { <p class="needs">{ name }{ for needed.iter().enumerate().map(link) }</p> }
}

/// The event that opens a lesson where it was left.
pub(super) fn open_event(session: &Session, rung: &Rung<'_>) -> Event {
    Event::Lesson(LessonEdit::Open(rung.id(), session.step_to_open(rung)))
}

fn end_foot(next: Option<&Rung<'_>>, session: &Session, dispatch: &Callback<Event>) -> Html {
    let send = |event: Event| dispatch.reform(move |_: web_sys::MouseEvent| event.clone());
    let list = Event::Lesson(LessonEdit::Leave);
    html! {
        <div class="lesson-foot" key="end-foot">
            <button class="btn line" data-testid="lesson-back" onclick={send(Event::Lesson(LessonEdit::Back))}>{ "Back" }</button>
            <span class="grow"/>
            <button class="btn line" data-testid="lesson-list" onclick={send(list)}>{ "All lessons" }</button>
            { next.map(|next| html! {
                <button class="btn solid" data-testid="lesson-open-next" onclick={send(open_event(session, next))}>{ "Next lesson" }</button>
            }).unwrap_or_default() }
        </div>
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
        let is_option = matches!(ask.task(), Task::Choice(_));
        let (given, reason) = if is_option {
            graded(given, reason)
        } else {
            (given.clone(), reason.clone())
        };
        html! { <p class="grade" data-grade="wrong">{ "✗ " }<b>{ given }</b>{ " " }{ marked(&reason) }</p> }
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
    let option = given.as_ref().filter(|_| matches!(ask.task(), Task::Choice(_)));
    let text = match option {
        Some(option) => {
            let (option, reason) = graded(option, &ask.right);
            html! { <><b>{ option }</b>{ " " }{ marked(&reason) }</> }
        }
        None => marked(&ask.right),
    };
    html! {
        <p class="grade" data-grade={name} data-testid="lesson-grade">{ sign }{ text }</p>
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
        <div class="lesson-foot" key="foot">
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
