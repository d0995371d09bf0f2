//! One row per architecture: the passes or transactions, and the lanes in each.

use super::wording::{figures, heads, unsupported_reason};
use super::{Frame, Study};
use crate::playground::{Analysis, Cost};
use crate::scene::fit::sample;
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Role, Target, TextSize};
use engine::access::SharedAccess;
use engine::arch::Architecture;
use engine::ids::LaneMask;

/// Heights above and below the rows, and of a row of a picture that has to fit.
const HEAD: f32 = 20.0;
const FOOT: f32 = 32.0;
const LOW_ROW: f32 = 22.0;
/// Width of the columns right of the picture on a narrow stage.
const COLUMNS_PX: f32 = 138.0;
/// Pixels per lane in the column of a pass.
const LANE_PX: f32 = 0.5;
/// Maximum width of a pass's column, in pixels.
const PASS_PX: f32 = 9.0;

/// Positions of the columns.
struct Columns {
    name: f32,
    picture: (f32, f32),
    /// Right edges of the numbers.
    numbers: [f32; 3],
}

impl Columns {
    fn new(frame: Frame) -> Self {
        let (left, right) = (frame.left, frame.right);
        if frame.phone {
            return Self {
                name: left,
                picture: (left + 94.0, right - COLUMNS_PX),
                numbers: [right - 84.0, right - 46.0, right],
            };
        }
        Self {
            name: left + 30.0,
            picture: (left + 132.0, right - 236.0),
            numbers: [right - 142.0, right - 76.0, right],
        }
    }
}

/// Draws the rows from `y` on, and returns the y below them. Above a limit, as many as have room, with the chosen one.
pub(super) fn draw(sheet: &mut Sheet, study: &Study, frame: Frame, (y, limit): (f32, Option<f32>)) -> f32 {
    let all = study.all.len();
    let pitch = match (limit, frame.phone) {
        (Some(_), _) => LOW_ROW,
        (None, true) => 44.0,
        (None, false) => 28.0,
    };
    let num = limit.map_or(all, |limit| ((limit - y - HEAD - FOOT) / pitch).max(1.0) as usize);
    let drawn = sample(all, num, |idx| study.all[idx].0.id == study.arch.id);
    let columns = Columns::new(frame);
    let title = Face::text(TextSize::Body, Role::Ink1).strong();
    let small = Face::text(TextSize::Label, Role::Ink3).right();
    let text = match (drawn.len() < all, frame.phone) {
        (true, _) => format!("On {} of {all} chips", drawn.len()),
        (false, true) => "On every chip".to_owned(),
        (false, false) => "On every architecture".to_owned(),
    };
    sheet.text(&text, frame.left, y + 8.0, title);
    for (head, x) in heads(study, frame.phone).into_iter().zip(columns.numbers) {
        sheet.text(head, x, y + 8.0, small);
    }
    let scale = Scale::of(study, columns.picture);
    let mut at = y + HEAD;
    let mut above_chosen = false;
    for (idx, (arch, found)) in drawn.iter().map(|idx| &study.all[*idx]).enumerate() {
        let chosen = arch.id == study.arch.id;
        if chosen {
            sheet.rect(
                frame.left - 8.0,
                at,
                frame.right - frame.left + 16.0,
                pitch - 1.0,
                Role::Paper3,
            );
        } else if idx > 0 && !above_chosen {
            sheet.line((frame.left, at - 0.5), (frame.right, at - 0.5), 1.0, Role::Line1);
        }
        above_chosen = chosen;
        name(sheet, study, arch, frame, &columns, (at + pitch / 2.0, chosen));
        if let Some(why) = unsupported_reason(study, arch) {
            let face = Face::text(TextSize::Label, Role::Ink2);
            let room = frame.right - columns.picture.0;
            sheet.text(&face.fit(&why, room), columns.picture.0, at + pitch / 2.0, face);
        } else {
            scale.draw(sheet, study, found, at + pitch / 2.0);
            let face = Face::mono(TextSize::Body, Role::Ink1).right();
            for (idx, (figure, x)) in figures(found).into_iter().zip(columns.numbers).enumerate() {
                let strong = chosen || idx == 0;
                sheet.text(
                    &figure,
                    x,
                    at + pitch / 2.0,
                    if strong { face.strong() } else { face },
                );
            }
        }
        sheet.area(
            frame.left - 8.0,
            at,
            frame.right - frame.left + 16.0,
            pitch,
            Target::Arch(arch.id),
        );
        at += pitch;
    }
    scale.label(sheet, study, at + 10.0);
    at + FOOT
}

