//! The stage of a comparison: the shared controls at the top, and a pane for each run below.

use web_sys::HtmlSelectElement;
use yew::{Callback, Html, TargetCast, html};

use super::button::button;
use super::checks::alert;
use super::icon::Icon;
use super::pane_id::id;
use super::pane_parts::{
    StageState, activation, choices, columns, controls, jump, outcome, picture, plots, tools, verdict,
    warnings,
};
use super::playground::playground;
use super::progress::progress;
use super::tabs::{sections, tabs};
use super::twin::twin;
use engine::arch::{ArchId, architecture};
use workbench::app::{CompareEdit, Event, Pane, Session};
use workbench::share::{MAX_SIDES, Order, Side, Sync, View};

/// The stage while several runs are compared.
pub(crate) fn compared(session: &Session, state: &StageState<'_>, dispatch: &Callback<Event>) -> Html {
    let view = session.ui.view;
    let whole = view == View::Compare;
    let sides = if whole { 1 } else { session.num_sides() };
    let pane = |pane: Pane| {
        if whole {
            alone(session, state, dispatch)
        } else {
            side(session, state, pane, dispatch)
        }
    };
    html! {
        <main class="stage" data-split="false" data-compare="true">
            { tabs(session, Pane::First, view, dispatch) }
            { sections(session, Pane::First, view, dispatch) }
            { bar(session, dispatch) }
            { warnings(session, dispatch) }
            { (!whole).then(|| choices(session, Pane::First, view, dispatch)) }
            { playground(session, view, dispatch) }
            <div class="sides" data-sides={sides.to_string()} data-testid="sides">
                { for Pane::ALL.into_iter().take(sides).map(pane) }
            </div>
            { progress(session, dispatch) }
            { columns(session, dispatch) }
        </main>
    }
}

/// The shared controls: alignment, scope of changes, marked differences.
fn bar(session: &Session, dispatch: &Callback<Event>) -> Html {
    let chip = |name: &str, testid: String, on: bool, edit: CompareEdit| {
        let onclick = dispatch.reform(move |_| Event::Compare(edit.clone()));
        html! {
            <button class="chip" aria-pressed={on.to_string()} data-testid={testid} {onclick}>{ name }</button>
        }
    };
    let settings = &session.ui.compare;
    let sync = |sync: Sync| {
        let name = match sync {
            Sync::Cycle => "Cycle",
            Sync::Time => "Time",
            Sync::Progress => "Progress",
        };
        chip(
            name,
            format!("sync-{}", sync.id()),
            settings.sync == sync,
            CompareEdit::Sync(sync),
        )
    };
    let apart = settings.apart;
    let whole = session.ui.view == View::Compare;
    let place = if whole {
        html! {
            <>
                { reference(session, dispatch) }
                { order(session, dispatch) }
                { for controls(session.controls(View::Compare), Pane::First, dispatch) }
            </>
        }
    } else {
        html! {
            <div class="control" role="group" aria-label="Differences">
                { chip("Mark differences", "differences".to_owned(), settings.marks, CompareEdit::Marks(!settings.marks)) }
            </div>
        }
    };
    let full = session.num_sides() == MAX_SIDES;
    let add = dispatch.reform(|_| Event::Compare(CompareEdit::Add(None)));
    html! {
        <div class="choices compare-bar" role="toolbar" aria-label="Comparison" data-testid="compare-bar">
            <div class="control" role="group" aria-label="Alignment of the panes">
                <span class="label">{ "Same" }</span>
                { for Sync::ALL.into_iter().map(sync) }
            </div>
            <div class="control" role="group" aria-label="Changes apply to">
                <span class="label">{ "Change" }</span>
                { chip("All panes", "changes-all".to_owned(), !apart, CompareEdit::Apart(false)) }
                { chip("This pane", "changes-this".to_owned(), apart, CompareEdit::Apart(true)) }
            </div>
            { place }
            <span class="grow"/>
            <div class="control">
                { (session.num_sides() > 2).then(|| inspector_button(session, dispatch)) }
                <button class="btn line" data-testid="add-pane" disabled={full} title="Add a pane (A)" onclick={add}>
                    { Icon::Plus.html() }{ "Pane" }
                </button>
                { button(Icon::Close, "Show only this run", "compare-end", "", dispatch, Event::Compare(CompareEdit::End)) }
            </div>
        </div>
    }
}

