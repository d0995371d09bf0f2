//! The headers of CUDA that declare more than the compiler knows by itself, written in CUDA C++. A header is read
//! where the source includes it, and only what the source uses of it is compiled.

pub(super) mod tables;

/// The headers, by the names that `#include` has.
const HEADERS: [(&str, &str); 30] = [
    ("driver_types.h", include_str!("headers/driver_types.h")),
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
    ("cuda_fp16.h", include_str!("headers/cuda_fp16.h")),
    ("cuda_bf16.h", include_str!("headers/cuda_bf16.h")),
    ("mma.h", include_str!("headers/mma.h")),
    ("cuComplex.h", include_str!("headers/cuComplex.h")),
    ("limits", include_str!("headers/limits.h")),
    ("type_traits", include_str!("headers/type_traits.h")),
    ("utility", include_str!("headers/utility.h")),
    ("functional", include_str!("headers/functional.h")),
    ("tuple", include_str!("headers/tuple.h")),
    ("array", include_str!("headers/array.h")),
    ("algorithm", include_str!("headers/algorithm.h")),
    ("helper_math.h", include_str!("headers/helper_math.h")),
    ("curand_kernel.h", include_str!("headers/curand_kernel.h")),
    ("cub/util.h", include_str!("headers/cub/util.h")),
    ("cub/warp.h", include_str!("headers/cub/warp.h")),
    ("cub/block_reduce.h", include_str!("headers/cub/block_reduce.h")),
    ("cub/block_scan.h", include_str!("headers/cub/block_scan.h")),
    ("cub/block_data.h", include_str!("headers/cub/block_data.h")),
    ("cub/block_sort.h", include_str!("headers/cub/block_sort.h")),
    ("cub/cub.cuh", include_str!("headers/cub/cub.h")),
    ("thrust/thrust.h", include_str!("headers/thrust/thrust.h")),
    ("thrust/complex.h", include_str!("headers/thrust/complex.h")),
    ("thrust/random.h", include_str!("headers/thrust/random.h")),
];

/// A header's name and text.
pub(super) fn header(name: &str) -> Option<(&'static str, &'static str)> {
    let known = stored_as(name);
    HEADERS.into_iter().find(|(stored, _)| *stored == known)
}

/// The name of the header that has what a header of CUDA's libraries declares.
fn stored_as(name: &str) -> &str {
    if let Some(rest) = name.strip_prefix("cuda/std/") {
        return rest;
    }
    // As CUB's own folders have it.
    let name = name.strip_prefix("cub/cub/").map_or(name, |_| &name[4..]);
    if let Some(rest) = name.strip_prefix("cub/")
        && let Some(stem) = rest.strip_suffix(".cuh")
    {
        return match stem {
            "block/block_reduce" | "block/block_raking_layout" => "cub/block_reduce.h",
            "block/block_scan" => "cub/block_scan.h",
            "block/block_radix_sort" | "block/block_radix_rank" | "block/block_histogram" => {
                "cub/block_sort.h"
            }
            _ if stem.starts_with("block/") => "cub/block_data.h",
            _ if stem.starts_with("warp/") => "cub/warp.h",
            _ if ["thread/", "iterator/", "util_"]
                .iter()
                .any(|of| stem.starts_with(of)) =>
            {
                "cub/util.h"
            }
            _ => "cub/cub.cuh",
        };
    }
    if let Some(rest) = name.strip_prefix("thrust/") {
        return match rest {
            "complex.h" | "thrust.h" => name,
            _ if rest.starts_with("random") => "thrust/random.h",
            _ => "thrust/thrust.h",
        };
    }
    match name {
        "complex" => "thrust/complex.h",
        "cuda/functional" => "functional",
        other => other,
    }
}
