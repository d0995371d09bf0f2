//! Views as data: pure functions from a frame of a trace to a display list.
//!
//! Any painter can draw the list, a click can be looked up in it, and a table gives its content to
//! screen readers.

mod arithmetic;
mod banks;
mod caches;
mod carveout;
pub mod chart;
mod coalescing;
mod compare;
pub mod code;
pub mod controls;
pub mod damage;
mod device;
mod divergence;
mod ending;
mod findings;
mod fit;
mod inspector;
mod kit;
mod lanes;
mod occupancy;
mod playground;
mod plots;
mod registers;
mod request_line;
mod requests;
mod ring;
mod numbered;
pub mod paint;
pub mod floorplan_thumbnail;
mod sm;
mod source;
mod tensor;
mod stalls;
mod streams;
mod strip;
#[cfg(test)]
mod tests;
mod timeline;
mod term;
mod tooltip;

use std::collections::BTreeMap;

use serde::Serialize;

pub use crate::mark::Mark;
pub use crate::words::{
    awaited_copies, capital, count_word, counted, percent, request_name, state_description, thousands,
};
pub use arithmetic::{
    ArithmeticData, Origin, Study, arithmetic, arithmetic_tooltip, inspect_arithmetic, no_arithmetic,
};
pub use banks::{banks, banks_tooltip, shown_access, shown_wavefront, wavefront_reason};
pub use caches::{STREAM_KERNELS, caches, caches_tooltip, goes_past_l1, inspect_caches};
pub use carveout::{
    Combination, CombinationResult, CombinationRun, CombinationState, SplitRun, carveout, carveout_charts,
    carveout_tooltip, combination_result, combination_tooltip, combinations, inspect_carveout, launch_needs,
    legal_carveout,
};
pub use chart::{Axis, Chart, Note, Series, SeriesKind, Sets, Stretch};
pub use coalescing::{coalescing, coalescing_tooltip, shown_global_access, transaction_reason};
pub use compare::{
    BAND_COLUMNS, CauseState, ComparedSide, Comparison, CounterOrder, CounterRow, Marks, WarpRows,
    cause_tooltip, clock_ticks, compare, compare_marks, compare_strip, counter_rows, inspect_cause, mark,
};
pub use controls::{
    Breakdown, Cells, CodePart, Control, ControlOption, Counters, Drag, LaneRows, LaneZoom, MemoryPart,
    NumberFormat, Part, Period, RequestStep, Setting, Settings, Storage,
};
pub use device::{DeviceData, device, device_strip, device_tooltip, inspect_device};
pub use divergence::{DIVERGENT_KERNELS, divergence, divergence_lane_tooltip, inspect_divergence, is_whole};
pub use ending::ending_cycle;
pub use findings::{FindingsData, LineText, finding_tooltip, findings, inspect_findings};
pub use inspector::{
    Action, Bar, Code, Facts, Inspection, Phrase, Source, barrier_arrivals, cited, cited_policy,
    inspect_banks, inspect_coalescing, inspect_range, inspect_registers, inspect_warp,
};
pub use kit::text_width;
pub use numbered::{number, numbered};
pub use occupancy::{inspect_occupancy, occupancy, occupancy_charts};
pub use playground::{inspect_playground, playground, playground_tooltip};
pub use plots::{
    EXPERIMENT_ROWS, EXPERIMENTS, Experiment, ExperimentRow, PlotKind, PlotPoint, PlotScope, PlotSetting,
    PlotSettings, SIMULATED, SimulatedRow, THROUGHPUT_CLASSES, ThroughputClass, class_id, class_of,
    experiment_id, experiment_of, experiments_text, figure_id, figure_of, inspect_plots, level_id,
    plot_controls, plot_tooltip, plots, work_id,
};
pub use registers::{register_controls, registers, registers_used};
pub use requests::{has_request, shown_request, step_request};
pub use ring::{RING_RADIUS, ring, ring_places};
pub use sm::{has_part, inspect_part, sm};
pub use source::{inspect_code, source};
pub use stalls::{StallCause, inspect_stalls, stalls, stalls_with_causes};
pub(crate) use streams::time_text;
pub use streams::{
    MIN_STREAMS_NS, StreamSetting, StreamSettings, StreamsData, inspect_streams, streams, streams_axis,
    streams_tooltip,
};
pub use strip::{StripScale, WindowPart, playhead_marks, strip, strip_marks, strip_run};
pub use tensor::{
    TENSOR_KERNELS, beside_product, has_product, has_tensor_cores, inspect_tensor, tensor, tensor_holder,
    tensor_tooltip,
};
pub use term::{Label, term_label};
pub use timeline::{TIMELINE_AXIS, TimelineScale, ZOOM, timeline};
pub use tooltip::{tooltip, use_at};

