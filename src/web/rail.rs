//! The set up: architecture, kernel, launch, options, carveout.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, TargetCast, html};

use super::editor::{Editor, problems};
use super::header::button;
use super::icon::Icon;
use super::library;
use super::picker::Picker;
use crate::app::code::LineNote;
use crate::app::{Event, LaunchField, Panel, Problem, Session, SetUpPart, Switch, form};
use crate::sim::{LoadCaching, SchedulerPolicy};

/// What the editor needs beside the session, kept from one drawing to the next.
pub(crate) struct EditorState {
    pub text: Rc<str>,
    pub problems: Rc<[Problem]>,
    pub notes: Rc<[LineNote]>,
    pub focus: Option<(u32, u32)>,
}

impl EditorState {
    /// The state at first.
    pub(crate) fn of(session: &Session) -> Self {
        let mut state = Self {
            text: Rc::from(""),
            problems: Rc::from([]),
            notes: Rc::from([]),
            focus: None,
        };
        state.follow(session);
        state
    }

    /// Takes over what changed.
    pub(crate) fn follow(&mut self, session: &Session) {
        if *self.text != *session.text {
            self.text = Rc::from(session.text.as_str());
        }
        if *self.problems != *session.derived.problems {
            self.problems = Rc::from(session.derived.problems.as_slice());
        }
        let notes = session.derived.line_notes(session);
        if *self.notes != *notes {
            self.notes = Rc::from(notes);
        }
    }
}

/// The rail.
pub(crate) fn rail(session: &Session, editor: &EditorState, dispatch: &Callback<Event>) -> Html {
    let open = matches!(session.panel, Some(Panel::SetUp(_)));
    html! {
        <aside class="rail" aria-label="Set up" data-open={open.to_string()}>
            { strip(session, dispatch) }
            <div class="setup">
                <section class="sec" data-part={part_name(SetUpPart::Architecture)}>
                    <h2>{ "Architecture" }<span class="grow"/>
                        { button(Icon::Close, "Close", "set-up-close", "phone-only", dispatch, Event::Close) }
                    </h2>
                    <Picker chosen={session.scenario.arch} dispatch={dispatch.clone()}/>
                </section>
                { kernel(session, editor, dispatch) }
                { launch(session, dispatch) }
                { carveout(session, dispatch) }
            </div>
        </aside>
    }
}

/// A part's name in the page.
pub(crate) const fn part_name(part: SetUpPart) -> &'static str {
    match part {
        SetUpPart::Architecture => "architecture",
        SetUpPart::Kernel => "kernel",
        SetUpPart::Launch => "launch",
        SetUpPart::Options => "options",
    }
}

/// The narrow rail: four icons that open the set up.
fn strip(session: &Session, dispatch: &Callback<Event>) -> Html {
    let item = |icon: Icon, name: &'static str, word: &'static str, part: SetUpPart| {
        let onclick = dispatch.reform(move |_| Event::Panel(Panel::SetUp(part)));
        let pressed = session.panel == Some(Panel::SetUp(part));
        html! {
            <button class="btn" aria-label={name} aria-pressed={pressed.to_string()}
                data-testid={format!("strip-{}", word.to_lowercase())} {onclick}>{ icon.html() }{ word }</button>
        }
    };
    html! {
        <nav class="strip" aria-label="Set up">
            { item(Icon::Chip, "Architecture", "Arch", SetUpPart::Architecture) }
            { item(Icon::Code, "Kernel", "Code", SetUpPart::Kernel) }
            { item(Icon::Grid, "Launch", "Grid", SetUpPart::Launch) }
            { item(Icon::SetUp, "Options", "Opts", SetUpPart::Options) }
        </nav>
    }
}

fn kernel(session: &Session, editor: &EditorState, dispatch: &Callback<Event>) -> Html {
    html! {
        <section class="sec kernel" data-part={part_name(SetUpPart::Kernel)}>
            <h2>{ "Kernel" }<span class="grow"/>
                { library::menu(session, dispatch) }
            </h2>
            { library::variants(session, dispatch) }
            <Editor text={Rc::clone(&editor.text)} problems={Rc::clone(&editor.problems)}
                notes={Rc::clone(&editor.notes)} focus={editor.focus} dispatch={dispatch.clone()}/>
            { problems(&editor.problems, dispatch) }
        </section>
    }
}

