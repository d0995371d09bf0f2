//! The picture of a matrix product.

use engine::ids::LaneMask;
use engine::isa::MmaKind;
use engine::trace::Frame;

use super::super::controls::Cells;
use super::super::kit::{Face, Sheet};
use super::super::{Role, Scene, Size, Target, TextSize, Texture, ViewState};
use super::rates::by_lanes;
use super::shown::{Element, Progress, Shown};
use super::{pad, wording};
use crate::words::{fit_headline, thousands};

/// Space between the matrices.
const GAP: f32 = 8.0;
/// Height of the row of lanes.
const LANES: f32 = 20.0;
/// Minimum and maximum height of a cell, and the minimum where the matrices take the whole height.
const CELL: (f32, f32) = (13.0, 19.0);
const MIN_CELL: f32 = 10.0;
/// Height of the comparison and of the sentences on a sum.
const BELOW: f32 = 132.0;
/// Height of a bar of the comparison with instructions of lanes.
const BAR: f32 = 14.0;
/// The passes whose colors the four octets, or groups of four lanes, have.
const HUES: [u16; 4] = [1, 2, 8, 32];

/// How an element is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Held, and not used by the shown step.
    Rest,
    /// Used by the shown step.
    Active,
    /// A sum that is complete.
    Done,
}

/// What the cells show, and their size.
struct Grid<'a> {
    shown: &'a Shown<'a>,
    view: &'a ViewState,
    cell: (f32, f32),
}

/// Draws a product.
pub(super) fn product(frame: &Frame, shown: &Shown, view: &ViewState, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let pad = pad(size.width);
    let width = size.width - 2.0 * pad;
    lane_row(&mut sheet, shown, view, width);
    let top = 16.0 + LANES + 16.0;
    let kind = shown.kind();
    let depth = shown.shown_depth() as f32;
    let (columns, rows) = (depth + kind.columns() as f32, depth + kind.rows() as f32);
    // Four octets are two beside two, or one below another where their cells would have no room for text.
    let (across, down) = match kind.num_products() {
        0 | 1 => (1.0, 1.0),
        num if (width - 20.0 - 2.0 * GAP) / 2.0 / columns < longest_text(view.settings.cells) => {
            (1.0, num as f32)
        }
        _ => (2.0, 2.0),
    };
    let between = 20.0;
    // Where all has to fit and cells are many, the matrices take the whole height.
    let least_high = down * (rows * CELL.0 + GAP) + between * (down - 1.0);
    let is_alone = view.is_whole && top + least_high + BELOW > size.height;
    let (room, least_cell) = if is_alone {
        (size.height - top, MIN_CELL)
    } else {
        (size.height - top - BELOW, CELL.0)
    };
    let widest = if matches!(kind, MmaKind::Bits { .. }) {
        66.0
    } else {
        46.0
    };
    let cell_w = (((width - between * (across - 1.0)) / across - GAP) / columns).min(widest);
    let cell_h = (((room - between * (down - 1.0)) / down - GAP) / rows)
        .floor()
        .clamp(least_cell, CELL.1);
    let grid = Grid {
        shown,
        view,
        cell: (cell_w, cell_h),
    };
    let (one_w, one_h) = (columns * cell_w + GAP, rows * cell_h + GAP);
    for product in 0..kind.num_products() {
        // Octets 1 and 3 have the lower rows of a tile of 16 x 16, octets 2 and 3 its right columns.
        let (column, row) = if across > 1.0 {
            ((product / 2) as f32, (product % 2) as f32)
        } else {
            (0.0, product as f32)
        };
        grid.draw(
            &mut sheet,
            product,
            (column * (one_w + between), top + row * (one_h + between)),
        );
    }
    let mut y = top + down * one_h + between * (down - 1.0);
    if !is_alone {
        y = comparison(&mut sheet, frame, shown, y + 22.0, width);
        y = sum_lines(&mut sheet, shown, view, y, width) + 8.0;
    }
    for item in &mut sheet.items {
        item.shape.move_by(pad, 0.0);
    }
    let height = size.height.max(y);
    let scene = sheet.finish(
        Size { height, ..size },
        fit_headline(wording::headline(frame, shown)),
        wording::lane_table(shown),
    );
    let mut also = wording::matrix_tables(shown);
    also.extend(wording::sum_table(shown, view));
    also.push(wording::rate_table(frame.arch()));
    Scene {
        note: wording::note(shown),
        also,
        ..scene
    }
}