use engine::arch::ArchId;
use engine::ids::{Cycle, SlotIdx};

/// Height of a row of keyboard stops, in CSS pixels: targets with tops in the same row go from left to right.
const LINE_PX: f32 = 8.0;

/// The selection and the settings of a view, as plain values that the page keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewState {
    /// Selected warp slot.
    pub slot: Option<SlotIdx>,
    /// Selected lane.
    pub lane: Option<u8>,
    /// Index of the memory access to show; `None`: the access in service.
    pub access: Option<u32>,
    /// Wavefront of that access to show, from 0; `None`: the wavefront in service.
    pub wavefront: Option<u16>,
    /// Timeline zoom in pixels per cycle; `None`: the default for the width.
    pub cycle_px: Option<f32>,
    /// First cycle of the timeline; `None`: the timeline follows the current cycle.
    pub timeline_start: Option<Cycle>,
    /// The only mark to draw at full opacity.
    pub filter: Option<Mark>,
    /// Selected register, or the first register of the selected pair.
    pub register: Option<u8>,
    /// Byte offset of the selected word of shared memory.
    pub word: Option<u32>,
    /// Selected range of cycles: the first cycle, and the cycle after the last.
    pub range: Option<(Cycle, Cycle)>,
    /// Part of the run that the strip shows: first cycle and number of cycles; `None`: the whole run.
    pub strip: Option<(Cycle, u64)>,
    /// The warp and the cycle under the pointer: the timeline shows the cause of this stall.
    pub probe: Option<(SlotIdx, Cycle)>,
    /// Cycles that the timeline shows; the strip frames them.
    pub window: Option<(Cycle, Cycle)>,
    /// Selected source line, from 1; 0 selects the instructions without a line.
    pub line: Option<u32>,
    /// Selected instruction.
    pub pc: Option<u32>,
    /// First line that the Source view shows, from 0; `None`: the pane follows the selection.
    pub top_line: Option<u32>,
    /// First instruction that the Source view shows; `None`: the pane follows the selection.
    pub top_pc: Option<u32>,
    /// Whether the Source view follows the selected warp rather than the selected line, as during playback.
    pub follows_warp: bool,
    /// The options chosen in the views' controls.
    pub settings: Settings,
    /// Whether the picture has to fit its height, as in the presenter, which does not scroll: secondary parts give way.
    pub is_whole: bool,
    /// Answers of the explanation that are shown, up to 3: the picture rings what they name. 0: none.
    pub why: u8,
}

