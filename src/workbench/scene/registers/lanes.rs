//! The grid of the Registers view: 32 lanes across and one row per register, in the same columns as Banks.

use super::super::kit::{Face, Sheet};
pub(super) use super::super::lanes::Grid;
use super::super::lanes::{LANES, framed_number, runs};
use super::super::{Mark, NumberFormat, Role, Shape, Size, Target, TextSize, Texture};
use super::contents::{LaneState, Row, Write};
use super::number::{number, pattern, pattern_text, short_number};
use engine::ids::LaneMask;

/// Steps of a write's age: the first cycle of each step, and its opacity.
const HEAT: [(u64, f32); 4] = [(1, 0.46), (8, 0.3), (64, 0.18), (512, 0.09)];

impl Grid {
    /// Top and height of the lanes' row.
    pub(super) fn head(self) -> (f32, f32) {
        if self.phone { (26.0, 16.0) } else { (20.0, 22.0) }
    }

    /// Columns, rows, and row height of the 32 values under a selected row.
    pub(super) fn values(self, wide: bool) -> (u32, u32, f32) {
        // The lane number, and 8 or 16 digits.
        let least = if wide { 132.0 } else { 84.0 };
        let fits = |columns: &u32| (self.right() - self.x) / *columns as f32 >= least;
        let columns = [8, 4, 2].into_iter().find(fits).unwrap_or(2);
        (columns, LANES / columns, 15.0)
    }

    /// Height of the 32 values under a selected row.
    pub(super) fn values_height(self, wide: bool) -> f32 {
        let (_, rows, height) = self.values(wide);
        rows as f32 * height + 10.0
    }
}

/// Opacity of a cell by the age of its last write, in cycles.
pub(super) fn heat(age: u64) -> f32 {
    let step = HEAT.iter().rev().find(|(from, _)| age >= *from);
    step.map_or(1.0, |(_, opacity)| *opacity)
}

/// Draws the row of lanes: active, waiting at another instruction, or exited.
pub(super) fn draw_lanes(sheet: &mut Sheet, grid: Grid, lanes: &[LaneState; 32], issuing: LaneMask) {
    let (y, h) = grid.head();
    if grid.phone {
        let face = Face::mono(TextSize::Micro, Role::Ink3);
        for lane in [0, 8, 16, 24, 31] {
            sheet.text(&lane.to_string(), grid.middle(lane), y - 12.0, face.center());
        }
        sheet.text(
            "Lane",
            grid.margin,
            y + h / 2.0,
            Face::text(TextSize::Micro, Role::Ink3),
        );
    } else {
        let face = Face::text(TextSize::Label, Role::Ink3);
        sheet.text("Lane", grid.margin, y + h / 2.0, face);
    }
    for (lane, state) in lanes.iter().enumerate() {
        let (lane, target) = (lane as u32, Some(Target::Lane(lane as u8)));
        let shape = Shape::Rect {
            x: grid.left(lane),
            y,
            w: grid.lane - 1.0,
            h,
        };
        let role = match state {
            LaneState::Active if issuing.contains(lane) => {
                sheet.put(shape, Role::State(Mark::Issue), Texture::Solid, target);
                Role::OnIssue
            }
            LaneState::Active => {
                sheet.put(shape, Role::State(Mark::Issue), Texture::Outline(1.5), target);
                Role::Ink1
            }
            LaneState::Waits(_) => {
                sheet.put(shape, Role::Line2, Texture::Outline(1.0), target);
                Role::Ink3
            }
            LaneState::Exited => {
                sheet.put(shape, Role::Line2, Texture::Dotted, target);
                Role::Ink3
            }
        };
        if grid.has_number(lane) {
            let up = if matches!(state, LaneState::Waits(_)) {
                3.0
            } else {
                0.0
            };
            let at = (grid.middle(lane), y + h / 2.0 - up);
            if role == Role::OnIssue {
                let face = Face::mono(TextSize::Micro, role).center();
                sheet.text(&lane.to_string(), at.0, at.1, face);
            } else {
                framed_number(sheet, lane, at, grid.lane, role);
            }
        }
        if matches!(state, LaneState::Waits(_)) {
            sheet.put(
                Shape::Band {
                    x: grid.left(lane) + 1.0,
                    y: y + h * 0.55,
                    w: grid.lane - 3.0,
                    h: h * 0.45 - 1.0,
                    mark: state.mark(),
                    cycle_px: grid.lane - 3.0,
                },
                Role::State(state.mark()),
                Texture::Solid,
                None,
            );
        }
    }
}

