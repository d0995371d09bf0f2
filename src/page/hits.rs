//! The matches in the run of the palette's text: their number, and the list of hits.

use yew::{Callback, Html, html};

use workbench::app::jump::{Hit, Jump};
use workbench::app::{Event, Session};

/// Example queries, shown while the field is empty.
const EXAMPLES: [&str; 11] = [
    "line 12",
    "FFMA",
    "W03 long scoreboard",
    "bank conflict >4",
    "cache miss",
    "barrier release",
    "divergence",
    "reconvergence",
    "fault",
    "write R7",
    "write R7 lane 5",
];

/// The number of hits, or why there are none, and example queries.
pub(super) fn run_sentence(session: &Session, dispatch: &Callback<Event>) -> Html {
    let examples = session.hits().is_empty().then(|| examples(dispatch));
    html! {
        <>
            <p class="find-count" role="status" data-testid="find-run-count">{ session.list_sentence() }</p>
            { examples }
        </>
    }
}

/// The list of hits, with the chosen one marked.
pub(super) fn hits(hits: &[Hit], chosen: usize, dispatch: &Callback<Event>) -> Html {
    html! {
        <div id="found" class="found hits" role="listbox" aria-label="Hits">
            { for hits.iter().enumerate().map(|(idx, hit)| row(idx, hit, idx == chosen, dispatch)) }
        </div>
    }
}

fn row(idx: usize, hit: &Hit, chosen: bool, dispatch: &Callback<Event>) -> Html {
    let onclick = dispatch.reform(move |_| Event::Jump(Jump::Take(Some(idx))));
    html! {
        <div id={format!("found-{idx}")} role="option" aria-selected={chosen.to_string()} data-testid={format!("hit-{idx}")} {onclick}>
            <span class="num">{ &hit.cycle }</span><span class="num">{ &hit.warp }</span><span>{ &hit.what }</span>
        </div>
    }
}

fn examples(dispatch: &Callback<Event>) -> Html {
    let example = |text: &'static str| {
        let onclick = dispatch.reform(move |_| Event::Jump(Jump::Text(text.to_owned())));
        html! { <button class="chip" {onclick}>{ text }</button> }
    };
    html! { <div class="find-examples">{ for EXAMPLES.map(example) }</div> }
}
