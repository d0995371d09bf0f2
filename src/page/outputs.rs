//! The dialog of the buffers after the run: table, numbers, chart.

use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::{Callback, Html, TargetCast, html};

use super::chart::ChartView;
use super::field::TextField;
use super::modal::dialog;
use super::palette::Palette;
use workbench::app::outputs::{COLUMNS, Outputs, OutputsChoice, PAGE, PrintedText};
use workbench::app::{Event, Session};
use workbench::scene::{NumberFormat, thousands};

/// The dialog's markup.
pub(crate) fn outputs(session: &Session, palette: &Rc<Palette>, dispatch: &Callback<Event>) -> Html {
    let body = match session.outputs() {
        Ok(outputs) => shown(session, &outputs, palette, dispatch),
        Err(why) => html! { <p data-testid="outputs-when">{ why }</p> },
    };
    let printed = session.printed().map(|printed| listing(&printed, dispatch));
    let body = html! { <>{ printed.unwrap_or_default() }{ body }</> };
    dialog("Outputs", "outputs", dispatch, body)
}

/// The output of `printf`, one row per call. A click shows the cycle of the call.
fn listing(printed: &PrintedText, dispatch: &Callback<Event>) -> Html {
    let rows = printed.rows.iter().map(|row| {
        let cycle = row.cycle;
        let onclick = dispatch.reform(move |_| Event::Seek(cycle));
        html! {
            <tr>
                <td><button class="link" title="Show this cycle" {onclick}>{ format!("cycle {}", thousands(cycle)) }</button></td>
                <td>{ &row.place }</td>
                <td><pre>{ &row.text }</pre></td>
            </tr>
        }
    });
    html! {
        <section class="printed" aria-label="Printed text">
            <p class="outputs-when" data-testid="printed-when">{ &printed.sentence }</p>
            <div class="printed-text" data-testid="printed" tabindex="0" role="region" aria-label="Printed text">
                <table><tbody>{ for rows }</tbody></table>
            </div>
        </section>
    }
}

