//! CUDA headers with declarations that are not built into the compiler, written in CUDA C++. A header is read where
//! the source includes it, and only the parts that the source uses are compiled.

pub(super) mod tables;

/// The headers, by `#include` name.
const HEADERS: [(&str, &str); 40] = [
    ("new", include_str!("headers/new.h")),
    // The headers of libraries that host code calls: the number formats that they include.
    ("cublas_api.h", "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"),
    // The number types of cuFFT, which callbacks and kernels around a transform use (cuFFT documentation, cuFFT Types).
    (
        "cufft.h",
        "#include <cuComplex.h>\ntypedef float cufftReal;\ntypedef double cufftDoubleReal;\n\
         typedef cuComplex cufftComplex;\ntypedef cuDoubleComplex cufftDoubleComplex;\n",
    ),
    ("driver_types.h", include_str!("headers/driver_types.h")),
    ("cuda/atomic", include_str!("headers/cuda/atomic.h")),
    ("cuda/barrier", include_str!("headers/cuda/barrier.h")),
    ("cuda/copy", include_str!("headers/cuda/copy.h")),
    ("cuda/pipeline", include_str!("headers/cuda/pipeline.h")),
    ("cuda_pipeline.h", include_str!("headers/cuda_pipeline.h")),
    ("memory", include_str!("headers/memory.h")),
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
    ("cuda_fp8.h", include_str!("headers/cuda_fp8.h")),
    ("mma.h", include_str!("headers/mma.h")),
    ("mma/turing.h", include_str!("headers/mma/turing.h")),
    ("mma/volta.h", include_str!("headers/mma/volta.h")),
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

/// `#include` names with a description: the headers that this compiler reads, and the CUDA and C++ headers whose
/// names are always available.
pub(crate) const INCLUDES: [(&str, &str); 37] = [
    (
        "cooperative_groups.h",
        "Groups of threads with barriers, shuffles, and votes.",
    ),
    (
        "cooperative_groups/memcpy_async.h",
        "Collective asynchronous copies into shared memory.",
    ),
    (
        "cooperative_groups/reduce.h",
        "Reductions over the threads of a group.",
    ),
    (
        "cooperative_groups/scan.h",
        "Prefix sums over the threads of a group.",
    ),
    ("cuda_fp16.h", "Half precision: half and half2."),
    ("cuda_bf16.h", "bfloat16: __nv_bfloat16 and __nv_bfloat162."),
    (
        "cuda_fp8.h",
        "8-bit floating-point types: __nv_fp8_e4m3 and __nv_fp8_e5m2.",
    ),
    (
        "mma.h",
        "Matrix multiply-accumulate on tensor cores: nvcuda::wmma.",
    ),
    ("cuda/atomic", "cuda::atomic and cuda::atomic_ref."),
    (
        "cuda/barrier",
        "cuda::barrier: block barriers with separate arrive and wait.",
    ),
    (
        "cuda/pipeline",
        "cuda::pipeline and cuda::memcpy_async: multi-stage asynchronous copies.",
    ),
    (
        "cuda_pipeline.h",
        "The pipeline primitives, such as __pipeline_memcpy_async.",
    ),
    ("cuda/std/limits", "cuda::std::numeric_limits."),
    ("cuda/std/type_traits", "Type traits."),
    ("cuda/std/utility", "cuda::std::pair, move, forward, and swap."),
    ("cuda/std/tuple", "cuda::std::tuple."),
    ("cuda/std/array", "cuda::std::array."),
    ("cuda/std/functional", "Function objects such as cuda::std::plus."),
    ("cuComplex.h", "Complex numbers as structs and functions."),
    (
        "helper_math.h",
        "Operators for the built-in vector types, from the CUDA samples.",
    ),
    (
        "curand_kernel.h",
        "Random numbers in kernels: XORWOW, Philox, and Sobol sequences.",
    ),
    ("cub/cub.cuh", "CUB's warp-wide and block-wide collectives."),
    ("cub/block/block_reduce.cuh", "cub::BlockReduce."),
    ("cub/block/block_scan.cuh", "cub::BlockScan."),
    ("cub/warp/warp_reduce.cuh", "cub::WarpReduce."),
    ("thrust/complex.h", "thrust::complex."),
    (
        "thrust/random.h",
        "Random number engines and distributions of Thrust.",
    ),
    (
        "cuda_runtime.h",
        "The CUDA runtime, which nvcc includes implicitly.",
    ),
    (
        "device_launch_parameters.h",
        "The built-in variables, such as threadIdx, which nvcc declares implicitly.",
    ),
    ("math_constants.h", "Constants such as CUDART_PI_F."),
    ("cstdint", "Fixed-width integers, such as uint32_t."),
    ("cstdio", "printf."),
    ("cassert", "assert."),
    ("cmath", "Mathematical functions."),
    ("cfloat", "Limits of floating-point types, such as FLT_MAX."),
    ("climits", "Limits of integer types, such as INT_MAX."),
    ("limits", "std::numeric_limits."),
];

/// A header's name and text.
pub(super) fn header(name: &str) -> Option<(&'static str, &'static str)> {
    let known = stored_as(name);
    HEADERS.into_iter().find(|(stored, _)| *stored == known)
}

/// The name of the built-in header that provides the declarations of a CUDA library header.
fn stored_as(name: &str) -> &str {
    if name == "cuda/std/atomic" {
        return "cuda/atomic";
    }
    if let Some(rest) = name.strip_prefix("cuda/std/") {
        return rest;
    }
    // CUB's own subfolders.
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
        "cublas.h" | "cublasLt.h" | "cublasXt.h" | "cublas_v2.h" | "cudnn.h" | "cusparse.h" => "cublas_api.h",
        "cufftXt.h" | "cufftw.h" => "cufft.h",
        "cuda/functional" => "functional",
        "cuda_pipeline_primitives.h" => "cuda_pipeline.h",
        other => other,
    }
}
