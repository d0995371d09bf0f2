//! The rendered lines, and their problems.

use std::rc::Rc;

use yew::html::Scope;
use yew::{Html, Properties, classes, component, html};

use super::super::browser::tenths;
use super::{Editor, EditorProps, Message};
use crate::styled::styled;
use workbench::app::code::{Ink, Line, LineNote, Lit, Piece};
use workbench::app::{Event, FileEdit, Problem, code_edit as edits};
use workbench::scene::{capital, thousands};

/// Limit of listed problems; later problems are mostly consequences.
const LISTED: usize = 20;

/// The properties of a line.
#[derive(Clone, Properties)]
pub(super) struct CodeLineProps {
    pub idx: usize,
    pub line: Rc<Line>,
    pub notes: Rc<[LineNote]>,
    /// The line's problem, if any.
    pub broken: bool,
}

impl PartialEq for CodeLineProps {
    fn eq(&self, other: &Self) -> bool {
        let same_notes = Rc::ptr_eq(&self.notes, &other.notes) || self.note() == other.note();
        self.idx == other.idx && self.broken == other.broken && same_notes && self.line == other.line
    }
}

impl CodeLineProps {
    fn note(&self) -> Option<&LineNote> {
        self.notes
            .get(self.idx)
            .filter(|note| **note != LineNote::default())
    }
}

#[component]
pub(super) fn CodeLine(props: &CodeLineProps) -> Html {
    let note = props.note();
    let heat = note.into_iter().flat_map(|note| &note.heat).map(|(mark, width)| {
        let style = format!("width:{}px;background:var(--st-{})", tenths(*width), mark.id());
        styled(style, html! { <s/> })
    });
    let (live, class) = match (props.broken, note.is_some_and(|note| note.live)) {
        (true, _) => (Some("!"), "live broken"),
        (false, true) => (Some("▶"), "live"),
        (false, false) => (None, "live"),
    };
    let current = note.is_some_and(|note| note.current);
    let ringed = note.is_some_and(|note| note.ringed);
    html! {
        <div class="code-line" data-current={current.to_string()} data-ring={ringed.then_some("true")}>
            <span class="heat">{ for heat }</span><i>{ props.idx + 1 }</i><span {class}>{ live }</span>
            <code>{ for props.line.pieces.iter().map(piece) }</code>
        </div>
    }
}

fn piece(piece: &Piece) -> Html {
    let ink = match piece.ink {
        Ink::Plain => None,
        Ink::Keyword => Some("k"),
        Ink::Comment => Some("c"),
    };
    let lit = match piece.lit {
        Lit::No => None,
        Lit::Found => Some("found"),
        Lit::Here => Some("here"),
        Lit::Bracket => Some("bracket"),
    };
    if ink.is_none() && lit.is_none() && !piece.wavy {
        return html! { { &piece.text } };
    }
    html! { <span class={classes!(ink, lit, piece.wavy.then_some("w"))}>{ &piece.text }</span> }
}

/// A button that applies a problem's fix, if there is one.
fn fix(problem: &Problem, props: &EditorProps, link: &Scope<Editor>) -> Option<Html> {
    let edit = edits::fix(&props.text, problem)?;
    let name = match edit.text.as_str() {
        "" => "Remove it".to_owned(),
        text => format!("Write {text}"),
    };
    let onclick = link.callback(move |_| Message::Edit(edit.clone()));
    Some(html! { <button class="fix" data-testid="fix" {onclick}>{ name }</button> })
}

/// A problem's message, below its line.
pub(super) fn message(problem: &Problem, props: &EditorProps, link: &Scope<Editor>) -> Html {
    let line = problem.span.map_or(0, |span| span.line);
    let style = format!("margin-top:{}px", f64::from(line) * props.line_px());
    let message = html! {
        <div class="message" data-testid="message">
            <p>{ capital(&problem.message) }</p>{ fix(problem, props, link) }
        </div>
    };
    styled(style, message)
}

/// The list of problems. A click shows the problem's line.
pub(super) fn problems(props: &EditorProps, link: &Scope<Editor>) -> Html {
    let placed: Vec<&Problem> = props
        .problems
        .iter()
        .filter(|problem| problem.span.is_some())
        .collect();
    if placed.is_empty() {
        return Html::default();
    }
    let shown = placed.iter().take(LISTED).map(|problem| {
        let line = problem.span.map_or(0, |span| span.line);
        let onclick = props.dispatch.reform(move |_| Event::File(FileEdit::Line(line)));
        html! {
            <div class="problem">
                <button data-testid="problem" {onclick}><span>{ line }</span><span>{ capital(&problem.message) }</span></button>
                { fix(problem, props, link) }
            </div>
        }
    });
    let more = placed.len().saturating_sub(LISTED);
    let more =
        (more > 0).then(|| html! { <p class="dim">{ format!("and {} more", thousands(more as u64)) }</p> });
    html! { <div class="problems" role="log" aria-label="Problems">{ for shown }{ more }</div> }
}
