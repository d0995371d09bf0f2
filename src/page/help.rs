//! Dialogs: the help, the key map, and the list of all numbers with their sources.

use yew::{Callback, Html, html};

use super::icon;
use super::modal::dialog;
use engine::arch::{Architecture, Conflict, ValueRow};
use workbench::app::keys;
use workbench::app::{Event, Panel, Session, TourEdit};
use workbench::scene::Mark;

/// What the marks of the legend mean: Nsight Compute's stall reasons and a sentence for each.
pub(super) const MARKS: [(Mark, &str, &str); 10] = [
    (Mark::Issue, "Selected", "Issues an instruction in this cycle."),
    (
        Mark::Eligible,
        "Not Selected",
        "Eligible, but its scheduler selected another warp.",
    ),
    (Mark::Wait, "Wait", "Stalls on a fixed latency."),
    (
        Mark::Short,
        "Short Scoreboard",
        "Stalls on a result of shared memory or the special function unit.",
    ),
    (
        Mark::Long,
        "Long Scoreboard",
        "Stalls on a result of global or local memory.",
    ),
    (
        Mark::Throttle,
        "Throttle",
        "Stalls because a pipe or queue is full: MIO, LG, TEX, Math Pipe, Dispatch.",
    ),
    (
        Mark::Barrier,
        "Barrier, Membar",
        "Stalls until the other warps of its block arrive, or until its stores are visible.",
    ),
    (
        Mark::Branch,
        "Branch Resolving",
        "Stalls until the target of the branch is known.",
    ),
    (
        Mark::Other,
        "No Instruction, Sleeping, Drain, Misc",
        "Other reasons, named in the inspector.",
    ),
    (
        Mark::Idle,
        "Empty",
        "The slot holds no warp, or its warp has exited.",
    ),
];

/// The help dialog.
pub(crate) fn help(dispatch: &Callback<Event>) -> Html {
    let mark = |(mark, name, text): &(Mark, &'static str, &'static str)| {
        html! { <>{ icon::tile(*mark, 16) }<span><b>{ *name }</b>{ *text }</span></> }
    };
    let keys = dispatch.reform(|_| Event::Panel(Panel::Keys));
    let glossary = dispatch.reform(|_| Event::Panel(Panel::Glossary));
    let tour = dispatch.reform(|_| Event::Tour(TourEdit::Start));
    let body = html! {
        <>
            <p>{ "A CUDA kernel runs on one streaming multiprocessor (SM), cycle by cycle. A warp that issues is a full \
                block. A stalled warp is a low band whose shape shows the reason. Green: issuing. Blue: waiting for memory. \
                Orange: a unit is full. Violet: barrier. Black: your selection." }</p>
            <h3>{ "Marks" }</h3>
            <div class="marks">{ for MARKS.iter().map(mark) }</div>
            <h3>{ "Tour" }</h3>
            <p>{ "Nine stops in two minutes: " }
                <button class="link" data-testid="help-tour" onclick={tour}>{ "Start the tour" }</button>
            </p>
            <h3>{ "Compare" }</h3>
            <p>{ "Compare up to four runs, aligned by cycle, by moment, or by share of the work. " }<kbd>{ "A" }</kbd>
                { " adds a pane, " }<kbd>{ "X" }</kbd>{ " removes the pane, " }<kbd>{ "Y" }</kbd>{ " changes the alignment, \
                and " }<kbd>{ "|" }</kbd>{ " selects the next pane. Differences from the reference are framed: warps and \
                schedulers in SM, lines in Source. The last line of the pane states the differences. " }<kbd>{ "V" }</kbd>
                { " shows the counters side by side with their ratios. Mark a range with " }<kbd>{ "M" }</kbd>{ ", or hold \
                Shift and drag on the strip, to count within the range only." }</p>
            <h3>{ "Keys" }</h3>
            <p>{ "Every action has a key. " }
                <button class="link" data-testid="help-keys" onclick={keys}>{ "Key map" }</button>
            </p>
            <h3>{ "Terms" }</h3>
            <p>{ "Every term of the page, with its source: " }
                <button class="link" data-testid="help-glossary" onclick={glossary}>{ "Glossary" }</button>
            </p>
            <h3>{ "What is simulated" }</h3>
            <p>{ "Lanes compute real values. Latencies and throughputs follow published measurements and NVIDIA's \
                documents. Every number cites its source, and assumptions are marked. The link in the address bar \
                contains the whole scenario and never leaves your browser." }</p>
            <h3>{ "License" }</h3>
            <p>{ "Warpscope is licensed under the Apache License, Version 2.0, or the MIT license. " }
                <a href="licenses.txt" data-testid="licenses">{ "Licenses of the packages in the page" }</a>
            </p>
        </>
    };
    dialog("How to read Warpscope", "help", dispatch, body)
}

/// The key map dialog, generated from the table that the keyboard handler uses.
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

/// The dialog with every number of the selected architecture.
pub(crate) fn sources(session: &Session, dispatch: &Callback<Event>) -> Html {
    let arch = session.arch();
    let values = arch.values();
    let body = html! {
        <>
            <p>{ "The numbers that the simulator uses, with their sources. Where sources disagree, all are listed." }</p>
            <p>
                { "The simulator compared with published measurements, value by value: " }
                <a href="validation.html" data-testid="validation">{ "Validation" }</a>
            </p>
            { conflicts(arch) }
            <h3>{ "All numbers" }</h3>
            <div class="sources">{ for values.iter().map(value) }</div>
        </>
    };
    dialog(&format!("Sources for {}", arch.name), "sources", dispatch, body)
}

/// The list of source conflicts for an architecture, with the simulated value of each.
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

/// One number with its source and the values of other sources.
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
