//! The stage: tabs, the sentence, the picture or its table.

use std::rc::Rc;

use yew::{Callback, Html, KeyboardEvent, NodeRef, html};

use super::canvas::Picture;
use super::chart::ChartView;
use super::header::button;
use super::icon::Icon;
use super::palette::Palette;
use super::playground::playground;
use crate::app::{Event, Session};
use crate::scene::{Chart, Control, ControlOption, Scene, Table, Target};
use crate::share::View;

/// What the stage shows beside the session.
pub(crate) struct StageState<'a> {
    pub scene: Option<&'a Rc<Scene>>,
    pub palette: &'a Rc<Palette>,
    pub canvas: &'a NodeRef,
    pub frame: &'a NodeRef,
    pub on_hover: &'a Callback<Option<(Target, f64, f64)>>,
}

/// The stage.
pub(crate) fn stage(session: &Session, state: &StageState<'_>, dispatch: &Callback<Event>) -> Html {
    let stale = session.is_stale();
    html! {
        <main class="stage" data-stale={stale.to_string()}>
            { tabs(session, dispatch) }
            { warnings(session, dispatch) }
            { outcome(session) }
            <div class="stage-head">
                <h1 data-testid="headline">{ session.sentence(state.scene.map(Rc::as_ref)) }</h1>
                { jump(session, dispatch) }
                { tools(session, state.scene.is_some(), dispatch) }
            </div>
            { controls(session, dispatch) }
            { playground(session, dispatch) }
            <div id="stage-panel" class="canvas" role="tabpanel" aria-label={session.scenario.view.name()}
                ref={state.frame.clone()} hidden={session.table}>
                { picture(session, state, dispatch) }
                { plots(session, state, dispatch) }
            </div>
            { session.table.then(|| twin(session, state.scene.map(Rc::as_ref))) }
        </main>
    }
}

fn tabs(session: &Session, dispatch: &Callback<Event>) -> Html {
    let view = session.scenario.view;
    let idx = View::ALL.iter().position(|other| *other == view).unwrap_or(0);
    let turn = dispatch.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => View::ALL.len() - 1,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        turn.emit(Event::View(View::ALL[(idx + step) % View::ALL.len()]));
    });
    let tab = |tab: &View| {
        let tab = *tab;
        let selected = tab == view;
        let onclick = dispatch.reform(move |_| Event::View(tab));
        html! {
            <button class="tab" role="tab" aria-selected={selected.to_string()} aria-controls="stage-panel"
                tabindex={if selected { "0" } else { "-1" }} data-testid={format!("tab-{}", tab.id())} {onclick}>
                { tab.name() }
            </button>
        }
    };
    let group = |(idx, views): (usize, &&[View])| {
        let gap = (idx > 0).then(|| html! { <span class="gap"/> });
        html! { <>{ gap }{ for views.iter().map(tab) }</> }
    };
    html! {
        <div class="tabs" role="tablist" aria-label="Views" {onkeydown}>
            { for View::GROUPS.iter().enumerate().map(group) }
        </div>
    }
}

fn warnings(session: &Session, dispatch: &Callback<Event>) -> Html {
    if session.warnings.is_empty() {
        return Html::default();
    }
    html! {
        <div class="warnings" role="status" data-testid="link-warnings">
            <ul>{ for session.warnings.iter().map(|text| html! { <li>{ text }</li> }) }</ul>
            { button(Icon::Close, "Dismiss", "dismiss-warnings", "", dispatch, Event::Dismiss) }
        </div>
    }
}

/// How the run ended, where it did not just finish.
fn outcome(session: &Session) -> Html {
    match session.outcome_sentence() {
        Some(text) => html! {
            <div class="warnings" role="status" data-testid="outcome"><p>{ text }</p></div>
        },
        None => Html::default(),
    }
}

/// The way to the line that does not compile.
fn jump(session: &Session, dispatch: &Callback<Event>) -> Html {
    let Some(line) = session.broken_line() else {
        return Html::default();
    };
    let onclick = dispatch.reform(move |_| Event::Select(Target::Line(line)));
    html! { <button class="btn line" data-testid="jump" {onclick}>{ format!("Go to line {line}") }</button> }
}

