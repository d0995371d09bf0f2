//! Links: the scenario as text. Independent of the browser.
//!
//! A link is a URL fragment of readable pairs that a person can edit. It contains only differences from the
//! default: `#v1;arch=tu102;kernel=transpose-tiled;grid=4x4;view=banks;cycle=812;warp=3`. Decoding never fails: an
//! invalid part becomes a warning. Keys, values, and IDs are never reused, so that old links keep their meaning
//! for ever.

mod addresses;
mod argument;
mod compare;
mod layout;
mod long_text;
mod lecture;
mod lesson_address;
mod link;
mod note;
mod play;
mod plots;
mod settings;
mod streams;
#[cfg(test)]
mod tests;
mod text;
mod view_link;

use serde::{Deserialize, Serialize};

use crate::library::{self, LibraryKernel};
use crate::playground::Playground;
use engine::arch::ArchId;
use engine::isa::CompileOptions;
use engine::launch::{Argument, Launch, SymbolFill};
use engine::sim::MachineOptions;

pub(crate) use self::addresses::check_targets;
pub(crate) use self::argument::read as read_argument;
pub use self::argument::write as argument_text;
pub use compare::{Compare, MOST_SIDES, Order, Setup, Sync};
pub use layout::{COLUMN_PX, Density, Layout, Pane, Panel, SHARE, SetUpPart, Side, Theme};
pub use lecture::{Chapter, Lecture, MOST_CHAPTERS, Present, QrPlace};
pub use lesson_address::{LessonAddress, Reach};
pub use link::{Decoded, Warning, apply, decode, encode};
pub(crate) use link::{cut, shortened, unescape};
pub use long_text::{has_long_text, put_long_texts, take_long_texts};
pub use note::{Anchor, PictureNote};
pub(crate) use streams::suffix as stream_pairs;
pub use text::Damage;
pub(crate) use text::{MAX_BYTES as MAX_SOURCE_BYTES, MAX_FILES};
pub use view_link::{FindingId, OutputsLink, ViewLink};

/// The views of a tab: one, or several sections.
pub type Tab = &'static [View];

/// A view of the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The floor plan of an SM.
    #[default]
    Sm,
    /// Warp states over cycles.
    Timeline,
    /// Warp cycles by reason, warp, and line.
    Stalls,
    /// One shared-memory access, lane by lane.
    Banks,
    /// One global-memory access: lanes, segments, lines, and sectors.
    Coalescing,
    /// Every legal split of the on-chip memory.
    Carveout,
    /// Values of registers, predicates, and shared memory, lane by lane.
    Registers,
    /// CUDA C++ beside instructions, with counters.
    Source,
    /// The occupancy of a launch, and its limits.
    Occupancy,
    /// The lanes of a warp: running, waiting, and reconverging.
    Divergence,
    /// Lines and sectors of a cache: fills, hits, misses, and evictions.
    Caches,
    /// Several runs: their progress and counters side by side.
    Compare,
    /// The findings of memcheck, initcheck, racecheck, and synccheck.
    Checks,
    /// Rooflines, throughput, bandwidth, and figures over the years.
    Plots,
    /// What limits the run, and what would make it faster.
    Findings,
    /// All SMs of the product, and the blocks that each one runs.
    Device,
    /// The host program: its streams, processes, and GPUs.
    Streams,
    /// One operation bit by bit on two chips.
    Arithmetic,
    /// One matrix product on the tensor cores: who holds each element, and its steps.
    Tensor,
}

impl View {
    /// All views.
    pub const ALL: [Self; 19] = [
        Self::Findings,
        Self::Sm,
        Self::Timeline,
        Self::Stalls,
        Self::Banks,
        Self::Coalescing,
        Self::Carveout,
        Self::Registers,
        Self::Source,
        Self::Arithmetic,
        Self::Occupancy,
        Self::Plots,
        Self::Device,
        Self::Streams,
        Self::Divergence,
        Self::Caches,
        Self::Tensor,
        Self::Compare,
        Self::Checks,
    ];

    /// The tabs by group: findings, machine, memory, threads, limits, compare. A tab has one view or several sections, and
    /// the name of its first view.
    pub const GROUPS: [&'static [Tab]; 6] = [
        &[&[Self::Findings, Self::Stalls, Self::Checks]],
        &[&[Self::Sm], &[Self::Timeline]],
        &[
            &[Self::Banks],
            &[Self::Coalescing],
            &[Self::Caches, Self::Carveout],
        ],
        &[
            &[Self::Registers, Self::Arithmetic, Self::Tensor],
            &[Self::Source],
            &[Self::Divergence],
        ],
        &[&[Self::Occupancy], &[Self::Device, Self::Streams], &[Self::Plots]],
        &[&[Self::Compare]],
    ];

    /// The tab of the view.
    pub fn tab(self) -> Tab {
        let mut tabs = Self::GROUPS.iter().copied().flatten().copied();
        tabs.find(|tab| tab.contains(&self)).unwrap_or(&[])
    }