/// Shows or hides the inspector, which is hidden by default beside three and more panes.
fn inspector_button(session: &Session, dispatch: &Callback<Event>) -> Html {
    let shown = session.right_side() != Side::Closed;
    let onclick = dispatch.reform(|_| Event::Right);
    html! {
        <button class="btn hide-phone" aria-pressed={shown.to_string()} data-testid="compare-inspector"
            title="Show or hide the inspector (])" {onclick}>{ "Inspector" }</button>
    }
}

/// The choice of the reference run for ratios.
fn reference(session: &Session, dispatch: &Callback<Event>) -> Html {
    let now = session.ui.compare.reference;
    let onchange = dispatch.reform(|event: yew::Event| {
        let value = event.target_unchecked_into::<HtmlSelectElement>().value();
        Event::Compare(CompareEdit::Reference(value.parse().unwrap_or(0)))
    });
    let option = |idx: usize| {
        let name = session.sides[idx].arch().name;
        html! {
            <option value={idx.to_string()} selected={idx == now}>{ format!("{}: {name}", idx + 1) }</option>
        }
    };
    html! {
        <div class="control">
            <label class="label" for="reference">{ "Ratios to" }</label>
            <select id="reference" class="side-arch" aria-label="Ratios to" data-testid="reference" {onchange}>
                { for (0..session.num_sides()).map(option) }
            </select>
        </div>
    }
}

/// The choice of the counters' order.
fn order(session: &Session, dispatch: &Callback<Event>) -> Html {
    let chip = |name: &'static str, order: Order| {
        let on = session.ui.compare.order == order;
        let onclick = dispatch.reform(move |_| Event::Compare(CompareEdit::Order(order)));
        let testid = format!("order-{}", name.to_lowercase());
        html! {
            <button class="chip" aria-pressed={on.to_string()} data-testid={testid} {onclick}>{ name }</button>
        }
    };
    html! {
        <div class="control" role="group" aria-label="Sort counters by">
            <span class="label">{ "Sort counters by" }</span>
            { chip("Group", Order::Groups) }
            { chip("Ratio", Order::Ratio) }
        </div>
    }
}

/// The Compare view: all runs in one picture.
fn alone(session: &Session, state: &StageState<'_>, dispatch: &Callback<Event>) -> Html {
    let (pane, view) = (Pane::First, View::Compare);
    let own = &state.panes[pane.idx()];
    let table = session.has_table(pane);
    html! {
        <section class="pane" key="compare" aria-label={view.name()} data-active="true" data-testid="pane">
            <div class="stage-head">
                <h1 data-testid="headline">{ &own.sentence }</h1>
                { tools(session, pane, view, own.scene.is_some(), dispatch) }
            </div>
            { failures(session) }
            { panel(session, state, pane, table, dispatch) }
        </section>
    }
}

/// The runs that cannot start, each with its reason.
fn failures(session: &Session) -> Html {
    let row = |idx: usize| {
        let mut problems = session.sides[idx].derived.problems.iter();
        let problem = problems.find(|problem| problem.fatal)?;
        let name = session.sides[idx].arch().name;
        Some(html! { <li>{ format!("{name}: {}", problem.message) }</li> })
    };
    let rows: Vec<Html> = (0..session.num_sides()).filter_map(row).collect();
    if rows.is_empty() {
        return Html::default();
    }
    html! { <div class="warnings" role="status" data-testid="failed-sides"><ul>{ rows }</ul></div> }
}

