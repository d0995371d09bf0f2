//! The headers of CUDA that declare more than the compiler knows by itself, written in CUDA C++. A header is read
//! where the source includes it, and only what the source uses of it is compiled.

pub(super) mod tables;

/// The headers, by the names that `#include` has.
const HEADERS: [(&str, &str); 12] = [
    ("cuda/atomic", include_str!("headers/cuda/atomic.h")),
    ("cuda/barrier", include_str!("headers/cuda/barrier.h")),
    (
        "cooperative_groups.h",
        include_str!("headers/cooperative_groups.h"),
    ),
    (
        "cooperative_groups/memcpy_async.h",
        include_str!("headers/cooperative_groups/memcpy_async.h"),
    ),
    (
        "cooperative_groups/reduce.h",
        include_str!("headers/cooperative_groups/reduce.h"),
    ),
    (
        "cooperative_groups/scan.h",
        include_str!("headers/cooperative_groups/scan.h"),
    ),
    ("cuComplex.h", include_str!("headers/cuComplex.h")),
    ("limits", include_str!("headers/limits.h")),
    ("type_traits", include_str!("headers/type_traits.h")),
    ("utility", include_str!("headers/utility.h")),
    ("helper_math.h", include_str!("headers/helper_math.h")),
    ("curand_kernel.h", include_str!("headers/curand_kernel.h")),
];

/// A header's name and text.
pub(super) fn header(name: &str) -> Option<(&'static str, &'static str)> {
    HEADERS.into_iter().find(|(known, _)| *known == name)
}
