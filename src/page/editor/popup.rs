//! Popups beside a word: completions, and the explanation of a name.

use std::borrow::Cow;

use std::ops::Range;

use yew::html::Scope;
use yew::{Callback, Html, MouseEvent, NodeRef, PointerEvent, classes, html};

use super::{Editor, Message};
use workbench::app::assist::{Hover, List, ROWS, SymbolKind};
use workbench::scene::thousands;

/// The abbreviation of a symbol's kind.
const fn kind_text(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Local => "local",
        SymbolKind::Parameter => "param",
        SymbolKind::Field => "member",
        SymbolKind::Method => "method",
        SymbolKind::Variable | SymbolKind::BuiltinVariable => "var",
        SymbolKind::Kernel => "kernel",
        SymbolKind::Function | SymbolKind::Builtin => "func",
        SymbolKind::Type => "type",
        SymbolKind::Constant => "const",
        SymbolKind::Macro => "macro",
        SymbolKind::Namespace => "space",
        SymbolKind::Label => "label",
        SymbolKind::Keyword => "word",
        SymbolKind::Directive => "#",
        SymbolKind::Header => "file",
    }
}

/// A name with the typed letters in bold.
fn marked(name: &str, ranges: &[Range<usize>]) -> Html {
    let mut from = 0;
    let mut parts = Vec::new();
    for range in ranges {
        parts.push(html! { { &name[from..range.start] } });
        parts.push(html! { <b>{ &name[range.clone()] }</b> });
        from = range.end;
    }
    html! { <>{ for parts }{ &name[from..] }</> }
}

/// The completions, with the description of the selected one.
pub(super) fn completions(list: &List, node: &NodeRef, link: &Scope<Editor>) -> Html {
    let row = |row: usize| {
        let (proposal, ranges) = list.at(row)?;
        let onclick = link.callback(move |_: MouseEvent| Message::Accept(row));
        Some(html! {
            <div id={format!("completion-{row}")} role="option" aria-selected={(row == list.row).to_string()}
                aria-disabled={proposal.lacks.is_some().then_some("true")}
                class={classes!(proposal.lacks.is_some().then_some("lacks"))} {onclick}>
                <span class="kind">{ kind_text(proposal.kind) }</span><span>{ marked(&proposal.name, ranges) }</span>
            </div>
        })
    };
    let rows = (0..list.len().min(ROWS)).filter_map(row);
    let more = list.len().saturating_sub(ROWS);
    let more = (more > 0).then(|| {
        html! { <p class="dim">{ format!("and {} more: type to narrow the list", thousands(more as u64)) }</p> }
    });
    let about = list.at(list.row).map(|(proposal, _)| {
        let text = (!proposal.text.is_empty()).then(|| html! { <p>{ &proposal.text }</p> });
        let lacks = proposal
            .lacks
            .as_ref()
            .map(|lacks| html! { <p class="strong">{ lacks }</p> });
        html! { <div class="about"><code>{ &proposal.signature }</code>{ text }{ lacks }</div> }
    });
    // The field keeps the focus.
    let onmousedown = Callback::from(|event: MouseEvent| event.prevent_default());
    html! {
        <div class="beside list" ref={node.clone()} data-testid="completions" {onmousedown}>
            <div id="completions" class="rows" role="listbox" aria-label="Completions">{ for rows }{ more }</div>
            { about }
        </div>
    }
}

/// The explanation of a name.
pub(super) fn about(hover: &Hover, node: &NodeRef, link: &Scope<Editor>) -> Html {
    let text = (!hover.text.is_empty()).then(|| html! { <p>{ &hover.text }</p> });
    let fact = |(label, value): &(Cow<'static, str>, String)| html! { <><dt>{ label.to_string() }</dt><dd>{ value }</dd></> };
    let facts = (!hover.facts.is_empty()).then(|| html! { <dl>{ for hover.facts.iter().map(fact) }</dl> });
    let source =
        (!hover.source.is_empty()).then(|| html! { <p class="source">{ hover.source.to_string() }</p> });
    let onpointerenter = link.callback(|_: PointerEvent| Message::KeepHover);
    // `pointerleave` also fires when a touch ends.
    let onpointerleave = link.batch_callback(|event: PointerEvent| {
        (event.pointer_type() == "mouse").then_some(Message::CloseHover)
    });
    let onmousedown = Callback::from(|event: MouseEvent| event.prevent_default());
    html! {
        <div id="about-name" class="beside hover" role="tooltip" ref={node.clone()} data-testid="hover"
            {onpointerenter} {onpointerleave} {onmousedown}>
            <span class="kind">{ hover.kind.to_string() }</span><code>{ &hover.signature }</code>
            { text }{ facts }{ source }
        </div>
    }
}