impl ViewState {
    /// The period that Stalls covers: `Range` only if a range is selected.
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

/// The meaning of a shape; the painter takes its color from the theme's tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the design system's own names")]
pub enum Role {
    State(Mark),
    /// Pass n of a bank conflict, from 1.
    Pass(u16),
    /// Text inside a fill of pass n.
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
    /// Comments in code: `Ink3` in italics.
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

/// How a shape is filled or a line is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub enum Texture {
    /// Filled.
    #[default]
    Solid,
    /// An outline of this width.
    Outline(f32),
    /// An outline of this width with round corners. Only rings around what a text names have them.
    Ring(f32),
    /// Diagonal hatch.
    Hatch,
    /// Fence posts, for barriers.
    Fence,
    /// Teeth, for branches.
    Teeth,
    /// Dashes.
    Dashes,
    /// Scattered dots.
    Dots,
    /// A dotted outline or baseline.
    Dotted,
    /// Filled at this opacity.
    Fade(f32),
}

/// Font sizes: 10, 11, 12.5, 14, 16, and 24 px at normal density.
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

/// The point of a text that its x gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "as named")]
pub enum Align {
    Left,
    Center,
    Right,
}

/// Geometry of an item, in CSS pixels from the top left.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "standard names of geometry")]
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
    /// One line of text; y is the middle of the line.
    Text {
        x: f32,
        y: f32,
        text: String,
        size: TextSize,
        mono: bool,
        strong: bool,
        align: Align,
    },
    /// The tile of a warp state, `side` px square.
    Tile {
        x: f32,
        y: f32,
        side: f32,
        mark: Mark,
    },
    /// A band of a warp state in a row of height h.
    Band {
        x: f32,
        y: f32,
        w: f32,
        h: f32,
        mark: Mark,
        cycle_px: f32,
    },
    /// States as blocks of whole pixels, for cycles too narrow for bands. Cells are in row-major order:
    /// 0 is blank, else the mark's index + 1. If `only` is set, all other marks fade.
    StatePixels {
        x: f32,
        y: f32,
        columns: u16,
        cells: Vec<u8>,
        only: Option<Mark>,
    },
    /// An invisible row of cycles, or of a warp's lanes, from left to right: hit-testing finds the cycle
    /// or the lane under the pointer.
    Track {
        x: f32,
        y: f32,
        w: f32,
        h: f32,
        first: u64,
        cycle_px: f32,
    },
}

/// What an item of a scene stands for, for clicks, hover, and the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[allow(missing_docs, reason = "ids of the named objects")]
pub enum Target {
    Warp {
        slot: u16,
    },
    WarpAt {
        slot: u16,
        cycle: u64,
    },
    /// A lane of the warp in a slot, at a cycle.
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
    /// A word of shared memory, by byte offset.
    Word(u32),
    /// A register of the warp in a slot.
    Register {
        slot: u16,
        reg: u8,
    },
    /// A register of one lane.
    Value {
        slot: u16,
        reg: u8,
        lane: u8,
    },
    /// A predicate of one lane.
    Predicate {
        slot: u16,
        pred: u8,
        lane: u8,
    },
    /// A word of a block's shared memory.
    SharedWord {
        block: u32,
        offset: u32,
    },
    /// A word of the kernel parameters, by byte offset in constant bank 0.
    Parameter(u16),
    Wavefront(u16),
    Access(u32),
    Padding(u8),
    Instruction(u32),
    Line(u32),
    /// A source line in Source and Stalls, from 1; 0 stands for code without a line.
    CodeLine(u32),
    /// An instruction in Source and Stalls.
    CodePc(u32),
    Mark(Mark),
    /// A fetch of a global memory request, by its index in the view.
    Fetch(u16),
    /// The row of a generation, by its index.
    Generation(u8),
    L1Line(u32),
    /// A set and a way of the cache that the Caches view shows.
    CacheLine {
        set: u16,
        way: u16,
    },
    /// A column of a plot over the run in Caches, by its first cycle.
    HitColumn(u64),
    SharedBlock(u32),
    MemoryLevel(u8),
    /// A row in the table of combinations.
    Combination(u8),
    /// A finding of the Findings view.
    Finding(u8),
    /// Opens the Findings view at a finding.
    OpenFinding(u8),
    /// Shows a finding in its view, where it is worst.
    ShowFinding(u8),
    /// Opens a measured change as a new pane.
    ApplyChange(u8),
    /// A shared memory size in KB.
    Carveout(u16),
    Arch(ArchId),
    /// One of the compared runs.
    Side(u8),
    /// A row of the compared counters.
    Counter(u8),
    /// A number of the compared chips, by its row among the causes of their difference.
    Cause(u8),
    /// Measures the cause of the difference between long runs.
    MeasureCause,
    /// The layout with columns swizzled by XOR with the row.
    Swizzle,
    /// A point or a roof of a plot.
    PlotPoint(PlotPoint),
    /// An SM of the Device view.
    DeviceSm(u16),
    /// A call of a host program, as its index among the calls of all processes.
    HostCall(u32),
    /// An element of a factor in the Tensor view: its row or column, counted over all octets, and its position along the
    /// depth.
    TensorFactor {
        right: bool,
        line: u8,
        k: u8,
    },
    /// A sum in the Tensor view; rows count over all octets.
    TensorSum {
        row: u8,
        column: u8,
    },
}

