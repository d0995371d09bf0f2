//! The kernel library: what a newcomer can open, each with a line on what to look at.
//!
//! Kernels that do the same in different ways are variants of one family: the menu lists families,
//! and a switch under it the variants. Ids of kernels are used in links and are never reused.

mod launches;
mod memory;
mod mistakes;
mod shared;
#[cfg(test)]
mod tests;
mod work;

use engine::launch::Launch;

/// Kernels for one task, each by another way.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its id, which the JavaScript API shows and no link.
    pub id: &'static str,
    /// The task, in a few words.
    pub title: &'static str,
    /// Id of the variant that the menu opens.
    pub opens: &'static str,
    /// The variants, in the order of the switch; those of a group stand together.
    pub kernels: &'static [LibraryKernel],
}

impl Family {
    /// Names of the groups of variants, in order; one empty name where there are none.
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
    /// What it shares with its neighbours on the switch ("by lane"); empty where nothing needs to be said.
    pub group: &'static str,
    /// Its name on the switch of its family.
    pub variant: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// What to look at, in one sentence, which begins with the view where it is seen best.
    pub look_at: &'static str,
    /// CUDA C.
    pub source: &'static str,
    /// Name of its `__global__` function.
    pub entry: &'static str,
    launch: fn() -> Launch,
}

impl LibraryKernel {
    /// The launch it is shown with at first.
    pub fn launch(&self) -> Launch {
        (self.launch)()
    }
}

/// The kernel that an unknown id stands for, and an empty link.
pub const DEFAULT_ID: &str = "transpose-tiled";

/// Kernels that go wrong on some machines, so that one sees how: they do not compile there, do not end,
/// or leave other values where lanes are not in step.
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
