//! The views of a run, and the tabs that show them.

use serde::{Deserialize, Serialize};

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
