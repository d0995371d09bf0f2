//! The parts of a pane of the stage: warnings, controls, picture, and charts.

use std::rc::Rc;

use yew::{Callback, FocusEvent, Html, PointerEvent, TargetCast, html};

use super::button::button;
use super::canvas::{Hovered, Picture};
use super::chart::ChartView;
use super::checks::checks;
use super::divider::{Divider, Dragged};
use super::header::zoom_names;
use super::icon::Icon;
use super::memo::MemoParts;
use super::offers::offers;
use super::overlay::overlay;
use super::palette::Palette;
use super::pane::PaneState;
use super::pane_id::id;
use engine::files;
use workbench::app::{Choice, Control, ControlOption, Event, Gesture, Notice, Pane, Session};
use workbench::scene::{Chart, Drag, Setting, Target};
use workbench::share::{COLUMN_PX, Side, View};

/// Options that are shown as buttons; more are shown as a menu.
const MAX_CHIPS: usize = 8;
/// Pixels by which an arrow key moves the edge of a column.
const COLUMN_STEP: i32 = 16;

/// The stage's inputs other than the session.
pub(crate) struct StageState<'a> {
    pub panes: &'a [PaneState; 4],
    pub palette: &'a Rc<Palette>,
    pub on_hover: &'a Callback<(Pane, Hovered)>,
    pub memo: &'a MemoParts,
    /// Whether the page is still loading.
    pub is_coming: bool,
}

/// The dividers of the side columns.
pub(super) fn columns(session: &Session, dispatch: &Callback<Event>) -> Html {
    let column = |name: &'static str, id: &'static str, side: Side, default_px: u16, left: bool| {
        if side == Side::Closed {
            return Html::default();
        }
        let now = match side {
            Side::Wide(px) => px,
            Side::Default | Side::Closed => default_px,
        };
        let on_drag = dispatch.reform(move |dragged: Dragged| {
            let px = match dragged {
                Dragged::To { x, .. } if left => x,
                Dragged::To { x, .. } => super::browser::page_width() - x,
                Dragged::By(steps) => {
                    f64::from(now) + f64::from(COLUMN_STEP * if left { steps } else { -steps })
                }
                Dragged::Back => f64::NAN,
            };
            let side = if px.is_nan() {
                Side::Default
            } else {
                Side::Wide(px as u16)
            };
            if left {
                Event::LeftSide(side)
            } else {
                Event::RightSide(side)
            }
        });
        let class = if left { "column left" } else { "column right" };
        let now = (u32::from(now), u32::from(COLUMN_PX.0), u32::from(COLUMN_PX.1));
        html! { <Divider {name} {id} {class} {now} {on_drag}/> }
    };
    html! {
        <>
            { column("Width of the setup panel", "column-left", session.ui.left, 320, true) }
            { column("Width of the inspector", "column-right", session.right_side(), 288, false) }
        </>
    }
}

/// Makes a pane active when the focus or a pointer enters it.
pub(super) fn activation(
    pane: Pane,
    active: bool,
    dispatch: &Callback<Event>,
) -> (Callback<FocusEvent>, Callback<PointerEvent>) {
    let (focus, point) = (dispatch.clone(), dispatch.clone());
    let onfocusin = Callback::from(move |_: FocusEvent| {
        if !active {
            focus.emit(Event::Activate(pane));
        }
    });
    let onpointerdown = Callback::from(move |_: PointerEvent| {
        if !active {
            point.emit(Event::Activate(pane));
        }
    });
    (onfocusin, onpointerdown)
}

pub(super) fn warnings(session: &Session, dispatch: &Callback<Event>) -> Html {
    let notices: Vec<&str> = session.ui.notices.shown().map(Notice::text).collect();
    if session.ui.warnings.is_empty() && notices.is_empty() {
        return Html::default();
    }
    html! {
        <div class="warnings" role="status" data-testid="link-warnings">
            <ul>
                { for session.ui.warnings.iter().map(|text| html! { <li>{ text }</li> }) }
                { for notices.into_iter().map(|text| html! { <li data-testid="notice">{ text }</li> }) }
            </ul>
            { button(Icon::Close, "Dismiss", "dismiss-warnings", "", dispatch, Event::Dismiss) }
        </div>
    }
}

