//! The stage: one view, or two views side by side, each with tabs, a sentence, and a picture or table.

use yew::{Callback, Html, html};

use super::checks::alert;
use super::compare::compared;
use super::divider::{Divider, Dragged};
use super::pane_id::id;
use super::pane_parts::{
    StageState, activation, choices_of, columns, jump, outcome, picture, plots, tools, verdict, warnings,
};
use super::playground::playground;
use super::progress::progress;
use super::styled::styled;
use super::tabs::{sections, tabs, tabs_key};
use super::twin::twin;
use workbench::app::{Event, Pane, Session};
use workbench::share::{SHARE, View};

/// Percent by which an arrow key moves the divider.
const SHARE_STEP: i32 = 5;

/// The stage's markup.
pub(crate) fn stage(session: &Session, state: &StageState<'_>, dispatch: &Callback<Event>) -> Html {
    if session.is_comparing() {
        return compared(session, state, dispatch);
    }
    let split = session.ui.split.is_some();
    let second = split.then(|| {
        html! { <>{ divider(session, dispatch) }{ pane(session, state, Pane::Second, dispatch) }</> }
    });
    let panes = html! {
        <div class="panes">
            { pane(session, state, Pane::First, dispatch) }
            { second }
        </div>
    };
    html! {
        <main class="stage" data-split={split.to_string()}>
            { styled(format!("--share:{}", session.ui.share), panes) }
            { progress(session, dispatch) }
            { state.memo.part("columns", || columns(session, dispatch)) }
        </main>
    }
}

fn divider(session: &Session, dispatch: &Callback<Event>) -> Html {
    let share = session.ui.share;
    let on_drag = dispatch.reform(move |dragged: Dragged| {
        let percent = match dragged {
            Dragged::To {
                x,
                y,
                around,
                stacked,
            } => {
                let part = if stacked {
                    (y - around.top()) / around.height()
                } else {
                    (x - around.left()) / around.width()
                };
                (100.0 * part).round() as i32
            }
            Dragged::By(steps) => i32::from(share) + SHARE_STEP * steps,
            Dragged::Back => 50,
        };
        Event::Share(percent.clamp(0, 100) as u8)
    });
    let now = (u32::from(share), u32::from(SHARE.0), u32::from(SHARE.1));
    html! { <Divider name="Divider between the views" id="divider" class="divider" {now} {on_drag}/> }
}

fn pane(session: &Session, state: &StageState<'_>, pane: Pane, dispatch: &Callback<Event>) -> Html {
    let Some(view) = session.view_in(pane) else {
        return Html::default();
    };
    let own = &state.panes[pane.idx()];
    let active = session.active() == pane;
    let table = session.has_table(pane) && view != View::Checks;
    let inner = dispatch.reform(move |event| Event::In(pane, Box::new(event)));
    let (onfocusin, onpointerdown) = activation(pane, active, dispatch);
    let first = pane == Pane::First;
    let (has_scene, controls) = (own.scene.is_some(), session.controls(view));
    let sentence = session.shown().sentence_in(view, own.scene.as_deref());
    // If both views show the form, only the active pane contains it.
    let both = session
        .view_in(pane.other())
        .is_some_and(|other| session.playground(other).is_some() || other == View::Arithmetic);
    let form = (active || !both).then(|| playground(session, view, &inner));
    let headline = if first {
        html! { <h1 data-testid="headline">{ sentence }</h1> }
    } else {
        html! { <h2 data-testid="headline-2">{ sentence }</h2> }
    };
    html! {
        <section class="pane" key={pane.idx()} aria-label={view.name()} data-active={active.to_string()}
            data-stale={session.shown().is_stale_in(view).to_string()} data-former={session.shown().shows_former_in(view).to_string()}
            data-testid={id(pane, "pane")} {onfocusin} {onpointerdown}>
            { state.memo.part_in(("tabs", pane.idx()), &tabs_key(session, pane, view), || tabs(session, pane, view, &inner)) }
            { first.then(|| warnings(session, dispatch)) }
            { first.then(|| outcome(session, dispatch)) }
            { first.then(|| alert(session, dispatch)) }
            { first.then(|| verdict(session, dispatch)) }
            <div class="stage-head">
                { sections(session, pane, view, &inner) }
                { headline }
                { first.then(|| jump(session, dispatch)) }
                { state.memo.part_in(("tools", pane.idx()), &has_scene, || tools(session, pane, view, has_scene, &inner)) }
            </div>
            { state.memo.part_in(("choices", pane.idx()), &controls, || choices_of(controls.clone(), pane, &inner)) }
            { form }
            <div id={id(pane, "stage-panel")} class="panel" role="tabpanel" aria-label={view.name()}>
                <div class={if table { "canvas away" } else { "canvas" }} ref={own.frame.clone()} aria-hidden={table.then_some("true")}>
                    { picture(session, state, pane, &inner) }
                    { plots(session, state, pane, &inner) }
                </div>
                { table.then(|| twin(session, view, own.scene.as_deref(), &id(pane, "twin"), dispatch)) }
            </div>
        </section>
    }
}
