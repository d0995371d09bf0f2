//! The page as a frame in another page: the headline, one picture, and a bar to play it. `www/embed.js` shows the
//! frame before this module is loaded, and decides which input reaches it.

use yew::{Callback, Html, MouseEvent, html};

use super::browser;
use super::icon::{self, Icon};
use super::pane_parts::{StageState, picture, plots, warnings};
use super::transport::play_button;
use workbench::app::embed::Embed;
use workbench::app::{Event, Pane, Session};

/// What a frame that may not open tabs says.
const NO_TAB: &str = "This frame may not open tabs: add allow-popups to its sandbox attribute.";

/// The player's markup.
pub(crate) fn player(
    session: &Session,
    embed: &Embed,
    state: &StageState<'_>,
    strip: Html,
    dispatch: &Callback<Event>,
) -> Html {
    let own = &state.panes[Pane::First.idx()];
    let view = session.ui.view;
    let sentence = session.shown().sentence_in(view, own.scene.as_deref());
    html! {
        <div class="embed" data-testid="embed">
            <main class="embed-main" aria-label={view.name()}>
                <div class="embed-head"><h1 data-testid="headline">{ sentence }</h1></div>
                { warnings(session, dispatch) }
                { outcome(session) }
                <div class="panel"><div class="canvas" ref={own.frame.clone()}>
                    { picture(session, state, Pane::First, dispatch) }
                    { plots(session, state, Pane::First, dispatch) }
                </div></div>
            </main>
            <footer class="embed-bar" aria-label="Transport">
                { play_button(session, dispatch) }
                <b class="num" data-testid="cycle">{ session.clock_text() }</b>
                <span class="unseen" data-testid="cycle-of">{ session.clock_note() }</span>
                <div class="density">{ strip }</div>
                { open(session, embed, dispatch) }
            </footer>
        </div>
    }
}

/// The link to the workbench, at the present cycle.
fn open(session: &Session, embed: &Embed, dispatch: &Callback<Event>) -> Html {
    let address = browser::workbench_address(&embed.link(session));
    let dispatch = dispatch.clone();
    let opened = address.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        // A sandbox without `allow-popups` would ignore the click without a word.
        if browser::is_sandboxed() {
            event.prevent_default();
            if !browser::open_tab(&opened) {
                dispatch.emit(Event::Say(NO_TAB.to_owned()));
            }
        }
    });
    html! {
        <a class="embed-open" href={address} target="_blank" rel="noopener" aria-label="Open in Warpscope" data-testid="embed-open" {onclick}>
            { icon::brand() }<span>{ "Open in Warpscope" }</span>{ Icon::Out.html() }
        </a>
    }
}

/// How the run ended, unless it finished normally.
fn outcome(session: &Session) -> Html {
    session.outcome_sentence().map_or_else(Html::default, |text| {
        html! { <div class="warnings" role="status" data-testid="outcome"><p>{ text }</p></div> }
    })
}

#[cfg(test)]
mod tests {
    use workbench::share::Scenario;

    #[test]
    fn the_poster_knows_what_a_link_leaves_out() {
        let script = include_str!("../../www/embed.js");
        let default = Scenario::default();
        for (key, value) in [
            ("kernel", default.kernel.as_str()),
            ("arch", default.arch.text()),
            ("view", default.view.id()),
        ] {
            let expected = format!("pairs.get('{key}') ?? '{value}'");
            assert!(script.contains(&expected), "{expected}");
        }
    }
}
