//! Pictures as data: pure functions from a frame of a trace to a display list, which any painter
//! can draw, a click can be looked up in, and a screen reader can hear as a table.

mod banks;
mod caches;
mod carveout;
pub mod chart;
mod coalescing;
mod compare;
pub mod code;
pub mod controls;
pub mod damage;
mod divergence;
mod ending;
mod inspector;
mod kit;
mod lanes;
mod occupancy;
mod playground;
mod registers;
mod requests;
pub mod silhouette;
mod sm;
mod source;
mod stalls;
mod strip;
pub mod svg;
#[cfg(test)]
mod tests;
mod timeline;
mod tooltip;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use banks::{banks, banks_tooltip, shown_access, shown_wavefront};
pub use caches::{STREAM_KERNELS, caches, caches_tooltip, goes_past_l1, inspect_caches};
pub use carveout::{
    Combination, CombinationResult, CombinationRun, CombinationState, SplitRun, carveout, carveout_charts,
    carveout_tooltip, combination_result, combination_tooltip, combinations, inspect_carveout, launch_needs,
    legal_carveout,
};
pub use chart::{Axis, Chart, Note, Series, SeriesKind, Sets, Stretch};
pub use coalescing::{coalescing, coalescing_tooltip};
pub use compare::{
    BAND_COLUMNS, ComparedSide, Comparison, CounterOrder, CounterRow, Marks, clock_ticks, compare,
    compare_marks, compare_strip, counter_rows, mark,
};
pub use controls::{
    Breakdown, CodePart, Control, ControlOption, Counters, Drag, LaneRows, LaneZoom, MemoryPart,
    NumberFormat, Period, RequestStep, Setting, Settings, Storage,
};
pub use divergence::{DIVERGENT_KERNELS, divergence, divergence_lane_tooltip, inspect_divergence, is_whole};
pub use ending::ending_cycle;
pub use inspector::{
    Action, Bar, Code, Facts, Inspection, Phrase, Source, inspect_banks, inspect_coalescing, inspect_range,
    inspect_registers, inspect_warp,
};
pub use kit::text_width;
pub use occupancy::{inspect_occupancy, occupancy, occupancy_charts};
pub use playground::{inspect_playground, playground, playground_tooltip};
pub use registers::{register_controls, registers, registers_used};
pub use requests::{shown_request, step_request};
pub use sm::sm;
pub use source::{inspect_code, source};
pub use stalls::{inspect_stalls, stalls};
pub use strip::{StripScale, WindowPart, strip, strip_marks, strip_run};
pub use timeline::{TIMELINE_AXIS, TimelineScale, ZOOM, timeline};
pub use tooltip::{tooltip, use_at};
pub use words::{capital, count_word, counted, percent, request_name, state_sentence, thousands};

use engine::arch::ArchId;
use engine::ids::{Cycle, SlotIdx};

/// Things whose tops lie within so many pixels stand in a line.
const LINE_PX: f32 = 8.0;

/// What is selected and how a view is set; plain values that the page keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewState {
    /// Selected warp slot.
    pub slot: Option<SlotIdx>,
    /// Selected lane.
    pub lane: Option<u8>,
    /// Memory access to show, by its index; `None`: the one in service.
    pub access: Option<u32>,
    /// Wavefront of it to show, from 0; `None`: the one being served.
    pub wavefront: Option<u16>,
    /// Zoom of the timeline in pixels a cycle; `None`: the default of the width.
    pub cycle_px: Option<f32>,
    /// First cycle of the timeline; `None`: it follows the present cycle.
    pub timeline_start: Option<Cycle>,
    /// Only this mark is shown in full.
    pub filter: Option<Mark>,
    /// Selected register, or the first of the pair.
    pub register: Option<u8>,
    /// Selected word of shared memory, as its byte offset.
    pub word: Option<u32>,
    /// Cycles whose totals are shown: the first, and the one after the last.
    pub range: Option<(Cycle, Cycle)>,
    /// The part of the run that the strip shows: its first cycle, and how many; `None`: all.
    pub strip: Option<(Cycle, u64)>,
    /// A warp in a cycle for which the timeline shows what it waits for, while it is pointed at.
    pub probe: Option<(SlotIdx, Cycle)>,
    /// Cycles that the timeline shows, framed in the strip.
    pub window: Option<(Cycle, Cycle)>,
    /// Selected line of the source, from 1; 0 stands for instructions without a line.
    pub line: Option<u32>,
    /// Selected instruction.
    pub pc: Option<u32>,
    /// First line that the Source view shows, from 0; `None`: it follows.
    pub top_line: Option<u32>,
    /// First instruction that it shows; `None`: it follows.
    pub top_pc: Option<u32>,
    /// Whether it follows the selected warp before the selected line: while playing.
    pub follows_warp: bool,
    /// What was chosen in the rows of choices.
    pub settings: Settings,
}