/// A shape to draw, with its meaning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// Geometry.
    pub shape: Shape,
    /// Meaning, which sets the color.
    pub role: Role,
    /// Fill.
    pub texture: Texture,
    /// What the item stands for, if the pointer can hit it.
    pub target: Option<Target>,
}

/// A view's display list, its headline, and its text twin.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// Size of the scene. If it is higher than the stage, the canvas scrolls.
    pub size: Size,
    /// Display list, painted in order.
    pub items: Vec<Item>,
    /// One sentence about this cycle of this kernel.
    pub headline: String,
    /// A sentence that says which part of the run the view shows; empty if that needs no sentence.
    pub note: String,
    /// The text twin: the view's content as a table.
    pub table: Table,
    /// More tables of the text twin, with their titles.
    pub also: Vec<(String, Table)>,
    /// Parts of the scene with rows that scroll on their own.
    pub panes: Vec<Pane>,
}

/// A part of a scene that shows a window of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pane {
    /// What the rows are.
    pub rows: PaneRows,
    /// Left, top, width, height of the rows.
    pub area: (f32, f32, f32, f32),
    /// Height of a row.
    pub row_px: f32,
    /// The first row in the window, from 0.
    pub top: u32,
    /// The largest valid `top`.
    pub max_top: u32,
}

/// What the rows of a pane show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PaneRows {
    /// Lines of the source.
    Lines,
    /// Instructions.
    Instructions,
}

/// A table with the content of a scene.
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

    /// The target of the topmost item at a point. Lines count within 4 px.
    pub fn hit(&self, x: f32, y: f32) -> Option<Target> {
        self.items
            .iter()
            .rev()
            .filter(|item| item.target.is_some() && item.shape.contains(x, y))
            .find_map(|item| item.target.map(|target| item.shape.at(x, target)))
    }
}

/// A target that the keyboard can reach, and its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// What it is.
    pub target: Target,
    /// Left, top, right, bottom in CSS pixels.
    pub bounds: [f32; 4],
}

impl Scene {
    /// All targets, each once, row by row from the top left.
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
        stops.sort_by(|a, b| {
            let (a, b) = (place(a), place(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        stops
    }
}

impl Shape {
    /// The target at an x: on a track, the cycle or the lane at this x.
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

    /// The bounding rectangle of a shape; `None` for curves and text.
    pub(crate) fn area(&self) -> Option<[f32; 4]> {
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
            Self::StatePixels {
                x, y, columns, cells, ..
            } => {
                let rows = cells.len() / usize::from((*columns).max(1));
                Some([*x, *y, x + f32::from(*columns), y + rows as f32])
            }
            Self::Curve { .. } | Self::Text { .. } => None,
        }
    }

    /// The words of a text and their area, with an estimated width. `half`: the area's part above the middle, in font
    /// sizes; the part below is equal. A capital letter is about 0.72 of the font size high.
    pub fn text_area(&self, half: f32) -> Option<(&str, damage::Area)> {
        let Self::Text {
            x,
            y,
            text,
            size,
            mono,
            strong,
            align,
        } = self
        else {
            return None;
        };
        let width = text_width(text, *size, *mono, *strong);
        let left = match align {
            Align::Left => *x,
            Align::Center => x - width / 2.0,
            Align::Right => x - width,
        };
        let half = half * size.px();
        Some((text, [left, y - half, left + width, y + half]))
    }

    /// Whether a point lies in the shape's bounding box. A line's box is 4 px larger on each side.
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
            Self::Curve { .. } | Self::Text { .. } | Self::StatePixels { .. } => false,
        }
    }
}
