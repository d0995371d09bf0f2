//! What a link says: the scenario, and its way to text and back. Knows nothing of the browser.

use serde::{Deserialize, Serialize};

use crate::arch::ArchId;
use crate::isa::CompileOptions;
use crate::library;
use crate::sim::MachineOptions;

/// A view of the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The floor plan of an SM.
    #[default]
    Sm,
    /// Warps by cycles.
    Timeline,
    /// One access to shared memory, lane by lane.
    Banks,
}

/// All that a link carries: what runs, on what, and what is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The architecture.
    pub arch: ArchId,
    /// The library kernel that is run, or from which the own text was made; its launch gives the arguments.
    pub kernel: String,
    /// The user's own text in place of the library's.
    pub source: Option<String>,
    /// Blocks in x, y, z; `None`: as the library kernel has it.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block in x, y, z; `None`: as the library kernel has it.
    pub block: Option<[u32; 3]>,
    /// Dynamic shared memory in bytes; `None`: as the library kernel has it.
    pub dynamic_shared: Option<u32>,
    /// How it is compiled.
    pub compile: CompileOptions,
    /// How the machine is set.
    pub machine: MachineOptions,
    /// The view that is shown.
    pub view: View,
    /// The cycle that is shown.
    pub cycle: u64,
    /// The warp slot that is selected.
    pub warp: Option<u16>,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            arch: ArchId::Tu102,
            kernel: library::DEFAULT_ID.to_owned(),
            source: None,
            grid: None,
            block: None,
            dynamic_shared: None,
            compile: CompileOptions::default(),
            machine: MachineOptions::default(),
            view: View::Sm,
            cycle: 0,
            warp: None,
        }
    }
}
