//! The tables of a view's picture and charts, as an alternative to the canvas.

use yew::{Callback, Html, html};

use super::card::label;
use workbench::app::{Event, Session};
use workbench::scene::{Chart, Scene, Table};
use workbench::share::View;

/// The tables of a view.
pub(crate) fn twin(
    session: &Session,
    view: View,
    scene: Option<&Scene>,
    id: &str,
    dispatch: &Callback<Event>,
) -> Html {
    let Some(scene) = scene else {
        return html! { <div class="twin">{ session.empty_sentence() }</div> };
    };
    let plots = session.shown().charts(view);
    // Heads of columns are terms of the glossary where it has them.
    let head = |text: &str| match (text, view) {
        ("Line", View::Coalescing | View::Caches) => label(session, text, dispatch),
        // A line of the source, not of a cache.
        ("Line", _) => html! { { text } },
        _ => label(session, text, dispatch),
    };
    let table = |data: &Table| with_heads(data, &head);
    let plot = |chart: &Chart| html! { <><h2>{ &chart.title }</h2>{ table(&chart.table()) }</> };
    html! {
        <div class="twin" data-testid={id.to_owned()} tabindex="0" role="region" aria-label="The picture as a table">
            { (!scene.note.is_empty()).then(|| html! { <p class="note">{ &scene.note }</p> }) }
            { table(&scene.table) }
            { for plots.iter().map(plot) }
            { session.notes_table().map(|notes| html! { <><h2>{ "Notes on the picture" }</h2>{ table(&notes) }</> }) }
        </div>
    }
}

/// A table with its numeric columns aligned right.
pub(crate) fn table(table: &Table) -> Html {
    with_heads(table, &|text| html! { { text } })
}

/// A table whose heads a function shows.
fn with_heads(table: &Table, shown: &dyn Fn(&str) -> Html) -> Html {
    let numeric: Vec<bool> = (0..table.columns.len())
        .map(|idx| {
            let mut cells = table.rows.iter().filter_map(|row| row.get(idx));
            cells.all(|cell| cell.is_empty() || is_number(cell))
        })
        .collect();
    let class = |idx: usize| numeric.get(idx).is_some_and(|numeric| *numeric).then_some("n");
    let cell = |(idx, cell): (usize, &String)| html! { <td class={class(idx)}>{ cell }</td> };
    let head =
        |(idx, head): (usize, &String)| html! { <th scope="col" class={class(idx)}>{ shown(head) }</th> };
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
