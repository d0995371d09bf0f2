//! Why the slow run takes more cycles than the fast one: the cause in a sentence, the numbers of the chips with what each
//! explains, and their sources.

use std::sync::Arc;

use super::super::inspector::phrases;
use super::super::kit::{Face, Sheet};
use super::super::{Inspection, Role, Shape, Source, Table, Target, TextSize, Texture};
use crate::cause::{Account, CauseRow, NumberRow, Record};
use crate::words::{capital, thousands};
use engine::arch::architecture;

/// What is known about the cause.
#[derive(Clone, Debug, Default)]
pub enum CauseState {
    /// There is nothing to explain.
    #[default]
    Absent,
    /// The progress of the measurement, or why there is no cause.
    Words(String),
    /// The runs are long: the user decides whether to measure. A sentence.
    Offered(String),
    /// The measured cause.
    Known {
        /// The runs, in words.
        account: Arc<Account>,
        /// The row whose sources are shown; without one, those of the cause.
        chosen: Option<u8>,
    },
}

/// Width below which a number takes two lines.
const NARROW: f32 = 620.0;
/// Height of a line of the sentence, of a row, and of a source.
const LINE: f32 = 19.0;
const ROW: f32 = 20.0;
const SOURCE: f32 = 16.0;
const BUTTON: f32 = 28.0;
/// Widths of the columns for cycles, and for the share with its bar.
const CYCLES: f32 = 84.0;
const SHARE: f32 = 150.0;
/// A number that explains less than this share alone is counted, not listed, in percent.
const MIN_LISTED: i64 = 1;

/// Draws the part, and returns the y below.
pub(super) fn draw(sheet: &mut Sheet, state: &CauseState, (x, y, width): (f32, f32, f32)) -> f32 {
    let body = Face::text(TextSize::Body, Role::Ink1);
    match state {
        CauseState::Absent => y,
        CauseState::Words(text) => paragraph(sheet, text, (x, y), width, body.role(Role::Ink2)) + 8.0,
        CauseState::Offered(text) => {
            let y = paragraph(sheet, text, (x, y), width, body.role(Role::Ink2)) + 2.0;
            button(sheet, (x, y - LINE / 2.0 + 4.0));
            y + BUTTON + 8.0
        }
        CauseState::Known { account, chosen } => draw_account(sheet, account, *chosen, (x, y, width)),
    }
}

fn paragraph(sheet: &mut Sheet, text: &str, (x, y): (f32, f32), width: f32, face: Face) -> f32 {
    let mut y = y;
    let text = text.replace(" %", "\u{a0}%");
    for line in face.wrap(&text, width.min(900.0)) {
        sheet.text(&line, x, y, face);
        y += LINE;
    }
    y
}

fn button(sheet: &mut Sheet, (x, y): (f32, f32)) {
    let face = Face::text(TextSize::Label, Role::Ink1).strong();
    let label = "Measure the cause";
    let width = face.width(label) + 20.0;
    let frame = Shape::Rect {
        x: x + 0.5,
        y: y + 0.5,
        w: width - 1.0,
        h: BUTTON - 1.0,
    };
    sheet.put(frame, Role::Edge, Texture::Outline(1.0), None);
    sheet.text(label, x + width / 2.0, y + BUTTON / 2.0, face.center());
    sheet.area(x, y, width, BUTTON, Target::MeasureCause);
}

fn draw_account(
    sheet: &mut Sheet,
    account: &Account,
    chosen: Option<u8>,
    (x, y, width): (f32, f32, f32),
) -> f32 {
    let Account { record, rows, .. } = account;
    let body = Face::text(TextSize::Body, Role::Ink1);
    let small = Face::text(TextSize::Label, Role::Ink3);
    let mut y = paragraph(sheet, &account.sentence, (x, y), width, body);
    if record.is_equal() {
        return y + 8.0;
    }
    let open = chosen.map(usize::from).or(account.named);
    y = draw_heads(sheet, record, (x, y + 6.0, width));
    let is_listed = |row: &CauseRow| row.share.is_some_and(|share| share.abs() >= MIN_LISTED);
    for (idx, row) in rows.iter().enumerate().filter(|(_, row)| is_listed(row)) {
        y = draw_row(sheet, row, idx, open == Some(idx), (x, y, width));
        if open == Some(idx) && !row.numbers.is_empty() {
            y = draw_numbers(sheet, &row.numbers, (x + 14.0, y, width - 14.0));
        }
    }
    let refused = rows.iter().filter(|row| row.cycles.is_none()).count();
    let others = rows.iter().filter(|row| !is_listed(row)).count() - refused;
    let mut rest = Vec::new();
    if others > 0 {
        rest.push(format!("{} explain less than 1 % each", others_text(others)));
    }
    if refused > 0 {
        rest.push(format!("{} give no run that finishes", others_text(refused)));
    }
    if !rest.is_empty() {
        let text = format!(
            "{}. Select a number to see its sources.",
            capital(&rest.join("; "))
        );
        for line in small.wrap(&text, width) {
            sheet.text(&line, x, y + 2.0, small);
            y += SOURCE;
        }
    }
    y + 14.0
}