impl ViewState {
    /// The period of which Stalls speaks: the range only where one is selected.
    pub fn period(&self) -> Period {
        match (self.settings.period, self.range) {
            (Period::Range, None) => Period::Run,
            (period, _) => period,
        }
    }
}

/// A size in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Size {
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// What a shape means; the painter takes its colour from the tokens of the theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the design system's own names")]
pub enum Role {
    State(Mark),
    /// Pass n of a bank conflict, from 1.
    Pass(u16),
    /// A numeral inside a fill of pass n.
    OnPass(u16),
    /// Text inside an issue fill.
    OnIssue,
    Used,
    Wasted,
    Hit,
    Miss,
    Paper1,
    Paper2,
    Paper3,
    Paper4,
    Ink1,
    Ink2,
    Ink3,
    /// Comments of code: `Ink3`, set italic.
    Comment,
    InkInverse,
    Line1,
    Line2,
    Edge,
    Selection,
    Now,
    Wire,
    WireLit,
}

/// The nine marks under which warp states are drawn, and the empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the design system's own names")]
pub enum Mark {
    Issue,
    Eligible,
    Wait,
    Short,
    Long,
    Throttle,
    Barrier,
    Branch,
    Other,
    Idle,
}

/// How a shape is filled or a line is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub enum Texture {
    /// Filled.
    #[default]
    Solid,
    /// Outline of this width.
    Outline(f32),
    /// Diagonal hatch.
    Hatch,
    /// Fence posts (barrier).
    Fence,
    /// Teeth (branch).
    Teeth,
    /// Dashes.
    Dashes,
    /// Scattered dots.
    Dots,
    /// A dotted outline or base line.
    Dotted,
    /// Filled at this opacity.
    Fade(f32),
}

/// Sizes of type (look: 10, 11, 12.5, 14, 16, 24 px at normal density).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the design system's own names")]
pub enum TextSize {
    Micro,
    Label,
    Body,
    Read,
    Title,
    Figure,
}

/// Where a text's x lies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "as named")]
pub enum Align {
    Left,
    Centre,
    Right,
}

/// Geometry of an item, in CSS pixels from the top left.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "usual names of geometry")]
pub enum Shape {
    Rect {
        x: f32,
        y: f32,
        w: f32,
        h: f32,
    },
    Line {
        x1: f32,
        y1: f32,
        x2: f32,
        y2: f32,
        width: f32,
    },
    /// An open line through points.
    Polyline {
        points: Vec<(f32, f32)>,
        width: f32,
    },
    /// A closed area.
    Polygon {
        points: Vec<(f32, f32)>,
    },
    /// A cubic curve.
    Curve {
        from: (f32, f32),
        c1: (f32, f32),
        c2: (f32, f32),
        to: (f32, f32),
        width: f32,
    },
    /// One line of text; y is its middle.
    Text {
        x: f32,
        y: f32,
        text: String,
        size: TextSize,
        mono: bool,
        strong: bool,
        align: Align,
    },
    /// The tile of a warp state, `side` px square (look: tile column of the states' table).
    Tile {
        x: f32,
        y: f32,
        side: f32,
        mark: Mark,
    },
    /// A band of a warp state in a row of height h (look: band column).
    Band {
        x: f32,
        y: f32,
        w: f32,
        h: f32,
        mark: Mark,
        cycle_px: f32,
    },
    /// States as small blocks of whole pixels, for cycles too narrow for bands: a pixel is 0, or
    /// the number of its mark and 1; row after row. The others fade where `only` is one.
    Weave {
        x: f32,
        y: f32,
        columns: u16,
        cells: Vec<u8>,
        only: Option<Mark>,
    },
    /// Not seen: cycles, or the lanes of a warp, from left to right, for a pointer to find the one it
    /// is at.
    Track {
        x: f32,
        y: f32,
        w: f32,
        h: f32,
        first: u64,
        cycle_px: f32,
    },
}