fn name(
    sheet: &mut Sheet,
    study: &Study,
    arch: &Architecture,
    frame: Frame,
    columns: &Columns,
    (y, chosen): (f32, bool),
) {
    if !frame.phone {
        let face = Face::mono(TextSize::Label, Role::Ink3);
        sheet.text(&arch.compute_capability.to_string(), frame.left, y, face);
    }
    let face = Face::text(TextSize::Label, Role::Ink1);
    let face = if chosen { face.strong() } else { face };
    let room = columns.picture.0 - columns.name - 6.0;
    let text = if study.has_wide_banks(arch) {
        format!("{}, 8 B", arch.id.text().to_uppercase())
    } else {
        arch.name.to_owned()
    };
    sheet.text(&face.fit(&text, room), columns.name, y, face);
}

/// The scale of all rows: pixels per pass, or the byte axis.
struct Scale {
    picture: (f32, f32),
    /// Pixels per pass.
    px: f32,
}

impl Scale {
    fn of(study: &Study, picture: (f32, f32)) -> Self {
        let passes = study.all.iter().map(|(_, found)| found.count()).max();
        let room = (picture.1 - picture.0) / passes.unwrap_or(1).max(1) as f32;
        Self {
            picture,
            px: room.min(PASS_PX),
        }
    }

    fn draw(&self, sheet: &mut Sheet, study: &Study, found: &Analysis, middle: f32) {
        match (&found.cost, &study.typed) {
            (Cost::Shared(access), _) => {
                strips(sheet, access, (self.picture.0, middle - 16.0 * LANE_PX), self.px);
            }
            (Cost::Global { access, .. }, Some(typed)) => {
                typed.draw_transactions(sheet, access, self.picture, (middle, 14.0));
            }
            (Cost::Global { .. }, None) => {}
        }
    }

    /// Draws the unit of the scale under the rows.
    fn label(&self, sheet: &mut Sheet, study: &Study, y: f32) {
        if let Some(typed) = &study.typed {
            return typed.label_axis(sheet, self.picture, y);
        }
        let face = Face::text(TextSize::Label, Role::Ink3);
        let texts = ["one column per pass, lane 0 at the top", "one column per pass"];
        // The columns right of the picture are empty in this row.
        let fits = |text: &&str| self.picture.0 + face.width(text) <= self.picture.1 + COLUMNS_PX;
        sheet.text(
            texts.into_iter().find(fits).unwrap_or_default(),
            self.picture.0,
            y,
            face,
        );
    }
}

/// Draws one column per pass, with the served lanes filled and lane 0 at the top.
fn strips(sheet: &mut Sheet, access: &SharedAccess, (x, y): (f32, f32), px: f32) {
    let gap = if px >= 4.0 { 1.0 } else { 0.0 };
    let height = 32.0 * LANE_PX;
    let mut column = 0;
    for request in &access.requests {
        for (step, pass) in request.passes.iter().enumerate() {
            let left = x + column as f32 * px;
            sheet.rect(left, y, (px - gap).max(0.5), height, Role::Paper4);
            for (first, last) in lane_runs(pass.lanes()) {
                sheet.rect(
                    left,
                    // Two lanes share a pixel, so that the shortest run is one pixel high.
                    y + (first as f32 * LANE_PX).floor(),
                    (px - gap).max(0.5),
                    (last as f32 * LANE_PX).floor() - (first as f32 * LANE_PX).floor() + 1.0,
                    Role::Pass(step as u16 + 1),
                );
            }
            column += 1;
        }
    }
}

/// Runs of adjacent lanes, as first and last lane.
fn lane_runs(lanes: LaneMask) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for lane in lanes.lanes() {
        match found.last_mut() {
            // Lanes that share a pixel are drawn as one run.
            Some((_, last)) if lane <= (*last | 1) + 1 => *last = lane,
            _ => found.push((lane, lane)),
        }
    }
    found
}
