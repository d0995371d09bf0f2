//! The Registers view: registers, predicates, shared memory, and parameters at a cycle, lane by lane. It shows
//! the age of the last write, current reads and writes, pending results, and values.

mod choices;
mod contents;
mod lanes;
mod number;
mod parameters;
mod shared;
#[cfg(test)]
mod tests;
mod wording;

use super::kit::{Face, Sheet};
use super::{Role, Scene, Size, Storage, Table, Target, TextSize, Texture, ViewState};
use crate::words::fit_headline;
pub use choices::register_controls;
pub use contents::registers_used;
use contents::{Contents, Row};
use engine::ids::{LaneMask, SlotIdx};
use engine::trace::Frame;
use lanes::{Cell, Grid, RowStyle};
pub(super) use wording::{pending_registers, register_facts, value_tooltip};

/// Minimum and maximum height of a row.
const ROW: (f32, f32) = (12.0, 22.0);
/// Height of the line that counts the rows without room.
const REST: f32 = 16.0;
/// Height of a row if the values of all rows are shown below it.
const OPEN_ROW: f32 = 14.0;

/// Draws the view.
pub fn registers(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let slot = view.slot.unwrap_or(SlotIdx(0));
    match view.settings.storage {
        Storage::Shared => return shared::shared(frame, view, size),
        Storage::Parameters => return parameters::parameters(frame, view, size),
        Storage::Registers | Storage::Predicates => {}
    }
    let of_predicates = view.settings.storage == Storage::Predicates;
    let Some(contents) = Contents::of(frame, slot, view.settings.pairs && !of_predicates) else {
        return empty(size, wording::no_warp(frame, slot), of_predicates);
    };
    let rows = if of_predicates {
        &contents.predicates
    } else {
        &contents.registers
    };
    if rows.is_empty() {
        let what = if of_predicates { "predicates" } else { "registers" };
        return empty(size, wording::unused(what), of_predicates);
    }
    let grid = Grid::with_names(size.width);
    let style = RowStyle {
        now: frame.cycle().0,
        slot: slot.0,
        live: contents.live,
        format: view.settings.format,
        lane: view.lane,
    };
    let (head_y, head_height) = grid.head();
    let top = head_y + head_height + 8.0;
    let key = lanes::key_height(size.width);
    let room = size.height - top - key - 14.0;
    let kept = view
        .is_whole
        .then(|| kept_rows(rows, view, room - REST))
        .flatten();
    let list = match &kept {
        Some(kept) => RowList::of(kept, view, grid, style, room - REST),
        None => RowList::of(rows, view, grid, style, room),
    };

    let mut sheet = Sheet::default();
    let issuing = contents.issues.iter().fold(0, |set, row| set | row.executed.0);
    lanes::draw_lanes(&mut sheet, grid, &contents.lanes, LaneMask(issuing));
    let (mut y, opened_at) = list.draw(&mut sheet, top);
    if let Some(lane) = view.lane {
        let x = grid.left(u32::from(lane));
        let (span, down) = ((x - 2.0, grid.lane + 3.0), (head_y - 2.0, y));
        lanes::draw_column(&mut sheet, span, down, &opened_at);
    }
    if let Some(kept) = &kept {
        let text = wording::rest_text(rows.len() - kept.len());
        sheet.text(
            &text,
            grid.x,
            y + REST / 2.0,
            Face::text(TextSize::Label, Role::Ink3),
        );
        y += REST;
    }
    y += 12.0;
    lanes::draw_key(&mut sheet, grid, size, y, true);
    y += key;
    y = list.draw_last_written(&mut sheet, frame, y, size.height);
    let height = y.max(size.height);
    sheet.finish(
        Size { height, ..size },
        fit_headline(wording::headline(frame, slot, &contents, of_predicates)),
        wording::table(frame, slot, &contents, rows, view.settings.format),
    )
}

