//! The notes window: the speaker notes, what comes next, and the time.

use yew::{Callback, Component, Context, Html, MouseEvent, html};

use super::browser;
use super::timer::Timer;
use workbench::app::{Event, LectureEdit, Session};
use workbench::share::Lecture;

/// The column beside the picture.
pub(crate) fn notes_column(session: &Session, dispatch: &Callback<Event>) -> Html {
    let lecture = &session.ui.lecture;
    let num = lecture.chapters.len();
    let send = |edit: LectureEdit| dispatch.reform(move |_: MouseEvent| Event::Lecture(edit.clone()));
    let (number, title, text) = match (lecture.at, lecture.current()) {
        (Some(at), Some(chapter)) => (
            format!("Chapter {} of {num}", at + 1),
            chapter.title.clone(),
            chapter.text.clone(),
        ),
        _ => (
            workbench::scene::counted(num as u64, "chapter"),
            "No chapter is shown".to_owned(),
            String::new(),
        ),
    };
    let plan = lecture.at.and_then(|at| {
        let minutes = lecture.chapters.get(at)?.minutes;
        let (until, all) = Lecture::plan(&lecture.chapters, at)?;
        Some(format!("Plan: {minutes} min, until {until}:00 of {all}:00"))
    });
    let paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let next = lecture.next().map_or_else(
        || html! { <p class="dim">{ "This is the last chapter." }</p> },
        |chapter| {
            let first = chapter.text.split("\n\n").next().unwrap_or_default().to_owned();
            html! { <><b data-testid="notes-next">{ &chapter.title }</b><p class="dim">{ first }</p></> }
        },
    );
    let frozen = lecture.audience_frozen.then(|| {
        html! { <p class="tag" role="status" data-testid="notes-frozen">{ "The presenter is frozen: the audience does not see what you do here." }</p> }
    });
    let alone = (!lecture.attached).then(|| {
        html! { <p class="dim" role="status">{ "No presenter is open in this browser. Press P in the other window." }</p> }
    });
    html! {
        <aside class="notes-column" aria-label="Speaker notes" data-testid="notes-column">
            <Clock/>
            { frozen.unwrap_or_default() }
            { alone.unwrap_or_default() }
            <div class="notes-text" tabindex="0" role="group" aria-label="Notes">
                <span class="label" data-testid="notes-number">{ number }</span>
                <h2 data-testid="notes-title">{ title }</h2>
                { plan.map(|plan| html! { <p class="dim" data-testid="notes-plan">{ plan }</p> }).unwrap_or_default() }
                { for paragraphs.map(|text| html! { <p>{ text }</p> }) }
            </div>
            <div class="notes-next"><span class="label">{ "Next" }</span>{ next }</div>
            <div class="notes-buttons">
                <button class="btn line large" data-testid="notes-back" onclick={send(LectureEdit::Beside(-1))}>{ "Previous" }</button>
                <button class="btn solid large" data-testid="notes-on" onclick={send(LectureEdit::Beside(1))}>{ "Next" }</button>
            </div>
        </aside>
    }
}

/// The time of day, and the time since the window opened.
struct Clock {
    started_ms: f64,
    /// The next update; a drop cancels it.
    timer: Option<Timer>,
}

enum Time {
    Goes,
    Restarts,
}

/// Milliseconds between two updates of the clock.
const SECOND_MS: i32 = 1_000;

impl Clock {
    fn wait(ctx: &Context<Self>) -> Option<Timer> {
        let link = ctx.link().clone();
        Timer::after(SECOND_MS, move || link.send_message(Time::Goes))
    }
}

impl Component for Clock {
    type Message = Time;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        Self {
            started_ms: browser::date_ms(),
            timer: Self::wait(ctx),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, time: Time) -> bool {
        match time {
            Time::Goes => self.timer = Self::wait(ctx),
            Time::Restarts => self.started_ms = browser::date_ms(),
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let elapsed = ((browser::date_ms() - self.started_ms) / 1_000.0).max(0.0) as u64;
        let restart = ctx.link().callback(|_: MouseEvent| Time::Restarts);
        html! {
            <div class="notes-clock">
                <span><b class="num" data-testid="notes-clock">{ browser::time_of_day() }</b><span class="label">{ "Time" }</span></span>
                <span><b class="num" data-testid="notes-elapsed">{ format!("{}:{:02}", elapsed / 60, elapsed % 60) }</b><span class="label">{ "Elapsed" }</span></span>
                <button class="btn line" data-testid="notes-restart" onclick={restart}>{ "Restart" }</button>
            </div>
        }
    }
}