/// The cell of a lane's value.
pub(super) struct Cell {
    pub(super) write: Option<Write>,
    pub(super) lives: bool,
    pub(super) written: bool,
    pub(super) changed: bool,
    pub(super) target: Option<Target>,
}

/// Draws a cell by the age of its last write; a changed value has a folded corner.
pub(super) fn draw_cell(sheet: &mut Sheet, now: u64, (x, y, w, h): (f32, f32, f32, f32), cell: &Cell) {
    let shape = Shape::Rect { x, y, w, h };
    match cell.write {
        Some(write) => {
            let opacity = if cell.written {
                1.0
            } else {
                heat((now - write.cycle).max(1))
            };
            let texture = if opacity >= 1.0 {
                Texture::Solid
            } else {
                Texture::Fade(opacity)
            };
            sheet.put(shape, Role::State(Mark::Issue), texture, cell.target);
        }
        // Lanes without a thread have no cell.
        None if !cell.lives => sheet.put(shape, Role::Paper1, Texture::Fade(0.0), cell.target),
        None => sheet.put(shape, Role::Line1, Texture::Outline(1.0), cell.target),
    }
    if cell.changed {
        draw_corner(sheet, x + w, y, if w < 14.0 { 4.0 } else { 6.0 });
    }
}

/// Draws the folded corner of a changed value.
pub(super) fn draw_corner(sheet: &mut Sheet, right: f32, top: f32, side: f32) {
    sheet.polygon(
        &[(right - side, top), (right, top), (right, top + side)],
        Role::Ink1,
    );
}

/// The drawing parameters of all rows.
pub(super) struct RowStyle {
    pub(super) now: u64,
    pub(super) slot: u16,
    pub(super) live: LaneMask,
    pub(super) format: NumberFormat,
    pub(super) lane: Option<u8>,
}

impl RowStyle {
    fn target(&self, row: &Row, lane: u32) -> Target {
        let (slot, reg, lane) = (self.slot, row.idx, lane as u8);
        Target::Value { slot, reg, lane }
    }
}

/// Draws the name of a row, and `r` or `w` if the issuing instruction reads or writes the register.
pub(super) fn draw_name(sheet: &mut Sheet, grid: Grid, row: &Row, (y, h): (f32, f32), chosen: bool) {
    let touched = !row.read.is_empty() || !row.written.is_empty();
    let size = if h < 13.0 {
        TextSize::Micro
    } else {
        TextSize::Label
    };
    let face = Face::mono(size, if chosen || touched { Role::Ink1 } else { Role::Ink3 });
    let face = if chosen { face.strong() } else { face };
    sheet.text(&row.name, grid.margin, y + h / 2.0, face);
    let access = match (!row.read.is_empty(), !row.written.is_empty()) {
        (true, true) => "r w",
        (true, false) => "r",
        (false, true) => "w",
        (false, false) => return,
    };
    let face = Face::mono(TextSize::Micro, Role::Ink1).strong().right();
    if face.width(access) + Face::mono(size, Role::Ink1).width(&row.name) + 6.0 < grid.x - grid.margin {
        sheet.text(access, grid.x - 5.0, y + h / 2.0, face);
    }
}

/// Draws one register of all lanes.
pub(super) fn draw_register(sheet: &mut Sheet, grid: Grid, style: &RowStyle, row: &Row, (y, h): (f32, f32)) {
    let height = h - 1.0;
    let waits = row.pending.filter(|_| row.written.is_empty());
    for lane in 0..LANES {
        let lives = style.live.contains(lane);
        let cell = Cell {
            write: row.writes[lane as usize].filter(|_| lives && waits.is_none()),
            lives: lives && waits.is_none(),
            written: row.written.contains(lane),
            changed: lives && waits.is_none() && (row.changed.contains(lane) || row.arrives.is_some()),
            target: Some(style.target(row, lane)),
        };
        draw_cell(
            sheet,
            style.now,
            (grid.left(lane), y, grid.lane - 1.0, height),
            &cell,
        );
    }
    if let Some(entry) = waits {
        draw_pending(sheet, grid, Mark::of(entry.state), style.live, (y, height));
    }
    for (first, num) in runs(row.read) {
        let (x, w) = (grid.left(first), num as f32 * grid.lane - 1.0);
        let shape = Shape::Rect { x, y, w, h: height };
        sheet.put(shape, Role::State(Mark::Issue), Texture::Outline(1.5), None);
    }
    draw_values(sheet, grid, style, row, (y, h));
    draw_arrival(sheet, grid, style.now, row, y + h / 2.0);
}