fn shown(session: &Session, outputs: &Outputs, palette: &Rc<Palette>, dispatch: &Callback<Event>) -> Html {
    let chart = outputs.chart.as_ref().map(|chart| {
        html! {
            <div class="plots">
                <ChartView key={chart.id.clone()} chart={Rc::clone(chart)} palette={Rc::clone(palette)} dispatch={dispatch.clone()}/>
            </div>
        }
    });
    let chart: Html = chart.unwrap_or_default();
    let fact =
        |(name, text): &(&'static str, String)| html! { <div><dt>{ *name }</dt><dd>{ text }</dd></div> };
    html! {
        <div class="outputs">
            { choices(session, outputs, dispatch) }
            <p class="outputs-when" data-testid="outputs-when">{ &outputs.sentence }</p>
            <dl class="outputs-facts" data-testid="outputs-facts">{ for outputs.facts.iter().map(fact) }</dl>
            { chart }
            { foot(session, outputs, dispatch) }
            { table(session, outputs) }
        </div>
    }
}

/// The choices of buffer, cycle, and number format.
fn choices(session: &Session, outputs: &Outputs, dispatch: &Callback<Event>) -> Html {
    let onchange = dispatch.reform(|event: yew::Event| {
        let value = event.target_unchecked_into::<HtmlSelectElement>().value();
        Event::Outputs(OutputsChoice::Buffer(value.parse().unwrap_or(0)))
    });
    let buffer = |(idx, buffer): (usize, &workbench::app::outputs::OutputBuffer)| {
        html! {
            <option value={buffer.argument.to_string()} selected={idx == outputs.chosen}>{ format!("{}: {}", buffer.name, buffer.what) }</option>
        }
    };
    let chip = |name: String, id: String, on: bool, choice: OutputsChoice| {
        let onclick = dispatch.reform(move |_| Event::Outputs(choice.clone()));
        html! { <button class="chip" aria-pressed={on.to_string()} data-testid={id} {onclick}>{ name }</button> }
    };
    let now = session.ui.outputs.look.now;
    let formats = outputs.formats.iter().map(|(format, on)| {
        let word = match format {
            NumberFormat::Int => "integers",
            format => format.id(),
        };
        chip(
            word.to_owned(),
            format!("outputs-{}", format.id()),
            *on,
            OutputsChoice::Format(*format),
        )
    });
    let cycle = format!("cycle {}", thousands(session.cycle()));
    html! {
        <div class="outputs-choices">
            <select class="field outputs-buffer" data-testid="outputs-buffer" aria-label="Buffer" {onchange}>
                { for outputs.buffers.iter().enumerate().map(buffer) }
            </select>
            <div class="chips" role="group" aria-label="When">
                { chip("end of the run".to_owned(), "outputs-end".to_owned(), !now, OutputsChoice::Now(false)) }
                { chip(cycle, "outputs-now".to_owned(), now, OutputsChoice::Now(true)) }
            </div>
            <div class="chips" role="group" aria-label="Number format">{ for formats }</div>
        </div>
    }
}

fn table(session: &Session, outputs: &Outputs) -> Html {
    let sought = session.ui.outputs.sought;
    let rows = outputs.rows.iter().map(|row| {
        let cells = (row.index..).zip(&row.values).map(|(index, (text, changed))| {
            html! {
                <td data-changed={changed.to_string()} data-sought={(sought == Some(index)).to_string()}>{ text }</td>
            }
        });
        html! { <tr><th scope="row">{ thousands(u64::from(row.index)) }</th>{ for cells }</tr> }
    });
    let heads = (0..COLUMNS).map(|column| html! { <th scope="col">{ format!("+{column}") }</th> });
    html! {
        <div class="outputs-table" data-testid="outputs-table" tabindex="0" role="region" aria-label="Values">
            <table>
                <caption class="unseen">{ "Values by index. Values that the run did not change are in italics." }</caption>
                <thead><tr><th scope="col">{ "index" }</th>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

/// Page buttons, an index field, and export buttons.
fn foot(session: &Session, outputs: &Outputs, dispatch: &Callback<Event>) -> Html {
    let button = |name: &'static str, id: &'static str, disabled: bool, choice: OutputsChoice| {
        let onclick = dispatch.reform(move |_| Event::Outputs(choice.clone()));
        html! { <button class="btn line" data-testid={id} {disabled} {onclick}>{ name }</button> }
    };
    let on_text = dispatch.reform(|text| Event::Outputs(OutputsChoice::Jump(text)));
    let refused = session.ui.outputs.refused.as_ref();
    let value = refused.map_or_else(
        || {
            session
                .ui
                .outputs
                .sought
                .map_or_else(String::new, |index| index.to_string())
        },
        |(text, _)| text.clone(),
    );
    let (page, last) = (outputs.page, outputs.num_pages - 1);
    let first = thousands(u64::from(page * PAGE));
    let pages = format!(
        "from {first}, page {} of {}",
        thousands(u64::from(page) + 1),
        thousands(u64::from(last) + 1)
    );
    html! {
        <>
            <div class="outputs-foot">
                { button("Previous", "outputs-back", page == 0, OutputsChoice::Page(page.saturating_sub(1))) }
                { button("Next", "outputs-on", page == last, OutputsChoice::Page((page + 1).min(last))) }
                <span class="dim" data-testid="outputs-page">{ pages }</span>
                <label>{ "index" }<TextField class="field short" {value} id="outputs-index" name="index" input_mode="numeric"
                    sets="index" is_invalid={refused.is_some()} {on_text}/></label>
                <span class="grow"/>
                { button("Copy values", "outputs-copy", false, OutputsChoice::Copy) }
                { button("Save CSV", "outputs-save", false, OutputsChoice::Save) }
            </div>
            { refused.map(|(_, why)| html! { <p class="refusal" role="alert">{ why }</p> }).unwrap_or_default() }
        </>
    }
}