fn others_text(count: usize) -> String {
    crate::scene::counted(count as u64, "other number")
}

fn short(arch: engine::arch::ArchId) -> &'static str {
    let name = architecture(arch).name;
    name.split(' ').next_back().unwrap_or(name)
}

/// The x of the two value columns, and the width of one.
fn columns(x: f32, width: f32) -> (f32, f32, f32) {
    let room = width - CYCLES - SHARE;
    let title = (0.34 * room).max(150.0);
    let value = (room - title) / 2.0;
    (x + title, x + title + value, value)
}

fn draw_heads(sheet: &mut Sheet, record: &Record, (x, y, width): (f32, f32, f32)) -> f32 {
    let small = Face::text(TextSize::Label, Role::Ink3);
    let cycles = format!("{}'s cycles", short(record.slow));
    if width < NARROW {
        sheet.text("Number of the chip", x, y, small);
        sheet.text(&format!("{cycles}, share"), x + width, y, small.right());
    } else {
        let (own, other, value) = columns(x, width);
        sheet.text("Number of the chip", x, y, small);
        sheet.text(&small.fit(short(record.slow), value), own, y, small);
        sheet.text(
            &small.fit(&format!("{}, lent", short(record.fast)), value),
            other,
            y,
            small,
        );
        let right = x + width - SHARE;
        sheet.text(&cycles, right, y, small.right());
        sheet.text("Share alone", x + width, y, small.right());
    }
    sheet.line((x, y + 11.0), (x + width, y + 11.0), 1.0, Role::Line2);
    y + 11.0 + ROW / 2.0 + 2.0
}

fn draw_row(
    sheet: &mut Sheet,
    row: &CauseRow,
    idx: usize,
    is_open: bool,
    (x, y, width): (f32, f32, f32),
) -> f32 {
    let body = Face::text(TextSize::Label, Role::Ink1);
    let title = if is_open { body.strong() } else { body };
    let value = Face::text(TextSize::Label, Role::Ink2);
    let mono = Face::mono(TextSize::Label, Role::Ink1).right();
    let cycles = row.cycles.map_or_else(|| "–".to_owned(), thousands);
    let share = row.share.unwrap_or(0);
    let percent = format!("{share} %");
    let target = Target::Cause(idx.min(255) as u8);
    let name = capital(&row.title);
    if width < NARROW {
        let figures = format!("{cycles}  {percent}");
        let room = width - mono.width(&figures) - 12.0;
        let bottom = wrapped(sheet, &name, (x, y), room, title);
        sheet.text(&figures, x + width, y, mono);
        let values = format!("{} → {}", row.values.0, row.values.1);
        let bottom = wrapped(sheet, &values, (x, bottom), width, value);
        sheet.area(x, y - ROW / 2.0, width, bottom - y, target);
        let line = bottom - SOURCE / 2.0 + 3.0;
        sheet.line((x, line), (x + width, line), 1.0, Role::Line1);
        return bottom + 6.0;
    }
    let (own, other, column) = columns(x, width);
    let bottoms = [
        wrapped(sheet, &name, (x, y), own - x - 12.0, title),
        wrapped(sheet, &row.values.0, (own, y), column - 12.0, value),
        wrapped(sheet, &row.values.1, (other, y), column - 12.0, value),
    ];
    let height = bottoms.into_iter().fold(0.0, f32::max) - y - SOURCE + ROW;
    sheet.text(&cycles, x + width - SHARE, y, mono);
    sheet.text(&percent, x + width, y, mono);
    // The bar ends at 100 %; a negative share has none.
    let bar = (SHARE - 74.0) * share.clamp(0, 100) as f32 / 100.0;
    sheet.rect(
        x + width - SHARE + 14.0,
        y - 4.0,
        bar.max(if share > 0 { 1.0 } else { 0.0 }),
        8.0,
        Role::Ink1,
    );
    sheet.area(x, y - ROW / 2.0, width, height, target);
    y + height
}

