//! The kernel library: example kernels, each with a sentence on what to look at.
//!
//! Kernels that solve the same task in different ways are variants of one family. The menu lists families; a
//! switch below it lists the variants. Kernel ids appear in links and are never reused.

mod launches;
mod memory;
mod mistakes;
mod shared;
mod streams;
#[cfg(test)]
mod device_tests;
#[cfg(test)]
mod tests;
mod work;

use engine::launch::Launch;

/// Kernels that solve one task in different ways.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The family's id in the JavaScript API; it never appears in links.
    pub id: &'static str,
    /// The task, in a few words.
    pub title: &'static str,
    /// Id of the variant that the menu opens.
    pub opens: &'static str,
    /// The variants in the order of the switch; the variants of a group are adjacent.
    pub kernels: &'static [LibraryKernel],
}

impl Family {
    /// Returns the names of the groups of variants, in order; one empty name if there are no groups.
    pub fn groups(&self) -> Vec<&'static str> {
        let mut groups: Vec<&str> = self.kernels.iter().map(|kernel| kernel.group).collect();
        groups.dedup();
        groups
    }
}

/// A kernel of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryKernel {
    /// Its id in links.
    pub id: &'static str,
    /// The group of variants that this one belongs to, such as "by lane"; empty if the switch has no groups.
    pub group: &'static str,
    /// The variant's name on the family's switch.
    pub variant: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// What to look at: one sentence that starts with the best view for it.
    pub look_at: &'static str,
    /// The CUDA C source.
    pub source: &'static str,
    /// Name of its `__global__` function.
    pub entry: &'static str,
    launch: fn() -> Launch,
}

impl LibraryKernel {
    /// The launch at a size that fills a device, if there is one.
    pub fn full_launch(&self) -> Option<Launch> {
        launches::full(self.id)
    }

    /// Returns the initial launch configuration.
    pub fn launch(&self) -> Launch {
        (self.launch)()
    }
}

/// The kernel of an empty link or of an unknown id.
pub const DEFAULT_ID: &str = "transpose-tiled";

/// Kernels that fail on some architectures on purpose: they do not compile, do not terminate, or leave other
/// values where lanes do not run in lockstep.
pub const HAZARDS: [&str; 9] = [
    "warp-sum",
    "warp-shuffle",
    "warp-shuffle-active",
    "barrier-some",
    "lock-spin",
    "mistake-race",
    "mistake-barrier",
    "mistake-unset",
    "mistake-bounds",
];

/// All families, in the order of the menu.
pub fn families() -> impl Iterator<Item = &'static Family> {
    [
        shared::FAMILIES,
        memory::FAMILIES,
        work::FAMILIES,
        streams::FAMILIES,
        mistakes::FAMILIES,
    ]
    .into_iter()
    .flatten()
}

/// All kernels, family by family.
pub fn kernels() -> impl Iterator<Item = &'static LibraryKernel> {
    families().flat_map(|family| family.kernels)
}

/// The kernel with this id.
pub fn kernel(id: &str) -> Option<&'static LibraryKernel> {
    kernels().find(|kernel| kernel.id == id)
}

/// The kernel with this id, or the default one.
pub fn kernel_or_default(id: &str) -> &'static LibraryKernel {
    kernel(id)
        .or_else(|| kernel(DEFAULT_ID))
        .unwrap_or(&shared::FAMILIES[0].kernels[0])
}

/// The family of the kernel with this id.
pub fn family_of(id: &str) -> Option<&'static Family> {
    families().find(|family| family.kernels.iter().any(|kernel| kernel.id == id))
}

macro_rules! source {
    ($name:literal) => {
        include_str!(concat!($name, ".cu"))
    };
}
use source;
