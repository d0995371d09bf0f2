//! The dialogs: help, and every number with its source.

use web_sys::{EventTarget, HtmlDialogElement};
use yew::{
    AttrValue, Callback, Children, Html, MouseEvent, Properties, component, html, use_effect_with,
    use_node_ref,
};

use super::browser;
use super::header::button;
use super::icon::{self, Icon};
use engine::arch::{Architecture, Conflict, ValueRow};
use workbench::app::keys;
use workbench::app::{Event, Panel, Session};
use workbench::scene::Mark;

/// What the marks mean, as the legend has them: Nsight Compute's states and a sentence.
const MARKS: [(Mark, &str, &str); 10] = [
    (Mark::Issue, "Selected", "Issues an instruction in this cycle."),
    (
        Mark::Eligible,
        "Not Selected",
        "Could issue, but its scheduler takes another warp.",
    ),
    (Mark::Wait, "Wait", "A fixed number of cycles must pass."),
    (
        Mark::Short,
        "Short Scoreboard",
        "Waits for shared memory or the special function unit.",
    ),
    (Mark::Long, "Long Scoreboard", "Waits for global or local memory."),
    (
        Mark::Throttle,
        "Throttle",
        "The pipe or queue that it needs is full: MIO, LG, TEX, Math Pipe, Dispatch.",
    ),
    (
        Mark::Barrier,
        "Barrier, Membar",
        "Waits for the other warps of its block, or for its stores.",
    ),
    (
        Mark::Branch,
        "Branch Resolving",
        "The next address is not known yet.",
    ),
    (
        Mark::Other,
        "No Instruction, Sleeping, Drain, Misc",
        "The rest, told apart in words.",
    ),
    (Mark::Idle, "Empty", "No warp in this slot, or it has finished."),
];

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct ModalProps {
    #[prop_or_default]
    pub class: &'static str,
    pub title: AttrValue,
    pub id: &'static str,
    pub dispatch: Callback<Event>,
    pub children: Children,
}

/// A dialog: the page behind it does not answer until it is closed.
#[component]
pub(crate) fn Modal(props: &ModalProps) -> Html {
    let node = use_node_ref();
    let dialog = node.clone();
    use_effect_with((), move |()| {
        let opener = browser::focused();
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            // A dialog that is open already is what is wanted.
            let _ = dialog.show_modal();
        }
        // What opened it has the focus again when it is gone; before that the page takes none.
        move || {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
            browser::focus(opener);
        }
    });
    let oncancel = props.dispatch.reform(|_: yew::Event| Event::Close);
    let (dispatch, own) = (props.dispatch.clone(), node.clone());
    let onclick = Callback::from(move |event: MouseEvent| {
        // A click on the dialog itself, not on what is in it, is one beside it.
        if event.target() == own.get().map(EventTarget::from) {
            dispatch.emit(Event::Close);
        }
    });
    html! {
        <dialog ref={node} class={props.class} aria-label={props.title.clone()} data-testid={props.id} {oncancel} {onclick}>
            <div class="dialog-head">
                <h2>{ &props.title }</h2>
                { button(Icon::Close, "Close", "dialog-close", "", &props.dispatch, Event::Close) }
            </div>
            <div class="dialog-body">{ props.children.clone() }</div>
        </dialog>
    }
}

/// A dialog with a title.
pub(crate) fn dialog(title: &str, id: &'static str, dispatch: &Callback<Event>, body: Html) -> Html {
    html! { <Modal title={AttrValue::from(title.to_owned())} {id} dispatch={dispatch.clone()}>{ body }</Modal> }
}