/// A pane: its heading, its picture, and its differences from the reference.
fn side(session: &Session, state: &StageState<'_>, pane: Pane, dispatch: &Callback<Event>) -> Html {
    let view = session.ui.view;
    let own = &state.panes[pane.idx()];
    let active = session.active() == pane;
    let table = session.has_table(pane);
    let inner = dispatch.reform(move |event| Event::In(pane, Box::new(event)));
    let (onfocusin, onpointerdown) = activation(pane, active, dispatch);
    let first = pane == Pane::First;
    let headline = if first {
        html! { <h1 data-testid="headline">{ &own.sentence }</h1> }
    } else {
        html! { <h2 data-testid={id(pane, "headline")}>{ &own.sentence }</h2> }
    };
    let elsewhere = (!own.head.elsewhere.is_empty()).then(|| {
        html! {
            <p class="side-elsewhere" title={own.head.elsewhere.clone()} data-testid={id(pane, "differs")}>
                <b>{ "differs" }</b>{ " " }{ &own.head.elsewhere }
            </p>
        }
    });
    let own_tools = active.then(|| tools(session, pane, view, own.scene.is_some(), &inner));
    let own_jump = active.then(|| jump(session, dispatch));
    html! {
        <section class="pane side" key={format!("side-{}", pane.idx())} data-active={active.to_string()}
            aria-label={format!("Pane {}: {}, {}", pane.idx() + 1, own.head.name, view.name())}
            data-stale={own.stale.to_string()} data-testid={id(pane, "pane")} {onfocusin} {onpointerdown}>
            { head(session, own, pane, own_tools, (&inner, dispatch)) }
            { active.then(|| outcome(session, &inner)) }
            { active.then(|| alert(session, &inner)) }
            { active.then(|| verdict(session, dispatch)) }
            <div class="stage-head">{ headline }{ own_jump }</div>
            { panel(session, state, pane, table, &inner) }
            { elsewhere }
        </section>
    }
}

/// The pane's heading, with its tools while the pane has the keyboard.
fn head(
    session: &Session,
    own: &super::pane::PaneState,
    pane: Pane,
    tools: Option<Html>,
    (inner, dispatch): (&Callback<Event>, &Callback<Event>),
) -> Html {
    let number = pane.idx() + 1;
    let arch = session.sides[pane.idx()].setup.arch;
    let onchange = inner.reform(move |event: yew::Event| {
        let value = event.target_unchecked_into::<HtmlSelectElement>().value();
        Event::Arch(value.parse().unwrap_or(arch))
    });
    let option = |id: ArchId| {
        let name = architecture(id).name;
        html! { <option value={id.text()} selected={id == arch}>{ name }</option> }
    };
    let remove = Event::Compare(CompareEdit::Remove(Some(pane)));
    let differs = (!own.head.differs.is_empty()).then(|| {
        html! { <span class="tag" data-testid={id(pane, "side-own")}>{ &own.head.differs }</span> }
    });
    html! {
        <div class="side-head" data-failed={own.head.failed.to_string()}>
            <select class="side-arch" aria-label={format!("Architecture of pane {number}")}
                data-testid={id(pane, "side-arch")} {onchange}>
                { for ArchId::ALL.into_iter().map(option) }
            </select>
            { differs }
            <span class="num side-now" data-testid={id(pane, "side-now")}>{ &own.head.now }</span>
            { button(Icon::Close, &format!("Remove pane {number}"), &id(pane, "side-remove"), "", dispatch, remove) }
            <div class="side-sub">
                <span class="side-state" data-testid={id(pane, "side-state")}>{ &own.head.state }</span>
                { tools }
            </div>
        </div>
    }
}

/// The picture of a pane, or its table.
fn panel(
    session: &Session,
    state: &StageState<'_>,
    pane: Pane,
    table: bool,
    dispatch: &Callback<Event>,
) -> Html {
    let view = session.ui.view;
    let own = &state.panes[pane.idx()];
    let is_own = session.active() == pane;
    // Charts show one run: that of the pane with the keyboard.
    let plots = (is_own && !table).then(|| plots(session, state, pane, dispatch));
    html! {
        <div id={id(pane, "stage-panel")} class="panel" role="tabpanel" aria-label={view.name()}>
            <div class={if table { "canvas away" } else { "canvas" }} ref={own.frame.clone()} aria-hidden={table.then_some("true")}>
                { picture(session, state, pane, dispatch) }
                { plots }
            </div>
            { table.then(|| twin(session, view, own.scene.as_deref(), &id(pane, "twin"), dispatch)) }
        </div>
    }
}
