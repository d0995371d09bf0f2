//! The rows of the two panes, and the links between them.

use super::columns::Longest;
use super::costs::Costs;
use super::layout::{Layout, Place, Window};
use super::wording::{COMPILER_GENERATED, NO_LINE};
use crate::scene::code::{Ink, Line};
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Mark, Role, Shape, Target, TextSize, Texture, ViewState};
use engine::files;
use engine::isa::print::instruction_bytes;
use engine::trace::Frame;

/// The data of the rows.
pub(super) struct Rows<'a, 't> {
    pub(super) frame: &'a Frame<'t>,
    pub(super) costs: &'a Costs<'t>,
    pub(super) view: &'a ViewState,
    pub(super) text: &'a [Line],
    pub(super) num_lines: usize,
    /// Maxima of the lines, and of the instructions.
    pub(super) longest: (Longest, Longest),
    /// Warp instructions of the run.
    pub(super) issued: u64,
}

impl Rows<'_, '_> {
    /// The row of a line. Code without a source line is in the last row.
    pub(super) fn row_of_line(&self, line: u32) -> usize {
        (line as usize).checked_sub(1).unwrap_or(self.num_lines)
    }

    fn line_of_row(&self, row: usize) -> u32 {
        if row < self.num_lines { row as u32 + 1 } else { 0 }
    }

    /// The name of a line: `20`, or `none`.
    pub(super) fn line_name(&self, line: u32) -> String {
        if line == 0 {
            "none".to_owned()
        } else {
            self.frame.trace().program().line_name(line)
        }
    }

    /// A line of the source.
    pub(super) fn line_text(&self, line: u32) -> String {
        let Some(line) = (line as usize).checked_sub(1) else {
            return COMPILER_GENERATED.to_owned();
        };
        let pieces = self.text.get(line).into_iter().flat_map(|line| &line.pieces);
        let text: String = pieces.map(|piece| piece.text.as_str()).collect();
        text.trim().to_owned()
    }

    /// The selected line, else the line of the selected instruction, else the selected warp's line.
    fn linked_line(&self) -> Option<u32> {
        let num = self.costs.pcs.len() as u32;
        let of_pc = self.view.pc.filter(|pc| *pc < num).map(|pc| self.costs.line(pc));
        of_pc.or(self.view.line)
    }

    /// Draws the lines of the source.
    pub(super) fn draw_lines(&self, sheet: &mut Sheet, place: Place, window: Window) {
        let head = place.y - 12.0;
        place.columns.heads(sheet, head);
        let face = Face::text(TextSize::Micro, Role::Ink3);
        sheet.text("CUDA", place.code, head, face);
        let issuing = self.costs.lines_issuing();
        let (current, linked) = (self.costs.current_line(), self.linked_line());
        let numbers = place.x + place.columns.width() + 8.0;
        let files = files::split(&self.frame.trace().program().source);
        for row in window.rows() {
            let (line, y) = (self.line_of_row(row), place.row_y(window, row));
            let middle = y + place.row / 2.0;
            self.ground(sheet, place, y, linked == Some(line), current == Some(line));
            let has_code = self.costs.line_of.contains(&line);
            if has_code {
                let tally = &self.costs.lines[line as usize];
                let (longest, issued) = (self.longest.0, self.issued);
                place.columns.row(sheet, (y, place.row), tally, longest, issued);
            }
            let face = Face::mono(TextSize::Micro, Role::Ink3).right();
            if line > 0 {
                let number = numbers_of(&files, line);
                sheet.text(&number, numbers + 26.0, middle, face);
            }
            if issuing.contains(&line) {
                marker(sheet, place.code - 13.0, middle);
            }
            if line == 0 {
                let face = Face::text(TextSize::Label, Role::Ink2);
                let room = place.code_end - place.code;
                let text = face.fit(NO_LINE, room);
                sheet.text(&text, place.code, middle, face);
            } else if let Some(text) = self.text.get(row) {
                draw_code(sheet, text, place, middle);
            }
            sheet.area(place.x, y, place.w - 4.0, place.row, Target::CodeLine(line));
        }
        sheet.rect(numbers - 4.0, place.y, 1.0, place.h, Role::Line1);
        place.draw_track(sheet, window);
    }

    /// Draws the instructions.
    pub(super) fn draw_instructions(&self, sheet: &mut Sheet, place: Place, window: Window) {
        let head = place.y - 12.0;
        place.columns.heads(sheet, head);
        let face = Face::text(TextSize::Micro, Role::Ink3);
        sheet.text("Instructions", place.code, head, face);
        let arch = self.frame.arch().id;
        let (linked, selected) = (self.linked_line(), self.view.pc);
        let code = &self.frame.trace().program().code;
        for row in window.rows() {
            let (pc, y) = (row as u32, place.row_y(window, row));
            let middle = y + place.row / 2.0;
            let is_linked = match selected {
                Some(selected) => selected == pc,
                None => linked == Some(self.costs.line(pc)),
            };
            self.ground(sheet, place, y, is_linked, self.costs.current == Some(pc));
            if self.costs.issuing.contains(&pc) {
                marker(sheet, place.x + 4.0, middle);
            }
            let address = format!("{:04x}", pc * instruction_bytes(arch));
            let face = Face::mono(TextSize::Micro, Role::Ink3);
            sheet.text(&address, place.x + 17.0, middle, face);
            let face = Face::mono(place.face, Role::Ink1);
            let text = face.fit(&code[row].text(arch), place.code_end - place.code);
            sheet.text(&text, place.code, middle, face);
            let (longest, issued) = (self.longest.1, self.issued);
            let tally = &self.costs.pcs[row];
            if tally.issued > 0 || tally.states.iter().any(|cycles| *cycles > 0) {
                place.columns.row(sheet, (y, place.row), tally, longest, issued);
            }
            sheet.area(place.x, y, place.w - 4.0, place.row, Target::CodePc(pc));
        }
        sheet.rect(place.columns.x - 7.0, place.y, 1.0, place.h, Role::Line1);
        place.draw_track(sheet, window);
    }

