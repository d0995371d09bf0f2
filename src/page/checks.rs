//! The Checks view: the findings of the compute-sanitizer tools, with links to their places.

use yew::{Callback, Html, MouseEvent, html};

use super::button::button;
use super::icon::Icon;
use super::pane_id::id;
use workbench::app::checks::{CheckGroup, CheckRow, CheckSite, ChecksShown, SCOPES, Scope};
use workbench::app::{CheckChoice, Event, Pane, Session};
use workbench::check::Severity;
use workbench::share::View;

/// The findings of a pane's run.
pub(crate) fn checks(session: &Session, pane: Pane, dispatch: &Callback<Event>) -> Html {
    let side = if session.is_comparing() {
        pane.idx()
    } else {
        session.active_side()
    };
    match session.checks(side) {
        ChecksShown::Nothing => html! {
            <div class="empty" data-testid={id(pane, "empty")}>{ session.checks_sentence(side) }</div>
        },
        ChecksShown::Runs => waiting(pane, "Stop", "checks-stop", CheckChoice::Stop, dispatch),
        ChecksShown::Ended => waiting(pane, "Check again", "checks-again", CheckChoice::Again, dispatch),
        ChecksShown::Done { groups, limit } => html! {
            <div class="checks" data-testid={id(pane, "checks")}>
                { for groups.iter().map(|found| group(found, dispatch)) }
                { limit.map(|limit| html! { <p class="checks-limit" data-testid={id(pane, "checks-limit")}>{ limit }</p> }) }
                { scopes(pane, groups.is_empty()) }
            </div>
        },
    }
}

/// The most important error of the shown run, in every view except Checks.
pub(crate) fn alert(session: &Session, dispatch: &Callback<Event>) -> Html {
    let Some(alert) = session.check_alert() else {
        return Html::default();
    };
    let id = alert.id;
    let show = dispatch.reform(move |_| Event::Check(CheckChoice::Show(id)));
    let all = dispatch.reform(|_| Event::View(View::Checks));
    let others = match alert.others {
        0 => "Checks".to_owned(),
        num => format!("{num} more in Checks"),
    };
    html! {
        <div class="warnings" role="status" data-testid="check-alert">
            <p><span class="severity">{ alert.tool.name() }</span>{ format!(" {}. ", alert.message) }<b>{ alert.advice }</b></p>
            <button class="btn line" data-testid="check-show" onclick={show}>{ alert.button }</button>
            <button class="btn line" data-testid="check-all" onclick={all}>{ others }</button>
            { button(Icon::Close, "Dismiss", "check-dismiss", "", dispatch, Event::Check(CheckChoice::Dismiss)) }
        </div>
    }
}

/// The button that stops or repeats the checks.
fn waiting(
    pane: Pane,
    word: &'static str,
    testid: &'static str,
    choice: CheckChoice,
    dispatch: &Callback<Event>,
) -> Html {
    let onclick = dispatch.reform(move |_| Event::Check(choice.clone()));
    html! {
        <div class="checks" data-testid={id(pane, "checks-wait")}>
            <div class="checks-wait"><button class="btn line" data-testid={id(pane, testid)} {onclick}>{ word }</button></div>
            { scopes(pane, true) }
        </div>
    }
}

fn group(found: &CheckGroup, dispatch: &Callback<Event>) -> Html {
    let name = found.tool.name();
    html! {
        <section class="check-tool" aria-label={name} data-testid={format!("checks-{name}")}>
            <h2><span class="mono">{ name }</span><span class="dim">{ &found.count }</span></h2>
            <ol>{ for found.rows.iter().map(|row| finding(row, dispatch)) }</ol>
        </section>
    }
}

fn finding(row: &CheckRow, dispatch: &Callback<Event>) -> Html {
    let id = row.id;
    let onclick = dispatch.reform(move |_| Event::Check(CheckChoice::Show(id)));
    let severity = match row.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    html! {
        <li class="finding" data-chosen={row.is_chosen.to_string()} data-testid="finding" {onclick}>
            <span class="severity" data-severity={severity}>{ severity }</span>
            <p class="finding-text">{ &row.message }</p>
            { for row.sites.iter().map(|place| site(place, dispatch)) }
            <span class="label">{ "Remedy" }</span>
            <p class="remedy" data-testid="remedy">{ &row.advice }</p>
        </li>
    }
}

/// A place: the source line, the thread, and the cycle. A click shows the place.
fn site(place: &CheckSite, dispatch: &Callback<Event>) -> Html {
    let (id, dispatch) = (place.id, dispatch.clone());
    let onclick = Callback::from(move |event: MouseEvent| {
        // The click must not reach the finding, which would show its first place.
        event.stop_propagation();
        dispatch.emit(Event::Check(CheckChoice::Show(id)));
    });
    let excerpt = &place.excerpt;
    let (line, code) = if excerpt.line > 0 {
        let code =
            html! { <code>{ &excerpt.before }<mark>{ &excerpt.marked }</mark>{ &excerpt.after }</code> };
        (excerpt.place.clone(), code)
    } else {
        (String::new(), Html::default())
    };
    let memory = (!place.place.is_empty()).then(|| html! { <span class="mono">{ &place.place }</span> });
    html! {
        <button class="site" aria-pressed={place.is_chosen.to_string()} title="Show this cycle and line"
            data-testid="finding-site" {onclick}>
            <span class="site-line">{ line }</span>
            { code }
            <span class="site-who">
                <span>{ format!("{} by {}", place.what, place.thread) }</span>
                <span>{ &place.lane }</span><span>{ &place.cycle }</span>{ memory }
            </span>
        </button>
    }
}

/// What each tool reports, and what it does not report.
fn scopes(pane: Pane, open: bool) -> Html {
    let scope = |scope: &Scope| {
        html! {
            <div><dt class="mono">{ scope.tool.name() }</dt><dd>{ scope.reports }<span class="dim">{ format!("Not reported: {}", first_small(scope.omits)) }</span></dd></div>
        }
    };
    html! {
        <details class="fold checks-scope" {open} data-testid={id(pane, "checks-scope")}>
            <summary>{ "Scope of the checks" }</summary>
            <p>{ "The checks cover this launch with these arguments. Another launch can have other errors." }</p>
            <dl>{ for SCOPES.iter().map(scope) }</dl>
        </details>
    }
}

/// A sentence with a lowercase first letter, for use within another sentence.
fn first_small(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
