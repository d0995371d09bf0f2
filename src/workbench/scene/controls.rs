//! The settings of the views, and the rows of options that choose them: data that the page shows as buttons.

use super::Target;
use serde::{Deserialize, Serialize};

use super::plots::{PlotSetting, PlotSettings};
use super::streams::{StreamSetting, StreamSettings};
use engine::arch::ArchId;

/// A row of options above a view. `C`: the effect of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control<C = Setting> {
    /// Id on the page.
    pub id: &'static str,
    /// Label.
    pub label: &'static str,
    /// Options.
    pub options: Vec<ControlOption<C>>,
}

/// An option of a control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlOption<C = Setting> {
    /// Label.
    pub name: String,
    /// The effect of the option.
    pub choice: C,
    /// Whether the option is chosen now.
    pub chosen: bool,
}

impl<C> Control<C> {
    /// The same row, whose options do something else.
    pub fn map<D>(self, does: impl Fn(C) -> D) -> Control<D> {
        let option = |option: ControlOption<C>| ControlOption {
            name: option.name,
            choice: does(option.choice),
            chosen: option.chosen,
        };
        Control {
            id: self.id,
            label: self.label,
            options: self.options.into_iter().map(option).collect(),
        }
    }
}

/// A setting of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The number format.
    Format(NumberFormat),
    /// The storage that the Registers view shows.
    Storage(Storage),
    /// Whether two registers are shown as one 64-bit value.
    Pairs(bool),
    /// The page of a large shared memory, from 0.
    Page(u8),
    /// The counters beside the code.
    Counters(Counters),
    /// The part of the code to show.
    Code(CodePart),
    /// What the cells of the Tensor view show.
    Cells(Cells),
    /// The breakdown of warp cycles.
    Breakdown(Breakdown),
    /// The period of the breakdown.
    Period(Period),
    /// The effect of a drag over the Timeline.
    Drag(Drag),
    /// The meaning of a row in the Divergence view.
    LaneRows(LaneRows),
    /// The height of rows in the Divergence view.
    LaneZoom(LaneZoom),
    /// The memory part that the Caches view shows.
    Cache(MemoryPart),
    /// Whether every combination of split, `-dlcm`, and register limit runs.
    Sweep(bool),
    /// A setting of the Plots view.
    Plot(PlotSetting),
    /// A setting of the Streams view.
    Stream(StreamSetting),
    /// The second chip of the Arithmetic view; `None`: the first that differs.
    Beside(Option<ArchId>),
}

/// A step from the shown memory request to another request of the run, in the order in which units accept
/// requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestStep {
    /// The previous request.
    Previous,
    /// The next request.
    Next,
    /// The first request of the same warp.
    FirstOfWarp,
    /// The first request of the same source line.
    FirstOfLine,
}

/// The storage of the values in the Registers view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// Registers of the selected warp.
    #[default]
    Registers,
    /// Predicates of the selected warp.
    Predicates,
    /// Shared memory of the selected warp's block.
    Shared,
    /// Parameters of the kernel, in constant memory.
    Parameters,
}

impl Storage {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Registers, Self::Predicates, Self::Shared, Self::Parameters];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Predicates => "predicates",
            Self::Shared => "shared",
            Self::Parameters => "parameters",
        }
    }

    /// The label on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Registers => "Registers",
            Self::Predicates => "Predicates",
            Self::Shared => "Shared memory",
            Self::Parameters => "Parameters",
        }
    }
}

/// A number format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberFormat {
    /// Hexadecimal, 8 or 16 digits.
    #[default]
    Hex,
    /// Signed integer.
    Int,
    /// Unsigned integer.
    Unsigned,
    /// Floating-point value of this size.
    Float,
}

impl NumberFormat {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Hex, Self::Int, Self::Unsigned, Self::Float];

    /// The id in links, and the label on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Float => "float",
        }
    }

    /// The label on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hex => "Hex",
            Self::Int => "Signed",
            Self::Unsigned => "Unsigned",
            Self::Float => "Float",
        }
    }
}

/// The counters beside lines and instructions in the Source view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counters {
    /// Warp instructions issued.
    Issue,
    /// Warp cycles by state.
    #[default]
    Stalls,
    /// Bank conflicts and sectors.
    Memory,
    /// Active lanes.
    Lanes,
    /// Only the code.
    None,
}

impl Counters {
    /// All values.
    pub const ALL: [Self; 5] = [Self::Issue, Self::Stalls, Self::Memory, Self::Lanes, Self::None];

    /// The id in links, and the label on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Stalls => "stalls",
            Self::Memory => "memory",
            Self::Lanes => "lanes",
            Self::None => "none",
        }
    }
}

