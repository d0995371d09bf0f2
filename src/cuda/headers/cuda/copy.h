// Copies for cuda::memcpy_async and __pipeline_memcpy_async. From 8.0 on, those on which the pipeline of a thread waits are
// copies without a register. Those on which a barrier waits, or the pipeline of a block, are synchronous.

namespace cuda {

template <size_t Align> struct aligned_size_t {
    size_t value;
    __device__ explicit aligned_size_t(size_t size) : value(size) {}
    __device__ operator size_t() const { return value; }
};

namespace detail {

template <size_t Align> __device__ void copy_aligned(void *to, const void *from, size_t bytes) {
    if constexpr (Align % 16 == 0) {
        for (size_t at = 0; at < bytes; at += 16) *(int4 *)((char *)to + at) = *(const int4 *)((const char *)from + at);
    } else if constexpr (Align % 8 == 0) {
        for (size_t at = 0; at < bytes; at += 8) *(int2 *)((char *)to + at) = *(const int2 *)((const char *)from + at);
    } else if constexpr (Align % 4 == 0) {
        for (size_t at = 0; at < bytes; at += 4) *(int *)((char *)to + at) = *(const int *)((const char *)from + at);
    } else {
        for (size_t at = 0; at < bytes; at++) ((char *)to)[at] = ((const char *)from)[at];
    }
}

// In words of the element size, because the pointer type implies the alignment.
template <typename T> __device__ void copy_bytes(T *to, const T *from, size_t bytes) {
    for (size_t at = 0; at < bytes / sizeof(T); at++) to[at] = from[at];
}

// Whether a `Sync` waits for groups of copies.
template <typename Sync> struct waits_for_groups { static constexpr bool value = false; };

#if __CUDA_ARCH__ >= 800
inline __device__ void wait_for_copies(unsigned prior) {
    if (prior == 0) __ws_cp_async_wait(0u);
    else if (prior == 1) __ws_cp_async_wait(1u);
    else if (prior == 2) __ws_cp_async_wait(2u);
    else if (prior == 3) __ws_cp_async_wait(3u);
    else if (prior == 4) __ws_cp_async_wait(4u);
    else if (prior == 5) __ws_cp_async_wait(5u);
    else if (prior == 6) __ws_cp_async_wait(6u);
    else if (prior == 7) __ws_cp_async_wait(7u);
    else __ws_cp_async_wait(8u);
}
inline __device__ void commit_copies() { __ws_cp_async_commit(); }

// Whether a generic address is in shared memory.
inline __device__ bool is_shared(const void *at) {
    return __cvta_shared_to_generic(__cvta_generic_to_shared(at)) == (void *)at;
}

// Copies from `first` on, `step` bytes apart, in pieces of the largest size that the alignment has.
template <size_t Align>
__device__ void start_copies(void *to, const void *from, size_t bytes, size_t first, size_t step) {
    if (!is_shared(to) || is_shared(from)) {
        for (size_t at = first * Align; at < bytes; at += step * Align)
            copy_aligned<Align>((char *)to + at, (const char *)from + at, Align);
        return;
    }
    const unsigned target = (unsigned)__cvta_generic_to_shared(to);
    for (size_t at = first * Align; at < bytes; at += step * Align) {
        if constexpr (Align == 16) __ws_cp_async_cg(target + (unsigned)at, (const char *)from + at, 16u, 16u);
        else __ws_cp_async_ca(target + (unsigned)at, (const char *)from + at, (unsigned)Align, (unsigned)Align);
    }
}

template <size_t Align, typename T>
__device__ void copy_async(T *to, const T *from, size_t bytes, size_t first, size_t step) {
    if constexpr (Align % 16 == 0) start_copies<16>(to, from, bytes, first, step);
    else if constexpr (Align % 8 == 0) start_copies<8>(to, from, bytes, first, step);
    else if constexpr (Align % 4 == 0) start_copies<4>(to, from, bytes, first, step);
    else
        for (size_t at = first; at < bytes / sizeof(T); at += step) to[at] = from[at];
}
#else
inline __device__ void wait_for_copies(unsigned) {}
inline __device__ void commit_copies() {}
template <size_t Align, typename T>
__device__ void copy_async(T *to, const T *from, size_t bytes, size_t first, size_t step) {
    for (size_t at = first; at < bytes / sizeof(T); at += step) to[at] = from[at];
}
#endif

template <typename Group, typename T>
__device__ void copy_shares(const Group &group, T *to, const T *from, size_t bytes) {
    const size_t num = bytes / sizeof(T);
    for (size_t idx = group.thread_rank(); idx < num; idx += group.size()) to[idx] = from[idx];
}

}

// A copy on which `Sync` (a barrier or a pipeline) waits is complete when the call returns.
template <typename T, typename Sync>
__device__ void memcpy_async(T *to, const T *from, size_t bytes, Sync &sync) {
    if constexpr (detail::waits_for_groups<Sync>::value) detail::copy_async<alignof(T)>(to, from, bytes, 0, 1);
    else detail::copy_bytes(to, from, bytes);
}
template <typename T, size_t Align, typename Sync>
__device__ void memcpy_async(T *to, const T *from, aligned_size_t<Align> bytes, Sync &sync) {
    if constexpr (detail::waits_for_groups<Sync>::value) detail::copy_async<Align>(to, from, bytes.value, 0, 1);
    else detail::copy_aligned<Align>(to, from, bytes.value);
}
template <typename Group, typename T, typename Sync>
__device__ void memcpy_async(const Group &group, T *to, const T *from, size_t bytes, Sync &sync) {
    if constexpr (detail::waits_for_groups<Sync>::value)
        detail::copy_async<alignof(T)>(to, from, bytes, group.thread_rank(), group.size());
    else detail::copy_shares(group, to, from, bytes);
}
template <typename Group, typename T, size_t Align, typename Sync>
__device__ void memcpy_async(const Group &group, T *to, const T *from, aligned_size_t<Align> bytes, Sync &sync) {
    if constexpr (detail::waits_for_groups<Sync>::value)
        detail::copy_async<Align>(to, from, bytes.value, group.thread_rank(), group.size());
    else detail::copy_shares(group, to, from, bytes.value);
}

}