/// What a click or a hover on an item means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[allow(missing_docs, reason = "ids of the things named")]
pub enum Target {
    Warp {
        slot: u16,
    },
    WarpAt {
        slot: u16,
        cycle: u64,
    },
    /// A lane of the warp in a slot, in a cycle.
    LaneAt {
        slot: u16,
        lane: u8,
        cycle: u64,
    },
    Cycle(u64),
    Scheduler(u8),
    Pipe {
        scheduler: u8,
        pipe: u8,
    },
    Queue {
        scheduler: u8,
    },
    Registers {
        scheduler: u8,
    },
    Lane(u8),
    Bank(u8),
    /// Word of shared memory, as its byte offset.
    Word(u32),
    /// Register of the warp in a slot.
    Register {
        slot: u16,
        reg: u8,
    },
    /// Register of one of its lanes.
    Value {
        slot: u16,
        reg: u8,
        lane: u8,
    },
    /// Predicate of one of its lanes.
    Predicate {
        slot: u16,
        pred: u8,
        lane: u8,
    },
    /// Word of a block's shared memory.
    SharedWord {
        block: u32,
        offset: u32,
    },
    /// A word of the parameters, as its byte offset in constant bank 0.
    Parameter(u16),
    Wavefront(u16),
    Access(u32),
    Padding(u8),
    Instruction(u32),
    Line(u32),
    /// A line of the Source and Stalls views, from 1; 0 stands for code without a line.
    CodeLine(u32),
    /// An instruction of these views.
    CodePc(u32),
    Mark(Mark),
    /// Fetch of a request to global memory, by its place in the picture.
    Fetch(u16),
    /// Row of a generation, by its place.
    Generation(u8),
    L1Line(u32),
    /// A place of the cache that the Caches view shows.
    CacheLine {
        set: u16,
        way: u16,
    },
    /// Cycles of the hits over the run, by their column: its first cycle.
    HitColumn(u64),
    SharedBlock(u32),
    MemoryLevel(u8),
    /// A row of the combinations that are run.
    Combination(u8),
    /// A size of shared memory in KiB.
    Carveout(u16),
    Arch(ArchId),
    /// One of the runs that are compared.
    Side(u8),
    /// Row of the counters that are compared.
    Counter(u8),
    /// Columns interchanged by their row.
    Swizzle,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// Geometry.
    pub shape: Shape,
    /// Colour by meaning.
    pub role: Role,
    /// Fill.
    pub texture: Texture,
    /// What it stands for, if it can be pointed at.
    pub target: Option<Target>,
}

/// A picture with its words.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// The area it fills; can be higher than asked for, then the canvas scrolls.
    pub size: Size,
    /// Display list, painted in order.
    pub items: Vec<Item>,
    /// One true sentence about this cycle and this kernel.
    pub headline: String,
    /// Which part of the run it shows, in a sentence; empty where that is all there is to it.
    pub note: String,
    /// The text twin.
    pub table: Table,
    /// Further tables of it, with their titles.
    pub also: Vec<(String, Table)>,
    /// Parts of it whose rows scroll by themselves.
    pub panes: Vec<Pane>,
}

/// A part of a picture that shows some of many rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pane {
    /// What its rows are.
    pub rows: PaneRows,
    /// Left, top, width, height of the rows.
    pub area: (f32, f32, f32, f32),
    /// Height of a row.
    pub row_px: f32,
    /// The first row that is shown, from 0.
    pub top: u32,
    /// The last row that can be the first.
    pub max_top: u32,
}

/// What the rows of a pane are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PaneRows {
    /// Lines of the source.
    Lines,
    /// Instructions.
    Instructions,
}

/// A table that says what the picture shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
}

impl Scene {
    /// The pane at a point.
    pub fn pane_at(&self, x: f32, y: f32) -> Option<&Pane> {
        self.panes.iter().find(|pane| {
            let (left, top, width, height) = pane.area;
            x >= left && x < left + width && y >= top && y < top + height
        })
    }

    /// The target of the topmost item at a point (lines and curves within 4 px), with what to say of it.
    pub fn hit(&self, x: f32, y: f32) -> Option<Target> {
        self.items
            .iter()
            .rev()
            .filter(|item| item.target.is_some() && item.shape.contains(x, y))
            .find_map(|item| item.target.map(|target| item.shape.at(x, target)))
    }
}