/// The help.
pub(crate) fn help(dispatch: &Callback<Event>) -> Html {
    let mark = |(mark, name, text): &(Mark, &'static str, &'static str)| {
        html! { <>{ icon::tile(*mark, 16) }<span><b>{ *name }</b>{ *text }</span></> }
    };
    let keys = dispatch.reform(|_| Event::Panel(Panel::Keys));
    let body = html! {
        <>
            <p>{ "A CUDA kernel runs on one multiprocessor (SM), cycle by cycle. A warp that issues is a full block; \
                  a warp that waits is a low band, and its form says for what. Green works, blue is distance, orange \
                  is pressure, violet is together, ink is you." }</p>
            <h3>{ "Marks" }</h3>
            <div class="marks">{ for MARKS.iter().map(mark) }</div>
            <h3>{ "Compare" }</h3>
            <p>{ "Up to four runs stand side by side on one clock: the same cycle, the same moment, or the same share of \
                  the work. " }<kbd>{ "A" }</kbd>{ " adds a pane and " }<kbd>{ "X" }</kbd>{ " removes it, " }
                <kbd>{ "Y" }</kbd>{ " changes the clock, " }<kbd>{ "|" }</kbd>{ " goes to the next pane. What is not as on \
                  the reference has a frame and a bar of ink at its left: warps and schedulers in SM, lines in Source; \
                  the foot of the pane says it in words. " }<kbd>{ "V" }</kbd>{ " has the counters side by side, with \
                  ratios. A range that you mark with " }<kbd>{ "M" }</kbd>{ " or with Shift and a drag on the strip is the \
                  same stretch on every side, and the counters can be of it alone." }</p>
            <h3>{ "Keys" }</h3>
            <p>{ "Everything can be done by keys. " }
                <button class="link" data-testid="help-keys" onclick={keys}>{ "The key map" }</button>
            </p>
            <h3>{ "What is simulated" }</h3>
            <p>{ "Lanes compute real values; times follow published measurements and the vendor's documents. Every \
                  number tells its source, and an assumption says that it is one. The link in the address bar holds \
                  the whole scenario and never leaves your browser." }</p>
        </>
    };
    dialog("How to read Warpscope", "help", dispatch, body)
}

/// The key map, from the table that the keyboard has.
pub(crate) fn key_map(dispatch: &Callback<Event>) -> Html {
    let key = |(keys, text): &(&'static str, &'static str)| {
        let keys = keys
            .split(' ')
            .map(|key| html! { <><kbd>{ key }</kbd>{ " " }</> });
        html! { <><dt>{ for keys }</dt><dd>{ *text }</dd></> }
    };
    let group = |(name, keys): &(&'static str, &'static [(&'static str, &'static str)])| {
        html! { <section><h3>{ *name }</h3><dl class="keys">{ for keys.iter().map(key) }</dl></section> }
    };
    let body = html! { <div class="key-groups">{ for keys::GROUPS.iter().map(group) }</div> };
    dialog("Key map", "keys", dispatch, body)
}

/// Every number of the architecture.
pub(crate) fn sources(session: &Session, dispatch: &Callback<Event>) -> Html {
    let arch = session.arch();
    let values = arch.values();
    let body = html! {
        <>
            <p>{ "The numbers that are simulated, with their documents. Where sources disagree, all are listed." }</p>
            <p>
                { "How close the simulator comes to published measurements, value by value: " }
                <a href="validation.html" data-testid="validation">{ "Validation" }</a>
            </p>
            { conflicts(arch) }
            <h3>{ "All numbers" }</h3>
            <div class="sources">{ for values.iter().map(value) }</div>
        </>
    };
    dialog(
        &format!("Where the numbers of {} come from", arch.name),
        "sources",
        dispatch,
        body,
    )
}

/// Where sources disagree on an architecture, and what was decided.
fn conflicts(arch: &Architecture) -> Html {
    let mut conflicts = arch.conflicts().peekable();
    if conflicts.peek().is_none() {
        return Html::default();
    }
    let conflict = |conflict: &'static Conflict| {
        html! {
            <div>
                <b>{ conflict.topic }</b>
                { for conflict.claims.iter().map(|claim| html! { <em>{ *claim }</em> }) }
                <span>{ "Simulated: " }{ conflict.simulated }</span>
            </div>
        }
    };
    html! {
        <>
            <h3>{ "Where sources disagree" }</h3>
            <div class="sources">{ for conflicts.map(conflict) }</div>
        </>
    }
}

/// A number with its source and what others say.
pub(crate) fn value(row: &ValueRow) -> Html {
    let unit = if row.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", row.unit)
    };
    let source = if row.source.is_empty() {
        row.quality.text().to_owned()
    } else {
        row.source.to_owned()
    };
    let note = if row.note.is_empty() {
        String::new()
    } else {
        format!(": {}", row.note)
    };
    let other = row.alternatives.iter().filter(|other| other.value != row.value);
    html! {
        <div>
            <span class="v">{ &row.value }{ unit }</span>
            <span>{ row.description }</span>
            <em><code class="mono">{ &row.path }</code>{ " · " }{ source }{ note }</em>
            { for other.map(|other| html! { <em>{ format!("but {} in {}", other.value, other.source) }</em> }) }
        </div>
    }
}