    /// Draws the background of a row: paper if linked to the selection, and an ink edge at the selected warp.
    fn ground(&self, sheet: &mut Sheet, place: Place, y: f32, linked: bool, current: bool) {
        if linked || current {
            sheet.rect(place.x - 4.0, y, place.w, place.row, Role::Paper3);
        }
        if current {
            sheet.rect(place.x - 6.0, y, 2.0, place.row, Role::Ink1);
        }
    }

    /// Draws curves from a line to its instructions, for the selection, else for the selected warp.
    pub(super) fn draw_links(
        &self,
        sheet: &mut Sheet,
        (left, lines): (Place, Window),
        (right, pcs): (Place, Window),
    ) {
        let (line, targets, role) = match (self.linked_line(), self.view.pc, self.costs.current) {
            (Some(line), Some(pc), _) => (line, vec![pc], Role::Ink2),
            (Some(line), None, _) => {
                let pcs = self.costs.pcs_of(line);
                (line, pcs.into_iter().map(|pc| pc.0).collect(), Role::Ink2)
            }
            (None, _, Some(pc)) => (self.costs.line(pc), vec![pc], Role::Line2),
            (None, _, None) => return,
        };
        let in_sight = |place: Place, y: f32| y.clamp(place.y, place.y + place.h);
        let from = left.row_y(lines, self.row_of_line(line)) + left.row / 2.0;
        let from = (left.x + left.w, in_sight(left, from));
        let mut ends: Vec<f32> = Vec::new();
        for (first, last) in number_runs(&targets) {
            let (top, bottom) = (
                in_sight(right, right.row_y(pcs, first as usize)),
                in_sight(right, right.row_y(pcs, last as usize) + right.row),
            );
            let x = right.x - 6.0;
            if bottom > top {
                sheet.rect(x - 1.5, top + 1.0, 1.5, bottom - top - 2.0, role);
            }
            ends.push(f32::midpoint(top, bottom));
        }
        ends.dedup();
        for end in ends {
            let to = (right.x - 8.0, end);
            let bend = (to.0 - from.0) * 0.6;
            let shape = Shape::Curve {
                from,
                c1: (from.0 + bend, from.1),
                c2: (to.0 - bend, to.1),
                to,
                width: 1.25,
            };
            sheet.put(shape, role, Texture::Solid, None);
        }
    }

    /// Outlines the selection.
    pub(super) fn draw_selection(&self, sheet: &mut Sheet, layout: &Layout, lines: Window, pcs: Window) {
        let mut outline = |place: Place, window: Window, row: usize| {
            if window.rows().contains(&row) {
                let y = place.row_y(window, row);
                sheet.selection(place.x - 6.0, y - 1.0, place.w + 3.0, place.row + 2.0);
            }
        };
        match (self.view.pc, self.view.line) {
            (Some(pc), _) => {
                if let Some(place) = layout.instructions {
                    outline(place, pcs, pc as usize);
                }
            }
            (None, Some(line)) => {
                if let Some(place) = layout.cuda {
                    outline(place, lines, self.row_of_line(line));
                }
            }
            (None, None) => {}
        }
    }
}

/// Runs of consecutive numbers, as first and last.
fn number_runs(numbers: &[u32]) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => found.push((*number, *number)),
        }
    }
    found
}

/// Draws the arrowhead of an issuing row.
fn marker(sheet: &mut Sheet, x: f32, y: f32) {
    let points = [(x, y - 4.0), (x + 7.0, y), (x, y + 4.0)];
    sheet.polygon(&points, Role::State(Mark::Issue));
}

/// The number of a line in its file; empty for a line that names a file.
fn numbers_of(all: &[files::File<'_>], line: u32) -> String {
    let first = all[files::file_of_line(all, line)].first_line;
    match (line + 1).saturating_sub(first) {
        0 => String::new(),
        number => number.to_string(),
    }
}

/// Draws a line of code: keywords bold, comments italic.
fn draw_code(sheet: &mut Sheet, line: &Line, place: Place, y: f32) {
    // A character of the mono face is 0.6 em wide.
    let wide = 0.6 * place.face.px();
    let room = ((place.code_end - place.code) / wide) as usize;
    let total: usize = line.pieces.iter().map(|piece| piece.text.chars().count()).sum();
    let limit = if total > room {
        room.saturating_sub(1)
    } else {
        total
    };
    let mut column = 0;
    for piece in &line.pieces {
        let kept: String = piece
            .text
            .chars()
            .take(limit.saturating_sub(column))
            .map(|letter| if letter == '\t' { ' ' } else { letter })
            .collect();
        let indent = kept.chars().take_while(|letter| *letter == ' ').count();
        let face = match piece.ink {
            Ink::Plain => Face::mono(place.face, Role::Ink1),
            Ink::Keyword => Face::mono(place.face, Role::Ink1).strong(),
            Ink::Comment => Face::mono(place.face, Role::Comment),
        };
        let x = place.code + (column + indent) as f32 * wide;
        sheet.text(kept.trim(), x, y, face);
        column += piece.text.chars().count();
    }
    if total > room {
        let face = Face::mono(place.face, Role::Ink3);
        sheet.text("…", place.code + limit as f32 * wide, y, face);
    }
}
