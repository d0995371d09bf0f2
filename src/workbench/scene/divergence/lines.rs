//! The active lanes by source line over the whole run: the cost of divergence.

use super::super::kit::{Face, Sheet, table as table_of};
use super::super::{Mark, Role, Shape, Table, Target, TextSize, Texture};
use super::Picture;
use crate::words::{percent, thousands};
use engine::arch::WARP_SIZE;
use engine::files;
use engine::trace::{Frame, PcTally};

/// Maximum number of lines to draw; the text twin has all.
pub(super) const MOST: usize = 6;
const TITLE: f32 = 20.0;
const ROW: f32 = 16.0;

/// A line with its sums.
pub(super) struct LineLanes {
    pub(super) line: u32,
    pub(super) text: String,
    pub(super) tally: PcTally,
}

impl LineLanes {
    /// Active and inactive lanes of the line's issues.
    pub(super) fn lanes(&self) -> u64 {
        self.tally.issued * u64::from(WARP_SIZE)
    }

    fn inactive(&self) -> u64 {
        self.lanes() - self.tally.threads_active.min(self.lanes())
    }
}

/// Lines that issue, those with the most inactive lanes first.
pub(super) fn lines(frame: &Frame) -> Vec<LineLanes> {
    let program = frame.trace().program();
    let mut lines: Vec<LineLanes> = Vec::new();
    for (instruction, tally) in program.code.iter().zip(frame.record().tallies()) {
        let line = instruction.span.line;
        if line == 0 || tally.issued == 0 {
            continue;
        }
        match lines.iter_mut().find(|other| other.line == line) {
            Some(other) => other.tally.merge(tally),
            None => lines.push(LineLanes {
                line,
                text: String::new(),
                tally: tally.clone(),
            }),
        }
    }
    lines.sort_by_key(|line| (std::cmp::Reverse(line.inactive()), line.line));
    for (idx, text) in program.source.lines().enumerate() {
        if let Some(line) = lines.iter_mut().find(|line| line.line as usize == idx + 1) {
            text.trim().clone_into(&mut line.text);
        }
    }
    lines
}

pub(super) fn height(num: usize) -> f32 {
    if num == 0 {
        0.0
    } else {
        TITLE + num as f32 * ROW + 8.0
    }
}

/// Draws the first lines from `y` on, and returns the y below.
pub(super) fn draw(sheet: &mut Sheet, picture: &Picture, lines: &[LineLanes], y: f32) -> f32 {
    if lines.is_empty() {
        return y;
    }
    let grid = picture.grid;
    let face = Face::text(TextSize::Label, Role::Ink2);
    let mono = Face::mono(TextSize::Micro, Role::Ink2);
    sheet.line((grid.margin, y), (grid.right(), y), 1.0, Role::Line1);
    let title = "Active lanes by source line, whole run";
    sheet.text(
        &face.fit(title, grid.right() - grid.margin),
        grid.margin,
        y + 11.0,
        face,
    );
    let shown = &lines[..lines.len().min(MOST)];
    let bar = grid.lane * if grid.phone { 12.0 } else { 16.0 };
    for (idx, line) in shown.iter().enumerate() {
        let (top, h) = (y + TITLE + idx as f32 * ROW, ROW - 4.0);
        let middle = top + h / 2.0;
        if picture.line == Some(line.line) {
            let w = grid.right() - grid.margin + 8.0;
            sheet.rect(grid.margin - 4.0, top - 2.0, w, ROW, Role::Paper3);
        }
        sheet.text(
            &format!(
                "L{}",
                files::place(&picture.frame.trace().program().source, line.line).1
            ),
            grid.margin,
            middle,
            mono,
        );
        let share = line.tally.threads_active as f32 / line.lanes().max(1) as f32;
        let used = (bar * share).round();
        sheet.rect(grid.x, top, used, h, Role::State(Mark::Issue));
        if used + 1.0 < bar {
            let shape = Shape::Rect {
                x: grid.x + used,
                y: top,
                w: bar - used,
                h,
            };
            sheet.put(shape, Role::Wasted, Texture::Hatch, None);
        }
        let x = grid.x + bar + 6.0;
        let text = percent(line.tally.threads_active, line.lanes());
        sheet.text(&text, x + 38.0, middle, mono.role(Role::Ink1).right());
        let code = mono.fit(&line.text, grid.right() - x - 46.0);
        sheet.text(&code, x + 46.0, middle, mono);
        let w = grid.right() - grid.margin;
        sheet.area(grid.margin, top - 2.0, w, ROW, Target::CodeLine(line.line));
    }
    y + height(shown.len())
}

/// The text twin: all lines that issue.
pub(super) fn table(frame: &Frame, lines: &[LineLanes]) -> (String, Table) {
    let mut rows: Vec<[String; 7]> = lines
        .iter()
        .map(|line| {
            row(
                &frame.trace().program().line_name(line.line),
                &line.tally,
                line.text.clone(),
            )
        })
        .collect();
    let total = frame.record().total();
    rows.push(row("all", &total, String::new()));
    let columns = [
        "Line",
        "Active",
        "Active lanes per issue",
        "Executed lanes per issue",
        "Issues",
        "Divergent branches",
        "Code",
    ];
    ("Active lanes by source line".to_owned(), table_of(columns, rows))
}

fn row(name: &str, tally: &PcTally, text: String) -> [String; 7] {
    let mean = |sum: u64| format!("{:.1}", sum as f64 / tally.issued.max(1) as f64);
    [
        name.to_owned(),
        percent(tally.threads_active, tally.issued * u64::from(WARP_SIZE)),
        mean(tally.threads_active),
        mean(tally.threads_executed),
        thousands(tally.issued),
        thousands(tally.diverged),
        text,
    ]
}