/// Draws a text in lines, and returns the y of the next line.
fn wrapped(sheet: &mut Sheet, text: &str, (x, y): (f32, f32), width: f32, face: Face) -> f32 {
    let mut y = y;
    for line in face.wrap(text, width) {
        sheet.text(&line, x, y, face);
        y += SOURCE;
    }
    y
}

/// Draws the numbers of a row with their sources, and returns the y of the next row.
fn draw_numbers(sheet: &mut Sheet, rows: &[NumberRow], (x, y, width): (f32, f32, f32)) -> f32 {
    let name = Face::text(TextSize::Label, Role::Ink1);
    let source = Face::text(TextSize::Label, Role::Ink3);
    let top = y - ROW / 2.0;
    let mut y = y;
    for row in rows {
        let text = format!("{}: {}: {}", row.chip, row.title, row.value);
        for line in name.wrap(&text, width) {
            sheet.text(&line, x, y, name);
            y += SOURCE;
        }
        for line in source.wrap(&row.source, width.min(900.0)) {
            sheet.text(&line, x, y, source);
            y += SOURCE;
        }
        y += 4.0;
    }
    sheet.rect(x - 9.0, top, 2.0, y - top - 8.0, Role::Selection);
    y + 4.0
}

/// The tooltip of a row: the number, and what its exchange changes.
pub fn cause_tooltip(account: &Account, idx: usize) -> Option<(String, String)> {
    let Account { record, rows, .. } = account;
    let row = rows.get(idx)?;
    let (slow, fast) = (short(record.slow), short(record.fast));
    let cycles = row.cycles.map(thousands);
    let text = match (row.exchange, cycles) {
        (Some(_), Some(cycles)) => format!(
            "{slow} {}, {fast} {}. {slow} with the value of {fast} takes {cycles} cycles. Click to see the sources.",
            row.values.0, row.values.1
        ),
        (None, Some(cycles)) => format!(
            "{slow} executes {} warp instructions, {fast} {}. With all numbers of {fast}, the code of {slow} takes {cycles} cycles.",
            row.values.0, row.values.1
        ),
        (_, None) => "No run with this value finishes.".to_owned(),
    };
    Some((capital(&row.title), text))
}

/// The inspector's explanation of a row: what its exchange changes, and its numbers with their sources.
pub fn inspect_cause(account: &Account, idx: usize) -> Option<Inspection> {
    let (title, text) = cause_tooltip(account, idx)?;
    let record = &account.record;
    let sources = account.rows.get(idx)?.numbers.iter().map(|row| Source {
        name: format!("{}: {}", row.chip, row.title),
        value: row.value.clone(),
        assumed: row.source.starts_with("assumption"),
        source: row.source.clone(),
    });
    Some(Inspection {
        title,
        place: format!("{} and {}", short(record.slow), short(record.fast)),
        why: phrases(text.trim_end_matches(" Click to see the sources.")),
        sources: sources.collect(),
        ..Inspection::default()
    })
}

/// The numbers as a table, with the sources of all that differ.
pub(super) fn tables(account: &Account) -> Vec<(String, Table)> {
    let Account { record, rows, .. } = account;
    let (slow, fast) = (short(record.slow), short(record.fast));
    let cells = |row: &CauseRow| {
        [
            capital(&row.title),
            row.values.0.clone(),
            row.values.1.clone(),
            row.cycles.map_or_else(|| "–".to_owned(), thousands),
            row.share
                .map_or_else(|| "–".to_owned(), |share| format!("{share} %")),
        ]
    };
    let causes = super::table_of(
        [
            "Number of the chip",
            slow,
            fast,
            "Cycles with the lent value",
            "Share of the difference",
        ],
        rows.iter().map(cells).collect(),
    );
    let cells = |row: &NumberRow| {
        [
            row.chip.clone(),
            row.title.clone(),
            row.value.clone(),
            row.source.clone(),
        ]
    };
    let sources = rows.iter().flat_map(|row| &row.numbers).map(cells).collect();
    let sources = super::table_of(["Chip", "Number", "Value", "Source"], sources);
    vec![("Cause".to_owned(), causes), ("Sources".to_owned(), sources)]
}
