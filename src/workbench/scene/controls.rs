//! The settings of the views, and the rows of options by which they are chosen: data that the page
//! shows as buttons.

use serde::{Deserialize, Serialize};

/// A row of options over a picture. `C` is what an option does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control<C = Setting> {
    /// Its id on the page.
    pub id: &'static str,
    /// What it sets, in a word or two.
    pub label: &'static str,
    /// What it can be.
    pub options: Vec<ControlOption<C>>,
}

/// One of the options of a control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlOption<C = Setting> {
    /// In a word or two.
    pub name: String,
    /// What it does.
    pub choice: C,
    /// Whether it is so now.
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
    /// How values are written.
    Format(NumberFormat),
    /// What the Registers view shows.
    Storage(Storage),
    /// Whether two registers are read as one number of 64 bits.
    Pairs(bool),
    /// Which part of a large shared memory is shown, from 0.
    Page(u8),
    /// Which counters stand beside the code.
    Counters(Counters),
    /// What of the code is shown.
    Code(CodePart),
    /// By what warp cycles are broken down.
    Breakdown(Breakdown),
    /// Of which cycles.
    Period(Period),
    /// What a drag over the Timeline does.
    Drag(Drag),
    /// What a row of the Divergence view is.
    LaneRows(LaneRows),
    /// How high its rows are.
    LaneZoom(LaneZoom),
    /// What the Caches view shows.
    Cache(MemoryPart),
    /// Whether every combination of split, `-dlcm` and registers is run.
    Sweep(bool),
}

/// From the memory request that is shown to another of the run, in the order in which their units
/// take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestStep {
    /// The one before.
    Previous,
    /// The one after.
    Next,
    /// The first of the same warp.
    FirstOfWarp,
    /// The first of the same source line.
    FirstOfLine,
}

/// Where the values of the Registers view are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// Registers of the selected warp.
    #[default]
    Registers,
    /// Its predicates.
    Predicates,
    /// Shared memory of its block.
    Shared,
    /// Parameters of the kernel, in constant memory.
    Parameters,
}

impl Storage {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Registers, Self::Predicates, Self::Shared, Self::Parameters];

    /// Its id, which never changes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Predicates => "predicates",
            Self::Shared => "shared",
            Self::Parameters => "parameters",
        }
    }

    /// On the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Registers => "Registers",
            Self::Predicates => "Predicates",
            Self::Shared => "Shared memory",
            Self::Parameters => "Parameters",
        }
    }
}

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberFormat {
    /// As hexadecimal digits, eight or sixteen.
    #[default]
    Hex,
    /// As a signed whole number.
    Int,
    /// As a whole number without a sign.
    Unsigned,
    /// As a floating-point number of that size.
    Float,
}

impl NumberFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Hex, Self::Int, Self::Unsigned, Self::Float];

    /// Its id, which never changes, and its name on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Float => "float",
        }
    }

    /// On the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hex => "Hex",
            Self::Int => "Signed",
            Self::Unsigned => "Unsigned",
            Self::Float => "Float",
        }
    }
}

/// What stands beside lines and instructions in the Source view.
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
    /// Lanes that take part.
    Lanes,
}

impl Counters {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Issue, Self::Stalls, Self::Memory, Self::Lanes];

    /// Its id, which never changes, and its name on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Stalls => "stalls",
            Self::Memory => "memory",
            Self::Lanes => "lanes",
        }
    }
}

/// What of the code the Source view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodePart {
    /// Both side by side; where there is no room, the text.
    #[default]
    Both,
    /// The text.
    Cuda,
    /// The instructions.
    Instructions,
}

impl CodePart {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Both, Self::Cuda, Self::Instructions];

    /// Its id, which never changes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Cuda => "cuda",
            Self::Instructions => "sass",
        }
    }

    /// On the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Both => "Both",
            Self::Cuda => "CUDA",
            Self::Instructions => "Instructions",
        }
    }
}