    /// The name of the view's tab, if the view is a section of a tab with another name.
    pub fn tab_name(self) -> Option<&'static str> {
        let first = self.tab().first().filter(|first| **first != self)?;
        Some(first.name())
    }

    /// The ID in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Sm => "sm",
            Self::Timeline => "timeline",
            Self::Stalls => "stalls",
            Self::Banks => "banks",
            Self::Coalescing => "coalescing",
            Self::Carveout => "carveout",
            Self::Registers => "registers",
            Self::Source => "source",
            Self::Occupancy => "occupancy",
            Self::Divergence => "divergence",
            Self::Caches => "caches",
            Self::Compare => "compare",
            Self::Checks => "checks",
            Self::Plots => "plots",
            Self::Findings => "findings",
            Self::Device => "device",
            Self::Streams => "streams",
            Self::Arithmetic => "arithmetic",
            Self::Tensor => "tensor",
        }
    }

    /// The name on the tab or section.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm => "SM",
            Self::Timeline => "Timeline",
            Self::Stalls => "Stalls",
            Self::Banks => "Banks",
            Self::Coalescing => "Coalescing",
            Self::Carveout => "Carveout",
            Self::Registers => "Registers",
            Self::Source => "Source",
            Self::Occupancy => "Occupancy",
            Self::Divergence => "Divergence",
            Self::Caches => "Caches",
            Self::Compare => "Compare",
            Self::Checks => "Checks",
            Self::Plots => "Plots",
            Self::Findings => "Findings",
            Self::Device => "Device",
            Self::Streams => "Streams",
            Self::Arithmetic => "Arithmetic",
            Self::Tensor => "Tensor",
        }
    }
}

/// The contents of a link: the run, and its presentation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The architecture.
    pub arch: ArchId,
    /// The library kernel: its source and launch apply where the fields below are `None`. Modified source keeps the
    /// kernel from which it was made.
    pub kernel: String,
    /// The user's source text, instead of the library's.
    pub source: Option<String>,
    /// Name of the `__global__` function; `None`: see [`Scenario::entry`].
    pub entry: Option<String>,
    /// The grid in x, y, z; `None`: the library kernel's.
    pub grid: Option<[u32; 3]>,
    /// The block in x, y, z; `None`: the library kernel's.
    pub block: Option<[u32; 3]>,
    /// Dynamic shared memory in bytes; `None`: the library kernel's.
    pub dynamic_shared: Option<u32>,
    /// Arguments in order; `None`: the library kernel's.
    pub args: Option<Vec<Argument>>,
    /// Contents of named variables; `None`: the library kernel's.
    pub symbols: Option<Vec<SymbolFill>>,
    /// The compile options.
    pub compile: CompileOptions,
    /// The machine options.
    pub machine: MachineOptions,
    /// The other sides of a comparison.
    pub compare: Option<Compare>,
    /// The playground's access, shown instead of the run's accesses in the memory views.
    pub playground: Option<Playground>,
    /// The typed operation, shown instead of the run's in the Arithmetic view.
    #[serde(default)]
    pub operation: Option<String>,
    /// The shown view.
    pub view: View,
    /// The second view, if the stage is split.
    pub split: Option<View>,
    /// The shown cycle.
    pub cycle: u64,
    /// The selected warp slot.
    pub warp: Option<u16>,
    /// The rest of the selection, and the view settings.
    pub look: ViewLink,
    /// The layout of the workbench.
    pub layout: Layout,
    /// The user's name for the scenario; `None`: the kernel's name.
    pub name: Option<String>,
    /// The open lesson.
    pub lesson: Option<LessonLink>,
    /// The notes on the picture.
    pub notes: Vec<PictureNote>,
    /// The chapters, and how they are presented.
    pub lecture: Lecture,
    /// The shown stop of the tour, from 0.
    pub tour: Option<usize>,
}

/// The lesson that a link opens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonLink {
    /// Where it is read from; `None`: the link names a step, but no lesson.
    #[serde(rename = "id")]
    pub address: Option<LessonAddress>,
    /// The step, from 0.
    pub step: usize,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            arch: ArchId::Tu102,
            kernel: library::DEFAULT_ID.to_owned(),
            source: None,
            entry: None,
            grid: None,
            block: None,
            dynamic_shared: None,
            args: None,
            symbols: None,
            compile: CompileOptions::default(),
            machine: MachineOptions::default(),
            compare: None,
            playground: None,
            operation: None,
            view: View::Sm,
            split: None,
            cycle: 0,
            warp: None,
            look: ViewLink::default(),
            layout: Layout::default(),
            name: None,
            lesson: None,
            notes: Vec::new(),
            lecture: Lecture::default(),
            tour: None,
        }
    }
}

impl Scenario {
    /// The library kernel, or the default one if the id is unknown.
    pub fn library_kernel(&self) -> &'static LibraryKernel {
        library::kernel_or_default(&self.kernel)
    }

    /// The CUDA C++ source to compile.
    pub fn source(&self) -> &str {
        compare::source(&self.kernel, self.source.as_deref())
    }

    /// Name of the `__global__` function to launch: the selected one, or the library kernel's if the source still
    /// defines it. `None`: the first kernel of the source.
    pub fn entry(&self) -> Option<&str> {
        let library = self.library_kernel().entry;
        let call = format!("{library}(");
        self.entry
            .as_deref()
            .or_else(|| self.source().contains(&call).then_some(library))
    }

    /// The launch: the library kernel's, overridden by the scenario's own values.
    pub fn launch(&self) -> Launch {
        Setup::of(self).launch()
    }
}
