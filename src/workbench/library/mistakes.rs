//! Kernels with common mistakes, for the Checks view.

use super::{Family, LibraryKernel, launches, source};

pub(super) static FAMILIES: &[Family] = &[Family {
    id: "mistakes",
    title: "Kernels with a mistake",
    opens: "mistake-race",
    kernels: &[
        LibraryKernel {
            id: "mistake-race",
            group: "",
            variant: "race",
            title: "Missing barrier",
            look_at: "Checks: racecheck names the write, the read, and the missing __syncthreads().",
            source: source!("mistake-race"),
            entry: "mistake_race",
            launch: || launches::one_block(128, 128, None),
        },
        LibraryKernel {
            id: "mistake-barrier",
            group: "",
            variant: "divergent barrier",
            title: "Barrier that part of the block skips",
            look_at: "Checks: synccheck names the barrier and the lanes that never reach it.",
            source: source!("mistake-barrier"),
            entry: "mistake_barrier",
            launch: || launches::one_block(64, 64, Some(48)),
        },
        LibraryKernel {
            id: "mistake-unset",
            group: "",
            variant: "uninitialized shared memory",
            title: "Bins that are never set to zero",
            look_at: "Checks: initcheck names the first element that is read before it is written.",
            source: source!("mistake-unset"),
            entry: "mistake_unset",
            launch: || launches::one_block(64, 16, None),
        },
        LibraryKernel {
            id: "mistake-bounds",
            group: "",
            variant: "out of bounds",
            title: "Index one past the end",
            look_at: "Checks: memcheck names the element, the thread, and how far outside it is.",
            source: source!("mistake-bounds"),
            entry: "mistake_bounds",
            launch: || launches::past_the_end(),
        },
    ],
}];
