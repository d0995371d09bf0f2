//! The explanation in the inspector: questions and answers, with numbered disks that join them to the picture.

use yew::{Callback, Html, MouseEvent, html};

use super::browser;
use workbench::app::glossary::Card;
use workbench::app::{Event, ExplainEdit, GlossaryEdit, Session};
use workbench::explain::{Answer, Explanation, Piece};

/// The button that opens the explanation.
pub(crate) fn why_button(session: &Session, dispatch: &Callback<Event>) -> Html {
    if session.is_hiding() || session.subject().is_none() {
        return Html::default();
    }
    let onclick = dispatch.reform(|_| Event::Explain(ExplainEdit::Deeper));
    html! {
        <button class="btn line why-open" data-testid="why-open" {onclick}>{ session.why_label() }<kbd>{ "U" }</kbd></button>
    }
}

/// The answers.
pub(crate) fn answers(found: &Explanation, dispatch: &Callback<Event>) -> Html {
    let close = dispatch.reform(|_| Event::Explain(ExplainEdit::Close));
    let deeper = dispatch.reform(|_| Event::Explain(ExplainEdit::Deeper));
    let more = found.more.then(|| {
        html! {
            <button class="btn line" data-testid="why-more" onclick={deeper}>{ "Why? One level deeper" }<kbd>{ "U" }</kbd></button>
        }
    });
    let num = found.answers.len();
    html! {
        <section class="sec explain" aria-label="Explanation" data-testid="explain">
            <ol class="why">{ for found.answers.iter().enumerate().map(|(idx, one)| answer(idx, idx + 1 == num, one, dispatch)) }</ol>
            <div class="why-foot">
                { more }
                <button class="btn line" data-testid="why-close" onclick={close}>{ "Close" }<kbd>{ "Esc" }</kbd></button>
            </div>
        </section>
    }
}

fn answer(idx: usize, is_last: bool, answer: &Answer, dispatch: &Callback<Event>) -> Html {
    html! {
        <li class={is_last.then_some("last")} data-testid={format!("why-{}", idx + 1)}>
            <span class="disk" aria-hidden="true">{ idx + 1 }</span>
            <div>
                <h3>{ &answer.question }</h3>
                <p>{ for pieces(&answer.text, dispatch) }</p>
            </div>
        </li>
    }
}

/// The pieces; punctuation after a link stays on the link's line.
fn pieces(text: &[Piece], dispatch: &Callback<Event>) -> Vec<Html> {
    let is_mark = |letter: &char| matches!(letter, '.' | ',' | ';' | ':');
    let mut shown = Vec::new();
    let mut skips = false;
    for (idx, part) in text.iter().enumerate() {
        let mut part = part.clone();
        if std::mem::take(&mut skips) {
            part.text.remove(0);
        }
        let next = text
            .get(idx + 1)
            .and_then(|next| next.text.chars().next())
            .filter(is_mark);
        let own = piece(&part, dispatch);
        match next {
            Some(mark) if part.place.is_some() || part.term.is_some() => {
                skips = true;
                shown.push(html! { <span class="unbroken">{ own }{ mark.to_string() }</span> });
            }
            _ => shown.push(own),
        }
    }
    shown
}

fn piece(piece: &Piece, dispatch: &Callback<Event>) -> Html {
    if let Some(place) = piece.place {
        let onclick = dispatch.reform(move |_| Event::Explain(ExplainEdit::Go(place)));
        return html! { <button class="link" {onclick}>{ &piece.text }</button> };
    }
    if let Some(label) = &piece.term {
        return term(&piece.text, label, dispatch);
    }
    if piece.strong {
        html! { <b>{ &piece.text }</b> }
    } else {
        html! { { &piece.text } }
    }
}

/// Words with a dotted underline, which open the card of a term.
pub(crate) fn term(words: &str, label: &str, dispatch: &Callback<Event>) -> Html {
    let label = label.to_owned();
    let onclick = dispatch.reform(move |event: MouseEvent| {
        let label = label.clone();
        Event::Glossary(GlossaryEdit::Card(Some(Card {
            label,
            at: browser::bounds(event.target()),
        })))
    });
    html! { <button class="term" aria-haspopup="dialog" {onclick}>{ words }</button> }
}