/// The part of the code that the Source view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodePart {
    /// Both side by side; only the source if there is no room.
    #[default]
    Both,
    /// The CUDA source.
    Cuda,
    /// The instructions.
    Instructions,
}

impl CodePart {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Both, Self::Cuda, Self::Instructions];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Cuda => "cuda",
            Self::Instructions => "sass",
        }
    }

    /// The label on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Both => "Both",
            Self::Cuda => "CUDA",
            Self::Instructions => "Instructions",
        }
    }
}

/// The breakdown of warp cycles in the Stalls view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Breakdown {
    /// State by state.
    #[default]
    Reason,
    /// Warp by warp.
    Warp,
    /// Line by line.
    Line,
    /// Instruction by instruction.
    Instruction,
}

impl Breakdown {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Reason, Self::Warp, Self::Line, Self::Instruction];

    /// The id in links, and the label on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Reason => "reason",
            Self::Warp => "warp",
            Self::Line => "line",
            Self::Instruction => "instruction",
        }
    }
}

/// The period of the Stalls view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// The whole run.
    #[default]
    Run,
    /// From the start to the current cycle.
    Now,
    /// The last 1,000 cycles up to the current cycle.
    Last,
    /// The range selected in the Timeline.
    Range,
}

impl Period {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Run, Self::Now, Self::Last, Self::Range];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Now => "now",
            Self::Last => "last",
            Self::Range => "range",
        }
    }

    /// The label on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Run => "Whole run",
            Self::Now => "Until now",
            Self::Last => "Last 1,000 cycles",
            Self::Range => "This range",
        }
    }
}

/// The effect of a drag over the Timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drag {
    /// Moves the Timeline.
    #[default]
    Pan,
    /// Selects a range of cycles.
    Range,
}

impl Drag {
    /// Both values.
    pub const ALL: [Self; 2] = [Self::Pan, Self::Range];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pan => "pan",
            Self::Range => "range",
        }
    }

    /// The other value.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Pan => Self::Range,
            Self::Range => Self::Pan,
        }
    }
}

/// The meaning of a row in the Divergence view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneRows {
    /// An issue of the warp.
    #[default]
    Issues,
    /// A cycle.
    Cycles,
}

impl LaneRows {
    /// Both values.
    pub const ALL: [Self; 2] = [Self::Issues, Self::Cycles];

    /// The id in links, and the label on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Issues => "issues",
            Self::Cycles => "cycles",
        }
    }
}

/// The height of rows in the Divergence view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneZoom {
    /// Rows with names.
    #[default]
    Near,
    /// Twice as many rows.
    Middle,
    /// As many rows as are distinguishable.
    Far,
}

impl LaneZoom {
    /// All values, the nearest first.
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// The id in links, and the label on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Middle => "middle",
            Self::Far => "far",
        }
    }

    /// The next nearer or farther zoom.
    #[must_use]
    pub const fn zoomed(self, nearer: bool) -> Self {
        match (self, nearer) {
            (Self::Far, true) | (Self::Near, false) => Self::Middle,
            (_, true) => Self::Near,
            (_, false) => Self::Far,
        }
    }
}

/// The memory part that the Caches view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryPart {
    /// The first-level data cache of the SM.
    #[default]
    L1,
    /// The first-level constant cache of the SM.
    Constant,
    /// The texture cache of the SM, if separate from L1.
    Texture,
    /// The bytes in flight to and from device memory.
    Device,
}

impl MemoryPart {
    /// All values.
    pub const ALL: [Self; 4] = [Self::L1, Self::Constant, Self::Texture, Self::Device];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::L1 => "l1",
            Self::Constant => "constant",
            Self::Texture => "texture",
            Self::Device => "device",
        }
    }

    /// The label on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::Constant => "constant cache",
            Self::Texture => "texture cache",
            Self::Device => "bytes in flight",
        }
    }
}

/// What the cells of the Tensor view show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cells {
    /// The lane that holds the element.
    #[default]
    Lanes,
    /// The element's value.
    Values,
    /// The register that holds the element.
    Registers,
}

impl Cells {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Lanes, Self::Values, Self::Registers];

    /// The id in links, and the label on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Values => "values",
            Self::Registers => "registers",
        }
    }
}

/// A selected part of the SM view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// A scheduler.
    Scheduler(u8),
    /// A pipe: its scheduler, 255 if the schedulers share the pipe, and its index among the pipes of the GPU.
    Pipe(u8, u8),
    /// A block, by its number in the grid.
    Block(u32),
}

