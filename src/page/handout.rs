//! The handout: what the browser prints. One page of a scenario, or the steps of the open lesson.

use yew::{Html, html};

use super::browser;
use super::help::MARKS;
use super::icon;
use super::lesson::marked;
use super::markup;
use super::share::qr;
use workbench::app::code::{Ink, Line, lines};
use workbench::app::with_notes;
use workbench::app::{OpenLesson, Session};
use workbench::lesson::{Step, Task};
use workbench::scene::paint::colors::Colors;
use workbench::scene::paint::svg::svg;
use workbench::scene::{Scene, Size};
use workbench::share::{Chapter, View};

/// Size of the picture before it is scaled to the paper, in CSS pixels.
const PICTURE: Size = Size {
    width: 900.0,
    height: 460.0,
};
/// Lines of the kernel on the page.
const CODE_LINES: usize = 40;
/// Numbers of the architecture on the page.
const NUMBERS: usize = 6;
/// Counters of the run on the page: the name in Nsight Compute, and the label.
const COUNTERS: [(&str, &str); 4] = [
    ("sm__cycles_active.max", "Cycles active"),
    ("smsp__inst_executed.sum", "Warp instructions"),
    ("sm__inst_executed.avg.per_cycle_active", "Instructions per cycle"),
    (
        "sm__warps_active.avg.pct_of_peak_sustained_active",
        "Occupancy, achieved (%)",
    ),
];

/// The page of the scenario, or of the open lesson.
pub(crate) fn handout(session: &Session) -> Html {
    let body = match &session.ui.lessons.open {
        Some(open) => lesson(session, open),
        None => scenario(session),
    };
    html! { <section class="handout" data-theme="light" aria-label="Handout" data-testid="handout">{ body }</section> }
}

fn scenario(session: &Session) -> Html {
    html! {
        <>
            { head(session, &title(session), &session.launch_line()) }
            { picture(session) }
            { legend(session.active_view()) }
            <div class="handout-columns">
                { code(session) }
                { numbers(session) }
                { notes(session) }
                { chapters(session) }
            </div>
        </>
    }
}

fn title(session: &Session) -> String {
    let chapter = session.ui.lecture.current().map(|chapter| chapter.title.clone());
    chapter
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| session.name())
}

/// The title, the address, and the QR code.
fn head(session: &Session, title: &str, line: &str) -> Html {
    let address = browser::address_with(&session.lecture_link());
    let words = session.short_words();
    let (shown, note, code) = match &words {
        Some((link, note)) => {
            // The code holds everything, unless that does not fit.
            let is_long = address.len() > super::share::MAX_QR_BYTES;
            let code = if is_long {
                browser::address_with(link)
            } else {
                address.clone()
            };
            (browser::short_address(link), *note, code)
        }
        None => (
            browser::address_with("").trim_end_matches('#').to_owned(),
            "The code opens all that is on this page.",
            address.clone(),
        ),
    };
    html! {
        <header>
            <div>
                <h1>{ title }</h1>
                <p>{ line }</p>
                <p class="mono">{ shown }</p>
                <p class="handout-small">{ note }</p>
            </div>
            { qr(&code, "handout-code") }
        </header>
    }
}

/// The picture of the active pane, as vectors, with its headline.
fn picture(session: &Session) -> Html {
    let view = session.active_view();
    let side = if session.is_side_by_side() {
        session.active().idx()
    } else {
        session.active_side()
    };
    let shown = session.shown_side(side);
    let scene: Option<Scene> = shown.picture(view, PICTURE);
    let sentence = shown.sentence_in(view, scene.as_ref());
    let drawing = scene.map(|scene| {
        let scene = with_notes(&scene, view, &session.ui.lecture.notes);
        markup::picture(&svg(&scene, &Colors::of_tokens()))
    });
    let place = if session.is_side_by_side() {
        format!("{} on {}, ", view.name(), shown.side.arch().name)
    } else {
        format!("{}, ", view.name())
    };
    html! {
        <figure>
            <figcaption><b>{ sentence }</b><span>{ format!("{place}cycle {} {}", session.clock_text(), session.clock_note()) }</span></figcaption>
            <div class="handout-picture">{ drawing.unwrap_or_default() }</div>
        </figure>
    }
}

/// The marks of warp states, for the views that show them.
fn legend(view: View) -> Html {
    if !matches!(view, View::Sm | View::Stalls | View::Source) {
        return Html::default();
    }
    html! {
        <p class="handout-legend">
            { for MARKS.iter().map(|(mark, name, _)| html! { <span>{ icon::tile(*mark, 10) }{ *name }</span> }) }
        </p>
    }
}

/// The kernel, with the line that the picture is about.
fn code(session: &Session) -> Html {
    let source = session.setup().source().to_owned();
    let marked = session
        .inspection()
        .and_then(|inspection| inspection.code.map(|code| code.line))
        .or(session.ui.state.line)
        .filter(|line| *line > 0)
        .map(|line| line as usize);
    let all: Vec<Line> = lines(source.trim_end(), &[], &[]);
    let first = match marked {
        Some(line) if all.len() > CODE_LINES => {
            (line.saturating_sub(CODE_LINES / 2)).min(all.len() - CODE_LINES)
        }
        _ => 0,
    };
    let last = (first + CODE_LINES).min(all.len());
    let note = (all.len() > CODE_LINES).then(|| format!(", lines {} to {last} of {}", first + 1, all.len()));
    let row = |(idx, line): (usize, &Line)| {
        let number = first + idx + 1;
        html! {
            <div data-marked={(Some(number) == marked).then_some("")}><i>{ number }</i><code>{ for line.pieces.iter().map(|piece| {
                let class = match piece.ink { Ink::Keyword => Some("k"), Ink::Comment => Some("c"), Ink::Plain => None };
                html! { <span {class}>{ &piece.text }</span> }
            }) }</code></div>
        }
    };
    html! {
        <div class="handout-code">
            <h2>{ "Kernel" }{ note }{ marked.map(|line| format!(" · line {line} is marked")) }</h2>
            { for all[first..last].iter().enumerate().map(row) }
        </div>
    }
}

