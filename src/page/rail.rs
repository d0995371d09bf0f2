//! The setup panel: architecture, kernel, launch, options, carveout.

use std::rc::Rc;

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{Callback, Html, InputEvent, TargetCast, html};

use super::button::button;
use super::editor::Editor;
use super::editor_state::EditorState;
use super::files;
use super::icon::Icon;
use super::launch::{launch, part_name};
use super::library;
use super::memo::MemoParts;
use super::picker::Picker;
use super::styled::styled;
use workbench::app::{Event, FormChoice, Panel, Session, SetUpPart};

/// The least shares of the carveout's bar that fit the labels `L1 16 KB` and `shared 32 KB`.
const L1_ROOM: f32 = 0.24;
const SHARED_ROOM: f32 = 0.32;

/// The panel, as far as the page has loaded.
pub(crate) fn rail(
    session: &Session,
    editor: &EditorState,
    (memo, arrived): (&MemoParts, u8),
    dispatch: &Callback<Event>,
) -> Html {
    let open = matches!(session.ui.panel, Some(Panel::SetUp(_)));
    // Parts that are not loaded yet keep their place in the list, so that the parts beside them keep their nodes. The
    // editor loads after the parts that determine its height.
    let from = |step: u8, part: &dyn Fn() -> Html| {
        if arrived >= step { part() } else { Html::default() }
    };
    html! {
        <aside class="rail" aria-label="Setup" data-open={open.to_string()}>
            { memo.part("strip", || strip(session, dispatch)) }
            <div class="setup">
                { from(4, &|| memo.part("architecture", || architecture(session, dispatch))) }
                { from(7, &|| kernel(session, editor, memo, dispatch)) }
                { from(5, &|| memo.part("launch", || launch(session, dispatch))) }
                { from(6, &|| memo.part("carveout", || carveout(session, dispatch))) }
            </div>
        </aside>
    }
}

fn architecture(session: &Session, dispatch: &Callback<Event>) -> Html {
    html! {
        <section class="sec" data-part={part_name(SetUpPart::Architecture)}>
            <h2>{ "Architecture" }<span class="grow"/>
                { button(Icon::Close, "Close", "set-up-close", "phone-only", dispatch, Event::Close) }
            </h2>
            <Picker chosen={session.setup().arch} dispatch={dispatch.clone()}/>
        </section>
    }
}

/// The collapsed panel: four icons that expand the setup.
fn strip(session: &Session, dispatch: &Callback<Event>) -> Html {
    let item = |icon: Icon, name: &'static str, word: &'static str, part: SetUpPart| {
        let onclick = dispatch.reform(move |_| Event::Panel(Panel::SetUp(part)));
        let pressed = session.ui.panel == Some(Panel::SetUp(part));
        html! {
            <button class="btn" aria-label={name} aria-pressed={pressed.to_string()}
                data-testid={format!("strip-{}", word.to_lowercase())} {onclick}>{ icon.html() }{ word }</button>
        }
    };
    html! {
        <nav class="strip" aria-label="Setup">
            { item(Icon::Chip, "Architecture", "Arch", SetUpPart::Architecture) }
            { item(Icon::Code, "Code: kernel", "Code", SetUpPart::Kernel) }
            { item(Icon::Grid, "Grid: launch", "Grid", SetUpPart::Launch) }
            { item(Icon::SetUp, "Options", "Options", SetUpPart::Options) }
        </nav>
    }
}

fn kernel(session: &Session, editor: &EditorState, memo: &MemoParts, dispatch: &Callback<Event>) -> Html {
    let head = || {
        html! {
            <>
                <h2>{ "Kernel" }{ own_text(session, dispatch) }<span class="grow"/>{ files::tools(dispatch) }{ entries(session, dispatch) }
                    { library::menu(session, dispatch) }
                </h2>
                { library::variants(session, dispatch) }
            </>
        }
    };
    html! {
        <section class="sec kernel" data-part={part_name(SetUpPart::Kernel)}>
            { memo.part("kernel", head) }
            { files::tabs(editor, dispatch) }
            <Editor key={editor.key.to_string()} text={Rc::clone(&editor.text)} problems={Rc::clone(&editor.problems)}
                notes={Rc::clone(&editor.notes)} focus={editor.focus} definition={editor.definition}
                target={editor.target.clone()} density={session.ui.density} dispatch={dispatch.clone()}/>
            { files::elsewhere(editor, dispatch) }
        </section>
    }
}

/// The tag for modified source text, with a button that restores the library's text.
fn own_text(session: &Session, dispatch: &Callback<Event>) -> Html {
    if session.setup().source.is_none() {
        return Html::default();
    }
    let onclick = dispatch.reform(|_| Event::Form(FormChoice::ResetText));
    html! {
        <>
            <span class="tag">{ library::source_tag(session) }</span>
            <button class="link" data-testid="reset-text" title="Restore the library's text" {onclick}>{ "Reset" }</button>
        </>
    }
}

/// The menu of the source's kernels, if it has more than one.
fn entries(session: &Session, dispatch: &Callback<Event>) -> Html {
    let names = session.entries();
    if names.is_empty() {
        return Html::default();
    }
    let now = session.derived().program().map(|program| program.name.as_str());
    let onchange = dispatch.reform(|event: yew::Event| {
        Event::Form(FormChoice::Entry(
            event.target_unchecked_into::<HtmlSelectElement>().value(),
        ))
    });
    let option = |name: &String| {
        html! { <option value={name.clone()} selected={Some(name.as_str()) == now}>{ name }</option> }
    };
    html! {
        <span class="pick">
            <span class="mono">{ now.unwrap_or("kernel").to_owned() }</span>{ Icon::Down.html() }
            <select data-testid="entry-menu" aria-label="Kernel to launch" {onchange}>{ for names.iter().map(option) }</select>
        </span>
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
    let ticks = split.sizes.iter().map(|kib| {
        let left = percent(split.total_kib - f32::from(*kib));
        styled(format!("left:{left}"), html! { <s/> })
    });
    let used = format!("left:{};width:{}", percent(l1), percent(split.used_kib));
    let used = styled(used, html! { <i class="used"/> });
    let value = format!("shared memory {} KB, L1 {l1} KB", split.shared_kib);
    // A segment that is too short for its label moves the label to the other segment.
    let (l1_text, shared_text) = (format!("L1 {l1} KB"), format!("shared {} KB", split.shared_kib));
    let (left, right) = if l1 < split.total_kib * L1_ROOM {
        (String::new(), format!("{l1_text}, {shared_text}"))
    } else if split.total_kib - l1 < split.total_kib * SHARED_ROOM {
        (format!("{l1_text}, {shared_text}"), String::new())
    } else {
        (l1_text, shared_text)
    };
    let right = (!right.is_empty()).then(|| html! { <span class="end">{ right }</span> });
    html! {
        <section class="sec">
            <h2>{ "Carveout" }<span class="grow"/><span>{ format!("of {} KB", split.total_kib) }</span></h2>
            <div class="carve">
                <div class="bar">
                    { used }
                    <span>{ left }</span>
                    { right }
                </div>
                { styled(format!("left:{}", percent(l1)), html! { <i class="grip"/> }) }
                <div class="ticks">{ for ticks }</div>
                <input type="range" min="0" max={(split.sizes.len() - 1).to_string()} step="1" value={split.idx.to_string()}
                    data-testid="carveout" aria-label="Shared memory of the SM" aria-valuetext={value} {oninput}/>
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
