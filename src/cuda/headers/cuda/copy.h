// Copies for cuda::memcpy_async and __pipeline_memcpy_async. They are synchronous.

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

template <typename Group, typename T>
__device__ void copy_shares(const Group &group, T *to, const T *from, size_t bytes) {
    const size_t num = bytes / sizeof(T);
    for (size_t idx = group.thread_rank(); idx < num; idx += group.size()) to[idx] = from[idx];
}

}

// A copy on which `Sync` (a barrier or a pipeline) waits is complete when the call returns.
template <typename T, typename Sync>
__device__ void memcpy_async(T *to, const T *from, size_t bytes, Sync &sync) {
    detail::copy_bytes(to, from, bytes);
}
template <typename T, size_t Align, typename Sync>
__device__ void memcpy_async(T *to, const T *from, aligned_size_t<Align> bytes, Sync &sync) {
    detail::copy_aligned<Align>(to, from, bytes.value);
}
template <typename Group, typename T, typename Sync>
__device__ void memcpy_async(const Group &group, T *to, const T *from, size_t bytes, Sync &sync) {
    detail::copy_shares(group, to, from, bytes);
}
template <typename Group, typename T, size_t Align, typename Sync>
__device__ void memcpy_async(const Group &group, T *to, const T *from, aligned_size_t<Align> bytes, Sync &sync) {
    detail::copy_shares(group, to, from, bytes.value);
}

}
