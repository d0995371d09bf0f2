//! The glossary: a search field and the terms with their sources.

use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, TargetCast, html};

use super::modal::Modal;
use workbench::app::glossary::{Entry, GlossaryEdit};
use workbench::app::{Event, Session};

/// The dialog.
pub(crate) fn glossary(session: &Session, dispatch: &Callback<Event>) -> Html {
    let state = &session.ui.glossary;
    let found = state.found();
    let oninput = dispatch.reform(|event: InputEvent| {
        Event::Glossary(GlossaryEdit::Search(
            event.target_unchecked_into::<HtmlInputElement>().value(),
        ))
    });
    let note = match &state.terms {
        None => "Loading the glossary…".to_owned(),
        Some(Err(message)) => message.clone(),
        Some(Ok(_)) if found.is_empty() => "No term matches.".to_owned(),
        Some(Ok(terms)) => format!("{} of {} terms", found.len(), terms.len()),
    };
    let again = matches!(state.terms, Some(Err(_))).then(|| {
        let onclick = dispatch.reform(|_| Event::Glossary(GlossaryEdit::Reread));
        html! { <button class="btn line" data-testid="glossary-again" {onclick}>{ "Try again" }</button> }
    });
    html! {
        <Modal title="Glossary" id="glossary" class="glossary" dispatch={dispatch.clone()}>
            <input class="find-field" data-testid="glossary-search" value={state.search.clone()} autofocus=true
                aria-label="Find a term" placeholder="Find a term" autocomplete="off" spellcheck="false" {oninput}/>
            <p class="dim" role="status" data-testid="glossary-note">{ note }</p>
            { again }
            <dl class="terms">{ for found.into_iter().map(|term| entry(term, dispatch)) }</dl>
        </Modal>
    }
}

fn entry(term: &Entry, dispatch: &Callback<Event>) -> Html {
    let see = (!term.see.is_empty()).then(|| {
        let link = term.see.clone();
        let onclick = dispatch.reform(move |_| Event::Visit(link.clone()));
        html! { <button class="link" data-testid={format!("see-{}", term.id)} {onclick}>{ "See it" }</button> }
    });
    html! {
        <div key={term.id.clone()}>
            <dt>{ &term.name }<span class="dim">{ &term.kind }</span></dt>
            <dd>{ &term.text }<span class="dim">{ &term.source }{ see }</span></dd>
        </div>
    }
}