/// The rows that have room, where not all have: the selected one, those in use, and those written last. `None`: all have.
fn kept_rows(rows: &[Row], view: &ViewState, room: f32) -> Option<Vec<Row>> {
    let num = (room / ROW.0).max(1.0) as usize;
    if rows.len() <= num {
        return None;
    }
    let rank = |row: &Row| {
        let is_chosen = view
            .register
            .is_some_and(|reg| reg == row.idx || row.wide && reg == row.idx + 1);
        let is_used = row.written.0 != 0 || row.read.0 != 0 || row.pending.is_some() || row.arrives.is_some();
        (is_chosen, is_used, row.last_write().map(|write| write.cycle))
    };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|idx| std::cmp::Reverse(rank(&rows[*idx])));
    order.truncate(num);
    order.sort_unstable();
    Some(order.into_iter().map(|idx| rows[idx].clone()).collect())
}

/// The rows of the view, and their sizes.
struct RowList<'a> {
    rows: &'a [Row],
    view: &'a ViewState,
    grid: Grid,
    style: RowStyle,
    of_predicates: bool,
    row_height: f32,
    /// Whether the values of all rows are shown.
    all_open: bool,
}

impl<'a> RowList<'a> {
    /// The rows in a space of the given height.
    fn of(rows: &'a [Row], view: &'a ViewState, grid: Grid, style: RowStyle, room: f32) -> Self {
        let of_predicates = view.settings.storage == Storage::Predicates;
        // All values if there is room, else those of the selected register.
        let every: f32 = rows.iter().map(|row| grid.values_height(row.wide)).sum();
        let all_open = !of_predicates && rows.len() as f32 * OPEN_ROW + every <= room;
        let mut list = Self {
            rows,
            view,
            grid,
            style,
            of_predicates,
            row_height: 0.0,
            all_open,
        };
        let opened = rows.iter().filter(|row| list.is_open(row));
        let room = room - opened.map(|row| grid.values_height(row.wide)).sum::<f32>();
        list.row_height = (room / rows.len() as f32).floor().clamp(ROW.0, ROW.1);
        list
    }

    /// Whether a row is the selected register, or the pair that contains it.
    fn is_chosen(&self, row: &Row) -> bool {
        !self.of_predicates
            && self
                .view
                .register
                .is_some_and(|reg| reg == row.idx || row.wide && reg == row.idx + 1)
    }

    /// Whether the values of a row are shown below it.
    fn is_open(&self, row: &Row) -> bool {
        self.all_open || self.is_chosen(row)
    }

    /// Draws the rows from `top`, and frames the selected row. Returns y below the rows, and the top and bottom of
    /// each open row's values.
    fn draw(&self, sheet: &mut Sheet, top: f32) -> (f32, Vec<(f32, f32)>) {
        let grid = self.grid;
        let mut y = top;
        let mut selected = None;
        let mut opened_at = Vec::new();
        for row in self.rows {
            self.draw_row(sheet, row, y);
            let start = y;
            y += self.row_height;
            if self.is_open(row) {
                opened_at.push((y, y + grid.values_height(row.wide) - 1.0));
                y += self.draw_values(sheet, row, y);
            }
            if self.is_chosen(row) {
                selected = Some((start, y - start - 3.0));
            }
        }
        if let Some((start, height)) = selected {
            sheet.selection(
                grid.x - 2.0,
                start - 1.0,
                grid.right() - grid.x + 3.0,
                height + 1.0,
            );
        }
        (y, opened_at)
    }

    /// Draws the name and the cells of a row.
    fn draw_row(&self, sheet: &mut Sheet, row: &Row, y: f32) {
        let (grid, style, place) = (self.grid, &self.style, (y, self.row_height));
        lanes::draw_name(sheet, grid, row, place, self.is_chosen(row));
        if self.of_predicates {
            draw_predicate(sheet, grid, style, row, place);
            return;
        }
        lanes::draw_register(sheet, grid, style, row, place);
        let (slot, reg) = (style.slot, row.idx);
        let label = grid.x - grid.margin - 2.0;
        sheet.area(
            grid.margin,
            y,
            label,
            self.row_height - 1.0,
            Target::Register { slot, reg },
        );
    }

    /// Draws the 32 values of a row. Returns their height.
    fn draw_values(&self, sheet: &mut Sheet, row: &Row, y: f32) -> f32 {
        let values = (&row.values, row.wide);
        lanes::draw_open(sheet, self.grid, &self.style, values, row.changed, y)
    }