/// By what the Stalls view breaks warp cycles down.
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
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Reason, Self::Warp, Self::Line, Self::Instruction];

    /// Its id, which never changes, and its name on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Reason => "reason",
            Self::Warp => "warp",
            Self::Line => "line",
            Self::Instruction => "instruction",
        }
    }
}

/// Of which cycles the Stalls view speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// All.
    #[default]
    Run,
    /// From the start to the present cycle.
    Now,
    /// The last thousand up to the present cycle.
    Last,
    /// The range that is selected in the Timeline.
    Range,
}

impl Period {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Run, Self::Now, Self::Last, Self::Range];

    /// Its id, which never changes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Now => "now",
            Self::Last => "last",
            Self::Range => "range",
        }
    }

    /// On the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Run => "Whole run",
            Self::Now => "Until now",
            Self::Last => "Last 1,000 cycles",
            Self::Range => "This range",
        }
    }
}

/// What a drag over the Timeline does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drag {
    /// Moves it.
    #[default]
    Pan,
    /// Selects a range of cycles.
    Range,
}

impl Drag {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pan, Self::Range];

    /// Its id, which never changes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pan => "pan",
            Self::Range => "range",
        }
    }

    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Pan => Self::Range,
            Self::Range => Self::Pan,
        }
    }
}

/// What a row of lanes in the Divergence view is.
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
    /// Both.
    pub const ALL: [Self; 2] = [Self::Issues, Self::Cycles];

    /// Its id, which never changes, and its name on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Issues => "issues",
            Self::Cycles => "cycles",
        }
    }
}

/// How high the rows of lanes in the Divergence view are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneZoom {
    /// With their names.
    #[default]
    Near,
    /// Twice as many.
    Middle,
    /// As many as can be told apart.
    Far,
}

impl LaneZoom {
    /// All of them, the nearest first.
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// Its id, which never changes, and its name on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Middle => "middle",
            Self::Far => "far",
        }
    }

    /// The next one that shows less, or more.
    #[must_use]
    pub const fn zoomed(self, nearer: bool) -> Self {
        match (self, nearer) {
            (Self::Far, true) | (Self::Near, false) => Self::Middle,
            (_, true) => Self::Near,
            (_, false) => Self::Far,
        }
    }
}

/// What the Caches view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryPart {
    /// The first-level data cache of the SM.
    #[default]
    L1,
    /// Its first-level constant cache.
    Constant,
    /// Its texture cache, where that is apart from L1.
    Texture,
    /// What is on its way to and from device memory.
    Device,
}

impl MemoryPart {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::L1, Self::Constant, Self::Texture, Self::Device];

    /// Its id, which never changes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::L1 => "l1",
            Self::Constant => "constant",
            Self::Texture => "texture",
            Self::Device => "device",
        }
    }

    /// On the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::Constant => "constant cache",
            Self::Texture => "texture cache",
            Self::Device => "bytes in flight",
        }
    }
}

/// What was chosen, for all views; plain values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How values are written.
    pub format: NumberFormat,
    /// What the Registers view shows.
    pub storage: Storage,
    /// Whether two registers are read as one number of 64 bits.
    pub pairs: bool,
    /// Which part of a large shared memory is shown, from 0.
    pub page: u8,
    /// Which counters stand beside the code.
    pub counters: Counters,
    /// What of the code is shown.
    pub code: CodePart,
    /// By what warp cycles are broken down.
    pub breakdown: Breakdown,
    /// Of which cycles.
    pub period: Period,
    /// What a drag over the Timeline does.
    pub drag: Drag,
    /// What a row of the Divergence view is.
    pub lane_rows: LaneRows,
    /// How high its rows are.
    pub lane_zoom: LaneZoom,
    /// What the Caches view shows.
    pub cache: MemoryPart,
    /// Set and way that are selected in it.
    pub cache_line: Option<(u16, u16)>,
    /// Whether the Carveout view runs every combination.
    pub sweep: bool,
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
            Setting::Sweep(on) => self.sweep = on,
            Setting::Cache(cache) => {
                self.cache = cache;
                self.cache_line = None;
            }
        }
    }
}
