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
use crate::setup;
use engine::arch::ArchId;
use engine::isa::CompileOptions;
use engine::launch::{Argument, Launch, SymbolFill};
use engine::sim::MachineOptions;

pub(crate) use self::addresses::check_targets;
pub(crate) use self::argument::read as read_argument;
pub use self::argument::write as argument_text;
pub use crate::setup::Setup;
pub use crate::view::{Tab, View};
pub use compare::{Compare, MAX_SIDES, Order, Sync};
pub use layout::{COLUMN_PX, Density, Layout, Pane, Panel, SHARE, SetUpPart, Side, Theme};
pub use lecture::{Chapter, Lecture, MAX_CHAPTERS, Present, QrPlace};
pub use lesson_address::{LessonAddress, Reach};
pub use link::{Decoded, Warning, apply, decode, encode};
pub(crate) use link::{cut, shortened, unescape};
pub use long_text::{has_long_text, put_long_texts, take_long_texts};
pub use note::{Anchor, PictureNote};
pub(crate) use streams::suffix as stream_pairs;
pub use text::Damage;
pub(crate) use text::{MAX_BYTES as MAX_SOURCE_BYTES, MAX_FILES};
pub use view_link::{FindingId, OutputsLink, ViewLink};

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
            arch: ArchId::DEFAULT,
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
        setup::source(&self.kernel, self.source.as_deref())
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