/// A thing of a picture that keys can come to, and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// What it is.
    pub target: Target,
    /// Left, top, right, bottom in CSS pixels.
    pub bounds: [f32; 4],
}

impl Scene {
    /// Everything that can be pointed at, once, line by line from the top left.
    pub fn stops(&self) -> Vec<Stop> {
        let mut stops: BTreeMap<Target, [f32; 4]> = BTreeMap::new();
        for item in &self.items {
            let (Some(target), Some([x0, y0, x1, y1])) = (item.target, item.shape.area()) else {
                continue;
            };
            let bounds = stops.entry(target).or_insert([x0, y0, x1, y1]);
            let [left, top, right, bottom] = *bounds;
            *bounds = [left.min(x0), top.min(y0), right.max(x1), bottom.max(y1)];
        }
        let mut stops: Vec<Stop> = stops
            .into_iter()
            .map(|(target, bounds)| Stop { target, bounds })
            .collect();
        let place = |stop: &Stop| ((stop.bounds[1] / LINE_PX) as i32, stop.bounds[0]);
        stops.sort_by(|one, other| {
            let (one, other) = (place(one), place(other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        stops
    }
}

impl Shape {
    /// The target at an x: on a track, that of the cycle or the lane there.
    fn at(&self, px: f32, target: Target) -> Target {
        match (self, target) {
            (
                Self::Track {
                    x, first, cycle_px, ..
                },
                Target::WarpAt { slot, .. },
            ) => Target::WarpAt {
                slot,
                cycle: first + (f64::from(px - x).max(0.0) / f64::from(*cycle_px)) as u64,
            },
            (Self::Track { x, cycle_px, .. }, Target::LaneAt { slot, cycle, .. }) => Target::LaneAt {
                slot,
                lane: ((px - x).max(0.0) / cycle_px) as u8,
                cycle,
            },
            _ => target,
        }
    }

    /// The rectangle that a filled shape takes up.
    fn area(&self) -> Option<[f32; 4]> {
        match self {
            Self::Rect { x, y, w, h } | Self::Band { x, y, w, h, .. } | Self::Track { x, y, w, h, .. } => {
                Some([*x, *y, x + w, y + h])
            }
            Self::Tile { x, y, side, .. } => Some([*x, *y, x + side, y + side]),
            Self::Polygon { points } | Self::Polyline { points, .. } => {
                let first = points.first()?;
                let start = [first.0, first.1, first.0, first.1];
                Some(points.iter().fold(start, |[x0, y0, x1, y1], (x, y)| {
                    [x0.min(*x), y0.min(*y), x1.max(*x), y1.max(*y)]
                }))
            }
            Self::Line { x1, y1, x2, y2, .. } => Some([x1.min(*x2), y1.min(*y2), x1.max(*x2), y1.max(*y2)]),
            Self::Weave {
                x, y, columns, cells, ..
            } => {
                let rows = cells.len() / usize::from((*columns).max(1));
                Some([*x, *y, x + f32::from(*columns), y + rows as f32])
            }
            Self::Curve { .. } | Self::Text { .. } => None,
        }
    }

    /// Whether a point lies in the shape's bounding box, grown by 4 px for lines.
    pub fn contains(&self, px: f32, py: f32) -> bool {
        let within = |x0: f32, y0: f32, x1: f32, y1: f32| px >= x0 && px <= x1 && py >= y0 && py <= y1;
        match self {
            Self::Rect { x, y, w, h } | Self::Band { x, y, w, h, .. } | Self::Track { x, y, w, h, .. } => {
                within(*x, *y, x + w, y + h)
            }
            Self::Tile { x, y, side, .. } => within(*x, *y, x + side, y + side),
            Self::Line { x1, y1, x2, y2, .. } => within(
                x1.min(*x2) - 4.0,
                y1.min(*y2) - 4.0,
                x1.max(*x2) + 4.0,
                y1.max(*y2) + 4.0,
            ),
            Self::Polyline { points, .. } | Self::Polygon { points } => {
                let (mut x0, mut y0, mut x1, mut y1) = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
                for (x, y) in points {
                    (x0, y0, x1, y1) = (x0.min(*x), y0.min(*y), x1.max(*x), y1.max(*y));
                }
                within(x0, y0, x1, y1)
            }
            Self::Curve { .. } | Self::Text { .. } | Self::Weave { .. } => false,
        }
    }
}