/// How the run ended, unless it finished normally.
pub(super) fn outcome(session: &Session, dispatch: &Callback<Event>) -> Html {
    let place = session.fault_place().map(|_| {
        let onclick = dispatch.reform(|_| Event::GoToFault);
        html! { <button class="btn line" data-testid="go-to-fault" {onclick}>{ session.fault_button() }</button> }
    });
    match session.outcome_sentence() {
        Some(text) => html! {
            <div class="warnings" role="status" data-testid="outcome"><p>{ text }</p>{ place }</div>
        },
        None => Html::default(),
    }
}

/// The verdict of a run at its last cycle, and what a hypothetical machine lacks.
pub(super) fn verdict(session: &Session, dispatch: &Callback<Event>) -> Html {
    let hypothetical = session.hypothetical_sentence().map(|text| {
        html! { <div class="warnings" role="status" data-testid="hypothetical"><p>{ text }</p></div> }
    });
    let verdict = session.verdict().map(|text| {
        let onclick = dispatch.reform(|_| Event::View(View::Findings));
        html! {
            <div class="warnings verdict" role="status" data-testid="verdict">
                <p>{ text }</p>
                <button class="btn line" data-testid="verdict-findings" {onclick}>{ "Findings" }</button>
            </div>
        }
    });
    html! { <>{ hypothetical }{ verdict }</> }
}

/// A button that shows the line of a compile error.
pub(super) fn jump(session: &Session, dispatch: &Callback<Event>) -> Html {
    let Some(line) = session.broken_line() else {
        return Html::default();
    };
    let onclick = dispatch.reform(move |_| Event::Select(Target::Line(line)));
    html! { <button class="btn line" data-testid="jump" {onclick}>{ format!("Go to {}", files::line_text(&session.side().text, line)) }</button> }
}