/// Draws the band of a pending result.
fn draw_pending(sheet: &mut Sheet, grid: Grid, mark: Mark, live: LaneMask, (y, h): (f32, f32)) {
    for (first, num) in runs(live) {
        let (x, w) = (grid.left(first), num as f32 * grid.lane - 1.0);
        let shape = Shape::Band {
            x,
            y,
            w,
            h,
            mark,
            cycle_px: grid.lane,
        };
        sheet.put(shape, Role::State(mark), Texture::Solid, None);
    }
}

/// Draws the cycles until a pending result, right of its row.
fn draw_arrival(sheet: &mut Sheet, grid: Grid, now: u64, row: &Row, middle: f32) {
    if grid.phone {
        return;
    }
    let face = Face::mono(TextSize::Micro, Role::Ink2);
    if let Some(entry) = row.pending {
        sheet.tile(grid.right() + 3.0, middle - 5.0, 10.0, Mark::of(entry.state));
        let more = if entry.is_earliest { "+" } else { "" };
        let left = format!("{}{more}", entry.ready.0.saturating_sub(now));
        let left = face.fit(&left, 28.0);
        sheet.text(&left, grid.right() + 16.0, middle, face);
    } else if row.arrives.is_some() {
        sheet.text("now", grid.right() + 16.0, middle, face.role(Role::Ink1).strong());
    }
}

/// Draws the values in the cells if all fit; else the selected lane's value, else the common pattern.
fn draw_values(sheet: &mut Sheet, grid: Grid, style: &RowStyle, row: &Row, (y, h): (f32, f32)) {
    let face = Face::mono(TextSize::Micro, Role::Ink1);
    if h < 12.0 {
        return;
    }
    let middle = y + h / 2.0 - 0.5;
    if let Some(lane) = style.lane {
        let text = number(row.values[usize::from(lane)], row.wide, style.format);
        return draw_plate(sheet, grid, (lane.into(), 1), &text, (y, h));
    }
    let texts: Vec<String> = row
        .values
        .iter()
        .map(|value| number(*value, row.wide, style.format))
        .collect();
    let on = |lane: u32| {
        if row.written.contains(lane) {
            Role::OnIssue
        } else {
            Role::Ink1
        }
    };
    let waits = row.pending.is_some() && row.written.is_empty();
    if !waits
        && style
            .live
            .lanes()
            .all(|lane| face.width(&texts[lane as usize]) <= grid.lane - 3.0)
    {
        for lane in style.live.lanes() {
            sheet.text(
                &texts[lane as usize],
                grid.middle(lane),
                middle,
                face.role(on(lane)).center(),
            );
        }
        return;
    }
    // A value that was never written has no meaning.
    if row.last_write().is_none() {
        return;
    }
    let Some(text) = pattern(&row.values, style.live.0, row.wide)
        .and_then(|pattern| pattern_text(pattern, row.wide, style.format))
    else {
        return;
    };
    let Some(first) = style.live.lanes().next() else {
        return;
    };
    if waits {
        draw_plate(sheet, grid, (first, 0), &text, (y, h));
    } else {
        // The ink depends on whether the text lies on the green of a write.
        sheet.text(&text, grid.left(first) + 5.0, middle, face.role(on(first)));
    }
}

/// Draws a value on a paper plate beside a column, on the side with room.
pub(super) fn draw_plate(
    sheet: &mut Sheet,
    grid: Grid,
    (column, beside): (u32, u32),
    text: &str,
    (y, h): (f32, f32),
) {
    let face = Face::mono(TextSize::Micro, Role::Ink1);
    let width = face.width(text) + 8.0;
    let right_of = grid.left(column + beside) + 2.0;
    let x = if right_of + width <= grid.right() {
        right_of
    } else {
        grid.left(column) - width - 3.0
    };
    sheet.rect(x, y + 0.5, width, h - 2.0, Role::Paper1);
    sheet.text(text, x + 4.0, y + h / 2.0 - 0.5, face);
}

