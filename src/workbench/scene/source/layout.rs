//! Where the two panes lie, and which of their rows are shown.

use super::columns::Columns;
use crate::scene::kit::Sheet;
use crate::scene::{CodePart, Pane, PaneRows, Role, Size, TextSize, ViewState};

/// The least width at which both panes have room.
pub(super) const LEAST_FOR_BOTH: f32 = 600.0;
/// From this width on a pane has room for all columns.
const ROOMY: f32 = 560.0;
/// Height of the heads.
const HEAD: f32 = 24.0;
/// Between the panes, for the links.
const GAP: f32 = 44.0;

/// The rows of a pane that are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// All rows.
    pub(super) num: usize,
    /// The first that is shown.
    pub(super) top: usize,
    /// How many there is room for.
    pub(super) shown: usize,
}

impl Window {
    /// From a row, or so that the focus is in sight. The window moves by half pages, so that it
    /// stands still while the focus moves about in it.
    pub(super) fn new(num: usize, shown: usize, focus: Option<usize>, top: Option<u32>) -> Self {
        let half = (shown / 2).max(1);
        let followed = focus.map_or(0, |focus| (focus / half * half).saturating_sub(half / 2));
        let top = top.map_or(followed, |top| top as usize);
        Self {
            num,
            top: top.min(num.saturating_sub(shown)),
            shown,
        }
    }

    /// The rows.
    pub(super) fn rows(self) -> std::ops::Range<usize> {
        self.top..(self.top + self.shown).min(self.num)
    }
}

/// Where a pane lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) w: f32,
    pub(super) h: f32,
    pub(super) row: f32,
    /// Of code: on phones the labels are larger than elsewhere, and code has less room.
    pub(super) face: TextSize,
    pub(super) columns: Columns,
    /// Left edge of the code.
    pub(super) code: f32,
    /// Right edge of the room for it.
    pub(super) code_end: f32,
}

impl Place {
    /// Top of a row.
    pub(super) fn row_y(&self, window: Window, row: usize) -> f32 {
        self.y + (row as f32 - window.top as f32) * self.row
    }

    /// As the page scrolls it; nothing where all rows are shown.
    pub(super) fn scrolls(&self, rows: PaneRows, window: Window) -> Option<Pane> {
        (window.num > window.shown).then_some(Pane {
            rows,
            area: (self.x, self.y, self.w, self.h),
            row_px: self.row,
            top: window.top as u32,
            max_top: window.num.saturating_sub(window.shown) as u32,
        })
    }

    /// Draws where the window is among all rows.
    pub(super) fn draw_track(&self, sheet: &mut Sheet, window: Window) {
        if window.num <= window.shown {
            return;
        }
        let x = self.x + self.w - 3.0;
        let unit = self.h / window.num as f32;
        sheet.rect(x, self.y, 3.0, self.h, Role::Paper3);
        let thumb = (window.shown as f32 * unit).max(12.0);
        let y = (self.y + window.top as f32 * unit).min(self.y + self.h - thumb);
        sheet.rect(x, y.round(), 3.0, thumb.round(), Role::Edge);
    }
}

/// Where everything lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Rows that a pane has room for.
    pub(super) shown: usize,
    pub(super) cuda: Option<Place>,
    pub(super) instructions: Option<Place>,
}

impl Layout {
    pub(super) fn new(view: &ViewState, size: Size) -> Self {
        let phone = size.width < 520.0;
        let margin = if phone { 12.0 } else { 20.0 };
        let row = if phone { 20.0 } else { 17.0 };
        let face = if phone { TextSize::Micro } else { TextSize::Label };
        let shown = (((size.height - HEAD - 8.0) / row) as usize).max(4);
        let width = size.width - 2.0 * margin;
        let area = |x: f32, w: f32| (x, HEAD, w, shown as f32 * row);
        let counters = view.settings.counters;
        let cuda = |(x, y, w, h): (f32, f32, f32, f32)| {
            let columns = Columns::new(counters, x, w >= ROOMY);
            Place {
                x,
                y,
                w,
                h,
                row,
                face,
                columns,
                code: x + columns.width() + 8.0 + 28.0 + 16.0,
                code_end: x + w - 5.0,
            }
        };
        let instructions = |(x, y, w, h): (f32, f32, f32, f32)| {
            let inner = Columns::new(counters, x, w >= ROOMY).width();
            let columns = Columns::new(counters, x + w - inner - 6.0, w >= ROOMY);
            Place {
                x,
                y,
                w,
                h,
                row,
                face,
                columns,
                code: x + 16.0 + 34.0,
                code_end: columns.x - 12.0,
            }
        };
        let (left, right) = match view.settings.code.in_width(size.width) {
            CodePart::Both => {
                let left = ((width - GAP) * 0.53).round();
                (
                    Some(cuda(area(margin, left))),
                    Some(instructions(area(margin + left + GAP, width - left - GAP))),
                )
            }
            CodePart::Cuda => (Some(cuda(area(margin, width))), None),
            CodePart::Instructions => (None, Some(instructions(area(margin, width)))),
        };
        Self {
            shown,
            cuda: left,
            instructions: right,
        }
    }
}
