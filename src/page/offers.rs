//! Suggestions for a comparison.

use yew::{Callback, Html, html};

use engine::arch::{ArchId, architecture};
use workbench::app::{CompareEdit, Event, GUIDES, Session};

/// Suggestions for a comparison, which are shown in the Compare view while there is one run.
pub(crate) fn offers(session: &Session, dispatch: &Callback<Event>) -> Html {
    let here = session.setup().arch;
    let offer = |text: String, testid: String, edit: CompareEdit| {
        let onclick = dispatch.reform(move |_| Event::Compare(edit.clone()));
        html! { <button class="btn line" data-testid={testid} {onclick}>{ text }</button> }
    };
    let pair = |id: ArchId| {
        let name = architecture(id).name;
        offer(
            format!("With {name}"),
            format!("compare-{}", id.text()),
            CompareEdit::Add(Some(id)),
        )
    };
    let own = architecture(here).name;
    html! {
        <div class="empty offers" data-testid="compare-offers">
            <p>{ "Compare one kernel on several GPUs, or on one GPU with different settings. All panes run in step: \
                aligned by cycle, by moment, or by share of the work." }</p>
            <div class="offers-row">
                { offer("All four: Fermi, Pascal, Volta, Turing".to_owned(), "compare-guides".to_owned(), CompareEdit::On(GUIDES.to_vec())) }
                { for GUIDES.into_iter().filter(|id| *id != here).map(pair) }
                { offer(format!("{own} again with different settings"), "compare-same".to_owned(), CompareEdit::Add(Some(here))) }
            </div>
        </div>
    }
}