/// The role of the lane's group, and the strength of its fill.
const fn color(lane: u8) -> (u16, f32) {
    (HUES[(lane / 4 % 4) as usize], if lane < 16 { 0.16 } else { 0.30 })
}

/// Draws the 32 lanes, in the colors of their groups.
fn lane_row(sheet: &mut Sheet, shown: &Shown, view: &ViewState, width: f32) {
    let label = Face::text(TextSize::Label, Role::Ink3);
    let texts = if shown.own_step().is_some() {
        [
            "Lanes: octet 0 has lanes 0 to 3 and 16 to 19, octet 1 the next four of each half",
            "Lanes: octet 0 has lanes 0 to 3 and 16 to 19",
            "Lanes: two groups of four for each octet",
        ]
    } else {
        [
            "Lanes: groups of four hold neighbors of a row in the left matrix and in D, or of a column in the right one",
            "Lanes: groups of four hold neighbors of a row or a column",
            "Lanes: groups of four hold neighbors",
        ]
    };
    sheet.text(&label.first_fit(&texts, width), 0.0, 8.0, label);
    let cell = width / 32.0;
    let face = Face::mono(TextSize::Micro, Role::Ink1).center();
    for lane in 0..32u8 {
        let x = f32::from(lane) * cell;
        let (hue, fade) = color(lane);
        sheet.fill(
            x,
            18.0,
            cell - 1.0,
            LANES - 1.0,
            Role::Pass(hue),
            Texture::Fade(fade),
        );
        // In narrow cells, the first lane of a group names it, inside the group's color.
        let text = lane.to_string();
        if cell >= 14.0 {
            sheet.text(&text, x + cell / 2.0, 18.0 + LANES / 2.0, face);
        } else if lane % 4 == 0 {
            let middle = x + (cell / 2.0).max(face.width(&text) / 2.0 + 1.0);
            sheet.text(&text, middle, 18.0 + LANES / 2.0, face);
        }
        sheet.area(x, 18.0, cell, LANES, Target::Lane(lane));
    }
    if let Some(lane) = view.lane {
        sheet.frame(
            f32::from(lane) * cell,
            18.0,
            cell - 1.0,
            LANES - 1.0,
            Role::Selection,
            2.0,
        );
    }
}

