//! The positions of the two panes, and their visible rows.

use super::columns::Columns;
use crate::scene::kit::Sheet;
use crate::scene::{CodePart, Pane, PaneRows, Role, Size, TextSize, ViewState};

/// Minimum width for both panes.
pub(super) const MIN_FOR_BOTH: f32 = 600.0;
/// Minimum width of a pane for all columns.
const ROOMY: f32 = 560.0;
/// Height of the heads.
const HEAD: f32 = 24.0;
/// Gap between the panes, for the links.
const GAP: f32 = 44.0;

/// The visible rows of a pane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Number of rows.
    pub(super) num: usize,
    /// First visible row.
    pub(super) top: usize,
    /// Number of rows that fit.
    pub(super) shown: usize,
}

impl Window {
    /// The window from a top row, or with the focus visible. The window moves by half pages, so that it does not
    /// move with every step of the focus.
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

    /// The range of visible rows.
    pub(super) fn rows(self) -> std::ops::Range<usize> {
        self.top..(self.top + self.shown).min(self.num)
    }
}

/// Position of a pane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) w: f32,
    pub(super) h: f32,
    pub(super) row: f32,
    /// Font size of code; smaller on phones, where code has less room.
    pub(super) face: TextSize,
    pub(super) columns: Columns,
    /// Left edge of the code.
    pub(super) code: f32,
    /// Right edge of the code.
    pub(super) code_end: f32,
}

impl Place {
    /// Top of a row.
    pub(super) fn row_y(&self, window: Window, row: usize) -> f32 {
        self.y + (row as f32 - window.top as f32) * self.row
    }

    /// The pane for scrolling; `None` if all rows are visible.
    pub(super) fn scrolls(&self, rows: PaneRows, window: Window) -> Option<Pane> {
        (window.num > window.shown).then_some(Pane {
            rows,
            area: (self.x, self.y, self.w, self.h),
            row_px: self.row,
            top: window.top as u32,
            max_top: window.num.saturating_sub(window.shown) as u32,
        })
    }

    /// Draws the scroll position.
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

/// Layout of the view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Number of rows that fit a pane.
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