/// The numbers of the run, and the architecture's numbers with their sources.
fn numbers(session: &Session) -> Html {
    let counters = session
        .derived()
        .trace()
        .map(|trace| trace.counters())
        .unwrap_or_default();
    let counter = |(name, label): &(&str, &str)| {
        let value = counters.iter().find(|counter| counter.name == *name)?.value;
        let text = if value.fract() == 0.0 {
            workbench::scene::thousands(value as u64)
        } else {
            format!("{value:.2}")
        };
        Some(html! { <><dt>{ *label }</dt><dd>{ text }</dd></> })
    };
    let sources = session
        .inspection()
        .map(|inspection| inspection.sources)
        .unwrap_or_default();
    let left = sources.len().saturating_sub(NUMBERS);
    let number = |source: &workbench::scene::Source| {
        html! { <p><b>{ format!("{}: ", source.name) }</b>{ &source.value }{ " " }<em>{ &source.source }</em></p> }
    };
    let ended = session.derived().is_running();
    html! {
        <>
            <h2>{ "Run, simulated by Warpscope" }{ ended.then_some(", not finished") }</h2>
            <dl>{ for COUNTERS.iter().filter_map(counter) }</dl>
            if !sources.is_empty() {
                <div>
                <h2>{ format!("Numbers of {}", session.arch().name) }</h2>
                { for sources.iter().take(NUMBERS).map(number) }
                if left > 0 { <p class="handout-small">{ format!("{left} more in the inspector of the page.") }</p> }
                </div>
            }
        </>
    }
}

fn notes(session: &Session) -> Html {
    let notes = &session.ui.lecture.notes;
    let text = session
        .ui
        .lecture
        .current()
        .map(|chapter| chapter.text.clone())
        .unwrap_or_default();
    let paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let note = |note: &workbench::share::PictureNote| {
        html! { <li>{ &note.text }<em>{ workbench::scene::capital(&session.anchor_name(note.anchor)) }</em></li> }
    };
    html! {
        <>
            if !text.is_empty() { <h2>{ "Notes" }</h2> }
            { for paragraphs.map(|text| html! { <p>{ text }</p> }) }
            if !notes.is_empty() { <h2>{ "Notes on the picture" }</h2><ol>{ for notes.iter().map(note) }</ol> }
        </>
    }
}

/// The chapters, one line each.
fn chapters(session: &Session) -> Html {
    let lecture = &session.ui.lecture;
    if lecture.chapters.is_empty() {
        return Html::default();
    }
    let row = |(idx, chapter): (usize, &Chapter)| {
        let first = chapter
            .text
            .split_inclusive(['.', '?', '!'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned();
        let minutes = (chapter.minutes > 0).then(|| format!(" ({} min)", chapter.minutes));
        html! { <li data-current={(lecture.at == Some(idx)).then_some("")}><b>{ &chapter.title }{ minutes.unwrap_or_default() }</b>{ " " }{ first }</li> }
    };
    html! { <><h2>{ "Chapters" }</h2><ol>{ for lecture.chapters.iter().enumerate().map(row) }</ol></> }
}

/// All steps of a lesson with their questions; the answers stay empty. The picture is that of the shown step.
fn lesson(session: &Session, open: &OpenLesson) -> Html {
    let line = format!(
        "{} steps, {} minutes",
        open.lesson.steps.len(),
        open.lesson.minutes
    );
    html! {
        <>
            { head(session, &open.lesson.title, &line) }
            { picture(session) }
            { for open.lesson.steps.iter().enumerate().map(|(idx, step)| lesson_step(idx, step, idx == open.step)) }
        </>
    }
}

fn lesson_step(idx: usize, step: &Step, is_shown: bool) -> Html {
    let paragraphs = step
        .text
        .split("\n\n")
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let ask = step.ask.as_ref().map(|ask| {
        let options = match ask.task() {
            Task::Choice(choice) => choice
                .options
                .iter()
                .map(|option| html! { <p class="handout-option">{ "☐ " }{ marked(option) }</p> })
                .collect(),
            Task::Number(number) => html! { <p class="handout-answer"><span/>{ &number.unit }</p> },
            Task::Click(_) | Task::Edit(_) => html! { <p class="handout-answer"><span/></p> },
        };
        html! { <><p class="handout-question">{ marked(&ask.question) }</p>{ options }</> }
    });
    html! {
        <article class="handout-step">
            <h2>{ format!("{}. {}", idx + 1, step.title) }{ is_shown.then_some(" (pictured)") }</h2>
            { for paragraphs.map(|text| html! { <p>{ marked(text) }</p> }) }
            { ask.unwrap_or_default() }
            <p class="handout-small">{ "Source: " }{ &step.source }</p>
        </article>
    }
}