/// Draws the 32 values of a selected row in columns of lanes, and returns the height.
pub(super) fn draw_open(
    sheet: &mut Sheet,
    grid: Grid,
    style: &RowStyle,
    (values, wide): (&[u64; 32], bool),
    changed: LaneMask,
    y: f32,
) -> f32 {
    let (columns, rows, height) = grid.values(wide);
    let full = grid.values_height(wide);
    let pitch = (grid.right() - grid.x) / columns as f32;
    sheet.rect(
        grid.x - 1.0,
        y,
        grid.right() - grid.x + 1.0,
        full - 3.0,
        Role::Paper3,
    );
    let index = Face::mono(TextSize::Micro, Role::Ink3).right();
    let most = ((pitch - 30.0) / 6.0) as usize;
    for lane in 0..LANES {
        let (column, row) = (lane / rows, lane % rows);
        let x = grid.x + column as f32 * pitch;
        let middle = y + 4.0 + (row as f32 + 0.5) * height;
        sheet.text(&lane.to_string(), x + 18.0, middle, index);
        let text = short_number(values[lane as usize], wide, style.format, most);
        let lives = style.live.contains(lane);
        let face = Face::mono(TextSize::Micro, if lives { Role::Ink1 } else { Role::Ink3 });
        let face = if changed.contains(lane) {
            face.strong()
        } else {
            face
        };
        sheet.text(&text, x + 24.0, middle, face);
        if style.lane == Some(lane as u8) {
            sheet.frame(x + 2.0, middle - 7.0, pitch - 4.0, 14.0, Role::Selection, 1.5);
        }
    }
    full
}

/// Draws the outline of the selected lane over all rows, except for the given parts (top and bottom).
pub(super) fn draw_column(
    sheet: &mut Sheet,
    (x, w): (f32, f32),
    (top, bottom): (f32, f32),
    other: &[(f32, f32)],
) {
    let mut parts = Vec::new();
    let mut y = top;
    for (from, to) in other {
        parts.push((y, *from));
        y = *to;
    }
    parts.push((y, bottom));
    for (from, to) in parts.into_iter().filter(|(from, to)| to > from) {
        for (edge, out) in [(x + 1.0, -1.5), (x + w - 1.0, 1.5)] {
            sheet.line((edge + out, from), (edge + out, to), 1.0, Role::Paper1);
            sheet.line((edge, from), (edge, to), 2.0, Role::Selection);
        }
    }
    for y in [top, bottom] {
        sheet.line((x, y), (x + w, y), 2.0, Role::Selection);
    }
}

/// Draws the key. `writes`: all writes of the warp and the pending results are known.
pub(super) fn draw_key(sheet: &mut Sheet, grid: Grid, size: Size, y: f32, writes: bool) {
    let face = Face::text(TextSize::Label, Role::Ink2);
    let right = size.width - grid.margin;
    let (mut x, mut y) = (grid.margin, y);
    let mut place = |sheet: &mut Sheet, width: f32, draw: &dyn Fn(&mut Sheet, f32, f32)| {
        if x + width > right {
            (x, y) = (grid.margin, y + 18.0);
        }
        draw(sheet, x, y);
        x += width + 16.0;
    };
    let mut swatch = |sheet: &mut Sheet, text: &str, draw: &dyn Fn(&mut Sheet, f32, f32)| {
        place(sheet, 17.0 + face.width(text), &|sheet, x, y| {
            draw(sheet, x, y);
            sheet.text(text, x + 17.0, y + 6.0, face);
        });
    };
    let green = Role::State(Mark::Issue);
    swatch(sheet, "written now", &|sheet, x, y| {
        sheet.rect(x, y, 12.0, 12.0, green);
    });
    swatch(sheet, "read now", &|sheet, x, y| {
        sheet.frame(x, y, 12.0, 12.0, green, 1.5);
    });
    for (idx, (from, opacity)) in HEAT.iter().enumerate() {
        let to = HEAT.get(idx + 1).map(|(next, _)| next - 1);
        let text = match (idx, to) {
            (0, Some(to)) => format!("{from} to {to} cycles ago"),
            (_, Some(to)) => format!("{from} to {to}"),
            _ => format!("{from} or more"),
        };
        swatch(sheet, &text, &|sheet, x, y| {
            sheet.fill(x, y, 12.0, 12.0, green, Texture::Fade(*opacity));
        });
    }
    let never = if writes {
        "never written"
    } else {
        "longer ago or never"
    };
    swatch(sheet, never, &|sheet, x, y| {
        sheet.frame(x, y, 12.0, 12.0, Role::Line2, 1.0);
    });
    swatch(sheet, "changed", &|sheet, x, y| {
        sheet.fill(x, y, 12.0, 12.0, green, Texture::Fade(HEAT[1].1));
        draw_corner(sheet, x + 12.0, y, 6.0);
    });
    if writes {
        swatch(sheet, "pending", &|sheet, x, y| {
            sheet.tile(x, y, 12.0, Mark::Long);
        });
    }
}

/// Height of the key at a width.
pub(super) fn key_height(width: f32) -> f32 {
    if width < 360.0 {
        98.0
    } else if width < 520.0 {
        62.0
    } else if width < 800.0 {
        44.0
    } else {
        26.0
    }
}