    /// Draws the values of the last written register at y, if no other values are shown and the space above
    /// `bottom` is large enough. Returns y below the values.
    fn draw_last_written(&self, sheet: &mut Sheet, frame: &Frame, mut y: f32, bottom: f32) -> f32 {
        if self.of_predicates || self.rows.iter().any(|row| self.is_open(row)) {
            return y;
        }
        let grid = self.grid;
        let writes = self.rows.iter().filter_map(|row| Some((row.last_write()?, row)));
        let last = writes.max_by_key(|(write, row)| (write.cycle, std::cmp::Reverse(row.idx)));
        if let Some((write, row)) = last
            && bottom - y >= 26.0 + grid.values_height(row.wide)
        {
            y += 12.0;
            let text = format!(
                "{}, last written by {}",
                row.name,
                wording::write_text(frame, write)
            );
            let face = Face::text(TextSize::Label, Role::Ink2);
            sheet.text(&face.fit(&text, grid.right() - grid.x), grid.x, y, face);
            y += 12.0;
            y += self.draw_values(sheet, row, y);
        }
        y
    }
}

/// Draws one predicate of all lanes.
fn draw_predicate(sheet: &mut Sheet, grid: Grid, style: &RowStyle, row: &Row, (y, h): (f32, f32)) {
    let mut count = 0;
    for lane in 0..32 {
        let (place, lives) = (
            (grid.left(lane), y, grid.lane - 1.0, h - 1.0),
            style.live.contains(lane),
        );
        let holds = row.values[lane as usize] == 1;
        count += u64::from(holds && lives);
        let written = row.written.contains(lane);
        let cell = Cell {
            write: row.writes[lane as usize].filter(|_| lives),
            lives,
            written,
            changed: lives && row.changed.contains(lane),
            target: Some(Target::Predicate {
                slot: style.slot,
                pred: row.idx,
                lane: lane as u8,
            }),
        };
        lanes::draw_cell(sheet, style.now, place, &cell);
        if row.read.contains(lane) {
            let (x, y, w, h) = place;
            sheet.frame(x, y, w, h, Role::State(super::Mark::Issue), 1.5);
        }
        if lives {
            let role = match (written, holds) {
                (true, _) => Role::OnIssue,
                (false, true) => Role::Ink1,
                (false, false) => Role::Ink3,
            };
            let face = Face::mono(TextSize::Micro, role).center();
            let face = if holds { face.strong() } else { face };
            let text = if holds { "1" } else { "0" };
            sheet.text(text, grid.middle(lane), y + h / 2.0 - 0.5, face);
        }
    }
    if !grid.phone {
        let face = Face::mono(TextSize::Micro, Role::Ink2);
        let text = format!("{count}/{}", style.live.count());
        sheet.text(&text, grid.right() + 6.0, y + h / 2.0, face);
    }
}

/// An empty view with its headline.
fn empty(size: Size, sentence: String, of_predicates: bool) -> Scene {
    let grid = Grid::new(size.width);
    let mut sheet = Sheet::default();
    let (y, h) = grid.head();
    for lane in 0..32 {
        sheet.fill(
            grid.left(lane),
            y,
            grid.lane - 1.0,
            h,
            Role::Line2,
            Texture::Dotted,
        );
    }
    let top = y + h + 8.0;
    let height = (size.height - top - 40.0).clamp(80.0, 400.0);
    sheet.fill(
        grid.x,
        top,
        grid.right() - grid.x - 1.0,
        height,
        Role::Line2,
        Texture::Dotted,
    );
    let face = Face::text(TextSize::Body, Role::Ink2).center();
    sheet.text(wording::EMPTY_HINT, grid.left(16), top + height / 2.0, face);
    let first = if of_predicates { "Predicate" } else { "Register" };
    sheet.finish(
        size,
        fit_headline(sentence),
        wording::lane_table(first, Vec::new()),
    )
}

/// A table with `first` columns and `num` numbered columns: `Lane 0`, `Lane 1`.
fn wide_table(first: &[&str], per: &str, num: usize, rows: Vec<Vec<String>>) -> Table {
    let mut columns: Vec<String> = first.iter().map(|column| (*column).to_owned()).collect();
    columns.extend((0..num).map(|idx| format!("{per} {idx}")));
    Table { columns, rows }
}