impl Part {
    /// The part that a target of the picture names.
    pub const fn of(target: Target) -> Option<Self> {
        match target {
            Target::Scheduler(scheduler) => Some(Self::Scheduler(scheduler)),
            Target::Pipe { scheduler, pipe } => Some(Self::Pipe(scheduler, pipe)),
            // The target of the whole shared memory.
            Target::SharedBlock(u32::MAX) => None,
            Target::SharedBlock(block) => Some(Self::Block(block)),
            _ => None,
        }
    }

    /// The target that the picture shows for the part.
    pub const fn target(self) -> Target {
        match self {
            Self::Scheduler(scheduler) => Target::Scheduler(scheduler),
            Self::Pipe(scheduler, pipe) => Target::Pipe { scheduler, pipe },
            Self::Block(block) => Target::SharedBlock(block),
        }
    }

    /// The text in links.
    pub fn id(self) -> String {
        match self {
            Self::Scheduler(scheduler) => format!("scheduler.{scheduler}"),
            Self::Pipe(scheduler, pipe) => format!("pipe.{scheduler}.{pipe}"),
            Self::Block(block) => format!("block.{block}"),
        }
    }

    /// Reads the text of a link.
    pub fn read(text: &str) -> Option<Self> {
        let (kind, number) = text.split_once('.')?;
        match kind {
            "scheduler" => number.parse().ok().map(Self::Scheduler),
            "block" => number.parse().ok().map(Self::Block),
            "pipe" => {
                let (scheduler, pipe) = number.split_once('.')?;
                Some(Self::Pipe(scheduler.parse().ok()?, pipe.parse().ok()?))
            }
            _ => None,
        }
    }
}

/// The chosen options of all views, as plain values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The number format.
    pub format: NumberFormat,
    /// The storage that the Registers view shows.
    pub storage: Storage,
    /// Whether two registers are shown as one 64-bit value.
    pub pairs: bool,
    /// The page of a large shared memory, from 0.
    pub page: u8,
    /// The counters beside the code.
    pub counters: Counters,
    /// The part of the code to show.
    pub code: CodePart,
    /// The breakdown of warp cycles.
    pub breakdown: Breakdown,
    /// The period of the breakdown.
    pub period: Period,
    /// The effect of a drag over the Timeline.
    pub drag: Drag,
    /// The meaning of a row in the Divergence view.
    pub lane_rows: LaneRows,
    /// The height of rows in the Divergence view.
    pub lane_zoom: LaneZoom,
    /// The memory part that the Caches view shows.
    pub cache: MemoryPart,
    /// Selected set and way in the Caches view.
    pub cache_line: Option<(u16, u16)>,
    /// Whether the Carveout view runs every combination.
    pub sweep: bool,
    /// The selected SM of the Device view.
    #[serde(default)]
    pub sm: Option<u16>,
    /// The second chip of the Arithmetic view; `None`: the first that differs.
    #[serde(default)]
    pub beside: Option<ArchId>,
    /// What the cells of the Tensor view show.
    #[serde(default)]
    pub cells: Cells,
    /// Row and column of the selected sum in the Tensor view; rows count over all octets.
    #[serde(default)]
    pub sum: Option<(u8, u8)>,
    /// The selected part of the SM view: a scheduler, a pipe, or a block.
    #[serde(default)]
    pub part: Option<Part>,
    /// The settings of the Plots view.
    #[serde(default)]
    pub plot: PlotSettings,
    /// The settings of the Streams view.
    #[serde(default)]
    pub streams: StreamSettings,
}

impl Settings {
    /// Changes one setting.
    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Format(format) => self.format = format,
            Setting::Storage(storage) => self.storage = storage,
            Setting::Pairs(pairs) => self.pairs = pairs,
            Setting::Page(page) => self.page = page,
            Setting::Counters(counters) => self.counters = counters,
            Setting::Code(code) => self.code = code,
            Setting::Breakdown(breakdown) => self.breakdown = breakdown,
            Setting::Period(period) => self.period = period,
            Setting::Drag(drag) => self.drag = drag,
            Setting::LaneRows(rows) => self.lane_rows = rows,
            Setting::LaneZoom(zoom) => self.lane_zoom = zoom,
            Setting::Cells(cells) => self.cells = cells,
            Setting::Sweep(on) => self.sweep = on,
            Setting::Plot(setting) => self.plot.set(setting),
            Setting::Stream(setting) => self.streams.set(setting),
            Setting::Beside(arch) => self.beside = arch,
            Setting::Cache(cache) => {
                self.cache = cache;
                self.cache_line = None;
            }
        }
    }
}
