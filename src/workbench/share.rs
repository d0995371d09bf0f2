//! What a link says: the scenario, and its way to text and back. Knows nothing of the browser.
//!
//! A link is a URL fragment of readable pairs that a person can edit, and holds only what differs
//! from the default: `#v1;arch=tu102;kernel=transpose-tiled;grid=4x4;view=banks;cycle=812;warp=3`.
//! Decoding never fails: what it cannot use becomes a warning. Keys, values and ids are never
//! reused, so that old links mean for ever what they meant.

mod argument;
mod compare;
mod layout;
mod link;
mod look;
mod play;
mod settings;
#[cfg(test)]
mod tests;
mod text;

use serde::{Deserialize, Serialize};

use crate::library::{self, LibraryKernel};
use crate::playground::Playground;
use engine::arch::ArchId;
use engine::isa::CompileOptions;
use engine::launch::{Argument, Launch, SymbolFill};
use engine::sim::MachineOptions;

pub(crate) use self::argument::read as read_argument;
pub use self::argument::write as argument_text;
pub use compare::{Compare, MOST_SIDES, Order, Setup, Sync};
pub use layout::{COLUMN_PX, Density, Layout, Pane, Panel, SHARE, SetUpPart, Side};
pub(crate) use link::unescape;
pub use link::{Decoded, Warning, apply, decode, encode};
pub use look::{FindingId, Look, OutputsLook};
pub use text::Damage;

/// A view of the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The floor plan of an SM.
    #[default]
    Sm,
    /// Warps by cycles.
    Timeline,
    /// Where warp cycles went: by reason, warp, line.
    Stalls,
    /// One access to shared memory, lane by lane.
    Banks,
    /// One access to global memory: lanes against segments, lines and sectors.
    Coalescing,
    /// Every legal split of the on-chip memory.
    Carveout,
    /// Values of registers, predicates and shared memory, lane by lane.
    Registers,
    /// CUDA beside instructions, with counters.
    Source,
    /// How a launch fills an SM, and what limits it.
    Occupancy,
    /// The lanes of a warp: who runs, who waits where, and what brings them together.
    Divergence,
    /// Lines and sectors of a cache as they fill, hit, miss and go.
    Caches,
    /// Several runs: who is ahead, and their counters side by side.
    Compare,
    /// What memcheck, initcheck, racecheck, and synccheck find in the run.
    Checks,
}

impl View {
    /// All views, in the order of their tabs.
    pub const ALL: [Self; 13] = [
        Self::Sm,
        Self::Timeline,
        Self::Stalls,
        Self::Banks,
        Self::Coalescing,
        Self::Carveout,
        Self::Registers,
        Self::Source,
        Self::Occupancy,
        Self::Divergence,
        Self::Caches,
        Self::Compare,
        Self::Checks,
    ];

    /// The tabs' groups: machine, memory, threads, limits, mistakes, compare.
    pub const GROUPS: [&'static [Self]; 6] = [
        &[Self::Sm, Self::Timeline, Self::Stalls],
        &[Self::Banks, Self::Coalescing, Self::Caches, Self::Carveout],
        &[Self::Registers, Self::Source, Self::Divergence],
        &[Self::Occupancy],
        &[Self::Checks],
        &[Self::Compare],
    ];

    /// The id in links.
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
        }
    }

    /// The name on its tab.
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
        }
    }
}

/// All that a link carries: what runs, on what, and what is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The architecture.
    pub arch: ArchId,
    /// The library kernel that is run, or from which the own text was made; its launch gives what
    /// is `None` below.
    pub kernel: String,
    /// The user's own text in place of the library's.
    pub source: Option<String>,
    /// Name of the `__global__` function; `None`: see [`Scenario::entry`].
    pub entry: Option<String>,
    /// Blocks in x, y, z; `None`: as the library kernel has it.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block in x, y, z; `None`: as the library kernel has it.
    pub block: Option<[u32; 3]>,
    /// Dynamic shared memory in bytes; `None`: as the library kernel has it.
    pub dynamic_shared: Option<u32>,
    /// Arguments in order; `None`: as the library kernel has them.
    pub args: Option<Vec<Argument>>,
    /// Contents of named variables; `None`: as the library kernel has them.
    pub symbols: Option<Vec<SymbolFill>>,
    /// How it is compiled.
    pub compile: CompileOptions,
    /// How the machine is set.
    pub machine: MachineOptions,
    /// The further sides, where several runs are compared.
    pub compare: Option<Compare>,
    /// The access that is tried out in place of the run's, in the views of memory.
    pub playground: Option<Playground>,
    /// The view that is shown.
    pub view: View,
    /// The view beside it, if the stage is split.
    pub split: Option<View>,
    /// The cycle that is shown.
    pub cycle: u64,
    /// The warp slot that is selected.
    pub warp: Option<u16>,
    /// What else is selected, and how the views are set.
    pub look: Look,
    /// How the workbench is laid out.
    pub layout: Layout,
    /// The name that the user gave it; `None`: the kernel's.
    pub name: Option<String>,
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
            view: View::Sm,
            split: None,
            cycle: 0,
            warp: None,
            look: Look::default(),
            layout: Layout::default(),
            name: None,
        }
    }
}

impl Scenario {
    /// The library kernel, or the default one if the id is unknown.
    pub fn library_kernel(&self) -> &'static LibraryKernel {
        library::kernel_or_default(&self.kernel)
    }

    /// The CUDA C that is compiled.
    pub fn source(&self) -> &str {
        compare::source(&self.kernel, self.source.as_deref())
    }

    /// Name of the `__global__` function that is launched: the one that was chosen, or the library
    /// kernel's if the text still has it. `None`: the first one of the text.
    pub fn entry(&self) -> Option<&str> {
        let library = self.library_kernel().entry;
        let call = format!("{library}(");
        self.entry
            .as_deref()
            .or_else(|| self.source().contains(&call).then_some(library))
    }

    /// The launch: the library kernel's, with what the scenario says itself.
    pub fn launch(&self) -> Launch {
        Setup::of(self).launch()
    }
}
