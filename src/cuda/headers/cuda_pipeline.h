// The primitives of asynchronous copies: CUDA C++ Programming Guide, "Pipeline Primitives". Copies are synchronous,
// as on chips before 8.0.

#include <cuda/copy>

inline __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zfill = 0) {
    if (zfill > 0) {
        for (size_t at = bytes - zfill; at < bytes; at++) ((char *)to)[at] = 0;
        cuda::detail::copy_aligned<1>(to, from, bytes - zfill);
    } else if (bytes == 16) {
        cuda::detail::copy_aligned<16>(to, from, bytes);
    } else if (bytes == 8) {
        cuda::detail::copy_aligned<8>(to, from, bytes);
    } else {
        cuda::detail::copy_aligned<4>(to, from, bytes);
    }
}
inline __device__ void __pipeline_commit() {}
inline __device__ void __pipeline_wait_prior(size_t) {}