fn tools(session: &Session, has_scene: bool, dispatch: &Callback<Event>) -> Html {
    if !has_scene {
        return Html::default();
    }
    let tool = |icon: Icon, name: &str, id: &str, event: Event| button(icon, name, id, "", dispatch, event);
    let zoom = |factor: f64| Event::Zoom { factor, around: None };
    let zooms = (session.scenario.view == View::Timeline && !session.table).then(|| {
        html! {
            <>
                { tool(Icon::Minus, "Show more cycles", "zoom-out", zoom(2.0)) }
                { tool(Icon::Plus, "Show fewer cycles", "zoom-in", zoom(0.5)) }
            </>
        }
    });
    let (other, save, event) = if session.table {
        ("Show the picture", "Save the table as CSV", Event::SaveTable)
    } else {
        ("Read as a table", "Save the picture as PNG", Event::SavePicture)
    };
    html! {
        <div class="tools">
            { zooms }
            { tool(Icon::Table, other, "table", Event::Table) }
            { tool(Icon::Save, save, "save", event) }
            { tool(Icon::FullScreen, "Full screen", "full-screen", Event::FullScreen) }
        </div>
    }
}

/// The view's rows of choices.
fn controls(session: &Session, dispatch: &Callback<Event>) -> Html {
    let rows = session.controls(session.scenario.view);
    if rows.is_empty() {
        return Html::default();
    }
    let option = |id: &'static str, option: ControlOption| {
        let choice = option.choice;
        let onclick = dispatch.reform(move |_| Event::Choose(choice));
        let testid = format!("{id}-{}", option.name.to_lowercase().replace(' ', "-"));
        // A step is a button like any other: it is not on or off.
        let pressed = (!choice.is_step()).then(|| option.chosen.to_string());
        html! {
            <button class="chip" aria-pressed={pressed} data-testid={testid} {onclick}>{ option.name }</button>
        }
    };
    let row = |control: Control| {
        let id = control.id;
        html! {
            <div class="control" role="group" aria-label={control.label}>
                <span class="label">{ control.label }</span>
                { for control.options.into_iter().map(|one| option(id, one)) }
            </div>
        }
    };
    html! { <div class="choices">{ for rows.into_iter().map(row) }</div> }
}

fn picture(session: &Session, state: &StageState<'_>, dispatch: &Callback<Event>) -> Html {
    match state.scene {
        Some(scene) => html! {
            <Picture scene={Rc::clone(scene)} palette={Rc::clone(state.palette)} node={state.canvas.clone()}
                on_hover={state.on_hover.clone()} dispatch={dispatch.clone()}
                timeline={session.scenario.view == View::Timeline}/>
        },
        None => html! { <div class="empty" data-testid="empty">{ session.empty_sentence() }</div> },
    }
}

/// The plots under the picture.
fn plots(session: &Session, state: &StageState<'_>, dispatch: &Callback<Event>) -> Html {
    let charts = session.charts(session.scenario.view);
    if charts.is_empty() || state.scene.is_none() {
        return Html::default();
    }
    let plot = |chart: Chart| {
        let key = chart.id.clone();
        html! {
            <ChartView {key} chart={Rc::new(chart)} palette={Rc::clone(state.palette)}
                dispatch={dispatch.clone()}/>
        }
    };
    html! { <div class="plots">{ for charts.into_iter().map(plot) }</div> }
}

/// The picture in words.
fn twin(session: &Session, scene: Option<&Scene>) -> Html {
    let Some(scene) = scene else {
        return html! { <div class="twin">{ session.empty_sentence() }</div> };
    };
    let plots = session.charts(session.scenario.view);
    let plot = |chart: &Chart| html! { <><h2>{ &chart.title }</h2>{ table(&chart.table()) }</> };
    html! {
        <div class="twin" data-testid="twin" tabindex="0">
            { table(&scene.table) }
            { for plots.iter().map(plot) }
        </div>
    }
}

/// A table, its columns of numbers at the right.
pub(crate) fn table(table: &Table) -> Html {
    let numeric: Vec<bool> = (0..table.columns.len())
        .map(|idx| {
            let mut cells = table.rows.iter().filter_map(|row| row.get(idx));
            cells.all(|cell| is_number(cell))
        })
        .collect();
    let class = |idx: usize| numeric.get(idx).is_some_and(|numeric| *numeric).then_some("n");
    let cell = |(idx, cell): (usize, &String)| html! { <td class={class(idx)}>{ cell }</td> };
    let head = |(idx, head): (usize, &String)| html! { <th scope="col" class={class(idx)}>{ head }</th> };
    let row = |row: &Vec<String>| html! { <tr>{ for row.iter().enumerate().map(cell) }</tr> };
    html! {
        <table>
            <thead><tr>{ for table.columns.iter().enumerate().map(head) }</tr></thead>
            <tbody>{ for table.rows.iter().map(row) }</tbody>
        </table>
    }
}

fn is_number(cell: &str) -> bool {
    let numeral =
        |letter: char| letter.is_ascii_digit() || matches!(letter, ',' | '.' | '%' | '<' | '>' | ' ');
    cell.chars().any(|letter| letter.is_ascii_digit()) && cell.chars().all(numeral)
}
