// The primitives of asynchronous copies: CUDA C++ Programming Guide, "Pipeline Primitives". Before 8.0, copies are synchronous.

#include <cuda/copy>

#if __CUDA_ARCH__ >= 800
inline __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zfill = 0) {
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    const unsigned size = (unsigned)bytes;
    if (size == 16)
        __ws_cp_async_cg(at, from, 16u, 16u - (unsigned)zfill);
    else
        __ws_cp_async_ca(at, from, size, size - (unsigned)zfill);
}
inline __device__ void __pipeline_commit() { __ws_cp_async_commit(); }
inline __device__ void __pipeline_wait_prior(size_t prior) { cuda::detail::wait_for_copies((unsigned)prior); }
#else
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
#endif