impl Grid<'_> {
    /// Draws the matrices of one product from its top left.
    fn draw(&self, sheet: &mut Sheet, product: usize, (x, y): (f32, f32)) {
        let (w, h) = self.cell;
        let (kind, depth) = (self.shown.kind(), self.shown.shown_depth());
        let (right_x, below) = (x + depth as f32 * w + GAP, y + depth as f32 * h + GAP);
        self.corner(sheet, product, (x, y), (depth as f32 * w, depth as f32 * h));
        for line in 0..kind.rows() {
            for k in 0..depth {
                let place = (x + k as f32 * w, below + line as f32 * h);
                self.factor(sheet, false, (product, line, k), place);
            }
        }
        for line in 0..kind.columns() {
            for k in 0..depth {
                let place = (right_x + line as f32 * w, y + k as f32 * h);
                self.factor(sheet, true, (product, line, k), place);
            }
        }
        for row in 0..kind.rows() {
            for column in 0..kind.columns() {
                let place = (right_x + column as f32 * w, below + row as f32 * h);
                self.sum(sheet, (product, row, column), place);
            }
        }
        // The row and the column of the selected sum.
        if let Some((row, column)) = self.view.settings.sum
            && usize::from(row) / kind.rows() == product
            && usize::from(column) < kind.columns()
        {
            let row = usize::from(row) % kind.rows();
            let (row_y, column_x) = (below + row as f32 * h, right_x + f32::from(column) * w);
            sheet.frame(x, row_y, depth as f32 * w - 1.0, h - 1.0, Role::Ink1, 1.5);
            sheet.frame(column_x, y, w - 1.0, depth as f32 * h - 1.0, Role::Ink1, 1.5);
            sheet.selection(column_x, row_y, w - 1.0, h - 1.0);
        }
    }

    /// Names the matrices, in the space left of B and above A.
    fn corner(&self, sheet: &mut Sheet, product: usize, (x, y): (f32, f32), (w, h): (f32, f32)) {
        let kind = self.shown.kind();
        let (rows, columns, depth) = (kind.rows(), kind.columns(), kind.depth());
        let mut lines = Vec::new();
        if kind.num_products() > 1 {
            lines.push((format!("Octet {product}"), true));
            let first = product * 4;
            let is_wide = w > 80.0;
            let (lanes, to) = if is_wide { ("lanes ", " to ") } else { ("", "-") };
            lines.push((format!("{lanes}{first}{to}{},", first + 3), false));
            lines.push((format!("{}{to}{}", first + 16, first + 19), false));
            lines.push(("A below, B right".to_owned(), false));
        } else {
            lines.push(("D = A x B + C".to_owned(), true));
            lines.push((format!("A, below: {rows} x {depth}"), false));
            lines.push((format!("B, right: {depth} x {columns}"), false));
            lines.push((format!("D: {rows} x {columns}"), false));
        }
        for (idx, (text, strong)) in lines.into_iter().enumerate() {
            let face = Face::text(TextSize::Label, if strong { Role::Ink1 } else { Role::Ink3 });
            let face = if strong { face.strong() } else { face };
            let line_y = y + 6.0 + idx as f32 * 14.0;
            if face.width(&text) <= w && line_y + 6.0 <= y + h {
                sheet.text(&text, x, line_y, face);
            }
        }
    }

    fn factor(
        &self,
        sheet: &mut Sheet,
        right: bool,
        (product, line, k): (usize, usize, usize),
        at: (f32, f32),
    ) {
        let element = self.shown.factor(right, product, line, k);
        let is_multiplied = self.shown.is_multiplied(right, line, k);
        let part = if is_multiplied { Part::Active } else { Part::Rest };
        self.element(sheet, &element, part, at);
        let kind = self.shown.kind();
        let lines = if right { kind.columns() } else { kind.rows() };
        let target = Target::TensorFactor {
            right,
            line: (product * lines + line) as u8,
            k: k as u8,
        };
        sheet.area(at.0, at.1, self.cell.0, self.cell.1, target);
    }

    fn sum(&self, sheet: &mut Sheet, (product, row, column): (usize, usize, usize), at: (f32, f32)) {
        let (w, h) = self.cell;
        let kind = self.shown.kind();
        let Some(element) = self.shown.sum(product, row, column) else {
            sheet.fill(at.0, at.1, w - 1.0, h - 1.0, Role::Line2, Texture::Dotted);
            return;
        };
        let is_before = self
            .shown
            .own_step()
            .is_some_and(|own| kind.step_of(row, column) < own);
        let part = match self.shown.progress {
            Progress::Step(_) if kind.computes(row, column) => Part::Active,
            Progress::Issues(_) => Part::Rest,
            _ if is_before || kind.computes(row, column) => Part::Done,
            _ => Part::Rest,
        };
        self.element(sheet, &element, part, at);
        let target = Target::TensorSum {
            row: (product * kind.rows() + row) as u8,
            column: column as u8,
        };
        sheet.area(at.0, at.1, w, h, target);
    }

    /// Draws an element in the color of its lane's group.
    fn element(&self, sheet: &mut Sheet, element: &Element, part: Part, (x, y): (f32, f32)) {
        let (w, h) = self.cell;
        let (hue, fade) = color(element.lane);
        let (fill, role) = match part {
            Part::Rest => (Texture::Fade(fade), Role::Ink1),
            Part::Done => (Texture::Fade(fade + 0.16), Role::Ink1),
            Part::Active => (Texture::Solid, Role::OnPass(hue)),
        };
        sheet.fill(x, y, w - 1.0, h - 1.0, Role::Pass(hue), fill);
        let text = match self.view.settings.cells {
            Cells::Lanes => element.lane.to_string(),
            Cells::Values => wording::cell_value(self.shown.kind(), element),
            Cells::Registers => format!("R{}", element.register.0),
        };
        let face = Face::mono(TextSize::Micro, role).center();
        // All numbers of lanes have a text or none has; a value that is too long has dots.
        let has_room = match self.view.settings.cells {
            Cells::Lanes => face.width("31") <= w - 1.0,
            Cells::Values | Cells::Registers => true,
        };
        let text = if face.width(&text) <= w - 1.0 {
            text
        } else {
            "…".to_owned()
        };
        if has_room {
            sheet.text(&text, x + (w - 1.0) / 2.0, y + (h - 1.0) / 2.0, face);
        }
        if self.view.lane == Some(element.lane) {
            sheet.frame(x, y, w - 1.0, h - 1.0, Role::Selection, 2.0);
        }
    }
}