pub(super) fn tools(
    session: &Session,
    pane: Pane,
    view: View,
    has_scene: bool,
    dispatch: &Callback<Event>,
) -> Html {
    if !has_scene {
        return Html::default();
    }
    let tool = |icon: Icon, name: &str, what: &str, event: Event| {
        button(icon, name, &id(pane, what), "", dispatch, event)
    };
    let table = session.has_table(pane);
    let zoom = |factor: f64| Event::Zoom { factor, around: None };
    let drag = session.ui.state.settings.drag;
    let zooms = zoom_names(view).filter(|_| !table).map(|[whole, more, less]| {
        let brush = Event::Choose(Choice::Set(Setting::Drag(drag.other())));
        html! {
            <>
                if view == View::Timeline {
                <button class="btn" aria-pressed={(drag == Drag::Range).to_string()} aria-label="Select a range"
                    title="Select a range: drag to select cycles. Shift and drag, or a drag on the axis, does the same."
                    data-testid={id(pane, "drag-range")} onclick={dispatch.reform(move |_| brush.clone())}>{ Icon::Range.html() }</button>
                }
                { tool(Icon::Whole, whole, "whole-run", Event::Gesture(Gesture::Whole)) }
                { tool(Icon::Minus, more, "zoom-out", zoom(2.0)) }
                { tool(Icon::Plus, less, "zoom-in", zoom(0.5)) }
            </>
        }
    });
    let (other, save, event) = if table {
        ("Show the picture", "Save the table as CSV", Event::SaveTable)
    } else {
        ("Show as a table", "Save the picture as PNG", Event::SavePicture)
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

/// The view's rows of options.
pub(super) fn choices(session: &Session, pane: Pane, view: View, dispatch: &Callback<Event>) -> Html {
    choices_of(session.controls(view), pane, dispatch)
}

pub(super) fn choices_of(rows: Vec<Control>, pane: Pane, dispatch: &Callback<Event>) -> Html {
    if rows.is_empty() {
        return Html::default();
    }
    html! { <div class="choices">{ for controls(rows, pane, dispatch) }</div> }
}

/// Each row of options by itself.
pub(super) fn controls(rows: Vec<Control>, pane: Pane, dispatch: &Callback<Event>) -> Vec<Html> {
    let option = |name: &'static str, option: ControlOption| {
        let choice = option.choice;
        let onclick = dispatch.reform(move |_| Event::Choose(choice));
        let testid = id(
            pane,
            &format!("{name}-{}", option.name.to_lowercase().replace(' ', "-")),
        );
        // A step is a plain button without an on or off state.
        let pressed = (!choice.is_step()).then(|| option.chosen.to_string());
        html! {
            <button class="chip" aria-pressed={pressed} data-testid={testid} {onclick}>{ option.name }</button>
        }
    };
    let row = |control: Control| {
        let name = control.id;
        if control.options.len() > MAX_CHIPS {
            return menu(control, pane, dispatch);
        }
        html! {
            <div class="control" role="group" aria-label={control.label}>
                <span class="label">{ control.label }</span>
                { for control.options.into_iter().map(|one| option(name, one)) }
            </div>
        }
    };
    rows.into_iter().map(row).collect()
}

/// A row of many options, as a menu.
fn menu(control: Control, pane: Pane, dispatch: &Callback<Event>) -> Html {
    let choices: Vec<Choice> = control.options.iter().map(|option| option.choice).collect();
    let choose = dispatch.clone();
    let onchange = Callback::from(move |event: yew::Event| {
        let idx = event
            .target_unchecked_into::<web_sys::HtmlSelectElement>()
            .selected_index();
        if let Some(choice) = usize::try_from(idx).ok().and_then(|idx| choices.get(idx)) {
            choose.emit(Event::Choose(*choice));
        }
    });
    let option = |option: &ControlOption| {
        html! { <option selected={option.chosen}>{ &option.name }</option> }
    };
    html! {
        <label class="control">
            <span class="label">{ control.label }</span>
            <select class="field" data-testid={id(pane, control.id)} aria-label={control.label} {onchange}>{ for control.options.iter().map(option) }</select>
        </label>
    }
}

pub(super) fn picture(
    session: &Session,
    state: &StageState<'_>,
    pane: Pane,
    dispatch: &Callback<Event>,
) -> Html {
    let own = &state.panes[pane.idx()];
    if let Some(scene) = &own.scene {
        let view = session.view_in(pane).unwrap_or_default();
        let enlargement = own.factor(session);
        let side = if session.is_side_by_side() { pane.idx() } else { 0 };
        let rings = session.ring_places(side, scene);
        html! {
            <>
            <Picture scene={Rc::clone(scene)} palette={Rc::clone(state.palette)} node={own.canvas.clone()}
                shown={Rc::clone(&own.shown)} {rings} id={id(pane, "stage-canvas")} {enlargement}
                on_hover={state.on_hover.reform(move |at| (pane, at))} dispatch={dispatch.clone()}
                timeline={view == View::Timeline} streams={view == View::Streams} is_coming={state.is_coming}
                brushes={session.ui.state.settings.drag == Drag::Range}/>
            { overlay(session, view, scene, enlargement, dispatch) }
            </>
        }
    } else {
        let view = session.view_in(pane).unwrap_or_default();
        let id = id(pane, "empty");
        if view == View::Checks {
            return checks(session, pane, dispatch);
        }
        if view == View::Compare {
            return offers(session, dispatch);
        }
        html! { <div class="empty" data-testid={id}>{ &own.empty }</div> }
    }
}

/// Steps of the height that is left for charts, in CSS pixels.
const ROOM_STEP: f32 = 16.0;

/// The charts under the picture.
pub(super) fn plots(
    session: &Session,
    state: &StageState<'_>,
    pane: Pane,
    dispatch: &Callback<Event>,
) -> Html {
    let own = &state.panes[pane.idx()];
    let Some(scene) = own.scene.as_ref().filter(|_| !own.charts.is_empty()) else {
        return Html::default();
    };
    // In steps, so that a picture that grows a little from cycle to cycle moves no chart.
    let room = own.size.height - scene.size.height * own.factor(session);
    let room = (room / ROOM_STEP).floor() * ROOM_STEP;
    let plot = |chart: &Rc<Chart>| {
        html! {
            <ChartView key={chart.id.clone()} chart={Rc::clone(chart)} palette={Rc::clone(state.palette)}
                dispatch={dispatch.clone()} {room}/>
        }
    };
    html! { <div class="plots">{ for own.charts.iter().map(plot) }</div> }
}
