//! The lane grid: 32 columns for lanes, banks, and the words of a line. Every view that shows a request
//! uses the grid, so that a lane keeps its column when the view changes.

use super::kit::{Face, Sheet};
use super::{Role, TextSize, Texture};
use engine::ids::LaneMask;

/// Lanes of a warp.
pub(super) const LANES: u32 = 32;

/// Positions of the columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Whether the stage is as narrow as a phone: narrow lanes, and a narrow label column or none.
    pub(super) phone: bool,
    /// Left edge of the labels.
    pub(super) margin: f32,
    /// Left edge of lane 0.
    pub(super) x: f32,
    /// Width of a column.
    pub(super) lane: f32,
}

impl Grid {
    pub(super) fn new(width: f32) -> Self {
        Self::beside(width, 0.0)
    }

    /// A grid with room for row names on phones, too.
    pub(super) fn with_names(width: f32) -> Self {
        Self::beside(width, 34.0)
    }

    /// A grid beside labels that are `phone_label` wide on phones.
    fn beside(width: f32, phone_label: f32) -> Self {
        let phone = width < 520.0;
        let margin = if phone { 12.0 } else { 20.0 };
        let x = margin + if phone { phone_label } else { 64.0 };
        let right = if phone { margin } else { margin + 24.0 };
        Self {
            phone,
            margin,
            x,
            lane: (width - x - right) / LANES as f32,
        }
    }

    /// Left edge of a lane's column.
    pub(super) fn left(self, idx: u32) -> f32 {
        self.x + idx as f32 * self.lane
    }

    /// Middle of a lane's column, without the gap at its right.
    pub(super) fn middle(self, idx: u32) -> f32 {
        self.left(idx) + self.lane / 2.0 - 0.5
    }

    /// Right edge of the last column.
    pub(super) fn right(self) -> f32 {
        self.left(LANES)
    }

    /// Whether the cell of a lane shows its number. On a phone, none does.
    pub(super) fn has_number(self, lane: u32) -> bool {
        !self.phone && number_fits(lane, self.lane)
    }

    /// Draws `Lane` beside a row of lanes. On a phone, it draws the number of every eighth lane above the row.
    pub(super) fn name_lanes(self, sheet: &mut Sheet, y: f32, height: f32) {
        if !self.phone {
            let face = Face::text(TextSize::Label, Role::Ink3);
            sheet.text("Lane", self.margin, y + height / 2.0, face);
            return;
        }
        let face = Face::mono(TextSize::Micro, Role::Ink3);
        sheet.text("lane 0", self.x, y - 12.0, face);
        for lane in [8, 16, 24, 31] {
            sheet.text(&lane.to_string(), self.middle(lane), y - 12.0, face.center());
        }
    }

    /// Draws dotted outlines of all lanes, for a view without a request.
    pub(super) fn empty_lanes(self, sheet: &mut Sheet, y: f32, height: f32) {
        for lane in 0..LANES {
            let (x, w) = (self.left(lane), self.lane - 1.0);
            sheet.fill(x, y, w, height, Role::Line2, Texture::Dotted);
        }
    }

    /// Draws a bracket under the lanes `first` to `last`, labeled with the first of `texts` that fits, or
    /// with none. `y` is the lower edge of the lanes.
    pub(super) fn bracket(self, sheet: &mut Sheet, (first, last): (u32, u32), y: f32, texts: &[&str]) {
        let face = Face::text(TextSize::Label, Role::Ink2).center();
        let (from, to) = (self.left(first) + 1.0, self.left(last + 1) - 2.0);
        sheet.polyline(
            &[(from, y + 7.0), (from, y + 11.0), (to, y + 11.0), (to, y + 7.0)],
            1.25,
            Role::Line2,
        );
        // A label of one or two digits may fill nearly the whole bracket.
        let pad = |text: &str| if text.len() < 3 { 2.0 } else { 10.0 };
        let fits = |text: &&&str| face.width(text) + pad(text) + 2.0 < to - from;
        if let Some(text) = texts.iter().find(fits) {
            let width = face.width(text) + pad(text);
            sheet.rect((from + to - width) / 2.0, y + 5.0, width, 12.0, Role::Paper1);
            sheet.text(text, f32::midpoint(from, to), y + 11.0, face);
        }
    }
}

/// Whether a lane has its number in columns of a width: if adjacent numbers would touch, only every fourth lane has.
pub(super) fn number_fits(lane: u32, column: f32) -> bool {
    let number = Face::mono(TextSize::Micro, Role::Ink3).width("00");
    number + 4.0 <= column || lane.is_multiple_of(4)
}

/// Draws the number of a lane in its framed cell. Where the number is as wide as the cell, the frame leaves it room.
pub(super) fn framed_number(sheet: &mut Sheet, lane: u32, (middle, y): (f32, f32), column: f32, role: Role) {
    let face = Face::mono(TextSize::Micro, role).center();
    let text = lane.to_string();
    let width = face.width(&text);
    if width + 4.0 > column {
        sheet.rect(
            middle - width / 2.0 - 1.0,
            y - 5.0,
            width + 2.0,
            10.0,
            Role::Paper1,
        );
    }
    sheet.text(&text, middle, y, face);
}

/// Runs of adjacent lanes in a mask: first lane, and number of lanes.
pub(super) fn runs(lanes: LaneMask) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for lane in lanes.lanes() {
        match runs.last_mut() {
            Some((first, num)) if *first + *num == lane => *num += 1,
            _ => runs.push((lane, 1)),
        }
    }
    runs
}
