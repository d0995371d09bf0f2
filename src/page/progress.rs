//! The progress of a long compilation or run, below the picture: the share that has finished and a button to stop.

use yew::{Callback, Html, html};

use super::styled::styled;
use workbench::app::{Event, RunProgress, RunState, Session};

/// The progress of an unfinished run. Styles delay its appearance, because most runs finish at once.
pub(crate) fn progress(session: &Session, dispatch: &Callback<Event>) -> Html {
    let Some(progress) = session.run_progress() else {
        return Html::default();
    };
    let RunProgress {
        number,
        state,
        sentence,
        blocks,
        speed,
        share,
    } = progress;
    let (name, event, word, id) = match state {
        RunState::Compiling => ("running", Event::Stop, "Stop", "stop-run"),
        RunState::Uncompiled => ("held", Event::GoOn, "Compile again", "compile-again"),
        RunState::Running => ("running", Event::Stop, "Stop", "stop-run"),
        RunState::Held => ("held", Event::GoOn, "Continue", "go-on"),
        RunState::Lost => ("lost", Event::GoOn, "Try again", "try-again"),
    };
    let onclick = dispatch.reform(move |_| event.clone());
    let percent = share.map(|share| 100.0 * share);
    let bar = percent.map(|percent| {
        html! {
            <div class="run-bar" role="progressbar" aria-label="Finished blocks" aria-valuemin="0" aria-valuemax="100"
                aria-valuenow={format!("{percent:.0}")} data-testid="run-bar">{ styled(format!("width:{percent:.2}%"), html! { <div/> }) }</div>
        }
    });
    let speed = speed.map(|speed| html! { <span class="dim wide" data-testid="run-speed">{ speed }</span> });
    html! {
        <div class="run" key={number} data-state={name} data-testid="run-progress">
            { bar }
            <p data-testid="run-sentence">{ sentence }</p>
            { (!blocks.is_empty()).then(|| html! { <span class="dim" data-testid="run-blocks">{ blocks }</span> }) }
            { speed }
            <button class="btn line" data-testid={id} {onclick}>{ word }</button>
        </div>
    }
}
