//! The map of the tuning guides: each claim by guide and section, with its lessons, views, terms, and tests.

use yew::{Callback, Html, html};

use super::lesson::fold;
use workbench::app::glossary::GlossaryEdit;
use workbench::app::lessons::LessonEdit;
use workbench::app::lessons::claims::{Claim, Guide, Section};
use workbench::app::{Event, Session};
use workbench::scene::counted;

/// The map, or why it is not shown.
pub(super) fn claims(session: &Session, dispatch: &Callback<Event>) -> Html {
    match &session.ui.lessons.claims {
        None => return html! { <p class="none" role="status">{ "Loading the claims…" }</p> },
        Some(Err(message)) => {
            let onclick = dispatch.reform(|_| Event::Lesson(LessonEdit::RereadClaims));
            return html! {
                <>
                    <p class="none" role="alert">{ message }</p>
                    <button class="btn line" data-testid="claims-again" {onclick}>{ "Try again" }</button>
                </>
            };
        }
        Some(Ok(_)) => {}
    }
    let found = session.claims_found();
    let is_search = !session.lesson_search().is_empty();
    let num: usize = found.iter().map(Guide::num_claims).sum();
    let note = match (num, is_search) {
        (0, _) => format!(
            "No claim matches “{}”. Search for fewer or other words.",
            session.ui.lessons.search.trim()
        ),
        (_, true) => format!("{} found", counted(num as u64, "claim")),
        (_, false) => {
            "What NVIDIA's three tuning guides state, in our words, and where this page shows each claim."
                .to_owned()
        }
    };
    html! {
        <>
            <p class="dim" role="status" data-testid="claims-note">{ note }</p>
            { for found.iter().map(|of| guide(session, of, is_search, dispatch)) }
        </>
    }
}

fn guide(session: &Session, guide: &Guide, is_search: bool, dispatch: &Callback<Event>) -> Html {
    let section = |(idx, section): (usize, &Section)| {
        let key = guide.fold(section);
        let is_open = is_search || session.is_unfolded(&key);
        let test = format!("section-{}-{idx}", guide.letter);
        html! {
            <section class="course" key={key.clone()}>
                <div class="course-head">
                    <h4>{ fold(&section.title, &key, test, is_open, dispatch) }</h4>
                    <span class="dim when">{ counted(section.claims.len() as u64, "claim") }</span>
                </div>
                if is_open { <dl class="terms claims">{ for section.claims.iter().map(|of| claim(of, dispatch)) }</dl> }
            </section>
        }
    };
    html! {
        <section key={guide.letter.clone()}>
            <h3>{ &guide.title }</h3>
            { for guide.sections.iter().enumerate().map(section) }
        </section>
    }
}

fn claim(claim: &Claim, dispatch: &Callback<Event>) -> Html {
    let link = |text: &str, event: Event| {
        let onclick = dispatch.reform(move |_| event.clone());
        html! { <button class="link" {onclick}>{ text }</button> }
    };
    let lessons = claim
        .lessons
        .iter()
        .map(|(id, title)| link(title, Event::Lesson(LessonEdit::Open(id.clone(), 0))));
    let views = claim
        .views
        .iter()
        .map(|(name, address)| link(name, Event::Visit(address.clone())));
    let terms = claim
        .terms
        .iter()
        .map(|name| link(name, Event::Glossary(GlossaryEdit::Open(name.clone()))));
    let tests = claim.tests.iter().map(|name| html! { <code>{ name }</code> });
    html! {
        <div key={claim.id.clone()} data-testid={format!("claim-row-{}", claim.id)}>
            <dt>{ &claim.id }<span class="dim">{ &claim.kind }</span></dt>
            <dd>
                { &claim.text }
                if !claim.note.is_empty() { <span class="dim">{ &claim.note }</span> }
                if !claim.statement.is_empty() { <span class="dim">{ &claim.statement }</span> }
                { part("Lessons", lessons.collect()) }
                { part("See", views.collect()) }
                { part("Terms", terms.collect()) }
                { part("Tests", tests.collect()) }
            </dd>
        </div>
    }
}

/// A line of links behind its name, if it has links.
fn part(name: &str, links: Vec<Html>) -> Html {
    if links.is_empty() {
        return Html::default();
    }
    html! { <span class="dim"><b>{ name }</b>{ for links }</span> }
}
