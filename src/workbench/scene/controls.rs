//! Rows of choices by which a view is set: data that the page shows as buttons, keeps in the link
//! and hands back as a [`Choice`].

use serde::{Deserialize, Serialize};

use engine::arch::BankSize;
use engine::sim::LoadCaching;

/// A row of choices over a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// Its id on the page.
    pub id: &'static str,
    /// What it sets, in a word or two.
    pub label: &'static str,
    /// What it can be.
    pub options: Vec<ControlOption>,
}

/// One of the things a control can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlOption {
    /// In a word or two.
    pub name: String,
    /// What it does.
    pub choice: Choice,
    /// Whether it is so now.
    pub chosen: bool,
}

/// A setting of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// How values are written.
    Format(NumberFormat),
    /// The playground in place of this run; kept in the scenario.
    Playground(bool),
    /// Another memory request: a step, not a setting, so nothing stays chosen.
    Request(RequestStep),
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
    /// Stops those runs, or lets them go on: a step.
    HoldSweep(bool),
    /// Whether global loads go through L1 (`-dlcm`): of the run, not a setting.
    Dlcm(LoadCaching),
    /// Size of the banks of shared memory: of the run, not a setting.
    BankSize(BankSize),
    /// Another kernel of the library, by its id: a step, not a setting.
    Kernel(&'static str),
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

    /// In links.
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

    /// In links, and on the page.
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

    /// In links, and on the page.
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

    /// In links.
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

    /// In links, and on the page.
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

    /// In links.
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

    /// In links.
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

    /// In links, and on the page.
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

    /// In links, and on the page.
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

    /// In links.
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

impl Choice {
    /// Whether it is a step and not a setting.
    pub const fn is_step(self) -> bool {
        matches!(self, Self::Request(_) | Self::Kernel(_))
    }
}

impl Settings {
    /// Takes a choice.
    pub fn choose(&mut self, choice: Choice) {
        match choice {
            Choice::Format(format) => self.format = format,
            Choice::Request(_)
            | Choice::Kernel(_)
            | Choice::Dlcm(_)
            | Choice::BankSize(_)
            | Choice::HoldSweep(_) => {}
            Choice::Sweep(on) => self.sweep = on,
            Choice::Storage(storage) => self.storage = storage,
            Choice::Pairs(pairs) => self.pairs = pairs,
            Choice::Page(page) => self.page = page,
            Choice::Playground(_) => {}
            Choice::Counters(counters) => self.counters = counters,
            Choice::Code(code) => self.code = code,
            Choice::Breakdown(breakdown) => self.breakdown = breakdown,
            Choice::Period(period) => self.period = period,
            Choice::Drag(drag) => self.drag = drag,
            Choice::LaneRows(rows) => self.lane_rows = rows,
            Choice::LaneZoom(zoom) => self.lane_zoom = zoom,
            Choice::Cache(cache) => {
                self.cache = cache;
                self.cache_line = None;
            }
        }
    }

    /// Gives each pair that a link needs.
    pub fn write(&self, put: &mut impl FnMut(&str, String)) {
        let usual = Self::default();
        if self.format != usual.format {
            put("format", self.format.id().to_owned());
        }
        if self.storage != usual.storage {
            put("values", self.storage.id().to_owned());
        }
        if self.pairs {
            put("pairs", "on".to_owned());
        }
        if self.page != 0 {
            put("page", self.page.to_string());
        }
        if self.counters != usual.counters {
            put("counters", self.counters.id().to_owned());
        }
        if self.code != usual.code {
            put("code", self.code.id().to_owned());
        }
        if self.breakdown != usual.breakdown {
            put("by", self.breakdown.id().to_owned());
        }
        if self.period != usual.period {
            put("of", self.period.id().to_owned());
        }
        if self.drag != usual.drag {
            put("drag", self.drag.id().to_owned());
        }
        if self.lane_rows != usual.lane_rows {
            put("rows", self.lane_rows.id().to_owned());
        }
        if self.lane_zoom != usual.lane_zoom {
            put("weave", self.lane_zoom.id().to_owned());
        }
        if self.cache != usual.cache {
            put("cache", self.cache.id().to_owned());
        }
        if self.sweep {
            put("sweep", "on".to_owned());
        }
        if let Some((set, way)) = self.cache_line {
            put("way", format!("{set}.{way}"));
        }
    }

    /// Takes a pair of a link. `None`: the key is another's.
    ///
    /// # Errors
    /// What the value should be.
    pub fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        Some(match key {
            "format" => pick(&NumberFormat::ALL, NumberFormat::id, value).map(|format| self.format = format),
            "values" => pick(&Storage::ALL, Storage::id, value).map(|storage| self.storage = storage),
            "pairs" => {
                let id = |on: bool| if on { "on" } else { "off" };
                pick(&[false, true], id, value).map(|pairs| self.pairs = pairs)
            }
            "page" => match value.parse() {
                Ok(page) => {
                    self.page = page;
                    Ok(())
                }
                Err(_) => Err("it is a whole number from 0 to 255".to_owned()),
            },
            "counters" => pick(&Counters::ALL, Counters::id, value).map(|counters| self.counters = counters),
            "code" => pick(&CodePart::ALL, CodePart::id, value).map(|code| self.code = code),
            "by" => pick(&Breakdown::ALL, Breakdown::id, value).map(|by| self.breakdown = by),
            "of" => pick(&Period::ALL, Period::id, value).map(|period| self.period = period),
            "drag" => pick(&Drag::ALL, Drag::id, value).map(|drag| self.drag = drag),
            "rows" => pick(&LaneRows::ALL, LaneRows::id, value).map(|rows| self.lane_rows = rows),
            "weave" => pick(&LaneZoom::ALL, LaneZoom::id, value).map(|zoom| self.lane_zoom = zoom),
            "cache" => pick(&MemoryPart::ALL, MemoryPart::id, value).map(|cache| self.cache = cache),
            "sweep" => {
                let id = |on: bool| if on { "on" } else { "off" };
                pick(&[false, true], id, value).map(|sweep| self.sweep = sweep)
            }
            "way" => place(value).map(|place| self.cache_line = Some(place)),
            _ => return None,
        })
    }
}

/// The item with this id.
///
/// # Errors
/// What it can be.
fn pick<T: Copy>(all: &[T], id: fn(T) -> &'static str, value: &str) -> Result<T, String> {
    all.iter()
        .copied()
        .find(|item| id(*item) == value)
        .ok_or_else(|| {
            let ids: Vec<&str> = all.iter().map(|item| id(*item)).collect();
            format!("it can be {}", ids.join(", "))
        })
}

/// Set and way of a line, `3.12`.
///
/// # Errors
/// What it should be.
fn place(value: &str) -> Result<(u16, u16), String> {
    value
        .split_once('.')
        .and_then(|(set, way)| Some((set.parse().ok()?, way.parse().ok()?)))
        .ok_or_else(|| "it is a set and a way, as 3.12".to_owned())
}