fn field(
    session: &Session,
    dispatch: &Callback<Event>,
    field: LaunchField,
    name: &str,
    value: String,
) -> Html {
    let draft = session.drafts.get(&field);
    let onchange = dispatch.reform(move |event: yew::Event| {
        Event::Launch(field, event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let id = format!("launch-{}", name.to_lowercase());
    let class = if field == LaunchField::DynamicShared {
        "field short"
    } else {
        "field"
    };
    let value = draft.map_or(value, |(text, _)| text.clone());
    html! {
        <label>{ name }
            <input {class} {value} data-testid={id} inputmode="numeric" autocomplete="off"
                aria-invalid={draft.is_some().to_string()} {onchange}/>
        </label>
    }
}

fn launch(session: &Session, dispatch: &Callback<Event>) -> Html {
    let launch = session.scenario.launch();
    let reasons = session.drafts.values().map(|(_, why)| why.clone());
    let refused = session
        .derived
        .problems
        .iter()
        .filter(|problem| problem.span.is_none());
    let reasons: Vec<String> = reasons
        .chain(refused.map(|problem| problem.message.clone()))
        .collect();
    let dynamic = (launch.dynamic_shared > 0 || session.derived.uses_dynamic_shared()).then(|| {
        field(
            session,
            dispatch,
            LaunchField::DynamicShared,
            "Dynamic",
            launch.dynamic_shared.to_string(),
        )
    });
    html! {
        <section class="sec" data-part={part_name(SetUpPart::Launch)}>
            <div class="launch">
                { field(session, dispatch, LaunchField::Grid, "Grid", form::dims_text(launch.grid)) }
                { field(session, dispatch, LaunchField::Block, "Block", form::dims_text(launch.block)) }
                { dynamic }
            </div>
            { for reasons.into_iter().map(|why| html! { <p class="refusal" role="alert" data-testid="refusal">{ why }</p> }) }
            { chips(session, dispatch) }
        </section>
    }
}

fn chips(session: &Session, dispatch: &Callback<Event>) -> Html {
    let chip = |name: &'static str, id: &'static str, what: &'static str, on: bool, switch: Switch| {
        let onclick = dispatch.reform(move |_| Event::Toggle(switch));
        html! {
            <button class="chip" aria-pressed={on.to_string()} title={what} data-testid={id} {onclick}>{ name }</button>
        }
    };
    let (compile, machine) = (&session.scenario.compile, &session.scenario.machine);
    let round_robin = machine.policy == SchedulerPolicy::Lrr;
    let global = machine.load_caching == LoadCaching::Cg;
    let unlike = "Diverged groups of a warp take turns at every chance";
    let independent = session.has_independent_threads().then(|| {
        chip(
            "adversarial",
            "option-adversarial",
            unlike,
            machine.adversarial,
            Switch::Adversarial,
        )
    });
    html! {
        <div class="chips" role="group" aria-label="Options" data-part={part_name(SetUpPart::Options)}>
            { chip("-use_fast_math", "option-fast-math", "Faster, less exact functions", compile.fast_math, Switch::FastMath) }
            { chip("-fmad=false", "option-fmad", "Multiplications and additions stay apart", !compile.fmad, Switch::NoFusedMultiplyAdd) }
            { chip("-dlcm=cg", "option-dlcm", "Global loads go past L1", global, Switch::CacheGlobal) }
            { chip("round-robin", "option-policy", "Schedulers take warps in turn, not greedily the oldest", round_robin, Switch::RoundRobin) }
            { independent }
        </div>
    }
}

fn carveout(session: &Session, dispatch: &Callback<Event>) -> Html {
    let Some(split) = session.carveout() else {
        return occupancy(session);
    };
    let sizes: Vec<u16> = split.sizes.clone();
    let oninput = dispatch.reform(move |event: InputEvent| {
        let idx = event
            .target_unchecked_into::<HtmlInputElement>()
            .value_as_number();
        Event::Carveout(sizes.get(idx.max(0.0) as usize).map(|kib| u32::from(*kib)))
    });
    let percent = |kib: f32| format!("{:.2}%", 100.0 * kib / split.total_kib);
    let l1 = split.total_kib - f32::from(split.shared_kib);
    let ticks = split
        .sizes
        .iter()
        .map(|kib| html! { <s style={format!("left:{}", percent(split.total_kib - f32::from(*kib)))}/> });
    let used = format!("left:{};width:{}", percent(l1), percent(split.used_kib));
    let value = format!("shared memory {} KB, L1 {l1} KB", split.shared_kib);
    html! {
        <section class="sec">
            <h2>{ "Carveout" }<span class="grow"/><span>{ format!("of {} KB", split.total_kib) }</span></h2>
            <div class="carve">
                <div class="bar">
                    <i class="used" style={used}/>
                    <span>{ format!("L1 {l1} KB") }</span>
                    <span class="end">{ format!("shared {} KB", split.shared_kib) }</span>
                </div>
                <i class="grip" style={format!("left:{}", percent(l1))}/>
                <div class="ticks">{ for ticks }</div>
                <input type="range" min="0" max={(split.sizes.len() - 1).to_string()} step="1" value={split.idx.to_string()}
                    style="direction:rtl" data-testid="carveout" aria-label="Shared memory of the SM" aria-valuetext={value} {oninput}/>
            </div>
            { occupancy_line(session) }
        </section>
    }
}

fn occupancy(session: &Session) -> Html {
    html! { <section class="sec">{ occupancy_line(session) }</section> }
}

fn occupancy_line(session: &Session) -> Html {
    match session.occupancy_text() {
        Some((warps, rest)) => html! {
            <div class="pair" data-testid="occupancy">
                <span>{ "Occupancy" }</span><b><span class="num">{ warps }</span>{ rest }</b>
            </div>
        },
        None => Html::default(),
    }
}