/// The width of a cell with a text of usual length.
fn longest_text(cells: Cells) -> f32 {
    let face = Face::mono(TextSize::Micro, Role::Ink1);
    1.0 + match cells {
        Cells::Lanes => face.width("31"),
        Cells::Values => face.width("-12"),
        Cells::Registers => face.width("R31"),
    }
}

/// Draws the instruction beside those of lanes that compute the same product. Returns the lower edge.
fn comparison(sheet: &mut Sheet, frame: &Frame, shown: &Shown, y: f32, width: f32) -> f32 {
    let label = Face::text(TextSize::Label, Role::Ink3);
    let strong = Face::text(TextSize::Body, Role::Ink1).strong();
    let adds = thousands(shown.kind().multiply_adds() as u64);
    let titles = [
        format!("{adds} multiply-adds at the peak rate of one scheduler"),
        format!("{adds} multiply-adds at the peak rate"),
    ];
    let title = strong.first_fit(&titles.each_ref().map(String::as_str), width);
    sheet.text(&title, 0.0, y, strong);
    let own = shown.cycles.0 as f64;
    let lanes = by_lanes(frame.arch(), shown.kind());
    let longest = lanes.as_ref().map_or(own, |lanes| lanes.cycles.max(own));
    let left = 64.0;
    let px = (width - left - 8.0) / longest as f32;
    let mnemonic = frame.mnemonic(shown.pc);
    let short = mnemonic.split('.').next().unwrap_or_default();
    let mut rows = vec![(short.to_owned(), 1, own, wording::duration(1, own), Role::Used)];
    if let Some(lanes) = &lanes {
        let text = wording::duration(lanes.instructions, lanes.cycles);
        rows.push((
            lanes.name.to_owned(),
            lanes.instructions,
            lanes.cycles,
            text,
            Role::Ink3,
        ));
    }
    let mut y = y + 12.0;
    for (name, num, cycles, text, role) in rows {
        sheet.text(&name, 0.0, y + BAR / 2.0, Face::mono(TextSize::Label, Role::Ink1));
        let each = cycles as f32 * px / num as f32;
        for idx in 0..num {
            let gap = if each > 4.0 { 1.0 } else { 0.0 };
            sheet.rect(left + idx as f32 * each, y, (each - gap).max(0.5), BAR, role);
        }
        let end = left + cycles as f32 * px;
        y += BAR + 2.0;
        let face = label;
        let text = face.fit(&text, width - left);
        let x = if left + face.width(&text) > end {
            left
        } else {
            end - face.width(&text)
        };
        sheet.text(&text, x.max(left), y + 7.0, face);
        y += 18.0;
    }
    if lanes.is_none() {
        sheet.text(&label.fit(wording::NO_LANES, width), 0.0, y + 6.0, label);
        y += 18.0;
    }
    y
}

/// Writes the selected sum. Returns the lower edge.
fn sum_lines(sheet: &mut Sheet, shown: &Shown, view: &ViewState, y: f32, width: f32) -> f32 {
    let mut y = y + 8.0;
    for (idx, line) in wording::sum_sentences(shown, view).into_iter().enumerate() {
        let face = if idx == 0 {
            Face::text(TextSize::Body, Role::Ink1).strong()
        } else {
            Face::mono(TextSize::Label, Role::Ink2)
        };
        for piece in face.wrap(&line, width) {
            sheet.text(&piece, 0.0, y, face);
            y += 16.0;
        }
    }
    y
}

/// The lanes that hold elements of a product.
pub(super) const fn lanes_of(product: usize, num_products: usize) -> LaneMask {
    if num_products == 1 {
        return LaneMask::FULL;
    }
    LaneMask(0x000f_000f << (4 * product))
}
